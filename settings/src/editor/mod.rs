//! Claude Code's settings.json as an editor sees it: text in, text and a list of changes out.
//!
//! The file is the person's. Only plantune's own entries are written, each with an edit of its
//! own span; every other byte stays. Nothing here touches a file.
//!
//! Syntax trees that can be edited (`jsonc-parser` 0.34 was tried) lay a container out over lines
//! when a member is added and drop blank lines, so that taking it out does not give the bytes back.

mod document;
mod notifications;
mod registration;
mod rules;
mod status_line;
mod view;

use std::path::Path;

use plantune_agents::claude_code::{self, REGISTRATION};
use plantune_agents::installed::Registration;

use self::document::Edit;
pub use self::registration::{
    ConflictingHook, Inspection, RegisteredHook, inspect, inspect_for, missing,
};
use self::view::{HookEntry, View};
use crate::Problem;
pub use registration::names_our_hook;
pub use status_line::{ARGUMENT as STATUS_LINE_ARGUMENT, Owner as StatusLineOwner};
pub use view::Matcher;

/// Registers the hook binary `command` in the settings `text`; `""` stands for no file.
///
/// Entries of ours that are there already are repaired in place. A second call with the same
/// command changes nothing.
///
/// # Errors
/// When the text is not JSON that can be edited safely.
pub fn install(
    as_registered: &'static Registration,
    text: &str,
    command: &str,
) -> Result<Edited, Problem> {
    to_fixpoint(as_registered, text, |view| next_to_install(view, command))
}

/// Has the shell line `command` print the status line in the settings `text`, unless another one is there.
///
/// # Errors
/// When the text is not JSON that can be edited safely.
pub fn install_status_line(text: &str, command: &str) -> Result<Edited, Problem> {
    to_fixpoint(&REGISTRATION, text, |view| {
        status_line::install(view, command)
    })
}

/// Has Claude Code ring the terminal's bell in the settings `text`, unless they name another channel.
///
/// # Errors
/// When the text is not JSON that can be edited safely.
pub fn install_notifications(text: &str) -> Result<Edited, Problem> {
    to_fixpoint(&REGISTRATION, text, notifications::install)
}

/// True when the settings `text` say how Claude Code notifies the person, or have a hook that does.
///
/// # Errors
/// When the text is not JSON that Claude Code reads.
pub fn notifies(text: &str) -> Result<bool, Problem> {
    notifications::is_set(&View::read(text, &REGISTRATION)?)
}

