//! Pictures without a window.

use std::path::Path;
use std::process::{Command, Output};

use weft::documents::{Moment, write_clip};
use weft::scene::{Edit, Scene};
use weft::session::Session;
use weft::sim::Vec3;

use super::picture::{Picture, is_cloth, is_dark, is_wall};

/// Runs `weft render` in a folder.
fn render(folder: &Path, args: &[&str]) -> Output {
    let output = Command::new(env!("CARGO_BIN_EXE_weft")).arg("render").args(args).current_dir(folder).output();
    output.expect("the program starts")
}

fn assert_done(output: &Output) {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Share of the pixels for which something holds.
fn share(picture: &Picture, holds: fn([u8; 3]) -> bool) -> f64 {
    picture.pixels.iter().filter(|pixel| holds(**pixel)).count() as f64 / picture.pixels.len() as f64
}

#[test]
fn a_picture_shows_the_cloth_in_the_studio_with_the_same_look_at_both_qualities() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut middles = Vec::new();
    for quality in ["low", "high"] {
        let args = ["--scene", "hanging", "--start", "3", "--size", "160x120", "--quality", quality, "--out", "a.png"];
        assert_done(&render(folder.path(), &args));
        let picture = Picture::read(&folder.path().join("a.png"));
        assert_eq!((picture.width, picture.height), (160, 120));
        let (cloth, wall) = (share(&picture, is_cloth), share(&picture, is_wall));
        assert!((0.1..0.6).contains(&cloth) && wall > 0.3, "{quality}: {cloth} is cloth, {wall} is studio");
        middles.push(picture.at((80, 60)));
    }
    let apart = (0..3).map(|k| middles[0][k].abs_diff(middles[1][k])).max();
    assert!(apart < Some(40), "{middles:?}");
}

#[test]
fn a_hidden_cloth_and_a_hidden_collider_are_left_out_of_the_picture() {
    let folder = tempfile::tempdir().expect("a folder");
    let picture = |cloth: bool, ball: bool| {
        let scene = format!(
            "(grid: (columns: 13, rows: 13, plane: front), position: (0, 1.2, 0), pins: none, hidden: {cloth}, \
             colliders: [(shape: Sphere(radius: 0.2), position: (0, 0.9, 0.3), hidden: {ball})])"
        );
        std::fs::write(folder.path().join("a.ron"), scene).expect("written");
        let args = ["--scene", "a.ron", "--start", "0", "--size", "160x120", "--quality", "low", "--out", "a.png"];
        assert_done(&render(folder.path(), &args));
        Picture::read(&folder.path().join("a.png"))
    };
    let (both, ball, none) = (picture(false, false), picture(true, false), picture(true, true));
    assert!(share(&both, is_cloth) > 0.05);
    assert!(share(&ball, is_cloth) < 1e-3 && share(&none, is_cloth) < 1e-3);
    let differs = |(a, b): (&[u8; 3], &[u8; 3])| a.iter().zip(b).any(|(a, b)| a.abs_diff(*b) > 12);
    let of_ball = ball.pixels.iter().zip(&none.pixels).filter(|pair| differs(*pair)).count();
    assert!(of_ball * 50 > ball.pixels.len(), "{of_ball} pixels");
}

#[test]
fn a_cloth_at_survey_coordinates_looks_as_at_the_origin() {
    let folder = tempfile::tempdir().expect("a folder");
    let picture = |[x, z]: [f64; 2]| {
        let scene = format!(
            "(grid: (columns: 13, rows: 13, width: 1, height: 1, plane: flat), position: ({x}, 1.5, {z}), pins: left_edge, \
             colliders: [(shape: Sphere(radius: 0.2), position: ({x}, 0.4, {z}))])"
        );
        std::fs::write(folder.path().join("a.ron"), scene).expect("written");
        // it swings freely: the places of folds on the ball would be a matter of rounding
        let args = ["--scene", "a.ron", "--start", "0.5", "--size", "160x120", "--quality", "low", "--out", "a.png"];
        assert_done(&render(folder.path(), &args));
        Picture::read(&folder.path().join("a.png"))
    };
    let (here, far) = (picture([0.0, 0.0]), picture([500_000.0, -4_000_000.0]));
    assert!(share(&here, is_cloth) > 0.1);
    // a rounded position may move an edge by a pixel
    let differs = |(a, b): (&[u8; 3], &[u8; 3])| a.iter().zip(b).any(|(a, b)| a.abs_diff(*b) > 12);
    let different = here.pixels.iter().zip(&far.pixels).filter(|pair| differs(*pair)).count();
    assert!(different * 100 < here.pixels.len(), "{different} of {} pixels differ", here.pixels.len());
}

