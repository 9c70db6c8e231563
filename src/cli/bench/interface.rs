//! `weft bench --interface`: what a frame of the window costs beside the renderer and the steps.

use std::fmt::Write;

use serde_json::json;

use crate::app::frame_costs;
use crate::cli::output::{Failure, median, print, print_json};

/// Prints a row per size.
pub(super) fn interface(sizes: &[u32], as_json: bool) -> Result<(), Failure> {
    let mut text = format!("milliseconds per frame, median\n\n{:>6} {:>10} {:>10}\n", "side", "panels", "mesh");
    let mut rows = Vec::new();
    for &size in sizes {
        let [panels, mesh] = frame_costs(size)?.map(|mut seconds| {
            seconds.sort_by(f64::total_cmp);
            1e3 * median(&seconds)
        });
        let _ = writeln!(text, "{size:>6} {panels:>10.2} {mesh:>10.2}");
        rows.push(json!({ "columns": size, "panels_ms": panels, "mesh_ms": mesh }));
    }
    if as_json { print_json(&json!(rows)) } else { print(&text) }
}
