//! The solver of a scene to play with is on the front of cost and error, or near it.
//!
//! Costs are counted, since a clock measures what else the machine does. What an update takes was
//! measured once on the first scene, the flag and the mannequin, where these counts give the times
//! to a third.

use std::ops::ControlFlow;

use rayon::prelude::*;
use weft::scene::Scene;
use weft::sim::study::advice::{Advice, AdvicePlan, PROFILES, Question, measure};
use weft::sim::{CancelToken, Clock, Simulation, StepStats};

use crate::pairing::paired;

/// Time per spring of a substep and of an iteration [ns].
const UPDATES: [(&str, f64, f64); 15] = [
    ("explicit-euler", 30.0, 0.0),
    ("symplectic-euler", 27.0, 0.0),
    ("harmonic-oscillator", 79.0, 0.0),
    ("stable-mass-spring", 45.0, 0.0),
    ("precomputed-filter", 54.0, 0.0),
    ("hybrid", 160.0, 0.0),
    ("implicit-euler", 118.0, 24.0),
    ("implicit-newton", 0.0, 365.0),
    ("jacobi-implicit", 80.0, 9.0),
    ("fast-mass-spring", 4.0, 26.0),
    ("projective-dynamics", 0.0, 25.0),
    ("vertex-block-descent", 66.0, 74.0),
    ("pbd", 24.0, 0.0),
    ("xpbd", 0.0, 21.0),
    ("soft-constraints", 41.0, 7.0),
];
/// A choice is off the front if another one takes at most this share of its cost and has at most
/// this share of its error.
const MUCH_LESS: f64 = 0.5;

/// Time of a step as its updates say [s].
fn counted(simulation: &Simulation, stats: &StepStats) -> f64 {
    let id = simulation.solver().info().id;
    let (_, substep, iteration) = UPDATES.iter().find(|(of, ..)| *of == id).expect("every solver has its updates");
    let updates = substep * f64::from(stats.substeps) + iteration * f64::from(stats.iterations);
    1e-9 * updates * simulation.pattern().springs().len() as f64
}

/// What much cheaper candidates have of the error of a scene's own choice, and the best of them.
fn share_of_error(scene: &Scene) -> (f64, String) {
    let simulation = scene.build().expect("it comes with the program");
    let plan = AdvicePlan::new(Clock::default(), CancelToken::default());
    let plan = AdvicePlan { states: [2, 3, 4], run: 0.1, slowest: 1e6, cost: counted, ..plan };
    let findings = measure(&Question::of(&simulation), &plan, &mut |_| ControlFlow::Continue(()));
    let findings = findings.expect("nobody calls it off");
    let advice = Advice::of(&findings, 1e6, &PROFILES[0]);
    let sound = || advice.judged.iter().filter(|it| it.fault.is_none());
    let own = sound().find(|it| findings.rows[it.row].candidate.is_present).expect("its own choice holds");
    let cheap = sound().filter(|it| it.step <= MUCH_LESS * own.step);
    let Some(best) = cheap.min_by(|a, b| a.error.total_cmp(&b.error)) else { return (1.0, String::new()) };
    let row = &findings.rows[best.row];
    (best.error / own.error, format!("{} with {}", row.candidate.solver.id, row.effort))
}

/// A scene with as many vertices as are measured in seconds, and without contact between cloths.
fn small(name: &str) -> Scene {
    let mut scene = Scene::load(name).expect("it comes with the program");
    scene.parameters.contact.self_contact = false;
    (scene.first.grid.columns, scene.first.grid.rows) = (16, 16);
    scene
}

fn assert_near(scene: &Scene) {
    let (share, best) = share_of_error(scene);
    assert!(share > MUCH_LESS, "{}: {best} has {share:.2} of its error for at most half of its cost", scene.name);
}

#[test]
fn the_choice_of_the_scene_that_hangs_is_near_the_front() {
    let mut scene = small("hanging");
    assert_near(&scene);
    // and a choice can be off it
    scene.settings.clear();
    scene.solver = "pbd".to_owned();
    let (share, best) = share_of_error(&scene);
    assert!(share < MUCH_LESS, "{best} has {share:.2} of the error of pbd");
}

/// Where the solver and not contact between cloths decides what a step costs; of the others there
/// is a table in `measurements.md`.
const FREE: [&str; 8] =
    ["breeze", "flag", "mesh", "table", "tablecloth-fast", "tablecloth-slow", "tearing", "turntable"];

#[test]
#[ignore = "full tier"]
fn the_choice_of_every_scene_whose_cloth_hardly_meets_itself_is_near_the_front() {
    let chosen: Vec<&str> = paired([()], FREE, 3).map(|(_, name)| name).collect();
    chosen.par_iter().with_max_len(1).for_each(|name| assert_near(&small(name)));
}
