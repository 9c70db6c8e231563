//! Voronoi test with a skin: whether an edge may face other edges, or a vertex triangles, while
//! every vertex stays within a *skin* around its place; one against eight at a time.
//!
//! Near parts that face each other have two points, on both edges or on triangle and vertex, with a
//! line between them no longer than the reach `R` and perpendicular to both edges, or at most
//! slightly oblique to the triangle. With the unit normal `m = n/|n|` of the two edges or of the
//! triangle, and the skin `s`: a side turns by at most `2 s`, so `n` changes by at most
//! `c = 2 s (a + b + 2 s)` for sides of lengths `a` and `b`, and the normal by `2 c/|n|`. Along `m`
//! that line is then shorter than `ρ = 2 R c/|n| + 2 s`, plus a share of `R` for a triangle, and so
//! is the distance of the parts along `m`.

use glam::Vec3A;

use super::boxes::LANES;
use super::screen::SLOPE;
use crate::sim::Real;
use crate::sim::exec::simd::F32x8;

/// Bound of the rounding error of a product in single precision, as a share of its factors.
const ROUNDING: f32 = 1e-5;

/// Distances of a search, rounded up [m].
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Limits {
    /// Reach of pairs that face each other.
    reach: f32,
    /// Distances of near boxes and of close boxes.
    pub near: f32,
    pub close: f32,
    skin: f32,
}

impl Limits {
    /// For pairs within a `reach` that face each other and pairs within a `room`, with a `skin`, in
    /// a cloth of this `size` [m].
    pub fn new([reach, room]: [Real; 2], skin: Real, size: Real) -> Self {
        let up = |length: Real| (length * (1.0 + 1e-6)) as f32;
        // the rounding of coordinates
        let skin = skin + 4.0 * Real::from(f32::EPSILON) * size;
        Self { reach: up(reach), near: up(reach.max(room) + 2.0 * skin), close: up(room + 2.0 * skin), skin: up(skin) }
    }
}

/// Eight vectors side by side.
type Vectors = [[f32; LANES]; 3];

fn set(all: &mut Vectors, lane: usize, vector: Vec3A) {
    all.iter_mut().zip(vector.to_array()).for_each(|(all, number)| all[lane] = number);
}

#[inline(always)]
fn load<const FMA: bool>([x, y, z]: &Vectors) -> [F32x8<FMA>; 3] {
    [F32x8::load(x), F32x8::load(y), F32x8::load(z)]
}

#[inline(always)]
fn splat<const FMA: bool>([x, y, z]: &Vectors, lane: usize) -> [F32x8<FMA>; 3] {
    [F32x8::splat(x[lane]), F32x8::splat(y[lane]), F32x8::splat(z[lane])]
}

/// Eight edges [m].
#[derive(Debug, Clone, Copy)]
#[repr(C, align(32))]
pub(super) struct Segments {
    start: Vectors,
    along: Vectors,
    length: [f32; LANES],
}

impl Segments {
    pub const EMPTY: Self = Self { start: [[0.0; LANES]; 3], along: [[0.0; LANES]; 3], length: [0.0; LANES] };

    /// Sets the edge of a lane.
    pub fn set(&mut self, lane: usize, [a, b]: [Vec3A; 2]) {
        set(&mut self.start, lane, a);
        set(&mut self.along, lane, b - a);
        self.length[lane] = (b - a).length();
    }

