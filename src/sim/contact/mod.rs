//! Contact of the cloth with colliders: their shapes, and the response that solvers without a contact of their own get.

mod collider;
mod response;
mod table;
mod touching;

pub use collider::{Collider, Shape, Solid};
pub use response::{Contact, prepare, resolve};
pub use table::{Table, TableShape};
pub use touching::{Touch, find_touching};
