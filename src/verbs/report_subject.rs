//! `plantune report WHAT`: one question, or the permission prompts about one subject.

use chrono::{Days, NaiveDate};
use plantune_agents::claude_code;
use plantune_query::Store;
use plantune_query::habits::is_called;
use plantune_query::permissions::DecidedPrompt;
use plantune_query::permissions::near_miss::near_misses;
use plantune_query::permissions::prompts::{LoggedPrompt, Subject, WantedPrompts, WantedSubjects};
use plantune_query::questions::{Listed, askings};
use plantune_reports::explain::QuestionList;
use plantune_reports::prompts::{SubjectPrompts, Subjects};
use plantune_reports::text::{clean, one_line};

use crate::document::Document;
use crate::failure::Failure;
use crate::projects::ShortNames;
use crate::request::SubjectRequest;
use crate::session::Session;
use crate::{rule_proposals, session};

/// How many prompts a terminal gets.
const MOST: u32 = 20;

/// Shows what [`find`] found: the latest prompts, the rules that were offered, what was refused, and why it was asked
/// although a rule seems to cover it.
///
/// # Errors
/// Conflict for a configuration that is not understood.
fn show_prompts(
    mut shown: Vec<SubjectPrompts>,
    request: &SubjectRequest,
    session: &Session,
) -> Result<Document, Failure> {
    for one in &mut shown {
        let of_claude_code = one
            .prompts
            .iter()
            .filter(|one| one.agent == claude_code::NAME);
        let prompts: Vec<DecidedPrompt> = of_claude_code.map(LoggedPrompt::to_evidence).collect();
        let known = rule_proposals::rules(session, None, &prompts);
        one.although = near_misses(&prompts, &known.rules, session.registry()?.own_reaches());
    }
    if !request.json {
        let names = ShortNames::new(session)?;
        let prompts = shown.iter_mut().flat_map(|one| &mut one.prompts);
        prompts.for_each(|one| names.shorten(&mut one.project));
    }
    let usual = if request.json { u32::MAX } else { MOST };
    let most = usize::try_from(request.top.unwrap_or(usual)).unwrap_or(usize::MAX);
    Document::of(&Subjects::new(&shown, most), request.json, session)
}

/// The subjects that were asked about.
///
/// # Errors
/// When the store cannot be read.
fn all(store: &Store, project: Option<&str>, session: &Session) -> Result<Vec<Subject>, Failure> {
    let subjects = store.prompt_subjects(&WantedSubjects {
        project,
        open_from: open_from(session)?,
        ..WantedSubjects::default()
    });
    session.read(subjects)
}

/// The subjects that are meant, with their prompts: of each tool that was asked about it.
///
/// # Errors
/// When the store cannot be read.
fn find(
    store: &Store,
    what: &str,
    project: Option<&str>,
    session: &Session,
) -> Result<Vec<SubjectPrompts>, Failure> {
    let open_from = open_from(session)?;
    let subjects = meant_subjects(all(store, project, session)?, what);
    let shown = subjects.into_iter().map(|subject| {
        let prompts = store.prompts(&WantedPrompts {
            subject: Some(&subject.subject),
            tool: Some(&subject.tool),
            project,
            open_from,
            ..WantedPrompts::default()
        });
        Ok(SubjectPrompts {
            subject,
            prompts: session.read(prompts)?,
            although: Vec::new(),
        })
    });
    shown.collect()
}

/// The subjects that are `word`, as logged or as shown; else the one that alone begins with it.
fn meant_subjects(mut subjects: Vec<Subject>, word: &str) -> Vec<Subject> {
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

/// Yesterday: a prompt without a decision from before that was left by everybody.
///
/// # Errors
/// Conflict for a config.toml that is not understood.
pub(super) fn open_from(session: &Session) -> Result<Option<NaiveDate>, Failure> {
    Ok(session.today()?.checked_sub_days(Days::new(1)))
}

// `plantune report KEY`: every time a question was asked.

/// Those of `listed` that `word` means: the key of a question; else the one
/// question whose text has these words.
fn meant_questions(listed: &[Listed], word: &str) -> Vec<Listed> {
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
fn show_questions(
    meant: Vec<Listed>,
    store: &Store,
    json: bool,
    session: &Session,
) -> Result<Document, Failure> {
    let names = ShortNames::new(session)?;
    let mut shown = Vec::new();
    for mut one in meant {
        let found = session.read(askings(store, &one))?;
        if !json {
            names.shorten(&mut one.project);
        }
        shown.push((one, found));
    }
    Document::of(&QuestionList::new(shown), json, session)
}

// `plantune report WHAT`: one question, or the prompts for permission about one subject.

/// How much of what was typed is shown, in characters.
const SHOWN: usize = 100;

/// How many are named where several may be meant.
const NAMED: usize = 5;

/// Shows the question of that key or text, else the subject.
///
/// # Errors
/// Failed for what was never asked, and for what may mean several.
pub(super) fn run(request: &SubjectRequest, session: &Session) -> Result<Document, Failure> {
    let what = &*request.what;
    let project = request.project.as_deref();
    let Some(store) = session.store()? else {
        return Err(unknown(what).hint("nothing was logged yet: run `plantune install`"));
    };
    let listed = session::questions(project, session)?;
    let meant = meant_questions(&listed, what);
    if !meant.is_empty() {
        return show_questions(meant, &store, request.json, session);
    }
    let found = find(&store, what, project, session)?;
    if !found.is_empty() {
        return show_prompts(found, request, session);
    }
    let subjects = all(&store, project, session)?;
    Err(nearest(what, &listed, &subjects))
}

/// The command to type instead.
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
        .did_you_mean_option("report", what)
        .did_you_mean(what, keys.chain(texts).chain(subjects))
        .hint(
            "`plantune report --all` lists the questions, `plantune report --prompts` the prompts",
        )
}

fn unknown(what: &str) -> Failure {
    Failure::failed(format!(
        "no question or permission prompt is called {:?}",
        one_line(what, SHOWN)
    ))
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
            let found = meant_subjects(subjects(), word).into_iter();
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
