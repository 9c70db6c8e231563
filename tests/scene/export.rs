//! Meshes for other programs: read back by what others wrote where there is a reader, and by the format's own words elsewhere.

use std::ops::ControlFlow;
use std::sync::Arc;

use gltf_json::validation::{Checked, Validate};
use gltf_json::{Root, animation, mesh::Semantic};
use weft::documents::{
    Clip, ClothSurface, MeshFormat, Moment, common_span, read_clips, write_clip, write_glb, write_obj, write_ply,
};
use weft::scene::{Scene, import_obj};
use weft::sim::{Pattern, Simulation, Vec3};

fn simulation(scene: &str, changes: &[(&str, &str)]) -> (Scene, Simulation) {
    let mut scene = Scene::load(scene).expect("it comes with the program");
    for (key, value) in changes {
        scene.set(key, value).expect("in range");
    }
    let simulation = scene.build().expect("good");
    (scene, simulation)
}

pub fn surface(scene: &Scene, simulation: &Simulation) -> ClothSurface {
    ClothSurface::new(simulation.shared_pattern(), scene)
}

/// The moments of `steps` steps.
fn filmed(simulation: &mut Simulation, steps: usize) -> Vec<Moment> {
    let mut moments = vec![Moment::at(simulation.time(), &simulation.state.cloth.positions)];
    for _ in 0..steps {
        simulation.step().expect("it holds");
        moments.push(Moment::at(simulation.time(), &simulation.state.cloth.positions));
    }
    moments
}

/// A `.glb` in its two parts, the first as a reader of others takes it: it checks every index and every required field.
struct Read {
    root: Root,
    binary: Vec<u8>,
}

impl Read {
    fn of(file: &[u8]) -> Self {
        let number = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().expect("four bytes")) as usize;
        assert_eq!((&file[..4], number(4), number(8)), (&b"glTF"[..], 2, file.len()));
        let length = number(12);
        assert_eq!((&file[16..20], length % 4), (&b"JSON"[..], 0));
        let root = Root::from_slice(&file[20..20 + length]).expect("JSON of glTF");
        let binary = 20 + length;
        assert_eq!((&file[binary + 4..binary + 8], number(binary)), (&b"BIN\0"[..], file.len() - binary - 8));
        let mut faults = Vec::new();
        root.validate(&root, gltf_json::Path::new, &mut |path, error| faults.push(format!("{}: {error}", path())));
        assert!(faults.is_empty(), "{faults:#?}");
        let read = Self { root, binary: file[binary + 8..].to_vec() };
        assert_eq!(read.root.buffers[0].byte_length.0, read.binary.len() as u64);
        read
    }

    /// The bytes of an accessor, with the number of bytes of an element.
    fn bytes(&self, accessor: usize, element: usize) -> &[u8] {
        let accessor = &self.root.accessors[accessor];
        let view = &self.root.buffer_views[accessor.buffer_view.expect("it has one").value()];
        let start = (view.byte_offset.map_or(0, |offset| offset.0) + accessor.byte_offset.map_or(0, |o| o.0)) as usize;
        assert_eq!(start % 4, 0);
        let length = element * accessor.count.0 as usize;
        assert!(length as u64 <= view.byte_length.0);
        &self.binary[start..start + length]
    }

    fn floats(&self, accessor: usize, per_element: usize) -> Vec<f32> {
        let bytes = self.bytes(accessor, 4 * per_element);
        bytes.chunks_exact(4).map(|four| f32::from_le_bytes(four.try_into().expect("four"))).collect()
    }

    fn vectors(&self, accessor: usize) -> Vec<[f32; 3]> {
        let vectors: Vec<[f32; 3]> =
            self.floats(accessor, 3).chunks_exact(3).map(|v| v.try_into().expect("three")).collect();
        let accessor = &self.root.accessors[accessor];
        if let (Some(min), Some(max)) = (&accessor.min, &accessor.max) {
            for k in 0..3 {
                let bound = |choose: fn(f32, f32) -> f32| vectors.iter().map(|v| v[k]).reduce(choose).expect("some");
                assert_eq!(min[k].as_f64().expect("a number") as f32, bound(f32::min));
                assert_eq!(max[k].as_f64().expect("a number") as f32, bound(f32::max));
            }
        }
        vectors
    }

    fn attribute(&self, semantic: Semantic) -> usize {
        let attributes = &self.root.meshes[0].primitives[0].attributes;
        attributes[&Checked::Valid(semantic)].value()
    }

    fn triangles(&self) -> Vec<[u32; 3]> {
        let of = |primitive: &gltf_json::mesh::Primitive| {
            let bytes = self.bytes(primitive.indices.expect("indexed").value(), 4);
            let indices: Vec<u32> =
                bytes.chunks_exact(4).map(|four| u32::from_le_bytes(four.try_into().expect("four"))).collect();
            indices.chunks_exact(3).map(|t| t.try_into().expect("three")).collect::<Vec<[u32; 3]>>()
        };
        self.root.meshes[0].primitives.iter().flat_map(of).collect()
    }
}

