//! Projective dynamics: implicit Euler as a minimisation over any mix of constraints.
//!
//! ```text
//! y = x + h v + h² M⁻¹ f_ext,   q = y, or q = x
//! local:   p_c = the admissible value nearest to A_c q, for every constraint c
//! global:  (M/h² + Σ w_c A_cᵀA_c) q = M y/h² + Σ w_c A_cᵀ p_c
//! v⁺ = (q - x)/h,   x⁺ = q
//! ```
//!
//! Bouaziz, Martin, Liu, Kavan, Pauly 2014, algorithm 1 and section 5. Constraints: the springs of
//! the material (with them alone this is fast mass-spring), edge strain with the stiffness of the
//! sheet, strain of triangles within limits, isotropic or by warp, weft and shear, area, bending as
//! mean curvature over the cotangent Laplacian at rest, strain and volume of tetrahedra, examples,
//! held positions, and the half-space before a collider. First order; bounded for any step
//! ([`Stability::Proven`]); with area and volume constraints this is an observation only, since
//! their projections are not bounded. No iteration raises the objective if projections are nearest
//! points ([`Constraint::is_nearest`](crate::sim::constraints::Constraint::is_nearest)); those to
//! anisotropic limits are not, and may raise it a little. The matrix is factored when the pattern,
//! the kinds of constraints, a weight, a mass or the step change; pins, the hand, contacts and
//! released constraints update its factor. The iterations can be accelerated, and can end at a
//! given error, as those of [`FastMassSpring`](super::FastMassSpring). They can start at `x`, measure
//! distances in other coordinates (`A` and `B` of the paper), and take consistent mass; energy and
//! minimum are those of the same constraints, but absolute coordinates keep momentum in the limit
//! only.

use super::body_newton::BodyNewton;
use super::local_global::{
    Acceleration, BoundaryConditions, CONSTANT_MATRIX, Coordinates, IterationPlan, LocalGlobal, MassMatrix, Start,
    Weights, damps_as_potential, minimise_by_engine, objective, solve_by_engine,
};
use crate::sim::constraints::{
    Area, Bending, BendingExamples, BodyExamples, ClothExamples, Constraints, EdgeStrain, HingeAngle, Limits,
    StrainLimits, TetrahedralStrain, TriangleStrain, Volume,
};
use crate::sim::measure::{ExampleWeights, SpringSystem};
use crate::sim::model::material::DampingModel;
use crate::sim::params::{Choice, Field, Kind, Setting, Tunable, count, linear, logarithmic};
use crate::sim::solver_interface::{
    Ability, BendingRule, Capabilities, ContactLaw, ContactRule, DampingLaws, Demand, Elasticity, Group, Info,
    Iteration, Keeps, MembraneRule, Minimiser, PREFACTORED, Stability, WorkSetting, describe_solver,
};
use crate::sim::{Cloth, Real, Solver, SolverState, StepError, StepInput, StepStats, Vec3};

pub(super) static INFO: Info = Info {
    id: "projective-dynamics",
    name: "Projective dynamics",
    group: Group::LocalGlobal,
    source: "Bouaziz et al. 2014",
    order: 1,
    stability: Stability::Proven("for any number of iterations, but for contacts, areas and volumes"),
    cost: "per iteration a projection of every constraint and a solve with a stored factor",
    summary: "Any mix of springs, strain limits, area, volume, bending and contact with one stored factor. Look and stiffness are independent of the resolution.",
    formula: "p = projection of A x',  then (M/h² + Σ w A^T A) x' = M y/h² + Σ w A^T p",
    algorithm: include_str!("algorithms/projective-dynamics.txt"),
    capabilities: Capabilities {
        contacts: ContactRule::PressingConstraints,
        bending: BendingRule::Matrix,
        membrane: MembraneRule::Matrix,
        schemes: Ability::Yes,
        adaptivity: PREFACTORED,
        damping: DampingLaws::Only(DampingModel::Isotropic, CONSTANT_MATRIX),
        ..Capabilities::SPRINGS
    },
    keeps: Keeps { momentum: true, angular_momentum: false, free_fall: true },
    breaches: &[(ContactLaw::SlideByFrames, 0.114), (ContactLaw::Lay, 1.1), (ContactLaw::Load, 5.25)],
};

