//! `plantune prompts show`.

use chrono::NaiveDate;
use clap::Args;
use plantune_query::Store;
use plantune_query::permissions::although::reasons;
use plantune_query::permissions::evidence::Prompt as Evidence;
use plantune_query::permissions::prompts::{Prompt, Subject, WantedPrompts, WantedSubjects};
use plantune_reports::inert::one_line;
use plantune_reports::prompts::{Shown, Subjects};
use plantune_reports::text::clean;

use super::request::{Request, most, open_from};
use crate::failure::Failure;
use crate::permission_rules::known;
use crate::workspace::names::ShortNames;
use crate::workspace::{Workspace, store};

/// How many prompts a terminal gets.
const MOST: u32 = 20;

/// How much of a subject is shown, in columns.
const SHOWN: usize = 100;

/// Show the latest prompts about a subject, the rules that were offered, what you refused, and why it was asked
/// although a rule of yours seems to cover it
#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// The subject as `plantune prompts` lists it, or its beginning; several words need no quotes
    #[arg(value_name = "SUBJECT", required = true, num_args = 1..)]
    subject: Vec<String>,
    /// How many prompts to show [default: 20; all with --json]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
}

/// Shows the subject, of each tool that it was asked about.
///
/// # Errors
/// Failed for a subject that was never asked about.
pub(super) fn run(
    arguments: &Arguments,
    request: &Request,
    workspace: &Workspace,
) -> Result<(), Failure> {
    let open_from = open_from(workspace)?;
    let word = arguments.subject.join(" ");
    let mut shown = match workspace.store()? {
        Some(store) => find(&store, &word, request.project.as_deref(), open_from)
            .map_err(|error| store::failure(&workspace.paths, &error))?,
        None => Vec::new(),
    };
    for one in &mut shown {
        let prompts: Vec<Evidence> = one.prompts.iter().map(Prompt::to_evidence).collect();
        let known = known::rules(workspace, &prompts);
        one.although = reasons(&prompts, &known.rules, workspace.registry()?.own_reaches());
    }
    if shown.is_empty() {
        let subject = one_line(&word, SHOWN);
        return Err(Failure::failed(format!(
            "{subject:?}: no prompt about such a subject was logged"
        ))
        .hint("`plantune prompts` lists the subjects"));
    }
    if !request.json {
        let names = ShortNames::new(workspace)?;
        let prompts = shown.iter_mut().flat_map(|one| &mut one.prompts);
        prompts.for_each(|one| names.shorten(&mut one.project));
    }
    let usual = if request.json { u32::MAX } else { MOST };
    let subjects = Subjects::new(&shown, most(arguments.limit, usual));
    request.print(&subjects, workspace)
}

fn find(
    store: &Store,
    word: &str,
    project: Option<&str>,
    open_from: Option<NaiveDate>,
) -> Result<Vec<Shown>, plantune_query::Error> {
    let subjects = store.prompt_subjects(&WantedSubjects {
        project,
        open_from,
        ..WantedSubjects::default()
    })?;
    let shown = meant(subjects, word).into_iter().map(|subject| {
        let prompts = store.prompts(&WantedPrompts {
            subject: Some(&subject.subject),
            tool: Some(&subject.tool),
            project,
            open_from,
            ..WantedPrompts::default()
        })?;
        Ok(Shown {
            subject,
            prompts,
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
