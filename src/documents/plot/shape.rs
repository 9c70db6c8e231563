//! What can be on a page, or in the window. Lengths are in points (1/72 inch); y points down.

use super::look::Colour;

/// Which point of a text its place is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// The beginning of its base line.
    Start,
    /// The middle of its base line.
    Middle,
    /// The end of its base line.
    End,
}

/// Something on a page, or in the window.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// A line through points.
    Line {
        /// The points.
        points: Vec<[f64; 2]>,
        /// Its colour.
        colour: Colour,
        /// Its width.
        width: f64,
        /// Lengths of dashes and gaps.
        dashes: Option<[f64; 2]>,
    },
    /// A polygon.
    Area {
        /// Its corners. They are convex, or they are the points of a curve by rising x between two
        /// corners on a level line, if `is_under`.
        points: Vec<[f64; 2]>,
        /// Its colour.
        colour: Colour,
        /// Its opacity, from 0 to 1.
        opacity: f64,
        /// See `points`.
        is_under: bool,
    },
    /// A line of text.
    Text {
        /// Its place.
        at: [f64; 2],
        /// The text.
        text: String,
        /// The size of the letters.
        size: f64,
        /// Whether they are bold.
        bold: bool,
        /// Their colour.
        colour: Colour,
        /// What `at` is the place of.
        anchor: Anchor,
        /// Whether it is read upwards.
        upwards: bool,
    },
}

impl Shape {
    pub(super) fn line(points: Vec<[f64; 2]>, colour: Colour, width: f64, dashes: Option<[f64; 2]>) -> Self {
        Self::Line { points, colour, width, dashes }
    }

    pub(super) fn area(points: Vec<[f64; 2]>, colour: Colour) -> Self {
        Self::Area { points, colour, opacity: 1.0, is_under: false }
    }

    pub(super) fn text(at: [f64; 2], text: &str, (size, bold, colour): (f64, bool, Colour), anchor: Anchor) -> Self {
        Self::Text { at, text: text.to_owned(), size, bold, colour, anchor, upwards: false }
    }
}
