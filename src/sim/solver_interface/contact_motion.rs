//! Motions that have a closed formula: where a part of the cloth is by the laws of contact, of a
//! damped spring, of a loaded strip or of a fall in air, as functions of time.

use std::f64::consts::{PI, TAU};

use serde::{Deserialize, Serialize};

use super::ContactLaw;
use crate::sim::forces::air::{AirMode, AirModel};
use crate::sim::math::elastica::{chord_angle, peirce, tip};
use crate::sim::model::material::{MassModel, StiffnessLaw};
use crate::sim::params::units::{quantity, significant};
use crate::sim::{Parameters, Real, Vec3};

/// Why a loaded strip has no mark.
const NOT_LOADED: &str = "Without a mass per vertex and a membrane of triangles no place is known";

/// A motion with the numbers of its case. `from` is the place that is followed, at the start [m].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum ContactMotion {
    /// The longer end of a strip over a frictionless rod.
    Slide {
        /// Where the longer end is.
        from: Vec3,
        /// How far the ends hang down from the height of the axis, the shorter one first [m].
        ends: [Real; 2],
        /// Length of the strip [m].
        length: Real,
    },
    /// The longer end of a strip over a rod with friction, which holds or slips.
    Capstan {
        /// Where the longer end is.
        from: Vec3,
        /// How far the ends hang down, the shorter one first [m].
        ends: [Real; 2],
        /// Distance of the strip from the axis of the rod [m].
        radius: Real,
    },
    /// A flat cloth that falls on something flat and rebounds.
    Rebound {
        /// Its middle.
        from: Vec3,
        /// How far it falls [m].
        fall: Real,
    },
    /// A cloth that is let go above another one, and never rises above its start.
    Load {
        /// Its middle.
        from: Vec3,
    },
    /// A mass on a damped spring, let go at rest above or below where the spring is at rest.
    Oscillation {
        /// Where the mass is.
        from: Vec3,
        /// Height at which the spring is at rest [m].
        rest: Real,
        /// Frequency without damping [Hz].
        frequency: Real,
        /// Damping ratio, below 1.
        damping_ratio: Real,
    },
    /// A cloth on a plane whose height falls along +x, which friction holds or which slides.
    Incline {
        /// Its middle.
        from: Vec3,
        /// Tangent of the angle of the plane.
        slope: Real,
    },
    /// A strip that is clamped level and bends under its weight until it is at rest.
    Cantilever {
        /// The middle of its free end.
        from: Vec3,
        /// Where its free part begins, at the height of `from` [m].
        clamp: Vec3,
    },
    /// A strip along the warp that hangs from a clamp and is stretched by a load at its lower end.
    Tension {
        /// The middle of its lower end.
        from: Vec3,
        /// Where it is clamped, above `from` [m].
        clamp: Vec3,
        /// Its width [m].
        width: Real,
        /// Number of vertices whose weight is the load.
        vertices: Real,
    },
    /// A bar between two strips along the weft that are held stretched; its weight shears both.
    Shear {
        /// A place on the edge of the bar.
        from: Vec3,
        /// Where the strip at this edge is clamped, at the height of `from` [m].
        clamp: Vec3,
        /// Width of the strips [m].
        width: Real,
        /// Number of vertices whose weight is the load.
        vertices: Real,
        /// Strain with which they are held.
        strain: Real,
    },
    /// A level sheet that is let go in still air or in a vacuum.
    Fall {
        /// Its middle.
        from: Vec3,
        /// How far it falls to the floor [m].
        fall: Real,
    },
}

/// How far a strip over a frictionless rod has slid, `d (cosh(t √(2 g/L)) - 1)` for ends that
/// differ by `2 d` [m].
#[must_use]
pub fn slide(ends: [Real; 2], length: Real, gravity: Real, time: Real) -> Real {
    0.5 * (ends[1] - ends[0]) * ((time * (2.0 * gravity / length).sqrt()).cosh() - 1.0)
}

/// The longest end that friction holds on a rod against a shorter one, with the weight of the strip
/// on the rod (Euler and Eytelwein) [m].
#[must_use]
pub fn longest_held(short: Real, friction: Real, radius: Real) -> Real {
    let lift = 2.0 * friction * radius / (1.0 + friction * friction);
    (short + lift) * (friction * PI).exp() + lift
}

