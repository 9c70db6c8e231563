//! Newton's method on the energy of projective dynamics for a body: for comparison (Bouaziz et al.
//! 2014, figure 12), not for stepping.
//!
//! ```text
//! E(q) = 1/(2h²) Σ m |q - y|² + Σ w V/2 |F - p(F)|²,   ∇²E dq = -∇E,   q ← q + t dq
//! ```
//!
//! The energy of an element depends on the signed singular values of `F` alone, so the eigenvectors
//! of its Hessian are known (Smith, de Goes and Kim 2019): changes of the three values, and for
//! each two axes a rotation and a stretch between them. Negative eigenvalues are set to zero, so
//! that every direction is one of descent. The matrix of three unknowns per vertex is factored in
//! every iteration; the step is halved until `E` falls enough, as in `implicit-newton`.

use crate::sim::constraints::{Constraints, SignedSvd, TetrahedralStrain, Volume, clamp_volume};
use crate::sim::linear::{FaerCholesky, LowerTriangle};
use crate::sim::pattern::Tetrahedron;
use crate::sim::solver_interface::{Iteration, Minimiser, StepStats, Stopwatch};
use crate::sim::{Cloth, Real, StepError, StepInput, Vec3};

/// Most halvings of a step.
const HALVINGS: u32 = 40;
/// Rounding error of the energy, relative to it.
const ROUNDING: Real = 1e-13;
/// Two values are the same up to this share of the larger.
const SAME: Real = 1e-9;

/// A 3×3 matrix by columns.
type Matrix = [Vec3; 3];

/// See the module.
pub(super) struct BodyNewton {
    strain: Option<TetrahedralStrain>,
    volume: Option<Volume>,
    /// The system of the pattern and the free vertices that it was made for.
    system: Option<System>,
}

/// An element with where its part of the matrix goes.
struct Element {
    vertices: [usize; 4],
    coefficients: [[Real; 3]; 4],
    volume: Real,
    /// Unknown of each vertex, one third of the number of its first; none where it is held.
    unknowns: [Option<usize>; 4],
}

struct System {
    revision: u64,
    free: Vec<u32>,
    elements: Vec<Element>,
    matrix: LowerTriangle,
    factor: FaerCholesky,
}

impl BodyNewton {
    /// For these constraints; `None` if there are others than strain and volume of tetrahedra, or
    /// none of them.
    pub fn new(constraints: &Constraints) -> Option<Self> {
        let Constraints { tetrahedral_strain: strain, volume, .. } = *constraints;
        let known = Constraints { tetrahedral_strain: strain, volume, ..Constraints::default() };
        (*constraints == known && !known.is_empty()).then_some(Self { strain, volume, system: None })
    }

    fn system(&mut self, input: &StepInput) -> Result<&mut System, StepError> {
        let (revision, free) = (input.pattern.revision(), &input.partition.free);
        let same = self.system.take().filter(|system| system.revision == revision && system.free == *free);
        let system = match same {
            Some(system) => system,
            None => System::new(input)?,
        };
        Ok(self.system.insert(system))
    }

    /// The energy of an element for `V = 1` [J/m³].
    fn density(&self, f: Matrix) -> Real {
        let svd = SignedSvd::of(f);
        let mut sum = 0.0;
        if let Some(strain) = &self.strain {
            let beyond = svd.values.map(|s| s - s.max(strain.range[0]).min(strain.range[1]));
            sum += 0.5 * strain.weight * beyond.iter().map(|d| d * d).sum::<Real>();
        }
        if let Some(volume) = &self.volume {
            let nearest = clamp_volume(f, volume.range[0], volume.range[1]);
            sum += 0.5 * volume.weight * (0..3).map(|k| f[k].distance_squared(nearest[k])).sum::<Real>();
        }
        sum
    }

