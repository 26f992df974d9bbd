//! A preference in words: where it holds, what its question is called, and what a change of it means.

use std::path::PathBuf;

use clap::Args;
use plantune_domain::keys::{is_id, typed};
use plantune_domain::paths::Paths;
use plantune_domain::preferences::{AssistMode, Coverage, Level, Policy, Preference, Scope};
pub(crate) use plantune_domain::sanitize::shell_word as quoted;
use plantune_query::families::{Grouping, is_called, template_text};
use plantune_reports::standing::{policy_in_words, title_of};
use plantune_reports::suggestions::answer_in_words;
use plantune_reports::text::one_line;

use super::FoundFile;
use super::writer::Change;
use crate::failure::Failure;
use crate::terminal::{consent, sanitized};
use crate::workspace::project::ShortNames;
use crate::workspace::{Workspace, conflict, project};
use crate::{preferences, terminal, workspace};

/// How much of a key or a project is shown, in characters.
const SHOWN: usize = 400;

/// The arguments of a verb that say where.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct ScopeArguments {
    /// Everywhere, instead of in one project
    #[arg(long, conflicts_with = "project")]
    global: bool,
    /// The project: its key, the end of its key such as owner/repo, or . for the current directory's [default: where
    /// the preference stands, else .]
    #[arg(long, value_name = "KEY")]
    project: Option<String>,
}

/// Where a preference holds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum PreferenceScope {
    /// The project of that key.
    Project(String),
    /// Everywhere.
    Global,
}

impl ScopeArguments {
    /// The scope that the arguments mean.
    ///
    /// # Errors
    /// Those of [`project::resolve`].
    pub(crate) fn resolve(&self, workspace: &Workspace) -> Result<PreferenceScope, Failure> {
        if self.global {
            return Ok(PreferenceScope::Global);
        }
        let word = self.project.as_deref().unwrap_or(".");
        project::resolve(word, workspace).map(PreferenceScope::Project)
    }

    /// The scope that the arguments name; `None` where they name none.
    pub(crate) fn named(&self, workspace: &Workspace) -> Option<PreferenceScope> {
        let is_named = self.global || self.project.is_some();
        is_named.then(|| self.resolve(workspace).ok()).flatten()
    }

    /// The scope that the arguments mean for the preference `key`: where they name none, the one in which it stands;
    /// where it stands in several, the one that the person says. `command` is what can be typed for one, by the scope and by
    /// what the question is called. `None` where it stands nowhere.
    ///
    /// # Errors
    /// Usage where it stands in several and nobody can be asked; conflict where it only stands in a file that is not
    /// understood; those of [`project::resolve`].
    pub(crate) fn standing(
        &self,
        key: &str,
        command: &dyn Fn(&PreferenceScope, &str) -> String,
        workspace: &Workspace,
    ) -> Result<Option<PreferenceScope>, Failure> {
        if self.global || self.project.is_some() {
            return self.resolve(workspace).map(Some);
        }
        let all = preferences::all(workspace);
        let (sound, broken): (Vec<&FoundFile>, Vec<&FoundFile>) =
            all.iter().partition(|file| file.problem.is_none());
        let standing = sound.iter().filter_map(|file| {
            let preference = file.preferences.get(key)?;
            Some((file.preference_scope(), preference))
        });
        let mut standing: Vec<(PreferenceScope, &Preference)> = standing.collect();
        let mut broken = broken
            .iter()
            .filter(|file| file.preferences.contains_key(key));
        let problem = broken.find_map(|file| file.problem.as_deref());
        if let (true, Some(problem)) = (standing.is_empty(), problem) {
            return Err(conflict(problem));
        }
        if standing.len() < 2 {
            return Ok(standing.pop().map(|(scope, _)| scope));
        }
        let word = |preference: &Preference| word(key, preference);
        let shown = standing.first().map(|(_, preference)| word(preference));
        let shown = one_line(shown.as_deref().unwrap_or(key), SHOWN);
        let fact = format!("{shown} is set in {} places", standing.len());
        if !consent::can_be_asked(workspace) {
            let usage = Failure::usage(fact);
            return Err(standing.iter().fold(usage, |usage, (scope, preference)| {
                usage.hint(format!("`{}`", command(scope, &word(preference))))
            }));
        }
        let names = names(workspace);
        let mut out = workspace.terminal();
        out.line(format!("{fact}:"));
        for (number, (scope, preference)) in (1..).zip(&standing) {
            let place = match scope.project() {
                Some(project) => format!("in {}", one_line(names.of(project), SHOWN)),
                None => "everywhere".to_owned(),
            };
            let does = policy_in_words(preference);
            out.hanging(
                &format!("  {number}  "),
                "     ",
                format!("{place}: {does}"),
            );
        }
        terminal::print(&out.into_text())?;
        let reply = terminal::ask(&format!("Which one? [1-{}]", standing.len()))?;
        let number = reply.and_then(|reply| reply.parse::<usize>().ok());
        let chosen = number.and_then(|number| standing.into_iter().nth(number.checked_sub(1)?));
        match chosen {
            Some((scope, _)) => Ok(Some(scope)),
            None => Err(Failure::usage("none of them was chosen").hint("nothing was changed")),
        }
    }
}

