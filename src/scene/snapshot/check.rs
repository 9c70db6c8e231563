//! Whether the parts of a snapshot fit together.

use super::{FARTHEST, Snapshot, VERSION};
use crate::sim::constraints::MOST_EXAMPLES;
use crate::sim::contact::SolidForce;
use crate::sim::contact::cloth::ClothContactForce;
use crate::sim::params::Tunable;
use crate::sim::params::quote::{number, quote};
use crate::sim::pattern::{LEAST_LENGTH, Tetrahedron};
use crate::sim::{Path, Real, Turn, Vec3};

/// Largest coordinate and length at rest [m]: a scene starts nearer, and squares of it are far from
/// overflowing.
const FARTHEST_REST: Real = 1e10;
/// Whether the coordinates are finite and no larger than `farthest`.
fn is_within(x: &Vec3, farthest: Real) -> bool {
    x.abs().max_element() <= farthest
}

impl Snapshot {
    /// Description of an inconsistency, if there is one.
    pub(super) fn fault(&self) -> Option<String> {
        if self.weft != VERSION {
            return Some(format!("snapshot version {} is not known; this is version {VERSION}", self.weft));
        }
        let n = self.positions.len();
        if n == 0 {
            return Some("there is no vertex in it".to_owned());
        }
        if self.solver != self.parameters.solver {
            let (name, other) = (quote(&self.solver), quote(&self.parameters.solver));
            return Some(format!("solver is \"{name}\", but parameters.solver is \"{other}\"; make them the same"));
        }
        let fault = self.fault_of_lengths().or_else(|| self.fault_of_vertices());
        let fault = fault.or_else(|| self.fault_of_bodies()).or_else(|| self.fault_of_rest());
        let fault = fault.or_else(|| self.fault_of_motion()).or_else(|| self.fault_of_contacts());
        let fault = fault.or_else(|| self.factor.as_ref()?.fault(n).map(str::to_owned));
        let fault = fault.or_else(|| self.history.as_ref()?.fault(n).map(str::to_owned));
        // the next step decides whether a vertex is too far from the others: every state of a run
        // can be resumed
        let fault = fault.or_else(|| self.pin_turns.iter().flatten().find_map(Turn::fault));
        fault.or_else(|| self.pin_paths.iter().flatten().find_map(Path::fault))
    }

    /// Lists that are not as long as others of the same things.
    fn fault_of_lengths(&self) -> Option<String> {
        let n = self.positions.len();
        let lengths = [
            ("velocities", self.velocities.len(), n),
            ("rest_positions", self.rest_positions.len(), n),
            ("pin_origins", self.pin_origins.len(), self.pins.len()),
            ("pin_paths", self.pin_paths.len(), self.pins.len()),
            ("pin_turns", self.pin_turns.len(), if self.pin_turns.is_empty() { 0 } else { self.pins.len() }),
            ("springs.rest_lengths", self.springs.rest_lengths.len(), self.springs.len()),
            ("springs.families", self.springs.families.len(), self.springs.len()),
            ("lost.rest_lengths", self.lost.rest_lengths.len(), self.lost.len()),
            ("lost.families", self.lost.families.len(), self.lost.len()),
        ];
        let (name, length, wanted) = lengths.into_iter().find(|(_, length, wanted)| length != wanted)?;
        Some(format!("{name} has {length} entries where {wanted} are needed"))
    }

    /// Number of vertices of the whole cloth, before it was torn.
    fn whole(&self) -> usize {
        self.positions.len().saturating_sub(self.parents.len())
    }

    /// Vertices and pieces that do not exist.
    fn fault_of_vertices(&self) -> Option<String> {
        let n = self.positions.len();
        let vertices = self.triangles.as_flattened().iter().chain(self.springs.ends.as_flattened());
        let grab = self.grab.iter().map(|grab| &grab.vertex);
        if let Some(vertex) = vertices.chain(&self.pins).chain(grab).find(|&&vertex| vertex as usize >= n) {
            return Some(format!("vertex {vertex} is used, but there are only {n} positions"));
        }
        let whole = self.whole();
        let torn_before = |(parent, vertex): (&u32, usize)| (*parent as usize) < vertex;
        if whole == 0 || !self.parents.iter().zip(whole..).all(torn_before) {
            return Some("parents must name, for each vertex that was torn off, one before it".to_owned());
        }
        if let Some(vertex) = self.lost.ends.as_flattened().iter().find(|&&vertex| vertex as usize >= whole) {
            return Some(format!("lost names vertex {vertex}, but the whole cloth had only {whole}"));
        }
        let rising = self.pieces.windows(2).all(|pair| pair[0] < pair[1]);
        if self.pieces.first() != Some(&0) || !rising || self.pieces.iter().any(|&first| first as usize >= whole) {
            return Some("pieces must name the first vertex of each piece, rising from 0".to_owned());
        }
        if !self.grains.is_empty() && self.grains.len() != self.pieces.len() {
            return Some(format!("grains has {} entries for {} pieces", self.grains.len(), self.pieces.len()));
        }
        if !self.grains.iter().all(|grain| grain.is_finite()) {
            return Some("grains needs finite numbers".to_owned());
        }
        if !self.overrides.is_empty() && self.overrides.len() != self.pieces.len() {
            return Some(format!("overrides has {} entries for {} pieces", self.overrides.len(), self.pieces.len()));
        }
        let fault = self.overrides.iter().find_map(|factors| factors.check().err());
        fault.map(|error| format!("overrides: {error}"))
    }

