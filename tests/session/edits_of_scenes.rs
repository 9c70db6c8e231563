//! Edits by hand in scenes with wind, tearing, contact, bodies and irregular meshes.

use weft::scene::{Edit, Handle, ScenePart};
use weft::session::{Command, Session};
use weft::sim::{Path, Vec3};

use crate::desk::{advance, apply, state, with_time};

/// Duration of the motion of the handle [s], and its offset then [m].
const MOVES_FOR: f64 = 0.1;
const TO: Vec3 = Vec3::new(0.02, 0.03, -0.01);

/// Edits of all kinds that the editor has for vertices, in an order in which each is possible.
/// Vertices are counted from `first`, and `handles` are there already.
fn edits(first: u32, handles: u32) -> Vec<Edit> {
    let piece = 0;
    let vertices = |numbers: &[u32]| numbers.iter().map(|number| first + number).collect::<Vec<u32>>();
    let still = Path::Waypoints { points: vec![(0.0, Vec3::ZERO)], repeat: false };
    let way = Path::Waypoints { points: vec![(0.0, Vec3::ZERO), (MOVES_FOR, TO)], repeat: false };
    let handle = Handle { pinned: vertices(&[2, 3, 5]), path: Some(still), ..Handle::default() };
    vec![
        Edit::Pin { piece, vertices: vertices(&[0, 1, 2]), on: true },
        Edit::AddHandle { piece, handle: Box::new(handle) },
        Edit::Rename { part: ScenePart::Piece(piece), name: "Cloth by hand".to_owned() },
        Edit::Fabric { piece, id: "denim".to_owned() },
        Edit::Pin { piece, vertices: vertices(&[1]), on: false },
        Edit::Hide { part: ScenePart::Piece(piece), on: true },
        Edit::Lock { part: ScenePart::Piece(piece), on: true },
        Edit::Lock { part: ScenePart::Piece(piece), on: false },
        Edit::Shift { part: ScenePart::Piece(piece), by: 0.02 * Vec3::Y },
        Edit::SetPath { part: ScenePart::Handle { piece, at: handles }, path: Some(way) },
    ]
}

/// Positions of the vertices of the handle [m].
fn held(session: &Session, part: ScenePart) -> Vec<Vec3> {
    let vertices = session.scene().held_by(part, session.simulation().pattern());
    vertices.iter().map(|vertex| session.simulation().state.cloth.positions[*vertex as usize]).collect()
}

/// Edits a scene after some steps, runs it, and goes back and forth. Vertices are counted from
/// `first`.
fn edit_by_hand(name: &str, first: u32) {
    let mut session = with_time(name);
    advance(&mut session, 5);
    let handles = session.scene().first.handles.len() as u32;
    let mut states = vec![state(&session)];
    for edit in edits(first, handles) {
        apply(&mut session, Command::Edit { edit });
        states.push(state(&session));
    }
    let part = ScenePart::Handle { piece: 0, at: handles };
    let starts = held(&session, part);
    assert_eq!(starts.len(), 3, "{name}");

    // cloth around a handle may stop it in single steps
    let mut arrived = vec![false; starts.len()];
    for step in 1..=20 {
        advance(&mut session, 1);
        for ((start, end), arrived) in starts.iter().zip(held(&session, part)).zip(&mut arrived) {
            let left = end.distance(*start + TO);
            *arrived |= left < 1e-6;
            assert!(step < 20 || left < 0.001, "{name}: {start} -> {end}");
        }
    }
    assert!(session.simulation().time() > MOVES_FOR, "{name}: {} s", session.simulation().time());
    assert_eq!(arrived, [true; 3], "{name}");
    assert!(session.simulation().state.cloth.positions.iter().all(|at| at.is_finite()), "{name}");

    let moved = state(&session);
    for (number, before) in states.iter().enumerate().rev().skip(1) {
        apply(&mut session, Command::Undo);
        assert!(state(&session) == *before, "{name}: edit {number} taken back");
    }
    // the last action leads back to where it was left
    states.push(moved);
    states.swap_remove(states.len() - 2);
    for after in &states[1..] {
        apply(&mut session, Command::Redo);
        assert!(state(&session) == *after, "{name}: done again");
    }
}

#[test]
fn scenes_with_wind_tearing_contact_and_bodies_are_edited_by_hand() {
    ["breeze", "tearing", "turntable", "body"].into_iter().for_each(|name| edit_by_hand(name, 0));
}

#[test]
#[ignore = "full tier"]
fn garments_and_the_other_scenes_are_edited_by_hand() {
    // below the waist, which the body keeps away from
    edit_by_hand("skirt", 600);
    ["mesh", "flag", "table", "swing", "stack", "knot", "letters"].into_iter().for_each(|name| edit_by_hand(name, 0));
}