#[test]
fn the_dark_studio_is_dark_and_a_cloth_can_be_painted() {
    let folder = tempfile::tempdir().expect("a folder");
    let common = ["--scene", "hanging", "--start", "3", "--size", "160x120", "--quality", "low", "--stage", "dark"];
    let run = |more: &[&str], file: &str| {
        assert_done(&render(folder.path(), &[&common, more, &["--out", file]].concat()));
        Picture::read(&folder.path().join(file))
    };
    let plain = run(&[], "plain.png");
    assert!(share(&plain, is_dark) > 0.3 && share(&plain, is_cloth) > 0.1);
    // at rest it is stretched least at its lower hem: nearly white there, and nowhere as red as it is woven
    let painted = run(&["--paint", "speed"], "painted.png");
    assert!(share(&painted, is_cloth) < 0.02, "{}", share(&painted, is_cloth));
}

#[test]
fn a_film_moves_and_an_animation_has_all_its_pictures() {
    let folder = tempfile::tempdir().expect("a folder");
    let common = ["--scene", "hanging", "--frames", "3", "--fps", "10", "--size", "96x64", "--quality", "low"];
    assert_done(&render(folder.path(), &[&common[..], &["--out", "frames"]].concat()));
    let pictures: Vec<Picture> =
        (1..=3).map(|k| Picture::read(&folder.path().join(format!("frames/frame-0000{k}.png")))).collect();
    assert!(pictures[0].pixels != pictures[1].pixels && pictures[1].pixels != pictures[2].pixels);

    assert_done(&render(folder.path(), &[&common[..], &["--out", "a.gif"]].concat()));
    let file = std::fs::File::open(folder.path().join("a.gif")).expect("written");
    let mut reader = gif::DecodeOptions::new().read_info(file).expect("a GIF");
    let mut delays = Vec::new();
    while let Some(frame) = reader.read_next_frame().expect("whole") {
        delays.push(frame.delay);
    }
    // a tenth of a second each, as it was simulated
    assert_eq!(delays, [10, 10, 10]);
}

#[test]
fn an_animation_of_more_pictures_than_a_gif_has_lasts_as_long_as_the_motion_and_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    for (fps, frames) in [("60", "12"), ("75", "15"), ("100", "20")] {
        let args = ["--scene", "hanging", "--frames", frames, "--fps", fps, "--size", "32x32", "--quality", "low"];
        let output = render(folder.path(), &[&args[..], &["--out", "a.gif"]].concat());
        assert_done(&output);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains(&format!("at most 50 pictures per second, which are drawn in place of {fps}")), "{said}");
        let file = std::fs::File::open(folder.path().join("a.gif")).expect("written");
        let mut reader = gif::DecodeOptions::new().read_info(file).expect("a GIF");
        let mut delays = Vec::new();
        while let Some(frame) = reader.read_next_frame().expect("whole") {
            delays.push(frame.delay);
        }
        // a fifth of a second
        assert_eq!(delays, [2; 10], "{fps}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn pictures_on_a_full_disk_have_the_sentence_of_all_files() {
    let folder = tempfile::tempdir().expect("a folder");
    for file in ["a.png", "a.gif"] {
        std::os::unix::fs::symlink("/dev/full", folder.path().join(file)).expect("linked");
        let args = ["--scene", "hanging", "--size", "32x32", "--quality", "low", "--out", file];
        let output = render(folder.path(), &args);
        let sentence = format!("weft: {file}: the disk is full; make room on it or choose another\n");
        assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned()), (Some(1), sentence));
    }
}

