//! Slices that several threads write at the same time, each its own part.

use std::marker::PhantomData;
use std::ops::Range;

/// A slice whose parts several threads write at the same time. It cannot be copied, so who owns it
/// is alone with the slice.
pub struct Shared<'a, T> {
    start: *mut T,
    length: usize,
    slice: PhantomData<&'a mut [T]>,
}

// SAFETY: a `Shared` is a `&mut [T]`, which may be sent where a `T` may.
unsafe impl<T: Send> Send for Shared<'_, T> {}
// SAFETY: through a reference to it an entry can be handed to another thread, for that thread
// alone: `T: Send` is enough for that. `read`, which lets several threads see an entry, asks for
// `T: Sync` itself.
unsafe impl<T: Send> Sync for Shared<'_, T> {}

impl<'a, T> Shared<'a, T> {
    /// Shares `slice`.
    #[must_use]
    pub fn new(slice: &'a mut [T]) -> Self {
        Self { start: slice.as_mut_ptr(), length: slice.len(), slice: PhantomData }
    }

    /// Number of entries.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.length
    }

    /// Whether there is no entry.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The first entry, for kernels that gather and scatter.
    #[inline(always)]
    #[must_use]
    pub const fn as_mut_ptr(&self) -> *mut T {
        self.start
    }

    /// The entries of `range`, to change.
    ///
    /// # Safety
    /// While the result is in use nobody else may use any of these entries.
    ///
    /// # Panics
    /// When the range does not lie in the slice.
    #[must_use]
    #[expect(clippy::mut_from_ref, reason = "what the type is for; see Safety")]
    pub unsafe fn part(&self, range: Range<usize>) -> &mut [T] {
        assert!(range.start <= range.end && range.end <= self.length);
        // SAFETY: the range lies in the slice, and the caller promises that it is alone there.
        unsafe { std::slice::from_raw_parts_mut(self.start.add(range.start), range.len()) }
    }

    /// Entry `i`, to change.
    ///
    /// # Safety
    /// While the result is in use nobody else may use this entry.
    ///
    /// # Panics
    /// When there is no such entry.
    #[inline(always)]
    #[must_use]
    #[expect(clippy::mut_from_ref, reason = "what the type is for; see Safety")]
    pub unsafe fn entry(&self, i: usize) -> &mut T {
        assert!(i < self.length);
        // SAFETY: the entry lies in the slice, and the caller promises that it is alone there.
        unsafe { &mut *self.start.add(i) }
    }

    /// The entries of `range`, to read.
    ///
    /// # Safety
    /// While the result is in use nobody may change any of these entries.
    ///
    /// # Panics
    /// When the range does not lie in the slice.
    #[must_use]
    pub unsafe fn read(&self, range: Range<usize>) -> &[T]
    where
        T: Sync,
    {
        assert!(range.start <= range.end && range.end <= self.length);
        // SAFETY: the range lies in the slice, and the caller promises that nobody writes there.
        unsafe { std::slice::from_raw_parts(self.start.add(range.start), range.len()) }
    }
}

/// What can be divided into parts that threads change: slices, one or several of the same length.
///
/// # Safety
/// `divide` of ranges that do not overlap has to return what does not overlap either.
pub unsafe trait Divide: Sync {
    /// A part.
    type Part;

    /// Number of entries.
    fn entries(&self) -> usize;

    /// The entries of `range`.
    ///
    /// # Safety
    /// Nobody else may use any of these entries as long as the result, or `self`, lasts.
    unsafe fn divide(&self, range: Range<usize>) -> Self::Part;
}

// SAFETY: parts of a slice.
unsafe impl<'a, T: Send> Divide for Shared<'a, T> {
    type Part = &'a mut [T];

    fn entries(&self) -> usize {
        self.len()
    }

    unsafe fn divide(&self, range: Range<usize>) -> &'a mut [T] {
        assert!(range.start <= range.end && range.end <= self.length);
        // SAFETY: the range lies in the slice, and the caller promises that it is alone there.
        unsafe { std::slice::from_raw_parts_mut(self.start.add(range.start), range.len()) }
    }
}

/// A slice in chunks of one size, the last of which may be smaller: its entries are the chunks.
pub struct Chunks<'a, T> {
    slice: Shared<'a, T>,
    size: usize,
}

impl<'a, T> Chunks<'a, T> {
    /// Chunks of `size` entries, at least one.
    #[must_use]
    pub fn new(slice: &'a mut [T], size: usize) -> Self {
        Self { slice: Shared::new(slice), size: size.max(1) }
    }
}

// SAFETY: chunks do not overlap.
unsafe impl<'a, T: Send> Divide for Chunks<'a, T> {
    type Part = &'a mut [T];

    fn entries(&self) -> usize {
        self.slice.len().div_ceil(self.size)
    }

    unsafe fn divide(&self, range: Range<usize>) -> &'a mut [T] {
        let end = (range.end * self.size).min(self.slice.len());
        // SAFETY: as promised.
        unsafe { self.slice.divide(range.start * self.size..end) }
    }
}

// SAFETY: the two are not the same, since a `Shared` cannot be copied.
unsafe impl<A: Divide, B: Divide> Divide for (A, B) {
    type Part = (A::Part, B::Part);

    fn entries(&self) -> usize {
        assert_eq!(self.0.entries(), self.1.entries(), "slices of the same length");
        self.0.entries()
    }

    unsafe fn divide(&self, range: Range<usize>) -> Self::Part {
        // SAFETY: as promised.
        unsafe { (self.0.divide(range.clone()), self.1.divide(range)) }
    }
}
