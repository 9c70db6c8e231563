//! `weft textile`: fabrics in the textile laboratory.

use std::fmt::Write;

use clap::{Args, ValueEnum};
use rayon::prelude::*;
use serde_json::json;

use super::laws::check_solver;
use super::output::{Failure, print, print_json};
use super::scene_args::SceneArgs;
use crate::scene::{Fabric, InputError, Scene};
use crate::sim::params::units::significant;
use crate::sim::solvers::{ImplicitEuler, id_of};
use crate::sim::study::textile::{Cut, Figure, Specimen, TextileTest};
use crate::sim::{Parameters, Real, StepError};

const EXAMPLES: &str = "\
Examples:
  weft textile                                     cotton in every test, a minute
  weft textile --fabric all --test drape           every fabric between two discs
  weft textile --set bending_stiffness=1e-5        cotton that is twice as stiff
  weft textile --solver xpbd --cut irregular       another solver, on an irregular mesh";

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
    /// Only this test; can be given several times
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
    /// Print JSON
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print CSV
    #[arg(long)]
    csv: bool,
}

/// A row of the table: figures of all starts of a test.
struct Row {
    fabric: &'static Fabric,
    test: TextileTest,
    wanted: Option<Real>,
    figures: Result<Option<Vec<Figure>>, StepError>,
}

impl Row {
    /// Mean, and standard deviation where there are several.
    fn value(&self) -> Option<(Real, Option<Real>)> {
        let figures = self.figures.as_ref().ok()?.as_ref()?;
        let count = figures.len() as Real;
        let mean = figures.iter().map(|figure| figure.value).sum::<Real>() / count;
        let squares = figures.iter().map(|figure| (figure.value - mean).powi(2)).sum::<Real>();
        Some((mean, (figures.len() > 1).then(|| (squares / (count - 1.0)).sqrt())))
    }

    /// Mean number of nodes.
    fn nodes(&self) -> Option<Real> {
        let figures = self.figures.as_ref().ok()?.as_ref()?;
        let nodes: Option<Real> = figures.iter().map(|figure| figure.nodes.map(|count| count as Real)).sum();
        nodes.map(|sum| sum / figures.len() as Real)
    }

    fn verdict(&self) -> String {
        let figures = match &self.figures {
            Err(error) => return format!("failed: {error}"),
            Ok(None) => return "not measured: the solver knows no forces".to_owned(),
            Ok(Some(figures)) => figures,
        };
        let moving = figures.iter().filter(|figure| !figure.is_at_rest).count();
        if moving > 0 {
            let of = if figures.len() > 1 { format!(" ({moving} of {})", figures.len()) } else { String::new() };
            return format!("not converged{of}");
        }
        match (self.value(), self.wanted) {
            (Some((value, _)), Some(wanted)) if wanted > 0.0 => format!("{:+.1} %", 100.0 * (value / wanted - 1.0)),
            _ => "at rest".to_owned(),
        }
    }
}

/// Prints a row per fabric and test.
pub(super) fn textile(args: &TextileArgs) -> Result<(), Failure> {
    check_solver(&args.solver)?;
    let fabrics = fabrics(&args.fabric)?;
    let is_meant = |test: &TextileTest| args.test.is_empty() || args.test.iter().any(|id| id == test.id());
    let tests: Vec<_> = TextileTest::ALL.into_iter().filter(is_meant).collect();
    let mut cases = Vec::new();
    for fabric in fabrics {
        let parameters = parameters(fabric, &args.set)?;
        cases.extend(tests.iter().map(|test| (fabric, parameters, *test)));
    }
    let rows: Vec<_> = cases.par_iter().map(|case| measured(args, *case)).collect();
    if args.json {
        return print_json(&json!(rows.iter().map(json_row).collect::<Vec<_>>()));
    }
    if args.csv {
        return print(&csv_text(&rows)?);
    }
    print(&text(&rows))
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
    fabric.apply(&mut scene.parameters);
    SceneArgs { set: set.to_vec(), ..SceneArgs::default() }.change(&mut scene)?;
    Ok(scene.parameters)
}

fn measured(args: &TextileArgs, (fabric, parameters, test): (&'static Fabric, Parameters, TextileTest)) -> Row {
    let cut = args.cut.cut();
    let starts = if test == TextileTest::Drape { args.starts } else { 1 };
    let measure = |seed| test.measure(&Specimen { fabric: &parameters, solver: &args.solver, cut, seed, cancel: None });
    let figures = (0..starts).into_par_iter().map(measure).collect();
    Row { fabric, test, wanted: test.wanted(&parameters), figures }
}

fn json_row(row: &Row) -> serde_json::Value {
    let (value, spread) = row.value().unzip();
    json!({
        "fabric": row.fabric.id,
        "test": row.test.id(),
        "unit": row.test.unit(),
        "value": value,
        "spread": spread.flatten(),
        "nodes": row.nodes(),
        "set": row.wanted,
        "verdict": row.verdict(),
    })
}

fn csv_text(rows: &[Row]) -> Result<String, Failure> {
    let number = |value: Option<Real>| value.map(|value| value.to_string()).unwrap_or_default();
    let failed = |error: &dyn std::fmt::Display| Failure::Ran(format!("the table cannot be written: {error}"));
    let mut table = csv::Writer::from_writer(Vec::new());
    let header = ["fabric", "test", "unit", "value", "spread", "nodes", "set", "verdict"].map(str::to_owned);
    let lines = rows.iter().map(|row| {
        let (value, spread) = row.value().unzip();
        let [value, spread, nodes, set] = [value, spread.flatten(), row.nodes(), row.wanted].map(number);
        let [test, unit] = [row.test.id(), row.test.unit()].map(str::to_owned);
        [row.fabric.id.clone(), test, unit, value, spread, nodes, set, row.verdict()]
    });
    for line in std::iter::once(header).chain(lines) {
        table.write_record(line).map_err(|error| failed(&error))?;
    }
    let bytes = table.into_inner().map_err(|error| failed(&error))?;
    String::from_utf8(bytes).map_err(|error| failed(&error))
}

fn text(rows: &[Row]) -> String {
    let shown = |value: Option<Real>, unit: &str| match value {
        Some(value) if unit.is_empty() => significant(value),
        Some(value) => format!("{} {unit}", significant(value)),
        None => "–".to_owned(),
    };
    let mut text = format!(
        "{:<12} {:<13} {:>16} {:>8} {:>6} {:>16}  {}\n",
        "fabric", "test", "measured", "±", "nodes", "set", "verdict"
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
