//! Advice on solvers: its errors, its halving, its judgement and its words.

use std::ops::ControlFlow;
use std::sync::{Arc, LazyLock};

use proptest::prelude::*;
use weft::sim::params::Setting;
use weft::sim::params::units::significant;
use weft::sim::pattern::Plane;
use weft::sim::solver_interface::{Group, Processor, Stability};
use weft::sim::solvers::REGISTRY;
use weft::sim::study::advice::{
    Advice, AdvicePlan, Cache, Candidate, CandidateRow, Departure, Event, Fault, Findings, PROFILES, Parts, Profile,
    Question, RunFigures, Scatter, Standing, TimeFigures, Trajectory, Way, candidates, dominates, fronts, look_at_all,
    measure, relative, squares, step_from, survivors,
};
use weft::sim::study::run::Interrupted;
use weft::sim::{CancelToken, Clock, Pattern, Simulation, StepStats, Vec3};

use crate::fixtures::{advance, every, set, square};

/// Work instead of time: updates of springs in a step, at 5 ns each [s].
fn work(simulation: &Simulation, stats: &StepStats) -> f64 {
    let solver = simulation.solver();
    // a linear system costs more than the springs
    let couples = matches!(solver.info().group, Group::Implicit | Group::ApproximateImplicit | Group::LocalGlobal);
    let passes = stats.substeps * solver.passes().max(if couples { 16 } else { 1 });
    5e-9 * f64::from(passes + stats.iterations) * simulation.pattern().springs().len() as f64
}

/// A short plan whose costs are counted and not timed.
fn plan() -> AdvicePlan {
    let plan = AdvicePlan::new(Clock::default(), CancelToken::default());
    AdvicePlan { states: [2, 4, 6], run: 0.4, slowest: 1e6, cost: work, ..plan }
}

/// A cloth that hangs from two corners.
fn hanging(stiffness: f64, step: f64) -> Simulation {
    let mut simulation = square("fast-mass-spring", 7, 7);
    simulation.state.cloth.pin_here(0);
    simulation.state.cloth.pin_here(6);
    simulation.parameters.timing.time_step = step;
    simulation.parameters.mass.vertex_mass = 0.01;
    let material = &mut simulation.parameters.material;
    (material.structural_stiffness, material.shear_stiffness) = (stiffness, 0.5 * stiffness);
    (material.bend_stiffness, material.damping) = (0.02 * stiffness, 0.05);
    simulation
}

fn findings(simulation: &Simulation) -> Findings {
    let found = measure(&Question::of(simulation), &plan(), &mut |_| ControlFlow::Continue(()));
    found.expect("nobody calls it off")
}

/// A soft cloth with small steps, and a stiff one with long steps.
static SOFT: LazyLock<Findings> = LazyLock::new(|| findings(&hanging(200.0, 0.002)));
static STIFF: LazyLock<Findings> = LazyLock::new(|| findings(&hanging(1e6, 1.0 / 60.0)));

const BUDGETS: [f64; 9] = [1e-6, 1e-5, 3e-5, 1e-4, 3e-4, 1e-3, 1e-2, 0.1, 1e3];

/// Every judgement of both cloths.
fn judgements() -> impl Iterator<Item = (&'static Findings, f64, Profile, Advice)> {
    let all =
        [&*SOFT, &*STIFF].into_iter().flat_map(|findings| PROFILES.iter().map(move |profile| (findings, profile)));
    all.flat_map(|(findings, profile)| {
        BUDGETS.map(|budget| (findings, budget, *profile, Advice::of(findings, budget, profile)))
    })
}