fn glb(surface: &ClothSurface, moments: &[Moment]) -> Vec<u8> {
    let mut file = Vec::new();
    let moments: Vec<&Moment> = moments.iter().collect();
    write_glb(surface, &moments, &mut file, &mut |_| ControlFlow::Continue(())).expect("memory");
    file
}

#[test]
fn a_glb_has_the_positions_to_the_bit_of_single_precision_with_normals_texture_and_triangles() {
    for (name, changes) in [("hanging", &[("columns", "7"), ("rows", "5")][..]), ("mesh", &[]), ("ribbons", &[])] {
        if Scene::load(name).is_err() {
            continue;
        }
        let (scene, mut simulation) = simulation(name, changes);
        filmed(&mut simulation, 3);
        let surface = surface(&scene, &simulation);
        let mut file = Vec::new();
        MeshFormat::Glb.write(&surface, 0.0, &simulation.state.cloth.positions, &mut file).expect("memory");
        let read = Read::of(&file);
        let expected: Vec<[f32; 3]> = simulation.state.cloth.positions.iter().map(|x| x.as_vec3().to_array()).collect();
        assert_eq!(read.vectors(read.attribute(Semantic::Positions)), expected, "{name}");
        let mut triangles = read.triangles();
        let mut own = simulation.pattern().triangles().to_vec();
        triangles.sort_unstable();
        own.sort_unstable();
        assert_eq!(triangles, own, "{name}");
        let normals = read.vectors(read.attribute(Semantic::Normals));
        let length = |[x, y, z]: &[f32; 3]| (x * x + y * y + z * z).sqrt();
        assert!(normals.len() == expected.len() && normals.iter().all(|normal| (length(normal) - 1.0).abs() < 1e-5));
        let texture = read.floats(read.attribute(Semantic::TexCoords(0)), 2);
        assert_eq!(texture.len(), 2 * expected.len());
        assert!(texture.iter().all(|x| (0.0..=1.0).contains(x)) && texture.contains(&1.0) && texture.contains(&0.0));
        assert!(read.root.animations.is_empty());
        // counter-clockwise: the normal of a triangle is on the side of those of its corners
        let [a, b, c] = read.triangles()[0].map(|v| Vec3::from_array(expected[v as usize].map(f64::from)));
        let corner = Vec3::from_array(normals[read.triangles()[0][0] as usize].map(f64::from));
        assert!((b - a).cross(c - a).dot(corner) > 0.0, "{name}");
    }
}

