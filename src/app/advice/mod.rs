//! Which solver? Measurements of all solvers on copies of the cloth in the background, and their
//! judgement for a budget and a purpose.

mod figures;
mod film;
mod film_row;
pub mod looks;
pub mod panel;

use std::ops::ControlFlow;
use std::sync::Arc;

use bevy::prelude::{info, warn};

use super::desk::{ReportPart, Reported};
use super::session::SessionHandle;
use super::task::{Reporter, Study};
use crate::documents::report::{AdviceStudy, Experiment};
use crate::scene::Scene;
use crate::session::{Arrangement, Command, Frame};
use crate::sim::params::units::significant;
use crate::sim::study::advice::{
    Advice, AdvicePlan, Cache, CandidateRow, Event, Findings, PROFILES, Profile, Question, Sentence, measure,
};
use crate::sim::study::run::Interrupted;
use crate::sim::{Clock, Real, Simulation};

/// Half a tick at 60 Hz [s].
const BUDGET: Real = 0.5 / 60.0;
/// Time for the measurements at first [s].
const SECONDS: Real = 75.0;

/// Choices, running measurements and their results.
#[derive(bevy::prelude::Resource)]
pub struct Advisor {
    /// Most time of a frame, which is a time step [s].
    pub budget: Real,
    /// What matters.
    pub profile: Profile,
    /// Time for the measurements, by the clock [s].
    pub seconds: Real,
    /// The last measurements, as far as they have come.
    pub measured: Option<Measured>,
    pointer: Pointer,
    cache: Cache,
    films: film::Films,
    /// The scene of the cloth when the measurements began.
    scene: Arc<Scene>,
    pub(super) study: Study<News>,
}

/// What the pointer does; candidates are numbers in the findings.
#[derive(Default)]
struct Pointer {
    /// The candidate under it in the last frame, and whether it was so in the picture.
    meant: Option<usize>,
    is_in_picture: bool,
    /// Whether the budget is dragged.
    drags_budget: bool,
    /// A candidate that was clicked once, with the time of the click [s]: another click may follow.
    clicked: Option<(usize, f64)>,
}

/// Measurements of a cloth.
pub struct Measured {
    /// The cloth.
    pub question: Arc<Question>,
    /// The figures so far.
    pub findings: Arc<Findings>,
    /// How the cloth looks.
    scene: Arc<Scene>,
    /// Their judgement for the last budget and purpose.
    judged: Option<Judgement>,
}

/// A judgement with its sentences.
#[derive(Clone)]
pub struct Judgement {
    /// Most time of a frame [s].
    budget: Real,
    profile: Profile,
    /// The judgement.
    pub advice: Arc<Advice>,
    /// The same in words.
    pub sentences: Arc<[Sentence]>,
}

/// News of the measurements.
pub(super) enum News {
    Begun(Arc<Question>, Findings),
    Row(usize, Box<CandidateRow>),
    Look(Findings),
    /// All figures were known already, or are now.
    Whole(Arc<Question>, Arc<Findings>),
}

/// A candidate can be tried out in two ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// In a lane beside the cloth.
    Beside,
    /// On the cloth itself.
    Here,
}

impl Default for Advisor {
    fn default() -> Self {
        Self {
            budget: BUDGET,
            profile: PROFILES[0],
            seconds: SECONDS,
            measured: None,
            pointer: Pointer::default(),
            cache: Cache::default(),
            films: film::Films::default(),
            scene: Arc::default(),
            study: Study::default(),
        }
    }
}

impl Measured {
    fn of(question: Arc<Question>, findings: Arc<Findings>, scene: &Arc<Scene>) -> Self {
        Self { question, findings, scene: Arc::clone(scene), judged: None }
    }

    /// Simulated time of the state that was measured [s].
    #[must_use]
    pub fn time(&self) -> Real {
        self.question.checkpoint().state.time
    }

    /// The judgement for a budget [s] and a purpose.
    pub fn judge(&mut self, budget: Real, profile: &Profile) -> Judgement {
        let is_same = |known: &&Judgement| known.budget == budget && known.profile == *profile;
        if let Some(known) = self.judged.as_ref().filter(is_same) {
            return known.clone();
        }
        let advice = Arc::new(Advice::of(&self.findings, budget, profile));
        let sentences = advice.sentences(&self.findings, budget, profile).into();
        let judgement = Judgement { budget, profile: *profile, advice, sentences };
        self.judged = Some(judgement.clone());
        judgement
    }

    fn take(&mut self, findings: Arc<Findings>) {
        (self.findings, self.judged) = (findings, None);
    }
}

