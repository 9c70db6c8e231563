//! The real window: started on a virtual screen, drawn by the software Vulkan device, moved with a mouse.
//!
//! Needs `Xvfb`, `xdotool`, `xprop` and a Vulkan driver such as `mesa-vulkan-drivers`; without them these tests fail and
//! say what is missing.

mod advice;
mod blow_up_replay;
#[cfg(target_os = "linux")]
mod building;
#[cfg(target_os = "linux")]
mod camera;
mod contrast;
mod controls;
#[cfg(target_os = "linux")]
mod desk;
mod editing;
#[cfg(target_os = "linux")]
mod files;
#[cfg(target_os = "linux")]
mod film;
mod first_panel;
mod gallery;
mod harness;
#[cfg(target_os = "linux")]
mod idle;
#[cfg(target_os = "linux")]
mod input;
mod keyboard;
mod lane_clock;
#[cfg(target_os = "linux")]
mod lanes;
mod lessons;
mod letters;
#[cfg(target_os = "linux")]
mod memory;
#[cfg(target_os = "linux")]
mod monkey;
#[cfg(target_os = "linux")]
mod newcomer;
mod order;
mod panels;
#[cfg(target_os = "linux")]
mod picture;
#[path = "../shared/plain_words.rs"]
mod plain_words;
mod plots;
#[cfg(target_os = "linux")]
mod render;
#[cfg(target_os = "linux")]
#[path = "../shared/seed.rs"]
mod seed;
#[cfg(target_os = "linux")]
mod session;
#[cfg(target_os = "linux")]
mod studies;
mod sweep;
#[cfg(target_os = "linux")]
mod time;
#[cfg(target_os = "linux")]
mod viewing;
mod words;
