//! Recorded motions in a file, each with its final state: the input of the program that draws them
//! for the window.
//!
//! Of each a line of JSON, and then the positions of all vertices, moment after moment, as
//! little-endian numbers of single precision.

use std::io::{self, BufRead, Read, Write};

use serde::{Deserialize, Serialize};

use super::Moment;
use crate::scene::{InputError, Snapshot};
use crate::sim::Real;

/// The first line.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head<S, M> {
    state: S,
    moments: M,
    /// Number of vertices at each moment.
    vertices: Vec<usize>,
    /// See [`RecordedClip::failed`].
    #[serde(default)]
    failed: Option<Real>,
}

/// A recorded motion.
pub struct RecordedClip {
    /// The state of the cloth when it was written.
    pub state: Snapshot,
    /// The moments by rising time: at least one.
    pub moments: Vec<Moment>,
    /// Simulated time at which a step failed [s], if the motion ends with that.
    pub failed: Option<Real>,
}

/// The simulated time that all of several motions show, its start and its end [s]; none if there is
/// no such time. Each motion has its moments and the time at which it failed [s], if it did: one
/// that failed stands still from then on.
#[must_use]
pub fn common_span(motions: &[(&[Moment], Option<Real>)]) -> Option<[Real; 2]> {
    let start = motions.iter().filter_map(|(moments, _)| Some(moments.first()?.time)).reduce(Real::max)?;
    let last = |(moments, _): &(&[Moment], Option<Real>)| Some(moments.last()?.time);
    let going_on = motions.iter().filter(|(_, failed)| failed.is_none()).filter_map(last).reduce(Real::min);
    let end = going_on.or_else(|| motions.iter().filter_map(last).reduce(Real::max))?;
    // times are sums of steps
    (end >= start - SAME).then(|| [start, end.max(start)])
}

/// Times that differ by less are the same [s].
const SAME: Real = 1e-9;

/// Writes `moments` of the cloth whose state is now `state`, a snapshot as JSON, and the time at
/// which a step `failed` [s], if the motion ends with that.
///
/// # Errors
/// When the writer fails.
pub fn write_clip(
    state: &serde_json::value::RawValue,
    moments: &[&Moment],
    failed: Option<Real>,
    mut out: impl Write,
) -> io::Result<()> {
    let vertices = moments.iter().map(|moment| moment.positions.len()).collect();
    serde_json::to_writer(&mut out, &Head { state, moments, vertices, failed })?;
    out.write_all(b"\n")?;
    for moment in moments {
        for number in moment.positions.as_flattened() {
            out.write_all(&number.to_le_bytes())?;
        }
    }
    Ok(())
}

/// Reads a file of motions that [`write_clip`] wrote one after another: at least one. `file` is for
/// messages.
///
/// # Errors
/// [`InputError`] if it is none.
pub fn read_clips(mut from: impl BufRead, file: &str) -> Result<Vec<RecordedClip>, InputError> {
    let mut clips = vec![read_clip(&mut from, file)?];
    while !from.fill_buf().map_err(|error| broken(file, &error))?.is_empty() {
        clips.push(read_clip(&mut from, file)?);
    }
    Ok(clips)
}

fn broken(file: &str, error: &dyn std::fmt::Display) -> InputError {
    InputError::new(file, format!("is no recorded motion: {error}"))
}

fn read_clip(from: &mut impl BufRead, file: &str) -> Result<RecordedClip, InputError> {
    let broken = |error: &dyn std::fmt::Display| broken(file, error);
    let mut line = String::new();
    from.read_line(&mut line).map_err(|error| broken(&error))?;
    let head: Head<Box<serde_json::value::RawValue>, Vec<Moment>> =
        serde_json::from_str(&line).map_err(|error| broken(&error))?;
    let state = Snapshot::parse(head.state.get(), file)?;
    let mut moments = head.moments;
    if moments.is_empty() || moments.len() != head.vertices.len() {
        return Err(broken(&"it has no moments, or not the vertices of each"));
    }
    for (moment, count) in moments.iter_mut().zip(head.vertices) {
        let mut bytes = Vec::new();
        from.by_ref().take(12 * count as u64).read_to_end(&mut bytes).map_err(|error| broken(&error))?;
        if bytes.len() != 12 * count {
            return Err(broken(&"it ends early"));
        }
        let number = |four: &[u8]| f32::from_le_bytes([four[0], four[1], four[2], four[3]]);
        moment.positions =
            bytes.chunks_exact(12).map(|x| [number(&x[..4]), number(&x[4..8]), number(&x[8..])]).collect();
    }
    Ok(RecordedClip { state, moments, failed: head.failed })
}
