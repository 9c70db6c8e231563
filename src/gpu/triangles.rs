//! Triangles with strain limits for the kernels: by corners, each with everything that its vertex
//! needs of the triangle.
//!
//! ```text
//! E = w/2 Σ area Σ_k (σ_k - s_k)²,   s_k = σ_k brought into the range
//! ```
//!
//! Bouaziz et al. 2014, section 5.1; `σ` are the singular values of the deformation gradient. It is
//! the constraint [`TriangleStrain`](crate::sim::constraints::TriangleStrain) of
//! `projective-dynamics`. With a fixed nearest admissible gradient the energy is bounded by a
//! quadratic one, whose diagonal bounds the iteration: a plain iteration never raises it. Separate
//! ranges of warp, weft and shear are left out: their projection is not nearest, and the energy, by
//! which iterations are judged, may rise towards it.

use super::entry::{Entry, entry};
use crate::sim::constraints::{clamp_strain, elements};
use crate::sim::math::csr::Csr;
use crate::sim::pattern::Element;
use crate::sim::{Pattern, Real, Vec3};

/// Weight and range of the strain of triangles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StrainLimit {
    /// Weight per area [J/m²], above zero.
    pub weight: Real,
    /// Least and largest stretch.
    pub range: [Real; 2],
}

impl StrainLimit {
    /// The energy of the triangles of `pattern` at `positions` [J].
    #[must_use]
    pub fn energy(&self, pattern: &Pattern, positions: &[Vec3]) -> Real {
        let energy = |element: &Element| {
            let excess: Real = self.excess(element, positions).map(Vec3::length_squared).into_iter().sum();
            0.5 * self.weight_of(element) * excess
        };
        of(pattern).iter().map(energy).sum()
    }

    /// The force of the triangles of `pattern` on `vertex` [N].
    #[must_use]
    pub fn force_on(&self, vertex: u32, pattern: &Pattern, positions: &[Vec3]) -> Vec3 {
        let force = |element: &Element| {
            let corner = element.vertices.iter().position(|other| *other == vertex)?;
            let [first, second] = element.rows().map(|row| row[corner]);
            let [along, across] = self.excess(element, positions);
            Some((along * first + across * second) * -self.weight_of(element))
        };
        of(pattern).iter().filter_map(force).sum()
    }

    /// Deformation gradient beyond the range.
    fn excess(&self, element: &Element, positions: &[Vec3]) -> [Vec3; 2] {
        let corners = element.vertices.map(|vertex| positions[vertex as usize]);
        let gradient = element.rows().map(|row| row.into_iter().zip(corners).map(|(a, x)| x * a).sum());
        let [low, high] = self.range;
        let nearest = clamp_strain(gradient, low, high);
        [gradient[0] - nearest[0], gradient[1] - nearest[1]]
    }

    /// `w · area` [J].
    fn weight_of(&self, element: &Element) -> Real {
        self.weight * element.area
    }
}

/// The triangles of a pattern. Where their axes point does not matter for one range.
fn of(pattern: &Pattern) -> Vec<Element> {
    elements(pattern)
}

/// A vertex of a triangle.
#[derive(Debug, Clone, Copy, Default)]
pub struct Corner {
    element: u32,
    /// First, second or third.
    place: u32,
}

/// The triangles of a cloth.
#[derive(Debug, Default)]
pub struct Triangles {
    weight: Real,
    elements: Vec<Element>,
    corners: Csr<Corner>,
}

impl Triangles {
    /// Those of `pattern`, with this weight per area [J/m²]; none without a weight.
    pub fn new(pattern: &Pattern, weight: Real) -> Self {
        let elements = if weight > 0.0 { of(pattern) } else { Vec::new() };
        let corners = (0..).zip(&elements).flat_map(|(element, Element { vertices, .. })| {
            (0..).zip(vertices).map(move |(place, vertex)| (*vertex, Corner { element, place }))
        });
        let corners = Csr::from_pairs(pattern.len(), corners);
        Self { weight, elements, corners }
    }

    /// The corners at a vertex.
    #[must_use]
    pub fn at(&self, vertex: usize) -> &[Corner] {
        self.corners.row(vertex)
    }

    /// Whether no triangle has two vertices of one colour.
    #[must_use]
    pub fn are_parted_by(&self, colours: &[usize]) -> bool {
        let are_parted = |element: &Element| {
            let [a, b, c] = element.vertices.map(|vertex| colours[vertex as usize]);
            a != b && b != c && c != a
        };
        self.elements.iter().all(are_parted)
    }

    /// A corner for the kernels: the vertex that comes after it, the weight [J], and the
    /// coefficients of the second vertex of the triangle in the columns of the gradient [1/m]; the
    /// vertex before it, its place, and the coefficients of the third.
    #[must_use]
    pub fn entries(&self, Corner { element, place }: Corner) -> [Entry; 2] {
        let element = &self.elements[element as usize];
        let other = |further: usize| element.vertices[(place as usize + further) % 3];
        let [second, third] = element.inverse.map(|row| row.map(|coefficient| coefficient as f32));
        let weight = (self.weight * element.area) as f32;
        [entry(other(1), weight, second[0], second[1]), entry(other(2), place as f32, third[0], third[1])]
    }

    /// The vertices of the triangle of a corner, with the entry of the matrix between each and the
    /// one at the corner [N/m].
    #[must_use]
    pub fn couplings(&self, Corner { element, place }: Corner) -> [(u32, Real); 3] {
        let element = &self.elements[element as usize];
        let [first, second] = element.rows();
        let weight = self.weight * element.area;
        std::array::from_fn(|at| {
            let product = first[place as usize] * first[at] + second[place as usize] * second[at];
            (element.vertices[at], weight * product)
        })
    }
}
