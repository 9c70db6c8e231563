//! The examples for users of the library, with bounds on what they print; and scenes where none are
//! embedded.

// `main` of each example
#![allow(dead_code)]

mod drop_on_mesh;
mod hang;
mod own_solver;
mod read_back;
mod switch_solvers;

use weft::scene::{Scene, suggested_name};

#[test]
fn a_hanging_cloth_sags_as_its_springs_say() {
    let [sag, by_springs] = hang::sag().expect("it hangs");
    assert!((sag - by_springs).abs() < 0.01 * by_springs, "{sag} m, by its springs {by_springs} m");
}

#[test]
fn a_cloth_dropped_on_a_mesh_comes_to_rest_on_its_surface() {
    let drop_on_mesh::Rest { distances: [nearest, farthest], speed } = drop_on_mesh::drop_cloth().expect("it falls");
    assert!((0.001..0.01).contains(&nearest), "the nearest vertex is {nearest} m off the surface");
    assert!(farthest < 0.15, "the farthest vertex is {farthest} m off the surface");
    assert!(speed < 0.02, "it moves at {speed} m/s");
}

#[test]
fn solvers_continue_from_one_state_without_a_jump_to_nearly_the_same_place() {
    let outcomes = switch_solvers::outcomes().expect("it swings");
    let mean = outcomes.iter().map(|outcome| outcome.height).sum::<f64>() / outcomes.len() as f64;
    for switch_solvers::Outcome { solver, jump, height, stretch } in outcomes {
        assert_eq!(jump, 0.0, "{solver}");
        assert!((height - mean).abs() < 0.03, "{solver}: the centre is at {height} m, those of all at {mean} m");
        assert!((0.0..0.1).contains(&stretch), "{solver}: stretched by {stretch}");
    }
}

#[test]
fn a_solver_of_second_order_keeps_the_energy_better_than_one_of_first_order() {
    let [verlet, euler] = own_solver::drifts().expect("it swings");
    assert!(verlet < 0.1 * euler, "{verlet} J, by symplectic Euler {euler} J");
}

#[test]
fn buffers_of_a_renderer_have_unit_normals_and_the_area_of_the_cloth() {
    let buffers = read_back::last_picture().expect("it swings");
    assert!((0.98..1.1).contains(&buffers.area()), "{} m²", buffers.area());
    for vertex in &buffers.vertices {
        let length = vertex.normal.iter().map(|x| x * x).sum::<f32>().sqrt();
        assert!((length - 1.0).abs() < 1e-5, "a normal of length {length}");
    }
}

/// In a program that runs outside the project, as one that uses the library does.
#[test]
fn a_scene_that_is_not_embedded_is_refused_in_one_sentence() {
    const ELSEWHERE: &str = "WEFT_TEST_ELSEWHERE";
    if std::env::var_os(ELSEWHERE).is_none() {
        let program = std::env::current_exe().expect("it runs");
        let mut again = std::process::Command::new(program);
        again.args(["--exact", "a_scene_that_is_not_embedded_is_refused_in_one_sentence"]);
        let output = again.env(ELSEWHERE, "1").env_remove("CARGO_MANIFEST_DIR").output().expect("it starts again");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains("1 passed"), "{text}");
        return;
    }
    let message = match Scene::load("hanging") {
        Ok(_) if cfg!(feature = "embedded") => suggested_name("hanging", &[]),
        loaded => loaded.expect_err("it is not there").to_string(),
    };
    assert!(
        message.contains("none comes with this program, which was built without its feature `embedded`"),
        "{message}"
    );
}
