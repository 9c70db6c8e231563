//! What is free of intersection stays so, whatever is proposed.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use weft::sim::contact::cloth::{
    ClothContactSettings, ClothContacts, ContactForces, ContactStep, Pair, SelfContact, Truncation, Verdict,
};
use weft::sim::exec::pool::ThreadPool;
use weft::sim::model::material::Mass;
use weft::sim::model::partition::Partition;
use weft::sim::pattern::{Plane, Springs};
use weft::sim::{Clock, Cloth, Pattern, Simulation, Vec3};

use crate::brute_force::intersections;

/// Distance of layers [m].
const DISTANCE: f64 = 0.004;

/// Numbers that follow from a seed.
pub struct Noise(pub u64);

impl Noise {
    pub fn next(&mut self) -> f64 {
        // SplitMix64
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    pub fn vector(&mut self) -> Vec3 {
        Vec3::new(self.next(), self.next(), self.next())
    }
}

/// Several meshes as one pattern.
fn together(parts: &[Pattern]) -> Pattern {
    let (mut rest, mut triangles) = (Vec::new(), Vec::new());
    for part in parts {
        let first = rest.len() as u32;
        rest.extend_from_slice(part.rest_positions());
        triangles.extend(part.triangles().iter().map(|t| t.map(|vertex| vertex + first)));
    }
    Pattern::new(rest, triangles, Springs::default())
}

#[derive(Debug, Clone, Copy)]
pub enum Mesh {
    /// A sheet in folds that lie on each other.
    Folded,
    /// Sheets over each other.
    Layers,
    /// A sheet whose vertices are moved at random, with slivers.
    Irregular,
    /// Narrow bands across each other.
    Ribbons,
    /// A sheet that is cut from one side to the middle.
    Slit,
}

/// A mesh, and a state of it that is free of intersection.
pub fn start(mesh: Mesh, size: usize, gap: f64, noise: &mut Noise) -> (Pattern, Vec<Vec3>) {
    let sheet = |columns, rows, width, height| Pattern::grid(columns, rows, width, height, Plane::Xz);
    let pattern = match mesh {
        Mesh::Folded => sheet(2 * size, size, 2.0, 1.0),
        Mesh::Layers => together(&vec![sheet(size, size, 1.0, 1.0); 3]),
        Mesh::Irregular => {
            let regular = sheet(size, size, 1.0, 1.0);
            let cell = 1.0 / (size - 1) as f64;
            // a triangle turns over where its corners are moved by more than a quarter
            let mut moved = |x: &Vec3| *x + Vec3::new(noise.next(), 0.0, noise.next()) * (0.24 * cell);
            let rest: Vec<Vec3> = regular.rest_positions().iter().map(&mut moved).collect();
            Pattern::new(rest, regular.triangles().to_vec(), Springs::default())
        }
        Mesh::Ribbons => together(&vec![sheet(4 * size, 2, 1.0, 0.05); 4]),
        Mesh::Slit => {
            let whole = sheet(size, size, 1.0, 1.0);
            let mut rest = whole.rest_positions().to_vec();
            let (middle, half) = (size / 2, size / 2);
            // the upper half of the middle column twice
            let first = rest.len();
            rest.extend_from_within(..size * half);
            let right = |t: &[u32; 3]| t.iter().any(|vertex| *vertex as usize % size > middle);
            let of = |t: [u32; 3]| {
                let twice = |vertex: u32| vertex as usize % size == middle && (vertex as usize) < size * half;
                if right(&t) { t.map(|vertex| if twice(vertex) { first as u32 + vertex } else { vertex }) } else { t }
            };
            let triangles: Vec<[u32; 3]> = whole.triangles().iter().map(|t| of(*t)).collect();
            // those that are no copies of the middle stay behind without a triangle
            Pattern::new(rest, triangles, Springs::default())
        }
    };
    let mut positions = pattern.rest_positions().to_vec();
    match mesh {
        Mesh::Folded => {
            // zigzag: two columns up, two columns down
            for x in &mut positions {
                let column = (x.x * (2 * size - 1) as f64 / 2.0).round() as usize;
                let (fold, within) = (column / 3, column % 3);
                let place = if fold % 2 == 0 { within } else { 2 - within } as f64;
                let cell = 2.0 / (2 * size - 1) as f64;
                *x = Vec3::new(place * cell, (3 * fold + within) as f64 * gap, x.z);
            }
        }
        Mesh::Layers => {
            for (i, x) in positions.iter_mut().enumerate() {
                x.y += (i / (size * size)) as f64 * gap;
            }
        }
        Mesh::Irregular => {}
        Mesh::Slit => {
            // the right side of the slit is lifted, the more the farther from its end
            let (half, cell) = (size / 2, 1.0 / (size - 1) as f64);
            for (i, x) in positions.iter_mut().enumerate() {
                let from_end = half as f64 - (x.z / cell).round();
                let right = i >= size * size || (x.x / cell).round() as usize > size / 2;
                if right && from_end > 0.0 {
                    x.y += from_end * gap;
                }
            }
        }
        Mesh::Ribbons => {
            for (i, x) in positions.iter_mut().enumerate() {
                let ribbon = i / (8 * size);
                let turn = glam_turn(0.7 * ribbon as f64);
                *x = turn * (*x - Vec3::new(0.5, 0.0, 0.025)) + Vec3::Y * (ribbon as f64 * gap);
            }
        }
    }
    (pattern, positions)
}

fn glam_turn(angle: f64) -> weft::sim::Mat3 {
    weft::sim::Mat3::from_rotation_y(angle)
}

#[derive(Debug, Clone, Copy)]
pub enum Proposal {
    /// Every vertex anywhere.
    Random,
    /// All to one point.
    Collapse,
    /// Every vertex to where another is.
    Shuffle,
    /// Turned inside out.
    Mirror,
    /// The layers through each other.
    Through,
    /// Turned as a whole, which is a motion without conflict at small angles.
    Turn,
    /// To one plane.
    Flatten,
}

pub const PROPOSALS: [Proposal; 7] = [
    Proposal::Random,
    Proposal::Collapse,
    Proposal::Shuffle,
    Proposal::Mirror,
    Proposal::Through,
    Proposal::Turn,
    Proposal::Flatten,
];

pub fn propose(proposal: Proposal, scale: f64, x: &[Vec3], noise: &mut Noise) -> Vec<Vec3> {
    let center = x.iter().sum::<Vec3>() / x.len() as f64;
    let turn = weft::sim::Mat3::from_axis_angle(noise.vector().normalize_or(Vec3::X), scale.min(3.0));
    let axis = noise.vector().normalize_or(Vec3::Y);
    let number = x.len();
    let to = |i: usize, x: &[Vec3], noise: &mut Noise| match proposal {
        Proposal::Random => x[i] + noise.vector() * scale,
        Proposal::Collapse => center,
        Proposal::Shuffle => x[((noise.next().abs() * number as f64) as usize).min(number - 1)],
        Proposal::Mirror => center + (center - x[i]) * scale,
        Proposal::Through => x[i] + Vec3::Y * (scale * (center.y - x[i].y).signum()),
        Proposal::Turn => center + turn * (x[i] - center),
        Proposal::Flatten => x[i] - axis * axis.dot(x[i] - center),
    };
    (0..number).map(|i| to(i, x, noise)).collect()
}

/// A step of layers that keep a small distance.
fn step<'a>(pattern: &'a Pattern, before: &'a [Vec3], pool: &'a ThreadPool) -> ContactStep<'a> {
    ContactStep {
        settings: ClothContactSettings { distance: DISTANCE, friction: 0.3 },
        pattern,
        before,
        dt: 0.01,
        pool,
    }
}

