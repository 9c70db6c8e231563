//! The scenes of the papers show what their figures do.

use std::collections::BTreeMap;
use std::f64::consts::TAU;

use weft::scene::{Scene, scene_names};
use weft::sim::constraints::tributary_widths;
use weft::sim::measure::{Stretch, curvatures};
use weft::sim::pattern::Family;
use weft::sim::quantities::{Quantity, StepReading};
use weft::sim::solver_interface::Stability;
use weft::sim::solvers;
use weft::sim::study::stability::is_folded;
use weft::sim::{Simulation, Vec3};

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

/// One of the lanes of a scene, the first being the scene itself.
pub(crate) fn lane(name: &str, number: usize) -> Simulation {
    let scene = Scene::load(name).expect("it comes with the program");
    let lanes = scene.all_lanes();
    let scene = lanes.get(number).map_or(Ok(scene.clone()), |lane| scene.in_lane(lane)).expect("a good lane");
    scene.build().expect("it comes with the program")
}

/// Takes steps for so many seconds; `after` sees every state.
pub(crate) fn run_for(simulation: &mut Simulation, seconds: f64, mut after: impl FnMut(&Simulation)) {
    let end = simulation.time() + seconds;
    while simulation.time() < end - 1e-9 {
        simulation.step().unwrap_or_else(|error| panic!("{} s: {error}", simulation.time()));
        after(simulation);
    }
}

pub(crate) fn lowest(simulation: &Simulation) -> f64 {
    simulation.state.cloth.positions.iter().map(|x| x.y).fold(f64::INFINITY, f64::min)
}

#[test]
fn the_figures_of_kang_cho_and_park_run_by_their_method_at_their_masses_and_steps() {
    for name in scene_names().iter().filter(|name| name.starts_with("figure-") && *name != "figure-7") {
        let scene = Scene::load(name).expect("it comes with the program");
        let simulation = scene.build().expect("it comes with the program");
        assert!(scene.source.starts_with("Kang, Cho, Park, figure "), "{name}: {}", scene.source);
        assert_eq!(simulation.solver().info().id, "stable-mass-spring", "{name}");
        assert_eq!(simulation.parameters.timing.time_step, 1.0 / 30.0, "{name}");
        assert!(simulation.state.cloth.masses.iter().all(|mass| *mass == 0.1), "{name}");
        // Provot's step, from section 4 of the paper on; figure 3 was made without
        assert_eq!(simulation.parameters.stretch.limit_stretch, !name.starts_with("figure-3"), "{name}");
        let count = simulation.state.cloth.len();
        assert!((200..1000).contains(&count), "{name}: {count} vertices, not hundreds");
    }
}

#[test]
fn figure_3_has_its_three_methods_side_by_side() {
    let methods = [0, 1, 2].map(|number| lane("figure-3-stiff", number).solver().info().id);
    assert_eq!(methods, ["stable-mass-spring", "precomputed-filter", "symplectic-euler"]);
    // the soft sheet holds and stretches far by all three
    for number in 0..3 {
        let mut soft = lane("figure-3-soft", number);
        run_for(&mut soft, 1.0, |_| {});
        assert!(soft.largest_stretch() > 5.0, "lane {number}: {}", soft.largest_stretch());
    }
    // the stiff one fails within a second by Euler, unless Provot's step holds it
    let mut euler = lane("figure-3-stiff", 2);
    assert!((0..30).any(|_| euler.step().is_err()));
    let mut limited = lane("figure-3-stiff", 2);
    limited.parameters.stretch.limit_stretch = true;
    limited.parameters.stretch.stretch_sweeps = 200;
    run_for(&mut limited, 2.0, |_| {});
    let fall = |mut simulation: Simulation| {
        let start = simulation.state.cloth.positions[224].y;
        run_for(&mut simulation, 1.0, |_| {});
        start - simulation.state.cloth.positions[224].y
    };
    let mut implicit = lane("figure-3-stiff", 0);
    assert!(implicit.set_solver("implicit-euler"));
    let [own, filter, implicit] = [lane("figure-3-stiff", 0), lane("figure-3-stiff", 1), implicit].map(fall);
    assert!(own < 0.5 * filter && filter < 0.9 * implicit, "{own}, {filter}, {implicit} m");
}

#[test]
fn air_slows_the_ribbon_of_figure_4_and_keeps_its_end_down() {
    let [vacuum, air] = [0, 1].map(|number| {
        let mut simulation = lane("figure-4", number);
        let last = simulation.state.cloth.len() - 1;
        let (mut energy, mut highest) = (0.0, f64::NEG_INFINITY);
        run_for(&mut simulation, 6.0, |now| {
            energy += now.energy().kinetic;
            highest = highest.max(now.state.cloth.positions[last].y - lowest(now));
        });
        (energy, highest)
    });
    assert!(air.0 < 0.5 * vacuum.0, "kinetic energies {air:?} and {vacuum:?}");
    assert!(air.1 < 0.5 * vacuum.1, "the end above the lowest vertex {air:?} and {vacuum:?}");
}

