//! What commands do.

use weft::scene::{Scalar, Scene};
use weft::session::{Command, CutHit, Frame, Keeping, LaneState, Session, Stamped};
use weft::sim::contact::{Collider, Shape};
use weft::sim::forces::air::AirMode;
use weft::sim::{Real, StepError, Vec3};

use crate::mends::substeps_that_hold;

fn session(scene: &str) -> Session {
    let scene = Scene::load(scene).expect("it comes with the program");
    let simulation = scene.build().expect("good");
    Session::new(scene, simulation)
}

fn advance(session: &mut Session, ticks: usize) {
    for _ in 0..ticks {
        session.tick().expect("it holds");
    }
}

fn set(session: &mut Session, key: &str, value: Scalar) {
    session.apply(Command::Set { key: key.to_owned(), value });
    assert_eq!(session.message(), None, "{key}");
}

fn solver(session: &mut Session, id: &str) {
    session.apply(Command::Solver { id: id.to_owned() });
}

fn open(session: &mut Session, file: &str) {
    session.apply(Command::Open { file: file.to_owned() });
}

fn displayed(frame: &Frame, fraction: Real) -> Vec<Vec3> {
    let time = frame.time - (1.0 - fraction) * (frame.time - frame.previous_time);
    LaneState::from(frame).positions_at(time).into_owned()
}

/// A stroke from corner to corner along a row of a 30 × 30 grid.
fn cut_row(session: &mut Session, row: usize) {
    let pattern = session.simulation().pattern();
    let in_row = |triangle: &[u32; 3]| triangle.iter().all(|&v| (row..=row + 1).contains(&(v as usize / 30)));
    let of_row = (0_u32..).zip(pattern.triangles()).filter(|(_, triangle)| in_row(triangle));
    let on_edge = |triangle: &[u32; 3]| triangle.map(|v| if v as usize / 30 == row { 1.0 } else { 0.0 });
    let hits: Vec<Option<CutHit>> = of_row
        .filter(|(_, triangle)| on_edge(triangle).iter().sum::<f64>() == 2.0)
        .map(|(triangle, corners)| Some(CutHit { triangle, weights: on_edge(corners).map(|w| 0.5 * w) }))
        .collect();
    let beside = vec![None];
    session.apply(Command::Cut { begin: true, hits: [beside.clone(), hits, beside].concat() });
}

#[test]
fn a_dropped_mesh_becomes_the_cloth_and_a_broken_one_changes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("written");
        path.to_string_lossy().into_owned()
    };
    let mut session = session("hanging");
    open(&mut session, &file("good.obj", "v 0 0 0\nv 1 0 0\nv 0 0 1\nv 1 0 1\nf 1 2 4 3\n"));
    assert_eq!((session.simulation().state.cloth.len(), session.message()), (4, None));
    let generation = session.frame(0).generation;
    advance(&mut session, 1);

    open(&mut session, &file("bad.obj", "v 0 0\n"));
    let message = session.message().expect("a message");
    assert!(message.contains("bad.obj, line 1"), "{message}");
    open(&mut session, &file("other.txt", ""));
    assert!(session.message().expect("a message").contains("drop a mesh"));
    assert_eq!((session.simulation().state.cloth.len(), session.frame(0).generation), (4, generation));
    session.apply(Command::Dismiss);
    assert_eq!(session.message(), None);
}

#[test]
fn a_dropped_snapshot_or_scene_is_opened() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut session = session("flag");
    advance(&mut session, 5);
    let path = folder.path().join("a.json");
    std::fs::write(&path, session.snapshot().to_json()).expect("written");
    let before = session.simulation().state.cloth.clone();
    session.apply(Command::Scene { name: "table".to_owned() });
    assert_eq!(session.scene().name, "table");
    open(&mut session, &path.to_string_lossy());
    assert_eq!(session.simulation().state.cloth, before);
    assert_eq!(session.scene().name, "flag");
    let path = folder.path().join("b.ron");
    std::fs::write(&path, "(grid: (columns: 5, rows: 4))").expect("written");
    open(&mut session, &path.to_string_lossy());
    assert_eq!(session.simulation().state.cloth.len(), 20);
}

