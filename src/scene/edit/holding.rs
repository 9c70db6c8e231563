//! Pins and handles of pieces.

use std::collections::{BTreeMap, BTreeSet};

use super::ScenePart;
use super::execution::Found;
use crate::scene::piece::Placed;
use crate::scene::{Handle, InputError, Piece, PinChoice, Scene};
use crate::sim::{Path, Pattern, Vec3};

/// Cosine of the bend of a rim from which on it has a corner.
const CORNER: f64 = 0.7;

impl Scene {
    /// Holds vertices of a piece where they start, or lets them go.
    pub(super) fn pin(&mut self, piece: u32, vertices: &[u32], on: bool) -> Result<(), InputError> {
        let place = self.name_of(ScenePart::Piece(piece));
        let found = self.piece_mut(piece)?;
        let mut held = Held::of(found, &place)?;
        held.check(vertices, &place)?;
        held.take_out(vertices);
        if on {
            held.pins.extend(vertices);
        }
        held.write(found);
        Ok(())
    }

    /// Adds a handle behind the others.
    pub(super) fn add_handle(&mut self, piece: u32, handle: &Handle) -> Result<(), InputError> {
        let place = self.name_of(ScenePart::Piece(piece));
        let found = self.piece_mut(piece)?;
        let mut held = Held::of(found, &place)?;
        let vertices = held.named(handle.pins, &handle.pinned, &place)?;
        if vertices.is_empty() {
            return Err(InputError::new("", "a handle needs vertices; name some in pins or pinned"));
        }
        held.take_out(&vertices);
        found.handles.push(handle.clone());
        held.handles.push(vertices.into_iter().collect());
        held.write(found);
        Ok(())
    }

    /// Gives a collider or a handle a path, or takes it away.
    pub(super) fn set_path(&mut self, part: ScenePart, path: Option<&Path>) -> Result<(), InputError> {
        match self.part(part)? {
            Found::Collider(collider) => collider.path = path.cloned(),
            Found::Handle(handle) => {
                (handle.path, handle.recorded) = (path.cloned(), None);
                if let (ScenePart::Handle { piece, at }, None, None) = (part, path, &handle.turn) {
                    let vertices: Vec<u32> = self.held_in_piece(part)?.into_iter().collect();
                    self.piece_mut(piece)?.handles.remove(at as usize);
                    self.pin(piece, &vertices, true)?;
                }
            }
            Found::Piece(_) | Found::Pins => {
                let message = "only a collider or a handle has a path; make a handle of vertices of the cloth first";
                return Err(InputError::new("", message));
            }
        }
        Ok(())
    }

    /// The path of a collider or a handle, if it has one.
    #[must_use]
    pub fn path_of(&self, part: ScenePart) -> Option<&Path> {
        match part {
            ScenePart::Collider(at) => self.colliders.get(at as usize)?.path.as_ref(),
            ScenePart::Handle { piece, at } => {
                self.all_pieces().nth(piece as usize)?.handles.get(at as usize)?.path.as_ref()
            }
            ScenePart::Piece(_) | ScenePart::Pins(_) => None,
        }
    }

    /// The vertices that pins or a handle hold, by their number in the piece.
    fn held_in_piece(&mut self, part: ScenePart) -> Result<BTreeSet<u32>, InputError> {
        let place = self.name_of(part.thing());
        self.part(part)?;
        match part {
            ScenePart::Pins(piece) => Ok(Held::of(self.piece_mut(piece)?, &place)?.pins),
            ScenePart::Handle { piece, at } => {
                Ok(Held::of(self.piece_mut(piece)?, &place)?.handles.swap_remove(at as usize))
            }
            ScenePart::Piece(_) | ScenePart::Collider(_) => Ok(BTreeSet::new()),
        }
    }

    /// The vertices that pins or a handle hold, by their number in `pattern`, which was made of
    /// this scene and may be torn. None of a thing that stands by itself.
    #[must_use]
    pub fn held_by(&self, part: ScenePart, pattern: &Pattern) -> Vec<u32> {
        let (ScenePart::Pins(number) | ScenePart::Handle { piece: number, .. }) = part else { return Vec::new() };
        let Some(piece) = self.all_pieces().nth(number as usize) else { return Vec::new() };
        let Some(&first) = pattern.pieces().get(number as usize) else { return Vec::new() };
        let end = pattern.pieces().get(number as usize + 1).map_or(pattern.whole_len(), |end| *end as usize);
        let Some(rest) = pattern.rest_positions().get(first as usize..end) else { return Vec::new() };
        let held = Held::of_placed(piece, piece.columns_and_rows(), rest, "");
        let vertices = held.map(|mut held| match part {
            ScenePart::Handle { at, .. } if (at as usize) < held.handles.len() => held.handles.swap_remove(at as usize),
            ScenePart::Handle { .. } => BTreeSet::new(),
            _ => held.pins,
        });
        vertices.unwrap_or_default().into_iter().map(|vertex| first + vertex).collect()
    }
}

/// The held vertices of a piece, by their number in it.
struct Held {
    pins: BTreeSet<u32>,
    handles: Vec<BTreeSet<u32>>,
    grid: Option<[usize; 2]>,
    rest: Vec<Vec3>,
}

