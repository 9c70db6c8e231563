//! Colliders: shapes, queries of their surfaces, contacts of vertices with them, and the response
//! for solvers without contacts of their own.

mod clearance_spheres;
mod collider;
mod contact;
mod mesh_surface;
mod mesh_tree;
mod obstacles;
mod response;
mod search;
mod shape;
mod solid;
mod solid_force;
mod surface;
mod table;
mod triangle_mesh;

pub use collider::{Collider, ColliderGrab};
pub use contact::{Contact, LoadShare, Wall};
pub(in crate::sim::contact) use mesh_tree::MeshTree;
pub use obstacles::Obstacles;
pub use search::Loads;
pub use shape::{Shape, ShapeFile};
pub use solid::Solid;
pub use solid_force::SolidForce;
pub use surface::SurfacePoint;
pub(in crate::sim::contact) use surface::SurfaceSettings;
pub use table::{Table, TableShape};
pub use triangle_mesh::{Points, TriangleMesh};
