//! Candidates: every solver that fits, with every rung of its effort ladder.

use crate::sim::params::{Need, ParamError, quote::quote};
use crate::sim::solver_interface::{Elasticity, Info, Processor, Rung};
use crate::sim::solvers::REGISTRY;
use crate::sim::{Checkpoint, Simulation};

/// A solver with settings of its effort.
#[derive(Debug, Clone, Copy)]
pub struct Candidate {
    /// The solver.
    pub solver: &'static Info,
    /// Settings of its effort; none of the one that is [present](Self::is_present).
    pub rung: Rung,
    /// Place in the ladder; the present one counts as the first.
    pub place: usize,
    /// Whether it is the solver at work as it is.
    pub is_present: bool,
}

/// A solver that is no candidate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Skipped {
    /// Id of the solver.
    pub solver: &'static str,
    /// Reason for leaving it out.
    pub reason: &'static str,
}

impl Candidate {
    /// Makes `simulation` step like this. Settings without effect on the effort stay as they are,
    /// or suit the cloth if the solver is another one.
    ///
    /// # Errors
    /// [`ParamError`] when a setting of the rung is unknown or out of range.
    pub fn apply(&self, simulation: &mut Simulation) -> Result<(), ParamError> {
        simulation.set_solver(self.solver.id);
        self.rung.0.iter().try_for_each(|(key, value)| set(simulation, key, value))
    }

    /// Its work beside that of another effort of the same solver, if both differ only by integers:
    /// iterations, sweeps and substeps multiply.
    #[must_use]
    pub fn work_beside(&self, other: &Self) -> Option<f64> {
        let work = |of: &Self, keys: &[(&str, &str)]| {
            let mut work = 1.0;
            for (key, value) in of.rung.0 {
                let (_, known) = keys.iter().find(|(known, _)| known == key)?;
                match (value.parse::<u32>(), known.parse::<u32>()) {
                    (Ok(own), Ok(_)) => work *= f64::from(own.max(1)),
                    _ if value == known => {}
                    _ => return None,
                }
            }
            Some(work)
        };
        let is_alike = self.rung.0.len() == other.rung.0.len() && !self.rung.0.is_empty();
        is_alike.then(|| Some(work(self, other.rung.0)? / work(other, self.rung.0)?))?
    }

    /// Its effort in words, like "small steps 10, iterations 2".
    #[must_use]
    pub fn effort(&self, now: &Simulation) -> String {
        let words = self.rung.0.iter().filter_map(|(key, value)| {
            let settings = now.solver_like(self.solver.id)?;
            let own = settings.settings();
            let label = match own.index_of(key) {
                Some(index) => own.params()[index].label,
                None => now.parameters.find(key).map(|(group, index)| group.params()[index].label)?,
            };
            match *value {
                "false" | "none" => None,
                "true" => Some(label.to_lowercase()),
                value => Some(format!("{} {}", label.to_lowercase(), value.replace('_', "-"))),
            }
        });
        words.collect::<Vec<_>>().join(", ")
    }
}

/// Sets a parameter of the solver at work, or a common one.
fn set(simulation: &mut Simulation, key: &str, value: &str) -> Result<(), ParamError> {
    let own = simulation.solver_mut().settings_mut();
    let need = if let Some(index) = own.index_of(key) {
        own.set_text(key, value)?;
        own.params()[index].need
    } else {
        let found = simulation.parameters.find_mut(key);
        let (group, index) = found.ok_or_else(|| ParamError::Unknown { key: quote(key) })?;
        group.set_text(key, value)?;
        group.params()[index].need
    };
    if need == Some(Need::EqualSubsteps) {
        // an adaptive step would choose their number itself
        simulation.parameters.timing.adaptive = false;
    }
    Ok(())
}

/// The candidates for the cloth of a checkpoint, by solvers in menu order, and the solvers that are
/// none. The present one comes first.
#[must_use]
pub fn candidates(checkpoint: &Checkpoint) -> (Vec<Candidate>, Vec<Skipped>) {
    let mut now = Simulation::resume(checkpoint);
    let own = now.solver().info();
    let is_of_own_constraints = knows_own_constraints(&mut now);
    let mut found = vec![Candidate { solver: own, rung: Rung(&[]), place: 0, is_present: true }];
    let mut skipped = Vec::new();
    for entry in REGISTRY {
        let reason = match entry.info.capabilities.processor {
            Processor::Device => Some("it runs on a graphics device, which is not measured here"),
            Processor::Host if is_of_own_constraints && !std::ptr::eq(entry.info, own) => {
                Some("the solver at work has constraints that this one does not know")
            }
            Processor::Host => None,
        };
        if let Some(reason) = reason {
            skipped.push(Skipped { solver: entry.info.id, reason });
            continue;
        }
        let rungs = entry.ladder.iter().enumerate();
        let all = rungs.map(|(place, &rung)| Candidate { solver: entry.info, rung, place, is_present: false });
        found.extend(all.filter(|candidate| !changes_nothing(candidate, own, checkpoint)));
    }
    if own.capabilities.processor == Processor::Device {
        found.remove(0);
    }
    (found, skipped)
}

/// Whether the solver at work minimises an energy of constraints beside, or in place of, the
/// springs of the cloth.
pub(super) fn knows_own_constraints(simulation: &mut Simulation) -> bool {
    let is_own = simulation.solver().capabilities().elasticity == Elasticity::Own;
    is_own && simulation.solver_mut().minimiser().is_some()
}

/// Whether a candidate is the present one again.
fn changes_nothing(candidate: &Candidate, own: &Info, checkpoint: &Checkpoint) -> bool {
    if !std::ptr::eq(candidate.solver, own) {
        return false;
    }
    let mut changed = Simulation::resume(checkpoint);
    candidate.apply(&mut changed).is_ok() && changed.checkpoint() == *checkpoint
}
