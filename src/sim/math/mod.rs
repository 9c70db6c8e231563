//! Scalars, vectors, blocks and triangles, in double precision; imported from here by the whole
//! library; lists of rows, hashes.

pub mod csr;
pub mod elastica;
pub mod fingerprint;
pub mod union_find;

/// The scalar of the simulation.
pub type Real = f64;
/// Point, direction, force or velocity in space.
pub type Vec3 = glam::DVec3;
/// Rotation in space.
pub type Quat = glam::DQuat;
/// 3×3 block of a Jacobian.
pub type Mat3 = glam::DMat3;

/// The whole kilometres nearest to `x` [m]. Single precision resolves a fourth of a metre at survey
/// coordinates, so what is drawn, or written in it, is relative to such a point.
#[must_use]
pub fn whole_kilometres(x: Vec3) -> Vec3 {
    const KILOMETRE: Real = 1000.0;
    (x / KILOMETRE).round() * KILOMETRE
}

/// `u uᵀ`.
#[inline]
#[must_use]
pub fn outer(u: Vec3) -> Mat3 {
    Mat3::from_cols(u * u.x, u * u.y, u * u.z)
}

/// Cotangents of the angles of a triangle, and the part of its area that belongs to its first
/// corner [m²]: the mixed area of Meyer, Desbrun, Schröder and Barr 2003, *Discrete
/// differential-geometry operators*, section 3.3. `double` is twice the area of the triangle [m²].
#[must_use]
pub fn cotangents_and_mixed_area([a, b, c]: [Vec3; 3], double: Real) -> ([Real; 3], Real) {
    let cotangent = |at: Vec3, p: Vec3, q: Vec3| (p - at).dot(q - at) / double;
    let [at_a, at_b, at_c] = [cotangent(a, b, c), cotangent(b, c, a), cotangent(c, a, b)];
    let area = if at_a < 0.0 {
        double / 4.0
    } else if at_b < 0.0 || at_c < 0.0 {
        double / 8.0
    } else {
        (a.distance_squared(b) * at_c + a.distance_squared(c) * at_b) / 8.0
    };
    ([at_a, at_b, at_c], area)
}

/// Rounds of [`inverse_above`]; a matrix of three rows takes four or five.
const ROUNDS: u32 = 12;

/// The inverse of a symmetric matrix after its eigenvalues have been raised to at least `least`,
/// which is positive: by rotations of Jacobi.
#[must_use]
pub fn inverse_above(m: Mat3, least: Real) -> Mat3 {
    let (mut m, mut vectors) = (m.to_cols_array_2d(), Mat3::IDENTITY.to_cols_array_2d());
    for _ in 0..ROUNDS {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            if m[p][q] == 0.0 {
                continue;
            }
            let ratio = (m[q][q] - m[p][p]) / (2.0 * m[p][q]);
            let tangent = if ratio == 0.0 { 1.0 } else { ratio.signum() / (ratio.abs() + ratio.hypot(1.0)) };
            let cosine = 1.0 / tangent.hypot(1.0);
            let sine = tangent * cosine;
            for row in &mut m {
                (row[p], row[q]) = (cosine * row[p] - sine * row[q], sine * row[p] + cosine * row[q]);
            }
            let (of_p, of_q) = (m[p], m[q]);
            m[p] = std::array::from_fn(|k| cosine * of_p[k] - sine * of_q[k]);
            m[q] = std::array::from_fn(|k| sine * of_p[k] + cosine * of_q[k]);
            let (of_p, of_q) = (vectors[p], vectors[q]);
            vectors[p] = std::array::from_fn(|k| cosine * of_p[k] - sine * of_q[k]);
            vectors[q] = std::array::from_fn(|k| sine * of_p[k] + cosine * of_q[k]);
        }
    }
    (0..3).fold(Mat3::ZERO, |sum, k| {
        let vector = Vec3::from_array(vectors[k]);
        sum + outer(vector) * (1.0 / m[k][k].max(least))
    })
}
