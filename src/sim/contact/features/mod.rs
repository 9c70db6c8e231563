//! Features of colliders: the points and edges, and the middles of thin parts, which can come between the vertices of a cloth.
//!
//! The vertices of a cloth keep the thickness from every surface. On a flat or smooth one that keeps all of the cloth off it; over an
//! edge or a tip the middle of a cell comes nearer. How near follows from the length of a cell, the thickness and the shape: over an edge
//! where the surface turns by an angle `θ`, the middle of a thread of length `L` whose ends keep the distance `t` from both faces is at
//! `t / cos(θ/2) - L/2 tan(θ/2)`. Features are listed only where that is less than the share of the thickness which is to be kept.

mod tree;

use std::collections::HashMap;
use std::f64::consts::{PI, TAU};

use super::shape::Shape;
use super::surface::{EdgeRule, SurfaceSettings};
use crate::sim::{Real, Vec3};
pub(super) use tree::{FeatureTree, Span};

/// Share of the thickness that the cloth keeps between its vertices. Less than one, so that triangles that lie flat on vertices at the
/// full thickness are not touched.
pub(super) const SHARE: Real = 0.5;
/// Largest distance of a round rim from the chords that stand for it, as a share of the thickness.
const CHORD: Real = 0.1;
/// Fewest and most chords of a rim.
const CHORDS: [u32; 2] = [6, 256];
/// Cosine of the smallest angle by which edges that meet in a point have to differ for it to be a corner.
const STRAIGHT: Real = 0.9998;
/// Largest angle between the normals on both sides of an edge that is looked at; sharper ones are as good as a rim [rad].
const SHARPEST: Real = 0.95 * PI;
/// What is sharp or thin by itself, so that it is listed unless features are asked for one by one: an edge over which the surface turns by so
/// much within a quarter of a cell [rad], and a radius below that share of a cell.
const SHARP: Real = 0.5;
const SHARP_WITHIN: Real = 0.25;
const THIN: Real = 0.5;

/// A straight edge of a collider, or a point if its ends are equal, in the frame of the collider. All of the solid that it stands for lies within
/// `radius` of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Feature {
    /// Both ends [m].
    pub ends: [Vec3; 2],
    /// [m]
    pub radius: Real,
}

impl Feature {
    fn point(at: Vec3, radius: Real) -> Self {
        Self { ends: [at, at], radius }
    }

    fn edge(from: Vec3, to: Vec3, radius: Real) -> Self {
        Self { ends: [from, to], radius }
    }

    /// Whether it is a point.
    pub fn is_point(&self) -> bool {
        self.ends[0] == self.ends[1]
    }
}

/// The cloth that features are looked for.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Cells {
    /// Longest edge at rest [m].
    length: Real,
    /// Distance of its vertices from the surface [m].
    thickness: Real,
    /// Whether only what is sharp or thin is listed.
    sharp_only: bool,
}

impl Cells {
    /// Whether an edge where the surface turns by an `angle` [rad] comes too near to a thread across it.
    fn feel_edge(&self, angle: Real) -> bool {
        let Self { length, thickness, .. } = *self;
        let half = 0.5 * angle.min(SHARPEST);
        let left = if 0.5 * length < thickness * half.sin() {
            (thickness * thickness - 0.25 * length * length).max(0.0).sqrt()
        } else {
            thickness / half.cos() - 0.5 * length * half.tan()
        };
        left < SHARE * thickness
    }

    /// Whether a round surface comes too near to a triangle on it.
    fn feel_curve(&self, radius: Real) -> bool {
        let Self { length, thickness, sharp_only } = *self;
        if sharp_only && radius > THIN * length {
            return false;
        }
        let around = radius + thickness;
        // the corners of an equilateral triangle are that far from its middle
        let left = (around * around - length * length / 3.0).max(0.0).sqrt() - radius;
        left < SHARE * thickness
    }
}

/// The features of a shape with a `surface` that come too near to a cloth whose longest edge at rest has a `length` [m].
pub(super) fn features_of(shape: &Shape, length: Real, surface: &SurfaceSettings) -> Vec<Feature> {
    let cells = Cells { length, thickness: surface.thickness, sharp_only: surface.edges == EdgeRule::Sharp };
    match *shape {
        Shape::Plane { .. } => Vec::new(),
        Shape::Sphere { radius } => {
            let at = cells.feel_curve(radius).then(|| Feature::point(Vec3::ZERO, radius));
            at.into_iter().collect()
        }
        Shape::Capsule { half_height, radius } => {
            let ends = [Vec3::NEG_Y * half_height, Vec3::Y * half_height];
            if !cells.feel_curve(radius) {
                return Vec::new();
            }
            ends.into_iter()
                .map(|end| Feature::point(end, radius))
                .chain([Feature::edge(ends[0], ends[1], radius)])
                .collect()
        }
        Shape::Box { half_extents } => of_box(half_extents, cells),
        Shape::Cylinder { half_height, radius } => of_cylinder(half_height, radius, cells),
        Shape::Hull { .. } | Shape::Mesh { .. } => match shape.triangles() {
            Some((points, triangles)) => of_mesh(points, triangles, shape.is_solid(), cells),
            None => Vec::new(),
        },
    }
}

