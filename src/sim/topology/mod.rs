//! Changes of the mesh: tearing, and cuts by hand.

pub mod cut_path;
pub mod tearing;
