//! Layers of cloth rest on each other.

use weft::sim::model::material::Mass;
use weft::sim::pattern::{Plane, Springs};
use weft::sim::solver::Stability;
use weft::sim::{Pattern, Simulation, Vec3, solvers};

use crate::fixtures::{advance, assert_free, every};

/// Square cloths of half a metre, `n` by `n` vertices each, one above the other over the floor, a little turned against each other, with
/// some gap between them.
pub fn stack(solver: &str, layers: usize, n: usize) -> Simulation {
    let gap = 0.006;
    let sheet = Pattern::grid(n, n, 0.5, 0.5, Plane::Xz);
    let (mut rest, mut triangles, mut springs) = (Vec::new(), Vec::new(), Springs::default());
    for layer in 0..layers {
        let first = rest.len() as u32;
        let turn = weft::sim::Mat3::from_rotation_y(0.03 * (layer as f64 * 2.4).sin());
        let place = |x: &Vec3| turn * (*x - Vec3::new(0.25, 0.0, 0.25)) + Vec3::Y * (0.012 + gap * layer as f64);
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
