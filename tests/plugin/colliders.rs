//! Colliders follow their entities, scale included.

use bevy::prelude::*;
use weft::plugin::{Cloth, ClothCollider, ColliderShape};

use super::harness::{add_mesh, app, faults, lowest, positions, run, sheet, the_fault};

/// The lowest that the middle of a small sheet comes which falls on something at the origin [m].
fn height_on(set_up: impl FnOnce(&mut App)) -> f32 {
    let mut app = app();
    set_up(&mut app);
    let mesh = add_mesh(&mut app, sheet(6, 0.3));
    let cloth = (Mesh3d(mesh), Cloth::default().with("friction=1"), Transform::from_xyz(0.0, 1.4, 0.0));
    let cloth = app.world_mut().spawn(cloth).id();
    run(&mut app, 150);
    assert_eq!(faults(&mut app), []);
    positions(&app, cloth)[24].y
}

fn assert_near(height: f32, expected: f32) {
    // the cloth keeps 8 mm away
    assert!((height - expected - 0.008).abs() < 0.012, "{height}, not {expected}");
}

#[test]
fn every_shape_is_met_at_its_size() {
    let shapes: [(ClothCollider, f32); 5] = [
        (Sphere::new(1.0).into(), 1.0),
        (Capsule3d { radius: 0.5, half_length: 0.5 }.into(), 1.0),
        (Cuboid::new(1.0, 2.0, 1.0).into(), 1.0),
        (Cylinder { radius: 0.5, half_height: 1.0 }.into(), 1.0),
        (ColliderShape::HalfSpace.into(), 0.0),
    ];
    for (collider, height) in shapes {
        assert_near(height_on(|app| _ = app.world_mut().spawn(collider)), height);
    }
}

#[test]
fn a_collider_below_a_scaled_parent_is_as_large_as_it_is_drawn() {
    let height = height_on(|app| {
        let parent = app.world_mut().spawn(Transform::from_scale(Vec3::splat(2.0))).id();
        app.world_mut().spawn((ClothCollider::from(Sphere::new(0.5)), ChildOf(parent)));
    });
    assert_near(height, 1.0);
}

#[test]
fn a_round_shape_that_is_stretched_unevenly_is_met_as_it_is_drawn() {
    for shape in [ClothCollider::from(Sphere::new(0.5)), Capsule3d { radius: 0.25, half_length: 0.25 }.into()] {
        let height = height_on(|app| {
            let stretched = Transform::from_scale(Vec3::new(1.0, 2.0, 1.0));
            app.world_mut().spawn((shape, stretched));
        });
        assert_near(height, 1.0);
    }
}

#[test]
fn a_box_turned_below_an_uneven_parent_is_sheared() {
    let height = height_on(|app| {
        let parent = app.world_mut().spawn(Transform::from_scale(Vec3::new(1.0, 2.0, 1.0))).id();
        let turned = Transform::from_rotation(Quat::from_rotation_z(std::f32::consts::FRAC_PI_4));
        let side = std::f32::consts::FRAC_1_SQRT_2;
        app.world_mut().spawn((ClothCollider::from(Cuboid::new(side, side, 2.0)), turned, ChildOf(parent)));
    });
    // an edge, half a diagonal above the middle, twice as high
    assert!((0.95..1.05).contains(&height), "{height}");
}

#[test]
fn meshes_and_hulls_are_those_of_the_entity_and_may_be_mirrored() {
    for shape in [ColliderShape::Mesh, ColliderShape::Hull] {
        for scale in [Vec3::ONE, Vec3::new(-1.0, 1.0, 1.0)] {
            let height = height_on(|app| {
                let mesh = add_mesh(app, Cuboid::new(1.0, 2.0, 1.0).into());
                let collider = ClothCollider { shape: shape.clone(), ..default() };
                app.world_mut().spawn((collider, Mesh3d(mesh), Transform::from_scale(scale)));
            });
            assert_near(height, 1.0);
        }
    }
}

#[test]
fn a_collider_that_moves_takes_the_cloth_along() {
    let mut app = app();
    let floor = app.world_mut().spawn(ClothCollider::from(Cuboid::new(2.0, 1.0, 2.0))).id();
    let mesh = add_mesh(&mut app, sheet(6, 0.3));
    let cloth = (Mesh3d(mesh), Cloth::default().with("friction=1"), Transform::from_xyz(0.0, 0.52, 0.0));
    let cloth = app.world_mut().spawn(cloth).id();
    run(&mut app, 30);
    for _ in 0..60 {
        let mut transform = app.world_mut().get_mut::<Transform>(floor).expect("it has one");
        transform.translation += Vec3::new(0.002, 0.01, 0.0);
        run(&mut app, 1);
    }
    run(&mut app, 30);
    let drawn = positions(&app, cloth);
    assert!((1.09..1.13).contains(&lowest(&drawn)), "{}", lowest(&drawn));
    assert!((0.08..0.15).contains(&drawn[24].x), "friction carries it: {}", drawn[24].x);
}

#[test]
fn a_collider_that_is_despawned_is_gone() {
    let mut app = app();
    let floor = app.world_mut().spawn(ClothCollider::from(Cuboid::new(2.0, 1.0, 2.0))).id();
    let mesh = add_mesh(&mut app, sheet(3, 0.3));
    let cloth = app.world_mut().spawn((Mesh3d(mesh), Cloth::default(), Transform::from_xyz(0.0, 0.6, 0.0))).id();
    run(&mut app, 60);
    assert!(lowest(&positions(&app, cloth)) > 0.49);
    app.world_mut().despawn(floor);
    run(&mut app, 60);
    assert!(lowest(&positions(&app, cloth)) < 0.0);
}

#[test]
fn a_collider_that_cannot_be_used_is_refused_once() {
    let faults = [
        (ClothCollider::from(Sphere::new(-1.0)), "a sphere needs a positive radius"),
        (ColliderShape::Mesh.into(), "a collider of a mesh needs a Mesh3d on the same entity"),
        (ClothCollider::from(Cuboid::new(1.0, 0.0, 1.0)), "a box needs positive half extents"),
    ];
    for (collider, expected) in faults {
        let mut app = app();
        let entity = app.world_mut().spawn(collider).id();
        run(&mut app, 10);
        let told = the_fault(&mut app);
        assert_eq!((told.entity, told.fault.as_str()), (entity, expected));
    }
}
