//! Files are whole or not there, whatever happens to the disk or to the program.

use std::path::Path;
use std::process::{Command, Output};

use crate::{text, weft_in};

const SMALL: [&str; 6] = ["run", "--steps", "3", "--set", "columns=5", "--set=rows=5"];
/// A mesh of so many vertices needs more than 8 KiB.
const LARGE: [&str; 6] = ["run", "--steps", "3", "--set", "columns=30", "--set=rows=30"];

/// Runs the program where no file may become larger than so many blocks of 512 bytes: a disk that is nearly full.
#[cfg(unix)]
fn weft_on_full_disk(folder: &Path, blocks: u32, args: &[&str]) -> Output {
    // ignored, the signal becomes an error of the write, as on a full disk
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
    Command::new("sh")
        .args(["-c", &script, env!("CARGO_BIN_EXE_weft")])
        .args(args)
        .current_dir(folder)
        .output()
        .expect("sh")
}

/// Names of the files in `folder`.
fn files(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut names: Vec<_> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
#[cfg(unix)]
fn a_full_disk_is_an_error_and_leaves_no_part_of_a_file() {
    let meshes = [("--obj", "a.obj"), ("--export", "a.glb"), ("--export", "a.ply")];
    for (option, file) in meshes.into_iter().chain([("--snapshot", "a.json"), ("--save-scene", "a.ron")]) {
        // small files fail at the last flush, large ones in the middle
        for (args, blocks) in [(SMALL, 0), (LARGE, 0), (LARGE, 2)] {
            // a scene takes less, however large its cloth is
            if option == "--save-scene" && blocks > 0 {
                continue;
            }
            let folder = tempfile::tempdir().expect("a folder");
            let output = weft_on_full_disk(folder.path(), blocks, &[&args[..], &[option, file]].concat());
            let message = text(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{option} {blocks}: {message}");
            assert!(message.starts_with(&format!("weft: {file}: ")) && message.lines().count() == 1, "{message}");
            assert!(files(folder.path()).is_empty(), "{option} {blocks}: {:?}", files(folder.path()));
        }
    }
}

#[test]
#[cfg(unix)]
fn what_was_there_before_a_full_disk_is_there_after_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.obj");
    std::fs::write(&path, "v 0 0 0\n").expect("written");
    let output = weft_on_full_disk(folder.path(), 2, &[&LARGE[..], &["--obj", "a.obj"]].concat());
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(std::fs::read_to_string(&path).expect("still there"), "v 0 0 0\n");
    assert_eq!(files(folder.path()), ["a.obj"]);
}

#[test]
#[cfg(unix)]
fn a_table_on_a_full_disk_has_whole_rows_and_the_other_files_are_written() {
    let folder = tempfile::tempdir().expect("a folder");
    // the table needs more than 2 KiB, the mesh and the snapshot of four vertices less
    let args = ["run", "--steps", "60", "--set", "columns=2", "--set=rows=2", "--csv", "a.csv", "--obj", "a.obj"];
    let output = weft_on_full_disk(folder.path(), 4, &args);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.starts_with("weft: a.csv: "), "{message}");
    assert_eq!(files(folder.path()), ["a.csv", "a.obj"]);
    let csv = std::fs::read_to_string(folder.path().join("a.csv")).expect("written");
    assert!(csv.ends_with('\n') && csv.lines().count() > 3, "{csv}");
    let columns = |row: &str| row.split(',').count();
    let header = columns(csv.lines().next().expect("a header"));
    assert!(csv.lines().all(|row| columns(row) == header), "{csv}");
    // the mesh is that of the last row: nothing was simulated that nobody can read
    let rows = csv.lines().count() as f64 - 1.0;
    let obj = std::fs::read_to_string(folder.path().join("a.obj")).expect("written");
    let time: f64 = obj.split_whitespace().nth(4).expect("t = ...").parse().expect("a time");
    assert!((time * 60.0 - rows).abs() < 1.01, "{time} s after {rows} rows");
}

/// A program that is killed at the end of its test, failed or not.
#[cfg(unix)]
struct Running(std::process::Child);

#[cfg(unix)]
impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
#[cfg(unix)]
fn a_run_that_is_killed_leaves_a_table_of_rows_and_no_part_of_another_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let args = ["run", "--steps", "100000000", "--set", "columns=6", "--csv", "a.csv", "--obj", "a.obj"];
    let run = Command::new(env!("CARGO_BIN_EXE_weft")).args(args).current_dir(folder.path()).spawn();
    let mut run = Running(run.expect("the program starts"));
    let path = folder.path().join("a.csv");
    let read = || std::fs::read_to_string(&path).unwrap_or_default();
    // a system writes page by page, so a row can be there in part while it is written
    let check = |csv: &str| {
        let (whole, part) = csv.rsplit_once('\n').unwrap_or(("", csv));
        let columns = |row: &str| row.split(',').count();
        let all = whole.lines().next().map_or(usize::MAX, columns);
        assert!(whole.lines().all(|row| columns(row) == all) && columns(part) <= all, "{part}");
        whole.lines().count()
    };
    while check(&read()) < 500 {
        assert!(run.0.try_wait().expect("a child").is_none(), "it ended by itself");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    drop(run);
    assert!(check(&read()) >= 500);
    assert_eq!(files(folder.path()), ["a.csv"]);
}

