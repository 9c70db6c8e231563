//! The simulation of a cloth in a game, and one step of it: what it hangs on and meets is moved from
//! where it was at the last step to where it is now.

use std::f64::consts::{FRAC_PI_2, TAU};
use std::panic::{AssertUnwindSafe, catch_unwind};

use bevy::math::DAffine3;
use bevy::prelude::Entity;

use super::frames::{motion, rigid};
use super::wind::WindThere;
use crate::sim::forces::air::AirMode;
use crate::sim::state::PreviousStep;
use crate::sim::{Collider, Path, Pin, Quat, Shape, Simulation, Turn, Vec3};

/// Motion of a collider that is rounding [m], [rad].
const STILL: f64 = 1e-9;
/// How long a cloth is slow before it falls asleep [s].
const REST: f64 = 0.5;

/// A collider where it is in this tick.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PlacedCollider {
    pub entity: Entity,
    pub shape: Shape,
    pub friction: Option<f64>,
    pub thickness: Option<f64>,
    /// Place of its origin [m], and its rotation.
    pub position: Vec3,
    pub rotation: Quat,
    /// Radius of a ball around its origin that has all of it [m].
    pub radius: f64,
    /// How far it came since the last tick [m].
    pub motion: f64,
}

impl PlacedCollider {
    fn is_where(&self, other: &Self) -> bool {
        let same = (&self.shape, self.friction, self.thickness) == (&other.shape, other.friction, other.thickness);
        same && self.entity == other.entity && self.position == other.position && self.rotation == other.rotation
    }
}

/// A pinned vertex, in the frame of what holds it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PinnedVertex {
    pub vertex: u32,
    /// Which of the holders holds it.
    pub holder: usize,
    /// Its place there.
    pub local: Vec3,
}

/// What a step starts from beside the cloth.
#[derive(Debug, Clone)]
pub(super) struct StepInputs {
    /// Length of the step [s].
    pub dt: f64,
    /// Frames of the holders of pins; of a cloth without pins that of its own entity.
    pub frames: Vec<DAffine3>,
    /// Colliders near the cloth, by rising entity.
    pub colliders: Vec<PlacedCollider>,
    pub wind: WindThere,
}

/// What a step came to.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct StepReport {
    /// Number of vertices that were split.
    pub torn: u32,
    /// Why it failed, if it did; the cloth is as it was before.
    pub fault: Option<String>,
    /// The rigid motion by which the cloth was put elsewhere before.
    pub carried: Option<DAffine3>,
}

/// A cloth with its simulation.
pub(super) struct ClothRun {
    pub simulation: Simulation,
    pub jump_speed: f64,
    pub sleep_speed: f64,
    /// The mode of the air where there is no wind.
    pub calm: AirMode,
    pins: Vec<PinnedVertex>,
    /// Where each of them was to be at the end of the last step [m].
    places: Vec<Vec3>,
    frames: Vec<DAffine3>,
    colliders: Vec<PlacedCollider>,
    wind: WindThere,
    /// How long it has been slow [s].
    slow_for: f64,
}

impl ClothRun {
    pub fn new(simulation: Simulation, frame: DAffine3) -> Self {
        Self {
            calm: simulation.parameters.air.air,
            simulation,
            jump_speed: 0.0,
            sleep_speed: 0.0,
            pins: Vec::new(),
            places: Vec::new(),
            frames: vec![frame],
            colliders: Vec::new(),
            wind: WindThere::default(),
            slow_for: 0.0,
        }
    }

    /// Pins these vertices, whose holders have these frames, and lets all others go.
    pub fn pin(&mut self, pins: Vec<PinnedVertex>, frames: Vec<DAffine3>) {
        let cloth = &mut self.simulation.state.cloth;
        let before: Vec<u32> = cloth.pins().iter().map(|pin| pin.vertex).collect();
        before.into_iter().for_each(|vertex| {
            cloth.unpin(vertex);
        });
        self.places = pins.iter().map(|pin| frames[pin.holder].transform_point3(pin.local)).collect();
        for (pin, place) in pins.iter().zip(&self.places) {
            cloth.pin(Pin::fixed(pin.vertex, *place));
        }
        (self.pins, self.frames) = (pins, frames);
        self.wake();
    }

