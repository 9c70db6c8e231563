//! What the library promises, as sentences.

mod adaptive;
mod air;
mod contact;
mod fixtures;
mod guard;
mod laws;
mod measure;
mod minimisers;
mod oscillator;
mod params;
mod pattern;
mod pins;
mod position_based;
mod promises;
mod reference;
mod soft_constraints;
mod stability;
mod tearing;