#[test]
fn morph_targets_give_back_every_moment_and_the_weights_turn_each_on_at_its_time() {
    let (scene, mut simulation) = simulation("flag", &[("columns", "9"), ("rows", "6")]);
    let moments = filmed(&mut simulation, 20);
    let read = Read::of(&glb(&surface(&scene, &simulation), &moments));
    let base = read.vectors(read.attribute(Semantic::Positions));
    assert_eq!(base, moments[0].positions);
    let targets = read.root.meshes[0].primitives[0].targets.as_ref().expect("it moves");
    assert_eq!(targets.len(), 20);
    for (target, moment) in targets.iter().zip(&moments[1..]) {
        let difference = read.vectors(target.positions.expect("places").value());
        let normals = read.vectors(target.normals.expect("normals").value());
        assert_eq!(normals.len(), base.len());
        for ((base, difference), place) in base.iter().zip(&difference).zip(&moment.positions) {
            for k in 0..3 {
                let largest = base[k].abs().max(place[k].abs()).max(difference[k].abs());
                let error = (base[k] + difference[k] - place[k]).abs();
                assert!(error <= largest * f32::EPSILON, "{error} m off");
            }
        }
    }
    let animation = &read.root.animations[0];
    assert_eq!(animation.channels[0].target.path, Checked::Valid(animation::Property::MorphTargetWeights));
    let sampler = &animation.samplers[0];
    assert_eq!(sampler.interpolation, Checked::Valid(animation::Interpolation::Linear));
    let times = read.floats(sampler.input.value(), 1);
    let expected: Vec<f32> = moments.iter().map(|moment| (moment.time - moments[0].time) as f32).collect();
    assert_eq!(times, expected);
    let weights = read.floats(sampler.output.value(), 1);
    assert_eq!(weights.len(), 21 * 20);
    for (key, weights) in weights.chunks(20).enumerate() {
        let on: Vec<usize> = (0..20).filter(|target| weights[*target] != 0.0).collect();
        assert_eq!(on, if key == 0 { vec![] } else { vec![key - 1] });
        assert!(on.iter().all(|target| weights[*target] == 1.0));
    }
    assert_eq!(read.root.meshes[0].weights.as_deref(), Some(&[0.0; 20][..]));
}

#[test]
fn a_cloth_that_tears_on_the_way_has_its_last_mesh_and_was_closed_before() {
    let (scene, mut simulation) = simulation("hanging", &[("columns", "5"), ("rows", "5")]);
    let mut moments = filmed(&mut simulation, 2);
    let edges: Vec<[u32; 2]> = (0..4).map(|column| [10 + column, 11 + column]).collect();
    assert!(simulation.cut(&edges) > 0, "it is cut across");
    moments.extend(filmed(&mut simulation, 3).into_iter().skip(1));
    let count = simulation.state.cloth.len();
    assert!(moments[0].positions.len() < count);
    let surface = surface(&scene, &simulation);
    let read = Read::of(&glb(&surface, &moments));
    let base = read.vectors(read.attribute(Semantic::Positions));
    assert_eq!(base.len(), count);
    let origins = simulation.pattern().origins();
    for (vertex, origin) in origins.iter().enumerate() {
        assert_eq!(base[vertex], base[*origin as usize], "closed at first");
    }
    let targets = read.root.meshes[0].primitives[0].targets.as_ref().expect("it moves");
    let last = read.vectors(targets[4].positions.expect("places").value());
    let apart = (25..count).any(|vertex| last[vertex] != last[origins[vertex] as usize]);
    assert!(apart, "open in the end");
}

#[test]
fn a_piece_with_a_colour_of_its_own_has_its_own_material() {
    let scene: String = "(grid: (columns: 4, rows: 4), colour: (1.0, 0.0, 0.0), pieces: [
        (grid: (columns: 3, rows: 3), position: (0.0, 2.0, 0.0), colour: (0.0, 0.5, 1.0)),
        (grid: (columns: 3, rows: 3), position: (0.0, 3.0, 0.0), colour: (1.0, 0.0, 0.0))])"
        .to_owned();
    let scene = Scene::parse(&scene, "a.ron").expect("good");
    let simulation = scene.build().expect("good");
    let moments = [Moment::at(0.0, &simulation.state.cloth.positions)];
    let read = Read::of(&glb(&surface(&scene, &simulation), &moments));
    let colours: Vec<[f32; 4]> =
        read.root.materials.iter().map(|material| material.pbr_metallic_roughness.base_color_factor.0).collect();
    assert_eq!(colours.len(), 2);
    assert_eq!(colours[0], [1.0, 0.0, 0.0, 1.0]);
    assert!(
        colours[1][0] == 0.0 && (colours[1][1] - 0.214).abs() < 1e-3 && colours[1][2] == 1.0,
        "linear: {colours:?}"
    );
    assert_eq!(read.root.meshes[0].primitives.len(), 2);
}

