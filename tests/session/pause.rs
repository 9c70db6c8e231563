//! The hand while time stands still.

use weft::scene::{Grid, Piece, Scene};
use weft::session::{Command, Session};
use weft::sim::Vec3;
use weft::sim::contact::{Collider, Intersections, Shape};

/// Two sheets of 21 by 21 vertices, 4 cm above each other, paused; the middle of the lower one is in the hand.
fn two_sheets(self_contact: bool) -> Session {
    let grid = Grid { columns: 21, rows: 21, width: 0.5, height: 0.5, ..Grid::default() };
    let piece = Piece { grid, position: Some(Vec3::new(0.003, 1.04, 0.002)), ..Piece::default() };
    let mut scene = Scene { pieces: vec![piece], ..Scene::default() };
    (scene.first.grid, scene.first.position) = (grid, Some(Vec3::Y));
    scene.set("plane", "flat").expect("a key");
    scene.pieces[0].grid.plane = scene.first.grid.plane;
    scene.parameters.contact.self_contact = self_contact;
    let simulation = scene.build().expect("good");
    let mut session = Session::new(scene, simulation);
    session.apply(Command::Pause { on: true });
    session.apply(Command::Grab { vertex: 220, target: session.simulation().state.cloth.positions[220] });
    session
}

fn intersections(session: &Session) -> usize {
    let simulation = session.simulation();
    Intersections::default().find(simulation.pattern(), &simulation.state.cloth.positions).len()
}

fn drag(session: &mut Session, target: Vec3) -> Vec3 {
    session.apply(Command::Move { target });
    session.simulation().state.cloth.positions[220]
}

#[test]
fn a_vertex_that_is_dragged_in_a_pause_stops_at_other_cloth() {
    let mut session = two_sheets(true);
    let start = session.simulation().state.cloth.positions.clone();
    // in one go, and then on, to and fro
    for (x, y) in [(0.0, 1.3), (0.05, 1.3), (-0.1, 1.2), (0.02, 1.5), (0.4, 1.5), (-0.6, 1.1)] {
        let reached = drag(&mut session, Vec3::new(x, y, 0.01));
        assert_eq!(intersections(&session), 0, "after a drag to {x}, {y}");
        // just below the other sheet, around whose border the hand may go, through it not
        assert!((1.02..1.041).contains(&reached.y) || reached.x.abs() > 0.2, "it is at {reached}");
        assert!(reached.is_finite());
    }
    let others = session.simulation().state.cloth.positions.iter().zip(&start).enumerate().filter(|(i, _)| *i != 220);
    assert!(others.clone().all(|(_, (now, before))| now == before), "only what is in the hand moves in a pause");
    // where nothing is in the way it goes where the hand wants it
    let free = Vec3::new(0.01, 0.8, -0.02);
    assert_eq!(drag(&mut session, free), free);
    assert_eq!(drag(&mut session, Vec3::new(0.01, 0.9, 0.0)), Vec3::new(0.01, 0.9, 0.0));
    session.apply(Command::Pause { on: false });
    for _ in 0..30 {
        session.tick().expect("it holds");
        assert_eq!(intersections(&session), 0);
    }
    // where cloth may pass through cloth, it does
    let through = Vec3::new(0.0, 1.3, 0.0);
    assert_eq!(drag(&mut two_sheets(false), through), through);
}

#[test]
fn a_vertex_that_is_dragged_in_a_pause_stays_between_cloth_and_collider() {
    let mut session = two_sheets(true);
    let shape = Shape::Sphere { radius: 0.1 };
    session.simulation_mut().state.world.colliders.push(Collider::new(shape, Vec3::new(0.0, 0.87, 0.0)));
    let thickness = session.simulation().parameters.contact.thickness;
    for k in 0..40 {
        let angle = 0.7 * f64::from(k);
        let reached =
            drag(&mut session, Vec3::new(0.3 * angle.sin(), 1.0 + 0.2 * (1.3 * angle).cos(), 0.2 * angle.cos()));
        assert_eq!(intersections(&session), 0);
        let depth = 0.1 + thickness - reached.distance(Vec3::new(0.0, 0.87, 0.0));
        assert!(depth < 1e-4, "drag {k}: {depth} m within the collider, at {reached}");
    }
}
