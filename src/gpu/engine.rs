//! Steps on a device: Jacobi's iteration of the local/global method with Chebyshev's recurrence, safeguarded.
//!
//! ```text
//! f_i = -∂E/∂q_i,   q̃_i = q_i + f_i/D_i   with   D_i = m/h² + Σ (k + c/h) + ½ B Σ_j |Q_ij|
//! q_{k+1} = q_{k-1} + ω_{k+1} (q̃ - q_{k-1})
//! ```
//!
//! With coarse levels ([`super::levels`], [`super::clusters`]) `q̃` has their corrections beside that of the vertex, all of them relaxed by ½.
//!
//! Wang 2015. `f` is what the local step and the right-hand side of `fast-mass-spring` leave at the vertex, gathered from its springs in a fixed
//! order; `2 D` is at least the matrix of its global step, so that a plain iteration never raises the energy. `ρ` of the recurrence is
//! what so many iterations can make use of, or what the matrix is known to have. Every few iterations the energy is summed, again in a fixed order; where it has grown, the best state is
//! put back, plain iterations follow, and `ρ` is lowered. So a step ends no higher than it started, up to rounding.

use std::sync::Arc;

use super::array::Array;
use super::clusters::Clusters;
use super::device::Device;
use super::fault::DeviceFault;
use super::kernels::{Kernel, Kernels, OF_GRID, OF_ROWS};
use super::levels::{Level, PAYS_BELOW, levels};
use super::packed::{Packed, Start};
use super::springs::Springs;
use crate::sim::{Cloth, Pattern, Real, StepInput, Vec3};

/// Threads of a group.
const GROUP: u32 = 256;
/// Name of the passes that iterate, by which their times are told.
pub const ITERATIONS: &str = "iterations";
/// Threads of a group on a coarse level.
const GROUP_OF_LEVEL: u32 = 64;
/// Vertices along a side of a tile of a grid.
const TILE: u32 = 16;
/// Iterations after which the energy is looked at.
const WATCHED: u32 = 16;
/// Bytes from one entry of the table of iterations to the next: what every device can bind at.
const STRIDE: u32 = 256;
/// Growth of the energy that may be rounding, relative to its parts.
const TOLERANCE: f32 = 1e-4;
/// Entries of the table of iterations before those of the iterations.
const STARTS: u32 = 2;
/// By how much, as a power of e, the recurrence reduces what it can reduce in the iterations of a step.
const REDUCTION: Real = 4.0;
/// Visits of a vertex between two looks at whether the step has been called off.
const UNINTERRUPTED: u64 = 1 << 27;

/// The constants of a step: numbers of the cloth, and the springs of a grid.
type Constants = [[u32; 4]; 6];
/// `Control` of the kernels.
type Control = [u32; 8];

/// What the kernels bind; made anew when an array is.
#[derive(Debug)]
struct Bound {
    begin: wgpu::BindGroup,
    /// By which of the two states is the present one.
    iterate: [wgpu::BindGroup; 2],
    measure: [wgpu::BindGroup; 2],
    judge: wgpu::BindGroup,
    settle: [wgpu::BindGroup; 2],
    /// Of coarse levels, where there are any.
    coarse: Option<Coarse>,
}

#[derive(Debug)]
struct Coarse {
    residual: [wgpu::BindGroup; 2],
    collect: wgpu::BindGroup,
    combine: wgpu::BindGroup,
    correct: [wgpu::BindGroup; 2],
}

/// What a step did.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outcome {
    /// The energy [J] where it ended, up to a constant.
    pub energy: Real,
    /// The largest correction that a plain iteration would still make [m].
    pub correction: Real,
    /// How often the state was put back.
    pub times: u32,
}