    /// Lets the vertices of a holder go that is gone. Returns its last frame.
    pub fn let_go(&mut self, holder: usize) -> DAffine3 {
        let (pins, places) = (std::mem::take(&mut self.pins), std::mem::take(&mut self.places));
        for (pin, place) in pins.into_iter().zip(places) {
            if pin.holder == holder {
                self.simulation.state.cloth.unpin(pin.vertex);
                self.wake();
            } else {
                self.pins.push(pin);
                self.places.push(place);
            }
        }
        self.frames[holder]
    }

    /// Frame of the first holder at the last step; of a cloth without pins that of its entity.
    pub fn first_frame(&self) -> DAffine3 {
        self.frames[0]
    }

    /// The longest way from the frames of the last step to these [m].
    pub fn way_of_holders(&self, frames: &[DAffine3]) -> f64 {
        let ways = self.frames.iter().zip(frames).map(|(old, new)| old.translation.distance(new.translation));
        ways.fold(0.0, f64::max)
    }

    /// The next step is taken whatever the inputs are.
    pub fn wake(&mut self) {
        self.slow_for = 0.0;
    }

    pub fn is_asleep(&self) -> bool {
        self.slow_for >= REST
    }

    /// Whether a step with these inputs may be left out.
    pub fn sleeps_through(&self, inputs: &StepInputs) -> bool {
        self.is_asleep() && self.is_at_rest(inputs)
    }

    /// Whether nothing around the cloth changes.
    fn is_at_rest(&self, inputs: &StepInputs) -> bool {
        let are_there = self.colliders.len() == inputs.colliders.len()
            && self.colliders.iter().zip(&inputs.colliders).all(|(old, new)| old.is_where(new));
        are_there && self.frames == inputs.frames && self.wind == inputs.wind && inputs.wind.is_steady()
    }

    /// Takes a step. A panic in it is a failed step; the run must not be used any more then, and
    /// false is returned with the report.
    pub fn step(&mut self, inputs: StepInputs) -> (StepReport, bool) {
        let at_rest = self.is_at_rest(&inputs);
        let carried = self.carry(&inputs);
        let StepInputs { dt, frames, colliders, wind } = inputs;
        self.move_pins(&frames, dt);
        self.place_colliders(&colliders, dt);
        let air = &mut self.simulation.parameters.air;
        wind.blow(air);
        if air.air != AirMode::Wind {
            air.air = self.calm;
        }
        (self.frames, self.colliders, self.wind) = (frames, colliders, wind);
        self.simulation.parameters.timing.time_step = dt;
        let simulation = &mut self.simulation;
        let Ok(stepped) = catch_unwind(AssertUnwindSafe(|| simulation.step())) else {
            let fault = Some("the step panicked; the cloth has to begin anew".to_owned());
            return (StepReport { fault, carried, torn: 0 }, false);
        };
        let (torn, fault) = match stepped {
            Ok(stats) => (stats.torn, None),
            Err(error) => (0, Some(error.to_string())),
        };
        let fastest = self.simulation.state.cloth.velocities.iter().map(|v| v.length_squared()).fold(0.0, f64::max);
        let is_slow = fastest.sqrt() < self.sleep_speed && at_rest && fault.is_none();
        self.slow_for = if is_slow { self.slow_for + dt } else { 0.0 };
        (StepReport { torn, fault, carried }, true)
    }

