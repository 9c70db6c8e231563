//! Fabrics of single pieces.

use super::ScenePart;
use crate::scene::{Fabric, InputError, Scene};
use crate::sim::pattern::MaterialOverride;
use crate::sim::{Parameters, Real};

/// Least and largest factor of a material override.
const FACTORS: [Real; 2] = [1e-3, 1e3];
/// Digits of a factor.
const DIGITS: i32 = 4;
/// Relative difference of two factors that were rounded a few times.
const ROUNDING: Real = 2e-3;

impl Scene {
    /// Makes a piece of a fabric. The material of the first piece is that of the scene, by which
    /// the factors of the others are meant; these are changed so that the others stay as they are.
    pub(super) fn make_piece_of(&mut self, piece: u32, id: &str) -> Result<(), InputError> {
        let fabric = Fabric::find(id)?;
        self.part(ScenePart::Piece(piece))?;
        if piece > 0 {
            let material = factors(&numbers(fabric), &scene_numbers(&self.parameters), &MaterialOverride::default());
            let is_of_scene = self.fabric == id;
            let piece = self.piece_mut(piece)?;
            piece.material = material;
            piece.colour = (!is_of_scene).then_some(fabric.look.front);
            return Ok(());
        }
        let before = scene_numbers(&self.parameters);
        let has_mesh = self.all_pieces().any(|piece| piece.mesh.is_some());
        let former = Fabric::find(&self.fabric).ok().filter(|former| former.id != fabric.id);
        fabric.apply_to(&mut self.parameters, has_mesh);
        self.fabric.clone_from(&fabric.id);
        let after = scene_numbers(&self.parameters);
        for piece in &mut self.pieces {
            piece.material = factors(&before, &after, &piece.material);
            piece.colour = piece.colour.or_else(|| former.map(|former| former.look.front));
        }
        Ok(())
    }

    /// The fabric that a piece is made of, as far as weight and stiffness tell.
    #[must_use]
    pub fn fabric_of(&self, piece: u32) -> Option<&'static Fabric> {
        let material = self.all_pieces().nth(piece as usize)?.material;
        let of_scene = scene_numbers(&self.parameters);
        let is_of = |fabric: &&Fabric| {
            // the scene's own is of one as it is called
            if piece == 0 {
                fabric.id == self.fabric
            } else {
                is_near(&factors(&numbers(fabric), &of_scene, &MaterialOverride::default()), &material)
            }
        };
        Fabric::all().iter().find(is_of)
    }
}

/// Whether two material overrides are the same but for rounding.
fn is_near(a: &MaterialOverride, b: &MaterialOverride) -> bool {
    let factors = |it: &MaterialOverride| [it.structural, it.shear, it.bending, it.damping, it.mass];
    factors(a).iter().zip(factors(b)).all(|(a, b)| (a - b).abs() <= ROUNDING * b)
}

/// Structural, shear and bending stiffness [N/m], [N/m], [N·m], damping [N·s/m] and area density
/// [kg/m²] of a fabric.
fn numbers(fabric: &Fabric) -> [Real; 5] {
    [fabric.stretch, fabric.shear, fabric.bending, fabric.damping, fabric.area_density]
}

/// Those of a scene.
fn scene_numbers(parameters: &Parameters) -> [Real; 5] {
    let Parameters { material, mass, .. } = parameters;
    let stiffness = [material.structural_stiffness, material.shear_stiffness, material.bending_stiffness];
    [stiffness[0], stiffness[1], stiffness[2], material.damping, mass.area_density]
}

/// Material override that turns the fabric `present` of the scene into `wanted`, times the override
/// that the piece had.
fn factors(wanted: &[Real; 5], present: &[Real; 5], times: &MaterialOverride) -> MaterialOverride {
    let factor = |at: usize, times: Real| {
        let factor = times * wanted[at] / present[at];
        let places = 10_f64.powi(DIGITS - 1 - factor.log10().floor() as i32);
        let rounded = (factor * places).round() / places;
        if rounded.is_finite() { rounded.clamp(FACTORS[0], FACTORS[1]) } else { times }
    };
    MaterialOverride {
        structural: factor(0, times.structural),
        shear: factor(1, times.shear),
        bending: factor(2, times.bending),
        damping: factor(3, times.damping),
        mass: factor(4, times.mass),
    }
}
