//! `weft bench --gpu`: cost of the solvers on a graphics device, beside its peak speed.

use std::fmt::Write;
use std::time::Instant;

use serde_json::{Map, Value, json};

use super::args::BenchArgs;
use super::repeat;
use crate::cli::output::{Failure, clock, counting_bar, median, print, print_json};
use crate::gpu::engine::ITERATIONS;
use crate::gpu::speed::{DeviceSpeed, of_device};
use crate::gpu::timer::PassTime;
use crate::gpu::{Device, choice};
use crate::scene::{InputError, Scene};
use crate::sim::model::material::BendingModel;
use crate::sim::solver_interface::{Processor, StepStage, StepStats};
use crate::sim::{Pattern, Real, Simulation, Vec3, solvers};

/// Ticks that are not counted, and time that the counted ones may take [s].
const WARM_UP: usize = 3;
const BUDGET: Real = 2.0;
/// Fewest and most counted ticks.
const COUNTED: std::ops::RangeInclusive<usize> = 5..=100;
/// Ticks of which the passes on the device are measured.
const MEASURED: usize = 5;

/// Bytes of a vertex that an iteration has to read and write, however it is made and without coarse
/// levels: its place, its fixed force, its unknown now and before, and where it comes to, four
/// numbers of four bytes each.
const OF_VERTEX: usize = 5 * 16;
/// Bytes of a spring at one of its ends, and of the number that says where those of a vertex begin,
/// where the cloth is no whole grid.
const OF_ENTRY: usize = 16;
const OF_START: usize = 4;

/// Share of a cell by which the vertices of the mesh are off the grid.
const IRREGULAR: Real = 0.2;

/// Mesh of the cloth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A whole grid, whose neighbours need no list.
    Grid,
    /// A mesh of as many vertices in irregular places.
    Mesh,
}

impl Kind {
    const ALL: [Self; 2] = [Self::Grid, Self::Mesh];

    fn name(self) -> &'static str {
        match self {
            Self::Grid => "grid",
            Self::Mesh => "mesh",
        }
    }
}

/// Measurements of one solver on one cloth.
struct GpuFigures {
    solver: &'static str,
    kind: Kind,
    size: u32,
    vertices: usize,
    springs: usize,
    iterations: Real,
    /// Bytes that an iteration has to read and write.
    bytes: usize,
    /// Milliseconds of each counted tick, rising.
    tick_ms: Vec<Real>,
    /// Median milliseconds per stage on the host.
    stages: Vec<Real>,
    /// Passes on the device in a tick.
    passes: Vec<PassTime>,
}

impl GpuFigures {
    /// Time of an iteration on the device [s].
    fn iteration(&self) -> Real {
        let pass = self.passes.iter().find(|pass| pass.name == ITERATIONS);
        pass.map_or(Real::NAN, |pass| pass.seconds / self.iterations)
    }

    /// Bytes that it reads and writes in a second.
    fn rate(&self) -> Real {
        self.bytes as Real / self.iteration()
    }
}

/// Measures and prints.
pub(super) fn gpu(args: &BenchArgs) -> Result<(), Failure> {
    let on_device = |info: &crate::sim::solver_interface::Info| info.capabilities.processor == Processor::Device;
    let all = || solvers::REGISTRY.iter().map(|entry| entry.info).filter(|info| on_device(info));
    let named: Vec<&String> = args.scene.solver.iter().chain(&args.solvers).collect();
    if let Some(other) = named.iter().find(|id| !all().any(|info| info.id == id.as_str())) {
        let known: Vec<&str> = all().map(|info| info.id).collect();
        let message = format!("\"{other}\" runs on no graphics device; take some of {}", known.join(", "));
        return Err(InputError::new("--solvers", message).into());
    }
    let chosen = || all().filter(|info| named.is_empty() || named.iter().any(|id| info.id == id.as_str()));

    let ran = |fault: crate::gpu::DeviceFault| Failure::Ran(fault.to_string());
    let device = choice::current().map_err(ran)?;
    let speed = of_device(&device).map_err(ran)?;
    let bar = counting_bar((args.sizes.len() * Kind::ALL.len() * chosen().count()) as u64, "measured");
    let mut rows = Vec::new();
    for &size in &args.sizes {
        for info in chosen() {
            let mut scene = args.scene_of(info.id, size)?;
            scene.parameters.material.bending_model = BendingModel::Springs;
            for kind in Kind::ALL {
                let mut simulation = simulation(&scene, kind)?;
                rows.push(measure(&mut simulation, kind, size, &device)?);
                bar.inc(1);
            }
        }
    }
    bar.finish_and_clear();
    if args.json {
        return print_json(&to_json(&device, &speed, &rows));
    }
    print(&table(&device, &speed, &rows))
}

