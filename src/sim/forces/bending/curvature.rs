//! The curvature at a vertex from the edges around it.
//!
//! ```text
//! h = ½ Σ_e l_e θ_e n_e n_eᵀ   [m],   κ ≈ M⁻¹ h,   E = ½ hᵀ √C M⁻¹ √C h
//! ```
//!
//! `θ_e` is the angle at the inner edge `e` of length `l_e`, linear in the positions, and `n_e` the
//! normal of the edge in the surface. `h` is `-∫ ∇φ ∇uᵀ` of the vertex's hat function `φ` and the
//! height `u` of the cloth, that is the integral of its second derivatives against `φ`: the mixed
//! element of Stein, Grinspun, Wardetzky and Jacobson 2018 (*Natural boundary conditions for
//! smoothing in geometry processing*), with rim vertices, whose edges count as far as they are inner
//! ones. Symmetric tensors are written as `(11, 22, √2·12)` in the frame of warp and weft.
//!
//! `M` is the matrix that takes a constant curvature to `h`, made symmetric; on regular meshes the
//! area of the vertex times the unit matrix, a part of it where a vertex does not see all of the
//! curvature. The `M` of all vertices sum to the area, so that a cylinder costs what it should, and
//! by duality (`σ·h - ½ σᵀ M σ` with the same `σ` everywhere) no state with the same slope at the
//! rim costs less. Eigenvalues below [`LEAST`] are raised to that: such components are hardly seen.
//! `C = diag(1, r, √r)` where the weft is `r` times as stiff as the warp.

use crate::sim::math::inverse_above;
use crate::sim::{Mat3, Real, Vec3};

/// Least eigenvalue of `M`, as a share of the area of the vertex: inside, and at a rim.
const LEAST: [Real; 2] = [0.4, 0.7];
/// Below this share of the largest coefficient of a vertex a component is rounding.
const UNSEEN: Real = 1e-9;
/// Below this share of the largest coefficient of its component a coefficient is rounding. Grids
/// have many that are zero, which keeps the matrix sparse.
const ROUNDING: Real = 1e-12;

/// A place in the plane of a fan [m].
type Place = glam::DVec2;

/// Triangles around a vertex that hang together across edges, unfolded.
#[derive(Debug, Default)]
pub struct Fan {
    /// The vertex, then the ends of its edges in their order.
    pub vertices: Vec<u32>,
    /// Length of each edge [m].
    pub lengths: Vec<Real>,
    /// Angle from each edge to the next [rad]; one fewer than edges unless the fan is closed.
    pub angles: Vec<Real>,
    /// Whether the last edge and the first have a triangle in common.
    pub is_closed: bool,
    /// Angle of the warp from the first edge [rad].
    pub warp: Real,
    /// Area of the vertex [m²].
    pub area: Real,
}

impl Fan {
    /// Forgets all but the vertex.
    pub fn start(&mut self, vertex: u32) {
        self.vertices.clear();
        self.lengths.clear();
        self.angles.clear();
        self.vertices.push(vertex);
        (self.is_closed, self.warp, self.area) = (false, 0.0, 0.0);
    }

    /// Writes the three coefficients `k` of each vertex to `coefficients`, and returns the weights
    /// `w` [1/m²] of the three components; zero for those that are not seen. `None` if there is no
    /// inner edge.
    pub fn stencil(&self, weft: Real, coefficients: &mut Vec<[Real; 3]>) -> Option<[Real; 3]> {
        coefficients.clear();
        coefficients.resize(self.vertices.len(), [0.0; 3]);
        let response = self.respond(coefficients);
        let least = LEAST[usize::from(!self.is_closed)] * self.area;
        let inverse = inverse_above((response + response.transpose()) * 0.5, least);
        let root = Vec3::new(1.0, weft.sqrt(), weft.sqrt().sqrt());
        let (lower, weights) = factor(Mat3::from_diagonal(root) * inverse * Mat3::from_diagonal(root));
        for k in &mut *coefficients {
            // the factor has a unit diagonal, and below it these
            let [warp, weft, twist] = *k;
            *k = [warp + lower[0] * weft + lower[1] * twist, weft + lower[2] * twist, twist];
        }
        let largest = |c: usize| coefficients.iter().map(|k| k[c].abs()).fold(0.0, Real::max);
        let size = [0, 1, 2].map(largest);
        let least = UNSEEN * size[0].max(size[1]).max(size[2]);
        for k in &mut *coefficients {
            *k = std::array::from_fn(|c| if size[c] > least && k[c].abs() > ROUNDING * size[c] { k[c] } else { 0.0 });
        }
        let weights: [Real; 3] = std::array::from_fn(|c| if size[c] > least { weights[c] } else { 0.0 });
        let fine = coefficients.iter().flatten().chain(&weights).all(|value| value.is_finite());
        (fine && weights.iter().any(|w| *w > 0.0)).then_some(weights)
    }

