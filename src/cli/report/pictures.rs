//! The pictures of a report, drawn by `weft render` in a separate process, with the command that
//! repeats them.

use super::ReportArgs;
use crate::cli::interruption::Interruption;
use crate::cli::output::Failure;
use crate::documents::report::{LaneRun, Pictures, Repetition};
use crate::sim::Real;

/// Sizes of pictures of one lane, and of several [pixels].
const SIZES: [&str; 4] = ["960x600", "1120x560", "1200x480", "1280x420"];

/// Refuses pictures where nothing can draw them, before anything is run.
#[cfg(feature = "app")]
pub(super) fn check() -> Result<(), Failure> {
    crate::app::find_device().map(drop).map_err(|lacking| {
        let why = lacking.to_string();
        let why = why.split(", or use").next().unwrap_or_default();
        Failure::Ran(format!("{why}, or leave out the pictures with --no-pictures"))
    })
}

#[cfg(not(feature = "app"))]
pub(super) fn check() -> Result<(), Failure> {
    let message = "this build cannot draw; leave out the pictures with --no-pictures";
    Err(crate::scene::InputError::new("", message).into())
}

/// Draws the lanes at these times from the start of the run [s], as far as one of them came.
pub(super) fn draw(
    args: &ReportArgs,
    repetition: &Repetition,
    lanes: &[LaneRun],
    (begin, times): (Real, &[Real]),
    interruption: &Interruption,
) -> Result<Pictures, Failure> {
    let last = lanes.iter().map(|lane| lane.time).fold(0.0, Real::max) - begin;
    let times: Vec<Real> = times.iter().copied().filter(|time| *time <= last * (1.0 + 1e-6)).collect();
    let look = look(args, repetition);
    let at: Vec<String> = times.iter().map(Real::to_string).collect();
    let at = at.join(",");
    let before = ["render", "--times", &at];
    let after: Vec<&str> = look.iter().map(String::as_str).chain(["--out", "pictures"]).collect();
    let command = repetition.line(&before, &after);
    if args.no_pictures {
        let lack = "The pictures, which need a graphics device, were left out (--no-pictures).".to_owned();
        return Ok(Pictures { shots: Vec::new(), lack: Some(lack), command });
    }
    let adapter = args.adapter.adapter.iter().flat_map(|name| ["--adapter".to_owned(), name.clone()]);
    let look: Vec<String> = look.into_iter().chain(adapter).collect();
    let shots = shots((repetition, &look), (begin, &times), interruption)?;
    Ok(Pictures { shots, lack: None, command })
}

/// What the pictures have beside the lanes and the times.
fn look(args: &ReportArgs, repetition: &Repetition) -> Vec<String> {
    let size = SIZES[repetition.lanes.len().clamp(1, SIZES.len()) - 1].to_owned();
    let size = args.size.map_or(size, |[width, height]| format!("{width}x{height}"));
    let mut look = vec!["--size".to_owned(), size];
    if args.paint != "cloth" {
        look.extend(["--paint".to_owned(), args.paint.clone()]);
    }
    look.extend(args.camera.iter().flat_map(|camera| ["--camera".to_owned(), camera.clone()]));
    look
}

#[cfg(not(feature = "app"))]
fn shots(
    _: (&Repetition, &[String]),
    _: (Real, &[Real]),
    _: &Interruption,
) -> Result<Vec<crate::documents::report::Shot>, Failure> {
    check().map(|()| Vec::new())
}

/// The pictures at these times [s] after `begin` [s].
#[cfg(feature = "app")]
fn shots(
    (repetition, look): (&Repetition, &[String]),
    (begin, times): (Real, &[Real]),
    interruption: &Interruption,
) -> Result<Vec<crate::documents::report::Shot>, Failure> {
    use crate::documents::report::Shot;
    let bar = crate::cli::output::counting_bar(times.len() as u64, "drawn");
    let drawn = crate::app::draw_shots(repetition, times, look, &mut |done| {
        bar.set_position(u64::from(done));
        if interruption.is_by_user() { Err(std::io::ErrorKind::Interrupted.into()) } else { Ok(()) }
    });
    bar.finish_and_clear();
    match drawn {
        Ok(shots) => Ok(shots.into_iter().map(|shot| Shot { time: begin + shot.time, ..shot }).collect()),
        Err(_) if interruption.is_by_user() => Err(super::run::interrupted()),
        Err(error) => {
            Err(Failure::Ran(format!("the pictures cannot be drawn: {error}; leave them out with --no-pictures")))
        }
    }
}
