//! `weft fit`: parameters of a fabric from figures, curves and shapes.

use std::fmt::Write;
use std::path::Path;

use weft::sim::study::textile::Specimen;
use weft::sim::{Parameters, Vec3};

use super::{json, refused, text, weft, weft_in};

#[test]
fn the_result_can_be_pasted_and_gives_the_target() {
    let folder = tempfile::tempdir().expect("a folder");
    let args = ["fit", "--test", "shear", "--target", "90", "--vary", "shear_stiffness", "--plot", "path.svg"];
    let output = weft_in(folder.path(), &args);
    let told = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{told}{}", text(&output.stderr));
    assert!(told.contains("shear in the frame is ") && told.contains(" N/m with shear "), "{told}");
    let pasted = told.lines().find(|line| line.starts_with("--set ")).expect("arguments");
    let rows = json(&weft(&["textile", "--test", "shear", "--json", "--set", &pasted[6..]]));
    let value = rows[0]["value"].as_f64().expect("a number");
    assert!((value / 90.0 - 1.0).abs() < 0.003, "{value}: {told}");
    let plot = std::fs::read_to_string(folder.path().join("path.svg")).expect("a plot");
    assert!(plot.contains("Fit of shear to shear in the frame"), "{plot}");
    // the parameter that the test is made for need not be named
    let found = json(&weft(&["fit", "--test", "shear", "--target", "90", "--json"]));
    let path = found["path"].as_array().expect("a path");
    assert!(found["answer"] == true && path.len() > 1, "{found}");
    assert_eq!(found["result"], path[path.len() - 1]);
    assert_eq!(found["arguments"], *pasted);
    // a marker for each evaluation, and the one of the legend
    assert_eq!(plot.matches("<polygon").count(), path.len() + 1, "{plot}");
}

#[test]
fn a_curve_is_read_from_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    // the theory of a grid with structural springs of 3600 N/m: a strip of ten cells has eleven
    let modulus = 3600.0 * 3700.0 / 3650.0 * 1.1;
    let rows = [0.005, 0.01].map(|strain| format!("{strain},{}\n", strain * modulus)).concat();
    std::fs::write(folder.path().join("strip.csv"), format!("strain,force_n_per_m\n{rows}")).expect("written");
    let args = ["fit", "--test=tension-weft", "--curve=strip.csv", "--vary=structural_stiffness", "--json"];
    let found = json(&weft_in(folder.path(), &args));
    let value = found["result"]["parameters"]["structural_stiffness"].as_f64().expect("a number");
    assert!((value / 3600.0 - 1.0).abs() < 0.03, "{found}");
    assert!(found["result"]["distance"].as_f64().expect("a number") < 0.02, "{found}");
}

#[test]
fn curves_that_are_none_are_told_with_their_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let many: String = (0..21).map(|at| format!("{},1\n", 0.001 * f64::from(at))).collect();
    for (rows, part) in [
        ("", "has no point with a force"),
        ("strain;force\n", "line 1: the header is \"strain;force\"; let the first line be strain,force_n_per_m"),
        ("strain,force_n_per_m\n", "has no point with a force"),
        ("strain,force_n_per_m\n0,0\n", "has no point with a force"),
        ("strain,force_n_per_m\n0.01,x\n", "line 2: force_n_per_m is \"x\"; write a number"),
        ("strain,force_n_per_m\n0.01,inf\n", "line 2: force_n_per_m is \"inf\""),
        ("strain,force_n_per_m\n0.01\n", "line 2: there are 1 columns; write a strain and a force"),
        ("strain,force_n_per_m\n0.1,1\n1,20\n", "line 3: the strain 1 is outside 0 to 0.2; write 0.01 for 1 %"),
        ("strain,force_n_per_m\n0.1,1\n0.1,2\n", "line 3: the strain is no larger"),
        (&format!("strain,force_n_per_m\n{many}"), "line 22: there are more than 20 points"),
    ] {
        let file = folder.path().join("strip.csv");
        std::fs::write(&file, rows).expect("written");
        let file = file.to_string_lossy().into_owned();
        let args = ["fit", "--test", "tension-warp", "--vary", "structural_stiffness", "--curve", &file];
        refused(&args, 2, part);
    }
}

