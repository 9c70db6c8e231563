//! `weft fit`: parameters of a fabric with which a textile test gives a target.

mod curve;
mod output;

use std::path::Path;

use clap::{Args, ValueEnum};

use super::interruption::Interruption;
use super::laws::check_solver;
use super::output::{Failure, counting_bar, not_written};
use super::plotting::check_plot;
use super::targets::Targets;
use super::textile::{CutArg, parameters};
use crate::documents::{fit_chart, write_whole};
use crate::scene::{Fabric, InputError, read_scan};
use crate::sim::params::quote::quote;
use crate::sim::params::{Kind, Tunable};
use crate::sim::solvers::{ImplicitEuler, id_of};
use crate::sim::study::fit::{self, Problem, Target, Variable, VariableFault};
use crate::sim::study::textile::TextileTest;
use crate::sim::{Parameters, Real};

const EXAMPLES: &str = "\
Examples:
  weft fit --test drape --target 68
  weft fit --test drape --target 68 --vary bending_stiffness
  weft fit --test drape --target 68 --vary shear_stiffness,bending_stiffness --plot path.svg
  weft fit --test tension-warp --curve strip.csv --vary structural_stiffness --cut irregular
  weft fit --test drape --shape scan.obj --up z --vary shear_stiffness,bending_stiffness

The start is the --fabric with its --set. Parameters change by factors, within their ranges and a
factor of 100 about the start. A figure is met within half a point of drape, 0.004 of friction, or
0.2 % in the other tests. One figure for several parameters is met by many values: taken are those
nearest to the start, along the direction in which the figure changes most with the logarithms of
the parameters; where it is linear in them, none are nearer. The least distance from a curve or a
shape is found by the simplex of Nelder and Mead, where a small term takes the nearest to the start
of all that are as good. All evaluations have the same starts.

Files: a --curve has the header strain,force_n_per_m and up to 20 rows, with strains from 0 to 0.2
that rise, and the force per width in N/m. A --shape is a drape of a disc of 30 cm on discs of 18 cm,
in metres; its flat upper part is laid onto the discs, and of 72 turns about the axis the best counts.

Exit status 0: the target is met, or the least distance found. 1: it cannot be met, or was not in
so many evaluations, or the specimens have not come to rest. 2: bad input. 130: Ctrl+C; the best so
far is printed.";

/// Height of the axes of the plot [points].
const HEIGHT: f64 = 200.0;

/// The axis of a scan that points up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Up {
    Y,
    Z,
}

#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct FitArgs {
    /// The test
    #[arg(long, value_parser = TextileTest::ALL.map(TextileTest::id))]
    test: String,
    /// The figure that it is to give, in its unit: drape in %, tension and shear in N/m, bending in
    /// N·m
    #[arg(long, value_name = "FIGURE", allow_negative_numbers = true,
        required_unless_present_any = ["curve", "shape"], conflicts_with_all = ["curve", "shape"])]
    target: Option<Real>,
    /// Instead: a measured curve of tension over strain
    #[arg(long, value_name = "FILE.csv", conflicts_with = "shape")]
    curve: Option<String>,
    /// Instead: a scanned drape
    #[arg(long, value_name = "FILE.obj")]
    shape: Option<String>,
    /// The axis of the scan that points up
    #[arg(long, value_enum, default_value_t = Up::Y, requires = "shape")]
    up: Up,
    /// The parameters that are fitted; unless named, those that the test is made for: of a drape
    /// shear and bending
    #[arg(long, value_name = "KEY,...", value_delimiter = ',')]
    vary: Vec<String>,
    /// The fabric to begin with
    #[arg(long, value_name = "ID", default_value = Fabric::DEFAULT)]
    fabric: String,
    /// Change a parameter of the fabric, as often as wanted
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// The solver (`weft solvers` lists them)
    #[arg(long, value_name = "ID", default_value_t = id_of::<ImplicitEuler>().to_owned())]
    solver: String,
    /// The mesh that specimens are cut from
    #[arg(long, value_enum, default_value_t = CutArg::Grid)]
    cut: CutArg,
    /// Number of drapes that start a little differently in each evaluation
    #[arg(long, value_name = "N", default_value_t = Problem::STARTS, value_parser = clap::value_parser!(u64).range(1..=100))]
    starts: u64,
    /// Most evaluations
    #[arg(long, value_name = "N", default_value_t = Problem::MOST, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    most: u32,
    /// Draw the path
    #[arg(long, value_name = "FILE.svg|.pdf")]
    plot: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Fits, and prints the path and the result.
