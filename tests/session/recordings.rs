//! Recordings, written and repeated.

use weft::scene::{Fabric, Scalar, Scene};
use weft::session::{Command, CutHit, Keeping, Replay, Session, Stamped, Verdict};
use weft::sim::Vec3;

use crate::desk::{advance, apply, busy_hands, session, set, solver, state, with_time};

fn replayed(text: &str) -> Verdict {
    let replay = Replay::parse(text, "a.jsonl").expect("as it was written");
    replay.run(0.0, |_| {}, |_, _| true).expect("it can be repeated")
}

#[test]
fn what_was_recorded_is_repeated_to_the_bit() {
    let list = busy_hands();
    let text: String = list.iter().map(Stamped::to_line).collect();
    assert_eq!(Stamped::parse_list(&text, "a.jsonl").expect("as written"), list);
    let mut session = session("hanging").with(list, |_| {});
    session.start_recording();
    advance(&mut session, 140);
    let text = session.recorded().expect("a recording");
    assert_eq!(replayed(&text), Verdict::Identical);
    let replay = Replay::parse(&text, "a.jsonl").expect("as written");
    assert_eq!(replay.steps, session.frame(0).totals.steps);
    assert_eq!(replay.build, weft::session::program());
}

#[test]
#[ignore = "full tier"]
fn every_scene_is_repeated_to_the_bit() {
    for info in &weft::scene::scene_names() {
        let mut scene = Scene::load(info).expect("it comes along");
        if info.starts_with("gpu-") {
            // they are for faster devices than tests run on
            (scene.first.grid.columns, scene.first.grid.rows) = (33, 33);
        }
        let simulation = scene.build().expect("good");
        let mut session = Session::new(scene, simulation);
        session.start_recording();
        apply(&mut session, Command::Grab { vertex: 1, target: Vec3::new(0.1, 0.9, 0.1) });
        for _ in 0..4 {
            // one that fails is not in the recording
            let _ = session.tick();
        }
        assert_eq!(replayed(&session.recorded().expect("a recording")), Verdict::Identical, "{info}");
    }
}

#[test]
fn settings_that_suit_another_fabric_are_in_the_recording() {
    let mut suited = 0;
    for fabric in Fabric::all() {
        // so few vertices that the solver does not take all small steps that there are
        let mut scene = Scene::load("hanging").expect("it comes with the program");
        scene.set_solver("xpbd").expect("registered");
        for key in ["columns", "rows"] {
            scene.set(key, "6").expect("in range");
        }
        let simulation = scene.build().expect("good");
        let mut session = Session::new(scene, simulation);
        set(&mut session, "wind_speed", Scalar::Real(30.0));
        apply(&mut session, Command::Wind { on: true });
        session.start_recording();
        let before = session.arrangement().settings;
        apply(&mut session, Command::Fabric { id: fabric.id.clone() });
        suited += u32::from(session.arrangement().settings != before);
        advance(&mut session, 3);
        let text = session.recorded().expect("a recording");
        assert_eq!(replayed(&text), Verdict::Identical, "{}", fabric.id);
    }
    assert!(suited > 0, "no fabric needs other settings, so nothing is tried");
}

#[test]
fn a_recording_that_begins_in_the_middle_and_goes_back_in_time_is_repeated_to_the_bit() {
    let mut session = with_time("hanging");
    solver(&mut session, "implicit-euler");
    set(&mut session, "damping", Scalar::Real(0.003));
    advance(&mut session, 7);
    solver(&mut session, "fast-mass-spring");
    set(&mut session, "iterations", Scalar::Integer(4));
    apply(&mut session, Command::Grab { vertex: 465, target: Vec3::new(0.2, 1.1, 0.2) });
    apply(&mut session, Command::Iron);
    advance(&mut session, 5);
    session.start_recording();
    advance(&mut session, 20);
    apply(&mut session, Command::Release);
    apply(&mut session, Command::Undo);
    advance(&mut session, 9);
    apply(&mut session, Command::GoTo { step: 10 });
    apply(&mut session, Command::Fabric { id: "silk".to_owned() });
    apply(&mut session, Command::Pause { on: false });
    advance(&mut session, 9);
    // it comes back with the setting that it had
    solver(&mut session, "xpbd");
    apply(&mut session, Command::Scene { name: "flag".to_owned() });
    advance(&mut session, 9);
    apply(&mut session, Command::Undo);
    solver(&mut session, "implicit-euler");
    advance(&mut session, 9);
    assert_eq!(replayed(&session.recorded().expect("a recording")), Verdict::Identical);
}

#[test]
fn a_seek_to_any_moment_and_a_failure_stop_time_in_a_recording_as_well() {
    for step in [3, 2, 7] {
        let mut session = with_time("hanging");
        session.start_recording();
        advance(&mut session, 3);
        session.apply(Command::GoTo { step });
        session.apply(Command::Dismiss);
        apply(&mut session, Command::Grab { vertex: 20, target: Vec3::new(0.3, 1.2, 0.4) });
        apply(&mut session, Command::Pause { on: false });
        advance(&mut session, 3);
        assert_eq!(replayed(&session.recorded().expect("a recording")), Verdict::Identical, "step {step}");
        assert_eq!(replayed(&session.record_way().expect("a recording")), Verdict::Identical, "step {step}");
    }
    let mut session = with_time("hanging");
    session.start_recording();
    solver(&mut session, "explicit-euler");
    set(&mut session, "structural_stiffness", Scalar::Real(1e5));
    while session.failure().is_none() {
        let _ = session.tick();
    }
    apply(&mut session, Command::Grab { vertex: 20, target: Vec3::new(0.3, 1.2, 0.4) });
    apply(&mut session, Command::Undo);
    advance(&mut session, 1);
    assert_eq!(replayed(&session.recorded().expect("a recording")), Verdict::Identical);
}