    /// Bits of the `others` that one edge does not face; their boxes are `gap` [m] apart.
    #[inline(always)]
    pub fn apart<const FMA: bool>(&self, lane: usize, others: &Self, gap: F32x8<FMA>, limits: &Limits) -> u8 {
        let (p, r) = (splat::<FMA>(&self.start, lane), load(&others.start));
        let (u, v, w) = (splat(&self.along, lane), load(&others.along), F32x8::difference(&p, &r));
        let normal = F32x8::cross(&u, &v);
        let (sine, height) = (F32x8::dot(&normal, &normal), F32x8::dot(&w, &normal));
        let (s, t) = (F32x8::dot(&F32x8::cross(&v, &w), &normal), F32x8::dot(&F32x8::cross(&u, &w), &normal));
        let (of_u, of_v) = (F32x8::splat(self.length[lane]), F32x8::load(&others.length));
        let of_w = w[0].abs() + w[1].abs() + w[2].abs();
        let (length, product) = (sine.sqrt(), of_u * of_v);
        let (twice, rounded) = (F32x8::splat(2.0 * limits.skin), F32x8::splat(ROUNDING) * product);
        let turn = twice * (of_u + of_v + twice) + rounded;
        let reach = F32x8::splat(limits.reach);
        let most = F32x8::splat(1.001) * reach + twice;
        let far = gap.above(most) | (height.abs() - rounded * of_w).above(most * (length + rounded));
        let sideways = F32x8::splat(2.0) * reach * turn + twice * length;
        let both = of_u + of_v;
        let rounding = rounded * both * (both + of_w);
        let (of_s, of_t) = (rounding.plus(sideways, of_v), rounding.plus(sideways, of_u));
        let zero = F32x8::ZERO;
        far | (zero - s).above(of_s) | (s - sine).above(of_s) | (zero - t).above(of_t) | (t - sine).above(of_t)
    }
}

/// Eight triangles [m], with the quantities that all vertices share.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(32))]
pub(super) struct Faces {
    corner: Vectors,
    normal: Vectors,
    /// Gradients of the weights of the second and third corner: their dot product with the vector
    /// from a vertex to the first corner is the weight.
    slopes: [Vectors; 2],
    /// `|n|²`, and the largest distance of a vertex from the plane times `|n|`.
    area: [f32; LANES],
    height: [f32; LANES],
    /// Lower bounds of the three weights.
    least: [[f32; LANES]; 3],
}

impl Faces {
    pub const EMPTY: Self = Self {
        corner: [[0.0; LANES]; 3],
        normal: [[0.0; LANES]; 3],
        slopes: [[[0.0; LANES]; 3]; 2],
        area: [0.0; LANES],
        height: [0.0; LANES],
        least: [[0.0; LANES]; 3],
    };

    /// Sets the triangle of a lane.
    pub fn set(&mut self, lane: usize, [a, b, c]: [Vec3A; 3], limits: &Limits) {
        let (ab, ac) = (b - a, c - a);
        let normal = ab.cross(ac);
        let (of_ab, of_ac, of_bc) = (ab.length(), ac.length(), (c - b).length());
        set(&mut self.corner, lane, a);
        set(&mut self.normal, lane, normal);
        set(&mut self.slopes[0], lane, normal.cross(ac));
        set(&mut self.slopes[1], lane, ab.cross(normal));
        let length = normal.length();
        let (twice, rounded) = (2.0 * limits.skin, ROUNDING * of_ab * of_ac);
        let turn = twice * (of_ab + of_ac + twice) + rounded;
        // upper bound of the distance between a vertex with a near box and a corner
        let far = 2.0 * (limits.near + of_ab + of_ac);
        self.area[lane] = normal.length_squared();
        self.height[lane] = (1.001 * limits.reach + twice) * (length + rounded) + rounded * far;
        let sideways = limits.reach * (SLOPE * length + 2.0 * turn) + twice * length;
        let rounding = rounded * (of_ab + of_ac) * (of_ab + of_ac + far);
        for (least, side) in self.least.iter_mut().zip([of_bc, of_ac, of_ab]) {
            least[lane] = -(sideways * side + rounding);
        }
    }

    /// Bits of the triangles that a vertex with a near box does not face.
    #[inline(always)]
    pub fn apart<const FMA: bool>(&self, vertex: &Vec3A) -> u8 {
        let [x, y, z] = vertex.to_array();
        let a = F32x8::difference(&load(&self.corner), &[F32x8::splat(x), F32x8::splat(y), F32x8::splat(z)]);
        let height: F32x8<FMA> = F32x8::dot(&a, &load(&self.normal));
        let (beta, gamma) = (F32x8::dot(&a, &load(&self.slopes[0])), F32x8::dot(&a, &load(&self.slopes[1])));
        let alpha = F32x8::load(&self.area) - beta - gamma;
        let [of_alpha, of_beta, of_gamma] = &self.least;
        let (of_alpha, of_beta, of_gamma) = (F32x8::load(of_alpha), F32x8::load(of_beta), F32x8::load(of_gamma));
        height.abs().above(F32x8::load(&self.height))
            | of_alpha.above(alpha)
            | of_beta.above(beta)
            | of_gamma.above(gamma)
    }
}