/// The cloth of a scene, or a mesh of its triangles whose vertices are off the grid.
fn simulation(scene: &Scene, kind: Kind) -> Result<Simulation, InputError> {
    let simulation = scene.build()?;
    if kind == Kind::Grid {
        return Ok(simulation);
    }
    let (grid, pins) = (simulation.shared_pattern(), simulation.state.cloth.pins().to_vec());
    drop(simulation);
    let cell = grid.springs().rest_lengths.first().copied().unwrap_or_default();
    // irregular, and the same every time
    let off = |i: usize| {
        let phase = i as Real * 2.399_963;
        Vec3::new((phase * 1.3).sin(), (phase * 1.7).cos(), (phase * 2.1).sin()) * (IRREGULAR * cell)
    };
    let places = grid.rest_positions().iter().enumerate().map(|(i, x)| *x + off(i)).collect();
    let mesh = Pattern::mesh(places, grid.triangles().to_vec());
    drop(grid);
    let mut simulation = Simulation::new(mesh, scene.parameters.mass, scene.solver()?);
    simulation.parameters = scene.parameters;
    pins.iter().for_each(|pin| simulation.state.cloth.pin_here(pin.vertex));
    Ok(simulation)
}

/// Takes ticks, first by the clock alone and then with the passes on the device.
fn measure(simulation: &mut Simulation, kind: Kind, size: u32, device: &Device) -> Result<GpuFigures, Failure> {
    simulation.clock = clock();
    let solver = simulation.solver().info().id;
    let tick = |simulation: &mut Simulation| -> Result<(Real, StepStats), Failure> {
        let started = Instant::now();
        let failed = |message: String| Failure::Ran(format!("{solver}, {size}×{size}, {}: {message}", kind.name()));
        let stats = simulation.step().map_err(|error| failed(error.to_string()))?;
        Ok((1e3 * started.elapsed().as_secs_f64(), stats))
    };
    for _ in 0..WARM_UP {
        tick(simulation)?;
    }
    let counted = repeat(COUNTED, BUDGET, || tick(simulation))?;
    let ran = |fault: crate::gpu::DeviceFault| Failure::Ran(fault.to_string());
    device.measure(true).map_err(ran)?;
    let mut iterations = 0;
    for _ in 0..MEASURED {
        iterations += tick(simulation)?.1.iterations;
    }
    let mut passes = device.times().map_err(ran)?;
    device.measure(false).map_err(ran)?;
    for pass in &mut passes {
        pass.seconds /= MEASURED as Real;
        pass.count /= MEASURED as u32;
    }

    let middle = |mut values: Vec<Real>| {
        values.sort_by(Real::total_cmp);
        median(&values)
    };
    let mut tick_ms: Vec<Real> = counted.iter().map(|(ms, _)| *ms).collect();
    tick_ms.sort_by(Real::total_cmp);
    let of_stage =
        |stage: StepStage| middle(counted.iter().map(|(_, stats)| 1e3 * stats.seconds[stage as usize]).collect());
    let (vertices, springs) = (simulation.pattern().len(), simulation.pattern().springs().len());
    let lists = OF_START * vertices + OF_ENTRY * 2 * springs;
    Ok(GpuFigures {
        solver,
        kind,
        size,
        vertices,
        springs,
        iterations: Real::from(iterations) / MEASURED as Real,
        bytes: OF_VERTEX * vertices + if kind == Kind::Mesh { lists } else { 0 },
        tick_ms,
        stages: StepStage::ALL.map(of_stage).to_vec(),
        passes,
    })
}

