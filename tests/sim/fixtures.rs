//! Cloths that several tests use.

use std::panic::{AssertUnwindSafe, catch_unwind};

use weft::sim::contact::Intersections;
use weft::sim::model::material::{Mass, MassModel};
use weft::sim::params::Setting;
use weft::sim::pattern::{Element, Plane};
use weft::sim::solver_interface::Stability;
use weft::sim::{Pattern, Simulation, Vec3, solvers};

/// Numbers in -1..1, the same every time.
pub struct Random(pub u32);

impl Random {
    pub fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(self.0 >> 8) / f64::from(1 << 23) - 1.0
    }

    pub fn vector(&mut self) -> Vec3 {
        Vec3::new(self.number(), self.number(), self.number())
    }

    /// `shape` with every vertex moved by as much as `amount`.
    pub fn shaken(&mut self, shape: &[Vec3], amount: f64) -> Vec<Vec3> {
        shape.iter().map(|x| *x + self.vector() * amount).collect()
    }
}

/// A flat cloth of 1 m² at height 1 m in a vacuum without a floor, 0.1 kg per vertex, with gravity.
pub fn square(solver: &str, columns: usize, rows: usize) -> Simulation {
    let pattern = Pattern::grid(columns, rows, 1.0, 1.0, Plane::Xz);
    let mass = Mass { mass_model: MassModel::PerVertex, vertex_mass: 0.1, ..Mass::default() };
    let mut simulation = Simulation::new(pattern, mass, solvers::build(solver).expect("a registered solver"));
    simulation.parameters.contact.ground = false;
    simulation.state.cloth.positions.iter_mut().for_each(|x| x.y += 1.0);
    simulation.parameters.timing.time_step = 0.005;
    simulation
}

/// [`square`] with its positions and velocities disturbed by smooth waves, so that every spring is at work.
pub fn rippled(solver: &str, columns: usize, rows: usize) -> Simulation {
    let mut simulation = square(solver, columns, rows);
    let amplitude = 0.2 / columns as f64;
    let cloth = &mut simulation.state.cloth;
    for (i, (x, v)) in cloth.positions.iter_mut().zip(&mut cloth.velocities).enumerate() {
        let phase = i as f64;
        *x += Vec3::new((1.3 * phase).sin(), (2.1 * phase).cos(), (0.7 * phase).sin()) * amplitude;
        *v += Vec3::new((0.9 * phase).cos(), (1.7 * phase).sin(), (2.3 * phase).cos()) * 0.05;
    }
    simulation
}

/// Changes a setting of the solver at work.
pub fn set(simulation: &mut Simulation, key: &str, value: Setting) {
    let settings = simulation.solver_mut().settings_mut();
    let index = settings.index_of(key).expect("its own");
    settings.set(index, value).expect("in range");
}

/// Takes `count` steps.
pub fn advance(simulation: &mut Simulation, count: usize) {
    for _ in 0..count {
        simulation.step().unwrap_or_else(|error| panic!("{}: {error}", simulation.solver().info().id));
    }
}

/// Asserts that no two triangles of the cloth intersect, exactly. `when` is for the message.
pub fn assert_free(simulation: &Simulation, when: &str) {
    let mut search = Intersections::default();
    let pairs = search.find(simulation.pattern(), &simulation.state.cloth.positions);
    let (count, first) = (pairs.len(), pairs.first());
    let (solver, time) = (simulation.solver().info().id, simulation.time());
    assert_eq!(count, 0, "{solver}, {when}, t = {time:.4} s: {count} pairs of triangles intersect, first {first:?}");
}

/// Takes `count` steps, and asserts that no two triangles of the cloth intersect, neither at the start nor after any step.
pub fn advance_free(simulation: &mut Simulation, count: usize, when: &str) {
    assert_free(simulation, when);
    for _ in 0..count {
        advance(simulation, 1);
        assert_free(simulation, when);
    }
}

/// The ids of the solvers that can be run without damping: explicit Euler explodes, as it says.
pub fn steady_solver_ids() -> impl Iterator<Item = &'static str> {
    let steady = solvers::REGISTRY.iter().filter(|entry| entry.info.stability != Stability::Damped);
    steady.map(|entry| entry.info.id)
}

/// The ids of all solvers.
pub fn solver_ids() -> impl Iterator<Item = &'static str> {
    solvers::REGISTRY.iter().map(|entry| entry.info.id)
}

/// Largest distance between places of the same index [m].
pub fn farthest(a: &[Vec3], b: &[Vec3]) -> f64 {
    assert!(a.len() == b.len() && !a.is_empty(), "{} and {} places", a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max)
}

/// What a case of a law is called.
pub trait Named {
    /// Its name in the list of failures.
    fn name(&self) -> String;
}

impl Named for &str {
    fn name(&self) -> String {
        (*self).to_owned()
    }
}

impl<T> Named for (&str, T) {
    fn name(&self) -> String {
        self.0.to_owned()
    }
}

impl Named for &solvers::Entry {
    fn name(&self) -> String {
        self.info.id.to_owned()
    }
}

/// Asserts a law for every case, and says all that fail: of a law for every solver, the second failure tells as much as the
/// first.
pub fn every<T: Named>(cases: impl IntoIterator<Item = T>, mut law: impl FnMut(T)) {
    let mut failures = Vec::new();
    for case in cases {
        let name = case.name();
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| law(case))) {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("a panic without a message");
            failures.push(format!("{name}: {text}"));
        }
    }
    assert!(failures.is_empty(), "{} cases fail:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn a_law_that_fails_names_every_case_that_fails() {
    let failed = catch_unwind(|| every(["one", "two", "three"], |case| assert_ne!(case.len(), 3, "{case}")));
    let message = *failed.expect_err("two of them fail").downcast::<String>().expect("a message");
    assert!(message.starts_with("2 cases fail") && message.contains("one") && message.contains("two"), "{message}");
    assert!(!message.contains("three"), "{message}");
}

/// The triangles of a cloth, all with their first axis along `warp`.
pub fn elements_along(pattern: &Pattern, warp: Vec3) -> Vec<Element> {
    let rest = pattern.rest_positions();
    let element = |triangle: [u32; 3]| Element::of_rest(triangle, triangle.map(|vertex| rest[vertex as usize]), warp);
    pattern.cloth_triangles().filter_map(element).collect()
}
