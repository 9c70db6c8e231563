//! A step asks for no memory, once the first steps have made room. It has no test harness: the thread of that, which says when a test
//! takes long, asks for some itself.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use weft::scene::Scene;
use weft::session::{Keeping, Session};
use weft::sim::contact::{Collider, Shape, Table};
use weft::sim::forces::air::AirMode;
use weft::sim::model::material::{Mass, MassModel};
use weft::sim::pattern::Plane;
use weft::sim::solver_interface::Processor;
use weft::sim::solvers::Entry;
use weft::sim::{Grab, Path, Pattern, Simulation, Turn, Vec3, solvers};

/// Counts what is asked for.
struct Counting;

static CALLS: AtomicUsize = AtomicUsize::new(0);
static BYTES: AtomicUsize = AtomicUsize::new(0);
/// Bytes that are held, and the most that were.
static HELD: AtomicUsize = AtomicUsize::new(0);
static MOST_HELD: AtomicUsize = AtomicUsize::new(0);

/// Notes that so many bytes more are held.
fn hold(bytes: usize) {
    let held = HELD.fetch_add(bytes, Ordering::Relaxed) + bytes;
    MOST_HELD.fetch_max(held, Ordering::Relaxed);
}

// SAFETY: everything is passed on to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        CALLS.fetch_add(1, Ordering::Relaxed);
        BYTES.fetch_add(layout.size(), Ordering::Relaxed);
        hold(layout.size());
        // SAFETY: as above.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        CALLS.fetch_add(1, Ordering::Relaxed);
        BYTES.fetch_add(size, Ordering::Relaxed);
        // both are there while it is copied
        hold(size);
        HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn hanging(solver: &str, size: usize) -> Simulation {
    let pattern = Pattern::grid(size, size, 1.0, 1.0, Plane::Xz);
    let mass = Mass { mass_model: MassModel::AreaDensity, ..Mass::default() };
    let mut simulation = Simulation::new(pattern, mass, solvers::build(solver).expect("registered"));
    simulation.parameters.contact.ground = false;
    simulation.parameters.material.structural_stiffness = 20.0;
    simulation.parameters.material.shear_stiffness = 10.0;
    simulation.parameters.timing.time_step = 1e-3;
    simulation.state.cloth.pin_here(0);
    simulation.state.cloth.pin_here(size as u32 - 1);
    simulation
}

/// A cloth that has lain on the table for a while and slides over its edge in the wind.
fn draping(solver: &str, size: usize) -> Simulation {
    let mut simulation = hanging(solver, size);
    simulation.state.cloth.unpin(0);
    simulation.state.cloth.unpin(size as u32 - 1);
    simulation.parameters.table = Table { table: true, table_width: 0.6, table_height: 0.6, ..Table::default() };
    simulation.state.cloth.positions.iter_mut().for_each(|x| *x += Vec3::new(-0.5, 0.61, -0.5));
    simulation.parameters.air.air = AirMode::Wind;
    asked_for(&mut simulation, 60);
    simulation
}

/// Vertices that lie on the table.
fn lying(simulation: &Simulation) -> usize {
    let height = 0.6 + simulation.parameters.contact.thickness;
    simulation.state.cloth.positions.iter().filter(|x| (x.y - height).abs() < 1e-3).count()
}

/// Calls and bytes that so many steps ask for.
fn asked_for(simulation: &mut Simulation, steps: usize) -> (usize, usize) {
    let (calls, bytes, _) = asked_for_with_factors(simulation, steps);
    (calls, bytes)
}

/// [`asked_for`], and the number of factorisations in these steps.
fn asked_for_with_factors(simulation: &mut Simulation, steps: usize) -> (usize, usize, usize) {
    let before = (CALLS.load(Ordering::Relaxed), BYTES.load(Ordering::Relaxed));
    let mut factorisations = 0;
    for _ in 0..steps {
        factorisations += simulation.step().expect("it holds").factorisations as usize;
    }
    (CALLS.load(Ordering::Relaxed) - before.0, BYTES.load(Ordering::Relaxed) - before.1, factorisations)
}

/// Calls in ten steps, the fewest of five times: a list of contacts may become longer than ever
/// before in any one step, and when it does differs with the rounding of the machine.
fn least_asked_for(simulation: &mut Simulation) -> usize {
    (0..5).map(|_| asked_for(simulation, 10).0).min().expect("five times")
}

