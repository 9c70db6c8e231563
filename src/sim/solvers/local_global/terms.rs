//! The constraints of a cloth as rows: input of the local step and of the matrix.

use crate::sim::constraints::{Constraint, Constraints, Elements};
use crate::sim::forces::IsometricBending;
use crate::sim::linear::{Graph, Rows};
use crate::sim::pattern::Kind;
use crate::sim::{Material, Pattern, Real, StepInput};

/// Which terms take part, and how strongly.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Weights {
    /// Whether the springs of the material take part, with its damping.
    pub springs: bool,
    /// The other constraints.
    pub constraints: Constraints,
}

impl Weights {
    /// The springs of the material alone.
    #[must_use]
    pub fn springs() -> Self {
        Self { springs: true, ..Self::default() }
    }
}

/// Number of constraints.
const COUNT: usize = Constraints::NAMES.len();

/// Input of the rows, beside their weights.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Sparsity {
    revision: u64,
    families: [bool; 3],
    bending: bool,
    constraints: [bool; COUNT],
}

/// A constraint that takes part.
#[derive(Debug)]
pub struct Block {
    /// Its place in the list of constraints.
    pub place: usize,
    /// Its first row.
    pub first: usize,
    pub elements: Elements,
}

/// The rows of all constraints: the springs, then the constraints that keep lengths, then the
/// others; at last isometric bending, whose projection is zero, so that it is in the matrix alone.
#[derive(Debug, Default)]
pub struct Terms {
    shape: Option<Sparsity>,
    /// Input of the weights.
    weighed: Option<(Material, Weights, Real)>,
    /// All rows, with the weights that they have in the matrix.
    pub rows: Rows,
    /// Number of springs, and the number of their rows and of those that keep lengths.
    pub springs: usize,
    pub lengths: usize,
    /// Number of rows with a projection: all but those of isometric bending.
    pub projected: usize,
    /// Rest length of every row of a length [m].
    pub rest_lengths: Vec<Real>,
    /// Weight with which a projection pulls [N/m], a row each: that of the matrix without damping.
    pub pulls: Vec<Real>,
    /// Damping `c/h` of every spring [N/m].
    pub damping: Vec<Real>,
    /// Every constraint, in the order of the rows.
    pub blocks: Vec<Block>,
    kinds: Vec<Kind>,
    /// Weight of every row of isometric bending for a stiffness of 1 N·m [1/m²].
    bending: Vec<Real>,
}

impl Terms {
    /// The elements of the constraint at `place` in the list, if these terms have been made for
    /// `pattern` and have them.
    pub fn elements_on(&self, pattern: &Pattern, place: usize) -> Option<&Elements> {
        let fits = self.shape.is_some_and(|shape| shape.revision == pattern.revision());
        self.blocks.iter().find(|block| fits && block.place == place).map(|block| &block.elements)
    }

    /// Makes these the terms of a step. Returns whether the rows have changed, and whether their
    /// weights have.
    pub fn update(&mut self, input: &StepInput, weights: &Weights) -> (bool, bool) {
        let stiffness = input.material.stiffness_by_family();
        let list = weights.constraints.list();
        let shape = Sparsity {
            revision: input.pattern.revision(),
            families: stiffness.map(|k| weights.springs && k > 0.0),
            bending: weights.springs && input.material.isometric_stiffness() > 0.0,
            constraints: list.map(|constraint| constraint.is_some()),
        };
        let new = self.shape != Some(shape);
        if new {
            self.gather(input.pattern, shape, list, input.bending);
            self.shape = Some(shape);
        }
        let weighed = Some((*input.material, *weights, input.dt));
        if new || self.weighed != weighed {
            self.weighed = weighed;
            let reweighted = self.weigh(input, list);
            return (new, new || reweighted);
        }
        (false, false)
    }

    /// Input of the couplings of the whole cloth.
    pub fn sparsity_of_whole(&self, pattern: &Pattern) -> Option<Sparsity> {
        self.shape.map(|shape| Sparsity { revision: pattern.whole_revision(), ..shape })
    }