/// A device with the arrays of a cloth.
#[derive(Debug)]
pub struct Engine {
    device: Arc<Device>,
    kernels: Arc<Kernels>,
    constants: Array,
    table: Array,
    control: Array,
    places: Array,
    given: Array,
    fixed: Array,
    states: [Array; 2],
    best: Array,
    starts: Array,
    entries: Array,
    touches: Array,
    parts: Array,
    levels: Array,
    forces: Array,
    nodes: Array,
    lists: Array,
    reached: Array,
    parents: Array,
    home: Array,
    bound: Option<Bound>,
    /// What was uploaded of the springs, and for how many iterations the table is.
    uploaded: Option<Constants>,
    tabled: u32,
    vertices: u32,
    grid: Option<[u32; 2]>,
    /// The coarse levels at work: of a grid, and first node, nodes of each.
    coarse: Vec<Level>,
    clusters: Clusters,
    ranges: Vec<[u32; 2]>,
    /// Which of the two states is the present one.
    present: usize,
    packed: Packed,
    /// Unknowns that came home.
    unknowns: Vec<[f32; 4]>,
}

/// How many iterations of a step are plain, and what the others can make use of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Schedule {
    /// Iterations in all.
    pub iterations: u32,
    /// Whether the recurrence is used.
    pub accelerated: bool,
}

impl Schedule {
    /// Plain iterations at the beginning.
    fn plain(&self) -> u32 {
        if self.accelerated { (self.iterations / 4).min(10) } else { u32::MAX }
    }

    /// The iterations that single precision can use, where a plain one reduces the error by the share `least` at least: to its last digit, twice over.
    #[must_use]
    pub fn useful(&self, least: Real) -> u32 {
        let gap = least.clamp(1e-9, 0.999);
        let digits = -(Real::from(f32::EPSILON) / 2.0).ln();
        let by_each =
            if self.accelerated { ((1.0 - gap) / (1.0 - (gap * (2.0 - gap)).sqrt())).ln() } else { -(1.0 - gap).ln() };
        // a conversion of what is too large ends at the largest number
        ((2.0 * digits / by_each).ceil() as u32).saturating_add(WATCHED)
    }

    /// `1 - ρ`.
    fn gap(&self, least: Real) -> Real {
        let count = Real::from(self.iterations.saturating_sub(self.plain()).max(1));
        let useful = 0.5 * (REDUCTION / count).powi(2);
        useful.max(least).clamp(1e-7, 0.5)
    }
}

impl Engine {
    /// On a device.
    #[must_use]
    pub fn new(device: Arc<Device>) -> Self {
        let kernels = device.keep(Kernels::compile);
        Self {
            device,
            kernels,
            constants: Array::uniform("constants"),
            table: Array::uniform("iterations"),
            control: Array::storage("control numbers"),
            places: Array::storage("the vertices"),
            given: Array::storage("the states of the vertices"),
            fixed: Array::storage("the fixed forces"),
            states: [Array::storage("the unknowns"), Array::storage("the unknowns")],
            best: Array::storage("the best unknowns"),
            starts: Array::storage("the rows of the springs"),
            entries: Array::storage("the springs"),
            touches: Array::storage("the contacts"),
            parts: Array::storage("the partial sums"),
            levels: Array::uniform("levels"),
            forces: Array::storage("the forces"),
            nodes: Array::storage("the coarse levels"),
            lists: Array::storage("the coarse levels"),
            reached: Array::storage("the coarse levels"),
            parents: Array::storage("the coarse levels"),
            home: Array::read_back("the results"),
            bound: None,
            uploaded: None,
            tabled: 0,
            vertices: 0,
            grid: None,
            coarse: Vec::new(),
            clusters: Clusters::default(),
            ranges: Vec::new(),
            present: 0,
            packed: Packed::default(),
            unknowns: Vec::new(),
        }
    }

    /// The device.
    #[must_use]
    pub fn device(&self) -> &Arc<Device> {
        &self.device
    }

