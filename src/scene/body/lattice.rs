//! A body from a shape: the tetrahedra of a lattice that lie inside.
//!
//! Membership is tested at their centres, so that any shape with such a test will do, ugly surfaces
//! included. The lattice is body-centred cubic, with congruent tetrahedra of good shape, or one of
//! boxes with five tetrahedra each, for shapes made of boxes. If the surface of the inner ones
//! would meet itself at an edge or vertex, all tetrahedra there are included. The outer vertices
//! are then moved to the surface of the shape, as far as every tetrahedron keeps a part of its
//! volume. After Labelle and Shewchuk 2007 (isosurface stuffing), which cuts tetrahedra as well to
//! bound their angles; moving alone keeps the number of tetrahedra of the lattice and cannot fail.

use std::collections::{BTreeMap, HashMap};

use crate::scene::body_import::{Crossing, crossings};
use crate::sim::math::csr::Csr;
use crate::sim::math::union_find::UnionFind;
use crate::sim::pattern::{signed_volume, surface};
use crate::sim::{Real, Vec3};

/// A shape to fill.
pub(super) trait Solid {
    /// Lowest and highest coordinates [m].
    fn bounds(&self) -> (Vec3, Vec3);
    /// Whether a point [m] is inside.
    fn is_inside(&self, x: Vec3) -> bool;
    /// The point of the surface nearest to `x`, or one near that [m].
    fn nearest(&self, x: Vec3) -> Vec3;
}

/// Vertices [m] and tetrahedra of positive volume.
pub(in crate::scene) type Mesh = (Vec<Vec3>, Vec<[u32; 4]>);

/// Most tetrahedra of a lattice, inside or not.
pub(super) const MOST: Real = 4e6;
/// Part of its volume that a tetrahedron of the lattice keeps at least.
const KEPT: Real = 0.3;
/// Parts of the way to the surface that are tried for a vertex.
const WAYS: [Real; 4] = [1.0, 0.7, 0.4, 0.2];
/// Share of all tetrahedra below which a part that hangs together is a speck.
const SPECK: Real = 0.02;
/// Times that meetings of the surface with itself are filled up.
const ROUNDS: usize = 50;

/// Number of tetrahedra that the body-centred lattice of `cell` [m] has around `solid`.
pub(super) fn count(solid: &dyn Solid, cell: Real) -> Real {
    let (low, high) = solid.bounds();
    12.0 * ((high - low) / cell + Vec3::splat(3.0)).element_product()
}

/// Fills `solid` with the tetrahedra of the body-centred cubic lattice of `cell` [m]; none if there
/// is none inside.
pub(super) fn fill(solid: &dyn Solid, cell: Real) -> Mesh {
    let (low, high) = solid.bounds();
    let cells = ((high - low) / cell).ceil() + Vec3::splat(2.0);
    let start = 0.5 * (low + high) - 0.5 * cells * cell;
    let [nx, ny, nz] = cells.to_array().map(|count| count as i64);
    // corners have even places, centres odd ones
    let mut lattice = Lattice::default();
    let mut at =
        |place: [i64; 3]| lattice.vertex(place, || start + Vec3::from(place.map(|along| 0.5 * along as Real)) * cell);
    let mut tetrahedra = Vec::new();
    for (i, j, k) in (0..nx).flat_map(|i| (0..ny).flat_map(move |j| (0..nz).map(move |k| (i, j, k)))) {
        let centre = [2 * i + 1, 2 * j + 1, 2 * k + 1];
        for axis in 0..3 {
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            let moved = |mut place: [i64; 3], along: i64, du: i64, dv: i64| {
                place[axis] += along;
                place[u] += du;
                place[v] += dv;
                place
            };
            let ring = [[-1, -1], [1, -1], [1, 1], [-1, 1]];
            for side in 0..4 {
                let [a, b] = [ring[side], ring[(side + 1) % 4]];
                let corners =
                    [centre, moved(centre, 2, 0, 0), moved(centre, 1, a[0], a[1]), moved(centre, 1, b[0], b[1])];
                tetrahedra.push(corners.map(&mut at));
            }
        }
    }
    lattice.tetrahedra = tetrahedra;
    lattice.cut_out(solid, true)
}

/// Fills a shape made of boxes of `size` [m] with five tetrahedra in each, of which `is_filled`
/// says whether it belongs.
pub(super) fn fill_boxes(count: [u32; 3], size: Vec3, is_filled: impl Fn([u32; 3]) -> bool) -> Mesh {
    let mut lattice = Lattice::default();
    let mut tetrahedra = Vec::new();
    let [nx, ny, nz] = count;
    for (i, j, k) in (0..nx).flat_map(|i| (0..ny).flat_map(move |j| (0..nz).map(move |k| (i, j, k)))) {
        if !is_filled([i, j, k]) {
            continue;
        }
        let mut at = |corner: usize| {
            let place = [i, j, k].map(i64::from);
            let place = [0, 1, 2].map(|axis| place[axis] + (corner as i64 >> axis & 1));
            lattice.vertex(place, || Vec3::from(place.map(|along| along as Real)) * size)
        };
        // the diagonals of neighbours meet where every second box is turned
        let even = [[0, 1, 2, 4], [3, 1, 7, 2], [5, 1, 4, 7], [6, 2, 7, 4], [1, 2, 4, 7]];
        let odd = [[1, 0, 5, 3], [2, 0, 3, 6], [4, 0, 6, 5], [7, 3, 5, 6], [0, 3, 6, 5]];
        let five = if (i + j + k) % 2 == 0 { even } else { odd };
        tetrahedra.extend(five.map(|corners| corners.map(&mut at)));
    }
    lattice.tetrahedra = tetrahedra;
    lattice.orient();
    (lattice.positions, lattice.tetrahedra)
}

