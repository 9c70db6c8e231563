//! What the constant system does when vertices are held or let go: updates of its factor, as long as they are cheaper than a new
//! one and exact enough.

use super::constant::{Change, ConstantSystem};
use super::update::BATCH;
use crate::sim::Real;
use crate::sim::exec::team::Team;

/// What an update costs per entry of the factor that it goes through, in operations of a factorisation.
const UPDATE_COST: f64 = 12.0;
/// Changes after which the residual of the updated factor is looked at; the loss of a weight counts as many times as it was
/// larger than all else on the diagonal.
const PROBE_AT: Real = 64.0;
/// Relative residual of a solve beyond which the updated factor counts as worn out.
const DRIFT: Real = 1e-11;

impl ConstantSystem {
    /// Whether the changes at hand are better made by updates.
    pub(super) fn is_cheap(&self) -> bool {
        let entries: usize = self.changes.iter().map(|change| self.factor.reach(change.place())).sum();
        entries as f64 * UPDATE_COST < self.factor.symbolic().operations()
    }

    /// Makes the changes by updates of the factor. Returns whether that went well.
    pub(super) fn apply_changes(&mut self) -> bool {
        let Self { factor, matrix, prescribed, held, changes, graph, .. } = self;
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
                    held[place] = weight;
                    let vertex = factor.symbolic().vertex_of[place];
                    let others: Vec<(usize, Real)> = (graph.of_vertex(vertex).iter())
                        .map(|&other| factor.symbolic().column_of[other as usize] as usize)
                        .filter(|&other| !prescribed[other])
                        .map(|other| (other, matrix.value(place, other)))
                        .collect();
                    let diagonal = (place, matrix.value(place, place) + weight);
                    factor.add(place, others.into_iter().chain([diagonal]))
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
    pub(super) fn has_drifted(&mut self, team: &Team) -> bool {
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
        self.residual(team) > DRIFT
    }
}
