//! Energies, stretch, critical step, the load on a pin.

use weft::scene::Scene;
use weft::sim::forces::air::{Air, AirMode, AirModel};
use weft::sim::measure::{WarpWeftStrain, curvatures, tension_at, tensions, warp_weft_strain_at, warp_weft_strains};
use weft::sim::model::material::{Mass, MassModel};
use weft::sim::params::Setting;
use weft::sim::pattern::{Plane, warps};
use weft::sim::{Observe, Pattern, Simulation, Vec3, solvers};

use crate::fixtures::{advance, every, rippled, set, solver_ids, square};

#[test]
fn energies_are_those_of_the_formulas() {
    let mut simulation = square("symplectic-euler", 2, 2);
    // 0.1 kg each; a unit square at height 1 m, stretched to twice its width
    simulation.state.cloth.positions.iter_mut().for_each(|x| x.x *= 2.0);
    simulation.state.cloth.velocities[0] = Vec3::new(3.0, 4.0, 0.0);
    simulation.parameters.material.shear_stiffness = 0.0;
    let energy = simulation.energy();
    assert!((energy.kinetic - 0.5 * 0.1 * 25.0).abs() < 1e-12);
    assert!((energy.potential - 4.0 * 0.1 * 9.8 * 1.0).abs() < 1e-12);
    assert!((energy.elastic.expect("of springs") - 2.0 * 0.5 * 100.0 * 1.0).abs() < 1e-12);
    let sum = energy.kinetic + energy.potential + energy.elastic.expect("of springs");
    assert!((energy.total().expect("all are known") - sum).abs() < 1e-12);
    assert!((simulation.largest_stretch() - 1.0).abs() < 1e-12);
}

#[test]
fn the_pins_of_a_cloth_at_rest_carry_its_weight() {
    let mut simulation = square("implicit-euler", 9, 9);
    simulation.parameters.timing.time_step = 0.05;
    simulation.parameters.material.structural_stiffness = 500.0;
    simulation.parameters.material.damping = 1.0;
    let pins = [0, 8];
    pins.iter().for_each(|&vertex| simulation.state.cloth.pin_here(vertex));
    for _ in 0..1500 {
        simulation.step().expect("stable");
    }
    let held: Vec3 = pins.iter().map(|&vertex| simulation.reaction(vertex).expect("of springs")).sum();
    let weight = 81.0 * 0.1 * 9.8;
    assert!((held - Vec3::Y * weight).length() < 1e-3 * weight, "{held} against {weight} N");
}

#[test]
fn the_critical_step_is_that_of_linear_theory() {
    // the 5×5 grid of Kang's table 1, where 5747 N/m goes with 10 ms
    let pattern = Pattern::grid(5, 5, 1.0, 1.0, Plane::Xz);
    let mass = Mass { mass_model: MassModel::PerVertex, vertex_mass: 1.0, ..Mass::default() };
    let mut simulation = Simulation::new(pattern, mass, solvers::build("symplectic-euler").expect("registered"));
    simulation.parameters.material.structural_stiffness = 5747.0;
    simulation.parameters.material.shear_stiffness = 5747.0;
    simulation.parameters.material.bend_stiffness = 0.0;
    simulation.parameters.material.damping = 0.0;
    simulation.state.cloth.pin_here(0);
    simulation.state.cloth.pin_here(4);
    let critical = simulation.critical_step();
    assert!((critical - 0.01).abs() < 2e-4, "{critical}");
    // it goes with the root of mass over stiffness, and damping shortens it
    simulation.parameters.material.structural_stiffness *= 4.0;
    simulation.parameters.material.shear_stiffness *= 4.0;
    assert!((simulation.critical_step() - 0.5 * critical).abs() < 1e-6);
    simulation.parameters.material.damping = 10.0;
    assert!(simulation.critical_step() < 0.49 * critical);
}

#[test]
fn a_cloth_without_springs_has_no_critical_step() {
    let mut simulation = square("symplectic-euler", 3, 3);
    simulation.parameters.material.structural_stiffness = 0.0;
    simulation.parameters.material.shear_stiffness = 0.0;
    simulation.parameters.material.bend_stiffness = 0.0;
    assert_eq!(simulation.critical_step(), f64::INFINITY);
}

