//! Lanes of a scene: they come and go with it, unless the user has added lanes.

use std::sync::mpsc::{Receiver, TryRecvError};
use std::sync::{Mutex, PoisonError};

use bevy::prelude::{info, warn};

use super::SessionHandle;
use super::lane::as_lane;
use crate::scene::InputError;
use crate::session::Session;

/// A scene that is another one than before, with its lanes.
struct Found {
    scene: String,
    lanes: Result<Vec<Session>, InputError>,
}

/// State of the lanes that a scene comes with.
#[derive(Default)]
pub(super) struct SceneLanes {
    /// The scene that was looked at last.
    scene: String,
    /// Whether the present lanes belong to the scene.
    pub are_there: bool,
    coming: Option<Mutex<Receiver<Option<Found>>>>,
    /// The lanes to take in as soon as the frame shows the scene.
    found: Option<Mutex<Found>>,
}

impl SceneLanes {
    /// Whether lanes of a scene are being made.
    pub const fn are_coming(&self) -> bool {
        self.coming.is_some()
    }
}

impl SessionHandle {
    /// Looks whether the scene is another one after what was ordered so far, and has its lanes made
    /// if they are to come.
    pub(super) fn follow_scene(&mut self, with_lanes: bool) {
        let SceneLanes { scene: known, are_there, .. } = &self.lanes.of_scene;
        let (known, with_lanes) = (known.clone(), with_lanes && (*are_there || !self.lanes.are_several()));
        let found = self.ask(move |session| {
            let lanes = || if with_lanes { session.lanes_of_scene() } else { Ok(Vec::new()) };
            let as_lanes =
                |lanes: Vec<Session>| lanes.into_iter().map(|lane| as_lane(lane, session, Vec::new())).collect();
            let scene = session.scene_name();
            (scene != known).then(|| Found { scene: scene.to_owned(), lanes: lanes().map(as_lanes) })
        });
        (self.lanes.of_scene.coming, self.lanes.of_scene.found) = (Some(Mutex::new(found)), None);
    }

    /// Removes the lanes of the scene.
    pub(super) fn leave_lanes_of_scene(&mut self) {
        if std::mem::take(&mut self.lanes.of_scene.are_there) {
            while self.lanes.are_several() {
                let last = self.lane_count() - 1;
                self.take_away(if last == self.lanes.chosen { last - 1 } else { last });
            }
        }
    }

    /// Lets the lanes of another scene come, and those of the last one go.
    pub(super) fn take_lanes_of_scene(&mut self) {
        let name = self.frame().scene.name.clone();
        let SceneLanes { coming, found, .. } = &mut self.lanes.of_scene;
        if let Some(receiver) = coming {
            match receiver.get_mut().unwrap_or_else(PoisonError::into_inner).try_recv() {
                Err(TryRecvError::Empty) => return,
                Err(TryRecvError::Disconnected) => {}
                Ok(answer) => *found = answer.map(Mutex::new),
            }
            *coming = None;
        }
        let is_shown = |found: &mut Mutex<Found>| found.get_mut().unwrap_or_else(PoisonError::into_inner).scene == name;
        let Some(found) = found.take_if(is_shown) else { return };
        let Found { scene, lanes } = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.lanes.of_scene.scene = scene;
        self.leave_lanes_of_scene();
        // lanes added by the user stay
        if self.lanes.are_several() || !self.can_add_lane() {
            return;
        }
        let lanes = lanes.unwrap_or_else(|error| {
            warn!("the lanes of the scene cannot come: {error}");
            Vec::new()
        });
        self.lanes.of_scene.are_there = !lanes.is_empty();
        for lane in lanes {
            self.take_in(lane);
            info!("added lane {}", self.lane_count());
        }
    }
}
