//! Which pairs of layers are found, against a look at all of them.

use weft::sim::contact::self_contact::distance::{edge_edge, vertex_triangle};
use weft::sim::contact::self_contact::{LayerSettings, Pair, SelfContact};
use weft::sim::exec::team::Team;
use weft::sim::model::partition::Partition;
use weft::sim::pattern::Plane;
use weft::sim::{Cloth, Pattern, Vec3};

/// Pairs closer than so many times the distance of layers are near.
const REACH: f64 = 1.9;

/// Whether the closest points of a pair are within `reach` [m] and its own: inside both edges, or over the triangle.
fn is_near(pair: &Pair, x: &[Vec3], reach: f64) -> bool {
    let x = pair.corners(x);
    if pair.first == 2 {
        let closest = edge_edge(&x);
        // nearly parallel edges keep less
        let (u, v) = (x[1] - x[0], x[3] - x[2]);
        let sine = u.cross(v).length_squared() / (u.length_squared() * v.length_squared());
        return closest.distance() < reach * (sine / 0.1).min(1.0) && closest.weights.iter().all(|weight| *weight != 0.0);
    }
    let closest = vertex_triangle(&x);
    let normal = (x[2] - x[1]).cross(x[3] - x[1]);
    let steep = normal.dot(closest.difference).abs() >= 0.98 * normal.length() * closest.difference.length();
    closest.distance() < reach && steep
}

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

#[test]
fn every_pair_that_is_near_is_found_and_hardly_another_wherever_the_cloth_is_and_however_large() {
    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    let mut noise = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as f64 / f64::from(1_u32 << 31) - 0.5
    };
    // by the size of the heap that the cloth lies in, the distance of its layers and how far away it is [m]
    for (size, distance, away) in [(0.2, 0.004, 0.0), (0.2, 0.004, 1e3), (20.0, 0.3, 0.0), (2e-3, 4e-5, 5.0)] {
        let pattern = Pattern::grid(11, 13, size, size, Plane::Xz);
        let positions = (0..pattern.len()).map(|_| Vec3::new(noise(), noise(), noise()) * size + Vec3::splat(away));
        let mut cloth = Cloth::at_rest(positions.collect(), vec![1.0; pattern.len()]);
        let before = cloth.positions.clone();
        let mut partition = Partition::default();
        partition.update(&cloth, None, 0.0, 0.01);
        let settings = LayerSettings { distance, friction: 0.0 };
        let mut contact = SelfContact::default();
        contact.find_layers(&settings, &pattern, &partition, &before, &mut cloth, 0.01, &Team::alone());
        let expected = pairs(&pattern).iter().filter(|pair| is_near(pair, &before, REACH * distance)).count();
        let (found, too_many) = contact.near_pairs();
        assert!(!too_many && expected > 50, "{expected} pairs in {size} m");
        assert_eq!(found as usize, expected, "pairs in {size} m, {away} m away");
    }
}
