//! The soft shadow on the floor, at every quality: what is above the floor is projected along the light into a small picture, the blurrier
//! the higher it is.
//!
//! A point is splatted into a level of a pyramid of pictures whose pixels are as large as its penumbra; the levels are then added up from
//! the coarsest to the finest. So its cost does not depend on the width of the penumbra.

use bevy::asset::RenderAssetUsages;
use bevy::image::{ImageAddressMode, ImageSampler, ImageSamplerDescriptor};
use bevy::mesh::{Indices, VertexAttributeValues};
use bevy::prelude::*;
use bevy::render::render_resource::{Extent3d, TextureDimension, TextureFormat};

use super::cloth_mesh::Displayed;
use super::lighting::Studio;
use crate::app::session::SessionHandle;
use crate::sim::{Pattern, Vec3 as SimVec3};

/// Pixels along a side of the finest picture, and the number of pictures, each half as large as the one before.
const PIXELS: usize = 192;
const LEVELS: usize = 6;
/// Growth of the penumbra with the height, and its least radius in pixels.
const SPREAD: f32 = 0.16;
const LEAST_PIXELS: f32 = 1.2;
/// How much steeper than the light the shadow falls, so that it stays near what casts it.
const STEEPER: f32 = 0.6;
/// How dark a sheet's shadow is: `1 - exp(-DARKNESS)`.
const DARKNESS: f32 = 2.0;
/// Side of the square that is shaded, as a multiple of what is in it.
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
    /// The pattern of a cloth, and the area of each of its vertices [m²].
    of: Option<u64>,
    areas: Vec<f32>,
}

impl Caster {
    /// Of a mesh of triangles, each divided until its parts are small.
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
        let mut parts: Vec<[Vec3; 3]> =
            indices.chunks_exact(3).map(|corners| [0, 1, 2].map(|k| places[corners[k]])).collect();
        while let Some([a, b, c]) = parts.pop() {
            let longest = a.distance(b).max(b.distance(c)).max(c.distance(a));
            if longest > 2.0 * FINENESS * size && parts.len() + points.len() < MOST_POINTS {
                let (d, e, f) = (a.midpoint(b), b.midpoint(c), c.midpoint(a));
                parts.extend([[a, d, f], [d, b, e], [f, e, c], [d, e, f]]);
            } else {
                // of a closed surface the light passes both sides
                points.push(((a + b + c) / 3.0, 0.25 * (b - a).cross(c - a).length()));
            }
        }
        Self { points, ..Self::default() }
    }
}

impl Caster {
    /// Its points [m] with their areas [m²], where it stands.
    pub fn points(&self, place: &Transform) -> impl Iterator<Item = (Vec3, f32)> {
        self.points.iter().map(|(point, area)| (place.transform_point(*point), *area))
    }

    /// Of a cloth whose vertices have these places [m] and unit normals: a vertex stands for the cells around it.
    pub fn follow(&mut self, positions: &[SimVec3], normals: &[SimVec3], pattern: &Pattern) {
        if self.of != Some(pattern.revision()) {
            self.areas = areas_at_rest(pattern.rest_positions(), pattern.triangles());
            self.of = Some(pattern.revision());
        }
        let parts = positions.iter().zip(normals).zip(&self.areas);
        self.points.clear();
        // what is seen of it from above; the light passes a sheet once, and a closed surface twice
        self.points.extend(parts.map(|((x, n), area)| (x.as_vec3(), 2.0 * area * n.as_vec3().y.abs().max(0.15))));
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

/// Takes the shadow of the cloth as it is displayed, and of the colliders.
fn cast(
    session: Res<SessionHandle>,
    displayed: Res<Displayed>,
    studio: Res<Studio>,
    casters: Query<(&Caster, &Transform)>,
    mut shadow: ResMut<ContactShadow>,
    mut images: ResMut<Assets<Image>>,
    mut areas: Local<(Option<u64>, Vec<f32>)>,
) {
    if !session.frame.parameters.contact.ground || displayed.positions.is_empty() || !displayed.is_of(&session.frame) {
        return;
    }
    let pattern = &session.frame.pattern;
    if areas.0 != Some(pattern.revision()) {
        *areas = (Some(pattern.revision()), areas_at_rest(pattern.rest_positions(), pattern.triangles()));
    }
    let light = shadow_light(&studio);
    let shadow = &mut *shadow;
    let further = casters.iter().filter(|(caster, _)| caster.of.is_some());
    let further =
        further.flat_map(|(caster, place)| caster.points.iter().map(|(point, _)| place.transform_point(*point)));
    shadow.place(displayed.positions.iter().map(|x| x.as_vec3()).chain(further), light);
    shadow.levels.iter_mut().enumerate().for_each(|(k, level)| {
        level.clear();
        level.resize((PIXELS >> k).pow(2), 0.0);
    });
    for ((position, normal), area) in displayed.positions.iter().zip(displayed.normals()).zip(&areas.1) {
        let seen = area * normal.as_vec3().dot(light).abs().max(0.15) / light.y;
        // a vertex stands for the cells around it
        shadow.splat(position.as_vec3(), seen, area.sqrt(), light);
    }
    for (caster, place) in &casters {
        for (point, area) in &caster.points {
            shadow.splat(place.transform_point(*point), 0.5 * area / light.y, area.sqrt(), light);
        }
    }
    if let Some(mut image) = images.get_mut(&shadow.image)
        && let Some(data) = &mut image.data
    {
        shadow.develop(data);
    }
}

/// Unit vector towards the light of the soft shadows.
pub fn shadow_light(studio: &Studio) -> Vec3 {
    (studio.key() + STEEPER * Vec3::Y).normalize()
}

/// The area that each vertex stands for [m²].
fn areas_at_rest(rest: &[SimVec3], triangles: &[[u32; 3]]) -> Vec<f32> {
    let mut areas = vec![0.0; rest.len()];
    for triangle in triangles {
        let [a, b, c] = triangle.map(|vertex| rest[vertex as usize]);
        let share = ((b - a).cross(c - a).length() / 6.0) as f32;
        triangle.iter().for_each(|&vertex| areas[vertex as usize] += share);
    }
    areas
}

impl ContactShadow {
    /// Puts the square where the shadow of `positions` [m] falls; it stays where it is while that fits.
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

    /// Adds the shadow of an `area` [m²] of a given `width` [m], as it is seen on the floor, at `position` [m].
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
