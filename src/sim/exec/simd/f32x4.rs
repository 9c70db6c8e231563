//! Vectors in single precision, two of them in a register, lane by lane in turn: for kernels that
//! multiply both at once.

use super::register::either;
use super::{F32x8, F64x4};
use crate::sim::Real;

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;

/// Bytes in a line of the cache.
#[cfg(target_arch = "x86_64")]
const LINE: usize = 64;

/// [`F64x4`] in single precision.
#[derive(Debug, Clone, Copy, Default)]
#[repr(C, align(16))]
pub struct F32x4(pub [f32; 4]);

impl F32x4 {
    /// All zero.
    pub const ZERO: Self = Self([0.0; 4]);

    /// The nearest of single precision.
    #[inline(always)]
    #[must_use]
    pub fn of(value: F64x4) -> Self {
        Self(value.0.map(|lane| lane as f32))
    }

    /// The same in double precision.
    #[inline(always)]
    #[must_use]
    pub fn widen(self) -> F64x4 {
        F64x4(self.0.map(Real::from))
    }

    /// Lane by lane.
    #[inline(always)]
    #[must_use]
    pub fn sum(self, b: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] + b.0[i]))
    }

    /// Lane by lane.
    #[inline(always)]
    #[must_use]
    pub fn minus(self, b: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] - b.0[i]))
    }
}

/// Asks the processor for the beginning of what will be read next: it finds out itself only where
/// that lies behind what is read now.
#[inline(always)]
pub fn prefetch<T>(next: &[T], most: usize) {
    #[cfg(target_arch = "x86_64")]
    for line in (0..size_of_val(&next[..next.len().min(most)])).step_by(LINE) {
        // SAFETY: every x86-64 processor has the instruction, and it changes nothing
        unsafe { _mm_prefetch::<_MM_HINT_T0>(next.as_ptr().cast::<i8>().wrapping_add(line)) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (next, most);
}

#[cfg(target_arch = "x86_64")]
impl F32x4 {
    #[inline(always)]
    fn register(self) -> __m128 {
        // SAFETY: both are four floats of 16 bytes
        unsafe { std::mem::transmute(self) }
    }

    #[inline(always)]
    fn from_register(register: __m128) -> Self {
        // SAFETY: both are four floats of 16 bytes
        unsafe { std::mem::transmute(register) }
    }
}

impl<const FMA: bool> F32x8<FMA> {
    /// Two numbers in turn.
    #[inline(always)]
    #[must_use]
    pub fn alternate(pair: &[f32; 2]) -> Self {
        either!(
            Self::from_register(_mm256_castpd_ps(_mm256_set1_pd(pair.as_ptr().cast::<f64>().read_unaligned()))),
            Self(std::array::from_fn(|i| pair[i % 2]))
        )
    }

    /// The lanes of two vectors in turn.
    #[inline(always)]
    #[must_use]
    pub fn interleave(a: F32x4, b: F32x4) -> Self {
        either!(
            {
                let (a, b) = (a.register(), b.register());
                let (low, high) = (_mm_unpacklo_ps(a, b), _mm_unpackhi_ps(a, b));
                Self::from_register(_mm256_insertf128_ps::<1>(_mm256_castps128_ps256(low), high))
            },
            Self(std::array::from_fn(|i| if i % 2 == 0 { a.0[i / 2] } else { b.0[i / 2] }))
        )
    }

    /// The two vectors that were [interleaved](Self::interleave).
    #[inline(always)]
    #[must_use]
    pub fn split(self) -> [F32x4; 2] {
        either!(
            {
                let all = self.register();
                let (low, high) = (_mm256_castps256_ps128(all), _mm256_extractf128_ps::<1>(all));
                let first = F32x4::from_register(_mm_shuffle_ps::<0b10_00_10_00>(low, high));
                [first, F32x4::from_register(_mm_shuffle_ps::<0b11_01_11_01>(low, high))]
            },
            [0, 1].map(|k| F32x4(std::array::from_fn(|i| self.0[2 * i + k])))
        )
    }
}
