//! Pins and motions of a running simulation as declarations of a scene.

use std::collections::BTreeMap;

use super::{Handle, InputError, PinChoice, Scene};
use crate::sim::{Motion, Path, Pin, Real, Simulation, Vec3};

/// How fast a vertex gets to where it was pinned by hand, from where the scene starts it [m/s].
const SPEED: Real = 1.0;
/// Shortest time that it takes to [s].
const SHORTEST: Real = 0.5;

impl Scene {
    /// Gives the scene the pins of `simulation`, which was made from it. A vertex pinned away from
    /// its start in the scene is moved there from its start, within half a second or at 1 m/s. A
    /// pin on a torn-off vertex becomes one on the whole cloth; a moving pin that was shifted by
    /// hand starts where the scene starts it.
    ///
    /// # Errors
    /// [`InputError`] when the scene cannot be built.
    pub fn hold_as(&mut self, simulation: &Simulation) -> Result<(), InputError> {
        let start = self.build()?;
        let pattern = simulation.pattern();
        if start.pattern().len() != pattern.whole_len() {
            let message = "its cloth is another than that of the scene that it came from; save it as a snapshot";
            return Err(InputError::new(&self.name, message));
        }
        let origins = pattern.origins();
        let mut held: BTreeMap<u32, Pin> = BTreeMap::new();
        for pin in simulation.state.cloth.pins() {
            let vertex = origins[pin.vertex as usize];
            held.entry(vertex).or_insert_with(|| Pin { vertex, ..pin.clone() });
        }
        let firsts = pattern.pieces();
        let ends = firsts[1..].iter().copied().chain([pattern.whole_len() as u32]);
        for (piece, (&first, end)) in self.all_pieces_mut().zip(firsts.iter().zip(ends)) {
            let now: Vec<Pin> = held.range(first..end).map(|(_, pin)| pin.clone()).collect();
            let within = |pin: &&Pin| (first..end).contains(&pin.vertex);
            if now.iter().eq(start.state.cloth.pins().iter().filter(within)) {
                continue;
            }
            let (pinned, mut handles) = described(&now, first, &start);
            for handle in &mut handles {
                let is_alike = |old: &&Handle| old.path == handle.path && old.turn == handle.turn;
                handle.name = piece.handles.iter().find(is_alike).map_or(String::new(), |old| old.name.clone());
            }
            (piece.pins, piece.pinned, piece.handles) = (PinChoice::None, pinned, handles);
        }
        Ok(())
    }
}

/// The vertices of a piece that begins at `first` which are held where they start, and those that
/// are moved.
fn described(pins: &[Pin], first: u32, start: &Simulation) -> (Vec<u32>, Vec<Handle>) {
    let mut pinned = Vec::new();
    let mut handles: Vec<Handle> = Vec::new();
    for pin in pins {
        let (vertex, begins) = (pin.vertex - first, start.state.cloth.positions[pin.vertex as usize]);
        let motion = match &pin.motion {
            Some(motion) => motion.clone(),
            None if pin.origin == begins => {
                pinned.push(vertex);
                continue;
            }
            None => {
                let way = pin.origin - begins;
                let points = vec![(0.0, Vec3::ZERO), ((way.length() / SPEED).max(SHORTEST), way)];
                Motion::from(Path::Waypoints { points, repeat: false })
            }
        };
        let same = |handle: &&mut Handle| handle.path == motion.path && handle.turn == motion.turn;
        match handles.iter_mut().find(same) {
            Some(handle) => handle.pinned.push(vertex),
            None => {
                handles.push(Handle { pinned: vec![vertex], path: motion.path, turn: motion.turn, ..Handle::default() })
            }
        }
    }
    (pinned, handles)
}
