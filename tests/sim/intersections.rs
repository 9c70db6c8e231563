//! The exact count of triangles that intersect.

use proptest::prelude::*;
use weft::sim::contact::Intersections;
use weft::sim::pattern::{Plane, Springs};
use weft::sim::{Pattern, Simulation, Vec3};

use crate::fixtures::{advance_free, assert_free, rippled, square};

/// The pairs that intersect among triangles over these points.
fn pairs(points: &[Vec3], triangles: &[[u32; 3]]) -> Vec<[u32; 2]> {
    let pattern = Pattern::new(points.to_vec(), triangles.to_vec(), Springs::default());
    Intersections::default().find(&pattern, points).to_vec()
}

/// Two triangles with the same points, in all orders of their corners, among each other, and with the axes exchanged.
fn intersect(points: &[Vec3], [s, t]: [[u32; 3]; 2]) -> bool {
    let orders = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]];
    let turned = |corners: [u32; 3], order: [usize; 3]| order.map(|at| corners[at]);
    let mut found = Vec::new();
    for axes in orders {
        let points: Vec<Vec3> = points.iter().map(|x| Vec3::from_array(axes.map(|axis| x[axis]))).collect();
        for (a, b) in orders.iter().flat_map(|a| orders.iter().map(move |b| (turned(s, *a), turned(t, *b)))) {
            found.push(!pairs(&points, &[a, b]).is_empty());
            found.push(!pairs(&points, &[b, a]).is_empty());
        }
    }
    assert!(found.iter().all(|one| *one == found[0]), "the answer depends on the order of corners or axes");
    found[0]
}

/// Two triangles without a common vertex.
fn apart(s: [[f64; 3]; 3], t: [[f64; 3]; 3]) -> bool {
    let points: Vec<Vec3> = s.into_iter().chain(t).map(Vec3::from_array).collect();
    intersect(&points, [[0, 1, 2], [3, 4, 5]])
}

const FLOOR: [[f64; 3]; 3] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];

/// The least step that numbers near one half can tell.
const ULP: f64 = f64::EPSILON / 2.0;

#[test]
fn a_vertex_through_a_triangle_counts_and_a_near_miss_does_not() {
    let tip = |y: f64| [[0.25, y, 0.25], [0.2, 1.0, 0.3], [0.3, 1.0, 0.2]];
    assert!(apart(FLOOR, tip(-0.1)));
    assert!(apart(FLOOR, tip(-1e-9)) && apart(FLOOR, tip(-1e-300)));
    assert!(!apart(FLOOR, tip(1e-9)) && !apart(FLOOR, tip(1e-300)));
    assert!(!apart(FLOOR, tip(0.1)));
}

#[test]
fn a_vertex_that_touches_a_triangle_its_edge_or_its_corner_counts() {
    let at = |x: f64, z: f64| apart(FLOOR, [[x, 0.0, z], [0.2, 1.0, 0.3], [0.3, 1.0, 0.2]]);
    assert!(at(0.25, 0.25) && at(0.5, 0.0) && at(0.5, 0.5) && at(0.0, 0.0) && at(1.0, 0.0));
    assert!(!at(0.5, -1e-9) && !at(-1e-9, -1e-9) && !at(1.0 + 1e-9, 0.0) && !at(0.5 + ULP, 0.5));
}

#[test]
fn an_edge_through_an_edge_counts_and_a_near_miss_does_not() {
    // an edge along z passes the edge of the floor along x at a height
    let blade = |x: f64, y: f64| [[x, y, -0.5], [x, y, 0.5], [x, y + 1.0, 0.0]];
    assert!(apart(FLOOR, blade(0.5, 0.0)), "edges that cross");
    assert!(apart(FLOOR, blade(0.5, -0.1)), "an edge below, the triangle above");
    assert!(!apart(FLOOR, blade(0.5, 1e-9)));
    // at the corner of the floor
    let needle = |x: f64| [[x, -0.5, -0.5], [x, 0.5, 0.5], [x + 1.0, 0.0, 0.0]];
    assert!(apart(FLOOR, needle(1.0)));
    assert!(!apart(FLOOR, needle(1.0 + 1e-9)) && !apart(FLOOR, needle(1.0 + 4.0 * ULP)));
}

