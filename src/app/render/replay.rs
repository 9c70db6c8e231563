//! Motions that were recorded, drawn again: of one cloth, or of several lanes.

use std::sync::Arc;

use bevy::math::Vec3;
use bevy::prelude::{App, Handle, Image};
use bevy_panorbit_camera::PanOrbitCamera;

use super::captions::{Captions, status};
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

/// Motions that were recorded.
pub struct Replay {
    /// That of the first lane.
    pub moments: Vec<Moment>,
    /// The other lanes, as they were at the end of theirs.
    pub others: Vec<(Scene, Simulation, Vec<Moment>)>,
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
    let Replay { moments, others, step } = replay;
    let view = stop(app).frame().scene.camera;
    let mut all = vec![moments];
    for (scene, simulation, moments) in others {
        app.world_mut().resource_mut::<SessionHandle>().take_in(Session::new(scene, simulation));
        all.push(moments);
    }
    let lanes: Vec<Arc<Frame>> =
        app.world().resource::<SessionHandle>().lanes().iter().map(|lane| Arc::clone(lane.frame)).collect();
    if lanes.len() > 1 {
        place_lanes(app, step, view, &lanes[0]);
    }
    let motions: Vec<RecordedMotion> =
        lanes.iter().zip(all).map(|(frame, moments)| RecordedMotion::new(frame, moments)).collect();
    let mut places: Vec<LanePlaces> = motions.iter().map(|_| LanePlaces::default()).collect();
    let mut lettering = Lettering::default();
    for time in &pace.times {
        let frames: Vec<Arc<Frame>> = motions.iter().map(|motion| Arc::new(motion.frame(*time))).collect();
        app.world_mut().resource_mut::<SessionHandle>().show(frames.clone());
        let mut picture = shoot(app, target)?;
        if frames.len() > 1 {
            let lines = frames.iter().zip(&mut places).map(|(frame, places)| {
                let (reference, state) = (LaneState::from(&*frames[0]), LaneState::from(&**frame));
                let between = places.between(reference.pattern, state.pattern);
                let distance = state.distance(&reference, between, frame.time);
                status(frame.time, distance.filter(|_| !Arc::ptr_eq(frame, &frames[0])))
            });
            let lines = lines.collect();
            let frames: Vec<&Frame> = frames.iter().map(|frame| &**frame).collect();
            Captions::of(&frames, lines).write_on(&mut picture, app, &mut lettering);
        }
        take(picture)?;
    }
    Ok(())
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
