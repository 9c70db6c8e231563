//! A mesh of one's own as a scene, and the dummy.

use weft::scene::{CommandLine, Scene, collect_settings};
use weft::session::{Command, Session};
use weft::sim::Vec3;

/// A folder with a square of 0.6 m in a file, whose lowest corner is at this height [m].
fn square(height: f64) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("my square.obj");
    let mut text = String::new();
    let side = 13;
    for k in 0..side * side {
        let (i, j) = (k % side, k / side);
        text += &format!("v {} {} {}\n", 0.05 * f64::from(i) - 0.3, height, 0.05 * f64::from(j) - 0.3);
    }
    for k in 0..side * (side - 1) {
        if k % side < side - 1 {
            let first = k + 1;
            text += &format!("f {} {} {} {}\n", first, first + side, first + side + 1, first + 1);
        }
    }
    std::fs::write(&path, text).expect("written");
    let file = path.to_string_lossy().into_owned();
    (folder, file)
}

#[test]
fn a_scene_file_without_a_title_is_called_by_its_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("my_flag.ron");
    for (text, title) in [("()", "My flag"), ("(title: \"Mine\")", "Mine")] {
        std::fs::write(&file, text).expect("written");
        let scene = Scene::load(&file.to_string_lossy()).expect("a scene");
        assert_eq!(scene.title, title);
    }
}

#[test]
fn a_mesh_of_ones_own_lies_where_its_file_has_it_alone_with_settings_that_hold_it() {
    let (_folder, file) = square(1.2);
    let scene = Scene::load(&file).expect("a mesh is a scene");
    assert_eq!((scene.title.as_str(), scene.name.as_str()), ("My square", file.as_str()));
    assert!(scene.colliders.is_empty() && scene.parameters.contact.ground && scene.parameters.contact.self_contact);
    let mut simulation = scene.build().expect("good");
    assert!(
        simulation.state.cloth.positions[0].distance(Vec3::new(-0.3, 1.2, -0.3)) < 1e-12,
        "{}",
        simulation.state.cloth.positions[0]
    );
    // cotton, and more than a few plain iterations
    assert_eq!(simulation.parameters.mass.area_density, 0.13);
    assert_ne!(collect_settings(simulation.solver().settings())["acceleration"].to_string(), "none");
    for _ in 0..120 {
        simulation.step().expect("it holds");
    }
    let lowest = simulation.state.cloth.positions.iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
    assert!((0.0..0.02).contains(&lowest), "it lies on the floor: {lowest}");
    assert!(simulation.largest_stretch() < 0.1, "{}", simulation.largest_stretch());
}

#[test]
fn a_mesh_on_the_floor_is_lifted() {
    for height in [0.0, -3.0] {
        let (_folder, file) = square(height);
        let simulation = Scene::load(&file).expect("a mesh").build().expect("good");
        assert!((simulation.state.cloth.positions[0].y - 0.5).abs() < 1e-12, "{}", simulation.state.cloth.positions[0]);
    }
    // one in centimetres goes with its scale
    let (_folder, file) = square(120.0);
    let mut scene = Scene::load(&file).expect("a mesh");
    scene.set("mesh_scale", "0.01").expect("in range");
    let simulation = scene.build().expect("good");
    assert!((simulation.state.cloth.positions[0].y - 1.2).abs() < 1e-12, "{}", simulation.state.cloth.positions[0]);
    assert!(Scene::load("nowhere.obj").expect_err("there is none").to_string().contains("nowhere.obj"));
}

#[test]
fn the_dummy_stands_on_the_floor_and_leaves_again() {
    let (_folder, file) = square(1.9);
    let mut scene = Scene::load(&file).expect("a mesh");
    assert!(!scene.has_dummy());
    for _ in 0..2 {
        scene.set("dummy", "true").expect("it is there");
        assert!(scene.has_dummy());
    }
    let parts = scene.colliders.len();
    assert!(parts > 10, "arms, legs, neck and head");
    assert_eq!(CommandLine::of(&scene).expect("known").arguments, ["--scene", &file, "--set", "dummy=true"]);
    // it catches what falls on its head and shoulders
    let mut simulation = scene.build().expect("good");
    for _ in 0..60 {
        simulation.step().expect("it holds");
    }
    let highest = simulation.state.cloth.positions.iter().map(|x| x.y).fold(0.0, f64::max);
    assert!((1.6..1.85).contains(&highest), "{highest}");
    // it is who wears the poncho
    assert!(Scene::load("mesh").expect("there").has_dummy());
    // what is saved has one of it
    let saved = Session::new(scene.clone(), simulation).scene_to_save().expect("good");
    assert_eq!(Scene::parse(&saved.to_ron(), "a.ron").expect("good").colliders.len(), parts);
    scene.set("dummy", "false").expect("it goes");
    assert!(scene.colliders.is_empty());
    assert!(scene.set("dummy", "perhaps").expect_err("neither").to_string().contains("true or false"));
}

