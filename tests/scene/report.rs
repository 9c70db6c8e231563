//! Reports: HTML and Markdown have all parts, with every text escaped.

use proptest::prelude::*;
use weft::documents::report::{Block, Figure, Image, Report, Table, TableRow, sample_plots};
use weft::sim::quantities::{Numbers, Quantity};

/// A report with a part of each kind, whose texts all hold `odd`.
fn report(odd: &str) -> Report {
    let text = |name: &str| format!("{name} {odd}");
    let figure = |name: &str, image: Image, command: Option<String>| {
        Block::Figure(Figure { name: name.to_owned(), caption: text(name), image, command })
    };
    let svg = "<svg viewBox=\"0 0 1 1\">\n<title>t</title>\n</svg>\n".to_owned();
    let strong = TableRow { cells: vec![text("strong"), "2.5".to_owned()], is_strong: true };
    let rows = vec![strong, vec![text("cell"), "−3".to_owned()].into()];
    let table = Table {
        caption: text("table"),
        head: vec![text("head"), "number".to_owned()],
        rows,
        command: Some("weft run --steps 3 --csv run.csv".to_owned()),
    };
    Report {
        title: text("title"),
        blocks: vec![
            Block::Heading(text("heading")),
            Block::Subheading(text("subheading")),
            Block::Paragraph(text("paragraph")),
            Block::Code(text("code")),
            Block::Table(table),
            Block::Table(Table::facts([(text("fact"), text("value"))])),
            figure("plot", Image::Svg(svg), Some("weft run --steps 3 --csv run.csv".to_owned())),
            figure("picture", Image::Png(vec![137, 80, 78, 71]), Some("weft render --out a.png".to_owned())),
            Block::Commands,
        ],
    }
}

/// The text of a page as a browser shows it, with the opening tags in it.
fn parse(page: &str) -> (String, Vec<String>) {
    let (mut text, mut tags) = (String::new(), Vec::new());
    let mut rest = page;
    while let Some(at) = rest.find('<') {
        text += &rest[..at];
        let end = rest[at..].find('>').expect("a tag that ends");
        let tag = &rest[at + 1..at + end];
        if !tag.starts_with(['/', '!']) {
            tags.push(tag.split_whitespace().next().unwrap_or_default().to_owned());
        }
        rest = &rest[at + end + 1..];
    }
    let plain = text + rest;
    (plain.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&"), tags)
}

const NAMES: [&str; 11] =
    ["title", "heading", "subheading", "paragraph", "code", "table", "head", "strong", "cell", "fact", "value"];

#[test]
fn both_forms_have_every_part_its_number_and_the_command_that_repeats_it() {
    let report = report("of cloth");
    let (html, markdown) = (report.html(), report.markdown("files"));
    let (shown, tags) = parse(&html);
    for name in NAMES.iter().chain(&["plot", "picture"]) {
        let part = format!("{name} of cloth");
        assert!(shown.contains(&part) && markdown.text.contains(&part), "{part}");
    }
    for number in ["Table 1", "Figure 1", "Figure 2"] {
        assert!(shown.contains(&format!("{number}.")) && markdown.text.contains(&format!("{number}.")), "{number}");
    }
    let commands = report.commands();
    assert_eq!(
        commands,
        [
            ("Table 1, Figure 1".to_owned(), "weft run --steps 3 --csv run.csv"),
            ("Figure 2".to_owned(), "weft render --out a.png")
        ]
    );
    for (what, command) in commands {
        for text in [&shown, &markdown.text] {
            assert!(text.contains(&what) && text.matches(command).count() == 1, "{what}: {command}");
        }
    }
    for tag in ["h1", "h2", "h3", "table", "svg", "img", "figcaption", "code"] {
        assert!(tags.iter().any(|known| known == tag), "{tag} in {tags:?}");
    }
    let names: Vec<&str> = markdown.files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["plot.svg", "picture.png"]);
    for name in names {
        assert!(markdown.text.contains(&format!("](<files/{name}>)")), "{}", markdown.text);
    }
    assert!(markdown.files[0].1.starts_with(b"<svg xmlns="));
    assert_eq!(markdown.files[1].1, [137, 80, 78, 71]);
}

