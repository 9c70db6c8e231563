//! Sheets thrown at each other: they keep their order, and contact gives no energy and takes no momentum.

use weft::sim::contact::cloth::{ClothContactSettings, ClothContacts, ContactForces, ContactStep, SelfContact};
use weft::sim::exec::pool::ThreadPool;
use weft::sim::model::material::Mass;
use weft::sim::model::motion::Path;
use weft::sim::model::partition::Partition;
use weft::sim::pattern::Plane;
use weft::sim::solver_interface::Stability;
use weft::sim::{Clock, Mat3, Pattern, Pin, Real, Simulation, Vec3, solvers};

use crate::fixtures::{assert_free, every, steady_solver_ids};

/// Vertices along a side of a sheet.
const SIDE: usize = 9;
const PER_SHEET: usize = SIDE * SIDE;

/// Three sheets of half a metre, 10 cm above each other and turned a little, without a floor. The lowest is thrown up and the uppermost
/// down with a `speed` [m/s].
fn thrown(solver: &str, speed: Real, gravity: Real) -> Simulation {
    let sheet = Pattern::grid(SIDE, SIDE, 0.5, 0.5, Plane::Xz);
    let solver = solvers::build(solver).expect("a registered solver");
    let mut simulation = Simulation::new(Pattern::join([&sheet; 3]), Mass::default(), solver);
    simulation.parameters.contact.self_contact = true;
    simulation.parameters.contact.ground = false;
    simulation.parameters.gravity.gravity = gravity;
    let cloth = &mut simulation.state.cloth;
    for (i, (x, v)) in cloth.positions.iter_mut().zip(&mut cloth.velocities).enumerate() {
        let layer = (i / PER_SHEET) as Real;
        let turn = Mat3::from_rotation_y(0.03 * (2.4 * layer).sin());
        *x = turn * (*x - Vec3::new(0.25, 0.0, 0.25)) + Vec3::Y * (1.0 + 0.1 * layer);
        *v = Vec3::Y * (speed * (1.0 - layer));
    }
    if simulation.solver().info().stability == Stability::Conditional
        && let Some(limit) = simulation.solver_critical_step()
    {
        let step = simulation.parameters.timing.time_step;
        simulation.parameters.timing.substeps = (step / (0.4 * limit)).ceil().clamp(1.0, 100.0) as u32;
    }
    simulation
}

/// Heights [m] of the places where the vertical line through `x` meets a sheet.
fn heights_above(simulation: &Simulation, sheet: usize, x: Vec3) -> Vec<Real> {
    let triangles = &simulation.pattern().triangles()[sheet * 2 * (SIDE - 1) * (SIDE - 1)..][..2 * (SIDE - 1).pow(2)];
    let over = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|vertex| simulation.state.cloth.positions[vertex as usize]);
        let turn = |p: Vec3, q: Vec3| (p.x - x.x) * (q.z - x.z) - (p.z - x.z) * (q.x - x.x);
        let (u, v, w) = (turn(b, c), turn(c, a), turn(a, b));
        let inside = (u > 0.0 && v > 0.0 && w > 0.0) || (u < 0.0 && v < 0.0 && w < 0.0);
        inside.then(|| (u * a.y + v * b.y + w * c.y) / (u + v + w))
    };
    triangles.iter().filter_map(over).collect()
}

/// How many vertices of a sheet lie over or under another, and how many of them on the wrong side of it.
fn order(simulation: &Simulation) -> [usize; 2] {
    let [mut all, mut wrong] = [0, 0];
    for (i, x) in simulation.state.cloth.positions.iter().enumerate() {
        let own = i / PER_SHEET;
        for other in (0..3).filter(|other| *other != own) {
            // one that is folded there has no side
            if let [height] = heights_above(simulation, other, *x)[..] {
                all += 1;
                wrong += usize::from((x.y > height) != (own > other));
            }
        }
    }
    [all, wrong]
}

#[test]
fn sheets_thrown_at_each_other_keep_their_order_and_gain_no_energy() {
    every(steady_solver_ids(), |solver| {
        for (speed, gravity) in [(5.0, 9.81), (10.0, 0.0), (20.0, 0.0)] {
            let mut simulation = thrown(solver, speed, gravity);
            assert_eq!(order(&simulation)[1], 0);
            let total = |simulation: &Simulation| {
                let energy = simulation.energy();
                // a sheet starts without stretch, where a solver knows no energy of it
                energy.kinetic + energy.potential + energy.elastic.unwrap_or(0.0)
            };
            let kinetic = simulation.energy().kinetic;
            let (mut least, mut pushed) = (total(&simulation), 0);
            for step in 0..40 {
                pushed += simulation.step().expect("stable").pressing_rows;
                assert_free(&simulation, "sheets that are thrown");
                let [all, wrong] = order(&simulation);
                assert_eq!(wrong, 0, "{speed} m/s, step {step}: of {all} vertices");
                assert!(all > 200, "{speed} m/s, step {step}: only {all} vertices are over others");
                let now = total(&simulation);
                assert!(now < least + 0.01 * kinetic, "{speed} m/s, step {step}: from {least} J to {now} J");
                least = least.min(now);
            }
            assert!(pushed > 0);
        }
    });
}

