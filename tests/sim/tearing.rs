//! Tearing and cutting: what opening a mesh keeps, when threads give way, and what a stroke of the knife opens.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use proptest::prelude::*;
use weft::sim::model::material::{Mass, MassModel};
use weft::sim::pattern::{Family, Fans, Plane};
use weft::sim::topology::cut_path::{CutPath, Hit};
use weft::sim::{Grab, Pattern, Pin, Simulation, Vec3, solvers};

use crate::fixtures::{advance, every, rippled, solver_ids, square};

fn edges(pattern: &Pattern) -> Vec<[u32; 2]> {
    let mut edges: Vec<[u32; 2]> = (pattern.triangles().iter())
        .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]])
        .map(|[i, j]| [i.min(j), i.max(j)])
        .collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}

/// The triangles that can be reached from the first of `triangles` over edges for which `over` holds.
fn reached(triangles: &[[u32; 3]], over: impl Fn(u32) -> bool) -> usize {
    let mut seen = BTreeSet::from([0]);
    let mut queue = VecDeque::from([0]);
    while let Some(at) = queue.pop_front() {
        for (other, corners) in triangles.iter().enumerate() {
            let shared: Vec<u32> = corners.iter().copied().filter(|v| triangles[at].contains(v)).collect();
            if shared.len() >= 2 && shared.iter().any(|&v| over(v)) && seen.insert(other) {
                queue.push_back(other);
            }
        }
    }
    seen.len()
}

/// The first vertex at which triangles hang together at a point only.
fn hangs_at_a_point(pattern: &Pattern) -> Option<u32> {
    (0..pattern.len() as u32).find(|&vertex| {
        let fan: Vec<_> = pattern.triangles().iter().copied().filter(|corners| corners.contains(&vertex)).collect();
        !fan.is_empty() && reached(&fan, |shared| shared == vertex) < fan.len()
    })
}

/// Number of pieces of cloth.
fn pieces(pattern: &Pattern) -> usize {
    let mut piece: Vec<usize> = (0..pattern.len()).collect();
    loop {
        let mut changed = false;
        for corners in pattern.triangles() {
            let lowest = corners.iter().map(|&v| piece[v as usize]).min().expect("three");
            for &v in corners {
                changed |= std::mem::replace(&mut piece[v as usize], lowest) != lowest;
            }
        }
        if !changed {
            break;
        }
    }
    let used: BTreeSet<usize> = pattern.triangles().as_flattened().iter().map(|&v| piece[v as usize]).collect();
    used.len()
}

fn area(pattern: &Pattern) -> f64 {
    let corner = |v: u32| pattern.rest_positions()[v as usize];
    pattern
        .triangles()
        .iter()
        .map(|&[a, b, c]| 0.5 * (corner(b) - corner(a)).cross(corner(c) - corner(a)).length())
        .sum()
}

/// An irregular mesh: a grid with shifted vertices, diagonals to either side, and perhaps holes and triangles that hang at a
/// point.
fn irregular(columns: u32, rows: u32, chance: &[u8], holes: bool) -> Pattern {
    let mut chance = chance.iter().copied().cycle();
    let mut next = || chance.next().unwrap_or(0);
    let mut points = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            let shift = |chance: u8| 0.3 * (f64::from(chance) / 255.0 - 0.5);
            points.push(Vec3::new(f64::from(column) + shift(next()), shift(next()), f64::from(row) + shift(next())));
        }
    }
    let mut triangles = Vec::new();
    for row in 0..rows - 1 {
        for column in 0..columns - 1 {
            let a = row * columns + column;
            let (b, c, d) = (a + 1, a + columns, a + columns + 1);
            let pair = if next() % 2 == 0 { [[a, c, b], [b, c, d]] } else { [[a, c, d], [a, d, b]] };
            triangles.extend(pair.into_iter().filter(|_| !holes || next() > 80));
        }
    }
    Pattern::mesh(points, triangles)
}

