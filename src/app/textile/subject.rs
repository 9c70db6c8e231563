//! The fabric of the present cloth, as specimens are made of it.

use crate::app::library::mean_area_density;
use crate::app::session::SessionHandle;
use crate::scene::Fabric;
use crate::sim::Parameters;
use crate::sim::model::material::{BendingModel, MassModel, StiffnessLaw};
use crate::sim::solver_interface::Info;
use crate::sim::study::textile::{Cut, TextileTest};

/// Why tests of bending are left out.
pub const BENT_BY_SPRINGS: &str = "It is bent by springs, which have no stiffness per width: bending and drape are left out. Choosing a fabric \
     changes that.";
/// Why nothing is tested.
pub const PER_STRAIN: &str =
    "Springs with a stiffness per strain are another cloth on another mesh; choose a stiffness per length.";

/// A fabric with the solver at work.
#[derive(Debug, Clone)]
pub struct Subject {
    /// Its name.
    pub name: String,
    /// The fabric that comes with the program, if the numbers of the cloth are its.
    pub fabric: Option<&'static Fabric>,
    /// Its parameters, with its mass by area.
    pub parameters: Parameters,
    /// The solver.
    pub solver: &'static Info,
    /// Springs or a membrane, as the cloth has.
    pub cut: Cut,
}

impl Subject {
    /// That of the chosen lane.
    #[must_use]
    pub fn of(session: &SessionHandle) -> Self {
        let (frame, mut parameters) = (session.frame(), *session.parameters());
        let look = Fabric::find(&frame.scene.fabric).ok();
        let fabric = look.filter(|fabric| fabric.is_of(&parameters));
        let name = match (fabric, look) {
            (Some(fabric), _) => fabric.name.clone(),
            (None, Some(look)) => format!("{}, changed", look.name),
            (None, None) => "This cloth".to_owned(),
        };
        let density = mean_area_density(frame, &parameters);
        (parameters.mass.mass_model, parameters.mass.area_density) = (MassModel::AreaDensity, density);
        let has_membrane = frame.scene.first.mesh.is_some() && parameters.material.has_membrane();
        let cut = if has_membrane { Cut::Irregular } else { Cut::Grid };
        Self { name, fabric, parameters, solver: frame.solver, cut }
    }

    /// Whether springs that skip a vertex bend it, which have no stiffness per width to measure.
    #[must_use]
    pub fn is_bent_by_springs(&self) -> bool {
        self.parameters.material.bending_model == BendingModel::Springs
    }

    /// Why a test of it would say nothing of the cloth, in a sentence, if so.
    #[must_use]
    pub fn obstacle(&self, test: Option<TextileTest>) -> Option<&'static str> {
        if self.parameters.material.stiffness_law == StiffnessLaw::PerStrain {
            return Some(PER_STRAIN);
        }
        test.filter(|test| test.needs_bending() && self.is_bent_by_springs()).map(|_| BENT_BY_SPRINGS)
    }
}
