//! The next thing to do to the settings, one entry at a time.

use super::edited::{Change, Problem};
use super::layout::Edit;
use super::ours;
use super::view::{Entry, View};

/// One edit, and what it means.
pub(super) struct Step {
    pub(super) edit: Edit,
    pub(super) change: Change,
}

/// What is to be done next so that `command` is registered as it should be; `None` when it is.
///
/// # Errors
/// When something stands there twice.
pub(super) fn install(view: &View<'_>, command: &str) -> Result<Option<Step>, Problem> {
    for entry in view.ours() {
        let keeper = keeper(view, &entry.event, command);
        if keeper.is_none_or(|keeper| keeper.json.span() != entry.json.span()) {
            return take_out(view, entry);
        }
    }
    for entry in view.ours() {
        if let Some(edit) = repair(view, entry, command) {
            let change = Change::of("update", &entry.event);
            return Ok(Some(Step { edit, change }));
        }
    }
    let mut events = view.as_registered.events.iter();
    let is_absent = |name: &str| view.ours().all(|entry| entry.event != name);
    let Some((name, matcher)) = events.find(|(name, _)| is_absent(name)) else {
        return Ok(None);
    };
    let group = ours::group(*matcher, &ours::entry(command, None, view.as_registered));
    Ok(Some(Step {
        edit: view.push(&["hooks", name], &group)?,
        change: Change::of("add", name),
    }))
}

/// What is to be done next so that nothing of ours is left; `None` when nothing is.
///
/// # Errors
/// When something stands there twice.
pub(super) fn uninstall(view: &View<'_>) -> Result<Option<Step>, Problem> {
    let first = view.ours().next();
    first.map_or(Ok(None), |entry| take_out(view, entry))
}

/// Makes `entry`, the one that stays of its event, current and its group one of the right matcher.
fn repair(view: &View<'_>, entry: &Entry<'_>, command: &str) -> Option<Edit> {
    let matcher = view.matcher_for(&entry.event)?;
    let current = ours::entry(command, Some(entry.json), view.as_registered);
    let kept = entry.json.items();
    if !entry.matcher.is(matcher) {
        let group = ours::group(matcher, &current);
        return Some(view.style.replace(entry.group, &group, &kept));
    }
    let is_current = ours::is_current(entry.json, Some(command), view.as_registered);
    (!is_current).then(|| view.style.replace(entry.json, &current, &kept))
}

/// Which of our entries of `event` stays: one that is right already, else one in a group of the right
/// matcher, else one whose group is all ours, so that its matcher may be set. An entry that
/// shares a group of another matcher with foreign ones cannot stay.
fn keeper<'v, 'a>(view: &'v View<'a>, event: &str, command: &str) -> Option<&'v Entry<'a>> {
    let matcher = view.matcher_for(event)?;
    let rank = |entry: &&Entry<'_>| match entry.matcher.is(matcher) {
        true => Some(u8::from(!ours::is_current(
            entry.json,
            Some(command),
            view.as_registered,
        ))),
        false => view.is_group_ours(entry).then_some(2),
    };
    let entries = view.ours().filter(|entry| entry.event == event);
    entries
        .filter(|entry| rank(entry).is_some())
        .min_by_key(rank)
}

fn take_out(view: &View<'_>, entry: &Entry<'_>) -> Result<Option<Step>, Problem> {
    let change = Change::of("remove", &entry.event);
    let edit = view.remove_entry(entry)?;
    Ok(edit.map(|edit| Step { edit, change }))
}
