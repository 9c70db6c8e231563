//! What a window costs at which nothing happens.

use std::time::Duration;

use super::desk::Desk;

/// What the log tells once a second while the window is drawn, and otherwise with each picture.
const TOLD: &str = "frames per second";

#[test]
#[ignore = "full tier"]
fn a_paused_window_draws_only_after_input() {
    let mut desk = Desk::open_beside(&["--quality", "low"]);
    desk.wait_for_time(0.5);
    desk.settle();
    desk.key("space");
    desk.wait("paused");
    // the pictures after the last change take long on a busy machine: it comes to rest at some time
    let comes_to_rest = (0..20).any(|_| {
        let before = desk.all(TOLD).len();
        std::thread::sleep(Duration::from_secs(20));
        desk.all(TOLD).len() - before <= 4
    });
    assert!(comes_to_rest, "a paused window is drawn over and over");
    assert!(desk.has_said("edges are smoothed"), "a picture that stands has stairs");
    // input is taken at once, and time runs again
    desk.key("space");
    desk.wait("running");
    desk.let_pass(0.5);
    desk.quit();
}

#[test]
#[ignore = "full tier"]
fn a_minimised_window_steps_and_draws_nothing() {
    let mut desk = Desk::open_beside(&["--quality", "low"]);
    desk.wait_for_time(0.2);
    desk.say_minimised(true);
    desk.wait("minimised");
    // the pictures under way
    desk.let_pass(0.5);
    let before = desk.picture();
    desk.let_pass(1.0);
    assert!(desk.picture() == before, "a minimised window is drawn");
    desk.say_minimised(false);
    desk.wait("shown again");
    let is_drawn = (0..40).any(|_| {
        desk.let_pass(0.5);
        desk.picture() != before
    });
    assert!(is_drawn, "a window that is shown again is not drawn");
    desk.quit();
}