fn of_box(half: Vec3, cells: Cells) -> Vec<Feature> {
    if !cells.feel_edge(0.5 * PI) {
        return Vec::new();
    }
    let corner = |k: u32| half * Vec3::from_array([0, 1, 2].map(|axis| if k >> axis & 1 == 0 { -1.0 } else { 1.0 }));
    let points = (0..8).map(|k| Feature::point(corner(k), 0.0));
    let edges = (0..8_u32).flat_map(|k| {
        let rising = (0..3_u32).filter(move |axis| k >> axis & 1 == 0);
        rising.map(move |axis| Feature::edge(corner(k), corner(k | 1 << axis), 0.0))
    });
    points.chain(edges).collect()
}

fn of_cylinder(half_height: Real, radius: Real, cells: Cells) -> Vec<Feature> {
    let mut found = Vec::new();
    if !cells.sharp_only && cells.feel_edge(0.5 * PI) {
        let sagitta = CHORD * cells.thickness;
        let half = (1.0 - (sagitta / radius).min(1.0)).acos();
        let count = ((PI / half).ceil() as u32).clamp(CHORDS[0], CHORDS[1]);
        let at = |k: u32, y: Real| {
            let angle = TAU * Real::from(k % count) / Real::from(count);
            Vec3::new(radius * angle.cos(), y, radius * angle.sin())
        };
        for y in [-half_height, half_height] {
            found.extend((0..count).map(|k| Feature::point(at(k, y), 0.0)));
            found.extend((0..count).map(|k| Feature::edge(at(k, y), at(k + 1, y), 0.0)));
        }
    }
    if cells.feel_curve(radius) {
        found.push(Feature::edge(Vec3::NEG_Y * half_height, Vec3::Y * half_height, radius));
    }
    found
}

/// An edge of a mesh with what is known of its triangles.
struct Fold {
    /// Normal of the first triangle.
    normal: Vec3,
    /// The point of the first triangle beside the edge.
    beside: Vec3,
    /// How far that is from the edge; the smaller of both triangles [m].
    width: Real,
    /// By how much the surface turns at the edge, outwards [rad]; a rim until a second triangle is found.
    angle: Real,
    count: u32,
}

fn of_mesh(points: &[Vec3], triangles: &[[u32; 3]], solid: bool, cells: Cells) -> Vec<Feature> {
    let mut folds: HashMap<[u32; 2], Fold> = HashMap::with_capacity(triangles.len() * 3 / 2);
    let at = |corner: u32| points[corner as usize];
    // points at the same place are one, or a seam would be a rim
    let mut places: HashMap<[u64; 3], u32> = HashMap::with_capacity(points.len());
    let mut one_of = |corner: u32| *places.entry(at(corner).to_array().map(|x| (x + 0.0).to_bits())).or_insert(corner);
    for &triangle in triangles {
        let [a, b, c] = triangle.map(&mut one_of);
        let normal = (at(b) - at(a)).cross(at(c) - at(a)).normalize_or_zero();
        for [from, to, beside] in [[a, b, c], [b, c, a], [c, a, b]] {
            let along = (at(to) - at(from)).normalize_or_zero();
            let out = (at(beside) - at(from)).reject_from(along);
            let width = out.length();
            let fold = folds.entry([from.min(to), from.max(to)]).or_insert(Fold {
                normal,
                beside: at(beside),
                width,
                angle: SHARPEST,
                count: 0,
            });
            fold.count += 1;
            if fold.count == 2 {
                let other = (fold.beside - at(from)).reject_from(along);
                let turn = PI - out.angle_between(other);
                let is_hollow = (at(beside) - at(from)).dot(fold.normal) > 0.0;
                // both sides of a sheet are outside
                fold.angle = if solid && is_hollow { 0.0 } else { turn };
                fold.width = fold.width.min(width);
            } else if fold.count > 2 {
                fold.angle = SHARPEST;
            }
        }
    }
    // where triangles are smaller than cells, a cell goes over several edges
    let is_felt = |fold: &Fold| {
        let edges = (0.5 * cells.length / fold.width.max(1e-3 * cells.length)).max(1.0);
        let near = (SHARP_WITHIN * cells.length / fold.width.max(1e-3 * cells.length)).max(1.0);
        let is_listed = !cells.sharp_only || fold.angle * near >= SHARP;
        fold.angle > 1e-6 && is_listed && cells.feel_edge(fold.angle * edges)
    };
    let mut edges: Vec<[u32; 2]> = folds.iter().filter(|(_, fold)| is_felt(fold)).map(|(ends, _)| *ends).collect();
    edges.sort_unstable();
    // in the middle of a straight edge is no corner
    let mut directions: Vec<Option<Vec3>> = vec![None; points.len()];
    let mut corners = vec![false; points.len()];
    for [a, b] in &edges {
        for (from, to) in [(*a, *b), (*b, *a)] {
            let along = (at(to) - at(from)).normalize_or_zero();
            let from = from as usize;
            match directions[from].replace(along) {
                None => corners[from] = true,
                Some(last) => corners[from] = last.dot(along) > -STRAIGHT,
            }
        }
    }
    let corners = (0..points.len()).filter(|&i| corners[i]).map(|i| Feature::point(points[i], 0.0));
    corners.chain(edges.iter().map(|&[a, b]| Feature::edge(at(a), at(b), 0.0))).collect()
}
