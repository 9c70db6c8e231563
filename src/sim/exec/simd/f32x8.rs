//! Eight numbers in a register, of single precision or whole ones, for tests that only have to be
//! on the safe side.

use std::ops::{Add, Mul, Sub};

use super::register::either;
use crate::sim::{Real, Vec3};

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;

/// Eight lanes with one instruction per operation where a kernel is compiled for AVX2 (`FMA` on
/// x86-64); otherwise the same in plain numbers. `FMA` has to be that of
/// [`vectorised!`](crate::sim::exec::simd::vectorised): with it the processor has the instructions.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(32))]
pub struct F32x8<const FMA: bool>(pub [f32; 8]);

#[cfg(target_arch = "x86_64")]
impl<const FMA: bool> F32x8<FMA> {
    #[inline(always)]
    pub(super) fn register(self) -> __m256 {
        // SAFETY: both are eight floats of 32 bytes
        unsafe { std::mem::transmute(self) }
    }

    #[inline(always)]
    pub(super) fn from_register(register: __m256) -> Self {
        // SAFETY: both are eight floats of 32 bytes
        unsafe { std::mem::transmute(register) }
    }
}

impl<const FMA: bool> F32x8<FMA> {
    /// All zero.
    pub const ZERO: Self = Self([0.0; 8]);

    /// The same number eight times.
    #[inline(always)]
    #[must_use]
    pub fn splat(value: f32) -> Self {
        either!(Self::from_register(_mm256_set1_ps(value)), Self([value; 8]))
    }

    /// The eight numbers of an array.
    #[inline(always)]
    #[must_use]
    pub fn load(numbers: &[f32; 8]) -> Self {
        either!(Self::from_register(_mm256_loadu_ps(numbers.as_ptr())), Self(*numbers))
    }

    /// `self + a b`.
    #[inline(always)]
    #[must_use]
    pub fn plus(self, a: Self, b: Self) -> Self {
        either!(
            Self::from_register(_mm256_fmadd_ps(a.register(), b.register(), self.register())),
            Self(std::array::from_fn(|i| a.0[i] * b.0[i] + self.0[i]))
        )
    }

    /// `self - a b`.
    #[inline(always)]
    #[must_use]
    pub fn minus(self, a: Self, b: Self) -> Self {
        either!(
            Self::from_register(_mm256_fnmadd_ps(a.register(), b.register(), self.register())),
            Self(std::array::from_fn(|i| self.0[i] - a.0[i] * b.0[i]))
        )
    }

    /// The smaller of both; where one is not a number, the second.
    #[inline(always)]
    #[must_use]
    pub fn min(self, b: Self) -> Self {
        either!(
            Self::from_register(_mm256_min_ps(self.register(), b.register())),
            Self(std::array::from_fn(|i| if self.0[i] < b.0[i] { self.0[i] } else { b.0[i] }))
        )
    }

    /// The larger of both; where one is not a number, the second.
    #[inline(always)]
    #[must_use]
    pub fn max(self, b: Self) -> Self {
        either!(
            Self::from_register(_mm256_max_ps(self.register(), b.register())),
            Self(std::array::from_fn(|i| if self.0[i] > b.0[i] { self.0[i] } else { b.0[i] }))
        )
    }

    /// Absolute value of each.
    #[inline(always)]
    #[must_use]
    pub fn abs(self) -> Self {
        either!(
            Self::from_register(_mm256_andnot_ps(_mm256_set1_ps(-0.0), self.register())),
            Self(self.0.map(f32::abs))
        )
    }

    /// Each of `self` with the sign turned where that of `sign` is negative.
    #[inline(always)]
    #[must_use]
    pub fn turned(self, sign: Self) -> Self {
        either!(
            {
                let minus = _mm256_and_ps(_mm256_set1_ps(-0.0), sign.register());
                Self::from_register(_mm256_xor_ps(minus, self.register()))
            },
            Self(std::array::from_fn(|i| if sign.0[i].is_sign_negative() { -self.0[i] } else { self.0[i] }))
        )
    }

    /// Square root of each.
    #[inline(always)]
    #[must_use]
    pub fn sqrt(self) -> Self {
        either!(Self::from_register(_mm256_sqrt_ps(self.register())), Self(self.0.map(f32::sqrt)))
    }

    /// A bit for each lane in which `self` is greater than `b`; none where one is not a number.
    #[inline(always)]
    #[must_use]
    pub fn above(self, b: Self) -> u8 {
        either!(
            _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_GT_OQ>(self.register(), b.register())) as u8,
            (0..8).fold(0, |bits, i| bits | (u8::from(self.0[i] > b.0[i]) << i))
        )
    }

    /// `a · b` of eight vectors.
    #[inline(always)]
    #[must_use]
    pub fn dot(a: &[Self; 3], b: &[Self; 3]) -> Self {
        (a[0] * b[0]).plus(a[1], b[1]).plus(a[2], b[2])
    }

    /// `a × b` of eight vectors.
    #[inline(always)]
    #[must_use]
    pub fn cross(a: &[Self; 3], b: &[Self; 3]) -> [Self; 3] {
        [(a[1] * b[2]).minus(a[2], b[1]), (a[2] * b[0]).minus(a[0], b[2]), (a[0] * b[1]).minus(a[1], b[0])]
    }

    /// `a - b` of eight vectors.
    #[inline(always)]
    #[must_use]
    pub fn difference(a: &[Self; 3], b: &[Self; 3]) -> [Self; 3] {
        [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
    }

    /// `a + b` of eight vectors.
    #[inline(always)]
    #[must_use]
    pub fn sum(a: &[Self; 3], b: &[Self; 3]) -> [Self; 3] {
        [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
    }
}

macro_rules! lanewise {
    ($trait:ident, $method:ident, $instruction:ident) => {
        impl<const FMA: bool> $trait for F32x8<FMA> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, b: Self) -> Self {
                either!(
                    Self::from_register($instruction(self.register(), b.register())),
                    Self(std::array::from_fn(|i| self.0[i].$method(b.0[i])))
                )
            }
        }
    };
}
lanewise!(Add, add, _mm256_add_ps);
lanewise!(Sub, sub, _mm256_sub_ps);
lanewise!(Mul, mul, _mm256_mul_ps);

