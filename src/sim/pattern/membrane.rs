//! The membrane of a mesh: its triangles, each with the directions of warp and weft.
//!
//! ```text
//! a = F u = Σ_v a_v x_v,   b = F w = Σ_v b_v x_v      u: warp, w: weft, at rest, of unit length
//! ```
//!
//! `F` is the deformation gradient of a triangle. The warp of a piece runs upward: along the second
//! texture coordinate where the triangle has texture coordinates, otherwise as its strain is
//! [read](warps), projected on the triangle. The *grain* of a piece turns it, so that a panel with a
//! grain of 45° lies on the bias.
//!
//! Pieces with shear springs, which are grids, have no membrane, nor have bodies. A triangle needs
//! an area and a structural spring along each of its sides: those carry the damping, and their
//! stiffness where the cloth is one of springs.

use super::material_override::{Kind, MaterialOverride};
use super::rest_triangle::Element;
use super::{Family, Pattern, Springs};
use crate::sim::math::csr::Csr;
use crate::sim::math::fingerprint::fingerprint;
use crate::sim::{Real, Vec3};

/// The direction of the warp of each piece of a cloth at rest: up, or away from the viewer if it
/// lies.
#[must_use]
pub fn warps(pattern: &Pattern) -> Vec<Vec3> {
    let pieces = pattern.piece_of_vertices();
    let mut bounds = vec![(Vec3::INFINITY, Vec3::NEG_INFINITY); pattern.pieces().len()];
    for (x, &piece) in pattern.rest_positions().iter().zip(&pieces) {
        let (low, high) = &mut bounds[piece as usize];
        (*low, *high) = (low.min(*x), high.max(*x));
    }
    bounds
        .iter()
        .map(|(low, high)| if (*high - *low).y > 1e-3 * (*high - *low).max_element() { Vec3::Y } else { Vec3::Z })
        .collect()
}

/// A triangle of a membrane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MembraneTriangle {
    /// Its vertices.
    pub vertices: [u32; 3],
    /// Coefficients `a_v` and `b_v` of the vertices [1/m].
    pub rows: [[Real; 3]; 2],
    /// Area at rest [m²].
    pub area: Real,
    /// The structural springs from each vertex to the next.
    pub sides: [u32; 3],
    /// Material override of its piece: factors of the stiffness along warp and weft, and of that to
    /// shear.
    pub factors: [Real; 2],
}

/// Stiffness of a triangle, times its area [J].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TriangleStiffness {
    /// `C A`, along the warp.
    pub warp: Real,
    /// `D A`, along the weft.
    pub weft: Real,
    /// `G A`, to shear.
    pub shear: Real,
}

impl MembraneTriangle {
    /// The images of warp and weft, `a` and `b`, at the positions `x(vertex)` [m].
    #[inline]
    #[must_use]
    pub fn images(&self, x: impl Fn(u32) -> Vec3) -> [Vec3; 2] {
        let [p, q, r] = self.vertices.map(x);
        self.rows.map(|[i, j, k]| p * i + q * j + r * k)
    }

    /// The coefficients of a corner in `a` and in `b` [1/m].
    #[inline]
    #[must_use]
    pub fn corner(&self, corner: usize) -> [Real; 2] {
        [self.rows[0][corner], self.rows[1][corner]]
    }
}

/// The triangles of a membrane, and those around each vertex.
#[derive(Debug, Clone, Default)]
pub struct Membrane {
    triangles: Vec<MembraneTriangle>,
    /// For each vertex its triangles, with the corner that it is there.
    of_vertex: Csr<(u32, u32)>,
}

impl Membrane {
    /// All triangles.
    #[must_use]
    pub fn triangles(&self) -> &[MembraneTriangle] {
        &self.triangles
    }

    /// The triangles around a vertex, each with the corner that it is there.
    #[inline]
    pub fn around(&self, vertex: u32) -> impl Iterator<Item = (&MembraneTriangle, usize)> {
        let known = (vertex as usize) < self.of_vertex.rows();
        let row = if known { self.of_vertex.row(vertex as usize) } else { &[] };
        row.iter().map(|&(triangle, corner)| (&self.triangles[triangle as usize], corner as usize))
    }
}

