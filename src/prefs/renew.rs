//! `plantune prefs renew`.

use clap::Args;
use plantune_hooks::clock;
use plantune_hooks::preferences::{Policy, PreferenceFile};
use plantune_reports::inert::one_line;

use super::missing;
use crate::context::Context;
use crate::failure::Failure;
use crate::place::{PlaceArguments, quoted};
use crate::preference_writer::{Asking, Change, apply};
use crate::{standing, terminal, user_files};

/// How much of a key is shown, in characters.
const SHOWN: usize = 400;

/// Say that a preference is still right
///
/// What was decided by it and what its spot checks said is counted anew from now on.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// The question's key
    #[arg(value_name = "KEY")]
    key: String,
    #[command(flatten)]
    place: PlaceArguments,
    /// Do not ask (not in an agent's session)
    #[arg(long)]
    yes: bool,
}

/// Sets the preference anew, as it is, after showing the change and asking.
///
/// # Errors
/// Failed without such a preference; refused where the person cannot be asked, and for one that is
/// not obeyed; conflict for a file that is not understood.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> Result<(), Failure> {
    let place = arguments.place.resolve()?;
    let registry = user_files::registry(context)?;
    let file = PreferenceFile::load(&place.file(&context.paths));
    let file = file.map_err(|error| user_files::conflict(&error))?;
    let Some(mut preference) = file.and_then(|mut file| file.preferences.remove(&arguments.key))
    else {
        return Err(missing(&arguments.key, &place));
    };
    if preference.preference == Policy::AlwaysAsk {
        let key = one_line(&arguments.key, SHOWN);
        return terminal::print(&format!("{key} is always put to you: nothing to renew\n"));
    }
    preference.set_at = Some(clock::timestamp(context.now));
    let change = Change {
        evidence: standing::evidence_now(context, &arguments.key, &place),
        place,
        key: arguments.key.clone(),
        preference: Some(preference),
        reason: "prefs renew",
        undone: None,
    };
    let command = format!(
        "plantune prefs renew {} {}",
        quoted(&arguments.key),
        change.place.words()
    );
    let asking = Asking {
        question: "Is this preference still right?",
        yes: arguments.yes,
        command: &terminal::harmless(&command),
    };
    if apply(context, &registry, std::slice::from_ref(&change), &asking)? {
        let key = one_line(&change.key, SHOWN);
        terminal::print(&format!("renewed: {key} stands for another ninety days\n"))?;
    }
    Ok(())
}
