//! The surface that is drawn: the cloth's triangles divided once, along arcs that stand at right
//! angles to the normals, so that a coarse cloth has no facets.
//!
//! The middle of an edge is that of the cubic curve of a curved PN triangle (Vlachos et al. 2001);
//! every triangle becomes four, in the order of the cloth's triangles.

use bevy::math::Vec3;

use super::embedded::EmbeddedCorners;
use super::rim::Rim;
use super::self_shadow::SelfShadow;
use crate::sim::Pattern;

/// Cloths with more vertices are drawn as they are: their cells are small.
const MOST_VERTICES: usize = 20_000;
/// Number of averagings of positions with their neighbours, for the search of folds.
const ROUNDS: usize = 6;
/// How dark folds are.
const DEPTH: f32 = 1.1;

/// Of a large cloth the shadow is found anew in every so many frames.
const SHADE_EVERY: u32 = 4;

/// Number of parts of a triangle of the cloth that is divided.
pub const PARTS: usize = 4;

/// How a cloth is divided, with the memory for it.
#[derive(Default)]
pub struct DividedSurface {
    /// All edges of triangles; where the cloth is divided, the middle of edge `e` is vertex `len +
    /// e`.
    edges: Vec<[u32; 2]>,
    triangles: Vec<[u32; 3]>,
    rim: Rim,
    /// Surfaces embedded in bodies; their corners and triangles come last.
    embedded: EmbeddedCorners,
    is_divided: bool,
    /// `1/n` for `n` neighbours.
    shares: Vec<f32>,
    /// Mean length of an edge at rest [m].
    length: f32,
    smooth: [Vec<Vec3>; 2],
    /// Counts the frames.
    turn: u32,
    /// Place of each vertex [m].
    pub positions: Vec<Vec3>,
    /// Its unit normal.
    pub normals: Vec<Vec3>,
    /// How much of the surroundings its front does not see, from -1 to 1; the back sees as much
    /// more.
    pub cavities: Vec<f32>,
    /// Share of the light that reaches it past cloth and colliders; empty where that is left to
    /// shadow maps.
    pub lit: Vec<f32>,
    shadow: SelfShadow,
}

impl DividedSurface {
    /// Of a pattern.
    pub fn new(pattern: &Pattern) -> Self {
        let sides = pattern.triangles().iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
        let mut edges: Vec<[u32; 2]> = sides.map(|[a, b]| [a.min(b), a.max(b)]).collect();
        edges.sort_unstable();
        edges.dedup();
        let mut shares = vec![0.0; pattern.len()];
        let rest = pattern.rest_positions();
        let mut length = 0.0;
        for &[a, b] in &edges {
            shares[a as usize] += 1.0;
            shares[b as usize] += 1.0;
            length += rest[a as usize].distance(rest[b as usize]) as f32;
        }
        shares.iter_mut().for_each(|count: &mut f32| *count = if *count > 0.0 { 1.0 / *count } else { 0.0 });
        let length = length / edges.len().max(1) as f32;
        let is_divided = pattern.len() <= MOST_VERTICES;
        let first = pattern.len() as u32;
        let middle = |a: u32, b: u32| {
            first + edges.binary_search(&[a.min(b), a.max(b)]).expect("the edges are those of all triangles") as u32
        };
        let rim = Rim::of(pattern);
        let divide = |corners: &[u32; 3]| {
            // a corner of the cloth comes first, and is cut in two: no part has all its corners on
            // the rim
            let is_ear = |[a, b, c]: [u32; 3]| rim.has(a, b) && rim.has(c, a) && !rim.has(b, c);
            let ear =
                [0, 1, 2].map(|turn| [0, 1, 2].map(|k| corners[(k + turn) % 3])).into_iter().find(|it| is_ear(*it));
            let [a, b, c] = ear.unwrap_or(*corners);
            let (d, e, f) = (middle(a, b), middle(b, c), middle(c, a));
            match ear {
                Some(_) => [[a, d, e], [d, b, e], [f, e, c], [a, e, f]],
                None => [[a, d, f], [d, b, e], [f, e, c], [d, e, f]],
            }
        };
        let mut triangles: Vec<[u32; 3]> = if is_divided {
            pattern.triangles().iter().flat_map(divide).collect()
        } else {
            pattern.triangles().to_vec()
        };
        let embedded = EmbeddedCorners::new(pattern);
        let last = first + if is_divided { edges.len() as u32 } else { 0 };
        triangles.extend((0..embedded.triangles() as u32).map(|number| [0, 1, 2].map(|at| last + 3 * number + at)));
        Self { edges, triangles, rim, embedded, is_divided, shares, length, ..Self::default() }
    }

    /// The triangles that are drawn.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The edges of the cloth's triangles.
    pub fn edges(&self) -> &[[u32; 2]] {
        &self.edges
    }

    /// Mean length of an edge at rest [m].
    pub fn edge_length(&self) -> f32 {
        self.length
    }

    /// The rim of the whole cloth.
    pub fn rim(&self) -> &Rim {
        &self.rim
    }

    /// The edges with a vertex in their middle, which come after the cloth's vertices.
    pub fn middles(&self) -> &[[u32; 2]] {
        if self.is_divided { &self.edges } else { &[] }
    }

    /// The triangle of the cloth that a drawn one is a part of.
    pub fn whole(&self, part: usize) -> usize {
        match part.checked_sub(self.own()) {
            Some(embedded) => self.embedded.whole(embedded),
            None if self.is_divided => part / PARTS,
            None => part,
        }
    }

