//! Stability: stable regions of methods in the plane of time step and stiffness, and exact limits
//! along a line of it, computed in the background on copies of the cloth.

mod chart;
pub mod limits;
pub mod panel;
mod search;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bevy::prelude::*;

use super::desk::{Desk, ReportPart, Reported};
use super::session::SessionHandle;
use super::task::{Reporter, Study};
use crate::documents::report::{CompassStudy, Experiment, Repetition};
use crate::documents::{ChartRegion, StabilityChart};
use crate::scene::{CommandLine, Scene};
use crate::session::Frame;
use crate::sim::params::Setting;
use crate::sim::solver_interface::{Info, Stability};
use crate::sim::solvers::{REGISTRY, name_of};
use crate::sim::study::compass::{Break, Chart, Point, Region};
use crate::sim::study::stability::{largest_stiffness, with_stiffness};
use crate::sim::{Clock, Material, Parameters, Real, Simulation};
use search::Search;

/// Most regions that are kept.
const MOST: usize = 64;
/// Time for which the inputs of a region have to be constant before it is computed.
const SETTLED: Duration = Duration::from_millis(300);
/// Choices, running surveys and regions.
#[derive(Resource)]
pub struct Compass {
    /// The solvers whose regions are shown beside that of the one at work.
    pub chosen: BTreeSet<&'static str>,
    /// The material when the dot was taken, while it is dragged.
    pub dragged: Option<Material>,
    /// Where a border was asked about last: of which solver, with the answer as soon as there is
    /// one.
    pub asked: Option<(&'static str, Option<Break>)>,
    /// The search for exact limits.
    pub search: Search,
    regions: VecDeque<(Key, Arc<Region>)>,
    /// The region that is looked for, or could not be, as far as it is known.
    survey: Option<(Key, Option<Arc<Region>>)>,
    study: Study<Found>,
    answering: Study<Break>,
    /// Settings of the solvers when they were at work last.
    settings: BTreeMap<&'static str, Vec<Setting>>,
    /// The region to be surveyed next, and since when.
    settling: Option<(Key, Instant)>,
    /// Whether it was drawn in this frame.
    is_drawn: bool,
}

/// Inputs of a region.
#[derive(Debug, Clone)]
struct Key {
    scene: Arc<Scene>,
    /// Without time step and stiffness.
    parameters: Parameters,
    solver: &'static str,
    settings: Vec<Setting>,
    chart: Chart,
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        (self.solver, &self.settings, &self.parameters) == (other.solver, &other.settings, &other.parameters)
            && self.chart == other.chart
            && (Arc::ptr_eq(&self.scene, &other.scene) || self.scene == other.scene)
    }
}

enum Found {
    Part(Region),
    Whole(Region),
}

/// A region to be shown.
pub struct ShownRegion {
    /// Id of the solver.
    pub solver: &'static str,
    /// Its region, as far as it is known.
    pub region: Option<Arc<Region>>,
    /// The share that is done, while it is being looked for.
    pub progress: Option<f32>,
}

