//! What every constraint of projective dynamics promises, over the registry: a new one is tested without a line here.

use glam::{DQuat, EulerRot};
use weft::sim::constraints::{Chunk, Constraint, Constraints, Elements};
use weft::sim::exec::simd::F64x4;
use weft::sim::measure::Projections;
use weft::sim::params::{Kind, Setting, Tunable};
use weft::sim::pattern::Plane;
use weft::sim::{Pattern, Simulation, Vec3};

use crate::bodies::block;
use crate::examples::with_examples;
use crate::fixtures::Random;
use crate::projective::{ON, projective, with_settings};

/// A body with uneven tetrahedra.
fn uneven_block() -> Pattern {
    let block = block([4, 2, 1], 0.2);
    Pattern::body(Random(4).shaken(block.rest_positions(), 0.02), block.tetrahedra().to_vec())
}

/// A flat grid, the same uneven, a bent one, and a closed surface; bodies for what bodies are constrained by.
fn shapes_for(name: &str) -> Vec<(&'static str, Pattern)> {
    if ["tetrahedral_strain", "tetrahedral_limit", "volume"].contains(&name) {
        vec![
            ("even body", block([3, 2, 2], 0.3)),
            ("uneven body", uneven_block()),
            ("long body", block([7, 1, 1], 0.2)),
        ]
    } else if let Some(at) =
        ["body_examples", "cloth_examples", "bending_examples"].iter().position(|known| *known == name)
    {
        vec![with_examples()[at.min(1)].clone()]
    } else {
        cloths()
    }
}

