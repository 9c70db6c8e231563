//! Wind zones.

use bevy::prelude::*;
use weft::plugin::WindZone;

use super::harness::{app, hanging, positions, run};

/// How far the lower edge of a cloth is blown along z [m].
fn blown(zones: &[(WindZone, Transform)]) -> f32 {
    let mut app = app();
    for (zone, transform) in zones {
        app.world_mut().spawn((zone.clone(), *transform));
    }
    let (cloth, _) = hanging(&mut app, 6, 6);
    run(&mut app, 100);
    positions(&app, cloth)[30..].iter().map(|x| x.z).sum::<f32>() / 6.0
}

fn steady(speed: f32) -> WindZone {
    WindZone { speed, gusts: 0.0, ..default() }
}

#[test]
fn wind_blows_along_the_forward_direction_of_its_entity() {
    let ahead = blown(&[(steady(4.0), Transform::default())]);
    let back = blown(&[(steady(4.0), Transform::default().looking_to(Vec3::Z, Vec3::Y))]);
    assert!(ahead < -0.1 && (ahead + back).abs() < 0.02, "{ahead} and {back}");
}

#[test]
fn winds_add_up_and_end_at_their_reach() {
    let against = Transform::default().looking_to(Vec3::Z, Vec3::Y);
    let both = blown(&[(steady(4.0), Transform::default()), (steady(4.0), against)]);
    assert!(both.abs() < 1e-3, "{both}");
    let near = WindZone { reach: 2.0, ..steady(4.0) };
    let far = blown(&[(near.clone(), Transform::from_xyz(3.0, 0.0, 0.0))]);
    let within = blown(&[(near, Transform::from_xyz(0.5, 0.0, 0.0))]);
    assert!(far.abs() < 1e-3 && within < -0.1, "{far} and {within}");
}
