//! The constant scalar system of the methods that factor once: `(s M + Σ w a aᵀ + D) X = B`, one matrix for all three
//! coordinates.
//!
//! Every vertex is an unknown. A prescribed one is taken out of the factor by deleting its row and column, and a contact
//! adds a weight to the diagonal `D`; both are updates of the factor, not new factorisations.

use super::factor::Memory;
use super::history::FactorHistory;
use super::likeness::Likeness;
use super::{FactorError, Graph, LowerTriangle, Rows, Shape, SupernodalCholesky, Symbolic, nested_dissection};
use crate::sim::exec::simd::F64x4;
use crate::sim::exec::team::Team;
use crate::sim::fingerprint::fingerprint;
use crate::sim::{Real, Vec3};

/// A change of the held vertices.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Change {
    /// The vertex at a place becomes prescribed.
    Delete(usize),
    /// The vertex at a place is free again, with a weight on the diagonal.
    Add(usize, Real),
    /// The weight on the diagonal at a place changes by so much.
    Weight(usize, Real),
}

impl Change {
    pub(super) fn place(&self) -> usize {
        match *self {
            Self::Delete(place) | Self::Add(place, _) | Self::Weight(place, _) => place,
        }
    }

    pub(super) fn is_loss(&self) -> bool {
        matches!(self, Self::Weight(_, gain) if *gain < 0.0)
    }
}

/// What changes of held vertices cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FactorWork {
    /// Rank-one updates and downdates, deleted and added rows.
    pub updates: u32,
    /// Factorisations.
    pub factorisations: u32,
}

/// The matrix, its factor, and which vertices are held how.
#[derive(Debug, Clone)]
pub struct ConstantSystem {
    pub(super) factor: SupernodalCholesky,
    /// The matrix by places, nothing deleted, without `D`.
    pub(super) matrix: LowerTriangle,
    /// Entry of each coupling of the rows, in the order in which [`assemble`](Self::assemble) meets them.
    pub(super) slots: Vec<u32>,
    /// Whether the vertex at a place is prescribed.
    pub(super) prescribed: Vec<bool>,
    /// `D` by places.
    pub(super) held: Vec<Real>,
    pub(super) changes: Vec<Change>,
    pub(super) wanted: Vec<(bool, Real)>,
    pub(super) masked: LowerTriangle,
    pub(super) graph: Graph,
    pub(super) places: Vec<usize>,
    /// A known solution and its image, for the residual; there is room for them from the start.
    probe: [Vec<F64x4>; 2],
    /// Whether there is a factor of the matrix at hand.
    pub(super) valid: bool,
    /// Changes since the factorisation or the last look at the residual, weighed by how much they harm.
    pub(super) drift: Real,
    /// How the factor came about.
    history: FactorHistory,
    /// How the next factor is to come about.
    resumed: Option<FactorHistory>,
    /// Fingerprint of the matrix.
    fingerprint: u64,
    /// The system before the last tear, until the factor is computed.
    last: Option<Box<Self>>,
    /// Memory for the factor after the next tear.
    spare: Memory,
}

impl ConstantSystem {
    /// A system for the couplings of `rows` between vertices that lie at `points` [m] at rest.
    #[must_use]
    pub fn new(rows: &Rows, points: &[Vec3]) -> Self {
        let graph = rows.graph(points.len());
        Self::with_order(rows, &graph, &nested_dissection(&graph, points))
    }

    /// A system with the elimination order `order`.
    #[must_use]
    pub fn with_order(rows: &Rows, graph: &Graph, order: &[u32]) -> Self {
        Self::with_symbolic(rows, graph.clone(), Symbolic::of(graph, order), Memory::default())
    }

    /// A system for the couplings of `rows` of a torn cloth, whose vertices were those named by `origins` in the whole one with
    /// the factor's shape `whole`. Of the system before the tear, `last`, it takes what stayed the same when it first computes its
    /// factor.
    #[must_use]
    pub fn torn(rows: &Rows, whole: &Shape, origins: &[u32], last: Option<Self>) -> Self {
        let symbolic = Symbolic::lay_out(&whole.split(origins));
        let mut last = last.map(Box::new);
        let memory = last.as_mut().map(|last| std::mem::take(&mut last.spare)).unwrap_or_default();
        let mut system = Self::with_symbolic(rows, rows.graph(origins.len()), symbolic, memory);
        system.last = last.filter(|last| last.valid);
        system
    }

