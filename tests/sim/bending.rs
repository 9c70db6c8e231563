//! Isometric bending: what it costs, what it leaves alone, and who takes it.

use weft::scene::Scene;
use weft::sim::forces::IsometricBending;
use weft::sim::model::material::{BendingModel, DampingModel, Mass, MassModel};
use weft::sim::params::Setting;
use weft::sim::pattern::{FaceAttributes, Plane};
use weft::sim::solver_interface::{BendingRule, Info, Stability};
use weft::sim::solvers::Entry;
use weft::sim::{Grab, Pattern, Simulation, Vec3, solvers};

use crate::fixtures::{advance, every, farthest, square};
use crate::pairing::paired;

/// A square metre as a grid whose inner vertices are displaced by up to a share of a cell.
fn sheet(columns: usize, displaced: f64) -> Pattern {
    let grid = Pattern::grid(columns, columns, 1.0, 1.0, Plane::Xy);
    let cell = 1.0 / (columns as f64 - 1.0);
    let mut rest = grid.rest_positions().to_vec();
    for (i, x) in rest.iter_mut().enumerate() {
        let inner = (x.x - 0.5).abs() < 0.499 && (x.y + 0.5).abs() < 0.499;
        let shift = Vec3::new((12.9 * i as f64).sin(), (78.2 * i as f64).cos(), 0.0);
        *x += shift * if inner { displaced * cell } else { 0.0 };
    }
    Pattern::mesh(rest, grid.triangles().to_vec())
}

/// Meshes of every kind: grids of all sizes, displaced ones, a strip, and random vertices twice as dense on one side.
fn meshes() -> Vec<(String, Pattern)> {
    let mut meshes: Vec<(String, Pattern)> =
        [10, 20, 40, 80].map(|n| (format!("grid of {n}"), Pattern::grid(n, n, 1.0, 1.0, Plane::Xy))).into();
    meshes.extend(
        [(20, 0.15), (40, 0.15), (60, 0.1)].map(|(n, share)| (format!("{n}, displaced by {share}"), sheet(n, share))),
    );
    meshes.push(("oblong cells".to_owned(), Pattern::grid(30, 45, 1.0, 1.0, Plane::Xy)));
    let curtain =
        Scene::load("pd-figure-5-irregular").expect("it comes with the program").build().expect("a good scene");
    meshes.push(("random".to_owned(), curtain.pattern().clone()));
    meshes
}

/// Area [m²] of the triangles.
pub fn area(pattern: &Pattern) -> f64 {
    let rest = pattern.rest_positions();
    let of = |triangle: &[u32; 3]| {
        let [a, b, c] = triangle.map(|vertex| rest[vertex as usize]);
        0.5 * (b - a).cross(c - a).length()
    };
    pattern.triangles().iter().map(of).sum()
}

/// Energy [J] for a stiffness of 1 N·m that a plate with this curvature (along warp and weft, and twist, 1/m) has in a strip along the rim half an
/// edge deep, where the curvature across the rim is not seen.
pub fn unseen(pattern: &Pattern, [warp, over, twist]: [f64; 3], weft: f64) -> f64 {
    let rest = pattern.rest_positions();
    let mut sides = std::collections::BTreeMap::<[u32; 2], Vec<u32>>::new();
    for &[a, b, c] in pattern.triangles() {
        for [i, j, facing] in [[a, b, c], [b, c, a], [c, a, b]] {
            sides.entry([i.min(j), i.max(j)]).or_default().push(facing);
        }
    }
    let rim = sides.iter().filter(|(_, facing)| facing.len() == 1);
    let energy = |([i, j], facing): (&[u32; 2], &Vec<u32>)| {
        let [i, j, facing] = [*i, *j, facing[0]].map(|vertex| rest[vertex as usize]);
        let n = Vec3::Z.cross(j - i).normalize();
        let across = |[warp, over, twist]: [f64; 3]| n.y * n.y * warp + n.x * n.x * over + 2.0 * n.x * n.y * twist;
        let moment = across([warp, weft * over, weft.sqrt() * twist]);
        0.25 * i.distance(j) * n.dot(facing - i).abs() * moment * across([warp, over, twist])
    };
    rim.map(energy).sum()
}

