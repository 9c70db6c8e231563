//! The dummy: a figure that wears a garment, with its arms along the sleeves.

use std::sync::OnceLock;

use crate::sim::contact::Collider;
use crate::sim::{Quat, Real, Vec3};

/// Place of a shoulder joint on the right [m].
const JOINT: Vec3 = Vec3::new(0.2013, 1.3697, 0.0);
/// Angle of an arm from the vertical where there is no sleeve, as in the file [rad].
const HANGING: Real = 0.4617;
/// Distance from the middle at which arms begin, and within which sleeves end [m].
const ARMS: Real = 0.25;
const SLEEVES: Real = 1.0;
/// Lowest end of a sleeve, and the highest above a joint [m].
const LOWEST: Real = 0.95;
const ABOVE: Real = 0.15;
/// Depth of the end of a sleeve [m].
const CUFF: Real = 0.04;

/// Its parts as they are in the file.
fn parts() -> &'static [Collider] {
    static PARTS: OnceLock<Vec<Collider>> = OnceLock::new();
    PARTS.get_or_init(|| {
        let options = ron::Options::default().with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME);
        options.from_str(include_str!("../../assets/dummy.ron")).unwrap_or_default()
    })
}

/// Whether all of its parts are among `colliders`, whatever the pose.
pub(super) fn is_among(colliders: &[Collider]) -> bool {
    parts().iter().all(|part| colliders.iter().any(|collider| collider.shape == part.shape))
}

/// Takes it away from `colliders`.
pub(super) fn remove_from(colliders: &mut Vec<Collider>) {
    for part in parts() {
        // feet and legs, which no pose moves, are found at their place
        let same = |collider: &Collider| collider == part;
        let alike = |collider: &Collider| collider.shape == part.shape && is_arm(collider) && is_arm(part);
        let found = colliders.iter().position(same).or_else(|| colliders.iter().position(alike));
        found.map(|at| colliders.remove(at));
    }
}

/// Its parts with the arms along the sleeves of a garment with these `positions` [m]: as in the
/// file where there are none.
pub(super) fn wearing(positions: &[Vec3]) -> Vec<Collider> {
    let raised = [-1.0, 1.0].map(|side| (side, sleeve(positions, side).unwrap_or(HANGING) - HANGING));
    let pose = |part: &Collider| {
        let mut part = part.clone();
        let side = raised.iter().find(|(side, _)| is_arm(&part) && side * part.position.x > 0.0);
        if let Some((side, angle)) = side.filter(|(_, angle)| *angle > 0.0) {
            let joint = Vec3::new(side * JOINT.x, JOINT.y, JOINT.z);
            let turn = Quat::from_rotation_z(side * angle);
            part.position = joint + turn * (part.position - joint);
            part.rotation.z += side * angle;
        }
        part
    };
    parts().iter().map(pose).collect()
}

fn is_arm(part: &Collider) -> bool {
    part.position.x.abs() >= ARMS
}

/// The angle of the sleeve on a side (-1 or 1) from the vertical, from the joint to its end [rad];
/// none without a sleeve.
fn sleeve(positions: &[Vec3], side: Real) -> Option<Real> {
    let joint = Vec3::new(side * JOINT.x, JOINT.y, JOINT.z);
    let beside = || positions.iter().filter(|x| side * x.x > ARMS && x.y > LOWEST);
    let end = beside().map(|x| x.distance(joint)).fold(0.0, Real::max);
    let cuff: Vec<Vec3> = beside().filter(|x| x.distance(joint) > end - CUFF).copied().collect();
    let middle = cuff.iter().sum::<Vec3>() / cuff.len() as Real;
    let is_sleeve = !cuff.is_empty() && side * middle.x < SLEEVES && middle.y < JOINT.y + ABOVE;
    let angle = Real::atan2(side * middle.x - JOINT.x, JOINT.y - middle.y);
    is_sleeve.then(|| angle.clamp(HANGING, std::f64::consts::FRAC_PI_2))
}
