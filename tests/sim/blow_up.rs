//! Why a cloth blew up, and what would have held.

use std::ops::ControlFlow;

use weft::scene::Scene;
use weft::sim::pattern::Family;
use weft::sim::step::timing::Rule;
use weft::sim::study::blow_up::{BlowUp, Change, Finding, Kind, LinearTheory, Mend, Origin};
use weft::sim::{Checkpoint, Parameters, Simulation, StepError, Vec3};

use super::fixtures::{rippled, square};
use super::pairing::paired;

/// Steps until one fails.
fn until_it_fails(simulation: &mut Simulation) -> StepError {
    let failed = (0..20_000).find_map(|_| simulation.step().err());
    failed.unwrap_or_else(|| panic!("{} holds", simulation.solver().info().id))
}

/// What is known about a blow-up.
struct Found {
    origin: Origin,
    linear: LinearTheory,
    longest: Option<f64>,
    mends: Vec<Mend>,
    none: Vec<Kind>,
}

fn investigate(simulation: &Simulation, good: Checkpoint, cause: StepError) -> Found {
    let mut blow_up = BlowUp::new(Simulation::resume(&simulation.checkpoint()), &good, cause);
    let (mut origin, mut linear, mut longest) = (None, None, None);
    let (mut mends, mut none, mut tried) = (Vec::new(), Vec::new(), Vec::new());
    let tell = &mut |finding| match finding {
        Finding::Origin(found) => origin = Some(found),
        Finding::Linear(found) => linear = Some(found),
        Finding::LongestStep(found) => longest = Some(found),
        Finding::Trying(kind) => tried.push(kind),
        Finding::Mend(mend) => mends.push(mend),
        Finding::NoMend(kind) => none.push(kind),
    };
    assert_eq!(blow_up.investigate(tell, &mut || ControlFlow::Continue(())), ControlFlow::Continue(()));
    let solvers = mends.iter().filter(|mend: &&Mend| matches!(mend.change, Change::Solver(_))).count();
    let kinds = mends.len() - solvers.saturating_sub(1);
    assert_eq!(kinds + none.len(), tried.len(), "of every kind that is tried one hears what came of it");
    assert!(solvers <= 1 || mends.len() == 2, "a second solver is offered where nothing else holds: {mends:?}");
    let said = "it is told of every blow-up";
    Found { origin: origin.expect(said), linear: linear.expect(said), longest: longest.expect(said), mends, none }
}

/// Takes steps until one fails, and looks into it from the start.
fn blow_up(mut simulation: Simulation) -> (Simulation, Checkpoint, Found) {
    let good = simulation.checkpoint();
    let cause = until_it_fails(&mut simulation);
    let found = investigate(&simulation, good.clone(), cause);
    (simulation, good, found)
}

#[test]
fn a_step_that_is_too_long_is_found_to_be_by_theory_and_by_trial() {
    let mut simulation = rippled("symplectic-euler", 6, 6);
    simulation.parameters.material.damping = 0.0;
    simulation.parameters.gravity.gravity = 0.0;
    let critical = simulation.critical_step();
    simulation.parameters.timing.time_step = 3.0 * critical;
    let material = simulation.parameters.material;
    let (simulation, _, found) = blow_up(simulation);

    let Found { origin, linear, longest, mends, none } = found;
    // symplectic Euler without damping: h ω < 2
    assert!((linear.step / linear.own.expect("it has a limit") - 3.0).abs() < 1e-9);
    assert!((linear.own.expect("it") * linear.frequency - 2.0).abs() < 1e-6, "{linear:?}");
    let longest = longest.expect("shorter steps hold");
    assert!((longest / critical - 1.0).abs() < 0.1, "by trial {longest} s, by theory {critical} s");

    assert!(origin.happens_again);
    let spring = origin.spring.expect("a spring broke");
    let [i, j] = spring.vertices;
    let springs = simulation.pattern().springs();
    let known = springs.ends.iter().position(|ends| *ends == [i, j] || *ends == [j, i]).expect("it is one");
    assert_eq!((springs.families[known], material.stiffness(spring.family)), (spring.family, spring.stiffness));
    assert!(spring.strain > 1.0);
    // all vertices are free and weigh 0.1 kg
    let alone = (spring.stiffness * 2.0 / 0.1).sqrt();
    assert!((spring.frequency / alone - 1.0).abs() < 1e-9);
    assert!(spring.frequency < linear.frequency, "a net is stiffer than one of its springs");

    let kinds: Vec<bool> = mends.iter().map(|mend| matches!(mend.change, Change::Solver(_))).collect();
    assert_eq!((kinds, none), (vec![false, false, true], vec![]));
}

