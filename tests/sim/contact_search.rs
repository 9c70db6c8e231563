//! The search for contacts asks few colliders, and finds what asking all of them would find.

use std::borrow::Cow;

use proptest::prelude::*;
use weft::sim::contact::{Collider, Contact, ContactSettings, Loads, Obstacles, Shape, Solid};
use weft::sim::exec::pool::ThreadPool;
use weft::sim::forces::springs::spring_force;
use weft::sim::model::partition::Partition;
use weft::sim::pattern::Plane;
use weft::sim::{Cloth, Material, Pattern, Real, Vec3};

/// The search without a broad phase, as the documentation of contact says it.
struct Exhaustive {
    solids: Vec<Solid>,
    contact: ContactSettings,
}

impl Exhaustive {
    fn find(&self, cloth: &Cloth, loads: &Loads) -> Vec<Contact> {
        let thickness = self.contact.thickness;
        let mut touches = Vec::new();
        for &vertex in &loads.partition.free {
            let i = vertex as usize;
            let (x, v) = (cloth.positions[i], cloth.velocities[i]);
            let surfaces = self.solids.iter().filter_map(|solid| Some((solid, solid.nearest(x)?)));
            let gaps = surfaces.map(|(solid, surface)| (surface.distance - thickness, surface.normal, solid));
            // what is far inside comes out at half a metre per second, without friction
            let recovery = 0.5 * loads.dt;
            let counts = |gap: &(Real, Vec3, &Solid)| gap.0.abs() <= 0.05 * thickness || gap.0 < -recovery;
            let nearest = gaps.filter(counts).min_by(|a, b| a.0.total_cmp(&b.0));
            let Some((gap, normal, solid)) = nearest else { continue };
            let is_inside = gap < -recovery;
            let (gap, friction) = if is_inside { (-recovery, 0.0) } else { (gap, self.contact.friction) };
            let touch = Contact {
                vertex,
                point: x - normal * gap,
                normal,
                motion: Vec3::ZERO,
                friction,
                drag: None,
                load_share: None,
            };
            let Some(material) = loads.material.filter(|_| !is_inside) else {
                touches.push(Contact { drag: is_inside.then_some(0.0), ..touch });
                continue;
            };
            let mut force = Vec3::ZERO;
            for &(e, other) in loads.pattern.neighbours().of_vertex(vertex) {
                let (springs, j) = (loads.pattern.springs(), other as usize);
                let k = material.stiffness(springs.families[e as usize]);
                if k > 0.0 {
                    let (d, dv) = (cloth.positions[j] - x, cloth.velocities[j] - v);
                    force += spring_force::<false>(k, material.damping, springs.rest_lengths[e as usize], d, dv);
                }
            }
            let stopping = -((force + loads.external[i]) * loads.dt + v * cloth.masses[i]);
            let pressing = stopping.dot(normal);
            if pressing > 0.0 {
                let (along, limit) = (stopping - normal * pressing, friction * pressing);
                let drag = (along.length() > limit).then(|| {
                    let (h, mass) = (loads.dt, cloth.masses[i]);
                    let springs = loads.pattern.neighbours().of_vertex(vertex);
                    let stiffness: f64 =
                        springs.iter().map(|&(e, _)| material.stiffness_of(loads.pattern, e as usize)).sum();
                    let along_surface = |v: Vec3| (v - normal * v.dot(normal)).length();
                    let speeds = [
                        along_surface(v),
                        along_surface(v + loads.external[i] * (h / mass)) - limit / mass,
                        (along.length() - limit) / ((mass / (h * h) + stiffness) * h * h),
                    ];
                    (limit / (h * h * speeds.into_iter().fold(0.0, f64::max))).min(9.0 * mass / (h * h))
                });
                touches.push(Contact { drag, ..touch });
                // the plane of a sliding one is that where it slides to
                let slides = drag.is_some().then(|| touch.point + v * loads.dt);
                let there = slides.map(|there| there - normal * normal.dot(there - touch.point));
                let Some((there, surface)) = there.and_then(|there| Some((there, solid.nearest(there)?))) else {
                    continue;
                };
                let plane = there - surface.normal * (surface.distance - thickness);
                if surface.normal.dot(normal) > 0.7 {
                    let point = touch.point + surface.normal * surface.normal.dot(plane - touch.point);
                    touches.pop();
                    touches.push(Contact { drag, point, normal: surface.normal, ..touch });
                }
            }
        }
        touches
    }

