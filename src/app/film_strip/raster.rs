//! Small pictures of a cloth, drawn by the processor on any thread: triangles with a depth buffer,
//! lit from beside the camera.

use bevy::prelude::{Color, ColorToPacked, LinearRgba, Srgba, Vec3};
use egui::{Color32, ColorImage};

use crate::scene::Print;

/// Pixels of the drawing across one of the picture, whose colour is their mean.
const FINER: usize = 2;
/// Share of the picture's width and height that the cloth takes.
const SHARE: f32 = 0.92;
/// Light from everywhere, and that from the lamp.
const AMBIENT: f32 = 0.28;
const LAMP: f32 = 0.85;
/// Where the lamp is, as seen from the camera: right, up, back.
const LAMP_AT: Vec3 = Vec3::new(-0.45, 0.6, 0.66);

/// From where a cloth is looked at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Eye {
    /// Where it is [m].
    pub from: Vec3,
    /// The direction that is up in the picture.
    pub up: Vec3,
    /// The direction from what is seen to the eye, for what is too near to be seen whole.
    pub back: Vec3,
}

/// From where a cloth is seen, and what has to be in the picture.
#[derive(Clone, Copy)]
pub struct Sight<'a> {
    /// Width and height of the picture [pixels].
    pub size: [usize; 2],
    /// From where.
    pub eye: Eye,
    /// A box around what is seen [m], from the origin of the pattern.
    pub bounds: [Vec3; 2],
    /// Points of it that are seen [m]; all of the box if there are none.
    pub points: &'a [Vec3],
}

/// An eye turned to a box, so that the box fills the picture.
struct Turned {
    from: Vec3,
    right: Vec3,
    up: Vec3,
    back: Vec3,
    /// Pixels per unit of `x / z` and `y / z`.
    scale: f32,
    middle: [f32; 2],
}

impl Eye {
    /// From a distance of so many metres, in the direction of these angles [rad] from `at`.
    #[must_use]
    pub fn around(at: Vec3, distance: f32, yaw: f32, pitch: f32) -> Self {
        let back = Vec3::new(yaw.sin() * pitch.cos(), pitch.sin(), yaw.cos() * pitch.cos());
        Self { from: at + distance * back, up: Vec3::Y, back }
    }

    /// Turned to a box, so that the points, or without points the box, fill the picture.
    fn turned_to(&self, [low, high]: [Vec3; 2], points: &[Vec3], size: [usize; 2]) -> Turned {
        let (middle, radius) = (0.5 * (low + high), (0.5 * (high - low).length()).max(1e-3));
        let away = self.from - middle;
        // inside the cloth nothing of it is seen
        let from = if away.length() > 1.5 * radius { self.from } else { middle + 2.5 * radius * self.back };
        let back = (from - middle).normalize_or(Vec3::Z);
        let right = self.up.cross(back).normalize_or(back.any_orthonormal_vector());
        let up = back.cross(right);
        let corners = (0..8).map(|corner| {
            let pick = |axis: usize| if corner >> axis & 1 == 0 { low[axis] } else { high[axis] };
            Vec3::new(pick(0), pick(1), pick(2))
        });
        let place = |at: Vec3| {
            let seen = at - from;
            let depth = (-seen.dot(back)).max(1e-3);
            [seen.dot(right) / depth, seen.dot(up) / depth]
        };
        let start = [[f32::INFINITY; 2], [f32::NEG_INFINITY; 2]];
        let corners = corners.filter(|_| points.is_empty());
        let [least, most] = corners.chain(points.iter().copied()).map(place).fold(start, |[least, most], at| {
            [[least[0].min(at[0]), least[1].min(at[1])], [most[0].max(at[0]), most[1].max(at[1])]]
        });
        let fit = |axis: usize| SHARE * size[axis] as f32 / (most[axis] - least[axis]).max(1e-6);
        let middle = [0.5 * (least[0] + most[0]), 0.5 * (least[1] + most[1])];
        Turned { from, right, up, back, scale: fit(0).min(fit(1)), middle }
    }
}

/// The surface to draw.
pub struct Subject<'a> {
    /// Position of each vertex [m].
    pub positions: &'a [Vec3],
    /// Unit normal of each vertex.
    pub normals: &'a [Vec3],
    /// The triangles.
    pub triangles: &'a [[u32; 3]],
    /// The colour of each vertex seen from the front and from behind, in linear light.
    pub colours: &'a [[Vec3; 2]],
    /// The woven or printed pattern.
    pub woven: Option<&'a Woven>,
}

/// Stripes of a fabric, as `cloth.wgsl` draws them.
pub struct Woven {
    /// Place of each vertex on the fabric, in widths of a stripe.
    pub places: Vec<[f32; 2]>,
    /// One way or both.
    pub print: Print,
}

impl Woven {
    /// The share of the dye at a place, given by the corners of a triangle and their weights.
    fn shade(&self, triangle: &[u32; 3], weights: [f32; 3]) -> f32 {
        let place = |axis: usize| -> f32 {
            triangle.iter().zip(weights).map(|(vertex, weight)| weight * self.places[*vertex as usize][axis]).sum()
        };
        let stripe = |x: f32| f32::from(((0.5 * x).rem_euclid(1.0) - 0.5).abs() > 0.25);
        match self.print {
            Print::Plain => 1.0,
            Print::Stripe => 0.62 + 0.48 * stripe(place(0)),
            Print::Check => 0.80 + 0.14 * (stripe(place(0)) + stripe(place(1))),
        }
    }
}

