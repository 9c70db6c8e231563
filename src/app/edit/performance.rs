//! A path by the hand: time runs while the pointer drags a collider or a handle, and its motion
//! becomes the path.

use bevy::prelude::*;

use super::{Editor, Held, send, still};
use crate::app::picking::{Pointer, Surroundings};
use crate::app::session::SessionHandle;
use crate::scene::{Edit, ScenePart, performed_path};
use crate::session::{Command, Frame};
use crate::sim::Vec3 as SimVec3;

/// Smoothing of a motion at first [s].
const SMOOTHING: f64 = 0.05;

/// A recorded motion of the hand.
#[derive(Debug)]
pub struct Performance {
    part: ScenePart,
    /// The vertices of a handle.
    held: Held,
    /// Time [s] and offset [m] of the part in the frames so far.
    samples: Vec<(f64, SimVec3)>,
    /// Standard deviation of the smoothing [s].
    pub smoothing: f64,
    stage: Performing,
}

#[derive(Debug, Clone, Copy)]
enum Performing {
    /// It waits for the hand; a frame that has seen this order shows the part without a path.
    Ready(u64),
    /// The hand has pressed here before that frame came.
    Pressed(u64, Vec2),
    /// The hand drags it.
    Held(Hand),
    /// The hand has let go; a frame that has seen this order shows the end.
    Ending(u64, Hand),
    /// The path is in the scene.
    Done,
}

/// The hand on the part.
#[derive(Debug, Clone, Copy)]
struct Hand {
    /// Distance of the plane in which it moves along the camera's view [m].
    depth: f32,
    /// Where the pointer met the plane first [m].
    from: Vec3,
    /// Position of a collider then [m]; of a handle where its first vertex starts.
    start: SimVec3,
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, follow);
}

impl Performance {
    /// Whether it waits for the hand or follows it.
    pub fn is_under_way(&self) -> bool {
        !matches!(self.stage, Performing::Done)
    }

    /// Whether it is a motion of this part that is in the scene.
    pub fn is_of(&self, part: ScenePart) -> bool {
        self.part == part && matches!(self.stage, Performing::Done)
    }

    /// Gives the part the path of the motion.
    pub fn keep(&self, session: &mut SessionHandle) {
        if let Some(path) = performed_path(&self.samples, self.smoothing) {
            send(session, Edit::SetPath { part: self.part, path: Some(path) });
        }
    }

    /// Begins the motion: time runs.
    fn begin(&mut self, cursor: Vec2, session: &mut SessionHandle, around: &Surroundings) {
        let frame = session.frame();
        let bounds = self.held.bounds(frame, self.part);
        let (Some((low, high)), Some(start)) = (bounds, self.place(frame)) else { return };
        let middle = (0.5 * (low + high) - frame.pattern.origin()).as_vec3();
        let depth = around.depth_of(middle);
        let Some(from) = around.point_at(cursor, depth) else { return };
        self.samples = vec![(frame.time, SimVec3::ZERO)];
        self.stage = Performing::Held(Hand { depth, from, start });
        session.pause(false);
        info!("following the hand");
    }

    /// Moves the part so that it follows the pointer.
    fn drag(&self, hand: &Hand, cursor: Vec2, session: &mut SessionHandle, around: &Surroundings) {
        let Some(at) = around.point_at(cursor, hand.depth) else { return };
        let offset = (at - hand.from).as_dvec3();
        let command = match self.part {
            ScenePart::Collider(collider) => {
                let Some(moved) = session.frame().colliders.get(collider as usize) else { return };
                Command::MoveCollider { collider, position: hand.start + offset, rotation: moved.rotation }
            }
            ScenePart::Handle { piece, at } => Command::MoveHandle { piece, handle: at, offset },
            ScenePart::Piece(_) | ScenePart::Pins(_) => return,
        };
        session.send(command);
    }

