//! The cloth on the screen: a mesh whose vertices follow the simulation. The only place where positions become `f32`.

use bevy::app::RunFixedMainLoopSystems;
use bevy::asset::{RenderAssetUsages, uuid_handle};
use bevy::camera::primitives::Aabb;
use bevy::camera::visibility::NoAutoAabb;
use bevy::mesh::{Indices, PrimitiveTopology, VertexAttributeValues};
use bevy::picking::mesh_picking::ray_cast::RayCastBackfaces;
use bevy::prelude::*;
use bevy::render::render_resource::AsBindGroup;
use bevy::shader::Shader;

use super::painting::{Painting, Quantity, measure};
use super::printed::Printed;
use super::self_shadow::Shadowing;
use super::shading::{self, Grade, Graded, Lit, graded};
use super::studio::StudioUniform;
use super::surface::Surface;
use crate::app::session::SessionHandle;
use crate::scene::{Fabric, Look, Print, Scene, texture_coordinates};
use crate::session::Frame;
use crate::sim::forces::air::vertex_normals;
use crate::sim::{Pattern, Vec3 as SimVec3};

/// The number of what is woven or printed, for the shader.
const fn number(print: Print) -> u32 {
    match print {
        Print::Plain => 0,
        Print::Stripe => 1,
        Print::Check => 2,
    }
}

/// That of the colours of a scale, and that of a picture.
const PAINTED: u32 = 3;
const PICTURE: u32 = 4;

/// What is added to the alpha of vertices with a colour of their own.
const OWN: f32 = 2.0;

const SHADER: Handle<Shader> = uuid_handle!("0b8f2f6e-9d0b-4c57-a4a5-5a0a4f2d6a01");

/// Marks the cloth.
#[derive(Component)]
pub struct ClothMesh;

/// Where the vertices are drawn in this frame.
#[derive(Resource, Default)]
pub struct Displayed {
    /// Position of each vertex, relative to the [origin](Pattern::origin) [m].
    pub positions: Vec<SimVec3>,
    /// The simulated time that is shown [s].
    pub time: f64,
    normals: Vec<SimVec3>,
    surface: Surface,
    /// The cloth that the mesh was made for: the generation and the revision of its pattern.
    drawn: Option<(u64, u64)>,
    /// Whether the mesh has the colours of a painting.
    is_painted: bool,
    /// Width and height of the first piece of cloth at rest [m].
    size: Vec2,
}

impl Displayed {
    /// Makes room for the cloth of `frame`, if it is another one. Returns whether it is.
    pub(super) fn prepare(&mut self, frame: &Frame) -> bool {
        let drawn_for = (frame.generation, frame.pattern.revision());
        let is_new = self.drawn.replace(drawn_for) != Some(drawn_for);
        if is_new {
            self.surface = Surface::new(&frame.pattern);
            self.size = size_of_first(&frame.pattern, &frame.scene);
        }
        is_new
    }

    /// A mesh of the cloth of `frame`.
    pub(super) fn new_mesh(&self, frame: &Frame) -> Mesh {
        new_mesh(&frame.pattern, &frame.scene, &self.surface)
    }

    /// Gives the mesh a colour per vertex of the cloth, or those of its pieces.
    pub(super) fn paint(&self, mesh: &mut Mesh, frame: &Frame, painted: Option<Vec<[f32; 4]>>) {
        if let Ok(VertexAttributeValues::Float32x4(values)) = mesh.try_attribute_mut(Mesh::ATTRIBUTE_COLOR) {
            *values = self.surface.spread(painted.unwrap_or_else(|| dyes(&frame.pattern, &frame.scene)));
        }
    }

    /// Width and height of the first piece of cloth at rest [m].
    pub(super) fn size(&self) -> Vec2 {
        self.size
    }

    /// Whether what is on the screen is the cloth of `frame`, perhaps before a tear, and not that of another scene.
    #[must_use]
    pub fn is_of(&self, frame: &Frame) -> bool {
        self.drawn.is_some_and(|(generation, _)| generation == frame.generation)
    }

    /// Brings normals and the divided surface after the positions.
    pub(super) fn follow(&mut self, pattern: &Pattern) {
        let Self { positions, normals, surface, .. } = self;
        vertex_normals(pattern, positions, normals);
        surface.follow(positions.iter().map(|x| x.as_vec3()), normals.iter().map(|n| n.as_vec3()));
    }