impl PreferenceScope {
    /// Its name in events and listings.
    pub(crate) fn kind(&self) -> Scope {
        match self {
            Self::Project(_) => Scope::Project,
            Self::Global => Scope::Global,
        }
    }

    /// The project's key, if it is one project.
    pub(crate) fn project(&self) -> Option<&str> {
        match self {
            Self::Project(project) => Some(project),
            Self::Global => None,
        }
    }

    /// The file of preferences of this scope.
    pub(crate) fn file(&self, paths: &Paths) -> PathBuf {
        match self {
            Self::Project(project) => paths.project_preferences(project),
            Self::Global => paths.global_preferences(),
        }
    }

    /// The command `prefs VERB` for the preference `key` in this scope, for a terminal.
    pub(crate) fn prefs(&self, verb: &str, key: &str) -> String {
        let (key, place) = (quoted(key), self.arguments());
        sanitized(&format!("plantune prefs {verb} {key} {place}"))
    }

    /// The arguments that mean this scope.
    pub(crate) fn arguments(&self) -> String {
        match self {
            Self::Project(project) => format!("--project {}", quoted(project)),
            Self::Global => "--global".to_owned(),
        }
    }
}

// What the question of a preference is called, and which one a person means by a word.

/// How many characters of a name are shown.
const SHOWN_WORD: usize = 80;

/// The name of the question of `preference`; its `key` where nothing is known of it.
pub(crate) fn name(key: &str, preference: &Preference) -> String {
    let Some(text) = &preference.question else {
        return key.to_owned();
    };
    let options = preference.options.as_deref().unwrap_or_default();
    let of_template = |template: &Vec<String>| template_text(template, text, options);
    let name = preference.name().map(str::to_owned);
    name.or_else(|| preference.template.as_ref().map(of_template))
        .unwrap_or_else(|| text.clone())
}

/// The word to type for the question of `preference`: its `key` where that says something, else its name.
pub(crate) fn word(key: &str, preference: &Preference) -> String {
    typed(key, &name(key, preference)).to_owned()
}

/// The store's name of the question `key`, whose text is `text`; `None` without a store.
///
/// # Errors
/// Conflict for a registry that is not understood; failed when the store cannot be read.
pub(crate) fn in_store(
    key: &str,
    text: &str,
    workspace: &Workspace,
) -> Result<Option<String>, Failure> {
    let registry = workspace.registry()?;
    workspace.ask(|store| {
        let grouping = Grouping::read(store, registry)?;
        Ok(Some(grouping.names().of(key, text)))
    })
}

/// The key that is meant by `word`: itself, or that of the preference, else of the question, that is called so.
///
/// # Errors
/// Failed where several are called so, and when the store cannot be read.
pub(crate) fn key(word: &str, workspace: &Workspace) -> Result<String, Failure> {
    if is_id(word) {
        return Ok(word.to_owned());
    }
    let mut found: Vec<(String, String)> = Vec::new();
    for file in preferences::all(workspace) {
        let named = file.preferences.iter();
        let named = named.map(|(key, preference)| (name(key, preference), key.clone()));
        found.extend(named.filter(|(name, _)| is_called(name, word)));
    }
    if found.is_empty() {
        let listed = workspace::questions(None, workspace)?.into_iter();
        let called = listed.filter(|one| is_called(&one.name, word));
        found.extend(called.map(|one| (one.name, one.question_key)));
    }
    found.sort_unstable_by(|(_, one), (_, other)| one.cmp(other));
    found.dedup_by(|(_, one), (_, other)| one == other);
    match found.as_slice() {
        [(_, key)] => Ok(key.clone()),
        [] => Ok(word.to_owned()),
        several => {
            let word = one_line(word, SHOWN_WORD);
            let failure = Failure::usage(format!("more than one question is called \"{word}\""));
            Err(failure.hint(format!("give one of: {}", told_apart(several).join(", "))))
        }
    }
}

