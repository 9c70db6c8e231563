//! The membrane of a mesh: each triangle resists stretch along warp and weft, and shear.
//!
//! ```text
//! E = A/2 [C (|a| - 1)² + D (|b| - 1)² + G/2 (|a + b| - |a - b|)²]   [J]
//! ```
//!
//! `a` and `b` are the images of warp and weft ([`crate::sim::pattern::MembraneTriangle`]), and the
//! last term compares the diagonals of their square: `γ²` for a small shear angle `γ`. The three
//! strains are those of springs, which a rotation does not change, and of each the energy is
//! quadratic. They do not act on each other: about rest `½ A (C ε₁² + D ε₂² + G γ²)`, so that a
//! strip along the warp has the modulus `C`, one along the weft `D`, and one cut at an angle `θ`
//! `1/(cos⁴θ/C + sin⁴θ/D + sin²θ cos²θ/G)` [N/m], on any mesh. Warp and weft of a weave do not
//! contract each other beyond crimp, so Poisson's ratio is zero.
//!
//! Each term is the square of the distance of `a`, `b` or `(a + b, a - b)` from the nearest values
//! without that strain, which makes it a constraint of the local/global methods with a constant
//! matrix: of that distance the shear has half, with the weight `G A` for both diagonals.

use super::blocks::{Blocks, direction};
use crate::sim::math::outer;
use crate::sim::pattern::{MembraneTriangle, TriangleStiffness};
use crate::sim::{Mat3, Material, Pattern, Real, Vec3};

impl TriangleStiffness {
    /// Energy [J] with the images `a` and `b` of warp and weft.
    #[inline]
    #[must_use]
    pub fn energy(&self, [a, b]: [Vec3; 2]) -> Real {
        let [warp, weft] = [a, b].map(|image| image.length() - 1.0);
        let shear = (a + b).length() - (a - b).length();
        0.5 * (self.warp * warp * warp + self.weft * weft * weft + 0.5 * self.shear * shear * shear)
    }

    /// Derivatives of the energy by `a` and `b` [J].
    #[inline]
    #[must_use]
    pub fn gradient(&self, [a, b]: [Vec3; 2]) -> [Vec3; 2] {
        let (sum, difference) = (a + b, a - b);
        let (s, d) = (sum.length(), difference.length());
        let pull = 0.5 * self.shear * (s - d);
        let (s, d) = (direction(sum) * pull, direction(difference) * pull);
        let along = |image: Vec3, k: Real| direction(image) * (k * (image.length() - 1.0));
        [along(a, self.warp) + s - d, along(b, self.weft) + s + d]
    }

    /// Second derivatives of the energy: exact, or with the negative parts left out.
    #[inline]
    #[must_use]
    pub fn hessian(&self, [a, b]: [Vec3; 2], blocks: Blocks) -> TriangleHessian {
        let (sum, difference) = (a + b, a - b);
        let [s, d] = [sum, difference].map(Vec3::length);
        let error = 0.5 * self.shear * (s - d);
        let kept = |value: Real| if blocks == Blocks::Clamped { value.max(0.0) } else { value };
        let across = |error: Real, length: Real| if length > 0.0 { kept(error / length) } else { 0.0 };
        let [of_a, of_b] = [(a, self.warp), (b, self.weft)].map(|(image, k)| {
            let length = image.length();
            let along = if length > 0.0 { k } else { 0.0 };
            Term { direction: direction(image), along, across: across(k * (length - 1.0), length) }
        });
        let shear = 0.5 * self.shear;
        let of_s = Term { direction: direction(sum), along: 0.0, across: across(error, s) };
        let of_d = Term { direction: direction(difference), along: 0.0, across: across(-error, d) };
        TriangleHessian { of_a, of_b, of_s, of_d, shear }
    }

    /// An upper bound of the second derivative of the energy by the position of a vertex with these
    /// coefficients in `a` and `b`, in any direction and at any strain [N/m].
    #[inline]
    #[must_use]
    pub fn bound(&self, [a, b]: [Real; 2]) -> Real {
        (self.warp + 2.0 * self.shear) * a * a + (self.weft + 2.0 * self.shear) * b * b
    }
}

/// A second derivative by one vector: along its direction and across it [J].
#[derive(Debug, Clone, Copy, Default)]
struct Term {
    direction: Vec3,
    along: Real,
    across: Real,
}