#[test]
fn faults_are_sentences() {
    let vary = |key: &'static str| ["fit", "--test", "shear", "--target", "90", "--vary", key];
    refused(
        &vary("shear_stifness"),
        2,
        "--vary shear_stifness: there is no such parameter; did you mean \"shear_stiffness\"?",
    );
    refused(&vary("bending_model"), 2, "--vary bending_model: it is no real number");
    refused(&vary("shear_stiffness,shear_stiffness"), 2, "--vary shear_stiffness: is named twice");
    let zero = [&vary("shear_stiffness")[..], &["--set", "shear_stiffness=0"]].concat();
    refused(&zero, 2, "it is 0, and only positive parameters can be fitted");
    refused(&vary("bending_stiffness"), 1, "shear in the frame does not depend on bending; vary another parameter");
    refused(&[&vary("shear_stiffness")[..], &["--solver", "pbd"]].concat(), 1, "knows no forces");
    refused(&[&vary("shear_stiffness")[..], &["--plot", "path.png"]].concat(), 2, "is no name of a plot");
    let far = ["fit", "--test", "shear", "--target", "1e6", "--vary", "shear_stiffness"];
    refused(&far, 1, "with shear between 0.8 N/m and 8000 N/m; the nearest is ");
    for target in ["0", "-3", "nan"] {
        refused(
            &["fit", "--test", "shear", "--target", target, "--vary", "shear_stiffness"],
            2,
            "--target: needs a number above 0",
        );
    }
    let curve = ["fit", "--test", "shear", "--curve", "a.csv", "--vary", "shear_stiffness"];
    refused(&curve, 2, "a curve is fitted by a test of tension, not by shear");
    let shape = ["fit", "--test", "shear", "--shape", "a.obj", "--vary", "shear_stiffness"];
    refused(&shape, 2, "a shape is fitted by the test of drape, not by shear");
    refused(
        &["fit", "--test", "drape", "--shape", "a.obj", "--vary", "shear_stiffness"],
        2,
        "a.obj: the scan cannot be read",
    );
    for (args, word) in [
        (&["--test", "drap", "--target", "60", "--vary", "damping"][..], "drape"),
        (&["--test", "drape", "--vary", "damping"], "--target"),
        (&["--test", "drape", "--target", "60", "--curve", "a.csv", "--vary", "damping"], "cannot be used with"),
    ] {
        let output = weft(&[&["fit"], args].concat());
        let said = text(&output.stderr);
        assert!(output.status.code() == Some(2) && said.contains(word), "{args:?}: {said}");
    }
}

/// Writes an OBJ file.
fn write_obj(file: &Path, positions: impl Iterator<Item = Vec3>, triangles: &[[u32; 3]]) {
    let mut lines = String::new();
    positions.for_each(|x| writeln!(lines, "v {} {} {}", x.x, x.y, x.z).expect("a line"));
    triangles.iter().map(|t| t.map(|at| at + 1)).for_each(|[a, b, c]| {
        writeln!(lines, "f {a} {b} {c}").expect("a line");
    });
    std::fs::write(file, lines).expect("written");
}

#[test]
fn scans_that_are_none_are_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("scan.obj");
    let side = |side: f64| [[0.0, 0.0], [side, 0.0], [0.0, side]].map(|[x, z]| Vec3::new(x, z, 0.0));
    let args =
        |file: &str| ["fit", "--test", "drape", "--vary", "bending_stiffness", "--shape", file].map(str::to_owned);
    for (size, part) in [(300.0, "it is 300.000 m across"), (0.3, "it has no flat upper part; turn it so that y is up")]
    {
        write_obj(&file, side(size).into_iter(), &[[0, 1, 2]]);
        let args = args(&file.to_string_lossy());
        refused(&args.each_ref().map(String::as_str), 2, part);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn control_c_ends_a_fit_with_the_best_so_far() {
    let fit = std::process::Command::new("env")
        .args(["--default-signal=INT", env!("CARGO_BIN_EXE_weft"), "fit", "--json", "--test", "drape"])
        .args(["--target", "20", "--vary", "bending_stiffness", "--starts", "20"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the program starts");
    // SIGINT is the second bit of the signals that are caught
    let catches_it = || {
        let status = std::fs::read_to_string(format!("/proc/{}/status", fit.id())).unwrap_or_default();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).map(str::trim).unwrap_or_default();
        u64::from_str_radix(caught, 16).is_ok_and(|bits| bits & 2 != 0)
    };
    while !catches_it() {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let sent = std::process::Command::new("kill").args(["-INT", &fit.id().to_string()]).status().expect("kill");
    assert!(sent.success());
    let output = fit.wait_with_output().expect("a child");
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{message}");
    assert!(message.contains("interrupted"), "{message}");
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert!(found["answer"] == false && found["path"].is_array(), "{found}");
}

#[test]
#[ignore = "full tier"]
fn a_scanned_drape_is_fitted() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut fabric = Parameters::default();
    fabric.mass.area_density = 0.13;
    let material = &mut fabric.material;
    (material.structural_stiffness, material.shear_stiffness, material.bending_stiffness) = (3000.0, 50.0, 2e-5);
    let specimen = Specimen { seed: 7, ..Specimen::new(&fabric, "implicit-euler") };
    let draped = specimen.draped().expect("it steps");
    // z up, somewhere else
    let moved = draped.positions.iter().map(|x| Vec3::new(x.x + 1.0, -x.z, x.y + 0.4));
    write_obj(&folder.path().join("scan.obj"), moved, &draped.triangles);
    // of the scanned cloth all but the bending stiffness is known
    let known = ["--set=bending_weft=1", "--set=shear_stiffness=50"];
    let fit = ["fit", "--test=drape", "--shape=scan.obj", "--up=z", "--vary=bending_stiffness"];
    let args = [&fit[..], &known, &["--starts=1", "--most=30", "--json"]].concat();
    let found = json(&weft_in(folder.path(), &args));
    let distance = |row: &serde_json::Value| row["distance"].as_f64().expect("a number");
    assert!(distance(&found["result"]) < 0.7 * distance(&found["path"][0]), "{found}");
}
