//! Lessons: steps that arrange a cloth, ask what will happen, and go on when it has been measured.
//!
//! A [`Lesson`] is a file in `assets/lessons`. A [`Walk`] is one pass through it: it stages the
//! sessions of each step, is fed with their frames, and says when the condition of the step is met.
//! It never touches a session that was there before; leaving a lesson means going back to that one.

mod condition;
mod file;
mod measured;
mod quantity;
mod rehearsal;
mod sessions;
mod walk;

pub use condition::{Condition, Reading};
pub use file::{Choice, Lesson, Prediction, Step, Target};
pub use measured::{Measured, Seen};
pub use quantity::LessonMeasure;
pub use rehearsal::{Rehearsal, StepReport};
pub use sessions::LessonSessions;
pub use walk::{Outcome, Walk};
