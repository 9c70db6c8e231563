//! Code asks for what a solver can do, and for a parameter by its field: none names one in a string.

use std::collections::BTreeSet;
use std::path::Path;

use weft::scene::Scene;
use weft::sim::params::Tunable;
use weft::sim::solvers::REGISTRY;

use crate::words::{sources, strings};

/// Files below `src` in which a literal may equal the id of a solver or the key of a parameter, those literals (all, if none
/// is listed), and the reason.
const NAMED: &[(&str, &[&str], &str)] = &[
    // names that are meant
    ("sim/solvers/", &[], "declarations of solvers"),
    ("sim/solver_interface/effort.rs", &["substeps"], "settings of solvers, from the cheapest to the dearest"),
    ("sim/solver_interface/mod.rs", &["substeps"], "the setting of the work of a solver that declares none"),
    ("gpu/", &[], "declarations of solvers and names of buffers"),
    ("plugin/build.rs", &["iterations"], "the setting of which cloth in a game takes less"),
    ("sim/study/stability.rs", &[], "the variants of the published table"),
    ("cli/bench/", &[], "the cases whose figures are in measurements.md, and columns of its tables"),
    ("app/panels/find.rs", &["friction", "bending", "xpbd"], "examples of words to look for"),
    // words that happen to be the same
    ("app/advice/panel.rs", &["bending"], "a label"),
    ("app/convergence/panel.rs", &["iterations"], "a label"),
    ("app/edit/inspector.rs", &["edges"], "a label"),
    ("app/panels/keys.rs", &["drag"], "a movement of the mouse"),
    ("app/panels/solver.rs", &["substeps"], "a unit"),
    ("app/panels/toolbar.rs", &["table"], "a button"),
    ("app/plots/catalogue.rs", &["air", "height", "iterations"], "names of curves"),
    ("app/probes/panel.rs", &["springs"], "a place in the panel"),
    ("cli/advise/answer.rs", &["bending", "rows", "stretch_limit", "time_step"], "columns"),
    ("cli/stability/", &["rows"], "columns"),
    ("documents/export/tables.rs", &["columns", "rows"], "columns"),
    ("python/lists.rs", &["area_density", "bending", "bending_weft", "damping", "friction"], "entries of a dictionary"),
    ("python/simulation.rs", &["iterations", "substeps"], "entries of a dictionary"),
    ("python/studies.rs", &["implicit-euler", "rows"], "a default of an argument, and an entry of a dictionary"),
    ("scene/body/mod.rs", &["height"], "a field of a body"),
    ("session/lesson/quantity.rs", &["pins"], "a measured quantity"),
    ("sim/model/material.rs", &["area_density", "springs"], "choices of models"),
    ("sim/quantities/", &["height", "iterations", "substeps"], "measured quantities"),
    ("sim/solver_interface/capabilities.rs", &["iterations", "sweeps"], "a unit"),
    ("sim/solver_interface/stats.rs", &["tearing"], "a stage of a step"),
    ("sim/step/timing.rs", &["theta"], "a choice of scheme"),
    ("sim/study/advice/profile.rs", &["bending", "stretch_limit"], "weights of a profile"),
    ("sim/study/advice/words.rs", &["bending"], "a part of the error"),
];

#[test]
fn no_code_names_a_solver_by_its_id_or_a_parameter_by_its_key() {
    let keys = |group: &dyn Tunable| group.params().iter().map(|param| param.key).collect::<Vec<_>>();
    let mut names: BTreeSet<&str> = Scene::default().visit(|group| keys(group)).into_iter().flatten().collect();
    for entry in REGISTRY {
        names.insert(entry.info.id);
        names.extend(keys((entry.build)().settings()));
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    let (mut named, mut used) = (Vec::new(), BTreeSet::new());
    for path in files {
        let file = path.strip_prefix(&root).expect("below it").to_str().expect("plain");
        for (line, _, text) in strings(&std::fs::read_to_string(&path).expect("readable")) {
            let Some(name) = names.get(&*text) else { continue };
            let allows = |(start, allowed, _): &(&str, &[&str], &str)| {
                file.starts_with(start) && (allowed.is_empty() || allowed.contains(name))
            };
            match NAMED.iter().position(allows) {
                Some(at) => drop(used.insert((at, *name))),
                None => named.push(format!("src/{file}:{line}: \"{name}\"")),
            }
        }
    }
    assert!(
        named.is_empty(),
        "take the type of the solver, or the key by its field, as `Timing::substeps`: {named:#?}"
    );
    for (at, (start, allowed, _)) in NAMED.iter().enumerate() {
        let is_used = allowed.iter().all(|name| used.contains(&(at, *name)));
        assert!(is_used && used.iter().any(|(of, _)| *of == at), "{start} no longer names all of {allowed:?}");
    }
}
