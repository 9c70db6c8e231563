//! Pictures of a report: drawn by `weft render` in a separate process, with the arguments that
//! repeat them.

use std::io;
use std::process::{Command, Stdio};

use super::pictures::follow;
use crate::documents::report::{Repetition, Shot};

/// Draws the lanes of a run at these times, rising [s]. `look` holds further arguments of `weft
/// render`. `told` hears the number of pictures that are done, often, and says whether to continue.
///
/// # Errors
/// A message if there is nothing to draw with or the run fails; [`io::ErrorKind::Interrupted`] if
/// `told` has ended it.
pub fn draw_shots(
    run: &Repetition,
    times: &[f64],
    look: &[String],
    told: &mut dyn FnMut(u32) -> io::Result<()>,
) -> io::Result<Vec<Shot>> {
    let folder = tempfile::tempdir()?;
    let at: Vec<String> = times.iter().map(f64::to_string).collect();
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["render", "--count", "--times", &at.join(",")]).args(&run.common.arguments);
    command.args(run.lanes.iter().flat_map(|lane| ["--lane", lane])).args(look).arg("--out").arg(folder.path());
    let mut program = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let mut done = 0;
    let followed = follow(&mut program, &mut |counted| {
        done = counted.map_or(done, |(done, _)| done);
        told(done)
    });
    match followed {
        Ok(said) if said.is_empty() => {}
        Ok(said) => return Err(io::Error::other(said)),
        Err(error) => {
            // it may have ended by itself
            let _ = program.kill();
            let _ = program.wait();
            return Err(error);
        }
    }
    let shot = |(number, time): (usize, &f64)| {
        let png = std::fs::read(folder.path().join(format!("frame-{number:05}.png")))?;
        Ok(Shot { time: *time, png })
    };
    (1..).zip(times).map(shot).collect()
}
