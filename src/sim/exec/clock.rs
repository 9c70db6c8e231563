//! Where times come from.

use crate::sim::Real;

/// Where the time comes from. The library itself has no clock; by default every reading is zero.
#[derive(Debug, Clone, Copy)]
pub struct Clock(pub fn() -> Real);

impl Default for Clock {
    fn default() -> Self {
        Self(|| 0.0)
    }
}
