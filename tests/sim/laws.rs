//! Laws that hold for every solver, and what each says of itself.

use weft::sim::model::material::{Mass, MassModel};
use weft::sim::pattern::Plane;
use weft::sim::{Pattern, Simulation, Vec3, solvers};

use crate::fixtures::{advance, every, farthest, rippled, solver_ids, square, steady_solver_ids};

#[test]
fn names_are_unique_and_nothing_is_left_unsaid() {
    let mut ids: Vec<_> = solvers::REGISTRY.iter().map(|entry| entry.info.id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), solvers::REGISTRY.len());
    every(solvers::REGISTRY, |entry| {
        let info = entry.info;
        assert!(info.id.chars().all(|c| c.is_ascii_lowercase() || c == '-'));
        assert!(!info.name.is_empty() && !info.source.is_empty() && !info.cost.is_empty() && info.summary.len() > 20);
        assert!(std::ptr::eq((entry.build)().info(), info));
    });
}

#[test]
#[ignore = "full tier"]
fn a_swinging_cloth_stays_finite_and_together() {
    every(steady_solver_ids(), |solver| {
        let mut simulation = rippled(solver, 9, 8);
        simulation.parameters.material.structural_stiffness = 500.0;
        simulation.parameters.mass.vertex_mass = 0.02;
        simulation.parameters.timing.time_step = 0.003;
        simulation.state.cloth.pin_here(0);
        simulation.state.cloth.pin_here(8);
        advance(&mut simulation, 600);
        assert!(simulation.largest_stretch() < 0.5, "{solver}: {}", simulation.largest_stretch());
        let farthest = simulation.state.cloth.positions.iter().map(|x| x.length()).fold(0.0, f64::max);
        assert!(farthest < 4.0, "{solver}");
    });
}

#[test]
fn the_same_run_gives_the_same_bits() {
    every(solver_ids(), |solver| {
        let run = || {
            let mut simulation = rippled(solver, 8, 8);
            simulation.state.cloth.pin_here(0);
            advance(&mut simulation, 40);
            simulation.state.cloth
        };
        assert_eq!(run(), run(), "{solver}");
    });
}

#[test]
#[ignore = "full tier"]
fn any_number_of_threads_gives_the_same_bits() {
    // large enough that the loops really divide their work
    every(solver_ids(), |solver| {
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| {
                let mut simulation = rippled(solver, 130, 130);
                simulation.parameters.timing.time_step = 0.001;
                simulation.state.cloth.pin_here(0);
                advance(&mut simulation, 3);
                simulation.state.cloth
            })
        };
        let one = run(1);
        for threads in [2, 8] {
            assert_eq!(run(threads), one, "{solver} on {threads} threads");
        }
    });
}

#[test]
fn no_two_springs_of_a_colour_share_a_vertex() {
    for simulation in [square("xpbd", 9, 7), square("xpbd", 2, 2)] {
        let ends = &simulation.pattern().springs().ends;
        let colouring = weft::sim::exec::colouring::Colouring::of(ends.iter().copied(), simulation.state.cloth.len());
        let mut seen: Vec<u32> = colouring.order().to_vec();
        seen.sort_unstable();
        assert_eq!(seen, (0..ends.len() as u32).collect::<Vec<_>>(), "every spring once");
        for colour in colouring.colours() {
            let mut vertices: Vec<u32> = colour.iter().flat_map(|&e| ends[e as usize]).collect();
            let count = vertices.len();
            vertices.sort_unstable();
            vertices.dedup();
            assert_eq!(vertices.len(), count);
        }
        assert!(colouring.colours().len() <= 16, "{} colours", colouring.colours().len());
    }
}

