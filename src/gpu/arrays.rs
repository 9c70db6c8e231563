//! The arrays of a step on a device, and their uploads.

use super::array::Array;
use super::clusters::Clusters;
use super::device::Device;
use super::fault::DeviceFault;
use super::levels::{Level, MOST_LEVELS, PAYS_BELOW, levels};
use super::packed::{Layout, Packed};
use super::schedule::{STRIDE, table};
use super::springs::Springs;
use crate::sim::Pattern;
use crate::sim::exec::pool::ThreadPool;

/// Threads of a group.
pub const GROUP: u32 = 256;
/// Vertices along a side of a tile of a grid.
const TILE: u32 = 16;

/// The constants of a step: numbers of the cloth, the springs of a grid, the range of triangles,
/// and the layout of [`Packed::given`].
type Constants = [[u32; 4]; 8];
/// `Control` of the kernels.
pub type Control = [u32; 8];

/// The arrays of a cloth on a device.
#[derive(Debug)]
pub struct Arrays {
    /// `Cloth` of the kernels.
    pub constants: Array,
    /// See [`super::schedule`].
    pub table: Array,
    /// [`Control`].
    pub control: Array,
    /// See [`Packed`]; likewise the next, and `touches`.
    pub places: Array,
    /// Further input of a step.
    pub given: Array,
    /// By vertex: the forces that iterations do not change [N], and `m/h²` [N/m].
    pub fixed: Array,
    /// The unknowns [m], twice: Chebyshev's recurrence needs the last two.
    pub states: [Array; 2],
    /// Those with the lowest energy.
    pub best: Array,
    /// See [`Springs`]; likewise `entries`.
    pub starts: Array,
    /// The springs by rows.
    pub entries: Array,
    /// Contacts with colliders.
    pub touches: Array,
    /// Energies by group.
    pub parts: Array,
    /// Levels, one to a [`STRIDE`].
    pub levels: Array,
    /// Residual forces, by vertex and node of a level [N]; then their corrections [m].
    pub forces: Array,
    /// See [`Clusters`]; likewise `lists`, `reached`, `parents`.
    pub nodes: Array,
    /// Contributions to nodes.
    pub lists: Array,
    /// Where the parents of a node begin.
    pub reached: Array,
    /// The nodes that reach it.
    pub parents: Array,
    /// Vertices by colour.
    pub order: Array,
    /// Where a colour begins in the order and how many it has, one to a [`STRIDE`].
    pub colours: Array,
    /// Downloaded result.
    pub home: Array,
    /// Vertices of the cloth.
    pub vertices: u32,
    /// Columns and rows, where the kernels of a grid are at work.
    pub grid: Option<[u32; 2]>,
    /// First node and nodes of each coarse level at work.
    pub ranges: Vec<[u32; 2]>,
    /// Vertices of each colour, where vertex block descent is at work.
    pub counts: Vec<u32>,
    coarse: Vec<Level>,
    clusters: Clusters,
    /// Springs uploaded last, and number of iterations in the table.
    uploaded: Option<Constants>,
    tabled: u32,
}

impl Default for Arrays {
    fn default() -> Self {
        Self {
            constants: Array::uniform("constants"),
            table: Array::uniform("iterations"),
            control: Array::storage("control numbers"),
            places: Array::storage("the vertices"),
            given: Array::storage("the states of the vertices"),
            fixed: Array::storage("the fixed forces"),
            states: [Array::storage("the unknowns"), Array::storage("the unknowns")],
            best: Array::storage("the best unknowns"),
            starts: Array::storage("the rows of the springs"),
            entries: Array::storage("the springs"),
            touches: Array::storage("the contacts"),
            parts: Array::storage("the partial sums"),
            levels: Array::uniform("levels"),
            forces: Array::storage("the forces"),
            nodes: Array::storage("the coarse levels"),
            lists: Array::storage("the coarse levels"),
            reached: Array::storage("the coarse levels"),
            parents: Array::storage("the coarse levels"),
            order: Array::storage("the colours"),
            colours: Array::uniform("colours"),
            home: Array::read_back("the results"),
            vertices: 0,
            grid: None,
            ranges: Vec::new(),
            counts: Vec::new(),
            coarse: Vec::new(),
            clusters: Clusters::default(),
            uploaded: None,
            tabled: 0,
        }
    }
}