#[test]
fn pictures_of_an_older_run_do_not_stay_among_new_ones() {
    let folder = tempfile::tempdir().expect("a folder");
    let draw = |frames: &str| {
        let args = ["--scene", "hanging", "--frames", frames, "--size", "32x32", "--quality", "low", "--out", "frames"];
        let output = render(folder.path(), &args);
        assert_done(&output);
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert_eq!(draw("4"), "");
    std::fs::write(folder.path().join("frames/mine.png"), "").expect("written");
    let said = draw("2");
    assert!(said.contains("frame-NNNNN.png: 4 files of an older run removed"), "{said}");
    let mut names: Vec<_> = std::fs::read_dir(folder.path().join("frames"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert_eq!(names, ["frame-00001.png", "frame-00002.png", "mine.png"]);
}

#[test]
#[ignore = "full tier"]
fn pictures_between_two_steps_are_interpolated() {
    let folder = tempfile::tempdir().expect("a folder");
    // a step is a sixtieth of a second; lanes and a single cloth, and a collider on its way
    let lanes: &[&str] = &["--lane", "solver=xpbd", "--lane", "time_step=0.008333333333333333"];
    for (scene, others) in [("hanging", &[][..]), ("skirt", &[]), ("hanging", lanes)] {
        let common = ["--scene", scene, "--size", "240x160", "--quality", "low", "--start", "0.25"];
        let pictures = |fps: &str, count: usize| -> Vec<Picture> {
            let frames = ["--fps", fps, "--frames", &count.to_string(), "--out", fps];
            assert_done(&render(folder.path(), &[&common[..], others, &frames].concat()));
            let file = |k: usize| folder.path().join(format!("{fps}/frame-{:05}.png", k + 1));
            (0..count).map(|k| Picture::read(&file(k))).collect()
        };
        let (steps, halves) = (pictures("60", 3), pictures("120", 5));
        for k in 1..3 {
            assert!(steps[k].pixels == halves[2 * k].pixels, "{scene}: step {k}");
        }
        assert!(halves.windows(2).all(|pair| pair[0].pixels != pair[1].pixels), "{scene}");
    }
}

#[test]
fn pins_have_beads_only_if_they_are_wanted() {
    let folder = tempfile::tempdir().expect("a folder");
    // dark pixels around the pinned corners of the cloth, the upper ones of all that is cloth
    let dark_at_corners = |more: &[&str]| {
        let args = ["--scene", "hanging", "--start", "1", "--size", "640x480", "--quality", "low", "--out", "a.png"];
        assert_done(&render(folder.path(), &[&args, more].concat()));
        let picture = Picture::read(&folder.path().join("a.png"));
        let places = || (0..480).flat_map(|y| (0..640).map(move |x| (x, y)));
        let cloth: Vec<(i32, i32)> = places().filter(|at| is_cloth(picture.at(*at))).collect();
        let corner = |side: i32| *cloth.iter().min_by_key(|(x, y)| side * x + 2 * y).expect("there is a cloth");
        let dark = |(left, top): (i32, i32)| {
            let near = places().filter(|(x, y)| (x - left).abs() < 8 && (y - top).abs() < 8);
            near.filter(|at| is_dark(picture.at(*at))).count()
        };
        [dark(corner(1)), dark(corner(-1))]
    };
    assert_eq!(dark_at_corners(&[]), [0, 0]);
    let with = dark_at_corners(&["--pins"]);
    assert!(with.iter().all(|count| *count > 8), "{with:?}");
}

#[test]
fn a_picture_is_drawn_without_a_complaint() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = Command::new(env!("CARGO_BIN_EXE_weft"));
    command.args(["render", "--scene", "hanging", "--size", "64x64", "--quality", "low", "--out", "a.png"]);
    for variable in ["XDG_RUNTIME_DIR", "WAYLAND_DISPLAY"] {
        command.env_remove(variable);
    }
    let output = command.current_dir(folder.path()).output().expect("the program starts");
    assert_done(&output);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
#[ignore = "full tier"]
fn captions_are_whole_in_pictures_of_every_size() {
    let folder = tempfile::tempdir().expect("a folder");
    let lanes = ["solver=pbd,iterations=5", "solver=xpbd,structural_stiffness=65", "solver=implicit-euler,fabric=silk"];
    let lanes: Vec<&str> = lanes.iter().flat_map(|lane| ["--lane", lane]).collect();
    for (size, least) in [("240x160", 7.0), ("1280x720", 17.0), ("3840x2160", 50.0), ("320x480", 9.0)] {
        let args = ["--scene", "hanging", "--quality", "low", "--size", size, "--out", "a.png"];
        assert_done(&render(folder.path(), &[&args[..], &lanes].concat()));
        let picture = Picture::read(&folder.path().join("a.png"));
        let (width, height) = (picture.width as i32, picture.height as i32);
        let ground = |x: i32, y: i32| is_dark(picture.at((x, y)));
        // the boxes end before the borders
        let border = (0..height).flat_map(|y| [(0, y), (width - 1, y)]);
        assert_eq!(border.filter(|&(x, y)| ground(x, y)).count(), 0, "{size}");
        // each box has room for two lines, in proportion to the picture
        let rows =
            (0..height).filter(|y| (0..width).filter(|x| ground(*x, *y)).count() as f64 > 0.05 * f64::from(width));
        let rows = rows.count() as f64;
        assert!(rows > 2.0 * least && rows < 0.6 * f64::from(height), "{size}: {rows} rows of ground");
    }
}

/// Puts a program called `ffmpeg` into a folder, which writes what it is given to the file that it is to make, and fails then if `fails`.
#[cfg(unix)]
fn put_ffmpeg(folder: &Path, fails: bool) -> std::ffi::OsString {
    use std::os::unix::fs::PermissionsExt;
    let programs = folder.join("programs");
    std::fs::create_dir_all(&programs).expect("a folder");
    let end = if fails { "echo 'no room' >&2; exit 1" } else { "exit 0" };
    let script = format!(
        "#!/bin/sh\n[ \"$1\" = -version ] && exit 0\nfor last; do :; done\ncat > \"$last\"\necho \"$@\" > arguments\n{end}\n"
    );
    std::fs::write(programs.join("ffmpeg"), script).expect("writable");
    std::fs::set_permissions(programs.join("ffmpeg"), std::fs::Permissions::from_mode(0o755)).expect("its own");
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::join_paths(std::iter::once(programs).chain(std::env::split_paths(&path))).expect("a path")
}

#[test]
#[cfg(unix)]
fn ffmpeg_is_given_every_picture_and_a_film_that_it_cannot_make_leaves_nothing_behind() {
    let folder = tempfile::tempdir().expect("a folder");
    let film = |path: &std::ffi::OsStr| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_weft"));
        command.args(["render", "--scene", "hanging", "--frames", "4", "--fps", "10", "--size", "97x64"]);
        command.args(["--quality", "low", "--out", "a.mp4"]).env("PATH", path).current_dir(folder.path());
        command.output().expect("the program starts")
    };
    let output = film(&put_ffmpeg(folder.path(), true));
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(message.contains("a.mp4: ffmpeg: no room"), "{message}");
    let left: Vec<_> =
        std::fs::read_dir(folder.path()).expect("there").flatten().map(|file| file.file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().contains("mp4")), "{left:?}");

    assert_done(&film(&put_ffmpeg(folder.path(), false)));
    assert_eq!(std::fs::read(folder.path().join("a.mp4")).expect("written").len(), 4 * 97 * 64 * 3);
    let arguments = std::fs::read_to_string(folder.path().join("arguments")).expect("written");
    assert!(arguments.contains("-s 97x64 -r 10 "), "{arguments}");
}

#[test]
#[cfg(target_os = "linux")]
fn control_c_ends_an_animation_and_leaves_no_part_of_it() {
    use std::io::BufRead;
    let folder = tempfile::tempdir().expect("a folder");
    // whoever runs the tests in the background ignores the signal, and the program would with it
    let mut program = Command::new("env");
    program.args(["--default-signal=INT", env!("CARGO_BIN_EXE_weft"), "render", "--scene", "hanging", "--count"]);
    program.args(["--frames", "5000", "--size", "96x64", "--quality", "low", "--out", "a.gif"]);
    let piped = std::process::Stdio::piped;
    let mut drawing =
        program.current_dir(folder.path()).stdout(piped()).stderr(piped()).spawn().expect("the program starts");
    let mut lines = std::io::BufReader::new(drawing.stdout.take().expect("piped")).lines();
    assert_eq!(lines.next().expect("a line").expect("readable"), "1 of 5000");
    let sent = Command::new("kill").args(["-INT", &drawing.id().to_string()]).status().expect("kill");
    assert!(sent.success());
    lines.for_each(drop);
    let output = drawing.wait_with_output().expect("a child");
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(130), "{message}");
    assert!(message.contains("weft: interrupted after ") && message.contains(" of 5000 pictures"), "{message}");
    assert_eq!(std::fs::read_dir(folder.path()).expect("there").count(), 0, "nothing is left");
}