impl Term {
    #[inline]
    fn apply(&self, z: Vec3) -> Vec3 {
        z * self.across + self.direction * ((self.along - self.across) * self.direction.dot(z))
    }

    #[inline]
    fn matrix(&self) -> Mat3 {
        Mat3::from_diagonal(Vec3::splat(self.across)) + outer(self.direction) * (self.along - self.across)
    }
}

/// Second derivatives of the energy of a triangle by `a` and `b`: terms of these, of their sum and
/// of their difference, and one that couples the two last.
#[derive(Debug, Clone, Copy, Default)]
pub struct TriangleHessian {
    of_a: Term,
    of_b: Term,
    of_s: Term,
    of_d: Term,
    /// `G A/2` [J].
    shear: Real,
}

impl TriangleHessian {
    /// The change of the gradient for changes of `a` and `b`.
    #[inline]
    #[must_use]
    pub fn apply(&self, [a, b]: [Vec3; 2]) -> [Vec3; 2] {
        let (sum, difference) = (a + b, a - b);
        let pull = self.shear * (self.of_s.direction.dot(sum) - self.of_d.direction.dot(difference));
        let s = self.of_s.apply(sum) + self.of_s.direction * pull;
        let d = self.of_d.apply(difference) - self.of_d.direction * pull;
        [self.of_a.apply(a) + s + d, self.of_b.apply(b) + s - d]
    }

    /// The block [N/m] between two vertices with these coefficients in `a` and `b` [1/m]: the
    /// change of the gradient at the first for a change of the position of the second.
    #[inline]
    #[must_use]
    pub fn block(&self, [a, b]: [Real; 2], [c, d]: [Real; 2]) -> Mat3 {
        let g = |k: Real, l: Real| self.of_s.direction * k - self.of_d.direction * l;
        let (first, second) = (g(a + b, a - b), g(c + d, c - d));
        let coupled = Mat3::from_cols(first * second.x, first * second.y, first * second.z) * self.shear;
        self.of_a.matrix() * (a * c)
            + self.of_b.matrix() * (b * d)
            + self.of_s.matrix() * ((a + b) * (c + d))
            + self.of_d.matrix() * ((a - b) * (c - d))
            + coupled
    }

    /// The same times a factor.
    #[must_use]
    pub fn times(self, factor: Real) -> Self {
        let scaled = |term: Term| Term { along: term.along * factor, across: term.across * factor, ..term };
        let Self { of_a, of_b, of_s, of_d, shear } = self;
        Self { of_a: scaled(of_a), of_b: scaled(of_b), of_s: scaled(of_s), of_d: scaled(of_d), shear: shear * factor }
    }
}

/// The triangles of the membrane that is at work in a cloth of `material`, each with its stiffness.
pub fn triangles<'a>(
    pattern: &'a Pattern,
    material: &'a Material,
) -> impl Iterator<Item = (&'a MembraneTriangle, TriangleStiffness)> {
    let at_work = material.has_membrane();
    let triangles = if at_work { pattern.membrane().triangles() } else { &[] };
    triangles.iter().map(|triangle| (triangle, material.stiffness_of_triangle(triangle)))
}

/// Energy of the membrane at the positions `x` [m], triangle by triangle, each with one of its
/// vertices [J].
pub fn energies<'a>(
    pattern: &'a Pattern,
    material: &'a Material,
    x: &'a [Vec3],
) -> impl Iterator<Item = (u32, Real)> + 'a {
    triangles(pattern, material).map(|(triangle, stiffness)| {
        (triangle.vertices[0], stiffness.energy(triangle.images(|vertex| x[vertex as usize])))
    })
}

/// Force of the membrane on a vertex at the positions `x` [m]: minus the gradient of its energy [N].
#[must_use]
pub fn force_on(pattern: &Pattern, material: &Material, x: &[Vec3], vertex: u32) -> Vec3 {
    if !material.has_membrane() {
        return Vec3::ZERO;
    }
    pattern.membrane().around(vertex).fold(Vec3::ZERO, |force, (triangle, corner)| {
        let stiffness = material.stiffness_of_triangle(triangle);
        let [of_a, of_b] = stiffness.gradient(triangle.images(|vertex| x[vertex as usize]));
        let [a, b] = triangle.corner(corner);
        force - of_a * a - of_b * b
    })
}
