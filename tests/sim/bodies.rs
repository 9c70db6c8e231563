//! Bodies of tetrahedra: their surface, mass, springs, and how they move beside the reference data.

use std::collections::BTreeMap;

use serde::Deserialize;
use weft::sim::constraints::{Constraint, Elements, TetrahedralStrain, Volume};
use weft::sim::exec::pool::ThreadPool;
use weft::sim::exec::simd::F64x4;
use weft::sim::model::material::{Mass, MassModel};
use weft::sim::params::Setting;
use weft::sim::pattern::{Plane, Tetrahedron, signed_volume};
use weft::sim::{Pattern, Simulation, Tearing, Vec3, solvers};

use crate::fixtures::{every, solver_ids};
use crate::projective::{ON, with_settings};

#[derive(Deserialize)]
struct Reference {
    meshes: Vec<Mesh>,
}

#[derive(Deserialize)]
struct Mesh {
    name: String,
    rest: Vec<Vec3>,
    tets: Vec<[u32; 4]>,
    masses: Vec<f64>,
    volumes: Vec<f64>,
    density: f64,
    h: f64,
    pins: Vec<u32>,
    iters: u32,
    w_strain: f64,
    smin: f64,
    smax: f64,
    w_volume: f64,
    vmin: f64,
    vmax: f64,
    initial_position: Vec<Vec3>,
    energy: Vec<f64>,
    inverted: BTreeMap<u32, usize>,
    position: BTreeMap<u32, Vec<Vec3>>,
}

fn meshes() -> Vec<Mesh> {
    serde_json::from_str::<Reference>(include_str!("../data/volumes.json")).expect("the reference data is valid").meshes
}

impl Mesh {
    fn pattern(&self) -> Pattern {
        Pattern::body(self.rest.clone(), self.tets.clone())
    }

    fn simulation(&self) -> Simulation {
        let mass = Mass { volume_density: self.density, ..Mass::default() };
        let solver = solvers::build("projective-dynamics").expect("registered");
        let mut simulation = Simulation::new(self.pattern(), mass, solver);
        simulation.parameters.contact.ground = false;
        simulation.parameters.timing.time_step = self.h;
        let real = Setting::Real;
        with_settings(
            &mut simulation,
            &[
                ("iterations", Setting::Integer(self.iters)),
                ("tetrahedral_strain", Setting::Toggle(self.w_strain > 0.0)),
                ("tetrahedral_weight", real(self.w_strain)),
                ("tetrahedral_min", real(self.smin)),
                ("tetrahedral_max", real(self.smax)),
                ("volume", Setting::Toggle(self.w_volume > 0.0)),
                ("volume_weight", real(self.w_volume)),
                ("volume_min", real(self.vmin)),
                ("volume_max", real(self.vmax)),
            ],
        );
        simulation.state.cloth.positions.clone_from(&self.initial_position);
        self.pins.iter().for_each(|&pin| simulation.state.cloth.pin_here(pin));
        simulation
    }
}

/// Number of tetrahedra that are inside out.
fn inverted(tetrahedra: &[[u32; 4]], positions: &[Vec3]) -> usize {
    let volume = |corners: &&[u32; 4]| signed_volume(corners.map(|vertex| positions[vertex as usize])) < 0.0;
    tetrahedra.iter().filter(volume).count()
}

/// Two cells of a lattice with five tetrahedra each, alternately turned.
pub fn block([columns, rows, layers]: [usize; 3], edge: f64) -> Pattern {
    let place = |[i, j, k]: [usize; 3]| ((k * (rows + 1) + j) * (columns + 1) + i) as u32;
    let mut positions = Vec::new();
    for k in 0..=layers {
        for j in 0..=rows {
            positions.extend((0..=columns).map(|i| Vec3::new(i as f64, j as f64, k as f64) * edge));
        }
    }
    let mut tetrahedra: Vec<[u32; 4]> = Vec::new();
    for k in 0..layers {
        for j in 0..rows {
            for i in 0..columns {
                let at = |corner: usize| place([i + (corner & 1), j + (corner >> 1 & 1), k + (corner >> 2)]);
                let even = [[0, 1, 2, 4], [3, 1, 7, 2], [5, 1, 4, 7], [6, 2, 7, 4], [1, 2, 4, 7]];
                let odd = [[1, 0, 5, 3], [2, 0, 3, 6], [4, 0, 6, 5], [7, 3, 5, 6], [0, 3, 6, 5]];
                let cell = if (i + j + k) % 2 == 0 { even } else { odd };
                tetrahedra.extend(cell.map(|corners| {
                    let mut corners = corners.map(at);
                    if signed_volume(corners.map(|vertex| positions[vertex as usize])) < 0.0 {
                        corners.swap(2, 3);
                    }
                    corners
                }));
            }
        }
    }
    Pattern::body(positions, tetrahedra)
}

