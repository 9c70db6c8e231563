//! Springs with a law per strain, against the listing of the report on fast mass-spring and against springs of N/m.

use weft::sim::model::material::{DampingModel, Mass, MassModel, Material, StiffnessLaw};
use weft::sim::params::Tunable;
use weft::sim::pattern::{Blank, Diagonals, Family, Plane, Springs};
use weft::sim::{Pattern, Real, Simulation, Vec3, solvers};

use crate::fixtures::{advance, every, farthest, rippled, solver_ids};

/// A pattern with 1 kg a vertex, without a floor.
fn of_a_kilogram(pattern: Pattern, solver: &str) -> Simulation {
    let mass = Mass { mass_model: MassModel::PerVertex, vertex_mass: 1.0, ..Mass::default() };
    let mut simulation = Simulation::new(pattern, mass, solvers::build(solver).expect("registered"));
    simulation.parameters.contact.ground = false;
    simulation
}

/// A cloth of triangles of all sizes that moves in itself.
fn irregular() -> Simulation {
    let blank = Blank::grid_with(6, 5, [1.0, 1.3], Plane::Xz, Diagonals::OneWay);
    let wave = |at: usize| Vec3::new((1.7 * at as Real).sin(), 0.0, (2.9 * at as Real).cos());
    let rest = blank.rest_positions.iter().enumerate().map(|(at, x)| *x + wave(at) * 0.06).collect();
    let mut simulation = of_a_kilogram(Pattern::mesh(rest, blank.triangles), "symplectic-euler");
    simulation.state.cloth.velocities.iter_mut().enumerate().for_each(|(at, v)| *v = wave(at));
    simulation
}

#[test]
fn the_law_per_strain_is_the_listing_of_the_report() {
    let mut simulation = irregular();
    let material = &mut simulation.parameters.material;
    let (k_s, k_d, h) = (8.0, 0.5, 0.002);
    (material.structural_stiffness, material.bend_stiffness, material.damping) = (k_s, 0.0, k_d);
    (material.stiffness_law, material.damping_model) = (StiffnessLaw::PerStrain, DampingModel::AlongSpring);
    simulation.parameters.timing.time_step = h;
    let cloth = &simulation.state.cloth;
    let (mut pos, mut vel, mass) = (cloth.positions.clone(), cloth.velocities.clone(), cloth.masses.clone());
    assert!(mass.iter().all(|mass| *mass == 1.0));
    let edges: Vec<([usize; 2], Real)> = {
        let springs = simulation.pattern().springs();
        let of = (0..springs.len()).filter(|&e| springs.families[e] == Family::Structural);
        of.map(|e| (springs.ends[e].map(|end| end as usize), springs.rest_lengths[e])).collect()
    };
    for _ in 0..50 {
        let mut frc = vec![Vec3::new(0.0, -9.8, 0.0); pos.len()];
        for &([i, j], len0) in &edges {
            let d = pos[j] - pos[i];
            let len = d.length();
            let v = vel[j] - vel[i];
            let f = (k_s * (len / len0 - 1.0) + k_d * (v / len0).dot(d / len)) * d / len;
            frc[i] += f;
            frc[j] -= f;
        }
        for i in 0..pos.len() {
            vel[i] += h * frc[i];
            pos[i] += h * vel[i];
        }
        advance(&mut simulation, 1);
    }
    let apart = farthest(&pos, &simulation.state.cloth.positions);
    assert!(apart < 1e-13, "{apart} m");
}

#[test]
fn per_strain_stiffness_is_in_newtons_and_damping_in_newton_seconds() {
    let mut material = Material::default();
    let units = |material: &Material| {
        [Material::structural_stiffness, Material::shear_stiffness, Material::bend_stiffness, Material::damping]
            .map(|key| material.unit(material.index_of(key).expect("declared")))
    };
    assert_eq!(units(&material), ["N/m", "N/m", "N/m", "N·s/m"]);
    material.set_text(Material::structural_stiffness, "5 kN/m").expect("a stiffness");
    material.stiffness_law = StiffnessLaw::PerStrain;
    assert_eq!(units(&material), ["N", "N", "N", "N·s"]);
    material.set_text(Material::structural_stiffness, "7 kN").expect("a stiffness");
    assert_eq!(material.structural_stiffness, 7000.0);
    material.set_text(Material::structural_stiffness, "5 kN/m").expect_err("of the other law");
    assert_eq!(material.structural_stiffness, 7000.0);
}

