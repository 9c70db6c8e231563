//! A recorded motion, shown again at any time.

use std::sync::Arc;

use crate::documents::{ClothSurface, Moment};
use crate::session::Frame;
use crate::sim::Vec3;

/// A motion, with the frame that it ends in.
pub struct RecordedMotion {
    moments: Vec<Moment>,
    last: Arc<Frame>,
}

impl RecordedMotion {
    /// Of moments by rising time, at least one, of the cloth that `last` shows.
    #[must_use]
    pub fn new(last: &Arc<Frame>, mut moments: Vec<Moment>) -> Self {
        let surface = ClothSurface::new(Arc::clone(&last.pattern), &last.scene);
        for moment in &mut moments {
            moment.positions = surface.extended(&moment.positions).into_owned();
        }
        Self { moments, last: Arc::clone(last) }
    }

    /// Simulated time of the first moment [s].
    #[must_use]
    pub fn start(&self) -> f64 {
        self.moments[0].time
    }

    /// The state at a simulated time [s]: vertices move in straight lines from one moment to the
    /// next. After the last one they stand still.
    #[must_use]
    pub fn frame(&self, time: f64) -> Frame {
        let (moment, positions) = self.at(time);
        let step = self.last.parameters.timing.time_step;
        let (_, previous) = self.at(time - step);
        let mut colliders = self.last.colliders.to_vec();
        for (collider, place) in colliders.iter_mut().zip(&moment.colliders) {
            (collider.position, collider.rotation) = *place;
        }
        Frame {
            time,
            positions,
            previous,
            previous_time: time - step,
            colliders: colliders.into(),
            pins: moment.pins.clone(),
            grab: moment.grab,
            // of another time
            contacts: None,
            intersections: None,
            ..(*self.last).clone()
        }
    }

    /// The last moment up to `time` [s], and the places of the vertices then.
    fn at(&self, time: f64) -> (&Moment, Vec<Vec3>) {
        let after = self.moments.partition_point(|moment| moment.time <= time + 1e-9).max(1);
        let before = &self.moments[after - 1];
        let Some(next) = self.moments.get(after).filter(|_| time > before.time) else {
            return (before, before.positions.iter().map(|x| before.place(*x)).collect());
        };
        let share = (time - before.time) / (next.time - before.time);
        let between = before.positions.iter().zip(&next.positions);
        (before, between.map(|(a, b)| before.place(*a).lerp(next.place(*b), share)).collect())
    }
}
