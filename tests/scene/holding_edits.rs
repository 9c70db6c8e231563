//! Names, locks, pins, handles, paths and fabrics of a scene by edits.

use proptest::prelude::*;
use weft::scene::{Edit, Fabric, Handle, Piece, PinChoice, Scene, ScenePart, performed_path, side_near};
use weft::sim::contact::{Collider, Shape};
use weft::sim::{Path, Vec3};

fn scene(name: &str) -> Scene {
    Scene::load(name).expect("it comes with the program")
}

fn edit(scene: &mut Scene, edit: Edit) {
    scene.edit(&edit).unwrap_or_else(|error| panic!("{edit:?}: {error}"));
}

fn refusal(scene: &mut Scene, edit: &Edit) -> String {
    let before = scene.clone();
    let error = scene.edit(edit).expect_err("impossible").to_string();
    assert_eq!(*scene, before, "{edit:?}");
    error
}

fn with_ball() -> Scene {
    let mut scene = scene("hanging");
    let ball = Collider::new(Shape::Sphere { radius: 0.1 }, Vec3::new(0.0, 0.1, 0.0));
    edit(&mut scene, Edit::AddCollider { collider: Box::new(ball) });
    scene
}

fn way() -> Path {
    Path::Waypoints { points: vec![(0.0, Vec3::ZERO), (1.0, Vec3::X)], repeat: false }
}

fn handle(pins: PinChoice, pinned: &[u32]) -> Box<Handle> {
    Box::new(Handle { pins, pinned: pinned.to_vec(), path: Some(way()), ..Handle::default() })
}

#[test]
fn things_and_handles_have_names_that_are_saved_and_kinds_without_one() {
    let mut scene = with_ball();
    edit(&mut scene, Edit::AddHandle { piece: 0, handle: handle(PinChoice::None, &[7]) });
    edit(&mut scene, Edit::AddPiece { piece: Box::new(Piece::default()) });
    let names = |scene: &Scene| scene.rows().into_iter().map(|row| row.name).collect::<Vec<_>>();
    assert_eq!(names(&scene), ["Cloth", "Pins", "Handle", "Cloth 2", "Ball"]);
    let parts = [
        (ScenePart::Piece(0), "Curtain"),
        (ScenePart::Handle { piece: 0, at: 0 }, " Rod "),
        (ScenePart::Piece(1), "Rug"),
        (ScenePart::Collider(0), "Knob"),
    ];
    for (part, name) in parts {
        edit(&mut scene, Edit::Rename { part, name: name.to_owned() });
    }
    assert_eq!(names(&scene), ["Curtain", "Pins", "Rod", "Rug", "Knob"]);
    let text = scene.to_ron();
    let again = Scene::parse(&text, "again").expect("it reads its own");
    assert_eq!(names(&again), names(&scene));
    assert!(text.contains("name: \"Curtain\"") && text.contains("(name: \"Knob\", shape: Sphere"), "{text}");
    // a copy is another thing
    edit(&mut scene, Edit::Copy { part: ScenePart::Collider(0), by: Vec3::X, count: 1 });
    assert_eq!(names(&scene).last().map(String::as_str), Some("Ball"));
    edit(&mut scene, Edit::Rename { part: ScenePart::Piece(0), name: String::new() });
    assert_eq!(names(&scene)[0], "Cloth");
    let error = refusal(&mut scene, &Edit::Rename { part: ScenePart::Pins(0), name: "Rings".to_owned() });
    assert!(error.contains("name their cloth"), "{error}");
    let error = refusal(&mut scene, &Edit::Rename { part: ScenePart::Piece(0), name: "two\nlines".to_owned() });
    assert!(error.contains("in one line"), "{error}");
}