    /// Adds up the coefficients of `h`, and returns the matrix that takes a constant curvature to
    /// it.
    fn respond(&self, coefficients: &mut [[Real; 3]]) -> Mat3 {
        let edges = self.lengths.len();
        let turn: Real = self.angles.iter().sum();
        // a closed fan that is no plane is spread to a full turn
        let spread = if self.is_closed { std::f64::consts::TAU / turn } else { 1.0 };
        let mut response = Mat3::ZERO;
        let mut direction = -self.warp;
        for edge in 0..edges {
            let is_inner = self.is_closed || edge > 0 && edge + 1 < edges;
            if is_inner {
                let (before, after) = ((edge + edges - 1) % edges, (edge + 1) % edges);
                let at = |edge: usize, angle: Real| Place::from_angle(angle) * self.lengths[edge];
                let own = at(edge, direction);
                let [c, d] = [at(before, direction - self.angles[before]), at(after, direction + self.angles[edge])];
                let k = hinge([Place::ZERO, own, c, d]);
                let (n, seen) = (tensor(own.perp().normalize()), [own, c, d].map(quadratic));
                let curvature = (0..3).fold(Vec3::ZERO, |sum, at| sum + seen[at] * k[at + 1]);
                for (at, k) in [0, edge + 1, before + 1, after + 1].into_iter().zip(k) {
                    coefficients[at] = (Vec3::from_array(coefficients[at]) + n * (0.5 * k)).to_array();
                }
                response += Mat3::from_cols(n * curvature.x, n * curvature.y, n * curvature.z) * 0.5;
            }
            direction += spread * self.angles.get(edge).copied().unwrap_or(0.0);
        }
        response
    }
}

/// `n nᵀ` as `(11, 22, √2·12)`.
fn tensor(n: Place) -> Vec3 {
    Vec3::new(n.x * n.x, n.y * n.y, std::f64::consts::SQRT_2 * n.x * n.y)
}

/// `½ xᵀ κ x` as a linear function of the curvature `κ`.
fn quadratic(x: Place) -> Vec3 {
    tensor(x) * 0.5
}

/// Coefficients of `l θ` of the hinge at the edge `a b`, with `c` and `d` facing it from both
/// sides; they sum to zero.
fn hinge([a, b, c, d]: [Place; 4]) -> [Real; 4] {
    let cotangent = |at: Place, p: Place, q: Place| {
        let (p, q) = (p - at, q - at);
        p.dot(q) / p.perp_dot(q).abs()
    };
    let [at_a, at_b] = [(a, b), (b, a)].map(|(at, other)| [cotangent(at, other, c), cotangent(at, other, d)]);
    [-at_b[0] - at_b[1], -at_a[0] - at_a[1], at_a[0] + at_b[0], at_a[1] + at_b[1]]
}

/// `L D Lᵀ` of a positive definite matrix: the entries `(10, 20, 21)` of `L`, and `D`.
fn factor(m: Mat3) -> ([Real; 3], [Real; 3]) {
    let first = m.x_axis.x;
    let [below, last] = [m.x_axis.y / first, m.x_axis.z / first];
    let second = m.y_axis.y - below * m.x_axis.y;
    let between = (m.y_axis.z - last * m.x_axis.y) / second;
    let third = m.z_axis.z - last * m.x_axis.z - between * between * second;
    ([below, last, between], [first, second, third])
}
