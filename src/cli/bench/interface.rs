//! `weft bench --interface`: the cost of a frame of the window beside the renderer and the steps.

use std::fmt::Write;

use serde_json::json;

use crate::app::frame_costs;
use crate::cli::output::{Failure, print, print_json};

/// Prints a row per size.
pub(super) fn interface(sizes: &[u32], as_json: bool) -> Result<(), Failure> {
    let mut text = format!(
        "milliseconds per frame, on the average\n\n{:>6} {:>10} {:>10} {:>10}\n",
        "side", "panels", "mesh", "four lanes"
    );
    let mut rows = Vec::new();
    for &size in sizes {
        // some work is done in every second frame only, which a median would hide
        let mean = |seconds: Vec<f64>| 1e3 * seconds.iter().sum::<f64>() / seconds.len() as f64;
        let [panels, mesh, lanes] = frame_costs(size)?.map(mean);
        let _ = writeln!(text, "{size:>6} {panels:>10.2} {mesh:>10.2} {lanes:>10.2}");
        rows.push(json!({ "columns": size, "panels_ms": panels, "mesh_ms": mesh, "four_lanes_ms": lanes }));
    }
    if as_json { print_json(&json!(rows)) } else { print(&text) }
}
