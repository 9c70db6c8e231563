//! Measures of a run: a quantity, and how its steps are summed up. Sweeps and lessons choose from
//! them.

use super::{Numbers, Quantity, Reading};
use crate::sim::Real;
use crate::sim::params::units;

/// How the steps of a run are summed up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Over {
    /// The value at the end.
    Last,
    /// The largest of all steps.
    Largest,
    /// The sum of all steps.
    Sum,
    /// The mean of all steps.
    Mean,
    /// The number of steps in which it is positive.
    Steps,
    /// The increase since the start.
    Rise,
    /// The decrease since the start.
    Fall,
}

/// Something that is measured of a run.
#[derive(Debug)]
pub struct Measure {
    /// Its name on the command line, in tables and lessons.
    pub key: &'static str,
    /// A further name.
    pub alias: &'static str,
    /// Its label in panels.
    pub label: &'static str,
    /// Its meaning.
    pub help: &'static str,
    /// The quantity, and how its steps are summed up.
    pub of: (Quantity, Over),
}

const fn measure(
    [key, alias]: [&'static str; 2],
    of: (Quantity, Over),
    label: &'static str,
    help: &'static str,
) -> Measure {
    Measure { key, alias, label, help, of }
}

/// All measures. "At the end" is at the last state that was good.
pub static MEASURES: &[Measure] = &{
    use Over::{Fall, Largest, Last, Mean, Rise, Steps, Sum};
    use Quantity as Q;
    [
        measure(
            ["max_strain", "most_stretch"],
            (Q::Stretch, Largest),
            "Largest stretch so far",
            "largest strain of a structural spring after any step",
        ),
        measure(
            ["end_strain", "stretch"],
            (Q::Stretch, Last),
            "Largest stretch",
            "largest strain of a structural spring at the end",
        ),
        measure(
            ["energy", ""],
            (Q::Energy, Last),
            "Total energy",
            "total energy at the end, if the solver states an elastic one",
        ),
        measure(["kinetic", ""], (Q::Kinetic, Last), "Kinetic energy", "kinetic energy at the end"),
        measure(
            ["elastic", ""],
            (Q::Elastic, Last),
            "Elastic energy",
            "elastic energy at the end, if the solver states one",
        ),
        measure(
            ["potential", ""],
            (Q::Potential, Last),
            "Potential energy",
            "potential energy at the end, zero at height zero",
        ),
        measure(
            ["most_kinetic", ""],
            (Q::Kinetic, Largest),
            "Largest kinetic energy so far",
            "largest kinetic energy after any step",
        ),
        measure(
            ["end_speed", ""],
            (Q::Speed, Last),
            "Speed of the fastest vertex",
            "speed of the fastest vertex at the end",
        ),
        measure(
            ["lowest", ""],
            (Q::Lowest, Last),
            "Height of the lowest vertex",
            "height of the lowest vertex at the end",
        ),
        measure(
            ["sag", ""],
            (Q::Lowest, Fall),
            "Descent of the lowest vertex",
            "descent of the lowest vertex since the start",
        ),
        measure(
            ["fall", ""],
            (Q::Middle, Fall),
            "Fall of the middle",
            "descent of the mean of all vertices since the start",
        ),
        measure(
            ["cloth_height", "height"],
            (Q::Height, Last),
            "Height of the cloth",
            "height of the cloth from its lowest to its highest vertex at the end",
        ),
        measure(
            ["compression", ""],
            (Q::Compression, Last),
            "Largest compression",
            "largest shortening of a structural spring at the end, as a share of its length",
        ),
        measure(
            ["period", ""],
            (Q::Period, Last),
            "Shortest period of a spring",
            "shortest period of a spring that oscillates alone, at the end",
        ),
        measure(
            ["periods", ""],
            (Q::Periods, Last),
            "Substep in periods of a spring",
            "length of a substep in shortest periods of a spring, at the end",
        ),
        measure(["end_time", ""], (Q::Time, Last), "Simulated time", "simulated time at the end"),
        measure(["time", ""], (Q::Time, Rise), "Simulated time", "simulated time since the start"),
        measure(["steps", ""], (Q::Step, Rise), "Time steps", "time steps since the start"),
        measure(
            ["blow_up", ""],
            (Q::BlowUp, Last),
            "Time of the failure",
            "simulated time before the step that failed, if one did",
        ),
        measure(["ms", ""], (Q::StepTime, Mean), "Time of a step", "time of a step on one processor thread, mean"),
        measure(
            ["all_iterations", "iterations"],
            (Q::Iterations, Sum),
            "Iterations",
            "iterations or sweeps of the solver in all steps",
        ),
        measure(
            ["mean_iterations", ""],
            (Q::Iterations, Mean),
            "Mean iterations",
            "iterations or sweeps of the solver per step, mean",
        ),
        measure(
            ["max_residual", ""],
            (Q::Residual, Largest),
            "Largest residual so far",
            "largest residual of a step, in the solver's own measure",
        ),
        measure(["unconverged_steps", ""], (Q::Unconverged, Steps), "Unconverged steps", "steps that did not converge"),
        measure(
            ["exhausted_steps", ""],
            (Q::Exhausted, Steps),
            "Steps at their work limit",
            "steps that reached their work limit",
        ),
        measure(["factorisations", ""], (Q::Factorisations, Sum), "Factorisations", "numeric factorisations"),
        measure(["updates", ""], (Q::Updates, Sum), "Updates of the factor", "changes of a factor by updating it"),
        measure(["torn", ""], (Q::Torn, Sum), "Vertices added by tearing", "vertices added by tearing"),
        measure(
            ["most_truncated", "held_back"],
            (Q::Truncated, Largest),
            "Most truncated vertices",
            "largest number of vertices with truncated motion in a step",
        ),
        measure(
            ["truncated", ""],
            (Q::Truncated, Sum),
            "Truncated vertices",
            "vertices with truncated motion, summed over all steps",
        ),
        measure(
            ["given_up", ""],
            (Q::Truncation, Largest),
            "Largest truncation",
            "largest truncation of a vertex's motion",
        ),
        measure(
            ["intersections", ""],
            (Q::Intersections, Last),
            "Intersections",
            "pairs of triangles that intersect at the end, counted exactly",
        ),
    ]
};

impl Measure {
    /// The one of this name.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Self> {
        MEASURES.iter().find(|measure| name == measure.key || (!name.is_empty() && name == measure.alias))
    }

    /// Whether it is a time that the machine took, so that it differs when the run is repeated.
    #[must_use]
    pub fn is_timing(&self) -> bool {
        self.of.0 == Quantity::StepTime
    }

    /// Its name in words.
    #[must_use]
    pub fn words(&self) -> String {
        if self.is_timing() { "step time".to_owned() } else { self.key.replace('_', " ") }
    }

    /// Its unit in tables; empty for a pure number.
    #[must_use]
    pub fn unit(&self) -> &'static str {
        match (self.of, self.of.0.unit()) {
            ((_, Over::Steps), _) | (_, "%") => "",
            (_, unit) => unit,
        }
    }

    /// A value with its unit, shares in per cent.
    #[must_use]
    pub fn text(&self, value: Real) -> String {
        let (quantity, over) = self.of;
        units::with_unit(value, if over == Over::Steps { "" } else { quantity.unit() })
    }
}

