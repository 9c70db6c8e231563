//! A hash of numbers by which equal contents are known again.

/// The hash of `words` in their order; no secret, and the same everywhere.
#[must_use]
pub fn fingerprint(words: impl Iterator<Item = u64>) -> u64 {
    // FNV-1a, a word at a time; the shift brings high bits down, which a multiplication alone never does
    words.fold(0xcbf2_9ce4_8422_2325, |hash, word| {
        let mixed = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ (mixed >> 32)
    })
}
