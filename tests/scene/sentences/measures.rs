//! Measures of sentences, each of a scene by its name.

use weft::scene::Scene;
use weft::sim::constraints::tributary_widths;
use weft::sim::measure::curvatures;
use weft::sim::pattern::{Family, OneRings};
use weft::sim::solver_interface::contact_motion::longest_held;
use weft::sim::solver_interface::{ContactMotion, Processor};
use weft::sim::solvers::REGISTRY;
use weft::sim::{Grab, Real, Simulation, Vec3};

use super::tools::*;

pub(super) fn body(name: &str) -> Result<(), String> {
    let simulation = ran(load(name).1, 4.0);
    let low = range(&simulation.state.cloth.positions, |x| x.y)[0];
    let ([volume, inverted], distortion) = (volume(&simulation), distortion(&simulation, 0, 0));
    says(
        low < 0.02 && (volume - 1.0).abs() < 0.05 && inverted < 1e-3 && distortion < 0.1,
        (low, volume, inverted, distortion),
    )
}

pub(super) fn breeze(name: &str) -> Result<(), String> {
    let (_, mut simulation) = load(name);
    let pins = simulation.state.cloth.pins().len();
    let at = |simulation: &Simulation| mean(&simulation.state.cloth.positions);
    let start = at(&simulation).y;
    run(&mut simulation, 3.0, |_| ());
    let mut places = Vec::new();
    run(&mut simulation, 8.0, |simulation| places.push(at(simulation)));
    let (fallen, to_and_fro) = (start - places.last().expect("steps").y, span(&places, |x| x.z));
    says(pins == 2 && fallen > 0.1 && (0.02..0.5).contains(&to_and_fro), (pins, fallen, to_and_fro))
}

pub(super) fn fall(name: &str) -> Result<(), String> {
    let (scene, mut simulation) = load(name);
    let bars = 1 + scene.pieces.len();
    let upright =
        (0..bars).all(|bar| span(&piece(&simulation, bar), |x| x.y) > 4.0 * span(&piece(&simulation, bar), |x| x.z));
    run(&mut simulation, 0.4, |_| ());
    let lowest: Vec<Real> = (0..bars).map(|bar| range(&piece(&simulation, bar), |x| x.y)[0]).collect();
    says(bars == 3 && upright && lowest.iter().all(|low| *low < 0.03), (bars, upright, lowest))
}

pub(super) fn pushed_together(name: &str) -> Result<(), String> {
    let (_, mut simulation) = load(name);
    let widths = |simulation: &Simulation| [0, 1].map(|number| span(&piece(simulation, number), |x| x.x));
    let before = widths(&simulation);
    run(&mut simulation, 1.6, |_| ());
    let after = widths(&simulation);
    says(before.iter().zip(after).all(|(before, after)| (before - after - 0.25).abs() < 0.01), (before, after))
}

pub(super) fn behind_keeps_its_edges(name: &str) -> Result<(), String> {
    let simulation = ran(load(name).1, 4.0);
    let (pattern, x) = (simulation.pattern(), &simulation.state.cloth.positions);
    let (of, springs) = (pattern.piece_of_vertices(), pattern.springs());
    let behind = (0..springs.len())
        .filter(|&e| springs.families[e] == Family::Structural && of[springs.ends[e][0] as usize] == 1);
    let strains = behind.map(|e| {
        let [i, j] = springs.ends[e].map(|end| x[end as usize]);
        (i.distance(j) / springs.rest_lengths[e] - 1.0).abs()
    });
    let largest = strains.fold(0.0, Real::max);
    says(largest < 0.05, largest)
}

pub(super) fn held_at_its_left_edge(name: &str) -> Result<(), String> {
    let (_, simulation) = load(name);
    let x = &simulation.state.cloth.positions;
    let left = range(x, |x| x.x)[0];
    let held = simulation.state.cloth.pins().iter().all(|pin| x[pin.vertex as usize].x < left + 1e-9);
    says(held && simulation.state.cloth.pins().len() == 25, simulation.state.cloth.pins().len())
}