/// The solvers that compute here: a driver asks for memory as it likes.
fn of_host() -> impl Iterator<Item = &'static Entry> {
    solvers::REGISTRY.iter().filter(|entry| entry.info.capabilities.processor == Processor::Host)
}

// one test, since the counters are everybody's
fn main() {
    // it has no part of the full tier
    if std::env::args().any(|arg| arg == "--ignored") {
        return;
    }
    a_step_asks_for_no_memory();
    println!("a step asks for no memory ... ok");
    a_million_vertices_take_little_memory();
    println!("a million vertices take little memory ... ok");
}

/// What is promised of a scene of 1025 × 1025 vertices: 2 GB to build it. With a method that solves no system, it is stepped in that, too, and what a
/// session keeps to go back to does not grow with it.
fn a_million_vertices_take_little_memory() {
    const MOST: usize = 2_000_000_000;
    for solver in ["symplectic-euler", "xpbd"] {
        let mut scene = Scene::load("hanging").expect("it comes with the program");
        for (key, value) in [
            ("columns", "1025"),
            ("rows", "1025"),
            ("solver", solver),
            ("structural_stiffness", "1"),
            ("shear_stiffness", "1"),
            ("time_step", "1e-4"),
        ] {
            scene.set(key, value).expect("in range");
        }
        MOST_HELD.store(HELD.load(Ordering::Relaxed), Ordering::Relaxed);
        let mut simulation = scene.build().expect("it fits");
        let most = MOST_HELD.load(Ordering::Relaxed);
        println!("{solver}: built in {} MB, of which {} MB stay", most >> 20, HELD.load(Ordering::Relaxed) >> 20);
        assert!(most < MOST / 2, "{solver}: {most} bytes");
        assert_eq!(simulation.state.cloth.len(), 1025 * 1025);
        simulation.step().expect("it holds");
        let mut session = Session::new(scene, simulation);
        session.keep_time(Keeping::default());
        for _ in 0..3 {
            session.tick().expect("it holds");
            drop(session.frame(0));
        }
        let most = MOST_HELD.load(Ordering::Relaxed);
        println!("{solver}: stepped in {} MB", most >> 20);
        assert!(most < MOST, "{solver}: {most} bytes");
    }
}

