//! Axes of two logarithms on a page, and the markers of curves on them.

use super::drawing::{FRAME, GRID};
use super::metrics::width;
use super::page::{Anchor, EDGE, LABEL, Page, SMALL, Shape, TEXT, WIDTH, on_white};
use super::{Limits, decades};

/// Height of a row of the legend.
const ROW: f64 = 13.0;
/// Half the size of a marker.
const MARKER: f64 = 3.2;
/// Colours told apart by all eyes (Okabe and Ito 2008).
const COLOURS: [[u8; 3]; 7] =
    [[0, 114, 178], [213, 94, 0], [0, 158, 115], [204, 121, 167], [86, 180, 233], [230, 159, 0], [120, 94, 60]];

/// Where the axes are on the page, and what they reach over, as logarithms.
pub(super) struct LogAxes {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) height: f64,
    pub(super) across: Limits,
    pub(super) up: Limits,
}

impl LogAxes {
    /// Below what the page is filled with.
    pub(super) fn below(page: &Page, height: f64, [across, up]: [Limits; 2]) -> Self {
        Self { left: EDGE + 2.0 * LABEL + 26.0, top: page.y + 16.0, height, across, up }
    }

    /// Where a point is, whose numbers are above zero.
    pub(super) fn place(&self, point: [f64; 2]) -> [f64; 2] {
        let [across, up] = point.map(f64::log10);
        [self.x(across), self.y(up)]
    }

    /// Where a logarithm is across.
    pub(super) fn x(&self, across: f64) -> f64 {
        self.left + (self.right() - self.left) * self.across.share(across)
    }

    fn y(&self, up: f64) -> f64 {
        self.top + self.height * (1.0 - self.up.share(up))
    }

    pub(super) fn right(&self) -> f64 {
        WIDTH - EDGE
    }

    pub(super) fn bottom(&self) -> f64 {
        self.top + self.height
    }

    /// A line and a label at every decade.
    pub(super) fn grid(&self, page: &mut Page) {
        let label = |power: f64| match power {
            -4.0..=4.0 => format!("{}", 10_f64.powf(power)),
            _ => format!("1e{power}"),
        };
        for power in decades(self.up.low, self.up.high, 12.0) {
            let y = self.y(power);
            page.line(vec![[self.left, y], [self.right(), y]], GRID, 0.6, None);
            page.text([self.left - 5.0, y + 3.0], &label(power), (SMALL, false, TEXT), Anchor::End);
        }
        for power in decades(self.across.low, self.across.high, 12.0) {
            let x = self.x(power);
            page.line(vec![[x, self.top], [x, self.bottom()]], GRID, 0.6, None);
            page.text([x, self.bottom() + 12.0], &label(power), (SMALL, false, TEXT), Anchor::Middle);
        }
    }

    /// The lines and the names of the axes. Returns the height of the page.
    pub(super) fn finish(&self, page: &mut Page, [across, up]: &[String; 2]) -> f64 {
        page.shapes.push(Shape::Text {
            at: [EDGE + LABEL - 2.0, self.top + 0.5 * self.height],
            text: up.clone(),
            size: LABEL,
            bold: false,
            colour: TEXT,
            anchor: Anchor::Middle,
            upwards: true,
        });
        let corner = vec![[self.left, self.top], [self.left, self.bottom()], [self.right(), self.bottom()]];
        page.line(corner, FRAME, 0.8, None);
        page.y = self.bottom() + 16.0;
        let middle = 0.5 * (self.left + self.right());
        page.text([middle, page.y + LABEL + 2.0], across, (LABEL, false, TEXT), Anchor::Middle);
        (page.y + LABEL + 6.0 + EDGE).ceil()
    }
}

/// How much wider than Helvetica a font may be in its place.
const WIDER: f64 = 1.2;

/// Markers and names of curves, in as many rows as they need.
pub(super) fn legend<'a>(page: &mut Page, names: impl Iterator<Item = &'a str>) {
    let mut x = WIDTH;
    for (at, name) in names.enumerate() {
        let own = 12.0 + WIDER * width(name, LABEL, false);
        if x + own > WIDTH - EDGE {
            x = EDGE;
            page.y += ROW;
        }
        marker(page, [x + MARKER, page.y - 3.5], at);
        page.text([x + 10.0, page.y], name, (LABEL, false, TEXT), Anchor::Start);
        x += own + 12.0;
    }
}

/// Limits of logarithms that hold all numbers, in whole decades.
pub(super) fn whole_decades(numbers: impl Iterator<Item = f64>) -> Limits {
    let (low, high) = numbers
        .map(f64::log10)
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), number| (low.min(number), high.max(number)));
    if low > high {
        return Limits { low: 0.0, high: 1.0 };
    }
    Limits { low: low.floor(), high: high.ceil().max(low.floor() + 1.0) }
}

/// The colour of a curve by its number.
pub(super) fn colour(at: usize) -> [u8; 3] {
    on_white(COLOURS[at % COLOURS.len()])
}

/// A square, a diamond or a triangle in turn: neighbours differ without colours as well, and curves
/// up to 21 in colour or shape.
pub(super) fn marker(page: &mut Page, [x, y]: [f64; 2], at: usize) {
    let corners: &[[f64; 2]] = match at % 3 {
        0 => &[[-0.8, -0.8], [0.8, -0.8], [0.8, 0.8], [-0.8, 0.8]],
        1 => &[[0.0, -1.1], [1.1, 0.0], [0.0, 1.1], [-1.1, 0.0]],
        _ => &[[0.0, -1.1], [1.0, 0.8], [-1.0, 0.8]],
    };
    let points = corners.iter().map(|[a, b]| [x + MARKER * a, y + MARKER * b]).collect();
    page.shapes.push(Shape::Area { points, colour: colour(at) });
}
