//! Which places of two cloths are the same, and how far the two are apart.
//!
//! Places are the same that are at the same coordinates at rest: vertex by vertex where the meshes
//! are the same, and otherwise the point of the other surface that is nearest there, so that cloths
//! of different meshes can be compared. Pieces of cloth correspond by their numbers, if there are
//! as many.

use parry3d_f64::query::PointQueryWithLocation;
use parry3d_f64::shape::TriMesh;

use crate::sim::{Pattern, Real, Vec3};

/// A point of a cloth, whatever its shape is at the moment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    /// The triangle.
    pub triangle: u32,
    /// Barycentric weights of its corners; they sum to 1.
    pub weights: [Real; 3],
}

/// How far apart two cloths are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Distance {
    /// Root of the mean square over the vertices of the reference [m].
    pub root_mean_square: Real,
    /// The largest [m].
    pub largest: Real,
    /// The vertex of the reference that it is at.
    pub vertex: u32,
}

impl Distance {
    /// The root of the mean square, and the largest [m].
    #[must_use]
    pub fn both(&self) -> [Real; 2] {
        [self.root_mean_square, self.largest]
    }
}

/// A surface at rest, for the search of its nearest point.
struct Rest {
    mesh: TriMesh,
    /// The number of each of its triangles in the pattern.
    triangles: Vec<u32>,
}

/// Where the places of a reference are in another cloth. It holds while both tear.
pub struct Correspondence {
    revisions: [u64; 2],
    kind: Kind,
}

enum Kind {
    /// The meshes are the same.
    Same,
    Different {
        /// The other cloth, by pieces, or as one if there are not as many; none where there is no
        /// triangle.
        surfaces: Vec<Option<Rest>>,
        /// Where each vertex of the reference is in it.
        places: Vec<Option<Place>>,
    },
}

impl Correspondence {
    /// Of the cloths of two patterns, torn or not.
    #[must_use]
    pub fn between(reference: &Pattern, other: &Pattern) -> Self {
        let revisions = [reference, other].map(Pattern::whole_revision);
        if is_same(reference, other) {
            return Self { revisions, kind: Kind::Same };
        }
        let by_pieces = reference.pieces().len() == other.pieces().len();
        let count = if by_pieces { other.pieces().len().max(1) } else { 1 };
        let pieces = other.piece_of_vertices();
        let piece_of = |vertex: u32| if by_pieces { pieces[vertex as usize] as usize } else { 0 };
        let mut numbers: Vec<Vec<u32>> = vec![Vec::new(); count];
        for (number, corners) in (0..).zip(other.triangles()) {
            numbers[piece_of(corners[0])].push(number);
        }
        let surfaces: Vec<Option<Rest>> = numbers.into_iter().map(|numbers| Rest::of(other, numbers)).collect();
        let pieces = reference.piece_of_vertices();
        let places = (0..reference.whole_len())
            .map(|vertex| {
                let piece = if by_pieces { pieces[vertex] as usize } else { 0 };
                surfaces.get(piece)?.as_ref()?.nearest(reference.rest_positions()[vertex])
            })
            .collect();
        Self { revisions, kind: Kind::Different { surfaces, places } }
    }

    /// Whether it is of the cloths of these patterns.
    #[must_use]
    pub fn is_of(&self, reference: &Pattern, other: &Pattern) -> bool {
        self.revisions == [reference, other].map(Pattern::whole_revision)
    }

    /// Whether the meshes are the same.
    #[must_use]
    pub fn is_same(&self) -> bool {
        matches!(self.kind, Kind::Same)
    }

    /// The vertex of the other cloth nearest at rest to `vertex` of the reference; none if there is
    /// no such vertex. A torn-off vertex is itself if the other cloth has torn in the same way, and
    /// otherwise the vertex that it was torn off.
    #[must_use]
    pub fn vertex(&self, vertex: u32, reference: &Pattern, other: &Pattern) -> Option<u32> {
        let at = *reference.rest_positions().get(vertex as usize)?;
        let whole = reference.whole_len();
        match self.kind {
            Kind::Same => {
                let torn = (vertex as usize + 1).saturating_sub(whole);
                let alike = torn == 0 || reference.parents().get(..torn) == other.parents().get(..torn);
                if alike { Some(vertex) } else { reference.origins().get(vertex as usize).copied() }
            }
            Kind::Different { .. } => {
                let piece_of = |pattern: &Pattern, vertex: usize| pattern.piece_of_vertices()[vertex];
                let by_pieces = reference.pieces().len() == other.pieces().len();
                let (piece, pieces) = (piece_of(reference, vertex as usize), other.piece_of_vertices());
                let candidates = (0..other.whole_len()).filter(|&vertex| !by_pieces || pieces[vertex] == piece);
                let distance = |vertex: &usize| other.rest_positions()[*vertex].distance_squared(at);
                candidates.min_by(|a, b| distance(a).total_cmp(&distance(b))).map(|vertex| vertex as u32)
            }
        }
    }