pub(super) fn gusts(name: &str) -> Result<(), String> {
    let (_, mut simulation) = load(name);
    run(&mut simulation, 2.0, |_| ());
    let mut lengths = Vec::new();
    run(&mut simulation, 6.0, |simulation| lengths.push(mean(&simulation.state.cloth.positions).with_y(0.0)));
    // it streams to the right of its pole, at x = -0.6 m, and not always as far
    let [least, most] = range(&lengths, |x| x.x + 0.6);
    says(least > 0.2 && most - least > 0.02, (least, most))
}

pub(super) fn fine(name: &str) -> Result<(), String> {
    let scene = Scene::load(name).expect("it comes with the program");
    let side: u32 = name.rsplit('-').next().and_then(|last| last.parse().ok()).unwrap_or(1025);
    let entry = REGISTRY.iter().find(|entry| entry.info.id == scene.solver).expect("registered");
    let on_device = entry.info.capabilities.processor == Processor::Device;
    let [columns, rows] = [scene.first.grid.columns, scene.first.grid.rows];
    says([columns, rows] == [side; 2] && on_device, (columns, rows, scene.solver))
}

pub(super) fn falls_over_a_ball(name: &str) -> Result<(), String> {
    // by the same method on the processor, coarser: the device's is compared with it elsewhere
    let coarse = [("columns", "65"), ("rows", "65"), ("solver", "projective-dynamics")];
    let simulation = ran(with(name, &coarse), 3.0);
    let x = &simulation.state.cloth.positions;
    let highest = range(x, |x| x.y)[1];
    let on_the_floor = x.iter().filter(|x| x.y < 0.05).count() as Real / x.len() as Real;
    let over_the_ball = x.iter().filter(|x| x.with_y(0.0).length() < 0.2 && x.y > 0.8).count();
    says(
        highest > 0.9 && highest < 1.02 && on_the_floor > 0.1 && over_the_ball > 0,
        (highest, on_the_floor, over_the_ball),
    )
}

pub(super) fn swings_down(name: &str) -> Result<(), String> {
    let (_, mut simulation) = load(name);
    let x = &simulation.state.cloth.positions;
    let (flat, square) = (span(x, |x| x.y), span(x, |x| x.x) - span(x, |x| x.z));
    let (pins, start) = (simulation.state.cloth.pins().len(), range(x, |x| x.y)[0]);
    let mut beyond: Real = 0.0;
    let side = mean(x).z.signum();
    run(&mut simulation, 2.0, |simulation| beyond = beyond.max(-side * mean(&simulation.state.cloth.positions).z));
    let fallen = start - range(&simulation.state.cloth.positions, |x| x.y)[0];
    says(
        flat < 1e-9 && square.abs() < 1e-9 && pins == 2 && fallen > 0.7 && beyond > 0.0,
        (flat, square, pins, fallen, beyond),
    )
}

pub(super) fn folds_onto_itself(name: &str) -> Result<(), String> {
    let (_, mut simulation) = load(name);
    let [start, width] = [span(&simulation.state.cloth.positions, |x| x.y), 1.0];
    let mut pairs = 0;
    while simulation.time() < 2.0 {
        pairs = simulation.step().expect("stable").near_pairs.max(pairs);
    }
    let x = &simulation.state.cloth.positions;
    let ground = span(x, |x| x.x) * span(x, |x| x.z);
    says(
        start > 0.95 && span(x, |x| x.y) < 0.3 && pairs > 500 && ground < width,
        (start, span(x, |x| x.y), pairs, ground),
    )
}