/// Height of what falls from a height and rebounds with a restitution (Newton) [m].
#[must_use]
pub fn rebound(fall: Real, restitution: Real, gravity: Real, time: Real) -> Real {
    if gravity <= 0.0 {
        return fall;
    }
    let mut speed = (2.0 * gravity * fall).sqrt();
    let mut since = time - speed / gravity;
    if since < 0.0 {
        return fall - 0.5 * gravity * time * time;
    }
    // a restitution of 1 rebounds for ever; below the limit nothing is seen
    for _ in 0..10_000 {
        speed *= restitution;
        if speed * speed < 2.0e-6 * gravity * fall {
            return 0.0;
        }
        let flight = 2.0 * speed / gravity;
        if since <= flight {
            return speed * since - 0.5 * gravity * since * since;
        }
        since -= flight;
    }
    0.0
}

/// Displacement of a damped oscillator that is let go at displacement 1 (Catto 2011),
/// `e^(-ζωt) (cos ω_d t + ζω/ω_d sin ω_d t)` with `ω_d = ω √(1 - ζ²)`.
#[must_use]
pub fn oscillation(frequency: Real, damping_ratio: Real, time: Real) -> Real {
    let decay = damping_ratio * TAU * frequency;
    let damped = TAU * frequency * (1.0 - damping_ratio * damping_ratio).sqrt();
    (-decay * time).exp() * ((damped * time).cos() + decay / damped * (damped * time).sin())
}

/// Shear angle of a strip with the modulus `shear` and the stiffness `stretch` along its threads
/// [N/m], which are held with a strain and grow longer as they turn, under a `load` [N/m] across
/// them: the root of `γ (G + E (ε + γ²/2)) = F/w` [rad]; none without stiffness.
#[must_use]
pub fn shear_angle([shear, stretch]: [Real; 2], strain: Real, load: Real) -> Option<Real> {
    let first = shear + stretch * strain;
    // either term alone would need a larger angle; from there Newton's method falls to the root
    let mut angle = Real::min(load / first, (2.0 * load / stretch).cbrt());
    for _ in 0..50 {
        let rest = angle * (first + 0.5 * stretch * angle * angle) - load;
        angle -= rest / (first + 1.5 * stretch * angle * angle);
    }
    angle.is_finite().then_some(angle)
}

/// How far a sheet with this terminal velocity [m/s] has fallen in still air,
/// `v²/g ln cosh(g t/v)` [m].
#[must_use]
pub fn fallen(velocity: Real, gravity: Real, time: Real) -> Real {
    let x = gravity * time / velocity;
    // ln cosh x, whose cosh overflows in a long fall
    velocity * velocity / gravity * (x + (-2.0 * x).exp().ln_1p() - std::f64::consts::LN_2)
}

/// The weight of so many vertices [N], if vertices have a mass each and the stretch of a cloth
/// follows from a membrane of triangles.
fn weight_of(parameters: &Parameters, vertices: Real) -> Option<Real> {
    let Parameters { mass, material, .. } = parameters;
    let is_known = mass.mass_model == MassModel::PerVertex
        && material.has_membrane()
        && material.stiffness_law == StiffnessLaw::PerLength;
    is_known.then_some(vertices * mass.vertex_mass * parameters.gravity.gravity)
}

/// How far a level sheet has fallen after `time` [m], if its drag is by area.
fn fall_of(parameters: &Parameters, time: Real) -> Option<Real> {
    let (gravity, air, mass) = (parameters.gravity.gravity, &parameters.air, parameters.mass);
    match air.air {
        AirMode::Vacuum => Some(0.5 * gravity * time * time),
        AirMode::Still if air.air_model == AirModel::PerTriangle && mass.mass_model == MassModel::AreaDensity => {
            let velocity = air.terminal_velocity(mass.area_density, gravity);
            Some(fallen(velocity, gravity, time)).filter(|way| way.is_finite())
        }
        AirMode::Still | AirMode::Wind => None,
    }
}

/// The bending length `(B/(σ g))^(1/3)` of the warp [m], if bending has a stiffness and the cloth a
/// mass per area.
fn bending_length_of(parameters: &Parameters) -> Option<Real> {
    let (stiffness, mass) = (parameters.material.isometric_stiffness(), parameters.mass);
    let load = mass.area_density * parameters.gravity.gravity;
    (mass.mass_model == MassModel::AreaDensity && stiffness > 0.0 && load > 0.0).then(|| (stiffness / load).cbrt())
}

