//! The laws of contact, measured with any solver: strips over a rod, a falling cloth, a cloth laid
//! on a box and on a ball, a heavy cloth on a light one.
//!
//! Each case has the settings that suit its cloth and as many substeps as the springs need, and is
//! otherwise at the defaults.

use std::f64::consts::PI;

use crate::sim::contact::{Collider, Shape};
use crate::sim::model::material::BendingModel;
use crate::sim::pattern::{MaterialOverride, Plane};
use crate::sim::solver_interface::ContactLaw;
use crate::sim::solver_interface::contact_motion::longest_held;
use crate::sim::solvers;
use crate::sim::{Pattern, Real, Simulation, StepError, Vec3};

/// Radius of the rod, and distance of the strip from its axis [m].
const RADIUS: Real = 0.1;
const AROUND: Real = RADIUS + THICKNESS;
const THICKNESS: Real = 0.004;
/// Height of the axis of the rod [m].
const AXIS: Real = 1.5;
/// Distance of the rows of a strip [m], and vertices in a row.
const CELL: Real = 0.02;
const COLUMNS: usize = 4;
/// Friction of a strip that is held.
const FRICTION: Real = 0.3;
/// Side of a cloth that is laid down [m].
const SIDE: Real = 0.7;
/// Height of fall of a cloth that rebounds [m].
const FALL: Real = 0.2;

/// What is measured of `law` with a solver of the registry; figures of [`ContactLaw`]. None where
/// the solver has no energy, since its cloth has no stiffness.
///
/// # Errors
/// [`StepError`] when a step fails.
///
/// # Panics
/// For a solver that is not registered.
pub fn measure(law: ContactLaw, solver: &str) -> Result<Option<Real>, StepError> {
    let figure = match law {
        ContactLaw::Slide => slide(solver, 0.005),
        ContactLaw::SlideByFrames => slide(solver, 1.0 / 60.0),
        ContactLaw::Hold => slip(solver, 0.9),
        ContactLaw::Slip => slip(solver, 1.1),
        ContactLaw::Rebound => rebound(solver),
        ContactLaw::Lay => return lay(solver),
        ContactLaw::Load => return gain(heavy_on_light(solver), 180),
    };
    figure.map(Some)
}

/// A cloth of `solver` in a world without a floor.
fn cloth(solver: &str, pattern: Pattern) -> Simulation {
    let solver = solvers::build(solver).expect("a registered solver");
    let mut simulation = Simulation::new(pattern, Default::default(), solver);
    simulation.parameters.contact.ground = false;
    simulation
}

/// Sets steps of `dt` [s], in as many parts as the springs need, and the settings of the solver
/// that suit the cloth.
pub fn step_in(simulation: &mut Simulation, dt: Real) {
    simulation.parameters.timing.time_step = dt;
    let parts = simulation.solver_critical_step().map_or(1.0, |limit| (dt / (0.5 * limit)).ceil().max(1.0));
    simulation.parameters.timing.substeps = parts as u32;
    simulation.suit_solver();
}

/// A strip of 6 cm over a fixed rod, whose ends hang so far down [m], with steps of `dt` [s].
fn over_a_rod(solver: &str, ends: [Real; 2], friction: Real, dt: Real) -> Simulation {
    let arc = AROUND * PI;
    let length = ends[0] + arc + ends[1];
    let rows = (length / CELL).round() as usize + 1;
    let mut simulation = cloth(solver, Pattern::grid(COLUMNS, rows, 0.06, length, Plane::Xz));
    let parameters = &mut simulation.parameters;
    let material = &mut parameters.material;
    (material.structural_stiffness, material.shear_stiffness) = (2000.0, 200.0);
    (material.bend_stiffness, material.damping) = (0.01, if friction > 0.0 { 0.002 } else { 0.0 });
    (parameters.contact.thickness, parameters.contact.friction) = (THICKNESS, friction);
    let rod = Collider::new(Shape::Cylinder { half_height: 0.2, radius: RADIUS }, Vec3::Y * AXIS);
    simulation.state.world.colliders.push(rod.rotated(Vec3::X * (0.5 * PI)));
    for (i, x) in simulation.state.cloth.positions.iter_mut().enumerate() {
        let (row, column) = (i / COLUMNS, i % COLUMNS);
        let along = length * row as Real / (rows - 1) as Real - ends[0];
        let angle = (along / AROUND).clamp(0.0, PI);
        let down = (-along).max(along - arc).max(0.0);
        let z = 0.02 * column as Real - 0.03;
        *x = Vec3::new(-AROUND * angle.cos(), AXIS + AROUND * angle.sin() - down, z);
    }
    step_in(&mut simulation, dt);
    simulation
}

