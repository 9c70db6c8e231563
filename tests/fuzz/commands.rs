//! Every command there is, at random, to a small session.

use std::path::Path;
use std::sync::OnceLock;

use weft::scene::{Edit, Fabric, Handle, Scalar, Scene, ScenePart};
use weft::session::{Command, CutHit, Keeping, Session};
use weft::sim::contact::{Collider, Shape};
use weft::sim::{Path as Motion, Vec3, solvers};

use crate::random::Random;
use crate::settings::params;

type Maker = fn(&mut Random, &Session) -> Command;

/// One for each command there is, in any order.
pub const MAKERS: &[Maker] = &[
    grab,
    moved,
    |_, _| Command::Release,
    move_collider,
    |_, _| Command::ReleaseCollider,
    move_handle,
    pin,
    unpin,
    cut,
    set,
    fabric,
    |_, _| Command::Iron,
    solver,
    |random, _| Command::Wind { on: random.chance(0.6) },
    |random, _| Command::Table { on: random.chance(0.6) },
    |_, _| Command::Reset,
    |_, _| Command::ResetHeld,
    |_, _| Command::Restore,
    mend,
    edit,
    scene,
    open,
    |random, _| Command::Pause { on: random.chance(0.5) },
    |_, _| Command::Step,
    arrange,
    |_, _| Command::Undo,
    |_, _| Command::Redo,
    go_to,
    |_, _| Command::DropLeft,
    |_, _| Command::Finish,
    |_, _| Command::Dismiss,
];

/// Any command; those that lead elsewhere are rarer.
pub fn any(random: &mut Random, session: &Session) -> Command {
    loop {
        let command = random.choose(MAKERS)(random, session);
        let leads_away =
            matches!(command, Command::Scene { .. } | Command::Open { .. } | Command::Reset | Command::ResetHeld);
        if !leads_away || random.chance(0.3) {
            return command;
        }
    }
}

fn place(random: &mut Random) -> Vec3 {
    Vec3::new(random.share(), random.share(), random.share()) * 2.0 - 1.0
}

fn vertex(random: &mut Random, session: &Session) -> u32 {
    random.below(session.simulation().state.cloth.len()) as u32
}

fn grab(random: &mut Random, session: &Session) -> Command {
    Command::Grab { vertex: vertex(random, session), target: place(random) }
}

fn moved(random: &mut Random, _: &Session) -> Command {
    Command::Move { target: place(random) }
}

fn move_collider(random: &mut Random, _: &Session) -> Command {
    Command::MoveCollider { collider: 0, position: place(random), rotation: place(random) }
}

fn move_handle(random: &mut Random, _: &Session) -> Command {
    Command::MoveHandle { piece: 0, handle: 0, offset: 0.3 * place(random) }
}

fn pin(random: &mut Random, session: &Session) -> Command {
    Command::Pin { vertex: vertex(random, session) }
}

fn unpin(random: &mut Random, session: &Session) -> Command {
    let pins = session.simulation().state.cloth.pins();
    let some = |random: &mut Random| random.choose(pins).vertex;
    let vertex = if pins.is_empty() || random.chance(0.3) { vertex(random, session) } else { some(random) };
    Command::Unpin { vertex }
}

/// A stroke through neighbouring triangles, or through any.
fn cut(random: &mut Random, session: &Session) -> Command {
    let count = session.simulation().pattern().triangles().len();
    let first = random.below(count);
    let hit = |triangle: usize| Some(CutHit { triangle: triangle as u32, weights: [0.4, 0.3, 0.3] });
    let hits = match random.chance(0.7) {
        true => (first..(first + 8).min(count)).map(hit).collect(),
        false => (0..3).map(|_| if random.chance(0.8) { hit(random.below(count)) } else { None }).collect(),
    };
    Command::Cut { begin: random.chance(0.6), hits }
}

fn set(random: &mut Random, session: &Session) -> Command {
    let mut scene = session.scene();
    let known = params(&mut scene);
    let param = random.choose(&known);
    // the work stays within what a test can afford
    let (key, value) = match param.key {
        "work_limit" => ("gravity", "3".to_owned()),
        key @ ("columns" | "rows") => (key, (3 + random.below(5)).to_string()),
        "time_step" => ("time_step", (0.004 + 0.02 * random.share()).to_string()),
        key => (key, random.value(param)),
    };
    let (key, value) = if random.chance(0.05) { ("image", picture()) } else { (key, value) };
    Command::Set { key: key.to_owned(), value: Scalar::Text(value) }
}

fn fabric(random: &mut Random, _: &Session) -> Command {
    Command::Fabric { id: random.choose(Fabric::all()).id.clone() }
}

pub fn solver(random: &mut Random, _: &Session) -> Command {
    Command::Solver { id: random.choose(solvers::REGISTRY).info.id.to_owned() }
}

fn mend(random: &mut Random, _: &Session) -> Command {
    let set = [("damping".to_owned(), Scalar::Real(0.01 * random.share()))].into_iter().collect();
    let solver = random.chance(0.3).then(|| random.choose(solvers::REGISTRY).info.id.to_owned());
    Command::Mend { set, solver }
}

