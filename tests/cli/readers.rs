//! Exported meshes, read by readers that others wrote.

use std::path::Path;
use std::process::Command;

use crate::text;

#[test]
#[ignore = "full tier"]
fn readers_of_others_read_what_is_exported() {
    // a package of its own: its readers and their features take no part in the build of Weft
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/readers/Cargo.toml");
    let output = Command::new(env!("CARGO"))
        .args(["test", "--manifest-path"])
        .arg(manifest)
        .arg("--target-dir")
        .arg(Path::new(env!("CARGO_TARGET_TMPDIR")).join("readers"))
        .env("WEFT", env!("CARGO_BIN_EXE_weft"))
        .output()
        .expect("cargo starts");
    assert!(output.status.success(), "{}\n{}", text(&output.stdout), text(&output.stderr));
}
