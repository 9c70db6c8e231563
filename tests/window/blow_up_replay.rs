//! The replay of the last steps before a blow-up, and the colours of what stands on both stages.

use std::sync::Arc;

use weft::app::input::gizmos::pin_colour;
use weft::app::replay::{Line, Replay, colour, limit, lines};
use weft::app::{Backdrop, stage_colours};
use weft::scene::Scene;
use weft::session::{Command, Failure, Session};
use weft::sim::Vec3;
use weft::sim::study::blow_up::LinearTheory;

use crate::harness::{has, panels, wait};

/// A session of a scene that symplectic Euler has blown up after some steps of the scene's solver,
/// with the positions after each step.
fn blown_up(scene: &str) -> (Session, Vec<Vec<Vec3>>) {
    let scene = Scene::load(scene).expect("it comes with the program");
    let simulation = scene.build().expect("good");
    let mut session = Session::new(scene, simulation);
    let mut states = vec![session.simulation().state.cloth.positions.clone()];
    for tick in 0.. {
        if tick == 15 {
            session.apply(Command::Solver { id: "symplectic-euler".to_owned() });
        }
        let failed = session.tick().is_err();
        if failed {
            break;
        }
        states.push(session.simulation().state.cloth.positions.clone());
        assert!(tick < 1000, "the step is too long for it");
    }
    (session, states)
}

fn failure(session: &Session) -> Arc<Failure> {
    session.frame(0).failure.clone().expect("it blew up")
}

#[test]
fn the_replay_shows_the_last_ten_steps_and_the_one_that_failed() {
    for scene in ["breeze", "hanging"] {
        let (session, states) = blown_up(scene);
        let failure = failure(&session);
        let (before, failed) = failure.last_states.split_at(10);
        assert_eq!(before, &states[states.len() - 10..], "{scene}");
        // the state that the failed step proposed is no other's
        let [failed] = failed else { panic!("{scene}: {} states", failure.last_states.len()) };
        assert!(states.iter().all(|state| state != failed), "{scene}");
        assert_eq!(session.simulation().state.cloth.positions, *states.last().expect("some"), "{scene}");
        assert_eq!(failure.frequencies.len(), session.simulation().pattern().springs().len());
    }
}

#[test]
fn states_that_were_set_are_not_replayed_as_steps() {
    let (mut session, _) = blown_up("hanging");
    session.apply(Command::Reset);
    session.apply(Command::Pause { on: false });
    let start = session.simulation().state.cloth.positions.clone();
    let mut steps = 0;
    while session.tick().is_ok() {
        steps += 1;
    }
    let failure = failure(&session);
    assert_eq!(failure.last_states.len(), (steps + 2).min(11));
    assert!(steps >= 9 || failure.last_states[0] == start, "{steps} steps");
}

#[test]
fn a_replay_goes_through_the_states_waits_and_begins_again_until_the_report_is_gone() {
    let (session, _) = blown_up("hanging");
    let (failure, other) = (failure(&session), failure(&blown_up("hanging").0));
    let mut replay = Replay::default();
    let count = failure.last_states.len();
    // a replay begins when the failure is first seen, and lasts as long as its states say
    let (mut now, mut seen) = (7.0, Vec::new());
    for _ in 0..2 * count + 1 {
        let (state, left) = replay.follow(Some(&failure), now).expect("steps");
        assert!(left > 0.0);
        assert_eq!(replay.follow(Some(&failure), now + 0.99 * left).map(|(state, _)| state), Some(state));
        seen.push(state);
        now += left;
    }
    let twice: Vec<usize> = (0..count).chain(0..count).chain([0]).collect();
    assert_eq!(seen, twice);
    assert!((now - 7.0 - 2.0 * 3.5 - 2.5 / count as f64).abs() < 1e-6, "each loop lasts 2.5 s and a pause of 1 s");
    // another failure from its beginning on; none, once the report is closed
    assert_eq!(replay.follow(Some(&failure), now + 1.3).map(|(state, _)| state > 0), Some(true));
    assert_eq!(replay.follow(Some(&other), now + 1.3).map(|(state, _)| state), Some(0));
    assert_eq!(replay.follow(None, now + 1.4), None);
    assert_eq!(replay.follow(Some(&other), now + 9.1).map(|(state, _)| state), Some(0), "it begins anew");
}

