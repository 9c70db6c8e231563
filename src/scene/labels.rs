//! Labels of keys: of parameters, solvers and fabrics.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::{Fabric, Grid, MeshImport, Pinning};
use crate::sim::Parameters;
use crate::sim::params::{Param, Tunable};
use crate::sim::solvers::{self, REGISTRY};

/// The declaration of a parameter: a common one, one of a solver or one of the shape of the cloth.
#[must_use]
pub fn param_of(key: &str) -> Option<&'static Param> {
    static PARAMS: OnceLock<BTreeMap<&'static str, &'static Param>> = OnceLock::new();
    let params = PARAMS.get_or_init(|| {
        let solvers: Vec<_> = REGISTRY.iter().filter_map(|entry| solvers::build(entry.info.id)).collect();
        let (common, shape) = (Parameters::default(), (Grid::default(), MeshImport::default(), Pinning::default()));
        let shape: [&dyn Tunable; 3] = [&shape.0, &shape.1, &shape.2];
        let groups = common.groups().chain(shape).chain(solvers.iter().map(|solver| solver.settings()));
        groups.flat_map(|group| group.params()).map(|param| (param.key, param)).collect()
    });
    params.get(key).copied()
}

/// Label of a key of `--set` or `--vary`: that of the parameter, or the key itself, which is a word
/// then.
#[must_use]
pub fn label_of(key: &str) -> String {
    param_of(key).map_or_else(|| key.replace('_', " "), |param| param.label.to_owned())
}

/// Label of a value of such a key: solvers and fabrics have names.
#[must_use]
pub fn value_name(key: &str, value: &str) -> String {
    let name = match key {
        "solver" => REGISTRY.iter().find(|entry| entry.info.id == value).map(|entry| entry.info.name.to_owned()),
        "fabric" => Fabric::find(value).ok().map(|fabric| fabric.name.clone()),
        _ => None,
    };
    name.unwrap_or_else(|| value.to_owned())
}
