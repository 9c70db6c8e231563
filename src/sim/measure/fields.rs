//! Fields over the surface of a cloth: strain of triangles along warp and weft, curvature, speed.

use crate::sim::forces::membrane;
use crate::sim::math::{Mat3, cotangents_and_mixed_area, outer};
use crate::sim::pattern::warps;
use crate::sim::{Material, Pattern, Real, Vec3};

/// Strain of a triangle relative to its rest shape, along warp and weft and between them.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct WarpWeftStrain {
    /// Strain `|F a| - 1` along the warp, which runs up.
    pub warp: Real,
    /// Along the weft, across it.
    pub weft: Real,
    /// Sine of the angle by which the two are no longer at right angles: the shear.
    pub shear: Real,
}

impl WarpWeftStrain {
    /// Of a triangle with corners at `rest` [m] that are now at `now` [m], with the warp along
    /// `warp` as far as that lies in its plane. Zero for one without an area.
    #[must_use]
    pub fn of_triangle(rest: [Vec3; 3], now: [Vec3; 3], warp: Vec3) -> Self {
        let [u, v] = [rest[1] - rest[0], rest[2] - rest[0]];
        let normal = u.cross(v);
        let Some(n) = normal.try_normalize() else { return Self::default() };
        let in_plane = |direction: Vec3| direction.reject_from_normalized(n);
        // a triangle across the warp has it along any of its sides
        let a = if in_plane(warp).length_squared() > 1e-6 * warp.length_squared() { in_plane(warp) } else { u };
        let Some(a) = a.try_normalize() else { return Self::default() };
        let b = a.cross(n);
        // F takes a vector of the rest plane, written in u and v, to the same combination of the
        // sides now
        let [p, q] = [now[1] - now[0], now[2] - now[0]];
        let area = normal.length();
        let deform = |d: Vec3| (p * d.cross(v).dot(n) + q * u.cross(d).dot(n)) / area;
        let (fa, fb) = (deform(a), deform(b));
        let lengths = fa.length() * fb.length();
        let shear = if lengths > 0.0 { fa.dot(fb) / lengths } else { 0.0 };
        Self { warp: fa.length() - 1.0, weft: fb.length() - 1.0, shear }
    }

    /// The strain of larger size of warp and weft, with its sign.
    #[must_use]
    pub fn largest(&self) -> Real {
        if self.warp.abs() > self.weft.abs() { self.warp } else { self.weft }
    }

    fn plus(&mut self, other: &Self, weight: Real) {
        self.warp += weight * other.warp;
        self.weft += weight * other.weft;
        self.shear += weight * other.shear;
    }
}

/// The strain at each vertex: the mean of its triangles, weighted by their areas at rest.
#[must_use]
pub fn warp_weft_strains(pattern: &Pattern, positions: &[Vec3]) -> Vec<WarpWeftStrain> {
    let (rest, warps, pieces) = (pattern.rest_positions(), warps(pattern), pattern.piece_of_vertices());
    let mut strains = vec![WarpWeftStrain::default(); positions.len()];
    let mut areas = vec![0.0; positions.len()];
    for (number, corners) in pattern.triangles().iter().enumerate() {
        let [at_rest, now] = [rest, positions].map(|x| corners.map(|vertex| x[vertex as usize]));
        let warp = pattern.warp_of(number, pieces[corners[0] as usize] as usize, &warps);
        let strain = WarpWeftStrain::of_triangle(at_rest, now, warp);
        let area = (at_rest[1] - at_rest[0]).cross(at_rest[2] - at_rest[0]).length();
        for &vertex in corners {
            strains[vertex as usize].plus(&strain, area);
            areas[vertex as usize] += area;
        }
    }
    for (strain, area) in strains.iter_mut().zip(areas) {
        if area > 0.0 {
            let sum = std::mem::take(strain);
            strain.plus(&sum, 1.0 / area);
        }
    }
    strains
}

