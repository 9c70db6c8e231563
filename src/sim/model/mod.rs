//! What is simulated: the state of the cloth, what it is made of, what holds it.

pub mod cloth;
pub mod material;
pub mod motion;
pub mod partition;
pub mod pins;
