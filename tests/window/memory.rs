//! Memory of a window that is left open.

use std::time::Duration;

use super::desk::Desk;

#[test]
#[ignore = "full tier"]
fn a_window_does_not_grow_while_it_stands_or_runs() {
    let on_stage = ["--quality", "low", "--scene", "stage"];
    let small = ["--set", "columns=8", "--set", "rows=8"];
    let mut standing = Desk::open_beside(&on_stage);
    standing.wait_for_time(0.5);
    standing.settle();
    standing.key("space");
    standing.wait("paused");
    let mut running = Desk::open_beside(&[&on_stage[..], &small].concat());
    std::thread::sleep(Duration::from_secs(20));
    let standing_before = standing.memory();
    // until the time line is full, with a minute
    running.wait_for_time(61.0);
    let running_before = running.memory();
    std::thread::sleep(Duration::from_secs(30));
    let (standing_after, running_after) = (standing.memory(), running.memory());
    assert!(standing_after < standing_before + 50, "{standing_before} MB, then {standing_after} MB, paused");
    assert!(running_after < running_before + 25, "{running_before} MB, then {running_after} MB");
    standing.quit();
    running.quit();
}