#[test]
fn a_ply_has_the_positions_to_the_bit_of_single_precision_and_all_triangles() {
    let (scene, mut simulation) = simulation("hanging", &[("columns", "6"), ("rows", "4")]);
    simulation.step().expect("it holds");
    let surface = surface(&scene, &simulation);
    let mut file = Vec::new();
    write_ply(&surface, &simulation.state.cloth.positions, &mut file).expect("memory");
    let end = file.windows(11).position(|text| text == b"end_header\n").expect("a header") + 11;
    let header = std::str::from_utf8(&file[..end]).expect("ASCII");
    let lines: Vec<&str> = header.lines().collect();
    assert_eq!(&lines[..2], ["ply", "format binary_little_endian 1.0"]);
    let count = |element: &str| -> usize {
        let line = lines.iter().find_map(|line| line.strip_prefix(element)).expect("it is declared");
        line.trim().parse().expect("a number")
    };
    let (vertices, faces) = (count("element vertex"), count("element face"));
    assert_eq!((vertices, faces), (24, 30));
    let properties: Vec<&str> = lines.iter().filter_map(|line| line.strip_prefix("property float ")).collect();
    assert_eq!(properties, ["x", "y", "z", "nx", "ny", "nz", "s", "t"]);
    assert!(lines.contains(&"property list uchar uint vertex_indices"));
    let row = 4 * properties.len();
    assert_eq!(file.len(), end + vertices * row + faces * 13);
    let float = |at: usize| f32::from_le_bytes(file[at..at + 4].try_into().expect("four"));
    for (vertex, x) in simulation.state.cloth.positions.iter().enumerate() {
        let at = end + vertex * row;
        assert_eq!([float(at), float(at + 4), float(at + 8)], x.as_vec3().to_array());
    }
    for (face, triangle) in simulation.pattern().triangles().iter().enumerate() {
        let at = end + vertices * row + 13 * face;
        assert_eq!(file[at], 3);
        let corner = |k: usize| u32::from_le_bytes(file[at + 1 + 4 * k..at + 5 + 4 * k].try_into().expect("four"));
        assert_eq!([corner(0), corner(1), corner(2)], *triangle);
    }
}

#[test]
fn an_obj_reads_back_to_the_same_bits_with_its_normals_and_texture() {
    let (scene, mut simulation) = simulation("hanging", &[("columns", "6"), ("rows", "4")]);
    simulation.step().expect("it holds");
    let mut file = Vec::new();
    write_obj(&surface(&scene, &simulation), 0.0, &simulation.state.cloth.positions, &mut file).expect("memory");
    let text = String::from_utf8(file).expect("ASCII");
    let mesh = import_obj(&text, "a.obj", 1e-9).expect("good");
    let mut places = mesh.positions.clone();
    let mut own = simulation.state.cloth.positions.clone();
    let order = |a: &Vec3, b: &Vec3| a.to_array().partial_cmp(&b.to_array()).expect("numbers");
    places.sort_by(order);
    own.sort_by(order);
    assert_eq!(places, own);
    assert_eq!(mesh.triangles.len(), simulation.pattern().triangles().len());
    let mut again = tobj_models(&text);
    let model = again.pop().expect("a model");
    assert_eq!((model.mesh.normals.len(), model.mesh.texcoords.len()), (72, 48));
}

fn tobj_models(text: &str) -> Vec<tobj::Model> {
    let options = tobj::LoadOptions { single_index: true, ..tobj::LoadOptions::default() };
    let none = |_: &std::path::Path| tobj::MTLLoadResult::Ok(Default::default());
    tobj::load_obj_buf(&mut text.as_bytes(), &options, none).expect("OBJ").0
}