pub(super) fn fit(args: &FitArgs) -> Result<(), Failure> {
    check_solver(&args.solver)?;
    let files = Targets::default().reads("--curve", args.curve.as_ref()).reads("--shape", args.shape.as_ref());
    files.whole("--plot", args.plot.as_ref()).check()?;
    args.plot.as_deref().map_or(Ok(()), check_plot)?;
    let test = TextileTest::ALL.into_iter().find(|test| test.id() == args.test).unwrap_or(TextileTest::Drape);
    let fabric = Fabric::find(&args.fabric).map_err(|error| InputError::new("--fabric", error.message()))?;
    let fabric = parameters(fabric, &args.set)?;
    let usual: Vec<String> = Variable::usual(test).iter().map(|key| (*key).to_owned()).collect();
    let variables = variables(&fabric, if args.vary.is_empty() { &usual } else { &args.vary })?;
    let target = target(args, test)?;
    let interruption = Interruption::listen(None);
    let problem = Problem {
        test,
        target,
        fabric,
        variables,
        solver: args.solver.clone(),
        cut: args.cut.cut(),
        starts: if test.discs().is_some() { args.starts } else { 1 },
        most: args.most as usize,
        cancel: interruption.token(),
    };
    let bar = counting_bar(u64::from(args.most), "evaluations at most");
    bar.tick();
    let found = fit::fit(&problem, &mut |_| bar.inc(1));
    bar.finish_and_clear();
    if let Some(file) = &args.plot {
        let drawing = fit_chart(&problem, &found.path, found.best).drawing(HEIGHT);
        let is_svg = file.to_ascii_lowercase().ends_with("svg");
        write_whole(Path::new(file), |out| {
            if is_svg { out.write_all(drawing.svg().as_bytes()) } else { out.write_all(&drawing.pdf()) }
        })
        .map_err(|error| not_written(file, &error))?;
    }
    output::output(&problem, &found, args.json)
}

/// The parameters with these keys.
fn variables(fabric: &Parameters, keys: &[String]) -> Result<Vec<Variable>, InputError> {
    let place = |key: &str| format!("--vary {key}");
    let mut variables: Vec<Variable> = Vec::new();
    for key in keys.iter().map(|key| key.trim()) {
        let variable = Variable::of(fabric, key).map_err(|fault| {
            let mend = match fault {
                VariableFault::Unknown => {
                    let cloth: [&dyn Tunable; 3] = [&fabric.material, &fabric.mass, &fabric.contact];
                    let params = cloth.into_iter().flat_map(|group| group.params());
                    let known = params.filter(|param| matches!(param.kind, Kind::Real { .. })).map(|param| param.key);
                    format!("; {}", InputError::suggestion(key, known.collect::<Vec<_>>().into_iter()))
                }
                _ => String::new(),
            };
            InputError::new(place(key), format!("{fault}{mend}"))
        })?;
        if variables.iter().any(|other| other.param.key == variable.param.key) {
            return Err(InputError::new(place(key), "is named twice; leave one out"));
        }
        variables.push(variable);
    }
    Ok(variables)
}

/// What the test is to give.
fn target(args: &FitArgs, test: TextileTest) -> Result<Target, InputError> {
    if let Some(file) = &args.curve {
        if !matches!(test, TextileTest::TensionWarp | TextileTest::TensionWeft) {
            let message = format!("a curve is fitted by a test of tension, not by {}", test.id());
            return Err(InputError::new(format!("--curve {}", quote(file)), message));
        }
        return curve::read(file).map(Target::Curve);
    }
    if let Some(file) = &args.shape {
        if test != TextileTest::Drape {
            let message = format!("a shape is fitted by the test of drape, not by {}", test.id());
            return Err(InputError::new(format!("--shape {}", quote(file)), message));
        }
        return read_scan(file, args.up == Up::Z).map(|scan| Target::Shape(Box::new(scan)));
    }
    args.target.and_then(Target::figure).ok_or_else(|| InputError::new("--target", "needs a number above 0"))
}
