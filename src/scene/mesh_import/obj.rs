//! The text of OBJ files: vertices, texture coordinates, groups and faces, with the messages for
//! faults of a line.
//!
//! Source: Wavefront, Advanced Visualizer manual, appendix B1 (Object Files). An own reader: the
//! crates for OBJ name no lines, and number the vertices anew.

use std::collections::HashMap;

use crate::scene::InputError;
use crate::scene::text::mend_of_number;
use crate::sim::params::quote::quote;
use crate::sim::{Real, Vec3};

/// Content of a file, every vertex and face in its order.
#[derive(Debug, Default)]
pub(super) struct Obj {
    /// Vertex positions, in the unit of the file.
    pub positions: Vec<Vec3>,
    /// Texture coordinates; none where they are no numbers.
    pub texture: Vec<Option<[Real; 2]>>,
    /// Corners of all faces, one face after another.
    corners: Vec<Corner>,
    /// The end of each face among the corners, its group and its material.
    faces: Vec<(usize, [u32; 2])>,
    /// Names of the groups; the first one has none.
    pub groups: Vec<String>,
    /// Names of the materials; the first one has none.
    pub materials: Vec<String>,
}

/// A corner of a face.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Corner {
    /// Its vertex, from 0.
    pub vertex: u32,
    /// Its texture coordinates, from 0, if there are such.
    pub texture: Option<u32>,
}

impl Obj {
    /// The corners of each face, with its group and its material.
    pub fn faces(&self) -> impl Iterator<Item = (&[Corner], [u32; 2])> {
        let starts = std::iter::once(0).chain(self.faces.iter().map(|(end, _)| *end));
        starts.zip(&self.faces).map(|(start, &(end, names))| (&self.corners[start..end], names))
    }
}

/// `line` without a comment. In a line with a name `#` is a part of it, unless it begins there.
fn plain(line: &str) -> &str {
    let mut words = line.split_whitespace();
    let is_name = matches!(words.next(), Some("g" | "o" | "usemtl"));
    let is_kept = is_name && words.next().is_some_and(|word| !word.starts_with('#'));
    let end = if is_kept { line.len() } else { line.find('#').unwrap_or(line.len()) };
    line[..end].trim_end()
}

/// The lines of `text` without comments, with their numbers. A backslash at the end of a line joins
/// it with the next, where both belong to a vertex or face; elsewhere it is the end of a folder's
/// name.
fn logical_lines(text: &str) -> impl Iterator<Item = (usize, String)> + '_ {
    let mut lines = (1..).zip(text.lines());
    std::iter::from_fn(move || {
        let (number, first) = lines.next()?;
        let mut line = plain(first).to_owned();
        let goes_on = matches!(line.split_whitespace().next(), Some("v" | "vt" | "f"));
        while goes_on && line.ends_with('\\') {
            line.pop();
            line.push(' ');
            line.push_str(lines.next().map_or("", |(_, next)| plain(next)));
        }
        Some((number, line))
    })
}

/// Numbers of the vertices and texture coordinates of a file, also of those that follow later.
struct Counts {
    vertices: i64,
    texture: i64,
}

impl Counts {
    fn of(text: &str) -> Self {
        let count = |keyword: &str| text.lines().filter(|line| line.split_whitespace().next() == Some(keyword)).count();
        Self { vertices: count("v") as i64, texture: count("vt") as i64 }
    }
}

/// Names by number, the first one empty.
struct Names {
    list: Vec<String>,
    known: HashMap<String, u32>,
}

impl Names {
    fn new() -> Self {
        Self { list: vec![String::new()], known: HashMap::from([(String::new(), 0)]) }
    }

    fn number<'a>(&mut self, words: impl Iterator<Item = &'a str>) -> u32 {
        let name = words.collect::<Vec<_>>().join(" ");
        *self.known.entry(name).or_insert_with_key(|name| {
            self.list.push(name.clone());
            self.list.len() as u32 - 1
        })
    }
}

/// Parses the text of an OBJ file. Data without use for a cloth (normals, files of materials,
/// lines, curves) are skipped.
pub(super) fn parse(text: &str, file: &str) -> Result<Obj, InputError> {
    let counts = Counts::of(text);
    let mut obj = Obj::default();
    let ([mut group, mut material], mut groups, mut materials) = ([0, 0], Names::new(), Names::new());
    for (number, line) in logical_lines(text) {
        let place = |fault: String| InputError::new(format!("{file}, line {number}"), fault);
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => obj.positions.push(vertex(&line).map_err(place)?),
            Some("vt") => obj.texture.push(texture(words)),
            Some("f") => {
                let corners: Vec<&str> = words.collect();
                if corners.len() < 3 {
                    return Err(place(format!("a face needs at least three corners, not \"{}\"", quote(line.trim()))));
                }
                for word in corners {
                    let corner = obj.corner(word, &counts).map_err(place)?;
                    obj.corners.push(corner);
                }
                obj.faces.push((obj.corners.len(), [group, material]));
            }
            Some("g" | "o") => group = groups.number(words),
            Some("usemtl") => material = materials.number(words),
            _ => {}
        }
    }
    (obj.groups, obj.materials) = (groups.list, materials.list);
    Ok(obj)
}

fn vertex(line: &str) -> Result<Vec3, String> {
    let words: Vec<&str> = line.split_whitespace().skip(1).collect();
    let numbers: Vec<Real> = words.iter().take(3).map_while(|word| word.parse().ok()).collect();
    match numbers[..] {
        [x, y, z] if Vec3::new(x, y, z).is_finite() => Ok(Vec3::new(x, y, z)),
        _ => {
            let mend = words.iter().map(|word| mend_of_number(word)).find(|mend| !mend.is_empty()).unwrap_or_default();
            Err(format!("a vertex needs three finite numbers, not \"{}\"{mend}", quote(line.trim())))
        }
    }
}

/// Texture coordinates, the second of which may be left out.
fn texture<'a>(mut words: impl Iterator<Item = &'a str>) -> Option<[Real; 2]> {
    let u: Real = words.next()?.parse().ok()?;
    let v: Real = words.next().map_or(Some(0.0), |word| word.parse().ok())?;
    (u.is_finite() && v.is_finite()).then_some([u, v])
}

impl Obj {
    /// The corner that `word` means, like "7" or "7/3/5" or, from the last one back, "-1".
    fn corner(&self, word: &str, counts: &Counts) -> Result<Corner, String> {
        let mut indices = word.split('/');
        let index = |word: Option<&str>, so_far: usize| match word?.parse::<i64>().ok()? {
            index if index < 0 => Some(so_far as i64 + index + 1),
            index => Some(index),
        };
        let vertex = index(indices.next(), self.positions.len())
            .ok_or_else(|| format!("\"{}\" is no corner of a face{}", quote(word), mend_of_number(word)))?;
        if !(1..=counts.vertices).contains(&vertex) {
            let (word, total) = (quote(word), counts.vertices);
            return Err(format!("the face uses vertex {word}, but there are {total} vertices"));
        }
        let texture = index(indices.next(), self.texture.len()).filter(|at| (1..=counts.texture).contains(at));
        Ok(Corner { vertex: vertex as u32 - 1, texture: texture.map(|at| at as u32 - 1) })
    }
}