#[test]
fn a_clip_keeps_so_many_seconds_and_bytes_and_goes_back_with_the_time() {
    let moment = |time: f64| Moment::at(time, &[Vec3::ONE; 100]);
    let mut clip = Clip::new(1.0, usize::MAX);
    (0..40).for_each(|k| clip.push(moment(0.1 * f64::from(k))));
    assert!((clip.seconds() - 1.0).abs() < 1e-9, "{}", clip.seconds());
    assert_eq!(clip.last_seconds(0.5).len(), 6);
    // going back forgets what has not been
    clip.push(moment(3.45));
    assert_eq!(clip.last_seconds(0.1).len(), 2);
    let earlier: Vec<f64> = clip.part(0.2, 0.3).iter().map(|moment| moment.time).collect();
    assert!(earlier.len() == 2 && (earlier[0] - 3.0).abs() < 1e-9 && (earlier[1] - 3.1).abs() < 1e-9, "{earlier:?}");
    // between the moments at 3.1 and 3.2
    assert!((clip.part(0.0, 0.3)[0].time - 3.1).abs() < 1e-9);
    assert_eq!(clip.part(0.0, 1e9).len(), 1, "before the first there is the first");
    assert_eq!(clip.last().map(|last| last.time), Some(3.45));
    assert!((clip.seconds() - 0.55).abs() < 0.11);

    let most = 5 * moment(0.0).bytes();
    let mut clip = Clip::new(1000.0, most);
    (0..40).for_each(|k| clip.push(moment(f64::from(k))));
    assert!(clip.bytes() <= most && clip.last_seconds(1e9).len() == 5, "{} of {most}", clip.bytes());
    // what is too large by itself is still the present state
    let mut clip = Clip::new(1000.0, 10);
    (0..3).for_each(|k| clip.push(moment(f64::from(k))));
    assert_eq!(clip.last_seconds(1e9).len(), 1);
}

#[test]
fn motions_that_overlap_have_a_common_span_in_which_one_that_failed_stands_still() {
    let of = |from: u32, to: u32| -> Vec<Moment> {
        (from..=to).map(|k| Moment::at(0.1 * f64::from(k), &[Vec3::ONE; 2])).collect()
    };
    let (whole, late, early) = (of(0, 40), of(25, 50), of(0, 5));
    let span = |motions: &[(&Vec<Moment>, Option<f64>)]| {
        common_span(&motions.iter().map(|(moments, failed)| (&moments[..], *failed)).collect::<Vec<_>>())
    };
    let near = |span: Option<[f64; 2]>, [from, to]: [f64; 2]| {
        assert!(span.is_some_and(|[a, b]| (a - from).abs() < 1e-9 && (b - to).abs() < 1e-9), "{span:?}");
    };
    near(span(&[(&whole, None)]), [0.0, 4.0]);
    near(span(&[(&whole, None), (&late, None)]), [2.5, 4.0]);
    assert_eq!(span(&[(&late, None), (&early, None)]), None);
    near(span(&[(&late, None), (&early, Some(0.52))]), [2.5, 5.0]);
    near(span(&[(&early, Some(0.52))]), [0.0, 0.5]);
    near(span(&[(&of(5, 5), None), (&early, None)]), [0.5, 0.5]);

    // the failure is in the file
    let (scene, simulation) = simulation("hanging", &[("columns", "3"), ("rows", "3")]);
    let state = weft::session::Session::new(scene, simulation).snapshot().to_json();
    let state = serde_json::value::RawValue::from_string(state).expect("JSON");
    let mut file = Vec::new();
    for failed in [None, Some(0.52)] {
        write_clip(&state, &early.iter().collect::<Vec<_>>(), failed, &mut file).expect("memory");
    }
    let clips = read_clips(&file[..], "motion").expect("as it was written");
    assert_eq!(clips.iter().map(|clip| clip.failed).collect::<Vec<_>>(), [None, Some(0.52)]);
    assert!(clips.iter().all(|clip| clip.moments.len() == 6 && clip.moments[5].positions == early[5].positions));
}

