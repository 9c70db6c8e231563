//! Several solvers continue from one state, and their energies are compared.
//!
//! `cargo run --release --no-default-features --example switch_solvers`

use weft::sim::{Mass, Pattern, Plane, Simulation, StepError, solvers};

/// The solvers that are compared; all of them are in `solvers::REGISTRY`.
const SOLVERS: [&str; 4] = ["implicit-euler", "projective-dynamics", "xpbd", "vertex-block-descent"];

/// What a solver makes of the state.
pub struct Outcome {
    /// The solver's name in menus.
    pub solver: &'static str,
    /// How far a vertex has been moved by the switch itself [m].
    pub jump: f64,
    /// Height of the centre of the cloth at the end [m].
    pub height: f64,
    /// Largest stretch of a thread.
    pub stretch: f64,
}

/// Lets a cloth swing down from a horizontal start: to half a second by one solver, then by each.
pub fn outcomes() -> Result<Vec<Outcome>, StepError> {
    let pattern = Pattern::grid(21, 21, 1.0, 1.0, Plane::Xz);
    let solver = solvers::build("implicit-newton").expect("it is in the registry");
    let mut simulation = Simulation::new(pattern, Mass::default(), solver);
    simulation.parameters.contact.ground = false;
    (0..21).for_each(|vertex| simulation.state.cloth.pin_here(vertex));
    while simulation.time() < 0.25 {
        simulation.step()?;
    }

    // state, parameters and solver, from which any simulation can continue
    let halfway = simulation.checkpoint();
    let mut outcomes = Vec::new();
    for id in SOLVERS {
        simulation.restore(&halfway);
        assert!(simulation.set_solver(id), "{id} is not in the registry");
        let places = simulation.state.cloth.positions.iter().zip(&halfway.state.cloth.positions);
        let jump = places.map(|(now, then)| now.distance(*then)).fold(0.0, f64::max);
        while simulation.time() < 0.5 {
            simulation.step()?;
        }
        outcomes.push(Outcome {
            solver: simulation.solver().info().name,
            jump,
            height: simulation.state.cloth.centroid().y,
            stretch: simulation.largest_stretch(),
        });
    }
    Ok(outcomes)
}

fn main() -> Result<(), StepError> {
    for Outcome { solver, jump, height, stretch } in outcomes()? {
        println!("{solver:20} jump {jump} m, centre at {height:.3} m, stretched by {:4.1} %", stretch * 1e2);
    }
    Ok(())
}
