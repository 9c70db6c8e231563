//! Attributes of triangles: texture coordinates and groups of a mesh file. Nothing is computed from
//! them; exports give them back.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::Pattern;
use crate::sim::Real;

/// Texture coordinates and groups of the triangles of a pattern. They belong to the triangles, so
/// tearing does not change them.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FaceAttributes {
    /// Texture coordinates (u to the right, v upward, usually from 0 to 1) in the order of the
    /// file.
    pub texture: Vec<[Real; 2]>,
    /// Those of the corners of each triangle, by number, or [`FaceAttributes::NONE`]. Empty if
    /// there are none at all.
    pub corners: Vec<[u32; 3]>,
    /// Names of the groups; an empty one is none.
    pub groups: Vec<String>,
    /// The group of each triangle, by number. Empty if there are none at all.
    pub group: Vec<u32>,
}

impl FaceAttributes {
    /// Number of the texture coordinates of a corner that has none.
    pub const NONE: u32 = u32::MAX;

    /// Whether there is nothing in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.corners.is_empty() && self.group.is_empty()
    }

    /// The texture coordinates of the corners of a triangle, by number, if all three have some.
    #[must_use]
    pub fn corners_of(&self, triangle: usize) -> Option<[u32; 3]> {
        self.corners.get(triangle).copied().filter(|corners| !corners.contains(&Self::NONE))
    }

    /// The name of the group of a triangle, if it has one.
    #[must_use]
    pub fn group_of(&self, triangle: usize) -> Option<&str> {
        let name = self.groups.get(*self.group.get(triangle)? as usize)?;
        Some(name.as_str()).filter(|name| !name.is_empty())
    }

    /// Description of an attribute that does not fit a pattern of so many triangles, if there is
    /// one.
    #[must_use]
    pub fn fault(&self, triangles: usize) -> Option<String> {
        let fits = |length: usize| length == 0 || length == triangles;
        if !fits(self.corners.len()) || !fits(self.group.len()) {
            return Some(format!("attributes need corners and group for each of {triangles} triangles, or none"));
        }
        if !self.texture.as_flattened().iter().all(|x| x.is_finite()) {
            return Some("attributes.texture needs finite numbers".to_owned());
        }
        let mut corners = self.corners.as_flattened().iter();
        if let Some(at) = corners.find(|at| **at != Self::NONE && **at as usize >= self.texture.len()) {
            return Some(format!("attributes.corners names {at}, but texture has {} entries", self.texture.len()));
        }
        let unknown = self.group.iter().find(|group| **group as usize >= self.groups.len());
        unknown.map(|group| format!("attributes.group names {group}, but there are {} groups", self.groups.len()))
    }

    /// Those of several patterns one after another, each with its number of triangles.
    fn join<'a>(parts: impl Iterator<Item = (&'a Self, usize)> + Clone) -> Self {
        let mut whole = Self::default();
        if parts.clone().all(|(part, _)| part.is_empty()) {
            return whole;
        }
        for (part, triangles) in parts {
            let (texture, groups) = (whole.texture.len() as u32, whole.groups.len() as u32);
            let moved = |at: u32| if at == Self::NONE { at } else { at + texture };
            whole.texture.extend_from_slice(&part.texture);
            whole.corners.extend(part.corners.iter().map(|corners| corners.map(moved)));
            whole.corners.extend((part.corners.len()..triangles).map(|_| [Self::NONE; 3]));
            whole.groups.extend_from_slice(&part.groups);
            whole.group.extend(part.group.iter().map(|group| group + groups));
            if part.group.len() < triangles {
                whole.groups.push(String::new());
                let none = whole.groups.len() as u32 - 1;
                whole.group.extend((part.group.len()..triangles).map(|_| none));
            }
        }
        whole
    }
}

impl Pattern {
    /// The pattern with these attributes, which fit to its triangles.
    #[must_use]
    pub fn with_attributes(self, attributes: FaceAttributes) -> Self {
        Self { attributes: Arc::new(attributes), ..self }
    }

    /// The attributes of its triangles.
    #[must_use]
    pub fn attributes(&self) -> &FaceAttributes {
        &self.attributes
    }

    /// The attributes of several patterns as those of one.
    pub(super) fn joined_attributes(parts: &[&Self]) -> FaceAttributes {
        FaceAttributes::join(parts.iter().map(|part| (part.attributes(), part.triangles.len())))
    }
}
