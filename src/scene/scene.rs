//! A scene: everything that a simulation starts from.

use std::path::Path as FilePath;

use ron::error::SpannedError;
use ron::extensions::Extensions;
use serde::{Deserialize, Serialize};

use super::pinning::bounds;
use super::settings::{self, SolverSettings};
use super::{ImportedMesh, InputError, PinChoice, files, import_obj};
use crate::sim::contact::{Collider, Contact, Table};
use crate::sim::forces::Air;
use crate::sim::material::Mass;
use crate::sim::params::{ParamError, Tunable, count, logarithmic};
use crate::sim::pattern::Plane;
use crate::sim::world::Gravity;
use crate::sim::{Material, Path, Pattern, Pin, Real, Simulation, Timing, Vec3, World};

crate::choices! {
    /// How a grid is laid out at the start.
    pub enum GridPlane {
        /// Lying flat.
        Flat = "flat",
        /// Upright, facing the camera.
        Front = "front",
        /// Upright, seen edge-on.
        Side = "side",
    }
}

crate::parameters! {
    /// A rectangular cloth.
    pub struct Grid {
        /// Vertices along the width. More show finer folds; the work grows with their number, for implicit solvers faster.
        pub columns: u32 = 30, "Columns", "", count(2, 400);
        /// Vertices along the height.
        pub rows: u32 = 30, "Rows", "", count(2, 400);
        /// Width of the cloth.
        pub width: Real = 1.0, "Width", "m", logarithmic(0.05, 20.0);
        /// Height of the cloth.
        pub height: Real = 1.0, "Height", "m", logarithmic(0.05, 20.0);
        /// How it is laid out at the start.
        pub plane: GridPlane = GridPlane::Flat, "Start", "", GridPlane::KIND;
    }
}

crate::parameters! {
    /// How a mesh file is read.
    pub struct MeshImport {
        /// Factor from the unit of the mesh file to metres; 0.01 for a mesh in centimetres.
        pub mesh_scale: Real = 1.0, "Mesh scale", "", logarithmic(1e-4, 1e4);
        /// Vertices closer than this share of the mesh's diagonal become one.
        pub weld: Real = 1e-6, "Weld", "", logarithmic(1e-9, 0.01);
    }
}

crate::parameters! {
    /// What is held at the start.
    pub struct Pinning {
        /// Which vertices are held at the start.
        pub pins: PinChoice = PinChoice::Two, "Pins", "", PinChoice::KIND;
    }
}

/// A triangle mesh from an OBJ file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeshFile {
    /// Its path: as given on the command line; in a scene file relative to that file, or one of the meshes that come
    /// with the program, like `assets/meshes/poncho.obj`.
    pub file: String,
}

/// Vertices that are moved along a path.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Handle {
    /// Which vertices.
    pub pins: PinChoice,
    /// How they move.
    pub path: Path,
}

/// Everything that a simulation starts from. Field by field in `assets/scenes/README.md`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Scene {
    /// Name in menus and on the command line: the file's name without its ending.
    #[serde(skip)]
    pub name: String,
    /// Title.
    pub title: String,
    /// What there is to see.
    pub summary: String,
    /// The paper and figure that it follows.
    pub source: String,
    /// The rectangular cloth, unless there is a mesh.
    pub grid: Grid,
    /// The mesh that is the cloth.
    pub mesh: Option<MeshFile>,
    /// How the mesh is read.
    pub import: MeshImport,
    /// Middle of the cloth's bounding box at the start [m]; a mesh without it stays where its file has it.
    pub position: Option<Vec3>,
    /// What is held.
    pub pins: PinChoice,
    /// Further held vertices, by number.
    pub pinned: Vec<u32>,
    /// What is moved along a path.
    pub handles: Vec<Handle>,
    /// How heavy the cloth is.
    pub mass: Mass,
    /// Stiffness and damping.
    pub material: Material,
    /// Downward acceleration [m/s²].
    pub gravity: Real,
    /// Air and wind.
    pub air: Air,
    /// Contact.
    pub contact: Contact,
    /// The table.
    pub table: Table,
    /// Further colliders.
    pub colliders: Vec<Collider>,
    /// Step and substeps.
    pub timing: Timing,
    /// The solver's id.
    pub solver: String,
    /// The solver's own settings.
    pub settings: SolverSettings,
}

