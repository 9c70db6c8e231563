//! `--adapter`: which graphics device solvers use that run on one, and drawing.

use clap::Args;

use crate::scene::InputError;

/// The choice of a device.
#[derive(Args, Clone, Default)]
pub(super) struct AdapterArgs {
    /// Graphics device, by a part of its name or by its place in the list that "weft bench --gpu"
    /// prints [default: the fastest kind there is]
    #[arg(long, value_name = "NAME|INDEX")]
    pub adapter: Option<String>,
}

impl AdapterArgs {
    /// Makes solvers use the device that is asked for.
    pub fn choose(&self) -> Result<(), InputError> {
        let Some(wanted) = &self.adapter else { return Ok(()) };
        choose(wanted).map_err(|message| InputError::new("--adapter", message))
    }
}

#[cfg(feature = "gpu")]
fn choose(wanted: &str) -> Result<(), String> {
    crate::gpu::choice::choose(Some(wanted)).map(drop).map_err(|fault| fault.to_string())
}

#[cfg(not(feature = "gpu"))]
fn choose(_: &str) -> Result<(), String> {
    Err("this build has no solvers on graphics devices; build it with the feature gpu".to_owned())
}
