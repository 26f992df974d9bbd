//! All that is plantune's in a text of Claude Code's settings: the hook, permission rules, the status line and the
//! terminal's bell. They are added one by one, and taken out together; and the text from before is known again.

use plantune_agents::claude_code;
use plantune_agents::claude_code::REGISTRATION;
use plantune_agents::installed::Registration;
use plantune_domain::sanitize::posix_word;

use crate::Problem;
use crate::document::{EditChange, Edited, RuleEffect, SettingsDocument};
use crate::file::SettingsFile;
use crate::journal::OurRules;
use crate::json::{Json, quoted};
use crate::registration::{inspect, install, names_our_hook, program, uninstall_hook};
use crate::rules::{RuleList, add_guard, edit_rules, listed};

/// The list of what Claude Code refuses.
const DENY: RuleList = RuleList::Permissions(RuleEffect::Deny);

/// What is to be in the settings.
pub struct WantedEntries<'a> {
    /// The hook's program.
    pub program: &'a str,
    /// True for the status line; one of ours that is there is brought up to date anyway.
    pub status_line: bool,
    /// True for the bell.
    pub bell: bool,
    /// The rules of the guard, if it is wanted.
    pub guard: Option<Vec<String>>,
}

/// Puts what is `wanted` into the settings `text`. What it adds beside the hook becomes one of `ours`.
///
/// # Errors
/// When the text is not JSON that can be edited safely.
pub fn install_all(
    registration: &'static Registration,
    text: &str,
    wanted: WantedEntries<'_>,
    ours: &mut OurRules,
) -> Result<Edited, Problem> {
    let edited = install(registration, text, wanted.program)?;
    let is_ours = matches!(status_line_owner(&edited.text)?, StatusLineOwner::Ours(_));
    let line = status_line_command(wanted.program);
    let line = (wanted.status_line || is_ours).then_some(&*line);
    let edited = edited.with(line, install_status_line)?;
    let before = edited.changes.len();
    let bell = wanted.bell.then_some(());
    let edited = edited.with(bell, |text, ()| install_bell(text))?;
    ours.notify |= edited.changes.len() > before;
    edited.with(wanted.guard, |text, guard| {
        add_guard(text, DENY, guard, ours)
    })
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
    let without_hook = uninstall_hook(text)?;
    let document = SettingsDocument::read(&without_hook.text)?;
    let edit = match owner(&document)? {
        StatusLineOwner::Ours(_) => document.remove(&[STATUS_LINE], None)?,
        StatusLineOwner::Nobody | StatusLineOwner::Other => None,
    };
    let change = EditChange::part("remove", "the status line");
    Ok(without_hook.after(edit, change))
}

/// Removes our rules from the settings `text`, and the bell, and the containers that become empty. Those that allow are in
/// the list `allowing`.
///
/// # Errors
/// When the text is not JSON that can be edited safely.
pub fn without_rules(text: &str, ours: &OurRules, allowing: RuleList) -> Result<Edited, Problem> {
    // What has none of ours need not be understood.
    let mut edited = Edited::unchanged(text);
    for (list, rules) in [(DENY, &ours.deny), (allowing, &ours.allow)] {
        let rules = Some(rules).filter(|rules| !rules.is_empty());
        edited = edited.with(rules, |text, rules| edit_rules(text, list, &[], rules))?;
    }
    edited.with(ours.notify.then_some(()), |text, ()| uninstall_bell(text))
}

// The text from before plantune's changes.

/// The text of `file` before plantune's entries were added, when it has not changed since: a backup, or
/// (`Some(None)`) no file at all. Taking the entries out gives the same settings, but cannot distinguish
/// two texts apart that become the same bytes. `ours` are the permission rules in it that are ours.
pub fn origin(file: &SettingsFile, ours: &OurRules) -> Option<Option<String>> {
    // A rule that is on record may have been there before the hook.
    let allowed = OurRules {
        allow: ours.allow.clone(),
        ..OurRules::default()
    };
    let allowing = RuleList::allowing(&file.path);
    file.origin_where(|text| {
        [&OurRules::default(), ours, &allowed]
            .into_iter()
            .any(|added| is_origin(text, file.text(), added, allowing))
    })
}

