//! `weft bench --plugin`: the cost of a tick of a crowd of capes in a Bevy app without a window.

use std::fmt::Write;

use serde_json::json;

use crate::cli::output::{Failure, median, print, print_json};
use crate::plugin::{CapeCrowd, ClothStatus};

/// Ticks before those that are measured, and number of these.
const WARM_UP: u32 = 64;
const COUNTED: u32 = 256;
/// Capes of the crowd.
const CAPES: u32 = 20;

/// Prints a row for capes of walking figures in the wind, one for those of the figures that are far
/// away, and one for those that are at rest.
pub(super) fn plugin(as_json: bool) -> Result<(), Failure> {
    let threads = rayon::current_num_threads();
    let mut text = format!(
        "milliseconds per tick of {CAPES} capes of 15 × 20 vertices, each with a capsule, {threads} threads\n\n\
         {:<28} {:>8} {:>8} {:>8}\n",
        "capes", "CPU", "elapsed", "frame"
    );
    let mut rows = Vec::new();
    let cases = [("walk in wind", true, 1), ("walk, every fourth tick", true, 4), ("asleep", false, 1)];
    for (name, walks, interval) in cases {
        let mut crowd = CapeCrowd::new(CAPES, walks, interval);
        (0..WARM_UP).for_each(|_| crowd.tick());
        if !walks {
            // capes take some seconds to come to rest
            while !crowd.are_all(ClothStatus::Asleep) && crowd.ticks() < 4096 {
                crowd.tick();
            }
        }
        let started = (std::time::Instant::now(), processor_seconds());
        let mut frames = Vec::new();
        for _ in 0..COUNTED {
            let frame = std::time::Instant::now();
            crowd.update();
            frames.push(1e3 * frame.elapsed().as_secs_f64());
            crowd.wait();
        }
        let per_tick = |seconds: f64| 1e3 * seconds / f64::from(COUNTED);
        let elapsed = per_tick(started.0.elapsed().as_secs_f64());
        let processor = started.1.zip(processor_seconds()).map(|(start, end)| per_tick(end - start));
        frames.sort_by(f64::total_cmp);
        let frame = median(&frames);
        let shown = processor.map_or("unknown".to_owned(), |ms| format!("{ms:.2}"));
        let _ = writeln!(text, "{name:<28} {shown:>8} {elapsed:>8.2} {frame:>8.2}");
        rows.push(json!({
            "capes": CAPES, "case": name, "threads": threads,
            "processor_ms": processor, "elapsed_ms": elapsed, "frame_ms": frame,
        }));
    }
    if as_json { print_json(&json!(rows)) } else { print(&text) }
}

/// Time that all threads of this process have had on processors [s], where the system tells.
#[cfg(unix)]
fn processor_seconds() -> Option<f64> {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a value that lives through the call.
    let status = unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut time) };
    (status == 0).then_some(time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64)
}

#[cfg(not(unix))]
fn processor_seconds() -> Option<f64> {
    None
}
