//! Capabilities of solvers. Nothing asks for a solver by its name; code asks for these, and tests
//! measure them.

use crate::sim::Real;
use crate::sim::model::material::{BendingModel, DampingModel, MembraneModel};
use crate::sim::params::Need;

/// Capabilities of a solver: contacts, springs, damping and more.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Capabilities {
    /// How it takes contacts.
    pub contacts: ContactRule,
    /// Whether a cloth draped over a collider keeps its lengths: no spring of the scene `table` is
    /// a quarter longer than at rest.
    pub drapes: Ability,
    /// Treatment of cloth-cloth contact.
    pub cloth_contact: ClothContactRule,
    /// Whether its step can be made by another [scheme](crate::sim::step::timing::Scheme) than its
    /// own.
    pub schemes: Ability,
    /// Whether its step may adapt to the motion.
    pub adaptivity: Ability,
    /// Whether the stiffness of the cloth has an effect.
    pub stiffness: Ability,
    /// Origin of its elastic energy and of the force on a held vertex.
    pub elasticity: Elasticity,
    /// Damping laws.
    pub damping: DampingLaws,
    /// How it takes isometric bending.
    pub bending: BendingRule,
    /// How it takes a membrane of triangles.
    pub membrane: MembraneRule,
    /// Stiffness of the springs that hold pins and hand [N/m]; `None` if their motion is prescribed.
    pub pin_stiffness: Option<Real>,
    /// Whether it has a longest step that holds.
    pub critical_step: CriticalStep,
    /// Whether a step is iterated until its nonlinear equations are solved, as long as that takes.
    pub converges: bool,
    /// Whether a step starts from data of the last one beside the state of the cloth.
    pub warm_start: bool,
    /// Name of its iterations.
    pub iterations: Iterations,
    /// Processor of its steps, with its precision.
    pub processor: Processor,
}

impl Capabilities {
    /// Of a method that steps the springs as they are, without contacts. Others state their
    /// differences.
    pub const SPRINGS: Self = Self {
        contacts: ContactRule::Response,
        drapes: Ability::Yes,
        cloth_contact: ClothContactRule::LastingForce,
        schemes: Ability::No("it is not optimisation-based and has an integrator of its own"),
        adaptivity: Ability::Yes,
        stiffness: Ability::Yes,
        elasticity: Elasticity::Springs,
        damping: DampingLaws::Chosen,
        bending: BendingRule::Force,
        membrane: MembraneRule::SpringsOnly("it knows springs only"),
        pin_stiffness: None,
        critical_step: CriticalStep::None,
        converges: false,
        warm_start: false,
        iterations: Iterations::Iterations,
        processor: Processor::Host,
    };

    /// Treatment of contacts, in words, with its effect on cloth that lies on something.
    #[must_use]
    pub fn describe_contacts(&self) -> String {
        let rule = self.contacts.describe();
        self.drapes.obstacle().map_or_else(|| rule.to_owned(), |reason| format!("{rule}; {reason}"))
    }

    /// The schemes by which it can step, in words.
    #[must_use]
    pub const fn describe_schemes(&self) -> &'static str {
        match self.schemes {
            Ability::Yes => "implicit Euler, theta, BDF2",
            Ability::No(_) => "its own",
        }
    }

    /// The reason why the solver lacks the need of a parameter, if it does.
    #[must_use]
    pub fn lacks(&self, need: Need) -> Option<&'static str> {
        match need {
            Need::Stiffness | Need::ShearSprings | Need::BendSprings => self.stiffness.obstacle(),
            Need::BendingChoice | Need::IsometricBending => match self.bending {
                BendingRule::SpringsOnly(reason) => Some(reason),
                BendingRule::Force | BendingRule::Matrix | BendingRule::Constraints => None,
            },
            Need::MembraneChoice | Need::Membrane => match self.membrane {
                MembraneRule::SpringsOnly(reason) => Some(reason),
                MembraneRule::Force | MembraneRule::Matrix | MembraneRule::Constraints => None,
            },
            Need::Damping => match self.damping {
                DampingLaws::None(reason) => Some(reason),
                _ => None,
            },
            Need::DampingChoice => match self.damping {
                DampingLaws::None(reason) | DampingLaws::Only(_, reason) => Some(reason),
                DampingLaws::Chosen | DampingLaws::Partly(..) => None,
            },
            Need::Schemes => self.schemes.obstacle(),
            Need::Adaptivity => self.adaptivity.obstacle(),
            Need::EqualSubsteps | Need::Cloth | Need::Bodies | Need::Examples => None,
        }
    }
}