/// The sheet, which lies in the plane of x and y, rolled on a cylinder whose axis is turned by `turn` [rad].
fn rolled(pattern: &Pattern, radius: f64, turn: f64) -> Vec<Vec3> {
    let (across, along) = (Vec3::new(turn.cos(), turn.sin(), 0.0), Vec3::new(-turn.sin(), turn.cos(), 0.0));
    let roll = |x: &Vec3| {
        let angle = x.dot(across) / radius;
        along * x.dot(along) + (across * angle.sin() + Vec3::Z * (1.0 - angle.cos())) * radius
    };
    pattern.rest_positions().iter().map(roll).collect()
}

#[test]
fn a_cylinder_costs_what_the_formula_says_on_any_mesh_and_in_any_direction() {
    for (name, pattern) in meshes() {
        let bending = IsometricBending::of(&pattern, 1.0);
        for radius in [1.0, 0.5] {
            let directions = (0..12).map(|k| {
                let turn = f64::from(k) * 0.2618;
                let [sine, cosine] = [turn.sin(), turn.cos()];
                let unseen = unseen(&pattern, [sine * sine, cosine * cosine, sine * cosine], 1.0);
                let expected = (0.5 * area(&pattern) - unseen) / (radius * radius);
                bending.energy(&rolled(&pattern, radius, turn)) / expected
            });
            let ratios: Vec<f64> = directions.collect();
            let mean = ratios.iter().sum::<f64>() / 12.0;
            assert!((mean - 1.0).abs() < 0.02, "{name}, {radius} m: {mean}");
            let most = 0.04;
            assert!(ratios.iter().all(|ratio| (ratio - 1.0).abs() < most), "{name}, {radius} m: {ratios:.3?}");
        }
    }
}

#[test]
fn flat_is_free_however_it_lies_and_nothing_else_is() {
    for (name, pattern) in meshes() {
        let bending = IsometricBending::of(&pattern, 1.0);
        let affine = |columns: [Vec3; 2], shift: Vec3| -> Vec<Vec3> {
            pattern.rest_positions().iter().map(|x| columns[0] * x.x + columns[1] * x.y + shift).collect()
        };
        let fold = bending.energy(&rolled(&pattern, 0.2, 0.3));
        let turned = affine([Vec3::new(0.6, 0.0, 0.8), Vec3::new(0.0, 1.0, 0.0)], Vec3::new(3.0, -2.0, 1.0));
        let sheared = affine([Vec3::new(1.4, 0.1, 0.0), Vec3::new(0.5, 0.7, -0.2)], Vec3::ZERO);
        for flat in [pattern.rest_positions().to_vec(), turned, sheared] {
            assert!(bending.energy(&flat) < 1e-18 * fold, "{name}: {}", bending.energy(&flat));
        }
        for vertex in 0..pattern.len() {
            let (row, diagonal) = (bending.row(vertex), bending.diagonal(vertex));
            let sum: f64 = row.iter().map(|(_, q)| q).sum();
            assert!(sum.abs() < 1e-10 * diagonal.max(1.0) && diagonal >= 0.0, "{name}: row {vertex} sums to {sum}");
        }
        // no vertex can leave the plane for nothing: the matrix is positive, but for what is affine
        for vertex in [0, pattern.len() / 2, pattern.len() - 1] {
            let mut out = pattern.rest_positions().to_vec();
            out[vertex].z += 0.01;
            assert!(bending.energy(&out) > 1e-6, "{name}: vertex {vertex} costs {}", bending.energy(&out));
        }
        let mut crumpled = pattern.rest_positions().to_vec();
        for (i, x) in crumpled.iter_mut().enumerate() {
            *x += Vec3::new((3.1 * i as f64).sin(), (1.3 * i as f64).sin(), (7.7 * i as f64).cos()) * 0.1;
        }
        let quadratic: f64 = (0..pattern.len()).map(|i| 0.5 * crumpled[i].dot(bending.apply(i, &crumpled))).sum();
        let energy = bending.energy(&crumpled);
        assert!(energy > 0.0 && (quadratic - energy).abs() < 1e-8 * energy, "{name}: {quadratic} {energy}");
        for vertex in [0, pattern.len() / 3] {
            let force = bending.force_on(vertex as u32, &crumpled);
            assert!((force + bending.apply(vertex, &crumpled)).length() < 1e-8 * (1.0 + force.length()), "{name}");
        }
    }
}

