//! Pins, paths and the hand.

use faer::linalg::solvers::Solve;
use proptest::prelude::*;
use weft::sim::model::partition::Partition;
use weft::sim::params::Setting;
use weft::sim::solver_interface::Ability;
use weft::sim::{Grab, Real, Vec3};
use weft::sim::{Motion, Path, Pin, Quat, Swing, Turn};

use crate::fixtures::{advance, every, farthest, rippled, set, solver_ids, square};

fn swing() -> Path {
    Path::Oscillation { amplitude: Vec3::new(0.1, 0.05, 0.2), frequency: Vec3::new(1.0, 2.0, 0.5), phase: Vec3::Y }
}

#[test]
fn pins_are_exactly_where_they_have_to_be_at_the_end_of_every_step() {
    every(solver_ids(), |solver| {
        let mut simulation = rippled(solver, 7, 6);
        simulation.parameters.timing.substeps = 2;
        simulation.state.cloth.pin_here(0);
        let origin = simulation.state.cloth.positions[6];
        simulation.state.cloth.pin(Pin { vertex: 6, origin, motion: Some(swing().into()) });
        let fixed = simulation.state.cloth.positions[0];
        for _ in 0..50 {
            simulation.step().expect("stable");
            let expected = origin + swing().offset(simulation.time());
            assert_eq!(simulation.state.cloth.positions[0], fixed, "{solver}");
            assert_eq!(simulation.state.cloth.velocities[0], Vec3::ZERO, "{solver}");
            assert!(simulation.state.cloth.positions[6].distance(expected) < 1e-12, "{solver}");
        }
    });
}

#[test]
fn the_cloth_feels_the_velocity_of_a_moving_pin() {
    // a pin that moves at constant velocity carries a weightless start along: in its frame nothing happens
    every(solver_ids(), |solver| {
        let mut still = rippled(solver, 5, 5);
        still.parameters.gravity.gravity = 0.0;
        let mut moving = rippled(solver, 5, 5);
        moving.parameters.gravity.gravity = 0.0;
        let velocity = Vec3::new(0.7, -0.2, 0.4);
        let path = Path::Waypoints { points: vec![(0.0, Vec3::ZERO), (10.0, velocity * 10.0)], repeat: false };
        for simulation in [&mut still, &mut moving] {
            simulation.state.cloth.pin_here(0);
        }
        moving.state.cloth.velocities.iter_mut().for_each(|v| *v += velocity);
        let origin = moving.state.cloth.positions[0];
        moving.state.cloth.pin(Pin { vertex: 0, origin, motion: Some(path.into()) });
        for _ in 0..60 {
            still.step().expect("stable");
            moving.step().expect("stable");
        }
        let shift = velocity * still.time();
        let rounding = still.solver().capabilities().processor.rounding();
        let exact = f64::max(1e-9, 4.0 * rounding * shift.length());
        for (a, b) in still.state.cloth.positions.iter().zip(&moving.state.cloth.positions) {
            assert!(b.distance(*a + shift) < exact, "{solver}: {}", b.distance(*a + shift));
        }
    });
}

#[test]
fn a_held_vertex_follows_the_hand_and_leaves_it_with_the_velocity_it_had() {
    every(solver_ids(), |solver| {
        let mut simulation = square(solver, 6, 6);
        simulation.state.cloth.pin_here(0);
        let target = simulation.state.cloth.positions[35] + Vec3::new(0.1, 0.3, 0.0);
        simulation.state.grab = Some(Grab { vertex: 35, target });
        for _ in 0..60 {
            simulation.step().expect("stable");
        }
        assert!(simulation.state.cloth.positions[35].distance(target) < 1e-3, "{solver}");
        // pulled along, then let go in flight
        simulation.state.grab = Some(Grab { vertex: 35, target: target + Vec3::X * 0.5 });
        simulation.step().expect("stable");
        let velocity = simulation.state.cloth.velocities[35];
        assert!(velocity.x > 1.0, "{solver}: {velocity}");
        simulation.state.grab = None;
        assert_eq!(simulation.state.cloth.velocities[35], velocity);
        simulation.step().expect("stable");
        // how much of it is left after a step is up to the stiffness of the cloth that it drags along
        let left = simulation.state.cloth.velocities[35].x;
        // what knows no stiffness gives it back to the cloth at once
        let is_rigid = simulation.solver().capabilities().stiffness != Ability::Yes;
        assert!(left > 0.0 || is_rigid, "{solver}: {left} m/s");
    });
}

