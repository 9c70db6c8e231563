//! Which graphics device solvers use: the fastest kind that there is, the one that was chosen, or
//! the one that the window draws with.
//!
//! It is opened when the first solver asks for it, and again after it was lost. This is the one
//! place of Weft with a state of the whole process: the devices belong to the machine, not to a
//! cloth.

use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use super::device::{AdapterName, Device, block_on};
use super::fault::DeviceFault;

/// The choice of a device for solvers.
#[derive(Debug, Default)]
struct Current {
    /// Part of the name of the device that was chosen.
    wanted: Option<String>,
    /// That of one which is used if it is there, when none was chosen.
    preferred: Option<String>,
    opened: Option<Arc<Device>>,
}

static CURRENT: Mutex<Current> = Mutex::new(Current { wanted: None, preferred: None, opened: None });

fn current_lock() -> MutexGuard<'static, Current> {
    CURRENT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The way to the drivers. It stays open until the process ends, because drivers leave functions to
/// be called then, and the last one to close it would unload them: one end in 25 was a segmentation
/// fault.
pub fn instance() -> &'static wgpu::Instance {
    static INSTANCE: LazyLock<wgpu::Instance> =
        LazyLock::new(|| wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env()));
    &INSTANCE
}

fn find() -> Vec<wgpu::Adapter> {
    let mut adapters = block_on(instance().enumerate_adapters(wgpu::Backends::PRIMARY));
    adapters.sort_by_key(|adapter| match adapter.get_info().device_type {
        wgpu::DeviceType::DiscreteGpu => 0,
        wgpu::DeviceType::IntegratedGpu => 1,
        wgpu::DeviceType::VirtualGpu => 2,
        wgpu::DeviceType::Other => 3,
        wgpu::DeviceType::Cpu => 4,
    });
    adapters
}

/// The devices of this machine, the fastest kinds first.
#[must_use]
pub fn adapters() -> Vec<AdapterName> {
    find().iter().map(|adapter| AdapterName::of(&adapter.get_info())).collect()
}

/// Opens the device of this place in [`adapters`], or the first whose name contains `wanted`, in
/// capitals or not; without a choice the first of all.
///
/// # Errors
/// [`DeviceFault`] when there is none, or when its driver refuses.
pub fn open(wanted: Option<&str>) -> Result<Arc<Device>, DeviceFault> {
    let adapters = find();
    let names: Vec<String> = adapters.iter().map(|adapter| AdapterName::of(&adapter.get_info()).to_string()).collect();
    let fits = |name: &String| wanted.is_none_or(|wanted| name.to_lowercase().contains(&wanted.to_lowercase()));
    let place = wanted.and_then(|wanted| wanted.trim().parse().ok()).filter(|place: &usize| *place < names.len());
    match place.or_else(|| names.iter().position(fits)) {
        Some(at) => Device::open(&adapters[at]),
        None if names.is_empty() => Err(DeviceFault::None),
        None => Err(DeviceFault::Unknown { wanted: wanted.unwrap_or_default().to_owned(), known: listed(&names) }),
    }
}

/// Opens the device of this name, or the first of all where it is not there or cannot be opened.
///
/// # Errors
/// [`DeviceFault`] when there is none, or when its driver refuses.
pub fn open_preferred(name: &str) -> Result<Arc<Device>, DeviceFault> {
    open(Some(name)).or_else(|_| open(None))
}

/// Names with their places.
fn listed(names: &[String]) -> String {
    let numbered = names.iter().enumerate().map(|(place, name)| format!("{place}: {name}"));
    numbered.collect::<Vec<_>>().join(", ")
}

/// The device that was chosen, if one was.
#[must_use]
pub fn chosen() -> Option<AdapterName> {
    let current = current_lock();
    current.wanted.as_ref().and(current.opened.as_ref()).map(|device| device.name().clone())
}

/// Makes solvers use the device that [`open`] finds for `wanted`, from their next step on; `None`
/// leaves it to the machine.
///
/// # Errors
/// [`DeviceFault`] when it cannot be opened; then all stays as it was.
pub fn choose(wanted: Option<&str>) -> Result<Arc<Device>, DeviceFault> {
    let device = open(wanted)?;
    *current_lock() = Current { wanted: wanted.map(str::to_owned), preferred: None, opened: Some(Arc::clone(&device)) };
    Ok(device)
}

/// Makes solvers use the device of this name from their next opening on, if the machine has it and
/// none was chosen: a device chosen once may have been removed since.
pub fn prefer(name: Option<String>) {
    current_lock().preferred = name;
}

/// Makes solvers use `device` from their next step on: the one that the window draws with.
pub fn offer(device: Arc<Device>) {
    let mut current = current_lock();
    if current.wanted.is_none() {
        current.opened = Some(device);
    }
}

/// The device that solvers use; it is opened now if it was not before, or was lost.
///
/// # Errors
/// [`DeviceFault`] when it cannot be opened.
pub fn current() -> Result<Arc<Device>, DeviceFault> {
    let mut current = current_lock();
    if let Some(device) = current.opened.as_ref().filter(|device| !device.is_lost()) {
        return Ok(Arc::clone(device));
    }
    let device = match (&current.wanted, &current.preferred) {
        (None, Some(preferred)) => open_preferred(preferred)?,
        (wanted, _) => open(wanted.as_deref())?,
    };
    current.opened = Some(Arc::clone(&device));
    Ok(device)
}