#[test]
fn reset_starts_the_cloth_again_and_keeps_the_parameters() {
    let mut session = session("hanging");
    let start = session.simulation().state.cloth.positions.clone();
    set(&mut session, "damping", Scalar::Real(0.02));
    solver(&mut session, "implicit-euler");
    advance(&mut session, 10);
    assert_ne!(session.simulation().state.cloth.positions, start);
    session.apply(Command::Reset);
    assert_eq!(session.simulation().state.cloth.positions, start);
    assert_eq!(session.simulation().parameters.material.damping, 0.02);
    assert_eq!((session.simulation().solver().info().id, session.simulation().time()), ("implicit-euler", 0.0));
}

#[test]
fn a_parameter_of_the_shape_starts_the_cloth_again_and_an_unknown_one_is_named() {
    let mut session = session("hanging");
    advance(&mut session, 3);
    set(&mut session, "columns", Scalar::Integer(12));
    assert_eq!((session.simulation().state.cloth.len(), session.simulation().time()), (12 * 30, 0.0));
    for (key, value, said) in [
        ("colums", Scalar::Integer(5), "did you mean \"columns\"?"),
        ("damping", Scalar::Real(-1.0), "outside"),
        ("columns", Scalar::Integer(100_000), "outside"),
        ("damping", Scalar::Text("much".to_owned()), "takes"),
    ] {
        let before = session.frame(0);
        session.apply(Command::Set { key: key.to_owned(), value });
        let message = session.message().expect("a message").to_owned();
        assert!(message.contains(said), "{message}");
        let after = session.frame(0);
        assert_eq!((before.parameters, before.positions), (after.parameters, after.positions), "{key}");
    }
}

#[test]
fn commands_about_what_does_not_exist_leave_a_message_and_nothing_else() {
    let mut session = session("hanging");
    let before = session.frame(0);
    for command in [
        Command::Grab { vertex: 900, target: Vec3::ZERO },
        Command::Pin { vertex: 900 },
        Command::MoveCollider { collider: 0, position: Vec3::ZERO, rotation: Vec3::ZERO },
        Command::Cut { begin: true, hits: vec![Some(CutHit { triangle: 100_000, weights: [1.0, 0.0, 0.0] })] },
        Command::Solver { id: "explicit-newton".to_owned() },
        Command::Scene { name: "nowhere".to_owned() },
    ] {
        session.apply(Command::Dismiss);
        session.apply(command.clone());
        assert!(session.message().is_some(), "{command:?}");
        let after = session.frame(0);
        assert_eq!(
            (&before.positions, &before.pins, before.solver.id),
            (&after.positions, &after.pins, after.solver.id)
        );
        assert_eq!(after.grab, None);
    }
    // nothing in the hand: neither of these has anything to do
    session.apply(Command::Dismiss);
    session.apply(Command::Move { target: Vec3::ONE });
    session.apply(Command::Release);
    session.apply(Command::ReleaseCollider);
    session.apply(Command::Unpin { vertex: 5 });
    assert_eq!((session.message(), session.frame(0).positions), (None, before.positions));
}

#[test]
fn after_a_blow_up_the_last_good_state_comes_back_and_another_solver_goes_on() {
    let mut session = session("hanging");
    advance(&mut session, 120);
    let (time, stretch) = (session.simulation().time(), session.simulation().largest_stretch());
    solver(&mut session, "symplectic-euler");
    assert!((0..120).any(|_| session.tick().is_err()), "the step is ten times too long");
    let failure = session.failure().expect("it is known").clone();
    assert!(failure.time >= time);
    let substeps = substeps_that_hold(&session);
    assert!(substeps > 10, "the step is ten times too long");
    let stood_still = session.simulation().time();
    assert!(session.frame(0).paused && session.tick() == Ok(None), "time stands still");
    assert_eq!(session.simulation().time(), stood_still, "it waits for the user");

    session.apply(Command::Restore);
    assert!(session.failure().is_none() && session.simulation().time() <= time + 0.25);
    assert!(session.frame(0).paused, "the same solver would only fail again");
    assert!(session.simulation().largest_stretch() < 2.0 * stretch + 0.1);
    // with as many substeps as are offered, the same solver holds
    set(&mut session, "substeps", Scalar::Integer(substeps));
    session.apply(Command::Pause { on: false });
    advance(&mut session, 60);
    assert!(session.failure().is_none());
}