/// Looks for layers in one motion and truncates another: between the two, layers and colliders push.
fn find_and_truncate(
    contact: &mut SelfContact,
    pattern: &Pattern,
    before: &[Vec3],
    [first, then]: [Vec<Vec3>; 2],
    pool: &ThreadPool,
) -> (Vec<Vec3>, Truncation) {
    let mut cloth = Cloth::at_rest(first, vec![1.0; before.len()]);
    let mut partition = Partition::default();
    partition.update(&cloth, None, 0.0, 0.01);
    contact.begin(&mut ContactForces::default());
    contact.find(&step(pattern, before, pool), ClothContacts::Sought, &[], &partition, &mut cloth);
    truncate(contact, pattern, before, then, pool)
}

/// Moves a cloth by the truncated proposal.
fn truncate(
    contact: &mut SelfContact,
    pattern: &Pattern,
    before: &[Vec3],
    wish: Vec<Vec3>,
    pool: &ThreadPool,
) -> (Vec<Vec3>, Truncation) {
    let mut cloth = Cloth::at_rest(wish, vec![1.0; before.len()]);
    let done = contact.truncate(&step(pattern, before, pool), &[], &mut cloth, |_| true, Clock::default());
    (cloth.positions, done)
}

pub fn meshes() -> impl Strategy<Value = Mesh> {
    prop::sample::select(vec![Mesh::Folded, Mesh::Layers, Mesh::Irregular, Mesh::Ribbons, Mesh::Slit])
}

