//! A report as Markdown, with its plots and pictures as files.

use super::{Block, Figure, Image, Report, Table};
use crate::sim::params::quote::is_hidden;

/// A report as Markdown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Markdown {
    /// The text.
    pub text: String,
    /// Names and contents of the files that it shows.
    pub files: Vec<(String, Vec<u8>)>,
}

impl Report {
    /// The report as Markdown (CommonMark with tables) whose files are in `folder`, as seen from
    /// the text.
    #[must_use]
    pub fn markdown(&self, folder: &str) -> Markdown {
        let mut files = Vec::new();
        let mut text = format!("# {}\n", escaped(&self.title));
        for (block, number) in self.blocks.iter().zip(self.numbers()) {
            let number = number.unwrap_or_default();
            text.push('\n');
            text += &match block {
                Block::Heading(text) => format!("## {}\n", escaped(text)),
                Block::Subheading(text) => format!("### {}\n", escaped(text)),
                Block::Paragraph(text) => format!("{}\n", escaped(text)),
                Block::Code(text) => code(text, "text"),
                Block::Table(table) => self::table(table, &number),
                Block::Figure(figure) => {
                    let file = file_of(figure);
                    let path = if folder.is_empty() { file.0.clone() } else { format!("{folder}/{}", file.0) };
                    files.push(file);
                    let caption = escaped(&figure.caption);
                    format!("![{number}](<{}>)\n\n**{number}.** {caption}\n", path.replace(['<', '>', '\n'], "_"))
                }
                Block::Commands => {
                    let parts = self.commands();
                    let part = |(what, line): &(String, &str)| format!("{what}:\n\n{}", code(line, "sh"));
                    parts.iter().map(part).collect::<Vec<_>>().join("\n")
                }
            };
        }
        Markdown { text, files }
    }
}

fn file_of(figure: &Figure) -> (String, Vec<u8>) {
    match &figure.image {
        // as a file of its own it needs the name of its language
        Image::Svg(element) => {
            let file = element.replacen("<svg ", "<svg xmlns=\"http://www.w3.org/2000/svg\" ", 1);
            (format!("{}.svg", figure.name), file.into_bytes())
        }
        Image::Png(bytes) => (format!("{}.png", figure.name), bytes.clone()),
    }
}

/// A block of code between more backticks than it has.
fn code(text: &str, language: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    let lines: Vec<&str> = text.lines().collect();
    format!("{fence}{language}\n{}\n{fence}\n", lines.join("\n"))
}

fn table(table: &Table, number: &str) -> String {
    let columns = table.rows.iter().map(|row| row.cells.len()).max().unwrap_or(0).max(table.head.len());
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let mut text = String::new();
    if !table.caption.is_empty() {
        text += &format!("**{number}.** {}\n\n", escaped(&table.caption));
    }
    text += &line((0..columns).map(|at| table.head.get(at).map_or_else(String::new, |name| escaped(name))).collect());
    text += &line((0..columns).map(|at| if table.is_numeric(at) { "--:" } else { "---" }.to_owned()).collect());
    for row in &table.rows {
        let cell = |cell: &String| match escaped(cell) {
            cell if row.is_strong && !cell.is_empty() => format!("**{cell}**"),
            cell => cell,
        };
        text += &line(row.cells.iter().map(cell).collect());
    }
    text
}

/// Text that may stand in a line of Markdown: every sign that could begin something has a stroke
/// before it.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(c) = letters.next() {
        match c {
            _ if is_hidden(c) => out.push(' '),
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '#' | '~' | '&' | '!' | '$' => {
                out.extend(['\\', c]);
            }
            // at the beginning these make a list
            '-' | '+' | '=' if out.trim().is_empty() => out.extend(['\\', c]),
            '.' | ')' if ends_a_number(out.trim()) && letters.peek().is_none_or(|c| c.is_whitespace()) => {
                out.extend(['\\', c]);
            }
            _ => out.push(c),
        }
    }
    out.trim().to_owned()
}

/// Whether a text is a number alone, which a point would make the number of a list.
fn ends_a_number(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_digit())
}
