//! Sets of items that are joined one pair after the other (union-find, with paths that are halved
//! when they are walked).

/// Disjoint sets of the numbers from 0 on. The root of a set is its lowest item.
#[derive(Debug, Clone, Default)]
pub struct UnionFind {
    /// An item of the same set that is not higher; a root has itself.
    parents: Vec<u32>,
}

impl UnionFind {
    /// As many sets as items.
    #[must_use]
    pub fn new(count: usize) -> Self {
        Self { parents: (0..count as u32).collect() }
    }

    /// Takes all sets apart, and has `count` items from now on.
    pub fn reset(&mut self, count: usize) {
        self.parents.clear();
        self.parents.extend(0..count as u32);
    }

    /// Number of items.
    #[must_use]
    pub fn len(&self) -> usize {
        self.parents.len()
    }

    /// Whether there is no item.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.parents.is_empty()
    }

    /// The lowest item of the set of `item`.
    pub fn root(&mut self, mut item: u32) -> u32 {
        while self.parents[item as usize] != item {
            let up = self.parents[self.parents[item as usize] as usize];
            self.parents[item as usize] = up;
            item = up;
        }
        item
    }

    /// Joins the sets of two items. Returns the root of the whole, and what was the root of the
    /// other part.
    pub fn join(&mut self, a: u32, b: u32) -> [u32; 2] {
        let (a, b) = (self.root(a), self.root(b));
        self.parents[a.max(b) as usize] = a.min(b);
        [a.min(b), a.max(b)]
    }

    /// Has every item know its root, which [`known_root`](Self::known_root) then reads.
    pub fn settle(&mut self) {
        for item in 0..self.parents.len() as u32 {
            self.parents[item as usize] = self.root(item);
        }
    }

    /// The root of `item`, as long as nothing has been joined since [`settle`](Self::settle).
    #[must_use]
    pub fn known_root(&self, item: u32) -> u32 {
        self.parents[item as usize]
    }

    /// The root of every item.
    #[must_use]
    pub fn into_roots(mut self) -> Vec<u32> {
        self.settle();
        self.parents
    }
}