const fn beside_examples(settings: &ProjectiveDynamicsSettings) -> Option<&'static str> {
    if settings.has_examples() { Some("examples take a given number of plain iterations") } else { None }
}

crate::parameters! {
    /// Settings of [`ProjectiveDynamics`].
    pub struct ProjectiveDynamicsSettings {
        /// Local/global iterations per step. More approach implicit Euler: less stretch, less lag,
        /// more work.
        pub iterations: u32 = 10, "Iterations", "", count(1, 1000);
        /// Where the iterations of a step start. At convergence both are the same motion. Accelerated
        /// ones leave the target for the force-free position if the energy is lower there.
        pub starting_point: Start = Start::Target, "Start", "", Start::KIND;
        /// Coordinates in which constraints measure their distance, A and B in the paper. They change
        /// the way to the solution, not the solution.
        pub coordinates: Coordinates = Coordinates::Differences, "Coordinates", "", Coordinates::KIND;
        /// Mass matrix of triangles and tetrahedra. Consistent mass couples the inertia of neighbours;
        /// the motion looks the same.
        pub mass_matrix: MassMatrix = MassMatrix::Lumped, "Mass", "", MassMatrix::KIND;
        /// Acceleration of the iterations. All converge to the same motion with fewer iterations;
        /// none raises the energy from one iteration to the next.
        pub acceleration: Acceleration = Acceleration::None, "Acceleration", "", Acceleration::KIND, idle beside_examples;
        /// Number of earlier iterates that the acceleration uses. More need fewer iterations, at a
        /// higher cost each.
        pub remembered_steps: u32 = 5, "Memory", "iterates", count(1, 8), under acceleration,
            idle |settings| settings.acceleration.idle_unless(Acceleration::remembers);
        /// Spectral radius of the plain iteration: the factor by which each one reduces the slowest
        /// part of the error. Too low accelerates little; too high overshoots, and iterations are
        /// rejected.
        pub spectral_radius: Real = 0.9, "Spectral radius", "", linear(0.0, 0.999), under acceleration,
            idle |settings| settings.acceleration.idle_unless(|acceleration| acceleration == Acceleration::Chebyshev);
        /// End a step when the estimated error is small, at the latest after the given number of
        /// iterations.
        pub stop_by_error: bool = false, "Stop by error", "", Kind::Toggle, idle beside_examples;
        /// Error at which a step ends: energy above the minimum, relative to that at the start of
        /// the step. It is estimated from the gradient and the smallest curvature found in the
        /// step.
        pub energy_error: Real = 1e-3, "Error", "", logarithmic(1e-10, 0.1), under stop_by_error;
        /// Damping of all motion but the rigid one of each connected part, which keeps its momentum
        /// and angular momentum: other velocities decay at this rate, whatever the time step. 0 is off.
        pub velocity_filter: Real = 0.0, "Velocity filter", "1/s", logarithmic(0.0, 1e3);
        /// Springs of the material, as in the other methods, with their damping.
        pub springs: bool = true, "Springs", "", Kind::Toggle;
        /// Strain of the edges of the triangles, each a strip as wide as its share of the cloth:
        /// the same stiffness on a coarse and on a fine mesh. Strips along warp, weft and
        /// diagonals, as in a grid, are 20 % stiffer than strips in all directions.
        pub edge_strain: bool = false, "Edge strain", "", Kind::Toggle, needs Cloth;
        /// Young's modulus times thickness of the cloth. Higher resists stretch more.
        pub membrane_stiffness: Real = 300.0, "Stiffness", "N/m", logarithmic(0.0, 1e7), under edge_strain;
        /// Strain limiting of triangles: free to stretch and shear within the limits, stiff beyond.
        pub triangle_strain: bool = false, "Triangle strain", "", Kind::Toggle, needs Cloth;
        /// Stiffness beyond the strain limits, per area.
        pub strain_weight: Real = 300.0, "Strain weight", "J/m²", logarithmic(0.0, 1e7), under triangle_strain;
        /// Least stretch of a triangle, along the warp if the limits are anisotropic; 1 allows no
        /// compression.
        pub strain_min: Real = 1.0, "Least stretch", "", linear(0.0, 1.0), under triangle_strain;
        /// Largest stretch of a triangle, along the warp if the limits are anisotropic; 1.1 allows
        /// 10 %.
        pub strain_max: Real = 1.0, "Largest stretch", "", linear(1.0, 3.0), under triangle_strain;
        /// Separate limits for warp, weft and shear, as in woven cloth. The warp runs up, or away
        /// from the viewer in cloth that lies, or as texture and grain say.
        pub anisotropic: bool = false, "Anisotropic", "", Kind::Toggle, under triangle_strain;
        /// Least stretch along the weft.
        pub weft_min: Real = 1.0, "Least, weft", "", linear(0.0, 1.0), under anisotropic;
        /// Largest stretch along the weft.
        pub weft_max: Real = 1.0, "Largest, weft", "", linear(1.0, 3.0), under anisotropic;
        /// Largest shear between warp and weft, in both directions.
        pub shear_max: Real = 0.2, "Largest shear", "", linear(0.0, 1.0), under anisotropic;
        /// Further limits of the strain of triangles, in all directions: with a weak triangle strain
        /// and a strong limit, cloth is soft at first and stiff beyond the limit.
        pub strain_limit: bool = false, "Strain limit", "", Kind::Toggle, needs Cloth;
        /// Stiffness beyond the further limits, per area.
        pub strain_limit_weight: Real = 3000.0, "Weight", "J/m²", logarithmic(0.0, 1e7), under strain_limit;
        /// Least stretch of a triangle in any direction.
        pub strain_limit_min: Real = 0.9, "Least stretch", "", linear(0.0, 1.0), under strain_limit;
        /// Largest stretch of a triangle in any direction.
        pub strain_limit_max: Real = 1.1, "Largest stretch", "", linear(1.0, 3.0), under strain_limit;
        /// Limits of the area of triangles; their shape may change.
        pub area: bool = false, "Area", "", Kind::Toggle, needs Cloth;
        /// Stiffness beyond the area limits, per area.
        pub area_weight: Real = 300.0, "Area weight", "J/m²", logarithmic(0.0, 1e7), under area;
        /// Least area relative to that at rest.
        pub area_min: Real = 1.0, "Least area", "", linear(0.0, 1.0), under area;
        /// Largest area relative to that at rest.
        pub area_max: Real = 1.0, "Largest area", "", linear(1.0, 3.0), under area;
        /// Bending by the mean curvature relative to that at rest (cotangent Laplacian),
        /// independent of the mesh.
        pub bending: bool = false, "Bending", "", Kind::Toggle, needs Cloth;
        /// Bending stiffness. Cloth has 1 µN·m to 1 mN·m, a plastic sheet about 0.1 N·m.
        pub bending_weight: Real = 1e-4, "Stiffness", "N·m", logarithmic(0.0, 1e3), under bending;
        /// How far the curvature may fall below that at rest without a force. A cylinder of radius r
        /// has 1/r.
        pub bending_less: Real = 0.0, "Free, flatter", "1/m", logarithmic(0.0, 1e3), under bending;
        /// How far the curvature may rise above that at rest without a force: flat cloth bends freely
        /// to a radius of 1/this, and is stiff beyond.
        pub bending_more: Real = 0.0, "Free, rounder", "1/m", logarithmic(0.0, 1e3), under bending;
        /// Angles between triangles keep their value at rest. Their projection has no closed form and
        /// takes iterations of its own, so that steps take longer.
        pub hinges: bool = false, "Hinges", "", Kind::Toggle, needs Cloth;
        /// Bending stiffness of the hinges: that of a sheet, on grids and on equilateral triangles.
        pub hinge_stiffness: Real = 1e-4, "Stiffness", "N·m", logarithmic(0.0, 1e3), under hinges;
        /// Strain limiting of the tetrahedra of bodies: free to stretch within the limits, stiff
        /// beyond. Inverted tetrahedra are turned back.
        pub tetrahedral_strain: bool = false, "Tetrahedral strain", "", Kind::Toggle, needs Bodies;
        /// Stiffness beyond the strain limits, per volume: jelly 10 kJ/m³, rubber 1 MJ/m³.
        pub tetrahedral_weight: Real = 1e5, "Strain weight", "J/m³", logarithmic(0.0, 1e9), under tetrahedral_strain;
        /// Least stretch of a tetrahedron in any direction; 1 allows no compression.
        pub tetrahedral_min: Real = 1.0, "Least stretch", "", linear(0.01, 1.0), under tetrahedral_strain;
        /// Largest stretch of a tetrahedron in any direction; 1.1 allows 10 %.
        pub tetrahedral_max: Real = 1.0, "Largest stretch", "", linear(1.0, 3.0), under tetrahedral_strain;
        /// Further limits of the strain of tetrahedra: with a weak tetrahedral strain and a strong
        /// limit, a body is soft at first and stiff beyond the limit.
        pub tetrahedral_limit: bool = false, "Tetrahedral limit", "", Kind::Toggle, needs Bodies;
        /// Stiffness beyond the further limits, per volume.
        pub tetrahedral_limit_weight: Real = 1e6, "Weight", "J/m³", logarithmic(0.0, 1e9), under tetrahedral_limit;
        /// Least stretch of a tetrahedron in any direction.
        pub tetrahedral_limit_min: Real = 0.9, "Least stretch", "", linear(0.01, 1.0), under tetrahedral_limit;
        /// Largest stretch of a tetrahedron in any direction.
        pub tetrahedral_limit_max: Real = 1.1, "Largest stretch", "", linear(1.0, 3.0), under tetrahedral_limit;
        /// Limits of the volume of tetrahedra; their shape may change.
        pub volume: bool = false, "Volume", "", Kind::Toggle, needs Bodies;
        /// Stiffness beyond the volume limits, per volume.
        pub volume_weight: Real = 1e5, "Volume weight", "J/m³", logarithmic(0.0, 1e9), under volume;
        /// Least volume relative to that at rest.
        pub volume_min: Real = 1.0, "Least volume", "", linear(0.01, 1.0), under volume;
        /// Largest volume relative to that at rest.
        pub volume_max: Real = 1.0, "Largest volume", "", linear(1.0, 3.0), under volume;
        /// Tetrahedra of bodies prefer the deformations of the scene's examples, and mixtures of
        /// them and the rest shape.
        pub body_examples: bool = false, "Examples, bodies", "", Kind::Toggle, needs Examples;
        /// Stiffness towards the examples, per volume.
        pub body_examples_weight: Real = 1e5, "Examples weight", "J/m³", logarithmic(0.0, 1e9), under body_examples;
        /// One mixture of examples for a whole body instead of one for each tetrahedron.
        pub body_examples_global: bool = false, "As a whole", "", Kind::Toggle, under body_examples;
        /// Triangles of cloth prefer the deformations of the scene's examples, and mixtures of them
        /// and the rest shape.
        pub cloth_examples: bool = false, "Examples, cloth", "", Kind::Toggle, needs Examples;
        /// Stiffness towards the examples, per area.
        pub cloth_examples_weight: Real = 300.0, "Examples weight", "J/m²", logarithmic(0.0, 1e7), under cloth_examples;
        /// One mixture of examples for a whole cloth instead of one for each triangle.
        pub cloth_examples_global: bool = false, "As a whole", "", Kind::Toggle, under cloth_examples;
        /// Bending of cloth prefers the curvatures of the scene's examples, and mixtures of them and
        /// the rest shape.
        pub bending_examples: bool = false, "Examples, bending", "", Kind::Toggle, needs Examples;
        /// Bending stiffness towards the examples.
        pub bending_examples_weight: Real = 1e-3, "Examples weight", "N·m", logarithmic(0.0, 1e3), under bending_examples;
        /// One mixture of examples for a whole cloth instead of one for each vertex.
        pub bending_examples_global: bool = false, "As a whole", "", Kind::Toggle, under bending_examples;
        /// Alternations between the rotations and the weights of the examples, per iteration. One
        /// is enough.
        pub example_alternations: u32 = 1, "Alternations", "", count(1, 20), needs Examples;
        /// Pins and the hand as springs: a held vertex sags by its load divided by the stiffness.
        /// Otherwise their motion is prescribed.
        pub soft_pins: bool = false, "Soft pins", "", Kind::Toggle;
        /// Stiffness of pins and hand.
        pub pin_weight: Real = 1e6, "Pin weight", "N/m", logarithmic(1.0, 1e9), under soft_pins;
        /// Contact constraints within the solve: vertices that press on a collider stay outside it
        /// while the system is solved, instead of only being moved out after the step.
        pub half_space: bool = true, "Contact", "", Kind::Toggle;
        /// Weight of a contact relative to the other terms of its vertex.
        pub contact_weight: Real = 1.0, "Contact weight", "", logarithmic(0.01, 1e3), under half_space;
    }
}

