//! Parameters of a fabric that give the figure, the curve or the shape of a textile test.

use std::f64::consts::TAU;

use weft::sim::study::fit::{End, Evaluation, Fit, Problem, Scan, ScanFault, Target, Variable, VariableFault, fit};
use weft::sim::study::textile::{Cut, Draped, Figure, Specimen, TextileTest};
use weft::sim::{CancelToken, Canceller, Material, Parameters, Real, Vec3};

/// Cotton shirting by the recommendations of `textile.md`.
fn cotton() -> Parameters {
    let mut fabric = Parameters::default();
    fabric.mass.area_density = 0.13;
    let material = &mut fabric.material;
    (material.structural_stiffness, material.shear_stiffness) = (3000.0, 50.0);
    (material.bending_stiffness, material.damping) = (5e-6, 8e-4);
    fabric
}

/// The same with one parameter changed.
fn with(change: impl FnOnce(&mut Material)) -> Parameters {
    let mut fabric = cotton();
    change(&mut fabric.material);
    fabric
}

fn specimen<'a>(fabric: &'a Parameters, solver: &'a str) -> Specimen<'a> {
    Specimen { seed: 0, ..Specimen::new(fabric, solver) }
}

fn figure(test: TextileTest, fabric: &Parameters) -> Real {
    test.measure(&specimen(fabric, "implicit-euler")).expect("it steps").expect("it knows forces").value
}

/// A fit of parameters of cotton.
fn problem(test: TextileTest, target: Target, keys: &[&str]) -> Problem {
    let fabric = cotton();
    let variables = keys.iter().map(|key| Variable::of(&fabric, key).expect("a parameter")).collect();
    let (solver, cancel) = ("implicit-euler".to_owned(), CancelToken::default());
    Problem { test, target, fabric, variables, solver, cut: Cut::Grid, starts: 1, most: 40, cancel }
}

/// The same by a solver, told of every evaluation, and its sentence.
fn fitted_by(
    (test, target): (TextileTest, &Target),
    keys: &[&str],
    (solver, most, cancel): (&str, usize, &CancelToken),
    after: &mut dyn FnMut(&Evaluation),
) -> (Fit, String) {
    let (solver, cancel) = (solver.to_owned(), cancel.clone());
    let problem = Problem { solver, most, cancel, ..problem(test, target.clone(), keys) };
    let found = fit(&problem, after);
    let sentence = found.sentence(&problem);
    (found, sentence)
}

fn fitted(test: TextileTest, target: &Target, keys: &[&str]) -> (Fit, String) {
    let by = ("implicit-euler", 40, &CancelToken::default());
    fitted_by((test, target), keys, by, &mut |_| {})
}

fn result(found: &Fit) -> &[Real] {
    &found.best().expect("an evaluation").parameters
}

#[test]
fn a_shear_modulus_is_found_again_from_the_frame() {
    let target = figure(TextileTest::Shear, &with(|material| material.shear_stiffness = 83.0));
    let (found, sentence) = fitted(TextileTest::Shear, &Target::Figure(target), &["shear_stiffness"]);
    assert_eq!(found.end, End::Met, "{sentence}");
    let [shear] = result(&found) else { panic!("one parameter") };
    assert!((shear / 83.0 - 1.0).abs() < 0.01 && found.is_answer(), "{sentence}");
    assert!(found.path.len() <= 8, "{} evaluations", found.path.len());
    let [start, end] = ["shear in the frame is 8", "; the fabric has 50 N/m"];
    assert!(sentence.starts_with(start) && sentence.contains(" N/m with shear 8"), "{sentence}");
    assert!(sentence.ends_with(end), "{sentence}");
}

#[test]
fn a_bending_stiffness_is_found_again_from_the_cantilever() {
    let target = figure(TextileTest::BendingWarp, &with(|material| material.bending_stiffness = 1.1e-5));
    let (found, sentence) = fitted(TextileTest::BendingWarp, &Target::Figure(target), &["bending_stiffness"]);
    assert_eq!(found.end, End::Met, "{sentence}");
    let [bending] = result(&found) else { panic!("one parameter") };
    assert!((bending / 1.1e-5 - 1.0).abs() < 0.02, "{sentence}");
    assert!(found.path.len() <= 8, "{} evaluations", found.path.len());
}

