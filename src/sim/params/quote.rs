//! Quotations of foreign text in messages.

use crate::sim::Real;

/// Most characters that a message repeats of one text.
pub const LONGEST: usize = 80;
/// Of a longer text, so many characters from its start; the rest from its end, where a file's name
/// and line are.
const START: usize = 30;

/// `text` as a message may show it: on one line, and its middle left out where it is longer than
/// [`LONGEST`].
#[must_use]
pub fn quote(text: &str) -> String {
    shorten(text, LONGEST)
}

/// Whether a character is not shown itself but changes how others are: control characters, which
/// break lines or do worse to a terminal, separators of lines, and those that turn the direction of
/// writing round (property `Bidi_Control` of Unicode).
#[must_use]
pub fn is_hidden(c: char) -> bool {
    let turns = matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    c.is_control() || turns || matches!(c, '\u{2028}' | '\u{2029}')
}

/// `text` of several lines without [hidden](is_hidden) characters but the ends of its lines.
#[must_use]
pub fn plain_lines(text: &str) -> String {
    text.chars().map(|c| if c != '\n' && is_hidden(c) { ' ' } else { c }).collect()
}

/// `x` in at most some twenty characters that read back to the same bits: plain where that is
/// short.
#[must_use]
pub fn number(x: Real) -> String {
    if x == 0.0 || (1e-5..1e9).contains(&x.abs()) { format!("{x}") } else { format!("{x:e}") }
}

/// `message` of another part of the program about foreign text: quotations in it, between quotation
/// marks or back-ticks, are shortened as by [`quote()`], and the whole is a line of at most 600
/// characters.
#[must_use]
pub fn quote_within(message: &str) -> String {
    let mut shown = String::new();
    let mut rest = message;
    while let Some(open) = rest.find(['"', '`']) {
        let (before, from) = rest.split_at(open);
        let mark = if from.starts_with('"') { '"' } else { '`' };
        let inside = &from[1..];
        let close = end_of_quotation(inside, mark);
        shown.extend([before, &from[..1], &quote(&inside[..close])]);
        rest = &inside[close..];
        if rest.starts_with(mark) {
            shown.push(mark);
            rest = &rest[1..];
        }
    }
    shown.push_str(rest);
    shorten(&shown, 600)
}

/// Where a quotation ends: at the closing `mark` that no backslash stands before, or with the text.
fn end_of_quotation(text: &str, mark: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        if c == mark && !escaped {
            return at;
        }
        escaped = c == '\\' && !escaped;
    }
    text.len()
}

/// `text` on one line, at most `longest` characters of it.
fn shorten(text: &str, longest: usize) -> String {
    let start: Vec<char> = text.chars().take(longest + 1).collect();
    let kept: String = if start.len() <= longest {
        text.to_owned()
    } else {
        let mut end: Vec<char> = text.chars().rev().take(longest - START - 1).collect();
        end.reverse();
        start[..START].iter().chain(&['…']).chain(&end).collect()
    };
    kept.chars().map(|c| if is_hidden(c) { ' ' } else { c }).collect()
}
