//! Settings that suit the cloth.

use super::{Simulation, State};
use crate::sim::forces::air::{Air, AirMode, AirModel};
use crate::sim::pattern::Family;
use crate::sim::solver_interface::Demand;
use crate::sim::{Cloth, Pattern, Real, Solver, solvers};

impl Simulation {
    /// Gives the solver at work [settings that suit](crate::sim::Solver::suit) this cloth with its
    /// pins and parameters.
    pub fn suit_solver(&mut self) {
        self.distribute_mass();
        self.solver.suit(&self.demand());
    }

    /// One like the solver at work, with settings that suit this cloth.
    ///
    /// # Panics
    /// When the solver at work is none of the registry.
    #[must_use]
    pub fn suited_solver(&self) -> Box<dyn Solver> {
        let mut solver = solvers::like(self.solver.as_ref());
        solver.suit(&self.demand());
        solver
    }

    /// Whether the settings of the solver at work are those that suit this cloth.
    #[must_use]
    pub fn is_suited(&self) -> bool {
        let (suited, own) = (self.suited_solver(), self.solver.settings());
        (0..own.params().len()).all(|index| suited.settings().get(index) == own.get(index))
    }

    /// Demand of the cloth on a solver.
    #[must_use]
    pub fn demand(&self) -> Demand {
        let Self { state: State { cloth, .. }, pattern, parameters, .. } = self;
        let springs = pattern.springs();
        let threads = || springs.families.iter().zip(&springs.rest_lengths).filter(|(f, _)| **f == Family::Structural);
        let length = threads().map(|(_, length)| length).sum::<Real>() / threads().count() as Real;
        let step = parameters.timing.time_step / Real::from(parameters.timing.substeps);
        let acceleration = parameters.gravity.gravity + of_wind(&parameters.air, pattern, cloth);
        let pull = vertices_to_a_hold(pattern, cloth) * acceleration * step * step / length;
        // a cloth without springs or mass has no pull
        Demand { pull: if pull.is_finite() { pull } else { 0.0 }, springs: springs.len() }
    }
}

/// Acceleration by the mean wind of a vertex that faces it [m/s²].
fn of_wind(air: &Air, pattern: &Pattern, cloth: &Cloth) -> Real {
    if air.air != AirMode::Wind {
        return 0.0;
    }
    let coefficient = match air.air_model {
        AirModel::PerVertex => air.drag * cloth.len() as Real,
        AirModel::PerTriangle => {
            let area: Real = pattern.triangles().iter().map(|triangle| area(pattern, triangle)).sum();
            0.5 * air.air_density * air.drag_coefficient * area
        }
    };
    coefficient * air.wind_speed * air.wind_speed / cloth.masses.iter().sum::<Real>()
}

/// Area of a triangle at rest [m²].
fn area(pattern: &Pattern, triangle: &[u32; 3]) -> Real {
    let [a, b, c] = triangle.map(|vertex| pattern.rest_positions()[vertex as usize]);
    0.5 * (b - a).cross(c - a).length()
}

/// The most vertices that hang on a pin, on the average of a piece. A piece without pins is taken
/// to lie on an edge of it.
fn vertices_to_a_hold(pattern: &Pattern, cloth: &Cloth) -> Real {
    let mut pins = vec![0_u32; pattern.pieces().len()];
    let piece = |vertex: u32| pattern.pieces().partition_point(|first| *first <= vertex) - 1;
    cloth.pins().iter().for_each(|pin| pins[piece(pin.vertex)] += 1);
    let ends = pattern.pieces().iter().skip(1).copied().chain([pattern.len() as u32]);
    let of_piece = |((first, end), pins): ((&u32, u32), &u32)| {
        let vertices = Real::from(end - first);
        if *pins == 0 { vertices.sqrt() } else { vertices / Real::from(*pins) }
    };
    pattern.pieces().iter().zip(ends).zip(&pins).map(of_piece).fold(1.0, Real::max)
}
