//! Cloths that begin, change, tear and end while the app runs.

use bevy::ecs::reflect::ReflectComponent;
use bevy::mesh::Indices;
use bevy::prelude::*;
use weft::plugin::{
    Cloth, ClothCollider, ClothInterval, ClothPins, ClothStatus, ClothSteps, ClothTorn, WeftPlugin, WindZone,
};

use super::harness::{
    add_mesh, apart, app, app_with, faults, hanging, lowest, mesh_of, messages, positions, run, sheet, status, vectors,
    wait,
};

fn meshes(app: &App) -> usize {
    app.world().resource::<Assets<Mesh>>().len()
}

#[test]
fn a_despawned_cloth_leaves_nothing_behind_even_in_the_middle_of_a_step() {
    let mut app = app_with(WeftPlugin::default());
    let (cloth, _) = hanging(&mut app, 60, 60);
    run(&mut app, 3);
    assert_eq!(meshes(&app), 1);
    app.world_mut().despawn(cloth);
    run(&mut app, 3);
    wait(&mut app);
    run(&mut app, 3);
    assert_eq!((meshes(&app), app.world_mut().resource_mut::<ClothSteps>().under_way()), (0, 0));
}

#[test]
fn an_entity_that_is_no_cloth_any_more_has_its_mesh_back() {
    let mut app = app();
    let mesh = add_mesh(&mut app, sheet(3, 1.0));
    let cloth = app.world_mut().spawn((Mesh3d(mesh.clone()), Cloth::default())).id();
    run(&mut app, 10);
    assert_ne!(app.world().get::<Mesh3d>(cloth).map(|mesh| mesh.id()), Some(mesh.id()));
    app.world_mut().entity_mut(cloth).remove::<Cloth>();
    run(&mut app, 3);
    assert_eq!(app.world().get::<Mesh3d>(cloth).map(|mesh| mesh.id()), Some(mesh.id()));
    assert_eq!(meshes(&app), 1);
    assert!(positions(&app, cloth).iter().all(|x| x.y == 0.0));
}

#[test]
fn a_mesh_that_changes_but_in_its_vertices_and_triangles_leaves_the_cloth_in_motion() {
    let mut app = app();
    let mesh = add_mesh(&mut app, sheet(3, 1.0));
    let cloth = app.world_mut().spawn((Mesh3d(mesh.clone()), Cloth::default())).id();
    run(&mut app, 20);
    let before = lowest(&positions(&app, cloth));
    let colours = vec![[1.0, 0.0, 0.0, 1.0]; 16];
    let mut all = app.world_mut().resource_mut::<Assets<Mesh>>();
    all.get_mut(&mesh).expect("it is there").insert_attribute(Mesh::ATTRIBUTE_COLOR, colours);
    run(&mut app, 3);
    assert!(mesh_of(&app, cloth).contains_attribute(Mesh::ATTRIBUTE_COLOR));
    assert!(lowest(&positions(&app, cloth)) < before);
}

#[test]
fn a_mesh_with_other_vertices_or_another_mesh_begins_the_cloth_anew() {
    let mut app = app();
    let mesh = add_mesh(&mut app, sheet(3, 1.0));
    let cloth = app.world_mut().spawn((Mesh3d(mesh.clone()), Cloth::default())).id();
    run(&mut app, 20);
    app.world_mut().resource_mut::<Assets<Mesh>>().insert(&mesh, sheet(5, 1.0)).expect("it is there");
    run(&mut app, 3);
    let drawn = positions(&app, cloth);
    assert!(drawn.len() == 36 && lowest(&drawn) > -0.02, "{} {}", drawn.len(), lowest(&drawn));
    let other = add_mesh(&mut app, sheet(2, 1.0));
    app.world_mut().entity_mut(cloth).insert(Mesh3d(other));
    run(&mut app, 20);
    let drawn = positions(&app, cloth);
    assert!(drawn.len() == 9 && lowest(&drawn) < -0.1);
    // a mesh that shows the cloth may be replaced as well
    let shown = app.world().get::<Mesh3d>(cloth).expect("it has one").0.clone();
    app.world_mut().resource_mut::<Assets<Mesh>>().insert(&shown, sheet(4, 1.0)).expect("it is there");
    run(&mut app, 20);
    assert_eq!(positions(&app, cloth).len(), 25);
    assert!(lowest(&positions(&app, cloth)) < -0.1);
}

#[test]
fn a_cloth_waits_for_a_mesh_that_is_loaded_later() {
    let mut app = app();
    let mesh = app.world().resource::<Assets<Mesh>>().reserve_handle();
    let cloth = app.world_mut().spawn((Mesh3d(mesh.clone()), Cloth::default())).id();
    run(&mut app, 5);
    assert_eq!(status(&app, cloth), ClothStatus::Waiting);
    app.world_mut().resource_mut::<Assets<Mesh>>().insert(&mesh, sheet(3, 1.0)).expect("it is there");
    run(&mut app, 20);
    assert_eq!(status(&app, cloth), ClothStatus::Moving);
    assert!(lowest(&positions(&app, cloth)) < -0.1);
}