#[test]
fn a_page_has_no_script_no_link_and_nothing_from_elsewhere() {
    let html = report("of cloth").html();
    let bad = ["<script", "<link", "<iframe", "http://", "https://", "href", "@import", "url(", "javascript:"];
    let head = &html[..html.find("</style>").expect("a style")];
    for part in bad {
        assert!(!html.contains(part), "{part}");
    }
    assert!(head.contains("default-src 'none'"), "{head}");
    assert!(html.contains("src=\"data:image/png;base64,iVBORw==\""), "the bytes 137 80 78 71 in base 64");
    assert!(head.contains("@page") && head.contains("@media print") && head.contains("break-inside: avoid"));
}

#[test]
fn base_64_is_that_of_the_standard() {
    // RFC 4648, section 10
    let known =
        [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("foobar", "Zm9vYmFy")];
    for (bytes, text) in known {
        let image = Image::Png(bytes.as_bytes().to_vec());
        let figure = Figure { name: "a".to_owned(), caption: String::new(), image, command: None };
        let html = Report { title: String::new(), blocks: vec![Block::Figure(figure)] }.html();
        assert!(html.contains(&format!("base64,{text}\"")), "{bytes}");
    }
}

#[test]
fn plots_of_samples_have_a_curve_per_lane_and_a_distance_but_for_the_first() {
    let sample = |time: f64, distance: f64| {
        let mut numbers = Numbers::default();
        for (quantity, number) in [(Quantity::Time, time), (Quantity::Stretch, time), (Quantity::Distance, distance)] {
            numbers[quantity] = number;
        }
        numbers
    };
    let first: Vec<Numbers> = (0..4).map(|at| sample(f64::from(at), f64::NAN)).collect();
    let second: Vec<Numbers> = (0..4).map(|at| sample(f64::from(at), 0.1)).collect();
    let alone = sample_plots(&[("XPBD", &first)]);
    let names = |plots: &[weft::documents::Plot]| -> Vec<(String, usize)> {
        plots.iter().map(|plot| (plot.title.clone(), plot.curves.len())).collect()
    };
    let known = |names: &[(&str, usize)]| names.iter().map(|(name, n)| ((*name).to_owned(), *n)).collect::<Vec<_>>();
    assert_eq!(names(&alone), known(&[("Energy", 4), ("Stretch", 1), ("Time per step", 1)]));
    let both = sample_plots(&[("A: XPBD", &first), ("B: PBD", &second)]);
    let expected = [("Energy, total", 2), ("Stretch, largest", 2), ("Time per step", 2), ("Distance to the first", 1)];
    assert_eq!(names(&both), known(&expected));
    assert_eq!(both[3].curves[0].name, "B: PBD");
}

proptest! {
    #[test]
    fn any_text_is_shown_as_it_is_and_makes_no_tag(odd in "(?s)[ -~\\n\\t\\u{0}-\\u{1f}äß–√<>&\"'`*_|\\\\\\[\\]#]{0,40}") {
        let plain: String = odd.chars().filter(|c| !c.is_control()).collect();
        let html = report(&odd).html();
        let (shown, tags) = parse(&html);
        prop_assert_eq!(&tags, &parse(&report("").html()).1);
        for name in ["title", "heading", "paragraph", "table", "cell"] {
            let part = format!("{name} {plain}");
            prop_assert!(shown.contains(&part), "{part:?} in {shown}");
        }
        let without_code = |mut report: Report| {
            report.blocks.retain(|block| !matches!(block, Block::Code(_)));
            report.markdown("files").text
        };
        let markdown = without_code(report(&odd));
        // a line stays a line, a row keeps its columns
        let lines = |text: &str| text.lines().filter(|line| line.starts_with('|')).count();
        prop_assert_eq!(lines(&markdown), lines(&without_code(report(""))));
        let bars = |line: &str| line.replace("\\\\", "").replace("\\|", "").matches('|').count();
        for line in markdown.lines().filter(|line| line.starts_with('|')) {
            prop_assert_eq!(bars(line), 3, "{}", line);
        }
        let heading = markdown.lines().find(|line| line.starts_with("## ")).expect("a heading");
        let expected = format!("heading {}", with_spaces(&odd));
        prop_assert_eq!(unescaped(&heading[3..]), expected.trim());
    }
}

fn with_spaces(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// A line of Markdown as it is shown, where every sign that could mean something has a stroke.
fn unescaped(line: &str) -> String {
    let (mut text, mut letters) = (String::new(), line.chars());
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => text.extend(letters.next()),
            '`' | '*' | '_' | '[' | ']' | '<' | '|' | '#' => panic!("{letter} without a stroke in {line}"),
            letter => text.push(letter),
        }
    }
    text
}
