//! Files of bodies that are nearly right.

use weft::scene::{Scene, import_body};
use weft::sim::{Pattern, Simulation};

use crate::mutation::mutate;
use crate::random::Random;
use crate::trial::{is_sentence, run, try_many};

/// The same two tetrahedra in each format.
const FILES: [(&str, &str); 4] = [
    ("test.mesh", include_str!("../data/bodies/two.mesh")),
    ("test.msh", include_str!("../data/bodies/two-2.msh")),
    ("test.msh", include_str!("../data/bodies/two-4.0.msh")),
    ("test.msh", include_str!("../data/bodies/two-4.1.msh")),
];

#[test]
fn a_body_is_read_or_refused_in_a_sentence() {
    try_many("bodies", 4000, |random: &mut Random| {
        let (file, text) = *random.choose(&FILES);
        let body = match import_body(&mutate(text, random), file) {
            Ok(body) => body,
            Err(error) => return is_sentence(&error.to_string()),
        };
        let n = body.positions.len() as u32;
        let finite = body.positions.iter().all(|x| x.is_finite());
        if !finite || body.tetrahedra.as_flattened().iter().any(|&vertex| vertex >= n) {
            return Err("a body that is not one".to_owned());
        }
        let scene = crate::settings::random_scene(random);
        let solver = scene.solver().map_err(|error| error.to_string())?;
        let pattern = Pattern::body(body.positions, body.tetrahedra);
        let mut simulation = Simulation::new(pattern, scene.parameters.mass, solver);
        simulation.parameters = scene.parameters;
        run(&Scene { colliders: Vec::new(), ..scene }, &mut simulation, 2)
    });
}
