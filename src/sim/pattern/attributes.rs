//! Attributes of triangles: what a mesh file says of its faces. The warp follows the texture
//! coordinates; exports give all of them back.

use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use super::Pattern;
use crate::sim::Real;
use crate::sim::math::fingerprint::{fingerprint, fingerprint_of_rows};

/// Texture coordinates, groups, materials and faces of the triangles of a pattern. They belong to
/// the triangles, so tearing does not change them.
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
    /// Names of the materials; an empty one is none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub materials: Vec<String>,
    /// The material of each triangle, by number. Empty if there are none at all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub material: Vec<u32>,
    /// The number of the face that each triangle is a part of, rising from triangle to triangle.
    /// Empty if every face is a triangle.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub face: Vec<u32>,
}

impl FaceAttributes {
    /// Number of the texture coordinates of a corner that has none.
    pub const NONE: u32 = u32::MAX;

    /// Whether there is nothing in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.corners.is_empty() && self.group.is_empty() && self.material.is_empty() && self.face.is_empty()
    }

    /// Stands for the texture coordinates of all corners; zero if there are none.
    fn texture_revision(&self) -> u64 {
        if self.texture.is_empty() || self.corners.is_empty() {
            return 0;
        }
        let texture = fingerprint_of_rows(self.texture.iter().map(|at| at.map(Real::to_bits)));
        let corners = fingerprint_of_rows(self.corners.iter().map(|corners| corners.map(u64::from)));
        fingerprint([texture, corners].into_iter())
    }

    /// The texture coordinates of the corners of a triangle, by number, if all three have some.
    #[must_use]
    pub fn corners_of(&self, triangle: usize) -> Option<[u32; 3]> {
        self.corners.get(triangle).copied().filter(|corners| !corners.contains(&Self::NONE))
    }

    /// The name of the group of a triangle, if it has one.
    #[must_use]
    pub fn group_of(&self, triangle: usize) -> Option<&str> {
        name_of(&self.groups, &self.group, triangle)
    }

    /// The name of the material of a triangle, if it has one.
    #[must_use]
    pub fn material_of(&self, triangle: usize) -> Option<&str> {
        name_of(&self.materials, &self.material, triangle)
    }

    /// Whether two triangles are parts of one face.
    #[must_use]
    pub fn is_of_one_face(&self, a: usize, b: usize) -> bool {
        a == b || self.face.get(a).is_some_and(|face| self.face.get(b) == Some(face))
    }

    /// Keeps the triangles for which `is_kept` has true, and drops the others.
    pub fn retain(&mut self, is_kept: &[bool]) {
        fn retain<T>(list: &mut Vec<T>, is_kept: &[bool]) {
            let mut kept = is_kept.iter();
            list.retain(|_| kept.next().copied().unwrap_or(true));
        }
        retain(&mut self.corners, is_kept);
        retain(&mut self.group, is_kept);
        retain(&mut self.material, is_kept);
        retain(&mut self.face, is_kept);
    }

    /// Description of an attribute that does not fit a pattern of so many triangles, if there is
    /// one.
    #[must_use]
    pub fn fault(&self, triangles: usize) -> Option<String> {
        let lengths = [self.corners.len(), self.group.len(), self.material.len(), self.face.len()];
        if lengths.iter().any(|&length| length != 0 && length != triangles) {
            return Some(format!(
                "attributes need corners, group, material and face for each of {triangles} triangles, or none"
            ));
        }
        if !self.texture.as_flattened().iter().all(|x| x.is_finite()) {
            return Some("attributes.texture needs finite numbers".to_owned());
        }
        let mut corners = self.corners.as_flattened().iter();
        if let Some(at) = corners.find(|at| **at != Self::NONE && **at as usize >= self.texture.len()) {
            return Some(format!("attributes.corners names {at}, but texture has {} entries", self.texture.len()));
        }
        let names = [("group", &self.groups, &self.group), ("material", &self.materials, &self.material)];
        names.into_iter().find_map(|(key, names, of)| {
            let unknown = of.iter().find(|at| **at as usize >= names.len())?;
            Some(format!("attributes.{key} names {unknown}, but there are {} {key}s", names.len()))
        })
    }

    /// Those of several patterns one after another, each with its number of triangles.
    fn join<'a>(parts: impl Iterator<Item = (&'a Self, usize)> + Clone) -> Self {
        let mut whole = Self::default();
        if parts.clone().all(|(part, _)| part.is_empty()) {
            return whole;
        }
        let mut faces = 0;
        for (part, triangles) in parts {
            let texture = whole.texture.len() as u32;
            let moved = |at: u32| if at == Self::NONE { at } else { at + texture };
            whole.texture.extend_from_slice(&part.texture);
            whole.corners.extend(part.corners.iter().map(|corners| corners.map(moved)));
            whole.corners.extend((part.corners.len()..triangles).map(|_| [Self::NONE; 3]));
            join_names((&mut whole.groups, &mut whole.group), (&part.groups, &part.group), triangles);
            join_names((&mut whole.materials, &mut whole.material), (&part.materials, &part.material), triangles);
            whole.face.extend(part.face.iter().map(|face| faces + face));
            whole.face.extend((part.face.len()..triangles).map(|triangle| faces + triangle as u32));
            faces = whole.face.last().map_or(0, |last| last + 1);
        }
        whole
    }
}

/// The name of a triangle, if there is one.
fn name_of<'a>(names: &'a [String], of: &[u32], triangle: usize) -> Option<&'a str> {
    let name = names.get(*of.get(triangle)? as usize)?;
    Some(name.as_str()).filter(|name| !name.is_empty())
}

/// Adds the names of a part of so many `triangles`, which may have none, to those of the whole.
fn join_names(whole: (&mut Vec<String>, &mut Vec<u32>), part: (&[String], &[u32]), triangles: usize) {
    let ((names, of), (part_names, part_of)) = (whole, part);
    let before = names.len() as u32;
    names.extend_from_slice(part_names);
    of.extend(part_of.iter().map(|at| before + at));
    if part_of.len() < triangles {
        names.push(String::new());
        let none = names.len() as u32 - 1;
        of.extend((part_of.len()..triangles).map(|_| none));
    }
}

impl Pattern {
    /// The pattern with these attributes, which fit to its triangles.
    #[must_use]
    pub fn with_attributes(self, attributes: FaceAttributes) -> Self {
        let texture_revision = attributes.texture_revision();
        Self { attributes: Arc::new(attributes), texture_revision, membrane: OnceLock::new(), ..self }
    }

    /// The pattern with the attributes and the embedded surface of another one with the same
    /// triangles.
    pub(super) fn with_faces_of(self, other: &Self) -> Self {
        let (attributes, embedded) = (Arc::clone(&other.attributes), Arc::clone(&other.embedded));
        let texture_revision = other.texture_revision;
        Self { attributes, embedded, texture_revision, membrane: OnceLock::new(), ..self }
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