impl ProjectiveDynamicsSettings {
    /// The settings as constraints.
    fn weights(&self) -> Weights {
        let limits = || match self.anisotropic {
            true => Limits::Anisotropic(StrainLimits {
                warp: [self.strain_min, self.strain_max],
                weft: [self.weft_min, self.weft_max],
                shear: [-self.shear_max, self.shear_max],
            }),
            false => Limits::Isotropic([self.strain_min, self.strain_max]),
        };
        let edge_strain = EdgeStrain { membrane_stiffness: self.membrane_stiffness };
        let triangle_strain = TriangleStrain { weight: self.strain_weight, limits: limits() };
        let strain_limit = TriangleStrain {
            weight: self.strain_limit_weight,
            limits: Limits::Isotropic([self.strain_limit_min, self.strain_limit_max]),
        };
        let area = Area { weight: self.area_weight, range: [self.area_min, self.area_max] };
        let bending = Bending { stiffness: self.bending_weight, less: self.bending_less, more: self.bending_more };
        let hinges = HingeAngle { stiffness: self.hinge_stiffness };
        let tetrahedral_strain =
            TetrahedralStrain { weight: self.tetrahedral_weight, range: [self.tetrahedral_min, self.tetrahedral_max] };
        let tetrahedral_limit = TetrahedralStrain {
            weight: self.tetrahedral_limit_weight,
            range: [self.tetrahedral_limit_min, self.tetrahedral_limit_max],
        };
        let volume = Volume { weight: self.volume_weight, range: [self.volume_min, self.volume_max] };
        let alternations = self.example_alternations;
        let (weight, global) = (self.body_examples_weight, self.body_examples_global);
        let body_examples = BodyExamples { weight, global, alternations };
        let (weight, global) = (self.cloth_examples_weight, self.cloth_examples_global);
        let cloth_examples = ClothExamples { weight, global, alternations };
        let (stiffness, global) = (self.bending_examples_weight, self.bending_examples_global);
        let bending_examples = BendingExamples { stiffness, global };
        let constraints = Constraints {
            edge_strain: self.edge_strain.then_some(edge_strain),
            triangle_strain: self.triangle_strain.then_some(triangle_strain),
            area: self.area.then_some(area),
            bending: self.bending.then_some(bending),
            tetrahedral_strain: self.tetrahedral_strain.then_some(tetrahedral_strain),
            volume: self.volume.then_some(volume),
            body_examples: self.body_examples.then_some(body_examples),
            cloth_examples: self.cloth_examples.then_some(cloth_examples),
            strain_limit: self.strain_limit.then_some(strain_limit),
            tetrahedral_limit: self.tetrahedral_limit.then_some(tetrahedral_limit),
            bending_examples: self.bending_examples.then_some(bending_examples),
            hinges: self.hinges.then_some(hinges),
        };
        let Self { springs, coordinates, mass_matrix, .. } = *self;
        Weights { springs, constraints, coordinates, mass_matrix, membrane: None }
    }

