//! The scopes of Claude Code's settings.

use clap::ValueEnum;

/// Whose settings are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SettingsScope {
    /// All your projects: ~/.claude/settings.json (or below CLAUDE_CONFIG_DIR)
    User,
    /// Everybody who works on this project: .claude/settings.json
    Project,
    /// You, in this project: .claude/settings.local.json
    Local,
}

impl SettingsScope {
    /// Every scope, that of the settings that go before the others last.
    pub(crate) const ALL: [Self; 3] = [Self::User, Self::Project, Self::Local];

    /// The argument that chooses this scope.
    pub(crate) fn argument(self) -> &'static str {
        match self {
            Self::User => "--scope user",
            Self::Project => "--scope project",
            Self::Local => "--scope local",
        }
    }
}