/// Words that tell `several` questions apart, each with its name and key: the name, or the key where two have one name.
fn told_apart(several: &[(String, String)]) -> Vec<String> {
    let is_shared = |name: &str| several.iter().filter(|one| one.0 == name).count() > 1;
    let word = |(name, key): &(String, String)| match is_shared(name) {
        true => key.clone(),
        false => format!("\"{}\"", one_line(name, SHOWN_WORD)),
    };
    several.iter().map(word).collect()
}

// What a change of preferences means, in a sentence.

/// How much of a question, an asker or a project is shown, in columns.
const SHOWN_TEXT: usize = 120;

/// What `change` means from now on, and what takes it back. `asker` is who asks the question, where that is known;
/// `before` is what stood there.
pub(crate) fn from_now_on(
    change: &Change,
    before: Option<&Preference>,
    asker: Option<&str>,
    workspace: &Workspace,
) -> String {
    let question = question(change, before, asker);
    let names = names(workspace);
    let place = match &change.scope {
        PreferenceScope::Project(project) => {
            format!("in {}", one_line(names.of(project), SHOWN_TEXT))
        }
        PreferenceScope::Global => "everywhere".to_owned(),
    };
    let Some(preference) = &change.preference else {
        return format!("From now on {question} is asked again {place}.");
    };
    let answer = answer_in_words(preference.answer.as_deref());
    let answered = match preference.answer {
        Some(_) => &*answer,
        None => "as recommended",
    };
    let does = match (preference.preference, preference.level()) {
        (Policy::AlwaysAsk, _) => format!("is always asked {place}, and not proposed again"),
        (Policy::Assist, _) => match preference.assist.unwrap_or(AssistMode::Note) {
            AssistMode::First => {
                format!("is asked {place} with your usual answer, {answer}, first")
            }
            AssistMode::Note => {
                format!("is asked {place} with {answer} marked as your usual answer")
            }
        },
        (_, Level::Trial) => format!("is answered {answered} {place}; one in three is still asked"),
        (_, Level::Standing) => {
            format!("is answered {answered} {place}; now and then you are still asked, as a check")
        }
    };
    format!(
        "From now on {question} {does}. {} takes it back.",
        undo(
            typed(&change.key, &name(&change.key, preference)),
            &change.scope,
            &names,
            workspace
        )
    )
}

/// The names of projects in a sentence.
pub(crate) fn names(workspace: &Workspace) -> ShortNames {
    let names = ShortNames::new(workspace);
    names.unwrap_or_else(|_| ShortNames::without_store(workspace))
}

/// The command that takes back the preference for `key`, or what is called so, in `scope`, in backquotes.
pub(crate) fn undo(
    key: &str,
    scope: &PreferenceScope,
    names: &ShortNames,
    workspace: &Workspace,
) -> String {
    let here = project::resolve(".", workspace).ok();
    let elsewhere = match scope {
        PreferenceScope::Project(project) if here.as_ref() != Some(project) => {
            format!(" --project {}", quoted(names.of(project)))
        }
        _ => String::new(),
    };
    format!("`plantune undo {}{elsewhere}`", quoted(key))
}

/// The question in words, and nothing wider: `/review's question "Which layout?"`, `any question with "Yes", "No"`.
fn question(change: &Change, before: Option<&Preference>, asker: Option<&str>) -> String {
    let preference = change.preference.as_ref();
    let answered = preference.filter(|one| one.preference != Policy::AlwaysAsk);
    let title = answered.and_then(title_of);
    if let (Some(Coverage::Options), Some((any, _))) =
        (answered.and_then(|one| one.coverage), &title)
    {
        return one_line(any, SHOWN_TEXT);
    }
    let of = preference.or(before);
    let text = of
        .filter(|one| one.question.is_some())
        .map(|one| name(&change.key, one));
    let whose = asker.map_or_else(
        || "the question".to_owned(),
        |asker| format!("{}'s question", one_line(asker, SHOWN_TEXT)),
    );
    match (title, text) {
        (Some((text, 0)), _) | (None, Some(text)) => {
            format!("{whose} \"{}\"", one_line(&text, SHOWN_TEXT))
        }
        (Some((text, more)), _) => {
            format!(
                "{whose} \"{}\" and {more} more",
                one_line(&text, SHOWN_TEXT)
            )
        }
        (None, None) => format!("{whose} {}", one_line(&change.key, SHOWN_TEXT)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_survive_a_shell() {
        assert_eq!(quoted("github.com/o/r"), "github.com/o/r");
        assert_eq!(quoted("/my work/r"), "'/my work/r'");
        assert_eq!(quoted("$(rm)'s"), r"'$(rm)'\''s'");
        assert_eq!(PreferenceScope::Global.arguments(), "--global");
    }
}
