//! Several lanes in one picture, each with its description.

use std::sync::Arc;

use bevy::prelude::{App, Handle, Image};
use bevy_panorbit_camera::PanOrbitCamera;
use egui::{Color32, FontId, Galley, Painter, Pos2, Rect, Ui, pos2, vec2};

use super::{RenderError, part_way, shoot};
use crate::app::picture::Picture;
use crate::app::session::{SessionHandle, letter};
use crate::app::text_raster::Lettering;
use crate::app::view::ViewState;
use crate::app::view::lane_layout::{BACK, tint};
use crate::scene::InputError;
use crate::session::{Frame, Lanes, Session, Stopped};

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
/// Share of the picture's width that a lane takes where one alone would take its height.
const LANE: f32 = 1.0;
/// Behind and in the words.
const GROUND: Color32 = Color32::from_rgba_premultiplied(28, 30, 34, 232);
const QUIET: Color32 = Color32::from_gray(190);
const ALARM: Color32 = Color32::from_rgb(244, 120, 108);

/// Lanes that are drawn side by side.
pub struct LaneReel {
    /// The lanes. A step of the reel is a tick of theirs.
    pub lanes: Lanes,
    /// Steps so far.
    taken: u64,
    /// Each lane before the last step and after it.
    frames: Vec<[Arc<Frame>; 2]>,
    /// Share of the last step at which the picture is taken.
    share: f64,
}

impl LaneReel {
    /// Gives the window's session a lane for each but the first.
    pub(super) fn fill(&self, session: &mut SessionHandle) -> Result<(), InputError> {
        for lane in &self.lanes.lanes()[1..] {
            session.take_in(Session::resume(&lane.session().start())?);
        }
        Ok(())
    }

    /// Before the first step.
    #[must_use]
    pub const fn new(lanes: Lanes) -> Self {
        Self { lanes, taken: 0, frames: Vec::new(), share: 1.0 }
    }

    /// Goes on until so many steps were taken in all, and shows the given share of the last one.
    pub(super) fn go_to(&mut self, (steps, share): (u64, f64), picture: u32) -> Result<(), RenderError> {
        let left = steps - self.taken;
        if left > 0 || self.frames.is_empty() {
            self.step(left.saturating_sub(1), picture)?;
            let before = self.now();
            self.step(left.min(1), picture)?;
            self.frames = before.into_iter().zip(self.now()).map(|(before, now)| [before, now]).collect();
        }
        (self.taken, self.share) = (steps, share);
        Ok(())
    }

    fn now(&self) -> Vec<Arc<Frame>> {
        self.lanes.lanes().iter().map(|lane| Arc::new(lane.session().frame(u64::MAX))).collect()
    }

    /// Takes so many steps.
    fn step(&mut self, steps: u64, picture: u32) -> Result<(), RenderError> {
        for _ in 0..steps {
            if let Err(Stopped::Command(error)) = self.lanes.tick() {
                return Err(error.into());
            }
        }
        let failures: Vec<_> = self.lanes.lanes().iter().filter_map(|lane| lane.session().failure()).collect();
        // a lane that fails is shown, as long as there is another
        match failures.first() {
            Some(failure) if failures.len() == self.lanes.lanes().len() => Err(RenderError::Failed {
                solver: failure.solver,
                time: failure.time,
                picture,
                cause: failure.cause.to_string(),
            }),
            _ => Ok(()),
        }
    }

    /// Draws the lanes as they are.
    pub(super) fn shoot(
        &self,
        app: &mut App,
        target: &Handle<Image>,
        lettering: &mut Lettering,
    ) -> Result<Picture, RenderError> {
        let frames = self.frames.iter().map(|[before, now]| part_way(before, now, self.share)).collect();
        app.world_mut().resource_mut::<SessionHandle>().show(frames);
        let mut picture = shoot(app, target)?;
        let labels = &app.world().resource::<ViewState>().lanes.labels;
        let mut places: Vec<f32> = vec![0.5 * picture.size[0] as f32; self.frames.len()];
        for (slot, at) in labels {
            if let Some(place) = places.get_mut(*slot) {
                *place = at.x;
            }
        }
        let scale = (LETTERS * picture.size[1] as f32).max(LEAST_LETTERS) / TITLE;
        let captions = self.captions();
        let Picture { size, rgb } = &mut picture;
        lettering.write(rgb, *size, scale, |ui| self.write(ui, &captions, &places, scale));
        Ok(picture)
    }

