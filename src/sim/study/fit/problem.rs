//! What is fitted to what, and an evaluation of it.

use rayon::prelude::*;

use super::{Scan, Variable};
use crate::sim::study::textile::{Cut, Figure, Specimen, TextileTest};
use crate::sim::{CancelToken, Parameters, Real, StepError};

/// What a test is to give.
#[derive(Debug, Clone)]
pub enum Target {
    /// A figure, in the unit of the test.
    Figure(Real),
    /// Strain and force per width [N/m] of a tension test, by rising strain. The distance is the
    /// root mean square of the differences over the largest force.
    Curve(Vec<[Real; 2]>),
    /// A scanned drape. The distance is [that of the vertices](Scan::distance) outside the discs
    /// [m], the mean over the starts.
    Shape(Box<Scan>),
}

impl Target {
    /// A figure, if it is one that a test can have: a number above zero.
    #[must_use]
    pub fn figure(value: Real) -> Option<Self> {
        (value.is_finite() && value > 0.0).then_some(Self::Figure(value))
    }
}

/// Parameters that are fitted so that a test gives a target.
#[derive(Debug, Clone)]
pub struct Problem {
    /// The test.
    pub test: TextileTest,
    /// What it is to give.
    pub target: Target,
    /// The fabric at the start.
    pub fabric: Parameters,
    /// The parameters that are fitted.
    pub variables: Vec<Variable>,
    /// Id of the solver.
    pub solver: String,
    /// Shape of the mesh.
    pub cut: Cut,
    /// Number of starts of each evaluation; of all tests but drape one is enough.
    pub starts: u64,
    /// Most evaluations.
    pub most: usize,
    /// Calls it off, within steps as well.
    pub cancel: CancelToken,
}

/// What some parameters give.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation {
    /// The parameters, in the order of the problem.
    pub parameters: Vec<Real>,
    /// The figure of each start; of a curve the force at the largest strain [N/m].
    pub figures: Vec<Figure>,
    /// Its mean less the target; or the distance from the curve, a share, or from the shape [m].
    pub distance: Real,
}

impl Evaluation {
    /// The mean figure, and its standard deviation over the starts.
    #[must_use]
    pub fn figure(&self) -> (Real, Option<Real>) {
        mean_and_spread(&self.figures.iter().map(|figure| figure.value).collect::<Vec<_>>())
    }

    /// Number of starts that were not at rest.
    #[must_use]
    pub fn moving(&self) -> usize {
        self.figures.iter().filter(|figure| !figure.is_at_rest).count()
    }
}

impl Problem {
    /// Starts of each evaluation of a drape, and most evaluations, unless others are wanted.
    pub const STARTS: u64 = 2;
    /// See `STARTS`.
    pub const MOST: u32 = 40;

    /// Gives a fabric the parameters of an evaluation, [shortened](Variable::shortened).
    pub fn put(&self, evaluation: &Evaluation, fabric: &mut Parameters) {
        let values = self.variables.iter().zip(&evaluation.parameters);
        values.for_each(|(variable, value)| variable.put(fabric, Variable::shortened(*value)));
    }

    /// The fabric with these parameters.
    fn fabric_with(&self, parameters: &[Real]) -> Parameters {
        let mut fabric = self.fabric;
        self.variables.iter().zip(parameters).for_each(|(variable, value)| variable.put(&mut fabric, *value));
        fabric
    }

    /// Simulates the test with these parameters; `None` where the solver knows no forces or the
    /// test has no such target.
    pub(super) fn evaluate(&self, parameters: Vec<Real>) -> Result<Option<Evaluation>, StepError> {
        let fabric = self.fabric_with(&parameters);
        let specimen = |seed: u64| Specimen {
            cut: self.cut,
            seed,
            cancel: Some(&self.cancel),
            ..Specimen::new(&fabric, &self.solver)
        };
        let of = |seed: u64| -> Result<Option<(Figure, Real)>, StepError> {
            match &self.target {
                Target::Figure(target) => {
                    let figure = self.test.measure(&specimen(seed))?;
                    Ok(figure.map(|figure| (figure, figure.value - target)))
                }
                Target::Curve(points) => self.curve(&specimen(seed), points),
                Target::Shape(scan) => {
                    let draped = specimen(seed).draped()?;
                    Ok(Some((draped.figure, scan.distance(&draped))))
                }
            }
        };
        let measured: Option<Vec<_>> = (0..self.starts).into_par_iter().map(of).collect::<Result<_, _>>()?;
        Ok(measured.map(|measured| {
            let (figures, distances): (Vec<Figure>, Vec<Real>) = measured.into_iter().unzip();
            Evaluation { parameters, figures, distance: mean_and_spread(&distances).0 }
        }))
    }

    fn curve(&self, specimen: &Specimen, points: &[[Real; 2]]) -> Result<Option<(Figure, Real)>, StepError> {
        let strains: Vec<Real> = points.iter().map(|point| point[0]).collect();
        let Some(tension) = self.test.tension_curve(specimen, &strains)? else { return Ok(None) };
        let squares = tension.forces.iter().zip(points).map(|(force, point)| (force - point[1]).powi(2));
        let largest = points.iter().map(|point| point[1].abs()).fold(0.0, Real::max);
        let distance = (squares.sum::<Real>() / points.len() as Real).sqrt() / largest;
        let value = tension.forces.last().copied().unwrap_or_default();
        Ok(Some((Figure { value, is_at_rest: tension.is_at_rest, nodes: None, note: None }, distance)))
    }

    /// Largest distance at which a figure counts as met, in its unit: half a point of drape, the
    /// step of the search for the angle of friction, otherwise a fifth of a per cent.
    pub(super) fn tolerance(&self, target: Real) -> Real {
        match self.test {
            test if test.discs().is_some() => 0.5,
            TextileTest::Friction => 0.004,
            _ => 0.002 * target.abs(),
        }
    }
}

/// Mean, and standard deviation where there are several.
fn mean_and_spread(values: &[Real]) -> (Real, Option<Real>) {
    let count = values.len() as Real;
    let mean = values.iter().sum::<Real>() / count;
    let squares = values.iter().map(|value| (value - mean).powi(2)).sum::<Real>();
    (mean, (values.len() > 1).then(|| (squares / (count - 1.0)).sqrt()))
}
