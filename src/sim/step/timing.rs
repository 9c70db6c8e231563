//! How time passes: the parameters of step and substeps, and the schemes of second order.

use crate::sim::Real;
use crate::sim::params::{Kind, count, linear, logarithmic};

crate::choices! {
    /// Time integrator of the optimisation-based solvers.
    pub enum Scheme {
        /// Implicit Euler: first order. Its numerical damping grows with the step; stable at any
        /// stiffness.
        Euler = "euler",
        /// Theta method: forces at the point θ of the step. θ = ½ is the midpoint rule: second
        /// order, no numerical damping; stiff springs can gain energy.
        Theta = "theta",
        /// Two-step backward differences (BDF2): second order, from the last two states. Little
        /// numerical damping; stable at any stiffness with constant steps.
        Bdf2 = "bdf2",
    }
}

const fn needs_theta(timing: &Timing) -> Option<&'static str> {
    if matches!(timing.scheme, Scheme::Theta) { None } else { Some("the scheme has no theta") }
}

crate::parameters! {
    /// How time passes.
    pub struct Timing {
        /// Time between two states. Longer steps are cheaper, blur fast motion, and make explicit
        /// solvers unstable.
        pub time_step: Real = 1.0 / 60.0, "Time step", "s", logarithmic(1e-4, 0.1);
        /// Number of equal parts of the time step. More are more stable and more accurate, and cost
        /// more.
        pub substeps: u32 = 1, "Substeps", "", count(1, 200), needs EqualSubsteps;
        /// Time integrator of the optimisation-based solvers. Implicit Euler damps vibrations; the
        /// schemes of second order keep them.
        pub scheme: Scheme = Scheme::Euler, "Scheme", "", Scheme::KIND, needs Schemes;
        /// Point of the step at which forces balance: 1, its end, is implicit Euler; 0.5, its
        /// middle, is the midpoint rule, which conserves energy. With it, springs that are stiff
        /// for the step, or lift in wind, can gain energy without bound: θ from 0.55 to 0.7,
        /// damping or a shorter step prevents that.
        pub theta: Real = 0.5, "Theta", "", linear(0.5, 1.0), needs Schemes, idle needs_theta;
        /// Number of substeps chosen by the motion: shorter substeps for fast or stiff motion,
        /// longer ones for slow motion. Explicit solvers then stay stable at stiffnesses too high
        /// for a fixed step, at a higher cost.
        pub adaptive: bool = false, "Adaptive", "", Kind::Toggle, needs Adaptivity;
        /// Largest error of an adaptive substep, per metre of cloth. Smaller is more accurate and
        /// slower.
        pub tolerance: Real = 1e-4, "Tolerance", "m/m", logarithmic(1e-8, 0.01), needs Adaptivity, idle |timing| {
            (!timing.adaptive).then_some("the step is not adaptive")
        };
        /// Largest work of one step; a million spring updates take some 3 to 8 ms. An iterative
        /// solver that reaches it ends the step with its last iterate and reports that.
        pub work_limit: Real = 1000.0, "Work limit per step", "million spring updates", logarithmic(0.01, 1e6);
    }
}

/// A scheme with its parameters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Rule {
    /// The step as the solver makes it; of one that minimises implicit Euler.
    Own,
    /// The θ method, `½ ≤ θ < 1`.
    Theta(Real),
    /// Two-step backward differences.
    Bdf2,
}

impl Timing {
    /// The rule that is chosen.
    #[must_use]
    pub fn rule(&self) -> Rule {
        match self.scheme {
            Scheme::Theta if self.theta < 1.0 => Rule::Theta(self.theta),
            Scheme::Euler | Scheme::Theta => Rule::Own,
            Scheme::Bdf2 => Rule::Bdf2,
        }
    }

    /// Chooses a rule.
    pub fn set_rule(&mut self, rule: Rule) {
        self.scheme = match rule {
            Rule::Own => Scheme::Euler,
            Rule::Theta(_) => Scheme::Theta,
            Rule::Bdf2 => Scheme::Bdf2,
        };
        if let Rule::Theta(theta) = rule {
            self.theta = theta;
        }
    }
}
