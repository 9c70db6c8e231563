//! A fit of parameters of the present fabric to a figure, in the background.

use bevy::prelude::info;
use rayon::ThreadPoolBuilder;

use super::subject::Subject;
use crate::app::session::SessionHandle;
use crate::app::task::Study;
use crate::scene::{PublishedDrape, read_scan};
use crate::sim::params::units;
use crate::sim::study::fit::{self, End, Evaluation, Fit, Problem, Scan, Target, Variable};
use crate::sim::study::textile::TextileTest;
use crate::sim::{CancelToken, Real};

/// The fit that is set up, and the last one that was started.
#[derive(Default)]
pub(super) struct Fitting {
    pub form: Form,
    pub last: Option<Started>,
    pub study: Study<News>,
}

/// What is to be fitted.
pub(super) struct Form {
    pub test: TextileTest,
    /// The target as it is typed, with or without a unit; none until then.
    pub typed: Option<String>,
    /// The scan that takes the place of the target.
    pub scan: Option<ScannedDrape>,
    /// Keys of the parameters that are fitted; none until others than the usual ones are chosen.
    pub chosen: Option<Vec<&'static str>>,
    pub starts: u64,
    pub most: u32,
}

/// A scanned drape.
pub(super) struct ScannedDrape {
    pub file: String,
    pub is_z_up: bool,
    /// What is in the file, or why that is no scan, in a sentence.
    pub read: Result<Box<Scan>, String>,
}

/// A fit that was started.
pub(super) struct Started {
    pub subject: Subject,
    pub problem: Problem,
    /// The evaluations so far.
    pub path: Vec<Evaluation>,
    /// What came of it, once it has ended.
    pub found: Option<Fit>,
}

/// What the thread of a fit sends.
pub(super) enum News {
    Tried(Evaluation),
    Ended(Fit),
}

impl Default for Form {
    fn default() -> Self {
        let (starts, most) = (Problem::STARTS, Problem::MOST);
        Self { test: TextileTest::Drape, typed: None, scan: None, chosen: None, starts, most }
    }
}

impl Form {
    /// Chooses a test, with its own target and parameters.
    pub fn choose(&mut self, test: TextileTest) {
        if test != self.test {
            *self = Self { test, typed: None, scan: None, chosen: None, ..*self };
        }
    }

    /// Takes the scan in a file, with y or z up, in place of a figure.
    pub fn take_scan(&mut self, file: &str, is_z_up: bool) {
        self.choose(TextileTest::Drape);
        let read = read_scan(file, is_z_up).map(Box::new).map_err(|error| error.to_string());
        self.scan = Some(ScannedDrape { file: file.to_owned(), is_z_up, read });
    }

    /// The scan, or the figure that `text` is.
    pub fn target(&self, text: &str) -> Option<Target> {
        match &self.scan {
            Some(scan) => scan.read.as_ref().ok().cloned().map(Target::Shape),
            None => units::read(text, self.test.unit()).and_then(Target::figure),
        }
    }

    /// Why `text` is no figure of the test, or the file no scan, in a sentence.
    pub fn fault(&self, text: &str) -> Option<String> {
        if let Some(scan) = &self.scan {
            return scan.read.as_ref().err().cloned();
        }
        let is_figure = units::read(text, self.test.unit()).and_then(Target::figure).is_some();
        (!is_figure).then(|| match self.test.unit() {
            "" => "Type the figure: a number above 0.".to_owned(),
            unit => format!("Type the figure: a number above 0 in {unit}, or with a unit of its own."),
        })
    }

    /// The parameters of a subject that the test depends on, or the reason why one cannot be fitted.
    pub fn variables(
        &self,
        subject: &Subject,
        session: &SessionHandle,
    ) -> Vec<(&'static str, Result<Variable, String>)> {
        let keys = Variable::usual(self.test).iter().chain(Variable::others(self.test));
        keys.map(|key| (*key, variable(key, subject, session))).collect()
    }

    /// Whether a parameter is chosen.
    pub fn is_chosen(&self, key: &str) -> bool {
        self.chosen.as_deref().unwrap_or(Variable::usual(self.test)).contains(&key)
    }

    /// Chooses a parameter, or leaves it out.
    pub fn set_chosen(&mut self, key: &'static str, is_chosen: bool) {
        let chosen = self.chosen.get_or_insert_with(|| Variable::usual(self.test).to_vec());
        chosen.retain(|other| *other != key);
        chosen.extend(is_chosen.then_some(key));
    }
}

