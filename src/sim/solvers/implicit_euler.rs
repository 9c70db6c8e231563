//! Implicit Euler, one linearised step with clamped Jacobian blocks.
//!
//! ```text
//! (M - h² Jˣ - h Jᵛ) dv = h F + h² Jˣ v;   v⁺ = v + dv;   x⁺ = x + h v⁺
//! ```
//!
//! Kang, algorithms 1 and 3 (with the sign of `physics.md` section 2), after Baraff and Witkin 1998. First order.
//! Bounded for any step: with clamped blocks the matrix is positive definite, also under compression. The matrix of
//! 3×3 blocks is factored anew in every step; its ordering and symbolic factor are kept while pattern, pins and the set
//! of active spring families stay.

use crate::sim::forces::SpringSum;
use crate::sim::forces::springs::{clamped_jacobian, outer};
use crate::sim::linear::{BlockMatrix, Cholesky, Structure};
use crate::sim::params::{NoSettings, Tunable};
use crate::sim::solver::{Group, Info, Keeps, Stability, Stage, Stopwatch};
use crate::sim::{Cloth, Mat3, Real, Solver, StepError, StepInput, StepStats, Vec3};

pub(super) static INFO: Info = Info {
    id: "implicit-euler",
    name: "Implicit Euler",
    group: Group::Implicit,
    source: "Kang, algorithms 1 and 3; Baraff and Witkin 1998",
    order: 1,
    stability: Stability::Unconditional,
    cost: "a sparse factorisation of 3n unknowns",
    summary: "One linearised implicit step: holds at any stiffness and step, damps fine motion, and costs the most.",
    ignores: &[],
    keeps: Keeps { momentum: true, angular_momentum: false, free_fall: true },
};

/// How much stiffer a contact is than all else that acts on its vertex.
const CONTACT_STIFFNESS: Real = 100.0;

/// See the module.
#[derive(Debug, Default)]
pub struct ImplicitEuler {
    settings: NoSettings,
    springs: SpringSum,
    forces: Vec<Vec3>,
    system: Option<System>,
    /// Right-hand side, then the change of velocity of the free vertices; three scalars per unknown.
    solution: Vec<f64>,
}

/// What stays the same from step to step.
#[derive(Debug)]
struct System {
    structure: Structure,
    matrix: BlockMatrix,
    factor: Cholesky,
}

impl System {
    fn new(input: &StepInput) -> Result<Self, StepError> {
        let structure = Structure::of(input);
        let matrix = BlockMatrix::new(&structure);
        let factor = Cholesky::analyse_blocks(&matrix.lower, &structure)?;
        Ok(Self { structure, matrix, factor })
    }

    /// Holds the vertices that press on a collider: `W (b - x - h v⁺)` with `W = w I` where friction holds, otherwise
    /// `W = w n nᵀ` and the sliding friction.
    fn add_contacts(&mut self, cloth: &Cloth, input: &StepInput, rhs: &mut [f64]) {
        let h = input.dt;
        for touch in input.contacts {
            let i = touch.vertex as usize;
            let unknown = input.partition.unknown_of[i];
            let weight = CONTACT_STIFFNESS * input.contact_weight(touch.vertex, cloth.masses[i]);
            let hold = match touch.sliding {
                None => Mat3::from_diagonal(Vec3::splat(weight)),
                Some(friction) => {
                    add(rhs, unknown, friction);
                    outer(touch.normal) * weight
                }
            };
            self.matrix.add_diagonal(self.structure.diagonal(unknown as usize), &(hold * (h * h)));
            let gap = touch.point - cloth.positions[i] - cloth.velocities[i] * h;
            add(rhs, unknown, hold * gap * h);
        }
    }

