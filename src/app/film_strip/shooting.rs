//! The pictures of a film strip, simulated and drawn in the background.

use std::ops::ControlFlow;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use bevy::prelude::Vec3;
use egui::ColorImage;

use super::cloth_picture::ClothPicture;
use super::raster::{Eye, Sight};
use crate::app::task::Reporter;
use crate::app::view::paint_quantity::PaintQuantity;
use crate::app::view::painting::Painting;
use crate::scene::Scene;
use crate::session::Present;
use crate::sim::measure::warp_weft_strains;
use crate::sim::study::film::Picture;
use crate::sim::{Real, Simulation};

/// Simulated time from one picture to the next [s], which also passes on the clock.
const FRAME: Real = 1.0 / 30.0;
/// Simulated time that is shown [s]; then the pictures stand still.
const LENGTH: Real = 10.0;
/// Most of the cloth's own size that it may leave its place by and still be followed.
const FAR: f32 = 1.5;
/// Number of colours that stand for a scale.
const SHADES: usize = 128;

/// The pictures of a strip, to be simulated and drawn.
pub struct FilmPlan {
    /// The parameter.
    pub key: &'static str,
    /// When it was asked for.
    pub asked: Instant,
    /// Keys and values of further settings in every picture.
    pub modes: Vec<(&'static str, String)>,
    /// Its values, as texts.
    pub values: Vec<String>,
    /// The one of the present.
    pub present: usize,
    /// From where; beside the cloth as it is if not given.
    pub eye: Option<Eye>,
    /// Width and height of a picture [pixels].
    pub size: [usize; 2],
    /// The scale that the cloth is painted with, if it is.
    pub scale: Option<Scale>,
    /// The scene of the window, which says how the cloth looks.
    pub scene: std::sync::Arc<Scene>,
}

/// The colours of a quantity that any cloth can be painted with.
pub struct Scale {
    quantity: PaintQuantity,
    range: Real,
    shades: Vec<Vec3>,
}

impl Scale {
    /// Scale of the quantity painted on the cloth of the window, if it is such a quantity.
    #[must_use]
    pub fn of(painting: &Painting) -> Option<Self> {
        let quantity = painting.quantity();
        let known = [
            PaintQuantity::Stretch,
            PaintQuantity::Warp,
            PaintQuantity::Weft,
            PaintQuantity::Shear,
            PaintQuantity::Speed,
        ];
        let shade = |number: usize| {
            let colour = painting.scale(number as f32 / (SHADES - 1) as f32);
            Vec3::new(colour.red, colour.green, colour.blue)
        };
        let shades = || (0..SHADES).map(shade).collect();
        known.contains(&quantity).then(|| Self { quantity, range: painting.range, shades: shades() })
    }

