//! Time of kernels as the device measures it: timestamps before and after each pass, if wanted.

/// Passes between two readings of the times, at most; those after them are not measured.
const MOST: u32 = 1024;
/// Bytes of a timestamp.
const STAMP: u64 = 8;

/// Passes of the same name, together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PassTime {
    /// Name of the pass.
    pub name: &'static str,
    /// How many there were.
    pub count: u32,
    /// How long they took in all [s].
    pub seconds: f64,
}

/// Timestamps of a device.
#[derive(Debug)]
pub struct Timer {
    stamps: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    home: wgpu::Buffer,
    /// Name of each pass.
    names: Vec<&'static str>,
}

impl Timer {
    /// One of a device that has timestamps.
    #[must_use]
    pub fn new(device: &wgpu::Device) -> Self {
        let buffer = |usage: wgpu::BufferUsages| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("times"),
                size: STAMP * u64::from(2 * MOST),
                usage: usage | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        };
        let stamps = device.create_query_set(&wgpu::QuerySetDescriptor {
            label: Some("times"),
            ty: wgpu::QueryType::Timestamp,
            count: 2 * MOST,
        });
        let resolved = buffer(wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC);
        Self { stamps, resolved, home: buffer(wgpu::BufferUsages::MAP_READ), names: Vec::new() }
    }

    /// A pass of this name.
    pub fn pass<'a>(&mut self, encoder: &'a mut wgpu::CommandEncoder, name: &'static str) -> wgpu::ComputePass<'a> {
        let first = 2 * self.names.len() as u32;
        let writes = (first < 2 * MOST).then(|| {
            self.names.push(name);
            wgpu::ComputePassTimestampWrites {
                query_set: &self.stamps,
                beginning_of_pass_write_index: Some(first),
                end_of_pass_write_index: Some(first + 1),
            }
        });
        encoder.begin_compute_pass(&wgpu::ComputePassDescriptor { label: Some(name), timestamp_writes: writes })
    }

    /// The times of all passes that were submitted since the last call, by name in the order in
    /// which the names came; waits for them.
    ///
    /// # Errors
    /// Why the device does not come to their end.
    pub fn take(&mut self, device: &wgpu::Device, queue: &wgpu::Queue) -> Result<Vec<PassTime>, String> {
        let names = std::mem::take(&mut self.names);
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let (count, bytes) = (2 * names.len() as u32, 2 * STAMP * names.len() as u64);
        let label = wgpu::CommandEncoderDescriptor { label: Some("times") };
        let mut encoder = device.create_command_encoder(&label);
        encoder.resolve_query_set(&self.stamps, 0..count, &self.resolved, 0);
        encoder.copy_buffer_to_buffer(&self.resolved, 0, &self.home, 0, bytes);
        let submission = queue.submit([encoder.finish()]);
        let range = self.home.slice(..bytes);
        let (tell, told) = std::sync::mpsc::channel();
        range.map_async(wgpu::MapMode::Read, move |result| {
            // the receiver is waiting
            let _ = tell.send(result);
        });
        let until = wgpu::PollType::Wait { submission_index: Some(submission), timeout: None };
        device.poll(until).map_err(|error| error.to_string())?;
        let mapped = told.try_recv().map_err(|error| error.to_string())?;
        mapped.map_err(|error| error.to_string())?;
        let stamps: Vec<u64> = {
            let view = range.get_mapped_range();
            view.chunks_exact(STAMP as usize).map(bytemuck::pod_read_unaligned).collect()
        };
        self.home.unmap();
        let unit = f64::from(queue.get_timestamp_period()) * 1e-9;
        let mut times: Vec<PassTime> = Vec::new();
        for (name, stamp) in names.into_iter().zip(stamps.chunks_exact(2)) {
            let seconds = stamp[1].saturating_sub(stamp[0]) as f64 * unit;
            match times.iter_mut().find(|time| time.name == name) {
                Some(time) => (time.count, time.seconds) = (time.count + 1, time.seconds + seconds),
                None => times.push(PassTime { name, count: 1, seconds }),
            }
        }
        Ok(times)
    }
}
