//! The table of a sweep that is shown as a heat map. It is read again when it has grown, so that a
//! sweep can be watched.

mod form;
mod map;
pub mod panel;
mod run;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use bevy::prelude::*;

use super::session::SessionHandle;
use crate::documents::{SweepMap, SweepRow, SweepSheet};
use crate::scene::{InputError, Scalar, read_text};
use crate::session::{Arrangement, Command};
use crate::sim::solvers;
use run::{Form, SweepRun};

/// How often it is looked whether the file has grown.
const INTERVAL: Duration = Duration::from_secs(1);

/// The open table, and the sweep that is set up.
#[derive(Resource, Default)]
pub struct SweepView {
    /// The table, if one is open.
    pub table: Option<OpenTable>,
    /// The last error or result of an export, in a sentence.
    pub message: Option<Result<String, String>>,
    /// The sweep that is set up in the window, and its program.
    pub form: Form,
    /// See `form`.
    pub run: SweepRun,
}

/// An open table.
pub struct OpenTable {
    /// Its file.
    pub file: PathBuf,
    /// Its contents.
    pub sheet: SweepSheet,
    /// Its runs by their values.
    pub map: SweepMap,
    /// The axes that go across and up.
    pub across: usize,
    /// See `across`; the same with one axis.
    pub up: usize,
    /// The measure that is shown as colour.
    pub measure: usize,
    /// Whether the colours follow the logarithm of it.
    pub logarithmic: bool,
    /// Places on all axes: of those that are not shown, and of the run that is chosen on the
    /// others.
    pub place: Vec<usize>,
    /// Whether a run is chosen.
    pub is_chosen: bool,
    modified: Option<SystemTime>,
    looked: Instant,
}

fn read(file: &Path) -> Result<(SweepSheet, Option<SystemTime>), InputError> {
    let name = file.to_string_lossy();
    let modified = std::fs::metadata(file).and_then(|data| data.modified()).ok();
    let text = read_text(file, "")?;
    Ok((SweepSheet::parse(&text, &name)?, modified))
}

impl SweepView {
    /// Opens a table.
    pub fn open(&mut self, file: &Path) {
        self.message = None;
        match read(file) {
            Ok((sheet, _)) if sheet.axes.is_empty() || sheet.measures.is_empty() => {
                let name = file.display();
                self.message =
                    Some(Err(format!("{name} has no varied parameter, or no measure: there is nothing to plot")));
            }
            Ok((sheet, _)) if sheet.rows.is_empty() => {
                self.message = Some(Err(format!("{} has no finished run yet", file.display())));
            }
            Ok((sheet, modified)) => {
                info!("opened the sweep {}, {} runs", file.display(), sheet.rows.len());
                self.table = Some(OpenTable::new(file, sheet, modified));
            }
            Err(error) => self.message = Some(Err(error.to_string())),
        }
    }

    /// Starts the sweep that is set up.
    pub fn start(&mut self, session: &mut SessionHandle) {
        self.run.start(&self.form, session);
        (self.message, self.table) = (None, None);
    }

    /// Opens the table of the sweep that runs as soon as it is there, and reads the table again if
    /// it has changed.
    pub fn follow(&mut self) {
        self.run.follow();
        if self.table.is_none()
            && let Some(file) = self.run.table.clone()
            && let Ok((sheet, modified)) = read(&file)
            && !sheet.rows.is_empty()
        {
            info!("opened the sweep {}, {} runs", file.display(), sheet.rows.len());
            self.table = Some(OpenTable::new(&file, sheet, modified));
            self.run.table = None;
        }
        let Some(table) = &mut self.table else { return };
        if table.looked.elapsed() < INTERVAL {
            return;
        }
        table.looked = Instant::now();
        let modified = std::fs::metadata(&table.file).and_then(|data| data.modified()).ok();
        if modified.is_none() || modified == table.modified {
            return;
        }
        if let Ok((sheet, modified)) = read(&table.file) {
            table.modified = modified;
            table.replace(sheet);
        }
    }
}

impl OpenTable {
    fn new(file: &Path, sheet: SweepSheet, modified: Option<SystemTime>) -> Self {
        let map = SweepMap::of(&sheet);
        // those with most values are shown first
        let mut order: Vec<usize> = (0..map.axes.len()).collect();
        order.sort_by_key(|axis| std::cmp::Reverse(map.axes[*axis].values.len()));
        let mut shown = [order[0], order.get(1).copied().unwrap_or(order[0])];
        shown.sort_unstable();
        let place = vec![0; map.axes.len()];
        let (file, looked) = (file.to_owned(), Instant::now());
        let [across, up] = shown;
        let mut table = Self {
            file,
            sheet,
            map,
            across,
            up,
            measure: 0,
            logarithmic: false,
            place,
            is_chosen: false,
            modified,
            looked,
        };
        table.choose_measure(0);
        table
    }

