//! The entries by which an agent calls the hook, in a file of hooks: how they are written, found among other people's,
//! repaired and taken out.

use std::collections::BTreeSet;

use plantune_agents::claude_code::{ASKING, REGISTRATION, TOOL};
use plantune_agents::installed::Registration;
use plantune_domain::sanitize::posix_word;

use crate::Problem;
use crate::document::{Edit, EditChange, Edited, SettingsDocument, remove, to_fixpoint};
use crate::json::{Item, Json, quoted, slice};

/// Registers the hook binary `program` in the settings `text`; `""` stands for no file.
///
/// Entries of ours that are there already are repaired in place. A second call with the same
/// program changes nothing.
///
/// # Errors
/// When the text is not JSON that can be edited safely.
pub fn install(
    registration: &'static Registration,
    text: &str,
    program: &str,
) -> Result<Edited, Problem> {
    to_fixpoint(text, |text| {
        Hooks::read(registration, text)?
            .writable()?
            .next_to_install(program)
    })
}

/// Takes every entry of ours out of the settings `text`, with the groups, events and the `hooks` object that hold
/// nothing else. What the person has in place of an event's list or of `hooks` (`null`) stays.
///
/// # Errors
/// When the text is not JSON that can be edited safely.
pub(crate) fn uninstall_hook(text: &str) -> Result<Edited, Problem> {
    to_fixpoint(text, |text| {
        let hooks = Hooks::read(&REGISTRATION, text)?;
        let first = hooks.ours().next();
        first.map_or(Ok(None), |entry| hooks.take_out(entry))
    })
}

// What is registered, for those who only want to know.

/// The hooks in the settings that are called for questions.
#[derive(Clone, Debug, Default)]
pub struct Inspection {
    /// Our entries, in the file's order.
    pub registrations: Vec<RegisteredHook>,
    /// Other people's hooks that are called before `AskUserQuestion` runs, and so may answer,
    /// rewrite or block a question too.
    pub conflicting: Vec<ConflictingHook>,
}

/// One entry of ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisteredHook {
    /// The event it is called for.
    pub event: String,
    /// The hook binary it starts: a path, or a name to be found through `PATH`.
    pub program: String,
    /// Which tools it is called for.
    pub matcher: Matcher,
    /// True when the event is one plantune registers, with this matcher.
    pub place_ok: bool,
    /// True when the entry is written as `install` writes it, whatever its program.
    pub form_ok: bool,
}

/// One hook of somebody else's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConflictingHook {
    /// Which tools it is called for.
    pub matcher: Matcher,
    /// Its command; `None` for a hook that is no command. Untrusted text.
    pub command: Option<String>,
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

