//! Contact of the cloth with colliders and with itself, on one tree of boxes, and the exact count
//! of intersections.

mod aabb;
mod bvh;
pub mod cloth;
mod colliders;
pub mod energy;
mod exact;
mod intersections;
mod marks;
mod settings;

pub use colliders::{
    Collider, ColliderGrab, Contact, LoadShare, Loads, Obstacles, Points, Shape, ShapeFile, Solid, SolidForce, Surface,
    Table, TableShape, TriangleMesh, Wall,
};
pub use intersections::{CrackFaces, Intersections};
pub use marks::ContactMarks;
pub use settings::ContactSettings;
