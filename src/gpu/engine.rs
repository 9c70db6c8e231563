//! Steps on a device: Jacobi's iteration of the local/global method with Chebyshev's recurrence,
//! safeguarded.
//!
//! ```text
//! f_i = -∂E/∂q_i,   q̃_i = q_i + f_i/D_i   with   D_i = m/h² + Σ (k + c/h) + ½ B Σ_j |Q_ij|
//! q_{k+1} = q_{k-1} + ω_{k+1} (q̃ - q_{k-1})
//! ```
//!
//! With coarse levels ([`super::levels`], [`super::clusters`]) their corrections are added to that
//! of the vertex in `q̃`, all of them relaxed by ½.
//!
//! Wang 2015. `f` is the residual of the local step and the right-hand side of `fast-mass-spring`
//! at the vertex, gathered from its springs in a fixed order; `2 D` is at least the matrix of its
//! global step, so that a plain iteration never raises the energy. `ρ` of the recurrence is the
//! largest useful one for the number of iterations, or the known one of the matrix. Every few
//! iterations the energy is summed, again in a fixed order; if it has grown, the best state is
//! restored, plain iterations follow, and `ρ` is lowered. So a step ends no higher than it started,
//! up to rounding.
//!
//! Vertex block descent (Chen et al. 2024) instead takes Newton's step at each vertex of a colour,
//! in place, and computes the change of the energy at once; the coarse levels precede it, in a
//! plain iteration.
//!
//! Friction has no energy, since its limit changes with the depth; if a contact slides, the best
//! state is measured again with the friction limits of the tested one, so that both have the same
//! energy.

use std::sync::Arc;

use super::arrays::{Arrays, Control, GROUP};
use super::bindings::{Bindings, Coarse};
use super::device::Device;
use super::fault::DeviceFault;
use super::kernels::Kernels;
use super::levels::SMALL;
use super::packed::{Packed, Start};
use super::schedule::{Entry, Method, STRIDE, Schedule, WATCHED};
use super::springs::Springs;
use crate::sim::exec::pool::ThreadPool;
use crate::sim::{Cloth, Real, StepInput, Vec3};

/// Name of the passes that iterate, by which their times are told.
pub const ITERATIONS: &str = "iterations";
/// Threads of a group of a colour.
const SMALL_GROUP: u32 = 64;
/// Nodes of a coarse level that a group gathers for.
const NODES: u32 = 32;
/// Vertices per task.
const VERTICES: usize = 4096;
/// Visits of a vertex between two looks at whether the step has been called off.
const UNINTERRUPTED: u64 = 1 << 27;

/// Statistics of a step.
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
    arrays: Arrays,
    bindings: Option<Bindings>,
    /// Which of the two states is the present one.
    present: usize,
    packed: Packed,
    /// Unknowns that came home.
    unknowns: Vec<[f32; 4]>,
}

