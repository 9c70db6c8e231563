//! The constant scalar matrix of the springs, `s M + Σ_e w_e g_e g_eᵀ`, over the free vertices.

use crate::sim::exec::budget::Cancelled;
use crate::sim::linear::{ConstantSystem, FactorHistory, Rows, WholeShape};
use crate::sim::pattern::Coefficients;
use crate::sim::{Cloth, Pattern, Real, StepInput};

/// The matrix with its factor and its input.
#[derive(Debug, Default)]
pub struct LaplacianSystem {
    rows: Rows,
    /// Shape of the factor of the whole cloth, and the families that it couples.
    whole: WholeShape<(u64, [bool; 3])>,
    revision: Option<u64>,
    inertia: Real,
    weights: Coefficients,
    masses: Vec<Real>,
    system: Option<ConstantSystem>,
    /// How the next factor is to come about.
    resumed: Option<FactorHistory>,
}

impl LaplacianSystem {
    /// Makes this the system for a step, with the factor `inertia` of the masses and the weight of
    /// every spring by kind, and returns it. Its factor is brought up to date by
    /// [`ConstantSystem::constrain`].
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn prepare(
        &mut self,
        cloth: &Cloth,
        input: &StepInput,
        inertia: Real,
        weights: Coefficients,
    ) -> Result<&mut ConstantSystem, Cancelled> {
        let revision = Some(input.pattern.revision());
        let mut last = None;
        if self.revision != revision || self.weights.families() != weights.families() {
            last = self.system.take();
        }
        let same = self.inertia == inertia && self.weights == weights && self.masses == cloth.masses;
        if self.system.is_none() || !same {
            (self.revision, self.inertia, self.weights) = (revision, inertia, weights);
            self.masses.clone_from(&cloth.masses);
            couple(input.pattern, weights, &mut self.rows);
        }
        let rest = input.pattern.rest_positions();
        let fresh = self.system.is_none();
        let Self { rows, whole, .. } = self;
        let system = match self.system.take() {
            Some(system) => system,
            None => {
                let graph = || match input.pattern.parents() {
                    [] => rows.graph(rest.len()),
                    _ => {
                        let (pattern, mut rows) = (input.pattern.whole(), Rows::default());
                        couple(&pattern, weights, &mut rows);
                        rows.graph(pattern.len())
                    }
                };
                let key = (input.pattern.whole_revision(), weights.families());
                whole.system(key, rows, &input.pattern.origins(), rest, graph, last, input.budget)?
            }
        };
        let system = self.system.insert(system);
        if fresh || !same {
            system.assemble(|vertex| inertia * cloth.masses[vertex], &self.rows);
        }
        if let Some(history) = self.resumed.take() {
            system.resume(history);
        }
        Ok(system)
    }

    /// The system, once it has been prepared.
    #[must_use]
    pub fn system(&self) -> Option<&ConstantSystem> {
        self.system.as_ref()
    }

    /// The system, to solve with.
    pub fn system_mut(&mut self) -> Option<&mut ConstantSystem> {
        self.system.as_mut()
    }

    /// Makes the next factor come about as `history` tells, unless the one at hand did.
    pub fn follow(&mut self, history: &FactorHistory) {
        let same = self.system().map_or(history.is_empty(), |system| system.history() == history);
        self.resumed = (!same).then(|| history.clone());
    }

    /// Notes how the factor at hand came about.
    pub fn note_history(&self, history: &mut FactorHistory) {
        if let Some(system) = self.system() {
            history.clone_from(system.history());
        }
    }

    /// Forgets the matrix.
    pub fn reset(&mut self) {
        self.resumed = None;
        self.system = None;
    }
}

/// Makes `rows` those of the springs of `pattern` whose kind has a weight.
fn couple(pattern: &Pattern, weights: Coefficients, rows: &mut Rows) {
    rows.clear();
    let weights = weights.on(pattern);
    for (e, &[i, j]) in pattern.springs().ends.iter().enumerate() {
        let weight = weights.at(e);
        if weight > 0.0 {
            rows.push(weight, [(i, 1.0), (j, -1.0)]);
        }
    }
}
