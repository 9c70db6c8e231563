//! The pattern of a cloth: rest mesh, springs, and the tetrahedra of bodies.

mod attributes;
mod build;
mod coefficients;
mod embedded;
mod material_override;
mod membrane;
mod one_rings;
mod open;
mod rest_triangle;
mod tetrahedra;

use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use super::math::csr::Csr;
use super::math::fingerprint::{fingerprint, fingerprint_of_rows};
use super::math::whole_kilometres;
use super::{Real, Vec3};
pub use attributes::FaceAttributes;
pub use build::{Blank, Diagonals, LEAST_LENGTH, Plane};
pub use coefficients::{Coefficients, SpringCoefficients, strain_length};
pub use embedded::EmbeddedSurface;
pub use material_override::{ByKind, Kind, MaterialOverride};
use material_override::{MaterialOverrides, plain_kinds};
pub use membrane::{Membrane, MembraneTriangle, TriangleStiffness, warps};
pub use one_rings::OneRings;
use one_rings::triangles_by_vertex;
pub use rest_triangle::{Element, normal};
use tetrahedra::Bodies;
pub use tetrahedra::{Tetrahedron, signed_volume, surface};

/// Deformation that a spring resists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Family {
    /// Along warp and weft: stretch.
    Structural,
    /// Across a cell: shear.
    Shear,
    /// To the vertex after the next: bending.
    Bend,
}

impl Family {
    /// All families, in the order of their index.
    pub const ALL: [Self; 3] = [Self::Structural, Self::Shear, Self::Bend];
}

/// The springs, one entry per spring in each array.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Springs {
    /// The two vertices.
    pub ends: Vec<[u32; 2]>,
    /// Length at which the spring is at rest [m].
    pub rest_lengths: Vec<Real>,
    /// Family of each spring.
    pub families: Vec<Family>,
}

impl Springs {
    /// Number of springs.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Makes room for so many more springs.
    pub fn reserve(&mut self, springs: usize) {
        self.ends.reserve(springs);
        self.rest_lengths.reserve(springs);
        self.families.reserve(springs);
    }

    /// Appends a spring.
    pub fn push(&mut self, ends: [u32; 2], rest_length: Real, family: Family) {
        self.ends.push(ends);
        self.rest_lengths.push(rest_length);
        self.families.push(family);
    }

    /// Whether there is no spring.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
}

/// The springs of each vertex.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Neighbours(Csr<(u32, u32)>);

impl Neighbours {
    fn of(vertices: usize, ends: &[[u32; 2]]) -> Self {
        let springs = (0_u32..).zip(ends);
        Self(Csr::from_pairs(vertices, springs.flat_map(|(spring, &[i, j])| [(i, (spring, j)), (j, (spring, i))])))
    }

    /// The springs of `vertex` with the vertex at their other end, by rising spring.
    #[must_use]
    pub fn of_vertex(&self, vertex: u32) -> &[(u32, u32)] {
        self.0.row(vertex as usize)
    }
}

/// The rest mesh, the springs over it and the tetrahedra in it. Changes only by tearing or cutting;
/// the state lives in [`super::Cloth`].
#[derive(Debug, Clone)]
pub struct Pattern {
    rest_positions: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    springs: Springs,
    parents: Vec<u32>,
    lost: Springs,
    pieces: Vec<u32>,
    overrides: MaterialOverrides,
    bodies: Bodies,
    examples: Vec<Vec<Vec3>>,
    attributes: Arc<FaceAttributes>,
    /// Stands for the texture coordinates, which the warp follows; zero without any.
    texture_revision: u64,
    embedded: Arc<EmbeddedSurface>,
    grains: Vec<Real>,
    kinds: Vec<Kind>,
    neighbours: Neighbours,
    rings: Csr<u32>,
    membrane: OnceLock<Membrane>,
    revision: u64,
    whole_revision: u64,
}

