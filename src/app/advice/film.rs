//! Films of the reference, of the candidate to take and of one that is not taken: what plays, and
//! its pictures, which are drawn in the background.

use std::sync::Arc;

use bevy::prelude::Vec3;
use egui::{ColorImage, Context};

use super::{Judgement, Measured};
use crate::app::film_strip::cloth_picture::ClothPicture;
use crate::app::film_strip::raster::{Eye, Sight};
use crate::app::task::Study;
use crate::app::widgets::moving_texture::MovingTexture;
use crate::sim::Real;
use crate::sim::study::advice::{Film, Question, Shown};

/// Time for which the last picture stands before the films begin again [s].
const STANDS: Real = 1.0;
/// From where a cloth is seen without a window: distance in sizes of the cloth, and angles [rad].
const EYE: [f32; 3] = [2.0, 0.45, 0.2];
/// Most of the size of the other cloths that one that is not taken widens the view by.
const BESIDE: f32 = 0.4;

/// The films that play.
#[derive(Default)]
pub(super) struct Films {
    reel: Option<Reel>,
}

/// Films that play together.
pub(super) struct Reel {
    pub shown: Vec<Shown>,
    /// The picture of each.
    pub screens: Vec<MovingTexture>,
    /// Time of the pictures that are on the screen, or on their way there [s].
    pub time: Real,
    /// Whether the films stand still.
    pub is_paused: bool,
    question: Arc<Question>,
    /// Time of the films, and when that was [s].
    played: (Real, f64),
    /// What was drawn last.
    drawn: Option<Wanted>,
    stage: Option<Stage>,
    study: Study<(Stage, Vec<ColorImage>)>,
}

/// Pictures to be drawn.
#[derive(Clone, Copy, PartialEq)]
struct Wanted {
    /// Time in the films [s].
    time: Real,
    eye: Option<Eye>,
    /// Width and height [pixels].
    size: [usize; 2],
}

/// What draws them: it is with the thread that draws, or waits for the next one.
struct Stage {
    cloth: ClothPicture,
    /// What has to be in the pictures.
    extent: Option<Extent>,
}

impl Films {
    /// The films of a judgement, which begin anew where they are others.
    pub fn of(&mut self, measured: &Measured, judgement: &Judgement) -> Option<&mut Reel> {
        let Judgement { advice, sentences, profile, .. } = judgement;
        let shown = advice.shown(&measured.findings, sentences, profile);
        let is_same = |reel: &Reel| {
            let own = reel.shown.iter().map(|one| Arc::as_ptr(&one.film));
            own.eq(shown.iter().map(|one| Arc::as_ptr(&one.film)))
        };
        if shown.len() < 2 {
            self.reel = None;
            return None;
        }
        match &mut self.reel {
            // another purpose weighs the errors anew
            Some(reel) if is_same(reel) => reel.shown = shown,
            _ => self.reel = Some(Reel::new(shown, measured)),
        }
        self.reel.as_mut()
    }

    /// The images on the screen, as far as there are any.
    pub fn images(&self) -> Vec<Arc<ColorImage>> {
        let screens = self.reel.iter().flat_map(|reel| &reel.screens);
        screens.filter_map(|screen| screen.last().cloned()).collect()
    }
}

impl Reel {
    fn new(shown: Vec<Shown>, measured: &Measured) -> Self {
        let stage = Stage { cloth: ClothPicture::new(&measured.scene), extent: None };
        Self {
            screens: shown.iter().map(|_| MovingTexture::default()).collect(),
            shown,
            time: 0.0,
            is_paused: false,
            question: Arc::clone(&measured.question),
            played: (0.0, 0.0),
            drawn: None,
            stage: Some(stage),
            study: Study::default(),
        }
    }

    /// Time of the longest film [s].
    pub fn length(&self) -> Real {
        self.shown.iter().map(|one| one.film.lasted()).fold(0.0, Real::max)
    }

