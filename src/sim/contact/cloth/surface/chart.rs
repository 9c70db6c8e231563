//! Components of a cloth, and plane coordinates of the components that are flat at rest.

use glam::DVec2;

use crate::sim::math::union_find::UnionFind;
use crate::sim::{Real, Vec3};

/// Tolerance of plane coordinates, as a share of the size of a part: distance of vertices from the
/// plane, and margin at the edges of a rectangle that does not count as inside.
pub(super) const OFF_PLANE: Real = 1e-6;

/// Components of a cloth, with plane coordinates of flat ones.
pub(super) struct Chart {
    /// First vertex of the component of each vertex.
    components: Vec<u32>,
    /// Coordinates of each vertex: two in the plane of a flat component and zero, otherwise the
    /// rest position [m].
    places: Vec<Vec3>,
    /// Whether a component is flat, at its first vertex.
    flat: Vec<bool>,
}

impl Chart {
    /// Components of a cloth with these rest positions [m] and triangles.
    pub fn new(rest: &[Vec3], triangles: &[[u32; 3]]) -> Self {
        let components = components(rest.len(), triangles);
        let mut normals = vec![Vec3::ZERO; rest.len()];
        let normal = |&[a, b, c]: &[u32; 3]| {
            let [a, b, c] = [a, b, c].map(|vertex| rest[vertex as usize]);
            (b - a).cross(c - a)
        };
        let of = |corners: &[u32; 3]| components[corners[0] as usize] as usize;
        for corners in triangles {
            normals[of(corners)] += normal(corners);
        }
        normals.iter_mut().for_each(|normal| *normal = normal.normalize_or_zero());
        let (mut low, mut high) = (vec![Vec3::INFINITY; rest.len()], vec![Vec3::NEG_INFINITY; rest.len()]);
        for (x, &component) in rest.iter().zip(&components) {
            let c = component as usize;
            (low[c], high[c]) = (low[c].min(*x), high[c].max(*x));
        }
        let mut flat: Vec<bool> = normals.iter().map(|normal| *normal != Vec3::ZERO).collect();
        for (i, (x, &component)) in rest.iter().zip(&components).enumerate() {
            let c = component as usize;
            let off = (*x - rest[c]).dot(normals[c]).abs();
            if off.is_nan() || off > OFF_PLANE * (high[c] - low[c]).length() {
                flat[c] = false;
            }
            flat[i] &= i == c;
        }
        for corners in triangles {
            let c = of(corners);
            // false as well if two sides are folded onto each other
            flat[c] &= normal(corners).dot(normals[c]) > 0.0;
        }
        let place = |(x, &component): (&Vec3, &u32)| {
            let c = component as usize;
            if !flat[c] {
                return *x;
            }
            // axes of the plane along coordinate axes where possible
            let n = normals[c];
            let least = n.abs().min_element();
            let axis = if n.x.abs() == least {
                Vec3::X
            } else if n.y.abs() == least {
                Vec3::Y
            } else {
                Vec3::Z
            };
            let first = axis.reject_from_normalized(n).normalize_or_zero();
            let d = *x - rest[c];
            Vec3::new(d.dot(first), d.dot(n.cross(first)), 0.0)
        };
        let places = rest.iter().zip(&components).map(place).collect();
        Self { components, places, flat }
    }

    /// First vertex of the component of each vertex.
    pub fn into_components(self) -> Vec<u32> {
        self.components
    }

    /// First vertex of the component of a vertex.
    pub fn component(&self, vertex: u32) -> u32 {
        self.components[vertex as usize]
    }

    /// Coordinates of a vertex [m].
    pub fn place(&self, vertex: u32) -> Vec3 {
        self.places[vertex as usize]
    }

    /// Plane coordinates of a vertex of a flat component [m].
    pub fn in_plane(&self, vertex: u32) -> DVec2 {
        self.place(vertex).truncate()
    }

    /// Whether the component of a vertex is flat.
    pub fn is_flat(&self, vertex: u32) -> bool {
        self.flat[self.component(vertex) as usize]
    }
}

/// First vertex of the component of each vertex.
fn components(vertices: usize, triangles: &[[u32; 3]]) -> Vec<u32> {
    let mut sets = UnionFind::new(vertices);
    for &[a, b, c] in triangles {
        sets.join(a, b);
        sets.join(a, c);
    }
    sets.into_roots()
}