#[test]
fn of_all_that_meet_a_figure_the_nearest_to_the_start_are_taken() {
    let way = |found: &Fit| {
        let starts = [3000.0, 50.0];
        result(found).iter().zip(starts).map(|(value, start)| (value / start).ln().powi(2)).sum::<Real>().sqrt()
    };
    let target = Target::Figure(3900.0);
    let (one, sentence) = fitted(TextileTest::TensionWarp, &target, &["structural_stiffness"]);
    assert_eq!(one.end, End::Met, "{sentence}");
    let (both, sentence) = fitted(TextileTest::TensionWarp, &target, &["structural_stiffness", "shear_stiffness"]);
    assert_eq!(both.end, End::Met, "{sentence}");
    assert!(way(&both) < way(&one) + 0.002, "{sentence}: {} against {}", way(&both), way(&one));
    // the theory of the grid, with the springs at the rim counted in full
    let [k, shear] = result(&both) else { panic!("two parameters") };
    let theory = k * (k + 2.0 * shear) / (k + shear) * 1.1;
    assert!((theory / 3900.0 - 1.0).abs() < 0.03 && *shear > 50.0 && *k > 3000.0, "{sentence}");
    let end = "; the fabric has 3000 N/m and 50 N/m, and these are about the nearest that give it";
    assert!(sentence.ends_with(end), "{sentence}");
}

#[test]
fn a_target_out_of_reach_is_told_with_the_range_and_the_nearest() {
    let (found, sentence) = fitted(TextileTest::Shear, &Target::Figure(1e5), &["shear_stiffness"]);
    assert_eq!(found.end, End::OutOfReach, "{sentence}");
    let start = "shear in the frame cannot reach 100 kN/m with shear between 0.5 N/m and 5000 N/m; the nearest is ";
    assert!(sentence.starts_with(start), "{sentence}");
    assert!((result(&found)[0] - 5000.0).abs() < 1e-6 && !found.is_answer(), "{sentence}");
}

#[test]
fn a_parameter_without_effect_is_told_after_its_first_step() {
    let keys = ["shear_stiffness", "bending_stiffness"];
    let (found, sentence) = fitted(TextileTest::Shear, &Target::Figure(80.0), &keys);
    assert_eq!(found.end, End::NoEffect(vec![1]), "{sentence}");
    assert_eq!(found.path.len(), 3);
    assert!(sentence.starts_with("shear in the frame does not depend on bending"), "{sentence}");
}

#[test]
fn a_curve_is_met_as_nearly_as_it_can_be() {
    let fabric = with(|material| material.structural_stiffness = 4100.0);
    let strains = [0.005, 0.01, 0.02];
    let tension = TextileTest::TensionWarp
        .tension_curve(&specimen(&fabric, "implicit-euler"), &strains)
        .expect("it steps")
        .expect("it knows forces");
    assert!(tension.is_at_rest);
    // at one per cent it is the figure of the test
    let single = 0.01 * figure(TextileTest::TensionWarp, &fabric);
    assert!((tension.forces[1] / single - 1.0).abs() < 2e-3, "{:?}, not {single}", tension.forces);
    let points = strains.into_iter().zip(tension.forces).map(|(strain, force)| [strain, force]);
    let (found, sentence) =
        fitted(TextileTest::TensionWarp, &Target::Curve(points.collect()), &["structural_stiffness"]);
    assert_eq!(found.end, End::Least, "{sentence}");
    assert!((result(&found)[0] / 4100.0 - 1.0).abs() < 0.01, "{sentence}");
    assert!(found.best().expect("one").distance < 0.01 && found.path[0].distance > 0.1, "{sentence}");
}

