//! How large a cloth may be: as large as memory holds.

use super::{InputError, Piece};

/// Memory that a vertex of a grid takes [bytes]. At 1025 × 1025 vertices 340 were measured to build
/// a scene, 850 to step it by symplectic Euler, and 1270 with isometric bending. Methods that
/// factor a matrix take more.
const BYTES_PER_VERTEX: u64 = 1300;
/// Most vertices of all grids together where it is not known how much memory there is, and at any
/// rate: numbers of springs and entries stay well within 32 bits.
const MOST_VERTICES: u64 = 1 << 26;
/// Grids of so many vertices in all are built without asking how much memory there is.
const SMALL: u64 = 1 << 18;

/// Refuses grids that memory cannot hold.
pub(super) fn check(pieces: &[Piece], place: &str) -> Result<(), InputError> {
    let vertices = vertices(pieces);
    let available = if vertices > SMALL { available_memory() } else { None };
    why_too_large(vertices, available).map_or(Ok(()), |message| Err(InputError::new(place, message)))
}

/// Number of vertices of all grids.
fn vertices(pieces: &[Piece]) -> u64 {
    let grids = pieces.iter().filter(|piece| piece.mesh.is_none() && piece.body.is_none()).map(|piece| piece.grid);
    grids.map(|grid| u64::from(grid.columns) * u64::from(grid.rows)).sum()
}

/// Why grids of so many vertices in all cannot be built where so much memory is left [bytes], if
/// they cannot.
#[must_use]
pub fn why_too_large(vertices: u64, available: Option<u64>) -> Option<String> {
    let gigabytes = |bytes: u64| (bytes as f64 / 1e9 * 10.0).round() / 10.0;
    let needed = vertices.saturating_mul(BYTES_PER_VERTEX);
    if vertices > MOST_VERTICES {
        return Some(format!(
            "a grid of {vertices} vertices; there may be {MOST_VERTICES}, take fewer columns and rows"
        ));
    }
    let left = available.filter(|left| needed > *left)?;
    Some(format!(
        "a grid of {vertices} vertices takes some {} GB of memory, and {} GB are left; take fewer columns and rows",
        gigabytes(needed),
        gigabytes(left)
    ))
}

/// Memory available without swapping, and within the limit of the group of processes [bytes], if
/// the system reports it.
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
    of_system().into_iter().chain(of_group()).min()
}
