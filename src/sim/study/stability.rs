//! Stability search: the largest stiffness, or time step, at which a method is stable.
//!
//! The figure is the one below the *first* failure: an upward scan by a constant factor, then
//! bisection inside the last factor. Bisection alone would be wrong, since islands of stability lie
//! above the first failure (`physics.md` section 2.2).

use std::ops::ControlFlow;

use super::run::{End, run};
use crate::sim::params::Kind;
use crate::sim::pattern::Family;
use crate::sim::{Checkpoint, Material, Real, Simulation};

crate::choices! {
    /// Quantity raised until the method fails.
    pub enum Vary {
        /// The stiffness of all springs, in proportion.
        Stiffness = "stiffness",
        /// The time step.
        Step = "step",
    }
}

crate::choices! {
    /// Criterion of failure.
    pub enum Criterion {
        /// A coordinate leaves the box around its rest place, or the step cannot be computed.
        Box = "box",
        /// That, or the cloth ends up folded: at rest two neighbours, or two second neighbours along
        /// warp or weft, are nearer than half their distance in the flat cloth. The criterion of
        /// Kang's column for implicit Euler.
        Folded = "folded",
    }
}

impl Vary {
    /// Gives `simulation` this value [N/m or s].
    pub fn put(self, simulation: &mut Simulation, value: Real) {
        let parameters = &mut simulation.parameters;
        match self {
            Self::Stiffness => parameters.material = with_stiffness(&parameters.material, value),
            Self::Step => parameters.timing.time_step = value,
        }
    }
}

/// How a method is tried.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Experiment {
    /// The varied quantity.
    pub vary: Vary,
    /// Criterion of failure.
    pub criterion: Criterion,
    /// Number of steps to survive.
    pub steps: u32,
    /// Half the size of the box around each vertex's place at the start [m].
    pub reach: Real,
}

impl Default for Experiment {
    /// As in table 1 of Kang: 400 steps within 20 m.
    fn default() -> Self {
        Self { vary: Vary::Stiffness, criterion: Criterion::Box, steps: 400, reach: 20.0 }
    }
}

/// Result of a search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Finding {
    /// The largest value below the first failure [N/m or s].
    Limit(Real),
    /// No failure up to the end of the scan.
    NoLimit,
    /// The search was called off.
    Cancelled,
}

/// Ratio of one trial to the next in the scan.
const FACTOR: Real = 1.1;
/// The bisection ends when the limit is known to this share.
const PRECISION: Real = 1e-4;
/// A folded cloth is looked at when nothing moves faster than this [m/s], or after so many times
/// the steps.
const REST: Real = 1e-3;
const SETTLE: u32 = 10;

impl Experiment {
    /// First and last value of the scan [N/m or s].
    #[must_use]
    pub fn range(&self) -> (Real, Real) {
        match self.vary {
            Vary::Stiffness => (500.0, 1e12),
            Vary::Step => (1e-4, 1.0),
        }
    }

    /// The largest value for which `simulation` is stable from its present state and parameters,
    /// which it has again afterwards. `progress` is asked at every step whether to continue, and
    /// hears the share of the scan that is done.
    pub fn search(&self, simulation: &mut Simulation, progress: &mut dyn FnMut(Real) -> ControlFlow<()>) -> Finding {
        let start = simulation.checkpoint();
        let mut share = 0.0;
        let finding = self.scan(&mut |value, done| {
            share = done;
            self.survives(simulation, &start, value, &mut || progress(share))
        });
        simulation.restore(&start);
        match finding {
            ControlFlow::Continue(finding) => finding,
            ControlFlow::Break(()) => Finding::Cancelled,
        }
    }

    /// The scan and the bisection, by `survives(value, share of the scan that is done)`.
    fn scan(&self, survives: &mut dyn FnMut(Real, Real) -> ControlFlow<(), bool>) -> ControlFlow<(), Finding> {
        let (first, last) = self.range();
        // a first value that fails is searched for from far below
        let mut alive = survives(first, 0.0)?;
        let from = if alive { first } else { first * 1e-5 };
        if !alive {
            alive = survives(from, 0.0)?;
        }
        let (mut low, mut high) = (0.0, from);
        while alive {
            if high >= last {
                return ControlFlow::Continue(Finding::NoLimit);
            }
            low = high;
            high = (high * FACTOR).min(last);
            alive = survives(high, (low / from).ln() / (last / from).ln())?;
        }
        while high - low > PRECISION * high && high > PRECISION * from {
            let middle = 0.5 * (low + high);
            *(if survives(middle, 1.0)? { &mut low } else { &mut high }) = middle;
        }
        ControlFlow::Continue(Finding::Limit(low))
    }

