//! Layers of cloth rest on each other.

use weft::sim::forces::air::AirMode;
use weft::sim::model::material::Mass;
use weft::sim::pattern::{Plane, Springs};
use weft::sim::solver_interface::Stability;
use weft::sim::{Mat3, Pattern, Simulation, Vec3, solvers};

use crate::fixtures::{advance, advance_free, assert_free, every, steady_solver_ids};

/// Square cloths of half a metre, `n` by `n` vertices each, one above the other over the floor, a little turned against each other, with
/// some gap between them.
pub fn stack(solver: &str, layers: usize, n: usize) -> Simulation {
    let (gap, floor) = (0.006, 0.012);
    let sheet = Pattern::grid(n, n, 0.5, 0.5, Plane::Xz);
    let (mut rest, mut triangles, mut springs) = (Vec::new(), Vec::new(), Springs::default());
    for layer in 0..layers {
        let first = rest.len() as u32;
        let turn = Mat3::from_rotation_y(0.03 * (layer as f64 * 2.4).sin());
        let place = |x: &Vec3| turn * (*x - Vec3::new(0.25, 0.0, 0.25)) + Vec3::Y * (floor + gap * layer as f64);
        rest.extend(sheet.rest_positions().iter().map(place));
        triangles.extend(sheet.triangles().iter().map(|corners| corners.map(|vertex| vertex + first)));
        for (ends, (length, family)) in
            sheet.springs().ends.iter().zip(sheet.springs().rest_lengths.iter().zip(&sheet.springs().families))
        {
            springs.push(ends.map(|vertex| vertex + first), *length, *family);
        }
    }
    let pattern = Pattern::new(rest, triangles, springs);
    let solver = solvers::build(solver).expect("a registered solver");
    let mut simulation = Simulation::new(pattern, Mass::default(), solver);
    simulation.parameters.contact.self_contact = true;
    simulation
}

/// Mean height of each layer [m].
pub fn heights(simulation: &Simulation, layers: usize) -> Vec<f64> {
    let per = simulation.state.cloth.len() / layers;
    let mean = |part: &[Vec3]| part.iter().map(|x| x.y).sum::<f64>() / per as f64;
    simulation.state.cloth.positions.chunks(per).map(mean).collect()
}

/// Kinetic energy [J] of the liveliest vertex.
pub fn liveliest(simulation: &Simulation) -> f64 {
    let cloth = &simulation.state.cloth;
    let energies = cloth.masses.iter().zip(&cloth.velocities).map(|(m, v)| 0.5 * m * v.length_squared());
    energies.fold(0.0, f64::max)
}

/// The solvers that bear a long step.
pub fn calm_solvers() -> impl Iterator<Item = &'static str> {
    let calm = |stability: &Stability| matches!(stability, Stability::Proven(_) | Stability::Seen(_));
    solvers::REGISTRY.iter().filter(move |entry| calm(&entry.info.stability)).map(|entry| entry.info.id)
}

#[test]
#[ignore = "full tier"]
fn eight_cloths_stay_stacked_free_of_intersections_and_the_distance_of_layers_apart() {
    every(calm_solvers(), |solver| {
        let mut simulation = stack(solver, 8, 6);
        advance_free(&mut simulation, 240, "eight layers");
        let heights = heights(&simulation, 8);
        let settings = simulation.parameters.contact;
        for (layer, height) in heights.iter().enumerate() {
            let expected = settings.thickness + layer as f64 * settings.layer_distance;
            assert!((height - expected).abs() < 0.1 * expected, "{solver}: layer {layer} is at {height} m in the mean");
        }
        let spread = simulation.state.cloth.positions.iter().map(|x| x.x.abs().max(x.z.abs())).fold(0.0, f64::max);
        assert!(spread < 0.35, "{solver}: a vertex has slid to {spread} m");
    });
}

#[test]
#[ignore = "full tier"]
fn layers_come_to_rest() {
    let any_step =
        |entry: &&solvers::Entry| !matches!(entry.info.stability, Stability::Damped | Stability::Conditional);
    every(solvers::REGISTRY.iter().filter(any_step).map(|entry| entry.info.id), |solver| {
        let mut simulation = stack(solver, 4, 6);
        advance(&mut simulation, 300);
        let mut largest: f64 = 0.0;
        for _ in 0..60 {
            advance(&mut simulation, 1);
            largest = largest.max(liveliest(&simulation));
        }
        assert!(largest < 1e-8, "{solver}: {largest} J");
    });
}