#[test]
fn every_solver_has_an_effort_ladder_of_legal_rungs_whose_effort_rises() {
    every(REGISTRY.iter().map(|entry| entry.info.id), |id| {
        let entry = REGISTRY.iter().find(|entry| entry.info.id == id).expect("registered");
        assert!(entry.ladder.len() >= 2, "{id} has no choice of effort");
        // explicit methods take the steps of the soft cloth alone, and the other one needs iterations
        let is_conditional = matches!(entry.info.stability, Stability::Conditional | Stability::Damped);
        let (stiffness, step) = if is_conditional { (20.0, 0.002) } else { (1e5, 1.0 / 60.0) };
        let mut start = hanging(stiffness, step);
        start.state.cloth.velocities.iter_mut().enumerate().for_each(|(i, v)| v.y = (i as f64).sin());
        let (mut last, mut measured) = (0.0, 0);
        for (place, &rung) in entry.ladder.iter().enumerate() {
            let mut simulation = Simulation::resume(&start.checkpoint());
            let candidate = Candidate { solver: entry.info, rung, place, is_present: false };
            candidate.apply(&mut simulation).unwrap_or_else(|error| panic!("{id}: {rung:?}: {error}"));
            if entry.info.capabilities.processor != Processor::Host {
                continue;
            }
            // with little effort a step may fail
            let Ok(stats) = simulation.step() else { continue };
            let effort = work(&simulation, &stats);
            assert!(effort >= last, "{id}: {rung:?} costs {effort:.3e} after {last:.3e}");
            last = effort;
            measured += 1;
        }
        let is_on_device = entry.info.capabilities.processor != Processor::Host;
        assert!(measured >= 2 || is_on_device, "{id}: {measured} rungs can be taken");
    });
}

#[test]
fn the_present_solver_is_a_candidate_as_it_is_and_no_candidate_comes_twice() {
    let mut simulation = square("xpbd", 4, 4);
    let count = |simulation: &Simulation| candidates(Question::of(simulation).checkpoint()).0.len();
    let all = count(&simulation);
    let first = candidates(Question::of(&simulation).checkpoint()).0[0];
    assert!(first.is_present && first.solver.id == "xpbd" && first.rung.0.is_empty());
    // as it is by default it is a rung, which is left out
    set(&mut simulation, "small_steps", Setting::Integer(7));
    assert_eq!(count(&simulation), all + 1);
}

#[test]
fn beside_constraints_that_no_other_solver_knows_there_is_no_other_candidate() {
    let mut simulation = square("projective-dynamics", 5, 5);
    set(&mut simulation, "edge_strain", Setting::Toggle(true));
    simulation.state.cloth.pin_here(0);
    let (found, skipped) = candidates(Question::of(&simulation).checkpoint());
    assert!(found.iter().all(|candidate| candidate.solver.id == "projective-dynamics"));
    assert_eq!(skipped.len(), REGISTRY.len() - 1);
    let findings = findings(&simulation);
    assert_eq!(findings.reference.solver, "projective-dynamics");
    assert!(Advice::of(&findings, 1.0, &PROFILES[0]).take.is_some());
}

#[test]
fn a_setting_that_is_run_again_keeps_its_error_figures_bit_for_bit() {
    let simulation = hanging(200.0, 0.002);
    let question = Question::of(&simulation);
    let mut trajectory = Trajectory::new(question.checkpoint(), Clock::default(), &CancelToken::default());
    let go_on = &mut || ControlFlow::Continue(());
    let targets: Vec<_> = (0..6).map(|_| trajectory.next(go_on).expect("a state")).collect();
    let measured: Vec<_> = SOFT.rows.iter().filter(|row| row.stage == Standing::Measured).collect();
    assert!(measured.len() >= 4, "{}", measured.len());
    for row in measured {
        let mut again = Simulation::resume(question.checkpoint());
        row.candidate.apply(&mut again).expect("legal");
        let steps: Vec<_> =
            targets.iter().map(|target| (step_from(&mut again, target).expect("a step"), target)).collect();
        assert_eq!(relative(&steps), row.error, "{} ({})", row.candidate.solver.id, row.effort);
    }
}

#[test]
fn the_same_question_has_the_same_findings_and_the_cloth_stays_where_it_is() {
    let mut simulation = hanging(200.0, 0.002);
    advance(&mut simulation, 3);
    let before = simulation.fingerprint();
    let both = [findings(&simulation), findings(&simulation)];
    assert_eq!(before, simulation.fingerprint());
    for (a, b) in both[0].rows.iter().zip(&both[1].rows) {
        assert_eq!((a.error, a.step, a.run, a.stage), (b.error, b.step, b.run, b.stage), "{}", a.candidate.solver.id);
    }
}

/// Most by which the errors of candidates differ that are called equal.
const EQUAL: f64 = 1.5;

