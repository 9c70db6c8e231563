//! "Copy as command line": the state of the window as a command for a shell.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::mpsc::{Receiver, TryRecvError};

use super::Appearance;
use super::pictures::{camera_words, quality_word, quantity_word, stage_word};
use crate::app::session::SessionHandle;
use crate::documents::report::Repetition;
use crate::scene::{InputError, Scene, View};

/// Purpose of the command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Copied {
    /// Opens the window.
    Window,
    /// Simulates without one.
    Run,
    /// Draws a picture.
    Picture,
}

impl Copied {
    /// All, in the order of the buttons.
    pub const ALL: [Self; 3] = [Self::Window, Self::Run, Self::Picture];

    /// The name of its button, and the purpose of the command.
    #[must_use]
    pub const fn texts(self) -> (&'static str, &'static str) {
        match self {
            Self::Window => ("Window", "weft --scene …: this scene with these parameters, in a window"),
            Self::Run => ("Run", "weft run …: as many steps without a window"),
            Self::Picture => ("Picture", "weft render …: a picture from here, at this time"),
        }
    }
}

/// A command, and the parts of the state that it leaves out.
pub struct Line {
    pub text: String,
    pub missing: Vec<&'static str>,
}

/// The scene of a lane as it is now, with its steps and time [s].
type State = Result<(Scene, u64, f64), InputError>;

/// A command that is being found out.
pub struct Copying {
    // a receiver alone is not `Sync`, as a resource has to be
    /// Of each lane, and those that have come.
    states: Mutex<(Vec<Receiver<State>>, Vec<State>)>,
    copied: Copied,
    camera: Option<View>,
    appearance: Appearance,
}

impl Copying {
    pub fn start(copied: Copied, session: &mut SessionHandle, camera: Option<View>, appearance: Appearance) -> Self {
        let mut states = session.ask_all(|session| {
            let simulation = session.simulation();
            Ok((session.scene_to_save()?, simulation.steps(), simulation.time()))
        });
        // taken from the end
        states.reverse();
        Self { states: Mutex::new((states, Vec::new())), copied, camera, appearance }
    }

    /// The command, once it is known, or the sentence that says why there is none.
    pub fn poll(&mut self) -> Option<Result<Line, String>> {
        let (coming, known) = self.states.get_mut().unwrap_or_else(PoisonError::into_inner);
        while let Some(state) = coming.last() {
            match state.try_recv() {
                Ok(state) => known.push(state),
                Err(TryRecvError::Empty) => return None,
                Err(TryRecvError::Disconnected) => return Some(Err("The session has ended.".to_owned())),
            }
            coming.pop();
        }
        let states: Result<Vec<_>, _> = std::mem::take(known).into_iter().collect();
        Some(states.and_then(|states| self.line(&states)).map_err(|error| error.to_string()))
    }

    fn line(&self, states: &[(Scene, u64, f64)]) -> Result<Line, InputError> {
        let scenes: Vec<&Scene> = states.iter().map(|(scene, ..)| scene).collect();
        let (_, steps, time) = states[0];
        let command = Repetition::of(&scenes, steps, time)?;
        let Appearance { quality, stage, quantity } = self.appearance;
        let text = match self.copied {
            Copied::Window => command.line(&[], &[]),
            Copied::Run => command.line(&["run", "--steps", &command.ticks.to_string()], &[]),
            Copied::Picture => {
                // several lanes are all in view as they are
                let camera = self.camera.filter(|_| command.lanes.is_empty()).map(camera_words);
                let mut after = vec!["--stage", stage_word(stage), "--quality", quality_word(quality)];
                let paint = quantity_word(quantity);
                after.extend(["--paint", &paint]);
                if let Some(camera) = &camera {
                    after.extend(["--camera", camera]);
                }
                after.extend(["--out", "picture.png"]);
                command.line(&["render", "--start", &format!("{time:.4}")], &after)
            }
        };
        Ok(Line { text, missing: command.common.missing })
    }
}