/// A flat grid, the same uneven, a bent one, and a closed surface.
fn cloths() -> Vec<(&'static str, Pattern)> {
    let grid = Pattern::grid(7, 6, 1.0, 0.8, Plane::Xz);
    let with = |change: &mut dyn FnMut(&Vec3) -> Vec3| {
        Pattern::mesh(grid.rest_positions().iter().map(change).collect(), grid.triangles().to_vec())
    };
    let mut random = Random(3);
    let uneven = with(&mut |x| *x + random.vector() * Vec3::new(0.04, 0.0, 0.04));
    let bent = with(&mut |x| Vec3::new(x.x.sin(), 0.3 * (4.0 * x.z).sin() - x.x.cos(), x.z));
    let corners = [Vec3::X, -Vec3::X, Vec3::Y, -Vec3::Y, Vec3::Z, -Vec3::Z];
    let corners = random.shaken(&corners, 0.2);
    let sides = [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
    vec![("grid", grid), ("uneven", uneven), ("bent", bent), ("closed", Pattern::mesh(corners, sides.to_vec()))]
}

/// A constraint from outside the library, with three rows and four vertices per element as volumes have: the edges from the
/// first of four vertices keep the sum of their squares. Its nearest value has the same direction.
#[derive(Debug)]
struct Size;

impl Constraint for Size {
    fn weight(&self) -> f64 {
        40.0
    }

    fn elements(&self, pattern: &Pattern) -> Elements {
        let mut elements = Elements::new(3, 1);
        for (four, first) in pattern.rest_positions().windows(4).zip(0..) {
            let unit = |row: usize| [0, 1, 2].map(|other| if other == row { 1.0 } else { 0.0 });
            let entries = [(first, [-1.0; 3]), (first + 1, unit(0)), (first + 2, unit(1)), (first + 3, unit(2))];
            let squares = four[1..].iter().map(|x| x.distance_squared(four[0])).sum::<f64>();
            elements.push(entries, 0.5 + 0.1 * f64::from(first), &[squares.sqrt()]);
        }
        elements
    }

    fn project(&self, chunk: &mut Chunk) {
        chunk.project_each(|f: [Vec3; 3], rest| {
            let size = f.iter().map(|column| column.length_squared()).sum::<f64>().sqrt();
            f.map(|column| column * (rest[0] / size))
        });
    }
}

/// Calls `law` for every constraint, with each of its sample settings, on each cloth, and for one from outside.
fn for_each_constraint(mut law: impl FnMut(&str, &dyn Constraint, &Elements, &Pattern)) {
    for (cloth, pattern) in cloths() {
        law(&format!("{Size:?} on the {cloth} cloth"), &Size, &Size.elements(&pattern), &pattern);
    }
    for sample in &Constraints::samples() {
        for (name, constraint) in Constraints::NAMES.iter().zip(sample.list()) {
            let Some(constraint) = constraint else { continue };
            for (shape, pattern) in shapes_for(name) {
                let elements = constraint.elements(&pattern);
                assert!(!elements.is_empty(), "{name} on the {shape} shape");
                law(&format!("{constraint:?} on the {shape} shape"), constraint, &elements, &pattern);
            }
        }
    }
}

fn lanes(q: &[Vec3]) -> Vec<F64x4> {
    q.iter().map(|x| F64x4::from_vec3(*x)).collect()
}

fn energy(constraint: &dyn Constraint, elements: &Elements, q: &[Vec3]) -> f64 {
    elements.energies(constraint, &lanes(q)).iter().sum()
}

/// The values of all rows, and their projections found in chunks of so many elements, with the energies for unit weights.
fn projected(constraint: &dyn Constraint, elements: &Elements, q: &[Vec3], size: usize) -> [Vec<F64x4>; 3] {
    let (mut all, mut projections, mut energies) = (Vec::new(), Vec::new(), Vec::new());
    for start in (0..elements.len()).step_by(size) {
        let range = start..(start + size).min(elements.len());
        let mut values = vec![F64x4::ZERO; range.len() * elements.rows()];
        elements.evaluate(range.clone(), &lanes(q), &mut values);
        all.extend_from_slice(&values);
        let unprojected = values.clone();
        let mut of_chunk = vec![0.0; range.len()];
        let mut states = vec![0.0; range.len() * elements.states()];
        let mut chunk = elements.chunk(range, &mut values, &mut states);
        constraint.project(&mut chunk);
        constraint.energies(&unprojected, &chunk, &mut of_chunk);
        projections.extend(values);
        energies.extend(of_chunk.into_iter().map(F64x4::splat));
    }
    [all, projections, energies]
}

/// The force `-Σ w μ aᵀ (z - p)` on every vertex.
fn forces(constraint: &dyn Constraint, elements: &Elements, q: &[Vec3]) -> Vec<Vec3> {
    let [values, projections, _] = projected(constraint, elements, q, elements.len());
    let mut forces = vec![Vec3::ZERO; q.len()];
    for element in 0..elements.len() {
        for row in 0..elements.rows() {
            let at = element * elements.rows() + row;
            let pull = (projections[at].to_vec3() - values[at].to_vec3()) * elements.measure(element);
            for (vertex, coefficient) in elements.row(element, row) {
                forces[vertex as usize] += pull * (constraint.weight() * coefficient);
            }
        }
    }
    forces
}

#[test]
fn the_rest_shape_costs_nothing_and_other_shapes_do() {
    for_each_constraint(|what, constraint, elements, pattern| {
        let rest = pattern.rest_positions();
        let bent = energy(constraint, elements, &Random(9).shaken(rest, 0.2));
        let none = energy(constraint, elements, rest);
        assert!(bent > 0.0 && none <= 1e-24 * bent.max(1.0), "{what}: {none:e} J and {bent:e} J");
    });
}

#[test]
fn the_force_is_the_slope_of_the_energy_where_projections_are_nearest() {
    for_each_constraint(|what, constraint, elements, pattern| {
        if !constraint.is_nearest() {
            return;
        }
        for seed in 0..20 {
            let mut random = Random(seed);
            let q = random.shaken(pattern.rest_positions(), 0.1 + 0.02 * f64::from(seed));
            let direction: Vec<Vec3> = q.iter().map(|_| random.vector()).collect();
            let moved = |by: f64| -> Vec<Vec3> { q.iter().zip(&direction).map(|(x, d)| *x + *d * by).collect() };
            // a short step, for the slope has corners where an element comes to its limits
            let by = 1e-6;
            let measured =
                (energy(constraint, elements, &moved(by)) - energy(constraint, elements, &moved(-by))) / (2.0 * by);
            let forces = forces(constraint, elements, &q);
            let stated: f64 = forces.iter().zip(&direction).map(|(force, d)| -force.dot(*d)).sum();
            let size: f64 = forces.iter().map(|force| force.length()).sum();
            assert!((measured - stated).abs() <= 1e-6 * size, "{what}, {seed}: {measured:e} N, not {stated:e} N");
        }
    });
}

#[test]
fn no_local_step_raises_the_energy_where_projections_are_nearest() {
    for_each_constraint(|what, constraint, elements, pattern| {
        if !constraint.is_nearest() {
            return;
        }
        for seed in 0..20 {
            let mut random = Random(seed);
            let old = random.shaken(pattern.rest_positions(), 0.3);
            let q = random.shaken(&old, 0.01 * f64::from(seed));
            let [_, kept, _] = projected(constraint, elements, &old, elements.len());
            let [values, _, energies] = projected(constraint, elements, &q, elements.len());
            for (element, energy) in energies.iter().enumerate() {
                let rows = element * elements.rows()..(element + 1) * elements.rows();
                let apart = |row: usize| values[row].to_vec3().distance_squared(kept[row].to_vec3());
                let before: f64 = rows.map(apart).sum::<f64>() / 2.0;
                assert!(energy.0[0] <= before * (1.0 + 1e-12) + 1e-24, "{what}, element {element}, {seed}");
            }
        }
    });
}

#[test]
fn where_chunks_begin_and_end_changes_no_bit() {
    for_each_constraint(|what, constraint, elements, pattern| {
        let q = Random(5).shaken(pattern.rest_positions(), 0.3);
        let whole = projected(constraint, elements, &q, elements.len());
        for size in [1, 7] {
            assert!(projected(constraint, elements, &q, size) == whole, "{what}, chunks of {size}");
        }
    });
}

#[test]
fn a_rigid_motion_leaves_the_energy_as_it_is_and_turns_the_forces() {
    for_each_constraint(|what, constraint, elements, pattern| {
        for seed in 0..10 {
            let mut random = Random(seed);
            // far from its angle a hinge has several projections as near, and rounding decides; near it the
            // projection is found to 1e-8 of the distance
            let (amount, tolerance) = if what.starts_with("HingeAngle") { (0.005, 1e-7) } else { (0.3, 1e-9) };
            let q = random.shaken(pattern.rest_positions(), amount);
            let turn = DQuat::from_euler(EulerRot::ZXZ, 3.0 * random.number(), random.number(), 3.0 * random.number());
            let away = random.vector() * 3.0;
            let moved: Vec<Vec3> = q.iter().map(|x| turn * *x + away).collect();
            let [here, there] = [&q, &moved].map(|q| energy(constraint, elements, q));
            assert!((here - there).abs() <= 1e-11 * here, "{what}: {here:e} J and {there:e} J");
            let [here, there] = [&q, &moved].map(|q| forces(constraint, elements, q));
            let size: f64 = here.iter().map(|force| force.length()).sum();
            let apart = here.iter().zip(&there).map(|(a, b)| (turn * *a).distance(*b)).fold(0.0, f64::max);
            assert!(apart <= tolerance * size, "{what}: {apart:e} N");
        }
    });
}

#[test]
fn what_keeps_lengths_is_the_difference_of_two_vertices_brought_to_its_rest_length() {
    for_each_constraint(|what, constraint, elements, pattern| {
        if !constraint.keeps_lengths() {
            return;
        }
        let q = Random(8).shaken(pattern.rest_positions(), 0.3);
        let [_, projections, _] = projected(constraint, elements, &q, elements.len());
        assert_eq!(elements.rows(), 1, "{what}");
        for (element, projection) in projections.iter().enumerate() {
            let row: Vec<(u32, f64)> = elements.row(element, 0).collect();
            let [(i, 1.0), (j, -1.0)] = row[..] else { panic!("{what}: {row:?}") };
            let &[length] = elements.rest(element) else { panic!("{what}: one length") };
            let expected = (q[i as usize] - q[j as usize]).normalize() * length;
            assert!(projection.to_vec3().distance(expected) <= 1e-14, "{what}, element {element}");
        }
    });
}

/// A cloth in motion, with one constraint alone.
fn with_constraint(name: &str, pattern: Pattern) -> Simulation {
    let mut simulation = projective(pattern, &[(name, ON)]);
    simulation.parameters.timing.time_step = 1.0 / 60.0;
    simulation.state.cloth.positions = Random(2).shaken(&simulation.state.cloth.positions, 0.02);
    [0, 5].into_iter().for_each(|vertex| simulation.state.cloth.pin_here(vertex));
    simulation
}

/// `steps` steps on so many threads.
fn positions(name: &str, threads: usize, steps: usize) -> Vec<Vec3> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    pool.install(|| {
        let is_cloth = shapes_for(name)[0].1.has_cloth();
        let grid = || Pattern::grid(37, 33, 1.0, 0.8, Plane::Xz);
        let shape = if is_cloth { grid() } else { block([17, 11, 7], 0.1) };
        let wave = |x: &Vec3| *x * Vec3::new(1.1, 1.0, 0.9) + Vec3::Y * 0.05 * (9.0 * x.x).sin();
        let example = shape.rest_positions().iter().map(wave).collect();
        let mut simulation = with_constraint(name, shape.with_examples(vec![example]));
        (0..steps).for_each(|_| assert!(simulation.step().is_ok()));
        simulation.state.cloth.positions
    })
}

