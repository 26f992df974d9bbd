//! `plantune questions show`.

use clap::Args;
use plantune_query::questions::{Listed, askings};
use plantune_reports::inert::one_line;
use plantune_reports::questions::Shown;

use super::request::Request;
use crate::failure::Failure;
use crate::workspace::Workspace;
use crate::workspace::store;

/// How much of a key is shown, in characters.
const SHOWN: usize = 100;

/// Show every time a question was asked, with the answers
#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// The question's key, or a family's, or that of one of its texts
    #[arg(value_name = "KEY")]
    key: String,
}

/// Shows the question in every project that knows it.
///
/// # Errors
/// Failed for a key that was never seen.
pub(super) fn run(
    arguments: &Arguments,
    request: &Request,
    workspace: &Workspace,
) -> Result<(), Failure> {
    let is_meant =
        |one: &Listed| one.question_key == arguments.key || one.keys.contains(&arguments.key);
    let listed = request.listed(workspace)?;
    let meant: Vec<Listed> = listed.into_iter().filter(is_meant).collect();
    let (Some(store), false) = (&request.store, meant.is_empty()) else {
        let key = one_line(&arguments.key, SHOWN);
        return Err(
            Failure::failed(format!("{key}: no such question was ever asked"))
                .hint("`plantune questions` lists the keys of the questions you were asked"),
        );
    };
    let mut shown = Vec::new();
    for one in meant {
        let found =
            askings(store, &one).map_err(|error| store::failure(&workspace.paths, &error))?;
        shown.push((one, found));
    }
    request.show(&Shown::new(shown), true, workspace)
}
