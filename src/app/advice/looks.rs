//! Short looks at all solvers on the present cloth, in the background, while the menu of solvers is
//! open.

use std::ops::ControlFlow;

use bevy::prelude::*;

use crate::app::session::SessionHandle;
use crate::app::task::Study;
use crate::session::Frame;
use crate::sim::Parameters;
use crate::sim::study::advice::{AdvicePlan, Look, Question, look_at_all};

/// What was seen so far.
#[derive(Resource, Default)]
pub struct Looks {
    seen: Vec<Look>,
    of: Option<Subject>,
    /// Whether the menu is open.
    pub is_wanted: bool,
    study: Study<Look>,
}

/// The cloth that is looked at, from whatever state.
#[derive(PartialEq)]
struct Subject {
    pattern: u64,
    pins: usize,
    parameters: Parameters,
}

impl Subject {
    fn of(frame: &Frame) -> Self {
        let mut parameters = frame.parameters;
        // other substeps belong to another solver
        (parameters.timing.substeps, parameters.timing.adaptive) = (1, false);
        Self { pattern: frame.pattern.revision(), pins: frame.pins.len(), parameters }
    }
}

pub(in crate::app) fn plugin(app: &mut App) {
    app.init_resource::<Looks>().add_systems(Update, update);
}

impl Looks {
    /// What was seen of a solver on the cloth of a frame.
    #[must_use]
    pub fn at(&self, solver: &str, frame: &Frame) -> Option<&Look> {
        let is_about = self.of.as_ref().is_some_and(|of| *of == Subject::of(frame));
        self.seen.iter().find(|look| is_about && look.solver == solver)
    }
}

fn update(mut looks: ResMut<Looks>, mut session: ResMut<SessionHandle>) {
    let looks = looks.bypass_change_detection();
    let session = session.bypass_change_detection();
    for look in looks.study.poll().0 {
        debug!("a look at {}: {:?}", look.solver, look.describe());
        looks.seen.push(look);
    }
    if !std::mem::take(&mut looks.is_wanted) || session.frame().failure.is_some() {
        return;
    }
    let subject = Subject::of(session.frame());
    if looks.of.as_ref() == Some(&subject) {
        return;
    }
    (looks.of, looks.seen) = (Some(subject), Vec::new());
    let asked = session.ask(|session| (Question::of(session.simulation()), session.simulation().clock));
    looks.study.start(move |reporter| {
        let Ok((question, clock)) = asked.recv() else { return };
        let plan = AdvicePlan::new(clock, reporter.cancel_token());
        look_at_all(&question, &plan, &mut |look| {
            reporter.send(look);
            if reporter.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
    });
}
