//! The runs of a sweep in the grid of what was varied.

use weft::documents::{SweepMap, SweepSheet, is_logarithmic};

/// A table with these axes and rows of values, the last one the measure.
fn sheet(axes: &str, rows: &[&str]) -> SweepSheet {
    let mut text = format!("run,runs,sweep,{axes},max_strain,status,command\n");
    for (number, row) in (1..).zip(rows) {
        text += &format!("{number},99,abc,{row},ok,weft run\n");
    }
    SweepSheet::parse(&text, "a.csv").expect("a table")
}

#[test]
fn values_are_sorted_as_numbers_and_names_stay_as_they_come() {
    let sheet = sheet("iterations,solver", &["10,xpbd,1", "2,pbd,2", "10,pbd,3", "1e0,xpbd,4"]);
    let map = SweepMap::of(&sheet);
    assert_eq!(map.axes[0].values, ["1e0", "2", "10"]);
    assert_eq!(map.axes[1].values, ["xpbd", "pbd"]);
    assert_eq!(map.row(&[2, 0]), Some(0));
    assert_eq!(map.row(&[2, 1]), Some(2));
    assert_eq!(map.row(&[0, 0]), Some(3));
    assert_eq!(map.row(&[0, 1]), None, "that run has not finished");
    assert_eq!(map.axes[1].edges(), [0.0, 0.5, 1.0]);
}

#[test]
fn an_axis_is_logarithmic_where_its_values_are() {
    let cases: [(&[f64], bool); 8] = [
        (&[1.0, 10.0, 100.0, 1000.0], true),
        (&[10.0, 21.5, 46.4, 100.0], true),
        (&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0], false),
        (&[0.0, 1.0, 10.0, 100.0], false),
        (&[-1.0, 10.0, 100.0], false),
        (&[1.0, 1.5, 2.25, 3.4], false),
        (&[1.0, 100.0], false),
        (&[], false),
    ];
    for (values, expected) in cases {
        assert_eq!(is_logarithmic(values), expected, "{values:?}");
    }
}

#[test]
fn cells_begin_in_the_middle_between_two_values() {
    let linear = SweepMap::of(&sheet("gravity", &["0,1", "1,1", "3,1"]));
    let edges = linear.axes[0].edges();
    // from -0.5 to 4, since half of a way is left beyond the ends
    let is_near = |edges: &[f64], expected: [f64; 4]| {
        edges.len() == 4 && edges.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12)
    };
    assert!(is_near(&edges, [0.0, 1.0 / 4.5, 2.5 / 4.5, 1.0]), "{edges:?}");
    let logarithmic = SweepMap::of(&sheet("gravity", &["1,1", "10,1", "100,1"]));
    let edges = logarithmic.axes[0].edges();
    assert!(is_near(&edges, [0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0]), "{edges:?}");
    for rows in [&["5,1"][..], &["1,1", "1.0,2"]] {
        let edges = SweepMap::of(&sheet("gravity", rows)).axes[0].edges();
        assert!(edges.len() > 1 && edges.windows(2).all(|pair| pair[1] > pair[0]), "{edges:?}");
    }
}
