//! The preference that `clear` or `set --agents` is about, and its change after the person was asked.

use clap::Args;
use plantune_domain::preferences::Preference;

use super::key::missing;
use crate::failure::Failure;
use crate::preferences::change::Change;
use crate::preferences::scope::{PreferenceScope, ScopeArguments};
use crate::preferences::sentence::from_now_on;
use crate::preferences::writer::apply_one;
use crate::preferences::{called, files};
use crate::workspace::Workspace;

/// The arguments that name it.
#[derive(Args, Debug)]
pub(super) struct Selected {
    /// The question: its key, or what it is called
    #[arg(value_name = "KEY")]
    pub(super) key: String,
    #[command(flatten)]
    pub(super) scope: ScopeArguments,
    /// Do not ask (not in an agent's session)
    #[arg(long)]
    pub(super) yes: bool,
}

impl Selected {
    /// The same with the key of what it names.
    ///
    /// # Errors
    /// Those of [`called::key`].
    pub(super) fn resolved(&self, workspace: &Workspace) -> Result<Self, Failure> {
        Ok(Self {
            key: called::key(&self.key, workspace)?,
            scope: self.scope.clone(),
            yes: self.yes,
        })
    }

    /// The scope, and the preference that stands there, for `prefs VERB`.
    ///
    /// # Errors
    /// Failed without such a preference; usage where it stands in several places and nobody can be asked; conflict for
    /// a file that is not understood.
    pub(super) fn find(
        &self,
        verb: &str,
        workspace: &Workspace,
    ) -> Result<(PreferenceScope, Preference), Failure> {
        let command = |scope: &PreferenceScope, word: &str| scope.prefs(verb, word);
        let standing = self.scope.standing(&self.key, &command, workspace)?;
        let scope = standing.map_or_else(|| self.scope.resolve(workspace), Ok)?;
        match files::preference(workspace, &scope, &self.key)? {
            Some(preference) => Ok((scope, preference)),
            None => Err(missing(&self.key, &self.scope, workspace)),
        }
    }

    /// Puts `after` in the place of what stood there `before`, after asking: `verb` is `clear` or `set --agents`.
    ///
    /// # Errors
    /// Refused where the person cannot be asked, and for what would not be obeyed; conflict for a
    /// file that is not understood.
    pub(super) fn change(
        &self,
        scope: PreferenceScope,
        (before, after): (&Preference, Option<Preference>),
        (verb, reason): (&str, &'static str),
        (sentence, question): (Option<String>, &str),
        workspace: &Workspace,
    ) -> Result<(), Failure> {
        let command = scope.prefs(verb, &called::word(&self.key, before));
        let change = Change::new(workspace, scope, &self.key, after, reason);
        let usual = || from_now_on(&change, Some(before), None, workspace);
        let sentence = sentence.unwrap_or_else(usual);
        apply_one(
            workspace,
            &change,
            (&sentence, question),
            self.yes,
            &command,
        )
        .map(drop)
    }
}
