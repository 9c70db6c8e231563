//! What can be set about how the cloth meets what is solid.

use crate::sim::Real;
use crate::sim::params::{Kind, linear, logarithmic};

const fn apart(contact: &ContactSettings) -> Option<&'static str> {
    if contact.self_contact { None } else { Some("the cloth may pass through itself") }
}

crate::parameters! {
    /// How the cloth meets what is solid.
    pub struct ContactSettings {
        /// Distance that the cloth keeps from colliders. Larger spares the test of the threads between the vertices.
        pub thickness: Real = 0.008, "Thickness", "m", logarithmic(1e-4, 0.1);
        /// Coulomb friction. At 0 the cloth slides off; above about 0.6 it stays where it falls.
        pub friction: Real = 0.4, "Friction", "", linear(0.0, 2.0);
        /// Share of the approaching velocity that is given back. Cloth hardly bounces.
        pub restitution: Real = 0.0, "Restitution", "", linear(0.0, 1.0);
        /// Whether edges, corners and thin parts of colliders are kept out of the cloth between its vertices as well: at half the thickness, where they are sharp or thin beside a cell. Without it only the vertices are tested, as in most cloth tools, and a needle comes through. Balls, rims of tables and other round things are left to the vertices; a collider can ask for more, or for less. Costs time, and local/global methods tremble a little with few iterations.
        pub edges: bool = false, "Edges", "", Kind::Toggle;
        /// Whether there is a floor at height zero.
        pub ground: bool = true, "Floor", "", Kind::Toggle;
        /// Whether the cloth cannot pass through itself, nor through colliders made of triangles: meshes, hulls and boxes. What starts free of intersection stays so; motion that would end that is cut, which slows fast motion down where layers are close, and a collider that cannot go on without it waits.
        pub self_contact: bool = false, "Cloth on cloth", "", Kind::Toggle;
        /// Distance that layers of cloth keep from each other. Smaller than that from colliders, of which only the vertices are tested: layers are tested exactly, and cells may be small. No more than the mean length of an edge acts.
        pub layer_distance: Real = 0.004, "Layer distance", "m", logarithmic(1e-5, 0.1), idle apart;
        /// Coulomb friction between layers of cloth. At 0 they slide over each other; with more a heap stays a heap.
        pub layer_friction: Real = 0.4, "Layer friction", "", linear(0.0, 2.0), idle apart;
    }
}
