//! Claude Code's settings.json as an editor sees it: text in, text and a list of changes out.
//!
//! The file is the person's. Only plantune's own entries are written, each with an edit of its
//! own span; every other byte stays. Nothing here touches a file.
//!
//! Syntax trees that can be edited (`jsonc-parser` 0.34 was tried) lay a container out over lines
//! when a member is added and drop blank lines, so that taking it out does not give the bytes back.

mod document;
mod edited;
mod inspect;
mod layout;
mod notifications;
mod ours;
mod policies;
mod rules;
mod status_line;
mod steps;
#[cfg(test)]
mod tests;
mod view;

pub(crate) use edited::{Change, Edited, List, Problem};
pub(crate) use inspect::{Inspection, Registration, inspect, inspect_for, missing};
pub(crate) use ours::names_our_hook;
pub(crate) use status_line::{ARGUMENT as STATUS_LINE_ARGUMENT, Owner as StatusLineOwner};
pub(crate) use view::Matcher;

use plantune_agents::claude_code::REGISTRATION;
use plantune_agents::installed::Registration as AsRegistered;
use view::View;

/// Registers the hook binary `command` in the settings `text`; `""` stands for no file.
///
/// Entries of ours that are there already are repaired in place. A second call with the same
/// command changes nothing.
///
/// # Errors
/// When the text is not JSON that can be edited safely.
pub(crate) fn install(text: &str, command: &str) -> Result<Edited, Problem> {
    install_for(&REGISTRATION, text, command)
}

/// The same in the hooks `text` of the agent that the hook is registered with so.
///
/// # Errors
/// When the text is not JSON that can be edited safely.
pub(crate) fn install_for(
    as_registered: &'static AsRegistered,
    text: &str,
    command: &str,
) -> Result<Edited, Problem> {
    to_fixpoint(as_registered, text, |view| steps::install(view, command))
}

/// Has the shell line `command` print the status line in the settings `text`, unless another one is there.
///
/// # Errors
/// When the text is not JSON that can be edited safely.
pub(crate) fn install_status_line(text: &str, command: &str) -> Result<Edited, Problem> {
    to_fixpoint(&REGISTRATION, text, |view| {
        status_line::install(view, command)
    })
}

/// Has Claude Code ring the terminal's bell in the settings `text`, unless they name another channel.
///
/// # Errors
/// When the text is not JSON that can be edited safely.
pub(crate) fn install_notifications(text: &str) -> Result<Edited, Problem> {
    to_fixpoint(&REGISTRATION, text, notifications::install)
}

/// True when the settings `text` say how Claude Code notifies the person, or have a hook that does.
///
/// # Errors
/// When the text is not JSON that Claude Code reads.
pub(crate) fn notifies(text: &str) -> Result<bool, Problem> {
    notifications::is_set(&View::read(text, &REGISTRATION)?)
}

/// Whose status line the settings `text` have.
///
/// # Errors
/// When the text is not JSON that Claude Code reads.
pub(crate) fn status_line_owner(text: &str) -> Result<StatusLineOwner, Problem> {
    status_line::owner(&View::read(text, &REGISTRATION)?)
}

/// Takes every entry of ours out of the settings `text`, with the groups, events and the `hooks`
/// object that hold nothing else, and the status line that is ours.
///
/// After [`install`] on settings without our entries this gives back the same bytes, save where
/// two different texts install to one: an empty `hooks` object or event is gone, and an empty
/// object that held white space is `{}`. [`is_origin`] distinguishes these.
///
/// # Errors
/// When the text is not JSON that can be edited safely.
pub(crate) fn uninstall(text: &str) -> Result<Edited, Problem> {
    to_fixpoint(&REGISTRATION, text, |view| match steps::uninstall(view)? {
        Some(step) => Ok(Some(step)),
        None => status_line::uninstall(view),
    })
}

/// Makes `list` of the settings `text` hold every rule of `wanted` and none of `unwanted`; what becomes
/// empty with a rule that goes, goes too.
///
/// # Errors
/// When the text is not JSON that can be edited safely.
pub(crate) fn rule(
    text: &str,
    list: List,
    wanted: &[String],
    unwanted: &[String],
) -> Result<Edited, Problem> {
    if list == List::Policies {
        return policies::edit(text, wanted, unwanted);
    }
    to_fixpoint(&REGISTRATION, text, |view| {
        rules::step(view, list, wanted, unwanted)
    })
}

/// The rules in `list` of the settings `text`.
///
/// # Errors
/// When the text is not JSON that Claude Code reads.
pub(crate) fn listed(text: &str, list: List) -> Result<Vec<String>, Problem> {
    match list {
        List::Policies => Ok(policies::listed(text)),
        _ => {
            let rules = rules::rules(&View::read(text, &REGISTRATION)?, list)?;
            Ok(rules.into_iter().flatten().collect())
        }
    }
}

