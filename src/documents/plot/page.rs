//! A page: its measures, its legend, and the files that it is written to.
//!
//! Lengths are in points (1/72 inch); y points down.

use super::item::{Form, Pen};
use super::look::{Colour, Look};
use super::metrics::width;
use super::shape::{Anchor, Shape};
use super::{pdf, svg};

/// Width of the page, and room at its edges.
pub(super) const WIDTH: f64 = 480.0;
pub(super) const EDGE: f64 = 14.0;
/// Size of the letters of the title.
pub(super) const TITLE: f64 = 13.0;
/// Height of a row of the legend.
const ROW: f64 = 14.0;
/// Width of a sign in the legend.
const SIGN: f64 = 18.0;
/// How much wider than Helvetica a font may be in its place.
const WIDER: f64 = 1.15;

/// A page to be written as a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawing {
    title: String,
    /// Width and height.
    size: [f64; 2],
    shapes: Vec<Shape>,
}

impl Drawing {
    /// As an SVG file.
    #[must_use]
    pub fn svg(&self) -> String {
        svg::write(&self.title, self.size, &self.shapes)
    }

    /// As an element of an HTML page.
    #[must_use]
    pub fn svg_element(&self) -> String {
        svg::element(&self.title, self.size, &self.shapes)
    }

    /// As a PDF file of one page.
    #[must_use]
    pub fn pdf(&self) -> Vec<u8> {
        pdf::write(&self.title, self.size, &self.shapes)
    }
}

/// What stands before a name in a legend.
#[derive(Debug, Clone, PartialEq)]
pub enum Sign {
    /// A piece of a line.
    Line(Pen),
    /// A piece of an area.
    Area(Colour),
    /// A marker.
    Marker(Form, Colour),
}

impl Sign {
    /// The shapes of the sign in a box of this width whose left middle is at a place.
    #[must_use]
    pub fn shapes(&self, [x, y]: [f64; 2], width: f64, look: &Look) -> Vec<Shape> {
        match self {
            Self::Line(pen) => vec![pen.line(vec![[x, y], [x + width, y]], look)],
            Self::Area(colour) => {
                let [left, right, top, bottom] = [x + width / 3.0, x + width, y - 4.0, y + 4.0];
                let points = vec![[left, top], [right, top], [right, bottom], [left, bottom]];
                vec![Shape::area(points, look.colour(*colour, 0.85))]
            }
            Self::Marker(form, colour) => form.shapes([x + 0.5 * width, y], 3.2, look.colour(*colour, 1.0)),
        }
    }
}

/// A line of a legend.
#[derive(Debug, Clone, PartialEq)]
pub struct Key {
    /// The name.
    pub name: String,
    /// What it is drawn as.
    pub sign: Sign,
}

pub(super) struct Page {
    pub(super) shapes: Vec<Shape>,
    /// How far down it is filled.
    pub(super) y: f64,
}

impl Page {
    pub(super) fn titled(title: &str) -> Self {
        let y = EDGE + TITLE;
        Self { shapes: vec![Shape::text([EDGE, y], title, (TITLE, true, Look::PAGE.text), Anchor::Start)], y: y + 6.0 }
    }

    /// The names of curves behind their signs, in as many rows as they need.
    pub(super) fn legend(&mut self, keys: &[Key], left: f64) {
        let look = &Look::PAGE;
        let mut x = f64::INFINITY;
        for Key { name, sign } in keys {
            let own = SIGN + 5.0 + WIDER * width(name, look.label, false);
            if x + own > WIDTH - EDGE {
                x = left;
                self.y += ROW;
            }
            self.shapes.extend(sign.shapes([x, self.y - 3.5], SIGN, look));
            let place = [x + SIGN + 5.0, self.y];
            self.shapes.push(Shape::text(place, name, (look.label, false, look.text), Anchor::Start));
            x += own + 12.0;
        }
        self.y += 5.0;
    }

    pub(super) fn finish(self, title: &str) -> Drawing {
        Drawing { title: title.to_owned(), size: [WIDTH, (self.y + EDGE).ceil()], shapes: self.shapes }
    }
}
