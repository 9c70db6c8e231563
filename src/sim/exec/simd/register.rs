//! [`F64x4`] in a register, for kernels that exchange lanes: left to itself, the compiler takes
//! those apart into scalars.

use std::ops::{Add, Mul, Sub};

use super::F64x4;
use crate::sim::Real;

/// Lanes with one instruction per operation where a kernel is compiled for AVX2 (`FMA` on x86-64);
/// otherwise the same in plain numbers. `FMA` has to be that of
/// [`vectorised!`](crate::sim::exec::simd::vectorised): with it the processor has the instructions.
#[derive(Debug, Clone, Copy)]
pub struct RegF64x4<const FMA: bool>(pub F64x4);

/// `$avx` where the kernel is compiled for it, `$plain` elsewhere.
macro_rules! either {
    ($avx:expr, $plain:expr) => {{
        #[cfg(target_arch = "x86_64")]
        if FMA {
            // SAFETY: `FMA` says that the processor has AVX2 and FMA. All loads are of whole
            // values, which are aligned.
            return unsafe { $avx };
        }
        $plain
    }};
}

pub(super) use either;

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;

#[cfg(target_arch = "x86_64")]
impl<const FMA: bool> RegF64x4<FMA> {
    #[inline(always)]
    pub(super) fn register(self) -> __m256d {
        // SAFETY: both are four doubles of 32 bytes
        unsafe { std::mem::transmute(self) }
    }

    #[inline(always)]
    pub(super) fn from_register(register: __m256d) -> Self {
        // SAFETY: both are four doubles of 32 bytes
        unsafe { std::mem::transmute(register) }
    }
}

impl<const FMA: bool> RegF64x4<FMA> {
    /// All zero.
    pub const ZERO: Self = Self(F64x4::ZERO);

    /// The same number four times.
    #[inline(always)]
    #[must_use]
    pub fn splat(value: Real) -> Self {
        either!(Self::from_register(_mm256_set1_pd(value)), Self(F64x4::splat(value)))
    }

    /// Four numbers from anywhere.
    #[inline(always)]
    #[must_use]
    pub fn load(numbers: &[Real; 4]) -> Self {
        either!(Self::from_register(_mm256_loadu_pd(numbers.as_ptr())), Self(F64x4(*numbers)))
    }

    /// `self + a b`.
    #[inline(always)]
    #[must_use]
    pub fn plus(self, a: Self, b: Self) -> Self {
        either!(
            Self::from_register(_mm256_fmadd_pd(a.register(), b.register(), self.register())),
            Self(self.0.plus::<FMA>(a.0, b.0))
        )
    }

    /// `self - a b`.
    #[inline(always)]
    #[must_use]
    pub fn minus(self, a: Self, b: Self) -> Self {
        either!(
            Self::from_register(_mm256_fnmadd_pd(a.register(), b.register(), self.register())),
            Self(self.0.minus::<FMA>(a.0, b.0))
        )
    }

    /// Square root of each.
    #[inline(always)]
    #[must_use]
    pub fn sqrt(self) -> Self {
        either!(Self::from_register(_mm256_sqrt_pd(self.register())), Self(self.0.sqrt()))
    }

    /// `1/a` of each that is positive, 0 of the others.
    #[inline(always)]
    #[must_use]
    pub fn inverse_or_zero(self) -> Self {
        either!(
            {
                let positive = _mm256_cmp_pd::<_CMP_GT_OQ>(self.register(), _mm256_setzero_pd());
                let inverse = _mm256_div_pd(_mm256_set1_pd(1.0), self.register());
                Self::from_register(_mm256_and_pd(inverse, positive))
            },
            Self(self.0.inverse_or_zero())
        )
    }

    /// `[a0, b0, a2, b2]`.
    #[inline(always)]
    fn even(self, b: Self) -> Self {
        either!(Self::from_register(_mm256_unpacklo_pd(self.register(), b.register())), {
            let ([a0, _, a2, _], [b0, _, b2, _]) = (self.0.0, b.0.0);
            Self(F64x4([a0, b0, a2, b2]))
        })
    }

    /// `[a1, b1, a3, b3]`.
    #[inline(always)]
    fn odd(self, b: Self) -> Self {
        either!(Self::from_register(_mm256_unpackhi_pd(self.register(), b.register())), {
            let ([_, a1, _, a3], [_, b1, _, b3]) = (self.0.0, b.0.0);
            Self(F64x4([a1, b1, a3, b3]))
        })
    }
}

macro_rules! lanewise {
    ($trait:ident, $method:ident, $instruction:ident) => {
        impl<const FMA: bool> $trait for RegF64x4<FMA> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, b: Self) -> Self {
                either!(Self::from_register($instruction(self.register(), b.register())), Self(self.0.$method(b.0)))
            }
        }
    };
}
lanewise!(Add, add, _mm256_add_pd);
lanewise!(Sub, sub, _mm256_sub_pd);
lanewise!(Mul, mul, _mm256_mul_pd);

/// Four vertices in registers: halves of the vertices 0 and 2, and of 1 and 3, side by side.
/// Sixteen bytes of each are read and written at once, and two exchanges of neighbours are all that
/// is between this and columns.
#[derive(Debug, Clone, Copy)]
pub struct FourVertices<const FMA: bool>([RegF64x4<FMA>; 4]);