#[test]
fn stencils_that_follow_a_tear_have_the_bits_of_new_ones() {
    let mut around = 0;
    for (name, whole) in meshes() {
        let mut kept = IsometricBending::of(&whole, 1.0);
        let mut check = |pattern: &Pattern, what: &str| {
            kept.update(pattern, 1.0);
            let fresh = IsometricBending::of(pattern, 1.0);
            assert_eq!(kept.stencils(), fresh.stencils(), "{name}, {what}");
            for vertex in 0..pattern.len() {
                let bits = |bending: &IsometricBending| -> Vec<(u32, u64)> {
                    bending.row(vertex).iter().map(|&(other, q)| (other, q.to_bits())).collect()
                };
                assert_eq!(bits(&kept), bits(&fresh), "{name}, {what}, vertex {vertex}");
            }
        };
        // tears that grow from one step to the next, at several places, and one that starts elsewhere
        let mut torn = vec![whole.clone()];
        let mut state = 7_u32;
        for step in 0..12 {
            let last = torn.last().expect("the whole one").clone();
            let mut edges = Vec::new();
            for _ in 0..4 {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let corners = last.triangles()[(state >> 8) as usize % last.triangles().len()];
                edges.extend([[corners[0], corners[1]], [corners[1], corners[2]]]);
            }
            let Some(next) = last.open(&edges) else { continue };
            around += usize::from(2 * edges.len() * 16 < next.triangles().len());
            check(&next, &format!("tear {step}"));
            torn.push(next);
        }
        // and back: a step, to the middle, to the whole cloth, and to the end at once
        for at in [torn.len() - 2, torn.len() / 2, 0, torn.len() - 1] {
            check(&torn[at], &format!("back to {at}"));
        }
    }
    assert!(around > 20, "few were found around the tears alone: {around}");
}

#[test]
fn stencils_follow_the_grain_and_the_texture_coordinates() {
    for (name, straight) in meshes() {
        let mut kept = IsometricBending::of(&straight, 0.4);
        let mut check = |pattern: &Pattern, what: &str| {
            kept.update(pattern, 0.4);
            assert_eq!(kept.stencils(), IsometricBending::of(pattern, 0.4).stencils(), "{name}, {what}");
        };
        let turned = straight.clone().with_grains(&[0.7]);
        assert_ne!(IsometricBending::of(&turned, 0.4).stencils(), IsometricBending::of(&straight, 0.4).stencils());
        check(&turned, "turned grain");
        // warp and weft change places
        let texture = straight.rest_positions().iter().map(|x| [x.y, x.x]).collect();
        let corners = straight.triangles().to_vec();
        let attributes = FaceAttributes { texture, corners, ..FaceAttributes::default() };
        let textured = straight.clone().with_attributes(attributes.clone());
        check(&textured, "texture");
        let (textured_and_turned, [a, b]) = (textured.clone().with_grains(&[0.7]), [&textured, &turned]);
        check(&textured_and_turned, "both");
        let other_order = turned.clone().with_attributes(attributes);
        assert_eq!(other_order.revision(), textured_and_turned.revision(), "{name}");
        assert!(a.revision() != straight.revision() && b.revision() != textured_and_turned.revision(), "{name}");
        check(&straight, "straight again");
    }
}

