//! Recordings that are nearly right.

use weft::scene::Scalar;
use weft::session::{Command, CutHit, Replay, Session, Verdict};
use weft::sim::{Vec3, solvers};

use crate::mutation::mutate;
use crate::random::Random;
use crate::trial::{is_sentence, try_many};

/// Something that a hand or a panel may do to the cloth of `session`.
fn command(random: &mut Random, session: &Session) -> Command {
    let simulation = session.simulation();
    let vertex = random.below(simulation.state.cloth.len()) as u32;
    let target = Vec3::new(random.share(), random.share(), random.share()) * 2.0 - 1.0;
    match random.below(10) {
        0 => Command::Grab { vertex, target },
        1 => Command::Move { target },
        2 => Command::Release,
        3 => Command::Pin { vertex },
        4 => Command::Unpin { vertex },
        5 | 6 => {
            let count = simulation.pattern().triangles().len();
            let hit = |random: &mut Random| CutHit { triangle: random.below(count) as u32, weights: [0.4, 0.3, 0.3] };
            let hits = (0..3).map(|_| random.chance(0.8).then(|| hit(random))).collect();
            Command::Cut { begin: random.chance(0.5), hits }
        }
        7 => Command::Solver { id: random.choose(solvers::REGISTRY).info.id.to_owned() },
        8 => Command::Set { key: "gravity".to_owned(), value: Scalar::Real(random.share() * 10.0) },
        _ => Command::Iron,
    }
}

/// A few steps with commands between them; none where the random settings do not hold.
fn recording(random: &mut Random) -> Option<String> {
    let scene = crate::settings::random_scene(random);
    let simulation = scene.build().ok()?;
    let mut session = Session::new(scene, simulation);
    session.start_recording();
    for _ in 0..3 {
        let command = command(random, &session);
        session.apply(command);
        session.tick().ok()?;
    }
    session.recorded()
}

/// `text` with changes all over it, most of which are in the states, or in one of the lines, most
/// of which are short.
fn nearly(text: &str, random: &mut Random) -> String {
    if random.chance(0.5) {
        return mutate(text, random);
    }
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let at = random.below(lines.len());
    lines[at] = mutate(&lines[at], random);
    lines.join("\n") + "\n"
}

#[test]
fn a_recording_is_repeated_or_refused_in_a_sentence() {
    let mut random = Random::new(0);
    let whole: Vec<String> = (0..40).filter_map(|_| recording(&mut random)).collect();
    assert!(whole.len() > 10, "only {} of 40 recordings", whole.len());
    for text in &whole {
        let replay = Replay::parse(text, "whole.jsonl").expect("as it was written");
        assert_eq!(replay.run(0.0, |_| {}, |_, _| true), Ok(Verdict::Identical), "{text}");
    }
    try_many("recordings", 1500, |random| {
        let text = nearly(random.choose::<String>(&whole), random);
        let calm = |session: &mut Session| {
            let timing = &mut session.simulation_mut().parameters.timing;
            timing.work_limit = timing.work_limit.min(1.0);
        };
        match Replay::parse(&text, "test.jsonl").and_then(|replay| replay.run(1e-6, calm, |_, _| true)) {
            Ok(_) => Ok(()),
            Err(error) => {
                let message = error.to_string();
                if !message.starts_with("test.jsonl") {
                    return Err(format!("names no file: {message}"));
                }
                is_sentence(&message)
            }
        }
    });
}
