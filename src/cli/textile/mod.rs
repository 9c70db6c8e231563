//! `weft textile`: fabrics in the textile laboratory.

mod page;

use std::fmt::Write;
use std::ops::RangeInclusive;
use std::path::Path;

use clap::{Args, ValueEnum};
use rayon::prelude::*;
use serde_json::json;

use crate::cli::laws::check_solver;
use crate::cli::output::{Failure, counting_bar, not_written, print, print_json};
use crate::cli::scene_args::SceneArgs;
use crate::cli::targets::Targets;
use crate::documents::write_whole;
use crate::scene::{Fabric, InputError, Scene};
use crate::sim::params::units::significant;
use crate::sim::solvers::{ImplicitEuler, id_of};
use crate::sim::study::textile::{Cut, Figure, Specimen, TextileTest};
use crate::sim::{Parameters, Real, Simulation, StepError};

const EXAMPLES: &str = "\
Examples:
  weft textile                                     cotton in every test, a minute
  weft textile --fabric all --test drape           every fabric between two discs
  weft textile --set bending_stiffness=1e-5        cotton that is twice as stiff
  weft textile --solver xpbd --cut irregular       another solver, on an irregular mesh
  weft textile --html cotton.html                  a page with pictures of the specimens";

/// Distances of neighbouring vertices of a drape that are allowed [mm].
const CELLS: RangeInclusive<Real> = 2.0..=15.0;

/// Shapes of meshes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum CutArg {
    /// Warp and weft along the lines of a grid
    Grid,
    /// Triangles whose vertices are moved at random
    Irregular,
}

#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct TextileArgs {
    /// The fabric, or `all`; can be given several times
    #[arg(long, value_name = "ID", default_value = Fabric::DEFAULT)]
    fabric: Vec<String>,
    /// Only this test; can be given several times. Without it all, but of the sizes of drapes only
    /// the first
    #[arg(long, value_parser = TextileTest::ALL.map(TextileTest::id))]
    test: Vec<String>,
    /// The solver (`weft solvers` lists them)
    #[arg(long, value_name = "ID", default_value_t = id_of::<ImplicitEuler>().to_owned())]
    solver: String,
    /// Change a parameter of the fabric, as often as wanted
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// The mesh that specimens are cut from
    #[arg(long, value_enum, default_value_t = CutArg::Grid)]
    cut: CutArg,
    /// Number of drapes that start a little differently
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=100))]
    starts: u64,
    /// Distance of neighbouring vertices of a drape, from 2 to 15 mm
    #[arg(long, value_name = "MM", default_value_t = 1e3 * Specimen::CELL)]
    cell: Real,
    /// Leave the solver its default settings, instead of those that suit the specimen
    #[arg(long)]
    defaults: bool,
    /// Print JSON
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print CSV
    #[arg(long)]
    csv: bool,
    /// Write a page with the table, procedures, formulas and pictures of the specimens
    #[arg(long, value_name = "FILE.html")]
    html: Option<String>,
}

/// A row of the table: figures of all starts of a test.
struct Row {
    fabric: &'static Fabric,
    test: TextileTest,
    wanted: Option<Real>,
    /// Or why there are none.
    figures: Result<Result<Vec<Figure>, &'static str>, StepError>,
    /// The specimen of the first start, if it is shown.
    simulation: Option<Simulation>,
}

impl Row {
    /// Mean, and standard deviation where there are several.
    fn value(&self) -> Option<(Real, Option<Real>)> {
        let figures = self.figures.as_ref().ok()?.as_ref().ok()?;
        let count = figures.len() as Real;
        let mean = figures.iter().map(|figure| figure.value).sum::<Real>() / count;
        let squares = figures.iter().map(|figure| (figure.value - mean).powi(2)).sum::<Real>();
        Some((mean, (figures.len() > 1).then(|| (squares / (count - 1.0)).sqrt())))
    }

