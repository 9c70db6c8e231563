//! Edits of what stands in a scene.

use proptest::prelude::*;
use weft::scene::{Edit, Piece, Scene, ScenePart, Template};
use weft::sim::contact::{Collider, Intersections, Shape};
use weft::sim::{Quat, Simulation, Vec3};

fn scene(name: &str) -> Scene {
    Scene::load(name).expect("it comes with the program")
}

fn edit(scene: &mut Scene, edit: Edit) {
    scene.edit(&edit).unwrap_or_else(|error| panic!("{edit:?}: {error}"));
}

fn collider(shape: Shape, position: Vec3) -> Edit {
    Edit::AddCollider { collider: Box::new(Collider::new(shape, position)) }
}

fn ball() -> Edit {
    collider(Shape::Sphere { radius: 0.2 }, Vec3::new(0.0, 3.0, 0.0))
}

/// A scene with a part of every kind that can be scaled and shifted.
fn full() -> (Scene, Vec<ScenePart>) {
    let mut scene = scene("body");
    for piece in [r#"(body: Some(Letters(text: "W", height: 0.3)))"#, "(grid: (columns: 5, rows: 4))", MESH] {
        let piece: Piece = ron::from_str(piece).expect("a piece");
        edit(&mut scene, Edit::AddPiece { piece: Box::new(piece) });
    }
    for shape in [
        Shape::Sphere { radius: 0.2 },
        Shape::Box { half_extents: Vec3::new(0.1, 0.2, 0.3) },
        Shape::Capsule { half_height: 0.2, radius: 0.1 },
        Shape::Cylinder { half_height: 0.2, radius: 0.1 },
    ] {
        edit(&mut scene, collider(shape, Vec3::new(0.3, 1.0, -0.2)));
    }
    let colliders = (0..scene.colliders.len() as u32).map(ScenePart::Collider);
    let parts = (0..1 + scene.pieces.len() as u32).map(ScenePart::Piece).chain(colliders).collect();
    (scene, parts)
}

const MESH: &str = r#"(mesh: Some((file: "assets/meshes/poncho.obj")))"#;

fn bounds(scene: &Scene, part: ScenePart) -> (Vec3, Vec3) {
    scene.bounds_of(part).expect("it can be built")
}

fn is_near(a: Vec3, b: Vec3) -> bool {
    a.distance(b) < 5e-6
}

#[test]
fn every_part_is_shifted_scaled_about_its_middle_and_copied() {
    let (start, parts) = full();
    for part in parts {
        let (low, high) = bounds(&start, part);
        let by = Vec3::new(0.5, 0.25, -1.0);
        let mut scene = start.clone();
        edit(&mut scene, Edit::Shift { part, by });
        let shifted = bounds(&scene, part);
        assert!(is_near(shifted.0, low + by) && is_near(shifted.1, high + by), "{part:?}: {shifted:?}");

        let mut scene = start.clone();
        edit(&mut scene, Edit::Scale { part, by: 2.0 });
        let (small, large) = (high - low, bounds(&scene, part).1 - bounds(&scene, part).0);
        assert!(is_near(large, 2.0 * small), "{part:?}: {small} becomes {large}");

        let mut scene = start.clone();
        edit(&mut scene, Edit::Copy { part, by, count: 3 });
        let last = match part {
            ScenePart::Piece(_) => ScenePart::Piece(scene.pieces.len() as u32),
            _ => ScenePart::Collider(scene.colliders.len() as u32 - 1),
        };
        let copied = bounds(&scene, last);
        assert!(is_near(copied.0, low + 3.0 * by) && is_near(copied.1, high + 3.0 * by), "{part:?}: {copied:?}");
    }
}

#[test]
fn a_part_is_turned_about_its_position_in_the_axes_of_the_world() {
    let mut scene = scene("hanging");
    edit(&mut scene, Edit::AddPiece { piece: Box::new(Piece::default()) });
    let part = ScenePart::Piece(1);
    let (low, high) = bounds(&scene, part);
    for _ in 0..2 {
        edit(&mut scene, Edit::Turn { part, by: Vec3::X * std::f64::consts::FRAC_PI_4 });
    }
    let upright = bounds(&scene, part);
    let size = high - low;
    assert!(is_near(upright.1 - upright.0, Vec3::new(size.x, size.z, size.y)), "{upright:?}");
    assert!(is_near(upright.0 + upright.1, low + high), "its middle stays");
    // another axis of the world, whatever the turns before
    edit(&mut scene, Edit::Turn { part, by: Vec3::Y * 0.5 });
    let expected = Quat::from_rotation_y(0.5) * Quat::from_rotation_x(std::f64::consts::FRAC_PI_2);
    assert!(Quat::from_scaled_axis(scene.pieces[0].rotation).dot(expected).abs() > 1.0 - 1e-12);
}