#[test]
fn a_mesh_that_is_opened_is_offered_a_dummy() {
    let (_folder, file) = square(1.2);
    let first = Scene::load("mesh").expect("there");
    let mut session = Session::new(first.clone(), first.build().expect("good"));
    session.apply(Command::Open { file: file.clone() });
    assert!(session.simulation().state.world.colliders.is_empty(), "nothing of the last scene");
    let offer = session.offer().cloned().expect("a dummy");
    assert_eq!(offer.label, "Add a dummy");
    session.apply(offer.command);
    assert!(session.scene().has_dummy());
    // the same file, written anew, keeps it
    session.apply(Command::Open { file });
    assert!(session.scene().has_dummy());
    assert!(session.offer().is_none());
}

/// A folder with two tubes in a file, sleeves that go down by `angle` from the horizontal [rad],
/// in units of `unit` [m].
fn sleeves(angle: f64, unit: f64) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("sleeves.obj");
    let (around, along) = (16, 9);
    let mut text = String::new();
    for side in [-1.0, 1.0] {
        let axis = Vec3::new(side * angle.cos(), -angle.sin(), 0.0);
        let across = [Vec3::new(side * angle.sin(), angle.cos(), 0.0), Vec3::Z];
        for k in 0..around * along {
            let turn = std::f64::consts::TAU * f64::from(k % around) / f64::from(around);
            let middle = Vec3::new(side * 0.2, 1.37, 0.0) + axis * (0.08 + 0.03 * f64::from(k / around));
            let x = (middle + 0.075 * (across[0] * turn.cos() + across[1] * turn.sin())) / unit;
            text += &format!("v {} {} {}\n", x.x, x.y, x.z);
        }
    }
    for k in 0..2 * around * along {
        let (ring, place) = (k / around, k % around);
        if (ring + 1) % along > 0 {
            let at = |ring: i32, place: i32| 1 + ring * around + place % around;
            let corners = [at(ring, place), at(ring, place + 1), at(ring + 1, place + 1), at(ring + 1, place)];
            text += &format!("f {} {} {} {}\n", corners[0], corners[1], corners[2], corners[3]);
        }
    }
    std::fs::write(&path, text).expect("written");
    let file = path.to_string_lossy().into_owned();
    (folder, file)
}

#[test]
fn the_arms_of_the_dummy_go_along_the_sleeves() {
    for (angle, unit) in [(0.0, 1.0), (0.7, 1.0), (0.0, 0.01)] {
        let (_folder, file) = sleeves(angle, unit);
        let mut scene = Scene::load(&file).expect("a mesh");
        scene.set("dummy", "true").expect("it is there");
        // the unit is told afterwards
        if unit < 1.0 {
            scene.set("mesh_scale", &unit.to_string()).expect("in range");
        }
        let hands: Vec<Vec3> = scene.colliders.iter().map(|part| part.position).filter(|x| x.x.abs() > 0.4).collect();
        let hands: Vec<Vec3> = hands.into_iter().filter(|x| x.y > 0.5).collect();
        let wanted = Vec3::new(0.0, -angle.sin(), 0.0);
        for hand in &hands {
            let along = (*hand - Vec3::new(0.2013_f64.copysign(hand.x), 1.3697, 0.0)).normalize();
            assert!((along.y - wanted.y).abs() < 0.03, "{angle}: {along}");
        }
        let command = CommandLine::of(&scene).expect("known");
        assert!(command.missing.is_empty(), "{:?}", command.missing);
        // they are worn: without arms in them they would lie on the floor
        let mut simulation = scene.build().expect("good");
        for _ in 0..90 {
            simulation.step().expect("it holds");
        }
        let lowest = simulation.state.cloth.positions.iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
        assert!(lowest > 0.8, "{angle}: {lowest}");
        assert!(simulation.largest_stretch() < 0.15, "{}", simulation.largest_stretch());
        scene.set("dummy", "false").expect("it goes");
        assert!(scene.colliders.is_empty(), "{:?}", scene.colliders);
    }
}
