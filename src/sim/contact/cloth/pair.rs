//! A pair of parts of a cloth that can meet first, a vertex and a triangle or two edges, and the
//! test whether planes part it during a motion (`physics.md` section 12).

use super::distance::{Closest, edge_edge, vertex_triangle};
use crate::sim::{Real, Vec3};

/// How often a motion is halved if the normal turns far.
const HALVINGS: u32 = 3;
/// Largest loss of a gap by rounding per step, as a share of it.
pub(super) const ROUNDING: Real = 1e-9;
/// Gaps up to this share of the coordinates count as touching.
pub(super) const TOUCHING: Real = 1e-13;
/// Rounding error of a sum, as a share of the coordinates.
const SUM: Real = 2e-15;

/// A vertex and a triangle, or two edges, without a common vertex.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pair {
    /// Vertex and triangle, or the ends of two edges.
    pub vertices: [u32; 4],
    /// Number of vertices of the first part: 1 or 2.
    pub first: u8,
}

/// Verdict on a pair in a motion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Verdict {
    /// It stays apart.
    Apart,
    /// It may meet, and gets separating planes.
    Conflict {
        /// Unit vector from the second part to the first at the start.
        normal: Vec3,
        /// Room between the planes with this normal through the nearest vertices of both parts at
        /// the start [m].
        gap: Real,
    },
    /// It touches or crosses at the start, so that no plane can part it.
    Touching,
}

impl Pair {
    /// No pair.
    pub(super) const NONE: Self = Self { vertices: [0, 1, 2, 3], first: 1 };

    /// A key in the order of pairs, apart from the number of vertices in the first part.
    #[inline]
    pub(super) fn key(&self) -> u128 {
        self.vertices.iter().fold(0, |key, vertex| (key << 32) | u128::from(*vertex))
    }

    /// A vertex and a triangle.
    #[must_use]
    pub const fn vertex_triangle(vertex: u32, [a, b, c]: [u32; 3]) -> Self {
        Self { vertices: [vertex, a, b, c], first: 1 }
    }

    /// Two edges.
    #[must_use]
    pub const fn edge_edge([a, b]: [u32; 2], [c, d]: [u32; 2]) -> Self {
        Self { vertices: [a, b, c, d], first: 2 }
    }

    /// Positions of its vertices.
    #[must_use]
    #[inline]
    pub fn corners(&self, positions: &[Vec3]) -> [Vec3; 4] {
        let [a, b, c, d] = self.vertices;
        [positions[a as usize], positions[b as usize], positions[c as usize], positions[d as usize]]
    }

    /// Closest points of its parts at `x` [m].
    #[inline(always)]
    pub(in crate::sim::contact) fn closest(&self, x: &[Vec3; 4]) -> Closest {
        if self.first == 1 { vertex_triangle(x) } else { edge_edge(x) }
    }

    /// Normal of the triangle or of the two edges, of any length.
    #[inline(always)]
    pub(super) fn across(&self, x: &[Vec3; 4]) -> Vec3 {
        if self.first == 1 { (x[2] - x[1]).cross(x[3] - x[1]) } else { (x[1] - x[0]).cross(x[3] - x[2]) }
    }

    /// Signed volume: its sign tells on which side of the second part the first is.
    #[inline(always)]
    pub(super) fn side(&self, x: &[Vec3; 4]) -> Real {
        self.across(x).dot(x[0] - x[usize::from(self.first)])
    }

    /// Whether the first part changes sides of the second in the motion from `x` to `y` [m].
    #[inline(always)]
    pub(super) fn changes_sides(&self, x: &[Vec3; 4], y: &[Vec3; 4]) -> bool {
        self.side(x) * self.side(y) < 0.0
    }

    /// Vector from the centre of the second part to that of the first, two or three times as long.
    fn between_centers(&self, x: &[Vec3; 4]) -> Vec3 {
        if self.first == 1 { 3.0 * x[0] - (x[1] + x[2] + x[3]) } else { (x[0] + x[1]) - (x[2] + x[3]) }
    }

