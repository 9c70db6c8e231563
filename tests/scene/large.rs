//! How large a cloth may be.

use weft::scene::{Body, Counts, Piece, Scene, why_too_large};
use weft::sim::solver_interface::Stability;
use weft::sim::solvers;

fn grid(size: u32, solver: &str) -> Scene {
    let mut scene = Scene::load("hanging").expect("it comes with the program");
    let size = size.to_string();
    for (key, value) in [("columns", size.as_str()), ("rows", size.as_str()), ("solver", solver)] {
        scene.set(key, value).expect("in range");
    }
    scene
}

#[test]
fn a_cloth_is_as_large_as_memory_holds() {
    let why = |vertices: u64, left: Option<u64>| why_too_large(Counts { vertices, tetrahedra: 0 }, left);
    assert_eq!(why(1025 * 1025, None), None);
    assert_eq!(why(1025 * 1025, Some(2_000_000_000)), None, "a million vertices fit in 2 GB");
    let message = why(4_000_000, Some(1_234_000_000)).expect("they do not fit");
    assert_eq!(
        message,
        "cloth of 4000000 vertices in all takes some 5.2 GB of memory, and 1.2 GB are left; take fewer columns and \
         rows or fewer pieces"
    );
    assert!(why(u64::MAX, None).is_some());
    assert!(why(u64::MAX, Some(u64::MAX)).is_some());
}

#[test]
fn bodies_pieces_and_colliders_are_counted_before_they_are_built() {
    let refused = |text: &str| match Scene::parse(text, "a.ron") {
        Ok(scene) => scene.build().map(drop).expect_err("too many").to_string(),
        Err(error) => error.to_string(),
    };
    let many = |one: &str, count: usize| format!("[{}]", vec![one; count].join(","));
    let bars = many("(body: Bar(size: (1, 0.2, 0.2), cells: (58, 58, 58)))", 300);
    let said = refused(&format!("(pieces: {bars})"));
    assert!(said.contains("bodies of 292668000 tetrahedra in all; there may be 4000000"), "{said}");
    let said = refused(&format!("(pieces: {})", many("(body: Ball(radius: 1, cell: 0.06))", 8)));
    assert!(said.contains("bodies of ") && said.contains("larger cells"), "{said}");
    let said = refused(&format!("(pieces: {})", many("(grid: (columns: 2, rows: 2))", 20_000)));
    assert!(said.contains("a.ron, line 1: 20001 pieces; there may be 5000"), "{said}");
    let said = refused(&format!("(colliders: {})", many("(shape: Sphere(radius: 0.1))", 3_000)));
    assert!(said.contains("a.ron, line 1: 3000 colliders; there may be 1000"), "{said}");
}

#[test]
fn files_count_with_their_length_before_they_are_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.mesh");
    // a hole, which takes no room on the disk
    std::fs::File::create(&path).and_then(|file| file.set_len(1 << 30)).expect("made");
    let body = Some(Body::File { file: path.to_string_lossy().into_owned(), scale: 1.0 });
    let piece = Piece { body, ..Piece::default() };
    let mut scene = grid(2, "xpbd");
    scene.pieces = vec![piece; 14];
    let said = scene.build().map(drop).expect_err("too much").to_string();
    assert!(said.contains("vertices in all"), "{said}");
}

#[test]
fn grids_are_counted_together() {
    let mut scene = grid(8192, "symplectic-euler");
    let piece = Piece { grid: scene.first.grid, ..Piece::default() };
    scene.pieces = vec![piece; 3];
    // whatever memory there is
    let error = scene.build().map(drop).expect_err("four times 67 million vertices").to_string();
    assert!(error.starts_with("hanging: cloth of 268435456 vertices in all; there may be "), "{error}");
    // what is a mesh has no grid
    let mut scene = Scene::load("mesh").expect("it comes with the program");
    (scene.first.grid.columns, scene.first.grid.rows) = (8192, 8192);
    assert!(scene.build().is_ok());
}

#[test]
fn a_million_vertices_are_built_and_stepped_without_a_system() {
    let scene = grid(1025, "symplectic-euler");
    let mut simulation = scene.build().expect("it fits");
    assert_eq!(simulation.state.cloth.len(), 1_050_625);
    assert_eq!(simulation.pattern().springs().len(), 2 * 1024 * 1025 + 2 * 1024 * 1024 + 2 * 1023 * 1025);
    assert_eq!(simulation.pattern().triangles().len(), 2 * 1024 * 1024);
    let mass: f64 = simulation.state.cloth.masses.iter().sum();
    assert!(
        (mass - scene.parameters.mass.area_density * scene.first.grid.width * scene.first.grid.height).abs() < 1e-9
    );
    simulation.parameters.timing.time_step = 1e-5;
    for _ in 0..2 {
        simulation.step().expect("it holds");
    }
    let fallen = simulation.state.cloth.positions[1025 * 512 + 512].y - simulation.pattern().rest_positions()[0].y;
    assert!((-4e-9..-2e-9).contains(&fallen), "{fallen} m, of free fall in two steps");
}

#[test]
fn every_solver_takes_more_than_four_hundred_rows() {
    for entry in solvers::REGISTRY.iter().filter(|entry| entry.info.stability != Stability::Damped) {
        let mut scene = grid(2, entry.info.id);
        scene.set("rows", "1000").expect("in range");
        let mut simulation = scene.build().expect("good");
        assert_eq!(simulation.state.cloth.len(), 2000);
        simulation.parameters.timing.time_step = 1e-4;
        for _ in 0..2 {
            simulation.step().unwrap_or_else(|error| panic!("{}: {error}", entry.info.id));
        }
        let rest = simulation.pattern().rest_positions();
        assert!(simulation.state.cloth.positions[1000].y < rest[1000].y, "{}: it falls", entry.info.id);
    }
}
