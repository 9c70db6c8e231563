//! Soft constraints against implicit Euler, linear systems and finite differences.

use faer::linalg::solvers::Solve;
use weft::sim::constraints::hinge::{bend, hinges};
use weft::sim::model::material::{Mass, MassModel};
use weft::sim::params::Setting;
use weft::sim::pattern::{Family, Plane, Springs};
use weft::sim::solvers::Softness;
use weft::sim::{Pattern, Simulation, Vec3, solvers};

use crate::fixtures::{advance, rippled, square};

/// One undivided step, with enough sweeps.
fn whole_steps(simulation: &mut Simulation) {
    set(simulation, "small_steps", Setting::Integer(1));
    set(simulation, "sweeps", Setting::Integer(20));
}

fn set(simulation: &mut Simulation, key: &str, value: Setting) {
    let settings = simulation.solver_mut().settings_mut();
    let index = settings.index_of(key).expect("a setting of this solver");
    settings.set(index, value).expect("in range");
}

#[test]
fn one_spring_to_a_fixed_point_is_implicit_euler() {
    let (m, k, rest) = (0.7, 320.0, 0.4);
    let springs = Springs { ends: vec![[0, 1]], rest_lengths: vec![rest], families: vec![Family::Structural] };
    for c in [0.0, 0.3, 60.0] {
        for h in [1e-4, 0.01, 0.1] {
            let pattern = Pattern::new(vec![Vec3::ZERO, Vec3::X * rest], Vec::new(), springs.clone());
            let mass = Mass { mass_model: MassModel::PerVertex, vertex_mass: m, ..Mass::default() };
            let solver = solvers::build("soft-constraints").expect("registered");
            let mut simulation = Simulation::new(pattern, mass, solver);
            simulation.parameters.gravity.gravity = 0.0;
            simulation.parameters.contact.ground = false;
            simulation.parameters.material.structural_stiffness = k;
            simulation.parameters.material.damping = c;
            simulation.parameters.timing.time_step = h;
            simulation.state.cloth.pin_here(0);
            whole_steps(&mut simulation);
            let (x, v) = (0.05, -0.8);
            simulation.state.cloth.positions[1].x += x;
            simulation.state.cloth.velocities[1].x = v;
            advance(&mut simulation, 1);
            let expected = (v - h * k * x / m) / (1.0 + (h * c + h * h * k) / m);
            assert!((simulation.state.cloth.velocities[1].x - expected).abs() < 1e-13, "c = {c}, h = {h}");
        }
    }
}

#[test]
fn sweeps_converge_to_the_linear_system() {
    let mut simulation = rippled("soft-constraints", 5, 4);
    simulation.parameters.material.bend_stiffness = 3.0;
    simulation.parameters.material.damping = 0.2;
    simulation.state.cloth.pin_here(0);
    set(&mut simulation, "warm_start", Setting::Toggle(false));
    let h = simulation.parameters.timing.time_step;
    let before = simulation.state.cloth.clone();
    let n = before.len();

    // (M + (h c + h² k) Σ g gᵀ) v⁺ = M v + h F_ext - h Σ k C g over the free vertices
    let mut matrix = faer::Mat::<f64>::zeros(3 * n, 3 * n);
    let mut rhs = faer::Mat::<f64>::zeros(3 * n, 1);
    let free = |i: usize| i != 0;
    for i in 0..n {
        for axis in 0..3 {
            matrix[(3 * i + axis, 3 * i + axis)] = before.masses[i];
            let gravity = if axis == 1 { -9.8 } else { 0.0 };
            rhs[(3 * i + axis, 0)] = before.masses[i] * (before.velocities[i][axis] + h * gravity);
        }
    }
    let springs = simulation.pattern().springs();
    for (e, &[i, j]) in springs.ends.iter().enumerate() {
        let (i, j) = (i as usize, j as usize);
        let k = simulation.parameters.material.stiffness(springs.families[e]);
        let d = before.positions[j] - before.positions[i];
        let (u, error) = (d / d.length(), d.length() - springs.rest_lengths[e]);
        let weight = h * simulation.parameters.material.damping + h * h * k;
        for (p, gp) in [(i, -u), (j, u)] {
            for a in 0..3 {
                rhs[(3 * p + a, 0)] -= h * k * error * gp[a];
                for (q, gq) in [(i, -u), (j, u)] {
                    for b in 0..3 {
                        matrix[(3 * p + a, 3 * q + b)] += weight * gp[a] * gq[b];
                    }
                }
            }
        }
    }
    for row in (0..3 * n).filter(|row| !free(row / 3)) {
        for column in 0..3 * n {
            matrix[(row, column)] = 0.0;
            matrix[(column, row)] = 0.0;
        }
        matrix[(row, row)] = 1.0;
        rhs[(row, 0)] = 0.0;
    }
    let expected = matrix.partial_piv_lu().solve(&rhs);

    let error = |sweeps: u32| {
        let mut simulation = rippled("soft-constraints", 5, 4);
        simulation.parameters.material.bend_stiffness = 3.0;
        simulation.parameters.material.damping = 0.2;
        simulation.state.cloth.pin_here(0);
        whole_steps(&mut simulation);
        set(&mut simulation, "warm_start", Setting::Toggle(false));
        set(&mut simulation, "sweeps", Setting::Integer(sweeps));
        advance(&mut simulation, 1);
        let difference = |i: usize| {
            let v = Vec3::new(expected[(3 * i, 0)], expected[(3 * i + 1, 0)], expected[(3 * i + 2, 0)]);
            simulation.state.cloth.velocities[i].distance(v)
        };
        (0..n).map(difference).fold(0.0, f64::max)
    };
    let errors = [2, 8, 32, 400].map(error);
    assert!(errors[0] > errors[1] && errors[1] > errors[2] && errors[3] < 1e-12, "{errors:?}");
}

