//! Changing a scene by name, taking over changes of a running simulation, and writing scene files:
//! only values that differ from their defaults, so that they read like files written by hand.

use std::path::Path;

use super::picture::check_picture;
use super::settings::{self, Scalar, SolverSettings};
use super::{Body, Fabric, InputError, MeshFile, MeshImport, Pinning, Scene, files};
use crate::sim::params::Tunable;
use crate::sim::{Simulation, solvers};

/// The key of the picture on the cloth, which is no declared parameter.
pub const IMAGE: &str = "image";

impl Scene {
    /// Changes one thing by name, as `--set key=value` does: a declared parameter of the scene or
    /// of its solver, `mesh` or `body` (a path), `image` (a path, or `none`), `solver`, `dummy`
    /// (true or false), or `fabric`, which sets material, mass and look.
    ///
    /// # Errors
    /// [`InputError`] for an unknown key (with the nearest known one) or a value that it does not
    /// take.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), InputError> {
        let place = format!("--set {key}={value}");
        match key {
            "mesh" => {
                self.first.mesh = Some(MeshFile { file: value.to_owned() });
                self.first.body = None;
                self.pose_dummy();
                return Ok(());
            }
            "body" => {
                self.first.body = Some(Body::File { file: value.to_owned(), scale: 1.0 });
                self.first.mesh = None;
                return Ok(());
            }
            IMAGE => {
                self.image = (value != "none").then(|| value.to_owned());
                return self.image.as_deref().map_or(Ok(()), check_picture);
            }
            "solver" => return self.set_solver(value),
            "dummy" => {
                let wanted = value.parse().map_err(|_| InputError::new(&place, "is either true or false"))?;
                self.set_dummy(wanted);
                return Ok(());
            }
            "fabric" => {
                let fabric = Fabric::find(value)?;
                let has_mesh = self.all_pieces().any(|piece| piece.mesh.is_some());
                fabric.apply_to(&mut self.parameters, has_mesh);
                self.fabric.clone_from(&fabric.id);
                return Ok(());
            }
            _ => {}
        }
        let mut known: Vec<&'static str> = vec!["mesh", "body", IMAGE, "solver", "fabric", "dummy"];
        let mut outcome = None;
        self.visit(|group| {
            known.extend(group.params().iter().map(|param| param.key));
            if group.index_of(key).is_some() {
                outcome = Some(group.set_text(key, value));
            }
        });
        outcome
            .ok_or_else(|| {
                let mend = InputError::suggestion(key, known.iter().copied());
                InputError::new(&place, format!("unknown key; {mend}"))
            })?
            .map_err(|error| InputError::new(&place, error.to_string()))?;
        if MeshImport::default().index_of(key).is_some() {
            self.pose_dummy();
        }
        // a setting of the solver is named, even if it is the default
        let solver = settings::build_solver(&self.solver, &self.settings, &place)?;
        if let Some(index) = solver.settings().index_of(key) {
            let (param, value) = (&solver.settings().params()[index], solver.settings().get(index));
            self.settings.insert(key.to_owned(), Scalar::of(param, value));
        }
        Ok(())
    }

    /// Shows every group of declared parameters to `visit`, those of the solver last, and takes
    /// over what it changes. Returns what `visit` returned.
    pub fn visit<T>(&mut self, mut visit: impl FnMut(&mut dyn Tunable) -> T) -> Vec<T> {
        let mut pinning = Pinning { pins: self.first.pins };
        let shape: [&mut dyn Tunable; 3] = [&mut self.first.grid, &mut self.first.import, &mut pinning];
        let mut results: Vec<T> = shape.into_iter().chain(self.parameters.groups_mut()).map(&mut visit).collect();
        self.first.pins = pinning.pins;
        if let Ok(mut solver) = settings::build_solver(&self.solver, &self.settings, "") {
            let before = settings::collect(solver.settings());
            results.push(visit(solver.settings_mut()));
            // settings that nobody has set are left out
            let after = settings::collect(solver.settings());
            let same = |key: &String, value: &Scalar| before.get(key) == Some(value);
            self.settings.extend(after.into_iter().filter(|(key, value)| !same(key, value)));
        }
        results
    }

    /// Chooses the solver, with the settings that the scene has for it or its default ones: those
    /// of another one would mean something else to it, and stay with that one.
    ///
    /// # Errors
    /// [`InputError`] when there is no solver of that name.
    pub fn set_solver(&mut self, id: &str) -> Result<(), InputError> {
        settings::build_solver(id, &SolverSettings::new(), "")?;
        self.choose(id);
        Ok(())
    }

    /// Chooses a solver that there is; the settings of the last one stay with it.
    fn choose(&mut self, id: &str) {
        if self.solver == id {
            return;
        }
        let next = self.solvers.remove(id).unwrap_or_default();
        let last = std::mem::replace(&mut self.settings, next);
        let last_id = std::mem::replace(&mut self.solver, id.to_owned());
        if !last.is_empty() {
            self.solvers.insert(last_id, last);
        }
    }

    /// Takes over the parameters and solver settings that a running simulation has now, so that
    /// [`Scene::build`] starts again with them.
    pub fn update_from(&mut self, simulation: &Simulation) {
        self.parameters = simulation.parameters;
        self.colliders.clone_from(&simulation.state.world.colliders);
        self.choose(simulation.solver().info().id);
        self.settings = settings::collect(simulation.solver().settings());
    }

    /// Leaves the settings of the solver unnamed if they are those that suit `simulation`, and
    /// `before` named none; else those that have their default, as far as others stay.
    pub fn leave_suited(&mut self, before: &Self, simulation: &Simulation) {
        let suited = simulation.suited_solver();
        if before.settings_of(&self.solver).is_empty() && self.settings == settings::collect(suited.settings()) {
            self.settings.clear();
            return;
        }
        let Some(solver) = solvers::build(&self.solver) else { return };
        let defaults = settings::collect(solver.settings());
        let is_default = |key: &String, value: &Scalar| defaults.get(key) == Some(value);
        if self.settings.iter().any(|(key, value)| !is_default(key, value)) {
            self.settings.retain(|key, value| !is_default(key, value));
        }
    }
}

impl Scene {
    /// The text of a file that [`Scene::parse`] makes this scene of, to the same bits; only the
    /// name is the file's.
    #[must_use]
    pub fn to_ron(&self) -> String {
        let fields: String =
            self.changed_fields().iter().map(|(key, value)| format!("    {key}: {value},\n")).collect();
        format!("(\n{fields})\n")
    }

    /// The same for a file in `folder`: other files are named so that they are found from there.
    #[must_use]
    pub fn to_ron_in(&self, folder: &Path) -> String {
        let mut scene = self.clone();
        for file in scene.files_mut() {
            // files that come with the program are found from anywhere
            if Path::new(&*file).is_relative() && files::embedded(file).is_some() {
                continue;
            }
            let (Ok(whole), Ok(folder)) = (Path::new(&*file).canonicalize(), folder.canonicalize()) else { continue };
            let named = whole.strip_prefix(folder).map_or(whole.as_path(), |within| within);
            *file = named.to_string_lossy().into_owned();
        }
        scene.to_ron()
    }
}