/// Moments of a small cloth that moves to the right by a metre per second, from one time to another
/// [s].
fn moving(start: &[Vec3], [from, to]: [u32; 2]) -> Vec<Moment> {
    let at = |k: u32| {
        let time = 0.1 * f64::from(k);
        let positions: Vec<Vec3> = start.iter().map(|x| *x + Vec3::new(0.2 * time, 0.1 * time, 0.0)).collect();
        Moment::at(time, &positions)
    };
    (from..=to).map(at).collect()
}

#[test]
fn recorded_lanes_show_the_same_time_in_each_picture_and_one_that_failed_says_when() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut scene = Scene::load("hanging").expect("it comes with the program");
    (scene.first.grid.columns, scene.first.grid.rows) = (5, 5);
    let simulation = scene.build().expect("good");
    let start = simulation.state.cloth.positions.clone();
    let state = Session::new(scene, simulation).snapshot().to_json();
    let state = serde_json::value::RawValue::from_string(state).expect("JSON");
    // pictures of motions from and to these tenths of a second
    let film = |name: &str, spans: [([u32; 2], Option<f64>); 2]| -> Vec<Picture> {
        let mut file = Vec::new();
        for (span, failed) in spans {
            let moments = moving(&start, span);
            write_clip(&state, &moments.iter().collect::<Vec<_>>(), failed, &mut file).expect("memory");
        }
        std::fs::write(folder.path().join("motion"), file).expect("written");
        let size = ["--size", "320x200", "--quality", "low", "--fps", "5"];
        let args = [&["--replay", "motion", "--out", name][..], &size].concat();
        assert_done(&render(folder.path(), &args));
        let count = std::fs::read_dir(folder.path().join(name)).expect("pictures").count();
        (1..=count).map(|k| Picture::read(&folder.path().join(format!("{name}/frame-{k:05}.png")))).collect()
    };
    let together = film("together", [([10, 20], None), ([10, 20], None)]);
    let overlapping = film("overlapping", [([0, 20], None), ([10, 30], None)]);
    assert_eq!((together.len(), overlapping.len()), (6, 6), "from 1 s to 2 s");
    assert!(together.iter().zip(&overlapping).all(|(a, b)| a.pixels == b.pixels));
    let apart = film("apart", [([0, 10], None), ([20, 30], None)]);
    assert!(apart.len() == 6 && apart[0].pixels != together[0].pixels, "each from its own start");

    // the second one stands still from 1.5 s on, with a red line in its caption
    let failing = film("failing", [([10, 20], None), ([10, 15], Some(1.5))]);
    assert_eq!(failing.len(), 6);
    assert!((0..3).all(|k| failing[k].pixels == together[k].pixels), "until then nothing is told");
    let red =
        |[r, g, b]: &[u8; 3]| *r > 150 && i32::from(*r) > i32::from(*g) + 40 && i32::from(*r) > i32::from(*b) + 40;
    let count = |picture: &Picture, x: i32| {
        (6..30).flat_map(|y| (x..x + 160).map(move |x| (x, y))).filter(|at| red(&picture.at(*at))).count()
    };
    assert!(count(&failing[5], 160) > count(&together[5], 160) + 30, "{}", count(&failing[5], 160));
    assert!(count(&failing[5], 0) <= count(&together[5], 0) + 5, "the first one goes on");
}