#[test]
fn the_hand_wins_over_a_pin_and_a_vertex_is_prescribed_once() {
    let mut simulation = square("fast-mass-spring", 4, 4);
    simulation.state.cloth.pin_here(3);
    simulation.state.cloth.pin_here(9);
    let mut partition = Partition::default();
    for vertex in [0, 3, 5, 9, 15] {
        let grab = Grab { vertex, target: Vec3::splat(2.0) };
        partition.update(&simulation.state.cloth, Some(&grab), 0.0, 0.1);
        let vertices: Vec<u32> = partition.prescribed.iter().map(|p| p.vertex).collect();
        let mut expected = vec![3, 9, vertex];
        expected.sort_unstable();
        expected.dedup();
        assert_eq!(vertices, expected);
        assert_eq!(partition.free.len() + vertices.len(), 16);
        let moved = partition.prescribed.iter().find(|p| p.vertex == vertex).expect("in the hand");
        assert_ne!(moved.velocity, Vec3::ZERO);
    }
}

#[test]
fn pinning_mid_motion_stops_that_vertex_and_changes_nothing_else() {
    let mut simulation = rippled("implicit-euler", 6, 5);
    advance(&mut simulation, 20);
    let before = simulation.state.cloth.clone();
    simulation.state.cloth.pin_here(7);
    assert_eq!(simulation.state.cloth.positions, before.positions);
    for (vertex, (now, then)) in simulation.state.cloth.velocities.iter().zip(&before.velocities).enumerate() {
        assert_eq!(*now, if vertex == 7 { Vec3::ZERO } else { *then });
    }
    assert!(simulation.state.cloth.unpin(7));
    assert!(!simulation.state.cloth.unpin(7));
    assert_eq!(simulation.state.cloth.positions, before.positions);
}

#[test]
fn a_cloth_that_is_pinned_everywhere_stays() {
    every(solver_ids(), |solver| {
        let mut simulation = square(solver, 4, 4);
        (0..16).for_each(|vertex| simulation.state.cloth.pin_here(vertex));
        let before = simulation.state.cloth.positions.clone();
        advance(&mut simulation, 5);
        assert_eq!(simulation.state.cloth.positions, before, "{solver}");
    });
}

proptest! {
    #[test]
    fn a_path_starts_at_its_origin_and_has_no_jumps(t in 0.0_f64..20.0) {
        let points = vec![(0.0, Vec3::ZERO), (0.5, Vec3::X), (1.5, Vec3::new(1.0, 1.0, 0.0)), (2.0, Vec3::ZERO)];
        for path in [swing(), Path::Waypoints { points: points.clone(), repeat: true }] {
            prop_assert_eq!(path.offset(0.0), Vec3::ZERO);
            prop_assert!(path.offset(t).distance(path.offset(t + 1e-7)) < 1e-5);
            prop_assert_eq!(path.fault(), None);
        }
        // after its last point a path that does not repeat stays there
        let once = Path::Waypoints { points, repeat: false };
        prop_assert_eq!(once.offset(2.0 + t), Vec3::ZERO);
    }
}

#[test]
fn a_path_whose_times_do_not_rise_is_refused() {
    let path = Path::Waypoints { points: vec![(0.0, Vec3::ZERO), (0.0, Vec3::X)], repeat: false };
    assert!(path.fault().is_some_and(|message| message.contains("must rise")));
    let path = Path::Waypoints { points: vec![(f64::NAN, Vec3::ZERO)], repeat: false };
    assert!(path.fault().is_some());
}

