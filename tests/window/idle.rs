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
    // input is taken at once, and time runs again
    desk.key("space");
    desk.wait("running");
    desk.let_pass(0.5);
    desk.quit();
}