/// Those of `rules` that the settings `text` deny already.
///
/// # Errors
/// When the text is not JSON that Claude Code reads.
pub(crate) fn denied(text: &str, rules: &[String]) -> Result<Vec<String>, Problem> {
    let there = listed(text, List::Deny)?;
    let known = |rule: &&String| there.contains(rule);
    Ok(rules.iter().filter(known).cloned().collect())
}

/// What plantune added to a text beside its hook.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct OurRules {
    /// Those of `--guard`.
    pub(crate) deny: Vec<String>,
    /// Those that the person accepted from `suggest`.
    pub(crate) allow: Vec<String>,
    /// True for the terminal's bell of `--notify`.
    pub(crate) notify: bool,
    /// The list that holds what is allowed, where it is not Claude Code's.
    pub(crate) allowing: Option<List>,
}

impl OurRules {
    fn allowing(&self) -> List {
        self.allowing.unwrap_or(List::Allow)
    }
}

/// Takes the rules of ours out of the settings `text`, and the bell; what becomes empty with them goes too.
///
/// # Errors
/// When the text is not JSON that can be edited safely.
pub(crate) fn without_rules(text: &str, ours: &OurRules) -> Result<Edited, Problem> {
    // What has none of ours need not be understood.
    let mut edited = Edited::unchanged(text);
    for (list, rules) in [(List::Deny, &ours.deny), (ours.allowing(), &ours.allow)] {
        let rules = Some(rules).filter(|rules| !rules.is_empty());
        edited = edited.with(rules, |text, rules| rule(text, list, &[], rules))?;
    }
    edited.with(ours.notify.then_some(()), |text, ()| {
        to_fixpoint(&REGISTRATION, text, notifications::uninstall)
    })
}

/// [`is_origin_with`] the hook alone.
pub(crate) fn is_origin(candidate: &str, current: &str) -> bool {
    is_origin_with(candidate, current, &OurRules::default())
}

/// True when adding what is ours in `current`, the hook and the rules `added`, to `candidate` gives
/// `current`: then `candidate`, which has nothing of ours, is what the settings were before.
pub(crate) fn is_origin_with(candidate: &str, current: &str, added: &OurRules) -> bool {
    let (Ok(before), Ok(now)) = (inspect(candidate), inspect(current)) else {
        return false;
    };
    let allowed = listed(candidate, added.allowing()).unwrap_or_default();
    if !before.registrations.is_empty() || added.allow.iter().any(|rule| allowed.contains(rule)) {
        return false;
    }
    let is_ours = |owner: &StatusLineOwner| matches!(owner, StatusLineOwner::Ours(_));
    let owner = |text| status_line_owner(text).ok();
    if owner(candidate).as_ref().is_none_or(is_ours) {
        return false;
    }
    let first = now.registrations.first();
    let line = match owner(current).filter(|_| first.is_some()) {
        Some(StatusLineOwner::Ours(command)) => Some(command),
        _ => None,
    };
    let bell = first.filter(|_| added.notify);
    let hook = |text: &str| {
        Edited::unchanged(text)
            .with(first, |text, first| install(text, &first.program))?
            .with(line.as_deref(), install_status_line)?
            .with(bell, |text, _| install_notifications(text))?
            .with(Some(&added.deny), |text, deny| {
                rule(text, List::Deny, deny, &[])
            })
    };
    let allow = |text: &str| rule(text, added.allowing(), &added.allow, &[]);
    let is_current = |edited: Result<Edited, Problem>| edited.is_ok_and(|one| one.text == current);
    is_current(hook(candidate).and_then(|edited| allow(&edited.text)))
        || is_current(allow(candidate).and_then(|edited| hook(&edited.text)))
}

/// Takes one step after the other, each on the text the last one left, until none is left to
/// take: so the result is one that needs no step, whatever the file looked like.
fn to_fixpoint(
    as_registered: &'static AsRegistered,
    text: &str,
    next: impl Fn(&View<'_>) -> Result<Option<steps::Step>, Problem>,
) -> Result<Edited, Problem> {
    let mut edited = Edited::unchanged(text);
    // Every step removes or repairs an entry; more steps than bytes would be a defect.
    for _ in 0..text.len() + 64 {
        let Some(step) = next(&View::read(&edited.text, as_registered)?)? else {
            return Ok(edited);
        };
        edited.text = step.edit.apply(&edited.text);
        edited.changes.push(step.change);
    }
    Err(
        Problem::at(text, 0, "the entries of plantune have no fixpoint")
            .remedy("take them out by hand, and report this"),
    )
}
