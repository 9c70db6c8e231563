//! Texts for users have the terms of the field: none has a key, a number with a bare exponent, or a term of our own.

use std::path::{Path, PathBuf};

use weft::scene::{Fabric, Grid, MeshImport, Pinning, Scene, scene_names};
use weft::session::lesson::{Lesson, LessonMeasure};
use weft::sim::Parameters;
use weft::sim::params::{Kind, Tunable};
use weft::sim::solvers::REGISTRY;

use super::plain_words::{faults, keys};

/// All texts that parameters are shown by.
fn of_parameters(group: &dyn Tunable, texts: &mut Vec<(String, String)>) {
    for (index, param) in group.params().iter().enumerate() {
        let mut add = |text: &str| texts.push((param.key.to_owned(), text.to_owned()));
        add(param.label);
        add(param.unit);
        add(param.help());
        add(group.idle(index).unwrap_or_default());
        if let Kind::Choice(choices) = param.kind {
            choices.iter().for_each(|choice| add(choice.help));
        }
    }
}

#[test]
fn parameters_solvers_scenes_and_fabrics_are_described_in_plain_words() {
    let keys = keys();
    let mut texts = Vec::new();
    let parameters = Parameters::default();
    parameters.groups().for_each(|group| of_parameters(group, &mut texts));
    texts.extend(Parameters::TITLES.iter().map(|title| ((*title).to_owned(), (*title).to_owned())));
    of_parameters(&Grid::default(), &mut texts);
    of_parameters(&MeshImport::default(), &mut texts);
    of_parameters(&Pinning::default(), &mut texts);
    for entry in REGISTRY {
        let info = entry.info;
        of_parameters((entry.build)().settings(), &mut texts);
        let can = &info.capabilities;
        for text in [
            info.name.to_owned(),
            info.group.name().to_owned(),
            info.source.to_owned(),
            info.cost.to_owned(),
            info.summary.to_owned(),
            info.formula.to_owned(),
            info.stability.name().to_owned(),
            info.stability.describe(),
            info.stability.details().unwrap_or_default().to_owned(),
            can.describe_contacts(),
            can.describe_schemes().to_owned(),
            can.cloth_contact.describe().to_owned(),
            can.damping.describe(),
            can.bending.describe(),
            can.membrane.describe(),
            can.schemes.obstacle().unwrap_or_default().to_owned(),
            can.adaptivity.obstacle().unwrap_or_default().to_owned(),
            can.stiffness.obstacle().unwrap_or_default().to_owned(),
        ] {
            texts.push((info.id.to_owned(), text));
        }
    }
    for name in scene_names() {
        let scene = Scene::load(&name).expect("it comes with the program");
        texts.push((name.clone(), scene.title.clone()));
        texts.push((name, scene.summary.clone()));
    }
    for lesson in Lesson::all().expect("they come with the program") {
        let mut add = |text: &str| texts.push((lesson.id.clone(), text.to_owned()));
        add(&lesson.title);
        add(&lesson.summary);
        for step in &lesson.steps {
            add(&step.text);
            // without the names of values
            let reason = step.reason.split('{').map(|part| part.split_once('}').map_or(part, |(_, text)| text));
            add(&reason.collect::<Vec<_>>().join("1"));
            if let Some(predict) = &step.predict {
                add(&predict.question);
                predict.choices.iter().for_each(|choice| add(&choice.text));
            }
        }
    }
    for quantity in LessonMeasure::names().filter_map(LessonMeasure::find) {
        texts.push((quantity.label().to_owned(), quantity.label().to_owned()));
    }
    for fabric in Fabric::all() {
        texts.push((fabric.id.clone(), fabric.name.clone()));
        texts.push((fabric.id.clone(), fabric.source.clone()));
    }
    assert!(texts.len() > 500, "{}", texts.len());
    let bad: Vec<_> = texts
        .iter()
        .map(|(place, text)| (place, text, faults(text, &keys)))
        .filter(|(.., faults)| !faults.is_empty())
        .collect();
    assert!(bad.is_empty(), "{bad:#?}");
}

/// The files of a folder and of those in it that are Rust.
pub fn sources(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the folder of the sources").flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// The strings in a source with the number of the line and with what stands before them in their statement.
pub fn strings(source: &str) -> Vec<(usize, String, String)> {
    let chars: Vec<char> = source.chars().collect();
    let (mut found, mut at, mut line) = (Vec::new(), 0, 1);
    let mut statement = 0;
    while at < chars.len() {
        let rest = |from: usize| chars.get(from).copied().unwrap_or('\0');
        match chars[at] {
            '\n' => line += 1,
            '/' if rest(at + 1) == '/' => {
                while at < chars.len() && chars[at] != '\n' {
                    at += 1;
                }
                continue;
            }
            // a character, not a lifetime
            '\'' if rest(at + 1) == '\\' || rest(at + 2) == '\'' => {
                at += if rest(at + 1) == '\\' { 3 } else { 2 };
                while rest(at) != '\'' && rest(at) != '\0' {
                    at += 1;
                }
            }
            ';' | '{' | '}' => statement = at + 1,
            '"' => {
                let before: String = chars[statement..at].iter().collect();
                let (mut text, first) = (String::new(), line);
                at += 1;
                while at < chars.len() && chars[at] != '"' {
                    if chars[at] == '\\' && rest(at + 1) == '\n' {
                        line += 1;
                        at += 2;
                        while rest(at).is_whitespace() {
                            line += usize::from(rest(at) == '\n');
                            at += 1;
                        }
                        continue;
                    }
                    if chars[at] == '\\' {
                        text.push(' ');
                        at += 2;
                        continue;
                    }
                    line += usize::from(chars[at] == '\n');
                    text.push(chars[at]);
                    at += 1;
                }
                found.push((first, before, text));
            }
            _ => {}
        }
        at += 1;
    }
    found
}

/// What stands before a string that no user reads: those of logs, of faults of the program, and names of controls.
const UNSEEN: [&str; 17] = [
    "debug!(",
    "info!(",
    "warn!(",
    "error!(",
    "expect(",
    "panic!(",
    "assert",
    "unreachable!(",
    "say(",
    "note_place(",
    "Id::new(",
    "id_salt(",
    "cfg(",
    "serde(",
    "include_str!(",
    "tell)(",
    "read_str(",
];

#[test]
fn sentences_in_the_sources_are_in_plain_words() {
    let keys = keys();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    let (mut bad, mut count) = (Vec::new(), 0);
    for file in files {
        let source = std::fs::read_to_string(&file).expect("readable");
        for (line, before, text) in strings(&source) {
            let is_sentence = text.trim().contains(' ');
            if !is_sentence || UNSEEN.iter().any(|unseen| before.contains(unseen)) {
                continue;
            }
            count += 1;
            let mut faults = faults(&text, &keys);
            let is_in = |place: &str| file.starts_with(root.join(place));
            // tables are read by scripts, too; a snapshot is spoken of by the names of its fields
            if is_in("cli") {
                faults.retain(|fault| fault != "a bare exponent");
            } else if is_in("scene/snapshot") {
                faults.clear();
            }
            if !faults.is_empty() {
                bad.push(format!("{}:{line}: \"{text}\": {}", file.display(), faults.join(", ")));
            }
        }
    }
    assert!(count > 1000, "{count} sentences");
    assert!(bad.is_empty(), "{:#?}", bad);
}