/// Reads the registered hooks in the settings `text`; `""` stands for no file.
///
/// # Errors
/// When the text is not JSON that the agent reads.
pub fn inspect(registration: &'static Registration, text: &str) -> Result<Inspection, Problem> {
    let hooks = Hooks::read(registration, text)?.writable()?;
    let mut found = Inspection::default();
    for entry in &hooks.entries {
        let matcher = entry.matcher.clone();
        match &entry.program {
            Some(program) => found.registrations.push(RegisteredHook {
                event: entry.event.clone(),
                program: program.clone(),
                place_ok: hooks
                    .matcher_for(&entry.event)
                    .is_some_and(|wanted| matcher.is(wanted)),
                form_ok: is_current(entry.json, None, registration),
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

/// The events of `registration` that have no entry in `found`.
pub fn missing(
    registration: &'static Registration,
    found: &Inspection,
) -> impl Iterator<Item = &'static str> {
    let events = registration.events.iter().map(|(name, _)| *name);
    events.filter(|name| found.registrations.iter().all(|entry| entry.event != *name))
}

// The hooks of a text, one entry at a time.

/// Every hook that is registered in a text. Entries that the agent would not understand either are passed over.
struct Hooks<'a> {
    registration: &'static Registration,
    document: SettingsDocument<'a>,
    /// In the file's order.
    entries: Vec<HookEntry<'a>>,
    /// What stands where `install` would have to write.
    obstacle: Option<Problem>,
}

/// One hook: an entry in the list of a group, which is one of an event's.
struct HookEntry<'a> {
    event: String,
    group: Json<'a>,
    matcher: Matcher,
    /// True when the group holds nothing but matcher and entries, so that without entries it is nothing.
    bare: bool,
    /// The group's list of entries, and which one it is.
    list: Json<'a>,
    at: usize,
    json: Json<'a>,
    /// The command as written; `None` for other kinds of hook.
    command: Option<String>,
    /// The program it starts, when that is ours.
    program: Option<String>,
}

impl<'a> Hooks<'a> {
    /// Reads `text`.
    ///
    /// # Errors
    /// If the agent could not read it, or a key that matters is there twice.
    fn read(registration: &'static Registration, text: &'a str) -> Result<Self, Problem> {
        let mut hooks = Self {
            registration,
            document: SettingsDocument::read(text)?,
            entries: Vec::new(),
            obstacle: None,
        };
        let Some(events) = hooks.document.get(&["hooks"])? else {
            return Ok(hooks);
        };
        if !events.is_object() {
            let problem = events.problem("`hooks` is not an object");
            hooks.obstacle = Some(problem.remedy("it is an object of events, each with a list"));
            return Ok(hooks);
        }
        let mut names = BTreeSet::new();
        for event in events.items() {
            let name = event.key.unwrap_or_default();
            if !names.insert(name.clone()) {
                events.find(&name)?;
            }
            if event.value.is_array() {
                for group in event.value.items() {
                    hooks.entries.extend(group_entries(&name, group.value)?);
                }
            } else if hooks.matcher_for(&name).is_some() {
                let problem = event
                    .value
                    .problem(format!("`hooks.{name}` is not an array"));
                hooks.obstacle.get_or_insert(
                    problem.remedy(
                        "it is an array of groups: [{\"matcher\": \"…\", \"hooks\": […]}, …]",
                    ),
                );
            }
        }
        Ok(hooks)
    }

    /// The same, if every event can be written to.
    ///
    /// # Errors
    /// The first thing that is in the way.
    fn writable(mut self) -> Result<Self, Problem> {
        self.obstacle.take().map_or(Ok(self), Err)
    }

    /// The matcher with which `event` is registered; `None` for an event that is not.
    fn matcher_for(&self, event: &str) -> Option<Option<&'static str>> {
        let mut events = self.registration.events.iter();
        let known = events.find(|(name, _)| *name == event);
        known.map(|(_, matcher)| *matcher)
    }

    /// The entries that are ours.
    fn ours(&self) -> impl Iterator<Item = &HookEntry<'a>> {
        let is_ours = |entry: &&HookEntry<'_>| entry.program.is_some();
        self.entries.iter().filter(is_ours)
    }

    /// True when all that is in the group of `entry` is ours.
    fn is_group_ours(&self, entry: &HookEntry<'_>) -> bool {
        let is_beside = |other: &&HookEntry<'_>| other.list.span() == entry.list.span();
        let mut beside = self.entries.iter().filter(is_beside);
        entry.bare && beside.all(|other| other.program.is_some())
    }

    /// The next edit so that `program` is registered as it should be; `None` when it is.
    ///
    /// # Errors
    /// If a key is there twice.
    fn next_to_install(&self, program: &str) -> Result<Option<(Edit, EditChange)>, Problem> {
        for entry in self.ours() {
            let keeper = self.keeper(&entry.event, program);
            if keeper.is_none_or(|keeper| keeper.json.span() != entry.json.span()) {
                return self.take_out(entry);
            }
        }
        for entry in self.ours() {
            if let Some(edit) = self.repair(entry, program) {
                let change = EditChange::part("update", &entry.event);
                return Ok(Some((edit, change)));
            }
        }
        let mut events = self.registration.events.iter();
        let is_absent = |name: &str| self.ours().all(|entry| entry.event != name);
        let Some((name, matcher)) = events.find(|(name, _)| is_absent(name)) else {
            return Ok(None);
        };
        let group = group_json(*matcher, &entry_json(program, None, self.registration));
        let edit = self.document.push(&["hooks", name], &group)?;
        Ok(Some((edit, EditChange::part("add", name))))
    }

    /// Which of our entries of `event` stays: one that is right already, else one in a group of the right
    /// matcher, else one whose group is all ours, so that its matcher may be set. An entry that
    /// shares a group of another matcher with foreign ones cannot stay.
    fn keeper(&self, event: &str, program: &str) -> Option<&HookEntry<'a>> {
        let matcher = self.matcher_for(event)?;
        let rank = |entry: &&HookEntry<'_>| match entry.matcher.is(matcher) {
            true if is_current(entry.json, Some(program), self.registration) => Some(0),
            true => Some(1),
            false => self.is_group_ours(entry).then_some(2),
        };
        let entries = self.ours().filter(|entry| entry.event == event);
        entries
            .filter(|entry| rank(entry).is_some())
            .min_by_key(rank)
    }

    /// Makes `entry`, the one that stays of its event, current and its group one of the right matcher.
    fn repair(&self, entry: &HookEntry<'_>, program: &str) -> Option<Edit> {
        let matcher = self.matcher_for(&entry.event)?;
        let current = entry_json(program, Some(entry.json), self.registration);
        let (style, kept) = (&self.document.style, entry.json.items());
        if !entry.matcher.is(matcher) {
            return Some(style.replace(entry.group, &group_json(matcher, &current), &kept));
        }
        let is_current = is_current(entry.json, Some(program), self.registration);
        (!is_current).then(|| style.replace(entry.json, &current, &kept))
    }

    /// Takes `entry` out, and with the last one of a group the group.
    fn take_out(&self, entry: &HookEntry<'_>) -> Result<Option<(Edit, EditChange)>, Problem> {
        let edit = if !entry.bare || entry.list.items().len() > 1 {
            remove(&[(entry.list, entry.at)])
        } else {
            let keys = ["hooks", &*entry.event];
            let groups = self.document.get(&keys)?.map(Json::items);
            let mut groups = groups.unwrap_or_default().into_iter();
            let group = groups.position(|group| group.span == entry.group.span());
            self.document.remove(&keys, group)?
        };
        let change = EditChange::part("remove", &entry.event);
        Ok(edit.map(|edit| (edit, change)))
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
    let entry = |(at, item): (usize, Item<'a>)| {
        let json = item.value;
        let command = json.get("command")?.and_then(Json::string);
        let direct = json.get("args")?.is_some_and(Json::is_array);
        let own = command
            .as_deref()
            .and_then(|command| program(command, direct));
        if own.is_some() {
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
            program: own,
        })
    };
    list.items().into_iter().enumerate().map(entry).collect()
}

