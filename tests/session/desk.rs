//! Sessions that several tests begin with, and what a person may do in them.

use weft::scene::{Scalar, Scene};
use weft::session::{Command, Keeping, Session, Stamped};
use weft::sim::Vec3;

pub fn session(scene: &str) -> Session {
    let scene = Scene::load(scene).expect("it comes with the program");
    let simulation = scene.build().expect("good");
    Session::new(scene, simulation)
}

/// A session that keeps its way.
pub fn with_time(scene: &str) -> Session {
    let mut session = session(scene);
    session.keep_time(Keeping::default());
    session
}

pub fn advance(session: &mut Session, ticks: usize) {
    for _ in 0..ticks {
        session.tick().expect("it holds");
    }
}

pub fn apply(session: &mut Session, command: Command) {
    let what = format!("{command:?}");
    session.apply(command);
    assert_eq!(session.message(), None, "{what}");
}

pub fn set(session: &mut Session, key: &str, value: Scalar) {
    apply(session, Command::Set { key: key.to_owned(), value });
}

pub fn solver(session: &mut Session, id: &str) {
    apply(session, Command::Solver { id: id.to_owned() });
}

/// All that the next steps depend on.
pub fn state(session: &Session) -> String {
    session.snapshot().to_json()
}

/// What a person may do in three seconds.
pub fn busy_hands() -> Vec<Stamped> {
    let grab = |tick: u64, x: f64| Stamped { tick, command: Command::Move { target: Vec3::new(x, 1.0, 0.3) } };
    let at = |tick, command| Stamped { tick, command };
    let set = |key: &str, value| Command::Set { key: key.to_owned(), value };
    vec![
        at(0, set("damping", Scalar::Real(0.003))),
        at(10, Command::Grab { vertex: 465, target: Vec3::new(0.2, 1.1, 0.2) }),
        grab(12, 0.25),
        grab(20, 0.4),
        at(25, Command::Wind { on: true }),
        at(40, Command::Release),
        at(41, Command::Pin { vertex: 29 * 30 + 15 }),
        at(45, Command::Pause { on: true }),
        at(50, Command::Grab { vertex: 0, target: Vec3::new(-0.3, 1.2, 0.0) }),
        grab(52, -0.35),
        at(52, Command::Step),
        at(53, Command::Release),
        at(55, Command::Pause { on: false }),
        at(60, Command::Solver { id: "xpbd".to_owned() }),
        at(60, set("iterations", Scalar::Integer(3))),
        at(80, Command::Table { on: true }),
        at(100, Command::Unpin { vertex: 29 }),
        at(120, Command::Solver { id: "implicit-euler".to_owned() }),
    ]
}