#[test]
fn the_flag_of_figure_5_flies_to_the_right() {
    let mut simulation = lane("figure-5", 0);
    run_for(&mut simulation, 2.0, |_| {});
    let free: Vec<usize> = (0..simulation.state.cloth.len()).filter(|vertex| vertex % 25 == 24).collect();
    let (mut least, mut speed, mut count) = (f64::INFINITY, 0.0, 0.0);
    run_for(&mut simulation, 6.0, |now| {
        let mean = free.iter().map(|&vertex| now.state.cloth.positions[vertex].x).sum::<f64>() / free.len() as f64;
        least = least.min(mean + 0.6);
        let squares = now.state.cloth.velocities.iter().map(|v| v.length_squared());
        (speed, count) = (speed + squares.sum::<f64>() / now.state.cloth.len() as f64, count + 1.0);
    });
    assert!(least > 0.6, "its free edge comes as near to the pole as {least} m");
    assert!((speed / count).sqrt() > 0.3, "it stands still: {} m/s", (speed / count).sqrt());
}

#[test]
fn the_cloths_of_figure_6_are_held_as_they_say() {
    let held = ["figure-6-one", "figure-6-moved", "figure-6-many"].map(|name| lane(name, 0).state.cloth.pins().len());
    assert_eq!(held, [1, 2, 6]);
    for name in ["figure-6-one", "figure-6-many"] {
        let mut simulation = lane(name, 0);
        let start = simulation.state.cloth.centroid().y;
        let mut deepest = start;
        run_for(&mut simulation, 2.0, |now| deepest = deepest.min(now.state.cloth.centroid().y));
        assert!(start - deepest > 0.4, "{name} falls by {} m", start - deepest);
    }
    let mut simulation = lane("figure-6-moved", 0);
    let corners = |now: &Simulation| [0, 20].map(|corner: usize| now.state.cloth.positions[corner]);
    let start = corners(&simulation);
    let mut farthest = [0.0_f64; 2];
    run_for(&mut simulation, 5.0, |now| {
        for ((most, from), to) in farthest.iter_mut().zip(start).zip(corners(now)) {
            *most = most.max(from.distance(to));
        }
    });
    assert!(farthest.iter().all(|most| *most > 0.25), "{farthest:?}");
    assert!(simulation.state.cloth.centroid().y < start[0].y - 0.2, "the cloth follows below");
}

#[test]
fn the_ribbon_of_figure_8_is_at_the_end_of_the_stick() {
    let mut simulation = lane("figure-8", 0);
    let stick = simulation.state.world.colliders.len() - 1;
    let mut farthest = 0.0_f64;
    let mut reach = [f64::INFINITY, f64::NEG_INFINITY];
    run_for(&mut simulation, 4.0, |now| {
        let pose = now.state.world.colliders[stick].place(now.time()).0;
        let edge = now.state.cloth.positions[0].midpoint(now.state.cloth.positions[3]);
        farthest = farthest.max((edge.distance(pose) - 0.275).abs());
        reach = [reach[0].min(edge.y), reach[1].max(edge.y)];
    });
    assert!(farthest < 0.02, "{farthest} m beside the end of the stick");
    assert!(reach[1] - reach[0] > 0.6, "up and down: {reach:?}");
    assert!(simulation.largest_stretch() < 0.5, "{}", simulation.largest_stretch());
}

#[test]
#[ignore = "full tier"]
fn the_cloths_of_figure_9_drape_over_the_table_and_the_stiffer_one_stretches_less() {
    let stretches = [0, 1].map(|number| {
        let mut simulation = lane("figure-9", number);
        run_for(&mut simulation, 8.0, |_| {});
        let middle = simulation.state.cloth.positions[29 * 29 / 2].y;
        assert!((0.75..0.78).contains(&middle), "lane {number}: its middle is at {middle} m");
        let low = lowest(&simulation);
        assert!((0.02..0.6).contains(&low), "lane {number}: it hangs to {low} m");
        let squares = simulation.state.cloth.velocities.iter().map(|v| v.length_squared()).sum::<f64>();
        let speed = (squares / simulation.state.cloth.len() as f64).sqrt();
        assert!(speed < 0.3, "lane {number}: {speed} m/s, root mean square");
        Stretch::of(simulation.pattern(), &simulation.parameters.material, &simulation.state.cloth.positions).mean
    });
    assert!(stretches[1] < 0.85 * stretches[0], "{stretches:?}");
}

