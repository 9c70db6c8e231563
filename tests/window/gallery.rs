//! The gallery: own files on a shelf of their own, new scenes, and files whose comments are kept.

use egui_kittest::kittest::{NodeT, Queryable};
use weft::app::Picture;
use weft::app::panels::{DrawnText, Offscreen};
use weft::scene::Scene;

use super::harness::{Panels, click, has, panels, place, texts, wait};
use super::panels::overlaps;

const SIZES: [[f32; 2]; 3] = [[900.0, 560.0], [1280.0, 720.0], [1920.0, 1080.0]];

/// Files of every kind, the last one in front: a scene with a title, scenes with a long title and
/// with none, a mesh.
const FILES: [(&str, &str); 4] = [
    ("tube.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"),
    ("untitled-with-a-name-that-is-longer-than-its-card.ron", "()"),
    ("long.ron", "(title: \"A title that is far longer than the card on which it is to stand\")"),
    ("mine.ron", "(title: \"Laundry\", grid: (columns: 6, rows: 6))"),
];

/// Writes the files into a folder, and puts them on the shelf; the last one has a picture.
fn keep(panels: &mut Offscreen, folder: &std::path::Path) -> Vec<String> {
    let place = |name: &str| folder.join(name).display().to_string();
    let files: Vec<String> = FILES.iter().map(|(name, _)| place(name)).collect();
    for (file, (_, text)) in files.iter().zip(FILES) {
        std::fs::write(file, text).expect("written");
    }
    let names: Vec<&str> = files.iter().map(String::as_str).collect();
    panels.keep_files(&names, &folder.join("pictures"));
    let picture = Picture { size: [240, 160], rgb: [200, 60, 40].repeat(240 * 160) };
    panels.keep_picture(&files[3], &picture).expect("written");
    files
}

/// The gallery with own files.
fn gallery(folder: &std::path::Path, size: [f32; 2]) -> (Panels, Vec<String>) {
    let mut harness = panels("hanging", &["Gallery"], size);
    let files = keep(harness.state_mut(), folder);
    harness.run_steps(4);
    (harness, files)
}

/// Clicks a control.
fn click_on(harness: &mut Panels, control: &str) {
    let at = place(harness, control).center();
    click(harness, at);
}

#[test]
fn own_files_have_cards_without_overlapping_texts_at_three_sizes() {
    let folder = tempfile::tempdir().expect("a folder");
    let scene = Scene::load("pd-figure-5-irregular").expect("it comes with the program");
    let simulation = scene.build().expect("good");
    let mut panels = Offscreen::new(scene, simulation, &["Gallery"]);
    keep(&mut panels, folder.path());
    for size in SIZES {
        let drawn: Vec<DrawnText> = (0..3).map(|_| panels.draw(size)).last().expect("drawn");
        assert_eq!(overlaps(&drawn), [], "{size:?}");
        let has = |part: &str| drawn.iter().any(|text| text.text.contains(part));
        for part in ["New", "One cloth", "A copy of", "Yours", "Laundry", "mine.ron"] {
            assert!(has(part), "{part} at {size:?}: {drawn:#?}");
        }
        // without a picture
        assert!(drawn.iter().any(|text| text.text == "A"), "{size:?}: {drawn:#?}");
        assert!(drawn.iter().all(|text| text.place[2] <= size[0]), "{size:?}: {drawn:#?}");
    }
}

#[test]
fn own_files_are_found_by_title_and_name_and_forgotten_with_their_pictures() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut harness, files) = gallery(folder.path(), SIZES[1]);
    let pictures = || std::fs::read_dir(folder.path().join("pictures")).expect("a folder").count();
    assert_eq!(pictures(), 1);
    for (typed, found) in [("laundry", "Laundry"), ("untitled", "untitled-with"), ("TUBE.obj", "tube.obj")] {
        harness.get_by_label("Search scenes").focus();
        harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::A);
        harness.event(egui::Event::Text(typed.to_owned()));
        harness.run_steps(3);
        assert!(has(&harness, "Yours") && has(&harness, found), "{typed}: {:#?}", texts(&harness));
        assert!(!has(&harness, "A title that is far longer"), "{typed}: {:#?}", texts(&harness));
    }
    harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::A);
    harness.event(egui::Event::Text("mine".to_owned()));
    harness.run_steps(3);
    let card = place(&harness, "own mine.ron").center();
    harness.hover_at(card);
    harness.run_steps(1);
    for pressed in [true, false] {
        let (button, modifiers) = (egui::PointerButton::Secondary, egui::Modifiers::NONE);
        harness.event(egui::Event::PointerButton { pos: card, button, pressed, modifiers });
        harness.run_steps(1);
    }
    harness.run_steps(3);
    click_on(&mut harness, "forget mine.ron");
    harness.run_steps(3);
    assert_eq!(harness.state().files(), [&*files[2], &*files[1], &*files[0]]);
    assert_eq!(pictures(), 0);
    assert!(std::path::Path::new(&files[3]).exists(), "the file stays");
}

