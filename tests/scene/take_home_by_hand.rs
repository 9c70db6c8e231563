//! The pseudocode of *Take it home*, written out line by line in the simplest way, moves the hanging cloth as the solver does.

use weft::documents::take_home::{Target, take_home};
use weft::scene::Scene;
use weft::sim::forces::IsometricBending;
use weft::sim::{Simulation, Vec3, solvers};

/// A spring: its ends, length at rest, stiffness and damping.
type Spring = ([usize; 2], f64, f64, f64);

/// The arrays of a port, filled from a simulation at rest.
struct Port {
    x: Vec<Vec3>,
    v: Vec<Vec3>,
    m: Vec<f64>,
    is_pinned: Vec<bool>,
    springs: Vec<Spring>,
    triangles: Vec<[usize; 3]>,
    /// Rows of the matrix of isometric bending.
    q: Vec<Vec<(usize, f64)>>,
}

impl Port {
    fn of(simulation: &Simulation) -> Self {
        let (pattern, cloth) = (simulation.pattern(), &simulation.state.cloth);
        let material = &simulation.parameters.material;
        let (all, by_family) = (pattern.springs(), material.stiffness_by_family());
        let spring = |e: usize| {
            let k = by_family[all.families[e] as usize];
            (all.ends[e].map(|end| end as usize), all.rest_lengths[e], k, material.damping)
        };
        let mut bending = IsometricBending::default();
        bending.update(pattern, material.bending_weft);
        let row = |i: usize| bending.row(i).iter().map(|&(j, q)| (j as usize, q)).collect();
        Self {
            x: cloth.positions.clone(),
            v: cloth.velocities.clone(),
            m: cloth.masses.clone(),
            is_pinned: (0..cloth.len() as u32).map(|i| cloth.pin_of(i).is_some()).collect(),
            springs: (0..all.len()).map(spring).filter(|spring| spring.2 > 0.0).collect(),
            triangles: pattern.triangles().iter().map(|corners| corners.map(|corner| corner as usize)).collect(),
            q: (0..cloth.len()).map(row).collect(),
        }
    }

    /// The lines up to the forces on springs; `bending` is zero where those lines have none.
    fn external(&self, simulation: &Simulation, h: f64, bending: f64) -> Vec<Vec3> {
        let (air, g) = (&simulation.parameters.air, simulation.parameters.gravity.gravity);
        let mut normals = vec![Vec3::ZERO; self.x.len()];
        for corners in &self.triangles {
            let [a, b, c] = corners.map(|corner| self.x[corner]);
            corners.iter().for_each(|&corner| normals[corner] += (b - a).cross(c - a));
        }
        let force = |i: usize| {
            let mut f = Vec3::new(0.0, -g, 0.0) * self.m[i];
            let (a, n) = (self.v[i], normals[i].normalize());
            let most = self.m[i] * a.length() / h;
            if a.length() > 0.0 {
                let s = n.dot(a) / a.length();
                f += (a * (-air.drag * n.dot(a).abs())).clamp_length_max(most);
                let facing = if s > 0.0 { n } else { -n };
                let lift = facing.cross(a).cross(a) * (air.lift * (1.0 - s * s).max(0.0).sqrt());
                f += lift.clamp_length_max(most);
            }
            let bent: Vec3 = self.q[i].iter().map(|&(j, q)| self.x[j] * q).sum();
            f - bent * bending
        };
        (0..self.x.len()).map(force).collect()
    }

    /// The lines of the forces of springs.
    fn add_springs(&self, forces: &mut [Vec3]) {
        for &([i, j], rest, k, c) in &self.springs {
            let d = self.x[j] - self.x[i];
            let l = d.length();
            let u = d / l;
            let p = u * (k * (l - rest)) + (self.v[j] - self.v[i]) * c;
            forces[i] += p;
            forces[j] -= p;
        }
    }

