//! What the library promises, as sentences.

mod adaptive;
mod air;
mod contact;
mod convergence;
mod degenerate_projections;
mod factor;
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
mod projections;
mod projective;
mod projective_faults;
mod projective_reference;
mod promises;
mod reference;
mod rest_rows;
mod soft_constraints;
mod stability;
mod tearing;
