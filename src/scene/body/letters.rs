//! Letters as boxes: five columns and seven rows each.

/// Rows from top to bottom, a bit per column, the left one highest.
const LETTERS: [(char, [u8; 7]); 27] = [
    (' ', [0; 7]),
    ('A', [0b01110, 0b11011, 0b10001, 0b11111, 0b11111, 0b10001, 0b10001]),
    ('B', [0b11110, 0b11011, 0b10011, 0b11110, 0b11011, 0b10011, 0b11110]),
    ('C', [0b01111, 0b11111, 0b11000, 0b11000, 0b11000, 0b11111, 0b01111]),
    ('D', [0b11110, 0b11111, 0b11011, 0b11011, 0b11011, 0b11111, 0b11110]),
    ('E', [0b11111, 0b11111, 0b11000, 0b11110, 0b11000, 0b11111, 0b11111]),
    ('F', [0b11111, 0b11111, 0b11000, 0b11110, 0b11110, 0b11000, 0b11000]),
    ('G', [0b01111, 0b11111, 0b11000, 0b11011, 0b11001, 0b11111, 0b01111]),
    ('H', [0b11011, 0b11011, 0b11011, 0b11111, 0b11111, 0b11011, 0b11011]),
    ('I', [0b01110, 0b01110, 0b00100, 0b00100, 0b00100, 0b01110, 0b01110]),
    ('J', [0b00011, 0b00011, 0b00011, 0b00011, 0b11011, 0b11111, 0b01110]),
    ('K', [0b11011, 0b11011, 0b11110, 0b11100, 0b11110, 0b11011, 0b11011]),
    ('L', [0b11000, 0b11000, 0b11000, 0b11000, 0b11000, 0b11111, 0b11111]),
    ('M', [0b11011, 0b11111, 0b11111, 0b10101, 0b10001, 0b10001, 0b10001]),
    ('N', [0b11001, 0b11101, 0b11101, 0b11111, 0b10111, 0b10111, 0b10011]),
    ('O', [0b01110, 0b11111, 0b11011, 0b11011, 0b11011, 0b11111, 0b01110]),
    ('P', [0b11110, 0b11111, 0b11011, 0b11111, 0b11110, 0b11000, 0b11000]),
    ('Q', [0b01110, 0b11111, 0b11011, 0b11011, 0b11111, 0b11111, 0b01111]),
    ('R', [0b11110, 0b11111, 0b11011, 0b11110, 0b11110, 0b11011, 0b11011]),
    ('S', [0b01111, 0b11111, 0b11000, 0b11111, 0b00011, 0b11111, 0b11110]),
    ('T', [0b11111, 0b11111, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100]),
    ('U', [0b11011, 0b11011, 0b11011, 0b11011, 0b11011, 0b11111, 0b01110]),
    ('V', [0b10001, 0b11011, 0b11011, 0b11011, 0b01110, 0b01110, 0b00100]),
    ('W', [0b10001, 0b10001, 0b10001, 0b10101, 0b11111, 0b11111, 0b11011]),
    ('X', [0b11011, 0b11011, 0b01110, 0b00100, 0b01110, 0b11011, 0b11011]),
    ('Y', [0b10001, 0b11011, 0b11111, 0b01110, 0b00100, 0b00100, 0b00100]),
    ('Z', [0b11111, 0b11111, 0b00110, 0b01100, 0b01000, 0b11111, 0b11111]),
];

/// Columns and rows of a letter.
pub(super) const SIZE: [u32; 2] = [5, 7];

/// Whether there is such a letter, small ones counting as capitals.
pub(super) fn has(letter: char) -> bool {
    rows(letter).is_some()
}

fn rows(letter: char) -> Option<[u8; 7]> {
    LETTERS.iter().find(|(known, _)| *known == letter.to_ascii_uppercase()).map(|(_, rows)| *rows)
}

/// Whether the box in this column of the text, from the left, and this row, from below, is filled.
/// Letters are one column apart.
pub(super) fn is_filled(text: &str, column: u32, row: u32) -> bool {
    let [columns, height] = SIZE;
    let (number, within) = (column / (columns + 1), column % (columns + 1));
    let rows = text.chars().nth(number as usize).and_then(rows);
    let bits = rows.map_or(0, |rows| rows[(height - 1 - row.min(height - 1)) as usize]);
    within < columns && bits >> (columns - 1 - within) & 1 == 1
}
