//! Polygons as triangles: faces of more than three corners, concave ones as well.
//!
//! A quadrilateral is divided along the diagonal from its lowest vertex if that lies inside: the
//! cloth does not depend on the corner at which a face begins, or on its direction. Any other
//! polygon gets the constrained Delaunay triangulation of its outline
//! in its plane, which uses every corner and avoids slivers (crate `spade`). The plane is that of
//! the vector area (Newell 1972). A corner that is passed twice, as where a hole hangs on a bridge,
//! is one point.

use std::collections::HashMap;

use spade::{
    ConstrainedDelaunayTriangulation, HierarchyHintGenerator, HintGenerator, Point2, Triangulation, mitigate_underflow,
};

use crate::sim::{Real, Vec3};

/// Share of the area of a quadrilateral that both of its triangles have at least.
const LEAST_SHARE: Real = 1e-9;
/// Area over the square of its extent below which a polygon has none.
const FLAT: Real = 1e-12;

/// Number of corners above which points are inserted one by one.
const LARGE: usize = 5000;

/// The triangles of a polygon, by the places of their corners in its outline.
pub(super) struct Division {
    pub triangles: Vec<[usize; 3]>,
    /// Whether the outline has no area or crosses itself: its triangles are a fan, for want of
    /// better ones.
    pub is_fan: bool,
}

/// Divides the polygon whose corners are these vertices at these positions.
pub(super) fn triangulate(vertices: &[u32], positions: &[Vec3]) -> Division {
    let n = positions.len();
    let lowest = (0..n).min_by_key(|&place| vertices[place]).filter(|_| n == 4).unwrap_or(0);
    let fan = || (2..n).map(|k| [0, k - 1, k].map(|place| (lowest + place) % n)).collect::<Vec<_>>();
    if positions.len() == 3 {
        return Division { triangles: fan(), is_fan: false };
    }
    let area = |[a, b, c]: [usize; 3]| (positions[b] - positions[a]).cross(positions[c] - positions[a]) * 0.5;
    let whole: Vec3 = fan().into_iter().map(area).sum();
    let share = |triangle: &[usize; 3]| area(*triangle).dot(whole) / whole.length_squared();
    if positions.len() == 4 && fan().iter().all(|triangle| share(triangle) > LEAST_SHARE) {
        return Division { triangles: fan(), is_fan: false };
    }
    match in_plane(vertices, positions, whole) {
        Some(triangles) => Division { triangles, is_fan: false },
        None => Division { triangles: fan(), is_fan: true },
    }
}

/// The corners in the plane across `normal`, scaled to about 1; `None` if the polygon has no area.
fn flattened(positions: &[Vec3], normal: Vec3) -> Option<Vec<Point2<Real>>> {
    let origin = positions[0];
    let extent = positions.iter().map(|x| x.distance(origin)).fold(0.0, Real::max);
    if normal.length() <= FLAT * extent * extent || !normal.is_finite() {
        return None;
    }
    let (u, v) = normal.normalize().any_orthonormal_pair();
    let flat = |x: &Vec3| Point2::new(u.dot(*x - origin) / extent, v.dot(*x - origin) / extent);
    Some(positions.iter().map(|x| mitigate_underflow(flat(x))).collect())
}

/// The triangles between the corners in the plane across `normal`; `None` if the outline crosses
/// itself there or has no area.
fn in_plane(vertices: &[u32], positions: &[Vec3], normal: Vec3) -> Option<Vec<[usize; 3]>> {
    let flat = flattened(positions, normal)?;
    // each vertex once, at its first place in the outline
    let (mut points, mut places) = (Vec::new(), Vec::new());
    let mut number: HashMap<u32, usize> = HashMap::new();
    let outline: Vec<usize> = (0..vertices.len())
        .map(|at| {
            *number.entry(vertices[at]).or_insert_with(|| {
                points.push(flat[at]);
                places.push(at);
                points.len() - 1
            })
        })
        .collect();
    // an edge that is passed an even number of times does not part inside and outside
    let mut parts: HashMap<[usize; 2], bool> = HashMap::new();
    let mut edges = Vec::new();
    for (&i, &j) in outline.iter().zip(outline.iter().cycle().skip(1)) {
        let edge = rising([i, j]);
        match parts.get_mut(&edge) {
            Some(parts) => *parts = !*parts,
            None => {
                parts.insert(edge, true);
                edges.push(edge);
            }
        }
    }
    if points.len() > LARGE {
        let (mesh, order) = one_by_one(&points, &edges)?;
        let parts = parts.into_iter().map(|(edge, parts)| (rising(edge.map(|end| order[end])), parts)).collect();
        let mut place_of = vec![0; places.len()];
        order.iter().zip(&places).for_each(|(&number, &place)| place_of[number] = place);
        return faces_inside(&mesh, &parts, &place_of);
    }
    let (mut conflicts, count) = (0, points.len());
    let mesh: ConstrainedDelaunayTriangulation<Point2<Real>> =
        ConstrainedDelaunayTriangulation::try_bulk_load_cdt(points, edges, |_| conflicts += 1).ok()?;
    if conflicts > 0 || mesh.num_vertices() != count {
        return None;
    }
    faces_inside(&mesh, &parts, &places)
}

