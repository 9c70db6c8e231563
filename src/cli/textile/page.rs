//! The page of `weft textile --html`.

use super::{CutArg, Row, TextileArgs, shown};
use crate::documents::report::{Report, TextileSpecimen, TextileStudy, textile_report};
use crate::sim::solvers::{ImplicitEuler, id_of, name_of};
use crate::sim::study::textile::TextileTest;

/// Rows as a page: the table, and each test with its specimens.
pub(super) fn page(args: &TextileArgs, rows: &[Row]) -> Report {
    let head = ["Fabric", "Test", "Measured", "±", "Folds", "Set", "Published", "Verdict"].map(str::to_owned).to_vec();
    let settings = if args.defaults { "its default settings" } else { "settings that suit each specimen" };
    let cut = match args.cut {
        CutArg::Grid => "grids of springs, and discs of rings of triangles",
        CutArg::Irregular => "irregular meshes of triangles",
    };
    let lead = format!(
        "Specimens of the fabrics are cut, clamped and brought to rest by {} with {settings}, from {cut}.{}",
        name_of(&args.solver),
        if args.starts > 1 && rows.iter().any(|row| row.result.test.discs().is_some()) {
            format!(
                " A drape is the mean of {} starts, with its standard deviation; the pictures show the first.",
                args.starts
            )
        } else {
            String::new()
        }
    );
    let of_test = |test: TextileTest| {
        rows.iter().filter(move |row| row.result.test == test).map(|row| TextileSpecimen {
            test: row.result.test,
            fabric: row.fabric.name.clone(),
            figure: figure(row),
            simulation: row.simulation.as_ref(),
            scanned: row.scanned(),
        })
    };
    let study = TextileStudy {
        lead,
        head,
        rows: rows.iter().map(cells).collect(),
        command: command(args),
        specimens: TextileTest::ALL.into_iter().flat_map(of_test).collect(),
    };
    textile_report("Textile laboratory".to_owned(), &study)
}

fn cells(Row { fabric, result, published, .. }: &Row) -> Vec<String> {
    let unit = result.test.unit();
    vec![
        fabric.name.clone(),
        result.test.id().to_owned(),
        shown(result.mean(), unit),
        shown(result.deviation(), ""),
        shown(result.nodes(), ""),
        shown(result.wanted, unit),
        published.clone().unwrap_or_else(|| "–".to_owned()),
        result.verdict(),
    ]
}

/// The figure of a row in words.
fn figure(Row { result, .. }: &Row) -> String {
    let spread = result.deviation().map_or_else(String::new, |spread| format!(" ± {}", shown(Some(spread), "")));
    let unit = result.test.unit();
    let value = result.mean().map_or_else(String::new, |value| format!("{}{spread}, ", shown(Some(value), unit)));
    format!("{value}{}", result.verdict())
}

/// The command that measures the same.
fn command(args: &TextileArgs) -> String {
    let mut text = "weft textile".to_owned();
    args.fabric.iter().for_each(|id| text += &format!(" --fabric {id}"));
    args.test.iter().for_each(|id| text += &format!(" --test {id}"));
    if args.solver != id_of::<ImplicitEuler>() {
        text += &format!(" --solver {}", args.solver);
    }
    args.set.iter().for_each(|set| text += &format!(" --set {set}"));
    if args.cut == CutArg::Irregular {
        text += " --cut irregular";
    }
    args.cell.iter().for_each(|cell| text += &format!(" --cell {cell}"));
    if args.defaults {
        text += " --defaults";
    }
    text + &format!(" --starts {}", args.starts)
}
