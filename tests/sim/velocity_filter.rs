//! Damping by a filter of velocities: what it keeps, and at what rate it takes the rest.

use std::ops::Range;

use weft::sim::model::material::MassModel;
use weft::sim::model::partition::Prescribed;
use weft::sim::params::Setting;
use weft::sim::pattern::{Family, Plane, Springs};
use weft::sim::solvers::{RigidMotion, VelocityFilter};
use weft::sim::step::timing::Scheme;
use weft::sim::{Pattern, Real, Simulation, Vec3};

use crate::bodies::block;
use crate::fixtures::{Random, advance, every, farthest, rippled, set};
use crate::projective::projective;

/// A state of a pattern.
#[derive(Clone)]
struct Moving {
    masses: Vec<Real>,
    positions: Vec<Vec3>,
    velocities: Vec<Vec3>,
}

impl Moving {
    /// At random near the rest shape, with masses from 0.1 to 1.9 kg.
    fn random(pattern: &Pattern, random: &mut Random) -> Self {
        Self {
            masses: (0..pattern.len()).map(|_| 1.0 + 0.9 * random.number()).collect(),
            positions: pattern.rest_positions().iter().map(|x| *x + random.vector() * 0.1).collect(),
            velocities: (0..pattern.len()).map(|_| random.vector()).collect(),
        }
    }

    /// Filtered by this share.
    fn filtered(&self, pattern: &Pattern, held: &[Prescribed], share: Real) -> Vec<Vec3> {
        let mut velocities = self.velocities.clone();
        let state = (&self.masses[..], &self.positions[..]);
        VelocityFilter::default().damp(pattern, state, &mut velocities, held, share);
        velocities
    }

    /// Momentum and angular momentum of some vertices about a place, with these velocities, and their sizes.
    fn momenta(&self, of: Range<usize>, about: Vec3, v: &[Vec3]) -> [(Vec3, Real); 2] {
        let momentum = |i: usize| v[i] * self.masses[i];
        let turning = |i: usize| (self.positions[i] - about).cross(momentum(i));
        [of.clone().map(momentum).collect::<Vec<_>>(), of.map(turning).collect()]
            .map(|all| (all.iter().sum(), all.iter().map(|one| one.length()).sum()))
    }

    /// Vertices that are prescribed where they are, with their velocities.
    fn held(&self, vertices: &[u32]) -> Vec<Prescribed> {
        let of = |&vertex: &u32| {
            let (position, velocity) = (self.positions[vertex as usize], self.velocities[vertex as usize]);
            Prescribed { vertex, position, velocity }
        };
        vertices.iter().map(of).collect()
    }
}

/// A cloth, a body, two cloths apart, a straight thread, and a single vertex: with the vertices of each part.
fn shapes() -> Vec<(&'static str, Pattern, Vec<Range<usize>>)> {
    let grid = Pattern::grid(6, 5, 1.0, 0.8, Plane::Xz);
    let body = block([3, 2, 2], 0.3);
    let both = Pattern::mesh(
        grid.rest_positions().iter().chain(grid.rest_positions()).copied().collect(),
        grid.triangles().iter().flat_map(|t| [*t, t.map(|i| i + 30)]).collect(),
    );
    let vertex = Pattern::new(vec![Vec3::ONE], Vec::new(), Springs::default());
    let whole = |name, pattern: Pattern| {
        let all = 0..pattern.len();
        (name, pattern, [all].to_vec())
    };
    vec![
        whole("cloth", grid),
        whole("body", body),
        ("two cloths", both, vec![0..30, 30..60]),
        whole("two vertices", thread(2)),
        whole("vertex", vertex),
    ]
}

/// So many vertices along a line, each with a spring to the next.
fn thread(count: u32) -> Pattern {
    let springs = Springs {
        ends: (1..count).map(|i| [i - 1, i]).collect(),
        rest_lengths: vec![0.3; count as usize - 1],
        families: vec![Family::Structural; count as usize - 1],
    };
    let line = Vec3::new(1.0, 2.0, -2.0) * 0.1;
    Pattern::new((0..count).map(|i| line * Real::from(i)).collect(), Vec::new(), springs)
}

#[test]
fn the_filter_keeps_momentum_and_angular_momentum_of_every_part_to_rounding() {
    for (shape, pattern, parts) in shapes() {
        for seed in 0..20 {
            let state = Moving::random(&pattern, &mut Random(seed));
            let after = state.filtered(&pattern, &[], 0.05 * f64::from(seed));
            for part in &parts {
                let before = state.momenta(part.clone(), Vec3::ONE, &state.velocities);
                let now = state.momenta(part.clone(), Vec3::ONE, &after);
                for ((before, size), (now, _)) in before.into_iter().zip(now) {
                    let change = before.distance(now);
                    assert!(change <= 1e-13 * size, "{shape}, {seed}: {change:e} of {size}");
                }
            }
        }
    }
}

