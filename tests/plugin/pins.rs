//! Pins: how their vertices are named, and what they follow.

use bevy::ecs::entity::{EntityHashMap, MapEntities};
use bevy::mesh::{MeshVertexAttribute, VertexFormat};
use bevy::prelude::*;
use weft::plugin::{Cloth, ClothPin, ClothPins, PinnedVertices};

use super::harness::{add_mesh, app, hanging, lowest, positions, run, sheet, the_fault, wait};

#[test]
fn vertices_are_pinned_by_number_by_attribute_and_by_nearness() {
    const HELD: MeshVertexAttribute = MeshVertexAttribute::new("Held", 77_001, VertexFormat::Float32);
    let mut app = app();
    let corner = Vec3::new(-0.5, 0.0, -0.5);
    let painted = (0..25).map(|i| f32::from(u8::from(i == 0))).collect::<Vec<_>>();
    let mesh = add_mesh(&mut app, sheet(4, 1.0).with_inserted_attribute(HELD, painted));
    let holder = app.world_mut().spawn(Transform::from_translation(corner)).id();
    let ways = [ClothPins::numbers([0], holder), ClothPins::attribute("Held", holder), ClothPins::near(0.1, holder)];
    let cloths = ways.map(|pins| app.world_mut().spawn((Mesh3d(mesh.clone()), Cloth::default(), pins)).id());
    run(&mut app, 30);
    let drawn = cloths.map(|cloth| positions(&app, cloth));
    assert!(drawn[0][0].distance(corner) < 1e-5 && lowest(&drawn[0]) < -0.2);
    assert!(drawn[1] == drawn[0] && drawn[2] == drawn[0]);
}

#[test]
fn pinned_vertices_are_drawn_where_the_holder_is_drawn() {
    let mut app = app();
    let (cloth, holder) = hanging(&mut app, 5, 5);
    run(&mut app, 5);
    for tick in 0..40 {
        let mut transform = app.world_mut().get_mut::<Transform>(holder).expect("it has one");
        transform.translation.x += 0.05;
        transform.rotate_y(0.05);
        run(&mut app, 1);
        let frame = *app.world().get::<GlobalTransform>(holder).expect("it has one");
        let drawn = positions(&app, cloth);
        for (column, x) in drawn[..5].iter().enumerate() {
            let place = frame.transform_point(Vec3::X * (column as f32 / 4.0 - 0.5));
            assert!(x.distance(place) < 1e-4, "tick {tick}: {x}, not {place}");
        }
    }
}

#[test]
fn a_bone_below_scaled_parents_carries_the_vertices_that_it_holds() {
    let mut app = app();
    let root = app.world_mut().spawn(Transform::from_scale(Vec3::splat(2.0))).id();
    let bone = app.world_mut().spawn((Transform::from_xyz(0.0, 1.0, 0.0), ChildOf(root))).id();
    let pins = ClothPins::numbers(0..4, bone);
    let cloth = app.world_mut().spawn((Cloth::grid(4, 4, 0.5, 0.5), pins, Transform::from_xyz(0.0, 2.0, 0.0))).id();
    run(&mut app, 10);
    assert!(positions(&app, cloth)[..4].iter().all(|x| (x.y - 2.0).abs() < 1e-5));
    app.world_mut().get_mut::<Transform>(bone).expect("it has one").translation.y = 1.1;
    run(&mut app, 5);
    assert!(positions(&app, cloth)[..4].iter().all(|x| (x.y - 2.2).abs() < 1e-5));
    // twice as large a parent carries them twice as far
    app.world_mut().get_mut::<Transform>(root).expect("it has one").scale = Vec3::splat(2.05);
    run(&mut app, 5);
    assert!(positions(&app, cloth)[..4].iter().all(|x| (x.y - 2.255).abs() < 1e-5));
}

#[test]
fn the_entities_of_pins_are_mapped_with_those_of_a_scene_that_is_spawned() {
    let mut app = app();
    let [written, spawned] = [0, 1].map(|_| app.world_mut().spawn_empty().id());
    let mut pins = ClothPins::numbers([0], written);
    let mut map = EntityHashMap::from_iter([(written, spawned)]);
    MapEntities::map_entities(&mut pins, &mut map);
    assert_eq!(pins, ClothPins::numbers([0], spawned));
}

#[test]
fn without_an_entity_a_pin_follows_the_entity_of_the_cloth() {
    let mut app = app();
    let pins = ClothPins(vec![ClothPin { vertices: PinnedVertices::Numbers(vec![0, 1, 2]), to: None }]);
    let cloth = app.world_mut().spawn((Cloth::grid(3, 3, 0.5, 0.5), pins)).id();
    run(&mut app, 10);
    app.world_mut().get_mut::<Transform>(cloth).expect("it has one").translation.z = 0.1;
    run(&mut app, 10);
    assert!(positions(&app, cloth)[..3].iter().all(|x| (x.z - 0.1).abs() < 1e-5));
}

#[test]
fn vertices_whose_holder_is_despawned_are_let_go() {
    let mut app = app();
    let (cloth, holder) = hanging(&mut app, 4, 4);
    run(&mut app, 30);
    app.world_mut().despawn(holder);
    run(&mut app, 64);
    assert!(positions(&app, cloth).iter().all(|x| x.y < -0.3));
}

#[test]
fn pins_that_change_or_go_take_effect_in_the_middle_of_motion() {
    let mut app = app();
    let (cloth, holder) = hanging(&mut app, 4, 4);
    run(&mut app, 30);
    app.world_mut().entity_mut(cloth).insert(ClothPins::numbers([0], holder));
    run(&mut app, 30);
    let drawn = positions(&app, cloth);
    assert!(drawn[0].distance(Vec3::X * -0.5) < 1e-5 && drawn[3].y < -0.1, "{drawn:?}");
    app.world_mut().entity_mut(cloth).remove::<ClothPins>();
    run(&mut app, 30);
    assert!(positions(&app, cloth)[0].y < -0.1);
}

#[test]
fn pins_of_vertices_that_do_not_exist_are_refused_and_the_cloth_goes_on_without_them() {
    let faults = [
        (PinnedVertices::Numbers(vec![99]), "pinned vertex 99 does not exist; the mesh has 16 vertices"),
        (
            PinnedVertices::Attribute { name: "Held".to_owned(), at_least: 0.5 },
            "the mesh has no attribute \"Held\" for pins; it has Vertex_Position, Vertex_Normal, Vertex_Uv",
        ),
        (PinnedVertices::Near(0.1), "no vertex is within 0.1 m of the entity that holds it; the nearest is at 5.000 m"),
    ];
    for (vertices, expected) in faults {
        let mut app = app();
        let holder = app.world_mut().spawn(Transform::from_xyz(0.5, 5.0, 0.0)).id();
        let pins = ClothPins::default().and(vertices, holder);
        let cloth = app.world_mut().spawn((Cloth::grid(4, 4, 1.0, 1.0), pins)).id();
        run(&mut app, 5);
        let told = the_fault(&mut app);
        assert_eq!((told.entity, told.fault.as_str()), (cloth, expected));
        run(&mut app, 60);
        assert!(positions(&app, cloth).iter().all(|x| x.y < 0.0));
        wait(&mut app);
    }
}