#[test]
fn a_cut_changes_the_stencils_beside_it_and_no_others() {
    let whole = Pattern::grid(9, 9, 1.0, 1.0, Plane::Xy);
    let cut: Vec<[u32; 2]> = (0..8).map(|row| [9 * row + 4, 9 * row + 13]).collect();
    let torn = whole.open(&cut).expect("it falls apart");
    let bending = IsometricBending::of(&torn, 1.0);
    let before = IsometricBending::of(&whole, 1.0);
    // those of vertices beside the cut are as before
    let beside = |vertex: u32| cut.iter().flatten().any(|end| *end == vertex) || vertex >= 81;
    let kept = |bending: &IsometricBending| -> Vec<(Vec<u32>, [f64; 3])> {
        let kept = bending.stencils().iter().filter(|stencil| !beside(stencil.vertices[0]));
        // a neighbour may be a new vertex at the same place
        kept.map(|stencil| (stencil.vertices.iter().map(|v| torn.origins()[*v as usize]).collect(), stencil.weights))
            .collect()
    };
    assert_eq!(kept(&before), kept(&bending));
    // each half can be folded back for nothing
    let mut folded = torn.rest_positions().to_vec();
    let mut right = vec![false; torn.len()];
    for triangle in torn.triangles() {
        let middle = triangle.iter().map(|&v| torn.rest_positions()[v as usize].x).sum::<f64>() / 3.0;
        triangle.iter().for_each(|&v| right[v as usize] |= middle > 0.5);
    }
    for (x, right) in folded.iter_mut().zip(right) {
        if right {
            *x = Vec3::new(0.5, x.y, x.x - 0.5);
        }
    }
    assert!(bending.energy(&folded) < 1e-18, "{}", bending.energy(&folded));
    assert!(IsometricBending::of(&whole, 1.0).energy(&folded[..81]) > 1.0);
}

#[test]
fn meshes_that_are_no_surfaces_have_stencils_where_they_are() {
    let points = |list: &[[f64; 3]]| -> Vec<Vec3> { list.iter().map(|x| Vec3::from_array(*x)).collect() };
    let square = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0], [1.0, 0.0, 1.0]];
    let count = |triangles: &[[u32; 3]]| {
        let bending = IsometricBending::of(&Pattern::mesh(points(&square), triangles.to_vec()), 1.0);
        let weights = bending.stencils().iter().flat_map(|stencil| stencil.weights);
        assert!(weights.into_iter().all(|weight| weight.is_finite() && weight >= 0.0));
        bending.stencils().len()
    };
    assert_eq!(count(&[]), 0);
    assert_eq!(count(&[[0, 1, 2]]), 0);
    // an inner edge is seen by both of its ends
    assert_eq!(count(&[[0, 1, 2], [1, 3, 2]]), 2);
    // wound the other way round, a triangle twice, three at an edge, and triangles without area
    assert_eq!(count(&[[0, 1, 2], [1, 2, 3]]), 2);
    assert_eq!(count(&[[0, 1, 2], [0, 1, 2]]), 0);
    assert_eq!(count(&[[0, 1, 2], [1, 3, 2], [1, 2, 4]]), 0);
    assert_eq!(count(&[[0, 1, 2], [1, 3, 2], [0, 0, 1], [2, 2, 2]]), 2);
}

fn bent(mut simulation: Simulation, stiffness: f64) -> Simulation {
    simulation.parameters.material.bending_model = BendingModel::Isometric;
    simulation.parameters.material.bending_stiffness = stiffness;
    simulation
}

fn takes_it(entry: &&Entry) -> bool {
    !matches!(entry.info.capabilities.bending, BendingRule::SpringsOnly(_))
}

