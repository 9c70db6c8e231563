//! Material of the cloth in numbers: stiffness per spring family, damping, mass.

use crate::sim::params::logarithmic;
use crate::sim::pattern::{Coefficients, Family, MembraneTriangle, TriangleStiffness, signed_volume, strain_length};
use crate::sim::{Pattern, Real};

crate::choices! {
    /// Relative motion of a spring's ends that is damped.
    pub enum DampingModel {
        /// All of it: `c (v_j - v_i)`. Rotation is damped as well.
        Isotropic = "isotropic",
        /// Along the spring only: `c u u·(v_j - v_i)`. Rotation of the whole cloth is not damped.
        AlongSpring = "along_spring",
    }
}

crate::choices! {
    /// Law by which stiffness and damping of a spring depend on its rest length `L`.
    pub enum StiffnessLaw {
        /// Force per length: `k (l - L)`, the same for springs of any length.
        PerLength = "per_length",
        /// Force per strain: `k (l/L - 1)` with k in N, and damping `c v/L` with c in N·s.
        PerStrain = "per_strain",
    }
}

crate::choices! {
    /// Bending model.
    pub enum BendingModel {
        /// Springs that skip a vertex, as in the papers. Their stiffness depends on the mesh; a
        /// spring that has snapped through keeps its fold.
        Springs = "springs",
        /// Curvature of the surface: independent of the mesh, and only the flat state is at rest.
        /// Solvers without it use the springs.
        Isometric = "isometric",
    }
}

crate::choices! {
    /// Carrier of the stretch of triangle meshes.
    pub enum MembraneModel {
        /// Springs along the edges. Their stiffness to shear is about 0.4 times that to stretch, on
        /// any mesh.
        Springs = "springs",
        /// Triangles with the stiffness that is set along warp and weft and to shear, independent of
        /// the mesh. Solvers without it use the springs.
        Triangles = "triangles",
    }
}

crate::parameters! {
    /// Stiffness of each spring family and the damping that all springs share. A stiffness of zero
    /// leaves the family out altogether, its damping included.
    pub struct Material {
        /// Resistance to stretch along warp and weft. Higher stretches less; explicit solvers then
        /// need a smaller step.
        pub structural_stiffness: Real = 100.0, "Stretch", "N/m", logarithmic(0.0, 1e9), needs Stiffness,
            in Self::unit_of_stiffness;
        /// Resistance to shear: a square cell becomes a rhombus. Lower drapes more softly over
        /// corners. Meshes have no shear springs; it acts on them with a membrane of triangles.
        pub shear_stiffness: Real = 50.0, "Shear", "N/m", logarithmic(0.0, 1e9), needs ShearSprings,
            in Self::unit_of_stiffness;
        /// Carrier of the stretch of triangle meshes: springs along the edges, or a membrane of
        /// triangles with the stiffness of structural and shear in N/m, by any law. Grids always
        /// have springs. Damping acts along the edges by both.
        pub membrane: MembraneModel = MembraneModel::Springs, "Membrane", "", MembraneModel::KIND, needs MembraneChoice;
        /// Stiffness along the weft relative to that along the warp, of a membrane of triangles. The
        /// warp runs upward, or as the grain of the piece says.
        pub weft_ratio: Real = 1.0, "Weft / warp", "", logarithmic(1e-3, 1e3), needs Membrane;
        /// Resistance to bending, by springs that skip a vertex. Higher makes broad folds instead
        /// of fine wrinkles. No bending rigidity: a flat cloth has none of it, a curved one has
        /// more the coarser the mesh is.
        pub bend_stiffness: Real = 1.0, "Bend", "N/m", logarithmic(0.0, 1e9), needs BendSprings,
            in Self::unit_of_stiffness;
        /// Law of the springs: force per length, or per strain. Per strain their stiffness is in N
        /// and their damping in N·s, and both are divided by the rest length of each spring.
        pub stiffness_law: StiffnessLaw = StiffnessLaw::PerLength, "Law", "", StiffnessLaw::KIND, needs Stiffness;
        /// Bending model: springs that skip a vertex, or the curvature of the surface.
        pub bending_model: BendingModel = BendingModel::Springs, "Bending model", "", BendingModel::KIND, needs BendingChoice;
        /// Bending stiffness of the surface along the warp, independent of the mesh, as a cantilever
        /// measures it: silk 1 µN·m, cotton 5 to 10 µN·m, denim 40 µN·m. Higher makes broad folds
        /// instead of fine wrinkles.
        pub bending_stiffness: Real = 5e-5, "Bending", "N·m", logarithmic(0.0, 1.0), needs IsometricBending;
        /// Bending stiffness along the weft relative to that along the warp; most woven cloths have
        /// 0.6 to 0.9. The warp runs upward, or as the grain of the piece says.
        pub bending_weft: Real = 1.0, "Bending weft / warp", "", logarithmic(0.1, 10.0), needs IsometricBending;
        /// Damping coefficient of the springs. Higher damps ripples; very high makes the motion
        /// viscous.
        pub damping: Real = 0.001, "Damping", "N·s/m", logarithmic(0.0, 1e4), needs Damping,
            in |material| if material.is_per_strain() { "N·s" } else { "N·s/m" };
        /// Relative motion of a spring's ends that is damped: all of it, as in the papers, or only
        /// along the spring. Only the second leaves rotation undamped; some solvers have one law
        /// only.
        pub damping_model: DampingModel = DampingModel::Isotropic, "Damping law", "", DampingModel::KIND, needs DampingChoice,
            idle |material| (material.damping == 0.0).then_some("there is no damping");
    }
}

