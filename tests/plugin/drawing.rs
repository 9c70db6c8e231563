//! What is written into meshes, and when.

use std::time::Duration;

use bevy::mesh::VertexAttributeValues;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use weft::plugin::{Cloth, ClothPins};

use super::harness::{add_mesh, apart, app, hanging, lowest, mesh_of, positions, run, sheet, vectors};

#[test]
fn a_grid_hangs_from_its_pins() {
    let mut app = app();
    let (cloth, _) = hanging(&mut app, 9, 9);
    run(&mut app, 128);
    let drawn = positions(&app, cloth);
    assert_eq!(drawn.len(), 81);
    for (column, x) in drawn[..9].iter().enumerate() {
        assert!(x.distance(Vec3::X * (column as f32 / 8.0 - 0.5)) < 1e-5, "{x}");
    }
    assert!((-1.1..-0.98).contains(&lowest(&drawn)), "{}", lowest(&drawn));
}

#[test]
fn positions_and_normals_are_written_and_everything_else_of_a_mesh_stays() {
    let mut app = app();
    let mesh = sheet(6, 1.0);
    let texture = mesh.attribute(Mesh::ATTRIBUTE_UV_0).cloned();
    let indices = mesh.indices().map(|indices| indices.iter().collect::<Vec<_>>());
    let mesh = add_mesh(&mut app, mesh);
    let cloth = app.world_mut().spawn((Mesh3d(mesh), Cloth::default(), Transform::from_xyz(0.0, 5.0, 0.0))).id();
    run(&mut app, 33);
    let drawn = mesh_of(&app, cloth);
    let of = |values: Option<&VertexAttributeValues>| values.map(|values| values.get_bytes().to_vec());
    assert_eq!(of(drawn.attribute(Mesh::ATTRIBUTE_UV_0)), of(texture.as_ref()));
    assert_eq!(drawn.indices().map(|indices| indices.iter().collect::<Vec<_>>()), indices);
    // half a second of fall, slowed by the air
    let fallen = 5.0 - lowest(&positions(&app, cloth));
    assert!((0.3..1.23).contains(&fallen), "{fallen}");
    assert!(vectors(&app, cloth, Mesh::ATTRIBUTE_NORMAL).iter().all(|n| n.y > 0.9));
}

#[test]
fn cloths_that_share_a_mesh_move_apart_and_leave_the_mesh_as_it_is() {
    let mut app = app();
    let mesh = add_mesh(&mut app, sheet(3, 1.0));
    let cloths = [0.0, 3.0].map(|x| {
        app.world_mut().spawn((Mesh3d(mesh.clone()), Cloth::default(), Transform::from_xyz(x, 0.0, 0.0))).id()
    });
    run(&mut app, 20);
    let [a, b] = cloths.map(|cloth| positions(&app, cloth));
    let moved: Vec<Vec3> = a.iter().map(|x| *x + Vec3::X * 3.0).collect();
    assert!(apart(&moved, &b) < 1e-4, "{}", apart(&moved, &b));
    let kept = app.world().resource::<Assets<Mesh>>().get(&mesh).expect("it is kept");
    let Some(VertexAttributeValues::Float32x3(kept)) = kept.attribute(Mesh::ATTRIBUTE_POSITION) else { panic!() };
    assert!(kept.iter().all(|x| x[1] == 0.0));
}

#[test]
fn vertices_at_the_same_place_stay_together() {
    let mut app = app();
    // every triangle with its own vertices
    let mesh = add_mesh(&mut app, sheet(4, 1.0).with_duplicated_vertices());
    let holder = app.world_mut().spawn(Transform::default()).id();
    let pins = ClothPins::numbers([0], holder);
    let cloth = app.world_mut().spawn((Mesh3d(mesh), Cloth::default(), pins)).id();
    let before = {
        run(&mut app, 1);
        positions(&app, cloth)
    };
    run(&mut app, 40);
    let after = positions(&app, cloth);
    assert_eq!(after.len(), 96);
    assert!(lowest(&after) < -0.3);
    for i in 0..after.len() {
        for j in 0..i {
            if before[i] == before[j] {
                assert_eq!(after[i], after[j], "{i} and {j}");
            }
        }
    }
}

#[test]
fn between_two_ticks_the_cloth_is_drawn_between_two_states() {
    let mut app = app();
    let cloth = app.world_mut().spawn(Cloth::grid(3, 3, 1.0, 1.0)).id();
    run(&mut app, 10);
    let tick = app.world().resource::<Time<Fixed>>().timestep();
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO));
    app.update();
    let before = positions(&app, cloth);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(tick / 2));
    app.update();
    let between = positions(&app, cloth);
    app.update();
    let after = positions(&app, cloth);
    assert!(apart(&before, &after) > 1e-5, "it moves");
    let middle: Vec<Vec3> = before.iter().zip(&after).map(|(a, b)| a.midpoint(*b)).collect();
    assert!(apart(&between, &middle) < 1e-5, "{}", apart(&between, &middle));
}

#[test]
fn the_mesh_of_a_hidden_cloth_is_left_alone_and_the_cloth_moves_on() {
    let mut app = app();
    let (seen, _) = hanging(&mut app, 3, 3);
    let (hidden, _) = hanging(&mut app, 3, 3);
    app.world_mut().entity_mut(hidden).insert(Visibility::Hidden);
    run(&mut app, 10);
    let shown = positions(&app, hidden);
    assert!(apart(&shown, &positions(&app, seen)) > 1e-4);
    run(&mut app, 10);
    assert_eq!(positions(&app, hidden), shown);
    app.world_mut().entity_mut(hidden).insert(Visibility::Visible);
    run(&mut app, 1);
    assert_eq!(positions(&app, hidden), positions(&app, seen));
}

#[test]
fn runs_that_wait_have_the_same_bits() {
    let end = || {
        let mut app = app();
        let (cloth, _) = hanging(&mut app, 8, 11);
        run(&mut app, 60);
        positions(&app, cloth)
    };
    assert_eq!(end(), end());
}
