//! What a person takes away: scenes, meshes, pictures, commands; and what is said when that cannot be.

use std::process::Command;

use weft::scene::Scene;

use super::desk::Desk;
use super::picture::{Picture, is_cloth, is_dark};

/// Opens the window with the list of formats, and waits until the cloth hangs.
fn open_files(desk: &mut Desk) {
    desk.wait_for_time(1.0);
    desk.key("ctrl+e");
    desk.wait("control export at");
}

/// Chooses the smallest size of pictures, which are drawn soonest.
fn choose_small_pictures(desk: &mut Desk) {
    desk.click("picture size");
    desk.wait("control 640 pixels wide at");
    desk.settle();
    desk.click("640 pixels wide");
    desk.settle();
}

/// Takes the name that the dialog offers.
fn accept(desk: &mut Desk, purpose: &str) -> String {
    desk.wait(&format!("asking for a file to {purpose}"));
    desk.settle();
    desk.key("Return");
    desk.wait("Written: ")
}

#[test]
#[ignore = "full tier"]
fn the_window_is_closed_by_its_key_while_a_dialog_and_a_field_of_it_have_the_focus() {
    let mut desk = Desk::open(&["--quality", "low"]);
    desk.settle();
    desk.key("ctrl+o");
    desk.wait("asking for a file to open");
    desk.type_text("wind");
    desk.settle();
    drop(desk.quit());
}

#[test]
fn control_s_saves_the_scene_with_what_was_changed_and_the_view() {
    let mut desk = Desk::open(&["--quality", "low", "--set", "columns=12", "--set", "damping=0.0123456789"]);
    desk.settle();
    desk.open_solvers();
    desk.click("implicit-euler");
    desk.wait("INFO weft::app::session: solver ");
    desk.key("ctrl+s");
    let said = accept(&mut desk, "save the scene in");
    let file = desk.file("hanging.ron");
    assert!(said.ends_with("hanging.ron"), "{said}");
    let saved = Scene::load(&file.to_string_lossy()).expect("it reads its own");
    assert_eq!((saved.first.grid.columns, saved.parameters.material.damping), (12, 0.0123456789));
    assert_eq!(saved.solver, "implicit-euler");
    assert!(saved.camera.is_some(), "from where it is looked at");
    desk.quit();
}

#[test]
#[ignore = "full tier"]
fn the_last_seconds_become_an_animated_file_by_keys_and_two_clicks() {
    let mut desk = Desk::open(&["--quality", "low", "--set", "columns=8", "--set", "rows=8"]);
    open_files(&mut desk);
    desk.click("export motion");
    desk.click("export");
    accept(&mut desk, "export to");
    let glb = std::fs::read(desk.file("hanging.glb")).expect("written");
    let length = u32::from_le_bytes(glb[12..16].try_into().expect("four")) as usize;
    let json: serde_json::Value = serde_json::from_slice(&glb[20..20 + length]).expect("JSON");
    let count =
        |value: &serde_json::Value| json["accessors"][value.as_u64().expect("a number") as usize]["count"].clone();
    let primitive = &json["meshes"][0]["primitives"][0];
    assert_eq!(count(&primitive["attributes"]["POSITION"]), 64);
    let targets = primitive["targets"].as_array().expect("it moves").len();
    assert!(targets > 3, "{targets}");
    assert_eq!(count(&json["animations"][0]["samplers"][0]["input"]), targets + 1);
    desk.quit();
}

#[test]
#[ignore = "full tier"]
fn a_picture_of_the_moment_shows_the_cloth() {
    let mut desk = Desk::open(&["--quality", "low"]);
    open_files(&mut desk);
    desk.click("export as png");
    desk.click("export");
    accept(&mut desk, "export to");
    let picture = Picture::read(&desk.file("hanging.png"));
    assert_eq!((picture.width, picture.height), (1280, 720));
    let cloth = picture.pixels.iter().filter(|pixel| is_cloth(**pixel)).count() as f64 / picture.pixels.len() as f64;
    assert!((0.05..0.6).contains(&cloth), "{cloth} is cloth");
    desk.quit();
}

