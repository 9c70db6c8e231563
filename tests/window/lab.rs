//! The resource around the simulation, without a window.

use weft::app::Lab;
use weft::scene::{Scene, Snapshot};
use weft::sim::Hand;

fn lab(scene: &str) -> Lab {
    let scene = Scene::load(scene).expect("it comes with the program");
    let simulation = scene.build().expect("good");
    Lab::new(scene, simulation)
}

#[test]
fn a_dropped_mesh_becomes_the_cloth_and_a_broken_one_changes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("written");
        path.to_string_lossy().into_owned()
    };
    let mut lab = lab("hanging");
    lab.open_file(&file("good.obj", "v 0 0 0\nv 1 0 0\nv 0 0 1\nv 1 0 1\nf 1 2 4 3\n"));
    assert_eq!((lab.simulation.cloth.len(), lab.notice.clone()), (4, None));
    let generation = lab.generation;
    lab.step();

    lab.open_file(&file("bad.obj", "v 0 0\n"));
    let notice = lab.notice.clone().expect("a message");
    assert!(notice.contains("bad.obj, line 1"), "{notice}");
    lab.open_file(&file("other.txt", ""));
    assert!(lab.notice.clone().expect("a message").contains("drop a mesh"));
    assert_eq!((lab.simulation.cloth.len(), lab.generation), (4, generation));
}

#[test]
fn a_dropped_snapshot_or_scene_is_opened() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut lab = lab("flag");
    for _ in 0..5 {
        lab.step();
    }
    let path = folder.path().join("a.json");
    std::fs::write(&path, Snapshot::of(&lab.scene, &lab.simulation).to_json()).expect("written");
    let before = lab.simulation.cloth.clone();
    lab.load_scene("table");
    lab.open_file(&path.to_string_lossy());
    assert_eq!(lab.simulation.cloth, before);
    assert_eq!(lab.scene.name, "flag");
    let path = folder.path().join("b.ron");
    std::fs::write(&path, "(grid: (columns: 5, rows: 4))").expect("written");
    lab.open_file(&path.to_string_lossy());
    assert_eq!(lab.simulation.cloth.len(), 20);
}

#[test]
fn reset_starts_the_cloth_again_and_keeps_the_parameters() {
    let mut lab = lab("hanging");
    let start = lab.simulation.cloth.positions.clone();
    lab.simulation.parameters.material.damping = 0.02;
    lab.set_solver("implicit-euler");
    for _ in 0..10 {
        lab.step();
    }
    assert_ne!(lab.simulation.cloth.positions, start);
    lab.reset();
    assert_eq!(lab.simulation.cloth.positions, start);
    assert_eq!(lab.simulation.parameters.material.damping, 0.02);
    assert_eq!((lab.simulation.solver().info().id, lab.simulation.time()), ("implicit-euler", 0.0));
}

#[test]
fn after_a_blow_up_the_last_good_state_comes_back_and_another_solver_goes_on() {
    let mut lab = lab("hanging");
    for _ in 0..120 {
        lab.step();
    }
    let (time, stretch) = (lab.simulation.time(), lab.simulation.largest_stretch());
    lab.set_solver("symplectic-euler");
    for _ in 0..120 {
        lab.step();
    }
    let failure = lab.failure.as_ref().expect("the step is ten times too long");
    let (_, substeps) = failure.too_long.expect("an explicit solver");
    assert!(failure.time >= time && substeps > 10);
    let stood_still = lab.simulation.time();
    lab.step();
    assert_eq!(lab.simulation.time(), stood_still, "it waits for the user");

    lab.restore_last_good();
    assert!(lab.failure.is_none() && lab.simulation.time() <= time + 0.25);
    assert!(lab.simulation.largest_stretch() < 2.0 * stretch + 0.1);
    // with as many substeps as the banner says, the same solver holds
    lab.simulation.parameters.timing.substeps = substeps;
    for _ in 0..60 {
        lab.step();
    }
    assert!(lab.failure.is_none());
}

#[test]
fn a_hand_moves_a_vertex_at_once_while_time_stands_still_and_a_pin_stays_where_it_was_dragged_to() {
    let mut lab = lab("hanging");
    let target = lab.simulation.cloth.positions[0] + weft::sim::Vec3::new(0.1, 0.2, 0.0);
    lab.hold(Hand { vertex: 0, target }, true);
    assert_eq!(lab.simulation.cloth.positions[0], target);
    lab.release();
    lab.step();
    assert_eq!(lab.simulation.cloth.positions[0], target, "vertex 0 is pinned, and its pin came along");
    lab.toggle_pin(0);
    lab.step();
    assert_ne!(lab.simulation.cloth.positions[0], target);
}

#[test]
fn a_cloth_that_is_cut_is_shown_without_a_jump_and_reset_makes_it_whole() {
    let mut lab = lab("hanging");
    for _ in 0..20 {
        lab.step();
    }
    let before: Vec<_> = lab.displayed(0.5).collect();
    let row: Vec<[u32; 2]> = (450..479).map(|i| [i, i + 1]).collect();
    lab.cut(&row);
    let after: Vec<_> = lab.displayed(0.5).collect();
    assert_eq!((after.len(), lab.simulation.cloth.len()), (930, 930));
    assert_eq!(after[..900], before);
    assert_eq!(after[900..], before[450..480]);
    for _ in 0..20 {
        lab.step();
    }
    lab.reset();
    assert_eq!((lab.simulation.cloth.len(), lab.displayed(0.5).count()), (900, 900));
}

#[test]
fn after_a_blow_up_of_a_cut_cloth_a_good_state_comes_back_with_its_own_pattern() {
    let mut lab = lab("hanging");
    for _ in 0..20 {
        lab.step();
    }
    lab.set_solver("symplectic-euler");
    lab.cut(&[[870, 840], [840, 810], [810, 780]]);
    for _ in 0..120 {
        lab.step();
    }
    assert!(lab.failure.is_some());
    lab.restore_last_good();
    let vertices = lab.simulation.cloth.len();
    assert_eq!((lab.simulation.pattern().len(), lab.displayed(0.5).count()), (vertices, vertices));
    lab.set_solver("implicit-euler");
    lab.step();
    assert!(lab.failure.is_none());
}

#[test]
fn threads_that_tear_within_a_step_come_from_where_they_hung() {
    let mut lab = lab("tearing");
    while lab.simulation.cloth.len() == 925 {
        lab.step();
        assert!(lab.simulation.time() < 5.0);
        let shown: Vec<_> = lab.displayed(0.0).collect();
        assert_eq!(shown.len(), lab.simulation.cloth.len());
        for (at, &parent) in (925..).zip(lab.simulation.pattern().parents()) {
            assert_eq!(shown[at], shown[parent as usize]);
        }
    }
}
