//! Damping by a filter of velocities (Müller, Heidelberger, Hennix and Ratcliff 2007, section 3.5;
//! Bouaziz et al. 2014, section 6).
//!
//! ```text
//! v⁺ = v + (1 - e^(-c h)) (u + ω × (x - x_c) - v)
//! u = Σ m v/Σ m,   J ω = Σ m (x - x_c) × v,   J = Σ m (|x - x_c|² I - (x - x_c)(x - x_c)ᵀ)
//! ```
//!
//! for each connected part, with the rate `c` [1/s] in place of a share per step, so that steps of
//! any length damp alike. Momentum and angular momentum are kept and a rigid motion is not damped;
//! the rest of the velocity decays by `e^(-c h)` per step.
//!
//! A part with prescribed vertices moves rigidly with them: `x_c`, `u` and `ω` are those of the
//! prescribed vertices, all with the same weight, and the rotation that they leave open, about a
//! single one or about the line through several, is that of the angular momentum of the free
//! vertices about it. Pins held softly are free vertices.

use crate::sim::math::union_find::UnionFind;
use crate::sim::math::{Mat3, outer};
use crate::sim::model::partition::Prescribed;
use crate::sim::{Pattern, Real, Vec3};

/// Below this relative determinant of a tensor of inertia its points are on a line.
const THIN: Real = 1e-12;

/// A rigid motion: the velocity `u + ω × (x - x_c)` [m/s] at `x`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct RigidMotion {
    /// `x_c` [m].
    pub centre: Vec3,
    /// `u` [m/s].
    pub velocity: Vec3,
    /// `ω` [rad/s].
    pub spin: Vec3,
}

/// A point with its mass [kg], position [m] and velocity [m/s].
pub type MovingPoint = (Real, Vec3, Vec3);

/// The rotations that points leave open.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Open {
    All,
    /// About an axis, of unit length.
    Axis(Vec3),
    None,
}

impl RigidMotion {
    /// The rigid motion with the momentum and the angular momentum of the points `free`. If there
    /// are `held` points, it is their motion, each having a mass, and angular momentum of the free
    /// points decides on the rotation that the held ones leave open.
    #[must_use]
    pub fn of(
        free: impl Iterator<Item = MovingPoint> + Clone,
        held: impl Iterator<Item = MovingPoint> + Clone,
    ) -> Self {
        let Some((centre, velocity)) = mean(held.clone()) else {
            let (centre, velocity) = mean(free.clone()).unwrap_or_default();
            let (spin, _) = Turning::about(centre, velocity, free).spin();
            return Self { centre, velocity, spin };
        };
        let (spin, open) = Turning::about(centre, velocity, held).spin();
        let of_free = || Turning::about(centre, velocity, free);
        let spin = match open {
            Open::None => spin,
            Open::All => of_free().spin().0,
            Open::Axis(axis) => {
                let Turning { tensor, moment, .. } = of_free();
                let inertia = axis.dot(tensor * axis);
                let more = axis.dot(moment - tensor * spin) / inertia;
                if inertia > 0.0 { spin + axis * more } else { spin }
            }
        };
        Self { centre, velocity, spin }
    }

    /// Velocity at `x` [m/s].
    #[must_use]
    pub fn at(&self, x: Vec3) -> Vec3 {
        self.velocity + self.spin.cross(x - self.centre)
    }
}

/// Mean position [m] and velocity [m/s] by mass.
fn mean(points: impl Iterator<Item = MovingPoint>) -> Option<(Vec3, Vec3)> {
    let (mut mass, mut position, mut velocity) = (0.0, Vec3::ZERO, Vec3::ZERO);
    for (m, x, v) in points {
        mass += m;
        position += x * m;
        velocity += v * m;
    }
    (mass > 0.0).then(|| (position / mass, velocity / mass))
}

/// Tensor of inertia `J` [kg·m²] and angular momentum [kg·m²/s] of points about a centre, relative
/// to its velocity.
struct Turning {
    tensor: Mat3,
    moment: Vec3,
    /// From the centre to the farthest point [m].
    farthest: Vec3,
}

