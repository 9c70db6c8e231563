//! `weft lessons`: the lessons, listed or walked through without a window.

use std::fmt::Write;

use clap::Args;
use serde_json::{Value, json};

use super::output::{Failure, print, print_json};
use crate::scene::InputError;
use crate::session::lesson::{Lesson, Reading, Rehearsal, StepReport, Walk};

const EXAMPLES: &str = "\
Examples:
  weft lessons                          the lessons with their ids
  weft lessons --walk                   all of them to their end, with the measured values
  weft lessons --walk drag-and-lift     one of them";

#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct LessonArgs {
    /// Walk through the lesson of this id, or through all, each step by its own commands
    #[arg(long, value_name = "ID", num_args = 0..=1, default_missing_value = "")]
    walk: Option<String>,
    /// The choice that every prediction makes, counted from 1
    #[arg(long, value_name = "N", default_value_t = 1, requires = "walk", value_parser = clap::value_parser!(u8).range(1..=3))]
    predict: u8,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn lessons(args: &LessonArgs) -> Result<(), Failure> {
    match args.walk.as_deref() {
        None => list(&Lesson::all()?, args.json),
        Some("") => walk(Lesson::all()?, args),
        Some(id) => {
            let lesson = Lesson::load(id).map_err(|error| InputError::new("--walk", error.to_string()))?;
            walk(vec![lesson], args)
        }
    }
}

fn list(lessons: &[Lesson], is_json: bool) -> Result<(), Failure> {
    if is_json {
        let row = |lesson: &Lesson| {
            json!({
                "id": lesson.id,
                "title": lesson.title,
                "summary": lesson.summary,
                "steps": lesson.steps.len(),
            })
        };
        return print_json(&json!(lessons.iter().map(row).collect::<Vec<_>>()));
    }
    let mut text = String::new();
    for lesson in lessons {
        let Lesson { id, title, summary, steps, .. } = lesson;
        let _ = writeln!(text, "{id:<22} {title} ({} steps)\n{:22} {summary}", steps.len(), "");
    }
    print(&text)
}

/// Walks through lessons. One that does not reach its end is a failure.
fn walk(lessons: Vec<Lesson>, args: &LessonArgs) -> Result<(), Failure> {
    let (mut rows, mut stuck) = (Vec::new(), Vec::new());
    for lesson in lessons {
        let (id, count) = (lesson.id.clone(), lesson.steps.len());
        let mut told = Ok(());
        let mut last = 0;
        let choice = usize::from(args.predict) - 1;
        let reached = Rehearsal::walk_through(lesson, choice, &mut |walk, report| {
            last = report.number;
            if args.json {
                rows.push(row(walk, report));
            } else if told.is_ok() {
                told = print(&told_step(walk, report, count));
            }
        })?;
        told?;
        if !reached {
            stuck.push(format!("{id}, step {last}"));
        }
    }
    if args.json {
        print_json(&json!(rows))?;
    }
    if stuck.is_empty() {
        return Ok(());
    }
    Err(Failure::Ran(format!("the condition was not met by the step's own commands: {}", stuck.join("; "))))
}

fn row(walk: &Walk, report: &StepReport) -> Value {
    let readings = report.readings.iter().map(|reading| {
        json!({ "label": reading.label, "value": reading.value, "wanted": reading.wanted, "met": reading.is_met })
    });
    json!({
        "lesson": walk.lesson().id,
        "step": report.number,
        "met": report.is_met,
        "ticks": report.ticks,
        "seconds": report.seconds,
        "measured": readings.collect::<Vec<_>>(),
        "right": report.outcome.as_ref().and_then(|outcome| outcome.right).map(|right| right + 1),
        "reason": report.outcome.as_ref().map(|outcome| &outcome.reason),
        "broken": report.broken.iter().map(|reading| &reading.label).collect::<Vec<_>>(),
    })
}

/// A step with its measured values.
fn told_step(walk: &Walk, report: &StepReport, count: usize) -> String {
    let mut text = String::new();
    if report.number == 1 {
        let _ = writeln!(text, "{}: {}", walk.lesson().id, walk.lesson().title);
    }
    let end = if report.is_met { "met" } else { "NOT met" };
    let _ = writeln!(text, "  step {} of {count}: {end} after {:.2} s", report.number, report.seconds);
    for reading in &report.readings {
        let _ = writeln!(text, "    {}: {} (wanted {})", reading.label, reading.value, reading.wanted);
    }
    let choices = walk.step().predict.as_ref().map(|predict| &predict.choices);
    let right = report.outcome.as_ref().and_then(|outcome| outcome.right).zip(choices);
    if let Some((right, choices)) = right {
        let _ = writeln!(text, "    right: {}", choices[right].text);
    }
    if let Some(outcome) = &report.outcome {
        let _ = writeln!(text, "    {}", outcome.reason);
    }
    for Reading { label, value, wanted, .. } in &report.broken {
        let _ = writeln!(text, "    NOT as the reason says: {label} is {value} ({wanted})");
    }
    text
}