#[test]
fn lanes_stand_side_by_side_with_a_caption_each_and_one_that_blows_up_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let common =
        ["--scene", "hanging", "--set", "columns=12", "--set", "rows=12", "--size", "480x320", "--quality", "low"];
    let run = |more: &[&str], file: &str| {
        assert_done(&render(folder.path(), &[&common, more, &["--out", file]].concat()));
        Picture::read(&folder.path().join(file))
    };
    let lanes = ["--lane", "solver=implicit-euler", "--lane", "solver=pbd,iterations=1", "--start", "3"];
    let two = run(&lanes, "two.png");
    // cloth in both halves, and studio between them
    let height = two.height as i32;
    let of_half = |from: i32, to: i32| {
        let pixels = (0..height).flat_map(|y| (from..to).map(move |x| (x, y)));
        pixels.filter(|at| is_cloth(two.at(*at))).count()
    };
    let (left, right) = (of_half(0, 240), of_half(240, 480));
    assert!(left > 5000 && right > 5000, "{left} and {right} pixels of cloth");
    // along a row there are two stretches of cloth
    let stretches = |y: i32| {
        let row: Vec<bool> = (0..480).map(|x| is_cloth(two.at((x, y)))).collect();
        row.chunk_by(|a, b| a == b).filter(|part| part[0] && part.len() > 10).count()
    };
    let apart = (80..240).filter(|y| stretches(*y) == 2).count();
    assert!(apart > 60, "they stand apart in {apart} rows");
    // white letters on dark ground above both of them
    for [from, to] in [[0, 240], [240, 480]] {
        let above = || (0..40).flat_map(|y| (from..to).map(move |x| (x, y))).map(|at| two.at(at));
        let (dark, white) = (
            above().filter(|[r, g, b]| r.max(g).max(b) < &80).count(),
            above().filter(|[r, g, b]| r.min(g).min(b) > &245).count(),
        );
        assert!(dark > 1000 && white > 30, "{dark} dark and {white} white pixels");
    }
    let same = run(&lanes, "same.png");
    assert!(same.pixels == two.pixels, "a run repeats");
    // what happens in one lane does not stop the other
    let failing =
        ["--lane", "solver=implicit-euler", "--lane", "solver=explicit-euler", "--frames", "2", "--fps", "0.5"];
    assert_done(&render(folder.path(), &[&common[..], &failing, &["--out", "frames"]].concat()));
    let last = Picture::read(&folder.path().join("frames/frame-00002.png"));
    let red =
        |[r, g, b]: &[u8; 3]| *r > 150 && i32::from(*r) > i32::from(*g) + 40 && i32::from(*r) > i32::from(*b) + 40;
    let in_caption = |x: i32| (6..40).flat_map(move |y| (x..x + 240).map(move |x| (x, y)));
    let count = |x: i32| in_caption(x).filter(|at| red(&last.at(*at))).count();
    assert!(count(240) > 80 && count(240) > 2 * count(0), "{} against {}", count(240), count(0));

    let five = ["--lane", "gravity=1"].repeat(5);
    for (lanes, part) in
        [(&five[..], "at most 4"), (&["--lane", "solver=nope"], "nope"), (&["--lane", "5"], "key=value")]
    {
        let output = render(folder.path(), &[&common, lanes, &["--out", "bad.png"]].concat());
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && said.contains(part), "{said}");
    }
}

