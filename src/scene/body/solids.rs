//! Shapes to fill with tetrahedra: round ones by their distance, and closed surfaces by how often
//! they wind around a point.

use parry3d_f64::query::PointQuery;
use parry3d_f64::shape::TriMesh;

use super::lattice::Solid;
use crate::sim::{Real, Vec3};

/// An ellipsoid as a part of a round shape: centre, half axes [m] and the rotation about z [rad].
struct Ellipsoid {
    centre: Vec3,
    half: Vec3,
    turn: Real,
}

/// Union of ellipsoids.
pub(super) struct Blob {
    parts: Vec<Ellipsoid>,
    /// How far the parts run into each other [m].
    blend: Real,
}

impl Blob {
    /// A ball about the origin.
    pub fn ball(radius: Real) -> Self {
        Self { parts: vec![Ellipsoid { centre: Vec3::ZERO, half: Vec3::splat(radius), turn: 0.0 }], blend: 0.0 }
    }

    /// An animal like a hippopotamus of this length [m], along x, on four short legs.
    pub fn hippo(length: Real) -> Self {
        let part = |centre: [Real; 3], half: [Real; 3], turn: Real| Ellipsoid {
            centre: Vec3::from(centre) * length,
            half: Vec3::from(half) * length,
            turn,
        };
        let mut parts = vec![
            part([0.0, 0.0, 0.0], [0.30, 0.18, 0.19], 0.0),
            part([0.28, 0.06, 0.0], [0.14, 0.12, 0.12], 0.4),
            part([0.40, 0.08, 0.0], [0.13, 0.085, 0.11], -0.2),
        ];
        for side in [-1.0, 1.0] {
            parts.push(part([0.17, -0.19, 0.10 * side], [0.065, 0.13, 0.065], 0.0));
            parts.push(part([-0.18, -0.19, 0.10 * side], [0.065, 0.13, 0.065], 0.0));
            parts.push(part([0.27, 0.185, 0.07 * side], [0.03, 0.045, 0.03], 0.0));
        }
        Self { parts, blend: 0.03 * length }
    }

    /// About the distance from the surface [m], negative inside.
    fn distance(&self, x: Vec3) -> Real {
        let of = |part: &Ellipsoid| {
            let (sin, cos) = part.turn.sin_cos();
            let d = x - part.centre;
            let local = Vec3::new(cos * d.x + sin * d.y, cos * d.y - sin * d.x, d.z);
            let (scaled, slope) = ((local / part.half).length(), (local / (part.half * part.half)).length());
            if slope > 0.0 { scaled * (scaled - 1.0) / slope } else { -part.half.min_element() }
        };
        let mut parts = self.parts.iter().map(of);
        let first = parts.next().unwrap_or(Real::INFINITY);
        parts.fold(first, |a, b| {
            // a smooth minimum (Quilez)
            let share = (self.blend - (a - b).abs()).max(0.0);
            a.min(b) - if share > 0.0 { share * share / (4.0 * self.blend) } else { 0.0 }
        })
    }
}

impl Solid for Blob {
    fn bounds(&self) -> (Vec3, Vec3) {
        let reach = |part: &Ellipsoid| {
            Vec3::new(part.half.x.max(part.half.y), part.half.x.max(part.half.y), part.half.z) + self.blend
        };
        let low = self.parts.iter().map(|part| part.centre - reach(part)).fold(Vec3::INFINITY, Vec3::min);
        let high = self.parts.iter().map(|part| part.centre + reach(part)).fold(Vec3::NEG_INFINITY, Vec3::max);
        (low, high)
    }

    fn is_inside(&self, x: Vec3) -> bool {
        self.distance(x) < 0.0
    }

    fn nearest(&self, mut x: Vec3) -> Vec3 {
        for _ in 0..6 {
            let small = 1e-6 * self.parts[0].half.min_element();
            let slope = |axis: Vec3| self.distance(x + axis * small) - self.distance(x - axis * small);
            let slope = Vec3::new(slope(Vec3::X), slope(Vec3::Y), slope(Vec3::Z)) / (2.0 * small);
            let steep = slope.length_squared();
            if steep > 0.0 {
                x -= slope * (self.distance(x) / steep);
            }
        }
        x
    }
}