    /// Plays on, and orders pictures of `size` pixels, seen from `eye` or else from beside the
    /// cloth.
    pub fn play(&mut self, ctx: &Context, eye: Option<Eye>, size: [usize; 2]) {
        let now = ctx.input(|input| input.time);
        let (mut time, before) = self.played;
        if !self.is_paused && self.drawn.is_some() {
            time += now - before;
        }
        if time > self.length() + STANDS {
            time = 0.0;
        }
        self.played = (time, now);
        for (stage, images) in self.study.poll().0 {
            self.stage = Some(stage);
            self.screens.iter_mut().zip(images).for_each(|(screen, image)| screen.take(image));
            self.time = self.drawn.map_or(0.0, |drawn| drawn.time);
        }
        for (screen, one) in self.screens.iter_mut().zip(&self.shown) {
            screen.show(ctx, one.role);
        }
        // the time of a picture, not of the clock: nothing is drawn twice
        let time = self.shown.iter().map(|one| one.film.at(time).time).fold(0.0, Real::max);
        let wanted = Wanted { time, eye, size };
        if !self.study.is_running() && self.drawn != Some(wanted) {
            self.order(wanted);
        }
        if !self.is_paused || self.study.is_running() || self.screens.iter().any(MovingTexture::is_awaited) {
            ctx.request_repaint_after_secs(1.0 / 30.0);
        }
    }

    fn order(&mut self, wanted: Wanted) {
        // a drawing that broke off takes its stage along
        let Some(mut stage) = self.stage.take() else { return };
        self.drawn = Some(wanted);
        let films: Vec<Arc<Film>> = self.shown.iter().map(|one| Arc::clone(&one.film)).collect();
        let question = Arc::clone(&self.question);
        self.study.start(move |reporter| {
            let images = stage.draw(&films, &question, &wanted);
            reporter.send((stage, images));
        });
    }
}

impl Stage {
    /// The pictures of all films at a time.
    fn draw(&mut self, films: &[Arc<Film>], question: &Question, wanted: &Wanted) -> Vec<ColorImage> {
        let pattern = question.checkpoint().pattern();
        let Extent { bounds, points } = self.extent.get_or_insert_with(|| Extent::of(films));
        let bounds = *bounds;
        let size = (bounds[1] - bounds[0]).length();
        let eye = wanted.eye.unwrap_or_else(|| {
            let [distance, yaw, pitch] = EYE;
            Eye::around(0.5 * (bounds[0] + bounds[1]), distance * size, yaw, pitch)
        });
        let sight = Sight { size: wanted.size, eye, bounds, points };
        let origin = pattern.origin();
        let mut picture = |film: &Arc<Film>| {
            let positions = film.at(wanted.time).positions.iter();
            let positions: Vec<_> = positions.map(|x| origin + crate::sim::Vec3::from(x.map(Real::from))).collect();
            self.cloth.draw(&sight, pattern, &positions, None)
        };
        films.iter().map(&mut picture).collect()
    }
}

/// The space that all cloths take at all times, from the origin of the pattern.
struct Extent {
    /// The box around them [m].
    bounds: [Vec3; 2],
    /// The farthest points in some directions [m]: a cloth that swings leaves corners of the box
    /// empty.
    points: Vec<Vec3>,
}

impl Extent {
    /// Of these films. The last one widens the space by a part alone: a cloth that flies apart
    /// would make the others small.
    fn of(films: &[Arc<Film>]) -> Self {
        let (last, first) =
            films.split_last().map_or((films, films), |(last, first)| (std::slice::from_ref(last), first));
        let [low, high] = box_of(points_of(first));
        let room = Vec3::splat(BESIDE * (high - low).length());
        let [low, high] = [low - room, high + room];
        let all = || points_of(first).chain(points_of(last).map(|x| x.clamp(low, high)));
        let turns = || (-1..=1).map(|k| k as f32);
        let directions = turns().flat_map(|x| turns().flat_map(move |y| turns().map(move |z| Vec3::new(x, y, z))));
        let mut farthest: Vec<(Vec3, f32, Vec3)> =
            directions.filter(|way| *way != Vec3::ZERO).map(|way| (way, f32::NEG_INFINITY, Vec3::ZERO)).collect();
        for x in all() {
            for (way, most, at) in &mut farthest {
                if x.dot(*way) > *most {
                    (*most, *at) = (x.dot(*way), x);
                }
            }
        }
        let points: Vec<Vec3> = farthest.into_iter().map(|(_, _, at)| at).collect();
        Self { bounds: box_of(points.iter().copied()), points }
    }
}

fn points_of(films: &[Arc<Film>]) -> impl Iterator<Item = Vec3> {
    let frames = films.iter().flat_map(|film| film.frames());
    frames.flat_map(|frame| &frame.positions).map(|x| Vec3::from(*x)).filter(|x| x.is_finite())
}

fn box_of(points: impl Iterator<Item = Vec3>) -> [Vec3; 2] {
    let start = [Vec3::INFINITY, Vec3::NEG_INFINITY];
    points.fold(start, |[low, high], x| [low.min(x), high.max(x)])
}
