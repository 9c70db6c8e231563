//! A solver of one's own: velocity Verlet, compared with symplectic Euler of the library.
//!
//! `cargo run --release --no-default-features --example own_solver`

use weft::sim::forces::SpringSum;
use weft::sim::params::{NoSettings, Tunable};
use weft::sim::solver_interface::{Capabilities, Group, Info, Keeps, Stability};
use weft::sim::{
    Cloth, Mass, Pattern, Plane, Simulation, Solver, SolverState, StepError, StepInput, StepStats, Vec3, solvers,
};

/// What is known of it: menus and tests read this, and a simulation its capabilities.
static INFO: Info = Info {
    id: "velocity-verlet",
    name: "Velocity Verlet",
    group: Group::Explicit,
    source: "Swope et al. 1982",
    order: 2,
    stability: Stability::Conditional,
    cost: "two passes over the springs",
    summary: "Second order and without numerical damping, but unstable when the step is too long.",
    formula: "v½ = v + h F(x)/2m,  x' = x + h v½,  v' = v½ + h F(x')/2m",
    algorithm: "",
    capabilities: Capabilities::SPRINGS,
    keeps: Keeps { momentum: true, angular_momentum: true, free_fall: true },
    breaches: &[],
};

/// Memory that is kept from step to step; it never shows in a result.
#[derive(Default)]
struct VelocityVerlet {
    settings: NoSettings,
    springs: SpringSum,
    forces: Vec<Vec3>,
}

impl VelocityVerlet {
    /// Half a step of the velocities by the forces at the present positions.
    fn accelerate(&mut self, cloth: &mut Cloth, input: &StepInput) {
        self.springs.add_up_forces(input.pattern, input.material, cloth, &mut self.forces, input.pool);
        for &vertex in &input.partition.free {
            let i = vertex as usize;
            let force = self.forces[i] + input.external[i];
            cloth.velocities[i] += force * (0.5 * input.dt / cloth.masses[i]);
        }
    }
}

impl Solver for VelocityVerlet {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn settings(&self) -> &dyn Tunable {
        &self.settings
    }

    fn settings_mut(&mut self) -> &mut dyn Tunable {
        &mut self.settings
    }

    fn step(&mut self, cloth: &mut Cloth, _: &mut SolverState, input: &StepInput) -> Result<StepStats, StepError> {
        self.accelerate(cloth, input);
        for &vertex in &input.partition.free {
            let i = vertex as usize;
            cloth.positions[i] += cloth.velocities[i] * input.dt;
        }
        self.accelerate(cloth, input);
        Ok(StepStats { iterations: 1, ..StepStats::default() })
    }
}

/// Largest change of the energy of a swinging cloth without damping [J].
fn drift(solver: Box<dyn Solver>) -> Result<f64, StepError> {
    let mut simulation = Simulation::new(Pattern::grid(11, 11, 1.0, 1.0, Plane::Xz), Mass::default(), solver);
    simulation.parameters.contact.ground = false;
    simulation.parameters.material.damping = 0.0;
    simulation.parameters.timing.time_step = 0.001;
    (0..11).for_each(|vertex| simulation.state.cloth.pin_here(vertex));
    let energy = |simulation: &Simulation| simulation.energy().total().expect("springs have an elastic energy");
    let (start, mut drift) = (energy(&simulation), 0.0_f64);
    while simulation.time() < 1.0 {
        simulation.step()?;
        drift = drift.max((energy(&simulation) - start).abs());
    }
    Ok(drift)
}

/// The drift of this solver, and of one of the library [J].
pub fn drifts() -> Result<[f64; 2], StepError> {
    let library = solvers::build("symplectic-euler").expect("it is in the registry");
    Ok([drift(Box::new(VelocityVerlet::default()))?, drift(library)?])
}

fn main() -> Result<(), StepError> {
    let [verlet, euler] = drifts()?;
    println!("The energy departs by {verlet:.1e} J by velocity Verlet, by {euler:.1e} J by symplectic Euler.");
    Ok(())
}