#[test]
fn a_motion_that_is_called_off_leaves_no_part_of_a_file() {
    let (scene, mut simulation) = simulation("flag", &[("columns", "9"), ("rows", "6")]);
    let moments = filmed(&mut simulation, 10);
    let surface = surface(&scene, &simulation);
    let folder = tempfile::tempdir().expect("a folder");
    let moments: Vec<&Moment> = moments.iter().collect();
    for after in [0.2, 0.6] {
        let mut tell = |share: f64| if share > after { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        let path = folder.path().join("a.glb");
        let error = MeshFormat::Glb.write_motion(&surface, &moments, &path, &mut tell).expect_err("called off");
        assert_eq!(error.kind(), std::io::ErrorKind::Interrupted);
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);
    }
    let mut shares = Vec::new();
    let mut tell = |share: f64| {
        shares.push(share);
        ControlFlow::Continue(())
    };
    let path = folder.path().join("a.obj");
    let first = MeshFormat::Obj.write_motion(&surface, &moments, &path, &mut tell).expect("written");
    assert_eq!(first, folder.path().join("a-0001.obj"));
    assert!(folder.path().join("a-0011.obj").is_file());
    assert!(shares.is_sorted() && shares.last() == Some(&1.0), "{shares:?}");
}

#[test]
fn an_empty_pattern_is_no_panic() {
    let surface =
        ClothSurface::new(Arc::new(Pattern::new(Vec::new(), Vec::new(), Default::default())), &Scene::default());
    assert!(surface.is_empty());
    for format in MeshFormat::ALL {
        format.write(&surface, 0.0, &[], &mut Vec::new()).expect("memory");
    }
}

#[test]
fn a_cloth_at_survey_coordinates_is_written_to_a_tenth_of_a_millimetre() {
    let text = "(grid: (columns: 7, rows: 5, plane: flat), position: (500000, 1.5, -4000000), pins: left_edge)";
    let scene = Scene::parse(text, "far.ron").expect("good");
    let mut simulation = scene.build().expect("good");
    let moments = filmed(&mut simulation, 10);
    let surface = surface(&scene, &simulation);
    let positions = &simulation.state.cloth.positions;
    let near = |at: Vec3, place: &Vec3| assert!(at.distance(*place) < 1e-4, "{at}, not {place}");

    let mut file = Vec::new();
    write_ply(&surface, positions, &mut file).expect("memory");
    let start = file.windows(11).position(|part| part == b"end_header\n").expect("a header") + 11;
    assert!(file[..start].windows(17).any(|part| part == b"property double x"));
    for (vertex, place) in file[start..].chunks_exact(3 * 8 + 5 * 4).zip(positions) {
        let number = |k: usize| f64::from_le_bytes(vertex[8 * k..8 * k + 8].try_into().expect("eight bytes"));
        near(Vec3::new(number(0), number(1), number(2)), place);
    }

    let read = Read::of(&glb(&surface, &moments));
    let origin = Vec3::from_array(read.root.nodes[0].translation.expect("far away").map(f64::from));
    let base = read.vectors(read.attribute(Semantic::Positions));
    let targets = read.root.meshes[0].primitives[0].targets.as_ref().expect("it moves");
    let last = read.vectors(targets.last().expect("some").positions.expect("places").value());
    let wide = |x: &[f32; 3]| Vec3::from_array(x.map(f64::from));
    base.iter().zip(&last).zip(positions).for_each(|((a, b), place)| near(origin + wide(a) + wide(b), place));
}

