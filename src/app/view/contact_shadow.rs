//! The soft shadow on the floor, at every quality: objects above the floor are projected along the
//! light into a small picture, the blurrier the higher they are.
//!
//! A point is splatted into a level of a pyramid of pictures whose pixels are as large as its
//! penumbra; the levels are then added up from the coarsest to the finest. So its cost does not
//! depend on the width of the penumbra.

use std::collections::VecDeque;

use bevy::asset::RenderAssetUsages;
use bevy::image::{ImageAddressMode, ImageSampler, ImageSamplerDescriptor};
use bevy::mesh::{Indices, VertexAttributeValues};
use bevy::prelude::*;
use bevy::render::render_resource::{Extent3d, TextureDimension, TextureFormat};

use super::displayed::{ChosenCloth, Displayed};
use super::lighting::Studio;
use crate::app::session::SessionHandle;

/// Pixels along a side of the finest picture, and the number of pictures, each half as large as the
/// one before.
const PIXELS: usize = 192;
const LEVELS: usize = 6;
/// Growth of the penumbra with the height, and its least radius in pixels.
const SPREAD: f32 = 0.16;
const LEAST_PIXELS: f32 = 1.2;
/// How much steeper than the light the shadow falls, so that it stays near its object.
const STEEPER: f32 = 0.6;
/// How dark a sheet's shadow is: `1 - exp(-DARKNESS)`.
const DARKNESS: f32 = 2.0;
/// Side of the shaded square, as a multiple of its contents.
const ROOM: f32 = 1.5;
/// Largest pieces into which the surface of a collider is divided, as a share of its size.
const FINENESS: f32 = 0.06;
/// Most points by which a collider is stood for.
const MOST_POINTS: usize = 6_000;

/// The picture, and the square of the floor that it covers.
#[derive(Resource, Default)]
pub struct ContactShadow {
    /// The share of the light that is taken away, one byte per pixel.
    pub image: Handle<Image>,
    /// Corner of the square with the least x and z [m].
    pub corner: [f32; 2],
    /// Its side [m].
    pub side: f32,
    levels: [Vec<f32>; LEVELS],
}

/// The surface of a collider: points with their areas, in its own frame.
#[derive(Component, Default)]
pub struct Caster {
    /// Place [m] and area [m²].
    points: Vec<(Vec3, f32)>,
}

impl Caster {
    /// Of a mesh of triangles, each halved until its parts are small, the first ones first: if they
    /// become too many, all are about as large.
    pub fn of(mesh: &Mesh) -> Self {
        let Some(VertexAttributeValues::Float32x3(places)) = mesh.attribute(Mesh::ATTRIBUTE_POSITION) else {
            return Self::default();
        };
        let places: Vec<Vec3> = places.iter().copied().map(Vec3::from).collect();
        let size = places.iter().map(|place| place.length()).fold(0.0, f32::max);
        let indices: Vec<usize> = match mesh.indices() {
            Some(indices) => Indices::iter(indices).collect(),
            None => (0..places.len()).collect(),
        };
        let mut points = Vec::new();
        let mut parts: VecDeque<[Vec3; 3]> =
            indices.chunks_exact(3).map(|corners| [0, 1, 2].map(|k| places[corners[k]])).collect();
        while let Some([a, b, c]) = parts.pop_front() {
            // `a` and `b` are the ends of the longest edge
            let lengths = [a.distance(b), b.distance(c), c.distance(a)];
            let longest = lengths.into_iter().fold(0.0, f32::max);
            let [a, b, c] = if lengths[0] == longest {
                [a, b, c]
            } else if lengths[1] == longest {
                [b, c, a]
            } else {
                [c, a, b]
            };
            if longest > 2.0 * FINENESS * size && parts.len() + points.len() < MOST_POINTS {
                let middle = a.midpoint(b);
                parts.extend([[a, middle, c], [middle, b, c]]);
            } else {
                // of a closed surface the light passes both sides
                points.push(((a + b + c) / 3.0, 0.25 * (b - a).cross(c - a).length()));
            }
        }
        Self { points }
    }

    /// Its points [m] with their areas [m²], where it stands.
    pub fn points(&self, place: &Transform) -> impl Iterator<Item = (Vec3, f32)> {
        self.points.iter().map(|(point, area)| (place.transform_point(*point), *area))
    }
}

pub(super) fn plugin(app: &mut App) {
    let shadow =
        ContactShadow { image: new_picture(&mut app.world_mut().resource_mut::<Assets<Image>>()), ..default() };
    app.insert_resource(shadow).add_systems(Update, cast);
}

fn new_picture(images: &mut Assets<Image>) -> Handle<Image> {
    let size = Extent3d { width: PIXELS as u32, height: PIXELS as u32, depth_or_array_layers: 1 };
    let (usages, format) = (RenderAssetUsages::default(), TextureFormat::R8Unorm);
    let mut image = Image::new_fill(size, TextureDimension::D2, &[0], format, usages);
    image.sampler = ImageSampler::Descriptor(ImageSamplerDescriptor {
        address_mode_u: ImageAddressMode::ClampToEdge,
        address_mode_v: ImageAddressMode::ClampToEdge,
        ..ImageSamplerDescriptor::linear()
    });
    images.add(image)
}