#[test]
#[ignore = "full tier"]
fn many_fine_layers_lie_still_soon_and_do_not_leap_again() {
    let mut simulation = stack("projective-dynamics", 8, 29);
    advance(&mut simulation, 120);
    let mut largest: f64 = 0.0;
    for _ in 0..90 {
        advance(&mut simulation, 1);
        largest = largest.max(liveliest(&simulation));
    }
    assert!(largest < 2e-8, "{largest} J");
}

#[test]
fn the_lowest_layer_carries_the_weight_of_all() {
    let mut simulation = stack("implicit-euler", 4, 6);
    advance(&mut simulation, 300);
    let cloth = &simulation.state.cloth;
    let per = cloth.len() / 4;
    for layer in 1..4 {
        // what passes between the layers below and those above
        let above = |vertex: u32| vertex as usize >= layer * per;
        let force: f64 = (simulation.state.contact_forces.cloth_contact.iter())
            .filter(|force| above(force.vertices[0]) != above(force.vertices[3]))
            .map(|force| if above(force.vertices[0]) { force.force.y } else { -force.force.y })
            .sum();
        let weight = cloth.masses[layer * per..].iter().sum::<f64>() * simulation.parameters.gravity.gravity;
        assert!((force - weight).abs() < 0.02 * weight, "{force} N under layer {layer}, which has {weight} N to carry");
    }
}

#[test]
fn contact_between_layers_changes_no_momentum_and_gives_no_energy() {
    every(steady_solver_ids(), |solver| {
        let mut simulation = stack(solver, 2, 7);
        simulation.parameters.gravity.gravity = 0.0;
        simulation.parameters.contact.ground = false;
        // short enough for the explicit method
        simulation.parameters.timing.time_step = 5e-4;
        let half = simulation.state.cloth.len() / 2;
        for (i, v) in simulation.state.cloth.velocities.iter_mut().enumerate() {
            *v = Vec3::new(0.2, if i < half { 0.5 } else { -0.5 }, 0.0);
        }
        let momentum = |simulation: &Simulation| -> Vec3 {
            simulation.state.cloth.masses.iter().zip(&simulation.state.cloth.velocities).map(|(m, v)| *v * *m).sum()
        };
        let (start, energy) = (momentum(&simulation), simulation.energy().kinetic);
        let mut pushed = 0;
        for _ in 0..100 {
            let stats = simulation.step().expect("stable");
            pushed += stats.pressing_rows;
            let now = simulation.energy();
            assert!(now.kinetic + now.elastic.unwrap_or(0.0) < energy * (1.0 + 1e-9), "{solver}: it bounces");
            assert_free(&simulation, "two layers that meet");
        }
        let change = momentum(&simulation) - start;
        // where it is lost it is the method that does: `impact` has contact alone
        let rounding = if simulation.solver().info().keeps.momentum { 1e-9 } else { 1e-2 } * start.length();
        assert!(pushed > 0 && change.length() < rounding, "{solver}: {change} after {pushed} pushes");
        // they go on together
        assert!(simulation.energy().kinetic < 0.3 * energy, "{solver}: {} of {energy} J", simulation.energy().kinetic);
    });
}

#[test]
fn friction_between_layers_holds_the_upper_one() {
    let slid = |friction: f64| {
        let mut simulation = stack("fast-mass-spring", 2, 7);
        advance(&mut simulation, 60);
        simulation.parameters.contact.layer_friction = friction;
        let half = simulation.state.cloth.len() / 2;
        simulation.state.cloth.velocities[half..].iter_mut().for_each(|v| *v += Vec3::X * 0.3);
        let place = |simulation: &Simulation| simulation.state.cloth.positions[half..].iter().map(|x| x.x).sum::<f64>();
        let start = place(&simulation);
        advance(&mut simulation, 30);
        (place(&simulation) - start) / half as f64
    };
    // it slides for v²/2µg, some 6 mm, and stops; or goes on
    let (rough, smooth) = (slid(0.8), slid(0.0));
    assert!((0.0..0.03).contains(&rough), "{rough} m with friction");
    assert!(smooth > 0.05, "{smooth} m without");
}

