//! `plantune report WHAT`: one question, or the prompts for permission about one subject.

use plantune_query::permissions::prompts::Subject;
use plantune_query::questions::Listed;
use plantune_reports::text::one_line;

use super::{Arguments, question, subject};
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
pub(super) fn run(arguments: &Arguments, workspace: &Workspace) -> Result<(), Failure> {
    let what = &arguments.what.join(" ");
    let project = arguments.project.resolve(workspace)?;
    let project = project.as_deref();
    let Some(store) = workspace.store()? else {
        return Err(
            unknown(what).hint("nothing was logged yet; `plantune install` logs from now on")
        );
    };
    let listed = listed::questions(project, workspace)?;
    let meant = question::meant(&listed, what);
    if !meant.is_empty() {
        return question::show(meant, &store, arguments.json, workspace);
    }
    let found = subject::find(&store, what, project, workspace)?;
    if !found.is_empty() {
        return subject::show(found, arguments, workspace);
    }
    let subjects = subject::all(&store, project, workspace)?;
    Err(nearest(what, &listed, &subjects))
}

/// What to type instead.
fn nearest(what: &str, listed: &[Listed], subjects: &[Subject]) -> Failure {
    let word = what.to_lowercase();
    let several = listed
        .iter()
        .filter(|one| one.name.to_lowercase().contains(&word));
    let mut failure = unknown(what);
    for one in several.take(NAMED) {
        failure = failure.hint(one_line(&one.name, SHOWN));
    }
    let keys = listed.iter().map(|one| one.question_key.as_str());
    let texts = listed.iter().map(|one| one.name.as_str());
    let subjects = subjects.iter().map(|one| one.subject.as_str());
    failure
        .did_you_mean(what, keys.chain(texts).chain(subjects))
        .hint(
            "`plantune report --all` lists the questions, `plantune report --prompts` the prompts",
        )
}

fn unknown(what: &str) -> Failure {
    Failure::failed(format!(
        "{:?} is no question that was asked, and no subject of a prompt",
        one_line(what, SHOWN)
    ))
}