fn a_step_asks_for_no_memory() {
    for entry in of_host() {
        let mut simulation = hanging(entry.info.id, 20);
        asked_for(&mut simulation, 3);
        let (calls, bytes) = asked_for(&mut simulation, 10);
        assert_eq!(calls, 0, "{}: {bytes} bytes in 10 steps", entry.info.id);

        // nor while a hand moves a vertex
        simulation.state.grab = Some(Grab { vertex: 390, target: Vec3::new(0.5, -0.2, 1.2) });
        asked_for(&mut simulation, 2);
        let (calls, bytes) = asked_for(&mut simulation, 10);
        assert_eq!(calls, 0, "{} in a hand: {bytes} bytes in 10 steps", entry.info.id);
    }

    // nor on the table, where contacts come and go
    for entry in of_host() {
        let mut simulation = draping(entry.info.id, 20);
        let (calls, bytes, factorisations) = asked_for_with_factors(&mut simulation, 10);
        assert!(lying(&simulation) > 20, "{}: {} vertices lie on the table", entry.info.id, lying(&simulation));
        // a sparse factorisation of a matrix that is new in every step, and a solve with it, have a workspace each
        let allowed = 2 * factorisations;
        assert!(
            calls <= allowed,
            "{} on the table: {calls} calls of {allowed} for {bytes} bytes in 10 steps",
            entry.info.id
        );
    }

    // nor where a cloth meets itself
    let mut simulation = hanging("projective-dynamics", 20);
    simulation.state.cloth.unpin(0);
    simulation.state.cloth.unpin(19);
    simulation.state.cloth.pin_here(190);
    simulation.state.cloth.pin_here(209);
    simulation.parameters.contact.self_contact = true;
    simulation.parameters.timing.time_step = 1.0 / 60.0;
    asked_for(&mut simulation, 600);
    assert_eq!(least_asked_for(&mut simulation), 0, "cloth on cloth");

    // nor with colliders that move, of triangles or with their edges between the vertices
    let mut simulation = draping("projective-dynamics", 20);
    let corners = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z].map(|x| x * 0.3).to_vec();
    let wedge = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    let shapes = [Shape::of_triangles(corners, wedge), Shape::Capsule { half_height: 0.2, radius: 0.01 }];
    for shape in shapes {
        let turns = vec![(0.0, 0.0), (1.0, 1.0)];
        let turn = Some(Turn { axis: Vec3::Y, center: None, turns, repeat: true, swing: None });
        let path = Some(Path::Oscillation { amplitude: Vec3::Y * 0.05, frequency: Vec3::ONE, phase: Vec3::ZERO });
        let collider = Collider { path, turn, edges: Some(true), ..Collider::new(shape, Vec3::Y * 0.4) };
        simulation.state.world.colliders.push(collider);
    }
    asked_for(&mut simulation, 120);
    assert_eq!(least_asked_for(&mut simulation), 0, "with colliders that move");

    // nor where threads are shortened
    let mut simulation = hanging("fast-mass-spring", 20);
    simulation.parameters.stretch.limit_stretch = true;
    simulation.parameters.stretch.stretch_limit = 0.1;
    asked_for(&mut simulation, 3);
    assert_eq!(asked_for(&mut simulation, 10).0, 0, "a limit on stretch");
    assert!(simulation.step().expect("it holds").stretch_left > 0.0);

    // nor where air acts on triangles
    let mut simulation = draping("fast-mass-spring", 20);
    simulation.parameters.air.air_model = weft::sim::forces::air::AirModel::PerTriangle;
    asked_for(&mut simulation, 2);
    assert_eq!(asked_for(&mut simulation, 10).0, 0, "air on triangles");

    // nor in conjugate gradients on a cloth of a size for which they are there
    let mut simulation = hanging("implicit-euler", 45);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let iterations = pool.install(|| {
        asked_for(&mut simulation, 3);
        let (calls, bytes) = asked_for(&mut simulation, 10);
        assert_eq!(calls, 0, "conjugate gradients: {bytes} bytes in 10 steps");
        simulation.step().expect("it holds").iterations
    });
    assert!(iterations > 1, "they were not used");

    // every constraint of projective dynamics at once
    let mut simulation = hanging("projective-dynamics", 20);
    let settings = simulation.solver_mut().settings_mut();
    for key in ["edge_strain", "triangle_strain", "area", "bending"] {
        let index = settings.index_of(key).expect("its own");
        settings.set(index, weft::sim::params::Setting::Toggle(true)).expect("a toggle");
    }
    asked_for(&mut simulation, 2);
    assert_eq!(asked_for(&mut simulation, 10).0, 0);

    // nor where iterations are accelerated, or end by an error
    for acceleration in ["chebyshev", "anderson", "quasi_newton"] {
        for table in [false, true] {
            let build = if table { draping } else { hanging };
            let mut simulation = build("projective-dynamics", 20);
            let settings = simulation.solver_mut().settings_mut();
            for (key, value) in [("acceleration", acceleration), ("stop_by_error", "true"), ("triangle_strain", "true")]
            {
                settings.set_text(key, value).expect("in range");
            }
            asked_for(&mut simulation, 3);
            assert_eq!(asked_for(&mut simulation, 10).0, 0, "{acceleration}");
        }
    }

    // nor where the cloth may tear and holds, torn or whole, though threads are near their limit
    for entry in of_host() {
        let mut simulation = hanging(entry.info.id, 20);
        simulation.parameters.tearing.tearing = true;
        simulation.parameters.tearing.tear_resistance = 0.05;
        simulation.cut(&[[199, 198], [198, 197]]);
        // what the end of the tear would not hold, were it there
        let [i, j] = [45, 46].map(|vertex: usize| simulation.state.cloth.positions[vertex]);
        simulation.state.cloth.positions[46] = i + (j - i) * 1.2;
        (45..47).for_each(|vertex| simulation.state.cloth.pin_here(vertex));
        simulation.parameters.timing.time_step = 1e-5;
        asked_for(&mut simulation, 3);
        let torn = simulation.state.cloth.len();
        let (calls, bytes) = asked_for(&mut simulation, 10);
        assert_eq!(simulation.state.cloth.len(), torn, "{}: the cloth holds", entry.info.id);
        assert_eq!(calls, 0, "{} that may tear: {bytes} bytes in 10 steps", entry.info.id);
        assert!(simulation.largest_stretch() > 0.5 * 0.05, "{}: near the limit", entry.info.id);
    }

    // waking the other threads takes a note to them and nothing else, whatever the size of the cloth
    let mut simulation = hanging("projective-dynamics", 60);
    asked_for(&mut simulation, 3);
    let (calls, bytes) = asked_for(&mut simulation, 10);
    assert!(bytes < 10 * 2048, "{calls} calls for {bytes} bytes in 10 steps");
}
