//! The declaration of the parameters and settings that act.

use super::facts::Facts;
use super::target::{Target, broken};
use crate::sim::params::{Kind, Param, Setting};

/// Declarations of the fields, behind `indent`: with their values where the language has them in one
/// place.
pub(super) fn fields(target: Target, facts: &Facts, indent: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut group = "";
    for (title, param, value) in &facts.acting {
        if *title != group {
            group = title;
            lines.extend(heading(target, title, indent));
        }
        let mark = if target == Target::Bevy { "/// " } else { target.comment() };
        lines.extend(broken(&meaning(param, *value), indent).iter().map(|line| format!("{indent}{mark}{line}")));
        lines.push(field(target, param, *value, indent));
    }
    lines
}

/// The beginning of a group.
fn heading(target: Target, title: &str, indent: &str) -> Vec<String> {
    match target {
        Target::Unity => vec![format!("{indent}[Header(\"{title}\")]")],
        Target::Godot => vec![format!("{indent}@export_group(\"{title}\")")],
        Target::Bevy | Target::C => vec![format!("{indent}// {title}")],
    }
}

/// The declaration of one field.
fn field(target: Target, param: &Param, value: Setting, indent: &str) -> String {
    let (name, kind) = (target.identifier(param.key), target.type_of(value));
    let (literal, unit) = (target.literal(param, value), unit(target, param));
    match target {
        Target::Bevy => format!("{indent}pub {name}: {kind},"),
        Target::Unity => format!("{indent}[SerializeField] {kind} {name} = {literal};{unit}"),
        Target::Godot => format!("{indent}@export var {name}: {kind} = {literal}{unit}"),
        Target::C => {
            let space = if kind.ends_with('*') { "" } else { " " };
            format!("{indent}{kind}{space}{name};")
        }
    }
}

/// The values of the fields, behind `indent`.
pub(super) fn values(target: Target, facts: &Facts, indent: &str) -> Vec<String> {
    let value = |(_, param, value): &(&str, Param, Setting)| {
        let (name, literal) = (target.identifier(param.key), target.literal(param, *value));
        let unit = unit(target, param);
        match target {
            Target::C => format!("{indent}.{name} = {literal},{unit}"),
            _ => format!("{indent}{name}: {literal},{unit}"),
        }
    };
    facts.acting.iter().map(value).collect()
}

/// The unit as a comment behind a value.
fn unit(target: Target, param: &Param) -> String {
    if param.unit.is_empty() { String::new() } else { format!(" {}{}", target.comment(), param.unit) }
}

/// Label, unit and the first sentence of the help, and of a choice what the chosen one means.
fn meaning(param: &Param, value: Setting) -> String {
    let unit = if param.unit.is_empty() { String::new() } else { format!(" [{}]", param.unit) };
    let text = match (param.kind, value) {
        (Kind::Choice(choices), Setting::Choice(at)) if at < choices.len() => first_sentence(choices[at].help),
        _ => first_sentence(param.help()),
    };
    format!("{}{unit}: {text}", param.label)
}

/// The first sentence of a text, on one line.
fn first_sentence(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let begins = |at: &usize| line[at + 2..].starts_with(char::is_uppercase);
    let end = line.match_indices(". ").map(|(at, _)| at).find(begins);
    end.map_or(line.clone(), |end| line[..=end].to_owned())
}
