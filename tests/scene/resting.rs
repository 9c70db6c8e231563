//! A heap comes to rest, and stays where it fell.

use weft::scene::Scene;
use weft::sim::solver_interface::Stability;
use weft::sim::{Real, Simulation, solvers};

use crate::pairing::paired;

/// The heap with so many vertices to a side.
fn heap(solver: &str, side: u32) -> Simulation {
    let mut scene = Scene::load("heap").expect("it comes with the program");
    scene.set_solver(solver).expect("registered");
    for key in ["columns", "rows"] {
        scene.set(key, &side.to_string()).expect("in range");
    }
    scene.build().expect("a cloth")
}

/// The largest kinetic energy per vertex [J] in the last of so many steps.
fn run(simulation: &mut Simulation, steps: usize) -> Real {
    let mut largest: Real = 0.0;
    for step in 0..steps {
        simulation.step().expect("stable");
        if step + 60 >= steps {
            largest = largest.max(simulation.energy().kinetic / simulation.state.cloth.len() as Real);
        }
    }
    largest
}

#[test]
#[ignore = "full tier"]
fn a_heap_comes_to_rest_with_every_solver_that_bears_a_long_step() {
    let bears_it = |stability: Stability| !matches!(stability, Stability::Damped | Stability::Conditional);
    let all = solvers::REGISTRY.iter().map(|entry| entry.info).filter(|info| bears_it(info.stability));
    for ((), info) in paired([()], all, 5) {
        let side = if info.capabilities.converges { 12 } else { 20 };
        let mut simulation = heap(info.id, side);
        let start = simulation.state.cloth.centroid();
        // what approximates the implicit step, or stops far from its end, falls slowly
        let mut kinetic = Real::INFINITY;
        for _ in 0..4 {
            if kinetic >= 1e-8 {
                kinetic = run(&mut simulation, 900);
            }
        }
        assert!(kinetic < 1e-8, "{}: {kinetic} J per vertex", info.id);
        // some of the methods that only approximate the implicit step make momentum of their own
        let way = (simulation.state.cloth.centroid() - start).with_y(0.0).length();
        assert!(way < 0.6 || !info.keeps.momentum, "{}: the heap has moved by {way} m", info.id);
    }
}
