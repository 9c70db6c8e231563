//! A cloth that starts inside something is told, with what it is and how many vertices are in it.

use weft::scene::{Scene, scene_names};
use weft::session::{Command, Session};

fn notes(text: &str) -> Vec<String> {
    let scene = Scene::parse(text, "test.ron").expect("a scene");
    scene.notes_of_start(&scene.build().expect("good"))
}

/// A horizontal cloth of 5 by 5 vertices at 0, 0.25, ... 1 m in both directions from its corner.
const CLOTH: &str = "grid: (columns: 5, rows: 5, plane: flat), pins: none";

#[test]
fn vertices_inside_a_ball_a_closed_mesh_and_the_table_are_counted() {
    let ball = format!(
        r#"({CLOTH}, position: (0, 0.75, 0), colliders: [
            (shape: Sphere(radius: 0.1), position: (0, 9, 0)),
            (name: "ball", shape: Sphere(radius: 0.3), position: (0, 0.7, 0)),
        ])"#
    );
    let told = "5 of 25 vertices start inside collider 2 \"ball\", which pushes them out in the first steps; move one of the two";
    assert_eq!(notes(&ball), [told]);
    let mesh = format!(
        "({CLOTH}, position: (0, 0.75, 0), colliders: [(position: (0, 0.6, 0), shape: Mesh(mesh: (
            points: [(-0.1, 0, -0.1), (0.1, 0, -0.1), (0, 0, 0.2), (0, 0.3, 0)],
            triangles: [(0, 1, 2), (0, 1, 3), (1, 2, 3), (2, 0, 3)])))])"
    );
    assert!(notes(&mesh)[0].starts_with("1 of 25 vertices starts inside collider 1,"), "{:?}", notes(&mesh));
    let table = format!("({CLOTH}, position: (0, 0.59, 0), table: (table: true, table_height: 0.6))");
    assert!(notes(&table)[0].contains("start inside the table"), "{:?}", notes(&table));
    let floor = format!("({CLOTH}, position: (0, -0.1, 0))");
    assert!(notes(&floor)[0].starts_with("25 of 25 vertices start below the floor"), "{:?}", notes(&floor));
}

#[test]
fn vertices_inside_a_body_of_tetrahedra_are_counted() {
    let mut scene = Scene::load("body").expect("it comes with the program");
    let simulation = scene.build().expect("good");
    let middle = simulation.state.cloth.centroid();
    assert_eq!(scene.notes_of_start(&simulation), Vec::<String>::new(), "the body is not in itself");
    let cloth = format!("({CLOTH}, position: ({}, {}, {}))", middle.x, middle.y, middle.z);
    scene.pieces.push(Scene::parse(&cloth, "test.ron").expect("a cloth").first);
    let notes = scene.notes_of_start(&scene.build().expect("good"));
    assert!(notes.len() == 1 && notes[0].contains("inside the body of cloth 1, which keeps"), "{notes:?}");
}

#[test]
fn a_cloth_on_a_surface_or_pinned_in_a_collider_is_not_inside() {
    let on = format!("({CLOTH}, position: (0, 0, 0))");
    let pinned = "(grid: (columns: 2, rows: 2), pins: four, position: (0, 1, 0),
        colliders: [(shape: Sphere(radius: 3), position: (0, 1, 0))])";
    for scene in [on.as_str(), pinned] {
        assert_eq!(notes(scene), Vec::<String>::new());
    }
}

#[test]
fn a_session_tells_it_when_the_scene_is_built() {
    let mut session =
        Session::new(Scene::load("hanging").expect("it"), Scene::load("hanging").expect("it").build().expect("good"));
    let ball = r#"{"edit":{"edit":{"add_collider":{"collider":{"shape":{"Sphere":{"radius":5.0}}}}}}}"#;
    session.apply(serde_json::from_str::<Command>(ball).expect("a command"));
    let message = session.frame(0).note.expect("a note");
    assert!(message.contains("898 of 900 vertices start inside collider 1"), "{message}");
}

#[test]
fn no_scene_that_comes_along_starts_inside_something() {
    for name in scene_names() {
        let scene = Scene::load(&name).expect("it comes along");
        // they are for faster devices than tests run on
        if name.starts_with("gpu-") {
            continue;
        }
        assert_eq!(scene.notes_of_start(&scene.build().expect("good")), Vec::<String>::new(), "{name}");
    }
}