#[test]
fn a_locked_thing_refuses_edits_until_it_is_unlocked_and_a_hidden_one_still_acts() {
    let mut scene = with_ball();
    edit(&mut scene, Edit::AddHandle { piece: 0, handle: handle(PinChoice::None, &[7]) });
    edit(&mut scene, Edit::Rename { part: ScenePart::Piece(0), name: "Curtain".to_owned() });
    let hanging = scene.build().expect("good").state.cloth;
    for part in [ScenePart::Piece(0), ScenePart::Collider(0)] {
        edit(&mut scene, Edit::Lock { part, on: true });
        edit(&mut scene, Edit::Hide { part, on: true });
    }
    let ball = Box::new(scene.colliders[0].clone());
    let piece = Box::new(scene.first.clone());
    for refused in [
        Edit::Shift { part: ScenePart::Piece(0), by: Vec3::X },
        Edit::Remove { part: ScenePart::Collider(0) },
        Edit::ReplaceCollider { at: 0, collider: ball },
        Edit::ReplacePiece { at: 0, piece },
        Edit::Pin { piece: 0, vertices: vec![3], on: true },
        Edit::SetPath { part: ScenePart::Handle { piece: 0, at: 0 }, path: None },
        Edit::Remove { part: ScenePart::Handle { piece: 0, at: 0 } },
        Edit::Remove { part: ScenePart::Pins(0) },
        Edit::Fabric { piece: 0, id: "denim".to_owned() },
    ] {
        let error = refusal(&mut scene, &refused);
        assert!(error.contains("is locked; unlock it first"), "{error}");
        assert!(error.contains("Curtain") || error.contains("Ball"), "{error}");
    }
    assert_eq!(scene.build().expect("good").state.cloth, hanging, "hidden or not");
    edit(&mut scene, Edit::Lock { part: ScenePart::Piece(0), on: false });
    edit(&mut scene, Edit::Shift { part: ScenePart::Piece(0), by: Vec3::X });
    // a locked cloth is not moved apart, and says so when there is no other
    let mut through = scene.clone();
    through.colliders[0].shape = Shape::Box { half_extents: Vec3::splat(0.1) };
    through.colliders[0].position =
        scene.bounds_of(ScenePart::Piece(0)).map(|(low, high)| 0.5 * (low + high)).expect("good");
    edit(&mut through, Edit::Lock { part: ScenePart::Piece(0), on: true });
    assert!(refusal(&mut through, &Edit::MoveApart).contains("locked"), "it would have to move");
}

#[test]
fn pins_that_a_word_means_are_written_as_the_word() {
    let mut scene = scene("hanging");
    let piece: Piece = ron::from_str("(grid: (columns: 6, rows: 4))").expect("a piece");
    edit(&mut scene, Edit::AddPiece { piece: Box::new(piece) });
    let pins = |scene: &Scene| (scene.pieces[0].pins, scene.pieces[0].pinned.clone());
    let pin = |vertices: &[u32], on| Edit::Pin { piece: 1, vertices: vertices.to_vec(), on };
    edit(&mut scene, pin(&[0, 1, 2], true));
    assert_eq!(pins(&scene), (PinChoice::None, vec![0, 1, 2]));
    edit(&mut scene, pin(&[3, 4, 5], true));
    assert_eq!(pins(&scene), (PinChoice::TopEdge, vec![]));
    edit(&mut scene, pin(&[1, 2, 3, 4], false));
    assert_eq!(pins(&scene), (PinChoice::Two, vec![]));
    edit(&mut scene, Edit::Remove { part: ScenePart::Pins(1) });
    assert_eq!(pins(&scene), (PinChoice::None, vec![]));
    let error = refusal(&mut scene, &pin(&[24], true));
    assert!(error.contains("24 does not exist") && error.contains("Cloth 2"), "{error}");
}

#[test]
fn a_vertex_is_held_once_whoever_takes_it() {
    let mut scene = scene("hanging");
    edit(&mut scene, Edit::AddHandle { piece: 0, handle: handle(PinChoice::TopEdge, &[]) });
    assert_eq!((scene.first.pins, scene.first.handles[0].pins), (PinChoice::None, PinChoice::TopEdge));
    edit(&mut scene, Edit::AddHandle { piece: 0, handle: handle(PinChoice::One, &[]) });
    let last = scene.first.grid.columns;
    assert_eq!(scene.first.handles[0].pinned, (1..last).collect::<Vec<u32>>());
    // without vertices a handle is gone
    edit(&mut scene, Edit::Pin { piece: 0, vertices: vec![0], on: true });
    assert_eq!((scene.first.handles.len(), scene.first.pins), (1, PinChoice::One));
    let pattern = scene.build().expect("good").shared_pattern();
    assert_eq!(scene.held_by(ScenePart::Pins(0), &pattern), [0]);
    assert_eq!(scene.held_by(ScenePart::Handle { piece: 0, at: 0 }, &pattern), (1..last).collect::<Vec<u32>>());
    // without a path its vertices are pins
    edit(&mut scene, Edit::SetPath { part: ScenePart::Handle { piece: 0, at: 0 }, path: None });
    assert_eq!((scene.first.handles.len(), scene.first.pins), (0, PinChoice::TopEdge));
    let error = refusal(&mut scene, &Edit::SetPath { part: ScenePart::Piece(0), path: Some(way()) });
    assert!(error.contains("make a handle"), "{error}");
    let error = refusal(&mut scene, &Edit::AddHandle { piece: 0, handle: handle(PinChoice::None, &[]) });
    assert!(error.contains("needs vertices"), "{error}");
    let error = refusal(&mut scene, &Edit::Shift { part: ScenePart::Pins(0), by: Vec3::X });
    assert!(error.contains("take the cloth"), "{error}");
}