#[test]
fn no_candidate_that_another_one_dominates_by_more_than_the_scatter_is_recommended() {
    for (findings, budget, profile, advice) in judgements() {
        for at in [advice.take, advice.cheaper, advice.better].into_iter().flatten() {
            let own = advice.judged[at];
            assert!(own.fault.is_none(), "{budget} {}: {:?}", profile.name, own.fault);
            let is_taken = advice.take == Some(at);
            let better = advice.judged.iter().filter(|other| other.fault.is_none() && other.is_run).find(|other| {
                let error = if is_taken { other.error * EQUAL } else { other.error };
                dominates([other.step, error], [own.step, own.error])
            });
            assert!(better.is_none(), "{}: {better:?}", findings.rows[own.row].candidate.solver.id);
        }
        assert!(advice.take.is_none_or(|at| advice.judged[at].step <= budget));
    }
}

#[test]
fn what_leaves_the_reference_or_was_not_run_beside_it_is_not_recommended() {
    let mut refused = 0;
    for (findings, _, profile, advice) in judgements() {
        for one in &advice.judged {
            let row = &findings.rows[one.row];
            let departs = row.farthest().is_some_and(|farthest| farthest.times > profile.times);
            refused += usize::from(departs && row.fails_after.is_none());
            if departs || row.run.is_none() {
                assert!(!one.is_on_front && (one.fault.is_some() || !one.is_run), "{}", row.name());
            }
        }
        let offered = [advice.take, advice.cheaper, advice.better].into_iter().flatten().chain(advice.equal.clone());
        for at in offered {
            let row = &findings.rows[advice.judged[at].row];
            assert!(row.run.is_some_and(|run| run.lasted >= 0.99 * findings.run), "{}", row.name());
        }
        // without a clock the time is enough for all of them
        let taken = advice.take.map(|at| advice.judged[at]);
        assert!(taken.is_none_or(|one| one.is_confirmed || findings.rows[one.row].again.is_none() && !one.is_on_front));
    }
    assert!(refused > 0, "nothing was refused");
}

#[test]
fn without_runs_nothing_is_recommended_and_more_time_is_asked_for() {
    let mut findings = SOFT.clone();
    for row in &mut findings.rows {
        (row.run, row.again) = (None, None);
        row.stage = if row.stage == Standing::Measured { Standing::OutOfTime } else { row.stage };
    }
    let advice = Advice::of(&findings, 1.0, &PROFILES[0]);
    assert_eq!((advice.take, advice.cheaper, advice.better), (None, None, None));
    let sentences = advice.sentences(&findings, 1.0, &PROFILES[0]);
    assert!(
        sentences[0].rule == "more-time" && sentences[0].text.ends_with("Measure with more time."),
        "{sentences:?}"
    );
    assert!(findings.describe_extent().contains("were not run"), "{}", findings.describe_extent());
    assert!(!findings.is_whole() && SOFT.is_whole());
}

#[test]
fn a_candidate_that_is_equal_within_the_scatter_does_not_take_the_place_of_the_present_one() {
    let budget = 1e3;
    let mut findings = SOFT.clone();
    let advice = Advice::of(&findings, budget, &PROFILES[0]);
    let taken = advice.judged[advice.take.expect("one")].row;
    // the present one becomes a copy of it, nearly as near and dearer
    for (times, is_equal) in [(1.05, true), (2.0, false)] {
        let mut present = findings.rows[taken].clone();
        present.candidate.is_present = true;
        present.step = present.step.map(|step| 1.1 * step);
        let weights = [&mut present.error].into_iter().flatten();
        weights.for_each(|error| {
            let Parts { stretch, bending, whole } = *error;
            *error = Parts { stretch: times * stretch, bending: times * bending, whole: times * whole };
        });
        present.scatter.error = 0.02;
        findings.rows[0] = present;
        findings.rows[taken].scatter.error = 0.02;
        let advice = Advice::of(&findings, budget, &PROFILES[0]);
        let row = advice.judged[advice.take.expect("one")].row;
        assert_eq!(row == 0, is_equal, "{times}: {}", findings.rows[row].name());
        let sentence = &advice.sentences(&findings, budget, &PROFILES[0])[0];
        assert_eq!(sentence.text.contains("stay with yours"), is_equal, "{}", sentence.text);
    }
}

/// A run of `weft advise --scene breeze --json`, of the candidates that came to the last look.
#[derive(serde::Deserialize)]
struct Recorded {
    load: String,
    rows: Vec<RecordedRow>,
}