impl ContactMotion {
    /// Where the followed place is by the law, after `time` [s] or at rest [m]; none where the
    /// formula has ended, friction does not hold, or bending has no stiffness.
    #[must_use]
    pub fn place(self, parameters: &Parameters, time: Real) -> Option<Vec3> {
        let (gravity, contact) = (parameters.gravity.gravity, &parameters.contact);
        let (friction, restitution) = (contact.friction, contact.restitution);
        let (from, down) = match self {
            Self::Incline { from, slope } => {
                let along = Vec3::new(1.0, -slope, 0.0).normalize();
                let way = 0.5 * gravity * (slope - friction).max(0.0) / slope.hypot(1.0) * time * time;
                return Some(from + along * way);
            }
            Self::Cantilever { from, clamp } => {
                let (free, c) = (from - clamp, bending_length_of(parameters)?);
                let [along, down] = tip(free.length() / c).map(|length| c * length);
                return Some(clamp + free.normalize() * along - Vec3::Y * down);
            }
            Self::Tension { from, clamp, width, vertices } => {
                let stretch = width * parameters.material.structural_stiffness;
                return Some(from + (from - clamp) * (weight_of(parameters, vertices)? / stretch));
            }
            Self::Shear { from, clamp, width, vertices, strain } => {
                let material = &parameters.material;
                let moduli = [material.shear_stiffness, material.weft_ratio * material.structural_stiffness];
                let load = 0.5 * weight_of(parameters, vertices)? / width;
                (from, from.distance(clamp) * shear_angle(moduli, strain, load)?)
            }
            Self::Fall { from, fall } => (from, fall_of(parameters, time)?.min(fall)),
            Self::Slide { from, ends, length } => {
                (from, (!self.has_ended(parameters, time)).then(|| slide(ends, length, gravity, time))?)
            }
            Self::Capstan { from, ends, radius } => {
                (from, (ends[1] <= longest_held(ends[0], friction, radius)).then_some(0.0)?)
            }
            Self::Rebound { from, fall } => (from, fall - rebound(fall, restitution, gravity, time)),
            Self::Load { from } => (from, 0.0),
            Self::Oscillation { from, rest, frequency, damping_ratio } => {
                (from, (from.y - rest) * (1.0 - oscillation(frequency, damping_ratio, time)))
            }
        };
        Some(from - Vec3::Y * down)
    }

    /// Whether the formula has ended: the shorter end has reached the rod.
    #[must_use]
    pub fn has_ended(self, parameters: &Parameters, time: Real) -> bool {
        let gravity = parameters.gravity.gravity;
        matches!(self, Self::Slide { ends, length, .. } if slide(ends, length, gravity, time) > ends[0])
    }

    /// Where the followed place is at the start [m].
    #[must_use]
    pub const fn from(self) -> Vec3 {
        match self {
            Self::Slide { from, .. }
            | Self::Capstan { from, .. }
            | Self::Rebound { from, .. }
            | Self::Load { from }
            | Self::Oscillation { from, .. }
            | Self::Incline { from, .. }
            | Self::Cantilever { from, .. }
            | Self::Tension { from, .. }
            | Self::Shear { from, .. }
            | Self::Fall { from, .. } => from,
        }
    }