/// A cloth that blows up, in a way of its own.
fn cases() -> Vec<(&'static str, Simulation)> {
    let table = |solver: &str, settings: &[(&str, &str)], stiffness: f64| {
        let mut scene = Scene::load(Scene::TABLE_1).expect("it comes along");
        scene.set_solver(solver).expect("registered");
        let mut simulation = scene.build().expect("valid");
        let own = simulation.solver_mut().settings_mut();
        settings.iter().for_each(|(key, value)| own.set_text(key, value).expect("its own"));
        simulation.parameters.material.structural_stiffness = stiffness;
        simulation.parameters.material.shear_stiffness = stiffness;
        simulation
    };
    let mut adaptive = rippled("explicit-euler", 6, 6);
    adaptive.parameters.timing.adaptive = true;
    adaptive.parameters.timing.time_step = 0.1;
    adaptive.parameters.material.structural_stiffness = 1e9;
    let mut undamped = rippled("explicit-euler", 6, 6);
    undamped.parameters.material.damping = 0.0;
    let mut damped = rippled("symplectic-euler", 6, 6);
    damped.parameters.material.damping = 100.0;
    let mut substeps = rippled("symplectic-euler", 6, 6);
    substeps.parameters.timing.substeps = 3;
    substeps.parameters.material.structural_stiffness = 1e6;
    vec![
        ("symplectic Euler in substeps", substeps),
        ("explicit Euler without damping", undamped),
        ("an adaptive step", adaptive),
        ("too much damping", damped),
        ("a harmonic oscillator", table("harmonic-oscillator", &[("share", "0.5")], 4e4)),
        ("Jacobi", table("jacobi-implicit", &[("blocks", "raw"), ("sweeps", "0")], 1e5)),
        ("Jacobi with two sweeps", table("jacobi-implicit", &[("blocks", "raw"), ("sweeps", "2")], 1e6)),
    ]
}

#[test]
#[ignore = "full tier"]
fn whatever_blows_up_is_offered_what_then_holds() {
    let mut cases: Vec<_> = cases().into_iter().map(Some).collect();
    for (_, case) in paired([()], 0..cases.len(), 3) {
        let (name, mut simulation) = cases[case].take().expect("each is met once");
        let good = simulation.checkpoint();
        let Some(cause) = (0..20_000).find_map(|_| simulation.step().err()) else { panic!("{name} holds") };
        let found = investigate(&simulation, good.clone(), cause);
        assert!(found.origin.happens_again, "{name}");
        assert!(!found.mends.is_empty(), "{name}: {:?} were tried", found.none);
        for mend in &found.mends {
            let mut copy = Simulation::resume(&simulation.checkpoint());
            copy.return_to(&good);
            let stretch = copy.largest_stretch();
            mend.change.apply(&mut copy);
            let until = copy.time() + 2.0;
            while copy.time() < until {
                copy.step().unwrap_or_else(|error| panic!("{name}, {:?}: {error}", mend.change));
            }
            assert!(copy.largest_stretch() < 1.0_f64.max(2.0 * stretch), "{name}, {:?}", mend.change);
        }
    }
}

#[test]
fn what_no_step_can_hold_is_said_to_be_none_of_a_spring() {
    let mut simulation = rippled("symplectic-euler", 6, 6);
    simulation.state.cloth.velocities[7] = Vec3::new(1e9, 0.0, 0.0);
    let (_, _, found) = blow_up(simulation);
    assert_eq!((found.origin.happens_again, found.origin.spring, found.longest), (true, None, None));
    assert_eq!((found.mends, found.none), (vec![], vec![Kind::Step, Kind::Substeps, Kind::Solver]));
}

