//! Which unknowns a spring couples: the sparsity of every matrix here, found once per pattern and
//! set of pins.

use crate::sim::forces::bending::BendingKey;
use crate::sim::model::partition::Partition;
use crate::sim::{Material, Pattern, Real, StepInput};

/// The sparsity of the lower triangle over the free vertices, with the place of each spring in it.
#[derive(Debug, Default)]
pub struct Structure {
    key: Key,
    /// Column starts, one entry more than unknowns.
    starts: Vec<usize>,
    /// Row of each entry, rising within a column, the diagonal first.
    rows: Vec<usize>,
    /// For each spring its off-diagonal entry, or [`Structure::NONE`] when an end is prescribed or
    /// the spring is off; then for each coupling of isometric bending.
    slots: Vec<u32>,
    springs: usize,
}

/// Input of the sparsity.
#[derive(Debug, Default, PartialEq)]
struct Key {
    revision: u64,
    prescribed: Vec<u32>,
    active: [bool; 3],
    bent: Option<BendingKey>,
}

/// The couplings of isometric bending, if it takes part: two vertices, rising, with `Q_ij` [1/m²].
pub(super) fn bending_couplings<'a>(input: &StepInput<'a>) -> impl Iterator<Item = ([u32; 2], Real)> + use<'a> {
    let vertices = if is_bent(input.material) { input.pattern.len() } else { 0 };
    let bending = input.bending;
    (0..vertices as u32)
        .flat_map(move |i| bending.row(i as usize).iter().filter(move |(j, _)| i < *j).map(move |&(j, q)| ([i, j], q)))
}

fn is_bent(material: &Material) -> bool {
    material.isometric_stiffness() > 0.0
}

/// What isometric bending was made from, if it takes part.
fn bent_key(input: &StepInput) -> Option<BendingKey> {
    input.bending.key().filter(|_| is_bent(input.material))
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
        let bent = bending_couplings(input).map(|(ends, _)| ends);
        let (starts, rows, slots) = couple(input.pattern, input.partition, active, bent);
        let prescribed = input.partition.prescribed.iter().map(|p| p.vertex).collect();
        let key = Key { revision: input.pattern.revision(), prescribed, active, bent: bent_key(input) };
        Self { key, starts, rows, slots, springs: input.pattern.springs().len() }
    }

    /// Whether this is the structure for a step, that is, whether none of its inputs has changed.
    #[must_use]
    pub fn fits(&self, input: &StepInput) -> bool {
        self.key.revision == input.pattern.revision()
            && self.springs == input.pattern.springs().len()
            && self.key.bent == bent_key(input)
            && self.key.active == active_families(input.material)
            && self.key.prescribed.iter().copied().eq(input.partition.prescribed.iter().map(|p| p.vertex))
    }

    /// Number of unknowns (free vertices).
    #[must_use]
    pub fn unknowns(&self) -> usize {
        self.starts.len().saturating_sub(1)
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

    /// Off-diagonal entry of coupling `at` of [`bending_couplings`], if it is between two unknowns.
    pub(super) fn bending_slot(&self, at: usize) -> Option<usize> {
        self.slot(self.springs + at)
    }

    /// Column and row of every entry, in their order.
    pub(super) fn blocks(&self) -> impl Iterator<Item = (usize, usize)> + Clone + '_ {
        let columns =
            (0..self.unknowns()).flat_map(|column| (self.starts[column]..self.starts[column + 1]).map(move |_| column));
        columns.zip(self.rows.iter().copied())
    }
}

type Coupling = (Vec<usize>, Vec<usize>, Vec<u32>);

fn couple(
    pattern: &Pattern,
    partition: &Partition,
    active: [bool; 3],
    bent: impl Iterator<Item = [u32; 2]>,
) -> Coupling {
    let springs = pattern.springs();
    let of_springs = (0..springs.len()).filter(|&e| active[springs.families[e] as usize]).map(|e| (springs.ends[e], e));
    let mut count = springs.len();
    let of_bending = bent.map(|ends| {
        count += 1;
        (ends, count - 1)
    });
    // (column, row, spring) of each coupling, so that sorting yields the columns with their rows
    // rising
    let mut couplings: Vec<(u32, u32, u32)> = (of_springs.chain(of_bending))
        .filter_map(|(ends, e)| {
            let [i, j] = ends.map(|end| partition.unknown_of[end as usize]);
            let coupled = i != Partition::PRESCRIBED && j != Partition::PRESCRIBED && i != j;
            coupled.then(|| (i.min(j), i.max(j), e as u32))
        })
        .collect();
    couplings.sort_unstable();

    let unknowns = partition.free.len();
    let mut starts = Vec::with_capacity(unknowns + 1);
    let mut rows = Vec::with_capacity(unknowns + couplings.len());
    let mut slots = vec![Structure::NONE; count];
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
