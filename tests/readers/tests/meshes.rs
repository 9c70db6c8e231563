//! The same motion as OBJ, PLY and glTF, read by three readers: positions, triangles and every moment agree.

use std::path::{Path, PathBuf};
use std::process::Command;

use gltf::animation::util::{MorphTargetWeights, ReadOutputs};
use ply_rs_bw::parser::Parser;
use ply_rs_bw::ply::{DefaultElement, Property};

const STEPS: usize = 24;

fn weft(folder: &Path, file: &str) {
    let beside = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/release/weft"));
    let program = std::env::var_os("WEFT").map_or(beside, PathBuf::from);
    let steps = STEPS.to_string();
    let args = ["run", "--scene", "flag", "--set", "columns=11", "--set", "rows=8", "--steps", &steps, "--fps", "30"];
    let done = Command::new(&program).args(args).args(["--export", file]).current_dir(folder).output();
    let done = done.unwrap_or_else(|error| panic!("{}: {error}", program.display()));
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

/// Positions and triangles of one shape.
type Shape = (Vec<[f32; 3]>, Vec<[u32; 3]>);

fn threes<T: Copy>(numbers: &[T]) -> Vec<[T; 3]> {
    numbers.chunks_exact(3).map(|three| [three[0], three[1], three[2]]).collect()
}

fn read_obj(path: &Path) -> Shape {
    let options = tobj::LoadOptions { single_index: true, ..tobj::LoadOptions::default() };
    let (models, _) = tobj::load_obj(path, &options).expect("OBJ");
    let mesh = &models[0].mesh;
    assert_eq!(mesh.normals.len(), mesh.positions.len());
    assert_eq!(mesh.texcoords.len() / 2, mesh.positions.len() / 3);
    // the reader numbers vertices by their first use: by place they can be told
    let positions: Vec<f32> = mesh.positions.iter().map(|x| *x as f32).collect();
    (threes(&positions), threes(&mesh.indices))
}

fn read_ply(path: &Path) -> Shape {
    let mut file = std::fs::File::open(path).expect("written");
    let ply = Parser::<DefaultElement>::new().read_ply(&mut file).expect("PLY");
    let float = |element: &DefaultElement, name: &str| match element[name] {
        Property::Float(x) => x,
        ref other => panic!("{name} is {other:?}"),
    };
    let vertices = &ply.payload["vertex"];
    for vertex in vertices {
        let length: f32 = ["nx", "ny", "nz"].iter().map(|name| float(vertex, name).powi(2)).sum();
        assert!((length - 1.0).abs() < 1e-5, "a normal of length² {length}");
    }
    let positions = vertices.iter().map(|vertex| ["x", "y", "z"].map(|name| float(vertex, name))).collect();
    let corners = |face: &DefaultElement| match &face["vertex_indices"] {
        Property::ListUInt(corners) => <[u32; 3]>::try_from(corners.as_slice()).expect("a triangle"),
        other => panic!("{other:?}"),
    };
    (positions, ply.payload["face"].iter().map(corners).collect())
}

/// The corners of all triangles, sorted: the same for any numbering.
fn corners((positions, triangles): &Shape) -> Vec<[[u32; 3]; 3]> {
    let place = |vertex: u32| positions[vertex as usize].map(f32::to_bits);
    let mut all: Vec<[[u32; 3]; 3]> = triangles
        .iter()
        .map(|triangle| {
            let corners = triangle.map(place);
            // from its least corner on: where a triangle begins does not matter
            let least = (0..3).min_by_key(|corner| corners[*corner]).expect("three");
            [corners[least], corners[(least + 1) % 3], corners[(least + 2) % 3]]
        })
        .collect();
    all.sort_unstable();
    all
}

#[test]
fn three_readers_see_the_same_motion() {
    let folder = tempfile::tempdir().expect("a folder");
    for file in ["a.obj", "a.ply", "a.glb"] {
        weft(folder.path(), file);
    }
    // a picture at the start and after every second step
    let moments = 1 + STEPS / 2;
    let shapes: Vec<Shape> =
        (1..=moments).map(|number| read_ply(&folder.path().join(format!("a-{number:04}.ply")))).collect();
    assert!(!folder.path().join(format!("a-{:04}.ply", moments + 1)).exists());
    for (number, shape) in (1..).zip(&shapes) {
        let obj = read_obj(&folder.path().join(format!("a-{number:04}.obj")));
        assert_eq!(corners(&obj), corners(shape), "moment {number}");
    }

    let bytes = std::fs::read(folder.path().join("a.glb")).expect("written");
    // it validates the whole document
    let file = gltf::Gltf::from_slice(&bytes).expect("glTF");
    let blob = file.blob.as_deref().expect("binary");
    let mesh = file.meshes().next().expect("a mesh");
    let primitive = mesh.primitives().next().expect("triangles");
    assert_eq!(primitive.mode(), gltf::mesh::Mode::Triangles);
    let reader = primitive.reader(|_| Some(blob));
    let base: Vec<[f32; 3]> = reader.read_positions().expect("positions").collect();
    let indices: Vec<u32> = reader.read_indices().expect("indices").into_u32().collect();
    assert_eq!((&base, &threes(&indices)), (&shapes[0].0, &shapes[0].1));
    let normals = reader.read_normals().expect("normals");
    assert!(normals.map(|n| n.iter().map(|x| x * x).sum::<f32>()).all(|length| (length - 1.0).abs() < 1e-5));
    let texture: Vec<[f32; 2]> = reader.read_tex_coords(0).expect("texture").into_f32().collect();
    assert!(texture.len() == base.len() && texture.iter().flatten().all(|x| (0.0..=1.0).contains(x)));

    let targets: Vec<Vec<[f32; 3]>> =
        reader.read_morph_targets().map(|(positions, ..)| positions.expect("differences").collect()).collect();
    assert_eq!(targets.len(), moments - 1);
    let animation = file.animations().next().expect("it moves");
    let channel = animation.channels().next().expect("a channel");
    let channel = channel.reader(|_| Some(blob));
    let times: Vec<f32> = channel.read_inputs().expect("times").collect();
    let Some(ReadOutputs::MorphTargetWeights(MorphTargetWeights::F32(weights))) = channel.read_outputs() else {
        panic!("weights in single precision");
    };
    let weights: Vec<f32> = weights.collect();
    for (key, shape) in shapes.iter().enumerate() {
        assert!((times[key] - key as f32 / 30.0).abs() < 1e-6, "{times:?}");
        let weights = &weights[key * targets.len()..][..targets.len()];
        for (vertex, place) in shape.0.iter().enumerate() {
            for k in 0..3 {
                // as a player of such files adds them
                let shown: f32 =
                    base[vertex][k] + targets.iter().zip(weights).map(|(t, w)| t[vertex][k] * w).sum::<f32>();
                assert!(
                    (shown - place[k]).abs() <= 2.4e-7 * place[k].abs().max(base[vertex][k].abs()),
                    "{shown} {place:?}"
                );
            }
        }
    }
}