fn turn(points: Vec<(f64, f64)>, repeat: bool) -> Turn {
    Turn { axis: Vec3::new(0.0, 0.0, 2.0), center: Some(Vec3::X), turns: points, repeat, swing: None }
}

#[test]
fn a_turn_leads_about_its_axis_and_whole_turns_lead_back_to_the_same_bits() {
    let motion = Motion { path: None, turn: Some(turn(vec![(0.0, 0.0), (4.0, 4.0)], false)) };
    let origin = Vec3::new(3.0, 0.5, -1.0);
    // a quarter turn, counter-clockwise seen against the axis
    assert!(motion.place(origin, 0.25).distance(Vec3::new(0.5, 2.0, -1.0)) < 1e-12);
    assert_eq!(motion.place(origin, 0.0), origin);
    assert_eq!(motion.place(origin, 3.0), origin);
    assert_eq!(motion.place(origin, 9.0), origin);
    assert!(motion.rotation(0.5).dot(Quat::from_rotation_z(std::f64::consts::PI)).abs() > 1.0 - 1e-12);
}

#[test]
fn a_turn_comes_before_the_path_and_both_can_be_undone() {
    let motion = Motion { path: Some(swing()), turn: Some(turn(vec![(0.0, 0.0), (1.0, 0.3)], true)) };
    let origin = Vec3::new(0.2, -0.4, 0.7);
    for step in 0..50 {
        let time = 0.13 * f64::from(step);
        let place = motion.place(origin, time);
        assert!(motion.origin_of(place, time).distance(origin) < 1e-12);
        // rigid: distances stay
        let other = motion.place(Vec3::ONE, time);
        assert!((place.distance(other) - origin.distance(Vec3::ONE)).abs() < 1e-12);
    }
}

#[test]
fn a_turn_without_an_axis_or_with_times_that_fall_is_refused() {
    assert_eq!(turn(vec![(0.0, 0.0), (1.0, 2.0)], false).fault(), None);
    assert!(turn(vec![(1.0, 0.0), (0.0, 2.0)], false).fault().is_some_and(|message| message.contains("must rise")));
    assert!(turn(vec![(0.0, f64::NAN)], false).fault().is_some());
    let still = Turn { axis: Vec3::ZERO, ..turn(vec![(0.0, 0.0)], false) };
    assert!(still.fault().is_some_and(|message| message.contains("axis")));
}

#[test]
fn a_swing_of_a_turn_is_a_sine_that_starts_at_no_turn_and_adds_to_the_points() {
    let swing = Swing { amplitude: 0.1, frequency: 2.0, phase: 0.7 };
    let of = |turns, swing| Motion { path: None, turn: Some(Turn { swing, ..turn(turns, false) }) };
    let (alone, both) = (of(Vec::new(), Some(swing)), of(vec![(0.0, 0.0), (4.0, 1.0)], Some(swing)));
    let origin = Vec3::new(3.0, 0.5, -1.0);
    assert_eq!(alone.place(origin, 0.0), origin);
    for time in [0.05, 0.31, 0.5, 2.25, 3.9] {
        let turns = 0.1 * ((0.7 + 2.0 * std::f64::consts::TAU * time).sin() - 0.7_f64.sin());
        for (motion, turns) in [(&alone, turns), (&both, turns + 0.25 * time)] {
            let expected = Quat::from_rotation_z(std::f64::consts::TAU * turns);
            assert!(motion.rotation(time).dot(expected).abs() > 1.0 - 1e-12, "{time} s");
            let place = Vec3::X + expected * (origin - Vec3::X);
            assert!(motion.place(origin, time).distance(place) < 1e-12, "{time} s");
            assert!(!motion.jumps(origin, time, time + 0.1));
        }
    }
    let fault = |motion: Motion| motion.fault().unwrap_or_default();
    assert!(fault(of(Vec::new(), Some(Swing { frequency: f64::NAN, ..swing }))).contains("finite"));
    assert!(fault(of(Vec::new(), None)).contains("turns, a swing or both"));
    assert!(alone.fault().is_none() && both.fault().is_none());
}