/// A sheet that slides or sticks on one that is held, both tilted by 20°: the larger one below.
fn incline(friction: f64) -> Simulation {
    let (mut rest, mut triangles, mut springs) = (Vec::new(), Vec::new(), Springs::default());
    let parts = [(17, Vec3::new(-0.6, 0.0, -0.2), 0.8, 0.4), (6, Vec3::new(-0.1, 0.004, -0.1), 0.2, 0.2)];
    let tilt = Mat3::from_rotation_z(20_f64.to_radians());
    let mut lower = 0;
    for (columns, place, width, height) in parts {
        let sheet = Pattern::grid(columns, 6, width, height, Plane::Xz);
        let first = rest.len() as u32;
        rest.extend(sheet.rest_positions().iter().map(|x| tilt * (*x + place) + Vec3::Y));
        triangles.extend(sheet.triangles().iter().map(|corners| corners.map(|vertex| vertex + first)));
        let of = sheet.springs();
        for (ends, (length, family)) in of.ends.iter().zip(of.rest_lengths.iter().zip(&of.families)) {
            springs.push(ends.map(|vertex| vertex + first), *length, *family);
        }
        if first == 0 {
            lower = rest.len() as u32;
        }
    }
    let solver = solvers::build("projective-dynamics").expect("a registered solver");
    let mut simulation = Simulation::new(Pattern::new(rest, triangles, springs), Mass::default(), solver);
    simulation.parameters.contact.self_contact = true;
    simulation.parameters.contact.layer_friction = friction;
    (0..lower).for_each(|vertex| simulation.state.cloth.pin_here(vertex));
    simulation
}

/// How far the upper sheet of an [`incline`] has slid down [m].
fn slid(simulation: &Simulation) -> f64 {
    let down = Vec3::new(-20_f64.to_radians().cos(), -20_f64.to_radians().sin(), 0.0);
    let upper = simulation.state.cloth.len() - 36;
    let now = &simulation.state.cloth.positions[upper..];
    let start = &simulation.pattern().rest_positions()[upper..];
    now.iter().zip(start).map(|(now, start)| (*now - *start).dot(down)).sum::<f64>() / 36.0
}

#[test]
fn a_sheet_on_a_steep_one_sticks_or_slides_with_the_acceleration_of_coulomb() {
    let mut rough = incline(0.5);
    advance_free(&mut rough, 30, "a rough incline");
    let start = slid(&rough);
    advance_free(&mut rough, 300, "a rough incline");
    let creep = slid(&rough) - start;
    assert!(creep.abs() < 5e-4, "{creep} m of creep in 5 s");
    advance(&mut rough, 300);
    let creep = slid(&rough) - start;
    assert!(creep.abs() < 1e-3, "{creep} m of creep in 10 s");

    for friction in [0.2, 0.3] {
        let mut smooth = incline(friction);
        advance(&mut smooth, 12);
        // from rest: the distance of the second and the first interval differ by a t²
        let mut at = [slid(&smooth); 3];
        for place in &mut at[1..] {
            advance_free(&mut smooth, 12, "a smooth incline");
            *place = slid(&smooth);
        }
        let acceleration = (at[2] - 2.0 * at[1] + at[0]) / (0.2 * 0.2);
        let (sine, cosine) = 20_f64.to_radians().sin_cos();
        let expected = smooth.parameters.gravity.gravity * (sine - friction * cosine);
        assert!(
            (acceleration / expected - 1.0).abs() < 0.05,
            "{acceleration} m/s² where it is to be {expected} with a friction of {friction}"
        );
    }
}

#[test]
fn a_stack_stays_a_stack_for_half_a_minute() {
    every(["projective-dynamics", "fast-mass-spring"], |solver| {
        let mut simulation = stack(solver, 8, 5);
        advance(&mut simulation, 600);
        let early = heights(&simulation, 8);
        advance(&mut simulation, 1200);
        assert_free(&simulation, "after 30 s");
        for (early, late) in early.iter().zip(heights(&simulation, 8)) {
            assert!((early - late).abs() < 2e-4, "{solver}: a layer went from {early} m to {late} m");
        }
        let spread = simulation.state.cloth.positions.iter().map(|x| x.x.abs().max(x.z.abs())).fold(0.0, f64::max);
        assert!(spread < 0.3, "{solver}: a vertex has slid to {spread} m");
    });
}