impl Turning {
    fn about(centre: Vec3, velocity: Vec3, points: impl Iterator<Item = MovingPoint>) -> Self {
        let (mut tensor, mut moment, mut farthest) = (Mat3::ZERO, Vec3::ZERO, Vec3::ZERO);
        for (m, x, v) in points {
            let r = x - centre;
            tensor += (Mat3::from_diagonal(Vec3::splat(r.length_squared())) - outer(r)) * m;
            moment += r.cross(v - velocity) * m;
            if r.length_squared() > farthest.length_squared() {
                farthest = r;
            }
        }
        Self { tensor, moment, farthest }
    }

    /// The least `ω` with `J ω` the angular momentum, and the rotations that do not move the points.
    fn spin(&self) -> (Vec3, Open) {
        let Self { tensor, moment, farthest } = *self;
        let size = (tensor.x_axis.x + tensor.y_axis.y + tensor.z_axis.z) / 2.0;
        // all in one place, but for rounding
        if size.is_nan() || size <= Real::MIN_POSITIVE {
            return (Vec3::ZERO, Open::All);
        }
        if (tensor * (1.0 / size)).determinant() > THIN {
            return (tensor.inverse() * moment, Open::None);
        }
        let axis = farthest.normalize_or_zero();
        let across = moment - axis * axis.dot(moment);
        ((tensor + outer(axis) * size).inverse() * across, Open::Axis(axis))
    }
}

/// The filter, with the connected parts of a pattern.
#[derive(Debug, Default)]
pub struct VelocityFilter {
    revision: Option<u64>,
    /// The vertices, part by part, rising within each.
    order: Vec<u32>,
    /// Where the parts start in `order`, and the end of the last one.
    starts: Vec<usize>,
}

impl VelocityFilter {
    /// Takes a `share` of each velocity's distance from the rigid motion of its part. All arrays
    /// have an entry per vertex of `pattern`: masses [kg], positions [m] and velocities [m/s].
    /// `held` are the prescribed vertices, rising; their velocities stay.
    pub fn damp(
        &mut self,
        pattern: &Pattern,
        (masses, positions): (&[Real], &[Vec3]),
        velocities: &mut [Vec3],
        held: &[Prescribed],
        share: Real,
    ) {
        self.update(pattern);
        let holding = |vertex: u32| held.binary_search_by_key(&vertex, |held| held.vertex).ok();
        for part in self.starts.windows(2).map(|ends| &self.order[ends[0]..ends[1]]) {
            let now = &*velocities;
            let point = |&vertex: &u32| {
                let i = vertex as usize;
                holding(vertex).is_none().then(|| (masses[i], positions[i], now[i]))
            };
            let end = |&vertex: &u32| holding(vertex).map(|at| (1.0, held[at].position, held[at].velocity));
            let motion = RigidMotion::of(part.iter().filter_map(point), part.iter().filter_map(end));
            for &vertex in part.iter().filter(|vertex| holding(**vertex).is_none()) {
                let (x, v) = (positions[vertex as usize], &mut velocities[vertex as usize]);
                *v += (motion.at(x) - *v) * share;
            }
        }
    }

    /// Finds the parts of another pattern: vertices that springs, triangles or tetrahedra connect.
    fn update(&mut self, pattern: &Pattern) {
        if self.revision == Some(pattern.revision()) {
            return;
        }
        let mut sets = UnionFind::new(pattern.len());
        let mut join = |vertices: &[u32]| {
            vertices.windows(2).for_each(|pair| {
                sets.join(pair[0], pair[1]);
            });
        };
        pattern.springs().ends.iter().for_each(|ends| join(ends));
        pattern.triangles().iter().for_each(|corners| join(corners));
        pattern.tetrahedra().iter().for_each(|corners| join(corners));
        let roots = sets.into_roots();
        self.order.clear();
        self.order.extend(0..pattern.len() as u32);
        self.order.sort_by_key(|&vertex| roots[vertex as usize]);
        self.starts.clear();
        let root = |at: usize| roots[self.order[at] as usize];
        self.starts.extend((0..roots.len()).filter(|&at| at == 0 || root(at) != root(at - 1)));
        self.starts.push(roots.len());
        self.revision = Some(pattern.revision());
    }
}
