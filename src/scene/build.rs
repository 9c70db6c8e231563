//! From a scene to a simulation, with messages about a cloth that starts inside colliders or
//! bodies.

use super::mesh_import::{note_of_size, read_mesh};
use super::picture::check_picture;
use super::piece::Placed;
use super::settings::{self, SolverSettings};
use super::size::Budget;
use super::{ImportedMesh, InputError, MeshImport, Scene};
use crate::sim::contact::Collider;
use crate::sim::params::quote::quote;
use crate::sim::simulation::Enclosure;
use crate::sim::{Pattern, Simulation, Solver, Vec3, World};

impl Scene {
    /// Makes the simulation. A solver for which no setting is named has settings that suit the
    /// cloth.
    ///
    /// # Errors
    /// [`InputError`] when a file cannot be read or a number is out of range.
    pub fn build(&self) -> Result<Simulation, InputError> {
        self.build_with_notes().map(|(simulation, _)| simulation)
    }

    /// Makes the simulation, and tells in sentences which parts of its files were left out, joined
    /// or divided.
    ///
    /// # Errors
    /// As [`build`](Self::build).
    pub fn build_with_notes(&self) -> Result<(Simulation, Vec<String>), InputError> {
        let mut notes = Vec::new();
        self.check_parameters()?;
        self.image.as_deref().map_or(Ok(()), check_picture)?;
        let pieces: Vec<_> = self.all_pieces().cloned().collect();
        let place = |number: usize| match number {
            0 => self.name.clone(),
            _ => format!("{}, cloth {}", self.name, number + 1),
        };
        let mut budget = Budget::of(&pieces, &self.name)?;
        let mut cut = Vec::with_capacity(pieces.len());
        for (number, piece) in pieces.iter().enumerate() {
            cut.push(piece.cut(&place(number), &mut notes)?);
            budget.built(number, &cut[number].pattern, &self.name)?;
        }
        let overrides: Vec<_> = pieces.iter().map(|piece| piece.material).collect();
        let (patterns, grids): (Vec<Pattern>, Vec<_>) = cut.into_iter().map(|cut| (cut.pattern, cut.grid)).unzip();
        // a single one is the whole already: a large cloth is not copied
        let whole = <[Pattern; 1]>::try_from(patterns).map_or_else(|parts| Pattern::join(&parts), |[whole]| whole);
        let grains: Vec<_> = pieces.iter().map(|piece| piece.import.grain).collect();
        let whole = whole.with_overrides(&overrides).with_grains(&grains);
        let mut simulation = self.build_from(whole, &mut notes)?;
        let pattern = simulation.shared_pattern();
        let ends = pattern.pieces().iter().skip(1).copied().chain([pattern.len() as u32]);
        let spans = pattern.pieces().iter().copied().zip(ends);
        for (number, ((piece, grid), (first, end))) in pieces.iter().zip(grids).zip(spans).enumerate() {
            let placed = Placed { grid, first, rest: &pattern.rest_positions()[first as usize..end as usize] };
            piece.pose(&placed, &mut simulation.state.cloth);
            piece.hold(&placed, &mut simulation.state.cloth, &place(number))?;
        }
        if self.settings.is_empty() {
            simulation.suit_solver();
        }
        Ok((simulation, notes))
    }

    /// The solver with its settings.
    ///
    /// # Errors
    /// [`InputError`] when the solver or a setting is unknown.
    pub fn solver(&self) -> Result<Box<dyn Solver>, InputError> {
        settings::build_solver(&self.solver, &self.settings, &self.name)
    }

    /// A solver by its id, with the settings that it has in this scene.
    ///
    /// # Errors
    /// [`InputError`] when the solver or a setting is unknown.
    pub fn solver_called(&self, id: &str) -> Result<Box<dyn Solver>, InputError> {
        settings::build_solver(id, &self.settings_of(id), &self.name)
    }

    /// Names all settings of the solver, with their defaults where none was named: then none is
    /// chosen to suit the cloth.
    ///
    /// # Errors
    /// [`InputError`] when the solver or a setting is unknown.
    pub fn name_settings(&mut self) -> Result<(), InputError> {
        self.settings = settings::collect(self.solver()?.settings());
        Ok(())
    }

    /// The settings of a solver in this scene, by its id.
    pub(crate) fn settings_of(&self, id: &str) -> SolverSettings {
        let other = || self.solvers.get(id).cloned().unwrap_or_default();
        if id == self.solver { self.settings.clone() } else { other() }
    }

    /// A simulation of `pattern` with everything in this scene beside the cloth's shape and pins.
    /// Messages for the user about the files of colliders are added to `notes`.
    pub(super) fn build_from(&self, pattern: Pattern, notes: &mut Vec<String>) -> Result<Simulation, InputError> {
        let solver = self.solver()?;
        let mut simulation = Simulation::new(pattern, self.parameters.mass, solver);
        simulation.parameters = self.parameters;
        simulation.state.world = World { colliders: self.colliders(notes)?, grab: None };
        for id in self.solvers.keys().filter(|id| **id != self.solver) {
            simulation.keep_solver(self.solver_called(id)?);
        }
        Ok(simulation)
    }

    /// The colliders, with the content of their files.
    fn colliders(&self, notes: &mut Vec<String>) -> Result<Vec<Collider>, InputError> {
        let mut colliders = self.colliders.clone();
        for collider in &mut colliders {
            let Some(path) = collider.shape.file().filter(|file| !file.is_read).map(|file| file.path.clone()) else {
                continue;
            };
            let mesh = read_mesh(&path, MeshImport::default().weld)?;
            notes.extend(mesh.note(&path));
            let ImportedMesh { positions, triangles, .. } = mesh;
            let size = collider.shape.file().map_or(1.0, |file| file.scale);
            let scaled: Vec<Vec3> = positions.iter().map(|x| *x * size).collect();
            notes.extend(note_of_size(&path, &scaled, ("scale", size)));
            collider.shape.fill(positions, triangles);
            if let Some(fault) = collider.fault() {
                return Err(InputError::new(path, fault));
            }
        }
        Ok(colliders)
    }
}

impl Scene {
    /// Sentences about the vertices that start inside a closed collider or a body, in a simulation
    /// of this scene that has taken no step.
    #[must_use]
    pub fn notes_of_start(&self, simulation: &Simulation) -> Vec<String> {
        if simulation.steps() > 0 {
            return Vec::new();
        }
        let all = simulation.state.cloth.len();
        let found = simulation.find_enclosed();
        found.into_iter().map(|(enclosure, inside)| self.note_of(enclosure, inside, all)).collect()
    }

    fn note_of(&self, enclosure: Enclosure, inside: usize, all: usize) -> String {
        let (start, them) = if inside == 1 { ("vertices starts", "it") } else { ("vertices start", "them") };
        let called = |name: &str| if name.is_empty() { String::new() } else { format!(" \"{}\"", quote(name)) };
        let place = match enclosure {
            Enclosure::Floor => "below the floor".to_owned(),
            Enclosure::Table => "inside the table".to_owned(),
            Enclosure::Collider(at) => {
                let name = self.colliders.get(at).map_or("", |collider| &collider.name);
                format!("inside collider {}{}", at + 1, called(name))
            }
            Enclosure::Body(at) => {
                let name = self.all_pieces().nth(at).map_or("", |piece| &piece.name);
                return format!(
                    "{inside} of {all} {start} inside the body of cloth {}{}, which keeps {them} in; move one of the two",
                    at + 1,
                    called(name)
                );
            }
        };
        format!("{inside} of {all} {start} {place}, which pushes {them} out in the first steps; move one of the two")
    }
}
