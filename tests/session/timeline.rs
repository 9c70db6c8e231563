//! Going back in time, and on from there.

use weft::scene::Scalar;
use weft::session::{Command, Keeping, Session, Watch};
use weft::sim::Vec3;

use crate::desk::{advance, apply, busy_hands, session, set, solver, state, with_time};

fn go_to(session: &mut Session, step: u64) {
    apply(session, Command::GoTo { step });
    assert_eq!(session.frame(0).timeline.at, step);
    assert!(session.frame(0).paused, "time stands still in the past");
}

/// The state after every step of a session with busy hands, by the number of the step.
fn states(session: &mut Session, ticks: usize) -> Vec<(u64, String)> {
    let mut states = Vec::new();
    for _ in 0..ticks {
        let before = session.frame(0).totals.steps;
        advance(session, 1);
        if session.frame(0).totals.steps > before {
            states.push((session.frame(0).timeline.at, state(session)));
        }
    }
    states
}

#[test]
#[ignore = "full tier"]
fn every_moment_of_the_past_comes_back_with_the_same_bits() {
    for (id, keeping) in [
        ("fast-mass-spring", Keeping::default()),
        // so little memory that most moments lie between two key states
        ("projective-dynamics", Keeping { seconds: 60.0, bytes: 3 << 20 }),
        ("implicit-euler", Keeping { seconds: 60.0, bytes: 3 << 20 }),
        ("xpbd", Keeping { seconds: 60.0, bytes: 3 << 20 }),
    ] {
        let mut session = session("hanging").with(busy_hands(), |_| {});
        solver(&mut session, id);
        session.keep_time(keeping);
        let known = states(&mut session, 140);
        let newest = session.frame(0).timeline.clone();
        assert!(newest.is_newest && newest.bytes < keeping.bytes + (1 << 20), "{newest:?}");
        for (step, then) in known.iter().step_by(7).rev().chain(known.iter().step_by(11)) {
            // what was done after the step and before the next belongs to it, so those are compared at the step itself
            go_to(&mut session, *step);
            let now = state(&session);
            let busy = [0, 10, 12, 20, 25, 40, 41, 45, 50, 52, 53, 55, 60, 80, 100, 120];
            if !busy.iter().any(|tick| step.abs_diff(*tick) <= 8) {
                assert!(now == *then, "{id}: another state after step {step}");
            }
        }
        go_to(&mut session, newest.at);
        assert!(session.frame(0).timeline.is_newest);
        assert!(state(&session) == known.last().expect("a step").1, "{id}: the present has changed");
    }
}

#[test]
fn what_follows_from_the_past_is_what_followed_it() {
    // contact, wind and a hand
    for scene in ["heap", "flag", "tearing"] {
        let mut session = with_time(scene);
        advance(&mut session, 20);
        apply(&mut session, Command::Grab { vertex: 3, target: Vec3::new(0.3, 1.3, 0.2) });
        advance(&mut session, 30);
        let then = state(&session);
        go_to(&mut session, 20);
        apply(&mut session, Command::Pause { on: false });
        advance(&mut session, 30);
        assert!(state(&session) == then, "{scene}");
        assert_eq!(session.frame(0).timeline.left.len(), 1, "{scene}: what was left is still there");
    }
}

