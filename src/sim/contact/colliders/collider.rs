//! Colliders: shapes with position, motion and surface.

use std::f64::consts::{PI, TAU};

use parry3d_f64::math::{Pose, Rotation};
use serde::{Deserialize, Serialize};

use super::shape::Shape;
use super::surface::{EdgeRule, SurfaceSettings};
use crate::sim::contact::settings::ContactSettings;
use crate::sim::model::motion::{Path, Turn, is_rotation};
use crate::sim::model::pins::Grab;
use crate::sim::{Real, Vec3};

/// Most times at which a collider that has stopped tests whether its path has come back to it.
const SKIPS: Real = 512.0;

/// A shape at a position, which may move along a path and turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Collider {
    /// Its name in lists; empty if it has none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The shape.
    pub shape: Shape,
    /// Its centre; for a plane any point on it [m]. With a path, where the path starts.
    #[serde(default)]
    pub position: Vec3,
    /// Its rotation, as axis times angle [rad].
    #[serde(default)]
    pub rotation: Vec3,
    /// Path of its centre; an offset [m].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<Path>,
    /// Turn after `rotation`, about its position unless the turn has a center.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<Turn>,
    /// Thickness [m], if not the common one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thickness: Option<Real>,
    /// Coulomb friction coefficient, if not the common one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub friction: Option<Real>,
    /// Coefficient of restitution, if not the common one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restitution: Option<Real>,
    /// Whether its edges, corners and thin parts are kept out of the cloth between the vertices:
    /// all of them or none; if absent, the sharp ones with the common setting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edges: Option<bool>,
    /// Delay of path and turn [s]: a collider that would have pressed the cloth through itself has
    /// stopped, and catches up.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub lag: Real,
    /// Whether it is left out of pictures; the cloth meets it all the same.
    #[serde(default, skip_serializing_if = "is_false")]
    pub hidden: bool,
    /// Whether it is protected against edits.
    #[serde(default, skip_serializing_if = "is_false")]
    pub locked: bool,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde passes references
