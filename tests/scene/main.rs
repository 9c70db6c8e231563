//! Scene files, mesh import and snapshots.

mod bodies;
mod choices;
mod closed_forms;
mod comments;
mod contact_motions;
mod edits;
mod elements;
mod embedding;
mod examples;
mod export;
mod first;
mod frames;
mod friction;
mod holding_edits;
mod import;
mod lanes;
mod large;
mod mass_spring_report;
mod material_overrides;
mod moving;
mod names;
mod own_mesh;
#[path = "../shared/pairing.rs"]
mod pairing;
mod papers;
mod pieces;
#[path = "../shared/plain_words.rs"]
mod plain_words;
mod plots;
mod pressed;
mod report;
mod resting;
mod round_trip;
mod saving;
mod scanned_drapes;
mod scenes;
#[path = "../shared/seed.rs"]
mod seed;
mod sentences;
mod snapshots;
mod start_inside;
mod suiting;
mod sweep_map;
mod take_home;
mod take_home_by_hand;
mod text_inputs;
mod words;
