//! The state of a session beside its simulation: whatever is in it comes back with undo, on the time line, from a recording
//! and in a replay.

use std::sync::Arc;

use serde_json::Value;
use weft::scene::Scene;
use weft::session::{Command, CutHit, Ironing, Replay, RisingWind, Session, SessionState, Start, Watch};
use weft::sim::Vec3;
use weft::sim::topology::cut_path::CutPath;

use crate::desk::{advance, apply, with_time};

/// Watches the work of the air, which is counted only then.
fn watch(session: &mut Session) {
    session.watch(Watch { air_work: true, ..Watch::default() });
}

/// A session on its way to `fill`.
fn begun() -> Session {
    let mut session = with_time("hanging");
    watch(&mut session);
    session
}

/// Gives every piece of state a value that is not its default, by commands. A piece that is added has to be named here.
fn fill(session: &mut Session) {
    apply(session, Command::Grab { vertex: 465, target: Vec3::new(0.2, 1.1, 0.2) });
    apply(session, Command::Wind { on: true });
    advance(session, 3);
    apply(session, Command::Iron);
    apply(session, Command::Cut { begin: true, hits: vec![Some(CutHit { triangle: 3, weights: [0.4, 0.3, 0.3] })] });
    apply(session, Command::Pause { on: true });
    apply(session, Command::Step);
    let SessionState { scene, defaults, paused, ironing, rising_wind, cut_path, hand_work, air_work } = session.state();
    assert!(**scene != Scene::default() && **defaults != Scene::default(), "scenes");
    assert!(*paused && *ironing != Ironing::default() && *rising_wind != RisingWind::default(), "{ironing:?}");
    assert!(*cut_path != CutPath::default() && *hand_work != 0.0 && *air_work != 0.0, "{hand_work} J, {air_work} J");
}

/// The state with the scene as it is now; the scene of a session that is resumed has the parameters of its own start.
fn state(session: &Session) -> (SessionState, u64) {
    let state = SessionState { scene: Arc::new(session.scene()), ..session.state().clone() };
    (state, session.simulation().fingerprint())
}

/// The state after the last step of a recording that is repeated.
fn replayed(text: &str) -> (SessionState, u64) {
    let replay = Replay::parse(text, "a.jsonl").expect("as it was written");
    let (mut steps, mut last) = (replay.steps, None);
    let follow = |_, session: &Session| {
        steps -= 1;
        if steps == 0 {
            last = Some(state(session));
        }
        true
    };
    replay.run(0.0, watch, follow).expect("it can be repeated");
    last.expect("a step")
}

#[test]
fn the_whole_state_comes_back_when_the_session_goes_back_to_it() {
    let mut session = begun();
    fill(&mut session);
    let full = (session.state().clone(), session.simulation().fingerprint());
    let here = session.frame(0).timeline.at;
    let mut leave_and_return = |leave: Command, come_back: Command| {
        apply(&mut session, leave);
        assert_ne!(session.state(), &full.0);
        apply(&mut session, come_back.clone());
        assert_eq!((session.state(), session.simulation().fingerprint()), (&full.0, full.1), "{come_back:?}");
    };
    leave_and_return(Command::GoTo { step: 0 }, Command::GoTo { step: here });
    leave_and_return(Command::Scene { name: "flag".to_owned() }, Command::Undo);
    leave_and_return(Command::Reset, Command::Undo);
}

#[test]
fn the_whole_state_is_in_a_recording_and_continues_from_there() {
    let mut session = begun();
    fill(&mut session);
    let file = serde_json::to_string(&session.start()).expect("JSON");
    let start: Start = serde_json::from_str(&file).expect("as it was written");
    let mut resumed = Session::resume(&start).expect("as it was written");
    watch(&mut resumed);
    session.start_recording();
    for _ in 0..3 {
        assert_eq!(state(&resumed), state(&session));
        apply(&mut session, Command::Step);
        apply(&mut resumed, Command::Step);
    }
    apply(&mut session, Command::Step);
    assert_eq!(replayed(&session.recorded().expect("a recording")), state(&session));
}

#[test]
fn the_whole_state_comes_about_again_in_a_replay() {
    let mut session = begun();
    session.start_recording();
    fill(&mut session);
    assert_eq!(replayed(&session.recorded().expect("a recording")), state(&session));
    assert_eq!(replayed(&session.record_way().expect("a recording")), state(&session));
}

#[test]
fn a_state_from_before_a_piece_was_kept_is_read_with_its_default_and_one_with_an_unknown_piece_is_not() {
    let session = with_time("hanging");
    let mut file = serde_json::to_value(session.start()).expect("JSON");
    let fields = file.as_object_mut().expect("an object");
    // in older recordings scene and simulation alone are sure to be there
    fields.retain(|field, _| ["snapshot", "defaults"].contains(&field.as_str()));
    let start = serde_json::from_value::<Start>(file.clone()).expect("the others have defaults");
    assert_eq!(state(&Session::resume(&start).expect("good")), state(&session));
    let refusal = |file: Value| serde_json::from_value::<Start>(file).expect_err("it cannot be").to_string();
    let mut unknown = file.clone();
    unknown["mood"] = Value::from(1);
    assert!(refusal(unknown).contains("unknown field `mood`"));
    file.as_object_mut().expect("an object").remove("defaults");
    assert!(refusal(file).contains("missing field `defaults`"));
}