impl Default for Scene {
    fn default() -> Self {
        Self {
            name: String::new(),
            title: String::new(),
            summary: String::new(),
            source: String::new(),
            grid: Grid::default(),
            mesh: None,
            import: MeshImport::default(),
            position: None,
            pins: Pinning::default().pins,
            pinned: Vec::new(),
            handles: Vec::new(),
            mass: Mass::default(),
            material: Material::default(),
            gravity: Gravity::default().gravity,
            air: Air::default(),
            contact: Contact::default(),
            table: Table::default(),
            colliders: Vec::new(),
            timing: Timing::default(),
            solver: "fast-mass-spring".to_owned(),
            settings: SolverSettings::new(),
        }
    }
}

impl Scene {
    /// Name of the scene that opens when none is named.
    pub const DEFAULT: &'static str = "hanging";

    /// The scene called `name`, or the one in the scene file `name`.
    ///
    /// # Errors
    /// [`InputError`] when there is no such scene or its file is broken.
    pub fn load(name: &str) -> Result<Self, InputError> {
        let path = FilePath::new(name);
        if path.extension().is_some_and(|extension| extension == "ron") {
            let text =
                std::fs::read_to_string(path).map_err(|error| InputError::new(name, format!("cannot be read: {error}")))?;
            let mut scene = Self::parse(&text, name)?;
            scene.name = name.to_owned();
            // a mesh is looked for beside the scene file that names it
            if let (Some(mesh), Some(folder)) = (&mut scene.mesh, path.parent()) {
                let beside = folder.join(&mesh.file);
                if beside.is_file() {
                    mesh.file = beside.to_string_lossy().into_owned();
                }
            }
            return Ok(scene);
        }
        let known = files::names();
        if !known.iter().any(|scene| scene == name) {
            let mend = InputError::suggestion(name, known.iter().map(String::as_str));
            return Err(InputError::new(
                "",
                format!("there is no scene \"{name}\"; {mend} A scene of your own is a file that ends in .ron"),
            ));
        }
        let file = format!("assets/scenes/{name}.ron");
        let text = files::embedded(&file).ok_or_else(|| InputError::new(&file, "cannot be read"))?;
        let mut scene = Self::parse(&text, &file)?;
        name.clone_into(&mut scene.name);
        Ok(scene)
    }

    /// Reads the text of a scene file. `file` is for messages.
    ///
    /// # Errors
    /// [`InputError`] with file and line.
    pub fn parse(text: &str, file: &str) -> Result<Self, InputError> {
        let options = ron::Options::default().with_default_extension(Extensions::IMPLICIT_SOME);
        let scene: Self = options.from_str(text).map_err(|error| at_line(file, &error))?;
        scene.check().map_err(|fault| {
            let line = (1..).zip(text.lines()).find(|(_, line)| mentions(line, &fault.key)).map(|(number, _)| number);
            let place = line.map_or_else(|| file.to_owned(), |line| format!("{file}, line {line}"));
            InputError::new(place, fault.message)
        })?;
        Ok(scene)
    }

    /// Finds what is out of range. Needed after reading; [`Scene::set`] checks by itself.
    fn check(&self) -> Result<(), Fault> {
        self.clone().visit(|group| group.check()).into_iter().collect::<Result<(), _>>()?;
        let fault = |key: &str, message: String| Err(Fault { key: key.to_owned(), message });
        if let Some(message) = self.colliders.iter().find_map(Collider::fault) {
            return fault("colliders", message.to_owned());
        }
        if let Some(message) = self.handles.iter().find_map(|handle| handle.path.fault()) {
            return fault("handles", message);
        }
        if self.position.is_some_and(|position| !position.is_finite()) {
            return fault("position", "position needs three finite numbers".to_owned());
        }
        settings::build_solver(&self.solver, &self.settings, "")
            .map(drop)
            .or_else(|error| fault("solver", error.to_string()))
    }

    /// [`Scene::check`] for a scene that did not come from a file.
    pub(super) fn check_parameters(&self) -> Result<(), InputError> {
        self.check().map_err(|fault| InputError::new(&self.name, fault.message))
    }

