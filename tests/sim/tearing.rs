//! Tearing: when threads give way, and what cuts and tears do to a cloth in motion.

use weft::sim::model::material::{Mass, MassModel};
use weft::sim::pattern::Plane;
use weft::sim::{Grab, Pattern, Pin, Simulation, Vec3, solvers};

use crate::fixtures::{advance, every, rippled, solver_ids, square};
use crate::opening::{edges, hangs_at_a_point, momentum, pieces};

/// A strip of 6 × 13 vertices, 0.25 m × 0.6 m, whose lower end is drawn down by `strain` of its length within a second.
fn pulled_strip(solver: &str, strain: f64) -> Simulation {
    let pattern = Pattern::grid(6, 13, 0.25, 0.6, Plane::Xy);
    let mass = Mass { mass_model: MassModel::AreaDensity, ..Mass::default() };
    let mut simulation = Simulation::new(pattern, mass, solvers::build(solver).expect("registered"));
    simulation.parameters.contact.ground = false;
    simulation.parameters.timing.time_step = 0.01;
    simulation.parameters.material.damping = 0.01;
    (0..6).for_each(|vertex| simulation.state.cloth.pin_here(vertex));
    let points = vec![(0.0, Vec3::ZERO), (1.0, Vec3::NEG_Y * (0.6 * strain))];
    let path = weft::sim::Path::Waypoints { points, repeat: false };
    for vertex in 72..78 {
        let origin = simulation.state.cloth.positions[vertex as usize];
        simulation.state.cloth.pin(Pin { vertex, origin, motion: Some(path.clone().into()) });
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
        assert_eq!(strip.state.cloth.len(), 78 + torn as usize, "{solver}");
        assert_eq!(hangs_at_a_point(strip.pattern()), None, "{solver}");
        assert!(strip.largest_stretch() < 0.3, "{solver}: what is left hangs at ease, {}", strip.largest_stretch());
        assert!(strip.state.cloth.pins().iter().map(|pin| pin.vertex).eq((0..6).chain(72..78)), "{solver}: pins stay");

        let mut whole = pulled_strip(solver, 0.8);
        whole.parameters.tearing.tearing = false;
        advance(&mut whole, 120);
        assert_eq!((pieces(whole.pattern()), whole.state.cloth.len()), (1, 78), "{solver}");
        assert!(whole.largest_stretch() > 0.7, "{solver}");

        let mut easy = pulled_strip(solver, 0.2);
        advance(&mut easy, 120);
        assert_eq!(easy.state.cloth.len(), 78, "{solver}: not pulled far enough");
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
        simulation.state.cloth.pin_here(0);
        simulation.state.grab = Some(Grab { vertex: 20, target: simulation.state.cloth.positions[20] });
        advance(&mut simulation, 3);
        let all = edges(simulation.pattern());
        simulation.cut(&all);
        let count = simulation.pattern().triangles().len();
        assert_eq!((simulation.state.cloth.len(), pieces(simulation.pattern())), (3 * count, count));
        let start = momentum(&simulation).y;
        advance(&mut simulation, 50);
        assert_eq!(simulation.state.cloth.pins().len(), 1);
        let fell = (start - momentum(&simulation).y) / simulation.state.cloth.masses.iter().sum::<f64>();
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
            simulation.state.cloth.pin_here(0);
            simulation.state.cloth.pin_here(7);
            for row in 0..6_u32 {
                advance(&mut simulation, 2);
                let first = 8 * row + 3;
                simulation.cut(&[[first, first + 8]]);
            }
            advance(&mut simulation, 5);
            assert_eq!(simulation.state.cloth.len(), 64 + 6, "{solver}");
        }
    });
}

#[test]
fn the_same_tear_gives_the_same_bits() {
    let run = || {
        let mut strip = pulled_strip("fast-mass-spring", 1.0);
        advance(&mut strip, 110);
        (strip.state.cloth.clone(), strip.pattern().clone())
    };
    assert_eq!(run(), run());
}

#[test]
fn going_back_to_before_a_tear_makes_the_cloth_whole_and_the_same_again() {
    every(solver_ids(), |solver| {
        let mut simulation = rippled(solver, 6, 6);
        simulation.state.cloth.pin_here(0);
        simulation.parameters.timing.time_step = 0.001;
        let start = simulation.checkpoint();
        advance(&mut simulation, 4);
        let whole = simulation.state.cloth.clone();
        let row: Vec<[u32; 2]> = (12..17).map(|i| [i, i + 1]).collect();
        assert_eq!(simulation.cut(&row), 6);
        advance(&mut simulation, 4);
        let torn = simulation.checkpoint();
        simulation.return_to(&start);
        assert_eq!((simulation.state.cloth.len(), simulation.pattern().len(), simulation.steps()), (36, 36, 0));
        advance(&mut simulation, 4);
        assert_eq!(simulation.state.cloth, whole, "{solver}");
        // and forward again, to what is torn
        simulation.return_to(&torn);
        assert_eq!((simulation.state.cloth.len(), simulation.pattern().len()), (42, 42));
        advance(&mut simulation, 4);
    });
}

#[test]
fn a_pin_keeps_its_vertex_and_the_cloth_tears_beside_it() {
    // a cloth that hangs at one vertex, far too heavy for its threads
    let mut simulation = square("fast-mass-spring", 7, 7);
    simulation.state.cloth.pin_here(3);
    simulation.parameters.mass.vertex_mass = 2.0;
    simulation.parameters.tearing.tearing = true;
    advance(&mut simulation, 200);
    assert!(simulation.state.cloth.len() > 49);
    assert_eq!(simulation.state.cloth.pins().len(), 1);
    assert_eq!(simulation.state.cloth.positions[3], Vec3::new(0.5, 1.0, 0.0));
    assert_eq!(hangs_at_a_point(simulation.pattern()), None);
}
