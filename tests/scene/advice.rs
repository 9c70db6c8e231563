//! The solvers that scenes come with, judged by the advice that anybody can ask for.

use std::ops::ControlFlow;

use weft::scene::{Scene, Shelf, scene_names};
use weft::sim::solver::Processor;
use weft::sim::study::advice::{Advice, PROFILES, Plan, Question, measure};
use weft::sim::{CancelToken, Clock, Simulation};

use crate::pairing::paired;
use crate::work::work;

/// Most columns and rows: the whole product in minutes.
const MOST: u32 = 64;
/// Steps before the cloth is asked about: it moves, and lies on what it falls on.
const STEPS: usize = 40;

/// Scenes to play with. Those of papers and lessons have the solver that they show.
fn scenes() -> Vec<Scene> {
    let all = scene_names().into_iter().map(|name| Scene::load(&name).expect("it comes with the program"));
    let is_of_host = |scene: &Scene| {
        let info = scene.build().expect("good").solver().info();
        info.capabilities.processor == Processor::Host
    };
    all.filter(|scene| scene.shelf == Shelf::Play && scene.first.mesh.is_none()).filter(is_of_host).collect()
}

/// The scene with fewer vertices, as it is after a while. Cloth-cloth contact costs the same with
/// every solver, and is left out.
fn small(mut scene: Scene) -> Simulation {
    for piece in scene.all_pieces_mut() {
        (piece.grid.columns, piece.grid.rows) = (piece.grid.columns.min(MOST), piece.grid.rows.min(MOST));
    }
    scene.parameters.contact.self_contact = false;
    let mut simulation = scene.build().expect("good");
    for _ in 0..STEPS {
        simulation.step().expect("its own solver holds");
    }
    simulation
}

#[test]
#[ignore = "full tier"]
fn the_solver_of_a_scene_is_on_the_front_of_cost_and_error_or_near_it() {
    let mut far = Vec::new();
    for ((), scene) in paired([()], scenes(), 1) {
        let name = scene.name.clone();
        let plan = Plan::new(Clock::default(), CancelToken::default());
        let plan = Plan { states: [2, 4, 6], run: 0.4, slowest: 1e6, cost: work, ..plan };
        let found = measure(&Question::of(&small(scene)), &plan, &mut |_| ControlFlow::Continue(()));
        let found = found.unwrap_or_else(|error| panic!("{name}: {error}"));
        for profile in PROFILES {
            let advice = Advice::of(&found, 0.5 / 60.0, profile);
            println!("{name}, {}: {:?}", profile.name, advice.present);
            if advice.is_present_near() == Some(false) {
                far.push((name.clone(), profile.name, advice.present));
            }
        }
    }
    assert!(far.is_empty(), "{far:?}");
}
