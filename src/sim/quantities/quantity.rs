//! Measured quantities of a run, each declared once: a column of a table, a curve of a plot, a
//! measure of a sweep, a condition of a lesson and a readout read the same declaration.

use crate::sim::measure::{Energy, Stretch};
use crate::sim::{Pattern, Real, StepStats, Vec3};

/// A state, and the step that led to it, as quantities read them. What is not known is `None`.
pub trait Reading {
    /// Simulated time [s].
    fn time(&self) -> Real;
    /// Steps since time zero.
    fn steps(&self) -> u64;
    /// Rest shape and springs.
    fn pattern(&self) -> &Pattern;
    /// Position of each vertex [m].
    fn positions(&self) -> &[Vec3];
    /// Speed of the fastest vertex [m/s].
    fn fastest(&self) -> Option<Real>;
    /// Statistics of the step.
    fn stats(&self) -> &StepStats;
    /// Energies [J].
    fn energy(&self) -> Energy;
    /// Strains of the cloth.
    fn stretch(&self) -> Stretch;
    /// Work of the hand and of the air since time zero [J].
    fn work(&self) -> Option<[Real; 2]> {
        None
    }
    /// Pairs of triangles that intersect.
    fn intersections(&self) -> Option<usize> {
        None
    }
    /// Distance to the first lane [m]: root of the mean square over the vertices, and the largest.
    fn distance(&self) -> Option<[Real; 2]> {
        None
    }
    /// Shortest period of a spring that oscillates alone [s].
    fn shortest_period(&self) -> Option<Real> {
        None
    }
    /// Length of a substep [s].
    fn substep_length(&self) -> Option<Real> {
        None
    }
    /// Simulated time before a step that failed [s].
    fn failed_at(&self) -> Option<Real> {
        None
    }
}

