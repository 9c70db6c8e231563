//! The kernels of a step, compiled once for each device.

use super::device::Device;

/// How a kernel binds an array.
#[derive(Debug, Clone, Copy)]
pub enum Binding {
    /// Constants.
    Constant,
    /// Constants at an offset that each dispatch states.
    Offset,
    /// An array to read.
    Read,
    /// An array to write.
    Write,
}

/// A kernel with the layout of what it binds.
#[derive(Debug)]
pub struct Kernel {
    pub(super) pipeline: wgpu::ComputePipeline,
    pub(super) layout: wgpu::BindGroupLayout,
}

impl Kernel {
    /// Binds `buffers` in the order of the layout.
    #[must_use]
    pub fn bind(&self, device: &Device, numbers: &[u32], buffers: &[wgpu::BindingResource]) -> wgpu::BindGroup {
        let entries: Vec<_> = numbers
            .iter()
            .zip(buffers)
            .map(|(&binding, resource)| wgpu::BindGroupEntry { binding, resource: resource.clone() })
            .collect();
        device.wgpu().create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &self.layout,
            entries: &entries,
        })
    }
}

/// All kernels of a step.
#[derive(Debug)]
pub struct Kernels {
    pub(super) begin_rows: Kernel,
    pub(super) begin_grid: Kernel,
    pub(super) iterate_rows: Kernel,
    pub(super) iterate_grid: Kernel,
    pub(super) measure_rows: Kernel,
    pub(super) measure_grid: Kernel,
    pub(super) residual: Kernel,
    pub(super) collect: Kernel,
    pub(super) combine: Kernel,
    pub(super) correct: Kernel,
    pub(super) judge: Kernel,
    pub(super) settle: Kernel,
}

const STEP: &str = include_str!("../../shaders/gpu/step.wgsl");
const ROWS: &str = include_str!("../../shaders/gpu/rows.wgsl");
const GRID: &str = include_str!("../../shaders/gpu/grid.wgsl");
const ITERATE: &str = include_str!("../../shaders/gpu/iterate.wgsl");
const ACCELERATE: &str = include_str!("../../shaders/gpu/accelerate.wgsl");
const LEVELS: &str = include_str!("../../shaders/gpu/levels.wgsl");
const DESCEND: &str = include_str!("../../shaders/gpu/descend.wgsl");
const CORRECT: &str = include_str!("../../shaders/gpu/correct.wgsl");
const BEGIN: &str = include_str!("../../shaders/gpu/begin.wgsl");
const SETTLE: &str = include_str!("../../shaders/gpu/settle.wgsl");

/// Numbers of the bindings of a kernel of rows.
pub const OF_ROWS: [u32; 10] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
/// Those of a kernel of a grid, which has no rows.
pub const OF_GRID: [u32; 8] = [0, 1, 2, 3, 4, 5, 6, 9];

impl Kernels {
    /// Compiles them.
    #[must_use]
    pub fn compile(device: &Device) -> Self {
        use Binding::{Constant, Offset, Read, Write};
        let module = |parts: &[&str]| {
            let source = wgpu::ShaderSource::Wgsl(parts.concat().into());
            device.wgpu().create_shader_module(wgpu::ShaderModuleDescriptor { label: None, source })
        };
        let kernel = |module: &wgpu::ShaderModule, name: &str, numbers: &[u32], bindings: &[Binding]| {
            compile(device.wgpu(), module, name, numbers, bindings)
        };
        let begin = module(&[STEP, BEGIN]);
        let rows = module(&[STEP, ROWS, ACCELERATE, ITERATE]);
        let grid = module(&[STEP, GRID, ACCELERATE, ITERATE]);
        let descend = module(&[LEVELS, DESCEND]);
        let correct = module(&[STEP, LEVELS, ACCELERATE, CORRECT]);
        let settle = module(&[STEP, SETTLE]);
        let begins = [Constant, Read, Read, Read, Read, Write, Write, Write, Write];
        let of_rows = [Constant, Offset, Read, Read, Read, Read, Read, Read, Read, Write];
        let of_grid = [Constant, Offset, Read, Read, Read, Read, Read, Write];
        let corrects = [Constant, Offset, Constant, Read, Read, Read, Read, Write];
        let settles = [Constant, Offset, Read, Write, Write, Write, Write];
        Self {
            begin_rows: kernel(&begin, "begin_rows", &OF_ROWS[..9], &begins),
            begin_grid: kernel(&begin, "begin_grid", &OF_ROWS[..9], &begins),
            iterate_rows: kernel(&rows, "iterate", &OF_ROWS, &of_rows),
            iterate_grid: kernel(&grid, "iterate", &OF_GRID, &of_grid),
            measure_rows: kernel(&rows, "measure", &OF_ROWS, &of_rows),
            measure_grid: kernel(&grid, "measure", &OF_GRID, &of_grid),
            residual: kernel(&grid, "residual", &OF_GRID, &of_grid),
            collect: kernel(&descend, "collect", &OF_ROWS[..2], &[Offset, Write]),
            combine: kernel(&descend, "combine", &OF_ROWS[..2], &[Offset, Write]),
            correct: kernel(&correct, "correct", &OF_ROWS[..8], &corrects),
            judge: kernel(&settle, "judge", &OF_ROWS[..7], &settles),
            settle: kernel(&settle, "settle", &OF_ROWS[..7], &settles),
        }
    }
}

fn compile(
    device: &wgpu::Device,
    module: &wgpu::ShaderModule,
    name: &str,
    numbers: &[u32],
    bindings: &[Binding],
) -> Kernel {
    let entries: Vec<_> = numbers
        .iter()
        .zip(bindings)
        .map(|(&binding, kind)| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty: wgpu::BindingType::Buffer {
                ty: match kind {
                    Binding::Constant | Binding::Offset => wgpu::BufferBindingType::Uniform,
                    Binding::Read => wgpu::BufferBindingType::Storage { read_only: true },
                    Binding::Write => wgpu::BufferBindingType::Storage { read_only: false },
                },
                has_dynamic_offset: matches!(kind, Binding::Offset),
                min_binding_size: None,
            },
            count: None,
        })
        .collect();
    let layout =
        device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some(name), entries: &entries });
    let of_pipeline = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some(name),
        bind_group_layouts: &[Some(&layout)],
        immediate_size: 0,
    });
    let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some(name),
        layout: Some(&of_pipeline),
        module,
        entry_point: Some(name),
        compilation_options: wgpu::PipelineCompilationOptions::default(),
        cache: None,
    });
    Kernel { pipeline, layout }
}
