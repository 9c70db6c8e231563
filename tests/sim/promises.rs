//! What each solver says of itself, measured: order, momentum, free fall, stability.

use weft::sim::model::material::{DampingModel, Mass, MassModel};
use weft::sim::params::units::significant;
use weft::sim::params::{Kind, Setting};
use weft::sim::pattern::{Family, Plane, Springs};
use weft::sim::solver_interface::{Ability, ContactLaw, Info, Keeps, Stability};
use weft::sim::solvers::Entry;
use weft::sim::{Pattern, Simulation, Vec3, solvers};

use crate::fixtures::{advance, every, rippled, square};
use crate::pairing::paired;

/// A free cloth without gravity or damping, its solver at full accuracy.
fn isolated(solver: &str) -> Simulation {
    let mut simulation = rippled(solver, 7, 6);
    simulation.parameters.gravity.gravity = 0.0;
    simulation.parameters.material.damping = 0.0;
    simulation
}

/// Error of `solver` after `time` [s] with `count` steps, against a fine run of symplectic Euler.
pub fn error(solver: &str, count: usize, fine: &[Vec3]) -> f64 {
    let mut simulation = smooth(solver, count);
    advance(&mut simulation, count);
    let distance = |(a, b): (&Vec3, &Vec3)| a.distance_squared(*b);
    simulation.state.cloth.positions.iter().zip(fine).map(distance).sum::<f64>().sqrt()
}

/// Undivided steps, solved as exactly as the solver can.
pub fn converge(simulation: &mut Simulation) {
    let settings = simulation.solver_mut().settings_mut();
    for (key, count) in [("iterations", 400), ("sweeps", 400), ("small_steps", 1)] {
        if let Some(index) = settings.index_of(key) {
            let Kind::Integer { max, .. } = settings.params()[index].kind else { panic!("{key} is a number") };
            settings.set(index, Setting::Integer(count.min(max))).expect("in range");
        }
    }
}

/// A cloth in smooth motion that every step used here resolves.
pub fn smooth(solver: &str, count: usize) -> Simulation {
    let mut simulation = square(solver, 5, 5);
    simulation.parameters.material.structural_stiffness = 20.0;
    simulation.parameters.material.shear_stiffness = 10.0;
    simulation.parameters.material.damping = 0.0;
    simulation.parameters.timing.time_step = 0.2 / count as f64;
    for (i, v) in simulation.state.cloth.velocities.iter_mut().enumerate() {
        *v = Vec3::new((i % 5) as f64 - 2.0, 0.3 * (i / 5) as f64, 0.5) * 0.2;
    }
    simulation.state.cloth.pin_here(0);
    simulation.state.cloth.pin_here(4);
    // iterate to convergence: what is measured is the error of the step, not of its solution
    converge(&mut simulation);
    simulation
}

#[test]
fn the_measured_order_is_the_stated_one() {
    let mut fine = smooth("symplectic-euler", 20_000);
    advance(&mut fine, 20_000);
    let fine = fine.state.cloth.positions;
    every(solvers::REGISTRY, |entry| {
        let [coarse, medium, close] = [100, 200, 400].map(|count| error(entry.info.id, count, &fine));
        let orders = [(coarse / medium).log2(), (medium / close).log2()];
        let stated = f64::from(entry.info.order);
        assert!(orders.iter().all(|order| (order - stated).abs() < 0.2), "{}: {orders:?}", entry.info.id);
    });
}

pub fn momentum(simulation: &Simulation) -> Vec3 {
    simulation.state.cloth.masses.iter().zip(&simulation.state.cloth.velocities).map(|(m, v)| *v * *m).sum()
}

pub fn angular_momentum(simulation: &Simulation) -> Vec3 {
    let cloth = &simulation.state.cloth;
    (0..cloth.len()).map(|i| cloth.positions[i].cross(cloth.velocities[i]) * cloth.masses[i]).sum()
}