impl Matcher {
    /// True if plantune registers with it.
    fn is(&self, wanted: Option<&str>) -> bool {
        match (self, wanted) {
            (Self::All, None) => true,
            (Self::Pattern(pattern), Some(wanted)) => pattern == wanted,
            _ => false,
        }
    }

    /// True when the group is called for the tool named `tool`, as far as is known: a pattern
    /// that only JavaScript understands counts as a match.
    fn takes(&self, tool: &str) -> bool {
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

// How an entry is written, and told from other people's.

/// Keys that would make the hook run late, seldom or not at all; an entry of ours has none.
const HINDERING: [&str; 5] = ["async", "asyncRewake", "if", "once", "shell"];

/// The file names of the hook binary.
const NAMES: [&str; 2] = ["plantune-hook", "plantune-hook.exe"];

/// True when the last part of `path` is the hook binary's name.
pub fn names_our_hook(path: &str) -> bool {
    path.rsplit(['/', '\\'])
        .next()
        .is_some_and(|name| NAMES.contains(&name))
}

/// The hook binary that `command` starts, when it is ours; `None` for everybody else's commands.
///
/// The command is the only identity an entry has: Claude Code may drop keys it does not know, and
/// several tools have used one tag. With `args` (`direct`) the command is the program's path;
/// otherwise it is a line for the shell, and ours when its first word is our program and no other
/// command follows. A wrapper (`timeout 5 plantune-hook`) is its maker's, not ours.
pub(crate) fn program(command: &str, direct: bool) -> Option<String> {
    if direct {
        return names_our_hook(command).then(|| command.to_owned());
    }
    let (word, rest) = first_word(command.trim())?;
    (names_our_hook(&word) && is_one_command(rest)).then_some(word)
}

/// The first word of a shell line, unquoted, and the rest; `None` for an open quote.
fn first_word(line: &str) -> Option<(String, &str)> {
    let mut word = String::new();
    let mut quote = None;
    let mut rest = line.char_indices().peekable();
    while let Some((at, c)) = rest.next() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '\'' | '"') => quote = Some(c),
            (None, c) if c.is_whitespace() || ";&|<>()".contains(c) => {
                return Some((word, slice(line, &(at..line.len()))));
            }
            // Only where a shell needs it: a Windows path keeps its separators.
            (None | Some('"'), '\\') => {
                let escaped = rest.next_if(|(_, next)| " '\"\\$`".contains(*next));
                word.push(escaped.map_or('\\', |(_, next)| next));
            }
            _ => word.push(c),
        }
    }
    quote.is_none().then_some((word, ""))
}

/// True if `rest`, the part after the program's name in a shell line, starts no other command:
/// arguments and redirections do not, nor does the habit of ending a hook with `|| true`.
fn is_one_command(rest: &str) -> bool {
    let rest = rest.trim();
    let tail = ["true", ":", "exit 0"]
        .iter()
        .find_map(|harmless| rest.strip_suffix(harmless));
    let rest = tail
        .and_then(|rest| rest.trim_end().strip_suffix("||"))
        .unwrap_or(rest);
    let rest = rest.replace(">&", ">").replace("&>", ">");
    !rest.contains([';', '&', '|', '`', '\n', '(', ')'])
}

