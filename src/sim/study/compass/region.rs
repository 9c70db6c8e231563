//! The part of a square in which a condition holds, sampled finely only near its border.
//!
//! Some nodes of a coarse grid are tried. A cell whose corners differ is divided into four, down to
//! a fine grid; so is one with a node on its sides that differs from its corners, so that a border
//! that leaves a divided cell is followed. The border between two neighbouring nodes of the fine
//! grid is then found by bisection. A part smaller than a coarse cell that meets no other part of
//! the border is missed. Nodes near a given point are tried first; the result does not depend on
//! the order.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use crate::sim::Real;

/// Cells along a side of the coarse grid, and of the fine one; powers of two.
const COARSE: usize = 4;
const FINE: usize = 32;
/// Nodes along a side of the fine grid.
const NODES: usize = FINE + 1;
/// Halvings of the fine cell between the two nodes on either side of the border.
const HALVINGS: u32 = 4;

/// A point of the square: both coordinates from 0 to 1.
pub type Point = [Real; 2];

/// Whether something holds at a point; it hears the share of all work that is done.
pub type Holds<'a> = dyn FnMut(Point, Real) -> ControlFlow<(), bool> + 'a;

/// Knowledge of a square.
#[derive(Debug, Clone, PartialEq)]
pub struct Region {
    /// Whether it holds at each node that was tried, or lies in a cell that is not divided, row by
    /// row.
    nodes: Vec<Option<bool>>,
    /// Width of the finest cells so far, in fine cells.
    spacing: usize,
    /// Whether all nodes at that spacing are known.
    is_whole: bool,
    /// Where the border crosses the side that leads from a node to the next one, along the first
    /// coordinate or the second: as a share of it.
    crossings: BTreeMap<(usize, bool), Real>,
    /// Number of points that were tried.
    tried: usize,
}

impl Region {
    /// Finds the region in which `holds`, which is asked about a point and hears the share of the
    /// work that is done. Points near `near` are tried first. `show` sees the present result: every
    /// node of the coarse grid, and then every grid that is complete.
    pub fn find(near: Point, holds: &mut Holds, show: &mut dyn FnMut(&Self)) -> ControlFlow<(), Self> {
        let mut region = Self {
            nodes: vec![None; NODES * NODES],
            spacing: FINE / COARSE,
            is_whole: false,
            crossings: BTreeMap::new(),
            tried: 0,
        };
        let levels = (FINE / COARSE).ilog2() + 2;
        let share = |level: u32, within: Real| (Real::from(level) + within) / Real::from(levels);
        let lattice: Vec<usize> = (0..NODES).step_by(region.spacing).collect();
        let mut all: Vec<[usize; 2]> = lattice.iter().flat_map(|&j| lattice.iter().map(move |&i| [i, j])).collect();
        nearest_first(&mut all, near, 0.0);
        for (number, node) in all.iter().enumerate() {
            region.try_node(*node, share(0, number as Real / all.len() as Real), holds)?;
            show(&region);
        }
        region.is_whole = true;
        let mut level = 0;
        while region.spacing > 1 {
            show(&region);
            level += 1;
            region.divide(near, holds, &|within| share(level, within))?;
        }
        show(&region);
        region.find_crossings(holds, &|within| share(level + 1, within))?;
        ControlFlow::Continue(region)
    }

    /// Number of points that were tried.
    #[must_use]
    pub fn tried(&self) -> usize {
        self.tried
    }

    /// Whether it holds at a node of the fine grid, by its number along each coordinate, from 0 to
    /// [`side`](Self::side).
    #[must_use]
    pub fn node(&self, [i, j]: [usize; 2]) -> Option<bool> {
        self.nodes[j * NODES + i]
    }

    /// Cells along a side of the fine grid.
    #[must_use]
    pub const fn side() -> usize {
        FINE
    }

