//! Random numbers that are the same everywhere: SplitMix64 (Steele, Lea, Flood 2014).

use weft::sim::params::{Kind, Param, Setting};

/// A sequence that its seed determines.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0xD134_2543_DE82_EF95).wrapping_add(1))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// From 0 inclusive to 1 exclusive.
    pub fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Below `count`, which is not 0.
    pub fn below(&mut self, count: usize) -> usize {
        (self.next() % count as u64) as usize
    }

    /// True with this probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.share() < probability
    }

    pub fn choose<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    /// A value that the parameter takes, its ends often, as text.
    pub fn value(&mut self, param: &Param) -> String {
        let end = self.below(10);
        let share = self.share();
        let value = match param.kind {
            Kind::Real { min, .. } | Kind::Angle { min, .. } if end == 0 => Setting::Real(min),
            Kind::Real { max, .. } | Kind::Angle { max, .. } if end == 1 => Setting::Real(max),
            Kind::Real { min, max, logarithmic: true } => {
                let low = min.max(1e-12 * max);
                Setting::Real((low * (max / low).powf(share)).clamp(min, max))
            }
            Kind::Real { min, max, .. } | Kind::Angle { min, max } => Setting::Real(min + share * (max - min)),
            Kind::Integer { min, .. } if end == 0 => Setting::Integer(min),
            Kind::Integer { max, .. } if end == 1 => Setting::Integer(max),
            Kind::Integer { min, max } => {
                let (low, high) = (f64::from(min) + 1.0, f64::from(max) + 1.0);
                Setting::Integer(((low * (high / low).powf(share)) as u32 - 1).clamp(min, max))
            }
            Kind::Toggle => Setting::Toggle(share < 0.5),
            Kind::Choice(choices) => Setting::Choice(self.below(choices.len())),
        };
        param.show(value)
    }
}
