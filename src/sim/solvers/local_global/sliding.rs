//! Extension of a step along the surfaces that the cloth slides over.
//!
//! ```text
//! H = A - Σ w (1 - s) (I - n nᵀ) - Σ k min(1, L/l) (I - u uᵀ),   s = min(1, μ depth/|slid|)
//! B_j = (A - H) g_j,   A Z_j = B_j,   d → c₀ d + Σ c_j Z_j with the least ½ dᵀ H d - dᵀ R
//! ```
//!
//! The matrix `A` holds a contact with its weight `w` in all directions, though friction holds no
//! more than the share `s` of it along the surface, and it resists the rotation of a spring as if
//! that stretched it. So an iteration moves a cloth that slides over something round by a share of
//! some `m/(h² w)` of the way. The energy has the curvature `H`. Its small directions are the rigid
//! motions `g_j` of the contacts, in the tangent planes, with what follows from them for the rest of
//! the cloth. A step is extended by them once the matrix, and not the energy, resists it. Of the
//! springs those between two sliding contacts count, so that `A - H` has entries at contacts alone.
//! Surfaces that move towards the cloth are left out: a thin bar moved by hand would slip through.

use super::LocalGlobal;
use super::history::{Place, Proposal};
use super::length_terms::LengthTerms;
use super::products::{MOST, solve_gram};
use crate::sim::exec::pool::ThreadPool;
use crate::sim::exec::simd::F64x4;
use crate::sim::linear::ConstantSystem;
use crate::sim::{Cloth, Real, Vec3};

/// Rigid motions: three translations and three rotations.
const MOTIONS: usize = 6;
/// Springs per vertex of a grid, each counted once.
const SPRINGS: usize = 6;
/// Times that a step of the cloth is extended.
const EXTENSIONS: u32 = 2;
/// Share of the energy of a step in the matrix from which on the resistance that the surface does
/// not have counts.
const SLIDES: Real = 0.15;
/// Share of its square along the surfaces up to which a motion leads through them.
const THROUGH: Real = 1e-3;
/// Share of its curvature up to which a field is a combination of those before it.
const RANK: Real = 1e-6;

/// A contact that friction does not hold along its surface.
#[derive(Debug, Clone, Copy)]
struct Loose {
    place: u32,
    normal: Vec3,
    /// `w (1 - s)` [N/m].
    weight: Real,
    /// `g_j`, without unit or in metres per radian, and `B_j` per unit of it.
    motions: [Vec3; MOTIONS],
    pulls: [Vec3; MOTIONS],
}

/// A spring between two of them that turns: its ends among them, its direction, and how much less
/// it resists across that than in the matrix [N/m].
#[derive(Debug, Clone, Copy)]
struct Turning {
    ends: [u32; 2],
    along: Vec3,
    stiffness: Real,
}

/// See the module.
#[derive(Debug, Default)]
pub struct Sliding {
    /// Extensions left in this step.
    left: u32,
    /// Contacts by rising place.
    loose: Vec<Loose>,
    turning: Vec<Turning>,
    /// Number of the fields of this step, once they are known.
    count: Option<usize>,
    /// `Z_j` by places.
    fields: [Vec<F64x4>; MOTIONS],
}

impl Sliding {
    /// Begins a step of a cloth of so many places with so many contacts. Room is made at once, so
    /// that it does not have to be when the cloth begins to slide.
    pub fn begin(&mut self, contacts: usize, places: usize) {
        let Self { loose, turning, fields, .. } = self;
        loose.clear();
        turning.clear();
        if contacts > 0 {
            loose.reserve(contacts.next_power_of_two());
            turning.reserve(SPRINGS * contacts.next_power_of_two());
            fields.iter_mut().for_each(|field| field.reserve(places.saturating_sub(field.len())));
        }
        (self.left, self.count) = (EXTENSIONS, None);
    }

    /// Finds the springs between sliding contacts.
    fn find_turning(&mut self, lengths: &LengthTerms, q: &[F64x4]) {
        let Self { loose, turning, .. } = self;
        turning.clear();
        for (i, contact) in (0..).zip(&*loose) {
            for (other, stiffness) in lengths.across(contact.place as usize).filter(|(other, _)| *other < contact.place)
            {
                let Ok(j) = loose.binary_search_by_key(&other, |contact| contact.place) else { continue };
                let apart = q[contact.place as usize] - q[other as usize];
                let along = apart.to_vec3().normalize_or_zero();
                turning.push(Turning { ends: [i, j as u32], along, stiffness });
            }
        }
    }

    /// Finds the fields `Z_j`.
    fn find_fields(&mut self, system: &mut ConstantSystem, q: &[F64x4], pool: &ThreadPool) {
        let count = self.find_motions(q);
        for (j, field) in self.fields[..count].iter_mut().enumerate() {
            field.clear();
            field.resize(q.len(), F64x4::ZERO);
            for contact in &self.loose {
                field[contact.place as usize] = F64x4::from_vec3(contact.pulls[j]);
            }
            system.solve_way(field, pool);
        }
        self.count = Some(count);
    }

