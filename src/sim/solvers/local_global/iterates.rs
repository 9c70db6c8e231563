//! One iteration at a time, and what they minimise, constraint by constraint in the order of the vertices: for measuring,
//! not for stepping.

use super::terms::{Limits, Mix, Terms};
use super::{Holding, LocalGlobal};
use crate::sim::constraints::{clamp_anisotropic, clamp_area, clamp_strain, with_length};
use crate::sim::lanes::Lanes;
use crate::sim::solver::{Iteration, Stopwatch};
use crate::sim::{Cloth, Real, StepError, StepInput, StepStats, Vec3};

impl LocalGlobal {
    /// One iteration of a step, from the positions `x` [m] of all vertices to the next.
    ///
    /// # Errors
    /// [`StepError::Factor`] when the matrix has no factor.
    pub fn iterate(
        &mut self,
        cloth: &Cloth,
        input: &StepInput,
        mix: &Mix,
        holding: Holding,
        x: &mut [Vec3],
    ) -> Result<Iteration, StepError> {
        let team = input.team;
        self.prepare(cloth, input, mix, holding, team)?;
        self.predict(cloth, input, team);
        let place = |this: &Self, vertex: usize| {
            this.system.as_ref().map_or(vertex, |system| system.symbolic().place_of[vertex] as usize)
        };
        for (vertex, x) in x.iter().enumerate() {
            let place = place(self, vertex);
            self.q[place] = Lanes::from_vec3(*x);
        }
        let mut stats = StepStats::default();
        let mut watch = Stopwatch::start(input.clock);
        self.improve(cloth, mix, team, &mut watch, &mut stats);
        for (vertex, x) in x.iter_mut().enumerate() {
            *x = self.q[place(self, vertex)].to_vec3();
        }
        Ok(Iteration { seconds: stats.total_seconds(), solved: self.last_motion() == 0.0 })
    }
}

/// ```text
/// E(q) = 1/(2h²) Σ m |q - y|² + Σ w/2 |A q - p(A q)|² + c/(2h) Σ |(q_j - q_i) - (x_j - x_i)|²   [J]
/// ```
///
/// `None` with contacts, as in [`Minimiser::objective`](crate::sim::solver::Minimiser::objective).
pub fn objective(cloth: &Cloth, input: &StepInput, mix: &Mix, holding: Holding, q: &[Vec3]) -> Option<Real> {
    if holding.contacts > 0.0 && !input.contacts.is_empty() {
        return None;
    }
    let mut target = Vec::new();
    input.predict(cloth, &mut target);
    let h = input.dt;
    let inertia = |&vertex: &u32| {
        let i = vertex as usize;
        cloth.masses[i] * q[i].distance_squared(target[i])
    };
    let mut sum = input.partition.free.iter().map(inertia).sum::<Real>() / (2.0 * h * h);
    if let Some(weight) = holding.prescribed {
        let held = input.partition.prescribed.iter();
        let pull = |i: usize| 0.5 * (weight + cloth.masses[i] / (h * h)) * q[i].distance_squared(target[i]);
        sum += held.map(|held| pull(held.vertex as usize)).sum::<Real>();
    }

    let mut terms = Terms::default();
    terms.update(input, mix);
    let at = |row: usize, x: &[Vec3]| -> Vec3 {
        let (vertices, coefficients) = terms.rows.row(row);
        vertices.iter().zip(coefficients).map(|(&vertex, a)| x[vertex as usize] * *a).sum()
    };
    for row in terms.springs.start..terms.edges.end {
        let d = at(row, q);
        let stretch = d.length() - terms.rest_lengths[row];
        sum += 0.5 * terms.pulls[row] * stretch * stretch;
        if let Some(damping) = terms.damping.get(row) {
            sum += 0.5 * damping * d.distance_squared(at(row, &cloth.positions));
        }
    }
    let mut triangles = |rows: std::ops::Range<usize>, clamp: &dyn Fn([Vec3; 2]) -> [Vec3; 2]| {
        for row in rows.step_by(2) {
            let f = [at(row, q), at(row + 1, q)];
            let p = clamp(f);
            sum += 0.5 * terms.pulls[row] * (f[0].distance_squared(p[0]) + f[1].distance_squared(p[1]));
        }
    };
    match &mix.limits {
        Limits::Isotropic([low, high]) => triangles(terms.strain.clone(), &|f| clamp_strain(f, *low, *high)),
        Limits::Anisotropic(limits) => triangles(terms.strain.clone(), &|f| clamp_anisotropic(f, limits)),
    }
    let [low, high] = mix.area_range;
    triangles(terms.area.clone(), &|f| clamp_area(f, low, high));
    for (row, rest) in terms.curvature.clone().zip(&terms.bending.rest_lengths) {
        let z = at(row, q);
        sum += 0.5 * terms.pulls[row] * z.distance_squared(with_length(z, *rest));
    }
    Some(sum)
}
