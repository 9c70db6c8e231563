//! Drape of a disc of cloth between two smaller discs, seen from above.

use super::rest::bring_to_rest;
use super::{Figure, Outcome, Specimen};
use crate::sim::contact::{Collider, Shape};
use crate::sim::model::motion::Path;
use crate::sim::study::jitter::Random;
use crate::sim::{Pattern, Real, Simulation, StepError, Vec3};

/// Radii of a specimen and of the discs that hold it [m].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Discs {
    /// Radius of the specimen.
    pub specimen: Real,
    /// Radius of the discs.
    pub held: Real,
}

/// How far vertices start above or below the plane, as a share of a cell.
const START: Real = 0.05;
/// Speed at which the plate under the specimen is lowered, and its first and last distance from the
/// cloth [m/s], [m].
const PLATE_SPEED: Real = 0.08;
const MARGIN: Real = 5e-4;
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
pub fn drape(specimen: &Specimen, discs: Discs) -> Outcome {
    draped_between(specimen, discs).map(|(draped, simulation)| (Ok(draped.figure), simulation))
}

impl Specimen<'_> {
    /// The disc of 30 cm of the drape test after it has come to rest.
    ///
    /// # Errors
    /// [`StepError`] when a step fails.
    ///
    /// # Panics
    /// For a solver that is not registered.
    pub fn draped(&self) -> Result<Draped, StepError> {
        draped_between(self, Discs::CUSICK_30).map(|(draped, _)| draped)
    }
}

fn draped_between(specimen: &Specimen, discs: Discs) -> Result<(Draped, Simulation), StepError> {
    let is_between_discs = |x: &Vec3| x.length() < discs.held + 1e-6;
    let pattern = discs.mesh(specimen);
    let mut simulation = specimen.simulation(pattern);
    let rest = simulation.pattern().rest_positions().to_vec();
    let shadow = |positions: &[Vec3], simulation: &Simulation| {
        Shadow::of(discs.specimen, positions, simulation.pattern().triangles())
    };
    let flat = shadow(&rest, &simulation);
    let mut random = Random(specimen.seed ^ 0x5eed);
    let cloth = &mut simulation.state.cloth;
    for (i, x) in rest.iter().enumerate() {
        if is_between_discs(x) {
            cloth.pin_here(i as u32);
        } else {
            cloth.positions[i].y += START * specimen.cell * random.signed();
        }
    }
    specimen.suit(&mut simulation);
    lower_plate(&mut simulation, discs.specimen - discs.held)?;
    let is_at_rest = bring_to_rest(&mut simulation, 0.0, LONGEST)?;
    let shadow = shadow(&simulation.state.cloth.positions, &simulation);
    let disc = flat.area_within(discs.held);
    let value = 100.0 * (shadow.area() - disc) / (flat.area() - disc);
    let figure = Figure { is_at_rest, nodes: Some(shadow.nodes()), ..Figure::of(value) };
    let (positions, triangles) = (simulation.state.cloth.positions.clone(), simulation.pattern().triangles().to_vec());
    let is_held = rest.iter().map(is_between_discs).collect();
    Ok((Draped { positions, triangles, is_held, figure }, simulation))
}

/// Lowers a plate under the cloth until its free ring, of this width [m], hangs. Cloth that falls at
/// once has more and shallower folds than cloth that is let down.
fn lower_plate(simulation: &mut Simulation, ring: Real) -> Result<(), StepError> {
    let start = Vec3::NEG_Y * (simulation.parameters.contact.thickness + MARGIN);
    let path = Path::Steady { velocity: Vec3::NEG_Y * PLATE_SPEED };
    let plate = Collider::new(Shape::Plane { normal: Vec3::Y }, start);
    let plate = Collider { path: Some(path), friction: Some(0.0), ..plate };
    simulation.state.world.colliders.push(plate);
    while simulation.time() < (ring + 2.0 * MARGIN) / PLATE_SPEED {
        simulation.step()?;
    }
    simulation.state.world.colliders.pop();
    Ok(())
}

impl Discs {
    /// A specimen of 30 cm between discs of 18 cm.
    pub(super) const CUSICK_30: Self = Self { specimen: 0.15, held: 0.09 };
    /// One of 24 cm between discs of 12 cm.
    pub(super) const CUSICK_24: Self = Self { specimen: 0.12, held: 0.06 };
    /// One of 36 cm between discs of 18 cm.
    pub(super) const CUSICK_36: Self = Self { specimen: 0.18, held: 0.09 };
    /// One of 25.4 cm between discs of 12.7 cm.
    pub(super) const JIS: Self = Self { specimen: 0.127, held: 0.0635 };

    /// Radii of the rings of vertices about a cell apart [m], rising: one is at the rim of the discs,
    /// the last at that of the specimen.
    fn rings(&self, cell: Real) -> Vec<Real> {
        let [held, free] = [self.held, self.specimen - self.held].map(|width| (width / cell).round().max(1.0));
        let inner = (1..=held as u32).map(|ring| self.held * (Real::from(ring) / held));
        let outer =
            (1..=free as u32).map(|ring| self.specimen - (self.specimen - self.held) * (1.0 - Real::from(ring) / free));
        inner.chain(outer).collect()
    }

    /// A disc of rings about its centre, each with six vertices more than the one within it, turned
    /// at random against each other. If the cut is irregular, vertices are moved at random as well,
    /// but for those at the two rims.
    fn mesh(&self, specimen: &Specimen) -> Pattern {
        let (mut random, mut shifts) = (Random(specimen.seed), Random(!specimen.seed));
        let mut positions = vec![Vec3::ZERO];
        let mut triangles = Vec::new();
        let mut within = (0_u32, 1_u32, 0.0);
        for (ring, radius) in (1..).zip(self.rings(specimen.cell)) {
            let (count, first) = (6 * ring, positions.len() as u32);
            let turn = 0.5 * random.signed();
            let step = std::f64::consts::TAU / Real::from(count);
            positions.extend((0..count).map(|at| {
                let angle = (Real::from(at) + turn) * step;
                let is_rim = radius == self.held || radius == self.specimen;
                let shift = if is_rim { Vec3::ZERO } else { specimen.shift(&mut shifts, specimen.cell) };
                Vec3::new(angle.cos(), 0.0, angle.sin()) * radius + shift
            }));
            stitch(within, (first, count, turn), &mut triangles);
            within = (first, count, turn);
        }
        Pattern::mesh(positions, triangles)
    }
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
    /// That of a specimen of this radius [m].
    fn of(radius: Real, positions: &[Vec3], triangles: &[[u32; 3]]) -> Self {
        let side = (2.2 * radius / PIXEL) as usize;
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