#[test]
fn another_future_begins_where_one_goes_on_and_the_old_one_can_be_gone_back_to() {
    let mut session = with_time("hanging");
    advance(&mut session, 60);
    let old = state(&session);
    go_to(&mut session, 20);
    let fork = state(&session);
    set(&mut session, "gravity", Scalar::Real(1.6));
    apply(&mut session, Command::Pause { on: false });
    advance(&mut session, 10);
    let new = state(&session);
    assert!(new != old);

    let course = session.frame(0).timeline;
    assert_eq!((course.len(), course.place(), course.is_newest), (30, 30, true));
    assert_eq!(course.left.len(), 1);
    let left = course.left[0];
    assert_eq!((left.fork, left.end), (20, 60));
    let step = session.simulation().parameters.timing.time_step;
    assert!((left.seconds - 40.0 * step).abs() < 1e-9 && (course.behind - 30.0 * step).abs() < 1e-9, "{course:?}");

    // along the way that is shown, over the fork
    let before_fork = course.step_at(10);
    go_to(&mut session, before_fork);
    go_to(&mut session, course.step_at(20));
    assert!(state(&session) == fork, "the state at the fork");
    go_to(&mut session, left.end);
    assert!(state(&session) == old, "the old future");
    assert_eq!(session.frame(0).timeline.len(), 60, "it is the way that is shown now");
    let other = session.frame(0).timeline.left[0];
    go_to(&mut session, other.end);
    assert!(state(&session) == new, "and back");

    apply(&mut session, Command::DropLeft);
    assert_eq!(session.frame(0).timeline.left, []);
    session.apply(Command::GoTo { step: 50 });
    assert!(session.message().expect("a message").contains("not recorded any more"));
    assert!(state(&session) == new, "what cannot be gone to changes nothing");
}

#[test]
fn what_is_kept_is_bounded() {
    let mut session = session("hanging");
    session.keep_time(Keeping { seconds: 0.5, bytes: 64 << 20 });
    advance(&mut session, 200);
    let step = session.simulation().parameters.timing.time_step;
    let course = session.frame(0).timeline;
    assert!(course.behind >= 0.5 - step && course.behind <= 0.5 + 2.0 * step, "{}", course.behind);
    session.apply(Command::GoTo { step: 3 });
    assert!(session.message().expect("a message").contains("not recorded any more"));

    session.keep_time(Keeping { seconds: 60.0, bytes: 1 << 20 });
    advance(&mut session, 400);
    assert!(session.frame(0).timeline.bytes < 1 << 20, "{}", session.frame(0).timeline.bytes);
    assert!(session.frame(0).timeline.behind > 3.0, "few key states reach far: {}", session.frame(0).timeline.behind);
}

#[test]
fn the_way_goes_on_through_another_scene_a_reset_and_a_blow_up() {
    let mut session = with_time("hanging");
    advance(&mut session, 10);
    let hanging = state(&session);
    apply(&mut session, Command::Scene { name: "flag".to_owned() });
    advance(&mut session, 10);
    let flag = state(&session);
    apply(&mut session, Command::Reset);
    advance(&mut session, 5);
    solver(&mut session, "explicit-euler");
    set(&mut session, "structural_stiffness", Scalar::Real(1e5));
    while session.failure().is_none() {
        let _ = session.tick();
    }
    let mut places = session.frame(0).timeline.place();
    apply(&mut session, Command::Restore);
    assert!(session.failure().is_none());
    assert_eq!(session.frame(0).timeline.place(), places);
    solver(&mut session, "fast-mass-spring");
    apply(&mut session, Command::Step);
    places += 1;
    assert_eq!(session.frame(0).timeline.place(), places);

    // the present moment at these steps is that after the scene was changed
    go_to(&mut session, 20 - 1);
    assert_eq!(session.scene().name, "flag");
    go_to(&mut session, 9);
    assert_eq!(session.scene().name, "hanging");
    apply(&mut session, Command::Step);
    assert!(state(&session) == hanging);
    let left = session.frame(0).timeline.left[0];
    go_to(&mut session, left.end);
    assert_eq!(session.scene().name, "flag");
    go_to(&mut session, 19);
    apply(&mut session, Command::Step);
    assert!(state(&session) == flag);
}

