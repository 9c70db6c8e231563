//! Files of bodies with elements that are no tetrahedra, and the order of their vertices.

use proptest::prelude::*;
use weft::scene::import_body;
use weft::sim::Vec3;

use crate::bodies::{MEDIT, refused, volume};

#[test]
fn hexahedra_prisms_and_pyramids_are_divided_into_tetrahedra_that_fill_them() {
    for (file, text, vertices, tetrahedra, divided, expected) in [
        ("hex-and-tets.msh", include_str!("../data/import/hex-and-tets.msh"), 9, 8, 1, 1.0 + 1.0 / 3.0),
        ("prism-and-tet.msh", include_str!("../data/import/prism-and-tet.msh"), 7, 4, 1, 0.5 + 1.0 / 6.0),
        ("pyramid.msh", PYRAMID, 5, 2, 1, 1.0 / 3.0),
        ("pyramid.mesh", PYRAMID_MEDIT, 5, 2, 1, 1.0 / 3.0),
        // a prism that is written as a hexahedron with two corners twice
        ("collapsed.mesh", COLLAPSED, 6, 3, 1, 0.5),
    ] {
        let body = import_body(text, file).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(
            (body.positions.len(), body.tetrahedra.len(), body.divided),
            (vertices, tetrahedra, divided),
            "{file}"
        );
        assert!((volume(&body) - expected).abs() < 1e-14, "{file}: {} m³", volume(&body));
        assert_eq!((body.turned, body.unused), (0, 0), "{file}");
    }
    let body = import_body(PYRAMID, "a.msh").expect("a good body");
    assert_eq!(body.note("a.msh").as_deref(), Some("a.msh: 1 element divided into tetrahedra"));
}

const PYRAMID: &str = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n5\n5 0 0 0\n3 1 0 0\n9 1 1 0\n7 0 1 0\n1 0 0 1\n$EndNodes\n\
                       $Elements\n2\n1 3 2 1 1 5 3 9 7\n2 7 2 1 1 5 3 9 7 1\n$EndElements\n";
const PYRAMID_MEDIT: &str = "MeshVersionFormatted 2\nDimension 3\nVertices\n5\n0 0 0 0\n1 0 0 0\n1 1 0 0\n0 1 0 0\n0 0 1 0\n\
                             Pyramids\n1\n1 2 3 4 5 0\nEnd\n";
const COLLAPSED: &str = "MeshVersionFormatted 2\nDimension 3\nVertices\n6\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n1 0 1 0\n0 1 1 0\n\
                         Hexahedra\n1\n1 2 3 3 4 5 6 6 0\nEnd\n";

/// A block of hexahedra as Medit mesh, whose vertices are numbered in the order that `shuffled`
/// gives, every third column of prisms.
fn block(cells: usize, order: &[usize]) -> String {
    let side = cells + 1;
    let number =
        |[i, j, k]: [usize; 3]| order.iter().position(|at| *at == (i * side + j) * side + k).expect("there") + 1;
    let mut text = format!("MeshVersionFormatted 2\nDimension 3\nVertices\n{}\n", side * side * side);
    order.iter().for_each(|at| text += &format!("{} {} {} 0\n", at / side / side, at / side % side, at % side));
    let (mut hexahedra, mut prisms) = (Vec::new(), Vec::new());
    for at in 0..cells * cells * cells {
        let low = [at / cells / cells, at / cells % cells, at % cells];
        let corner = |d: [usize; 3]| number([low[0] + d[0], low[1] + d[1], low[2] + d[2]]);
        let bottom = [[0, 0], [1, 0], [1, 1], [0, 1]];
        let ring = |height: usize| bottom.map(|[i, j]| corner([i, j, height]));
        let ([a, b, c, d], [e, f, g, h]) = (ring(0), ring(1));
        // whole columns, so that no hexahedron lies on the triangles of a prism
        if (at / cells).is_multiple_of(3) {
            prisms.extend([[a, b, c, e, f, g], [a, c, d, e, g, h]]);
        } else {
            hexahedra.push([a, b, c, d, e, f, g, h]);
        }
    }
    let row = |corners: &[usize]| corners.iter().map(|corner| format!("{corner} ")).collect::<String>() + "0\n";
    text += &format!("Hexahedra\n{}\n", hexahedra.len());
    hexahedra.iter().for_each(|corners| text += &row(corners));
    text += &format!("Prisms\n{}\n", prisms.len());
    prisms.iter().for_each(|corners| text += &row(corners));
    text + "End\n"
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    /// The diagonals of faces that neighbours share are the same from both sides, whatever the
    /// numbers: no face is left inside.
    #[test]
    fn divided_neighbours_fit_together_whatever_their_vertices_are_called(order in Just((0..27).collect::<Vec<usize>>()).prop_shuffle()) {
        let body = import_body(&block(2, &order), "a.mesh");
        let body = body.map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert!((volume(&body) - 8.0).abs() < 1e-12);
        prop_assert_eq!(body.divided, 4 + 8);
    }
}

#[test]
fn elements_that_cannot_be_divided_are_named() {
    let folded = PYRAMID_MEDIT.replace("1 2 3 4 5 0", "1 3 2 4 5 0");
    assert_eq!(
        refused(&folded, "a.mesh"),
        "a.mesh, line 12: the pyramid 1 3 2 4 5 is folded; number its corners in order, or move a vertex"
    );
    let point = PYRAMID_MEDIT.replace("1 2 3 4 5 0", "1 2 1 2 1 0");
    assert_eq!(refused(&point, "a.mesh"), "a.mesh, line 12: the pyramid 1 2 1 2 1 has no volume; take it out");
    let turned = import_body(&PYRAMID_MEDIT.replace("1 2 3 4 5 0", "1 4 3 2 5 0"), "a.mesh").expect("a good body");
    assert_eq!((turned.turned, turned.divided), (1, 1));
    assert!((volume(&turned) - 1.0 / 3.0).abs() < 1e-15);
    let curved = PYRAMID_MEDIT.replace("Pyramids\n", "TetrahedraP2\n");
    assert!(
        refused(&curved, "a.mesh")
            .contains("line 10: TetrahedraP2 cannot be read; save the mesh with elements of first order")
    );
    let unknown = PYRAMID.replace("2 7 2 1 1", "2 77 2 1 1");
    assert!(refused(&unknown, "a.msh").contains("line 15: elements of type 77 are not known"));
    let short = PYRAMID.replace("5 3 9 7 1\n", "5 3 9 7\n");
    assert!(refused(&short, "a.msh").contains("line 15: a pyramid needs 5 nodes, not 4; is the file cut short?"));
}

#[test]
fn vertices_of_a_body_keep_the_order_of_its_file() {
    let text = MEDIT.replace("1 2 3 4 0", "4 3 1 2 0");
    let body = import_body(&text, "a.mesh").expect("a good body");
    let expected = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]].map(|x| Vec3::from_array(x.map(f64::from)));
    assert_eq!(body.positions, expected);
}
