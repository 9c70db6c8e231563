//! The textile laboratory: closed forms that its figures must meet.

use weft::sim::pattern::Plane;
use weft::sim::study::textile::elastica::{bending_length, chord_angle, peirce};
use weft::sim::study::textile::rest::bring_to_rest;
use weft::sim::study::textile::{Cut, Figure, Specimen, TextileTest};
use weft::sim::{Parameters, Pattern, Real, Simulation, solvers};

/// Cotton shirting by the recommendations of `textile.md`.
fn cotton() -> Parameters {
    let mut fabric = Parameters::default();
    fabric.mass.area_density = 0.13;
    let material = &mut fabric.material;
    (material.structural_stiffness, material.shear_stiffness) = (3000.0, 50.0);
    (material.bending_stiffness, material.damping) = (5e-6, 8e-4);
    fabric.contact.friction = 0.45;
    fabric
}

fn measured(test: TextileTest, fabric: &Parameters, solver: &str, seed: u64) -> Figure {
    let specimen = Specimen { fabric, solver, cut: Cut::Grid, seed, cancel: None };
    test.measure(&specimen).expect("it steps").expect("it knows forces")
}

#[test]
fn a_strip_that_bends_little_hangs_down_as_a_beam() {
    // q L⁴/8B for small angles, in bending lengths L³/8 of the length
    for length in [0.1, 0.2, 0.4] {
        let beam: Real = length * length * length / 8.0;
        assert!((chord_angle(length) / beam - 1.0).abs() < 0.01 * length, "{length}: {}", chord_angle(length));
    }
}

#[test]
fn the_bending_length_is_found_again_and_is_that_of_peirce_nearly() {
    for (degrees, excess) in [(7.0, 0.0005), (22.0, 0.005), (41.5, 0.019), (57.0, 0.039), (67.0, 0.062), (77.0, 0.12)] {
        let angle = Real::to_radians(degrees);
        let c = bending_length(0.1, angle);
        assert!((chord_angle(0.1 / c) - angle).abs() < 1e-9, "{degrees}°");
        let more = peirce(0.1, angle) / c - 1.0;
        assert!((more - excess).abs() < 0.1 * excess + 2e-4, "{degrees}°: {more}, not {excess}");
    }
}

#[test]
fn a_grid_of_springs_has_the_moduli_of_theory() {
    let fabric = cotton();
    let [k, shear] = [fabric.material.structural_stiffness, fabric.material.shear_stiffness];
    // a strip of ten cells has eleven springs across
    let theory = k * (k + 2.0 * shear) / (k + shear) * 1.1;
    for test in [TextileTest::TensionWarp, TextileTest::TensionWeft] {
        let figure = measured(test, &fabric, "implicit-newton", 1);
        assert!(figure.is_at_rest && (figure.value / theory - 1.0).abs() < 0.02, "{test:?}: {figure:?}, not {theory}");
    }
    let figure = measured(TextileTest::Shear, &fabric, "implicit-newton", 1);
    assert!(figure.is_at_rest && (figure.value / shear - 1.0).abs() < 0.02, "{figure:?}, not {shear}");
}

#[test]
fn an_irregular_mesh_has_the_moduli_that_were_set() {
    let mut fabric = cotton();
    fabric.material.weft_ratio = 0.5;
    for test in [TextileTest::TensionWarp, TextileTest::TensionWeft, TextileTest::Shear] {
        let specimen =
            Specimen { fabric: &fabric, solver: "implicit-newton", cut: Cut::Irregular, seed: 1, cancel: None };
        let figure = test.measure(&specimen).expect("it steps").expect("it knows forces");
        let wanted = test.wanted(&fabric).expect("a parameter");
        assert!(figure.is_at_rest && (figure.value / wanted - 1.0).abs() < 0.03, "{test:?}: {figure:?}, not {wanted}");
    }
}

#[test]
fn a_cloth_slides_at_the_angle_of_friction() {
    let fabric = cotton();
    let figure = measured(TextileTest::Friction, &fabric, "implicit-euler", 1);
    assert!((figure.value / 0.45 - 1.0).abs() < 0.05, "{figure:?}");
}

#[test]
fn a_stiff_disc_stands_out_and_a_limp_one_hangs_down() {
    let drape = |bending: Real, shear: Real| {
        let mut fabric = cotton();
        (fabric.material.bending_stiffness, fabric.material.shear_stiffness) = (bending, shear);
        measured(TextileTest::Drape, &fabric, "implicit-euler", 1)
    };
    let (stiff, limp) = (drape(1e-3, 50.0), drape(1e-7, 1.0));
    assert!(stiff.value > 98.0 && stiff.nodes == Some(0), "{stiff:?}");
    assert!(limp.value < 50.0 && limp.nodes > Some(4), "{limp:?}");
}

#[test]
fn what_has_no_forces_is_not_measured_and_what_moves_is_not_at_rest() {
    let fabric = cotton();
    let specimen = Specimen { fabric: &fabric, solver: "pbd", cut: Cut::Grid, seed: 1, cancel: None };
    assert_eq!(TextileTest::TensionWarp.measure(&specimen), Ok(None));
    let mut falling = cotton_sheet();
    assert_eq!(bring_to_rest(&mut falling, 0.0, 1.0), Ok(false));
}

/// A sheet that nothing holds.
fn cotton_sheet() -> Simulation {
    let pattern = Pattern::grid(5, 5, 0.1, 0.1, Plane::Xz);
    let mut sheet = Simulation::new(pattern, cotton().mass, solvers::build("implicit-euler").expect("registered"));
    sheet.parameters.contact.ground = false;
    sheet
}
