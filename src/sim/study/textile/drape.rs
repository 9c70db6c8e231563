//! Drape of a disc of cloth between two smaller discs, seen from above.

use super::rest::bring_to_rest;
use super::{Figure, Specimen};
use crate::sim::study::jitter::Random;
use crate::sim::{Pattern, Real, StepError, Vec3};

/// Radius of the specimen and of the discs that hold it [m], and distance of the rings of vertices.
const RADIUS: Real = 0.15;
const HELD: Real = 0.09;
const CELL: Real = 0.0075;
/// How far vertices start above or below the plane, as a share of a cell.
const START: Real = 0.05;
/// Longest time to rest [s].
const LONGEST: Real = 30.0;
/// Side of a cell of the picture of the shadow [m].
const PIXEL: Real = 5e-4;
/// Directions in which the rim of the shadow is looked for, and least depth of a fold [m].
const DIRECTIONS: usize = 360;
const PROMINENCE: Real = 0.004;

/// A disc that drapes: its shape and what is read off it.
#[derive(Debug, Clone, PartialEq)]
pub struct Draped {
    /// Places of its vertices [m], y up, its axis that of y, the discs that hold it at zero.
    pub positions: Vec<Vec3>,
    /// Its triangles.
    pub triangles: Vec<[u32; 3]>,
    /// Whether each vertex is between the discs.
    pub is_held: Vec<bool>,
    /// Drape coefficient [%] and number of nodes.
    pub figure: Figure,
}

/// Drape coefficient [%] and number of nodes.
pub fn drape(specimen: &Specimen) -> Result<Figure, StepError> {
    draped(specimen).map(|draped| draped.figure)
}

/// The disc at rest.
pub fn draped(specimen: &Specimen) -> Result<Draped, StepError> {
    let pattern = disc(specimen.seed);
    let mut simulation = specimen.simulation(pattern);
    let rest = simulation.pattern().rest_positions().to_vec();
    let flat = Shadow::of(&rest, simulation.pattern().triangles());
    let mut random = Random(specimen.seed ^ 0x5eed);
    let cloth = &mut simulation.state.cloth;
    for (i, x) in rest.iter().enumerate() {
        if is_between_discs(x) {
            cloth.pin_here(i as u32);
        } else {
            cloth.positions[i].y += START * CELL * random.signed();
        }
    }
    simulation.suit_solver();
    let is_at_rest = bring_to_rest(&mut simulation, 0.0, LONGEST)?;
    let (positions, triangles) = (simulation.state.cloth.positions.clone(), simulation.pattern().triangles().to_vec());
    let shadow = Shadow::of(&positions, &triangles);
    let disc = flat.area_within(HELD);
    let value = 100.0 * (shadow.area() - disc) / (flat.area() - disc);
    let figure = Figure { value, is_at_rest, nodes: Some(shadow.nodes()) };
    let is_held = rest.iter().map(is_between_discs).collect();
    Ok(Draped { positions, triangles, is_held, figure })
}

/// Whether a vertex that is at `x` at rest is held.
fn is_between_discs(x: &Vec3) -> bool {
    x.length() < HELD + 1e-6
}

/// A disc of rings about its centre, each with six vertices more than the one within it, turned at
/// random against each other.
fn disc(seed: u64) -> Pattern {
    let rings = (RADIUS / CELL).round() as usize;
    let mut random = Random(seed);
    let mut positions = vec![Vec3::ZERO];
    let mut triangles = Vec::new();
    let mut within = (0_u32, 1_u32, 0.0);
    for ring in 1..=rings {
        let (count, first) = (6 * ring as u32, positions.len() as u32);
        let turn = 0.5 * random.signed();
        let step = std::f64::consts::TAU / Real::from(count);
        positions.extend((0..count).map(|at| {
            let angle = (Real::from(at) + turn) * step;
            Vec3::new(angle.cos(), 0.0, angle.sin()) * (ring as Real * CELL)
        }));
        stitch(within, (first, count, turn), &mut triangles);
        within = (first, count, turn);
    }
    Pattern::mesh(positions, triangles)
}

