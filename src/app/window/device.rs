//! Is there a screen, and something to draw with? Asked before Bevy, which answers with a panic.

use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};

use bevy::prelude::{Resource, default};
use bevy::render::RenderPlugin;
use bevy::render::settings::WgpuSettings;
use bevy::tasks::block_on;

use crate::gpu::choice;

/// Missing ability of the machine to draw or to show a window: a sentence with a remedy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Lacking(String);

/// The kind of device that draws.
#[derive(Resource, Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Device {
    /// A graphics processor.
    #[default]
    Hardware,
    /// A software renderer, many times slower.
    Software,
}

/// The kind of device that drawing will use.
///
/// # Errors
/// [`Lacking`] when there is none.
pub fn find_device() -> Result<Device, Lacking> {
    let adapters = block_on(choice::instance().enumerate_adapters(wgpu::Backends::all()));
    let kinds: Vec<_> = adapters.iter().map(|adapter| adapter.get_info().device_type).collect();
    if kinds.is_empty() {
        let message = "no Vulkan, Metal or DirectX 12 device found; install a graphics driver (on Debian the packages \
                       mesa-vulkan-drivers and libvulkan1), or use \"weft run\", which needs none";
        return Err(Lacking(message.to_owned()));
    }
    let software = kinds.iter().all(|kind| *kind == wgpu::DeviceType::Cpu);
    Ok(if software { Device::Software } else { Device::Hardware })
}

/// Drawing with the device that was chosen, if one was.
#[must_use]
pub fn drawing() -> RenderPlugin {
    let adapter_name = choice::chosen().map(|device| device.name);
    RenderPlugin { render_creation: WgpuSettings { adapter_name, ..default() }.into(), ..default() }
}

/// Calls `open`, which opens the connection to the screen, and turns the panic with which it fails
/// into a sentence.
///
/// # Errors
/// [`Lacking`] when there is no screen.
pub fn open_display(open: impl FnOnce()) -> Result<(), Lacking> {
    let hook = take_hook();
    set_hook(Box::new(|_| {}));
    let opened = catch_unwind(AssertUnwindSafe(open));
    set_hook(hook);
    opened.map_err(|panic| {
        let said = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
        let said = said.unwrap_or("no reason given");
        let why = if said.contains("event loop") {
            "no display found; start it from a desktop session (or under xvfb-run)".to_owned()
        } else {
            format!("the window cannot be opened ({said}); see that display and graphics driver work")
        };
        Lacking(format!("{why}, or use \"weft run\", which needs none"))
    })
}
