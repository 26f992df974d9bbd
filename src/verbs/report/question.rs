//! `plantune report KEY`: every time a question was asked.

use plantune_query::Store;
use plantune_query::families::is_called;
use plantune_query::questions::{Listed, askings};
use plantune_reports::questions::Shown;

use crate::failure::Failure;
use crate::terminal;
use crate::workspace::Workspace;
use crate::workspace::names::ShortNames;

/// Those of `listed` that `word` means: the key of a question, of its family or of one of its texts; else the one
/// question whose text has these words.
pub(super) fn meant(listed: &[Listed], word: &str) -> Vec<Listed> {
    let has_key =
        |one: &&Listed| one.question_key == word || one.keys.iter().any(|key| key == word);
    let of_key: Vec<Listed> = listed.iter().filter(has_key).cloned().collect();
    if !of_key.is_empty() {
        return of_key;
    }
    let is_called = |one: &&Listed| is_called(&one.name, word);
    let called: Vec<Listed> = listed.iter().filter(is_called).cloned().collect();
    if !called.is_empty() {
        return called;
    }
    let word = word.trim_end_matches('…').to_lowercase();
    let has_text = |one: &&Listed| !word.is_empty() && one.question.to_lowercase().contains(&word);
    let of_text: Vec<Listed> = listed.iter().filter(has_text).cloned().collect();
    let is_one = of_text
        .iter()
        .all(|one| Some(&one.question_key) == of_text.first().map(|first| &first.question_key));
    if is_one { of_text } else { Vec::new() }
}

/// Shows the questions with all their askings, in every project that knows them.
///
/// # Errors
/// When the store cannot be read.
pub(super) fn show(
    meant: Vec<Listed>,
    store: &Store,
    json: bool,
    workspace: &Workspace,
) -> Result<(), Failure> {
    let names = ShortNames::new(workspace)?;
    let mut shown = Vec::new();
    for mut one in meant {
        let found = workspace.read(askings(store, &one))?;
        if !json {
            names.shorten(&mut one.project);
        }
        shown.push((one, found));
    }
    terminal::print_document(&Shown::new(shown), json, workspace)
}
