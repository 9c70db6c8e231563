//! Lesson files: the format, reading and checking.

use serde::Deserialize;

use super::{Condition, LessonMeasure};
use crate::scene::{InputError, Scene, embedded, lesson_names, read_ron, suggested_name};
use crate::session::Command;
use crate::sim::params::quote::quote;

/// Numbers of steps of a lesson, at least and at most.
const STEPS: [usize; 2] = [5, 8];
/// Longest text of a step or a reason, and longest question or choice [characters].
const TEXT: usize = 280;
const SHORT: usize = 140;
/// Numbers of choices, at least and at most.
const CHOICES: [usize; 2] = [2, 3];

/// A lesson.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lesson {
    /// The name of its file, without the ending.
    #[serde(skip)]
    pub id: String,
    /// Its place among the lessons.
    pub number: u32,
    /// Its title.
    pub title: String,
    /// A sentence about it.
    pub summary: String,
    /// The scene of its steps, by name.
    #[serde(default)]
    pub scene: String,
    /// A scene of its own, in place of a named one.
    #[serde(default)]
    pub own_scene: Option<Box<Scene>>,
    /// Commands that change the scene before each step.
    #[serde(default)]
    pub arrange: Vec<Command>,
    /// Its steps.
    pub steps: Vec<Step>,
}

/// A step of a lesson. The cloth is built anew for it, and time stands still.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// What is told, before anything happens.
    pub text: String,
    /// What it points at.
    #[serde(default)]
    pub points: Vec<Target>,
    /// Further commands that change the scene.
    #[serde(default)]
    pub arrange: Vec<Command>,
    /// Simulated time that passes before it begins [s].
    #[serde(default)]
    pub ahead: f64,
    /// Lanes beside the first one, `key=value,key=value`.
    #[serde(default)]
    pub lanes: Vec<String>,
    /// What is asked before anything happens.
    #[serde(default)]
    pub predict: Option<Prediction>,
    /// The condition that lets the lesson go on.
    pub until: Condition,
    /// The commands by which it is met, without the choice of a prediction.
    pub show: Vec<Command>,
    /// What has been measured and why, with values in braces: `{stretch}`, `{stretch B}`.
    pub reason: String,
    /// What the reason says of this run, as conditions that are measured when it is walked.
    #[serde(default)]
    pub holds: Vec<Condition>,
}

/// A part of the window that a step points at.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// A panel, by its title, or the button that opens it.
    Panel(String),
    /// The row of a parameter, by its key.
    Slider(String),
    /// A control, by the name that it has in the log.
    Control(String),
    /// A key, as the list of all keys names it.
    Key(String),
    /// A vertex of the cloth.
    Vertex(u32),
}

/// A question about what will happen.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prediction {
    /// The question.
    pub question: String,
    /// The answers to choose from, of which the measurement makes one the right one.
    pub choices: Vec<Choice>,
}

/// An answer.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// The answer.
    pub text: String,
    /// The condition under which it is right.
    pub when: Condition,
}

impl Lesson {
    /// The lessons that come with the program, in their order.
    ///
    /// # Errors
    /// [`InputError`] for the first file that is broken.
    pub fn all() -> Result<Vec<Self>, InputError> {
        let mut all = lesson_names().iter().map(|name| Self::load(name)).collect::<Result<Vec<_>, _>>()?;
        all.sort_by_key(|lesson| lesson.number);
        Ok(all)
    }

    /// The lesson called `id`.
    ///
    /// # Errors
    /// [`InputError`] when there is no such lesson, or its file is broken.
    pub fn load(id: &str) -> Result<Self, InputError> {
        let known = lesson_names();
        let file = format!("assets/lessons/{id}.ron");
        if !known.iter().any(|known| known == id) {
            let mend = suggested_name(id, &known);
            return Err(InputError::new("", format!("there is no lesson \"{}\"; {mend}", quote(id))));
        }
        let text = embedded(&file).ok_or_else(|| InputError::new(&file, "cannot be read"))?;
        Ok(Self { id: id.to_owned(), ..Self::parse(&text, &file)? })
    }

    /// The scene of its steps, without lanes.
    ///
    /// # Errors
    /// [`InputError`] when there is none of the name, or a number in its own one is out of range.
    pub fn scene(&self) -> Result<Scene, InputError> {
        let mut scene = match &self.own_scene {
            Some(own) => Scene { name: format!("lesson {}", self.id), ..(**own).clone() },
            None => Scene::load(&self.scene)?,
        };
        scene.check_parameters()?;
        // those of the steps come in their place
        scene.lanes.clear();
        Ok(scene)
    }