/// A corner on the picture.
#[derive(Clone, Copy)]
struct Corner {
    x: f32,
    y: f32,
    /// One over the depth [1/m].
    near: f32,
    light: f32,
}

/// Memory for drawing.
#[derive(Default)]
pub struct Raster {
    corners: Vec<Corner>,
    /// One over the depth of a pixel; zero where it is empty.
    near: Vec<f32>,
    colours: Vec<Vec3>,
}

impl Raster {
    /// A picture, transparent beside the cloth.
    pub fn draw(&mut self, sight: &Sight, subject: &Subject) -> ColorImage {
        let Sight { size, eye, bounds, points } = *sight;
        let fine = size.map(|pixels| FINER * pixels.max(1));
        let eye = eye.turned_to(bounds, points, fine);
        let lamp = LAMP_AT.x * eye.right + LAMP_AT.y * eye.up + LAMP_AT.z * eye.back;
        let corner = |(at, normal): (&Vec3, &Vec3)| {
            let seen = *at - eye.from;
            let near = 1.0 / (-seen.dot(eye.back)).max(1e-3);
            let [x, y] = [seen.dot(eye.right) * near, seen.dot(eye.up) * near];
            Corner {
                x: 0.5 * fine[0] as f32 + eye.scale * (x - eye.middle[0]),
                y: 0.5 * fine[1] as f32 - eye.scale * (y - eye.middle[1]),
                near,
                light: AMBIENT + LAMP * normal.dot(lamp).abs(),
            }
        };
        self.corners.clear();
        self.corners.extend(subject.positions.iter().zip(subject.normals).map(corner));
        self.near.clear();
        self.near.resize(fine[0] * fine[1], 0.0);
        self.colours.clear();
        self.colours.resize(fine[0] * fine[1], Vec3::ZERO);
        for triangle in subject.triangles {
            self.fill(fine, triangle, subject);
        }
        self.reduced(size)
    }

    fn fill(&mut self, [width, height]: [usize; 2], triangle: &[u32; 3], subject: &Subject) {
        let [a, b, c] = triangle.map(|vertex| self.corners[vertex as usize]);
        let area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
        if !(area.is_finite() && area != 0.0) {
            return;
        }
        // the y axis of pictures points down
        let side = usize::from(area > 0.0);
        let paint = triangle.map(|vertex| subject.colours[vertex as usize][side]);
        let range = |values: [f32; 3], end: usize| {
            let least = values.into_iter().fold(f32::INFINITY, f32::min);
            let most = values.into_iter().fold(f32::NEG_INFINITY, f32::max);
            ((least - 0.5).ceil().max(0.0) as usize)..((most + 0.5).floor().clamp(0.0, end as f32) as usize)
        };
        for row in range([a.y, b.y, c.y], height) {
            for column in range([a.x, b.x, c.x], width) {
                let (x, y) = (column as f32 + 0.5, row as f32 + 0.5);
                let u = ((b.x - x) * (c.y - y) - (b.y - y) * (c.x - x)) / area;
                let v = ((c.x - x) * (a.y - y) - (c.y - y) * (a.x - x)) / area;
                let w = 1.0 - u - v;
                if u < 0.0 || v < 0.0 || w < 0.0 {
                    continue;
                }
                let near = u * a.near + v * b.near + w * c.near;
                let at = row * width + column;
                if near > self.near[at] {
                    self.near[at] = near;
                    let light = u * a.light + v * b.light + w * c.light;
                    let shade = subject.woven.map_or(1.0, |woven| woven.shade(triangle, [u, v, w]));
                    self.colours[at] = shade * light * (u * paint[0] + v * paint[1] + w * paint[2]);
                }
            }
        }
    }

    /// The picture, from the finer drawing.
    fn reduced(&self, [width, height]: [usize; 2]) -> ColorImage {
        let pixel = |at: usize| {
            let (row, column) = (at / width, at % width);
            let parts = (0..FINER * FINER)
                .map(|part| (FINER * row + part / FINER) * FINER * width + FINER * column + part % FINER);
            let (sum, covered) = parts.fold((Vec3::ZERO, 0), |(sum, covered), at| {
                if self.near[at] > 0.0 { (sum + self.colours[at], covered + 1) } else { (sum, covered) }
            });
            if covered == 0 {
                return Color32::TRANSPARENT;
            }
            let mean = (sum / covered as f32).min(Vec3::ONE);
            let [r, g, b, _] = Srgba::from(LinearRgba::rgb(mean.x, mean.y, mean.z)).to_u8_array();
            Color32::from_rgba_unmultiplied(r, g, b, (255 * covered / (FINER * FINER)) as u8)
        };
        ColorImage::new([width, height], (0..width * height).map(pixel).collect())
    }
}

/// A colour in linear light, from sRGB.
#[must_use]
pub fn linear([r, g, b]: [f32; 3]) -> Vec3 {
    let colour = Color::srgb(r, g, b).to_linear();
    Vec3::new(colour.red, colour.green, colour.blue)
}
