//! Text files, whatever wrote them: encodings, line ends, separators.

use std::path::{Path, PathBuf};

use weft::scene::{Scene, read_text};

/// A square of four triangles around its middle, as OBJ.
const SQUARE: &str =
    "# a square\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0.5 0.5 0\nf 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\n";
/// Two tetrahedra as Medit and as Gmsh mesh.
const MEDIT: &str = include_str!("../data/bodies/two.mesh");
const GMSH: &str = include_str!("../data/bodies/two-2.msh");
const PATH: &str = "0,0,0,0\n0.5,0.1,0,0\n1,0.2,0.1,0\n";

/// The text as a Windows editor, an old Mac and others save it, each with a name.
fn encoded(text: &str) -> [(&'static str, Vec<u8>); 8] {
    let utf_16 = |bytes: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(bytes).collect::<Vec<u8>>();
    [
        ("plain", text.as_bytes().to_vec()),
        ("byte order mark", [b"\xEF\xBB\xBF", text.as_bytes()].concat()),
        ("CR LF", text.replace('\n', "\r\n").into_bytes()),
        ("CR", text.replace('\n', "\r").into_bytes()),
        ("UTF-16 LE", [&b"\xFF\xFE"[..], &utf_16(u16::to_le_bytes)].concat()),
        ("UTF-16 BE", [&b"\xFE\xFF"[..], &utf_16(u16::to_be_bytes)].concat()),
        ("UTF-16 LE without mark", utf_16(u16::to_le_bytes)),
        ("UTF-16 BE without mark", utf_16(u16::to_be_bytes)),
    ]
}

fn write(folder: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, bytes).expect("written");
    path
}

fn scene(text: &str) -> Scene {
    Scene::parse(text, "test.ron").unwrap_or_else(|error| panic!("{error}"))
}

fn refused(scene: &Scene) -> String {
    let message = scene.build().map(drop).expect_err("it cannot be read").to_string();
    assert_eq!(message.lines().count(), 1, "{message}");
    message
}

#[test]
fn every_text_is_the_same_in_every_encoding_and_with_every_line_end() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text, piece, vertices) in [
        ("a.obj", SQUARE, "mesh: (file: FILE)", 5),
        ("a.mesh", MEDIT, "body: File(file: FILE)", 5),
        ("a.msh", GMSH, "body: File(file: FILE)", 5),
        ("a.csv", PATH, "grid: (columns: 3, rows: 3), handles: [(pins: two, recorded: FILE)]", 9),
    ] {
        let mut expected = None;
        for (encoding, bytes) in encoded(text) {
            let path = write(folder.path(), name, &bytes);
            let file = format!("{:?}", path.display().to_string());
            let scene = scene(&format!("(pins: none, {})", piece.replace("FILE", &file)));
            let simulation = scene.build().unwrap_or_else(|error| panic!("{encoding}: {error}"));
            assert_eq!(simulation.state.cloth.len(), vertices, "{name}, {encoding}");
            let found = (simulation.pattern().clone(), simulation.state.cloth.pins().to_vec());
            assert_eq!(*expected.get_or_insert_with(|| found.clone()), found, "{name}, {encoding}");
        }
    }
    let text = "(\n    title: \"Größe\",\n    grid: (columns: 5, rows: 4),\n)\n";
    for (encoding, bytes) in encoded(text) {
        let path = write(folder.path(), "a.ron", &bytes);
        let scene = Scene::load(&path.to_string_lossy()).unwrap_or_else(|error| panic!("{encoding}: {error}"));
        assert_eq!((scene.title.as_str(), scene.first.grid.columns), ("Größe", 5), "{encoding}");
    }
    for (encoding, bytes) in encoded("{\"tick\":1}\n{\"tick\":2}\n") {
        let path = write(folder.path(), "a.jsonl", &bytes);
        let text = read_text(&path, "").unwrap_or_else(|error| panic!("{encoding}: {error}"));
        assert_eq!(text, "{\"tick\":1}\n{\"tick\":2}\n", "{encoding}");
    }
}

#[test]
fn a_fault_is_at_the_same_line_with_every_line_end() {
    let folder = tempfile::tempdir().expect("a folder");
    for (encoding, bytes) in encoded(&SQUARE.replace("v 1 1 0", "v 1 one 0")) {
        let path = write(folder.path(), "a.obj", &bytes);
        let message = refused(&scene(&format!("(mesh: (file: {:?}))", path.display().to_string())));
        assert!(message.contains("a.obj, line 4: a vertex needs three finite numbers"), "{encoding}: {message}");
    }
}

#[test]
fn what_is_no_text_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    for (bytes, expected) in [
        (
            &b"(\n  title: \"Gr\xF6\xDFe\",\n)"[..],
            "a.ron, line 2: a character that is not UTF-8; save the file as UTF-8",
        ),
        (b"(title:\r\n\r\n\"a\0b\")", "a.ron, line 3: there is a zero byte in it, so it is no text"),
        (b"\xFF\xFE(\0)\0\n", "a.ron: is text in UTF-16 that ends within a character"),
        (b"\xFF\xFE\0\0(\0\0\0", "a.ron: is text in UTF-32; save it as UTF-8"),
        (b"\xFF\xFE\0\xD8(\0", "a.ron: begins like text in UTF-16, but is none"),
    ] {
        let path = write(folder.path(), "a.ron", bytes);
        let message = Scene::load(&path.to_string_lossy()).expect_err("no text").to_string();
        assert!(message.contains(expected) && message.lines().count() == 1, "{message}");
    }
    // names in other encodings do not matter where only numbers are read
    let path = write(folder.path(), "a.obj", &[b"o Gr\xF6\xDFe\n", SQUARE.as_bytes()].concat());
    let scene = scene(&format!("(mesh: (file: {:?}))", path.display().to_string()));
    assert_eq!(scene.build().expect("a good mesh").state.cloth.len(), 5);
}

