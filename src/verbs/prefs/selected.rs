//! The preference that `clear`, `set --renew` or `set --bind` is about, and its change after the person was asked.

use clap::Args;
use plantune_domain::preferences::Preference;

use super::key::missing;
use crate::failure::Failure;
use crate::preferences::change::Change;
use crate::preferences::evidence;
use crate::preferences::files;
use crate::preferences::scope::{PreferenceScope, ScopeArguments, quoted};
use crate::preferences::sentence::from_now_on;
use crate::preferences::writer::apply;
use crate::terminal;
use crate::terminal::consent::Confirmation;
use crate::workspace::Workspace;

/// The arguments that name it.
#[derive(Args, Debug)]
pub(super) struct Selected {
    /// The question's key
    #[arg(value_name = "KEY")]
    pub(super) key: String,
    #[command(flatten)]
    pub(super) scope: ScopeArguments,
    /// Do not ask (not in an agent's session)
    #[arg(long)]
    pub(super) yes: bool,
}

/// What becomes of it.
pub(super) struct Edit<'a> {
    /// The verb with its option: `clear`, `set --renew`.
    pub(super) verb: &'static str,
    /// What changes, in a sentence; `None` for that of every change.
    pub(super) sentence: Option<String>,
    /// Why, for the record.
    pub(super) reason: &'static str,
    /// What the person is asked.
    pub(super) question: &'a str,
    /// What is to stand there; `None` takes it away.
    pub(super) preference: Option<Preference>,
}

impl Selected {
    /// The scope, and the preference that stands there.
    ///
    /// # Errors
    /// Failed without such a preference; conflict for a file that is not understood.
    pub(super) fn find(
        &self,
        workspace: &Workspace,
    ) -> Result<(PreferenceScope, Preference), Failure> {
        let scope = self.scope.resolve(workspace)?;
        match files::preference(workspace, &scope, &self.key)? {
            Some(preference) => Ok((scope, preference)),
            None => Err(missing(&self.key, &scope, workspace)),
        }
    }

    /// Changes what stood there `before`, after asking.
    ///
    /// # Errors
    /// Refused where the person cannot be asked, and for what would not be obeyed; conflict for a
    /// file that is not understood.
    pub(super) fn change(
        &self,
        (scope, before): (PreferenceScope, &Preference),
        edit: Edit<'_>,
        workspace: &Workspace,
    ) -> Result<(), Failure> {
        let command = format!(
            "plantune prefs {} {} {}",
            edit.verb,
            quoted(&self.key),
            scope.arguments()
        );
        let change = Change {
            evidence: evidence::now(workspace, &self.key, &scope),
            scope,
            key: self.key.clone(),
            preference: edit.preference,
            reason: edit.reason,
            undone: None,
        };
        let sentence = edit
            .sentence
            .unwrap_or_else(|| from_now_on(&change, Some(before), None, workspace));
        let confirmation = Confirmation {
            sentence: &sentence,
            question: edit.question,
            yes: self.yes,
            command: &terminal::sanitized(&command),
        };
        apply(workspace, std::slice::from_ref(&change), &confirmation).map(drop)
    }
}
