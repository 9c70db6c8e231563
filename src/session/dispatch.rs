//! Execution of each command by a session.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Command, CutHit, Offer, Session};
use crate::scene::{
    Edit, Fabric, IMAGE, InputError, MeshImport, Scalar, Scene, ScenePart, Snapshot, check_picture, other_unit,
    read_text, set_parameter,
};
use crate::sim::contact::ColliderGrab;
use crate::sim::forces::air::AirMode;
use crate::sim::params::ParamError;
use crate::sim::params::quote::quote;
use crate::sim::params::units::significant;
use crate::sim::pattern::OneRings;
use crate::sim::topology::cut_path::{CutPath, Hit};
use crate::sim::{Grab, Simulation};

/// A value that a parameter does not take.
fn refused(error: ParamError) -> InputError {
    InputError::new("", error.to_string())
}

impl Session {
    /// Executes `command`.
    ///
    /// # Errors
    /// [`InputError`] for an impossible command; it changes nothing.
    pub(super) fn dispatch(&mut self, command: Command) -> Result<(), InputError> {
        command.check()?;
        match command {
            Command::Grab { vertex, target } => self.grab(Grab { vertex, target })?,
            Command::Move { target } => self.move_hand(target),
            Command::Release => self.release(),
            Command::MoveCollider { collider, position, rotation } => {
                self.move_collider(ColliderGrab { collider, position, rotation })?;
            }
            Command::ReleaseCollider => self.release_collider(),
            Command::MoveHandle { piece, handle, offset } => {
                self.move_handle(ScenePart::Handle { piece, at: handle }, offset)?;
            }
            Command::Pin { vertex } => {
                self.check_vertex(vertex)?;
                self.simulation.state.cloth.pin_here(vertex);
                self.log(&format!("pinned vertex {vertex}"));
            }
            Command::Unpin { vertex } => {
                self.check_vertex(vertex)?;
                if self.simulation.state.cloth.unpin(vertex) {
                    self.log(&format!("unpinned vertex {vertex}"));
                }
            }
            Command::Cut { begin, hits } => self.cut(begin, &hits)?,
            Command::Set { key, value } => self.set(&key, &value)?,
            Command::Fabric { id } => self.make_of(&id)?,
            Command::Iron => {
                self.log("ironing");
                self.state.ironing.begin();
            }
            Command::Solver { id } => self.set_solver(&id)?,
            Command::Wind { on } => self.set_wind(on),
            Command::Table { on } => self.simulation.parameters.table.table = on,
            Command::Reset => self.reset(false)?,
            Command::ResetHeld => self.reset(true)?,
            Command::Restore => self.restore(),
            Command::Mend { set, solver } => self.mend(&set, solver.as_deref())?,
            Command::Edit { edit } => self.edit(&edit)?,
            Command::Scene { name } => {
                let scene = Scene::load(&name)?;
                self.open(&name, scene)?;
            }
            Command::Open { file } => {
                self.messages.opened = None;
                self.open_file(&file)?;
                self.messages.opened = Some(file);
            }
            Command::Pause { on } => {
                self.state.paused = on || self.recovery.failure.is_some();
                self.recovery.stopped_by_failure = false;
                self.log(if self.state.paused { "paused" } else { "running" });
            }
            Command::Step => self.step_once(),
            Command::Arrange { arrangement } => {
                self.arrange(&arrangement)?;
                self.leave_failure();
            }
            // about the way, not about the cloth
            Command::Undo | Command::Redo | Command::GoTo { .. } | Command::DropLeft | Command::Finish => {}
            Command::Dismiss => self.messages.dismiss(),
        }
        Ok(())
    }

    /// Takes a step. A failure is reported by the step itself.
    fn step_once(&mut self) {
        if self.step().is_ok() {
            self.log(&format!("stepped to t = {:.4} s", self.simulation.time()));
        }
    }

    /// Turns the wind on, or off: then the air is that of the scene.
    fn set_wind(&mut self, on: bool) {
        let calm = Some(self.state.defaults.parameters.air.air).filter(|air| *air != AirMode::Wind);
        let air = if on { AirMode::Wind } else { calm.unwrap_or(AirMode::Still) };
        let was = std::mem::replace(&mut self.simulation.parameters.air.air, air);
        if on && was != AirMode::Wind {
            self.state.rising_wind.begin();
        }
    }

    /// Starts the scene again with the present parameters. Colliders go back to where the scene has
    /// them.
    /// Starts the scene again, with the present pins if they are `held`.
    fn reset(&mut self, held: bool) -> Result<(), InputError> {
        let mut scene = Scene { colliders: self.state.scene.colliders.clone(), ..self.scene() };
        // of another cloth than that of the scene the pins stay those of the scene
        if held && let Err(error) = scene.hold_as(&self.simulation) {
            self.log(&error.to_string());
        }
        self.log("reset");
        let simulation = scene.build()?;
        self.replace(Arc::new(scene), simulation);
        self.note_start(Vec::new());
        Ok(())
    }

