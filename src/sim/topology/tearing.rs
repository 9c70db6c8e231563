//! Tearing: the edges that open under load.
//!
//! After Müller, Heidelberger, Hennix, Ratcliff 2007, section 4.2 (Bouaziz et al. 2014, figure 10,
//! tear the same way): at a spring beyond its tear strain one end is split by the plane through it
//! across the spring, and the triangles around it go with their side. The splitting itself is
//! [`Pattern::open`], as for cuts.
//!
//! A real yarn at the tip of a tear carries a multiple of the load of the others; on a mesh that
//! concentration is limited by the edge length. `tear_resistance` makes up for that: the tear
//! strain at the tip, as a share of that elsewhere.

use crate::sim::params::{Kind, linear, logarithmic};
use crate::sim::pattern::{Family, OneRings};
use crate::sim::{Cloth, Pattern, Real, Vec3};

const fn whole(tearing: &Tearing) -> Option<&'static str> {
    if tearing.tearing { None } else { Some("the cloth cannot tear") }
}

crate::parameters! {
    /// When the cloth tears.
    pub struct Tearing {
        /// Structural springs stretched beyond the tear strain break. Bodies of tetrahedra do not
        /// tear.
        pub tearing: bool = false, "Tearing", "", Kind::Toggle, needs Cloth;
        /// Strain at which a structural spring of undamaged cloth breaks: 0.5 is 50 % longer than
        /// at rest. Lower tears sooner.
        pub tear_strain: Real = 0.5, "Tear strain", "m/m", logarithmic(0.01, 10.0), idle whole;
        /// Tear strain at the tip of a tear, relative to that of undamaged cloth. Low: a tear runs
        /// through, as in paper. High: tears stop, as in a strong weave; above 1 the tip is
        /// stronger than the cloth, as in ripstop.
        pub tear_resistance: Real = 0.7, "Resistance", "", linear(0.05, 2.0), idle whole;
    }
}

/// Most vertices split by overstretched springs in a step. Bounds the cost, and the speed of a
/// tear: some 10 m/s for edges of a centimetre, against hundreds in real cloth.
const MOST: usize = 16;

/// Memory of the search for tears, and of results that stay while nothing tears.
#[derive(Debug, Default)]
pub struct TearSearch {
    /// The overstretched springs: strain beyond the limit, and number.
    overstretched: Vec<(Real, u32)>,
    /// Vertices that are split in this step, and their neighbours.
    near: Vec<bool>,
    /// For each vertex of the pattern with the revision `of` whether a tear ends there.
    ends_of_tears: Vec<bool>,
    of: Option<u64>,
}

impl TearSearch {
    /// Finds the springs with more than this strain.
    fn find_stretched(&mut self, cloth: &Cloth, pattern: &Pattern, lowest: Real) {
        self.overstretched.clear();
        self.overstretched.extend((0..pattern.springs().len()).filter_map(|e| {
            let strain = strain(cloth, pattern, e);
            (strain > lowest).then_some((strain, e as u32))
        }));
    }

    /// Keeps the stretched springs beyond their tear strain, the farthest first.
    fn find_overstretched(&mut self, tearing: &Tearing, pattern: &Pattern, rings: &OneRings) {
        if self.of != Some(pattern.revision()) {
            self.of = Some(pattern.revision());
            ends_of_tears(pattern, rings, &mut self.ends_of_tears);
        }
        let ends = &self.ends_of_tears;
        self.overstretched.retain_mut(|(overload, e)| {
            let weakened = pattern.springs().ends[*e as usize].iter().any(|&end| ends[end as usize]);
            *overload /= tearing.limit(weakened);
            *overload > 1.0
        });
        // equal ones by rising spring
        self.overstretched.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    }
}

/// Strain of a structural spring; zero for another spring.
fn strain(cloth: &Cloth, pattern: &Pattern, e: usize) -> Real {
    let springs = pattern.springs();
    let [i, j] = springs.ends[e].map(|end| cloth.positions[end as usize]);
    if is_thread(pattern, e) { i.distance(j) / springs.rest_lengths[e] - 1.0 } else { 0.0 }
}

impl Tearing {
    /// Tear strain of a spring, `weakened` at the tip of a tear.
    fn limit(&self, weakened: bool) -> Real {
        self.tear_strain * if weakened { self.tear_resistance } else { 1.0 }
    }

