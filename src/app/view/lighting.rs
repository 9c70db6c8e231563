//! The lights of the studio, which stand as the camera of the scene sees them, and its colours.

use std::f32::consts::{FRAC_PI_4, PI};

use bevy::prelude::*;
use bevy::render::render_resource::ShaderType;

use crate::app::window::preferences::Backdrop;

/// Height of the key light and of the rim light over the horizon.
const KEY_HEIGHT: f32 = 35.0 * PI / 180.0;
const RIM_HEIGHT: f32 = 30.0 * PI / 180.0;

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
        let (floor, wall) = match stage {
            Backdrop::Light => (Srgba::hex("D9D4CC"), Srgba::hex("EDEAE4")),
            Backdrop::Dark => (Srgba::hex("23262B"), Srgba::hex("3A3F46")),
        };
        let linear = |colour: Result<Srgba, _>| colour.map_or(Vec4::ONE, |colour| LinearRgba::from(colour).to_vec4());
        (self.uniform.floor, self.uniform.wall) = (linear(floor), linear(wall));
    }
}
