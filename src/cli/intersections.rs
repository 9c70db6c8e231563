//! How many triangles intersect in the course of a run.

use super::output::Failure;
use crate::sim::contact::Intersections;
use crate::sim::{Real, Simulation};

/// The count of triangles that intersect, over a run.
pub(super) struct IntersectionCheck {
    search: Intersections,
    /// The largest count, and the time [s] when it was first reached.
    largest: usize,
    worst_time: Real,
    /// When the first was found [s].
    first_time: Option<Real>,
    /// Whether the cloth has met itself, and colliders.
    met: [bool; 2],
}

impl IntersectionCheck {
    /// Counts those of the state that the run starts from.
    pub fn begin(simulation: &Simulation) -> Self {
        let mut check =
            Self { search: Intersections::default(), largest: 0, worst_time: 0.0, first_time: None, met: [false; 2] };
        check.count(simulation);
        check
    }

    /// Counts those of the present state: pairs of triangles of the cloth, and triangles of it with
    /// a collider made of triangles.
    pub fn count(&mut self, simulation: &Simulation) -> usize {
        let [pairs, in_colliders] = simulation.find_intersections(&mut self.search);
        let counts = [pairs.len(), in_colliders.len()];
        let count = counts.iter().sum();
        self.met = [0, 1].map(|k| self.met[k] || counts[k] > 0);
        if count > 0 {
            self.first_time.get_or_insert(simulation.time());
        }
        if count > self.largest {
            (self.largest, self.worst_time) = (count, simulation.time());
        }
        count
    }

    /// The largest count.
    pub fn largest(&self) -> usize {
        self.largest
    }

    /// A run with intersections has failed.
    ///
    /// # Errors
    /// It says when, and how many.
    pub fn judge(&self) -> Result<(), Failure> {
        let Some(first) = self.first_time else { return Ok(()) };
        let Self { largest, worst_time, .. } = self;
        let least = if *largest == Intersections::MOST { "at least " } else { "" };
        let pairs = if *largest == 1 { "pair of triangles intersects" } else { "pairs of triangles intersect" };
        let whom = match self.met {
            [_, false] => "itself",
            [false, true] => "a collider",
            [true, true] => "itself and a collider",
        };
        Err(Failure::Ran(format!(
            "the cloth intersects {whom} from t = {first:.4} s on; at t = {worst_time:.4} s {least}{largest} {pairs}"
        )))
    }
}
