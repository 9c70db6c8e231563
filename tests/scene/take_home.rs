//! *Take it home*: the text has what acts and nothing else, is in the language of its engine, and its pseudocode is what the
//! solver does.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use weft::documents::take_home::{COLUMNS, Target, take_home};
use weft::scene::{Scene, scene_names};
use weft::sim::params::{Kind, Setting};
use weft::sim::solver_interface::Processor;
use weft::sim::solvers::{self, REGISTRY};
use weft::sim::{Parameters, Simulation};

use super::plain_words::faults;

/// Scenes of a grid and of meshes, with air of both models, wind, colliders and cloth-cloth contact.
const SCENES: [&str; 5] = ["hanging", "flag", "table", "skirt", "ribbon-air"];

/// Scene and simulation with another solver.
fn built(scene: &str, solver: &str, settings: &[(&str, &str)]) -> (Scene, Simulation) {
    let mut scene = Scene::load(scene).expect("it comes with the program");
    scene.set_solver(solver).expect("registered");
    for (key, value) in settings {
        scene.set(key, value).unwrap_or_else(|error| panic!("{solver}: {error}"));
    }
    let simulation = scene.build().expect("good");
    (scene, simulation)
}

fn text(scene: &str, solver: &str, settings: &[(&str, &str)], target: Target) -> String {
    let (scene, simulation) = built(scene, solver, settings);
    take_home(&scene, &simulation, None, target)
}

/// The lines of the pseudocode, without the marks of comments.
fn pseudocode(text: &str) -> Vec<String> {
    let is_comment = |line: &&str| line.trim_start().starts_with(['/', '#']);
    let lines: Vec<&str> = text.lines().collect();
    let heading = lines.iter().position(|line| line.contains("3. A time step, to be written")).expect("a heading");
    let lines = lines[heading + 1..].iter().copied().filter(is_comment);
    lines.map(|line| line.trim_start().trim_start_matches(['/', '#'])[1..].to_owned()).collect()
}

/// Names and values of the fields that a text declares.
fn declared(text: &str, target: Target) -> BTreeSet<(String, String)> {
    let field = |line: &str| {
        let line = line.trim();
        let (name, value) = match target {
            Target::Bevy => line.split_once(": ").filter(|(name, _)| !name.contains([' ', '/'])),
            Target::Unity => line.strip_prefix("[SerializeField] ")?.split_once(' ')?.1.split_once(" = "),
            Target::Godot => {
                let (name, value) = line.strip_prefix("@export var ")?.split_once(" = ")?;
                Some((name.split(':').next()?, value))
            }
            Target::C => line.strip_prefix('.')?.split_once(" = "),
        }?;
        let value = value.split([',', ';']).next()?.split(" #").next()?;
        Some((name.to_owned(), value.to_owned()))
    };
    // of Rust the constant alone, not the struct
    let lines: Vec<&str> = text.lines().collect();
    let from = if target == Target::Bevy { "pub const WEFT: Self = Self {" } else { "1. The parameters and settings" };
    let start = lines.iter().position(|line| line.contains(from)).expect("a declaration");
    let end = lines[start..].iter().position(|line| line.contains("2. The ")).expect("a next part") + start;
    lines[start..end].iter().filter_map(|line| field(line)).collect()
}

/// All parameters that act, found here from the declarations.
fn acting(simulation: &Simulation, target: Target) -> BTreeSet<(String, String)> {
    let mut found = BTreeSet::new();
    for group in simulation.parameters.groups().chain([simulation.solver().settings()]) {
        for (index, param) in group.params().iter().enumerate() {
            let acts =
                group.is_switched_on(index) && group.idle(index).is_none() && simulation.ignored(param).is_none();
            if acts && !found.insert((target.identifier(param.key), target.literal(param, group.get(index)))) {
                panic!("two parameters are called {}", param.key);
            }
        }
    }
    found
}

/// The solvers that run on this processor, and others where there are any.
fn ids() -> impl Iterator<Item = &'static str> {
    REGISTRY.iter().map(|entry| entry.info.id)
}

#[test]
fn the_text_declares_the_parameters_that_act_with_their_values_and_no_others() {
    let known = Parameters::default().groups().map(|group| group.params().len()).sum::<usize>();
    for scene in SCENES {
        for id in ids() {
            let (scene, simulation) = built(scene, id, &[]);
            for target in Target::ALL {
                let text = take_home(&scene, &simulation, None, target);
                let (expected, found) = (acting(&simulation, target), declared(&text, target));
                assert_eq!(found, expected, "{} by {id} for {}", scene.name, target.name());
                assert!(found.len() > 10 && found.len() < known, "{}", found.len());
            }
        }
    }
}

