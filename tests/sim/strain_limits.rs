//! Two constraints of one kind with different weights: weak strain and a strong limit.

use weft::sim::params::Setting;
use weft::sim::pattern::Plane;
use weft::sim::{Pattern, Real, Simulation, Vec3};

use crate::bodies;
use crate::fixtures::advance;
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
        ("iterations", Setting::Integer(100)),
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

#[test]
fn a_weak_cloth_is_stiff_beyond_a_strong_limit() {
    let stretch = |limited: bool, share: Real| {
        let mut simulation = hanging(9, limited);
        simulation.parameters.gravity.gravity *= share;
        advance(&mut simulation, 30);
        let (pattern, x) = (simulation.pattern(), &simulation.state.cloth.positions);
        let rest = pattern.rest_positions();
        let of = |triangle: [u32; 3]| {
            let [of_rest, of_x] = [rest, x].map(|x| triangle.map(|vertex| x[vertex as usize]));
            stretches(of_rest, of_x)[0]
        };
        pattern.cloth_triangles().map(of).fold(0.0, Real::max) - 1.0
    };
    let heavy = [true, false].map(|limited| stretch(limited, 2.0));
    println!("largest strain, with and without the limit: {heavy:?}");
    assert!(heavy[0] < 0.3 * heavy[1], "{heavy:?}");
}

#[test]
fn a_weak_body_is_stiff_beyond_a_strong_limit() {
    let stretch = |limited: bool, share: Real| {
        let settings = [
            ("tetrahedral_strain", ON),
            ("tetrahedral_weight", Setting::Real(1e4)),
            ("tetrahedral_limit", Setting::Toggle(limited)),
            ("tetrahedral_limit_weight", Setting::Real(1e6)),
            ("tetrahedral_limit_max", Setting::Real(LIMIT)),
            ("iterations", Setting::Integer(100)),
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
    let heavy = [true, false].map(|limited| stretch(limited, 1.0));
    println!("strain of a hanging bar, with and without the limit: {heavy:?}");
    assert!(heavy[0] < 0.5 * heavy[1], "{heavy:?}");
}
