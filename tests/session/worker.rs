//! The thread that steps.

use std::sync::Arc;
use std::time::{Duration, Instant};

use weft::scene::Scene;
use weft::session::{Command, Frame, Session, Watch, Worker};

/// Longest time that anything may take.
const PATIENCE: Duration = Duration::from_secs(60);

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
    assert_eq!(frame.positions, simulation.cloth.positions);
}

#[test]
fn a_command_does_not_wait_for_ticks_that_have_not_begun_and_a_call_off_ends_the_step_at_work() {
    // a step of this takes long
    let (mut worker, _) = worker(
        "hanging",
        &[("columns", "81"), ("rows", "81"), ("solver", "xpbd"), ("small_steps", "100"), ("iterations", "200")],
    );
    for _ in 0..50 {
        worker.tick();
    }
    std::thread::sleep(Duration::from_millis(100));
    let started = Instant::now();
    worker.cancel_ticks();
    let order = worker.send(Command::Scene { name: "flag".to_owned() });
    let frame = wait(&mut worker, |frame| frame.seen >= order);
    let waited = started.elapsed();
    assert_eq!((frame.scene.name.as_str(), frame.ticks), ("flag", 0), "no tick has passed");
    assert!(waited < Duration::from_secs(10), "{waited:?}: much less than the steps would have taken");
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
    let (mut worker, frame) = worker("stack", &[]);
    assert!(frame.contacts.is_none());
    worker.watch(Watch { contacts: true, ..Watch::default() });
    let started = Instant::now();
    loop {
        assert!(started.elapsed() < PATIENCE, "no contact");
        worker.tick();
        let Some(frame) = worker.take_frame() else {
            std::thread::yield_now();
            continue;
        };
        let Some(marks) = &frame.contacts else { continue };
        // what lies on the ground stays above it, and layers press on each other
        if !marks.on_colliders.is_empty() && !marks.layers.is_empty() {
            assert!(marks.on_colliders.iter().all(|(_, normal)| (normal.length() - 1.0).abs() < 1e-9));
            assert!(marks.layers.iter().all(|force| force.force.is_finite()));
            break;
        }
    }
}
