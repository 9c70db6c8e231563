//! Edits of the scene as commands: taken back, done again, repeated from a recording.

use weft::scene::{Edit, Handle, Piece, PinChoice, Scalar, Scene, ScenePart};
use weft::session::{Command, Replay, Session, Stamped, Verdict, Watch};
use weft::sim::contact::{Collider, Shape};
use weft::sim::{Path, Vec3};

use crate::desk::{advance, apply, session, set, state, with_time};

/// Numbers without a pattern, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, count: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % count
    }

    /// From -1 to 1.
    fn real(&mut self) -> f64 {
        self.below(2001) as f64 / 1000.0 - 1.0
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.real(), self.real(), self.real())
    }
}

/// An edit that is possible in most scenes.
fn any_edit(random: &mut Random, scene: &Scene) -> Edit {
    let (pieces, colliders) = (1 + scene.pieces.len() as u64, scene.colliders.len() as u64);
    let at = random.below(pieces + colliders);
    let part = if at < pieces { ScenePart::Piece(at as u32) } else { ScenePart::Collider((at - pieces) as u32) };
    let is_full = pieces + colliders > 6;
    match random.below(18) {
        0 if !is_full => Edit::AddPiece { piece: Box::new(small()) },
        1 if !is_full => {
            let shape = Shape::Sphere { radius: 0.1 + 0.05 * random.real() };
            Edit::AddCollider { collider: Box::new(Collider::new(shape, random.vector())) }
        }
        2 if !is_full => Edit::Copy { part, by: random.vector(), count: 1 },
        3 => Edit::Turn { part, by: random.vector() },
        4 => Edit::Scale { part, by: 1.0 + 0.2 * random.real() },
        5 => Edit::SetDown { part },
        8 => Edit::MoveApart,
        9 => match part {
            ScenePart::Piece(at) => Edit::ReplacePiece { at, piece: Box::new(small()) },
            _ => {
                let at = (at - pieces) as u32;
                let shape = Shape::Box { half_extents: Vec3::splat(0.1) };
                Edit::ReplaceCollider { at, collider: Box::new(Collider::new(shape, random.vector())) }
            }
        },
        6 => Edit::Shift { part, by: random.vector() },
        10 => Edit::Rename { part, name: format!("Thing {}", random.below(5)) },
        11 => Edit::Hide { part, on: random.below(2) == 0 },
        12 => Edit::Lock { part, on: random.below(3) == 0 },
        13..=16 => of_piece(random, random_piece(part, scene)),
        _ => Edit::Remove { part },
    }
}

/// The piece of a part; the first one for a collider.
fn random_piece(part: ScenePart, scene: &Scene) -> (u32, usize) {
    let piece = if let ScenePart::Piece(piece) = part { piece } else { 0 };
    (piece, scene.all_pieces().nth(piece as usize).map_or(0, |piece| piece.handles.len()))
}

/// An edit of pins, handles, paths or the fabric of a piece.
fn of_piece(random: &mut Random, (piece, handles): (u32, usize)) -> Edit {
    let vertices: Vec<u32> = (0..1 + random.below(4)).map(|_| random.below(12) as u32).collect();
    let path = Path::Waypoints { points: vec![(0.0, Vec3::ZERO), (1.0, random.vector())], repeat: false };
    match random.below(4) {
        0 => Edit::Pin { piece, vertices, on: random.below(2) == 0 },
        1 if handles < 3 => {
            let handle = Handle { pinned: vertices, path: Some(path), ..Handle::default() };
            Edit::AddHandle { piece, handle: Box::new(handle) }
        }
        2 if handles > 0 => {
            let part = ScenePart::Handle { piece, at: random.below(handles as u64) as u32 };
            Edit::SetPath { part, path: Some(path).filter(|_| random.below(2) == 0) }
        }
        _ => Edit::Fabric { piece, id: ["silk", "denim", "wool"][random.below(3) as usize].to_owned() },
    }
}

fn small() -> Piece {
    let mut piece = Piece::default();
    (piece.grid.columns, piece.grid.rows) = (4, 3);
    piece
}

