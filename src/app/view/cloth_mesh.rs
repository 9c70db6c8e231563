//! The mesh of a cloth: its triangles, texture coordinates and colours.

use bevy::asset::RenderAssetUsages;
use bevy::mesh::{Indices, PrimitiveTopology};
use bevy::prelude::*;

use super::cloth_material::OTHER_LOOKS;
use super::hem::distances;
use super::surface::DividedSurface;
use crate::documents::texture_coordinates;
use crate::scene::{Fabric, Scene};
use crate::sim::Pattern;

/// Added to the alpha of a vertex for each step of its [`Dye`].
const STEP: f32 = 2.0;

/// What a vertex is dyed with, for the shader.
#[derive(Debug, Clone, Copy)]
enum Dye {
    /// The look of the scene's fabric.
    Scene,
    /// A colour of its own, in the pattern of the scene's fabric.
    Colour,
    /// The look of another fabric, by its place among all.
    Fabric(usize),
}

impl Dye {
    /// That of a piece of a scene.
    fn of(piece: u32, scene: &Scene) -> Self {
        let Some(colour) = scene.all_pieces().nth(piece as usize).and_then(|piece| piece.colour) else {
            return Self::Scene;
        };
        let own = scene.fabric_of(piece).filter(|fabric| fabric.look.front == colour);
        let place = own.and_then(|own| Fabric::all().iter().position(|fabric| fabric.id == own.id));
        place.filter(|place| *place < OTHER_LOOKS).map_or(Self::Colour, Self::Fabric)
    }

    /// The alpha of a vertex that no light reaches.
    const fn alpha(self) -> f32 {
        STEP * match self {
            Self::Scene => 0.0,
            Self::Colour => 1.0,
            Self::Fabric(place) => (2 + place) as f32,
        }
    }
}

/// The alpha of a vertex with the same dye that so large a share of the light reaches.
pub(super) fn relit(alpha: f32, lit: f32) -> f32 {
    STEP * (alpha / STEP).floor() + lit
}

/// Width and height of the first piece of cloth at rest, in its texture coordinates [m].
pub(super) fn size_of_first(pattern: &Pattern, scene: &Scene) -> Vec2 {
    let (coordinates, pieces) = (texture_coordinates(pattern, scene), pattern.piece_of_vertices());
    let of_first = coordinates.iter().zip(pieces).filter(|(_, piece)| *piece == 0);
    of_first.fold(Vec2::splat(1e-6), |most, (at, _)| most.max(Vec2::from_array(*at)))
}

/// A mesh of a cloth with a surface.
pub(super) fn new_mesh(pattern: &Pattern, scene: &Scene, surface: &DividedSurface) -> Mesh {
    let arrays = |vectors: &[Vec3]| vectors.iter().map(|v| v.to_array()).collect::<Vec<_>>();
    let hem: Vec<[f32; 2]> = distances(pattern, surface).into_iter().map(|distance| [0.0, distance]).collect();
    // kept in the main world as well, because picking reads it
    Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, arrays(&surface.positions))
        .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, arrays(&surface.normals))
        .with_inserted_attribute(Mesh::ATTRIBUTE_UV_0, surface.spread(texture_coordinates(pattern, scene)))
        .with_inserted_attribute(Mesh::ATTRIBUTE_UV_1, hem)
        .with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, surface.spread(dyes(pattern, scene)))
        .with_inserted_indices(Indices::U32(seen(pattern, scene, surface).into_flattened()))
}

/// The triangles that are drawn, those of hidden pieces and of bodies below an embedded surface
/// shrunk to a point: picking counts on the numbers of the others.
fn seen(pattern: &Pattern, scene: &Scene, surface: &DividedSurface) -> Vec<[u32; 3]> {
    let mut triangles = surface.triangles().to_vec();
    if scene.all_pieces().any(|piece| piece.hidden) || !pattern.embedded().is_empty() {
        let hidden: Vec<bool> = scene.all_pieces().map(|piece| piece.hidden).collect();
        let pieces = pattern.piece_of_vertices();
        let covered = surface.embedded().covered(&pieces, pattern.pieces().len());
        for (part, corners) in triangles.iter_mut().enumerate() {
            let first = pattern.triangles()[surface.whole(part)][0];
            let piece = pieces[first as usize] as usize;
            let is_covered = covered[piece] && part < surface.own();
            if is_covered || hidden.get(piece) == Some(&true) {
                *corners = [corners[0]; 3];
            }
        }
    }
    triangles
}

/// The colour of the front at each vertex, with an alpha of one where its piece of cloth has a
/// colour of its own, and of zero where it has not.
pub(in crate::app) fn colours(pattern: &Pattern, scene: &Scene) -> Vec<[f32; 4]> {
    let own: Vec<_> = scene.all_pieces().map(|piece| piece.colour).collect();
    let colour = |piece: u32| {
        let colour = own.get(piece as usize).copied().flatten();
        colour.map_or([0.0; 4], |[r, g, b]| Color::srgb(r, g, b).to_linear().to_f32_array())
    };
    pattern.piece_of_vertices().into_iter().map(colour).collect()
}

/// The same for the shader, whose alpha tells the [`Dye`], and the share of the light that reaches
/// a vertex: all of it.
pub(super) fn dyes(pattern: &Pattern, scene: &Scene) -> Vec<[f32; 4]> {
    let alphas: Vec<f32> = (0..pattern.pieces().len() as u32).map(|piece| Dye::of(piece, scene).alpha()).collect();
    let pieces = pattern.piece_of_vertices().into_iter();
    let dyed = colours(pattern, scene).into_iter().zip(pieces);
    dyed.map(|([r, g, b, _], piece)| [r, g, b, alphas.get(piece as usize).copied().unwrap_or(0.0) + 1.0]).collect()
}
