//! `weft bench --linear`: the constant system's factor beside that of faer.

use std::fmt::Write;
use std::time::Instant;

use serde_json::json;

use crate::cli::output::{Failure, median, print, print_json};
use crate::scene::Scene;
use crate::sim::exec::pool::ThreadPool;
use crate::sim::exec::simd::F64x4;
use crate::sim::linear::{ConstantSystem, FactorError, FaerCholesky, LowerTriangle, Rows};
use crate::sim::{Real, Simulation, WorkBudget};

/// Time that one quantity may take [s], and how often it is measured at least.
const BUDGET: Real = 0.4;
const FEWEST: usize = 5;

/// Measurements at one size.
struct LinearFigures {
    size: u32,
    unknowns: usize,
    nonzeros: usize,
    own_solve: Real,
    /// A correction of a solution as iterations make it: for large factors in single precision.
    correction: Real,
    faer_solve: Real,
    own_factor: Real,
    faer_factor: Real,
    grab: Real,
    residual: Real,
}

/// Measures and prints the sizes of `scenes`.
pub(super) fn linear(scenes: &[(u32, Scene)], pool: &rayon::ThreadPool, as_json: bool) -> Result<(), Failure> {
    let mut rows = Vec::new();
    for (size, scene) in scenes {
        let simulation = scene.build()?;
        rows.push(pool.install(|| measure(&simulation, *size))?);
    }
    if as_json {
        let entry = |row: &LinearFigures| {
            json!({
                "columns": row.size,
                "unknowns": row.unknowns,
                "nnz_factor": row.nonzeros,
                "ordering": "nested dissection",
                "threads": pool.current_num_threads(),
                "own_solve_ms": row.own_solve,
                "correction_ms": row.correction,
                "faer_solve_ms": row.faer_solve,
                "ratio": row.own_solve / row.faer_solve,
                "correction_ratio": row.correction / row.faer_solve,
                "own_factor_ms": row.own_factor,
                "faer_factor_ms": row.faer_factor,
                "grab_ms": row.grab,
                "residual": row.residual,
            })
        };
        return print_json(&json!(rows.iter().map(entry).collect::<Vec<_>>()));
    }
    let mut text = format!(
        "the constant matrix of the springs, three right-hand sides, {} threads; milliseconds\n\n",
        pool.current_num_threads()
    );
    let _ = writeln!(
        text,
        "{:>9} {:>9} {:>10} {:>9} {:>7} {:>9} {:>6} {:>6} {:>9} {:>9} {:>8} {:>9}",
        "grid", "unknowns", "nonzeros", "solve", "correct", "faer", "ratio", "", "factor", "faer", "grab", "residual"
    );
    for row in &rows {
        let _ = writeln!(
            text,
            "{:>9} {:>9} {:>10} {:>9.3} {:>7.3} {:>9.3} {:>6.2} {:>6.2} {:>9.2} {:>9.2} {:>8.3} {:>9.1e}",
            format!("{0}×{0}", row.size),
            row.unknowns,
            row.nonzeros,
            row.own_solve,
            row.correction,
            row.faer_solve,
            row.own_solve / row.faer_solve,
            row.correction / row.faer_solve,
            row.own_factor,
            row.faer_factor,
            row.grab,
            row.residual
        );
    }
    print(&text)
}

/// The median of the milliseconds that `run` takes.
fn time(mut run: impl FnMut()) -> Real {
    let started = Instant::now();
    let mut measured = Vec::new();
    while measured.len() < FEWEST || started.elapsed().as_secs_f64() < BUDGET {
        let before = Instant::now();
        run();
        measured.push(1e3 * before.elapsed().as_secs_f64());
    }
    measured.sort_by(Real::total_cmp);
    median(&measured)
}

fn measure(simulation: &Simulation, size: u32) -> Result<LinearFigures, Failure> {
    let failed = |error: FactorError| Failure::Ran(format!("{size}×{size}: {error}"));
    let (cloth, pattern) = (&simulation.state.cloth, simulation.pattern());
    let springs = pattern.springs();
    let stiffness = simulation.parameters.material.stiffness_by_family();
    let mut rows = Rows::default();
    for (&[i, j], &family) in springs.ends.iter().zip(&springs.families) {
        rows.push(stiffness[family as usize], [(i, 1.0), (j, -1.0)]);
    }
    let n = cloth.len();
    let h = simulation.parameters.timing.time_step;
    let budget = WorkBudget::unlimited();
    let mut system =
        ConstantSystem::new(&rows, pattern.rest_positions(), &budget).map_err(|error| failed(error.into()))?;
    let inertia = |vertex: usize| cloth.masses[vertex] / (h * h);
    let none = std::iter::empty;
    let own_factor = ThreadPool::run(true, |pool| {
        let mut run = || {
            system.assemble(inertia, &rows);
            system.constrain(none(), std::iter::empty(), &budget, pool)
        };
        run().map_err(failed)?;
        Ok::<_, Failure>(time(|| run().map_or((), |_| ())))
    })?;
    // a vertex in the middle is taken and let go
    let middle = system.symbolic().column_of[n / 2] as usize;
    let grab = ThreadPool::run(true, |pool| {
        0.5 * time(|| {
            let took = system.constrain(std::iter::once(middle), std::iter::empty(), &budget, pool);
            let gave = system.constrain(none(), std::iter::empty(), &budget, pool);
            debug_assert!(took.is_ok() && gave.is_ok());
        })
    });
    let right = |i: usize| F64x4([(i % 5) as Real - 2.0, 1.0, (i % 3) as Real, 0.0]);
    let mut x = vec![F64x4::ZERO; n];
    let own_solve = ThreadPool::run(true, |pool| {
        time(|| {
            x.iter_mut().enumerate().for_each(|(i, x)| *x = right(i));
            system.solve(&mut x, pool);
        })
    });
    let near = vec![F64x4::ZERO; n];
    let correction = ThreadPool::run(true, |pool| {
        time(|| {
            x.iter_mut().enumerate().for_each(|(i, x)| *x = right(i));
            system.solve_near(&near, &mut x, pool);
        })
    });
    let residual = ThreadPool::run(true, |pool| system.residual(pool));

    let (faer_factor, faer_solve) = measure_faer(system.matrix(), n, right).map_err(failed)?;
    let nonzeros = system.symbolic().entries();
    Ok(LinearFigures {
        size,
        unknowns: n,
        nonzeros,
        own_solve,
        correction,
        faer_solve,
        own_factor,
        faer_factor,
        grab,
        residual,
    })
}

/// Milliseconds that the factor of a matrix of `n` columns and a solve with three right-hand sides
/// take the library faer.
fn measure_faer(matrix: &LowerTriangle, n: usize, right: impl Fn(usize) -> F64x4) -> Result<(Real, Real), FactorError> {
    let mut faer = FaerCholesky::analyse(matrix)?;
    faer.factor(matrix)?;
    let factor = time(|| faer.factor(matrix).unwrap_or_default());
    let mut columns = vec![0.0; 3 * n];
    let solve = time(|| {
        columns.iter_mut().enumerate().for_each(|(i, x)| *x = right(i % n).0[i / n]);
        faer.solve(&mut columns);
    });
    Ok((factor, solve))
}
