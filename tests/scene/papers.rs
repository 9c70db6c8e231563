//! The scenes of the papers show what their figures do.

use std::collections::BTreeMap;

use weft::scene::{Scene, scene_names};
use weft::sim::constraints::tributary_widths;
use weft::sim::measure::curvatures;
use weft::sim::pattern::Family;
use weft::sim::solver_interface::Stability;
use weft::sim::solvers;

#[test]
fn the_stiff_sheet_of_figure_3_explodes_under_symplectic_euler_and_holds_under_the_others() {
    for entry in solvers::REGISTRY {
        let mut scene = Scene::load("figure-3-stiff").expect("it comes with the program");
        scene.set_solver(entry.info.id).expect("registered");
        let mut simulation = scene.build().expect("valid");
        let survives = (0..60).all(|_| simulation.step().is_ok());
        let limited = matches!(entry.info.stability, Stability::Conditional | Stability::Damped);
        assert_eq!(survives, !limited, "{}", entry.info.id);
    }
    // the soft one runs under every method
    for entry in solvers::REGISTRY {
        let mut scene = Scene::load("figure-3-soft").expect("it comes with the program");
        scene.set_solver(entry.info.id).expect("registered");
        let mut simulation = scene.build().expect("valid");
        assert!((0..60).all(|_| simulation.step().is_ok()), "{}", entry.info.id);
    }
}

#[test]
fn the_linear_time_method_is_as_sluggish_as_it_says() {
    // `physics.md` section 2.2: the free corner falls 0.15 m in a second, where implicit Euler falls 1.1 m
    let fall = |solver: &str| {
        let mut scene = Scene::load("figure-3-stiff").expect("it comes with the program");
        scene.set_solver(solver).expect("registered");
        let mut simulation = scene.build().expect("valid");
        let start = simulation.state.cloth.positions[224];
        for _ in 0..30 {
            simulation.step().expect("stable");
        }
        start.y - simulation.state.cloth.positions[224].y
    };
    assert!((fall("stable-mass-spring") - 0.15).abs() < 0.02, "{}", fall("stable-mass-spring"));
    assert!((fall("implicit-euler") - 1.1).abs() < 0.1, "{}", fall("implicit-euler"));
}

#[test]
fn the_linear_time_method_falls_at_the_share_of_gravity_that_its_summary_says() {
    // inside of a sheet, where nothing comes from its rim in three steps
    let (side, steps) = (31_u32, 3);
    let middle = side * side / 2;
    for (mass, stiffness, step) in [(1.0, 1e4, 0.01), (1.0, 100.0, 0.01), (0.01, 100.0, 0.01), (0.5, 5e3, 0.001)] {
        let mut scene = Scene::load("stability").expect("it comes with the program");
        scene.set_solver("stable-mass-spring").expect("registered");
        for (key, value) in [("columns", side.to_string()), ("rows", side.to_string()), ("pins", "none".to_owned())] {
            scene.set(key, &value).expect("in range");
        }
        for (key, value) in [("vertex_mass", mass), ("time_step", step)] {
            scene.set(key, &value.to_string()).expect("in range");
        }
        for key in ["structural_stiffness", "shear_stiffness"] {
            scene.set(key, &stiffness.to_string()).expect("in range");
        }
        let mut simulation = scene.build().expect("valid");
        let summary = simulation.solver().info().summary;
        assert!(summary.contains("(1 + 2r)/(1 + r)² of g, r = h² Σk/m at a vertex"), "{summary}");
        let springs = simulation.pattern().springs();
        let at_middle = springs.ends.iter().zip(&springs.families).filter(|(ends, _)| ends.contains(&middle));
        let count = at_middle.filter(|(_, family)| **family != Family::Bend).count();
        assert_eq!(count, 8, "structural and shear springs; those of bending have no stiffness here");
        let r = step * step * stiffness * count as f64 / mass;
        let share = (1.0 + 2.0 * r) / ((1.0 + r) * (1.0 + r));
        for _ in 0..steps {
            simulation.step().expect("stable");
        }
        let gravity = simulation.parameters.gravity.gravity;
        let fallen = -simulation.state.cloth.velocities[middle as usize].y / (f64::from(steps) * step * gravity);
        assert!((fallen / share - 1.0).abs() < 1e-6, "{mass} kg, {stiffness} N/m, {step} s: {fallen}, not {share}");
    }
}

#[test]
#[ignore = "full tier"]
fn the_three_cloths_of_figure_7_hang_and_swing_and_the_softest_hangs_lowest() {
    let scene = Scene::load("figure-7").expect("it comes with the program");
    let of_figure_3 = Scene::load("figure-3-stiff").and_then(|scene| scene.build()).expect("it comes with the program");
    let heights = scene.all_lanes().into_iter().map(|lane| {
        let mut simulation = scene.in_lane(&lane).and_then(|scene| scene.build()).expect("it is good");
        let (own, other) = (&simulation.parameters, &of_figure_3.parameters);
        assert_eq!((own.mass, own.timing), (other.mass, other.timing));
        assert!(own.stretch.limit_stretch && own.stretch.stretch_limit == 10.0);
        [30, 60, 120, 300].map(|steps| {
            while simulation.steps() < steps {
                simulation.step().unwrap_or_else(|error| panic!("{lane}: {error}"));
            }
            let stretch = simulation.largest_stretch();
            assert!((0.09..0.14).contains(&stretch), "{lane}, {steps} steps: {stretch}");
            simulation.state.cloth.positions.iter().map(|x| x.y).fold(f64::INFINITY, f64::min)
        })
    });
    let heights: Vec<[f64; 4]> = heights.collect();
    let [soft, medium, stiff] = heights[..] else { panic!("three lanes: {heights:?}") };
    for time in 0..4 {
        assert!(soft[time] < medium[time] && medium[time] < stiff[time], "{heights:?}");
    }
    for (lane, lowest) in [soft, medium, stiff].into_iter().zip([0.26, 0.69, 1.05]) {
        assert!((lane[1] - lowest).abs() < 0.02, "{heights:?}");
    }
}