    /// Mean number of nodes.
    fn nodes(&self) -> Option<Real> {
        let figures = self.figures.as_ref().ok()?.as_ref().ok()?;
        let nodes: Option<Real> = figures.iter().map(|figure| figure.nodes.map(|count| count as Real)).sum();
        nodes.map(|sum| sum / figures.len() as Real)
    }

    fn verdict(&self) -> String {
        let figures = match &self.figures {
            Err(error) => return format!("failed: {error}"),
            Ok(Err(why)) => return format!("not measured: {why}"),
            Ok(Ok(figures)) => figures,
        };
        let moving = figures.iter().filter(|figure| !figure.is_at_rest).count();
        let mut notes: Vec<&str> = figures.iter().filter_map(|figure| figure.note).collect();
        notes.dedup();
        let judged = match (self.value(), self.wanted) {
            _ if moving > 0 && figures.len() > 1 => format!("not converged ({moving} of {})", figures.len()),
            _ if moving > 0 => "not converged".to_owned(),
            (Some((value, _)), Some(wanted)) if wanted > 0.0 => format!("{:+.1} %", 100.0 * (value / wanted - 1.0)),
            _ if notes.is_empty() => "at rest".to_owned(),
            _ => notes.remove(0).to_owned(),
        };
        notes.into_iter().fold(judged, |all, note| format!("{all}, {note}"))
    }
}

/// Prints a row per fabric and test.
pub(super) fn textile(args: &TextileArgs) -> Result<(), Failure> {
    check_solver(&args.solver)?;
    if !CELLS.contains(&args.cell) {
        let [low, high] = [CELLS.start(), CELLS.end()];
        return Err(InputError::new("--cell", format!("needs a number of mm from {low} to {high}")).into());
    }
    if let Some(file) = args.html.as_ref().filter(|file| !file.to_ascii_lowercase().ends_with(".html")) {
        return Err(InputError::new(file, "is no name of a page; let it end in .html").into());
    }
    Targets::default().whole("--html", args.html.as_ref()).check()?;
    let fabrics = fabrics(&args.fabric)?;
    let is_meant =
        |test: &TextileTest| args.test.is_empty() && test.is_usual() || args.test.iter().any(|id| id == test.id());
    let tests: Vec<_> = TextileTest::ALL.into_iter().filter(is_meant).collect();
    let mut cases = Vec::new();
    for fabric in fabrics {
        let parameters = parameters(fabric, &args.set)?;
        cases.extend(tests.iter().map(|test| (fabric, parameters, *test)));
    }
    let bar = counting_bar(cases.len() as u64, "tests");
    let counted = |case: &(&'static Fabric, Parameters, TextileTest)| {
        let row = measured(args, *case);
        bar.inc(1);
        row
    };
    let rows: Vec<_> = cases.par_iter().map(counted).collect();
    bar.finish_and_clear();
    if let Some(file) = &args.html {
        let page = page::page(args, &rows).html();
        write_whole(Path::new(file), |out| out.write_all(page.as_bytes()))
            .map_err(|error| not_written(file, &error))?;
    }
    if args.json {
        return print_json(&json!(rows.iter().map(|row| json_row(row, args.defaults)).collect::<Vec<_>>()));
    }
    if args.csv {
        return print(&csv_text(&rows, args.defaults)?);
    }
    print(&text(&rows, args.defaults))
}

fn fabrics(ids: &[String]) -> Result<Vec<&'static Fabric>, Failure> {
    if ids.iter().any(|id| id == "all") {
        return Ok(Fabric::all().iter().collect());
    }
    let find = |id: &String| Fabric::find(id).map_err(|error| InputError::new("--fabric", error.message()).into());
    ids.iter().map(find).collect()
}

/// Those of a fabric with changes.
fn parameters(fabric: &Fabric, set: &[String]) -> Result<Parameters, Failure> {
    let mut scene = Scene::default();
    fabric.apply(&mut scene.parameters);
    SceneArgs { set: set.to_vec(), ..SceneArgs::default() }.change(&mut scene)?;
    Ok(scene.parameters)
}