    /// The edges along which `cloth` opens now, for [`Pattern::open`]; those of the most
    /// overstretched springs if there are too many. An end with `is_held` is split only if the
    /// other cannot be.
    #[must_use]
    pub fn edges_to_open(
        &self,
        cloth: &Cloth,
        pattern: &Pattern,
        is_held: impl Fn(u32) -> bool,
        search: &mut TearSearch,
    ) -> Vec<[u32; 2]> {
        let lowest = self.tear_strain * self.tear_resistance.min(1.0);
        if !self.tearing {
            return Vec::new();
        }
        search.find_stretched(cloth, pattern, lowest);
        if search.overstretched.is_empty() {
            return Vec::new();
        }
        let rings = OneRings::of(pattern);
        search.find_overstretched(self, pattern, &rings);
        let load = |vertex: u32| -> Real {
            let springs = pattern.neighbours().of_vertex(vertex).iter();
            springs.map(|&(e, _)| strain(cloth, pattern, e as usize).max(0.0)).sum()
        };
        let TearSearch { overstretched, near, .. } = search;
        near.clear();
        near.resize(pattern.len(), false);
        let (mut open, mut splits) = (Vec::new(), 0);
        for &(_, e) in &*overstretched {
            let [i, j] = pattern.springs().ends[e as usize];
            if splits == MOST {
                break;
            }
            // the free one first, then the more loaded one, then the lower one
            let key = |vertex: u32| (is_held(vertex), -load(vertex));
            let (a, b) = (key(i), key(j));
            let later = a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).is_gt();
            for (vertex, other) in if later { [(j, i), (i, j)] } else { [(i, j), (j, i)] } {
                let across = edges_across(cloth, &rings, vertex, other);
                if across.is_empty() {
                    continue;
                }
                // two neighbours split in one step would cut off the part between them
                if !near[vertex as usize] {
                    for (neighbour, _) in rings.ring_edges(vertex) {
                        near[neighbour as usize] = true;
                    }
                    near[vertex as usize] = true;
                    open.extend(across);
                    splits += 1;
                }
                break;
            }
        }
        open
    }

    /// Nearness of each vertex of `pattern` at `positions` [m] to tearing: the strain of its
    /// springs as a share of their tear strain, 1 at tearing; zero if none is stretched. It does
    /// not matter whether tearing is on.
    #[must_use]
    pub fn loads(&self, pattern: &Pattern, positions: &[Vec3]) -> Vec<Real> {
        let mut ends = Vec::new();
        ends_of_tears(pattern, &OneRings::of(pattern), &mut ends);
        let mut loads: Vec<Real> = vec![0.0; positions.len()];
        let springs = pattern.springs();
        for (e, &[i, j]) in springs.ends.iter().enumerate() {
            if !is_thread(pattern, e) {
                continue;
            }
            let length = positions[i as usize].distance(positions[j as usize]);
            let strain = length / springs.rest_lengths[e] - 1.0;
            let weakened = ends[i as usize] || ends[j as usize];
            let limit = self.limit(weakened);
            for end in [i, j] {
                let load: &mut Real = &mut loads[end as usize];
                *load = load.max(strain / limit);
            }
        }
        loads
    }
}

/// Whether a spring is a structural spring of cloth, which can tear.
fn is_thread(pattern: &Pattern, spring: usize) -> bool {
    let springs = pattern.springs();
    let lies_in_cloth = !pattern.is_in_body(springs.ends[spring][0]);
    lies_in_cloth && springs.families[spring] == Family::Structural && springs.rest_lengths[spring] > 0.0
}

/// The edges of `vertex` that divide its triangles by the plane through it across the spring to
/// `other`; none if all of them lie on one side.
fn edges_across(cloth: &Cloth, rings: &OneRings, vertex: u32, other: u32) -> Vec<[u32; 2]> {
    let x = |vertex: u32| cloth.positions[vertex as usize];
    let along = x(other) - x(vertex);
    // the vertex itself adds nothing, so this has the sign of the centroid's side
    let side = |triangle: u32| {
        rings.corners(triangle).into_iter().map(|corner| (x(corner) - x(vertex)).dot(along)).sum::<Real>() > 0.0
    };
    let ring_edges = rings.ring_edges(vertex);
    let edges = ring_edges.chunk_by(|a, b| a.0 == b.0);
    let divides = edges.filter(|edge| edge.iter().any(|&(_, triangle)| side(triangle) != side(edge[0].1)));
    divides.map(|edge| [vertex, edge[0].0]).collect()
}

/// Writes for each vertex whether a tear ends there: whether it still holds two vertices together
/// that once were one.
fn ends_of_tears(pattern: &Pattern, rings: &OneRings, ends: &mut Vec<bool>) {
    ends.clear();
    ends.resize(pattern.len(), false);
    let origins = pattern.origins();
    // (possible end, split vertex, a part of it)
    let mut held: Vec<[u32; 3]> = Vec::new();
    let mut torn: Vec<u32> =
        (pattern.parents().iter().copied()).chain(pattern.whole_len() as u32..pattern.len() as u32).collect();
    torn.sort_unstable();
    torn.dedup();
    for part in torn {
        held.extend(rings.ring_edges(part).into_iter().map(|(neighbour, _)| [neighbour, origins[part as usize], part]));
    }
    held.sort_unstable();
    held.dedup();
    for pair in held.windows(2) {
        if pair[0][..2] == pair[1][..2] {
            ends[pair[0][0] as usize] = true;
        }
    }
}