    fn make_of(&mut self, id: &str) -> Result<(), InputError> {
        let fabric = Fabric::find(id)?;
        let has_mesh = self.simulation.pattern().has_membrane();
        fabric.apply_to(&mut self.simulation.parameters, has_mesh);
        Arc::make_mut(&mut self.state.scene).fabric.clone_from(&fabric.id);
        self.log(&format!("made of {id}"));
        Ok(())
    }

    pub(super) fn check_vertex(&self, vertex: u32) -> Result<(), InputError> {
        let count = self.simulation.state.cloth.len();
        if (vertex as usize) < count {
            return Ok(());
        }
        Err(InputError::new("", format!("vertex {vertex} does not exist; the cloth has {count} vertices")))
    }

    fn cut(&mut self, begin: bool, hits: &[Option<CutHit>]) -> Result<(), InputError> {
        let pattern = self.simulation.pattern();
        let positions = &self.simulation.state.cloth.positions;
        let place = |hit: &CutHit| {
            let corners = pattern.triangles().get(hit.triangle as usize)?;
            let points = corners.iter().zip(hit.weights).map(|(&corner, weight)| positions[corner as usize] * weight);
            Some(Hit { triangle: hit.triangle, point: points.sum() })
        };
        if let Some(hit) = hits.iter().flatten().find(|hit| place(hit).is_none()) {
            return Err(InputError::new("", format!("triangle {} does not exist", hit.triangle)));
        }
        let in_body = |hit: &CutHit| pattern.triangles()[hit.triangle as usize].iter().any(|&i| pattern.is_in_body(i));
        if hits.iter().flatten().any(in_body) {
            return Err(InputError::new("", "a body of tetrahedra cannot be cut, only cloth can"));
        }
        let points: Vec<Option<Hit>> = hits.iter().map(|hit| hit.as_ref().and_then(place)).collect();
        if begin {
            self.state.cut_path = CutPath::default();
        }
        let edges = self.state.cut_path.follow(&OneRings::of(pattern), positions, &points);
        let torn = self.simulation.cut(&edges);
        if torn > 0 {
            self.log(&format!("cut, {torn} new vertices"));
            self.follow_tears();
        }
        Ok(())
    }

    fn set(&mut self, key: &str, value: &Scalar) -> Result<(), InputError> {
        if set_parameter(&mut self.simulation, key, value).map_err(refused)? {
            return Ok(());
        }
        if key == IMAGE {
            let file = value.to_string();
            return self.print((file != "none").then_some(&file));
        }
        // the shape of the cloth: it starts again
        let mut scene = self.scene();
        scene.set(key, &value.to_string())?;
        let simulation = scene.build()?;
        self.replace(Arc::new(scene), simulation);
        self.note_start(Vec::new());
        Ok(())
    }

    /// Changes what stands in the scene. Colliders go back to where the scene has them.
    fn edit(&mut self, edit: &Edit) -> Result<(), InputError> {
        let mut scene = Scene { colliders: self.state.scene.colliders.clone(), ..self.scene() };
        scene.leave_suited(&self.state.scene, &self.simulation);
        scene.edit(edit)?;
        let simulation = scene.build()?;
        self.log(&format!("edited: {}", edit.name()));
        self.replace(Arc::new(scene), simulation);
        self.note_start(Vec::new());
        Ok(())
    }

    fn set_solver(&mut self, id: &str) -> Result<(), InputError> {
        self.change_solver(id)?;
        self.leave_failure();
        Ok(())
    }

    /// After a blow-up, continues from the last good state.
    fn leave_failure(&mut self) {
        if self.recovery.failure.is_some() {
            self.restore();
            self.state.paused = false;
        }
    }

    fn change_solver(&mut self, id: &str) -> Result<(), InputError> {
        if !self.simulation.set_solver(id) {
            let known = crate::sim::solvers::REGISTRY.iter().map(|entry| entry.info.id);
            let mend = InputError::suggestion(id, known);
            return Err(InputError::new("", format!("there is no solver \"{}\"; {mend}", quote(id))));
        }
        self.log(&format!("solver {id}"));
        Ok(())
    }

    /// Goes back to the last good state. Time stands still afterwards if it was a failure that
    /// stopped it: the same solver would only fail again.
    fn restore(&mut self) {
        if let Some(last) = self.recovery.checkpoints.take_last_good() {
            self.log(&format!("restored t = {:.4} s", last.simulation.state.time));
            self.simulation.return_to(&last.simulation);
            // its vertices may be of a cut that is undone by this
            self.state.cut_path = CutPath::default();
            self.numbers.jumps += 1;
        }
        self.recovery.failure = None;
        self.recovery.stopped_by_failure = false;
        self.forget_motion();
    }

