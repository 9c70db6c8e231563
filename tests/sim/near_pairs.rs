//! Near pairs of a search, compared with all pairs: each one is found or implied by others, and the
//! result does not depend on earlier searches.

use std::collections::BTreeSet;

use weft::sim::contact::cloth::distance::{edge_edge, vertex_triangle};
use weft::sim::contact::cloth::{ClothContactSettings, ClothContacts, ContactForces, ContactStep, Pair, SelfContact};
use weft::sim::exec::pool::ThreadPool;
use weft::sim::model::partition::Partition;
use weft::sim::pattern::Plane;
use weft::sim::{Clock, Cloth, Pattern, Vec3};

/// Pairs closer than so many times the distance of layers are near.
const REACH: f64 = 1.9;

/// Numbers that follow from a seed.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as f64 / f64::from(1_u32 << 31) - 0.5
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.next(), self.next(), self.next())
    }
}

/// Whether the closest points of a pair are within `reach` [m] and its own: inside both edges, or over the triangle.
fn is_near(pair: &Pair, x: &[Vec3], reach: f64) -> bool {
    let x = pair.corners(x);
    if pair.first == 2 {
        let closest = edge_edge(&x);
        return closest.distance() < reach && closest.weights.iter().all(|weight| *weight != 0.0);
    }
    let closest = vertex_triangle(&x);
    let normal = (x[2] - x[1]).cross(x[3] - x[1]);
    let steep = normal.dot(closest.difference).abs() >= 0.98 * normal.length() * closest.difference.length();
    closest.distance() < reach && steep
}

/// Least cosines between the normals of one side of a vertex, and of sides that are within 23° of the
/// normal along which a leaf is covered.
const SAME_SIDE: f64 = 0.5;
const COVERED: f64 = 0.696;

/// Unit normal from the second part of a pair to the first, and their distance [m].
fn normal_of(pair: &Pair, x: &[Vec3]) -> (Vec3, f64) {
    let corners = pair.corners(x);
    let closest = if pair.first == 1 { vertex_triangle(&corners) } else { edge_edge(&corners) };
    (closest.difference.normalize_or_zero(), closest.distance())
}

/// Whether the vertex-triangle pairs that were `found` imply a near pair at `x` [m]: a nearer triangle
/// on the same side of the vertex, or sides of all four ends along one normal.
fn is_implied(pair: &Pair, found: &[Pair], x: &[Vec3]) -> bool {
    let sides = |vertex: u32| {
        let own = found.iter().filter(move |other| other.first == 1 && other.vertices[0] == vertex);
        own.map(|other| normal_of(other, x))
    };
    if pair.first == 1 {
        let (normal, distance) = normal_of(pair, x);
        return sides(pair.vertices[0])
            .any(|(other, nearer)| other.dot(normal) > SAME_SIDE - 1e-9 && nearer <= distance);
    }
    let [p, q, r, s] = pair.vertices;
    let has_side = |vertex: u32, normal: Vec3| sides(vertex).any(|(other, _)| other.dot(normal) > COVERED - 1e-9);
    sides(p).any(|(normal, _)| has_side(q, normal) && has_side(r, -normal) && has_side(s, -normal))
}

/// Whether the first of two parts is on the other side of the second after a motion.
fn changes_sides(pair: &Pair, x: &[Vec3], y: &[Vec3]) -> bool {
    let side = |x: [Vec3; 4]| {
        if pair.first == 1 {
            (x[2] - x[1]).cross(x[3] - x[1]).dot(x[0] - x[1])
        } else {
            (x[1] - x[0]).cross(x[3] - x[2]).dot(x[0] - x[2])
        }
    };
    side(pair.corners(x)) * side(pair.corners(y)) < 0.0
}

/// All pairs without a vertex in common, by rising pairs.
fn pairs(pattern: &Pattern) -> Vec<Pair> {
    let triangles = pattern.triangles();
    let mut edges: Vec<[u32; 2]> =
        triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]).map(|[a, b]| [a.min(b), a.max(b)]).collect();
    edges.sort_unstable();
    edges.dedup();
    let mut pairs = Vec::new();
    for vertex in 0..pattern.len() as u32 {
        pairs.extend(triangles.iter().filter(|t| !t.contains(&vertex)).map(|t| Pair::vertex_triangle(vertex, *t)));
    }
    for (k, a) in edges.iter().enumerate() {
        let others = edges[k + 1..].iter().filter(|b| a.iter().all(|end| !b.contains(end)));
        pairs.extend(others.map(|b| Pair::edge_edge(*a, *b)));
    }
    pairs
}

