//! Commands in several lanes: which of them reach other lanes, and the vertices and triangles that
//! they are about there.

use super::{Command, CutHit, Scope};
use crate::sim::Pattern;
use crate::sim::study::correspondence::{Correspondence, Place};

/// Where the places of one lane are in another; found again when one has another cloth.
#[derive(Default)]
pub struct LanePlaces(Option<Correspondence>);

impl LanePlaces {
    /// Where the places of the pattern `from` are in the pattern `to`.
    pub fn between(&mut self, from: &Pattern, to: &Pattern) -> &Correspondence {
        self.0.take_if(|known| !known.is_of(from, to));
        self.0.get_or_insert_with(|| Correspondence::between(from, to))
    }

    /// The same, if it has been found already.
    #[must_use]
    pub fn known(&self, from: &Pattern, to: &Pattern) -> Option<&Correspondence> {
        self.0.as_ref().filter(|known| known.is_of(from, to))
    }

    /// A command to the lane of the pattern `from` as that of the pattern `to` gets it; none if it
    /// is for that lane alone, or for its time line.
    pub fn forward(&mut self, command: &Command, from: &Pattern, to: &Pattern) -> Option<Command> {
        match command.effects().scope {
            Scope::Chosen | Scope::Time => None,
            Scope::All | Scope::Scene => Some(command.within(self.between(from, to), from, to)),
        }
    }
}

impl Command {
    /// The command, which is about a cloth of the pattern `reference`, for a cloth of the pattern
    /// `other`, in which its `places` are known.
    fn within(&self, places: &Correspondence, reference: &Pattern, other: &Pattern) -> Self {
        // vertices that the reference lacks exist in no lane
        let vertex_of = |vertex: u32| places.vertex(vertex, reference, other).unwrap_or(u32::MAX);
        let hit_of = |hit: CutHit| {
            let place = places.place(Place { triangle: hit.triangle, weights: hit.weights }, reference)?;
            Some(CutHit { triangle: place.triangle, weights: place.weights })
        };
        match self {
            Self::Grab { vertex, target } => Self::Grab { vertex: vertex_of(*vertex), target: *target },
            Self::Pin { vertex } => Self::Pin { vertex: vertex_of(*vertex) },
            Self::Unpin { vertex } => Self::Unpin { vertex: vertex_of(*vertex) },
            Self::Cut { begin, hits } => {
                Self::Cut { begin: *begin, hits: hits.iter().map(|hit| hit.and_then(hit_of)).collect() }
            }
            command => command.clone(),
        }
    }
}