#[test]
fn a_hand_moves_a_vertex_at_once_while_time_stands_still_and_a_pin_stays_where_it_was_dragged_to() {
    let mut session = session("hanging");
    let target = session.simulation().state.cloth.positions[0] + Vec3::new(0.1, 0.2, 0.0);
    session.apply(Command::Pause { on: true });
    session.apply(Command::Grab { vertex: 0, target: session.simulation().state.cloth.positions[0] });
    session.apply(Command::Move { target });
    assert_eq!(session.simulation().state.cloth.positions[0], target);
    session.apply(Command::Release);
    session.apply(Command::Step);
    assert_eq!(session.simulation().state.cloth.positions[0], target, "vertex 0 is pinned, and its pin came along");
    session.apply(Command::Unpin { vertex: 0 });
    session.apply(Command::Step);
    assert_ne!(session.simulation().state.cloth.positions[0], target);
}

#[test]
fn a_cloth_that_is_cut_is_shown_without_a_jump_and_reset_makes_it_whole() {
    let mut session = session("hanging");
    advance(&mut session, 20);
    let before = displayed(&session.frame(0), 0.5);
    cut_row(&mut session, 15);
    let after = displayed(&session.frame(0), 0.5);
    assert_eq!((after.len(), session.simulation().state.cloth.len()), (930, 930));
    assert_eq!(after[..900], before);
    assert_eq!(after[900..], before[450..480]);
    advance(&mut session, 20);
    session.apply(Command::Reset);
    assert_eq!((session.simulation().state.cloth.len(), displayed(&session.frame(0), 0.5).len()), (900, 900));
}

#[test]
fn a_reset_for_editing_keeps_the_pins_the_fabric_and_the_wind_and_a_plain_one_the_pins_of_the_scene() {
    let pins = |session: &Session| -> Vec<u32> {
        session.simulation().state.cloth.pins().iter().map(|pin| pin.vertex).collect()
    };
    let mut session = session("hanging");
    let first = pins(&session);
    session.apply(Command::Pin { vertex: 435 });
    session.apply(Command::Unpin { vertex: first[0] });
    session.apply(Command::Fabric { id: "silk".to_owned() });
    session.apply(Command::Wind { on: true });
    session.keep_time(Keeping::default());
    advance(&mut session, 20);
    session.apply(Command::ResetHeld);
    assert_eq!((session.simulation().time(), pins(&session)), (0.0, vec![first[1], 435]));
    let scene = session.scene();
    assert_eq!((&*scene.fabric, scene.parameters.air.air), ("silk", AirMode::Wind));
    assert_eq!(session.simulation().state.cloth.positions, scene.build().expect("good").state.cloth.positions);
    // they are those of the scene from now on
    session.apply(Command::Reset);
    assert_eq!(pins(&session), [first[1], 435]);
    session.apply(Command::Undo);
    session.apply(Command::Undo);
    assert_eq!((session.simulation().steps(), pins(&session)), (20, vec![first[1], 435]));
    session.apply(Command::Redo);
    assert_eq!((session.simulation().time(), pins(&session)), (0.0, vec![first[1], 435]));
}

#[test]
fn after_a_blow_up_of_a_cut_cloth_a_good_state_comes_back_with_its_own_pattern() {
    let mut session = session("hanging");
    advance(&mut session, 20);
    solver(&mut session, "symplectic-euler");
    cut_row(&mut session, 15);
    assert!((0..120).any(|_| session.tick().is_err()));
    session.apply(Command::Restore);
    let vertices = session.simulation().state.cloth.len();
    let frame = session.frame(0);
    assert_eq!((frame.pattern.len(), displayed(&frame, 0.5).len()), (vertices, vertices));
    solver(&mut session, "implicit-euler");
    session.apply(Command::Pause { on: false });
    advance(&mut session, 1);
    assert!(session.failure().is_none());
}