/// Least share of a direction within a triangle for the warp to follow it.
const ALONG: Real = 1e-3;

/// The sides of triangle `triangle` that can be one of a membrane: its structural springs.
fn sides(springs: &Springs, neighbours: &super::Neighbours, corners: [u32; 3]) -> Option<[u32; 3]> {
    let [a, b, c] = corners;
    let side = |i: u32, j: u32| {
        let between = neighbours.of_vertex(i).iter().filter(|(_, other)| *other == j);
        between.map(|(spring, _)| *spring).find(|&e| springs.families[e as usize] == Family::Structural)
    };
    Some([side(a, b)?, side(b, c)?, side(c, a)?])
}

impl Pattern {
    /// The triangles that can be a membrane, each with its number and sides.
    fn membrane_sides(&self) -> Vec<(u32, [u32; 3])> {
        let pieces = self.piece_of_vertices();
        let mut is_grid = vec![false; self.pieces.len().max(1)];
        for springs in [&self.springs, &self.lost] {
            let shear = springs.ends.iter().zip(&springs.families).filter(|(_, family)| **family == Family::Shear);
            shear.for_each(|([i, _], _)| is_grid[pieces[*i as usize] as usize] = true);
        }
        if is_grid.iter().all(|grid| *grid) {
            return Vec::new();
        }
        let rest = &self.rest_positions;
        let has_area = |corners: [u32; 3]| {
            Element::of_rest(corners, corners.map(|vertex| rest[vertex as usize]), Vec3::Y).is_some()
        };
        (0..)
            .zip(&self.triangles)
            .filter(|(_, corners)| !is_grid[pieces[corners[0] as usize] as usize] && !self.is_in_body(corners[0]))
            .filter(|(_, corners)| has_area(**corners))
            .filter_map(|(number, corners)| Some((number, sides(&self.springs, &self.neighbours, *corners)?)))
            .collect()
    }

    /// Marks the springs along the sides of a membrane by their kind, anew.
    pub(super) fn renew_membrane(mut self) -> Self {
        self.membrane.take();
        let families = self.springs.families.iter();
        self.kinds.iter_mut().zip(families).for_each(|(kind, family)| *kind = kind.of_family(*family));
        for (_, sides) in self.membrane_sides() {
            sides.into_iter().for_each(|side| self.kinds[side as usize] = self.kinds[side as usize].of_side());
        }
        self
    }

    /// The membrane of its meshes; found when it is first asked for.
    #[must_use]
    pub fn membrane(&self) -> &Membrane {
        self.membrane.get_or_init(|| self.find_membrane())
    }

    /// Whether there is a mesh that can be a membrane.
    #[must_use]
    pub fn has_membrane(&self) -> bool {
        self.kinds.iter().any(|kind| kind.is_side())
    }

    fn find_membrane(&self) -> Membrane {
        if !self.has_membrane() {
            return Membrane::default();
        }
        let (pieces, warps) = (self.piece_of_vertices(), warps(self));
        let triangle = |(number, sides): (u32, [u32; 3])| {
            let vertices = self.triangles[number as usize];
            let rest = vertices.map(|vertex| self.rest_positions[vertex as usize]);
            let piece = pieces[vertices[0] as usize] as usize;
            let warp = turned_warp(rest, self.warp_of(number as usize, piece, &warps), 0.0);
            let element = Element::of_rest(vertices, rest, warp)?;
            let MaterialOverride { structural, shear, .. } = self.override_of_spring(sides[0] as usize);
            let (rows, area) = (element.rows(), element.area);
            Some(MembraneTriangle { vertices, rows, area, sides, factors: [structural, shear] })
        };
        let triangles: Vec<MembraneTriangle> = self.membrane_sides().into_iter().filter_map(triangle).collect();
        let corners = (0_u32..).zip(&triangles).flat_map(|(number, triangle)| {
            [0, 1, 2].map(|corner: u32| (triangle.vertices[corner as usize], (number, corner)))
        });
        let of_vertex = Csr::from_pairs(self.len(), corners);
        Membrane { triangles, of_vertex }
    }