#[test]
fn what_cannot_be_drawn_is_refused_in_a_sentence() {
    let folder = tempfile::tempdir().expect("a folder");
    let cases: [(&[&str], &str); 7] = [
        (&["--out", "a.bmp"], "a.bmp"),
        (&["--out", "a.png", "--frames", "2"], "one picture"),
        (&["--out", "a.png", "--size", "1x1"], "1280x720"),
        (&["--out", "a.png", "--camera", "1,2,3"], "--camera"),
        (&["--out", "a.png", "--camera", "1,2,3:1,2,3"], "two different places"),
        (&["--out", "a.png", "--paint", "heat"], "take cloth, stretch"),
        (&["--out", "nowhere/a.png"], "nowhere/a.png"),
    ];
    for (args, part) in cases {
        let output = render(folder.path(), args);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
        assert!(said.contains(part), "{args:?}: {said}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);
    // a run that blows up says when, and leaves no part of an animation
    let args =
        ["--solver", "symplectic-euler", "--frames", "60", "--size", "64x64", "--quality", "low", "--out", "a.gif"];
    let output = render(folder.path(), &args);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("failed at t ="), "{output:?}");
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);
}

#[test]
fn the_lanes_of_a_scene_are_drawn_as_if_they_were_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let common =
        ["--scene", "figure-7", "--set", "columns=8", "--set", "rows=8", "--size", "320x200", "--start", "0.3"];
    let run = |more: &[&str], file: &str| {
        assert_done(&render(folder.path(), &[&common, more, &["--quality", "low", "--out", file]].concat()));
        Picture::read(&folder.path().join(file)).pixels
    };
    let named: Vec<String> = ["1", "65", "500"].map(|k| format!("structural_stiffness={k},shear_stiffness={k}")).into();
    let named: Vec<&str> = named.iter().flat_map(|lane| ["--lane", lane]).collect();
    let of_scene = run(&["--lanes"], "of-scene.png");
    assert!(of_scene == run(&named, "named.png") && of_scene != run(&[], "alone.png"));
    // three cloths fill the width, and none is cut off
    let columns: Vec<usize> = (0..320).filter(|x| (0..200).any(|y| is_cloth(of_scene[y * 320 + x]))).collect();
    let (first, last) = (columns[0], columns[columns.len() - 1]);
    assert!(first > 0 && last < 319 && last - first > 200, "cloth from {first} to {last} of 320");
}

