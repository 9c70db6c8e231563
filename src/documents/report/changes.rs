//! The arrangement of an experiment: the scene, and what was changed from its defaults.

use super::{Block, Experiment, LaneRun, Table, TableRow, lane_letter};
use crate::scene::{Fabric, Scene};
use crate::sim::params::{Param, Setting, Tunable};
use crate::sim::solvers;

impl Experiment {
    /// The scene in words and facts, and the table of changes.
    pub(super) fn arrangement(&self) -> Vec<Block> {
        let lane = &self.lanes[0];
        let scene = &lane.scene;
        let mut blocks = vec![Block::Heading("The scene and its changes".to_owned())];
        if !scene.summary.is_empty() {
            blocks.push(Block::Paragraph(scene.summary.clone()));
        }
        let fabric = Fabric::find(&scene.fabric).map_or_else(|_| scene.fabric.clone(), |fabric| fabric.name.clone());
        let [vertices, triangles] = lane.counts;
        let mut facts = vec![("Name", scene.name.clone())];
        if !scene.source.is_empty() {
            facts.push(("Source", scene.source.clone()));
        }
        facts.push(("Cloth", format!("{vertices} vertices, {triangles} triangles")));
        facts.extend((!fabric.is_empty()).then_some(("Fabric", fabric)));
        blocks.push(Block::Table(Table::facts(facts)));
        let Some(defaults) = &self.defaults else {
            let text = "The scene file cannot be read any more, so what was changed from it is not known.";
            blocks.push(Block::Paragraph(text.to_owned()));
            return blocks;
        };
        let rows = changes(defaults, &self.lanes);
        if rows.is_empty() {
            blocks.push(Block::Paragraph("Nothing was changed from the defaults of the scene.".to_owned()));
            return blocks;
        }
        let mut head = vec!["Parameter".to_owned(), "Key".to_owned(), "Default of the scene".to_owned()];
        match self.lanes.len() {
            1 => head.push("Here".to_owned()),
            count => head.extend((0..count).map(|at| format!("Lane {}", lane_letter(at)))),
        }
        let caption = "What was changed from the defaults of the scene.".to_owned();
        blocks.push(Block::Table(Table { caption, head, rows, command: None }));
        blocks
    }
}

/// A row per value in which a lane differs from the scene as it comes: label, key, default, and the
/// value of each lane.
fn changes(defaults: &Scene, lanes: &[LaneRun]) -> Vec<TableRow> {
    let mut rows = Vec::new();
    let mut add = |label: &str, key: &str, default: String, values: Vec<String>| {
        if values.iter().any(|value| *value != default) {
            rows.push([vec![label.to_owned(), key.to_owned(), default], values].concat().into());
        }
    };
    let name = |id: &str| solvers::build(id).map_or_else(|| id.to_owned(), |solver| solver.info().name.to_owned());
    let solvers = lanes.iter().map(|lane| lane.solver.name.to_owned()).collect();
    add("Solver", "solver", name(&defaults.solver), solvers);
    let texts = |of: fn(&Scene) -> String| (of(defaults), lanes.iter().map(|lane| of(&lane.scene)).collect());
    type Text = fn(&Scene) -> String;
    let named: [(&str, &str, Text); 4] = [
        ("Fabric", "fabric", |scene| scene.fabric.clone()),
        ("Mesh", "mesh", |scene| scene.first.mesh.as_ref().map_or_else(String::new, |mesh| mesh.file.clone())),
        ("Picture on the cloth", "image", |scene| scene.image.clone().unwrap_or_default()),
        ("Dummy", "dummy", |scene| if scene.has_dummy() { "yes" } else { "no" }.to_owned()),
    ];
    for (label, key, of) in named {
        let (default, values) = texts(of);
        add(label, key, default, values);
    }
    let of_lanes: Vec<_> = lanes.iter().map(|lane| common(&lane.scene)).collect();
    for (at, (param, default)) in common(defaults).into_iter().enumerate() {
        let values = of_lanes.iter().map(|lane| text(&lane[at].0, lane[at].1)).collect();
        add(param.label, param.key, text(&param, default), values);
    }
    rows.extend(solver_changes(defaults, lanes));
    let count = |scene: &Scene| (scene.first.pinned.len() + scene.first.handles.len()).to_string();
    let placed = lanes.iter().any(|lane| {
        (&lane.scene.first.pinned, &lane.scene.first.handles) != (&defaults.first.pinned, &defaults.first.handles)
    });
    if placed {
        let values = lanes.iter().map(|lane| count(&lane.scene)).collect();
        rows.push(
            [vec!["Vertices pinned by hand".to_owned(), "pinned".to_owned(), count(defaults)], values].concat().into(),
        );
    }
    rows
}

/// Settings of the solvers, against those that the scene has for each of them.
fn solver_changes(defaults: &Scene, lanes: &[LaneRun]) -> Vec<TableRow> {
    let mut rows = Vec::new();
    let mut seen: Vec<&str> = Vec::new();
    for lane in lanes {
        let id = lane.solver.id;
        if seen.contains(&id) {
            continue;
        }
        seen.push(id);
        // settings that the scene does not name suit the cloth as it is in the lane
        let settings = defaults.settings_of(id);
        let Ok(simulation) = (Scene { settings, ..lane.scene.clone() }).build() else { continue };
        let known = simulation.solver().settings();
        for (index, param) in known.params().iter().enumerate() {
            let default = text(param, known.get(index));
            let value = |lane: &LaneRun| match lane.settings.get(index).filter(|_| lane.solver.id == id) {
                Some(value) => text(param, *value),
                None => "–".to_owned(),
            };
            let values: Vec<String> = lanes.iter().map(value).collect();
            if values.iter().any(|value| value != "–" && *value != default) {
                let label = format!("{} of {}", param.label, lane.solver.name);
                rows.push([vec![label, param.key.to_owned(), default], values].concat().into());
            }
        }
    }
    rows
}

/// The declared parameters of a scene but those of its solver, in order.
fn common(scene: &Scene) -> Vec<(Param, Setting)> {
    let mut scene = scene.clone();
    let collect = |group: &mut dyn Tunable| -> Vec<(Param, Setting)> {
        (0..group.params().len()).map(|index| (group.param(index), group.get(index))).collect()
    };
    let mut groups = scene.visit(collect);
    // the settings of the solver come last
    groups.pop();
    groups.concat()
}

/// A value as people read it; where two differ in digits that are not shown, all of its digits.
fn text(param: &Param, value: Setting) -> String {
    let short = param.value_text(value);
    match value {
        Setting::Real(x) if param.parse(&short).ok() != Some(value) && !param.unit.is_empty() => {
            let exact = param.show(Setting::Real(x));
            // degrees and rounded periods are read more easily than all digits
            if exact.len() <= 8 { format!("{exact} {}", param.unit) } else { short }
        }
        _ => short,
    }
}