#[test]
fn a_click_opens_an_own_file_and_one_that_has_gone_is_named_and_leaves_the_shelf() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut harness, files) = gallery(folder.path(), SIZES[0]);
    std::fs::remove_file(&files[2]).expect("it was there");
    click_on(&mut harness, "own long.ron");
    wait(&mut harness, "message", |harness| {
        harness.state_mut().session().take_frame();
        has(harness, "long.ron: cannot be read").then_some(())
    });
    assert_eq!(harness.state().files(), [&*files[3], &*files[1], &*files[0]]);
    assert_eq!(harness.state().frame().scene.name, "hanging");

    let (mut harness, files) = gallery(folder.path(), SIZES[0]);
    click_on(&mut harness, "own mine.ron");
    wait(&mut harness, "scene", |harness| {
        harness.state_mut().session().take_frame();
        (harness.state().frame().scene.name == files[3]).then_some(())
    });
    assert!(harness.state().open_titles().is_empty());
}

#[test]
fn a_new_scene_is_one_cloth_or_the_present_scene_in_the_editor() {
    for (button, name) in [("new cloth", "stage"), ("new copy", "hanging")] {
        let mut harness = panels("hanging", &["Gallery"], SIZES[0]);
        click_on(&mut harness, button);
        wait(&mut harness, name, |harness| {
            harness.state_mut().session().take_frame();
            let frame = harness.state().frame();
            let is_called = name == "stage" || frame.scene.title == "Copy of Hanging cloth";
            (frame.scene.name == name && is_called && frame.paused && frame.steps == 0).then_some(())
        });
        assert_eq!(harness.state().open_titles(), ["Edit"]);
    }
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "full tier"]
fn a_saved_scene_stands_in_the_gallery_with_a_picture_of_the_view() {
    let mut desk = super::desk::Desk::open(&["--quality", "low"]);
    desk.wait_for_time(0.5);
    desk.key("ctrl+s");
    desk.wait("asking for a file to save the scene in");
    desk.settle();
    desk.key("Return");
    desk.wait("Written: ");
    desk.wait("kept a picture of ");
    let pictures = std::fs::read_dir(desk.file("weft/pictures")).expect("a folder");
    let [picture] = &pictures.map(|entry| entry.expect("it").path()).collect::<Vec<_>>()[..] else {
        panic!("there is one picture");
    };
    let picture = super::picture::Picture::read(picture);
    assert_eq!((picture.width, picture.height), (240, 160));
    let cloth = picture.pixels.iter().filter(|pixel| super::picture::is_cloth(**pixel)).count();
    let share = cloth as f64 / picture.pixels.len() as f64;
    assert!((0.05..0.6).contains(&share), "{share} is cloth");

    desk.settle();
    desk.click("gallery");
    desk.wait("control own hanging.ron at");
    // a copy does not take its place
    desk.settle();
    desk.click("new copy");
    desk.wait("reset");
    desk.settle();
    desk.key("ctrl+s");
    desk.wait("asking for a file to save the scene in");
    desk.settle();
    desk.key("Return");
    assert!(desk.wait("Written: ").ends_with("hanging-copy.ron"));
    desk.wait("kept a picture of ");
    let (_, folder) = desk.quit();
    let settings = std::fs::read_to_string(folder.path().join("weft/settings.toml")).expect("saved");
    assert!(settings.contains("hanging.ron") && settings.contains("hanging-copy.ron"), "{settings}");
    assert_eq!(std::fs::read_dir(folder.path().join("weft/pictures")).expect("a folder").count(), 2);
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "full tier"]
fn comments_of_a_file_are_lost_only_after_a_question() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("mine.ron");
    let by_hand = "// mine\n(title: \"Mine\", grid: (columns: 6, rows: 6)) // small\n";
    std::fs::write(&file, by_hand).expect("written");
    let mut desk = super::desk::Desk::open_at(folder, &["--quality", "low", "--scene", "mine.ron"]);
    let ask = |desk: &mut super::desk::Desk| {
        desk.settle();
        desk.key("ctrl+s");
        desk.wait("asking for a file to save the scene in");
        desk.settle();
        desk.key("Return");
        desk.settle();
        // the dialog asks whether the file is to be replaced
        desk.key("Return");
        desk.settle();
    };
    ask(&mut desk);
    desk.click("comments cancel");
    desk.settle();
    ask(&mut desk);
    desk.click("comments save as…");
    desk.wait("asking for a file to save the scene in");
    desk.settle();
    desk.key("Return");
    assert!(desk.wait("Written: ").ends_with("mine-copy.ron"));
    assert_eq!(std::fs::read_to_string(desk.file("mine.ron")).expect("there"), by_hand);
    desk.quit();
}

