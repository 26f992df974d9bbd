//! Where a preference holds.

use std::path::PathBuf;

use plantune_domain::paths::Paths;
use plantune_domain::preferences::{Preference, Scope};
pub(crate) use plantune_domain::sanitize::shell_word as quoted;
use plantune_reports::standing::policy_in_words;
use plantune_reports::text::one_line;

use super::FoundFile;
use super::in_words::{names, word};
use crate::failure::Failure;
use crate::failure::conflict;
use crate::projects;
use crate::session::Session;
use crate::terminal::{consent, sanitized};
use crate::{preferences, terminal};

/// How much of a key or a project is shown, in characters.
const SHOWN: usize = 400;

/// Where a preference holds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PreferenceScope {
    /// The project of that key.
    Project(String),
    /// Everywhere.
    Global,
}

/// The scope that is meant for the preference `key`: the one that is `named`, else the one in which it stands, else the
/// project of the current directory. Where it stands in several, the person says which. `command` is what can be typed for
/// one, by the scope and by what the question is called.
///
/// # Errors
/// Usage where it stands in several and nobody can be asked; conflict where it only stands in a file that is not
/// understood; those of [`projects::resolve`].
pub(crate) fn meant(
    named: Option<&PreferenceScope>,
    key: &str,
    command: &dyn Fn(&PreferenceScope, &str) -> String,
    session: &Session,
) -> Result<PreferenceScope, Failure> {
    if let Some(named) = named {
        return Ok(named.clone());
    }
    let all = preferences::all(session);
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
        return match standing.pop() {
            Some((scope, _)) => Ok(scope),
            None => PreferenceScope::here(session),
        };
    }
    let word =
        |scope: &PreferenceScope, preference: &Preference| word(key, preference, scope, session);
    let shown = standing
        .first()
        .map(|(scope, preference)| word(scope, preference));
    let shown = one_line(shown.as_deref().unwrap_or(key), SHOWN);
    let fact = format!("{shown} is set in {} places", standing.len());
    if !consent::can_be_asked(session) {
        let usage = Failure::usage(fact);
        return Err(standing.iter().fold(usage, |usage, (scope, preference)| {
            usage.hint(format!("`{}`", command(scope, &word(scope, preference))))
        }));
    }
    let names = names(session);
    let mut out = session.terminal();
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
        Some((scope, _)) => Ok(scope),
        None => Err(Failure::usage("you chose none of them").hint("nothing was changed")),
    }
}

impl PreferenceScope {
    /// The project of the current directory.
    ///
    /// # Errors
    /// The errors of [`projects::resolve`].
    pub fn here(session: &Session) -> Result<Self, Failure> {
        projects::resolve(".", session).map(Self::Project)
    }

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
    pub fn arguments(&self) -> String {
        match self {
            Self::Project(project) => format!("--project {}", quoted(project)),
            Self::Global => "--global".to_owned(),
        }
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
