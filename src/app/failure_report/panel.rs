//! Cause of an explosion, and remedies.

use std::collections::BTreeMap;
use std::sync::Arc;

use egui::{Button, Color32, RichText, Spinner, Ui};

use super::replay::{self, Replay};
use super::{BlowUps, Inquiry};
use crate::app::desk::Shown;
use crate::app::widgets::study::show_fault;
use crate::app::widgets::style::{ACCENT, ALARM, QUIET};
use crate::app::widgets::{capitalised, note_place};
use crate::scene::{Scalar, collect_settings};
use crate::session::{Command, Failure};
use crate::sim::params::units::{quantity, significant};
use crate::sim::pattern::Family;
use crate::sim::solver_interface::StepError;
use crate::sim::solvers::name_of;
use crate::sim::step::timing::Rule;
use crate::sim::study::blow_up::{BrokenSpring, Change, Kind, LinearTheory, Mend, Origin};
use crate::sim::{Real, Timing};

/// Contents of the card.
pub fn show(ui: &mut Ui, shown: &mut Shown) {
    let Some(failure) = shown.session.frame().failure.clone() else { return };
    let title = format!("{} blew up at t = {:.3} s", name_of(failure.solver), failure.time);
    ui.label(RichText::new(title).heading().color(ALARM));
    ui.label(format!("{}. The last good state is shown.", capitalised(&failure.cause.to_string())));
    show_replay(ui, shown, &failure);
    let mut command = None;
    // above the growing list of results
    ui.horizontal(|ui| {
        let restore = ui.button("Restore last good state");
        note_place(ui, "restore", restore.rect);
        if restore.on_hover_text("Stays paused there: the same step would fail again").clicked() {
            command = Some(Command::Restore);
        }
        if ui.button("Reset").clicked() {
            command = Some(Command::Reset);
        }
    });
    if let Some(inquiry) = shown.states.of::<BlowUps>().of(&failure) {
        ui.separator();
        if let Some(origin) = &inquiry.origin {
            ui.label(began(origin, &failure.cause));
        }
        numbers(ui, inquiry);
        command = mends(ui, inquiry).or(command);
    }
    if let Some(command) = command {
        shown.session.send(command);
    }
}

/// The step that the replay shows, and the meaning of its colours.
fn show_replay(ui: &mut Ui, shown: &mut Shown, failure: &Arc<Failure>) {
    let now = ui.input(|input| input.time);
    let Some((state, left)) = shown.states.of::<Replay>().follow(Some(failure), now) else { return };
    ui.ctx().request_repaint_after_secs(left as f32);
    ui.label(format!("Slow replay: step {state} of the last {}", failure.last_states.len() - 1));
    let theory = shown.states.of::<BlowUps>().of(failure).and_then(|inquiry| inquiry.linear);
    let Some(limit) = theory.as_ref().map(replay::limit) else { return };
    let word = |ui: &mut Ui, text: String, turns: Real| {
        let [r, g, b] = replay::colour(turns, limit).map(|share| (255.0 * share) as u8);
        ui.label(RichText::new(text).small().color(Color32::from_rgb(r, g, b)));
    };
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        ui.label(RichText::new("Lines are springs, faint at rest; h·ω").small().color(QUIET));
        match limit {
            Some(limit) if limit > 0.0 => {
                word(ui, "small,".to_owned(), 0.0);
                word(ui, "near the limit,".to_owned(), 0.999 * limit);
                word(ui, format!("above {}", significant(limit)), limit);
            }
            Some(limit) => word(ui, "above 0: unstable at any step".to_owned(), limit),
            None => word(ui, "has no limit".to_owned(), 0.0),
        }
    });
}

/// Where it began, in a sentence or two.
fn began(origin: &Origin, cause: &StepError) -> String {
    let Some(BrokenSpring { vertices: [vertex, other], family, strain, stiffness, .. }) = &origin.spring else {
        let what = if matches!(cause, StepError::Factor(_)) {
            "the equations of the step could not be solved"
        } else {
            "no spring was stretched before the failure"
        };
        return format!("No spring failed: {what}.");
    };
    let family = match family {
        Family::Structural => "spring",
        Family::Shear => "shear spring",
        Family::Bend => "bend spring",
    };
    let stiffness = quantity(*stiffness, "N/m");
    let times = significant(1.0 + strain);
    // as the readout of the stretch, which is of the state before the failed step
    let when = if origin.in_failed_step { "In the failed step, the" } else { "The" };
    let stretched =
        format!("{when} {family} {vertex}–{other} ({stiffness}) was stretched to {times} times its rest length.");
    if origin.happens_again {
        stretched
    } else {
        format!("{stretched} The same steps from the last good state are stable without the hand.")
    }
}