    /// Whether examples take part. Their weights are carried from one iteration to the next, so the
    /// energy is no function of the positions alone, and only plain iterations lower it.
    const fn has_examples(&self) -> bool {
        self.body_examples || self.cloth_examples || self.bending_examples
    }

    /// The settings as a plan of the iterations.
    fn plan(&self) -> IterationPlan {
        let plain = self.has_examples();
        IterationPlan {
            iterations: self.iterations,
            acceleration: if plain { Acceleration::None } else { self.acceleration },
            memory: self.remembered_steps,
            radius: self.spectral_radius,
            tolerance: (self.stop_by_error && !plain).then_some(self.energy_error),
            start: self.starting_point,
            velocity_filter: self.velocity_filter,
        }
    }

    fn problem(&self) -> (Weights, BoundaryConditions, IterationPlan) {
        (self.weights(), self.boundary(), self.plan())
    }

    fn boundary(&self) -> BoundaryConditions {
        BoundaryConditions { contacts: if self.half_space { self.contact_weight } else { 0.0 } }
    }
}

/// See the module.
#[derive(Debug, Default)]
pub struct ProjectiveDynamics {
    /// Constraints, weights and number of iterations.
    pub settings: ProjectiveDynamicsSettings,
    engine: LocalGlobal,
}