/// Chooses another format in the panel, which stays open; its end is in sight then.
fn choose_again(desk: &mut Desk, format: &str) {
    desk.settle();
    scroll(desk, false);
    desk.click(&format!("export as {format}"));
    scroll(desk, true);
}

/// Turns the wheel over the panel, to its end or to its beginning.
fn scroll(desk: &mut Desk, to_end: bool) {
    let (x, y) = desk.place("view");
    desk.move_to((x + 450, y));
    (0..12).for_each(|_| desk.button("click", if to_end { 5 } else { 4 }));
    desk.settle();
}

/// The share of each half of the picture that is cloth.
fn cloth_in_halves(picture: &Picture) -> [f64; 2] {
    [0, 1].map(|half| {
        let of_half = |row: &[[u8; 3]]| {
            let middle = row.len() / 2;
            let row = if half == 0 { &row[..middle] } else { &row[middle..] };
            row.iter().filter(|pixel| is_cloth(**pixel)).count()
        };
        let count: usize = picture.pixels.chunks_exact(picture.width).map(of_half).sum();
        2.0 * count as f64 / picture.pixels.len() as f64
    })
}

#[test]
#[ignore = "full tier"]
fn pictures_films_and_commands_of_several_lanes_have_all_of_them() {
    let lanes = ["solver=xpbd", "solver=stable-mass-spring"];
    let grid = ["--set", "columns=8", "--set", "rows=8"];
    let args = [&["--quality", "low"], &grid[..], &["--lane", lanes[0], "--lane", lanes[1]]].concat();
    let mut desk = Desk::open(&args);
    desk.wait_for_time(1.0);
    desk.key("space");
    desk.wait("paused");
    open_files(&mut desk);
    desk.click("export as png");
    // the cards of the lanes leave little height for the panel
    scroll(&mut desk, true);
    choose_small_pictures(&mut desk);
    // seen from the second lane as well
    for chosen in [0, 1] {
        if chosen == 1 {
            // else it would ask whether to replace it
            std::fs::remove_file(desk.file("hanging.png")).expect("written");
            choose_again(&mut desk, "png");
            let (x, y) = desk.place("view");
            desk.move_to((x + 60, y - 10));
            desk.settle();
            desk.button("click", 1);
            assert_eq!(desk.wait("chose lane "), "2");
            desk.settle();
        }
        desk.click("export");
        let file = accept(&mut desk, "export to");
        let picture = Picture::read(&desk.file(file.rsplit('/').next().expect("a name")));
        let halves = cloth_in_halves(&picture);
        assert!(halves.iter().all(|share| (0.03..0.6).contains(share)), "lane {chosen}: {halves:?} are cloth");
        // a caption above each
        let dark = |half: usize| {
            let rows = picture.pixels.chunks_exact(picture.width).take(picture.height / 5);
            let middle = picture.width / 2;
            rows.flat_map(|row| &row[half * middle..(half + 1) * middle]).filter(|pixel| is_dark(**pixel)).count()
        };
        assert!(dark(0) > 300 && dark(1) > 300, "captions: {} and {}", dark(0), dark(1));
    }
    choose_again(&mut desk, "gif");
    desk.click("export");
    accept(&mut desk, "export to");
    let file = std::fs::File::open(desk.file("hanging.gif")).expect("written");
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut reader = options.read_info(file).expect("a GIF");
    let width = usize::from(reader.width());
    let first = reader.read_next_frame().expect("whole").expect("a picture");
    let pixels: Vec<[u8; 3]> = first.buffer.chunks_exact(4).map(|p| [p[0], p[1], p[2]]).collect();
    let picture = Picture { width, height: pixels.len() / width, pixels };
    let halves = cloth_in_halves(&picture);
    assert!(halves.iter().all(|share| (0.01..0.6).contains(share)), "GIF: {halves:?} are cloth");
    choose_again(&mut desk, "report");
    desk.click("export");
    accept(&mut desk, "export to");
    let page = std::fs::read_to_string(desk.file("hanging.html")).expect("written");
    assert!(page.contains(", at most ") && !page.contains("at most –"), "the largest distance is told");
    choose_again(&mut desk, "png");
    desk.click("copy run command");
    let line = desk.wait("Copied: ");
    assert!(lanes.iter().all(|lane| line.contains(&format!("--lane {lane}"))), "{line}");
    let weft = env!("CARGO_BIN_EXE_weft");
    let script = line.replacen("weft", &format!("'{weft}'"), 1);
    let output = Command::new("sh").args(["-c", &script]).current_dir(desk.file("")).output().expect("sh");
    assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    desk.quit();
}