    /// Uploads the step of `input` from the state of `cloth`; `new` tells whether the springs have changed since the last, and `multilevel`
    /// whether coarse levels are to be used where they pay.
    ///
    /// # Errors
    /// [`DeviceFault`] when the device cannot hold it.
    pub fn upload(
        &mut self,
        cloth: &Cloth,
        input: &StepInput,
        springs: &Springs,
        new: bool,
        multilevel: bool,
        start: Start,
    ) -> Result<(), DeviceFault> {
        self.packed.fill(cloth, input, springs, start);
        let Self { device, packed, .. } = self;
        let device = &**device;
        let n = cloth.len() as u32;
        let mut fresh = self.places.upload(device, &packed.places)?;
        fresh |= self.given.upload(device, &packed.given)?;
        fresh |= self.touches.upload(device, &packed.touches)?;
        let [columns, rows] = springs.grid.map_or([0; 2], |grid| [grid.columns, grid.rows]);
        let groups = match springs.grid {
            Some(_) => columns.div_ceil(TILE) * rows.div_ceil(TILE),
            None => n.div_ceil(GROUP),
        };
        let mut constants: Constants = [[0; 4]; 6];
        constants[0] = [n, columns, rows, groups];
        for (constant, direction) in constants[1..].iter_mut().zip(&springs.directions) {
            *constant = direction.map(f32::to_bits);
        }
        if new || self.uploaded != Some(constants) {
            fresh |= self.constants.upload(device, &constants)?;
            fresh |= self.starts.upload(device, &springs.starts)?;
            fresh |= self.entries.upload(device, &springs.entries)?;
            self.uploaded = Some(constants);
        }
        let bytes = 16 * n as usize;
        let [one, other] = &mut self.states;
        for array in [&mut self.fixed, one, other, &mut self.best] {
            fresh |= array.reserve(device, bytes)?;
        }
        fresh |= self.parts.reserve(device, 16 * groups as usize)?;
        fresh |= self.control.reserve(device, size_of::<Control>())?;
        self.home.reserve(device, bytes + size_of::<Control>())?;
        fresh |= self.upload_levels(input.pattern, springs, new, multilevel)?;
        (self.vertices, self.grid) = (n, springs.grid.map(|_| [columns, rows]));
        if fresh {
            self.bound = None;
        }
        Ok(())
    }

    /// Uploads the coarse levels, where they pay. Returns whether the kernels have to bind anew.
    fn upload_levels(
        &mut self,
        pattern: &Pattern,
        springs: &Springs,
        new: bool,
        multilevel: bool,
    ) -> Result<bool, DeviceFault> {
        let device = &*self.device;
        let n = pattern.len() as u32;
        let pays = multilevel && springs.least_gap < PAYS_BELOW;
        let coarse = if pays { levels(springs) } else { Vec::new() };
        let clusters = pays && springs.grid.is_none();
        let mut fresh = false;
        if clusters && self.clusters.update(pattern, springs, new) {
            let Clusters { nodes, lists, starts, parents, .. } = &self.clusters;
            fresh |= self.nodes.upload(device, nodes)?;
            fresh |= self.lists.upload(device, lists)?;
            fresh |= self.reached.upload(device, starts)?;
            fresh |= self.parents.upload(device, parents)?;
        }
        let ranges = if clusters { self.clusters.ranges.clone() } else { coarse.iter().map(range_of).collect() };
        if coarse != self.coarse || ranges != self.ranges {
            let mut table = vec![[0_u32; STRIDE as usize / 4]; ranges.len()];
            for (at, entry) in table.iter_mut().enumerate() {
                match coarse.get(at) {
                    Some(level) => entry[..12].copy_from_slice(level.as_flattened()),
                    None => entry[..3].copy_from_slice(&[ranges[at][0], ranges[at][1], n]),
                }
            }
            self.levels.upload(device, &table)?;
            (self.coarse, self.ranges) = (coarse, ranges);
            fresh = true;
        }
        if let Some([first, count]) = self.ranges.last() {
            fresh |= self.forces.reserve(device, 16 * (first + count) as usize)?;
        }
        Ok(fresh)
    }

