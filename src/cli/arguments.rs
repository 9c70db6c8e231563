//! What is said about arguments that cannot be read.

use clap::Error;
use clap::error::{ContextKind, ContextValue};

use crate::sim::params::quote::quote;

/// `error` with what it repeats of the arguments shortened.
pub(super) fn shortened(mut error: Error) -> Error {
    let context: Vec<(ContextKind, ContextValue)> =
        error.context().map(|(kind, value)| (kind, value.clone())).collect();
    for (kind, value) in context {
        let value = match value {
            ContextValue::String(text) => ContextValue::String(quote(&text)),
            // what is meant to be typed is of no use when it is not whole
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