#[test]
fn a_free_cloth_keeps_what_its_solver_says_and_loses_what_it_does_not() {
    every(solvers::REGISTRY, |entry| {
        let Keeps { momentum: linear, angular_momentum: angular, .. } = entry.info.keeps;
        let mut simulation = isolated(entry.info.id);
        // turning, so that there is angular momentum to lose
        for (x, v) in simulation.state.cloth.positions.iter().zip(&mut simulation.state.cloth.velocities) {
            *v += Vec3::new(0.0, 1.0, 2.0).cross(*x - Vec3::splat(0.5));
        }
        let before = (momentum(&simulation), angular_momentum(&simulation));
        advance(&mut simulation, 100);
        let drift = momentum(&simulation).distance(before.0) / before.0.length();
        let turn = angular_momentum(&simulation).distance(before.1) / before.1.length();
        let (id, exact, lost) = (entry.info.id, 1e-11, 1e-5);
        assert!(if linear { drift < exact } else { drift > lost }, "{id}: momentum changed by {drift:e}");
        assert!(if angular { turn < exact } else { turn > lost }, "{id}: angular momentum changed by {turn:e}");
    });
}

#[test]
fn a_cloth_at_rest_falls_as_its_solver_says() {
    every(solvers::REGISTRY, |entry| {
        // upright, so that the springs could hold it up: across a flat cloth at rest they have no stiffness
        let mut simulation = square(entry.info.id, 8, 8);
        let upright = Pattern::grid(8, 8, 1.0, 1.0, Plane::Xy);
        simulation =
            Simulation::new(upright, simulation.parameters.mass, solvers::build(entry.info.id).expect("registered"));
        simulation.parameters.contact.ground = false;
        simulation.parameters.timing.time_step = 0.005;
        advance(&mut simulation, 50);
        let expected = -9.8 * simulation.time();
        let error =
            simulation.state.cloth.velocities.iter().map(|v| v.distance(Vec3::Y * expected)).fold(0.0, f64::max);
        if entry.info.keeps.free_fall {
            let exact = f64::max(1e-9, 4.0 * entry.info.capabilities.processor.rounding());
            assert!(error < exact * expected.abs(), "{}: off by {error:e} m/s", entry.info.id);
        } else {
            assert!(error > 1e-3 * expected.abs(), "{}: falls freely after all", entry.info.id);
        }
    });
}

#[test]
#[ignore = "full tier"]
fn the_stated_stability_is_the_measured_one() {
    every(paired([()], solvers::REGISTRY, 8).map(|(_, entry)| entry), |entry| {
        let survives = |step_over_critical: f64| {
            let mut simulation = isolated(entry.info.id);
            // small motions about rest, which is what the critical step is about
            simulation.state.cloth.positions = simulation.pattern().rest_positions().to_vec();
            simulation.state.cloth.velocities.iter_mut().for_each(|v| *v *= 1e-3);
            simulation.state.cloth.pin_here(0);
            let critical = simulation.solver_critical_step().unwrap_or(simulation.critical_step());
            simulation.parameters.timing.time_step =
                step_over_critical * critical.max(0.1 * simulation.critical_step());
            let speed = |simulation: &Simulation| {
                simulation.state.cloth.velocities.iter().map(|v| v.length()).fold(0.0, f64::max)
            };
            // the oscillator does not fly apart: it boils
            let boiling = 100.0 * speed(&simulation);
            (0..2000).all(|_| simulation.step().is_ok() && speed(&simulation) < boiling)
        };
        match entry.info.stability {
            Stability::Conditional => {
                assert!(survives(0.95), "{} fails below the critical step", entry.info.id);
                assert!(!survives(1.05), "{} survives above the critical step", entry.info.id);
            }
            Stability::Damped => assert!(!survives(1.0), "{} is stable without damping", entry.info.id),
            Stability::Taut | Stability::Seen(_) | Stability::Neutral | Stability::Proven(_) => {
                assert!(survives(3.0), "{}", entry.info.id)
            }
        }
    });
}

