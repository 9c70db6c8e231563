//! What the library promises, as sentences.

mod air;
mod contact;
mod fixtures;
mod guard;
mod laws;
mod measure;
mod params;
mod pattern;
mod pins;
mod promises;
mod reference;
