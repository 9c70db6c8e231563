//! A cloth hangs from a rod until it is at rest, and its sag is printed.
//!
//! `cargo run --release --no-default-features --example hang`

use weft::sim::{Mass, Pattern, Plane, Simulation, StepError, solvers};

/// Vertices along each edge.
const COUNT: u32 = 21;

/// How far the lower edge hangs below its place without gravity: as simulated, and by the law of
/// the springs [m].
pub fn sag() -> Result<[f64; 2], StepError> {
    // one square metre, upright, that starts with its upper edge at height zero
    let pattern = Pattern::grid(COUNT as usize, COUNT as usize, 1.0, 1.0, Plane::Xy);
    let solver = solvers::build("implicit-euler").expect("it is in the registry");
    let mut cloth = Simulation::new(pattern, Mass::default(), solver);
    cloth.parameters.contact.ground = false;
    // without shear and bending, the springs of a column hang one from another
    cloth.parameters.material.shear_stiffness = 0.0;
    cloth.parameters.material.bend_stiffness = 0.0;
    cloth.parameters.material.damping = 0.05;

    // the vertices are numbered row by row, from the top
    for vertex in 0..COUNT {
        cloth.state.cloth.pin_here(vertex);
    }
    while cloth.time() < 5.0 {
        cloth.step()?;
    }

    // each spring of the middle column carries the weight of all vertices below it
    let column: Vec<usize> = (0..COUNT).map(|row| (row * COUNT + COUNT / 2) as usize).collect();
    let gravity = cloth.parameters.gravity.gravity;
    let (mut weight, mut stretch) = (0.0, 0.0);
    for &vertex in column[1..].iter().rev() {
        weight += cloth.state.cloth.masses[vertex] * gravity;
        stretch += weight / cloth.parameters.material.structural_stiffness;
    }
    let lowest = cloth.state.cloth.positions[column[column.len() - 1]];
    Ok([-1.0 - lowest.y, stretch])
}

fn main() -> Result<(), StepError> {
    let [sag, by_springs] = sag()?;
    println!("The cloth sags by {:.2} mm; its springs say {:.2} mm.", sag * 1e3, by_springs * 1e3);
    Ok(())
}
