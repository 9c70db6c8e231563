//! The stability compass: the region of time steps and stiffnesses in which a method holds.

use std::ops::ControlFlow;

use weft::sim::Simulation;
use weft::sim::params::Setting;
use weft::sim::study::compass::{Chart, Point, Region};
use weft::sim::study::stability::{largest_stiffness, with_stiffness};

use super::fixtures::{rippled, set, square};

fn find(mut holds: impl FnMut(Point) -> bool) -> Region {
    match Region::find([0.3, 0.6], &mut |point, _| ControlFlow::Continue(holds(point)), &mut |_| {}) {
        ControlFlow::Continue(region) => region,
        ControlFlow::Break(()) => unreachable!("nobody called it off"),
    }
}

fn nodes() -> impl Iterator<Item = ([usize; 2], Point)> {
    let side = Region::side();
    let place = move |x: usize| x as f64 / side as f64;
    (0..=side).flat_map(move |j| (0..=side).map(move |i| ([i, j], [place(i), place(j)])))
}

/// Whether a point is within it.
type Shape = fn(Point) -> bool;

#[test]
fn refinement_finds_at_every_node_what_trying_all_of_them_finds() {
    let all = (Region::side() + 1).pow(2);
    // with the share of all nodes that may be tried
    let shapes: [(&str, f64, Shape); 8] = [
        ("all", 0.03, |_| true),
        ("nothing", 0.03, |_| false),
        ("a half", 0.5, |[x, y]| 2.0 * x + y < 1.5),
        ("a corner of the square", 0.4, |[x, y]| x + y < 0.33),
        ("a bay", 0.6, |[x, y]| y < 0.4 + 0.3 * (7.0 * x).sin()),
        ("a ring", 1.2, |[x, y]| !(0.2..0.35).contains(&(x - 0.5).hypot(y - 0.5))),
        ("a tongue, thinner than a coarse cell, from the side", 0.9, |[x, y]| {
            x + y < 1.2 && !((0.47..0.53).contains(&y) && x > 0.3)
        }),
        ("steps", 0.8, |[x, y]| y < (5.0 * x).floor() / 5.0 + 0.1),
    ];
    for (name, share, holds) in shapes {
        let region = find(holds);
        for (node, point) in nodes() {
            assert_eq!(region.node(node), Some(holds(point)), "{name} at {point:?}");
        }
        let tried = region.tried() as f64 / all as f64;
        assert!(tried < share, "{name}: {tried} of all were tried");
    }
    assert_eq!(find(|_| true).tried(), 25, "where there is no border, it is looked for nowhere");
}

#[test]
fn the_border_is_where_it_changes_and_the_rest_is_covered_once() {
    let holds = |[x, y]: Point| 2.0 * x + y < 1.5;
    let region = find(holds);
    let border = region.border();
    assert!(!border.is_empty());
    for [x, y] in border.iter().flatten() {
        let off = (2.0 * x + y - 1.5).abs() / 5.0_f64.sqrt();
        assert!(off < 1.0 / (16.0 * Region::side() as f64), "({x}, {y}) is {off} off");
    }
    let length: f64 = border.iter().map(|[a, b]| (a[0] - b[0]).hypot(a[1] - b[1])).sum();
    // from (0.25, 1) to (0.75, 0)
    assert!((length / 1.25_f64.sqrt() - 1.0).abs() < 0.03, "{length}");
    let area = |polygon: &Vec<Point>| {
        let next = polygon.iter().cycle().skip(1);
        0.5 * polygon.iter().zip(next).map(|(a, b)| a[0] * b[1] - a[1] * b[0]).sum::<f64>()
    };
    let failing = region.failing();
    assert!(failing.iter().all(|polygon| area(polygon) >= 0.0), "all of them turn the same way");
    let covered: f64 = failing.iter().map(area).sum();
    assert!((covered - 0.5).abs() < 0.003, "{covered}");
    // two corners that touch across a cell are two
    let checker = find(|[x, y]| (x < 0.52) == (y < 0.52));
    let covered: f64 = checker.failing().iter().map(area).sum();
    assert!((covered - 2.0 * 0.52 * 0.48).abs() < 0.01, "{covered}");
}