/// Takes the shadow of the cloths as they are displayed, and of the colliders.
fn cast(
    session: Res<SessionHandle>,
    chosen: ChosenCloth,
    studio: Res<Studio>,
    cloths: Query<(&Displayed, &Transform)>,
    casters: Query<(&Caster, &Transform)>,
    mut shadow: ResMut<ContactShadow>,
    mut images: ResMut<Assets<Image>>,
) {
    if !session.frame().parameters.contact.ground || chosen.positions.is_empty() || !chosen.is_of(session.frame()) {
        return;
    }
    let light = shadow_light(&studio);
    let shadow = &mut *shadow;
    let positions = cloths
        .iter()
        .flat_map(|(displayed, place)| displayed.positions.iter().map(|x| place.transform_point(x.as_vec3())));
    shadow.place(positions, light);
    shadow.levels.iter_mut().enumerate().for_each(|(k, level)| {
        level.clear();
        level.resize((PIXELS >> k).pow(2), 0.0);
    });
    for (displayed, place) in &cloths {
        for (position, normal, area) in displayed.patches() {
            let seen = area * normal.dot(light).abs().max(0.15) / light.y;
            // a vertex stands for the cells around it
            shadow.splat(place.transform_point(position), seen, area.sqrt(), light);
        }
    }
    for (caster, place) in &casters {
        for (point, area) in caster.points(place) {
            shadow.splat(point, 0.5 * area / light.y, area.sqrt(), light);
        }
    }
    if let Some(mut image) = images.get_mut(&shadow.image)
        && let Some(data) = &mut image.data
    {
        shadow.develop(data);
    }
}

/// Unit vector towards the light of the soft shadows.
fn shadow_light(studio: &Studio) -> Vec3 {
    (studio.key() + STEEPER * Vec3::Y).normalize()
}

impl ContactShadow {
    /// Puts the square where the shadow of `positions` [m] falls; it stays where it is while that
    /// fits.
    fn place(&mut self, positions: impl Iterator<Item = Vec3>, light: Vec3) {
        let (mut low, mut high) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
        for at in positions.map(|position| fall(position, light)).filter(|at| at.is_finite()) {
            (low, high) = (low.min(at), high.max(at));
        }
        if !low.is_finite() || !high.is_finite() {
            return;
        }
        let corner = Vec2::from(self.corner);
        let fits = low.cmpge(corner).all() && high.cmple(corner + self.side).all();
        let needed = (high - low).max_element().max(0.05);
        if fits && needed > 0.35 * self.side {
            return;
        }
        self.side = ROOM * needed;
        self.corner = (0.5 * (low + high) - 0.5 * self.side).to_array();
    }

    /// Adds the shadow of an `area` [m²] of a given `width` [m], as it is seen on the floor, at
    /// `position` [m].
    fn splat(&mut self, position: Vec3, area: f32, width: f32, light: Vec3) {
        let at = fall(position, light);
        if position.y < -1e-3 || !at.is_finite() || self.side <= 0.0 {
            return;
        }
        let pixel = self.side / PIXELS as f32;
        let radius = width.max(SPREAD * position.y) / pixel;
        let level = radius.max(LEAST_PIXELS).log2().clamp(0.0, (LEVELS - 1) as f32);
        let share = level.fract();
        let place = (at - Vec2::from(self.corner)) / self.side;
        for (k, part) in [(level as usize, 1.0 - share), (level as usize + 1, share)] {
            let Some(picture) = self.levels.get_mut(k).filter(|_| part > 0.0) else { continue };
            let side = PIXELS >> k;
            let density = part * area / (self.side / side as f32).powi(2);
            let corner = place * side as f32 - 0.5;
            let base = corner.floor();
            let [fx, fy] = (corner - base).to_array();
            for (dx, dy, weight) in
                [(0, 0, (1.0 - fx) * (1.0 - fy)), (1, 0, fx * (1.0 - fy)), (0, 1, (1.0 - fx) * fy), (1, 1, fx * fy)]
            {
                let (x, y) = (base.x as i64 + dx, base.y as i64 + dy);
                if (0..side as i64).contains(&x) && (0..side as i64).contains(&y) {
                    picture[y as usize * side + x as usize] += weight * density;
                }
            }
        }
    }

    /// Adds the levels up, and writes how much light they take.
    fn develop(&mut self, data: &mut [u8]) {
        for k in (1..LEVELS).rev() {
            let (fine, coarse) = self.levels.split_at_mut(k);
            enlarge(&coarse[0], PIXELS >> k, &mut fine[k - 1]);
        }
        for (byte, density) in data.iter_mut().zip(&self.levels[0]) {
            *byte = (255.0 * (1.0 - (-DARKNESS * density).exp())) as u8;
        }
    }
}

/// Where the light through `position` [m] meets the floor: x and z [m].
fn fall(position: Vec3, light: Vec3) -> Vec2 {
    (position - light * (position.y / light.y)).xz()
}

/// Adds a picture with `side` pixels to one that has twice as many, between its pixels bilinearly.
fn enlarge(coarse: &[f32], side: usize, fine: &mut [f32]) {
    let last = side - 1;
    // a fine pixel is a quarter of a coarse one from the middle of that which it lies in
    let near = |fine: usize| {
        let at = fine / 2;
        let other = if fine.is_multiple_of(2) { at.saturating_sub(1) } else { (at + 1).min(last) };
        (at, other)
    };
    for (y, row) in fine.chunks_exact_mut(2 * side).enumerate() {
        let (y0, y1) = near(y);
        let (near_row, far_row) = (&coarse[y0 * side..][..side], &coarse[y1 * side..][..side]);
        for (x, value) in row.iter_mut().enumerate() {
            let (x0, x1) = near(x);
            *value += 0.5625 * near_row[x0] + 0.1875 * (near_row[x1] + far_row[x0]) + 0.0625 * far_row[x1];
        }
    }
}