#[derive(serde::Deserialize)]
struct RecordedRow {
    solver: String,
    settings: String,
    present: bool,
    ms: f64,
    error: [f64; 3],
    scatter: [f64; 2],
    run: Option<f64>,
    /// Times the figure of the reference where the run is farthest from it.
    times: Option<f64>,
    fails: Option<f64>,
    confirmed: bool,
}

/// Findings with recorded figures in place of those of the same candidates.
fn recorded(record: &Recorded) -> Findings {
    let (mut candidates, _) = candidates(Question::of(&hanging(1e4, 1.0 / 60.0)).checkpoint());
    let (present, run) = (candidates.remove(0), 4.0);
    let settings = |of: &Candidate| of.rung.0.iter().map(|(k, v)| format!("{k}={v}")).collect::<Vec<_>>().join(" ");
    let row = |of: &RecordedRow| {
        let known = candidates.iter().find(|it| it.solver.id == of.solver && settings(it) == of.settings);
        let known = known.copied().unwrap_or(present);
        let solver = REGISTRY.iter().map(|entry| entry.info).find(|info| info.id == of.solver).expect("registered");
        let figures = TimeFigures { stretch: 0.01, sag: 0.0, decay: None, jitter: None, truncated: 0 };
        let departure =
            |way| Departure { way, times: of.times.unwrap_or_default(), time: 1.0, own: 1.0, reference: 1.0 };
        let departures = Some(Way::ALL.map(departure));
        let ran = of.run.map(|lasted| RunFigures { lasted, own: figures, reference: Some(figures), departures });
        let [stretch, bending, whole] = of.error;
        CandidateRow {
            candidate: Candidate { solver, is_present: of.present, ..known },
            effort: of.settings.clone(),
            stage: if of.fails.is_some() { Standing::Failed } else { Standing::Measured },
            states: 24,
            error: Some(Parts { stretch, bending, whole }),
            drift: None,
            step: Some(1e-3 * of.ms),
            scatter: Scatter { cost: of.scatter[0], error: of.scatter[1] },
            fails_after: of.fails,
            run: ran,
            again: ran.filter(|_| of.confirmed),
            film: None,
        }
    };
    Findings { rows: record.rows.iter().map(row).collect(), run, ..SOFT.clone() }
}

#[test]
fn the_first_scene_has_one_answer_on_an_idle_and_on_a_busy_machine() {
    let records: Vec<Recorded> =
        serde_json::from_str(include_str!("../data/advice_breeze.json")).expect("ten recorded runs");
    assert_eq!(records.iter().filter(|record| record.load == "idle").count(), 4);
    let mut answers = Vec::new();
    for record in &records {
        let findings = recorded(record);
        let advice = Advice::of(&findings, 0.5 / 60.0, &PROFILES[0]);
        let name = |at: usize| {
            let of = &record.rows[advice.judged[at].row];
            (of.solver.clone(), of.settings.clone())
        };
        let taken = name(advice.take.unwrap_or_else(|| panic!("{}: nothing", record.load)));
        answers.push((taken, advice.equal.iter().map(|at| name(*at)).collect::<Vec<_>>()));
    }
    let first = answers[0].0.clone();
    for ((taken, equal), record) in answers.iter().zip(&records) {
        assert!(
            *taken == first || equal.contains(&first),
            "{}: {taken:?}, equal {equal:?}, not {first:?}",
            record.load
        );
    }
}

#[test]
fn a_look_at_every_solver_tells_what_fails_and_what_hovers() {
    let simulation = hanging(1e5, 1.0 / 60.0);
    let mut looks = Vec::new();
    look_at_all(&Question::of(&simulation), &plan(), &mut |look| {
        looks.push(look);
        ControlFlow::Continue(())
    });
    let hosts = REGISTRY.iter().filter(|entry| entry.info.capabilities.processor == Processor::Host).count();
    assert_eq!(looks.len(), hosts);
    let at = |id: &str| looks.iter().find(|look| look.solver == id).expect("looked at");
    assert!(at("symplectic-euler").fails_after.is_some() && at("symplectic-euler").looks_broken());
    assert!(!at("implicit-euler").looks_broken(), "{:?}", at("implicit-euler"));
    let hovers = at("stable-mass-spring").departure.map(|departure| departure.way);
    assert_eq!(hovers, Some(Way::Hover), "{:?}", at("stable-mass-spring"));
    assert!(looks.iter().all(|look| look.describe().is_some_and(|text| text.chars().count() < 28)), "{looks:?}");
}

