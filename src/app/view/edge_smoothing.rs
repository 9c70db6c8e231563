//! Smooth edges without several samples per pixel: in the finished picture (FXAA), where the rate
//! of pictures allows it, and of every picture that stands.

use bevy::anti_alias::fxaa::Fxaa;
use bevy::prelude::*;

use super::scene::MainCamera;

/// Mean time of a picture from which on there is time for it, and from which on there is not [s].
/// A software device takes about as long for it as for the picture.
const FAST: f32 = 1.0 / 40.0;
const SLOW: f32 = 1.0 / 16.0;
/// Weight of the last picture in the mean.
const WEIGHT: f32 = 0.1;

/// Whether the picture has not changed for a while, and will not.
#[derive(Resource, Default, PartialEq)]
pub struct PictureStands(pub bool);

/// Whether pictures are fast enough.
struct Rate {
    mean: f32,
    is_fast: bool,
}

impl Default for Rate {
    fn default() -> Self {
        Self { mean: SLOW, is_fast: false }
    }
}

impl Rate {
    fn take(&mut self, seconds: f32) {
        self.mean += WEIGHT * (seconds - self.mean);
        self.is_fast = self.mean < if self.is_fast { SLOW } else { FAST };
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<PictureStands>().add_systems(Update, choose);
}

fn choose(
    camera: Single<(Entity, &Msaa, Has<Fxaa>), With<MainCamera>>,
    stands: Res<PictureStands>,
    time: Res<Time<Real>>,
    mut rate: Local<Rate>,
    mut commands: Commands,
) {
    let (camera, samples, is_smoothed) = *camera;
    // a window that stands waits long for its next picture
    if !stands.0 {
        rate.take(time.delta_secs().min(1.0));
    }
    let wanted = *samples == Msaa::Off && (stands.0 || rate.is_fast);
    if wanted != is_smoothed {
        let mut camera = commands.entity(camera);
        if wanted {
            camera.insert(Fxaa::default());
        } else {
            camera.remove::<Fxaa>();
        }
        debug!("edges are {}", if wanted { "smoothed" } else { "left as they are" });
    }
}