fn measured(args: &TextileArgs, (fabric, parameters, test): (&'static Fabric, Parameters, TextileTest)) -> Row {
    let cut = match args.cut {
        CutArg::Grid => Cut::Grid,
        CutArg::Irregular => Cut::Irregular,
    };
    let starts = if test.discs().is_some() { args.starts } else { 1 };
    let (cell, has_defaults) = (1e-3 * args.cell, args.defaults);
    let specimen = Specimen { cut, cell, has_defaults, ..Specimen::new(&parameters, &args.solver) };
    let measure = |seed| test.measurement(&Specimen { seed, ..specimen });
    let measured: Result<Vec<_>, _> = (0..starts).into_par_iter().map(measure).collect();
    let (figures, simulation) = match measured {
        Err(error) => (Err(error), None),
        Ok(all) => {
            let figures = all.iter().map(|measurement| measurement.figure).collect();
            let first = all.into_iter().next().filter(|_| args.html.is_some());
            (Ok(figures), first.map(|measurement| measurement.simulation))
        }
    };
    Row { fabric, test, wanted: test.wanted(&parameters), figures, simulation }
}

/// Name of the settings of the solver.
const fn settings(has_defaults: bool) -> &'static str {
    if has_defaults { "default" } else { "suited" }
}

fn json_row(row: &Row, has_defaults: bool) -> serde_json::Value {
    let (value, spread) = row.value().unzip();
    json!({
        "fabric": row.fabric.id,
        "test": row.test.id(),
        "settings": settings(has_defaults),
        "unit": row.test.unit(),
        "value": value,
        "spread": spread.flatten(),
        "nodes": row.nodes(),
        "set": row.wanted,
        "verdict": row.verdict(),
    })
}

fn csv_text(rows: &[Row], has_defaults: bool) -> Result<String, Failure> {
    let number = |value: Option<Real>| value.map(|value| value.to_string()).unwrap_or_default();
    let failed = |error: &dyn std::fmt::Display| Failure::Ran(format!("the table cannot be written: {error}"));
    let mut table = csv::Writer::from_writer(Vec::new());
    let header =
        ["fabric", "test", "settings", "unit", "value", "spread", "nodes", "set", "verdict"].map(str::to_owned);
    let lines = rows.iter().map(|row| {
        let (value, spread) = row.value().unzip();
        let [value, spread, nodes, set] = [value, spread.flatten(), row.nodes(), row.wanted].map(number);
        let [test, settings, unit] = [row.test.id(), settings(has_defaults), row.test.unit()].map(str::to_owned);
        [row.fabric.id.clone(), test, settings, unit, value, spread, nodes, set, row.verdict()]
    });
    for line in std::iter::once(header).chain(lines) {
        table.write_record(line).map_err(|error| failed(&error))?;
    }
    let bytes = table.into_inner().map_err(|error| failed(&error))?;
    String::from_utf8(bytes).map_err(|error| failed(&error))
}

/// A value with its unit; a dash where there is none.
fn shown(value: Option<Real>, unit: &str) -> String {
    match value {
        Some(value) if unit.is_empty() => significant(value),
        Some(value) => format!("{} {unit}", significant(value)),
        None => "–".to_owned(),
    }
}

/// A line per row; with `has_defaults` the first line says that the solver has its default settings.
fn text(rows: &[Row], has_defaults: bool) -> String {
    let verdict = if has_defaults { "verdict (default settings of the solver)" } else { "verdict" };
    let mut text = format!(
        "{:<12} {:<13} {:>16} {:>8} {:>6} {:>16}  {verdict}\n",
        "fabric", "test", "measured", "±", "nodes", "set"
    );
    for row in rows {
        let (value, spread) = row.value().unzip();
        let unit = row.test.unit();
        let _ = writeln!(
            text,
            "{:<12} {:<13} {:>16} {:>8} {:>6} {:>16}  {}",
            row.fabric.id,
            row.test.id(),
            shown(value, unit),
            shown(spread.flatten(), ""),
            shown(row.nodes(), ""),
            shown(row.wanted, unit),
            row.verdict()
        );
    }
    text
}
