//! Cause of an explosion and its remedies: searched for in the background at once, while the last
//! valid cloth is shown.

pub mod panel;
pub mod replay;

use std::ops::ControlFlow;
use std::sync::Arc;

use bevy::prelude::*;

use super::session::SessionHandle;
use super::task::Study;
use crate::session::Failure;
use crate::sim::study::blow_up::{Finding, Kind, LinearTheory, Mend, Origin};
use crate::sim::{Parameters, Real};

/// The blow-ups of all lanes that have not gone on yet, as far as they have been looked at.
#[derive(Resource, Default)]
pub struct BlowUps(Vec<Inquiry>);

/// The report on one.
pub struct Inquiry {
    failure: Arc<Failure>,
    /// The parameters with which it happened.
    pub parameters: Parameters,
    /// Result of linear theory.
    pub linear: Option<LinearTheory>,
    /// Where it began.
    pub origin: Option<Origin>,
    /// The longest substep that holds [s], if one does.
    pub longest: Option<Option<Real>>,
    /// The kind of mend that is being tried.
    pub trying: Option<Kind>,
    /// The mends that hold.
    pub mends: Vec<Mend>,
    /// The kinds of which none does.
    pub none: Vec<Kind>,
    pub study: Study<Finding>,
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<BlowUps>().add_systems(Update, follow).add_plugins(replay::plugin);
}

fn follow(mut blow_ups: ResMut<BlowUps>, mut session: ResMut<SessionHandle>) {
    blow_ups.follow(session.bypass_change_detection());
}

impl BlowUps {
    /// The report on a failure.
    #[must_use]
    pub fn of(&self, failure: &Arc<Failure>) -> Option<&Inquiry> {
        self.0.iter().find(|inquiry| Arc::ptr_eq(&inquiry.failure, failure))
    }

    /// Looks into the failure of the chosen lane, takes over what has been found, and forgets what
    /// no lane has failed of any more.
    pub fn follow(&mut self, session: &mut SessionHandle) {
        if !self.0.is_empty() {
            let lanes = session.lanes();
            let is_present = |inquiry: &Inquiry| {
                lanes.iter().filter_map(|lane| lane.frame.failure.as_ref()).any(|of| Arc::ptr_eq(of, &inquiry.failure))
            };
            self.0.retain(is_present);
        }
        self.0.iter_mut().for_each(Inquiry::take);
        if let Some(failure) = session.frame().failure.clone()
            && self.of(&failure).is_none()
        {
            self.0.push(Inquiry::begin(failure, session));
        }
    }
}

impl Inquiry {
    fn begin(failure: Arc<Failure>, session: &mut SessionHandle) -> Self {
        let blow_up = session.ask(|session| session.blow_up());
        let mut study = Study::default();
        study.start(move |reporter| {
            // without an answer there is no session any more
            let Ok(Some(mut blow_up)) = blow_up.recv() else { return };
            blow_up.simulation_mut().cancel = reporter.cancel_token();
            let _ = blow_up.investigate(&mut |finding| reporter.send(finding), &mut || {
                if reporter.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
        });
        info!("looking into the blow-up of {}", failure.solver);
        Self {
            failure,
            parameters: session.frame().parameters,
            linear: None,
            origin: None,
            longest: None,
            trying: None,
            mends: Vec::new(),
            none: Vec::new(),
            study,
        }
    }

    /// Takes over new results.
    fn take(&mut self) {
        let (found, ended) = self.study.poll();
        for finding in found {
            debug!("blow-up: {finding:?}");
            match finding {
                Finding::Linear(linear) => self.linear = Some(linear),
                Finding::Origin(origin) => self.origin = Some(origin),
                Finding::LongestStep(longest) => self.longest = Some(longest),
                Finding::Trying(kind) => self.trying = Some(kind),
                Finding::Mend(mend) => self.mends.push(mend),
                Finding::NoMend(kind) => self.none.push(kind),
            }
        }
        if ended {
            self.trying = None;
            info!("{} mends hold", self.mends.len());
        }
    }
}