#[test]
fn masses_and_volumes_are_those_of_the_reference() {
    for mesh in meshes() {
        let simulation = mesh.simulation();
        for (corners, volume) in mesh.tets.iter().zip(&mesh.volumes) {
            let element = Tetrahedron::of_rest(corners.map(|vertex| mesh.rest[vertex as usize])).expect("a volume");
            assert!((element.volume - volume).abs() <= 1e-15 * volume.abs().max(1.0), "{}", mesh.name);
        }
        for (mass, expected) in simulation.state.cloth.masses.iter().zip(&mesh.masses) {
            assert!((mass - expected).abs() <= 1e-14, "{}: {mass} kg, not {expected} kg", mesh.name);
        }
    }
}

#[test]
fn bodies_move_as_the_reference_does() {
    let mut compared = 0;
    for mesh in meshes() {
        let mut simulation = mesh.simulation();
        for step in 1..=20 {
            simulation.step().expect("bounded");
            let Some(expected) = mesh.position.get(&step) else { continue };
            let pairs = simulation.state.cloth.positions.iter().zip(expected);
            let apart = pairs.map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
            assert!(apart <= 1e-9, "{}, step {step}: {apart:e} m", mesh.name);
            let turned = inverted(&mesh.tets, &simulation.state.cloth.positions);
            assert_eq!(turned, mesh.inverted[&step], "{}, step {step}: tetrahedra inside out", mesh.name);
            compared += 1;
        }
    }
    assert_eq!(compared, 2 * 3);
}

/// Energy of a constraint at `q` with the projections that it has at `at`.
fn held_energy(constraint: &dyn Constraint, elements: &Elements, at: &[Vec3], q: &[Vec3]) -> f64 {
    let lanes = |x: &[Vec3]| x.iter().map(|x| F64x4::from_vec3(*x)).collect::<Vec<_>>();
    let (mut projected, mut values) = (vec![F64x4::ZERO; 3 * elements.len()], vec![F64x4::ZERO; 3 * elements.len()]);
    elements.evaluate(0..elements.len(), &lanes(at), &mut projected);
    elements.evaluate(0..elements.len(), &lanes(q), &mut values);
    constraint.project(&mut elements.chunk(0..elements.len(), &mut projected, &mut []));
    let apart = |row: usize| values[row].to_vec3().distance_squared(projected[row].to_vec3());
    let element = |e: usize| elements.measure(e) * (3 * e..3 * e + 3).map(apart).sum::<f64>();
    constraint.weight() / 2.0 * (0..elements.len()).map(element).sum::<f64>()
}

#[test]
fn energies_after_every_half_of_the_first_step_are_those_of_the_reference_and_none_rises() {
    for mesh in meshes() {
        let simulation = mesh.simulation();
        let pattern = simulation.pattern();
        let strain = TetrahedralStrain { weight: mesh.w_strain, range: [mesh.smin, mesh.smax] };
        let volume = Volume { weight: mesh.w_volume, range: [mesh.vmin, mesh.vmax] };
        let constraints: [&dyn Constraint; 2] = [&strain, &volume];
        let elements = constraints.map(|constraint| constraint.elements(pattern));
        let (frozen, pool) = (simulation.freeze(), ThreadPool::alone());
        let input = frozen.input(&pool);
        let mut solver = simulation.solver_like("projective-dynamics").expect("registered");
        let method = solver.minimiser().expect("it minimises");
        let mut q = Vec::new();
        input.predict(&frozen.state.cloth, &mut q);
        let y = q.clone();
        let inertia = |q: &[Vec3]| -> f64 {
            let free = (0..q.len() as u32).filter(|vertex| !mesh.pins.contains(vertex)).map(|vertex| vertex as usize);
            free.map(|i| frozen.state.cloth.masses[i] * q[i].distance_squared(y[i])).sum::<f64>()
                / (2.0 * mesh.h * mesh.h)
        };
        let mut found = Vec::new();
        for _ in 0..mesh.iters {
            found.push(method.objective(&frozen.state.cloth, &input, &q).expect("no contacts"));
            let before = q.clone();
            method.iterate(&frozen.state.cloth, &input, &mut q).expect("a factor");
            let held = constraints.iter().zip(&elements).map(|(c, e)| held_energy(*c, e, &before, &q)).sum::<f64>();
            found.push(inertia(&q) + held);
        }
        assert_eq!(found.len(), mesh.energy.len());
        for (half, (energy, expected)) in found.iter().zip(&mesh.energy).enumerate() {
            let apart = (energy - expected).abs() / expected;
            assert!(apart <= 1e-9, "{}, half {half}: {energy:e} J, not {expected:e} J", mesh.name);
        }
        assert!(found.windows(2).all(|pair| pair[1] <= pair[0] * (1.0 + 1e-12)), "{}: {found:?}", mesh.name);
    }
}

