//! The guard against blow-up: a test for absurd states.
//!
//! Distance and speed are measured relative to the size of the cloth at rest, and to the mean of
//! the piece of a vertex: a cloth that falls freely for a minute, or a piece torn off, is far away
//! and fast without any fault.

use std::ops::Range;

use crate::sim::exec::pool::ThreadPool;
use crate::sim::params::units::quantity;
use crate::sim::{Cloth, Pattern, Real, Vec3};

/// Farthest that a vertex may be from the centroid of its piece, in sizes of the cloth at rest.
pub const FARTHEST: Real = 1e3;
/// Fastest that a vertex may be relative to the mean velocity of its piece, in sizes per second
/// [1/s]; a cloth smaller than a metre counts as a metre here, since a hand and a fall are no
/// slower for it.
pub const FASTEST: Real = 1e4;

/// Largest coordinate [m] and velocity [m/s] of a handle: far from overflowing.
const LARGEST: Real = 1e15;

/// Farthest that a vertex may move in a step relative to the mean motion of its piece, in sizes of
/// the cloth, if contact stops it: colliders move it by less.
const FARTHEST_STEP: Real = 3.0;

/// Vertices per task.
const VERTICES: usize = 8192;

/// Why a state is absurd.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum Absurd {
    /// A position or velocity is infinite or not a number.
    #[error("vertex {vertex} has no finite position or velocity")]
    NotFinite {
        /// The first such vertex.
        vertex: u32,
    },
    /// A handle has taken its vertex, and the cloth with it, beyond what can be stored.
    #[error("vertex {vertex} is held at {} from the origin or moves faster than {}: use a shorter path", quantity(*distance, "m"), quantity(LARGEST, "m/s"))]
    OutOfRange {
        /// The first such vertex.
        vertex: u32,
        /// Its distance from the origin [m].
        distance: Real,
    },
    /// A vertex is absurdly far away.
    #[error(
        "vertex {vertex} is {} away from the rest of the cloth, which is {} wide",
        quantity(*distance, "m"),
        quantity(*size, "m")
    )]
    TooFar {
        /// The farthest vertex.
        vertex: u32,
        /// Its distance from the centroid [m].
        distance: Real,
        /// Size of the cloth at rest [m].
        size: Real,
    },
    /// A vertex is absurdly fast.
    #[error("vertex {vertex} moves at {} relative to the rest of the cloth", quantity(*speed, "m/s"))]
    TooFast {
        /// The fastest vertex.
        vertex: u32,
        /// Its speed relative to the mean velocity [m/s].
        speed: Real,
    },
    /// A step has made energy of nothing.
    #[error(
        "a step ended with {} of kinetic energy, where motion, springs, weight and wind account for {}",
        quantity(*kinetic, "J"),
        quantity(*accounted, "J")
    )]
    GainsEnergy {
        /// Kinetic energy after the step [J].
        kinetic: Real,
        /// Energy accounted for [J].
        accounted: Real,
    },
}

/// Scales of a cloth, kept as long as its pattern stays.
#[derive(Debug, Clone, Default)]
pub struct Guard {
    revision: Option<u64>,
    /// Size at rest [m].
    size: Real,
    /// The piece of each vertex.
    piece_of: Vec<u32>,
    pieces: Vec<Piece>,
    /// Sums over parts of a cloth of one piece.
    parts: Vec<Piece>,
    /// Prescribed vertices.
    handles: Vec<u32>,
    /// The farthest [m] and the fastest [m/s] of them, relative to their piece.
    drawn: [Real; 2],
}

/// Common numbers of the vertices of a piece.
#[derive(Debug, Clone, Copy, Default)]
struct Piece {
    /// Number of vertices.
    count: Real,
    /// Mean position of the vertices [m].
    centroid: Vec3,
    /// Mean velocity [m/s].
    velocity: Vec3,
}

impl Piece {
    /// With one vertex more; sums, not yet means.
    fn with(self, x: Vec3, v: Vec3) -> Self {
        Self { count: self.count + 1.0, centroid: self.centroid + x, velocity: self.velocity + v }
    }

    /// Both sums together.
    fn plus(self, other: &Self) -> Self {
        let Self { count, centroid, velocity } = self;
        Self { count: count + other.count, centroid: centroid + other.centroid, velocity: velocity + other.velocity }
    }
}

