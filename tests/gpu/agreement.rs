//! That they agree with the solvers of the processor whose energy they minimise.

use serde::Deserialize;
use std::collections::BTreeMap;
use weft::scene::Scene;
use weft::sim::exec::pool::ThreadPool;
use weft::sim::model::material::{BendingModel, Mass, MassModel};
use weft::sim::pattern::{Plane, Springs};
use weft::sim::{Pattern, Simulation, SolverState, Vec3, solvers};

use crate::cloths::{IDS, advance, apart, converged, hanging, iterations, next, scene, solver, way};

#[derive(Deserialize)]
struct Reference {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    cols: usize,
    rows: usize,
    width: f64,
    height: f64,
    mass: f64,
    k_struct: f64,
    k_shear: f64,
    k_bend: f64,
    c: f64,
    h: f64,
    pins: Vec<u32>,
    initial_position: Vec<Vec3>,
    initial_velocity: Vec<Vec3>,
    methods: BTreeMap<String, BTreeMap<u32, State>>,
}

#[derive(Deserialize)]
struct State {
    position: Vec<Vec3>,
}

impl Case {
    fn simulation(&self, solver: &str) -> Simulation {
        let mass = Mass { mass_model: MassModel::PerVertex, vertex_mass: self.mass, ..Mass::default() };
        let pattern = Pattern::grid(self.cols, self.rows, self.width, self.height, Plane::Xz);
        let mut simulation = Simulation::new(pattern, mass, solvers::build(solver).expect("registered"));
        let material = &mut simulation.parameters.material;
        (material.structural_stiffness, material.shear_stiffness) = (self.k_struct, self.k_shear);
        (material.bend_stiffness, material.damping) = (self.k_bend, self.c);
        simulation.parameters.timing.time_step = self.h;
        simulation.parameters.gravity.gravity = 9.8;
        simulation.parameters.contact.ground = false;
        simulation.state.cloth.positions.clone_from(&self.initial_position);
        self.pins.iter().for_each(|pin| simulation.state.cloth.pin_here(*pin));
        simulation.state.cloth.velocities.clone_from(&self.initial_velocity);
        simulation
    }
}

#[test]
fn the_reference_cases_are_met_to_a_hundredth_of_a_millimetre() {
    let text = include_str!("../data/integrators.json");
    let cases = serde_json::from_str::<Reference>(text).expect("the reference data is valid").cases;
    for id in IDS {
        for case in &cases {
            let [mut device, mut host] = [id, "fast-mass-spring"].map(|solver| case.simulation(solver));
            iterations(&mut device, 1000);
            iterations(&mut host, 1000);
            for step in 1..=2 {
                advance(&mut device, 1);
                advance(&mut host, 1);
                let exact = &case.methods["newton"][&step].position;
                let off = apart(&device.state.cloth.positions, exact);
                assert!(off < 1e-5, "{id}, step {step}: {off:e} m from the independent implementation");
                let off = apart(&device.state.cloth.positions, &host.state.cloth.positions);
                assert!(off < 1e-5, "{id}, step {step}: {off:e} m from fast-mass-spring");
            }
        }
    }
}

#[test]
#[ignore = "full tier"]
fn many_iterations_reach_the_minimiser_of_newton() {
    for id in IDS {
        let mut bent = hanging(id, 20);
        bent.parameters.material.bending_model = BendingModel::Isometric;
        bent.parameters.material.bending_stiffness = 1e-3;
        let mut held = hanging(id, 12);
        // not so far that the cloth could crumple in several ways
        let target = held.state.cloth.positions[70] + Vec3::new(0.05, 0.02, 0.06);
        held.state.grab = Some(weft::sim::Grab { vertex: 70, target });
        let cases = [
            ("a grid", hanging(id, 40)),
            ("isometric bending", bent),
            ("a hand", held),
            ("a mesh", scene("mesh", "implicit-newton", 10)),
            ("a flag in the wind", scene("flag", "implicit-newton", 10)),
            ("a skirt", scene("skirt", "implicit-newton", 4)),
        ];
        for (name, simulation) in cases {
            // on a floor Newton's method holds in both directions
            let mut by = if simulation.freeze().input(&ThreadPool::alone()).contacts.is_empty() {
                solver("implicit-newton", 50)
            } else {
                converged()
            };
            let exact = next(&simulation, by.as_mut());
            let mut device = solver(id, 1000);
            let found = next(&simulation, device.as_mut());
            let (off, way) = (apart(&exact, &found), way(&simulation, &exact));
            assert!(off < 1e-4 * way, "{id}, {name}: {off:e} m of {way:e} m");
        }
    }
}