impl Material {
    /// Stiffness [N/m, per strain N] by family, in the order of [`Family::ALL`]. Bend springs are
    /// left out where bending is isometric.
    #[must_use]
    pub fn stiffness_by_family(&self) -> [Real; 3] {
        let bend = if self.bending_model == BendingModel::Springs { self.bend_stiffness } else { 0.0 };
        [self.structural_stiffness, self.shear_stiffness, bend]
    }

    /// Share of their stiffness that springs along the sides of a membrane keep. They only carry
    /// damping, and a spring without any stiffness is left out with its damping.
    pub const SHARE_OF_SIDES: Real = 1e-9;

    /// Whether meshes have a membrane of triangles. Without stiffness along the warp it is left out
    /// altogether.
    #[must_use]
    pub fn has_membrane(&self) -> bool {
        self.membrane == MembraneModel::Triangles && self.structural_stiffness > 0.0
    }

    /// The material with springs in place of the membrane: a scale of its stiffness, edge by edge.
    #[must_use]
    pub fn of_springs(&self) -> Self {
        Self { membrane: MembraneModel::Springs, ..*self }
    }

    /// Stiffness of a triangle of the membrane, times its area [J].
    #[must_use]
    pub fn stiffness_of_triangle(&self, triangle: &MembraneTriangle) -> TriangleStiffness {
        let [along, shear] = triangle.factors.map(|factor| factor * triangle.area);
        let warp = self.structural_stiffness * along;
        TriangleStiffness { warp, weft: self.weft_ratio * warp, shear: self.shear_stiffness * shear }
    }

    /// Share of the stiffness of springs along the sides of a membrane that is left.
    fn share_of_sides(&self) -> Real {
        if self.has_membrane() { Self::SHARE_OF_SIDES } else { 1.0 }
    }

    /// Stiffness of isometric bending [N·m]; zero where bending is by springs.
    #[must_use]
    pub fn isometric_stiffness(&self) -> Real {
        if self.bending_model == BendingModel::Isometric { self.bending_stiffness } else { 0.0 }
    }

    /// Damping [N·s/m, per strain N·s] by family: a family of zero stiffness is left out, its
    /// damping included.
    fn damping_by_family(&self) -> [Real; 3] {
        self.stiffness_by_family().map(|k| if k > 0.0 { self.damping } else { 0.0 })
    }

    fn unit_of_stiffness(&self) -> &'static str {
        if self.is_per_strain() { "N" } else { "N/m" }
    }

    /// Whether stiffness and damping are per strain.
    fn is_per_strain(&self) -> bool {
        self.stiffness_law == StiffnessLaw::PerStrain
    }

    /// Divides `coefficient` of one spring of `pattern` by its length if it is per strain.
    fn by_law(&self, coefficient: Real, pattern: &Pattern, spring: usize) -> Real {
        let per_strain = self.is_per_strain();
        if per_strain { coefficient / strain_length(pattern.springs().rest_lengths[spring]) } else { coefficient }
    }

    /// Stiffness of one family [N/m, per strain N].
    #[must_use]
    pub fn stiffness(&self, family: Family) -> Real {
        self.stiffness_by_family()[family as usize]
    }

    /// Stiffness [N/m] of every kind of spring of `pattern`.
    #[must_use]
    pub fn stiffness_by_kind(&self, pattern: &Pattern) -> Coefficients {
        let by_family = self.stiffness_by_family();
        let by_kind = pattern.by_kind(0.0, |family, factors| by_family[family as usize] * factors.stiffness(family));
        Coefficients::new(by_kind.map_sides(|k| k * self.share_of_sides()), self.is_per_strain())
    }

    /// Damping [N·s/m] of every kind of spring of `pattern`: none for a family of zero stiffness.
    #[must_use]
    pub fn damping_by_kind(&self, pattern: &Pattern) -> Coefficients {
        let by_family = self.damping_by_family();
        let by_kind = pattern.by_kind(0.0, |family, factors| by_family[family as usize] * factors.damping);
        Coefficients::new(by_kind, self.is_per_strain())
    }

    /// Stiffness [N/m] of one spring of `pattern`.
    #[must_use]
    pub fn stiffness_of(&self, pattern: &Pattern, spring: usize) -> Real {
        let family = pattern.springs().families[spring];
        let share = if pattern.kinds()[spring].is_side() { self.share_of_sides() } else { 1.0 };
        let stiffness = self.stiffness(family) * pattern.override_of_spring(spring).stiffness(family) * share;
        self.by_law(stiffness, pattern, spring)
    }

    /// Damping [N·s/m] of one spring of `pattern`.
    #[must_use]
    pub fn damping_of(&self, pattern: &Pattern, spring: usize) -> Real {
        let family = pattern.springs().families[spring];
        let damping = self.damping_by_family()[family as usize] * pattern.override_of_spring(spring).damping;
        self.by_law(damping, pattern, spring)
    }
}

