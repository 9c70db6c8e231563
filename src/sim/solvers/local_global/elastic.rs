//! Energy and forces of the constraints, vertex by vertex: for measuring, not for stepping.

use std::borrow::Cow;

use super::LocalGlobal;
use super::terms::Weights;
use crate::sim::constraints::{Constraint, Elements};
use crate::sim::exec::simd::F64x4;
use crate::sim::measure::{Projections, SpringSystem};
use crate::sim::{Pattern, Real, Vec3};

impl LocalGlobal {
    /// Energy of the springs, if they take part, and of all constraints [J].
    pub fn elastic_energy(&self, system: &SpringSystem, weights: &Weights) -> Real {
        let springs = if weights.springs { system.elastic_energy() } else { 0.0 };
        if weights.constraints.is_empty() {
            return springs;
        }
        let q: Vec<F64x4> = system.cloth.positions.iter().map(|x| F64x4::from_vec3(*x)).collect();
        let of_constraint = |(constraint, elements): (&dyn Constraint, Cow<Elements>)| {
            elements.energies(constraint, &q).iter().sum::<Real>()
        };
        springs + self.constraints(system.pattern, weights).map(of_constraint).sum::<Real>()
    }

    /// Force of all of these on `vertex` [N]: `Σ w μ a (p - z)` over the rows of the constraints.
    pub fn elastic_force(&self, system: &SpringSystem, weights: &Weights, vertex: u32) -> Vec3 {
        let mut force = if weights.springs { system.force_on(vertex) } else { Vec3::ZERO };
        if weights.constraints.is_empty() {
            return force;
        }
        let q: Vec<F64x4> = system.cloth.positions.iter().map(|x| F64x4::from_vec3(*x)).collect();
        for (constraint, elements) in self.constraints(system.pattern, weights) {
            let rows = elements.rows();
            let together = (constraint.settling() > 1).then(|| elements.projections(constraint, &q));
            for element in 0..elements.len() {
                if !elements.row(element, 0).any(|(other, _)| other == vertex) {
                    continue;
                }
                let mut values = vec![F64x4::ZERO; rows];
                elements.evaluate(element..element + 1, &q, &mut values);
                let mut projected = values.clone();
                match &together {
                    Some([_, all]) => projected.copy_from_slice(&all[element * rows..][..rows]),
                    None => constraint.project(&mut elements.chunk(element..element + 1, &mut projected, &mut [])),
                }
                for row in 0..rows {
                    let own = elements.row(element, row).filter(|(other, _)| *other == vertex);
                    let coefficient: Real = own.map(|(_, coefficient)| coefficient).sum();
                    let apart = projected[row].to_vec3() - values[row].to_vec3();
                    force += apart * (constraint.weight() * elements.measure(element) * coefficient);
                }
            }
        }
        force
    }

    /// The projections of the springs, if they take part, and of all constraints.
    pub fn projections(&self, system: &SpringSystem, weights: &Weights) -> Projections {
        let mut projections = Projections::default();
        let positions = &system.cloth.positions;
        if weights.springs {
            projections.add_springs(system.pattern, |e| system.stiffness(e), positions);
        }
        let q: Vec<F64x4> = positions.iter().map(|x| F64x4::from_vec3(*x)).collect();
        for (constraint, elements) in self.constraints(system.pattern, weights) {
            projections.add_elements(constraint, &elements, &q);
        }
        projections
    }

    /// The constraints that take part, with their elements: those of the last step if they still
    /// fit.
    fn constraints<'a>(
        &'a self,
        pattern: &'a Pattern,
        weights: &'a Weights,
    ) -> impl Iterator<Item = (&'a dyn Constraint, Cow<'a, Elements>)> {
        let list = weights.constraints.list().into_iter().enumerate();
        list.filter_map(move |(place, constraint)| {
            let constraint = constraint?;
            let known = self.terms.elements_on(pattern, place).map(Cow::Borrowed);
            Some((constraint, known.unwrap_or_else(|| Cow::Owned(constraint.elements(pattern)))))
        })
    }
}