    /// Tetrahedra without volume, and examples of another cloth.
    fn fault_of_bodies(&self) -> Option<String> {
        let whole = self.whole();
        let of_body = |corners: &[u32; 4]| {
            let inside = corners.iter().all(|&vertex| (vertex as usize) < whole);
            let rest = corners.map(|vertex| self.rest_positions.get(vertex as usize).copied().unwrap_or_default());
            inside && Tetrahedron::of_rest(rest).is_some()
        };
        if let Some(corners) = self.tetrahedra.iter().find(|corners| !of_body(corners)) {
            return Some(format!(
                "the tetrahedron {corners:?} has no positive volume at rest between vertices of the whole cloth"
            ));
        }
        let example_fits =
            |example: &Vec<Vec3>| example.len() == whole && example.iter().all(|x| is_within(x, FARTHEST_REST));
        let fits = self.examples.len() <= MOST_EXAMPLES && self.examples.iter().all(example_fits);
        (!fits).then(|| format!("examples, at most {MOST_EXAMPLES}, need {whole} positions each within 10¹⁰"))
    }

    /// Springs and rest shapes that cannot be.
    fn fault_of_rest(&self) -> Option<String> {
        if self.springs.ends.iter().any(|[i, j]| i == j) {
            return Some("a spring has the same vertex at both ends".to_owned());
        }
        if let Some(message) = self.attributes.fault(self.triangles.len()) {
            return Some(message);
        }
        if let Some(message) = self.surface.fault(self.whole()) {
            return Some(message);
        }
        let mut lengths = self.springs.rest_lengths.iter().chain(&self.lost.rest_lengths);
        if let Some(length) = lengths.find(|length| **length > 0.0 && **length < LEAST_LENGTH) {
            return Some(format!(
                "a rest length of {} m is too short; it may be 0, or 10⁻¹² m and more",
                number(*length)
            ));
        }
        let mut lengths = self.springs.rest_lengths.iter().chain(&self.lost.rest_lengths);
        let lengths_fine = lengths.all(|length| (0.0..=FARTHEST_REST).contains(length));
        let fine = lengths_fine && self.rest_positions.iter().all(|x| is_within(x, FARTHEST_REST));
        (!fine).then(|| "rest positions and rest lengths need finite numbers within 10¹⁰".to_owned())
    }

    /// Positions, velocities, grabs and times that cannot be.
    fn fault_of_motion(&self) -> Option<String> {
        let state = self.positions.iter().chain(&self.velocities).chain(&self.pin_origins);
        if !state.chain(self.grab.iter().map(|grab| &grab.target)).all(|x| is_within(x, FARTHEST)) {
            return Some("positions, velocities and pins need finite numbers within 10¹⁵".to_owned());
        }
        if let Some(grab) = &self.collider_grab {
            let count = self.parameters.colliders.len();
            if grab.collider as usize >= count {
                return Some(format!("collider_grab holds collider {}, but there are only {count}", grab.collider));
            }
            if !(is_within(&grab.position, FARTHEST) && is_within(&grab.rotation, FARTHEST)) {
                return Some("collider_grab needs finite numbers within 10¹⁵".to_owned());
            }
        }
        if !(self.time.is_finite() && self.time >= 0.0) {
            return Some(format!("time {} is no time", number(self.time)));
        }
        let fine = self.warm_start.iter().chain(&self.next_substep).all(|x| x.is_finite());
        (!fine).then(|| "warm_start and next_substep need finite numbers".to_owned())
    }

    /// Contact forces that cannot be.
    fn fault_of_contacts(&self) -> Option<String> {
        let is_known = |vertices: &[u32]| vertices.iter().all(|&vertex| (vertex as usize) < self.positions.len());
        let key = |force: &ClothContactForce| (force.vertices, force.first);
        let is_fine = |force: &ClothContactForce| {
            let finite = force.force.is_finite() && force.lasting.is_finite();
            is_known(&force.vertices) && [1, 2].contains(&force.first) && finite
        };
        if !self.cloth_contact.iter().all(is_fine) || !self.cloth_contact.is_sorted_by(|a, b| key(a) < key(b)) {
            return Some(
                "cloth_contact must name four vertices each, rising, with a first part of 1 or 2 and a finite force"
                    .to_owned(),
            );
        }
        let is_fine = |solid: &SolidForce| {
            let finite = solid.force.is_finite() && solid.lasting.is_finite() && solid.normal.is_finite();
            is_known(&solid.vertices) && finite && solid.weights.iter().all(|weight| (0.0..=1.0).contains(weight))
        };
        let fine = self.solids.iter().all(is_fine) && self.solids.is_sorted_by(|a, b| a.key() < b.key());
        (!fine).then(|| {
            "solids must name three vertices each, rising, with weights between 0 and 1 and a finite force".to_owned()
        })
    }
}
