//! What a cloth has beside its public components while it is stepped, and the ticks.

use bevy::math::DAffine3;
use bevy::prelude::*;

use super::cloth::{Cloth, ClothInterval, ClothStatus};
use super::collider::Colliders;
use super::frames::Frames;
use super::messages::{ClothBlewUp, ClothTooSlow, ClothTorn};
use super::pins::ClothPins;
use super::rest_mesh::RestMesh;
use super::run::{ClothRun, StepInputs, StepReport};
use super::shown::ShownCloth;
use super::steps::ClothSteps;
use super::wind::Winds;
use crate::sim::{Parameters, Vec3 as SimVec3};

/// Longest step [s]; implicit methods lose their motion with longer ones.
const LONGEST: f64 = 0.1;
/// Distance within which a collider counts as near, beside what is covered in a step [m].
const NEAR: f64 = 0.1;

/// A cloth that has begun.
#[derive(Component)]
pub(super) struct Running {
    /// None while its step is under way.
    pub run: Option<Box<ClothRun>>,
    pub generation: u64,
    /// The components as they were last looked at.
    pub applied: Cloth,
    pub pinned: Option<ClothPins>,
    /// The parameters before fabric and settings, and the vertices that a scene pins.
    pub base: Parameters,
    pub pinned_by_scene: Vec<u32>,
    pub rest: RestMesh,
    /// The mesh that it was made from, which is kept for changes, and the mesh that shows it.
    pub source: Option<Handle<Mesh>>,
    pub output: Handle<Mesh>,
    /// Whether the mesh that shows it was replaced by one with other vertices.
    pub is_replaced: bool,
    /// The entities that hold it.
    pub holders: Vec<Entity>,
    pub shown: ShownCloth,
    /// Ticks since its last step began.
    pub ticks: u32,
    /// Number of ticks in the step between the states that are shown, and in the one after it.
    pub spans: [u32; 2],
    /// Whether a picture was drawn since its last step began.
    pub is_drawn: bool,
    /// What its last step came to, until that is shown.
    pub report: Option<StepReport>,
    /// A step has failed.
    pub has_failed: bool,
    /// A panic took the run away.
    pub is_lost: bool,
    /// The log has a line on its being too slow.
    pub is_known_slow: bool,
}

/// Whether a tick waits for the steps that began in the last one.
#[derive(Resource)]
pub(super) struct Waits(pub bool);

/// Takes the cloths back whose steps have ended.
pub(super) fn take_steps(
    waits: Res<Waits>,
    mut steps: ResMut<ClothSteps>,
    mut cloths: Query<(&mut Running, &mut ClothStatus)>,
    mut torn: MessageWriter<ClothTorn>,
    mut blew_up: MessageWriter<ClothBlewUp>,
) {
    if waits.0 {
        steps.wait();
    }
    for arrival in steps.take() {
        let cloth = arrival.cloth;
        // it may have been despawned, or have begun anew
        let Ok((mut running, mut status)) = cloths.get_mut(cloth) else { continue };
        if running.generation != arrival.generation {
            continue;
        }
        if arrival.report.torn > 0 {
            torn.write(ClothTorn { cloth, vertices: arrival.report.torn });
        }
        if let Some(reason) = &arrival.report.fault {
            let time = arrival.run.as_ref().map_or(0.0, |run| run.simulation.time());
            error!("cloth {cloth}: {reason}");
            blew_up.write(ClothBlewUp { cloth, time, reason: reason.clone() });
            *status = ClothStatus::BlownUp;
            running.has_failed = true;
        }
        running.is_lost = arrival.run.is_none();
        running.run = arrival.run;
        running.report = Some(arrival.report);
    }
}

/// Begins the steps that are due.
pub(super) fn begin_steps(
    time: Res<Time<Fixed>>,
    (colliders, winds): (Res<Colliders>, Res<Winds>),
    mut steps: ResMut<ClothSteps>,
    mut cloths: Query<(Entity, &mut Running, &ClothInterval, &mut ClothStatus)>,
    frames: Frames,
    mut too_slow: MessageWriter<ClothTooSlow>,
) {
    let tick = time.timestep().as_secs_f64();
    for (cloth, mut running, interval, mut status) in &mut cloths {
        let running = &mut *running;
        let interval = interval.0.max(1);
        running.ticks = running.ticks.saturating_add(1);
        if running.ticks < interval {
            continue;
        }
        let Some(mut run) = running.run.take() else {
            let ticks = running.ticks - interval + 1;
            // the ticks of one picture follow each other at once
            if running.is_drawn && !running.is_lost {
                too_slow.write(ClothTooSlow { cloth, ticks });
                if !std::mem::replace(&mut running.is_known_slow, true) {
                    warn!("cloth {cloth}: its steps take longer than a tick; fewer vertices or iterations are faster");
                }
            }
            continue;
        };
        running.show(&run);
        let inputs = running.inputs(cloth, &mut run, &frames, (tick, &colliders, &winds));
        let sleeps = run.sleeps_through(&inputs);
        running.spans[1] = running.ticks;
        (running.ticks, running.is_drawn) = (0, false);
        if running.has_failed || sleeps {
            running.shown.settle();
            running.run = Some(run);
        } else {
            steps.begin(cloth, running.generation, run, inputs);
        }
        if !running.has_failed {
            status.set_if_neq(if sleeps { ClothStatus::Asleep } else { ClothStatus::Moving });
        }
    }
}

impl Running {
    /// Shows the state after the last step.
    fn show(&mut self, run: &ClothRun) {
        if let Some(report) = self.report.take() {
            self.spans[0] = self.spans[1];
            let frame = run.first_frame();
            self.shown.take(&run.simulation, &self.rest, frame, report.carried);
        }
    }

    /// What the next step of the run starts from.
    fn inputs(
        &mut self,
        cloth: Entity,
        run: &mut ClothRun,
        frames: &Frames,
        (tick, colliders, winds): (f64, &Colliders, &Winds),
    ) -> StepInputs {
        let ticks = f64::from(self.ticks);
        let dt = (ticks * tick).min(LONGEST.max(tick));
        let mut known: Vec<DAffine3> = Vec::with_capacity(self.holders.len().max(1));
        for holder in 0..self.holders.len() {
            let frame = frames.of(self.holders[holder]).filter(DAffine3::is_finite);
            known.push(frame.unwrap_or_else(|| run.let_go(holder)));
        }
        if known.is_empty() {
            known.push(frames.of(cloth).filter(DAffine3::is_finite).unwrap_or(run.first_frame()));
        }
        let bodies = &run.simulation.state.cloth;
        let corners = bounds(&bodies.positions);
        let fastest = bodies.velocities.iter().map(|v| v.length_squared()).fold(0.0, f64::max).sqrt();
        let reach = NEAR + 2.0 * dt * fastest + run.way_of_holders(&known);
        let middle = corners[0].midpoint(corners[1]);
        StepInputs { dt, frames: known, colliders: colliders.near(corners, reach, ticks), wind: winds.at(middle) }
    }
}

/// Lowest and highest coordinates of positions [m].
fn bounds(positions: &[SimVec3]) -> [SimVec3; 2] {
    let (low, high) = crate::scene::bounds(positions);
    [low, high]
}