    /// Puts the cloth elsewhere with the first holder that did not move there: its springs could not
    /// follow. The cloth keeps its shape, and its velocity turned along.
    fn carry(&mut self, inputs: &StepInputs) -> Option<DAffine3> {
        let farthest = self.jump_speed * inputs.dt;
        let jumps = |(old, new): &(&DAffine3, &DAffine3)| {
            let ((from, start), (to, end)) = (rigid(**old), rigid(**new));
            start.distance(end) > farthest || from.angle_between(to) > FRAC_PI_2
        };
        let (old, new) = self.frames.iter().zip(&inputs.frames).find(jumps)?;
        let motion = motion(*old, *new);
        let state = &mut self.simulation.state;
        let rotation = motion.matrix3;
        state.cloth.positions.iter_mut().for_each(|x| *x = motion.transform_point3(*x));
        state.cloth.velocities.iter_mut().for_each(|v| *v = rotation * *v);
        // these are of the place before
        state.previous = PreviousStep::default();
        state.contact_forces.clear();
        state.solver.warm_start.clear();
        self.places.iter_mut().for_each(|x| *x = motion.transform_point3(*x));
        Some(motion)
    }

    /// Moves the pins straight from where they were at the last step.
    fn move_pins(&mut self, frames: &[DAffine3], dt: f64) {
        let state = &mut self.simulation.state;
        for (pin, place) in self.pins.iter().zip(&mut self.places) {
            let target = frames[pin.holder].transform_point3(pin.local);
            let is_still = state.cloth.pin_of(pin.vertex).is_some_and(|known| known.motion.is_none());
            if target == *place && is_still {
                continue;
            }
            let motion = (target != *place).then(|| straight(state.time, dt, target - *place).into());
            let origin = if motion.is_some() { *place } else { target };
            state.cloth.pin(Pin { vertex: pin.vertex, origin, motion });
            *place = target;
        }
    }

    /// Moves the colliders from where they are for the cloth to where they are in the game.
    fn place_colliders(&mut self, placed: &[PlacedCollider], dt: f64) {
        let (time, jump) = (self.simulation.state.time, self.jump_speed * dt);
        let world = &mut self.simulation.state.world;
        let known = self.colliders.iter().map(|known| known.entity);
        // one that waited for the cloth is still behind
        let before: Vec<(Entity, (Vec3, Vec3))> =
            known.zip(&world.colliders).map(|(entity, collider)| (entity, collider.place(time))).collect();
        let moved = placed.iter().map(|placed| {
            let from = before.iter().find(|(entity, _)| *entity == placed.entity).map(|(_, place)| *place);
            collider(placed, from, (time, dt), jump)
        });
        world.colliders = moved.collect();
    }
}

/// A straight way within the step from `time` on [m].
fn straight(time: f64, dt: f64, way: Vec3) -> Path {
    Path::Waypoints { points: vec![(time, Vec3::ZERO), (time + dt, way)], repeat: false }
}

/// A collider that moves from a place [m] and rotation (axis times angle [rad]) to where it is
/// placed. A jump is no motion.
fn collider(placed: &PlacedCollider, from: Option<(Vec3, Vec3)>, (time, dt): (f64, f64), jump: f64) -> Collider {
    let there = Collider {
        friction: placed.friction,
        thickness: placed.thickness,
        ..Collider::new(placed.shape.clone(), placed.position).rotated(placed.rotation.to_scaled_axis())
    };
    let Some((position, rotation)) = from else { return there };
    let way = placed.position - position;
    let (axis, angle) = (placed.rotation * Quat::from_scaled_axis(rotation).inverse()).to_axis_angle();
    // the short way around
    let angle = if angle > 0.5 * TAU { angle - TAU } else { angle };
    if way.length() > jump || angle.abs() > FRAC_PI_2 {
        return there;
    }
    let turn = (angle.abs() > STILL).then(|| Turn {
        axis,
        center: None,
        turns: vec![(time, 0.0), (time + dt, angle / TAU)],
        repeat: false,
        swing: None,
    });
    let path = (way.length() > STILL).then(|| straight(time, dt, way));
    if turn.is_none() && path.is_none() {
        return there;
    }
    Collider { position, rotation, path, turn, ..there }
}