#[test]
fn a_fit_that_is_called_off_has_the_best_so_far() {
    let target = Target::Figure(400.0);
    let shear = (TextileTest::Shear, &target);
    let canceller = Canceller::default();
    let mut seen = 0;
    let mut after = |_: &Evaluation| {
        seen += 1;
        if seen == 2 {
            canceller.cancel_through(0);
        }
    };
    let by = ("implicit-euler", 40, &canceller.token(0));
    let (found, sentence) = fitted_by(shear, &["shear_stiffness"], by, &mut after);
    assert_eq!((&found.end, found.path.len(), found.best), (&End::Cancelled, 2, Some(1)), "{sentence}");
    let start = "interrupted after 2 evaluations; the nearest shear in the frame so far is ";
    assert!(sentence.starts_with(start), "{sentence}");
    // within the steps of the first evaluation as well
    let (token, left) = CancelToken::after_checks(10);
    let (found, _) = fitted_by(shear, &["shear_stiffness"], ("implicit-euler", 40, &token), &mut |_| {});
    assert_eq!((found.end, found.path.len(), found.best), (End::Cancelled, 0, None));
    assert_eq!(left.load(std::sync::atomic::Ordering::Relaxed), 0);
}

#[test]
fn what_is_not_found_in_so_many_evaluations_and_what_has_no_forces_is_told() {
    let target = Target::Figure(400.0);
    let shear = (TextileTest::Shear, &target);
    let token = CancelToken::default();
    let (found, sentence) = fitted_by(shear, &["shear_stiffness"], ("implicit-euler", 2, &token), &mut |_| {});
    assert_eq!((&found.end, found.path.len()), (&End::Most, 2), "{sentence}");
    assert!(sentence.contains("after 2 evaluations; allow more"), "{sentence}");
    let (found, sentence) = fitted_by(shear, &["shear_stiffness"], ("pbd", 40, &token), &mut |_| {});
    assert_eq!(found.end, End::NotMeasured, "{sentence}");
    let name = weft::sim::solvers::name_of("pbd");
    assert_eq!(sentence, format!("shear in the frame is not measured: the solver {name} knows no forces"));
}

/// Whether the figure of a test depends on all parameters that are offered for it.
fn depends(test: TextileTest) {
    let keys = [Variable::usual(test), Variable::others(test)].concat();
    // far away, so that a step of each parameter is all there is time for
    let most = 1 + keys.len();
    // a grid has no other stiffness along the weft
    let problem = Problem { cut: Cut::Irregular, most, ..problem(test, Target::Figure(1e9), &keys) };
    let found = fit(&problem, &mut |_| {});
    assert_eq!((&found.end, found.path.len()), (&End::Most, most), "{test:?}: {}", found.sentence(&problem));
}

#[test]
fn a_figure_depends_on_all_parameters_that_are_offered_for_it() {
    TextileTest::ALL.into_iter().filter(|test| test.discs().is_none()).for_each(depends);
}

#[test]
#[ignore = "full tier"]
fn a_drape_depends_on_all_parameters_that_are_offered_for_it() {
    depends(TextileTest::Drape);
}

#[test]
fn what_is_applied_is_short_and_gives_the_figure() {
    let problem = problem(TextileTest::Shear, Target::Figure(90.0), &["shear_stiffness"]);
    let found = fit(&problem, &mut |_| {});
    let mut made = cotton();
    problem.put(found.best().expect("an evaluation"), &mut made);
    let shear = made.material.shear_stiffness;
    assert!(shear.to_string().len() <= 8, "{shear}");
    let value = figure(TextileTest::Shear, &made);
    assert!((value / 90.0 - 1.0).abs() < 0.003, "{value}: {}", found.sentence(&problem));
    assert_eq!(Parameters { material: Material { shear_stiffness: 50.0, ..made.material }, ..made }, cotton());
}

#[test]
fn only_positive_real_parameters_are_fitted() {
    let fabric = with(|material| material.damping = 0.0);
    let fault = |key: &str| Variable::of(&fabric, key).expect_err("refused");
    assert_eq!(fault("stiffness"), VariableFault::Unknown);
    assert_eq!(fault("bending_model"), VariableFault::NotReal);
    assert_eq!(fault("damping"), VariableFault::NotPositive(0.0));
    let variable = Variable::of(&fabric, "bending_weft").expect("a parameter");
    assert_eq!(variable.range, [0.1, 10.0], "that of the parameter, where it is narrower than two decades");
}