#[test]
#[ignore = "full tier"]
fn a_solver_without_a_limit_holds_where_it_says_that_this_was_seen_and_the_others_no_less() {
    every(solvers::REGISTRY, |entry| {
        let (stiffness, step) = match entry.info.stability {
            Stability::Seen(range) => (range.stiffness, range.step),
            Stability::Proven(_) | Stability::Taut => (1e6, 0.1),
            Stability::Damped | Stability::Conditional | Stability::Neutral => return,
        };
        let mut simulation = rippled(entry.info.id, 6, 6);
        simulation.state.cloth.pin_here(0);
        simulation.parameters.timing.time_step = step;
        simulation.parameters.material.structural_stiffness = stiffness;
        simulation.parameters.material.shear_stiffness = stiffness;
        simulation.parameters.material.bend_stiffness = stiffness;
        if let Some(error) = (0..200).find_map(|_| simulation.step().err()) {
            panic!("{}: {error}", entry.info.id);
        }
    });
}

/// `½ vᵀ M v + ½ xᵀ L_k x` [J], and `Σ k L |v_j - v_i|`, the most that bounded forces can do per second [W].
fn bounded_part(simulation: &Simulation) -> (f64, f64) {
    let (cloth, springs) = (&simulation.state.cloth, simulation.pattern().springs());
    let stiffness = simulation.parameters.material.stiffness_by_family();
    let mut energy: f64 = cloth.masses.iter().zip(&cloth.velocities).map(|(m, v)| 0.5 * m * v.length_squared()).sum();
    let mut power = 0.0;
    for (e, &[i, j]) in springs.ends.iter().enumerate() {
        let (i, j, k) = (i as usize, j as usize, stiffness[springs.families[e] as usize]);
        energy += 0.5 * k * cloth.positions[i].distance_squared(cloth.positions[j]);
        power += k * springs.rest_lengths[e] * cloth.velocities[i].distance(cloth.velocities[j]);
    }
    (energy, power)
}

proptest::proptest! {
    #![proptest_config(proptest::test_runner::Config { cases: 24, ..proptest::test_runner::Config::default() })]
    /// The step of the proof of [`Stability::Proven`]: `V⁺ ≤ V + h v⁺·J t`, from any state, with any stiffness and step.
    #[test]
    fn the_inequality_of_the_proof_holds_in_every_step(
        stiffness in 0.0f64..9.0, step in -3.0f64..-1.0, speed in -1.0f64..2.0, wildness in 0.0f64..3.0, damping in -4.0f64..2.0,
    ) {
        let proven = |entry: &&Entry| matches!(entry.info.stability, Stability::Proven(_));
        for entry in solvers::REGISTRY.iter().filter(proven) {
            let mut simulation = isolated(entry.info.id);
            let stiffness = 10f64.powf(stiffness);
            let material = &mut simulation.parameters.material;
            (material.structural_stiffness, material.shear_stiffness) = (stiffness, 0.3 * stiffness);
            material.damping = 10f64.powf(damping);
            simulation.parameters.timing.time_step = 10f64.powf(step);
            simulation.state.cloth.pin_here(0);
            for (i, (x, v)) in simulation.state.cloth.positions.iter_mut().zip(&mut simulation.state.cloth.velocities).enumerate() {
                let phase = i as f64;
                *x += Vec3::new((3.1 * phase).sin(), (5.3 * phase).cos(), (4.7 * phase).sin()) * wildness * f64::from(i != 0);
                *v = Vec3::new((1.1 * phase).cos(), (2.7 * phase).sin(), (6.1 * phase).cos()) * 10f64.powf(speed);
            }
            let mut last = bounded_part(&simulation).0;
            for _ in 0..20 {
                let stats = simulation.step().expect("stable");
                let (now, power) = bounded_part(&simulation);
                let id = entry.info.id;
                let most = last + simulation.parameters.timing.time_step * power;
                // a step that is to converge, and ends at the limit of its iterations, is not
                // covered
                let covered = stats.iterations < 50 || !entry.info.capabilities.converges;
                proptest::prop_assert!(!covered || now <= most * (1.0 + 1e-9), "{id}: {now} J of at most {most} J");
                last = now;
            }
        }
    }
}

