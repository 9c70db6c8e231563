//! Bending within limits: free within a range of the curvature at rest, brought back to its ends beyond.

use weft::sim::constraints::{Bending, Constraint, with_length_within};
use weft::sim::exec::pool::ThreadPool;
use weft::sim::exec::simd::F64x4;
use weft::sim::params::Setting;
use weft::sim::pattern::Plane;
use weft::sim::{Pattern, Real, Vec3};

use crate::fixtures::{advance, farthest};
use crate::projective::{ON, projective};
use crate::strain_limits::minimised;

/// Vertices along each side of the sheet.
const N: usize = 5;
/// Distance of its vertices along the axis and along the chord [m].
const ALONG: Real = 0.25;
const STIFFNESS: Real = 0.05;

/// A grid of rectangles with its columns on a cylinder about the axis of z, at these angles [rad].
fn rolled(radius: Real, angles: [Real; N]) -> Vec<Vec3> {
    let place =
        |(row, angle): (usize, Real)| Vec3::new(radius * angle.sin(), -radius * angle.cos(), ALONG * row as Real);
    (0..N).flat_map(|row| angles.map(|angle| place((row, angle)))).collect()
}

fn evenly(radius: Real) -> Vec<Vec3> {
    rolled(radius, std::array::from_fn(|column| (column as Real - 2.0) * 0.25 / radius))
}

/// A cloth at rest on a cylinder.
fn curved(radius: Real) -> Pattern {
    Pattern::mesh(evenly(radius), Pattern::grid(N, N, 1.0, 1.0, Plane::Xz).triangles().to_vec())
}

/// Mixed area [m²] and `z` [1/m] of the inner vertices: on rectangles the Laplacian has five points.
fn laplacians(rest: &[Vec3], q: &[Vec3]) -> Vec<(Real, Vec3)> {
    let chord = rest[0].distance(rest[1]);
    let inner = (1..N - 1).flat_map(|row| (1..N - 1).map(move |column| row * N + column));
    let of = |i: usize| {
        let across = (q[i - 1] + q[i + 1] - q[i] * 2.0) / (chord * chord);
        let along = (q[i - N] + q[i + N] - q[i] * 2.0) / (ALONG * ALONG);
        (chord * ALONG, across + along)
    };
    inner.map(of).collect()
}

/// `Σ w A/2 d²` [J] with the distance `d` of the curvature from the range.
fn bending_energy(rest: &[Vec3], q: &[Vec3], [less, more]: [Real; 2]) -> Real {
    let of = |((area, z), (_, of_rest)): ((Real, Vec3), (Real, Vec3))| {
        let (at, curvature) = (of_rest.length(), z.length());
        let beyond = (curvature - at - more).max(0.0) + (at - less - curvature).max(0.0);
        0.5 * STIFFNESS * area * beyond * beyond
    };
    laplacians(rest, q).into_iter().zip(laplacians(rest, rest)).map(of).sum()
}

#[test]
fn the_nearest_admissible_length_is_found_and_twice_is_once() {
    let vector = |seed: u32| {
        let of = |k: u32| (Real::from(seed * 3 + k) * 12.9898).sin() * 2.0;
        Vec3::new(of(0), of(1), of(2))
    };
    for seed in 0..200 {
        let (z, low) = (vector(seed), (Real::from(seed) * 0.7).sin().abs() * 2.0);
        let high = low + (Real::from(seed) * 1.3).cos().max(0.0);
        let p = with_length_within(z, [low, high]);
        assert!(p.length() > low - 1e-14 && p.length() < high + 1e-14, "{p} in {low} to {high}");
        assert!(with_length_within(p, [low, high]).distance(p) < 1e-15);
        if z.length() > low && z.length() < high {
            assert_eq!(p, z, "{low} to {high}");
        }
        for other in 0..200 {
            let other = vector(other + 1000).normalize();
            for length in [low, (low + high) / 2.0, high] {
                assert!(z.distance(other * length) >= z.distance(p) - 1e-14, "{z} in {low} to {high}");
            }
        }
    }
}

