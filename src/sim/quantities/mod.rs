//! What is measured of a run: quantities, each declared once, and their sums over the steps.

mod measure;
mod quantity;
mod step_reading;

pub use measure::{MEASURES, Measure, Over, Sums, Tally};
pub use quantity::{Numbers, Quantity, Reading};
pub use step_reading::StepReading;
