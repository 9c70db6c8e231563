//! The membrane of a mesh as constraints: for projective dynamics the lengths of warp and weft and
//! their angle, for the position-based methods these three strains, one after the other.
//!
//! The energies are those of [`membrane`](crate::sim::forces::membrane). The lengths have one row
//! each, `a` or `b`, projected to the length 1. The angle has the diagonals `a + b` and `a - b` as
//! rows, projected to their mean length: the nearest pair at right angles. Half of `G A |z - p|²` is
//! then `¼ G A (|a + b| - |a - b|)²`.

use std::ops::Range;

use super::{Chunk, Constraint, Elements, with_length};
use crate::sim::exec::colouring::Colouring;
use crate::sim::exec::pool::{Chunks, Shared, ThreadPool};
use crate::sim::exec::simd::F64x4;
use crate::sim::forces::springs::direction;
use crate::sim::pattern::MembraneTriangle;
use crate::sim::{Material, Pattern, Real, Vec3};

/// The yarns of a membrane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Yarns {
    /// Along the warp.
    Warp,
    /// Along the weft.
    Weft,
}

/// Yarns keep their length.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct YarnLength {
    /// Which yarns.
    pub yarns: Yarns,
    /// Stiffness along them [N/m].
    pub stiffness: Real,
}

impl Constraint for YarnLength {
    fn weight(&self) -> Real {
        self.stiffness
    }

    fn elements(&self, pattern: &Pattern) -> Elements {
        let mut elements = Elements::new(1, 0);
        for triangle in pattern.membrane().triangles() {
            let row = triangle.rows[self.yarns as usize];
            let entries = triangle.vertices.into_iter().zip(row).map(|(vertex, k)| (vertex, [k]));
            elements.push(entries, triangle.area * triangle.factors[0], &[]);
        }
        elements
    }

    fn project(&self, chunk: &mut Chunk) {
        chunk.project_each(|[z], _| [with_length(z, 1.0)]);
    }
}

/// Warp and weft stay at right angles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct YarnAngle {
    /// Stiffness to shear [N/m].
    pub stiffness: Real,
}

impl Constraint for YarnAngle {
    fn weight(&self) -> Real {
        self.stiffness
    }

    fn elements(&self, pattern: &Pattern) -> Elements {
        let mut elements = Elements::new(2, 0);
        for triangle in pattern.membrane().triangles() {
            let entry = |corner: usize| {
                let [a, b] = triangle.corner(corner);
                (triangle.vertices[corner], [a + b, a - b])
            };
            elements.push((0..3).map(entry), triangle.area * triangle.factors[1], &[]);
        }
        elements
    }

    fn project(&self, chunk: &mut Chunk) {
        chunk.project_each(|[s, d], _| {
            let length = 0.5 * (s.length() + d.length());
            [with_length(s, length), with_length(d, length)]
        });
    }
}

/// The membrane of a material as constraints of projective dynamics.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MembraneConstraints {
    warp: YarnLength,
    weft: YarnLength,
    angle: YarnAngle,
}

impl MembraneConstraints {
    /// Number of constraints.
    pub const COUNT: usize = 3;

    /// That of `material`, if it has one.
    #[must_use]
    pub fn of(material: &Material) -> Option<Self> {
        let stiffness = material.structural_stiffness;
        material.has_membrane().then_some(Self {
            warp: YarnLength { yarns: Yarns::Warp, stiffness },
            weft: YarnLength { yarns: Yarns::Weft, stiffness: material.weft_ratio * stiffness },
            angle: YarnAngle { stiffness: material.shear_stiffness },
        })
    }

    /// The constraints, those of no weight left out.
    #[must_use]
    pub fn list(&self) -> [Option<&dyn Constraint>; Self::COUNT] {
        let all: [&dyn Constraint; Self::COUNT] = [&self.warp, &self.weft, &self.angle];
        all.map(|constraint| Some(constraint).filter(|constraint| constraint.weight() > 0.0))
    }
}

/// Triangles per task.
const GRAIN: usize = 64;

/// The triangles of a membrane by colour, for the methods that project constraints one after the
/// other, with the compliance `α = 1/(k A h²)` of each strain (Macklin, Müller, Chentanez 2016).
#[derive(Debug, Default)]
pub struct ColouredMembrane {
    triangles: Vec<MembraneTriangle>,
    colours: Vec<Range<usize>>,
    /// Sums of the `Δλ` of a step, of warp, weft and shear [kg·m²].
    multipliers: Vec<[Real; 3]>,
    /// Revision of their pattern.
    of: Option<u64>,
}