impl PartialEq for Pattern {
    // the rest follows from these
    fn eq(&self, other: &Self) -> bool {
        let torn = |pattern: &Self| pattern.parents == other.parents && pattern.lost == other.lost;
        let made = |pattern: &Self| pattern.triangles == other.triangles && pattern.springs == other.springs;
        let pieces = self.pieces == other.pieces && self.overrides == other.overrides && self.bodies == other.bodies;
        let pieces = pieces && self.examples == other.examples && self.attributes == other.attributes;
        let pieces = pieces && self.embedded == other.embedded && self.grains == other.grains;
        self.rest_positions == other.rest_positions && pieces && made(self) && torn(self)
    }
}

impl Pattern {
    /// A pattern from its parts. Springs and triangles must name existing vertices.
    #[must_use]
    pub fn new(rest_positions: Vec<Vec3>, triangles: Vec<[u32; 3]>, springs: Springs) -> Self {
        Self::torn(rest_positions, triangles, springs, Vec::new(), Springs::default())
    }

    /// A pattern that has been torn: the last vertices, one for each of `parents`, were split off,
    /// each from a vertex before it, and the springs `lost` were left nowhere.
    #[must_use]
    pub fn torn(
        rest_positions: Vec<Vec3>,
        triangles: Vec<[u32; 3]>,
        springs: Springs,
        parents: Vec<u32>,
        lost: Springs,
    ) -> Self {
        let rings = triangles_by_vertex(rest_positions.len(), &triangles);
        let mut pattern = Self::put_together(rest_positions, triangles, rings, springs, parents, lost);
        if !pattern.parents.is_empty() {
            pattern.whole_revision = pattern.whole().revision;
        }
        pattern
    }

    fn put_together(
        rest_positions: Vec<Vec3>,
        triangles: Vec<[u32; 3]>,
        rings: Csr<u32>,
        springs: Springs,
        parents: Vec<u32>,
        lost: Springs,
    ) -> Self {
        let neighbours = Neighbours::of(rest_positions.len(), &springs.ends);
        let pair = |[i, j]: [u32; 2]| u64::from(i) << 32 | u64::from(j);
        let lengths = [rest_positions.len(), triangles.len(), springs.len(), parents.len(), lost.len()];
        let points = fingerprint_of_rows(rest_positions.iter().map(|x| x.to_array().map(Real::to_bits)));
        let corners = fingerprint_of_rows(triangles.iter().map(|&[a, b, c]| [pair([a, b]), u64::from(c)]));
        let of_springs = |springs: &Springs| {
            let ends = springs.ends.iter().zip(&springs.families);
            let ends = ends.map(|(&ends, &family)| (pair(ends), family as u64));
            let lengths = springs.rest_lengths.iter().map(|length| length.to_bits());
            // the family takes bits that no number of a vertex reaches
            fingerprint_of_rows(ends.zip(lengths).map(|((ends, family), length)| [ends ^ family << 62, length]))
        };
        let revision = fingerprint(
            (lengths.into_iter().map(|length| length as u64))
                .chain([points, corners, of_springs(&springs), of_springs(&lost)])
                .chain(parents.iter().map(|&parent| u64::from(parent))),
        );
        let whole_revision = revision;
        let (pieces, overrides, kinds) = (vec![0], MaterialOverrides::default(), plain_kinds(&springs.families));
        Self {
            rest_positions,
            triangles,
            springs,
            parents,
            lost,
            pieces,
            overrides,
            bodies: Bodies::default(),
            examples: Vec::new(),
            attributes: Arc::default(),
            texture_revision: 0,
            embedded: Arc::default(),
            grains: Vec::new(),
            kinds,
            neighbours,
            rings,
            membrane: OnceLock::new(),
            revision,
            whole_revision,
        }
        .renew_membrane()
    }

