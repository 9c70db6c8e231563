//! The same scene from starts that differ a little, for `weft run --runs N` and `weft prove`.

use std::ops::ControlFlow;
use std::time::Instant;

use super::interruption::Interruption;
use super::intersections::IntersectionCheck;
use super::output::{Failure, print};
use crate::scene::Scene;
use crate::sim::Real;
use crate::sim::study::jitter::jitter;
use crate::sim::study::run::{End, always, run};

/// Settings of the runs.
#[derive(Clone, Copy)]
pub(super) struct Runs {
    /// How many.
    pub count: u32,
    /// The seed of the first; every further one has the next.
    pub first_seed: u64,
    /// Steps of each.
    pub steps: u64,
    /// Whether intersections are counted.
    pub check: bool,
}

/// Results of the runs.
#[derive(Default)]
pub(super) struct Tally {
    pub stretch: Real,
    pub truncated: u32,
    pub intersections: usize,
    /// Faults with their runs.
    pub faults: Vec<String>,
}

impl Runs {
    /// Runs them, one after the other, and prints each result.
    ///
    /// # Errors
    /// Bad input, a run that failed or in which triangles intersected, the end of the time.
    pub fn run(&self, scene: &Scene, interruption: &Interruption) -> Result<(), Failure> {
        let all =
            self.all(scene, interruption, |number, line| print(&format!("run {number} of {}, {line}\n", self.count)))?;
        print(&format!(
            "largest stretch {:.2} %, at most {} vertices truncated\n",
            100.0 * all.stretch,
            all.truncated
        ))?;
        if self.check {
            print(&format!("intersections: {}\n", all.intersections))?;
        }
        if all.faults.is_empty() { Ok(()) } else { Err(Failure::Ran(all.faults.join("; "))) }
    }

    /// Runs them, one after the other. `tell` hears the number of each, from 1 on, and a line with
    /// its result.
    ///
    /// # Errors
    /// Bad input, the error of `tell`, the end of the time.
    pub fn all(
        &self,
        scene: &Scene,
        interruption: &Interruption,
        mut tell: impl FnMut(u64, &str) -> Result<(), Failure>,
    ) -> Result<Tally, Failure> {
        let mut all = Tally::default();
        for number in 0..u64::from(self.count) {
            let seed = self.first_seed.wrapping_add(number);
            let (line, over) = self.run_one(scene, seed, interruption, &mut all)?;
            tell(number + 1, &format!("seed {seed}: {line}"))?;
            if over {
                return Err(match interruption.is_by_user() {
                    true => Failure::Interrupted("interrupted".to_owned()),
                    false => Failure::Ran("the time of --timeout is over".to_owned()),
                });
            }
        }
        Ok(all)
    }

    /// One run: a line with its result, and whether it was cancelled.
    fn run_one(
        &self,
        scene: &Scene,
        seed: u64,
        interruption: &Interruption,
        all: &mut Tally,
    ) -> Result<(String, bool), Failure> {
        let started = Instant::now();
        let mut simulation = scene.build()?;
        simulation.cancel = interruption.token();
        jitter(&mut simulation, seed);
        let mut check = self.check.then(|| IntersectionCheck::begin(&simulation));
        let (mut stretch, mut truncated) = (0.0, 0);
        let end: End = run(&mut simulation, self.steps, &mut always, |simulation, stats| {
            truncated = stats.truncated.max(truncated);
            stretch = simulation.largest_stretch().max(stretch);
            if let Some(check) = &mut check {
                check.count(simulation);
            }
            ControlFlow::Continue(())
        });
        let over = end == End::Cancelled;
        if let End::Failed(error) = end {
            all.faults.push(format!("seed {seed}: failed at t = {:.4} s: {error}", simulation.time()));
        }
        let mut line = format!(
            "{} steps, largest stretch {:.2} %, at most {truncated} vertices truncated, {:.1} s",
            simulation.steps(),
            100.0 * stretch,
            started.elapsed().as_secs_f64()
        );
        if let Some(check) = &check {
            line += &format!(", intersections {}", check.largest());
            all.intersections = all.intersections.max(check.largest());
            if let Err(Failure::Ran(message)) = check.judge() {
                all.faults.push(format!("seed {seed}: {message}"));
            }
        }
        (all.stretch, all.truncated) = (stretch.max(all.stretch), truncated.max(all.truncated));
        Ok((line, over))
    }
}
