//! `plantune report WHAT`: one question, or the prompts for permission about one subject.

use plantune_query::Store;
use plantune_query::questions::Listed;
use plantune_reports::inert::one_line;

use super::wanted::Wanted;
use super::{question, subject};
use crate::failure::Failure;
use crate::workspace::{Workspace, listed};

/// How much of what was typed is shown, in characters.
const SHOWN: usize = 100;

/// How many are named where several may be meant.
const NAMED: usize = 5;

/// Shows the question of that key or text, else the subject.
///
/// # Errors
/// Failed for what was never asked, and for what may mean several.
pub(super) fn run(wanted: &Wanted, workspace: &Workspace) -> Result<(), Failure> {
    let Some(store) = workspace.store()? else {
        return Err(
            unknown(wanted).hint("nothing was logged yet; `plantune install` logs from now on")
        );
    };
    let listed = listed::questions(wanted.project.as_deref(), workspace)?;
    let meant = question::meant(&listed, &wanted.what);
    if !meant.is_empty() {
        return question::show(meant, &store, wanted, workspace);
    }
    let found = subject::find(&store, wanted, workspace)?;
    if !found.is_empty() {
        return subject::show(found, wanted, workspace);
    }
    Err(nearest(&listed, &store, wanted, workspace)?)
}

/// What to type instead.
fn nearest(
    listed: &[Listed],
    store: &Store,
    wanted: &Wanted,
    workspace: &Workspace,
) -> Result<Failure, Failure> {
    let word = wanted.what.to_lowercase();
    let several = listed
        .iter()
        .filter(|one| one.question.to_lowercase().contains(&word));
    let mut failure = unknown(wanted);
    for one in several.take(NAMED) {
        failure = failure.hint(format!(
            "{}: {}",
            one_line(&one.question_key, SHOWN),
            one_line(&one.question, SHOWN)
        ));
    }
    let subjects = subject::all(store, wanted, workspace)?;
    let keys = listed.iter().map(|one| one.question_key.as_str());
    let texts = listed.iter().map(|one| one.question.as_str());
    let subjects = subjects.iter().map(|one| one.subject.as_str());
    Ok(failure
        .did_you_mean(&wanted.what, keys.chain(texts).chain(subjects))
        .hint(
            "`plantune report --all` lists the questions, `plantune report --prompts` the prompts",
        ))
}

fn unknown(wanted: &Wanted) -> Failure {
    Failure::failed(format!(
        "{:?} is no question that was asked, and no subject of a prompt",
        one_line(&wanted.what, SHOWN)
    ))
}
