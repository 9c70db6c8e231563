//! A page of shapes as an SVG file.

use std::fmt::Write;

use super::shape::{Anchor, Shape};
use crate::sim::params::quote::is_hidden;

/// Fonts with the widths that the layout has taken.
const FONTS: &str = "Helvetica, Arial, 'Liberation Sans', sans-serif";

/// The file of a page of `size` points.
pub fn write(title: &str, [width, height]: [f64; 2], shapes: &[Shape]) -> String {
    // HTML knows the element without the name of its language
    let element =
        element(title, [width, height], shapes).replacen("<svg ", "<svg xmlns=\"http://www.w3.org/2000/svg\" ", 1);
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{element}")
}

/// Likewise, as an element of an HTML page.
pub fn element(title: &str, [width, height]: [f64; 2], shapes: &[Shape]) -> String {
    let mut text = format!(
        "<svg width=\"{width}pt\" height=\"{height}pt\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"{FONTS}\">\n\
         <title>{}</title>\n<rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n",
        escaped(title)
    );
    for shape in shapes {
        add(&mut text, shape);
    }
    text.push_str("</svg>\n");
    text
}

fn add(text: &mut String, shape: &Shape) {
    let hex = |[r, g, b]: [u8; 3]| format!("#{r:02x}{g:02x}{b:02x}");
    let list = |points: &[[f64; 2]]| {
        let parts: Vec<String> = points.iter().map(|[x, y]| format!("{x:.2},{y:.2}")).collect();
        parts.join(" ")
    };
    // a text takes a line, whatever becomes of it
    let _ = match shape {
        Shape::Line { points, colour, width, dashes } => {
            let dashes = dashes.map_or_else(String::new, |[on, off]| format!(" stroke-dasharray=\"{on} {off}\""));
            writeln!(
                text,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{width}\" \
                 stroke-linejoin=\"round\"{dashes}/>",
                list(points),
                hex(*colour)
            )
        }
        Shape::Area { points, colour, opacity, .. } => {
            let opacity = if *opacity < 1.0 { format!(" fill-opacity=\"{opacity}\"") } else { String::new() };
            writeln!(text, "<polygon points=\"{}\" fill=\"{}\"{opacity}/>", list(points), hex(*colour))
        }
        Shape::Text { at: [x, y], text: said, size, bold, colour, anchor, upwards } => {
            let anchor = match anchor {
                Anchor::Start => "start",
                Anchor::Middle => "middle",
                Anchor::End => "end",
            };
            let weight = if *bold { " font-weight=\"bold\"" } else { "" };
            let turn = if *upwards { format!(" transform=\"rotate(-90 {x:.2} {y:.2})\"") } else { String::new() };
            writeln!(
                text,
                "<text x=\"{x:.2}\" y=\"{y:.2}\" font-size=\"{size}\" fill=\"{}\" text-anchor=\"{anchor}\"{weight}{turn}>{}</text>",
                hex(*colour),
                escaped(said)
            )
        }
    };
}

/// Text that may stand in XML and HTML, without control characters.
#[must_use]
pub fn escaped(text: &str) -> String {
    let plain: String = text.chars().filter(|c| !is_hidden(*c)).collect();
    plain.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