#[test]
fn what_is_known_grows_and_the_share_that_is_done_is_one_at_most() {
    let (mut shares, mut sizes) = (Vec::new(), Vec::new());
    let holds = &mut |[x, y]: Point, share| {
        shares.push(share);
        ControlFlow::Continue(x * y < 0.3)
    };
    let near = [0.2, 0.9];
    let mut coarse: Vec<Vec<(Point, bool)>> = Vec::new();
    let found = Region::find(near, holds, &mut |region| {
        let known: Vec<(Point, bool)> = region.coarse_nodes().collect();
        if known.is_empty() {
            assert!(!region.border().is_empty() && region.holds_at([0.1, 0.1]) == Some(true));
        } else {
            assert!(known.iter().all(|([x, y], holds)| *holds == (x * y < 0.3)));
            assert!(region.border().is_empty(), "there is no border between what is known and what is not");
            assert_eq!(region.failing().len(), known.iter().filter(|(_, holds)| !holds).count());
            coarse.push(known);
        }
        sizes.push(region.tried());
    });
    assert!(found.is_continue() && sizes.len() == coarse.len() + 4 && sizes.is_sorted(), "{sizes:?}");
    // one by one, the nearest first
    assert!(coarse.len() == 25 && coarse.iter().zip(1..).all(|(known, count)| known.len() == count));
    let distance = |[x, y]: Point| (x - near[0]).hypot(y - near[1]);
    let mut last = 0.0;
    for pair in coarse.windows(2) {
        let new = pair[1].iter().find(|node| !pair[0].contains(node)).expect("a new node").0;
        assert!(distance(new) >= last - 1e-12, "{new:?}");
        last = distance(new);
    }
    assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)) && shares.last() > Some(&0.9));
}

fn survey(simulation: &mut Simulation, chart: &Chart) -> Region {
    match chart.survey(simulation, &mut |_| ControlFlow::Continue(()), &mut |_| {}) {
        ControlFlow::Continue(region) => region,
        ControlFlow::Break(()) => unreachable!("nobody called it off"),
    }
}

const CHART: Chart = Chart { time_steps: [1e-4, 0.1], stiffnesses: [1.0, 1e7] };

/// A cloth without weight and damping, with small motions of every spring.
fn undamped(solver: &str) -> Simulation {
    let mut simulation = square(solver, 5, 5);
    simulation.parameters.material.damping = 0.0;
    simulation.parameters.material.shear_stiffness = 40.0;
    simulation.parameters.gravity.gravity = 0.0;
    let rippled = rippled(solver, 5, 5);
    for (v, ripple) in simulation.state.cloth.velocities.iter_mut().zip(&rippled.state.cloth.velocities) {
        *v = 1e-6 * *ripple;
    }
    simulation
}

#[test]
fn the_border_of_symplectic_euler_is_where_linear_theory_has_it() {
    let mut simulation = undamped("symplectic-euler");
    let before = (simulation.state.cloth.clone(), simulation.parameters);
    let region = survey(&mut simulation, &CHART);
    assert_eq!((&simulation.state.cloth, simulation.parameters), (&before.0, before.1), "it is as it was");
    let border = region.border();
    assert!(border.len() > Region::side() / 2);
    let largest = largest_stiffness(&simulation.parameters.material);
    // h = 2/ω, and ω² ~ k
    let critical = simulation.critical_step() * largest.sqrt();
    for point in border.iter().flatten() {
        let [step, stiffness] = CHART.values(*point);
        let off = step * stiffness.sqrt() / critical;
        assert!((0.95..1.06).contains(&off), "{step} s at {stiffness} N/m is {off} of the critical step");
    }
    // in the logarithms a straight line, beyond which everything fails
    for (node, point) in nodes() {
        let [step, stiffness] = CHART.values(point);
        let load = step * stiffness.sqrt() / critical;
        if !(0.95..1.06).contains(&load) {
            assert_eq!(region.node(node), Some(load < 1.0), "{step} s at {stiffness} N/m");
        }
    }
}

