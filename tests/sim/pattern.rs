//! Patterns: grids and meshes, their springs and masses.

use std::collections::BTreeMap;

use proptest::prelude::*;
use weft::sim::model::material::{Mass, MassModel};
use weft::sim::pattern::{Blank, Family, Plane};
use weft::sim::{Pattern, Vec3};

fn count(pattern: &Pattern, family: Family) -> usize {
    pattern.springs().families.iter().filter(|other| **other == family).count()
}

proptest! {
    #[test]
    fn a_grid_has_the_springs_and_triangles_that_its_size_says(columns in 2_usize..12, rows in 2_usize..12) {
        let pattern = Pattern::grid(columns, rows, 1.0, 1.0, Plane::Xz);
        prop_assert_eq!(pattern.len(), columns * rows);
        prop_assert_eq!(count(&pattern, Family::Structural), (columns - 1) * rows + columns * (rows - 1));
        prop_assert_eq!(count(&pattern, Family::Shear), 2 * (columns - 1) * (rows - 1));
        let bend = columns.saturating_sub(2) * rows + columns * rows.saturating_sub(2);
        prop_assert_eq!(count(&pattern, Family::Bend), bend);
        prop_assert_eq!(pattern.triangles().len(), 2 * (columns - 1) * (rows - 1));
        // all triangles face the same way and cover the cloth
        let area: Vec3 = pattern.triangles().iter().map(|triangle| {
            let [a, b, c] = triangle.map(|vertex| pattern.rest_positions()[vertex as usize]);
            0.5 * (b - a).cross(c - a)
        }).sum();
        prop_assert!((area - Vec3::Y).length() < 1e-12);
    }

    #[test]
    fn every_spring_is_found_from_both_of_its_ends(columns in 2_usize..8, rows in 2_usize..8) {
        let pattern = Pattern::grid(columns, rows, 1.0, 0.5, Plane::Xy);
        let mut found = 0;
        for vertex in 0..pattern.len() as u32 {
            let entries = pattern.neighbours().of_vertex(vertex);
            prop_assert!(entries.is_sorted());
            for &(spring, other) in entries {
                let mut ends = pattern.springs().ends[spring as usize];
                ends.sort_unstable();
                prop_assert_eq!(ends, [vertex.min(other), vertex.max(other)]);
                found += 1;
            }
        }
        prop_assert_eq!(found, 2 * pattern.springs().len());
    }

    #[test]
    fn a_cloth_of_given_density_weighs_the_same_at_every_resolution(columns in 2_usize..20, rows in 2_usize..20) {
        let pattern = Pattern::grid(columns, rows, 1.5, 0.8, Plane::Zy);
        let mass = Mass { mass_model: MassModel::AreaDensity, area_density: 0.3, ..Mass::default() };
        let mut masses = Vec::new();
        mass.distribute(&pattern, &mut masses);
        prop_assert!((masses.iter().sum::<f64>() - 0.3 * 1.5 * 0.8).abs() < 1e-12);
        prop_assert!(masses.iter().all(|mass| *mass > 0.0));
    }
}

#[test]
fn a_plane_means_the_same_pattern_upright_and_flat() {
    // the three planes differ by a rotation only
    let lengths = |plane| Pattern::grid(5, 4, 1.0, 0.7, plane).springs().rest_lengths.clone();
    let flat = lengths(Plane::Xz);
    for other in [lengths(Plane::Xy), lengths(Plane::Zy)] {
        assert!(other.len() == flat.len() && flat.iter().zip(&other).all(|(a, b)| (a - b).abs() < 1e-15));
    }
}

/// Two triangles that share the edge from 0 to 1.
fn hinge() -> Pattern {
    let corners = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, -1.0)];
    let positions = corners.iter().map(|&(x, z)| Vec3::new(x, 0.0, z)).collect();
    Pattern::mesh(positions, vec![[0, 1, 2], [1, 0, 3]])
}

#[test]
fn a_mesh_has_structural_springs_along_edges_and_bend_springs_across_interior_edges() {
    let pattern = hinge();
    assert_eq!(count(&pattern, Family::Structural), 5);
    assert_eq!(count(&pattern, Family::Shear), 0);
    assert_eq!(count(&pattern, Family::Bend), 1);
    let bend = pattern.springs().families.iter().position(|family| *family == Family::Bend).expect("counted above");
    assert_eq!(pattern.springs().ends[bend], [2, 3]);
    assert!((pattern.springs().rest_lengths[bend] - 5_f64.sqrt()).abs() < 1e-15);
}

#[test]
fn no_two_springs_of_a_mesh_join_the_same_vertices() {
    // three triangles on one edge, and a tetrahedron whose opposite vertices are joined by edges already
    let positions: Vec<Vec3> = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z, Vec3::NEG_Z].to_vec();
    for triangles in [vec![[0, 1, 2], [0, 1, 3], [0, 1, 4]], vec![[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]]] {
        let pattern = Pattern::mesh(positions.clone(), triangles);
        let mut ends = pattern.springs().ends.clone();
        ends.sort_unstable();
        let all = ends.len();
        ends.dedup();
        assert_eq!(ends.len(), all);
        assert!(ends.iter().all(|[i, j]| i < j));
    }
}