#[test]
fn batches_do_what_their_things_do_one_after_the_other() {
    use weft::sim::exec::batches::{Batching, NONE};
    let mut batching = Batching::default();
    let mut batches = Vec::new();
    for vertices in [4, 9, 40, 700] {
        let things: Vec<[u32; 4]> = (0..1500_u32)
            .map(|i| {
                let first = i.wrapping_mul(2_654_435_761) >> 7;
                [0, 1, 2, 3].map(|k| (first + k * (1 + i % 2)) % vertices)
            })
            .filter(|ends| (0..4).all(|k| !ends[..k].contains(&ends[k])))
            .collect();
        let all = 0..things.len() as u32;
        batching.divide(all.clone(), |number| things[number as usize], vertices as usize, &mut batches);
        // what a vertex has seen last is what it sees last when all are taken in turn
        let mut seen = vec![None; vertices as usize];
        let mut count = 0;
        for batch in &batches {
            let of_batch = || batch.iter().filter(|number| **number != NONE);
            let mut ends: Vec<u32> = of_batch().flat_map(|&number| things[number as usize]).collect();
            for &number in of_batch() {
                for vertex in things[number as usize] {
                    assert!(seen[vertex as usize] < Some(number), "{vertices}: {number} comes late at {vertex}");
                    seen[vertex as usize] = Some(number);
                }
                count += 1;
            }
            let length = ends.len();
            ends.sort_unstable();
            ends.dedup();
            assert_eq!(ends.len(), length, "{vertices}: a vertex twice in a batch");
        }
        assert_eq!(count, things.len(), "every thing once");
        if vertices == 700 {
            assert!(4 * batches.len() < 2 * things.len(), "{} batches of {}", batches.len(), things.len());
        }
    }
}

#[test]
fn changing_solver_parameters_and_step_mid_motion_changes_no_bit_of_the_state() {
    let mut simulation = rippled("symplectic-euler", 7, 7);
    // light, so that it hangs unstretched: PBD would pull an overstretched cloth to its length within a step
    simulation.parameters.mass.vertex_mass = 0.02;
    simulation.state.cloth.pin_here(0);
    let fresh = simulation.state.cloth.clone();
    every(solver_ids(), |from| {
        for to in solver_ids() {
            simulation.state.cloth = fresh.clone();
            assert!(simulation.set_solver(from));
            advance(&mut simulation, 3);
            let (before, time) = (simulation.state.cloth.clone(), simulation.time());
            assert!(simulation.set_solver(to));
            simulation.parameters.material.structural_stiffness =
                190.0 - simulation.parameters.material.structural_stiffness;
            simulation.parameters.material.bend_stiffness =
                if simulation.parameters.material.bend_stiffness > 0.0 { 0.0 } else { 2.0 };
            simulation.parameters.timing.time_step = 0.009 - simulation.parameters.timing.time_step;
            simulation.parameters.air.air = weft::sim::forces::air::AirMode::Wind;
            simulation.parameters.table.table = !simulation.parameters.table.table;
            assert_eq!(simulation.state.cloth, before, "{from} to {to}");
            assert_eq!(simulation.time(), time);
            advance(&mut simulation, 1);
            let jump = simulation.state.cloth.positions.iter().zip(&before.positions).map(|(a, b)| a.distance(*b));
            assert!(jump.fold(0.0, f64::max) < 0.1, "{from} to {to}");
        }
    });
    assert!(!simulation.set_solver("no-such-solver"));
}

#[test]
fn a_solver_that_was_in_use_before_comes_back_with_its_settings() {
    let mut simulation = square("fast-mass-spring", 4, 4);
    let index = simulation.solver().settings().index_of("iterations").expect("its own");
    let value = weft::sim::params::Setting::Integer(33);
    simulation.solver_mut().settings_mut().set(index, value).expect("in range");
    assert!(simulation.set_solver("implicit-euler") && simulation.set_solver("fast-mass-spring"));
    assert_eq!(simulation.solver().settings().get(index), value);
}

#[test]
fn a_stored_factor_is_renewed_exactly_when_an_input_of_its_matrix_changes() {
    renews_its_factor("fast-mass-spring", 1);
    renews_its_factor("projective-dynamics", 1);
    // the filter's matrix has no damping in it
    renews_its_factor("precomputed-filter", 0);
}

