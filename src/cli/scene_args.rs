//! Common arguments of all commands: scene, solver, parameters.

use clap::Args;

use super::output::report;
use crate::scene::{InputError, Scene, Snapshot, read_text};
use crate::session::Stamped;
use crate::sim::Simulation;

/// What every command takes.
#[derive(Args, Clone, Default)]
pub(super) struct SceneArgs {
    /// Scene by name, or a scene file that ends in .ron, or a mesh of your own that ends in .obj
    #[arg(long, value_name = "NAME|FILE")]
    pub scene: Option<String>,
    /// Solver by id
    #[arg(long, value_name = "ID")]
    pub solver: Option<String>,
    /// Change a parameter, as often as wanted
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
}

impl SceneArgs {
    /// The scene with the changes that the arguments ask for.
    pub fn load(&self) -> Result<Scene, InputError> {
        let mut scene = Scene::load(self.scene.as_deref().unwrap_or(Scene::DEFAULT))?;
        self.change(&mut scene)?;
        Ok(scene)
    }

    /// Makes the changes that the arguments ask for.
    pub fn change(&self, scene: &mut Scene) -> Result<(), InputError> {
        if let Some(solver) = &self.solver {
            scene.set_solver(solver).map_err(|error| InputError::new("--solver", error.to_string()))?;
        }
        for assignment in &self.set {
            let (key, value) = assignment.split_once('=').ok_or_else(|| {
                InputError::new(format!("--set {assignment}"), "needs the form key=value, like gravity=1.62")
            })?;
            scene.set(key.trim(), value.trim())?;
        }
        Ok(())
    }

    /// The simulation to start with, from a snapshot or from the scene, and the scene it belongs
    /// to.
    pub fn start(&self, from: Option<&str>) -> Result<(Scene, Simulation), InputError> {
        let Some(file) = from else {
            let scene = self.load()?;
            let (simulation, notes) = scene.build_with_notes()?;
            notes.iter().chain(&scene.notes_of_start(&simulation)).for_each(|note| report(note));
            return Ok((scene, simulation));
        };
        let text = read_text(file, "the snapshot")?;
        let mut snapshot = Snapshot::parse(&text, file)?;
        snapshot.change(|scene| self.change(scene))?;
        snapshot.restore().map_err(|error| InputError::new(file, error.to_string()))
    }
}

/// The commands of a file, none without one.
pub(super) fn read_commands(file: Option<&str>) -> Result<Vec<Stamped>, InputError> {
    let Some(file) = file else { return Ok(Vec::new()) };
    let text = read_text(file, "the commands")?;
    Stamped::parse_list(&text, file)
}