    /// Whether a run with `value` passes. `go_on` is asked at every step.
    fn survives(
        &self,
        simulation: &mut Simulation,
        start: &Checkpoint,
        value: Real,
        go_on: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> ControlFlow<(), bool> {
        simulation.restore(start);
        (simulation.state.grab, simulation.state.world.grab) = (None, None);
        self.vary.put(simulation, value);
        let inside = |simulation: &Simulation| {
            start.state.cloth.positions.iter().zip(&simulation.state.cloth.positions).all(|(rest, x)| {
                let offset = (*x - *rest).abs().max_element();
                offset <= self.reach
            })
        };
        let moving = |simulation: &Simulation| simulation.state.cloth.velocities.iter().any(|v| v.length() > REST);
        let settle = if self.criterion == Criterion::Folded { SETTLE * self.steps } else { 0 };
        let mut step = 0;
        let end = run(simulation, u64::from(self.steps + settle), go_on, |simulation, _| {
            step += 1;
            if !inside(simulation) {
                ControlFlow::Break(End::Stopped(()))
            } else if step >= self.steps && !moving(simulation) {
                ControlFlow::Break(End::Done)
            } else {
                ControlFlow::Continue(())
            }
        });
        let done = end.unless_cancelled()? == End::Done;
        ControlFlow::Continue(done && (self.criterion == Criterion::Box || !is_folded(simulation)))
    }
}

/// Whether a structural or shear spring, or the distance of second neighbours, is shorter than half
/// its rest length. A fold along a line of vertices leaves structural and shear springs as they are
/// and shows in second neighbours alone, which bending springs join, with a stiffness or without.
#[must_use]
pub fn is_folded(simulation: &Simulation) -> bool {
    let springs = simulation.pattern().springs();
    let x = &simulation.state.cloth.positions;
    (0..springs.len()).any(|e| {
        let ([i, j], family) = (springs.ends[e].map(|end| x[end as usize]), springs.families[e]);
        let counts = family == Family::Bend || simulation.parameters.material.stiffness(family) > 0.0;
        counts && i.distance(j) < 0.5 * springs.rest_lengths[e]
    })
}

/// Stiffness of the stiffest family of springs [N/m].
#[must_use]
pub fn largest_stiffness(material: &Material) -> Real {
    material.stiffness_by_family().into_iter().fold(0.0, Real::max)
}

/// `material` with a stiffest family of `stiffness` [N/m], and the others in proportion. Without
/// any stiffness there is nothing in proportion.
#[must_use]
pub fn with_stiffness(material: &Material, stiffness: Real) -> Material {
    let largest = largest_stiffness(material);
    let scale = if largest > 0.0 { stiffness / largest } else { 0.0 };
    Material {
        structural_stiffness: scale * material.structural_stiffness,
        shear_stiffness: scale * material.shear_stiffness,
        bend_stiffness: scale * material.bend_stiffness,
        ..*material
    }
}

/// A method as it is tried: a solver with some settings.
#[derive(Debug, Clone, Copy)]
pub struct Variant {
    /// Id of the solver.
    pub solver: &'static str,
    /// Settings that differ from the defaults, by key, as text.
    pub settings: &'static [(&'static str, &'static str)],
    /// Largest stiffness according to table 1 of Kang [N/m], for 1 kg and for 2 kg per vertex.
    pub paper: [Option<Real>; 2],
}

/// The rows of table 1, and beside them the variants that explain it and the methods that the paper
/// does not have.
pub static TABLE_1: &[Variant] = &[
    row("explicit-euler", &[]),
    Variant { paper: [Some(5_690.0), Some(11_250.0)], ..row("symplectic-euler", &[]) },
    Variant { paper: [Some(7_500.0), Some(15_100.0)], ..row("harmonic-oscillator", &[("share", "0.5")]) },
    row("harmonic-oscillator", &[("share", "1")]),
    Variant {
        paper: [Some(62_500.0), Some(149_000.0)],
        ..row("jacobi-implicit", &[("blocks", "raw"), ("sweeps", "1")])
    },
    row("jacobi-implicit", &[("blocks", "raw"), ("sweeps", "0")]),
    row("jacobi-implicit", &[("blocks", "raw"), ("sweeps", "2")]),
    row("jacobi-implicit", &[("blocks", "raw"), ("sweeps", "5")]),
    row("jacobi-implicit", &[("blocks", "clamped"), ("sweeps", "0")]),
    row("jacobi-implicit", &[("blocks", "clamped"), ("sweeps", "1")]),
    row("jacobi-implicit", &[("blocks", "clamped"), ("sweeps", "2")]),
    Variant { paper: [Some(950_000.0), Some(1_910_000.0)], ..row("implicit-euler", &[("blocks", "raw")]) },
    row("implicit-euler", &[("blocks", "clamped")]),
    Variant { paper: [Some(6.5e7), Some(9.5e8)], ..row("hybrid", &[("blocks", "raw"), ("share", "0.5")]) },
    row("hybrid", &[("blocks", "clamped"), ("share", "0.5")]),
    row("hybrid", &[("blocks", "clamped"), ("share", "1")]),
    row("stable-mass-spring", &[]),
    row("precomputed-filter", &[]),
    row("fast-mass-spring", &[]),
    row("xpbd", &[]),
    row("soft-constraints", &[("sweeps", "4")]),
];

const fn row(solver: &'static str, settings: &'static [(&'static str, &'static str)]) -> Variant {
    Variant { solver, settings, paper: [None; 2] }
}

/// Name of a variant in tables, from a solver with its settings: `raw` or `clamped`, `share=…`,
/// `sweeps=…`, as far as they apply.
#[must_use]
pub fn variant_name(settings: &dyn crate::sim::params::Tunable) -> String {
    let value = |key: &str| {
        let index = settings.index_of(key)?;
        let param = &settings.params()[index];
        let shown = param.show(settings.get(index));
        Some(if matches!(param.kind, Kind::Choice(_)) { shown } else { format!("{key}={shown}") })
    };
    let parts: Vec<String> = ["blocks", "share", "sweeps"].into_iter().filter_map(value).collect();
    parts.join(",")
}
