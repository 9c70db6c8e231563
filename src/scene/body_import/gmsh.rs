//! Gmsh `.msh` files of versions 2 and 4, as text (the Gmsh reference manual, "File formats").

use std::collections::HashMap;

use super::elements::Kind;
use super::lines::Lines;
use super::{InputError, Read, vertex};
use crate::sim::Real;
use crate::sim::params::quote::quote;

/// A file that is being read.
struct Reader<'a> {
    lines: Lines<'a>,
    read: Read,
    /// The place of the vertex with each number of the file.
    places: HashMap<u64, u32>,
}

pub(super) fn read(text: &str, file: &str) -> Result<Read, InputError> {
    let mut reader = Reader { lines: Lines::new(text, file, None), read: Read::default(), places: HashMap::new() };
    let mut version = None;
    while let Some(word) = reader.lines.next_word() {
        let Some(section) = word.strip_prefix('$') else {
            return Err(reader
                .lines
                .fault(format!("\"{}\" stands where a section like $Nodes should begin", quote(word))));
        };
        if section == "MeshFormat" {
            version = Some(reader.version()?);
        } else if let ("Nodes" | "Elements", None) = (section, version) {
            return Err(reader
                .lines
                .fault(format!("${section} before $MeshFormat; the file does not begin as it should")));
        } else if let ("Nodes", Some(version)) = (section, version) {
            reader.nodes(version)?;
        } else if let ("Elements", Some(version)) = (section, version) {
            reader.elements(version)?;
        } else {
            // nothing that is known, and maybe no short word
            let (end, shown) = (format!("$End{section}"), format!("$End{}", quote(section)));
            while reader.lines.word(&shown)? != end {}
            continue;
        }
        let end = format!("$End{section}");
        let word = reader.lines.word(&end)?;
        if word != end {
            return Err(reader.lines.fault(format!("\"{}\" stands where {end} should", quote(word))));
        }
    }
    if version.is_none() {
        return Err(InputError::new(file, "not a Gmsh mesh: there is no $MeshFormat"));
    }
    Ok(reader.read)
}

/// How the blocks of a file are laid out.
#[derive(Clone, Copy, PartialEq)]
enum Version {
    /// 2.x: no blocks.
    Two,
    /// 4.0: a line for a node, its number first.
    Four,
    /// 4.1: the numbers of the nodes of a block, then their coordinates.
    FourOne,
}

impl Reader<'_> {
    fn version(&mut self) -> Result<Version, InputError> {
        let number = self.lines.word("the version")?;
        let version = match number.parse::<Real>() {
            Ok(version) if (2.0..3.0).contains(&version) => Version::Two,
            Ok(4.0) => Version::Four,
            Ok(4.1) => Version::FourOne,
            _ => {
                let message = format!(
                    "version \"{}\" of the Gmsh format; 2 and 4 can be read, save it as one of them",
                    quote(number)
                );
                return Err(self.lines.fault(message));
            }
        };
        if self.lines.number::<u32>("0 for a text file")? != 0 {
            return Err(self.lines.fault("a binary file; save it as text (ASCII)"));
        }
        self.lines.skip_line();
        Ok(version)
    }

    fn node(&mut self, number: u64) -> Result<(), InputError> {
        let mut coordinate = || self.lines.number("a coordinate of a node");
        let coordinates = [coordinate()?, coordinate()?, coordinate()?];
        let place = vertex(coordinates).ok_or_else(|| self.lines.fault("a node needs three finite numbers"))?;
        if self.places.insert(number, self.read.positions.len() as u32).is_some() {
            return Err(self.lines.fault(format!("node {number} is there twice")));
        }
        self.read.positions.push(place);
        self.read.numbers.push(number);
        // parameters on the surface or curve
        self.lines.skip_line();
        Ok(())
    }

    fn nodes(&mut self, version: Version) -> Result<(), InputError> {
        if version == Version::Two {
            let count: u64 = self.lines.number("the number of nodes")?;
            for _ in 0..count {
                let number = self.lines.number("the number of a node")?;
                self.node(number)?;
            }
            return Ok(());
        }
        let blocks: u64 = self.lines.number("the number of blocks of nodes")?;
        self.lines.skip_line();
        for _ in 0..blocks {
            for what in ["a block's entity", "a block's entity", "whether a block has parameters"] {
                self.lines.number::<i64>(what)?;
            }
            let count: u64 = self.lines.number("the number of nodes of a block")?;
            let mut numbers = Vec::new();
            for _ in 0..count {
                let number = self.lines.number("the number of a node")?;
                match version {
                    Version::FourOne => numbers.push(number),
                    _ => self.node(number)?,
                }
            }
            for number in numbers {
                self.node(number)?;
            }
        }
        Ok(())
    }

    /// An element with these nodes, the corners first; those without a volume do not count.
    fn element(&mut self, kind: u32, nodes: &[u64]) -> Result<(), InputError> {
        let Some(kind) = Kind::of_gmsh(kind).map_err(|fault| self.lines.fault(fault))? else { return Ok(()) };
        let (name, count) = (kind.name(), kind.corners());
        let Some(nodes) = nodes.get(..count) else {
            let message = format!("a {name} needs {count} nodes, not {}; is the file cut short?", nodes.len());
            return Err(self.lines.fault(message));
        };
        let mut corners = Vec::with_capacity(count);
        for number in nodes {
            let missing = || self.lines.fault(format!("the {name} uses node {number}, which does not exist"));
            corners.push(*self.places.get(number).ok_or_else(missing)?);
        }
        self.read.element(kind, &corners, self.lines.number).map_err(|fault| self.lines.fault(fault))
    }

    fn elements(&mut self, version: Version) -> Result<(), InputError> {
        let blocks: u64 = self.lines.number("the number of elements, or of blocks of them")?;
        self.lines.skip_line();
        for _ in 0..blocks {
            if version == Version::Two {
                self.lines.number::<u64>("the number of an element")?;
                let kind = self.lines.number("the type of an element")?;
                let numbers: Vec<u64> = self.lines.rest("a tag or node of an element")?;
                let tags = numbers.first().map_or(0, |&tags| tags.min(numbers.len() as u64) as usize);
                self.element(kind, numbers.get(1 + tags..).unwrap_or_default())?;
                continue;
            }
            for _ in 0..2 {
                self.lines.number::<i64>("a block's entity")?;
            }
            let kind = self.lines.number("the type of a block's elements")?;
            let count: u64 = self.lines.number("the number of elements of a block")?;
            for _ in 0..count {
                self.lines.number::<u64>("the number of an element")?;
                let nodes: Vec<u64> = self.lines.rest("a node of an element")?;
                self.element(kind, &nodes)?;
            }
        }
        Ok(())
    }
}
