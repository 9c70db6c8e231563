//! A sweep that is started in the window: `weft sweep` as a program of its own, on the scene as it
//! is, whose table is shown as it grows.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bevy::prelude::{info, warn};

use crate::app::session::SessionHandle;
use crate::app::task::{Reporter, Study};
use crate::documents::folder;
use crate::sim::Real;
use crate::sim::params::{Kind, Param, Setting, Span, Tunable};

/// How often it is looked whether the program has ended.
const INTERVAL: Duration = Duration::from_millis(100);
/// Number of values of a parameter at first.
const VALUES: u32 = 8;

/// A parameter with the values that it is to have.
#[derive(Debug, Clone)]
pub struct Varied {
    /// The parameter.
    pub param: &'static Param,
    /// First and last value, as they are typed, with or without a unit.
    pub ends: [String; 2],
    /// Number of values.
    pub count: u32,
    /// Whether equal ways are equal factors.
    pub logarithmic: bool,
}

impl Varied {
    /// A parameter that has the value `now`, over what its slider spans; none where it has none.
    #[must_use]
    pub fn of(param: &'static Param, now: Setting) -> Option<Self> {
        let span = Span::of(param.kind, now)?;
        // a logarithmic range begins above zero
        let low = if span.logarithmic && span.low <= 0.0 { span.smallest() } else { span.low };
        let is_whole = matches!(param.kind, Kind::Integer { .. });
        let text = |x: Real| if is_whole { format!("{x:.0}") } else { crate::sim::params::quote::number(rounded(x)) };
        let ends = [low, span.high].map(text);
        // whole numbers are listed
        let count = if is_whole { VALUES.min((span.high - span.low) as u32 + 1) } else { VALUES };
        Some(Self { param, ends, count, logarithmic: span.logarithmic })
    }

    /// The argument of `--vary`. Whole numbers are a list, each once.
    ///
    /// # Errors
    /// In a sentence, for an end that the parameter does not take.
    pub fn argument(&self) -> Result<String, String> {
        let end = |text: &str| match self.param.parse(text) {
            Ok(Setting::Real(x)) => Ok(x),
            Ok(Setting::Integer(n)) => Ok(Real::from(n)),
            Ok(_) => Err(format!("{} takes no numbers", self.param.label)),
            Err(error) => Err(format!("{}: {error}", self.param.label)),
        };
        let [low, high] = [end(&self.ends[0])?, end(&self.ends[1])?];
        let key = self.param.key;
        if self.logarithmic && low.min(high) <= 0.0 {
            return Err(format!("{}: equal factors need ends above zero", self.param.label));
        }
        if matches!(self.param.kind, Kind::Integer { .. }) {
            let last = Real::from(self.count.max(2) - 1);
            let value = |place: u32| {
                let share = Real::from(place) / last;
                if self.logarithmic { low * (high / low).powf(share) } else { low + share * (high - low) }
            };
            let mut values: Vec<u32> = (0..self.count).map(|place| value(place).round() as u32).collect();
            values.dedup();
            let values: Vec<String> = values.iter().map(u32::to_string).collect();
            return Ok(format!("{key}={}", values.join(",")));
        }
        let number = crate::sim::params::quote::number;
        if self.count == 1 || low == high {
            return Ok(format!("{key}={}", number(low)));
        }
        let by = if self.logarithmic { "log:" } else { "" };
        Ok(format!("{key}={}:{}:{by}{}", number(low), number(high), self.count))
    }
}

/// `x` to three digits.
fn rounded(x: Real) -> Real {
    format!("{x:.2e}").parse().unwrap_or(x)
}

/// The settings of a sweep.
#[derive(Debug, Clone)]
pub struct Form {
    /// The parameter across.
    pub across: Option<Varied>,
    /// The parameter upwards, if a second one is varied.
    pub up: Option<Varied>,
    /// Place of the measure among [`MEASURES`](crate::sim::quantities::MEASURES).
    pub measure: usize,
    /// Simulated time of each run [s].
    pub seconds: Real,
    /// The table that it writes, from the folder that Weft runs in.
    pub table: String,
}

impl Default for Form {
    fn default() -> Self {
        Self { across: None, up: None, measure: 0, seconds: 2.0, table: "sweep.csv".to_owned() }
    }
}

impl Form {
    /// Number of runs.
    #[must_use]
    pub fn runs(&self) -> u32 {
        [&self.across, &self.up].into_iter().flatten().map(|varied| varied.count.max(1)).product()
    }

    /// Folder and stem of the table.
    ///
    /// # Errors
    /// In a sentence, for a name that is none, or a folder that does not exist.
    pub fn place(&self) -> Result<(PathBuf, String), String> {
        let path = Path::new(self.table.trim());
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let stem = stem.ok_or("Table: type the name of a file, like sweep.csv")?;
        let folder = folder(path);
        // an empty one is the present one
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        if !folder.is_dir() {
            return Err(format!("Table: the folder {} does not exist", folder.display()));
        }
        Ok((folder.to_owned(), stem))
    }