/// A triangulation that finds the place of a point in logarithmic time.
type LargeMesh = ConstrainedDelaunayTriangulation<Point2<Real>, (), (), (), HierarchyHintGenerator<Real>>;

/// The triangulation of many points with these edges, with the number of each point in it. The
/// points are inserted spread over the outline: sorted ones, as on the teeth of a comb, would cost
/// the square of their number. `None` if edges or points meet.
fn one_by_one(points: &[Point2<Real>], edges: &[[usize; 2]]) -> Option<(LargeMesh, Vec<usize>)> {
    let farthest = |from: &dyn Fn(&Point2<Real>) -> Real| {
        (0..points.len()).max_by(|&a, &b| from(&points[a]).total_cmp(&from(&points[b])))
    };
    // three corners that are in no line first, since a line of points has no place to be found by
    let (first, from) = (0, points[0]);
    let second = farthest(&|p| (p.x - from.x).hypot(p.y - from.y))?;
    let along = [points[second].x - from.x, points[second].y - from.y];
    let third = farthest(&|p| (along[0] * (p.y - from.y) - along[1] * (p.x - from.x)).abs())?;
    let bits = usize::BITS - points.len().leading_zeros();
    let spread = (0..1_usize << bits).map(|at| at.reverse_bits() >> (usize::BITS - bits));
    let (mut mesh, mut number) = (LargeMesh::new(), vec![usize::MAX; points.len()]);
    for at in [first, second, third].into_iter().chain(spread).filter(|at| *at < points.len()) {
        if number[at] == usize::MAX {
            number[at] = mesh.insert(points[at]).ok()?.index();
        }
    }
    if mesh.num_vertices() != points.len() {
        return None;
    }
    let handles: Vec<_> = mesh.fixed_vertices().collect();
    let mut fits = |edge: &[usize; 2]| {
        let [from, to] = edge.map(|end| handles[number[end]]);
        !mesh.try_add_constraint(from, to).is_empty()
    };
    edges.iter().all(&mut fits).then_some(())?;
    Some((mesh, number))
}

/// The faces inside the outline, by the places of their corners in it.
fn faces_inside<L: HintGenerator<Real>>(
    mesh: &ConstrainedDelaunayTriangulation<Point2<Real>, (), (), (), L>,
    parts: &HashMap<[usize; 2], bool>,
    places: &[usize],
) -> Option<Vec<[usize; 3]>> {
    let inside = inside(mesh, parts)?;
    let faces = mesh.inner_faces().filter(|face| inside[face.index()] == Some(true));
    Some(faces.map(|face| face.vertices().map(|vertex| places[vertex.index()])).collect())
}

fn rising([i, j]: [usize; 2]) -> [usize; 2] {
    [i.min(j), i.max(j)]
}

/// Whether each face lies inside the outline, by the edges that are crossed from outside; `None` if
/// an edge of the outline was divided.
fn inside<L: HintGenerator<Real>>(
    mesh: &ConstrainedDelaunayTriangulation<Point2<Real>, (), (), (), L>,
    parts: &HashMap<[usize; 2], bool>,
) -> Option<Vec<Option<bool>>> {
    let mut inside = vec![None; mesh.num_all_faces()];
    inside[mesh.outer_face().index()] = Some(false);
    let mut open: Vec<_> = mesh.convex_hull().flat_map(|edge| [edge, edge.rev()]).collect();
    while let Some(edge) = open.pop() {
        let (from, to) = (edge.face().index(), edge.rev().face().index());
        let (Some(side), None) = (inside[from], inside[to]) else { continue };
        let mut ends = edge.vertices().map(|vertex| vertex.index());
        ends.sort_unstable();
        let is_crossed = edge.is_constraint_edge() && *parts.get(&ends)?;
        inside[to] = Some(side != is_crossed);
        if let Some(face) = edge.rev().face().as_inner() {
            open.extend(face.adjacent_edges());
        }
    }
    Some(inside)
}