#[test]
fn without_springs_the_vertices_of_kangs_figure_3_fall_past_the_ball_each_by_itself() {
    let [mut without, mut with] = [0, 1].map(|number| lane("kang-figure-3", number));
    let stats = without.step().expect("stable");
    let periods = Quantity::Periods.value(&StepReading::new(&without, &stats)).expect("it has springs");
    assert!((periods - 4.0).abs() < 1e-9, "{periods}");
    run_for(&mut without, 1.0, |_| {});
    let stats = with.step().expect("stable");
    let periods = Quantity::Periods.value(&StepReading::new(&with, &stats)).expect("it has springs");
    assert!((periods - 0.05).abs() < 1e-9, "{periods}");
    run_for(&mut with, 1.0, |_| {});
    // a corner falls freely to the floor, and stays where it was; draped it is drawn in
    let corner = |now: &Simulation| now.state.cloth.positions[0];
    let start = lane("kang-figure-3", 0).state.cloth.positions[0];
    let aside = |x: Vec3| (x - start).with_y(0.0).length();
    assert!(corner(&without).y < 0.02 && aside(corner(&without)) < 1e-6, "{}", corner(&without));
    assert!(corner(&with).y > 0.05 && aside(corner(&with)) > 0.1, "{}", corner(&with));
    assert!(without.largest_stretch() > 3.0 && with.largest_stretch() < 0.2);
}

#[test]
#[ignore = "full tier"]
fn the_large_cloth_of_kangs_figure_4_swings_by_impulses_alone() {
    let mut simulation = lane("kang-figure-4", 0);
    assert_eq!(simulation.state.cloth.len(), 4225);
    let start = simulation.state.cloth.centroid().y;
    run_for(&mut simulation, 1.0, |_| {});
    assert!(start - simulation.state.cloth.centroid().y > 0.3);
}

#[test]
fn the_methods_of_kangs_table_1_hold_or_fail_at_50_kilonewtons_per_metre() {
    let methods = ["hybrid", "jacobi-implicit", "implicit-euler", "harmonic-oscillator"];
    for (number, method) in methods.into_iter().enumerate() {
        let mut simulation = lane("kang-table-1", number);
        assert_eq!(simulation.solver().info().id, method);
        let holds = (0..400).all(|_| simulation.step().is_ok());
        assert_eq!(holds, method != "harmonic-oscillator", "{method}");
    }
}

#[test]
fn the_folded_cloth_of_kangs_figure_5_opens_the_more_slowly_the_stiffer_it_is_and_jacobi_fails() {
    let [mut stiff, mut soft, mut jacobi] = [0, 1, 2].map(|number| lane("kang-figure-5", number));
    let second = |simulation: &Simulation| {
        // the share of their distance in the flat cloth to which second neighbours across the fold have opened
        let x = &simulation.state.cloth.positions;
        (0..5).map(|column| x[5 + column].distance(x[15 + column]) / 0.5).fold(f64::INFINITY, f64::min)
    };
    for simulation in [&stiff, &soft, &jacobi] {
        assert!(simulation.largest_stretch() < 1e-12 && is_folded(simulation) && second(simulation) < 1e-12);
    }
    run_for(&mut stiff, 0.5, |_| {});
    run_for(&mut soft, 0.5, |_| {});
    assert!(is_folded(&stiff) && !is_folded(&soft), "{} {}", second(&stiff), second(&soft));
    assert!(second(&soft) > 0.95, "{}", second(&soft));
    run_for(&mut stiff, 2.0, |_| {});
    assert!(!is_folded(&stiff) && second(&stiff) > 0.95, "{}", second(&stiff));
    assert!(!(0..400).all(|_| jacobi.step().is_ok()), "{}", second(&jacobi));
}

/// Displacements of the lower edge of the scene with one oscillator from its rest [m], by step, while it holds.
fn displacements(number: usize, solver: Option<&str>, steps: usize) -> Vec<f64> {
    let mut simulation = lane("oscillator", number);
    if let Some(solver) = solver {
        assert!(simulation.set_solver(solver));
    }
    (0..steps).map_while(|_| simulation.step().ok().map(|_| lowest(&simulation) - 1.6)).collect()
}

