//! The scopes of Claude Code's settings.

use clap::ValueEnum;

/// Whose settings are meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(crate) enum SettingsScope {
    /// All your projects: ~/.claude/settings.json (or below CLAUDE_CONFIG_DIR)
    #[default]
    User,
    /// Everybody who works on this project: .claude/settings.json
    Project,
    /// You, in this project: .claude/settings.local.json
    Local,
}

impl SettingsScope {
    /// Every scope, that of the settings that go before the others last.
    pub(crate) const ALL: [Self; 3] = [Self::User, Self::Project, Self::Local];

    /// The word for it on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Project => "project",
            Self::Local => "local",
        }
    }

    /// The argument that chooses this scope.
    pub(crate) fn argument(self) -> String {
        format!("--scope {}", self.name())
    }
}
