//! `plantune report WHAT`: one question, or the permission prompts about one subject; and the questions in groups
//! (`--by`).

use clap::ValueEnum;
use plantune_agents::claude_code;
use plantune_query::Store;
use plantune_query::permissions::DecidedPrompt;
use plantune_query::permissions::near_miss::near_misses;
use plantune_query::permissions::prompts::{Prompt, Subject, WantedPrompts, WantedSubjects};
use plantune_query::questions::Listed;
use plantune_query::report::{By, Groups, Request};
use plantune_reports::prompts::{SubjectPrompts, Subjects};
use plantune_reports::text::{clean, one_line};

use super::Arguments;
use crate::failure::Failure;
use crate::session::Session;
use crate::session::project::ShortNames;
use crate::verbs::report;
use crate::{permission_rules, session, terminal};

/// How many prompts a terminal gets.
const MOST: u32 = 20;

/// Shows what [`find`] found: the latest prompts, the rules that were offered, what was refused, and why it was asked
/// although a rule seems to cover it.
///
/// # Errors
/// Conflict for a configuration that is not understood.
fn show(
    mut shown: Vec<SubjectPrompts>,
    arguments: &Arguments,
    session: &Session,
) -> Result<(), Failure> {
    for one in &mut shown {
        let of_claude_code = one
            .prompts
            .iter()
            .filter(|one| one.agent == claude_code::NAME);
        let prompts: Vec<DecidedPrompt> = of_claude_code.map(Prompt::to_evidence).collect();
        let known = permission_rules::rules(session, None, &prompts);
        one.although = near_misses(&prompts, &known.rules, session.registry()?.own_reaches());
    }
    if !arguments.json {
        let names = ShortNames::new(session)?;
        let prompts = shown.iter_mut().flat_map(|one| &mut one.prompts);
        prompts.for_each(|one| names.shorten(&mut one.project));
    }
    let usual = if arguments.json { u32::MAX } else { MOST };
    let most = usize::try_from(arguments.top.unwrap_or(usual)).unwrap_or(usize::MAX);
    terminal::print_document(&Subjects::new(&shown, most), arguments.json, session)
}

/// The subjects that were asked about.
///
/// # Errors
/// When the store cannot be read.
pub(super) fn all(
    store: &Store,
    project: Option<&str>,
    session: &Session,
) -> Result<Vec<Subject>, Failure> {
    let subjects = store.prompt_subjects(&WantedSubjects {
        project,
        open_from: report::open_from(session)?,
        ..WantedSubjects::default()
    });
    session.read(subjects)
}

/// The subjects that are meant, with their prompts: of each tool that was asked about it.
///
/// # Errors
/// When the store cannot be read.
pub(super) fn find(
    store: &Store,
    what: &str,
    project: Option<&str>,
    session: &Session,
) -> Result<Vec<SubjectPrompts>, Failure> {
    let open_from = report::open_from(session)?;
    let subjects = meant(all(store, project, session)?, what);
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

// `report --by`: the questions in groups.

/// The groupings of questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Grouping {
    /// The command, skill, plugin or sub-agent that asked, as far as it is known
    #[value(alias = "skill")]
    Asker,
    /// The framework that it belongs to: gsd:* for /gsd:discuss-phase
    Framework,
    /// The project
    Project,
    /// The question's header
    Header,
    /// The day of the week, in your time zone
    Weekday,
    /// Interactive, headless or spawned
    SessionKind,
    /// The coding agent
    Agent,
}

impl Grouping {
    fn by(self) -> By {
        match self {
            Self::Asker => By::Asker,
            Self::Framework => By::Framework,
            Self::Project => By::Project,
            Self::Header => By::Header,
            Self::Weekday => By::Weekday,
            Self::SessionKind => By::SessionKind,
            Self::Agent => By::Agent,
        }
    }
}

/// Refuses what makes no sense: the projects of one project.
///
/// # Errors
/// Usage.
pub(super) fn check(grouping: Option<Grouping>, project: Option<&str>) -> Result<(), Failure> {
    if grouping != Some(Grouping::Project) || project.is_none() {
        return Ok(());
    }
    let fact = "--by project can't be used with --project";
    Err(Failure::usage(fact)
        .hint("leave --project out to see all projects")
        .hint("or see this one with --by asker, framework, header, weekday, session-kind or agent"))
}

/// The groups that are asked for; none of a store that is not there.
///
/// # Errors
/// When the store cannot be read.
pub(super) fn groups(
    grouping: Option<Grouping>,
    request: &Request<'_>,
    session: &Session,
    store: Option<&Store>,
) -> Result<Option<Groups>, Failure> {
    let Some(by) = grouping.map(Grouping::by) else {
        return Ok(None);
    };
    let Some(store) = store else {
        let groups = Vec::new();
        return Ok(Some(Groups { by, groups }));
    };
    session.read(store.report_by(request, by)).map(Some)
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
pub(super) fn run(arguments: &Arguments, session: &Session) -> Result<(), Failure> {
    let what = &arguments.what.join(" ");
    let project = arguments.project.resolve(session)?;
    let project = project.as_deref();
    let Some(store) = session.store()? else {
        return Err(unknown(what).hint("nothing was logged yet: run `plantune install`"));
    };
    let listed = session::questions(project, session)?;
    let meant = report::meant(&listed, what);
    if !meant.is_empty() {
        return report::show(meant, &store, arguments.json, session);
    }
    let found = find(&store, what, project, session)?;
    if !found.is_empty() {
        return show(found, arguments, session);
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