#[test]
#[cfg(unix)]
fn links_devices_and_permissions_stay_what_they_are() {
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let run = |args: &[&str]| weft_in(folder.path(), &[&SMALL[..], args].concat());
    // through a link
    std::fs::write(at("real.obj"), "old").expect("written");
    std::fs::set_permissions(at("real.obj"), PermissionsExt::from_mode(0o640)).expect("changed");
    symlink("real.obj", at("link.obj")).expect("linked");
    assert!(run(&["--obj", "link.obj"]).status.success());
    assert!(at("link.obj").is_symlink());
    assert!(std::fs::read_to_string(at("real.obj")).expect("there").starts_with("# Weft"));
    let mode = |name: &str| std::fs::metadata(at(name)).expect("there").permissions().mode() & 0o777;
    assert_eq!(mode("real.obj"), 0o640);
    // a new file has the permissions that any new file has
    std::fs::write(at("any"), "").expect("written");
    assert!(run(&["--obj", "new.obj"]).status.success());
    assert_eq!(mode("new.obj"), mode("any"));
    // devices are written to and not replaced
    let output = run(&["--obj", "/dev/stdout", "--snapshot", "/dev/null"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("# Weft, t = "));
    assert!(std::fs::metadata("/dev/null").expect("there").file_type().is_char_device());
    #[cfg(target_os = "linux")]
    for option in ["--obj", "--snapshot", "--csv"] {
        let output = run(&[option, "/dev/full"]);
        let message = text(&output.stderr);
        assert!(matches!(output.status.code(), Some(1 | 2)) && message.contains("/dev/full"), "{option}: {message}");
    }
}

#[test]
fn bad_input_leaves_nothing_behind() {
    let folder = tempfile::tempdir().expect("a folder");
    for bad in [["--set", "gravity=99"], ["--scene", "tabel"], ["--timeout", "-1"], ["--from", "none.json"]] {
        let args = ["run", "--steps", "1", "--csv", "a.csv", "--obj", "a.obj", "--snapshot", "a.json"];
        let output = weft_in(folder.path(), &[&args[..], &bad].concat());
        assert_eq!(output.status.code(), Some(2), "{bad:?}: {}", text(&output.stderr));
        assert!(files(folder.path()).is_empty(), "{bad:?}: {:?}", files(folder.path()));
    }
}

#[test]
#[cfg(target_os = "linux")]
fn what_a_killed_run_has_left_beside_its_file_is_removed_by_the_next_and_nothing_else_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut ended = Command::new("true").spawn().expect("it starts");
    let gone = ended.id();
    ended.wait().expect("it has ended");
    let alive = std::process::id();
    let write = |name: &str| {
        std::fs::write(folder.path().join(name), "half a sta").expect("written");
        name.to_owned()
    };
    let left = [write(&format!(".weft-{gone}-abc123.json")), write(&format!(".weft-{gone}-def456.csv"))];
    let pictures = format!(".weft-{gone}-pictures");
    std::fs::create_dir(folder.path().join(&pictures)).expect("made");
    std::fs::write(folder.path().join(&pictures).join("motion"), "").expect("written");
    // of a process that lives, of one that may run elsewhere and holds its file, and what is not
    // ours
    let held = write(&format!(".weft-{gone}-held.json"));
    let lock = std::fs::File::open(folder.path().join(&held)).expect("it is there");
    lock.lock().expect("a lock");
    let kept = [write(&format!(".weft-{alive}-abc123.json")), held, write(".weft-other.json"), write("weft-1-a.json")];
    let is_there = |name: &String| folder.path().join(name).exists();
    let run = |option: &str, file: &str| {
        let output = weft_in(folder.path(), &["run", "--steps", "1", option, file]);
        assert!(output.status.success(), "{}", text(&output.stderr));
    };
    run("--snapshot", "a.json");
    assert!(!left.iter().any(is_there) && !is_there(&pictures), "they are gone");
    assert!(kept.iter().all(is_there), "they stay");
    drop(lock);
    run("--obj", "a.obj");
    assert!(!is_there(&kept[1]), "nobody holds it any more");
    assert!(is_there(&kept[0]) && is_there(&kept[2]) && is_there(&kept[3]), "they stay");
}
