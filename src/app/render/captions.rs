//! The captions of lanes in a picture: a box above each with its letter, its differences from the
//! others and how it is doing.

use std::sync::Arc;

use bevy::prelude::App;
use egui::{Color32, FontId, Galley, Painter, Pos2, Rect, Ui, pos2, vec2};

use crate::app::picture::Picture;
use crate::app::session::letter;
use crate::app::text_raster::Lettering;
use crate::app::view::ViewState;
use crate::app::view::lane_layout::tint;
use crate::session::Frame;
use crate::sim::study::correspondence::Distance;

/// Height of the letters as a share of the picture's, and the least [pixels].
const LETTERS: f32 = 0.024;
const LEAST_LETTERS: f32 = 9.0;
/// Height down to which captions shrink that find no room [pixels]; then they wrap.
const SHRUNK_LETTERS: f32 = 7.0;
/// Most of the picture's height that a caption takes before it shrinks.
const TALLEST: f32 = 0.25;
/// Size of titles and of the line below them [points].
const TITLE: f32 = 13.0;
const STATUS: f32 = 11.0;
/// Distance of captions from the borders of the picture, and the width that a box needs beside its
/// text [points].
const MARGIN: f32 = 6.0;
const INSET: f32 = 16.0;
/// Behind and in the words, and of words about a failure.
const GROUND: Color32 = Color32::from_rgba_premultiplied(28, 30, 34, 232);
const QUIET: Color32 = Color32::from_gray(190);
pub const ALARM: Color32 = Color32::from_rgb(244, 120, 108);

/// How a lane is doing at a simulated time [s].
pub fn status(time: f64, distance: Option<Distance>) -> (String, Color32) {
    let time = format!("t = {time:.2} s");
    let text = match distance {
        Some(distance) => {
            let [mean, most] = [distance.root_mean_square, distance.largest].map(|metres| 1e3 * metres);
            format!("{time}, {mean:.1} mm from A, at most {most:.1}")
        }
        None => time,
    };
    (text, QUIET)
}

/// Captions of lanes, by their places.
pub struct Captions {
    titles: Vec<String>,
    lines: Vec<(String, Color32)>,
}

impl Captions {
    /// Those of lanes: the letter of each, its differences from the others, and a line in a colour.
    pub fn of(frames: &[&Frame], lines: Vec<(String, Color32)>) -> Self {
        let others = |slot| [&frames[..slot], &frames[slot + 1..]].concat();
        let caption = |(slot, frame): (usize, &&Frame)| format!("{}  {}", letter(slot), frame.caption(&others(slot)));
        Self { titles: frames.iter().enumerate().map(caption).collect(), lines }
    }

    /// Writes them on a picture that has just been drawn.
    pub fn write_on(&self, picture: &mut Picture, app: &App, lettering: &mut Lettering) {
        let mut places: Vec<f32> = vec![0.5 * picture.size[0] as f32; self.titles.len()];
        for (slot, at) in &app.world().resource::<ViewState>().lanes.labels {
            if let Some(place) = places.get_mut(*slot) {
                *place = at.x;
            }
        }
        let scale = (LETTERS * picture.size[1] as f32).max(LEAST_LETTERS) / TITLE;
        let Picture { size, rgb } = picture;
        lettering.write(rgb, *size, scale, |ui| self.write(ui, &places, scale));
    }

    /// A box above each lane, where its middle is across the picture [pixels]; one below the other
    /// where they have no room side by side.
    fn write(&self, ui: &mut Ui, places: &[f32], scale: f32) {
        let Self { titles, lines } = self;
        let screen = ui.ctx().content_rect().shrink(MARGIN);
        let mut sorted = places.to_vec();
        sorted.sort_by(f32::total_cmp);
        let apart = sorted.windows(2).map(|pair| pair[1] - pair[0]).fold(f32::INFINITY, f32::min) / scale;
        let painter = ui.painter();
        let fit =
            Fit { painter, height: TALLEST * screen.height(), least: (SHRUNK_LETTERS / (TITLE * scale)).min(1.0) };
        let stacked = Fit { height: fit.height / titles.len() as f32, ..fit };
        let texts: Vec<_> =
            titles.iter().zip(lines).flat_map(|(text, (line, _))| [(&**text, TITLE), (line, STATUS)]).collect();
        let width = (apart - 8.0).min(screen.width()) - INSET;
        let side_by_side = fit.size(&texts, width);
        let width = side_by_side.map_or(screen.width() - INSET, |_| width);
        let size = side_by_side.or_else(|| stacked.size(&texts, width)).unwrap_or(fit.least);
        let mut top = screen.top();
        for (slot, (caption, (line, colour))) in titles.iter().zip(lines).enumerate() {
            let lay_out = |text: &str, points: f32, colour| {
                painter.layout(text.to_owned(), FontId::proportional(size * points), colour, width)
            };
            let galleys = [lay_out(caption, TITLE, Color32::WHITE), lay_out(line, STATUS, *colour)];
            let [title, status] = galleys.each_ref().map(|galley| galley.size());
            let around = vec2(title.x.max(status.x) + INSET, title.y + status.y + 9.0);
            let left = (places[slot] / scale - 0.5 * around.x).min(screen.right() - around.x).max(screen.left());
            let left = if side_by_side.is_some() { left } else { screen.left() };
            draw_box(painter, slot, Rect::from_min_size(pos2(left, top), around), galleys);
            if side_by_side.is_none() {
                top += around.y + 2.0;
            }
        }
    }
}

/// A title and the line below it, on dark ground with the colour of a lane at its left.
fn draw_box(painter: &Painter, slot: usize, around: Rect, [title, status]: [Arc<Galley>; 2]) {
    painter.rect_filled(around, 5.0, GROUND);
    let [r, g, b] = tint(slot).map(|part| (255.0 * part) as u8);
    let mark = Rect::from_min_size(around.min, vec2(3.0, around.height()));
    painter.rect_filled(mark, 1.0, Color32::from_rgb(r, g, b));
    let at = |top: f32| Pos2::new(around.left() + 9.0, around.top() + top);
    let below = 4.0 + title.size().y;
    painter.galley(at(4.0), title, Color32::WHITE);
    painter.galley(at(below), status, Color32::WHITE);
}

/// How small texts have to be.
struct Fit<'a> {
    painter: &'a Painter,
    /// Most height of a text [points].
    height: f32,
    /// The least share of their size at which they are readable.
    least: f32,
}

impl Fit<'_> {
    /// The largest share of their size [points] at which texts have room in a `width` [points] and
    /// no word is broken.
    fn size(&self, texts: &[(&str, f32)], width: f32) -> Option<f32> {
        let fits = |size: &f32| {
            texts.iter().all(|(text, points)| {
                let font = FontId::proportional(size * points);
                let of = |text: &str, width: f32| {
                    self.painter.layout(text.to_owned(), font.clone(), Color32::WHITE, width).size()
                };
                let is_whole = |word: &str| of(word, f32::INFINITY).x <= width;
                of(text, width).y <= self.height && text.split_whitespace().all(is_whole)
            })
        };
        let smaller = (0..20).map(|step| 1.0 - 0.05 * step as f32).take_while(|size| *size > self.least);
        smaller.chain([self.least]).find(fits)
    }
}
