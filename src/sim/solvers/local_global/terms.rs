//! What the local step projects and what the matrix is made of: the constraints of a cloth as rows.

use std::ops::Range;

use crate::sim::constraints::{Bending, Element, StrainLimits, elements, tributary_widths};
use crate::sim::linear::{Graph, Rows};
use crate::sim::{Material, Pattern, Real, StepInput, Vec3};

/// Which constraints take part, and how strongly. A weight of zero leaves a kind out.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Mix {
    /// Whether the springs of the material take part, with its damping.
    pub springs: bool,
    /// Membrane stiffness of the edges, Young's modulus times thickness [N/m].
    pub edges: Real,
    /// Weight of the strain of triangles per area [N/m], that is [J/m²].
    pub strain: Real,
    /// What strain a triangle may have.
    pub limits: Limits,
    /// Weight of the area of triangles per area [J/m²].
    pub area: Real,
    /// Least and largest area of a triangle, relative to that at rest.
    pub area_range: [Real; 2],
    /// Weight of the mean curvature per area [J].
    pub bending: Real,
}

/// The admissible strain of a triangle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Limits {
    /// Both singular values of the deformation gradient lie in this range.
    Isotropic([Real; 2]),
    /// Warp, weft and shear have ranges of their own.
    Anisotropic(StrainLimits),
}

impl Default for Limits {
    fn default() -> Self {
        Self::Isotropic([1.0; 2])
    }
}

/// What the rows depend on, beside their weights.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Sparsity {
    revision: u64,
    families: [bool; 3],
    kinds: [bool; 4],
}

/// The rows of all constraints: springs and edges first, which are projected alike, then the others.
#[derive(Debug, Default)]
pub struct Terms {
    shape: Option<Sparsity>,
    /// What the weights were made from.
    weighed: Option<(Material, Mix, Real)>,
    /// All rows, with the weights that they have in the matrix.
    pub rows: Rows,
    /// Rest length of every row of a spring or edge [m].
    pub rest_lengths: Vec<Real>,
    /// Weight with which a projection pulls [N/m], a row each: that of the matrix without damping.
    pub pulls: Vec<Real>,
    /// Damping `c/h` of every spring [N/m].
    pub damping: Vec<Real>,
    /// The triangles, whose strain and area are constrained.
    pub elements: Vec<Element>,
    pub bending: Bending,
    /// The rows of each kind.
    pub springs: Range<usize>,
    pub edges: Range<usize>,
    pub strain: Range<usize>,
    pub area: Range<usize>,
    pub curvature: Range<usize>,
    /// Weight of each row for a unit weight of its kind.
    unit_weights: Vec<Real>,
    families: Vec<u8>,
}

impl Terms {
    /// Makes these the terms of a step. Returns whether the rows have changed, and whether their weights have.
    pub fn update(&mut self, input: &StepInput, mix: &Mix) -> (bool, bool) {
        let stiffness = input.material.stiffness_by_family();
        let shape = Sparsity {
            revision: input.pattern.revision(),
            families: stiffness.map(|k| mix.springs && k > 0.0),
            kinds: [mix.edges, mix.strain, mix.area, mix.bending].map(|weight| weight > 0.0),
        };
        let new = self.shape != Some(shape);
        if new {
            self.gather(input.pattern, shape);
            self.shape = Some(shape);
        }
        let weighed = Some((*input.material, *mix, input.dt));
        if new || self.weighed != weighed {
            self.weighed = weighed;
            let reweighted = self.weigh(input.material, mix, input.dt);
            return (new, new || reweighted);
        }
        (false, false)
    }

    /// What the couplings of the whole cloth depend on.
    pub fn sparsity_of_whole(&self, pattern: &Pattern) -> Option<Sparsity> {
        self.shape.map(|shape| Sparsity { revision: pattern.whole_revision(), ..shape })
    }

