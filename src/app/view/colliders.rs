//! The colliders on the stage: a mesh each, made once, which follows its path.

use bevy::app::RunFixedMainLoopSystems;
use bevy::asset::{RenderAssetUsages, uuid_handle};
use bevy::mesh::{Indices, PrimitiveTopology};
use bevy::prelude::*;
use bevy::render::render_resource::AsBindGroup;
use bevy::shader::Shader;

use super::contact_shadow::Caster;
use super::displayed::ChosenCloth;
use super::lighting::StudioUniform;
use super::shading::{self, Grade, Graded, Lit, graded};
use crate::app::session::SessionHandle;
use crate::sim::contact::{Collider, Shape};
use crate::sim::math::csr::Csr;
use crate::sim::{Parameters, Vec3 as SimVec3, World};

const COLOUR: Color = Color::srgb(0.70, 0.68, 0.64);
/// Colour of a collider that the pointer could take, or holds.
const TAKEN: Color = Color::srgb(0.80, 0.72, 0.60);
/// Radius to which the edges of a box are rounded where they are drawn [m], and the most of that as
/// a share of its least half side.
const ROUNDING: f32 = 0.006;
const MOST_ROUNDING: f32 = 0.25;
/// Cosine of the angle from which on two faces of a mesh meet in an edge.
const CREASE: f64 = 0.7;

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
        let mesh = mesh_of(&collider.shape);
        // only a part of an infinite collider is drawn, and its shadow would be wrong
        let caster = if matches!(collider.shape, Shape::Plane { .. }) { Caster::default() } else { Caster::of(&mesh) };
        commands.spawn((
            ColliderMesh {
                drawn: number,
                movable: number.checked_sub(fixed).map(|number| number as u32),
                taken: false,
            },
            Mesh3d(meshes.add(mesh)),
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

/// A plane is drawn in part, with its normal up.
fn mesh_of(shape: &Shape) -> Mesh {
    match *shape {
        Shape::Plane { .. } => Plane3d::default().mesh().size(4.0, 4.0).into(),
        Shape::Sphere { radius } => {
            Sphere::new(radius as f32).mesh().ico(5).unwrap_or_else(|_| Sphere::new(radius as f32).into())
        }
        Shape::Box { half_extents } => rounded_box(half_extents.as_vec3()),
        Shape::Capsule { half_height, radius } => Capsule3d::new(radius as f32, 2.0 * half_height as f32).into(),
        Shape::Cylinder { half_height, radius } => {
            Cylinder::new(radius as f32, 2.0 * half_height as f32).mesh().resolution(64).into()
        }
        Shape::Hull { .. } | Shape::Mesh { .. } => {
            let (points, triangles) = shape.triangles().unwrap_or_default();
            creased(points, triangles)
        }
    }
}

/// A box whose edges catch the light: its faces lie in those of the collider, its edges are
/// rounded.
fn rounded_box(half: Vec3) -> Mesh {
    const STEPS: usize = 4;
    let radius = ROUNDING.min(MOST_ROUNDING * half.min_element());
    let core = half - radius;
    let (mut positions, mut normals, mut indices) = (Vec::new(), Vec::new(), Vec::new());
    // along a side of a face: the rounding, and the flat part in one
    let side: Vec<f32> = (0..=STEPS).map(|k| (k as f32 / STEPS as f32 - 1.0) * std::f32::consts::FRAC_PI_4).collect();
    let along: Vec<(f32, f32)> = side
        .iter()
        .map(|angle| (-1.0, angle.tan()))
        .chain(side.iter().rev().map(|angle| (1.0, -angle.tan())))
        .collect();
    for (axis, sign) in [(0, 1.0), (0, -1.0), (1, 1.0), (1, -1.0), (2, 1.0), (2, -1.0_f32)] {
        let [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
        let first = positions.len() as u32;
        for &(side_u, bend_u) in &along {
            for &(side_v, bend_v) in &along {
                let mut normal = Vec3::ZERO;
                (normal[axis], normal[u], normal[v]) = (sign, bend_u, bend_v * sign);
                let normal = normal.normalize();
                let mut corner = core;
                (corner[axis], corner[u], corner[v]) = (sign * core[axis], side_u * core[u], side_v * sign * core[v]);
                positions.push((corner + radius * normal).to_array());
                normals.push(normal.to_array());
            }
        }
        let count = along.len() as u32;
        for i in 0..count - 1 {
            for j in 0..count - 1 {
                let [a, b] = [first + i * count + j, first + (i + 1) * count + j];
                indices.extend([a, b, b + 1, a, b + 1, a + 1]);
            }
        }
    }
    Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
        .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, normals)
        .with_inserted_indices(Indices::U32(indices))
}

/// A mesh whose corners have the mean normal of those faces around them that are not folded more
/// than [`CREASE`]: round parts look round, edges stay edges.
fn creased(points: &[SimVec3], triangles: &[[u32; 3]]) -> Mesh {
    let corners = |triangle: &[u32; 3]| triangle.map(|corner| points[corner as usize]);
    let normals: Vec<SimVec3> = triangles
        .iter()
        .map(|triangle| {
            let [a, b, c] = corners(triangle);
            (b - a).cross(c - a)
        })
        .collect();
    let entries = (0..).zip(triangles).flat_map(|(t, triangle): (u32, _)| triangle.map(|corner| (corner, t)));
    let around = Csr::from_pairs(points.len(), entries);
    let (mut positions, mut smooth) = (Vec::new(), Vec::new());
    for (triangle, normal) in triangles.iter().zip(&normals) {
        let own = normal.normalize_or(SimVec3::Y);
        for &corner in triangle {
            let faces = around.row(corner as usize).iter().map(|&t| normals[t as usize]);
            let sum: SimVec3 = faces.filter(|other| other.normalize_or_zero().dot(own) > CREASE).sum();
            positions.push(points[corner as usize].as_vec3().to_array());
            smooth.push(sum.normalize_or(own).as_vec3().to_array());
        }
    }
    let count = positions.len() as u32;
    Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
        .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, smooth)
        .with_inserted_indices(Indices::U32((0..count).collect()))
}