#[test]
fn what_is_set_down_stands_on_the_highest_thing_below_it_and_starts_free() {
    // on the floor
    let mut scene = scene("hanging");
    edit(&mut scene, ball());
    edit(&mut scene, Edit::SetDown { part: ScenePart::Collider(0) });
    assert!(bounds(&scene, ScenePart::Collider(0)).0.y.abs() < 1e-9);
    // a cloth on the ball, from above and out of it
    for start in [2.5, 0.35] {
        let mut scene = scene.clone();
        scene.first.position = Some(Vec3::Y * start);
        edit(&mut scene, Edit::SetDown { part: ScenePart::Piece(0) });
        let bottom = bounds(&scene, ScenePart::Piece(0)).0.y;
        let thickness = scene.parameters.contact.thickness;
        assert!((bottom - 0.4 - thickness).abs() < 0.01 && bottom > 0.4 + thickness, "at {bottom} m");
    }
    // on the table, and beside the ball on the floor
    scene.parameters.table.table = true;
    let box_edit = collider(Shape::Box { half_extents: Vec3::splat(0.1) }, Vec3::new(0.0, 2.0, 0.0));
    edit(&mut scene, box_edit);
    edit(&mut scene, Edit::SetDown { part: ScenePart::Collider(1) });
    let height = bounds(&scene, ScenePart::Collider(1)).0.y;
    assert!((height - scene.parameters.table.table_height.max(0.4)).abs() < 1e-9, "at {height} m");
    edit(&mut scene, Edit::Shift { part: ScenePart::Collider(1), by: Vec3::X * 5.0 });
    edit(&mut scene, Edit::SetDown { part: ScenePart::Collider(1) });
    assert!(bounds(&scene, ScenePart::Collider(1)).0.y.abs() < 1e-9);
}

#[test]
fn the_first_piece_makes_room_for_the_next_and_the_last_one_stays() {
    let mut scene = scene("hanging");
    let piece: Piece = ron::from_str("(grid: (columns: 5, rows: 4))").expect("a piece");
    edit(&mut scene, Edit::AddPiece { piece: Box::new(piece.clone()) });
    edit(&mut scene, Edit::Remove { part: ScenePart::Piece(0) });
    assert_eq!((&scene.first, scene.pieces.len()), (&piece, 0));
    let before = scene.clone();
    let error = scene.edit(&Edit::Remove { part: ScenePart::Piece(0) }).expect_err("it is the last");
    assert!(error.to_string().contains("add another one first"), "{error}");
    assert_eq!(scene, before);
}

#[test]
fn what_cannot_be_done_is_refused_in_a_sentence_and_changes_nothing() {
    let mut scene = scene("hanging");
    edit(&mut scene, collider(Shape::Plane { normal: Vec3::X }, Vec3::X * -3.0));
    let plane = ScenePart::Collider(0);
    scene.parameters.contact.ground = false;
    let cases = [
        (Edit::Remove { part: ScenePart::Piece(4) }, "piece 4 does not exist; the scene has 1"),
        (Edit::Shift { part: ScenePart::Collider(7), by: Vec3::X }, "collider 7 does not exist; the scene has 1"),
        (Edit::Shift { part: plane, by: Vec3::splat(f64::NAN) }, "three finite numbers"),
        (Edit::Scale { part: plane, by: 2.0 }, "a plane has no size"),
        (Edit::Scale { part: ScenePart::Piece(0), by: -1.0 }, "a positive factor"),
        (Edit::Copy { part: plane, by: Vec3::X, count: 0 }, "from 1 to 100"),
        (Edit::Turn { part: plane, by: Vec3::splat(1e9) }, "from -1000 to 1000"),
        (Edit::SetDown { part: plane }, "a plane stands on nothing"),
        (Edit::SetDown { part: ScenePart::Piece(0) }, "nothing below it"),
    ];
    let before = scene.clone();
    for (edit, part) in cases {
        let error = scene.edit(&edit).expect_err("impossible").to_string();
        assert!(error.contains(part), "{edit:?}: {error}");
        assert_eq!(scene, before, "{edit:?}");
    }
}

#[test]
fn a_scene_that_was_built_by_edits_reads_like_one_that_was_written_by_hand() {
    let mut scene = Scene::default();
    edit(&mut scene, Edit::Shift { part: ScenePart::Piece(0), by: Vec3::Y * 0.5 });
    edit(&mut scene, ball());
    edit(&mut scene, Edit::SetDown { part: ScenePart::Collider(0) });
    edit(&mut scene, Edit::Scale { part: ScenePart::Collider(0), by: 0.5 });
    let written = Scene::parse(
        "(
            position: (0.0, 1.5, 0.0),
            colliders: [(shape: Sphere(radius: 0.1), position: (0.0, 0.2, 0.0))],
        )",
        "by hand",
    )
    .expect("a scene");
    assert_eq!(scene.to_ron(), written.to_ron());
}

