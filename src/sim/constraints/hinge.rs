//! Hinges: the angle between two triangles that share an edge, as a constraint `C = θ - θ₀`.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::sim::exec::colouring::Colouring;
use crate::sim::{Pattern, Real, Vec3};

/// Two triangles `(a, b, c)` and `(b, a, d)` with the edge `a b` in common.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hinge {
    /// `a`, `b`, `c`, `d`.
    pub vertices: [u32; 4],
    /// Angle at rest [rad].
    pub rest_angle: Real,
}

/// Angle of a hinge [rad], zero when flat, and its gradient with respect to `a`, `b`, `c`, `d`
/// [1/m].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bend {
    /// The angle, in `-π..=π`.
    pub angle: Real,
    /// The gradient; it sums to zero.
    pub gradient: [Vec3; 4],
}

/// The angle at the edge `a b` between the triangles `(a, b, c)` and `(b, a, d)`; `None` when one
/// has no area.
#[must_use]
pub fn bend([a, b, c, d]: [Vec3; 4]) -> Option<Bend> {
    let edge = b - a;
    let (m, n) = (edge.cross(c - a), (d - a).cross(edge));
    let (m2, n2, length) = (m.length_squared(), n.length_squared(), edge.length());
    // of zero area within rounding
    let tiny = 1e-24 * length.powi(4);
    if !(m2 > tiny && n2 > tiny) {
        return None;
    }
    let angle = m.cross(n).dot(edge / length).atan2(m.dot(n));
    let (m, n) = (m / m2, n / n2);
    // Bridson, Marino, Fedkiw 2003: each opposite vertex turns its triangle about the edge, and the
    // ends of the edge share the reaction by the law of the lever
    let along = |x: Vec3| (x - a).dot(edge) / length;
    let (s, t) = (along(c), along(d));
    let gradient = [m * (length - s) + n * (length - t), m * s + n * t, -m * length, -n * length];
    Some(Bend { angle, gradient })
}

/// The hinges of the cloth, one for every edge with exactly two triangles.
#[must_use]
pub fn hinges(pattern: &Pattern) -> Vec<Hinge> {
    let mut opposite: BTreeMap<[u32; 2], Vec<(bool, u32)>> = BTreeMap::new();
    for [a, b, c] in pattern.cloth_triangles() {
        for (i, j, k) in [(a, b, c), (b, c, a), (c, a, b)] {
            opposite.entry([i.min(j), i.max(j)]).or_default().push((i < j, k));
        }
    }
    let rest = pattern.rest_positions();
    let hinge = |([i, j], sides): ([u32; 2], Vec<(bool, u32)>)| {
        let [(rising, c), (_, d)] = sides[..] else { return None };
        // the first triangle runs along the edge; where the second does too, the mesh is not
        // oriented, and the sign of the angle is a convention, the same at rest and later
        let vertices = if rising { [i, j, c, d] } else { [j, i, c, d] };
        let rest_angle = bend(vertices.map(|vertex| rest[vertex as usize]))?.angle;
        (c != d).then_some(Hinge { vertices, rest_angle })
    };
    opposite.into_iter().filter_map(hinge).collect()
}

/// The hinges of a pattern, colour by colour.
#[derive(Debug, Default)]
pub struct ColouredHinges {
    hinges: Vec<Hinge>,
    colours: Vec<Range<usize>>,
    revision: Option<u64>,
}

impl ColouredHinges {
    /// Makes these the hinges of `pattern`, or none when they are not `wanted`. Returns whether
    /// anything changed.
    pub fn update(&mut self, pattern: &Pattern, wanted: bool) -> bool {
        let revision = wanted.then(|| pattern.revision());
        if self.revision == revision {
            return false;
        }
        let all = if wanted { hinges(pattern) } else { Vec::new() };
        let colouring = Colouring::of(all.iter().map(|hinge| hinge.vertices), pattern.len());
        self.hinges.clear();
        self.hinges.extend(colouring.order().iter().map(|&at| all[at as usize]));
        self.colours = colouring.into_ranges();
        self.revision = revision;
        true
    }

    /// The hinges.
    #[must_use]
    pub fn hinges(&self) -> &[Hinge] {
        &self.hinges
    }

    /// For each colour its part of the hinges. No two of a part share a vertex.
    #[must_use]
    pub fn colours(&self) -> &[Range<usize>] {
        &self.colours
    }
}