#[test]
fn threads_that_tear_within_a_step_come_from_where_they_hung() {
    let mut session = session("tearing");
    while session.simulation().state.cloth.len() == 925 {
        advance(&mut session, 1);
        assert!(session.simulation().time() < 5.0);
        let shown = displayed(&session.frame(0), 0.0);
        assert_eq!(shown.len(), session.simulation().state.cloth.len());
        for (at, &parent) in (925..).zip(session.simulation().pattern().parents()) {
            assert_eq!(shown[at], shown[parent as usize]);
        }
    }
}

#[test]
fn a_step_that_was_called_off_leaves_the_frame_as_it_was() {
    let mut session = session("hanging");
    advance(&mut session, 4);
    let before = session.frame(0);
    let canceller = weft::sim::Canceller::default();
    session.simulation_mut().cancel = canceller.token(3);
    canceller.cancel_through(3);
    session.start_recording();
    assert_eq!(session.tick(), Err(StepError::Cancelled));
    session.apply(Command::Step);
    let recorded = session.recorded().expect("a recording");
    assert_eq!(recorded.lines().count(), 1, "a step that has not been is not repeated");
    let after = session.frame(0);
    assert_eq!((before.previous, before.positions, before.ticks), (after.previous, after.positions, after.ticks));
    assert!(!after.paused && after.failure.is_none());
}

#[test]
fn a_broken_list_of_commands_names_the_line() {
    for (text, said) in [
        ("{\"tick\": 0, \"command\": \"reset\"}\n{\"tick\": 1, \"command\": \"rest\"}\n", "c.jsonl, line 2"),
        ("{\"tick\": 5, \"command\": \"reset\"}\n\n{\"tick\": 1, \"command\": \"reset\"}\n", "c.jsonl, line 3"),
        ("reset\n", "c.jsonl, line 1"),
    ] {
        let error = Stamped::parse_list(text, "c.jsonl").expect_err("broken").to_string();
        assert!(error.contains(said), "{error}");
    }
}

#[test]
fn a_collider_is_moved_and_turned_by_hand_and_takes_the_cloth_along() {
    let mut scene = Scene::load("hanging").expect("it comes with the program");
    let bar = Shape::Box { half_extents: Vec3::new(0.5, 0.02, 0.02) };
    scene.colliders.push(Collider::new(bar, Vec3::new(0.0, 1.0, -0.5)));
    let simulation = scene.build().expect("good");
    let mut session = Session::new(scene, simulation);
    advance(&mut session, 30);
    let (position, rotation) = (Vec3::new(0.0, 1.0, 0.6), Vec3::Y * 0.5);
    let command = Command::MoveCollider { collider: 0, position, rotation };
    let line = Stamped { tick: 3, command: command.clone() }.to_line();
    assert_eq!(Stamped::parse_list(&line, "a list").expect("a command")[0].command, command);
    session.apply(command);
    advance(&mut session, 1);
    let after_one = session.simulation().state.world.colliders[0].position.z;
    assert!((-0.49..-0.2).contains(&after_one), "it does not jump: {after_one} m");
    advance(&mut session, 60);
    let collider = &session.simulation().state.world.colliders[0];
    assert_eq!((collider.position, collider.rotation), (position, rotation), "it has arrived");
    let farthest = session.simulation().state.cloth.positions.iter().map(|x| x.z).fold(0.0, f64::max);
    assert!(farthest > 0.3, "the cloth was taken along to {farthest} m only");
    session.apply(Command::ReleaseCollider);
    assert_eq!(session.simulation().state.world.grab, None);
    advance(&mut session, 10);
    assert_eq!(session.simulation().state.world.colliders[0].position, position, "it stays where it is");
    // at once while time stands still
    session.apply(Command::Pause { on: true });
    session.apply(Command::MoveCollider { collider: 0, position: Vec3::ZERO, rotation: Vec3::ZERO });
    assert_eq!(session.simulation().state.world.colliders[0].position, Vec3::ZERO);
}

#[test]
fn a_hand_stops_at_the_table_also_while_time_stands_still() {
    let mut session = session("table");
    let middle = session.simulation().state.cloth.len() / 2;
    session.apply(Command::Pause { on: true });
    session.apply(Command::Grab { vertex: middle as u32, target: Vec3::Y });
    session.apply(Command::Move { target: Vec3::Y * 0.2 });
    let height = session.simulation().state.cloth.positions[middle].y;
    assert!((height - 0.613).abs() < 1e-6, "it is at {height} m");
}

