//! The contact forces of a step, which the next one starts from.

use serde::{Deserialize, Serialize};

use super::{LayerForce, SolidForce};

/// Forces of the contacts between the vertices: of cloth on cloth, and of colliders on cloth.
#[derive(Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct ContactForces {
    /// Cloth on cloth, by rising pairs.
    pub layers: Vec<LayerForce>,
    /// Colliders on the cloth, by rising keys.
    pub solids: Vec<SolidForce>,
}

impl ContactForces {
    /// Forgets them.
    pub fn clear(&mut self) {
        self.layers.clear();
        self.solids.clear();
    }

    /// Memory that they take beside their own [bytes].
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of_val(&self.layers[..]) + size_of_val(&self.solids[..])
    }
}

/// A copy asks for no memory where there is enough.
impl Clone for ContactForces {
    fn clone(&self) -> Self {
        Self { layers: self.layers.clone(), solids: self.solids.clone() }
    }

    fn clone_from(&mut self, from: &Self) {
        let Self { layers, solids } = self;
        layers.clone_from(&from.layers);
        solids.clone_from(&from.solids);
    }
}
