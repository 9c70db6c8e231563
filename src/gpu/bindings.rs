//! Which arrays the kernels of a step bind. Made anew when an array is.

use super::array::Array;
use super::arrays::Arrays;
use super::device::Device;
use super::kernels::{Kernel, Kernels};
use super::levels::MOST_LEVELS;
use super::schedule::STRIDE;

/// Bytes of a `Level` of the kernels.
const LEVEL: u64 = 64;

/// Bindings of the kernels. Of two, the one for the state of that number.
#[derive(Debug)]
pub struct Bindings {
    /// The beginning of a step.
    pub begin: wgpu::BindGroup,
    /// An iteration without coarse levels.
    pub iterate: [wgpu::BindGroup; 2],
    /// Vertex block descent.
    pub relax: Option<[wgpu::BindGroup; 2]>,
    /// The energy.
    pub measure: [wgpu::BindGroup; 2],
    /// The energy of the best state, with the limits of friction of this one.
    pub measure_best: [wgpu::BindGroup; 2],
    /// For the verdict on an energy.
    pub judge: wgpu::BindGroup,
    /// The better one of the state and the best.
    pub settle: [wgpu::BindGroup; 2],
    /// Of coarse levels, where there are any.
    pub coarse: Option<Coarse>,
}

/// Those of an iteration with coarse levels.
#[derive(Debug)]
pub struct Coarse {
    /// For residual forces.
    pub residual: [wgpu::BindGroup; 2],
    /// Of a level, both ways.
    pub descend: wgpu::BindGroup,
    /// The corrections of all levels.
    pub correct: [wgpu::BindGroup; 2],
}

/// Kinds of bindings.
#[derive(Clone, Copy)]
struct Parts<'a> {
    device: &'a Device,
    arrays: &'a Arrays,
}

impl Bindings {
    /// Of these arrays.
    #[must_use]
    pub fn new(device: &Device, kernels: &Kernels, arrays: &Arrays) -> Self {
        let by_springs = kernels.by_springs(arrays.grid.is_some());
        let [one, other] = &arrays.states;
        let parts = Parts { device, arrays };
        let iterate = |now, result| parts.of_state(&by_springs.iterate, now, result, now);
        let measure = |state, near| parts.of_state(&by_springs.measure, state, &arrays.parts, near);
        let relax = |state| parts.relax(&by_springs.relax, state);
        let coarse = (!arrays.ranges.is_empty()).then(|| Coarse {
            residual: [one, other].map(|now| parts.of_state(&by_springs.residual, now, &arrays.forces, now)),
            descend: parts.descend(&by_springs.collect),
            correct: [parts.correct(&by_springs.correct, one, other), parts.correct(&by_springs.correct, other, one)],
        });
        Self {
            begin: parts.begin(&by_springs.begin),
            iterate: [iterate(one, other), iterate(other, one)],
            relax: (!arrays.counts.is_empty()).then(|| [relax(one), relax(other)]),
            measure: [measure(one, one), measure(other, other)],
            measure_best: [measure(&arrays.best, one), measure(&arrays.best, other)],
            judge: parts.settle(&kernels.judge, one, other),
            settle: [parts.settle(&kernels.settle, one, other), parts.settle(&kernels.settle, other, one)],
            coarse,
        }
    }
}

impl Parts<'_> {
    fn begin(self, kernel: &Kernel) -> wgpu::BindGroup {
        let Self { device, arrays } = self;
        let [one, other] = &arrays.states;
        kernel.bind(device, |number| match number {
            0 => all(&arrays.constants),
            1 => all(&arrays.given),
            2 => all(&arrays.places),
            3 => all(&arrays.fixed),
            4 => all(one),
            5 => all(other),
            6 => all(&arrays.best),
            7 => all(&arrays.starts),
            _ => all(&arrays.entries),
        })
    }

    /// From the state `now`, with the limits of friction `near`.
    fn of_state(self, kernel: &Kernel, now: &Array, result: &Array, near: &Array) -> wgpu::BindGroup {
        let Self { device, arrays } = self;
        kernel.bind(device, |number| match number {
            0 => all(&arrays.constants),
            1 => first_of(&arrays.table, 16),
            2 => all(&arrays.places),
            3 => all(&arrays.fixed),
            4 => all(now),
            5 => all(&arrays.touches),
            6 => all(&arrays.control),
            7 => all(&arrays.starts),
            8 => all(&arrays.entries),
            9 => all(result),
            _ => all(near),
        })
    }

    fn relax(self, kernel: &Kernel, state: &Array) -> wgpu::BindGroup {
        let Self { device, arrays } = self;
        kernel.bind(device, |number| match number {
            0 => all(&arrays.constants),
            1 => first_of(&arrays.colours, 16),
            2 => all(&arrays.places),
            3 => all(&arrays.fixed),
            4 => all(state),
            5 => all(&arrays.touches),
            6 => all(&arrays.order),
            7 => all(&arrays.starts),
            _ => all(&arrays.entries),
        })
    }

    fn settle(self, kernel: &Kernel, now: &Array, before: &Array) -> wgpu::BindGroup {
        let Self { device, arrays } = self;
        kernel.bind(device, |number| match number {
            0 => all(&arrays.constants),
            1 => first_of(&arrays.table, 16),
            2 => all(&arrays.parts),
            3 => all(&arrays.control),
            4 => all(now),
            5 => all(before),
            _ => all(&arrays.best),
        })
    }

    fn descend(self, kernel: &Kernel) -> wgpu::BindGroup {
        let Self { device, arrays } = self;
        kernel.bind(device, |number| match number {
            0 => first_of(&arrays.levels, LEVEL),
            1 => all(&arrays.forces),
            2 => all(&arrays.nodes),
            3 => all(&arrays.lists),
            4 => all(&arrays.reached),
            5 => all(&arrays.parents),
            _ => first_of(&arrays.levels, u64::from(STRIDE) * MOST_LEVELS as u64),
        })
    }

    fn correct(self, kernel: &Kernel, now: &Array, result: &Array) -> wgpu::BindGroup {
        let Self { device, arrays } = self;
        kernel.bind(device, |number| match number {
            0 => all(&arrays.constants),
            1 => first_of(&arrays.table, 16),
            2 => all(&arrays.places),
            3 => all(now),
            4 => all(&arrays.control),
            5 => all(&arrays.forces),
            6 => all(result),
            7 => all(&arrays.reached),
            8 => all(&arrays.parents),
            _ => first_of(&arrays.levels, LEVEL),
        })
    }
}

fn all(array: &Array) -> wgpu::BindingResource<'_> {
    wgpu::BindingResource::Buffer(array.buffer().as_entire_buffer_binding())
}

/// An entry of a table, at the offset that a dispatch states.
fn first_of(array: &Array, bytes: u64) -> wgpu::BindingResource<'_> {
    let size = wgpu::BufferSize::new(bytes);
    wgpu::BindingResource::Buffer(wgpu::BufferBinding { buffer: array.buffer(), offset: 0, size })
}
