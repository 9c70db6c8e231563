//! Lanes of equal cost: each gets the iterations, sweeps or substeps with which its steps take as
//! long as those of the reference. Times are measured on copies, one after the other, while the
//! lanes run.

use bevy::prelude::{info, warn};

use super::SessionHandle;
use super::lane::letter;
use crate::app::task::Study;
use crate::scene::Scalar;
use crate::session::Command;
use crate::sim::Real;
use crate::sim::params::units::significant;
use crate::sim::study::equal_cost::{EqualCost, Subject, equal_cost};

/// The search, and the outcome of the last one.
#[derive(Default)]
pub(super) struct LaneCosts {
    study: Study<Vec<EqualCost>>,
    /// The numbers of the lanes that are measured, the place of the reference among them.
    measured: (Vec<u64>, usize),
    /// The result, and the solvers of the lanes at that time.
    said: Option<(String, Vec<&'static str>)>,
    /// The numbers of the lanes that were given an equal cost, with their times then [s].
    compared: Vec<(u64, Real)>,
    /// The first of these that failed, and how long after that [s].
    failed: Option<(u64, Real)>,
}

/// The result of the search for equal cost.
pub struct EqualCostNote {
    /// In a sentence.
    pub text: String,
    /// Whether the lanes cannot be compared, since one of them failed.
    pub is_refused: bool,
}

impl SessionHandle {
    /// Starts the search for settings with which all lanes have the cost of the reference; its
    /// result is set when it ends.
    pub fn equalise_costs(&mut self) {
        let reference = self.lanes.reference;
        let failed = self.lanes().iter().find_map(|lane| Some((lane.slot, lane.frame.failure.as_ref()?.time)));
        if let Some((slot, time)) = failed {
            let text = format!("Not comparable: {} failed at t = {} s.", letter(slot), significant(time));
            warn!("equal cost: {text}");
            self.lanes.costs = LaneCosts { said: Some((text, self.solvers_of_lanes())), ..LaneCosts::default() };
            return;
        }
        let subject = |session: &crate::session::Session| Subject::of(session.simulation());
        let asked = self.lanes.all.iter_mut().map(|lane| (lane.number, lane.worker().ask(subject)));
        let (numbers, subjects): (Vec<_>, Vec<_>) = asked.unzip();
        self.lanes.costs = LaneCosts { measured: (numbers, reference), ..LaneCosts::default() };
        self.lanes.costs.study.start(move |reporter| {
            let subjects: Result<Vec<Subject>, _> = subjects.into_iter().map(|subject| subject.recv()).collect();
            // without an answer there is no session any more
            let Ok(mut subjects) = subjects else { return };
            subjects.iter_mut().for_each(|subject| subject.cancel = reporter.cancel_token());
            reporter.finish(equal_cost(&subjects, reference, &mut |share| reporter.tell(share)));
        });
    }

    /// Finished share of the search for equal cost, while it runs.
    #[must_use]
    pub fn equal_cost_progress(&self) -> Option<f32> {
        self.lanes.costs.study.progress()
    }

    /// The result, as long as the lanes are the same. A lane that fails ends the comparison.
    #[must_use]
    pub fn equal_cost_found(&self) -> Option<EqualCostNote> {
        let LaneCosts { said, compared, failed, .. } = &self.lanes.costs;
        let (said, solvers) = said.as_ref()?;
        if *solvers != self.solvers_of_lanes() {
            return None;
        }
        let refusal = failed.and_then(|(number, after)| {
            let letter = letter(self.slot_of(number)?);
            Some(format!("Not comparable: {letter} failed after {} s.", significant(after)))
        });
        let is_refused = refusal.is_some() || compared.is_empty();
        Some(EqualCostNote { text: refusal.unwrap_or_else(|| said.clone()), is_refused })
    }

    /// Ends the search for equal cost, and drops its results.
    pub(super) fn forget_equal_costs(&mut self) {
        self.lanes.costs = LaneCosts::default();
    }

    /// Notes the first lane that fails while lanes of equal cost are compared.
    fn watch_equal_costs(&mut self) {
        let LaneCosts { compared, failed, .. } = &self.lanes.costs;
        if failed.is_some() {
            return;
        }
        let after = |&(number, begun): &(u64, Real)| {
            let slot = self.slot_of(number)?;
            let time = self.lanes.all[slot].frame.failure.as_ref()?.time;
            // a cloth that has started again has begun anew
            Some((slot, number, if time >= begun { time - begun } else { time }))
        };
        if let Some((slot, number, after)) = compared.iter().find_map(after) {
            warn!("equal cost: not comparable: lane {} failed after {} s", slot + 1, significant(after));
            self.lanes.costs.failed = Some((number, after));
        }
    }

    /// Sets the results.
    pub(super) fn take_equal_costs(&mut self) {
        self.watch_equal_costs();
        let (found, ended) = self.lanes.costs.study.poll();
        let fault = self.lanes.costs.study.fault().filter(|_| ended).map(str::to_owned);
        let said = match (found.first(), fault) {
            (Some(found), _) => self.set_equal_costs(found),
            (None, Some(fault)) => {
                warn!("equal cost: {fault}");
                format!("Equal cost was not found: {fault}")
            }
            (None, None) => return,
        };
        self.lanes.costs.said = Some((said, self.solvers_of_lanes()));
    }

    /// Sets the results in every lane but the reference, and returns a message.
    fn set_equal_costs(&mut self, found: &[EqualCost]) -> String {
        let (numbers, reference) = self.lanes.costs.measured.clone();
        let of_reference = &found[reference];
        let time = |number: u64| Some((number, self.lanes.all[self.slot_of(number)?].frame.time));
        self.lanes.costs.compared = numbers.iter().filter_map(|number| time(*number)).collect();
        let mut parts = Vec::new();
        for (place, (number, cost)) in numbers.into_iter().zip(found).enumerate() {
            let Some(slot) = self.slot_of(number) else { continue };
            let settings = cost.settings().map(|(param, value)| format!("{} {value}", param.label.to_lowercase()));
            let shortfall = cost.shortfall(of_reference).map(|why| format!("{why}, {:.2} ms", 1e3 * cost.step));
            let told: Vec<String> = settings.chain(shortfall).collect();
            parts.push(format!("{} {}", letter(slot), told.join(", ")));
            let mut commands = vec![Command::Finish];
            for (param, value) in cost.settings().filter(|_| place != reference) {
                info!("equal cost: lane {} gets {} = {value}", slot + 1, param.key);
                commands.push(Command::Set { key: param.key.to_owned(), value: Scalar::Integer(value) });
            }
            if commands.len() > 1 {
                commands.push(Command::Finish);
                self.order_in_lane(slot, commands);
            }
        }
        format!("Equal cost, {:.2} ms per step with contact: {}.", 1e3 * of_reference.step, parts.join("; "))
    }

    /// Ids of the solvers, by the lanes' places.
    fn solvers_of_lanes(&self) -> Vec<&'static str> {
        self.lanes().iter().map(|lane| lane.frame.solver.id).collect()
    }

    fn slot_of(&self, number: u64) -> Option<usize> {
        self.lanes.all.iter().position(|lane| lane.number == number)
    }

    /// Gives a lane commands that are for it alone.
    fn order_in_lane(&mut self, slot: usize, commands: Vec<Command>) {
        if slot == self.lanes.chosen {
            self.edit(commands);
        } else if let Some(lane) = self.lanes.all.get_mut(slot) {
            commands.into_iter().for_each(|command| lane.edit(command));
        }
    }
}
