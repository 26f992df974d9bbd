//! `plantune report SUBJECT`: the prompts for permission about one subject.

use plantune_agents::claude_code;
use plantune_query::Store;
use plantune_query::permissions::evidence::Prompt as Evidence;
use plantune_query::permissions::near_miss::reasons;
use plantune_query::permissions::prompts::{Prompt, Subject, WantedPrompts, WantedSubjects};
use plantune_reports::prompts::{Shown, Subjects};
use plantune_reports::text::clean;

use super::{Arguments, prompts};
use crate::failure::Failure;
use crate::permission_rules::known;
use crate::terminal;
use crate::workspace::Workspace;
use crate::workspace::names::ShortNames;

/// How many prompts a terminal gets.
const MOST: u32 = 20;

/// Shows what [`find`] found: the latest prompts, the rules that were offered, what was refused, and why it was asked
/// although a rule seems to cover it.
///
/// # Errors
/// Conflict for a configuration that is not understood.
pub(super) fn show(
    mut shown: Vec<Shown>,
    arguments: &Arguments,
    workspace: &Workspace,
) -> Result<(), Failure> {
    for one in &mut shown {
        let of_claude_code = one
            .prompts
            .iter()
            .filter(|one| one.agent == claude_code::NAME);
        let prompts: Vec<Evidence> = of_claude_code.map(Prompt::to_evidence).collect();
        let known = known::rules(workspace, None, &prompts);
        one.although = reasons(&prompts, &known.rules, workspace.registry()?.own_reaches());
    }
    if !arguments.json {
        let names = ShortNames::new(workspace)?;
        let prompts = shown.iter_mut().flat_map(|one| &mut one.prompts);
        prompts.for_each(|one| names.shorten(&mut one.project));
    }
    let usual = if arguments.json { u32::MAX } else { MOST };
    let most = usize::try_from(arguments.top.unwrap_or(usual)).unwrap_or(usize::MAX);
    terminal::print_document(&Subjects::new(&shown, most), arguments.json, workspace)
}

/// The subjects that were asked about.
///
/// # Errors
/// When the store cannot be read.
pub(super) fn all(
    store: &Store,
    project: Option<&str>,
    workspace: &Workspace,
) -> Result<Vec<Subject>, Failure> {
    let subjects = store.prompt_subjects(&WantedSubjects {
        project,
        open_from: prompts::open_from(workspace)?,
        ..WantedSubjects::default()
    });
    workspace.read(subjects)
}

/// The subjects that are meant, with their prompts: of each tool that was asked about it.
///
/// # Errors
/// When the store cannot be read.
pub(super) fn find(
    store: &Store,
    what: &str,
    project: Option<&str>,
    workspace: &Workspace,
) -> Result<Vec<Shown>, Failure> {
    let open_from = prompts::open_from(workspace)?;
    let subjects = meant(all(store, project, workspace)?, what);
    let shown = subjects.into_iter().map(|subject| {
        let prompts = store.prompts(&WantedPrompts {
            subject: Some(&subject.subject),
            tool: Some(&subject.tool),
            project,
            open_from,
            ..WantedPrompts::default()
        });
        Ok(Shown {
            subject,
            prompts: workspace.read(prompts)?,
            although: Vec::new(),
        })
    });
    shown.collect()
}

/// The subjects that are `word`, as logged or as shown; else the one that alone begins with it.
fn meant(mut subjects: Vec<Subject>, word: &str) -> Vec<Subject> {
    let word = clean(word);
    let is_word = |one: &Subject| clean(&one.subject) == word;
    if subjects.iter().any(is_word) {
        subjects.retain(is_word);
        return subjects;
    }
    // What is too long for its column is shown with this at its end.
    let start = word.trim_end_matches('…');
    subjects.retain(|one| !start.is_empty() && clean(&one.subject).starts_with(start));
    let first = subjects.first().map(|one| one.subject.clone());
    let is_one = subjects
        .iter()
        .all(|one| Some(&one.subject) == first.as_ref());
    if is_one { subjects } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_is_found_as_it_is_shown() {
        let subjects = || {
            let subjects = [
                ("npm test", "Bash"),
                ("npm testing", "Bash"),
                ("g\u{1b}[31mit", "X"),
            ];
            let subjects = subjects.map(|(subject, tool)| Subject {
                subject: subject.to_owned(),
                tool: tool.to_owned(),
                ..Subject::default()
            });
            subjects.to_vec()
        };
        let found = |word: &str| -> Vec<String> {
            let found = meant(subjects(), word).into_iter();
            found.map(|one| one.subject).collect()
        };
        assert_eq!(found("npm test"), ["npm test"]);
        assert_eq!(found("npm testi…"), ["npm testing"]);
        assert_eq!(found("git"), ["g\u{1b}[31mit"]);
        for none in ["npm", "", "…", "other"] {
            assert_eq!(found(none), Vec::<String>::new(), "{none}");
        }
    }
}
