//! Features of colliders: points, edges and centres of thin parts that can come between the
//! vertices of a cloth.
//!
//! The vertices keep the thickness from every surface. On a flat or smooth surface that keeps all
//! of the cloth off it; over an edge or a tip the middle of a cell comes nearer. Over an edge where
//! the surface turns by the angle `θ`, the middle of a spring of length `L` whose ends keep the
//! distance `t` from both faces is at `t / cos(θ/2) - L/2 tan(θ/2)`. A feature is listed only if
//! that is less than the share of the thickness to be kept.

use std::collections::HashMap;
use std::f64::consts::{PI, TAU};

use parry3d_f64::math::Pose;

use super::shape::Shape;
use super::surface::{EdgeRule, SurfaceSettings};
use crate::sim::contact::aabb::Swept;
use crate::sim::contact::bvh::{self, Node, range};
use crate::sim::{Real, Vec3};

/// Most features of a leaf.
const LEAF: usize = 4;

/// Share of the thickness that the cloth keeps between its vertices. Below one, so that triangles
/// lying flat on vertices at the full thickness are not in contact.
pub(in crate::sim::contact) const SHARE: Real = 0.5;
/// Largest distance of a round rim from its chords, as a share of the thickness.
const CHORD: Real = 0.1;
/// Fewest and most chords of a rim.
const CHORDS: [u32; 2] = [6, 256];
/// Cosine of the smallest angle between edges that makes their common point a corner.
const STRAIGHT: Real = 0.9998;
/// Largest angle between the normals on both sides of an edge that is distinguished; sharper edges
/// count as a rim [rad].
const SHARPEST: Real = 0.95 * PI;
/// Sharp or thin features, listed unless features are chosen per collider: an edge over which the
/// surface turns by this angle within a quarter of a cell [rad], and a radius below this share of a
/// cell.
const SHARP: Real = 0.5;
const SHARP_WITHIN: Real = 0.25;
const THIN: Real = 0.5;

/// A straight edge of a collider, or a point if its ends are equal, in the frame of the collider.
/// The part of the solid that it stands for lies within `radius` of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::sim::contact) struct Feature {
    /// Both ends [m].
    pub ends: [Vec3; 2],
    /// Radius [m].
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

/// The cloth for which features are listed.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Cells {
    /// Longest edge at rest [m].
    length: Real,
    /// Distance of its vertices from the surface [m].
    thickness: Real,
    /// Whether only sharp or thin features are listed.
    sharp_only: bool,
}

impl Cells {
    /// Whether an edge where the surface turns by an `angle` [rad] comes too near to a spring
    /// across it.
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
        // the distance of the corners of an equilateral triangle from its centre
        let left = (around * around - length * length / 3.0).max(0.0).sqrt() - radius;
        left < SHARE * thickness
    }
}

/// The features of a shape with a `surface` that come too near to a cloth with the longest rest
/// edge `length` [m].
pub(in crate::sim::contact) fn features_of(shape: &Shape, length: Real, surface: &SurfaceSettings) -> Vec<Feature> {
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

/// An edge of a mesh with its triangles.
struct Fold {
    /// Normal of the first triangle.
    normal: Vec3,
    /// The point of the first triangle opposite the edge.
    beside: Vec3,
    /// Distance of that point from the edge; the smaller of both triangles [m].
    width: Real,
    /// Outward turn of the surface at the edge [rad]; that of a rim until a second triangle is
    /// found.
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
    // if triangles are smaller than cells, a cell spans several edges
    let is_felt = |fold: &Fold| {
        let edges = (0.5 * cells.length / fold.width.max(1e-3 * cells.length)).max(1.0);
        let near = (SHARP_WITHIN * cells.length / fold.width.max(1e-3 * cells.length)).max(1.0);
        let is_listed = !cells.sharp_only || fold.angle * near >= SHARP;
        fold.angle > 1e-6 && is_listed && cells.feel_edge(fold.angle * edges)
    };
    let mut edges: Vec<[u32; 2]> = folds.iter().filter(|(_, fold)| is_felt(fold)).map(|(ends, _)| *ends).collect();
    edges.sort_unstable();
    // a point inside a straight edge is no corner
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

/// Features of a collider in a tree of boxes, at both ends of its motion in a step.
#[derive(Debug, Default)]
pub(in crate::sim::contact) struct FeatureTree {
    /// Features in the frame of the collider; those of a node are consecutive.
    pub features: Vec<Feature>,
    pub nodes: Vec<Node>,
    /// Boxes of every node, and of every feature.
    pub node_spans: Vec<Swept>,
    pub spans: Vec<Swept>,
    /// Ends of every feature at the start and at the end of the step [m].
    pub ends: Vec<[[Vec3; 2]; 2]>,
    places: Option<[Pose; 2]>,
}

impl FeatureTree {
    /// Builds the tree of these features.
    pub fn new(mut features: Vec<Feature>) -> Self {
        let mut nodes = Vec::new();
        bvh::build(&mut nodes, &mut features, LEAF, |own| {
            let middle = |feature: &Feature| feature.ends[0] + feature.ends[1];
            let axis = bvh::longest_axis(own.iter().map(middle));
            // at equal heights in the order of listing
            own.sort_by(|a, b| middle(a)[axis].total_cmp(&middle(b)[axis]));
            own.len() / 2
        });
        let (spans, node_spans) = (vec![Swept::EMPTY; features.len()], vec![Swept::EMPTY; nodes.len()]);
        let ends = features.iter().map(|feature| [feature.ends; 2]).collect();
        Self { features, nodes, node_spans, spans, ends, places: None }
    }

    /// Moves the features to the poses of the collider at the start and at the end of a step; its
    /// points deviate from straight paths by at most `swing` [m].
    pub fn place(&mut self, places: [Pose; 2], swing: Real) {
        if self.places.replace(places) == Some(places) {
            return;
        }
        for ((feature, ends), span) in self.features.iter().zip(&mut self.ends).zip(&mut self.spans) {
            *ends = places.map(|place| feature.ends.map(|end| place.transform_point(end)));
            let [from, to] = *ends;
            let both = Swept::<Vec3>::EMPTY.with(from[0], to[0]).with(from[1], to[1]);
            *span = both.loosened(feature.radius + swing);
        }
        let around = |leaf: &Node| self.spans[range(leaf.items)].iter().fold(Swept::EMPTY, |all, own| all.join(own));
        bvh::refit(&self.nodes, &mut self.node_spans, around, Swept::join);
    }
}