#[test]
fn every_template_is_added_three_times_where_there_is_room_and_the_scene_starts_free() {
    for name in ["hanging", "breeze", "table", "flag"] {
        for template in Template::ALL {
            let mut scene = scene(name);
            let before = scene.parts().len();
            for count in 1..=3 {
                let addition = scene.addition(template).unwrap_or_else(|error| panic!("{name}, {template:?}: {error}"));
                edit(&mut scene, addition);
                assert_eq!(scene.parts().len(), before + count, "{template:?}");
            }
            let simulation = scene.build().expect("it can be built");
            let (pairs, colliders) = intersections(&simulation);
            assert!(pairs == 0 && colliders == 0, "{name}, {template:?}: {pairs} and {colliders}");
            let inside = simulation.state.cloth.positions.iter().any(|x| x.y < 0.0);
            assert!(!inside, "{name}, {template:?}: below the floor");
            let names: std::collections::HashSet<String> =
                scene.rows().into_iter().filter(|row| row.part.is_thing()).map(|row| row.name).collect();
            assert_eq!(names.len(), scene.parts().len(), "{names:?}");
        }
    }
}

/// Pairs of triangles that intersect, and triangles that intersect colliders.
fn intersections(simulation: &Simulation) -> (usize, usize) {
    let mut search = Intersections::default();
    let [pairs, colliders] = simulation.find_intersections(&mut search);
    (pairs.len(), colliders.len())
}

#[test]
fn a_scene_that_starts_through_itself_is_moved_apart() {
    // a cloth through another one, and through a ball that stands under both
    let mut scene = scene("hanging");
    edit(&mut scene, Edit::Copy { part: ScenePart::Piece(0), by: Vec3::ZERO, count: 1 });
    edit(&mut scene, Edit::Turn { part: ScenePart::Piece(1), by: Vec3::new(0.3, 0.0, 0.0) });
    edit(&mut scene, collider(Shape::Box { half_extents: Vec3::splat(0.3) }, Vec3::new(0.0, 1.5, 0.0)));
    let before = intersections(&scene.build().expect("it can be built"));
    assert!(before.0 > 0 && before.1 > 0, "{before:?}");
    edit(&mut scene, Edit::MoveApart);
    assert_eq!(intersections(&scene.build().expect("it can be built")), (0, 0));
    let after = scene.clone();
    edit(&mut scene, Edit::MoveApart);
    assert_eq!(scene, after, "what is free stays");
}

#[test]
fn a_part_is_given_other_fields_and_wrong_ones_are_refused() {
    let mut scene = scene("hanging");
    edit(&mut scene, ball());
    let mut piece = scene.first.clone();
    piece.grid.columns = 7;
    edit(&mut scene, Edit::ReplacePiece { at: 0, piece: Box::new(piece.clone()) });
    assert_eq!(scene.first, piece);
    let ball = Collider { friction: Some(0.9), ..scene.colliders[0].clone() };
    edit(&mut scene, Edit::ReplaceCollider { at: 0, collider: Box::new(ball.clone()) });
    assert_eq!(scene.colliders, std::slice::from_ref(&ball));
    let before = scene.clone();
    piece.grid.columns = 1;
    let thin = Edit::ReplacePiece { at: 0, piece: Box::new(piece) };
    let rough = Edit::ReplaceCollider { at: 0, collider: Box::new(Collider { friction: Some(-1.0), ..ball.clone() }) };
    let missing = Edit::ReplaceCollider { at: 1, collider: Box::new(ball) };
    for (edit, part) in [(thin, "columns"), (rough, "friction"), (missing, "collider 1 does not exist")] {
        let error = scene.edit(&edit).expect_err("impossible").to_string().to_lowercase();
        assert!(error.contains(part), "{error}");
        assert_eq!(scene, before);
    }
}

proptest! {
    #[test]
    fn shifts_add_up_and_factors_multiply(
        shifts in prop::collection::vec(prop::array::uniform3(-2.0..2.0), 1..5),
        factor in 0.5..2.0,
    ) {
        let mut scene = scene("hanging");
        edit(&mut scene, ball());
        for part in [ScenePart::Piece(0), ScenePart::Collider(0)] {
            let (low, high) = bounds(&scene, part);
            let total: Vec3 = shifts.iter().copied().map(Vec3::from).sum();
            for &by in &shifts {
                edit(&mut scene, Edit::Shift { part, by: by.into() });
            }
            edit(&mut scene, Edit::Scale { part, by: factor });
            let now = bounds(&scene, part);
            prop_assert!((now.0 + now.1 - (low + high) - 2.0 * total).length() < 2e-5);
            prop_assert!((now.1 - now.0 - factor * (high - low)).length() < 1e-9);
        }
    }
}