    /// Couplings of the same constraints in the whole cloth. `pattern` and `weights` are those of
    /// the last update.
    pub fn graph_of_whole(&self, pattern: &Pattern, weights: &Weights) -> Graph {
        match self.shape {
            Some(shape) if !pattern.parents().is_empty() => {
                let (whole, mut terms, mut bending) = (pattern.whole(), Self::default(), IsometricBending::default());
                if shape.bending {
                    bending.update(&whole);
                }
                terms.gather(&whole, shape, weights.constraints.list(), &bending);
                terms.rows.graph(whole.len())
            }
            _ => self.rows.graph(pattern.len()),
        }
    }

    fn gather(
        &mut self,
        pattern: &Pattern,
        shape: Sparsity,
        list: [Option<&dyn Constraint>; COUNT],
        bending: &IsometricBending,
    ) {
        self.rows.clear();
        self.rest_lengths.clear();
        self.kinds.clear();
        self.blocks.clear();
        let springs = pattern.springs();
        // a cloth that tears grows a little with every step
        let bending = if shape.bending { bending.stencils() } else { &[] };
        let count = springs.len() + springs.len() / 16;
        self.rows.reserve(count + bending.len(), 2 * count + 4 * bending.len());
        self.rest_lengths.reserve(count);
        self.kinds.reserve(count);
        for (e, &[i, j]) in springs.ends.iter().enumerate() {
            if shape.families[springs.families[e] as usize] && i != j {
                self.rows.push_array(1.0, [i, j], [1.0, -1.0]);
                self.rest_lengths.push(springs.rest_lengths[e]);
                self.kinds.push(pattern.kinds()[e]);
            }
        }
        self.springs = self.rows.len();
        for (lengths, place) in [true, false].into_iter().flat_map(|lengths| (0..COUNT).map(move |at| (lengths, at))) {
            let Some(constraint) = list[place].filter(|constraint| constraint.keeps_lengths() == lengths) else {
                continue;
            };
            let (first, elements) = (self.rows.len(), constraint.elements(pattern));
            for element in 0..elements.len() {
                for row in 0..elements.rows() {
                    self.rows.push(1.0, elements.row(element, row));
                }
                if lengths {
                    self.rest_lengths.push(elements.rest(element)[0]);
                }
            }
            self.blocks.push(Block { place, first, elements });
        }
        self.lengths = self.rest_lengths.len();
        self.projected = self.rows.len();
        self.bending.clear();
        for stencil in bending {
            self.rows.push_array(1.0, stencil.vertices, stencil.coefficients);
            self.bending.push(stencil.weight);
        }
    }

    /// Sets the weights. Returns whether any has changed.
    fn weigh(&mut self, input: &StepInput, list: [Option<&dyn Constraint>; COUNT]) -> bool {
        let StepInput { material, pattern, dt: h, .. } = *input;
        let Self { rows, springs, pulls, damping, blocks, kinds, projected, bending, rest_lengths, .. } = self;
        pulls.resize(rows.len(), 0.0);
        damping.resize(*springs, 0.0);
        let mut changed = false;
        let mut set = |row: usize, pull: Real, damping: Real| {
            changed |= pulls[row] != pull || rows.weights[row] != pull + damping;
            pulls[row] = pull;
            rows.weights[row] = pull + damping;
        };
        let (stiffness, damping_by_kind) = (material.stiffness_by_kind(pattern), material.damping_by_kind(pattern));
        for (row, &kind) in kinds.iter().enumerate() {
            damping[row] = damping_by_kind.of(kind, rest_lengths[row]) / h;
            set(row, stiffness.of(kind, rest_lengths[row]), damping[row]);
        }
        for Block { place, first, elements } in blocks {
            let weight = list[*place].map_or(0.0, Constraint::weight);
            for row in 0..elements.len() * elements.rows() {
                set(*first + row, weight * elements.measure(row / elements.rows()), 0.0);
            }
        }
        for (row, weight) in bending.iter().enumerate() {
            set(*projected + row, material.isometric_stiffness() * weight, 0.0);
        }
        changed
    }
}