/// The term for the iterations of a solver, as in the label of its parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Iterations {
    /// Iterations over the whole cloth.
    Iterations,
    /// Gauss-Seidel or Jacobi sweeps.
    Sweeps,
}

impl Iterations {
    /// The word for one, and for several.
    #[must_use]
    pub const fn words(self) -> [&'static str; 2] {
        match self {
            Self::Iterations => ["iteration", "iterations"],
            Self::Sweeps => ["sweep", "sweeps"],
        }
    }
}

/// Processor of the steps of a solver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Processor {
    /// The processor, in double precision: the same bits on any number of threads.
    Host,
    /// A graphics device, in single precision: changes by a step are rounded to seven digits, the
    /// state itself is not. The same bits on the same device with the same driver, and others
    /// elsewhere.
    Device,
}

impl Processor {
    /// Relative rounding of the changes by a step.
    #[must_use]
    pub const fn rounding(self) -> Real {
        match self {
            Self::Host => Real::EPSILON / 2.0,
            Self::Device => (f32::EPSILON / 2.0) as Real,
        }
    }

    /// In words.
    #[must_use]
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Host => "the processor, in double precision",
            Self::Device => "a graphics device, in single precision",
        }
    }
}

/// Whether a solver can do something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ability {
    /// It can.
    Yes,
    /// It cannot, for this reason.
    No(&'static str),
}

impl Ability {
    /// Why it cannot, if so.
    #[must_use]
    pub const fn obstacle(self) -> Option<&'static str> {
        match self {
            Self::Yes => None,
            Self::No(reason) => Some(reason),
        }
    }
}

/// How a solver takes contacts. The response after the step comes to all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContactRule {
    /// The vertices that their forces press on a collider are found before the step, and its matrix
    /// holds them: in both directions, for the length of the step.
    HeldInMatrix,
    /// The same vertices are constraints among the others, which act inwards only.
    PressingConstraints,
    /// All vertices on a collider are constraints, which act inwards only. For methods whose forces
    /// are not those of the springs, so that these do not tell which vertices press.
    TouchingConstraints,
    /// None are looked for: the response after the step is all.
    Response,
}

impl ContactRule {
    /// In words.
    #[must_use]
    pub const fn describe(self) -> &'static str {
        match self {
            Self::HeldInMatrix => "detected before the step and fixed in its matrix",
            Self::PressingConstraints => "constraints where a vertex presses on a collider",
            Self::TouchingConstraints => "constraints where a vertex lies on a collider",
            Self::Response => "a response after the step",
        }
    }
}

/// Treatment of cloth-cloth contact by a solver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClothContactRule {
    /// Contact forces that last for more than a step are external forces on the next; a response
    /// after the step adds what is missing and takes back what was too much.
    LastingForce,
    /// As constraints among the others, for pairs that inertia and outer forces would bring near
    /// each other. If a pair would pass through itself, a response follows the step.
    Constraints,
}

impl ClothContactRule {
    /// In words.
    #[must_use]
    pub const fn describe(self) -> &'static str {
        match self {
            Self::LastingForce => "contact forces of the last steps, and a response after the step",
            Self::Constraints => "constraints among the others; impacts by a response after the step",
        }
    }
}

/// How a solver takes isometric bending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BendingRule {
    /// As a force at the start of the step, like those of the springs.
    Force,
    /// In its matrix, or in the potential that it minimises: at the end of the step.
    Matrix,
    /// As constraints among others.
    Constraints,
    /// Not at all, for this reason: folds are resisted by the bend springs of the cloth, if by
    /// anything.
    SpringsOnly(&'static str),
}

