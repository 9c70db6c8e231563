//! Does this cloth measure like cloth? A table of textile tests: what was set, what a laboratory
//! would measure, and the published drape; and the other way, parameters from a figure.

use egui::{Grid, RichText, Ui};

use super::subject::{BENT_BY_SPRINGS, Subject};
use super::{Laboratory, Tested, fit_panel};
use crate::app::desk::Shown;
use crate::app::widgets::note_place;
use crate::app::widgets::study::{Words, study_row};
use crate::app::widgets::style::{ALARM, QUIET};
use crate::sim::params::units::quantity;
use crate::sim::study::textile::{TestResult, TextileTest};

/// Name of the panel.
pub const TITLE: &str = "Fabric tests";

/// The window.
pub fn show(laboratory: &mut Laboratory, ui: &mut Ui, shown: &mut Shown) {
    ui.label(
        RichText::new(
            "Specimens of this fabric in a textile laboratory, by the solver at work with settings that suit them: tension, \
             shear, bending, drape, friction, swing and fall. It runs on copies; the cloth in the window continues.",
        )
        .small()
        .color(QUIET),
    );
    ui.add_space(4.0);
    let words = Words {
        start: "Test this fabric",
        help: ["Half a minute to a few minutes, by solver and fabric", "The results so far stay"],
        names: ["test fabric", "cancel textile"],
    };
    let obstacle = Subject::of(shown.session).obstacle(None);
    let is_started = study_row(ui, &laboratory.study, &words, obstacle.is_none(), |_| {});
    if let Some(obstacle) = obstacle {
        ui.label(RichText::new(obstacle).small().color(QUIET));
    }
    if is_started {
        laboratory.start(shown.session);
    }
    let tested = laboratory.tested.as_ref();
    if let Some(tested) = tested {
        ui.separator();
        results(ui, tested);
    }
    ui.separator();
    let measured = |test: TextileTest| {
        let result = tested.and_then(|tested| tested.results.iter().find(|result| result.test == test))?;
        result.mean().filter(|_| result.has_converged())
    };
    fit_panel::show(ui, &mut laboratory.fitting, shown, &measured);
}

fn results(ui: &mut Ui, tested: &Tested) {
    let subject = &tested.subject;
    ui.label(format!("{}, by {}", subject.name, subject.solver.name));
    let grid = Grid::new("textile tests").num_columns(4).striped(true).spacing([14.0, 3.0]);
    grid.show(ui, |ui| {
        for heading in ["Test", "Measured", "Set", "Difference"] {
            ui.label(RichText::new(heading).small().color(QUIET));
        }
        ui.end_row();
        for result in &tested.results {
            row(ui, result);
        }
    });
    if subject.is_bent_by_springs() {
        ui.label(RichText::new(BENT_BY_SPRINGS).small().color(QUIET));
    }
    if let Some(result) = tested.results.iter().find(|result| result.test.discs().is_some()) {
        let published = match subject.fabric {
            Some(fabric) => fabric.compared_drape(result.mean()),
            None => "Published drapes are those of fabrics that were not changed.".to_owned(),
        };
        ui.add_space(4.0);
        ui.label(RichText::new(published).small().color(QUIET));
    }
}

fn row(ui: &mut Ui, result: &TestResult) {
    let unit = result.test.unit();
    let name = ui.label(result.test.name()).on_hover_text(result.test.procedure());
    note_place(ui, &format!("test {}", result.test.id()), name.rect);
    let measured = match (result.mean(), result.has_converged()) {
        // of a drape no more digits than its scatter leaves
        (Some(mean), true) => match (result.deviation(), result.nodes()) {
            (Some(spread), Some(nodes)) => format!("{mean:.1} ± {spread:.1} {unit}, {nodes:.0} folds"),
            _ => quantity(mean, unit),
        },
        // a figure that has not converged does not count
        (Some(_), false) => "not converged".to_owned(),
        (None, _) => "–".to_owned(),
    };
    ui.label(measured);
    ui.label(result.wanted.map(|wanted| quantity(wanted, unit)).unwrap_or_default());
    let color = if result.has_converged() { QUIET } else { ALARM };
    ui.label(RichText::new(result.verdict()).small().color(color));
    ui.end_row();
}