    /// Goes back to the last good state with these parameters and this solver, and on from there.
    fn mend(&mut self, set: &BTreeMap<String, Scalar>, solver: Option<&str>) -> Result<(), InputError> {
        let mut parameters = self.simulation.parameters;
        for (key, value) in set {
            let unknown = || InputError::new("", format!("there is no parameter {}", quote(key)));
            let (group, _) = parameters.find_mut(key).ok_or_else(unknown)?;
            value.put(key, group).map_err(refused)?;
        }
        if let Some(id) = solver {
            self.change_solver(id)?;
        }
        self.simulation.parameters = parameters;
        self.restore();
        self.state.paused = false;
        Ok(())
    }

    fn open_file(&mut self, file: &str) -> Result<(), InputError> {
        match file.rsplit('.').next().map(str::to_ascii_lowercase).as_deref() {
            Some("obj") => {
                // the file of the cloth there is has been written anew: all else stays
                let is_there = self.state.scene.first.mesh.as_ref().is_some_and(|mesh| mesh.file == file);
                let scene = if is_there { self.scene() } else { Scene::of_mesh(file)? };
                self.open(file, scene)?;
                self.offer_dummy(file);
                self.offer_unit(file);
                Ok(())
            }
            Some("mesh" | "msh") => {
                let mut scene = if self.state.scene.first.body.is_some() { self.scene() } else { Scene::load("body")? };
                scene.set("body", file)?;
                self.open(file, scene)
            }
            Some("ron") => self.open(file, Scene::load(file)?),
            Some("json") => {
                let text = read_text(file, "the snapshot")?;
                let (scene, simulation) = Snapshot::parse(&text, file)?.restore()?;
                self.go_over(file, scene, simulation);
                Ok(())
            }
            Some("png") => self.print(Some(file)),
            _ => {
                let known = "drop a mesh (.obj), a body (.mesh, .msh), a scene (.ron), a snapshot (.json) or a picture for the cloth (.png)";
                Err(InputError::new(file, known))
            }
        }
    }

    /// Prints a picture on the cloth, or none; the cloth continues unchanged.
    fn print(&mut self, file: Option<&str>) -> Result<(), InputError> {
        file.map_or(Ok(()), check_picture)?;
        Arc::make_mut(&mut self.state.scene).image = file.map(str::to_owned);
        (self.messages.message, self.messages.offer) = (None, None);
        self.log(&file.map_or("no picture".to_owned(), |file| format!("printed {file}")));
        Ok(())
    }

    /// Offers a dummy for a garment.
    fn offer_dummy(&mut self, file: &str) {
        if !self.state.scene.has_dummy() && self.state.scene.colliders.is_empty() {
            let command = Command::Set { key: "dummy".to_owned(), value: Scalar::Toggle(true) };
            let held = !self.simulation.state.cloth.pins().is_empty();
            let pins = if held { "" } else { " Right click pins a vertex, Space starts time." };
            let reason = format!("{file} has only the floor to fall on.{pins}");
            self.messages.offer = Some(Offer { reason, label: "Add a dummy".to_owned(), command });
        }
    }

    /// Offers another unit for a mesh that is no garment by its size.
    fn offer_unit(&mut self, file: &str) {
        let found = other_unit(self.simulation.pattern().rest_positions());
        let Some((size, unit, factor)) = found.filter(|_| self.state.scene.first.import.mesh_scale == 1.0) else {
            return;
        };
        let command = Command::Set { key: MeshImport::mesh_scale.to_owned(), value: Scalar::Real(factor) };
        let reason = format!("{file} is {} m across. Was it made in {unit}?", significant(size));
        self.messages.offer = Some(Offer { reason, label: format!("Scale it by {factor}"), command });
    }

    fn open(&mut self, name: &str, scene: Scene) -> Result<(), InputError> {
        let (simulation, notes) = scene.build_with_notes()?;
        self.go_over(name, scene, simulation);
        self.note_start(notes);
        Ok(())
    }

    /// Tells `notes` about the files of the scene, and which vertices start inside something.
    pub fn note_start(&mut self, mut notes: Vec<String>) {
        notes.extend(self.state.scene.notes_of_start(&self.simulation));
        notes.iter().for_each(|note| self.log(note));
        self.messages.note = Some(notes.join(". ")).filter(|note| !note.is_empty());
    }

    /// Switches to a loaded simulation.
    fn go_over(&mut self, name: &str, scene: Scene, simulation: Simulation) {
        self.log(&format!("opened {name}"));
        let scene = Arc::new(scene);
        self.state.defaults = Arc::clone(&scene);
        self.replace(scene, simulation);
    }
}
