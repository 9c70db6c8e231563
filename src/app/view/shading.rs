//! Materials of our own: the standard material with a fragment shader from `shaders/`, lit by the
//! studio, in two grades.

use std::hash::Hash;

use bevy::pbr::{ExtendedMaterial, MaterialExtension};
use bevy::prelude::*;
use bevy::render::render_resource::{AsBindGroup, RenderPipelineDescriptor};
use bevy::shader::Shader;

use super::lighting::{Studio, StudioUniform};
use crate::app::window::preferences::{CurrentQuality, Quality};
use crate::scene::embedded;

/// A material: the standard one extended by `E`.
pub type Lit<E> = ExtendedMaterial<StandardMaterial, E>;

/// Which of its two pipelines a material uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Grade {
    /// Without shadows that are cast.
    pub plain: bool,
}

/// A material in both grades; a component of the objects drawn with it.
#[derive(Component)]
pub struct Graded<E: MaterialExtension> {
    /// For low quality.
    pub plain: Handle<Lit<E>>,
    /// For high quality.
    pub full: Handle<Lit<E>>,
}

/// A material with the uniform of the studio.
pub trait InStudio {
    /// The uniform that it reads.
    fn studio(&self) -> &StudioUniform;
    /// The same, to be changed.
    fn studio_mut(&mut self) -> &mut StudioUniform;
}

/// Stores a shader with the text of the file at `path`.
pub fn store(app: &mut App, shader: &Handle<Shader>, path: &str) {
    let source = embedded(path).unwrap_or_default().into_owned();
    let stored = app.world_mut().resource_mut::<Assets<Shader>>().insert(shader, Shader::from_wgsl(source, path));
    if let Err(error) = stored {
        error!("{path} cannot be stored: {error}");
    }
}

/// Registers the material with extension `E`, whose fragment shader is `shader` with the text of
/// the file at `path`.
pub fn add<E>(app: &mut App, shader: &Handle<Shader>, path: &str)
where
    E: MaterialExtension + InStudio,
    <Lit<E> as AsBindGroup>::Data: Eq + Hash + Clone,
{
    store(app, shader, path);
    app.add_plugins(MaterialPlugin::<Lit<E>>::default()).add_systems(Update, (choose_grade::<E>, relight::<E>));
}

/// Defines `PLAIN` in the shader of a plain material.
pub fn define(plain: bool, descriptor: &mut RenderPipelineDescriptor) {
    if plain && let Some(fragment) = &mut descriptor.fragment {
        fragment.shader_defs.push("PLAIN".into());
    }
}

fn choose_grade<E: MaterialExtension>(
    quality: Res<CurrentQuality>,
    drawn: Query<(Entity, Ref<Graded<E>>)>,
    mut commands: Commands,
) {
    for (entity, graded) in &drawn {
        if quality.is_changed() || graded.is_changed() {
            let material = if quality.0 == Quality::Low { &graded.plain } else { &graded.full };
            // with another scene the entity may have gone in this very frame
            commands.entity(entity).try_insert(MeshMaterial3d(material.clone()));
        }
    }
}

/// Tells all materials how the studio is lit.
fn relight<E: MaterialExtension + InStudio>(studio: Res<Studio>, mut materials: ResMut<Assets<Lit<E>>>) {
    let is_stale = |material: &Lit<E>| *material.extension.studio() != studio.uniform;
    let stale: Vec<_> = materials.iter().filter(|(_, material)| is_stale(material)).map(|(id, _)| id).collect();
    for id in stale {
        if let Some(mut material) = materials.get_mut(id) {
            *material.extension.studio_mut() = studio.uniform;
        }
    }
}

/// Implements [`InStudio`] for a material with a field `studio`.
macro_rules! in_studio {
    ($material:ty) => {
        impl $crate::app::view::shading::InStudio for $material {
            fn studio(&self) -> &StudioUniform {
                &self.studio
            }

            fn studio_mut(&mut self) -> &mut StudioUniform {
                &mut self.studio
            }
        }
    };
}
pub(super) use in_studio;

/// Makes a material with the fields `studio` and `plain` one of the studio in two grades, with the
/// fragment shader `$shader`.
macro_rules! graded {
    ($material:ty, $shader:expr) => {
        $crate::app::view::shading::in_studio!($material);

        impl From<&$material> for $crate::app::view::shading::Grade {
            fn from(material: &$material) -> Self {
                Self { plain: material.plain }
            }
        }

        impl bevy::pbr::MaterialExtension for $material {
            fn fragment_shader() -> bevy::shader::ShaderRef {
                $shader.into()
            }

            fn specialize(
                _: &bevy::pbr::MaterialExtensionPipeline,
                descriptor: &mut bevy::render::render_resource::RenderPipelineDescriptor,
                _: &bevy::mesh::MeshVertexBufferLayoutRef,
                key: bevy::pbr::MaterialExtensionKey<Self>,
            ) -> Result<(), bevy::render::render_resource::SpecializedMeshPipelineError> {
                $crate::app::view::shading::define(key.bind_group_data.plain, descriptor);
                Ok(())
            }
        }
    };
}
pub(super) use graded;
