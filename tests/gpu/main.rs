//! The solvers that run on a graphics device, on whatever device there is: the software Vulkan device serves.

mod agreement;
mod cloths;
mod faults;
mod living;
#[path = "../shared/pairing.rs"]
mod pairing;
#[path = "../shared/seed.rs"]
mod seed;
mod session_faults;
mod speed;
mod triangles;
