//! The figures of a test from all its starts, and what they say.

use super::{Figure, Specimen, TextileTest};
use crate::sim::{Real, StepError};

/// The result of a test.
#[derive(Debug, Clone)]
pub struct TestResult {
    /// The test.
    pub test: TextileTest,
    /// The value that the material was given, or that follows from it.
    pub wanted: Option<Real>,
    /// The figures of all starts, or why there are none.
    pub figures: Result<Result<Vec<Figure>, &'static str>, StepError>,
}

impl TestResult {
    /// The result of `test` on a fabric, with the `figures` of all starts of its `specimen`.
    #[must_use]
    pub fn of(
        test: TextileTest,
        specimen: &Specimen,
        figures: Result<Result<Vec<Figure>, &'static str>, StepError>,
    ) -> Self {
        Self { test, wanted: test.wanted(specimen.fabric), figures }
    }

    /// The figures, if there are any.
    fn known(&self) -> Option<&[Figure]> {
        let figures = self.figures.as_ref().ok()?.as_ref().ok()?;
        (!figures.is_empty()).then_some(figures)
    }

    /// Mean in the [unit](TextileTest::unit) of the test.
    #[must_use]
    pub fn mean(&self) -> Option<Real> {
        let figures = self.known()?;
        Some(figures.iter().map(|figure| figure.value).sum::<Real>() / figures.len() as Real)
    }

    /// Standard deviation between starts, where there are several.
    #[must_use]
    pub fn deviation(&self) -> Option<Real> {
        let (figures, mean) = (self.known()?, self.mean()?);
        let squares = figures.iter().map(|figure| (figure.value - mean).powi(2)).sum::<Real>();
        (figures.len() > 1).then(|| (squares / (figures.len() - 1) as Real).sqrt())
    }

    /// Mean number of nodes of a drape.
    #[must_use]
    pub fn nodes(&self) -> Option<Real> {
        let figures = self.known()?;
        let nodes: Option<Real> = figures.iter().map(|figure| figure.nodes.map(|count| count as Real)).sum();
        nodes.map(|sum| sum / figures.len() as Real)
    }

    /// Whether the specimens of all starts were at rest.
    #[must_use]
    pub fn has_converged(&self) -> bool {
        self.known().is_some_and(|figures| figures.iter().all(|figure| figure.is_at_rest))
    }

    /// By how much the mean is more than what was set, or else what there is to say of the figures.
    #[must_use]
    pub fn verdict(&self) -> String {
        let figures = match &self.figures {
            Err(error) => return format!("failed: {error}"),
            Ok(Err(why)) => return format!("not measured: {why}"),
            Ok(Ok(figures)) => figures,
        };
        let moving = figures.iter().filter(|figure| !figure.is_at_rest).count();
        let mut notes: Vec<&str> = figures.iter().filter_map(|figure| figure.note).collect();
        notes.dedup();
        let judged = match (self.mean(), self.wanted) {
            _ if moving > 0 && figures.len() > 1 => format!("not converged ({moving} of {})", figures.len()),
            _ if moving > 0 => "not converged".to_owned(),
            (Some(value), Some(wanted)) if wanted > 0.0 => {
                // without a sign of zero
                let tenths = (1000.0 * (value / wanted - 1.0)).round() + 0.0;
                format!("{:+.1} %", 0.1 * tenths)
            }
            _ if notes.is_empty() => "at rest".to_owned(),
            _ => notes.remove(0).to_owned(),
        };
        notes.into_iter().fold(judged, |all, note| format!("{all}, {note}"))
    }
}
