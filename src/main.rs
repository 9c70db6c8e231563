//! The `weft` command: argument parsing, and the end of the program where memory ends.

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

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

/// The system's allocator, with a sentence and status 1 where it has no memory left: the standard
/// library ends a program there by a signal, as after a bug.
struct Bounded;

#[global_allocator]
static ALLOCATOR: Bounded = Bounded;

// SAFETY: every call is passed on to the system's allocator, and its pointers are passed back
unsafe impl GlobalAlloc for Bounded {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as promised to this function
        given(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as promised to this function
        given(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as promised to this function
        given(unsafe { System.realloc(at, layout, size) }, size)
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: as promised to this function
        unsafe { System.dealloc(at, layout) }
    }
}

/// `memory` of so many bytes, or the end of the program if there is none.
fn given(memory: *mut u8, size: usize) -> *mut u8 {
    if memory.is_null() { out_of_memory(size) } else { memory }
}

#[cold]
fn out_of_memory(size: usize) -> *mut u8 {
    static IS_TOLD: AtomicBool = AtomicBool::new(false);
    if IS_TOLD.swap(true, Ordering::Relaxed) {
        // another thread is ending the program
        loop {
            std::thread::park();
        }
    }
    // neither formatting a number nor standard error takes memory
    let message =
        format_args!("weft: no memory is left for {size} bytes; take a smaller scene, or allow more memory\n");
    let _ = std::io::stderr().write_fmt(message);
    // what would run at an exit may take memory
    #[cfg(unix)]
    // SAFETY: it ends the process and nothing else
    unsafe {
        libc::_exit(1)
    }
    #[cfg(not(unix))]
    std::process::exit(1)
}
