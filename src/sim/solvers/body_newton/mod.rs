//! Newton's method on the energy of projective dynamics for a body: for comparison (Bouaziz et al.
//! 2014, figure 12), not for stepping.
//!
//! ```text
//! E(q) = 1/(2h²) Σ m |q - y|² + Σ w V/2 |F - p(F)|²,   ∇²E dq = -∇E,   q ← q + t dq
//! ```
//!
//! The Hessian is exact where it is positive definite, as its factorisation shows, so that the error
//! is squared in every iteration near the minimum. Elsewhere the negative eigenvalues of every
//! element are set to zero ([`density`]), so that every direction is one of descent. The matrix of
//! three unknowns per vertex is factored in every iteration, in an order that is found once; the
//! step is halved until `E` falls enough, as in `implicit-newton`.

mod density;

use super::implicit::blocks::BlockFactor;
use crate::sim::constraints::Constraints;
use crate::sim::exec::pool::ThreadPool;
use crate::sim::linear::FactorError;
use crate::sim::pattern::Tetrahedron;
use crate::sim::solver_interface::{Iteration, Minimiser, StepStage, StepStats, Stopwatch};
use crate::sim::{Cloth, Mat3, Real, StepError, StepInput, Vec3};
use density::{Density, Matrix};

/// Most halvings of a step.
const HALVINGS: u32 = 40;
/// Rounding error of the energy, relative to it.
const ROUNDING: Real = 1e-13;
/// Elements per task.
const ELEMENTS: usize = 64;
/// The blocks of an element on and below its diagonal: two of its vertices each.
const BLOCKS: [(usize, usize); 10] = [(0, 0), (1, 1), (2, 2), (3, 3), (1, 0), (2, 0), (3, 0), (2, 1), (3, 1), (3, 2)];

/// See the module.
pub(super) struct BodyNewton {
    density: Density,
    /// The system of the pattern and the free vertices that it was made for.
    system: Option<System>,
}

/// An element with where its part of the matrix goes.
struct Element {
    vertices: [usize; 4],
    coefficients: [[Real; 3]; 4],
    volume: Real,
    /// For each of the [`BLOCKS`] its number in the matrix, and whether it is transposed there; none
    /// if a vertex is held.
    entries: [Option<(usize, bool)>; 10],
}

/// Energy [J], slope [N] and Hessian [N/m] of an element by its vertices.
#[derive(Clone, Copy, Default)]
struct Terms {
    energy: Real,
    slope: [Vec3; 4],
    hessian: [Mat3; 10],
}

struct System {
    revision: u64,
    free: Vec<u32>,
    elements: Vec<Element>,
    /// Number of the block of each free vertex on the diagonal.
    diagonals: Vec<usize>,
    matrix: BlockFactor,
    terms: Vec<Terms>,
    /// `-∇E` by vertices [N]; not that of held ones.
    forces: Vec<Vec3>,
    /// `dq` by vertices [m], zero for held ones.
    step: Vec<Vec3>,
}

/// A step and where its iterate is.
struct At<'a> {
    cloth: &'a Cloth,
    input: &'a StepInput<'a>,
    /// Inertial target [m].
    target: &'a [Vec3],
    q: &'a [Vec3],
}

impl BodyNewton {
    /// For these constraints; `None` if there are others than strain and volume of tetrahedra, or
    /// none of them.
    pub fn new(constraints: &Constraints) -> Option<Self> {
        Density::of(constraints).map(|density| Self { density, system: None })
    }
}

impl Element {
    fn gradient(&self, q: &[Vec3]) -> Matrix {
        [0, 1, 2].map(|k| (0..4).map(|v| q[self.vertices[v]] * self.coefficients[v][k]).sum())
    }

    /// The change of `F` contracted with the contribution of each vertex: `Σ_k G_vk M_k`.
    fn at_vertices(&self, m: &Matrix) -> [Vec3; 4] {
        self.coefficients.map(|of_vertex| (0..3).map(|k| m[k] * of_vertex[k]).sum())
    }