#[test]
fn what_linear_theory_calls_monotone_is() {
    for solver in ["symplectic-euler", "harmonic-oscillator"] {
        let mut simulation = undamped(solver);
        // of the oscillators alone
        if simulation.solver().settings().index_of("share").is_some() {
            set(&mut simulation, "share", Setting::Real(1.0));
        }
        let region = survey(&mut simulation, &CHART);
        let side = Region::side();
        for j in 0..=side {
            let row: Vec<bool> = (0..=side).map(|i| region.node([i, j]).expect("it is whole")).collect();
            assert!(
                row.is_sorted_by(|a, b| a >= b),
                "{solver}: a longer step holds where a shorter one fails, row {j}"
            );
            let column: Vec<bool> = (0..=side).map(|i| region.node([j, i]).expect("it is whole")).collect();
            assert!(column.is_sorted_by(|a, b| a >= b), "{solver}: stiffer springs hold, column {j}");
        }
    }
}

#[test]
fn a_method_that_holds_any_step_holds_in_all_of_the_chart() {
    let region = survey(&mut undamped("fast-mass-spring"), &CHART);
    assert_eq!((region.border().len(), region.failing().len(), region.tried()), (0, 0, 25));
}

#[test]
fn beyond_the_border_a_spring_breaks_and_before_it_none_does() {
    let mut simulation = undamped("symplectic-euler");
    let critical = simulation.critical_step();
    let largest = largest_stiffness(&simulation.parameters.material);
    let before = (simulation.state.cloth.clone(), simulation.parameters);
    let mut at = |step: f64| {
        let point = CHART.point([step, 4.0 * largest]);
        match CHART.what_breaks(&mut simulation, point, &mut || ControlFlow::Continue(())) {
            ControlFlow::Continue(found) => found,
            ControlFlow::Break(()) => unreachable!("nobody called it off"),
        }
    };
    // four times as stiff, half as long a step
    let beyond = at(0.5 * 1.1 * critical);
    assert!(beyond.fails && (beyond.substep * beyond.frequency / 2.2 - 1.0).abs() < 1e-6, "{beyond:?}");
    let spring = beyond.spring.expect("one breaks");
    assert!(spring.strain > 1.0 && spring.stiffness <= 4.0 * largest && spring.frequency < beyond.frequency);
    let within = at(0.5 * 0.9 * critical);
    assert!(!within.fails && within.spring.is_none(), "{within:?}");
    assert_eq!((&simulation.state.cloth, simulation.parameters), (&before.0, before.1));
}

#[test]
fn a_chart_leads_from_values_to_points_and_back() {
    for point in [[0.0, 0.0], [1.0, 1.0], [0.3, 0.8]] {
        let back = CHART.point(CHART.values(point));
        assert!(back.iter().zip(point).all(|(a, b)| (a - b).abs() < 1e-12), "{point:?} is {back:?}");
    }
    let material = square("xpbd", 3, 3).parameters.material;
    let stiffer = with_stiffness(&material, 3.0 * largest_stiffness(&material));
    assert!((stiffer.shear_stiffness / material.shear_stiffness - 3.0).abs() < 1e-12);
    assert!((stiffer.bend_stiffness / material.bend_stiffness - 3.0).abs() < 1e-12);
}

#[test]
fn a_survey_is_called_off_at_the_next_step() {
    let mut simulation = undamped("symplectic-euler");
    for last in [1, 5, 1000] {
        let mut calls = 0;
        let mut progress = |_| {
            calls += 1;
            if calls >= last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let ended = CHART.survey(&mut simulation, &mut progress, &mut |_| {});
        assert!(ended.is_break() && calls == last, "{calls} calls");
    }
}