    fn symplectic_euler(&mut self, simulation: &Simulation) {
        let timing = &simulation.parameters.timing;
        let h = timing.time_step / f64::from(timing.substeps);
        for _ in 0..timing.substeps {
            let mut forces = self.external(simulation, h, simulation.parameters.material.bending_stiffness);
            self.add_springs(&mut forces);
            for i in (0..self.x.len()).filter(|&i| !self.is_pinned[i]) {
                self.v[i] += forces[i] * (h / self.m[i]);
                self.x[i] += self.v[i] * h;
            }
        }
    }

    fn stable_mass_spring(&mut self, simulation: &Simulation) {
        let timing = &simulation.parameters.timing;
        let h = timing.time_step / f64::from(timing.substeps);
        for _ in 0..timing.substeps {
            let mut forces = self.external(simulation, h, 0.0);
            self.add_springs(&mut forces);
            let least = self.m.iter().copied().fold(f64::INFINITY, f64::min);
            let mut counts = vec![0_u32; self.x.len()];
            for ([i, j], ..) in self.springs_of_all(simulation) {
                counts[i] += 1;
                counts[j] += 1;
            }
            let most = f64::from(*counts.iter().max().expect("vertices"));
            let mut weights = self.m.clone();
            for &([i, j], _, k, c) in &self.springs {
                forces[i] += (self.v[j] - self.v[i]) * (h * k);
                forces[j] += (self.v[i] - self.v[j]) * (h * k);
                let s = filter(h, k, c, least, most);
                weights[i] += s;
                weights[j] += s;
            }
            let estimate = |i: usize| if self.is_pinned[i] { Vec3::ZERO } else { forces[i] * (h / weights[i]) };
            let mut sums: Vec<Vec3> = forces.iter().map(|force| *force * h).collect();
            for &([i, j], _, k, c) in &self.springs {
                let s = filter(h, k, c, least, most);
                sums[i] += estimate(j) * s;
                sums[j] += estimate(i) * s;
            }
            for i in (0..self.x.len()).filter(|&i| !self.is_pinned[i]) {
                self.v[i] += sums[i] / weights[i];
                self.x[i] += self.v[i] * h;
            }
        }
    }

    /// All springs, those without stiffness too.
    fn springs_of_all(&self, simulation: &Simulation) -> Vec<([usize; 2], ())> {
        simulation.pattern().springs().ends.iter().map(|ends| (ends.map(|end| end as usize), ())).collect()
    }

    fn xpbd(&mut self, simulation: &Simulation, iterations: u32, small_steps: u32) {
        let timing = &simulation.parameters.timing;
        let parts = timing.substeps * small_steps;
        let h = timing.time_step / f64::from(parts);
        for _ in 0..parts {
            let forces = self.external(simulation, h, 0.0);
            let mut q = self.x.clone();
            let mut w = vec![0.0; q.len()];
            for i in (0..q.len()).filter(|&i| !self.is_pinned[i]) {
                q[i] = self.x[i] + self.v[i] * h + forces[i] * (h * h / self.m[i]);
                w[i] = 1.0 / self.m[i];
            }
            let mut lambda = vec![0.0; self.springs.len()];
            let colours = self.colours();
            let last = colours.iter().copied().max().expect("springs");
            for _ in 0..iterations {
                for colour in 0..=last {
                    for e in (0..self.springs.len()).filter(|&e| colours[e] == colour) {
                        let ([i, j], rest, k, c) = self.springs[e];
                        let (alpha, gamma) = (1.0 / (k * h * h), c / (k * h));
                        let d = q[j] - q[i];
                        let u = d / d.length();
                        let moved = u.dot(d - (self.x[j] - self.x[i]));
                        let error = d.length() - rest + alpha * lambda[e] + gamma * moved;
                        let change = -error / ((1.0 + gamma) * (w[i] + w[j]) + alpha);
                        lambda[e] += change;
                        q[i] -= u * (w[i] * change);
                        q[j] += u * (w[j] * change);
                    }
                }
            }
            for i in (0..q.len()).filter(|&i| !self.is_pinned[i]) {
                self.v[i] = (q[i] - self.x[i]) / h;
                self.x[i] = q[i];
            }
        }
    }