#[test]
fn a_fabric_changes_what_the_cloth_is_made_of_and_nothing_jumps() {
    let mut session = session("hanging");
    advance(&mut session, 20);
    let before = session.simulation().state.cloth.positions.clone();
    for fabric in weft::scene::Fabric::all() {
        session.apply(Command::Fabric { id: fabric.id.clone() });
        assert_eq!(session.message(), None);
        assert!(fabric.is_of(&session.simulation().parameters), "{}", fabric.id);
        assert_eq!(session.scene().fabric, fabric.id);
        assert_eq!(session.simulation().state.cloth.positions, before);
    }
    session.apply(Command::Fabric { id: "cottn".to_owned() });
    let said = session.message().expect("there is none");
    assert!(said.contains("did you mean \"cotton\"?"), "{said}");
}

/// Mean angle between triangles beside each other [rad].
fn crease(session: &Session) -> f64 {
    let simulation = session.simulation();
    let hinges = weft::sim::constraints::hinge::hinges(simulation.pattern());
    let angle = |hinge: &weft::sim::constraints::Hinge| {
        let bend =
            weft::sim::constraints::hinge::bend(hinge.vertices.map(|v| simulation.state.cloth.positions[v as usize]));
        bend.map_or(0.0, |bend| bend.angle.abs())
    };
    hinges.iter().map(angle).sum::<f64>() / hinges.len() as f64
}

#[test]
fn ironing_takes_out_creases_that_bend_springs_hold() {
    for id in ["fast-mass-spring", "xpbd", "implicit-euler", "stable-mass-spring"] {
        let mut session = session("hanging");
        solver(&mut session, id);
        for (key, text) in [("bending_model", "springs"), ("pins", "top_edge"), ("plane", "front")] {
            set(&mut session, key, Scalar::Text(text.to_owned()));
        }
        set(&mut session, "bend_stiffness", Scalar::Real(20.0));
        advance(&mut session, 60);
        // a corner is carried to and fro before the cloth, and let go
        let corner = 29 * 30;
        let start = session.simulation().state.cloth.positions[corner as usize];
        session.apply(Command::Grab { vertex: corner, target: start });
        for (x, y, z) in [(0.3, 0.6, 0.15), (0.6, 0.5, -0.15), (0.2, 0.6, -0.05), (0.5, 0.7, 0.1)] {
            session.apply(Command::Move { target: start + Vec3::new(x, y, z) });
            advance(&mut session, 90);
        }
        session.apply(Command::Release);
        advance(&mut session, 240);
        let (before, parameters) = (crease(&session), session.simulation().parameters);
        session.apply(Command::Iron);
        advance(&mut session, 120);
        let after = crease(&session);
        assert!(after < 0.5 * before, "{id}: {before} before, {after} after");
        assert_eq!(session.simulation().parameters, parameters, "{id}");
    }
}

#[test]
fn a_mesh_of_the_size_of_a_house_is_offered_in_centimetres() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("large.obj");
    std::fs::write(&file, "v 0 0 0\nv 90 0 0\nv 90 90 0\nv 0 90 0\nf 1 2 3\nf 1 3 4\n").expect("written");
    let mut session = session("hanging");
    open(&mut session, file.to_str().expect("a name"));
    assert_eq!(session.message(), None);
    let offer = session.offer().expect("it is 90 m across").clone();
    assert!(offer.reason.contains("90 m"), "{}", offer.reason);
    session.apply(offer.command);
    let size = session.simulation().pattern().size();
    assert!((size - 0.9).abs() < 0.01, "{size} m");
    assert!(session.offer().is_none());
}