    /// The direction of the warp of a triangle at rest, as far as it lies in its plane: that of its
    /// texture, or of its `piece` among all `warps`, turned by the grain.
    #[must_use]
    pub fn warp_of(&self, triangle: usize, piece: usize, warps: &[Vec3]) -> Vec3 {
        let rest = self.triangles[triangle].map(|vertex| self.rest_positions[vertex as usize]);
        let warp = self.textured_warp(triangle, rest).unwrap_or(warps[piece]);
        match self.grain(piece) {
            0.0 => warp,
            grain => turned_warp(rest, warp, grain),
        }
    }

    /// The direction at rest in which the second texture coordinate of a triangle grows and the
    /// first stays, if it has texture coordinates.
    fn textured_warp(&self, triangle: usize, rest: [Vec3; 3]) -> Option<Vec3> {
        let [p, q, r] = self.attributes.corners_of(triangle)?.map(|at| self.attributes.texture[at as usize]);
        let [qu, qv, ru, rv] = [q[0] - p[0], q[1] - p[1], r[0] - p[0], r[1] - p[1]];
        let determinant = qu * rv - ru * qv;
        let size = qu.hypot(qv) * ru.hypot(rv);
        (determinant.abs() > 1e-9 * size)
            .then(|| ((rest[2] - rest[0]) * qu - (rest[1] - rest[0]) * ru) * determinant.signum())
    }

    /// The pattern with these grains, one per piece [rad].
    #[must_use]
    pub fn with_grains(self, grains: &[Real]) -> Self {
        let mut turned = self.grained(grains);
        if !turned.grains.is_empty() {
            turned.whole_revision = if turned.parents.is_empty() { turned.revision } else { turned.whole().revision };
        }
        turned
    }

    /// [`with_grains`](Self::with_grains), but for the revision of the whole pattern.
    pub(super) fn grained(mut self, grains: &[Real]) -> Self {
        if grains.iter().any(|grain| *grain != 0.0) {
            let bits = grains.iter().map(|grain| grain.to_bits());
            self.revision = fingerprint([self.revision].into_iter().chain(bits));
            self.grains = grains.to_vec();
            self.membrane.take();
        }
        self
    }

    /// The grains of the pieces [rad]; empty if all are zero.
    #[must_use]
    pub fn grains(&self) -> &[Real] {
        &self.grains
    }

    /// By how much the warp of a piece is turned counter-clockwise, seen from its front [rad].
    #[must_use]
    pub fn grain(&self, piece: usize) -> Real {
        self.grains.get(piece).copied().unwrap_or(0.0)
    }
}

/// The warp within a triangle with the corners `rest` [m]: along `warp`, or along the next axis
/// where that is across the triangle, turned by `grain` [rad].
fn turned_warp(rest: [Vec3; 3], warp: Vec3, grain: Real) -> Vec3 {
    let Some(normal) = (rest[1] - rest[0]).cross(rest[2] - rest[0]).try_normalize() else { return warp };
    let within = |direction: Vec3| {
        let within = direction.reject_from_normalized(normal);
        (within.length() > ALONG * direction.length()).then(|| within.normalize())
    };
    let Some(along) = [warp, Vec3::Y, Vec3::Z, Vec3::X].into_iter().find_map(within) else { return warp };
    let (sine, cosine) = grain.sin_cos();
    along * cosine + normal.cross(along) * sine
}

impl Kind {
    /// The kind of a spring of this family with the same override.
    fn of_family(self, family: Family) -> Self {
        Self::at(self.index() / Self::PER_MAKEUP, family as usize)
    }

    /// The kind of a structural spring along a side of a membrane.
    fn of_side(self) -> Self {
        Self::at(self.index() / Self::PER_MAKEUP, Self::SIDE)
    }

    /// Whether it is that of springs along the sides of a membrane.
    #[must_use]
    pub fn is_side(self) -> bool {
        self.index() % Self::PER_MAKEUP == Self::SIDE
    }
}