    /// Reads the text of a lesson file. `file` is for messages.
    ///
    /// # Errors
    /// [`InputError`] with file and line, or file and step.
    pub fn parse(text: &str, file: &str) -> Result<Self, InputError> {
        let lesson: Self = read_ron(text, file)?;
        let [least, most] = STEPS;
        let count = lesson.steps.len();
        if !(least..=most).contains(&count) {
            return Err(InputError::new(file, format!("{count} steps; a lesson has {least} to {most}")));
        }
        if lesson.scene.is_empty() == lesson.own_scene.is_none() {
            return Err(InputError::new(file, "a lesson needs either a scene, by its name, or a scene of its own"));
        }
        for (number, step) in (1..).zip(&lesson.steps) {
            if let Some(fault) = step.fault() {
                return Err(InputError::new(format!("{file}, step {number}"), fault));
            }
        }
        Ok(lesson)
    }
}

/// A fault of a text that may have so many characters, if any.
fn fault_of_text(what: &str, text: &str, most: usize) -> Option<String> {
    let count = text.chars().count();
    if count == 0 {
        return Some(format!("the {what} is empty; write what the student needs to know"));
    }
    (count > most).then(|| format!("the {what} has {count} characters; shorten it to {most}"))
}

impl Step {
    fn fault(&self) -> Option<String> {
        let Self { text, predict, until, show, reason, holds, ahead, .. } = self;
        let lanes = 1 + self.lanes.len();
        if lanes > crate::session::Lanes::MOST {
            return Some(format!("{lanes} lanes; there may be {}", crate::session::Lanes::MOST));
        }
        if show.is_empty() {
            return Some("no commands to show it by; name those that meet the condition".to_owned());
        }
        if !(0.0..=30.0).contains(ahead) {
            return Some("a time ahead from 0 to 30 s is needed".to_owned());
        }
        let texts = || fault_of_text("text", text, TEXT).or_else(|| fault_of_text("reason", reason, TEXT));
        let commands = || self.arrange.iter().chain(show).find_map(|command| command.check().err());
        texts()
            .or_else(|| predict.as_ref().and_then(|predict| predict.fault(lanes)))
            .or_else(|| std::iter::once(until).chain(holds).find_map(|condition| condition.fault(lanes)))
            .or_else(|| commands().map(|error| error.message().to_owned()))
            .or_else(|| pieces(reason).find_map(|piece| piece.fault(lanes)))
    }

    /// The reason with values in the place of their names, which `value` gives for a quantity of a
    /// lane.
    pub(super) fn reason(&self, value: impl Fn(LessonMeasure, usize) -> Option<f64>) -> String {
        let text = |piece: Piece| match piece {
            Piece::Text(text) => text.to_owned(),
            Piece::Value { name, lane } => {
                let quantity = LessonMeasure::find(name);
                let known = quantity.and_then(|quantity| Some(quantity.text(value(quantity, lane)?)));
                known.unwrap_or_else(|| "unknown".to_owned())
            }
        };
        pieces(&self.reason).map(text).collect()
    }
}

impl Prediction {
    fn fault(&self, lanes: usize) -> Option<String> {
        let [least, most] = CHOICES;
        let count = self.choices.len();
        if !(least..=most).contains(&count) {
            return Some(format!("{count} choices; a prediction has {least} to {most}"));
        }
        let choice =
            |choice: &Choice| fault_of_text("choice", &choice.text, SHORT).or_else(|| choice.when.fault(lanes));
        fault_of_text("question", &self.question, SHORT).or_else(|| self.choices.iter().find_map(choice))
    }
}

/// A part of a reason.
enum Piece<'a> {
    Text(&'a str),
    /// A quantity by its name, of a lane.
    Value {
        name: &'a str,
        lane: usize,
    },
}

impl Piece<'_> {
    fn fault(&self, lanes: usize) -> Option<String> {
        let Self::Value { name, lane } = self else { return None };
        if LessonMeasure::find(name).is_none() {
            let mend = InputError::suggestion(name, LessonMeasure::names());
            return Some(format!("the reason names the quantity \"{}\"; {mend}", quote(name)));
        }
        (*lane >= lanes).then(|| format!("the reason names a lane that does not exist; there are {lanes}"))
    }
}

/// Texts and values of a reason, in order.
fn pieces(reason: &str) -> impl Iterator<Item = Piece<'_>> {
    let value = |inside: &'_ str| {
        let (name, lane) = inside.split_once(' ').unwrap_or((inside, "A"));
        let first = lane.bytes().next().unwrap_or(b'A');
        (name.len(), usize::from(first.saturating_sub(b'A')))
    };
    reason.split('{').enumerate().flat_map(move |(at, part)| {
        let (inside, text) = if at == 0 { (None, part) } else { split_value(part) };
        let value = inside.map(|inside| {
            let (length, lane) = value(inside);
            Piece::Value { name: &inside[..length], lane }
        });
        value.into_iter().chain([Piece::Text(text)])
    })
}

/// What stands before the closing brace, and behind it; without one all is text.
fn split_value(part: &str) -> (Option<&str>, &str) {
    part.split_once('}').map_or((None, part), |(inside, text)| (Some(inside), text))
}