#[test]
fn the_work_of_the_hand_is_what_it_lifts() {
    let mut session = session("hanging");
    solver(&mut session, "implicit-euler");
    for (key, value) in [("pins", Scalar::Text("none".to_owned())), ("ground", Scalar::Toggle(false))] {
        set(&mut session, key, value);
    }
    set(&mut session, "damping", Scalar::Real(0.05));
    // held by the middle, and in the end lifted by half a metre, slowly
    let vertex = 15 * 30 + 15;
    let start = session.simulation().state.cloth.positions[vertex as usize];
    session.apply(Command::Grab { vertex, target: start });
    advance(&mut session, 600);
    let before = session.frame(0);
    for step in 1..=600 {
        session.apply(Command::Move { target: start + Vec3::Y * (0.5 * f64::from(step) / 600.0) });
        advance(&mut session, 1);
    }
    advance(&mut session, 60);
    let after = session.frame(0);
    let work = after.readouts.hand_work - before.readouts.hand_work;
    let gained = after.readouts.energy.potential - before.readouts.energy.potential;
    assert!(gained > 0.5 && (work / gained - 1.0).abs() < 0.05, "{work} J of work, {gained} J gained");
}

#[test]
fn a_picture_is_printed_without_a_new_start_and_what_is_none_is_refused_with_its_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (good, bad) = (path("good.png"), path("bad.png"));
    std::fs::copy("assets/thumbnails/flag.png", &good).expect("copied");
    std::fs::write(&bad, "no picture at all").expect("written");
    let mut session = session("hanging");
    advance(&mut session, 10);
    session.apply(Command::Open { file: good.clone() });
    assert_eq!(session.frame(0).scene.image.as_deref(), Some(good.as_str()));
    assert_eq!(session.simulation().steps(), 10, "it has not started again");
    for file in [bad, path("missing.png")] {
        session.apply(Command::Open { file: file.clone() });
        assert!(session.message().expect("a message").contains(&file), "{:?}", session.message());
        assert_eq!(session.frame(0).scene.image.as_deref(), Some(good.as_str()));
    }
    // a saved scene finds it beside itself
    std::fs::write(path("scene.ron"), session.scene_to_save().expect("good").to_ron_in(folder.path()))
        .expect("written");
    let saved = Scene::load(&path("scene.ron")).expect("good");
    assert_eq!(saved.image.as_deref(), Some(good.as_str()));
    assert!(std::fs::read_to_string(path("scene.ron")).expect("there").contains("image: \"good.png\""));
    session.apply(Command::Dismiss);
    set(&mut session, "image", Scalar::Text("none".to_owned()));
    assert_eq!(session.frame(0).scene.image, None);
}

#[test]
fn what_is_left_out_of_a_file_is_shown_and_is_no_refusal() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.obj");
    std::fs::write(&path, "v 9 9 9\nv 0 0 0\nv 1 0 0\nv 0 0 1\nf 2 3 4\n").expect("written");
    let mut session = session("hanging");
    open(&mut session, &path.to_string_lossy());
    assert_eq!((session.message(), session.simulation().state.cloth.len()), (None, 3));
    let shown = session.frame(0).note.expect("it is told");
    assert!(shown.contains("1 vertex left out that no face uses"), "{shown}");
    session.apply(Command::Dismiss);
    assert_eq!(session.frame(0).note, None);
}

#[test]
fn wind_that_is_turned_on_rises_within_two_seconds_and_goes_on_rising_after_a_break() {
    let windy = |command: Command| {
        let mut session = session("hanging");
        advance(&mut session, 120);
        set(&mut session, "wind_speed", Scalar::Real(20.0));
        session.apply(command);
        session
    };
    let fastest = |session: &Session| {
        let velocities = &session.simulation().state.cloth.velocities;
        velocities.iter().map(|v| v.length()).fold(0.0, Real::max)
    };
    let mut rising = windy(Command::Wind { on: true });
    let mut sudden = windy(Command::Set { key: "air".to_owned(), value: Scalar::Text("wind".to_owned()) });
    let before = fastest(&rising);
    for session in [&mut rising, &mut sudden] {
        advance(session, 8);
    }
    let [soft, hard] = [&rising, &sudden].map(fastest);
    assert!(soft - before < 0.2 * (hard - before), "{before}, then {soft} and {hard} m/s");
    assert_eq!(rising.simulation().parameters.air.wind_speed, 20.0);

    let mut resumed = Session::resume(&rising.start()).expect("it is good");
    for session in [&mut rising, &mut resumed, &mut sudden] {
        advance(session, 300);
    }
    assert_eq!(rising.simulation().state.cloth.positions, resumed.simulation().state.cloth.positions);
    let way = |session: &Session| {
        let (cloth, rest) = (&session.simulation().state.cloth, session.simulation().pattern().rest_positions());
        cloth.positions.iter().zip(rest).map(|(x, rest)| x.x - rest.x).sum::<Real>() / rest.len() as Real
    };
    let [soft, hard] = [&rising, &sudden].map(way);
    assert!(soft > 0.5 * hard && hard > 0.05, "{soft} and {hard} m on the way of the wind");
}

