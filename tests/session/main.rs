//! Commands in, frames out: a running simulation with all that happens to it, and the thread that steps it.

mod acts;
mod damaged_recordings;
mod desk;
mod device_faults;
mod edits;
mod edits_of_scenes;
mod lanes;
mod lessons;
mod mends;
mod pause;
mod present;
mod recordings;
mod session;
mod session_state;
mod state;
mod timeline;
mod worker;