/// What holds after any opening.
fn check_opened(before: &Pattern, after: &Pattern) -> Result<(), TestCaseError> {
    let origins = after.origins();
    let old = before.origins();
    prop_assert_eq!(after.triangles().len(), before.triangles().len());
    prop_assert!((area(after) - area(before)).abs() < 1e-12);
    for (new, was) in after.triangles().iter().zip(before.triangles()) {
        prop_assert_eq!(new.map(|v| origins[v as usize]), was.map(|v| old[v as usize]), "a triangle changed its place");
    }
    for (vertex, &parent) in (before.len()..).zip(&after.parents()[before.parents().len()..]) {
        prop_assert!((parent as usize) < vertex);
        prop_assert_eq!(after.rest_positions()[vertex], after.rest_positions()[parent as usize]);
    }
    // springs: no two in one place, none lost along an edge, none between parts that do not hang together
    let springs = after.springs();
    let mut seen = BTreeMap::new();
    for (e, &[i, j]) in springs.ends.iter().enumerate() {
        prop_assert_ne!(i, j);
        prop_assert!(seen.insert([i.min(j), i.max(j)], e).is_none(), "two springs from {} to {}", i, j);
    }
    let fans = Fans::of(after);
    for edge in edges(after) {
        let was = edge.map(|v| origins[v as usize]);
        let had = before.springs().ends.iter().any(|ends| {
            let ends = ends.map(|v| old[v as usize]);
            ends == was || ends == [was[1], was[0]]
        });
        prop_assert_eq!(had, seen.contains_key(&edge), "each lip keeps its spring: {:?}", edge);
    }
    for &[i, j] in &springs.ends {
        let common = |m: u32| m != i && m != j && fans.has_edge(i, m) && fans.has_edge(m, j);
        let supported = fans.has_edge(i, j) || (0..after.len() as u32).any(common);
        prop_assert!(supported, "nothing holds the spring from {} to {}", i, j);
    }
    Ok(())
}

fn momentum(simulation: &Simulation) -> Vec3 {
    simulation.cloth.masses.iter().zip(&simulation.cloth.velocities).map(|(m, v)| *v * *m).sum()
}

proptest! {
    #[test]
    fn opened_cloth_hangs_together_at_edges_or_not_at_all(
        columns in 2_usize..8, rows in 2_usize..8, grid in any::<bool>(),
        chance in proptest::collection::vec(any::<u8>(), 40),
        share in 1_u8..=255, picks in proptest::collection::vec(any::<u8>(), 97),
    ) {
        let pattern = if grid {
            Pattern::grid(columns, rows, 1.0, 1.0, Plane::Xz)
        } else {
            irregular(columns as u32, rows as u32, &chance, false)
        };
        let mut pattern = pattern;
        // twice, so that what is torn already is torn further
        for round in 0..2 {
            let picked = picks.iter().cycle().skip(31 * round);
            let opened: Vec<_> =
                edges(&pattern).into_iter().zip(picked).filter(|(_, pick)| **pick <= share).map(|(edge, _)| edge).collect();
            let Some(after) = pattern.open(&opened) else { continue };
            check_opened(&pattern, &after)?;
            prop_assert_eq!(hangs_at_a_point(&after), None);
            prop_assert_ne!(after.revision(), pattern.revision());
            pattern = after;
        }
    }

    #[test]
    fn a_mesh_that_hangs_at_points_or_has_edges_with_three_triangles_can_be_opened_too(
        columns in 2_u32..7, rows in 2_u32..7,
        chance in proptest::collection::vec(any::<u8>(), 60), extra in any::<[u8; 9]>(),
    ) {
        let holed = irregular(columns, rows, &chance, true);
        let mut triangles = holed.triangles().to_vec();
        // fins, doubled and degenerate triangles
        for three in extra.chunks_exact(3) {
            triangles.push([0, 1, 2].map(|at| u32::from(three[at]) % (columns * rows)));
        }
        let pattern = Pattern::mesh(holed.rest_positions().to_vec(), triangles);
        let opened: Vec<_> = edges(&pattern).into_iter().step_by(2).collect();
        if let Some(after) = pattern.open(&opened) {
            prop_assert_eq!(after.triangles().len(), pattern.triangles().len());
            prop_assert!((area(&after) - area(&pattern)).abs() < 1e-9);
        }
    }

    #[test]
    fn opening_makes_no_mass_and_no_momentum(
        per_vertex in any::<bool>(), picks in proptest::collection::vec(any::<bool>(), 61),
    ) {
        let mut simulation = rippled("xpbd", 6, 5);
        let mass_model = if per_vertex { MassModel::PerVertex } else { MassModel::AreaDensity };
        simulation.parameters.mass = Mass { mass_model, ..Mass::default() };
        advance(&mut simulation, 1);
        let (mass, start) = (simulation.cloth.masses.iter().sum::<f64>(), momentum(&simulation));
        let kinetic = simulation.energy().kinetic;
        let picked = edges(simulation.pattern()).into_iter().zip(picks.iter().cycle());
        let opened: Vec<_> = picked.filter(|(_, pick)| **pick).map(|(edge, _)| edge).collect();
        simulation.cut(&opened);
        prop_assert!((simulation.cloth.masses.iter().sum::<f64>() / mass - 1.0).abs() < 1e-12);
        prop_assert!(simulation.cloth.masses.iter().all(|m| *m > 0.0));
        prop_assert!(momentum(&simulation).distance(start) < 1e-12 * mass);
        prop_assert!((simulation.energy().kinetic / kinetic - 1.0).abs() < 1e-12);
    }
}

