//! Motions that were recorded, drawn again: of one cloth, or of several lanes.

use std::sync::Arc;

use bevy::math::Vec3;
use bevy::prelude::{App, Handle, Image};
use bevy_panorbit_camera::PanOrbitCamera;
use egui::Color32;

use super::captions::{ALARM, Captions, status};
use super::lane_reel::settle_camera;
use super::{Pace, RenderError, WARM_UP, shoot, stop};
use crate::app::export::RecordedMotion;
use crate::app::picture::Picture;
use crate::app::session::SessionHandle;
use crate::app::text_raster::Lettering;
use crate::app::view::ViewState;
use crate::documents::Moment;
use crate::scene::{Scene, View};
use crate::session::{Frame, LanePlaces, LaneState, Session};
use crate::sim::Simulation;

/// Times that differ by less are the same [s].
const SAME: f64 = 1e-6;

/// Moments of a lane, and the simulated time at which it failed [s], if it did.
pub type LaneMotion = (Vec<Moment>, Option<f64>);

/// Motions that were recorded.
pub struct Replay {
    /// That of the first lane.
    pub first: LaneMotion,
    /// The other lanes, as they were at the end of their motions.
    pub others: Vec<(Scene, Simulation, LaneMotion)>,
    /// Start of the simulated time that all motions show [s]; without one each is shown from its
    /// own start.
    pub start: Option<f64>,
    /// The way from one lane to the next [m], zero if all stand in one place; across the view
    /// unless given.
    pub step: Option<Vec3>,
}

/// Draws the motions, and gives each picture to `take`.
pub(super) fn render_replay(
    app: &mut App,
    replay: Replay,
    pace: &Pace,
    target: &Handle<Image>,
    mut take: impl FnMut(Picture) -> std::io::Result<()>,
) -> Result<(), RenderError> {
    let Replay { first: (moments, failed), others, start, step } = replay;
    let view = stop(app).frame().scene.camera;
    let (mut all, mut failed) = (vec![moments], vec![failed]);
    for (scene, simulation, (moments, failed_at)) in others {
        app.world_mut().resource_mut::<SessionHandle>().take_in(Session::new(scene, simulation));
        all.push(moments);
        failed.push(failed_at);
    }
    let lanes: Vec<Arc<Frame>> =
        app.world().resource::<SessionHandle>().lanes().iter().map(|lane| Arc::clone(lane.frame)).collect();
    if lanes.len() > 1 {
        place_lanes(app, step, view, &lanes[0]);
    }
    let motions: Vec<RecordedMotion> =
        lanes.iter().zip(all).map(|(frame, moments)| RecordedMotion::new(frame, moments)).collect();
    let mut status = Statuses { failed, places: motions.iter().map(|_| LanePlaces::default()).collect() };
    let mut lettering = Lettering::default();
    for time in &pace.times {
        let at = |motion: &RecordedMotion| start.unwrap_or_else(|| motion.start()) + time;
        let frames: Vec<Arc<Frame>> = motions.iter().map(|motion| Arc::new(motion.frame(at(motion)))).collect();
        app.world_mut().resource_mut::<SessionHandle>().show(frames.clone());
        let mut picture = shoot(app, target)?;
        if frames.len() > 1 {
            let lines = status.of(&frames);
            let frames: Vec<&Frame> = frames.iter().map(|frame| &**frame).collect();
            Captions::of(&frames, lines).write_on(&mut picture, app, &mut lettering);
        }
        take(picture)?;
    }
    Ok(())
}

/// How lanes are doing, whose motions were recorded.
struct Statuses {
    /// Simulated time at which each failed [s], if it did.
    failed: Vec<Option<f64>>,
    /// Places of the vertices of the first lane in each.
    places: Vec<LanePlaces>,
}

impl Statuses {
    /// A line for each of the lanes at the times of these frames, with its colour.
    fn of(&mut self, frames: &[Arc<Frame>]) -> Vec<(String, Color32)> {
        let reference = LaneState::from(&*frames[0]);
        let has_failed = |slot: usize| self.failed[slot].filter(|time| frames[slot].time >= *time - SAME);
        let mut line = |slot: usize| {
            let frame = &frames[slot];
            if let Some(time) = has_failed(slot) {
                return (format!("blew up at t = {time:.3} s"), ALARM);
            }
            let is_apart = (frame.time - frames[0].time).abs() > SAME;
            if slot == 0 || is_apart || has_failed(0).is_some() {
                let (line, colour) = status(frame.time, None);
                return (if is_apart { format!("{line}, not the time of A") } else { line }, colour);
            }
            let state = LaneState::from(&**frame);
            let between = self.places[slot].between(reference.pattern, state.pattern);
            status(frame.time, state.distance(&reference, between, frame.time))
        };
        (0..frames.len()).map(&mut line).collect()
    }
}

/// Places the lanes and the camera as they were in the window.
fn place_lanes(app: &mut App, step: Option<Vec3>, view: Option<View>, first: &Frame) {
    app.update();
    if let Some(step) = step {
        app.world_mut().resource_mut::<ViewState>().lanes.place(step);
    }
    app.update();
    if let Some(View { from, at }) = view {
        let away = (from - at).as_vec3();
        let world = app.world_mut();
        let mut cameras = world.query::<&mut PanOrbitCamera>();
        for mut camera in cameras.iter_mut(world) {
            camera.target_focus = (at - first.pattern.origin()).as_vec3();
            camera.target_radius = away.length();
            (camera.target_yaw, camera.target_pitch) = (away.x.atan2(away.z), (away.y / away.length()).asin());
        }
    }
    for _ in 0..WARM_UP {
        settle_camera(app);
        app.update();
    }
}