#[test]
fn triangles_in_one_plane_count_if_they_overlap_or_touch() {
    let moved = |x: f64, z: f64| FLOOR.map(|[a, b, c]| [a + x, b, c + z]);
    assert!(apart(FLOOR, FLOOR), "they coincide");
    assert!(apart(FLOOR, moved(0.25, 0.25)) && apart(FLOOR, moved(1.0, 0.0)) && apart(FLOOR, moved(0.5, 0.5)));
    assert!(!apart(FLOOR, moved(1.0 + 1e-9, 0.0)) && !apart(FLOOR, moved(0.5, 0.5 + 1e-9)));
    // one inside the other, and a star without any vertex inside
    assert!(apart(FLOOR, [[0.2, 0.0, 0.2], [0.3, 0.0, 0.2], [0.2, 0.0, 0.3]]));
    assert!(apart(
        [[0.0, 0.0, 0.0], [6.0, 0.0, 0.0], [3.0, 0.0, 5.0]],
        [[0.0, 0.0, 3.0], [6.0, 0.0, 3.0], [3.0, 0.0, -2.0]]
    ));
    let above = FLOOR.map(|[a, _, c]| [a, 1e-9, c]);
    assert!(!apart(FLOOR, above));
}

#[test]
fn triangles_without_area_are_as_much_as_their_edges() {
    let line = |y: f64| [[0.25, -0.5, 0.25], [0.25, y, 0.25], [0.25, 0.5 * (y - 0.5), 0.25]];
    assert!(apart(FLOOR, line(0.5)) && apart(FLOOR, line(0.0)) && !apart(FLOOR, line(-1e-9)));
    let point = |x: f64| [[x, 0.0, 0.25]; 3];
    assert!(apart(FLOOR, point(0.25)) && !apart(FLOOR, point(-1e-9)) && apart(point(0.5), point(0.5)));
    assert!(!apart(point(0.5), point(0.5 + ULP)));
    // two lines: crossing, along each other, behind each other
    let flat = |from: [f64; 3], to: [f64; 3]| [from, to, from];
    let along = flat([0.0; 3], [1.0, 2.0, 3.0]);
    assert!(
        apart(along, flat([0.5, 1.0, 1.0], [0.5, 1.0, 2.0])) && apart(along, flat([1.0, 2.0, 3.0], [2.0, 4.0, 6.0]))
    );
    assert!(
        !apart(along, flat([1.5, 3.0, 4.5], [2.0, 4.0, 6.0])) && !apart(along, flat([0.5, 1.0, 1.6], [0.5, 1.0, 2.0]))
    );
}

#[test]
fn triangles_with_a_common_vertex_count_where_they_meet_beside_it() {
    let with = |a: [f64; 3], b: [f64; 3]| {
        let points = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0], a, b].map(Vec3::from_array);
        intersect(&points, [[0, 1, 2], [0, 3, 4]])
    };
    assert!(!with([-1.0, 0.0, 0.0], [0.0, 0.0, -1.0]), "beside each other in one plane");
    assert!(!with([1.0, 1.0, 0.0], [0.0, 1.0, 1.0]), "above it");
    assert!(with([0.3, -0.5, 0.3], [0.3, 0.5, 0.3]), "through it");
    assert!(with([3.0, -5.0, 3.0], [3.0, 5.0, 3.0]), "through it, larger than it");
    assert!(with([0.3, 0.0, 0.3], [0.3, 0.5, 0.3]), "an edge lies in it");
    assert!(!with([0.3, 1e-9, 0.3], [0.3, 0.5, 0.3]));
    assert!(with([2.0, 0.0, 0.0], [2.0, 1.0, 0.0]), "along its edge");
    assert!(!with([2.0, 0.0, -1e-9], [2.0, 1.0, 0.0]));
    assert!(with([0.9, 0.0, 0.1], [0.1, 0.0, 0.9]), "one lies in the other");
    assert!(with([-1.0, 0.0, 0.5], [1.0, 0.0, 0.5]) && !with([-1.0, 0.0, 0.5], [0.5, 0.0, -1.0]));
}

#[test]
fn triangles_with_a_common_edge_count_when_they_are_folded_flat() {
    let with = |b: [f64; 3]| {
        let points = [[0.0; 3], [1.0, 0.0, 0.0], [0.3, 0.0, 1.0], b].map(Vec3::from_array);
        intersect(&points, [[0, 1, 2], [1, 0, 3]])
    };
    assert!(with([0.6, 0.0, 0.5]) && with([5.0, 0.0, 1e-9]) && with([0.3, 0.0, 1.0]));
    assert!(!with([0.6, 1e-9, 0.5]) && !with([0.6, -1e-9, 0.5]) && !with([0.6, 0.0, -1e-9]));
    assert!(!with([2.0, 0.0, 0.0]), "without area it has nothing beside the edge in common");
    let lines = |a: f64, b: f64| {
        let points = [Vec3::ZERO, Vec3::X, Vec3::X * a, Vec3::X * b];
        intersect(&points, [[0, 1, 2], [1, 0, 3]])
    };
    assert!(lines(2.0, 1.5) && lines(-1.0, -2.0) && !lines(-1.0, 2.0) && !lines(0.5, 0.7) && !lines(2.0, 0.5));
}

