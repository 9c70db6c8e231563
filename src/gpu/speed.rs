//! Peak speed of a device, to compare kernels with: the cost of an empty dispatch, and the speed of
//! copying.

use super::device::Device;
use super::fault::DeviceFault;

/// Measurements of a device.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DeviceSpeed {
    /// A dispatch that does nothing, among many in one pass [s].
    pub dispatch: f64,
    /// Bytes that a kernel reads and writes in a second while it copies an array that no cache
    /// holds.
    pub copied: f64,
}

/// Empty dispatches in a pass.
const DISPATCHES: u32 = 1000;
/// Size of the array that is copied [bytes], on a graphics processor and on one that the processor
/// does the work of.
const COPIED: [u64; 2] = [256 << 20, 32 << 20];
/// How often it is copied in a pass, and threads of a group that copies.
const COPIES: u32 = 8;
const GROUP: u32 = 256;
/// Bytes of an entry.
const ENTRY: u64 = 16;
/// Most groups along one direction.
const ACROSS: u32 = 256;

/// Measures a device; the second time counts, since the first one warms it up.
///
/// # Errors
/// [`DeviceFault`] when it has no timestamps, or does not come to an end.
pub fn of_device(device: &Device) -> Result<DeviceSpeed, DeviceFault> {
    device.attempt(|| {
        let source = wgpu::ShaderSource::Wgsl(include_str!("../../shaders/gpu/speed.wgsl").into());
        let module = device.wgpu().create_shader_module(wgpu::ShaderModuleDescriptor { label: Some("speed"), source });
        let pipeline = |name: &str| {
            device.wgpu().create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: Some(name),
                layout: None,
                module: &module,
                entry_point: Some(name),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                cache: None,
            })
        };
        let (nothing, copy) = (pipeline("nothing"), pipeline("copy"));
        let size = COPIED[usize::from(device.name().software)].min(device.largest_array() / ENTRY * ENTRY);
        let buffer = || {
            device.wgpu().create_buffer(&wgpu::BufferDescriptor {
                label: Some("copied"),
                size,
                usage: wgpu::BufferUsages::STORAGE,
                mapped_at_creation: false,
            })
        };
        let (from, to) = (buffer(), buffer());
        let bound = |buffers: [&wgpu::Buffer; 2]| {
            let [from, to] = buffers.map(wgpu::Buffer::as_entire_binding);
            device.wgpu().create_bind_group(&wgpu::BindGroupDescriptor {
                label: None,
                layout: &copy.get_bind_group_layout(0),
                entries: &[
                    wgpu::BindGroupEntry { binding: 0, resource: from },
                    wgpu::BindGroupEntry { binding: 1, resource: to },
                ],
            })
        };
        let ways = [bound([&from, &to]), bound([&to, &from])];
        measure(device, &nothing, (&copy, &ways), size)?;
        measure(device, &nothing, (&copy, &ways), size)
    })
}

/// Runs both kernels, the copies of `size` bytes forth and back in turn.
fn measure(
    device: &Device,
    nothing: &wgpu::ComputePipeline,
    (copy, ways): (&wgpu::ComputePipeline, &[wgpu::BindGroup; 2]),
    size: u64,
) -> Result<DeviceSpeed, DeviceFault> {
    let groups = (size / ENTRY).div_ceil(u64::from(GROUP)) as u32;
    device.measure(true)?;
    let label = wgpu::CommandEncoderDescriptor { label: Some("speed") };
    let mut encoder = device.wgpu().create_command_encoder(&label);
    let mut pass = device.pass(&mut encoder, "nothing");
    pass.set_pipeline(nothing);
    (0..DISPATCHES).for_each(|_| pass.dispatch_workgroups(1, 1, 1));
    drop(pass);
    let mut pass = device.pass(&mut encoder, "copy");
    pass.set_pipeline(copy);
    for number in 0..COPIES {
        pass.set_bind_group(0, &ways[number as usize % 2], &[]);
        pass.dispatch_workgroups(ACROSS.min(groups), groups.div_ceil(ACROSS), 1);
    }
    drop(pass);
    device.queue().submit([encoder.finish()]);
    let times = device.times()?;
    device.measure(false)?;
    let of = |name: &str| times.iter().find(|time| time.name == name).map_or(f64::NAN, |time| time.seconds);
    Ok(DeviceSpeed {
        dispatch: of("nothing") / f64::from(DISPATCHES),
        copied: 2.0 * f64::from(COPIES) * size as f64 / of("copy"),
    })
}
