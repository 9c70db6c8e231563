//! The colliders on the stage: a mesh each, made once, which follows its path.

use bevy::asset::RenderAssetUsages;
use bevy::mesh::{Indices, PrimitiveTopology};
use bevy::prelude::*;

use super::cloth_mesh::Displayed;
use super::session::SessionHandle;
use crate::sim::contact::{Collider, Shape};
use crate::sim::{Parameters, Vec3 as SimVec3, World};

const COLOR: Color = Color::srgb(0.58, 0.52, 0.45);
/// What the pointer could take, or holds.
const TAKEN: Color = Color::srgb(0.70, 0.64, 0.54);

/// Marks the mesh of a collider.
#[derive(Component)]
pub(super) struct ColliderMesh {
    /// Its number among those that are drawn.
    drawn: usize,
    /// Its number among the scene's own, which can be moved by hand; the table cannot.
    pub movable: Option<u32>,
}

/// The colliders that are on the stage.
#[derive(Resource, Default)]
struct Drawn(Vec<Collider>);

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Drawn>().add_systems(Startup, prepare).add_systems(Update, (make_meshes, place_meshes).chain());
}

/// The materials of a collider.
#[derive(Resource)]
pub(super) struct ColliderLooks {
    pub usual: Handle<StandardMaterial>,
    /// Of one that the pointer could take, or holds.
    pub taken: Handle<StandardMaterial>,
}

fn prepare(mut commands: Commands, mut materials: ResMut<Assets<StandardMaterial>>) {
    let mut matt = |base_color| {
        materials.add(StandardMaterial {
            base_color,
            perceptual_roughness: 0.7,
            reflectance: 0.3,
            // a sheet is seen from both sides
            double_sided: true,
            cull_mode: None,
            ..default()
        })
    };
    let looks = ColliderLooks { usual: matt(COLOR), taken: matt(TAKEN) };
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
    let Parameters { contact, table, .. } = &session.frame.parameters;
    // the floor is drawn by itself
    let solids = || World::solids_of(contact, table, &session.frame.colliders).skip(usize::from(contact.ground));
    let known = &drawn.bypass_change_detection().0;
    if solids().count() == known.len() && solids().zip(known).all(|(new, old)| *new == *old) {
        return;
    }
    let same_shapes = solids().count() == known.len() && solids().zip(known).all(|(new, old)| new.shape == old.shape);
    drawn.0 = solids().map(|collider| collider.into_owned()).collect();
    if same_shapes {
        return;
    }
    old.iter().for_each(|entity| commands.entity(entity).despawn());
    let fixed = drawn.0.len() - session.frame.colliders.len();
    for (number, collider) in drawn.0.iter().enumerate() {
        commands.spawn((
            ColliderMesh { drawn: number, movable: number.checked_sub(fixed).map(|number| number as u32) },
            Mesh3d(meshes.add(mesh_of(&collider.shape))),
            MeshMaterial3d(looks.usual.clone()),
            Transform::default(),
        ));
    }
}

/// Puts every collider where it is at the time that is shown.
fn place_meshes(drawn: Res<Drawn>, displayed: Res<Displayed>, mut placed: Query<(&ColliderMesh, &mut Transform)>) {
    for (mesh, mut transform) in &mut placed {
        let Some(collider) = drawn.0.get(mesh.drawn) else { continue };
        let (position, rotation) = collider.place(displayed.time);
        let mut turned = Quat::from_scaled_axis(rotation.as_vec3());
        if let Shape::Plane { normal } = collider.shape {
            turned *= Quat::from_rotation_arc(Vec3::Y, normal.as_vec3().normalize_or(Vec3::Y));
        }
        transform.set_if_neq(Transform { translation: position.as_vec3(), rotation: turned, scale: Vec3::ONE });
    }
}

/// A plane is drawn in part, with its normal up.
fn mesh_of(shape: &Shape) -> Mesh {
    match *shape {
        Shape::Plane { .. } => Plane3d::default().mesh().size(4.0, 4.0).into(),
        Shape::Sphere { radius } => {
            Sphere::new(radius as f32).mesh().ico(5).unwrap_or_else(|_| Sphere::new(radius as f32).into())
        }
        Shape::Box { half_extents } => Cuboid::from_size(2.0 * half_extents.as_vec3()).into(),
        Shape::Capsule { half_height, radius } => Capsule3d::new(radius as f32, 2.0 * half_height as f32).into(),
        Shape::Cylinder { half_height, radius } => {
            Cylinder::new(radius as f32, 2.0 * half_height as f32).mesh().resolution(64).into()
        }
        Shape::Hull { .. } | Shape::Mesh { .. } => {
            let (points, triangles) = shape.triangles().unwrap_or_default();
            faceted(points, triangles)
        }
    }
}

/// A mesh with its faces flat: each has its own corners.
fn faceted(points: &[SimVec3], triangles: &[[u32; 3]]) -> Mesh {
    let corners = triangles.iter().map(|triangle| triangle.map(|corner| points[corner as usize]));
    let (mut positions, mut normals) = (Vec::new(), Vec::new());
    for [a, b, c] in corners {
        let normal = (b - a).cross(c - a).normalize_or(SimVec3::Y).as_vec3().to_array();
        positions.extend([a, b, c].map(|x| x.as_vec3().to_array()));
        normals.extend([normal; 3]);
    }
    let count = positions.len() as u32;
    Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
        .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, normals)
        .with_inserted_indices(Indices::U32((0..count).collect()))
}
