//! The question as it was asked, and what is refused because of it.

use plantune_domain::keys::is_split;
use plantune_query::questions::{KnownQuestion, known_question};
use plantune_reports::text::one_line;

use super::arguments::SHOWN_LABEL;
use crate::failure::Failure;
use crate::preferences::files;
use crate::preferences::files::Found;
use crate::preferences::scope::PreferenceScope;
use crate::workspace::{Workspace, listed};

/// What a key looks like that is only the question's fingerprint.
const FINGERPRINT: &str = "fp-";

/// The question as the store knows it.
pub(super) fn known(
    key: &str,
    scope: &PreferenceScope,
    workspace: &Workspace,
) -> Result<Option<KnownQuestion>, Failure> {
    let registry = workspace.registry()?;
    let known = workspace.ask(|store| known_question(store, key, scope.project(), registry))?;
    if known.is_none() && key.starts_with(FINGERPRINT) {
        return Err(Failure::failed(format!(
            "{key}: no question with this fingerprint was ever seen"
        ))
        .hint("`plantune report --all` lists the keys of the questions you were asked"));
    }
    Ok(known)
}

/// A key that nothing has is a slip of the pen, and its preference would never be obeyed.
pub(super) fn refuse_unknown(key: &str, workspace: &Workspace) -> Result<(), Failure> {
    let has_rule = workspace.registry()?.rules_of(key).next().is_some();
    let is_set = |file: &Found| file.preferences.contains_key(key);
    if has_rule || files::all(workspace).iter().any(is_set) {
        return Ok(());
    }
    let asked = listed::questions(None, workspace)?;
    Err(Failure::failed(format!(
        "{key}: no question, rule or preference has this key"
    ))
    .did_you_mean(key, asked.iter().map(|one| one.question_key.as_str()))
    .hint("`plantune report --all` lists the keys of the questions you were asked")
    .hint("if it is to be asked yet, add --force"))
}

/// That there is nothing to bind a preference to.
pub(super) fn never_asked(key: &str) -> Failure {
    Failure::failed(format!("{}: never asked here", one_line(key, SHOWN_LABEL)))
        .hint("a preference is given for a question as you were asked it")
}

/// Options of a split question are always asked; what an answer does is judged when it is known.
pub(super) fn refuse_split(key: &str) -> Result<(), Failure> {
    if !is_split(key) {
        return Ok(());
    }
    let message = format!("{key} is always asked: options of a split question are always asked");
    Err(Failure::refused(message)
        .hint("a question whose answer cannot be taken back is never answered for you"))
}
