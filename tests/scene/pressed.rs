//! The scenes in which layers of cloth press hard on each other: no intersection, threads that keep their length, and what there is to see
//! is seen.

use weft::scene::Scene;
use weft::sim::{Real, Simulation, Vec3};

use crate::moving::{go_on, run};
use crate::pairing::paired;

/// The corners of the box around some vertices [m].
fn bounds(positions: &[Vec3]) -> [Vec3; 2] {
    let least = positions.iter().copied().reduce(Vec3::min).expect("there are vertices");
    let most = positions.iter().copied().reduce(Vec3::max).expect("there are vertices");
    [least, most]
}

/// The final stretch of a run and the largest are below these.
fn assert_stretch(name: &str, (simulation, largest): (&Simulation, Real), [last, peak]: [Real; 2]) {
    assert!(simulation.largest_stretch() < last, "{name}: stretched by {} in the end", simulation.largest_stretch());
    assert!(largest < peak, "{name}: stretched by {largest}");
}

#[test]
#[ignore = "full tier"]
fn eight_cloths_fall_on_each_other_and_lie_as_a_stack() {
    let (simulation, largest) = run("stack", 150);
    assert_stretch("stack", (&simulation, largest), [0.05, 0.15]);
    let settings = simulation.parameters.contact;
    for (layer, cloth) in simulation.state.cloth.positions.chunks(400).enumerate() {
        let height = cloth.iter().map(|x| x.y).sum::<Real>() / 400.0;
        let expected = settings.thickness + layer as Real * settings.layer_distance;
        assert!((height - expected).abs() < 0.1 * expected, "layer {layer} is at {height} m in the mean");
        let [least, most] = bounds(cloth);
        assert!((most - least).with_y(0.0).max_element() < 0.65, "layer {layer} has slid apart");
    }
}

#[test]
#[ignore = "full tier"]
fn a_cloth_folds_to_fit_through_a_ring() {
    let (simulation, largest) = run("funnel", 480);
    assert_stretch("funnel", (&simulation, largest), [0.1, 0.25]);
    let [least, most] = bounds(&simulation.state.cloth.positions);
    assert!(least.y > 0.5, "{least} has not come through");
    assert!((most - least).with_y(0.0).max_element() < 0.6, "it hangs in folds, within {}", most - least);
}

#[test]
#[ignore = "full tier"]
fn a_reef_knot_is_pulled_tight_and_holds() {
    let (simulation, largest) = run("knot", 420);
    assert_stretch("knot", (&simulation, largest), [0.1, 0.25]);
    // the tips of the two loops hold each other, and are near each other
    let ribbons: Vec<[Vec3; 2]> = simulation.state.cloth.positions.chunks(543).map(bounds).collect();
    let overlap = ribbons[0][1].x - ribbons[1][0].x;
    assert!((0.01..0.08).contains(&overlap), "the loops are {overlap} m long");
}

#[test]
#[ignore = "full tier"]
fn a_towel_is_wound_up_by_ten_turns_and_opens_again() {
    let (mut towel, while_wound) = run("towel", 510);
    // a rope: the middle half is thin, where the towel is 15 cm wide
    let middle = |simulation: &Simulation| -> Vec<Vec3> {
        let columns = simulation.state.cloth.positions.chunks(161);
        columns.flat_map(|row| row[40..121].iter().copied()).collect()
    };
    let axis = middle(&towel).iter().sum::<Vec3>() / middle(&towel).len() as Real;
    let mean = |x: &[Vec3]| x.iter().map(|x| (*x - axis).with_x(0.0).length()).sum::<Real>() / x.len() as Real;
    let thickness = mean(&middle(&towel));
    assert!(thickness < 0.03, "{thickness} m from its axis in the mean");
    let largest = while_wound.max(go_on("towel", &mut towel, 540));
    assert_stretch("towel", (&towel, largest), [0.1, 0.5]);
    let [least, most] = bounds(&towel.state.cloth.positions);
    assert!(most.x - least.x > 1.95, "it has not opened");
}

#[test]
#[ignore = "full tier"]
fn a_body_that_a_cloth_stops_is_stopped_with_its_inside() {
    let solvers = [
        "projective-dynamics",
        "fast-mass-spring",
        "xpbd",
        "soft-constraints",
        "vertex-block-descent",
        "implicit-newton",
    ];
    for (_, solver) in paired([()], solvers, 3) {
        let mut scene = Scene::load("letters").expect("it comes with the program");
        scene.set_solver(solver).expect("registered");
        let mut simulation = scene.build().expect("good");
        let mut largest: Real = 0.0;
        for step in 0..60 {
            simulation.step().unwrap_or_else(|error| panic!("{solver}, step {step}: {error}"));
            largest = largest.max(simulation.largest_stretch());
        }
        // contacts move the surface alone; where the inside went on through it, edges became three to six times as long
        assert!(largest < 1.6, "{solver}: stretched by {largest}");
    }
}
