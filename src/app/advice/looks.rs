//! Short looks at all solvers on the present cloth, in the background, while the menu of solvers is
//! open.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use bevy::prelude::{Resource, info};
use egui::Context;

use crate::app::session::SessionHandle;
use crate::app::task::Study;
use crate::session::Frame;
use crate::sim::Parameters;
use crate::sim::study::advice::{AdvicePlan, Look, Question, look_at_all};

/// A cloth that tears, or whose slider is dragged, is another one in every frame: it is looked at
/// when it has stayed the same for so long.
const SETTLED: Duration = Duration::from_millis(500);

/// What was seen so far.
#[derive(Resource, Default)]
pub struct Looks {
    seen: Vec<Look>,
    of: Option<Subject>,
    /// Another cloth than that, and since when it is as it is.
    next: Option<(Subject, Instant)>,
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

impl Looks {
    /// Takes over what was seen, and starts to look where the cloth is another one.
    pub fn follow(&mut self, session: &mut SessionHandle, ctx: &Context) {
        self.seen.extend(self.study.poll().0);
        let subject = Subject::of(session.frame());
        if session.frame().failure.is_some() || self.of.as_ref() == Some(&subject) {
            self.next = None;
            return;
        }
        if self.of.is_some() {
            let (_, since) = match self.next.take() {
                Some(known) if known.0 == subject => self.next.insert(known),
                _ => self.next.insert((subject, Instant::now())),
            };
            if since.elapsed() < SETTLED {
                ctx.request_repaint_after(SETTLED);
                return;
            }
        }
        (self.of, self.seen, self.next) = (Some(Subject::of(session.frame())), Vec::new(), None);
        let asked = session.ask(|session| (Question::of(session.simulation()), session.simulation().clock));
        self.study.start(move |reporter| {
            // without an answer there is no session any more
            let Ok((question, clock)) = asked.recv() else { return };
            let plan = AdvicePlan::new(clock, reporter.cancel_token());
            look_at_all(&question, &plan, &mut |look| {
                reporter.send(look);
                if reporter.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
        });
        info!("looking at all solvers");
    }

    /// What was seen of a solver on the cloth of a frame.
    #[must_use]
    pub fn at(&self, solver: &str, frame: &Frame) -> Option<&Look> {
        let is_about = self.of.as_ref().is_some_and(|of| *of == Subject::of(frame));
        self.seen.iter().find(|look| is_about && look.solver == solver)
    }
}
