//! Constraints of the constant system: prescribed vertices and weights added to the diagonal. Its
//! factor follows by updates, as long as they are cheaper than a new one and exact enough.

use super::FactorError;
use super::constant::{Change, ConstantSystem};
use super::factor_reuse::FactorReuse;
use super::history::FactorHistory;
use super::update::BATCH;
use crate::sim::Real;
use crate::sim::exec::budget::WorkBudget;
use crate::sim::exec::pool::ThreadPool;

/// Cost of an update per entry of the factor on its way, in operations of a factorisation.
const UPDATE_COST: f64 = 12.0;
/// Changes after which the residual of the updated factor is looked at; the loss of a weight counts
/// as many times as it was larger than all else on the diagonal.
const PROBE_AT: Real = 64.0;
/// Relative residual of a solve beyond which the updated factor counts as worn out.
const DRIFT: Real = 1e-11;

/// What changes of the constraints cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FactorWork {
    /// Rank-one updates and downdates, deleted and added rows.
    pub updates: u32,
    /// Factorisations of the whole matrix.
    pub factorisations: u32,
}

impl ConstantSystem {
    /// Makes the factor that of the matrix with the vertices at the places `prescribed` taken out
    /// and the weights `added` [N/m] on the diagonal, by updates where they are cheaper than a
    /// factorisation.
    ///
    /// # Errors
    /// [`FactorError::NotPositiveDefinite`], [`FactorError::Cancelled`].
    pub fn constrain(
        &mut self,
        prescribed: impl Iterator<Item = usize>,
        added: impl Iterator<Item = (usize, Real)>,
        budget: &WorkBudget,
        pool: &ThreadPool,
    ) -> Result<FactorWork, FactorError> {
        self.want(prescribed, added, budget, pool)?;
        self.apply_wanted(budget, pool)
    }

    /// Notes the wanted constraints, after the factor was brought to where it is to be resumed.
    fn want(
        &mut self,
        prescribed: impl Iterator<Item = usize>,
        added: impl Iterator<Item = (usize, Real)>,
        budget: &WorkBudget,
        pool: &ThreadPool,
    ) -> Result<(), FactorError> {
        if let Some(history) = self.resumed.take() {
            self.replay(&history, budget, pool)?;
        }
        self.wanted.clear();
        self.wanted.resize(self.prescribed.len(), (false, 0.0));
        added.for_each(|(place, weight)| self.wanted[place].1 += weight);
        prescribed.for_each(|place| self.wanted[place] = (true, 0.0));
        Ok(())
    }

