//! That triangles keep their shape within limits on the device as they do with `projective-dynamics`.

use weft::scene::Scene;
use weft::sim::constraints::elements;
use weft::sim::exec::pool::ThreadPool;
use weft::sim::solver_interface::Processor;
use weft::sim::{Simulation, Solver, Vec3};

use crate::cloths::{IDS, advance, apart, hanging, iterations, next, scene, solver, way};
use crate::pairing::paired;

const HOST: &str = "projective-dynamics";

/// How triangles are held: the weight, the least and the largest stretch.
type Limit = [&'static str; 3];
// not so stiff that the cloth could crumple in several ways, or that the processor were far from the minimum
const RIGID: Limit = ["100", "1", "1"];
const LIMITED: Limit = ["500", "0.9", "1.02"];

/// The solver called `id` with so many iterations and triangles held.
fn holding(id: &str, count: u32, limit: Limit) -> Box<dyn Solver> {
    let mut solver = solver(id, count);
    hold(solver.as_mut(), limit);
    if solver.capabilities().processor == Processor::Host {
        solver.settings_mut().set_text("acceleration", "quasi_newton").expect("there is one");
    }
    solver
}

fn hold(solver: &mut dyn Solver, [weight, least, largest]: Limit) {
    let of = [("triangle_strain", "true"), ("strain_weight", weight), ("strain_min", least), ("strain_max", largest)];
    of.into_iter().for_each(|(key, value)| solver.settings_mut().set_text(key, value).expect("in range"));
}

#[test]
#[ignore = "full tier"]
fn many_iterations_reach_the_minimiser_of_projective_dynamics() {
    let mut table = Scene::load("table").expect("it comes along");
    table.set("friction", "0").expect("in range");
    let mut table = table.build().expect("valid");
    advance(&mut table, 40);
    assert!(table.contacts().len() > 10, "it lies on something");
    let mut cut = hanging(HOST, 16);
    let row: Vec<[u32; 2]> = (3..10).map(|column| [16 * 7 + column, 16 * 7 + column + 1]).collect();
    assert!(cut.cut(&row) > 0);
    let mut bare = hanging(HOST, 16);
    let material = &mut bare.parameters.material;
    (material.structural_stiffness, material.shear_stiffness, material.bend_stiffness) = (0.0, 0.0, 0.0);
    let cases = [
        ("a grid", hanging(HOST, 24)),
        ("without springs", bare),
        ("a cut", cut),
        ("a mesh", scene("mesh", "implicit-newton", 10)),
        ("a flag in the wind", scene("flag", "implicit-newton", 10)),
        ("a table", table),
    ];
    let limits = [RIGID, LIMITED].into_iter().flat_map(|limit| IDS.map(|id| (limit, id)));
    for (at, (limit, id)) in paired(0..cases.len(), limits, 2) {
        let (name, simulation) = &cases[at];
        let exact = next(simulation, holding(HOST, 1000, limit).as_mut());
        let found = next(simulation, holding(id, 1500, limit).as_mut());
        let (off, way) = (apart(&exact, &found), way(simulation, &exact));
        let lower = || is_lower_minimum(simulation, limit, [&exact, &found], 1e-4 * way);
        assert!(off < 1e-4 * way || lower(), "{id}, {name}, {limit:?}: {off:e} m of {way:e} m");
    }
}

/// Whether `found` is a minimum of its own below `exact`: an iteration on the processor moves it by less than `still` [m].
fn is_lower_minimum(simulation: &Simulation, limit: Limit, [exact, found]: [&[Vec3]; 2], still: f64) -> bool {
    let (frozen, pool) = (simulation.freeze(), ThreadPool::alone());
    let (input, mut host) = (frozen.input(&pool), holding(HOST, 1, limit));
    let minimiser = host.minimiser().expect("it is one");
    let mut on = found.to_vec();
    minimiser.iterate(&frozen.state.cloth, &input, &mut on).expect("it can be computed");
    let [high, low] = [exact, found].map(|q| minimiser.objective_near(&frozen.state.cloth, &input, q, q));
    low < high && apart(&on, found) < still
}

#[test]
fn energy_and_force_are_those_of_projective_dynamics() {
    let mut simulation = scene("flag", HOST, 15);
    for limit in [RIGID, LIMITED] {
        let [host, jacobi, blocks] = [HOST, IDS[0], IDS[1]].map(|id| {
            assert!(simulation.set_solver(id));
            hold(simulation.solver_mut(), limit);
            let held = simulation.state.cloth.pins()[0].vertex;
            let (frozen, pool) = (simulation.freeze(), ThreadPool::alone());
            let input = frozen.input(&pool);
            let minimiser = simulation.solver_mut().minimiser().expect("it minimises");
            let objective =
                minimiser.objective(&frozen.state.cloth, &input, &frozen.state.cloth.positions).expect("no contacts");
            let reaction = simulation.reaction(held).expect("it is held");
            (simulation.energy().elastic.expect("it has one"), objective, reaction)
        });
        for device in [jacobi, blocks] {
            assert!((host.0 - device.0).abs() < 1e-12 * host.0, "{limit:?}: {} J and {} J", host.0, device.0);
            assert!((host.1 - device.1).abs() < 1e-12 * host.1.abs(), "{limit:?}: {} J and {} J", host.1, device.1);
            assert!(host.2.distance(device.2) < 1e-12 * host.2.length(), "{limit:?}: {} N and {} N", host.2, device.2);
        }
    }
}

/// The largest and the least stretch of a triangle in any direction.
fn stretches(simulation: &Simulation) -> [f64; 2] {
    let positions = &simulation.state.cloth.positions;
    let (mut largest, mut least) = (0.0_f64, f64::INFINITY);
    for element in elements(simulation.pattern()) {
        let corners = element.vertices.map(|vertex| positions[vertex as usize]);
        let gradient: [Vec3; 2] = element.rows().map(|row| row.into_iter().zip(corners).map(|(a, x)| x * a).sum());
        // σ₁² + σ₂² and σ₁ σ₂
        let squares = gradient[0].length_squared() + gradient[1].length_squared();
        let twice = 2.0 * gradient[0].cross(gradient[1]).length();
        let [sum, difference] = [squares + twice, squares - twice].map(|square| square.max(0.0).sqrt());
        largest = largest.max(0.5 * (sum + difference));
        least = least.min(0.5 * (sum - difference));
    }
    [largest, least]
}

/// A soft square of cloth by the solver `id` that hangs in the end.
fn hung(id: &str, limit: Option<Limit>) -> Simulation {
    let mut simulation = hanging(id, 12);
    let material = &mut simulation.parameters.material;
    (material.structural_stiffness, material.shear_stiffness, material.damping) = (5.0, 1.0, 0.05);
    simulation.state.cloth.velocities.fill(Vec3::ZERO);
    if let Some(limit) = limit {
        hold(simulation.solver_mut(), limit);
    }
    iterations(&mut simulation, 300);
    advance(&mut simulation, 120);
    simulation
}

#[test]
#[ignore = "full tier"]
fn soft_cloth_that_hangs_stretches_no_further_than_its_limit() {
    let [without, _] = stretches(&hung(IDS[0], None));
    assert!(without > 1.3, "it is soft: {without}");
    for (_, id) in paired([()], IDS, 1) {
        let [limited, _] = stretches(&hung(id, Some(["100000", "0", "1.1"])));
        assert!(limited < 1.12 && limited > 1.05, "{id}: {limited}");
    }
}

/// Where a vertex goes that has a number and a place at rest.
type Shape = fn(usize, Vec3) -> Vec3;

const SHAPES: [(&str, Shape); 4] = [
    ("crumpled", |i, x| {
        let phase = i as f64;
        0.3 * x + Vec3::new((3.1 * phase).sin(), (5.3 * phase).cos(), (4.7 * phase).sin()) * 0.2
    }),
    ("a line", |_, x| Vec3::new(x.x, 0.0, 0.0)),
    ("a point", |_, _| Vec3::ZERO),
    ("far larger", |_, x| 50.0 * x),
];

#[test]
#[ignore = "full tier"]
fn crumpled_flat_and_coinciding_triangles_come_back_and_no_step_ends_higher() {
    let limit = ["300", "0.9", "1.1"];
    for ((name, shape), id) in paired(SHAPES, IDS, 1) {
        let mut simulation = hanging(id, 10);
        assert!(simulation.state.cloth.unpin(0) && simulation.state.cloth.unpin(9));
        simulation.parameters.material.damping = 0.0;
        simulation.state.cloth.velocities.fill(Vec3::ZERO);
        simulation.state.cloth.positions.iter_mut().enumerate().for_each(|(i, x)| *x = shape(i, *x));
        hold(simulation.solver_mut(), limit);
        let (frozen, pool) = (simulation.freeze(), ThreadPool::alone());
        let input = frozen.input(&pool);
        for count in [1, 16, 100] {
            let mut by = holding(id, count, limit);
            let minimiser = by.minimiser().expect("it minimises");
            let mut start = Vec::new();
            minimiser.start(&frozen.state.cloth, &input, &mut start).expect("it starts");
            let first = minimiser.objective(&frozen.state.cloth, &input, &start).expect("no contacts");
            let q = next(&simulation, by.as_mut());
            let last =
                by.minimiser().and_then(|by| by.objective(&frozen.state.cloth, &input, &q)).expect("no contacts");
            assert!(last <= first * (1.0 + 1e-3), "{id}, {name}, {count} iterations: {first} J, then {last} J");
        }
        advance(&mut simulation, 120);
        assert!(simulation.state.cloth.positions.iter().all(|x| x.is_finite()), "{id}, {name}");
        let [largest, least] = stretches(&simulation);
        assert!(largest < 1.4 && least > 0.3, "{id}, {name}: {least} to {largest}");
        let (masses, velocities) = (&simulation.state.cloth.masses, &simulation.state.cloth.velocities);
        let momentum: Vec3 = masses.iter().zip(velocities).map(|(mass, v)| *v * *mass).sum();
        let expected = Vec3::NEG_Y * (9.8 * masses.iter().sum::<f64>() * simulation.time());
        assert!(momentum.distance(expected) < 1e-10 * expected.length(), "{id}, {name}: {momentum} and {expected}");
    }
}

#[test]
fn limits_can_be_changed_while_it_runs_and_repeat_to_the_bit() {
    for id in IDS {
        let run = || {
            let mut simulation = hanging(id, 12);
            let limits = [["3000", "1", "1"], ["3000", "0.9", "1.2"], ["50", "0.9", "1.2"], ["0", "0.9", "1.2"]];
            limits.map(|limit| {
                hold(simulation.solver_mut(), limit);
                advance(&mut simulation, 6);
                simulation.state.cloth.positions.clone()
            })
        };
        let (one, other) = (run(), run());
        assert!(one == other, "{id}");
        // without a weight it is the grid without triangles
        let mut simulation = hanging(id, 12);
        simulation.state.cloth.positions.clone_from(&one[2]);
        let plain = next(&simulation, solver(id, 300).as_mut());
        assert!(plain == next(&simulation, holding(id, 300, ["0", "0.9", "1.2"]).as_mut()), "{id}");
        let off = apart(&plain, &next(&simulation, holding(id, 300, ["1e-4", "0", "3"]).as_mut()));
        assert!(off < 1e-5, "{id}: {off:e} m");
    }
}
