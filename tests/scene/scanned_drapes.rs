//! The figures of scanned drapes, and outlines of them.

use std::f64::consts::PI;

use weft::scene::{ScanScatter, ScannedDrape};

const HELD: f64 = 0.09;
const SPECIMEN: f64 = 0.15;

#[test]
fn the_outline_of_a_scan_has_its_coefficient_and_its_nodes() {
    assert_eq!(ScannedDrape::all().len(), 24);
    assert_eq!(ScannedDrape::all().iter().map(|drape| drape.scans).sum::<u32>(), 645);
    for drape in ScannedDrape::all() {
        let outline = drape.outline(HELD, SPECIMEN);
        let twice: f64 = outline.windows(2).map(|pair| pair[0][0] * pair[1][1] - pair[1][0] * pair[0][1]).sum();
        let coefficient = 100.0 * (0.5 * twice / PI - HELD * HELD) / (SPECIMEN * SPECIMEN - HELD * HELD);
        assert!((coefficient - drape.coefficient).abs() < 0.3, "{coefficient} % of {drape:?}");
        let radii: Vec<f64> = outline[1..].iter().map(|[x, y]| x.hypot(*y)).collect();
        let at = |point: usize| radii[point % radii.len()];
        let is_top = |point: &usize| at(*point) > at(point + 359) && at(*point) >= at(point + 1);
        assert_eq!((0..360).filter(is_top).count(), drape.nodes.round() as usize, "{drape:?}");
        let [low, high] = [f64::min, f64::max].map(|best| radii.iter().copied().fold(at(0), best));
        assert!(low > HELD - 1e-9 && high < SPECIMEN + 1e-9, "from {low} to {high} m, {drape:?}");
        // as deep as the folds, but where waves would pass the rim of the specimen or the discs
        let touches = low < HELD + 1e-4 || high > SPECIMEN - 1e-4;
        assert!(touches || (high - low - drape.depth).abs() < 0.02 * drape.depth, "{} m, {drape:?}", high - low);
    }
}

#[test]
fn scans_of_a_coefficient_that_none_has_are_not_invented() {
    assert!(ScannedDrape::nearest(99.0).is_none() && ScanScatter::about(99.0).is_none());
    assert_eq!(ScannedDrape::nearest(14.0).expect("a limp one").fabric, 3);
    let scatter = ScanScatter::about(15.0).expect("a limp one");
    assert_eq!((scatter.fabrics, scatter.deviation, scatter.nodes), (1, 1.1, 11.8));
    let scatter = ScanScatter::about(58.0).expect("some");
    assert!(scatter.fabrics == 4 && (2.3..4.6).contains(&scatter.deviation), "{scatter}");
    assert!(scatter.to_string().contains("(4 fabrics)"), "{scatter}");
}