#[test]
fn the_surface_of_a_body_is_closed_faces_outward_and_leaves_out_what_is_inside() {
    for (name, pattern) in
        meshes().iter().map(|mesh| (mesh.name.clone(), mesh.pattern())).chain([("block".into(), block([3, 2, 2], 0.1))])
    {
        let mut sides: BTreeMap<[u32; 2], i32> = BTreeMap::new();
        for &[a, b, c] in pattern.triangles() {
            for [i, j] in [[a, b], [b, c], [c, a]] {
                *sides.entry([i.min(j), i.max(j)]).or_default() += if i < j { 1 } else { -1 };
            }
        }
        assert!(sides.values().all(|sum| *sum == 0), "{name}: every side is passed both ways");
        let x = |vertex: u32| pattern.rest_positions()[vertex as usize];
        let under = |&[a, b, c]: &[u32; 3]| x(a).dot(x(b).cross(x(c))) / 6.0;
        let enclosed: f64 = pattern.triangles().iter().map(under).sum();
        let volume: f64 = pattern.tetrahedra().iter().map(|corners| signed_volume(corners.map(x))).sum();
        assert!(volume > 0.0 && (enclosed - volume).abs() <= 1e-12 * volume, "{name}: {enclosed} of {volume} m³");
    }
    let block = block([3, 3, 3], 1.0);
    let inside = |vertex: &u32| {
        block.rest_positions()[*vertex as usize].cmpgt(Vec3::ZERO).all()
            && block.rest_positions()[*vertex as usize].cmplt(Vec3::splat(3.0)).all()
    };
    assert_eq!((0..block.len() as u32).filter(inside).count(), 8);
    assert!(!block.triangles().as_flattened().iter().any(inside));
    assert_eq!(block.triangles().len(), 6 * 9 * 2);
}

#[test]
fn cloth_and_bodies_keep_their_masses_springs_and_hinges_apart() {
    let cloth = Pattern::grid(6, 5, 1.0, 1.0, Plane::Xz);
    let body = block([2, 1, 1], 0.2);
    let both = Pattern::join([&cloth, &body, &cloth]);
    assert!(both.has_cloth() && !body.has_cloth() && cloth.has_cloth());
    assert_eq!(both.cloth_triangles().count(), 2 * cloth.triangles().len());
    assert_eq!(both.tetrahedra().len(), body.tetrahedra().len());
    for mass in [Mass::default(), Mass { mass_model: MassModel::PerVertex, ..Mass::default() }] {
        let of = |pattern: &Pattern| {
            let mut masses = Vec::new();
            mass.distribute(pattern, &mut masses);
            masses
        };
        let expected: Vec<f64> = [&cloth, &body, &cloth].into_iter().flat_map(of).collect();
        assert_eq!(of(&both), expected);
    }
    let mut bending = weft::sim::forces::IsometricBending::default();
    bending.update(&body, 1.0);
    assert!(bending.stencils().is_empty(), "a body has no bending of cloth");
    assert!(weft::sim::constraints::hinge::hinges(&body).is_empty());
    assert_ne!(body.revision(), Pattern::mesh(body.rest_positions().to_vec(), body.triangles().to_vec()).revision());
}