impl Advisor {
    /// Starts the measurements for the cloth as it is now. What is known of this very cloth is not
    /// measured again.
    pub fn start(&mut self, session: &mut SessionHandle) {
        self.pointer = Pointer::default();
        self.scene = Arc::clone(&session.frame().scene);
        let asked = session.ask(|session| (Question::of(session.simulation()), session.simulation().clock));
        let (known, seconds) = (self.cache.clone(), self.seconds);
        self.study.start(move |reporter| {
            // without an answer there is no session any more
            let Ok((question, clock)) = asked.recv() else { return };
            // with more time those are run that had to wait
            match known.find(&question).filter(|found| found.is_whole() || found.seconds >= seconds) {
                Some(findings) => reporter.send(News::Whole(Arc::new(question), findings)),
                None => work(&Arc::new(question), (clock, seconds), reporter),
            }
        });
        info!("measuring solvers");
    }

    /// The images of the films, as far as they are drawn.
    #[must_use]
    pub fn images(&self) -> Vec<Arc<egui::ColorImage>> {
        self.films.images()
    }

    /// Whether the measurements are of the cloth of a frame.
    #[must_use]
    pub fn is_about(&self, frame: &Frame) -> bool {
        let is_about = |measured: &Measured| measured.question.is_about(&frame.pattern, &frame.parameters);
        self.measured.as_ref().is_some_and(is_about)
    }

    /// Takes a candidate, by its number in the findings, with all parameters that it was measured
    /// with: as one action.
    pub fn take(&self, row: usize, how: Use, session: &mut SessionHandle) {
        let Some(measured) = &self.measured else { return };
        let Some(row) = measured.findings.rows.get(row) else { return };
        let command = arrange(&measured.question.with(&row.candidate), session);
        info!("taking {} {}", row.candidate.solver.id, row.effort);
        match how {
            Use::Beside => session.add_lane_with(vec![command]),
            Use::Here => drop(session.send(command)),
        }
    }

    /// Takes over new results.
    fn take_news(&mut self) {
        for news in self.study.poll().0 {
            match (news, &mut self.measured) {
                (News::Begun(question, findings), measured) => {
                    *measured = Some(Measured::of(question, Arc::new(findings), &self.scene));
                    // it has numbers of other candidates
                    self.pointer = Pointer::default();
                }
                (News::Row(at, row), Some(measured)) => {
                    let mut findings = Arc::clone(&measured.findings);
                    Arc::make_mut(&mut findings).rows[at] = *row;
                    measured.take(findings);
                }
                (News::Look(findings), Some(measured)) => measured.take(Arc::new(findings)),
                (News::Whole(question, findings), measured) => {
                    self.cache.keep(Arc::clone(&question), Arc::clone(&findings));
                    match measured {
                        Some(measured) if Arc::ptr_eq(&measured.question, &question) => measured.take(findings),
                        _ => {
                            *measured = Some(Measured::of(question, findings, &self.scene));
                            self.pointer = Pointer::default();
                        }
                    }
                    info!("measured all solvers");
                }
                (News::Row(..) | News::Look(_), None) => {}
            }
        }
    }
}

/// The command that gives a cloth parameters and solver of another simulation.
fn arrange(simulation: &Simulation, session: &SessionHandle) -> Command {
    let arrangement = Arrangement::of(&simulation.parameters, simulation.solver(), &session.frame().scene);
    Command::Arrange { arrangement }
}

/// Measures, and sends what comes.
fn work(question: &Arc<Question>, (clock, seconds): (Clock, Real), reporter: &Reporter<News>) {
    let plan = AdvicePlan { seconds, ..AdvicePlan::new(clock, reporter.cancel_token()) };
    let found = measure(question, &plan, &mut |event| {
        match event {
            Event::Begun(findings) => reporter.send(News::Begun(Arc::clone(question), findings.clone())),
            Event::Row(at, row) => reporter.send(News::Row(at, Box::new(row.clone()))),
            Event::Look(findings) => reporter.send(News::Look(findings.clone())),
            // some steps know nothing of what is done
            Event::Progress(0.0) => {}
            Event::Progress(share) => return reporter.tell(share),
        }
        if reporter.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    match found {
        Ok(findings) => reporter.send(News::Whole(Arc::clone(question), Arc::new(findings))),
        Err(Interrupted::Cancelled) => info!("measuring solvers called off"),
        Err(error) => {
            warn!("solvers cannot be measured: {error}");
            reporter.fail(format!("The reference cannot be computed: {error}"));
        }
    }
}

impl ReportPart for Advisor {
    fn add_to(&self, experiment: &mut Experiment, about: &Reported) {
        let is_about = self.is_about(about.frame) && !self.study.is_running();
        let Some(measured) = self.measured.as_ref().filter(|_| is_about) else { return };
        let (budget, profile, state) = (self.budget, self.profile, about.state);
        let mut command = format!("weft advise --from {state} --budget {} --profile {}", 1e3 * budget, profile.name);
        profile.changes().iter().for_each(|(key, value)| command += &format!(" --weight {key}={value}"));
        let findings = (*measured.findings).clone();
        experiment.advice = Some(AdviceStudy { findings, budget, profile, command, choice: None });
        if measured.time() != about.frame.time {
            experiment.repetition.remarks.push(format!(
                "The solvers were measured from the state at t = {} s; the command measures them from that of this \
                 report.",
                significant(measured.time()),
            ));
        }
    }
}
