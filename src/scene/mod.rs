//! Scenes as data: scene files read, edited and written, mesh import, snapshots; no window.

mod body;
mod body_import;
mod build;
mod change;
mod cloth_shape;
mod command_line;
mod comments;
mod declaration;
mod edit;
mod embedding;
mod error;
mod example;
mod fabric;
mod files;
mod holding;
mod labels;
mod lane;
mod mesh_import;
mod own_mesh;
mod performed_path;
mod picture;
mod piece;
mod pinning;
mod pose;
mod read;
mod recorded_path;
mod settings;
mod size;
mod snapshot;
mod text;

pub use body::Body;
pub use body_import::{ImportedBody, import_body};
pub use change::IMAGE;
pub use cloth_shape::{Fold, Grid, GridPlane, MeshFile, MeshImport, Pinning};
pub use command_line::{CommandLine, is_command, shell};
pub use comments::{comment_lines, comment_lines_of};
pub use declaration::{Scene, Shelf, View};
pub use edit::{Edit, OutlinerRow, ScenePart, Template, part_bounds, side_near};
pub use error::InputError;
pub use example::Example;
pub use fabric::{Fabric, Look, Origin, Origins, Print, PublishedDrape};
pub use files::{embedded, embedded_bytes, lesson_names, names as scene_names, suggested_name};
pub use labels::{label_of, param_of, value_name};
pub use lane::LaneChanges;
pub use mesh_import::{ImportedMesh, import_obj, other_unit};
pub use performed_path::performed_path;
pub use picture::{check_picture, fault_of_picture};
pub use piece::{Handle, Piece};
pub use pinning::{PinChoice, bounds};
pub use read::read_ron;
pub use settings::{
    Scalar, SolverSettings, apply as apply_settings, build_solver, collect as collect_settings, set_parameter,
};
pub use size::{Counts, available_memory, why_too_large};
pub use snapshot::{FARTHEST, Snapshot};
pub use text::{check_file, read_text, read_text_up_to_a_cut};