/// True if adding our entries in `current`, the hook and the rules `added`, to `candidate` gives
/// `current`: then `candidate`, without our entries, is the text before our changes.
pub fn is_origin(candidate: &str, current: &str, added: &OurRules, allowing: RuleList) -> bool {
    let (Ok(before), Ok(now)) = (
        inspect(&REGISTRATION, candidate),
        inspect(&REGISTRATION, current),
    ) else {
        return false;
    };
    let allowed = listed(candidate, allowing).unwrap_or_default();
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
            .with(bell, |text, _| install_bell(text))?
            .with(Some(&added.deny), |text, deny| {
                edit_rules(text, DENY, deny, &[])
            })
    };
    let allow = |text: &str| edit_rules(text, allowing, &added.allow, &[]);
    let is_current = |edited: Result<Edited, Problem>| edited.is_ok_and(|one| one.text == current);
    is_current(hook(candidate).and_then(|edited| allow(&edited.text)))
        || is_current(allow(candidate).and_then(|edited| hook(&edited.text)))
}

// The `statusLine` of the settings.

/// The member that names the status line's command.
const STATUS_LINE: &str = "statusLine";

/// The place of that command.
const STATUS_LINE_COMMAND: [&str; 2] = [STATUS_LINE, "command"];

/// The argument of the hook's binary.
const STATUS_LINE_ARGUMENT: &str = "--statusline";

/// Whose status line the settings have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StatusLineOwner {
    /// There is no status line.
    Nobody,
    /// Ours, with its command.
    Ours(String),
    /// Somebody else's.
    Other,
}

/// The shell line by which Claude Code has `hook` print its status line.
pub fn status_line_command(hook: &str) -> String {
    format!("{} {STATUS_LINE_ARGUMENT}", posix_word(hook))
}

/// Whose status line the settings `text` have.
///
/// # Errors
/// When the text is not JSON that Claude Code reads.
pub fn status_line_owner(text: &str) -> Result<StatusLineOwner, Problem> {
    owner(&SettingsDocument::read(text)?)
}

fn owner(document: &SettingsDocument<'_>) -> Result<StatusLineOwner, Problem> {
    if document.get(&[STATUS_LINE])?.is_none() {
        return Ok(StatusLineOwner::Nobody);
    }
    let command = document.get(&STATUS_LINE_COMMAND)?.and_then(Json::string);
    let ours = command.filter(|command| is_our_line(command));
    Ok(ours.map_or(StatusLineOwner::Other, StatusLineOwner::Ours))
}

/// Has the shell line `command` print the status line in the settings `text`, unless another one is there.
///
/// # Errors
/// When the text is not JSON that can be edited safely.
pub fn install_status_line(text: &str, command: &str) -> Result<Edited, Problem> {
    let document = SettingsDocument::read(text)?;
    let line = quoted(command);
    let (edit, verb) = match (owner(&document)?, document.get(&STATUS_LINE_COMMAND)?) {
        (StatusLineOwner::Nobody, _) => {
            let line = format!("{{\"type\":\"command\",\"command\":{line}}}");
            (document.insert(&[STATUS_LINE], &line)?, "add")
        }
        (StatusLineOwner::Ours(old), Some(there)) if old != command => {
            (document.style.replace(there, &line, &[]), "update")
        }
        _ => return Ok(Edited::unchanged(text)),
    };
    let change = EditChange::part(verb, "the status line");
    Ok(Edited::unchanged(text).after(Some(edit), change))
}

/// True for a shell line that starts our binary for the status line, and nothing else.
fn is_our_line(command: &str) -> bool {
    let line = command.trim();
    program(line, false).is_some()
        && line
            .strip_suffix(STATUS_LINE_ARGUMENT)
            .is_some_and(|program| names_our_hook(program.trim_end().trim_matches(['\'', '"'])))
}

// How Claude Code notifies the person when it needs them. It reads `preferredNotifChannel` in its settings from 2.1.179
// on; without it, it notifies in the few terminals that it knows how to.

/// The member.
const CHANNEL: &str = "preferredNotifChannel";

/// The value that every terminal understands: its bell.
const BELL: &str = "terminal_bell";

/// The event for which the person may have a hook of their own that notifies them.
const NOTIFICATION: &str = "Notification";

/// True when the settings `text` say how to notify the person, or have a hook that does.
///
/// # Errors
/// When the text is not JSON that Claude Code reads.
pub fn notifies(text: &str) -> Result<bool, Problem> {
    let document = SettingsDocument::read(text)?;
    let hook = document.get(&["hooks", NOTIFICATION])?;
    Ok(hook.is_some_and(Json::is_array) || document.get(&[CHANNEL])?.is_some())
}

/// Has Claude Code ring the terminal's bell in the settings `text`, unless they name another channel.
///
/// # Errors
/// When the text is not JSON that can be edited safely.
pub(crate) fn install_bell(text: &str) -> Result<Edited, Problem> {
    let document = SettingsDocument::read(text)?;
    let unchanged = Edited::unchanged(text);
    if document.get(&[CHANNEL])?.is_some() {
        return Ok(unchanged);
    }
    let edit = document.insert(&[CHANNEL], &quoted(BELL))?;
    let change = EditChange::part("let", "the terminal's bell ring");
    Ok(unchanged.after(Some(edit), change))
}

