//! The thread that steps.

use std::sync::Arc;
use std::time::{Duration, Instant};

use weft::scene::Scene;
use weft::session::{Command, Frame, Session, Watch, Worker};

/// What takes longer than this hangs.
const PATIENCE: Duration = Duration::from_secs(600);

fn worker(scene: &str, changes: &[(&str, &str)]) -> (Worker, Arc<Frame>) {
    let mut scene = Scene::load(scene).expect("it comes with the program");
    for (key, value) in changes {
        scene.set(key, value).expect("good");
    }
    let simulation = scene.build().expect("good");
    Worker::start(Session::new(scene, simulation))
}

/// The first frame of which `wanted` is true.
fn wait(worker: &mut Worker, wanted: impl Fn(&Frame) -> bool) -> Arc<Frame> {
    let until = Instant::now() + PATIENCE;
    loop {
        if let Some(frame) = worker.take_frame()
            && wanted(&frame)
        {
            return frame;
        }
        assert!(Instant::now() < until, "no such frame");
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn ticks_and_commands_come_back_as_frames() {
    let (mut worker, first) = worker("hanging", &[]);
    assert_eq!((first.ticks, first.positions.len()), (0, 900));
    for _ in 0..10 {
        worker.tick();
    }
    let frame = wait(&mut worker, |frame| frame.ticks == 10);
    assert_eq!(frame.steps, 10);
    assert_ne!(frame.positions, first.positions);
    let order = worker.send(Command::Solver { id: "xpbd".to_owned() });
    let frame = wait(&mut worker, |frame| frame.seen >= order);
    assert_eq!(frame.solver.id, "xpbd");
    assert_eq!(worker.pending_ticks(), 0);
}

#[test]
fn the_thread_computes_what_a_session_computes() {
    let (mut worker, _) = worker("flag", &[]);
    for _ in 0..30 {
        worker.tick();
    }
    let frame = wait(&mut worker, |frame| frame.ticks == 30);
    let mut simulation = Scene::load("flag").and_then(|scene| scene.build()).expect("good");
    for _ in 0..30 {
        simulation.step().expect("it holds");
    }
    assert_eq!(frame.positions, simulation.state.cloth.positions);
}

#[test]
fn a_command_does_not_wait_for_ticks_that_have_not_begun_and_a_call_off_ends_the_step_at_work() {
    // a step of this takes hours
    let size = [("columns", "81"), ("rows", "81"), ("solver", "xpbd"), ("substeps", "200")];
    let budget = [("small_steps", "100"), ("iterations", "1000"), ("work_limit", "1e6")];
    let (mut worker, _) = worker("hanging", &[&size[..], &budget].concat());
    for _ in 0..50 {
        worker.tick();
    }
    while worker.pending_ticks() == 50 {
        std::thread::yield_now();
    }
    worker.cancel_ticks();
    let order = worker.send(Command::Scene { name: "flag".to_owned() });
    let frame = wait(&mut worker, |frame| frame.seen >= order);
    assert_eq!(
        (frame.scene.name.as_str(), frame.ticks),
        ("flag", 0),
        "the step at work left no trace, and no other has begun"
    );
}

#[test]
fn numbers_of_a_large_cloth_are_never_of_a_later_state_and_in_the_end_of_its_last() {
    let size = [
        ("columns", "260"),
        ("rows", "260"),
        ("solver", "symplectic-euler"),
        ("time_step", "1e-4"),
        ("structural_stiffness", "10"),
        ("shear_stiffness", "5"),
    ];
    let (mut worker, mut frame) = worker("hanging", &size);
    assert_eq!(frame.readouts.steps, 0);
    let mut told = vec![0];
    for tick in 1..=30 {
        worker.tick();
        frame = wait(&mut worker, |frame| frame.ticks == tick);
        assert!(frame.readouts.steps <= frame.steps);
        told.push(frame.readouts.steps);
    }
    assert!(told.is_sorted(), "{told:?}");
    // it may have been time just after the last step
    if frame.readouts.steps < 30 {
        frame = wait(&mut worker, |frame| frame.readouts.steps == 30);
    }
    let mut scene = Scene::load("hanging").expect("it comes with the program");
    size.iter().for_each(|(key, value)| scene.set(key, value).expect("good"));
    let mut simulation = scene.build().expect("good");
    for _ in 0..30 {
        simulation.step().expect("it holds");
    }
    assert_eq!(frame.readouts.energy, simulation.energy());
    assert_eq!(frame.readouts.stretch.largest, simulation.largest_stretch());
    // another state than by a step is measured at once
    let order = worker.send(Command::Reset);
    let frame = wait(&mut worker, |frame| frame.seen >= order);
    assert_eq!((frame.steps, frame.readouts.steps), (0, 0));
}

#[test]
fn what_is_asked_is_answered_between_steps() {
    let (mut worker, _) = worker("hanging", &[]);
    worker.tick();
    wait(&mut worker, |frame| frame.ticks == 1);
    let snapshot = worker.ask(|session| session.snapshot().to_json());
    assert!(snapshot.recv_timeout(PATIENCE).expect("an answer").contains("\"scene\":\"hanging\""));
}

#[test]
fn frames_tell_which_triangles_intersect_while_that_is_watched() {
    let (mut worker, first) = worker("hanging", &[("columns", "6"), ("rows", "6")]);
    assert_eq!(first.intersections, None, "it costs time");
    let order = worker.watch(Watch { intersections: true, ..Watch::default() });
    let frame = wait(&mut worker, |frame| frame.seen >= order);
    assert_eq!(frame.intersections.as_deref(), Some(&[][..]));
    // a vertex is drawn through the cloth by hand
    worker.send(Command::Pause { on: true });
    worker.send(Command::Grab { vertex: 35, target: frame.positions[35] });
    let order = worker.send(Command::Move { target: frame.positions[14] });
    let frame = wait(&mut worker, |frame| frame.seen >= order);
    let pairs = frame.intersections.as_deref().expect("it is watched");
    assert!(!pairs.is_empty() && pairs.is_sorted());
    let order = worker.watch(Watch::default());
    assert_eq!(wait(&mut worker, |frame| frame.seen >= order).intersections, None);
}

#[test]
fn frames_tell_what_the_cloth_touches_if_that_is_watched() {
    let scene = Scene::load("stack").expect("it comes with the program");
    let simulation = scene.build().expect("good");
    let mut session = Session::new(scene, simulation);
    assert!(session.frame(0).contacts.is_none());
    session.watch(Watch { contacts: true, ..Watch::default() });
    let mut both = 0;
    for _ in 0..90 {
        session.tick().expect("it holds");
        let marks = session.frame(0).contacts.expect("that is watched");
        assert!(marks.on_colliders.iter().all(|(_, normal)| (normal.length() - 1.0).abs() < 1e-9));
        assert!(marks.cloth_contact.iter().all(|force| force.force.is_finite()));
        both += u32::from(!marks.on_colliders.is_empty() && !marks.cloth_contact.is_empty());
    }
    assert!(both > 10, "{both} frames in which the stack lies on the floor and on itself");
}
