//! `weft stability --windows`: the windows of stability of the harmonic oscillator, Kang's figure
//! 2.

use std::fmt::Write;
use std::path::Path;

use rayon::prelude::*;
use serde_json::json;

use super::StabilityArgs;
use crate::cli::interruption::Interruption;
use crate::cli::output::{Failure, counting_bar, not_written, print, print_json};
use crate::cli::plotting::check_plot;
use crate::cli::targets::Targets;
use crate::documents::{WindowsChart, write_whole};
use crate::sim::Real;
use crate::sim::study::windows::Pair;

/// Share of the impulses in the paper.
const SHARE: Real = 0.5;
/// Damping ratios of the printed windows, and what they are printed up to, and to, in periods.
const RATIOS: [Real; 5] = [0.0, 0.03, 0.07, 0.15, 0.3];
const MOST: Real = 9.0;
const RESOLUTION: Real = 0.001;

/// Tries the pairs, writes the chart, and prints the windows of a few damping ratios.
pub(super) fn windows(args: &StabilityArgs, file: &String) -> Result<(), Failure> {
    Targets::default().whole("--windows", Some(file)).check()?;
    check_plot(file)?;
    let share = SHARE;
    let interruption = Interruption::listen(None);
    let places: Vec<[Real; 2]> = WindowsChart::places().collect();
    let bar = counting_bar(places.len() as u64, "tried");
    let tried = places.par_iter().map(|&[damping_ratio, periods]| {
        let holds = !interruption.is_by_user() && Pair { share, damping_ratio }.holds(periods);
        bar.inc(1);
        (damping_ratio, periods, holds)
    });
    let runs = tried.collect();
    bar.finish_and_clear();
    if interruption.is_by_user() {
        return Err(Failure::Interrupted("interrupted before the chart was whole".to_owned()));
    }
    let chart = WindowsChart { share, runs }.drawing();
    let is_svg = file.to_ascii_lowercase().ends_with("svg");
    write_whole(Path::new(file), |out| {
        if is_svg { out.write_all(chart.svg().as_bytes()) } else { out.write_all(&chart.pdf()) }
    })
    .map_err(|error| not_written(file, &error))?;
    let windows = RATIOS.map(|damping_ratio| (damping_ratio, Pair { share, damping_ratio }.windows(MOST, RESOLUTION)));
    if args.json {
        let rows = windows.iter().map(|(ratio, windows)| json!({ "damping_ratio": ratio, "windows": windows }));
        return print_json(&json!({ "rows": rows.collect::<Vec<_>>() }));
    }
    let mut text = "damping ratio  stable steps up to 9 periods of the spring\n".to_owned();
    for (ratio, windows) in windows {
        let windows: Vec<String> = windows.iter().map(|[low, high]| format!("{low:.3} to {high:.3}")).collect();
        let _ = writeln!(text, "{ratio:<14} {}", windows.join(", "));
    }
    print(&text)
}
