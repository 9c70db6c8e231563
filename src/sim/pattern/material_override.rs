//! Material overrides of the pieces of a cloth: factors of stiffness and mass relative to the
//! scene's material.

use std::ops::Index;

use super::{Family, Pattern};
use crate::sim::Real;
use crate::sim::math::fingerprint::fingerprint;
use crate::sim::params::logarithmic;

crate::parameters! {
    /// What a piece is made of, as factors of the scene's material and mass. What the panel changes
    /// of those changes every piece, each in its own proportion.
    pub struct MaterialOverride {
        /// Resistance to stretch along warp and weft.
        pub structural: Real = 1.0, "Stretch", "", logarithmic(1e-3, 1e3);
        /// Resistance to shear.
        pub shear: Real = 1.0, "Shear", "", logarithmic(1e-3, 1e3);
        /// Resistance to bending, by springs or by the curvature of the surface.
        pub bending: Real = 1.0, "Bending", "", logarithmic(1e-3, 1e3);
        /// Damping of the springs.
        pub damping: Real = 1.0, "Damping", "", logarithmic(1e-3, 1e3);
        /// Mass of the vertices.
        pub mass: Real = 1.0, "Mass", "", logarithmic(1e-3, 1e3);
    }
}

impl MaterialOverride {
    /// Factor of the stiffness of a family of springs.
    #[must_use]
    pub fn stiffness(&self, family: Family) -> Real {
        match family {
            Family::Structural => self.structural,
            Family::Shear => self.shear,
            Family::Bend => self.bending,
        }
    }

    /// Whether everything is as the scene says.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        *self == Self::default()
    }

    fn bits(&self) -> impl Iterator<Item = u64> + use<> {
        [self.structural, self.shear, self.bending, self.damping, self.mass].into_iter().map(Real::to_bits)
    }
}

/// The kind of a spring: its family and the material override of its piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Kind(u8);

impl Kind {
    /// Number of entries in a table by kind. A power of two, so that no access to one needs a
    /// check.
    pub const COUNT: usize = 64;

    /// Entries for each override: one per family, and one for structural springs along the sides of
    /// a membrane.
    pub(super) const PER_MAKEUP: usize = 4;

    /// That of the last of these.
    pub(super) const SIDE: usize = 3;

    /// Most different overrides in a pattern.
    pub const OVERRIDES: usize = Self::COUNT / Self::PER_MAKEUP;

    /// The kind of a spring of this family without a material override.
    #[must_use]
    pub fn plain(family: Family) -> Self {
        Self::new(family, 0)
    }

    fn new(family: Family, factors: usize) -> Self {
        Self::at(factors, family as usize)
    }

    pub(super) fn at(factors: usize, entry: usize) -> Self {
        Self((factors % Self::OVERRIDES * Self::PER_MAKEUP + entry) as u8)
    }

    /// Index in a table by kind. That of the first override is the number of the family.
    #[inline]
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0) % Self::COUNT
    }
}

/// A table with an entry for every kind of spring.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ByKind<T>([T; Kind::COUNT]);

impl<T: Copy> ByKind<T> {
    /// The same entry for all.
    #[must_use]
    pub fn splat(value: T) -> Self {
        Self([value; Kind::COUNT])
    }

    /// The table with every entry changed.
    #[must_use]
    pub fn map<U>(self, change: impl FnMut(T) -> U) -> ByKind<U> {
        ByKind(self.0.map(change))
    }

    /// The table of `combine(own, other)`, entry by entry.
    #[must_use]
    pub fn with<U: Copy, V>(self, other: ByKind<U>, combine: impl Fn(T, U) -> V) -> ByKind<V> {
        ByKind(std::array::from_fn(|at| combine(self.0[at], other.0[at])))
    }

    /// The entries.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.0.iter()
    }

    /// The table with the entries of springs along the sides of a membrane changed.
    #[must_use]
    pub fn map_sides(mut self, change: impl Fn(T) -> T) -> Self {
        let sides = self.0.iter_mut().skip(Kind::SIDE).step_by(Kind::PER_MAKEUP);
        sides.for_each(|entry| *entry = change(*entry));
        self
    }

    /// The entries of the first override, in the order of [`Family::ALL`].
    #[must_use]
    pub fn by_family(&self) -> [T; 3] {
        [self.0[0], self.0[1], self.0[2]]
    }
}