/// True when the entry `json` is as plantune would write it for `command`; with `None`, for whichever command it has.
fn is_current(json: Json<'_>, command: Option<&str>, registration: &Registration) -> bool {
    let value = |key: &str| json.get(key).ok().flatten();
    let own = value("command").and_then(Json::string);
    let wanted = match (command, own, registration.word) {
        (Some(program), ..) => program.to_owned(),
        (None, Some(own), Some(_)) => program(&own, false).unwrap_or_default(),
        (None, own, _) => own.unwrap_or_default(),
    };
    let is_as_wanted = |(key, wanted): &(&str, String)| {
        let parsed = |json: &str| serde_json::from_str::<serde_json::Value>(json).ok();
        let (wanted, found) = (
            parsed(wanted),
            value(key).and_then(|found| parsed(found.raw)),
        );
        let number = |value: &Option<serde_json::Value>| value.as_ref()?.as_f64();
        wanted == found || number(&wanted).is_some_and(|wanted| number(&found) == Some(wanted))
    };
    fields(&wanted, registration).iter().all(is_as_wanted)
        && HINDERING.iter().all(|key| value(key).is_none())
        && (registration.word.is_none() || value("args").is_none())
}

/// The fields of an entry for `program`: keys, and values in JSON.
fn fields(program: &str, registration: &Registration) -> Vec<(&'static str, String)> {
    let mut fields = vec![("type", quoted("command"))];
    if registration.has_name {
        fields.insert(0, ("name", quoted("plantune")));
    }
    match registration.word {
        Some(word) => {
            let rest = if registration.refuses_on_failure {
                " || true"
            } else {
                ""
            };
            let line = format!("{} {word}{rest}", posix_word(program));
            fields.push(("command", quoted(&line)));
        }
        None => fields.extend([("command", quoted(program)), ("args", "[]".to_owned())]),
    }
    fields.push(("timeout", registration.timeout.to_string()));
    fields
}

/// The entry for `command`, in JSON. Keys that somebody gave the `old` entry and that do not hinder it
/// (a `statusMessage`) are kept.
fn entry_json(command: &str, old: Option<Json<'_>>, registration: &Registration) -> String {
    let fields = fields(command, registration);
    let is_kept = |key: &str| {
        key != "args" && !HINDERING.contains(&key) && fields.iter().all(|(known, _)| *known != key)
    };
    let old = old.map(Json::items).unwrap_or_default();
    let kept = old.iter().filter_map(|item| {
        let is_kept = item.key.as_deref().is_some_and(is_kept);
        let key = item.raw_key.filter(|_| is_kept)?;
        Some(format!("{key}:{}", item.value.raw))
    });
    let ours = fields.iter();
    let ours = ours.map(|(key, value)| format!("{}:{value}", quoted(key)));
    let members = ours.chain(kept);
    format!("{{{}}}", members.collect::<Vec<_>>().join(","))
}

/// The group that holds `entry` alone, in JSON.
fn group_json(matcher: Option<&str>, entry: &str) -> String {
    let matcher = matcher.map(|matcher| format!("\"matcher\":{},", quoted(matcher)));
    format!("{{{}\"hooks\":[{entry}]}}", matcher.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_our_command_in_every_form() {
        for (command, direct) in [
            ("/opt/plan tune/plantune-hook", true),
            (r"C:\Tools\plantune-hook.exe", true),
            ("plantune-hook", true),
            ("plantune-hook", false),
            ("'/opt/plan tune/plantune-hook' pre --quick", false),
            (r#""$HOME/.local/bin/plantune-hook""#, false),
            (r"/opt/plan\ tune/plantune-hook", false),
            (r"C:\Tools\plantune-hook.exe pre", false),
            ("~/bin/plantune-hook 2>/dev/null || true", false),
            ("~/bin/plantune-hook >/dev/null 2>&1", false),
        ] {
            assert!(program(command, direct).is_some(), "{command}");
        }
        assert_eq!(
            program("'/a b/plantune-hook' x", false).unwrap(),
            "/a b/plantune-hook"
        );
    }

    #[test]
    fn leaves_other_peoples_commands_alone() {
        for command in [
            "rm -f /usr/bin/plantune-hook",
            "timeout 5 plantune-hook",
            "/opt/plantune-hook-extra",
            "/opt/my-plantune-hook",
            "/opt/plantune-hook/run.sh",
            "plantune-hook; notify-send asked",
            "plantune-hook && say done",
            "plantune-hook | tee log",
            "plantune-hook $(cat token)",
            "plantune-hook || true || rm x",
            "'/opt/plantune-hook",
            "echo plantune-hook",
            "",
        ] {
            assert_eq!(program(command, false), None, "{command}");
        }
        assert_eq!(program("/usr/bin/env plantune-hook x", true), None);
    }
}
