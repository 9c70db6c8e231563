//! Undo and redo in any order, with time and without.

use weft::scene::Scene;
use weft::session::{Command, Keeping, Session};

use crate::commands;
use crate::random::Random;
use crate::trial::{describe, try_some};

/// Most actions of a sequence.
const MOST: usize = 14;

/// What undo and redo restore while no time passes: all, but whether time stands still.
fn state(session: &Session) -> String {
    let start = serde_json::to_string(&session.start()).expect("only string keys");
    start.replacen("\"paused\":true", "\"paused\":false", 1)
}

/// The first part of a text that differs from the other, and that.
fn difference(text: &str, other: &str) -> String {
    let same = text.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    let part = |text: &str| text.bytes().skip(same.saturating_sub(60)).take(120).map(char::from).collect::<String>();
    format!("{}\ninstead of {}", part(text), part(other))
}

/// The scene with all values, and which vertices are pinned.
type Values = (Scene, Vec<u32>);

/// What they restore whatever time passes.
fn values(session: &Session) -> Values {
    (session.scene(), session.simulation().state.cloth.pins().iter().map(|pin| pin.vertex).collect())
}

/// The commands of an action at random.
fn action(random: &mut Random, session: &Session) -> Vec<Command> {
    loop {
        let command = commands::any(random, session);
        let gesture = |command: Command, end: Command| vec![command, end];
        match command {
            Command::Grab { .. } => return gesture(command, Command::Release),
            Command::MoveCollider { .. } => return gesture(command, Command::ReleaseCollider),
            Command::MoveHandle { .. } => return gesture(command, Command::Release),
            Command::Set { .. } => return gesture(command, Command::Finish),
            Command::Pin { .. }
            | Command::Unpin { .. }
            | Command::Cut { begin: true, .. }
            | Command::Fabric { .. }
            | Command::Iron
            | Command::Solver { .. }
            | Command::Wind { .. }
            | Command::Table { .. }
            | Command::Reset
            | Command::ResetHeld
            | Command::Edit { .. }
            | Command::Scene { .. }
            | Command::Open { .. }
            | Command::Arrange { .. } => return vec![command],
            _ => {}
        }
    }
}

/// A session with the states that undo and redo lead to.
struct Walk {
    session: Session,
    /// The values after so many actions, and the state if it is known.
    levels: Vec<(Values, Option<String>)>,
    level: usize,
    told: Vec<String>,
}

impl Walk {
    fn apply(&mut self, command: Command) -> Result<(), String> {
        self.told.push(format!("{command:?}"));
        self.session.apply(command);
        let message = self.session.message().map(str::to_owned);
        self.session.apply(Command::Dismiss);
        message.map_or(Ok(()), Err)
    }

    /// Takes steps, after which the states of other levels are not gone back to.
    fn pass(&mut self, random: &mut Random) -> bool {
        let holds = self.advance(random);
        self.levels.iter_mut().for_each(|level| level.1 = None);
        self.levels[self.level].1 = Some(state(&self.session));
        holds
    }

    fn advance(&mut self, random: &mut Random) -> bool {
        for _ in 0..=random.below(3) {
            self.told.push("a step".to_owned());
            if random.chance(0.5) {
                self.session.apply(Command::Step);
            } else {
                let _ = self.session.tick();
            }
        }
        self.session.failure().is_none()
    }

    fn act(&mut self, random: &mut Random, with_time: bool) -> Result<bool, String> {
        let newest = self.session.frame(0).timeline.newest_action;
        let commands = action(random, &self.session);
        // a parameter is undone without going back in time
        let is_gesture = commands.len() > 1;
        let goes_back = !matches!(commands[0], Command::Set { .. });
        for command in commands {
            let is_last = matches!(command, Command::Release | Command::ReleaseCollider | Command::Finish);
            // what is refused changes nothing
            if self.apply(command).is_err() {
                break;
            }
            if is_gesture && with_time && !is_last && random.chance(0.4) {
                if !goes_back {
                    self.levels.iter_mut().for_each(|level| level.1 = None);
                }
                if !self.advance(random) {
                    return Ok(false);
                }
            }
        }
        if self.session.frame(0).timeline.newest_action == newest {
            // but for a stroke that misses the cloth, nothing was done
            let now = (values(&self.session), Some(state(&self.session)));
            if now.0 != self.levels[self.level].0 {
                return Err("something was done that is no action".to_owned());
            }
            self.levels.iter_mut().for_each(|level| level.1 = None);
            self.levels[self.level] = now;
            return Ok(true);
        }
        self.levels.truncate(self.level + 1);
        self.levels.push((values(&self.session), Some(state(&self.session))));
        self.level += 1;
        Ok(true)
    }

    fn go(&mut self, redo: bool) -> Result<(), String> {
        let command = if redo { Command::Redo } else { Command::Undo };
        self.apply(command).map_err(|message| format!("it is refused: {message}"))?;
        self.level = if redo { self.level + 1 } else { self.level - 1 };
        let (values_then, state_then) = &mut self.levels[self.level];
        let (values, state) = (values(&self.session), state(&self.session));
        if values != *values_then {
            let [now, then] = [&values, values_then].map(|values| format!("{values:?}"));
            return Err(format!("other values at level {}: {}", self.level, difference(&now, &then)));
        }
        match state_then {
            Some(then) if *then != state => {
                Err(format!("another state at level {}: {}", self.level, difference(&state, then)))
            }
            then => {
                *then = Some(state);
                Ok(())
            }
        }
    }
}

fn walk(random: &mut Random) -> Result<(), String> {
    let mut session = commands::session(random);
    session.keep_time(Keeping::default());
    (0..random.below(4)).for_each(|_| drop(session.tick()));
    session.apply(Command::Pause { on: random.chance(0.5) });
    let with_time = random.chance(0.5);
    let levels = vec![(values(&session), Some(state(&session)))];
    let mut walk = Walk { session, levels, level: 0, told: Vec::new() };
    let done = steps(&mut walk, random, with_time);
    describe(|| walk.told.join("\n"));
    done.map_err(|fault| format!("{fault}\nafter {}", walk.told.join("\n      ")))
}

fn steps(walk: &mut Walk, random: &mut Random, with_time: bool) -> Result<(), String> {
    for _ in 0..4 * MOST {
        if walk.session.failure().is_some() {
            return Ok(());
        }
        let top = walk.levels.len() - 1;
        match random.below(10) {
            0..4 if top < MOST && !walk.act(random, with_time)? => return Ok(()),
            0..4 => {}
            4..7 if walk.level > 0 => walk.go(false)?,
            7..9 if walk.level < top => walk.go(true)?,
            9 if random.chance(0.3) => walk.apply(Command::Pause { on: random.chance(0.5) })?,
            9 if with_time && !walk.pass(random) => return Ok(()),
            _ => {}
        }
    }
    // all the way back and forth
    while walk.level > 0 {
        walk.go(false)?;
    }
    while walk.level + 1 < walk.levels.len() {
        walk.go(true)?;
    }
    Ok(())
}

#[test]
fn actions_undone_and_redone_in_any_order_lead_to_the_same_states() {
    try_some("undo", 300, 5_000, walk);
}

/// As many again, for another core.
#[test]
fn other_actions_undone_and_redone_lead_to_the_same_states() {
    try_some("undo after one number", 10, 5_000, |random| {
        // sequences that the other test does not have
        let _ = random.share();
        walk(random)
    });
}
