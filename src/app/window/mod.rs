//! The window of the system: the device that draws, its size on the monitor, what is remembered between
//! runs, and the end.

pub mod device;
pub mod exit;
pub mod monitor;
pub mod preferences;