    /// Makes the table of iterations long enough.
    fn tabulate(&mut self, iterations: u32) -> Result<(), DeviceFault> {
        if self.tabled >= iterations && self.tabled > 0 {
            return Ok(());
        }
        let count = iterations.next_power_of_two().max(64);
        let mut table = vec![[0_u32; STRIDE as usize / 4]; (STARTS + count) as usize];
        for (at, entry) in (0_u32..).zip(&mut table) {
            let starting = at < STARTS;
            entry[0] = at.saturating_sub(STARTS);
            entry[1] = starting.into();
            entry[2] = WATCHED;
            entry[3] = if starting { 0.0 } else { TOLERANCE }.to_bits();
        }
        if self.table.upload(&self.device, &table)? {
            self.bound = None;
        }
        self.tabled = count;
        Ok(())
    }

    fn bind(&mut self) {
        if self.bound.is_some() {
            return;
        }
        let Self { device, kernels, states, .. } = &*self;
        let device = &**device;
        let table = wgpu::BindingResource::Buffer(wgpu::BufferBinding {
            buffer: self.table.buffer(),
            offset: 0,
            size: wgpu::BufferSize::new(16),
        });
        let begin = match self.grid {
            Some(_) => &kernels.begin_grid,
            None => &kernels.begin_rows,
        };
        let arrays = [
            &self.constants,
            &self.given,
            &self.places,
            &self.starts,
            &self.entries,
            &self.fixed,
            &states[0],
            &states[1],
        ];
        let begins: Vec<_> = arrays.into_iter().chain([&self.best]).map(all).collect();
        let of_state = |kernel: &Kernel, now: &Array, result: &Array| {
            let common = [&self.places, &self.fixed, now, &self.touches, &self.control];
            let mut resources = vec![all(&self.constants), table.clone()];
            resources.extend(common.map(all));
            let numbers = if self.grid.is_some() {
                &OF_GRID[..]
            } else {
                resources.extend([&self.starts, &self.entries].map(all));
                &OF_ROWS[..]
            };
            resources.push(all(result));
            kernel.bind(device, numbers, &resources)
        };
        let (iterate, measure) = match self.grid {
            Some(_) => (&kernels.iterate_grid, &kernels.measure_grid),
            None => (&kernels.iterate_rows, &kernels.measure_rows),
        };
        let settle = |kernel: &Kernel, now: &Array, before: &Array| {
            let mut resources = vec![all(&self.constants), table.clone()];
            resources.extend([&self.parts, &self.control, now, before, &self.best].map(all));
            kernel.bind(device, &OF_ROWS[..7], &resources)
        };
        let [one, other] = states;
        let coarse = (!self.ranges.is_empty()).then(|| match self.grid {
            Some(_) => {
                let descends = [first_of(&self.levels), all(&self.forces)];
                let correct = |now: &Array, result: &Array| {
                    let mut resources = vec![all(&self.constants), table.clone(), first_of(&self.levels)];
                    resources.extend([&self.places, now, &self.control, &self.forces, result].map(all));
                    kernels.correct_grid.bind(device, &OF_ROWS[..8], &resources)
                };
                Coarse {
                    residual: [one, other].map(|now| of_state(&kernels.residual_grid, now, &self.forces)),
                    collect: kernels.collect_grid.bind(device, &OF_ROWS[..2], &descends),
                    combine: kernels.combine_grid.bind(device, &OF_ROWS[..2], &descends),
                    correct: [correct(one, other), correct(other, one)],
                }
            }
            None => {
                let mut descends = vec![first_of(&self.levels)];
                descends.extend([&self.forces, &self.nodes, &self.lists, &self.reached, &self.parents].map(all));
                let correct = |now: &Array, result: &Array| {
                    let mut resources = vec![all(&self.constants), table.clone()];
                    let links = [&self.forces, &self.reached, &self.parents];
                    resources.extend([&self.places, now, &self.control].into_iter().chain(links).map(all));
                    resources.push(all(result));
                    kernels.correct_rows.bind(device, &OF_ROWS[..9], &resources)
                };
                Coarse {
                    residual: [one, other].map(|now| of_state(&kernels.residual_rows, now, &self.forces)),
                    collect: kernels.collect_rows.bind(device, &OF_ROWS[..6], &descends),
                    combine: kernels.combine_rows.bind(device, &OF_ROWS[..6], &descends),
                    correct: [correct(one, other), correct(other, one)],
                }
            }
        });
        self.bound = Some(Bound {
            begin: begin.bind(device, &OF_ROWS[..9], &begins),
            iterate: [of_state(iterate, one, other), of_state(iterate, other, one)],
            measure: [of_state(measure, one, &self.parts), of_state(measure, other, &self.parts)],
            judge: settle(&kernels.judge, one, other),
            settle: [settle(&kernels.settle, one, other), settle(&kernels.settle, other, one)],
            coarse,
        });
    }

