//! What is drawn.

use std::path::Path;

use super::desk::Desk;

pub struct Picture {
    pub width: usize,
    pub height: usize,
    pub pixels: Vec<[u8; 3]>,
}

impl Picture {
    pub fn read(path: &Path) -> Self {
        let file = std::io::BufReader::new(std::fs::File::open(path).expect("written at exit"));
        let mut reader = png::Decoder::new(file).read_info().expect("a PNG");
        let mut bytes = vec![0; reader.output_buffer_size().expect("it fits into memory")];
        let info = reader.next_frame(&mut bytes).expect("a picture");
        assert_eq!(info.color_type, png::ColorType::Rgb);
        let pixels = bytes[..info.buffer_size()].chunks_exact(3).map(|p| [p[0], p[1], p[2]]).collect();
        Self { width: info.width as usize, height: info.height as usize, pixels }
    }

    pub fn at(&self, (x, y): (i32, i32)) -> [u8; 3] {
        self.pixels[y as usize * self.width + x as usize]
    }
}

/// Whether a colour is of the front or back of the cloth: far more red than blue.
pub fn is_cloth([r, g, b]: [u8; 3]) -> bool {
    i32::from(r) > 60 && i32::from(r) - i32::from(b) > 40 && r > g
}

/// Whether a colour is of the light studio: bright, and nearly grey.
pub fn is_wall([r, g, b]: [u8; 3]) -> bool {
    r.min(g).min(b) > 190 && r.abs_diff(b) < 16
}

/// Whether a colour is of the dark studio.
pub fn is_dark([r, g, b]: [u8; 3]) -> bool {
    r.max(g).max(b) < 80
}

/// Draws the hanging cloth until it hangs, and looks at the picture.
fn draws_cloth(quality: &str) {
    let mut desk = Desk::open(&["--quality", quality, "--screenshot", "exit.png"]);
    let middle = desk.place("view");
    let path = desk.file("exit.png");
    let hanging = |said: String| said.trim_end_matches(" s").parse::<f64>().expect("a time") > 2.0;
    while !hanging(desk.wait("x real time, t = ")) {}
    let (_, folder) = desk.quit();
    let picture = Picture::read(&path);
    drop(folder);
    assert_eq!((picture.width, picture.height), (900, 560));
    assert!(is_cloth(picture.at(middle)), "{quality}: the middle of the view is {:?}", picture.at(middle));
    let left = 2 * middle.0 - 900;
    for corner in [(left + 12, middle.1 - 180), (888, middle.1 - 180)] {
        assert!(is_wall(picture.at(corner)), "{quality}: the background at {corner:?} is {:?}", picture.at(corner));
    }
    let share = picture.pixels.iter().filter(|pixel| is_cloth(**pixel)).count() as f64 / picture.pixels.len() as f64;
    assert!((0.03..0.4).contains(&share), "{quality}: {share} of the window is cloth");
    // the check of the weave, folds and light: more than a flat patch of one colour
    let mut shades: Vec<[u8; 3]> = picture.pixels.iter().copied().filter(|pixel| is_cloth(*pixel)).collect();
    shades.sort_unstable();
    shades.dedup();
    assert!(shades.len() > 50, "{quality}: only {} shades of cloth", shades.len());
    // the panels are there: text is the only thing this bright left of the view
    let panels = picture.pixels.chunks_exact(picture.width).flat_map(|row| &row[..(left as usize).max(1)]);
    let text = panels.filter(|[r, g, b]| *r.min(g).min(b) > 180).count();
    assert!(text > 500, "{quality}: {text} bright pixels");
}

#[test]
fn the_cloth_is_drawn_where_it_must_be_in_low_quality() {
    draws_cloth("low");
}

#[test]
fn the_cloth_is_drawn_where_it_must_be_in_high_quality() {
    draws_cloth("high");
}