    /// The letter of each lane, and its differences from the others.
    fn captions(&self) -> Vec<String> {
        let frames: Vec<&Frame> = self.frames.iter().map(|[_, now]| now.as_ref()).collect();
        let others = |slot| [&frames[..slot], &frames[slot + 1..]].concat();
        let caption = |(slot, frame): (usize, &&Frame)| format!("{}  {}", letter(slot), frame.caption(&others(slot)));
        frames.iter().enumerate().map(caption).collect()
    }

    /// A box above each lane, where its middle is across the picture [pixels]; one below the other
    /// where they have no room side by side.
    fn write(&self, ui: &mut Ui, captions: &[String], places: &[f32], scale: f32) {
        let screen = ui.ctx().content_rect().shrink(MARGIN);
        let mut sorted = places.to_vec();
        sorted.sort_by(f32::total_cmp);
        let apart = sorted.windows(2).map(|pair| pair[1] - pair[0]).fold(f32::INFINITY, f32::min) / scale;
        let painter = ui.painter();
        let fit =
            Fit { painter, height: TALLEST * screen.height(), least: (SHRUNK_LETTERS / (TITLE * scale)).min(1.0) };
        let stacked = Fit { height: fit.height / captions.len() as f32, ..fit };
        let lines: Vec<_> = (0..captions.len()).map(|slot| self.status(slot)).collect();
        let texts: Vec<_> =
            captions.iter().zip(&lines).flat_map(|(text, (line, _))| [(&**text, TITLE), (line, STATUS)]).collect();
        let width = (apart - 8.0).min(screen.width()) - INSET;
        let side_by_side = fit.size(&texts, width);
        let width = side_by_side.map_or(screen.width() - INSET, |_| width);
        let size = side_by_side.or_else(|| stacked.size(&texts, width)).unwrap_or(fit.least);
        let mut top = screen.top();
        for (slot, (caption, (line, colour))) in captions.iter().zip(&lines).enumerate() {
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

    /// How a lane is doing.
    fn status(&self, slot: usize) -> (String, Color32) {
        let failure = self.lanes.lanes().get(slot).and_then(|lane| lane.session().failure());
        if let Some(failure) = failure {
            return (format!("blew up at t = {:.3} s", failure.time), ALARM);
        }
        let time = format!("t = {:.2} s", self.lanes.clock());
        let text = match self.lanes.distance(slot).filter(|_| slot > 0) {
            Some(distance) => {
                let [mean, most] = [distance.root_mean_square, distance.largest].map(|metres| 1e3 * metres);
                format!("{time}, {mean:.1} mm from A, at most {most:.1}")
            }
            None => time,
        };
        (text, QUIET)
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

/// Goes as near as `count` lanes in a picture of `size` allow: the window leaves more room around
/// them.
pub(super) fn go_near(app: &mut App, count: usize, size: [u32; 2]) {
    let (count, wide) = (count as f32, (size[0] as f32 / size[1] as f32).max(1.0));
    let world = app.world_mut();
    let mut cameras = world.query::<&mut PanOrbitCamera>();
    for mut camera in cameras.iter_mut(world) {
        camera.target_radius *= (LANE * count / wide).max(1.0) / count.powf(BACK);
    }
}

/// Has the camera where it is to be, without an eased move.
pub(super) fn settle_camera(app: &mut App) {
    let world = app.world_mut();
    let mut cameras = world.query::<&mut PanOrbitCamera>();
    for mut camera in cameras.iter_mut(world) {
        (camera.focus, camera.radius) = (camera.target_focus, Some(camera.target_radius));
        (camera.yaw, camera.pitch) = (Some(camera.target_yaw), Some(camera.target_pitch));
        camera.force_update = true;
    }
}
