//! Four numbers at once, and kernels that are compiled twice: for processors with AVX2 and FMA, and
//! for all others.
//!
//! A kernel is an ordinary generic function `fn kernel<const FMA: bool>(..)`, inlined into a
//! wrapper that `vectorised!` writes. The compiler turns operations on [`F64x4`] into vector
//! instructions of the wrapper's processor, so there is one source for both. The two differ in
//! rounding only: a fused multiply-add rounds once.

use std::ops::{Add, Mul, Sub};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::sim::{Real, Vec3};

mod f32x4;
mod f32x8;
mod mask;
mod register;

pub(crate) use f32x4::{F32x4, prefetch};
pub(crate) use f32x8::{F32x8, I32x4, I32x8};
pub(crate) use mask::MaskF64x4;
pub(crate) use register::{FourVertices, RegF64x4};

/// Four numbers that are computed with as one: a vertex with a number to spare, or the same
/// quantity of four things.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[repr(C, align(32))]
pub struct F64x4(pub [Real; 4]);

impl F64x4 {
    /// All zero.
    pub const ZERO: Self = Self([0.0; 4]);

    /// The same number four times.
    #[inline(always)]
    #[must_use]
    pub const fn splat(value: Real) -> Self {
        Self([value; 4])
    }

    /// The number `value(i)` in lane `i`.
    #[inline(always)]
    #[must_use]
    pub fn from_fn(value: impl FnMut(usize) -> Real) -> Self {
        Self(std::array::from_fn(value))
    }

    /// A point or direction, and zero.
    #[inline(always)]
    #[must_use]
    pub const fn from_vec3(v: Vec3) -> Self {
        Self([v.x, v.y, v.z, 0.0])
    }

    /// The first three lanes.
    #[inline(always)]
    #[must_use]
    pub const fn to_vec3(self) -> Vec3 {
        Vec3::new(self.0[0], self.0[1], self.0[2])
    }

    /// `self + a b`, rounded once if `FMA`.
    #[inline(always)]
    #[must_use]
    pub fn plus<const FMA: bool>(self, a: Self, b: Self) -> Self {
        Self::from_fn(|i| if FMA { a.0[i].mul_add(b.0[i], self.0[i]) } else { a.0[i] * b.0[i] + self.0[i] })
    }

    /// `self - a b`, rounded once if `FMA`.
    #[inline(always)]
    #[must_use]
    pub fn minus<const FMA: bool>(self, a: Self, b: Self) -> Self {
        Self::from_fn(|i| if FMA { (-a.0[i]).mul_add(b.0[i], self.0[i]) } else { self.0[i] - a.0[i] * b.0[i] })
    }

    /// Square root of each.
    #[inline(always)]
    #[must_use]
    pub fn sqrt(self) -> Self {
        Self(self.0.map(Real::sqrt))
    }

    /// `1/a` of each that is positive, 0 of the others: the inverse length of a spring, or the
    /// inverse mass of a pin.
    #[inline(always)]
    #[must_use]
    pub fn inverse_or_zero(self) -> Self {
        Self(self.0.map(|a| if a > 0.0 { 1.0 / a } else { 0.0 }))
    }

    /// Sum of the four.
    #[inline(always)]
    #[must_use]
    pub fn sum(self) -> Real {
        (self.0[0] + self.0[1]) + (self.0[2] + self.0[3])
    }
}

/// Rows to columns: lane `j` of entry `i` becomes lane `i` of entry `j`.
#[inline(always)]
#[must_use]
pub fn transpose(rows: [F64x4; 4]) -> [F64x4; 4] {
    std::array::from_fn(|j| F64x4::from_fn(|i| rows[i].0[j]))
}

macro_rules! lanewise {
    ($trait:ident, $method:ident) => {
        impl $trait for F64x4 {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self::from_fn(|i| self.0[i].$method(other.0[i]))
            }
        }
    };
}
lanewise!(Add, add);
lanewise!(Sub, sub);
lanewise!(Mul, mul);

/// Whether kernels are to run in the version for any processor.
static PORTABLE: AtomicBool = AtomicBool::new(false);

/// Has all kernels run in the version for any processor, or again in the fastest that this one
/// knows. For comparisons: results differ by rounding only.
pub fn use_portable_kernels(portable: bool) {
    PORTABLE.store(portable, Ordering::Relaxed);
}

/// Whether kernels run in the version for AVX2 and FMA.
#[cfg(target_arch = "x86_64")]
#[must_use]
pub fn has_fma() -> bool {
    let known = std::is_x86_feature_detected!("avx2") && std::is_x86_feature_detected!("fma");
    known && !PORTABLE.load(Ordering::Relaxed)
}

/// Declares `fn name(..)` that calls `generic::<FMA, ..>(..)` in the version for the processor at
/// hand.
///
/// `generic` and all that it calls in loops have to be `#[inline(always)]`, or they are compiled
/// for any processor.
macro_rules! vectorised {
    ($(#[$meta:meta])* $vis:vis fn $name:ident($($arg:ident: $type:ty),* $(,)?) $(-> $result:ty)? = $generic:ident) => {
        $(#[$meta])*
        $vis fn $name($($arg: $type),*) $(-> $result)? {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2,fma")]
                fn with_fma($($arg: $type),*) $(-> $result)? {
                    $generic::<true>($($arg),*)
                }
                if $crate::sim::exec::simd::has_fma() {
                    // SAFETY: the processor has the features that the function is compiled for.
                    return unsafe { with_fma($($arg),*) };
                }
            }
            // NEON has the fused multiply-add in its base set; elsewhere it would be a slow call
            $generic::<{ cfg!(target_arch = "aarch64") }>($($arg),*)
        }
    };
}
pub(crate) use vectorised;
