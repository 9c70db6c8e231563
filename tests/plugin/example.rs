//! The example in the documentation of the plugin: it has at most 60 lines, and does what it says.

use bevy::prelude::*;
use weft::plugin::Cloth;

use super::harness::{positions, run};

#[path = "../examples/cape.rs"]
#[allow(dead_code, reason = "`main` is for readers")]
mod cape;

#[test]
fn the_example_has_at_most_sixty_lines() {
    assert!(include_str!("../examples/cape.rs").lines().count() <= 60);
}

#[test]
fn the_cape_of_the_example_follows_the_figure_and_stays_outside_of_it() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, AssetPlugin::default(), TransformPlugin, bevy::mesh::MeshPlugin));
    app.insert_resource(bevy::time::TimeUpdateStrategy::FixedTimesteps(1));
    cape::game(&mut app);
    app.finish();
    for _ in 0..128 {
        app.update();
        app.world_mut().resource_mut::<weft::plugin::ClothSteps>().wait();
    }
    run(&mut app, 1);
    let cloth = app.world_mut().query_filtered::<Entity, With<Cloth>>().single(app.world()).expect("one cape");
    let walked = 1.4 * 128.0 / 64.0;
    let cape = positions(&app, cloth);
    let (half_length, radius) = cape::FIGURE;
    for x in &cape {
        assert!((x.z - walked).abs() < 1.6, "{x} is far from {walked}");
        let axis = Vec3::new(0.0, x.y.clamp(radius, radius + 2.0 * half_length), walked);
        assert!(x.distance(axis) > radius - 0.03, "{x} is inside of the figure at {walked}");
    }
    let middle = cape.iter().sum::<Vec3>() / cape.len() as f32;
    assert!(middle.x < -0.01, "the wind from the right blows it to the left: {middle}");
}
