//! Lines of a text that are not too long.

/// Most columns of a line.
pub const COLUMNS: usize = 100;

/// Spaces before a remark.
const GAP: &str = "   ";

/// `line` in at most so many `columns`: a remark behind a gap is at the right end, and what is too
/// long is broken at spaces, with `hanging` before the rest.
pub(super) fn wrapped(line: &str, columns: usize, hanging: &str) -> Vec<String> {
    let text = line.trim_start();
    let mut indent = line[..line.len() - text.len()].to_owned();
    let (head, remark) = text.split_once(GAP).map_or((text, ""), |(head, remark)| (head, remark.trim_start()));
    let count = |text: &str| text.chars().count();
    let used = count(&indent) + count(head) + count(remark);
    if !remark.is_empty() && used + 2 <= columns {
        return vec![format!("{indent}{head}{}{remark}", " ".repeat(columns - used))];
    }
    let gap = (!remark.is_empty()).then_some("");
    let mut lines = Vec::new();
    let mut current = indent.clone();
    for word in head.split(' ').chain(gap).chain(remark.split(' ').filter(|word| !word.is_empty())) {
        let is_first = current.len() == indent.len();
        if !is_first && count(&current) + 1 + count(word) > columns {
            if lines.is_empty() {
                indent += hanging;
            }
            lines.push(std::mem::replace(&mut current, indent.clone()).trim_end().to_owned());
        } else if !is_first {
            current.push(' ');
        }
        current += word;
    }
    lines.push(current.trim_end().to_owned());
    lines
}
