//! The wind in the hand: the pointer takes the tip of its arrow and turns it.

use bevy::prelude::*;

use crate::app::picking::Surroundings;
use crate::app::session::SessionHandle;
use crate::app::view::overlays::{Overlay, wind_arrow};
use crate::scene::Scalar;
use crate::session::Command;
use crate::sim::forces::Air;

/// How near to the tip the pointer has to be [logical pixels].
const NEAR: f32 = 14.0;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, tell_place);
}

/// Tells the log where the tip is when the arrow appears: bug reports and tests of the real window
/// need to know.
fn tell_place(session: Res<SessionHandle>, around: Surroundings, mut told: Local<bool>) {
    if !around.state.overlays.has(Overlay::Wind) {
        *told = false;
        return;
    }
    let tip = wind_arrow(session.frame()).and_then(|[_, to]| around.on_screen(to.as_vec3()));
    if let Some(tip) = tip.filter(|_| !*told) {
        debug!("tip of the wind at {:.0} {:.0}", tip.x, tip.y);
    }
    *told = tip.is_some();
}

/// The arrow of the wind in the hand: its tip is on a ball around its middle.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct WindHand {
    middle: Vec3,
    radius: f32,
    /// Whether the tip is on the side of the ball that faces the camera.
    faces_camera: bool,
    /// Whether the pointer was beside the ball; on its way back the tip is on the other side.
    beside: bool,
}

impl WindHand {
    /// Whether the pointer could take the tip at `cursor`.
    pub fn is_at(cursor: Vec2, session: &SessionHandle, around: &Surroundings) -> bool {
        let arrow = wind_arrow(session.frame()).filter(|_| around.state.overlays.has(Overlay::Wind));
        let tip = arrow.and_then(|[_, to]| around.on_screen(to.as_vec3()));
        tip.is_some_and(|tip| tip.distance(cursor) < NEAR)
    }

    /// Takes the tip at `cursor`, if it is there.
    pub fn take(cursor: Vec2, session: &SessionHandle, around: &Surroundings) -> Option<Self> {
        if !Self::is_at(cursor, session, around) {
            return None;
        }
        let [from, to] = wind_arrow(session.frame())?.map(|end| end.as_vec3());
        let middle = 0.5 * (from + to);
        let faces_camera = around.depth_of(to) <= around.depth_of(middle);
        Some(Self { middle, radius: middle.distance(to), faces_camera, beside: false })
    }

    /// Turns the arrow so that its tip is under the pointer.
    pub fn drag(&mut self, cursor: Vec2, session: &mut SessionHandle, around: &Surroundings) {
        let Some(ray) = around.ray(cursor) else { return };
        let nearest = ray.origin + *ray.direction * ray.direction.dot(self.middle - ray.origin);
        let offset = nearest - self.middle;
        let inside = self.radius * self.radius - offset.length_squared();
        if inside <= 0.0 {
            self.beside = true;
        } else if std::mem::take(&mut self.beside) {
            self.faces_camera = !self.faces_camera;
        }
        let depth = inside.max(0.0).sqrt() * if self.faces_camera { -1.0 } else { 1.0 };
        let Some(wind) = (offset + *ray.direction * depth).try_normalize() else { return };
        let wind = wind.as_dvec3();
        for (key, angle) in
            [(Air::wind_azimuth, (-wind.z).atan2(wind.x)), (Air::wind_elevation, wind.y.clamp(-1.0, 1.0).asin())]
        {
            session.send(Command::Set { key: key.to_owned(), value: Scalar::Real(angle) });
        }
    }
}
