//! Positions and normals are read back for a renderer, in single precision.
//!
//! `cargo run --release --no-default-features --example read_back`

use weft::sim::{Mass, Pattern, Plane, Simulation, StepError, Vec3, solvers, vertex_normals};

/// A vertex as a shader reads it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Vertex {
    /// Position relative to the origin of the buffers [m].
    pub position: [f32; 3],
    /// Unit normal.
    pub normal: [f32; 3],
}

/// The buffers of a renderer.
#[derive(Default)]
pub struct Buffers {
    /// One vertex per vertex of the cloth, written anew for every picture.
    pub vertices: Vec<Vertex>,
    /// Three vertices per triangle. They change only where a cloth tears.
    pub indices: Vec<u32>,
    normals: Vec<Vec3>,
    /// The pattern that the indices are of.
    revision: Option<u64>,
}

impl Buffers {
    /// Reads the present state of a simulation.
    pub fn read(&mut self, simulation: &Simulation) {
        let (pattern, positions) = (simulation.pattern(), &simulation.state.cloth.positions);
        if self.revision.replace(pattern.revision()) != Some(pattern.revision()) {
            self.indices = pattern.triangles().as_flattened().to_vec();
        }
        vertex_normals(pattern, positions, &mut self.normals);
        // a cloth may be far from zero: what is left relative to its origin fits in single precision
        let origin = pattern.origin();
        self.vertices.clear();
        self.vertices.extend(positions.iter().zip(&self.normals).map(|(position, normal)| Vertex {
            position: (*position - origin).as_vec3().to_array(),
            normal: normal.as_vec3().to_array(),
        }));
    }

    /// Area that these buffers show [m²].
    pub fn area(&self) -> f64 {
        let corner = |index: u32| Vec3::from_array(self.vertices[index as usize].position.map(f64::from));
        let triangles = self.indices.as_chunks::<3>().0.iter();
        triangles.map(|&[a, b, c]| 0.5 * (corner(b) - corner(a)).cross(corner(c) - corner(a)).length()).sum()
    }
}

/// Half a second of a cloth that swings at two corners, read after every step.
pub fn last_picture() -> Result<Buffers, StepError> {
    let pattern = Pattern::grid(21, 21, 1.0, 1.0, Plane::Xz);
    let solver = solvers::build("fast-mass-spring").expect("it is in the registry");
    let mut simulation = Simulation::new(pattern, Mass::default(), solver);
    simulation.parameters.contact.ground = false;
    simulation.state.cloth.pin_here(0);
    simulation.state.cloth.pin_here(20);

    let mut buffers = Buffers::default();
    while simulation.time() < 0.5 {
        simulation.step()?;
        buffers.read(&simulation);
    }
    Ok(buffers)
}

fn main() -> Result<(), StepError> {
    let buffers = last_picture()?;
    let (vertices, triangles) = (buffers.vertices.len(), buffers.indices.len() / 3);
    println!("{vertices} vertices, {triangles} triangles, {:.3} m² of cloth", buffers.area());
    Ok(())
}
