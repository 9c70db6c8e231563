//! The material of a cloth: that of its fabric, with a picture on it or in the colours of a scale.

use bevy::asset::uuid_handle;
use bevy::prelude::*;
use bevy::render::render_resource::{AsBindGroup, ShaderType};
use bevy::shader::Shader;

use super::lighting::StudioUniform;
use super::shading::{self, Grade, Graded, Lit, graded};
use crate::scene::{Fabric, Look, Print};
use crate::session::Frame;

/// The number of the woven or printed pattern, for the shader.
const fn number(print: Print) -> f32 {
    match print {
        Print::Plain => 0.0,
        Print::Stripe => 1.0,
        Print::Check => 2.0,
    }
}

/// That of the colours of a scale, and that of a picture.
const PAINTED: f32 = 3.0;
const PICTURE: f32 = 4.0;

/// Most fabrics beside that of the scene.
pub(super) const OTHER_LOOKS: usize = 24;

const SHADER: Handle<Shader> = uuid_handle!("0b8f2f6e-9d0b-4c57-a4a5-5a0a4f2d6a01");

/// The look of a fabric; `Look` in `shaders/cloth.wgsl`.
#[derive(ShaderType, Reflect, Debug, Clone, Copy, PartialEq, Default)]
struct LookUniform {
    front: LinearRgba,
    back: LinearRgba,
    /// Width of a stripe and of a thread [m], share of light that shines through, sheen.
    measures: Vec4,
    /// The number of the pattern, and three that nothing reads.
    pattern: Vec4,
}

impl From<&Look> for LookUniform {
    fn from(look: &Look) -> Self {
        let linear = |[r, g, b]: [f32; 3]| LinearRgba::from(Color::srgb(r, g, b));
        // threads that are none are too fine to be seen
        let thread = if look.thread > 0.0 { look.thread } else { 1e-6 };
        Self {
            front: linear(look.front),
            back: linear(look.back),
            measures: Vec4::new(look.stripe, thread, look.through, look.sheen),
            pattern: Vec4::new(number(look.pattern), 0.0, 0.0, 0.0),
        }
    }
}

/// The looks of all fabrics in the order of the list.
fn other_looks() -> [LookUniform; OTHER_LOOKS] {
    std::array::from_fn(|place| Fabric::all().get(place).map_or_else(LookUniform::default, |it| (&it.look).into()))
}

/// Extension of the standard material by the cloth's shader.
#[derive(Asset, AsBindGroup, Reflect, Debug, Clone, Default)]
#[bind_group_data(Grade)]
pub(super) struct ClothMaterial {
    /// The look of the scene's fabric.
    #[uniform(100)]
    look: LookUniform,
    /// Those that single pieces may have.
    #[uniform(100)]
    others: [LookUniform; OTHER_LOOKS],
    /// One over width and height of the printed picture [1/m].
    #[uniform(100)]
    cover: Vec2,
    #[texture(102)]
    #[sampler(103)]
    picture: Option<Handle<Image>>,
    #[uniform(101)]
    studio: StudioUniform,
    plain: bool,
}

graded!(ClothMaterial, SHADER);

impl ClothMaterial {
    /// Makes it look like a fabric with a picture on it, over so many metres, if there is one, or
    /// tell the colours of a scale. Returns whether that changed anything.
    fn look_like(&mut self, look: &Look, picture: Option<(&Handle<Image>, Vec2)>, is_painted: bool) -> bool {
        let mut new_look = LookUniform::from(look);
        new_look.pattern.x = match picture {
            _ if is_painted => PAINTED,
            Some(_) => PICTURE,
            None => new_look.pattern.x,
        };
        let new = Self {
            look: new_look,
            cover: picture.map_or(Vec2::ONE, |(_, size)| size.recip()),
            picture: picture.map(|(image, _)| image.clone()),
            ..*self
        };
        let same = (self.look, self.cover) == (new.look, new.cover) && self.picture == new.picture;
        *self = new;
        !same
    }
}

pub(super) fn plugin(app: &mut App) {
    shading::add::<ClothMaterial>(app, &SHADER, "shaders/cloth.wgsl");
}

/// The looks of a cloth, at both qualities.
pub(super) fn new_materials(materials: &mut Assets<Lit<ClothMaterial>>) -> Graded<ClothMaterial> {
    let mut material = |plain| {
        materials.add(Lit {
            base: StandardMaterial { double_sided: true, cull_mode: None, ..default() },
            extension: ClothMaterial { plain, others: other_looks(), ..ClothMaterial::default() },
        })
    };
    Graded { plain: material(true), full: material(false) }
}

/// Makes a cloth look like the fabric of `frame`, with a picture on it over so many metres if there
/// is one, or tell the colours of a scale.
pub(super) fn follow_fabric(
    looks: &Graded<ClothMaterial>,
    frame: &Frame,
    picture: Option<(&Handle<Image>, Vec2)>,
    is_painted: bool,
    materials: &mut Assets<Lit<ClothMaterial>>,
) {
    let Ok(fabric) = Fabric::find(&frame.scene.fabric) else { return };
    for handle in [&looks.plain, &looks.full] {
        let stale = materials
            .get(handle)
            .is_some_and(|material| material.extension.clone().look_like(&fabric.look, picture, is_painted));
        if stale && let Some(mut material) = materials.get_mut(handle) {
            material.extension.look_like(&fabric.look, picture, is_painted);
        }
    }
}