/// Edits in a random order, back to the first bit, and all of them again, as often as said. As many
/// as can be taken back are made in between.
fn edits_and_back(rounds: usize, count: usize) {
    let mut session = with_time("hanging");
    set(&mut session, "columns", Scalar::Integer(5));
    set(&mut session, "rows", Scalar::Integer(5));
    advance(&mut session, 3);
    let mut random = Random(7);
    for round in 0..rounds {
        let mut states = vec![state(&session)];
        while states.len() <= count {
            let edit = any_edit(&mut random, &session.scene());
            let before = state(&session);
            session.apply(Command::Edit { edit: edit.clone() });
            if let Some(message) = session.message() {
                assert!(!message.is_empty() && state(&session) == before, "{edit:?}: {message}");
                apply(&mut session, Command::Dismiss);
                continue;
            }
            states.push(state(&session));
        }
        for number in (0..count).rev() {
            apply(&mut session, Command::Undo);
            assert!(state(&session) == states[number], "round {round}, edit {number}");
        }
        for state_then in &states[1..] {
            apply(&mut session, Command::Redo);
            assert!(state(&session) == *state_then, "round {round}");
        }
    }
}

#[test]
fn random_edits_are_taken_back_to_the_first_bit() {
    edits_and_back(2, 20);
}

#[test]
#[ignore = "full tier"]
fn two_thousand_random_edits_are_taken_back_to_the_first_bit() {
    edits_and_back(16, 125);
}

#[test]
fn an_edit_is_an_action_with_a_name_and_starts_the_scene_again() {
    let mut session = with_time("hanging");
    advance(&mut session, 10);
    let before = state(&session);
    let edit = Edit::AddPiece { piece: Box::new(small()) };
    apply(&mut session, Command::Edit { edit });
    assert_eq!(session.frame(0).timeline.undo.as_deref(), Some("Add"));
    assert_eq!((session.simulation().time(), session.simulation().state.cloth.len()), (0.0, 900 + 12));
    let after = state(&session);
    apply(&mut session, Command::Undo);
    assert!(state(&session) == before);
    apply(&mut session, Command::Redo);
    assert!(state(&session) == after);
}

#[test]
fn parameters_stay_and_a_scene_that_names_no_settings_names_none_after_an_edit() {
    let mut session = session("hanging");
    set(&mut session, "gravity", Scalar::Real(3.0));
    apply(&mut session, Command::Solver { id: "xpbd".to_owned() });
    apply(&mut session, Command::Edit { edit: Edit::AddPiece { piece: Box::new(small()) } });
    let saved = session.scene_to_save().expect("a scene");
    assert_eq!(saved.parameters.gravity.gravity, 3.0);
    assert_eq!((saved.solver.as_str(), saved.settings.len(), saved.pieces.len()), ("xpbd", 0, 1));
}

#[test]
fn edits_are_commands_of_scripts() {
    let text = r#"{"tick":0,"command":{"edit":{"edit":{"add_collider":{"collider":{"shape":{"Sphere":{"radius":0.2}},"position":[0.0,3.0,0.0]}}}}}}
{"tick":0,"command":{"edit":{"edit":{"set_down":{"part":{"collider":0}}}}}}
{"tick":2,"command":{"edit":{"edit":{"copy":{"part":{"piece":0},"by":[0.0,0.3,0.0],"count":2}}}}}
"#;
    let list = Stamped::parse_list(text, "a script").expect("commands");
    let again: String = list.iter().map(Stamped::to_line).collect();
    assert_eq!(Stamped::parse_list(&again, "again").expect("commands"), list);
    let mut session = session("hanging");
    for stamped in list {
        apply(&mut session, stamped.command);
    }
    let scene = session.scene();
    assert_eq!((scene.colliders[0].position, scene.pieces.len()), (Vec3::new(0.0, 0.2, 0.0), 2));
    let bad = r#"{"tick":0,"command":{"edit":{"edit":{"scale":{"part":{"piece":0},"by":0.0}}}}}"#;
    let error = Stamped::parse_list(bad, "a script").expect_err("no factor").to_string();
    assert!(error.contains("a script, line 1") && error.contains("positive factor"), "{error}");
}

