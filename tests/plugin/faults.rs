//! Bad input is told in one sentence, and a failed step keeps the last good state.

use bevy::mesh::{Indices, PrimitiveTopology};
use bevy::prelude::*;
use weft::plugin::{Cloth, ClothBlewUp, ClothPins, ClothShape, ClothStatus};

use super::harness::{add_mesh, apart, app, hanging, lowest, messages, positions, run, sheet, status, the_fault};

fn without_triangles() -> Mesh {
    Mesh::new(PrimitiveTopology::TriangleList, Default::default())
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, vec![[0.0_f32; 3]; 3])
        .with_inserted_indices(Indices::U32(Vec::new()))
}

#[test]
fn a_cloth_that_cannot_be_used_is_refused_in_one_sentence() {
    let lines = Mesh::new(PrimitiveTopology::LineList, Default::default());
    let far = sheet(2, f32::INFINITY);
    let bad_index = sheet(1, 1.0).with_inserted_indices(Indices::U32(vec![0, 1, 99]));
    let cases = [
        (Cloth::default(), None, "a cloth of a mesh needs a Mesh3d"),
        (Cloth::default(), Some(without_triangles()), "the mesh has no triangles"),
        (Cloth::default(), Some(lines), "the mesh is no list of triangles"),
        (Cloth::default(), Some(far), "a vertex of the mesh is farther than 10⁹ m from its origin, or no number"),
        (Cloth::default(), Some(bad_index), "a triangle of the mesh uses vertex 99; the mesh has 4"),
        (
            Cloth::grid(4, 4, 1.0, 1.0).of("cottom"),
            None,
            "fabric \"cottom\": there is no such fabric; did you mean \"cotton\"?",
        ),
        (
            Cloth { solver: "xpdb".to_owned(), ..Cloth::grid(4, 4, 1.0, 1.0) },
            None,
            "solver of a cloth: there is no solver \"xpdb\"; did you mean \"xpbd\"?",
        ),
        (
            Cloth::grid(4, 4, 1.0, 1.0).with("dampin=1"),
            None,
            "setting dampin=1 of a cloth: there is no such parameter; did you mean one of damping, damping_model?",
        ),
        (
            Cloth::grid(4, 4, 1.0, 1.0).with("substeps"),
            None,
            "setting substeps of a cloth: needs the form key=value, like substeps=2",
        ),
        (Cloth::grid(1, 4, 1.0, 1.0), None, "a grid of 1 × 4 vertices cannot be a cloth; it needs 2 to 8192 each way"),
        (Cloth::grid(4, 4, 0.0, 1.0), None, "a grid of 0 m × 1 m cannot be a cloth; it needs a width and a height"),
    ];
    for (component, mesh, expected) in cases {
        let mut app = app();
        let mesh = mesh.map(|mesh| add_mesh(&mut app, mesh));
        let cloth = app.world_mut().spawn(component).id();
        if let Some(mesh) = mesh {
            app.world_mut().entity_mut(cloth).insert(Mesh3d(mesh));
        }
        run(&mut app, 10);
        let told = the_fault(&mut app);
        assert_eq!((told.entity, told.fault.as_str()), (cloth, expected));
        assert_eq!(status(&app, cloth), ClothStatus::Refused);
    }
}

#[test]
fn an_unknown_scene_and_a_scaled_one_are_refused() {
    let mut app = app();
    app.world_mut().spawn(Cloth::scene("hangin"));
    run(&mut app, 3);
    assert!(the_fault(&mut app).fault.starts_with("there is no scene \"hangin\""));
    app.world_mut().spawn((Cloth::scene("hanging"), Transform::from_scale(Vec3::splat(2.0))));
    run(&mut app, 3);
    let expected = "the cloth of the scene hanging has its own size; its entity must not be scaled";
    assert_eq!(the_fault(&mut app).fault, expected);
}

#[test]
fn a_cloth_scaled_to_nothing_is_refused() {
    let mut app = app();
    app.world_mut().spawn((Cloth::grid(3, 3, 1.0, 1.0), Transform::from_scale(Vec3::ZERO)));
    run(&mut app, 3);
    let expected = "the entity of the cloth is scaled to nothing, or by what is no number";
    assert_eq!(the_fault(&mut app).fault, expected);
}

#[test]
fn a_refused_cloth_begins_when_its_component_is_mended() {
    let mut app = app();
    let cloth = app.world_mut().spawn(Cloth { fabric: "cottom".to_owned(), ..Cloth::grid(4, 4, 1.0, 1.0) }).id();
    run(&mut app, 5);
    the_fault(&mut app);
    app.world_mut().entity_mut(cloth).insert(Cloth::grid(4, 4, 1.0, 1.0));
    run(&mut app, 10);
    assert_eq!(status(&app, cloth), ClothStatus::Moving);
    assert!(lowest(&positions(&app, cloth)) < -1.0);
}

#[test]
fn a_bad_change_is_refused_and_the_cloth_goes_on_as_before() {
    let mut app = app();
    let (cloth, _) = hanging(&mut app, 4, 4);
    run(&mut app, 5);
    app.world_mut().get_mut::<Cloth>(cloth).expect("it is one").settings = vec!["substeps=-1".to_owned()];
    run(&mut app, 5);
    assert!(the_fault(&mut app).fault.starts_with("setting substeps=-1 of a cloth: "));
    assert_eq!(status(&app, cloth), ClothStatus::Moving);
    let before = positions(&app, cloth);
    run(&mut app, 5);
    assert!(apart(&before, &positions(&app, cloth)) > 0.0);
}

#[test]
fn a_cloth_that_blows_up_stays_in_its_last_good_state_until_it_is_changed() {
    let mut app = app();
    let holder = app.world_mut().spawn(Transform::default()).id();
    let stiff = Cloth { solver: "explicit-euler".to_owned(), ..Cloth::grid(8, 8, 1.0, 1.0) };
    let cloth = app.world_mut().spawn((stiff, ClothPins::numbers([0], holder))).id();
    let mut told: Vec<ClothBlewUp> = Vec::new();
    for _ in 0..200 {
        run(&mut app, 1);
        told.extend(messages::<ClothBlewUp>(&mut app));
    }
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].cloth == cloth && !told[0].reason.is_empty());
    assert_eq!(status(&app, cloth), ClothStatus::BlownUp);
    let before = positions(&app, cloth);
    assert!(before.iter().all(|x| x.is_finite()));
    run(&mut app, 20);
    assert_eq!(positions(&app, cloth), before);
    let mut component = app.world_mut().get_mut::<Cloth>(cloth).expect("it is one");
    component.solver = Cloth::default().solver;
    assert!(matches!(component.shape, ClothShape::Grid { .. }));
    run(&mut app, 20);
    assert_eq!(status(&app, cloth), ClothStatus::Moving);
    assert!(apart(&positions(&app, cloth), &before) > 1e-3);
}
