//! The studies of a report: advice, stability chart, convergence.

use super::ReportArgs;
use super::run::{Setup, command_line, interrupted};
use crate::cli::advise::{failure, measured, positive, profile_of};
use crate::cli::bench::measure_convergence;
use crate::cli::interruption::Interruption;
use crate::cli::output::{Failure, clock, share_bar};
use crate::cli::scene_args::SceneArgs;
use crate::cli::stability::survey;
use crate::documents::report::{AdviceStudy, CompassStudy, ConvergenceStudy, Repetition};
use crate::scene::InputError;
use crate::session::Lanes;
use crate::sim::study::advice::{Advice, AdvicePlan, Profile, Question};
use crate::sim::study::convergence::methods;
use crate::sim::{Real, Simulation};

/// Half a frame at 60 Hz [s].
const BUDGET: Real = 0.5 / 60.0;
/// Ticks of a progress bar.
const TICKS: u64 = 200;

/// For what solvers are judged.
pub(super) struct Judgement {
    /// Most time per frame [s].
    budget: Real,
    profile: Profile,
    /// Most time for the measurements [s].
    seconds: Option<Real>,
    /// The same as arguments.
    arguments: Vec<String>,
}

/// What the arguments ask for, if they do.
pub(super) fn judgement(args: &ReportArgs) -> Result<Option<Judgement>, InputError> {
    if !args.advise {
        return Ok(None);
    }
    let budget = args.budget.map(|budget| positive("--budget", budget)).transpose()?;
    let seconds = args.advise_seconds.map(|seconds| positive("--advise-seconds", seconds)).transpose()?;
    let profile = profile_of(args.profile.as_deref().unwrap_or("game"), &[])?;
    let mut arguments = Vec::new();
    let mut add = |option: &str, value: String| arguments.extend([option.to_owned(), value]);
    budget.iter().for_each(|budget| add("--budget", budget.to_string()));
    args.profile.iter().for_each(|name| add("--profile", name.clone()));
    seconds.iter().for_each(|seconds| add("--seconds", seconds.to_string()));
    Ok(Some(Judgement { budget: budget.map_or(BUDGET, |budget| 1e-3 * budget), profile, seconds, arguments }))
}

/// Measures all solvers from the start of the first lane.
pub(super) fn advise(setup: &Setup, judged: Judgement, interruption: &Interruption) -> Result<AdviceStudy, Failure> {
    let (_, simulation) = setup.start(0)?;
    let Judgement { budget, profile, seconds, arguments } = judged;
    let plan = AdvicePlan::new(clock(), interruption.token());
    let plan = AdvicePlan { seconds: seconds.unwrap_or(plan.seconds), ..plan };
    let (findings, ended) = measured(&Question::of(&simulation), &plan, interruption);
    ended.map_err(failure)?;
    let findings = findings.ok_or_else(interrupted)?;
    let after: Vec<&str> = arguments.iter().map(String::as_str).chain(["--html", "advice.html"]).collect();
    let command = setup.alone(0).line(&["advise"], &after);
    let advice = Advice::of(&findings, budget, &profile);
    let choice = advice.take.map(|at| {
        let candidate = &findings.rows[advice.judged[at].row].candidate;
        let mut scene: SceneArgs = setup.each[0].clone();
        if !candidate.is_present {
            scene.solver = Some(candidate.solver.id.to_owned());
            scene.set.extend(candidate.rung.0.iter().map(|(key, value)| format!("{key}={value}")));
        }
        command_line(&scene, setup.arguments().from.as_deref()).line(&["run", "--steps", "300"], &[])
    });
    Ok(AdviceStudy { findings, budget, profile, command, choice })
}

/// Surveys the stability of all lanes from their start.
pub(super) fn stability(
    setup: &Setup,
    repetition: &Repetition,
    interruption: &Interruption,
) -> Result<CompassStudy, Failure> {
    // no clock, so that every trial takes all its steps
    let lanes = setup.each.iter().map(|lane| lane.start(setup.arguments().from.as_deref()));
    let chart = survey(lanes.collect::<Result<_, _>>()?, interruption)?;
    let scene = Repetition { common: setup.common(), ..repetition.clone() };
    Ok(CompassStudy { chart, command: scene.line(&["stability"], &["--chart", "stability.svg"]) })
}

/// Measures the step after the run of the first lane.
pub(super) fn convergence(
    args: &ReportArgs,
    setup: &Setup,
    ran: &Lanes,
    interruption: &Interruption,
) -> Result<ConvergenceStudy, Failure> {
    let first = ran.lanes()[0].session().simulation();
    let mut simulation = Simulation::resume(&first.checkpoint());
    simulation.cancel = interruption.token();
    let all = methods();
    let mut solvers: Vec<&str> = Vec::new();
    for lane in ran.lanes() {
        let id = lane.session().simulation().solver().info().id;
        if all.contains(&id) && !solvers.contains(&id) {
            solvers.push(id);
        }
    }
    let bar = share_bar(TICKS);
    let tell = |share: Real| bar.set_position((share * TICKS as Real) as u64);
    let curves = if solvers.is_empty() {
        Ok(Vec::new())
    } else {
        measure_convergence(&mut simulation, &solvers, args.iterations, &tell)
    };
    bar.finish_and_clear();
    if interruption.is_by_user() {
        return Err(interrupted());
    }
    let curves = curves.map_err(|message| Failure::Ran(format!("--convergence: {message}")))?;
    let steps = first.steps() - setup.start(0)?.1.steps();
    let (steps, iterations, solvers) = (steps.to_string(), args.iterations.to_string(), solvers.join(","));
    let commands = args.commands.iter().flat_map(|file| ["--commands", file]);
    let after: Vec<&str> = commands.chain(["--snapshot", "end.json"]).collect();
    let command = format!(
        "{}\nweft bench --convergence --from end.json --solvers {solvers} --iterations {iterations} > convergence.csv",
        setup.alone(0).line(&["run", "--steps", &steps], &after)
    );
    Ok(ConvergenceStudy { curves, time: first.time(), command })
}
