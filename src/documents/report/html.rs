//! A report as one HTML page: no script, no request, pictures inside.

use super::{Block, Figure, Image, Report, Table};
use crate::documents::plot::escaped;

/// The look of all pages, on screens of any width and in print.
const STYLE: &str = include_str!("style.css");
/// Forbids the browser every request and script.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";
/// Digits of base 64 (RFC 4648, section 4).
const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/// Columns from which on a table is set smaller in print.
const WIDE: usize = 8;
/// Rows up to which a table is not divided by a new page.
const SHORT: usize = 14;

impl Report {
    /// The report as an HTML page.
    #[must_use]
    pub fn html(&self) -> String {
        let title = escaped(&self.title);
        let mut page = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
             <style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
        );
        for (block, number) in self.blocks.iter().zip(self.numbers()) {
            let number = number.unwrap_or_default();
            page += &match block {
                Block::Heading(text) => format!("<h2>{}</h2>\n", escaped(text)),
                Block::Subheading(text) => format!("<h3>{}</h3>\n", escaped(text)),
                Block::Paragraph(text) => format!("<p>{}</p>\n", escaped(text)),
                Block::Code(text) => code(text),
                Block::Table(table) => self::table(table, &number),
                Block::Figure(figure) => self::figure(figure, &number),
                Block::Commands => self.commands().iter().map(|(what, line)| command(what, line)).collect(),
            };
        }
        page + "</body>\n</html>\n"
    }
}

/// A line per line of the text, without control characters.
fn code(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(escaped).collect();
    format!("<pre><code>{}</code></pre>\n", lines.join("\n"))
}

fn command(what: &str, line: &str) -> String {
    format!("<h3>{}</h3>\n{}", escaped(what), code(line))
}

fn table(table: &Table, number: &str) -> String {
    let is_list = table.head.is_empty();
    let kind = if is_list { "facts" } else { "data" };
    let wide = if table.head.len() >= WIDE { " wide" } else { "" };
    let short = if table.rows.len() <= SHORT { " short" } else { "" };
    let mut text = format!("<figure class=\"{kind}{wide}{short}\">\n");
    if !table.caption.is_empty() {
        text += &format!("<figcaption><b>{number}.</b> {}</figcaption>\n", escaped(&table.caption));
    }
    text += "<div class=\"scroll\"><table>\n";
    let class = |column: usize| if table.is_numeric(column) { " class=\"number\"" } else { "" };
    if !is_list {
        let head = table.head.iter().enumerate();
        let cells: String = head.map(|(at, name)| format!("<th{}>{}</th>", class(at), escaped(name))).collect();
        text += &format!("<thead><tr>{cells}</tr></thead>\n");
    }
    text += "<tbody>\n";
    for row in &table.rows {
        let cell = |(at, cell): (usize, &String)| match at {
            0 if is_list => format!("<th>{}</th>", escaped(cell)),
            _ => format!("<td{}>{}</td>", class(at), escaped(cell)),
        };
        let cells: String = row.cells.iter().enumerate().map(cell).collect();
        text += &format!("<tr{}>{cells}</tr>\n", if row.is_strong { " class=\"strong\"" } else { "" });
    }
    text + "</tbody>\n</table></div>\n</figure>\n"
}

fn figure(figure: &Figure, number: &str) -> String {
    let caption = escaped(&figure.caption);
    let image = match &figure.image {
        Image::Svg(element) => format!("<div class=\"scroll\">{element}</div>\n"),
        Image::Png(bytes) => format!("<img alt=\"{caption}\" src=\"data:image/png;base64,{}\">\n", base64(bytes)),
    };
    format!("<figure>\n{image}<figcaption><b>{number}.</b> {caption}</figcaption>\n</figure>\n")
}

/// Bytes in base 64, padded.
fn base64(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for part in bytes.chunks(3) {
        let whole = part.iter().enumerate().fold(0_u32, |whole, (at, byte)| whole | u32::from(*byte) << (16 - 8 * at));
        for digit in 0..4 {
            let value = (whole >> (18 - 6 * digit) & 63) as usize;
            text.push(if digit <= part.len() { char::from(DIGITS[value]) } else { '=' });
        }
    }
    text
}
