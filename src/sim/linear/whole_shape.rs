//! Reuse of the elimination order when a cloth tears: it is found once, for the whole cloth.
//!
//! So the factor of a torn cloth follows from the cloth alone, not from the order of its tears, and
//! most of it stays the same after a tear.

use super::{ConstantSystem, Graph, Rows, Shape, nested_dissection};
use crate::sim::Vec3;
use crate::sim::exec::budget::{Cancelled, WorkBudget};

/// Largest number of torn vertices that are eliminated with those that they were torn from, as a
/// share of all: beyond, a new order is worth its time, since the parts of a vertex are coupled
/// there as if they still hung together.
const TORN_SHARE: usize = 8;

/// Shape of the factor of the whole cloth, for the couplings with the key `K`.
#[derive(Debug)]
pub struct WholeShape<K>(Option<(K, Shape)>);

impl<K> Default for WholeShape<K> {
    fn default() -> Self {
        Self(None)
    }
}

impl<K: PartialEq> WholeShape<K> {
    /// A system for the couplings of `rows` between vertices at `points` [m]. `origins` names for
    /// each vertex the one that it was in the whole cloth, `whole` gives the couplings of that, and
    /// `last` is the system before the tear, if there was one.
    ///
    /// # Errors
    /// [`Cancelled`].
    #[expect(clippy::too_many_arguments, reason = "a cloth, whole and torn, and what was known of it")]
    pub fn system(
        &mut self,
        key: K,
        rows: &Rows,
        origins: &[u32],
        points: &[Vec3],
        whole: impl FnOnce() -> Graph,
        last: Option<ConstantSystem>,
        budget: &WorkBudget,
    ) -> Result<ConstantSystem, Cancelled> {
        // the matrix may be the same, and a resumed run knows how its factor came about
        let history = last.as_ref().map(|last| last.history().clone());
        let resumed = |mut system: ConstantSystem| {
            history.into_iter().for_each(|history| system.resume(history));
            system
        };
        let vertices = origins.iter().max().map_or(0, |&last| last as usize + 1);
        if TORN_SHARE * (origins.len() - vertices) > vertices {
            return ConstantSystem::new(rows, points, budget).map(resumed);
        }
        let kept = self.0.take().filter(|(kept, _)| *kept == key);
        let kept = match kept {
            Some(kept) => kept,
            None => {
                let graph = whole();
                let order = nested_dissection(&graph, &points[..vertices], budget)?;
                budget.check()?;
                (key, Shape::of(&graph, &order))
            }
        };
        let (_, shape) = self.0.insert(kept);
        budget.check()?;
        Ok(resumed(ConstantSystem::of_whole(shape, origins, last)))
    }
}
