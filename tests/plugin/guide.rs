//! The code of the guide, which is the code below.

#[rustfmt::skip]
mod code {
// the guide begins here
use bevy::prelude::*;
use weft::plugin::*;

fn add_cloth(app: &mut App) {
    app.add_plugins(WeftPlugin::default())
        .add_systems(Startup, hang_a_flag)
        .add_systems(FixedUpdate, slow_down_far_cloths.before(WeftSystems::Step))
        .add_systems(Update, report);
}

fn hang_a_flag(mut commands: Commands) {
    let pole = commands.spawn(Transform::from_xyz(0.0, 3.0, 0.0)).id();
    // 30 × 20 vertices over 1.5 m × 1 m, of silk, held at the left edge
    let flag = Cloth::grid(30, 20, 1.5, 1.0).of("silk").with("self_contact=true");
    let edge = (0..20).map(|row| 30 * row);
    commands.spawn((flag, ClothPins::numbers(edge, pole), Transform::from_xyz(0.75, 3.0, 0.0)));
    commands.spawn(ClothCollider::from(Sphere::new(0.3)));
    commands.spawn((WindZone { speed: 6.0, ..default() }, Transform::default().looking_to(Vec3::X, Vec3::Y)));
}

fn slow_down_far_cloths(
    camera: Query<&GlobalTransform, With<Camera>>,
    mut cloths: Query<(&GlobalTransform, &mut ClothInterval)>,
) {
    let Ok(camera) = camera.single() else { return };
    for (place, mut interval) in &mut cloths {
        let distance = place.translation().distance(camera.translation());
        interval.set_if_neq(ClothInterval(if distance > 30.0 { 4 } else { 1 }));
    }
}

fn report(mut torn: MessageReader<ClothTorn>, mut refused: MessageReader<ClothRefused>) {
    for ClothTorn { cloth, vertices } in torn.read() {
        println!("{cloth} has torn at {vertices} vertices");
    }
    for ClothRefused { entity, fault } in refused.read() {
        println!("{entity}: {fault}");
    }
}
// and ends here

pub fn game(app: &mut App) {
    add_cloth(app);
}
}

use bevy::prelude::*;
use weft::plugin::Cloth;

use super::harness::{app_with, faults, positions, run, wait};

#[test]
fn the_code_of_the_guide_is_the_code_that_is_tested_here() {
    let own = include_str!("guide.rs");
    let (_, own) = own.split_once("// the guide begins here\n").expect("it does");
    let (own, _) = own.split_once("// and ends here").expect("it does");
    let guide = include_str!("../../src/guide.md");
    let (_, chapter) = guide.split_once("## In a Bevy game").expect("the guide has the chapter");
    let (_, code) = chapter.split_once("```rust,ignore\n").expect("it has code");
    let (code, _) = code.split_once("```").expect("it ends");
    assert_eq!(code, own);
}

#[test]
fn the_flag_of_the_guide_waves() {
    let mut app = app_with(default_plugin());
    run(&mut app, 3);
    let cloth = app.world_mut().query_filtered::<Entity, With<Cloth>>().single(app.world()).expect("one flag");
    for _ in 0..60 {
        run(&mut app, 1);
        wait(&mut app);
    }
    let flag = positions(&app, cloth);
    let depth = flag.iter().map(|x| x.z).fold(0.0_f32, |most, z| most.max(z.abs()));
    assert!(depth > 0.01 && flag.iter().all(|x| x.x > -0.1 && x.y > 1.0), "{depth}");
    assert_eq!(faults(&mut app), []);
}

/// The plugins of the guide, in the place of the one of a test.
fn default_plugin() -> impl Plugin {
    code::game
}