#[test]
fn a_grid_by_rows_of_springs_moves_as_a_grid_by_its_tiles() {
    for id in IDS {
        let tiles = hanging(id, 37);
        let rows = listed(&tiles);
        let [tiles, rows] = [tiles, rows].map(|simulation| {
            // without an acceleration a method goes vertex by vertex, in colours that differ: what
            // is the same is where they end
            let by_blocks = solver(id, 1).settings().index_of("chebyshev").is_none();
            let mut by = solver(id, if by_blocks { 500 } else { 60 });
            by.settings_mut().set_text("coarse_levels", if by_blocks { "true" } else { "false" }).expect("a switch");
            next(&simulation, by.as_mut())
        });
        let off = apart(&tiles, &rows);
        assert!(off < 2e-7 && off > 0.0, "{id}: {off:e} m");
    }
}

#[test]
fn far_from_the_origin_a_step_is_the_same() {
    for id in IDS {
        let near = hanging(id, 16);
        let far = Vec3::new(3e4, 1e4, -2e4);
        let mut away = hanging(id, 16);
        away.state.cloth.positions.iter_mut().for_each(|x| *x += far);
        away.state.cloth.unpin(0);
        away.state.cloth.unpin(15);
        [0, 15].into_iter().for_each(|corner| away.state.cloth.pin_here(corner));
        let [near, away] = [&near, &away].map(|simulation| next(simulation, solver(id, 200).as_mut()));
        let home: Vec<Vec3> = away.iter().map(|x| *x - far).collect();
        let off = apart(&near, &home);
        assert!(off < 1e-7, "{id}: {off:e} m");
    }
}

#[test]
#[ignore = "full tier"]
fn contacts_are_held_as_fast_mass_spring_holds_them() {
    for (id, friction) in IDS.into_iter().flat_map(|id| ["0", "0.5"].map(|friction| (id, friction))) {
        let mut scene = Scene::load("table").expect("it comes along");
        scene.set("friction", friction).expect("in range");
        let mut simulation = scene.build().expect("valid");
        advance(&mut simulation, 40);
        assert!(simulation.contacts().len() > 10, "it lies on something");
        let exact = next(&simulation, converged().as_mut());
        let mut by = solver(id, 1000);
        let found = next(&simulation, by.as_mut());
        let (off, way) = (apart(&exact, &found), way(&simulation, &exact));
        // in single precision a vertex at the limit of friction may slide where it should stick
        let most = if friction == "0" { 1e-4 } else { 5e-3 };
        assert!(off < most * way, "{id}, friction {friction}: {off:e} m of {way:e} m");
    }
}

#[test]
fn chebyshev_needs_a_fraction_of_the_iterations() {
    let simulation = hanging("gpu-projective-dynamics", 30);
    let exact = next(&simulation, solver("implicit-newton", 50).as_mut());
    let way = way(&simulation, &exact);
    let needed = |chebyshev: bool, error: f64| {
        let counts = [10, 20, 40, 80, 160, 320, 640, 1280, 2560, 5120];
        let reaches = |count: &&u32| {
            let mut by = solver("gpu-projective-dynamics", **count);
            by.settings_mut().set_text("chebyshev", if chebyshev { "true" } else { "false" }).expect("a switch");
            by.settings_mut().set_text("coarse_levels", "false").expect("a switch");
            apart(&next(&simulation, by.as_mut()), &exact) < error * way
        };
        *counts.iter().find(reaches).expect("it converges")
    };
    for error in [1e-1, 1e-2] {
        let [plain, accelerated] = [false, true].map(|chebyshev| needed(chebyshev, error));
        assert!(plain >= 4 * accelerated, "error {error}: {plain} plain, {accelerated} accelerated");
    }
}