fn renews_its_factor(solver: &str, on_damping: u32) {
    let mut simulation = square(solver, 6, 6);
    simulation.state.cloth.pin_here(0);
    let updates = std::cell::Cell::new(0);
    let factorisations = |simulation: &mut Simulation, change: &dyn Fn(&mut Simulation)| {
        change(simulation);
        let stats = simulation.step().expect("stable");
        updates.set(updates.get() + stats.updates);
        stats.factorisations
    };
    type Change = (&'static str, u32, Box<dyn Fn(&mut Simulation)>);
    let changes: Vec<Change> = vec![
        ("first step", 1, Box::new(|_| {})),
        ("nothing", 0, Box::new(|_| {})),
        ("stiffness", 1, Box::new(|s| s.parameters.material.structural_stiffness = 120.0)),
        ("bend off", 1, Box::new(|s| s.parameters.material.bend_stiffness = 0.0)),
        ("damping", on_damping, Box::new(|s| s.parameters.material.damping = 0.2)),
        ("mass", 1, Box::new(|s| s.parameters.mass.vertex_mass = 0.2)),
        ("step", 1, Box::new(|s| s.parameters.timing.time_step = 0.004)),
        ("pin, which is an update", 0, Box::new(|s| s.state.cloth.pin_here(5))),
        ("unpin, another one", 0, Box::new(|s| assert!(s.state.cloth.unpin(5)))),
        ("gravity", 0, Box::new(|s| s.parameters.gravity.gravity = 1.62)),
        ("wind", 0, Box::new(|s| s.parameters.air.air = weft::sim::forces::air::AirMode::Wind)),
        ("positions", 0, Box::new(|s| s.state.cloth.positions[20].y += 0.1)),
        ("nothing again", 0, Box::new(|_| {})),
    ];
    for (name, expected, change) in &changes {
        assert_eq!(factorisations(&mut simulation, change.as_ref()), *expected, "{solver}: {name}");
    }
    assert_eq!(updates.get(), 2, "{solver}");
}

#[test]
fn more_iterations_bring_fast_mass_spring_closer_to_its_limit() {
    let after = |iterations: u32| {
        let mut simulation = rippled("fast-mass-spring", 8, 8);
        simulation.state.cloth.pin_here(0);
        simulation.parameters.timing.time_step = 1.0 / 60.0;
        simulation.parameters.material.structural_stiffness = 2000.0;
        let settings = simulation.solver_mut().settings_mut();
        let index = settings.index_of("iterations").expect("its own");
        settings.set(index, weft::sim::params::Setting::Integer(iterations)).expect("in range");
        advance(&mut simulation, 20);
        simulation.state.cloth.positions
    };
    let limit = after(1000);
    let off = |iterations| farthest(&after(iterations), &limit);
    let [two, ten, fifty] = [2, 10, 50].map(off);
    assert!(fifty < 0.3 * ten && ten < 0.7 * two, "{two} {ten} {fifty}");
}

#[test]
fn substeps_refine_the_step() {
    every(solver_ids(), |solver| {
        let run = |step: f64, substeps: u32| {
            let mut simulation = rippled(solver, 6, 6);
            simulation.state.cloth.pin_here(0);
            simulation.parameters.timing.time_step = step;
            simulation.parameters.timing.substeps = substeps;
            advance(&mut simulation, (0.1 / step).round() as usize);
            simulation.state.cloth.positions
        };
        let (whole, parts) = (run(0.005, 1), run(0.01, 2));
        let apart = farthest(&whole, &parts);
        assert!(apart < 1e-9, "{solver}: {apart:e}");
    });
}

#[test]
fn a_mesh_and_a_grid_in_every_plane_can_be_stepped() {
    let mass = Mass { mass_model: MassModel::AreaDensity, ..Mass::default() };
    every(solver_ids(), |solver| {
        let grids = [Plane::Xz, Plane::Xy, Plane::Zy].map(|plane| Pattern::grid(4, 5, 0.4, 0.5, plane));
        let mesh = Pattern::mesh(grids[0].rest_positions().to_vec(), grids[0].triangles().to_vec());
        for pattern in grids.into_iter().chain([mesh]) {
            let mut simulation = Simulation::new(pattern, mass, solvers::build(solver).expect("registered"));
            simulation.parameters.timing.time_step = 1e-3;
            simulation.state.cloth.pin_here(0);
            advance(&mut simulation, 20);
        }
    });
}

#[test]
fn springs_summed_by_several_threads_have_the_same_bits_as_by_one() {
    use weft::sim::exec::pool::ThreadPool;
    use weft::sim::forces::SpringSum;
    let simulation = rippled("symplectic-euler", 70, 70);
    let pattern = simulation.pattern();
    let ends = &pattern.springs().ends;
    let value = |e: usize| Vec3::new((e as f64).sin(), (e as f64).cos(), 1.0 / (e + 1) as f64);
    let mut scattered = vec![Vec3::ZERO; pattern.len()];
    for (e, &[i, j]) in ends.iter().enumerate() {
        scattered[i as usize] += value(e);
        scattered[j as usize] -= value(e);
    }
    for threads in [1, 2, 8] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let mut summed = Vec::new();
        pool.install(|| ThreadPool::run(true, |pool| SpringSum::default().add_up(pattern, &mut summed, pool, value)));
        assert_eq!(summed, scattered, "{threads} threads");
    }
}

