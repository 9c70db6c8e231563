//! One coefficient of friction means the same with every solver that moves a cloth as a whole.

use weft::scene::Scene;
use weft::sim::solver_interface::{Group, Info, Stability};
use weft::sim::solvers;
use weft::sim::{Simulation, Vec3};

/// Solvers that hold at any step, and with which a cloth falls as it should.
fn whole() -> impl Iterator<Item = &'static Info> {
    let known = solvers::REGISTRY.iter().map(|entry| entry.info);
    known.filter(|info| info.keeps.free_fall && matches!(info.stability, Stability::Seen(_) | Stability::Proven(_)))
}

#[test]
fn a_cloth_stays_on_a_flat_slope_and_slides_down_a_steep_one_as_coulomb_says() {
    for info in whole() {
        let way = |degrees: f64, friction: f64| {
            let (sin, cos) = degrees.to_radians().sin_cos();
            let text = format!(
                "(grid: (columns: 21, rows: 21, width: 0.4, height: 0.4, plane: flat), rotation: (0, 0, {}), position: \
                 ({}, {}, 0), pins: none, contact: (thickness: 0.005, friction: {friction}, ground: false), colliders: \
                 [(shape: Plane(normal: ({sin}, {cos}, 0)), friction: {friction})])",
                -degrees.to_radians(),
                0.005 * sin,
                0.005 * cos,
            );
            let mut scene = Scene::parse(&text, "slope.ron").unwrap_or_else(|error| panic!("{error}"));
            scene.set_solver(info.id).expect("registered");
            let mut simulation = scene.build().expect("good");
            let middle = |simulation: &Simulation| {
                let positions = &simulation.state.cloth.positions;
                positions.iter().sum::<Vec3>() / positions.len() as f64
            };
            let start = middle(&simulation);
            for _ in 0..60 {
                simulation.step().expect("stable");
            }
            (middle(&simulation) - start).dot(Vec3::new(cos, -sin, 0.0))
        };
        let stays = way(15.0, 0.5);
        assert!(stays.abs() < 5e-4, "{}: {stays} m", info.id);
        let (sin, cos) = 35_f64.to_radians().sin_cos();
        let fall = 0.5 * 9.8 * (sin - 0.4 * cos);
        let slides = way(35.0, 0.4);
        assert!((slides - fall).abs() < 0.04 * fall, "{}: {slides} m, not {fall}", info.id);
    }
}

#[test]
fn a_cloth_that_swings_over_a_ball_stays_there_with_the_same_friction() {
    // with the approximate ones it has not swung down by then
    for info in whole().filter(|info| info.group != Group::ApproximateImplicit) {
        let stays = |friction: &str, substeps: &str| {
            let text = "(grid: (columns: 16, rows: 16, width: 0.8, height: 0.8, plane: flat), position: (0, 2, 0), pins: \
                        left_edge, colliders: [(shape: Sphere(radius: 0.15), position: (0.1, 1.55, 0))])";
            let mut scene = Scene::parse(text, "ball.ron").unwrap_or_else(|error| panic!("{error}"));
            scene.set_solver(info.id).expect("registered");
            scene.set("friction", friction).expect("in range");
            scene.set("substeps", substeps).expect("in range");
            let mut simulation = scene.build().expect("good");
            for _ in 0..60 {
                simulation.step().expect("stable");
            }
            let farthest = simulation.state.cloth.positions.iter().map(|x| x.x).fold(f64::MIN, f64::max);
            println!("{}, {friction}, {substeps} substeps: {farthest:.2} m", info.id);
            farthest > 0.1
        };
        // in long steps the motion is slower, and less holds it
        for (slides, holds, substeps) in [("0.1", "1.0", "1"), ("0.4", "1.0", "4")] {
            assert!(!stays(slides, substeps), "{}: {slides} holds it with {substeps} substeps", info.id);
            assert!(stays(holds, substeps), "{}: {holds} does not hold it with {substeps} substeps", info.id);
        }
    }
}