fn is_zero(lag: &Real) -> bool {
    *lag == 0.0
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde passes references
fn is_false(flag: &bool) -> bool {
    !*flag
}

impl Collider {
    /// A shape at rest at a position, not rotated.
    #[must_use]
    pub fn new(shape: Shape, position: Vec3) -> Self {
        let (name, path, turn, thickness, friction, restitution, edges, lag) = Default::default();
        let (rotation, hidden, locked) = (Vec3::ZERO, false, false);
        Self {
            name,
            shape,
            position,
            rotation,
            path,
            turn,
            thickness,
            friction,
            restitution,
            edges,
            lag,
            hidden,
            locked,
        }
    }

    /// The same, rotated by axis times angle [rad].
    #[must_use]
    pub fn rotated(self, rotation: Vec3) -> Self {
        Self { rotation, ..self }
    }

    /// Description of an invalid number, if there is one.
    #[must_use]
    pub fn fault(&self) -> Option<String> {
        let within = |value: Option<Real>, fits: fn(Real) -> bool| value.is_none_or(fits);
        let fault = if !self.position.is_finite() || !is_rotation(self.rotation) {
            "a collider needs a finite position and a rotation within 1000 rad"
        } else if !within(self.thickness, |x| x > 0.0 && x.is_finite()) {
            "the thickness of a collider needs to be positive"
        } else if !within(self.friction, |x| x >= 0.0 && x.is_finite()) {
            "the friction of a collider needs to be at least 0"
        } else if !within(self.restitution, |x| (0.0..=1.0).contains(&x)) {
            "the restitution of a collider needs to be between 0 and 1"
        } else if !(self.lag >= 0.0 && self.lag.is_finite()) {
            "the lag of a collider needs to be at least 0"
        } else if let Some(fault) = self.shape.fault() {
            fault
        } else {
            let turn = || self.turn.as_ref().and_then(Turn::fault);
            return self.path.as_ref().and_then(Path::fault).or_else(turn);
        };
        Some(fault.to_owned())
    }

    /// Whether it moves or turns.
    #[must_use]
    pub fn moves(&self) -> bool {
        self.path.is_some() || self.turn.is_some()
    }

    /// Position [m] of its centre at `time` [s], and its rotation, as axis times angle [rad].
    #[must_use]
    pub fn place(&self, time: Real) -> (Vec3, Vec3) {
        let pose = self.pose(time);
        let position = pose.translation;
        if self.turn.is_some() { (position, pose.rotation.to_scaled_axis()) } else { (position, self.rotation) }
    }

    /// Pose at `time` [s].
    pub(in crate::sim::contact) fn pose(&self, time: Real) -> Pose {
        self.pose_from(Pose::new(self.position, self.rotation), self.own_time(time, self.lag))
    }

    /// Time on its own clock [s], which is behind `time` by `lag` [s]. Rounding does not bring it
    /// to before its start.
    pub(super) fn own_time(&self, time: Real, lag: Real) -> Real {
        if self.lag > 0.0 { (time - lag).max(0.0) } else { time - lag }
    }

    /// Its lag [s] after a step of `dt` [s] from `time` [s] in which it stops, or else catches up
    /// at twice its speed. If its path has come back to the place where it stopped, the part in
    /// between is skipped.
    #[must_use]
    pub fn lag_after(&self, time: Real, dt: Real, waits: bool) -> Real {
        if !self.moves() || (self.lag == 0.0 && !waits) {
            return self.lag;
        }
        if waits {
            return self.lag + dt;
        }
        let base = Pose::new(self.position, self.rotation);
        let at = |lag: Real| self.pose_from(base, self.own_time(time + dt, lag));
        let here = self.pose_from(base, self.own_time(time, self.lag));
        let way = |pose: &Pose| {
            // sine of half the angle
            let turn = (here.rotation.inverse() * pose.rotation).xyz().length();
            [here.translation.distance(pose.translation), turn]
        };
        let least = (self.lag - dt).max(0.0);
        let [shift, turn] = way(&at(least)).map(|way| way * (1.0 + 1e-9) + 1e-12);
        let parts = (least / dt).ceil().clamp(1.0, SKIPS);
        let mut lags = (0..parts as u32).map(|k| least * Real::from(k) / parts);
        lags.find(|&lag| way(&at(lag))[0] <= shift && way(&at(lag))[1] <= turn).unwrap_or(least)
    }

    /// Pose after `time` [s] on its own clock, with path and turn starting from `base`.
    pub(super) fn pose_from(&self, base: Pose, time: Real) -> Pose {
        let turned = self.turn.as_ref().map_or(base, |turn| {
            let (center, rotation) = (turn.center.unwrap_or(base.translation), turn.rotation(time));
            Pose::from_parts(center + rotation * (base.translation - center), rotation * base.rotation)
        });
        let offset = self.path.as_ref().map_or(Vec3::ZERO, |path| path.offset(time));
        Pose::from_parts(turned.translation + offset, turned.rotation)
    }

    /// Its surface, with common settings where it has none of its own.
    pub(super) fn surface(&self, common: &ContactSettings) -> SurfaceSettings {
        SurfaceSettings {
            thickness: self.thickness.unwrap_or(common.thickness),
            friction: self.friction.unwrap_or(common.friction),
            restitution: self.restitution.unwrap_or(common.restitution),
            edges: match (self.edges, common.edges) {
                (Some(true), _) => EdgeRule::All,
                (None, true) => EdgeRule::Sharp,
                (Some(false), _) | (None, false) => EdgeRule::Off,
            },
        }
    }
}

/// The user's hand on a collider: position and rotation, from which path and turn start, follow the
/// hand as a held vertex does.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ColliderGrab {
    /// Number of the collider in the scene.
    pub collider: u32,
    /// Target of its position [m].
    pub position: Vec3,
    /// Target of its rotation, as axis times angle [rad].
    pub rotation: Vec3,
}

impl ColliderGrab {
    /// Largest angular speed of the hand [rad/s].
    const TOP_TURN: Real = 15.0;
    /// Distance at which the hand has arrived [m], [rad].
    const ARRIVED: Real = 1e-9;

    /// The position [m] and the rotation (axis times angle [rad]) of `collider` after a step of
    /// `dt` [s].
    #[must_use]
    pub fn follow(&self, collider: &Collider, dt: Real) -> (Vec3, Vec3) {
        let position = Grab { vertex: 0, target: self.position }.follow(collider.position, dt);
        let position = if position.distance(self.position) < Self::ARRIVED { self.position } else { position };
        let from = Rotation::from_scaled_axis(collider.rotation);
        let turn = (Rotation::from_scaled_axis(self.rotation) * from.inverse()).to_scaled_axis();
        // the short way around
        let angle = turn.length();
        let turn = if angle > PI { turn * ((angle - TAU) / angle) } else { turn };
        if turn.length() < Self::ARRIVED {
            return (position, self.rotation);
        }
        let part = (turn * Grab::share(dt)).clamp_length_max(Self::TOP_TURN * dt);
        (position, (Rotation::from_scaled_axis(part) * from).to_scaled_axis())
    }
}