pub(super) fn come_back(name: &str) -> Result<(), String> {
    let (_, simulation) = load(name);
    let pieces = 1 + simulation.pattern().pieces().len() - 1;
    let before = volume(&simulation);
    let simulation = ran(simulation, 2.0);
    let (after, distorted) = (volume(&simulation), distortion(&simulation, 0, 2));
    says(
        pieces == 3 && before[1] > 0.15 && after[1] == 0.0 && (after[0] - 1.0).abs() < 0.05 && distorted < 0.05,
        (pieces, before, after, distorted),
    )
}

pub(super) fn cloth_on_letters(name: &str) -> Result<(), String> {
    let simulation = ran(load(name).1, 2.5);
    let (letters, cloth) = (piece(&simulation, 0), piece(&simulation, 1));
    let above = cloth.iter().filter(|x| x.y > 0.1).count() as Real / cloth.len() as Real;
    let [top, of_letters] = [&cloth, &letters].map(|points| range(points, |x| x.y)[1]);
    let low = range(&letters, |x| x.y)[0];
    says(top > 0.7 * of_letters && above > 0.3 && low < 0.03, (top, of_letters, above, low))
}

pub(super) fn poncho(name: &str) -> Result<(), String> {
    let (scene, mut simulation) = load(name);
    let start = range(&simulation.state.cloth.positions, |x| x.y)[0];
    run(&mut simulation, 3.0, |_| ());
    let [low, high] = range(&simulation.state.cloth.positions, |x| x.y);
    let still = simulation.state.cloth.velocities.iter().map(|v| v.length()).fold(0.0, Real::max);
    let file = scene.first.mesh.as_ref().map(|mesh| mesh.file.clone()).unwrap_or_default();
    says(
        file.ends_with(".obj") && start - low > 0.1 && low > 0.3 && (1.4..1.6).contains(&high),
        (file, start, low, high, still),
    )
}

pub(super) fn laundry(name: &str) -> Result<(), String> {
    let (scene, simulation) = load(name);
    let pattern = simulation.pattern();
    let inner = pattern.len() - rim(&simulation);
    let constraints = tributary_widths(pattern).len() + inner;
    says(
        3 * pattern.len() == 49_152 && constraints == 64_517 && has(&scene, "iterations", "10"),
        (3 * pattern.len(), constraints),
    )
}

pub(super) fn hanging_body(name: &str) -> Result<(), String> {
    let (scene, simulation) = load(name);
    let has_iterations = |(lane, count): (&String, &str)| has(&scene.in_lane(lane).expect("good"), "iterations", count);
    let of_lanes = scene.all_lanes().iter().zip(["1", "10", "20", "60"]).all(has_iterations);
    let x = &simulation.state.cloth.positions;
    let (left, pins) = (range(x, |x| x.x)[0], simulation.state.cloth.pins());
    let held = pins.iter().all(|pin| x[pin.vertex as usize].x < left + 0.05) && !pins.is_empty();
    let count = simulation.pattern().tetrahedra().len();
    // iterations beyond the last lane's change nothing
    let [last, more] = ["60", "200"].map(|count| ran(with_lane(name, 3, count), 0.2));
    let apart = distance(&last, &more);
    says(of_lanes && held && count.abs_diff(8400) < 50 && apart < 1e-5, (scene.all_lanes(), count, apart))
}

pub(super) fn one_lags(name: &str) -> Result<(), String> {
    let ends: Vec<Simulation> = lanes(name).into_iter().map(|lane| ran(lane, 0.3)).collect();
    let apart: Vec<Real> = ends[..3].iter().map(|end| distance(end, &ends[3])).collect();
    says(apart[0] > 0.1 && apart[1] < 0.01 && apart[2] < 0.002, apart)
}

pub(super) fn same_stiffness(name: &str) -> Result<(), String> {
    let lows = ["10", "30", "100"].map(|iterations| lowest_with(name, &[("iterations", iterations)], 1.0));
    says(span(&lows.map(|y| Vec3::Y * y), |x| x.y) < 0.01, lows)
}