#[test]
fn every_solver_has_the_law_per_strain() {
    // on a grid the springs of a family have one length
    let lengths = [0.2, 0.2 * Real::sqrt(2.0), 0.4];
    let run = |solver: &str, law: StiffnessLaw, c: Real| {
        let mut simulation = rippled(solver, 6, 6);
        simulation.state.cloth.pin_here(0);
        simulation.state.cloth.pin_here(5);
        let [structural, shear, bend] = match law {
            StiffnessLaw::PerStrain => [40.0, 20.0, 2.0],
            StiffnessLaw::PerLength => [40.0 / lengths[0], 20.0 / lengths[1], 2.0 / lengths[2]],
        };
        let material = &mut simulation.parameters.material;
        (material.structural_stiffness, material.shear_stiffness, material.bend_stiffness) = (structural, shear, bend);
        (material.stiffness_law, material.damping) = (law, c);
        // damping is one number for all families, so with it the structural springs act alone
        if c > 0.0 {
            (material.shear_stiffness, material.bend_stiffness) = (0.0, 0.0);
            material.damping = if law == StiffnessLaw::PerStrain { c } else { c / lengths[0] };
        }
        advance(&mut simulation, 20);
        simulation.state.cloth.positions.clone()
    };
    let ids = solver_ids().filter(|id| *id != "explicit-euler" && !id.starts_with("gpu-"));
    every(ids, |solver| {
        for c in [0.0, 0.02] {
            let [strain, length] = [StiffnessLaw::PerStrain, StiffnessLaw::PerLength].map(|law| run(solver, law, c));
            let apart = farthest(&strain, &length);
            assert!(apart < 1e-7, "damping {c}: {apart} m");
        }
        // which is not the law per length with the same numbers, but for a solver without N/m
        let mut plain = rippled(solver, 6, 6);
        plain.parameters.material.stiffness_law = StiffnessLaw::PerStrain;
        let mut other = rippled(solver, 6, 6);
        advance(&mut plain, 20);
        advance(&mut other, 20);
        let apart = farthest(&plain.state.cloth.positions, &other.state.cloth.positions);
        assert_eq!(apart > 1e-3, plain.solver().capabilities().stiffness.obstacle().is_none(), "{apart} m");
    });
}

#[test]
fn springs_of_other_lengths_one_behind_the_other_are_stretched_alike() {
    let rest_lengths = vec![0.1, 0.4, 0.2];
    let places = [0.0, 0.1, 0.5, 0.7];
    let families = vec![Family::Structural; 3];
    let springs = Springs { ends: vec![[0, 1], [1, 2], [2, 3]], rest_lengths, families };
    for (law, still) in [(StiffnessLaw::PerStrain, true), (StiffnessLaw::PerLength, false)] {
        let rest = places.map(|x| Vec3::X * x).to_vec();
        let mut simulation = of_a_kilogram(Pattern::new(rest, Vec::new(), springs.clone()), "implicit-newton");
        let material = &mut simulation.parameters.material;
        (material.structural_stiffness, material.stiffness_law) = (50.0, law);
        simulation.parameters.gravity.gravity = 0.0;
        // drawn out to a half more by its ends
        simulation.state.cloth.positions.iter_mut().for_each(|x| *x *= 1.5);
        [0, 3].into_iter().for_each(|vertex| simulation.state.cloth.pin_here(vertex));
        let start = simulation.state.cloth.positions.clone();
        advance(&mut simulation, 20);
        let moved = farthest(&start, &simulation.state.cloth.positions);
        assert!(if still { moved < 1e-9 } else { moved > 0.01 }, "{law:?}: {moved} m");
    }
}
