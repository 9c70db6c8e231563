//! Medit `.mesh` files (Frey 2001): keywords, each followed by a count and so many entries. Numbers
//! start at 1.

use super::elements::Kind;
use super::lines::Lines;
use super::{InputError, Read, vertex};
use crate::sim::params::quote::quote;

pub(super) fn read(text: &str, file: &str) -> Result<Read, InputError> {
    let mut lines = Lines::new(text, file, Some('#'));
    let mut read = Read::default();
    let mut is_medit = false;
    while let Some(keyword) = lines.next_word() {
        match keyword {
            "MeshVersionFormatted" => {
                lines.number::<u32>("the version")?;
                is_medit = true;
            }
            "MeshVersionUnformatted" => {
                return Err(lines.fault("a binary file; save it as text, \"MeshVersionFormatted\""));
            }
            "Dimension" => {
                let dimension: u32 = lines.number("the dimension")?;
                if dimension != 3 {
                    return Err(lines.fault(format!("a mesh of dimension {dimension}; a body needs three")));
                }
            }
            "Vertices" => {
                let count: u64 = lines.number("the number of vertices")?;
                for number in 1..=count {
                    let mut coordinate = || lines.number("a coordinate of a vertex");
                    let coordinates = [coordinate()?, coordinate()?, coordinate()?];
                    lines.word("the reference of a vertex")?;
                    let place = vertex(coordinates);
                    read.positions.push(place.ok_or_else(|| lines.fault("a vertex needs three finite numbers"))?);
                    read.numbers.push(number);
                }
            }
            "End" => break,
            other if other.starts_with(|first: char| first.is_ascii_alphabetic()) => match Kind::of_medit(other) {
                Some(kind) => elements(kind, &mut lines, &mut read)?,
                None if is_of_higher_order(other) => {
                    let message =
                        format!("{} cannot be read; save the mesh with elements of first order", quote(other));
                    return Err(lines.fault(message));
                }
                None => {}
            },
            // entries of another keyword
            _ if is_medit => {}
            other => return Err(lines.fault(format!("\"{}\" is no keyword of a Medit mesh", quote(other)))),
        }
        if !is_medit && keyword != "MeshVersionFormatted" {
            return Err(lines.fault("not a Medit mesh: the first keyword should be MeshVersionFormatted"));
        }
    }
    if !is_medit {
        return Err(InputError::new(file, "the file is empty; a Medit mesh begins with MeshVersionFormatted"));
    }
    Ok(read)
}

/// Whether a keyword names elements with a volume whose edges are curved, like "TetrahedraP2".
fn is_of_higher_order(keyword: &str) -> bool {
    let order = keyword.rsplit_once(['P', 'Q']).and_then(|(kind, order)| Some((kind, order.parse::<u32>().ok()?)));
    order.is_some_and(|(kind, _)| Kind::of_medit(kind).is_some())
}

/// The elements that follow their keyword.
fn elements(kind: Kind, lines: &mut Lines, read: &mut Read) -> Result<(), InputError> {
    let (name, vertices) = (kind.name(), read.positions.len());
    let (count_of_elements, vertex_of, reference_of) = (
        format!("the number of {}", kind.plural()),
        format!("a vertex of a {name}"),
        format!("the reference of a {name}"),
    );
    let count: u64 = lines.number(&count_of_elements)?;
    let mut corners = Vec::with_capacity(kind.corners());
    for _ in 0..count {
        corners.clear();
        for _ in 0..kind.corners() {
            let number: usize = lines.number(&vertex_of)?;
            if !(1..=vertices).contains(&number) {
                let message = format!("the {name} uses vertex {number}, but there are {vertices} before it");
                return Err(lines.fault(message));
            }
            corners.push((number - 1) as u32);
        }
        lines.word(&reference_of)?;
        read.element(kind, &corners, lines.number).map_err(|fault| lines.fault(fault))?;
    }
    Ok(())
}
