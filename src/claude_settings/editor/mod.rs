//! Claude Code's settings.json as an editor sees it: text in, text and a list of changes out.
//!
//! The file is the person's. Only plantune's own entries are written, each with an edit of its
//! own span; every other byte stays. Nothing here touches a file.
//!
//! Syntax trees that can be edited (`jsonc-parser` 0.34 was tried) lay a container out over lines
//! when a member is added and drop blank lines, so that taking it out does not give the bytes back.

mod document;
mod inspect;
mod layout;
mod ours;
mod rules;
mod status_line;
mod steps;
#[cfg(test)]
mod tests;
mod view;

use std::fmt;

pub(crate) use inspect::{Inspection, Registration, inspect, missing};
pub(crate) use ours::names_our_hook;
pub(crate) use rules::List;
pub(crate) use status_line::{ARGUMENT as STATUS_LINE_ARGUMENT, Owner as StatusLineOwner};
pub(crate) use view::Matcher;

use view::View;

/// Why the settings cannot be edited, where, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    fact: String,
    line: usize,
    column: usize,
    remedy: &'static str,
}

impl Problem {
    /// `fact` about the byte `offset` of `text`.
    fn at(text: &str, offset: usize, fact: impl Into<String>) -> Self {
        let before = text.get(..offset.min(text.len())).unwrap_or(text);
        let line = before.rsplit('\n').next().unwrap_or_default();
        Self {
            fact: fact.into(),
            line: before.matches('\n').count() + 1,
            column: line.chars().filter(|c| *c != '\u{feff}').count() + 1,
            remedy: "",
        }
    }

    fn remedy(mut self, remedy: &'static str) -> Self {
        self.remedy = remedy;
        self
    }

    /// What the person can do.
    pub(crate) fn hint(&self) -> &'static str {
        self.remedy
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "line {}, column {}: {}",
            self.line, self.column, self.fact
        )
    }
}

/// One thing done to the settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// An event got its entry.
    Added(String),
    /// An entry of ours was brought up to date where it stands.
    Updated(String),
    /// A double, misplaced or unwanted entry of ours went.
    Removed(String),
    /// A list of permission rules got one.
    RuleAdded(List),
    /// A rule went from a list.
    RuleRemoved(List),
    /// The status line is ours now.
    StatusLineAdded,
    /// It was ours, and has another command now.
    StatusLineUpdated,
    /// It was ours, and went.
    StatusLineRemoved,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Added(event) => write!(f, "add {event}"),
            Self::Updated(event) => write!(f, "update {event}"),
            Self::Removed(event) => write!(f, "remove {event}"),
            Self::RuleAdded(_) => f.write_str("add a rule"),
            Self::RuleRemoved(_) => f.write_str("remove a rule"),
            Self::StatusLineAdded => f.write_str("add the status line"),
            Self::StatusLineUpdated => f.write_str("update the status line"),
            Self::StatusLineRemoved => f.write_str("remove the status line"),
        }
    }
}

/// The settings after an edit.
#[derive(Debug)]
pub(crate) struct Edited {
    /// The new text.
    pub(crate) text: String,
    /// What was done, in order; empty when nothing had to be.
    pub(crate) changes: Vec<Change>,
}

impl Edited {
    /// The changes in a line: `add PreToolUse, update SessionEnd, add 9 rules that deny`.
    pub(crate) fn summary(&self) -> String {
        let is_rule =
            |change: &&Change| matches!(change, Change::RuleAdded(_) | Change::RuleRemoved(_));
        let mut words: Vec<_> = self
            .changes
            .iter()
            .filter(|change| !is_rule(change))
            .map(ToString::to_string)
            .collect();
        for list in List::ALL {
            let (one, several) = match list {
                List::Allow => ("allows", "allow"),
                List::Ask => ("asks", "ask"),
                List::Deny => ("denies", "deny"),
            };
            for (change, verb) in [
                (Change::RuleAdded(list), "add"),
                (Change::RuleRemoved(list), "remove"),
            ] {
                match self.changes.iter().filter(|done| **done == change).count() {
                    0 => {}
                    1 => words.push(format!("{verb} a rule that {one}")),
                    count => words.push(format!("{verb} {count} rules that {several}")),
                }
            }
        }
        words.join(", ")
    }

