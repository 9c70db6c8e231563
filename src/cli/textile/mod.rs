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
use crate::scene::{Fabric, InputError, PublishedDrape, ScanScatter, Scene};
use crate::sim::params::units::significant;
use crate::sim::solvers::{ImplicitEuler, id_of};
use crate::sim::study::textile::{Cut, Specimen, TestResult, TextileTest};
use crate::sim::{Parameters, Real, Simulation};

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
pub(super) enum CutArg {
    /// Warp and weft along the lines of a grid
    Grid,
    /// Triangles whose vertices are moved at random
    Irregular,
}

impl CutArg {
    /// The same for the library.
    pub(super) const fn cut(self) -> Cut {
        match self {
            Self::Grid => Cut::Grid,
            Self::Irregular => Cut::Irregular,
        }
    }
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
    /// Distance of neighbouring vertices of a drape, from 2 to 15 mm [default: 7.5 mm, or half the
    /// bending length where that is less, and at least 4 mm]
    #[arg(long, value_name = "MM")]
    cell: Option<Real>,
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

/// A row of the table.
struct Row {
    fabric: &'static Fabric,
    result: TestResult,
    /// The published figure, if the numbers are those of the fabric.
    published: Option<String>,
    /// The specimen of the first start, if it is shown.
    simulation: Option<Simulation>,
}

impl Row {
    /// The drape coefficient [%], if it is of the size that scans have.
    fn scanned(&self) -> Option<Real> {
        self.result.mean().filter(|_| self.result.test == TextileTest::Drape)
    }
}

/// Prints a row per fabric and test.
pub(super) fn textile(args: &TextileArgs) -> Result<(), Failure> {
    check_solver(&args.solver)?;
    if args.cell.is_some_and(|cell| !CELLS.contains(&cell)) {
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
pub(super) fn parameters(fabric: &Fabric, set: &[String]) -> Result<Parameters, Failure> {
    let mut scene = Scene::default();
    fabric.apply_to(&mut scene.parameters, true);
    SceneArgs { set: set.to_vec(), ..SceneArgs::default() }.change(&mut scene)?;
    Ok(scene.parameters)
}

fn measured(args: &TextileArgs, (fabric, parameters, test): (&'static Fabric, Parameters, TextileTest)) -> Row {
    let cut = args.cut.cut();
    let starts = if test.discs().is_some() { args.starts } else { 1 };
    let cell = args.cell.map_or_else(|| Specimen::cell_for(&parameters), |cell| 1e-3 * cell);
    let specimen = Specimen { cut, cell, has_defaults: args.defaults, ..Specimen::new(&parameters, &args.solver) };
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
    let is_of = test == TextileTest::Drape && fabric.is_of(&parameters);
    let published = fabric.drape.as_ref().filter(|_| is_of).map(PublishedDrape::figure);
    Row { fabric, result: TestResult::of(test, &specimen, figures), published, simulation }
}

/// Name of the settings of the solver.
const fn settings(has_defaults: bool) -> &'static str {
    if has_defaults { "default" } else { "suited" }
}

fn json_row(row: &Row, has_defaults: bool) -> serde_json::Value {
    let result = &row.result;
    let scans = row.scanned().and_then(ScanScatter::about);
    json!({
        "fabric": row.fabric.id,
        "test": result.test.id(),
        "settings": settings(has_defaults),
        "unit": result.test.unit(),
        "value": result.mean(),
        "spread": result.deviation(),
        "nodes": result.nodes(),
        "set": result.wanted,
        "published": row.published,
        "scans": scans.map(|ScanScatter { fabrics, deviation, nodes }| {
            json!({ "fabrics": fabrics, "spread": deviation, "nodes": nodes })
        }),
        "verdict": result.verdict(),
    })
}

fn csv_text(rows: &[Row], has_defaults: bool) -> Result<String, Failure> {
    let number = |value: Option<Real>| value.map(|value| value.to_string()).unwrap_or_default();
    let failed = |error: &dyn std::fmt::Display| Failure::Ran(format!("the table cannot be written: {error}"));
    let mut table = csv::Writer::from_writer(Vec::new());
    let header = ["fabric", "test", "settings", "unit", "value", "spread", "nodes", "set", "published", "verdict"]
        .map(str::to_owned);
    let lines = rows.iter().map(|Row { fabric, result, published, .. }| {
        let [value, spread, nodes, set] =
            [result.mean(), result.deviation(), result.nodes(), result.wanted].map(number);
        let [test, settings, unit] = [result.test.id(), settings(has_defaults), result.test.unit()].map(str::to_owned);
        let published = published.clone().unwrap_or_default();
        [fabric.id.clone(), test, settings, unit, value, spread, nodes, set, published, result.verdict()]
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
        "{:<13} {:<13} {:>16} {:>8} {:>6} {:>16} {:>12}  {verdict}\n",
        "fabric", "test", "measured", "±", "nodes", "set", "published"
    );
    for Row { fabric, result, published, .. } in rows {
        let unit = result.test.unit();
        let _ = writeln!(
            text,
            "{:<13} {:<13} {:>16} {:>8} {:>6} {:>16} {:>12}  {}",
            fabric.id,
            result.test.id(),
            shown(result.mean(), unit),
            shown(result.deviation(), ""),
            shown(result.nodes(), ""),
            shown(result.wanted, unit),
            published.as_deref().unwrap_or("–"),
            result.verdict()
        );
    }
    text
}
