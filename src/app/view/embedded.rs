//! The surfaces embedded in bodies, as they are drawn in place of the surfaces of the bodies.

use bevy::math::Vec3;

use crate::sim::{Pattern, Vec3 as SimVec3};

/// Cosine of the angle at rest between triangles from which on there is a crease, 40°.
const CREASE: f64 = 0.766;

/// Embedded surfaces with a vertex of their own for every corner of a triangle, so that creases
/// stay sharp.
#[derive(Default)]
pub(super) struct EmbeddedCorners {
    /// The vertices of the cloth that carry each corner, and their shares.
    carriers: Vec<([u32; 4], [f32; 4])>,
    /// The triangles around each corner that are no crease apart from its own.
    smooth: Vec<Vec<u32>>,
    /// For each triangle the one of the cloth that is nearest at rest.
    wholes: Vec<u32>,
}

impl EmbeddedCorners {
    /// Of a pattern.
    pub fn new(pattern: &Pattern) -> Self {
        let surface = pattern.embedded();
        if surface.is_empty() {
            return Self::default();
        }
        let rest: Vec<SimVec3> = surface.carry(pattern.rest_positions()).collect();
        let normals: Vec<SimVec3> = surface.triangles().iter().map(|corners| normal_of(&rest, corners)).collect();
        let mut around = vec![Vec::new(); rest.len()];
        for (number, corners) in (0_u32..).zip(surface.triangles()) {
            corners.iter().for_each(|&corner| around[corner as usize].push(number));
        }
        let carrier = |&corner: &u32| {
            let corner = corner as usize;
            (surface.carriers()[corner], surface.weights()[corner].map(|weight| weight as f32))
        };
        let smooth_at = |(triangle, corner): (usize, u32)| {
            let is_smooth = |other: &&u32| normals[**other as usize].dot(normals[triangle]) > CREASE;
            let mut smooth: Vec<u32> = around[corner as usize].iter().filter(is_smooth).copied().collect();
            if smooth.is_empty() {
                smooth.push(triangle as u32);
            }
            smooth
        };
        let corners = surface.triangles().iter().enumerate();
        let corners = corners.flat_map(|(triangle, corners)| corners.map(|corner| (triangle, corner)));
        Self {
            carriers: surface.triangles().as_flattened().iter().map(carrier).collect(),
            smooth: corners.map(smooth_at).collect(),
            wholes: nearest_triangles(pattern, &rest),
        }
    }

    /// Number of triangles.
    pub fn triangles(&self) -> usize {
        self.wholes.len()
    }

    /// The triangle of the cloth nearest to one of them.
    pub fn whole(&self, triangle: usize) -> usize {
        self.wholes[triangle] as usize
    }

    /// Adds the values of the corners to those of the vertices of the cloth.
    pub fn spread<const N: usize>(&self, values: &mut Vec<[f32; N]>) {
        for (vertices, weights) in &self.carriers {
            let share = |k: usize, (&at, weight): (&u32, &f32)| weight * values[at as usize][k];
            let row = std::array::from_fn(|k| vertices.iter().zip(weights).map(|part| share(k, part)).sum());
            values.push(row);
        }
    }

    /// Adds the positions and unit normals of the corners to those of the vertices of the cloth.
    pub fn follow(&self, positions: &mut Vec<Vec3>, normals: &mut Vec<Vec3>) {
        let first = positions.len();
        for (vertices, weights) in &self.carriers {
            let of = vertices.iter().zip(weights).map(|(&at, weight)| positions[at as usize] * *weight);
            positions.push(of.sum());
        }
        let corner = |triangle: u32, at: usize| positions[first + 3 * triangle as usize + at];
        let twice_area = |&triangle: &u32| {
            let [a, b, c] = [0, 1, 2].map(|at| corner(triangle, at));
            (b - a).cross(c - a)
        };
        normals
            .extend(self.smooth.iter().map(|around| around.iter().map(twice_area).sum::<Vec3>().normalize_or_zero()));
    }

    /// Whether it covers the surface of each of `count` pieces; `pieces` has the piece of every
    /// vertex of the cloth.
    pub fn covered(&self, pieces: &[u32], count: usize) -> Vec<bool> {
        let mut covered = vec![false; count];
        self.carriers.iter().for_each(|(vertices, _)| covered[pieces[vertices[0] as usize] as usize] = true);
        covered
    }
}

/// Unit normal of a triangle; zero where it has no area.
fn normal_of(positions: &[SimVec3], corners: &[u32; 3]) -> SimVec3 {
    let [a, b, c] = corners.map(|corner| positions[corner as usize]);
    (b - a).cross(c - a).normalize_or_zero()
}

/// For each triangle of the embedded surfaces, whose vertices are at `rest` [m], the one of the
/// same body whose middle is nearest.
fn nearest_triangles(pattern: &Pattern, rest: &[SimVec3]) -> Vec<u32> {
    let (surface, pieces) = (pattern.embedded(), pattern.piece_of_vertices());
    let middle = |positions: &[SimVec3], corners: &[u32; 3]| {
        corners.iter().map(|&corner| positions[corner as usize]).sum::<SimVec3>() / 3.0
    };
    let middles: Vec<(u32, SimVec3)> = (pattern.triangles().iter())
        .map(|corners| (pieces[corners[0] as usize], middle(pattern.rest_positions(), corners)))
        .collect();
    let nearest = |corners: &[u32; 3]| {
        let at = middle(rest, corners);
        let piece = pieces[surface.carriers()[corners[0] as usize][0] as usize];
        let near = (0_u32..).zip(&middles).filter(|(_, (of, _))| *of == piece);
        let near = near.map(|(number, (_, middle))| (number, middle.distance_squared(at)));
        near.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(number, _)| number)
    };
    surface.triangles().iter().map(nearest).collect()
}