    /// The formula, with the present numbers where they decide.
    #[must_use]
    pub fn describe(self, parameters: &Parameters) -> String {
        let (friction, restitution) = (parameters.contact.friction, parameters.contact.restitution);
        let gravity = parameters.gravity.gravity;
        match self {
            Self::Incline { slope, .. } if slope <= friction => {
                format!("Should hold: tan θ = {} ≤ μ = {}", significant(slope), significant(friction))
            }
            Self::Incline { .. } => "Should be here: ½ g (sin θ − μ cos θ) t² down the plane".to_owned(),
            Self::Cantilever { from, clamp } => match bending_length_of(parameters) {
                Some(c) => {
                    let length = from.distance(clamp);
                    let peirce = peirce(length, chord_angle(length / c));
                    let [c, peirce] = [c, peirce].map(|length| significant(1e3 * length));
                    format!("At rest here: B θ'' = −σ g (L − s) cos θ.\nBending length {c} mm, by Peirce {peirce} mm")
                }
                None => "Springs have no bending stiffness: no place is known".to_owned(),
            },
            Self::Tension { vertices, .. } => match weight_of(parameters, vertices) {
                Some(load) => format!("At rest here: Δl = F l/(E w), F = {}", quantity(load, "N")),
                None => NOT_LOADED.to_owned(),
            },
            Self::Shear { vertices, .. } => match weight_of(parameters, vertices) {
                Some(load) => {
                    format!("At rest here: γ (G + T) = F/(2 w), F = {}.\nTension T = E (ε + γ²/2)", quantity(load, "N"))
                }
                None => NOT_LOADED.to_owned(),
            },
            Self::Fall { .. } => {
                let velocity = parameters.air.terminal_velocity(parameters.mass.area_density, gravity);
                match (parameters.air.air, fall_of(parameters, 0.0)) {
                    (AirMode::Vacuum, _) => "Should be here: ½ g t² below the start".to_owned(),
                    (_, Some(_)) => format!(
                        "Should be here: v²/g ln cosh(g t/v) below the start.\nTerminal velocity v = √(2 σ g/(ρ C)) = {}",
                        quantity(velocity, "m/s")
                    ),
                    _ => "In wind, or with drag per vertex, no place is known".to_owned(),
                }
            }
            Self::Slide { .. } => "Should be here: d (cosh(t √(2g/L)) − 1) below the start".to_owned(),
            Self::Capstan { ends, radius, .. } => {
                let limit = longest_held(ends[0], friction, radius);
                let (outcome, sign) = if ends[1] <= limit { ("hold", "<") } else { ("slip", ">") };
                let [end, limit] = [ends[1], limit].map(|length| quantity(length, "m"));
                format!("Should {outcome}: {end} {sign} (l + a) e^(μπ) + a = {limit}")
            }
            Self::Rebound { fall, .. } => {
                format!("Should be here: rises to e² h = {}", quantity(restitution * restitution * fall, "m"))
            }
            Self::Oscillation { .. } => "Should be here: x e^(−ζωt) (cos ωt + ζ sin ωt), nearly".to_owned(),
            Self::Load { from } => format!("Never above {}: energy at most that of the start", quantity(from.y, "m")),
        }
    }

    /// The laws that a solver must keep for it.
    #[must_use]
    pub const fn laws(self) -> &'static [ContactLaw] {
        match self {
            Self::Slide { .. } => &[ContactLaw::Slide],
            Self::Capstan { .. } => &[ContactLaw::Hold, ContactLaw::Slip],
            Self::Rebound { .. } => &[ContactLaw::Rebound],
            Self::Load { .. } => &[ContactLaw::Load],
            Self::Oscillation { .. }
            | Self::Incline { .. }
            | Self::Cantilever { .. }
            | Self::Tension { .. }
            | Self::Shear { .. }
            | Self::Fall { .. } => &[],
        }
    }

    /// A fault of its numbers, if any.
    #[must_use]
    pub fn fault(self) -> Option<&'static str> {
        let (from, lengths) = match self {
            Self::Slide { from, ends, length } => (from, [ends[0], ends[1], length]),
            Self::Capstan { from, ends, radius } => (from, [ends[0], ends[1], radius]),
            Self::Rebound { from, fall } => (from, [fall; 3]),
            Self::Load { from } => (from, [1.0; 3]),
            Self::Oscillation { from, rest, frequency, damping_ratio } => {
                let is_right = rest.is_finite() && (0.0..1.0).contains(&damping_ratio);
                (from, [frequency, frequency, if is_right { 1.0 } else { Real::NAN }])
            }
            Self::Incline { from, slope } => (from, [slope; 3]),
            Self::Cantilever { from, clamp } => {
                (from, [from.distance(clamp), 1.0, if from.y == clamp.y { 1.0 } else { Real::NAN }])
            }
            Self::Tension { from, clamp, width, vertices } => (from, [from.distance(clamp), width, vertices]),
            Self::Shear { from, clamp, width, vertices, strain } => {
                let is_right = from.y == clamp.y && (0.0..Real::INFINITY).contains(&strain);
                (from, [from.distance(clamp), width, if is_right { vertices } else { Real::NAN }])
            }
            Self::Fall { from, fall } => (from, [fall; 3]),
        };
        let is_right = from.is_finite() && lengths.iter().all(|length| length.is_finite() && *length > 0.0);
        (!is_right).then_some("a motion needs a place with finite numbers, and lengths above 0 m; an oscillation a frequency above 0 Hz and a damping ratio below 1; a cantilever and a strip in shear a clamp at the height of its end")
    }
}
