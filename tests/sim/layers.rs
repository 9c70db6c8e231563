//! Layers of cloth rest on each other.

use weft::sim::model::material::Mass;
use weft::sim::pattern::{Plane, Springs};
use weft::sim::solver::Stability;
use weft::sim::{Pattern, Simulation, Vec3, solvers};

use crate::fixtures::{advance, advance_free, assert_free, every};

/// Square cloths of half a metre, `n` by `n` vertices each, one above the other over the floor, a little turned against each other, with
/// some gap between them.
pub fn stack(solver: &str, layers: usize, n: usize) -> Simulation {
    let (gap, floor) = (0.006, 0.012);
    let sheet = Pattern::grid(n, n, 0.5, 0.5, Plane::Xz);
    let (mut rest, mut triangles, mut springs) = (Vec::new(), Vec::new(), Springs::default());
    for layer in 0..layers {
        let first = rest.len() as u32;
        let turn = weft::sim::Mat3::from_rotation_y(0.03 * (layer as f64 * 2.4).sin());
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
    let per = simulation.cloth.len() / layers;
    let mean = |part: &[Vec3]| part.iter().map(|x| x.y).sum::<f64>() / per as f64;
    simulation.cloth.positions.chunks(per).map(mean).collect()
}

/// Kinetic energy [J] of the liveliest vertex.
pub fn liveliest(simulation: &Simulation) -> f64 {
    let cloth = &simulation.cloth;
    let energies = cloth.masses.iter().zip(&cloth.velocities).map(|(m, v)| 0.5 * m * v.length_squared());
    energies.fold(0.0, f64::max)
}

/// The solvers that bear a long step.
pub fn calm_solvers() -> impl Iterator<Item = &'static str> {
    let calm = |stability: &Stability| matches!(stability, Stability::Proven(_) | Stability::Seen(_));
    solvers::REGISTRY.iter().filter(move |entry| calm(&entry.info.stability)).map(|entry| entry.info.id)
}

/// The solvers whose layers come to rest. Jacobi, hybrid and the precomputed filter, which approximate what they solve, stay stacked, but
/// tremble.
const COME_TO_REST: [&str; 5] =
    ["implicit-euler", "stable-mass-spring", "fast-mass-spring", "projective-dynamics", "implicit-newton"];

#[test]
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
        let spread = simulation.cloth.positions.iter().map(|x| x.x.abs().max(x.z.abs())).fold(0.0, f64::max);
        assert!(spread < 0.35, "{solver}: a vertex has slid to {spread} m");
    });
}

#[test]
fn layers_come_to_rest() {
    every(COME_TO_REST, |solver| {
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
fn the_lowest_layer_carries_the_weight_of_all() {
    let mut simulation = stack("implicit-euler", 4, 6);
    advance(&mut simulation, 300);
    let cloth = &simulation.cloth;
    let per = cloth.len() / 4;
    for layer in 1..4 {
        // what passes between the layers below and those above
        let above = |vertex: u32| vertex as usize >= layer * per;
        let force: f64 = (simulation.layer_forces().iter())
            .filter(|force| above(force.vertices[0]) != above(force.vertices[3]))
            .map(|force| if above(force.vertices[0]) { force.force.y } else { -force.force.y })
            .sum();
        let weight = cloth.masses[layer * per..].iter().sum::<f64>() * simulation.parameters.gravity.gravity;
        assert!((force - weight).abs() < 0.02 * weight, "{force} N under layer {layer}, which has {weight} N to carry");
    }
}

#[test]
fn contact_between_layers_changes_no_momentum_and_gives_no_energy() {
    every(["implicit-euler", "symplectic-euler", "xpbd"], |solver| {
        let mut simulation = stack(solver, 2, 7);
        simulation.parameters.gravity.gravity = 0.0;
        simulation.parameters.contact.ground = false;
        // short enough for the explicit method
        simulation.parameters.timing.time_step = 5e-4;
        let half = simulation.cloth.len() / 2;
        for (i, v) in simulation.cloth.velocities.iter_mut().enumerate() {
            *v = Vec3::new(0.2, if i < half { 0.5 } else { -0.5 }, 0.0);
        }
        let momentum = |simulation: &Simulation| -> Vec3 {
            simulation.cloth.masses.iter().zip(&simulation.cloth.velocities).map(|(m, v)| *v * *m).sum()
        };
        let (start, energy) = (momentum(&simulation), simulation.energy().kinetic);
        let mut pushed = 0;
        for _ in 0..100 {
            let stats = simulation.step().expect("stable");
            pushed += stats.layer_contacts;
            assert!(simulation.energy().kinetic < energy * (1.0 + 1e-9), "{solver}: it bounces");
            assert_free(&simulation, "two layers that meet");
        }
        let change = momentum(&simulation) - start;
        assert!(pushed > 0 && change.length() < 1e-6 * start.length(), "{solver}: {change} after {pushed} pushes");
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
        let half = simulation.cloth.len() / 2;
        simulation.cloth.velocities[half..].iter_mut().for_each(|v| *v += Vec3::X * 0.3);
        let place = |simulation: &Simulation| simulation.cloth.positions[half..].iter().map(|x| x.x).sum::<f64>();
        let start = place(&simulation);
        advance(&mut simulation, 30);
        (place(&simulation) - start) / half as f64
    };
    // it slides for v²/2µg, some 6 mm, and stops; or goes on
    let (rough, smooth) = (slid(0.8), slid(0.0));
    assert!((0.0..0.03).contains(&rough), "{rough} m with friction");
    assert!(smooth > 0.05, "{smooth} m without");
}
