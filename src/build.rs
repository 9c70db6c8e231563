//! What the linker is told: relocations in the short form, and functions with the same code once.
//! Together they make the program a fifth smaller.

fn main() {
    println!("cargo:rerun-if-changed=src/build.rs");
    let is = |key: &str, value: &str| std::env::var(format!("CARGO_CFG_TARGET_{key}")).is_ok_and(|is| is == value);
    // where the linker that comes with Rust knows both
    if is("OS", "linux") && is("ARCH", "x86_64") && is("ENV", "gnu") {
        println!("cargo:rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
        println!("cargo:rustc-link-arg-bins=-Wl,--icf=all");
    }
}