#[test]
fn curvature_within_the_range_costs_nothing_and_beyond_it_the_distance_to_its_end() {
    let pattern = curved(0.8);
    let rest = pattern.rest_positions();
    for (radius, range, free) in [
        (0.8, [0.0, 0.0], true),
        (0.5, [0.0, 0.9], true),
        (0.5, [0.3, 0.4], false),
        (1.6, [0.8, 0.0], true),
        (1.6, [0.3, 9.0], false),
        (0.5, [0.0, 0.0], false),
    ] {
        let constraint = Bending { stiffness: STIFFNESS, less: range[0], more: range[1] };
        let q = evenly(radius);
        let lanes: Vec<F64x4> = q.iter().map(|x| F64x4::from_vec3(*x)).collect();
        let elements = constraint.elements(&pattern);
        let energy: Real = elements.energies(&constraint, &lanes).iter().sum();
        let expected = bending_energy(rest, &q, range);
        println!("radius {radius}, {range:?}: {energy:e} J");
        assert!((energy - expected).abs() <= 1e-12 * expected.max(1e-12), "{energy:e}, by hand {expected:e} J");
        assert_eq!(energy < 1e-20, free, "radius {radius}, {range:?}: {energy:e} J");
        let [values, projected] = elements.projections(&constraint, &lanes);
        let pulled = values.iter().zip(&projected).any(|(z, p)| z.to_vec3().distance(p.to_vec3()) > 1e-12);
        assert_eq!(pulled, !free, "radius {radius}, {range:?}");
    }
}

#[test]
fn a_step_with_limits_of_bending_ends_at_the_minimum_of_an_own_minimisation() {
    for range in [[0.3, 0.3], [0.0, 0.5], [0.35, 0.0]] {
        let settings = [
            ("bending", ON),
            ("bending_weight", Setting::Real(STIFFNESS)),
            ("bending_less", Setting::Real(range[0])),
            ("bending_more", Setting::Real(range[1])),
            ("iterations", Setting::Integer(1000)),
            ("acceleration", Setting::Choice(3)),
        ];
        let mut simulation = projective(curved(0.8), &settings);
        // flatter on one side and rounder on the other, so that vertices are below, within and above the range
        let rest = simulation.pattern().rest_positions().to_vec();
        for (x, of_rest) in simulation.state.cloth.positions.iter_mut().zip(&rest) {
            *x = Vec3::new(of_rest.x, of_rest.y * (0.3 + 1.5 * of_rest.z), of_rest.z);
        }
        [0, 4].into_iter().for_each(|corner| simulation.state.cloth.pin_here(corner));
        let lengths = |q: &[Vec3]| -> Vec<Real> { laplacians(&rest, q).iter().map(|(_, z)| z.length()).collect() };
        let of_rest = lengths(&rest)[0];
        let start = lengths(&simulation.state.cloth.positions);
        let (h, cloth) = (simulation.parameters.timing.time_step, simulation.state.cloth.clone());
        let (frozen, pool) = (simulation.freeze(), ThreadPool::alone());
        let mut target = Vec::new();
        frozen.input(&pool).predict(&cloth, &mut target);
        let of = |q: &[Vec3]| {
            let inertia = |(i, m): (usize, &Real)| 0.5 * m / (h * h) * q[i].distance_squared(target[i]);
            cloth.masses.iter().enumerate().map(inertia).sum::<Real>() + bending_energy(&rest, q, range)
        };
        let free: Vec<usize> = (0..cloth.len()).filter(|i| ![0, 4].contains(i)).collect();
        let mut q = cloth.positions.clone();
        [0, 4].into_iter().for_each(|corner| q[corner] = target[corner]);
        let q = minimised(q, &free, of);
        advance(&mut simulation, 1);
        let found = &simulation.state.cloth.positions;
        let apart = farthest(found, &q);
        println!(
            "{range:?}: {apart:e} m, {:e} J above; rest {of_rest}, start {start:?}, end {:?}",
            of(found) - of(&q),
            lengths(found)
        );
        assert!(start.iter().any(|z| *z < of_rest - range[0]) && start.iter().any(|z| *z > of_rest + range[1]));
        assert!(apart < 1e-8, "{range:?}: {apart:e} m");
    }
}
