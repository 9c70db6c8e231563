//! The parameter by which a solver comes nearer to the solution for more time.

/// Key of such a parameter, which is an integer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WorkSetting {
    /// Its key.
    pub key: &'static str,
    /// Whether even values are to be avoided.
    is_odd: bool,
}

impl WorkSetting {
    /// The parameter called `key`.
    #[must_use]
    pub const fn of(key: &'static str) -> Self {
        Self { key, is_odd: false }
    }

    /// Likewise, of which odd values alone are good.
    #[must_use]
    pub const fn odd(key: &'static str) -> Self {
        Self { key, is_odd: true }
    }

    /// The value nearest to `value` that is good and in range, but zero where another one is.
    #[must_use]
    pub fn allowed(&self, value: u32, [min, max]: [u32; 2]) -> u32 {
        let value = value.clamp(min.max(1).min(max), max);
        match (self.is_odd && value % 2 == 0, value == max) {
            (true, true) => value.saturating_sub(1).max(min),
            (true, false) => value + 1,
            _ => value,
        }
    }
}