#[test]
fn bodies_are_neither_cut_nor_torn_and_the_cloth_beside_them_is() {
    let cloth = Pattern::grid(6, 5, 1.0, 1.0, Plane::Xz);
    let both = Pattern::join([&block([2, 1, 1], 0.2), &cloth]);
    let first = both.pieces()[1];
    let sides: Vec<[u32; 2]> = both.triangles().iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]).collect();
    let opened = both.open(&sides).expect("the cloth falls apart");
    assert_eq!(opened.tetrahedra(), both.tetrahedra());
    assert!(opened.parents().iter().all(|&parent| parent >= first));
    assert_eq!(opened.whole_revision(), both.whole_revision());
    let whole = opened.whole();
    assert_eq!((whole.revision(), whole.tetrahedra()), (whole.whole_revision(), both.tetrahedra()));
    assert!(block([2, 1, 1], 0.2).open(&sides).is_none());
    let tearing = Tearing { tearing: true, tear_strain: 0.1, ..Tearing::default() };
    let stretched: Vec<Vec3> = both.rest_positions().iter().map(|x| *x * 3.0).collect();
    let loads = tearing.loads(&both, &stretched);
    assert!(
        loads[..first as usize].iter().all(|load| *load == 0.0)
            && loads[first as usize..].iter().any(|load| *load > 1.0)
    );
}

#[test]
#[ignore = "full tier"]
fn every_solver_moves_a_body_by_the_springs_along_its_edges() {
    every(solver_ids(), |id| {
        let body = block([4, 1, 1], 0.1);
        let mut simulation = Simulation::new(body, Mass::default(), solvers::build(id).expect("registered"));
        simulation.parameters.contact.ground = false;
        simulation.parameters.material.structural_stiffness = 2e3;
        simulation.parameters.material.damping = 1.0;
        simulation.parameters.timing.time_step = 0.002;
        let held: Vec<u32> = (0..simulation.state.cloth.len() as u32)
            .filter(|&vertex| simulation.state.cloth.positions[vertex as usize].x == 0.0)
            .collect();
        held.into_iter().for_each(|vertex| simulation.state.cloth.pin_here(vertex));
        let before = simulation.state.cloth.positions.clone();
        for _ in 0..150 {
            simulation.step().expect("stable");
        }
        let sunk = before.iter().zip(&simulation.state.cloth.positions).map(|(a, b)| a.y - b.y).fold(0.0, f64::max);
        assert!(sunk > 1e-5 && simulation.largest_stretch() < 0.6, "{sunk} m, {}", simulation.largest_stretch());
        assert!(simulation.state.cloth.positions.iter().all(|x| x.is_finite()));
    });
}

#[test]
fn what_makes_no_sense_for_cloth_or_for_bodies_is_said() {
    let ignored = |pattern: &Pattern, key: &str| {
        let solver = solvers::build("projective-dynamics").expect("registered");
        let mut simulation = Simulation::new(pattern.clone(), Mass::default(), solver);
        let param = match simulation.parameters.find_mut(key) {
            Some((group, index)) => &group.params()[index],
            None => {
                let settings = simulation.solver().settings();
                &settings.params()[settings.index_of(key).expect("a parameter")]
            }
        };
        simulation.ignored(param)
    };
    let (cloth, body) = (Pattern::grid(4, 4, 1.0, 1.0, Plane::Xz), block([1, 1, 1], 0.1));
    let both = Pattern::join([&cloth, &body]);
    for key in ["tetrahedral_strain", "volume", "volume_density"] {
        assert_eq!(ignored(&cloth, key), Some("there is no body of tetrahedra"), "{key}");
        assert_eq!((ignored(&body, key), ignored(&both, key)), (None, None), "{key}");
    }
    for key in ["triangle_strain", "edge_strain", "area", "bending", "area_density", "tearing", "bending_model"] {
        assert_eq!(ignored(&body, key), Some("there is no cloth, only bodies of tetrahedra"), "{key}");
        assert_eq!((ignored(&cloth, key), ignored(&both, key)), (None, None), "{key}");
    }
    assert_eq!(ignored(&body, "structural_stiffness"), None);
}

/// Numbers in -1..1, the same every time.
struct Random(u64);

impl Random {
    fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.number(), self.number(), self.number())
    }
}

/// A free block under strain constraints, without gravity.
fn free_block(settings: &[(&str, Setting)]) -> Simulation {
    let solver = solvers::build("projective-dynamics").expect("registered");
    let mut simulation = Simulation::new(block([3, 2, 2], 0.1), Mass::default(), solver);
    simulation.parameters.contact.ground = false;
    simulation.parameters.gravity.gravity = 0.0;
    with_settings(&mut simulation, settings);
    simulation
}

