//! Materials of our own: the standard material with a fragment shader from `shaders/`, in two grades.

use bevy::asset::Handle;
use bevy::mesh::MeshVertexBufferLayoutRef;
use bevy::pbr::{ExtendedMaterial, MaterialExtension, MaterialExtensionKey, MaterialExtensionPipeline};
use bevy::prelude::*;
use bevy::render::render_resource::{AsBindGroup, RenderPipelineDescriptor, SpecializedMeshPipelineError};
use bevy::shader::Shader;

use super::preferences::{CurrentQuality, Quality};
use crate::scene::embedded;

/// Which of its two pipelines a material uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Grade {
    /// Without physically based lighting.
    pub plain: bool,
}

/// A material in both grades; a component of what is drawn with it.
#[derive(Component)]
pub struct Graded<E: MaterialExtension> {
    /// For low quality.
    pub plain: Handle<ExtendedMaterial<StandardMaterial, E>>,
    /// For high quality.
    pub full: Handle<ExtendedMaterial<StandardMaterial, E>>,
}

/// Registers the material with extension `E`, whose fragment shader is `shader` with the text of the file at `path`.
pub fn add<E>(app: &mut App, shader: &Handle<Shader>, path: &str)
where
    E: MaterialExtension + AsBindGroup<Data = Grade>,
{
    let source = embedded(path).unwrap_or_default().into_owned();
    let stored = app.world_mut().resource_mut::<Assets<Shader>>().insert(shader, Shader::from_wgsl(source, path));
    if let Err(error) = stored {
        error!("{path} cannot be stored: {error}");
    }
    app.add_plugins(MaterialPlugin::<ExtendedMaterial<StandardMaterial, E>>::default())
        .add_systems(Update, choose_grade::<E>);
}

/// Defines `PLAIN` in the shader of a plain material. To be called by `MaterialExtension::specialize`.
pub fn specialize<E>(
    _: &MaterialExtensionPipeline,
    descriptor: &mut RenderPipelineDescriptor,
    _: &MeshVertexBufferLayoutRef,
    key: MaterialExtensionKey<E>,
) -> Result<(), SpecializedMeshPipelineError>
where
    E: MaterialExtension + AsBindGroup<Data = Grade>,
{
    if key.bind_group_data.plain
        && let Some(fragment) = &mut descriptor.fragment
    {
        fragment.shader_defs.push("PLAIN".into());
    }
    Ok(())
}

fn choose_grade<E: MaterialExtension>(
    quality: Res<CurrentQuality>,
    drawn: Query<(Entity, Ref<Graded<E>>)>,
    mut commands: Commands,
) {
    for (entity, graded) in &drawn {
        if quality.is_changed() || graded.is_added() {
            let material = if quality.0 == Quality::Low { &graded.plain } else { &graded.full };
            commands.entity(entity).insert(MeshMaterial3d(material.clone()));
        }
    }
}