#[test]
fn held_places_stay_when_a_grid_gets_another_resolution() {
    let mut scene = scene("hanging");
    scene.first.grid.columns = 11;
    scene.first.grid.rows = 11;
    // the middle third of the upper edge, and one vertex inside
    edit(&mut scene, Edit::Remove { part: ScenePart::Pins(0) });
    edit(&mut scene, Edit::Pin { piece: 0, vertices: vec![4, 5, 6, 5 * 11 + 5], on: true });
    let mut finer = scene.first.clone();
    (finer.grid.columns, finer.grid.rows) = (21, 21);
    edit(&mut scene, Edit::ReplacePiece { at: 0, piece: Box::new(finer) });
    let held: Vec<[u32; 2]> = scene.first.pinned.iter().map(|vertex| [vertex % 21, vertex / 21]).collect();
    assert!([[8, 0], [10, 0], [12, 0], [10, 10]].iter().all(|place| held.contains(place)), "{held:?}");
    assert!(held.iter().all(|[x, y]| (7..=13).contains(x) && (*y <= 1 || (9..=11).contains(y))), "{held:?}");
    let mut coarser = scene.first.clone();
    (coarser.grid.columns, coarser.grid.rows) = (5, 5);
    edit(&mut scene, Edit::ReplacePiece { at: 0, piece: Box::new(coarser) });
    assert!(scene.first.pinned.contains(&2) && scene.first.pinned.contains(&12), "{:?}", scene.first.pinned);
    scene.build().expect("all of them exist");
}

#[test]
fn a_side_of_a_cloth_is_its_rim_from_corner_to_corner_and_a_round_one_is_all_rim() {
    let scene = scene("hanging");
    let (columns, rows) = (scene.first.grid.columns, scene.first.grid.rows);
    let pattern = scene.build().expect("good").shared_pattern();
    let on_grid = |choice: PinChoice| choice.on_grid(columns as usize, rows as usize);
    for (vertex, side) in [
        (3, PinChoice::TopEdge),
        ((rows - 1) * columns + 3, PinChoice::BottomEdge),
        (3 * columns, PinChoice::LeftEdge),
        (4 * columns - 1, PinChoice::RightEdge),
    ] {
        assert_eq!(side_near(&pattern, vertex), on_grid(side), "{side:?}");
    }
    let near_the_left = (rows / 2) * columns + 2;
    assert_eq!(side_near(&pattern, near_the_left), on_grid(PinChoice::LeftEdge), "from inside");
    assert!(side_near(&pattern, 0).len() == columns as usize, "a corner belongs to one side");
    let disc = Scene::parse(r#"(mesh: (file: "assets/meshes/disc.obj"))"#, "a disc").expect("a scene");
    let pattern = disc.build().expect("good").shared_pattern();
    let farthest = (0..pattern.len() as u32)
        .max_by(|a, b| {
            let from_middle = |vertex: u32| pattern.rest_positions()[vertex as usize].with_y(0.0).length();
            from_middle(*a).total_cmp(&from_middle(*b))
        })
        .expect("there are some");
    let rim = side_near(&pattern, farthest);
    let radius = |vertex: &u32| pattern.rest_positions()[*vertex as usize].with_y(0.0).length();
    assert!(rim.len() > 30 && rim.iter().all(|vertex| (radius(vertex) - radius(&farthest)).abs() < 1e-3), "{rim:?}");
}

#[test]
fn a_piece_is_made_of_a_fabric_and_the_others_stay_as_they_are() {
    let mut scene = scene("hanging");
    edit(&mut scene, Edit::AddPiece { piece: Box::new(Piece::default()) });
    let stiffness = |scene: &Scene, piece: usize| {
        let material = scene.all_pieces().nth(piece).expect("there").material;
        let common = &scene.parameters;
        [
            material.structural * common.material.structural_stiffness,
            material.shear * common.material.shear_stiffness,
            material.bending * common.material.bending_stiffness,
            material.damping * common.material.damping,
            material.mass * common.mass.area_density,
        ]
    };
    let is_near = |a: [f64; 5], b: [f64; 5]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 2e-3 * b);
    let numbers = |id: &str| {
        let fabric = Fabric::find(id).expect("known");
        [fabric.stretch, fabric.shear, fabric.bending, fabric.damping, fabric.area_density]
    };
    edit(&mut scene, Edit::Fabric { piece: 0, id: "silk".to_owned() });
    let second = stiffness(&scene, 1);
    edit(&mut scene, Edit::Fabric { piece: 1, id: "denim".to_owned() });
    assert!(is_near(stiffness(&scene, 1), numbers("denim")), "{second:?} becomes {:?}", stiffness(&scene, 1));
    assert_eq!(scene.fabric_of(1).map(|fabric| fabric.id.as_str()), Some("denim"));
    assert!(scene.pieces[0].colour.is_some(), "it looks like denim");
    edit(&mut scene, Edit::Fabric { piece: 0, id: "wool".to_owned() });
    assert!(is_near(stiffness(&scene, 0), numbers("wool")));
    assert!(is_near(stiffness(&scene, 1), numbers("denim")), "{:?}", stiffness(&scene, 1));
    assert_eq!(scene.fabric_of(0).map(|fabric| fabric.id.as_str()), Some("wool"));
    assert_eq!(scene.fabric_of(1).map(|fabric| fabric.id.as_str()), Some("denim"), "after a second rounding");
    let error = refusal(&mut scene, &Edit::Fabric { piece: 0, id: "deim".to_owned() });
    assert!(error.contains("denim"), "{error}");
}