    /// Both edits, `next` having been made on this one's text.
    pub(crate) fn and_then(mut self, next: Self) -> Self {
        self.changes.extend(next.changes);
        Self {
            text: next.text,
            changes: self.changes,
        }
    }
}

/// Registers the hook binary `command` in the settings `text`; `""` stands for no file.
///
/// Entries of ours that are there already are repaired in place. A second call with the same
/// command changes nothing.
///
/// # Errors
/// When the text is not JSON that can be edited safely.
pub(crate) fn install(text: &str, command: &str) -> Result<Edited, Problem> {
    to_fixpoint(text, |view| Ok(steps::install(view, command)))
}

/// Has the shell line `command` print the status line in the settings `text`, unless another one is there.
///
/// # Errors
/// When the text is not JSON that can be edited safely.
pub(crate) fn install_status_line(text: &str, command: &str) -> Result<Edited, Problem> {
    to_fixpoint(text, |view| status_line::install(view, command))
}

/// Whose status line the settings `text` have.
///
/// # Errors
/// When the text is not JSON that Claude Code reads.
pub(crate) fn status_line_owner(text: &str) -> Result<StatusLineOwner, Problem> {
    status_line::owner(&View::read(text)?)
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
    to_fixpoint(text, |view| match steps::uninstall(view) {
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
    to_fixpoint(text, |view| rules::step(view, list, wanted, unwanted))
}

/// The rules in `list` of the settings `text`.
///
/// # Errors
/// When the text is not JSON that Claude Code reads.
pub(crate) fn listed(text: &str, list: List) -> Result<Vec<String>, Problem> {
    rules::present(&View::read(text)?, list)
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

/// The permission rules in a text that plantune added.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct OurRules {
    /// Those of `--guard`.
    pub(crate) deny: Vec<String>,
    /// Those that the person accepted from `suggest`.
    pub(crate) allow: Vec<String>,
}

/// Takes the rules of ours out of the settings `text`; what becomes empty with them goes too.
///
/// # Errors
/// When the text is not JSON that can be edited safely.
pub(crate) fn without_rules(text: &str, ours: &OurRules) -> Result<Edited, Problem> {
    // What has none of ours need not be understood.
    let mut edited = Edited {
        text: text.to_owned(),
        changes: Vec::new(),
    };
    for (list, rules) in [(List::Deny, &ours.deny), (List::Allow, &ours.allow)] {
        if !rules.is_empty() {
            let next = rule(&edited.text, list, &[], rules)?;
            edited = edited.and_then(next);
        }
    }
    Ok(edited)
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
    let allowed = listed(candidate, List::Allow).unwrap_or_default();
    if !before.registrations.is_empty() || added.allow.iter().any(|rule| allowed.contains(rule)) {
        return false;
    }
    let is_ours = |owner: &StatusLineOwner| matches!(owner, StatusLineOwner::Ours(_));
    let owner = |text| status_line_owner(text).ok();
    if owner(candidate).as_ref().is_none_or(is_ours) {
        return false;
    }
    let with_status_line = |edited: Edited| match owner(current) {
        Some(StatusLineOwner::Ours(command)) => install_status_line(&edited.text, &command),
        _ => Ok(edited),
    };
    let hook = |text: &str| match now.registrations.first() {
        Some(first) => install(text, &first.program)
            .and_then(with_status_line)
            .and_then(|edited| rule(&edited.text, List::Deny, &added.deny, &[])),
        None => rule(text, List::Deny, &added.deny, &[]),
    };
    let allow = |text: &str| rule(text, List::Allow, &added.allow, &[]);
    let is_current = |edited: Result<Edited, Problem>| edited.is_ok_and(|one| one.text == current);
    is_current(hook(candidate).and_then(|edited| allow(&edited.text)))
        || is_current(allow(candidate).and_then(|edited| hook(&edited.text)))
}

/// Takes one step after the other, each on the text the last one left, until none is left to
/// take: so the result is one that needs no step, whatever the file looked like.
fn to_fixpoint(
    text: &str,
    next: impl Fn(&View<'_>) -> Result<Option<steps::Step>, Problem>,
) -> Result<Edited, Problem> {
    let mut edited = Edited {
        text: text.to_owned(),
        changes: Vec::new(),
    };
    // Every step removes or repairs an entry; more steps than bytes would be a defect.
    for _ in 0..text.len() + 64 {
        let Some(step) = next(&View::read(&edited.text)?)? else {
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
