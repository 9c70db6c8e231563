//! Messages about a cloth that starts inside colliders or bodies.

use super::Scene;
use crate::sim::Simulation;
use crate::sim::params::quote::quote;
use crate::sim::simulation::Enclosure;

impl Scene {
    /// Sentences about the vertices that start inside a closed collider or a body, in a simulation
    /// of this scene that has taken no step.
    #[must_use]
    pub fn notes_of_start(&self, simulation: &Simulation) -> Vec<String> {
        if simulation.steps() > 0 {
            return Vec::new();
        }
        let all = simulation.state.cloth.len();
        let found = simulation.find_enclosed();
        found.into_iter().map(|(enclosure, inside)| self.note_of(enclosure, inside, all)).collect()
    }

    fn note_of(&self, enclosure: Enclosure, inside: usize, all: usize) -> String {
        let (start, them) = if inside == 1 { ("vertices starts", "it") } else { ("vertices start", "them") };
        let called = |name: &str| if name.is_empty() { String::new() } else { format!(" \"{}\"", quote(name)) };
        let place = match enclosure {
            Enclosure::Floor => "below the floor".to_owned(),
            Enclosure::Table => "inside the table".to_owned(),
            Enclosure::Collider(at) => {
                let name = self.colliders.get(at).map_or("", |collider| &collider.name);
                format!("inside collider {}{}", at + 1, called(name))
            }
            Enclosure::Body(at) => {
                let name = self.all_pieces().nth(at).map_or("", |piece| &piece.name);
                return format!(
                    "{inside} of {all} {start} inside the body of cloth {}{}, which keeps {them} in; move one of the two",
                    at + 1,
                    called(name)
                );
            }
        };
        format!("{inside} of {all} {start} {place}, which pushes {them} out in the first steps; move one of the two")
    }
}