    /// Number of triangles that are parts of the cloth's, before those of embedded surfaces.
    pub fn own(&self) -> usize {
        self.triangles.len() - self.embedded.triangles()
    }

    /// The surfaces embedded in bodies.
    pub fn embedded(&self) -> &EmbeddedCorners {
        &self.embedded
    }

    /// Values of the drawn vertices, for those of the cloth: in the middle of an edge their mean.
    pub fn spread<const N: usize>(&self, mut values: Vec<[f32; N]>) -> Vec<[f32; N]> {
        for [a, b] in self.middles() {
            let (a, b) = (values[*a as usize], values[*b as usize]);
            values.push(std::array::from_fn(|k| 0.5 * (a[k] + b[k])));
        }
        self.embedded.spread(&mut values);
        values
    }

    /// Takes the places [m] and normals of the cloth's vertices.
    pub fn follow(&mut self, places: impl Iterator<Item = Vec3>, normals: impl Iterator<Item = Vec3>) {
        let count = self.shares.len();
        self.cavities.truncate(count);
        self.positions.clear();
        self.positions.extend(places);
        self.normals.clear();
        self.normals.extend(normals);
        self.turn = self.turn.wrapping_add(1);
        // of a large cloth folds are shaded anew in every second frame only: they change slowly
        if self.is_divided || self.cavities.len() != self.positions.len() || self.turn.is_multiple_of(2) {
            self.find_cavities();
        }
        let Self { edges, embedded, positions, normals, cavities, is_divided, .. } = self;
        for &[a, b] in edges.iter().filter(|_| *is_divided) {
            let [a, b] = [a as usize, b as usize];
            let (x, y, n, m) = (positions[a], positions[b], normals[a], normals[b]);
            let along = y - x;
            let (rise, fall) = (along.dot(n), along.dot(m));
            // where the normals say more than the edge is long, there is a crease, not an arc
            let arc = (m * fall - n * rise).clamp_length_max(0.6 * along.length()) / 8.0;
            positions.push(x.midpoint(y) + arc);
            let sum = n + m;
            let squared = along.length_squared();
            let bent = if squared > 0.0 { sum - along * (along.dot(sum) / squared) } else { sum };
            normals.push(bent.try_normalize().unwrap_or(n));
            cavities.push(0.5 * (cavities[a] + cavities[b]));
        }
        embedded.follow(positions, normals);
        cavities.resize(positions.len(), 0.0);
    }

    /// Finds the share of `light` that reaches each vertex past the cloth and past points of
    /// `solids` [m] with their areas [m²].
    pub fn shade(&mut self, light: Vec3, solids: impl Iterator<Item = (Vec3, f32)>) {
        let count = self.shares.len();
        if !self.is_divided && self.lit.len() == self.positions.len() && !self.turn.is_multiple_of(SHADE_EVERY) {
            return;
        }
        let Self { edges, embedded, shares, positions, normals, lit, shadow, length, is_divided, .. } = self;
        let (places, normals) = (&positions[..count], &normals[..count]);
        shadow.cast(places, *length, solids, light);
        lit.clear();
        lit.extend(places.iter().zip(normals).map(|(place, normal)| shadow.lit(*place, *normal)));
        if *is_divided {
            blur(lit, edges, shares);
        }
        if embedded.triangles() > 0 {
            let mut all: Vec<[f32; 1]> = lit.iter().map(|lit| [*lit]).collect();
            embedded.spread(&mut all);
            lit.extend(all[lit.len()..].iter().map(|[lit]| lit));
        }
    }

    /// A vertex that lies below the mean of those around it lies in a fold.
    fn find_cavities(&mut self) {
        let Self { edges, shares, smooth: [smooth, sums], positions, normals, cavities, length, .. } = self;
        smooth.clone_from(positions);
        for _ in 0..ROUNDS {
            sums.clear();
            sums.resize(smooth.len(), Vec3::ZERO);
            for &[a, b] in &*edges {
                sums[a as usize] += smooth[b as usize];
                sums[b as usize] += smooth[a as usize];
            }
            for ((place, sum), share) in smooth.iter_mut().zip(&*sums).zip(&*shares) {
                if *share > 0.0 {
                    *place = place.midpoint(*sum * *share);
                }
            }
        }
        cavities.clear();
        let scale = DEPTH / (*length * (ROUNDS as f32).sqrt()).max(f32::MIN_POSITIVE);
        let depth = |((x, smooth), n): ((&Vec3, &Vec3), &Vec3)| (scale * n.dot(*smooth - *x)).clamp(-1.0, 1.0);
        cavities.extend(positions.iter().zip(&*smooth).zip(&*normals).map(depth));
    }
}

/// Averages the light of the vertices once with that of their neighbours, since the border of a
/// shadow is as coarse as the cells, and adds that of the middles of the edges.
fn blur(lit: &mut Vec<f32>, edges: &[[u32; 2]], shares: &[f32]) {
    let mut sums = vec![0.0; shares.len()];
    for &[a, b] in edges {
        sums[a as usize] += lit[b as usize];
        sums[b as usize] += lit[a as usize];
    }
    for ((lit, sum), share) in lit.iter_mut().zip(sums).zip(shares).filter(|(_, share)| **share > 0.0) {
        *lit = lit.midpoint(sum * share);
    }
    for [a, b] in edges {
        lit.push(lit[*a as usize].midpoint(lit[*b as usize]));
    }
}