/// Whose status line the settings `text` have.
///
/// # Errors
/// When the text is not JSON that Claude Code reads.
pub fn status_line_owner(text: &str) -> Result<StatusLineOwner, Problem> {
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
pub fn uninstall(text: &str) -> Result<Edited, Problem> {
    to_fixpoint(&REGISTRATION, text, |view| match next_to_uninstall(view)? {
        Some(step) => Ok(Some(step)),
        None => status_line::uninstall(view),
    })
}

/// Makes `list` of the settings `text` hold every rule of `wanted` and none of `unwanted`; what becomes
/// empty with a rule that goes, goes too.
///
/// # Errors
/// When the text is not JSON that can be edited safely.
pub fn rule(
    text: &str,
    list: List,
    wanted: &[String],
    unwanted: &[String],
) -> Result<Edited, Problem> {
    if list == List::Policies {
        return rules::edit(text, wanted, unwanted);
    }
    to_fixpoint(&REGISTRATION, text, |view| {
        rules::step(view, list, wanted, unwanted)
    })
}

/// The rules in `list` of the settings `text`.
///
/// # Errors
/// When the text is not JSON that Claude Code reads.
pub fn listed(text: &str, list: List) -> Result<Vec<String>, Problem> {
    match list {
        List::Policies => Ok(rules::listed(text)),
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
pub fn denied(text: &str, rules: &[String]) -> Result<Vec<String>, Problem> {
    let there = listed(text, List::Deny)?;
    let known = |rule: &&String| there.contains(rule);
    Ok(rules.iter().filter(known).cloned().collect())
}

/// The rules that plantune added to a text beside its hook.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OurRules {
    /// Those of `--guard`.
    pub deny: Vec<String>,
    /// Those that the person accepted from `suggest`.
    pub allow: Vec<String>,
    /// True for the terminal's bell of `--notify`.
    pub notify: bool,
    /// The list of allowed calls, if it is not Claude Code's.
    pub allowing: Option<List>,
}

impl OurRules {
    fn allowing(&self) -> List {
        self.allowing.unwrap_or(List::Allow)
    }
}

/// Removes our rules from the settings `text`, and the bell, and the containers that become empty.
///
/// # Errors
/// When the text is not JSON that can be edited safely.
pub fn without_rules(text: &str, ours: &OurRules) -> Result<Edited, Problem> {
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
pub fn is_origin(candidate: &str, current: &str) -> bool {
    is_origin_with(candidate, current, &OurRules::default())
}

/// True if adding our entries in `current`, the hook and the rules `added`, to `candidate` gives
/// `current`: then `candidate`, without our entries, is the text before our changes.
pub fn is_origin_with(candidate: &str, current: &str, added: &OurRules) -> bool {
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
    let registered = claude_code::registration(None, current);
    let hook = |text: &str| {
        Edited::unchanged(text)
            .with(first, |text, first| {
                install(registered, text, &first.program)
            })?
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

/// Takes one step after the other, each on the text the last one left, until no more are left to
/// take: so the result is one that needs no step, whatever the file looked like.
fn to_fixpoint(
    as_registered: &'static Registration,
    text: &str,
    next: impl Fn(&View<'_>) -> Result<Option<Step>, Problem>,
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

// What an edit of the settings did.

/// A list of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum List {
    /// Calls that run unasked.
    Allow,
    /// Calls that are asked about even if another rule allows them.
    Ask,
    /// Calls that are refused.
    Deny,
    /// The list of OpenCode, which keeps an object of commands and their treatment: those with this value.
    Commands(&'static str),
    /// The list of Gemini CLI, in plantune's own file: calls that run unasked.
    Policies,
}

impl List {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Allow, Self::Ask, Self::Deny];

    /// The calls that run unasked, in the file at `path`.
    pub fn allowing(path: &Path) -> Self {
        match path.file_name().and_then(|name| name.to_str()) {
            Some("opencode.json") => Self::Commands(Self::Allow.key()),
            Some("plantune.toml") => Self::Policies,
            _ => Self::Allow,
        }
    }

    /// The key below `permissions`, or the value of a command.
    fn key(self) -> &'static str {
        match self {
            Self::Commands(value) => value,
            Self::Policies => "allow",
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }
}

/// One change that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EditChange {
    /// In words: `add PreToolUse`.
    Words(String),
    /// A rule was added to this list.
    RuleAdded(List),
    /// A rule was removed from this list.
    RuleRemoved(List),
}

impl EditChange {
    /// `verb` is what was done to `what`.
    pub fn of(verb: &str, what: &str) -> Self {
        Self::Words(format!("{verb} {what}"))
    }
}

/// The settings after an edit.
#[derive(Debug)]
pub struct Edited {
    /// The new text.
    pub text: String,
    /// The changes, in order; empty when nothing had to be.
    pub changes: Vec<EditChange>,
}

impl Edited {
    /// `text`, in which nothing had to be done.
    pub fn unchanged(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            changes: Vec::new(),
        }
    }

    /// With `edit` made as well, where something is `wanted`.
    ///
    /// # Errors
    /// The errors of the edit.
    pub fn with<T>(
        mut self,
        wanted: Option<T>,
        edit: impl FnOnce(&str, T) -> Result<Self, Problem>,
    ) -> Result<Self, Problem> {
        if let Some(wanted) = wanted {
            let next = edit(&self.text, wanted)?;
            self.text = next.text;
            self.changes.extend(next.changes);
        }
        Ok(self)
    }

    /// The changes in a line: `add PreToolUse, update SessionEnd, add 9 rules that deny`.
    pub fn summary(&self) -> String {
        let words = self.changes.iter().filter_map(|change| match change {
            EditChange::Words(words) => Some(words.clone()),
            EditChange::RuleAdded(_) | EditChange::RuleRemoved(_) => None,
        });
        let mut words: Vec<String> = words.collect();
        let lists = List::ALL.into_iter();
        for list in lists.chain([List::Commands("allow"), List::Policies]) {
            let (one, several) = match list {
                List::Allow | List::Commands(_) | List::Policies => ("allows", "allow"),
                List::Ask => ("asks", "ask"),
                List::Deny => ("denies", "deny"),
            };
            for (change, verb) in [
                (EditChange::RuleAdded(list), "add"),
                (EditChange::RuleRemoved(list), "remove"),
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
}

// The next thing to do to the settings, one entry at a time.

/// One edit, and its meaning.
struct Step {
    edit: Edit,
    change: EditChange,
}

/// The next step so that `command` is registered as it should be; `None` when it is.
///
/// # Errors
/// If a key is there twice.
fn next_to_install(view: &View<'_>, command: &str) -> Result<Option<Step>, Problem> {
    for entry in view.ours() {
        let keeper = keeper(view, &entry.event, command);
        if keeper.is_none_or(|keeper| keeper.json.span() != entry.json.span()) {
            return take_out(view, entry);
        }
    }
    for entry in view.ours() {
        if let Some(edit) = repair(view, entry, command) {
            let change = EditChange::of("update", &entry.event);
            return Ok(Some(Step { edit, change }));
        }
    }
    let mut events = view.as_registered.events.iter();
    let is_absent = |name: &str| view.ours().all(|entry| entry.event != name);
    let Some((name, matcher)) = events.find(|(name, _)| is_absent(name)) else {
        return Ok(None);
    };
    let group = registration::group(
        *matcher,
        &registration::entry(command, None, view.as_registered),
    );
    Ok(Some(Step {
        edit: view.push(&["hooks", name], &group)?,
        change: EditChange::of("add", name),
    }))
}

/// The next step so that nothing of ours is left; `None` when nothing is.
///
/// # Errors
/// If a key is there twice.
fn next_to_uninstall(view: &View<'_>) -> Result<Option<Step>, Problem> {
    let first = view.ours().next();
    first.map_or(Ok(None), |entry| take_out(view, entry))
}

/// Makes `entry`, the one that stays of its event, current and its group one of the right matcher.
fn repair(view: &View<'_>, entry: &HookEntry<'_>, command: &str) -> Option<Edit> {
    let matcher = view.matcher_for(&entry.event)?;
    let current = registration::entry(command, Some(entry.json), view.as_registered);
    let kept = entry.json.items();
    if !entry.matcher.is(matcher) {
        let group = registration::group(matcher, &current);
        return Some(view.style.replace(entry.group, &group, &kept));
    }
    let is_current = registration::is_current(entry.json, Some(command), view.as_registered);
    (!is_current).then(|| view.style.replace(entry.json, &current, &kept))
}

/// Which of our entries of `event` stays: one that is right already, else one in a group of the right
/// matcher, else one whose group is all ours, so that its matcher may be set. An entry that
/// shares a group of another matcher with foreign ones cannot stay.
fn keeper<'v, 'a>(view: &'v View<'a>, event: &str, command: &str) -> Option<&'v HookEntry<'a>> {
    let matcher = view.matcher_for(event)?;
    let rank = |entry: &&HookEntry<'_>| match entry.matcher.is(matcher) {
        true => Some(u8::from(!registration::is_current(
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

fn take_out(view: &View<'_>, entry: &HookEntry<'_>) -> Result<Option<Step>, Problem> {
    let change = EditChange::of("remove", &entry.event);
    let edit = view.remove_entry(entry)?;
    Ok(edit.map(|edit| Step { edit, change }))
}