    /// Notes where the part is in a frame.
    fn note(&mut self, frame: &Frame, start: SimVec3) {
        let offset = self.place(frame).map(|place| place - start);
        if let Some(offset) = offset.filter(|_| self.samples.last().is_none_or(|last| last.0 < frame.time)) {
            self.samples.push((frame.time, offset));
        }
    }

    /// Where a collider is, or the first vertex of a handle is held [m], without a path.
    fn place(&self, frame: &Frame) -> Option<SimVec3> {
        match self.part {
            ScenePart::Collider(at) => frame.colliders.get(at as usize).map(|collider| collider.position),
            _ => {
                let vertex = self.held.vertices.first()?;
                frame.pins.iter().find(|pin| pin.0 == *vertex).map(|pin| pin.1)
            }
        }
    }

    /// The command that lets the part go.
    fn release(&self) -> Command {
        if matches!(self.part, ScenePart::Collider(_)) { Command::ReleaseCollider } else { Command::Release }
    }
}

impl Editor {
    /// Waits for the hand on a part, whose path is taken away.
    pub fn prepare_performance(&mut self, session: &mut SessionHandle, part: ScenePart) {
        session.pause(true);
        let order = send(session, Edit::SetPath { part, path: still(part) });
        let (held, samples, smoothing, stage) = (Held::default(), Vec::new(), SMOOTHING, Performing::Ready(order));
        self.performance = Some(Performance { part, held, samples, smoothing, stage });
        info!("waiting for the hand");
    }

    /// Whether a press in the view begins the motion of a part.
    #[must_use]
    pub fn awaits_hand(&self) -> bool {
        self.performance.as_ref().is_some_and(|performance| matches!(performance.stage, Performing::Ready(_)))
    }

    /// Begins the motion as soon as the part stands where it starts.
    pub fn begin_performance(&mut self, cursor: Vec2) {
        if let Some(performance) = &mut self.performance
            && let Performing::Ready(order) = performance.stage
        {
            performance.stage = Performing::Pressed(order, cursor);
        }
    }

    /// Ends the motion: time stands, and the part gets its path.
    pub fn end_performance(&mut self, session: &mut SessionHandle) {
        let Some(performance) = &mut self.performance else { return };
        match performance.stage {
            Performing::Held(hand) => {
                session.pause(true);
                performance.stage = Performing::Ending(session.send(performance.release()), hand);
            }
            Performing::Pressed(order, _) => performance.stage = Performing::Ready(order),
            Performing::Ready(_) | Performing::Ending(..) | Performing::Done => {}
        }
    }

    /// Drops a motion that is not complete. Returns whether there was one.
    pub fn cancel_performance(&mut self, session: &mut SessionHandle) -> bool {
        let Some(performance) = self.performance.take_if(|performance| performance.is_under_way()) else {
            return false;
        };
        session.pause(true);
        session.send(performance.release());
        session.send(Command::Reset);
        true
    }
}

/// Follows the hand, and notes the motion.
fn follow(
    (mut editor, mut session, pointer): (ResMut<Editor>, ResMut<SessionHandle>, Res<Pointer>),
    around: Surroundings,
) {
    let Some(performance) = &mut editor.bypass_change_detection().performance else { return };
    performance.held.follow(Some(performance.part), session.frame());
    match performance.stage {
        Performing::Held(hand) => {
            performance.note(session.frame(), hand.start);
            if let Some(cursor) = pointer.cursor {
                performance.drag(&hand, cursor, &mut session, &around);
            }
        }
        Performing::Ending(order, hand) => {
            performance.note(session.frame(), hand.start);
            if session.frame().seen >= order {
                performance.stage = Performing::Done;
                info!("recorded {} places of the hand", performance.samples.len());
                performance.keep(&mut session);
            }
        }
        // a frame from before shows it elsewhere, and at another time
        Performing::Pressed(order, cursor) if session.frame().seen >= order => {
            performance.begin(cursor, &mut session, &around);
        }
        Performing::Ready(_) | Performing::Pressed(..) | Performing::Done => {}
    }
}