/// A step of implicit Euler by Newton's method with a pin as in section 4 of the report on fast mass-spring: an outer
/// force opposite to the inner one of the vertex, with the opposite derivative, and no gravity there.
fn step_with_opposite_force(x: &mut [Vec3], v: &mut [Vec3], springs: &[([usize; 2], Real, Real)], pin: usize, h: Real) {
    let (n, m, start) = (x.len(), 0.1, x.to_vec());
    let gravity = |i: usize| if i == pin { Vec3::ZERO } else { Vec3::new(0.0, -9.8, 0.0) };
    let y: Vec<Vec3> = (0..n).map(|i| x[i] + v[i] * h + gravity(i) * (h * h)).collect();
    x.copy_from_slice(&y);
    for _ in 0..30 {
        let mut gradient: Vec<Vec3> = (0..n).map(|i| (x[i] - y[i]) * m).collect();
        let mut matrix = faer::Mat::<Real>::zeros(3 * n, 3 * n);
        (0..3 * n).for_each(|at| matrix[(at, at)] = m);
        for &([i, j], k, rest) in springs {
            let d = x[j] - x[i];
            let (l, u) = (d.length(), d / d.length());
            let force = u * (k * (l - rest));
            let block =
                |a: usize, b: usize| k * (if a == b { 1.0 - rest / l } else { 0.0 }) + k * rest / l * u[a] * u[b];
            for (of, other, sign) in [(i, j, 1.0), (j, i, -1.0)] {
                // the opposite force and its derivative leave nothing of both
                if of == pin {
                    continue;
                }
                gradient[of] -= force * (sign * h * h);
                for a in 0..3 {
                    for b in 0..3 {
                        matrix[(3 * of + a, 3 * of + b)] += h * h * block(a, b);
                        matrix[(3 * of + a, 3 * other + b)] -= h * h * block(a, b);
                    }
                }
            }
        }
        let rhs = faer::Mat::from_fn(3 * n, 1, |row, _| -gradient[row / 3][row % 3]);
        let change = matrix.partial_piv_lu().solve(&rhs);
        (0..n).for_each(|i| x[i] += Vec3::new(change[(3 * i, 0)], change[(3 * i + 1, 0)], change[(3 * i + 2, 0)]));
    }
    (0..n).for_each(|i| v[i] = (x[i] - start[i]) / h);
}

#[test]
fn a_pin_that_is_left_out_moves_the_cloth_as_one_by_an_opposite_force_does() {
    let mut simulation = rippled("implicit-newton", 4, 4);
    simulation.state.cloth.velocities[0] = Vec3::ZERO;
    simulation.state.cloth.pin_here(0);
    simulation.parameters.material.damping = 0.0;
    set(&mut simulation, "gradient_tolerance", Setting::Real(1e-12));
    let material = simulation.parameters.material;
    let springs: Vec<([usize; 2], Real, Real)> = {
        let pattern = simulation.pattern();
        let of = pattern.springs();
        let spring =
            |e: usize| (of.ends[e].map(|end| end as usize), material.stiffness_of(pattern, e), of.rest_lengths[e]);
        (0..of.len()).map(spring).collect()
    };
    let (mut x, mut v) = (simulation.state.cloth.positions.clone(), simulation.state.cloth.velocities.clone());
    let start = x.clone();
    let h = simulation.parameters.timing.time_step;
    for _ in 0..20 {
        step_with_opposite_force(&mut x, &mut v, &springs, 0, h);
        advance(&mut simulation, 1);
    }
    let (apart, moved) = (farthest(&x, &simulation.state.cloth.positions), farthest(&x, &start));
    assert!(x[0].distance(start[0]) < 1e-14 && moved > 0.04, "{moved} m");
    assert!(apart < 1e-9, "{apart} m apart");
}