pub(super) fn rising_stiffness(name: &str) -> Result<(), String> {
    let lows = ["4", "16", "64"].map(|sweeps| lowest_with(name, &[("solver", "pbd"), ("iterations", sweeps)], 1.0));
    says(lows.is_sorted_by(|a, b| a < b), lows)
}

pub(super) fn vertices_of_mesh(name: &str) -> Result<(), String> {
    let (_, simulation) = load(name);
    let side: usize = name.rsplit('-').next().and_then(|last| last.parse().ok()).expect("a number");
    says(simulation.pattern().len() == side * side, simulation.pattern().len())
}

pub(super) fn dense_on_the_left(name: &str) -> Result<(), String> {
    let (_, simulation) = load(name);
    let x = simulation.pattern().rest_positions();
    let [low, high] = range(x, |x| x.x);
    let left = x.iter().filter(|x| x.x < 0.5 * (low + high)).count() as Real / x.len() as Real;
    says(x.len() == 945 && (left - 2.0 / 3.0).abs() < 0.05, (x.len(), left))
}

pub(super) fn twelve_stretched_triangles(name: &str) -> Result<(), String> {
    let simulation = ran(load(name).1, 2.0);
    let (count, stretch) = (simulation.pattern().triangles().len(), simulation.largest_stretch());
    says(count == 12 && stretch > 0.1, (count, stretch))
}

/// The largest relative change of an edge by the projections, the least distance of a triangle [m],
/// and the normals of the triangles.
fn projected(simulation: &Simulation) -> (Real, Real, Vec<Vec3>) {
    let projections = simulation.projections().expect("it has a local step");
    let rest = simulation.pattern().rest_positions();
    let (mut change, mut least, mut normals) = (0.0, Real::INFINITY, Vec::new());
    for element in 0..projections.len() {
        let (vertices, ways) = projections.element(element);
        let at = |k: usize| simulation.state.cloth.positions[vertices[k] as usize] + ways[k];
        for (a, b) in [(0, 1), (1, 2), (2, 0)] {
            let length = rest[vertices[a] as usize].distance(rest[vertices[b] as usize]);
            change = Real::max(change, (at(a).distance(at(b)) / length - 1.0).abs());
        }
        least = least.min(ways.iter().map(|way| way.length()).fold(0.0, Real::max));
        normals.push((at(1) - at(0)).cross(at(2) - at(0)).normalize());
    }
    (change, least, normals)
}

pub(super) fn projections_without_stretch(name: &str) -> Result<(), String> {
    let simulation = ran(load(name).1, 2.0);
    let (change, least, normals) = projected(&simulation);
    says(normals.len() == 12 && change < 1e-9 && least > 1e-3, (change, least))
}

pub(super) fn projections_of_a_pulled_cloth(name: &str) -> Result<(), String> {
    let mut simulation = ran(load(name).1, 1.0);
    let vertex = simulation.pattern().len() - 1;
    let target = simulation.state.cloth.positions[vertex] + Vec3::new(0.2, 0.1, 0.4);
    let (_, _, before) = projected(&simulation);
    simulation.state.grab = Some(Grab { vertex: vertex as u32, target });
    let mut largest = 0.0;
    run(&mut simulation, 2.0, |simulation| largest = Real::max(largest, projected(simulation).0));
    let turned = projected(&simulation).2.iter().zip(&before).map(|(a, b)| a.angle_between(*b)).fold(0.0, Real::max);
    says(largest < 1e-9 && turned > 0.3, (largest, turned))
}

pub(super) fn alike_on_all_meshes(_: &str) -> Result<(), String> {
    let curtains = ["pd-figure-5-20", "pd-figure-5-40", "pd-figure-5-80", "pd-figure-5-irregular"].map(|name| {
        let simulation = ran(load(name).1, 3.0);
        let x = &simulation.state.cloth.positions;
        [range(x, |x| x.y)[0], span(x, |x| x.x), span(x, |x| x.z)]
    });
    let apart = [0, 1].map(|k| span(&curtains.map(|of| Vec3::X * of[k]), |x| x.x));
    says(apart[0] < 0.02 && apart[1] < 0.05, curtains)
}