    fn with_symbolic(rows: &Rows, graph: Graph, symbolic: Symbolic, memory: Memory) -> Self {
        let n = graph.len();
        let mut matrix = LowerTriangle::default();
        for (place, &vertex) in symbolic.vertex_of.iter().enumerate() {
            matrix.starts.push(matrix.rows.len());
            matrix.rows.push(place);
            let first = matrix.rows.len();
            let below = graph.of_vertex(vertex).iter().map(|&j| symbolic.column_of[j as usize] as usize);
            matrix.rows.extend(below.filter(|&row| row > place));
            matrix.rows[first..].sort_unstable();
        }
        matrix.starts.push(matrix.rows.len());
        matrix.values = vec![0.0; matrix.rows.len()];
        let mut slots = Vec::with_capacity(3 * rows.len());
        for r in 0..rows.len() {
            let (vertices, _) = rows.row(r);
            for (at, &i) in vertices.iter().enumerate() {
                let place = symbolic.column_of[i as usize] as usize;
                // the diagonal comes first in its column
                slots.push(matrix.starts[place] as u32);
                for &j in &vertices[at + 1..] {
                    let [i, j] = [i, j].map(|vertex| symbolic.column_of[vertex as usize] as usize);
                    let (row, column) = (i.max(j), i.min(j));
                    let entries = matrix.starts[column]..matrix.starts[column + 1];
                    let found = matrix.rows[entries.clone()].binary_search(&row);
                    slots.push((entries.start + found.expect("the graph has every coupling of the rows")) as u32);
                }
            }
        }
        let factor = SupernodalCholesky::in_memory(symbolic, &matrix, memory);
        Self {
            factor,
            masked: matrix.clone(),
            matrix,
            slots,
            prescribed: vec![false; n],
            held: vec![0.0; n],
            changes: Vec::new(),
            wanted: vec![(false, 0.0); n],
            graph,
            places: Vec::new(),
            probe: [Vec::with_capacity(n), Vec::with_capacity(n)],
            valid: false,
            drift: 0.0,
            history: FactorHistory::with_room(n),
            resumed: None,
            fingerprint: 0,
            last: None,
            spare: Memory::default(),
        }
    }

    /// The shape of the factor, with the places of the vertices.
    #[must_use]
    pub fn symbolic(&self) -> &Symbolic {
        self.factor.symbolic()
    }

    /// The matrix by places, without what is held.
    #[must_use]
    pub fn matrix(&self) -> &LowerTriangle {
        &self.matrix
    }

    /// Sets the matrix to `inertia(vertex)` on the diagonal plus `w a aᵀ` for every row. The rows have to couple what those
    /// did that the system was made for, in the same order. The factor is computed by the next [`hold`](Self::hold).
    pub fn assemble(&mut self, inertia: impl Fn(usize) -> Real, rows: &Rows) {
        let values = &mut self.matrix.values;
        values.fill(0.0);
        for (place, &vertex) in self.factor.symbolic().vertex_of.iter().enumerate() {
            values[self.matrix.starts[place]] = inertia(vertex as usize);
        }
        let mut slots = self.slots.iter();
        for r in 0..rows.len() {
            let (_, coefficients) = rows.row(r);
            for (at, a) in coefficients.iter().enumerate() {
                for (b, &slot) in coefficients[at..].iter().zip(&mut slots) {
                    values[slot as usize] += rows.weights[r] * a * b;
                }
            }
        }
        self.fingerprint = fingerprint(values.iter().map(|value| value.to_bits()));
        self.valid = false;
    }

    /// Makes the factor that of the matrix with the vertices at the places `prescribed` taken out and the weights `held`
    /// [N/m] on the diagonal, by updates where they are cheaper than a factorisation.
    ///
    /// # Errors
    /// [`FactorError::NotPositiveDefinite`].
    pub fn hold(
        &mut self,
        prescribed: impl Iterator<Item = usize>,
        held: impl Iterator<Item = (usize, Real)>,
        team: &Team,
    ) -> Result<FactorWork, FactorError> {
        if let Some(history) = self.resumed.take() {
            self.replay(&history, team)?;
        }
        self.wanted.clear();
        self.wanted.resize(self.prescribed.len(), (false, 0.0));
        held.for_each(|(place, weight)| self.wanted[place].1 += weight);
        prescribed.for_each(|place| self.wanted[place] = (true, 0.0));
        self.hold_wanted(team)
    }

