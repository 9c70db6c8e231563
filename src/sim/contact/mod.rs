//! Contact of the cloth with colliders: their shapes, and the response that solvers without a contact of their own get.

mod collider;
mod obstacles;
mod response;
mod table;
mod touch;
mod touching;

pub use collider::{Collider, Shape, Solid};
pub use obstacles::Obstacles;
pub use response::Contact;
pub use table::{Table, TableShape};
pub use touch::Touch;
pub use touching::Loads;