    /// What the same constraints couple in the whole cloth. `pattern` is that of the last update.
    pub fn graph_of_whole(&self, pattern: &Pattern) -> Graph {
        match self.shape {
            Some(shape) if !pattern.parents().is_empty() => {
                let (whole, mut terms) = (pattern.whole(), Self::default());
                terms.gather(&whole, shape);
                terms.rows.graph(whole.len())
            }
            _ => self.rows.graph(pattern.len()),
        }
    }

    fn gather(&mut self, pattern: &Pattern, shape: Sparsity) {
        self.rows.clear();
        self.rest_lengths.clear();
        self.unit_weights.clear();
        self.families.clear();
        let springs = pattern.springs();
        for (e, &[i, j]) in springs.ends.iter().enumerate() {
            if shape.families[springs.families[e] as usize] && i != j {
                self.rows.push(1.0, [(i, 1.0), (j, -1.0)]);
                self.rest_lengths.push(springs.rest_lengths[e]);
                self.families.push(springs.families[e] as u8);
            }
        }
        self.unit_weights.resize(self.rows.len(), 1.0);
        self.springs = 0..self.rows.len();
        let [edges, strain, area, bending] = shape.kinds;
        if edges {
            for edge in tributary_widths(pattern).into_iter().filter(|edge| edge.width > 0.0) {
                let [i, j] = edge.ends;
                self.rows.push(1.0, [(i, 1.0), (j, -1.0)]);
                self.rest_lengths.push(edge.rest_length);
                self.unit_weights.push(edge.weight(1.0));
            }
        }
        self.edges = self.springs.end..self.rows.len();
        let warp = warp_of(pattern);
        self.elements = if strain || area { elements(pattern, warp) } else { Vec::new() };
        let mut push_elements = |wanted: bool| {
            let start = self.rows.len();
            for element in self.elements.iter().filter(|_| wanted) {
                for row in element.rows() {
                    self.rows.push(1.0, element.vertices.into_iter().zip(row));
                    self.unit_weights.push(element.area);
                }
            }
            start..self.rows.len()
        };
        self.strain = push_elements(strain);
        self.area = push_elements(area);
        self.bending = if bending { Bending::of(pattern) } else { Bending::default() };
        for row in 0..self.bending.len() {
            let (vertices, coefficients) = self.bending.row(row);
            self.rows.push(1.0, vertices.iter().copied().zip(coefficients.iter().copied()));
            self.unit_weights.push(self.bending.areas[row]);
        }
        self.curvature = self.area.end..self.rows.len();
    }

    /// Sets the weights. Returns whether any has changed.
    fn weigh(&mut self, material: &Material, mix: &Mix, h: Real) -> bool {
        let (stiffness, damping) = (material.stiffness_by_family(), material.damping_by_family());
        let count = self.rows.len();
        self.pulls.resize(count, 0.0);
        self.damping.resize(self.springs.len(), 0.0);
        let mut changed = false;
        for row in 0..count {
            let (pull, damping) = if row < self.springs.end {
                let family = self.families[row] as usize;
                (stiffness[family], damping[family] / h)
            } else {
                let kinds = [(&self.edges, mix.edges), (&self.strain, mix.strain), (&self.area, mix.area)];
                let weight =
                    kinds.iter().find(|(rows, _)| rows.contains(&row)).map_or(mix.bending, |(_, weight)| *weight);
                (weight * self.unit_weights[row], 0.0)
            };
            changed |= self.pulls[row] != pull || self.rows.weights[row] != pull + damping;
            self.pulls[row] = pull;
            self.rows.weights[row] = pull + damping;
            if let Some(entry) = self.damping.get_mut(row) {
                *entry = damping;
            }
        }
        changed
    }
}

/// Direction of the warp at rest: along the first edge of the cloth, which is the width of a grid.
fn warp_of(pattern: &Pattern) -> Vec3 {
    match pattern.rest_positions() {
        [first, second, ..] => (*second - *first).normalize_or(Vec3::X),
        _ => Vec3::X,
    }
}
