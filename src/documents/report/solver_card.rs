//! Cards of the solvers of an experiment: use, formula, source, promises, settings.

use super::{Block, Experiment, LaneRun, Table};
use crate::sim::solver_interface::{Capabilities, Info, Keeps};
use crate::sim::solvers;

impl Experiment {
    /// A card per solver.
    pub(super) fn solver_cards(&self) -> Vec<Block> {
        let title = if self.lanes.len() == 1 { "The solver" } else { "The solvers" };
        let mut blocks = vec![Block::Heading(title.to_owned())];
        let mut seen: Vec<&str> = Vec::new();
        for lane in &self.lanes {
            if !seen.contains(&lane.solver.id) {
                seen.push(lane.solver.id);
                blocks.extend(self.card(lane));
            }
        }
        blocks
    }

    fn card(&self, lane: &LaneRun) -> Vec<Block> {
        let (info, rule): (&Info, _) = (lane.solver, lane.rule);
        let stability = info.stability_by(rule);
        let details = stability.details().map_or_else(String::new, |details| format!(" ({details})"));
        let Capabilities { cloth_contact, damping, bending, .. } = &lane.capabilities;
        let mut facts = [
            ("Kind", info.group.name().to_owned()),
            ("Source", info.source.to_owned()),
            ("Order", info.order_by(rule).to_string()),
            ("Stability", stability.describe() + &details),
            ("Cost", info.cost.to_owned()),
            ("Conserves", conserved(info.keeps)),
            ("Schemes", lane.capabilities.describe_schemes().to_owned()),
            ("Contact", lane.capabilities.describe_contacts()),
            ("Cloth-cloth contact", cloth_contact.describe().to_owned()),
            ("Laws of contact", info.describe_contact_laws()),
            ("Damping", damping.describe()),
            ("Bending", bending.describe()),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .to_vec();
        let count = self.lanes.len();
        for (at, other) in self.lanes.iter().enumerate().filter(|(_, other)| other.solver.id == info.id) {
            let settings = settings(other);
            if !settings.is_empty() {
                let name =
                    if count == 1 { "Settings".to_owned() } else { format!("Settings in {}", super::lane_letter(at)) };
                facts.push((name, settings));
            }
        }
        vec![
            Block::Subheading(info.name.to_owned()),
            Block::Paragraph(info.summary.to_owned()),
            Block::Code(info.formula.to_owned()),
            Block::Table(Table::facts(facts)),
        ]
    }
}

fn conserved(keeps: Keeps) -> String {
    let parts =
        [(keeps.momentum, "momentum"), (keeps.angular_momentum, "angular momentum"), (keeps.free_fall, "free fall")];
    let kept: Vec<&str> = parts.iter().filter(|(is, _)| *is).map(|(_, name)| *name).collect();
    if kept.is_empty() { "neither momentum nor angular momentum".to_owned() } else { super::experiment::listed(&kept) }
}

/// All settings of the solver of a lane with their values.
fn settings(lane: &LaneRun) -> String {
    let Some(solver) = solvers::build(lane.solver.id) else { return String::new() };
    let params = solver.settings().params().iter().zip(&lane.settings);
    params.map(|(param, value)| param.caption(*value)).collect::<Vec<_>>().join(", ")
}