#[test]
#[ignore = "full tier"]
fn irregular_layers_in_the_wind_stay_free_with_every_solver() {
    every(steady_solver_ids(), |solver| {
        let mut simulation = stack(solver, 3, 7);
        // no two triangles alike
        let shift = |i: usize, a: f64| 0.012 * (a * i as f64).sin();
        let mut rest = simulation.pattern().rest_positions().to_vec();
        rest.iter_mut().enumerate().for_each(|(i, x)| *x += Vec3::new(shift(i, 1.7), 0.0, shift(i, 2.9)));
        let pattern = Pattern::mesh(rest, simulation.pattern().triangles().to_vec());
        let solver = solvers::build(solver).expect("a registered solver");
        simulation = Simulation::new(pattern, Mass::default(), solver);
        let parameters = &mut simulation.parameters;
        parameters.contact.self_contact = true;
        parameters.air.air = AirMode::Wind;
        if simulation.solver().info().stability == Stability::Conditional {
            let limit = simulation.solver_critical_step().expect("it has one");
            simulation.parameters.timing.substeps = (1.0 / 60.0 / (0.4 * limit)).ceil() as u32;
        }
        // the lowest is thrown up through the others, and one corner of it is held
        let per = simulation.state.cloth.len() / 3;
        simulation.state.cloth.velocities[..per].iter_mut().for_each(|v| *v = Vec3::new(0.3, 1.5, 0.0));
        simulation.state.cloth.pin_here(0);
        advance_free(&mut simulation, 60, "irregular layers");
        assert!(!simulation.state.contact_forces.cloth_contact.is_empty(), "nothing touches");
    });
}

/// How a cloth that hangs from two corners swings beside two others, of which the upper one lies over the lower or not.
fn swing_beside(solver: &str, pressing: bool) -> Vec<Vec3> {
    let n = 6;
    let beside = stack(solver, 3, n);
    let pattern = beside.pattern();
    let sheet = n * n;
    let mut simulation = Simulation::new(
        Pattern::new(pattern.rest_positions().to_vec(), pattern.triangles().to_vec(), pattern.springs().clone()),
        Mass::default(),
        solvers::build(solver).expect("a registered solver"),
    );
    simulation.parameters.contact.self_contact = true;
    simulation.parameters.timing.time_step = 1.0 / 60.0;
    for (i, x) in simulation.state.cloth.positions.iter_mut().enumerate() {
        match i / sheet {
            1 if !pressing => *x += Vec3::Z * 5.0,
            2 => *x += Vec3::new(3.0, 2.0, 0.0),
            _ => {}
        }
    }
    simulation.state.cloth.pin_here(2 * sheet as u32);
    simulation.state.cloth.pin_here((2 * sheet + n - 1) as u32);
    let mut pressed = 0;
    for _ in 0..40 {
        pressed += simulation.step().expect("stable").pressing_rows;
    }
    assert_eq!(pressed > 0, pressing, "{solver}");
    simulation.state.cloth.positions[2 * sheet..].to_vec()
}

#[test]
fn where_layers_press_nothing_changes_for_the_cloth_elsewhere() {
    for solver in ["fast-mass-spring", "projective-dynamics"] {
        let [beside, alone] = [true, false].map(|pressing| swing_beside(solver, pressing));
        for (a, b) in beside.iter().zip(&alone) {
            assert!(a.distance(*b) < 1e-9, "{solver}: {a} and {b}");
        }
    }
}

#[test]
fn layers_that_are_taken_apart_press_no_more() {
    let mut simulation = stack("projective-dynamics", 3, 6);
    advance(&mut simulation, 60);
    assert!(!simulation.state.contact_forces.cloth_contact.is_empty());
    let per = simulation.state.cloth.len() / 3;
    for (i, x) in simulation.state.cloth.positions.iter_mut().enumerate() {
        x.y += 0.5 * (i / per) as f64;
    }
    advance(&mut simulation, 2);
    assert_eq!(simulation.state.contact_forces.cloth_contact, []);
}
