//! Kinds of exports.

use crate::documents::MeshFormat;

/// A kind of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The cloth for other programs.
    Mesh(MeshFormat),
    /// Pictures.
    Picture,
    /// The motion as an animated picture.
    Gif,
    /// The motion as a film, by ffmpeg.
    Film,
    /// Numbers of the plots.
    Table,
    /// All that the future depends on.
    Snapshot,
    /// A page of the experiment.
    Report,
}

impl Kind {
    /// All, in the order of the list.
    pub const ALL: [Self; 9] = [
        Self::Mesh(MeshFormat::Glb),
        Self::Mesh(MeshFormat::Obj),
        Self::Mesh(MeshFormat::Ply),
        Self::Picture,
        Self::Gif,
        Self::Film,
        Self::Table,
        Self::Snapshot,
        Self::Report,
    ];

    /// Its name in the list.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Mesh(MeshFormat::Glb) => "glTF",
            Self::Mesh(MeshFormat::Obj) => "OBJ",
            Self::Mesh(MeshFormat::Ply) => "PLY",
            Self::Picture => "PNG",
            Self::Gif => "GIF",
            Self::Film => "MP4",
            Self::Table => "CSV",
            Self::Snapshot => "Snapshot",
            Self::Report => "Report",
        }
    }

    /// Its use, in a line.
    #[must_use]
    pub const fn help(self) -> &'static str {
        match self {
            Self::Mesh(MeshFormat::Glb) => "mesh with its motion in one file; Blender, the web",
            Self::Mesh(MeshFormat::Obj) => "mesh as text, all digits; read by everything",
            Self::Mesh(MeshFormat::Ply) => "mesh, small and quick to read; MeshLab, scripts",
            Self::Picture => "a picture of this view, without panels",
            Self::Gif => "an animation for a web page or a chat",
            Self::Film => "a film, small and smooth",
            Self::Table => "the numbers of the plots",
            Self::Snapshot => "the whole state, to continue bit for bit",
            Self::Report => "a page to hand in: outcome, pictures, plots, solvers, commands",
        }
    }

    /// The ending of its files.
    #[must_use]
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Mesh(format) => format.ending(),
            Self::Picture => "png",
            Self::Gif => "gif",
            Self::Film => "mp4",
            Self::Table => "csv",
            Self::Snapshot => "json",
            Self::Report => "html",
        }
    }

    /// Whether it can hold a moment.
    #[must_use]
    pub const fn takes_moment(self) -> bool {
        !matches!(self, Self::Gif | Self::Film)
    }

    /// Whether it can hold a motion, in one file or in numbered ones.
    #[must_use]
    pub const fn takes_motion(self) -> bool {
        !matches!(self, Self::Table | Self::Snapshot | Self::Report)
    }

    /// Whether one file holds a motion.
    #[must_use]
    pub const fn is_animated(self) -> bool {
        match self {
            Self::Mesh(format) => format.is_animated(),
            _ => matches!(self, Self::Gif | Self::Film),
        }
    }

    /// Whether it is drawn.
    #[must_use]
    pub const fn is_drawn(self) -> bool {
        matches!(self, Self::Picture | Self::Gif | Self::Film)
    }

    /// Why it cannot be had on this machine, if it cannot.
    #[must_use]
    pub fn lack(self) -> Option<&'static str> {
        (self == Self::Film && !has_ffmpeg()).then_some("needs ffmpeg, which is not installed; GIF needs nothing")
    }
}

/// The part of the recorded motion that is exported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordedSpan {
    /// All of it: from the start of the scene, or as far back as it is kept.
    All,
    /// Some seconds.
    Last,
}

/// Kind and settings of an export.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Choice {
    /// The kind of file.
    pub kind: Kind,
    /// Whether the motion is meant instead of the present state, where a kind has both.
    pub motion: bool,
    /// The part of the motion.
    pub part: RecordedSpan,
    /// Length of the last part [s].
    pub seconds: f64,
    /// How long ago it ended [s].
    pub ago: f64,
    /// Width and height of pictures [pixels].
    pub size: [u32; 2],
    /// Pictures per second of a film.
    pub fps: f64,
    /// Whether pictures mark the pins.
    pub pins: bool,
}

impl Default for Choice {
    fn default() -> Self {
        let kind = Kind::Mesh(MeshFormat::Glb);
        let (size, part) = ([1280, 720], RecordedSpan::Last);
        Self { kind, motion: false, part, seconds: 5.0, ago: 0.0, size, fps: 30.0, pins: false }
    }
}

impl Choice {
    /// Sizes of pictures [pixels].
    pub const SIZES: [[u32; 2]; 5] = [[640, 360], [1280, 720], [1920, 1080], [3840, 2160], [1080, 1080]];

    /// Whether it is the motion that is exported as `kind`.
    #[must_use]
    pub fn is_motion(&self, kind: Kind) -> bool {
        kind.takes_motion() && (self.motion || !kind.takes_moment())
    }
}

/// Whether ffmpeg is found where programs are.
fn has_ffmpeg() -> bool {
    static FOUND: std::sync::OnceLock<bool> = std::sync::OnceLock::new();
    *FOUND.get_or_init(|| {
        let folders = std::env::var_os("PATH").unwrap_or_default();
        let name = format!("ffmpeg{}", std::env::consts::EXE_SUFFIX);
        std::env::split_paths(&folders).any(|folder| folder.join(&name).is_file())
    })
}
