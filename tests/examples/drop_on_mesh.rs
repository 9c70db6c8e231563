//! A cloth falls on a collider made of triangles, here a cube, and drapes over it.
//!
//! `cargo run --release --no-default-features --example drop_on_mesh`

use weft::sim::{Collider, Mass, Pattern, Plane, Shape, Simulation, StepError, Vec3, solvers};

/// Half of the edge of the cube [m].
const HALF: f64 = 0.2;
/// The centre of the cube [m].
const CENTRE: Vec3 = Vec3::new(0.0, 1.0, 0.0);

/// How the cloth lies.
pub struct Rest {
    /// Distance of the nearest and of the farthest vertex from the surface [m]; negative inside.
    pub distances: [f64; 2],
    /// Root of the mean of the squares of all speeds [m/s].
    pub speed: f64,
}

/// A collider of triangles that are given, counter-clockwise seen from outside.
fn cube() -> Collider {
    let corner = |number: u32| [0, 1, 2].map(|axis| if number >> axis & 1 == 1 { HALF } else { -HALF });
    let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = faces.into_iter().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]);
    Collider::new(Shape::of_triangles((0..8).map(corner).map(Vec3::from).collect(), triangles.collect()), CENTRE)
}

/// How far a point is outside the planes of the faces [m].
fn distance(point: Vec3) -> f64 {
    (point - CENTRE).abs().max_element() - HALF
}

/// Drops the cloth, and waits until it lies.
pub fn drop_cloth() -> Result<Rest, StepError> {
    // 60 cm square, flat, with its centre above the cube
    let pattern = Pattern::grid(31, 31, 0.6, 0.6, Plane::Xz);
    let solver = solvers::build("projective-dynamics").expect("it is in the registry");
    let mut simulation = Simulation::new(pattern, Mass::default(), solver);
    for position in &mut simulation.state.cloth.positions {
        *position += CENTRE + Vec3::new(-0.3, HALF + 0.1, -0.3);
    }
    // friction between the threads ends the swinging of the corners
    simulation.parameters.material.damping = 0.02;
    // the cloth passes neither through itself nor through the mesh
    simulation.parameters.contact.self_contact = true;
    simulation.state.world.colliders.push(cube());

    while simulation.time() < 3.0 {
        simulation.step()?;
    }
    let cloth = &simulation.state.cloth;
    let distances = cloth.positions.iter().map(|position| distance(*position));
    let squares: f64 = cloth.velocities.iter().map(|velocity| velocity.length_squared()).sum();
    Ok(Rest {
        distances: [distances.clone().fold(f64::INFINITY, f64::min), distances.fold(f64::NEG_INFINITY, f64::max)],
        speed: (squares / cloth.len() as f64).sqrt(),
    })
}

fn main() -> Result<(), StepError> {
    let Rest { distances: [nearest, farthest], speed } = drop_cloth()?;
    println!("The cloth lies {:.1} to {:.1} mm off the cube,", nearest * 1e3, farthest * 1e3);
    println!("and its vertices move at {:.1} mm/s.", speed * 1e3);
    Ok(())
}
