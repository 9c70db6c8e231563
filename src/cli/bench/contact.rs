//! `weft bench --contact`: cost of cloth-cloth contact, case by case and size by size.

use std::fmt::Write;
use std::time::Instant;

use serde_json::json;

use super::args::BenchArgs;
use super::repeat;
use crate::cli::output::{Failure, clock, counting_bar, median, print, print_json};
use crate::scene::{Grid, InputError, Scene};
use crate::sim::model::material::Mass;
use crate::sim::pattern::Plane;
use crate::sim::solver_interface::{StepStage, StepStats};
use crate::sim::{Cloth, Mat3, Pattern, Real, Simulation, Vec3, solvers};

/// Moves the cloth unless another solver is asked for.
const MOVER: &str = "projective-dynamics";
/// Length of a side of a cell of sheets [m], the same at every size: a size is that of a larger
/// cloth, not of a finer one. The scene `heap` keeps the size of its cloth.
const CELL: Real = 0.0125;
/// Speed of the waves of a sheet in motion, of those of stacked sheets, and of one sheet over the
/// next [m/s].
const WAVE: Real = 1.0;
const WAVE_OF_LAYERS: Real = 0.3;
const SLIDE: Real = 0.1;

/// Time that the counted steps of a row may take [s], and that the steps before them may [s].
const BUDGET: Real = 30.0;
const PATIENCE: Real = 60.0;
/// Fewest and most counted steps.
const COUNTED: std::ops::RangeInclusive<usize> = 8..=40;

/// A case. All have as many vertices as a sheet with that many along a side, or nearly so.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Case {
    /// A hanging sheet.
    Flat,
    /// So many sheets on each other, on the floor.
    Layers(u32),
    /// The scene `heap`.
    Heap,
}

impl Case {
    const ALL: [Self; 4] = [Self::Flat, Self::Layers(2), Self::Layers(8), Self::Heap];

    const fn name(self) -> &'static str {
        match self {
            Self::Flat => "flat",
            Self::Layers(2) => "two",
            Self::Layers(_) => "eight",
            Self::Heap => "heap",
        }
    }

    /// Steps before those that are counted, for a cloth at rest and for one in motion.
    const fn warm_up(self) -> [usize; 2] {
        match self {
            Self::Flat | Self::Layers(_) => [40, 4],
            // it has come down, and it folds
            Self::Heap => [240, 45],
        }
    }
}

/// Measurements of a case.
struct ContactFigures {
    case: Case,
    columns: u32,
    moving: bool,
    threads: usize,
    vertices: usize,
    /// Median number of pairs per step; the medians of the other counts follow.
    pairs: Real,
    searches: Real,
    detect_ms: Real,
    solve_ms: Real,
    truncate_ms: Real,
    total_ms: Real,
    /// The least and the most.
    min_ms: Real,
    max_ms: Real,
    truncated: u32,
}

impl ContactFigures {
    /// Time per vertex [µs].
    fn us_per_vertex(&self) -> Real {
        1e3 * self.total_ms / self.vertices as Real
    }

    /// Near pairs per vertex: the rows of the contact solver.
    fn rows_per_vertex(&self) -> Real {
        self.pairs / self.vertices as Real
    }
}

/// Measures and prints the cases at the given sizes, at rest and in motion, by the pool and then by
/// one thread.
pub(super) fn contact(args: &BenchArgs, pool: &rayon::ThreadPool) -> Result<(), Failure> {
    let BenchArgs { sizes, cases, .. } = args;
    let solver = args.scene.solver.as_deref().unwrap_or(MOVER);
    let is_asked = |case: &Case| cases.is_empty() || cases.iter().any(|name| name == case.name());
    let cases: Vec<Case> = Case::ALL.into_iter().filter(is_asked).collect();
    for &columns in sizes {
        // sizes that no grid has are refused before any work is done
        build(Case::Heap, columns, solver, false)?;
    }
    let alone =
        rayon::ThreadPoolBuilder::new().num_threads(1).build().map_err(|error| Failure::Ran(error.to_string()))?;
    let mut pools = vec![pool];
    pools.extend((pool.current_num_threads() > 1).then_some(&alone));
    let bar = counting_bar((pools.len() * sizes.len() * cases.len() * 2) as u64, "measured");
    let mut rows = Vec::new();
    for pool in &pools {
        for (&columns, &case) in sizes.iter().flat_map(|columns| cases.iter().map(move |case| (columns, case))) {
            for moving in [false, true] {
                let mut simulation = build(case, columns, solver, moving)?;
                let row = pool.install(|| measure(&mut simulation, case, columns, moving))?;
                rows.push(ContactFigures { threads: pool.current_num_threads(), ..row });
                bar.inc(1);
            }
        }
    }
    bar.finish_and_clear();
    if args.json {
        return print_json(&json!(rows.iter().map(to_json).collect::<Vec<_>>()));
    }
    let tables: Vec<String> = rows.chunk_by(|a, b| a.threads == b.threads).map(table).collect();
    print(&tables.join("\n"))
}