impl Held {
    fn of(piece: &Piece, place: &str) -> Result<Self, InputError> {
        let pattern = piece.pattern(place)?;
        Self::of_placed(piece, piece.columns_and_rows(), pattern.rest_positions(), place)
    }

    fn of_placed(piece: &Piece, grid: Option<[usize; 2]>, rest: &[Vec3], place: &str) -> Result<Self, InputError> {
        let placed = Placed { grid, first: 0, rest };
        let set = |pins, pinned: &[u32]| Ok(placed.named(pins, pinned, place)?.into_iter().collect());
        let handles = piece.handles.iter().map(|handle| set(handle.pins, &handle.pinned));
        let handles: Vec<BTreeSet<u32>> = handles.collect::<Result<_, InputError>>()?;
        let mut pins: BTreeSet<u32> = set(piece.pins, &piece.pinned)?;
        // of several that hold a vertex the last one moves it
        pins.retain(|vertex| !handles.iter().any(|handle| handle.contains(vertex)));
        Ok(Self { pins, handles, grid, rest: rest.to_vec() })
    }

    /// The vertices that a choice and numbers mean.
    fn named(&self, pins: PinChoice, pinned: &[u32], place: &str) -> Result<Vec<u32>, InputError> {
        Placed { grid: self.grid, first: 0, rest: &self.rest }.named(pins, pinned, place)
    }

    /// Whether the piece has these vertices.
    fn check(&self, vertices: &[u32], place: &str) -> Result<(), InputError> {
        self.named(PinChoice::None, vertices, place).map(drop)
    }

    fn take_out(&mut self, vertices: &[u32]) {
        for set in std::iter::once(&mut self.pins).chain(&mut self.handles) {
            set.retain(|vertex| !vertices.contains(vertex));
        }
    }

    /// Writes them to the piece as a person would; handles without vertices are left out.
    fn write(self, piece: &mut Piece) {
        (piece.pins, piece.pinned) = self.written(&self.pins);
        for (handle, vertices) in piece.handles.iter_mut().zip(&self.handles) {
            (handle.pins, handle.pinned) = self.written(vertices);
        }
        let mut sets = self.handles.iter();
        piece.handles.retain(|_| sets.next().is_some_and(|set| !set.is_empty()));
    }

    /// A choice in a word where there is one, or else numbers.
    fn written(&self, vertices: &BTreeSet<u32>) -> (PinChoice, Vec<u32>) {
        let placed = Placed { grid: self.grid, first: 0, rest: &self.rest };
        let is_meant = |choice: &PinChoice| placed.held(*choice).into_iter().collect::<BTreeSet<u32>>() == *vertices;
        // on a narrow cloth its edge before the rings along it
        match PinChoice::all().iter().rev().copied().find(is_meant) {
            Some(choice) => (choice, Vec::new()),
            None => (PinChoice::None, vertices.iter().copied().collect()),
        }
    }
}

/// The side of a cloth that is nearest to a vertex at rest: the vertices of its rim from corner to
/// corner, the whole rim where it has no corner. Empty for a piece without a rim.
#[must_use]
pub fn side_near(pattern: &Pattern, vertex: u32) -> Vec<u32> {
    let next = rim(pattern);
    let (pieces, rest) = (pattern.piece_of_vertices(), pattern.rest_positions());
    let own = |other: &&u32| pieces[**other as usize] == pieces[vertex as usize];
    let distance = |other: &u32| rest[*other as usize].distance_squared(rest[vertex as usize]);
    let nearest = next.keys().filter(own).min_by(|a, b| distance(a).total_cmp(&distance(b)));
    nearest.map_or(Vec::new(), |nearest| side_of(pattern, &next, *nearest))
}

/// The side of a vertex of the rim.
fn side_of(pattern: &Pattern, next: &BTreeMap<u32, u32>, vertex: u32) -> Vec<u32> {
    let previous: BTreeMap<u32, u32> = next.iter().map(|(from, to)| (*to, *from)).collect();
    let rest = pattern.rest_positions();
    let is_corner = |at: u32| {
        let (Some(before), Some(after)) = (previous.get(&at), next.get(&at)) else { return true };
        let [a, b, c] = [*before, at, *after].map(|vertex| rest[vertex as usize]);
        (b - a).normalize_or_zero().dot((c - b).normalize_or_zero()) < CORNER
    };
    let along = |neighbours: &BTreeMap<u32, u32>| {
        let mut run = Vec::new();
        let mut at = vertex;
        while let Some(&step) = neighbours.get(&at) {
            if step == vertex {
                break;
            }
            run.push(step);
            if is_corner(step) || run.len() > next.len() {
                break;
            }
            at = step;
        }
        run
    };
    let mut run = vec![vertex];
    run.extend(along(next));
    // a corner belongs to the side behind it
    if !is_corner(vertex) {
        run.extend(along(&previous));
    }
    run.sort_unstable();
    run.dedup();
    run
}

/// For each vertex of the rim the next one; where several rims meet, one of them.
fn rim(pattern: &Pattern) -> BTreeMap<u32, u32> {
    let sides = || pattern.triangles().iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    let all: BTreeSet<[u32; 2]> = sides().collect();
    sides().filter(|&[a, b]| !all.contains(&[b, a])).map(|[a, b]| (a, b)).collect()
}