impl ColouredMembrane {
    /// Makes these the triangles of `pattern`; the work is done once per pattern. All multipliers
    /// become zero.
    pub fn start(&mut self, pattern: &Pattern) {
        if self.of.replace(pattern.revision()) != Some(pattern.revision()) {
            let triangles = pattern.membrane().triangles();
            let colouring = Colouring::of(triangles.iter().map(|triangle| triangle.vertices), pattern.len());
            self.triangles.clear();
            self.triangles.extend(colouring.order().iter().map(|&at| triangles[at as usize]));
            self.colours = colouring.into_ranges();
        }
        self.multipliers.clear();
        self.multipliers.resize(self.triangles.len(), [0.0; 3]);
    }

    /// Forgets all triangles.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Number of constraints.
    #[must_use]
    pub fn len(&self) -> usize {
        3 * self.triangles.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.triangles.is_empty()
    }

    /// Projects every triangle once, colour after colour, in a step of `h` [s]. `q` has the
    /// positions [m] with the inverse masses [1/kg] in the fourth lane.
    pub fn sweep(&mut self, q: &mut [F64x4], material: &Material, h: Real, pool: &ThreadPool) {
        assert!(self.triangles.iter().flat_map(|of| of.vertices).all(|vertex| (vertex as usize) < q.len()));
        let q = Shared::new(q);
        for colour in &self.colours {
            let triangles = &self.triangles[colour.clone()];
            pool.change(Chunks::new(&mut self.multipliers[colour.clone()], GRAIN), 1, |chunks, multipliers| {
                for (triangle, multipliers) in triangles[chunks.start * GRAIN..].iter().zip(multipliers) {
                    // SAFETY: triangles of a colour, which are all that is at work at a time, have no
                    // vertex in common; a vertex at a time.
                    let mut corners = triangle.vertices.map(|vertex| unsafe { *q.entry(vertex as usize) });
                    project(triangle, &mut corners, multipliers, material, h);
                    for (&vertex, corner) in triangle.vertices.iter().zip(corners) {
                        // SAFETY: as above.
                        unsafe { *q.entry(vertex as usize) = corner };
                    }
                }
            });
        }
    }
}

/// `Δλ = -(C + α λ)/(Σ w |∇C|² + α)`, `Δq = w ∇C Δλ`, for the strains `|a| - 1`, `|b| - 1` and
/// `(|a + b| - |a - b|)/√2`.
fn project(
    triangle: &MembraneTriangle,
    corners: &mut [F64x4; 3],
    multipliers: &mut [Real; 3],
    material: &Material,
    h: Real,
) {
    let stiffness = material.stiffness_of_triangle(triangle);
    for (strain, k) in [stiffness.warp, stiffness.weft, stiffness.shear].into_iter().enumerate() {
        if k == 0.0 {
            continue;
        }
        let at = |vertex: usize| corners[vertex].to_vec3();
        let [a, b] = triangle.rows.map(|[i, j, k]| at(0) * i + at(1) * j + at(2) * k);
        // derivatives by `a` and by `b`
        let (value, by_a, by_b) = match strain {
            0 => (a.length() - 1.0, direction(a), Vec3::ZERO),
            1 => (b.length() - 1.0, Vec3::ZERO, direction(b)),
            _ => {
                let half = Real::sqrt(0.5);
                let (s, d) = (a + b, a - b);
                let (along_s, along_d) = (direction(s) * half, direction(d) * half);
                (half * (s.length() - d.length()), along_s - along_d, along_s + along_d)
            }
        };
        let gradients = [0, 1, 2].map(|corner| {
            let [a, b] = triangle.corner(corner);
            by_a * a + by_b * b
        });
        let compliance = 1.0 / (k * h * h);
        let mass: Real = corners.iter().zip(gradients).map(|(x, g)| x.0[3] * g.length_squared()).sum();
        let change = -(value + compliance * multipliers[strain]) / (mass + compliance);
        multipliers[strain] += change;
        for (corner, gradient) in corners.iter_mut().zip(gradients) {
            let moved = gradient * (corner.0[3] * change);
            (corner.0[0], corner.0[1], corner.0[2]) =
                (corner.0[0] + moved.x, corner.0[1] + moved.y, corner.0[2] + moved.z);
        }
    }
}