#[test]
fn the_forms_of_game_engines_and_of_springs_agree() {
    let (m, k, c, h) = (0.3, 120.0, 2.0, 0.02_f64);
    let softness = Softness::from_stiffness(k, c, h);
    // ERP = h k/(h k + c), CFM = 1/(h² k + h c)
    assert!((softness.error_reduction - h * k / (h * k + c)).abs() < 1e-15);
    assert!((softness.force_mixing - 1.0 / (h * h * k + h * c)).abs() < 1e-12);
    // the impulse of one constraint in both forms
    let (error, rate) = (0.07, -0.4);
    let by_engine = -(rate + softness.error_reduction * error / h) / (1.0 / m + softness.force_mixing);
    let by_spring = m * ((rate - h * k * error / m) / (1.0 + (h * c + h * h * k) / m) - rate);
    assert!((by_engine - by_spring).abs() < 1e-14, "{by_engine} {by_spring}");
    let frequency = (k / m).sqrt() / std::f64::consts::TAU;
    let ratio = c / (2.0 * (k * m).sqrt());
    let again = Softness::from_frequency(frequency, ratio, m, h);
    assert!((again.error_reduction - softness.error_reduction).abs() < 1e-12);
    assert!((again.force_mixing - softness.force_mixing).abs() < 1e-9);
}

#[test]
fn the_gradient_of_a_hinge_is_that_of_finite_differences() {
    let shapes = [
        [Vec3::ZERO, Vec3::X, Vec3::new(0.2, 0.1, 0.7), Vec3::new(0.6, 0.4, -0.8)],
        [Vec3::ZERO, Vec3::new(0.3, 1.0, 0.2), Vec3::new(1.2, 0.1, 0.7), Vec3::new(-0.6, 1.4, -0.2)],
        // flat, and folded by more than a right angle
        [Vec3::ZERO, Vec3::X, Vec3::new(0.5, 0.0, 1.0), Vec3::new(0.5, 0.0, -1.0)],
        [Vec3::ZERO, Vec3::X, Vec3::new(0.5, 0.1, 1.0), Vec3::new(0.7, 0.5, 0.9)],
    ];
    for shape in shapes {
        let here = bend(shape).expect("no degenerate triangle");
        assert!(here.gradient.into_iter().sum::<Vec3>().length() < 1e-14);
        for vertex in 0..4 {
            for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
                let moved = |by: f64| {
                    let mut shape = shape;
                    shape[vertex] += axis * by;
                    bend(shape).expect("close by").angle
                };
                let numeric = (moved(1e-6) - moved(-1e-6)) / 2e-6;
                let exact = here.gradient[vertex].dot(axis);
                assert!((numeric - exact).abs() < 1e-7, "{shape:?}, vertex {vertex}: {numeric} and {exact}");
            }
        }
    }
    assert!(bend([Vec3::ZERO, Vec3::X, Vec3::X * 2.0, Vec3::Y]).is_none(), "a triangle without area has no angle");
}

#[test]
fn every_interior_edge_of_a_mesh_is_a_hinge() {
    let pattern = Pattern::grid(5, 4, 1.0, 0.8, Plane::Xz);
    // 3 edges per two triangles of a cell, less the border
    let border = 2 * (4 + 3);
    assert_eq!(hinges(&pattern).len(), (3 * pattern.triangles().len() - border) / 2);
    assert!(hinges(&pattern).iter().all(|hinge| hinge.rest_angle == 0.0));
}

