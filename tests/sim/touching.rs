//! Parts of a cloth that start nearer to each other than the rounding of their coordinates.

use std::collections::BTreeMap;

use glam::DQuat;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, TestRunner};
use weft::sim::contact::Intersections;
use weft::sim::model::material::Mass;
use weft::sim::solver_interface::Stability;
use weft::sim::{Pattern, Real, Simulation, Vec3, solvers};

use crate::fixtures::{advance, assert_free, steady_solver_ids};
use crate::pairing::paired;
use crate::seed::seed;

/// A flat rectangle from `low` to `high` in x and z [m], with so many cells.
fn sheet(low: [Real; 2], high: [Real; 2], cells: [usize; 2]) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let at = |i: usize, axis: usize| low[axis] + (high[axis] - low[axis]) * i as Real / cells[axis] as Real;
    let points = (0..=cells[1]).flat_map(|j| (0..=cells[0]).map(move |i| Vec3::new(at(i, 0), 0.0, at(j, 1))));
    let number = |i: usize, j: usize| (j * (cells[0] + 1) + i) as u32;
    let cell = |i: usize, j: usize| {
        let [a, b, c, d] = [number(i, j), number(i + 1, j), number(i, j + 1), number(i + 1, j + 1)];
        [[a, c, b], [b, c, d]]
    };
    let triangles = (0..cells[1]).flat_map(|j| (0..cells[0]).flat_map(move |i| cell(i, j)));
    (points.collect(), triangles.collect())
}

/// Several sheets, with vertices at the same place welded or not.
fn joined(sheets: &[(Vec<Vec3>, Vec<[u32; 3]>)], welded: bool) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let (mut points, mut triangles, mut known) = (Vec::new(), Vec::new(), BTreeMap::new());
    for (own, corners) in sheets {
        let numbers: Vec<u32> = (own.iter())
            .map(|x| {
                let next = points.len() as u32;
                let number = if welded { *known.entry(x.to_array().map(Real::to_bits)).or_insert(next) } else { next };
                if number == next {
                    points.push(*x);
                }
                number
            })
            .collect();
        triangles.extend(corners.iter().map(|corners| corners.map(|i| numbers[i as usize])));
    }
    (points, triangles)
}

/// What touches, in one metre.
#[derive(Debug, Clone, Copy)]
enum Touching {
    /// A coarse sheet welded to a fine one, with vertices of the fine one on edges of the other.
    Junction,
    /// Two sheets of other cells beside each other, their edges in one line.
    Edges,
    /// The corner of a sheet at the edge of another.
    Corner,
    /// A sheet that stands on the inside of another, at a corner.
    Tip,
}

const KINDS: [Touching; 4] = [Touching::Junction, Touching::Edges, Touching::Corner, Touching::Tip];

impl Touching {
    fn mesh(self) -> (Vec<Vec3>, Vec<[u32; 3]>) {
        let left = sheet([-0.5, -0.5], [0.0, 0.5], [4, 2]);
        let turned = |by: DQuat, to: Vec3, (points, triangles): (Vec<Vec3>, Vec<[u32; 3]>)| {
            (points.into_iter().map(|x| by * x + to).collect::<Vec<_>>(), triangles)
        };
        match self {
            Self::Junction => joined(&[left, sheet([0.0, -0.5], [0.5, 0.5], [8, 4])], true),
            Self::Edges => {
                joined(&[sheet([-0.5, -0.5], [0.0, 0.5], [4, 1]), sheet([0.0, -0.2], [0.5, 0.3], [3, 1])], false)
            }
            Self::Corner => {
                let other = sheet([0.0, 0.0], [0.3, 0.3], [3, 3]);
                joined(&[left, turned(DQuat::from_rotation_y(0.7), Vec3::new(0.0, 0.0, 0.05), other)], false)
            }
            Self::Tip => {
                let other = sheet([0.0, 0.0], [0.3, 0.3], [3, 3]);
                let stood = DQuat::from_rotation_y(0.3) * DQuat::from_rotation_z(0.8) * DQuat::from_rotation_x(-0.7);
                joined(&[left, turned(stood, Vec3::new(-0.3, 0.0, 0.07), other)], false)
            }
        }
    }

