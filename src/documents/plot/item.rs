//! What stands in a chart: curves, areas, markers, labels.

use super::look::{Colour, Look, place_of, solver_colour};
use super::shape::Shape;

/// Dashes of the first variant of a solver and of further ones [points].
const DASHES: [Option<[f64; 2]>; 7] =
    [None, Some([7.0, 3.0]), Some([2.0, 2.0]), Some([4.0, 2.0]), Some([10.0, 2.0]), Some([5.0, 6.0]), Some([2.0, 5.0])];
/// Corners of a polygon that stands for a circle.
const CORNERS: u32 = 24;

/// How a line is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pen {
    /// Its colour on dark ground.
    pub colour: Colour,
    /// Its width [points].
    pub width: f64,
    /// Lengths of dashes and gaps [points].
    pub dashes: Option<[f64; 2]>,
    /// The share of its colour that is not mixed with the ground.
    pub share: f64,
}

impl Pen {
    /// A line of one piece.
    #[must_use]
    pub const fn new(colour: Colour, width: f64) -> Self {
        Self { colour, width, dashes: None, share: 1.0 }
    }

    /// The line of a solver, with dashes of its own for each further variant of the same solver.
    #[must_use]
    pub fn of_solver(solver: &str, variant: usize, width: f64) -> Self {
        Self { dashes: DASHES[variant % DASHES.len()], ..Self::new(solver_colour(solver), width) }
    }

    pub(super) fn line(&self, points: Vec<[f64; 2]>, look: &Look) -> Shape {
        Shape::line(points, look.colour(self.colour, self.share), self.width, self.dashes)
    }
}

/// The form of a marker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Form {
    Square,
    Diamond,
    Triangle,
    Disc,
    Ring,
    Cross,
    /// Pointing up or down.
    Arrow(bool),
}

impl Form {
    /// One of three that neighbours in the registry of solvers, and variants of one solver, differ
    /// by, without colours as well; a disc for other methods.
    #[must_use]
    pub fn of_solver(solver: &str, variant: usize) -> Self {
        let forms = [Self::Square, Self::Diamond, Self::Triangle];
        place_of(solver).map_or(Self::Disc, |place| forms[(place + variant) % forms.len()])
    }

    pub(super) fn shapes(self, [x, y]: [f64; 2], size: f64, colour: Colour) -> Vec<Shape> {
        let placed = |corners: &[[f64; 2]]| corners.iter().map(|[a, b]| [x + size * a, y + size * b]).collect();
        let circle = || -> Vec<[f64; 2]> {
            let angle = |k: u32| std::f64::consts::TAU * f64::from(k) / f64::from(CORNERS);
            (0..CORNERS).map(|k| [angle(k).cos(), angle(k).sin()]).collect()
        };
        let area = |corners: &[[f64; 2]]| vec![Shape::area(placed(corners), colour)];
        match self {
            Self::Square => area(&[[-0.8, -0.8], [0.8, -0.8], [0.8, 0.8], [-0.8, 0.8]]),
            Self::Diamond => area(&[[0.0, -1.1], [1.1, 0.0], [0.0, 1.1], [-1.1, 0.0]]),
            Self::Triangle => area(&[[0.0, -1.1], [1.0, 0.8], [-1.0, 0.8]]),
            Self::Arrow(true) => area(&[[0.0, 0.0], [-1.0, 1.75], [1.0, 1.75]]),
            Self::Arrow(false) => area(&[[0.0, 0.0], [-1.0, -1.75], [1.0, -1.75]]),
            Self::Disc => area(&circle()),
            Self::Ring => {
                let around = circle();
                let closed: Vec<[f64; 2]> = around.iter().chain(around.first()).copied().collect();
                vec![Shape::line(placed(&closed), colour, 0.3 * size.clamp(4.0, 6.0), None)]
            }
            Self::Cross => [[[-1.0, -1.0], [1.0, 1.0]], [[-1.0, 1.0], [1.0, -1.0]]]
                .map(|ends| Shape::line(placed(&ends), colour, 1.8, None))
                .to_vec(),
        }
    }
}

/// Something in a chart.
#[derive(Debug, Clone, PartialEq)]
pub enum Item {
    /// A curve, with its name for who points at it; gaps are not-a-numbers.
    Line {
        /// The name.
        name: String,
        /// The points, by rising x where there are many.
        points: Vec<[f64; 2]>,
        /// How it is drawn.
        pen: Pen,
    },
    /// A curve with the area down to the lower end of the axis, or to zero.
    Under {
        /// The name.
        name: String,
        /// The points of its upper edge, by rising x.
        points: Vec<[f64; 2]>,
        /// Its colour.
        colour: Colour,
    },
    /// A convex polygon, seen through.
    Area {
        /// Its corners.
        points: Vec<[f64; 2]>,
        /// Its colour.
        colour: Colour,
        /// Its opacity, from 0 to 1.
        opacity: f64,
    },
    /// A marker.
    Marker {
        /// Its place.
        at: [f64; 2],
        /// Its form.
        form: Form,
        /// Half its size, compared to that of a usual one.
        size: f64,
        /// Its colour.
        colour: Colour,
        /// The share of the colour that is not mixed with the ground.
        share: f64,
    },
    /// A line from below to above, with a name above the axes.
    Upright(f64, String, Pen),
    /// A line from left to right, with a name above or below its right end.
    Level(f64, String, Pen),
    /// A word above or below a marker.
    Label {
        /// The place of the marker.
        at: [f64; 2],
        /// The word.
        text: String,
        /// Its colour.
        colour: Colour,
        /// Whether it is above.
        is_above: bool,
    },
    /// A note at the right above the axes.
    Note(String, Option<Pen>),
}