fn edit(random: &mut Random, session: &Session) -> Command {
    let by = 0.1 * place(random);
    let edit = match random.below(6) {
        0 => Edit::Rename { part: ScenePart::Piece(0), name: format!("cloth {}", random.below(9)) },
        1 => Edit::Pin { piece: 0, vertices: vec![vertex(random, session)], on: random.chance(0.5) },
        2 => Edit::Shift { part: ScenePart::Piece(0), by },
        3 => Edit::AddCollider { collider: Box::new(Collider::new(Shape::Sphere { radius: 0.1 }, by)) },
        4 => Edit::Title { title: format!("title {}", random.below(9)) },
        _ => Edit::Turn { part: ScenePart::Collider(0), by },
    };
    Command::Edit { edit }
}

fn arrange(random: &mut Random, session: &Session) -> Command {
    let mut arrangement = session.arrangement();
    arrangement.parameters.insert("gravity".to_owned(), Scalar::Real(10.0 * random.share()));
    Command::Arrange { arrangement }
}

/// The present moment, an earlier or a later one, or one that is not there.
fn go_to(random: &mut Random, session: &Session) -> Command {
    let at = session.frame(0).timeline.at;
    let step = if random.chance(0.3) { at } else { random.below(at as usize + 3) as u64 };
    Command::GoTo { step }
}

fn scene(random: &mut Random, _: &Session) -> Command {
    let name = random.choose(&[files()[0].clone(), "hanging".to_owned(), "no scene".to_owned()]).clone();
    Command::Scene { name }
}

fn open(random: &mut Random, _: &Session) -> Command {
    Command::Open { file: random.choose(files()).clone() }
}

fn picture() -> String {
    concat!(env!("CARGO_MANIFEST_DIR"), "/assets/images/convergence.png").to_owned()
}

/// Files to open, a scene first; the last one is not there.
fn files() -> &'static [String] {
    static FILES: OnceLock<Vec<String>> = OnceLock::new();
    FILES.get_or_init(|| {
        let folder = std::env::temp_dir().join(format!("weft-commands-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a temporary folder");
        let write = |name: &str, text: &str| {
            let path = folder.join(name);
            std::fs::write(&path, text).expect("a temporary file");
            path.to_string_lossy().into_owned()
        };
        let scene = Scene::load("hanging").and_then(|mut scene| {
            ["columns", "rows"].into_iter().try_for_each(|key| scene.set(key, "4"))?;
            Session::new(scene.clone(), scene.build()?).scene_to_save()
        });
        let scene = scene.expect("it comes with the program");
        let snapshot = Session::new(scene.clone(), scene.build().expect("good")).snapshot().to_json();
        let square = "v 0 1 0\nv 0.3 1 0\nv 0.3 1 0.3\nv 0 1 0.3\nf 1 2 3 4\n";
        let body = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/bodies/two.mesh");
        vec![
            write("a.ron", &scene.to_ron()),
            write("a.json", &snapshot),
            write("a.obj", square),
            body.to_string_lossy().into_owned(),
            picture(),
            folder.join("none.obj").to_string_lossy().into_owned(),
        ]
    })
}

/// A cloth of some 30 vertices with a handle, a collider and any solver, whose way is kept.
pub fn session(random: &mut Random) -> Session {
    let mut scene = Scene::load("hanging").expect("it comes with the program");
    for key in ["columns", "rows"] {
        scene.set(key, &(4 + random.below(4)).to_string()).expect("in range");
    }
    let still = Motion::Waypoints { points: vec![(0.0, Vec3::ZERO)], repeat: false };
    scene.first.handles = vec![Handle { pinned: vec![9, 10], path: Some(still), ..Handle::default() }];
    scene.colliders = vec![Collider::new(Shape::Sphere { radius: 0.15 }, Vec3::new(0.1, 0.9, 0.3))];
    if random.chance(0.7) {
        scene.set_solver(random.choose(solvers::REGISTRY).info.id).expect("registered");
    }
    let simulation = scene.build().expect("good");
    let mut session = Session::new(scene, simulation);
    // so little at times that key states are rare, or the beginning is forgotten
    let keeping = match random.below(4) {
        0 => Keeping { bytes: 200_000, ..Keeping::default() },
        1 => Keeping { seconds: 0.3, ..Keeping::default() },
        _ => Keeping::default(),
    };
    session.keep_time(keeping);
    session
}

#[test]
fn every_command_is_made() {
    let refusal = serde_json::from_str::<Command>("\"no command\"").expect_err("it is none").to_string();
    let mut missing: Vec<&str> = refusal.split('`').skip(3).step_by(2).collect();
    assert!(missing.len() > 20, "{refusal}");
    let mut random = Random::new(1);
    let session = session(&mut random);
    for make in MAKERS {
        let value = serde_json::to_value(make(&mut random, &session)).expect("only string keys");
        let name = value.as_str().or_else(|| value.as_object()?.keys().next().map(String::as_str));
        let name = name.expect("a name");
        missing.retain(|other| *other != name);
    }
    assert!(missing.is_empty(), "commands that no random session has: {missing:?}");
}
