//! Comments of scene files. A scene does not hold them, so writing one over its file removes them.

use std::path::Path;

use super::text::read_text;

/// The line, from 1, in which each comment of a text in RON begins: `//` to the end of the line,
/// and `/* */`, which may contain others of its kind. Characters in strings begin none.
#[must_use]
pub fn comment_lines(text: &str) -> Vec<usize> {
    let (mut lines, mut line, mut rest) = (Vec::new(), 1, text);
    while let Some(first) = rest.chars().next() {
        let comment = comment(rest);
        lines.extend(comment.map(|_| line));
        let length = comment.or_else(|| string(rest)).unwrap_or(first.len_utf8());
        let (token, after) = rest.split_at(length);
        line += token.matches('\n').count();
        rest = after;
    }
    lines
}

/// The same of a file; none if it does not exist or is no text.
#[must_use]
pub fn comment_lines_of(file: &Path) -> Vec<usize> {
    let text = if file.is_file() { read_text(file, "").ok() } else { None };
    text.map_or_else(Vec::new, |text| comment_lines(&text))
}

/// Length of the comment that `text` begins with, if it begins with one [bytes].
fn comment(text: &str) -> Option<usize> {
    if text.starts_with("//") {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    let mut at = text.starts_with("/*").then_some(2)?;
    let mut depth = 1;
    while depth > 0 {
        let Some(mark) = text[at..].find(['/', '*']) else { return Some(text.len()) };
        at += mark;
        let (step, by) = match text.as_bytes().get(at..at + 2) {
            Some(b"/*") => (2, 1),
            Some(b"*/") => (2, -1),
            _ => (1, 0),
        };
        (at, depth) = (at + step, depth + by);
    }
    Some(at)
}

/// Length of the string or character that `text` begins with, if it begins with one [bytes].
fn string(text: &str) -> Option<usize> {
    if let Some(raw) = text.strip_prefix('r') {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        if raw[hashes..].starts_with('"') {
            let end = format!("\"{}", "#".repeat(hashes));
            let begin = hashes + 2;
            return Some(text[begin..].find(&end).map_or(text.len(), |at| begin + at + end.len()));
        }
    }
    let quote = text.chars().next().filter(|first| ['"', '\''].contains(first))?;
    let mut is_escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            letter if letter == quote => return Some(at + 1),
            _ => {}
        }
    }
    Some(text.len())
}