impl Arrays {
    /// Uploads a step; `new` tells whether the springs have changed since the last. Returns whether
    /// the kernels have to bind anew.
    ///
    /// # Errors
    /// [`DeviceFault`] when the device cannot hold it.
    pub fn upload(
        &mut self,
        device: &Device,
        packed: &Packed,
        springs: &Springs,
        new: bool,
        pool: &ThreadPool,
    ) -> Result<bool, DeviceFault> {
        let n = packed.places.len();
        self.vertices = n as u32;
        let grid = springs.grid.map(|grid| [grid.columns, grid.rows]);
        // the kernels of a grid have other bindings than those of rows
        let mut fresh = grid.is_some() != self.grid.is_some();
        self.grid = grid;
        fresh |= self.places.upload_by(device, &packed.places, pool)?;
        fresh |= self.given.upload_by(device, &packed.given, pool)?;
        fresh |= self.touches.upload_by(device, &packed.touches, pool)?;
        let groups = self.groups().iter().product::<u32>();
        let [columns, rows] = self.grid.unwrap_or_default();
        let mut constants: Constants = [[0; 4]; 8];
        constants[0] = [self.vertices, columns, rows, groups];
        let range = springs.range.map(|stretch| (stretch as f32).to_bits());
        constants[6][..2].copy_from_slice(&range);
        let Layout { stride, moved, start } = packed.layout;
        constants[7][..3].copy_from_slice(&[stride, moved, start].map(|number| number as u32));
        for (constant, direction) in constants[1..6].iter_mut().zip(&springs.directions) {
            *constant = direction.map(f32::to_bits);
        }
        if new || self.uploaded.is_none() {
            fresh |= self.starts.upload(device, &springs.starts)?;
            fresh |= self.entries.upload(device, &springs.entries)?;
        }
        if self.uploaded != Some(constants) {
            fresh |= self.constants.upload(device, &constants)?;
            self.uploaded = Some(constants);
        }
        let [one, other] = &mut self.states;
        for array in [&mut self.fixed, one, other, &mut self.best] {
            fresh |= array.reserve(device, 16 * n)?;
        }
        fresh |= self.parts.reserve(device, 16 * groups as usize)?;
        fresh |= self.control.reserve(device, size_of::<Control>())?;
        self.home.reserve(device, 16 * n + size_of::<Control>())?;
        Ok(fresh)
    }

    /// Uploads the coarse levels, if they are `wanted`, where they pay. Returns likewise.
    ///
    /// # Errors
    /// [`DeviceFault`].
    pub fn upload_levels(
        &mut self,
        device: &Device,
        pattern: &Pattern,
        springs: &Springs,
        new: bool,
        wanted: bool,
    ) -> Result<bool, DeviceFault> {
        let pays = wanted && springs.least_gap < PAYS_BELOW;
        let coarse = if pays { levels(springs) } else { Vec::new() };
        let clusters = pays && springs.grid.is_none();
        let mut fresh = false;
        if clusters && self.clusters.update(pattern, springs, new) {
            let Clusters { nodes, lists, starts, parents, .. } = &self.clusters;
            fresh |= self.nodes.upload(device, nodes)?;
            fresh |= self.lists.upload(device, lists)?;
            fresh |= self.reached.upload(device, starts)?;
            fresh |= self.parents.upload(device, parents)?;
        }
        let ranges = if clusters { self.clusters.ranges.clone() } else { coarse.iter().map(range_of).collect() };
        if coarse != self.coarse || ranges != self.ranges {
            let mut table = vec![[0_u32; STRIDE as usize / 4]; MOST_LEVELS.max(ranges.len())];
            let count = ranges.len() as u32;
            for (at, (entry, [first, nodes])) in table.iter_mut().zip(&ranges).enumerate() {
                let order = [at as u32, count];
                match coarse.get(at) {
                    Some(level) => {
                        entry[..12].copy_from_slice(level.as_flattened());
                        entry[12..14].copy_from_slice(&order);
                    }
                    None => {
                        entry[..3].copy_from_slice(&[*first, *nodes, self.vertices]);
                        entry[4..6].copy_from_slice(&order);
                    }
                }
            }
            self.levels.upload(device, &table)?;
            (self.coarse, self.ranges) = (coarse, ranges);
            fresh = true;
        }
        if let Some([first, count]) = self.ranges.last() {
            fresh |= self.forces.reserve(device, 16 * (first + count) as usize)?;
        }
        Ok(fresh)
    }

    /// Uploads the colours, or forgets them where they are not `wanted`. Returns likewise.
    ///
    /// # Errors
    /// [`DeviceFault`].
    pub fn upload_colours(
        &mut self,
        device: &Device,
        springs: &Springs,
        new: bool,
        wanted: bool,
    ) -> Result<bool, DeviceFault> {
        if !wanted {
            let had_any = !self.counts.is_empty();
            self.counts.clear();
            return Ok(had_any);
        }
        if !new && !self.counts.is_empty() {
            return Ok(false);
        }
        let colouring = springs.colouring();
        self.counts = colouring.colours().map(|colour| colour.len() as u32).collect();
        let mut table = vec![[0_u32; STRIDE as usize / 4]; self.counts.len()];
        let mut first = 0;
        for (entry, count) in table.iter_mut().zip(&self.counts) {
            entry[..2].copy_from_slice(&[first, *count]);
            first += count;
        }
        self.order.upload(device, colouring.order())?;
        self.colours.upload(device, &table)?;
        Ok(true)
    }

    /// Makes the table of iterations long enough. Returns likewise.
    ///
    /// # Errors
    /// [`DeviceFault`].
    pub fn tabulate(&mut self, device: &Device, iterations: u32) -> Result<bool, DeviceFault> {
        if self.tabled >= iterations && self.tabled > 0 {
            return Ok(false);
        }
        self.tabled = iterations.next_power_of_two().max(64);
        self.table.upload(device, &table(self.tabled))
    }

    /// Groups of a kernel that runs over all vertices, in the order of the kernels of the springs.
    #[must_use]
    pub fn groups(&self) -> [u32; 2] {
        match self.grid {
            Some(sides) => sides.map(|side| side.div_ceil(TILE)),
            None => [self.vertices.div_ceil(GROUP), 1],
        }
    }
}

/// First vertex and number of vertices of a level of a grid.
fn range_of([_, [columns, rows, first, _], _]: &Level) -> [u32; 2] {
    [*first, columns * rows]
}
