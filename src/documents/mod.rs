//! Documents for readers: plots, reports, tables, exported meshes and motions, and files that are
//! written whole or not at all; no window.

mod advice_sheet;
mod appended_file;
mod export;
mod leftovers;
mod numbered_files;
mod plot;
pub mod report;
mod sweep_map;
mod sweep_sheet;
mod table;
mod table_1;
pub mod take_home;
mod whole_file;

pub use advice_sheet::{ADVICE_HEADER, advice_choice, advice_row, advice_settings};
pub use appended_file::AppendedFile;
pub use export::{
    Clip, ClothSurface, FrameSampler, FrameState, LEAST_GIF_RATE, MOST_GIF_RATE, MeshFormat, Moment, RecordedClip,
    common_span, csv_header, csv_row, gif_delays, read_clips, texture_coordinates, write_clip, write_convergence,
    write_glb, write_obj, write_ply,
};
pub use numbered_files::NumberedFiles;
pub use plot::{
    Anchor, Axis, Beyond, Candidate, CandidateState, Chart, ChartRegion, Colour, Drawing, Figure, Form, Frame, Item,
    Key, Limits, Look, Over, Pen, Plot, PlotCurve, PlotStyle, Scale, Shape, Sign, StabilityChart, TradeOff,
    WindowsChart, convergence_chart, even_steps, fit_chart, on_white, real_time_rule, solver_colour, stability_chart,
    tick_label,
};
pub use sweep_map::{SweepAxis, SweepMap, is_logarithmic};
pub use sweep_sheet::{SweepId, SweepRow, SweepSheet};
pub use table::Table;
pub use table_1::StabilityRow;
pub use whole_file::{
    check_writable, folder, folder_beside, place_of, save_whole, why_not_written, write_new, write_numbered,
    write_whole,
};
