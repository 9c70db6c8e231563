//! Scenes.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::PyType;
use weft::scene::Scene as LibraryScene;

use crate::{attributes, input_error};

/// Everything that a simulation starts from: cloth, colliders, solver and parameters.
///
/// Every parameter of scene and solver, as `weft scenes --scene NAME` lists them, and every field
/// of scene files is an attribute; `help(weft.Scene)` has units, ranges and effects. A value is set
/// as by `--set key=value`: a number, or a text with a unit, as "2 mm". Attributes of lists and
/// groups, such as `colliders`, are copies in the form of JSON: assign them to change the scene.
///
/// `Scene()` is the default scene, as is `Scene.new()`.
#[pyclass(module = "weft", eq)]
#[derive(Clone, PartialEq)]
pub struct Scene {
    pub scene: LibraryScene,
}

#[pymethods]
impl Scene {
    #[new]
    fn create() -> Self {
        Self { scene: LibraryScene::default() }
    }

    /// The default scene: a cloth of 30 by 30 vertices, held at two corners.
    #[staticmethod]
    fn new() -> Self {
        Self::create()
    }

    /// A scene that comes with Weft, by its name, or one of a file: a scene (.ron) or a mesh (.obj).
    ///
    /// Raises InputError if there is no such scene, or its file cannot be used.
    #[staticmethod]
    #[pyo3(signature = (name: "str | os.PathLike[str]"))]
    fn load(name: PathBuf) -> PyResult<Self> {
        let scene = LibraryScene::load(&name.to_string_lossy()).map_err(|error| input_error(&error))?;
        Ok(Self { scene })
    }

    /// The scene of the text of a scene file; `name` is for messages.
    ///
    /// Raises InputError with the line of the fault.
    #[staticmethod]
    #[pyo3(signature = (text, name = "scene"))]
    fn parse(text: &str, name: &str) -> PyResult<Self> {
        let mut scene = LibraryScene::parse(text, name).map_err(|error| input_error(&error))?;
        name.clone_into(&mut scene.name);
        Ok(Self { scene })
    }

    /// Name of the scene, by which it was loaded.
    #[getter]
    fn name(&self) -> &str {
        &self.scene.name
    }

    /// Sets a parameter or field by its name, as `--set key=value` does; `dummy` (true or false) as
    /// well.
    ///
    /// Raises InputError for an unknown name, or a value that it does not take.
    #[pyo3(signature = (key, value: "float | str | bool"))]
    fn set(&mut self, key: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        attributes::set_parameter(&mut self.scene, key, value)
    }

    /// The text of a scene file that describes this scene to the same bits.
    fn ron(&self) -> String {
        self.scene.to_ron()
    }

    /// A copy of its own.
    fn copy(&self) -> Self {
        self.clone()
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    #[pyo3(signature = (_memo: "dict[int, typing.Any]"))]
    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.clone()
    }

    #[pyo3(signature = () -> "tuple[typing.Any, tuple[str, str]]")]
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String, String))> {
        let class: Bound<'py, PyType> = slf.get_type();
        let this = slf.borrow();
        Ok((class.getattr("parse")?, (this.scene.to_ron(), this.scene.name.clone())))
    }

    fn __repr__(&self) -> String {
        format!("<weft.Scene {:?}, solver {}>", self.scene.name, self.scene.solver)
    }
}
