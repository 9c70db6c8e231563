//! Which vertices a scene pins, in words that mean the same for any cloth.

use crate::sim::{Real, Vec3};

crate::choices! {
    /// Pinned vertices.
    #[derive(Default)]
    pub enum PinChoice {
        /// None: the cloth falls.
        #[default]
        None = "none",
        /// One: the first upper corner.
        One = "one",
        /// Two: the upper corners.
        Two = "two",
        /// Four: all corners.
        Four = "four",
        /// Many: points along the upper edge, like curtain rings.
        Many = "many",
        /// The whole upper edge.
        TopEdge = "top_edge",
        /// The whole lower edge.
        BottomEdge = "bottom_edge",
        /// The whole left edge.
        LeftEdge = "left_edge",
        /// The whole right edge.
        RightEdge = "right_edge",
        /// A patch in the middle, a twelfth as wide and as high as the cloth.
        Middle = "middle",
    }
}

/// Number of rings for [`PinChoice::Many`].
const RINGS: usize = 6;
/// Share of a mesh's height or width that counts as its edge.
const EDGE: Real = 0.01;
/// Half the width of the patch in the middle, as a share of the cloth's.
const PATCH: Real = 1.0 / 24.0;

impl PinChoice {
    /// All choices, simple ones first.
    #[must_use]
    pub fn all() -> &'static [Self] {
        Self::ALL
    }

    /// The chosen vertices of a grid of `columns` × `rows`, rising.
    #[must_use]
    pub fn on_grid(self, columns: usize, rows: usize) -> Vec<u32> {
        let last = columns - 1;
        let bottom = (rows - 1) * columns;
        let mut chosen: Vec<usize> = match self {
            Self::None => vec![],
            Self::One => vec![0],
            Self::Two => vec![0, last],
            Self::Four => vec![0, last, bottom, bottom + last],
            Self::Many => (0..RINGS).map(|ring| ring * last / (RINGS - 1)).collect(),
            Self::TopEdge => (0..columns).collect(),
            Self::BottomEdge => (bottom..=bottom + last).collect(),
            Self::LeftEdge => (0..rows).map(|row| row * columns).collect(),
            Self::RightEdge => (0..rows).map(|row| row * columns + last).collect(),
            Self::Middle => {
                let near = |at: usize, count: usize| {
                    let off = (at as Real - 0.5 * (count - 1) as Real).abs();
                    off <= (PATCH * (count - 1) as Real).max(0.5)
                };
                (0..columns * rows).filter(|i| near(i % columns, columns) && near(i / columns, rows)).collect()
            }
        };
        chosen.dedup();
        chosen.into_iter().map(|vertex| vertex as u32).collect()
    }

    /// The chosen vertices of a mesh, rising: its edges and corners are taken by position [m].
    #[must_use]
    pub fn on_mesh(self, positions: &[Vec3]) -> Vec<u32> {
        let (low, high) = bounds(positions);
        let size = high - low;
        let all = || 0..positions.len() as u32;
        let at = |vertex: u32| positions[vertex as usize];
        let top: Vec<u32> = all().filter(|&v| at(v).y >= high.y - EDGE * size.y).collect();
        let extreme = |direction: Vec3, of: &[u32]| {
            of.iter().copied().max_by(|&a, &b| at(a).dot(direction).total_cmp(&at(b).dot(direction)))
        };
        let long = if size.x >= size.z { Vec3::X } else { Vec3::Z };
        let mut chosen: Vec<u32> = match self {
            Self::None => vec![],
            Self::One => extreme(Vec3::NEG_X, &top).into_iter().collect(),
            Self::Two => [-long, long].into_iter().filter_map(|way| extreme(way, &top)).collect(),
            Self::Four => {
                [Vec3::NEG_X, Vec3::X, Vec3::NEG_Z, Vec3::Z].into_iter().filter_map(|way| extreme(way, &top)).collect()
            }
            Self::Many => (0..RINGS)
                .filter_map(|ring| {
                    let (sin, cos) = (ring as Real / RINGS as Real * std::f64::consts::TAU).sin_cos();
                    extreme(Vec3::new(cos, 0.0, sin), &top)
                })
                .collect(),
            Self::TopEdge => top,
            Self::BottomEdge => all().filter(|&v| at(v).y <= low.y + EDGE * size.y).collect(),
            Self::LeftEdge => all().filter(|&v| at(v).x <= low.x + EDGE * size.x).collect(),
            Self::RightEdge => all().filter(|&v| at(v).x >= high.x - EDGE * size.x).collect(),
            Self::Middle => {
                let middle = low.midpoint(high);
                let near =
                    |v: u32| (at(v) - middle).abs().cmple(size * PATCH + Real::EPSILON * size.max_element()).all();
                all().filter(|&v| near(v)).collect()
            }
        };
        chosen.sort_unstable();
        chosen.dedup();
        chosen
    }
}

/// Lowest and highest coordinates of `positions` [m]; the origin twice for none.
#[must_use]
pub fn bounds(positions: &[Vec3]) -> (Vec3, Vec3) {
    let Some(&first) = positions.first() else { return (Vec3::ZERO, Vec3::ZERO) };
    positions.iter().fold((first, first), |(low, high), &x| (low.min(x), high.max(x)))
}
