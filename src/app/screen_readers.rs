//! Screen readers: egui builds its tree of controls while one listens, and does what it asks for.

use bevy::a11y::{AccessibilityRequested, ActionRequest};
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiInput, EguiPreUpdateSet, PrimaryEguiContext};

pub(super) fn plugin(app: &mut App) {
    let systems = (listen, obey).chain();
    app.add_systems(PreUpdate, systems.after(EguiPreUpdateSet::ProcessInput).before(EguiPreUpdateSet::BeginPass));
}

/// The tree takes time in every frame, and `bevy_egui` would build it for nobody as well.
fn listen(mut contexts: EguiContexts, requested: Res<AccessibilityRequested>, mut last: Local<Option<bool>>) -> Result {
    let is_heard = requested.get();
    if last.replace(is_heard) != Some(is_heard) {
        let ctx = contexts.ctx_mut()?;
        if is_heard {
            info!("a screen reader listens");
            ctx.enable_accesskit();
        } else {
            ctx.disable_accesskit();
        }
    }
    Ok(())
}

/// Clicks, focus and values set by a screen reader.
fn obey(mut requests: MessageReader<ActionRequest>, mut input: Single<&mut EguiInput, With<PrimaryEguiContext>>) {
    input.events.extend(requests.read().map(|request| egui::Event::AccessKitActionRequest(request.0.clone())));
}