    /// `∂ψ/∂s` and `∂²ψ/∂s∂s` of the energy density over the signed values.
    fn derivatives(&self, svd: &SignedSvd) -> ([Real; 3], [[Real; 3]; 3]) {
        let s = svd.values;
        let (mut slope, mut curvature) = ([0.0; 3], [[0.0; 3]; 3]);
        if let Some(strain) = &self.strain {
            for k in 0..3 {
                let beyond = s[k] - s[k].max(strain.range[0]).min(strain.range[1]);
                slope[k] += strain.weight * beyond;
                curvature[k][k] += if beyond == 0.0 { 0.0 } else { strain.weight };
            }
        }
        if let Some(volume) = &self.volume {
            let product: Real = s.iter().product();
            if product < volume.range[0] || product > volume.range[1] {
                let along = [0, 1, 2].map(|k| Vec3::AXES[k] * s[k]);
                let nearest = clamp_volume(along, volume.range[0], volume.range[1]);
                let x = [nearest[0].x, nearest[1].y, nearest[2].z];
                // x_i (x_i - s_i) is the same for all, and the product stays
                let a = [0, 1, 2].map(|k| 2.0 * x[k] - s[k]);
                let sum: Real = (0..3).map(|k| 1.0 / (x[k] * a[k])).sum();
                for i in 0..3 {
                    slope[i] += volume.weight * (s[i] - x[i]);
                    for j in 0..3 {
                        let own = if i == j { x[i] } else { 0.0 };
                        let moved = (own - 1.0 / (a[j] * sum)) / a[i];
                        let change = if i == j { 1.0 } else { 0.0 } - moved;
                        curvature[i][j] += if change.is_finite() { volume.weight * change } else { 0.0 };
                    }
                }
            }
        }
        (slope, curvature)
    }

    /// The modes of the Hessian of the energy density, each with its eigenvalue, none of which is
    /// negative.
    fn modes(&self, f: Matrix) -> (Matrix, [(Real, Matrix); 9]) {
        let svd = SignedSvd::of(f);
        let (slope, curvature) = self.derivatives(&svd);
        let (values, vectors) = eigen(curvature);
        let s = svd.values;
        let entry = |i: usize, j: usize| -> Matrix { svd.right[j].to_array().map(|v| svd.left[i] * v) };
        let mix = |a: Matrix, b: Matrix, sign: Real| -> Matrix {
            [0, 1, 2].map(|k| (a[k] + b[k] * sign) * std::f64::consts::FRAC_1_SQRT_2)
        };
        let mut modes = [(0.0, [Vec3::ZERO; 3]); 9];
        for mode in 0..3 {
            let scaled = svd.with([0, 1, 2].map(|k| vectors[k][mode]));
            modes[mode] = (values[mode].max(0.0), scaled);
        }
        for (at, (i, j)) in [(0, 1), (0, 2), (1, 2)].into_iter().enumerate() {
            let size = s[i].abs().max(s[j].abs()).max(Real::MIN_POSITIVE);
            let (sum, gap) = (s[i] + s[j], s[i] - s[j]);
            let twist = if sum.abs() > SAME * size { (slope[i] + slope[j]) / sum } else { 0.0 };
            let flip =
                if gap.abs() > SAME * size { (slope[i] - slope[j]) / gap } else { curvature[i][i] - curvature[i][j] };
            modes[3 + 2 * at] = (twist.max(0.0), mix(entry(i, j), entry(j, i), -1.0));
            modes[4 + 2 * at] = (flip.max(0.0), mix(entry(i, j), entry(j, i), 1.0));
        }
        (svd.with(slope), modes)
    }

    /// Sets the matrix of `system` to the Hessian of a step of `h` [s] to the inertial `target` [m]
    /// at `q` [m], with that of each element made positive. Returns the force, three numbers for
    /// each free vertex [N].
    fn assemble(&self, system: &mut System, cloth: &Cloth, h: Real, target: &[Vec3], q: &[Vec3]) -> Vec<Real> {
        let mut right = vec![0.0; 3 * system.free.len()];
        system.matrix.values.fill(0.0);
        for at in 0..system.free.len() {
            let i = system.free[at] as usize;
            let inertia = cloth.masses[i] / (h * h);
            let pull = (target[i] - q[i]) * inertia;
            right[3 * at..][..3].copy_from_slice(&pull.to_array());
            (0..3).for_each(|k| system.add(3 * at + k, 3 * at + k, inertia));
        }
        for number in 0..system.elements.len() {
            let element = &system.elements[number];
            let (unknowns, volume) = (element.unknowns, element.volume);
            let (slope, modes) = self.modes(element.gradient(q));
            for (v, at) in unknowns.iter().enumerate() {
                if let Some(at) = at {
                    let pull = element.at_vertex(v, &slope) * -volume;
                    right[3 * at..][..3].iter_mut().zip(pull.to_array()).for_each(|(sum, pull)| *sum += pull);
                }
            }
            let mut block = [[[[0.0; 3]; 3]; 4]; 4];
            for (value, mode) in modes.iter().filter(|(value, _)| *value > 0.0) {
                let at: [Vec3; 4] = std::array::from_fn(|v| element.at_vertex(v, mode));
                for (a, row) in block.iter_mut().enumerate() {
                    for (b, block) in row.iter_mut().enumerate() {
                        for (i, row) in block.iter_mut().enumerate() {
                            for (j, entry) in row.iter_mut().enumerate() {
                                *entry += volume * value * at[a][i] * at[b][j];
                            }
                        }
                    }
                }
            }
            system.add_block(&unknowns, &block);
        }
        right
    }

