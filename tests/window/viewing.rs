//! What a person does to see: paint, plots, gallery, keys, panels put away.

use weft::sim::solvers;

use super::desk::Desk;
use super::picture::Picture;

#[test]
#[ignore = "full tier"]
fn keys_paint_the_cloth_and_the_legend_can_be_seen() {
    let mut desk = Desk::open(&["--quality", "low"]);
    desk.settle();
    desk.key("2");
    desk.wait("painted with Stretch");
    desk.wait("control legend range at");
    desk.key("3");
    desk.wait("painted with Speed");
    // a drag stretches the scale: what was at a third of it comes to two thirds
    let (x, y) = desk.place("scale");
    desk.move_to((x - 37, y));
    desk.button("mousedown", 1);
    desk.move_to((x, y));
    desk.settle();
    desk.move_to((x + 37, y));
    desk.settle();
    desk.button("mouseup", 1);
    let end: f64 = desk.wait("the scale ends at ").parse().expect("a number");
    assert!((end - 1.0).abs() < 0.05, "it ended at 2 m/s, and ends at {end}");
    desk.key("1");
    desk.wait("painted with Cloth");
    desk.quit();
}

#[test]
#[ignore = "full tier"]
fn a_card_of_the_gallery_opens_its_scene() {
    let mut desk = Desk::open(&["--quality", "low"]);
    desk.settle();
    desk.click("scene");
    desk.wait("control card cape at");
    desk.settle();
    desk.click("card cape");
    desk.settle();
    let (snapshot, _) = desk.quit();
    assert_eq!(snapshot["scene"], "cape");
}

#[test]
#[ignore = "full tier"]
fn the_drawer_of_plots_takes_its_place_from_the_cloth_and_h_gives_all_back() {
    let mut desk = Desk::open(&["--quality", "low"]);
    desk.settle();
    let view = desk.place("view");
    desk.click("plots");
    desk.wait("control keep curves at");
    desk.wait("control view at");
    let smaller = desk.place("view");
    assert!(smaller.1 < view.1, "{smaller:?} is above {view:?}");
    desk.key("h");
    desk.wait("control view at 450 280");
    desk.key("h");
    desk.wait("control view at");
    assert_eq!(desk.place("view"), smaller);
    desk.quit();
}

#[test]
#[ignore = "full tier"]
fn f1_tells_the_keys_and_the_stage_can_be_dark() {
    let mut desk = Desk::open(&["--quality", "low"]);
    desk.settle();
    desk.click("dark");
    desk.wait("stage Dark");
    desk.key("F1");
    desk.wait("keys are shown");
    let (_, folder) = desk.quit();
    let settings = std::fs::read_to_string(folder.path().join("weft/settings.toml")).expect("saved");
    assert!(settings.contains("stage = \"dark\""), "{settings}");
}

#[test]
#[ignore = "full tier"]
fn without_arguments_cotton_falls_in_a_breeze() {
    // the name of the first scene, as if nobody had named one
    let mut desk = Desk::open(&["--quality", "low", "--scene", weft::scene::Scene::FIRST]);
    desk.wait_for_time(0.2);
    desk.quit();
}

#[test]
#[ignore = "full tier"]
fn what_is_typed_finds_a_fabric_by_its_name_and_a_solver_by_its_id() {
    let mut desk = Desk::open(&["--quality", "low"]);
    desk.settle();
    desk.key("ctrl+k");
    desk.settle();
    for letter in ["d", "e", "n", "i", "m"] {
        desk.key(letter);
    }
    desk.wait("control find denim at");
    // it moves up while what has the first letters only goes
    desk.settle();
    // Enter takes what fits best, and the window goes
    desk.key("Return");
    desk.wait("made of denim");
    // as files and commands have it
    let id =
        solvers::REGISTRY.iter().map(|entry| entry.info.id).find(|id| id.contains('-')).expect("some have two words");
    desk.find(id);
    desk.wait(&format!("solver {id}"));
    desk.settle();
    desk.key("space");
    desk.wait("paused");
    desk.quit();
}

