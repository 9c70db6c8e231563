//! Edits of the scene as commands: taken back, done again, repeated from a recording.

use weft::scene::{Edit, Part, Piece, Scalar, Scene};
use weft::session::{Command, Stamped};
use weft::sim::Vec3;
use weft::sim::contact::{Collider, Shape};

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
    let part = if at < pieces { Part::Piece(at as u32) } else { Part::Collider((at - pieces) as u32) };
    let is_full = pieces + colliders > 6;
    match random.below(10) {
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
            Part::Piece(at) => Edit::ReplacePiece { at, piece: Box::new(small()) },
            Part::Collider(at) => {
                let shape = Shape::Box { half_extents: Vec3::splat(0.1) };
                Edit::ReplaceCollider { at, collider: Box::new(Collider::new(shape, random.vector())) }
            }
        },
        6 => Edit::Shift { part, by: random.vector() },
        _ => Edit::Remove { part },
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