    /// Room [m] between two planes with the unit normal `n`, the first part beyond the far one and
    /// the second before the near one; negative if they overlap.
    #[must_use]
    #[inline]
    pub fn room(&self, x: &[Vec3; 4], n: Vec3) -> Real {
        self.least(|i, j| (x[i] - x[j]).dot(n))
    }

    /// Least value of `of(i, j)` for a vertex `i` of the first part and `j` of the second.
    #[inline(always)]
    fn least(&self, of: impl Fn(usize, usize) -> Real) -> Real {
        if self.first == 1 {
            of(0, 1).min(of(0, 2)).min(of(0, 3))
        } else {
            of(0, 2).min(of(0, 3)).min(of(1, 2)).min(of(1, 3))
        }
    }

    /// The normal with the most room at `x` [m]: of the closest points, or of the triangle or the
    /// two edges, which is more exact if the parts nearly touch.
    pub(super) fn widest(&self, x: &[Vec3; 4]) -> Option<(Vec3, Real)> {
        let closest = self.closest(x);
        let mut best = closest.normal().map(|n| (n, self.room(x, n)));
        let distance = closest.distance();
        if best.is_none_or(|(_, room)| room < 0.999 * distance)
            && let Some(n) = self.across(x).try_normalize()
        {
            for n in [n, -n] {
                let room = self.room(x, n);
                if best.is_none_or(|(_, other)| room > other) {
                    best = Some((n, room));
                }
            }
        }
        best
    }

    /// The unit normal of the pair at `y` [m] on the side of its `normal` at the start, also if the
    /// parts have changed sides; the normal at the start if it has turned by more than 60°.
    pub(super) fn turned(&self, y: &[Vec3; 4], normal: Vec3) -> Vec3 {
        let Some((turned, _)) = self.widest(y) else { return normal };
        let cosine = turned.dot(normal);
        if cosine.abs() < 0.5 { normal } else { turned * cosine.signum() }
    }

    /// Whether the pair stays apart while its vertices move in straight lines from `x` to `y` [m].
    /// Sufficient: two parallel planes part it all the way, fixed or turning with the pair. A gap
    /// above `least` [m] stays above it, and a smaller one does not shrink, except for a billionth
    /// and the rounding of coordinates.
    ///
    /// While the normal goes from `n₀` to `n₁` and the vertices from `x` to `y`, the room
    /// `n·(xᵢ - xⱼ)` is a polynomial of degree two in time. It is positive if its Bernstein
    /// coefficients are: `n₀·(xᵢ - xⱼ)`, `n₁·(yᵢ - yⱼ)`, and the mean of `n₀·(yᵢ - yⱼ)` and
    /// `n₁·(xᵢ - xⱼ)`. If not, both halves of the motion are judged, with a normal of their own in
    /// the middle, and so on a few times.
    ///
    /// The verdict depends on `x` and `y` of the pair alone.
    #[must_use]
    pub fn judge(&self, x: &[Vec3; 4], y: &[Vec3; 4], least: Real) -> Verdict {
        if self.is_apart_along_an_axis(x, y, least) || self.is_apart_along_centers(x, y, least) {
            return Verdict::Apart;
        }
        let size = [x, y].map(|x| x[0].abs().max_element().max((x[0] - x[3]).abs().max_element()));
        let size = size[0].max(size[1]);
        let Some((normal, gap)) = self.widest(x).filter(|(_, gap)| *gap > TOUCHING * size) else {
            return Verdict::Touching;
        };
        let kept = gap.min(least) * (1.0 - ROUNDING) - SUM * size;
        if self.room(y, normal) >= kept {
            return Verdict::Apart;
        }
        let turned = self.widest(y).filter(|(_, room)| *room >= kept);
        let stays = turned.is_some_and(|(turned, _)| self.stays_apart([x, y], [normal, turned], kept, HALVINGS));
        if stays { Verdict::Apart } else { Verdict::Conflict { normal, gap } }
    }