impl Default for Compass {
    fn default() -> Self {
        let is_limited = |info: &&Info| matches!(info.stability, Stability::Damped | Stability::Conditional);
        Self {
            chosen: REGISTRY.iter().map(|entry| entry.info).filter(is_limited).map(|info| info.id).collect(),
            dragged: None,
            asked: None,
            search: Search::default(),
            regions: VecDeque::new(),
            survey: None,
            study: Study::default(),
            answering: Study::default(),
            settings: BTreeMap::new(),
            settling: None,
            is_drawn: false,
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Compass>().add_plugins(limits::plugin).add_systems(Update, follow);
}

/// Goes on while the chart is behind another panel, and cancels its work when it is closed; a
/// search for exact limits goes on.
fn follow(mut compass: ResMut<Compass>, mut session: ResMut<SessionHandle>, desk: Res<Desk>) {
    let compass = compass.bypass_change_detection();
    compass.search.take();
    if std::mem::take(&mut compass.is_drawn) {
        return;
    }
    let is_at_work = compass.study.is_running() || compass.answering.is_running();
    if desk.windows.is_open(panel::TITLE) {
        compass.tend(session.bypass_change_detection());
    } else if is_at_work {
        (compass.study, compass.answering) = (Study::default(), Study::default());
        (compass.survey, compass.dragged) = (None, None);
        info!("compass put away");
    }
}

/// The part of the plane that is shown for a cloth: some decades around the stiffness of the scene,
/// wide enough for the present one.
#[must_use]
pub fn chart_of(frame: &Frame) -> Chart {
    Chart::around(&frame.defaults.parameters.material, &frame.parameters.material)
}

impl Compass {
    /// The regions to be shown, that of the present solver first. Missing ones are computed, one
    /// after the other.
    pub fn tend(&mut self, session: &mut SessionHandle) -> Vec<ShownRegion> {
        let frame = Arc::clone(session.frame());
        self.settings.insert(frame.solver.id, frame.settings.clone());
        self.take();
        let others = REGISTRY.iter().map(|entry| entry.info.id);
        let others = others.filter(|id| self.chosen.contains(id) && *id != frame.solver.id);
        let solvers: Vec<&'static str> = std::iter::once(frame.solver.id).chain(others).collect();
        let keys: Vec<Key> = solvers.iter().map(|solver| self.key(&frame, solver)).collect();
        if self.survey.take_if(|(of, _)| !keys.contains(of)).is_some() {
            self.study = Study::default();
        }
        if self.survey.is_none() {
            self.begin_next(&keys, session);
        }
        solvers.into_iter().zip(keys).map(|(solver, key)| self.shown(solver, &key)).collect()
    }

    /// The regions that are known of the cloth of a frame and of the chosen solvers, as many as a
    /// command can name, in one chart with the ids of the solvers; none if there is none.
    #[must_use]
    pub fn chart(&self, frame: &Frame) -> Option<(StabilityChart, Vec<&'static str>)> {
        let others = self.chosen.iter().copied().filter(|id| *id != frame.solver.id);
        let (mut regions, mut solvers) = (Vec::new(), Vec::new());
        for id in std::iter::once(frame.solver.id).chain(others).take(Scene::MOST_LANES) {
            let key = self.key(frame, id);
            if let Some((_, region)) = self.regions.iter().find(|(known, _)| *known == key) {
                let present = [frame.parameters.timing.time_step, largest_stiffness(&frame.parameters.material)];
                let (name, region) = (name_of(id).to_owned(), (**region).clone());
                regions.push(ChartRegion { solver: id, name, region, present });
                solvers.push(id);
            }
        }
        let title = format!("Stability, {}", frame.scene.title);
        (!regions.is_empty()).then(|| (StabilityChart { title, chart: chart_of(frame), regions }, solvers))
    }

    /// Why a region that is shown could not be looked for, if so.
    #[must_use]
    pub fn fault(&self) -> Option<&str> {
        self.study.fault()
    }

    fn shown(&self, solver: &'static str, key: &Key) -> ShownRegion {
        let known = self.regions.iter().find(|(known, _)| known == key).map(|(_, region)| Arc::clone(region));
        let survey = self.survey.as_ref().filter(|(of, _)| of == key);
        ShownRegion {
            solver,
            region: known.or_else(|| survey.and_then(|(_, so_far)| so_far.clone())),
            progress: survey.and_then(|_| self.study.progress()),
        }
    }

    fn key(&self, frame: &Frame, solver: &'static str) -> Key {
        let mut parameters = frame.parameters;
        parameters.timing.time_step = 0.0;
        let mut material = with_stiffness(&parameters.material, 1.0);
        // a value scaled and scaled back differs in the last digits
        let rounded = |share: Real| (1e6 * share).round() / 1e6;
        material.structural_stiffness = rounded(material.structural_stiffness);
        material.shear_stiffness = rounded(material.shear_stiffness);
        material.bend_stiffness = rounded(material.bend_stiffness);
        parameters.material = material;
        let settings = self.settings.get(solver).cloned().unwrap_or_default();
        Key { scene: Arc::clone(&frame.scene), parameters, solver, settings, chart: chart_of(frame) }
    }

    /// Looks for the first region that is not known, when it has been clear for a while which one
    /// that is.
    fn begin_next(&mut self, keys: &[Key], session: &mut SessionHandle) {
        let is_known = |key: &&Key| self.regions.iter().any(|(known, _)| known == *key);
        let Some(key) = keys.iter().find(|key| !is_known(key)) else { return };
        match &self.settling {
            Some((settling, since)) if settling == key => {
                if since.elapsed() < SETTLED || self.dragged.is_some() {
                    return;
                }
            }
            _ => {
                self.settling = Some((key.clone(), Instant::now()));
                return;
            }
        }
        debug!("compass: looking for the region of {}", key.solver);
        let (chart, copy) = (key.chart, copy(session, key.solver, key.settings.clone()));
        self.study.start(move |reporter| {
            let Some(mut simulation) = copy(reporter) else { return };
            let mut show = |region: &Region| reporter.send(Found::Part(region.clone()));
            let found = chart.survey(&mut simulation, &mut |share| reporter.tell(share), &mut show);
            if let ControlFlow::Continue(region) = found {
                reporter.send(Found::Whole(region));
            }
        });
        self.survey = Some((key.clone(), None));
    }

    /// Tests the cause of instability at a point of the chart.
    pub fn ask(&mut self, solver: &'static str, point: Point, session: &mut SessionHandle) {
        let chart = chart_of(session.frame());
        let copy = copy(session, solver, self.settings.get(solver).cloned().unwrap_or_default());
        self.asked = Some((solver, None));
        self.answering.start(move |reporter| {
            let Some(mut simulation) = copy(reporter) else { return };
            let found = chart.what_breaks(&mut simulation, point, &mut || reporter.tell(0.0));
            if let ControlFlow::Continue(found) = found {
                reporter.send(found);
            }
        });
    }

    /// Takes over new results.
    fn take(&mut self) {
        let (found, ended) = self.study.poll();
        for found in found {
            let Some((key, so_far)) = &mut self.survey else { continue };
            match found {
                Found::Part(region) => *so_far = Some(Arc::new(region)),
                Found::Whole(region) => {
                    info!("compass: {} tried at {} points", key.solver, region.tried());
                    if self.regions.len() == MOST {
                        self.regions.pop_front();
                    }
                    self.regions.push_back((key.clone(), Arc::new(region)));
                }
            }
        }
        if ended && self.study.fault().is_none() {
            self.survey = None;
        }
        if let (Some(found), Some((solver, answer))) = (self.answering.poll().0.pop(), &mut self.asked) {
            debug!("compass: {solver} {found:?}");
            *answer = Some(found);
        }
    }
}

/// Orders a copy of the scene from its start, with the parameters as they are and a solver with its
/// settings; the copy is built where it is used. There is none without a session, or with a fault.
fn copy<T>(
    session: &mut SessionHandle,
    solver: &'static str,
    settings: Vec<Setting>,
) -> impl FnOnce(&Reporter<T>) -> Option<Simulation> + Send + use<T> {
    let asked: std::sync::mpsc::Receiver<(Scene, Clock)> =
        session.ask(|session| (session.scene(), session.simulation().clock));
    move |reporter| {
        let (scene, clock) = asked.recv().ok()?;
        let mut simulation = scene.build().map_err(|error| reporter.fail(error.to_string())).ok()?;
        simulation.set_solver(solver);
        for (index, value) in settings.into_iter().enumerate() {
            simulation.solver_mut().settings_mut().assign(index, value);
        }
        (simulation.clock, simulation.cancel) = (clock, reporter.cancel_token());
        Some(simulation)
    }
}

impl ReportPart for Compass {
    fn add_to(&self, experiment: &mut Experiment, about: &Reported) {
        experiment.stability = self.chart(about.frame).map(|(chart, solvers)| {
            let command = stability_command(&experiment.lanes[0].scene, &solvers);
            CompassStudy { chart, command }
        });
    }
}

/// The command that charts the stability of a scene and of other solvers on it.
fn stability_command(scene: &Scene, solvers: &[&'static str]) -> String {
    let lane = |id: &&'static str| {
        let mut scene = scene.clone();
        scene.set_solver(id).ok()?;
        CommandLine::of(&scene).ok()?.lane(id)
    };
    let lanes = solvers.iter().filter_map(lane).collect();
    let common = CommandLine::unchanged(&scene.name);
    Repetition { common, lanes, ticks: 0, remarks: Vec::new() }.line(&["stability"], &["--chart", "stability.svg"])
}
