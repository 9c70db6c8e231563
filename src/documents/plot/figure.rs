//! The layout of plots on a page: dark on white, one below the other, with a title, axes and a
//! legend.

use super::drawing::Axes;
use super::metrics::width;
use super::page::{Anchor, EDGE, LABEL, Page, SMALL, Shape, TEXT, TITLE, WIDTH, has_notes, legend};
use super::{Limits, Plot, pdf, svg};

/// Height of the axes of the only plot, and of each of several.
const ALONE: f64 = 230.0;
const EACH: f64 = 116.0;
/// Height of the notes above the axes.
const NOTES: f64 = 12.0;
/// Plots with a common title, to be written.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// The title.
    pub title: String,
    /// The plots, from above.
    pub plots: Vec<Plot>,
    /// What is along the horizontal axis, with its unit.
    pub across: String,
}

impl Figure {
    /// Plots over the simulated time.
    #[must_use]
    pub fn over_time(title: String, plots: Vec<Plot>) -> Self {
        Self { title, plots, across: "Time [s]".to_owned() }
    }

    /// The figure as an SVG file.
    #[must_use]
    pub fn svg(&self) -> String {
        let (size, shapes) = self.shapes();
        svg::write(&self.title, size, &shapes)
    }

    /// The figure as an element of an HTML page.
    #[must_use]
    pub fn svg_element(&self) -> String {
        let (size, shapes) = self.shapes();
        svg::element(&self.title, size, &shapes)
    }

    /// The figure as a PDF file of one page.
    #[must_use]
    pub fn pdf(&self) -> Vec<u8> {
        let (size, shapes) = self.shapes();
        pdf::write(&self.title, size, &shapes)
    }

    /// Width and height of the page, and its shapes.
    pub(super) fn shapes(&self) -> ([f64; 2], Vec<Shape>) {
        let mut page = Page { shapes: Vec::new(), y: EDGE + TITLE };
        page.text([EDGE, page.y], &self.title, (TITLE, true, TEXT), Anchor::Start);
        page.y += 8.0;
        let names = |plot: &Plot| -> Vec<_> { legend(plot).map(|curve| (curve.name.clone(), curve.colour)).collect() };
        // one legend for all, if it has the curves of all
        let whole = self.plots.iter().max_by_key(|plot| names(plot).len()).filter(|_| self.plots.len() > 1);
        let has_all = |whole: &&Plot| {
            let known = names(whole);
            self.plots.iter().all(|plot| names(plot).iter().all(|own| known.contains(own)))
        };
        let shared = whole.filter(has_all);
        if let Some(whole) = shared {
            page.legend(whole, EDGE);
            page.y += 4.0;
        }
        let height = if self.plots.len() == 1 { ALONE } else { EACH };
        let limits: Vec<Limits> = self.plots.iter().map(|plot| plot.limits(None)).collect();
        let marks = |(plot, limits): (&Plot, &Limits)| plot.marks_of_values(*limits, height / 26.0);
        let labels = self.plots.iter().zip(&limits).flat_map(marks);
        let widest = labels.map(|(_, label)| width(&label, SMALL, false)).fold(0.0, f64::max);
        let left = EDGE + LABEL + 8.0 + widest + 5.0;
        let last = self.plots.len().saturating_sub(1);
        for (number, (plot, limits)) in self.plots.iter().zip(&limits).enumerate() {
            if shared.is_none() {
                page.legend(plot, left);
            }
            page.y += if has_notes(plot, *limits) { NOTES } else { 2.0 };
            let axes = Axes { plot, limits: *limits, left, top: page.y, height };
            axes.draw(&mut page);
            page.y += height + 14.0;
            if number == last {
                page.text(
                    [0.5 * (left + axes.right()), page.y + LABEL + 2.0],
                    &self.across,
                    (LABEL, false, TEXT),
                    Anchor::Middle,
                );
                page.y += LABEL + 4.0;
            } else {
                page.y += 10.0;
            }
        }
        ([WIDTH, (page.y + EDGE).ceil()], page.shapes)
    }
}
