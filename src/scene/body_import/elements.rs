//! Elements with a volume as tetrahedra: hexahedra, prisms and pyramids, the corners numbered as
//! Gmsh and Medit do.
//!
//! Each face of four corners is divided along the diagonal from its vertex of the smallest number,
//! so that neighbours divide it in the same way; the element is then the cone from its own smallest
//! vertex over the faces that this one is no corner of. Source: Dompierre, Labbé, Vallet, Camarero
//! 1999, "How to subdivide pyramids, prisms, and hexahedra into tetrahedra".

use super::Read;
use crate::sim::pattern::signed_volume;

/// A kind of element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Tetrahedron,
    Hexahedron,
    Prism,
    Pyramid,
}

impl Kind {
    /// The kind that has this number in Gmsh, of whatever order: the corners come first. None if it
    /// has no volume.
    ///
    /// # Errors
    /// When the number is not known.
    pub fn of_gmsh(number: u32) -> Result<Option<Self>, String> {
        match number {
            4 | 11 | 29..=31 => Ok(Some(Self::Tetrahedron)),
            5 | 12 | 17 | 92 | 93 => Ok(Some(Self::Hexahedron)),
            6 | 13 | 18 => Ok(Some(Self::Prism)),
            7 | 14 | 19 => Ok(Some(Self::Pyramid)),
            1..=3 | 8..=10 | 15 | 16 | 20..=28 => Ok(None),
            _ => Err(format!("elements of type {number} are not known; save the mesh with elements of first order")),
        }
    }

    /// The kind of the elements under a keyword of Medit files.
    pub fn of_medit(keyword: &str) -> Option<Self> {
        match keyword {
            "Tetrahedra" => Some(Self::Tetrahedron),
            "Hexahedra" => Some(Self::Hexahedron),
            "Prisms" | "Pentahedra" => Some(Self::Prism),
            "Pyramids" => Some(Self::Pyramid),
            _ => None,
        }
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tetrahedron => "tetrahedron",
            Self::Hexahedron => "hexahedron",
            Self::Prism => "prism",
            Self::Pyramid => "pyramid",
        }
    }

    /// Its name for several.
    pub const fn plural(self) -> &'static str {
        match self {
            Self::Tetrahedron => "tetrahedra",
            Self::Hexahedron => "hexahedra",
            Self::Prism => "prisms",
            Self::Pyramid => "pyramids",
        }
    }

    /// Number of its corners.
    pub const fn corners(self) -> usize {
        match self {
            Self::Tetrahedron => 4,
            Self::Hexahedron => 8,
            Self::Prism => 6,
            Self::Pyramid => 5,
        }
    }

    /// Its faces by the places of their corners, seen from outside counter-clockwise.
    const fn faces(self) -> &'static [&'static [usize]] {
        match self {
            Self::Tetrahedron => &[&[0, 2, 1], &[0, 1, 3], &[0, 3, 2], &[1, 2, 3]],
            Self::Hexahedron => {
                &[&[0, 3, 2, 1], &[4, 5, 6, 7], &[0, 1, 5, 4], &[1, 2, 6, 5], &[2, 3, 7, 6], &[3, 0, 4, 7]]
            }
            Self::Prism => &[&[0, 2, 1], &[3, 4, 5], &[0, 1, 4, 3], &[1, 2, 5, 4], &[2, 0, 3, 5]],
            Self::Pyramid => &[&[0, 3, 2, 1], &[0, 1, 4], &[1, 2, 4], &[2, 3, 4], &[3, 0, 4]],
        }
    }

    /// The tetrahedra of an element with these corners, by their numbers in the file. Where corners
    /// are the same, as when a prism is written as a hexahedron, there are fewer.
    fn divide(self, corners: &[u32], number: impl Fn(u32) -> u64) -> Vec<[u32; 4]> {
        let Some(apex) = corners.iter().copied().min_by_key(|&vertex| number(vertex)) else { return Vec::new() };
        let mut tetrahedra = Vec::new();
        for face in self.faces() {
            let mut face: Vec<u32> = face.iter().map(|&place| corners[place]).collect();
            let smallest = (0..face.len()).min_by_key(|&place| number(face[place])).unwrap_or_default();
            face.rotate_left(smallest);
            for pair in face[1..].windows(2) {
                let [a, b, c] = [face[0], pair[0], pair[1]];
                if ![a, b, c].contains(&apex) && a != b && b != c && c != a {
                    tetrahedra.push([apex, a, b, c]);
                }
            }
        }
        tetrahedra
    }
}

impl Read {
    /// Adds an element with these corners, from `line`.
    ///
    /// # Errors
    /// Its fault.
    pub(super) fn element(&mut self, kind: Kind, corners: &[u32], line: usize) -> Result<(), String> {
        if kind == Kind::Tetrahedron {
            let corners = <[u32; 4]>::try_from(corners).map_err(|_| "a tetrahedron needs four corners".to_owned())?;
            self.tetrahedra.push(corners);
            self.lines.push(line);
            return Ok(());
        }
        let mut tetrahedra = kind.divide(corners, |vertex| self.numbers[vertex as usize]);
        let volume = |corners: &[u32; 4]| signed_volume(corners.map(|vertex| self.positions[vertex as usize]));
        let negative = tetrahedra.iter().filter(|corners| volume(corners) < 0.0).count();
        let fault = |what: &str| {
            let names = corners.iter().map(|&vertex| self.numbers[vertex as usize].to_string());
            format!("the {} {} {what}", kind.name(), names.collect::<Vec<_>>().join(" "))
        };
        if tetrahedra.is_empty() {
            return Err(fault("has no volume; take it out"));
        } else if negative == tetrahedra.len() {
            tetrahedra.iter_mut().for_each(|corners| corners.swap(2, 3));
            self.turned += 1;
        } else if negative > 0 {
            return Err(fault("is folded; number its corners in order, or move a vertex"));
        }
        self.divided += 1;
        self.lines.extend(tetrahedra.iter().map(|_| line));
        self.tetrahedra.append(&mut tetrahedra);
        Ok(())
    }
}