impl Guard {
    /// Takes the prescribed vertices of a step. Their own motion is no fault of a solver.
    pub fn set_handles(&mut self, handles: impl Iterator<Item = u32>) {
        self.handles.clear();
        self.handles.extend(handles);
    }

    /// Limits of distance [m] and of speed [m/s] relative to a piece.
    fn limits(&self) -> [Real; 2] {
        let [far, fast] = self.drawn;
        [Real::max(FARTHEST * self.size, 2.0 * far), FASTEST * self.size.max(1.0).max(far) + fast]
    }

    /// Checks the state of a cloth of this pattern.
    ///
    /// # Errors
    /// [`Absurd`], with the vertex at fault.
    pub fn check(&mut self, cloth: &Cloth, pattern: &Pattern, pool: &ThreadPool) -> Result<(), Absurd> {
        if self.revision != Some(pattern.revision()) {
            self.measure(pattern);
        }
        self.find_means(cloth, pool);
        let is_out_of_range = |x: Vec3| x.is_finite() && x.abs().max_element() > LARGEST;
        let mut drawn: [Real; 2] = [0.0; 2];
        for i in self.handles.iter().map(|&vertex| vertex as usize).filter(|&i| i < cloth.len()) {
            if is_out_of_range(cloth.positions[i]) || is_out_of_range(cloth.velocities[i]) {
                return Err(Absurd::OutOfRange { vertex: i as u32, distance: cloth.positions[i].length() });
            }
            let piece = &self.pieces[self.piece_of[i] as usize];
            let ways = [cloth.positions[i].distance(piece.centroid), cloth.velocities[i].distance(piece.velocity)];
            drawn = [drawn[0].max(ways[0]), drawn[1].max(ways[1])];
        }
        self.drawn = if drawn.iter().all(|way| way.is_finite()) { drawn } else { [0.0; 2] };
        if self.is_calm(cloth, pool) { Ok(()) } else { self.find_fault(cloth) }
    }

    /// Checks a motion from the positions `start` [m] in `dt` [s] that contact has not stopped yet.
    ///
    /// # Errors
    /// [`Absurd::TooFast`], with the fastest vertex.
    pub fn check_motion(&mut self, start: &[Vec3], dt: Real, cloth: &Cloth, pattern: &Pattern) -> Result<(), Absurd> {
        if self.revision != Some(pattern.revision()) {
            self.measure(pattern);
        }
        self.pieces.fill(Piece::default());
        let moved = |i: usize| cloth.positions[i] - start[i];
        for (i, &piece) in self.piece_of.iter().enumerate() {
            let piece = &mut self.pieces[piece as usize];
            *piece = piece.with(Vec3::ZERO, moved(i));
        }
        for piece in &mut self.pieces {
            piece.velocity /= piece.count;
        }
        let of_vertex = |i: usize| moved(i).distance_squared(self.pieces[self.piece_of[i] as usize].velocity);
        // a cloth that its handles have drawn far out comes back from there
        let wide = self.extent(start);
        let handles = self.handles.iter().map(|&vertex| vertex as usize).filter(|&i| i < cloth.len());
        let handled = handles.map(|i| moved(i).length()).fold(0.0, Real::max);
        let far = FARTHEST_STEP * Real::max(self.size, wide) + handled;
        // false for NaN, which the check of the state finds
        let Some(first) = (0..cloth.len()).find(|&i| of_vertex(i) > far * far) else { return Ok(()) };
        let fastest = (first..cloth.len()).max_by(|&i, &j| of_vertex(i).total_cmp(&of_vertex(j))).unwrap_or(first);
        Err(Absurd::TooFast { vertex: fastest as u32, speed: finite_or_huge(of_vertex(fastest).sqrt() / dt) })
    }

    /// Half the diagonal of the box around all vertices at `positions` [m]; 0 without handles.
    fn extent(&self, positions: &[Vec3]) -> Real {
        if self.handles.is_empty() {
            return 0.0;
        }
        let (low, high) = positions.iter().fold((Vec3::MAX, Vec3::MIN), |(low, high), x| (low.min(*x), high.max(*x)));
        0.5 * low.distance(high)
    }