pub(super) fn limits(name: &str) -> Result<(), String> {
    let scene = Scene::load(name).expect("it comes with the program");
    let of_lanes = scene.all_lanes();
    let limit = |(lane, percent): (&String, Real)| {
        let scene = scene.in_lane(lane).expect("good");
        let [least, most] = [1.0 - percent / 100.0, 1.0 + percent / 100.0];
        has(&scene, "strain_min", &least.to_string()) && has(&scene, "strain_max", &most.to_string())
    };
    says(of_lanes.len() == 3 && of_lanes.iter().zip([10.0, 20.0, 30.0]).all(limit), &of_lanes)
}

pub(super) fn weights_of_the_ball(name: &str) -> Result<(), String> {
    // the flattest that each ball is, and the least volume that it has, on impact
    let balls: Vec<[Real; 2]> = lanes(name)
        .into_iter()
        .map(|mut lane| {
            let height = span(&lane.state.cloth.positions, |x| x.y);
            let (mut flattest, mut least) = (1.0, 1.0);
            run(&mut lane, 1.0, |lane| {
                flattest = span(&lane.state.cloth.positions, |x| x.y).min(flattest * height) / height;
                least = volume(lane)[0].min(least);
            });
            [flattest, least]
        })
        .collect();
    let [soft, jelly, stiff, rubber] = balls[..] else { return Err(format!("{balls:?}")) };
    let by_shape = stiff[0] > soft[0] + 0.1 && rubber[0] > jelly[0] + 0.1;
    let by_volume = soft[1] < 0.8 && jelly[1] > 0.95 && stiff[1] < rubber[1] && rubber[1] > 0.97;
    says(by_shape && by_volume, balls)
}

pub(super) fn tips_over(name: &str) -> Result<(), String> {
    let simulation = ran(load(name).1, 1.5);
    let cloth = piece(&simulation, 2);
    says(span(&cloth, |x| x.y) < 0.05, span(&cloth, |x| x.y))
}

pub(super) fn creases(name: &str) -> Result<(), String> {
    let bent: Vec<Real> = lanes(name)
        .into_iter()
        .map(|lane| {
            let lane = ran(lane, 3.0);
            let curvatures = curvatures(lane.pattern(), &lane.state.cloth.positions);
            (curvatures.iter().map(|k| k * k).sum::<Real>() / curvatures.len() as Real).sqrt()
        })
        .collect();
    says(bent.is_sorted_by(|a, b| *a > 1.1 * b), bent)
}

pub(super) fn waves(_: &str) -> Result<(), String> {
    let [air, still] = ["ribbon-air", "ribbon-still"].map(swung);
    says(air[1] < 0.7 * still[1], (air, still))
}

pub(super) fn whips(_: &str) -> Result<(), String> {
    let [air, still] = ["ribbon-air", "ribbon-still"].map(swung);
    says(still[1] > 4.0 && still[2] > 0.0, (air, still))
}

pub(super) fn cloth_of_table_1(name: &str) -> Result<(), String> {
    let (_, simulation) = load(name);
    let cloth = &simulation.state.cloth;
    says(
        cloth.len() == 25 && cloth.pins().len() == 2 && cloth.masses.iter().all(|mass| *mass == 1.0),
        (cloth.len(), cloth.pins().len()),
    )
}

pub(super) fn lies_in_the_air(name: &str) -> Result<(), String> {
    let (_, simulation) = load(name);
    let x = &simulation.state.cloth.positions;
    let spans = [span(x, |x| x.x), span(x, |x| x.y), span(x, |x| x.z)];
    let free = simulation.state.cloth.pins().is_empty();
    says(free && spans[1] == 0.0 && (spans[0] - spans[2]).abs() < 1e-12 && x[0].y > 0.3, (spans, x[0].y))
}