/// Triangles between two rings, given by first vertex, number of vertices, and turn in steps.
fn stitch(inner: (u32, u32, Real), outer: (u32, u32, Real), triangles: &mut Vec<[u32; 3]>) {
    let angle = |(_, count, turn): (u32, u32, Real), at: u32| (Real::from(at) + turn) / Real::from(count);
    let vertex = |(first, count, _): (u32, u32, Real), at: u32| first + at % count;
    let (mut a, mut b) = (0, 0);
    let turns = if inner.1 == 1 { 0 } else { inner.1 };
    while a < turns || b < outer.1 {
        let is_outer = a == turns || b < outer.1 && angle(outer, b + 1) < angle(inner, a + 1);
        if is_outer {
            triangles.push([vertex(inner, a), vertex(outer, b + 1), vertex(outer, b)]);
            b += 1;
        } else {
            triangles.push([vertex(inner, a), vertex(inner, a + 1), vertex(outer, b)]);
            a += 1;
        }
    }
}

/// A picture from above.
struct Shadow {
    side: usize,
    is_dark: Vec<bool>,
}

impl Shadow {
    fn of(positions: &[Vec3], triangles: &[[u32; 3]]) -> Self {
        let side = (2.2 * RADIUS / PIXEL) as usize;
        let mut shadow = Self { side, is_dark: vec![false; side * side] };
        for corners in triangles {
            shadow.fill(corners.map(|i| positions[i as usize]));
        }
        shadow
    }

    /// Middle of a cell of a row or column from the axis [m].
    fn place(&self, at: usize) -> Real {
        (at as Real + 0.5 - 0.5 * self.side as Real) * PIXEL
    }

    fn fill(&mut self, corners: [Vec3; 3]) {
        let [x, z] = [corners.map(|x| x.x), corners.map(|x| x.z)];
        let cells = |values: [Real; 3]| {
            let at = |value: Real| (value / PIXEL + 0.5 * self.side as Real).clamp(0.0, self.side as Real);
            let low = values.into_iter().fold(Real::INFINITY, Real::min);
            let high = values.into_iter().fold(-Real::INFINITY, Real::max);
            at(low).floor() as usize..at(high).ceil() as usize
        };
        let (rows, columns) = (cells(z), cells(x));
        for row in rows {
            for column in columns.clone() {
                let at = [self.place(column), self.place(row)];
                let side = |k: usize| {
                    let l = (k + 1) % 3;
                    (x[l] - x[k]) * (at[1] - z[k]) - (z[l] - z[k]) * (at[0] - x[k])
                };
                let sides = [side(0), side(1), side(2)];
                if sides.iter().all(|s| *s >= 0.0) || sides.iter().all(|s| *s <= 0.0) {
                    self.is_dark[row * self.side + column] = true;
                }
            }
        }
    }

    /// Its area [m²].
    fn area(&self) -> Real {
        self.area_within(Real::INFINITY)
    }

    /// Its area within a radius about the axis [m²].
    fn area_within(&self, radius: Real) -> Real {
        let dark = (0..self.is_dark.len()).filter(|&at| self.is_dark[at]);
        let near = dark.filter(|at| self.place(at % self.side).hypot(self.place(at / self.side)) <= radius);
        near.count() as Real * PIXEL * PIXEL
    }

    /// Number of maxima of the radius over the direction that stand out by a least depth.
    fn nodes(&self) -> usize {
        let mut radii = [0.0; DIRECTIONS];
        for at in (0..self.is_dark.len()).filter(|&at| self.is_dark[at]) {
            let [x, z] = [self.place(at % self.side), self.place(at / self.side)];
            let turn = z.atan2(x).rem_euclid(std::f64::consts::TAU) / std::f64::consts::TAU;
            let direction = (turn * DIRECTIONS as Real) as usize % DIRECTIONS;
            radii[direction] = Real::max(radii[direction], x.hypot(z));
        }
        let low = (0..DIRECTIONS).min_by(|a, b| radii[*a].total_cmp(&radii[*b])).unwrap_or_default();
        // from the lowest place once around, up and down by turns
        let (mut count, mut extreme, mut is_rising) = (0, radii[low], true);
        for at in (1..=DIRECTIONS).map(|by| radii[(low + by) % DIRECTIONS]) {
            extreme = if is_rising { Real::max(extreme, at) } else { Real::min(extreme, at) };
            if (extreme - at).abs() > PROMINENCE {
                count += usize::from(is_rising);
                (is_rising, extreme) = (!is_rising, at);
            }
        }
        count
    }
}