#[test]
fn after_a_blow_up_the_way_can_be_recorded_and_the_last_good_state_still_be_restored() {
    let mut session = with_time("hanging");
    solver(&mut session, "explicit-euler");
    set(&mut session, "structural_stiffness", Scalar::Real(1e5));
    while session.failure().is_none() {
        let _ = session.tick();
    }
    let failed = session.simulation().time();
    session.record_way().expect("a recording");
    assert!(session.failure().is_some() && session.simulation().time() == failed);
    apply(&mut session, Command::Restore);
    assert!(session.failure().is_none() && session.simulation().time() < failed, "{failed} s");
}

#[test]
fn a_recording_that_ends_in_the_past_has_the_positions_of_its_last_step() {
    let mut session = with_time("hanging");
    session.start_recording();
    advance(&mut session, 3);
    let hits = (0..20).map(|k| Some(CutHit { triangle: 874 + 2 * k, weights: [0.4, 0.3, 0.3] })).collect();
    apply(&mut session, Command::Cut { begin: true, hits });
    advance(&mut session, 1);
    let vertices = session.simulation().state.cloth.len();
    apply(&mut session, Command::Undo);
    assert!(session.simulation().state.cloth.len() < vertices);
    assert_eq!(replayed(&session.recorded().expect("a recording")), Verdict::Identical);
}

#[test]
fn the_way_that_is_kept_is_a_recording() {
    let mut session = session("hanging").with(busy_hands(), |_| {});
    // so little that its beginning is forgotten, and key states are rare
    session.keep_time(Keeping { seconds: 1.5, bytes: 3 << 20 });
    advance(&mut session, 140);
    apply(&mut session, Command::Scene { name: "flag".to_owned() });
    advance(&mut session, 20);
    let step = session.frame(0).timeline.at - 10;
    apply(&mut session, Command::GoTo { step });
    solver(&mut session, "xpbd");
    apply(&mut session, Command::Pause { on: false });
    advance(&mut session, 5);
    let step = session.frame(0).timeline.at - 3;
    apply(&mut session, Command::GoTo { step });
    let (before, course) = (state(&session), session.frame(0).timeline);
    let text = session.record_way().expect("a recording");
    assert_eq!(replayed(&text), Verdict::Identical);
    assert_eq!(Replay::parse(&text, "a.jsonl").expect("as written").steps, course.len());
    assert!(state(&session) == before && session.frame(0).timeline == course, "it stands where it stood");
}

#[test]
fn a_recording_that_was_changed_tells_the_step_the_vertex_and_the_distance() {
    let mut session = session("hanging");
    session.start_recording();
    advance(&mut session, 10);
    set(&mut session, "gravity", Scalar::Real(3.0));
    advance(&mut session, 30);
    let text = session.recorded().expect("a recording");
    let changed = text.replace("3.0", "3.5");
    assert_ne!(text, changed);
    let Verdict::Diverged { step: 11, farthest: Some((40, vertex, distance)) } = replayed(&changed) else {
        panic!("{:?}", replayed(&changed));
    };
    assert!((vertex as usize) < 900 && distance > 1e-3 && distance < 1.0, "{vertex}, {distance}");
    // the same with room for it
    let replay = Replay::parse(&changed, "a.jsonl").expect("as written");
    let verdict = replay.run(1.0, |_| {}, |_, _| true).expect("it can be repeated");
    assert_eq!(verdict, Verdict::Within { distance });
}

#[test]
fn what_a_killed_program_has_written_is_read_up_to_the_last_whole_line() {
    let mut session = session("hanging");
    session.start_recording();
    advance(&mut session, 10);
    let text = session.recorded().expect("a recording");
    let torn = &text[..text.len() - 100];
    let replay = Replay::parse(torn, "a.jsonl").expect("the lines before it are whole");
    assert_eq!(replay.steps, 10);
    assert_eq!(replayed(torn), Verdict::Identical);
}

#[test]
fn what_is_no_recording_is_refused_with_file_and_line() {
    let mut session = session("hanging");
    session.start_recording();
    advance(&mut session, 2);
    let text = session.recorded().expect("a recording");
    let broken = text.replacen("{\"step\"", "{\"stop\"", 1);
    let other = text.replacen("\"recording\":1", "\"recording\":7", 1);
    for (text, said) in [
        ("", "a.jsonl: is no recording"),
        ("{\"tick\":0,\"command\":\"reset\"}\n", "a.jsonl, line 1: not a line of a recording"),
        (broken.as_str(), "a.jsonl, line 2: not a line of a recording"),
        (other.as_str(), "version 7 is not known"),
    ] {
        let error = Replay::parse(text, "a.jsonl").expect_err("broken").to_string();
        assert!(error.contains(said), "{error}");
    }
}

#[test]
fn the_same_recording_with_and_without_a_way_back() {
    let record = |keeps: bool| {
        let mut session = session("heap");
        if keeps {
            session.keep_time(Keeping { seconds: 1.0, bytes: 1 << 20 });
        }
        session.start_recording();
        advance(&mut session, 60);
        (state(&session), session.recorded())
    };
    assert!(record(true) == record(false), "keeping the way changes nothing");
}