    fn value(&self, cloth: &Cloth, input: &StepInput, target: &[Vec3], system: &System, q: &[Vec3]) -> Real {
        let h = input.dt;
        let inertia = |&vertex: &u32| {
            cloth.masses[vertex as usize] * q[vertex as usize].distance_squared(target[vertex as usize])
        };
        let inertia: Real = system.free.iter().map(inertia).sum();
        let elastic: Real =
            system.elements.iter().map(|element| element.volume * self.density(element.gradient(q))).sum();
        inertia / (2.0 * h * h) + elastic
    }
}

impl Element {
    fn gradient(&self, q: &[Vec3]) -> Matrix {
        [0, 1, 2].map(|k| (0..4).map(|v| q[self.vertices[v]] * self.coefficients[v][k]).sum())
    }

    /// The change of `F` contracted with the contribution of a vertex: `Σ_k G_vk M_k`.
    fn at_vertex(&self, vertex: usize, m: &Matrix) -> Vec3 {
        (0..3).map(|k| m[k] * self.coefficients[vertex][k]).sum()
    }
}

impl System {
    fn new(input: &StepInput) -> Result<Self, StepError> {
        let (pattern, free) = (input.pattern, &input.partition.free);
        let mut unknown = vec![None; pattern.len()];
        free.iter().enumerate().for_each(|(at, &vertex)| unknown[vertex as usize] = Some(at));
        let rest = pattern.rest_positions();
        let elements: Vec<Element> = pattern
            .tetrahedra()
            .iter()
            .filter_map(|corners| {
                let element = Tetrahedron::of_rest(corners.map(|vertex| rest[vertex as usize]))?;
                let vertices = corners.map(|vertex| vertex as usize);
                let unknowns = vertices.map(|vertex| unknown[vertex]);
                Some(Element { vertices, coefficients: element.coefficients(), volume: element.volume, unknowns })
            })
            .collect();
        // blocks of three by three below and on the diagonal
        let mut below: Vec<Vec<usize>> = (0..free.len()).map(|at| vec![at]).collect();
        for element in &elements {
            for i in element.unknowns.into_iter().flatten() {
                below[i].extend(element.unknowns.into_iter().flatten().filter(|&j| j > i));
            }
        }
        let mut matrix = LowerTriangle::default();
        for (block, rows) in below.iter_mut().enumerate() {
            rows.sort_unstable();
            rows.dedup();
            for column in 0..3 {
                matrix.starts.push(matrix.rows.len());
                let first = |row: usize| if row == block { column } else { 0 };
                matrix.rows.extend(rows.iter().flat_map(|&row| (first(row)..3).map(move |k| 3 * row + k)));
            }
        }
        matrix.starts.push(matrix.rows.len());
        matrix.values = vec![0.0; matrix.rows.len()];
        let factor = FaerCholesky::analyse(&matrix)?;
        Ok(Self { revision: pattern.revision(), free: free.clone(), elements, matrix, factor })
    }

    /// Adds `value` to an entry on or below the diagonal.
    fn add(&mut self, row: usize, column: usize, value: Real) {
        let entries = self.matrix.starts[column]..self.matrix.starts[column + 1];
        if let Ok(at) = self.matrix.rows[entries.clone()].binary_search(&row) {
            self.matrix.values[entries.start + at] += value;
        }
    }

