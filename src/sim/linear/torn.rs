//! Systems of a cloth that tears: the order of elimination is found once, for the whole cloth, and kept.
//!
//! So the factor of a torn cloth follows from the cloth alone, not from the order in which it came apart, and after a tear
//! most of it is that of before.

use super::{ConstantSystem, Graph, Rows, Shape, nested_dissection};
use crate::sim::Vec3;
use crate::sim::exec::effort::{Cancelled, Effort};

/// Largest number of torn vertices that are eliminated with those that they were torn from, as a share of all: beyond, a new
/// order is worth its time, since the parts of a vertex are coupled there as if they still hung together.
const TORN_SHARE: usize = 8;

/// The shape of the factor of the whole cloth, for the couplings that `K` stands for.
#[derive(Debug)]
pub struct WholeShape<K>(Option<(K, Shape)>);

impl<K> Default for WholeShape<K> {
    fn default() -> Self {
        Self(None)
    }
}

impl<K: PartialEq> WholeShape<K> {
    /// A system for the couplings of `rows` between vertices at `points` [m]. `origins` names for each vertex the one that it
    /// was in the whole cloth, `whole` gives the couplings of that, and `last` is the system before the tear, if there was one.
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
        effort: &Effort,
    ) -> Result<ConstantSystem, Cancelled> {
        let vertices = origins.iter().max().map_or(0, |&last| last as usize + 1);
        if TORN_SHARE * (origins.len() - vertices) > vertices {
            return ConstantSystem::new(rows, points, effort);
        }
        let kept = self.0.take().filter(|(kept, _)| *kept == key);
        let kept = match kept {
            Some(kept) => kept,
            None => {
                let graph = whole();
                let order = nested_dissection(&graph, &points[..vertices], effort)?;
                effort.check()?;
                (key, Shape::of(&graph, &order))
            }
        };
        let (_, shape) = self.0.insert(kept);
        effort.check()?;
        Ok(ConstantSystem::torn(shape, origins, last))
    }
}
