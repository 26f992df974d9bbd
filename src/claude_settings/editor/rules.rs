//! The permission rules of the lists below `permissions`, and OpenCode's object below `permission`: adding ours, and
//! taking exactly those out again.

use super::document::{Member, Span, elements, members, string, unique};
use super::edited::{Change, List, Problem};
use super::layout::{Edit, Node, remove, wholes};
use super::steps::{Step, add_to_root};
use super::view::View;

/// The `permissions` object, as far as it is there.
struct Permissions {
    /// Which of the root's members it is.
    at: usize,
    span: Span,
    members: Vec<Member>,
    rules: Option<Rules>,
}

/// The array of one list, or the object of commands.
struct Rules {
    /// Which member of `permissions` it is.
    at: usize,
    span: Span,
    items: Vec<Span>,
    /// As many as there are items; `None` for what is no rule of the list.
    rules: Vec<Option<String>>,
    /// True for one value in place of the object: every command is asked about.
    is_text: bool,
}

/// Where the rules of `list` stand.
fn keys(list: List) -> [&'static str; 2] {
    match list {
        List::Commands(_) => ["permission", "bash"],
        _ => ["permissions", list.key()],
    }
}

/// What is to be done next so that every rule of `wanted` is in `list` and none of `unwanted`.
///
/// # Errors
/// When `permissions` or the list is not what Claude Code reads.
pub(super) fn step(
    view: &View<'_>,
    list: List,
    wanted: &[String],
    unwanted: &[String],
) -> Result<Option<Step>, Problem> {
    let permissions = Permissions::read(view, list)?;
    let rules = permissions.as_ref().and_then(|there| there.rules.as_ref());
    let there = rules.map_or(&[][..], |rules| &rules.rules);
    let stale = there
        .iter()
        .position(|rule| rule.as_ref().is_some_and(|rule| unwanted.contains(rule)));
    if let (Some(permissions), Some(rules), Some(at)) = (&permissions, rules, stale) {
        return Ok(Some(Step {
            edit: removal(view, permissions, rules, at),
            change: Change::RuleRemoved(list),
        }));
    }
    let absent = |rule: &&String| !there.iter().flatten().any(|known| known == *rule);
    let wanted = wanted.iter().find(absent);
    if let (List::Commands(_), None, Some(_)) = (list, rules, wanted) {
        let fact = "`permission.bash` is neither \"ask\" nor an object of commands";
        let remedy = "what is asked about is said elsewhere, and a rule here could end that: add the command to the \
                      object that says so, by hand, after `\"*\": \"ask\"`";
        return Err(Problem::at(view.text, 0, fact).remedy(remedy));
    }
    Ok(wanted.map(|rule| Step {
        edit: addition(view, list, permissions.as_ref(), rule),
        change: Change::RuleAdded(list),
    }))
}

/// The rules in `list` of `view`; what is no text is left out.
///
/// # Errors
/// When `permissions` or the list is not what Claude Code reads.
pub(super) fn present(view: &View<'_>, list: List) -> Result<Vec<String>, Problem> {
    let there = Permissions::read(view, list)?.and_then(|there| there.rules);
    let there = there.map(|there| there.rules).unwrap_or_default();
    Ok(there.into_iter().flatten().collect())
}

impl Permissions {
    fn read(view: &View<'_>, list: List) -> Result<Option<Self>, Problem> {
        let text = view.text;
        let [outer, key] = keys(list);
        let Some(member) = unique(text, &view.members, outer)? else {
            return Ok(None);
        };
        let span = member.value.clone();
        let inner = members(text, &span);
        if inner.is_none() && matches!(list, List::Commands(_)) {
            return Ok(None);
        }
        let inner = inner.ok_or_else(|| {
            Problem::at(text, span.start, "`permissions` is no object")
                .remedy("it is an object of lists: {\"allow\": […], \"deny\": […]}")
        })?;
        let rules = match unique(text, &inner, key)? {
            None => None,
            Some(member) if matches!(list, List::Commands(_)) => {
                Rules::of_commands(text, list, place(&inner, member), &member.value)
            }
            Some(member) => {
                let at = place(&inner, member);
                Some(Rules::read(text, list, at, &member.value)?)
            }
        };
        Ok(Some(Self {
            at: place(&view.members, member),
            span,
            members: inner,
            rules,
        }))
    }
}

impl Rules {
    fn read(text: &str, list: List, at: usize, span: &Span) -> Result<Self, Problem> {
        let items = elements(text, span).ok_or_else(|| {
            let fact = format!("`permissions.{}` is no array", list.key());
            Problem::at(text, span.start, fact)
                .remedy("it is an array of rules: [\"Edit(~/.ssh/**)\", …]")
        })?;
        let rules = items.iter().map(|item| string(text, item)).collect();
        Ok(Self {
            at,
            span: span.clone(),
            items,
            rules,
            is_text: false,
        })
    }

    /// The object of commands at `span`, or the word for all of them; `None` for what is neither.
    fn of_commands(text: &str, list: List, at: usize, span: &Span) -> Option<Self> {
        let commands = members(text, span);
        let is_text = commands.is_none() && string(text, span).as_deref() == Some("ask");
        let commands = commands.or(is_text.then(Vec::new))?;
        let is_listed = |value: &Span| string(text, value).as_deref() == Some(list.key());
        let key = |one: &Member| is_listed(&one.value).then(|| one.key.clone());
        Some(Self {
            at,
            span: span.clone(),
            items: wholes(&commands),
            rules: commands.iter().map(key).collect(),
            is_text,
        })
    }
}

fn place(members: &[Member], member: &Member) -> usize {
    let same = |other: &Member| other.whole == member.whole;
    members.iter().position(same).unwrap_or_default()
}

fn addition(view: &View<'_>, list: List, permissions: Option<&Permissions>, rule: &str) -> Edit {
    if let (List::Commands(value), Some(rules)) =
        (list, permissions.and_then(|there| there.rules.as_ref()))
    {
        let value = Node::string(value);
        // Of what fits a command the last counts.
        let all = || ("*".to_owned(), Node::string("ask"));
        return match rules.is_text {
            true => {
                let both = Node::Object(vec![all(), (rule.to_owned(), value)]);
                view.style.replace(view.text, &rules.span, &both)
            }
            false => view
                .style
                .append(view.text, &rules.span, &rules.items, Some(rule), &value),
        };
    }
    let (key, rule) = (list.key(), Node::string(rule));
    let Some(permissions) = permissions else {
        let list = (key.to_owned(), Node::Array(vec![rule]));
        return add_to_root(view, "permissions", Node::Object(vec![list]));
    };
    match &permissions.rules {
        Some(rules) => view
            .style
            .append(view.text, &rules.span, &rules.items, None, &rule),
        None => {
            let (items, rules) = (wholes(&permissions.members), Node::Array(vec![rule]));
            view.style
                .append(view.text, &permissions.span, &items, Some(key), &rules)
        }
    }
}

/// Takes a rule out, and with the last one the list and the object that held nothing else.
fn removal(view: &View<'_>, permissions: &Permissions, rules: &Rules, at: usize) -> Edit {
    match &view.root {
        Some(root) if rules.items.len() == 1 && permissions.members.len() == 1 => {
            remove(root, &wholes(&view.members), permissions.at)
        }
        Some(_) if rules.items.len() == 1 => {
            remove(&permissions.span, &wholes(&permissions.members), rules.at)
        }
        _ => remove(&rules.span, &rules.items, at),
    }
}