    fn resolve(&self, before: &[Vec3], partition: &Partition, cloth: &mut Cloth) {
        let ContactSettings { thickness, friction, restitution, .. } = self.contact;
        for &vertex in &partition.free {
            let i = vertex as usize;
            let (mut x, mut v) = (cloth.positions[i], cloth.velocities[i]);
            for solid in &self.solids {
                let entry = (before[i].distance(x) > thickness).then(|| solid.entry(before[i], x)).flatten();
                let found = match entry {
                    Some((point, normal)) => Some(((x - point).dot(normal), normal, point)),
                    None => solid.nearest(x).map(|surface| (surface.distance, surface.normal, before[i])),
                };
                let Some((distance, normal, start)) = found else { continue };
                let recovery = 0.5 * DT;
                let mut least = thickness;
                if thickness - distance > recovery && entry.is_none() {
                    let before = solid.nearest(before[i]).map_or(thickness, |surface| surface.distance);
                    least = least.min(before + recovery);
                }
                if distance >= least {
                    continue;
                }
                let friction = if least < thickness { 0.0 } else { friction };
                let start = solid.first_contact(before[i], x, thickness).unwrap_or(start);
                let slid = (x - start).reject_from_normalized(normal);
                x += normal * (least - distance);
                let approach = v.dot(normal);
                if approach < 0.0 {
                    let tangential = v - normal * approach;
                    let speed = tangential.length();
                    let lost = friction * (-approach * (1.0 + restitution));
                    let kept = if speed > 0.0 { (1.0 - lost / speed).max(0.0) } else { 0.0 };
                    v = tangential * kept - normal * (approach * restitution);
                    let taken_back = slid * (1.0 - kept);
                    x -= taken_back;
                    if taken_back.length() > 0.01 * thickness
                        && let Some(surface) = solid.nearest(x).filter(|surface| surface.distance < least)
                    {
                        x += surface.normal * (least - surface.distance);
                    }
                }
            }
            (cloth.positions[i], cloth.velocities[i]) = (x, v);
        }
    }
}

/// Length of a step [s].
const DT: Real = 0.01;

/// Pseudo-random numbers in `-1..1`.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.next(), self.next(), self.next())
    }

    fn collider(&mut self) -> Collider {
        let size = |noise: &mut Self| 0.02 + 0.3 * noise.next().abs();
        let shape = match (self.next().abs() * 5.0) as u32 {
            0 => Shape::Plane { normal: self.vector() + Vec3::Y * 2.0 },
            1 => Shape::Sphere { radius: size(self) },
            2 => Shape::Box { half_extents: Vec3::new(size(self), size(self), size(self)) },
            3 => Shape::Capsule { half_height: size(self), radius: size(self) },
            _ => Shape::Cylinder { half_height: size(self), radius: size(self) },
        };
        Collider::new(shape, self.vector() * 0.8).rotated(self.vector() * 3.0)
    }
}

/// How the cloth moves from step to step [m].
fn motion(noise: &mut Noise, step: usize) -> Vec3 {
    match (noise.next().abs() * 10.0) as usize {
        // at rest, creeping, falling, shot through thin things, put somewhere else
        0..3 => Vec3::ZERO,
        3..6 => noise.vector() * 1e-4,
        6..9 => noise.vector() * 0.03,
        _ if step % 3 == 2 => noise.vector() * 2.0,
        _ => noise.vector() * 0.4,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn the_contacts_are_those_that_asking_every_collider_finds(
        seed in any::<u64>(),
        colliders in prop_oneof![1_usize..8, Just(70_usize)],
        thickness in prop_oneof![Just(1e-4), Just(0.008), Just(0.08)],
        pressing in any::<bool>(),
    ) {
        let mut noise = Noise(seed);
        let pattern = Pattern::grid(19, 15, 1.0, 1.0, Plane::Xz);
        let mut cloth = Cloth::at_rest(pattern.rest_positions().to_vec(), vec![0.01; pattern.len()]);
        cloth.positions.iter_mut().for_each(|x| *x = noise.vector());
        cloth.pin_here(7);
        let (material, contact) = (Material::default(), ContactSettings { thickness, ..ContactSettings::default() });
        let external = vec![Vec3::NEG_Y * 0.098; cloth.len()];
        let (mut obstacles, mut partition) = (Obstacles::default(), Partition::default());
        let mut list: Vec<Collider> = (0..colliders).map(|_| noise.collider()).collect();
        // large, so that there is something to touch
        list[0] = Collider::new(Shape::Sphere { radius: 0.7 }, Vec3::ZERO);
        let mut found = 0;
        for step in 0..12 {
            if step == 7 {
                // another world
                list[0] = noise.collider();
                list.push(noise.collider());
            }
            let exhaustive = Exhaustive {
                solids: list.iter().map(|collider| Solid::new(collider, 1.1 * thickness)).collect(),
                contact,
            };
            let dt = DT;
            partition.update(&cloth, None, 0.0, dt);
            obstacles.update(|| list.iter().map(Cow::Borrowed), None, &contact, 0.0, dt);
            let pool = ThreadPool::alone();
            let material = pressing.then_some(&material);
            let loads = Loads { pattern: &pattern, material, partition: &partition, external: &external, dt };
            let mut touches = vec![];
            obstacles.find_contacts(&cloth, &loads, 0.02, &mut touches, &pool);
            prop_assert_eq!(&touches, &exhaustive.find(&cloth, &loads), "step {}", step);
            found += touches.len();

            let before = cloth.positions.clone();
            for i in 0..cloth.len() {
                let moved = motion(&mut noise, step);
                cloth.positions[i] += moved;
                cloth.velocities[i] = moved / dt;
            }
            let mut expected = cloth.clone();
            exhaustive.resolve(&before, &partition, &mut expected);
            obstacles.resolve(&before, &partition, &mut cloth, 0.02, &pool);
            prop_assert_eq!(&cloth, &expected, "step {}", step);
        }
        // what friction holds on a round surface comes off it by more than a share of so small a thickness
        prop_assert!(found > 0 || thickness < 1e-3, "nothing was ever touched");
    }
}