#[test]
fn every_constraint_has_a_switch_and_gives_the_same_bits_on_any_number_of_threads() {
    for name in Constraints::NAMES {
        let one = positions(name, 1, 3);
        for threads in [2, 3, 8] {
            assert!(positions(name, threads, 3) == one, "{name} on {threads} threads");
        }
    }
}

#[test]
fn iterations_with_one_constraint_end_where_its_energy_is_least() {
    // the energy with examples depends on their weights as well, which have tests of their own
    for name in Constraints::NAMES.into_iter().filter(|name| !name.ends_with("_examples")) {
        for (cloth, pattern) in shapes_for(name).into_iter().take(3) {
            let simulation = with_constraint(name, pattern);
            let (frozen, pool) = (simulation.freeze(), weft::sim::exec::pool::ThreadPool::alone());
            let mut solver = simulation.solver_like("projective-dynamics").expect("registered");
            let method = solver.minimiser().expect("it minimises");
            let mut q = Vec::new();
            frozen.input(&pool).predict(&frozen.state.cloth, &mut q);
            let mut last = f64::INFINITY;
            for iteration in 0..3000 {
                let now = method.objective(&frozen.state.cloth, &frozen.input(&pool), &q).expect("no contacts");
                assert!(now <= last * (1.0 + 1e-12), "{name}, {cloth}, {iteration}: {now:e} J after {last:e} J");
                last = now;
                if method.iterate(&frozen.state.cloth, &frozen.input(&pool), &mut q).expect("a factor").solved {
                    break;
                }
            }
            // the slope along any direction is nothing beside that at the start
            let slope = |q: &[Vec3], direction: &[Vec3]| {
                let at = |by: f64| {
                    let moved: Vec<Vec3> = q.iter().zip(direction).map(|(x, d)| *x + *d * by).collect();
                    method.objective(&frozen.state.cloth, &frozen.input(&pool), &moved).expect("no contacts")
                };
                (at(1e-6) - at(-1e-6)) / 2e-6
            };
            let mut random = Random(6);
            let free = |vertex: usize| if vertex == 0 || vertex == 5 { 0.0 } else { 1.0 };
            let direction: Vec<Vec3> = (0..q.len()).map(|vertex| random.vector() * free(vertex)).collect();
            let start = slope(&simulation.state.cloth.positions, &direction).abs();
            let end = slope(&q, &direction).abs();
            assert!(end <= 1e-4 * start, "{name} on the {cloth}: {end:e} of {start:e} N");
        }
    }
}

