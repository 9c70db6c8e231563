//! Small pictures of a cloth as its fabric looks, on any thread.

use std::sync::Arc;

use bevy::prelude::Vec3;
use egui::ColorImage;

use super::raster::{Raster, Sight, Subject, Woven, linear};
use crate::app::view::cloth_mesh::colours;
use crate::documents::texture_coordinates;
use crate::scene::{Fabric, Look, Print, Scene};
use crate::sim::Pattern;
use crate::sim::forces::air::vertex_normals;

/// Draws a cloth of a scene, with its memory.
pub struct ClothPicture {
    /// The scene, which says how the cloth looks.
    scene: Arc<Scene>,
    /// Appearance of the fabric.
    look: Option<Look>,
    /// Its stripes on the cloth, with the revision of the pattern that they are for.
    woven: Option<(u64, Woven)>,
    raster: Raster,
    positions: Vec<Vec3>,
    normals: Vec<crate::sim::Vec3>,
    turned: Vec<Vec3>,
}

impl ClothPicture {
    /// For cloths of a scene.
    pub fn new(scene: &Arc<Scene>) -> Self {
        Self {
            look: Fabric::find(&scene.fabric).ok().map(|fabric| fabric.look),
            scene: Arc::clone(scene),
            woven: None,
            raster: Raster::default(),
            positions: Vec::new(),
            normals: Vec::new(),
            turned: Vec::new(),
        }
    }

    /// The cloth with its vertices at `positions` [m], in the colours of its fabric, or in
    /// `painted` ones: of each vertex that of the front and that of the back.
    pub fn draw(
        &mut self,
        sight: &Sight,
        pattern: &Pattern,
        positions: &[crate::sim::Vec3],
        painted: Option<Vec<[Vec3; 2]>>,
    ) -> ColorImage {
        let is_painted = painted.is_some();
        if !is_painted {
            self.weave(pattern);
        }
        vertex_normals(pattern, positions, &mut self.normals);
        self.positions.clear();
        let origin = pattern.origin();
        self.positions.extend(positions.iter().map(|x| (*x - origin).as_vec3()));
        self.turned.clear();
        self.turned.extend(self.normals.iter().map(|normal| normal.as_vec3()));
        let colours = painted.unwrap_or_else(|| self.dyes(pattern));
        let subject = Subject {
            positions: &self.positions,
            normals: &self.turned,
            triangles: pattern.triangles(),
            colours: &colours,
            woven: self.woven.as_ref().filter(|_| !is_painted).map(|(_, woven)| woven),
        };
        self.raster.draw(sight, &subject)
    }

    /// The colours of the fabric and of the pieces that have their own.
    fn dyes(&self, pattern: &Pattern) -> Vec<[Vec3; 2]> {
        let dyes = self.look.map(|look| [linear(look.front), linear(look.back)]);
        let [front, back] = dyes.unwrap_or([Vec3::splat(0.5); 2]);
        let own = |[r, g, b, given]: [f32; 4]| [if given > 0.0 { Vec3::new(r, g, b) } else { front }, back];
        colours(pattern, &self.scene).into_iter().map(own).collect()
    }

    /// Finds the stripes of the fabric on a cloth.
    fn weave(&mut self, pattern: &Pattern) {
        let revision = pattern.revision();
        let Some(look) = self.look.filter(|look| look.pattern != Print::Plain) else { return };
        if self.woven.as_ref().is_some_and(|(of, _)| *of == revision) {
            return;
        }
        let places = texture_coordinates(pattern, &self.scene);
        let places = places.into_iter().map(|at| at.map(|x| x / look.stripe)).collect();
        self.woven = Some((revision, Woven { places, print: look.pattern }));
    }
}
