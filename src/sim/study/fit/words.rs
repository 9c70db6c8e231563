//! A fit in a sentence.

use super::{End, Evaluation, Fit, Problem, Target};
use crate::sim::Real;
use crate::sim::params::units::quantity;
use crate::sim::solvers::name_of;

impl Fit {
    /// The evaluation that is nearest to the target.
    #[must_use]
    pub fn best(&self) -> Option<&Evaluation> {
        self.best.and_then(|best| self.path.get(best))
    }

    /// Whether the parameters that were found are an answer: the target is met or as near as it can
    /// be, by specimens at rest.
    #[must_use]
    pub fn is_answer(&self) -> bool {
        matches!(self.end, End::Met | End::Least) && self.best().is_some_and(|best| best.moving() == 0)
    }

    /// How it ended, in a sentence without a full stop.
    #[must_use]
    pub fn sentence(&self, problem: &Problem) -> String {
        let test = problem.test.figure();
        let ended = match (&self.end, self.best()) {
            (End::Met, Some(best)) => problem.met(best),
            (End::Least, Some(best)) => problem.least(best),
            (End::Most, Some(best)) => {
                let tried = self.path.len();
                format!("{} after {tried} evaluations; allow more, or begin nearer", problem.nearest(best, "is"))
            }
            (End::OutOfReach, Some(best)) => {
                let ranges = problem.variables.iter().map(|variable| {
                    let [low, high] = variable.range.map(|value| quantity(value, variable.param.unit));
                    format!("{} between {low} and {high}", variable.name())
                });
                let ranges = ranges.collect::<Vec<_>>().join(" and ");
                format!("{} with {ranges}; the nearest is {}", problem.not_reached(), problem.value(best.figure().0))
            }
            (End::Jump, Some(best)) => {
                let why = "the figure jumps over the target there, as where a fold is added";
                format!("{}; {why}; more starts smooth it", problem.nearest(best, "is"))
            }
            (End::NoEffect(idle), _) => {
                let names: Vec<String> = idle.iter().map(|at| problem.variables[*at].name()).collect();
                format!("{test} does not depend on {}; vary another parameter", names.join(" and "))
            }
            (End::NotMeasured, _) => {
                format!("{test} is not measured: the solver {} knows no forces", name_of(&problem.solver))
            }
            (End::Failed(error), _) => format!("{test} failed with the parameters tried last: {error}"),
            (End::Cancelled, Some(best)) => {
                format!("interrupted after {} evaluations; {}", self.path.len(), problem.nearest(best, "so far is"))
            }
            (End::Cancelled, None) => "interrupted before the first evaluation".to_owned(),
            (_, None) => format!("{test} was not evaluated"),
        };
        match self.best().filter(|best| best.moving() > 0) {
            Some(best) => {
                let moving = best.moving();
                let of = best.figures.len();
                format!("{ended}; {moving} of {of} specimens had not come to rest, so this is no figure")
            }
            None => ended,
        }
    }
}

impl Problem {
    /// How far it is while it runs, in a sentence without a full stop.
    #[must_use]
    pub fn progress(&self, path: &[Evaluation]) -> String {
        let number = path.len() + 1;
        match super::nearest(path) {
            Some(best) => {
                let distance = match self.target {
                    Target::Figure(_) => format!(" ({})", self.distance(path[best].distance)),
                    Target::Curve(_) | Target::Shape(_) => String::new(),
                };
                format!("evaluation {number}; the best so far is {}{distance}", self.found(&path[best]))
            }
            None => format!("evaluation {number}"),
        }
    }

    /// An evaluation in words: its figure, or its distance, with its parameters.
    #[must_use]
    pub fn told(&self, evaluation: &Evaluation) -> String {
        format!("{} with {}", self.found(evaluation), self.named(&evaluation.parameters))
    }

    /// A figure of the test with its unit.
    #[must_use]
    pub fn value(&self, value: Real) -> String {
        quantity(value, self.test.unit())
    }

    /// A distance from the target in words.
    #[must_use]
    pub fn distance(&self, distance: Real) -> String {
        match self.target {
            Target::Figure(_) if self.test.discs().is_some() => format!("{distance:+.2} points"),
            Target::Figure(_) if distance == 0.0 => "0".to_owned(),
            Target::Figure(target) if target != 0.0 => format!("{:+.2} %", 100.0 * distance / target),
            Target::Figure(_) => self.value(distance),
            Target::Curve(_) => format!("{:.2} %", 100.0 * distance),
            Target::Shape(_) => format!("{:.2} mm", 1e3 * distance),
        }
    }

    /// Its parameters with these values, in words.
    fn named(&self, values: &[Real]) -> String {
        let named = self.variables.iter().zip(values);
        let named =
            named.map(|(variable, value)| format!("{} {}", variable.name(), quantity(*value, variable.param.unit)));
        named.collect::<Vec<_>>().join(" and ")
    }

    /// The values of the fabric at the start.
    fn starts(&self) -> String {
        let starts = self.variables.iter().map(|variable| quantity(variable.start, variable.param.unit));
        starts.collect::<Vec<_>>().join(" and ")
    }

    /// What an evaluation gives: the figure, or the distance from a curve or a shape.
    fn found(&self, evaluation: &Evaluation) -> String {
        match self.target {
            Target::Figure(_) => self.scattered(evaluation),
            Target::Curve(_) => format!("{} from the curve", self.distance(evaluation.distance)),
            Target::Shape(_) => format!("{} from the scan", self.distance(evaluation.distance)),
        }
    }

    /// The figure of an evaluation with its scatter, in words.
    fn scattered(&self, evaluation: &Evaluation) -> String {
        let (mean, spread) = evaluation.figure();
        match spread {
            // no more digits than the scatter leaves
            Some(spread) if self.test.discs().is_some() => format!("{mean:.1} ± {spread:.1} %"),
            _ => self.value(mean),
        }
    }

    fn met(&self, best: &Evaluation) -> String {
        let told = format!("{} is {}", self.test.figure(), self.told(best));
        let several = if self.variables.len() > 1 { ", and these are about the nearest that give it" } else { "" };
        format!("{told}; the fabric has {}{several}", self.starts())
    }

    fn least(&self, best: &Evaluation) -> String {
        let from = if matches!(self.target, Target::Curve(_)) { "curve" } else { "scan" };
        let [distance, named] = [self.distance(best.distance), self.named(&best.parameters)];
        let figure = self.test.figure();
        format!("{figure} is {distance} from the {from} with {named}, the least distance that was found")
    }

    /// The nearest that was found, after its subject and `verb`.
    fn nearest(&self, best: &Evaluation, verb: &str) -> String {
        let named = self.named(&best.parameters);
        let distance = self.distance(best.distance);
        match self.target {
            Target::Figure(_) => {
                let figure = self.scattered(best);
                let test = self.test.figure();
                format!("the nearest {test} {verb} {figure} ({distance} from the target) with {named}")
            }
            Target::Curve(_) => format!("the nearest {verb} {distance} from the curve with {named}"),
            Target::Shape(_) => format!("the nearest {verb} {distance} from the scan with {named}"),
        }
    }

    fn not_reached(&self) -> String {
        let target = if let Target::Figure(target) = self.target { self.value(target) } else { "it".to_owned() };
        format!("{} cannot reach {target}", self.test.figure())
    }
}
