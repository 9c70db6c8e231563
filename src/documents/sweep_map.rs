//! The runs of a sweep in the grid of its varied parameters, for a plot.

use std::collections::BTreeMap;

use super::SweepSheet;
use crate::sim::Real;

/// How much larger than the smallest the largest of some values has to be for a logarithmic scale.
const WIDE: Real = 8.0;

/// A parameter that was varied.
#[derive(Debug, Clone, PartialEq)]
pub struct SweepAxis {
    /// Its name.
    pub key: String,
    /// Its values as the table has them, rising if they are numbers.
    pub values: Vec<String>,
    /// The values as numbers, if all of them are.
    numbers: Option<Vec<Real>>,
    /// Whether equal ways are equal factors.
    pub logarithmic: bool,
}

impl SweepAxis {
    fn of(key: &str, mut values: Vec<String>) -> Self {
        let number = |text: &String| text.trim().parse::<Real>().ok().filter(|number| number.is_finite());
        let mut numbers: Option<Vec<Real>> = values.iter().map(number).collect();
        if let Some(numbers) = &mut numbers {
            let mut pairs: Vec<(Real, String)> = numbers.iter().copied().zip(values).collect();
            pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
            (*numbers, values) = pairs.into_iter().unzip();
        }
        let logarithmic = numbers.as_ref().is_some_and(|numbers| is_logarithmic(numbers));
        Self { key: key.to_owned(), values, numbers, logarithmic }
    }

    /// Where the cells of the values begin and end, from 0 to 1: one more than there are values. An
    /// edge is in the middle between two values.
    #[must_use]
    pub fn edges(&self) -> Vec<Real> {
        let count = self.values.len();
        let even = || (0..=count).map(|edge| edge as Real / count.max(1) as Real).collect();
        let Some(numbers) = self.numbers.as_ref().filter(|_| count > 1) else { return even() };
        let places: Vec<Real> =
            numbers.iter().map(|number| if self.logarithmic { number.ln() } else { *number }).collect();
        let mut edges = vec![1.5 * places[0] - 0.5 * places[1]];
        edges.extend(places.windows(2).map(|pair| 0.5 * (pair[0] + pair[1])));
        edges.push(1.5 * places[count - 1] - 0.5 * places[count - 2]);
        let (low, high) = (edges[0], edges[count]);
        let share = |edge: &Real| (edge - low) / (high - low);
        let edges: Vec<Real> = edges.iter().map(share).collect();
        // one written twice, as 1 and 1.0, has no room
        if edges.windows(2).all(|pair| pair[1] > pair[0]) { edges } else { even() }
    }
}

/// Whether rising numbers lie more evenly by factors than by differences.
#[must_use]
pub fn is_logarithmic(rising: &[Real]) -> bool {
    let [first, .., last] = rising else { return false };
    if !(*first > 0.0 && last / first >= WIDE) || rising.len() < 3 {
        return false;
    }
    let unevenness = |steps: &mut dyn Iterator<Item = Real>| {
        let (least, most) =
            steps.fold((Real::INFINITY, 0.0), |(least, most): (Real, Real), step| (least.min(step), most.max(step)));
        most / least
    };
    let by_factor = unevenness(&mut rising.windows(2).map(|pair| (pair[1] / pair[0]).ln()));
    let by_difference = unevenness(&mut rising.windows(2).map(|pair| pair[1] - pair[0]));
    by_factor < by_difference
}

/// All runs by their values.
#[derive(Debug, Clone, PartialEq)]
pub struct SweepMap {
    /// Axes of the varied parameters.
    pub axes: Vec<SweepAxis>,
    /// Numbers of the rows, by the places of their values on the axes.
    rows: BTreeMap<Vec<usize>, usize>,
}

impl SweepMap {
    /// That of a table. Of rows with the same values the last one counts.
    #[must_use]
    pub fn of(sheet: &SweepSheet) -> Self {
        let axis = |(number, key): (usize, &String)| {
            let mut values: Vec<String> = Vec::new();
            for row in &sheet.rows {
                if !values.contains(&row.values[number]) {
                    values.push(row.values[number].clone());
                }
            }
            SweepAxis::of(key, values)
        };
        let axes: Vec<SweepAxis> = sheet.axes.iter().enumerate().map(axis).collect();
        let numbers: Vec<BTreeMap<&str, usize>> = axes
            .iter()
            .map(|axis| axis.values.iter().enumerate().map(|(place, value)| (value.as_str(), place)).collect())
            .collect();
        let place = |values: &[String]| -> Option<Vec<usize>> {
            values.iter().zip(&numbers).map(|(value, places)| places.get(value.as_str()).copied()).collect()
        };
        let rows = sheet.rows.iter().enumerate().filter_map(|(number, row)| Some((place(&row.values)?, number)));
        let rows = rows.collect();
        Self { axes, rows }
    }

    /// The number of the row whose values have these places on the axes; none where the run has not
    /// finished yet.
    #[must_use]
    pub fn row(&self, place: &[usize]) -> Option<usize> {
        self.rows.get(place).copied()
    }
}