crate::choices! {
    /// Mass of a vertex.
    pub enum MassModel {
        /// The same mass for every vertex, as in the papers: a finer cloth is heavier.
        PerVertex = "per_vertex",
        /// A third of each triangle's mass for each corner, a fourth of each tetrahedron's:
        /// independent of the resolution.
        AreaDensity = "area_density",
    }
}

crate::parameters! {
    /// Mass of the cloth.
    pub struct Mass {
        /// Mass per vertex, or by area.
        pub mass_model: MassModel = MassModel::AreaDensity, "Mass model", "", MassModel::KIND;
        /// Mass of every vertex. Heavier stretches the springs more and allows explicit solvers
        /// longer steps.
        pub vertex_mass: Real = 0.1, "Vertex mass", "kg", logarithmic(1e-6, 100.0),
            idle |mass| (mass.mass_model != MassModel::PerVertex).then_some("the mass model is area density");
        /// Mass of a square metre: silk 0.05, cotton 0.15, denim 0.4.
        pub area_density: Real = 0.15, "Area density", "kg/m²", logarithmic(1e-3, 10.0),
            needs Cloth, idle |mass| (mass.mass_model != MassModel::AreaDensity).then_some("the mass model is per vertex");
        /// Mass of a cubic metre of a body: foam 30, wood 600, rubber 1100.
        pub volume_density: Real = 1000.0, "Volume density", "kg/m³", logarithmic(1.0, 1e5),
            needs Bodies, idle |mass| (mass.mass_model != MassModel::AreaDensity).then_some("the mass model is per vertex");
    }
}

impl Mass {
    /// Smallest share of the mean vertex mass that a vertex may have, so that a vertex of zero-area
    /// triangles only still has a positive mass.
    const FLOOR: Real = 1e-3;

    /// Writes the mass of each vertex [kg], one per vertex of `pattern`, all positive. The vertices
    /// into which a vertex of the whole cloth was torn share its mass by the area that each stands
    /// for, so tearing makes no mass in either model. The tetrahedra of bodies need a volume other
    /// than zero.
    pub fn distribute(&self, pattern: &Pattern, masses: &mut Vec<Real>) {
        masses.clear();
        masses.resize(pattern.len(), 0.0);
        let rest = pattern.rest_positions();
        for triangle in pattern.cloth_triangles() {
            let [a, b, c] = triangle.map(|vertex| rest[vertex as usize]);
            let third = self.area_density * (b - a).cross(c - a).length() / 6.0;
            for vertex in triangle {
                masses[vertex as usize] += third;
            }
        }
        let origins = pattern.origins();
        let sums = |masses: &[Real]| {
            let mut sums = vec![0.0; pattern.whole_len()];
            masses.iter().zip(&origins).for_each(|(mass, &origin)| sums[origin as usize] += mass);
            sums
        };
        let whole = sums(masses);
        let of_bodies = (0..pattern.whole_len() as u32).filter(|&vertex| pattern.is_in_body(vertex)).count();
        let mean = whole.iter().sum::<Real>() / (whole.len() - of_bodies).max(1) as Real;
        let floor = if mean > 0.0 { Self::FLOOR * mean } else { Self::FLOOR };
        masses.iter_mut().for_each(|mass| *mass = mass.max(floor));
        let floored = sums(masses);
        for (mass, &origin) in masses.iter_mut().zip(&origins) {
            let share = *mass / floored[origin as usize];
            *mass = share
                * match self.mass_model {
                    MassModel::PerVertex => self.vertex_mass,
                    MassModel::AreaDensity => whole[origin as usize].max(floor),
                };
        }
        if self.mass_model == MassModel::AreaDensity {
            self.distribute_over_bodies(pattern, masses);
        }
        for (mass, factors) in masses.iter_mut().zip(pattern.override_of_vertices()) {
            *mass *= factors.mass;
        }
    }

    /// Sets the mass of the vertices of bodies [kg]: a fourth of each of their tetrahedra
    /// (`physics.md` section 9).
    fn distribute_over_bodies(&self, pattern: &Pattern, masses: &mut [Real]) {
        pattern.tetrahedra().as_flattened().iter().for_each(|&vertex| masses[vertex as usize] = 0.0);
        let rest = pattern.rest_positions();
        for tetrahedron in pattern.tetrahedra() {
            let volume = signed_volume(tetrahedron.map(|vertex| rest[vertex as usize])).abs();
            for vertex in tetrahedron {
                masses[*vertex as usize] += self.volume_density * volume / 4.0;
            }
        }
    }
}
