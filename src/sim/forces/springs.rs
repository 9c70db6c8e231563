//! Spring forces: `f_i = k (l - L) u + c (v_j - v_i)`, on `j` the opposite (`physics.md` section
//! 1); with damping along the spring alone `f_i = (k (l - L) + c u·(v_j - v_i)) u`.

pub use super::blocks::{Blocks, direction};
use super::membrane;
use crate::sim::exec::pool::ThreadPool;
use crate::sim::math::outer;
use crate::sim::model::material::DampingModel;
use crate::sim::pattern::Pattern;
use crate::sim::{Cloth, Mat3, Material, Real, Vec3};

/// Springs, and vertices with all their springs, per task.
pub(crate) const SPRINGS: usize = 2048;
pub(crate) const VERTICES: usize = 512;

/// Direction in which the force of a spring changes first: its own, along the offset `d` [m], or at
/// length zero that of the relative velocity `dv` [m/s] if its rest length is zero too, since it is
/// linear then.
#[inline]
#[must_use]
pub fn direction_of_change(rest_length: Real, d: Vec3, dv: Vec3) -> Vec3 {
    if d == Vec3::ZERO && rest_length == 0.0 { direction(dv) } else { direction(d) }
}

/// Force on `i` [N] of one spring from `i` to `j` with offset `d = x_j - x_i` [m] and relative
/// velocity `dv = v_j - v_i` [m/s]. With the damping along the spring alone a degenerate spring has
/// none.
#[inline]
#[must_use]
pub fn spring_force<const ALONG_SPRING: bool>(k: Real, c: Real, rest_length: Real, d: Vec3, dv: Vec3) -> Vec3 {
    let l = d.length();
    match (ALONG_SPRING, l > 0.0) {
        (true, true) => d * ((k * (l - rest_length) + c * d.dot(dv) / l) / l),
        (true, false) => Vec3::ZERO,
        (false, true) => d * (k * (l - rest_length) / l) + dv * c,
        (false, false) => dv * c,
    }
}

/// Damping block `∂f_i/∂v_j` [N·s/m] of a spring with offset `d` [m]: `c I`, or `c u uᵀ` along the
/// spring.
#[inline]
#[must_use]
pub fn damping_block(law: DampingModel, c: Real, d: Vec3) -> Mat3 {
    match law {
        DampingModel::Isotropic => Mat3::from_diagonal(Vec3::splat(c)),
        DampingModel::AlongSpring => outer(direction(d)) * c,
    }
}

/// That block times the relative velocity `dv` [m/s]: the force of damping on `i` [N].
#[inline]
#[must_use]
pub fn damping_force(law: DampingModel, c: Real, d: Vec3, dv: Vec3) -> Vec3 {
    match law {
        DampingModel::Isotropic => dv * c,
        DampingModel::AlongSpring => {
            let u = direction(d);
            u * (c * u.dot(dv))
        }
    }
}

/// Jacobian block `J_ij = ∂f_i/∂x_j = k [ a I + (1 - a) u uᵀ ]` [N/m] with `a = 1 - L/l`, or
/// `a = max(1 - L/l, 0)` when clamped: positive semidefinite also under compression. Zero for a
/// degenerate spring with a rest length; without one it is linear, `k I`.
#[inline]
#[must_use]
pub fn jacobian(k: Real, rest_length: Real, d: Vec3, blocks: Blocks) -> Mat3 {
    let l = d.length();
    if l <= 0.0 {
        return if rest_length == 0.0 { Mat3::from_diagonal(Vec3::splat(k)) } else { Mat3::ZERO };
    }
    let u = d / l;
    let a = 1.0 - rest_length / l;
    let a = if blocks == Blocks::Clamped { a.max(0.0) } else { a };
    Mat3::from_diagonal(Vec3::splat(k * a)) + outer(u) * (k * (1.0 - a))
}

/// Sums a vector per spring at the spring's ends. Owns the scratch memory, so that a step allocates
/// nothing.
#[derive(Debug, Clone, Default)]
pub struct SpringSum {
    per_spring: Vec<Vec3>,
}

