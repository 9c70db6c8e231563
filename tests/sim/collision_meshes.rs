//! Surfaces of colliders made of triangles: what is free of them stays so, whatever is proposed and however they move.

use std::borrow::Cow;

use proptest::prelude::*;
use weft::sim::contact::cloth::{ClothContactSettings, ContactStep, SelfContact, Truncation};
use weft::sim::contact::{Collider, ContactSettings, Intersections, Obstacles, Shape};
use weft::sim::exec::pool::ThreadPool;
use weft::sim::model::motion::{Path, Turn};
use weft::sim::pattern::Springs;
use weft::sim::{Clock, Cloth, Pattern, Real, Vec3};

use crate::brute_force;
use crate::colliders::{ball, mesh};
use crate::self_contact::{Mesh, Noise, PROPOSALS, Proposal, cases, meshes, propose, seed, start};

/// Distance of layers [m].
const DISTANCE: Real = 0.004;
const DT: Real = 0.01;

/// A surface for a cloth of 1 m.
#[derive(Debug, Clone, Copy)]
enum Thing {
    /// Closed, of some hundred triangles.
    Ball,
    /// Closed, of twelve.
    Box,
    /// Open, all its triangles thrown down at random: thin ones, long ones, small ones, some without area.
    Shards,
    /// One triangle, as thin as a needle.
    Needle,
    /// An open sheet of small triangles in waves.
    Waves,
    /// A sheet across, of two.
    Sheet,
}

const THINGS: [Thing; 6] = [Thing::Ball, Thing::Box, Thing::Shards, Thing::Needle, Thing::Waves, Thing::Sheet];

fn surface(thing: Thing, noise: &mut Noise) -> Shape {
    match thing {
        Thing::Ball => {
            let (points, triangles) = ball(2);
            mesh(points, triangles)
        }
        Thing::Box => Shape::Box { half_extents: Vec3::new(0.2, 0.05, 0.3) },
        Thing::Shards => {
            let mut points = Vec::new();
            for _ in 0..12 {
                let (at, size) = (noise.vector() * 0.6, 10_f64.powf(noise.next() - 0.7));
                points.extend([at, at + noise.vector() * size, at + noise.vector() * (size * noise.next().abs())]);
            }
            points.extend([Vec3::X, Vec3::ZERO, Vec3::NEG_X]);
            let triangles = (0..13).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
            mesh(points, triangles)
        }
        Thing::Needle => mesh(vec![Vec3::NEG_Y * 0.5, Vec3::Y * 0.4, Vec3::new(1e-4, 0.39, 2e-5)], vec![[0, 1, 2]]),
        Thing::Waves => {
            let n = 21;
            let at = |k: u32| Real::from(k) / 10.0 - 1.0;
            let point = |i, j| Vec3::new(at(i), 0.05 * (7.0 * at(i)).sin() * (5.0 * at(j)).cos(), at(j));
            let points = (0..n * n).map(|k| point(k / n, k % n)).collect();
            let corners = (0..n - 1).flat_map(|i| (0..n - 1).map(move |j| i * n + j));
            mesh(points, corners.flat_map(|k| [[k, k + 1, k + n], [k + 1, k + n + 1, k + n]]).collect())
        }
        Thing::Sheet => {
            let points =
                [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(x, z)| Vec3::new(x, 0.0, z)).to_vec();
            mesh(points, vec![[0, 1, 2], [0, 2, 3]])
        }
    }
}

/// How many triangles of the cloth and of a collider that does not move intersect, by brute force.
fn with_shape(triangles: &[[u32; 3]], x: &[Vec3], shape: &Shape, place: Vec3) -> usize {
    let (points, own) = match shape {
        Shape::Box { half_extents } => {
            let corner = |k: u32| [0, 1, 2].map(|axis| if k >> axis & 1 == 0 { -1.0 } else { 1.0 });
            let points: Vec<Vec3> = (0..8).map(|k| *half_extents * Vec3::from_array(corner(k))).collect();
            let faces = [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]];
            let halves: Vec<[u32; 3]> = faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
            (points, halves)
        }
        shape => {
            let (points, triangles) = shape.triangles().expect("it has some");
            (points.to_vec(), triangles.to_vec())
        }
    };
    let first = x.len() as u32;
    let all: Vec<Vec3> = x.iter().copied().chain(points.iter().map(|p| *p + place)).collect();
    let own = own.iter().map(|triangle| triangle.map(|corner| corner + first));
    let mut count = 0;
    for other in own {
        count += triangles.iter().filter(|t| brute_force::intersections(&[**t, other], &all) > 0).count();
    }
    count
}