/// How far the last row comes down in so many steps [m].
fn drop_of_the_end(mut simulation: Simulation, steps: usize) -> Result<Real, StepError> {
    let end = |simulation: &Simulation| simulation.state.cloth.positions.last().map_or(0.0, |x| x.y);
    let start = end(&simulation);
    for _ in 0..steps {
        simulation.step()?;
    }
    Ok(start - end(&simulation))
}

fn slide(solver: &str, dt: Real) -> Result<Real, StepError> {
    drop_of_the_end(over_a_rod(solver, [0.3, 0.5], 0.0, dt), (0.4 / dt).round() as usize)
}

/// Slip at a share of the load that friction can hold, with the weight of the strip on the rod.
fn slip(solver: &str, share: Real) -> Result<Real, StepError> {
    let limit = longest_held(0.25, FRICTION, AROUND);
    drop_of_the_end(over_a_rod(solver, [0.25, share * limit], FRICTION, 0.005), 400)
}

fn rebound(solver: &str) -> Result<Real, StepError> {
    let mut farthest = 0.25;
    for dt in [0.004, 0.002, 0.001, 0.0005] {
        let mut simulation = cloth(solver, Pattern::grid(5, 5, 1.0, 1.0, Plane::Xz));
        let contact = &mut simulation.parameters.contact;
        contact.restitution = 0.5;
        let thickness = contact.thickness;
        simulation.state.world.colliders.push(Collider::new(Shape::Plane { normal: Vec3::Y }, Vec3::ZERO));
        simulation.state.cloth.positions.iter_mut().for_each(|x| x.y = FALL + thickness);
        step_in(&mut simulation, dt);
        let (mut up, mut fell): (Real, Real) = (0.0, FALL);
        for _ in 0..(0.45 / dt) as usize {
            simulation.step()?;
            let height = simulation.state.cloth.positions[12].y - thickness;
            fell = fell.min(height);
            up = if fell < 0.1 * FALL { up.max(height) } else { 0.0 };
        }
        let share = up / FALL;
        farthest = if (share - 0.25).abs() > Real::abs(farthest - 0.25) { share } else { farthest };
    }
    Ok(farthest)
}

/// The largest gain of a stiff cloth and of silk on a box and on a ball, and of an irregular mesh
/// on the box.
fn lay(solver: &str) -> Result<Option<Real>, StepError> {
    let slab = || (Shape::Box { half_extents: Vec3::new(0.22, 0.012, 0.35) }, 0.96);
    let ball = || (Shape::Sphere { radius: 0.2 }, 0.772);
    let grid = || Pattern::grid(60, 60, SIDE, SIDE, Plane::Xz);
    let cases =
        [(grid(), slab(), false), (grid(), ball(), false), (grid(), slab(), true), (grid(), ball(), true)].into_iter();
    let mut most: Real = 0.0;
    for (pattern, on, is_silk) in cases.chain([(irregular(45), slab(), false)]) {
        let mut simulation = laid_on(solver, pattern, on);
        if is_silk {
            make_silk(&mut simulation);
        }
        let Some(gain) = gain(simulation, 60)? else { return Ok(None) };
        most = most.max(gain);
    }
    Ok(Some(most))
}