macro_rules! quantities {
    ($( $(#[doc = $meaning:literal])+ $name:ident: $key:literal, $label:literal, $unit:literal, $value:expr; )+) => {
        /// A measured quantity. Those up to [`Intersections`](Self::Intersections) are the columns
        /// of a table of steps, in this order.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Quantity {
            $( $(#[doc = $meaning])+ $name, )+
        }

        impl Quantity {
            /// All, in the order of their declaration.
            pub const ALL: &[Self] = &[$( Self::$name, )+];

            fn about(self) -> &'static About {
                const ALL: &[About] = &[$( About { key: $key, label: $label, unit: $unit, value: $value }, )+];
                &ALL[self as usize]
            }
        }
    };
}

/// Declaration of a quantity.
struct About {
    key: &'static str,
    label: &'static str,
    unit: &'static str,
    value: fn(&dyn Reading) -> Option<Real>,
}

quantities! {
    /// Number of the step.
    Step: "step", "Time steps", "", |now| Some(now.steps() as Real);
    /// Simulated time [s].
    Time: "time", "Simulated time", "s", |now| Some(now.time());
    /// Kinetic energy [J].
    Kinetic: "kinetic", "Kinetic energy", "J", |now| Some(now.energy().kinetic);
    /// Elastic energy [J], if the solver states one.
    Elastic: "elastic", "Elastic energy", "J", |now| now.energy().elastic;
    /// Potential energy of the weight [J], zero at height zero.
    Potential: "potential", "Potential energy", "J", |now| Some(now.energy().potential);
    /// Largest strain of a structural spring, or of warp and weft of a membrane.
    Stretch: "max_strain", "Largest stretch", "%", |now| Some(now.stretch().largest);
    /// Number of substeps of the last step.
    Substeps: "substeps", "Substeps", "", |now| Some(now.stats().substeps.into());
    /// Substeps that the adaptive control took back.
    Rejected: "rejected", "Rejected substeps", "", |now| Some(now.stats().rejected.into());
    /// Iterations or sweeps of the solver.
    Iterations: "iterations", "Iterations", "", |now| Some(now.stats().iterations.into());
    /// Residual of the equations, in the solver's own measure; zero without one.
    Residual: "residual", "Residual", "", |now| Some(now.stats().residual);
    /// Substeps that did not converge.
    Unconverged: "unconverged", "Unconverged substeps", "", |now| Some(now.stats().unconverged.into());
    /// Numeric factorisations.
    Factorisations: "factorisations", "Factorisations", "", |now| Some(now.stats().factorisations.into());
    /// Changes to a factor that were made by updating it.
    Updates: "updates", "Updates of the factor", "", |now| Some(now.stats().updates.into());
    /// System matrices that were not positive definite.
    Indefinite: "indefinite", "Indefinite matrices", "", |now| Some(now.stats().indefinite.into());
    /// Substeps that reached the work limit.
    Exhausted: "exhausted", "Substeps at their work limit", "", |now| Some(now.stats().exhausted.into());
    /// Vertices added by tearing.
    Torn: "torn", "Vertices added by tearing", "", |now| Some(now.stats().torn.into());
    /// Pairs of parts of the cloth that are near each other.
    NearPairs: "near_pairs", "Near pairs", "", |now| Some(now.stats().near_pairs.into());
    /// Substeps with more of them than are dealt with.
    TooManyPairs: "too_many_pairs", "Substeps with too many pairs", "", |now| Some(now.stats().too_many_pairs.into());
    /// Vertices whose motion was truncated.
    Truncated: "truncated", "Truncated vertices", "", |now| Some(now.stats().truncated.into());
    /// Largest truncation of a vertex's motion [m].
    Truncation: "given_up", "Largest truncation", "m", |now| Some(now.stats().given_up);
    /// Pairs of a vertex and a triangle, or of two edges, that touched at the start of a substep.
    Touching: "touching", "Touching pairs", "", |now| Some(now.stats().touching.into());
    /// Colliders that waited for the cloth.
    Waiting: "waiting", "Waiting colliders", "", |now| Some(now.stats().waiting.into());
    /// Pairs of triangles that intersect, where they are counted.
    Intersections: "intersections", "Intersections", "", |now| now.intersections().map(|count| count as Real);
    /// Sum of the three energies [J].
    Energy: "energy", "Total energy", "J", |now| now.energy().total();
    /// Mean strain of the structural springs, or of warp and weft of a membrane, compressed ones
    /// included.
    MeanStretch: "mean_strain", "Mean stretch", "%", |now| Some(now.stretch().mean);
    /// Largest shortening of a structural spring, or of warp and weft of a membrane, as a share of
    /// the length.
    Compression: "compression", "Largest compression", "%", |now| Some(-now.stretch().least);
    /// Work of the hand since time zero [J].
    HandWork: "hand_work", "Work of the hand", "J", |now| Some(now.work()?[0]);
    /// Work of the air since time zero [J].
    AirWork: "air_work", "Work of the air", "J", |now| Some(now.work()?[1]);
    /// Height of the lowest vertex [m].
    Lowest: "lowest", "Height of the lowest vertex", "m", |now| {
        Some(heights(now).fold(Real::INFINITY, Real::min))
    };
    /// Height of the cloth from its lowest to its highest vertex [m].
    Height: "height", "Height of the cloth", "m", |now| {
        Some(heights(now).fold(Real::NEG_INFINITY, Real::max) - heights(now).fold(Real::INFINITY, Real::min))
    };
    /// Mean height of the vertices [m].
    Middle: "middle", "Height of the middle", "m", |now| {
        Some(now.positions().iter().sum::<Vec3>().y / now.positions().len().max(1) as Real)
    };
    /// Speed of the fastest vertex [m/s].
    Speed: "speed", "Speed of the fastest vertex", "m/s", |now| now.fastest();
    /// Shortest period of a spring that oscillates alone [s], `h_c` of Kang.
    Period: "period", "Shortest period of a spring", "s", |now| now.shortest_period();
    /// Length of a substep in such periods, `μ = h/h_c` of Kang.
    Periods: "periods", "Substep in periods of a spring", "", |now| {
        Some(now.substep_length()? / now.shortest_period()?)
    };
    /// Computing time of the step, in milliseconds.
    StepTime: "total", "Computing time of a step", "ms", |now| Some(1e3 * now.stats().total_seconds());
    /// Distance to the first lane, root of the mean square over the vertices [m].
    Distance: "distance", "Distance to lane A", "m", |now| Some(now.distance()?[0]);
    /// Largest distance of a vertex to that of the first lane [m].
    LargestDistance: "largest_distance", "Largest distance to lane A", "m", |now| Some(now.distance()?[1]);
    /// Simulated time before the step that failed [s].
    BlowUp: "blow_up", "Time of the failure", "s", |now| now.failed_at();
}

fn heights(now: &dyn Reading) -> impl Iterator<Item = Real> {
    now.positions().iter().map(|x| x.y)
}

impl Quantity {
    /// Those that are columns of a table of steps.
    pub const COLUMNS: &[Self] = Self::ALL.split_at(Self::Intersections as usize + 1).0;

    /// Its value in SI units, shares as numbers, if it is known.
    #[must_use]
    pub fn value(self, now: &dyn Reading) -> Option<Real> {
        (self.about().value)(now)
    }

    /// Its name in tables.
    #[must_use]
    pub fn key(self) -> &'static str {
        self.about().key
    }

    /// Its label in panels.
    #[must_use]
    pub fn label(self) -> &'static str {
        self.about().label
    }

    /// Its unit: of a share `%`, of another pure number empty.
    #[must_use]
    pub fn unit(self) -> &'static str {
        self.about().unit
    }

    /// Its name as a column: with its unit, if it has one.
    #[must_use]
    pub fn column(self) -> String {
        match self.about() {
            About { key, unit: "" | "%", .. } => (*key).to_owned(),
            About { key, unit, .. } => format!("{key}_{unit}"),
        }
    }

    /// A value in the unit in which it is shown: shares in per cent.
    #[must_use]
    pub fn shown(self, value: Real) -> Real {
        if self.unit() == "%" { 100.0 * value } else { value }
    }
}

/// A number for each quantity, NaN where it is not known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Numbers([Real; Quantity::ALL.len()]);

impl Default for Numbers {
    fn default() -> Self {
        Self([Real::NAN; Quantity::ALL.len()])
    }
}

impl Numbers {
    /// Those of some quantities.
    #[must_use]
    pub fn of(quantities: &[Quantity], now: &dyn Reading) -> Self {
        let mut numbers = Self::default();
        for &quantity in quantities {
            numbers[quantity] = quantity.value(now).unwrap_or(Real::NAN);
        }
        numbers
    }

    /// In the unit in which it is shown: shares in per cent.
    #[must_use]
    pub fn shown(&self, quantity: Quantity) -> Real {
        quantity.shown(self[quantity])
    }
}

impl std::ops::Index<Quantity> for Numbers {
    type Output = Real;

    fn index(&self, quantity: Quantity) -> &Real {
        &self.0[quantity as usize]
    }
}

impl std::ops::IndexMut<Quantity> for Numbers {
    fn index_mut(&mut self, quantity: Quantity) -> &mut Real {
        &mut self.0[quantity as usize]
    }
}