    /// Whether planes that turn from the first of two unit `normals` to the second part the pair
    /// between two `ends` [m], with at least the room `kept` [m] there. If the pair turns too far,
    /// both halves are tested.
    fn stays_apart(&self, [x, y]: [&[Vec3; 4]; 2], [from, to]: [Vec3; 2], kept: Real, halvings: u32) -> bool {
        let least = self.least(|i, j| from.dot(y[i] - y[j]) + to.dot(x[i] - x[j]));
        // half of the gap has to be left in the middle of the turn
        if least >= kept {
            return true;
        }
        let middle = std::array::from_fn(|i| x[i].midpoint(y[i]));
        halvings > 0
            && self.widest(&middle).is_some_and(|(normal, room)| {
                let stays = |ends, normals| self.stays_apart(ends, normals, kept, halvings - 1);
                room >= kept && stays([x, &middle], [from, normal]) && stays([&middle, y], [normal, to])
            })
    }

    /// Whether two fixed parallel planes part the pair at `x` and at `y`, with at least `room` [m]
    /// between them. Then it stays apart by `room - 2 d` on all ways between positions within `d`
    /// of these.
    pub(super) fn is_parted(&self, x: &[Vec3; 4], y: &[Vec3; 4], room: Real) -> bool {
        if self.is_apart_along_an_axis(x, y, room) {
            return true;
        }
        let across = self.across(x);
        let across = if across.dot(self.between_centers(x)) < 0.0 { -across } else { across };
        self.is_apart_along(x, y, across, room) || self.is_apart_along_centers(x, y, room)
    }

    /// Whether the distance of its parts at `x` exceeds their approach on the way to `y` [m] by at
    /// least `room` [m]. Then it is parted as well.
    pub(super) fn is_out_of_reach(&self, x: &[Vec3; 4], y: &[Vec3; 4], room: Real) -> bool {
        let first = usize::from(self.first);
        let way = |part: std::ops::Range<usize>| part.map(|i| x[i].distance(y[i])).fold(0.0, Real::max);
        self.closest(x).distance() - way(0..first) - way(first..4) >= room
    }

    /// Whether its parts are `least` [m] apart along a direction of any length at both ends, the
    /// first part ahead.
    #[inline(always)]
    fn is_apart_along(&self, x: &[Vec3; 4], y: &[Vec3; 4], along: Vec3, least: Real) -> bool {
        let needed = least * least * along.length_squared() * (1.0 + 1e-9);
        let room = self.room(x, along).min(self.room(y, along));
        room > 0.0 && room * room >= needed
    }

    /// Whether its parts are `least` [m] apart at both ends along the line through their centres at
    /// the start.
    fn is_apart_along_centers(&self, x: &[Vec3; 4], y: &[Vec3; 4], least: Real) -> bool {
        self.is_apart_along(x, y, self.between_centers(x), least)
    }

    /// Whether the boxes of its parts are `least` [m] apart along one axis, on the same side at
    /// both ends.
    fn is_apart_along_an_axis(&self, x: &[Vec3; 4], y: &[Vec3; 4], least: Real) -> bool {
        let bounds = |x: &[Vec3; 4]| {
            if self.first == 1 {
                [x[0], x[0], x[1].min(x[2]).min(x[3]), x[1].max(x[2]).max(x[3])]
            } else {
                [x[0].min(x[1]), x[0].max(x[1]), x[2].min(x[3]), x[2].max(x[3])]
            }
        };
        let ([a, b, c, d], [e, f, g, h]) = (bounds(x), bounds(y));
        let above = (a - d).min(e - h).max_element();
        let below = (c - b).min(g - f).max_element();
        above.max(below) >= least
    }
}
