//! Two constraints of one kind with different weights: weak strain and a strong limit.

use weft::sim::exec::pool::ThreadPool;
use weft::sim::params::Setting;
use weft::sim::pattern::Plane;
use weft::sim::{Pattern, Real, Simulation, Vec3};

use crate::bodies;
use crate::fixtures::{advance, farthest, set};
use crate::projective::{ON, projective};

const WEAK: Real = 20.0;
const STRONG: Real = 2000.0;
const LIMIT: Real = 1.1;

/// An upright cloth that hangs by its upper corners, under weak strain, with the strong limit or without it.
fn hanging(n: usize, limited: bool) -> Simulation {
    let pattern = Pattern::grid(n, n, 1.0, 1.0, Plane::Xy);
    let settings = [
        ("triangle_strain", ON),
        ("strain_weight", Setting::Real(WEAK)),
        ("strain_limit", Setting::Toggle(limited)),
        ("strain_limit_weight", Setting::Real(STRONG)),
        ("strain_limit_min", Setting::Real(0.9)),
        ("strain_limit_max", Setting::Real(LIMIT)),
        ("iterations", Setting::Integer(1000)),
        // L-BFGS: below the limit the matrix is far stiffer than the cloth
        ("acceleration", Setting::Choice(3)),
    ];
    let mut simulation = projective(pattern, &settings);
    let rest = simulation.pattern().rest_positions().to_vec();
    let top = rest.iter().map(|x| x.y).fold(Real::MIN, Real::max);
    let corners = |x: &Vec3| x.y == top && (x.x.abs() > 0.499);
    for i in (0..rest.len()).filter(|&i| corners(&rest[i])) {
        simulation.state.cloth.pin_here(i as u32);
    }
    simulation
}

/// Both singular values of the deformation of a triangle, from the invariants of FᵀF.
fn stretches(rest: [Vec3; 3], x: [Vec3; 3]) -> [Real; 2] {
    let metric = |[a, b, c]: [Vec3; 3]| {
        let (u, v) = (b - a, c - a);
        [u.dot(u), u.dot(v), v.dot(v)]
    };
    let ([a, b, c], [p, q, r]) = (metric(rest), metric(x));
    let det = a * c - b * b;
    let trace = (p * c - 2.0 * q * b + r * a) / det;
    let product = ((p * r - q * q) / det).max(0.0);
    let root = (trace * trace / 4.0 - product).max(0.0).sqrt();
    [trace / 2.0 + root, trace / 2.0 - root].map(|square| square.max(0.0).sqrt())
}

/// `E(q)` of a step [J].
fn energy(simulation: &Simulation, target: &[Vec3], h: Real, q: &[Vec3]) -> Real {
    let (pattern, masses) = (simulation.pattern(), &simulation.state.cloth.masses);
    let rest = pattern.rest_positions();
    let inertia = |(i, m): (usize, &Real)| 0.5 * m / (h * h) * q[i].distance_squared(target[i]);
    let strain = |triangle: [u32; 3]| {
        let [of_rest, of_q] = [rest, q].map(|x| triangle.map(|vertex| x[vertex as usize]));
        let area = (of_rest[1] - of_rest[0]).cross(of_rest[2] - of_rest[0]).length() / 2.0;
        let square = |low: Real, high: Real| {
            stretches(of_rest, of_q).map(|s| (s - s.clamp(low, high)).powi(2)).iter().sum::<Real>()
        };
        0.5 * area * (WEAK * square(1.0, 1.0) + STRONG * square(0.9, LIMIT))
    };
    masses.iter().enumerate().map(inertia).sum::<Real>() + pattern.cloth_triangles().map(strain).sum::<Real>()
}

/// Solves by Gauss with pivots.
fn solve(mut a: Vec<Vec<Real>>, mut b: Vec<Real>) -> Vec<Real> {
    let n = b.len();
    for at in 0..n {
        let pivot = (at..n).max_by(|i, j| a[*i][at].abs().total_cmp(&a[*j][at].abs())).expect("rows are left");
        a.swap(at, pivot);
        b.swap(at, pivot);
        for i in at + 1..n {
            let share = a[i][at] / a[at][at];
            let (above, below) = a.split_at_mut(i);
            below[0].iter_mut().zip(&above[at]).for_each(|(x, y)| *x -= share * y);
            b[i] -= share * b[at];
        }
    }
    for at in (0..n).rev() {
        let known: Real = (at + 1..n).map(|j| a[at][j] * b[j]).sum();
        b[at] = (b[at] - known) / a[at][at];
    }
    b
}

