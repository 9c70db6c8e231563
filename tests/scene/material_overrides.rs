//! Pieces that are made of different stuff: each as stiff and heavy as it would be alone.

use weft::scene::{Scene, Snapshot};
use weft::sim::forces::IsometricBending;
use weft::sim::pattern::{Kind, MaterialOverride};
use weft::sim::solver_interface::{Ability, CriticalStep};
use weft::sim::{Pattern, Real, Simulation, Vec3, solvers};

use crate::pairing::paired;

fn scene(text: &str) -> Scene {
    Scene::parse(text, "test.ron").unwrap_or_else(|error| panic!("{error}"))
}

fn advance(simulation: &mut Simulation, steps: usize) {
    for step in 0..steps {
        if let Err(error) = simulation.step() {
            panic!("{}, step {step}: {error}", simulation.solver().info().id);
        }
    }
}

/// Two cloths beside each other, hung from two corners each; the second is three times as stiff along its threads, twice across its cells,
/// folds ten times as hard, and is twice as heavy. By `bending` springs or curvature.
fn two(solver: &str, bending: &str) -> Scene {
    let explicit =
        solvers::build(solver).is_some_and(|solver| solver.capabilities().critical_step != CriticalStep::None);
    let substeps = if explicit { 10 } else { 1 };
    scene(&format!(
        r#"(grid: (columns: 9, rows: 9, width: 0.6, height: 0.6), position: (-1, 1, 0), pins: two,
            material: (structural_stiffness: 200, shear_stiffness: 100, bend_stiffness: 3, damping: 0.2, damping_model: along_spring,
                       bending_model: {bending}, bending_stiffness: 1e-3),
            pieces: [(grid: (columns: 9, rows: 9, width: 0.6, height: 0.6), position: (1, 1, 0), pins: two,
                      material: (structural: 3, shear: 2, bending: 10, damping: 4, mass: 2))], mass: (area_density: 1.5),
            contact: (ground: false), timing: (time_step: 0.005, substeps: {substeps}), solver: "{solver}")"#
    ))
}

/// One of the two alone, said without factors.
fn alone(solver: &str, bending: &str, second: bool) -> Scene {
    let mut scene = two(solver, bending);
    let piece = scene.pieces.remove(0);
    if second {
        scene.first.position = piece.position;
        let (material, mass) = (&mut scene.parameters.material, &mut scene.parameters.mass);
        material.structural_stiffness *= 3.0;
        material.shear_stiffness *= 2.0;
        material.bend_stiffness *= 10.0;
        material.bending_stiffness *= 10.0;
        material.damping *= 4.0;
        mass.area_density *= 2.0;
    }
    scene
}

#[test]
#[ignore = "full tier"]
fn two_pieces_of_different_stuff_hang_like_each_of_them_alone_with_every_solver() {
    for (solver, bending) in paired(solvers::REGISTRY.iter().map(|entry| entry.info.id), ["springs", "isometric"], 1) {
        let run = |scene: Scene| {
            let mut simulation = scene.build().expect("good");
            advance(&mut simulation, 240);
            simulation.state.cloth.positions
        };
        let both = run(two(solver, bending));
        let parts = [run(alone(solver, bending, false)), run(alone(solver, bending, true))];
        let lowest = |x: &[Vec3]| x.iter().map(|x| 1.0 - x.y).fold(0.0, Real::max);
        for (own, part) in both.chunks(81).zip(&parts) {
            let apart = own.iter().zip(part).map(|(a, b)| a.distance(*b)).fold(0.0, Real::max);
            // sweeps that go from spring to spring take them in another order beside a second piece
            assert!(
                apart < 0.03 * lowest(part),
                "{solver}, {bending}: {apart} m apart, with a sag of {} m",
                lowest(part)
            );
        }
        let places = parts[0].iter().zip(&parts[1]);
        let told_apart = places.map(|(a, b)| (*a + Vec3::X * 2.0).distance(*b)).fold(0.0, Real::max);
        let knows_stiffness = solvers::build(solver).expect("known").capabilities().stiffness == Ability::Yes;
        assert!(
            told_apart > 0.06 * lowest(&parts[0]) || !knows_stiffness,
            "{solver}: the test tells nothing apart, {told_apart} m"
        );
    }
}

#[test]
fn the_energy_and_the_longest_step_are_those_of_the_stiffer_piece() {
    let both = two("symplectic-euler", "isometric").build().expect("good");
    let parts = [false, true].map(|second| alone("symplectic-euler", "isometric", second).build().expect("good"));
    let critical = parts.each_ref().map(Simulation::critical_step);
    let shortest = critical[0].min(critical[1]);
    // stiffness and damping are looked at by themselves, so it may be a little shorter than either
    assert!((0.9..1.001).contains(&(both.critical_step() / shortest)), "{} {critical:?}", both.critical_step());

    let mut both = both;
    let mut parts = parts;
    let bend = |x: &mut Vec<Vec3>| x.iter_mut().for_each(|x| x.y += 0.1 * (7.0 * x.x).sin() * (5.0 * x.z).cos());
    bend(&mut both.state.cloth.positions);
    parts.iter_mut().for_each(|part| bend(&mut part.state.cloth.positions));
    let elastic = |simulation: &Simulation| simulation.energy().elastic.expect("springs have one");
    let sum: Real = parts.iter().map(elastic).sum();
    assert!((elastic(&both) / sum - 1.0).abs() < 1e-9);
    let masses: Real = parts.iter().flat_map(|part| &part.state.cloth.masses).sum();
    assert!((both.state.cloth.masses.iter().sum::<Real>() / masses - 1.0).abs() < 1e-12);
    for vertex in [3, 40] {
        let [own, alone] = [both.reaction(81 + vertex), parts[1].reaction(vertex)].map(|force| force.expect("one"));
        assert!(own.distance(alone) < 1e-9 * alone.length(), "{own} {alone}");
    }
}

