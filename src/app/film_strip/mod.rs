//! The film strip: small live cloths across the range of a slider, each simulated from the present
//! moment with a value of its own. One of them can be taken; nothing else changes the cloth in the
//! window.

pub mod cloth_picture;
pub mod opening;
pub mod panel;
pub mod raster;
mod shooting;

use std::sync::Arc;
use std::time::{Duration, Instant};

use bevy::prelude::*;
use egui::Rect as Area;

use super::session::SessionHandle;
use super::task::Study;
use super::view::painting::Painting;
use super::view::scene::MainCamera;
use super::widgets::moving_texture::MovingTexture;
use crate::scene::Scalar;
use crate::session::Command;
use crate::sim::params::{Param, Setting, Span};
use raster::Eye;
use shooting::{FilmPlan, Scale, Shot, shoot};

/// Number of pictures.
pub const PICTURES: usize = 7;
/// How many times as far away an eye is that stands for an orthographic camera.
const PARALLEL: f32 = 100.0;

/// A request for the strip of a slider.
#[derive(Debug, Clone)]
pub struct Request {
    /// Its parameter.
    pub param: Param,
    /// Present and default value.
    pub now: Setting,
    /// See `now`.
    pub default: Setting,
    /// The widget.
    pub slider: egui::Id,
    /// Where it is.
    pub place: Area,
    /// Why the parameter has no effect, if so.
    pub idle: Option<String>,
    /// Switches and choices of its group as its row has them, which may be others than those of the
    /// cloth: wind has a speed before it blows.
    pub modes: Vec<(&'static Param, Setting)>,
    /// How it was asked.
    pub by: Asked,
}

/// How a strip is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// By a press with Alt held.
    WithAlt,
    /// By a long press.
    LongPress,
    /// By the keyboard.
    Keys,
    /// By the icon beside the slider.
    Icon,
}

/// The strip, while one is open.
#[derive(Resource, Default)]
pub struct FilmStrip {
    /// The open strip.
    pub open: Option<Strip>,
    /// From where the cloth in the window is looked at.
    eye: Option<Eye>,
}

/// An open strip.
pub struct Strip {
    /// The request.
    pub request: Request,
    /// The pictures, by rising values; none where the parameter has no effect.
    pub pictures: Vec<Picture>,
    /// Which of them has the present value.
    pub present: usize,
    /// Which is chosen by the keyboard.
    pub chosen: usize,
    /// Whether it is there as long as the button that asked for it is held.
    pub is_held: bool,
    /// Whether the cloth starts again with another value.
    pub starts_again: bool,
    /// Number of the frame in which it was opened.
    pub since: u64,
    opened: Instant,
    /// How long the first picture took until it was ready to be shown.
    ready: Option<Duration>,
    /// Number of pictures of which there is nothing to be seen yet.
    awaited: usize,
    pub study: Study<Shot>,
}

/// One of its pictures.
pub struct Picture {
    /// The value that it is of.
    pub value: Setting,
    /// What is seen of it.
    pub texture: MovingTexture,
    /// Simulated time since the strip was opened [s].
    pub elapsed: f64,
    /// Largest strain of a spring.
    pub stretch: f64,
    /// The error, in a few words.
    pub failure: Option<String>,
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<FilmStrip>().add_systems(PostUpdate, look);
}

/// Pictures are seen from where the cloth in the window is.
fn look(camera: Single<(&GlobalTransform, &Projection), With<MainCamera>>, mut film: ResMut<FilmStrip>) {
    let (place, projection) = *camera;
    let away = match projection {
        Projection::Orthographic(projection) => PARALLEL * projection.scale,
        _ => 0.0,
    };
    let eye = Eye { from: place.translation() + away * place.back(), up: *place.up(), back: *place.back() };
    film.eye = Some(eye);
}

impl FilmStrip {
    /// From where the cloth in the window is looked at, in its first frame and later.
    #[must_use]
    pub const fn eye(&self) -> Option<Eye> {
        self.eye
    }

