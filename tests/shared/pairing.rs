//! Products of registries that take minutes: a run tests a part in which every row and every column
//! is met, another part on another day.

use crate::seed::seed;

/// Whether all of a product is to be tested: `WEFT_TEST_ALL=1`.
fn all() -> bool {
    std::env::var("WEFT_TEST_ALL").is_ok_and(|value| value == "1")
}

/// For each of `rows`, so many of `columns`, in turn; with `WEFT_TEST_ALL=1` all of them. The seed
/// is printed.
pub fn paired<A, B>(
    rows: impl IntoIterator<Item = A>,
    columns: impl IntoIterator<Item = B>,
    of_each: usize,
) -> impl Iterator<Item = (A, B)>
where
    A: Clone,
    B: Clone,
{
    let columns: Vec<B> = columns.into_iter().collect();
    let (seed, count) = (seed(), if all() { columns.len() } else { of_each.min(columns.len()) });
    println!("{count} of {} for each, WEFT_TEST_SEED={seed}; all of them with WEFT_TEST_ALL=1", columns.len());
    rows.into_iter().enumerate().flat_map(move |(number, row)| {
        let first = seed + number * count;
        let chosen: Vec<B> = (first..first + count).map(|at| columns[at % columns.len()].clone()).collect();
        chosen.into_iter().map(move |column| (row.clone(), column))
    })
}