/// A pair as two sets of vertices, whichever of them is first.
fn unordered(pair: &Pair) -> [Vec<u32>; 2] {
    let (first, second) = pair.vertices.split_at(usize::from(pair.first));
    let mut parts = [first.to_vec(), second.to_vec()];
    parts.iter_mut().for_each(|part| part.sort_unstable());
    parts.sort();
    parts
}

fn partition(cloth: &Cloth) -> Partition {
    let mut partition = Partition::default();
    partition.update(cloth, None, 0.0, 0.01);
    partition
}

#[test]
fn every_near_pair_is_found_or_implied_and_no_other_wherever_the_cloth_is_and_however_large() {
    let mut noise = Noise(0x2545_f491_4f6c_dd1d);
    // by the size of the heap that the cloth lies in, the distance of its layers and how far away it is [m]
    for (size, distance, away) in [(0.2, 0.004, 0.0), (0.2, 0.004, 1e3), (20.0, 0.3, 0.0), (2e-3, 4e-5, 5.0)] {
        let pattern = Pattern::grid(11, 13, size, size, Plane::Xz);
        let positions = (0..pattern.len()).map(|_| noise.vector() * size + Vec3::splat(away));
        let mut cloth = Cloth::at_rest(positions.collect(), vec![1.0; pattern.len()]);
        let before = cloth.positions.clone();
        let partition = partition(&cloth);
        let settings = ClothContactSettings { distance, friction: 0.0 };
        let mut contact = SelfContact::default();
        let step = ContactStep { settings, pattern: &pattern, before: &before, dt: 0.01, pool: &ThreadPool::alone() };
        contact.begin(&mut ContactForces::default());
        contact.find(&step, ClothContacts::Sought, &[], &partition, &mut cloth);
        let near: Vec<Pair> =
            pairs(&pattern).into_iter().filter(|pair| is_near(pair, &before, REACH * distance)).collect();
        let (found, too_many) = contact.near_pairs();
        assert!(!too_many && found.len() > 50 && found.len() <= near.len(), "{} pairs in {size} m", found.len());
        assert!(found.is_sorted(), "pairs in {size} m");
        let known: BTreeSet<_> = found.iter().map(unordered).collect();
        let all: BTreeSet<_> = near.iter().map(unordered).collect();
        assert!(known.is_subset(&all), "pairs in {size} m, {away} m away");
        for pair in near.iter().filter(|pair| !known.contains(&unordered(pair))) {
            assert!(is_implied(pair, found, &before), "{pair:?} in {size} m, {away} m away");
        }
    }
}

/// A mesh and a state of it, with the distance of its layers [m], and whether parts of it may be too flat to touch themselves.
struct Start {
    name: &'static str,
    pattern: Pattern,
    positions: Vec<Vec3>,
    distance: f64,
    is_flat: bool,
}

fn starts(noise: &mut Noise) -> Vec<Start> {
    let distance = 0.004;
    let heap = Pattern::grid(11, 13, 0.2, 0.2, Plane::Xz);
    let in_heap: Vec<Vec3> = (0..heap.len()).map(|_| noise.vector() * 0.2).collect();
    let sheet = Pattern::grid(9, 8, 0.1, 0.1, Plane::Xz);
    let layers = Pattern::join(std::iter::repeat_n(&sheet, 3));
    let rest = layers.rest_positions().iter().enumerate();
    let in_layers = rest.map(|(i, x)| *x + Vec3::Y * (distance * (i / sheet.len()) as f64) + noise.vector() * 5e-4);
    let in_layers: Vec<Vec3> = in_layers.collect();
    // a band that lies in three folds
    let band = Pattern::grid(40, 5, 0.4, 0.04, Plane::Xz);
    let fold = |x: &Vec3| {
        let (length, radius) = (0.1, 0.6 * distance);
        let along = x.x % (length + std::f64::consts::PI * radius);
        let turn = (x.x / (length + std::f64::consts::PI * radius)).floor();
        let (mut flat, mut up) = (along.min(length), 2.0 * radius * turn);
        if along > length {
            let angle = (along - length) / radius;
            (flat, up) = (length + radius * angle.sin(), up + radius * (1.0 - angle.cos()));
        }
        Vec3::new(if (turn as u32).is_multiple_of(2) { flat } else { length - flat }, up, x.z)
    };
    let in_folds: Vec<Vec3> = band.rest_positions().iter().map(|x| fold(x) + noise.vector() * 1e-5).collect();
    vec![
        Start { name: "heap", pattern: heap, positions: in_heap, distance, is_flat: false },
        Start { name: "layers", pattern: layers, positions: in_layers, distance, is_flat: true },
        Start { name: "folds", pattern: band, positions: in_folds, distance, is_flat: true },
    ]
}