/// Largest difference of an edge from its length at rest, relative to it.
fn distortion(simulation: &Simulation) -> f64 {
    let (springs, x) = (simulation.pattern().springs(), &simulation.state.cloth.positions);
    let strain = |(&[i, j], length): (&[u32; 2], &f64)| (x[i as usize].distance(x[j as usize]) / length - 1.0).abs();
    springs.ends.iter().zip(&springs.rest_lengths).map(strain).fold(0.0, f64::max)
}

#[test]
fn a_body_that_is_squashed_flat_inside_out_or_scattered_comes_back_to_its_shape() {
    let strain = [("tetrahedral_strain", ON), ("tetrahedral_weight", Setting::Real(1e5))];
    let with_volume = [strain[0], strain[1], ("volume", ON), ("volume_weight", Setting::Real(1e5))];
    type Deform = fn(&mut Random, Vec3) -> Vec3;
    let starts: [(&str, Deform); 3] = [
        ("flat", |_, x| x * Vec3::new(1.0, 0.0, 1.0)),
        ("inside out", |_, x| x * Vec3::new(1.0, -1.0, 1.0)),
        ("scattered", |random, _| random.vector() * 0.3),
    ];
    for (what, deform) in starts {
        for settings in [&strain[..], &with_volume] {
            for seed in 0..3 {
                let mut random = Random(seed);
                let mut simulation = free_block(settings);
                simulation.state.cloth.positions.iter_mut().for_each(|x| *x = deform(&mut random, *x));
                let tetrahedra = simulation.pattern().tetrahedra().to_vec();
                for _ in 0..300 {
                    simulation.step().expect("bounded");
                }
                assert_eq!(inverted(&tetrahedra, &simulation.state.cloth.positions), 0, "{what}, {seed}");
                let left = distortion(&simulation);
                assert!(left < 0.02, "{what}, {seed}, {} settings: {left}", settings.len());
            }
        }
    }
}

#[test]
fn newton_and_local_global_find_the_same_minimum_of_a_body_and_newton_in_fewer_iterations() {
    let solver = solvers::build("projective-dynamics").expect("registered");
    for limits in [[1.0, 1.0], [0.9, 1.1]] {
        let mut simulation =
            Simulation::new(block([5, 2, 2], 0.1), Mass::default(), solvers::build(solver.info().id).expect("it"));
        simulation.parameters.contact.ground = false;
        let real = Setting::Real;
        let settings = [
            ("tetrahedral_strain", ON),
            ("tetrahedral_weight", real(3e4)),
            ("tetrahedral_min", real(limits[0])),
            ("tetrahedral_max", real(limits[1])),
            ("volume", ON),
            ("volume_weight", real(3e4)),
        ];
        with_settings(&mut simulation, &settings);
        let held = |vertex: &u32| simulation.state.cloth.positions[*vertex as usize].x == 0.0;
        let held: Vec<u32> = (0..simulation.state.cloth.len() as u32).filter(held).collect();
        held.into_iter().for_each(|vertex| simulation.state.cloth.pin_here(vertex));
        for _ in 0..10 {
            simulation.step().expect("stable");
        }
        let mut study = weft::sim::study::convergence::Study::of(&simulation, &["projective-dynamics"]);
        let curves = study.measure(60, &mut |_, _| std::ops::ControlFlow::Continue(())).expect("it is measured");
        let ids: Vec<&str> = curves.iter().map(|curve| curve.solver.id).collect();
        assert_eq!(ids, ["projective-dynamics", "newton"]);
        let energies = curves.iter().map(|curve| curve.points.iter().map(|point| point.energy.expect("an energy")));
        let energies: Vec<Vec<f64>> = energies.map(Iterator::collect).collect();
        let until = |energies: &[f64], error: f64| energies.iter().position(|e| *e <= error).expect("it gets there");
        for curve in &energies {
            assert!(curve.windows(2).all(|pair| pair[1] <= pair[0] + 1e-11), "{curve:?}");
        }
        assert!(until(&energies[1], 1e-8) <= 12, "{:?}", energies[1]);
        assert!(until(&energies[1], 1e-4) < until(&energies[0], 1e-4));
    }
}
