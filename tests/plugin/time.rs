//! Ticks: their rate, pauses, cloths that step less often, and steps that are late.

use std::time::Duration;

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use weft::plugin::{Cloth, ClothInterval, ClothSteps, ClothTooSlow, WeftPlugin};

use super::harness::{apart, app, app_with, hanging, lowest, messages, positions, run, wait};

/// A cloth that falls in a vacuum.
fn falling(app: &mut App) -> Entity {
    app.world_mut().spawn(Cloth::grid(3, 3, 0.2, 0.2).with("air=vacuum")).id()
}

#[test]
fn a_cloth_steps_at_the_rate_of_fixed_time() {
    for hertz in [30.0, 64.0, 120.0] {
        let mut app = app();
        app.insert_resource(Time::<Fixed>::from_hz(hertz));
        let cloth = falling(&mut app);
        // one tick to begin, and what is drawn is a tick late
        run(&mut app, hertz as u32 + 2);
        let fallen = -0.2 - lowest(&positions(&app, cloth));
        let step = 1.0 / hertz as f32;
        // implicit Euler falls by g dt/2 per second more than a stone
        let expected = 0.5 * 9.81 * (1.0 + step);
        assert!((fallen - expected).abs() < 2.1 * 9.81 * step, "{fallen} at {hertz} Hz, not {expected}");
    }
}

#[test]
fn nothing_moves_while_virtual_time_is_paused_or_has_no_speed() {
    for pause in [|time: &mut Time<Virtual>| time.pause(), |time: &mut Time<Virtual>| time.set_relative_speed(0.0)] {
        let mut app = app();
        let tick = app.world().resource::<Time<Fixed>>().timestep();
        app.insert_resource(TimeUpdateStrategy::ManualDuration(tick));
        let cloth = falling(&mut app);
        run(&mut app, 10);
        pause(&mut app.world_mut().resource_mut::<Time<Virtual>>());
        run(&mut app, 1);
        let before = positions(&app, cloth);
        run(&mut app, 20);
        assert_eq!(positions(&app, cloth), before);
        let mut time = app.world_mut().resource_mut::<Time<Virtual>>();
        time.unpause();
        time.set_relative_speed(1.0);
        run(&mut app, 10);
        assert!(apart(&positions(&app, cloth), &before) > 1e-5, "it moves on");
    }
}

#[test]
fn a_cloth_steps_less_often_by_a_rule_of_the_game() {
    let mut app = app();
    app.add_systems(FixedUpdate, |mut cloths: Query<(&GlobalTransform, &mut ClothInterval)>| {
        for (place, mut interval) in &mut cloths {
            interval.set_if_neq(ClothInterval(if place.translation().x > 50.0 { 4 } else { 1 }));
        }
    });
    let [near, far] = [0.0, 100.0].map(|x| {
        let cloth = falling(&mut app);
        app.world_mut().entity_mut(cloth).insert(Transform::from_xyz(x, 0.0, 0.0));
        cloth
    });
    run(&mut app, 10);
    let (mut before, mut moved) = (lowest(&positions(&app, far)), Vec::new());
    for _ in 0..40 {
        app.update();
        let now = lowest(&positions(&app, far));
        moved.push(before - now);
        before = now;
    }
    // four pictures in a row are on the same straight way between two states
    let is_even = |way: &[f32]| way.windows(2).all(|pair| (pair[0] - pair[1]).abs() < 2e-4);
    assert!(
        moved.chunks(4).skip(1).filter(|way| is_even(way)).count() >= 8
            || (0..4).any(|shift| { moved[shift..].chunks_exact(4).all(is_even) }),
        "{moved:?}"
    );
    let [near, far] = [near, far].map(|cloth| lowest(&positions(&app, cloth)));
    assert!((near - far).abs() < 0.2 * near.abs(), "both fall as far: {near} and {far}");
}

#[test]
fn a_picture_does_not_wait_for_a_step_and_late_ones_are_told() {
    let mut app = app_with(WeftPlugin::default());
    hanging(&mut app, 150, 150);
    let mut told: Vec<ClothTooSlow> = Vec::new();
    for _ in 0..10_000 {
        app.update();
        told.extend(messages::<ClothTooSlow>(&mut app));
        if !told.is_empty() {
            break;
        }
    }
    assert_eq!(told.first().map(|late| late.ticks), Some(1));
    wait(&mut app);
    assert_eq!(app.world_mut().resource_mut::<ClothSteps>().under_way(), 0);
}

#[test]
fn the_step_after_a_late_one_makes_up_for_it() {
    let mut app = app_with(WeftPlugin::default());
    let cloth = falling(&mut app);
    let tick = app.world().resource::<Time<Fixed>>().timestep();
    for _ in 0..64 {
        // four ticks in one picture: the steps of three may be late, which is not slow
        app.insert_resource(TimeUpdateStrategy::ManualDuration(4 * tick));
        app.update();
        wait(&mut app);
        assert_eq!(messages::<ClothTooSlow>(&mut app), []);
    }
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO));
    app.update();
    // four seconds, less at most two pictures
    let fallen = -0.2 - lowest(&positions(&app, cloth));
    let of = |seconds: f32| 0.5 * 9.81 * seconds * seconds;
    assert!(fallen > of(4.0 - 10.0 / 64.0) && fallen < of(4.2), "{fallen}");
}