#[test]
fn values_are_those_of_now_in_the_language_of_the_engine() {
    let changed = [("gravity", "1.62"), ("damping", "0"), ("friction", "2e-5")];
    let id = solvers::id_of::<solvers::ImplicitNewton>();
    for (target, gravity, friction, tolerance) in [
        (Target::Bevy, "gravity: 1.62, // m/s²", "friction: 0.00002,", "gradient_tolerance: 1e-6, // N"),
        (Target::Unity, "float gravity = 1.62f; // m/s²", "float friction = 0.00002f;", "gradientTolerance = 1e-6f;"),
        (
            Target::Godot,
            "gravity: float = 1.62 # m/s²",
            "friction: float = 0.00002",
            "gradient_tolerance: float = 1e-6",
        ),
        (Target::C, ".gravity = 1.62, // m/s²", ".friction = 0.00002,", ".gradient_tolerance = 1e-6, // N"),
    ] {
        let text = text("hanging", id, &changed, target);
        for part in [gravity, friction, tolerance] {
            assert!(text.contains(part), "{}: {part}\n{text}", target.name());
        }
        // without damping there is no law of damping
        let law = target.identifier("damping_model");
        assert!(!text.contains(&law), "{law}");
    }
}

#[test]
fn the_pseudocode_is_short_complete_and_within_the_columns() {
    let columns = |line: &str| line.replace('\t', "    ").chars().count();
    let mut bad = Vec::new();
    for scene in SCENES {
        for id in ids() {
            for target in Target::ALL {
                let text = text(scene, id, &[], target);
                let place = format!("{scene} by {id} for {}", target.name());
                let long = text.lines().find(|line| columns(line) > COLUMNS);
                assert_eq!(long, None, "{place}");
                let lines = pseudocode(&text);
                if !(12..=30).contains(&lines.len()) {
                    bad.push(format!("{place}: {} lines\n{}", lines.len(), lines.join("\n")));
                }
                let left = lines.iter().find(|line| line.contains(['{', '}', '@', '[']));
                assert_eq!(left, None, "{place}: a name that does not act, or a part that is not there");
            }
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n\n"));
}

#[test]
fn every_scene_can_be_taken_home() {
    for name in scene_names() {
        let scene = Scene::load(&name).expect("it comes with the program");
        // large ones take long to build, and have the same text
        if scene.first.grid.columns * scene.first.grid.rows > 100_000 {
            continue;
        }
        let (mut scene, mut simulation) = (scene, None);
        if solvers::build(&scene.solver).is_none_or(|solver| solver.info().capabilities.processor == Processor::Device)
        {
            scene.set_solver(solvers::id_of::<solvers::FastMassSpring>()).expect("registered");
        }
        let simulation = simulation.get_or_insert_with(|| scene.build().expect("good"));
        let text = take_home(&scene, simulation, None, Target::C);
        assert_eq!(declared(&text, Target::C), acting(simulation, Target::C), "{name}");
        let lines = pseudocode(&text);
        assert!((8..=40).contains(&lines.len()), "{name}: {} lines\n{}", lines.len(), lines.join("\n"));
        let left = lines.iter().find(|line| line.contains(['{', '}', '@', '[']));
        assert_eq!(left, None, "{name}");
        assert!(text.lines().all(|line| line.chars().count() <= COLUMNS), "{name}\n{text}");
    }
}

/// Asserts that each setting of the solver that acts with these `settings`, and is not one of `before`, is named in the
/// pseudocode, or changes it where it is a choice; likewise what acts only after that change, so many times.
fn check_settings(id: &str, settings: &[(&str, &str)], before: &BTreeSet<&str>, depth: u32) {
    let (scene, simulation) = built("hanging", id, settings);
    let now = pseudocode(&take_home(&scene, &simulation, None, Target::C));
    let group = simulation.solver().settings();
    let acting = (0..group.params().len()).filter(|&index| {
        let is_on = group.is_switched_on(index) && group.idle(index).is_none();
        is_on && simulation.ignored(&group.params()[index]).is_none()
    });
    let acting: Vec<usize> = acting.collect();
    let known: BTreeSet<&str> =
        acting.iter().map(|&index| group.params()[index].key).chain(before.iter().copied()).collect();
    for index in acting.into_iter().filter(|&index| !before.contains(group.params()[index].key)) {
        let param = &group.params()[index];
        let others: Vec<String> = match (param.kind, group.get(index)) {
            (Kind::Toggle, Setting::Toggle(on)) => vec![(!on).to_string()],
            (Kind::Choice(choices), Setting::Choice(at)) => {
                let others = choices.iter().enumerate().filter(|(other, _)| *other != at);
                others.map(|(_, choice)| choice.key.to_owned()).collect()
            }
            (kind, _) => {
                // at zero some are left out
                let value = match kind {
                    Kind::Real { min, max, .. } => 1.0_f64.clamp(min, max).to_string(),
                    _ => "1".to_owned(),
                };
                let with_it = pseudocode(&text("hanging", id, &[settings, &[(param.key, &value)]].concat(), Target::C));
                let named = with_it.iter().any(|line| line.contains(param.key));
                assert!(named, "{id}: {} is not in\n{}", param.key, with_it.join("\n"));
                continue;
            }
        };
        let mut seen = vec![now.clone()];
        for value in others {
            let settings = [settings, &[(param.key, &value)]].concat();
            let changed = pseudocode(&text("hanging", id, &settings, Target::C));
            assert!(!seen.contains(&changed), "{id}: {}={value} changes nothing in\n{}", param.key, now.join("\n"));
            seen.push(changed);
            if depth > 0 {
                check_settings(id, &settings, &known, depth - 1);
            }
        }
    }
}

#[test]
fn every_setting_of_a_solver_that_acts_is_named_or_changes_the_pseudocode() {
    ids().for_each(|id| check_settings(id, &[], &BTreeSet::new(), 2));
}

#[test]
fn common_choices_of_method_change_the_pseudocode() {
    let fast = solvers::id_of::<solvers::FastMassSpring>();
    let implicit = solvers::id_of::<solvers::ImplicitEuler>();
    let of = |id: &str, settings: &[(&str, &str)]| pseudocode(&text("hanging", id, settings, Target::C));
    for (id, changes) in [
        (fast, &["scheme=theta", "scheme=bdf2", "bending_model=springs", "stiffness_law=per_strain", "damping=0"][..]),
        (implicit, &["damping_model=along_spring", "adaptive=true", "limit_stretch=true", "air=vacuum", "air=wind"]),
    ] {
        let mut seen = BTreeSet::from([of(id, &[])]);
        for change in changes {
            let changed = of(id, &[change.split_once('=').expect("a pair")]);
            assert!(seen.insert(changed), "{id}: {change}");
        }
    }
}

#[test]
fn pseudocode_is_in_plain_words() {
    let keys = BTreeSet::new();
    let mut bad = Vec::new();
    for entry in REGISTRY {
        let algorithm = entry.info.algorithm;
        assert!(algorithm.starts_with("memory: ") && algorithm.lines().count() > 6, "{}", entry.info.id);
        for line in algorithm.lines() {
            let faults = faults(line, &keys);
            if !faults.is_empty() {
                bad.push(format!("{}: {line}: {}", entry.info.id, faults.join(", ")));
            }
        }
    }
    assert!(bad.is_empty(), "{bad:#?}");
}

#[test]
fn the_head_has_scene_solver_paper_version_memory_and_a_command_that_makes_the_same_text() {
    for id in ids() {
        let changes = [("time_step", "0.01"), ("gravity", "3")];
        let (scene, simulation) = built("hanging", id, &changes);
        let text = take_home(&scene, &simulation, Some(0.00123), Target::Godot);
        let head: Vec<&str> = text.lines().map_while(|line| line.strip_prefix('#')).collect();
        let head = head.join("\n").replace("\n ", " ");
        let info = simulation.solver().info();
        for part in
            [info.name, info.source, "Hanging cloth", env!("CARGO_PKG_VERSION"), "Memory", "1.23 ms per time step"]
        {
            assert!(head.contains(part), "{id}: {part} is not in\n{head}");
        }
        let command = head.split_once("weft run --steps 300 ").expect("a command").1;
        let command = command.split_once("Left out").expect("the end").0.replace('\\', " ");
        let mut words = command.split_whitespace();
        let mut again = None;
        while let (Some(option), Some(value)) = (words.next(), words.next()) {
            match option {
                "--scene" => again = Some(Scene::load(value).expect("it comes with the program")),
                "--solver" => again.as_mut().expect("first").set_solver(value).expect("registered"),
                "--set" => {
                    let (key, value) = value.split_once('=').expect("a pair");
                    again.as_mut().expect("first").set(key, value).expect("good");
                }
                _ => panic!("{option} in {command}"),
            }
        }
        let again = again.expect("a scene");
        let same = take_home(&again, &again.build().expect("good"), Some(0.00123), Target::Godot);
        assert_eq!(same, text, "{id}");
    }
}

/// Runs a compiler on files and asserts that it takes them.
fn compiles(program: &str, arguments: &[&str], files: &[std::path::PathBuf], folder: &Path) {
    let output = Command::new(program).args(arguments).args(files).current_dir(folder).output();
    let output = output.unwrap_or_else(|error| panic!("{program}, which .ci/run installs, is missing: {error}"));
    assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn the_c_text_compiles() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut files = Vec::new();
    for scene in SCENES {
        for id in ids() {
            files.push(folder.path().join(format!("{scene}-{id}.c")));
            std::fs::write(files.last().expect("one"), text(scene, id, &[], Target::C)).expect("written");
        }
    }
    compiles("cc", &["-fsyntax-only", "-std=c99", "-Wall", "-Werror"], &files, folder.path());
}

#[test]
fn the_declaration_in_rust_compiles_alone_and_the_rest_is_rust() {
    let folder = tempfile::tempdir().expect("a folder");
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let mut files = Vec::new();
    for id in ids() {
        let text = text("flag", id, &[], Target::Bevy);
        let (declaration, _) = text.split_once("// 2. The step").expect("two parts");
        let file = folder.path().join("declaration.rs");
        std::fs::write(&file, declaration).expect("written");
        let arguments = ["--edition", "2024", "--crate-type", "lib", "--emit", "metadata", "-D", "warnings"];
        compiles(&rustc, &arguments, &[file], folder.path());
        files.push(folder.path().join(format!("{id}.rs")));
        std::fs::write(files.last().expect("one"), text).expect("written");
    }
    compiles("rustfmt", &["--edition", "2024", "--emit", "stdout"], &files, folder.path());
}

/// The first bracket without its partner, and the line where it is.
fn unbalanced(text: &str, comment: &str) -> Option<(usize, char)> {
    let mut open: Vec<(usize, char)> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let code = line.split(comment).next().unwrap_or_default();
        // without strings
        for letter in code.split('"').step_by(2).flat_map(str::chars) {
            match letter {
                '(' | '[' | '{' => open.push((number, letter)),
                ')' | ']' | '}' => {
                    let partner = match letter {
                        ')' => '(',
                        ']' => '[',
                        _ => '{',
                    };
                    if open.pop().is_none_or(|(_, bracket)| bracket != partner) {
                        return Some((number + 1, letter));
                    }
                }
                _ => {}
            }
        }
    }
    open.pop().map(|(number, letter)| (number + 1, letter))
}

#[test]
fn brackets_balance_in_c_sharp_and_gdscript() {
    assert_eq!(unbalanced("f(x[1)", "//"), Some((1, ')')));
    for scene in SCENES {
        for id in ids() {
            let unity = text(scene, id, &[], Target::Unity);
            assert_eq!(unbalanced(&unity, "//"), None, "{unity}");
            assert_eq!(unity.matches("class WeftCloth").count(), 1);
            let godot = text(scene, id, &[], Target::Godot);
            assert_eq!(unbalanced(&godot, "#"), None, "{godot}");
            // blocks are indented by tabs alone
            let spaces = godot.lines().find(|line| line.starts_with(' '));
            assert_eq!(spaces, None);
        }
    }
}

#[test]
fn names_of_a_scene_cannot_end_the_comment() {
    let (mut scene, simulation) = built("hanging", solvers::id_of::<solvers::Pbd>(), &[]);
    scene.title = "*/ int x; /*\nnext".to_owned();
    for target in Target::ALL {
        let text = take_home(&scene, &simulation, None, target);
        assert!(!text.lines().any(|line| line.starts_with("next")), "{text}");
        assert!(target != Target::C || text.matches("*/ int x").count() == 0, "{text}");
    }
}