#[test]
fn an_isolated_cloth_never_gains_energy_from_an_implicit_solver() {
    every(["implicit-euler", "implicit-newton", "fast-mass-spring", "projective-dynamics"], |id| {
        let mut simulation = isolated(id);
        let total = |simulation: &Simulation| simulation.energy().total().expect("of springs");
        let start = total(&simulation);
        let mut last = start;
        for _ in 0..200 {
            simulation.step().expect("stable");
            let now = total(&simulation);
            assert!(now <= last * (1.0 + 1e-9), "{id}: {last} J, then {now} J");
            last = now;
        }
        assert!(last < 0.9 * start, "{id}: {start} J to {last} J");
    });
}

#[test]
fn the_table_of_solvers_says_of_each_what_it_says_of_itself() {
    let rows: Vec<Vec<&str>> = include_str!("../../src/solvers.md")
        .lines()
        .take_while(|line| !line.starts_with("## "))
        .filter_map(|line| line.strip_prefix("| `"))
        .map(|line| line.split('|').map(|cell| cell.trim().trim_matches('`')).collect())
        .filter(|cells: &Vec<&str>| solvers::build(cells[0]).is_some())
        .collect();
    let listed: Vec<[&str; 3]> = rows.iter().map(|cells| [cells[0], cells[1], cells[2]]).collect();
    let stated: Vec<[&str; 3]> =
        solvers::REGISTRY.iter().map(|Entry { info, .. }| [info.id, info.source, info.stability.name()]).collect();
    assert_eq!(listed, stated);
}

#[test]
fn the_table_of_the_laws_of_contact_says_of_each_solver_what_it_says_of_itself() {
    let page = include_str!("../../src/solvers.md");
    let (_, table) = page.split_once("| right | 175 |").expect("the table");
    let is_here = |line: &&str| line.split('`').nth(1).is_some_and(|id| solvers::build(id).is_some());
    let rows: Vec<&str> = table.lines().skip(1).take_while(|line| line.starts_with('|')).filter(is_here).collect();
    let cell = |info: &Info, law: ContactLaw| {
        let is_length =
            matches!(law, ContactLaw::Slide | ContactLaw::SlideByFrames | ContactLaw::Hold | ContactLaw::Slip);
        let broken = info.breaches.iter().find(|(broken, _)| *broken == law);
        match broken {
            Some((_, figure)) => significant(if is_length { 1e3 * figure } else { *figure }),
            None if !info.is_measured(law) => String::new(),
            None => "kept".to_owned(),
        }
    };
    let infos = solvers::REGISTRY.iter().map(|entry| entry.info).filter(|info| info.stability != Stability::Damped);
    let stated: Vec<String> = infos
        .map(|info| {
            let cells = ContactLaw::ALL.map(|law| cell(info, law));
            format!("| `{}` | {} |", info.id, cells.join(" | "))
        })
        .collect();
    assert!(rows == stated, "the table has to be\n{}", stated.join("\n"));
}