/// The strain at one vertex; [`warp_weft_strains`] has all.
#[must_use]
pub fn warp_weft_strain_at(pattern: &Pattern, positions: &[Vec3], vertex: u32) -> WarpWeftStrain {
    let (rest, warps, pieces) = (pattern.rest_positions(), warps(pattern), pattern.piece_of_vertices());
    let piece = pieces[vertex as usize] as usize;
    let (mut sum, mut areas) = (WarpWeftStrain::default(), 0.0);
    for (number, corners) in pattern.triangles().iter().enumerate().filter(|(_, corners)| corners.contains(&vertex)) {
        let warp = pattern.warp_of(number, piece, &warps);
        let [at_rest, now] = [rest, positions].map(|x| corners.map(|vertex| x[vertex as usize]));
        let area = (at_rest[1] - at_rest[0]).cross(at_rest[2] - at_rest[0]).length();
        sum.plus(&WarpWeftStrain::of_triangle(at_rest, now, warp), area);
        areas += area;
    }
    let mut mean = WarpWeftStrain::default();
    if areas > 0.0 {
        mean.plus(&sum, 1.0 / areas);
    }
    mean
}

/// Curvature at each vertex [1/m]: the larger principal curvature, without its sign. The tensor of
/// a vertex sums angle times half the length of its edges over its mixed area (Cohen-Steiner and
/// Morvan 2003, *Restricted Delaunay triangulations and normal cycle*); the mean over the triangles
/// around it is taken, since a vertex without diagonals sees no twist. The angles at rest count as
/// well. Triangles are oriented alike.
#[must_use]
pub fn curvatures(pattern: &Pattern, positions: &[Vec3]) -> Vec<Real> {
    let triangles = pattern.triangles();
    let at = |vertex: u32| positions[vertex as usize];
    let across = |t: u32| {
        let [a, b, c] = triangles[t as usize].map(at);
        (b - a).cross(c - a)
    };
    let mixed_area = |[a, b, c]: [u32; 3], double: Real| cotangents_and_mixed_area([a, b, c].map(at), double).1;
    let at_corners = |(t, &[a, b, c]): (u32, &[u32; 3])| {
        let double = across(t).length();
        if double > 0.0 { [[a, b, c], [b, c, a], [c, a, b]].map(|from| mixed_area(from, double)) } else { [0.0; 3] }
    };
    let shares: Vec<[Real; 3]> = (0..).zip(triangles).map(at_corners).collect();
    let mut tensors = edge_tensors(pattern, positions, |t| across(t).normalize_or_zero());
    let (mut normals, mut areas) = (vec![Vec3::ZERO; positions.len()], vec![0.0; positions.len()]);
    for ((t, corners), shares) in (0..).zip(triangles).zip(&shares) {
        for (&vertex, share) in corners.iter().zip(shares) {
            normals[vertex as usize] += across(t);
            areas[vertex as usize] += *share;
        }
    }
    let inverse = |area: Real| if area > 0.0 { 1.0 / area } else { 0.0 };
    tensors.iter_mut().zip(&areas).for_each(|(tensor, area)| *tensor *= inverse(*area));
    let (mut means, mut around) = (vec![Mat3::ZERO; positions.len()], vec![0.0; positions.len()]);
    for ((t, corners), shares) in (0..).zip(triangles).zip(&shares) {
        let area = 0.5 * across(t).length();
        let sum: Mat3 = corners.iter().zip(shares).map(|(&vertex, share)| tensors[vertex as usize] * *share).sum();
        for &vertex in corners {
            means[vertex as usize] += sum;
            around[vertex as usize] += area;
        }
    }
    let largest = |((tensor, area), normal): ((Mat3, Real), Vec3)| {
        let (u, v) = normal.try_normalize().unwrap_or(Vec3::Z).any_orthonormal_pair();
        let [uu, uv, vv] = [u.dot(tensor * u), u.dot(tensor * v), v.dot(tensor * v)];
        inverse(area) * (0.5 * (uu + vv).abs() + (0.5 * (uu - vv)).hypot(uv))
    };
    means.into_iter().zip(around).zip(normals).map(largest).collect()
}