/// The inside of a surface: a tree of its triangles.
///
/// A point is inside if the winding number of the surface exceeds one half (Jacobson, Kavan,
/// Sorkine-Hornung 2013). For a closed surface this is inside and outside, whichever way its faces
/// wind; holes, doubled and intersecting faces only move the border a little. Far triangles are
/// summed as one (Barill, Dickson, Schmidt, Levin, Jacobson 2018).
pub(super) struct Enclosed {
    mesh: TriMesh,
    triangles: Vec<[Vec3; 3]>,
    nodes: Vec<Node>,
    bounds: (Vec3, Vec3),
}

/// Some triangles as one.
struct Node {
    /// The first and the one after the last of its triangles.
    range: [usize; 2],
    centre: Vec3,
    radius: Real,
    /// Sum of the areas along the normals [m²].
    area: Vec3,
    /// The node after all that are below this one.
    next: usize,
}

/// Triangles of a node that is not divided.
const FEW: usize = 8;
/// Distance over radius from which a node stands for its triangles.
const FAR: Real = 3.0;

impl Enclosed {
    /// Of a surface with these vertices [m]; `None` if there is no triangle.
    pub fn new(positions: &[Vec3], triangles: &[[u32; 3]]) -> Option<Self> {
        let mesh = TriMesh::new(positions.to_vec(), triangles.to_vec()).ok()?;
        let mut corners: Vec<[Vec3; 3]> =
            triangles.iter().map(|corners| corners.map(|at| positions[at as usize])).collect();
        let bounds = super::super::bounds(positions);
        let mut nodes = Vec::new();
        let count = corners.len();
        build(&mut corners, [0, count], &mut nodes);
        Some(Self { mesh, triangles: corners, nodes, bounds })
    }

    /// How often the surface winds around `x`.
    fn winding(&self, x: Vec3) -> Real {
        let (mut sum, mut at) = (0.0, 0);
        while let Some(node) = self.nodes.get(at) {
            let away = node.centre - x;
            let distance = away.length();
            if distance > FAR * node.radius {
                sum += node.area.dot(away) / distance.powi(3);
                at = node.next;
            } else {
                if node.next == at + 1 {
                    let [start, end] = node.range;
                    sum += self.triangles[start..end]
                        .iter()
                        .map(|corners| solid_angle(corners.map(|c| c - x)))
                        .sum::<Real>();
                }
                at += 1;
            }
        }
        sum / (4.0 * std::f64::consts::PI)
    }
}

/// Builds the tree of the triangles in `range`, in the order in which it is walked.
fn build(triangles: &mut [[Vec3; 3]], range: [usize; 2], nodes: &mut Vec<Node>) {
    let own = &mut triangles[range[0]..range[1]];
    let area = |[a, b, c]: &[Vec3; 3]| (*b - *a).cross(*c - *a) * 0.5;
    let middle = |[a, b, c]: &[Vec3; 3]| (*a + *b + *c) / 3.0;
    let weight: Real = own.iter().map(|corners| area(corners).length()).sum();
    let mean = own.iter().map(|corners| middle(corners) * area(corners).length()).sum::<Vec3>();
    let centre = if weight > 0.0 { mean / weight } else { own.first().map_or(Vec3::ZERO, |corners| corners[0]) };
    let radius = own.as_flattened().iter().map(|x| x.distance(centre)).fold(0.0, Real::max);
    let at = nodes.len();
    nodes.push(Node { range, centre, radius, area: own.iter().map(area).sum(), next: 0 });
    if own.len() > FEW {
        let (low, high) =
            own.iter().map(middle).fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
        let axis = (high - low).max_position();
        let half = own.len() / 2;
        own.select_nth_unstable_by(half, |a, b| middle(a)[axis].total_cmp(&middle(b)[axis]));
        build(triangles, [range[0], range[0] + half], nodes);
        build(triangles, [range[0] + half, range[1]], nodes);
    }
    nodes[at].next = nodes.len();
}

/// The solid angle of a triangle seen from the origin, with a sign (van Oosterom and Strackee
/// 1983).
fn solid_angle([a, b, c]: [Vec3; 3]) -> Real {
    let [la, lb, lc] = [a.length(), b.length(), c.length()];
    let below = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
    2.0 * a.dot(b.cross(c)).atan2(below)
}

impl Solid for Enclosed {
    fn bounds(&self) -> (Vec3, Vec3) {
        self.bounds
    }

    fn is_inside(&self, x: Vec3) -> bool {
        let (low, high) = self.bounds;
        let within = x.cmpge(low).all() && x.cmple(high).all();
        within && self.winding(x).abs() > 0.5
    }

    fn nearest(&self, x: Vec3) -> Vec3 {
        self.mesh.project_local_point(x, false).point
    }
}
