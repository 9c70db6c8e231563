//! Paths from the motion of a hand.

use crate::sim::{Path, Real, Vec3};

/// Largest distance between the motion and its path at the same time [m].
const TOLERANCE: Real = 1e-3;
/// Steps of the times [1/s] and offsets [1/m] of a path.
const PER_SECOND: Real = 1e3;
const PER_METRE: Real = 1e4;

/// The path of a hand that was at these offsets [m] at these times [s]: straight from point to
/// point, with as few points as keep it within a millimetre. Times that do not rise are left out.
/// `smoothing` is the standard deviation of the Gaussian mean over time that is taken before [s];
/// towards both ends it shrinks, so that the ends stay. None without a sample.
#[must_use]
pub fn performed_path(samples: &[(Real, Vec3)], smoothing: Real) -> Option<Path> {
    let mut rising: Vec<(Real, Vec3)> = Vec::with_capacity(samples.len());
    for &(time, offset) in samples.iter().filter(|(time, offset)| time.is_finite() && offset.is_finite()) {
        if rising.last().is_none_or(|last| last.0 < time) {
            rising.push((time, offset));
        }
    }
    let smooth = smoothed(&rising, smoothing);
    let mut kept = vec![false; smooth.len()];
    *kept.first_mut()? = true;
    keep(&smooth, 0, smooth.len() - 1, &mut kept);
    let rounded = |(time, offset): (Real, Vec3)| {
        ((time * PER_SECOND).round() / PER_SECOND, (offset * PER_METRE).round() / PER_METRE)
    };
    let mut points: Vec<(Real, Vec3)> =
        smooth.into_iter().zip(kept).filter(|(_, kept)| *kept).map(|(sample, _)| rounded(sample)).collect();
    points.dedup_by_key(|point| point.0);
    Some(Path::Waypoints { points, repeat: false })
}

/// The Gaussian mean of samples over time.
fn smoothed(samples: &[(Real, Vec3)], deviation: Real) -> Vec<(Real, Vec3)> {
    let (Some(first), Some(last)) = (samples.first(), samples.last()) else { return Vec::new() };
    let mean = |&(time, offset): &(Real, Vec3)| {
        let own = deviation.min((time - first.0) / 3.0).min((last.0 - time) / 3.0);
        if own <= 0.0 {
            return (time, offset);
        }
        let near = samples.iter().filter(|other| (other.0 - time).abs() <= 3.0 * own);
        let (mut sum, mut weights) = (Vec3::ZERO, 0.0);
        for other in near {
            let weight = (-0.5 * ((other.0 - time) / own).powi(2)).exp();
            sum += other.1 * weight;
            weights += weight;
        }
        (time, sum / weights)
    };
    samples.iter().map(mean).collect()
}

/// Marks the samples between two kept ones that a path needs (Douglas and Peucker 1973, with the
/// distance at the same time).
fn keep(samples: &[(Real, Vec3)], from: usize, to: usize, kept: &mut [bool]) {
    kept[to] = true;
    let (a, b) = (samples[from], samples[to]);
    let distance = |at: &usize| {
        let (time, offset) = samples[*at];
        offset.distance(a.1.lerp(b.1, (time - a.0) / (b.0 - a.0)))
    };
    let farthest = (from + 1..to).max_by(|x, y| distance(x).total_cmp(&distance(y)));
    if let Some(at) = farthest.filter(|at| distance(at) > TOLERANCE) {
        keep(samples, from, at, kept);
        keep(samples, at, to, kept);
    }
}