pub(super) fn drapes(name: &str) -> Result<(), String> {
    let simulation = ran(load(name).1, 3.0);
    let x = &simulation.state.cloth.positions;
    let (top, rim): (Vec<Vec3>, Vec<Vec3>) = x.iter().partition(|x| x.with_y(0.0).length() < 0.36);
    let [low, high] = range(&top, |x| x.y);
    says(low > 0.6 && high < 0.65 && range(&rim, |x| x.y)[0] < 0.45, (low, high, range(&rim, |x| x.y)))
}

pub(super) fn share_of_capstan(name: &str) -> Result<(), String> {
    let scene = Scene::load(name).expect("it comes with the program");
    let Some(ContactMotion::Capstan { ends: [short, long], radius, .. }) = scene.motion else {
        return Err("no formula".to_owned());
    };
    // the weight of an end by its length, and of the arc by the formula of the capstan with weight
    let most = longest_held(short, scene.parameters.contact.friction, radius);
    let share = long / most;
    let said = if name.ends_with("holds") { 0.9 } else { 1.1 };
    says((share - said).abs() < 0.01, (share, said))
}

pub(super) fn heavy_above_light(name: &str) -> Result<(), String> {
    let (_, simulation) = load(name);
    let (light, heavy) = (piece(&simulation, 0), piece(&simulation, 1));
    let masses = &simulation.state.cloth.masses;
    // per area: 0.8 m by 0.8 m, and 0.3 m by 0.3 m
    let [of_light, of_heavy] =
        [masses[..light.len()].iter().sum::<Real>() / 0.64, masses[light.len()..].iter().sum::<Real>() / 0.09];
    let held = simulation.state.cloth.pins().len();
    says(
        (of_heavy / of_light / 200.0 - 1.0).abs() < 1e-6 && heavy[0].y > light[0].y && held == 4,
        (of_light, of_heavy, held),
    )
}

pub(super) fn never_above_its_start(name: &str) -> Result<(), String> {
    let (_, mut simulation) = load(name);
    let start = mean(&piece(&simulation, 1)).y;
    let mut highest = Real::NEG_INFINITY;
    run(&mut simulation, 4.0, |simulation| highest = highest.max(mean(&piece(simulation, 1)).y));
    says(highest <= start, (start, highest))
}

pub(super) fn faster_and_faster(name: &str) -> Result<(), String> {
    let (scene, mut simulation) = load(name);
    let mut speeds = Vec::new();
    let end = range(&simulation.state.cloth.positions, |x| x.y)[0];
    let last = simulation.state.cloth.positions.iter().position(|x| x.y == end).expect("a vertex");
    for tenth in 1..=4 {
        run(&mut simulation, 0.1 * Real::from(tenth), |_| ());
        speeds.push(-simulation.state.cloth.velocities[last].y);
    }
    let gains = speeds.windows(2).map(|pair| pair[1] - pair[0]).collect::<Vec<_>>();
    let rises = gains.iter().all(|gain| *gain > 0.0) && gains.is_sorted_by(|a, b| a < b);
    says(scene.parameters.contact.friction == 0.0 && rises, (speeds, gains))
}

pub(super) fn recorded_path(name: &str) -> Result<(), String> {
    let text = Scene::load(name).expect("it comes with the program").to_ron();
    says(text.contains("recorded: \"assets/paths/"), text)
}

pub(super) fn ten_iterations(name: &str) -> Result<(), String> {
    let scene = Scene::load(name).expect("it comes with the program");
    says(has(&scene, "iterations", "10"), scene.settings)
}

pub(super) fn all_constraints(name: &str) -> Result<(), String> {
    let (scene, simulation) = load(name);
    let kinds = [
        "edge_strain",
        "triangle_strain",
        "area",
        "bending",
        "tetrahedral_strain",
        "volume",
        "cloth_examples",
        "body_examples",
        "soft_pins",
    ];
    let off: Vec<_> = kinds.iter().filter(|kind| !has(&scene, kind, "true")).collect();
    let pins = simulation.state.cloth.pins().len();
    says(off.is_empty() && pins > 0 && !simulation.pattern().tetrahedra().is_empty(), (off, pins))
}