    /// Changes one thing by name, as `--set key=value` does: a declared parameter of the scene or of its solver, `mesh`
    /// (a path), or `solver`.
    ///
    /// # Errors
    /// [`InputError`] for an unknown key (with the nearest known one) or a value that it does not take.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), InputError> {
        let place = format!("--set {key}={value}");
        match key {
            "mesh" => {
                self.mesh = Some(MeshFile { file: value.to_owned() });
                return Ok(());
            }
            "solver" => return self.set_solver(value),
            _ => {}
        }
        let mut known: Vec<&'static str> = vec!["mesh", "solver"];
        let mut outcome = None;
        self.visit(|group| {
            known.extend(group.params().iter().map(|param| param.key));
            if let Some(index) = group.index_of(key) {
                outcome = Some(settings::set_text(group, index, value));
            }
        });
        outcome
            .ok_or_else(|| {
                let mend = InputError::suggestion(key, known.iter().copied());
                InputError::new(&place, format!("unknown key; {mend}"))
            })?
            .map_err(|message| InputError::new(&place, message))
    }

    /// Shows every group of declared parameters to `visit`, those of the solver last, and takes over what it changes.
    /// Returns what `visit` returned.
    pub fn visit<T>(&mut self, mut visit: impl FnMut(&mut dyn Tunable) -> T) -> Vec<T> {
        let mut pinning = Pinning { pins: self.pins };
        let mut gravity = Gravity { gravity: self.gravity };
        let groups: [&mut dyn Tunable; 10] = [
            &mut self.grid,
            &mut self.import,
            &mut pinning,
            &mut self.mass,
            &mut self.material,
            &mut gravity,
            &mut self.air,
            &mut self.contact,
            &mut self.table,
            &mut self.timing,
        ];
        let mut results: Vec<T> = groups.into_iter().map(&mut visit).collect();
        self.pins = pinning.pins;
        self.gravity = gravity.gravity;
        if let Ok(mut solver) = settings::build_solver(&self.solver, &self.settings, "") {
            results.push(visit(solver.settings_mut()));
            self.settings = settings::collect(solver.settings());
        }
        results
    }

    /// Chooses the solver; settings that it does not have are dropped.
    ///
    /// # Errors
    /// [`InputError`] when there is no solver of that name.
    pub fn set_solver(&mut self, id: &str) -> Result<(), InputError> {
        let solver = settings::build_solver(id, &SolverSettings::new(), "")?;
        id.clone_into(&mut self.solver);
        self.settings.retain(|key, _| solver.settings().index_of(key).is_some());
        Ok(())
    }

    /// Makes the simulation.
    ///
    /// # Errors
    /// [`InputError`] when the mesh cannot be read or a number is out of range.
    pub fn build(&self) -> Result<Simulation, InputError> {
        self.check_parameters()?;
        let (pattern, held) = self.pattern()?;
        let mut simulation = self.dress(pattern)?;
        for vertex in held(self.pins).into_iter().chain(self.pinned.iter().copied()) {
            if vertex as usize >= simulation.cloth.len() {
                let count = simulation.cloth.len();
                let message = format!("pinned vertex {vertex} does not exist; the cloth has {count} vertices");
                return Err(InputError::new(&self.name, message));
            }
            simulation.cloth.pin_here(vertex);
        }
        for handle in &self.handles {
            for vertex in held(handle.pins) {
                let origin = simulation.cloth.positions[vertex as usize];
                simulation.cloth.pin(Pin { vertex, origin, path: Some(handle.path.clone()) });
            }
        }
        Ok(simulation)
    }

    /// A simulation of `pattern` with everything that this scene says beside the cloth's shape and pins.
    pub(super) fn dress(&self, pattern: Pattern) -> Result<Simulation, InputError> {
        let solver = settings::build_solver(&self.solver, &self.settings, &self.name)?;
        let mut simulation = Simulation::new(pattern, self.mass, solver);
        simulation.material = self.material;
        simulation.timing = self.timing;
        simulation.world = World {
            gravity: Gravity { gravity: self.gravity },
            air: self.air,
            contact: self.contact,
            table: self.table,
            colliders: self.colliders.clone(),
        };
        Ok(simulation)
    }

    /// Takes over the parameters and solver settings that a running simulation has now, so that [`Scene::build`] starts
    /// again with them.
    pub fn adopt(&mut self, simulation: &Simulation) {
        let World { gravity, air, contact, table, colliders } = &simulation.world;
        self.gravity = gravity.gravity;
        (self.air, self.contact, self.table) = (*air, *contact, *table);
        self.colliders.clone_from(colliders);
        (self.mass, self.material, self.timing) = (simulation.mass, simulation.material, simulation.timing);
        simulation.solver().info().id.clone_into(&mut self.solver);
        self.settings = settings::collect(simulation.solver().settings());
    }

    /// The cloth's shape, and which of its vertices a [`PinChoice`] means.
    fn pattern(&self) -> Result<(Pattern, Box<dyn Fn(PinChoice) -> Vec<u32>>), InputError> {
        if let Some(mesh) = &self.mesh {
            let ImportedMesh { mut positions, triangles, .. } = self.read_mesh(&mesh.file)?;
            positions.iter_mut().for_each(|x| *x *= self.import.mesh_scale);
            self.place(&mut positions);
            let pattern = Pattern::mesh(positions.clone(), triangles);
            return Ok((pattern, Box::new(move |pins| pins.on_mesh(&positions))));
        }
        let Grid { columns, rows, width, height, plane } = self.grid;
        let (columns, rows) = (columns as usize, rows as usize);
        let plane = match plane {
            GridPlane::Flat => Plane::Xz,
            GridPlane::Front => Plane::Xy,
            GridPlane::Side => Plane::Zy,
        };
        let pattern = Pattern::grid(columns, rows, width, height, plane);
        let mut positions = pattern.rest_positions().to_vec();
        self.place(&mut positions);
        let pattern = Pattern::new(positions, pattern.triangles().to_vec(), pattern.springs().clone());
        Ok((pattern, Box::new(move |pins| pins.on_grid(columns, rows))))
    }

    /// Moves the cloth so that its middle is at the scene's position.
    fn place(&self, positions: &mut [Vec3]) {
        let (low, high) = bounds(positions);
        let fallback = if self.mesh.is_some() { None } else { Some(Vec3::Y) };
        if let Some(position) = self.position.or(fallback) {
            let shift = position - 0.5 * (low + high);
            positions.iter_mut().for_each(|x| *x += shift);
        }
    }

    fn read_mesh(&self, file: &str) -> Result<ImportedMesh, InputError> {
        let text = match std::fs::read_to_string(file) {
            Ok(text) => text.into(),
            Err(error) => files::embedded(file)
                .ok_or_else(|| InputError::new(file, format!("the mesh cannot be read: {error}")))?,
        };
        import_obj(&text, file, self.import.weld)
    }
}

