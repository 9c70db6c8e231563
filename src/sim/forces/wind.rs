//! The wind: a mean velocity, with gusts that travel along with it.
//!
//! Gusts are smooth seeded noise of the point that the air at a place came from (frozen turbulence,
//! after Taylor 1938): a function of position and time alone, so a run repeats and a snapshot needs
//! no more than the seed and the time.

use fastnoise_lite::{FastNoiseLite, NoiseType};

use super::air::{Air, AirMode};
use crate::sim::exec::pool::ThreadPool;
use crate::sim::{Real, Vec3};

/// The velocity of the air at any place and time.
pub struct Wind {
    air: Air,
    mean: Vec3,
    noise: FastNoiseLite,
}

impl Wind {
    /// The wind that `air` describes.
    #[must_use]
    pub fn new(air: &Air) -> Self {
        let mut noise = FastNoiseLite::with_seed(air.wind_seed as i32);
        noise.set_noise_type(Some(NoiseType::OpenSimplex2));
        noise.set_frequency(Some(1.0));
        Self { air: *air, mean: mean_wind(air), noise }
    }

    /// Velocity of the air [m/s] at `position` [m] and `time` [s].
    #[must_use]
    pub fn at(&self, position: Vec3, time: Real) -> Vec3 {
        if self.air.air != AirMode::Wind || self.air.gust == 0.0 {
            return self.mean;
        }
        let source = (position - self.mean * time) / self.air.gust_length;
        // three independent components from one field: sampled a long way apart
        let component = |shift: Real| {
            Real::from(self.noise.get_noise_3d(source.x + shift, source.y - 2.0 * shift, source.z + 3.0 * shift))
        };
        let turn = Vec3::new(component(0.0), component(31.7), component(63.1));
        self.mean + turn * (self.air.gust * self.mean.length())
    }

    /// Writes the velocity of the air [m/s] at each of `positions` [m] at `time` [s].
    pub fn sample(&self, positions: &[Vec3], time: Real, out: &mut Vec<Vec3>, pool: &ThreadPool) {
        out.resize(positions.len(), Vec3::ZERO);
        pool.fill(out, 256, |i| self.at(positions[i], time));
    }

    /// Whether this is the wind of `air`.
    #[must_use]
    pub fn is_of(&self, air: &Air) -> bool {
        self.air == *air
    }
}

/// The mean velocity of the air [m/s]; zero unless the wind is on.
#[must_use]
pub fn mean_wind(air: &Air) -> Vec3 {
    if air.air != AirMode::Wind {
        return Vec3::ZERO;
    }
    let (sin, cos) = air.wind_azimuth.sin_cos();
    let (rise, level) = air.wind_elevation.sin_cos();
    Vec3::new(level * cos, rise, -level * sin) * air.wind_speed
}
