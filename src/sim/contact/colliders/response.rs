//! Default response to contact, after the step of a solver without contacts of its own
//! (`physics.md` section 7): out along the normal, the approaching normal velocity removed, the
//! tangential one reduced by friction, all relative to the collider. Friction reduces the
//! displacement since contact began by the same share as the velocity; otherwise a held cloth
//! creeps down an incline by `h² g sin α` per step.

use super::obstacles::{Obstacles, RECOVERY_SPEED};
use super::solid::{Meeting, Solid};
use super::surface::{SLACK, SurfaceSettings, rebound};
use crate::sim::exec::pool::ThreadPool;
use crate::sim::model::partition::Partition;
use crate::sim::{Cloth, Real, Vec3};

impl Obstacles {
    /// Moves the free vertices out of the colliders. `before` are the positions at the start of the
    /// step [m]: fast vertices are traced from there, so that they do not pass through thin
    /// colliders, nor fast colliders through them.
    pub fn resolve(
        &mut self,
        before: &[Vec3],
        partition: &Partition,
        cloth: &mut Cloth,
        ahead: Real,
        pool: &ThreadPool,
    ) {
        let recovery = RECOVERY_SPEED * self.dt;
        let state = [&mut cloth.positions[..], &mut cloth.velocities[..]];
        self.push(before, state, ahead, pool, |i, x, v, way| {
            if !partition.is_free(i as u32) {
                return;
            }
            let mut next = 0;
            while let Some(solid) = way.next(&mut next, *x) {
                let to = *x;
                if let Some(penetration) = Penetration::of(solid, before[i], to, recovery) {
                    let Penetration { depth, least, normal, .. } = penetration;
                    *x += normal * depth;
                    let carried = solid.velocity(*x);
                    let SurfaceSettings { thickness, friction, .. } = solid.surface;
                    // friction would keep the springs of a vertex that comes out from contracting
                    let friction = if least < thickness { 0.0 } else { friction };
                    let surface = SurfaceSettings { friction, ..solid.surface };
                    let (velocity, kept) = rebound(&surface, *v - carried, normal);
                    *v = velocity + carried;
                    if kept >= 1.0 {
                        continue;
                    }
                    let taken_back = penetration.slid(solid, before[i], to) * (1.0 - kept);
                    *x -= taken_back;
                    // back along a hollow surface leads into it
                    if taken_back.length() > STRAIGHT * thickness
                        && let Some(surface) = solid.nearest(*x).filter(|surface| surface.distance < least)
                    {
                        *x += surface.normal * (least - surface.distance);
                    }
                }
            }
        });
    }

    /// End of the motion of a prescribed vertex from `from` to `to` [m]: it stops at surfaces and
    /// slides along them. Between surfaces without room it follows the last of them.
    #[must_use]
    pub fn hold_back(&self, from: Vec3, to: Vec3) -> Vec3 {
        let mut x = to;
        for _ in 0..ROUNDS {
            let mut held = false;
            for solid in &self.solids {
                if let Some(Penetration { depth, normal, .. }) = Penetration::of(solid, from, x, Real::INFINITY) {
                    x += normal * depth;
                    held |= depth > ROUNDING * solid.surface.thickness;
                }
            }
            if !held {
                return x;
            }
        }
        // between two surfaces that push to and fro: back to its start, unless that is occupied as
        // well
        let taken = |solid: &Solid| {
            solid.nearest(from).is_some_and(|s| s.distance < (1.0 - ROUNDING) * solid.surface.thickness)
        };
        if self.solids.iter().any(taken) { x } else { from }
    }
}

/// Most times that a prescribed vertex is pushed out of all colliders.
const ROUNDS: usize = 4;
/// Share of the thickness within which every surface counts as flat.
const STRAIGHT: Real = 0.01;
/// Share of the thickness that counts as rounding.
const ROUNDING: Real = 1e-6;

/// A vertex too close to a surface in a step.
struct Penetration {
    /// Displacement needed along the normal [m].
    depth: Real,
    /// Distance from the surface after that [m].
    least: Real,
    normal: Vec3,
    /// Point of entry, or the start moved with the solid [m].
    touched: Vec3,
    /// Whether it surely lay on the surface at the start.
    lay: bool,
}

impl Penetration {
    /// Of a vertex that moved from `from` to `to` [m]. If it was inside before the step, it comes
    /// out by at most a `recovery` [m].
    fn of(solid: &Solid, from: Vec3, to: Vec3, recovery: Real) -> Option<Self> {
        let thickness = solid.surface.thickness;
        let Meeting { distance, normal, touched, entered } = solid.meet(from, to)?;
        let mut least = thickness;
        if thickness - distance > recovery && !entered {
            let start = solid.nearest_at_start(from).map_or(thickness, |surface| surface.distance);
            least = least.min(start + recovery);
        }
        let lay = !entered && distance + touched.distance(to) <= (1.0 + SLACK) * thickness;
        (distance < least).then_some(Self { depth: least - distance, least, normal, touched, lay })
    }

    /// Sliding distance along the surface, relative to it, since contact began [m]: on the way to
    /// the surface friction does not act, and would lift a vertex that falls past an edge.
    fn slid(&self, solid: &Solid, from: Vec3, to: Vec3) -> Vec3 {
        let first = if self.lay { None } else { solid.first_contact(from, to, solid.surface.thickness) };
        (to - first.unwrap_or(self.touched)).reject_from_normalized(self.normal)
    }
}
