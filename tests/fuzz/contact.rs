//! Cloth on cloth: what is free of intersection stays so, whatever is set and done.

use weft::scene::{Grid, Piece, Scene};
use weft::sim::contact::{Collider, Intersections, Shape};
use weft::sim::model::motion::Path;
use weft::sim::{Simulation, StepError, Vec3};

use crate::random::Random;
use crate::settings::{disturb, params};
use crate::trial::{describe, is_sentence, try_many};

const SCENES: [&str; 6] = ["heap", "turntable", "tablecloth-fast", "ribbon-still", "flag", "tearing"];

fn vector(random: &mut Random) -> Vec3 {
    Vec3::new(random.share(), random.share(), random.share()) * 2.0 - 1.0
}

/// A path that goes anywhere, fast.
fn path(random: &mut Random) -> Path {
    let points = (0..4).map(|k| (0.1 * f64::from(k), vector(random) * 0.7)).collect();
    Path::Waypoints { points, repeat: random.chance(0.5) }
}

/// A few cloths with settings at random, that cannot pass through themselves or each other.
fn random_scene(random: &mut Random) -> Scene {
    let mut scene = Scene::load(random.choose::<&str>(&SCENES)).expect("it comes with the program");
    let set =
        |scene: &mut Scene, key: &str, value: &str| scene.set(key, value).unwrap_or_else(|error| panic!("{error}"));
    if random.chance(0.8) {
        let solver = random.choose(weft::sim::solvers::REGISTRY).info.id;
        set(&mut scene, "solver", solver);
    }
    let all = params(&mut scene);
    for _ in 0..random.below(8) {
        let param = random.choose(&all);
        let value = random.value(param);
        set(&mut scene, param.key, &value);
    }
    for key in ["columns", "rows"] {
        set(&mut scene, key, &(3 + random.below(9)).to_string());
    }
    let limit = 10_f64.powf(-1.0 + 1.5 * random.share());
    set(&mut scene, "work_limit", &limit.to_string());
    for k in 0..random.below(3) {
        // close to the first, or across it
        let grid = Grid { columns: 3 + random.below(7) as u32, rows: 3 + random.below(7) as u32, ..scene.first.grid };
        let place = scene.first.position.unwrap_or(Vec3::Y) + vector(random) * 0.03 + Vec3::Y * (0.1 * (k + 1) as f64);
        scene.pieces.push(Piece { grid, position: Some(place), rotation: scene.first.rotation, ..Piece::default() });
    }
    for _ in 0..random.below(3) {
        let size = 0.05 + 0.2 * random.share();
        let shape = match random.below(3) {
            0 => Shape::Sphere { radius: size },
            1 => Shape::Box { half_extents: Vec3::new(size, 0.3 * size, size) },
            _ => Shape::Capsule { half_height: size, radius: 0.3 * size },
        };
        let place = scene.first.position.unwrap_or(Vec3::Y) + vector(random) * 0.4;
        let path = random.chance(0.6).then(|| path(random));
        scene.colliders.push(Collider { path, ..Collider::new(shape, place) });
    }
    scene.parameters.contact.self_contact = true;
    scene
}

fn count(simulation: &Simulation) -> usize {
    Intersections::default().find(simulation.pattern(), &simulation.state.cloth.positions).len()
}

/// Takes steps until one fails.
fn run_free(simulation: &mut Simulation, steps: usize) -> Result<bool, String> {
    for step in 0..steps {
        match simulation.step() {
            Ok(stats) => {
                let found = count(simulation);
                if found > 0 {
                    let solver = simulation.solver().info().id;
                    return Err(format!("{solver}: {found} pairs intersect after {step} steps; {stats:?}"));
                }
            }
            Err(error) => {
                is_sentence(&error.to_string())?;
                return if count(simulation) > 0 {
                    Err(format!("after {error}"))
                } else {
                    Ok(error == StepError::Cancelled)
                };
            }
        }
    }
    Ok(true)
}

#[test]
fn free_stays_free_whatever_is_set_and_done() {
    try_many("contact", 60, |random| {
        let scene = random_scene(random);
        describe(|| format!("{scene:#?}"));
        let mut simulation = scene.build().map_err(|error| format!("values in range are refused: {error}"))?;
        if random.chance(0.5) {
            let speed = 10_f64.powf(2.0 * random.share() - 0.5);
            for v in &mut simulation.state.cloth.velocities {
                *v += vector(random) * speed;
            }
        }
        if count(&simulation) > 0 {
            // a start that intersects promises nothing
            return Ok(());
        }
        let mut goes_on = run_free(&mut simulation, 4)?;
        for _ in 0..random.below(8) {
            if !goes_on {
                break;
            }
            disturb(&mut simulation, random);
            simulation.parameters.contact.self_contact = true;
            if count(&simulation) > 0 {
                return Err("it was disturbed, and intersects".to_owned());
            }
            goes_on = run_free(&mut simulation, 3)?;
        }
        Ok(())
    });
}