/// The cloth of a case.
fn build(case: Case, columns: u32, solver: &str, moving: bool) -> Result<Simulation, Failure> {
    let unknown = || Failure::Ran(format!("there is no solver \"{solver}\""));
    let layers = match case {
        Case::Heap => {
            let mut scene = Scene::load("heap")?;
            for key in [Grid::columns, Grid::rows] {
                scene.set(key, &columns.to_string()).map_err(|error| InputError::new("--sizes", error.to_string()))?;
            }
            scene.set_solver(solver).map_err(|error| InputError::new("--solver", error.to_string()))?;
            scene.name_settings()?;
            return Ok(scene.build()?);
        }
        Case::Flat => 1,
        Case::Layers(layers) => layers,
    };
    let of_layer = ((Real::from(columns).powi(2) / Real::from(layers)).sqrt().round() as u32).max(2);
    let side = CELL * Real::from(of_layer - 1);
    let plane = if case == Case::Flat { Plane::Xy } else { Plane::Xz };
    let sheet = Pattern::grid(of_layer as usize, of_layer as usize, side, side, plane);
    let pattern = Pattern::join(std::iter::repeat_n(&sheet, layers as usize));
    let solver = solvers::build(solver).ok_or_else(unknown)?;
    let mut simulation = Simulation::new(pattern, Mass::default(), solver);
    simulation.parameters.contact.self_contact = true;
    let contact = simulation.parameters.contact;
    let low = sheet.rest_positions().iter().copied().fold(Vec3::INFINITY, Vec3::min);
    for (i, x) in simulation.state.cloth.positions.iter_mut().enumerate() {
        let layer = (i / sheet.len()) as Real;
        if case == Case::Flat {
            x.y += 0.5 - low.y;
        } else {
            // slightly rotated against each other, as sheets in a stack are
            let turn = Mat3::from_rotation_y(0.03 * (2.4 * layer).sin());
            let middle = low + Vec3::new(0.5 * side, 0.0, 0.5 * side);
            *x = turn * (*x - middle) + Vec3::Y * (contact.thickness + contact.layer_distance * layer);
        }
    }
    if case == Case::Flat {
        let top = simulation.state.cloth.positions.iter().map(|x| x.y).fold(Real::NEG_INFINITY, Real::max);
        for vertex in 0..simulation.state.cloth.len() as u32 {
            if simulation.state.cloth.positions[vertex as usize].y > top - 0.5 * CELL {
                simulation.state.cloth.pin_here(vertex);
            }
        }
    }
    if moving {
        set_in_motion(&mut simulation.state.cloth, case, sheet.len(), side);
    }
    Ok(simulation)
}

/// Has one and a half waves run through all sheets, of so many `vertices` and this `side` [m], and
/// each slide over the one below.
fn set_in_motion(cloth: &mut Cloth, case: Case, vertices: usize, side: Real) {
    let along = 3.0 * std::f64::consts::PI / side;
    for (i, (x, v)) in cloth.positions.iter().zip(&mut cloth.velocities).enumerate() {
        let layer = i / vertices;
        *v = if case == Case::Flat {
            Vec3::Z * (WAVE * (along * x.y).sin())
        } else {
            let slide = if layer.is_multiple_of(2) { SLIDE } else { -SLIDE };
            Vec3::new(slide, WAVE_OF_LAYERS * (1.0 + (along * x.x).sin()), 0.0)
        };
    }
}

