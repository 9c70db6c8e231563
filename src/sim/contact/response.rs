//! The default response to contact (`physics.md` section 7), applied after the step of a solver that has none of its
//! own: out along the normal, the approaching normal velocity removed, the tangential one reduced by friction.

use super::collider::Solid;
use super::obstacles::Obstacles;
use crate::sim::exec::team::Team;
use crate::sim::model::partition::Partition;
use crate::sim::params::{Kind, linear, logarithmic};
use crate::sim::{Cloth, Real, Vec3};

const fn apart(contact: &ContactSettings) -> Option<&'static str> {
    if contact.self_contact { None } else { Some("the cloth may pass through itself") }
}

crate::parameters! {
    /// How the cloth meets what is solid.
    pub struct ContactSettings {
        /// Distance that the cloth keeps from colliders. Larger hides that only vertices are tested, not the threads between.
        pub thickness: Real = 0.008, "Thickness", "m", logarithmic(1e-4, 0.1);
        /// Coulomb friction. At 0 the cloth slides off; above about 0.6 it stays where it falls.
        pub friction: Real = 0.4, "Friction", "", linear(0.0, 2.0);
        /// Share of the approaching velocity that is given back. Cloth hardly bounces.
        pub restitution: Real = 0.0, "Restitution", "", linear(0.0, 1.0);
        /// Whether there is a floor at height zero.
        pub ground: bool = true, "Floor", "", Kind::Toggle;
        /// Whether the cloth cannot pass through itself. What starts free of intersection stays so; motion that would end that is cut, which slows fast motion down where layers are close.
        pub self_contact: bool = false, "Cloth on cloth", "", Kind::Toggle;
        /// Distance that layers of cloth keep from each other. Smaller than that from colliders, of which only the vertices are tested: layers are tested exactly, and cells may be small.
        pub layer_distance: Real = 0.004, "Layer distance", "m", logarithmic(1e-5, 0.1), idle apart;
    }
}

impl Obstacles {
    /// Moves the free vertices out of the colliders. `before` holds the positions [m] at the start of a step of `dt` [s], from
    /// which fast vertices are traced, so that they do not pass through thin colliders.
    pub fn resolve(
        &mut self,
        contact: &ContactSettings,
        before: &[Vec3],
        partition: &Partition,
        cloth: &mut Cloth,
        ahead: Real,
        team: &Team,
    ) {
        let state = [&mut cloth.positions[..], &mut cloth.velocities[..]];
        self.push(before, state, ahead, team, |i, x, v, way| {
            if !partition.is_free(i as u32) {
                return;
            }
            let mut next = 0;
            while let Some(solid) = way.next(&mut next, *x) {
                if let Some((push, normal)) = penetration(solid, contact.thickness, before[i], *x) {
                    *x += normal * push;
                    *v = rebound(contact, *v, normal);
                }
            }
        });
    }
}

/// How far [m] and in which direction a vertex that moved from `from` to `to` has to be pushed, if at all.
fn penetration(solid: &Solid, thickness: Real, from: Vec3, to: Vec3) -> Option<(Real, Vec3)> {
    // a slow vertex cannot have crossed anything that is not found around where it is now
    let traced = if from.distance(to) > thickness { solid.entry(from, to) } else { None };
    if let Some((point, normal)) = traced {
        let distance = (to - point).dot(normal);
        return (distance < thickness).then_some((thickness - distance, normal));
    }
    let surface = solid.nearest(to)?;
    (surface.distance < thickness).then_some((thickness - surface.distance, surface.normal))
}

/// The velocity [m/s] after contact with a resting surface.
fn rebound(contact: &ContactSettings, v: Vec3, normal: Vec3) -> Vec3 {
    let approach = v.dot(normal);
    if approach >= 0.0 {
        return v;
    }
    let normal_change = -approach * (1.0 + contact.restitution);
    let tangential = v - normal * approach;
    let speed = tangential.length();
    let kept = if speed > 0.0 { (1.0 - contact.friction * normal_change / speed).max(0.0) } else { 0.0 };
    tangential * kept - normal * (approach * contact.restitution)
}