    /// A simulation with this start, turned, and scaled to `size` [m].
    fn begin(self, solver: &str, turn: DQuat, size: Real) -> Simulation {
        let (mut points, triangles) = self.mesh();
        // beside the origin, so that the coordinates are rounded
        points.iter_mut().for_each(|x| *x = turn * (*x * size) + Vec3::new(0.1, 0.4, 0.2) * size);
        let solver = solvers::build(solver).expect("a registered solver");
        let mut simulation = Simulation::new(Pattern::mesh(points, triangles), Mass::default(), solver);
        let contact = &mut simulation.parameters.contact;
        (contact.ground, contact.self_contact) = (false, true);
        contact.thickness *= size.min(1.0);
        contact.layer_distance *= size.min(1.0);
        simulation.state.cloth.pin_here(0);
        if simulation.solver().info().stability == Stability::Conditional
            && let Some(limit) = simulation.solver_critical_step()
        {
            let step = simulation.parameters.timing.time_step;
            simulation.parameters.timing.substeps = (step / (0.4 * limit)).ceil().clamp(1.0, 100.0) as u32;
        }
        simulation
    }
}

fn count(simulation: &Simulation) -> usize {
    Intersections::default().find(simulation.pattern(), &simulation.state.cloth.positions).len()
}

/// So many random rotations, each with a size from a millimetre to a kilometre [m].
fn starts(seed: u64) -> impl Iterator<Item = (DQuat, Real)> {
    let mut runner = TestRunner::new_with_rng(Config::default(), rng(seed));
    let turn = proptest::array::uniform3(0.0..std::f64::consts::TAU)
        .prop_map(|[a, b, c]| DQuat::from_euler(glam::EulerRot::YXZ, a, b, c));
    let start = (turn, -3.0..3.0_f64).prop_map(|(turn, power)| (turn, 10.0_f64.powf(power)));
    std::iter::repeat_with(move || start.new_tree(&mut runner).expect("nothing is rejected").current())
}

fn rng(seed: u64) -> proptest::test_runner::TestRng {
    let bytes: Vec<u8> = std::iter::repeat_n(seed.to_le_bytes(), 4).flatten().collect();
    proptest::test_runner::TestRng::from_seed(proptest::test_runner::RngAlgorithm::ChaCha, &bytes)
}

#[test]
fn parts_that_touch_within_rounding_and_are_free_stay_free_with_all_solvers() {
    let pairs: Vec<_> = paired(steady_solver_ids(), KINDS, 1).collect();
    for (number, (solver, kind)) in pairs.into_iter().enumerate() {
        // free at the start by exact arithmetic, as rounding happens to have it
        let (turn, size) = (starts((seed() + number) as u64))
            .take(1000)
            .find(|&(turn, size)| count(&kind.begin(solver, turn, size)) == 0)
            .unwrap_or_else(|| panic!("{kind:?} is free with one rotation of many"));
        let mut simulation = kind.begin(solver, turn, size);
        for step in 0..60 {
            // explicit solvers may need more substeps than they get; a step that fails changes nothing
            let outcome = simulation.step();
            assert_free(&simulation, &format!("{kind:?}, {size} m, {turn}, step {step}"));
            if outcome.is_err() {
                break;
            }
        }
    }
}

#[test]
fn an_overlap_within_rounding_is_opened_in_the_first_step() {
    for kind in KINDS {
        let overlapping = starts(7).take(100).filter(|&(turn, size)| count(&kind.begin("xpbd", turn, size)) > 0);
        for (turn, size) in overlapping.take(5) {
            let mut simulation = kind.begin("xpbd", turn, size);
            advance(&mut simulation, 1);
            assert_eq!(count(&simulation), 0, "{kind:?}, {size} m, {turn}");
        }
    }
}