/// The springs of a mesh as they are described: an edge after another by rising ends, then the pairs of vertices that face each other across
/// an edge, each with the next seven, and are not joined yet, edge by edge.
fn described(triangles: &[[u32; 3]]) -> Vec<[u32; 2]> {
    let rising = |i: u32, j: u32| [i.min(j), i.max(j)];
    let mut opposite: BTreeMap<[u32; 2], Vec<u32>> = BTreeMap::new();
    for &[a, b, c] in triangles {
        for (i, j, k) in [(a, b, c), (b, c, a), (c, a, b)] {
            opposite.entry(rising(i, j)).or_default().push(k);
        }
    }
    let mut springs: Vec<[u32; 2]> = opposite.keys().copied().collect();
    for vertices in opposite.values() {
        for (at, &i) in vertices.iter().enumerate() {
            for &j in vertices[at + 1..].iter().take(7) {
                if i != j && !springs.contains(&rising(i, j)) {
                    springs.push(rising(i, j));
                }
            }
        }
    }
    springs
}

#[test]
fn springs_at_an_edge_of_many_triangles_are_as_many_as_these() {
    let count = |n: u32| {
        let rim = (0..n).map(|k| 0.001 * f64::from(k)).map(|angle| Vec3::new(angle.cos(), 0.5, angle.sin()));
        let positions = [Vec3::ZERO, Vec3::Y].into_iter().chain(rim).collect();
        Pattern::mesh(positions, (0..n).map(|k| [0, 1, k + 2]).collect()).springs().len()
    };
    // all pairs of eight; of more, seven for each
    assert_eq!(count(8), 1 + 2 * 8 + 28);
    assert_eq!(count(2008) - count(1008), 1000 * (2 + 7));
}

#[test]
fn a_length_at_rest_is_zero_or_one_that_a_stretch_can_be_told_of() {
    let positions = vec![Vec3::ZERO, Vec3::X * 5e-324, Vec3::Y];
    let lengths = Pattern::mesh(positions, vec![[0, 1, 2]]).springs().rest_lengths.clone();
    assert_eq!(lengths, [0.0, 1.0, 1.0]);
}

proptest! {
    #[test]
    fn the_springs_of_a_mesh_stand_in_the_order_that_is_described(
        triangles in prop::collection::vec([0_u32..9, 0_u32..9, 0_u32..9], 0..25),
    ) {
        // whatever the triangles: many on an edge, without area, there twice
        let positions = (0..9).map(|i| Vec3::new(f64::from(i), f64::from(i * i), 0.3)).collect();
        let pattern = Pattern::mesh(positions, triangles.clone());
        prop_assert_eq!(&pattern.springs().ends, &described(&triangles));
        let is_edge = |[i, j]: &[u32; 2]| triangles.iter().any(|corners| {
            [(0, 1), (1, 2), (2, 0)].iter().any(|&(a, b)| [corners[a].min(corners[b]), corners[a].max(corners[b])] == [*i, *j])
        });
        for (ends, family) in pattern.springs().ends.iter().zip(&pattern.springs().families) {
            prop_assert_eq!(is_edge(ends), *family == Family::Structural);
        }
    }

    #[test]
    fn a_blank_that_is_moved_keeps_the_lengths_of_its_springs(columns in 1_usize..9, rows in 1_usize..9) {
        let mut blank = Blank::grid(columns, rows, 1.0, 0.7, Plane::Xy);
        prop_assert_eq!(blank.springs.len(), Blank::springs_of_grid(columns, rows));
        blank.rest_positions.iter_mut().for_each(|x| *x = *x * 3.0 + Vec3::Y);
        let (moved, plain) = (Pattern::of(blank), Pattern::grid(columns, rows, 1.0, 0.7, Plane::Xy));
        prop_assert_eq!(moved.springs(), plain.springs());
        prop_assert_eq!(moved.triangles(), plain.triangles());
        prop_assert!(moved.revision() != plain.revision());
    }
}

#[test]
fn equal_patterns_have_equal_revisions_and_different_ones_differ() {
    let grid = |columns, width| Pattern::grid(columns, 4, width, 1.0, Plane::Xz).revision();
    assert_eq!(grid(5, 1.0), grid(5, 1.0));
    assert_ne!(grid(5, 1.0), grid(6, 1.0));
    assert_ne!(grid(5, 1.0), grid(5, 1.1));
}

#[test]
fn vertices_of_zero_area_still_have_a_positive_mass() {
    let positions = vec![Vec3::ZERO, Vec3::X, Vec3::Z, Vec3::X * 2.0, Vec3::X * 3.0, Vec3::X * 4.0];
    let pattern = Pattern::mesh(positions, vec![[0, 1, 2], [3, 4, 5]]);
    let mut masses = Vec::new();
    Mass::default().distribute(&pattern, &mut masses);
    assert!(masses.iter().all(|mass| *mass > 0.0));
}
