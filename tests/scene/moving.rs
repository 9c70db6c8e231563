//! The scenes in which colliders move, or cloth is pulled over them: no intersection, no shreds, and what there is to see is seen.

use weft::scene::Scene;
use weft::sim::contact::{Intersections, Solid};
use weft::sim::{Real, Simulation, Vec3};

/// Runs a scene of its own size for `steps` steps and checks each; returns it with the largest stretch of a thread.
pub fn run(name: &str, steps: usize) -> (Simulation, Real) {
    let scene = Scene::load(name).expect("it comes with the program");
    assert!(scene.camera.is_some() && !scene.title.is_empty() && scene.summary.ends_with('.'), "{name}");
    let mut simulation = scene.build().expect("good");
    let largest = go_on(name, &mut simulation, steps);
    (simulation, largest)
}

/// Goes on with the run of a scene for `steps` steps and checks each; returns the largest stretch of a thread.
pub fn go_on(name: &str, simulation: &mut Simulation, steps: usize) -> Real {
    let mut search = Intersections::default();
    let mut largest: Real = 0.0;
    for _ in 0..steps {
        let step = simulation.steps();
        simulation.step().unwrap_or_else(|error| panic!("{name}, step {step}: {error}"));
        let found = search.find(simulation.pattern(), &simulation.state.cloth.positions).len();
        assert_eq!(found, 0, "{name}, step {step}: pairs of triangles that intersect");
        largest = largest.max(simulation.largest_stretch());
        if step % 10 == 9 {
            assert_outside(simulation, name, step);
        }
    }
    largest
}

/// No free vertex is inside a collider.
fn assert_outside(simulation: &Simulation, name: &str, step: u64) {
    for collider in &simulation.state.world.colliders {
        let mut there = collider.clone();
        (there.position, there.rotation) = collider.place(simulation.time());
        (there.path, there.turn) = (None, None);
        let solid = Solid::new(&there, simulation.parameters.contact.thickness);
        for (vertex, x) in simulation.state.cloth.positions.iter().enumerate() {
            let inside = solid.nearest(*x).is_some_and(|surface| surface.distance < -1e-4);
            let held = simulation.state.cloth.pin_of(vertex as u32).is_some();
            assert!(held || !inside, "{name}, step {step}: vertex {vertex} is inside a {:?}", collider.shape);
        }
    }
}

#[test]
fn a_skirt_follows_the_body_that_wears_it_and_swings_out_as_that_turns() {
    let still = Scene::load("skirt").expect("there").build().expect("good");
    let radius = |simulation: &Simulation| {
        let axis = simulation
            .state
            .cloth
            .pins()
            .iter()
            .map(|pin| simulation.state.cloth.positions[pin.vertex as usize])
            .sum::<Vec3>()
            / simulation.state.cloth.pins().len() as Real;
        let reach = simulation.state.cloth.positions.iter().map(|x| (*x - axis).with_y(0.0).length());
        reach.fold(0.0, Real::max)
    };
    assert!((0.3..0.4).contains(&radius(&still)));
    let (simulation, largest) = run("skirt", 300);
    assert!(largest < 0.1, "stretched by {largest}");
    assert!(radius(&simulation) < 0.45);
}

#[test]
fn a_spinning_ball_takes_the_cloth_along_and_winds_it_up() {
    let (simulation, largest) = run("turntable", 270);
    assert!(largest < 0.3, "stretched by {largest}");
    // the ball has turned by three quarters; the middle of the cloth goes with it, the corners on the floor do not
    let x = &simulation.state.cloth.positions;
    let turned = |near: usize, far: usize| {
        let across = (x[far] - x[near]).with_y(0.0);
        across.z.atan2(across.x).abs()
    };
    let middle = turned(20 * 41 + 18, 20 * 41 + 22);
    let border = turned(20 * 41, 20 * 41 + 40);
    assert!((middle - border).abs() > 0.2, "the middle has turned by {middle}, the border by {border}");
}

#[test]
fn a_table_cloth_is_pulled_from_under_what_stands_on_it_fast_and_slowly() {
    for (name, steps, from) in [("tablecloth-fast", 140, 0.4), ("tablecloth-slow", 300, -0.2)] {
        let (simulation, largest) = run(name, steps);
        // by less than 0.15, but for a step in which its border falls off the table
        assert!(largest < 0.3, "{name}: stretched by {largest}");
        let left = simulation.state.cloth.positions.iter().map(|x| x.x).fold(Real::INFINITY, Real::min);
        assert!(left > from, "{name}: it has not come along, its border is at {left}");
    }
}
