//! Runs of a sweep by their numbers, as text: `3,7-12`.

use std::collections::BTreeSet;

use crate::scene::InputError;

/// The runs that are named, counted from zero, of so many; `None` if none is.
///
/// # Errors
/// [`InputError`] for what is neither a number nor two with a dash, or a run that there is not.
pub(super) fn numbers(named: &[String], of: usize) -> Result<Option<BTreeSet<usize>>, InputError> {
    let mut runs = BTreeSet::new();
    for part in named {
        let (from, to) = part.split_once('-').unwrap_or((part, part));
        let range = from.trim().parse::<usize>().ok().zip(to.trim().parse::<usize>().ok());
        let Some((from, to)) = range.filter(|(from, to)| (1..=*to).contains(from) && *to <= of) else {
            let message = format!("is no run, nor a range of them: there are the runs 1 to {of}");
            return Err(InputError::new(format!("--runs {part}"), message));
        };
        runs.extend(from - 1..to);
    }
    Ok((!named.is_empty()).then_some(runs))
}

/// The ranges of rising numbers, first and last.
pub(super) fn ranges(rising: &[usize]) -> Vec<[usize; 2]> {
    let mut ranges: Vec<[usize; 2]> = Vec::new();
    for &number in rising {
        match ranges.last_mut() {
            Some([_, last]) if *last + 1 == number => *last = number,
            _ => ranges.push([number; 2]),
        }
    }
    ranges
}

/// The same as `--runs` takes them.
pub(super) fn argument(ranges: &[[usize; 2]]) -> String {
    let name = |[from, to]: &[usize; 2]| if from == to { from.to_string() } else { format!("{from}-{to}") };
    ranges.iter().map(name).collect::<Vec<_>>().join(",")
}