#[test]
fn a_hand_that_goes_round_a_circle_gives_a_short_path_within_a_millimetre() {
    let place = |time: f64| Vec3::new((3.0 * time).cos() - 1.0, (3.0 * time).sin(), 0.0) * 0.3;
    let samples: Vec<(f64, Vec3)> = (0..=120).map(|k| f64::from(k) / 60.0).map(|time| (time, place(time))).collect();
    let path = performed_path(&samples, 0.0).expect("a path");
    assert!(path.fault().is_none());
    for (time, offset) in &samples {
        assert!(path.offset(*time).distance(*offset) < 1.3e-3, "at {time} s");
    }
    let Path::Waypoints { points, repeat: false } = &path else { panic!("{path:?}") };
    assert!((8..60).contains(&points.len()), "{} points", points.len());
    assert!(performed_path(&[], 0.1).is_none());
}

#[test]
fn smoothing_takes_the_tremor_out_of_a_path_and_keeps_its_ends() {
    let tremor = |k: u32| if k.is_multiple_of(2) { 0.004 } else { -0.004 };
    let samples: Vec<(f64, Vec3)> =
        (0..=120).map(|k| (f64::from(k) / 60.0, Vec3::new(f64::from(k) / 120.0, tremor(k), 0.0))).collect();
    let count = |path: &Path| if let Path::Waypoints { points, .. } = path { points.len() } else { 0 };
    let (rough, smooth) = (performed_path(&samples, 0.0), performed_path(&samples, 0.1));
    let (rough, smooth) = (rough.expect("a path"), smooth.expect("a path"));
    assert!(count(&smooth) < 20 && count(&rough) > 80, "{} and {}", count(&smooth), count(&rough));
    assert!(smooth.offset(1.0).y.abs() < 1e-3 && rough.offset(1.0).y.abs() > 3e-3);
    for time in [0.0, 2.0] {
        assert!(smooth.offset(time).distance(rough.offset(time)) < 1e-4, "at {time} s");
    }
}

proptest! {
    #[test]
    fn any_motion_of_a_hand_gives_a_path_without_fault_within_its_range(
        samples in prop::collection::vec((0.0..5.0, prop::array::uniform3(-1.0..1.0)), 1..60),
        smoothing in 0.0..0.5,
    ) {
        let samples: Vec<(f64, Vec3)> = samples.into_iter().map(|(time, offset)| (time, offset.into())).collect();
        let path = performed_path(&samples, smoothing).expect("there are samples");
        prop_assert_eq!(path.fault(), None);
        for time in 0..50 {
            let offset = path.offset(f64::from(time) / 10.0);
            prop_assert!(offset.abs().max_element() <= 1.001);
        }
    }
}
