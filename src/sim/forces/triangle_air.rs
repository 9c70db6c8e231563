//! Drag and lift per triangle, by its area: the same air on every mesh (`physics.md` section 6).
//!
//! ```text
//! v = mean velocity of the corners - mean wind,   K_D = ½ ρ C_D A,   K_L = ½ ρ C_L A
//! corner i:  drag_i = -⅓ K_D |N·v̂| |v| (v_i - wind_i),   lift_i = ⅓ lift(v, N, K_L)
//! f_i ← (f_i + Σ drag_i + Σ lift_i)/max(1, ½ + h c_i/m_i),   c_i = Σ ⅓ (|drag(v)| + |lift(v)|)/|v|
//! ```
//!
//! with the [`drag`](super::air::drag) and [`lift`] of the paper; the drag of a triangle is that of
//! its mean velocity, shared in proportion to the velocities of the corners. `f` are the other
//! external forces. The air is evaluated once per step, and `h c/m` is the share of the relative
//! velocity that it would use up. Up to ½ nothing is changed. Beyond, the step is semi-implicit:
//! the divisor keeps the drag from reversing the motion of a vertex, and has no effect where all
//! forces balance, so that a sheet reaches its terminal velocity with any step. It does change a
//! cloth held in a wind that would carry it along within two steps: wind and weight are too small
//! there.

use super::air::{Air, lift};
use crate::sim::exec::pool::ThreadPool;
use crate::sim::pattern::OneRings;
use crate::sim::{Cloth, Pattern, Real, Vec3};

/// Triangles and vertices per task.
const GRAIN: usize = 512;

/// Air forces on each corner of a triangle.
#[derive(Debug, Clone, Copy, Default)]
struct Load {
    /// Drag relative to the relative velocity of the corner [N·s/m].
    drag: Real,
    /// Lift [N].
    lift: Vec3,
    /// Size of the lift relative to the relative velocity of the triangle [N·s/m].
    across: Real,
}

/// Scratch memory of the model.
#[derive(Debug, Clone, Default)]
pub struct TriangleAir {
    loads: Vec<Load>,
}

impl TriangleAir {
    /// Adds drag and lift [N] to `external`, the forces on each vertex beside the springs, given
    /// the `wind` [m/s] at each vertex, for a step of `dt` [s].
    #[expect(clippy::too_many_arguments, reason = "those of the model per vertex, and the mesh")]
    pub fn add(
        &mut self,
        air: &Air,
        cloth: &Cloth,
        pattern: &Pattern,
        wind: &[Vec3],
        dt: Real,
        external: &mut [Vec3],
        pool: &ThreadPool,
    ) {
        let triangles = pattern.triangles();
        self.loads.resize(triangles.len(), Load::default());
        pool.fill(&mut self.loads, GRAIN, |at| load(air, cloth, wind, triangles[at]));
        let (loads, rings) = (&self.loads, OneRings::of(pattern));
        pool.update(external, GRAIN, |i, force| {
            let (mut lift, mut drag, mut across) = (Vec3::ZERO, 0.0, 0.0);
            for &triangle in rings.of_vertex(i as u32) {
                let load = &loads[triangle as usize];
                drag += load.drag;
                lift += load.lift;
                across += load.across;
            }
            let sum = *force + lift - (cloth.velocities[i] - wind[i]) * drag;
            *force = sum / (0.5 + dt * (drag + across) / cloth.masses[i]).max(1.0);
        });
    }
}

fn load(air: &Air, cloth: &Cloth, wind: &[Vec3], triangle: [u32; 3]) -> Load {
    let corners = triangle.map(|vertex| vertex as usize);
    let [a, b, c] = corners.map(|i| cloth.positions[i]);
    let normal = (b - a).cross(c - a);
    let twice_area = normal.length();
    let velocity = corners.iter().map(|&i| cloth.velocities[i] - wind[i]).sum::<Vec3>() / 3.0;
    let speed = velocity.length();
    if !(twice_area > 0.0 && speed > 0.0) {
        return Load::default();
    }
    let (normal, pressure) = (normal / twice_area, air.air_density * twice_area / 12.0);
    let lift = lift(velocity, normal, pressure * air.lift_coefficient);
    let drag = pressure * air.drag_coefficient * normal.dot(velocity).abs();
    Load { drag, lift, across: lift.length() / speed }
}