    /// Calls `run` with the places of `vertices`.
    fn with_places<T>(
        &mut self,
        vertices: impl Iterator<Item = u32>,
        run: impl FnOnce(&mut Self, std::iter::Copied<std::slice::Iter<'_, usize>>) -> T,
    ) -> T {
        let mut places = std::mem::take(&mut self.places);
        places.clear();
        let column_of = &self.factor.symbolic().column_of;
        places.extend(vertices.map(|vertex| column_of[vertex as usize] as usize));
        let done = run(self, places.iter().copied());
        self.places = places;
        done
    }

    /// Makes the factor that of the matrix with the constraints `wanted`.
    fn apply_wanted(&mut self, budget: &WorkBudget, pool: &ThreadPool) -> Result<FactorWork, FactorError> {
        self.changes.clear();
        for (place, &(prescribed, weight)) in self.wanted.iter().enumerate() {
            match (self.prescribed[place], prescribed) {
                (false, true) => self.changes.push(Change::Delete(place)),
                (true, false) => self.changes.push(Change::Add(place, weight)),
                (false, false) if weight != self.added[place] => {
                    self.changes.push(Change::Weight(place, weight - self.added[place]));
                }
                _ => {}
            }
        }
        if self.changes.is_empty() && self.valid {
            return Ok(FactorWork::default());
        }
        let may = self.valid && self.history.has_room(self.changes.len(), self.wanted.len());
        let updated = may && self.is_cheap() && self.apply_changes();
        let state = |&(prescribed, weight): &(bool, Real)| (!prescribed).then_some(weight);
        let vertex_of = &self.factor.symbolic().vertex_of;
        if updated {
            for place in self.changes.iter().map(Change::place) {
                self.history.note(vertex_of[place], state(&self.wanted[place]));
            }
            self.history.end();
        }
        for (place, &(prescribed, weight)) in self.wanted.iter().enumerate() {
            self.prescribed[place] = prescribed;
            self.added[place] = weight;
        }
        if updated && !self.has_drifted(pool) {
            return Ok(FactorWork { updates: self.changes.len() as u32, factorisations: 0 });
        }
        self.history.begin(self.fingerprint);
        for (&vertex, wanted) in self.factor.symbolic().vertex_of.iter().zip(&self.wanted) {
            if *wanted != (false, 0.0) {
                self.history.note(vertex, state(wanted));
            }
        }
        self.history.end();
        self.mask();
        self.valid = false;
        match self.last.take() {
            None => self.factor.compute(&self.masked, budget, pool)?,
            Some(last) => {
                let (symbolic, before) = (self.factor.symbolic(), last.factor.symbolic());
                let reuse = FactorReuse::find(symbolic, &self.masked, before, &last.factor.is_updated, &last.masked);
                self.factor.compute_from(&self.masked, last.factor, &reuse, budget, pool)?;
            }
        }
        self.valid = true;
        self.drift = 0.0;
        Ok(FactorWork { updates: 0, factorisations: 1 })
    }

    /// How the factor at hand came about.
    #[must_use]
    pub fn history(&self) -> &FactorHistory {
        self.resumed.as_ref().unwrap_or(&self.history)
    }

    /// Makes the next [`constrain`](Self::constrain) start from the factor that came about like
    /// this, bit for bit. One of another matrix is disregarded.
    pub fn resume(&mut self, history: FactorHistory) {
        self.resumed = Some(history);
    }

    fn replay(&mut self, history: &FactorHistory, budget: &WorkBudget, pool: &ThreadPool) -> Result<(), FactorError> {
        // the factor at hand came about in another way
        self.valid = false;
        let of_this = history.matrix() == self.fingerprint && history.fault(self.wanted.len()).is_none();
        if !of_this || history.is_empty() {
            return Ok(());
        }
        self.wanted.fill((false, 0.0));
        for pass in history.passes() {
            for &(vertex, weight) in pass {
                let place = self.factor.symbolic().column_of[vertex as usize] as usize;
                self.wanted[place] = (weight.is_none(), weight.unwrap_or(0.0));
            }
            self.apply_wanted(budget, pool)?;
        }
        Ok(())
    }

    /// [`constrain`](Self::constrain) for prescribed `vertices` and the weights `added` by place.
    ///
    /// # Errors
    /// [`FactorError::NotPositiveDefinite`], [`FactorError::Cancelled`].
    pub fn constrain_vertices(
        &mut self,
        vertices: impl Iterator<Item = u32>,
        added: impl Iterator<Item = (usize, Real)>,
        budget: &WorkBudget,
        pool: &ThreadPool,
    ) -> Result<FactorWork, FactorError> {
        self.with_places(vertices, |system, places| system.constrain(places, added, budget, pool))
    }

    /// [`constrain_vertices`](Self::constrain_vertices) for a preconditioner, which need not be
    /// exact: the factor at hand is kept, with the weights that it has, where the same vertices are
    /// prescribed and at most the part `share` of the weights would change.
    ///
    /// # Errors
    /// [`FactorError::NotPositiveDefinite`], [`FactorError::Cancelled`].
    pub fn constrain_nearly(
        &mut self,
        vertices: impl Iterator<Item = u32>,
        added: impl Iterator<Item = (usize, Real)>,
        share: Real,
        budget: &WorkBudget,
        pool: &ThreadPool,
    ) -> Result<FactorWork, FactorError> {
        self.with_places(vertices, |system, places| system.want(places, added, budget, pool))?;
        let (mut same, mut changed, mut all) = (self.valid, 0, 0);
        for (place, &(prescribed, weight)) in self.wanted.iter().enumerate() {
            same &= prescribed == self.prescribed[place];
            changed += usize::from(weight != self.added[place]);
            all += usize::from(weight != 0.0 || self.added[place] != 0.0);
        }
        if same && changed as Real <= share * all as Real {
            return Ok(FactorWork::default());
        }
        self.apply_wanted(budget, pool)
    }

    /// The weight that the factor has on the diagonal at a place, beside that of the matrix [N/m].
    #[must_use]
    pub fn added(&self, place: usize) -> Real {
        self.added[place]
    }

    /// Whether the changes at hand are better made by updates.
    fn is_cheap(&self) -> bool {
        let entries: usize = self.changes.iter().map(|change| self.factor.reach(change.place())).sum();
        entries as f64 * UPDATE_COST < self.factor.symbolic().operations()
    }

    /// Makes the changes by updates of the factor. Returns whether that went well.
    fn apply_changes(&mut self) -> bool {
        let Self { factor, matrix, prescribed, added, changes, couplings, .. } = self;
        let Some(couplings) = couplings else { return false };
        // weights go together, the losses after the gains
        changes.sort_by_key(|change| match change {
            Change::Weight(_, gain) => (0, *gain < 0.0),
            _ => (1, false),
        });
        let weights = changes.iter().take_while(|change| matches!(change, Change::Weight(..))).count();
        let (weights, rest) = changes.split_at(weights);
        for batch in weights.chunk_by(|a, b| a.is_loss() == b.is_loss()).flat_map(|signed| signed.chunks(BATCH)) {
            let mut vectors = [[(0, 0.0)]; BATCH];
            for (vector, change) in vectors.iter_mut().zip(batch) {
                if let Change::Weight(place, gain) = change {
                    *vector = [(*place, gain.abs().sqrt())];
                }
            }
            let sign = if batch[0].is_loss() { -1.0 } else { 1.0 };
            if !factor.modify(vectors[..batch.len()].iter().map(|vector| &vector[..]), sign) {
                return false;
            }
        }
        for change in rest {
            let done = match *change {
                Change::Delete(place) => {
                    prescribed[place] = true;
                    factor.delete(place)
                }
                Change::Add(place, weight) => {
                    prescribed[place] = false;
                    added[place] = weight;
                    let others = couplings.of_place(matrix, place).filter(|&(other, _)| !prescribed[other]);
                    let diagonal = (place, matrix.values[matrix.starts[place]] + weight);
                    factor.add(place, others.chain([diagonal]))
                }
                Change::Weight(..) => true,
            };
            if !done {
                return false;
            }
        }
        true
    }

    /// Whether rounding errors have gathered in the updated factor. Looked at from time to time.
    fn has_drifted(&mut self, pool: &ThreadPool) -> bool {
        // what a weight has hidden while it was there comes back with as many digits less
        let drift = |change: &Change| match *change {
            Change::Weight(place, gain) if gain < 0.0 => 1.0 - gain / self.diagonal(place),
            _ => 1.0,
        };
        self.drift += self.changes.iter().map(drift).sum::<Real>();
        if self.drift < PROBE_AT {
            return false;
        }
        self.drift = 0.0;
        self.residual(pool) > DRIFT
    }
}
