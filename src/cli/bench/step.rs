//! The cost of a step, solver by solver and size by size, beside table 2 of Kang.

use std::fmt::Write;
use std::time::Instant;

use serde_json::{Map, json};

use super::args::{BenchArgs, TABLE_2_SIZES};
use super::repeat;
use crate::cli::output::{Failure, clock, counting_bar, median, print, print_json};
use crate::sim::solver_interface::{Stability, StepStage, StepStats};
use crate::sim::{Real, Simulation};

/// Seconds that Kang's table 2 gives, unit and machine as in the paper, for 20×20, 30×30 and 40×40
/// vertices.
const TABLE_2: [(&str, [Real; 3]); 5] = [
    ("symplectic-euler", [0.02, 0.08, 0.12]),
    ("harmonic-oscillator", [0.06, 0.17, 0.28]),
    ("jacobi-implicit", [0.12, 0.33, 0.47]),
    ("implicit-euler", [0.72, 5.70, 36.72]),
    ("hybrid", [0.14, 0.35, 0.55]),
];
/// Solver that the others are compared with.
const YARDSTICK: &str = "symplectic-euler";

/// Steps that are not counted, and time that the counted ones may take [s].
const WARM_UP: usize = 3;
const BUDGET: Real = 1.0;
/// Fewest and most counted steps.
const COUNTED: std::ops::RangeInclusive<usize> = 5..=200;

/// Measurements of one solver at one size.
struct StepFigures {
    solver: String,
    size: u32,
    springs: usize,
    time_step: Real,
    /// Milliseconds of each counted step, rising.
    step_ms: Vec<Real>,
    /// Median milliseconds per stage.
    stages: Vec<Real>,
    iterations: Real,
}

impl StepFigures {
    fn median(&self) -> Real {
        median(&self.step_ms)
    }
}

/// Measures and prints `solvers` at all sizes.
pub(super) fn steps(args: &BenchArgs, solvers: &[String], pool: &rayon::ThreadPool) -> Result<(), Failure> {
    let threads = pool.current_num_threads();
    let mut scenes = Vec::new();
    for &size in &args.sizes {
        for solver in solvers {
            scenes.push((size, args.scene_of(solver, size)?));
        }
    }

    let bar = counting_bar(scenes.len() as u64, "measured");
    let mut rows = Vec::new();
    for (size, scene) in scenes {
        let mut simulation = scene.build()?;
        rows.push(pool.install(|| measure(&mut simulation, size))?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    if args.json {
        return print_json(&json!(rows.iter().map(|row| to_json(row, threads)).collect::<Vec<_>>()));
    }
    print(&table(&rows, &args.sizes, threads))
}

/// Steps the cloth and takes the time. Methods with a critical step get one that they survive.
fn measure(simulation: &mut Simulation, size: u32) -> Result<StepFigures, Failure> {
    simulation.clock = clock();
    if matches!(simulation.solver().info().stability, Stability::Conditional | Stability::Damped) {
        let limit = simulation.solver_critical_step().unwrap_or(Real::INFINITY);
        let held = if limit > 0.0 { 0.5 * limit } else { 0.05 * simulation.critical_step() };
        simulation.parameters.timing.time_step = simulation.parameters.timing.time_step.min(held);
    }
    let id = simulation.solver().info().id;
    let step = |simulation: &mut Simulation| -> Result<(Real, StepStats), Failure> {
        let started = Instant::now();
        let stats = simulation.step().map_err(|error| Failure::Ran(format!("{id} at {size}×{size}: {error}")))?;
        Ok((1e3 * started.elapsed().as_secs_f64(), stats))
    };
    for _ in 0..WARM_UP {
        step(simulation)?;
    }
    let measured = repeat(COUNTED, BUDGET, || step(simulation))?;
    let mut step_ms: Vec<Real> = measured.iter().map(|(ms, _)| *ms).collect();
    step_ms.sort_by(Real::total_cmp);
    let stages = StepStage::ALL
        .map(|stage| {
            let mut ms: Vec<Real> = measured.iter().map(|(_, stats)| 1e3 * stats.seconds[stage as usize]).collect();
            ms.sort_by(Real::total_cmp);
            median(&ms)
        })
        .to_vec();
    let iterations = measured.iter().map(|(_, stats)| Real::from(stats.iterations)).sum::<Real>();
    Ok(StepFigures {
        solver: id.to_owned(),
        size,
        springs: simulation.pattern().springs().len(),
        time_step: simulation.parameters.timing.time_step,
        iterations: iterations / measured.len() as Real,
        step_ms,
        stages,
    })
}

fn to_json(row: &StepFigures, threads: usize) -> serde_json::Value {
    let stages: Map<String, serde_json::Value> =
        StepStage::ALL.iter().zip(&row.stages).map(|(stage, ms)| (stage.name().to_owned(), json!(ms))).collect();
    json!({
        "solver": row.solver,
        "columns": row.size,
        "rows": row.size,
        "springs": row.springs,
        "threads": threads,
        "time_step": row.time_step,
        "step_ms": row.median(),
        "min_ms": row.step_ms[0],
        "max_ms": row.step_ms[row.step_ms.len() - 1],
        "iterations": row.iterations,
        "iteration_ms": row.median() / row.iterations.max(1.0),
        "stages": stages,
    })
}

fn table(rows: &[StepFigures], sizes: &[u32], threads: usize) -> String {
    let mut text = format!("milliseconds per step, median of up to {}, {threads} threads\n", COUNTED.end());
    for &size in sizes {
        let of_size = || rows.iter().filter(move |row| row.size == size);
        let yardstick = of_size().find(|row| row.solver == YARDSTICK).map(StepFigures::median);
        let springs = of_size().next().map_or(0, |row| row.springs);
        let _ = writeln!(text, "\n{size}×{size} vertices, {springs} springs");
        let _ = writeln!(
            text,
            "{:<20} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}",
            "solver", "step", "min", "max", "per iter.", "× Euler", "Kang [s]", "× Euler"
        );
        let column = TABLE_2_SIZES.iter().position(|other| *other == size);
        let kang = |solver: &str| TABLE_2.iter().find(|(id, _)| *id == solver).zip(column).map(|((_, s), at)| s[at]);
        for row in of_size() {
            let ours = yardstick.map_or(String::new(), |base| format!("{:.1}", row.median() / base));
            let paper = kang(&row.solver);
            let ratio = paper.zip(kang(YARDSTICK)).map(|(seconds, base)| format!("{:.1}", seconds / base));
            let _ = writeln!(
                text,
                "{:<20} {:>9.3} {:>9.3} {:>9.3} {:>9.3} {:>9} {:>9} {:>9}",
                row.solver,
                row.median(),
                row.step_ms[0],
                row.step_ms[row.step_ms.len() - 1],
                row.median() / row.iterations.max(1.0),
                ours,
                paper.map_or(String::new(), |seconds| format!("{seconds:.2}")),
                ratio.unwrap_or_default(),
            );
        }
    }
    text
}
