//! The sections of the panel beside the cloth, as they were before a lesson unfolds and scrolls them.

use egui::collapsing_header::CollapsingState;
use egui::{Context, Id, Vec2};

use crate::app::widgets::{folds, side};

/// Which sections are open, and how far the panel is scrolled [points].
#[derive(Debug, Clone, Default)]
struct Arrangement {
    folds: Vec<(Id, bool)>,
    scrolled: Vec2,
}

/// Keeps the arrangement when a lesson begins, and restores it after the lesson.
pub fn follow(ctx: &Context, is_running: bool) {
    let id = Id::new("arrangement before a lesson");
    let kept: Option<Arrangement> = ctx.data(|data| data.get_temp(id));
    match (kept, is_running) {
        (None, true) => {
            let open = |id: Id| CollapsingState::load(ctx, id).map(|state| (id, state.is_open()));
            let scrolled = egui::scroll_area::State::load(ctx, side(ctx)).map_or(Vec2::ZERO, |state| state.offset);
            let arrangement = Arrangement { folds: folds(ctx).into_iter().filter_map(open).collect(), scrolled };
            ctx.data_mut(|data| data.insert_temp(id, arrangement));
        }
        (Some(kept), false) => {
            ctx.data_mut(|data| data.remove_temp::<Arrangement>(id));
            restore(ctx, &kept);
        }
        _ => {}
    }
}

fn restore(ctx: &Context, kept: &Arrangement) {
    for fold in folds(ctx) {
        let was_open = kept.folds.iter().find(|(id, _)| *id == fold).map(|(_, open)| *open);
        if let Some(mut state) = CollapsingState::load(ctx, fold) {
            // one that the lesson was the first to show goes back to how it is at first
            match was_open {
                Some(open) => {
                    state.set_open(open);
                    state.store(ctx);
                }
                None => state.remove(ctx),
            }
        }
    }
    if let Some(mut state) = egui::scroll_area::State::load(ctx, side(ctx)) {
        state.offset = kept.scrolled;
        state.store(ctx, side(ctx));
    }
}
