//! From a scene to a simulation.

use super::pinning::bounds;
use super::{Grid, GridPlane, ImportedMesh, InputError, MeshImport, PinChoice, Scene, files, import_obj, settings};
use crate::sim::contact::Collider;
use crate::sim::pattern::Plane;
use crate::sim::{Pattern, Pin, Real, Simulation, Solver, Vec3, World};

/// Farthest that a cloth may be from the origin at the start [m]: beyond, there are not enough digits left for its threads.
const FARTHEST: Real = 1e9;

/// Which vertices a [`PinChoice`] means.
type Selection = Box<dyn Fn(PinChoice) -> Vec<u32>>;

impl Scene {
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

    /// The solver with its settings.
    ///
    /// # Errors
    /// [`InputError`] when the solver or a setting is unknown.
    pub fn solver(&self) -> Result<Box<dyn Solver>, InputError> {
        settings::build_solver(&self.solver, &self.settings, &self.name)
    }

    /// A simulation of `pattern` with everything that this scene says beside the cloth's shape and pins.
    pub(super) fn dress(&self, pattern: Pattern) -> Result<Simulation, InputError> {
        let solver = self.solver()?;
        let mut simulation = Simulation::new(pattern, self.parameters.mass, solver);
        simulation.parameters = self.parameters;
        simulation.world = World { colliders: self.colliders()?, grab: None };
        Ok(simulation)
    }

    /// The colliders, with what their files hold.
    fn colliders(&self) -> Result<Vec<Collider>, InputError> {
        let mut colliders = self.colliders.clone();
        for collider in &mut colliders {
            let Some(path) = collider.shape.file().filter(|file| !file.is_read).map(|file| file.path.clone()) else {
                continue;
            };
            let ImportedMesh { positions, triangles, .. } = read_mesh(&path, MeshImport::default().weld)?;
            collider.shape.fill(positions, triangles);
            if let Some(fault) = collider.fault() {
                return Err(InputError::new(path, fault));
            }
        }
        Ok(colliders)
    }

    /// The cloth's shape, and which of its vertices a [`PinChoice`] means.
    fn pattern(&self) -> Result<(Pattern, Selection), InputError> {
        if let Some(mesh) = &self.mesh {
            let ImportedMesh { mut positions, triangles, .. } = read_mesh(&mesh.file, self.import.weld)?;
            positions.iter_mut().for_each(|x| *x *= self.import.mesh_scale);
            self.place(&mut positions)?;
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
        self.place(&mut positions)?;
        let pattern = Pattern::new(positions, pattern.triangles().to_vec(), pattern.springs().clone());
        Ok((pattern, Box::new(move |pins| pins.on_grid(columns, rows))))
    }

    /// Moves the cloth so that its middle is at the scene's position.
    fn place(&self, positions: &mut [Vec3]) -> Result<(), InputError> {
        let (low, high) = bounds(positions);
        let fallback = if self.mesh.is_some() { None } else { Some(Vec3::Y) };
        if let Some(position) = self.position.or(fallback) {
            let shift = position - 0.5 * (low + high);
            positions.iter_mut().for_each(|x| *x += shift);
        }
        let within = |x: &Vec3| x.abs().max_element() <= FARTHEST;
        if !positions.iter().all(within) {
            let message = "the cloth reaches farther than 1e9 m from the origin; look at position and mesh_scale";
            return Err(InputError::new(&self.name, message));
        }
        Ok(())
    }
}

/// Reads a mesh, with the vertices joined that are closer than `weld` times its diagonal.
fn read_mesh(file: &str, weld: Real) -> Result<ImportedMesh, InputError> {
    let text = match std::fs::read(file) {
        // positions and faces are ASCII; names and comments in other encodings do not matter
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned().into(),
        Err(error) => {
            files::embedded(file).ok_or_else(|| InputError::new(file, format!("the mesh cannot be read: {error}")))?
        }
    };
    import_obj(&text, file, weld)
}