#[test]
fn the_figures_of_projective_dynamics_run_with_its_own_constraints() {
    let figures: Vec<String> = scene_names().into_iter().filter(|name| name.starts_with("pd-figure")).collect();
    for name in &figures {
        let mut simulation = Scene::load(name).and_then(|scene| scene.build()).expect("it comes with the program");
        assert_eq!(simulation.solver().info().id, "projective-dynamics");
        assert!(simulation.solver().capabilities().stiffness.obstacle().is_some(), "{name}: springs are off");
        assert!((0..10).all(|_| simulation.step().is_ok()), "{name}");
    }
    let held = |name: &str| Scene::load(name).and_then(|scene| scene.build()).expect("good").state.cloth.pins().len();
    // 64 vertices in the first ring and in the last
    assert_eq!(["pd-figure-5-20", "pd-figure-5-irregular", "pd-figure-9"].map(held), [2, 2, 128]);
    // 81 by 81 vertices and the paper's number of edges
    let simulation = Scene::load("pd-figure-4").and_then(|scene| scene.build()).expect("good");
    assert_eq!(3 * simulation.state.cloth.len(), 19_683);
    assert_eq!(tributary_widths(simulation.pattern()).len(), 19_360);
}

#[test]
fn the_curtains_of_figure_6_hang_lower_the_wider_their_limits() {
    let lowest = |name: &str| {
        let mut simulation = Scene::load(name).and_then(|scene| scene.build()).expect("it comes with the program");
        (0..150).for_each(|_| assert!(simulation.step().is_ok(), "{name}"));
        simulation.state.cloth.positions.iter().map(|x| x.y).fold(f64::INFINITY, f64::min)
    };
    let [narrow, medium, wide] = ["pd-figure-6-10", "pd-figure-6-20", "pd-figure-6-30"].map(lowest);
    assert!(narrow > medium + 0.04 && medium > wide + 0.04, "{narrow} {medium} {wide}");
}

/// Weights of the examples of a scene after each step of so many seconds, by piece and example.
fn example_weights(scene: &str, seconds: f64) -> BTreeMap<(u32, usize), Vec<f64>> {
    let mut simulation = Scene::load(scene).and_then(|scene| scene.build()).expect("it comes with the program");
    let mut weights = BTreeMap::<_, Vec<f64>>::new();
    while simulation.time() < seconds {
        simulation.step().expect("stable");
        for of in simulation.solver().example_weights() {
            for (at, weight) in of.mean.into_iter().enumerate() {
                weights.entry((of.piece, at)).or_default().push(weight);
            }
        }
    }
    weights
}

#[test]
#[ignore = "full tier"]
fn ball_and_bar_of_figure_8_follow_their_examples_and_the_cloth_hardly_does() {
    let weights = example_weights("pd-figure-8", 2.0);
    let largest = |piece: u32, at: usize| weights[&(piece, at)].iter().copied().fold(0.0, f64::max);
    // the ball first flattens, then lengthens; the bar bends to both sides at once
    let bodies = [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(piece, at)| largest(piece, at));
    assert!(bodies.iter().all(|weight| *weight > 0.25), "{bodies:?}");
    let cloth = weights[&(2, 0)].iter().sum::<f64>() / weights[&(2, 0)].len() as f64;
    assert!(cloth < 0.02 && largest(2, 0) < 0.1, "{cloth}, at most {}", largest(2, 0));
}

#[test]
#[ignore = "full tier"]
fn the_sheet_with_an_example_hardly_follows_it() {
    let weights = example_weights("examples-sheet", 4.0);
    let of_sheet = &weights[&(0, 0)];
    let mean = of_sheet.iter().sum::<f64>() / of_sheet.len() as f64;
    assert!(mean < 0.02, "{mean}");
}

#[test]
#[ignore = "full tier"]
fn the_farther_a_curtain_of_figure_6_may_stretch_the_flatter_are_its_wrinkles() {
    let curtains = ["pd-figure-6-10", "pd-figure-6-20", "pd-figure-6-30"].map(|name| {
        let mut simulation = Scene::load(name).and_then(|scene| scene.build()).expect("it comes with the program");
        while simulation.time() < 4.0 {
            simulation.step().expect("stable");
        }
        let bent = curvatures(simulation.pattern(), &simulation.state.cloth.positions);
        (simulation.largest_stretch(), bent.iter().map(|curvature| curvature * curvature).sum::<f64>())
    });
    assert!(curtains.is_sorted_by(|a, b| a.0 < b.0 && a.1 > b.1), "{curtains:?}");
}