    /// The colour of each spring.
    fn colours(&self) -> Vec<usize> {
        let mut taken: Vec<Vec<usize>> = vec![Vec::new(); self.x.len()];
        let mut colours = Vec::new();
        for &([i, j], ..) in &self.springs {
            let colour = (0..).find(|colour| ![i, j].iter().any(|&end| taken[end].contains(colour))).expect("one");
            [i, j].iter().for_each(|&end| taken[end].push(colour));
            colours.push(colour);
        }
        colours
    }
}

/// The pseudocode that the port follows.
const EULER: &str = "
        repeat substeps times, with h = time_step/substeps:
            for every vertex i:  f_i = m_i (0, -gravity, 0)
                a = v_i;  n = unit normal, that of its triangles by area;  s = n.a/|a|
                f_i += -drag |n.a| a + lift sqrt(1 - s²) (±n x a) x a   Kang, Cho, Park, 5 and 6
                (+n where s > 0; each of the two at most m_i |a|/h)
                f_i -= bending_stiffness sum over j of Q_ij x_j   isometric bending, Q constant
            k = structural_stiffness along edges, shear_stiffness along diagonals;  c = damping
            F = f;  for every spring (i, j) with k > 0:
                d = x_j - x_i;  l = |d|;  u = d/l
                p = k (l - L) u + c (v_j - v_i)
                F_i += p;  F_j -= p
            for every free vertex i:
                v_i += h F_i/m_i
                x_i += h v_i
            for every pinned vertex i:  x_i, v_i = where its motion takes it
            contact: at the end vertices move out to thickness, with friction, restitution
";

/// The pseudocode that the port follows.
const STABLE: &str = "
        repeat substeps times, with h = time_step/substeps:
            for every vertex i:  f_i = m_i (0, -gravity, 0)
                a = v_i;  n = unit normal, that of its triangles by area;  s = n.a/|a|
                f_i += -drag |n.a| a + lift sqrt(1 - s²) (±n x a) x a   Kang, Cho, Park, 5 and 6
                (+n where s > 0; each of the two at most m_i |a|/h)
            k = structural_stiffness along edges, shear_stiffness along diagonals, bend_stiffness to
                the vertex after next;  c = damping
            F = f;  for every spring (i, j) with k > 0:
                d = x_j - x_i;  l = |d|;  u = d/l
                p = k (l - L) u + c (v_j - v_i)
                F_i += p;  F_j -= p
            for every spring:  F_i += h k (v_j - v_i);  F_j += h k (v_i - v_j)
            for every spring:  s = h² k + h max(0, c - c0),  c0 = (m/(h n) + h k)/2,
                m: the least mass, n: the most springs of a vertex, those without k too
            for every vertex i:  W_i = m_i + sum of s over its springs
                e_i = h F_i/W_i   (pinned: the known change of its velocity)
            for every free vertex i:   Kang, Cho, Park, equation 4
                dv_i = (h F_i + sum over its springs (i, j) of s e_j)/W_i
                v_i += dv_i;  x_i += h v_i
            for every pinned vertex i:  x_i, v_i = where its motion takes it
            contact: at the end vertices move out to thickness, with friction, restitution
";

/// The pseudocode that the port follows.
const XPBD: &str = "
        repeat substeps*small_steps times, with h = time_step/(substeps*small_steps):
            for every vertex i:  f_i = m_i (0, -gravity, 0)
                a = v_i;  n = unit normal, that of its triangles by area;  s = n.a/|a|
                f_i += -drag |n.a| a + lift sqrt(1 - s²) (±n x a) x a   Kang, Cho, Park, 5 and 6
                (+n where s > 0; each of the two at most m_i |a|/h)
            for every free vertex i:  q_i = x_i + h v_i + h² f_i/m_i;  w_i = 1/m_i
            for every pinned vertex i:  q_i = where it goes;  w_i = 0
            k = structural_stiffness along edges, shear_stiffness along diagonals, bend_stiffness to
                the vertex after next;  c = damping
            for every spring with k > 0:  lambda = 0;  alpha = 1/(k h²);  gamma = c/(k h)
            colours: each spring has the first that no spring before it has at i or j
            repeat iterations times:
                for every spring (i, j) with k > 0, colour by colour:
                    d = q_j - q_i;  u = d/|d|
                    e = |d| - L + alpha lambda + gamma u.(d - (x_j - x_i))
                    D = -e/((1 + gamma) (w_i + w_j) + alpha)   Macklin et al. 2016, equation 26
                    lambda += D
                    q_i -= w_i D u;  q_j += w_j D u
            for every free vertex i:  v_i = (q_i - x_i)/h;  x_i = q_i
            for every pinned vertex i:  x_i, v_i = where its motion takes it
            contact in the step: constraints where a vertex lies on a collider
            contact: at the end vertices move out to thickness, with friction, restitution
