//! `--adapter`, and what is said where a device is missing.

use std::process::{Command, Output};

use crate::text;

/// Runs the program, with `changes` of its environment.
fn weft(args: &[&str], changes: &[(&str, &str)]) -> Output {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = Command::new(env!("CARGO_BIN_EXE_weft"));
    // drivers complain on standard error where there is none
    command.args(args).current_dir(folder.path()).env("XDG_RUNTIME_DIR", folder.path());
    command.envs(changes.iter().copied());
    command.output().expect("the program starts")
}

/// Asserts exit status 2 and a single sentence on standard error.
fn refused(args: &[&str], part: &str) {
    let output = weft(args, &[]);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {message}");
    assert!(message.contains(part), "{args:?}: {message}");
    assert_eq!(message.trim_end().lines().count(), 1, "{args:?}: {message}");
}

#[test]
fn an_adapter_that_is_not_there_is_refused() {
    let part = if cfg!(feature = "gpu") { "graphics device" } else { "build it with the feature gpu" };
    refused(&["run", "--steps", "1", "--adapter", "no such card"], part);
    refused(&["bench", "--sizes", "5", "--adapter", "no such card"], part);
}

#[cfg(not(feature = "gpu"))]
#[test]
fn a_build_without_devices_measures_none() {
    refused(&["bench", "--gpu"], "build it with the feature gpu");
}

#[cfg(feature = "gpu")]
mod with_devices {
    use super::{refused, weft};
    use crate::{json, text};

    /// The environment of a machine without a device.
    const NOWHERE: [(&str, &str); 2] =
        [("VK_DRIVER_FILES", "/nowhere/icd.json"), ("VK_ICD_FILENAMES", "/nowhere/icd.json")];

    #[test]
    fn a_run_without_a_device_goes_on_with_another_solver() {
        let args = ["run", "--steps", "3", "--set", "columns=9", "--set", "rows=9", "--solver"];
        let output = weft(&[&args[..], &["gpu-projective-dynamics"]].concat(), &NOWHERE);
        let message = text(&output.stderr);
        assert!(output.status.success(), "{message}");
        assert!(message.contains("no Vulkan, Metal or DirectX 12 device found"), "{message}");
        assert!(message.trim_end().ends_with("; the cloth continues with Fast mass-spring"), "{message}");
        assert_eq!(message.trim_end().lines().count(), 1, "{message}");
        let done = text(&output.stdout);
        assert!(done.starts_with("3 steps") && done.contains("fast-mass-spring"), "{done}");
        // it is the run that this solver makes
        let energy = |out: &str| out.lines().find(|line| line.starts_with("energy")).map(str::to_owned);
        let host = weft(&[&args[..], &["fast-mass-spring"]].concat(), &[]);
        assert_eq!(energy(&done), energy(&text(&host.stdout)));
    }

    #[test]
    fn a_measurement_without_a_device_fails_in_a_sentence() {
        let output = weft(&["bench", "--gpu", "--sizes", "5"], &NOWHERE);
        assert_eq!(output.status.code(), Some(1));
        assert!(text(&output.stderr).starts_with("weft: no Vulkan, Metal or DirectX 12 device found"));
    }

    #[cfg(feature = "app")]
    #[test]
    fn a_picture_without_a_device_fails_with_the_status_of_a_measurement_without_one() {
        let scene = ["--set", "columns=5", "--set", "rows=5"];
        for out in [&["--out", "a.png"][..], &["--lane", "solver=pbd", "--lane", "solver=xpbd", "--out", "a.png"]] {
            let output = weft(&[&["render"], &scene[..], out].concat(), &NOWHERE);
            let message = text(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{message}");
            assert!(message.contains("weft: no Vulkan, Metal or DirectX 12 device found"), "{message}");
        }
    }

    #[test]
    #[ignore = "full tier"]
    fn what_a_device_does_is_measured_beside_what_it_can_do() {
        let found = json(&weft(&["bench", "--gpu", "--sizes", "17,33", "--set", "iterations=20", "--json"], &[]));
        assert!(found["adapter"].as_str().is_some_and(|name| !name.is_empty()));
        for number in ["empty_dispatch_us", "copy_bytes_per_second"] {
            assert!(found[number].as_f64().is_some_and(|x| x > 0.0 && x.is_finite()), "{number}: {found}");
        }
        let rows = found["rows"].as_array().expect("rows");
        for solver in ["gpu-projective-dynamics", "gpu-vertex-block-descent"] {
            let own = rows.iter().filter(|row| row["solver"] == solver);
            let cloths: Vec<_> = own.map(|row| (row["columns"].as_u64(), row["cloth"].as_str())).collect();
            let [small, large] = [Some(17), Some(33)];
            assert_eq!(
                cloths,
                [(small, Some("grid")), (small, Some("mesh")), (large, Some("grid")), (large, Some("mesh"))]
            );
        }
        for row in rows {
            assert_eq!(row["iterations"].as_f64(), Some(20.0));
            let [us, tick, passes] =
                [&row["iteration_us"], &row["tick_ms"], &row["passes"]["iterations"]].map(serde_json::Value::as_f64);
            let [us, tick, passes] = [us, tick, passes].map(|x| x.expect("a number"));
            assert!(us > 0.0 && (20.0 * us - 1e3 * passes).abs() < 1e-6 * passes * 1e3, "{row}");
            assert!(row["min_ms"].as_f64().is_some_and(|least| least <= tick && least > 0.0), "{row}");
        }
        refused(&["bench", "--gpu", "--solvers", "xpbd"], "runs on no graphics device; take some of gpu-");
    }

    #[test]
    fn a_device_is_chosen_by_its_place_as_well() {
        let output = weft(&["run", "--steps", "1", "--adapter", "0"], &[]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        refused(&["run", "--steps", "1", "--adapter", "77"], "0: ");
    }
}