#[test]
fn an_edge_alone_inside_the_cloth_opens_nothing_and_two_make_a_slit() {
    let pattern = Pattern::grid(5, 5, 1.0, 1.0, Plane::Xz);
    assert_eq!(pattern.open(&[[12, 13]]), None);
    assert_eq!(pattern.open(&[[0, 99], [3, 3]]), None, "edges that are none");
    let slit = pattern.open(&[[13, 12], [11, 12]]).expect("a slit");
    assert_eq!((slit.parents(), slit.len()), (&[12][..], 26));
    assert_eq!(slit.open(&[[11, 12], [12, 13]]), None, "it is open already");
    // from the rim one is enough, and an edge of the rim is open as it is
    assert_eq!(pattern.open(&[[10, 11]]).expect("a notch").parents(), [10]);
    assert_eq!(pattern.open(&[[0, 1]]), None);
}

#[test]
fn across_a_cut_no_spring_is_left_and_along_it_each_lip_has_its_own() {
    // the middle row of a grid of 5 × 5, from rim to rim
    let pattern = Pattern::grid(5, 5, 1.0, 1.0, Plane::Xz);
    let row: Vec<[u32; 2]> = (10..14).map(|i| [i, i + 1]).collect();
    let cut = pattern.open(&row).expect("two halves");
    assert_eq!((pieces(&cut), cut.len()), (2, 30));
    let half = Pattern::grid(5, 3, 1.0, 0.5, Plane::Xz);
    for family in Family::ALL {
        let count = |pattern: &Pattern| pattern.springs().families.iter().filter(|other| **other == family).count();
        assert_eq!(count(&cut), 2 * count(&half), "as two grids of half the size have: {family:?}");
    }
    // a diagonal cut takes the other diagonal's spring with it
    let [a, b] = [[0_u32, 6], [1, 5]];
    let pattern = Pattern::grid(2, 2, 1.0, 1.0, Plane::Xz);
    assert_eq!(edges(&pattern).len(), 5, "{a:?} or {b:?}");
    let cut = pattern.open(&edges(&pattern)).expect("two triangles");
    assert_eq!((cut.len(), cut.springs().len(), pieces(&cut)), (6, 6, 2));
}

#[test]
fn a_spring_beside_the_mesh_stays_where_it_is() {
    use weft::sim::pattern::Springs;
    let grid = Pattern::grid(4, 4, 1.0, 1.0, Plane::Xz);
    let lone = Springs { ends: vec![[0, 15]], rest_lengths: vec![1.0], families: vec![Family::Structural] };
    let pattern = Pattern::new(grid.rest_positions().to_vec(), grid.triangles().to_vec(), lone.clone());
    assert_eq!(pattern.open(&edges(&grid)).expect("loose triangles").springs(), &lone);
}

/// A strip of 6 × 13 vertices, 0.25 m × 0.6 m, whose lower end is drawn down by `strain` of its length within a second.
fn pulled_strip(solver: &str, strain: f64) -> Simulation {
    let pattern = Pattern::grid(6, 13, 0.25, 0.6, Plane::Xy);
    let mass = Mass { mass_model: MassModel::AreaDensity, ..Mass::default() };
    let mut simulation = Simulation::new(pattern, mass, solvers::build(solver).expect("registered"));
    simulation.parameters.contact.ground = false;
    simulation.parameters.timing.time_step = 0.01;
    simulation.parameters.material.damping = 0.01;
    (0..6).for_each(|vertex| simulation.cloth.pin_here(vertex));
    let points = vec![(0.0, Vec3::ZERO), (1.0, Vec3::NEG_Y * (0.6 * strain))];
    let path = weft::sim::Path::Waypoints { points, repeat: false };
    for vertex in 72..78 {
        let origin = simulation.cloth.positions[vertex as usize];
        simulation.cloth.pin(Pin { vertex, origin, motion: Some(path.clone().into()) });
    }
    simulation.parameters.tearing.tearing = true;
    simulation.parameters.tearing.tear_strain = 0.3;
    simulation
}

