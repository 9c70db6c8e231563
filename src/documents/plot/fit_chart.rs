//! The path of a fit: what each evaluation gave, and the target.

use super::chart::{Axis, Chart, Scale};
use super::item::{Form, Item, Pen};
use super::page::{Key, Sign};
use super::{Limits, MARK, RULE};
use crate::sim::Real;
use crate::sim::params::units;
use crate::sim::study::fit::{Evaluation, Problem, Target, Variable};

/// Least length of the axis across [evaluations], at which its marks are whole numbers.
const LEAST: usize = 8;
/// Colour of the path.
const PATH: [u8; 3] = [86, 180, 233];

/// The figures, or the distances from a curve or a shape, over the evaluations of a path so far;
/// `best` is the number of the best one.
#[must_use]
pub fn fit_chart(problem: &Problem, path: &[Evaluation], best: Option<usize>) -> Chart {
    let target = if let Target::Figure(target) = problem.target { Some(target) } else { None };
    let values: Vec<Real> = path
        .iter()
        .map(|evaluation| if target.is_some() { evaluation.figure().0 } else { evaluation.distance })
        .collect();
    let unit = match problem.target {
        Target::Figure(_) => problem.test.unit(),
        Target::Curve(_) => "",
        Target::Shape(_) => "m",
    };
    // the ends alone, since the first evaluations may be far from the others
    let all = || values.iter().copied().chain(target);
    let ends = [all().fold(Real::INFINITY, Real::min), all().fold(Real::NEG_INFINITY, Real::max)];
    let limits = Limits::of(ends.into_iter(), target.is_none());
    let (factor, unit) = units::prefixed(limits.low.abs().max(limits.high.abs()), unit);
    let name = match problem.target {
        Target::Figure(_) => problem.test.name().to_owned(),
        Target::Curve(_) => "Distance from the curve, relative".to_owned(),
        Target::Shape(_) => "Distance from the scan".to_owned(),
    };
    let name = if unit.is_empty() { name } else { format!("{name} [{unit}]") };
    let last = Limits { low: 0.5, high: values.len().max(LEAST) as f64 + 0.5 };
    let across = Axis { name: "Evaluation".to_owned(), limits: last, scale: Scale::Linear(1.0) };
    let up = Axis { name, limits, scale: Scale::Linear(factor) };
    let pen = Pen::new(PATH, 1.4);
    let dashed = Pen { dashes: Some([5.0, 3.0]), ..Pen::new(RULE, 0.9) };
    let places: Vec<[f64; 2]> = (1..).zip(&values).map(|(number, value)| [f64::from(number), *value]).collect();
    let mut items: Vec<Item> = target.map(|target| Item::Level(target, String::new(), dashed)).into_iter().collect();
    items.push(Item::Line { name: "path".to_owned(), points: places.clone(), pen });
    items.extend(places.iter().enumerate().map(|(number, at)| {
        let is_best = best == Some(number);
        let (form, colour) = if is_best { (Form::Diamond, MARK) } else { (Form::Disc, PATH) };
        Item::Marker { at: *at, form, size: if is_best { 1.4 } else { 0.7 }, colour, share: 1.0 }
    }));
    let mut legend = vec![
        Key { name: "evaluations".to_owned(), sign: Sign::Line(pen) },
        Key { name: "best".to_owned(), sign: Sign::Marker(Form::Diamond, MARK) },
    ];
    legend.extend(target.map(|_| Key { name: "target".to_owned(), sign: Sign::Line(dashed) }));
    let varied: Vec<String> = problem.variables.iter().map(Variable::name).collect();
    let title = format!("Fit of {} to {}", varied.join(" and "), problem.test.figure());
    Chart { title, axes: [across, up], items, legend }
}