pub(super) fn size_of_figure_1(name: &str) -> Result<(), String> {
    let (_, simulation) = load(name);
    let pattern = simulation.pattern();
    let cloth = pattern.cloth_triangles().count();
    let rings = OneRings::of(pattern);
    let inner = (0..pattern.len() as u32).filter(|&vertex| !pattern.is_in_body(vertex) && !rings.is_on_rim(vertex));
    // edges, strain and area of triangles, bending, strain and volume of tetrahedra, positions
    let parts = [
        tributary_widths(pattern).len(),
        2 * cloth,
        inner.count(),
        2 * pattern.tetrahedra().len(),
        simulation.state.cloth.pins().len(),
    ];
    says(3 * pattern.len() == 49_191 && parts.iter().sum::<usize>() == 133_399, (3 * pattern.len(), parts))
}

pub(super) fn cars_collide(name: &str) -> Result<(), String> {
    let (_, mut simulation) = load(name);
    let pattern = simulation.shared_pattern();
    let [surface, cage] = [pattern.embedded().carriers().len(), pattern.len()].map(|vertices| vertices / 3);
    let cars = |simulation: &Simulation| [0, 1, 2].map(|number| mean(&piece(simulation, number)));
    let start = cars(&simulation);
    let mut pairs = 0;
    while simulation.time() < 0.4 - 1e-9 {
        pairs = simulation.step().expect("stable").near_pairs.max(pairs);
    }
    // before they meet two have slid down the slope of 30°, a little dropped on it first, and one has fallen freely
    let moved: Vec<Vec3> = cars(&simulation).iter().zip(start).map(|(x, from)| *x - from).collect();
    let slid = |way: Vec3| way.y < -0.2 && (way.y / way.x.abs() + (30.0_f64).to_radians().tan()).abs() < 0.1;
    let fell = (moved[2] - Vec3::NEG_Y * 4.9 * 0.16).length() < 0.05;
    let apart = pairs;
    while simulation.time() < 1.0 {
        pairs = simulation.step().expect("stable").near_pairs.max(pairs);
    }
    let slid = slid(moved[0]) && slid(moved[1]) && moved[0].x > 0.0 && moved[1].x < 0.0;
    says(surface == 196 && cage == 312 && slid && fell && apart == 0 && pairs > 0, (surface, cage, moved, apart, pairs))
}

pub(super) fn twisted_bar(name: &str) -> Result<(), String> {
    let (_, mut simulation) = load(name);
    let (tetrahedra, coordinates) = (simulation.pattern().tetrahedra().len(), 3 * simulation.state.cloth.len());
    let held: Vec<usize> = simulation.state.cloth.pins().iter().map(|pin| pin.vertex as usize).collect();
    let start = simulation.state.cloth.positions.clone();
    let apart = |simulation: &Simulation, expected: &dyn Fn(Vec3) -> Vec3| {
        let x = &simulation.state.cloth.positions;
        held.iter().map(|&vertex| x[vertex].distance(expected(start[vertex]))).fold(0.0, Real::max)
    };
    // each end by half a turn about the axis of the bar, one to each side
    run(&mut simulation, 2.5, |_| ());
    let middle = mean(&start);
    let turned = apart(&simulation, &|x| Vec3::new(x.x, 2.0 * middle.y - x.y, 2.0 * middle.z - x.z));
    run(&mut simulation, 5.5, |_| ());
    let back = apart(&simulation, &|x| x);
    says(
        tetrahedra == 4130 && coordinates == 4320 && turned < 1e-3 && back < 1e-3,
        (tetrahedra, coordinates, turned, back),
    )
}
