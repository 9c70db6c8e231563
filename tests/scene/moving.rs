//! The scenes in which colliders move, or cloth is pulled over them: no intersection, no shreds, and what there is to see is seen.

use weft::scene::Scene;
use weft::sim::contact::{Intersections, Shape, Solid};
use weft::sim::{Quat, Real, Simulation, Vec3};

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

/// A collider of the scene by its name, with its middle at a time [s] and how it is turned about z
/// then [rad].
fn limb(simulation: &Simulation, name: &str, time: Real) -> (Vec3, Real) {
    let limb = simulation.state.world.colliders.iter().find(|collider| collider.name == name);
    let (middle, rotation) = limb.unwrap_or_else(|| panic!("no {name}")).place(time);
    (middle, rotation.z)
}

#[test]
fn the_figure_with_the_cape_walks_closed_at_its_joints_and_soft_from_the_start() {
    let simulation = Scene::load("cape").expect("there").build().expect("good");
    // the end of a limb on its axis, above or below its middle
    let end = |name: &str, side: Real, time: Real| {
        let collider = simulation.state.world.colliders.iter().find(|collider| collider.name == name).expect("there");
        let Shape::Capsule { half_height, .. } = collider.shape else { panic!("{name} is no capsule") };
        let (middle, rotation) = collider.place(time);
        middle + Quat::from_scaled_axis(rotation) * Vec3::new(0.0, side * half_height, 0.0)
    };
    let times = || (0..=120).map(|at| Real::from(at) / 60.0);
    for side in ["right", "left"] {
        let of = |part: &str| format!("{side} {part}");
        for time in times() {
            let knee = end(&of("thigh"), -1.0, time).distance(end(&of("shin"), 1.0, time));
            let elbow = end(&of("upper arm"), -1.0, time).distance(end(&of("forearm"), 1.0, time));
            assert!(knee < 0.005 && elbow < 0.001, "{side}, {time} s: knee {knee} m, elbow {elbow} m");
            // on its own way
            let (hip, torso) = (end(&of("thigh"), 1.0, time), limb(&simulation, "torso", time).0);
            assert!((torso - hip - (limb(&simulation, "torso", 0.0).0 - end(&of("thigh"), 1.0, 0.0))).length() < 1e-4);
            // knees bend backwards alone
            let bend = limb(&simulation, &of("thigh"), time).1 - limb(&simulation, &of("shin"), time).1;
            assert!((0.0..1.2).contains(&bend), "{side}, {time} s: the knee is bent by {bend} rad");
            // an arm swings against the leg of its side
            let [arm, leg] = ["upper arm", "thigh"].map(|part| limb(&simulation, &of(part), time).1);
            assert!(arm * leg < 0.01, "{side}, {time} s: arm {arm} rad, leg {leg} rad");
        }
        let bends = times().map(|t| limb(&simulation, &of("thigh"), t).1 - limb(&simulation, &of("shin"), t).1);
        assert!(bends.fold(0.0, Real::max) > 0.8);
    }
    // the right leg is where the left one was half a pace before
    let [right, left] = [("right thigh", 0.25), ("left thigh", 0.75)].map(|(of, time)| limb(&simulation, of, time).1);
    assert!((right - left).abs() < 1e-4);
    // a foot is on the floor at any time, up to a centimetre, and none of what holds the cape starts with a jerk
    for time in times() {
        let feet = ["right foot", "left foot"].map(|foot| end(foot, 1.0, time).y.min(end(foot, -1.0, time).y) - 0.036);
        assert!(feet[0].min(feet[1]).abs() < 0.02, "{time} s: feet at {feet:?} m");
    }
    for name in ["torso", "shoulders", "right thigh", "left upper arm"] {
        let [a, b] = [0.0, 1.0 / 60.0].map(|time| limb(&simulation, name, time));
        assert!(a.0.distance(b.0) < 0.003 && (a.1 - b.1).abs() < 0.005, "{name}");
    }
}

#[test]
fn a_cape_flies_behind_a_figure_that_walks_on_the_spot() {
    let (mut simulation, mut largest) = run("cape", 60);
    assert_eq!(simulation.parameters.timing.time_step, 1.0 / 60.0);
    // the wind blows towards -x, where its back is
    let air = simulation.parameters.air;
    assert!(air.wind_speed >= 2.0 && air.wind_azimuth.cos() < -0.99);
    let feet = |time: Real| ["right foot", "left foot"].map(|foot| limb(&simulation, foot, time).0.x);
    assert!(feet(1.0)[0] - feet(1.5)[0] > 0.4 && feet(1.5)[1] - feet(1.0)[1] > 0.4, "both legs step");
    assert!(limb(&simulation, "torso", 0.3).0.with_y(0.0).length() < 1e-9, "on the spot");
    for _ in 0..8 {
        largest = largest.max(go_on("cape", &mut simulation, 60));
        let x = &simulation.state.cloth.positions;
        // the hem is the last row
        let hem = x[x.len() - 25..].iter().sum::<Vec3>() / 25.0;
        assert!(hem.x < -0.35 && (0.4..1.2).contains(&hem.y), "{} s: the hem is at {hem}", simulation.time());
    }
    assert!(largest < 0.05, "stretched by {largest}");
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