#[test]
fn a_cloth_has_the_same_colour_inside_however_fine_it_is_and_no_dark_corner() {
    let folder = tempfile::tempdir().expect("a folder");
    // the blue near the upper left corner of the cloth, and in its middle
    let blues = |count: u32| {
        let scene = format!(
            "(grid: (columns: {count}, rows: {count}, width: 0.4, height: 0.4, plane: front), pins: none, \
             position: (0, 1, 0), fabric: \"denim\", camera: (from: (0, 1, 1), at: (0, 1, 0)))"
        );
        std::fs::write(folder.path().join("a.ron"), scene).expect("written");
        let args = ["--scene", "a.ron", "--start", "0", "--size", "320x240", "--quality", "low", "--out", "a.png"];
        assert_done(&render(folder.path(), &args));
        let picture = Picture::read(&folder.path().join("a.png"));
        let middle = (160, 120);
        let is_inside = |at: (i32, i32)| (0..3).all(|k| picture.at(at)[k].abs_diff(picture.at(middle)[k]) < 40);
        let left = (0..160).rev().find(|x| !is_inside((*x, 120))).expect("beside the cloth") + 1;
        let top = (0..120).rev().find(|y| !is_inside((160, *y))).expect("above the cloth") + 1;
        // within the hem a seam and a fold differ by a little
        [picture.at((left + 6, top + 6)), picture.at((160, 120))].map(|pixel| i32::from(pixel[2]))
    };
    let [coarse, fine] = [9, 129].map(blues);
    assert!((coarse[1] - fine[1]).abs() <= 2, "inside: {coarse:?} and {fine:?}");
    assert!((coarse[0] - coarse[1]).abs() < 16, "corner and middle: {coarse:?}");
}

