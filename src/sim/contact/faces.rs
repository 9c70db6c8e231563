//! Contact of the cloth between its vertices: edges and corners of colliders, and thin ones, against its triangles.
//!
//! Where that is wanted (it is off by default). After the vertices have been moved out of the colliders, a triangle of the cloth may still be too near to one: over a corner, on the tip of
//! a needle. Its point nearest to the collider is then pushed out as a vertex is, by motions of its corners in proportion to its
//! barycentric weights (Bridson 2002, section 7.4). Between vertices the cloth keeps [`SHARE`] of the thickness. The triangles that come
//! near are found with the same balls as vertices are. On its flat parts a collider is dismissed by a plane: if the plane at the foot
//! of one corner has all of the triangle before it, throughout the step, nothing touches. A triangle that moves far in the step is held
//! on the side from which it first comes near; that time is found by conservative advancement (Mirtich 1996).
//!
//! The solvers know nothing of it. Where much cloth hangs over an edge, its weight stretches the threads there by what it falls in a
//! step, before they are put back; a draped table is better left to the vertices and their thickness.
//!
//! Triangles are found in parallel; the few that touch are pushed one after the other, in the order of their numbers. A mesh that is not
//! convex is met by the middle of a triangle only, besides its corners.

use parry3d_f64::bounding_volume::{Aabb, BoundingVolume};
use parry3d_f64::math::Pose;
use parry3d_f64::query::contact;
use parry3d_f64::shape::Triangle;

use super::balls::{self, Ball, any_near, bit};
use super::solid::Solid;
use super::surface::rebound;
use crate::sim::exec::team::Team;
use crate::sim::model::partition::Partition;
use crate::sim::{Cloth, Pattern, Real, Vec3};

/// Share of the thickness that the cloth keeps between its vertices. Less than one, so that triangles that lie flat on vertices at the
/// full thickness are not touched.
const SHARE: Real = 0.5;
/// Share of that distance that counts as rounding.
const ROUNDING: Real = 1e-6;
/// Smallest share of the mobility of a point that its free corners are taken to have.
const HELD: Real = 0.25;
/// Share of that distance below which a motion does not matter.
const STILL: Real = 1e-3;
/// Most steps in which the way of a triangle is followed. More are needed only where it passes close by.
const MOST_ADVANCES: usize = 32;
/// Triangles that a thread takes at a time.
const GRAIN: usize = 256;
/// Times that triangles are looked for and pushed at most: of what lies along an edge, a point at a time is found.
const ROUNDS: usize = 6;
/// Times that the touching triangles are pushed in a round, one after the other.
const SWEEPS: usize = 8;

/// A point of a triangle that is too near to a solid.
#[derive(Debug, Clone, Copy)]
struct Touch {
    corners: [u32; 3],
    /// Barycentric weights of the point.
    weights: [Real; 3],
    solid: u32,
    normal: Vec3,
    /// Where the surface is along the normal, with the distance to keep [m].
    height: Real,
}

/// Some triangles in a row, with what is found of them.
#[derive(Default)]
struct Part {
    balls: Vec<Ball>,
    found: Vec<Touch>,
    /// The parts of the vertices that their corners are in.
    corners_in: Vec<u32>,
}

/// What is known of the triangles of a cloth.
#[derive(Default)]
pub(super) struct Faces {
    parts: Vec<Part>,
    /// Number of triangles, and the revision of their pattern.
    of: (usize, u64),
}

impl Faces {
    /// Forgets which solids each triangle could reach.
    pub fn forget(&mut self) {
        self.of = (0, 0);
    }

    fn divide(&mut self, pattern: &Pattern) {
        let (count, revision) = (pattern.triangles().len(), pattern.revision());
        if self.of != (count, revision) {
            self.of = (count, revision);
            self.parts.resize_with(count.div_ceil(GRAIN), Part::default);
            for (at, part) in self.parts.iter_mut().enumerate() {
                part.balls.clear();
                part.balls.resize(GRAIN.min(count - at * GRAIN), Ball::UNKNOWN);
                let here = &pattern.triangles()[at * GRAIN..][..part.balls.len()];
                part.corners_in.clear();
                part.corners_in.extend(here.as_flattened().iter().map(|corner| corner / balls::GRAIN as u32));
                part.corners_in.sort_unstable();
                part.corners_in.dedup();
            }
        }
    }

