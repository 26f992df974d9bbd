//! The permission rules under `permissions.deny`: adding ours, and taking exactly those out again.

use super::document::{Member, Span, elements, members, string, unique};
use super::layout::{Edit, Node, remove, wholes};
use super::steps::{Step, add_to_root};
use super::view::View;
use super::{Change, Problem};

/// The `permissions` object, as far as it is there.
struct Permissions {
    /// Which of the root's members it is.
    at: usize,
    span: Span,
    members: Vec<Member>,
    deny: Option<Deny>,
}

/// The array `permissions.deny`.
struct Deny {
    /// Which member of `permissions` it is.
    at: usize,
    span: Span,
    items: Vec<Span>,
    /// As many as there are items; `None` for what is no string.
    rules: Vec<Option<String>>,
}

/// What is to be done next so that every rule of `wanted` is there and none of `unwanted`.
///
/// # Errors
/// When `permissions` or `deny` is not what Claude Code reads.
pub(super) fn step(
    view: &View<'_>,
    wanted: &[String],
    unwanted: &[String],
) -> Result<Option<Step>, Problem> {
    let permissions = Permissions::read(view)?;
    let deny = permissions.as_ref().and_then(|there| there.deny.as_ref());
    let there = deny.map_or(&[][..], |deny| &deny.rules);
    let stale = there
        .iter()
        .position(|rule| rule.as_ref().is_some_and(|rule| unwanted.contains(rule)));
    if let (Some(permissions), Some(deny), Some(at)) = (&permissions, deny, stale) {
        return Ok(Some(Step {
            edit: removal(view, permissions, deny, at),
            change: Change::RuleRemoved,
        }));
    }
    let absent = |rule: &&String| !there.iter().flatten().any(|known| known == *rule);
    Ok(wanted.iter().find(absent).map(|rule| Step {
        edit: addition(view, permissions.as_ref(), rule),
        change: Change::RuleAdded,
    }))
}

/// Those of `rules` that `view` denies already.
///
/// # Errors
/// When `permissions` or `deny` is not what Claude Code reads.
pub(super) fn present(view: &View<'_>, rules: &[String]) -> Result<Vec<String>, Problem> {
    let there = Permissions::read(view)?.and_then(|there| there.deny);
    let there = there.map(|deny| deny.rules).unwrap_or_default();
    let known = |rule: &&String| there.iter().flatten().any(|known| known == *rule);
    Ok(rules.iter().filter(known).cloned().collect())
}

impl Permissions {
    fn read(view: &View<'_>) -> Result<Option<Self>, Problem> {
        let text = view.text;
        let Some(member) = unique(text, &view.members, "permissions")? else {
            return Ok(None);
        };
        let span = member.value.clone();
        let inner = members(text, &span).ok_or_else(|| {
            Problem::at(text, span.start, "`permissions` is no object")
                .remedy("it is an object of lists: {\"allow\": […], \"deny\": […]}")
        })?;
        let deny = match unique(text, &inner, "deny")? {
            None => None,
            Some(member) => Some(Deny::read(text, place(&inner, member), &member.value)?),
        };
        Ok(Some(Self {
            at: place(&view.members, member),
            span,
            members: inner,
            deny,
        }))
    }
}

impl Deny {
    fn read(text: &str, at: usize, span: &Span) -> Result<Self, Problem> {
        let items = elements(text, span).ok_or_else(|| {
            Problem::at(text, span.start, "`permissions.deny` is no array")
                .remedy("it is an array of rules: [\"Edit(~/.ssh/**)\", …]")
        })?;
        let rules = items.iter().map(|item| string(text, item)).collect();
        Ok(Self {
            at,
            span: span.clone(),
            items,
            rules,
        })
    }
}

fn place(members: &[Member], member: &Member) -> usize {
    let same = |other: &Member| other.whole == member.whole;
    members.iter().position(same).unwrap_or_default()
}

fn addition(view: &View<'_>, permissions: Option<&Permissions>, rule: &str) -> Edit {
    let rule = Node::string(rule);
    let Some(permissions) = permissions else {
        let deny = ("deny".to_owned(), Node::Array(vec![rule]));
        return add_to_root(view, "permissions", Node::Object(vec![deny]));
    };
    match &permissions.deny {
        Some(deny) => view
            .style
            .append(view.text, &deny.span, &deny.items, None, &rule),
        None => {
            let (items, rules) = (wholes(&permissions.members), Node::Array(vec![rule]));
            view.style
                .append(view.text, &permissions.span, &items, Some("deny"), &rules)
        }
    }
}

/// Takes a rule out, and with the last one the list and the object that held nothing else.
fn removal(view: &View<'_>, permissions: &Permissions, deny: &Deny, at: usize) -> Edit {
    match &view.root {
        Some(root) if deny.items.len() == 1 && permissions.members.len() == 1 => {
            remove(root, &wholes(&view.members), permissions.at)
        }
        Some(_) if deny.items.len() == 1 => {
            remove(&permissions.span, &wholes(&permissions.members), deny.at)
        }
        _ => remove(&deny.span, &deny.items, at),
    }
}
