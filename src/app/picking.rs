//! Picking: panel, cloth, vertex or collider under the cursor.

use bevy::gizmos::transform_gizmo::TransformGizmoState;
use bevy::picking::mesh_picking::ray_cast::{MeshRayCast, MeshRayCastSettings, RayMeshHit};
use bevy::prelude::*;
use bevy_egui::input::EguiWantsInput;
use bevy_egui::{EguiContext, PrimaryEguiContext};

use super::letters::Letters;
use crate::app::key_focus::KeyFocus;
use crate::app::view::ViewState;
use crate::app::view::colliders::ColliderMesh;
use crate::app::view::displayed::{ChosenCloth, Cloth};
use crate::app::view::scene::{ClothView, MainCamera, SeenThrough, Viewpoint};
use crate::app::window::SHIFT;
use crate::scene::ScenePart;
use crate::session::{CutHit, Frame};
use crate::sim::Vec3 as SimVec3;

/// How near to a pin the pointer has to be [logical pixels].
const PIN: f32 = 12.0;
/// Share of the distance to the cloth by which a pin that lies on it may be farther away.
const BEHIND: f32 = 0.02;

/// The pointer, and what is under it.
#[derive(Resource, Default)]
pub struct Pointer {
    /// Where it is in the window [logical pixels].
    pub cursor: Option<Vec2>,
    /// The vertex under it.
    pub hovered: Option<u32>,
    /// The collider under it that can be moved, or that is in the hand.
    pub collider: Option<u32>,
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Pointer>();
}

/// Camera, panels and meshes, to find the thing under the pointer.
#[derive(bevy::ecs::system::SystemParam)]
pub struct Surroundings<'w, 's> {
    camera: Single<'w, 's, (&'static Camera, &'static GlobalTransform), With<MainCamera>>,
    pub viewpoint: Viewpoint<'w, 's>,
    egui: Single<'w, 's, &'static mut EguiContext, With<PrimaryEguiContext>>,
    pub wants: Res<'w, EguiWantsInput>,
    pub state: Res<'w, ViewState>,
    pub time: Res<'w, Time<Real>>,
    keys: Res<'w, ButtonInput<KeyCode>>,
    letters: Res<'w, Letters>,
    focus: Res<'w, KeyFocus>,
    view: Res<'w, ClothView>,
    displayed: ChosenCloth<'w, 's>,
    cloths: Query<'w, 's, &'static Cloth>,
    colliders: Query<'w, 's, &'static ColliderMesh>,
    markers: Query<'w, 's, (), With<SeenThrough>>,
    rays: MeshRayCast<'w, 's>,
    gizmo: Option<Res<'w, TransformGizmoState>>,
}

impl Surroundings<'_, '_> {
    /// Whether the panels cover `cursor`.
    pub fn panels_have(&mut self, cursor: Vec2) -> bool {
        let context = self.egui.get_mut();
        let layer = context.layer_id_at(egui::pos2(cursor.x, cursor.y));
        // the edge by which a panel is resized reaches into the view
        let mut free = self.view.0;
        free.min.x += context.global_style().interaction.resize_grab_radius_side + 1.0;
        !free.contains(cursor) || layer.is_some_and(|layer| layer.order != egui::Order::Background)
    }

    /// Where the ray through `cursor` meets the cloth of `frame`, if nothing is before it: on the
    /// cloth, and in space, as it is drawn [m].
    pub fn hit_at(&mut self, cursor: Vec2, frame: &Frame) -> Option<(CutHit, SimVec3)> {
        let (entity, hit) = self.first_at(cursor)?;
        // tearing changes the corners of triangles, but never their numbers
        let drawn = hit
            .triangle_index
            .filter(|_| self.cloths.get(entity).is_ok_and(|cloth| cloth.is_chosen) && self.displayed.is_of(frame))?;
        let triangle = self.displayed.triangle_of(drawn);
        let corners = frame.pattern.triangles().get(triangle)?.map(|corner| self.displayed.place(frame, corner));
        let point = hit.point.as_dvec3();
        Some((CutHit::at(triangle as u32, point, corners), point))
    }

    /// The vertex at `cursor`: a pin that is near it on the screen and not behind the cloth, or the
    /// nearest corner of the triangle that is met there.
    pub fn vertex_at(&mut self, cursor: Vec2, frame: &Frame) -> Option<u32> {
        let hit = self.hit_at(cursor, frame);
        let reach = hit.as_ref().map_or(f32::INFINITY, |(_, point)| {
            let point = point.as_vec3();
            self.depth_of(point) + BEHIND * self.viewpoint.distance(point)
        });
        if let Some(pin) = self.pin_at(cursor, frame, reach) {
            return Some(pin);
        }
        let (hit, point) = hit?;
        let triangle = frame.pattern.triangles().get(hit.triangle as usize)?;
        let distance = |vertex: &u32| self.displayed.place(frame, *vertex).distance_squared(point);
        triangle.iter().copied().min_by(|a, b| distance(a).total_cmp(&distance(b)))
    }