#[test]
fn a_step_of_any_number_of_iterations_ends_no_higher_than_it_starts() {
    // crumpled and stiff, where the energy has many minima
    let mut simulation = hanging("fast-mass-spring", 12);
    for (i, x) in simulation.state.cloth.positions.iter_mut().enumerate() {
        let phase = i as f64;
        *x = 0.3 * *x + Vec3::new((3.1 * phase).sin(), (5.3 * phase).cos(), (4.7 * phase).sin()) * 0.2;
    }
    simulation.parameters.material.structural_stiffness = 1e5;
    let (frozen, pool) = (simulation.freeze(), ThreadPool::alone());
    let input = frozen.input(&pool);
    for id in IDS {
        let mut by = solver(id, 1);
        let minimiser = by.minimiser().expect("it minimises");
        let mut start = Vec::new();
        minimiser.start(&frozen.state.cloth, &input, &mut start).expect("it starts");
        let first = minimiser.objective(&frozen.state.cloth, &input, &start).expect("no contacts");
        let mut last = f64::INFINITY;
        for count in [1, 3, 16, 60, 100, 400] {
            let q = next(&simulation, solver(id, count).as_mut());
            last = minimiser.objective(&frozen.state.cloth, &input, &q).expect("no contacts");
            assert!(last <= first * (1.0 + 1e-3), "{id}, {count} iterations: {first} J, then {last} J");
        }
        assert!(last < 0.1 * first, "{id}: {first} J to {last} J");
    }
}

/// `simulation` with its springs in another order, so that it is a grid to nobody.
fn listed(simulation: &Simulation) -> Simulation {
    let pattern = simulation.pattern();
    let of = pattern.springs();
    let mut springs = Springs::default();
    for at in (0..of.len()).rev() {
        springs.push(of.ends[at], of.rest_lengths[at], of.families[at]);
    }
    let listed = Pattern::new(pattern.rest_positions().to_vec(), pattern.triangles().to_vec(), springs);
    let solver = solvers::build(simulation.solver().info().id).expect("registered");
    let mut other = Simulation::new(listed, simulation.parameters.mass, solver);
    other.parameters = simulation.parameters;
    other.state.cloth = simulation.state.cloth.clone();
    other
}

#[test]
#[ignore = "full tier"]
fn with_coarse_levels_a_large_cloth_needs_hardly_more_iterations_than_a_small_one() {
    for id in IDS {
        let [small, large] = [33, 97].map(|side| hanging(id, side));
        let mesh = listed(&hanging(id, 65));
        let mut cut = hanging(id, 65);
        let row: Vec<[u32; 2]> = (0..50).map(|column| [65 * 30 + column, 65 * 30 + column + 1]).collect();
        assert!(cut.cut(&row) > 0);
        for (name, simulation) in [("small", small), ("large", large), ("by rows", mesh), ("cut", cut)] {
            let run = |count: u32, coarse_levels: &str| {
                let mut by = solver(id, count);
                by.settings_mut().set_text("coarse_levels", coarse_levels).expect("a switch");
                next(&simulation, by.as_mut())
            };
            let exact = run(600, "true");
            let way = way(&simulation, &exact);
            let [without, with] = ["false", "true"].map(|coarse_levels| apart(&run(30, coarse_levels), &exact) / way);
            assert!(with < 0.1, "{id}, {name}: {with}");
            assert!(without > 8.0 * with, "{id}, {name}: {without} without and {with} with coarse levels");
        }
    }
}

#[test]
fn a_step_that_is_easily_solved_takes_no_more_iterations_than_single_precision_can_use() {
    let mut simulation = hanging("gpu-projective-dynamics", 20);
    simulation.parameters.timing.time_step = 3e-4;
    for chebyshev in ["true", "false"] {
        let exact = next(&simulation, solver("implicit-newton", 50).as_mut());
        let mut by = solver("gpu-projective-dynamics", 5000);
        by.settings_mut().set_text("chebyshev", chebyshev).expect("a switch");
        let off = apart(&next(&simulation, by.as_mut()), &exact) / way(&simulation, &exact);
        assert!(off < 1e-4, "{off:e}");
        let (frozen, pool) = (simulation.freeze(), ThreadPool::alone());
        let stats = by
            .step(&mut frozen.state.cloth.clone(), &mut SolverState::default(), &frozen.input(&pool))
            .expect("it can be computed");
        assert!(stats.iterations < 1000, "{} iterations", stats.iterations);
    }
}
