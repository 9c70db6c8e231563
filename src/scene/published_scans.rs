//! Figures of scanned drapes of real fabrics, of 30 cm on 18 cm. The file `assets/drapes.ron` has
//! them with their source.

use std::f64::consts::TAU;
use std::fmt;
use std::sync::OnceLock;

use serde::Deserialize;

use crate::sim::Real;

/// Largest difference of coefficients that are about the same [points]: a little more than half the
/// largest gap between the fabrics of the file.
const REACH: Real = 7.5;
/// Points of an outline.
const POINTS: u32 = 360;

/// The means of the scans of a fabric.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScannedDrape {
    /// Its number in the source.
    pub fabric: u32,
    /// Number of specimens.
    pub specimens: u32,
    /// Number of scans of all specimens.
    pub scans: u32,
    /// Drape coefficient [%].
    pub coefficient: Real,
    /// Standard deviation of the coefficient between scans of the same specimen [points], if
    /// specimens were laid several times.
    pub deviation: Option<Real>,
    /// Number of nodes.
    pub nodes: Real,
    /// Largest less smallest radius of the rim [m].
    pub depth: Real,
}

/// How scans of about the same coefficient differ.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScanScatter {
    /// Number of fabrics.
    pub fabrics: usize,
    /// Standard deviation of the coefficient between scans of the same specimen, the median of the
    /// fabrics [points].
    pub deviation: Real,
    /// Mean number of nodes.
    pub nodes: Real,
}

impl ScannedDrape {
    /// All, in the order of the file.
    #[must_use]
    pub fn all() -> &'static [Self] {
        static ALL: OnceLock<Vec<ScannedDrape>> = OnceLock::new();
        ALL.get_or_init(|| ron::from_str(include_str!("../../assets/drapes.ron")).unwrap_or_default())
    }

    /// Those of about this coefficient [%].
    fn about(coefficient: Real) -> impl Iterator<Item = &'static Self> {
        Self::all().iter().filter(move |drape| (drape.coefficient - coefficient).abs() <= REACH)
    }

    /// The one of the nearest coefficient to this one [%], if there is one of about the same.
    #[must_use]
    pub fn nearest(coefficient: Real) -> Option<&'static Self> {
        let apart = |drape: &&Self| (drape.coefficient - coefficient).abs();
        Self::about(coefficient).min_by(|a, b| apart(a).total_cmp(&apart(b)))
    }

    /// Points of a closed outline with these figures [m], about the axis of discs with the radius
    /// `held` and of a specimen [m]: a circle with cosine waves as deep as the folds, as far as they
    /// stay outside the discs and inside the level specimen. It encloses the area that the
    /// coefficient says.
    #[must_use]
    pub fn outline(&self, held: Real, specimen: Real) -> Vec<[Real; 2]> {
        // area over π; waves of the amplitude a about the radius R enclose R² + a²/2
        let area = held * held + 0.01 * self.coefficient * (specimen * specimen - held * held);
        // the amplitudes with R - a at the discs, and with R + a at the rim of the specimen
        let root = |radius: Real| (6.0 * area - 2.0 * radius * radius).sqrt();
        let limits = [(root(held) - 2.0 * held) / 3.0, (2.0 * specimen - root(specimen)) / 3.0];
        let amplitude = limits.into_iter().fold(0.5 * self.depth, Real::min);
        let radius = (area - 0.5 * amplitude * amplitude).sqrt();
        let at = |point: u32| TAU * Real::from(point) / Real::from(POINTS);
        let nodes = self.nodes.round();
        let place = |angle: Real| {
            let r = radius + amplitude * (nodes * angle).cos();
            [r * angle.cos(), r * angle.sin()]
        };
        (0..=POINTS).map(|point| place(at(point))).collect()
    }

    /// What the outline is, in a sentence.
    #[must_use]
    pub fn describe_outline(&self) -> String {
        format!(
            "Dashed in orange: outline of the figures of a scan (coefficient, nodes, amplitude), not its picture; \
             {:.0} %, {:.0} and {:.0} mm.",
            self.coefficient,
            self.nodes,
            1e3 * self.depth
        )
    }
}

impl ScanScatter {
    /// That of scans of about this coefficient [%], if specimens of such fabrics were laid several
    /// times.
    #[must_use]
    pub fn about(coefficient: Real) -> Option<Self> {
        let (mut deviations, nodes): (Vec<Real>, Vec<Real>) =
            ScannedDrape::about(coefficient).filter_map(|drape| Some((drape.deviation?, drape.nodes))).unzip();
        deviations.sort_by(Real::total_cmp);
        let fabrics = deviations.len();
        let [low, high] = [fabrics.checked_sub(1)? / 2, fabrics / 2].map(|at| deviations[at]);
        Some(Self { fabrics, deviation: 0.5 * (low + high), nodes: nodes.iter().sum::<Real>() / fabrics as Real })
    }
}

impl fmt::Display for ScanScatter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { fabrics, deviation, nodes } = self;
        let of = if *fabrics == 1 { "one fabric".to_owned() } else { format!("{fabrics} fabrics") };
        write!(f, "Scans of this coefficient scatter by {deviation:.1} points and have {nodes:.1} nodes ({of}).")
    }
}
