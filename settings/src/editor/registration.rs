//! The entries by which Claude Code calls the hook: how they are written, told from other people's, and listed.

use plantune_agents::claude_code::{ASKING, REGISTRATION, TOOL};
use plantune_agents::installed::Registration;
use plantune_domain::sanitize::shell_word;

use super::document::{Json, quoted, slice};
use super::view::{Matcher, View};
use crate::Problem;

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
pub(super) fn program(command: &str, direct: bool) -> Option<String> {
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
pub(super) fn is_current(
    json: Json<'_>,
    command: Option<&str>,
    as_registered: &Registration,
) -> bool {
    let value = |key: &str| json.get(key).ok().flatten();
    let own = value("command").and_then(Json::string);
    let wanted = match (command, own, as_registered.word) {
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
    fields(&wanted, as_registered).iter().all(is_as_wanted)
        && HINDERING.iter().all(|key| value(key).is_none())
        && (as_registered.word.is_none() || value("args").is_none())
}

/// The fields of an entry for `program`: keys, and values in JSON.
fn fields(program: &str, as_registered: &Registration) -> Vec<(&'static str, String)> {
    let mut fields = vec![("type", quoted("command"))];
    if as_registered.has_name {
        fields.insert(0, ("name", quoted("plantune")));
    }
    match as_registered.word {
        Some(word) => {
            let rest = if as_registered.refuses_on_failure {
                " || true"
            } else {
                ""
            };
            let line = format!("{} {word}{rest}", shell_word(program));
            fields.push(("command", quoted(&line)));
        }
        None => fields.extend([("command", quoted(program)), ("args", "[]".to_owned())]),
    }
    fields.push(("timeout", as_registered.timeout.to_string()));
    fields
}

/// The entry for `command`, in JSON. Keys that somebody gave the `old` entry and that do not hinder it
/// (a `statusMessage`) are kept.
pub(super) fn entry(command: &str, old: Option<Json<'_>>, as_registered: &Registration) -> String {
    let fields = fields(command, as_registered);
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
pub(super) fn group(matcher: Option<&str>, entry: &str) -> String {
    let matcher = matcher.map(|matcher| format!("\"matcher\":{},", quoted(matcher)));
    format!("{{{}\"hooks\":[{entry}]}}", matcher.unwrap_or_default())
}

// What is registered, for those who only want to know.

/// The hooks in the settings that are called for questions.
#[derive(Debug, Default)]
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

/// Reads the registered hooks in the settings `text`; `""` stands for no file.
///
/// # Errors
/// When the text is not JSON that Claude Code reads.
pub fn inspect(text: &str) -> Result<Inspection, Problem> {
    inspect_for(&REGISTRATION, text)
}

/// The same of the hooks `text` of the agent that the hook is registered with so.
///
/// # Errors
/// When the text is not JSON.
pub fn inspect_for(
    as_registered: &'static Registration,
    text: &str,
) -> Result<Inspection, Problem> {
    let view = View::read(text, as_registered)?;
    let mut found = Inspection::default();
    for entry in &view.entries {
        let matcher = entry.matcher.clone();
        match &entry.program {
            Some(program) => found.registrations.push(RegisteredHook {
                event: entry.event.clone(),
                program: program.clone(),
                place_ok: view
                    .matcher_for(&entry.event)
                    .is_some_and(|wanted| matcher.is(wanted)),
                form_ok: is_current(entry.json, None, as_registered),
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

/// The events of `as_registered` that have no entry in `found`.
pub fn missing(
    as_registered: &'static Registration,
    found: &Inspection,
) -> impl Iterator<Item = &'static str> {
    let events = as_registered.events.iter().map(|(name, _)| *name);
    events.filter(|name| found.registrations.iter().all(|entry| entry.event != *name))
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