#[test]
fn the_response_of_layers_changes_no_momentum() {
    let simulation = thrown("implicit-euler", 5.0, 0.0);
    let (pattern, mut cloth) = (simulation.pattern(), simulation.state.cloth.clone());
    let (dt, settings) = (0.005, ClothContactSettings { distance: 0.004, friction: 0.5 });
    let mut partition = Partition::default();
    partition.update(&cloth, None, 0.0, dt);
    // all sheets slide as well, each its own way, and no two vertices alike
    for (i, (v, m)) in cloth.velocities.iter_mut().zip(&mut cloth.masses).enumerate() {
        let (k, layer) = (i as Real, (i / PER_SHEET) as Real);
        *v += Vec3::new((1.0 + layer).cos(), 0.3 * (1.3 * k).sin(), (1.0 + layer).sin());
        *m *= 1.0 + 0.5 * (0.7 * k).cos();
    }
    let momentum =
        |cloth: &weft::sim::Cloth| -> Vec3 { cloth.masses.iter().zip(&cloth.velocities).map(|(m, v)| *v * *m).sum() };
    let start = momentum(&cloth);
    let size: Real = cloth.masses.iter().sum::<Real>() * 5.0;
    let mut contact = SelfContact::default();
    let mut pushed = 0;
    for number in 0..20 {
        let before = cloth.positions.clone();
        for (x, v) in cloth.positions.iter_mut().zip(&cloth.velocities) {
            *x += *v * dt;
        }
        let step = ContactStep { settings, pattern, before: &before, dt, pool: &ThreadPool::alone() };
        // what a contact lets go in the next step would not yet be taken from the velocities
        let mut forces = ContactForces::default();
        contact.begin(&mut forces);
        contact.find(&step, ClothContacts::Sought, &[], &partition, &mut cloth);
        pushed += contact.solve(&step, std::iter::empty(), &mut cloth, &mut forces);
        contact.truncate(&step, &[], &mut cloth, |_| true, Clock::default());
        let change = momentum(&cloth) - start;
        assert!(change.length() < 1e-9 * size, "step {number}: {change} of {size} kg m/s");
    }
    assert!(pushed > 100);
}

#[test]
#[ignore = "full tier"]
fn pins_that_would_drive_a_sheet_through_another_are_held_back_and_catch_up() {
    every(steady_solver_ids(), |solver| {
        let mut simulation = thrown(solver, 0.0, 9.81);
        let on_border = |i: usize| [i % SIDE, i / SIDE].iter().any(|place| [0, SIDE - 1].contains(place));
        // the border of the lowest and of the middle one are held; the latter is to go through the former, down and up again
        let way = [(0.0, 0.0), (0.1, -0.2), (0.3, -0.2), (0.5, 0.0)];
        let path = Path::Waypoints { points: way.map(|(time, y)| (time, Vec3::Y * y)).to_vec(), repeat: false };
        for i in (0..PER_SHEET).filter(|i| on_border(*i)) {
            simulation.state.cloth.pin_here(i as u32);
            let vertex = (PER_SHEET + i) as u32;
            let origin = simulation.state.cloth.positions[vertex as usize];
            simulation.state.cloth.pin(Pin { vertex, origin, motion: Some(path.clone().into()) });
        }
        let start = simulation.state.cloth.positions.clone();
        let (mut given_up, mut late) = (0.0_f64, 0.0_f64);
        for step in 0..60 {
            let stats = simulation.step().unwrap_or_else(|error| panic!("step {step}: {error}"));
            assert_free(&simulation, "pins that push");
            given_up = given_up.max(stats.given_up);
            // it is stretched where the pins pull, some 10 J and with explicit methods more, but not thrown about, which were 10⁵ J
            let kinetic = simulation.energy().kinetic;
            assert!(kinetic < 500.0, "step {step}: {kinetic} J");
            let pins = simulation.state.cloth.pins().iter();
            let off = pins.map(|pin| {
                pin.position(simulation.time()).distance(simulation.state.cloth.positions[pin.vertex as usize])
            });
            late = off.fold(0.0, Real::max);
            if step == 17 {
                assert!(late > 0.05, "step {step}: only {late} m of the way were held back");
            }
        }
        assert!(given_up > 5e-4, "{given_up} m were given up at most in a step");
        assert!(late < 1e-9, "{late} m are left to catch up");
        for (i, (x, from)) in simulation.state.cloth.positions.iter().zip(&start).take(PER_SHEET).enumerate() {
            assert!(!on_border(i) || x == from, "vertex {i}, which is held, went from {from} to {x}");
        }
    });
}
