//! The shadow of a cloth and of colliders on the cloth at low quality, without shadow maps: a
//! height field across the light, which every vertex is compared with.
//!
//! A cell holds how far towards the light the nearest surface is. A vertex compares the cells
//! around it with its tangent plane, so that a sheet at a slant does not shade itself; closer
//! surfaces than the bias are left to the shading of folds.

use bevy::prelude::*;

/// Most cells along a side.
const MOST_CELLS: f32 = 96.0;
/// Bias in cells, and its growth with the slope of the tangent plane.
const BIAS: f32 = 0.8;
const SLOPE_BIAS: f32 = 0.9;
/// Cells over which a shadow sets in behind the bias.
const RAMP: f32 = 2.0;
/// Least cosine between normal and light for the slope.
const LEAST_COSINE: f32 = 0.25;

/// The height field, with the memory for it.
#[derive(Default)]
pub struct SelfShadow {
    heights: Vec<f32>,
    /// Number of cells along the two sides.
    size: [usize; 2],
    /// Corner of the field across the light [m].
    corner: Vec2,
    /// Side of a cell [m].
    cell: f32,
    /// The directions of the two sides, and that towards the light.
    axes: [Vec3; 3],
}

impl SelfShadow {
    /// Takes vertices [m] of a cloth whose edges are `spacing` [m] long, and points of `solids` [m]
    /// with their areas [m²].
    pub fn cast(&mut self, places: &[Vec3], spacing: f32, solids: impl Iterator<Item = (Vec3, f32)>, light: Vec3) {
        let (u, v) = light.any_orthonormal_pair();
        self.axes = [u, v, light];
        let (mut low, mut high) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
        for at in places.iter().map(|place| self.across(*place)).filter(|at| at.is_finite()) {
            (low, high) = (low.min(at), high.max(at));
        }
        let side = (high - low).max_element();
        self.heights.clear();
        if !side.is_finite() || spacing <= 0.0 {
            self.size = [0; 2];
            return;
        }
        // in whole steps, and on a lattice that stands still: else shadows would flicker
        self.cell = spacing * (side / (MOST_CELLS * spacing)).max(1.0).log2().ceil().exp2();
        self.corner = ((low / self.cell).floor() - 1.0) * self.cell;
        let cells = ((high - self.corner) / self.cell).ceil() + 2.0;
        self.size = [cells.x as usize, cells.y as usize];
        self.heights.resize(self.size[0] * self.size[1], f32::NEG_INFINITY);
        for &place in places {
            self.raise(place, 0.5);
        }
        for (place, area) in solids {
            self.raise(place, 0.5 * area.sqrt() / self.cell);
        }
    }

    /// Share of the light that reaches a vertex [m] with a unit normal.
    pub fn lit(&self, place: Vec3, normal: Vec3) -> f32 {
        let at = (self.across(place) - self.corner) / self.cell - 0.5;
        if !at.is_finite() || self.heights.is_empty() {
            return 1.0;
        }
        let [u, v, light] = self.axes;
        let facing = normal.dot(light);
        let cosine = facing.abs().max(LEAST_COSINE).copysign(facing);
        let slope = -Vec2::new(normal.dot(u), normal.dot(v)) / cosine;
        let bias = BIAS + SLOPE_BIAS * (slope.x.abs() + slope.y.abs());
        let height = place.dot(light);
        let base = at.floor();
        let part = at - base;
        let mut shaded = 0.0;
        for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            let corner = Vec2::new(dx as f32, dy as f32);
            let [x, y] = [base.x as usize + dx, base.y as usize + dy];
            let Some(top) = self.heights.get(y * self.size[0] + x) else { continue };
            let weight = (1.0 - (corner - part).abs()).element_product();
            let above = (top - height) / self.cell - slope.dot(corner - part);
            shaded += weight * ((above - bias) / RAMP).clamp(0.0, 1.0);
        }
        1.0 - shaded
    }

    /// Where a point is across the light [m].
    fn across(&self, place: Vec3) -> Vec2 {
        Vec2::new(place.dot(self.axes[0]), place.dot(self.axes[1]))
    }

    /// Lifts the cells within `reach` cells of a point [m] up to it.
    fn raise(&mut self, place: Vec3, reach: f32) {
        let at = (self.across(place) - self.corner) / self.cell - 0.5;
        let last = Vec2::new(self.size[0] as f32 - 1.0, self.size[1] as f32 - 1.0);
        let (low, high) = ((at - reach).round().max(Vec2::ZERO), (at + reach).round().min(last));
        if !at.is_finite() || low.cmpgt(high).any() {
            return;
        }
        let height = place.dot(self.axes[2]);
        for y in low.y as usize..=high.y as usize {
            for cell in &mut self.heights[y * self.size[0]..][low.x as usize..=high.x as usize] {
                *cell = cell.max(height);
            }
        }
    }
}