#[test]
fn one_oscillator_moves_as_the_closed_forms_of_its_methods_say() {
    let (h, zeta, omega) = (1.0 / 15.0, 0.1, TAU);
    let (c, k) = (2.0 * zeta * omega, omega * omega);
    // Catto 2011, equation 1; the other two are textbook, and the exact velocity is that of the closed form
    let implicit = |x: f64, v: f64| {
        let v = (v - h * k * x) / (1.0 + h * c + h * h * k);
        (x + h * v, v)
    };
    let explicit = |x: f64, v: f64| (x + h * v, v - h * (k * x + c * v));
    let symplectic = |x: f64, v: f64| {
        let v = v - h * (k * x + c * v);
        (x + h * v, v)
    };
    let exact_velocity = |x: f64, v: f64| {
        let damped = omega * (1.0 - zeta * zeta).sqrt();
        let (sine, cosine) = (damped * h).sin_cos();
        let decay = zeta * omega;
        let v = (-decay * h).exp() * (v * cosine - (decay * v + k * x) / damped * sine);
        (x + h * v, v)
    };
    let scene = Scene::load("oscillator").expect("it comes with the program");
    let motion = scene.motion.expect("it has one");
    let exact = |time: f64| motion.place(&scene.parameters, time).expect("always").y - 1.6;
    let steps: [&dyn Fn(f64, f64) -> (f64, f64); 4] = [&implicit, &explicit, &symplectic, &exact_velocity];
    let mut errors = Vec::new();
    for (number, step) in steps.into_iter().enumerate() {
        let (mut x, mut v) = (-0.2, 0.0);
        let found = displacements(number, None, 30);
        assert_eq!(found.len(), 30);
        let mut error: f64 = 0.0;
        for (at, found) in found.into_iter().enumerate() {
            (x, v) = step(x, v);
            assert!((found - x).abs() < 1e-9, "lane {number}, step {at}: {found}, not {x}");
            error = error.max((x - exact(h * (at + 1) as f64)).abs());
        }
        errors.push(error);
    }
    let [soft, explicit, symplectic, oscillator] = errors[..] else { panic!("four lanes") };
    assert!(symplectic < oscillator && oscillator < soft && soft < explicit, "{errors:?}");
    // it diverges, while all others come to rest
    let last = |number: usize| displacements(number, None, 60).last().copied().unwrap_or(f64::INFINITY);
    assert!(displacements(1, None, 40).iter().any(|x| x.abs() > 1.0));
    assert!([0, 2, 3].into_iter().all(|number| last(number).abs() < 0.05));
    // the soft constraint is implicit Euler
    let apart = displacements(0, None, 60).into_iter().zip(displacements(0, Some("implicit-euler"), 60));
    assert!(apart.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) < 1e-6);
}

#[test]
fn the_mark_of_the_oscillator_moves_by_its_differential_equation() {
    let scene = Scene::load("oscillator").expect("it comes with the program");
    let motion = scene.motion.expect("it has one");
    let place = |time: f64| motion.place(&scene.parameters, time).expect("always").y - 1.6;
    let simulation = scene.build().expect("it comes with the program");
    let material = simulation.parameters.material;
    assert!(simulation.state.cloth.positions.contains(&motion.from()));
    assert_eq!(simulation.state.cloth.masses[0], 1.0);
    let d = 1e-4;
    for time in [0.0_f64, 0.13, 0.8, 2.3].map(|time| time + d) {
        let [before, now, after] = [time - d, time, time + d].map(place);
        let (rate, acceleration) = ((after - before) / (2.0 * d), (after - 2.0 * now + before) / (d * d));
        let rest = acceleration + material.damping * rate + material.structural_stiffness * now;
        assert!(rest.abs() < 1e-4, "{time} s: m x'' + c x' + k x = {rest} N");
    }
}

#[test]
fn the_figures_of_projective_dynamics_run_with_its_own_constraints() {
    let figures: Vec<String> =
        scene_names().into_iter().filter(|name| name.starts_with("pd-figure") && *name != "pd-figure-3").collect();
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
    let [narrow, medium, wide] = [0, 1, 2].map(|number| {
        let mut simulation = lane("pd-figure-6-10", number);
        run_for(&mut simulation, 2.5, |_| {});
        lowest(&simulation)
    });
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
fn the_cars_of_figure_8_deform_as_their_examples_when_they_collide() {
    let weights = example_weights("pd-figure-8-cars", 1.0);
    let largest = |of: &[f64]| of.iter().copied().fold(0.0, f64::max);
    for ((piece, at), of) in weights {
        // one example of the red car, two of each of the others
        if piece == 0 && at == 1 {
            continue;
        }
        let (before, on_impact) = of.split_at(24);
        let [before, on_impact] = [before, on_impact].map(largest);
        assert!(on_impact > 0.25 && on_impact > 1.5 * before, "car {piece}, example {at}: {before}, {on_impact}");
    }
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
    let curtains = [0, 1, 2].map(|number| {
        let mut simulation = lane("pd-figure-6-10", number);
        run_for(&mut simulation, 4.0, |_| {});
        let bent = curvatures(simulation.pattern(), &simulation.state.cloth.positions);
        (simulation.largest_stretch(), bent.iter().map(|curvature| curvature * curvature).sum::<f64>())
    });
    assert!(curtains.is_sorted_by(|a, b| a.0 < b.0 && a.1 > b.1), "{curtains:?}");
}
