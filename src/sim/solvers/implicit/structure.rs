//! Which unknowns a spring couples: the sparsity of every matrix here, found once per pattern and set of pins.

use crate::sim::model::partition::Partition;
use crate::sim::{Material, Pattern, StepInput};

/// The sparsity of the lower triangle over the free vertices, with the place of each spring in it.
#[derive(Debug, Default)]
pub struct Structure {
    key: Key,
    /// Column starts, one entry more than unknowns.
    starts: Vec<usize>,
    /// Row of each entry, rising within a column, the diagonal first.
    rows: Vec<usize>,
    /// For each spring its off-diagonal entry, or [`Structure::NONE`] when an end is prescribed or the spring is off.
    slots: Vec<u32>,
}

/// What the sparsity depends on.
#[derive(Debug, Default, PartialEq)]
struct Key {
    revision: u64,
    prescribed: Vec<u32>,
    active: [bool; 3],
}

fn active_families(material: &Material) -> [bool; 3] {
    material.stiffness_by_family().map(|k| k > 0.0)
}

impl Structure {
    /// Marks a spring without an off-diagonal entry.
    pub const NONE: u32 = u32::MAX;

    /// The structure for a step.
    #[must_use]
    pub fn of(input: &StepInput) -> Self {
        let active = active_families(input.material);
        let (starts, rows, slots) = couple(input.pattern, input.partition, active);
        let prescribed = input.partition.prescribed.iter().map(|p| p.vertex).collect();
        Self { key: Key { revision: input.pattern.revision(), prescribed, active }, starts, rows, slots }
    }

    /// Whether this is the structure for a step, that is, whether none of its inputs has changed.
    #[must_use]
    pub fn fits(&self, input: &StepInput) -> bool {
        self.key.revision == input.pattern.revision()
            && self.slots.len() == input.pattern.springs().len()
            && self.key.active == active_families(input.material)
            && self.key.prescribed.iter().copied().eq(input.partition.prescribed.iter().map(|p| p.vertex))
    }

    /// Number of unknowns (free vertices).
    #[must_use]
    pub fn unknowns(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Number of entries in the lower triangle.
    #[must_use]
    pub fn entries(&self) -> usize {
        self.rows.len()
    }

    /// Entry of the diagonal of `unknown`.
    #[must_use]
    pub fn diagonal(&self, unknown: usize) -> usize {
        self.starts[unknown]
    }

    /// Off-diagonal entry of a spring between two unknowns.
    #[must_use]
    pub fn slot(&self, spring: usize) -> Option<usize> {
        let slot = self.slots[spring];
        (slot != Self::NONE).then_some(slot as usize)
    }

    /// Column and row of every entry, in their order.
    pub(super) fn blocks(&self) -> impl Iterator<Item = (usize, usize)> + Clone + '_ {
        let columns =
            (0..self.unknowns()).flat_map(|column| (self.starts[column]..self.starts[column + 1]).map(move |_| column));
        columns.zip(self.rows.iter().copied())
    }
}

type Coupling = (Vec<usize>, Vec<usize>, Vec<u32>);

fn couple(pattern: &Pattern, partition: &Partition, active: [bool; 3]) -> Coupling {
    let springs = pattern.springs();
    // (column, row, spring) of each coupling, so that sorting yields the columns with their rows rising
    let mut couplings: Vec<(u32, u32, u32)> = (0..springs.len())
        .filter(|&e| active[springs.families[e] as usize])
        .filter_map(|e| {
            let [i, j] = springs.ends[e].map(|end| partition.unknown_of[end as usize]);
            let coupled = i != Partition::PRESCRIBED && j != Partition::PRESCRIBED && i != j;
            coupled.then(|| (i.min(j), i.max(j), e as u32))
        })
        .collect();
    couplings.sort_unstable();

    let unknowns = partition.free.len();
    let mut starts = Vec::with_capacity(unknowns + 1);
    let mut rows = Vec::with_capacity(unknowns + couplings.len());
    let mut slots = vec![Structure::NONE; springs.len()];
    let mut next = couplings.into_iter().peekable();
    for column in 0..unknowns {
        starts.push(rows.len());
        rows.push(column);
        while let Some((_, row, spring)) = next.next_if(|coupling| coupling.0 as usize == column) {
            // several springs between the same two vertices share an entry
            if rows.last() != Some(&(row as usize)) {
                rows.push(row as usize);
            }
            slots[spring as usize] = rows.len() as u32 - 1;
        }
    }
    starts.push(rows.len());
    (starts, rows, slots)
}