/// The cloth moves by the proposal, truncated, while the colliders move through a step.
fn truncate(
    contact: &mut SelfContact,
    pattern: &Pattern,
    before: &[Vec3],
    wish: Vec<Vec3>,
    obstacles: &Obstacles,
    pool: &ThreadPool,
) -> (Vec<Vec3>, Truncation) {
    let mut cloth = Cloth::at_rest(wish, vec![1.0; before.len()]);
    let settings = ClothContactSettings { distance: DISTANCE, friction: 0.3 };
    let step = ContactStep { settings, pattern, before, dt: DT, pool };
    let done = contact.truncate(&step, obstacles.solids().1, &mut cloth, |_| true, Clock::default());
    (cloth.positions, done)
}

/// The colliders on their way through the step that starts at `time` [s].
fn put(obstacles: &mut Obstacles, colliders: &[Collider], time: Real) {
    let settings = ContactSettings { thickness: 0.008, ..ContactSettings::default() };
    obstacles.update(|| colliders.iter().map(Cow::Borrowed), None, &settings, time, DT);
}

fn crossing(pattern: &Pattern, x: &[Vec3], colliders: &[Collider], time: Real) -> usize {
    let mut search = Intersections::default();
    search.find_in_colliders(pattern, x, colliders.iter().map(Cow::Borrowed), time).len()
}

/// Puts the collider, which is at its place, so that it is free of the cloth: a little beside it, or far from it.
fn put_beside(pattern: &Pattern, x: &[Vec3], collider: &mut Collider, noise: &mut Noise) {
    let middle = x.iter().sum::<Vec3>() / x.len() as Real;
    let way = noise.vector().normalize_or(Vec3::Y);
    // not in one plane with the cloth but for rounding, which would be touching
    collider.position = middle + noise.vector() * 1e-6;
    for k in 0..200 {
        if crossing(pattern, x, std::slice::from_ref(collider), 0.0) == 0 {
            return;
        }
        collider.position = middle + way * (0.002 * 1.05_f64.powi(k));
    }
    panic!("it is everywhere");
}

fn things() -> impl Strategy<Value = Thing> {
    prop::sample::select(THINGS.to_vec())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), rng_seed: seed(), failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn what_is_free_of_a_collider_that_stands_still_stays_so(
        cloth in meshes(), thing in things(), size in 4_usize..7, exponent in -5.0..-1.5, seed: u64,
        proposals in prop::collection::vec((prop::sample::select(PROPOSALS.to_vec()), -4.0..2.0), 1..6),
    ) {
        let noise = &mut Noise(seed);
        let (pattern, mut x) = start(cloth, size, 10_f64.powf(exponent), noise);
        let mut collider = Collider::new(surface(thing, noise), Vec3::ZERO);
        put_beside(&pattern, &x, &mut collider, noise);
        let (mut contact, mut obstacles) = (SelfContact::default(), Obstacles::default());
        put(&mut obstacles, std::slice::from_ref(&collider), 0.0);
        for (proposal, exponent) in proposals {
            let wish = propose(proposal, 10_f64.powf(exponent), &x, noise);
            let (next, done) = truncate(&mut contact, &pattern, &x, wish.clone(), &obstacles, &ThreadPool::alone());
            let triangles = pattern.triangles();
            prop_assert_eq!(brute_force::intersections(triangles, &next), 0, "{:?} {:?}", proposal, done);
            let met = with_shape(triangles, &next, &collider.shape, collider.position);
            prop_assert_eq!(met, 0, "with the collider: {:?} {:?}", proposal, done);
            prop_assert_eq!(crossing(&pattern, &next, std::slice::from_ref(&collider), 0.0), 0, "the counts differ");
            let (again, fresh) = truncate(&mut SelfContact::default(), &pattern, &x, wish, &obstacles, &ThreadPool::alone());
            prop_assert!(again == next && fresh == done, "a cache shows");
            x = next;
        }
    }
}

