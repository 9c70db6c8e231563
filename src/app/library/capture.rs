//! Pictures of the view for own files: a second camera at the place of the first one draws without
//! the panels.

use std::sync::{Arc, Mutex, PoisonError};

use bevy::camera::RenderTarget;
use bevy::core_pipeline::tonemapping::Tonemapping;
use bevy::ecs::observer::On;
use bevy::light::ShadowFilteringMethod;
use bevy::prelude::*;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured};

use super::Library;
use super::pictures::{Pictures, SIZE};
use crate::app::picture::{Picture, new_target};
use crate::app::session::SessionHandle;
use crate::app::task::Task;
use crate::app::view::pipelines::Waiting;
use crate::app::view::scene::MainCamera;

/// Pixels of the drawing across one of the picture.
const FINER: u32 = 2;
/// Least number of frames that the camera draws before the picture is taken.
const WARM_UP: u32 = 3;

/// The picture that is being taken.
#[derive(Default)]
pub enum Capture {
    /// None.
    #[default]
    Idle,
    /// The camera draws.
    Drawing { file: String, camera: Entity, target: Handle<Image>, frames: u32 },
    /// The picture is on its way from the device.
    Capturing { file: String, camera: Entity, taken: Arc<Mutex<Option<Option<Picture>>>> },
    /// It is being written.
    Writing { file: String, task: Task<()> },
}

/// The camera that is copied.
type Main = (&'static Transform, &'static Projection, Option<&'static Msaa>);

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, (want_picture_of_opened, follow).chain());
}

/// An opened scene without a picture gets one at the time that its pictures show.
fn want_picture_of_opened(session: Res<SessionHandle>, mut library: ResMut<Library>) {
    let (frame, library) = (session.frame(), &mut library.bypass_change_detection());
    let scene = &frame.scene;
    let is_due = |file: &mut String| scene.name != *file || frame.time >= scene.pictured;
    if let Some(file) = library.unpictured.take_if(is_due)
        && scene.name == file
    {
        library.want_picture(&file);
    }
}

fn follow(
    mut library: ResMut<Library>,
    main: Single<Main, With<MainCamera>>,
    waiting: Res<Waiting>,
    mut images: ResMut<Assets<Image>>,
    mut stage: Local<Capture>,
    mut commands: Commands,
) {
    let library = library.bypass_change_detection();
    *stage = match std::mem::take(&mut *stage) {
        Capture::Idle => match library.wanted_picture.take() {
            Some(file) => {
                let target = new_target(&mut images, SIZE.map(|pixels| FINER * pixels));
                let camera = spawn(*main, &target, &mut commands);
                Capture::Drawing { file, camera, target, frames: 0 }
            }
            None => Capture::Idle,
        },
        // objects whose pipelines are being compiled are not drawn
        Capture::Drawing { file, camera, target, frames } if frames < WARM_UP || waiting.is_waiting() => {
            Capture::Drawing { file, camera, target, frames: frames + 1 }
        }
        Capture::Drawing { file, camera, target, .. } => {
            let taken = Arc::default();
            capture(target, Arc::clone(&taken), &mut commands);
            Capture::Capturing { file, camera, taken }
        }
        Capture::Capturing { file, camera, taken } => {
            let picture = taken.lock().unwrap_or_else(PoisonError::into_inner).take();
            match picture {
                None => Capture::Capturing { file, camera, taken },
                Some(picture) => {
                    commands.entity(camera).despawn();
                    picture.map_or(Capture::Idle, |picture| write(library.pictures.clone(), file, picture))
                }
            }
        }
        Capture::Writing { file, mut task } => {
            if task.poll().1 {
                library.note_picture(&file);
                Capture::Idle
            } else {
                Capture::Writing { file, task }
            }
        }
    };
}

/// A camera that sees what the first one does.
fn spawn(
    (place, projection, msaa): (&Transform, &Projection, Option<&Msaa>),
    target: &Handle<Image>,
    commands: &mut Commands,
) -> Entity {
    commands
        .spawn((
            Camera3d::default(),
            RenderTarget::Image(target.clone().into()),
            Tonemapping::None,
            ShadowFilteringMethod::Gaussian,
            projection.clone(),
            *place,
            msaa.copied().unwrap_or_default(),
        ))
        .id()
}

fn capture(target: Handle<Image>, taken: Arc<Mutex<Option<Option<Picture>>>>, commands: &mut Commands) {
    commands.spawn(Screenshot::image(target)).observe(move |captured: On<ScreenshotCaptured>| {
        let picture = Picture::of(&captured.image, Some(SIZE));
        *taken.lock().unwrap_or_else(PoisonError::into_inner) = Some(picture);
    });
}

fn write(pictures: Pictures, file: String, picture: Picture) -> Capture {
    let of = file.clone();
    let task = Task::start(move |_| match pictures.write(&of, &picture) {
        Ok(()) => info!("kept a picture of {of}"),
        Err(error) => warn!("{of}: its picture cannot be kept: {error}"),
    });
    Capture::Writing { file, task }
}
