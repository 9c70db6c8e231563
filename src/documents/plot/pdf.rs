//! A page of shapes as a PDF file, with its fonts in it, so that texts can be searched and look
//! alike everywhere.

use krilla::color::rgb;
use krilla::configure::{ConfigurationBuilder, PdfVersion};
use krilla::error::KrillaResult;
use krilla::geom::{Path, PathBuilder, Point, Transform};
use krilla::metadata::Metadata;
use krilla::num::NormalizedF32;
use krilla::page::PageSettings;
use krilla::paint::{Fill, LineJoin, Stroke, StrokeDash};
use krilla::surface::Surface;
use krilla::{Document, SerializeSettings};

use super::fonts::Fonts;
use super::shape::{Anchor, Shape};

/// Widths of the outline that makes letters of a light font plain, and bold, in their size.
const OUTLINES: [f64; 2] = [0.012, 0.045];

/// The file of a page of `size` points.
pub fn write(title: &str, size: [f64; 2], shapes: &[Shape]) -> Vec<u8> {
    // a broken font of the system leaves out its letters, not the file
    let written = attempt(title, size, shapes, Fonts::new()).or_else(|_| attempt(title, size, shapes, Fonts::own()));
    written.expect("the fonts that come with the program can be embedded")
}

fn attempt(title: &str, [width, height]: [f64; 2], shapes: &[Shape], mut fonts: Fonts) -> KrillaResult<Vec<u8>> {
    // read by everything
    let configuration = ConfigurationBuilder::new().with_version(PdfVersion::Pdf14).finish().unwrap_or_default();
    let mut document = Document::new_with(SerializeSettings { configuration, ..SerializeSettings::default() });
    document.set_metadata(Metadata::new().title(title.to_owned()).creator("Weft".to_owned()));
    let mut page = document.start_page_with(PageSettings::from_wh(width as f32, height as f32).unwrap_or_default());
    let mut surface = page.surface();
    area(&mut surface, &[[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]], [255; 3], 1.0);
    for shape in shapes {
        match shape {
            Shape::Area { points, colour, opacity, .. } => area(&mut surface, points, *colour, *opacity),
            Shape::Line { points, colour, width, dashes } => {
                line(&mut surface, points, stroke(*colour, *width, *dashes));
            }
            Shape::Text { .. } => text(&mut surface, &mut fonts, shape),
        }
    }
    surface.finish();
    page.finish();
    let mut file = document.finish()?;
    file.push(b'\n');
    Ok(file)
}

/// A line through points; none through fewer than two.
fn path(points: &[[f64; 2]], is_closed: bool) -> Option<Path> {
    let mut path = PathBuilder::new();
    let [first, rest @ ..] = points else { return None };
    path.move_to(first[0] as f32, first[1] as f32);
    rest.iter().for_each(|[x, y]| path.line_to(*x as f32, *y as f32));
    if is_closed {
        path.close();
    }
    path.finish()
}

fn fill([r, g, b]: [u8; 3]) -> Fill {
    Fill { paint: rgb::Color::new(r, g, b).into(), ..Fill::default() }
}

fn stroke([r, g, b]: [u8; 3], width: f64, dashes: Option<[f64; 2]>) -> Stroke {
    let paint = rgb::Color::new(r, g, b).into();
    let dash = dashes.map(|dashes| StrokeDash { array: dashes.map(|length| length as f32).to_vec(), offset: 0.0 });
    Stroke { paint, width: width as f32, line_join: LineJoin::Round, dash, ..Stroke::default() }
}

fn area(surface: &mut Surface, points: &[[f64; 2]], colour: [u8; 3], opacity: f64) {
    let Some(path) = path(points, true) else { return };
    let opacity = NormalizedF32::new(opacity as f32).unwrap_or(NormalizedF32::ONE);
    surface.set_fill(Some(Fill { opacity, ..fill(colour) }));
    surface.set_stroke(None);
    surface.draw_path(&path);
}

fn line(surface: &mut Surface, points: &[[f64; 2]], stroke: Stroke) {
    let Some(path) = path(points, false) else { return };
    surface.set_fill(None);
    surface.set_stroke(Some(stroke));
    surface.draw_path(&path);
}

fn text(surface: &mut Surface, fonts: &mut Fonts, shape: &Shape) {
    let Shape::Text { at: [x, y], text, size, bold, colour, anchor, upwards } = shape else { return };
    let (x, y, height) = (*x as f32, *y as f32, *size as f32);
    let runs = fonts.runs(text);
    let width: f32 = runs.iter().map(|run| run.width * height).sum();
    let mut along = match anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => -0.5 * width,
        Anchor::End => -width,
    };
    let place = if *upwards { [0.0, -1.0, 1.0, 0.0] } else { [1.0, 0.0, 0.0, 1.0] };
    let [a, b, c, d] = place;
    surface.push_transform(&Transform::from_row(a, b, c, d, x, y));
    surface.set_fill(Some(fill(*colour)));
    surface.set_stroke(Some(stroke(*colour, OUTLINES[usize::from(*bold)] * size, None)));
    for run in runs {
        surface.draw_glyphs(Point::from_xy(along, 0.0), &run.glyphs, run.font, &run.text, height, false);
        along += run.width * height;
    }
    surface.pop();
}
