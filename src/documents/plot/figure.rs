//! Plots on a page: dark on white, one below the other, with a title, axes and a legend.

use super::look::Look;
use super::page::{Drawing, EDGE, Page, WIDTH};
use super::{Chart, Plot};

/// Height of the axes of the only plot, and of each of several.
const ALONE: f64 = 230.0;
const EACH: f64 = 116.0;
/// Height of the notes above the axes.
const NOTES: f64 = 12.0;

/// Plots over the simulated time with a common title.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// The title.
    pub title: String,
    /// The plots, from above.
    pub plots: Vec<Plot>,
}

impl Figure {
    /// The figure on a page.
    #[must_use]
    pub fn drawing(&self) -> Drawing {
        let look = &Look::PAGE;
        let mut charts: Vec<Chart> = self.plots.iter().map(|plot| plot.chart(plot.limits(None))).collect();
        if let Some(last) = charts.last_mut() {
            last.axes[0].name = "Time [s]".to_owned();
        }
        let mut page = Page::titled(&self.title);
        // one legend for all, if it has the curves of all
        let whole = charts.iter().max_by_key(|chart| chart.legend.len()).filter(|_| charts.len() > 1);
        let has_all =
            |whole: &&Chart| charts.iter().flat_map(|chart| &chart.legend).all(|key| whole.legend.contains(key));
        let shared = whole.filter(has_all);
        if let Some(whole) = shared {
            page.legend(&whole.legend, EDGE);
            page.y += 4.0;
        }
        let height = if charts.len() == 1 { ALONE } else { EACH };
        let left = EDGE + charts.iter().map(|chart| chart.beside(height, look)).fold(0.0, f64::max);
        for chart in &charts {
            if shared.is_none() {
                page.legend(&chart.legend, left);
            }
            page.y += if chart.has_notes() { NOTES } else { 2.0 };
            let corners = [[left, page.y], [WIDTH - EDGE, page.y + height]];
            page.shapes.extend(chart.shapes(&chart.frame_at(corners), look));
            page.y += height + chart.below(look) + 8.0;
        }
        page.y -= 8.0;
        page.finish(&self.title)
    }
}
