//! What the measures of the sentences share: scenes, their lanes and motions, and simple sums.

use weft::scene::Scene;
use weft::sim::pattern::OneRings;
use weft::sim::{Real, Simulation, Vec3};

pub(super) fn load(name: &str) -> (Scene, Simulation) {
    let scene = Scene::load(name).expect("it comes with the program");
    let simulation = scene.build().expect("good");
    (scene, simulation)
}

/// The lanes of a scene, the first being the scene itself.
pub(super) fn lanes(name: &str) -> Vec<Simulation> {
    let scene = Scene::load(name).expect("it comes with the program");
    let build = |lane: &String| scene.in_lane(lane).and_then(|scene| scene.build()).expect("good");
    scene.all_lanes().iter().map(build).collect()
}

/// With other settings.
pub(super) fn with(name: &str, settings: &[(&str, &str)]) -> Simulation {
    let mut scene = Scene::load(name).expect("it comes with the program");
    for (key, value) in settings {
        if *key == "solver" { scene.set_solver(value) } else { scene.set(key, value) }.expect("in range");
    }
    scene.build().expect("good")
}

/// Steps until `seconds`, and calls `see` after each step.
pub(super) fn run(simulation: &mut Simulation, seconds: Real, mut see: impl FnMut(&Simulation)) {
    while simulation.time() < seconds - 1e-9 {
        simulation.step().expect("stable");
        see(simulation);
    }
}

pub(super) fn ran(mut simulation: Simulation, seconds: Real) -> Simulation {
    run(&mut simulation, seconds, |_| ());
    simulation
}

pub(super) fn says(holds: bool, measured: impl std::fmt::Debug) -> Result<(), String> {
    if holds { Ok(()) } else { Err(format!("{measured:?}")) }
}

/// The vertices of a piece.
pub(super) fn piece(simulation: &Simulation, number: usize) -> Vec<Vec3> {
    let positions = &simulation.state.cloth.positions;
    let of = simulation.pattern().piece_of_vertices();
    (0..positions.len()).filter(|&vertex| of[vertex] as usize == number).map(|vertex| positions[vertex]).collect()
}

pub(super) fn mean(points: &[Vec3]) -> Vec3 {
    points.iter().sum::<Vec3>() / points.len() as Real
}

/// Lowest and highest value along an axis [m].
pub(super) fn range(points: &[Vec3], axis: impl Fn(&Vec3) -> Real) -> [Real; 2] {
    points.iter().map(axis).fold([Real::INFINITY, Real::NEG_INFINITY], |[low, high], x| [low.min(x), high.max(x)])
}

pub(super) fn span(points: &[Vec3], axis: impl Fn(&Vec3) -> Real) -> Real {
    let [low, high] = range(points, axis);
    high - low
}

/// Volume of the tetrahedra as a share of that at rest, and the part of them that is inverted.
pub(super) fn volume(simulation: &Simulation) -> [Real; 2] {
    let (pattern, x) = (simulation.pattern(), &simulation.state.cloth.positions);
    let of = |x: &[Vec3], corners: &[u32; 4]| {
        let [a, b, c, d] = corners.map(|corner| x[corner as usize]);
        (b - a).cross(c - a).dot(d - a) / 6.0
    };
    let volumes: Vec<Real> = pattern.tetrahedra().iter().map(|corners| of(x, corners)).collect();
    let at_rest: Real = pattern.tetrahedra().iter().map(|corners| of(pattern.rest_positions(), corners)).sum();
    let inverted = volumes.iter().filter(|volume| **volume < 0.0).count();
    [volumes.iter().sum::<Real>() / at_rest, inverted as Real / volumes.len() as Real]
}

/// Root mean square change of the edges of a body, as a share of their length.
pub(super) fn distortion(simulation: &Simulation, first: usize, last: usize) -> Real {
    let (pattern, x) = (simulation.pattern(), &simulation.state.cloth.positions);
    let (of, rest) = (pattern.piece_of_vertices(), pattern.rest_positions());
    let edges = pattern.tetrahedra().iter().flat_map(|&[a, b, c, d]| [[a, b], [a, c], [a, d], [b, c], [b, d], [c, d]]);
    let ours = edges.filter(|[a, _]| (first..=last).contains(&(of[*a as usize] as usize)));
    let strains: Vec<Real> = ours
        .map(|[a, b]| [a as usize, b as usize])
        .map(|[a, b]| x[a].distance(x[b]) / rest[a].distance(rest[b]) - 1.0)
        .collect();
    (strains.iter().map(|strain| strain * strain).sum::<Real>() / strains.len() as Real).sqrt()
}

/// Number of vertices on the rim.
pub(super) fn rim(simulation: &Simulation) -> usize {
    let rings = OneRings::of(simulation.pattern());
    (0..simulation.pattern().len() as u32).filter(|&vertex| rings.is_on_rim(vertex)).count()
}

/// Whether a setting of the scene has this value.
pub(super) fn has(scene: &Scene, key: &str, value: &str) -> bool {
    let text = scene.to_ron();
    [",", "}"].iter().any(|end| text.contains(&format!("\"{key}\": {value}{end}")))
}

/// Lane `place` with other iterations.
pub(super) fn with_lane(name: &str, place: usize, iterations: &str) -> Simulation {
    let scene = Scene::load(name).expect("it comes with the program");
    let mut scene = scene.in_lane(&scene.all_lanes()[place]).expect("good");
    scene.set("iterations", iterations).expect("in range");
    scene.build().expect("good")
}

/// Root of the mean square of the distance between the same vertex of two cloths [m].
pub(super) fn distance(one: &Simulation, other: &Simulation) -> Real {
    let squares =
        one.state.cloth.positions.iter().zip(&other.state.cloth.positions).map(|(a, b)| a.distance_squared(*b));
    (squares.sum::<Real>() / one.state.cloth.len() as Real).sqrt()
}

pub(super) fn lowest_with(name: &str, settings: &[(&str, &str)], seconds: Real) -> Real {
    range(&ran(with(name, settings), seconds).state.cloth.positions, |x| x.y)[0]
}

/// Largest distance from the line between its ends to a ribbon, and the largest speed of its free end.
pub(super) fn swung(name: &str) -> [Real; 3] {
    let (_, mut simulation) = load(name);
    let rows = |simulation: &Simulation| simulation.state.cloth.positions.chunks(4).map(mean).collect::<Vec<_>>();
    let (mut bent, mut fastest, mut pairs) = (0.0_f64, 0.0_f64, 0.0_f64);
    let mut before = rows(&simulation);
    while simulation.time() < 6.0 {
        let stats = simulation.step().expect("stable");
        let now = rows(&simulation);
        let free = if now[0].y < now[60].y { 0 } else { 60 };
        fastest = fastest.max(now[free].distance(before[free]) / simulation.parameters.timing.time_step);
        bent = bent.max(span(&now, |x| x.y));
        pairs = pairs.max(stats.near_pairs.into());
        before = now;
    }
    [bent, fastest, pairs]
}
