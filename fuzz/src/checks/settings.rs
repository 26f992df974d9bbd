//! The editor of Claude Code's settings.
//!
//! Input: the settings, behind a byte that chooses the hook binary's path.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a check is there to panic"
)]

use plantune_agents::claude_code::REGISTRATION;
use plantune_domain::json::lenient_json;
use plantune_settings::document::RuleEffect;
use plantune_settings::journal::OurRules;
use plantune_settings::ours::{StatusLineOwner, is_origin, status_line_owner, uninstall};
use plantune_settings::registration::{inspect, install, missing};
use plantune_settings::rules::RuleList;
use serde_json::{Value, json};

const HOOKS: [&str; 4] = [
    "/opt/plantune/bin/plantune-hook",
    "/home/d e/\"x\"/plantune-hook",
    "C:\\Tools\\plantune-hook.exe",
    "/é\u{1f600}/plantune-hook",
];

/// Checks that installing into the settings in `data` and uninstalling again touch nothing that is
/// not ours.
pub(crate) fn check(data: &[u8]) {
    let Some((hook, text)) = data.split_first() else {
        return;
    };
    let hook = HOOKS[usize::from(*hook) % HOOKS.len()];
    let Ok(text) = std::str::from_utf8(text) else {
        return;
    };
    let before = inspect(&REGISTRATION, text);
    let (Ok(installed), Ok(removed)) = (install(&REGISTRATION, text, hook), uninstall(text)) else {
        return;
    };
    let before = before.unwrap();
    // What is not ours is the question here; a status line of ours goes with the rest.
    if matches!(status_line_owner(text), Ok(StatusLineOwner::Ours(_))) {
        return;
    }
    check_json(text, &installed.text);
    check_json(text, &removed.text);
    assert!(
        install(&REGISTRATION, &installed.text, hook)
            .unwrap()
            .changes
            .is_empty(),
        "installed twice"
    );
    assert!(
        uninstall(&removed.text).unwrap().changes.is_empty(),
        "uninstalled twice"
    );
    let found = inspect(&REGISTRATION, &installed.text).unwrap();
    assert_eq!(missing(&REGISTRATION, &found).count(), 0);
    for entry in &found.registrations {
        assert!(
            entry.place_ok && entry.form_ok && entry.program == hook,
            "{entry:?}"
        );
    }
    assert_eq!(
        inspect(&REGISTRATION, &removed.text).unwrap().registrations,
        []
    );
    assert_eq!(
        foreign(&installed.text),
        foreign(text),
        "foreign settings changed"
    );
    assert_eq!(
        foreign(&removed.text),
        foreign(text),
        "foreign settings changed"
    );
    let back = uninstall(&installed.text).unwrap().text;
    if before.registrations.is_empty() {
        assert_eq!(removed.text, text, "nothing of ours, and changed");
        let allowing = RuleList::Permissions(RuleEffect::Allow);
        assert!(is_origin(
            text,
            &installed.text,
            &OurRules::default(),
            allowing
        ));
        if !is_lossy(text) {
            assert_eq!(back, text, "uninstall does not give the bytes back");
        }
    }
}

/// Claude Code can still read a file that it could read before; an edit of nothing keeps nothing.
fn check_json(before: &str, after: &str) {
    let body = after.strip_prefix('\u{feff}').unwrap_or(after);
    let blank = before
        .trim_start_matches('\u{feff}')
        .trim_ascii()
        .is_empty();
    assert!(
        serde_json::from_str::<serde::de::IgnoredAny>(body).is_ok() || (blank && before == after)
    );
}

/// True where several texts install to one, so that none can be given back for sure: an empty
/// `hooks` or event, an empty object that held white space, a file of white space.
fn is_lossy(text: &str) -> bool {
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    let Ok(root) = lenient_json(body) else {
        return true;
    };
    let is_empty = |value: &Value| match value {
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    };
    is_empty(&root)
        || root.get("hooks").is_some_and(|hooks| {
            is_empty(hooks)
                || hooks
                    .as_object()
                    .is_some_and(|events| events.values().any(is_empty))
        })
}

fn is_ours(entry: &Value) -> bool {
    let command = entry["command"].as_str().unwrap_or_default();
    // A shell reads past quotes, wherever they stand in the name.
    command
        .replace(['\'', '"', '\\'], "")
        .contains("plantune-hook")
}

/// All that is surely not ours: the other settings, and each foreign entry with event and matcher.
fn foreign(text: &str) -> (Value, Vec<Value>) {
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut root: Value = lenient_json(body).unwrap_or_else(|_| json!({}));
    let hooks = root.as_object_mut().and_then(|root| root.remove("hooks"));
    let mut found = Vec::new();
    for (event, groups) in hooks.unwrap_or_default().as_object().into_iter().flatten() {
        for group in groups.as_array().into_iter().flatten() {
            for entry in group["hooks"].as_array().into_iter().flatten() {
                if !is_ours(entry) {
                    found.push(json!([event, group.get("matcher"), entry]));
                }
            }
        }
    }
    (root, found)
}
