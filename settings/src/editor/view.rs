//! The settings, read with positions: every hook that is registered, and edits below any key.
//!
//! Entries that Claude Code would not understand either are passed over, unless plantune would have to
//! write there; then it is a problem to report.

use std::collections::BTreeSet;

use plantune_agents::installed::Registration;

use super::document::{Edit, Json, Style, quoted, remove, root};
use super::registration;
use crate::Problem;

/// The whole file.
pub(super) struct View<'a> {
    /// How the hook is registered there.
    pub(super) as_registered: &'static Registration,
    pub(super) text: &'a str,
    pub(super) style: Style,
    /// The root object; `None` for a file of white space.
    root: Option<Json<'a>>,
    /// Every hook, in the file's order.
    pub(super) entries: Vec<HookEntry<'a>>,
}

/// Which tools a group is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Matcher {
    /// Every one.
    All,
    /// A name or a regular expression.
    Pattern(String),
    /// A value that is no string.
    Unknown,
}

/// One hook: an entry in the list of a group, which is one of an event's.
pub(super) struct HookEntry<'a> {
    pub(super) event: String,
    pub(super) group: Json<'a>,
    pub(super) matcher: Matcher,
    /// True when the group holds nothing but matcher and entries, so that without entries it is nothing.
    bare: bool,
    /// The group's list of entries, and which one it is.
    list: Json<'a>,
    at: usize,
    pub(super) json: Json<'a>,
    /// The command as written; `None` for other kinds of hook.
    pub(super) command: Option<String>,
    /// The program it starts, when that is ours.
    pub(super) program: Option<String>,
}

impl<'a> View<'a> {
    /// Reads `text`.
    ///
    /// # Errors
    /// If Claude Code could not read it, or a key that matters is there twice.
    pub(super) fn read(
        text: &'a str,
        as_registered: &'static Registration,
    ) -> Result<Self, Problem> {
        let root = root(text)?;
        let mut view = Self {
            as_registered,
            text,
            style: Style::of(text, root),
            root,
            entries: Vec::new(),
        };
        let Some(hooks) = view.get(&["hooks"])? else {
            return Ok(view);
        };
        if !hooks.is_object() {
            return Err(hooks
                .problem("`hooks` is not an object")
                .remedy("it is an object of events, each with a list"));
        }
        let mut names = BTreeSet::new();
        for event in hooks.items() {
            let name = event.key.unwrap_or_default();
            if !names.insert(name.clone()) {
                hooks.find(&name)?;
            }
            if event.value.is_array() {
                for group in event.value.items() {
                    view.entries.extend(group_entries(&name, group.value)?);
                }
            } else if view.matcher_for(&name).is_some() {
                let fact = format!("`hooks.{name}` is not an array");
                return Err(event.value.problem(fact).remedy(
                    "it is an array of groups: [{\"matcher\": \"…\", \"hooks\": […]}, …]",
                ));
            }
        }
        Ok(view)
    }