    /// Takes a newer state of the file.
    fn replace(&mut self, sheet: SweepSheet) {
        if sheet.axes != self.sheet.axes || sheet.header() != self.sheet.header() {
            *self = Self::new(&self.file, sheet, self.modified);
            return;
        }
        let chosen: Vec<String> = self
            .place
            .iter()
            .zip(&self.map.axes)
            .map(|(place, axis)| axis.values.get(*place).cloned().unwrap_or_default())
            .collect();
        self.map = SweepMap::of(&sheet);
        self.sheet = sheet;
        // new values may have come before the chosen ones
        for (place, (axis, value)) in self.place.iter_mut().zip(self.map.axes.iter().zip(chosen)) {
            *place = axis.values.iter().position(|known| *known == value).unwrap_or(0);
        }
    }

    /// Shows another measure, on the scale that suits its values.
    pub fn choose_measure(&mut self, measure: usize) {
        self.measure = measure;
        self.logarithmic = false;
        let [first, last] = self.range();
        self.logarithmic = first > 0.0 && last > 100.0 * first;
    }

    /// The value of the measure that is shown.
    #[must_use]
    pub fn value(&self, row: &SweepRow) -> Option<f64> {
        row.measures.get(self.measure)?.parse::<f64>().ok().filter(|value| value.is_finite())
    }

    /// The smallest and the largest of the values that are shown as colour: of runs that came
    /// through, if there are any, since those that blew up have values of any size.
    #[must_use]
    pub fn range(&self) -> [f64; 2] {
        let is_good = |row: &&SweepRow| row.status == "ok" && self.value(row).is_some();
        let any_good = self.sheet.rows.iter().any(|row| is_good(&row));
        let rows = self.sheet.rows.iter().filter(|row| !any_good || is_good(row));
        let values = rows.filter_map(|row| self.value(row));
        let values = values.filter(|value| !self.logarithmic || *value > 0.0);
        let [low, high] =
            values.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| [low.min(value), high.max(value)]);
        if low <= high { [low, high] } else { [0.0, 1.0] }
    }

    /// The place of a value on the scale, from 0 to 1.
    #[must_use]
    pub fn place_of(&self, value: f64, [low, high]: [f64; 2]) -> f64 {
        let share = if self.logarithmic {
            (value.max(f64::MIN_POSITIVE) / low).ln() / (high / low).ln()
        } else {
            (value - low) / (high - low)
        };
        if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.5 }
    }

    /// The run with these places on the shown axes, and the chosen values on the others.
    #[must_use]
    pub fn run_at(&self, across: usize, up: usize) -> Option<&SweepRow> {
        let mut place = self.place.clone();
        place[self.across] = across;
        if self.up != self.across {
            place[self.up] = up;
        }
        self.map.row(&place).map(|row| &self.sheet.rows[row])
    }

    /// The run that is chosen.
    #[must_use]
    pub fn chosen(&self) -> Option<&SweepRow> {
        self.map.row(&self.place).filter(|_| self.is_chosen).map(|row| &self.sheet.rows[row])
    }

    /// Sets the varied parameters to the values of a run. All changes that leave the shape of the
    /// cloth are one action.
    pub fn set(&self, row: &SweepRow, session: &mut SessionHandle) {
        let mut arrangement = Arrangement::of(session.parameters(), session.solver(), &session.frame().scene);
        let pairs: Vec<(&String, &String)> = self.sheet.axes.iter().zip(&row.values).collect();
        if let Some((_, id)) = pairs.iter().find(|(key, _)| *key == "solver")
            && **id != arrangement.solver
        {
            // those of another solver are as they were
            (arrangement.solver, arrangement.settings) = ((*id).clone(), Default::default());
        }
        let settings = solvers::build(&arrangement.solver);
        let mut shapes = Vec::new();
        for (key, value) in pairs {
            let text = Scalar::Text(value.clone());
            if key == "solver" {
            } else if arrangement.parameters.contains_key(key) {
                arrangement.parameters.insert(key.clone(), text);
            } else if settings.as_ref().is_some_and(|solver| solver.settings().index_of(key).is_some()) {
                arrangement.settings.insert(key.clone(), text);
            } else {
                shapes.push(Command::Set { key: key.clone(), value: text });
            }
        }
        info!("set the values of run {}", row.run);
        session.send(Command::Finish);
        session.send(Command::Arrange { arrangement });
        for command in shapes {
            session.send(command);
        }
        session.send(Command::Finish);
    }
}
