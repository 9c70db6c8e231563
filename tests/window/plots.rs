//! The plots: what they show of several lanes, and the files that they are saved to.

use weft::app::panels::{DrawnText, Offscreen};
use weft::scene::Scene;
use weft::session::Command;

use super::panels::overlaps;

const SIZES: [[f32; 2]; 2] = [[1280.0, 720.0], [1920.0, 1080.0]];

/// Plots of a flag by two methods, after some steps.
fn two_lanes() -> Offscreen {
    let scene = Scene::load("flag").expect("it comes with the program");
    let simulation = scene.build().expect("good");
    let mut panels = Offscreen::new(scene, simulation, &["Plots"]);
    panels.session().add_lane_with(vec![Command::Solver { id: "xpbd".to_owned() }]);
    panels.wait_for_lanes(2);
    panels.note();
    for _ in 0..12 {
        panels.tick();
        panels.note();
    }
    panels
}

/// The names of the lanes in the legend: below the buttons of the plots.
fn legend(texts: &[DrawnText]) -> Vec<&str> {
    let button = texts.iter().find(|text| text.text == "Save plot…").expect("the drawer is open");
    let below = |text: &&DrawnText| text.place[1] > button.place[3];
    let is_name = |text: &&str| text.starts_with("Fast mass-spring") || text.starts_with("XPBD");
    texts.iter().filter(below).map(|text| text.text.as_str()).filter(is_name).collect()
}

#[test]
fn the_plots_of_two_lanes_have_two_names_and_one_quantity_each() {
    let mut panels = two_lanes();
    for size in SIZES {
        let texts = panels.draw(size);
        assert_eq!(overlaps(&texts), [], "{size:?}");
        let names = legend(&texts);
        assert!(names.len() == 2 && names[0].starts_with("Fast") && names[1].starts_with("XPBD"), "{names:?}");
        assert!(names.iter().all(|name| !name.contains('_') && !name.contains('…')), "{names:?}");
        for part in ["Energy [J]", "total", "largest", "all stages", "last 5 s"] {
            assert!(texts.iter().any(|text| text.text == part), "{size:?}: no {part} in {texts:#?}");
        }
    }
    // which of them is chosen does not change what is shown, nor does it count as a change
    panels.session().choose_lane(0);
    panels.note();
    let texts = panels.draw(SIZES[1]);
    assert_eq!(legend(&texts).len(), 2);
    assert!(!texts.iter().any(|text| text.text.starts_with("Last change")), "{texts:#?}");
    // with one lane there is nothing to tell apart
    panels.session().remove_lane(1);
    panels.note();
    let texts = panels.draw(SIZES[1]);
    assert_eq!(legend(&texts), [""; 0]);
    assert!(texts.iter().any(|text| text.text.contains("kinetic")), "{texts:#?}");
}

#[test]
fn the_table_has_the_rows_of_each_lane() {
    let table = two_lanes().table();
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let header = reader.headers().expect("a header").clone();
    assert_eq!(header.iter().take(3).collect::<Vec<_>>(), ["lane", "solver", "time_s"]);
    let rows: Vec<csv::StringRecord> = reader.records().map(|row| row.expect("as long as the header")).collect();
    for (lane, solver) in [("A", "Fast mass-spring"), ("B", "XPBD")] {
        let own: Vec<&csv::StringRecord> = rows.iter().filter(|row| &row[0] == lane).collect();
        assert!(own.len() > 5 && own.iter().all(|row| &row[1] == solver), "{table}");
        let times: Vec<f64> = own.iter().map(|row| row[2].parse().expect("a time")).collect();
        assert!(times.windows(2).all(|pair| pair[0] < pair[1]), "{times:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "full tier"]
fn save_plot_writes_what_is_seen_by_its_button_and_by_find() {
    use super::desk::Desk;

    let mut desk = Desk::open(&["--quality", "low", "--scene", "flag"]);
    desk.add_lane("beside xpbd");
    desk.click("plots");
    desk.wait("control legend of lane B at");
    desk.let_pass(1.0);
    desk.click("save plot");
    desk.wait("asking for a file to save the plot in");
    desk.settle();
    desk.key("Return");
    let said = desk.wait("Written: ");
    assert!(said.ends_with("flag-plots.pdf"), "{said}");
    let pdf = std::fs::read(desk.file("flag-plots.pdf")).expect("it is there");
    assert!(pdf.starts_with(b"%PDF-1.4") && pdf.ends_with(b"%%EOF\n"));

    desk.find("save plot");
    desk.wait("asking for a file to save the plot in");
    desk.settle();
    // the ending that is typed counts
    desk.type_text("both.svg");
    desk.settle();
    desk.key("Return");
    let said = desk.wait("Written: ");
    assert!(said.ends_with("both.svg"), "{said}");
    let svg = std::fs::read_to_string(desk.file("both.svg")).expect("it is there");
    for part in ["fill=\"#ffffff\"", ">Fast mass-spring", ">XPBD", ">Energy, total [", ">Time [s]<"] {
        assert!(svg.contains(part), "{part}: {svg}");
    }
    desk.quit();
}
