//! Contact of the cloth with colliders: their shapes, and the response that solvers without a contact of their own get.

mod collider;
mod contact_point;
mod intersections;
mod obstacles;
mod response;
mod search;
pub mod self_contact;
mod table;

pub use collider::{Collider, Shape, Solid};
pub use contact_point::Contact;
pub use intersections::Intersections;
pub use obstacles::Obstacles;
pub use response::ContactSettings;
pub use search::Loads;
pub use table::{Table, TableShape};
