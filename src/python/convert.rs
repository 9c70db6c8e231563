//! Values from and to Python: arrays, and everything that has the form of JSON.

use std::convert::Infallible;

use numpy::ndarray::Array2;
use numpy::{Element, IntoPyArray, PyArray2};
use pyo3::inspect::PyStaticExpr;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyNone, PyString};
use pyo3::{type_hint_identifier, type_hint_subscript};
use serde_json::{Map, Number, Value};
use weft::sim::Vec3;

use crate::InputError;

/// Rows of three numbers, as an array of its own.
pub struct Rows<T>(Vec<T>, usize);

impl Rows<f64> {
    /// A row per vector.
    pub fn of(vectors: &[Vec3]) -> Self {
        Self(vectors.iter().flat_map(|vector| vector.to_array()).collect(), 3)
    }
}

impl Rows<u32> {
    /// A row per group of numbers.
    pub fn numbers<const N: usize>(groups: &[[u32; N]]) -> Self {
        Self(groups.as_flattened().to_vec(), N)
    }
}

/// The array `T` of Python.
const fn array_of(element: &'static PyStaticExpr) -> PyStaticExpr {
    const ARRAY: PyStaticExpr = type_hint_identifier!("numpy.typing", "NDArray");
    PyStaticExpr::Subscript { value: &ARRAY, slice: element }
}

fn array<T: Element>(py: Python<'_>, Rows(values, width): Rows<T>) -> Bound<'_, PyArray2<T>> {
    let rows = values.len() / width;
    Array2::from_shape_vec((rows, width), values).expect("whole rows").into_pyarray(py)
}

impl<'py> IntoPyObject<'py> for Rows<f64> {
    type Target = PyArray2<f64>;
    type Output = Bound<'py, Self::Target>;
    type Error = Infallible;
    const OUTPUT_TYPE: PyStaticExpr = array_of(&type_hint_identifier!("numpy", "float64"));

    fn into_pyobject(self, py: Python<'py>) -> Result<Self::Output, Self::Error> {
        Ok(array(py, self))
    }
}

impl<'py> IntoPyObject<'py> for Rows<u32> {
    type Target = PyArray2<u32>;
    type Output = Bound<'py, Self::Target>;
    type Error = Infallible;
    const OUTPUT_TYPE: PyStaticExpr = array_of(&type_hint_identifier!("numpy", "uint32"));

    fn into_pyobject(self, py: Python<'py>) -> Result<Self::Output, Self::Error> {
        Ok(array(py, self))
    }
}

/// A dictionary with names as keys.
pub struct Record(pub Map<String, Value>);

impl Record {
    /// Of a value that is an object.
    pub fn of(value: Value) -> Self {
        match value {
            Value::Object(map) => Self(map),
            _ => Self(Map::new()),
        }
    }
}

impl<'py> IntoPyObject<'py> for Record {
    type Target = PyDict;
    type Output = Bound<'py, Self::Target>;
    type Error = PyErr;
    const OUTPUT_TYPE: PyStaticExpr = type_hint_subscript!(
        type_hint_identifier!("builtins", "dict"),
        type_hint_identifier!("builtins", "str"),
        type_hint_identifier!("typing", "Any")
    );

    fn into_pyobject(self, py: Python<'py>) -> Result<Self::Output, Self::Error> {
        let dict = PyDict::new(py);
        self.0.iter().try_for_each(|(key, value)| dict.set_item(key, to_python(py, value)?))?;
        Ok(dict)
    }
}

/// A value of the form of JSON as an object of Python.
pub fn to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Null => PyNone::get(py).to_owned().into_any(),
        Value::Bool(on) => PyBool::new(py, *on).to_owned().into_any(),
        Value::Number(number) => match (number.as_u64(), number.as_i64()) {
            (Some(number), _) => number.into_pyobject(py)?.into_any(),
            (_, Some(number)) => number.into_pyobject(py)?.into_any(),
            _ => PyFloat::new(py, number.as_f64().unwrap_or(f64::NAN)).into_any(),
        },
        Value::String(text) => PyString::new(py, text).into_any(),
        Value::Array(values) => {
            let values = values.iter().map(|value| to_python(py, value)).collect::<PyResult<Vec<_>>>()?;
            PyList::new(py, values)?.into_any()
        }
        Value::Object(map) => {
            let dict = PyDict::new(py);
            map.iter().try_for_each(|(key, value)| dict.set_item(key, to_python(py, value)?))?;
            dict.into_any()
        }
    })
}

/// Deepest nesting that is read: a list that contains itself has no end.
const DEEPEST: usize = 32;

/// An object of Python as a value of the form of JSON: numbers, texts, truth values, `None`, lists,
/// tuples, arrays and dictionaries with texts as keys.
pub fn from_python(object: &Bound<'_, PyAny>) -> PyResult<Value> {
    read(object, 0)
}

fn read(object: &Bound<'_, PyAny>, depth: usize) -> PyResult<Value> {
    if depth > DEEPEST {
        return Err(InputError::new_err(format!("a value is nested more than {DEEPEST} deep")));
    }
    if object.is_none() {
        return Ok(Value::Null);
    }
    if let Ok(on) = object.cast::<PyBool>() {
        return Ok(Value::Bool(on.is_true()));
    }
    if object.is_instance_of::<PyInt>() {
        let number = object.extract::<i64>().map(Number::from).or_else(|_| object.extract::<u64>().map(Number::from));
        return number.map(Value::Number).map_err(|_| InputError::new_err(format!("{object} is too large a number")));
    }
    if object.is_instance_of::<PyFloat>() {
        let number: f64 = object.extract()?;
        let finite = Number::from_f64(number);
        return finite.map(Value::Number).ok_or_else(|| InputError::new_err(format!("{number} is no finite number")));
    }
    if let Ok(text) = object.cast::<PyString>() {
        return Ok(Value::String(text.to_string()));
    }
    if let Ok(dict) = object.cast::<PyDict>() {
        let entry = |(key, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| Ok((key.extract()?, read(&value, depth + 1)?));
        return dict.iter().map(entry).collect::<PyResult<Map<_, _>>>().map(Value::Object);
    }
    // arrays and their single numbers
    if let Ok(list) = object.call_method0("tolist") {
        return read(&list, depth + 1);
    }
    let values = object.try_iter()?.map(|value| read(&value?, depth + 1)).collect::<PyResult<Vec<_>>>()?;
    Ok(Value::Array(values))
}