    /// Its terms at `q`, without the negative eigenvalues of the Hessian if these are `projected`.
    fn terms(&self, density: &Density, q: &[Vec3], projected: bool) -> Terms {
        let expansion = density.expand(self.gradient(q));
        let slope = self.at_vertices(&expansion.slope).map(|slope| slope * self.volume);
        let mut hessian = [Mat3::ZERO; 10];
        for (value, mode) in expansion.modes.iter().filter(|(value, _)| *value > 0.0 || !projected) {
            let at = self.at_vertices(mode);
            for (block, (a, b)) in hessian.iter_mut().zip(BLOCKS) {
                let scaled = at[a] * (self.volume * value);
                *block += Mat3::from_cols(scaled * at[b].x, scaled * at[b].y, scaled * at[b].z);
            }
        }
        Terms { energy: self.volume * expansion.value, slope, hessian }
    }
}

impl System {
    /// Makes `system` one that fits a step: the old one while pattern and free vertices stay.
    fn prepare<'a>(system: &'a mut Option<Self>, input: &StepInput) -> Result<&'a mut Self, StepError> {
        let found = match system.take() {
            Some(same) if same.fits(input) => same,
            _ => Self::new(input)?,
        };
        Ok(system.insert(found))
    }

    fn fits(&self, input: &StepInput) -> bool {
        self.revision == input.pattern.revision() && self.free == input.partition.free
    }

    fn new(input: &StepInput) -> Result<Self, StepError> {
        let (pattern, partition) = (input.pattern, input.partition);
        let rest = pattern.rest_positions();
        let unknown = |vertex: u32| partition.is_free(vertex).then(|| partition.unknown_of[vertex as usize] as usize);
        let mut blocks: Vec<(usize, usize)> = (0..partition.free.len()).map(|at| (at, at)).collect();
        // column and row of each block of an element
        let place = |corners: &[u32; 4], (a, b): (usize, usize)| {
            let (row, column) = (unknown(corners[a])?, unknown(corners[b])?);
            Some((column.min(row), column.max(row), row < column))
        };
        for corners in pattern.tetrahedra() {
            blocks.extend(BLOCKS.iter().filter_map(|&pair| place(corners, pair).map(|(column, row, _)| (column, row))));
        }
        blocks.sort_unstable();
        blocks.dedup();
        let find = |column: usize, row: usize| {
            blocks.binary_search(&(column, row)).expect("every block of an element has been collected")
        };
        let of_corners = |corners: &[u32; 4]| {
            let element = Tetrahedron::of_rest(corners.map(|vertex| rest[vertex as usize]))?;
            let entries = BLOCKS.map(|pair| {
                place(corners, pair).map(|(column, row, is_transposed)| (find(column, row), is_transposed))
            });
            let vertices = corners.map(|vertex| vertex as usize);
            Some(Element { vertices, coefficients: element.coefficients(), volume: element.volume, entries })
        };
        let elements: Vec<Element> = pattern.tetrahedra().iter().filter_map(of_corners).collect();
        let points: Vec<Vec3> = partition.free.iter().map(|&vertex| rest[vertex as usize]).collect();
        Ok(Self {
            revision: pattern.revision(),
            free: partition.free.clone(),
            diagonals: (0..points.len()).map(|at| find(at, at)).collect(),
            matrix: BlockFactor::new(blocks.iter().copied(), &points, input.budget)?,
            terms: vec![Terms::default(); elements.len()],
            elements,
            forces: vec![Vec3::ZERO; rest.len()],
            step: vec![Vec3::ZERO; rest.len()],
        })
    }

    /// Energy of the inertia [J].
    fn inertia(&self, at: &At) -> Real {
        let of_vertex = |&vertex: &u32| {
            let i = vertex as usize;
            at.cloth.masses[i] * at.q[i].distance_squared(at.target[i])
        };
        self.free.iter().map(of_vertex).sum::<Real>() / (2.0 * at.input.dt * at.input.dt)
    }

    /// `E` [J].
    fn value(&self, density: &Density, at: &At) -> Real {
        let elements = &self.elements;
        let mut energies = vec![0.0; elements.len()];
        let of_element = |e: usize| elements[e].volume * density.value(elements[e].gradient(at.q));
        at.input.pool.fill(&mut energies, ELEMENTS, of_element);
        self.inertia(at) + energies.iter().sum::<Real>()
    }

    /// Sets the matrix to the Hessian, the [`projected`](Element::terms) one if so wanted, and the
    /// forces. Returns `E` [J].
    fn assemble(&mut self, density: &Density, at: &At, projected: bool) -> Real {
        let Self { elements, terms, matrix, forces, free, diagonals, .. } = self;
        at.input.pool.fill(terms, ELEMENTS, |e| elements[e].terms(density, at.q, projected));
        matrix.clear();
        for (&vertex, &diagonal) in free.iter().zip(&*diagonals) {
            let i = vertex as usize;
            let inertia = at.cloth.masses[i] / (at.input.dt * at.input.dt);
            forces[i] = (at.target[i] - at.q[i]) * inertia;
            matrix.add(diagonal, &Mat3::from_diagonal(Vec3::splat(inertia)), true);
        }
        for (element, terms) in elements.iter().zip(&*terms) {
            element.vertices.iter().zip(terms.slope).for_each(|(&vertex, slope)| forces[vertex] -= slope);
            for ((entry, block), (a, b)) in element.entries.iter().zip(&terms.hessian).zip(BLOCKS) {
                match entry {
                    Some((entry, false)) => matrix.add(*entry, block, a == b),
                    Some((entry, true)) => matrix.add(*entry, &block.transpose(), a == b),
                    None => {}
                }
            }
        }
        self.inertia(at) + self.terms.iter().map(|terms| terms.energy).sum::<Real>()
    }

    /// Finds `dq`. Returns `E` [J] and the slope of `E` along `dq` [J].
    fn find_step(&mut self, density: &Density, at: &At, pool: &ThreadPool) -> Result<(Real, Real), StepError> {
        let energy = self.assemble(density, at, false);
        match self.matrix.factor(at.input.budget, pool) {
            Err(FactorError::NotPositiveDefinite) => {
                self.assemble(density, at, true);
                self.matrix.factor(at.input.budget, pool)?;
            }
            done => done?,
        }
        let Self { matrix, free, forces, step, .. } = self;
        matrix.solve(free, |i| forces[i], |i, change| step[i] = change, pool);
        let slope = -free.iter().map(|&vertex| forces[vertex as usize].dot(step[vertex as usize])).sum::<Real>();
        Ok((energy, slope))
    }
}

