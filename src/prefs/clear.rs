//! `plantune prefs clear`.

use clap::Args;
use plantune_hooks::preferences::PreferenceFile;
use plantune_reports::inert::one_line;

use super::missing;
use crate::context::Context;
use crate::failure::Failure;
use crate::place::{Place, PlaceArguments, quoted};
use crate::preference_writer::{Asking, Change, apply};
use crate::{standing, terminal, user_files};

/// How much of a key is shown, in characters.
const SHOWN: usize = 400;

/// Be asked a question again
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

/// Takes the preference away after showing the change and asking.
///
/// # Errors
/// Failed without such a preference; refused where the person cannot be asked; conflict for a file
/// that is not understood.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> Result<(), Failure> {
    let place = arguments.place.resolve()?;
    let registry = user_files::registry(context)?;
    if !stands(&place, &arguments.key, context)? {
        return Err(missing(&arguments.key, &place));
    }
    let change = Change {
        evidence: standing::evidence_now(context, &arguments.key, &place),
        place,
        key: arguments.key.clone(),
        preference: None,
        reason: "prefs clear",
        undone: None,
    };
    let command = format!(
        "plantune prefs clear {} {}",
        quoted(&arguments.key),
        change.place.words()
    );
    let asking = Asking {
        question: "Clear this preference?",
        yes: arguments.yes,
        command: &terminal::harmless(&command),
    };
    if apply(context, &registry, std::slice::from_ref(&change), &asking)? {
        let key = one_line(&change.key, SHOWN);
        terminal::print(&format!("cleared: {key} is put to you again\n"))?;
    }
    Ok(())
}

fn stands(place: &Place, key: &str, context: &Context) -> Result<bool, Failure> {
    let file = PreferenceFile::load(&place.file(&context.paths));
    let file = file.map_err(|error| user_files::conflict(&error))?;
    Ok(file.is_some_and(|file| file.preferences.contains_key(key)))
}