/// The minimum of an energy over the `free` vertices by Newton's method with differences, from `q`.
pub fn minimised(mut q: Vec<Vec3>, free: &[usize], of: impl Fn(&[Vec3]) -> Real) -> Vec<Vec3> {
    let moved = |q: &[Vec3], by: &[(usize, Real)]| {
        let mut q = q.to_vec();
        by.iter().for_each(|&(k, d)| q[free[k / 3]] += Vec3::AXES[k % 3] * d);
        q
    };
    let (count, d) = (3 * free.len(), 1e-4);
    for _ in 0..60 {
        let slope: Vec<Real> =
            (0..count).map(|k| (of(&moved(&q, &[(k, 1e-6)])) - of(&moved(&q, &[(k, -1e-6)]))) / 2e-6).collect();
        let entry = |k: usize, l: usize| {
            let at = |a: Real, b: Real| of(&moved(&q, &[(k, a), (l, b)]));
            (at(d, d) - at(d, -d) - at(-d, d) + at(-d, -d)) / (4.0 * d * d)
        };
        let mut hessian: Vec<Vec<Real>> = (0..count).map(|k| (0..count).map(|l| entry(k, l)).collect()).collect();
        // a little towards steepest descent, since the energy is not convex everywhere
        (0..count).for_each(|k| hessian[k][k] *= 1.02);
        let step = solve(hessian, slope);
        let mut t = 1.0;
        let by = |t: Real| step.iter().enumerate().map(|(k, s)| (k, -t * s)).collect::<Vec<_>>();
        while of(&moved(&q, &by(t))) > of(&q) && t > 1e-6 {
            t /= 2.0;
        }
        q = moved(&q, &by(t));
    }
    q
}

#[test]
fn a_step_under_weak_strain_and_a_strong_limit_ends_at_the_minimum_of_their_sum() {
    let mut simulation = hanging(4, true);
    // stretched beyond the limit in one direction, so that both constraints are at work
    for (i, x) in simulation.state.cloth.positions.iter_mut().enumerate() {
        *x = *x * Vec3::new(1.0, 1.2, 1.0) + Vec3::Z * 0.03 * (i as Real).sin();
    }
    let (h, cloth) = (simulation.parameters.timing.time_step, simulation.state.cloth.clone());
    let (frozen, pool) = (simulation.freeze(), ThreadPool::alone());
    let mut target = Vec::new();
    frozen.input(&pool).predict(&cloth, &mut target);
    let free: Vec<usize> =
        (0..cloth.len()).filter(|&i| cloth.pins().iter().all(|pin| pin.vertex as usize != i)).collect();
    let of = |q: &[Vec3]| energy(&simulation, &target, h, q);
    let mut q = cloth.positions.clone();
    (0..q.len()).filter(|i| !free.contains(i)).for_each(|i| q[i] = target[i]);
    let q = minimised(q, &free, of);
    let least = of(&q);
    advance(&mut simulation, 1);
    let found = simulation.state.cloth.positions.clone();
    let apart = farthest(&found, &q);
    println!("{apart:e} m, {:e} J above {least} J", energy(&simulation, &target, h, &found) - least);
    assert!(apart < 1e-7, "{apart:e} m");
}

#[test]
fn a_cloth_is_soft_below_the_limit_and_stiff_beyond() {
    let stretch = |limited: bool, share: Real| {
        let mut simulation = hanging(9, limited);
        simulation.parameters.gravity.gravity *= share;
        set(&mut simulation, "iterations", Setting::Integer(100));
        advance(&mut simulation, 30);
        let (pattern, x) = (simulation.pattern(), &simulation.state.cloth.positions);
        let rest = pattern.rest_positions();
        let of = |triangle: [u32; 3]| {
            let [of_rest, of_x] = [rest, x].map(|x| triangle.map(|vertex| x[vertex as usize]));
            stretches(of_rest, of_x)[0]
        };
        pattern.cloth_triangles().map(of).fold(0.0, Real::max) - 1.0
    };
    let [light, heavy] = [0.05, 2.0].map(|share| [true, false].map(|limited| stretch(limited, share)));
    println!("largest strain, with and without the limit: {light:?} and {heavy:?}");
    assert!((light[0] - light[1]).abs() < 0.02 * light[1] && light[1] > 0.001, "{light:?}");
    assert!(heavy[0] < 0.3 * heavy[1], "{heavy:?}");
}

#[test]
fn a_body_is_soft_below_the_limit_and_stiff_beyond() {
    let stretch = |limited: bool, share: Real| {
        let settings = [
            ("tetrahedral_strain", ON),
            ("tetrahedral_weight", Setting::Real(1e4)),
            ("tetrahedral_limit", Setting::Toggle(limited)),
            ("tetrahedral_limit_weight", Setting::Real(1e6)),
            ("tetrahedral_limit_max", Setting::Real(LIMIT)),
            ("iterations", Setting::Integer(100)),
            ("acceleration", Setting::Choice(3)),
        ];
        let mut simulation = projective(bodies::block([2, 5, 2], 0.1), &settings);
        simulation.parameters.gravity.gravity *= share;
        let rest = simulation.pattern().rest_positions().to_vec();
        for i in (0..rest.len()).filter(|&i| rest[i].y > 0.499) {
            simulation.state.cloth.pin_here(i as u32);
        }
        advance(&mut simulation, 30);
        let lowest = simulation.state.cloth.positions.iter().map(|x| x.y).fold(Real::MAX, Real::min);
        -lowest / 0.5
    };
    let [light, heavy] = [0.05, 1.0].map(|share| [true, false].map(|limited| stretch(limited, share)));
    println!("strain of a hanging bar, with and without the limit: {light:?} and {heavy:?}");
    assert!((light[0] - light[1]).abs() < 0.02 * light[1] && light[1] > 0.001, "{light:?}");
    assert!(heavy[0] < 0.5 * heavy[1], "{heavy:?}");
}
