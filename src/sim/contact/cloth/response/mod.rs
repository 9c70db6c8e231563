//! Response to contact (`physics.md` sections 11.2 to 11.5 and 13): contact rows of cloth on cloth,
//! of colliders between the vertices and of vertices on colliders, their sweeps, and the forces
//! that the next step starts from.

mod contact_points;
mod edge_limits;
mod forces;
mod pair_rows;
mod point_rows;
mod row;
mod row_batch;
mod solver;
mod solver_vertices;
mod step;
mod sweeps;
mod walls;

pub(super) use contact_points::ContactPoint;
pub use forces::{ClothContactForce, ContactForces};
pub use row::{ClothContactSettings, ContactRow};
pub(super) use row::{Impact, Plane, RECOVERY, RECOVERY_SPEED};
pub(super) use solver::ContactSolver;
pub use step::{ClothContacts, ContactStep};
pub(super) use walls::Walls;