#[test]
fn the_filter_leaves_rigid_motions_and_takes_its_share_of_all_else() {
    for (shape, pattern, parts) in shapes() {
        for seed in 0..20 {
            let mut random = Random(100 + seed);
            let mut state = Moving::random(&pattern, &mut random);
            let after = state.filtered(&pattern, &[], 0.3);
            let rigid = state.filtered(&pattern, &[], 1.0);
            // what is left is rigid, and 0.7 of the rest
            let part = |v: &[Vec3], at: usize| v[at] - rigid[at];
            for at in 0..pattern.len() {
                let apart = part(&after, at).distance(part(&state.velocities, at) * 0.7);
                assert!(apart < 1e-14, "{shape}, {seed}: {apart:e} m/s");
            }
            for of in &parts {
                // of all rigid motions it is the nearest, by kinetic energy
                let energy = |u: Vec3, spin: Vec3| -> Real {
                    let of_vertex = |i: usize| {
                        let v = part(&state.velocities, i) - u - spin.cross(state.positions[i]);
                        0.5 * state.masses[i] * v.length_squared()
                    };
                    of.clone().map(of_vertex).sum()
                };
                let least = energy(Vec3::ZERO, Vec3::ZERO);
                let others = (0..20).map(|_| energy(random.vector() * 0.01, random.vector() * 0.01));
                assert!(others.fold(Real::MAX, Real::min) >= least * (1.0 - 1e-12), "{shape}, {seed}");
            }
            let (u, spin) = (random.vector(), random.vector());
            state.velocities = state.positions.iter().map(|x| u + spin.cross(*x)).collect();
            let apart = farthest(&state.filtered(&pattern, &[], 1.0), &state.velocities);
            assert!(apart < 1e-12, "{shape}, {seed}: a rigid motion is changed by {apart:e} m/s");
        }
    }
}

#[test]
fn with_prescribed_vertices_the_rigid_motion_is_theirs_and_a_free_rotation_keeps_its_angular_momentum() {
    let pattern = Pattern::grid(6, 5, 1.0, 0.8, Plane::Xz);
    for seed in 0..20 {
        let mut random = Random(300 + seed);
        let mut state = Moving::random(&pattern, &mut random);
        // the first three are on a line
        state.positions[2] = state.positions[0].lerp(state.positions[1], 1.7);
        let (u, spin) = (random.vector(), random.vector());
        let motion = |x: Vec3| u + spin.cross(x);
        for vertices in [&[3][..], &[0, 1], &[0, 1, 2], &[0, 3, 17]] {
            vertices.iter().for_each(|&i| state.velocities[i as usize] = motion(state.positions[i as usize]));
            let held = state.held(vertices);
            let rigid = state.filtered(&pattern, &held, 1.0);
            for &i in vertices {
                assert_eq!(rigid[i as usize], state.velocities[i as usize], "a prescribed velocity stays");
            }
            // the velocities filtered by all of it are a rigid motion through those of the held vertices
            let points = || (0..pattern.len()).map(|i| (1.0, state.positions[i], rigid[i]));
            let fitted = RigidMotion::of(points(), std::iter::empty());
            let apart = (0..pattern.len()).map(|i| fitted.at(state.positions[i]).distance(rigid[i]));
            let apart = apart.fold(0.0, Real::max);
            assert!(apart < 1e-11, "{vertices:?}, {seed}: not rigid by {apart:e} m/s");
            let pivot = state.positions[vertices[0] as usize];
            let change: Vec<Vec3> = (0..pattern.len()).map(|i| rigid[i] - state.velocities[i]).collect();
            let [_, (moment, size)] = state.momenta(0..pattern.len(), pivot, &change);
            match vertices.len() {
                1 => assert!(moment.length() < 1e-12 * size, "{seed}: {moment} about the vertex"),
                _ if vertices[1] == 1 => {
                    let axis = (state.positions[1] - pivot).normalize();
                    assert!(moment.dot(axis).abs() < 1e-12 * size, "{seed}: {moment} about the line");
                    assert!(moment.length() > 1e-3 * size);
                }
                _ => {
                    let apart = (0..pattern.len()).map(|i| motion(state.positions[i]).distance(rigid[i]));
                    let apart = apart.fold(0.0, Real::max);
                    assert!(apart < 1e-11, "{seed}: {apart:e} m/s from the motion of the held vertices");
                }
            }
            // a motion that is rigid with the held vertices stays
            let mut all = state.clone();
            all.velocities = all.positions.iter().map(|x| motion(*x)).collect();
            let apart = farthest(&all.filtered(&pattern, &held, 1.0), &all.velocities);
            assert!(apart < 1e-11, "{vertices:?}, {seed}: {apart:e} m/s");
        }
    }
}

