//! Wind: regions of the world in which the air moves.

use bevy::prelude::*;

use super::frames::{Frames, rigid};
use crate::sim::Vec3 as SimVec3;
use crate::sim::forces::air::{Air, AirMode};

/// Outer share of the reach of a zone in which its wind fades.
const FADING: f64 = 0.25;

/// Wind along the forward direction (-z) of its entity. The winds of several zones add up; where
/// there is none, the air stands still.
#[derive(Component, Reflect, Debug, Clone, PartialEq)]
#[reflect(Component, Default)]
#[require(Transform)]
pub struct WindZone {
    /// Mean speed [m/s].
    pub speed: f32,
    /// Strength of the gusts relative to the mean speed, from 0 to 1.
    pub gusts: f32,
    /// Size of the gusts [m].
    pub gust_size: f32,
    /// How far from the entity it blows on the middle of a cloth [m]; everywhere if infinite. It
    /// fades over the outer quarter.
    pub reach: f32,
}

impl Default for WindZone {
    fn default() -> Self {
        Self { speed: 5.0, gusts: 0.4, gust_size: 1.5, reach: f32::INFINITY }
    }
}

/// The wind zones of this tick: each with its middle [m] and its velocity [m/s].
#[derive(Resource, Default)]
pub(super) struct Winds(Vec<(Entity, SimVec3, SimVec3, WindZone)>);

/// The mean wind at a place.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct WindThere {
    velocity: SimVec3,
    gusts: f64,
    gust_size: f64,
}

/// Reads the wind zones.
pub(super) fn read_winds(mut winds: ResMut<Winds>, zones: Query<(Entity, &WindZone)>, frames: Frames) {
    winds.0.clear();
    for (entity, zone) in &zones {
        let Some(frame) = frames.of(entity) else { continue };
        let (rotation, middle) = rigid(frame);
        let velocity = rotation * SimVec3::NEG_Z * f64::from(zone.speed);
        if velocity.is_finite() && middle.is_finite() {
            winds.0.push((entity, middle, velocity, zone.clone()));
        }
    }
    // sums do not depend on archetypes
    winds.0.sort_unstable_by_key(|(entity, ..)| *entity);
}

impl Winds {
    /// The wind at `position` [m].
    pub(super) fn at(&self, position: SimVec3) -> WindThere {
        let mut there = WindThere::default();
        let mut speeds = 0.0;
        for (_, middle, velocity, zone) in &self.0 {
            let (distance, reach) = (middle.distance(position), f64::from(zone.reach));
            let share = if reach.is_infinite() { 1.0 } else { ((reach - distance) / (FADING * reach)).clamp(0.0, 1.0) };
            let speed = share * velocity.length();
            if speed > 0.0 {
                there.velocity += *velocity * share;
                there.gusts += speed * f64::from(zone.gusts).clamp(0.0, 1.0);
                there.gust_size += speed * f64::from(zone.gust_size).clamp(0.1, 20.0);
                speeds += speed;
            }
        }
        if speeds > 0.0 {
            there.gusts /= speeds;
            there.gust_size /= speeds;
        }
        there
    }
}

impl WindThere {
    /// Makes it the wind of `air`, whose other parameters stay.
    pub(super) fn blow(&self, air: &mut Air) {
        let speed = self.velocity.length();
        if speed == 0.0 {
            if air.air == AirMode::Wind {
                air.air = AirMode::Still;
            }
            return;
        }
        let SimVec3 { x, y, z } = self.velocity / speed;
        air.air = AirMode::Wind;
        air.wind_speed = speed.min(1000.0);
        (air.wind_azimuth, air.wind_elevation) = ((-z).atan2(x), y.clamp(-1.0, 1.0).asin());
        (air.gust, air.gust_length) = (self.gusts, self.gust_size);
    }

    /// Whether it stays the same: there is none, or it has no gusts.
    pub(super) fn is_steady(&self) -> bool {
        self.velocity == SimVec3::ZERO || self.gusts == 0.0
    }
}