    /// Moves the triangles out of the solids, which have moved by so much in all [m], after the vertices. `way` is a box around the ways in
    /// the step of the vertices of a part, `before` holds the positions at its start [m].
    #[allow(clippy::too_many_arguments)] // those of the step, and what is found in it
    pub fn resolve(
        &mut self,
        (solids, travel): (&[Solid], Real),
        way: impl Fn(usize) -> Aabb + Sync,
        before: &[Vec3],
        pattern: &Pattern,
        partition: &Partition,
        cloth: &mut Cloth,
        team: &Team,
    ) {
        if !solids.iter().any(Solid::has_edges) {
            return;
        }
        self.divide(pattern);
        for round in 0..ROUNDS {
            self.find((solids, travel), &way, before, pattern, &cloth.positions, team);
            if self.parts.iter().all(|part| part.found.is_empty()) {
                break;
            }
            self.push(solids, before, round == 0, partition, cloth);
        }
    }

    /// Finds the triangles that are too near to a solid.
    fn find(
        &mut self,
        (solids, travel): (&[Solid], Real),
        way: &(impl Fn(usize) -> Aabb + Sync),
        before: &[Vec3],
        pattern: &Pattern,
        positions: &[Vec3],
        team: &Team,
    ) {
        let triangles = pattern.triangles();
        team.update(&mut self.parts, 1, |at, part| {
            part.found.clear();
            let here = &triangles[at * GRAIN..][..part.balls.len()];
            let ways = part.corners_in.iter().map(|&part| way(part as usize));
            if !ways.reduce(|a, b| a.merged(&b)).is_some_and(|way| any_near(solids, &way)) {
                return;
            }
            for (&corners, ball) in here.iter().zip(&mut part.balls) {
                let to = corners.map(|corner| positions[corner as usize]);
                let from = corners.map(|corner| before[corner as usize]);
                if !to.iter().chain(&from).all(|x| ball.holds(*x, travel)) {
                    let middle = (to[0] + to[1] + to[2]) / 3.0;
                    let size = to.iter().chain(&from).map(|x| x.distance(middle)).fold(0.0, Real::max);
                    // room to move in
                    *ball = Ball::around(middle, 1.5 * size, solids, travel);
                }
                for (s, solid) in
                    solids.iter().enumerate().filter(|(s, solid)| solid.has_edges() && ball.near & bit(*s) != 0)
                {
                    meet(solid, from, to, |weights, normal, height| {
                        part.found.push(Touch { corners, weights, solid: s as u32, normal, height });
                    });
                }
            }
        });
    }

    /// Pushes what was found, one after the other.
    fn push(&self, solids: &[Solid], before: &[Vec3], first: bool, partition: &Partition, cloth: &mut Cloth) {
        let found = || self.parts.iter().flat_map(|part| &part.found);
        for sweep in 0..SWEEPS {
            for touch in found() {
                let solid = &solids[touch.solid as usize];
                let Touch { corners, weights, normal, height, .. } = *touch;
                let mobility = |k: usize| {
                    let free = partition.is_free(corners[k]);
                    if free { weights[k] / cloth.masses[corners[k] as usize] } else { 0.0 }
                };
                let mobilities = [mobility(0), mobility(1), mobility(2)];
                let total: Real = (0..3).map(|k| weights[k] * mobilities[k]).sum();
                // a point that a prescribed corner holds cannot be moved far by the others
                let whole: Real = (0..3).map(|k| weights[k] * weights[k] / cloth.masses[corners[k] as usize]).sum();
                let total = total.max(HELD * whole);
                let sum = |values: &[Vec3]| (0..3).map(|k| values[corners[k] as usize] * weights[k]).sum::<Vec3>();
                let point = sum(&cloth.positions);
                let depth = height - normal.dot(point);
                if depth <= 0.0 {
                    continue;
                }
                let velocity = sum(&cloth.velocities);
                let carried = solid.velocity(point);
                let (rebounding, kept) = rebound(&solid.surface, velocity - carried, normal);
                let mut shift = normal * depth;
                if first && sweep == 0 {
                    let slid = (point - solid.carried(sum(before))).reject_from_normalized(normal);
                    shift -= slid * (1.0 - kept);
                }
                let change = rebounding + carried - velocity;
                for k in 0..3 {
                    let (i, share) = (corners[k] as usize, mobilities[k] / total);
                    cloth.positions[i] += shift * share;
                    cloth.velocities[i] += change * share;
                }
            }
        }
        // a corner may have come too near to something else meanwhile
        for touch in found() {
            for &vertex in touch.corners.iter().filter(|vertex| partition.is_free(**vertex)) {
                let i = vertex as usize;
                let x = &mut cloth.positions[i];
                for solid in solids {
                    let thickness = solid.surface.thickness;
                    if let Some(surface) = solid.nearest(*x).filter(|surface| surface.distance < thickness) {
                        *x += surface.normal * (thickness - surface.distance);
                    }
                }
            }
        }
    }
}