/// Steps the cloth and takes the time of the stages of contact.
fn measure(simulation: &mut Simulation, case: Case, columns: u32, moving: bool) -> Result<ContactFigures, Failure> {
    simulation.clock = clock();
    let name = case.name();
    let step = |simulation: &mut Simulation| -> Result<StepStats, Failure> {
        simulation.step().map_err(|error| Failure::Ran(format!("{name} at {columns}×{columns}: {error}")))
    };
    let started = Instant::now();
    for _ in 0..case.warm_up()[usize::from(moving)] {
        if started.elapsed().as_secs_f64() > PATIENCE {
            break;
        }
        step(simulation)?;
    }
    let measured = repeat(COUNTED, BUDGET, || step(simulation))?;
    let sorted = |of: &dyn Fn(&StepStats) -> Real| {
        let mut values: Vec<Real> = measured.iter().map(of).collect();
        values.sort_by(Real::total_cmp);
        values
    };
    let ms = |stage: StepStage| median(&sorted(&|stats| 1e3 * stats.seconds[stage as usize]));
    let stages = [StepStage::Detection, StepStage::Contact, StepStage::Truncation];
    let totals = sorted(&|stats| stages.iter().map(|stage| 1e3 * stats.seconds[*stage as usize]).sum());
    let substeps = |stats: &StepStats| Real::from(stats.substeps.max(1));
    Ok(ContactFigures {
        case,
        columns,
        moving,
        threads: 1,
        vertices: simulation.state.cloth.len(),
        pairs: median(&sorted(&|stats| Real::from(stats.near_pairs))),
        searches: median(&sorted(&|stats| Real::from(stats.searches) / substeps(stats))),
        detect_ms: ms(StepStage::Detection),
        solve_ms: ms(StepStage::Contact),
        truncate_ms: ms(StepStage::Truncation),
        total_ms: median(&totals),
        min_ms: totals[0],
        max_ms: totals[totals.len() - 1],
        truncated: measured.iter().map(|stats| stats.truncated).max().unwrap_or_default(),
    })
}

const fn state(moving: bool) -> &'static str {
    if moving { "moving" } else { "resting" }
}

fn to_json(row: &ContactFigures) -> serde_json::Value {
    json!({
        "case": row.case.name(),
        "columns": row.columns,
        "state": state(row.moving),
        "threads": row.threads,
        "vertices": row.vertices,
        "pairs": row.pairs,
        "searches": row.searches,
        "detect_ms": row.detect_ms,
        "solve_ms": row.solve_ms,
        "truncate_ms": row.truncate_ms,
        "total_ms": row.total_ms,
        "us_per_vertex": row.us_per_vertex(),
        "rows_per_vertex": row.rows_per_vertex(),
        "min_ms": row.min_ms,
        "max_ms": row.max_ms,
        "truncated": row.truncated,
    })
}

fn table(rows: &[ContactFigures]) -> String {
    let threads = rows.first().map_or(1, |row| row.threads);
    let mut text = format!(
        "contact of the cloth with itself, milliseconds per step, median of up to {}, {threads} threads\n\n",
        COUNTED.end()
    );
    let heads = ["detect", "solve", "truncate", "total", "min", "max", "µs/vertex", "rows/vertex", "truncated"];
    let _ = write!(text, "{:<6} {:>8} {:<8} {:>9}", "case", "columns", "state", "vertices");
    heads.iter().for_each(|head| {
        let _ = write!(text, " {head:>11}");
    });
    text.push('\n');
    for row in rows {
        let _ = write!(text, "{:<6} {:>8} {:<8} {:>9}", row.case.name(), row.columns, state(row.moving), row.vertices);
        let times = [row.detect_ms, row.solve_ms, row.truncate_ms, row.total_ms, row.min_ms, row.max_ms];
        times.iter().chain(&[row.us_per_vertex(), row.rows_per_vertex()]).for_each(|value| {
            let _ = write!(text, " {value:>11.3}");
        });
        let _ = writeln!(text, " {:>11}", row.truncated);
    }
    text
}
