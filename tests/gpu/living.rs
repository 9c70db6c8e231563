//! What happens to a cloth while they run: other solvers, snapshots, cuts, tears, pins and hands.

use weft::sim::model::material::BendingModel;
use weft::sim::{Grab, Simulation, Vec3};

use crate::cloths::{IDS, advance, apart, hanging, iterations, scene};
use crate::pairing::paired;

#[test]
#[ignore = "full tier"]
fn a_run_repeats_to_the_bit() {
    for id in IDS {
        for name in ["hanging", "mesh", "table"] {
            let run = || scene(name, id, 20).fingerprint();
            assert_eq!(run(), run(), "{id}, {name}");
        }
    }
}

/// So many vertices that they are uploaded and summed in several parts, with contacts, and held by nothing.
#[test]
fn a_large_cloth_has_the_same_bits_on_any_number_of_threads() {
    for id in IDS {
        let run = |threads: usize| {
            let mut simulation = hanging(id, 160);
            iterations(&mut simulation, 2);
            simulation.parameters.timing.time_step = 2e-3;
            simulation.state.cloth.unpin(0);
            simulation.state.cloth.unpin(159);
            simulation.parameters.contact.ground = true;
            for x in &mut simulation.state.cloth.positions {
                x.y = 0.0;
            }
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| advance(&mut simulation, 3));
            assert!(simulation.state.cloth.centroid().y > 0.0, "{id}: it lies on the floor");
            simulation.fingerprint()
        };
        let alone = run(1);
        assert_eq!([2, 3, 8].map(run), [alone; 3], "{id}");
    }
}

#[test]
fn a_resumed_run_equals_the_uninterrupted_one_bit_for_bit() {
    for id in IDS {
        let mut whole = scene("table", id, 12);
        let mut resumed = Simulation::resume(&whole.checkpoint());
        advance(&mut whole, 8);
        advance(&mut resumed, 8);
        assert_eq!(whole.state.cloth.positions, resumed.state.cloth.positions, "{id}");
        assert_eq!(whole.state.cloth.velocities, resumed.state.cloth.velocities, "{id}");
    }
}

/// With springs alone a grid is stepped by kernels of its own, otherwise rows of springs are.
#[test]
fn the_model_of_bending_can_be_changed_while_it_runs_and_repeats_to_the_bit() {
    for id in IDS {
        let mut running = hanging(id, 6);
        for bending_model in [BendingModel::Isometric, BendingModel::Springs, BendingModel::Isometric] {
            running.parameters.material.bending_model = bending_model;
            let mut fresh = Simulation::resume(&running.checkpoint());
            advance(&mut running, 2);
            advance(&mut fresh, 2);
            assert_eq!(running.state.cloth.positions, fresh.state.cloth.positions, "{id}, {bending_model:?}");
        }
    }
}

#[test]
fn a_change_of_solver_changes_no_bit_of_the_state_and_the_motion_goes_on() {
    for id in IDS {
        let mut simulation = hanging("fast-mass-spring", 16);
        advance(&mut simulation, 10);
        for next in [id, "fast-mass-spring", id] {
            let before = simulation.state.cloth.clone();
            assert!(simulation.set_solver(next));
            assert_eq!(simulation.state.cloth, before);
            advance(&mut simulation, 1);
            let step = simulation.parameters.timing.time_step;
            let went_on: Vec<Vec3> =
                before.positions.iter().zip(&before.velocities).map(|(x, v)| *x + *v * step).collect();
            assert!(apart(&simulation.state.cloth.positions, &went_on) < 0.05, "{next}");
        }
    }
}

#[test]
fn a_cloth_that_is_cut_falls_apart_and_a_grid_that_is_cut_is_none_any_more() {
    for id in IDS {
        let mut simulation = hanging(id, 12);
        advance(&mut simulation, 5);
        let row: Vec<[u32; 2]> = (0..11).map(|column| [12 * 5 + column, 12 * 5 + column + 1]).collect();
        assert!(simulation.cut(&row) > 0, "{id}");
        advance(&mut simulation, 30);
        let lowest = |range: std::ops::Range<usize>| {
            simulation.state.cloth.positions[range].iter().map(|x| x.y).fold(f64::INFINITY, f64::min)
        };
        assert!(lowest(120..144) < lowest(0..60) - 0.3, "{id}: {} and {}", lowest(120..144), lowest(0..60));
        assert!(simulation.state.cloth.positions.iter().all(|x| x.is_finite()));
    }
}

#[test]
#[ignore = "full tier"]
fn a_cloth_that_is_overstretched_tears_while_they_run() {
    for (_, id) in paired([()], IDS, 1) {
        let mut simulation = scene("tearing", id, 0);
        let whole = simulation.state.cloth.len();
        advance(&mut simulation, 120);
        assert!(simulation.state.cloth.len() > whole, "{id}: nothing has torn");
    }
}

#[test]
fn pins_and_the_hand_are_met_exactly() {
    for id in IDS {
        let mut simulation = hanging(id, 14);
        let corner = simulation.state.cloth.positions[0];
        simulation.state.grab = Some(Grab { vertex: 100, target: Vec3::new(0.4, 0.2, 0.5) });
        advance(&mut simulation, 60);
        assert_eq!(simulation.state.cloth.positions[0], corner, "{id}");
        assert!(simulation.state.cloth.positions[100].distance(Vec3::new(0.4, 0.2, 0.5)) < 1e-6, "{id}");
        simulation.state.grab = None;
        assert!(simulation.state.cloth.unpin(0));
        advance(&mut simulation, 10);
        assert!(simulation.state.cloth.positions[0].distance(corner) > 1e-3, "{id}: it was let go");
    }
}

#[test]
fn a_free_cloth_keeps_its_momentum_and_falls_freely() {
    for id in IDS {
        let mut simulation = hanging(id, 10);
        assert!(simulation.state.cloth.unpin(0) && simulation.state.cloth.unpin(9));
        advance(&mut simulation, 1);
        let momentum = |simulation: &Simulation| -> Vec3 {
            simulation.state.cloth.masses.iter().zip(&simulation.state.cloth.velocities).map(|(m, v)| *v * *m).sum()
        };
        let (before, time) = (momentum(&simulation), simulation.time());
        advance(&mut simulation, 50);
        let mass: f64 = simulation.state.cloth.masses.iter().sum();
        let expected = before + Vec3::NEG_Y * (9.8 * mass * (simulation.time() - time));
        let off = momentum(&simulation).distance(expected) / expected.length();
        assert!(off < 1e-11, "{id}: {off:e}");
    }
}