    /// Makes the factor that of the matrix with `wanted` held.
    fn hold_wanted(&mut self, team: &Team) -> Result<FactorWork, FactorError> {
        self.changes.clear();
        for (place, &(prescribed, weight)) in self.wanted.iter().enumerate() {
            match (self.prescribed[place], prescribed) {
                (false, true) => self.changes.push(Change::Delete(place)),
                (true, false) => self.changes.push(Change::Add(place, weight)),
                (false, false) if weight != self.held[place] => {
                    self.changes.push(Change::Weight(place, weight - self.held[place]));
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
            self.held[place] = weight;
        }
        if updated && !self.has_drifted(team) {
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
            None => self.factor.compute(&self.masked, team)?,
            Some(last) => {
                let like = Likeness::find(self.factor.symbolic(), &self.masked, &last.factor, &last.masked);
                self.factor.compute_with(&self.masked, Some(&like), team)?;
                self.spare = last.factor.into_memory();
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

    /// Makes the next [`hold`](Self::hold) start from the factor that came about like this, bit for bit. One of another matrix
    /// is disregarded.
    pub fn resume(&mut self, history: FactorHistory) {
        self.resumed = Some(history);
    }

    fn replay(&mut self, history: &FactorHistory, team: &Team) -> Result<(), FactorError> {
        let of_this = history.matrix() == self.fingerprint && history.fault(self.wanted.len()).is_none();
        if !of_this || history.is_empty() {
            return Ok(());
        }
        self.valid = false;
        self.wanted.fill((false, 0.0));
        for pass in history.passes() {
            for &(vertex, weight) in pass {
                let place = self.factor.symbolic().column_of[vertex as usize] as usize;
                self.wanted[place] = (weight.is_none(), weight.unwrap_or(0.0));
            }
            self.hold_wanted(team)?;
        }
        Ok(())
    }

    /// [`hold`](Self::hold) for prescribed `vertices` and the weights `held` by place.
    ///
    /// # Errors
    /// [`FactorError::NotPositiveDefinite`].
    pub fn hold_prescribed(
        &mut self,
        vertices: impl Iterator<Item = u32>,
        held: impl Iterator<Item = (usize, Real)>,
        team: &Team,
    ) -> Result<FactorWork, FactorError> {
        let mut places = std::mem::take(&mut self.places);
        places.clear();
        let column_of = &self.factor.symbolic().column_of;
        places.extend(vertices.map(|vertex| column_of[vertex as usize] as usize));
        let done = self.hold(places.iter().copied(), held, team);
        self.places = places;
        done
    }

    /// Largest difference of an entry of the factor from that of `other`, which has the same shape, relative to the largest
    /// entry.
    #[must_use]
    pub fn distance(&self, other: &Self) -> Real {
        self.factor.distance(&other.factor)
    }

    /// Relative residual of a solve with a known right-hand side.
    pub fn residual(&mut self, team: &Team) -> Real {
        self.mask();
        let n = self.prescribed.len();
        let right = |i: usize| F64x4([1.0, (i % 7) as Real - 3.0, ((i * 31) % 17) as Real - 8.0, 0.0]);
        let [x, left] = &mut self.probe;
        x.clear();
        x.extend((0..n).map(right));
        self.factor.solve(x, team);
        left.resize(n, F64x4::ZERO);
        self.masked.multiply(x, left);
        let largest = |v: F64x4| v.0.into_iter().fold(0.0, |a: Real, b| a.max(b.abs()));
        let (error, size) = left.iter().enumerate().fold((0.0_f64, 0.0_f64), |(error, size), (i, left)| {
            (error.max(largest(*left - right(i))), size.max(largest(right(i))))
        });
        if size > 0.0 { error / size } else { 0.0 }
    }

    /// Writes the matrix as it is with the held vertices to `masked`.
    fn mask(&mut self) {
        let Self { matrix, masked, prescribed, held, .. } = self;
        for column in 0..prescribed.len() {
            let entries = matrix.starts[column]..matrix.starts[column + 1];
            for at in entries.clone() {
                let out = prescribed[column] || prescribed[matrix.rows[at]];
                masked.values[at] = if out { 0.0 } else { matrix.values[at] };
            }
            let diagonal = &mut masked.values[entries.start];
            *diagonal = if prescribed[column] { 1.0 } else { *diagonal + held[column] };
        }
    }

    /// The entry of the matrix on the diagonal, without what is held there [N/m].
    #[must_use]
    pub fn diagonal(&self, place: usize) -> Real {
        self.matrix.values[self.matrix.starts[place]]
    }

    /// Moves what the prescribed vertices, by place with their value, pull at their neighbours to the right-hand side `b`, an
    /// entry per place.
    pub fn prescribe(&self, targets: impl Iterator<Item = (usize, F64x4)>, b: &mut [F64x4]) {
        let symbolic = self.factor.symbolic();
        for (place, target) in targets {
            for &other in self.graph.of_vertex(symbolic.vertex_of[place]) {
                let other = symbolic.column_of[other as usize] as usize;
                if !self.prescribed[other] {
                    b[other] = b[other] - F64x4::splat(self.matrix.value(place, other)) * target;
                }
            }
            b[place] = target;
        }
    }

    /// Solves in place, for the right-hand sides of all places; those of prescribed vertices are their solution.
    pub fn solve(&mut self, x: &mut [F64x4], team: &Team) {
        self.factor.solve(x, team);
    }
}
