//! A graphics device that has been opened: by Weft itself, or by the window that draws with it.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use super::fault::DeviceFault;

/// Storage buffers that a kernel binds, at most; what every WebGPU device has.
const STORAGE_BUFFERS: u32 = 8;
/// Memory that the threads of a group share, at most [bytes]; what every WebGPU device has.
const SHARED_MEMORY: u32 = 16_384;

/// What a device is, for lists and readouts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdapterName {
    /// As its driver calls it.
    pub name: String,
    /// The interface that it is driven by: Vulkan, Metal, DirectX 12.
    pub interface: String,
    /// Whether the processor does its work: for tests, and many times slower than a graphics processor.
    pub software: bool,
}

impl AdapterName {
    /// Of an adapter of wgpu.
    #[must_use]
    pub fn of(info: &wgpu::AdapterInfo) -> Self {
        let interface = match info.backend {
            wgpu::Backend::Vulkan => "Vulkan",
            wgpu::Backend::Metal => "Metal",
            wgpu::Backend::Dx12 => "DirectX 12",
            other => other.to_str(),
        };
        let software = info.device_type == wgpu::DeviceType::Cpu;
        Self { name: info.name.clone(), interface: interface.to_owned(), software }
    }
}

impl std::fmt::Display for AdapterName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({})", self.name, self.interface)
    }
}

/// A graphics device that has been opened. It can be shared with whoever draws, so that positions need not come back to be drawn.
#[derive(Debug)]
pub struct Device {
    device: wgpu::Device,
    queue: wgpu::Queue,
    name: AdapterName,
    /// Why it can be used no more.
    lost: Arc<Mutex<Option<DeviceFault>>>,
    /// What it has reported last.
    reported: Arc<Mutex<Option<DeviceFault>>>,
    alone: Mutex<()>,
    /// What is made once for the device: compiled kernels.
    kept: Mutex<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>,
}

impl Device {
    /// Opens the device of an adapter, with the largest arrays that it has.
    ///
    /// # Errors
    /// [`DeviceFault`] when its driver refuses, or when it has less than every WebGPU device has.
    pub fn open(adapter: &wgpu::Adapter) -> Result<Arc<Self>, DeviceFault> {
        let name = AdapterName::of(&adapter.get_info());
        let limits = adapter.limits();
        let refused = |reason: String| DeviceFault::Refused { name: name.to_string(), reason };
        let (buffers, shared) =
            (limits.max_storage_buffers_per_shader_stage, limits.max_compute_workgroup_storage_size);
        if buffers < STORAGE_BUFFERS || shared < SHARED_MEMORY {
            return Err(refused(format!(
                "its kernels bind {buffers} buffers and share {shared} bytes, and those of the cloth {STORAGE_BUFFERS} and {SHARED_MEMORY}"
            )));
        }
        // times of kernels, where it has them
        let features = adapter.features() & wgpu::Features::TIMESTAMP_QUERY;
        let opened = block_on(adapter.request_device(&wgpu::DeviceDescriptor {
            label: Some("weft"),
            required_features: features,
            required_limits: limits,
            ..wgpu::DeviceDescriptor::default()
        }));
        let (device, queue) = opened.map_err(|error| refused(error.to_string()))?;
        let this = Self::shared(device, queue, name);
        let (reported, name) = (Arc::clone(&this.reported), this.name.to_string());
        this.device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            let name = name.clone();
            let fault = match error {
                wgpu::Error::OutOfMemory { .. } => DeviceFault::OutOfMemory { name },
                error => DeviceFault::Failed { name, reason: first_line(&error) },
            };
            // the first is the cause of those that follow
            locked(&reported).get_or_insert(fault);
        }));
        let (lost, name) = (Arc::clone(&this.lost), this.name.to_string());
        this.device.set_device_lost_callback(move |_, reason| {
            let reason = if reason.is_empty() { "its driver gives no reason".to_owned() } else { reason };
            locked(&lost).get_or_insert(DeviceFault::Lost { name: name.clone(), reason });
        });
        Ok(this)
    }

    /// One that someone else has opened, who also hears of its faults: the window, which draws with it.
    #[must_use]
    pub fn shared(device: wgpu::Device, queue: wgpu::Queue, name: AdapterName) -> Arc<Self> {
        Arc::new(Self {
            device,
            queue,
            name,
            lost: Arc::default(),
            reported: Arc::default(),
            alone: Mutex::default(),
            kept: Mutex::default(),
        })
    }

    /// What it is.
    #[must_use]
    pub fn name(&self) -> &AdapterName {
        &self.name
    }

    /// The device of wgpu.
    #[must_use]
    pub fn wgpu(&self) -> &wgpu::Device {
        &self.device
    }

    /// Its queue.
    #[must_use]
    pub fn queue(&self) -> &wgpu::Queue {
        &self.queue
    }

    /// The largest array that it holds in one piece [bytes].
    #[must_use]
    pub fn largest_array(&self) -> u64 {
        let limits = self.device.limits();
        limits.max_storage_buffer_binding_size.min(limits.max_buffer_size)
    }

    /// Whether it can be used no more.
    #[must_use]
    pub fn is_lost(&self) -> bool {
        locked(&self.lost).is_some()
    }

    /// Gives it up, as a driver does that is reset.
    pub fn destroy(&self) {
        let fault = DeviceFault::Lost { name: self.name.to_string(), reason: "it was given up".to_owned() };
        locked(&self.lost).get_or_insert(fault);
        self.device.destroy();
    }

    /// Does `work` with it, while nobody else does; `work` is not to ask for the same.
    ///
    /// # Errors
    /// What `work` says, or what the device reports while it is done.
    pub fn attempt<T>(&self, work: impl FnOnce() -> Result<T, DeviceFault>) -> Result<T, DeviceFault> {
        // wgpu reports to the device and not to the thread
        let alone = locked(&self.alone);
        if let Some(fault) = &*locked(&self.lost) {
            return Err(fault.clone());
        }
        let _ = locked(&self.reported).take();
        let done = work();
        let reported = locked(&self.reported).take();
        drop(alone);
        match locked(&self.lost).clone().or(reported) {
            Some(fault) => Err(fault),
            None => done,
        }
    }

    /// What `make` makes, once for the device.
    pub fn keep<T: Send + Sync + 'static>(&self, make: impl FnOnce(&Self) -> T) -> Arc<T> {
        let mut kept = locked(&self.kept);
        let known = kept.get(&TypeId::of::<T>()).cloned().and_then(|any| any.downcast::<T>().ok());
        known.unwrap_or_else(|| {
            let made = Arc::new(make(self));
            kept.insert(TypeId::of::<T>(), made.clone());
            made
        })
    }

    /// Waits until the device has done what was submitted last by `submission`.
    ///
    /// # Errors
    /// [`DeviceFault`] when it does not come to that.
    pub fn wait(&self, submission: wgpu::SubmissionIndex) -> Result<(), DeviceFault> {
        let until = wgpu::PollType::Wait { submission_index: Some(submission), timeout: None };
        let failed =
            |error: wgpu::PollError| DeviceFault::Failed { name: self.name.to_string(), reason: error.to_string() };
        self.device.poll(until).map(|_| ()).map_err(failed)
    }
}

/// An error of wgpu, without the path of calls that led to it.
fn first_line(error: &wgpu::Error) -> String {
    let text = error.to_string();
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.take(8).collect::<Vec<_>>().join(" ")
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits for a future of wgpu. Outside of browsers these are ready at once, or after the next poll of the device.
pub(super) fn block_on<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(value) => return value,
            Poll::Pending => std::thread::yield_now(),
        }
    }
}