impl Engine {
    /// On a device.
    #[must_use]
    pub fn new(device: Arc<Device>) -> Self {
        let kernels = device.keep(Kernels::compile);
        Self {
            device,
            kernels,
            arrays: Arrays::default(),
            bindings: None,
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

    /// Uploads the step of `input` from the state of `cloth`; `new` tells whether the springs have
    /// changed since the last.
    ///
    /// # Errors
    /// [`DeviceFault`] when the device cannot hold it.
    pub fn upload(
        &mut self,
        cloth: &Cloth,
        input: &StepInput,
        springs: &Springs,
        new: bool,
        method: Method,
        start: Start,
    ) -> Result<(), DeviceFault> {
        self.packed.fill(cloth, input, springs, start);
        let mut fresh = self.arrays.upload(&self.device, &self.packed, springs, new, input.pool)?;
        let (Method::Jacobi { levels, .. } | Method::Blocks { levels }) = method;
        let blocks = matches!(method, Method::Blocks { .. });
        fresh |= self.arrays.upload_levels(&self.device, input.pattern, springs, new, levels)?;
        fresh |= self.arrays.upload_colours(&self.device, springs, new, blocks)?;
        if fresh {
            self.bindings = None;
        }
        Ok(())
    }

    /// Makes the table of iterations long enough, and binds new arrays.
    fn bind(&mut self, iterations: u32) -> Result<(), DeviceFault> {
        if self.arrays.tabulate(&self.device, iterations)? {
            self.bindings = None;
        }
        if self.bindings.is_none() {
            self.bindings = Some(Bindings::new(&self.device, &self.kernels, &self.arrays));
        }
        Ok(())
    }

    /// Iterates from the start of the step that was uploaded. `go_on` is asked now and then whether
    /// to continue.
    ///
    /// # Errors
    /// [`DeviceFault`], or the error of `go_on`.
    pub fn run<E: From<DeviceFault>>(
        &mut self,
        schedule: Schedule,
        least_gap: Real,
        mut go_on: impl FnMut() -> Result<(), E>,
    ) -> Result<(), E> {
        let mut encoder = self.begin(schedule, least_gap)?;
        let device = Arc::clone(&self.device);
        let between = (UNINTERRUPTED / u64::from(self.arrays.vertices.max(1))).max(1);
        let mut since = 0;
        for first in (0..schedule.iterations).step_by(WATCHED as usize) {
            let last = (first + WATCHED).min(schedule.iterations);
            let mut pass = device.pass(&mut encoder, ITERATIONS);
            for index in first..last {
                // with friction the recurrence would leave a cloth at rest trembling
                let plain = self.packed.rubs && index.saturating_add(schedule.plain()) >= schedule.iterations;
                self.iterate(&mut pass, if plain { Entry::Start } else { Entry::Iteration(index) });
            }
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

    fn bindings(&self) -> &Bindings {
        self.bindings.as_ref().expect("`bind` has made them")
    }

    /// The fixed forces, and the better one of two starts.
    fn begin(&mut self, schedule: Schedule, least_gap: Real) -> Result<wgpu::CommandEncoder, DeviceFault> {
        let gap = schedule.gap(least_gap) as f32;
        let control: Control = [gap.to_bits(), schedule.plain(), f32::MAX.to_bits(), 0, 0, 0, 0, 0];
        self.arrays.control.upload(&self.device, &control)?;
        self.bind(schedule.iterations)?;
        let mut encoder = self.encoder();
        let device = Arc::clone(&self.device);
        let mut pass = device.pass(&mut encoder, "begin");
        let bindings = self.bindings();
        pass.set_pipeline(&self.kernels.by_springs(self.arrays.grid.is_some()).begin.pipeline);
        pass.set_bind_group(0, &bindings.begin, &[]);
        pass.dispatch_workgroups(self.arrays.vertices.div_ceil(GROUP), 1, 1);
        for state in &bindings.measure {
            self.measure(&mut pass, Entry::Start, state);
        }
        self.present = 1;
        self.settle(&mut pass, Entry::Start);
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
        self.bind(index + 1)?;
        let mut encoder = self.encoder();
        let device = Arc::clone(&self.device);
        let mut pass = device.pass(&mut encoder, ITERATIONS);
        self.iterate(&mut pass, Entry::Iteration(index));
        if (index + 1).is_multiple_of(WATCHED) {
            self.look(&mut pass, index);
        }
        drop(pass);
        self.device.queue().submit([encoder.finish()]);
        Ok(())
    }

    /// The first of all entries is before the recurrence begins: an iteration with it is plain.
    fn iterate(&mut self, pass: &mut wgpu::ComputePass, entry: Entry) {
        let bindings = self.bindings();
        let offset = entry.offset();
        match (&bindings.relax, &bindings.coarse) {
            (Some(relax), None) => return self.relax(&relax[self.present], pass),
            // before the blocks, which smooth the errors of the levels
            (Some(relax), Some(coarse)) => {
                self.iterate_on_levels(coarse, pass, offset);
                self.relax(&relax[1 - self.present], pass);
            }
            (None, Some(coarse)) => self.iterate_on_levels(coarse, pass, offset),
            (None, None) => {
                pass.set_pipeline(&self.kernels.by_springs(self.arrays.grid.is_some()).iterate.pipeline);
                pass.set_bind_group(0, &bindings.iterate[self.present], &[offset]);
                let [across, down] = self.arrays.groups();
                pass.dispatch_workgroups(across, down, 1);
            }
        }
        self.present = 1 - self.present;
    }

    fn relax(&self, state: &wgpu::BindGroup, pass: &mut wgpu::ComputePass) {
        pass.set_pipeline(&self.kernels.by_springs(self.arrays.grid.is_some()).relax.pipeline);
        for (colour, count) in (0_u32..).zip(&self.arrays.counts) {
            pass.set_bind_group(0, state, &[colour * STRIDE]);
            pass.dispatch_workgroups(count.div_ceil(SMALL_GROUP), 1, 1);
        }
    }

    fn iterate_on_levels(&self, coarse: &Coarse, pass: &mut wgpu::ComputePass, offset: u32) {
        let kernels = self.kernels.by_springs(self.arrays.grid.is_some());
        let [across, down] = self.arrays.groups();
        pass.set_pipeline(&kernels.residual.pipeline);
        pass.set_bind_group(0, &coarse.residual[self.present], &[offset]);
        pass.dispatch_workgroups(across, down, 1);
        let ranges = &self.arrays.ranges;
        let on_level = |pass: &mut wgpu::ComputePass, at: usize, groups: u32| {
            pass.set_bind_group(0, &coarse.descend, &[at as u32 * STRIDE]);
            pass.dispatch_workgroups(groups, 1, 1);
        };
        let large = ranges.partition_point(|[_, nodes]| *nodes > SMALL);
        pass.set_pipeline(&kernels.collect.pipeline);
        (0..large).for_each(|at| on_level(pass, at, ranges[at][1].div_ceil(NODES)));
        if large < ranges.len() {
            pass.set_pipeline(&kernels.descend.pipeline);
            on_level(pass, large, 1);
        }
        pass.set_pipeline(&kernels.combine.pipeline);
        (0..large).rev().for_each(|at| on_level(pass, at, ranges[at][1].div_ceil(GROUP)));
        pass.set_pipeline(&kernels.correct.pipeline);
        pass.set_bind_group(0, &coarse.correct[self.present], &[offset]);
        pass.dispatch_workgroups(self.arrays.vertices.div_ceil(GROUP), 1, 1);
    }

    /// Looks at the energy after iteration `index`, and puts the best state back if it has grown.
    fn look(&self, pass: &mut wgpu::ComputePass, index: u32) {
        let bindings = self.bindings();
        if self.packed.rubs {
            self.measure(pass, Entry::Anew, &bindings.measure_best[self.present]);
        }
        self.measure(pass, Entry::Iteration(index), &bindings.measure[self.present]);
        self.settle(pass, Entry::Iteration(index));
    }

    fn measure(&self, pass: &mut wgpu::ComputePass, entry: Entry, state: &wgpu::BindGroup) {
        pass.set_pipeline(&self.kernels.by_springs(self.arrays.grid.is_some()).measure.pipeline);
        pass.set_bind_group(0, state, &[entry.offset()]);
        let [across, down] = self.arrays.groups();
        pass.dispatch_workgroups(across, down, 1);
        pass.set_pipeline(&self.kernels.judge.pipeline);
        pass.set_bind_group(0, &self.bindings().judge, &[entry.offset()]);
        pass.dispatch_workgroups(1, 1, 1);
    }

    fn settle(&self, pass: &mut wgpu::ComputePass, entry: Entry) {
        pass.set_pipeline(&self.kernels.settle.pipeline);
        pass.set_bind_group(0, &self.bindings().settle[self.present], &[entry.offset()]);
        pass.dispatch_workgroups(self.arrays.vertices.div_ceil(GROUP), 1, 1);
    }

    /// Waits for the step, and takes its unknowns home.
    ///
    /// # Errors
    /// [`DeviceFault`] when the device does not come to its end.
    pub fn fetch(&mut self, pool: &ThreadPool) -> Result<Outcome, DeviceFault> {
        let mut encoder = self.encoder();
        let Arrays { states, home, control, vertices, .. } = &self.arrays;
        let home = home.buffer();
        let bytes = 16 * u64::from(*vertices);
        let size = size_of::<Control>() as u64;
        encoder.copy_buffer_to_buffer(states[self.present].buffer(), 0, home, 0, bytes);
        encoder.copy_buffer_to_buffer(control.buffer(), 0, home, bytes, size);
        let submission = self.device.queue().submit([encoder.finish()]);
        let range = home.slice(..bytes + size);
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
            let unknowns: &[[u8; 16]] = bytemuck::cast_slice(unknowns);
            self.unknowns.resize(unknowns.len(), [0.0; 4]);
            pool.fill(&mut self.unknowns, VERTICES, |i| bytemuck::cast(unknowns[i]));
            let control: Control = bytemuck::pod_read_unaligned(control);
            let [correction, energy] = [control[5], control[6]].map(|bits| Real::from(f32::from_bits(bits)));
            Outcome { energy, correction, times: control[4] }
        };
        home.unmap();
        Ok(outcome)
    }

    /// The positions [m] of the step that was fetched, and shifted.
    pub fn position(&self, vertex: usize) -> Vec3 {
        self.packed.position(vertex, self.unknowns[vertex]) + self.packed.shift(vertex)
    }

    /// Shifts the parts of the step that was fetched ([`Packed::balance`]).
    pub fn balance(&mut self, cloth: &Cloth, input: &StepInput, springs: &Springs) {
        self.packed.balance(cloth, input, springs, &self.unknowns);
    }
}
