//! The parts of the window that a step points at.

use serde::Deserialize;

/// A part of the window.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// A panel, by its title, or the button that opens it.
    Panel(String),
    /// The row of a parameter, by its key.
    Slider(String),
    /// A control, by the name that it has in the log.
    Control(String),
    /// A key, as the list of all keys names it.
    Key(String),
    /// A vertex of the cloth.
    Vertex(u32),
}