#[test]
fn a_piece_of_another_fabric_has_its_look_and_not_that_of_the_scene() {
    let folder = tempfile::tempdir().expect("a folder");
    let grid = "grid: (columns: 9, rows: 9, width: 1, height: 1, plane: front), pins: none";
    let text = format!(
        "({grid}, position: (-0.55, 1, 0), pieces: [({grid}, position: (0.55, 1, 0))], \
         camera: (from: (0, 1, 3.5), at: (0, 1, 0)))"
    );
    let mut scene = Scene::parse(&text, "two pieces").expect("a scene");
    let mut halves = |second: &str| {
        scene.edit(&Edit::Fabric { piece: 1, id: second.to_owned() }).expect("known");
        std::fs::write(folder.path().join("two.ron"), scene.to_ron()).expect("written");
        let args = ["--scene", "two.ron", "--start", "0", "--size", "320x200", "--quality", "low", "--out", "two.png"];
        assert_done(&render(folder.path(), &args));
        let picture = Picture::read(&folder.path().join("two.png"));
        // within one piece, away from its hems: the most and the least of red
        [90..130, 190..230].map(|across: std::ops::Range<i32>| {
            let reds = (80..120).flat_map(|y| across.clone().map(move |x| (x, y))).map(|at| picture.at(at)[0]);
            reds.fold((u8::MAX, 0), |(least, most), red| (least.min(red), most.max(red)))
        })
    };
    let contrast = |(least, most): (u8, u8)| most - least;
    let [cotton, silk] = halves("silk");
    assert!(contrast(cotton) > 14 && contrast(silk) < 5, "checks {cotton:?}, plain {silk:?}");
    // from the same fabric it cannot be told
    let [cotton, same] = halves("cotton");
    assert!(contrast(cotton).abs_diff(contrast(same)) < 8 && contrast(same) > 14, "{cotton:?} and {same:?}");
}

#[test]
fn every_scene_has_a_picture_in_the_gallery_that_is_still_right() {
    let folder = Path::new("assets/thumbnails");
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .expect("they are drawn")
        .map(|entry| entry.expect("it").path().file_stem().expect("a name").to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert_eq!(names, weft::scene::scene_names(), "weft render --thumbnails assets/thumbnails draws them");
    // those that are quick to simulate, drawn again: the picture is another one when most of it has changed
    let scratch = tempfile::tempdir().expect("a folder");
    for name in ["hanging", "table", "pd-figure-9"] {
        let into = scratch.path().to_string_lossy().into_owned();
        assert_done(&render(Path::new("."), &["--scene", name, "--thumbnails", &into]));
        let [new, old] = [scratch.path(), folder].map(|folder| Picture::read(&folder.join(format!("{name}.png"))));
        assert_eq!((new.width, new.height), (old.width, old.height));
        let apart = |(a, b): (&[u8; 3], &[u8; 3])| (0..3).map(|k| f64::from(a[k].abs_diff(b[k]))).sum::<f64>() / 3.0;
        let mean = new.pixels.iter().zip(&old.pixels).map(apart).sum::<f64>() / new.pixels.len() as f64;
        assert!(mean < 4.0, "{name}: the mean difference of a pixel is {mean}");
    }
}

#[test]
#[ignore = "full tier"]
fn low_quality_shades_a_cloth_where_high_quality_does() {
    let folder = tempfile::tempdir().expect("a folder");
    let [low, high] = ["low", "high"].map(|quality| {
        let name = format!("{quality}.png");
        let args = ["--scene", "breeze", "--start", "2", "--quality", quality, "--size", "480x360", "--out", &name];
        assert_done(&render(folder.path(), &args));
        Picture::read(&folder.path().join(name))
    });
    let both = low.pixels.iter().zip(&high.pixels);
    let cloth: Vec<_> = both.filter(|(_, high)| is_cloth(**high)).collect();
    let darker = cloth.iter().filter(|(low, high)| u16::from(low[0]) + 40 < u16::from(high[0])).count();
    let share = darker as f64 / cloth.len() as f64;
    assert!(cloth.len() > 5000 && share < 0.05, "{share} of {} pixels are darker", cloth.len());
}
