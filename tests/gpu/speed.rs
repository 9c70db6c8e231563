//! What is measured of a device, by itself.

use std::sync::Arc;

use weft::gpu::{Device, ProjectiveDynamics, choice, speed};
use weft::sim::model::material::Mass;
use weft::sim::pattern::Plane;
use weft::sim::{Pattern, Simulation};

use crate::cloths::advance;

#[test]
fn a_device_is_measured_by_an_empty_kernel_and_by_one_that_copies() {
    let device = choice::open(None).expect("a device");
    let found = speed::of_device(&device).expect("it has timestamps");
    // both depend on what else the machine does
    assert!([found.dispatch, found.copied].iter().all(|figure| *figure > 0.0 && figure.is_finite()), "{found:?}");
    assert!(!device.is_measured(), "it is as it was");
}

/// A hanging cloth whose steps are made by this device.
fn hanging_on(device: &Arc<Device>) -> Simulation {
    let mut solver = ProjectiveDynamics::on(Arc::clone(device));
    solver.settings.iterations = 40;
    let pattern = Pattern::grid(20, 20, 1.0, 1.0, Plane::Xz);
    let mut simulation = Simulation::new(pattern, Mass::default(), Box::new(solver));
    simulation.state.cloth.pin_here(0);
    simulation
}

#[test]
fn the_passes_of_a_step_are_measured_where_that_is_asked_for_and_change_nothing() {
    // one of its own, on which no other test steps
    let device = choice::open(None).expect("a device");
    let mut plain = hanging_on(&device);
    advance(&mut plain, 3);
    assert!(device.times().expect("none").is_empty());
    let mut measured = hanging_on(&device);
    device.measure(true).expect("it has timestamps");
    advance(&mut measured, 3);
    let times = device.times().expect("they come home");
    device.measure(false).expect("always");
    let counts: Vec<_> = times.iter().map(|time| (time.name, time.count)).collect();
    // the energy is looked at after every 16 of the 40 iterations, and at their end
    assert_eq!(counts, [("begin", 3), ("iterations", 9), ("energy", 9)]);
    assert!(times.iter().all(|time| time.seconds > 0.0), "{times:?}");
    assert!(device.times().expect("none").is_empty(), "they are no longer measured");
    assert_eq!(measured.state.cloth, plain.state.cloth, "to the bit");
}