/// Takes the bell out that plantune asked for; another channel that is chosen by now stays.
fn uninstall_bell(text: &str) -> Result<Edited, Problem> {
    let document = SettingsDocument::read(text)?;
    let channel = document.get(&[CHANNEL])?.and_then(Json::string);
    let edit = match channel.as_deref() {
        Some(BELL) => document.remove(&[CHANNEL], None)?,
        _ => None,
    };
    let change = EditChange::part("let", "the terminal's bell be");
    Ok(Edited::unchanged(text).after(edit, change))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = "/opt/plantune/bin/plantune-hook --statusline";

    fn installed(text: &str) -> String {
        install_status_line(text, LINE).unwrap().text
    }

    #[test]
    fn it_comes_and_goes_and_leaves_every_other_byte() {
        for text in [
            "{}",
            "{\n  \"model\": \"opus\"\n}\n",
            "{\"a\":1}",
            "{\r\n\t\"a\" : [ ],\r\n\t\"b\": {}\r\n}",
        ] {
            let with = installed(text);
            assert_eq!(
                status_line_owner(&with).unwrap(),
                StatusLineOwner::Ours(LINE.to_owned())
            );
            assert_eq!(installed(&with), with);
            assert_eq!(uninstall(&with).unwrap().text, text);
        }
        assert_eq!(uninstall(&installed("")).unwrap().text, "{}\n");
    }

    #[test]
    fn a_new_place_is_written_and_what_stands_beside_it_stays() {
        let text = r#"{"statusLine": {"type": "command", "padding": 0, "command": "'/old dir/plantune-hook' --statusline"}}"#;
        let edited = install_status_line(text, LINE).unwrap();
        assert_eq!(edited.summary(), "update the status line");
        let expected = format!(
            r#"{{"statusLine": {{"type": "command", "padding": 0, "command": "{LINE}"}}}}"#
        );
        assert_eq!(edited.text, expected);
    }

    #[test]
    fn another_one_is_never_touched() {
        for other in [
            r#"{"type": "command", "command": "~/.claude/statusline.sh"}"#,
            r#"{"type": "command", "command": "~/s.sh; plantune-hook --statusline"}"#,
            r#"{"type": "command", "command": "plantune-hook --statusline | head -1"}"#,
            r#"{"type": "command", "command": "plantune-hook --statusline -x"}"#,
            r#"{"type": "command", "command": "plantune-hook"}"#,
            r#"{"type": "command", "command": "plantune-hook x --statusline"}"#,
            r#"{"type": "command"}"#,
            r#""off""#,
            "null",
        ] {
            let text = format!("{{\"statusLine\": {other}}}");
            assert_eq!(
                status_line_owner(&text).unwrap(),
                StatusLineOwner::Other,
                "{text}"
            );
            assert_eq!(installed(&text), text);
            assert_eq!(uninstall(&text).unwrap().text, text);
        }
        assert!(install_status_line(r#"{"statusLine":1,"statusLine":2}"#, LINE).is_err());
    }

    fn taken_out(text: &str) -> String {
        let ours = OurRules {
            notify: true,
            ..OurRules::default()
        };
        without_rules(text, &ours, RuleList::Permissions(RuleEffect::Allow))
            .unwrap()
            .text
    }

    #[test]
    fn the_bell_comes_and_goes_and_leaves_every_other_byte() {
        for text in ["{}", "{\n  \"model\": \"opus\"\n}\n", "{\"a\":1}"] {
            assert!(!notifies(text).unwrap());
            let with = install_bell(text).unwrap().text;
            assert!(notifies(&with).unwrap(), "{with}");
            assert_eq!(install_bell(&with).unwrap().text, with);
            assert_eq!(taken_out(&with), text);
        }
    }

    #[test]
    fn what_the_person_chose_stays() {
        let chosen = r#"{"preferredNotifChannel": "iterm2"}"#;
        assert_eq!(install_bell(chosen).unwrap().text, chosen);
        assert_eq!(taken_out(chosen), chosen);
        let hook =
            r#"{"hooks": {"Notification": [{"hooks": [{"type": "command", "command": "ring"}]}]}}"#;
        assert!(notifies(hook).unwrap());
        assert!(notifies(r#"{"preferredNotifChannel": 1, "preferredNotifChannel": 2}"#).is_err());
    }
}
