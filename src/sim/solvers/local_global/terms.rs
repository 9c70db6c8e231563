//! The constraints of a cloth as rows: input of the local step and of the matrix.

use super::coordinates::{Coordinates, Keep, KeptMotions};
use super::mass_matrix::{MassEdge, MassMatrix, mass_edges};
use crate::sim::constraints::{Constraint, Constraints, Elements, MembraneConstraints};
use crate::sim::forces::IsometricBending;
use crate::sim::forces::bending::{BendingKey, Stencils};
use crate::sim::linear::{Graph, Rows};
use crate::sim::pattern::Kind;
use crate::sim::{Cloth, Material, Pattern, Real, StepInput, Vec3};

/// Which terms take part, and how strongly.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Weights {
    /// Whether the springs of the material take part, with its damping.
    pub springs: bool,
    /// The other constraints.
    pub constraints: Constraints,
    /// How their distances, and those of the springs, are measured.
    pub coordinates: Coordinates,
    /// The mass matrix of the elements.
    pub mass_matrix: MassMatrix,
    /// The membrane of the material, where its springs take part.
    pub membrane: Option<MembraneConstraints>,
}

impl Weights {
    /// The springs of the material alone.
    #[must_use]
    pub fn springs() -> Self {
        Self { springs: true, ..Self::default() }
    }

    /// The same with the membrane of `material`.
    #[must_use]
    pub fn with_membrane(self, material: &Material) -> Self {
        Self { membrane: MembraneConstraints::of(material).filter(|_| self.springs), ..self }
    }

    /// The constraints at the places that [`Block`]s name.
    pub fn list(&self) -> List<'_> {
        let (list, membrane) = (self.constraints.list(), self.membrane.as_ref().map(MembraneConstraints::list));
        std::array::from_fn(|place| match place {
            KEPT => Some(&Keep as &dyn Constraint),
            _ if place < COUNT => list[place],
            _ => membrane.and_then(|membrane| membrane[place - MEMBRANE]),
        })
    }
}

/// Number of constraints.
const COUNT: usize = Constraints::NAMES.len();
/// Constraints by places: those of the settings, the motions that coordinates keep, the membrane.
type List<'a> = [Option<&'a dyn Constraint>; PLACES];
const KEPT: usize = COUNT;
const MEMBRANE: usize = COUNT + 1;
const PLACES: usize = MEMBRANE + MembraneConstraints::COUNT;

