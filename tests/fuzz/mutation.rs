//! Texts that are nearly right.

use crate::random::Random;

/// What numbers are replaced by.
const NUMBERS: [&str; 24] = [
    "0",
    "-0",
    "1",
    "-1",
    "2",
    "3",
    "0.5",
    "1e-300",
    "1e300",
    "-1e300",
    "1e308",
    "1e-9",
    "1e9",
    "NaN",
    "inf",
    "-inf",
    "null",
    "4294967295",
    "4294967296",
    "18446744073709551616",
    "1e400",
    "0x10",
    "1_000",
    "7",
];

/// Splits a text into words, numbers and single signs.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let of_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-' | '+');
        let end = if of_word(first) { rest.find(|c| !of_word(c)).unwrap_or(rest.len()) } else { first.len_utf8() };
        tokens.push(&rest[..end]);
        rest = &rest[end..];
    }
    tokens
}

/// `text` with one to four changes: numbers replaced, words deleted, doubled, swapped or taken from elsewhere, signs put in, the
/// end cut off.
pub fn mutate(text: &str, random: &mut Random) -> String {
    let mut tokens: Vec<String> = tokens(text).into_iter().map(str::to_owned).collect();
    for _ in 0..=random.below(4) {
        if tokens.is_empty() {
            break;
        }
        let at = random.below(tokens.len());
        let other = random.below(tokens.len());
        match random.below(12) {
            0..5 => {
                let numbers: Vec<usize> = (0..tokens.len()).filter(|&i| tokens[i].parse::<f64>().is_ok()).collect();
                if !numbers.is_empty() {
                    let at = *random.choose(&numbers);
                    tokens[at] = (*random.choose(&NUMBERS)).to_owned();
                }
            }
            5 => drop(tokens.remove(at)),
            6 => tokens.insert(at, tokens[other].clone()),
            7 => tokens.swap(at, other),
            8 => tokens[at] = tokens[other].clone(),
            9 => {
                let sign = random
                    .choose(&["(", ")", "[", "]", "{", "}", ",", ":", "\"", "\n", "\\", "#", "/", "é", "\u{0}", " "]);
                tokens.insert(at, (*sign).to_owned());
            }
            10 => {
                // a whole stretch goes, or comes twice
                let (from, to) = (at.min(other), at.max(other).min(at.min(other) + 40));
                if random.chance(0.5) {
                    tokens.drain(from..to);
                } else {
                    let again: Vec<String> = tokens[from..to].to_vec();
                    tokens.splice(from..from, again);
                }
            }
            _ => {
                if random.chance(0.2) {
                    tokens.truncate(at);
                } else {
                    tokens[at] = "w".repeat(1 + random.below(300));
                }
            }
        }
    }
    tokens.concat()
}
