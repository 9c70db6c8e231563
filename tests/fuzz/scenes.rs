//! Scene files that are nearly right.

use weft::scene::{Scene, embedded, scene_names};

use crate::mutation::mutate;
use crate::random::Random;
use crate::trial::{describe, is_sentence, run, try_many};

/// Most vertices of a grid that is stepped here.
const MOST: u32 = 1000;

#[test]
fn a_scene_file_is_read_or_refused_in_a_sentence() {
    let files: Vec<String> = scene_names()
        .iter()
        .map(|name| embedded(&format!("assets/scenes/{name}.ron")).expect("it comes with the program").into_owned())
        .collect();
    try_many("scenes", 3000, |random| try_scene(&mutate(random.choose::<String>(&files), random), random));
}

fn try_scene(text: &str, random: &mut Random) -> Result<(), String> {
    describe(|| text.to_owned());
    let mut scene = match Scene::parse(text, "test.ron") {
        Ok(scene) => scene,
        Err(error) => return is_sentence(&error.to_string()),
    };
    if scene.first.mesh.is_none() && scene.first.grid.columns * scene.first.grid.rows > MOST {
        (scene.first.grid.columns, scene.first.grid.rows) = (9, 8);
    }
    scene.parameters.timing.work_limit = scene.parameters.timing.work_limit.min(1.0);
    // the large meshes now and then
    if scene.first.mesh.is_some() && random.chance(0.9) {
        return Ok(());
    }
    match scene.build() {
        Ok(mut simulation) => run(&scene, &mut simulation, 2),
        Err(error) => is_sentence(&error.to_string()),
    }
}