#[test]
fn a_cloth_that_passes_through_itself_is_found_and_the_pairs_are_sorted() {
    // two layers of one mesh, cell by cell, the upper one pushed through the lower in one vertex
    let lower = Pattern::grid(6, 6, 1.0, 1.0, Plane::Xz);
    let mut points = lower.rest_positions().to_vec();
    points.extend(lower.rest_positions().iter().map(|x| *x + Vec3::new(0.03, 0.1, 0.02)));
    let count = lower.len() as u32;
    let mut triangles = lower.triangles().to_vec();
    triangles.extend(lower.triangles().iter().map(|corners| corners.map(|vertex| vertex + count)));
    assert_eq!(pairs(&points, &triangles), Vec::<[u32; 2]>::new());
    let moved = (count + 14) as usize;
    points[moved].y = -0.1;
    let found = pairs(&points, &triangles);
    let below = lower.triangles().len() as u32;
    assert!(!found.is_empty() && found.is_sorted() && found.iter().all(|[s, t]| *s < below && *t >= below));
    let pushed = |t: u32| triangles[t as usize].contains(&(moved as u32));
    assert!(found.iter().all(|&[_, t]| pushed(t)), "only the triangles around the vertex have moved");
    // it came through exactly one triangle, or exactly through an edge
    points[moved].y = 1e-9;
    assert_eq!(pairs(&points, &triangles), Vec::<[u32; 2]>::new());
}

#[test]
fn a_cloth_that_hangs_or_ripples_is_free_and_one_turned_through_itself_is_not() {
    let mut simulation = rippled("implicit-euler", 12, 9);
    assert_free(&simulation, "rippled");
    advance_free(&mut simulation, 20, "while it falls");
    // the left half is turned over the right and through it
    let middle = simulation.state.cloth.centroid();
    for x in simulation.state.cloth.positions.iter_mut().filter(|x| x.x < middle.x) {
        let d = *x - middle;
        (x.x, x.y) = (middle.x - 0.7 * d.x, middle.y + 0.2 * d.x + 0.05);
    }
    let pattern = simulation.pattern();
    assert!(!Intersections::default().find(pattern, &simulation.state.cloth.positions).is_empty());
}

#[test]
fn a_cut_that_has_not_opened_yet_is_free_of_intersections() {
    let mut simulation: Simulation = square("projective-dynamics", 9, 9);
    let edges: Vec<[u32; 2]> = (0..8).map(|row| [9 * row + 4, 9 * (row + 1) + 4]).collect();
    assert!(simulation.cut(&edges) > 0);
    assert_free(&simulation, "cut in two");
    let more: Vec<[u32; 2]> = (0..8).map(|column| [36 + column, 37 + column]).collect();
    assert!(simulation.cut(&more) > 0);
    assert_free(&simulation, "cut in four, with a vertex that was split twice");
    // one of the vertices moves over the seam
    let torn = simulation.state.cloth.positions.len() - 1;
    let start = simulation.state.cloth.positions[torn];
    let mut after = |shift: Vec3| {
        simulation.state.cloth.positions[torn] = start + shift;
        Intersections::default().find(simulation.pattern(), &simulation.state.cloth.positions).len()
    };
    assert_eq!(after(Vec3::ZERO), 0);
    let directions = [Vec3::X, Vec3::NEG_X, Vec3::Z, Vec3::NEG_Z];
    assert!(directions.into_iter().any(|shift| after(shift * 1e-3) > 0), "it passes the seam");
    assert!(directions.into_iter().any(|shift| after(shift * 1e-3) == 0), "it opens the seam");
}

#[test]
fn a_cloth_that_has_collapsed_is_counted_within_bounds_of_memory() {
    let pattern = Pattern::grid(41, 41, 1.0, 1.0, Plane::Xz);
    let mut search = Intersections::default();
    let found = search.find(&pattern, &vec![Vec3::ONE; pattern.len()]).len();
    assert_eq!(found, Intersections::MOST);
    assert!(search.find(&pattern, pattern.rest_positions()).is_empty());
    assert!(pairs(&[], &[]).is_empty());
}

// a check by other means: whole numbers, separating axes instead of edges against triangles

