//! Reports in a browser: Chromium without a screen opens a page at two widths and prints it.

use std::path::Path;
use std::process::Command;

use crate::{text, weft_in};

/// Widths of a telephone and of a desk [pixels].
const WIDTHS: [u32; 2] = [390, 1200];
/// Looks at a page in a frame of some width, and notes what the browser has laid out.
const LOOK: &str = "<!DOCTYPE html><meta charset=utf-8><style>body{margin:0}iframe{border:0;display:block}</style>\
<iframe id=page width=WIDTH height=HEIGHT src=\"a.html\"></iframe><pre id=found></pre><script>\
addEventListener('load', () => {\
const page = document.getElementById('page').contentDocument, root = page.documentElement;\
const within = [...page.querySelectorAll('body *')].filter(it => !it.closest('.scroll') && !it.closest('svg'));\
const wide = within.filter(it => it.getBoundingClientRect().right > root.clientWidth + 1).map(it => it.tagName);\
const images = [...page.querySelectorAll('img')];\
document.getElementById('found').textContent = 'FOUND ' + JSON.stringify({\
client: root.clientWidth, scroll: root.scrollWidth, height: root.scrollHeight, wide,\
plots: [...page.querySelectorAll('figure svg')].filter(it => it.getBoundingClientRect().height > 100).length,\
images: images.length, drawn: images.filter(it => it.naturalWidth > 0).length,\
letters: parseFloat(page.defaultView.getComputedStyle(page.querySelector('p')).fontSize)}) + ' END';\
});</script>";

/// Runs Chromium on a file, with a profile of its own.
fn chromium(folder: &Path, args: &[&str], file: &str) -> Vec<u8> {
    let url = format!("file://{}", folder.join(file).display());
    let profile = format!("--user-data-dir={}", folder.join("profile").display());
    let common = ["--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files", "--hide-scrollbars"];
    let output =
        Command::new("chromium").args(common).args([&profile]).args(args).arg(&url).current_dir(folder).output();
    let output = output.expect("the Debian package chromium is installed");
    assert!(output.status.success(), "chromium {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// Writes a report of two lanes with plots, a chart and, where this build can draw, pictures.
fn write_report(folder: &Path) {
    let cloth =
        ["report", "--scene", "stability", "--seconds", "1", "--stability", "--convergence", "--iterations", "20"];
    let lanes = ["--lane", "solver=fast-mass-spring", "--lane", "solver=symplectic-euler,structural_stiffness=3e4"];
    let pictures: &[&str] = if cfg!(feature = "app") { &["--times", "0,0.5"] } else { &["--no-pictures"] };
    let output = weft_in(folder, &[&cloth[..], &lanes, pictures, &["--out", "a.html"]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
}

/// Share of the pixels of a PNG file that are not white.
fn inked(file: &Path) -> f64 {
    let decoder = png::Decoder::new(std::io::BufReader::new(std::fs::File::open(file).expect("a picture")));
    let mut reader = decoder.read_info().expect("PNG");
    let mut bytes = vec![0; reader.output_buffer_size().expect("it fits")];
    let info = reader.next_frame(&mut bytes).expect("whole");
    let parts = info.color_type.samples();
    let pixels = bytes[..info.buffer_size()].chunks(parts);
    let count = pixels.len();
    pixels.filter(|pixel| pixel[..3].iter().any(|part| *part < 230)).count() as f64 / count as f64
}

#[test]
#[ignore = "full tier"]
fn a_report_opens_at_two_widths_without_overflow_and_prints_on_pages() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    write_report(folder);
    for width in WIDTHS {
        let look = |height: u64| LOOK.replace("WIDTH", &width.to_string()).replace("HEIGHT", &height.to_string());
        std::fs::write(folder.join("look.html"), look(900)).expect("written");
        let dom = text(&chromium(folder, &["--dump-dom", "--virtual-time-budget=5000"], "look.html"));
        let found = dom.split_once("FOUND ").and_then(|(_, rest)| rest.split_once(" END")).map(|(found, _)| found);
        let found = found.unwrap_or_else(|| panic!("the page was not laid out: {}", &dom[..dom.len().min(2000)]));
        let found: serde_json::Value = serde_json::from_str(&found.replace("&amp;", "&")).expect("JSON");
        let number = |key: &str| found[key].as_f64().expect("a number");
        assert_eq!(number("client"), f64::from(width), "{found}");
        assert!(number("scroll") <= number("client"), "at {width} pixels it overflows: {found}");
        assert_eq!(found["wide"], serde_json::json!([]), "at {width} pixels: {found}");
        assert!(number("plots") >= 6.0 && number("letters") >= 14.0, "{found}");
        let pictures = if cfg!(feature = "app") { 2.0 } else { 0.0 };
        assert_eq!((number("images"), number("drawn")), (pictures, pictures), "{found}");

        let height = number("height") as u64;
        std::fs::write(folder.join("look.html"), look(height)).expect("written");
        let (size, shot) =
            (format!("--window-size={},{height}", width.max(600)), format!("--screenshot=a-{width}.png"));
        chromium(folder, &[&size, &shot, "--virtual-time-budget=5000"], "look.html");
        let ink = inked(&folder.join(format!("a-{width}.png")));
        assert!((0.01..0.6).contains(&ink), "at {width} pixels {ink} of the page is not white");
    }
    chromium(folder, &["--print-to-pdf=a.pdf", "--no-pdf-header-footer"], "a.html");
    let pdf = std::fs::read(folder.join("a.pdf")).expect("a file");
    let is_page = |part: &&[u8]| part.starts_with(b"/Type /Page\n") || part.starts_with(b"/Type /Page ");
    let pages = pdf.windows(12).filter(is_page).count();
    assert!(pdf.starts_with(b"%PDF-") && (3..=30).contains(&pages), "{pages} pages");
}
