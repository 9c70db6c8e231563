//! How time passes: the parameters of step and substeps, and the schemes of second order.

use super::Real;
use super::params::{Kind, count, linear, logarithmic};

crate::choices! {
    /// How a method that minimises goes from one state to the next.
    pub enum Scheme {
        /// Implicit Euler: first order. It damps what swings, the more the longer the step, and stands any stiffness.
        Euler = "euler",
        /// Forces balance within the step, where θ says: at θ = ½ that is the midpoint rule, of second order, which damps nothing and can gain energy from stiff springs.
        Theta = "theta",
        /// Two-step backward differences: second order, from the last two states. It damps little, and stands any stiffness at steps of one length.
        Bdf2 = "bdf2",
    }
}

const fn needs_theta(timing: &Timing) -> Option<&'static str> {
    if matches!(timing.scheme, Scheme::Theta) { None } else { Some("the scheme has no theta") }
}

crate::parameters! {
    /// How time passes.
    pub struct Timing {
        /// Time between two states. Longer steps are cheaper, blur fast motion, and make explicit solvers explode.
        pub time_step: Real = 1.0 / 60.0, "Time step", "s", logarithmic(1e-4, 0.1);
        /// Into how many equal parts the solver divides the time step. More is steadier, sharper and slower.
        pub substeps: u32 = 1, "Substeps", "", count(1, 200), needs EqualSubsteps;
        /// How a step of a method that minimises is made: implicit Euler, which damps what swings, or a scheme of second order, with which a cloth stays alive.
        pub scheme: Scheme = Scheme::Euler, "Scheme", "", Scheme::KIND, needs Schemes;
        /// Where in the step forces balance: at its end, 1, is implicit Euler; at its middle, 0.5, is the midpoint rule, which keeps energy. Springs that are stiff for the step, or the lift of a wind, can make midpoint gain energy without bound: 0.55 or 0.7, some damping or a shorter step holds them.
        pub theta: Real = 0.5, "Theta", "", linear(0.5, 1.0), needs Schemes, idle needs_theta;
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

/// A scheme with what it takes.
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