    /// Iterates from the start of the step that was uploaded. `go_on` is asked now and then whether to.
    ///
    /// # Errors
    /// [`DeviceFault`], or what `go_on` says.
    pub fn run<E: From<DeviceFault>>(
        &mut self,
        schedule: Schedule,
        least_gap: Real,
        mut go_on: impl FnMut() -> Result<(), E>,
    ) -> Result<(), E> {
        let mut encoder = self.begin(schedule, least_gap)?;
        let device = Arc::clone(&self.device);
        let between = (UNINTERRUPTED / u64::from(self.vertices.max(1))).max(1);
        let mut since = 0;
        for first in (0..schedule.iterations).step_by(WATCHED as usize) {
            let last = (first + WATCHED).min(schedule.iterations);
            let mut pass = device.pass(&mut encoder, ITERATIONS);
            (first..last).for_each(|index| self.iterate(&mut pass, index));
            if device.is_measured() {
                drop(pass);
                pass = device.pass(&mut encoder, "energy");
            }
            self.look(&mut pass, last - 1);
            drop(pass);
            since += u64::from(last - first);
            if since >= between && last < schedule.iterations {
                since = 0;
                let part = std::mem::replace(&mut encoder, self.encoder());
                let submission = self.device.queue().submit([part.finish()]);
                self.device.wait(submission)?;
                go_on()?;
            }
        }
        self.device.queue().submit([encoder.finish()]);
        Ok(())
    }