/// Input of the rows, beside their weights.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Sparsity {
    revision: u64,
    families: [bool; 3],
    /// What isometric bending was made from, if it takes part.
    bending: Option<BendingKey>,
    constraints: [bool; PLACES],
    coordinates: Coordinates,
    mass_matrix: MassMatrix,
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
/// others, then the motions that coordinates keep; at last isometric bending, whose projection is
/// zero, so that it is in the matrix alone, and the couplings of the mass.
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
    /// Number of rows with a projection: all but those of isometric bending and of the mass.
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
    /// The row that each kept motion takes its weight from; empty if there are none.
    sources: Vec<u32>,
    /// What kept motions add to the diagonal of the matrix, a vertex each [N/m].
    pub kept_diagonal: Vec<Real>,
    /// Masses [kg] that kept motions and couplings of the mass were found with.
    masses: Vec<Real>,
    /// Couplings of the consistent mass; none if it is lumped. Their rows are the last.
    mass_edges: Vec<MassEdge>,
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

    /// Whether the matrix holds back translations beyond inertia.
    pub fn is_absolute(&self) -> bool {
        self.shape.is_some_and(|shape| shape.coordinates.is_absolute())
    }

    /// Makes these the terms of a step. Returns whether the rows have changed, and whether their
    /// weights have.
    pub fn update(&mut self, input: &StepInput, weights: &Weights, masses: &[Real]) -> (bool, bool) {
        let stiffness = input.material.stiffness_by_family();
        let list = weights.list();
        let Weights { coordinates, mass_matrix, .. } = *weights;
        let shape = Sparsity {
            revision: input.pattern.revision(),
            families: stiffness.map(|k| weights.springs && k > 0.0),
            bending: input.bending.key().filter(|_| weights.springs && input.material.isometric_stiffness() > 0.0),
            constraints: std::array::from_fn(|place| list[place].is_some()),
            coordinates,
            mass_matrix,
        };
        let by_mass = coordinates == Coordinates::Mass || mass_matrix == MassMatrix::Consistent;
        let new = self.shape != Some(shape) || by_mass && self.masses != masses;
        if new {
            self.masses.clear();
            if by_mass {
                self.masses.extend_from_slice(masses);
            }
            self.gather(input.pattern, shape, &list, input.bending);
            self.shape = Some(shape);
        }
        let weighed = Some((*input.material, *weights, input.dt));
        if new || self.weighed != weighed {
            self.weighed = weighed;
            let reweighted = self.weigh(input, &list);
            return (new, new || reweighted);
        }
        (false, false)
    }

    /// Input of the couplings of the whole cloth. Kept motions couple what their constraints do.
    pub fn sparsity_of_whole(&self, pattern: &Pattern) -> Option<Sparsity> {
        let coordinates = Coordinates::Differences;
        self.shape.map(|shape| Sparsity { revision: pattern.whole_revision(), coordinates, ..shape })
    }

    /// Couplings of the same constraints in the whole cloth. `pattern` and `weights` are those of
    /// the last update.
    pub fn graph_of_whole(&self, pattern: &Pattern, weights: &Weights) -> Graph {
        match self.sparsity_of_whole(pattern) {
            Some(shape) if !pattern.parents().is_empty() => {
                let (whole, mut terms, mut bending) = (pattern.whole(), Self::default(), IsometricBending::default());
                if let Some((_, weft)) = shape.bending {
                    bending.update(&whole, Real::from_bits(weft));
                }
                terms.masses.resize(whole.len(), 1.0);
                terms.gather(&whole, shape, &weights.list(), &bending);
                terms.rows.graph(whole.len())
            }
            _ => self.rows.graph(pattern.len()),
        }
    }

    fn gather(&mut self, pattern: &Pattern, shape: Sparsity, list: &List, bending: &IsometricBending) {
        self.rows.clear();
        self.rest_lengths.clear();
        self.kinds.clear();
        self.blocks.clear();
        let springs = pattern.springs();
        // a cloth that tears grows a little with every step
        let bending = shape.bending.map(|_| bending.stencils());
        let count = springs.len() + springs.len() / 16;
        let stencils = bending.map_or(0, Stencils::len);
        self.rows.reserve(count + 3 * stencils, 2 * count + 24 * stencils);
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
        let places = || (0..PLACES).filter(|place| *place != KEPT);
        for (lengths, place) in [true, false].into_iter().flat_map(|lengths| places().map(move |at| (lengths, at))) {
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
        self.keep_motions(shape.coordinates);
        self.projected = self.rows.len();
        self.bending.clear();
        for stencil in bending.into_iter().flat_map(Stencils::iter) {
            for (c, weight) in stencil.weights.into_iter().enumerate().filter(|(_, weight)| *weight > 0.0) {
                let entries = stencil.vertices.iter().zip(stencil.coefficients).map(|(&v, k)| (v, k[c]));
                // with those that are zero: in a torn cloth they are not, and it has no couplings that
                // the whole has not
                self.rows.push(1.0, entries);
                self.bending.push(weight);
            }
        }
        self.mass_edges.clear();
        if shape.mass_matrix == MassMatrix::Consistent {
            self.mass_edges = mass_edges(pattern, &self.masses);
        }
        for edge in &self.mass_edges {
            self.rows.push_array(1.0, edge.ends, [1.0, -1.0]);
        }
    }

    /// Appends the motions that `coordinates` keep of all elements so far.
    fn keep_motions(&mut self, coordinates: Coordinates) {
        self.sources.clear();
        self.kept_diagonal.clear();
        let Self { rows, springs, blocks, masses, .. } = self;
        let mut kept = KeptMotions::default();
        (0..*springs).for_each(|row| kept.add(coordinates, rows, row..row + 1, masses));
        for Block { first, elements, .. } in &*blocks {
            let count = elements.rows();
            for start in (0..elements.len()).map(|element| first + element * count) {
                kept.add(coordinates, rows, start..start + count, masses);
            }
        }
        if kept.sources.is_empty() {
            return;
        }
        let first = rows.len();
        for element in 0..kept.elements.len() {
            rows.push(1.0, kept.elements.row(element, 0));
        }
        self.sources = kept.sources;
        blocks.push(Block { place: KEPT, first, elements: kept.elements });
    }

    /// Sets the weights. Returns whether any has changed.
    fn weigh(&mut self, input: &StepInput, list: &List) -> bool {
        let StepInput { material, pattern, dt: h, .. } = *input;
        let Self { rows, springs, pulls, damping, blocks, kinds, projected, bending, mass_edges, rest_lengths, .. } =
            self;
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
        for Block { place, first, elements } in blocks.iter().filter(|block| block.place != KEPT) {
            let weight = list[*place].map_or(0.0, Constraint::weight);
            for row in 0..elements.len() * elements.rows() {
                set(*first + row, weight * elements.measure(row / elements.rows()), 0.0);
            }
        }
        for (row, weight) in bending.iter().enumerate() {
            set(*projected + row, material.isometric_stiffness() * weight, 0.0);
        }
        for (row, edge) in mass_edges.iter().enumerate() {
            set(*projected + bending.len() + row, -edge.mass / (h * h), 0.0);
        }
        self.weigh_kept();
        changed
    }

    /// What the couplings of the mass of a step of `h` seconds from `cloth` add to the right-hand
    /// side: calls `add` with a vertex and its share [N].
    pub fn add_momentum(&self, cloth: &Cloth, h: Real, mut add: impl FnMut(usize, Vec3)) {
        for edge in &self.mass_edges {
            let pull = coast(edge, cloth, h) * (-edge.mass / (h * h));
            add(edge.ends[0] as usize, pull);
            add(edge.ends[1] as usize, -pull);
        }
    }

    /// What the couplings of the mass add to the energy at the positions `q` [m] of a step of `h`
    /// seconds from `cloth` [J].
    pub fn energy_of_momentum(&self, cloth: &Cloth, h: Real, q: &[Vec3]) -> Real {
        let energy = |edge: &MassEdge| {
            let [i, j] = edge.ends.map(|end| end as usize);
            edge.mass * (q[i] - q[j]).distance_squared(coast(edge, cloth, h))
        };
        -self.mass_edges.iter().map(energy).sum::<Real>() / (2.0 * h * h)
    }

    /// Sets the weights of kept motions, which change with those of their sources.
    fn weigh_kept(&mut self) {
        let Self { rows, pulls, blocks, sources, kept_diagonal, .. } = self;
        let Some(Block { first, elements, .. }) = blocks.last().filter(|block| block.place == KEPT) else { return };
        kept_diagonal.clear();
        for (element, &source) in sources.iter().enumerate() {
            let (row, weight) = (first + element, pulls[source as usize] * elements.measure(element));
            (pulls[row], rows.weights[row]) = (weight, weight);
            for (vertex, coefficient) in elements.row(element, 0) {
                let vertex = vertex as usize;
                kept_diagonal.resize(kept_diagonal.len().max(vertex + 1), 0.0);
                kept_diagonal[vertex] += weight * coefficient * coefficient;
            }
        }
    }
}

/// Where the first end of `edge` would be relative to the second without any force, after `h`
/// seconds [m].
fn coast(edge: &MassEdge, cloth: &Cloth, h: Real) -> Vec3 {
    let [i, j] = edge.ends.map(|end| end as usize);
    cloth.positions[i] - cloth.positions[j] + (cloth.velocities[i] - cloth.velocities[j]) * h
}