    fn colours(&self, simulation: &Simulation) -> Vec<[Vec3; 2]> {
        let (_, factor) = self.quantity.unit();
        let colour = |value: Real| {
            let share = factor * value / self.range;
            let place = if self.quantity.is_signed() { 0.5 + 0.5 * share } else { share };
            [self.shades[(place.clamp(0.0, 1.0) * (SHADES - 1) as Real).round() as usize]; 2]
        };
        if self.quantity == PaintQuantity::Speed {
            return simulation.state.cloth.velocities.iter().map(|velocity| colour(velocity.length())).collect();
        }
        let strains = warp_weft_strains(simulation.pattern(), &simulation.state.cloth.positions);
        let part = |strain: &crate::sim::measure::WarpWeftStrain| match self.quantity {
            PaintQuantity::Warp => strain.warp,
            PaintQuantity::Weft => strain.weft,
            PaintQuantity::Shear => strain.shear,
            _ => strain.largest(),
        };
        strains.iter().map(|strain| colour(part(strain))).collect()
    }
}

/// A new picture.
pub struct Shot {
    /// Which of the strip.
    pub index: usize,
    /// The picture; none where the value is invalid.
    pub image: Option<ColorImage>,
    /// Simulated time since the start [s].
    pub elapsed: Real,
    /// Largest strain of a spring.
    pub stretch: Real,
    /// The error, in a few words.
    pub failure: Option<String>,
    /// How long after the strip was asked for it was ready.
    pub ready: Duration,
}

/// Simulates and draws until the film is over or called off.
pub fn shoot(plan: &FilmPlan, present: &Receiver<Present>, reporter: &Reporter<Shot>) {
    // without an answer there is no session any more
    let Ok(present) = present.recv() else { return };
    let mut studio = Studio::new(plan);
    let mut pictures: Vec<Option<Picture>> = (0..plan.values.len()).map(|_| None).collect();
    // the present value first: it needs nothing that is not there yet
    let order = || std::iter::once(plan.present).chain((0..plan.values.len()).filter(|at| *at != plan.present));
    for index in order() {
        let modes = plan.modes.iter().map(|(key, value)| (*key, value.as_str()));
        let changes: Vec<(&str, &str)> = modes.chain([(plan.key, plan.values[index].as_str())]).collect();
        match present.with(&changes) {
            Ok(mut simulation) => {
                simulation.cancel = reporter.cancel_token();
                studio.make_room(&simulation);
                let mut picture = Picture::new(simulation);
                if picture.follow(FRAME).is_break() {
                    return;
                }
                reporter.send(studio.shot(index, &picture));
                pictures[index] = Some(picture);
            }
            Err(error) => {
                let failure = Some(error.to_string());
                let ready = plan.asked.elapsed();
                reporter.send(Shot { index, image: None, elapsed: 0.0, stretch: 0.0, failure, ready });
            }
        }
    }
    let started = Instant::now();
    let mut clock = FRAME;
    while clock < LENGTH && pictures.iter().flatten().any(|picture| picture.failure().is_none()) {
        if let ControlFlow::Break(()) = reporter.tell(clock / LENGTH) {
            return;
        }
        // no faster than the clock
        let ahead = Duration::from_secs_f64(clock).saturating_sub(started.elapsed());
        std::thread::sleep(ahead);
        clock += FRAME;
        for picture in pictures.iter_mut().flatten() {
            if picture.follow(clock).is_break() {
                return;
            }
        }
        pictures.iter().flatten().for_each(|picture| studio.make_room(picture.simulation()));
        for (index, picture) in pictures.iter().enumerate() {
            if let Some(picture) = picture {
                reporter.send(studio.shot(index, picture));
            }
        }
    }
}

/// The renderer, with its memory.
struct Studio<'a> {
    plan: &'a FilmPlan,
    cloth: ClothPicture,
    eye: Option<Eye>,
    /// Bounds in view [m], and their largest extent.
    bounds: Option<[Vec3; 2]>,
    reach: [Vec3; 2],
}

impl<'a> Studio<'a> {
    fn new(plan: &'a FilmPlan) -> Self {
        let cloth = ClothPicture::new(&plan.scene);
        Self { plan, cloth, eye: plan.eye, bounds: None, reach: [Vec3::ZERO; 2] }
    }

    /// Extends the view to all of a cloth, up to a limit: vertices that fly apart would make all
    /// others small.
    fn make_room(&mut self, simulation: &Simulation) {
        let origin = simulation.pattern().origin();
        let positions =
            simulation.state.cloth.positions.iter().map(|x| (*x - origin).as_vec3()).filter(|x| x.is_finite());
        let Some(own) = positions.fold(None, |around: Option<[Vec3; 2]>, x| {
            Some(around.map_or([x; 2], |[low, high]| [low.min(x), high.max(x)]))
        }) else {
            return;
        };
        let Some([low, high]) = self.bounds else {
            let room = Vec3::splat(FAR * (own[1] - own[0]).length());
            self.reach = [own[0] - room, own[1] + room];
            self.bounds = Some(own);
            let distance = 2.0 * (own[1] - own[0]).length();
            self.eye.get_or_insert_with(|| Eye::around(0.5 * (own[0] + own[1]), distance, 0.45, 0.2));
            return;
        };
        let [least, most] = self.reach;
        self.bounds = Some([low.min(own[0].max(least)), high.max(own[1].min(most))]);
    }

    fn shot(&mut self, index: usize, picture: &Picture) -> Shot {
        let simulation = picture.simulation();
        let failure = picture.failure().map(|(time, _)| format!("blows up after {time:.2} s"));
        Shot {
            index,
            image: self.draw(simulation),
            elapsed: picture.elapsed(),
            stretch: simulation.largest_stretch(),
            failure,
            ready: self.plan.asked.elapsed(),
        }
    }

    fn draw(&mut self, simulation: &Simulation) -> Option<ColorImage> {
        let sight = Sight { size: self.plan.size, eye: self.eye?, bounds: self.bounds?, points: &[] };
        let painted = self.plan.scale.as_ref().map(|scale| scale.colours(simulation));
        Some(self.cloth.draw(&sight, simulation.pattern(), &simulation.state.cloth.positions, painted))
    }
}