    /// The motions `g_j` that lead along the surfaces, their `B_j`, and their number.
    fn find_motions(&mut self, q: &[F64x4]) -> usize {
        let Self { loose, turning, .. } = self;
        let at = |contact: &Loose| q[contact.place as usize].to_vec3();
        let center = loose.iter().map(at).sum::<Vec3>() / loose.len() as Real;
        let mut count = 0;
        for motion in 0..MOTIONS {
            let axis = Vec3::AXES[motion % 3];
            let [mut whole, mut along] = [0.0; 2];
            for contact in &mut *loose {
                let rigid = if motion < 3 { axis } else { axis.cross(at(contact) - center) };
                contact.motions[count] = rigid.reject_from_normalized(contact.normal);
                contact.pulls[count] = contact.motions[count] * contact.weight;
                whole += rigid.length_squared();
                along += contact.motions[count].length_squared();
            }
            count += usize::from(along > THROUGH * whole);
        }
        for Turning { ends, along, stiffness } in &*turning {
            let [i, j] = ends.map(|end| end as usize);
            for motion in 0..count {
                let apart = loose[i].motions[motion] - loose[j].motions[motion];
                let pull = apart.reject_from_normalized(*along) * *stiffness;
                loose[i].pulls[motion] += pull;
                loose[j].pulls[motion] -= pull;
            }
        }
        count
    }

    /// The curvature `H` of the energy along the step and the fields, with that of the step in the
    /// matrix [J], and their products with the residual, where `f` solves for it.
    fn curvatures(
        &self,
        count: usize,
        step: &[F64x4],
        f: &[F64x4],
        proposal: &Proposal,
    ) -> ([[Real; MOST]; MOST], [Real; MOST]) {
        let (mut curvatures, mut slopes) = ([[0.0; MOST]; MOST], [0.0; MOST]);
        (curvatures[0][0], slopes[0]) = (proposal.curvature, proposal.descent);
        let values = |contact: &Loose| {
            let place = contact.place as usize;
            let mut values = [step[place].to_vec3(); MOTIONS + 1];
            values[1..]
                .iter_mut()
                .zip(&self.fields[..count])
                .for_each(|(value, field)| *value = field[place].to_vec3());
            values
        };
        let mut lessen = |values: &[Vec3; MOTIONS + 1], direction: Vec3, stiffness: Real| {
            let across = values.map(|value| value.reject_from_normalized(direction));
            for i in 0..=count {
                for j in 0..=i {
                    curvatures[i][j] -= stiffness * across[i].dot(across[j]);
                }
            }
        };
        for contact in &self.loose {
            lessen(&values(contact), contact.normal, contact.weight);
        }
        for Turning { ends, along, stiffness } in &self.turning {
            let [from, to] = ends.map(|end| values(&self.loose[end as usize]));
            lessen(&std::array::from_fn(|i| from[i] - to[i]), *along, *stiffness);
        }
        for contact in &self.loose {
            let values = values(contact);
            for i in 1..=count {
                let pull = contact.pulls[i - 1];
                (0..=i).for_each(|j| curvatures[i][j] += pull.dot(values[j]));
                slopes[i] += pull.dot(f[contact.place as usize].to_vec3());
            }
        }
        for (i, j) in (0..=count).flat_map(|i| (0..i).map(move |j| (i, j))) {
            curvatures[j][i] = curvatures[i][j];
        }
        (curvatures, slopes)
    }
}

impl LocalGlobal {
    /// Whether a step may yet be extended.
    pub(super) fn may_slide(&self) -> bool {
        self.sliding.left > 0 && !self.contacts.is_empty()
    }

    /// Extends the step that was proposed last from `q` along the surfaces, if these seem to resist
    /// it. `trial` is its end.
    pub(super) fn extend(&mut self, cloth: &Cloth, proposal: Proposal, pool: &ThreadPool) -> Proposal {
        if !self.may_slide() {
            return proposal;
        }
        if self.sliding.count.is_none() {
            self.find_loose(cloth);
        }
        let Self { system, q, sliding, lengths, constant, descent, .. } = self;
        let Some(system) = system else { return proposal };
        let step = descent.history.last().0;
        let missing = |contact: &Loose| {
            let along = step[contact.place as usize].to_vec3().reject_from_normalized(contact.normal);
            contact.weight * along.length_squared()
        };
        if sliding.loose.iter().map(missing).sum::<Real>() <= SLIDES * proposal.curvature {
            return proposal;
        }
        sliding.left -= 1;
        if sliding.count.is_none() {
            sliding.find_turning(lengths, q);
            sliding.find_fields(system, q, pool);
        }
        let count = sliding.count.unwrap_or(0);
        let (curvatures, slopes) = sliding.curvatures(count, step, &descent.way, &proposal);
        let Some(shares) = solve_gram(&curvatures, &slopes, count + 1, RANK) else { return proposal };
        let super::descent::Descent { image, residual, way, trial, history, .. } = descent;
        let multiply = |step: &[F64x4], image: &mut [F64x4]| system.multiply(step, image, pool);
        let at = Place { q, image, constant, residual, way };
        history.extend(&shares[..=count], &sliding.fields[..count], at, multiply, trial, pool)
    }

    /// Finds the contacts on surfaces at rest that friction does not hold at `q`.
    fn find_loose(&mut self, cloth: &Cloth) {
        let Self { contacts, q, sliding: Sliding { loose, .. }, .. } = self;
        loose.clear();
        loose.extend(contacts.iter().filter_map(|(place, weight, contact)| {
            let share = contact.held_share(q[*place as usize].to_vec3(), cloth.positions[contact.vertex as usize]);
            let [motions, pulls] = [[Vec3::ZERO; MOTIONS]; 2];
            let weight = weight * (1.0 - share);
            (share < 1.0 && !contact.pushes()).then_some(Loose {
                place: *place,
                normal: contact.normal,
                weight,
                motions,
                pulls,
            })
        }));
    }
}
