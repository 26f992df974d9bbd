//! Where a preference holds: in one project, or everywhere.

use std::path::PathBuf;

use clap::Args;
use plantune_domain::paths::Paths;
use plantune_domain::preferences::Scope;
pub(crate) use plantune_domain::sanitize::shell_word as quoted;

use crate::failure::Failure;
use crate::terminal::sanitized;
use crate::workspace::{Workspace, project};

/// The arguments of a verb that say where.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct ScopeArguments {
    /// Everywhere, instead of in one project
    #[arg(long, conflicts_with = "project")]
    global: bool,
    /// The project: its key, the end of its key such as owner/repo, or . for the current directory's [default: .]
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
}

impl PreferenceScope {
    /// What events and listings call it.
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