    /// The pin nearest to `cursor` on the screen, of those that are near, and not farther away than
    /// `reach` [m].
    fn pin_at(&self, cursor: Vec2, frame: &Frame, reach: f32) -> Option<u32> {
        let near = |&(vertex, _): &(u32, SimVec3)| {
            let piece = frame.pattern.pieces().partition_point(|first| *first <= vertex).saturating_sub(1);
            if frame.scene.is_hidden(ScenePart::Piece(piece as u32)) {
                return None;
            }
            let place = self.displayed.place(frame, vertex).as_vec3();
            let distance = self.on_screen(place)?.distance(cursor);
            (distance < PIN && self.depth_of(place) < reach).then_some((vertex, distance))
        };
        frame.pins.iter().filter_map(near).min_by(|a, b| a.1.total_cmp(&b.1)).map(|(vertex, _)| vertex)
    }

    /// The collider of the scene at `cursor`, by its number among them, and where it is met [m].
    pub fn collider_at(&mut self, cursor: Vec2) -> Option<(u32, Vec3)> {
        if self.colliders.iter().all(|collider| collider.movable.is_none()) {
            return None;
        }
        let (entity, hit) = self.first_at(cursor)?;
        Some((self.colliders.get(entity).ok()?.movable?, hit.point))
    }

    /// The part of the scene at `cursor`.
    pub fn part_at(&mut self, cursor: Vec2, frame: &Frame) -> Option<ScenePart> {
        if let Some((collider, _)) = self.collider_at(cursor) {
            return Some(ScenePart::Collider(collider));
        }
        let vertex = self.vertex_at(cursor, frame)?;
        frame.pattern.piece_of_vertices().get(vertex as usize).copied().map(ScenePart::Piece)
    }

    /// The vertex at `cursor`, or the one that is nearest to it on the screen, of those within
    /// `distance` [logical pixels].
    pub fn vertex_near(&mut self, cursor: Vec2, frame: &Frame, distance: f32) -> Option<u32> {
        if let Some(vertex) = self.vertex_at(cursor, frame) {
            return Some(vertex);
        }
        let away = |vertex: u32| {
            let place = self.on_screen(self.displayed.place(frame, vertex).as_vec3())?;
            Some((vertex, place.distance(cursor))).filter(|(_, away)| *away < distance)
        };
        let near = (0..frame.positions.len() as u32).filter_map(away);
        near.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(vertex, _)| vertex)
    }

    /// The vertices whose place in the window [logical pixels] is so; those behind others, too.
    pub fn vertices_in(&self, frame: &Frame, is_so: impl Fn(Vec2) -> bool) -> Vec<u32> {
        let place = |vertex: &u32| self.on_screen(self.displayed.place(frame, *vertex).as_vec3());
        (0..frame.positions.len() as u32).filter(|vertex| place(vertex).is_some_and(&is_so)).collect()
    }

    /// Whether a handle of the editor is under the pointer, or held.
    pub fn is_at_handle(&self) -> bool {
        self.gizmo.as_ref().is_some_and(|gizmo| gizmo.active || gizmo.hovered_axis.is_some())
    }

    /// The lane whose cloth is at `cursor`, if it is not the chosen one.
    pub fn lane_at(&mut self, cursor: Vec2) -> Option<usize> {
        if self.cloths.iter().all(|cloth| cloth.is_chosen) {
            return None;
        }
        let (entity, _) = self.first_at(cursor)?;
        self.cloths.get(entity).ok().filter(|cloth| !cloth.is_chosen).map(|cloth| cloth.slot)
    }

    /// The first thing that the ray through `cursor` meets.
    fn first_at(&mut self, cursor: Vec2) -> Option<(Entity, RayMeshHit)> {
        let (camera, transform) = *self.camera;
        let ray = camera.viewport_to_world(transform, cursor).ok()?;
        let solid = |entity| !self.markers.contains(entity);
        self.rays.cast_ray(ray, &MeshRayCastSettings::default().with_filter(&solid)).first().cloned()
    }

    /// Whether Shift is held, by which the pointer turns a held object and adds to a choice.
    pub fn wants_turn(&self) -> bool {
        self.keys.any_pressed(SHIFT)
    }

    /// The direction from left to right on the screen.
    pub fn right(&self) -> Vec3 {
        *self.camera.1.right()
    }

    /// Whether the key is down with which the pointer cuts.
    pub fn wants_cut(&self) -> bool {
        self.letters.pressed('c') && *self.focus == KeyFocus::Window
    }

    /// Where the cursor's ray is at `depth` along the camera's view [m].
    pub fn point_at(&self, cursor: Vec2, depth: f32) -> Option<Vec3> {
        let (camera, transform) = *self.camera;
        let ray = camera.viewport_to_world(transform, cursor).ok()?;
        let along = ray.direction.dot(*transform.forward());
        let start = (ray.origin - transform.translation()).dot(*transform.forward());
        (along > 0.0).then(|| ray.get_point((depth - start) / along))
    }

    /// The ray through `cursor`.
    pub fn ray(&self, cursor: Vec2) -> Option<Ray3d> {
        let (camera, transform) = *self.camera;
        camera.viewport_to_world(transform, cursor).ok()
    }

    /// Where a point in space is in the window [logical pixels], if it is before the camera.
    pub fn on_screen(&self, point: Vec3) -> Option<Vec2> {
        let (camera, transform) = *self.camera;
        camera.world_to_viewport(transform, point).ok()
    }

    /// How far a point is along the camera's view [m].
    pub fn depth_of(&self, point: Vec3) -> f32 {
        let (_, transform) = *self.camera;
        (point - transform.translation()).dot(*transform.forward())
    }
}