    /// Adds the block of an element, by its vertices, to the diagonal and the entries below.
    fn add_block(&mut self, unknowns: &[Option<usize>; 4], block: &[[[[Real; 3]; 3]; 4]; 4]) {
        for (a, of_a) in unknowns.iter().enumerate() {
            for (b, of_b) in unknowns.iter().enumerate() {
                let (Some(row), Some(column)) = (of_a, of_b) else { continue };
                for (i, of_i) in block[a][b].iter().enumerate() {
                    for (j, entry) in of_i.iter().enumerate() {
                        if 3 * row + i >= 3 * column + j {
                            self.add(3 * row + i, 3 * column + j, *entry);
                        }
                    }
                }
            }
        }
    }
}

/// Eigenvalues of a symmetric matrix, and its eigenvectors by columns: cyclic rotations (Jacobi).
fn eigen(mut a: [[Real; 3]; 3]) -> ([Real; 3], [[Real; 3]; 3]) {
    let mut vectors = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    for _ in 0..12 {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            if a[p][q] == 0.0 {
                continue;
            }
            let angle = 0.5 * (2.0 * a[p][q]).atan2(a[q][q] - a[p][p]);
            let (s, c) = angle.sin_cos();
            let rotate = |m: &mut [[Real; 3]; 3]| {
                for row in m.iter_mut() {
                    (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
                }
            };
            rotate(&mut a);
            let (of_p, of_q) = (a[p], a[q]);
            a[p] = std::array::from_fn(|k| c * of_p[k] - s * of_q[k]);
            a[q] = std::array::from_fn(|k| s * of_p[k] + c * of_q[k]);
            rotate(&mut vectors);
        }
    }
    ([a[0][0], a[1][1], a[2][2]], vectors)
}

impl Minimiser for BodyNewton {
    // it takes no steps, only iterations
    fn limit_iterations(&mut self, _: u32) {}

    fn iterate(&mut self, cloth: &Cloth, input: &StepInput, q: &mut [Vec3]) -> Result<Iteration, StepError> {
        self.system(input)?;
        let mut stats = StepStats::default();
        let mut watch = Stopwatch::start(input.clock);
        let mut system = self.system.take().expect("it has been made");
        let mut target = Vec::new();
        input.predict(cloth, &mut target);
        let right = self.assemble(&mut system, cloth, input.dt, &target, q);
        system.factor.factor(&system.matrix)?;
        let mut step = right.clone();
        system.factor.solve(&mut step);
        let slope: Real = -right.iter().zip(&step).map(|(force, step)| force * step).sum::<Real>();
        let energy = self.value(cloth, input, &target, &system, q);
        let (mut share, mut trial, mut moved) = (1.0, q.to_vec(), false);
        for _ in 0..HALVINGS {
            for (at, &vertex) in system.free.iter().enumerate() {
                trial[vertex as usize] = q[vertex as usize] + Vec3::from_slice(&step[3 * at..]) * share;
            }
            let value = self.value(cloth, input, &target, &system, &trial);
            if value <= energy + 1e-4 * share * slope + ROUNDING * energy.abs() {
                q.copy_from_slice(&trial);
                moved = true;
                break;
            }
            share *= 0.5;
        }
        self.system = Some(system);
        watch.lap(&mut stats, crate::sim::solver_interface::StepStage::Solve);
        let solved = !moved || -slope <= ROUNDING * ROUNDING * energy.abs();
        Ok(Iteration { seconds: stats.total_seconds(), solved })
    }

    fn objective(&self, cloth: &Cloth, input: &StepInput, q: &[Vec3]) -> Option<Real> {
        let mut target = Vec::new();
        input.predict(cloth, &mut target);
        match &self.system {
            Some(system) if system.revision == input.pattern.revision() && system.free == input.partition.free => {
                Some(self.value(cloth, input, &target, system, q))
            }
            _ => Some(self.value(cloth, input, &target, &System::new(input).ok()?, q)),
        }
    }

    fn minimises_potential(&self, _: &StepInput) -> bool {
        false
    }

    fn newton(&self, _: &StepInput) -> Option<Box<dyn Minimiser>> {
        Some(Box::new(Self { system: None, ..*self }))
    }
}