type Whole = [i128; 3];

fn minus(a: Whole, b: Whole) -> Whole {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn cross(a: Whole, b: Whole) -> Whole {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: Whole, b: Whole) -> i128 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn normal([a, b, c]: [Whole; 3]) -> Whole {
    cross(minus(b, a), minus(c, a))
}

/// Whether two triangles with an area have a point in common: if no axis separates them.
fn have_a_common_point(s: [Whole; 3], t: [Whole; 3]) -> bool {
    let edges = |[a, b, c]: [Whole; 3]| [minus(b, a), minus(c, b), minus(a, c)];
    let mut axes = vec![normal(s), normal(t)];
    for e in edges(s) {
        axes.push(cross(e, normal(s)));
        axes.extend(edges(t).map(|f| cross(e, f)));
    }
    axes.extend(edges(t).map(|f| cross(f, normal(t))));
    let span = |axis: Whole, t: [Whole; 3]| {
        let along = t.map(|x| dot(axis, x));
        (*along.iter().min().expect("three"), *along.iter().max().expect("three"))
    };
    !axes.into_iter().any(|axis| {
        let ((low, high), (other_low, other_high)) = (span(axis, s), span(axis, t));
        high < other_low || other_high < low
    })
}

/// Whether the cones from the origin over `a b` and `c d` have more in common than the origin: whether there are weights ≥ 0
/// with `s a + t b = u c + w d`.
fn cones_meet([a, b]: [Whole; 2], [c, d]: [Whole; 2]) -> bool {
    let det = |a, b, c| dot(a, cross(b, c));
    let weights = [det(b, c, d), -det(a, c, d), -det(a, b, d), det(a, b, c)];
    if weights != [0; 4] {
        // the only solution, up to its length
        return weights.iter().all(|w| *w >= 0) || weights.iter().all(|w| *w <= 0);
    }
    let within = |x: Whole, [a, b]: [Whole; 2]| {
        let n = cross(a, b);
        dot(cross(a, x), n) >= 0 && dot(cross(x, b), n) >= 0
    };
    within(a, [c, d]) || within(b, [c, d]) || within(c, [a, b]) || within(d, [a, b])
}

fn intersect_by_other_means(s: [u32; 3], t: [u32; 3], points: &[Whole]) -> bool {
    let at = |vertex: u32| points[vertex as usize];
    let shared: Vec<u32> = s.into_iter().filter(|vertex| t.contains(vertex)).collect();
    let beside = |corners: [u32; 3]| -> Vec<Whole> {
        corners.into_iter().filter(|vertex| !shared.contains(vertex)).map(at).collect()
    };
    match shared[..] {
        [] => have_a_common_point(s.map(at), t.map(at)),
        [v] => {
            let from = |corners: Vec<Whole>| [minus(corners[0], at(v)), minus(corners[1], at(v))];
            cones_meet(from(beside(s)), from(beside(t)))
        }
        [u, v] => {
            let [n, m] = [beside(s)[0], beside(t)[0]].map(|x| normal([at(u), at(v), x]));
            cross(n, m) == [0; 3] && dot(n, m) > 0
        }
        _ => false,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn the_pairs_are_those_that_arithmetic_of_whole_numbers_finds(
        numbers in prop::collection::vec(-3_i128..=3, 3 * 9),
        corners in prop::collection::vec(0_u32..9, 3 * 12),
        (scale, shift) in (-30_i32..=2, -64_i32..=64),
        flat in prop::bool::weighted(0.2),
    ) {
        let mut points: Vec<Whole> = numbers.chunks(3).map(|x| [x[0], x[1], x[2]]).collect();
        if flat {
            points.iter_mut().for_each(|x| x[1] = x[0] - x[2]);
        }
        let triangles: Vec<[u32; 3]> = corners.chunks(3).map(|t| [t[0], t[1], t[2]])
            .filter(|&t| normal(t.map(|vertex| points[vertex as usize])) != [0; 3]).collect();
        // multiplication by a power of two and these sums are exact
        let real = |x: i128| (x as f64 + f64::from(shift)) * 2_f64.powi(scale);
        let placed: Vec<Vec3> = points.iter().map(|x| Vec3::from_array(x.map(real))).collect();
        let mut expected = Vec::new();
        for s in 0..triangles.len() {
            for t in s + 1..triangles.len() {
                if intersect_by_other_means(triangles[s], triangles[t], &points) {
                    expected.push([s as u32, t as u32]);
                }
            }
        }
        prop_assert_eq!(pairs(&placed, &triangles), expected);
    }
}
