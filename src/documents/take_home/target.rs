//! The engines, and how their languages write comments, names and values.

use super::lines::{COLUMNS, wrapped};
use crate::sim::params::quote::{is_hidden, number};
use crate::sim::params::{Param, Setting};

/// Columns of the mark of a comment.
pub(super) const COMMENT: usize = 3;
/// Columns of a tab.
const TAB: usize = 4;

/// An engine or language that a solver is taken home to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// Bevy, in Rust.
    Bevy,
    /// Unity, in C#.
    Unity,
    /// Godot 4, in GDScript.
    Godot,
    /// Plain C99.
    C,
}

impl Target {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Bevy, Self::Unity, Self::Godot, Self::C];

    /// Its name in menus; in small letters also on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bevy => "Bevy",
            Self::Unity => "Unity",
            Self::Godot => "Godot",
            Self::C => "C",
        }
    }

    /// Ending of its files, without a dot.
    #[must_use]
    pub const fn file_extension(self) -> &'static str {
        match self {
            Self::Bevy => "rs",
            Self::Unity => "cs",
            Self::Godot => "gd",
            Self::C => "c",
        }
    }

    /// The file into which everything is put.
    pub(super) const fn file(self) -> &'static str {
        match self {
            Self::Bevy => include_str!("targets/bevy.txt"),
            Self::Unity => include_str!("targets/unity.txt"),
            Self::Godot => include_str!("targets/godot.txt"),
            Self::C => include_str!("targets/c.txt"),
        }
    }

    /// The name of the parameter called `key`.
    #[must_use]
    pub fn identifier(self, key: &str) -> String {
        if self != Self::Unity {
            return key.to_owned();
        }
        let mut parts = key.split('_');
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |name, part| name + &part[..1].to_uppercase() + &part[1..])
    }

    /// The type of a value.
    pub(super) const fn type_of(self, value: Setting) -> &'static str {
        match (self, value) {
            (Self::Bevy, Setting::Real(_)) => "f64",
            (Self::Bevy, Setting::Integer(_)) => "u32",
            (Self::Bevy, Setting::Choice(_)) => "&'static str",
            (Self::Unity, Setting::Real(_)) | (Self::Godot, Setting::Real(_)) => "float",
            (Self::C, Setting::Real(_)) => "double",
            (_, Setting::Integer(_)) => "int",
            (Self::Unity, Setting::Choice(_)) => "string",
            (Self::Godot, Setting::Choice(_)) => "String",
            (Self::C, Setting::Choice(_)) => "const char *",
            (_, Setting::Toggle(_)) => "bool",
        }
    }

    /// A value of `param` as the language writes it.
    #[must_use]
    pub fn literal(self, param: &Param, value: Setting) -> String {
        match value {
            Setting::Real(x) => {
                let digits = number(x);
                let digits = if digits.contains(['.', 'e']) { digits } else { digits + ".0" };
                if self == Self::Unity { digits + "f" } else { digits }
            }
            Setting::Choice(_) => format!("\"{}\"", param.show(value)),
            Setting::Integer(_) | Setting::Toggle(_) => param.show(value),
        }
    }

    /// The mark of a comment up to the end of the line.
    pub(super) const fn comment(self) -> &'static str {
        if matches!(self, Self::Godot) { "# " } else { "// " }
    }

    /// `lines`, each as a comment behind `indent`.
    pub(super) fn line_comments(self, lines: &[String], indent: &str) -> Vec<String> {
        lines.iter().map(|line| format!("{indent}{}{}", self.comment(), plain(line))).collect()
    }

    /// `lines` as one comment: of C in the form that lines may end with a backslash in.
    pub(super) fn block_comment(self, lines: &[String]) -> Vec<String> {
        if self != Self::C {
            return self.line_comments(lines, "");
        }
        let inside = lines.iter().map(|line| format!(" * {}", plain(line).replace("*/", "* /").replace("/*", "/ *")));
        std::iter::once("/*".to_owned()).chain(inside).chain([" */".to_owned()]).collect()
    }
}

/// `text` broken into lines of comments behind `indent`.
pub(super) fn broken(text: &str, indent: &str) -> Vec<String> {
    wrapped(text, COLUMNS - columns(indent) - COMMENT - 1, "")
}

/// Columns that an indentation takes.
pub(super) fn columns(indent: &str) -> usize {
    indent.chars().map(|letter| if letter == '\t' { TAB } else { 1 }).sum()
}

/// `line` without letters that would end a comment.
fn plain(line: &str) -> String {
    line.chars().map(|letter| if is_hidden(letter) { ' ' } else { letter }).collect()
}