#[derive(Default)]
struct Lattice {
    numbers: HashMap<[i64; 3], u32>,
    positions: Vec<Vec3>,
    tetrahedra: Vec<[u32; 4]>,
}

impl Lattice {
    fn vertex(&mut self, place: [i64; 3], position: impl FnOnce() -> Vec3) -> u32 {
        *self.numbers.entry(place).or_insert_with(|| {
            self.positions.push(position());
            self.positions.len() as u32 - 1
        })
    }

    fn volume(&self, corners: [u32; 4]) -> Real {
        signed_volume(corners.map(|vertex| self.positions[vertex as usize]))
    }

    /// Gives every tetrahedron a positive volume.
    fn orient(&mut self) {
        for at in 0..self.tetrahedra.len() {
            if self.volume(self.tetrahedra[at]) < 0.0 {
                self.tetrahedra[at].swap(2, 3);
            }
        }
    }

    /// The part of the lattice inside `solid`.
    fn cut_out(mut self, solid: &dyn Solid, snapped: bool) -> Mesh {
        self.orient();
        let middle =
            |corners: &[u32; 4]| corners.iter().map(|&vertex| self.positions[vertex as usize]).sum::<Vec3>() * 0.25;
        let mut is_inside: Vec<bool> = self.tetrahedra.iter().map(|corners| solid.is_inside(middle(corners))).collect();
        self.drop_specks(&mut is_inside);
        self.fill_crossings(&mut is_inside);
        let kept = self.tetrahedra.iter().zip(&is_inside).filter(|(_, inside)| **inside);
        self.tetrahedra = kept.map(|(corners, _)| *corners).collect();
        if snapped {
            self.snap(solid);
        }
        self.compact()
    }

    /// Takes parts that hang together by faces and are far smaller than the whole out.
    fn drop_specks(&self, is_inside: &mut [bool]) {
        let mut faces: HashMap<[u32; 3], u32> = HashMap::new();
        let mut sets = UnionFind::new(self.tetrahedra.len());
        for (number, corners) in (0..).zip(&self.tetrahedra) {
            if !is_inside[number as usize] {
                continue;
            }
            for left_out in 0..4 {
                let mut face = [1, 2, 3].map(|next| corners[(left_out + next) % 4]);
                face.sort_unstable();
                if let Some(other) = faces.insert(face, number) {
                    sets.join(number, other);
                }
            }
        }
        let mut sizes: BTreeMap<u32, usize> = BTreeMap::new();
        let roots = sets.into_roots();
        for (root, _) in roots.iter().zip(&*is_inside).filter(|(_, inside)| **inside) {
            *sizes.entry(*root).or_default() += 1;
        }
        let all: usize = sizes.values().sum();
        for (inside, root) in is_inside.iter_mut().zip(&roots) {
            *inside = *inside && sizes[root] as Real >= SPECK * all as Real;
        }
    }

    /// Takes all tetrahedra in around edges and vertices at which the surface meets itself.
    fn fill_crossings(&self, is_inside: &mut [bool]) {
        let corners = (0..).zip(&self.tetrahedra);
        let around: Csr<u32> = Csr::from_pairs(
            self.positions.len(),
            corners.flat_map(|(number, corners): (u32, _)| corners.map(|vertex| (vertex, number))),
        );
        for _ in 0..ROUNDS {
            let inside: Vec<[u32; 4]> = self
                .tetrahedra
                .iter()
                .zip(&*is_inside)
                .filter(|(_, inside)| **inside)
                .map(|(corners, _)| *corners)
                .collect();
            let found = crossings(&surface(&inside));
            if found.is_empty() {
                return;
            }
            for crossing in found {
                let (first, second) = match crossing {
                    Crossing::Edge([i, j]) => (i, j),
                    Crossing::Vertex(i) => (i, i),
                };
                for &number in around.row(first as usize) {
                    is_inside[number as usize] |= self.tetrahedra[number as usize].contains(&second);
                }
            }
        }
    }

    /// Moves the vertices of the surface to that of `solid`.
    fn snap(&mut self, solid: &dyn Solid) {
        let corners = (0..).zip(&self.tetrahedra);
        let around: Csr<u32> = Csr::from_pairs(
            self.positions.len(),
            corners.flat_map(|(number, corners): (u32, _)| corners.map(|vertex| (vertex, number))),
        );
        let least: Vec<Real> = self.tetrahedra.iter().map(|corners| KEPT * self.volume(*corners)).collect();
        let mut outer: Vec<u32> = surface(&self.tetrahedra).into_iter().flatten().collect();
        outer.sort_unstable();
        outer.dedup();
        for vertex in outer {
            let from = self.positions[vertex as usize];
            let way = solid.nearest(from) - from;
            for share in WAYS {
                self.positions[vertex as usize] = from + way * share;
                let mut near = around.row(vertex as usize).iter();
                if near.all(|&number| self.volume(self.tetrahedra[number as usize]) >= least[number as usize]) {
                    break;
                }
                self.positions[vertex as usize] = from;
            }
        }
    }

    /// The vertices that tetrahedra use, in their order, and the tetrahedra.
    fn compact(self) -> Mesh {
        let mut number = vec![None; self.positions.len()];
        let mut positions = Vec::new();
        let mut renumber = |vertex: u32| {
            *number[vertex as usize].get_or_insert_with(|| {
                positions.push(self.positions[vertex as usize]);
                positions.len() as u32 - 1
            })
        };
        let tetrahedra = self.tetrahedra.iter().map(|corners| corners.map(&mut renumber)).collect();
        (positions, tetrahedra)
    }
}
