//! The vertices of a cloth.

use serde::{Deserialize, Serialize};

use crate::sim::exec::pool::ThreadPool;
use crate::sim::{Pin, Real, Vec3};

/// A cloth of `n` vertices.
#[derive(Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Cloth {
    /// Position of each vertex [m], `n` entries.
    pub positions: Vec<Vec3>,
    /// Velocity of each vertex [m/s], `n` entries.
    pub velocities: Vec<Vec3>,
    /// Mass of each vertex [kg], `n` entries, all positive. A pinned vertex keeps its mass; pins
    /// are eliminated from the systems instead of being made heavy. They follow from pattern and
    /// parameters, so no file has them.
    #[serde(skip)]
    pub masses: Vec<Real>,
    /// The pinned vertices, sorted by vertex, each vertex at most once.
    pins: Vec<Pin>,
}

/// A copy asks for no memory where there is enough and the pins are the same.
impl Clone for Cloth {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, from: &Self) {
        self.copy_from(from, &ThreadPool::alone());
    }
}

impl Cloth {
    /// A cloth at rest at `positions` [m], with `masses` [kg] of the same length.
    #[must_use]
    pub fn at_rest(positions: Vec<Vec3>, masses: Vec<Real>) -> Self {
        debug_assert_eq!(positions.len(), masses.len());
        Self { velocities: vec![Vec3::ZERO; positions.len()], positions, masses, pins: Vec::new() }
    }

    /// Becomes a copy of `from`; asks for no memory where there is enough and the pins are the
    /// same.
    pub fn copy_from(&mut self, from: &Self, pool: &ThreadPool) {
        let Self { positions, velocities, masses, pins } = self;
        pool.copy(&from.positions, positions);
        pool.copy(&from.velocities, velocities);
        pool.copy(&from.masses, masses);
        if *pins != from.pins {
            pins.clone_from(&from.pins);
        }
    }

    /// Number of vertices.
    #[must_use]
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there is no vertex at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Memory that it takes [bytes].
    #[must_use]
    pub fn bytes(&self) -> usize {
        let vectors = size_of_val(&self.positions[..]) + size_of_val(&self.velocities[..]);
        size_of::<Self>() + vectors + size_of_val(&self.masses[..]) + size_of_val(&self.pins[..])
    }

    /// The pins, sorted by vertex.
    #[must_use]
    pub fn pins(&self) -> &[Pin] {
        &self.pins
    }

    /// The pin of `vertex`, if it has one.
    #[must_use]
    pub fn pin_of(&self, vertex: u32) -> Option<&Pin> {
        self.pins.binary_search_by_key(&vertex, |pin| pin.vertex).ok().map(|at| &self.pins[at])
    }

    /// Pins a vertex: it stops where it is, unless the pin moves. Replaces an earlier pin of the
    /// same vertex.
    pub fn pin(&mut self, pin: Pin) {
        if pin.motion.is_none() {
            self.velocities[pin.vertex as usize] = Vec3::ZERO;
        }
        match self.pins.binary_search_by_key(&pin.vertex, |other| other.vertex) {
            Ok(at) => self.pins[at] = pin,
            Err(at) => self.pins.insert(at, pin),
        }
    }

    /// Pins a vertex where it is.
    pub fn pin_here(&mut self, vertex: u32) {
        self.pin(Pin::fixed(vertex, self.positions[vertex as usize]));
    }

    /// Lets a vertex go, with the velocity it has. Returns whether it was pinned.
    pub fn unpin(&mut self, vertex: u32) -> bool {
        let found = self.pins.binary_search_by_key(&vertex, |pin| pin.vertex);
        if let Ok(at) = found {
            self.pins.remove(at);
        }
        found.is_ok()
    }

    /// Adds a vertex for each of `parents`, with the position, velocity and mass of that vertex,
    /// and no pin.
    pub fn split(&mut self, parents: &[u32]) {
        for &parent in parents {
            let parent = parent as usize;
            self.positions.push(self.positions[parent]);
            self.velocities.push(self.velocities[parent]);
            self.masses.push(self.masses[parent]);
        }
    }

    /// Mean of the positions [m]; the origin for an empty cloth.
    #[must_use]
    pub fn centroid(&self) -> Vec3 {
        mean(&self.positions)
    }

    /// Mean of the velocities [m/s].
    #[must_use]
    pub fn mean_velocity(&self) -> Vec3 {
        mean(&self.velocities)
    }
}

fn mean(vectors: &[Vec3]) -> Vec3 {
    vectors.iter().copied().sum::<Vec3>() / (vectors.len().max(1) as Real)
}