impl Minimiser for BodyNewton {
    // it takes no steps, only iterations
    fn limit_iterations(&mut self, _: u32) {}

    fn iterate(&mut self, cloth: &Cloth, input: &StepInput, q: &mut [Vec3]) -> Result<Iteration, StepError> {
        let system = System::prepare(&mut self.system, input)?;
        let mut stats = StepStats::default();
        let mut watch = Stopwatch::start(input.clock);
        let mut target = Vec::new();
        input.predict(cloth, &mut target);
        let at = At { cloth, input, target: &target, q: &*q };
        let (energy, slope) = system.find_step(&self.density, &at, input.pool)?;
        let (mut share, mut trial, mut moved) = (1.0, q.to_vec(), false);
        for _ in 0..HALVINGS {
            for ((trial, q), step) in trial.iter_mut().zip(&*q).zip(&system.step) {
                *trial = *q + *step * share;
            }
            let value = system.value(&self.density, &At { q: &trial, cloth, input, target: &target });
            if value <= energy + 1e-4 * share * slope + ROUNDING * energy.abs() {
                q.copy_from_slice(&trial);
                moved = true;
                break;
            }
            share *= 0.5;
        }
        watch.lap(&mut stats, StepStage::Solve);
        let solved = !moved || -slope <= ROUNDING * ROUNDING * energy.abs();
        Ok(Iteration { seconds: stats.total_seconds(), solved })
    }

    fn objective(&self, cloth: &Cloth, input: &StepInput, q: &[Vec3]) -> Option<Real> {
        let mut target = Vec::new();
        input.predict(cloth, &mut target);
        let at = At { cloth, input, target: &target, q };
        match &self.system {
            Some(system) if system.fits(input) => Some(system.value(&self.density, &at)),
            _ => Some(System::new(input).ok()?.value(&self.density, &at)),
        }
    }

    fn minimises_potential(&self, _: &StepInput) -> bool {
        false
    }

    fn newton(&self, _: &StepInput) -> Option<Box<dyn Minimiser>> {
        Some(Box::new(Self { density: self.density, system: None }))
    }
}