impl SpringSum {
    /// Writes to `out`, one entry per vertex, the sum of `value(e)` over the springs `e` of each
    /// vertex: with plus at a spring's first end, with minus at its second.
    ///
    /// One thread scatters, several compute all values and then gather. Either way a vertex adds up
    /// its springs in rising order, so the bits are the same.
    pub fn add_up(
        &mut self,
        pattern: &Pattern,
        out: &mut Vec<Vec3>,
        pool: &ThreadPool,
        value: impl Fn(usize) -> Vec3 + Sync,
    ) {
        let springs = pattern.springs();
        let ends = &springs.ends;
        out.resize(pattern.len(), Vec3::ZERO);
        if pool.is_alone() {
            out.fill(Vec3::ZERO);
            for (e, &[i, j]) in ends.iter().enumerate() {
                let value = value(e);
                // a spring that is left out changes no bit
                if value != Vec3::ZERO {
                    out[i as usize] += value;
                    out[j as usize] -= value;
                }
            }
            return;
        }
        self.per_spring.resize(springs.len(), Vec3::ZERO);
        pool.fill(&mut self.per_spring, SPRINGS, value);
        let per_spring = &self.per_spring;
        pool.fill(out, VERTICES, |vertex| {
            let mut sum = Vec3::ZERO;
            for &(spring, _) in pattern.neighbours().of_vertex(vertex as u32) {
                let value = per_spring[spring as usize];
                if ends[spring as usize][0] == vertex as u32 { sum += value } else { sum -= value }
            }
            sum
        });
    }

    /// Writes the sum of the forces of springs and membrane on each vertex [N] to `out`, one entry
    /// per vertex. Families of zero stiffness take no part.
    pub fn add_up_forces(
        &mut self,
        pattern: &Pattern,
        material: &Material,
        cloth: &Cloth,
        out: &mut Vec<Vec3>,
        pool: &ThreadPool,
    ) {
        match material.damping_model {
            DampingModel::Isotropic => self.add_up_damped::<false>(pattern, material, cloth, out, pool),
            DampingModel::AlongSpring => self.add_up_damped::<true>(pattern, material, cloth, out, pool),
        }
        add_membrane_forces(pattern, material, &cloth.positions, out, pool);
    }

    fn add_up_damped<const ALONG_SPRING: bool>(
        &mut self,
        pattern: &Pattern,
        material: &Material,
        cloth: &Cloth,
        out: &mut Vec<Vec3>,
        pool: &ThreadPool,
    ) {
        let springs = pattern.springs();
        let (x, v) = (&cloth.positions, &cloth.velocities);
        let stiffness = material.stiffness_by_kind(pattern).on(pattern);
        let damping = material.damping_by_kind(pattern).on(pattern);
        self.add_up(pattern, out, pool, |e| {
            let k = stiffness.at(e);
            if k == 0.0 {
                return Vec3::ZERO;
            }
            let [i, j] = springs.ends[e].map(|end| end as usize);
            spring_force::<ALONG_SPRING>(k, damping.at(e), springs.rest_lengths[e], x[j] - x[i], v[j] - v[i])
        });
    }
}

/// Adds the forces of the membrane at the positions `x` [m] to `forces` [N], both with an entry per
/// vertex.
pub fn add_membrane_forces(pattern: &Pattern, material: &Material, x: &[Vec3], forces: &mut [Vec3], pool: &ThreadPool) {
    if material.has_membrane() && pattern.has_membrane() {
        pool.update(forces, VERTICES, |i, force| *force += membrane::force_on(pattern, material, x, i as u32));
    }
}

/// Force [N] of its springs and of the membrane on one vertex.
#[must_use]
pub fn spring_force_on(cloth: &Cloth, pattern: &Pattern, material: &Material, vertex: u32) -> Vec3 {
    let i = vertex as usize;
    let springs = pattern.springs();
    let mut sum = membrane::force_on(pattern, material, &cloth.positions, vertex);
    for &(spring, other) in pattern.neighbours().of_vertex(vertex) {
        let (e, j) = (spring as usize, other as usize);
        let k = material.stiffness_of(pattern, e);
        if k > 0.0 {
            let offset = cloth.positions[j] - cloth.positions[i];
            let relative = cloth.velocities[j] - cloth.velocities[i];
            let force = match material.damping_model {
                DampingModel::Isotropic => spring_force::<false>,
                DampingModel::AlongSpring => spring_force::<true>,
            };
            sum += force(k, material.damping_of(pattern, e), springs.rest_lengths[e], offset, relative);
        }
    }
    sum
}
