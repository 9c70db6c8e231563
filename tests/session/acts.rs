//! What can be taken back.

use weft::scene::{Edit, Scalar, Scene};
use weft::session::{Command, CutHit, Keeping, Session};
use weft::sim::{Vec3, solvers};

use crate::desk::{advance, apply, session, set, solver, state, with_time};

fn undo(session: &mut Session) {
    apply(session, Command::Undo);
}

fn redo(session: &mut Session) {
    apply(session, Command::Redo);
}

#[test]
fn parameters_get_back_what_they_had_and_the_cloth_goes_on() {
    let mut session = with_time("hanging");
    let first = session.arrangement();
    set(&mut session, "damping", Scalar::Real(0.003));
    set(&mut session, "damping", Scalar::Real(0.004));
    apply(&mut session, Command::Finish);
    let second = session.arrangement();
    advance(&mut session, 5);
    solver(&mut session, "xpbd");
    set(&mut session, "iterations", Scalar::Integer(3));
    apply(&mut session, Command::Finish);
    let third = session.arrangement();
    apply(&mut session, Command::Fabric { id: "silk".to_owned() });
    apply(&mut session, Command::Wind { on: true });
    apply(&mut session, Command::Table { on: true });
    let last = session.arrangement();
    advance(&mut session, 5);
    let time = session.simulation().time();

    let course = session.frame(0).timeline;
    assert_eq!((course.undo.as_deref(), course.redo), (Some("Table"), None));
    for _ in 0..3 {
        undo(&mut session);
    }
    assert_eq!(session.arrangement(), third);
    // the solver and its setting are two acts
    undo(&mut session);
    undo(&mut session);
    assert_eq!(session.arrangement(), second);
    undo(&mut session);
    assert_eq!(session.arrangement(), first, "one gesture is one act");
    assert_eq!(session.simulation().time(), time, "time goes on");
    session.apply(Command::Undo);
    assert!(session.message().expect("a message").contains("nothing to undo"));
    session.apply(Command::Dismiss);

    for _ in 0..6 {
        redo(&mut session);
    }
    assert_eq!(session.arrangement(), last);
    undo(&mut session);
    set(&mut session, "gravity", Scalar::Real(3.0));
    session.apply(Command::Redo);
    assert!(session.message().expect("a message").contains("nothing to redo"), "a new act ends what was undone");
}

#[test]
fn every_solver_that_was_tried_is_taken_back_however_it_ended_and_whatever_time_passes_meanwhile() {
    for (between, ticks, seconds) in [(0, 0, 60.0), (1, 1, 60.0), (3, 20, 60.0), (20, 3, 60.0), (2, 20, 1.0)] {
        let mut session = session(Scene::FIRST);
        // moments that are not kept any more
        session.keep_time(Keeping { seconds, ..Keeping::default() });
        let first = session.arrangement();
        // some explode, and the next goes on from before that
        let tick = |session: &mut Session, ticks| (0..ticks).for_each(|_| drop(session.tick()));
        let mut acts = 0;
        for id in solvers::REGISTRY.iter().map(|entry| entry.info.id).filter(|id| *id != first.solver) {
            solver(&mut session, id);
            acts += 1;
            tick(&mut session, ticks);
        }
        set(&mut session, "drag", Scalar::Real(0.001));
        for act in 0..=acts {
            session.apply(Command::Undo);
            assert_eq!(
                session.message(),
                None,
                "act {act} of {acts}, {ticks} ticks, {between} between, {seconds} s kept"
            );
            tick(&mut session, between);
        }
        assert_eq!(session.arrangement(), first);
        session.apply(Command::Undo);
        assert!(session.message().expect("a message").contains("nothing to undo"));
    }
}

#[test]
fn a_pull_a_cut_an_unpin_and_a_scene_are_taken_back_to_the_bit_and_done_again() {
    let cut = Command::Cut {
        begin: true,
        hits: (0..20)
            .map(|k| Some(CutHit { triangle: 2 * (15 * 29 + 4 + k), weights: [0.4, 0.3, 0.3] }))
            .chain([None])
            .collect(),
    };
    let acts: [(&str, Vec<Command>); 6] = [
        (
            "Pull",
            vec![
                Command::Grab { vertex: 465, target: Vec3::new(0.2, 1.1, 0.4) },
                Command::Move { target: Vec3::new(0.3, 1.3, 0.5) },
            ],
        ),
        ("Cut", vec![cut]),
        ("Unpin", vec![Command::Unpin { vertex: 29 }]),
        ("Iron", vec![Command::Iron]),
        ("Scene", vec![Command::Scene { name: "flag".to_owned() }]),
        ("Cloth", vec![Command::Set { key: "columns".to_owned(), value: Scalar::Integer(12) }]),
    ];
    for (name, commands) in acts {
        let mut session = with_time("hanging");
        advance(&mut session, 30);
        let before = state(&session);
        for command in commands {
            apply(&mut session, command);
            advance(&mut session, 6);
        }
        if name == "Pull" {
            apply(&mut session, Command::Release);
        }
        advance(&mut session, 3);
        let after = state(&session);
        assert!(before != after, "{name} does something");
        assert_eq!(session.frame(0).timeline.undo.as_deref(), Some(name));
        undo(&mut session);
        assert!(state(&session) == before, "{name} is taken back");
        assert!(!session.frame(0).paused, "{name}: time goes on");
        assert_eq!(session.frame(0).timeline.redo.as_deref(), Some(name));
        redo(&mut session);
        assert!(state(&session) == after, "{name} is done again");
        undo(&mut session);
        advance(&mut session, 5);
        assert!(state(&session) != after);
    }
}

