//! All figures of a candidate in words.

use crate::sim::Real;
use crate::sim::params::units::significant;
use crate::sim::study::advice::{Advice, Findings, Profile, Standing};

/// All figures of a candidate, a line each.
pub(super) fn figures(findings: &Findings, advice: &Advice, profile: &Profile, row: usize) -> Vec<String> {
    let of = &findings.rows[row];
    let mut lines = Vec::new();
    if let Some(step) = of.step {
        lines.push(format!("{} ms per frame", significant(1e3 * step)));
    }
    if let Some(error) = of.error {
        let [weighted, stretch, bending, whole] =
            [error.weighted(&profile.weights), error.stretch, error.bending, error.whole].map(percent);
        lines.push(format!("error {weighted} of the motion of a step"));
        lines.push(format!("stretch {stretch}, bending {bending}, whole {whole}, from {} states", of.states));
    }
    if let Some(drift) = of.drift {
        lines.push(format!("drift of the momentum {} m/s²", significant(drift)));
    }
    if let Some(run) = of.run {
        let beside = |own: Real, reference: Option<Real>, show: fn(Real) -> String| match reference {
            Some(reference) => format!("{}, reference {}", show(own), show(reference)),
            None => show(own),
        };
        let metres = |length: Real| format!("{} mm", significant(1e3 * length));
        let stretch = beside(run.own.stretch, run.reference.map(|reference| reference.stretch), percent);
        lines.push(format!("after {} s: longest spring {stretch}", significant(run.lasted)));
        lines.push(format!("sag {}", beside(run.own.sag, run.reference.map(|reference| reference.sag), metres)));
        if let Some(decay) = run.own.decay {
            let per_second = |rate: Real| format!("{} /s", significant(rate));
            let reference = run.reference.and_then(|reference| reference.decay);
            lines.push(format!("decay of energy {}", beside(decay, reference, per_second)));
        }
        if let Some(jitter) = run.own.jitter {
            lines.push(format!("jitter at rest {} mm", significant(1e3 * jitter)));
        }
        if run.own.truncated > 0 {
            lines.push(format!("contact limits the motion of {} vertices", run.own.truncated));
        }
    }
    let judged = advice.judged.iter().find(|judged| judged.row == row);
    if let Some(fault) = judged.and_then(|judged| judged.fault) {
        lines.push(fault.describe(profile));
    } else if of.stage != Standing::Measured {
        lines.push(of.stage.describe().to_owned());
    }
    lines
}

fn percent(share: Real) -> String {
    format!("{} %", significant(100.0 * share))
}