impl BendingRule {
    /// The model that is at work where `chosen` is chosen.
    #[must_use]
    pub const fn at_work(self, chosen: BendingModel) -> BendingModel {
        match self {
            Self::SpringsOnly(_) => BendingModel::Springs,
            Self::Force | Self::Matrix | Self::Constraints => chosen,
        }
    }

    /// In words.
    #[must_use]
    pub fn describe(self) -> String {
        match self {
            Self::Force => "springs or isometric, as a force".to_owned(),
            Self::Matrix => "springs or isometric, in its matrix".to_owned(),
            Self::Constraints => "springs or isometric, as constraints".to_owned(),
            Self::SpringsOnly(reason) => format!("not isometric: {reason}"),
        }
    }
}

/// How a solver takes a membrane of triangles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MembraneRule {
    /// As a force at the start of the step, like those of the springs.
    Force,
    /// In its matrix, or in the potential that it minimises: at the end of the step.
    Matrix,
    /// As constraints among others.
    Constraints,
    /// Not at all, for this reason: the edges of a mesh are springs.
    SpringsOnly(&'static str),
}

impl MembraneRule {
    /// The model that is at work where `chosen` is chosen.
    #[must_use]
    pub const fn at_work(self, chosen: MembraneModel) -> MembraneModel {
        match self {
            Self::SpringsOnly(_) => MembraneModel::Springs,
            Self::Force | Self::Matrix | Self::Constraints => chosen,
        }
    }

    /// In words.
    #[must_use]
    pub fn describe(self) -> String {
        match self {
            Self::Force => "springs or triangles, as a force".to_owned(),
            Self::Matrix => "springs or triangles, in its matrix".to_owned(),
            Self::Constraints => "springs or triangles, as constraints".to_owned(),
            Self::SpringsOnly(reason) => format!("springs along the edges: {reason}"),
        }
    }
}

/// Kind of elasticity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Elasticity {
    /// The springs of the cloth, `½ k (l - L)²` each.
    Springs,
    /// Forces of the method's own, of which it knows energy and strength.
    Own,
    /// No forces or no energy that could be named, for this reason.
    Unknown(&'static str),
}

/// Damping laws ([`DampingModel`]) of a solver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DampingLaws {
    /// The one that is chosen.
    Chosen,
    /// This one, whatever is chosen, for this reason.
    Only(DampingModel, &'static str),
    /// This one in full when it is chosen; the other only in part, for this reason.
    Partly(DampingModel, &'static str),
    /// It does not know the damping of the cloth, for this reason.
    None(&'static str),
}

impl DampingLaws {
    /// The law that is at work where `chosen` is chosen.
    #[must_use]
    pub const fn at_work(self, chosen: DampingModel) -> DampingModel {
        match self {
            Self::Only(law, _) => law,
            Self::Chosen | Self::Partly(..) | Self::None(_) => chosen,
        }
    }

    /// In words.
    #[must_use]
    pub fn describe(self) -> String {
        let name = |law| match law {
            DampingModel::Isotropic => "isotropic",
            DampingModel::AlongSpring => "along the springs",
        };
        match self {
            Self::Chosen => "isotropic or along the springs".to_owned(),
            Self::Only(law, reason) => format!("{} only: {reason}", name(law)),
            Self::Partly(law, reason) => format!("{} in full, otherwise in part: {reason}", name(law)),
            Self::None(reason) => format!("none: {reason}"),
        }
    }

    /// Whether `law` is honoured in full when it is chosen.
    #[must_use]
    pub fn honours(self, law: DampingModel) -> bool {
        match self {
            Self::Chosen => true,
            Self::Only(known, _) | Self::Partly(known, _) => known == law,
            Self::None(_) => false,
        }
    }
}

/// Whether a solver has a longest step that holds for small motions about rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CriticalStep {
    /// It has one; [`Solver::critical_step`](super::Solver::critical_step) finds it. With a remark
    /// on long steps.
    Own(&'static str),
    /// It has none.
    None,
}
