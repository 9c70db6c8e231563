//! A solver on a graphics device, given its settings: the common part of both methods.

use std::fmt::Debug;
use std::sync::Arc;

use super::device::Device;
use super::engine::ITERATIONS;
use super::schedule::Schedule;
use super::stepper::{StepPlan, Stepper, capabilities, elastic_energy, elastic_force, minimises_potential, objective};
use super::triangles::StrainLimit;
use crate::sim::measure::SpringSystem;
use crate::sim::params::{Choice, Tunable};
use crate::sim::solver_interface::{Capabilities, Info, Iteration, Minimiser, WorkSetting, start_lower};
use crate::sim::{Cloth, Real, Solver, SolverState, StepError, StepInput, StepStats, Vec3};

/// Declares the settings of a method on the device: its own, and the strain limits of triangles.
macro_rules! device_settings {
    ($(#[$meta:meta])* pub struct $name:ident { $($own:tt)* }) => {
        $crate::parameters! {
            $(#[$meta])*
            pub struct $name {
                $($own)*
                /// Strain limiting of triangles: free to stretch and shear within the limits, stiff
                /// beyond.
                pub triangle_strain: bool = false, "Triangle strain", "", $crate::sim::params::Kind::Toggle,
                    needs Cloth;
                /// Stiffness beyond the strain limits, per area.
                pub strain_weight: f64 = 300.0, "Strain weight", "J/m²", $crate::sim::params::logarithmic(0.0, 1e7),
                    under triangle_strain;
                /// Least stretch of a triangle; 1 allows no compression.
                pub strain_min: f64 = 1.0, "Least stretch", "", $crate::sim::params::linear(0.0, 1.0),
                    under triangle_strain;
                /// Largest stretch of a triangle; 1.1 allows 10 %.
                pub strain_max: f64 = 1.0, "Largest stretch", "", $crate::sim::params::linear(1.0, 3.0),
                    under triangle_strain;
            }
        }

        impl $crate::gpu::solver::LimitsStrain for $name {
            fn limit(&self) -> Option<$crate::gpu::triangles::StrainLimit> {
                let range = [self.strain_min, self.strain_max];
                (self.triangle_strain && self.strain_weight > 0.0)
                    .then_some($crate::gpu::triangles::StrainLimit { weight: self.strain_weight, range })
            }
        }
    };
}
pub(super) use device_settings;

/// Settings with strain limits of triangles.
pub trait LimitsStrain {
    /// How triangles are limited, if they are.
    fn limit(&self) -> Option<StrainLimit>;
}

/// The settings of a method on the device, and what follows from them.
pub trait DeviceSettings: LimitsStrain + Tunable + Debug + Default + Send + Sync {
    /// Description and promises of the method.
    fn info() -> &'static Info;

    /// Number of iterations of a step.
    fn iterations(&mut self) -> &mut u32;

    /// How a step iterates.
    fn schedule(&self) -> Schedule;

    /// [`Minimiser::accelerations`].
    fn accelerations(&self) -> &'static [Choice] {
        &[]
    }

    /// [`Minimiser::acceleration`].
    fn acceleration(&self) -> Option<&'static str> {
        None
    }

    /// [`Minimiser::accelerate`].
    fn accelerate(&mut self, choice: usize) {
        let _ = choice;
    }
}

/// A method on the device.
#[derive(Debug, Default)]
pub struct DeviceSolver<S> {
    /// The settings.
    pub settings: S,
    stepper: Stepper,
}

impl<S: DeviceSettings> DeviceSolver<S> {
    /// One that uses this device and no other.
    #[must_use]
    pub fn on(device: Arc<Device>) -> Self {
        Self { stepper: Stepper::on(device), ..Self::default() }
    }

    fn plan(&self) -> StepPlan {
        StepPlan { schedule: self.settings.schedule(), limit: self.settings.limit() }
    }
}

impl<S: DeviceSettings> Minimiser for DeviceSolver<S> {
    fn iterate(&mut self, cloth: &Cloth, input: &StepInput, q: &mut [Vec3]) -> Result<Iteration, StepError> {
        self.stepper.iterate(cloth, input, self.plan(), q)
    }

    fn start(&mut self, cloth: &Cloth, input: &StepInput, q: &mut Vec<Vec3>) -> Result<(), StepError> {
        start_lower(self, cloth, input, q);
        Ok(())
    }

    fn objective(&self, cloth: &Cloth, input: &StepInput, q: &[Vec3]) -> Option<Real> {
        objective(cloth, input, self.settings.limit(), q)
    }

    fn limit_iterations(&mut self, most: u32) {
        *self.settings.iterations() = most;
    }

    fn accelerations(&self) -> &'static [Choice] {
        self.settings.accelerations()
    }

    fn acceleration(&self) -> Option<&'static str> {
        self.settings.acceleration()
    }

    fn accelerate(&mut self, choice: usize) {
        self.settings.accelerate(choice);
        self.stepper.interrupt();
    }

    fn minimises_potential(&self, input: &StepInput) -> bool {
        minimises_potential(input, self.settings.limit())
    }
}

impl<S: DeviceSettings> Solver for DeviceSolver<S> {
    fn info(&self) -> &'static Info {
        S::info()
    }

    fn settings(&self) -> &dyn Tunable {
        &self.settings
    }

    fn settings_mut(&mut self) -> &mut dyn Tunable {
        &mut self.settings
    }

    fn capabilities(&self) -> Capabilities {
        capabilities(S::info(), self.settings.limit())
    }

    fn elastic_energy(&self, system: &SpringSystem) -> Option<Real> {
        Some(elastic_energy(system, self.settings.limit()))
    }

    fn elastic_force(&self, system: &SpringSystem, vertex: u32) -> Option<Vec3> {
        Some(elastic_force(system, self.settings.limit(), vertex))
    }

    fn work_setting(&self) -> WorkSetting {
        WorkSetting::of(ITERATIONS)
    }

    fn step(&mut self, cloth: &mut Cloth, _: &mut SolverState, input: &StepInput) -> Result<StepStats, StepError> {
        self.stepper.step(cloth, input, self.plan())
    }

    fn minimiser(&mut self) -> Option<&mut dyn Minimiser> {
        Some(self)
    }

    fn reset(&mut self) {
        self.stepper.reset();
    }
}
