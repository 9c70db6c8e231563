//! The stability compass in the background: where methods hold in the plane of time step and
//! stiffness, on copies of the cloth, while the window goes on.

mod chart;
pub mod panel;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bevy::prelude::*;

use super::desk::Desk;
use super::session::SessionHandle;
use super::task::{Reporter, Task};
use crate::scene::{InputError, Scene};
use crate::session::Frame;
use crate::sim::params::Setting;
use crate::sim::solvers::REGISTRY;
use crate::sim::study::compass::{Break, Chart, Point, Region};
use crate::sim::study::stability::{largest_stiffness, with_stiffness};
use crate::sim::{Clock, Material, Parameters, Real, Simulation};

/// Most regions that are kept.
const MOST: usize = 64;
/// For how long what regions depend on has to stay as it is before they are looked for.
const SETTLED: Duration = Duration::from_millis(300);
/// The time steps of a chart [s]: those that the parameter may have.
const TIME_STEPS: [Real; 2] = [1e-4, 0.1];
/// Decades of stiffness below and above that of the scene, and the greatest that the parameter may
/// have [N/m].
const DECADES: [i32; 2] = [3, 4];
const STIFFEST: Real = 1e9;

/// Choices, running surveys and regions.
pub struct Compass {
    /// The solvers whose regions are shown beside that of the one at work.
    pub chosen: BTreeSet<&'static str>,
    /// The material when the dot was taken, while it is dragged.
    pub dragged: Option<Material>,
    /// Where a border was asked about last: of which solver, with the answer as soon as there is
    /// one.
    pub asked: Option<(&'static str, Option<Break>)>,
    /// The region that could not be looked for, and why.
    fault: Option<(Key, String)>,
    regions: VecDeque<(Key, Arc<Region>)>,
    running: Option<Running>,
    answering: Option<Task<Break>>,
    /// Settings of the solvers when they were at work last.
    settings: BTreeMap<&'static str, Vec<Setting>>,
    /// The region to be surveyed next, and since when.
    settling: Option<(Key, Instant)>,
    /// Whether it was seen in this frame.
    is_seen: bool,
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

struct Running {
    key: Key,
    task: Task<Found>,
    so_far: Option<Arc<Region>>,
}

enum Found {
    Part(Region),
    Whole(Region),
    Fault(InputError),
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
        Self {
            chosen: ["symplectic-euler", "harmonic-oscillator", "explicit-euler"].into(),
            dragged: None,
            asked: None,
            fault: None,
            regions: VecDeque::new(),
            running: None,
            answering: None,
            settings: BTreeMap::new(),
            settling: None,
            is_seen: false,
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, rest);
}

/// Calls off what nobody looks at any more.
fn rest(mut desk: ResMut<Desk>) {
    let compass = &mut desk.compass;
    if !std::mem::take(&mut compass.is_seen) && (compass.running.is_some() || compass.answering.is_some()) {
        (compass.running, compass.answering, compass.dragged) = (None, None, None);
        info!("compass put away");
    }
}

/// The part of the plane that is shown for a cloth: some decades around the stiffness of the scene,
/// wide enough for the present one.
#[must_use]
pub fn chart_of(frame: &Frame) -> Chart {
    let [at_first, now] = [&frame.defaults.parameters, &frame.parameters].map(|of| largest_stiffness(&of.material));
    let decade = |k: Real| k.max(1e-6).log10();
    let middle = decade(if at_first > 0.0 { at_first } else { 100.0 }).floor() as i32;
    let now = if now > 0.0 { decade(now) } else { Real::from(middle) };
    let low = (middle - DECADES[0]).min(now.floor() as i32);
    let high = (middle + DECADES[1]).max(now.ceil() as i32);
    let power = |exponent: i32| Real::powi(10.0, exponent).min(STIFFEST);
    Chart { time_steps: TIME_STEPS, stiffnesses: [power(low), power(high)] }
}

impl Compass {
    /// What is to be shown, that of the solver at work first. What is missing is looked for, one
    /// region after the other.
    pub fn tend(&mut self, session: &mut SessionHandle) -> Vec<ShownRegion> {
        self.is_seen = true;
        let frame = Arc::clone(session.frame());
        self.settings.insert(frame.solver.id, frame.settings.clone());
        self.take();
        let others = REGISTRY.iter().map(|entry| entry.info.id);
        let others = others.filter(|id| self.chosen.contains(id) && *id != frame.solver.id);
        let solvers: Vec<&'static str> = std::iter::once(frame.solver.id).chain(others).collect();
        let keys: Vec<Key> = solvers.iter().map(|solver| self.key(&frame, solver)).collect();
        if self.running.as_ref().is_some_and(|running| !keys.contains(&running.key)) {
            self.running = None;
        }
        self.fault.take_if(|(of, _)| !keys.contains(of));
        if self.running.is_none() && self.fault.is_none() {
            self.begin_next(&keys, session);
        }
        solvers.into_iter().zip(keys).map(|(solver, key)| self.shown(solver, &key)).collect()
    }

    /// Why a region that is shown could not be looked for, if so.
    #[must_use]
    pub fn fault(&self) -> Option<&str> {
        self.fault.as_ref().map(|(_, why)| why.as_str())
    }

    fn shown(&self, solver: &'static str, key: &Key) -> ShownRegion {
        let known = self.regions.iter().find(|(known, _)| known == key).map(|(_, region)| Arc::clone(region));
        let running = self.running.as_ref().filter(|running| running.key == *key);
        ShownRegion {
            solver,
            region: known.or_else(|| running.and_then(|running| running.so_far.clone())),
            progress: running.map(|running| running.task.progress()),
        }
    }

    fn key(&self, frame: &Frame, solver: &'static str) -> Key {
        let mut parameters = frame.parameters;
        parameters.timing.time_step = 0.0;
        let mut material = with_stiffness(&parameters.material, 1.0);
        // what is scaled and scaled back differs in the last digits
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
        let task = Task::start(move |reporter| {
            let Some(built) = copy(reporter) else { return };
            let found = built.map(|mut simulation| {
                let mut show = |region: &Region| reporter.send(Found::Part(region.clone()));
                chart.survey(&mut simulation, &mut |share| reporter.tell(share), &mut show)
            });
            match found {
                Ok(ControlFlow::Continue(region)) => reporter.send(Found::Whole(region)),
                Ok(ControlFlow::Break(())) => {}
                Err(error) => reporter.send(Found::Fault(error)),
            }
        });
        self.running = Some(Running { key: key.clone(), task, so_far: None });
    }

    /// Finds out what breaks at a point of the chart.
    pub fn ask(&mut self, solver: &'static str, point: Point, session: &mut SessionHandle) {
        let chart = chart_of(session.frame());
        let copy = copy(session, solver, self.settings.get(solver).cloned().unwrap_or_default());
        self.asked = Some((solver, None));
        self.answering = Some(Task::start(move |reporter: &Reporter<Break>| {
            let Some(Ok(mut simulation)) = copy(reporter) else { return };
            let found = chart.what_breaks(&mut simulation, point, &mut || reporter.tell(0.0));
            if let ControlFlow::Continue(found) = found {
                reporter.send(found);
            }
        }));
    }

    /// Takes over what has been found.
    fn take(&mut self) {
        if let Some(running) = &mut self.running {
            let (found, ended) = running.task.poll();
            for found in found {
                match found {
                    Found::Part(region) => running.so_far = Some(Arc::new(region)),
                    Found::Whole(region) => {
                        info!("compass: {} tried at {} points", running.key.solver, region.tried());
                        if self.regions.len() == MOST {
                            self.regions.pop_front();
                        }
                        self.regions.push_back((running.key.clone(), Arc::new(region)));
                    }
                    Found::Fault(error) => self.fault = Some((running.key.clone(), error.to_string())),
                }
            }
            if ended {
                self.running = None;
            }
        }
        if let Some(answering) = &mut self.answering {
            let (found, ended) = answering.poll();
            if let (Some(found), Some((solver, answer))) = (found.into_iter().next_back(), &mut self.asked) {
                debug!("compass: {solver} {found:?}");
                *answer = Some(found);
            }
            if ended {
                self.answering = None;
            }
        }
    }
}

/// Orders a copy of the scene from its start, with the parameters as they are and a solver with its
/// settings; the copy is built where it is used.
fn copy<T>(
    session: &mut SessionHandle,
    solver: &'static str,
    settings: Vec<Setting>,
) -> impl FnOnce(&Reporter<T>) -> Option<Result<Simulation, InputError>> + Send + use<T> {
    let asked: std::sync::mpsc::Receiver<(Scene, Clock)> =
        session.ask(|session| (session.scene(), session.simulation().clock));
    move |reporter| {
        // without an answer there is no session any more
        let (scene, clock) = asked.recv().ok()?;
        Some(scene.build().map(|mut simulation| {
            simulation.set_solver(solver);
            for (index, value) in settings.into_iter().enumerate() {
                simulation.solver_mut().settings_mut().assign(index, value);
            }
            (simulation.clock, simulation.cancel) = (clock, reporter.cancel_token());
            simulation
        }))
    }
}