    /// Opens the strip of a slider. The pictures have so many pixels.
    pub fn begin(
        &mut self,
        request: Request,
        session: &mut SessionHandle,
        painting: &Painting,
        size: [usize; 2],
        since: u64,
    ) {
        let Param { key, kind, .. } = request.param;
        let Some(mut span) = Span::of(kind, request.now) else { return };
        // from zero on a logarithmic scale spans all that can be set, and of that what is usual is
        // a small part
        if let (true, Some(usual)) = (request.now == Setting::Real(0.0), Span::of(kind, request.default))
            && span.logarithmic
            && usual.high > 0.0
        {
            span.high = usual.high;
        }
        let values = if request.idle.is_some() { Vec::new() } else { span.spread(kind, request.now, PICTURES) };
        let present = values.iter().position(|value| *value == request.now).unwrap_or(0);
        let pictures = values.iter().map(|value| Picture::of(*value)).collect();
        let opened = Instant::now();
        let plan = FilmPlan {
            key,
            asked: opened,
            values: values.iter().map(|value| request.param.show(*value)).collect(),
            present,
            eye: self.eye,
            size,
            scale: Scale::of(painting),
            scene: Arc::clone(&session.frame().scene),
            modes: modes_to_set(&request, session),
        };
        let starts_again = session.starts_again(key);
        let mut study = Study::default();
        if !values.is_empty() {
            let present = session.ask(|session| session.present());
            study.start(move |reporter| shoot(&plan, &present, reporter));
        }
        info!("film strip of {key} opened");
        let is_held = matches!(request.by, Asked::WithAlt | Asked::LongPress);
        self.open = Some(Strip {
            request,
            awaited: values.len(),
            pictures,
            present,
            chosen: present,
            is_held,
            starts_again,
            since,
            opened,
            ready: None,
            study,
        });
    }

    /// Takes over the pictures that are new.
    pub fn follow(&mut self, ctx: &egui::Context) {
        let Some(strip) = &mut self.open else { return };
        strip.study.poll().0.into_iter().for_each(|shot| strip.take(shot));
        strip.show(ctx);
    }

    /// Closes the strip and cancels its work.
    pub fn close(&mut self) {
        if let Some(strip) = self.open.take() {
            info!("film strip of {} closed", strip.request.param.key);
        }
    }

    /// Sets the value of a picture, as one action, and closes the strip.
    pub fn land(&mut self, index: usize, session: &mut SessionHandle) {
        let Some(strip) = &self.open else { return };
        let Some(picture) = strip.pictures.get(index) else { return };
        let Request { param, now, .. } = &strip.request;
        let value = param.show(picture.value);
        info!("film strip landed on {} = {value}", param.key);
        if picture.value != *now {
            let value = match picture.value {
                Setting::Real(x) => Scalar::Real(x),
                Setting::Integer(n) => Scalar::Integer(n),
                Setting::Toggle(_) | Setting::Choice(_) => Scalar::Text(value),
            };
            let modes = modes_to_set(&strip.request, session);
            session.send(Command::Finish);
            for (key, value) in modes {
                session.send(Command::Set { key: key.to_owned(), value: Scalar::Text(value) });
            }
            session.send(Command::Set { key: param.key.to_owned(), value });
            session.send(Command::Finish);
        }
        self.close();
    }
}

/// Keys and values of the switches and choices that the cloth does not have yet.
fn modes_to_set(request: &Request, session: &SessionHandle) -> Vec<(&'static str, String)> {
    let is_new = |(param, value): &&(&'static Param, Setting)| {
        let now = session.parameters().find(param.key).map(|(group, index)| group.get(index));
        now.is_some_and(|now| now != *value)
    };
    request.modes.iter().filter(is_new).map(|(param, value)| (param.key, param.show(*value))).collect()
}

impl Picture {
    fn of(value: Setting) -> Self {
        Self { value, texture: MovingTexture::default(), elapsed: 0.0, stretch: 0.0, failure: None }
    }

    /// Whether there is nothing to be seen of it yet.
    fn is_awaited(&self) -> bool {
        self.texture.shown().is_none() && self.failure.is_none()
    }
}

impl Strip {
    fn take(&mut self, shot: Shot) {
        let Some(picture) = self.pictures.get_mut(shot.index) else { return };
        self.ready.get_or_insert(shot.ready);
        if let Some(image) = shot.image {
            picture.texture.take(image);
        }
        (picture.elapsed, picture.stretch) = (shot.elapsed, shot.stretch);
        if shot.failure.is_some() && picture.failure.is_none() {
            debug!("film strip: picture {} {}", shot.index + 1, shot.failure.as_deref().unwrap_or_default());
        }
        picture.failure = shot.failure;
    }

    /// Uploads new pictures, and logs the time to the first one.
    fn show(&mut self, ctx: &egui::Context) {
        for (index, picture) in self.pictures.iter_mut().enumerate() {
            picture.texture.show(ctx, &format!("film {index}"));
        }
        let (before, count) = (self.awaited, self.pictures.len());
        self.awaited = self.pictures.iter().filter(|picture| picture.is_awaited()).count();
        let milliseconds = 1e3 * self.opened.elapsed().as_secs_f64();
        if before == count && self.awaited < count {
            let ready = 1e3 * self.ready.unwrap_or_default().as_secs_f64();
            debug!("film strip: first picture after {milliseconds:.0} ms, ready after {ready:.0} ms");
        }
        if before > 0 && self.awaited == 0 {
            debug!("film strip: {count} pictures after {milliseconds:.0} ms");
        }
    }

    /// Simulated time that the pictures have come to [s].
    #[must_use]
    pub fn elapsed(&self) -> f64 {
        self.pictures.iter().map(|picture| picture.elapsed).fold(0.0, f64::max)
    }
}
