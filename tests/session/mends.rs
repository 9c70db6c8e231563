//! What is offered after a blow-up.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use weft::scene::Scalar;
use weft::session::{Command, Session};
use weft::sim::pattern::Family;
use weft::sim::study::blow_up::{Change, Finding};

use crate::desk::{advance, apply, solver, with_time};

/// What is found of a blow-up.
fn findings(session: &Session) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut blow_up = session.blow_up().expect("it blew up");
    let _ = blow_up.investigate(&mut |finding| found.push(finding), &mut || ControlFlow::Continue(()));
    found
}

/// The mends that are offered after a blow-up.
fn mends(session: &Session) -> Vec<Change> {
    let mend = |finding| if let Finding::Mend(mend) = finding { Some(mend.change) } else { None };
    findings(session).into_iter().filter_map(mend).collect()
}

/// The number of substeps that is offered after a blow-up.
pub fn substeps_that_hold(session: &Session) -> u32 {
    let count = |change| if let Change::Substeps(count) = change { Some(count) } else { None };
    mends(session).into_iter().find_map(count).expect("substeps are offered")
}

#[test]
#[ignore = "full tier"]
fn every_mend_that_is_offered_after_a_blow_up_holds_and_is_one_act() {
    for id in ["symplectic-euler", "harmonic-oscillator"] {
        let mut failed = with_time("hanging");
        advance(&mut failed, 120);
        solver(&mut failed, id);
        assert!((0..120).any(|_| failed.tick().is_err()), "{id}: the step is too long");
        let mends = mends(&failed);
        assert_eq!(mends.len(), 3, "{id}: {mends:?}");
        let before = failed.arrangement();
        for change in mends {
            let mut session = with_time("hanging");
            advance(&mut session, 120);
            solver(&mut session, id);
            while session.failure().is_none() {
                let _ = session.tick();
            }
            let acts = session.frame(0).timeline.undo;
            let (set, solver): (BTreeMap<String, Scalar>, _) = match change {
                Change::Step(step) => ([("time_step".to_owned(), Scalar::Real(step))].into(), None),
                Change::Substeps(count) => ([("substeps".to_owned(), Scalar::Integer(count))].into(), None),
                Change::Solver(id) => (BTreeMap::new(), Some(id.to_owned())),
                Change::Scheme(rule) => panic!("{rule:?}: they have but one"),
            };
            apply(&mut session, Command::Mend { set, solver });
            assert!(session.failure().is_none() && !session.frame(0).paused, "{id} {change:?}: it goes on");
            assert_ne!(session.arrangement(), before, "{id} {change:?}");
            let until = session.simulation().time() + 3.0;
            while session.simulation().time() < until {
                assert!(session.tick().is_ok(), "{id} {change:?} at t = {:.3} s", session.simulation().time());
            }
            assert!(session.simulation().largest_stretch() < 1.0, "{id} {change:?}");
            assert_eq!(session.frame(0).timeline.undo.as_deref(), Some("Mend"));
            apply(&mut session, Command::Undo);
            assert_eq!(session.arrangement(), before, "{id} {change:?} is one act");
            assert_eq!(session.frame(0).timeline.undo, acts, "{id} {change:?} is one act");
        }
    }
}

#[test]
fn a_mend_that_cannot_be_changes_nothing() {
    let mut session = with_time("hanging");
    advance(&mut session, 60);
    solver(&mut session, "symplectic-euler");
    while session.failure().is_none() {
        let _ = session.tick();
    }
    let before = session.arrangement();
    let step = |value| BTreeMap::from([("time_step".to_owned(), Scalar::Real(value))]);
    for (set, solver) in [
        (step(1e9), None),
        (BTreeMap::from([("rows".to_owned(), Scalar::Integer(3))]), None),
        (step(1e-3), Some("no-solver".to_owned())),
    ] {
        session.apply(Command::Dismiss);
        session.apply(Command::Mend { set, solver });
        assert!(session.message().is_some() && session.failure().is_some());
        assert_eq!(session.arrangement(), before);
    }
}

#[test]
fn two_remedies_are_offered_on_the_first_scene_and_the_report_agrees_with_the_readouts() {
    let mut session = with_time("breeze");
    advance(&mut session, 30);
    solver(&mut session, "symplectic-euler");
    assert!((0..300).any(|_| session.tick().is_err()), "the step is too long");
    let found = findings(&session);
    let mends = found.iter().filter(|finding| matches!(finding, Finding::Mend(_))).count();
    assert!(mends >= 2, "{found:?}");
    let origin =
        found.iter().find_map(|finding| if let Finding::Origin(origin) = finding { Some(*origin) } else { None });
    let origin = origin.expect("it is always found");
    let spring = origin.spring.expect("a spring was stretched");
    let readout = session.frame(0).readouts.stretch.largest;
    assert!(spring.strain > 1.0, "{origin:?}");
    // the readout is of the state before the failed step, and of structural springs
    if origin.in_failed_step {
        assert!(readout <= 1.0, "nothing was stretched before: {readout} {origin:?}");
    } else if spring.family == Family::Structural {
        assert!((spring.strain - readout).abs() < 1e-9, "{readout} {origin:?}");
    }
}