#[test]
fn fabric_solver_and_settings_change_in_the_middle_of_motion() {
    let mut app = app();
    let (cloth, _) = hanging(&mut app, 8, 8);
    run(&mut app, 40);
    let before = positions(&app, cloth);
    let mut component = app.world_mut().get_mut::<Cloth>(cloth).expect("it is one");
    *component = component.clone().of("silk").with("substeps=2");
    component.solver = "xpbd".to_owned();
    run(&mut app, 2);
    assert!(apart(&before, &positions(&app, cloth)) < 0.1);
    assert_eq!(faults(&mut app), []);
}

#[test]
fn a_scene_is_a_cloth_held_by_its_entity() {
    let mut app = app();
    let cloth = app.world_mut().spawn((Cloth::scene("hanging"), Transform::from_xyz(10.0, 0.0, 0.0))).id();
    run(&mut app, 1);
    let before = positions(&app, cloth);
    run(&mut app, 64);
    let after = positions(&app, cloth);
    let held = before.iter().zip(&after).filter(|(a, b)| a.distance(**b) < 1e-4).count();
    assert!(held > 0 && held < 100, "{held} of {}", after.len());
    assert!(after.iter().all(|x| (8.0..12.0).contains(&x.x)));
}

#[test]
fn below_a_scaled_parent_a_cloth_is_as_large_as_it_is_drawn() {
    let mut app = app();
    let parent = app.world_mut().spawn((Transform::from_scale(Vec3::new(2.0, 2.0, 3.0)), Visibility::default())).id();
    let holder = app.world_mut().spawn(Transform::default()).id();
    let pins = ClothPins::numbers([0, 4], holder);
    let mesh = add_mesh(&mut app, sheet(4, 1.0));
    let cloth = app.world_mut().spawn((Mesh3d(mesh), Cloth::default(), pins, ChildOf(parent))).id();
    run(&mut app, 1);
    let drawn = positions(&app, cloth);
    assert!(drawn[0].distance(Vec3::new(-1.0, 0.0, -1.5)) < 1e-5, "{}", drawn[0]);
    run(&mut app, 200);
    let drawn = positions(&app, cloth);
    assert!(drawn[0].distance(Vec3::new(-1.0, 0.0, -1.5)) < 1e-5, "{}", drawn[0]);
    // 3 m of cloth hang down, and threads keep their length of 0.75 m
    assert!((-3.3..-2.0).contains(&lowest(&drawn)), "{}", lowest(&drawn));
    let length = drawn[7].distance(drawn[12]);
    assert!((length - 0.75).abs() < 0.1, "{length}");
    let normals = vectors(&app, cloth, Mesh::ATTRIBUTE_NORMAL);
    assert!(normals.iter().all(|n| (n.length() - 1.0).abs() < 1e-3));
}

#[test]
fn a_tear_is_told_and_shows_in_the_mesh() {
    let mut app = app();
    let (left, right) =
        (app.world_mut().spawn(Transform::default()).id(), app.world_mut().spawn(Transform::default()).id());
    let column = |at: u32| (0..9).map(move |row| 9 * row + at).collect::<Vec<u32>>();
    let pins = ClothPins::numbers(column(0), left).and(weft::plugin::PinnedVertices::Numbers(column(8)), right);
    let component = Cloth::grid(9, 9, 1.0, 1.0).with("tearing=true").with("tear_strain=0.2");
    let cloth = app.world_mut().spawn((component, pins)).id();
    let mut torn = Vec::new();
    for _ in 0..120 {
        app.world_mut().get_mut::<Transform>(right).expect("it has one").translation.x += 0.01;
        run(&mut app, 1);
        torn.extend(messages::<ClothTorn>(&mut app));
    }
    assert!(torn.iter().all(|torn| torn.cloth == cloth && torn.vertices > 0) && !torn.is_empty());
    // every triangle has its own corners now
    let mesh = mesh_of(&app, cloth);
    assert_eq!(mesh.count_vertices(), 3 * 128);
    assert_eq!(mesh.attribute(Mesh::ATTRIBUTE_UV_0).map(|values| values.len()), Some(3 * 128));
    assert!(!matches!(mesh.indices(), Some(Indices::U32(indices)) if indices.len() > 3 * 128));
    let drawn = positions(&app, cloth);
    let longest = drawn.chunks(3).map(|x| x[0].distance(x[1]).max(x[1].distance(x[2]))).fold(0.0, f32::max);
    assert!(longest < 0.4, "no triangle spans the tear: {longest}");
}

#[test]
fn components_are_made_by_reflection_and_have_defaults_that_hold() {
    let mut app = app();
    let registry = app.world().resource::<AppTypeRegistry>().clone();
    let registry = registry.read();
    let all = [
        std::any::TypeId::of::<Cloth>(),
        std::any::TypeId::of::<ClothPins>(),
        std::any::TypeId::of::<ClothCollider>(),
        std::any::TypeId::of::<WindZone>(),
        std::any::TypeId::of::<ClothInterval>(),
    ];
    let mesh = add_mesh(&mut app, sheet(4, 0.5));
    let entity = app.world_mut().spawn((Mesh3d(mesh), Transform::from_xyz(0.0, 2.0, 0.0))).id();
    for id in all {
        let default = registry.get_type_data::<ReflectDefault>(id).expect("it has a default").default();
        let component = registry.get_type_data::<ReflectComponent>(id).expect("it is a component");
        component.insert(&mut app.world_mut().entity_mut(entity), default.as_partial_reflect(), &registry);
    }
    run(&mut app, 20);
    assert_eq!(status(&app, entity), ClothStatus::Moving);
    assert_eq!(faults(&mut app), []);
}