impl<const FMA: bool> FourVertices<FMA> {
    /// Reads the vertices `at` of an array.
    ///
    /// # Safety
    /// They have to be in the array and valid for reading.
    #[inline(always)]
    #[must_use]
    pub unsafe fn gather(vertices: *const F64x4, at: &[u32; 4]) -> Self {
        // no `map`: its call is not always inlined
        let [p0, p1, p2, p3] = [
            vertices.wrapping_add(at[0] as usize),
            vertices.wrapping_add(at[1] as usize),
            vertices.wrapping_add(at[2] as usize),
            vertices.wrapping_add(at[3] as usize),
        ];
        // SAFETY: the caller's promise
        unsafe { Self([Self::pair(p0, p2, 0), Self::pair(p1, p3, 0), Self::pair(p0, p2, 2), Self::pair(p1, p3, 2)]) }
    }

    #[inline(always)]
    unsafe fn pair(a: *const F64x4, b: *const F64x4, half: usize) -> RegF64x4<FMA> {
        let (a, b) = (a.cast::<Real>().wrapping_add(half), b.cast::<Real>().wrapping_add(half));
        either!(
            RegF64x4::from_register(_mm256_insertf128_pd::<1>(_mm256_castpd128_pd256(_mm_load_pd(a)), _mm_load_pd(b))),
            // SAFETY: halves of vertices that `gather` may read
            unsafe { RegF64x4(F64x4([*a, *a.add(1), *b, *b.add(1)])) }
        )
    }

    /// Writes the vertices `at` of an array.
    ///
    /// # Safety
    /// They have to be in the array and valid for writing.
    #[inline(always)]
    pub unsafe fn scatter(self, vertices: *mut F64x4, at: &[u32; 4]) {
        let [p0, p1, p2, p3] = [
            vertices.wrapping_add(at[0] as usize),
            vertices.wrapping_add(at[1] as usize),
            vertices.wrapping_add(at[2] as usize),
            vertices.wrapping_add(at[3] as usize),
        ];
        let [xy0, xy1, zw0, zw1] = self.0;
        // SAFETY: the caller's promise
        unsafe {
            Self::put(xy0, p0, p2, 0);
            Self::put(xy1, p1, p3, 0);
            Self::put(zw0, p0, p2, 2);
            Self::put(zw1, p1, p3, 2);
        }
    }

    #[inline(always)]
    unsafe fn put(wide: RegF64x4<FMA>, a: *mut F64x4, b: *mut F64x4, half: usize) {
        let (a, b) = (a.cast::<Real>().wrapping_add(half), b.cast::<Real>().wrapping_add(half));
        either!(
            {
                _mm_store_pd(a, _mm256_castpd256_pd128(wide.register()));
                _mm_store_pd(b, _mm256_extractf128_pd::<1>(wide.register()));
            },
            // SAFETY: halves of vertices that `scatter` may write
            unsafe {
                let [a0, a1, b0, b1] = wide.0.0;
                a.cast::<[Real; 2]>().write([a0, a1]);
                b.cast::<[Real; 2]>().write([b0, b1]);
            }
        )
    }

    /// The first numbers of all four, the second, the third and the fourth.
    #[inline(always)]
    #[must_use]
    pub fn columns(self) -> [RegF64x4<FMA>; 4] {
        let [a, b, c, d] = self.0;
        [a.even(b), a.odd(b), c.even(d), c.odd(d)]
    }

    /// The inverse of [`FourVertices::columns`].
    #[inline(always)]
    #[must_use]
    pub fn from_columns([x, y, z, w]: [RegF64x4<FMA>; 4]) -> Self {
        Self([x.even(y), x.odd(y), z.even(w), z.odd(w)])
    }

    /// `self + w b`, with the fourth number of each vertex of `self` for `w`.
    #[inline(always)]
    #[must_use]
    pub fn plus_weighted(self, b: Self) -> Self {
        self.with_weight(b, RegF64x4::plus)
    }

    /// `self - w b`, with the fourth number of each vertex of `self` for `w`.
    #[inline(always)]
    #[must_use]
    pub fn minus_weighted(self, b: Self) -> Self {
        self.with_weight(b, RegF64x4::minus)
    }

    #[inline(always)]
    fn with_weight(
        self,
        b: Self,
        move_by: impl Fn(RegF64x4<FMA>, RegF64x4<FMA>, RegF64x4<FMA>) -> RegF64x4<FMA>,
    ) -> Self {
        let ([xy0, xy1, zw0, zw1], [dxy0, dxy1, dzw0, dzw1]) = (self.0, b.0);
        let (w0, w1) = (zw0.odd(zw0), zw1.odd(zw1));
        Self([move_by(xy0, w0, dxy0), move_by(xy1, w1, dxy1), move_by(zw0, w0, dzw0), move_by(zw1, w1, dzw1)])
    }
}

macro_rules! fourwise {
    ($trait:ident, $method:ident) => {
        impl<const FMA: bool> $trait for FourVertices<FMA> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, b: Self) -> Self {
                let ([a0, a1, a2, a3], [b0, b1, b2, b3]) = (self.0, b.0);
                Self([a0.$method(b0), a1.$method(b1), a2.$method(b2), a3.$method(b3)])
            }
        }
    };
}
fourwise!(Add, add);
fourwise!(Sub, sub);