/// The same cases in every run, others where a number is asked for.
pub fn seed() -> RngSeed {
    if std::env::var_os("WEFT_CONTACT_CASES").is_some() { RngSeed::Random } else { RngSeed::Fixed(1) }
}

pub fn cases() -> u32 {
    std::env::var("WEFT_CONTACT_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(48)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), rng_seed: seed(), failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn free_stays_free(
        mesh in meshes(), size in 4_usize..9, exponent in -6.0..-1.5, seed: u64,
        proposals in prop::collection::vec((prop::sample::select(PROPOSALS.to_vec()), -5.0..3.0), 1..8),
    ) {
        let noise = &mut Noise(seed);
        let (pattern, mut x) = start(mesh, size, 10_f64.powf(exponent), noise);
        prop_assert_eq!(intersections(pattern.triangles(), &x), 0, "the start");
        let mut contact = SelfContact::default();
        for (proposal, exponent) in proposals {
            let wish = propose(proposal, 10_f64.powf(exponent), &x, noise);
            let (next, done) = truncate(&mut contact, &pattern, &x, wish.clone(), &ThreadPool::alone());
            prop_assert_eq!(intersections(pattern.triangles(), &next), 0, "{:?} {:?}", proposal, done);
            prop_assert_eq!(done.touching, 0);
            // nothing holds the cloth, so its momentum is what it was to be
            let lost: Vec3 = next.iter().zip(&wish).map(|(next, wish)| *next - *wish).sum();
            let size: f64 = x.iter().zip(&wish).map(|(x, wish)| x.distance(*wish)).sum();
            prop_assert!(lost.length() <= 1e-9 * size + 1e-11 * x.len() as f64, "{:?} lost {} {:?}", proposal, lost, done);
            // nor does it matter what was done before
            let (again, fresh) = truncate(&mut SelfContact::default(), &pattern, &x, wish, &ThreadPool::alone());
            prop_assert!(again == next && fresh == done, "a cache shows");
            x = next;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), rng_seed: seed(), failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    #[ignore = "full tier"]
    fn free_stays_free_when_the_cloth_goes_elsewhere_than_where_layers_were_looked_for(
        mesh in meshes(), size in 4_usize..9, exponent in -5.0..-1.5, seed: u64,
        proposals in prop::collection::vec((prop::sample::select(PROPOSALS.to_vec()), -5.0..1.0, -6.0..-1.0), 1..8),
    ) {
        let noise = &mut Noise(seed);
        let (pattern, mut x) = start(mesh, size, 10_f64.powf(exponent), noise);
        let mut contact = SelfContact::default();
        for (proposal, exponent, push) in proposals {
            let first = propose(proposal, 10_f64.powf(exponent), &x, noise);
            // some vertices are pushed, by less than the margin, or by more
            let mut then = first.clone();
            for y in &mut then {
                if noise.next() > 0.5 {
                    *y += noise.vector() * 10_f64.powf(push);
                }
            }
            let ways = [first, then];
            let (next, done) = find_and_truncate(&mut contact, &pattern, &x, ways.clone(), &ThreadPool::alone());
            prop_assert_eq!(intersections(pattern.triangles(), &next), 0, "{:?} {:?}", proposal, done);
            prop_assert_eq!(done.touching, 0);
            let (again, fresh) = find_and_truncate(&mut SelfContact::default(), &pattern, &x, ways, &ThreadPool::alone());
            prop_assert!(again == next && fresh == done, "a cache shows");
            x = next;
        }
    }
}

#[test]
fn a_motion_without_conflict_is_not_touched() {
    let noise = &mut Noise(7);
    for mesh in [Mesh::Folded, Mesh::Layers, Mesh::Irregular, Mesh::Ribbons] {
        let (pattern, x) = start(mesh, 8, 0.01, noise);
        for shift in [Vec3::ZERO, Vec3::new(0.0, -0.1, 0.0), Vec3::new(1e3, 2e3, -1e3)] {
            let turn = weft::sim::Mat3::from_axis_angle(Vec3::new(0.6, 0.0, 0.8), 0.2);
            let wish: Vec<Vec3> = x.iter().map(|x| turn * *x + shift).collect();
            let (next, done) = truncate(&mut SelfContact::default(), &pattern, &x, wish.clone(), &ThreadPool::alone());
            assert!(next == wish, "{mesh:?} {shift}: {done:?}");
        }
    }
}

#[test]
#[ignore = "full tier"]
fn any_number_of_threads_gives_the_same_bits() {
    for mesh in [Mesh::Folded, Mesh::Layers, Mesh::Irregular, Mesh::Ribbons, Mesh::Slit] {
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| {
                ThreadPool::run(true, |pool| {
                    let noise = &mut Noise(11);
                    let (pattern, mut x) = start(mesh, 24, 0.003, noise);
                    let mut contact = SelfContact::default();
                    let mut truncated = 0;
                    for proposal in [Proposal::Random, Proposal::Through, Proposal::Turn, Proposal::Flatten] {
                        let wish = propose(proposal, 0.01, &x, noise);
                        // first one truncation after a search, then one without
                        let further = propose(Proposal::Random, 0.002, &wish, noise);
                        let ways = [wish.clone(), further];
                        x = find_and_truncate(&mut contact, &pattern, &x, ways, pool).0;
                        let (next, done) = truncate(&mut contact, &pattern, &x, wish, pool);
                        x = next;
                        truncated += done.impacts;
                    }
                    (x, truncated)
                })
            })
        };
        let (one, truncated) = run(1);
        assert!(truncated > 0 || matches!(mesh, Mesh::Irregular | Mesh::Slit), "{mesh:?}: nothing met");
        for threads in [2, 3, 8] {
            assert!(run(threads).0 == one, "{mesh:?} on {threads} threads");
        }
    }
}