/// The parameter of the cloth called `key`, if it has an effect on it and can be fitted.
fn variable(key: &str, subject: &Subject, session: &SessionHandle) -> Result<Variable, String> {
    let mut parameters = *session.parameters();
    if let Some((group, index)) = parameters.find_mut(key)
        && let Some(reason) = group.idle(index)
    {
        return Err(format!("no effect on this cloth: {reason}"));
    }
    if let Some((_, reason)) = session.frame().ignored.iter().find(|(ignored, _)| *ignored == key) {
        return Err(format!("no effect on this cloth: {reason}"));
    }
    Variable::of(&subject.parameters, key).map_err(|fault| fault.to_string())
}

impl Started {
    /// Number of the best evaluation, so far or at the end.
    pub fn best(&self) -> Option<usize> {
        self.found.as_ref().map_or_else(|| fit::nearest(&self.path), |found| found.best)
    }

    /// Whether it has ended without an answer, and was not called off.
    pub fn has_failed(&self) -> bool {
        self.found.as_ref().is_some_and(|found| !found.is_answer() && found.end != End::Cancelled)
    }

    /// What came of it, or how far it is, in a sentence without a full stop.
    pub fn sentence(&self) -> String {
        match &self.found {
            Some(found) => found.sentence(&self.problem),
            None => self.problem.progress(&self.path),
        }
    }

    /// The evaluation whose parameters the cloth can have, once the fit has ended.
    pub fn result(&self) -> Option<&Evaluation> {
        let found = self.found.as_ref().filter(|found| !matches!(found.end, End::NoEffect(_)));
        found.and_then(Fit::best)
    }

    /// Whether the cloth has the parameters of an evaluation.
    pub fn is_used(&self, evaluation: &Evaluation, session: &SessionHandle) -> bool {
        let mut parameters = *session.parameters();
        self.problem.put(evaluation, &mut parameters);
        parameters == *session.parameters()
    }

    /// Gives the cloth the parameters of an evaluation, which is one action.
    pub fn apply(&self, evaluation: &Evaluation, session: &mut SessionHandle) {
        let mut parameters = *session.parameters();
        self.problem.put(evaluation, &mut parameters);
        session.finish_gesture();
        session.set_parameters(parameters);
        session.finish_gesture();
        info!("fit applied: {}", self.problem.told(evaluation));
    }
}

impl Fitting {
    /// Starts the fit of the form to a target, on a copy of the fabric.
    pub fn start(&mut self, target: Target, variables: Vec<Variable>, subject: Subject) {
        let test = self.form.test;
        let problem = Problem {
            test,
            target,
            fabric: subject.parameters,
            variables,
            solver: subject.solver.id.to_owned(),
            cut: subject.cut,
            starts: if test.discs().is_some() { self.form.starts } else { 1 },
            most: self.form.most as usize,
            cancel: CancelToken::default(),
        };
        let mut tried = problem.clone();
        self.study.start(move |reporter| {
            tried.cancel = reporter.cancel_token();
            // a core stays for the cloth in the window
            let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get().saturating_sub(1).max(1));
            let pool = ThreadPoolBuilder::new().num_threads(cores.min(tried.starts as usize)).build();
            let fit = || fit::fit(&tried, &mut |evaluation| reporter.send(News::Tried(evaluation.clone())));
            match pool {
                Ok(pool) => reporter.send(News::Ended(pool.install(fit))),
                Err(_) => reporter.send(News::Ended(fit())),
            }
        });
        info!("fit of {} started", test.id());
        self.last = Some(Started { subject, problem, path: Vec::new(), found: None });
    }

    /// Takes over new evaluations, and the end.
    pub fn take(&mut self) {
        let (news, ended) = self.study.poll();
        if let Some(last) = &mut self.last {
            for news in news {
                match news {
                    News::Tried(evaluation) => {
                        info!("fit: {}", last.problem.told(&evaluation));
                        last.path.push(evaluation);
                    }
                    News::Ended(found) => last.found = Some(found),
                }
            }
        }
        if ended {
            info!("fit ended");
        }
    }
}

/// The figure that a fit begins with: the published drape of the fabric, or what the last test has
/// measured, or what was set.
pub(super) fn suggested(test: TextileTest, subject: &Subject, measured: Option<Real>) -> Option<String> {
    let published = subject.fabric.and_then(|fabric| fabric.drape.as_ref()).filter(|_| test == TextileTest::Drape);
    let figure = published.map(PublishedDrape::middle).or(measured).or_else(|| test.wanted(&subject.parameters));
    figure.map(|figure| units::quantity(figure, test.unit()))
}
