//! Colours and sizes of letters: dark on white on a page, light on dark in the window.

use crate::sim::solver_interface::Processor;
use crate::sim::solvers::REGISTRY;

/// Red, green and blue.
pub type Colour = [u8; 3];

/// White on dark, black on white.
pub(super) const WHITE: Colour = [255; 3];

/// What charts are drawn with. Colours of curves are given as they are on dark ground.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Look {
    /// Whether the ground is light, so that light colours are drawn darker.
    is_light: bool,
    pub(super) ground: Colour,
    pub(super) text: Colour,
    pub(super) quiet: Colour,
    pub(super) grid: Colour,
    pub(super) frame: Colour,
    /// Sizes of the letters at marks, and of the names of axes [points].
    pub(super) small: f64,
    pub(super) label: f64,
}

impl Look {
    /// A page, dark on white.
    pub const PAGE: Self = Self {
        is_light: true,
        ground: [255; 3],
        text: [30, 32, 36],
        quiet: [96, 100, 108],
        grid: [222, 224, 228],
        frame: [120, 124, 132],
        small: 8.5,
        label: 10.0,
    };
    /// The window, light on dark.
    pub const WINDOW: Self = Self {
        is_light: false,
        ground: [30, 32, 36],
        text: [214, 217, 222],
        quiet: [158, 164, 174],
        grid: [60, 64, 72],
        frame: [90, 95, 104],
        small: 11.0,
        label: 11.5,
    };

    /// A colour as it is read on this ground, mixed with it but for a `share`.
    pub(super) fn colour(&self, colour: Colour, share: f64) -> Colour {
        let own = if self.is_light { on_white(colour) } else { colour };
        let mixed = |at: usize| f64::from(self.ground[at]) * (1.0 - share) + f64::from(own[at]) * share;
        [0, 1, 2].map(|at| mixed(at).round() as u8)
    }
}

/// A colour as it is read on white: light greys turned over, other light ones darker.
#[must_use]
pub fn on_white([r, g, b]: Colour) -> Colour {
    let (least, most) = (r.min(g).min(b), r.max(g).max(b));
    if most - least < 24 && most > 140 {
        return [(255 - most).min(110); 3];
    }
    let linear = |part: u8| (f64::from(part) / 255.0).powf(2.2);
    let luminance = 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
    // a contrast of 3 to 1 against white
    let factor = (0.3 / luminance).min(1.0).powf(1.0 / 2.2);
    [r, g, b].map(|part| (f64::from(part) * factor).round() as u8)
}

/// The colour of a method that is no solver of the registry, as a reference of a study.
const OTHER: Colour = [190; 3];
/// Hues of solvers around the circle: a prime, no less than there are solvers.
const HUES: usize = 19;

/// The colour of a solver on dark ground, the same in every chart: by its place in the registry.
#[must_use]
pub fn solver_colour(solver: &str) -> Colour {
    let Some(place) = place_of(solver) else { return OTHER };
    // neighbours in the list are far from each other on the circle, and neighbours there differ in
    // strength
    let place = (5 * place) % HUES;
    let hue = 6.0 * (0.58 + place as f64 / HUES as f64).fract();
    let [saturation, value] = if place.is_multiple_of(2) { [0.5, 1.0] } else { [0.75, 0.85] };
    // hue, saturation and value (Smith 1978)
    [5.0, 3.0, 1.0].map(|shift: f64| {
        let k = (shift + hue) % 6.0;
        (255.0 * value * (1.0 - saturation * k.min(4.0 - k).clamp(0.0, 1.0))).round() as u8
    })
}

/// The place of a solver in the registry, if it is in it. Those on a graphics device come last, so that the others
/// have the same place in a program without them.
pub(super) fn place_of(solver: &str) -> Option<usize> {
    let of = |processor: Processor| REGISTRY.iter().filter(move |entry| entry.info.capabilities.processor == processor);
    let all = of(Processor::Host).chain(of(Processor::Device));
    all.map(|entry| entry.info.id).position(|id| id == solver)
}