/// A square of triangles of so many vertices a side, each off its place in a grid by up to a third
/// of a cell, and halved along either diagonal.
fn irregular(count: usize) -> Pattern {
    let cell = SIDE / (count - 1) as Real;
    // low discrepancy (Roberts 2018): the same on every machine
    let off = |i: usize, share: Real| ((i as Real * share).fract() - 0.5) * 0.66 * cell;
    let is_rim = |k: usize| k == 0 || k == count - 1;
    let place = |i: usize| {
        let (row, column) = (i / count, i % count);
        let inner = if is_rim(row) || is_rim(column) { 0.0 } else { 1.0 };
        let [x, z] = [(column, 0.754_877_67), (row, 0.569_840_29)];
        let at = |(k, share): (usize, Real)| k as Real * cell + inner * off(i, share);
        Vec3::new(at(x), 0.0, at(z))
    };
    let halves = |i: usize| {
        let (a, b, c, d) = (i as u32, (i + 1) as u32, (i + count) as u32, (i + count + 1) as u32);
        if i.is_multiple_of(3) { [[a, c, b], [b, c, d]] } else { [[a, c, d], [a, d, b]] }
    };
    let cells = (0..(count - 1) * (count - 1)).map(|k| k / (count - 1) * count + k % (count - 1));
    Pattern::mesh((0..count * count).map(place).collect(), cells.flat_map(halves).collect())
}

/// Gives a cloth the mass and stiffness of silk.
fn make_silk(simulation: &mut Simulation) {
    let parameters = &mut simulation.parameters;
    parameters.mass.area_density = 0.045;
    let material = &mut parameters.material;
    (material.structural_stiffness, material.shear_stiffness) = (1500.0, 20.0);
    (material.bending_model, material.bending_stiffness, material.damping) = (BendingModel::Isometric, 3e-6, 2e-4);
    parameters.contact.friction = 0.25;
}

/// A flat cloth above a collider whose middle is at a height [m], off to a side.
fn laid_on(solver: &str, pattern: Pattern, (shape, height): (Shape, Real)) -> Simulation {
    let mut simulation = cloth(solver, pattern);
    let parameters = &mut simulation.parameters;
    parameters.contact.ground = true;
    parameters.mass.area_density = 0.2;
    (parameters.material.structural_stiffness, parameters.material.shear_stiffness) = (1000.0, 200.0);
    (parameters.contact.thickness, parameters.contact.friction) = (0.002, 0.3);
    parameters.contact.self_contact = true;
    simulation.state.cloth.positions.iter_mut().for_each(|x| *x += Vec3::new(-0.497, 0.979, -0.347));
    simulation.state.world.colliders.push(Collider::new(shape, Vec3::Y * height));
    simulation
}

/// A sheet held at its corners with one of 200 times its mass per area 5 cm above it.
fn heavy_on_light(solver: &str) -> Simulation {
    const LIGHT: usize = 21;
    let [light, heavy] =
        [(LIGHT, 0.8), (11, 0.3)].map(|(count, width)| Pattern::grid(count, count, width, width, Plane::Xz));
    let factors = MaterialOverride { mass: 200.0, structural: 10.0, bending: 20.0, ..MaterialOverride::default() };
    let mut simulation =
        cloth(solver, Pattern::join([&light, &heavy]).with_overrides(&[MaterialOverride::default(), factors]));
    let parameters = &mut simulation.parameters;
    let material = &mut parameters.material;
    (material.structural_stiffness, material.shear_stiffness) = (200.0, 100.0);
    (material.bend_stiffness, material.damping) = (0.1, 0.002);
    parameters.mass.area_density = 0.05;
    (parameters.contact.self_contact, parameters.contact.ground) = (true, true);
    for (i, x) in simulation.state.cloth.positions.iter_mut().enumerate() {
        let (width, height) = if i < light.len() { (0.8, 1.0) } else { (0.3, 1.05) };
        *x += Vec3::new(-0.5 * width, height, -0.5 * width);
    }
    for corner in [0, LIGHT - 1, LIGHT * (LIGHT - 1), LIGHT * LIGHT - 1].map(|corner| corner as u32) {
        simulation.state.cloth.pin_here(corner);
    }
    simulation
}

/// The largest energy in so many steps of 1/60 s as a multiple of that at the start.
fn gain(mut simulation: Simulation, steps: usize) -> Result<Option<Real>, StepError> {
    step_in(&mut simulation, 1.0 / 60.0);
    let Some(start) = simulation.energy().total() else { return Ok(None) };
    let mut most = start;
    for _ in 0..steps {
        simulation.step()?;
        most = simulation.energy().total().map_or(most, |now| most.max(now));
    }
    Ok(Some(most / start))
}
