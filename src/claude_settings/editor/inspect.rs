//! What is registered, for those who only want to know.

use plantune_agents::claude_code::{ASKING, REGISTRATION, TOOL};
use plantune_agents::installed::Registration as AsRegistered;

use super::edited::Problem;
use super::ours;
use super::view::{Matcher, View};

/// What the settings say about questions.
#[derive(Debug, Default)]
pub(crate) struct Inspection {
    /// Our entries, in the file's order.
    pub(crate) registrations: Vec<Registration>,
    /// Other people's hooks that are called before `AskUserQuestion` runs, and so may answer,
    /// rewrite or block a question too.
    pub(crate) conflicting: Vec<ConflictingHook>,
}

/// One entry of ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Registration {
    /// The event it is called for.
    pub(crate) event: String,
    /// The hook binary it starts: a path, or a name to be found through `PATH`.
    pub(crate) program: String,
    /// Which tools it is called for.
    pub(crate) matcher: Matcher,
    /// True when the event is one plantune registers, with this matcher.
    pub(crate) place_ok: bool,
    /// True when the entry is written as `install` writes it, whatever its program.
    pub(crate) form_ok: bool,
}

/// One hook of somebody else's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ConflictingHook {
    /// Which tools it is called for.
    pub(crate) matcher: Matcher,
    /// Its command; `None` for a hook that is no command. Untrusted text.
    pub(crate) command: Option<String>,
}

/// Reads what is registered in the settings `text`; `""` stands for no file.
///
/// # Errors
/// When the text is not JSON that Claude Code reads.
pub(crate) fn inspect(text: &str) -> Result<Inspection, Problem> {
    inspect_for(&REGISTRATION, text)
}

/// The same of the hooks `text` of the agent that the hook is registered with so.
///
/// # Errors
/// When the text is not JSON.
pub(crate) fn inspect_for(
    as_registered: &'static AsRegistered,
    text: &str,
) -> Result<Inspection, Problem> {
    let view = View::read(text, as_registered)?;
    let mut found = Inspection::default();
    for entry in &view.entries {
        let matcher = entry.matcher.clone();
        match &entry.program {
            Some(program) => found.registrations.push(Registration {
                event: entry.event.clone(),
                program: program.clone(),
                place_ok: view
                    .matcher_for(&entry.event)
                    .is_some_and(|wanted| matcher.is(wanted)),
                form_ok: ours::is_current(entry.json, None, as_registered),
                matcher,
            }),
            None if entry.event == ASKING && matcher.takes(TOOL) => {
                let command = entry.command.clone();
                found.conflicting.push(ConflictingHook { matcher, command });
            }
            None => {}
        }
    }
    Ok(found)
}

/// The events that `install` would register and that have no entry in `found`.
pub(crate) fn missing(found: &Inspection) -> impl Iterator<Item = &'static str> {
    let events = REGISTRATION.events.iter().map(|(name, _)| *name);
    events.filter(|name| found.registrations.iter().all(|entry| entry.event != *name))
}
