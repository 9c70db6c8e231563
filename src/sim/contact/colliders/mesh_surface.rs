//! The surface of a mesh, prepared for queries.
//!
//! A mesh is closed if every edge has two triangles and all can wind alike. Its triangles are
//! turned to have outward normals, and a point is inside if it is behind the nearest place of the
//! surface, by the angle-weighted pseudo-normal there (Bærentzen, Aanæs 2005). Any other mesh is a
//! sheet: it has no inside, and a point stays on its side. Triangles without area are left out.
//! Shells that enclose each other stay as they are if the file winds them alike throughout (a
//! hollow ball); otherwise each is a solid of its own.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use parry3d_f64::bounding_volume::Aabb;
use parry3d_f64::math::Pose;
use parry3d_f64::query::{PointQueryWithLocation, Ray, RayCast, RayCullingMode};
use parry3d_f64::shape::{TriMesh, TriMeshFlags};

use super::mesh_tree::MeshTree;
use super::surface::SurfacePoint;
use crate::sim::{Real, Vec3};

/// Offset of a second try beside a path, as a share of its coordinates.
const BESIDE: Real = 1e-9;

/// A prepared surface.
pub(super) struct MeshSurface {
    mesh: TriMesh,
    solid: bool,
    tree: OnceLock<Arc<MeshTree>>,
}

impl std::fmt::Debug for MeshSurface {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MeshSurface")
            .field("triangles", &self.mesh.indices().len())
            .field("solid", &self.solid)
            .finish()
    }
}

impl MeshSurface {
    /// Prepares a mesh whose triangles use points that exist.
    ///
    /// # Errors
    /// A message if no triangle has an area.
    pub fn new(points: &[Vec3], triangles: &[[u32; 3]]) -> Result<Self, &'static str> {
        let mut triangles: Vec<[u32; 3]> =
            triangles.iter().copied().filter(|[a, b, c]| a != b && b != c && c != a).collect();
        let solid = turn_outward(points, &mut triangles);
        triangles.retain(|&triangle| area_vector(points, triangle).length() > 0.0);
        let flags = if solid { TriMeshFlags::ORIENTED } else { TriMeshFlags::empty() };
        let mesh = TriMesh::with_flags(points.to_vec(), triangles, flags);
        mesh.map(|mesh| Self { mesh, solid, tree: OnceLock::new() })
            .map_err(|_| "a mesh needs a triangle that has an area")
    }

    /// Whether it encloses a volume.
    pub fn is_solid(&self) -> bool {
        self.solid
    }

    /// Points [m] and triangles.
    pub fn triangles(&self) -> (&[Vec3], &[[u32; 3]]) {
        (self.mesh.vertices(), self.mesh.indices())
    }

    /// Its triangles in a tree. The first call takes time in proportion to their number.
    pub fn tree(&self) -> &Arc<MeshTree> {
        self.tree.get_or_init(|| Arc::new(MeshTree::new(self.mesh.vertices(), self.mesh.indices())))
    }

    /// Bounding box in its own frame [m].
    pub fn bounds(&self) -> Aabb {
        self.mesh.local_aabb()
    }

    /// Bounding box in a pose [m].
    pub fn bounds_at(&self, pose: &Pose) -> Aabb {
        self.mesh.aabb(pose)
    }

    /// The surface nearest to `point` [m], both in its own frame. A point in a sheet is on its
    /// front.
    pub fn nearest(&self, point: Vec3) -> SurfacePoint {
        let found = self.mesh.project_local_point_and_get_location_with_max_dist(point, false, Real::MAX);
        // NaN, or a point too far away for its square, has no distance
        let Some((projection, (face, _))) = found else {
            return SurfacePoint { distance: Real::NAN, normal: Vec3::Y };
        };
        let inside = self.solid && projection.is_inside;
        let outward = if inside { projection.point - point } else { point - projection.point };
        let depth = outward.length();
        // for a point on the surface up to rounding, the direction to it is noise
        let noise = 1e-12 * (1.0 + point.abs().max_element());
        let normal = outward.try_normalize().filter(|_| depth > noise);
        let normal = normal.or_else(|| self.mesh.triangle(face).normal()).unwrap_or(Vec3::Y);
        SurfacePoint { distance: if inside { -depth } else { depth }, normal }
    }

    /// Where the straight path from `from` to `to` [m], in its own frame, enters the solid or meets
    /// the sheet: the point, and the normal on the side of `from`. A path that passes exactly
    /// through an edge may slip between triangles by rounding, and is tried again beside.
    pub fn entry(&self, from: Vec3, to: Vec3) -> Option<(Vec3, Vec3)> {
        let along = to - from;
        let across = along.any_orthogonal_vector().normalize_or_zero();
        let other = along.cross(across).normalize_or_zero();
        let size = BESIDE * (1.0 + from.abs().max_element().max(to.abs().max_element()));
        let ways = [Vec3::ZERO, across * 0.7 + other * 0.3, across * -0.4 - other * 0.9];
        ways.into_iter().find_map(|beside| self.entry_exactly(from + beside * size, along))
    }

    fn entry_exactly(&self, from: Vec3, along: Vec3) -> Option<(Vec3, Vec3)> {
        let ray = Ray::new(from, along);
        let hit = if self.solid {
            self.mesh.cast_local_ray_with_culling(&ray, 1.0, RayCullingMode::IgnoreBackfaces)?
        } else {
            self.mesh.cast_local_ray_and_get_normal(&ray, 1.0, true)?
        };
        (hit.time_of_impact > 0.0).then(|| (ray.point_at(hit.time_of_impact), hit.normal))
    }
}

