//! The lights of the studio, which stand as the camera of the scene sees them, and its colours.

use std::f32::consts::{FRAC_PI_4, PI};

use bevy::prelude::*;
use bevy::render::render_resource::ShaderType;

use crate::app::window::preferences::Backdrop;

/// Height of the key light and of the rim light over the horizon.
const KEY_HEIGHT: f32 = 35.0 * PI / 180.0;
const RIM_HEIGHT: f32 = 30.0 * PI / 180.0;

/// Colours of the floor and of the wall of a stage, as red, green and blue of sRGB.
#[must_use]
pub const fn stage_colours(stage: Backdrop) -> [[u8; 3]; 2] {
    match stage {
        Backdrop::Light => [[0xD9, 0xD4, 0xCC], [0xED, 0xEA, 0xE4]],
        Backdrop::Dark => [[0x23, 0x26, 0x2B], [0x3A, 0x3F, 0x46]],
    }
}

/// The uniform of the studio; `Studio` in `shaders/studio.wgsl`.
#[derive(ShaderType, Reflect, Debug, Clone, Copy, PartialEq, Default)]
pub struct StudioUniform {
    key: Vec4,
    fill: Vec4,
    rim: Vec4,
    floor: Vec4,
    pub(super) wall: Vec4,
    pub(super) shadow: Vec4,
}

/// How the studio is lit.
#[derive(Resource, Default)]
pub struct Studio {
    /// The uniform of the shaders.
    pub uniform: StudioUniform,
}

impl Studio {
    /// Unit vector towards the key light.
    #[must_use]
    pub fn key(&self) -> Vec3 {
        self.uniform.key.truncate()
    }

    /// Sets the lights for a camera that looks from `yaw` [rad]: the key 45° to its left, the fill
    /// to its right, the rim behind on the right.
    pub fn light_from(&mut self, yaw: f32) {
        let towards = |yaw: f32, height: f32| {
            let (sine, cosine) = height.sin_cos();
            Vec3::new(cosine * yaw.sin(), sine, cosine * yaw.cos()).extend(0.0)
        };
        self.uniform.key = towards(yaw - FRAC_PI_4, KEY_HEIGHT);
        self.uniform.fill = towards(yaw + 1.1 * FRAC_PI_4, 0.2);
        self.uniform.rim = towards(yaw + 0.8 * PI, RIM_HEIGHT);
    }

    /// Gives floor and wall the colours of a stage.
    pub fn paint(&mut self, stage: Backdrop) {
        let [floor, wall] = stage_colours(stage).map(|[r, g, b]| LinearRgba::from(Srgba::rgb_u8(r, g, b)).to_vec4());
        (self.uniform.floor, self.uniform.wall) = (floor, wall);
    }
}
