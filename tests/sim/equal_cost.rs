//! Solvers that are given the same time.

use std::convert::Infallible;
use std::ops::ControlFlow;
use std::sync::LazyLock;
use std::time::Instant;

use proptest::prelude::*;
use weft::sim::params::{Kind, Setting};
use weft::sim::solver_interface::WorkSetting;
use weft::sim::study::equal_cost::{EqualCost, Subject, equal_cost, value_that_costs};
use weft::sim::study::run::Interrupted;
use weft::sim::{Clock, Real};

use crate::fixtures::{every, rippled, solver_ids};

static START: LazyLock<Instant> = LazyLock::new(Instant::now);

#[test]
fn a_larger_work_setting_makes_more_of_a_step_with_every_solver() {
    every(solver_ids(), |solver| {
        let work = |value: u32| {
            let mut simulation = rippled(solver, 9, 9);
            simulation.state.cloth.pin_here(0);
            simulation.parameters.timing.time_step = 0.01;
            let (setting, ..) = simulation.work().unwrap_or_else(|| panic!("{solver} has no work setting"));
            simulation.set_work(&setting, value);
            assert_eq!(simulation.work().map(|(_, _, value, _)| value), Some(value), "{solver}");
            let stats = simulation.step().expect("a step");
            stats.substeps + stats.iterations
        };
        assert!(work(1) < work(5), "{solver}: {} and {}", work(1), work(5));
    });
}

#[test]
fn a_setting_without_effect_buys_nothing() {
    let mut simulation = rippled("implicit-euler", 9, 9);
    let (group, _) = simulation.parameters.find_mut("adaptive").expect("a parameter");
    group.set_text("adaptive", "true").expect("a switch");
    assert!(simulation.work().is_none(), "the adaptive step chooses its substeps");
}

#[test]
fn the_reference_stays_as_it_is_and_no_simulation_moves() {
    let ids = ["xpbd", "jacobi-implicit", "fast-mass-spring", "implicit-euler"];
    let simulations: Vec<_> = ids.iter().map(|id| rippled(id, 9, 9)).collect();
    let before: Vec<_> = simulations.iter().map(|simulation| simulation.fingerprint()).collect();
    let subjects: Vec<Subject> = simulations.iter().map(Subject::of).collect();
    let found = equal_cost(&subjects, 2, &mut |_| ControlFlow::Continue(())).expect("costs");
    assert_eq!(before, simulations.iter().map(|simulation| simulation.fingerprint()).collect::<Vec<_>>());
    assert_eq!(simulations[2].work().map(|(_, _, value, _)| value), Some(found[2].value));
    for (simulation, EqualCost { param, value, .. }) in simulations.iter().zip(&found) {
        let (setting, _, _, [min, max]) = simulation.work().expect("a setting");
        let key = param.map(|param| param.key);
        assert_eq!(key, Some(setting.key));
        assert!((min..=max).contains(value), "{key:?} = {value}");
        assert_eq!(setting.allowed(*value, [min, max]), *value, "{key:?}: an even number of sweeps overshoots");
    }
    let ended = equal_cost(&subjects, 0, &mut |_| ControlFlow::Break(()));
    assert_eq!(ended.err(), Some(Interrupted::Cancelled));
}

#[test]
fn what_is_too_dear_gives_its_sweeps_up_before_its_small_steps() {
    let clock = Clock(|| START.elapsed().as_secs_f64());
    let of = |id: &str, settings: &[(&str, &str)]| {
        let mut simulation = rippled(id, 25, 25);
        simulation.state.cloth.pin_here(0);
        simulation.clock = clock;
        for (key, value) in settings {
            simulation.solver_mut().settings_mut().set_text(key, value).expect("in range");
        }
        Subject::of(&simulation)
    };
    // some hundred passes over the springs beside one
    let dear = of("xpbd", &[("small_steps", "20"), ("iterations", "10")]);
    let found = equal_cost(&[of("symplectic-euler", &[]), dear.clone()], 0, &mut |_| ControlFlow::Continue(()));
    let found = &found.expect("costs")[1];
    let settings: Vec<_> = found.settings().map(|(param, value)| (param.key, value)).collect();
    assert!(settings[0] == ("iterations", 1) && settings[1].0 == "small_steps" && settings[1].1 < 20, "{settings:?}");
    // and what is cheap keeps them
    let reference = of("xpbd", &[("small_steps", "40"), ("iterations", "10")]);
    let cheap = of("xpbd", &[("small_steps", "1"), ("iterations", "2")]);
    let found = equal_cost(&[reference, cheap], 0, &mut |_| ControlFlow::Continue(())).expect("costs");
    assert!(found[1].lowered.is_none() && found[1].value > 1, "{:?}", found[1]);
}

#[test]
fn work_settings_are_whole_numbers_of_a_range() {
    for id in solver_ids() {
        let simulation = rippled(id, 4, 4);
        let key = simulation.solver().work_setting().key;
        let own = simulation.solver().settings();
        let (value, kind) = match (own.index_of(key), simulation.parameters.find(key)) {
            (Some(index), None) => (own.get(index), own.params()[index].kind),
            (None, Some((group, index))) => (group.get(index), group.params()[index].kind),
            _ => panic!("{id}: {key} is not one parameter"),
        };
        assert!(matches!((value, kind), (Setting::Integer(_), Kind::Integer { .. })), "{id}: {key}");
    }
}

#[test]
fn a_cost_that_is_not_proportional_to_the_value_does_not_end_the_search() {
    let mut cost = |value: u32| Ok::<_, Infallible>(1.5 + 0.43 * Real::from(value));
    let Ok(target) = cost(3);
    for most in [3, 300] {
        let Ok((value, _)) = value_that_costs(target, 1, |value| value.clamp(1, most), &mut cost);
        assert_eq!(value, 3, "of at most {most}");
    }
}

proptest! {
    #[test]
    fn the_value_found_costs_the_target_where_one_does(
        base in 0.0..2.0_f64, per_value in 0.01..1.0_f64, first in 1..100_u32, wanted in 1..200_u32,
        most in 1..300_u32, noise in prop::collection::vec(-0.01..0.01_f64, 16),
    ) {
        let cost_of = |value: u32| base + per_value * Real::from(value);
        let target = cost_of(wanted);
        let mut calls = 0;
        let mut cost = |value: u32| {
            calls += 1;
            Ok::<_, Infallible>(cost_of(value) * (1.0 + noise[calls % noise.len()]))
        };
        let setting = WorkSetting::of("iterations");
        let allowed = |value| setting.allowed(value, [1, most]);
        let Ok((value, _)) = value_that_costs(target, first, allowed, &mut cost);
        let best = cost_of(allowed(wanted));
        let off = (cost_of(value) / best).ln().abs();
        // as near as the noise and whole numbers allow
        prop_assert!(off < 0.08 || (cost_of(value) - best).abs() <= 1.01 * per_value, "{value} for {wanted}: {off}");
        prop_assert!(calls <= 7);
    }

    #[test]
    fn allowed_values_are_in_range_and_odd_where_they_are_to_be(value in 0..500_u32, min in 0..20_u32, more in 1..200_u32) {
        let range = [min, min + more];
        for (setting, is_odd) in [(WorkSetting::of("iterations"), false), (WorkSetting::odd("sweeps"), true)] {
            let allowed = setting.allowed(value, range);
            prop_assert!((range[0]..=range[1]).contains(&allowed));
            prop_assert!(allowed % 2 == 1 || !is_odd);
            prop_assert!(allowed > 0 && allowed.abs_diff(value.clamp(min.max(1), min + more)) <= 1);
        }
    }
}
