//! Scenes: what can be simulated, as data. Scene files, mesh import, snapshots and export; no window.

mod build;
mod change;
mod cloth_shape;
mod declaration;
mod error;
mod export;
mod fabric;
mod files;
mod mesh_import;
mod piece;
mod pinning;
mod read;
mod recorded_path;
mod settings;
mod snapshot;
mod table_1;
mod whole_file;

pub use cloth_shape::{Grid, GridPlane, MeshFile, MeshImport, Pinning};
pub use declaration::{Scene, Shelf, View};
pub use error::InputError;
pub use export::{CONVERGENCE_HEADER, convergence_rows, csv_header, csv_row, write_obj};
pub use fabric::{Fabric, Look, Print};
pub use files::{embedded, embedded_bytes, names as scene_names};
pub use mesh_import::{ImportedMesh, import_obj};
pub use piece::{Handle, Piece};
pub use pinning::{PinChoice, bounds};
pub use settings::{Scalar, collect as collect_settings};
pub use snapshot::Snapshot;
pub use table_1::StabilityRow;
pub use whole_file::{Table, save_whole, write_new, write_numbered, write_whole};