#[test]
fn more_budget_never_recommends_a_larger_error_beyond_the_scatter() {
    for findings in [&*SOFT, &*STIFF] {
        for profile in PROFILES {
            let mut last = f64::INFINITY;
            for budget in BUDGETS {
                let advice = Advice::of(findings, budget, profile);
                let error = advice.take.map_or(f64::INFINITY, |at| advice.judged[at].error);
                assert!(error <= last * EQUAL, "{}: {error} after {last} at {budget}", profile.name);
                last = last.min(error);
            }
            assert!(last.is_finite(), "{}: nothing holds", profile.name);
        }
    }
}

#[test]
fn an_explicit_method_wins_on_a_soft_cloth_with_small_steps_and_is_not_offered_on_a_stiff_one() {
    let profile = PROFILES[0];
    // the cost of some passes over the springs
    let budget = 10.0 * 5e-9 * hanging(1.0, 1.0).pattern().springs().len() as f64;
    let soft = Advice::of(&SOFT, budget, &profile);
    let taken = &SOFT.rows[soft.judged[soft.take.expect("one")].row];
    assert_eq!(taken.candidate.solver.group, Group::Explicit, "{} ({})", taken.candidate.solver.id, taken.effort);

    let is_conditional =
        |candidate: &Candidate| matches!(candidate.solver.stability, Stability::Conditional | Stability::Damped);
    for budget in BUDGETS {
        let stiff = Advice::of(&STIFF, budget, &profile);
        let front = stiff.judged.iter().filter(|one| one.is_on_front);
        let offered: Vec<_> = front.map(|one| STIFF.rows[one.row].candidate).filter(is_conditional).collect();
        assert!(offered.is_empty(), "{offered:?}");
    }
    let failed = STIFF.rows.iter().filter(|row| is_conditional(&row.candidate) && row.fails_after.is_some());
    assert!(failed.count() > 4, "they were tried");
}

#[test]
fn no_sentence_has_a_number_that_is_no_figure_of_it_and_there_are_at_most_four() {
    for (findings, budget, profile, advice) in judgements() {
        let sentences = advice.sentences(findings, budget, &profile);
        assert!((1..=4).contains(&sentences.len()), "{budget} {}", profile.name);
        for sentence in &sentences {
            let named = findings.rows[sentence.row].candidate.solver.name;
            assert!(sentence.text.contains(named), "{}", sentence.text);
            let figures: Vec<String> = sentence.figures.iter().map(|(_, value)| significant(*value)).collect();
            // numbers in parentheses after a name are settings
            let mut rest = sentence.text.clone();
            for row in &findings.rows {
                rest = if row.effort.is_empty() { rest } else { rest.replace(&format!("({})", row.effort), "") };
            }
            let numbers = rest.split_whitespace().map(|word| word.trim_matches(['(', ')', '.', ',', ':', ';']));
            for number in numbers.filter(|word| word.starts_with(|c: char| c.is_ascii_digit())) {
                assert!(figures.iter().any(|figure| figure == number), "{number} in {}: {figures:?}", sentence.text);
            }
        }
    }
}

#[test]
fn a_cloth_that_rises_is_said_to_rise_above_its_start_and_not_to_hang_lower() {
    let up = {
        let mut simulation = hanging(200.0, 0.002);
        simulation.state.cloth.unpin(0);
        simulation.state.cloth.unpin(6);
        simulation.parameters.gravity.gravity = 0.0;
        simulation.state.cloth.velocities.fill(Vec3::new(0.0, 1.0, 0.0));
        simulation
    };
    for (simulation, verb, other) in [(up, "rises", "lower than"), (hanging(200.0, 0.002), "hangs", "above")] {
        let profile = &PROFILES[0];
        let findings = findings(&simulation);
        let advice = Advice::of(&findings, 1e3, profile);
        let sentences = advice.sentences(&findings, 1e3, profile);
        let text = &sentences.iter().find(|sentence| sentence.rule == "take").expect("all fit").text;
        assert!(text.contains(&format!("and {verb} ")) && !text.contains(other), "{text}");
    }
}