impl Minimiser for ProjectiveDynamics {
    minimise_by_engine!();

    fn accelerations(&self) -> &'static [Choice] {
        if self.settings.has_examples() { &[] } else { Acceleration::choices() }
    }

    fn acceleration(&self) -> Option<&'static str> {
        self.settings.plan().acceleration.key()
    }

    fn coordinates(&self) -> &'static [Choice] {
        Coordinates::choices()
    }

    fn chosen_coordinates(&self) -> Option<&'static str> {
        self.settings.coordinates.key()
    }

    fn choose_coordinates(&mut self, choice: usize) {
        self.settings.coordinates.assign(Setting::Choice(choice));
    }

    fn minimises_potential(&self, input: &StepInput) -> bool {
        let Weights { springs, constraints, mass_matrix, .. } = self.settings.weights();
        let hard_pins = input.partition.soft.is_empty();
        let lumped = mass_matrix == MassMatrix::Lumped;
        lumped
            && springs
            && constraints.is_empty()
            && hard_pins
            && input.contacts.is_empty()
            && damps_as_potential(input)
    }

    fn newton(&self, input: &StepInput) -> Option<Box<dyn Minimiser>> {
        let Weights { springs, constraints, mass_matrix, .. } = self.settings.weights();
        let hard_pins = input.partition.soft.is_empty();
        if mass_matrix != MassMatrix::Lumped
            || springs
            || !hard_pins
            || !input.contacts.is_empty()
            || input.pattern.has_cloth()
        {
            return None;
        }
        BodyNewton::new(&constraints).map(|newton| Box::new(newton) as Box<dyn Minimiser>)
    }
}

