//! The constant scalar system of the methods that factor once: `(s M + Σ w a aᵀ + D) X = B`, one matrix for all three
//! coordinates.
//!
//! Every vertex is an unknown. A prescribed one is taken out of the factor by deleting its row and column, and a contact
//! adds a weight to the diagonal `D`; both are updates of the factor, not new factorisations.

use super::factor::Memory;
use super::history::FactorHistory;
use super::{Graph, LowerTriangle, Rows, Shape, SupernodalCholesky, Symbolic, nested_dissection};
use crate::sim::exec::effort::{Cancelled, Effort};
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
    pub(super) history: FactorHistory,
    /// How the next factor is to come about.
    pub(super) resumed: Option<FactorHistory>,
    /// Fingerprint of the matrix.
    pub(super) fingerprint: u64,
    /// The system before the last tear, until the factor is computed.
    pub(super) last: Option<Box<Self>>,
    /// Memory for the factor after the next tear.
    pub(super) spare: Memory,
}

impl ConstantSystem {
    /// A system for the couplings of `rows` between vertices that lie at `points` [m] at rest.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn new(rows: &Rows, points: &[Vec3], effort: &Effort) -> Result<Self, Cancelled> {
        let graph = rows.graph(points.len());
        let order = nested_dissection(&graph, points, effort)?;
        effort.check()?;
        let symbolic = Symbolic::of(&graph, &order);
        effort.check()?;
        Ok(Self::with_symbolic(rows, graph, symbolic, Memory::default()))
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
    pub(super) fn mask(&mut self) {
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