#[test]
fn a_thread_turns_about_every_axis_but_its_own() {
    let pattern = thread(7);
    let mut random = Random(9);
    let mut state = Moving::random(&pattern, &mut random);
    state.positions.clone_from(&pattern.rest_positions().to_vec());
    let spin = random.vector();
    state.velocities = state.positions.iter().map(|x| spin.cross(*x) + Vec3::Y).collect();
    let apart = farthest(&state.filtered(&pattern, &[], 1.0), &state.velocities);
    assert!(apart < 1e-13, "{apart:e} m/s");
}

/// Two vertices of 0.1 kg on a spring of 40 N/m, stretched by a tenth, without gravity.
fn oscillator(step: Real, rate: Real, scheme: Scheme) -> Simulation {
    let springs = Springs { ends: vec![[0, 1]], rest_lengths: vec![0.5], families: vec![Family::Structural] };
    let pattern = Pattern::new(vec![Vec3::ZERO, Vec3::X * 0.5], Vec::new(), springs);
    let mut simulation = projective(pattern, &[]);
    let parameters = &mut simulation.parameters;
    (parameters.mass.mass_model, parameters.mass.vertex_mass) = (MassModel::PerVertex, 0.1);
    parameters.gravity.gravity = 0.0;
    (parameters.material.structural_stiffness, parameters.material.damping) = (40.0, 0.0);
    parameters.timing.time_step = step;
    parameters.timing.scheme = scheme;
    for (key, value) in [
        ("springs", Setting::Toggle(true)),
        ("iterations", Setting::Integer(100)),
        ("velocity_filter", Setting::Real(rate)),
    ] {
        set(&mut simulation, key, value);
    }
    simulation.state.cloth.positions[1].x = 0.55;
    simulation
}

/// `U + T` of the oscillator after a time [J].
fn energy_after(time: Real, mut simulation: Simulation) -> Real {
    let steps = (time / simulation.parameters.timing.time_step).round() as usize;
    advance(&mut simulation, steps);
    let cloth = &simulation.state.cloth;
    let stretch = cloth.positions[0].distance(cloth.positions[1]) - 0.5;
    let kinetic: Real = cloth.masses.iter().zip(&cloth.velocities).map(|(m, v)| 0.5 * m * v.length_squared()).sum();
    0.5 * 40.0 * stretch * stretch + kinetic
}

#[test]
fn an_oscillation_loses_energy_at_the_rate_whatever_the_step_and_the_scheme() {
    let (rate, time) = (2.0, 1.0);
    every([("midpoint", Scheme::Theta), ("BDF2", Scheme::Bdf2)], |(name, scheme)| {
        for step in [1e-3, 2e-3] {
            let [without, with] = [0.0, rate].map(|rate| energy_after(time, oscillator(step, rate, scheme)));
            let decay = (with / without).ln() / -time;
            println!("{name}, step {step}: {decay} 1/s");
            // the mean of a damped oscillation, whose energy falls while it moves
            assert!((decay / rate - 1.0).abs() < 0.05, "step {step}: {decay} 1/s");
        }
    });
}

#[test]
fn a_turning_cloth_turns_on_while_its_ripples_die() {
    let mut simulation = rippled("projective-dynamics", 7, 6);
    simulation.parameters.gravity.gravity = 0.0;
    simulation.parameters.material.damping = 0.0;
    set(&mut simulation, "velocity_filter", Setting::Real(1e3));
    let spin = Vec3::new(0.0, 1.0, 2.0);
    let cloth = &mut simulation.state.cloth;
    cloth.velocities.iter_mut().zip(&cloth.positions).for_each(|(v, x)| *v += spin.cross(*x));
    advance(&mut simulation, 1);
    let cloth = &simulation.state.cloth;
    let points = || (0..cloth.len()).map(|i| (cloth.masses[i], cloth.positions[i], cloth.velocities[i]));
    let rigid = RigidMotion::of(points(), std::iter::empty());
    let rest = (0..cloth.len()).map(|i| rigid.at(cloth.positions[i]).distance(cloth.velocities[i]));
    let rest = rest.fold(0.0, Real::max);
    // the share of a step of 5 ms is 1 - e^-5
    println!("{rest} m/s beside the rigid motion, which turns by {}", rigid.spin);
    assert!(rest < 0.01 && (rigid.spin.distance(spin)) < 0.2 * spin.length(), "{rest}, {}", rigid.spin);
}
