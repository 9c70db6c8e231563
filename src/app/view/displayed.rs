//! A cloth as it is drawn in this frame. The only place where positions become `f32`.

use std::ops::Deref;

use bevy::ecs::system::SystemParam;
use bevy::mesh::VertexAttributeValues;
use bevy::prelude::*;

use super::cloth_mesh::{dyes, new_mesh, relit, size_of_first};
use super::surface::DividedSurface;
use crate::plugin::copy_vectors;
use crate::scene::Scene;
use crate::session::Frame;
use crate::sim::forces::air::vertex_normals;
use crate::sim::{Pattern, Vec3 as SimVec3};

/// The cloth of a lane.
#[derive(Component)]
pub struct Cloth {
    /// The number of its lane, which no other lane gets.
    pub(super) lane: u64,
    /// The place of its lane among all.
    pub slot: usize,
    /// Whether its lane is the chosen one.
    pub is_chosen: bool,
}

/// The cloth of the chosen lane; an empty one until it is drawn for the first time.
#[derive(SystemParam)]
pub struct ChosenCloth<'w, 's> {
    cloths: Query<'w, 's, (&'static Cloth, &'static Displayed)>,
    none: Local<'s, Displayed>,
}

impl Deref for ChosenCloth<'_, '_> {
    type Target = Displayed;

    fn deref(&self) -> &Displayed {
        self.cloths.iter().find(|(cloth, _)| cloth.is_chosen).map_or(&self.none, |(_, displayed)| displayed)
    }
}

/// Where the vertices are drawn in this frame.
#[derive(Component, Default)]
pub struct Displayed {
    /// Position of each vertex, relative to the [origin](Pattern::origin) [m].
    pub positions: Vec<SimVec3>,
    /// The simulated time that is shown [s].
    pub time: f64,
    normals: Vec<SimVec3>,
    surface: DividedSurface,
    /// The cloth that the mesh was made for: the generation and the revision of its pattern.
    drawn: Option<(u64, u64)>,
    /// Whether the mesh has the colours of a painting.
    is_painted: bool,
    /// Width and height of the first piece of cloth at rest [m].
    size: Vec2,
    /// The area that each vertex stands for at rest [m²].
    areas: Vec<f32>,
}

impl Displayed {
    /// Makes room for the cloth of `frame`, if it is another one. Returns whether it is.
    pub(super) fn prepare(&mut self, frame: &Frame) -> bool {
        let drawn_for = (frame.generation, frame.pattern.revision());
        let is_new = self.drawn.replace(drawn_for) != Some(drawn_for);
        if is_new {
            self.surface = DividedSurface::new(&frame.pattern);
            self.size = size_of_first(&frame.pattern, &frame.scene);
            self.areas = areas_at_rest(frame.pattern.rest_positions(), frame.pattern.triangles());
        }
        is_new
    }

    /// A mesh of the cloth of `frame`.
    pub(super) fn new_mesh(&self, frame: &Frame) -> Mesh {
        new_mesh(&frame.pattern, &frame.scene, &self.surface)
    }

    /// Gives the mesh a colour per vertex of the cloth, or those of its pieces, if it has not got
    /// these already.
    pub(super) fn paint(&mut self, mesh: &mut Mesh, frame: &Frame, painted: Option<Vec<[f32; 4]>>) {
        let was_painted = std::mem::replace(&mut self.is_painted, painted.is_some());
        if !was_painted && painted.is_none() {
            return;
        }
        if let Ok(VertexAttributeValues::Float32x4(values)) = mesh.try_attribute_mut(Mesh::ATTRIBUTE_COLOR) {
            *values = self.surface.spread(painted.unwrap_or_else(|| dyes(&frame.pattern, &frame.scene)));
        }
    }

    /// Width and height of the first piece of cloth at rest [m].
    pub(super) fn size(&self) -> Vec2 {
        self.size
    }

    /// Whether what is on the screen is the cloth of `frame`, perhaps before a tear, and not that
    /// of another scene.
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
        copy_vectors(mesh, Mesh::ATTRIBUTE_POSITION, self.surface.positions.iter().copied());
        copy_vectors(mesh, Mesh::ATTRIBUTE_NORMAL, self.surface.normals.iter().copied());
        if let Ok(VertexAttributeValues::Float32x2(values)) = mesh.try_attribute_mut(Mesh::ATTRIBUTE_UV_1) {
            values.iter_mut().zip(&self.surface.cavities).for_each(|(value, cavity)| value[0] = *cavity);
        }
        if let Ok(VertexAttributeValues::Float32x4(values)) = mesh.try_attribute_mut(Mesh::ATTRIBUTE_COLOR) {
            values.iter_mut().zip(&self.surface.lit).for_each(|(value, lit)| value[3] = relit(value[3], *lit));
        }
    }

    /// Finds the shadows of the cloth and of `solids`, points [m] with their areas [m²], on it.
    pub(super) fn shade(&mut self, light: Vec3, solids: impl Iterator<Item = (Vec3, f32)>) {
        self.surface.shade(light, solids);
    }

    /// Seconds that each of so many frames takes to bring the mesh of a cloth of `scene` after its
    /// vertices.
    pub fn cost(pattern: &Pattern, scene: &Scene, frames: usize) -> Vec<f64> {
        let mut displayed = Self { surface: DividedSurface::new(pattern), ..Self::default() };
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

    /// Its vertices as the light meets them: position [m], unit normal, and area at rest [m²].
    pub(super) fn patches(&self) -> impl Iterator<Item = (Vec3, Vec3, f32)> {
        let vertices = self.positions.iter().zip(&self.normals).zip(&self.areas);
        vertices.map(|((x, normal), area)| (x.as_vec3(), normal.as_vec3(), *area))
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

    /// Where a vertex of the cloth of `frame` is drawn [m]; one that has just been torn off is
    /// where the other is.
    #[must_use]
    pub fn place(&self, frame: &Frame, vertex: u32) -> SimVec3 {
        let shown = self.positions.get(vertex as usize).filter(|_| self.is_of(frame));
        shown.copied().unwrap_or_else(|| frame.positions[vertex as usize] - frame.pattern.origin())
    }
}

/// The area that each vertex stands for [m²].
fn areas_at_rest(rest: &[SimVec3], triangles: &[[u32; 3]]) -> Vec<f32> {
    let mut areas = vec![0.0; rest.len()];
    for triangle in triangles {
        let [a, b, c] = triangle.map(|vertex| rest[vertex as usize]);
        let share = ((b - a).cross(c - a).length() / 6.0) as f32;
        triangle.iter().for_each(|&vertex| areas[vertex as usize] += share);
    }
    areas
}