";

/// The weight of a spring in the filter.
fn filter(h: f64, k: f64, c: f64, least: f64, most: f64) -> f64 {
    let explicit = (least / (h * most) + h * k) / 2.0;
    h * h * k + h * (c - explicit).max(0.0)
}

/// The hanging cloth with a solver, ready to go.
fn hanging(id: &str, settings: &[(&str, &str)]) -> (Scene, Simulation) {
    let mut scene = Scene::load("hanging").expect("it comes with the program");
    scene.set_solver(id).expect("registered");
    settings.iter().for_each(|(key, value)| scene.set(key, value).expect("good"));
    let simulation = scene.build().expect("good");
    (scene, simulation)
}

/// Asserts that the pseudocode has these lines and no others.
fn assert_lines(scene: &Scene, simulation: &Simulation, expected: &str) {
    let text = take_home(scene, simulation, None, Target::C);
    let body = text.split_once("void step(").expect("a step").1;
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let found: Vec<String> = body.lines().filter_map(|line| line.trim_start().strip_prefix("// ")).map(words).collect();
    let expected: Vec<String> = expected.lines().map(words).filter(|line| !line.is_empty()).collect();
    assert_eq!(found, expected, "the port below follows these lines; change both");
}

/// Steps the simulation and the port ten times and asserts that all positions are the same to 1e-9 m.
fn assert_same(simulation: &mut Simulation, step: impl Fn(&mut Port, &Simulation)) {
    let mut port = Port::of(simulation);
    let start = port.x.clone();
    for _ in 0..10 {
        step(&mut port, simulation);
        simulation.step().expect("it holds");
    }
    let positions = &simulation.state.cloth.positions;
    let difference = port.x.iter().zip(positions).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
    let motion = start.iter().zip(positions).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
    assert!(difference < 1e-9 && motion > 0.01, "{difference:e} m of {motion} m");
}

#[test]
fn symplectic_euler_does_what_its_pseudocode_says() {
    let settings = [("substeps", "50")];
    let (scene, mut simulation) = hanging(solvers::id_of::<solvers::SymplecticEuler>(), &settings);
    assert_lines(&scene, &simulation, EULER);
    assert_same(&mut simulation, Port::symplectic_euler);
}

#[test]
fn stable_mass_spring_does_what_its_pseudocode_says() {
    // more damping than an explicit force bears
    let settings = [
        ("structural_stiffness", "0.5"),
        ("shear_stiffness", "0.2"),
        ("bending_model", "springs"),
        ("bend_stiffness", "0.02"),
        ("damping", "0.01"),
    ];
    let (scene, mut simulation) = hanging(solvers::id_of::<solvers::StableMassSpring>(), &settings);
    assert_lines(&scene, &simulation, STABLE);
    assert_same(&mut simulation, Port::stable_mass_spring);
}

#[test]
fn xpbd_does_what_its_pseudocode_says() {
    let settings = [("bending_model", "springs"), ("iterations", "3"), ("small_steps", "7")];
    let (scene, mut simulation) = hanging(solvers::id_of::<solvers::Xpbd>(), &settings);
    assert_lines(&scene, &simulation, XPBD);
    assert_same(&mut simulation, |port, simulation| port.xpbd(simulation, 3, 7));
}