#[test]
fn a_spring_is_red_exactly_where_its_h_omega_exceeds_the_limit_of_the_method() {
    let red = colour(2.0, Some(2.0));
    assert_eq!(colour(50.0, Some(2.0)), red);
    assert_eq!(colour(0.001, Some(0.0)), red, "a method that is unstable at any step");
    // from blue to yellow below the limit
    let shades: Vec<[f32; 3]> = (0..20).map(|k| colour(0.0999 * f64::from(k), Some(2.0))).collect();
    assert!(shades.iter().all(|shade| *shade != red));
    assert!(shades.windows(2).all(|pair| pair[1][0] > pair[0][0] && pair[1][2] < pair[0][2]), "{shades:?}");
    assert_ne!(colour(50.0, None), red, "no limit is exceeded where there is none");
}

#[test]
fn the_lines_of_the_replay_are_the_springs_where_they_were_in_the_colours_of_the_theory() {
    let (session, states) = blown_up("hanging");
    let (failure, simulation) = (failure(&session), session.simulation());
    let pattern = simulation.pattern();
    let own = simulation.solver_critical_step();
    assert!(own.is_some(), "symplectic Euler is conditionally stable");
    let step = simulation.parameters.timing.time_step;
    let theory = LinearTheory { step, frequency: 100.0, own, symplectic: simulation.critical_step() };
    let limit = limit(&theory).expect("it has one");
    let ends: Vec<[Vec3; 2]> =
        pattern.springs().ends.iter().map(|ends| ends.map(|end| states[states.len() - 10][end as usize])).collect();
    let drawn: Vec<Line> = lines(&failure, 0, pattern, Some(&theory)).collect();
    let acting = failure.frequencies.iter().filter(|frequency| **frequency > 0.0).count();
    assert!(acting > 0 && drawn.len() == acting, "a quiet cloth is drawn whole: {} of {acting}", drawn.len());
    let acts = (0..).zip(&failure.frequencies).filter(|(_, frequency)| **frequency > 0.0);
    let mut reds = 0;
    for (line, (spring, frequency)) in drawn.iter().zip(acts) {
        assert_eq!(line.ends.map(|end| end + pattern.origin()), ends[spring]);
        let turns = step * f64::from(*frequency);
        let is_red = line.colour[..3] == colour(f64::MAX, Some(limit));
        assert_eq!(is_red, turns >= limit, "h·ω = {turns}");
        reds += usize::from(is_red);
    }
    // the failed state flies apart, and is cut where it leaves the picture
    let middle = states[states.len() - 10].iter().copied().sum::<Vec3>() / pattern.len() as f64 - pattern.origin();
    let last = failure.last_states.len() - 1;
    for Line { ends, colour } in lines(&failure, last, pattern, Some(&theory)) {
        assert!(ends.iter().all(|end| end.distance(middle) <= 8.0 * pattern.size() + 1e-6));
        assert!((0.0..=1.0).contains(&colour[3]));
    }
    assert!(reds > 0, "a stiff spring exceeds the limit");
}

#[test]
fn the_report_counts_the_steps_of_the_replay_and_explains_its_colours() {
    let mut harness = panels("breeze", &[], [1280.0, 720.0]);
    (0..20).for_each(|_| harness.state_mut().tick());
    harness.state_mut().send(Command::Solver { id: "symplectic-euler".to_owned() });
    while harness.state().frame().failure.is_none() {
        harness.state_mut().tick();
    }
    wait(&mut harness, "legend", |harness| has(harness, "above 1.99").then_some(()));
    for step in [0, 3, 7, 10, 0] {
        wait(&mut harness, "step", |harness| {
            has(harness, &format!("Slow replay: step {step} of the last")).then_some(())
        });
    }
}

/// Contrast of two colours of sRGB (WCAG 2.1).
fn contrast(a: [f32; 3], b: [f32; 3]) -> f32 {
    let linear = |x: f32| if x <= 0.04045 { x / 12.92 } else { ((x + 0.055) / 1.055).powf(2.4) };
    let luminance = |[r, g, b]: [f32; 3]| 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
    let [a, b] = [luminance(a), luminance(b)].map(|luminance| luminance + 0.05);
    a.max(b) / a.min(b)
}

#[test]
fn pins_stand_out_from_floor_and_wall_of_both_stages() {
    for stage in [Backdrop::Light, Backdrop::Dark] {
        for ground in stage_colours(stage) {
            let contrast = contrast(pin_colour(stage), ground.map(|channel| f32::from(channel) / 255.0));
            assert!(contrast >= 3.0, "{stage:?} {ground:?}: {contrast}");
        }
    }
}
