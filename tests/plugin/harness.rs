//! An app with the plugin, and what tests ask of it.

use bevy::asset::AssetPlugin;
use bevy::camera::visibility::VisibilityPlugin;
use bevy::ecs::message::Message;
use bevy::mesh::{Indices, MeshPlugin, PrimitiveTopology, VertexAttributeValues};
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use weft::plugin::{Cloth, ClothPins, ClothRefused, ClothStatus, ClothSteps, WeftPlugin};

/// An app whose ticks wait for steps; every update is one tick.
pub fn app() -> App {
    app_with(WeftPlugin { waits: true })
}

/// An app with the plugin, or with a game that adds it.
pub fn app_with(plugin: impl Plugin) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, AssetPlugin::default(), TransformPlugin, MeshPlugin, VisibilityPlugin, plugin));
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.init_resource::<Faults>().add_systems(Last, keep_faults);
    app.finish();
    app.cleanup();
    // the first update takes no time
    app.update();
    app
}

/// What was refused; messages themselves are gone after two updates.
#[derive(Resource, Default)]
struct Faults(Vec<ClothRefused>);

fn keep_faults(mut faults: ResMut<Faults>, mut refused: MessageReader<ClothRefused>) {
    faults.0.extend(refused.read().cloned());
}

/// Updates the app so often.
pub fn run(app: &mut App, updates: u32) {
    (0..updates).for_each(|_| app.update());
}

/// Ends the steps under way, for which a tick may come too early.
pub fn wait(app: &mut App) {
    app.world_mut().resource_mut::<ClothSteps>().wait();
}

/// A hanging cloth of `columns` × `rows` vertices, 1 m wide and high, held by its upper edge by a
/// holder of its own at the origin. Returns the cloth and the holder.
pub fn hanging(app: &mut App, columns: u32, rows: u32) -> (Entity, Entity) {
    let holder = app.world_mut().spawn(Transform::default()).id();
    let pins = ClothPins::numbers(0..columns, holder);
    let cloth = app.world_mut().spawn((Cloth::grid(columns, rows, 1.0, 1.0), pins)).id();
    (cloth, holder)
}

/// A flat cloth of `cells`² cells of `size` [m] in the x-z plane, as a mesh with its middle at the
/// origin.
pub fn sheet(cells: u32, size: f32) -> Mesh {
    let along = |at: u32| size * (at as f32 / cells as f32 - 0.5);
    let side = cells + 1;
    let at = |i: u32| [along(i % side), 0.0, along(i / side)];
    let corners = (0..cells * cells).flat_map(|cell| {
        let a = cell / cells * side + cell % cells;
        [a, a + side, a + 1, a + 1, a + side, a + side + 1]
    });
    let share = |i: u32| [(i % side) as f32 / cells as f32, (i / side) as f32 / cells as f32];
    Mesh::new(PrimitiveTopology::TriangleList, Default::default())
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, (0..side * side).map(at).collect::<Vec<_>>())
        .with_inserted_attribute(Mesh::ATTRIBUTE_UV_0, (0..side * side).map(share).collect::<Vec<_>>())
        .with_inserted_indices(Indices::U32(corners.collect()))
}

pub fn add_mesh(app: &mut App, mesh: Mesh) -> Handle<Mesh> {
    app.world_mut().resource_mut::<Assets<Mesh>>().add(mesh)
}

/// The mesh of an entity.
pub fn mesh_of(app: &App, entity: Entity) -> &Mesh {
    let handle = app.world().get::<Mesh3d>(entity).expect("it has a mesh");
    app.world().resource::<Assets<Mesh>>().get(handle).expect("it is there")
}

/// Three numbers of each vertex of the mesh of an entity.
pub fn vectors(app: &App, entity: Entity, attribute: bevy::mesh::MeshVertexAttribute) -> Vec<Vec3> {
    match mesh_of(app, entity).attribute(attribute) {
        Some(VertexAttributeValues::Float32x3(values)) => values.iter().copied().map(Vec3::from).collect(),
        _ => panic!("three numbers"),
    }
}

/// Where the vertices of the mesh of an entity are drawn in the world [m].
pub fn positions(app: &App, entity: Entity) -> Vec<Vec3> {
    let transform = *app.world().get::<GlobalTransform>(entity).expect("it has a transform");
    vectors(app, entity, Mesh::ATTRIBUTE_POSITION).into_iter().map(|x| transform.transform_point(x)).collect()
}

/// The farthest that a vertex is from where another one is drawn [m].
pub fn apart(a: &[Vec3], b: &[Vec3]) -> f32 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
}

pub fn lowest(positions: &[Vec3]) -> f32 {
    positions.iter().map(|x| x.y).fold(f32::INFINITY, f32::min)
}

pub fn status(app: &App, entity: Entity) -> ClothStatus {
    *app.world().get::<ClothStatus>(entity).expect("a cloth has it")
}

/// The messages of the last two updates, which are gone then.
pub fn messages<M: Message>(app: &mut App) -> Vec<M> {
    app.world_mut().resource_mut::<Messages<M>>().drain().collect()
}

/// What was refused so far, which is forgotten then.
pub fn faults(app: &mut App) -> Vec<ClothRefused> {
    std::mem::take(&mut app.world_mut().resource_mut::<Faults>().0)
}

/// The one fault that was told.
pub fn the_fault(app: &mut App) -> ClothRefused {
    let mut faults = faults(app);
    assert_eq!(faults.len(), 1, "{faults:?}");
    faults.remove(0)
}
