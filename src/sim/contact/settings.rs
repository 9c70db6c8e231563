//! Settings of contact with colliders.

use crate::sim::Real;
use crate::sim::params::{Kind, linear, logarithmic};

const fn apart(contact: &ContactSettings) -> Option<&'static str> {
    if contact.self_contact { None } else { Some("cloth-cloth contact is off") }
}

crate::parameters! {
    /// Contact of the cloth with colliders and with itself.
    pub struct ContactSettings {
        /// Distance between cloth and colliders. If it is large enough, testing the vertices alone
        /// suffices.
        pub thickness: Real = 0.008, "Thickness", "m", logarithmic(1e-4, 0.1);
        /// Coulomb friction coefficient. At 0 the cloth slides off; above about 0.6 it stays where
        /// it falls.
        pub friction: Real = 0.4, "Friction", "", linear(0.0, 2.0);
        /// Coefficient of restitution: rebound speed relative to the speed of approach. That of
        /// cloth is near 0.
        pub restitution: Real = 0.0, "Restitution", "", linear(0.0, 1.0);
        /// Contact of the cloth's edges and triangles with edges and corners of colliders made of
        /// triangles (meshes, hulls and boxes) and with round ones that are thin beside its cells,
        /// at half the thickness. Larger spheres, capsules and cylinders are tested by the vertices
        /// alone; each collider can override this. Without it only the vertices are tested, as in
        /// most cloth tools: that costs less, a needle passes through, and a cloth laid on a box is
        /// pushed off its rim sideways. Position-based methods stretch more at a rim with it.
        pub edges: bool = true, "Edges", "", Kind::Toggle;
        /// Floor at height zero.
        pub ground: bool = true, "Floor", "", Kind::Toggle;
        /// The cloth cannot pass through itself, nor through colliders made of triangles (meshes,
        /// hulls and boxes). A state without intersections stays so: motion that would cause one is
        /// truncated, which slows fast motion of cloth close to cloth, and a collider stops if the
        /// cloth in its path cannot move.
        pub self_contact: bool = false, "Cloth-cloth", "", Kind::Toggle;
        /// Distance between parts of the cloth in contact with each other. It may be smaller than
        /// the thickness, since these contacts are tested exactly. At most the mean edge length
        /// takes effect.
        pub layer_distance: Real = 0.004, "Cloth-cloth distance", "m", logarithmic(1e-5, 0.1), idle apart;
        /// Coulomb friction coefficient of cloth on cloth. At 0 parts of the cloth slide over each
        /// other; higher keeps a heap in shape.
        pub layer_friction: Real = 0.4, "Cloth-cloth friction", "", linear(0.0, 2.0), idle apart;
    }
}