    /// Writes the surface into the mesh that is drawn.
    pub(super) fn write(&self, mesh: &mut Mesh) {
        copy(mesh, Mesh::ATTRIBUTE_POSITION, &self.surface.positions);
        copy(mesh, Mesh::ATTRIBUTE_NORMAL, &self.surface.normals);
        if let Ok(VertexAttributeValues::Float32x2(values)) = mesh.try_attribute_mut(Mesh::ATTRIBUTE_UV_1) {
            values.iter_mut().zip(&self.surface.cavities).for_each(|(value, cavity)| value[0] = *cavity);
        }
        if let Ok(VertexAttributeValues::Float32x4(values)) = mesh.try_attribute_mut(Mesh::ATTRIBUTE_COLOR) {
            let own = |alpha: f32| if alpha >= OWN { OWN } else { 0.0 };
            values.iter_mut().zip(&self.surface.lit).for_each(|(value, lit)| value[3] = own(value[3]) + lit);
        }
    }

    /// Finds the shadows on the cloth, if they are not left to shadow maps.
    pub(super) fn shade(&mut self, shading: &Shadowing) {
        if let Some((light, solids)) = shading.casts() {
            self.surface.shade(light, solids);
        }
    }

    /// Seconds that each of so many frames takes to bring the mesh of a cloth of `scene` after its vertices.
    pub fn cost(pattern: &Pattern, scene: &Scene, frames: usize) -> Vec<f64> {
        let mut displayed = Self { surface: Surface::new(pattern), ..Self::default() };
        displayed.positions.extend_from_slice(pattern.rest_positions());
        displayed.follow(pattern);
        let mut mesh = new_mesh(pattern, scene, &displayed.surface);
        let frame = |number: usize| {
            let wave = 0.01 * (number as f64).sin();
            displayed.positions.iter_mut().for_each(|x| x.z += wave * (20.0 * x.x).sin());
            let started = std::time::Instant::now();
            displayed.follow(pattern);
            displayed.write(&mut mesh);
            started.elapsed().as_secs_f64()
        };
        (0..frames).map(frame).collect()
    }

    /// Unit normal of each vertex.
    #[must_use]
    pub fn normals(&self) -> &[SimVec3] {
        &self.normals
    }

    /// The edges of the triangles.
    #[must_use]
    pub fn edges(&self) -> &[[u32; 2]] {
        self.surface.edges()
    }

    /// The triangle of the cloth that a triangle of the mesh is a part of.
    #[must_use]
    pub fn triangle_of(&self, drawn: usize) -> usize {
        self.surface.whole(drawn)
    }

    /// Where a vertex of the cloth of `frame` is drawn [m]; one that has just been torn off is where
    /// the other is.
    #[must_use]
    pub fn place(&self, frame: &Frame, vertex: u32) -> SimVec3 {
        let shown = self.positions.get(vertex as usize).filter(|_| self.is_of(frame));
        shown.copied().unwrap_or_else(|| frame.positions[vertex as usize] - frame.pattern.origin())
    }
}

/// What the cloth's shader adds to the standard material.
#[derive(Asset, AsBindGroup, Reflect, Debug, Clone, Default)]
#[bind_group_data(Grade)]
pub(super) struct Weave {
    #[uniform(100)]
    front: LinearRgba,
    #[uniform(100)]
    back: LinearRgba,
    /// Width of a stripe and of a thread [m], share of light that shines through, sheen.
    #[uniform(100)]
    measures: Vec4,
    #[uniform(100)]
    pattern: u32,
    /// One over width and height of what a picture covers [1/m].
    #[uniform(100)]
    cover: Vec2,
    #[texture(102)]
    #[sampler(103)]
    picture: Option<Handle<Image>>,
    #[uniform(101)]
    studio: StudioUniform,
    plain: bool,
}

graded!(Weave, SHADER);

impl Weave {
    /// Makes it look like a fabric with a picture on it, over so many metres, if there is one, or tell the colours of a scale. Returns whether
    /// that changed anything.
    fn look_like(&mut self, look: &Look, picture: Option<(&Handle<Image>, Vec2)>, is_painted: bool) -> bool {
        let linear = |[r, g, b]: [f32; 3]| LinearRgba::from(Color::srgb(r, g, b));
        // threads that are none are too fine to be seen
        let thread = if look.thread > 0.0 { look.thread } else { 1e-6 };
        let new = Self {
            front: linear(look.front),
            back: linear(look.back),
            measures: Vec4::new(look.stripe, thread, look.through, look.sheen),
            pattern: match picture {
                _ if is_painted => PAINTED,
                Some(_) => PICTURE,
                None => number(look.pattern),
            },
            cover: picture.map_or(Vec2::ONE, |(_, size)| size.recip()),
            picture: picture.map(|(image, _)| image.clone()),
            ..*self
        };
        let parts = |weave: &Self| (weave.front, weave.back, weave.measures, weave.pattern, weave.cover);
        let same = parts(self) == parts(&new) && self.picture == new.picture;
        *self = new;
        !same
    }
}