/// Results of theory and trials about the step.
fn numbers(ui: &mut Ui, inquiry: &Inquiry) {
    let Some(LinearTheory { step, frequency, own, symplectic }) = inquiry.linear else { return };
    let ms = |seconds: Real| format!("{} ms", significant(1e3 * seconds));
    egui::Grid::new("why").num_columns(2).spacing([14.0, 2.0]).show(ui, |ui| {
        let mut row = |name: &str, value: String, help: &str| {
            ui.label(RichText::new(name).color(QUIET)).on_hover_text(help);
            ui.label(value).on_hover_text(help);
            ui.end_row();
        };
        let turns = |frequency: Real| significant(step * frequency);
        let factors = |frequency: Real| format!("h = {}, ω = {}", ms(step), quantity(frequency, "rad/s"));
        if let Some(spring) = inquiry.origin.and_then(|origin| origin.spring) {
            row(
                "h·ω of this spring",
                turns(spring.frequency),
                &format!("{}: ω² is its stiffness over the reduced mass of its ends", factors(spring.frequency)),
            );
        }
        let limit = own.filter(|own| *own > 0.0).map(|own| format!(" (stable below {})", significant(own * frequency)));
        row(
            "h·ω of the cloth",
            format!("{}{}", turns(frequency), limit.unwrap_or_default()),
            &format!(
                "{}: its stiffest vibration about rest. Symplectic Euler without damping is stable below 2.",
                factors(frequency)
            ),
        );
        let theory = match own {
            Some(own) if own > 0.0 => ms(own),
            Some(_) => "none: unstable at any step".to_owned(),
            None => format!("no limit ({} for symplectic Euler)", ms(symplectic)),
        };
        row("Longest stable step, linear theory", theory, "For small motions about rest");
        let trial = match inquiry.longest {
            Some(Some(longest)) if longest >= step => format!("{}, the step that failed", ms(longest)),
            Some(Some(longest)) => ms(longest),
            Some(None) => format!("none down to {}", ms(step / 2048.0)),
            None => "trying …".to_owned(),
        };
        row("Longest stable step, by trial", trial, "Tried from the last good state, on a copy");
    });
}

/// The successful remedies, as buttons, and the one on trial.
fn mends(ui: &mut Ui, inquiry: &Inquiry) -> Option<Command> {
    let mut command = None;
    for mend in &inquiry.mends {
        ui.horizontal(|ui| {
            let button =
                ui.add(Button::new(label(mend.change, &inquiry.parameters.timing)).min_size([150.0, 22.0].into()));
            note_place(ui, place(mend.change), button.rect);
            let help = format!(
                "Continues from the last good state with this change; stable for {:.2} s on a copy.",
                mend.lasted
            );
            if button.on_hover_text(help).clicked() {
                command = Some(to_command(mend.change, &inquiry.parameters.timing));
            }
            ui.label(RichText::new(costs(mend)).small().color(QUIET));
        });
    }
    show_fault(ui, &inquiry.study);
    if inquiry.study.is_running() {
        ui.horizontal(|ui| {
            ui.add(Spinner::new().size(14.0).color(ACCENT));
            let what = match inquiry.trying {
                _ if inquiry.origin.is_none() => "repeating the steps that failed …",
                None => "trying shorter steps …",
                Some(Kind::Step) => "trying a time step …",
                Some(Kind::Substeps) => "trying substeps …",
                Some(Kind::Scheme) => "trying other schemes …",
                Some(Kind::Solver) => "trying other solvers …",
            };
            ui.label(RichText::new(what).color(QUIET));
        });
    } else if inquiry.mends.is_empty() && !inquiry.none.is_empty() {
        ui.label(RichText::new("No shorter step, other scheme or other solver is stable from there.").color(QUIET));
    }
    command
}

fn label(change: Change, timing: &Timing) -> String {
    match change {
        Change::Step(step) => format!("Time step {} ms", significant(1e3 * step)),
        Change::Substeps(count) if timing.adaptive => format!("{count} equal substeps"),
        Change::Substeps(count) => format!("{count} substeps"),
        Change::Scheme(Rule::Own) => "Scheme implicit Euler".to_owned(),
        Change::Scheme(Rule::Theta(theta)) => format!("Theta {theta}"),
        Change::Scheme(Rule::Bdf2) => "Scheme BDF2".to_owned(),
        Change::Solver(id) => name_of(id).to_owned(),
    }
}

fn place(change: Change) -> &'static str {
    match change {
        Change::Step(_) => "mend by step",
        Change::Substeps(_) => "mend by substeps",
        Change::Scheme(_) => "mend by scheme",
        Change::Solver(_) => "mend by solver",
    }
}

/// Cost of a mend, in words.
fn costs(mend: &Mend) -> String {
    let Some(cost) = mend.cost else { return "stable".to_owned() };
    let step = format!("{} ms per step", significant(1e3 * mend.seconds_per_step));
    if cost > 1.0 {
        format!("{step}, solver load {:.0} %: slower than real time", 100.0 * cost)
    } else {
        format!("{step}, solver load {:.0} %", (100.0 * cost).max(1.0))
    }
}

/// The commands of a mend.
fn to_command(change: Change, timing: &Timing) -> Command {
    let mut set = BTreeMap::new();
    let mut solver = None;
    match change {
        Change::Step(step) => drop(set.insert(Timing::time_step.to_owned(), Scalar::Real(step))),
        Change::Substeps(count) => {
            set.insert(Timing::substeps.to_owned(), Scalar::Integer(count));
            set.insert(Timing::adaptive.to_owned(), Scalar::Toggle(false));
        }
        Change::Scheme(rule) => {
            let (mut after, before) = (*timing, collect_settings(timing));
            after.set_rule(rule);
            set.extend(collect_settings(&after).into_iter().filter(|(key, value)| before.get(key) != Some(value)));
        }
        Change::Solver(id) => solver = Some(id.to_owned()),
    }
    Command::Mend { set, solver }
}
