//! Widths of letters, for the layout: those of Helvetica, about.

use unicode_width::UnicodeWidthChar;

/// Widths of the printable ASCII letters from the space on, in thousandths of the size of the font
/// (Adobe's metrics).
const WIDTHS: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
    556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
    722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
    556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
    260, 334, 584,
];
/// How much wider the bold letters are.
const BOLD: f64 = 1.06;

/// Width of a text, in the unit of `size`, the size of its font.
pub fn width(text: &str, size: f64, bold: bool) -> f64 {
    let letter = |letter: char| match letter {
        ' '..='~' => WIDTHS[letter as usize - ' ' as usize],
        '²' | '³' => 333,
        '·' => 278,
        '°' => 400,
        '×' | '±' => 584,
        '…' => 1000,
        // Chinese, Japanese and Korean letters are as wide as they are high
        _ => match letter.width() {
            Some(0) => 0,
            Some(2) => 1000,
            _ => 556,
        },
    };
    let thousandths: f64 = text.chars().map(|c| f64::from(letter(c))).sum();
    1e-3 * size * thousandths * if bold { BOLD } else { 1.0 }
}
