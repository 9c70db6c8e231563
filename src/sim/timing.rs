//! How time passes: the parameters of step and substeps.

use super::Real;
use super::params::{Kind, count, logarithmic};

crate::parameters! {
    /// How time passes.
    pub struct Timing {
        /// Time between two states. Longer steps are cheaper, blur fast motion, and make explicit solvers explode.
        pub time_step: Real = 1.0 / 60.0, "Time step", "s", logarithmic(1e-4, 0.1);
        /// Into how many equal parts the solver divides the time step. More is steadier, sharper and slower.
        pub substeps: u32 = 1, "Substeps", "", count(1, 200), needs EqualSubsteps;
        /// Choose the substeps by the motion: shorter when it is fast or stiff, longer when it is calm. An explicit solver then survives stiffnesses at which a fixed step explodes, and slows down instead.
        pub adaptive: bool = false, "Adaptive", "", Kind::Toggle, needs Adaptivity;
        /// Error that an adaptive substep may make, per metre of cloth. Smaller is truer and slower.
        pub tolerance: Real = 1e-4, "Tolerance", "m/m", logarithmic(1e-8, 0.01), needs Adaptivity, idle |timing| {
            (!timing.adaptive).then_some("the step is fixed")
        };
        /// Work that a step may take, in million visits of a spring (some 3 to 8 ms each). An iterated solver that has used it up ends the step with what it has, and says so.
        pub work_limit: Real = 1000.0, "Work limit", "10⁶", logarithmic(0.01, 1e6);
    }
}