/// Whether a vertex between two taut springs, nudged sideways, stays with a step of so many `√(2 m L/T)`.
fn taut_string_holds(solver: &str, step_over_limit: f64) -> bool {
    let (mass, rest, k, strain) = (0.01, 0.5, 50.0, 0.2);
    let springs =
        Springs { ends: vec![[0, 1], [1, 2]], rest_lengths: vec![rest; 2], families: vec![Family::Structural; 2] };
    let length = rest * (1.0 + strain);
    let points = [0.0, 1.0, 2.0].map(|x| Vec3::X * (x * length)).to_vec();
    let mass_model = Mass { mass_model: MassModel::PerVertex, vertex_mass: mass, ..Mass::default() };
    let pattern = Pattern::new(points, Vec::new(), springs);
    let mut simulation = Simulation::new(pattern, mass_model, solvers::build(solver).expect("registered"));
    simulation.parameters.material.structural_stiffness = k;
    simulation.parameters.material.damping = 0.0;
    simulation.parameters.gravity.gravity = 0.0;
    simulation.parameters.contact.ground = false;
    simulation.state.cloth.pin_here(0);
    simulation.state.cloth.pin_here(2);
    simulation.state.cloth.velocities[1].y = 1e-6;
    let tension = k * rest * strain;
    converge(&mut simulation);
    simulation.parameters.timing.time_step = step_over_limit * (2.0 * mass * length / tension).sqrt();
    (0..400).all(|_| simulation.step().is_ok() && simulation.state.cloth.velocities[1].length() < 1e-4)
}

#[test]
#[ignore = "full tier"]
fn soft_constraints_swing_explicitly_across_taut_springs_and_implicit_methods_do_not() {
    // without stiffness both springs cannot be met at once, and the vertex jumps between them
    let has_stiffness = |entry: &&Entry| entry.info.capabilities.stiffness == Ability::Yes;
    let some = paired([()], solvers::REGISTRY.iter().filter(has_stiffness), 8).map(|(_, entry)| entry);
    every(some, |entry| match entry.info.stability {
        Stability::Taut => {
            assert!(taut_string_holds(entry.info.id, 0.95), "{}", entry.info.id);
            assert!(!taut_string_holds(entry.info.id, 1.05), "{}", entry.info.id);
        }
        Stability::Seen(_) | Stability::Proven(_) => {
            assert!(taut_string_holds(entry.info.id, 2.0), "{}", entry.info.id);
        }
        Stability::Conditional | Stability::Damped | Stability::Neutral => {}
    });
}

/// Whether small motions of a pinned cloth stay small with a step of so many of the solver's own critical steps.
fn holds(simulation: &mut Simulation, step_over_limit: f64) -> bool {
    simulation.state.cloth.positions = simulation.pattern().rest_positions().to_vec();
    simulation.state.cloth.velocities.iter_mut().for_each(|v| *v = v.normalize_or_zero() * 1e-5);
    simulation.state.cloth.pin_here(0);
    let limit = simulation.solver_critical_step().expect("it has one");
    simulation.parameters.timing.time_step = step_over_limit * limit;
    let fastest = |cloth: &weft::sim::Cloth| cloth.velocities.iter().map(|v| v.length()).fold(0.0, f64::max);
    (0..4000).all(|_| simulation.step().is_ok() && fastest(&simulation.state.cloth) < 1e-3)
}

#[test]
fn the_oscillator_knows_its_limit_for_every_share() {
    for share in [1.0, 0.5, 0.2] {
        for step_over_limit in [0.95, 1.06] {
            let mut simulation = isolated("harmonic-oscillator");
            let settings = simulation.solver_mut().settings_mut();
            let index = settings.index_of("share").expect("its own");
            settings.set(index, Setting::Real(share)).expect("in range");
            assert_eq!(holds(&mut simulation, step_over_limit), step_over_limit < 1.0, "share {share}");
        }
    }
}

#[test]
fn with_damping_explicit_euler_holds_below_its_limit() {
    for law in [DampingModel::Isotropic, DampingModel::AlongSpring] {
        for (damping, step_over_limit) in [(0.5, 0.95), (0.5, 1.5), (50.0, 0.95), (50.0, 1.1)] {
            let mut simulation = isolated("explicit-euler");
            simulation.parameters.material.shear_stiffness = 100.0;
            simulation.parameters.material.bend_stiffness = 0.0;
            simulation.parameters.material.damping = damping;
            simulation.parameters.material.damping_model = law;
            let held = holds(&mut simulation, step_over_limit);
            assert_eq!(held, step_over_limit < 1.0, "c = {damping} {law:?}, {step_over_limit}");
        }
    }
}
