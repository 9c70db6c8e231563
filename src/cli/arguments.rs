//! Messages for arguments that cannot be parsed.

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