    /// Fills the matrix, and adds to `rhs` [N·s] what the Jacobians contribute: `h² Jˣ v`, and the prescribed change of
    /// velocity of pinned neighbours.
    fn assemble(&mut self, cloth: &Cloth, input: &StepInput, rhs: &mut [f64]) {
        let h = input.dt;
        let partition = input.partition;
        let springs = input.pattern.springs();
        let stiffness = input.material.stiffness_by_family();
        let damping = Mat3::from_diagonal(Vec3::splat(h * input.material.damping));
        self.matrix.clear();
        for (unknown, &vertex) in partition.free.iter().enumerate() {
            let mass = Mat3::from_diagonal(Vec3::splat(cloth.masses[vertex as usize]));
            self.matrix.add_diagonal(self.structure.diagonal(unknown), &mass);
        }
        for (e, &[i, j]) in springs.ends.iter().enumerate() {
            let k = stiffness[springs.families[e] as usize];
            if k == 0.0 {
                continue;
            }
            let offset = cloth.positions[j as usize] - cloth.positions[i as usize];
            let stiff = clamped_jacobian(k, springs.rest_lengths[e], offset) * (h * h);
            let block = stiff + damping;
            let relative = stiff * (cloth.velocities[j as usize] - cloth.velocities[i as usize]);
            for (vertex, other, change) in [(i, j, relative), (j, i, -relative)] {
                let unknown = partition.unknown_of[vertex as usize];
                if !partition.is_free(vertex) {
                    continue;
                }
                self.matrix.add_diagonal(self.structure.diagonal(unknown as usize), &block);
                add(rhs, unknown, change);
                if !partition.is_free(other) {
                    add(rhs, unknown, block * prescribed_change(cloth, input, other));
                }
            }
            if let Some(slot) = self.structure.slot(e) {
                self.matrix.add_off_diagonal(slot, &-block);
            }
        }
    }
}

/// Change of velocity of a prescribed vertex over the step [m/s].
fn prescribed_change(cloth: &Cloth, input: &StepInput, vertex: u32) -> Vec3 {
    let prescribed = &input.partition.prescribed;
    prescribed
        .binary_search_by_key(&vertex, |p| p.vertex)
        .map_or(Vec3::ZERO, |at| prescribed[at].velocity - cloth.velocities[vertex as usize])
}

fn add(rhs: &mut [f64], unknown: u32, value: Vec3) {
    let at = 3 * unknown as usize;
    rhs[at] += value.x;
    rhs[at + 1] += value.y;
    rhs[at + 2] += value.z;
}

impl Solver for ImplicitEuler {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn settings(&self) -> &dyn Tunable {
        &self.settings
    }

    fn settings_mut(&mut self) -> &mut dyn Tunable {
        &mut self.settings
    }

    fn step(&mut self, cloth: &mut Cloth, input: &StepInput) -> Result<StepStats, StepError> {
        let mut stats = StepStats { iterations: 1, factorisations: 1, ..StepStats::default() };
        let mut watch = Stopwatch::start(input.clock);
        let free = &input.partition.free;
        let h = input.dt;

        let system = match self.system.take() {
            Some(system) if system.structure.fits(input) => self.system.insert(system),
            _ => self.system.insert(System::new(input)?),
        };
        watch.lap(&mut stats, Stage::Factor);

        self.springs.add_up_forces(input.pattern, input.material, cloth, &mut self.forces);
        self.solution.clear();
        self.solution.resize(3 * free.len(), 0.0);
        for (unknown, &vertex) in free.iter().enumerate() {
            let force = self.forces[vertex as usize] + input.external[vertex as usize];
            add(&mut self.solution, unknown as u32, force * h);
        }
        system.assemble(cloth, input, &mut self.solution);
        system.add_contacts(cloth, input, &mut self.solution);
        watch.lap(&mut stats, Stage::Assemble);

        system.factor.factor(&system.matrix.lower)?;
        watch.lap(&mut stats, Stage::Factor);

        system.factor.solve(&mut self.solution);
        for (dv, &vertex) in self.solution.chunks_exact(3).zip(free) {
            let vertex = vertex as usize;
            cloth.velocities[vertex] += Vec3::from_slice(dv);
            cloth.positions[vertex] += cloth.velocities[vertex] * h;
        }
        watch.lap(&mut stats, Stage::Solve);
        Ok(stats)
    }

    fn reset(&mut self) {
        self.system = None;
    }
}
