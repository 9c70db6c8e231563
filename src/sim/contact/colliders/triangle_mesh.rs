//! Shapes of triangles: a mesh, and the hull of points. Their data are shared, so that copies of a
//! collider cost nothing, and prepared for queries once.

use std::sync::{Arc, OnceLock};

use parry3d_f64::transformation::try_convex_hull;
use serde::{Deserialize, Serialize};

use super::mesh_surface::MeshSurface;
use crate::sim::{Real, Vec3};

/// Largest coordinate of a point [m]; beyond, too few digits are left for a cloth on it.
const FARTHEST: Real = 1e9;

type Prepared = Result<Arc<MeshSurface>, &'static str>;

/// A triangle mesh in its own frame.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(from = "MeshLists", into = "MeshLists")]
pub struct TriangleMesh(Arc<MeshData>);

/// The points of a hull in its own frame.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(from = "Vec<Vec3>", into = "Vec<Vec3>")]
pub struct Points(Arc<MeshData>);

#[derive(Debug, Default)]
struct MeshData {
    points: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    prepared: OnceLock<Prepared>,
}

/// A mesh in files.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MeshLists {
    /// Positions [m].
    points: Vec<Vec3>,
    /// Three points each.
    triangles: Vec<[u32; 3]>,
}

impl PartialEq for MeshData {
    fn eq(&self, other: &Self) -> bool {
        self.points == other.points && self.triangles == other.triangles
    }
}

impl PartialEq for TriangleMesh {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0 == other.0
    }
}

impl PartialEq for Points {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0 == other.0
    }
}

impl From<MeshLists> for TriangleMesh {
    fn from(lists: MeshLists) -> Self {
        Self::new(lists.points, lists.triangles)
    }
}

impl From<TriangleMesh> for MeshLists {
    fn from(mesh: TriangleMesh) -> Self {
        Self { points: mesh.0.points.clone(), triangles: mesh.0.triangles.clone() }
    }
}

impl From<Vec<Vec3>> for Points {
    fn from(points: Vec<Vec3>) -> Self {
        Self::new(points)
    }
}

impl From<Points> for Vec<Vec3> {
    fn from(points: Points) -> Self {
        points.0.points.clone()
    }
}

impl MeshData {
    /// Description of an invalid number, if there is one.
    fn fault(&self) -> Option<&'static str> {
        if !self.points.iter().all(|x| x.abs().max_element() <= FARTHEST) {
            return Some(
                "a mesh reaches farther than 10⁹ m from its middle, or a coordinate is no number; look at its scale",
            );
        }
        let count = self.points.len();
        let known = self.triangles.as_flattened().iter().all(|&corner| (corner as usize) < count);
        (!known).then_some("a triangle of a mesh uses a point that does not exist; points are counted from 0")
    }
}

impl TriangleMesh {
    /// The mesh of `triangles`, three places in `points` [m] each.
    #[must_use]
    pub fn new(points: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Self {
        Self(Arc::new(MeshData { points, triangles, prepared: OnceLock::new() }))
    }

    /// The same, farther from the origin by a factor.
    #[must_use]
    pub fn scaled(&self, by: Real) -> Self {
        Self::new(self.0.points.iter().map(|x| *x * by).collect(), self.0.triangles.clone())
    }

    /// Whether it is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.points.is_empty() && self.0.triangles.is_empty()
    }

    /// The surface prepared for queries, or the fault of the mesh. The first call takes time in
    /// proportion to its size.
    pub(super) fn surface(&self) -> &Prepared {
        let data = &self.0;
        data.prepared.get_or_init(|| match data.fault() {
            Some(fault) => Err(fault),
            None => MeshSurface::new(&data.points, &data.triangles).map(Arc::new),
        })
    }
}

impl Points {
    /// These points [m].
    #[must_use]
    pub fn new(points: Vec<Vec3>) -> Self {
        Self(Arc::new(MeshData { points, ..MeshData::default() }))
    }

    /// The same, farther from the origin by a factor.
    #[must_use]
    pub fn scaled(&self, by: Real) -> Self {
        Self::new(self.0.points.iter().map(|x| *x * by).collect())
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.points.is_empty()
    }

    /// The surface of their hull, or the fault of the points.
    pub(super) fn surface(&self) -> &Prepared {
        let data = &self.0;
        data.prepared.get_or_init(|| {
            if let Some(fault) = data.fault() {
                return Err(fault);
            }
            let flat =
                "a hull needs at least four points that are not in a plane; a flat shape is a mesh or a thin box";
            let mut points = data.points.clone();
            points.sort_unstable_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)).then(a.z.total_cmp(&b.z)));
            points.dedup();
            if points.len() < 4 {
                return Err(flat);
            }
            let (points, triangles) = try_convex_hull(&points).map_err(|_| flat)?;
            match MeshSurface::new(&points, &triangles) {
                Ok(surface) if surface.is_solid() => Ok(Arc::new(surface)),
                _ => Err(flat),
            }
        })
    }
}