#[test]
fn a_corner_that_is_seen_through_the_cloth_has_the_session_offer_to_keep_edges_out() {
    let text = "(grid: (columns: 9, rows: 9, width: 1, height: 1, plane: flat), position: (0.03, 1.0, 0.02), pins: none, \
                colliders: [(shape: Box(half_extents: (0.15, 0.15, 0.15)), position: (0, 0.5, 0), rotation: (0.68, 0, 0.61))], \
                contact: (edges: false))";
    let scene = Scene::parse(text, "cube.ron").expect("good");
    let simulation = scene.build().expect("good");
    let mut session = Session::new(scene, simulation);
    session.keep_time(Keeping::default());
    assert_eq!(session.offer(), None);
    advance(&mut session, 150);
    let offer = session.offer().cloned().expect("the corner is seen");
    assert_eq!(offer.label, "Test edges as well");
    session.apply(offer.command);
    session.apply(Command::Dismiss);
    session.apply(Command::Reset);
    advance(&mut session, 150);
    assert_eq!(session.offer(), None, "it is kept out");
}

#[test]
fn settings_that_suit_the_cloth_follow_wind_and_fabric_until_one_is_set_by_hand() {
    let settings = |session: &Session| session.arrangement().settings;
    for by_hand in [false, true] {
        let mut scene = Scene::load("hanging").expect("it comes with the program");
        scene.set_solver("xpbd").expect("registered");
        // so few vertices that calm does not take all small steps that there are
        for key in ["columns", "rows"] {
            scene.set(key, "6").expect("in range");
        }
        let simulation = scene.build().expect("good");
        let mut session = Session::new(scene, simulation);
        set(&mut session, "wind_speed", Scalar::Real(30.0));
        if by_hand {
            set(&mut session, "small_steps", Scalar::Integer(11));
        }
        let calm = settings(&session);
        session.apply(Command::Fabric { id: "silk".to_owned() });
        session.apply(Command::Wind { on: true });
        assert_eq!(settings(&session) == calm, by_hand, "{:?}", settings(&session));
        session.apply(Command::Undo);
        session.apply(Command::Undo);
        assert_eq!(settings(&session), calm);
    }
}

#[test]
fn a_frame_part_way_through_a_step_has_all_that_moves_between_its_ends() {
    let mut session = session("skirt");
    advance(&mut session, 30);
    let before = session.frame(0);
    session.apply(Command::MoveCollider { collider: 0, position: Vec3::new(0.0, 0.91, 0.0), rotation: Vec3::Y * 0.1 });
    advance(&mut session, 1);
    let now = session.frame(0);
    assert!(before.positions != now.positions);
    assert!(before.colliders != now.colliders);
    for share in [0.0, 0.25, 1.0] {
        let between = now.part_way(&before, share);
        assert!((between.time - (before.time + share * (now.time - before.time))).abs() < 1e-12);
        let is_between = |x: Vec3, from: Vec3, to: Vec3| (x - from.lerp(to, share)).length() < 1e-9;
        for (i, x) in between.positions.iter().enumerate() {
            assert!(is_between(*x, before.positions[i], now.positions[i]), "vertex {i}");
        }
        let place = |frame: &Frame| (frame.colliders[0].position, frame.colliders[0].rotation);
        let ((x, turn), (from, first), (to, last)) = (place(&between), place(&before), place(&now));
        // about one axis the angle goes evenly
        assert!(is_between(x, from, to) && is_between(turn, first, last), "{turn}");
    }
}
