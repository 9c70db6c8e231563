//! Purposes: what matters of the error, and what of a run is no longer tolerated.

use super::parts::Parts;
use crate::sim::Real;

/// A purpose, as weights and limits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Profile {
    /// Name on the command line.
    pub name: &'static str,
    /// Its reason.
    pub purpose: &'static str,
    /// Weights of the squares of the parts of the error; 1 for each gives the plain error.
    pub weights: Parts,
    /// Strain by which the cloth may stretch farther than the reference in a run.
    pub stretch: Real,
    /// Jitter at rest, relative to the mean length of a structural spring.
    pub jitter: Real,
    /// Times the stretch, sag, rise or energy of the reference that it may have at any moment.
    pub times: Real,
}

/// All purposes; the first is the default.
pub static PROFILES: &[Profile] = &[
    Profile {
        name: "game",
        purpose: "the whole has to move right and must not look overstretched; folds may differ",
        weights: Parts { stretch: 1.0, bending: 0.25, whole: 1.0 },
        stretch: 0.1,
        jitter: 0.01,
        times: 2.0,
    },
    Profile {
        name: "film",
        purpose: "every part of the motion is seen",
        weights: Parts { stretch: 1.0, bending: 1.0, whole: 1.0 },
        stretch: 0.05,
        jitter: 0.002,
        times: 1.5,
    },
    Profile {
        name: "robotics",
        purpose: "where the cloth is and how it pulls; its fine folds do not matter",
        weights: Parts { stretch: 2.0, bending: 0.25, whole: 2.0 },
        stretch: 0.02,
        jitter: 0.005,
        times: 1.5,
    },
    Profile {
        name: "teaching",
        purpose: "all errors count alike, and no method is excluded for looking soft",
        weights: Parts { stretch: 1.0, bending: 1.0, whole: 1.0 },
        stretch: 1.0,
        jitter: 0.05,
        times: 10.0,
    },
];

impl Profile {
    /// The profile called `name`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        PROFILES.iter().find(|profile| profile.name == name).copied()
    }

    /// The weights and limits that are others than those of the purpose as it is named, by name.
    #[must_use]
    pub fn changes(mut self) -> Vec<(&'static str, Real)> {
        let Some(mut named) = Self::named(self.name) else { return Vec::new() };
        let both = self.numbers().map(|(name, own)| (name, *own)).into_iter().zip(named.numbers());
        both.filter(|((_, own), (_, other))| *own != **other).map(|(own, _)| own).collect()
    }

    /// Sets the weight or limit called `key`.
    ///
    /// # Errors
    /// A sentence when there is none of that name, or the value is no number from 0 on.
    pub fn set(&mut self, key: &str, value: Real) -> Result<(), String> {
        if !(value.is_finite() && value >= 0.0) {
            return Err(format!("{key} takes a number of at least 0"));
        }
        let mut known = self.numbers();
        match known.iter_mut().find(|(name, _)| *name == key) {
            Some((_, number)) => **number = value,
            None => {
                let names: Vec<&str> = self.numbers().map(|(name, _)| name).to_vec();
                return Err(format!("there is no such weight or limit; take one of {}", names.join(", ")));
            }
        }
        Ok(())
    }

    /// The weights and limits by name.
    fn numbers(&mut self) -> [(&'static str, &mut Real); 6] {
        [
            ("stretch", &mut self.weights.stretch),
            ("bending", &mut self.weights.bending),
            ("whole", &mut self.weights.whole),
            ("stretch_limit", &mut self.stretch),
            ("jitter_limit", &mut self.jitter),
            ("times_limit", &mut self.times),
        ]
    }
}
