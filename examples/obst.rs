use weft::sim::contact::{Collider, Points, Shape, Solid, TriangleMesh};
use weft::sim::pattern::Plane;
use weft::sim::{Pattern, Real, Simulation, Vec3, solvers};
fn deepest(simulation: &Simulation, solid: &Solid) -> (Real, Vec3) {
    let mut deepest: Real = -1.0; let mut at = Vec3::ZERO;
    for triangle in simulation.pattern().triangles() {
        let [a, b, c] = triangle.map(|corner| simulation.cloth.positions[corner as usize]);
        for (i, j) in (0..=20).flat_map(|i| (0..=20 - i).map(move |j| (i, j))) {
            let x = a + (b - a) * (f64::from(i) * 0.05) + (c - a) * (f64::from(j) * 0.05);
            let d = solid.nearest(x).map_or(-1.0, |s| -s.distance);
            if d > deepest { deepest = d; at = x; }
        }
    }
    (deepest, at)
}
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let get = |key: &str, default: f64| args.iter().find_map(|a| a.strip_prefix(&format!("{key}=")).map(|v| v.parse().unwrap())).unwrap_or(default);
    let text = |key: &str| args.iter().find_map(|a| a.strip_prefix(&format!("{key}=")).map(str::to_owned));
    let count = get("n", 11.0) as usize;
    let steps = get("steps", 600.0) as usize;
    let corner = Collider::new(Shape::Box { half_extents: Vec3::splat(0.2) }, Vec3::NEG_Y * 0.36).rotated(Vec3::new(1.0, 0.0, -1.0).normalize() * 0.955);
    let bar = Shape::Box { half_extents: Vec3::new(0.7, 0.01, 0.004) };
    let cone = { let k = 8; let mut p: Vec<Vec3> = (0..k).map(|i| { let a = std::f64::consts::TAU * i as f64 / k as f64; Vec3::new(0.02 * a.cos(), -0.2, 0.02 * a.sin()) }).collect(); p.push(Vec3::ZERO); p.push(Vec3::NEG_Y*0.2);
        let mut t = vec![]; for i in 0..k as u32 { let j = (i + 1) % k as u32; t.push([i, 8, j]); t.push([i, j, 9]); } Shape::Mesh { file: String::new(), scale: 1.0, mesh: TriangleMesh::new(p, t) } };
    let _ = Points::new(vec![]);
    let cases = [
        ("corner", corner),
        ("table", Collider::new(Shape::Box { half_extents: Vec3::new(0.23, 0.05, 0.23) }, Vec3::NEG_Y * 0.06)),
        ("bar", Collider::new(bar, Vec3::new(0.0, -0.03, 0.03))),
        ("rod", Collider::new(Shape::Capsule { half_height: 0.6, radius: 0.005 }, Vec3::new(0.0, -0.03, 0.02)).rotated(Vec3::Z * 1.5708)),
        ("needle", Collider::new(Shape::Capsule { half_height: 0.1, radius: 0.004 }, Vec3::new(0.02, -0.12, 0.04))),
        ("cone", Collider::new(cone, Vec3::new(0.02, -0.02, 0.04))),
        ("cyl", Collider::new(Shape::Cylinder { half_height: 0.1, radius: 0.25 }, Vec3::new(0.02, -0.11, 0.04))),
    ];
    let ids = text("solvers").unwrap_or("symplectic-euler,xpbd,projective-dynamics,implicit-euler,stable-mass-spring".into());
    for (name, collider) in &cases {
        if text("case").is_some_and(|case| !name.contains(&case)) { continue; }
        for id in ids.split(',') {
            let pattern = Pattern::grid(count, count, 1.0, 1.0, Plane::Xz);
            let mut s = Simulation::new(pattern, Default::default(), solvers::build(id).unwrap());
            s.parameters.contact.ground = false;
            s.parameters.contact.edges = get("edges", 1.0) > 0.0;
            s.parameters.contact.self_contact = get("self", 0.0) > 0.0;
            let p = &mut s.cloth.positions;
            let middle = p.iter().sum::<Vec3>() / p.len() as Real;
            p.iter_mut().for_each(|x| *x += Vec3::Y * 0.02 - middle);
            s.parameters.timing.time_step = 1.0 / 60.0;
            s.parameters.gravity.gravity *= get("g", 1.0);
            let limit = s.solver_critical_step().unwrap_or(1.0);
            s.parameters.timing.substeps = (1.0 / 60.0 / (0.4 * limit)).ceil().clamp(1.0, 200.0) as u32;
            s.parameters.material.damping = get("damping", s.parameters.material.damping);
            s.world.colliders.push(collider.clone());
            let solid = Solid::new(collider, 0.01);
            let mut worst: Real = -1.0; let mut when = 0; let mut st: Real = 0.0;
            let t = std::time::Instant::now();
            let mut all = 0.0;
            for step in 0..steps {
                let t = std::time::Instant::now();
                s.step().unwrap();
                all += t.elapsed().as_secs_f64();
                if step % 5 == 0 || step < 60 { let d = deepest(&s, &solid).0; if d > worst { worst = d; when = step; } }
                st = st.max(s.largest_stretch());
                if get("v", 0.0) > 0.0 && step % (get("v", 0.0) as usize) == 0 { println!("  {step} stretch {:.3} ke {:.2e} depth {:.4} contacts {}", s.largest_stretch(), s.cloth.velocities.iter().zip(&s.cloth.masses).map(|(v, m)| 0.5 * m * v.length_squared()).sum::<f64>() / s.cloth.len() as f64, deepest(&s, &solid).0, s.solid_forces().len()); if get("f",0.0)>0.0 { for f in s.solid_forces() { println!("     {:?} feature {} w {:.3?} n {:.2} force {:.3} lasting {:.3}", f.vertices, f.feature, f.weights, f.normal, f.force, f.lasting); } } }
            }
            let _ = t;
            let y = s.cloth.positions.iter().map(|x| x.y).sum::<f64>() / s.cloth.len() as f64;
            println!("{name:8} {id:20} sub {:3} worst {:.4} at {when}, end {:.4}; stretch max {:.3} end {:.3}; KE/v {:.2e}; y {y:.3} contacts {} ms {:.3}", s.parameters.timing.substeps, worst, deepest(&s, &solid).0, st, s.largest_stretch(), s.cloth.velocities.iter().zip(&s.cloth.masses).map(|(v, m)| 0.5 * m * v.length_squared()).sum::<f64>() / s.cloth.len() as f64, s.solid_forces().len(), all / steps as f64 * 1e3);
        }
    }
}