#[test]
#[ignore = "full tier"]
fn a_copied_command_does_what_the_window_shows() {
    let mut desk = Desk::open(&["--quality", "low", "--set", "columns=9", "--set", "rows=7", "--solver", "xpbd"]);
    open_files(&mut desk);
    desk.click("wind");
    // what is copied is what the window shows
    desk.settle();
    desk.click("copy run command");
    let line = desk.wait("Copied: ");
    assert!(line.starts_with("weft run --steps ") && line.contains("air=wind"), "{line}");
    let weft = env!("CARGO_BIN_EXE_weft");
    let script = line.replacen("weft", &format!("'{weft}'"), 1) + " --snapshot a.json";
    let output = Command::new("sh").args(["-c", &script]).current_dir(desk.file("")).output().expect("sh");
    assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    let text = std::fs::read_to_string(desk.file("a.json")).expect("written");
    let made: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let (shown, _) = desk.quit();
    for key in ["solver", "parameters"] {
        assert_eq!(made[key], shown[key], "{line}");
    }
}

#[test]
#[ignore = "full tier"]
fn a_folder_that_takes_no_file_is_one_sentence() {
    let mut desk = Desk::open(&["--quality", "low"]);
    open_files(&mut desk);
    desk.click("export");
    desk.wait("asking for a file to export to");
    desk.settle();
    // it takes the place of the name without its ending; nobody may make files there
    desk.type_text("/sys/kernel/cloth");
    desk.settle();
    desk.key("Return");
    let said = desk.wait("/sys/kernel/cloth.glb: ");
    assert!(said.ends_with("choose another folder") || said.ends_with("choose another"), "{said}");
    desk.quit();
}

#[test]
#[ignore = "full tier"]
fn the_recording_becomes_a_film_that_another_program_reads() {
    let mut desk = Desk::open(&["--quality", "low", "--set", "columns=8", "--set", "rows=8"]);
    desk.wait_for_time(1.0);
    desk.key("space");
    desk.wait("paused");
    open_files(&mut desk);
    desk.click("export as gif");
    choose_small_pictures(&mut desk);
    desk.click("export");
    accept(&mut desk, "export to");
    let file = std::fs::File::open(desk.file("hanging.gif")).expect("written");
    let mut reader = gif::DecodeOptions::new().read_info(file).expect("a GIF");
    assert_eq!((reader.width(), reader.height()), (640, 360));
    let mut pictures = 0;
    while reader.next_frame_info().expect("whole").is_some() {
        pictures += 1;
    }
    assert!((5..90).contains(&pictures), "{pictures} pictures of about a second");
    desk.quit();
}

