//! Cloth in a Bevy app, without a window.

mod changes;
mod colliders;
mod drawing;
mod example;
mod faults;
mod guide;
mod harness;
mod jumps;
mod pins;
mod rest;
mod time;
mod wind;
