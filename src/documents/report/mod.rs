//! Reports: headings, text, tables, plots and pictures as plain data, written as one HTML page or
//! as Markdown with files beside it.

mod advice;
mod changes;
mod experiment;
mod html;
mod machine;
mod markdown;
mod outcome;
mod samples;
mod solver_card;
mod studies;
mod textile;

pub use advice::advice_report;
pub use experiment::{
    AdviceStudy, CompassStudy, ConvergenceStudy, Experiment, LaneRun, Pictures, Repetition, Shot, lane_letter,
};
pub use machine::Machine;
pub use markdown::Markdown;
pub use samples::{PLOTTED, displacement_plot, sample_plots};
pub use textile::{TextileSpecimen, TextileStudy, textile_report};

/// A report.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Report {
    /// Its title.
    pub title: String,
    /// What it is made of, in order.
    pub blocks: Vec<Block>,
}

/// A part of a report. Its texts are plain; the writers escape them.
#[derive(Debug, Clone, PartialEq)]
pub enum Block {
    /// The heading of a section.
    Heading(String),
    /// The heading of a part of a section.
    Subheading(String),
    /// Paragraph of text.
    Paragraph(String),
    /// Lines of code: a formula, a command.
    Code(String),
    /// A table.
    Table(Table),
    /// A plot or a picture.
    Figure(Figure),
    /// The commands that repeat all numbered tables and figures of the report.
    Commands,
}

/// A table.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Table {
    /// A sentence on it; empty for a table without a number.
    pub caption: String,
    /// Names of the columns; none for a list of facts.
    pub head: Vec<String>,
    /// The rows.
    pub rows: Vec<TableRow>,
    /// The command that repeats it, if it was measured.
    pub command: Option<String>,
}

/// A row of a table.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TableRow {
    /// Its cells.
    pub cells: Vec<String>,
    /// Whether it is set in bold.
    pub is_strong: bool,
}

impl From<Vec<String>> for TableRow {
    fn from(cells: Vec<String>) -> Self {
        Self { cells, is_strong: false }
    }
}

/// A plot or a picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// Name of its file beside Markdown, without the ending: letters, digits and hyphens.
    pub name: String,
    /// What it shows, in sentences.
    pub caption: String,
    /// The image.
    pub image: Image,
    /// The command that repeats it.
    pub command: Option<String>,
}

/// The image of a figure.
#[derive(Debug, Clone, PartialEq)]
pub enum Image {
    /// An element `svg` without scripts or references.
    Svg(String),
    /// A PNG file.
    Png(Vec<u8>),
}

impl Table {
    /// A list of facts: names and values.
    #[must_use]
    pub fn facts<N: Into<String>>(facts: impl IntoIterator<Item = (N, String)>) -> Self {
        let rows = facts.into_iter().map(|(name, value)| vec![name.into(), value].into());
        Self { rows: rows.collect(), ..Self::default() }
    }

    /// Whether a column holds numbers, which are aligned at their right.
    fn is_numeric(&self, column: usize) -> bool {
        let mut cells = self.rows.iter().filter_map(|row| row.cells.get(column)).filter(|cell| !cell.is_empty());
        let starts = |cell: &String| cell.starts_with(|c: char| c.is_ascii_digit() || "-−–>".contains(c));
        !self.head.is_empty() && cells.clone().next().is_some() && cells.all(starts)
    }
}

impl Report {
    /// Numbers of the tables with a caption and of the figures, in the order of the blocks.
    fn numbers(&self) -> Vec<Option<String>> {
        let (mut tables, mut figures) = (0, 0);
        let number = |block: &Block| match block {
            Block::Table(table) if !table.caption.is_empty() => {
                tables += 1;
                Some(format!("Table {tables}"))
            }
            Block::Figure(_) => {
                figures += 1;
                Some(format!("Figure {figures}"))
            }
            _ => None,
        };
        self.blocks.iter().map(number).collect()
    }

    /// The commands in their order, each with what it repeats, like "Table 1, Figure 2".
    #[must_use]
    pub fn commands(&self) -> Vec<(String, &str)> {
        let mut commands: Vec<(String, &str)> = Vec::new();
        for (block, number) in self.blocks.iter().zip(self.numbers()) {
            let command = match block {
                Block::Table(Table { command, .. }) | Block::Figure(Figure { command, .. }) => command,
                _ => &None,
            };
            let (Some(command), Some(number)) = (command, number) else { continue };
            match commands.iter_mut().find(|(_, known)| known == command) {
                Some((what, _)) => *what += &format!(", {number}"),
                None => commands.push((number, command)),
            }
        }
        commands
    }
}