/// Twice the area of a triangle, along its normal [m²].
fn area_vector(points: &[Vec3], [a, b, c]: [u32; 3]) -> Vec3 {
    let [a, b, c] = [a, b, c].map(|corner| points[corner as usize]);
    (b - a).cross(c - a)
}

/// Six times the volume [m³] between a triangle and the point `middle`.
fn volume(points: &[Vec3], triangle: [u32; 3], middle: Vec3) -> Real {
    let corner = points[triangle[0] as usize];
    area_vector(points, triangle).dot(corner - middle)
}

/// Turns the triangles of a closed mesh to outward normals. Returns whether the mesh is closed.
fn turn_outward(points: &[Vec3], triangles: &mut [[u32; 3]]) -> bool {
    let Some(neighbours) = neighbours(triangles) else { return false };
    let Some((turned, shell_of, shells)) = wind_alike(&neighbours) else { return false };
    let middle = points.iter().sum::<Vec3>() / points.len().max(1) as Real;
    let sign = |turned: bool| if turned { -1.0 } else { 1.0 };
    let mut volumes = vec![0.0; shells];
    for ((&triangle, &turned), &shell) in triangles.iter().zip(&turned).zip(&shell_of) {
        volumes[shell] += sign(turned) * volume(points, triangle, middle);
    }
    let total: Real = volumes.iter().sum();
    let as_it_is = !turned.iter().any(|&turned| turned) && total != 0.0;
    for ((triangle, turned), shell) in triangles.iter_mut().zip(turned).zip(shell_of) {
        let inward = if as_it_is { total < 0.0 } else { volumes[shell] < 0.0 };
        if turned != inward {
            triangle.swap(1, 2);
        }
    }
    // a mesh with no volume but that of rounding is a sheet folded onto itself
    let size = points.iter().map(|x| x.distance(middle)).fold(0.0, Real::max);
    volumes.iter().any(|volume| volume.abs() > 1e-12 * size * size * size)
}

/// For each edge of each triangle the triangle beyond it, and whether that has to be turned to wind
/// alike. None if an edge does not have exactly two triangles.
fn neighbours(triangles: &[[u32; 3]]) -> Option<Vec<[(u32, bool); 3]>> {
    /// First triangle at an edge, its side there, whether it runs from the lower to the higher
    /// point, and the number of triangles.
    struct Edge {
        triangle: u32,
        side: u8,
        rising: bool,
        count: u8,
    }
    let mut edges: HashMap<[u32; 2], Edge> = HashMap::with_capacity(triangles.len() * 3 / 2);
    let mut beyond = vec![[(u32::MAX, false); 3]; triangles.len()];
    for (t, triangle) in triangles.iter().enumerate() {
        for side in 0..3 {
            let (a, b) = (triangle[side], triangle[(side + 1) % 3]);
            let (key, rising) = if a < b { ([a, b], true) } else { ([b, a], false) };
            let first = Edge { triangle: t as u32, side: side as u8, rising, count: 0 };
            let edge = edges.entry(key).or_insert(first);
            edge.count = edge.count.saturating_add(1);
            match edge.count {
                1 => {}
                2 => {
                    let differs = edge.rising == rising;
                    beyond[t][side] = (edge.triangle, differs);
                    beyond[edge.triangle as usize][edge.side as usize] = (t as u32, differs);
                }
                _ => return None,
            }
        }
    }
    let closed = !triangles.is_empty() && edges.values().all(|edge| edge.count == 2);
    closed.then_some(beyond)
}

/// Which triangles have to be turned to wind like the first of their shell, the shell of each, and
/// the number of shells. None if that is impossible.
fn wind_alike(neighbours: &[[(u32, bool); 3]]) -> Option<(Vec<bool>, Vec<usize>, usize)> {
    let mut turned = vec![false; neighbours.len()];
    let mut shell_of = vec![usize::MAX; neighbours.len()];
    let mut shells = 0;
    let mut open: Vec<u32> = Vec::new();
    for first in 0..neighbours.len() {
        if shell_of[first] != usize::MAX {
            continue;
        }
        shell_of[first] = shells;
        open.push(first as u32);
        while let Some(t) = open.pop() {
            let here = turned[t as usize];
            for &(next, differs) in &neighbours[t as usize] {
                let next = next as usize;
                if shell_of[next] == usize::MAX {
                    (shell_of[next], turned[next]) = (shells, here != differs);
                    open.push(next as u32);
                } else if turned[next] != (here != differs) {
                    return None;
                }
            }
        }
        shells += 1;
    }
    Some((turned, shell_of, shells))
}