#[test]
fn strains_along_the_threads_are_those_of_a_stretched_and_sheared_sheet() {
    let pattern = Pattern::grid(5, 4, 1.0, 0.6, Plane::Xy);
    // the weft 20 % longer, the warp 10 % shorter, then turned as a whole
    let turn = weft::sim::Mat3::from_rotation_y(0.7) * weft::sim::Mat3::from_rotation_x(0.3);
    let deformed =
        |f: &dyn Fn(Vec3) -> Vec3| -> Vec<Vec3> { pattern.rest_positions().iter().map(|x| turn * f(*x)).collect() };
    for strain in warp_weft_strains(&pattern, &deformed(&|x| Vec3::new(1.2 * x.x, 0.9 * x.y, x.z))) {
        assert!((strain.weft - 0.2).abs() < 1e-12 && (strain.warp + 0.1).abs() < 1e-12 && strain.shear.abs() < 1e-12);
        assert_eq!(strain.largest(), strain.weft);
    }
    // sheared by the angle whose tangent is one half
    for strain in warp_weft_strains(&pattern, &deformed(&|x| x + Vec3::X * 0.5 * x.y)) {
        assert!((strain.shear - 0.5_f64.atan().sin()).abs() < 1e-12 && strain.weft.abs() < 1e-12, "{strain:?}");
    }
    // what lies has its warp away from the viewer, and triangles without an area have no strain
    let lying = Pattern::grid(3, 3, 1.0, 1.0, Plane::Xz);
    assert_eq!(warps(&lying), [Vec3::Z]);
    let point = WarpWeftStrain::of_triangle([Vec3::ZERO; 3], [Vec3::X; 3], Vec3::Y);
    assert_eq!(point, WarpWeftStrain::default());
}

#[test]
fn the_curvature_of_a_rolled_sheet_is_one_over_its_radius_in_any_direction() {
    let pattern = Pattern::grid(41, 41, 1.0, 1.0, Plane::Xy);
    assert!(curvatures(&pattern, pattern.rest_positions()).iter().all(|curvature| *curvature < 1e-6));
    for radius in [0.25, 1.0] {
        for degrees in [0.0_f64, 20.0, 45.0, 90.0, 135.0] {
            let (sine, cosine) = degrees.to_radians().sin_cos();
            let roll = |x: &Vec3| {
                let (along, across) = (x.x * cosine + x.y * sine, x.y * cosine - x.x * sine);
                Vec3::new(radius * (along / radius).sin(), across, radius * (along / radius).cos())
            };
            let rolled: Vec<Vec3> = pattern.rest_positions().iter().map(roll).collect();
            let middle = curvatures(&pattern, &rolled)[20 * 41 + 20];
            assert!((middle * radius - 1.0).abs() < 0.05, "{degrees} degrees: {middle} 1/m at a radius of {radius} m");
        }
    }
}

#[test]
fn the_curvature_of_a_ball_and_of_a_saddle_is_the_larger_principal_one() {
    let pattern = Pattern::grid(41, 41, 0.2, 0.2, Plane::Xy);
    let middle = 20 * 41 + 20;
    let centre = pattern.rest_positions()[middle];
    for (kx, ky) in [(2.0, 2.0), (2.0, -1.0), (-0.5, 2.0)] {
        let bend = |x: &Vec3| {
            let d = *x - centre;
            *x + Vec3::Z * 0.5 * (kx * d.x * d.x + ky * d.y * d.y)
        };
        let bent: Vec<Vec3> = pattern.rest_positions().iter().map(bend).collect();
        let curvature = curvatures(&pattern, &bent)[middle];
        assert!((curvature - 2.0).abs() < 0.1, "{kx} and {ky}: {curvature} 1/m");
    }
}

#[test]
fn values_at_one_vertex_are_those_of_the_whole_field() {
    let scene = Scene::load("figure-7").and_then(|scene| scene.in_lane("structural_stiffness=65,shear_stiffness=65"));
    let scene = scene.expect("it comes with the program");
    let mut simulation = scene.build().expect("it is good");
    for _ in 0..20 {
        simulation.step().expect("it holds");
    }
    let (pattern, positions, material) =
        (simulation.pattern(), &simulation.state.cloth.positions, &simulation.parameters.material);
    let (strains, all) = (warp_weft_strains(pattern, positions), tensions(pattern, material, positions));
    assert!(all.iter().any(|tension| *tension > 0.0));
    for vertex in 0..pattern.len() as u32 {
        let (here, there) = (warp_weft_strain_at(pattern, positions, vertex), strains[vertex as usize]);
        let gap = [here.warp - there.warp, here.weft - there.weft, here.shear - there.shear];
        assert!(gap.iter().all(|gap| gap.abs() < 1e-12), "vertex {vertex}: {here:?} and {there:?}");
        let tension = tension_at(pattern, material, positions, vertex);
        assert!((tension - all[vertex as usize]).abs() <= 1e-12 * tension.abs());
    }
}

