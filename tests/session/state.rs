//! The state of a simulation: checkpoints, snapshots and recordings have all of it.

use std::collections::BTreeMap;

use serde_json::Value;
use weft::scene::{Scene, Snapshot};
use weft::session::Session;
use weft::sim::contact::SolidForce;
use weft::sim::contact::cloth::ClothContactForce;
use weft::sim::contact::{Collider, ColliderGrab, Shape};
use weft::sim::model::motion::Motion;
use weft::sim::{Grab, Path, Pin, Simulation, State, Turn, Vec3};

/// A simulation in whose state no list is empty and nothing is left out.
fn full() -> (Scene, Simulation) {
    let mut scene = Scene::load("hanging").expect("it comes with the program");
    scene.set_solver("fast-mass-spring").expect("registered");
    for (key, value) in [("columns", "6"), ("rows", "6"), ("scheme", "bdf2"), ("air", "wind")] {
        scene.set(key, value).expect("in range");
    }
    let path = Some(Path::Waypoints { points: vec![(0.0, Vec3::ZERO), (1.0, Vec3::X)], repeat: true });
    let turn = Some(Turn {
        axis: Vec3::Y,
        center: Some(Vec3::X),
        turns: vec![(0.0, 0.0), (1.0, 0.5)],
        repeat: true,
        swing: None,
    });
    let ball = Collider::new(Shape::Sphere { radius: 0.1 }, Vec3::new(0.0, -2.0, 0.0));
    let (position, rotation) = (ball.position + Vec3::X, Vec3::Y * 0.5);
    let (thickness, friction, restitution) = (Some(0.001), Some(0.3), Some(0.25));
    let (path_of_ball, turn_of_ball) = (path.clone(), turn.clone());
    let moving = Collider { path: path_of_ball, turn: turn_of_ball, edges: Some(true), ..ball };
    scene.colliders = vec![Collider { thickness, friction, restitution, ..moving }];
    let mut simulation = scene.build().expect("good");
    let origin = simulation.state.cloth.positions[7];
    simulation.state.cloth.pin(Pin { vertex: 7, origin, motion: Some(Motion { path, turn }) });
    simulation.state.grab = Some(Grab { vertex: 20, target: simulation.state.cloth.positions[20] + Vec3::Y });
    simulation.state.world.grab = Some(ColliderGrab { collider: 0, position, rotation });
    for _ in 0..4 {
        simulation.step().expect("stable");
    }
    let state = &mut simulation.state;
    // no solver has all of it at once
    (state.next_substep, state.solver.warm_start) = (Some(0.001), vec![0.5]);
    state.world.colliders[0].lag = 0.125;
    let (force, lasting, normal) = (Vec3::new(0.1, 0.2, 0.3), Vec3::new(0.1, 0.2, 0.1), Vec3::Z);
    state.contact_forces.cloth_contact = vec![ClothContactForce { vertices: [0, 1, 2, 9], first: 1, force, lasting }];
    let (vertices, weights) = ([3, 4, 5], [0.25, 0.5, 0.25]);
    let solid = SolidForce { vertices, solid: 0, feature: 2, weights, normal, force, lasting, sticks: true };
    state.contact_forces.solids = vec![solid];
    (scene, simulation)
}

/// Notes the fields below `value` in `found`, by path with `*` in place of numbers, each with a pointer to its first value
/// that is something; none if it is nothing everywhere.
fn fields(value: &Value, (path, place): (String, String), found: &mut BTreeMap<String, Option<String>>) {
    match value {
        Value::Object(entries) if !entries.is_empty() => {
            for (key, value) in entries {
                fields(value, (format!("{path}/{key}"), format!("{place}/{key}")), found);
            }
        }
        Value::Array(entries) if !entries.is_empty() => {
            for (number, value) in entries.iter().enumerate() {
                fields(value, (format!("{path}/*"), format!("{place}/{number}")), found);
            }
        }
        Value::Null | Value::Array(_) | Value::Object(_) => drop(found.entry(path).or_insert(None)),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            found.entry(path).or_insert(None).get_or_insert(place);
        }
    }
}

/// Changes a value, as little as one can.
fn perturb(value: &mut Value) {
    *value = match &*value {
        Value::Bool(is_so) => Value::from(!is_so),
        Value::Number(number) => match number.as_u64() {
            Some(whole) => Value::from(whole + 1),
            None => Value::from(number.as_f64().expect("a number").next_up()),
        },
        other => panic!("{other} is none of a state"),
    };
}

/// What the next step takes from a state: a last step that did not lead to the cloth is nothing to it.
fn of_use(state: &State) -> State {
    let mut state = state.clone();
    if state.previous.of(&state.cloth).is_none() {
        state.previous.forget();
    }
    state
}

#[test]
fn checkpoints_snapshots_and_recordings_have_every_piece_of_the_state() {
    let (scene, mut simulation) = full();
    let original = simulation.state.clone();
    let start = |scene: &Scene, simulation: &Simulation| {
        let mut copy = Simulation::resume(&simulation.checkpoint());
        copy.cancel = simulation.cancel.clone();
        Session::new(scene.clone(), copy).start()
    };
    let unchanged = (simulation.checkpoint(), Snapshot::of(&scene, &simulation), start(&scene, &simulation));
    let json = serde_json::to_value(&original).expect("numbers and lists");
    let mut all = BTreeMap::new();
    fields(&json, Default::default(), &mut all);
    assert!(all.len() > 30, "{all:?}");
    for (path, place) in &all {
        let Some(place) = place else {
            let has_more = all.iter().any(|(other, place)| other.starts_with(path) && place.is_some());
            assert!(has_more, "{path} is nothing in the state of this test, so that nothing is tried with it");
            continue;
        };
        let mut changed = json.clone();
        perturb(changed.pointer_mut(place).expect("it is there"));
        let mut state: State = serde_json::from_value(changed).unwrap_or_else(|error| panic!("{path}: {error}"));
        state.cloth.masses.clone_from(&original.cloth.masses);
        assert!(state != original, "{path} is nothing that a state compares");
        simulation.state = state.clone();

        let checkpoint = simulation.checkpoint();
        assert!(checkpoint != unchanged.0, "{path}: a checkpoint does not differ");
        assert!(Simulation::resume(&checkpoint).state == state, "{path}: a checkpoint loses it");

        let snapshot = Snapshot::of(&scene, &simulation);
        assert!(snapshot != unchanged.1, "{path}: a snapshot does not differ");
        let (text, wanted) = (snapshot.to_json(), of_use(&state));
        let restored = match Snapshot::parse(&text, "a.json") {
            Ok(read) => read.restore().expect("it was checked").1,
            Err(refused) => {
                let field = path.rsplit('/').find(|part| *part != "*").expect("it has a name");
                assert!(refused.to_string().contains(field), "{path}: {refused}");
                continue;
            }
        };
        assert!(restored.state == wanted, "{path}: a snapshot loses it");

        let start = start(&scene, &simulation);
        assert!(start != unchanged.2, "{path}: a recording does not differ");
        let session = Session::resume(&start).unwrap_or_else(|error| panic!("{path}: {error}"));
        assert!(session.simulation().state == wanted, "{path}: a recording loses it");
    }
}
