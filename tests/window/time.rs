//! Time in the window: back, forth and on another way; acts taken back; and a window that is killed.

use weft::session::{Replay, Verdict};

use super::desk::Desk;

/// The simulated time that the log tells next.
fn time(desk: &mut Desk, before: &str) -> f64 {
    let said = desk.wait(before);
    said.trim_end_matches('s').trim().parse().unwrap_or_else(|_| panic!("{said} is no time"))
}

#[test]
#[ignore = "full tier"]
fn the_time_line_is_scrubbed_played_backwards_and_gone_on_from() {
    let mut desk = Desk::open(&["--quality", "low"]);
    desk.wait_for_time(2.0);
    let (x, y) = desk.place("time line");
    desk.key("space");
    desk.wait("paused");
    // the middle of the slider is the middle of the time
    desk.move_to((x, y));
    desk.button("mousedown", 1);
    let middle = time(&mut desk, "went to t = ");
    desk.move_to((x - 40, y));
    let earlier = time(&mut desk, "went to t = ");
    desk.button("mouseup", 1);
    // within one frame the slider would still follow where the pointer goes next
    desk.settle();
    assert!(earlier < middle && earlier > 0.0, "{earlier} s, {middle} s");

    desk.click("step back");
    let back = time(&mut desk, "went to t = ");
    assert!(back < earlier && back > earlier - 0.05, "{back} s, {earlier} s");
    desk.key("Right");
    assert_eq!(time(&mut desk, "went to t = "), earlier);
    desk.key("Left");
    assert_eq!(time(&mut desk, "went to t = "), back);
    desk.click("rewind");
    assert!(time(&mut desk, "went to t = ") < back);
    desk.click("rewind");

    // going on begins another way, and the old one can be gone back to
    desk.key("space");
    desk.wait("running");
    desk.settle();
    desk.click("other futures");
    desk.click("other future");
    let end = time(&mut desk, "went to t = ");
    assert!(end > middle, "{end} s");
    let (snapshot, _) = desk.quit();
    assert!((snapshot["time"].as_f64().expect("a time") - end).abs() < 1e-4, "the end of the old future");
}

#[test]
fn acts_are_taken_back_and_done_again_by_keys_and_buttons() {
    let mut desk = Desk::open(&["--quality", "low"]);
    desk.settle();
    desk.click("table");
    desk.settle();
    desk.key("ctrl+z");
    assert_eq!(desk.wait("took back: "), "Table");
    desk.key("ctrl+shift+z");
    assert_eq!(desk.wait("done again: "), "Table");
    // the button can be clicked once it has been drawn so
    desk.settle();
    desk.click("undo");
    assert_eq!(desk.wait("took back: "), "Table");

    // a pull, back to before it
    let (x, y) = desk.place("view");
    desk.move_to((x, y + 40));
    desk.wait("hovering over vertex ");
    desk.button("mousedown", 1);
    desk.wait("grabbed vertex ");
    for step in 1..=8 {
        desk.move_to((x - 8 * step, y + 40 - 6 * step));
    }
    desk.settle();
    desk.button("mouseup", 1);
    desk.wait("released vertex ");
    desk.key("ctrl+z");
    assert_eq!(desk.wait("took back: "), "Pull");
    let (snapshot, _) = desk.quit();
    assert_eq!(snapshot["grab"], serde_json::Value::Null);
    assert_eq!(snapshot["parameters"]["table"]["table"], false, "{}", snapshot["parameters"]["table"]);
}