    /// The nodes of the coarse grid with whether it holds there, while not all of them are known;
    /// then none.
    pub fn coarse_nodes(&self) -> impl Iterator<Item = (Point, bool)> + '_ {
        let nodes = (0..NODES * NODES).filter(|_| !self.is_whole);
        nodes.filter_map(|node| {
            let place = [node % NODES, node / NODES].map(|x| x as Real / FINE as Real);
            self.nodes[node].map(|holds| (place, holds))
        })
    }

    /// Whether it holds at the nearest node; none while that is unknown.
    #[must_use]
    pub fn holds_at(&self, point: Point) -> Option<bool> {
        let cells = (FINE / self.spacing) as Real;
        self.node(point.map(|x| (x.clamp(0.0, 1.0) * cells).round() as usize * self.spacing))
    }

    fn try_node(&mut self, node: [usize; 2], share: Real, holds: &mut Holds) -> ControlFlow<(), bool> {
        let known = self.node(node);
        if let Some(known) = known {
            return ControlFlow::Continue(known);
        }
        let found = holds(node.map(|x| x as Real / FINE as Real), share)?;
        self.nodes[node[1] * NODES + node[0]] = Some(found);
        self.tried += 1;
        ControlFlow::Continue(found)
    }

    /// Halves the spacing: tries the nodes of cells that the border goes through, and takes those
    /// of the others to be as their corners.
    fn divide(&mut self, near: Point, holds: &mut Holds, share: &dyn Fn(Real) -> Real) -> ControlFlow<()> {
        let (width, half) = (self.spacing, self.spacing / 2);
        let mut cells: Vec<[usize; 2]> =
            (0..FINE).step_by(width).flat_map(|j| (0..FINE).step_by(width).map(move |i| [i, j])).collect();
        nearest_first(&mut cells, near, half as Real);
        let of_cell = |[i, j]: [usize; 2]| {
            let steps = [0, half, 2 * half];
            steps.into_iter().flat_map(move |y| steps.into_iter().map(move |x| [i + x, j + y]))
        };
        let mut divided = vec![false; cells.len()];
        // a border that leaves a divided cell leads to the next one
        loop {
            let is_mixed = |cell: &[usize; 2]| {
                let mut known = of_cell(*cell).filter_map(|node| self.node(node));
                let first = known.next();
                known.any(|other| Some(other) != first)
            };
            let next: Vec<usize> = (0..cells.len()).filter(|&at| !divided[at] && is_mixed(&cells[at])).collect();
            if next.is_empty() {
                break;
            }
            for (number, &at) in next.iter().enumerate() {
                divided[at] = true;
                let share = share(number as Real / next.len() as Real);
                for node in of_cell(cells[at]) {
                    self.try_node(node, share, holds)?;
                }
            }
        }
        for cell in cells {
            let corner = self.node(cell);
            for [i, j] in of_cell(cell) {
                let node = &mut self.nodes[j * NODES + i];
                *node = node.or(corner);
            }
        }
        self.spacing = half;
        ControlFlow::Continue(())
    }

    /// Finds where the border crosses between neighbouring nodes.
    fn find_crossings(&mut self, holds: &mut Holds, share: &dyn Fn(Real) -> Real) -> ControlFlow<()> {
        let sides: Vec<(usize, bool)> = (0..NODES * NODES)
            .flat_map(|node| [(node, false), (node, true)])
            .filter(|&(node, upwards)| {
                let [i, j] = [node % NODES, node / NODES];
                let next = if upwards { [i, j + 1] } else { [i + 1, j] };
                next.iter().all(|&x| x < NODES) && self.node([i, j]) != self.node(next)
            })
            .collect();
        for (number, &(node, upwards)) in sides.iter().enumerate() {
            let begins = self.nodes[node];
            let share = share(number as Real / sides.len() as Real);
            let [x, y] = [node % NODES, node / NODES].map(|x| x as Real / FINE as Real);
            let (mut same, mut other) = (0.0, 1.0);
            for _ in 0..HALVINGS {
                let middle: Real = 0.5 * (same + other);
                let along = middle / FINE as Real;
                self.tried += 1;
                let found = holds(if upwards { [x, y + along] } else { [x + along, y] }, share)?;
                *(if Some(found) == begins { &mut same } else { &mut other }) = middle;
            }
            self.crossings.insert((node, upwards), 0.5 * (same + other));
        }
        ControlFlow::Continue(())
    }

    /// Where the border crosses the side from node `a` to `b`, its neighbour at the present
    /// spacing, to the right of it or above.
    fn crossing(&self, a: [usize; 2], b: [usize; 2]) -> Point {
        let share = self.crossings.get(&(a[1] * NODES + a[0], b[1] > a[1])).copied().unwrap_or(0.5);
        [0, 1].map(|axis| (a[axis] as Real + share * (b[axis] as Real - a[axis] as Real)) / FINE as Real)
    }

    /// The corners of a cell, counter-clockwise, and where the border crosses the side that follows
    /// each, if it does.
    fn cell(&self, [i, j]: [usize; 2]) -> [([usize; 2], bool, Option<Point>); 4] {
        let w = self.spacing;
        let corners = [[i, j], [i + w, j], [i + w, j + w], [i, j + w]];
        // unknown nodes do not hide known ones
        let holds = corners.map(|corner| self.node(corner).unwrap_or(true));
        std::array::from_fn(|at| {
            let next = (at + 1) % 4;
            let [a, b] = if at < 2 { [corners[at], corners[next]] } else { [corners[next], corners[at]] };
            (corners[at], holds[at], (holds[at] != holds[next]).then(|| self.crossing(a, b)))
        })
    }

    fn cells(&self) -> impl Iterator<Item = [([usize; 2], bool, Option<Point>); 4]> + '_ {
        let lattice = move || (0..FINE).step_by(self.spacing);
        lattice().flat_map(move |j| lattice().map(move |i| self.cell([i, j])))
    }

    /// The border, as pieces of straight lines; none before the coarse grid is complete.
    #[must_use]
    pub fn border(&self) -> Vec<[Point; 2]> {
        let mut border = Vec::new();
        if !self.is_whole {
            return border;
        }
        for cell in self.cells() {
            let crossings: Vec<Point> = cell.iter().filter_map(|(_, _, crossing)| *crossing).collect();
            match crossings[..] {
                [a, b] => border.push([a, b]),
                // corners across from each other fail: each is cut off
                [a, b, c, d] if cell[0].1 => border.extend([[a, b], [c, d]]),
                [a, b, c, d] => border.extend([[d, a], [b, c]]),
                _ => {}
            }
        }
        border
    }

    /// The part in which it does not hold, as convex polygons: before the coarse grid is complete,
    /// a square around each node.
    #[must_use]
    pub fn failing(&self) -> Vec<Vec<Point>> {
        if !self.is_whole {
            let half = 0.5 * self.spacing as Real / FINE as Real;
            let square = |[x, y]: Point| {
                let [[left, right], [low, high]] = [x, y].map(|x| [(x - half).max(0.0), (x + half).min(1.0)]);
                vec![[left, low], [right, low], [right, high], [left, high]]
            };
            return self.coarse_nodes().filter(|(_, holds)| !holds).map(|(node, _)| square(node)).collect();
        }
        let place = |node: [usize; 2]| node.map(|x| x as Real / FINE as Real);
        let mut polygons: Vec<Vec<Point>> = Vec::new();
        let mut open: Option<Vec<Point>> = None;
        for cell in self.cells() {
            let fails = cell.iter().filter(|(_, holds, _)| !holds).count();
            if fails == 4 {
                // cells beside each other are one rectangle
                let [left, right, above, last] = cell.map(|(corner, _, _)| place(corner));
                match &mut open {
                    Some(strip) if strip[1] == left => (strip[1], strip[2]) = (right, above),
                    _ => polygons.extend(open.replace(vec![left, right, above, last])),
                }
                continue;
            }
            polygons.extend(open.take());
            if fails == 0 {
                continue;
            }
            if fails == 2 && cell[0].1 == cell[2].1 {
                for at in (0..4).filter(|&at| !cell[at].1) {
                    let before = cell[(at + 3) % 4].2;
                    polygons.extend(before.zip(cell[at].2).map(|(a, b)| vec![a, place(cell[at].0), b]));
                }
                continue;
            }
            let around = cell.iter().flat_map(|(corner, holds, crossing)| {
                [(!holds).then(|| place(*corner)), *crossing].into_iter().flatten()
            });
            polygons.push(around.collect());
        }
        polygons.extend(open);
        polygons
    }
}

/// Sorts nodes by their distance from a point, those of cells by that of the cells' middles, which
/// are `middle` fine cells on.
fn nearest_first(nodes: &mut [[usize; 2]], near: Point, middle: Real) {
    let distance = |node: [usize; 2]| {
        let [x, y] = [0, 1].map(|axis| (node[axis] as Real + middle) / FINE as Real - near[axis]);
        x.hypot(y)
    };
    nodes.sort_by(|a, b| distance(*a).total_cmp(&distance(*b)));
}
