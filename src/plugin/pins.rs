//! Pins: which vertices of a cloth are held, and by which entity.

use bevy::ecs::entity::MapEntities;
use bevy::ecs::reflect::ReflectMapEntities;
use bevy::mesh::VertexAttributeValues;
use bevy::prelude::*;

use super::rest_mesh::NONE;
use crate::sim::Vec3 as SimVec3;

/// Which vertices are pinned.
#[derive(Reflect, Debug, Clone, PartialEq)]
pub enum PinnedVertices {
    /// By their numbers in the mesh.
    Numbers(Vec<u32>),
    /// Those with at least this value in an attribute of the mesh, by its name as in
    /// `Mesh::ATTRIBUTE_COLOR.name`; of several components the first counts.
    Attribute {
        /// Name of the attribute.
        name: String,
        /// Least value.
        at_least: f32,
    },
    /// Those within so many metres of the origin of the entity that holds them, when the cloth
    /// begins or the pins change.
    Near(f32),
}

/// Vertices that an entity holds.
#[derive(Reflect, MapEntities, Debug, Clone, PartialEq)]
pub struct ClothPin {
    /// Which vertices.
    pub vertices: PinnedVertices,
    /// The entity that they follow, such as a bone; without one it is the cloth's own.
    #[entities]
    pub to: Option<Entity>,
}

/// Holds vertices of the [`Cloth`](super::Cloth) of the same entity: they keep their place in the
/// frame of the entities that hold them, scale included. Vertices whose entity is despawned are
/// let go.
///
/// A cloth with pins is drawn in the frame of the first entity that holds it, so that it does not
/// trail behind by the tick that its state is late.
#[derive(Component, Reflect, MapEntities, Debug, Clone, PartialEq, Default)]
#[reflect(Component, Default, MapEntities)]
pub struct ClothPins(#[entities] pub Vec<ClothPin>);

impl ClothPins {
    /// Vertices by number, held by `entity`.
    #[must_use]
    pub fn numbers(vertices: impl IntoIterator<Item = u32>, entity: Entity) -> Self {
        Self(Vec::new()).and(PinnedVertices::Numbers(vertices.into_iter().collect()), entity)
    }

    /// Vertices within `distance` [m] of the origin of `entity`, held by it.
    #[must_use]
    pub fn near(distance: f32, entity: Entity) -> Self {
        Self(Vec::new()).and(PinnedVertices::Near(distance), entity)
    }

    /// Vertices with a value of at least 0.5 in an attribute of the mesh, held by `entity`.
    #[must_use]
    pub fn attribute(name: &str, entity: Entity) -> Self {
        Self(Vec::new()).and(PinnedVertices::Attribute { name: name.to_owned(), at_least: 0.5 }, entity)
    }

    /// Further vertices, held by `entity`.
    #[must_use]
    pub fn and(mut self, vertices: PinnedVertices, entity: Entity) -> Self {
        self.0.push(ClothPin { vertices, to: Some(entity) });
        self
    }
}

/// A cloth whose vertices are to be found.
pub(super) struct PinnedCloth<'a> {
    /// Position of each vertex of the cloth [m].
    pub positions: &'a [SimVec3],
    /// For each vertex of the mesh that of the cloth.
    pub vertices: &'a [u32],
    /// The mesh.
    pub mesh: &'a Mesh,
}

impl PinnedCloth<'_> {
    /// The vertices of the cloth that are meant, rising, for an entity at `origin` [m].
    ///
    /// # Errors
    /// A sentence if they do not exist.
    pub(super) fn find(&self, pinned: &PinnedVertices, origin: SimVec3) -> Result<Vec<u32>, String> {
        let mut found = match pinned {
            PinnedVertices::Numbers(numbers) => self.by_number(numbers)?,
            PinnedVertices::Attribute { name, at_least } => self.by_attribute(name, *at_least)?,
            PinnedVertices::Near(distance) => {
                let distance = f64::from(*distance);
                let is_near = |vertex: &u32| self.positions[*vertex as usize].distance(origin) <= distance;
                (0..self.positions.len() as u32).filter(is_near).collect()
            }
        };
        if found.is_empty() {
            return Err(match pinned {
                PinnedVertices::Numbers(_) => "pins by number name no vertex; give the numbers".to_owned(),
                PinnedVertices::Attribute { name, at_least } => {
                    format!("no vertex has {at_least} or more in the attribute {name}; paint some, or ask for less")
                }
                PinnedVertices::Near(distance) => {
                    let nearest = self.positions.iter().map(|x| x.distance(origin)).fold(f64::INFINITY, f64::min);
                    format!(
                        "no vertex is within {distance} m of the entity that holds it; the nearest is at {nearest:.3} m"
                    )
                }
            });
        }
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }

    fn by_number(&self, numbers: &[u32]) -> Result<Vec<u32>, String> {
        let vertex = |&number: &u32| match self.vertices.get(number as usize) {
            Some(&NONE) => Err(format!("pinned vertex {number} is in no triangle of the mesh")),
            Some(&vertex) => Ok(vertex),
            None => {
                Err(format!("pinned vertex {number} does not exist; the mesh has {} vertices", self.vertices.len()))
            }
        };
        numbers.iter().map(vertex).collect()
    }

    fn by_attribute(&self, name: &str, at_least: f32) -> Result<Vec<u32>, String> {
        let mut attributes = self.mesh.try_attributes().map_err(|error| error.to_string())?;
        let Some((_, values)) = attributes.find(|(attribute, _)| attribute.name == name) else {
            let known = self.mesh.try_attributes().map_err(|error| error.to_string())?;
            let known: Vec<&str> = known.map(|(attribute, _)| attribute.name).collect();
            return Err(format!("the mesh has no attribute {name:?} for pins; it has {}", known.join(", ")));
        };
        let Some(values) = first_components(values) else {
            return Err(format!("the attribute {name} is not of numbers that pins can be read from; use floats"));
        };
        let chosen =
            values.into_iter().zip(self.vertices).filter(|(value, vertex)| *value >= at_least && **vertex != NONE);
        Ok(chosen.map(|(_, vertex)| *vertex).collect())
    }
}

/// The first component of each value, if they are numbers.
fn first_components(values: &VertexAttributeValues) -> Option<Vec<f32>> {
    Some(match values {
        VertexAttributeValues::Float32(values) => values.clone(),
        VertexAttributeValues::Float32x2(values) => values.iter().map(|value| value[0]).collect(),
        VertexAttributeValues::Float32x3(values) => values.iter().map(|value| value[0]).collect(),
        VertexAttributeValues::Float32x4(values) => values.iter().map(|value| value[0]).collect(),
        VertexAttributeValues::Uint32(values) => values.iter().map(|value| *value as f32).collect(),
        VertexAttributeValues::Unorm8x4(values) => values.iter().map(|value| f32::from(value[0]) / 255.0).collect(),
        _ => return None,
    })
}
