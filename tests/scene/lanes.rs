//! Lanes that scenes come with.

use weft::scene::{Scalar, Scene, scene_names};
use weft::session::{Command, Session};

const TEXT: &str = "(
    grid: (columns: 7, rows: 6),
    settings: {\"iterations\": 2},
    solvers: {\"pbd\": {\"iterations\": 4}},
    lanes: [\"iterations=9\", \"gravity=1.62, solver=xpbd\", \"solver=pbd\"],
)";

#[test]
fn a_lane_goes_on_from_the_session_with_what_it_sets() {
    let scene = Scene::parse(TEXT, "my.ron").expect("a good scene");
    let start = |scene: Scene| {
        let simulation = scene.build().expect("a good scene");
        Session::new(scene, simulation)
    };
    let mut session = start(scene.clone());
    for (lane, name) in session.lanes_of_scene().expect("good lanes").iter_mut().zip(&scene.lanes) {
        let mut alone = start(scene.in_lane(name).expect("a good lane"));
        for _ in 0..12 {
            lane.tick().expect("stable");
            alone.tick().expect("stable");
        }
        assert_eq!(lane.simulation().state.cloth, alone.simulation().state.cloth, "{name}");
        assert_eq!(lane.simulation().solver().info().id, alone.simulation().solver().info().id);
    }
    for _ in 0..30 {
        session.tick().expect("stable");
    }
    let ends: Vec<_> = session
        .lanes_of_scene()
        .expect("good lanes")
        .into_iter()
        .map(|mut lane| {
            assert_eq!(lane.simulation().state.cloth, session.simulation().state.cloth, "as it is now");
            assert_eq!(lane.simulation().time(), session.simulation().time());
            lane.tick().expect("stable");
            lane.simulation().state.cloth.positions.clone()
        })
        .collect();
    assert!(ends[0] != ends[1] && ends[1] != ends[2] && ends[0] != ends[2]);
    // one that is as another lane has the first beside it
    session.apply(Command::Set { key: "iterations".to_owned(), value: Scalar::Integer(9) });
    let others = session.lanes_of_scene().expect("good lanes");
    let solvers: Vec<&str> = others.iter().map(|lane| lane.simulation().solver().info().id).collect();
    assert_eq!(solvers, ["fast-mass-spring", "xpbd", "pbd"]);
    assert_eq!(others[0].scene().in_lane("iterations=2").expect("a good lane"), others[0].scene());
}

#[test]
fn the_first_lane_is_the_scene_with_its_values_of_what_the_others_set() {
    let scene = Scene::parse(TEXT, "my.ron").expect("a good scene");
    let lanes = scene.all_lanes();
    assert_eq!(lanes[0], "iterations=2,solver=fast-mass-spring,gravity=9.8");
    assert_eq!(lanes[1..], scene.lanes);
    assert_eq!(scene.in_lane(&lanes[0]).expect("a good lane"), scene);
    assert!(Scene::parse("()", "my.ron").expect("a good scene").all_lanes().is_empty());
    let mut with_lanes = 0;
    for name in scene_names() {
        let scene = Scene::load(&name).expect("it comes with the program");
        for lane in scene.all_lanes() {
            let lane = scene.in_lane(&lane).expect("a good lane");
            lane.solver().expect("a good solver");
        }
        with_lanes += usize::from(!scene.lanes.is_empty());
    }
    assert!(with_lanes >= 5);
}

#[test]
fn another_solver_that_knows_nothing_of_what_lanes_set_runs_alone() {
    let mut scene = Scene::parse(TEXT, "my.ron").expect("a good scene");
    scene.set_solver("symplectic-euler").expect("registered");
    let simulation = scene.build().expect("a good scene");
    let session = Session::new(scene, simulation);
    let Err(error) = session.lanes_of_scene() else { panic!("it has no iterations") };
    assert!(error.to_string().starts_with("iterations=9: "), "{error}");
}

#[test]
fn lanes_are_saved_with_the_scene() {
    let scene = Scene::parse(TEXT, "my.ron").expect("a good scene");
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("again.ron");
    std::fs::write(&file, scene.to_ron()).expect("written");
    let again = Scene::load(&file.to_string_lossy()).expect("a good scene");
    assert_eq!(again.lanes, scene.lanes);
    // from one of the lanes it is that lane
    let simulation = scene.build().expect("a good scene");
    let session = Session::new(scene.clone(), simulation);
    assert_eq!(session.scene_to_save().expect("it can be saved").lanes, scene.lanes);
    let lane = &session.lanes_of_scene().expect("good lanes")[0];
    let saved = lane.scene_to_save().expect("it can be saved");
    assert_eq!(saved.lanes, Vec::<String>::new());
    assert_eq!(saved.settings["iterations"], Scalar::Integer(9));
}

#[test]
fn what_is_no_lane_is_told_with_its_line_and_the_mend() {
    for (lanes, part) in [
        ("\"iterations\"", "\"iterations\": needs the form key=value,key=value"),
        ("\"iteratons=5\"", "did you mean \"iterations\"?"),
        ("\"iterations=0\"", "iterations"),
        ("\"solver=xpdb\"", "did you mean \"xpbd\"?"),
        ("\"mesh=a.obj\"", "\"mesh\" is the same in all lanes; leave it out"),
        ("\"\"", "needs the form"),
        ("\"gravity=1\", \"gravity=2\", \"gravity=3\", \"gravity=4\"", "5 lanes with the scene itself; there may be 4"),
    ] {
        let text = format!("(\n    solver: \"fast-mass-spring\",\n    lanes: [{lanes}],\n)");
        let error = Scene::parse(&text, "my.ron").expect_err("it is wrong").to_string();
        assert!(error.starts_with("my.ron, line 3: ") && error.contains(part), "{error}");
        assert!(error.lines().count() == 1 && !error.contains("--set"), "{error}");
    }
}
