//! The lines of a mesh file, word by word, with the messages for faults.

use std::str::FromStr;

use super::InputError;
use crate::scene::text::mend_of_number;
use crate::sim::params::quote::quote;

/// The lines that are not empty, with their numbers.
pub(super) struct Lines<'a> {
    file: &'a str,
    lines: std::iter::Enumerate<std::str::Lines<'a>>,
    /// Number of the last line, from 1.
    pub number: usize,
    /// Its words without comments.
    words: std::str::SplitWhitespace<'a>,
    comment: Option<char>,
}

impl<'a> Lines<'a> {
    /// Of `text`; everything after `comment` in a line is skipped.
    pub fn new(text: &'a str, file: &'a str, comment: Option<char>) -> Self {
        Self { file, lines: text.lines().enumerate(), number: 0, words: "".split_whitespace(), comment }
    }

    /// A fault of the present line.
    pub fn fault(&self, message: impl Into<String>) -> InputError {
        InputError::new(format!("{}, line {}", self.file, self.number), message)
    }

    /// The next word in whatever line, and nothing at the end of the text.
    pub fn next_word(&mut self) -> Option<&'a str> {
        loop {
            if let Some(word) = self.words.next() {
                return Some(word);
            }
            let (at, line) = self.lines.next()?;
            let line = self.comment.map_or(line, |comment| line.split(comment).next().unwrap_or_default());
            (self.number, self.words) = (at + 1, line.split_whitespace());
        }
    }

    /// The next word, which must exist; `what` names it.
    pub fn word(&mut self, what: &str) -> Result<&'a str, InputError> {
        match self.next_word() {
            Some(word) => Ok(word),
            None => Err(self.fault(format!("the file ends where {what} should follow; it is cut short"))),
        }
    }

    /// The next word as a number.
    pub fn number<T: FromStr>(&mut self, what: &str) -> Result<T, InputError> {
        let word = self.word(what)?;
        word.parse().map_err(|_| self.no_number(word, what))
    }

    /// Passes over the rest of the line.
    pub fn skip_line(&mut self) {
        self.words = "".split_whitespace();
    }

    /// The rest of the line in numbers of vertices.
    pub fn rest<T: FromStr>(&mut self, what: &str) -> Result<Vec<T>, InputError> {
        let words = std::mem::replace(&mut self.words, "".split_whitespace());
        words.map(|word| word.parse().map_err(|_| self.no_number(word, what))).collect()
    }

    fn no_number(&self, word: &str, what: &str) -> InputError {
        self.fault(format!("\"{}\" stands where {what} should{}", quote(word), mend_of_number(word)))
    }
}
