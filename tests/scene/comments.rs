//! Comments of scene files are found, and nothing else is taken for one.

use proptest::prelude::*;
use weft::scene::{Scene, comment_lines, read_ron};

#[test]
fn comments_are_found_by_the_line_in_which_they_begin() {
    for (text, lines) in [
        ("", &[][..]),
        ("(title: \"A\")", &[]),
        ("// first\n(\n    title: \"A\", // second\n)\n// third", &[1, 3, 5]),
        ("/* a /* b */ // c */ ( /**/ title: /* d\n\n */ \"A\") // e", &[1, 1, 1, 3]),
        ("/* never /* closed */\n// in it", &[1]),
        ("//// one\n/// two", &[1, 2]),
    ] {
        assert_eq!(comment_lines(text), lines, "{text}");
    }
}

#[test]
fn what_looks_like_a_comment_in_a_string_or_a_character_is_none() {
    for text in [
        r#"(title: "https://example.org", summary: "/* no */")"#,
        r#"(title: "a \" // b", summary: "c \\", source: "// d")"#,
        r##"(title: r"\", summary: r#"a " // b"#)"##,
        r#"('"', '\'', "// a")"#,
        "(pinned: [1, 2 / 3])",
        "(title: \"never closed // at all",
    ] {
        assert_eq!(comment_lines(text), [0_usize; 0], "{text}");
    }
    assert_eq!(comment_lines("('\"', // a\n'\\'', /* b */)"), [1, 2]);
}

/// A piece of a list of strings: its text, and whether it is a comment.
fn piece() -> impl Strategy<Value = (String, bool)> {
    let inside = "[a-z /*\\\\\"'#\n]{0,12}";
    prop_oneof![
        inside.prop_map(|text| (format!("{text:?},"), false)),
        "[a-z /*'\n]{0,12}".prop_map(|text| (format!("r##\"{text}\"##,"), false)),
        "[a-z /*\"']{0,12}".prop_map(|text| (format!("//{text}\n"), true)),
        ("[a-z \"'\n]{0,6}", "[a-z \"'\n]{0,6}").prop_map(|(a, b)| (format!("/*{a}/*{b}*/ */"), true)),
        Just(("\n".to_owned(), false)),
    ]
}

proptest! {
    #[test]
    fn the_comments_of_a_text_are_those_that_were_written_into_it(pieces in prop::collection::vec(piece(), 0..20)) {
        let (mut text, mut lines, mut strings) = ("[".to_owned(), Vec::new(), 0);
        for (piece, is_comment) in &pieces {
            if *is_comment {
                lines.push(1 + text.matches('\n').count());
            }
            strings += usize::from(!is_comment && piece != "\n");
            text += piece;
        }
        text += "]";
        prop_assert_eq!(comment_lines(&text), lines);
        // the reader of scene files sees the same strings
        let read: Vec<String> = read_ron(&text, "list").expect("a list");
        prop_assert_eq!(read.len(), strings);
    }
}

#[test]
fn a_written_scene_has_no_comments() {
    let mut scene = Scene::load("table").expect("it comes with the program");
    assert!(!comment_lines(&std::fs::read_to_string("assets/scenes/table.ron").expect("there")).is_empty());
    scene.summary = "see https://example.org /* twice */".to_owned();
    assert_eq!(comment_lines(&scene.to_ron()), [0_usize; 0]);
}
