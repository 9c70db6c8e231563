//! Attributes of scenes, made from the declarations of the library: a parameter of a scene or of a
//! solver, or a field of scene files, is a property with its unit, range and help as its docstring.

use std::collections::BTreeMap;

use pyo3::prelude::*;
use pyo3::types::{PyCFunction, PyDict, PyTuple, PyType};
use serde_json::Value;
use weft::scene::{InputError, Scene as LibraryScene};
use weft::sim::Parameters;
use weft::sim::params::{Kind, Param, Setting, Tunable};
use weft::sim::solvers::REGISTRY;

use crate::convert::{from_python, to_python};
use crate::scene::Scene;

/// The description of scene files, with a table of their fields.
const SCENE_FILES: &str = include_str!("../../assets/scenes/README.md");

/// Fields that are set like parameters, by a text.
const NAMED: [&str; 5] = ["mesh", "body", "image", "fabric", "solver"];

/// Gives the class of scenes a property per parameter and field.
pub fn declare(class: &Bound<'_, PyType>) -> PyResult<()> {
    let mut known: Vec<String> = Vec::new();
    for (key, text) in parameters() {
        property(
            class,
            key,
            &text,
            move |scene| parameter(scene, key),
            move |scene, value| set_parameter(scene, key, value),
        )?;
        known.push(key.to_owned());
    }
    let fields = value_of(&LibraryScene::default());
    let groups = serde_json::to_value(Parameters::default()).unwrap_or_default();
    // the name of the first piece: a scene has one of its own
    let left_out = |key: &str| groups.get(key).is_some() || ["name", "grid", "import"].contains(&key);
    let keys = fields.as_object().into_iter().flat_map(|fields| fields.keys());
    for key in keys.filter(|key| !known.contains(key) && !left_out(key)) {
        let (read, written) = (key.clone(), key.clone());
        property(
            class,
            key,
            &help_of_field(key),
            move |scene| Ok(value_of(scene)[&read].clone()),
            move |scene, value| set_field(scene, &written, value),
        )?;
    }
    Ok(())
}

