//! Contact of the cloth with colliders and with itself: shapes, queries, and the response for
//! solvers without contacts of their own.

mod aabb;
mod balls;
mod bvh;
mod collider;
mod contact_point;
pub mod energy;
mod exact;
mod features;
mod intersections;
mod marks;
mod mesh_surface;
mod mesh_tree;
mod obstacles;
mod response;
mod search;
pub mod self_contact;
mod settings;
mod shape;
mod solid;
mod surface;
mod table;
mod triangle_mesh;

pub use collider::{Collider, ColliderGrab};
pub use contact_point::{Carried, Contact, Wall};
pub use intersections::{Intersections, Lips};
pub use marks::ContactMarks;
pub use obstacles::Obstacles;
pub use search::Loads;
pub use settings::ContactSettings;
pub use shape::{Shape, ShapeFile};
pub use solid::Solid;
pub use surface::Surface;
pub use table::{Table, TableShape};
pub use triangle_mesh::{Points, TriangleMesh};