/// A number out of range, and the field that holds it.
struct Fault {
    key: String,
    message: String,
}

impl From<ParamError> for Fault {
    fn from(error: ParamError) -> Self {
        let (ParamError::OutOfRange { key, .. } | ParamError::NotAValue { key, .. }) = error;
        Self { key: key.to_owned(), message: error.to_string() }
    }
}

/// Whether a line of a scene file sets the field `key`.
fn mentions(line: &str, key: &str) -> bool {
    line.match_indices(key).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + key.len()..].trim_start();
        after.starts_with(':') && !before.is_some_and(|c| c.is_alphanumeric() || c == '_')
    })
}

/// A syntax error with file, line and, for a misspelt name, the one that was meant.
fn at_line(file: &str, error: &SpannedError) -> InputError {
    let place = format!("{file}, line {}, column {}", error.span.start.line, error.span.start.col);
    let message = match &error.code {
        ron::Error::NoSuchStructField { expected, found, .. } => {
            format!("there is no field \"{found}\"; {}", InputError::suggestion(found, expected.iter().copied()))
        }
        ron::Error::NoSuchEnumVariant { expected, found, .. } => {
            format!("there is no \"{found}\"; {}", InputError::suggestion(found, expected.iter().copied()))
        }
        other => other.to_string(),
    };
    InputError::new(place, message)
}
