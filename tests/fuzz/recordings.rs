//! Recordings that are nearly right.

use weft::session::lesson::{Lesson, Walk};
use weft::session::{Command, Keeping, Lanes, Replay, Session, Verdict};

use crate::commands;
use crate::mutation::mutate;
use crate::random::Random;
use crate::trial::{describe, is_sentence, try_many, try_some};

/// A few steps with commands between them.
fn recording(random: &mut Random) -> String {
    let mut session = commands::session(random);
    session.start_recording();
    for _ in 0..3 {
        let command = commands::any(random, &session);
        session.apply(command);
        // one that fails is not in the recording
        let _ = session.tick();
    }
    session.recorded().expect("a recording")
}

/// Whether a recording is repeated to the bit.
fn is_repeated(text: &str) -> Result<(), String> {
    let replay = Replay::parse(text, "own.jsonl").map_err(|error| format!("it cannot be read: {error}"))?;
    match replay.run(0.0, |_| {}, |_, _| true) {
        Ok(Verdict::Identical) => Ok(()),
        other => Err(format!("{other:?}")),
    }
}

/// Whether the recording of a session and that of its time line are repeated to the bit, and the
/// session is what it was before the second was made.
fn is_recorded(session: &mut Session) -> Result<(), String> {
    is_repeated(&session.recorded().expect("a recording")).map_err(|fault| format!("the recording: {fault}"))?;
    let (before, at) = (session.start(), session.frame(0).timeline);
    let way = session.record_way().map_err(|error| error.to_string())?;
    is_repeated(&way).map_err(|fault| format!("the recording of the time line: {fault}"))?;
    let is_same = session.start() == before && session.frame(0).timeline == at;
    if is_same { Ok(()) } else { Err("the recording of the time line has changed the session".to_owned()) }
}

/// A session with all that may happen to it.
fn try_session(random: &mut Random) -> Result<(), String> {
    let mut session = commands::session(random);
    let (begins, mut told) = (random.below(10), Vec::new());
    for number in 0..10 + random.below(30) {
        if number == begins {
            told.push("recording begins".to_owned());
            session.start_recording();
        }
        if random.chance(0.4) {
            told.push("tick".to_owned());
            // one that fails is not in the recording
            let _ = session.tick();
        } else {
            let command = commands::any(random, &session);
            told.push(format!("{command:?}"));
            session.apply(command);
        }
    }
    describe(|| told.join("\n"));
    is_recorded(&mut session).map_err(|fault| format!("{fault}\nafter {}", told.join("\n      ")))
}

/// Lanes of these sessions with all that may happen to them, after some commands.
fn try_lanes(sessions: Vec<Session>, first: &[Command], random: &mut Random) -> Result<(), String> {
    let mut told = Vec::new();
    let mut lanes = Lanes::new(sessions).expect("so many are possible");
    for number in 0..first.len() + 5 + random.below(15) {
        let lane = random.below(lanes.lanes().len());
        let command = match first.get(number) {
            Some(command) => Some(command.clone()),
            None => random.chance(0.5).then(|| commands::any(random, lanes.lanes()[0].session())),
        };
        told.push(format!("lane {lane}: {command:?}"));
        // a lane that refuses a command has not executed it
        let _ = match command {
            Some(command) if random.chance(0.5) => lanes.apply(&command),
            Some(command) => lanes.apply_to(lane, &command),
            None => lanes.tick().map_err(|stopped| weft::scene::InputError::new("", stopped.to_string())),
        };
    }
    describe(|| told.join("\n"));
    let mut sessions = lanes.into_sessions().into_iter().enumerate();
    sessions.try_for_each(|(lane, mut session)| {
        is_recorded(&mut session).map_err(|fault| format!("lane {lane}: {fault}\nafter {}", told.join("\n      ")))
    })
}

#[test]
fn a_random_session_is_recorded_and_repeated_to_the_bit() {
    try_some("sessions", 300, 1500, try_session);
}

#[test]
fn random_lanes_are_recorded_and_repeated_to_the_bit() {
    try_some("lanes", 30, 150, |random| {
        let start = commands::session(random);
        let lane = |random: &mut Random| {
            let mut session = Session::resume(&start.start()).map_err(|error| error.to_string())?;
            session.apply(commands::solver(random, &session));
            session.keep_time(Keeping::default());
            session.start_recording();
            Ok(session)
        };
        let sessions = (0..1 + random.below(3)).map(|_| lane(random)).collect::<Result<_, String>>()?;
        try_lanes(sessions, &[], random)
    });
}

#[test]
fn random_lessons_are_recorded_and_repeated_to_the_bit() {
    let lessons = Lesson::all().expect("they come with the program");
    try_some("lessons", 4, 60, |random| {
        let lesson = random.choose::<Lesson>(&lessons).clone();
        let at = random.below(lesson.steps.len());
        let show = lesson.steps[at].show.clone();
        let (_, mut stage) = Walk::begin_at(lesson, at).map_err(|error| error.to_string())?;
        for session in &mut stage.sessions {
            session.keep_time(Keeping::default());
            session.start_recording();
        }
        try_lanes(stage.sessions, &show, random)
    });
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
    let whole: Vec<String> = (0..40).map(|_| recording(&mut random)).collect();
    for text in &whole {
        assert_eq!(is_repeated(text), Ok(()), "{text}");
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
