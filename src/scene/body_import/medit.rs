//! Medit `.mesh` files (Frey 2001): keywords, each followed by a count and so many entries. Numbers start at 1.

use super::lines::Lines;
use super::{InputError, Read, vertex};
use crate::sim::quote::quote;

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
            "Tetrahedra" => {
                let count: u64 = lines.number("the number of tetrahedra")?;
                let vertices = read.positions.len();
                for _ in 0..count {
                    let mut corners = [0; 4];
                    for corner in &mut corners {
                        let number: usize = lines.number("a vertex of a tetrahedron")?;
                        if !(1..=vertices).contains(&number) {
                            let message =
                                format!("the tetrahedron uses vertex {number}, but there are {vertices} before it");
                            return Err(lines.fault(message));
                        }
                        *corner = (number - 1) as u32;
                    }
                    lines.word("the reference of a tetrahedron")?;
                    read.tetrahedra.push(corners);
                    read.lines.push(lines.number);
                }
            }
            "End" => break,
            other if other.starts_with(|first: char| first.is_ascii_alphabetic()) => {}
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
