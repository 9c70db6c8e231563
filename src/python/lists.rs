//! Lists of what there is.

use pyo3::prelude::*;
use serde_json::json;
use weft::scene::{Fabric, Scene, scene_names};
use weft::sim::quantities::Quantity;
use weft::sim::solvers::REGISTRY;

use crate::convert::Record;
use crate::input_error;

/// The solvers, a dictionary each: id, name, group, source, order of convergence, stability, summary
/// and the laws of contact that it breaks.
#[pyfunction]
pub fn solvers() -> Vec<Record> {
    let record = |entry: &weft::sim::solvers::Entry| {
        let info = entry.info;
        Record::of(json!({
            "id": info.id,
            "name": info.name,
            "group": info.group.name(),
            "source": info.source,
            "order": info.order,
            "stability": info.stability.describe(),
            "summary": info.summary,
            "broken_laws": info.broken_laws().collect::<Vec<_>>(),
        }))
    };
    REGISTRY.iter().map(record).collect()
}

/// The scenes that come with Weft, a dictionary each: name, title, source, solver and summary.
#[pyfunction]
pub fn scenes() -> PyResult<Vec<Record>> {
    let record = |name: String| {
        let scene = Scene::load(&name).map_err(|error| input_error(&error))?;
        Ok(Record::of(json!({
            "name": scene.name,
            "title": scene.title,
            "source": scene.source,
            "solver": scene.solver,
            "summary": scene.summary,
        })))
    };
    scene_names().into_iter().map(record).collect()
}

/// The fabrics, a dictionary each: id, name, source, area density [kg/m²], stiffness to stretch and to
/// shear [N/m], bending stiffness [N·m], each with the share of the weft, damping [N·s/m] and friction.
#[pyfunction]
pub fn fabrics() -> Vec<Record> {
    let record = |fabric: &Fabric| {
        Record::of(json!({
            "id": fabric.id,
            "name": fabric.name,
            "source": fabric.source,
            "area_density": fabric.area_density,
            "stretch": fabric.stretch,
            "stretch_weft": fabric.stretch_weft,
            "shear": fabric.shear,
            "bending": fabric.bending,
            "bending_weft": fabric.bending_weft,
            "damping": fabric.damping,
            "friction": fabric.friction,
        }))
    };
    Fabric::all().iter().map(record).collect()
}

/// The quantities that `Simulation.measure` takes, a dictionary each: key, label and unit, "%" for a
/// share, which is measured as a number.
#[pyfunction]
pub fn quantities() -> Vec<Record> {
    let record = |quantity: &Quantity| {
        Record::of(json!({ "key": quantity.key(), "label": quantity.label(), "unit": quantity.unit() }))
    };
    Quantity::ALL.iter().map(record).collect()
}
