//! The words that no text for users has: keys, numbers with a bare exponent, and terms of our own.

use std::collections::BTreeSet;

use weft::scene::Scene;
use weft::sim::params::{Kind, Tunable};
use weft::sim::solvers::REGISTRY;

/// Terms of our own, each with what to write instead.
const TERMS: &[(&str, &str)] = &[
    ("barrier", "collision mesh"),
    ("barriers", "collision mesh"),
    ("borne", "reaction"),
    ("dough", "what it does in numbers"),
    ("explode", "unstable"),
    ("explodes", "unstable"),
    ("future", "branch"),
    ("futures", "branch"),
    ("ghost", "what is drawn"),
    ("half-space", "separating plane"),
    ("honey", "viscous"),
    ("knife", "cut"),
    ("layer", "cloth-cloth contact"),
    ("layers", "cloth-cloth contact"),
    ("likeness", "factor reuse"),
    ("lips", "crack faces"),
    ("makeup", "material override"),
    ("makeups", "material override"),
    ("sluggish", "slows the motion"),
    ("spokes", "one-ring"),
    ("survive", "stable"),
    ("survives", "stable"),
    ("tether", "edge length limit"),
    ("tethers", "edge length limit"),
    ("thread", "structural spring"),
    ("threads", "structural spring"),
    ("unbalanced", "residual"),
    ("visits", "updates"),
];

/// Phrases of our own.
const PHRASES: &[(&str, &str)] = &[
    ("do again", "redo"),
    ("give way", "tear, stretch"),
    ("gives way", "tear, stretch"),
    ("going on from", "continuing from"),
    ("held back", "truncated"),
    ("take back", "undo"),
    ("taken back", "rejected, undone"),
];

/// Threads of a processor are called so.
const ALLOWED: &[&str] = &[
    "processor thread",
    "{threads} threads",
    "{} threads",
    "threads)",
    "no thread can",
    "thread that ",
    "--threads",
    "number of threads",
];

/// The keys of all parameters and choices with more than one word, and the ids of solvers.
pub fn keys() -> BTreeSet<String> {
    let scene = Scene::load("hanging").expect("it comes with the program");
    let simulation = scene.build().expect("good");
    let mut keys = BTreeSet::new();
    let mut add = |group: &dyn Tunable| {
        for param in group.params() {
            keys.insert(param.key.to_owned());
            if let Kind::Choice(choices) = param.kind {
                keys.extend(choices.iter().map(|choice| choice.key.to_owned()));
            }
        }
    };
    simulation.parameters.groups().for_each(&mut add);
    for entry in REGISTRY {
        add((entry.build)().settings());
    }
    keys.extend(REGISTRY.iter().map(|entry| entry.info.id.to_owned()));
    keys.retain(|key| key.contains(['_', '-']));
    // the hyphen that it has as a word
    keys.remove("half-space");
    keys
}

/// What of `text` is no plain word. A command line in it keeps its keys.
pub fn faults(text: &str, keys: &BTreeSet<String>) -> Vec<String> {
    let is_command = text.contains("weft ") || text.contains("--") || text.contains(":log:");
    let mut plain = text.to_lowercase();
    for allowed in ALLOWED {
        plain = plain.replace(allowed, " ");
    }
    let mut faults = Vec::new();
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    for word in plain.split(|c| !is_part(c)).map(|word| word.trim_matches('-')) {
        if !is_command && keys.contains(word) && !plain.contains(&format!("{word}=")) {
            faults.push(format!("the key {word}"));
        }
        if let Some((_, better)) = TERMS.iter().find(|(term, _)| *term == word) {
            faults.push(format!("\"{word}\" in place of \"{better}\""));
        }
        if !is_command && is_bare_exponent(word) {
            faults.push(format!("the bare exponent {word}"));
        }
    }
    if plain.contains("10^") || plain.contains("e}") && has_exponent_format(&plain) {
        faults.push("a bare exponent".to_owned());
    }
    for (phrase, better) in PHRASES.iter().filter(|(phrase, _)| plain.contains(phrase)) {
        faults.push(format!("\"{phrase}\" in place of \"{better}\""));
    }
    faults
}

/// Whether it is like `1e6` or `2e-3`.
fn is_bare_exponent(word: &str) -> bool {
    let Some((mantissa, exponent)) = word.split_once('e') else { return false };
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number(mantissa) && is_number(exponent.trim_start_matches('-'))
}

/// Whether a format prints a number like `1e6`: `{x:e}`, `{x:.1e}`.
fn has_exponent_format(text: &str) -> bool {
    let formats = text.split('{').skip(1).filter_map(|part| part.split_once('}')).map(|(format, _)| format);
    formats.filter_map(|format| format.split_once(':')).any(|(_, how)| how.ends_with('e'))
}

#[test]
fn what_is_no_plain_word_is_found() {
    let keys = keys();
    for bad in [
        "Raise structural_stiffness",
        "Choose fast-mass-spring",
        "Stable up to 1e6 N/m",
        "An error of 2.5e-3",
        "Work in 10^6 updates",
        "residual {:.1e}",
        "Friction between layers of cloth",
        "Strain of a thread",
        "Vertices held back",
    ] {
        assert!(!faults(bad, &keys).is_empty(), "{bad}");
    }
    for good in [
        "Raise the structural stiffness",
        "weft run --set structural_stiffness=1e6",
        "Choose Fast mass-spring",
        "Stable up to 1 MN/m, 2.5·10⁻³ s",
        "Cloth-cloth friction",
        "{threads} threads",
        "the slider {name} at {place:.2}",
    ] {
        assert_eq!(faults(good, &keys), Vec::<String>::new(), "{good}");
    }
}
