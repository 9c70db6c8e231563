//! What `pbd` and `xpbd` share: predict, then project the constraints one after the other, then read the velocity off.

use crate::sim::colouring::{SharedVectors, sweep};
use crate::sim::constraints::{ColouredSprings, Distance};
use crate::sim::solver::{Stage, Stopwatch};
use crate::sim::{Cloth, Real, StepInput, StepStats, Vec3};

/// How the springs of a family are projected.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Projection {
    /// Whether they are projected at all.
    pub active: bool,
    /// Share of the error that a projection removes.
    pub share: Real,
    /// Compliance `α = 1/(k h²)` [1/kg].
    pub compliance: Real,
    /// Damping `γ = c/(k h)`, a pure number.
    pub damping: Real,
}

/// The scratch memory of a step.
#[derive(Debug, Default)]
pub(super) struct PositionBased {
    springs: ColouredSprings,
    multipliers: Vec<Real>,
    inverse_masses: Vec<Real>,
    target: Vec<Vec3>,
    q: SharedVectors,
}

impl PositionBased {
    /// One step with `iterations` sweeps over the springs, projected by family, and over the contacts.
    pub fn step(
        &mut self,
        cloth: &mut Cloth,
        input: &StepInput,
        iterations: u32,
        by_family: [Projection; 3],
    ) -> StepStats {
        let mut stats = StepStats { iterations, ..StepStats::default() };
        let mut watch = Stopwatch::start(input.clock);
        self.springs.update(input.pattern, by_family.map(|projection| projection.active));
        self.multipliers.clear();
        self.multipliers.resize(self.springs.springs.len(), 0.0);
        self.inverse_masses.clear();
        self.inverse_masses.extend(cloth.masses.iter().map(|m| 1.0 / m));
        for prescribed in &input.partition.prescribed {
            self.inverse_masses[prescribed.vertex as usize] = 0.0;
        }
        input.predict(cloth, &mut self.target);
        self.q.load(&self.target);
        watch.lap(&mut stats, Stage::Assemble);

        let (q, inverse_masses, before) = (&self.q, &self.inverse_masses, &cloth.positions);
        for _ in 0..iterations {
            sweep(&self.springs.colours, &self.springs.springs, &mut self.multipliers, |spring, multiplier| {
                let projection = &by_family[spring.family as usize];
                project(spring, projection, q, before, inverse_masses, multiplier);
            });
            for touch in input.contacts {
                let i = touch.vertex as usize;
                q.set(i, touch.project(q.get(i), before[i]));
            }
        }
        input.arrive(cloth, |i| self.q.get(i));
        watch.lap(&mut stats, Stage::Local);
        stats
    }
}

/// Moves the ends of a spring: `Δλ = -(C + α λ + γ ∇C·(q - x)) / ((1 + γ) w + α)`, `Δq = w ∇C Δλ`.
#[inline]
fn project(
    spring: &Distance,
    &Projection { share, compliance, damping, .. }: &Projection,
    q: &SharedVectors,
    before: &[Vec3],
    inverse_masses: &[Real],
    multiplier: &mut Real,
) {
    let [i, j] = spring.ends.map(|end| end as usize);
    let (wi, wj) = (inverse_masses[i], inverse_masses[j]);
    let w = wi + wj;
    let (qi, qj) = (q.get(i), q.get(j));
    let d = qj - qi;
    let length = d.length();
    if w == 0.0 || length == 0.0 {
        return;
    }
    let u = d * (1.0 / length);
    let error = length - spring.rest_length;
    // skipped when there is none: it costs two more reads per end
    let moved = if damping > 0.0 { u.dot(d - (before[j] - before[i])) } else { 0.0 };
    let change = -share * (error + compliance * *multiplier + damping * moved) / ((1.0 + damping) * w + compliance);
    *multiplier += change;
    if wi > 0.0 {
        q.set(i, qi - u * (wi * change));
    }
    if wj > 0.0 {
        q.set(j, qj + u * (wj * change));
    }
}