/// Adds a property to the class of scenes.
fn property(
    class: &Bound<'_, PyType>,
    key: &str,
    documentation: &str,
    get: impl Fn(&LibraryScene) -> Result<Value, InputError> + Send + Sync + 'static,
    set: impl Fn(&mut LibraryScene, &Bound<'_, PyAny>) -> PyResult<()> + Send + Sync + 'static,
) -> PyResult<()> {
    let py = class.py();
    let get = move |args: &Bound<'_, PyTuple>, _: Option<&Bound<'_, PyDict>>| -> PyResult<Py<PyAny>> {
        let scene = args.get_item(0)?.extract::<PyRef<'_, Scene>>()?;
        let value = get(&scene.scene).map_err(|error| crate::input_error(&error))?;
        Ok(to_python(args.py(), &value)?.unbind())
    };
    let set = move |args: &Bound<'_, PyTuple>, _: Option<&Bound<'_, PyDict>>| -> PyResult<()> {
        // read before the scene is borrowed: the value may be the scene's own
        let value = args.get_item(1)?;
        let mut scene = args.get_item(0)?.extract::<PyRefMut<'_, Scene>>()?;
        set(&mut scene.scene, &value)
    };
    let get = PyCFunction::new_closure(py, None, None, get)?;
    let set = PyCFunction::new_closure(py, None, None, set)?;
    let property = py.import("builtins")?.getattr("property")?;
    class.setattr(key, property.call1((get, set, py.None(), documentation))?)
}

/// All parameters of scenes and solvers with their docstrings, in the order of their declaration.
fn parameters() -> Vec<(&'static str, String)> {
    let describe = |group: &dyn Tunable| -> Vec<(&'static Param, Setting)> {
        (0..group.params().len()).map(|index| (&group.params()[index], group.default_of(index))).collect()
    };
    let mut scene = LibraryScene::default();
    let own = scene.solver().map(|solver| solver.settings().params().len()).unwrap_or_default();
    let mut groups = scene.visit(|group| describe(group));
    // those of a solver come with all solvers
    if own > 0 {
        groups.pop();
    }
    let mut declared: Vec<(&'static str, String)> = Vec::new();
    declared.extend(groups.into_iter().flatten().map(|(param, default)| (param.key, docstring(param, default))));
    // solvers may have settings of the same name, each with a meaning of its own
    let mut settings: BTreeMap<&'static str, Vec<(String, Vec<&'static str>)>> = BTreeMap::new();
    for entry in REGISTRY {
        for (param, default) in describe((entry.build)().settings()) {
            let texts = settings.entry(param.key).or_default();
            let text = docstring(param, default);
            match texts.iter_mut().find(|(known, _)| *known == text) {
                Some((_, solvers)) => solvers.push(entry.info.id),
                None => texts.push((text, vec![entry.info.id])),
            }
        }
    }
    let joined = settings.into_iter().map(|(key, texts)| {
        let of = |(text, solvers): &(String, Vec<&str>)| format!("{text}\n\nA setting of {}.", solvers.join(", "));
        (key, texts.iter().map(of).collect::<Vec<_>>().join("\n\n"))
    });
    declared.extend(joined);
    declared
}

/// Label, unit, range, default and effect of a parameter.
fn docstring(param: &Param, default: Setting) -> String {
    let unit = if param.unit.is_empty() { String::new() } else { format!(" [{}]", param.unit) };
    let switch = param.switch.map_or_else(String::new, |switch| format!(" Needs {switch}."));
    let choices = match param.kind {
        Kind::Choice(choices) => {
            choices.iter().map(|choice| format!("\n\"{}\": {}", choice.key, choice.help.trim())).collect()
        }
        _ => String::new(),
    };
    let (range, default) = (param.range(), param.show(default));
    format!("{}{unit}: {range}; default {default}.{switch}\n\n{}{choices}", param.label, param.help())
}

/// The value of a parameter.
fn parameter(scene: &LibraryScene, key: &str) -> Result<Value, InputError> {
    let value = |group: &mut dyn Tunable| {
        let index = group.index_of(key)?;
        Some(setting_value(&group.params()[index], group.get(index)))
    };
    let found = scene.clone().visit(value).into_iter().flatten().next();
    found.ok_or_else(|| InputError::new("", format!("the solver \"{}\" has no setting {key}", scene.solver)))
}

/// A value of a parameter in the form of JSON; choices are named.
pub fn setting_value(param: &Param, setting: Setting) -> Value {
    match (param.kind, setting) {
        (_, Setting::Toggle(on)) => on.into(),
        (_, Setting::Integer(number)) => number.into(),
        (_, Setting::Real(number)) => number.into(),
        (Kind::Choice(choices), Setting::Choice(at)) => choices[at].key.into(),
        (_, Setting::Choice(at)) => at.into(),
    }
}

/// A value as `--set` takes it.
pub fn as_text(value: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(match from_python(value) {
        Ok(Value::String(text)) => text,
        Ok(Value::Number(number)) if number.is_f64() => number.as_f64().unwrap_or(f64::NAN).to_string(),
        Ok(value @ (Value::Bool(_) | Value::Number(_))) => value.to_string(),
        Ok(value) => return Err(crate::InputError::new_err(format!("{value} is no number, text or truth value"))),
        // a number that is not finite is outside every range, which the declaration says better
        Err(error) => value.extract::<f64>().map_err(|_| error)?.to_string(),
    })
}

/// Sets a parameter as `--set` does.
pub fn set_parameter(scene: &mut LibraryScene, key: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
    scene.set(key, &as_text(value)?).map_err(|error| crate::input_error(&error))
}

/// A scene in the form of its file.
fn value_of(scene: &LibraryScene) -> Value {
    serde_json::to_value(scene).unwrap_or_default()
}

/// Sets a field of scene files.
fn set_field(scene: &mut LibraryScene, key: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
    let value = from_python(value)?;
    if let (true, Value::String(text)) = (NAMED.contains(&key), &value) {
        return scene.set(key, text).map_err(|error| crate::input_error(&error));
    }
    let mut fields = value_of(scene);
    fields[key] = value;
    let changed: Result<LibraryScene, _> = serde_json::from_value(fields);
    let mut changed = changed.map_err(|error| crate::InputError::new_err(format!("{key}: {error}")))?;
    changed.name.clone_from(&scene.name);
    changed.check_edited().map_err(|error| crate::InputError::new_err(format!("{key}: {error}")))?;
    // they are of the solver of this moment
    if key == "lanes"
        && let Some(fault) = changed.fault_of_lanes()
    {
        return Err(crate::InputError::new_err(format!("{key}: {fault}")));
    }
    *scene = changed;
    Ok(())
}

/// The description of a field of scene files.
fn help_of_field(key: &str) -> String {
    let quoted = format!("`{key}`");
    let rows = SCENE_FILES.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    let mut cells = rows.map(|row| row.split(" | ").collect::<Vec<_>>());
    let row = cells.find(|cells| cells.len() == 3 && cells[0].split(", ").any(|name| name == quoted));
    let text = |cells: Vec<&str>| format!("{}. Default: {}.", cells[2].trim_end_matches('.'), cells[1]);
    row.map(text).unwrap_or_default().replace("see below", "see assets/scenes/README.md")
}
