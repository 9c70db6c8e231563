//! What opening a mesh along edges keeps.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use proptest::prelude::*;
use weft::sim::model::material::{Mass, MassModel};
use weft::sim::pattern::{Family, OneRings, Plane};
use weft::sim::{Pattern, Simulation, Vec3};

use crate::fixtures::{advance, rippled};

pub fn edges(pattern: &Pattern) -> Vec<[u32; 2]> {
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
pub fn hangs_at_a_point(pattern: &Pattern) -> Option<u32> {
    (0..pattern.len() as u32).find(|&vertex| {
        let fan: Vec<_> = pattern.triangles().iter().copied().filter(|corners| corners.contains(&vertex)).collect();
        !fan.is_empty() && reached(&fan, |shared| shared == vertex) < fan.len()
    })
}

/// Number of pieces of cloth.
pub fn pieces(pattern: &Pattern) -> usize {
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
    let rings = OneRings::of(after);
    for edge in edges(after) {
        let was = edge.map(|v| origins[v as usize]);
        let had = before.springs().ends.iter().any(|ends| {
            let ends = ends.map(|v| old[v as usize]);
            ends == was || ends == [was[1], was[0]]
        });
        prop_assert_eq!(had, seen.contains_key(&edge), "each lip keeps its spring: {:?}", edge);
    }
    for &[i, j] in &springs.ends {
        let common = |m: u32| m != i && m != j && rings.has_edge(i, m) && rings.has_edge(m, j);
        let supported = rings.has_edge(i, j) || (0..after.len() as u32).any(common);
        prop_assert!(supported, "nothing holds the spring from {} to {}", i, j);
    }
    Ok(())
}

pub fn momentum(simulation: &Simulation) -> Vec3 {
    simulation.state.cloth.masses.iter().zip(&simulation.state.cloth.velocities).map(|(m, v)| *v * *m).sum()
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
        let (mass, start) = (simulation.state.cloth.masses.iter().sum::<f64>(), momentum(&simulation));
        let kinetic = simulation.energy().kinetic;
        let picked = edges(simulation.pattern()).into_iter().zip(picks.iter().cycle());
        let opened: Vec<_> = picked.filter(|(_, pick)| **pick).map(|(edge, _)| edge).collect();
        simulation.cut(&opened);
        prop_assert!((simulation.state.cloth.masses.iter().sum::<f64>() / mass - 1.0).abs() < 1e-12);
        prop_assert!(simulation.state.cloth.masses.iter().all(|m| *m > 0.0));
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
