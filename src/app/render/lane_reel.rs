//! Several lanes in one picture, each with its description.

use std::sync::Arc;

use bevy::prelude::{App, Handle, Image};
use bevy_panorbit_camera::PanOrbitCamera;
use egui::Color32;

use super::captions::{ALARM, Captions, status};
use super::{RenderError, part_way, shoot};
use crate::app::picture::Picture;
use crate::app::session::SessionHandle;
use crate::app::text_raster::Lettering;
use crate::scene::InputError;
use crate::session::{Frame, Lanes, Session, Stopped};

/// Lanes that are drawn side by side.
pub struct LaneReel {
    /// The lanes. A step of the reel is a tick of theirs.
    pub lanes: Lanes,
    /// Steps so far.
    taken: u64,
    /// Each lane before the last step and after it.
    frames: Vec<[Arc<Frame>; 2]>,
    /// Share of the last step at which the picture is taken.
    share: f64,
}

impl LaneReel {
    /// Gives the window's session a lane for each but the first.
    pub(super) fn fill(&self, session: &mut SessionHandle) -> Result<(), InputError> {
        for lane in &self.lanes.lanes()[1..] {
            session.take_in(Session::resume(&lane.session().start())?);
        }
        Ok(())
    }

    /// Before the first step.
    #[must_use]
    pub const fn new(lanes: Lanes) -> Self {
        Self { lanes, taken: 0, frames: Vec::new(), share: 1.0 }
    }

    /// Goes on until so many steps were taken in all, and shows the given share of the last one.
    pub(super) fn go_to(&mut self, (steps, share): (u64, f64), picture: u32) -> Result<(), RenderError> {
        let left = steps - self.taken;
        if left > 0 || self.frames.is_empty() {
            self.step(left.saturating_sub(1), picture)?;
            let before = self.now();
            self.step(left.min(1), picture)?;
            self.frames = before.into_iter().zip(self.now()).map(|(before, now)| [before, now]).collect();
        }
        (self.taken, self.share) = (steps, share);
        Ok(())
    }

    fn now(&self) -> Vec<Arc<Frame>> {
        self.lanes.lanes().iter().map(|lane| Arc::new(lane.session().frame(u64::MAX))).collect()
    }

    /// Takes so many steps.
    fn step(&mut self, steps: u64, picture: u32) -> Result<(), RenderError> {
        for _ in 0..steps {
            if let Err(Stopped::Command(error)) = self.lanes.tick() {
                return Err(error.into());
            }
        }
        let failures: Vec<_> = self.lanes.lanes().iter().filter_map(|lane| lane.session().failure()).collect();
        // a lane that fails is shown, as long as there is another
        match failures.first() {
            Some(failure) if failures.len() == self.lanes.lanes().len() => Err(RenderError::Failed {
                solver: failure.solver,
                time: failure.time,
                picture,
                cause: failure.cause.to_string(),
            }),
            _ => Ok(()),
        }
    }

    /// Draws the lanes as they are.
    pub(super) fn shoot(
        &self,
        app: &mut App,
        target: &Handle<Image>,
        lettering: &mut Lettering,
    ) -> Result<Picture, RenderError> {
        let frames = self.frames.iter().map(|[before, now]| part_way(before, now, self.share)).collect();
        app.world_mut().resource_mut::<SessionHandle>().show(frames);
        let mut picture = shoot(app, target)?;
        let frames: Vec<&Frame> = self.frames.iter().map(|[_, now]| now.as_ref()).collect();
        let lines = (0..frames.len()).map(|slot| self.status(slot)).collect();
        Captions::of(&frames, lines).write_on(&mut picture, app, lettering);
        Ok(picture)
    }

    /// How a lane is doing.
    fn status(&self, slot: usize) -> (String, Color32) {
        let failure = self.lanes.lanes().get(slot).and_then(|lane| lane.session().failure());
        match failure {
            Some(failure) => (format!("blew up at t = {:.3} s", failure.time), ALARM),
            None => status(self.lanes.clock(), self.lanes.distance(slot).filter(|_| slot > 0)),
        }
    }
}

/// Has the camera where it is to be, without an eased move.
pub(super) fn settle_camera(app: &mut App) {
    let world = app.world_mut();
    let mut cameras = world.query::<&mut PanOrbitCamera>();
    for mut camera in cameras.iter_mut(world) {
        (camera.focus, camera.radius) = (camera.target_focus, Some(camera.target_radius));
        (camera.yaw, camera.pitch) = (Some(camera.target_yaw), Some(camera.target_pitch));
        camera.force_update = true;
    }
}