#[test]
fn what_came_from_outside_is_told_from_what_the_step_did() {
    let mut simulation = square("symplectic-euler", 6, 6);
    simulation.parameters.timing.time_step = 0.2 * simulation.critical_step();
    let good = simulation.checkpoint();
    for _ in 0..10 {
        simulation.step().expect("it holds");
    }
    // as if somebody had struck it
    simulation.state.cloth.velocities[7] = Vec3::new(1e9, 0.0, 0.0);
    let cause = until_it_fails(&mut simulation);
    let found = investigate(&simulation, good, cause);
    assert!(!found.origin.happens_again);
    assert_eq!(found.longest, Some(found.linear.step), "the step that failed holds from the last good state");
    assert_eq!((found.mends, found.none), (vec![], vec![]), "there is nothing to mend");
}

#[test]
fn springs_that_resist_nothing_are_not_blamed_and_an_inquiry_can_be_called_off() {
    let mut simulation = rippled("symplectic-euler", 6, 6);
    simulation.parameters.material.structural_stiffness = 1e6;
    simulation.parameters.material.shear_stiffness = 0.0;
    simulation.parameters.material.bend_stiffness = 0.0;
    let good = simulation.checkpoint();
    let cause = until_it_fails(&mut simulation);
    let found = investigate(&simulation, good.clone(), cause.clone());
    assert_eq!(found.origin.spring.map(|spring| spring.family), Some(Family::Structural));
    for last in [1, 2, 40, 400] {
        let mut calls = 0;
        let mut blow_up = BlowUp::new(Simulation::resume(&simulation.checkpoint()), &good, cause.clone());
        let ended = blow_up.investigate(&mut |_| {}, &mut || {
            calls += 1;
            if calls == last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!((ended, calls), (ControlFlow::Break(()), last));
    }
}

#[test]
fn a_scheme_that_lets_stiff_springs_gain_energy_is_mended_by_one_that_does_not() {
    // not Newton's method: it starts from where the cloth is, if the potential is lower there, and holds
    for (solver, stiffness) in [("fast-mass-spring", 1e6), ("projective-dynamics", 1e6)] {
        let mut scene = Scene::load("hanging").expect("it comes along");
        for (key, value) in [("columns", "8"), ("rows", "8"), ("solver", solver), ("air", "vacuum"), ("damping", "0")] {
            scene.set(key, value).expect("a value");
        }
        let mut simulation = scene.build().expect("good");
        let Parameters { material, timing, .. } = &mut simulation.parameters;
        (material.structural_stiffness, material.shear_stiffness) = (stiffness, stiffness);
        timing.set_rule(Rule::Theta(0.5));
        // a good state half a second before, or a little more
        let mut good = [simulation.checkpoint(), simulation.checkpoint()];
        let cause = (0..2000).find_map(|step| {
            if step % 30 == 0 {
                good = [good[1].clone(), simulation.checkpoint()];
            }
            simulation.step().err()
        });
        let (cause, [good, _]) = (cause.unwrap_or_else(|| panic!("{solver} holds")), good);
        let found = investigate(&simulation, good.clone(), cause);
        let rule = found.mends.iter().find_map(|mend| match mend.change {
            Change::Scheme(rule) => Some(rule),
            _ => None,
        });
        let rule = rule.unwrap_or_else(|| panic!("{solver}: {:?}, {:?}", found.mends, found.none));
        assert_ne!(rule, Rule::Theta(0.5));
        simulation.return_to(&good);
        Change::Scheme(rule).apply(&mut simulation);
        assert_eq!((simulation.solver().info().id, simulation.rule()), (solver, rule));
        let energy = |simulation: &Simulation| simulation.energy().total().expect("of springs");
        let start = energy(&simulation);
        for _ in 0..180 {
            simulation.step().unwrap_or_else(|error| panic!("{solver}, {rule:?}: {error}"));
        }
        assert!(energy(&simulation) < start, "{solver}, {rule:?}: {start} J -> {} J", energy(&simulation));
    }
}