#[test]
fn the_films_are_of_the_reference_the_one_to_take_and_another_one_and_show_what_their_figures_say() {
    for (findings, budget, profile, advice) in judgements() {
        let sentences = advice.sentences(findings, budget, &profile);
        let shown = advice.shown(findings, &sentences, &profile);
        assert!((2..=3).contains(&shown.len()) && shown[0].role == "Reference" && shown[0].row.is_none());
        let row_of = |role: &str| shown.iter().find(|one| one.role == role).and_then(|one| one.row);
        assert_eq!(row_of("Recommended"), advice.take.map(|at| advice.judged[at].row), "{budget} {}", profile.name);
        if let Some(warned) = sentences.iter().find(|sentence| sentence.is_warning()) {
            let is_last = shown[shown.len() - 1].row == Some(warned.row);
            assert!(findings.rows[warned.row].film.is_none() || is_last, "{}", warned.text);
        }
        for refused in shown.iter().filter(|one| one.role == "Refused") {
            assert!(advice.judged.iter().any(|one| Some(one.row) == refused.row && one.fault.is_some()));
        }
        for (at, one) in shown.iter().enumerate() {
            assert!(shown[..at].iter().all(|other| other.row != one.row));
            let (film, run) = (&one.film, one.row.and_then(|row| findings.rows[row].run));
            let frames = film.frames();
            assert_eq!((frames[0].time, frames[0].sag), (0.0, 0.0));
            assert!(frames.windows(2).all(|pair| pair[1].time > pair[0].time + 0.03), "about 30 per second");
            assert!(frames.iter().all(|frame| frame.positions.len() == frames[0].positions.len()));
            let lowest = |at: usize| frames[at].positions.iter().map(|x| x[1]).fold(f32::INFINITY, f32::min);
            let last = &frames[frames.len() - 1];
            assert!((f64::from(lowest(0) - lowest(frames.len() - 1)) - last.sag).abs() < 1e-6);
            assert_eq!(film.at(film.lasted() + 1.0), last);
            if let Some(run) = run {
                assert!(film.lasted() <= run.lasted + 1e-9 && film.lasted() > run.lasted - 0.04);
            }
        }
    }
}

#[test]
fn what_fails_is_judged_as_failing() {
    let advice = Advice::of(&STIFF, 1.0, &PROFILES[0]);
    for one in &advice.judged {
        let row = &STIFF.rows[one.row];
        assert_eq!(matches!(one.fault, Some(Fault::Fails(_))), row.fails_after.is_some());
        assert_eq!(row.stage == Standing::Failed, row.fails_after.is_some());
    }
}