    fn encoder(&self) -> wgpu::CommandEncoder {
        self.device.wgpu().create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("step") })
    }

    fn bound(&self) -> &Bound {
        self.bound.as_ref().expect("`bind` has made it")
    }

    /// Groups of a kernel that runs over all vertices, in the order of the kernels of the springs.
    fn groups(&self) -> [u32; 2] {
        match self.grid {
            Some(sides) => sides.map(|side| side.div_ceil(TILE)),
            None => [self.vertices.div_ceil(GROUP), 1],
        }
    }

    /// The fixed forces, and the better one of two starts.
    fn begin(&mut self, schedule: Schedule, least_gap: Real) -> Result<wgpu::CommandEncoder, DeviceFault> {
        self.tabulate(schedule.iterations)?;
        let gap = schedule.gap(least_gap) as f32;
        let control: Control = [gap.to_bits(), schedule.plain(), f32::MAX.to_bits(), 0, 0, 0, 0, 0];
        self.control.upload(&self.device, &control)?;
        self.bind();
        let mut encoder = self.encoder();
        let device = Arc::clone(&self.device);
        let mut pass = device.pass(&mut encoder, "begin");
        let kernel = if self.grid.is_some() { &self.kernels.begin_grid } else { &self.kernels.begin_rows };
        pass.set_pipeline(&kernel.pipeline);
        pass.set_bind_group(0, &self.bound().begin, &[]);
        pass.dispatch_workgroups(self.vertices.div_ceil(GROUP), 1, 1);
        self.present = 0;
        self.measure(&mut pass, 0);
        self.present = 1;
        self.measure(&mut pass, 1);
        self.settle(&mut pass, 1);
        drop(pass);
        Ok(encoder)
    }

    /// Begins the step that was uploaded, for iterations one at a time.
    ///
    /// # Errors
    /// [`DeviceFault`] when the device does not take it.
    pub fn begin_alone(&mut self, schedule: Schedule, least_gap: Real) -> Result<(), DeviceFault> {
        let encoder = self.begin(schedule, least_gap)?;
        self.device.queue().submit([encoder.finish()]);
        Ok(())
    }

    /// Makes iteration `index` of the step that was begun.
    ///
    /// # Errors
    /// [`DeviceFault`] when the device does not take it.
    pub fn iterate_alone(&mut self, index: u32) -> Result<(), DeviceFault> {
        self.tabulate(index + 1)?;
        self.bind();
        let mut encoder = self.encoder();
        let device = Arc::clone(&self.device);
        let mut pass = device.pass(&mut encoder, ITERATIONS);
        self.iterate(&mut pass, index);
        if (index + 1).is_multiple_of(WATCHED) {
            self.look(&mut pass, index);
        }
        drop(pass);
        self.device.queue().submit([encoder.finish()]);
        Ok(())
    }

    fn iterate(&mut self, pass: &mut wgpu::ComputePass, index: u32) {
        if let Some(coarse) = &self.bound().coarse {
            self.iterate_on_levels(coarse, pass, index);
            self.present = 1 - self.present;
            return;
        }
        let kernel = if self.grid.is_some() { &self.kernels.iterate_grid } else { &self.kernels.iterate_rows };
        pass.set_pipeline(&kernel.pipeline);
        pass.set_bind_group(0, &self.bound().iterate[self.present], &[(STARTS + index) * STRIDE]);
        let [across, down] = self.groups();
        pass.dispatch_workgroups(across, down, 1);
        self.present = 1 - self.present;
    }

    fn iterate_on_levels(&self, coarse: &Coarse, pass: &mut wgpu::ComputePass, index: u32) {
        let Kernels { residual_grid, collect_grid, combine_grid, correct_grid, .. } = &*self.kernels;
        let Kernels { residual_rows, collect_rows, combine_rows, correct_rows, .. } = &*self.kernels;
        let [residual, collect, combine, correct] = match self.grid {
            Some(_) => [residual_grid, collect_grid, combine_grid, correct_grid],
            None => [residual_rows, collect_rows, combine_rows, correct_rows],
        };
        let [across, down] = self.groups();
        pass.set_pipeline(&residual.pipeline);
        pass.set_bind_group(0, &coarse.residual[self.present], &[(STARTS + index) * STRIDE]);
        pass.dispatch_workgroups(across, down, 1);
        let levels = || 0..self.ranges.len();
        let groups = |at: usize| self.ranges[at][1].div_ceil(GROUP_OF_LEVEL);
        pass.set_pipeline(&collect.pipeline);
        for at in levels() {
            pass.set_bind_group(0, &coarse.collect, &[at as u32 * STRIDE]);
            pass.dispatch_workgroups(groups(at), 1, 1);
        }
        pass.set_pipeline(&combine.pipeline);
        for at in levels().rev() {
            pass.set_bind_group(0, &coarse.combine, &[at as u32 * STRIDE]);
            pass.dispatch_workgroups(groups(at), 1, 1);
        }
        pass.set_pipeline(&correct.pipeline);
        pass.set_bind_group(0, &coarse.correct[self.present], &[(STARTS + index) * STRIDE]);
        pass.dispatch_workgroups(self.vertices.div_ceil(GROUP), 1, 1);
    }

    /// Looks at the energy after iteration `index`, and puts the best state back if it has grown.
    fn look(&self, pass: &mut wgpu::ComputePass, index: u32) {
        self.measure(pass, STARTS + index);
        self.settle(pass, STARTS + index);
    }

    fn measure(&self, pass: &mut wgpu::ComputePass, entry: u32) {
        let kernel = if self.grid.is_some() { &self.kernels.measure_grid } else { &self.kernels.measure_rows };
        pass.set_pipeline(&kernel.pipeline);
        pass.set_bind_group(0, &self.bound().measure[self.present], &[entry * STRIDE]);
        let [across, down] = self.groups();
        pass.dispatch_workgroups(across, down, 1);
        pass.set_pipeline(&self.kernels.judge.pipeline);
        pass.set_bind_group(0, &self.bound().judge, &[entry * STRIDE]);
        pass.dispatch_workgroups(1, 1, 1);
    }

    fn settle(&self, pass: &mut wgpu::ComputePass, entry: u32) {
        pass.set_pipeline(&self.kernels.settle.pipeline);
        pass.set_bind_group(0, &self.bound().settle[self.present], &[entry * STRIDE]);
        pass.dispatch_workgroups(self.vertices.div_ceil(GROUP), 1, 1);
    }

    /// Waits for the step, and takes its unknowns home.
    ///
    /// # Errors
    /// [`DeviceFault`] when the device does not come to its end.
    pub fn fetch(&mut self) -> Result<Outcome, DeviceFault> {
        let mut encoder = self.encoder();
        let bytes = 16 * u64::from(self.vertices);
        let size = size_of::<Control>() as u64;
        encoder.copy_buffer_to_buffer(self.states[self.present].buffer(), 0, self.home.buffer(), 0, bytes);
        encoder.copy_buffer_to_buffer(self.control.buffer(), 0, self.home.buffer(), bytes, size);
        let submission = self.device.queue().submit([encoder.finish()]);
        let range = self.home.buffer().slice(..bytes + size);
        let (tell, told) = std::sync::mpsc::channel();
        range.map_async(wgpu::MapMode::Read, move |result| {
            let _ = tell.send(result);
        });
        self.device.wait(submission)?;
        let mapped = told.try_recv().map_err(|error| error.to_string());
        if let Err(reason) = mapped.and_then(|result| result.map_err(|error| error.to_string())) {
            return Err(DeviceFault::Failed { name: self.device.name().to_string(), reason });
        }
        let outcome = {
            let view = range.get_mapped_range();
            let (unknowns, control) = view.split_at(bytes as usize);
            self.unknowns.clear();
            self.unknowns.extend(unknowns.chunks_exact(16).map(bytemuck::pod_read_unaligned::<[f32; 4]>));
            let control: Control = bytemuck::pod_read_unaligned(control);
            let [correction, energy] = [control[5], control[6]].map(|bits| Real::from(f32::from_bits(bits)));
            Outcome { energy, correction, times: control[4] }
        };
        self.home.buffer().unmap();
        Ok(outcome)
    }

    /// The positions [m] of the step that was fetched.
    pub fn position(&self, vertex: usize) -> Vec3 {
        self.packed.position(vertex, self.unknowns[vertex])
    }

    /// By how much the whole cloth is to be shifted [m]; see [`Packed::shift`].
    #[must_use]
    pub fn shift(&self, cloth: &Cloth, input: &StepInput) -> Vec3 {
        self.packed.shift(cloth, input, &self.unknowns)
    }
}

fn all(array: &Array) -> wgpu::BindingResource<'_> {
    wgpu::BindingResource::Buffer(array.buffer().as_entire_buffer_binding())
}

/// First vertex and number of vertices of a level of a grid.
fn range_of([_, [columns, rows, first, _], _]: &Level) -> [u32; 2] {
    [*first, columns * rows]
}

fn first_of(levels: &Array) -> wgpu::BindingResource<'_> {
    let size = wgpu::BufferSize::new(size_of::<Level>() as u64);
    wgpu::BindingResource::Buffer(wgpu::BufferBinding { buffer: levels.buffer(), offset: 0, size })
}