/// Finds where a triangle that moves between two places in a step comes too near to a solid: calls `touch` with the barycentric weights of
/// its point, the normal, and the height along it that the point has to keep.
fn meet(solid: &Solid, from: [Vec3; 3], to: [Vec3; 3], mut touch: impl FnMut([Real; 3], Vec3, Real)) {
    let keep = SHARE * solid.surface.thickness;
    let start = from.map(|x| solid.carried(x));
    let Some(shape) = solid.convex() else {
        let middle = (to[0] + to[1] + to[2]) / 3.0;
        if let Some(surface) = solid.nearest(middle).filter(|surface| surface.distance < keep * (1.0 - ROUNDING)) {
            touch([1.0 / 3.0; 3], surface.normal, surface.normal.dot(middle) + keep - surface.distance);
        }
        return;
    };
    // planes at the feet of its corners
    for x in to {
        let Some(surface) = solid.nearest_anywhere(x) else { break };
        let height = surface.normal.dot(x) - surface.distance;
        let clears = |y: &Vec3, distance: Real| surface.normal.dot(*y) - height >= distance;
        if surface.distance >= keep && to.iter().all(|y| clears(y, keep)) && start.iter().all(|y| clears(y, 0.0)) {
            return;
        }
    }
    let near = |place: [Vec3; 3], reach: Real| {
        let [a, b, c] = place;
        let triangle = Triangle::new(a, b, c);
        let found = contact(solid.end(), shape, &Pose::identity(), &triangle, reach).ok()??;
        let weights = barycentric(found.point2, place)?;
        found.normal1.is_finite().then_some((found.dist, found.normal1, found.point1, weights))
    };
    let motion = start.iter().zip(&to).map(|(a, b)| a.distance(*b)).fold(0.0, Real::max);
    // the first time that it comes near, by steps that it cannot touch in; what hardly moves cannot have passed
    let first = || {
        let mut time = 0.0;
        for advance in 1.. {
            let place = std::array::from_fn(|k| start[k].lerp(to[k], time));
            let found = near(place, (1.0 - time) * motion + keep)?;
            let free = found.0 - keep;
            if free <= ROUNDING * keep || advance == MOST_ADVANCES {
                return Some(found);
            }
            time += free / motion;
            if time >= 1.0 {
                break;
            }
        }
        None
    };
    let side = if motion > STILL * keep { first() } else { None };
    let side = side.filter(|(distance, ..)| *distance > 0.0);
    if let Some((_, normal, point, weights)) = side {
        let height = normal.dot(point) + keep;
        let there = (0..3).map(|k| to[k] * weights[k]).sum::<Vec3>();
        if normal.dot(there) < height - ROUNDING * keep {
            touch(weights, normal, height);
        }
    }
    if let Some((distance, normal, point, weights)) = near(to, keep)
        && distance < keep * (1.0 - ROUNDING)
        && side.is_none_or(|(_, before, ..)| before.dot(normal) > 0.0)
    {
        touch(weights, normal, normal.dot(point) + keep);
    }
}

/// Barycentric weights of a point in the plane of a triangle, in which it lies; None for a triangle without area.
fn barycentric(point: Vec3, [a, b, c]: [Vec3; 3]) -> Option<[Real; 3]> {
    let normal = (b - a).cross(c - a);
    let area = normal.length_squared();
    if area <= 0.0 {
        return None;
    }
    let u = (c - b).cross(point - b).dot(normal) / area;
    let v = (a - c).cross(point - c).dot(normal) / area;
    let weights = [u, v, 1.0 - u - v].map(|weight| weight.clamp(0.0, 1.0));
    let sum: Real = weights.iter().sum();
    (sum > 0.0 && sum.is_finite()).then(|| weights.map(|weight| weight / sum))
}