/// A tube of eight quadrilaterals around, with a seam where the texture begins and ends.
fn tube() -> (tempfile::TempDir, Scene) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("tube.obj");
    let mut text = String::new();
    for (row, column) in (0..3).flat_map(|row| (0..8).map(move |column| (row, column))) {
        let angle = f64::from(column) * std::f64::consts::TAU / 8.0;
        text += &format!("v {} {} {}\n", 0.2 * angle.cos(), 0.1 * f64::from(row), 0.2 * angle.sin());
    }
    for (row, column) in (0..3).flat_map(|row| (0..9).map(move |column| (row, column))) {
        text += &format!("vt {} {}\n", f64::from(column) / 8.0, f64::from(row) / 2.0);
    }
    for (row, column) in (0..2).flat_map(|row| (0..8).map(move |column| (row, column))) {
        let corner = |[row, column]: [i32; 2]| format!("{}/{}", 8 * row + column % 8 + 1, 9 * row + column + 1);
        let corners = [[row, column], [row + 1, column], [row + 1, column + 1], [row, column + 1]].map(corner);
        text += &format!("f {}\n", corners.join(" "));
    }
    std::fs::write(&path, text).expect("written");
    let scene = Scene::parse(&format!("(mesh: (file: {path:?}))"), "a.ron").expect("good");
    (folder, scene)
}

#[test]
fn a_texture_seam_splits_vertices_of_a_glb_and_a_ply_and_the_cloth_stays_whole() {
    let (_folder, scene) = tube();
    let mut simulation = scene.build().expect("good");
    assert_eq!(simulation.state.cloth.len(), 24);
    let moments = filmed(&mut simulation, 2);
    let surface = surface(&scene, &simulation);
    let read = Read::of(&glb(&surface, &moments));
    let positions = read.vectors(read.attribute(Semantic::Positions));
    assert_eq!(positions.len(), 27, "three are there twice");
    let texture = read.floats(read.attribute(Semantic::TexCoords(0)), 2);
    let attributes = simulation.pattern().attributes();
    let own: Vec<u32> = simulation.pattern().triangles().iter().flatten().copied().collect();
    let wanted = attributes.corners.iter().flatten().map(|at| attributes.texture[*at as usize].map(|x| x as f32));
    for ((corner, vertex), [u, v]) in read.triangles().iter().flatten().zip(own).zip(wanted) {
        assert_eq!(positions[*corner as usize], moments[0].positions[vertex as usize]);
        assert_eq!(texture[2 * *corner as usize..][..2], [u, 1.0 - v]);
    }
    let targets = read.root.meshes[0].primitives[0].targets.as_ref().expect("it moves");
    assert!(targets.iter().all(|target| read.vectors(target.positions.expect("places").value()).len() == 27));
    let mut file = Vec::new();
    write_ply(&surface, &simulation.state.cloth.positions, &mut file).expect("memory");
    assert!(String::from_utf8_lossy(&file).contains("element vertex 27\n"));
}

#[test]
fn a_cloth_falls_equally_far_whichever_way_its_faces_are_wound_in_the_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let fallen = |turned: usize| {
        let path = folder.path().join("sheet.obj");
        let mut text = String::new();
        for (row, column) in (0..5).flat_map(|row| (0..5).map(move |column| (row, column))) {
            text += &format!("v {} 2 {}\n", 0.1 * f64::from(column), 0.1 * f64::from(row));
        }
        for (row, column) in (0..4).flat_map(|row| (0..4).map(move |column| (row, column))) {
            let (a, c) = (5 * row + column + 1, 5 * row + column + 7);
            let [b, d] = if a % 3 < turned { [a + 5, a + 1] } else { [a + 1, a + 5] };
            text += &format!("f {a} {b} {c} {d}\n");
        }
        std::fs::write(&path, text).expect("written");
        let mut scene = Scene::parse(&format!("(mesh: (file: {path:?}), pins: none)"), "a.ron").expect("good");
        for (key, value) in [("air", "still"), ("ground", "false"), ("drag", "0.004")] {
            scene.set(key, value).expect("in range");
        }
        let mut simulation = scene.build().expect("good");
        for _ in 0..30 {
            simulation.step().expect("it holds");
        }
        simulation.state.cloth.positions
    };
    let [alike, mixed] = [fallen(0), fallen(1)];
    assert!(alike.len() == mixed.len() && alike.iter().zip(&mixed).all(|(a, b)| a.distance(*b) < 1e-9));
    assert!(alike[0].y < 1.9, "it has fallen");
}
