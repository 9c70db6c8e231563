//! Scenes as data: scene files read and written, mesh import, snapshots and export; no window.

mod advice_sheet;
mod appended_file;
mod body;
mod body_import;
mod build;
mod change;
mod cloth_shape;
mod command_line;
mod comments;
mod declaration;
mod edit;
mod error;
mod example;
mod export;
mod fabric;
mod fields;
mod files;
mod holding;
mod labels;
mod lane;
mod leftovers;
mod mesh_import;
mod numbered_files;
mod own_mesh;
mod performed_path;
mod picture;
mod piece;
mod pinning;
mod plot;
mod read;
mod recorded_path;
pub mod report;
mod settings;
mod size;
mod snapshot;
mod start_inside;
mod sweep_map;
mod sweep_sheet;
mod table;
mod table_1;
mod text;
mod whole_file;
mod write;

pub use advice_sheet::{ADVICE_HEADER, advice_choice, advice_figure, advice_row, advice_settings};
pub use appended_file::AppendedFile;
pub use body::Body;
pub use body_import::{ImportedBody, import_body};
pub use change::IMAGE;
pub use cloth_shape::{Grid, GridPlane, MeshFile, MeshImport, Pinning};
pub use command_line::{CommandLine, is_command, shell};
pub use comments::{comment_lines, comment_lines_of};
pub use declaration::{Scene, Shelf, View};
pub use edit::{Edit, Part, Row, Template, part_bounds, side_near};
pub use error::InputError;
pub use example::Example;
pub use export::{
    CONVERGENCE_HEADER, Clip, FrameSampler, FrameState, LEAST_GIF_RATE, MOST_GIF_RATE, MeshFormat, Moment, Surface,
    convergence_rows, csv_header, csv_row, gif_delays, read_clip, texture_coordinates, write_clip, write_glb,
    write_obj, write_ply,
};
pub use fabric::{Fabric, Look, Print};
pub use files::{embedded, embedded_bytes, lesson_names, names as scene_names, suggested_name};
pub use labels::{label_of, param_of, value_name};
pub use lane::LaneChanges;
pub use mesh_import::{ImportedMesh, import_obj, other_unit};
pub use numbered_files::NumberedFiles;
pub use performed_path::performed_path;
pub use picture::{check_picture, fault_of_picture};
pub use piece::{Handle, Piece};
pub use pinning::{PinChoice, bounds};
pub use plot::{
    Beyond, ChartRegion, EffortCurve, Figure, Limits, Plot, PlotCurve, PlotStyle, StabilityChart, TradeOff, decades,
    even_steps, tick_label,
};
pub use read::read_ron;
pub use settings::{
    Scalar, SolverSettings, apply as apply_settings, build_solver, collect as collect_settings, set_parameter,
};
pub use size::{Counts, available_memory, why_too_large};
pub use snapshot::{FARTHEST, Snapshot};
pub use sweep_map::{SweepAxis, SweepMap, is_logarithmic};
pub use sweep_sheet::{SweepId, SweepRow, SweepSheet};
pub use table::Table;
pub use table_1::StabilityRow;
pub use text::{check_file, read_text, read_text_up_to_a_cut};
pub use whole_file::{
    check_writable, folder, folder_beside, place_of, save_whole, why_not_written, write_new, write_numbered,
    write_whole,
};
