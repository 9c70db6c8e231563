//! A scanned drape, and its distance from a simulated one.

use parry3d_f64::query::PointQuery;
use parry3d_f64::shape::TriMesh;
use rayon::prelude::*;

use crate::sim::study::textile::Draped;
use crate::sim::{Quat, Real, Vec3};

/// Turns about the axis that are tried: folds have no preferred direction.
const TURNS: u32 = 72;
/// Depth of the flat upper part below the highest point [m].
const FLAT: Real = 0.003;
/// Least and largest extent across of a scan of a disc of 30 cm [m].
const EXTENT: [Real; 2] = [0.15, 0.35];

/// The surface of a drape with the flat part at zero and its centre at the axis of y [m].
#[derive(Clone)]
pub struct Scan(TriMesh);

/// Why a surface is no scan of a drape.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ScanFault {
    /// It has no triangle with an area.
    #[error("it has no surface")]
    Empty,
    /// It is too large or too small.
    #[error("it is {0:.3} m across, where a drape of a disc of 30 cm has 0.15 to 0.35 m; save it in metres")]
    Size(Real),
    /// Its top is no disc.
    #[error("it has no flat upper part; turn it so that y is up, or give the axis that is up")]
    NotFlat,
}

impl std::fmt::Debug for Scan {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Scan of {} triangles", self.0.indices().len())
    }
}

impl Scan {
    /// Radius of the disc that is scanned [m].
    pub const RADIUS: Real = 0.15;

    /// The surface with these vertices [m], y up, and triangles.
    ///
    /// # Errors
    /// [`ScanFault`] when it is no drape of a disc of 30 cm.
    pub fn new(positions: &[Vec3], triangles: &[[u32; 3]]) -> Result<Self, ScanFault> {
        let area = |corners: &[u32; 3]| {
            let [a, b, c] = corners.map(|corner| positions[corner as usize]);
            0.5 * (b - a).cross(c - a).length()
        };
        let triangles: Vec<[u32; 3]> = triangles.iter().copied().filter(|corners| area(corners) > 0.0).collect();
        let used = || triangles.as_flattened().iter().map(|corner| positions[*corner as usize]);
        let (low, high) = used().fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
        let across = (high.x - low.x).max(high.z - low.z);
        if triangles.is_empty() {
            return Err(ScanFault::Empty);
        }
        if !(EXTENT[0]..=EXTENT[1]).contains(&across) {
            return Err(ScanFault::Size(across));
        }
        let is_flat = |corners: &&[u32; 3]| corners.iter().all(|at| positions[*at as usize].y > high.y - FLAT);
        let (mut sum, mut whole) = (Vec3::ZERO, 0.0);
        for corners in triangles.iter().filter(is_flat) {
            let centre = corners.iter().map(|at| positions[*at as usize]).sum::<Vec3>() / 3.0;
            (sum, whole) = (sum + centre * area(corners), whole + area(corners));
        }
        // the disc that holds it has three eighths of its area
        if whole < 0.25 * std::f64::consts::PI * Self::RADIUS * Self::RADIUS {
            return Err(ScanFault::NotFlat);
        }
        let moved = positions.iter().map(|x| *x - sum / whole).collect();
        TriMesh::new(moved, triangles).map(Self).map_err(|_| ScanFault::Empty)
    }

    /// Root mean square over the vertices of a drape outside the discs of their distance from the
    /// surface [m], the least over 72 turns about the axis.
    #[must_use]
    pub fn distance(&self, draped: &Draped) -> Real {
        let is_held = draped.positions.iter().zip(&draped.is_held);
        let free: Vec<Vec3> = is_held.filter(|(_, is_held)| !**is_held).map(|(x, _)| *x).collect();
        let of_turn = |turn: u32| {
            let turn = Quat::from_rotation_y(std::f64::consts::TAU * Real::from(turn) / Real::from(TURNS));
            let squared = |x: &Vec3| self.0.distance_to_local_point(turn * *x, false).powi(2);
            free.iter().map(squared).sum::<Real>() / free.len().max(1) as Real
        };
        (0..TURNS).into_par_iter().map(of_turn).reduce(|| Real::INFINITY, Real::min).sqrt()
    }
}
