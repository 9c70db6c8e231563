//! Compressed rows: lists of different lengths, one after the other in one array.

use std::ops::Range;

/// Lists of items, numbered from 0. Row `r` is `items[starts[r]..starts[r + 1]]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Csr<T> {
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T> Default for Csr<T> {
    fn default() -> Self {
        Self { starts: vec![0], items: Vec::new() }
    }
}

impl<T> Csr<T> {
    /// Number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.starts.len() - 1
    }

    /// Where row `r` lies in [`items`](Self::items).
    #[inline]
    #[must_use]
    pub fn range(&self, r: usize) -> Range<usize> {
        self.starts[r] as usize..self.starts[r + 1] as usize
    }

    /// Row `r`.
    #[inline]
    #[must_use]
    pub fn row(&self, r: usize) -> &[T] {
        &self.items[self.range(r)]
    }

    /// All rows, one after the other.
    #[must_use]
    pub fn items(&self) -> &[T] {
        &self.items
    }

    /// Appends a row.
    pub fn push(&mut self, row: impl IntoIterator<Item = T>) {
        self.items.extend(row);
        self.starts.push(self.items.len() as u32);
    }

    /// Makes room for so many more `rows` with so many `items` in all.
    pub fn reserve(&mut self, rows: usize, items: usize) {
        self.starts.reserve(rows);
        self.items.reserve(items);
    }

    /// Takes all rows out.
    pub fn clear(&mut self) {
        self.starts.truncate(1);
        self.items.clear();
    }
}

impl<T: Copy + Default> Csr<T> {
    /// So many `rows` from pairs of a row and an item. Within a row the items keep their order.
    #[must_use]
    pub fn from_pairs(rows: usize, pairs: impl Iterator<Item = (u32, T)> + Clone) -> Self {
        let mut csr = Self::default();
        csr.fill(rows, pairs);
        csr
    }

    /// [`from_pairs`](Self::from_pairs) in the memory that there is.
    pub fn fill(&mut self, rows: usize, pairs: impl Iterator<Item = (u32, T)> + Clone) {
        // counting sort: `starts[r + 1]` is first the length, then the beginning, at last the end
        // of row `r`
        self.starts.clear();
        self.starts.resize(rows + 1, 0);
        let Self { starts, items } = self;
        // `for_each`, since nested iterators are quicker from within
        pairs.clone().for_each(|(row, _)| starts[row as usize + 1] += 1);
        let mut count = 0;
        for entry in &mut starts[1..] {
            count += std::mem::replace(entry, count);
        }
        items.clear();
        items.resize(count as usize, T::default());
        pairs.for_each(|(row, item)| {
            let next = &mut starts[row as usize + 1];
            items[*next as usize] = item;
            *next += 1;
        });
    }

    /// Sorts every row and takes repeated items out.
    pub fn sort_and_dedup(&mut self)
    where
        T: Ord,
    {
        let (mut kept, mut start) = (0, 0);
        for r in 0..self.rows() {
            let end = self.starts[r + 1] as usize;
            self.items[start..end].sort_unstable();
            let first = kept;
            for at in start..end {
                if kept == first || self.items[kept - 1] != self.items[at] {
                    self.items[kept] = self.items[at];
                    kept += 1;
                }
            }
            start = end;
            self.starts[r + 1] = kept as u32;
        }
        self.items.truncate(kept);
    }
}
