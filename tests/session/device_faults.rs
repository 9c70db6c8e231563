//! A device fails, and the cloth goes on without it.

use weft::scene::Scene;
use weft::session::device_fault::instead;
use weft::session::{Command, Replay, Session, Verdict};
use weft::sim::params::Tunable;
use weft::sim::solver_interface::{Capabilities, Info, Processor};
use weft::sim::{Cloth, Simulation, Solver, SolverState, StepError, StepInput, StepStats, Vec3, solvers};

use crate::desk::advance;

/// Step at which the device fails.
const LAST: u32 = 5;

/// How it fails.
#[derive(Clone, Copy, PartialEq)]
enum Fault {
    /// The driver says that it is gone.
    Lost,
    /// It gives numbers that are none.
    NotANumber,
}

/// Symplectic Euler on a device that fails.
struct Failing {
    solver: Box<dyn Solver>,
    processor: Processor,
    fault: Fault,
    steps: u32,
}

impl Solver for Failing {
    fn info(&self) -> &'static Info {
        self.solver.info()
    }

    fn settings(&self) -> &dyn Tunable {
        self.solver.settings()
    }

    fn settings_mut(&mut self) -> &mut dyn Tunable {
        self.solver.settings_mut()
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { processor: self.processor, ..self.solver.capabilities() }
    }

    fn step(
        &mut self,
        cloth: &mut Cloth,
        carried: &mut SolverState,
        input: &StepInput,
    ) -> Result<StepStats, StepError> {
        let stats = self.solver.step(cloth, carried, input);
        self.steps += 1;
        if self.steps < LAST {
            return stats;
        }
        cloth.positions[7] = Vec3::NAN;
        match self.fault {
            Fault::Lost => Err(StepError::Device("the graphics device Test was lost: its driver was reset".to_owned())),
            Fault::NotANumber => stats,
        }
    }
}

fn scene() -> Scene {
    let mut scene = Scene::load("hanging").expect("it comes with the program");
    for (key, value) in [("solver", "symplectic-euler"), ("time_step", "0.001")] {
        scene.set(key, value).expect("in range");
    }
    scene
}

/// A session whose solver fails at step [`LAST`].
fn failing(fault: Fault, processor: Processor) -> Session {
    let scene = scene();
    let mut known = scene.build().expect("good");
    let solver = solvers::build("symplectic-euler").expect("registered");
    let solver = Box::new(Failing { solver, processor, fault, steps: 0 });
    let mut simulation = Simulation::new(known.pattern().clone(), scene.parameters.mass, solver);
    simulation.parameters = known.parameters;
    simulation.state.world = known.state.world.clone();
    simulation.state.cloth.clone_from(&known.state.cloth);
    // as the scene has the others
    simulation.take_idle_solvers(&mut known);
    Session::new(scene, simulation)
}

#[test]
fn the_cloth_goes_on_with_another_solver_from_the_last_state() {
    // what a user would do who knew of it
    let mut expected = Session::new(scene(), scene().build().expect("good"));
    advance(&mut expected, LAST as usize - 1);
    expected.apply(Command::Solver { id: "fast-mass-spring".to_owned() });
    advance(&mut expected, 10);
    for fault in [Fault::Lost, Fault::NotANumber] {
        let mut session = failing(fault, Processor::Device);
        session.start_recording();
        advance(&mut session, LAST as usize + 9);
        let simulation = session.simulation();
        assert_eq!((simulation.solver().info().id, simulation.steps()), ("fast-mass-spring", u64::from(LAST) + 9));
        assert_eq!(simulation.fingerprint(), expected.simulation().fingerprint());
        assert!(session.failure().is_none());
        let sentence = session.device_fault().expect("it is said").to_owned();
        let reason = match fault {
            Fault::Lost => "the graphics device Test was lost: its driver was reset; ",
            Fault::NotANumber => "vertex 7 has no finite position or velocity; ",
        };
        assert!(sentence.contains(reason) && !sentence.contains('\n'), "{sentence}");
        assert!(sentence.ends_with("; the cloth continues with Fast mass-spring"), "{sentence}");
        assert_eq!(session.frame(0).message.as_ref(), Some(&sentence));
        // a recording repeats it where the device does not fail
        let replay = Replay::parse(&session.recorded().expect("a recording"), "a.jsonl").expect("as it was written");
        assert_eq!(replay.run(0.0, |_| {}, |_, _| true).expect("it can be repeated"), Verdict::Identical);
    }
}

#[test]
fn it_can_be_taken_back_like_a_choice_of_the_user() {
    let mut session = failing(Fault::Lost, Processor::Device);
    advance(&mut session, LAST as usize);
    assert_eq!(session.frame(0).timeline.undo.as_deref(), Some("Solver"));
    session.apply(Command::Undo);
    assert_eq!(session.simulation().solver().info().id, "symplectic-euler");
    // and is, if the device still fails
    advance(&mut session, 1);
    assert_eq!(session.simulation().solver().info().id, "fast-mass-spring");
}

#[test]
fn a_blow_up_that_is_no_fault_of_a_device_stops_the_time_as_before() {
    let mut session = failing(Fault::NotANumber, Processor::Host);
    advance(&mut session, LAST as usize - 1);
    assert!(session.tick().is_err());
    assert!(session.failure().is_some() && session.device_fault().is_none());
    assert_eq!(session.simulation().solver().info().id, "symplectic-euler");
}

#[test]
fn where_a_factor_does_not_fit_into_memory_a_solver_without_a_matrix_goes_on() {
    let million = 1025 * 1025;
    assert_eq!(instead(million, None), "fast-mass-spring");
    assert_eq!(instead(million, Some(64 << 30)), "fast-mass-spring");
    assert_eq!(instead(million, Some(8 << 30)), "vertex-block-descent");
    assert_eq!(instead(81 * 81, Some(1 << 30)), "fast-mass-spring");
    for solver in ["fast-mass-spring", "vertex-block-descent"] {
        let by = solvers::build(solver).expect("registered");
        assert_eq!(by.capabilities().processor, Processor::Host);
    }
}