fn to_json(device: &Device, speed: &DeviceSpeed, rows: &[GpuFigures]) -> Value {
    let of_row = |row: &GpuFigures| {
        let stages: Map<String, Value> =
            StepStage::ALL.iter().zip(&row.stages).map(|(stage, ms)| (stage.name().to_owned(), json!(ms))).collect();
        let passes: Map<String, Value> =
            row.passes.iter().map(|pass| (pass.name.to_owned(), json!(1e3 * pass.seconds))).collect();
        json!({
            "solver": row.solver,
            "cloth": row.kind.name(),
            "columns": row.size,
            "rows": row.size,
            "vertices": row.vertices,
            "springs": row.springs,
            "iterations": row.iterations,
            "iteration_us": 1e6 * row.iteration(),
            "bytes_per_iteration": row.bytes,
            "bytes_per_second": row.rate(),
            "share_of_copy": row.rate() / speed.copied,
            "tick_ms": median(&row.tick_ms),
            "min_ms": row.tick_ms[0],
            "max_ms": row.tick_ms[row.tick_ms.len() - 1],
            "stages": stages,
            "passes": passes,
        })
    };
    json!({
        "adapter": device.name().name,
        "interface": device.name().interface,
        "software": device.name().software,
        "empty_dispatch_us": 1e6 * speed.dispatch,
        "copy_bytes_per_second": speed.copied,
        "rows": rows.iter().map(of_row).collect::<Vec<_>>(),
    })
}

fn table(device: &Device, speed: &DeviceSpeed, rows: &[GpuFigures]) -> String {
    let mut text = format!("{}", device.name());
    if device.name().software {
        text += ", the processor does its work";
    }
    for (place, name) in choice::adapters().iter().enumerate() {
        let _ = write!(text, "\n  --adapter {place}: {name}");
    }
    let _ = writeln!(
        text,
        "\nan empty dispatch {:.2} µs, a kernel that copies {:.1} GB/s\n\n{:<26} {:<5} {:>9} {:>6} {:>10} {:>8} {:>7} {:>9} {:>9} {:>9}",
        1e6 * speed.dispatch,
        1e-9 * speed.copied,
        "solver",
        "cloth",
        "size",
        "iter.",
        "µs/iter.",
        "GB/s",
        "of copy",
        "tick [ms]",
        "min",
        "max"
    );
    for row in rows {
        let _ = writeln!(
            text,
            "{:<26} {:<5} {:>9} {:>6.0} {:>10.1} {:>8.1} {:>6.0}% {:>9.3} {:>9.3} {:>9.3}",
            row.solver,
            row.kind.name(),
            format!("{0}×{0}", row.size),
            row.iterations,
            1e6 * row.iteration(),
            1e-9 * row.rate(),
            100.0 * row.rate() / speed.copied,
            median(&row.tick_ms),
            row.tick_ms[0],
            row.tick_ms[row.tick_ms.len() - 1],
        );
        let shown = |name: &str, ms: Real| (ms >= 5e-4).then(|| format!("{name} {ms:.3}"));
        let stages = StepStage::ALL.iter().zip(&row.stages).filter_map(|(stage, ms)| shown(stage.name(), *ms));
        let passes = row.passes.iter().filter_map(|pass| shown(pass.name, 1e3 * pass.seconds));
        let [stages, passes] = [stages.collect::<Vec<_>>(), passes.collect()].map(|parts| parts.join(", "));
        let _ = writeln!(text, "    here [ms]: {stages}; on the device [ms]: {passes}");
    }
    text
}
