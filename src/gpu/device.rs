//! A graphics device that has been opened: by Weft itself, or by the window that draws with it.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use super::fault::DeviceFault;
use super::timer::{PassTime, Timer};

/// Most storage buffers of a kernel; every WebGPU device has as many.
const STORAGE_BUFFERS: u32 = 8;
/// Most memory shared by the threads of a group [bytes]; every WebGPU device has as much.
const SHARED_MEMORY: u32 = 16_384;

/// Description of a device, for lists and readouts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdapterName {
    /// As its driver calls it.
    pub name: String,
    /// The interface that it is driven by: Vulkan, Metal, DirectX 12.
    pub interface: String,
    /// Whether the processor does its work: for tests, and many times slower than a graphics
    /// processor.
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

/// A graphics device that has been opened. It can be shared with the renderer, so that positions
/// need not come back to be drawn.
#[derive(Debug)]
pub struct Device {
    device: wgpu::Device,
    queue: wgpu::Queue,
    name: AdapterName,
    /// Why it can be used no more.
    lost: Arc<Mutex<Option<DeviceFault>>>,
    /// Last reported fault.
    reported: Arc<Mutex<Option<DeviceFault>>>,
    alone: Mutex<()>,
    /// Objects made once for the device: compiled kernels.
    kept: Mutex<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>,
    /// Times of the passes, while they are asked for.
    timer: Mutex<Option<Timer>>,
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

    /// A device that the window has opened, which draws with it and hears of its faults as well.
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
            timer: Mutex::default(),
        })
    }

    /// Its description.
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

    /// Calls `work` with exclusive use of the device; `work` must not ask for the same.
    ///
    /// # Errors
    /// The error of `work`, or a fault that the device reports meanwhile.
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

    /// Has the passes of kernels measured from now on, or no longer.
    ///
    /// # Errors
    /// [`DeviceFault::Refused`] when the device has no timestamps.
    pub fn measure(&self, on: bool) -> Result<(), DeviceFault> {
        if on && !self.device.features().contains(wgpu::Features::TIMESTAMP_QUERY) {
            let reason = "it cannot tell how long its kernels take".to_owned();
            return Err(DeviceFault::Refused { name: self.name.to_string(), reason });
        }
        *locked(&self.timer) = on.then(|| Timer::new(&self.device));
        Ok(())
    }

    /// Whether passes are measured.
    #[must_use]
    pub fn is_measured(&self) -> bool {
        locked(&self.timer).is_some()
    }

    /// A pass of kernels with this `name`.
    pub fn pass<'a>(&self, encoder: &'a mut wgpu::CommandEncoder, name: &'static str) -> wgpu::ComputePass<'a> {
        match &mut *locked(&self.timer) {
            Some(timer) => timer.pass(encoder, name),
            None => {
                encoder.begin_compute_pass(&wgpu::ComputePassDescriptor { label: Some(name), timestamp_writes: None })
            }
        }
    }

    /// How long the passes took that were submitted since the last call, by name; waits for them.
    /// None while they are not measured.
    ///
    /// # Errors
    /// [`DeviceFault`] when the device does not come to their end.
    pub fn times(&self) -> Result<Vec<PassTime>, DeviceFault> {
        let taken = locked(&self.timer).as_mut().map(|timer| timer.take(&self.device, &self.queue));
        taken.unwrap_or(Ok(Vec::new())).map_err(|reason| DeviceFault::Failed { name: self.name.to_string(), reason })
    }

    /// The result of `make`, made once for the device.
    pub fn keep<T: Send + Sync + 'static>(&self, make: impl FnOnce(&Self) -> T) -> Arc<T> {
        let mut kept = locked(&self.kept);
        let known = kept.get(&TypeId::of::<T>()).cloned().and_then(|any| any.downcast::<T>().ok());
        known.unwrap_or_else(|| {
            let made = Arc::new(make(self));
            kept.insert(TypeId::of::<T>(), made.clone());
            made
        })
    }

    /// Waits until the device has done the last submitted work, that of `submission`.
    ///
    /// # Errors
    /// [`DeviceFault`] if the device fails before.
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

/// Waits for a future of wgpu. Outside of browsers these are ready at once, or after the next poll
/// of the device.
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
