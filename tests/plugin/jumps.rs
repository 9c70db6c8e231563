//! Teleports: a jump is no velocity.

use bevy::prelude::*;
use weft::plugin::{Cloth, ClothCollider, ClothInterval, ClothPins};

use super::harness::{add_mesh, apart, app, hanging, lowest, positions, run, sheet};

#[test]
fn a_cloth_goes_along_when_its_holder_is_put_elsewhere() {
    for interval in [1, 3] {
        let mut app = app();
        let ways = [false, true].map(|_| hanging(&mut app, 8, 8));
        for (cloth, _) in ways {
            app.world_mut().entity_mut(cloth).insert(ClothInterval(interval));
        }
        run(&mut app, 30);
        let there = Transform::from_xyz(500.0, 30.0, -20.0).with_rotation(Quat::from_rotation_y(2.0));
        app.world_mut().entity_mut(ways[1].1).insert(there);
        for tick in 0..60 {
            run(&mut app, 1);
            let [still, moved] = ways.map(|(cloth, _)| positions(&app, cloth));
            let expected: Vec<Vec3> = still.iter().map(|x| there.transform_point(*x)).collect();
            // what turns with the cloth is all but gravity, which is vertical, and the air, which is still
            assert!(apart(&expected, &moved) < 5e-3, "tick {tick}: {}", apart(&expected, &moved));
        }
    }
}

#[test]
fn a_cloth_without_pins_goes_along_when_its_own_entity_is_put_elsewhere() {
    let mut app = app();
    let mesh = add_mesh(&mut app, sheet(3, 0.5));
    let cloth = app.world_mut().spawn((Mesh3d(mesh), Cloth::default())).id();
    run(&mut app, 20);
    let before = lowest(&positions(&app, cloth));
    app.world_mut().get_mut::<Transform>(cloth).expect("it has one").translation.y = 100.0;
    run(&mut app, 3);
    let after = lowest(&positions(&app, cloth));
    assert!((after - 100.0 - before).abs() < 0.3, "{before} and {after}");
    assert!(after < 100.0 + before, "it falls on");
}

#[test]
fn a_collider_that_is_put_into_a_cloth_does_not_fling_it() {
    let mut app = app();
    let ball =
        app.world_mut().spawn((ClothCollider::from(Sphere::new(0.2)), Transform::from_xyz(-40.0, 0.0, 0.0))).id();
    let (cloth, _) = hanging(&mut app, 10, 10);
    run(&mut app, 60);
    app.world_mut().entity_mut(ball).insert(Transform::from_xyz(0.0, -0.6, 0.05));
    let mut before = positions(&app, cloth);
    for _ in 0..60 {
        run(&mut app, 1);
        let after = positions(&app, cloth);
        // far from the 2500 m/s of the ball
        assert!(apart(&before, &after) * 64.0 < 30.0, "{} m/s", apart(&before, &after) * 64.0);
        before = after;
    }
}

#[test]
fn what_is_slower_than_the_jump_speed_of_a_cloth_pulls_it() {
    let mut app = app();
    let holder = app.world_mut().spawn(Transform::default()).id();
    let slow = Cloth { jump_speed: 500.0, ..Cloth::grid(4, 4, 0.3, 0.3) };
    let cloth = app.world_mut().spawn((slow, ClothPins::numbers(0..4, holder))).id();
    run(&mut app, 30);
    // 64 m/s, beyond the jump speed of other cloths
    app.world_mut().get_mut::<Transform>(holder).expect("it has one").translation.x = 1.0;
    run(&mut app, 4);
    let drawn = positions(&app, cloth);
    let still: Vec<Vec3> =
        (0..16).map(|i| Vec3::new(0.85 + 0.1 * (i % 4) as f32, -0.1 * (i / 4) as f32, 0.0)).collect();
    assert!(apart(&drawn, &still) > 0.03, "the cloth is shaken: {drawn:?}");
}
