//! Comparing and choosing four numbers at once.

use super::F64x4;
use super::register::{RegF64x4, either};
use crate::sim::Real;

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;

/// The answer to a question for each of four lanes.
#[derive(Debug, Clone, Copy)]
pub struct MaskF64x4<const FMA: bool>(RegF64x4<FMA>);

/// All bits set, or none.
fn bits(answer: bool) -> Real {
    Real::from_bits(if answer { u64::MAX } else { 0 })
}

impl<const FMA: bool> MaskF64x4<FMA> {
    /// Whether at least one.
    #[inline(always)]
    #[must_use]
    pub fn or(self, b: Self) -> Self {
        either!(Self(RegF64x4::from_register(_mm256_or_pd(self.0.register(), b.0.register()))), {
            let either = |i: usize| self.0.0.0[i].to_bits() | b.0.0.0[i].to_bits();
            Self(RegF64x4(F64x4::from_fn(|i| Real::from_bits(either(i)))))
        })
    }

    /// Whether both.
    #[inline(always)]
    #[must_use]
    pub fn and(self, b: Self) -> Self {
        either!(Self(RegF64x4::from_register(_mm256_and_pd(self.0.register(), b.0.register()))), {
            let both = |i: usize| self.0.0.0[i].to_bits() & b.0.0.0[i].to_bits();
            Self(RegF64x4(F64x4::from_fn(|i| Real::from_bits(both(i)))))
        })
    }

    /// Whether it is so in any lane.
    #[inline(always)]
    #[must_use]
    pub fn any(self) -> bool {
        either!(_mm256_movemask_pd(self.0.register()) != 0, self.0.0.0.iter().any(|lane| lane.to_bits() != 0))
    }

    /// A bit for each lane in which it is so.
    #[inline(always)]
    #[must_use]
    pub fn bits(self) -> u8 {
        either!(
            _mm256_movemask_pd(self.0.register()) as u8,
            (0..4).fold(0, |bits, i| bits | (u8::from(self.0.0.0[i].to_bits() != 0) << i))
        )
    }

    /// `yes` in the lanes where it is so, `no` in the others.
    #[inline(always)]
    #[must_use]
    pub fn choose(self, yes: RegF64x4<FMA>, no: RegF64x4<FMA>) -> RegF64x4<FMA> {
        either!(
            RegF64x4::from_register(_mm256_blendv_pd(no.register(), yes.register(), self.0.register())),
            RegF64x4(F64x4::from_fn(|i| if self.0.0.0[i].to_bits() != 0 { yes.0.0[i] } else { no.0.0[i] }))
        )
    }
}

impl<const FMA: bool> RegF64x4<FMA> {
    /// Whether each is greater than that of `b`; not so where one is not a number.
    #[inline(always)]
    #[must_use]
    pub fn above(self, b: Self) -> MaskF64x4<FMA> {
        either!(
            MaskF64x4(Self::from_register(_mm256_cmp_pd::<_CMP_GT_OQ>(self.register(), b.register()))),
            MaskF64x4(Self(F64x4::from_fn(|i| bits(self.0.0[i] > b.0.0[i]))))
        )
    }

    /// The larger of both; where one is not a number, the second.
    #[inline(always)]
    #[must_use]
    pub fn max(self, b: Self) -> Self {
        either!(
            Self::from_register(_mm256_max_pd(self.register(), b.register())),
            Self(F64x4::from_fn(|i| if self.0.0[i] > b.0.0[i] { self.0.0[i] } else { b.0.0[i] }))
        )
    }

    /// The smaller of both; where one is not a number, the second.
    #[inline(always)]
    #[must_use]
    pub fn min(self, b: Self) -> Self {
        either!(
            Self::from_register(_mm256_min_pd(self.register(), b.register())),
            Self(F64x4::from_fn(|i| if self.0.0[i] < b.0.0[i] { self.0.0[i] } else { b.0.0[i] }))
        )
    }

    /// Absolute value of each.
    #[inline(always)]
    #[must_use]
    pub fn abs(self) -> Self {
        either!(
            Self::from_register(_mm256_andnot_pd(_mm256_set1_pd(-0.0), self.register())),
            Self(F64x4(self.0.0.map(Real::abs)))
        )
    }

    /// Each with its sign turned where that of `sign` is negative.
    #[inline(always)]
    #[must_use]
    pub fn turned(self, sign: Self) -> Self {
        either!(
            {
                let minus = _mm256_and_pd(_mm256_set1_pd(-0.0), sign.register());
                Self::from_register(_mm256_xor_pd(minus, self.register()))
            },
            Self(F64x4::from_fn(|i| if sign.0.0[i].is_sign_negative() { -self.0.0[i] } else { self.0.0[i] }))
        )
    }
}
