//! `weft prove`: that the cloth never passes through itself, in every scene with cloth on cloth,
//! from starts that differ a little.

use std::time::{Duration, Instant};

use clap::Args;

use super::interruption::Interruption;
use super::jittered::{Runs, Tally};
use super::output::{Failure, counting_bar, print, timeout};
use super::scene_args::SceneArgs;
use crate::scene::{Grid, Scene, scene_names};

const EXAMPLES: &str = "\
Examples:
  weft prove                                     all scenes with cloth on cloth, 20, 40 and 81 vertices along a side; takes hours
  weft prove --sizes 20 --runs 2 --steps 200     a short look
  weft prove --scene heap --solver xpbd          one scene, by another method
  weft prove --scene flag --set self_contact=true

Exit status 0: no two triangles have met. 1: some have, a run failed, or the time was over. 2: bad input. 130: Ctrl+C.";

/// Runs scenes with cloth on cloth from jittered starts, and counts the pairs of triangles that
/// intersect, exactly, after every step. The last line is the largest count, "intersections: N"
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ProveArgs {
    #[command(flatten)]
    scene: SceneArgs,
    /// Vertices along the longer side of each cloth; cloths that are meshes stay as they are
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "20,40,81",
        value_parser = clap::value_parser!(u32).range(2..=400))]
    sizes: Vec<u32>,
    /// Runs of each scene and size
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Time steps of each run
    #[arg(long, value_name = "N", default_value_t = 600)]
    steps: u64,
    /// Seed of the first run; every further one has the next
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    jitter: u64,
    /// End after so much time on the clock
    #[arg(long, value_name = "SECONDS")]
    timeout: Option<f64>,
}

pub(super) fn prove(args: &ProveArgs) -> Result<(), Failure> {
    let time = args.timeout.map(timeout).transpose()?;
    let interruption = Interruption::listen(time);
    let names = args.scene.scene.clone().map_or_else(scene_names, |name| vec![name]);
    let mut scenes = Vec::new();
    for name in names {
        let scene = SceneArgs { scene: Some(name), ..args.scene.clone() }.load()?;
        // a scene that is named is run without cloth-cloth contact as well
        if scene.parameters.contact.self_contact || args.scene.scene.is_some() {
            scenes.push(scene);
        }
    }
    // small cases first, and cloths without a size once
    let mut cases: Vec<(String, Scene)> = Vec::new();
    for size in &args.sizes {
        let sized = scenes.iter().map(|scene| with_size(scene, *size).unwrap_or((scene.name.clone(), scene.clone())));
        let sized = sized.filter(|(name, _)| cases.iter().all(|(other, _)| other != name));
        cases.extend(sized.collect::<Vec<_>>());
    }
    for (_, scene) in &cases {
        // a scene that cannot be built is refused before any work is done
        scene.build()?;
    }
    let runs = Runs { count: args.runs, first_seed: args.jitter, steps: args.steps, check: true };
    let bar = counting_bar(cases.len() as u64 * u64::from(args.runs), "runs");
    let mut all = Tally::default();
    for (name, scene) in &cases {
        let started = Instant::now();
        bar.tick();
        let tally = runs.all(scene, &interruption, |_, _| {
            bar.inc(1);
            Ok(())
        })?;
        bar.suspend(|| print(&line(name, scene, &runs, &tally, started.elapsed())))?;
        all.intersections = all.intersections.max(tally.intersections);
        all.faults.extend(tally.faults.into_iter().map(|fault| format!("{name}, {fault}")));
    }
    bar.finish_and_clear();
    print(&format!("intersections: {}\n", all.intersections))?;
    if all.faults.is_empty() { Ok(()) } else { Err(Failure::Ran(all.faults.join("; "))) }
}

fn line(name: &str, scene: &Scene, runs: &Runs, tally: &Tally, elapsed: Duration) -> String {
    format!(
        "{name}, {}: {} runs of {} steps, largest stretch {:.2} %, at most {} vertices truncated, {:.1} s, intersections {}\n",
        scene.solver,
        runs.count,
        runs.steps,
        100.0 * tally.stretch,
        tally.truncated,
        elapsed.as_secs_f64(),
        tally.intersections
    )
}

/// The scene with `size` vertices along the longer side of each cloth that is a grid, and its name;
/// none where none is.
fn with_size(scene: &Scene, size: u32) -> Option<(String, Scene)> {
    let mut sized = scene.clone();
    let mut first = None;
    for piece in sized.all_pieces_mut().filter(|piece| piece.mesh.is_none() && piece.body.is_none()) {
        resize(&mut piece.grid, size);
        first.get_or_insert(piece.grid);
    }
    let Grid { columns, rows, .. } = first?;
    Some((format!("{} {columns}×{rows}", scene.name), sized))
}

fn resize(grid: &mut Grid, size: u32) {
    let long = grid.columns.max(grid.rows) - 1;
    for side in [&mut grid.columns, &mut grid.rows] {
        *side = ((*side - 1) * (size - 1)).div_ceil(long).max(1) + 1;
    }
}