#[test]
fn a_pile_that_falls_fast_falls_on_when_two_of_its_layers_meet() {
    let noise = &mut Noise(5);
    let (pattern, x) = start(Mesh::Layers, 12, 0.004, noise);
    let fall = Vec3::new(0.0, -0.02, 0.003);
    // the uppermost layer is faster by more than the gap
    let layer = x.len() / 3;
    let wish: Vec<Vec3> =
        x.iter().enumerate().map(|(i, x)| *x + fall - Vec3::Y * if i >= 2 * layer { 0.006 } else { 0.0 }).collect();
    let (next, done) = truncate(&mut SelfContact::default(), &pattern, &x, wish, &ThreadPool::alone());
    assert_eq!(intersections(pattern.triangles(), &next), 0);
    assert!(done.impacts > 0, "they meet");
    let motion = |range: std::ops::Range<usize>| {
        let len = range.len() as f64;
        next[range.clone()].iter().zip(&x[range]).map(|(next, x)| *next - *x).sum::<Vec3>() / len
    };
    let [low, middle, high] = [motion(0..layer), motion(layer..2 * layer), motion(2 * layer..3 * layer)];
    assert!(low.distance(fall) < 1e-4, "the lowest meets nothing: {low}");
    // the two that meet go on together, as inelastic bodies do
    let together = middle + high;
    assert!(together.distance(2.0 * fall - Vec3::Y * 0.006) < 1e-9, "{middle} {high}");
    assert!(middle.y < fall.y && high.y > fall.y - 0.006, "{middle} {high}");
    assert!((high - middle).length() < 0.0045, "they close the gap at most");
}

