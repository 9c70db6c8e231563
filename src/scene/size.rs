//! How large a scene may be: as large as memory holds, and countable before it is built.

use super::{Body, InputError, Piece, Scene, text};
use crate::sim::Pattern;

/// Memory that a vertex of a grid takes [bytes]. At 1025 × 1025 vertices 340 were measured to build
/// a scene, 850 to step it by symplectic Euler, and 1270 with isometric bending. Methods that
/// factor a matrix take more.
const BYTES_PER_VERTEX: u64 = 1300;
/// Memory that a tetrahedron takes besides its vertices [bytes].
const BYTES_PER_TETRAHEDRON: u64 = 150;
/// Most vertices of all pieces together where it is not known how much memory there is, and at any
/// rate: numbers of springs and entries stay well within 32 bits.
const MOST_VERTICES: u64 = 1 << 26;
/// Most tetrahedra of all bodies together.
const MOST_TETRAHEDRA: u64 = 4_000_000;
/// Scenes of so many vertices in all are built without asking how much memory there is.
const SMALL: u64 = 1 << 18;
/// Bytes of a file per vertex, with its share of faces, at the most: what is refused before it is
/// read is too large for certain.
const BYTES_OF_FILE: u64 = 200;
/// Most pieces, and most colliders.
const MOST_PIECES: usize = 5000;
const MOST_COLLIDERS: usize = 1000;

/// Vertices and tetrahedra of pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Vertices of all pieces.
    pub vertices: u64,
    /// Tetrahedra of all bodies.
    pub tetrahedra: u64,
}

impl Counts {
    /// Those of a piece, as far as is known before a file is read: of a file, what one of its length
    /// holds at the least.
    fn of(piece: &Piece) -> Self {
        let in_file = |file: &str| text::check_file(file.as_ref(), "").map_or(0, |length| length / BYTES_OF_FILE);
        match (&piece.mesh, &piece.body) {
            (_, Some(Body::File { file, .. } | Body::Filled { file, .. })) => {
                Self { vertices: in_file(file), tetrahedra: 0 }
            }
            (_, Some(body)) => {
                // one that is too large alone is refused with its cells
                let tetrahedra = Some(body.tetrahedra()).filter(|count| *count <= MOST_TETRAHEDRA).unwrap_or(0);
                Self { vertices: tetrahedra / 5, tetrahedra }
            }
            (Some(mesh), None) => Self { vertices: in_file(&mesh.file), tetrahedra: 0 },
            (None, None) => {
                let vertices = u64::from(piece.grid.columns) * u64::from(piece.grid.rows);
                Self { vertices, tetrahedra: 0 }
            }
        }
    }

    /// Those of a pattern.
    fn of_pattern(pattern: &Pattern) -> Self {
        Self { vertices: pattern.len() as u64, tetrahedra: pattern.tetrahedra().len() as u64 }
    }

    fn and(self, other: Self) -> Self {
        Self {
            vertices: self.vertices.saturating_add(other.vertices),
            tetrahedra: self.tetrahedra.saturating_add(other.tetrahedra),
        }
    }

    /// Refuses so much at `place`.
    fn check(self, place: &str) -> Result<(), InputError> {
        let available = if self.vertices > SMALL { available_memory() } else { None };
        why_too_large(self, available).map_or(Ok(()), |message| Err(InputError::new(place, message)))
    }
}

/// The counts of `pieces` while one after another is built.
pub(super) struct Budget(Vec<Counts>);

impl Budget {
    /// Of all `pieces`, refused at `place` if they are too large together.
    ///
    /// # Errors
    /// [`InputError`] with the count.
    pub fn of(pieces: &[Piece], place: &str) -> Result<Self, InputError> {
        let budget = Self(pieces.iter().map(Counts::of).collect());
        budget.check(place).map(|()| budget)
    }

    /// Replaces the estimate of piece `number` by what it has become.
    ///
    /// # Errors
    /// [`InputError`] when the pieces are too large together.
    pub fn built(&mut self, number: usize, pattern: &Pattern, place: &str) -> Result<(), InputError> {
        self.0[number] = Counts::of_pattern(pattern);
        self.check(place)
    }

    fn check(&self, place: &str) -> Result<(), InputError> {
        self.0.iter().fold(Counts::default(), |all, next| all.and(*next)).check(place)
    }
}

impl Scene {
    /// The field of which there are too many, with a sentence.
    pub(super) fn fault_of_counts(&self) -> Option<(&'static str, String)> {
        let counts =
            [("pieces", self.pieces.len() + 1, MOST_PIECES), ("colliders", self.colliders.len(), MOST_COLLIDERS)];
        let (name, count, most) = counts.into_iter().find(|(_, count, most)| count > most)?;
        Some((name, format!("{count} {name}; there may be {most}, take some out or join them")))
    }
}

/// Why pieces of so much in all cannot be built where so much memory is left [bytes], if they
/// cannot.
#[must_use]
pub fn why_too_large(counts: Counts, available: Option<u64>) -> Option<String> {
    let gigabytes = |bytes: u64| (bytes as f64 / 1e9 * 10.0).round() / 10.0;
    let Counts { vertices, tetrahedra } = counts;
    if tetrahedra > MOST_TETRAHEDRA {
        let message = format!("bodies of {tetrahedra} tetrahedra in all; there may be {MOST_TETRAHEDRA}");
        return Some(message + ", take fewer bodies or larger cells");
    }
    if vertices > MOST_VERTICES {
        let message = format!("cloth of {vertices} vertices in all; there may be {MOST_VERTICES}");
        return Some(message + ", take fewer columns and rows or fewer pieces");
    }
    let needed = vertices.saturating_mul(BYTES_PER_VERTEX) + tetrahedra * BYTES_PER_TETRAHEDRON;
    let left = available.filter(|left| needed > *left)?;
    Some(format!(
        "cloth of {vertices} vertices in all takes some {} GB of memory, and {} GB are left; take fewer columns and \
         rows or fewer pieces",
        gigabytes(needed),
        gigabytes(left)
    ))
}

/// Memory available without swapping, and within the limits of the process and of its group of
/// processes [bytes], if the system reports it.
#[must_use]
pub fn available_memory() -> Option<u64> {
    let number = |file: &str| std::fs::read_to_string(file).ok()?.trim().parse::<u64>().ok();
    let of_group =
        || Some(number("/sys/fs/cgroup/memory.max")?.saturating_sub(number("/sys/fs/cgroup/memory.current")?));
    let of_system = || {
        let text = std::fs::read_to_string("/proc/meminfo").ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
        let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
        Some(kilobytes * 1024)
    };
    // as by `ulimit -v`
    let of_process = || {
        let limits = std::fs::read_to_string("/proc/self/limits").ok()?;
        let limit = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
        let limit: u64 = limit.split_whitespace().next()?.parse().ok()?;
        let status = std::fs::read_to_string("/proc/self/status").ok()?;
        let used = status.lines().find_map(|line| line.strip_prefix("VmSize:"))?;
        let used: u64 = used.trim().strip_suffix("kB")?.trim().parse().ok()?;
        Some(limit.saturating_sub(used * 1024))
    };
    of_system().into_iter().chain(of_group()).chain(of_process()).min()
}