/// A motion of a collider, slow or fast.
fn set_off(collider: &mut Collider, noise: &mut Noise) {
    let speed = 10_f64.powf(2.0 * noise.next());
    if noise.next() > -0.5 {
        collider.path = Some(Path::Steady { velocity: noise.vector() * speed });
    }
    if noise.next() > -0.3 {
        let turns = vec![(0.0, 0.0), (1.0, speed), (2.0, 2.0 * speed)];
        collider.turn = Some(Turn { axis: noise.vector(), center: None, turns, repeat: true, swing: None });
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), rng_seed: seed(), failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn what_is_free_of_colliders_that_move_stays_so(
        cloth in meshes(), pair in [things(), things()], size in 4_usize..7, exponent in -5.0..-1.5, seed: u64,
        proposals in prop::collection::vec((prop::sample::select(PROPOSALS.to_vec()), -4.0..2.0), 1..8),
    ) {
        let noise = &mut Noise(seed);
        let (pattern, mut x) = start(cloth, size, 10_f64.powf(exponent), noise);
        let mut colliders: Vec<Collider> = pair.iter().map(|thing| Collider::new(surface(*thing, noise), Vec3::ZERO)).collect();
        for collider in &mut colliders {
            put_beside(&pattern, &x, collider, noise);
            set_off(collider, noise);
        }
        let (mut contact, mut obstacles) = (SelfContact::default(), Obstacles::default());
        for (k, (proposal, exponent)) in proposals.into_iter().enumerate() {
            let time = DT * k as Real;
            put(&mut obstacles, &colliders, time);
            let wish = propose(proposal, 10_f64.powf(exponent), &x, noise);
            let (next, done) = truncate(&mut contact, &pattern, &x, wish, &obstacles, &ThreadPool::alone());
            for (number, collider) in colliders.iter_mut().enumerate() {
                collider.lag = collider.lag_after(time, DT, contact.stopped().contains(&(number as u32)));
            }
            prop_assert_eq!(brute_force::intersections(pattern.triangles(), &next), 0, "{:?} {:?}", proposal, done);
            prop_assert_eq!(crossing(&pattern, &next, &colliders, time + DT), 0, "{:?} {:?}", proposal, done);
            x = next;
        }
    }
}

#[test]
fn what_is_known_to_be_far_from_a_surface_is_not_missed_when_it_comes_near() {
    for thing in THINGS {
        for moves in [false, true] {
            let noise = &mut Noise(11);
            let (pattern, mut x) = start(Mesh::Layers, 9, 0.01, noise);
            let mut collider = Collider::new(surface(thing, noise), Vec3::ZERO);
            put_beside(&pattern, &x, &mut collider, noise);
            // past it at some cm per step, and back
            let start = x.iter().sum::<Vec3>() / x.len() as Real;
            let mut contact = SelfContact::default();
            let (mut obstacles, mut truncated) = (Obstacles::default(), 0);
            if moves {
                let turns = vec![(0.0, 0.0), (1.0, 1.0)];
                let center = Some(collider.position);
                collider.turn = Some(Turn { axis: Vec3::new(0.3, 1.0, 0.1), center, turns, repeat: true, swing: None });
            }
            for k in 0..50 {
                let time = DT * Real::from(k);
                put(&mut obstacles, std::slice::from_ref(&collider), time);
                let middle = x.iter().sum::<Vec3>() / x.len() as Real;
                let goal = start + (collider.position - start) * (3.0 * (0.1 * Real::from(k)).sin());
                let shift = (goal - middle + Vec3::Y * 0.1).clamp_length_max(0.01);
                let wish: Vec<Vec3> = x.iter().map(|x| *x + shift + noise.vector() * 1e-3).collect();
                let (next, done) = truncate(&mut contact, &pattern, &x, wish.clone(), &obstacles, &ThreadPool::alone());
                let (fresh, other) =
                    truncate(&mut SelfContact::default(), &pattern, &x, wish, &obstacles, &ThreadPool::alone());
                assert!(next == fresh, "{thing:?}, step {k}: {done:?} {other:?}");
                let waits = contact.stopped().contains(&0);
                collider.lag = collider.lag_after(time, DT, waits);
                let met = crossing(&pattern, &next, std::slice::from_ref(&collider), time + DT);
                assert_eq!(met, 0, "{thing:?}, step {k}: {done:?}");
                truncated += done.impacts;
                x = next;
            }
            assert!(truncated > 0, "{thing:?}: the cloth has not come near");
        }
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bits_beside_colliders() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| {
            ThreadPool::run(true, |pool| {
                let noise = &mut Noise(3);
                let (pattern, mut x) = start(Mesh::Layers, 24, 0.003, noise);
                let turn = Turn {
                    axis: Vec3::Y,
                    center: None,
                    turns: vec![(0.0, 0.0), (1.0, 1.0)],
                    repeat: true,
                    swing: None,
                };
                let place = Vec3::new(0.5, -0.06, 0.5);
                let colliders = [Collider { turn: Some(turn), ..Collider::new(surface(Thing::Waves, noise), place) }];
                let (mut contact, mut obstacles, mut truncated) = (SelfContact::default(), Obstacles::default(), 0);
                for (k, proposal) in [Proposal::Through, Proposal::Random, Proposal::Flatten].into_iter().enumerate() {
                    put(&mut obstacles, &colliders, DT * k as Real);
                    let wish = propose(proposal, 0.03, &x, noise);
                    let (next, done) = truncate(&mut contact, &pattern, &x, wish, &obstacles, pool);
                    x = next;
                    truncated += done.impacts;
                }
                (x, truncated)
            })
        })
    };
    let (one, truncated) = run(1);
    assert!(truncated > 0, "nothing met");
    for threads in [2, 3, 8] {
        assert!(run(threads).0 == one, "{threads} threads");
    }
}