#[test]
fn a_torn_and_cut_cloth_is_whole_again_before_the_tear() {
    let mut session = with_time("tearing");
    let whole = session.simulation().state.cloth.len();
    let mut ticks = 0;
    while session.simulation().state.cloth.len() == whole {
        advance(&mut session, 1);
        ticks += 1;
        assert!(ticks < 2000, "it tears");
    }
    advance(&mut session, 20);
    let torn = state(&session);
    let newest = session.frame(0).timeline.at;
    go_to(&mut session, newest - 25);
    assert_eq!(session.simulation().state.cloth.len(), whole);
    apply(&mut session, Command::Pause { on: false });
    advance(&mut session, 25);
    assert!(state(&session) == torn);
}

#[test]
fn a_vertex_that_is_probed_while_time_stands_still_is_told_of_with_the_last_step() {
    let mut session = with_time("breeze");
    advance(&mut session, 20);
    apply(&mut session, Command::Pause { on: true });
    set(&mut session, "damping", Scalar::Real(0.003));
    let (before, shown) = (state(&session), session.frame(0));
    session.watch(Watch { probes: [Some(7), None, None, None], ..Watch::default() });
    let frame = session.frame(0);
    assert!(state(&session) == before, "to look changes nothing");
    assert_eq!((frame.timeline.at, frame.timeline.is_newest, frame.paused), (shown.timeline.at, true, true));
    assert_eq!((frame.steps, frame.readouts, frame.generation), (shown.steps, shown.readouts, shown.generation));
    let reading = &frame.probes[0];
    assert_eq!(reading.position, frame.positions[7]);
    let step = frame.parameters.timing.time_step;
    let moved = (frame.positions[7] - frame.previous[7]) / step;
    assert!(moved.distance(reading.velocity) < 1e-6 * (1.0 + moved.length()), "{moved} {}", reading.velocity);
    assert!(reading.acceleration.is_some() && reading.forces.rest.is_some());
    // in the past as well
    go_to(&mut session, 9);
    assert!(session.frame(0).probes[0].acceleration.is_some());
    session.watch(Watch { probes: [None, Some(8), Some(9), None], ..Watch::default() });
    let vertices: Vec<u32> = session.frame(0).probes.iter().map(|reading| reading.vertex).collect();
    assert_eq!(vertices, [8, 9]);
    assert!(session.frame(0).probes.iter().all(|reading| reading.acceleration.is_some()));
}

#[test]
fn the_future_that_was_left_is_a_ghost_until_it_is_dropped() {
    let mut session = with_time("hanging");
    let mut then = Vec::new();
    for _ in 0..60 {
        advance(&mut session, 1);
        then.push(session.frame(0).positions);
    }
    assert!(session.frame(0).ghost.is_none());
    go_to(&mut session, 20);
    set(&mut session, "structural_stiffness", Scalar::Real(900.0));
    apply(&mut session, Command::Pause { on: false });
    let mut apart: f64 = 0.0;
    for (step, then) in then.iter().enumerate().take(50).skip(20) {
        advance(&mut session, 1);
        let frame = session.frame(0);
        let ghost = frame.ghost.expect("it is kept");
        for ((ghost, old), new) in ghost.iter().zip(then).zip(&frame.positions) {
            // between two states that are kept it goes straight
            assert!(ghost.distance(*old) < 2e-3, "{ghost} instead of {old} at step {step}");
            apart = apart.max(ghost.distance(*new));
        }
    }
    assert!(apart > 0.01, "{apart}");
    // before the fork there is none; after its end it stays where it was
    go_to(&mut session, 10);
    assert!(session.frame(0).ghost.is_none());
    let end = session.frame(0).timeline.segments.last().expect("a way").end;
    go_to(&mut session, end);
    apply(&mut session, Command::Pause { on: false });
    advance(&mut session, 30);
    let ghost = session.frame(0).ghost.expect("it stays");
    assert!(
        ghost.len() == then[59].len() && ghost.iter().zip(&then[59]).all(|(ghost, old)| ghost.distance(*old) < 5e-3)
    );
    apply(&mut session, Command::DropLeft);
    assert!(session.frame(0).ghost.is_none());
}