/// A session whose cloth hangs from a handle that stays, with a path if one is given.
fn with_handle(path: Path) -> Session {
    let mut session = with_time("hanging");
    let handle = Handle { pins: PinChoice::TopEdge, path: Some(path), ..Handle::default() };
    apply(&mut session, Command::Edit { edit: Edit::AddHandle { piece: 0, handle: Box::new(handle) } });
    session
}

/// Middle of the upper edge [m].
fn middle(session: &Session) -> Vec3 {
    let columns = session.scene().first.grid.columns as usize;
    let positions = &session.simulation().state.cloth.positions;
    positions[..columns].iter().sum::<Vec3>() / columns as f64
}

#[test]
fn a_handle_in_the_hand_takes_its_vertices_along_smoothly_and_its_path_goes_on_from_there() {
    let path = Path::Waypoints { points: vec![(0.0, Vec3::ZERO), (10.0, Vec3::Y)], repeat: false };
    let mut session = with_handle(path);
    let start = middle(&session);
    let offset = Vec3::new(0.4, 0.0, 0.0);
    apply(&mut session, Command::MoveHandle { piece: 0, handle: 0, offset });
    let mut fastest: f64 = 0.0;
    for _ in 0..60 {
        advance(&mut session, 1);
        let first = session.simulation().state.cloth.velocities[0].length();
        fastest = fastest.max(first);
    }
    assert!(fastest < 16.0, "no hammer blow: {fastest} m/s");
    let time = session.simulation().time();
    assert!(middle(&session).distance(start + offset + 0.1 * time * Vec3::Y) < 1e-6, "{}", middle(&session));
    apply(&mut session, Command::Release);
    assert_eq!(session.frame(0).timeline.undo.as_deref(), Some("Moved handle"));
    advance(&mut session, 60);
    let time = session.simulation().time();
    assert!(middle(&session).distance(start + offset + 0.1 * time * Vec3::Y) < 1e-6, "{}", middle(&session));
    // the gesture is one action, however often the hand has moved
    apply(&mut session, Command::Undo);
    assert!(session.simulation().time() == 0.0 && middle(&session).distance(start) < 1e-12);
    // a scene that is saved meanwhile has the handle as it was
    assert_eq!(session.scene_to_save().expect("a scene").first.handles, session.scene().first.handles);
}

#[test]
fn while_time_stands_a_handle_is_where_the_hand_wants_it_and_an_edit_puts_it_back() {
    let still = Path::Waypoints { points: vec![(0.0, Vec3::ZERO)], repeat: false };
    let mut session = with_handle(still);
    let start = middle(&session);
    apply(&mut session, Command::Pause { on: true });
    apply(&mut session, Command::MoveHandle { piece: 0, handle: 0, offset: Vec3::Z });
    assert!(middle(&session).distance(start + Vec3::Z) < 1e-12);
    apply(&mut session, Command::Release);
    apply(&mut session, Command::Edit { edit: Edit::Title { title: "Flag".to_owned() } });
    assert!(middle(&session).distance(start) < 1e-12);
    for (piece, handle) in [(0, 1), (3, 0)] {
        session.apply(Command::MoveHandle { piece, handle, offset: Vec3::Z });
        assert!(session.message().is_some_and(|message| message.contains("does not exist")), "{:?}", session.message());
        apply(&mut session, Command::Dismiss);
    }
}

#[test]
fn moves_of_a_handle_are_repeated_from_a_recording_to_the_same_bits() {
    let still = Path::Waypoints { points: vec![(0.0, Vec3::ZERO)], repeat: false };
    let mut session = with_handle(still.clone());
    session.watch(Watch { recording: true, ..Watch::default() });
    for step in 0..20 {
        let offset = Vec3::new(0.01 * f64::from(step), 0.0, 0.005);
        apply(&mut session, Command::MoveHandle { piece: 0, handle: 0, offset });
        advance(&mut session, 1);
    }
    apply(&mut session, Command::Release);
    advance(&mut session, 5);
    let recording = session.recorded().expect("it is recorded");
    assert!(recording.contains("move_handle"), "{recording}");
    let replay = Replay::parse(&recording, "a.jsonl").expect("as it was written");
    assert_eq!(replay.run(0.0, |_| {}, |_, _| true).expect("it can be repeated"), Verdict::Identical);
}
