//! Scenes: what can be simulated, as data. Scene files, mesh import, snapshots and export; no window.

mod error;
mod export;
mod files;
mod mesh_import;
mod pinning;
mod scene;
mod settings;
mod snapshot;

pub use error::InputError;
pub use export::{csv_header, csv_row, write_obj};
pub use files::{embedded, names as scene_names};
pub use mesh_import::{ImportedMesh, import_obj};
pub use pinning::{PinChoice, bounds};
pub use scene::{Grid, GridPlane, Handle, MeshFile, MeshImport, Pinning, Scene};
pub use settings::Scalar;
pub use snapshot::Snapshot;
