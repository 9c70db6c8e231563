//! The effort ladder of a solver: settings by which its step makes more effort, from the
//! cheapest to the dearest.

/// A rung of a ladder: settings by key, as `--set` takes them, of the solver or common ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rung(pub &'static [(&'static str, &'static str)]);

/// Substeps of a solver whose step is cheap and has to be short.
pub const MANY_SUBSTEPS: &[Rung] = &[
    Rung(&[("substeps", "1")]),
    Rung(&[("substeps", "2")]),
    Rung(&[("substeps", "4")]),
    Rung(&[("substeps", "8")]),
    Rung(&[("substeps", "16")]),
    Rung(&[("substeps", "32")]),
    Rung(&[("substeps", "64")]),
];

/// Substeps of a solver of which one is stable already.
pub const FEW_SUBSTEPS: &[Rung] =
    &[Rung(&[("substeps", "1")]), Rung(&[("substeps", "2")]), Rung(&[("substeps", "4")]), Rung(&[("substeps", "8")])];