#[test]
#[ignore = "full tier"]
fn the_motion_from_the_start_begins_with_the_cloth_of_the_scene() {
    let settings = ["--set", "columns=8", "--set", "rows=8"];
    let mut desk = Desk::open(&[&["--quality", "low"], &settings[..]].concat());
    open_files(&mut desk);
    desk.click("export as obj");
    desk.click("export all");
    desk.click("export");
    let said = accept(&mut desk, "export to");
    let first = std::fs::read_to_string(said.split("  ·").next().expect("a path")).expect("written");
    let places = first.lines().filter_map(|line| line.strip_prefix("v "));
    let places: Vec<Vec<f64>> =
        places.map(|line| line.split(' ').map(|x| x.parse().expect("a number")).collect()).collect();
    let mut scene = Scene::load("hanging").expect("it comes with the program");
    settings
        .iter()
        .filter_map(|arg| arg.split_once('='))
        .for_each(|(key, value)| scene.set(key, value).expect("a value"));
    let start = scene.build().expect("good").state.cloth.positions;
    assert_eq!(places.len(), start.len());
    for (place, x) in places.iter().zip(start) {
        let apart = x.to_array().iter().zip(place).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(apart < 1e-6, "{x} and {place:?}");
    }
    desk.quit();
}

#[test]
#[ignore = "full tier"]
fn time_stands_still_while_pictures_are_drawn_and_what_is_left_is_told() {
    let mut desk = Desk::open(&["--quality", "low", "--set", "columns=8", "--set", "rows=8"]);
    open_files(&mut desk);
    desk.click("export as gif");
    desk.click("export all");
    choose_small_pictures(&mut desk);
    desk.click("export");
    desk.wait("asking for a file to export to");
    desk.settle();
    desk.key("Return");
    desk.wait("paused");
    let first = desk.wait("drawn: ");
    let (_, all) = first.split_once(" of ").expect("a share");
    let all: u32 = all.trim_end_matches(" pictures").parse().expect("a number");
    assert!(first.starts_with("1 of ") && all > 20, "{first}");
    let second = desk.wait("drawn: ");
    assert!(second.starts_with(&format!("2 of {all} pictures, ")) && second.ends_with(" s left"), "{second}");
    let said = desk.wait("Written: ");
    assert!(said.ends_with("hanging.gif"), "{said}");
    desk.wait("running");
    assert_eq!(desk.all("drawn: ").last().map(String::as_str), Some(format!("{all} of {all} pictures").as_str()));
    // what stood still before stays so
    desk.settle();
    desk.key("space");
    desk.wait("paused");
    // the panel stays open after its work
    desk.click("export as png");
    desk.click("export now");
    desk.click("export");
    accept(&mut desk, "export to");
    desk.settle();
    assert_eq!(desk.all("running").len(), 1);
    desk.quit();
}

#[test]
#[ignore = "full tier"]
fn a_report_of_the_window_has_its_lane_pictures_plots_and_commands() {
    let mut desk = Desk::open(&["--quality", "low", "--set", "columns=9", "--set", "rows=7", "--solver", "xpbd"]);
    open_files(&mut desk);
    desk.click("export as report");
    desk.click("export");
    let said = accept(&mut desk, "export to");
    assert!(said.ends_with("hanging.html"), "{said}");
    let page = std::fs::read_to_string(desk.file("hanging.html")).expect("written");
    for part in ["<h1>", "XPBD", "Over time", "data:image/png;base64,", "<td>columns</td>", "weft render --times"] {
        assert!(page.contains(part), "{part}");
    }
    let state = std::fs::read_to_string(desk.file("hanging.state.json")).expect("written");
    let state: serde_json::Value = serde_json::from_str(&state).expect("JSON");
    let (shown, _) = desk.quit();
    assert_eq!(state["solver"], shown["solver"]);
    let run = page.split_once("weft run ").expect("a command").1.split('<').next().unwrap_or_default();
    let script = format!("'{}' run {run}", env!("CARGO_BIN_EXE_weft"));
    let folder = tempfile::tempdir().expect("a folder");
    let output = Command::new("sh").args(["-c", &script]).current_dir(folder.path()).output().expect("sh");
    assert!(output.status.success(), "{script}: {}", String::from_utf8_lossy(&output.stderr));
}
