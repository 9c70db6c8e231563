//! Scenes that are built in the real window with pointer and keys alone, and saved: the files are
//! those that one would write by hand.

use weft::scene::{PinChoice, Scene};
use weft::sim::Path;

use super::desk::Desk;

/// The editor of the scene `hanging`.
fn open() -> Desk {
    let mut desk = Desk::open(&["--quality", "low"]);
    desk.settle();
    desk.key("e");
    desk.wait("control add ball at");
    desk.settle();
    desk
}

/// Clicks a control when it stands still, and waits for what the log says then.
fn click(desk: &mut Desk, control: &str, said: &str) {
    reach(desk, control);
    desk.click(control);
    desk.wait(said);
}

/// Turns the wheel over the panel until a control is in sight and stands still.
fn reach(desk: &mut Desk, control: &str) {
    for _ in 0..60 {
        desk.settle();
        let (_, y) = desk.place(control);
        let button = match y {
            450.. => 5,
            ..90 => 4,
            _ => return,
        };
        desk.move_to((760, 300));
        desk.button("click", button);
    }
    panic!("{control} cannot be reached");
}

/// Types a number in place of the one of a control.
fn number(desk: &mut Desk, control: &str, text: &str) {
    reach(desk, control);
    desk.click(control);
    desk.settle();
    desk.key("ctrl+a");
    desk.type_text(text);
    desk.key("Return");
    desk.wait("edited: Change");
}

/// Drags the pointer with the left button along places from the middle of the view [pixels].
fn draw(desk: &mut Desk, places: &[(i32, i32)]) {
    desk.settle();
    let (x, y) = desk.place("view");
    for (number, (right, down)) in places.iter().enumerate() {
        desk.move_to((x + right, y + down));
        desk.settle();
        if number == 0 {
            desk.button("mousedown", 1);
            desk.settle();
        }
    }
    desk.button("mouseup", 1);
}

/// Saves the scene, and reads it, without the place of the camera.
fn saved(mut desk: Desk) -> Scene {
    desk.settle();
    desk.key("ctrl+s");
    desk.wait("asking for a file to save the scene in");
    desk.settle();
    desk.key("Return");
    desk.wait("Written: ");
    let file = desk.file("hanging.ron");
    let saved = Scene::load(&file.to_string_lossy()).expect("it reads its own");
    desk.key("e");
    desk.let_pass(0.5);
    drop(desk.quit());
    Scene { camera: None, ..saved }
}

/// The scene `hanging` with lines of a file added by hand; the settings of its solver have their
/// defaults.
fn written(lines: &str) -> Scene {
    let mut scene = Scene::load("hanging").expect("it comes with the program");
    let by_hand = Scene::parse(lines, "by hand").expect("a scene");
    let pins = scene.first.pins;
    scene.first = by_hand.first;
    if !lines.contains("pins:") {
        scene.first.pins = pins;
    }
    (scene.pieces, scene.colliders) = (by_hand.pieces, by_hand.colliders);
    scene.settings.remove("iterations");
    Scene { camera: None, ..scene }
}

#[test]
#[ignore = "full tier"]
fn two_cloths_over_a_ball_and_a_box_are_built_and_saved_as_one_would_write_them() {
    let mut desk = open();
    for thing in ["add ball", "add box", "add cloth"] {
        click(&mut desk, thing, "chose ");
    }
    // the cloth that was added last, higher by its arrow in the middle of the view
    desk.settle();
    desk.key("f");
    desk.settle();
    let (x, y) = desk.place("view");
    desk.move_to((x, y - 36));
    desk.settle();
    desk.settle();
    desk.button("mousedown", 1);
    desk.settle();
    desk.move_to((x, y - 50));
    desk.settle();
    desk.move_to((x, y - 76));
    desk.settle();
    desk.button("mouseup", 1);
    desk.wait("edited: Shift");
    desk.settle();
    // and exactly there
    number(&mut desk, "piece position y", "1.75");
    let saved = saved(desk);
    let mut written = Scene::load("hanging").expect("it comes with the program");
    let lines = "(
        pieces: [(position: (0.0, 1.75, 0.0))],
        colliders: [
            (shape: Sphere(radius: 0.2), position: (0.0, 0.2, 0.0)),
            (shape: Box(half_extents: (0.15, 0.15, 0.15)), position: (POSITION, 0.15, 0.0)),
        ],
    )";
    let beside = saved.colliders[1].position.x;
    assert!((0.35..0.6).contains(&beside.abs()), "the box is beside the ball, at {beside}");
    let by_hand = Scene::parse(&lines.replace("POSITION", &format!("{beside:?}")), "by hand").expect("a scene");
    (written.pieces, written.colliders) = (by_hand.pieces, by_hand.colliders);
    // which is the default
    written.settings.remove("iterations");
    written.camera = None;
    assert_eq!(saved.to_ron(), written.to_ron());
}

