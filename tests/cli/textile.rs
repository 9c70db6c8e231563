//! `weft textile`: figures of the textile laboratory.

use weft::scene::ScannedDrape;
use weft::sim::study::textile::TextileTest;

use super::{refused, text, weft, weft_in};

#[test]
fn a_fabric_is_measured_beside_what_it_was_given() {
    let output = weft(&["textile", "--fabric", "denim", "--test", "shear", "--test", "tension-warp"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let told = text(&output.stdout);
    assert_eq!(told.lines().count(), 3, "{told}");
    assert!(told.contains("denim") && told.contains("N/m") && told.contains('%'), "{told}");
    let json: serde_json::Value =
        serde_json::from_slice(&weft(&["textile", "--test", "shear", "--json"]).stdout).expect("JSON");
    let [value, set] = ["value", "set"].map(|key| json[0][key].as_f64().expect("a number"));
    assert!(json[0]["fabric"] == "cotton" && (value / set - 1.0).abs() < 0.03, "{json}");
}

#[test]
fn a_drape_has_a_spread_and_its_folds() {
    let output = weft(&["textile", "--fabric", "paper", "--test", "drape", "--starts", "2", "--csv"]);
    let told = text(&output.stdout);
    let mut rows = csv::Reader::from_reader(told.as_bytes());
    let row: std::collections::HashMap<String, String> =
        rows.deserialize().next().expect("a row").expect("with the columns of the header");
    let number = |key: &str| -> f64 { row[key].parse().unwrap_or_else(|_| panic!("{key} in {told}")) };
    // paper stands out nearly flat, without folds
    assert!(number("value") > 95.0 && number("spread") < 2.0 && number("nodes") == 0.0, "{told}");
    assert!(row["set"].is_empty() && row["verdict"] == "at rest", "{told}");
}

#[test]
fn other_sizes_of_drapes_are_measured_if_they_are_named() {
    let args =
        ["--fabric", "paper", "--starts", "1", "--cell", "12", "--csv", "--test", "drape-24", "--test", "drape-jis"];
    let told = text(&weft(&[&["textile"], &args[..]].concat()).stdout);
    let tests: Vec<&str> = told.lines().skip(1).filter_map(|line| line.split(',').nth(1)).collect();
    assert_eq!(tests, ["drape-24", "drape-jis"], "{told}");
}

#[test]
fn default_settings_of_the_solver_are_named_in_the_table() {
    let run = |more: &[&str]| text(&weft(&[&["textile", "--test", "sheet-in-air"], more].concat()).stdout);
    let [suited, default] =
        [run(&[]), run(&["--defaults"])].map(|told| told.lines().next().unwrap_or_default().to_owned());
    assert!(!suited.contains("default") && default.contains("default settings of the solver"), "{suited}\n{default}");
    let json: serde_json::Value = serde_json::from_str(&run(&["--defaults", "--json"])).expect("JSON");
    assert!(json[0]["settings"] == "default" && json[0]["unit"] == "m/s", "{json}");
}

#[test]
fn a_page_has_the_table_and_each_test_with_procedure_formula_and_pictures() {
    let folder = tempfile::tempdir().expect("a folder");
    let tests = ["shear", "drape", "incline"];
    let mut args = vec!["textile", "--fabric", "paper", "--starts", "1", "--cell", "12", "--html", "page.html"];
    args.extend(tests.iter().flat_map(|test| ["--test", *test]));
    let output = weft_in(folder.path(), &args);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let page = std::fs::read_to_string(folder.path().join("page.html")).expect("a page");
    for test in TextileTest::ALL {
        let is_meant = tests.contains(&test.id());
        assert_eq!(page.contains(&format!("<h2>{}</h2>", test.id())), is_meant, "{}", test.id());
        assert!(!is_meant || page.contains(test.procedure()) && page.contains(test.formula()), "{}", test.id());
    }
    // a picture per test, and the shadow of the drape with the rims of specimen and discs
    assert_eq!(page.matches("<svg ").count(), tests.len() + 1);
    let shadow = page.rsplit("<svg ").find(|svg| svg.contains("stroke-dasharray")).expect("rims");
    assert_eq!(shadow.matches("stroke-dasharray").count(), 2);
    // more triangles than the disc has rings, and numbers alone for places
    assert!(shadow.matches("<polygon").count() > 500 && !page.contains("NaN") && !page.contains("inf,"));
    assert!(!page.contains("<script") && !page.contains("://"), "all is in the file");
    assert!(page.contains("Paper") && page.contains("weft textile --fabric paper --test shear"));
}

#[test]
fn a_drape_stands_beside_scans_of_about_its_coefficient() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |fabric: &str, test: &str, cell: &str| -> (serde_json::Value, String) {
        let args = ["textile", "--starts", "1", "--json", "--html", "page.html"];
        let args = [&args[..], &["--fabric", fabric, "--test", test, "--cell", cell]].concat();
        let json = serde_json::from_slice(&weft_in(folder.path(), &args).stdout).expect("JSON");
        (json, std::fs::read_to_string(folder.path().join("page.html")).expect("a page"))
    };
    let name = "outline of the figures of a scan (coefficient, nodes, amplitude), not its picture";
    let (json, page) = run("cotton", "drape", "10");
    let value = json[0]["value"].as_f64().expect("a number");
    let [fabrics, spread, nodes] =
        ["fabrics", "spread", "nodes"].map(|key| json[0]["scans"][key].as_f64().expect("a number"));
    let near = ScannedDrape::all().iter().filter(|drape| drape.deviation.is_some());
    let near: Vec<_> = near.filter(|drape| (drape.coefficient - value).abs() <= 7.5).collect();
    assert!(near.len() > 1 && fabrics == near.len() as f64, "{json}");
    let mean = near.iter().map(|drape| drape.nodes).sum::<f64>() / fabrics;
    let apart = |drape: &&&ScannedDrape| drape.deviation.is_some_and(|deviation| deviation <= spread);
    let below = near.iter().filter(apart).count();
    assert!((nodes - mean).abs() < 1e-9 && 2 * below >= near.len() && below <= near.len() / 2 + 1, "{json}");
    // the rims of discs and specimen, and the outline of the scan
    let shadow = page.rsplit("<svg ").find(|svg| svg.contains("stroke-dasharray")).expect("rims");
    assert_eq!(shadow.matches("stroke-dasharray").count(), 3);
    assert!(page.contains(name) && page.contains(&format!("scatter by {spread:.1} points")), "{spread}");
    // scans have another size, and none is as stiff as paper
    for (fabric, test) in [("cotton", "drape-24"), ("paper", "drape")] {
        let (json, page) = run(fabric, test, "12");
        assert!(json[0]["scans"].is_null() && !page.contains(name), "{json}");
    }
}

#[test]
fn a_page_that_cannot_be_written_is_refused_before_anything_is_measured() {
    refused(&["textile", "--test", "shear", "--html", "absent/page.html"], 2, "absent/page.html");
    refused(&["textile", "--test", "shear", "--html", "page.txt"], 2, "end in .html");
}

#[test]
fn a_solver_without_forces_and_names_that_do_not_exist_are_told() {
    let told = weft(&["textile", "--solver", "pbd", "--test", "shear"]);
    assert!(told.status.success() && text(&told.stdout).contains("knows no forces"), "{}", text(&told.stdout));
    for (args, word) in [
        (["--solver", "xpdb"], "weft solvers"),
        (["--fabric", "coton"], "cotton"),
        (["--test", "drap"], "drape"),
        (["--starts", "0"], "1..=100"),
        (["--cell", "0.5"], "from 2 to 15"),
        (["--cell", "nan"], "from 2 to 15"),
    ] {
        let output = weft(&[&["textile"], &args[..]].concat());
        let said = text(&output.stderr);
        assert!(output.status.code() == Some(2) && said.contains(word), "{args:?}: {said}");
    }
}