#[test]
fn it_can_be_called_off_at_any_event_and_results_come_one_by_one() {
    let simulation = hanging(200.0, 0.002);
    let (mut events, mut rows, mut looks) = (0, 0, 0);
    let whole = measure(&Question::of(&simulation), &plan(), &mut |event| {
        events += 1;
        match event {
            Event::Row(..) => rows += 1,
            Event::Look(_) => looks += 1,
            Event::Begun(_) | Event::Progress(_) => {}
        }
        ControlFlow::Continue(())
    });
    assert!(whole.is_ok() && rows > 60 && looks == 6, "{rows} {looks}");
    for end in [1, 7, 100, events / 2, events] {
        let mut left = end;
        let ended = measure(&Question::of(&simulation), &plan(), &mut |_| {
            left -= 1;
            if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!(ended.err(), Some(Interrupted::Cancelled), "at event {end} of {events}");
    }
    let (cancel, _) = CancelToken::after_checks(20);
    let ended =
        measure(&Question::of(&simulation), &AdvicePlan { cancel, ..plan() }, &mut |_| ControlFlow::Continue(()));
    assert_eq!(ended.err(), Some(Interrupted::Cancelled));
}

#[test]
fn known_questions_are_answered_from_the_cache() {
    let mut simulation = square("pbd", 3, 3);
    let mut cache = Cache::default();
    let question = Arc::new(Question::of(&simulation));
    assert!(cache.find(&question).is_none());
    let kept = Arc::new(SOFT.clone());
    cache.keep(Arc::clone(&question), Arc::clone(&kept));
    assert!(cache.find(&question).is_some_and(|found| Arc::ptr_eq(&found, &kept)));
    simulation.parameters.gravity.gravity += 1e-9;
    assert!(cache.find(&Question::of(&simulation)).is_none(), "another parameter is another question");
}

#[test]
fn weights_and_limits_are_set_by_name_and_others_are_refused() {
    let mut profile = PROFILES[0];
    profile.set("bending", 3.0).expect("a weight");
    profile.set("jitter_limit", 0.5).expect("a limit");
    assert_eq!((profile.weights.bending, profile.jitter), (3.0, 0.5));
    assert!(profile.set("bend", 1.0).is_err() && profile.set("whole", -1.0).is_err());
    assert!(profile.set("whole", f64::NAN).is_err());
}

/// Parts of an error of a flat cloth in the plane of x and z.
#[test]
fn a_purpose_names_what_was_changed_of_it() {
    for profile in PROFILES {
        assert_eq!(profile.changes(), []);
        let mut changed = *profile;
        for (key, value) in [("bending", 0.7), ("jitter_limit", 0.3)] {
            changed.set(key, value).expect("a weight and a limit");
        }
        assert_eq!(changed.changes(), [("bending", 0.7), ("jitter_limit", 0.3)]);
    }
}

fn parts_of(error: impl Fn(Vec3) -> Vec3) -> Parts {
    let pattern = Pattern::grid(6, 5, 1.0, 0.8, Plane::Xz);
    let masses: Vec<f64> = (0..pattern.len()).map(|i| 0.1 + 0.01 * i as f64).collect();
    let places = pattern.rest_positions().to_vec();
    let errors: Vec<Vec3> = places.iter().map(|x| error(*x)).collect();
    squares(&pattern, &masses, &places, &vec![Vec3::Y; pattern.len()], &errors)
}

#[test]
fn a_rigid_error_is_of_the_whole_an_error_in_the_sheet_stretches_it_and_one_across_bends_it() {
    let turned = parts_of(|x| Vec3::new(0.1, -0.2, 0.3) + Vec3::new(0.3, 0.1, -0.2).cross(x));
    assert!(turned.whole > 0.1 && turned.stretch < 1e-25 && turned.bending < 1e-25, "{turned:?}");
    let stretched = parts_of(|x| Vec3::new((9.0 * x.x).sin() * 0.01, 0.0, x.z * 0.01));
    assert!(stretched.stretch > 1e-6 && stretched.bending < 1e-20, "{stretched:?}");
    let bent = parts_of(|x| Vec3::Y * (9.0 * x.x).sin() * (7.0 * x.z).cos() * 0.01);
    assert!(bent.bending > 1e-6 && bent.stretch < 1e-20, "{bent:?}");
}

proptest! {
    #[test]
    fn the_parts_of_an_error_add_up_to_it(seed in any::<u64>()) {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f64 / (1 << 24) as f64 - 0.5
        };
        let pattern = Pattern::grid(5, 4, 1.0, 1.0, Plane::Xz);
        let masses: Vec<f64> = (0..pattern.len()).map(|_| 0.6 + next()).collect();
        let mut vector = || Vec3::new(next(), next(), next());
        let places: Vec<Vec3> = pattern.rest_positions().iter().map(|x| *x + vector() * 0.1).collect();
        let normals: Vec<Vec3> = places.iter().map(|_| vector().normalize_or_zero()).collect();
        let errors: Vec<Vec3> = places.iter().map(|_| vector()).collect();
        let parts = squares(&pattern, &masses, &places, &normals, &errors);
        let whole: f64 = errors.iter().zip(&masses).map(|(e, m)| m * e.length_squared()).sum();
        prop_assert!((parts.stretch + parts.bending + parts.whole - whole).abs() < 1e-12 * whole, "{parts:?} of {whole}");
    }

    #[test]
    fn halving_keeps_the_first_front_and_half_of_the_points(
        points in proptest::collection::vec([0.0..10.0_f64, 0.0..10.0_f64], 0..40)
    ) {
        let (front, count) = (fronts(&points), points.len().div_ceil(2));
        let kept = survivors(&points, count);
        prop_assert!(kept.iter().filter(|kept| **kept).count() >= count);
        for (at, point) in points.iter().enumerate() {
            let is_dominated = points.iter().any(|other| dominates(*other, *point));
            prop_assert_eq!(front[at] == 0, !is_dominated);
            prop_assert!(kept[at] || front[at] > 0);
            // whoever goes on leaves nobody behind who is better
            prop_assert!(!kept[at] || points.iter().zip(&kept).all(|(other, kept)| *kept || !dominates(*other, *point)));
        }
    }
}
