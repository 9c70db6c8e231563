//! Cloths at rest sleep, and wake when something changes.

use bevy::prelude::*;
use weft::plugin::{Cloth, ClothCollider, ClothStatus, WindZone};

use super::harness::{apart, app, hanging, positions, run, status};

/// An app with a cloth that sleeps, and its holder.
fn asleep() -> (App, Entity, Entity) {
    let mut app = app();
    let (cloth, holder) = hanging(&mut app, 6, 8);
    for _ in 0..1000 {
        run(&mut app, 1);
        if status(&app, cloth) == ClothStatus::Asleep {
            return (app, cloth, holder);
        }
    }
    panic!("it does not fall asleep");
}

#[test]
fn a_cloth_at_rest_falls_asleep_and_stays_where_it_is() {
    let (mut app, cloth, _) = asleep();
    run(&mut app, 2);
    let before = positions(&app, cloth);
    run(&mut app, 100);
    assert_eq!(status(&app, cloth), ClothStatus::Asleep);
    assert_eq!(positions(&app, cloth), before);
}

#[test]
fn a_cloth_wakes_when_its_holder_moves() {
    let (mut app, cloth, holder) = asleep();
    app.world_mut().get_mut::<Transform>(holder).expect("it has one").translation.z = 0.2;
    run(&mut app, 2);
    assert_eq!(status(&app, cloth), ClothStatus::Moving);
}

#[test]
fn a_cloth_wakes_when_a_collider_comes_near() {
    let (mut app, cloth, _) = asleep();
    let before = positions(&app, cloth);
    app.world_mut().spawn((ClothCollider::from(Sphere::new(0.2)), Transform::from_xyz(0.0, -0.6, 0.15)));
    run(&mut app, 10);
    assert_eq!(status(&app, cloth), ClothStatus::Moving);
    assert!(apart(&positions(&app, cloth), &before) > 1e-3);
}

#[test]
fn a_cloth_wakes_when_wind_comes_up_or_a_setting_changes() {
    let (mut app, cloth, _) = asleep();
    let wind = app.world_mut().spawn(WindZone::default()).id();
    run(&mut app, 10);
    assert_eq!(status(&app, cloth), ClothStatus::Moving);
    app.world_mut().despawn(wind);
    let (mut app, cloth, _) = asleep();
    app.world_mut().get_mut::<Cloth>(cloth).expect("it is one").settings.push("gravity=1.6".to_owned());
    run(&mut app, 2);
    assert_eq!(status(&app, cloth), ClothStatus::Moving);
}

#[test]
fn a_cloth_with_a_sleep_speed_of_zero_never_sleeps() {
    let mut app = app();
    let (cloth, _) = hanging(&mut app, 3, 3);
    app.world_mut().get_mut::<Cloth>(cloth).expect("it is one").sleep_speed = 0.0;
    run(&mut app, 1);
    for _ in 0..600 {
        run(&mut app, 1);
        assert_eq!(status(&app, cloth), ClothStatus::Moving);
    }
}