#[test]
#[ignore = "full tier"]
fn a_window_that_was_killed_is_offered_back_with_all_its_lanes() {
    let mut desk = Desk::open(&["--quality", "low"]);
    desk.add_lane("the same beside it");
    desk.add_lane("the same beside it");
    desk.click("lane B");
    desk.wait("chose lane ");
    desk.choose_solver("xpbd");
    // the lane that the window began with goes, what is left of it as well
    desk.click("remove A");
    desk.wait("removed lane ");
    // the states of the two others are on the disk
    let sessions = desk.file("weft").join("sessions");
    let is_state = |name: &str| name.starts_with("session-") && name.ends_with(".json");
    desk.wait_until("two states", || {
        let entries = std::fs::read_dir(&sessions).expect("there is the folder").flatten();
        let states = entries
            .map(|entry| entry.path())
            .filter(|path| is_state(&path.file_name().unwrap_or_default().to_string_lossy()));
        let texts: Vec<_> = states.map(|path| std::fs::read_to_string(path).unwrap_or_default()).collect();
        texts.len() == 2 && texts.iter().any(|text| text.contains("\"solver\":\"xpbd\""))
    });
    let folder = desk.killed();
    let mut desk = Desk::open_at(folder, &["--quality", "low"]);
    desk.click("offer");
    assert_eq!(desk.wait("added lane "), "2");
    desk.settle();
    let (snapshot, folder) = desk.quit();
    assert_eq!(snapshot["solver"], "xpbd");
    // closed as it should be, it leaves nothing
    let sessions = folder.path().join("weft").join("sessions");
    let left = std::fs::read_dir(sessions).expect("there is the folder").flatten().map(|entry| entry.file_name());
    let left: Vec<_> = left.filter(|name| name.to_string_lossy().starts_with("session-")).collect();
    assert_eq!(left, Vec::<std::ffi::OsString>::new());
}

#[test]
#[ignore = "full tier"]
fn a_window_that_was_killed_is_offered_back_by_the_next() {
    let mut desk = Desk::open(&["--quality", "low", "--scene", "flag"]);
    desk.wait_for_time(2.0);
    let folder = desk.killed();
    let mut desk = Desk::open_at(folder, &["--quality", "low"]);
    desk.click("offer");
    assert!(desk.wait("opened ").ends_with("last-session.json"));
    let (snapshot, folder) = desk.quit();
    assert_eq!(snapshot["scene"], "flag");
    assert!(snapshot["time"].as_f64().expect("a time") > 0.5);

    // closed as it should be, it leaves nothing to offer; what cannot be read is set aside and said so
    let sessions = folder.path().join("weft").join("sessions");
    let kept = |folder: &std::path::Path| -> Vec<String> {
        let entries = std::fs::read_dir(folder).expect("a folder").flatten();
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
    };
    assert!(kept(&sessions).iter().all(|name| !name.ends_with(".lock")), "{:?}", kept(&sessions));
    std::fs::write(sessions.join("session-1.json"), "{\"weft\": 1, \"sce").expect("written");
    let mut desk = Desk::open_at(folder, &["--quality", "low"]);
    desk.settle();
    let (_, folder) = desk.quit();
    let kept = kept(&folder.path().join("weft").join("sessions"));
    assert!(kept.contains(&"damaged-session.json".to_owned()), "{kept:?}");
}

#[test]
#[ignore = "full tier"]
fn what_the_time_line_holds_is_saved_as_a_recording() {
    let mut desk = Desk::open(&["--quality", "low"]);
    desk.wait_for_time(1.0);
    desk.key("ctrl+e");
    desk.click("save recording");
    desk.wait("asking for a file to save the recording in");
    desk.settle();
    desk.key("Return");
    desk.wait("writing ");
    let told = desk.wait("Written: ");
    assert!(told.contains("Copied: weft replay ") && told.ends_with("hanging.jsonl"), "{told}");
    let file = desk.file("hanging.jsonl");
    let text = std::fs::read_to_string(file).expect("written");
    let replay = Replay::parse(&text, "hanging.jsonl").expect("as it was written");
    assert!(replay.steps > 30, "{} steps", replay.steps);
    assert_eq!(replay.run(0.0, |_| {}, |_, _| true).expect("it can be repeated"), Verdict::Identical);
    desk.quit();
}
