//! Arrays on a device. They grow as they are needed, and say in a sentence when the device cannot
//! hold them.

use super::device::Device;
use super::fault::DeviceFault;
use crate::sim::exec::pool::ThreadPool;

/// Bytes that a thread copies at once.
const PIECE: usize = 1 << 20;

/// An array on a device.
#[derive(Debug)]
pub struct Array {
    what: &'static str,
    usage: wgpu::BufferUsages,
    buffer: Option<wgpu::Buffer>,
}

impl Array {
    /// An array for kernels to read and write; `what` names it in a sentence.
    #[must_use]
    pub const fn storage(what: &'static str) -> Self {
        let copied = wgpu::BufferUsages::COPY_SRC.union(wgpu::BufferUsages::COPY_DST);
        Self { what, usage: wgpu::BufferUsages::STORAGE.union(copied), buffer: None }
    }

    /// Constants that all threads read.
    #[must_use]
    pub const fn uniform(what: &'static str) -> Self {
        Self { what, usage: wgpu::BufferUsages::UNIFORM.union(wgpu::BufferUsages::COPY_DST), buffer: None }
    }

    /// An array that the host reads.
    #[must_use]
    pub const fn read_back(what: &'static str) -> Self {
        Self { what, usage: wgpu::BufferUsages::MAP_READ.union(wgpu::BufferUsages::COPY_DST), buffer: None }
    }

    /// Makes room for so many `bytes`. Returns whether that took a new buffer, whose content is
    /// zero.
    ///
    /// # Errors
    /// [`DeviceFault::TooLarge`] when the device cannot hold it in one piece.
    pub fn reserve(&mut self, device: &Device, bytes: usize) -> Result<bool, DeviceFault> {
        let needed = bytes.next_multiple_of(16).max(16) as u64;
        let fits = |buffer: &wgpu::Buffer| buffer.size() >= needed && buffer.size() <= 4 * needed.max(4096);
        if self.buffer.as_ref().is_some_and(fits) {
            return Ok(false);
        }
        let most = device.largest_array();
        if needed > most {
            return Err(DeviceFault::TooLarge { name: device.name().to_string(), what: self.what, needed, most });
        }
        // the old one first, so that both need not fit
        self.buffer = None;
        self.buffer = Some(device.wgpu().create_buffer(&wgpu::BufferDescriptor {
            label: Some(self.what),
            size: needed,
            usage: self.usage,
            mapped_at_creation: false,
        }));
        Ok(true)
    }

    /// [`reserve`](Self::reserve)s room for `content`, and uploads it with the next submission.
    ///
    /// # Errors
    /// [`DeviceFault`].
    pub fn upload<T: bytemuck::Pod>(&mut self, device: &Device, content: &[T]) -> Result<bool, DeviceFault> {
        let bytes: &[u8] = bytemuck::cast_slice(content);
        let new = self.reserve(device, bytes.len())?;
        if let Some(buffer) = self.buffer.as_ref().filter(|_| !bytes.is_empty()) {
            device.queue().write_buffer(buffer, 0, bytes);
        }
        Ok(new)
    }

    /// [`upload`](Self::upload) of a large `content` by all threads of `pool`.
    ///
    /// # Errors
    /// [`DeviceFault`].
    pub fn upload_by<T: bytemuck::Pod>(
        &mut self,
        device: &Device,
        content: &[T],
        pool: &ThreadPool,
    ) -> Result<bool, DeviceFault> {
        let bytes: &[u8] = bytemuck::cast_slice(content);
        if bytes.len() <= PIECE {
            return self.upload(device, content);
        }
        let new = self.reserve(device, bytes.len())?;
        let view = |(at, piece): (usize, &[u8])| {
            let size = wgpu::BufferSize::new(piece.len() as u64)?;
            device.queue().write_buffer_with(self.buffer(), (at * PIECE) as u64, size)
        };
        // none where the device has reported a fault
        let views: Option<Vec<_>> = bytes.chunks(PIECE).enumerate().map(view).collect();
        if let Some(mut views) = views {
            pool.update(&mut views, 1, |at, view| {
                let start = at * PIECE;
                view.copy_from_slice(&bytes[start..(start + PIECE).min(bytes.len())]);
            });
        }
        Ok(new)
    }

    /// The buffer; one without room before the first [`reserve`](Self::reserve) is a fault of the
    /// program.
    #[must_use]
    pub fn buffer(&self) -> &wgpu::Buffer {
        self.buffer.as_ref().expect("room has been reserved")
    }

    /// Its size [bytes].
    #[must_use]
    pub fn size(&self) -> u64 {
        self.buffer.as_ref().map_or(0, wgpu::Buffer::size)
    }
}
