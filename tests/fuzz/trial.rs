//! Tries many inputs, one seed each, and says all that fails.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use weft::documents::{ClothSurface, csv_row, write_obj};
use weft::scene::{Scene, Snapshot};
use weft::sim::contact::Intersections;
use weft::sim::quantities::StepReading;
use weft::sim::{Simulation, StepStats};

use crate::random::Random;

/// What takes longer than this hangs.
const PATIENCE: Duration = Duration::from_secs(900);
/// Set where all inputs are to be tried but those that the fast tier tries.
pub const WHOLE: &str = "WEFT_FUZZ_WHOLE";
/// The share of the inputs that the fast tier tries.
const FAST: u64 = 5;
/// Failures after which no more inputs are tried.
const ENOUGH: usize = 10;

/// A number from the environment.
fn from_environment(name: &str, default: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name} takes a whole number, not \"{text}\"")),
        Err(_) => default,
    }
}

/// Tells of an input, when it is the only one.
pub fn describe(input: impl FnOnce() -> String) {
    if from_environment("WEFT_FUZZ_COUNT", 0) == 1 {
        eprintln!("{}", input());
    }
}

/// Tries a part of `count` inputs, or as many as the environment says. A trial says what is wrong.
pub fn try_many(kind: &str, count: u64, trial: impl Fn(&mut Random) -> Result<(), String> + Sync) {
    try_some(kind, count.div_ceil(FAST), count, trial);
}

/// The same with `fast` inputs in the fast tier.
pub fn try_some(kind: &str, fast: u64, count: u64, trial: impl Fn(&mut Random) -> Result<(), String> + Sync) {
    let (first, count) = if from_environment(WHOLE, 0) == 1 { (1 + fast, count - fast) } else { (1, fast) };
    let first = from_environment("WEFT_FUZZ_SEED", first);
    let count = from_environment("WEFT_FUZZ_COUNT", count);
    let at_work: Mutex<Option<(u64, Instant)>> = Mutex::new(None);
    let over = AtomicBool::new(false);
    let mut failures = Vec::new();
    std::thread::scope(|scope| {
        // a trial that hangs cannot be stopped, but it can be named
        scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(50));
                let trial = *at_work.lock().expect("no panic with the lock");
                if let Some((seed, _)) = trial.filter(|(_, since)| since.elapsed() > PATIENCE) {
                    eprintln!("{kind}, WEFT_FUZZ_SEED={seed}: hangs");
                    std::process::abort();
                }
            }
        });
        for seed in first..first + count {
            *at_work.lock().expect("no panic with the lock") = Some((seed, Instant::now()));
            let outcome = catch_unwind(AssertUnwindSafe(|| trial(&mut Random::new(seed))));
            let failure = match outcome {
                Ok(Ok(())) => continue,
                Ok(Err(failure)) => failure,
                Err(panic) => {
                    let message = panic.downcast_ref::<String>().map(String::as_str);
                    format!("panic: {}", message.or(panic.downcast_ref::<&str>().copied()).unwrap_or_default())
                }
            };
            failures.push(format!("WEFT_FUZZ_SEED={seed}: {failure}"));
            if failures.len() == ENOUGH {
                break;
            }
        }
        over.store(true, Ordering::Relaxed);
    });
    assert!(failures.is_empty(), "{kind}:\n{}", failures.join("\n"));
}

/// Asserts that a message is a sentence on one line that repeats little.
pub fn is_sentence(message: &str) -> Result<(), String> {
    let short: String = message.chars().take(500).collect();
    if message.is_empty() || message.contains('\n') || message.chars().count() > 1500 {
        return Err(format!("not a short sentence: {short}"));
    }
    let longest = message.split(|c: char| !c.is_alphanumeric()).map(|word| word.chars().count()).max();
    if longest > Some(80) { Err(format!("quotes more than 80 characters: {short}")) } else { Ok(()) }
}

/// Takes `steps` steps and checks that what would be written is finite and can be read again.
pub fn run(scene: &Scene, simulation: &mut Simulation, steps: usize) -> Result<(), String> {
    for _ in 0..steps {
        match simulation.step() {
            Ok(stats) => check_row(simulation, &stats)?,
            Err(error) => {
                is_sentence(&error.to_string())?;
                break;
            }
        }
    }
    check_files(scene, simulation)
}

fn check_row(simulation: &Simulation, stats: &StepStats) -> Result<(), String> {
    let intersections = Intersections::default().find(simulation.pattern(), &simulation.state.cloth.positions).len();
    let row = csv_row(&StepReading::new(simulation, stats).with_intersections(Some(intersections)));
    // an energy that the solver does not know is left empty
    let finite = row.iter().all(|field| field.is_empty() || field.parse::<f64>().is_ok_and(f64::is_finite));
    if finite { Ok(()) } else { Err(format!("a row that is not finite: {}", row.join(","))) }
}

fn check_files(scene: &Scene, simulation: &Simulation) -> Result<(), String> {
    let mut obj = Vec::new();
    let surface = ClothSurface::new(simulation.shared_pattern(), scene);
    write_obj(&surface, simulation.time(), &simulation.state.cloth.positions, &mut obj)
        .map_err(|error| error.to_string())?;
    let obj = String::from_utf8_lossy(&obj);
    if obj.contains("NaN") || obj.contains("inf") {
        return Err("a mesh that is not finite".to_owned());
    }
    let json = Snapshot::of(scene, simulation).to_json();
    let snapshot =
        Snapshot::parse(&json, "own.json").map_err(|error| format!("its own snapshot is refused: {error}"))?;
    let (_, again) = snapshot.restore().map_err(|error| format!("its own snapshot is refused: {error}"))?;
    let (cloth, other) = (&simulation.state.cloth, &again.state.cloth);
    let parts = [
        ("positions", cloth.positions == other.positions),
        ("velocities", cloth.velocities == other.velocities),
        ("masses", cloth.masses == other.masses),
        ("pins", cloth.pins() == other.pins()),
    ];
    match parts.iter().find(|(_, same)| !same) {
        Some((part, _)) => Err(format!("its own snapshot has other {part}")),
        None => Ok(()),
    }
}
