//! `--plot`: energies, stretch and cost of every step as a plot in a file.

use std::path::Path;

use crate::documents::report::{PLOTTED, displacement_plot, sample_plots};
use crate::documents::{Figure, write_whole};
use crate::scene::{InputError, Scene};
use crate::session::{Frame, captions};
use crate::sim::Real;
use crate::sim::quantities::{Numbers, StepReading};
use crate::sim::solver_interface::ContactMotion;

/// A file of plots, of one run or of lanes.
pub(super) struct PlotFile<'a> {
    file: &'a str,
    is_svg: bool,
    lanes: Vec<Vec<Numbers>>,
}

/// Refuses a file whose name ends neither in .svg nor in .pdf.
pub(super) fn check_plot(file: &str) -> Result<(), InputError> {
    let ending = Path::new(file).extension().unwrap_or_default().to_ascii_lowercase();
    let is_known = ["svg", "pdf"].iter().any(|known| ending == *known);
    let fault = || InputError::new(file, "is no name of a plot; let it end in .svg or .pdf");
    is_known.then_some(()).ok_or_else(fault)
}

impl<'a> PlotFile<'a> {
    /// Of so many lanes.
    ///
    /// # Errors
    /// When the name of the file ends neither in .svg nor in .pdf.
    pub(super) fn new(file: &'a str, lanes: usize) -> Result<Self, InputError> {
        check_plot(file)?;
        let is_svg = file.to_ascii_lowercase().ends_with("svg");
        Ok(Self { file, is_svg, lanes: (0..lanes).map(|_| Vec::new()).collect() })
    }

    /// Notes a step of a lane.
    pub(super) fn note(&mut self, lane: usize, now: &StepReading) {
        self.lanes[lane].push(Numbers::of(PLOTTED, now));
    }

    /// Writes the file. `frames` are the last ones of the lanes, which tell their names.
    ///
    /// # Errors
    /// When the disk fails.
    pub(super) fn finish(self, scene: &Scene, frames: &[Frame]) -> std::io::Result<()> {
        let names = captions(&frames.iter().collect::<Vec<_>>());
        let title = if scene.title.is_empty() { &scene.name } else { &scene.title };
        let title = if let [name] = &names[..] { format!("{title}, {name}") } else { title.clone() };
        let lanes: Vec<_> = names.iter().map(String::as_str).zip(self.lanes.iter().map(Vec::as_slice)).collect();
        let mut plots = sample_plots(&lanes);
        if let Some(ContactMotion::Oscillation { rest, .. }) = scene.motion {
            let place = |time: Real| scene.motion.and_then(|motion| motion.place(&scene.parameters, time));
            let exact = |time: Real| place(time).map(|x| x.y - rest);
            plots.insert(0, displacement_plot(&lanes, rest, |time| exact(time).unwrap_or_default()));
        }
        let figure = Figure { title, plots }.drawing();
        write_whole(Path::new(self.file), |out| {
            if self.is_svg { out.write_all(figure.svg().as_bytes()) } else { out.write_all(&figure.pdf()) }
        })
    }
}