    /// The place of the other cloth that is nearest at rest to a `place` of the reference; none if
    /// there is no such triangle, or none in the other cloth.
    #[must_use]
    pub fn place(&self, place: Place, reference: &Pattern) -> Option<Place> {
        let Kind::Different { surfaces, .. } = &self.kind else { return Some(place) };
        let corners = *reference.triangles().get(place.triangle as usize)?;
        let piece = if surfaces.len() == 1 { 0 } else { reference.piece_of_vertices()[corners[0] as usize] as usize };
        let at = point(place.weights, corners, reference.rest_positions());
        surfaces.get(piece)?.as_ref()?.nearest(at)
    }

    /// The point of the other cloth, of which `other` tells pattern and positions [m], that
    /// corresponds to a vertex of the reference.
    fn counterpart(&self, vertex: usize, (pattern, positions): (&Pattern, &[Vec3])) -> Option<Vec3> {
        match &self.kind {
            Kind::Same => positions.get(vertex).copied(),
            Kind::Different { places, .. } => {
                let place = (*places.get(vertex)?)?;
                Some(point(place.weights, *pattern.triangles().get(place.triangle as usize)?, positions))
            }
        }
    }

    /// How far each vertex of the reference, at `reference` [m], is from its counterpart in the
    /// other cloth [m]; not a number where it has none.
    #[must_use]
    pub fn distances(&self, reference: &[Vec3], other: (&Pattern, &[Vec3])) -> Vec<Real> {
        let apart = |(vertex, x): (usize, &Vec3)| self.counterpart(vertex, other).map_or(Real::NAN, |y| x.distance(y));
        reference.iter().enumerate().map(apart).collect()
    }

    /// How far the other cloth, of which `other` tells pattern and positions [m], is from the
    /// reference with its vertices at `reference` [m], over the vertices that this had when it was
    /// whole; none where nothing corresponds.
    #[must_use]
    pub fn distance(&self, reference: &[Vec3], other: (&Pattern, &[Vec3])) -> Option<Distance> {
        let whole = match &self.kind {
            Kind::Same => other.0.whole_len(),
            Kind::Different { places, .. } => places.len(),
        };
        let (mut sum, mut count, mut largest, mut at) = (0.0, 0.0, 0.0, 0);
        for (vertex, x) in reference.iter().enumerate().take(whole) {
            let Some(counterpart) = self.counterpart(vertex, other) else { continue };
            let squared = x.distance_squared(counterpart);
            (sum, count) = (sum + squared, count + 1.0);
            if squared > largest {
                (largest, at) = (squared, vertex as u32);
            }
        }
        (count > 0.0).then(|| Distance { root_mean_square: (sum / count).sqrt(), largest: largest.sqrt(), vertex: at })
    }
}

impl Rest {
    /// The triangles of `pattern` with these numbers, of which those without an area are left out.
    fn of(pattern: &Pattern, numbers: Vec<u32>) -> Option<Self> {
        let x = pattern.rest_positions();
        let corners = |number: &u32| pattern.triangles()[*number as usize];
        let area = |[a, b, c]: [u32; 3]| {
            let [a, b, c] = [a, b, c].map(|corner| x[corner as usize]);
            (b - a).cross(c - a).length()
        };
        let triangles: Vec<u32> = numbers.into_iter().filter(|number| area(corners(number)) > 0.0).collect();
        let mesh = TriMesh::new(x.to_vec(), triangles.iter().map(corners).collect()).ok()?;
        Some(Self { mesh, triangles })
    }

    /// The place nearest to `point` [m].
    fn nearest(&self, point: Vec3) -> Option<Place> {
        let found = self.mesh.project_local_point_and_get_location_with_max_dist(point, false, Real::MAX);
        let (_, (face, location)) = found?;
        Some(Place { triangle: *self.triangles.get(face as usize)?, weights: location.barycentric_coordinates()? })
    }
}

/// Whether the whole meshes of both are the same.
fn is_same(a: &Pattern, b: &Pattern) -> bool {
    let rest = |pattern: &Pattern| pattern.rest_positions()[..pattern.whole_len()].to_vec();
    let triangles = |pattern: &Pattern| {
        let origins = pattern.origins();
        let origin = |corner: u32| origins[corner as usize];
        pattern.triangles().iter().map(|corners| corners.map(origin)).collect::<Vec<_>>()
    };
    a.whole_revision() == b.whole_revision() || (rest(a) == rest(b) && triangles(a) == triangles(b))
}

fn point(weights: [Real; 3], corners: [u32; 3], positions: &[Vec3]) -> Vec3 {
    corners.iter().zip(weights).map(|(&corner, weight)| weight * positions[corner as usize]).sum()
}
