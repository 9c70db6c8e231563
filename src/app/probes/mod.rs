//! The vertices that are looked at: a click on the cloth takes one, a pin keeps it while others are
//! taken.

mod gizmos;
pub mod panel;

use bevy::app::RunFixedMainLoopSystems;
use bevy::prelude::*;

use super::session::{SessionHandle, TakeFrame};
use crate::app::plots::history::History;
use crate::session::Watch;
use crate::sim::measure::{MOST_PROBES, Probes as Vertices};

/// A vertex that is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Probe {
    /// The vertex.
    pub vertex: u32,
    /// Whether it stays when another is taken.
    pub is_pinned: bool,
}

/// All of them, each in a place of its own, which gives it its colour.
#[derive(Resource, Debug, Default)]
pub struct Probes {
    places: [Option<Probe>; MOST_PROBES],
    /// The cloth that they are on.
    generation: u64,
    /// The spring that is pointed at in a card, by its ends.
    pub spring: Option<[u32; 2]>,
    /// Whether their ways over the last seconds are not drawn.
    pub hides_trails: bool,
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Probes>()
        .add_plugins(gizmos::plugin)
        .add_systems(RunFixedMainLoop, look.before(TakeFrame).in_set(RunFixedMainLoopSystems::BeforeFixedMainLoop));
}

impl Probes {
    /// Looks at a vertex, in the place of the one that is not pinned.
    pub fn take(&mut self, vertex: u32) {
        if self.place_of(vertex).is_some() {
            return;
        }
        let is_loose = |probe: &Option<Probe>| probe.is_some_and(|probe| !probe.is_pinned);
        let place = self.places.iter().position(is_loose).or_else(|| self.places.iter().position(Option::is_none));
        // where all are pinned, the last one makes room
        self.places[place.unwrap_or(MOST_PROBES - 1)] = Some(Probe { vertex, is_pinned: false });
        info!("looks at vertex {vertex}");
    }

    /// Looks at a vertex and keeps it, or no longer.
    pub fn toggle_kept(&mut self, vertex: u32) {
        match self.place_of(vertex) {
            Some(place) if self.places[place].is_some_and(|probe| probe.is_pinned) => self.remove(place),
            Some(place) => self.pin(place, true),
            None => {
                self.take(vertex);
                if let Some(place) = self.place_of(vertex) {
                    self.pin(place, true);
                }
            }
        }
    }

    /// Pins the probe in a place, or releases it. Of several probes that are not pinned only one is
    /// left by the next.
    pub fn pin(&mut self, place: usize, on: bool) {
        if let Some(probe) = &mut self.places[place] {
            probe.is_pinned = on;
        }
    }

    /// Removes the probe in a place.
    pub fn remove(&mut self, place: usize) {
        if let Some(probe) = self.places[place].take() {
            info!("looks no longer at vertex {}", probe.vertex);
        }
    }

    /// Removes the probe that is not pinned.
    pub fn leave(&mut self) {
        for place in 0..MOST_PROBES {
            if self.places[place].is_some_and(|probe| !probe.is_pinned) {
                self.remove(place);
            }
        }
    }

    /// Those that there are, with their places.
    pub fn all(&self) -> impl Iterator<Item = (usize, Probe)> + '_ {
        self.places.iter().enumerate().filter_map(|(place, probe)| Some((place, (*probe)?)))
    }

    /// The vertices by their places.
    #[must_use]
    pub fn vertices(&self) -> Vertices {
        self.places.map(|probe| probe.map(|probe| probe.vertex))
    }

    /// The place of a vertex that is looked at.
    #[must_use]
    pub fn place_of(&self, vertex: u32) -> Option<usize> {
        self.all().find(|(_, probe)| probe.vertex == vertex).map(|(place, _)| place)
    }
}

/// Colour of the probe in a place, distinguishable with any colour vision (Okabe and Ito 2008), as
/// red, green and blue up to 255.
#[must_use]
pub const fn colour(place: usize) -> [u8; 3] {
    [[0, 158, 115], [0, 114, 178], [204, 121, 167], [213, 94, 0]][place % MOST_PROBES]
}

/// Has the session tell of them, and the plots draw them. Those of another cloth are gone.
fn look(mut probes: ResMut<Probes>, mut history: ResMut<History>, mut session: ResMut<SessionHandle>) {
    let generation = session.frame().generation;
    if probes.generation != generation {
        let count = session.frame().positions.len();
        probes.generation = generation;
        for place in probes.places.iter_mut().filter(|place| place.is_some_and(|probe| probe.vertex as usize >= count))
        {
            *place = None;
        }
    }
    let vertices = probes.vertices();
    if session.watched().probes != vertices {
        let watched = session.watched();
        session.watch(Watch { probes: vertices, ..watched });
    }
    if history.now().probed != vertices {
        history.set_probes(vertices);
    }
}
