//! `weft laws`: the laws of contact, measured.

use std::fmt::Write;

use clap::Args;
use rayon::prelude::*;
use serde_json::json;

use super::output::{Failure, print, print_json};
use crate::scene::InputError;
use crate::sim::params::quote::quote;
use crate::sim::params::units::significant;
use crate::sim::solver_interface::{ContactLaw, Info};
use crate::sim::solvers::REGISTRY;
use crate::sim::study::contact_laws::measure;
use crate::sim::{Real, StepError};

const EXAMPLES: &str = "\
Examples:
  weft laws                           every law with every solver, some minutes
  weft laws --solver xpbd             one solver
  weft laws --law slide --law slip    some laws";

#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct LawArgs {
    /// Only this solver (`weft solvers` lists them)
    #[arg(long)]
    solver: Option<String>,
    /// Only this law; can be given several times
    #[arg(long, value_parser = ContactLaw::ALL.map(ContactLaw::id))]
    law: Vec<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Whether there is a solver with this id, the value of `--solver`.
pub(super) fn check_solver(id: &str) -> Result<(), InputError> {
    if REGISTRY.iter().any(|entry| entry.info.id == id) {
        return Ok(());
    }
    let message = format!("there is no solver \"{}\"; `weft solvers` lists them", quote(id));
    Err(InputError::new("--solver", message))
}

/// Prints a row per solver and law: the figure, or why there is none.
pub(super) fn laws(args: &LawArgs) -> Result<(), Failure> {
    args.solver.as_deref().map_or(Ok(()), check_solver)?;
    let is_meant = |info: &Info| args.solver.as_ref().is_none_or(|id| info.id == id);
    let infos = REGISTRY.iter().map(|entry| entry.info).filter(|info| is_meant(info));
    let laws =
        ContactLaw::ALL.into_iter().filter(|law| args.law.is_empty() || args.law.iter().any(|id| id == law.id()));
    let cases = infos.flat_map(|info| laws.clone().map(move |law| (info, law)));
    let cases: Vec<_> = cases.filter(|(info, law)| args.solver.is_some() || info.is_measured(*law)).collect();
    let measured: Vec<_> = cases.par_iter().map(|(info, law)| measure(*law, info.id)).collect();
    if args.json {
        let row = |((info, law), figure): (&(&Info, ContactLaw), &Result<Option<Real>, StepError>)| match figure {
            Ok(figure) => {
                let kept = figure.map(|figure| law.is_kept(figure));
                json!({ "solver": info.id, "law": law.id(), "figure": figure, "kept": kept })
            }
            Err(error) => json!({ "solver": info.id, "law": law.id(), "error": error.to_string() }),
        };
        return print_json(&json!(cases.iter().zip(&measured).map(row).collect::<Vec<_>>()));
    }
    let mut text = String::new();
    for ((info, law), figure) in cases.iter().zip(&measured) {
        let (verdict, told) = match figure {
            Ok(None) => ("not measured".to_owned(), "It has no energy".to_owned()),
            Ok(Some(figure)) => {
                let verdict = if law.is_kept(*figure) { "kept" } else { "broken" };
                (format!("{:<9} {verdict}", significant(*figure)), law.describe(*figure))
            }
            Err(error) => ("failed".to_owned(), error.to_string()),
        };
        let _ = writeln!(text, "{:<26} {:<16} {verdict:<17} {told}", info.id, law.id());
    }
    print(&text)
}
