//! A hash of numbers by which equal contents are known again.

/// Where a hash begins.
const START: u64 = 0xcbf2_9ce4_8422_2325;

/// The hash of `words` in their order; no secret, and the same everywhere.
#[must_use]
pub fn fingerprint(words: impl Iterator<Item = u64>) -> u64 {
    words.fold(START, with)
}

/// The hash of rows of `N` words: a hash per column, which a processor finds at the same time, and
/// that of these.
#[must_use]
pub fn fingerprint_of_rows<const N: usize>(rows: impl Iterator<Item = [u64; N]>) -> u64 {
    let columns = rows.fold([START; N], |hashes, row| std::array::from_fn(|k| with(hashes[k], row[k])));
    fingerprint(columns.into_iter())
}

/// A hash with one word more.
fn with(hash: u64, word: u64) -> u64 {
    // FNV-1a, a word at a time; the shift brings high bits down, which a multiplication alone never
    // does
    let mixed = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ (mixed >> 32)
}
