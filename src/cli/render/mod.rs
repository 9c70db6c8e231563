//! `weft render`: pictures and films without a window.

#[cfg(feature = "app")]
mod drawing;
#[cfg(feature = "app")]
mod writing;

use clap::Args;

use super::adapter::AdapterArgs;
#[cfg(not(feature = "app"))]
use super::output::Failure;
use super::scene_args::SceneArgs;
use crate::scene::InputError;

const EXAMPLES: &str = "\
Examples:
  weft render --scene flag --start 3 --out flag.png                 one picture, after 3 s
  weft render --scene table --frames 90 --out table.gif             three seconds as an animation
  weft render --scene heap --frames 120 --size 1920x1080 --quality high --out frames
                                                                    numbered pictures in a folder
  weft render --scene hanging --frames 90 --paint stretch --stage dark --out stretch.mp4
                                                                    a film; needs ffmpeg
  weft render --scene flag --lane solver=pbd --lane solver=xpbd,iterations=20 --start 2 --out lanes.png
                                                                    the same cloth by two methods
  weft render --scene table --times 0,1,2.5 --out draping           numbered pictures of these times
  weft render --thumbnails assets/thumbnails                        the pictures of the gallery
  weft render --scene poncho.ron --camera 2,1.5,3:0,1,0 --out a.png seen from (2, 1.5, 3), looking at (0, 1, 0)

Exit status 0: fine. 1: the simulation diverged, a file could not be written, or there is no graphics device. 2: bad input.";

#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct RenderArgs {
    #[command(flatten)]
    scene: SceneArgs,
    #[command(flatten)]
    adapter: AdapterArgs,
    /// Continue from a snapshot instead of a scene
    #[arg(long, value_name = "SNAPSHOT", conflicts_with = "scene")]
    from: Option<String>,
    /// Draw a motion that the window has recorded, from its file
    #[arg(long, value_name = "FILE", hide = true, conflicts_with_all = ["scene", "from", "frames", "start", "commands"])]
    replay: Option<String>,
    /// The way from one recorded lane to the next [m]; zero if all stand in one place
    #[arg(long, value_name = "X,Y,Z", hide = true, requires = "replay", allow_hyphen_values = true)]
    lane_step: Option<String>,
    /// Draw a lane with these settings, key=value,key=value, beside the others: the same scene by
    /// up to four methods
    #[arg(long, value_name = "KEY=VALUE,...", conflicts_with_all = ["replay", "thumbnails"])]
    lane: Vec<String>,
    /// Draw the lanes that the scene comes with, side by side
    #[arg(long, conflicts_with_all = ["lane", "from", "replay", "thumbnails"])]
    lanes: bool,
    /// Print a line for each picture
    #[arg(long, hide = true)]
    count: bool,
    /// Where the pictures go: a .png for one, a .gif or .mp4 for a film, or a folder for numbered
    /// ones
    #[arg(
        long,
        value_name = "DIR|FILE.png|FILE.gif|FILE.mp4",
        required_unless_present = "thumbnails",
        default_value = ""
    )]
    out: String,
    /// Draw the picture of every scene, or of the given one, that the gallery shows
    #[arg(long, value_name = "DIR", conflicts_with_all = ["out", "from", "frames"])]
    thumbnails: Option<String>,
    /// Number of pictures
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    frames: u32,
    /// Pictures per simulated second; between two time steps the motion is interpolated
    #[arg(long, default_value_t = 30.0)]
    fps: f64,
    /// Simulated time before the first picture [s]
    #[arg(long, value_name = "SECONDS", default_value_t = 0.0)]
    start: f64,
    /// Simulated times of the pictures, rising, instead of an even rate [s]
    #[arg(long, value_name = "SECONDS,...", value_delimiter = ',',
          conflicts_with_all = ["start", "frames", "fps", "replay", "thumbnails"])]
    times: Vec<f64>,
    /// Width and height in pixels
    #[arg(long, value_name = "WxH", default_value = "960x720", value_parser = parse_size)]
    size: [u32; 2],
    /// Where the camera is and what it looks at, in metres [default: as the scene says]
    #[arg(long, value_name = "X,Y,Z:X,Y,Z", allow_hyphen_values = true)]
    camera: Option<String>,
    /// What the cloth is painted with: cloth, stretch, warp, weft, shear, bending, speed, tension,
    /// tearing
    #[arg(long, value_name = "WHAT", default_value = "cloth")]
    paint: String,
    /// Mark the pins with beads
    #[arg(long)]
    pins: bool,
    /// Image quality; low finds shadows at the vertices alone
    #[arg(long, value_name = "low|high", default_value = "high")]
    quality: String,
    /// Light or dark studio
    #[arg(long, value_name = "light|dark", default_value = "light")]
    stage: String,
    /// Apply commands at their ticks, one JSON object per line, like
    /// {"tick":30,"command":{"solver":{"id":"xpbd"}}}
    #[arg(long, value_name = "FILE.jsonl")]
    commands: Option<String>,
}

/// Refuses times of pictures that do not rise from zero on.
pub(super) fn check_times(times: &[f64]) -> Result<(), InputError> {
    let is_good = |time: &f64| time.is_finite() && *time >= 0.0;
    if times.iter().all(is_good) && times.windows(2).all(|pair| pair[0] < pair[1]) {
        return Ok(());
    }
    Err(InputError::new("--times", "needs rising numbers of seconds of at least 0, like 0,1,2.5"))
}

pub(super) fn parse_size(text: &str) -> Result<[u32; 2], String> {
    let side = |text: &str| text.parse().ok().filter(|side| (16..=8192).contains(side));
    let sides = text.split_once('x').and_then(|(width, height)| Some([side(width)?, side(height)?]));
    sides.ok_or_else(|| "needs the form 1280x720, with sides from 16 to 8192".to_owned())
}

#[cfg(not(feature = "app"))]
pub(super) fn render(_: &RenderArgs) -> Result<(), Failure> {
    let message = "this build cannot draw; use \"weft run\", or build with the default features";
    Err(InputError::new("", message).into())
}

#[cfg(feature = "app")]
pub(super) use drawing::render;