#[test]
fn cards_fill_their_rows_at_three_sizes() {
    for size in SIZES {
        let harness = panels("hanging", &["Gallery"], size);
        let rects: Vec<egui::Rect> =
            ["breeze", "cape"].map(|name| place(&harness, &format!("card {name}"))).into_iter().collect();
        let (width, step) = (rects[0].width(), rects[1].left() - rects[0].left());
        let search = place(&harness, "search scenes");
        assert_eq!(rects[0].top(), rects[1].top(), "{size:?}");
        let columns = ((search.width() + step - width) / step).floor();
        let gap = search.width() - (columns * step - (step - width));
        // the bar that scrolls stands beside them
        assert!((0.0..24.0).contains(&gap), "{gap} beside {columns} cards of {width} at {size:?}");
    }
}

#[test]
fn the_picture_of_a_card_with_several_sizes_opens_the_smallest() {
    let mut harness = panels("hanging", &["Gallery"], SIZES[1]);
    harness.get_by_label("Search scenes").focus();
    harness.event(egui::Event::Text("a million".to_owned()));
    harness.run_steps(4);
    let card = place(&harness, "card gpu-million-257");
    assert!(card.width() > 100.0, "{card:?}");
    let chips: Vec<f32> = ["257 × 257", "513 × 513", "1025 × 1025"]
        .map(|size| harness.get_by_label(size).rect())
        .map(|rect| rect.left() + 1000.0 * rect.top())
        .to_vec();
    assert!(chips.is_sorted(), "{chips:?}");
}

#[test]
fn a_lesson_that_was_gone_through_has_a_tick() {
    let lesson = weft::session::lesson::Lesson::all().expect("they come with the program").swap_remove(0);
    let mut harness = panels("hanging", &[], SIZES[1]);
    let last = lesson.steps.len() - 1;
    harness.state_mut().begin_lesson(lesson, last).expect("it is there");
    harness.run_steps(3);
    harness.state_mut().turn_lesson(weft::app::panels::Turn::Next);
    harness.run_steps(3);
    click_on(&mut harness, "scene");
    harness.run_steps(4);
    let done = texts(&harness).iter().filter(|text| text.contains("done")).count();
    assert_eq!(done, 1, "{:#?}", texts(&harness));
}

#[test]
fn parameters_without_effect_come_last_in_a_search() {
    let mut harness = panels("hanging", &["Find"], [1280.0, 1400.0]);
    for typed in ["lift", "wind", "stiffness"] {
        harness.get_by_label("What to find").focus();
        harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::A);
        harness.event(egui::Event::Text(typed.to_owned()));
        harness.run_steps(3);
        let field = harness.get_by_label("What to find").rect();
        let mut rows: Vec<(f32, bool)> = harness
            .get_all_by_role(egui::accesskit::Role::SpinButton)
            .filter(|node| field.x_range().contains(node.rect().center().x))
            // of the window, not of what lies below it
            .filter(|node| (field.bottom()..field.bottom() + 460.0).contains(&node.rect().top()))
            .map(|node| (node.rect().top(), node.accesskit_node().is_disabled()))
            .collect();
        rows.sort_by(|a, b| a.0.total_cmp(&b.0));
        let first_idle = rows.iter().position(|(_, idle)| *idle).unwrap_or(rows.len());
        assert!(rows[first_idle..].iter().all(|(_, idle)| *idle), "{typed}: {rows:?}");
        // no wind blows here
        assert_eq!(first_idle == 0, typed == "wind", "{typed}: {rows:?}");
    }
}