    /// The matcher with which `event` is registered; `None` for an event that is not.
    pub(super) fn matcher_for(&self, event: &str) -> Option<Option<&'static str>> {
        let mut events = self.as_registered.events.iter();
        let known = events.find(|(name, _)| *name == event);
        known.map(|(_, matcher)| *matcher)
    }

    /// The entries that are ours.
    pub(super) fn ours(&self) -> impl Iterator<Item = &HookEntry<'a>> {
        let is_ours = |entry: &&HookEntry<'_>| entry.program.is_some();
        self.entries.iter().filter(is_ours)
    }

    /// True when all that is in the group of `entry` is ours.
    pub(super) fn is_group_ours(&self, entry: &HookEntry<'_>) -> bool {
        let is_beside = |other: &&HookEntry<'_>| other.list.span() == entry.list.span();
        let mut beside = self.entries.iter().filter(is_beside);
        entry.bare && beside.all(|other| other.program.is_some())
    }

    /// The value below `keys`.
    ///
    /// # Errors
    /// If one of them is there twice.
    pub(super) fn get(&self, keys: &[&str]) -> Result<Option<Json<'a>>, Problem> {
        keys.iter().try_fold(self.root, |inside, key| {
            inside.map_or(Ok(None), |inside| inside.get(key))
        })
    }

    /// Puts `json` below `keys`, with the objects that are missing on the way.
    ///
    /// # Errors
    /// If one of the keys is there twice.
    pub(super) fn insert(&self, keys: &[&str], json: &str) -> Result<Edit, Problem> {
        let [outer @ .., key] = keys else {
            return Ok(self.style.file(self.text, json));
        };
        match self.get(outer)? {
            Some(container) => Ok(self.style.append(container, Some(key), json)),
            None => self.insert(outer, &format!("{{{}:{json}}}", quoted(key))),
        }
    }

    /// Adds `json` to the list below `keys`, which is created if it is missing.
    ///
    /// # Errors
    /// If one of the keys is there twice.
    pub(super) fn push(&self, keys: &[&str], json: &str) -> Result<Edit, Problem> {
        match self.get(keys)? {
            Some(list) => Ok(self.style.append(list, None, json)),
            None => self.insert(keys, &format!("[{json}]")),
        }
    }

    /// Removes the value below `keys`, or its item `at`, and the containers that hold nothing else; `None`
    /// when nothing is there.
    ///
    /// # Errors
    /// If one of the keys is there twice.
    pub(super) fn remove(&self, keys: &[&str], at: Option<usize>) -> Result<Option<Edit>, Problem> {
        let mut places = Vec::new();
        let mut here = self.root;
        for key in keys {
            let Some((container, (place, inside))) =
                here.zip(here.map_or(Ok(None), |here| here.find(key))?)
            else {
                return Ok(None);
            };
            places.push((container, place));
            here = Some(inside);
        }
        places.extend(here.zip(at));
        Ok(remove(&places))
    }

    /// Takes `entry` out, and with the last one of a group the group.
    ///
    /// # Errors
    /// The errors of [`View::remove`].
    pub(super) fn remove_entry(&self, entry: &HookEntry<'_>) -> Result<Option<Edit>, Problem> {
        if !entry.bare || entry.list.items().len() > 1 {
            return Ok(remove(&[(entry.list, entry.at)]));
        }
        let keys = ["hooks", &*entry.event];
        let groups = self.get(&keys)?.map(Json::items).unwrap_or_default();
        let group = groups
            .iter()
            .position(|group| group.span == entry.group.span());
        self.remove(&keys, group)
    }
}

/// The entries of a group of `event`.
fn group_entries<'a>(event: &str, group: Json<'a>) -> Result<Vec<HookEntry<'a>>, Problem> {
    let list = group.get("hooks")?.filter(|hooks| hooks.is_array());
    let matcher = match group.get("matcher")?.map(Json::string) {
        None => Matcher::All,
        Some(Some(all)) if all.is_empty() || all == "*" => Matcher::All,
        Some(Some(pattern)) => Matcher::Pattern(pattern),
        Some(None) => Matcher::Unknown,
    };
    let is_known = |key: &str| ["matcher", "hooks"].contains(&key);
    let bare = group
        .items()
        .iter()
        .all(|item| item.key.as_deref().is_some_and(is_known));
    let Some(list) = list else {
        return Ok(Vec::new());
    };
    let entry = |(at, item): (usize, super::document::Item<'a>)| {
        let json = item.value;
        let command = json.get("command")?.and_then(Json::string);
        let direct = json.get("args")?.is_some_and(Json::is_array);
        let program = command.as_deref();
        let program = program.and_then(|command| registration::program(command, direct));
        if program.is_some() {
            for member in json.items() {
                json.find(&member.key.unwrap_or_default())?;
            }
        }
        Ok(HookEntry {
            event: event.to_owned(),
            group,
            matcher: matcher.clone(),
            bare,
            list,
            at,
            json,
            command,
            program,
        })
    };
    list.items().into_iter().enumerate().map(entry).collect()
}

impl Matcher {
    /// True if plantune registers with it.
    pub(super) fn is(&self, wanted: Option<&str>) -> bool {
        match (self, wanted) {
            (Self::All, None) => true,
            (Self::Pattern(pattern), Some(wanted)) => pattern == wanted,
            _ => false,
        }
    }

    /// True when the group is called for the tool named `tool`, as far as is known: a pattern
    /// that only JavaScript understands counts as a match.
    pub(super) fn takes(&self, tool: &str) -> bool {
        match self {
            Self::All => true,
            Self::Unknown => false,
            Self::Pattern(name) if name.chars().all(|c| c.is_alphanumeric() || c == '_') => {
                name == tool
            }
            Self::Pattern(pattern) => {
                regex::Regex::new(pattern).map_or(true, |regex| regex.is_match(tool))
            }
        }
    }
}