#[test]
#[ignore = "full tier"]
fn what_a_solver_says_that_it_ignores_changes_no_bit_and_all_else_that_it_may_ignore_matters() {
    use weft::sim::params::{Kind, Need, Param, Setting};
    use weft::sim::step::timing::Scheme;
    let mut failures = Vec::new();
    for entry in solvers::REGISTRY {
        let run = |change: Option<&Param>, adaptive: bool, scheme: Scheme| {
            let mut simulation = rippled(entry.info.id, 6, 6);
            simulation.parameters.timing.scheme = scheme;
            simulation.state.cloth.pin_here(0);
            // on a floor, so that contact is at work as well
            simulation.parameters.contact.ground = true;
            simulation.state.cloth.positions.iter_mut().for_each(|x| x.y -= 0.99);
            simulation.parameters.timing.adaptive = adaptive;
            if let Some(param) = change {
                let (group, index) = simulation.parameters.find_mut(param.key).expect("a common parameter");
                let other = match (group.get(index), param.kind) {
                    (Setting::Real(x), Kind::Real { min, max, .. }) if 0.5 * x < min => Setting::Real(0.5 * (x + max)),
                    (Setting::Real(x), _) => Setting::Real(0.5 * x + 1e-6),
                    (Setting::Integer(n), _) => Setting::Integer(n + 1),
                    (Setting::Toggle(on), _) => Setting::Toggle(!on),
                    (Setting::Choice(at), Kind::Choice(choices)) => Setting::Choice((at + 1) % choices.len()),
                    (Setting::Choice(_), _) => panic!("{} is no choice", param.key),
                };
                group.set(index, other).expect("in range");
            }
            advance(&mut simulation, 10);
            simulation.state.cloth.positions
        };
        let simulation = rippled(entry.info.id, 6, 6);
        let params = simulation.parameters.groups().flat_map(|group| group.params());
        // what only cloth has is tried with bodies, in a file of their own
        for param in params.filter(|param| param.need.is_some_and(|need| need != Need::Cloth)) {
            // the tolerance is that of the adaptive step
            let adaptive = param.need == Some(Need::Adaptivity) && param.kind != Kind::Toggle;
            // and theta that of the scheme
            let scheme = if param.key == "theta" { Scheme::Theta } else { Scheme::Euler };
            let same = run(Some(param), adaptive, scheme) == run(None, adaptive, scheme);
            let ignored = simulation.ignored(param);
            if same != ignored.is_some() || ignored.is_some_and(str::is_empty) {
                failures.push(format!("{}, {}: the same bits {same}, ignored {ignored:?}", entry.info.id, param.key));
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}
