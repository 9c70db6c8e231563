//! The panels, one file each. They draw parameters from their declarations and know no more about the physics than that.

mod banner;
mod convergence;
mod readouts;
mod rows;
mod scene;
mod sections;
mod solver;
mod stability;
mod style;
mod transport;

use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPlugin, EguiPrimaryContextPass};

use super::convergence::Convergence;
use super::limits::Limits;
use super::pointer::Pointer;
use super::preferences::{CurrentQuality, RestorePanels};
use super::session::SessionHandle;
use super::stability::Stability;
use super::stage::ClothView;
use super::stepping::{Pace, Throughput};
use crate::session::Command;

pub(super) fn plugin(app: &mut App) {
    app.add_plugins(EguiPlugin::default())
        .add_systems(EguiPrimaryContextPass, draw.after(RestorePanels))
        .add_systems(Update, open_dropped_file);
}

/// Everything that the panels show and change.
#[derive(bevy::ecs::system::SystemParam)]
struct Shown<'w> {
    session: ResMut<'w, SessionHandle>,
    pace: ResMut<'w, Pace>,
    quality: ResMut<'w, CurrentQuality>,
    stability: ResMut<'w, Stability>,
    convergence: ResMut<'w, Convergence>,
    limits: Res<'w, Limits>,
    throughput: Res<'w, Throughput>,
    pointer: Res<'w, Pointer>,
}

fn draw(mut contexts: EguiContexts, mut shown: Shown, mut view: ResMut<ClothView>, mut styled: Local<bool>) -> Result {
    let ctx = contexts.ctx_mut()?;
    if !std::mem::replace(&mut *styled, true) {
        style::apply(ctx);
    }
    let whole = egui::UiBuilder::new().layer_id(egui::LayerId::background()).max_rect(ctx.viewport_rect());
    let mut root = egui::Ui::new(ctx.clone(), "root".into(), whole);

    egui::Panel::bottom("transport").resizable(false).show(&mut root, |ui| {
        let mut quality = *shown.quality;
        let open = transport::Open {
            stability: &mut shown.stability.bypass_change_detection().open,
            convergence: &mut shown.convergence.bypass_change_detection().open,
        };
        transport::show(ui, &mut shown.session, &mut shown.pace, &mut quality, open);
        // a write would count as a change, and make the renderer start over in every frame
        shown.quality.set_if_neq(quality);
    });
    egui::Panel::left("parameters").default_size(330.0).size_range(300.0..=480.0).show(&mut root, |ui| {
        egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            scene::show(ui, &mut shown.session);
            solver::show(ui, &mut shown.session);
            sections::show(ui, &mut shown.session);
        });
    });
    egui::Panel::top("readouts").resizable(false).show(&mut root, |ui| readouts::show(ui, &shown));
    let rest = root.available_rect_before_wrap();
    note_place(&root, "view", rest);
    view.set_if_neq(ClothView(Rect::new(rest.min.x, rest.min.y, rest.max.x, rest.max.y)));

    readouts::show_hand(ctx, &shown);
    stability::show(ctx, rest, &mut shown);
    convergence::show(ctx, rest, &mut shown);
    banner::show(ctx, rest, &mut shown);
    Ok(())
}

fn open_dropped_file(mut dropped: MessageReader<FileDragAndDrop>, mut session: ResMut<SessionHandle>) {
    for event in dropped.read() {
        if let FileDragAndDrop::DroppedFile { path_buf, .. } = event {
            session.send(Command::Open { file: path_buf.to_string_lossy().into_owned() });
        }
    }
}

/// Tells the log where a control is, when it has moved: bug reports and tests of the real window need to know.
fn note_place(ui: &egui::Ui, name: &str, rect: egui::Rect) {
    let id = egui::Id::new("place").with(name);
    let last: Option<egui::Rect> = ui.data(|data| data.get_temp(id));
    if last != Some(rect) {
        ui.data_mut(|data| data.insert_temp(id, rect));
        let center = rect.center();
        debug!("control {name} at {:.0} {:.0}", center.x, center.y);
    }
}
