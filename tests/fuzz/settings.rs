//! Random settings over all solvers, and random deeds while the cloth moves.

use weft::scene::Scene;
use weft::sim::params::Param;
use weft::sim::{Grab, Simulation, Vec3, solvers};

use crate::random::Random;
use crate::trial::{describe, run, try_many};

const SCENES: [&str; 5] = ["hanging", "table", "flag", "tearing", "stability"];

/// The declared parameters of a scene and of its solver.
pub fn params(scene: &mut Scene) -> Vec<&'static Param> {
    scene.visit(|group| group.params()).into_iter().flatten().collect()
}

/// A small cloth with some settings at random; every solver in turn.
pub fn random_scene(random: &mut Random) -> Scene {
    let mut scene = Scene::load(random.choose::<&str>(&SCENES)).expect("it comes with the program");
    let set =
        |scene: &mut Scene, key: &str, value: &str| scene.set(key, value).unwrap_or_else(|error| panic!("{error}"));
    let solver = random.choose(solvers::REGISTRY).info.id;
    set(&mut scene, "solver", solver);
    let all = params(&mut scene);
    for _ in 0..random.below(13) {
        let param = random.choose(&all);
        let value = random.value(param);
        set(&mut scene, param.key, &value);
    }
    for key in ["columns", "rows"] {
        let large = random.chance(0.03);
        let count = 2 + random.below(if large { 29 } else { 9 });
        set(&mut scene, key, &count.to_string());
    }
    // a thousandth of the default work or so, so that a test of thousands ends
    let limit = 10_f64.powf(-2.0 + 2.0 * random.share());
    set(&mut scene, "work_limit", &limit.to_string());
    scene
}

/// What a user might do between two steps.
pub fn disturb(simulation: &mut Simulation, random: &mut Random) {
    let vertex = random.below(simulation.state.cloth.len()) as u32;
    let at = Vec3::new(random.share(), random.share(), random.share()) * 4.0 - 2.0;
    match random.below(8) {
        0 => simulation.state.grab = Some(Grab { vertex, target: at }),
        1 => simulation.state.grab = None,
        2 => simulation.state.cloth.pin_here(vertex),
        3 => drop(simulation.state.cloth.unpin(vertex)),
        4 => {
            let triangles = simulation.pattern().triangles();
            let [a, b, c] = *random.choose(triangles);
            simulation.cut(&[[a, b], [b, c]]);
        }
        5 => {
            let solver = random.choose(solvers::REGISTRY).info.id;
            describe(|| format!("then {solver}"));
            simulation.set_solver(solver);
        }
        _ => {
            let mut groups: Vec<_> = simulation.parameters.groups_mut().collect();
            let count = groups.len();
            let group = &mut groups[random.below(count)];
            let param = random.choose(group.params());
            // the work stays within what the test can afford
            if param.key != "work_limit" {
                let value = random.value(param);
                describe(|| format!("then {}={value}", param.key));
                group.set_text(param.key, &value).unwrap_or_else(|error| panic!("{error}"));
            }
        }
    }
}

#[test]
fn any_settings_end_in_a_finite_state_or_in_a_sentence() {
    try_many("settings", 900, |random| {
        let scene = random_scene(random);
        describe(|| format!("{scene:#?}"));
        let mut simulation = scene.build().map_err(|error| format!("values in range are refused: {error}"))?;
        run(&scene, &mut simulation, 2)?;
        for _ in 0..random.below(4) {
            disturb(&mut simulation, random);
            run(&scene, &mut simulation, 1)?;
        }
        Ok(())
    });
}