#[test]
#[ignore = "full tier"]
fn who_takes_it_sags_as_a_plate_does_and_who_does_not_has_the_springs() {
    // a strip that is clamped at its left end sags by w L⁴/(8 B), as long as that is little; it bends from the middle between the two clamped
    // columns on
    let (length, stiffness) = (0.5, 0.01);
    let sag = |entry: &Entry, model: BendingModel, time: f64| {
        let pattern = Pattern::grid(21, 5, length, 0.1, Plane::Xz);
        let mass = Mass { mass_model: MassModel::AreaDensity, ..Mass::default() };
        let mut simulation = bent(Simulation::new(pattern, mass, (entry.build)()), stiffness);
        simulation.parameters.material.bending_model = model;
        simulation.parameters.contact.ground = false;
        for vertex in (0..5).flat_map(|row| [21 * row, 21 * row + 1]) {
            simulation.state.cloth.pin_here(vertex);
        }
        simulation.parameters.gravity.gravity = 0.1;
        simulation.parameters.material.damping = 0.01;
        let step = simulation.solver_critical_step().map_or(0.01, |critical| 0.4 * critical);
        simulation.parameters.timing.time_step = step;
        // few of them take long to come to rest
        let settings = simulation.solver_mut().settings_mut();
        if let Some(iterations) = settings.index_of("iterations") {
            settings.set(iterations, Setting::Integer(150)).expect("in range");
        }
        advance(&mut simulation, (time / step) as usize);
        (-simulation.state.cloth.positions[21 * 2 + 20].y, simulation)
    };
    let free = length - length / 40.0;
    let expected = 0.15 * 0.1 * free.powi(4) / (8.0 * stiffness);
    let newton = solvers::REGISTRY.iter().find(|entry| entry.info.capabilities.converges).expect("there is one");
    let (newton, _) = sag(newton, BendingModel::Isometric, 8.0);
    assert!((0.97..1.03).contains(&(newton / expected)), "{newton} m instead of {expected} m");
    // where nothing damps what swings out of the sheet, it does not come to rest
    let damped = |entry: &&Entry| {
        let Info { stability, capabilities, .. } = entry.info;
        *stability != Stability::Damped && (capabilities.damping.honours(DampingModel::Isotropic) || !takes_it(entry))
    };
    let steady = solvers::REGISTRY.iter().filter(damped);
    every(paired([()], steady, 4).map(|(_, entry)| entry), |entry| {
        if !takes_it(&entry) {
            let [one, other] = [BendingModel::Springs, BendingModel::Isometric]
                .map(|model| sag(entry, model, 0.2).1.state.cloth.positions);
            assert!(one == other, "{}", entry.info.id);
            return;
        }
        let (sag, simulation) = sag(entry, BendingModel::Isometric, 8.0);
        assert!((sag / newton - 1.0).abs() < 0.05, "{}: {sag} m instead of {newton} m", entry.info.id);
        // the readouts know of it: at rest half of the work of the weight is stored, nearly all of it in bending
        let energy = simulation.energy();
        let stored = energy.elastic.expect("it has one") / -energy.potential;
        assert!((stored - 0.5).abs() < 0.05, "{}: {stored} of the work", entry.info.id);
        // and the clamp carries the weight of the strip
        let held =
            simulation.state.cloth.pins().iter().map(|pin| simulation.reaction(pin.vertex).expect("it knows forces").y);
        let weight = simulation.state.cloth.masses.iter().sum::<f64>() * 0.1;
        let carried = held.sum::<f64>() / weight;
        assert!((carried - 1.0).abs() < 0.05, "{}: {carried} of its weight", entry.info.id);
    });
}

#[test]
fn solvers_that_take_it_agree_with_each_other() {
    let run = |solver: &str, step: f64| {
        let mut simulation = bent(square(solver, 7, 7), 0.02);
        for (i, v) in simulation.state.cloth.velocities.iter_mut().enumerate() {
            *v = Vec3::new(0.1, 2.0 * (0.9 * i as f64).sin(), (0.4 * i as f64).cos());
        }
        simulation.state.cloth.pin_here(0);
        simulation.state.cloth.pin_here(6);
        simulation.parameters.timing.time_step = step;
        crate::promises::converge(&mut simulation);
        advance(&mut simulation, (0.05 / step).round() as usize);
        simulation.state.cloth.positions
    };
    let fine = run("symplectic-euler", 1e-5);
    let apart = |a: &[Vec3]| farthest(a, &fine);
    let plain = apart(&square("symplectic-euler", 7, 7).state.cloth.positions);
    every(solvers::REGISTRY.iter().filter(takes_it), |entry| {
        let [coarse, close] = [5e-4, 2.5e-4].map(|step| apart(&run(entry.info.id, step)));
        let order = (coarse / close).log2();
        assert!(close < 0.02 * plain && (order - 1.0).abs() < 0.3, "{}: {coarse} {close}", entry.info.id);
    });
}

