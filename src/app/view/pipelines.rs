//! Pipelines that wait for their shaders, which are loaded by other threads, or for the driver:
//! until one is compiled, its objects are not drawn.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bevy::prelude::*;
use bevy::render::render_resource::PipelineCache;
use bevy::render::{Render, RenderApp, RenderSystems};

/// Number of pipelines that are not compiled yet, shared with the renderer.
#[derive(Resource, Clone, Default)]
pub struct Waiting(Arc<AtomicUsize>);

impl Waiting {
    /// Whether something is not to be seen yet.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        self.0.load(Ordering::Relaxed) > 0
    }
}

pub(super) fn plugin(app: &mut App) {
    let waiting = Waiting::default();
    app.insert_resource(waiting.clone());
    if let Some(renderer) = app.get_sub_app_mut(RenderApp) {
        renderer.insert_resource(waiting).add_systems(Render, count.in_set(RenderSystems::Cleanup));
    }
}

fn count(cache: Res<PipelineCache>, waiting: Res<Waiting>) {
    waiting.0.store(cache.waiting_pipelines().count(), Ordering::Relaxed);
}
