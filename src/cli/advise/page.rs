//! The page of an advice: picture, sentences and table in one file, without scripts or requests.

use std::fmt::Write;

use super::answer::Answer;
use crate::scene::{advice_choice, advice_figure};
use crate::sim::Real;
use crate::sim::params::units::significant;
use crate::sim::study::advice::Row;

const STYLE: &str = "body{font:16px/1.5 Helvetica,Arial,sans-serif;color:rgb(30,32,36);background:#fff;max-width:60rem;\
margin:2rem auto;padding:0 1rem}svg{width:100%;height:auto}table{border-collapse:collapse;font-size:.85rem}\
.scroll{overflow-x:auto}td,th{padding:.2rem .6rem;text-align:right;border-bottom:1px solid #dee0e4}\
td:first-child,th:first-child,td:nth-child(2),th:nth-child(2),td:last-child,th:last-child{text-align:left}\
tr.front{font-weight:bold}code{background:#f2f3f5;padding:.1rem .3rem}";

/// The page as HTML.
pub(super) fn page(answer: &Answer) -> String {
    let Answer { scene, findings, advice, budget, profile, .. } = answer;
    let name = if scene.title.is_empty() { &scene.name } else { &scene.title };
    let title = format!("Which solver for {name}?");
    let figure = advice_figure(findings, advice, (*budget, profile), &title);
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width\">\n<title>{0}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{0}</h1>\n",
        escaped(&title)
    );
    for sentence in answer.sentences() {
        let _ = writeln!(page, "<p>{}</p>", escaped(&sentence.text));
    }
    if let Some(row) = answer.taken() {
        let _ = writeln!(page, "<p><code>{}</code></p>", escaped(&answer.command(&findings.rows[row])));
    }
    let _ = writeln!(
        page,
        "{}<p>Errors of single steps from {} states, against {} with {} and {} parts of a step, extrapolated. Profile {}: \
         weights stretch {}, bending {}, whole {}; {}.</p>",
        figure.svg_element(),
        findings.reference.states,
        findings.reference.solver,
        findings.reference.parts,
        2 * findings.reference.parts,
        profile.name,
        profile.weights.stretch,
        profile.weights.bending,
        profile.weights.whole,
        profile.purpose,
    );
    page += "<div class=\"scroll\"><table>\n<tr>";
    for head in
        ["solver", "effort", "ms per frame", "error %", "stretch %", "bending %", "whole %", "longest spring %", "note"]
    {
        let _ = write!(page, "<th>{head}</th>");
    }
    page += "</tr>\n";
    let mut order: Vec<usize> = (0..findings.rows.len()).collect();
    let cost = |row: &usize| findings.rows[*row].step.unwrap_or(Real::INFINITY);
    order.sort_by(|a, b| cost(a).total_cmp(&cost(b)));
    for at in order {
        page += &table_row(answer, at, &findings.rows[at]);
    }
    page + "</table></div>\n</body>\n</html>\n"
}

fn table_row(answer: &Answer, at: usize, row: &Row) -> String {
    let is_on_front = answer.advice.judged.iter().any(|it| it.row == at && it.is_on_front);
    let percent = |share: Option<Real>| share.map_or_else(String::new, |share| significant(100.0 * share));
    let note = match (advice_choice(&answer.advice, at), row.fails_after) {
        (_, Some(time)) => format!("fails after {} s", significant(time)),
        ("", None) => row.stage.describe().to_owned(),
        (choice, None) => choice.to_owned(),
    };
    let cells = [
        row.candidate.solver.name.to_owned(),
        if row.candidate.is_present { "as it is set".to_owned() } else { row.effort.clone() },
        row.step.map_or_else(String::new, |step| significant(1e3 * step)),
        percent(row.error.map(|error| error.weighted(&answer.profile.weights))),
        percent(row.error.map(|error| error.stretch)),
        percent(row.error.map(|error| error.bending)),
        percent(row.error.map(|error| error.whole)),
        percent(row.run.map(|run| run.own.stretch)),
        note,
    ];
    let cells: String = cells.iter().map(|cell| format!("<td>{}</td>", escaped(cell))).collect();
    format!("<tr{}>{cells}</tr>\n", if is_on_front { " class=\"front\"" } else { "" })
}

/// Text that may stand in HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