#[test]
#[ignore = "full tier"]
fn a_flag_on_a_pole_that_a_recorded_hand_moves_is_built() {
    let mut desk = open();
    click(&mut desk, "add cylinder", "chose ");
    for (control, text) in [
        ("part radius", "0.02"),
        ("part height", "2"),
        ("collider position x", "-0.55"),
        ("collider position y", "0.9"),
    ] {
        number(&mut desk, control, text);
    }
    // the cloth upright, at the pole with its left side
    click(&mut desk, "part cloth", "chose Piece");
    number(&mut desk, "turned x", "90");
    click(&mut desk, "remove pins of cloth", "edited: Remove");
    desk.settle();
    desk.key("f");
    reach(&mut desk, "choose by side");
    desk.click("choose by side");
    draw(&mut desk, &[(-70, 0)]);
    desk.wait("chose 30 vertices");
    click(&mut desk, "selection handle", "chose Handle");
    click(&mut desk, "record the hand", "waiting for the hand");
    draw(&mut desk, &[(0, 0), (20, -10), (50, -20), (70, -40), (40, -50), (0, -20)]);
    desk.wait("edited: Path");
    // the pole with it
    click(&mut desk, "part cylinder", "chose Collider");
    click(&mut desk, "same motion", "control motion of handle at");
    click(&mut desk, "motion of handle", "edited: Change");
    let saved = saved(desk);
    let path = saved.colliders[0].path.clone().expect("it moves");
    let Path::Waypoints { points, repeat: false } = &path else { panic!("{path:?}") };
    let farthest = points.iter().map(|(_, offset)| offset.length()).fold(0.0, f64::max);
    assert!(points.len() > 2 && farthest > 0.1, "{points:?}");
    let points: Vec<String> =
        points.iter().map(|(time, at)| format!("({time:?}, ({:?}, {:?}, {:?}))", at.x, at.y, at.z)).collect();
    let path = format!("Waypoints(points: [{}])", points.join(", "));
    let lines = "(
        position: (0.0, 1.5, 0.0),
        rotation: (1.5707963267948966, 0.0, 0.0),
        pins: none,
        handles: [(pins: left_edge, path: PATH)],
        colliders: [
            (shape: Cylinder(half_height: 1.0, radius: 0.02), position: (-0.55, 0.9, 0.0), path: PATH),
        ],
    )";
    assert_eq!(saved.to_ron(), written(&lines.replace("PATH", &path)).to_ron());
}

#[test]
#[ignore = "full tier"]
fn a_curtain_that_a_lasso_pins_in_front_of_a_cone_and_a_mesh_is_built() {
    let mut desk = open();
    let knob = "v -0.1 0 0\nv 0.1 0 0\nv 0 0 0.2\nv 0 0.2 0.1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
    std::fs::write(desk.file("knob.obj"), knob).expect("it can be written");
    click(&mut desk, "add cone", "chose ");
    click(&mut desk, "add mesh collider", "asking for a file to add");
    desk.settle();
    desk.type_text("knob");
    desk.settle();
    desk.key("Down");
    desk.settle();
    desk.key("Return");
    desk.wait("chose Collider(1)");
    click(&mut desk, "part cloth", "chose Piece");
    for (control, text) in [("turned x", "90"), ("piece position y", "1.25"), ("piece position z", "0.5")] {
        number(&mut desk, control, text);
    }
    click(&mut desk, "remove pins of cloth", "edited: Remove");
    desk.settle();
    desk.key("f");
    desk.settle();
    desk.key("l");
    draw(&mut desk, &[(-150, -60), (-150, -190), (0, -200), (150, -190), (150, -60), (0, -50)]);
    desk.wait("chose ");
    desk.settle();
    desk.key("p");
    desk.wait("edited: Pin");
    let saved = saved(desk);
    let pinned = saved.first.pinned.clone();
    let columns = saved.first.grid.columns;
    assert!(pinned.len() > 30 && pinned.iter().all(|vertex| *vertex < 15 * columns), "the upper part: {pinned:?}");
    let lines = "(
        position: (0.0, 1.25, 0.5),
        rotation: (1.5707963267948966, 0.0, 0.0),
        pins: none,
        pinned: PINNED,
        colliders: [
            (shape: Hull(file: \"assets/meshes/cone.obj\", scale: 0.4), position: CONE),
            (shape: Mesh(file: \"KNOB\"), position: BESIDE),
        ],
    )";
    let place = |at: usize| {
        let at = saved.colliders[at].position;
        format!("({:?}, {:?}, {:?})", at.x, at.y, at.z)
    };
    let knob = saved.clone().colliders[1].shape.file().expect("a mesh of a file").path.clone();
    assert!(knob.ends_with("knob.obj"), "{knob}");
    let lines = lines.replace("PINNED", &format!("{pinned:?}")).replace("KNOB", &knob);
    let lines = lines.replace("CONE", &place(0)).replace("BESIDE", &place(1));
    assert_eq!(saved.to_ron(), written(&lines).to_ron());
    assert_eq!(saved.first.pins, PinChoice::None);
}
