//! The next thing to do to the settings, one entry at a time.

use super::document::Span;
use super::edited::Change;
use super::layout::{Edit, Node, remove, wholes};
use super::ours;
use super::view::{Event, Group, View};

/// One edit, and what it means.
pub(super) struct Step {
    pub(super) edit: Edit,
    pub(super) change: Change,
}

/// What is to be done next so that `command` is registered as it should be; `None` when it is.
pub(super) fn install(view: &View<'_>, command: &str) -> Option<Step> {
    view.events()
        .iter()
        .find_map(|event| repair(view, event, command))
        .or_else(|| {
            let mut events = view.as_registered.events.iter();
            events.find_map(|(name, matcher)| add(view, name, *matcher, command))
        })
}

/// What is to be done next so that nothing of ours is left; `None` when nothing is.
pub(super) fn uninstall(view: &View<'_>) -> Option<Step> {
    view.events().iter().find_map(|event| {
        let (group, entry) = event.ours().next()?;
        Some(take_out(view, event, group, entry))
    })
}

/// Brings the entries of one event in order: one of them, current, in a group of its matcher.
fn repair(view: &View<'_>, event: &Event, command: &str) -> Option<Step> {
    let mut events = view.as_registered.events.iter();
    let wanted = events
        .find(|(name, _)| *name == event.name)
        .map(|(_, matcher)| *matcher);
    let keeper = wanted.and_then(|matcher| keeper(view, event, matcher, command));
    if let Some((group, entry)) = event.ours().find(|place| Some(*place) != keeper) {
        return Some(take_out(view, event, group, entry));
    }
    let (matcher, (at, entry)) = (wanted?, keeper?);
    let group = event.groups.get(at)?;
    let members = &group.entries.get(entry)?.members;
    let node = ours::entry(view.text, command, members, view.as_registered);
    let edit = if !group.matcher.is(matcher) {
        let group = ours::group(matcher, node);
        view.style.replace(view.text, event.items.get(at)?, &group)
    } else if !ours::is_current(view.text, members, Some(command), view.as_registered) {
        view.style
            .replace(view.text, group.items.get(entry)?, &node)
    } else {
        return None;
    };
    Some(Step {
        edit,
        change: Change::of("update", &event.name),
    })
}

/// Which of our entries stays: one that is right already, else one in a group of the right
/// matcher, else one whose group is all ours, so that its matcher may be set. An entry that
/// shares a group of another matcher with foreign ones cannot stay.
fn keeper(
    view: &View<'_>,
    event: &Event,
    matcher: Option<&str>,
    command: &str,
) -> Option<(usize, usize)> {
    let rank = |&(group, entry): &(usize, usize)| {
        let group: &Group = event.groups.get(group)?;
        let members = &group.entries.get(entry)?.members;
        match group.matcher.is(matcher) {
            true if ours::is_current(view.text, members, Some(command), view.as_registered) => {
                Some(0)
            }
            true => Some(1),
            false => group.is_ours().then_some(2),
        }
    };
    event
        .ours()
        .filter(|place| rank(place).is_some())
        .min_by_key(rank)
}

/// Registers the event `name` if it has no entry of ours.
fn add(view: &View<'_>, name: &str, matcher: Option<&str>, command: &str) -> Option<Step> {
    let event = view.events().iter().find(|event| event.name == name);
    if event.is_some_and(|event| event.ours().next().is_some()) {
        return None;
    }
    let group = ours::group(matcher, ours::entry("", command, &[], view.as_registered));
    let edit = match (event, &view.hooks) {
        (Some(event), _) => view
            .style
            .append(view.text, &event.span, &event.items, None, &group),
        (None, Some(hooks)) => {
            let (items, groups) = (wholes(&hooks.members), Node::Array(vec![group]));
            view.style
                .append(view.text, &hooks.span, &items, Some(name), &groups)
        }
        (None, None) => {
            let hooks = Node::Object(vec![(name.to_owned(), Node::Array(vec![group]))]);
            add_to_root(view, "hooks", hooks)
        }
    };
    Some(Step {
        edit,
        change: Change::of("add", name),
    })
}

/// Gives the root, or a file of white space, the member `key`.
pub(super) fn add_to_root(view: &View<'_>, key: &str, node: Node) -> Edit {
    match &view.root {
        Some(root) => view
            .style
            .append(view.text, root, &wholes(&view.members), Some(key), &node),
        None => view
            .style
            .file(view.text, &Node::Object(vec![(key.to_owned(), node)])),
    }
}

fn take_out(view: &View<'_>, event: &Event, group: usize, entry: usize) -> Step {
    Step {
        edit: removal(view, event, group, entry),
        change: Change::of("remove", &event.name),
    }
}

fn removal(view: &View<'_>, event: &Event, at: usize, entry: usize) -> Edit {
    let single = |items: &[Span]| items.len() == 1;
    match (event.groups.get(at), &view.hooks, &view.root) {
        (Some(group), ..) if !single(&group.items) || !group.bare => {
            remove(&group.span, &group.items, entry)
        }
        (_, Some(hooks), Some(root)) if single(&event.items) => {
            if hooks.members.len() == 1 {
                remove(root, &wholes(&view.members), hooks.at)
            } else {
                remove(&hooks.span, &wholes(&hooks.members), event.at)
            }
        }
        _ => remove(&event.span, &event.items, at),
    }
}
