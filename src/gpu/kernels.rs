//! The kernels of a step, compiled once for each device.

use super::device::Device;

/// How a kernel binds an array.
#[derive(Debug, Clone, Copy)]
enum Binding {
    /// Uniform buffer of constants.
    Constant,
    /// Constants at an offset that each dispatch states.
    Offset,
    /// An array to read.
    Read,
    /// An array to write.
    Write,
}

use Binding::{Constant, Offset, Read, Write};

/// A kernel with the layout of its bindings.
#[derive(Debug)]
pub struct Kernel {
    /// To dispatch.
    pub pipeline: wgpu::ComputePipeline,
    layout: wgpu::BindGroupLayout,
    numbers: Vec<u32>,
}

impl Kernel {
    /// Binds the `resource` for each number of the kernel.
    #[must_use]
    pub fn bind<'a>(&self, device: &Device, resource: impl Fn(u32) -> wgpu::BindingResource<'a>) -> wgpu::BindGroup {
        let entry = |&binding: &u32| wgpu::BindGroupEntry { binding, resource: resource(binding) };
        let entries: Vec<_> = self.numbers.iter().map(entry).collect();
        device.wgpu().create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &self.layout,
            entries: &entries,
        })
    }
}

/// The kernels that know how the springs are stored.
#[derive(Debug)]
pub struct BySprings {
    /// The fixed forces, and the states to start from.
    pub begin: Kernel,
    /// A colour of vertex block descent.
    pub relax: Kernel,
    /// An iteration.
    pub iterate: Kernel,
    /// The energy, by group.
    pub measure: Kernel,
    /// Residual forces, for coarse levels.
    pub residual: Kernel,
    /// That of a level from the finer one.
    pub collect: Kernel,
    /// The correction of a level, with those of all coarser ones.
    pub combine: Kernel,
    /// Both for all small levels.
    pub descend: Kernel,
    /// The corrections of all levels, and the recurrence.
    pub correct: Kernel,
}

/// All kernels of a step.
#[derive(Debug)]
pub struct Kernels {
    rows: BySprings,
    grid: BySprings,
    /// Verdict on an energy.
    pub judge: Kernel,
    /// Keeps the state, or puts the best one back.
    pub settle: Kernel,
}

macro_rules! shader {
    ($($name:literal),+) => {
        concat!($(include_str!(concat!("../../shaders/gpu/", $name, ".wgsl"))),+)
    };
}

const BEGINS: [(u32, Binding); 7] =
    [(0, Constant), (1, Read), (2, Read), (3, Write), (4, Write), (5, Write), (6, Write)];
const RELAXES: [(u32, Binding); 7] =
    [(0, Constant), (1, Offset), (2, Read), (3, Read), (4, Write), (5, Read), (6, Read)];
const OF_STATE: [(u32, Binding); 6] = [(0, Constant), (1, Offset), (2, Read), (3, Read), (4, Read), (5, Read)];
const CONTROL: (u32, Binding) = (6, Read);
const ROWS: [(u32, Binding); 2] = [(7, Read), (8, Read)];
const RESULT: (u32, Binding) = (9, Write);
const NEAR: (u32, Binding) = (10, Read);
const LEVELS: [(u32, Binding); 3] = [(0, Offset), (1, Write), (6, Constant)];
const LEVELS_OF_ROWS: [(u32, Binding); 4] = [(2, Read), (3, Read), (4, Read), (5, Read)];
const CORRECTS: [(u32, Binding); 7] =
    [(0, Constant), (1, Offset), (2, Read), (3, Read), (4, Read), (5, Read), (6, Write)];
const SETTLES: [(u32, Binding); 7] =
    [(0, Constant), (1, Offset), (2, Read), (3, Write), (4, Write), (5, Write), (6, Write)];

impl Kernels {
    /// Compiles them.
    #[must_use]
    pub fn compile(device: &Device) -> Self {
        let module = |source: &'static str| {
            let source = wgpu::ShaderSource::Wgsl(source.into());
            device.wgpu().create_shader_module(wgpu::ShaderModuleDescriptor { label: None, source })
        };
        let kernel = |module: &wgpu::ShaderModule, name: &str, bindings: &[&[(u32, Binding)]]| {
            compile(device.wgpu(), module, name, &bindings.concat())
        };
        let by_springs = |[begin, relax, iterate, descend, correct]: [&'static str; 5],
                          rows: &[(u32, Binding)],
                          levels: &[(u32, Binding)],
                          corrects: &[(u32, Binding)]| {
            let [iterate, descend] = [iterate, descend].map(module);
            BySprings {
                begin: kernel(&module(begin), "begin", &[&BEGINS, rows]),
                relax: kernel(&module(relax), "relax", &[&RELAXES, rows]),
                iterate: kernel(&iterate, "iterate", &[&OF_STATE, &[CONTROL], rows, &[RESULT]]),
                measure: kernel(&iterate, "measure", &[&OF_STATE, rows, &[RESULT, NEAR]]),
                residual: kernel(&iterate, "residual", &[&OF_STATE, &[CONTROL], rows, &[RESULT]]),
                collect: kernel(&descend, "collect", &[&LEVELS, levels]),
                combine: kernel(&descend, "combine", &[&LEVELS, levels]),
                descend: kernel(&descend, "descend", &[&LEVELS, levels]),
                correct: kernel(&module(correct), "correct", &[&CORRECTS, corrects]),
            }
        };
        let of_rows = [
            shader!("step", "springs_rows", "begin"),
            shader!("step", "springs_rows", "triangles", "forces", "relax", "relax_rows"),
            shader!("step", "springs_rows", "triangles", "forces", "sums", "accelerate", "rows", "iterate"),
            shader!("levels_rows", "descend"),
            shader!("step", "accelerate", "correct", "correct_rows"),
        ];
        let of_grid = [
            shader!("step", "springs_grid", "begin"),
            shader!("step", "forces", "relax", "relax_grid"),
            shader!("step", "forces", "sums", "accelerate", "grid", "iterate"),
            shader!("levels", "levels_grid", "descend"),
            shader!("step", "levels", "accelerate", "correct", "correct_grid"),
        ];
        let settle = module(shader!("step", "sums", "settle"));
        Self {
            rows: by_springs(of_rows, &ROWS, &LEVELS_OF_ROWS, &[(7, Read), (8, Read)]),
            grid: by_springs(of_grid, &[], &[], &[(9, Constant)]),
            judge: kernel(&settle, "judge", &[&SETTLES]),
            settle: kernel(&settle, "settle", &[&SETTLES]),
        }
    }

    /// Those for a whole grid, or for rows.
    #[must_use]
    pub const fn by_springs(&self, grid: bool) -> &BySprings {
        if grid { &self.grid } else { &self.rows }
    }
}

fn compile(device: &wgpu::Device, module: &wgpu::ShaderModule, name: &str, bindings: &[(u32, Binding)]) -> Kernel {
    let entry = |&(binding, kind): &(u32, Binding)| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::COMPUTE,
        ty: wgpu::BindingType::Buffer {
            ty: match kind {
                Constant | Offset => wgpu::BufferBindingType::Uniform,
                Read => wgpu::BufferBindingType::Storage { read_only: true },
                Write => wgpu::BufferBindingType::Storage { read_only: false },
            },
            has_dynamic_offset: matches!(kind, Offset),
            min_binding_size: None,
        },
        count: None,
    };
    let entries: Vec<_> = bindings.iter().map(entry).collect();
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
    Kernel { pipeline, layout, numbers: bindings.iter().map(|(number, _)| *number).collect() }
}