/// One triangle as a cloth.
fn triangle(corners: [[Real; 3]; 3]) -> Pattern {
    Pattern::new(corners.map(Vec3::from_array).to_vec(), vec![[0, 1, 2]], Springs::default())
}

#[test]
fn a_triangle_through_a_collider_counts_and_a_near_miss_does_not() {
    let of = |shape: Shape, place: Vec3, corners: [[Real; 3]; 3]| {
        let pattern = triangle(corners);
        crossing(&pattern, pattern.rest_positions(), &[Collider::new(shape, place)], 0.0)
    };
    let noise = &mut Noise(1);
    let tip = |y: Real| [[0.25, y, 0.2], [0.2, 1.0, 0.3], [0.3, 1.0, 0.2]];
    for (number, found) in [(-0.1, 1), (-1e-9, 1), (0.0, 1), (1e-9, 0), (0.1, 0)] {
        assert_eq!(of(surface(Thing::Sheet, noise), Vec3::ZERO, tip(number)), found, "at {number} m above a sheet");
        assert_eq!(of(surface(Thing::Sheet, noise), Vec3::Y * 0.5, tip(number + 0.5)), found, "at {number} m");
        let cube = Shape::Box { half_extents: Vec3::splat(0.5) };
        assert_eq!(of(cube, Vec3::NEG_Y * 0.5, tip(number)), found, "at {number} m above a box");
    }
    // over the rim of the sheet, and beside it; a large triangle that a needle goes through; one that lies in a box
    let over = |x: Real| [[x, 0.5, 0.0], [x, -0.5, 0.0], [3.0, 0.0, 0.5]];
    assert_eq!(of(surface(Thing::Sheet, noise), Vec3::ZERO, over(1.0)), 1);
    assert_eq!(of(surface(Thing::Sheet, noise), Vec3::ZERO, over(1.0 + 1e-9)), 0);
    let flat = |y: Real| [[-1.0, y, -1.0], [1.0, y, -1.0], [0.0, y, 1.0]];
    assert_eq!(of(surface(Thing::Needle, noise), Vec3::ZERO, flat(0.399)), 1);
    assert_eq!(of(surface(Thing::Needle, noise), Vec3::ZERO, flat(0.4 + 1e-9)), 0);
    let inside = [[0.0, 0.0, 0.0], [0.1, 0.0, 0.0], [0.0, 0.1, 0.1]];
    assert_eq!(of(Shape::Box { half_extents: Vec3::splat(0.5) }, Vec3::ZERO, inside), 0, "surfaces do not meet");
    // what has no triangles does not count
    assert_eq!(of(Shape::Sphere { radius: 0.5 }, Vec3::ZERO, flat(0.0)), 0);
}

#[test]
fn colliders_count_where_their_motion_has_brought_them() {
    let pattern = triangle([[-0.2, 0.0, -0.2], [0.2, 0.0, -0.2], [0.0, 0.0, 0.2]]);
    let wall = |lag: Real| {
        let turn = Turn { axis: Vec3::X, center: None, turns: vec![(0.0, 0.0), (4.0, 1.0)], repeat: true, swing: None };
        let path = Some(Path::Steady { velocity: Vec3::Y });
        let shape = mesh(
            vec![Vec3::new(-9.0, 0.0, -9.0), Vec3::new(9.0, 0.0, -9.0), Vec3::new(0.0, 0.0, 9.0)],
            vec![[0, 1, 2]],
        );
        [Collider { path, turn: Some(turn), lag, ..Collider::new(shape, Vec3::NEG_Y) }]
    };
    let at = |time: Real, lag: Real| crossing(&pattern, pattern.rest_positions(), &wall(lag), time);
    // it lies 1 m below, stands upright after 1 s, and lies 1 m above after 2 s
    assert_eq!([at(0.0, 0.0), at(1.0, 0.0), at(2.0, 0.0), at(2.0, 1.0), at(3.0, 1.0)], [0, 1, 0, 1, 0]);
}
