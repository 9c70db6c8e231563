//! Whole grids, whose neighbours need no list.

use crate::sim::pattern::{Coefficients, Family};
use crate::sim::{Pattern, Real};

/// How far rest lengths of one direction may differ, relative to them: rounding of where the
/// vertices are.
const ROUNDING: Real = 1e-9;

/// Directions in which the springs of a vertex of a grid lead: right, down, along both diagonals,
/// two right, two down.
pub const DIRECTIONS: usize = 5;

/// A pattern that is a whole grid, as [`Pattern::grid`] makes it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grid {
    /// Number of columns.
    pub columns: u32,
    /// Number of rows.
    pub rows: u32,
    /// Rest length by direction [m].
    pub rests: [Real; DIRECTIONS],
}

impl Grid {
    /// The grid of `pattern`, if it is one and its springs of a family are all alike: not if it is
    /// torn, or if pieces have material overrides.
    #[must_use]
    pub fn of(pattern: &Pattern) -> Option<Self> {
        let count = pattern.len();
        let springs = pattern.springs();
        let columns = springs.ends.iter().find(|[_, j]| *j > 1).map_or(count, |&[i, j]| (j - i) as usize);
        // the first row links 0 to 1, then to the vertex below
        let columns = if springs.ends.first() == Some(&[0, 1]) { columns } else { 1 };
        if columns < 3 || count < 3 * columns || !count.is_multiple_of(columns) {
            return None;
        }
        let rows = count / columns;
        let mut rests = [None; DIRECTIONS];
        let mut at = 0;
        let mut fits = |i: usize, j: usize, direction: usize| {
            let same = springs.ends.get(at).is_some_and(|ends| *ends == [i as u32, j as u32]);
            let rest = springs.rest_lengths.get(at).copied().unwrap_or_default();
            let expected = *rests[direction].get_or_insert(rest);
            let plain = pattern.kinds().get(at).is_some_and(|kind| kind.index() < 3);
            at += 1;
            same && plain && (rest - expected).abs() <= ROUNDING * expected
        };
        for row in 0..rows {
            for column in 0..columns {
                let i = row * columns + column;
                let (right, down) = (column + 1 < columns, row + 1 < rows);
                let links = [
                    (right, i, i + 1, 0),
                    (down, i, i + columns, 1),
                    (right && down, i, i + columns + 1, 2),
                    (right && down, i + 1, i + columns, 2),
                    (column + 2 < columns, i, i + 2, 3),
                    (row + 2 < rows, i, i + 2 * columns, 4),
                ];
                if links.into_iter().any(|(is_there, i, j, direction)| is_there && !fits(i, j, direction)) {
                    return None;
                }
            }
        }
        let rests = rests.map(Option::unwrap_or_default);
        let grid = Self { columns: columns as u32, rows: rows as u32, rests };
        (at == springs.len()).then_some(grid)
    }

    /// The coefficient of the springs of each direction.
    #[must_use]
    pub fn by_direction(&self, table: &Coefficients) -> [Real; DIRECTIONS] {
        let families = [Family::Structural, Family::Structural, Family::Shear, Family::Bend, Family::Bend];
        std::array::from_fn(|direction| table.of_plain(families[direction], self.rests[direction]))
    }
}
