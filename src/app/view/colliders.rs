//! The colliders on the stage: a mesh each, made once, which follows its path.

use bevy::app::RunFixedMainLoopSystems;
use bevy::asset::uuid_handle;
use bevy::prelude::*;
use bevy::render::render_resource::AsBindGroup;
use bevy::shader::Shader;

use super::collider_mesh::{Detail, mesh_of};
use super::contact_shadow::Caster;
use super::displayed::ChosenCloth;
use super::lighting::StudioUniform;
use super::shading::{self, Grade, Graded, Lit, graded};
use crate::app::session::SessionHandle;
use crate::sim::contact::{Collider, Shape};
use crate::sim::{Parameters, World};

const COLOUR: Color = Color::srgb(0.70, 0.68, 0.64);
/// Colour of a collider that the pointer could take, or holds.
const TAKEN: Color = Color::srgb(0.80, 0.72, 0.60);

const SHADER: Handle<Shader> = uuid_handle!("0b8f2f6e-9d0b-4c57-a4a5-5a0a4f2d6a05");

/// Marks the mesh of a collider.
#[derive(Component)]
pub struct ColliderMesh {
    /// Its number among those that are drawn.
    drawn: usize,
    /// Its number among the scene's own, which can be moved by hand; the table cannot.
    pub movable: Option<u32>,
    /// Whether it looks like one that the pointer could take, or holds.
    pub taken: bool,
}

/// Puts the meshes of the colliders where they are in this frame.
#[derive(SystemSet, Debug, Clone, PartialEq, Eq, Hash)]
pub struct CollidersPlaced;

/// The colliders that are on the stage.
#[derive(Resource, Default)]
struct Drawn(Vec<Collider>);

/// Extension of the standard material by the shader of a collider.
#[derive(Asset, AsBindGroup, Reflect, Debug, Clone)]
#[bind_group_data(Grade)]
pub struct Paint {
    #[uniform(100)]
    colour: LinearRgba,
    #[uniform(101)]
    studio: StudioUniform,
    plain: bool,
}

graded!(Paint, SHADER);

pub(super) fn plugin(app: &mut App) {
    shading::add::<Paint>(app, &SHADER, "shaders/solid.wgsl");
    let placing = (make_meshes, place_meshes).chain().in_set(CollidersPlaced);
    app.init_resource::<Drawn>()
        .add_systems(Startup, prepare)
        .add_systems(RunFixedMainLoop, placing.in_set(RunFixedMainLoopSystems::AfterFixedMainLoop));
}

/// The materials of a collider.
#[derive(Resource)]
pub struct ColliderLooks {
    usual: [Handle<Lit<Paint>>; 2],
    taken: [Handle<Lit<Paint>>; 2],
}

impl ColliderLooks {
    /// That of one which the pointer could take or holds, or which it could not.
    pub fn of(&self, taken: bool) -> Graded<Paint> {
        let [plain, full] = if taken { &self.taken } else { &self.usual }.clone();
        Graded { plain, full }
    }
}

fn prepare(mut commands: Commands, mut materials: ResMut<Assets<Lit<Paint>>>) {
    let mut matt = |colour: Color| {
        [true, false].map(|plain| {
            // a sheet is seen from both sides
            let base = StandardMaterial { double_sided: true, cull_mode: None, ..default() };
            materials
                .add(Lit { base, extension: Paint { colour: colour.into(), studio: StudioUniform::default(), plain } })
        })
    };
    let looks = ColliderLooks { usual: matt(COLOUR), taken: matt(TAKEN) };
    commands.insert_resource(looks);
}

/// Makes the meshes anew when there are other shapes.
fn make_meshes(
    session: Res<SessionHandle>,
    mut drawn: ResMut<Drawn>,
    old: Query<Entity, With<ColliderMesh>>,
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    looks: Res<ColliderLooks>,
) {
    let Parameters { contact, table, .. } = &session.frame().parameters;
    // the floor is drawn by itself
    let solids = || World::solids_of(contact, table, &session.frame().colliders).skip(usize::from(contact.ground));
    let known = &drawn.bypass_change_detection().0;
    if solids().count() == known.len() && solids().zip(known).all(|(new, old)| *new == *old) {
        return;
    }
    let is_alike = |new: &Collider, old: &Collider| new.shape == old.shape && new.hidden == old.hidden;
    let same_shapes = solids().count() == known.len() && solids().zip(known).all(|(new, old)| is_alike(&new, old));
    drawn.0 = solids().map(|collider| collider.into_owned()).collect();
    if same_shapes {
        return;
    }
    old.iter().for_each(|entity| commands.entity(entity).despawn());
    let fixed = drawn.0.len() - session.frame().colliders.len();
    for (number, collider) in drawn.0.iter().enumerate().filter(|(_, collider)| !collider.hidden) {
        // only a part of an infinite collider is drawn, and its shadow would be wrong
        let is_infinite = matches!(collider.shape, Shape::Plane { .. });
        let caster =
            if is_infinite { Caster::default() } else { Caster::of(&mesh_of(&collider.shape, Detail::Shadow)) };
        commands.spawn((
            ColliderMesh {
                drawn: number,
                movable: number.checked_sub(fixed).map(|number| number as u32),
                taken: false,
            },
            Mesh3d(meshes.add(mesh_of(&collider.shape, Detail::Picture))),
            looks.of(false),
            caster,
            Transform::default(),
        ));
    }
}

/// Puts every collider where it is at the time that is shown.
fn place_meshes(
    session: Res<SessionHandle>,
    drawn: Res<Drawn>,
    displayed: ChosenCloth,
    mut placed: Query<(&ColliderMesh, &mut Transform)>,
) {
    let origin = session.frame().pattern.origin();
    for (mesh, mut transform) in &mut placed {
        let Some(collider) = drawn.0.get(mesh.drawn) else { continue };
        let (position, rotation) = collider.place(displayed.time);
        let mut turned = Quat::from_scaled_axis(rotation.as_vec3());
        if let Shape::Plane { normal } = collider.shape {
            turned *= Quat::from_rotation_arc(Vec3::Y, normal.as_vec3().normalize_or(Vec3::Y));
        }
        transform.set_if_neq(Transform {
            translation: (position - origin).as_vec3(),
            rotation: turned,
            scale: Vec3::ONE,
        });
    }
}
