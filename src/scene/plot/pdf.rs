//! A page of shapes as a PDF file (ISO 32000-1).
//!
//! Texts are in Helvetica, one of the fonts that every reader of PDF has, so that they can be
//! searched and edited.

use std::fmt::Write;

use super::metrics::{byte, width};
use super::page::{Anchor, Shape};

/// The file of a page of `size` points.
pub fn write(title: &str, [page_width, page_height]: [f64; 2], shapes: &[Shape]) -> Vec<u8> {
    let mut contents = format!("1 1 1 rg 0 0 {page_width} {page_height} re f\n1 j\n").into_bytes();
    for shape in shapes {
        add(&mut contents, page_height, shape);
    }
    let font =
        |name: &str| format!("<</Type/Font/Subtype/Type1/BaseFont/{name}/Encoding/WinAnsiEncoding>>").into_bytes();
    let page = format!(
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 {page_width} {page_height}]/Contents 4 0 R\
         /Resources<</Font<</F1 5 0 R/F2 6 0 R>>>>>>"
    );
    let mut stream = format!("<</Length {}>>\nstream\n", contents.len()).into_bytes();
    stream.extend(contents);
    stream.extend(b"\nendstream");
    let information = [&b"<</Title"[..], &text(title), b"/Creator(Weft)>>"].concat();
    let objects = [
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>".to_vec(),
        page.into_bytes(),
        stream,
        font("Helvetica"),
        font("Helvetica-Bold"),
        information,
    ];
    // the second line tells that there are bytes beyond ASCII
    let mut file = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n".to_vec();
    let mut places = Vec::new();
    for (number, object) in objects.iter().enumerate() {
        places.push(file.len());
        file.extend(format!("{} 0 obj\n", number + 1).into_bytes());
        file.extend(object);
        file.extend(b"\nendobj\n");
    }
    let start = file.len();
    let count = objects.len() + 1;
    let mut table = format!("xref\n0 {count}\n0000000000 65535 f \n");
    for place in places {
        let _ = writeln!(table, "{place:010} 00000 n ");
    }
    let _ = write!(table, "trailer\n<</Size {count}/Root 1 0 R/Info 7 0 R>>\nstartxref\n{start}\n%%EOF\n");
    file.extend(table.into_bytes());
    file
}

fn add(out: &mut Vec<u8>, page_height: f64, shape: &Shape) {
    let colour = |colour: &[u8; 3]| colour.map(|part| format!("{:.3}", f64::from(part) / 255.0)).join(" ");
    let path = |points: &[[f64; 2]]| {
        let verbs = std::iter::once("m").chain(std::iter::repeat("l"));
        let parts = points.iter().zip(verbs).map(|([x, y], verb)| format!("{x:.2} {:.2} {verb}\n", page_height - y));
        parts.collect::<String>()
    };
    match shape {
        Shape::Line { points, colour: of, width, dashes } => {
            let [on, off] = dashes.unwrap_or_default();
            let dashes = if dashes.is_some() { format!("[{on} {off}]") } else { "[]".to_owned() };
            let line = format!("{} RG {width} w {dashes} 0 d\n{}S\n", colour(of), path(points));
            out.extend(line.into_bytes());
        }
        Shape::Area { points, colour: of } => {
            out.extend(format!("{} rg\n{}f\n", colour(of), path(points)).into_bytes());
        }
        Shape::Text { at: [x, y], text: said, size, bold, colour: of, anchor, upwards } => {
            let before = match anchor {
                Anchor::Start => 0.0,
                Anchor::Middle => 0.5,
                Anchor::End => 1.0,
            } * width(said, *size, *bold);
            let (matrix, at) = if *upwards {
                ("0 1 -1 0", [*x, page_height - y - before])
            } else {
                ("1 0 0 1", [x - before, page_height - y])
            };
            let font = if *bold { "F2" } else { "F1" };
            let begin = format!("BT {} rg /{font} {size} Tf {matrix} {:.2} {:.2} Tm ", colour(of), at[0], at[1]);
            out.extend(begin.into_bytes());
            out.extend(text(said));
            out.extend(b" Tj ET\n");
        }
    }
}

/// A text as PDF writes it, in parentheses.
fn text(text: &str) -> Vec<u8> {
    let mut out = vec![b'('];
    for letter in text.chars().filter(|letter| !letter.is_control()) {
        let byte = byte(letter);
        if matches!(byte, b'(' | b')' | b'\\') {
            out.push(b'\\');
        }
        out.push(byte);
    }
    out.push(b')');
    out
}