#[test]
fn a_thread_at_its_limit_is_loaded_by_one() {
    let mut scene = Scene::load("hanging").expect("it comes with the program");
    for (key, value) in [("tear_strain", "0.25"), ("columns", "5"), ("rows", "5")] {
        scene.set(key, value).expect("good");
    }
    let simulation = scene.build().expect("it is good");
    let pattern = simulation.pattern();
    let stretched: Vec<Vec3> = pattern.rest_positions().iter().map(|x| *x * 1.25).collect();
    let tearing = &simulation.parameters.tearing;
    assert!(tearing.loads(pattern, &stretched).iter().all(|load| (load - 1.0).abs() < 1e-9));
    assert!(tearing.loads(pattern, pattern.rest_positions()).iter().all(|load| *load < 1e-9));
}

#[test]
fn the_air_takes_what_a_falling_sheet_loses() {
    for id in ["symplectic-euler", "implicit-euler", "projective-dynamics"] {
        let mut sheet = square(id, 10, 10);
        sheet.parameters.air = Air { air: AirMode::Still, air_model: AirModel::PerTriangle, ..Air::default() };
        sheet.parameters.mass = Mass { mass_model: MassModel::AreaDensity, area_density: 0.1, ..Mass::default() };
        sheet.observe.air_work = true;
        for adaptive in [false, true] {
            sheet.parameters.timing.adaptive = adaptive;
            // the new masses come with a step
            advance(&mut sheet, 1);
            let before = sheet.energy();
            let mut work = 0.0;
            for _ in 0..100 {
                work += sheet.step().expect("harmless").air_work;
            }
            let after = sheet.energy();
            let lost = before.kinetic + before.potential - after.kinetic - after.potential;
            assert!(lost > 0.05 && (work / -lost - 1.0).abs() < 0.03, "{id}: {work} J of work, {lost} J lost");
        }
    }
}

#[test]
fn the_residual_is_what_iterations_take_away_and_is_zero_where_the_step_is_solved() {
    let largest = |simulation: &Simulation| simulation.residuals().iter().copied().fold(0.0, f64::max);
    let mut last = f64::INFINITY;
    for iterations in [1, 2, 4, 8, 16] {
        let mut cloth = rippled("fast-mass-spring", 8, 8);
        cloth.observe.residual = true;
        cloth.parameters.material.structural_stiffness = 1e4;
        set(&mut cloth, "iterations", Setting::Integer(iterations));
        advance(&mut cloth, 1);
        let now = largest(&cloth);
        assert!(now < 0.7 * last, "{iterations} iterations leave {now} N of {last} N");
        last = now;
    }
    let mut solved = rippled("implicit-newton", 8, 8);
    solved.observe.residual = true;
    advance(&mut solved, 5);
    let weight = solved.state.cloth.masses[0] * 9.81;
    assert!(largest(&solved) < 1e-4 * weight, "{} N", largest(&solved));
    // every method can be asked, also one that solves other equations
    every(solver_ids(), |id| {
        let (mut asked, mut silent) = (rippled(id, 6, 6), rippled(id, 6, 6));
        asked.observe = Observe { residual: true, air_work: true, probes: [Some(0), Some(35), Some(99), None] };
        advance(&mut asked, 3);
        advance(&mut silent, 3);
        assert!(asked.residuals().iter().all(|force| force.is_finite()) && asked.residuals().len() == 36, "{id}");
        assert_eq!(asked.state.cloth, silent.state.cloth, "{id}: to ask changes nothing");
        assert!(silent.residuals().is_empty());
    });
}

#[test]
fn a_flag_in_the_wind_is_solved_by_enough_iterations() {
    let residual = |iterations| {
        let mut flag = Scene::load("flag").expect("it comes with the program").build().expect("good");
        flag.observe.residual = true;
        advance(&mut flag, 20);
        set(&mut flag, "iterations", Setting::Integer(iterations));
        advance(&mut flag, 1);
        flag.residuals().iter().copied().fold(0.0, f64::max)
    };
    let (few, many) = (residual(20), residual(1000));
    assert!(many < 1e-2 * few, "{few} N with 20 iterations, {many} N with a thousand");
}