#[test]
fn tabs_and_trailing_comments_are_fine() {
    let folder = tempfile::tempdir().expect("a folder");
    let tabs = |text: &str| text.replace(' ', "\t").replace("\tsquare", " square");
    let commented = SQUARE.lines().map(|line| format!("{line} # corner 7\n")).collect::<String>();
    for text in [tabs(SQUARE), commented] {
        let path = write(folder.path(), "a.obj", text.as_bytes());
        let scene = scene(&format!("(mesh: (file: {:?}))", path.display().to_string()));
        let simulation = scene.build().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((simulation.state.cloth.len(), simulation.pattern().triangles().len()), (5, 4));
    }
    for text in [
        PATH.replace(',', "\t"),
        PATH.replace(',', ",\t"),
        format!("t,x,y,z\n{PATH}"),
        format!("t\tx\ty\tz\n{}", PATH.replace(',', "\t")),
        PATH.replace("0,0\n", "0,0 # here, there\n"),
    ] {
        let path = write(folder.path(), "a.csv", text.as_bytes());
        let file = path.display().to_string();
        let scene =
            scene(&format!("(handles: [(pins: two, recorded: {file:?})], grid: (columns: 3, rows: 3), pins: none)"));
        assert_eq!(scene.build().unwrap_or_else(|error| panic!("{text:?}: {error}")).state.cloth.pins().len(), 2);
    }
}

#[test]
fn semicolons_and_decimal_commas_are_named_with_the_mend() {
    let folder = tempfile::tempdir().expect("a folder");
    let point = "write decimals with a point, not with a comma";
    for (name, text, line, mend) in [
        ("a.obj", SQUARE.replace('.', ","), 6, point),
        ("a.obj", SQUARE.replace("v 1 1 0", "v 1; 1; 0"), 4, "separate numbers by spaces, not by semicolons"),
        ("a.obj", SQUARE.replace("v 1 1 0", "v 1, 1, 0"), 4, "separate numbers by spaces, not by commas"),
        ("a.mesh", MEDIT.replacen("0 0 0 0", "0,5 0 0 0", 1), 7, point),
        ("a.msh", GMSH.replacen("10 0 0 0", "10 0,5 0 0", 1), 10, point),
        ("a.csv", PATH.replace(',', ";"), 1, "save the table with commas or tabs between the columns"),
        ("a.csv", format!("t;x;y;z\n{}", PATH.replace(',', ";").replace('.', ",")), 1, "separated by semicolons"),
        ("a.csv", PATH.replace(',', "\t").replace('.', ","), 2, point),
        ("a.csv", PATH.replace(',', "\t").replace("0\t0\t0\t0", "0,5\t0\t0\t0"), 1, point),
    ] {
        let path = write(folder.path(), name, text.as_bytes());
        let file = format!("{:?}", path.display().to_string());
        let piece = match name {
            "a.obj" => format!("mesh: (file: {file})"),
            "a.csv" => format!("handles: [(pins: two, recorded: {file})]"),
            _ => format!("body: File(file: {file})"),
        };
        let message = refused(&scene(&format!("(pins: none, {piece})")));
        assert!(message.contains(&format!("{name}, line {line}: ")) && message.contains(mend), "{text}: {message}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn only_files_with_an_end_are_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let pipe = folder.path().join("pipe.obj");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    let long = folder.path().join("long.obj");
    // a hole, which takes no room on the disk
    std::fs::File::create(&long).and_then(|file| file.set_len(3 << 30)).expect("made");
    let name = |path: &Path| path.to_string_lossy().into_owned();
    for (file, reason) in [
        ("/dev/zero".to_owned(), "it is a device or a pipe; name a file"),
        (name(&pipe), "it is a device or a pipe; name a file"),
        (name(folder.path()), "it is a folder; name a file"),
        (name(&long), "has more than 1073741824 bytes"),
    ] {
        for scene in [
            format!("(mesh: (file: {file:?}))"),
            format!("(body: File(file: {file:?}))"),
            format!("(handles: [(pins: two, recorded: {file:?})])"),
            format!("(colliders: [(shape: Mesh(file: {file:?}))])"),
            format!("(image: {file:?})"),
        ] {
            let message = refused(&self::scene(&scene));
            assert!(message.contains(reason), "{scene}: {message}");
        }
        assert!(read_text(&file, "the commands").expect_err("no end").to_string().contains(reason));
    }
}

#[test]
fn a_picture_is_as_large_as_its_head_says() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.png");
    let image = format!("(image: {path:?})");
    let build = |[width, height]: [u32; 2]| {
        let head =
            [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", &width.to_be_bytes()[..], &height.to_be_bytes(), &[0; 9]].concat();
        std::fs::write(&path, head).expect("written");
        scene(&image).build().map(drop).map_err(|error| error.to_string())
    };
    assert_eq!(build([16_384, 4096]), Ok(()));
    for size in [[120_000, 120_000], [16_384, 4097], [0, 10], [17_000, 1], [u32::MAX; 2]] {
        let message = build(size).expect_err("too large");
        let [width, height] = size;
        assert!(
            message.contains(&format!("a.png: the picture has {width} × {height} pixels; there may be ")),
            "{message}"
        );
    }
}
