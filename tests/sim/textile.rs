//! The textile laboratory: closed forms that its figures must meet.

use weft::sim::math::elastica::{bending_length, chord_angle, peirce};
use weft::sim::pattern::Plane;
use weft::sim::step::timing::Scheme;
use weft::sim::study::textile::rest::bring_to_rest;
use weft::sim::study::textile::{Cut, Figure, Measurement, Specimen, TextileTest};
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
    // coarse, where a limp one would take a finer mesh and its time
    let specimen = Specimen { seed, cell: 0.0075, ..Specimen::new(fabric, solver) };
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
        let specimen = Specimen { cut: Cut::Irregular, ..Specimen::new(&fabric, "implicit-newton") };
        let figure = test.measure(&specimen).expect("it steps").expect("it knows forces");
        let wanted = test.wanted(&fabric).expect("a parameter");
        assert!(figure.is_at_rest && (figure.value / wanted - 1.0).abs() < 0.03, "{test:?}: {figure:?}, not {wanted}");
    }
}

#[test]
fn a_strip_on_the_bias_has_the_modulus_of_theory() {
    // 1/E = (1/E₁ + 1/E₂ + 1/G)/4: a weft of half the stiffness, and a shear that is not small
    for (cut, weft, shear) in [(Cut::Grid, 1.0, 50.0), (Cut::Irregular, 0.5, 50.0), (Cut::Grid, 0.5, 1000.0)] {
        let mut fabric = cotton();
        (fabric.material.weft_ratio, fabric.material.shear_stiffness) = (weft, shear);
        let specimen = Specimen { cut, ..Specimen::new(&fabric, "implicit-newton") };
        let figure = TextileTest::TensionBias.measure(&specimen).expect("it steps").expect("it knows forces");
        let theory = 4.0 / (1.0 / 3000.0 + 1.0 / (weft * 3000.0) + 1.0 / shear);
        assert_eq!(TextileTest::TensionBias.wanted(&fabric), Some(theory));
        let error = figure.value / theory - 1.0;
        assert!(figure.is_at_rest && error.abs() < 0.03, "{cut:?}, {shear}: {figure:?}, not {theory}");
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

/// Drape by implicit Euler with cells of this size [m].
fn drape_of(test: TextileTest, fabric: &Parameters, cell: Real) -> Figure {
    let specimen = Specimen { cell, ..Specimen::new(fabric, "implicit-euler") };
    test.measure(&specimen).expect("it steps").expect("a figure")
}

#[test]
fn a_wider_overhang_hangs_down_further() {
    // free widths of 60, 63.5 and 90 mm about discs of 120, 127 and 180 mm
    let drapes = [TextileTest::Drape24, TextileTest::DrapeJis, TextileTest::Drape36];
    let [narrow, jis, wide] = drapes.map(|test| drape_of(test, &cotton(), 0.012));
    let values = [narrow.value, jis.value, wide.value];
    assert!(values.iter().all(|value| (10.0..95.0).contains(value)), "{values:?}");
    assert!(values[2] < values[0] - 5.0 && values[1] < values[0] + 5.0, "{values:?}");
}

#[test]
fn a_board_stands_out_from_discs_of_any_size_and_cells() {
    let mut board = cotton();
    board.material.bending_stiffness = 1e-2;
    for test in TextileTest::ALL.into_iter().filter(|test| test.discs().is_some()) {
        // a size of cells that fits no width
        let figure = drape_of(test, &board, 0.011);
        assert!((99.0..100.5).contains(&figure.value) && figure.nodes == Some(0), "{test:?}: {figure:?}");
    }
}

#[test]
#[ignore = "full tier"]
fn a_drape_does_not_depend_on_the_size_of_cells() {
    let cotton = cotton();
    let mean = |cell: Real| {
        let one = |seed| {
            let specimen = Specimen { cell, seed, ..Specimen::new(&cotton, "implicit-euler") };
            TextileTest::Drape.measure(&specimen).expect("it steps").expect("a figure").value
        };
        (one(1) + one(2) + one(3)) / 3.0
    };
    let [coarse, fine] = [mean(0.0075), mean(0.005)];
    assert!((coarse - fine).abs() < 4.0, "{coarse} at 7.5 mm, {fine} at 5 mm");
}

/// A soft sheet without damping of its own, which an explicit solver swings without loss.
fn undamped() -> Parameters {
    let mut fabric = cotton();
    let material = &mut fabric.material;
    (material.structural_stiffness, material.shear_stiffness, material.damping) = (60.0, 10.0, 0.0);
    fabric.timing.substeps = 16;
    fabric
}

fn swing(fabric: &Parameters) -> Measurement {
    TextileTest::Decay.measurement(&Specimen::new(fabric, "symplectic-euler")).expect("it steps")
}

#[test]
fn a_swing_without_air_and_damping_does_not_decay_and_twice_the_drag_halves_it_in_half_the_time() {
    let mut fabric = undamped();
    let half = |fabric: &Parameters| {
        let figure = swing(fabric).figure.expect("it halves");
        assert!(figure.note == Some("its energy falls"), "{figure:?}");
        figure.value
    };
    // of a drag that grows with the square of the velocity the amplitude falls as 1/(1 + c t)
    fabric.air.drag_coefficient = 1.0;
    let slow = half(&fabric);
    fabric.air.drag_coefficient = 2.0;
    let fast = half(&fabric);
    assert!((1.7..2.3).contains(&(slow / fast)), "{slow} s, with twice the drag {fast} s");
    fabric.air.air_density = 0.0;
    let Err(why) = swing(&fabric).figure else { panic!("nothing slows it") };
    assert_eq!(why, "the swing does not halve within 20 s");
}

#[test]
fn damping_of_the_cloth_slows_a_swing_too() {
    let mut fabric = cotton();
    let halves = [1e-4, 1e-3].map(|damping| {
        fabric.material.damping = damping;
        measured(TextileTest::Decay, &fabric, "implicit-euler", 1).value
    });
    assert!(halves[1] < 0.8 * halves[0], "{halves:?}");
}

#[test]
fn a_sheet_falls_through_air_at_the_velocity_of_the_formula() {
    let mut stiff = cotton();
    (stiff.material.bending_stiffness, stiff.material.shear_stiffness) = (1e-3, 1000.0);
    let mut thick = stiff;
    (thick.air.air_density, thick.air.drag_coefficient) = (3.0, 2.0);
    for (fabric, theory) in [(stiff, 1.331), (thick, 0.652)] {
        let wanted = TextileTest::Fall.wanted(&fabric).expect("a formula");
        assert!((wanted / theory - 1.0).abs() < 1e-3, "{wanted}, not {theory}");
        for cut in [Cut::Grid, Cut::Irregular] {
            let specimen = Specimen { cut, ..Specimen::new(&fabric, "implicit-euler") };
            let figure = TextileTest::Fall.measure(&specimen).expect("it steps").expect("a figure");
            let error = figure.value / theory - 1.0;
            assert!(
                figure.is_at_rest && figure.note.is_none() && error.abs() < 0.03,
                "{cut:?}: {figure:?}, not {theory}"
            );
        }
    }
}

#[test]
fn a_sheet_that_folds_in_the_air_says_so() {
    // the midpoint rule without damping gains energy from lift
    let mut limp = cotton();
    (limp.material.bending_stiffness, limp.material.damping) = (0.0, 0.0);
    (limp.timing.scheme, limp.air.lift_coefficient) = (Scheme::Theta, 3.0);
    let figure = measured(TextileTest::Fall, &limp, "implicit-newton", 1);
    assert!(!figure.is_at_rest && figure.note == Some("the sheet has tipped or folded"), "{figure:?}");
}

#[test]
fn an_irregular_disc_is_another_mesh_with_the_same_drape_nearly() {
    let drape = |cut: Cut| {
        let cotton = cotton();
        let specimen = Specimen { cut, cell: 0.01, ..Specimen::new(&cotton, "implicit-euler") };
        TextileTest::Drape.measure(&specimen).expect("it steps").expect("a figure")
    };
    let [regular, irregular] = [Cut::Grid, Cut::Irregular].map(drape);
    assert_ne!(regular.value, irregular.value);
    assert!((regular.value - irregular.value).abs() < 15.0, "{regular:?}, {irregular:?}");
}

#[test]
fn a_solver_keeps_its_default_settings_if_it_is_told_to() {
    let cotton = cotton();
    let suited = Specimen::new(&cotton, "xpbd");
    let end = |specimen: &Specimen| TextileTest::BendingWarp.measurement(specimen).expect("it steps").simulation;
    let default = end(&Specimen { has_defaults: true, ..suited });
    assert!(end(&suited).is_suited() && !default.is_suited());
}

#[test]
fn what_has_no_forces_is_not_measured_and_what_moves_is_not_at_rest() {
    let fabric = cotton();
    let specimen = Specimen::new(&fabric, "pbd");
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
