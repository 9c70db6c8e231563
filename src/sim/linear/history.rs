//! How a factor that was updated came about, so that another one can be made with the same bits.
//!
//! An updated factor differs in rounding from a new one. Its bits follow from the matrix, from the
//! constraints at its factorisation, and from the changes since, in their order. These are kept
//! here and in snapshots.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::sim::Real;

/// The constraints at the factorisation, and their changes since. Empty while there is no factor.
#[derive(Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FactorHistory {
    /// Fingerprint of the matrix without constraints.
    matrix: u64,
    /// Vertices with their weight on the diagonal [N/m], or none where they are prescribed: those
    /// constrained when the factor was computed, then those that each update changed.
    held: Vec<(u32, Option<Real>)>,
    /// Where the factorisation and each update end in `held`.
    ends: Vec<u32>,
}

/// A copy has as much room, so that later ones ask for no memory.
impl Clone for FactorHistory {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, from: &Self) {
        let Self { matrix, held, ends } = self;
        *matrix = from.matrix;
        held.clear();
        held.reserve(from.held.capacity());
        held.extend_from_slice(&from.held);
        ends.clear();
        ends.reserve(from.ends.capacity());
        ends.extend_from_slice(&from.ends);
    }
}

impl FactorHistory {
    /// An empty history with room for the changes of `vertices` vertices.
    pub(super) fn with_room(vertices: usize) -> Self {
        let most = Self::most(vertices);
        Self { matrix: 0, held: Vec::with_capacity(vertices + most), ends: Vec::with_capacity(most + 1) }
    }

    /// Changes after which the factor of so many vertices is computed anew. That bounds the size of
    /// a snapshot, and costs little: an update takes a thirtieth of a factorisation for 1 600
    /// vertices, a hundredth for 10 000.
    fn most(vertices: usize) -> usize {
        vertices.max(256)
    }

    /// Memory that it takes [bytes].
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of::<Self>() + size_of_val(&self.held[..]) + size_of_val(&self.ends[..])
    }

    /// Fingerprint of the matrix that the factor belongs to.
    pub(super) fn matrix(&self) -> u64 {
        self.matrix
    }

    /// Whether so many `changes` more may be made by updates, in a system of so many `vertices`.
    pub(super) fn has_room(&self, changes: usize, vertices: usize) -> bool {
        let computed = self.ends.first().map_or(0, |&end| end as usize);
        self.held.len() - computed + changes <= Self::most(vertices)
    }

    /// A factor of the matrix with this fingerprint is computed.
    pub(super) fn begin(&mut self, matrix: u64) {
        self.matrix = matrix;
        self.held.clear();
        self.ends.clear();
    }

    /// Notes the constraint of a vertex in the factorisation or update at hand.
    pub(super) fn note(&mut self, vertex: u32, weight: Option<Real>) {
        self.held.push((vertex, weight));
    }

    /// The factorisation or update at hand is complete.
    pub(super) fn end(&mut self) {
        self.ends.push(self.held.len() as u32);
    }

    /// The factorisation and the updates, in their order.
    pub(super) fn passes(&self) -> impl Iterator<Item = &[(u32, Option<Real>)]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.held[Range { start: start as usize, end: end as usize }])
    }

    /// Whether there was no factor.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// What is wrong with it for a cloth of so many vertices, if anything.
    #[must_use]
    pub fn fault(&self, vertices: usize) -> Option<&'static str> {
        let rising = self.ends.is_sorted() && self.ends.last().map_or(0, |&end| end as usize) == self.held.len();
        let known = self.held.iter().all(|(vertex, _)| (*vertex as usize) < vertices);
        let weights = self.held.iter().filter_map(|(_, weight)| *weight);
        if !rising {
            Some("factor.ends must rise to the length of factor.held")
        } else if !known {
            Some("factor.held names a vertex that there is not")
        } else if weights.into_iter().any(|weight| !(weight.is_finite() && weight >= 0.0)) {
            Some("factor.held needs finite weights that are not negative")
        } else {
            None
        }
    }
}
