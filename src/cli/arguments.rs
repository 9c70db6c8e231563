//! Messages for arguments that cannot be parsed.

use std::ffi::OsString;

use clap::Error;
use clap::error::{ContextKind, ContextValue};

use crate::sim::params::quote::quote;

/// A sentence for an argument that is no UTF-8, as names of files may be that an old system wrote.
pub(super) fn fault_of_encoding(arguments: impl Iterator<Item = OsString>) -> Option<String> {
    let argument = arguments.map(OsString::into_string).find_map(Result::err)?;
    let shown = quote(&argument.to_string_lossy());
    Some(format!("the argument \"{shown}\" is no UTF-8; give the file another name"))
}

/// `error` with what it repeats of the arguments shortened.
pub(super) fn shortened(mut error: Error) -> Error {
    let context: Vec<(ContextKind, ContextValue)> =
        error.context().map(|(kind, value)| (kind, value.clone())).collect();
    for (kind, value) in context {
        let value = match value {
            ContextValue::String(text) => ContextValue::String(quote(&text)),
            // text to be typed is useless when it is not whole
            ContextValue::StyledStrs(texts) => {
                let fits = |text: &clap::builder::StyledStr| text.to_string().chars().count() <= 200;
                ContextValue::StyledStrs(texts.into_iter().filter(fits).collect())
            }
            other => other,
        };
        error.insert(kind, value);
    }
    error
}
