//! A running simulation with its history: commands in, frames out.
//!
//! Everything that a person, a script or a test can do to a running simulation is a [`Command`],
//! applied between steps, in order. Everything that drawing and panels may read is a [`Frame`]. A
//! [`Worker`] runs a session on a thread of its own, so that no other thread waits for a step; a
//! headless run applies the same commands to a [`Session`] and gets the same bits.

mod actions;
mod arrangement;
mod autosave;
mod checkpoints;
mod command;
mod controls;
mod countdown;
pub mod device_fault;
mod differences;
mod dispatch;
mod effects;
mod frame;
mod hand;
mod ironing;
mod journal;
mod lane_places;
mod lane_state;
mod lanes;
mod last_step;
pub mod lesson;
mod messages;
mod moved_handle;
mod present;
mod recording;
mod replay;
mod restore_controls;
mod rising_wind;
mod scene_lanes;
mod seek;
#[expect(clippy::module_inception, reason = "the file has the name of what it holds")]
mod session;
mod showing;
mod state;
mod stepping;
mod timeline;
mod timeline_summary;
mod undo;
mod worker;

pub use arrangement::Arrangement;
pub use autosave::Autosave;
pub use checkpoints::Failure;
pub use command::{Command, CutHit, Stamped};
pub use differences::captions;
pub use effects::{Effects, Record, Scope};
pub use frame::{Frame, Offer, Readouts, Totals, Watch};
pub use ironing::Ironing;
pub use lane_places::LanePlaces;
pub use lane_state::{LaneState, LaneTime};
pub use lanes::{Lane, Lanes, Stopped};
pub use present::Present;
pub use recording::{Start, TOLERANCE, program};
pub use replay::{Replay, Verdict};
pub use rising_wind::RisingWind;
pub use session::Session;
pub use state::{SessionCheckpoint, SessionState};
pub use timeline::Keeping;
pub use timeline_summary::{LeftBranch, Segment, TimelineSummary};
pub use worker::Worker;