#[test]
fn an_implicit_step_with_bending_is_the_same_by_gradients_as_by_factorisation() {
    let run = |linear_solver: usize| {
        let mut simulation = bent(square("implicit-euler", 12, 9), 0.05);
        let settings = simulation.solver_mut().settings_mut();
        for (key, value) in
            [("linear_solver", Setting::Choice(linear_solver)), ("residual_tolerance", Setting::Real(1e-12))]
        {
            let index = settings.index_of(key).expect("its own");
            settings.set(index, value).expect("in range");
        }
        simulation.state.cloth.pin_here(0);
        simulation.state.cloth.pin_here(11);
        simulation.state.cloth.positions[50].y += 0.05;
        simulation.state.grab = Some(Grab { vertex: 100, target: Vec3::new(0.4, 1.3, 0.9) });
        advance(&mut simulation, 10);
        simulation.state.cloth.positions
    };
    let (gradients, direct) = (run(0), run(1));
    let apart = farthest(&gradients, &direct);
    assert!(apart < 1e-9, "{apart:e}");
}

#[test]
fn bending_gives_the_same_bits_on_any_number_of_threads_and_after_a_cut() {
    every(solvers::REGISTRY.iter().filter(takes_it), |entry| {
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| {
                let mut simulation = bent(crate::fixtures::rippled(entry.info.id, 70, 70), 1e-4);
                simulation.parameters.timing.time_step = 1e-4;
                advance(&mut simulation, 2);
                assert!(simulation.cut(&[[71, 72], [72, 73], [73, 74]]) > 0);
                advance(&mut simulation, 2);
                simulation.state.cloth
            })
        };
        let one = run(1);
        assert!([2, 8].iter().all(|&threads| run(threads) == one), "{}", entry.info.id);
    });
}

/// Mean angle between triangles beside each other [rad].
fn crease(simulation: &Simulation) -> f64 {
    let hinges = weft::sim::constraints::hinge::hinges(simulation.pattern());
    let angle = |hinge: &weft::sim::constraints::Hinge| {
        let bend =
            weft::sim::constraints::hinge::bend(hinge.vertices.map(|v| simulation.state.cloth.positions[v as usize]));
        bend.map_or(0.0, |bend| bend.angle.abs())
    };
    hinges.iter().map(angle).sum::<f64>() / hinges.len() as f64
}

/// Creases of a cloth that hangs by its upper edge, crumpled by a hand that carries a corner to and fro before it, and let go: in the
/// hand, and ten seconds later.
fn crumpled(model: BendingModel) -> [f64; 2] {
    let mut scene = Scene::load("hanging").expect("it comes with the program");
    for (key, value) in [("pins", "top_edge"), ("plane", "front"), ("damping", "0.002"), ("ground", "false")] {
        scene.set(key, value).expect("in range");
    }
    let mut simulation = scene.build().expect("a good scene");
    simulation.parameters.material.bending_model = model;
    advance(&mut simulation, 300);
    assert!(crease(&simulation) < 1e-9, "it hangs flat");
    let corner = 29 * 30;
    let start = simulation.state.cloth.positions[corner as usize];
    let mut from = Vec3::ZERO;
    for (x, y, z) in [(0.3, 0.6, 0.15), (0.6, 0.5, -0.15), (0.2, 0.6, -0.05), (0.5, 0.7, 0.1)] {
        let to = Vec3::new(x, y, z);
        for step in 0..150 {
            let target = start + from.lerp(to, f64::from(step + 1) / 150.0);
            simulation.state.grab = Some(Grab { vertex: corner, target });
            advance(&mut simulation, 1);
        }
        from = to;
    }
    let folded = crease(&simulation);
    simulation.state.grab = None;
    advance(&mut simulation, 600);
    [folded, crease(&simulation)]
}

#[test]
fn creases_are_gone_ten_seconds_after_a_hand_has_crumpled_the_cloth() {
    let [folded, after] = crumpled(BendingModel::Isometric);
    assert!(folded > 0.05, "the hand crumples: {folded}");
    assert!(after < 0.01 * folded, "{folded} in the hand, {after} after");
    // bend springs hold some of them
    let [folded, after] = crumpled(BendingModel::Springs);
    assert!(after > 0.02 * folded, "{folded} in the hand, {after} after");
}
