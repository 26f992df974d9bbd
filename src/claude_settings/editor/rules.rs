//! The permission rules of the lists below `permissions`, and OpenCode's object below `permission`: adding ours, and
//! taking exactly those out again.

use super::document::{Item, Json, quoted};
use super::edited::{Change, List, Problem};
use super::steps::Step;
use super::view::View;

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
    let there = rules(view, list)?;
    let is_stale =
        |rule: &Option<String>| rule.as_ref().is_some_and(|rule| unwanted.contains(rule));
    if let Some(stale) = there.iter().position(is_stale) {
        let change = Change::RuleRemoved(list);
        let edit = view.remove(&keys(list), Some(stale))?;
        return Ok(edit.map(|edit| Step { edit, change }));
    }
    let is_absent = |rule: &&String| !there.iter().flatten().any(|known| known == *rule);
    let Some(rule) = wanted.iter().find(is_absent) else {
        return Ok(None);
    };
    let edit = match list {
        List::Commands(value) => {
            let [outer, key] = keys(list);
            // What is refused ends nobody's asking.
            let is_denied = value == List::Deny.key();
            match view.get(&[outer, key])? {
                Some(commands) if commands.is_object() => {
                    view.insert(&[outer, key, rule], &quoted(value))?
                }
                // One word is for every command; of what fits a command the last counts.
                Some(word) if word.string().is_some_and(|word| word == "ask" || is_denied) => {
                    let all = quoted(&word.string().unwrap_or_default());
                    let both = format!("{{\"*\":{all},{}:{}}}", quoted(rule), quoted(value));
                    view.style.replace(word, &both, &[])
                }
                None if is_denied => view.insert(&[outer, key, rule], &quoted(value))?,
                _ => {
                    let fact = "`permission.bash` is neither \"ask\" nor an object of commands";
                    return Err(Problem::at(view.text, 0, fact).remedy(
                        "what is asked about is said elsewhere, and a rule here could end that: add the command to \
                         the object that says so, by hand, after `\"*\": \"ask\"`",
                    ));
                }
            }
        }
        _ => view.push(&keys(list), &quoted(rule))?,
    };
    Ok(Some(Step {
        edit,
        change: Change::RuleAdded(list),
    }))
}

/// The rules in `list` of `view`, an item each; `None` for what is no rule of it.
///
/// # Errors
/// When `permissions` or the list is not what Claude Code reads.
pub(super) fn rules(view: &View<'_>, list: List) -> Result<Vec<Option<String>>, Problem> {
    let [outer, key] = keys(list);
    let (permissions, rules) = (view.get(&[outer])?, view.get(&[outer, key])?);
    if let List::Commands(value) = list {
        let is_listed = |item: &Item<'_>| item.value.string().as_deref() == Some(value);
        let rules = rules.map(Json::items).unwrap_or_default().into_iter();
        return Ok(rules
            .map(|item| item.key.clone().filter(|_| is_listed(&item)))
            .collect());
    }
    if let Some(other) = permissions.filter(|permissions| !permissions.is_object()) {
        return Err(other
            .problem("`permissions` is no object")
            .remedy("it is an object of lists: {\"allow\": […], \"deny\": […]}"));
    }
    if let Some(other) = rules.filter(|rules| !rules.is_array()) {
        return Err(other
            .problem(format!("`permissions.{key}` is no array"))
            .remedy("it is an array of rules: [\"Edit(~/.ssh/**)\", …]"));
    }
    let rules = rules.map(Json::items).unwrap_or_default().into_iter();
    Ok(rules.map(|item| item.value.string()).collect())
}
