//! Which solver to take: the measurements of all solvers as parts of a report.

use super::experiment::AdviceStudy;
use super::{Block, Figure, Image, Report, Table, TableRow};
use crate::documents::{TradeOff, advice_choice};
use crate::sim::Real;
use crate::sim::params::units::significant;
use crate::sim::study::advice::{Advice, CandidateRow as Candidate, Shown};

/// The report on measurements alone, with all candidates.
#[must_use]
pub fn advice_report(title: String, study: &AdviceStudy) -> Report {
    let blocks = advice_blocks(study, &title, true);
    Report { title, blocks }
}

/// The sentences, the picture of cost and error, and the table: of all candidates if `is_whole`,
/// else of those than which no other one is both cheaper and nearer, and of the present one.
pub(super) fn advice_blocks(study: &AdviceStudy, title: &str, is_whole: bool) -> Vec<Block> {
    let AdviceStudy { findings, budget, profile, command, choice } = study;
    let advice = Advice::of(findings, *budget, profile);
    let said = advice.sentences(findings, *budget, profile);
    let mut blocks: Vec<Block> = said.iter().map(|sentence| Block::Paragraph(sentence.text.clone())).collect();
    blocks.extend(choice.clone().map(Block::Code));
    let caption = format!(
        "Cost of a step against its error, a point per method and effort: lower left is better. {} Profile {}: weights \
         stretch {}, bending {}, whole {}; {}.",
        findings.reference.describe(),
        profile.name,
        profile.weights.stretch,
        profile.weights.bending,
        profile.weights.whole,
        profile.purpose,
    );
    let picture = TradeOff::of(findings, &advice, (*budget, profile), title);
    let command = Some(command.clone());
    let image = Image::Svg(picture.drawing().svg_element());
    blocks.push(Block::Figure(Figure { name: "advice".to_owned(), caption, image, command: command.clone() }));
    blocks.extend(seen(&advice.shown(findings, &said, profile), findings.run, command.clone()));
    let is_on_front = |at: usize| advice.judged.iter().any(|it| it.row == at && it.is_on_front);
    let mut order: Vec<usize> = (0..findings.rows.len()).collect();
    order.retain(|at| is_whole || is_on_front(*at) || findings.rows[*at].candidate.is_present);
    let cost = |row: &usize| findings.rows[*row].step.unwrap_or(Real::INFINITY);
    order.sort_by(|a, b| cost(a).total_cmp(&cost(b)));
    let row = |at: usize| TableRow {
        cells: cells(study, &findings.rows[at], advice_choice(&advice, at)),
        is_strong: is_whole && is_on_front(at),
    };
    let head = [
        "Solver",
        "Effort",
        "ms per frame",
        "Error %",
        "Stretch %",
        "Bending %",
        "Whole %",
        "Longest spring %",
        "Note",
    ];
    let caption = if is_whole {
        "All candidates, the cheapest first; in bold those than which no other one is both cheaper and nearer."
    } else {
        "The candidates than which no other one is both cheaper and nearer, and the solver as it is set."
    };
    blocks.push(Block::Table(Table {
        caption: caption.to_owned(),
        head: head.map(str::to_owned).to_vec(),
        rows: order.into_iter().map(row).collect(),
        command,
    }));
    blocks
}

/// What the eye sees of the reference, of the candidate to take and of one that is not taken.
fn seen(shown: &[Shown], run: Real, command: Option<String>) -> Option<Block> {
    let number = |value: Option<Real>| value.map_or_else(String::new, significant);
    let row = |one: &Shown| TableRow {
        cells: vec![
            one.role.to_owned(),
            one.name.clone(),
            number(one.step.map(|step| 1e3 * step)),
            significant(one.film.lasted()),
            number(one.error.map(|error| 100.0 * error)),
            number(one.figures.map(|it| 100.0 * it.stretch)),
            number(one.figures.map(|it| 1e3 * it.sag)),
            significant(one.film.folds()),
            number(one.figures.and_then(|it| it.jitter).map(|jitter| 1e3 * jitter)),
            one.fails_after.map_or_else(String::new, |time| format!("fails after {} s", significant(time))),
        ],
        is_strong: false,
    };
    let caption = format!(
        "What the eye sees after up to {} s, beside the error of a step: means over the last quarter. The sag of a cloth that \
         rises is below zero; folds are the mean curvature of the cloth; no jitter is told of a cloth in motion.",
        significant(run)
    );
    let head = [
        "",
        "Solver",
        "ms per step",
        "After s",
        "Error %",
        "Longest spring %",
        "Sag mm",
        "Folds 1/m",
        "Jitter mm",
        "Note",
    ];
    let head = head.map(str::to_owned).to_vec();
    let rows: Vec<TableRow> = shown.iter().map(row).collect();
    (rows.len() > 1).then_some(Block::Table(Table { caption, head, rows, command }))
}

fn cells(study: &AdviceStudy, row: &Candidate, choice: &str) -> Vec<String> {
    let percent = |share: Option<Real>| share.map_or_else(String::new, |share| significant(100.0 * share));
    let note = match (choice, row.fails_after) {
        (_, Some(time)) => format!("fails after {} s", significant(time)),
        ("", None) => row.stage.describe().to_owned(),
        (choice, None) => choice.to_owned(),
    };
    vec![
        row.candidate.solver.name.to_owned(),
        if row.candidate.is_present { "as it is set".to_owned() } else { row.effort.clone() },
        row.step.map_or_else(String::new, |step| significant(1e3 * step)),
        percent(row.error.map(|error| error.weighted(&study.profile.weights))),
        percent(row.error.map(|error| error.stretch)),
        percent(row.error.map(|error| error.bending)),
        percent(row.error.map(|error| error.whole)),
        percent(row.run.map(|run| run.own.stretch)),
        note,
    ]
}
