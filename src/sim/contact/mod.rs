//! Contact of the cloth with colliders: their shapes, and the response that solvers without a contact of their own get.

mod collider;
mod contact_point;
mod faces;
mod mesh_surface;
mod obstacles;
mod response;
mod search;
mod shape;
mod solid;
mod table;
mod triangle_mesh;

pub use collider::{Collider, ColliderGrab};
pub use contact_point::Contact;
pub use obstacles::Obstacles;
pub use response::ContactSettings;
pub use search::Loads;
pub use shape::{Shape, ShapeFile};
pub use solid::{Solid, Surface};
pub use table::{Table, TableShape};
pub use triangle_mesh::{Points, TriangleMesh};