#[test]
fn a_strip_that_is_pulled_comes_in_two_and_without_tearing_only_gets_longer() {
    for solver in ["fast-mass-spring", "implicit-euler", "xpbd"] {
        let mut strip = pulled_strip(solver, 0.8);
        let mut torn = 0;
        for _ in 0..120 {
            torn += strip.step().expect("stable").torn;
        }
        assert!(pieces(strip.pattern()) >= 2, "{solver}");
        assert_eq!(strip.cloth.len(), 78 + torn as usize, "{solver}");
        assert_eq!(hangs_at_a_point(strip.pattern()), None, "{solver}");
        assert!(strip.largest_stretch() < 0.3, "{solver}: what is left hangs at ease, {}", strip.largest_stretch());
        assert!(strip.cloth.pins().iter().map(|pin| pin.vertex).eq((0..6).chain(72..78)), "{solver}: pins stay");

        let mut whole = pulled_strip(solver, 0.8);
        whole.parameters.tearing.tearing = false;
        advance(&mut whole, 120);
        assert_eq!((pieces(whole.pattern()), whole.cloth.len()), (1, 78), "{solver}");
        assert!(whole.largest_stretch() > 0.7, "{solver}");

        let mut easy = pulled_strip(solver, 0.2);
        advance(&mut easy, 120);
        assert_eq!(easy.cloth.len(), 78, "{solver}: not pulled far enough");
    }
}

/// Strain of a strip at which it tears from a notch of two vertices right through.
fn strain_at_break(resistance: f64) -> f64 {
    let mut strip = pulled_strip("implicit-euler", 2.0);
    strip.parameters.tearing.tear_resistance = resistance;
    assert!(strip.cut(&[[36, 37], [37, 38]]) > 0);
    for step in 1..=100 {
        strip.step().expect("stable");
        if pieces(strip.pattern()) > 1 {
            return 2.0 * f64::from(step) / 100.0;
        }
    }
    f64::INFINITY
}

#[test]
fn the_more_a_tear_is_resisted_the_further_a_notched_strip_can_be_pulled() {
    let [low, middle, high] = [0.2, 0.6, 1.0].map(strain_at_break);
    assert!(low < 0.8 * middle && middle < high && high.is_finite(), "{low} {middle} {high}");
}

#[test]
fn a_cloth_in_loose_triangles_steps_with_every_solver() {
    every(solver_ids(), |solver| {
        let mut simulation = rippled(solver, 7, 6);
        simulation.parameters.timing.time_step = 0.001;
        simulation.cloth.pin_here(0);
        simulation.grab = Some(Grab { vertex: 20, target: simulation.cloth.positions[20] });
        advance(&mut simulation, 3);
        let all = edges(simulation.pattern());
        simulation.cut(&all);
        let count = simulation.pattern().triangles().len();
        assert_eq!((simulation.cloth.len(), pieces(simulation.pattern())), (3 * count, count));
        let start = momentum(&simulation).y;
        advance(&mut simulation, 50);
        assert_eq!(simulation.cloth.pins().len(), 1);
        let fell = (start - momentum(&simulation).y) / simulation.cloth.masses.iter().sum::<f64>();
        assert!(fell > 0.1, "{solver}: the pieces fall, not {fell} m/s");
    });
}

#[test]
fn a_cut_between_steps_survives_every_solver_and_the_adaptive_step() {
    every(solver_ids(), |solver| {
        for adaptive in [false, true] {
            let mut simulation = rippled(solver, 8, 8);
            simulation.parameters.timing.time_step = 0.002;
            simulation.parameters.timing.adaptive = adaptive;
            simulation.parameters.contact.ground = true;
            simulation.cloth.pin_here(0);
            simulation.cloth.pin_here(7);
            for row in 0..6_u32 {
                advance(&mut simulation, 2);
                let first = 8 * row + 3;
                simulation.cut(&[[first, first + 8]]);
            }
            advance(&mut simulation, 5);
            assert_eq!(simulation.cloth.len(), 64 + 6, "{solver}");
        }
    });
}

#[test]
fn the_same_tear_gives_the_same_bits() {
    let run = || {
        let mut strip = pulled_strip("fast-mass-spring", 1.0);
        advance(&mut strip, 110);
        (strip.cloth.clone(), strip.pattern().clone())
    };
    assert_eq!(run(), run());
}

