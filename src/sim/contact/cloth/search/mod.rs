//! Search for near pairs (`physics.md` section 11.1): boxes of the tree of a cloth, pairs of leaves
//! that meet, their parts within reach, a filter of eight pairs at a time, and the pairs that
//! others imply.

mod boxes;
mod candidates;
mod comparison;
mod covers;
mod near;
mod neighbours;
mod reach;
mod rounding;
mod screen;
mod screening;
mod tree;

pub(super) use candidates::{Candidates, Found};
