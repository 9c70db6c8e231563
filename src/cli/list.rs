//! `weft solvers` and `weft scenes`: lists.

use std::fmt::Write;

use clap::Args;
use serde_json::json;

use super::output::{Failure, print, print_json};
use super::scene_args::SceneArgs;
use crate::scene::scene_names;
use crate::sim::params::Tunable;
use crate::sim::solver_interface::Capabilities;
use crate::sim::solvers::REGISTRY;

const EXAMPLES: &str = "\
Examples:
  weft solvers --json                       for scripts
  weft solvers --solver fast-mass-spring    one solver with its settings
  weft scenes --scene flag                  one scene with every key that --set takes";

#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ListArgs {
    #[command(flatten)]
    scene: SceneArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn solvers(args: &ListArgs) -> Result<(), Failure> {
    let scene = args.scene.load()?;
    let listed = REGISTRY.iter().filter(|entry| args.scene.solver.as_deref().is_none_or(|id| id == entry.info.id));
    if args.json {
        let rows: Vec<_> = listed
            .map(|entry| {
                let info = entry.info;
                json!({
                    "id": info.id,
                    "name": info.name,
                    "source": info.source,
                    "order": info.order,
                    "stability": info.stability.describe(),
                    "summary": info.summary,
                    "broken_laws": info.broken_laws().collect::<Vec<_>>(),
                })
            })
            .collect();
        return print_json(&json!(rows));
    }
    let mut text = String::new();
    for entry in listed {
        let info = entry.info;
        let details = info.stability.details().map_or_else(String::new, |details| format!(" ({details})"));
        let stability = info.stability.describe() + &details;
        let _ = writeln!(text, "{:<18} {} ({})", info.id, info.name, info.source);
        let _ = writeln!(text, "{:18} order {}, stability {stability}; {}", "", info.order, info.cost);
        let contacts = info.capabilities.describe_contacts();
        let Capabilities { cloth_contact, damping, bending, .. } = info.capabilities;
        let _ = writeln!(text, "{:18} contacts: {}; damping: {}", "", contacts, damping.describe());
        let _ = writeln!(text, "{:18} cloth-cloth contact: {}", "", cloth_contact.describe());
        let _ = writeln!(text, "{:18} {}", "", info.describe_contact_laws());
        let _ = writeln!(text, "{:18} bending: {}", "", bending.describe());
        let _ = writeln!(text, "{:18} schemes: {}", "", info.capabilities.describe_schemes());
        let _ = writeln!(text, "{:18} {}", "", info.summary);
        if args.scene.solver.is_some() {
            let simulation = scene.build()?;
            write_keys(&mut text, simulation.solver().settings());
        }
        text.push('\n');
    }
    print(&text)
}

pub(super) fn scenes(args: &ListArgs) -> Result<(), Failure> {
    let names = args.scene.scene.clone().map_or_else(scene_names, |name| vec![name]);
    let mut scenes = Vec::new();
    for name in names {
        let args = SceneArgs { scene: Some(name), ..args.scene.clone() };
        scenes.push(args.load()?);
    }
    if args.json {
        let rows = scenes.iter().map(|scene| {
            json!({
                "name": scene.name,
                "title": scene.title,
                "source": scene.source,
                "solver": scene.solver,
                "summary": scene.summary,
            })
        });
        return print_json(&json!(rows.collect::<Vec<_>>()));
    }
    let mut text = String::new();
    for scene in &scenes {
        let source = if scene.source.is_empty() { String::new() } else { format!(" ({})", scene.source) };
        let _ = writeln!(text, "{:<22} {}{source}\n{:22} {}", scene.name, scene.title, "", scene.summary);
    }
    if args.scene.scene.is_some() {
        for mut scene in scenes {
            let keys = scene.visit(|group| {
                let mut keys = String::new();
                write_keys(&mut keys, group);
                keys
            });
            text.extend(keys);
        }
    }
    print(&text)
}

/// A line per parameter: key, value, unit, range, help.
fn write_keys(text: &mut String, group: &dyn Tunable) {
    for (index, param) in group.params().iter().enumerate() {
        let value = param.show(group.get(index));
        let switch = param.switch.map_or(String::new(), |switch| format!("; with {switch}"));
        let _ = writeln!(text, "\n  {}={value}    ({}{switch})\n      {}", param.key, param.range(), param.help());
    }
}