impl<T: Copy + Default> Default for ByKind<T> {
    fn default() -> Self {
        Self::splat(T::default())
    }
}

impl<T> Index<Kind> for ByKind<T> {
    type Output = T;

    #[inline]
    fn index(&self, kind: Kind) -> &T {
        &self.0[kind.index()]
    }
}

/// Material overrides of the pieces of a pattern.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct MaterialOverrides {
    /// One per piece; none where all are plain.
    of_pieces: Vec<MaterialOverride>,
    /// The different ones; the plain one first.
    different: Vec<MaterialOverride>,
}

impl Pattern {
    /// The pattern with these overrides, one per piece. Springs of different overrides are of
    /// different kinds, at most [`Kind::OVERRIDES`]; further ones count as the first of them.
    #[must_use]
    pub fn with_overrides(self, of_pieces: &[MaterialOverride]) -> Self {
        let mut made = self.made_of(of_pieces);
        if !made.overrides.of_pieces.is_empty() {
            made.whole_revision = if made.parents.is_empty() { made.revision } else { made.whole().revision };
        }
        made
    }

    /// [`with_overrides`](Self::with_overrides), but for the revision of the whole pattern.
    pub(super) fn made_of(mut self, of_pieces: &[MaterialOverride]) -> Self {
        if of_pieces.iter().all(MaterialOverride::is_plain) {
            return self;
        }
        let mut different = vec![MaterialOverride::default()];
        for factors in of_pieces {
            if !different.contains(factors) && different.len() < Kind::OVERRIDES {
                different.push(*factors);
            }
        }
        let number = |piece: u32| {
            let own = of_pieces.get(piece as usize);
            own.and_then(|own| different.iter().position(|factors| factors == own)).unwrap_or(0)
        };
        let pieces = self.piece_of_vertices();
        let springs = self.springs.ends.iter().zip(&self.springs.families);
        self.kinds = springs.map(|([i, _], family)| Kind::new(*family, number(pieces[*i as usize]))).collect();
        let firsts = self.pieces.iter().map(|&first| u64::from(first));
        let parts = [self.revision].into_iter().chain(firsts).chain(of_pieces.iter().flat_map(MaterialOverride::bits));
        self.revision = fingerprint(parts);
        self.overrides = MaterialOverrides { of_pieces: of_pieces.to_vec(), different };
        self.renew_membrane()
    }

    /// Overrides, one per piece; empty if there are none.
    #[must_use]
    pub fn overrides(&self) -> &[MaterialOverride] {
        &self.overrides.of_pieces
    }

    /// The kind of every spring.
    #[must_use]
    pub fn kinds(&self) -> &[Kind] {
        &self.kinds
    }

    /// A table of `value(family, factors)` by kind; `none` for kinds that are not in this pattern.
    pub fn by_kind<T: Copy>(&self, none: T, value: impl Fn(Family, &MaterialOverride) -> T) -> ByKind<T> {
        let mut table = ByKind::splat(none);
        let plain = [MaterialOverride::default()];
        let different = if self.overrides.different.is_empty() { &plain[..] } else { &self.overrides.different };
        for (number, factors) in different.iter().enumerate() {
            for family in Family::ALL {
                table.0[Kind::new(family, number).index()] = value(family, factors);
            }
            table.0[Kind::at(number, Kind::SIDE).index()] = value(Family::Structural, factors);
        }
        table
    }

    /// Override of the piece of a spring.
    #[must_use]
    pub fn override_of_spring(&self, spring: usize) -> MaterialOverride {
        let number = self.kinds[spring].index() / Kind::PER_MAKEUP;
        self.overrides.different.get(number).copied().unwrap_or_default()
    }

    /// Override of the piece of each vertex; empty if there are none.
    #[must_use]
    pub fn override_of_vertices(&self) -> Vec<MaterialOverride> {
        if self.overrides.of_pieces.is_empty() {
            return Vec::new();
        }
        let of_piece = |piece: u32| self.overrides.of_pieces.get(piece as usize).copied().unwrap_or_default();
        self.piece_of_vertices().into_iter().map(of_piece).collect()
    }
}

pub(super) fn plain_kinds(families: &[Family]) -> Vec<Kind> {
    families.iter().map(|family| Kind::new(*family, 0)).collect()
}