/// Whether the parameter belongs to the switch, or to one that does.
fn belongs(settings: &dyn Tunable, index: usize, switch: usize) -> bool {
    settings.switch_of(index).is_some_and(|of| of == switch || belongs(settings, of, switch))
}

#[test]
fn the_weight_of_a_constraint_costs_a_factorisation_and_no_other_setting_does() {
    for name in Constraints::NAMES {
        let mut simulation = with_constraint(name, shapes_for(name).swap_remove(0).1);
        let settings = simulation.solver().settings();
        let switch = settings.index_of(name).expect("a switch of that name");
        let own: Vec<usize> = (0..settings.params().len()).filter(|&at| belongs(settings, at, switch)).collect();
        let params = settings.params();
        let mut costly = Vec::new();
        for at in own {
            simulation.step().expect("stable");
            let now = simulation.solver().settings().get(at);
            let next = match (now, params[at].kind) {
                (Setting::Toggle(on), _) => Setting::Toggle(!on),
                (Setting::Real(value), Kind::Real { min, max, .. }) => {
                    Setting::Real(if value > min { value - 0.1 * (value - min) } else { value + 0.1 * (max - value) })
                }
                (Setting::Integer(value), _) => Setting::Integer(value + 1),
                other => panic!("{name}: {other:?}"),
            };
            with_settings(&mut simulation, &[(params[at].key, next)]);
            if simulation.step().expect("stable").factorisations > 0 {
                costly.push(params[at].key);
            }
            assert_eq!(simulation.step().expect("stable").factorisations, 0, "{name}: once is enough");
        }
        assert_eq!(costly.len(), 1, "{name}: {costly:?}");
    }
}