#[test]
fn a_pin_is_taken_back_by_letting_go() {
    let mut session = with_time("hanging");
    let pins = |session: &Session| session.simulation().state.cloth.pins().len();
    let first = pins(&session);
    apply(&mut session, Command::Pin { vertex: 465 });
    advance(&mut session, 5);
    let time = session.simulation().time();
    undo(&mut session);
    assert_eq!((pins(&session), session.simulation().time()), (first, time));
    redo(&mut session);
    assert_eq!(pins(&session), first + 1);
}

#[test]
fn going_back_in_time_leaves_the_acts_that_came_later() {
    let mut session = with_time("hanging");
    set(&mut session, "damping", Scalar::Real(0.003));
    apply(&mut session, Command::Finish);
    advance(&mut session, 10);
    set(&mut session, "gravity", Scalar::Real(3.0));
    advance(&mut session, 10);
    apply(&mut session, Command::GoTo { step: 5 });
    assert_ne!(session.simulation().parameters.gravity.gravity, 3.0);
    apply(&mut session, Command::Step);
    assert_eq!(session.frame(0).timeline.undo.as_deref(), Some("Damping"));
}

#[test]
fn redo_lives_until_something_new_is_done() {
    let edit = || Command::Edit { edit: Edit::Title { title: "Another".to_owned() } };
    for steps in [0, 1, 5] {
        let mut session = with_time("hanging");
        advance(&mut session, 3);
        apply(&mut session, edit());
        undo(&mut session);
        advance(&mut session, steps);
        // what changes nothing is nothing new
        apply(&mut session, Command::Table { on: false });
        redo(&mut session);
        assert_eq!((session.scene().title.as_str(), session.simulation().steps()), ("Another", 0), "{steps} steps");
        undo(&mut session);
        assert_eq!(session.simulation().steps(), 3 + steps as u64, "back to where it was redone");
    }
    let mut session = with_time("hanging");
    apply(&mut session, Command::Pause { on: true });
    apply(&mut session, Command::Fabric { id: "silk".to_owned() });
    apply(&mut session, edit());
    undo(&mut session);
    undo(&mut session);
    redo(&mut session);
    redo(&mut session);
    assert_eq!((session.scene().title.as_str(), session.scene().fabric.as_str()), ("Another", "silk"));
}

#[test]
fn actions_after_a_moment_that_is_gone_on_from_can_be_redone() {
    let mut session = with_time("hanging");
    advance(&mut session, 4);
    set(&mut session, "gravity", Scalar::Real(3.0));
    advance(&mut session, 4);
    apply(&mut session, Command::GoTo { step: 2 });
    apply(&mut session, Command::Step);
    redo(&mut session);
    assert_eq!((session.simulation().parameters.gravity.gravity, session.simulation().steps()), (3.0, 3));
}

#[test]
fn a_pin_and_a_solver_leave_no_trace_when_they_are_undone_before_a_step() {
    let commands = [
        Command::Pin { vertex: 465 },
        Command::Solver { id: "xpbd".to_owned() },
        Command::Wind { on: true },
        Command::Fabric { id: "silk".to_owned() },
    ];
    for command in commands {
        // with a time line, and without
        for mut session in [with_time("hanging"), session("hanging")] {
            advance(&mut session, 30);
            let before = session.start();
            apply(&mut session, command.clone());
            undo(&mut session);
            assert!(session.start() == before, "{command:?}");
        }
    }
}

#[test]
fn a_gesture_that_another_action_came_in_between_is_undone_in_parts() {
    let mut session = with_time("hanging");
    let start = session.start();
    apply(&mut session, Command::Grab { vertex: 465, target: Vec3::new(0.2, 1.1, 0.4) });
    advance(&mut session, 3);
    set(&mut session, "gravity", Scalar::Real(3.0));
    apply(&mut session, Command::Finish);
    advance(&mut session, 3);
    apply(&mut session, Command::Release);
    for name in ["Pull", "Gravity", "Pull"] {
        assert_eq!(session.frame(0).timeline.undo.as_deref(), Some(name));
        undo(&mut session);
    }
    assert!(session.start() == start);
}