impl Solver for ProjectiveDynamics {
    describe_solver!();
    solve_by_engine!();

    fn capabilities(&self) -> Capabilities {
        const OFF: &str = "the springs of the solver are off";
        let Weights { springs, constraints, .. } = self.settings.weights();
        let mut can = INFO.capabilities;
        if !springs {
            (can.stiffness, can.damping) = (Ability::No(OFF), DampingLaws::None(OFF));
            can.bending = BendingRule::SpringsOnly(OFF);
            can.membrane = MembraneRule::SpringsOnly(OFF);
            can.contacts = ContactRule::TouchingConstraints;
        }
        if !springs || !constraints.is_empty() {
            can.elasticity = Elasticity::Own;
        }
        if !self.settings.half_space {
            can.contacts = ContactRule::Response;
        }
        can.pin_stiffness = self.settings.soft_pins.then_some(self.settings.pin_weight);
        can
    }

    fn elastic_energy(&self, system: &SpringSystem) -> Option<Real> {
        Some(self.engine.elastic_energy(system, &self.settings.weights()))
    }

    fn elastic_force(&self, system: &SpringSystem, vertex: u32) -> Option<Vec3> {
        Some(self.engine.elastic_force(system, &self.settings.weights(), vertex))
    }

    fn example_weights(&self) -> Vec<ExampleWeights> {
        self.engine.example_weights(&self.settings.weights())
    }
}