/// A point with whole coordinates below 2²⁹ in absolute value, and a number to spare.
#[derive(Debug, Clone, Copy, Default)]
#[repr(C, align(16))]
pub struct I32x4([i32; 4]);

impl I32x4 {
    /// The nearest to a point with such coordinates.
    #[inline(always)]
    #[must_use]
    pub fn from_vec3(x: Vec3) -> Self {
        // adding it shifts the ones to the lowest bit
        const SHIFT: Real = 1.5 * (1_u64 << 52) as Real;
        let [x, y, z] = x.to_array().map(|x| (x + SHIFT).to_bits() as i32);
        Self([x, y, z, 0])
    }
}

/// Eight whole numbers. See [`F32x8`].
#[derive(Debug, Clone, Copy)]
#[repr(C, align(32))]
pub struct I32x8<const FMA: bool>(pub [i32; 8]);

#[cfg(target_arch = "x86_64")]
impl<const FMA: bool> I32x8<FMA> {
    #[inline(always)]
    fn register(self) -> __m256i {
        // SAFETY: both are eight whole numbers of 32 bytes
        unsafe { std::mem::transmute(self) }
    }

    #[inline(always)]
    fn from_register(register: __m256i) -> Self {
        // SAFETY: both are eight whole numbers of 32 bytes
        unsafe { std::mem::transmute(register) }
    }
}

impl<const FMA: bool> I32x8<FMA> {
    /// The same number eight times.
    #[inline(always)]
    #[must_use]
    pub fn splat(value: i32) -> Self {
        either!(Self::from_register(_mm256_set1_epi32(value)), Self([value; 8]))
    }

    /// The coordinates of eight points of an array.
    #[inline(always)]
    #[must_use]
    pub fn gather(points: &[I32x4], at: &[u32; 8]) -> [Self; 3] {
        // no `map`: its call is not always inlined
        let [p0, p1, p2, p3, p4, p5, p6, p7] = [
            &points[at[0] as usize],
            &points[at[1] as usize],
            &points[at[2] as usize],
            &points[at[3] as usize],
            &points[at[4] as usize],
            &points[at[5] as usize],
            &points[at[6] as usize],
            &points[at[7] as usize],
        ];
        either!(
            {
                // no closure: it would not be compiled for AVX2
                macro_rules! both {
                    ($a:expr, $b:expr) => {
                        _mm256_castsi256_ps(_mm256_inserti128_si256::<1>(
                            _mm256_castsi128_si256(_mm_load_si128(std::ptr::from_ref($a).cast())),
                            _mm_load_si128(std::ptr::from_ref($b).cast()),
                        ))
                    };
                }
                let (a, b, c, d) = (both!(p0, p4), both!(p1, p5), both!(p2, p6), both!(p3, p7));
                let (xy, zw) = (_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b));
                let (uv, st) = (_mm256_unpacklo_ps(c, d), _mm256_unpackhi_ps(c, d));
                [
                    Self::from_register(_mm256_castps_si256(_mm256_shuffle_ps::<0x44>(xy, uv))),
                    Self::from_register(_mm256_castps_si256(_mm256_shuffle_ps::<0xee>(xy, uv))),
                    Self::from_register(_mm256_castps_si256(_mm256_shuffle_ps::<0x44>(zw, st))),
                ]
            },
            {
                let p = [p0, p1, p2, p3, p4, p5, p6, p7];
                [Self(p.map(|p| p.0[0])), Self(p.map(|p| p.0[1])), Self(p.map(|p| p.0[2]))]
            }
        )
    }

    /// The smaller of both.
    #[inline(always)]
    #[must_use]
    pub fn min(self, b: Self) -> Self {
        either!(
            Self::from_register(_mm256_min_epi32(self.register(), b.register())),
            Self(std::array::from_fn(|i| self.0[i].min(b.0[i])))
        )
    }

    /// The larger of both.
    #[inline(always)]
    #[must_use]
    pub fn max(self, b: Self) -> Self {
        either!(
            Self::from_register(_mm256_max_epi32(self.register(), b.register())),
            Self(std::array::from_fn(|i| self.0[i].max(b.0[i])))
        )
    }

    /// `self - b`, which has to be a whole number of 32 bits.
    #[inline(always)]
    #[must_use]
    pub fn minus(self, b: Self) -> Self {
        either!(
            Self::from_register(_mm256_sub_epi32(self.register(), b.register())),
            Self(std::array::from_fn(|i| self.0[i].wrapping_sub(b.0[i])))
        )
    }

    /// The nearest numbers of single precision.
    #[inline(always)]
    #[must_use]
    pub fn to_floats(self) -> F32x8<FMA> {
        either!(F32x8::from_register(_mm256_cvtepi32_ps(self.register())), F32x8(self.0.map(|i| i as f32)))
    }

    /// A bit for each lane in which `self` is greater than `b`.
    #[inline(always)]
    #[must_use]
    pub fn above(self, b: Self) -> u8 {
        either!(
            _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(self.register(), b.register()))) as u8,
            (0..8).fold(0, |bits, i| bits | (u8::from(self.0[i] > b.0[i]) << i))
        )
    }
}