    /// Finds where each piece is, and how fast, in the mean.
    fn find_means(&mut self, cloth: &Cloth, pool: &ThreadPool) {
        let Cloth { positions, velocities, .. } = cloth;
        self.pieces.fill(Piece::default());
        if let [whole] = &mut self.pieces[..] {
            // in parts of one size, for the same sum by any number of threads
            let parts = &mut self.parts;
            parts.resize(positions.len().div_ceil(VERTICES), Piece::default());
            pool.fill(parts, 1, |part| {
                let end = positions.len().min((part + 1) * VERTICES);
                let states = (part * VERTICES..end).map(|i| (positions[i], velocities[i]));
                states.fold(Piece::default(), |sum, (x, v)| sum.with(x, v))
            });
            *whole = parts.iter().fold(*whole, |sum, part| sum.plus(part));
        } else {
            for ((x, v), &piece) in positions.iter().zip(velocities).zip(&self.piece_of) {
                let piece = &mut self.pieces[piece as usize];
                *piece = piece.with(*x, *v);
            }
        }
        for piece in &mut self.pieces {
            piece.centroid /= piece.count;
            piece.velocity /= piece.count;
        }
    }

    /// Whether every vertex is well within the limits; without a root, and without asking which one
    /// is not.
    fn is_calm(&self, cloth: &Cloth, pool: &ThreadPool) -> bool {
        // values near a limit are tested exactly
        let [far, fast] = self.limits().map(|limit| 0.99 * limit * limit);
        let is_calm = |range: Range<usize>| {
            let states = cloth.positions[range.clone()].iter().zip(&cloth.velocities[range.clone()]);
            // a number that is none is not less than another
            states.zip(&self.piece_of[range]).all(|((x, v), &piece)| {
                let Piece { centroid, velocity, .. } = &self.pieces[piece as usize];
                x.distance_squared(*centroid) < far && v.distance_squared(*velocity) < fast
            })
        };
        far.is_finite() && fast.is_finite() && pool.all(cloth.len(), VERTICES, is_calm)
    }

    /// Looks for the vertex at fault.
    fn find_fault(&self, cloth: &Cloth) -> Result<(), Absurd> {
        let mut states = cloth.positions.iter().zip(&cloth.velocities).zip(0_u32..);
        if let Some((_, vertex)) = states.find(|((x, v), _)| !(x.is_finite() && v.is_finite())) {
            return Err(Absurd::NotFinite { vertex });
        }
        // the one farthest out is at fault, not the first that its flight has moved the mean away
        // from
        let worst = |measure: &dyn Fn(usize, &Piece) -> Real| {
            let of_vertex = |i: usize| finite_or_huge(measure(i, &self.pieces[self.piece_of[i] as usize]));
            (0..cloth.len()).map(|i| (of_vertex(i), i as u32)).fold((0.0, 0), |a, b| if b.0 > a.0 { b } else { a })
        };
        let (size, [far, fast]) = (self.size, self.limits());
        let (distance, vertex) = worst(&|i, piece| cloth.positions[i].distance(piece.centroid));
        if distance > far {
            return Err(Absurd::TooFar { vertex, distance, size });
        }
        let (speed, vertex) = worst(&|i, piece| cloth.velocities[i].distance(piece.velocity));
        if speed > fast {
            return Err(Absurd::TooFast { vertex, speed });
        }
        Ok(())
    }

    fn measure(&mut self, pattern: &Pattern) {
        self.revision = Some(pattern.revision());
        self.size = pattern.size();
        self.piece_of = pieces(pattern);
        let count = self.piece_of.iter().max().map_or(0, |last| *last as usize + 1);
        self.pieces.resize(count, Default::default());
    }
}

/// The piece of each vertex: two vertices are of one piece when springs lead from one to the other.
fn pieces(pattern: &Pattern) -> Vec<u32> {
    const NONE: u32 = u32::MAX;
    let mut piece_of = vec![NONE; pattern.len()];
    let mut next = 0;
    let mut reached = Vec::new();
    for start in 0..pattern.len() as u32 {
        if piece_of[start as usize] != NONE {
            continue;
        }
        piece_of[start as usize] = next;
        reached.push(start);
        while let Some(vertex) = reached.pop() {
            for &(_, other) in pattern.neighbours().of_vertex(vertex) {
                if piece_of[other as usize] == NONE {
                    piece_of[other as usize] = next;
                    reached.push(other);
                }
            }
        }
        next += 1;
    }
    piece_of
}

/// Differences of huge finite numbers can overflow to infinity, and then to NaN, which no
/// comparison finds.
fn finite_or_huge(length: Real) -> Real {
    if length.is_finite() { length } else { Real::MAX }
}
