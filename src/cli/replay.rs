//! `weft replay`: repeat a recording without a window, and compare every step.

use clap::Args;

use super::interruption::Interruption;
use super::output::{Failure, clock, counting_bar, print, report};
use crate::scene::{InputError, read_text_up_to_a_cut};
use crate::session::{Replay, TOLERANCE, Verdict, program};
use crate::sim::Real;
use crate::sim::params::quote::quote;

const EXAMPLES: &str = "\
Examples:
  weft run --scene flag --steps 600 --record flag.jsonl    write a recording ...
  weft replay flag.jsonl                                   ... and repeat it: identical
  weft replay old.jsonl --tolerance 1e-3                   one of an older build, to the millimetre

A recording of the window is written by Files, Record, or by \"weft --record FILE\".
Exit status 0: identical, or within the tolerance where another build wrote it. 1: it diverged. 2: bad input.";

#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ReplayArgs {
    /// The recording
    file: String,
    /// How far a vertex may be off where another build of Weft wrote the recording [m]; numbers may
    /// be rounded otherwise there
    #[arg(long, value_name = "METRES")]
    tolerance: Option<Real>,
}

pub(super) fn replay(args: &ReplayArgs) -> Result<(), Failure> {
    let file = args.file.as_str();
    if args.tolerance.is_some_and(|tolerance| !(tolerance.is_finite() && tolerance >= 0.0)) {
        return Err(InputError::new("--tolerance", "needs a distance in metres of at least 0").into());
    }
    let text = read_text_up_to_a_cut(file, "the recording")?;
    let replay = Replay::parse(&text, file)?;
    if let Some(line) = replay.cut_off {
        let file = quote(file);
        report(&format!("{file}, line {line}: it was cut off and is left out; the steps before it are repeated"));
    }
    let is_same_build = replay.build == program();
    // the same program rounds in the same way
    let tolerance = args.tolerance.unwrap_or(if is_same_build { 0.0 } else { TOLERANCE });
    let interruption = Interruption::listen(None);
    let bar = counting_bar(replay.steps, "steps");
    let prepare = |session: &mut crate::session::Session| {
        session.simulation_mut().clock = clock();
        session.simulation_mut().cancel = interruption.token();
    };
    let verdict = replay.run(tolerance, prepare, |step, _| {
        bar.set_position(step);
        !interruption.is_by_user()
    })?;
    bar.finish_and_clear();
    if interruption.is_by_user() {
        return Err(Failure::Interrupted("interrupted; nothing was found out".to_owned()));
    }
    let writer = if is_same_build { "this build" } else { "another build" };
    print(&format!("{} steps, recorded by {writer} ({})\n", replay.steps, replay.build))?;
    match verdict {
        Verdict::Identical => print("identical\n"),
        Verdict::Within { distance } => print(&format!("within {distance:.1e} m\n")),
        Verdict::Diverged { step, farthest } => {
            let place = farthest.map(|(at, vertex, distance)| {
                let when = if at == step { String::new() } else { format!(" at step {at}") };
                format!(": vertex {vertex}, {distance:.1e} m{when}")
            });
            let said = format!("diverged at step {step}{}", place.unwrap_or_default());
            print(&format!("{said}\n"))?;
            Err(Failure::Ran(said))
        }
    }
}