/// How far vertex `i` goes in step `k` [m]: hardly, a little, some of them far, all alike, all far, folded up, and in time back to rest.
fn way(k: usize, i: usize, x: Vec3, noise: &mut Noise) -> Vec3 {
    let noise = noise.vector();
    match k % 8 {
        0 | 1 | 7 => noise * 1e-6,
        2 => noise * 1e-4,
        3 => noise * if i.is_multiple_of(17) { 8e-3 } else { 1e-6 },
        4 => Vec3::new(0.3, -0.2, 0.1) + noise * 2e-6,
        5 => noise * 4e-3,
        _ => Vec3::new(0.0, 0.02 * (40.0 * x.x).sin(), 0.0),
    }
}

#[test]
fn what_is_found_is_what_is_near_in_every_step_and_does_not_show_what_was_found_before() {
    let mut noise = Noise(0x9e37_79b9_7f4a_7c15);
    let (dt, pool) = (0.01, ThreadPool::alone());
    for Start { name, pattern, positions, distance, is_flat } in starts(&mut noise) {
        let mut cloth = Cloth::at_rest(positions, vec![1.0; pattern.len()]);
        let (all, sheet) = (pairs(&pattern), pattern.len() as u32 / 3);
        let settings = ClothContactSettings { distance, friction: 0.3 };
        let (mut kept, mut without_forces) = (SelfContact::default(), SelfContact::default());
        let (mut most, mut looked) = (0, 0);
        let mut forces = ContactForces::default();
        for k in 0..24 {
            let before = cloth.positions.clone();
            let step = ContactStep { settings, pattern: &pattern, before: &before, dt, pool: &pool };
            for (i, x) in cloth.positions.iter_mut().enumerate() {
                *x += way(k, i, *x, &mut noise);
            }
            let proposed = cloth.positions.clone();
            let mut fresh = SelfContact::default();
            let mut same = forces.clone();
            let mut other = cloth.clone();
            for (contact, cloth, forces) in [(&mut kept, &mut cloth, &mut forces), (&mut fresh, &mut other, &mut same)]
            {
                contact.begin(forces);
                contact.find(&step, ClothContacts::Sought, &[], &partition(cloth), cloth);
            }
            assert_eq!(kept.near_pairs(), fresh.near_pairs(), "{name}, step {k}");
            let found = kept.near_pairs().0;
            most = most.max(found.len());
            assert!(found.is_sorted(), "{name}, step {k}");
            // nothing that pressed before, so that vertices are moved by an impact alone before the pairs are looked for
            let mut free = Cloth::at_rest(proposed.clone(), vec![1.0; pattern.len()]);
            without_forces.begin(&mut ContactForces::default());
            without_forces.find(&step, ClothContacts::Sought, &[], &partition(&cloth), &mut free);
            if free.positions == proposed {
                looked += 1;
                let pairs = without_forces.near_pairs().0;
                let found: BTreeSet<_> = pairs.iter().map(unordered).collect();
                for pair in &all {
                    // flat parts do not touch themselves
                    let is_asked = !is_flat || name == "layers" && pair.vertices[0] / sheet != pair.vertices[3] / sheet;
                    let turns = changes_sides(pair, &before, &proposed);
                    let near = is_near(pair, &proposed, REACH * distance);
                    let is_found = found.contains(&unordered(pair));
                    let is_known = is_found || !near || is_implied(pair, pairs, &proposed);
                    assert!(turns || is_known || !is_asked, "{name}, step {k}: {pair:?} is near");
                    assert!(turns || near || !is_found, "{name}, step {k}: {pair:?} is not near");
                }
            }
            for (contact, cloth, forces) in [(&mut kept, &mut cloth, &mut forces), (&mut fresh, &mut other, &mut same)]
            {
                contact.solve(&step, std::iter::empty(), cloth, forces);
                contact.truncate(&step, &[], cloth, |_| true, Clock::default());
            }
            assert_eq!(forces, same, "{name}, step {k}");
            assert_eq!(cloth, other, "{name}, step {k}");
        }
        assert!(most > 50 && looked > 6, "{name}: {most} pairs, {looked} looks");
    }
}