#[test]
fn contact_stretches_no_edge() {
    let noise = &mut Noise(9);
    let (pattern, x) = start(Mesh::Layers, 14, 0.003, noise);
    // one vertex of the lowest layer is thrown through the others
    let mut wish = x.clone();
    wish[5 * 14 + 6] += Vec3::Y * 0.15;
    let lengths = |x: &[Vec3]| -> Vec<f64> {
        let edges = pattern.triangles().iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
        edges.map(|[a, b]| x[a as usize].distance(x[b as usize])).collect()
    };
    let (next, done) = truncate(&mut SelfContact::default(), &pattern, &x, wish.clone(), &ThreadPool::alone());
    assert!(done.impacts > 0);
    for ((next, wish), rest) in lengths(&next).iter().zip(lengths(&wish)).zip(lengths(&x)) {
        assert!(*next < 1.4 * wish.max(rest), "{next} m of {wish} m and {rest} m");
    }
}

#[test]
fn more_pairs_than_are_dealt_with_slow_the_cloth_down() {
    let noise = &mut Noise(3);
    let (pattern, x) = start(Mesh::Ribbons, 8, 1e-4, noise);
    let center = x.iter().sum::<Vec3>() / x.len() as f64;
    let wish = vec![center; x.len()];
    let (next, done) = truncate(&mut SelfContact::default(), &pattern, &x, wish, &ThreadPool::alone());
    assert!(done.pairs as usize <= 48 * x.len() && done.impacts as usize <= 5 * 48 * x.len(), "{done:?}");
    assert_eq!(intersections(pattern.triangles(), &next), 0);
    assert!(done.halvings > 0 && done.truncated as usize == x.len() && done.given_up > 0.01, "{done:?}");
}

#[test]
fn layers_that_are_more_than_are_dealt_with_are_counted_and_stay_apart() {
    let sheet = Pattern::grid(5, 5, 0.1, 0.1, Plane::Xz);
    let layers = 80;
    let pattern = Pattern::join(std::iter::repeat_n(&sheet, layers));
    let solver = weft::sim::solvers::build("projective-dynamics").expect("a solver");
    let mut simulation = Simulation::new(pattern, Mass::default(), solver);
    simulation.parameters.contact.self_contact = true;
    let place = |turned: bool, simulation: &mut Simulation| {
        for (i, x) in simulation.state.cloth.positions.iter_mut().enumerate() {
            let layer = (i / sheet.len()) as f64;
            let gap = if turned { 0.02 } else { 2e-5 };
            *x = glam_turn(0.1 * layer) * sheet.rest_positions()[i % sheet.len()] + Vec3::Y * (0.5 + gap * layer);
        }
    };
    place(false, &mut simulation);
    let stats = simulation.step().expect("a step");
    assert!(stats.too_many_pairs > 0 && stats.limits_reached().count() == 1, "{stats:?}");
    assert!(stats.near_pairs as usize <= 48 * simulation.state.cloth.len(), "{stats:?}");
    assert_eq!(intersections(simulation.pattern().triangles(), &simulation.state.cloth.positions), 0);
    // and no longer where they are far apart
    place(true, &mut simulation);
    simulation.state.cloth.velocities.fill(Vec3::ZERO);
    let stats = simulation.step().expect("a step");
    assert_eq!((stats.too_many_pairs, stats.near_pairs), (0, 0), "{stats:?}");
}

#[test]
fn an_edge_that_goes_round_another_in_a_step_is_apart_and_one_that_goes_through_it_is_not() {
    let corner = [Vec3::new(0.0, 0.0, -0.02), Vec3::new(0.0, 0.0, 0.03)];
    // askew, from inward above to outward below
    let edge = |x: f64, y: f64| [Vec3::new(x, y, -0.015), Vec3::new(x + 0.001, y, 0.015)];
    let pair = Pair::edge_edge([0, 1], [2, 3]);
    let judge = |from: [Vec3; 2], to: [Vec3; 2]| {
        let corners = |[a, b]: [Vec3; 2]| [a, b, corner[0], corner[1]];
        pair.judge(&corners(from), &corners(to), 0.0003)
    };
    // it turns by 135 degrees about the corner, 3 mm beside it
    assert_eq!(judge(edge(-0.002, 0.006), edge(0.012, -0.006)), Verdict::Apart);
    assert_eq!(judge(edge(0.012, -0.006), edge(-0.002, 0.006)), Verdict::Apart);
    let through = judge(edge(-0.002, 0.006), edge(0.002, -0.006));
    assert!(matches!(through, Verdict::Conflict { .. }), "{through:?}");
}