    /// The arguments of `weft sweep` beside scene and table.
    ///
    /// # Errors
    /// In a sentence, for a value that no parameter takes, or for one parameter named twice.
    pub fn arguments(&self) -> Result<Vec<String>, String> {
        self.place()?;
        let varied: Vec<&Varied> = [&self.across, &self.up].into_iter().flatten().collect();
        match varied[..] {
            [] => return Err("Choose a parameter to vary".to_owned()),
            [a, b] if a.param.key == b.param.key => return Err(format!("{} is named twice", a.param.label)),
            _ => {}
        }
        let mut arguments = Vec::new();
        for varied in varied {
            arguments.extend(["--vary".to_owned(), varied.argument()?]);
        }
        let measures = &crate::sim::quantities::MEASURES;
        // the colour first, then what most ask next
        let mut names = vec![measures[self.measure.min(measures.len() - 1)].key];
        names.extend(["max_strain", "energy", "ms"].into_iter().filter(|name| *name != names[0]).collect::<Vec<_>>());
        arguments.extend(["--measure".to_owned(), names.join(",")]);
        arguments.extend(["--seconds".to_owned(), self.seconds.to_string()]);
        Ok(arguments)
    }
}

/// The parameters that can be varied: those with numbers, common and of the solver at work.
#[must_use]
pub fn parameters(session: &SessionHandle) -> Vec<(&'static Param, Setting)> {
    let of = |group: &dyn Tunable| -> Vec<(&'static Param, Setting)> {
        group.params().iter().enumerate().map(|(index, param)| (param, group.get(index))).collect()
    };
    let own = of(session.solver().settings());
    let common = session.parameters().groups().flat_map(of);
    common.chain(own).filter(|(param, now)| Span::of(param.kind, *now).is_some()).collect()
}

/// The program while it runs.
#[derive(Default)]
pub struct SweepRun {
    pub(super) study: Study<PathBuf>,
    /// The program itself, to be ended with the window.
    program: Arc<Mutex<Option<Child>>>,
    /// The table that it writes.
    pub table: Option<PathBuf>,
}

impl SweepRun {
    /// Starts a sweep of the scene as it is, into the table of the form, or the first such name
    /// that is free. Without valid settings nothing starts.
    pub fn start(&mut self, form: &Form, session: &mut SessionHandle) {
        let (Ok(arguments), Ok((into, stem))) = (form.arguments(), form.place()) else { return };
        let scene = session.ask(|session| session.scene_to_save());
        (self.program, self.table) = (Arc::default(), None);
        let running = Arc::clone(&self.program);
        self.study.start(move |reporter| {
            // without an answer there is no session any more
            let Ok(scene) = scene.recv() else { return };
            let result = scene.map_err(|error| error.to_string()).and_then(|scene| {
                let failed = |error: io::Error| format!("The sweep cannot be started: {error}");
                let [file, table] = free_names(&into, &stem).map_err(failed)?;
                fs::write(&file, scene.to_ron_in(folder(&file))).map_err(failed)?;
                let mut program = program(&file, &table, &arguments).map_err(failed)?;
                let errors = program.stderr.take();
                *locked(&running) = Some(program);
                info!("sweep started: {}", arguments.join(" "));
                reporter.send(table);
                watch(errors, &running, reporter)
            });
            if let Err(why) = result {
                reporter.fail(why);
            }
            info!("sweep ended");
        });
    }

    /// Takes over the name of the table, once there is one.
    pub fn follow(&mut self) {
        if let Some(table) = self.study.poll().0.pop() {
            self.table = Some(table);
        }
    }
}

/// The first names of a scene and a table, with one stem and number, that are both free.
fn free_names(folder: &Path, stem: &str) -> io::Result<[PathBuf; 2]> {
    for number in 1..10_000 {
        let suffix = if number == 1 { String::new() } else { format!("-{number}") };
        let names = ["ron", "csv"].map(|ending| folder.join(format!("{stem}{suffix}.{ending}")));
        if names.iter().all(|name| !name.exists()) {
            return Ok(names);
        }
    }
    Err(io::Error::other("there are too many sweeps in this folder"))
}

fn program(scene: &Path, table: &Path, arguments: &[String]) -> io::Result<Child> {
    // a core stays for the cloth in the window
    let threads = std::thread::available_parallelism().map_or(1, |cores| cores.get().saturating_sub(1).max(1));
    Command::new(std::env::current_exe()?)
        .arg("sweep")
        .arg("--scene")
        .arg(scene)
        .args(arguments)
        .arg("--out")
        .arg(table)
        .args(["--threads", &threads.to_string()])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
}

impl Drop for SweepRun {
    fn drop(&mut self) {
        if let Some(mut program) = locked(&self.program).take() {
            // it may have ended by itself
            let _ = program.kill();
            let _ = program.wait();
        }
    }
}

fn locked(program: &Mutex<Option<Child>>) -> MutexGuard<'_, Option<Child>> {
    program.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits for the end of the program, also of one that was called off.
fn watch(
    errors: Option<ChildStderr>,
    program: &Mutex<Option<Child>>,
    reporter: &Reporter<PathBuf>,
) -> Result<(), String> {
    let said = std::thread::spawn(move || {
        let mut text = String::new();
        errors.map(|mut errors| errors.read_to_string(&mut text));
        text
    });
    let status = loop {
        std::thread::sleep(INTERVAL);
        let mut program = locked(program);
        // one that was begun just before it was called off
        if reporter.is_cancelled() {
            program.as_mut().map(|program| program.kill());
        }
        match program.as_mut().map(Child::try_wait) {
            None => return Ok(()),
            Some(Ok(None)) => {}
            Some(Ok(Some(status))) => {
                *program = None;
                break status;
            }
            Some(Err(error)) => return Err(error.to_string()),
        }
    };
    let said = said.join().unwrap_or_default();
    if status.success() || reporter.is_cancelled() {
        return Ok(());
    }
    warn!("sweep: {said}");
    let last = said.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("The sweep failed");
    Err(last.trim_start_matches("weft: ").to_owned())
}
