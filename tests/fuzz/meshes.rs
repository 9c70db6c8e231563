//! Mesh files that are nearly right.

use weft::scene::{Scene, import_obj};
use weft::sim::Pattern;

use crate::mutation::mutate;
use crate::random::Random;
use crate::trial::{is_sentence, run, try_many};

/// A small mesh with what OBJ files have in them.
fn mesh(random: &mut Random) -> String {
    let (columns, rows) = (2 + random.below(4), 2 + random.below(4));
    let mut text = String::from("# a mesh\nmtllib none.mtl\no sheet\n");
    for row in 0..rows {
        for column in 0..columns {
            text += &format!("v {} {} {}\n", 0.1 * column as f64, 0.1 * row as f64, random.share());
            text += &format!("vt {} {}\nvn 0 1 0\n", random.share(), random.share());
        }
    }
    for row in 1..rows {
        for column in 1..columns {
            let at = (row - 1) * columns + column;
            let corners = [at, at + 1, at + 1 + columns, at + columns];
            let corner = |i: usize| match random.below(4) {
                0 => format!("{i}"),
                1 => format!("{i}/{i}/{i}"),
                2 => format!("{i}//{i}"),
                _ => format!("{}", i as i64 - (columns * rows) as i64 - 1),
            };
            text += &format!("f {}\n", corners.map(corner).join(" "));
        }
    }
    text
}

#[test]
fn a_mesh_is_read_or_refused_in_a_sentence() {
    try_many("meshes", 2000, |random| {
        let text = mutate(&mesh(random), random);
        let tolerance = *random.choose(&[1e-9, 1e-6, 1e-3, 0.01]);
        let mesh = match import_obj(&text, "test.obj", tolerance) {
            Ok(mesh) => mesh,
            Err(error) => return is_sentence(&error.to_string()),
        };
        let finite = mesh.positions.iter().all(|x| x.is_finite());
        let n = mesh.positions.len() as u32;
        if !finite || mesh.triangles.as_flattened().iter().any(|&vertex| vertex >= n) {
            return Err("a mesh that is not one".to_owned());
        }
        // now and then as the cloth of a simulation, which costs more
        if random.chance(0.8) {
            return Ok(());
        }
        let scene = crate::settings::random_scene(random);
        let solver = scene.solver().map_err(|error| error.to_string())?;
        let pattern = Pattern::mesh(mesh.positions, mesh.triangles);
        let mut simulation = weft::sim::Simulation::new(pattern, scene.parameters.mass, solver);
        simulation.parameters = scene.parameters;
        run(&Scene { colliders: Vec::new(), ..scene }, &mut simulation, 2)
    });
}