#[test]
fn the_drawn_place_of_a_projection_has_its_values_and_is_the_nearest_that_does() {
    for_each_constraint(|what, constraint, elements, pattern| {
        let mut random = Random(11);
        let q = random.shaken(pattern.rest_positions(), 0.2);
        let mut drawn = Projections::default();
        drawn.add_elements(constraint, elements, &lanes(&q));
        assert_eq!(drawn.len(), elements.len(), "{what}");
        let [_, projected] = elements.projections(constraint, &lanes(&q));
        for element in 0..elements.len() {
            let (vertices, ways) = drawn.element(element);
            let mut basis: Vec<Vec<f64>> = Vec::new();
            for row in 0..elements.rows() {
                let entries: Vec<(u32, f64)> = elements.row(element, row).collect();
                let place = |(vertex, way): (&u32, &Vec3)| q[*vertex as usize] + *way;
                let places: Vec<Vec3> = vertices.iter().zip(ways).map(place).collect();
                let value: Vec3 = entries.iter().zip(&places).map(|((_, a), x)| *x * *a).sum();
                let wanted = projected[element * elements.rows() + row].to_vec3();
                let size: f64 = entries.iter().zip(&places).map(|((_, a), x)| a.abs() * x.length()).sum();
                assert!(value.distance(wanted) <= 1e-9 * size, "{what}: {value} and {wanted}");
                let mut direction: Vec<f64> = entries.iter().map(|(_, a)| *a).collect();
                remove(&mut direction, &basis);
                let length = dot(&direction, &direction).sqrt();
                basis.push(direction.iter().map(|a| a / length).collect());
            }
            // a motion that leaves the values as they are brings no vertex nearer
            let mut free: Vec<f64> = ways.iter().map(|_| random.vector().x).collect();
            remove(&mut free, &basis);
            let along: Vec3 = ways.iter().zip(&free).map(|(way, by)| *way * *by).sum();
            let size: f64 = ways.iter().map(|way| way.length()).sum();
            assert!(along.length() <= 1e-9 * size, "{what}: {along}");
        }
    });
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Takes the parts of `direction` along these of length one away.
fn remove(direction: &mut [f64], basis: &[Vec<f64>]) {
    for unit in basis {
        let part = dot(direction, unit);
        direction.iter_mut().zip(unit).for_each(|(d, u)| *d -= part * u);
    }
}

#[test]
fn springs_are_drawn_with_their_rest_length_about_their_middle() {
    let pattern = Pattern::grid(5, 4, 1.0, 0.8, Plane::Xz);
    let q = Random(6).shaken(pattern.rest_positions(), 0.2);
    let mut drawn = Projections::default();
    drawn.add_springs(&pattern, |e| f64::from(e != 3), &q);
    assert_eq!(drawn.len(), pattern.springs().len() - 1, "one has no stiffness");
    let others = (0..pattern.springs().len()).filter(|e| *e != 3);
    for (place, spring) in others.enumerate() {
        let (vertices, ways) = drawn.element(place);
        assert_eq!(vertices, pattern.springs().ends[spring]);
        let [a, b] = [0, 1].map(|end| q[vertices[end] as usize] + ways[end]);
        assert!((a.distance(b) - pattern.springs().rest_lengths[spring]).abs() < 1e-12);
        assert!((ways[0] + ways[1]).length() < 1e-12);
    }
}