/// A drape with waves at its rim, in rings of as many vertices.
fn waves() -> Draped {
    const AROUND: u32 = 120;
    let mut positions = vec![Vec3::ZERO];
    let mut triangles: Vec<[u32; 3]> = (0..AROUND).map(|at| [0, 1 + (at + 1) % AROUND, 1 + at]).collect();
    for ring in 1..=20_u32 {
        let radius = 0.0075 * Real::from(ring);
        for at in 0..AROUND {
            let angle = TAU * Real::from(at) / Real::from(AROUND);
            let down = (radius - 0.09).max(0.0) * (0.8 + 0.5 * (5.0 * angle).cos());
            positions.push(Vec3::new(radius * angle.cos(), -down, radius * angle.sin()));
            if ring > 1 {
                let [inner, outer] = [1 + AROUND * (ring - 2), 1 + AROUND * (ring - 1)];
                let next = (at + 1) % AROUND;
                triangles.push([inner + at, inner + next, outer + at]);
                triangles.push([inner + next, outer + next, outer + at]);
            }
        }
    }
    let is_held = positions.iter().map(|x| x.length() < 0.0901).collect();
    let figure = Figure { value: 50.0, is_at_rest: true, nodes: Some(5), note: None };
    Draped { positions, triangles, is_held, figure }
}

#[test]
fn a_scan_is_at_no_distance_from_itself_wherever_it_stands_and_however_it_is_turned() {
    let draped = waves();
    let turned = weft::sim::Quat::from_rotation_y(25_f64.to_radians());
    let moved = |x: &Vec3| turned * *x + Vec3::new(0.3, 1.2, -0.7);
    let scan = |positions: &[Vec3]| Scan::new(positions, &draped.triangles);
    let elsewhere: Vec<Vec3> = draped.positions.iter().map(moved).collect();
    let distance = scan(&elsewhere).expect("a scan").distance(&draped);
    assert!(distance < 3e-4, "{distance} m");
    // one that hangs down half as far is at about half the mean way
    let flatter: Vec<Vec3> = draped.positions.iter().map(|x| Vec3::new(x.x, 0.5 * x.y, x.z)).collect();
    let distance = scan(&flatter).expect("a scan").distance(&draped);
    assert!((0.005..0.02).contains(&distance), "{distance} m");
    let millimetres: Vec<Vec3> = draped.positions.iter().map(|x| 1e3 * *x).collect();
    assert!(matches!(scan(&millimetres), Err(ScanFault::Size(across)) if (across - 300.0).abs() < 1.0));
    let lying: Vec<Vec3> = draped.positions.iter().map(|x| Vec3::new(x.x, x.z, -x.y)).collect();
    assert_eq!(scan(&lying).expect_err("refused"), ScanFault::NotFlat);
    assert_eq!(Scan::new(&draped.positions, &[]).expect_err("refused"), ScanFault::Empty);
}

#[test]
#[ignore = "full tier"]
fn a_drape_is_fitted_to_its_figure_and_to_its_shape() {
    let other = with(|material| material.bending_stiffness = 1.2e-5);
    let draped = specimen(&other, "implicit-euler").draped().expect("it steps");
    let (found, sentence) =
        fitted(TextileTest::Drape, &Target::Figure(draped.figure.value), &["shear_stiffness", "bending_stiffness"]);
    let best = found.best().expect("an evaluation");
    assert!(found.end == End::Met && best.distance.abs() <= 0.5, "{sentence}");
    let scan = Scan::new(&draped.positions, &draped.triangles).expect("a scan");
    let (found, sentence) = fitted(TextileTest::Drape, &Target::Shape(Box::new(scan)), &["bending_stiffness"]);
    let best = found.best().expect("an evaluation");
    assert!(found.end == End::Least && best.distance < 0.8 * found.path[0].distance, "{sentence}: {found:?}");
    let way = (best.parameters[0] / 1.2e-5).ln().abs();
    assert!(way < (1.2e-5_f64 / 5e-6).ln(), "{sentence}");
}