pub(super) fn plugin(app: &mut App) {
    shading::add::<Weave>(app, &SHADER, "shaders/cloth.wgsl");
    app.init_resource::<Displayed>().add_systems(Startup, spawn).add_systems(
        RunFixedMainLoop,
        (interpolate, measure, update_mesh, choose_paint).chain().in_set(RunFixedMainLoopSystems::AfterFixedMainLoop),
    );
}

/// The looks of a cloth, at both qualities.
pub(super) fn new_looks(materials: &mut Assets<Lit<Weave>>) -> Graded<Weave> {
    let mut material = |plain| {
        materials.add(Lit {
            base: StandardMaterial { double_sided: true, cull_mode: None, ..default() },
            extension: Weave { plain, ..Weave::default() },
        })
    };
    Graded { plain: material(true), full: material(false) }
}

fn spawn(mut commands: Commands, mut materials: ResMut<Assets<Lit<Weave>>>) {
    // the mesh follows with the first state
    commands.spawn((
        ClothMesh,
        new_looks(&mut materials),
        Transform::default(),
        Visibility::default(),
        RayCastBackfaces,
        NoAutoAabb,
        Aabb::default(),
    ));
}

/// Between two states while ticks are longer than frames; the last state when time stands still or is behind.
pub(super) fn interpolate(
    mut session: ResMut<SessionHandle>,
    fixed: Res<Time<Fixed>>,
    mut displayed: ResMut<Displayed>,
) {
    // while a step is at work, the last one that is finished stays
    let still = session.paused() || session.bypass_change_detection().is_busy();
    let fraction = if still { 1.0 } else { fixed.overstep_fraction_f64() };
    displayed.positions.clear();
    let frame = &session.frame;
    // the ruins of a blow-up would fill the view
    match frame.failure.as_ref().and_then(|failure| failure.last_good(&frame.positions)) {
        Some(good) => displayed.positions.extend(good.iter().map(|x| *x - frame.pattern.origin())),
        None => displayed.positions.extend(frame.displayed(fraction)),
    }
    let step = session.frame.parameters.timing.time_step;
    displayed.time = (session.frame.time - (1.0 - fraction) * step).max(0.0);
}

pub(super) fn update_mesh(
    session: Res<SessionHandle>,
    mut displayed: ResMut<Displayed>,
    painting: Res<Painting>,
    shadowing: Shadowing,
    mut meshes: ResMut<Assets<Mesh>>,
    cloth: Single<(Entity, Option<&Mesh3d>, &mut Aabb), With<ClothMesh>>,
    mut commands: Commands,
) {
    let (entity, drawn, mut bounds) = cloth.into_inner();
    let displayed = displayed.as_mut();
    let is_new = displayed.prepare(&session.frame);
    displayed.follow(&session.frame.pattern);
    displayed.shade(&shadowing);
    let is_painted = painting.values.len() == displayed.positions.len();
    let colours_changed = is_painted || displayed.is_painted;
    displayed.is_painted = is_painted;
    if is_new {
        let mesh = meshes.add(displayed.new_mesh(&session.frame));
        commands.entity(entity).insert(Mesh3d(mesh));
    } else if let Some(mut mesh) = drawn.and_then(|drawn| meshes.get_mut(&drawn.0)) {
        displayed.write(&mut mesh);
        if colours_changed {
            let colour = |value: &f64| painting.colour(*value).to_f32_array();
            let painted = is_painted.then(|| painting.values.iter().map(colour).collect());
            displayed.paint(&mut mesh, &session.frame, painted);
        }
    }
    if let Some(around) = Aabb::enclosing(displayed.positions.iter().map(|x| x.as_vec3())) {
        *bounds = around;
    }
}

/// Makes the cloth look like its fabric, or tell the colours of a scale.
fn choose_paint(
    session: Res<SessionHandle>,
    painting: Res<Painting>,
    printed: Res<Printed>,
    displayed: Res<Displayed>,
    cloth: Single<&Graded<Weave>, With<ClothMesh>>,
    mut materials: ResMut<Assets<Lit<Weave>>>,
) {
    let is_painted = painting.quantity() != Quantity::Cloth;
    let picture = printed.image.as_ref().map(|image| (image, displayed.size));
    dress(&cloth, &session.frame, picture, is_painted, &mut materials);
}

