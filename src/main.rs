//! The `weft` command: argument parsing, nothing else.

use std::process::ExitCode;

fn main() -> ExitCode {
    #[cfg(target_os = "linux")]
    keep_wayland_quiet();
    weft::cli::main()
}

/// Names a runtime folder where there is none. Mesa's Vulkan layer that selects a device looks for
/// a Wayland display, for which libwayland prints an error unless the folder is named; nothing can
/// be in this one.
#[cfg(target_os = "linux")]
fn keep_wayland_quiet() {
    const FOLDER: &str = "XDG_RUNTIME_DIR";
    let is_named = std::env::var_os(FOLDER).is_some_and(|folder| std::path::Path::new(&folder).is_absolute());
    if !is_named {
        // SAFETY: no other thread has started yet
        unsafe { std::env::set_var(FOLDER, "/dev/null") };
    }
}