    /// Several patterns as one, their vertices, triangles and springs one after another.
    #[must_use]
    pub fn join<'a>(parts: impl IntoIterator<Item = &'a Self>) -> Self {
        let parts: Vec<&Self> = parts.into_iter().collect();
        let (mut rest_positions, mut triangles, mut springs) = (Vec::new(), Vec::new(), Springs::default());
        let (mut pieces, mut tetrahedra) = (Vec::new(), Vec::new());
        for part in &parts {
            let first = rest_positions.len() as u32;
            pieces.push(first);
            rest_positions.extend_from_slice(&part.rest_positions);
            triangles.extend(part.triangles.iter().map(|corners| corners.map(|corner| first + corner)));
            tetrahedra.extend(part.tetrahedra().iter().map(|corners| corners.map(|corner| first + corner)));
            for (e, ends) in part.springs.ends.iter().enumerate() {
                let (rest_length, family) = (part.springs.rest_lengths[e], part.springs.families[e]);
                springs.push(ends.map(|end| first + end), rest_length, family);
            }
        }
        let examples = join_examples(&parts, &rest_positions, &pieces);
        let whole = Self::new(rest_positions, triangles, springs).with_pieces(pieces);
        let attributes = Self::joined_attributes(&parts);
        whole
            .with_tetrahedra(tetrahedra)
            .with_examples(examples)
            .with_attributes(attributes)
            .with_embedded(Self::joined_surfaces(&parts))
    }

    /// The pattern, made of pieces that begin at these vertices of the whole cloth, rising from 0.
    #[must_use]
    pub fn with_pieces(self, pieces: Vec<u32>) -> Self {
        if self.pieces == pieces { self } else { Self { pieces, ..self }.renew_membrane() }
    }

    /// Origin of everything that is drawn: the [whole kilometres](whole_kilometres) nearest to the
    /// first vertex at rest [m].
    #[must_use]
    pub fn origin(&self) -> Vec3 {
        self.rest_positions.first().copied().map_or(Vec3::ZERO, whole_kilometres)
    }

    /// The first vertex of each piece of cloth, rising from 0. The vertices that were torn off come
    /// after all of them.
    #[must_use]
    pub fn pieces(&self) -> &[u32] {
        &self.pieces
    }

    /// The piece that each vertex belongs to, by its number in [`pieces`](Self::pieces).
    #[must_use]
    pub fn piece_of_vertices(&self) -> Vec<u32> {
        let piece = |origin: u32| self.pieces.partition_point(|&first| first <= origin).saturating_sub(1) as u32;
        self.origins().into_iter().map(piece).collect()
    }

    /// The pattern before it was torn; the springs in another order.
    #[must_use]
    pub fn whole(&self) -> Self {
        let origins = self.origins();
        let origin = |vertex: u32| origins[vertex as usize];
        let mut springs: Vec<([u32; 2], Family, Real)> = Vec::with_capacity(self.springs.len() + self.lost.len());
        for of in [&self.springs, &self.lost] {
            let ends = of.ends.iter().map(|ends| ends.map(origin)).map(|[i, j]| [i.min(j), i.max(j)]);
            let parts = ends.zip(&of.families).zip(&of.rest_lengths);
            springs.extend(parts.map(|((ends, family), length)| (ends, *family, *length)));
        }
        springs.sort_unstable_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then(a.2.total_cmp(&b.2)));
        springs.dedup_by_key(|spring| (spring.0, spring.1));
        let springs = Springs {
            ends: springs.iter().map(|spring| spring.0).collect(),
            rest_lengths: springs.iter().map(|spring| spring.2).collect(),
            families: springs.iter().map(|spring| spring.1).collect(),
        };
        let triangles = self.triangles.iter().map(|corners| corners.map(origin)).collect();
        let whole = Self::new(self.rest_positions[..self.whole_len()].to_vec(), triangles, springs);
        let whole = whole.with_pieces(self.pieces.clone()).with_tetrahedra(self.tetrahedra().to_vec());
        let whole = whole.with_examples(self.examples.clone());
        let whole = whole.with_faces_of(self);
        whole.with_overrides(self.overrides()).with_grains(&self.grains)
    }

    /// Stands for [`whole`](Self::whole): stays the same while the cloth tears.
    #[must_use]
    pub fn whole_revision(&self) -> u64 {
        self.textured(self.whole_revision)
    }

    /// The springs of which tearing has left no part, between the vertices of the whole cloth.
    #[must_use]
    pub fn lost(&self) -> &Springs {
        &self.lost
    }

    /// Rest position of each vertex [m].
    #[must_use]
    pub fn rest_positions(&self) -> &[Vec3] {
        &self.rest_positions
    }

    /// The triangles, counter-clockwise seen from the front.
    #[must_use]
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The springs.
    #[must_use]
    pub fn springs(&self) -> &Springs {
        &self.springs
    }

    /// The springs of each vertex.
    #[must_use]
    pub fn neighbours(&self) -> &Neighbours {
        &self.neighbours
    }

    /// The vertex that each of the last vertices was split from, in the order in which that
    /// happened; empty while the cloth is whole.
    #[must_use]
    pub fn parents(&self) -> &[u32] {
        &self.parents
    }

    /// Number of vertices that the cloth had when it was whole.
    #[must_use]
    pub fn whole_len(&self) -> usize {
        self.len() - self.parents.len()
    }

    /// For each vertex the one that it was in the whole cloth.
    #[must_use]
    pub fn origins(&self) -> Vec<u32> {
        let mut origins: Vec<u32> = (0..self.whole_len() as u32).collect();
        for &parent in &self.parents {
            origins.push(origins[parent as usize]);
        }
        origins
    }

    /// A hash of the rest shape, the connectivity, the rest lengths, the texture coordinates and
    /// the materials of the pieces: equal patterns have equal revisions, so caches keyed by it stay
    /// right across undo and restore.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.textured(self.revision)
    }

    /// A revision with the texture coordinates, if there are any.
    fn textured(&self, revision: u64) -> u64 {
        if self.texture_revision == 0 { revision } else { fingerprint([revision, self.texture_revision].into_iter()) }
    }

    /// Longest side of the bounding box at rest [m]; a metre where that has no size.
    #[must_use]
    pub fn size(&self) -> Real {
        let low = self.rest_positions.iter().copied().fold(Vec3::INFINITY, Vec3::min);
        let high = self.rest_positions.iter().copied().fold(Vec3::NEG_INFINITY, Vec3::max);
        let side = (high - low).max_element();
        if side > 0.0 { side } else { 1.0 }
    }

    /// The pattern with these shapes of the whole cloth as examples, each with a position [m] for
    /// every vertex of it.
    #[must_use]
    pub fn with_examples(mut self, examples: Vec<Vec<Vec3>>) -> Self {
        if examples.is_empty() {
            return self;
        }
        let bits = |example: &Vec<Vec3>| fingerprint_of_rows(example.iter().map(|x| x.to_array().map(Real::to_bits)));
        self.revision = fingerprint([self.revision].into_iter().chain(examples.iter().map(bits)));
        self.examples = examples;
        self.whole_revision = if self.parents.is_empty() { self.revision } else { self.whole().revision };
        self
    }

    /// The examples, each with a position [m] for every vertex of the whole cloth. A cloth that
    /// none of them deforms has none.
    #[must_use]
    pub fn examples(&self) -> &[Vec<Vec3>] {
        &self.examples
    }

    /// Number of vertices.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rest_positions.len()
    }

    /// Whether the pattern has no vertex.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rest_positions.is_empty()
    }
}

/// The examples of several patterns as those of one: a part with fewer than others is at rest in
/// those that it lacks.
fn join_examples(parts: &[&Pattern], rest: &[Vec3], firsts: &[u32]) -> Vec<Vec<Vec3>> {
    let count = parts.iter().map(|part| part.examples.len()).max().unwrap_or(0);
    let mut examples = vec![rest.to_vec(); count];
    for (part, &first) in parts.iter().zip(firsts) {
        for (example, own) in examples.iter_mut().zip(&part.examples) {
            example[first as usize..][..own.len()].copy_from_slice(own);
        }
    }
    examples
}