impl Over {
    /// The sum, largest value or number of steps with that of a further step.
    fn with(self, sum: Real, value: Real) -> Real {
        match self {
            Self::Largest => sum.max(value),
            Self::Sum | Self::Mean => sum + value,
            Self::Steps => sum + Real::from(u8::from(value > 0.0)),
            Self::Last | Self::Rise | Self::Fall => sum,
        }
    }
}

/// Measures of a run, followed from step to step.
#[derive(Debug, Clone)]
pub struct Tally {
    measures: Vec<&'static Measure>,
    start: Numbers,
    sums: Vec<Real>,
    steps: u64,
}

impl Tally {
    /// Begins at the `start` of a run.
    #[must_use]
    pub fn new(measures: &[&'static Measure], start: &dyn Reading) -> Self {
        let is_compared = |measure: &&&Measure| matches!(measure.of.1, Over::Rise | Over::Fall);
        let compared: Vec<Quantity> = measures.iter().filter(is_compared).map(|measure| measure.of.0).collect();
        let (start, sums) = (Numbers::of(&compared, start), vec![0.0; measures.len()]);
        Self { measures: measures.to_vec(), start, sums, steps: 0 }
    }

    /// Takes a step.
    pub fn follow(&mut self, now: &dyn Reading) {
        self.steps += 1;
        for (measure, sum) in self.measures.iter().zip(&mut self.sums) {
            let (quantity, over) = measure.of;
            if !matches!(over, Over::Last | Over::Rise | Over::Fall) {
                *sum = over.with(*sum, quantity.value(now).unwrap_or(0.0));
            }
        }
    }

    /// The values of all measures at the `end`, in their order.
    #[must_use]
    pub fn values(&self, end: &dyn Reading) -> Vec<Option<Real>> {
        let value = |(measure, sum): (&&Measure, &Real)| match measure.of {
            (quantity, Over::Last) => quantity.value(end),
            (quantity, Over::Rise) => Some(quantity.value(end)? - self.start[quantity]),
            (quantity, Over::Fall) => Some(self.start[quantity] - quantity.value(end)?),
            (_, Over::Mean) => (self.steps > 0).then(|| sum / self.steps as Real),
            (_, Over::Largest | Over::Sum | Over::Steps) => Some(*sum),
        };
        self.measures.iter().zip(&self.sums).map(value).collect()
    }
}

/// Sums of all steps of a session, for each measure that is such a sum.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sums([Real; MEASURES.len()]);

impl Default for Sums {
    fn default() -> Self {
        Self([0.0; MEASURES.len()])
    }
}

impl Sums {
    /// Adds a step.
    pub fn add(&mut self, now: &dyn Reading) {
        for (measure, sum) in MEASURES.iter().zip(&mut self.0) {
            if let (quantity, over @ (Over::Sum | Over::Mean | Over::Steps)) = measure.of {
                *sum = over.with(*sum, quantity.value(now).unwrap_or(0.0));
            }
        }
    }

    /// That of a measure since an earlier time.
    #[must_use]
    pub fn since(&self, earlier: &Self, measure: &Measure) -> Real {
        let at = MEASURES.iter().position(|known| std::ptr::eq(known, measure));
        at.map_or(0.0, |at| self.0[at] - earlier.0[at])
    }
}