#[test]
fn a_hinge_swings_at_its_frequency_and_its_damping_ratio() {
    let positions = vec![Vec3::ZERO, Vec3::X, Vec3::new(0.5, 0.0, 1.0), Vec3::new(0.5, 0.0, -1.0)];
    let swing = |ratio: f64| {
        let pattern = Pattern::new(positions.clone(), vec![[0, 1, 2], [1, 0, 3]], Springs::default());
        let solver = solvers::build("soft-constraints").expect("registered");
        let mut simulation = Simulation::new(pattern, Mass::default(), solver);
        simulation.parameters.gravity.gravity = 0.0;
        simulation.parameters.contact.ground = false;
        simulation.parameters.timing.time_step = 1e-4;
        set(&mut simulation, "hinge_frequency", Setting::Real(2.0));
        set(&mut simulation, "hinge_damping_ratio", Setting::Real(ratio));
        (0..3).for_each(|vertex| simulation.state.cloth.pin_here(vertex));
        simulation.state.cloth.positions[3].y = 0.1;
        let mut crossings = Vec::new();
        let mut peak: f64 = 0.0;
        for _ in 0..20_000 {
            let last = simulation.state.cloth.positions[3].y;
            simulation.step().expect("stable");
            let now = simulation.state.cloth.positions[3].y;
            if last > 0.0 && now <= 0.0 {
                crossings.push(simulation.time());
            }
            peak = peak.max(-now);
        }
        (crossings, peak)
    };
    let (crossings, _) = swing(0.0);
    let period = (crossings[3] - crossings[0]) / 3.0;
    assert!((period - 0.5).abs() < 0.005, "{period} s");
    // overshoot of a damped oscillator: exp(-π ζ/√(1 - ζ²))
    let (_, peak) = swing(0.3);
    let expected = 0.1 * (-std::f64::consts::PI * 0.3 / (1.0_f64 - 0.09).sqrt()).exp();
    assert!((peak - expected).abs() < 0.03 * 0.1, "{peak} m, not {expected}");
    assert!(swing(1.0).1 < 1e-4, "critical damping does not overshoot");
}

#[test]
fn a_warm_start_carries_a_hanging_cloth_with_few_sweeps() {
    let stretch = |warm: bool, sweeps: u32| {
        let mut simulation = square("soft-constraints", 8, 8);
        simulation.parameters.material.structural_stiffness = 2e4;
        simulation.parameters.material.shear_stiffness = 1e4;
        simulation.parameters.material.damping = 1.0;
        whole_steps(&mut simulation);
        set(&mut simulation, "warm_start", Setting::Toggle(warm));
        set(&mut simulation, "sweeps", Setting::Integer(sweeps));
        // hung up straight, so that it has nothing to do but to stretch
        simulation.state.cloth.positions.iter_mut().for_each(|x| *x = Vec3::new(x.x, 1.0 - x.z, 0.0));
        (0..8).for_each(|vertex| simulation.state.cloth.pin_here(vertex));
        advance(&mut simulation, 600);
        simulation.largest_stretch()
    };
    let (cold, warm, exact) = (stretch(false, 4), stretch(true, 4), stretch(true, 400));
    assert!((warm - exact).abs() < 0.3 * (cold - exact).abs(), "{warm} warm, {cold} cold, {exact} exact");
}

#[test]
fn springs_between_held_vertices_forget_their_impulses() {
    let run = |remember: bool| {
        let mut simulation = square("soft-constraints", 6, 6);
        simulation.state.cloth.pin_here(0);
        advance(&mut simulation, 20);
        // both ends of every spring are held while the cloth is turned round
        let turned: Vec<Vec3> = simulation.state.cloth.positions.iter().map(|x| Vec3::new(x.z, x.y, -x.x)).collect();
        (0..36).for_each(|vertex| simulation.state.cloth.pin_here(vertex));
        simulation.state.cloth.positions = turned.clone();
        for (vertex, position) in (0..36).zip(&turned) {
            simulation.state.cloth.pin(weft::sim::Pin::fixed(vertex, *position));
        }
        // a step with one free vertex, so that the solver is asked at all
        simulation.state.cloth.unpin(35);
        advance(&mut simulation, 1);
        (1..35).for_each(|vertex| assert!(simulation.state.cloth.unpin(vertex)));
        if !remember {
            simulation.solver_mut().reset();
        }
        advance(&mut simulation, 1);
        simulation.state.cloth.velocities.iter().map(|v| v.length()).fold(0.0, f64::max)
    };
    let (warm, cold) = (run(true), run(false));
    assert!(warm < 1.5 * cold + 0.1, "{warm} m/s after waking, {cold} m/s from a cold start");
}
