//! Parameters of gravity.

use crate::sim::Real;
use crate::sim::params::linear;

crate::parameters! {
    /// Uniform gravity.
    pub struct Gravity {
        /// Downward acceleration. The papers use 9.8; the Moon has 1.62.
        pub gravity: Real = 9.8, "Gravity", "m/s²", linear(0.0, 30.0);
    }
}

/// Gravity as a plain number in files.
pub(crate) mod plain_gravity {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::{Gravity, Real};

    pub fn serialize<S: Serializer>(gravity: &Gravity, serializer: S) -> Result<S::Ok, S::Error> {
        gravity.gravity.serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Gravity, D::Error> {
        Ok(Gravity { gravity: Real::deserialize(deserializer)? })
    }
}