#[test]
fn going_back_to_before_a_tear_makes_the_cloth_whole_and_the_same_again() {
    every(solver_ids(), |solver| {
        let mut simulation = rippled(solver, 6, 6);
        simulation.cloth.pin_here(0);
        simulation.parameters.timing.time_step = 0.001;
        // from here on nothing is carried over from before
        let start = simulation.checkpoint();
        simulation.return_to(start.clone());
        advance(&mut simulation, 4);
        let whole = simulation.cloth.clone();
        let row: Vec<[u32; 2]> = (12..17).map(|i| [i, i + 1]).collect();
        assert_eq!(simulation.cut(&row), 6);
        advance(&mut simulation, 4);
        let torn = simulation.checkpoint();
        simulation.return_to(start);
        assert_eq!((simulation.cloth.len(), simulation.pattern().len(), simulation.steps()), (36, 36, 0));
        advance(&mut simulation, 4);
        assert_eq!(simulation.cloth, whole, "{solver}");
        // and forward again, to what is torn
        simulation.return_to(torn);
        assert_eq!((simulation.cloth.len(), simulation.pattern().len()), (42, 42));
        advance(&mut simulation, 4);
    });
}

#[test]
fn a_pin_keeps_its_vertex_and_the_cloth_tears_beside_it() {
    // a cloth that hangs at one vertex, far too heavy for its threads
    let mut simulation = square("fast-mass-spring", 7, 7);
    simulation.cloth.pin_here(3);
    simulation.parameters.mass.vertex_mass = 2.0;
    simulation.parameters.tearing.tearing = true;
    advance(&mut simulation, 200);
    assert!(simulation.cloth.len() > 49);
    assert_eq!(simulation.cloth.pins().len(), 1);
    assert_eq!(simulation.cloth.positions[3], Vec3::new(0.5, 1.0, 0.0));
    assert_eq!(hangs_at_a_point(simulation.pattern()), None);
}

/// What a stroke from `from` to `to`, points of the flat unit square, does to a cloth of 9 × 9 vertices, if it comes in
/// `parts`.
fn stroke(from: [f64; 2], to: [f64; 2], parts: usize) -> Pattern {
    let mut pattern = Pattern::grid(9, 9, 1.0, 1.0, Plane::Xz);
    let mut knife = CutPath::default();
    let met = |pattern: &Pattern, share: f64| -> Option<Hit> {
        let [x, z] = [0, 1].map(|axis| from[axis] + share * (to[axis] - from[axis]));
        let point = Vec3::new(x, 0.0, z);
        let inside = |corners: &[u32; 3]| {
            let [a, b, c] = corners.map(|v| pattern.rest_positions()[v as usize]);
            [(a, b), (b, c), (c, a)].into_iter().all(|(a, b)| (b - a).cross(point - a).y >= -1e-12)
        };
        let triangle = pattern.triangles().iter().position(inside)? as u32;
        Some(Hit { triangle, point })
    };
    for part in 0..parts {
        let shares = (0..=400 / parts).map(|at| (part as f64 + at as f64 / (400 / parts) as f64) / parts as f64);
        let points: Vec<_> = shares.map(|share| met(&pattern, share)).collect();
        let opened = knife.follow(&Fans::of(&pattern), pattern.rest_positions(), &points);
        pattern = pattern.open(&opened).unwrap_or(pattern);
    }
    pattern
}

#[test]
fn a_stroke_across_the_cloth_cuts_it_in_two_in_whatever_direction_and_however_slowly() {
    for parts in [1, 3, 50] {
        for (from, to) in [
            ([-0.2, 0.43], [1.2, 0.57]),
            ([1.1, 0.8], [-0.1, 0.2]),
            ([0.3, -0.1], [0.7, 1.1]),
            ([0.5, 1.3], [0.5, -0.3]),
            ([-0.1, 0.3], [0.3, -0.1]),
        ] {
            let cut = stroke(from, to, parts);
            assert_eq!(pieces(&cut), 2, "{from:?} to {to:?} in {parts} parts");
            assert_eq!(hangs_at_a_point(&cut), None);
            // straight: hardly more vertices than the stroke is long
            let length = Vec3::from_array([to[0] - from[0], to[1] - from[1], 0.0]).length() * 8.0;
            assert!((cut.parents().len() as f64) < 1.5 * length + 2.0, "{}", cut.parents().len());
        }
    }
}

#[test]
fn a_stroke_inside_the_cloth_leaves_a_slit_and_one_beside_it_nothing() {
    for parts in [1, 40] {
        let slit = stroke([0.26, 0.5], [0.74, 0.52], parts);
        assert_eq!((pieces(&slit), slit.parents().len()), (1, 3), "five vertices long, {parts}");
        assert_eq!(stroke([-0.5, -0.1], [1.5, -0.1], parts).parents().len(), 0);
        let notch = stroke([-0.2, 0.5], [0.5, 0.5], parts);
        assert_eq!((pieces(&notch), notch.parents().len()), (1, 4), "{parts}");
    }
}
