//! The preference that a verb is about, and its change after the person was asked.

use clap::Args;
use plantune_domain::preferences::Preference;

use super::missing;
use crate::failure::Failure;
use crate::preferences::evidence;
use crate::preferences::files;
use crate::preferences::scope::{Place, PlaceArguments, quoted};
use crate::preferences::writer::{Asking, Change, apply};
use crate::terminal;
use crate::workspace::Workspace;

/// The words that name it.
#[derive(Args, Debug)]
pub(super) struct One {
    /// The question's key
    #[arg(value_name = "KEY")]
    pub(super) key: String,
    #[command(flatten)]
    place: PlaceArguments,
    /// Do not ask (not in an agent's session)
    #[arg(long)]
    yes: bool,
}

/// What a verb makes of it.
pub(super) struct Made {
    /// The verb: `clear` or `renew`.
    pub(super) verb: &'static str,
    /// Why, for the record.
    pub(super) reason: &'static str,
    /// What the person is asked.
    pub(super) question: &'static str,
    /// What is to stand there; `None` takes it away.
    pub(super) preference: Option<Preference>,
}

impl One {
    /// The place, and the preference that stands there.
    ///
    /// # Errors
    /// Failed without such a preference; conflict for a file that is not understood.
    pub(super) fn find(&self, workspace: &Workspace) -> Result<(Place, Preference), Failure> {
        let place = self.place.resolve()?;
        match files::preference(workspace, &place, &self.key)? {
            Some(preference) => Ok((place, preference)),
            None => Err(missing(&self.key, &place)),
        }
    }

    /// Changes it after showing the change and asking; false when the person said no.
    ///
    /// # Errors
    /// Refused where the person cannot be asked, and for what would not be obeyed; conflict for a
    /// file that is not understood.
    pub(super) fn change(
        &self,
        place: Place,
        made: Made,
        workspace: &Workspace,
    ) -> Result<bool, Failure> {
        let command = format!(
            "plantune prefs {} {} {}",
            made.verb,
            quoted(&self.key),
            place.words()
        );
        let change = Change {
            evidence: evidence::now(workspace, &self.key, &place),
            place,
            key: self.key.clone(),
            preference: made.preference,
            reason: made.reason,
            undone: None,
        };
        let asking = Asking {
            question: made.question,
            yes: self.yes,
            command: &terminal::harmless(&command),
        };
        apply(workspace, std::slice::from_ref(&change), &asking)
    }
}