/// Half the length times the signed angle of the edges at each vertex, as tensors along the edges
/// [m]; `normal` of a triangle.
fn edge_tensors(pattern: &Pattern, positions: &[Vec3], normal: impl Fn(u32) -> Vec3) -> Vec<Mat3> {
    let triangles = pattern.triangles();
    let at = |vertex: u32| positions[vertex as usize];
    let sides = (0..).zip(triangles).flat_map(|(t, &[a, b, c]): (u32, _)| [[a, b, t], [b, c, t], [c, a, t]]);
    let mut sides: Vec<[u32; 3]> = sides.map(|[a, b, t]| [a.min(b), a.max(b), t]).collect();
    sides.sort_unstable();
    let mut tensors = vec![Mat3::ZERO; positions.len()];
    for pair in sides.windows(2).filter(|pair| pair[0][..2] == pair[1][..2]) {
        let [first, second] = [pair[0][2], pair[1][2]].map(&normal);
        let ends = [pair[0][0], pair[0][1]];
        let beyond = triangles[pair[1][2] as usize].map(at).into_iter().sum::<Vec3>() - 3.0 * at(ends[0]);
        let angle = first.cross(second).length().atan2(first.dot(second)) * beyond.dot(first).signum();
        let along = at(ends[1]) - at(ends[0]);
        let tensor = outer(along) * (0.5 * angle / along.length().max(Real::MIN_POSITIVE));
        ends.into_iter().for_each(|vertex| tensors[vertex as usize] += tensor);
    }
    tensors
}

/// Tension at one vertex [N], as [`tensions`] has it at all.
#[must_use]
pub fn tension_at(pattern: &Pattern, material: &Material, positions: &[Vec3], vertex: u32) -> Real {
    let springs = pattern.springs();
    let of_spring = |&(e, other): &(u32, u32)| {
        let length = positions[vertex as usize].distance(positions[other as usize]);
        material.stiffness_of(pattern, e as usize) * (length - springs.rest_lengths[e as usize])
    };
    let springs = pattern.neighbours().of_vertex(vertex).iter().map(of_spring);
    let triangles = thread_tensions(pattern, material, positions).filter(|(at, _)| *at == vertex);
    let tensions = springs.chain(triangles.map(|(_, tension)| tension));
    tensions.fold(0.0, |largest, tension| if tension.abs() > largest.abs() { tension } else { largest })
}

/// Tension at each vertex [N]: of the forces of its springs the one that is largest, positive where
/// it pulls. Springs count, with the stiffness that `material` and the piece of cloth give them, and
/// in a membrane the pull of warp and weft of each triangle.
#[must_use]
pub fn tensions(pattern: &Pattern, material: &Material, positions: &[Vec3]) -> Vec<Real> {
    let (springs, stiffness) = (pattern.springs(), material.stiffness_by_kind(pattern).on(pattern));
    let mut tensions: Vec<Real> = vec![0.0; positions.len()];
    for (e, &[i, j]) in springs.ends.iter().enumerate() {
        let length = positions[i as usize].distance(positions[j as usize]);
        let tension = stiffness.at(e) * (length - springs.rest_lengths[e]);
        for end in [i, j] {
            let at: &mut Real = &mut tensions[end as usize];
            if tension.abs() > at.abs() {
                *at = tension;
            }
        }
    }
    for (vertex, tension) in thread_tensions(pattern, material, positions) {
        let at = &mut tensions[vertex as usize];
        if tension.abs() > at.abs() {
            *at = tension;
        }
    }
    tensions
}

/// How warp and weft of each triangle of a membrane pull at its vertices [N].
fn thread_tensions<'a>(
    pattern: &'a Pattern,
    material: &'a Material,
    positions: &'a [Vec3],
) -> impl Iterator<Item = (u32, Real)> + 'a {
    membrane::triangles(pattern, material).flat_map(move |(triangle, stiffness)| {
        let [a, b] = triangle.images(|vertex| positions[vertex as usize]);
        let [warp, weft] = [(a, stiffness.warp), (b, stiffness.weft)].map(|(image, k)| k * (image.length() - 1.0));
        [0, 1, 2].into_iter().flat_map(move |corner| {
            let (vertex, [a, b]) = (triangle.vertices[corner], triangle.corner(corner));
            [(vertex, warp * a.abs()), (vertex, weft * b.abs())]
        })
    })
}