#[test]
#[ignore = "full tier"]
fn a_click_on_a_readout_plots_it_and_a_vertex_is_followed() {
    let mut desk = Desk::open(&["--quality", "low"]);
    desk.settle();
    desk.click("readout speed");
    desk.wait("control strip speed at");
    desk.let_pass(1.0);
    desk.click("save png");
    let file = desk.wait("plots written to ");
    let picture = Picture::read(&desk.file(&file));
    assert!((400..900).contains(&picture.width) && (60..300).contains(&picture.height), "as wide as the drawer");
    assert!(picture.pixels.iter().any(|[r, g, b]| *r.max(g).max(b) > 150), "with curves in it");
    // what moves under the pointer would be another vertex
    desk.key("space");
    desk.wait("paused");
    let (x, y) = desk.place("view");
    desk.move_to((x, y));
    desk.wait("hovering over vertex");
    desk.key("m");
    desk.wait("looks at vertex");
    desk.key("m");
    desk.wait("looks no longer at vertex");
    desk.quit();
}

#[test]
#[ignore = "full tier"]
fn what_touches_is_painted_and_creases_are_ironed() {
    let mut desk = Desk::open(&["--quality", "low", "--scene", "table"]);
    desk.settle();
    desk.click("paint");
    desk.wait("control paint contact at");
    desk.settle();
    desk.click("paint contact");
    desk.wait("painted with Contact");
    desk.settle();
    desk.click("iron");
    desk.wait("ironing");
    desk.quit();
}

/// The row of fabrics is further down than the window reaches.
fn scroll_to_fabrics(desk: &mut Desk) {
    desk.move_to((160, 300));
    for _ in 0..4 {
        desk.button("click", 5);
    }
    desk.settle();
}

#[test]
#[ignore = "full tier"]
fn a_fabric_of_ones_own_and_the_files_opened_last_are_there_again_in_the_next_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let mine = folder.path().join("mine.ron");
    std::fs::write(&mine, "(title: \"Mine\", grid: (columns: 12, rows: 12), fabric: \"linen\")").expect("written");
    let mut desk = Desk::open_at(folder, &["--quality", "low", "--scene", "mine.ron", "--set", "damping=0.00321"]);
    desk.settle();
    scroll_to_fabrics(&mut desk);
    desk.click("keep as fabric");
    desk.wait("control name of fabric at");
    desk.click("name of fabric");
    desk.type_text("Sailcloth");
    desk.settle();
    desk.click("keep fabric");
    desk.wait("kept fabric Sailcloth");
    let (_, folder) = desk.quit();

    let mut desk = Desk::open_at(folder, &["--quality", "low"]);
    desk.settle();
    scroll_to_fabrics(&mut desk);
    desk.click("own fabric Sailcloth");
    desk.wait("made of linen");
    desk.click("files");
    desk.wait("control recent files at");
    desk.click("recent files");
    desk.wait("control recent mine.ron at");
    desk.settle();
    let (before, folder) = desk.quit();
    assert_eq!(before["parameters"]["material"]["damping"], 0.00321, "{before}");

    let mut desk = Desk::open_at(folder, &["--quality", "low"]);
    desk.settle();
    desk.click("files");
    desk.wait("control recent files at");
    desk.click("recent files");
    desk.wait("control recent mine.ron at");
    desk.click("recent mine.ron");
    desk.wait("opened ");
    desk.quit();
}

#[test]
#[ignore = "full tier"]
fn the_wind_is_turned_by_the_tip_of_its_arrow() {
    let mut desk = Desk::open(&["--quality", "low", "--scene", "flag"]);
    desk.settle();
    desk.key("space");
    desk.wait("paused");
    desk.click("paint");
    desk.wait("control overlay wind at");
    desk.click("overlay wind");
    let tip: Vec<i32> =
        desk.wait("tip of the wind at ").split_whitespace().map(|number| number.parse().expect("a number")).collect();
    // the menu has closed by then
    desk.place("paint");
    desk.move_to((tip[0], tip[1]));
    desk.button("mousedown", 1);
    for step in 1..=6 {
        desk.move_to((tip[0] - 10 * step, tip[1]));
    }
    desk.settle();
    desk.button("mouseup", 1);
    desk.settle();
    let (snapshot, _) = desk.quit();
    let azimuth = snapshot["parameters"]["air"]["wind_azimuth"].as_f64().expect("a number");
    assert!(azimuth.abs() > 0.3, "it blew along x, and is turned by {azimuth}");
}