/// Makes a cloth look like the fabric of `frame`, with a picture on it over so many metres if there is one, or tell the colours of a scale.
pub(super) fn dress(
    looks: &Graded<Weave>,
    frame: &Frame,
    picture: Option<(&Handle<Image>, Vec2)>,
    is_painted: bool,
    materials: &mut Assets<Lit<Weave>>,
) {
    let Ok(fabric) = Fabric::find(&frame.scene.fabric) else { return };
    for handle in [&looks.plain, &looks.full] {
        let stale = materials
            .get(handle)
            .is_some_and(|material| material.extension.clone().look_like(&fabric.look, picture, is_painted));
        if stale && let Some(mut material) = materials.get_mut(handle) {
            material.extension.look_like(&fabric.look, picture, is_painted);
        }
    }
}

/// Width and height of the first piece of cloth at rest, in its texture coordinates [m].
fn size_of_first(pattern: &Pattern, scene: &Scene) -> Vec2 {
    let (coordinates, pieces) = (texture_coordinates(pattern, scene), pattern.piece_of_vertices());
    let of_first = coordinates.iter().zip(pieces).filter(|(_, piece)| *piece == 0);
    of_first.fold(Vec2::splat(1e-6), |most, (at, _)| most.max(Vec2::from_array(*at)))
}

fn copy(mesh: &mut Mesh, attribute: bevy::mesh::MeshVertexAttribute, vectors: &[Vec3]) {
    if let Ok(VertexAttributeValues::Float32x3(values)) = mesh.try_attribute_mut(attribute) {
        values.iter_mut().zip(vectors).for_each(|(value, vector)| *value = vector.to_array());
    }
}

fn new_mesh(pattern: &Pattern, scene: &Scene, surface: &Surface) -> Mesh {
    let arrays = |vectors: &[Vec3]| vectors.iter().map(|v| v.to_array()).collect::<Vec<_>>();
    let hem = surface.spread(distances_from_rim(pattern).into_iter().map(|distance| [0.0, distance]).collect());
    // kept in the main world as well, because picking reads it
    Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, arrays(&surface.positions))
        .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, arrays(&surface.normals))
        .with_inserted_attribute(Mesh::ATTRIBUTE_UV_0, surface.spread(texture_coordinates(pattern, scene)))
        .with_inserted_attribute(Mesh::ATTRIBUTE_UV_1, hem)
        .with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, surface.spread(dyes(pattern, scene)))
        .with_inserted_indices(Indices::U32(surface.triangles().as_flattened().to_vec()))
}

/// How far each vertex is from the rim of the whole cloth at rest, along edges [m]; a tear is no rim.
fn distances_from_rim(pattern: &Pattern) -> Vec<f32> {
    let origins = pattern.origins();
    let triangles: Vec<_> =
        pattern.triangles().iter().map(|corners| corners.map(|vertex| origins[vertex as usize])).collect();
    let sides = triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    let mut edges: Vec<[u32; 2]> = sides.map(|[a, b]| [a.min(b), a.max(b)]).collect();
    edges.sort_unstable();
    let mut distances = vec![f32::INFINITY; pattern.whole_len()];
    for group in edges.chunk_by(|a, b| a == b).filter(|group| group.len() == 1) {
        group[0].iter().for_each(|&vertex| distances[vertex as usize] = 0.0);
    }
    edges.dedup();
    let rest = pattern.rest_positions();
    // two rounds reach beyond every hem
    for _ in 0..2 {
        let before = distances.clone();
        for &[a, b] in &edges {
            let [a, b] = [a as usize, b as usize];
            let length = rest[a].distance(rest[b]) as f32;
            distances[a] = distances[a].min(before[b] + length);
            distances[b] = distances[b].min(before[a] + length);
        }
    }
    let far = pattern.size() as f32;
    origins.into_iter().map(|origin| distances[origin as usize].min(far)).collect()
}

/// The colour of the front at each vertex, with an alpha of one where its piece of cloth has a colour of its own, and of zero where it
/// has not.
pub(in crate::app) fn colours(pattern: &Pattern, scene: &Scene) -> Vec<[f32; 4]> {
    let own: Vec<_> = scene.all_pieces().map(|piece| piece.colour).collect();
    let colour = |piece: u32| {
        let colour = own.get(piece as usize).copied().flatten();
        colour.map_or([0.0; 4], |[r, g, b]| Color::srgb(r, g, b).to_linear().to_f32_array())
    };
    pattern.piece_of_vertices().into_iter().map(colour).collect()
}

/// The same for the shader, whose alpha is the share of the light that reaches a vertex, plus
/// [`OWN`] where there is a colour of its own.
fn dyes(pattern: &Pattern, scene: &Scene) -> Vec<[f32; 4]> {
    colours(pattern, scene).into_iter().map(|[r, g, b, own]| [r, g, b, OWN * own + 1.0]).collect()
}
