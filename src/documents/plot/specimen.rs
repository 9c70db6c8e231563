//! A cloth as seen from a direction: its triangles, where it is held, the plane below it, discs.

use super::item::Form;
use super::look::{Colour, Look};
use super::page::{Drawing, EDGE, Page, WIDTH};
use super::shape::{Anchor, Shape};
use crate::sim::params::units::significant;
use crate::sim::{Real, Vec3};

/// Colours of the cloth, of what is held and of an outline, of the plane, and of a shadow.
const CLOTH: Colour = [104, 146, 205];
const HELD: Colour = [214, 108, 62];
const PLANE: Colour = [222, 224, 228];
const SHADOW: Colour = [150, 154, 162];
/// Largest height of the picture, and least length of the bar of the scale [points].
const HEIGHT: Real = 260.0;
const BAR: Real = 48.0;
/// Lengths that the bar may have [m].
const BARS: [Real; 6] = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2];
/// Least brightness of a triangle that is seen from its edge.
const DARKEST: Real = 0.5;
/// Corners of a polygon that stands for a circle.
const CORNERS: u32 = 90;

/// A direction of view: what is to the right and what is up in the picture, of unit length and
/// perpendicular.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct View {
    right: Vec3,
    up: Vec3,
}

impl View {
    /// From above, with `right` [of unit length, level] to the right.
    #[must_use]
    pub fn from_above(right: Vec3) -> Self {
        Self { right, up: Vec3::Y.cross(right) }
    }

    /// From a side: at an azimuth of 0 from the end of z, at a quarter turn from that of x, and from
    /// above the horizon by the elevation [rad].
    #[must_use]
    pub fn from_side(azimuth: Real, elevation: Real) -> Self {
        let towards = Vec3::new(azimuth.sin(), 0.0, azimuth.cos());
        Self { right: Vec3::Y.cross(towards), up: Vec3::Y * elevation.cos() - towards * elevation.sin() }
    }

    fn place(&self, x: Vec3) -> [Real; 2] {
        [x.dot(self.right), -x.dot(self.up)]
    }
}

/// A picture of a cloth.
#[derive(Debug, Clone, PartialEq)]
pub struct SpecimenPicture<'a> {
    /// Its title.
    pub title: String,
    /// Positions of the vertices [m].
    pub positions: &'a [Vec3],
    /// The triangles.
    pub triangles: &'a [[u32; 3]],
    /// Whether each vertex is held.
    pub is_held: Vec<bool>,
    /// The direction of view.
    pub view: View,
    /// Corners of the plane below it [m]; none if there is none.
    pub plane: Vec<Vec3>,
    /// Radii of circles about the origin [m]: the cloth is then drawn as its shadow.
    pub circles: Vec<Real>,
    /// Points of a closed line [m] that is dashed in orange; none if there is none.
    pub outline: Vec<Vec3>,
}

impl SpecimenPicture<'_> {
    /// The picture on a page.
    #[must_use]
    pub fn drawing(&self) -> Drawing {
        let mut page = Page::titled(&self.title);
        page.y += 4.0;
        let circles: Vec<Vec<Vec3>> = self.circles.iter().map(|radius| circle(*radius)).collect();
        let all = self.positions.iter().chain(&self.plane).chain(circles.iter().flatten()).chain(&self.outline);
        let (mut low, mut high) = ([Real::INFINITY; 2], [Real::NEG_INFINITY; 2]);
        for place in all.map(|x| self.view.place(*x)) {
            for axis in 0..2 {
                (low[axis], high[axis]) = (low[axis].min(place[axis]), high[axis].max(place[axis]));
            }
        }
        let [width, height] = [high[0] - low[0], high[1] - low[1]].map(|size| size.max(1e-6));
        let scale = Real::min((WIDTH - 2.0 * EDGE) / width, HEIGHT / height);
        let left = 0.5 * (WIDTH - scale * width);
        let top = page.y;
        let place = |x: Vec3| {
            let [across, down] = self.view.place(x);
            [left + scale * (across - low[0]), top + scale * (down - low[1])]
        };
        page.shapes.extend(self.shapes(&place));
        for circle in &circles {
            let points = circle.iter().map(|x| place(*x)).collect();
            page.shapes.push(Shape::line(points, Look::PAGE.text, 1.0, Some([4.0, 3.0])));
        }
        if !self.outline.is_empty() {
            let points = self.outline.iter().map(|x| place(*x)).collect();
            page.shapes.push(Shape::line(points, HELD, 1.5, Some([7.0, 3.0])));
        }
        page.y += scale * height + 16.0;
        page.bar(scale);
        page.finish(&self.title)
    }

    /// Plane, triangles from the farthest on, and vertices that are held without a triangle.
    fn shapes(&self, place: &impl Fn(Vec3) -> [Real; 2]) -> Vec<Shape> {
        let mut shapes = Vec::new();
        if !self.plane.is_empty() {
            shapes.push(Shape::area(self.plane.iter().map(|x| place(*x)).collect(), PLANE));
        }
        let towards = self.view.right.cross(self.view.up);
        let corners = |triangle: &[u32; 3]| triangle.map(|vertex| self.positions[vertex as usize]);
        let depth = |triangle: &[u32; 3]| corners(triangle).into_iter().sum::<Vec3>().dot(towards);
        let mut order: Vec<&[u32; 3]> = self.triangles.iter().collect();
        order.sort_by(|a, b| depth(a).total_cmp(&depth(b)));
        let mut is_shown = vec![false; self.positions.len()];
        for triangle in order {
            let [a, b, c] = corners(triangle);
            let facing = (b - a).cross(c - a).normalize_or_zero().dot(towards).abs();
            let is_held = triangle.iter().all(|vertex| self.is_held[*vertex as usize]);
            triangle.iter().for_each(|vertex| is_shown[*vertex as usize] |= is_held);
            let shaded = |colour: Colour| {
                let light = DARKEST + (1.0 - DARKEST) * facing;
                colour.map(|part| (light * Real::from(part)).round() as u8)
            };
            let colour = match (self.circles.is_empty(), is_held) {
                (false, _) => SHADOW,
                (true, true) => shaded(HELD),
                (true, false) => shaded(CLOTH),
            };
            shapes.push(Shape::area([a, b, c].map(place).to_vec(), colour));
        }
        let alone = (0..self.positions.len()).filter(|&i| self.is_held[i] && !is_shown[i]);
        shapes.extend(alone.flat_map(|i| Form::Disc.shapes(place(self.positions[i]), 2.0, HELD)));
        shapes
    }
}

impl Page {
    /// A bar of a round length at this scale [points per metre].
    fn bar(&mut self, scale: Real) {
        let length = BARS.into_iter().find(|length| length * scale >= BAR).unwrap_or(BARS[BARS.len() - 1]);
        let end = EDGE + length * scale;
        let look = &Look::PAGE;
        self.shapes.push(Shape::line(vec![[EDGE, self.y], [end, self.y]], look.text, 1.5, None));
        let text = format!("{} mm", significant(1e3 * length));
        let style = (look.small, false, look.text);
        self.shapes.push(Shape::text([end + 6.0, self.y + 3.0], &text, style, Anchor::Start));
        self.y += 4.0;
    }
}

/// Points of a level circle about the origin [m], closed.
fn circle(radius: Real) -> Vec<Vec3> {
    let angle = |k: u32| std::f64::consts::TAU * Real::from(k) / Real::from(CORNERS);
    (0..=CORNERS).map(|k| Vec3::new(angle(k).cos(), 0.0, angle(k).sin()) * radius).collect()
}