#[test]
fn a_torn_piece_keeps_what_it_is_made_of() {
    for solver in ["symplectic-euler", "projective-dynamics", "xpbd", "implicit-euler"] {
        let mut simulation = two(solver, "isometric").build().expect("good");
        let heavy: Real = simulation.state.cloth.masses[81..].iter().sum();
        assert!(simulation.cut(&[[81 + 40, 81 + 41], [81 + 41, 81 + 42], [81 + 42, 81 + 43], [81 + 43, 81 + 44]]) > 0);
        let pattern = simulation.pattern();
        assert_eq!(pattern.overrides().len(), 2);
        let made = pattern.override_of_vertices();
        let of = pattern.piece_of_vertices();
        assert!(made.len() == of.len() && made.iter().zip(&of).all(|(made, piece)| made.is_plain() == (*piece == 0)));
        for (e, [i, _]) in pattern.springs().ends.iter().enumerate() {
            assert_eq!(pattern.override_of_spring(e), made[*i as usize]);
        }
        let after: Real =
            simulation.state.cloth.masses.iter().zip(&of).filter(|(_, piece)| **piece == 1).map(|(m, _)| m).sum();
        assert!((after / heavy - 1.0).abs() < 1e-12, "{after} {heavy}");
        advance(&mut simulation, 20);
    }
}

#[test]
fn a_snapshot_keeps_what_the_pieces_are_made_of() {
    for solver in ["implicit-euler", "fast-mass-spring", "soft-constraints"] {
        let scene = two(solver, "springs");
        let mut whole = scene.build().expect("good");
        advance(&mut whole, 9);
        whole.cut(&[[81 + 40, 81 + 41], [81 + 41, 81 + 42], [81 + 42, 81 + 43], [81 + 43, 81 + 44]]);
        advance(&mut whole, 9);
        let text = Snapshot::of(&scene, &whole).to_json();
        let (again, mut resumed) =
            Snapshot::parse(&text, "t.json").and_then(|snapshot| snapshot.restore()).expect("good");
        assert_eq!(resumed.pattern(), whole.pattern());
        assert_eq!(resumed.pattern().revision(), whole.pattern().revision());
        assert_eq!(again.pieces, scene.pieces);
        advance(&mut whole, 9);
        advance(&mut resumed, 9);
        assert_eq!(whole.state.cloth, resumed.state.cloth, "{solver}");
        let broken = text.replacen("\"overrides\":[", "\"overrides\":[{\"mass\":-1.0},", 1);
        assert!(Snapshot::parse(&broken, "t.json").is_err());
    }
}

#[test]
fn patterns_of_other_stuff_are_other_patterns_and_plain_stuff_changes_nothing() {
    let grid = || Pattern::grid(4, 4, 1.0, 1.0, weft::sim::pattern::Plane::Xz);
    let pattern = || Pattern::join([&grid(), &grid()]);
    let stiff = MaterialOverride { structural: 2.0, ..MaterialOverride::default() };
    let plain = pattern().with_overrides(&[MaterialOverride::default(); 2]);
    assert_eq!(plain.revision(), pattern().revision());
    assert_eq!(plain, pattern());
    let second = pattern().with_overrides(&[MaterialOverride::default(), stiff]);
    let first = pattern().with_overrides(&[stiff, MaterialOverride::default()]);
    assert!(second != plain && second != first);
    assert!(second.revision() != plain.revision() && second.revision() != first.revision());
    // the bending of the two differs by the factor alone
    let soft = pattern().with_overrides(&[
        MaterialOverride::default(),
        MaterialOverride { bending: 0.25, ..MaterialOverride::default() },
    ]);
    let [of_soft, of_plain] = [&soft, &plain].map(|pattern| IsometricBending::of(pattern, 1.0));
    for (own, plain) in of_soft.stencils().iter().zip(of_plain.stencils().iter()) {
        let factor = if own.vertices[0] < 16 { 1.0 } else { 0.25 };
        assert_eq!(own.weights, plain.weights.map(|weight| factor * weight));
    }
}

#[test]
fn what_is_wrong_with_the_stuff_of_a_piece_is_said_with_its_number_and_place() {
    let fault = |text: &str| Scene::parse(text, "test.ron").expect_err("refused").to_string();
    let said = fault("(\n  pieces: [(), (material: (structural: -1))],\n)");
    assert!(said.contains("test.ron, line 2") && said.contains("cloth 3") && said.contains("structural"), "{said}");
    let said = fault("(pieces: [(material: (struktural: 2))])");
    assert!(said.contains("struktural") && said.contains("structural"), "{said}");
    let said = fault("(pieces: [(material: (mass: 0))])");
    assert!(said.contains("cloth 2") && said.contains("mass"), "{said}");
    let many: String = (2..30).map(|number| format!("(material: (mass: {number})),")).collect();
    let said = fault(&format!("(pieces: [{many}])"));
    assert!(said.contains("different materials") && said.contains(&Kind::OVERRIDES.to_string()), "{said}");
    let same = "(material: (mass: 3)),".repeat(30);
    assert!(Scene::parse(&format!("(pieces: [{same}])"), "test.ron").is_ok());
}
