//! Coordinates in which a constraint measures its distance: `A = B` of Bouaziz et al. 2014,
//! equation 7 and sections 3 and 4.2.
//!
//! ```text
//! W(q, p) = w/2 |A (q - p)|²,   p: positions of the vertices of the constraint with G p admissible
//! AᵀA = GᵀG + c (Ω - Gᵀ (G Ω⁻¹ Gᵀ)⁻¹ G),   c = tr(G Ω⁻¹ Gᵀ)/r
//! ```
//!
//! `G` has the `r` rows of the constraint and measures its deformation: `AᵀA = GᵀG` are
//! *differences*. The other term measures motions that do not deform, by `Ω = I` (*identity*) or by
//! the masses (*mass*); without translations it is the *mean* subtracted. `p` takes no part in these
//! motions, so the least distance is `w/2 |G q - nearest|²` with each `A`: all have the same energy
//! and the same minimum, and differ in the way there. For a spring `AᵀA` is `2 I`, or
//! `(1/m_i + 1/m_j) diag(m_i, m_j)`: exactly `A = I` and `A = M^½`, with the weight at which the
//! energy is that of the spring. The mean subtracted from a spring, a triangle or a tetrahedron
//! leaves their deformation and nothing else, so there it is the same as differences.
//!
//! The term is a few more rows of the constraint, whose projections are their own values. Absolute
//! coordinates hold back translations, so total momentum is kept in the limit only.

use std::ops::Range;

use crate::sim::constraints::{Chunk, Constraint, Elements};
use crate::sim::linear::Rows;
use crate::sim::params::{Choice, Kind};
use crate::sim::{Pattern, Real};

crate::choices! {
    /// Coordinates in which constraints measure their distance.
    #[derive(Default)]
    pub enum Coordinates {
        /// Differences between the vertices of a constraint: they converge best.
        #[default]
        Differences = "differences",
        /// The mean of the vertices subtracted. It differs from differences with bending alone.
        Mean = "mean",
        /// Absolute positions (A = I): changes spread slowly.
        Identity = "identity",
        /// Absolute positions weighted by mass (A = M^½): position-based dynamics with inertia.
        Mass = "mass",
    }
}

impl Coordinates {
    /// All, with their meaning.
    pub fn choices() -> &'static [Choice] {
        match Self::KIND {
            Kind::Choice(choices) => choices,
            _ => &[],
        }
    }

    /// Its key; `None` of differences.
    pub fn key(self) -> Option<&'static str> {
        (self != Self::Differences).then(|| Self::choices().get(self as usize).map(|choice| choice.key)).flatten()
    }

    /// Whether translations count.
    pub fn is_absolute(self) -> bool {
        matches!(self, Self::Identity | Self::Mass)
    }
}

/// Motions of elements that do not deform them, a row each: it is projected on its own value.
#[derive(Debug)]
pub struct KeptMotions {
    /// An element per row. Its measure times the weight of the source is its weight.
    pub elements: Elements,
    /// The row that each takes its weight from.
    pub sources: Vec<u32>,
}

impl Default for KeptMotions {
    fn default() -> Self {
        Self { elements: Elements::new(1, 0), sources: Vec::new() }
    }
}

impl KeptMotions {
    /// Appends those of the element with the rows `range` of `rows`. `masses` has an entry per
    /// vertex [kg].
    pub fn add(&mut self, coordinates: Coordinates, rows: &Rows, range: Range<usize>, masses: &[Real]) {
        let (vertices, _) = rows.row(range.start);
        let free = vertices.len() - range.len();
        if coordinates == Coordinates::Differences || free == 1 && !coordinates.is_absolute() {
            return;
        }
        let weigh = |&vertex: &u32| if coordinates == Coordinates::Mass { masses[vertex as usize] } else { 1.0 };
        let weights: Vec<Real> = vertices.iter().map(weigh).collect();
        let roots: Vec<Real> = weights.iter().map(|weight| weight.sqrt()).collect();
        let scaled = |row| rows.row(row).1.iter().zip(&roots).map(|(g, root)| g / root).collect::<Vec<Real>>();
        let mut basis: Vec<Vec<Real>> = range.clone().map(scaled).collect();
        let source = range.start as u32;
        let c = basis.iter().map(|g| dot(g, g)).sum::<Real>() / range.len() as Real;
        if free == 1 {
            let total: Real = weights.iter().sum();
            let centre = vertices.iter().zip(&weights).map(|(vertex, weight)| (*vertex, [weight / total]));
            self.push(source, centre, c * total);
            return;
        }
        if !coordinates.is_absolute() {
            basis.push(roots.clone());
        }
        orthonormalise(&mut basis);
        // the rows of the projector on the rest, which is its own square
        for at in 0..vertices.len() {
            let rest = |other: usize| {
                let out: Real = basis.iter().map(|known| known[at] * known[other]).sum();
                if at == other { 1.0 - out } else { -out }
            };
            let row = vertices.iter().enumerate().map(|(other, vertex)| (*vertex, [rest(other) * roots[other]]));
            self.push(source, row, c);
        }
    }

    fn push(&mut self, source: u32, row: impl Iterator<Item = (u32, [Real; 1])>, measure: Real) {
        self.elements.push(row, measure, &[]);
        self.sources.push(source);
    }
}

fn dot(a: &[Real], b: &[Real]) -> Real {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Gram and Schmidt. Vectors of no length stay so.
fn orthonormalise(vectors: &mut [Vec<Real>]) {
    for at in 0..vectors.len() {
        let (known, rest) = vectors.split_at_mut(at);
        let vector = &mut rest[0];
        for known in &*known {
            let along = dot(vector, known);
            vector.iter_mut().zip(known).for_each(|(x, known)| *x -= along * known);
        }
        let length = dot(vector, vector).sqrt();
        if length > 0.0 {
            vector.iter_mut().for_each(|x| *x /= length);
        }
    }
}

/// The constraint of [`KeptMotions`].
#[derive(Debug)]
pub struct Keep;

impl Constraint for Keep {
    fn weight(&self) -> Real {
        1.0
    }

    fn elements(&self, _: &Pattern) -> Elements {
        KeptMotions::default().elements
    }

    fn project(&self, _: &mut Chunk) {}
}
