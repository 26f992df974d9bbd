//! Entries of ours that are old, dead, doubled or in the wrong place.

use serde_json::{Value, json};

use super::super::view::Matcher;
use super::super::{inspect, missing};
use super::*;

fn group(matcher: &str, entries: &[String]) -> String {
    format!(
        r#"{{"matcher":"{matcher}","hooks":[{}]}}"#,
        entries.join(",")
    )
}

fn settings(event: &str, groups: &[String]) -> String {
    format!(r#"{{"hooks":{{"{event}":[{}]}},"a":1}}"#, groups.join(","))
}

const OURS: &str = "(AskUserQuestion|mcp__.*__AskUserQuestion)";
const THEIRS: &str = r#"{"type":"command","command":"theirs","timeout":60}"#;

fn after(text: &str, event: &str) -> Value {
    let value: Value = serde_json::from_str(&installed(text)).unwrap();
    assert_eq!(
        value["hooks"].as_object().unwrap().len(),
        REGISTRATION.events.len(),
        "{value}"
    );
    value["hooks"][event].clone()
}

fn good(command: &str) -> Value {
    json!({"type": "command", "command": command, "args": [], "timeout": 5})
}

#[test]
fn an_old_entry_is_mended_where_it_stands() {
    let wanted = json!([{"matcher": OURS, "hooks": [good(HOOK)]}]);
    for old in [
        entry("/gone/plantune-hook"),
        r#"{"type":"command","command":"/opt/plantune/bin/plantune-hook","timeout":5}"#.to_owned(),
        r#"{"type":"command","command":"'/old place/plantune-hook' pre || true"}"#.to_owned(),
        r#"{"command":"plantune-hook","args":["pre"],"type":"command","timeout":600}"#.to_owned(),
        r#"{"type":"command","command":"plantune-hook","args":[],"timeout":5,"async":true}"#
            .to_owned(),
    ] {
        assert_eq!(
            after(
                &settings("PreToolUse", &[group(OURS, std::slice::from_ref(&old))]),
                "PreToolUse"
            ),
            wanted,
            "{old}"
        );
        assert_eq!(
            after(
                &settings("PreToolUse", &[group("AskUserQuestion", &[old])]),
                "PreToolUse"
            ),
            wanted
        );
    }
}

#[test]
fn a_harmless_key_of_the_persons_stays() {
    let old = r#"{"type":"command","command":"plantune-hook","args":[],"statusMessage":"\u0061sking","once":true}"#;
    let there = installed(&settings("PostToolUse", &[group(OURS, &[old.to_owned()])]));
    assert!(
        there.contains(r#""timeout":5,"statusMessage":"\u0061sking"}"#),
        "{there}"
    );
    assert!(!there.contains("once"));
}

#[test]
fn what_the_person_wrote_in_an_entry_stays_as_it_is_written() {
    for kept in [
        r#""meta":{"\ud800":1,  "a" : [ 1,2 ]}"#.to_owned(),
        r#""\ud800": [1, 2]"#.to_owned(),
        format!("\"deep\": {}{}", "[".repeat(50_000), "]".repeat(50_000)),
    ] {
        let old = format!(r#"{{"type":"command","command":"plantune-hook",{kept}}}"#);
        let there = installed(&settings("PostToolUse", &[group(OURS, &[old])]));
        let (key, value) = kept.split_once("\":").unwrap();
        assert!(
            there.contains(&format!("{key}\":{}", value.trim_start())),
            "{kept}"
        );
    }
}

#[test]
fn doubles_go_and_the_best_one_stays() {
    let text = settings(
        "PreToolUse",
        &[
            group("Bash", &[entry("/gone/plantune-hook"), THEIRS.to_owned()]),
            group(OURS, &[THEIRS.to_owned(), entry(HOOK), entry(HOOK)]),
            group("AskUserQuestion", &[entry(HOOK)]),
        ],
    );
    let theirs: Value = serde_json::from_str(THEIRS).unwrap();
    let wanted = json!([
        {"matcher": "Bash", "hooks": [theirs]},
        {"matcher": OURS, "hooks": [theirs, good(HOOK)]},
    ]);
    assert_eq!(after(&text, "PreToolUse"), wanted);
    let edited = install(&text, HOOK).unwrap();
    let removed = changes(&edited)
        .iter()
        .filter(|change| *change == "remove PreToolUse")
        .count();
    assert_eq!(
        (removed, edited.changes.len()),
        (3, REGISTRATION.events.len() + 2)
    );
}

#[test]
fn an_entry_in_a_foreign_group_of_another_matcher_moves_out() {
    let text = settings(
        "PreToolUse",
        &[group("*", &[entry(HOOK), THEIRS.to_owned()])],
    );
    let theirs: Value = serde_json::from_str(THEIRS).unwrap();
    let wanted = json!([
        {"matcher": "*", "hooks": [theirs]},
        {"matcher": OURS, "hooks": [good(HOOK)]},
    ]);
    assert_eq!(after(&text, "PreToolUse"), wanted);
}

#[test]
fn an_entry_in_a_foreign_group_of_our_matcher_stays() {
    let there = installed(&settings(
        "PreToolUse",
        &[group(
            OURS,
            &[THEIRS.to_owned(), entry("/gone/plantune-hook")],
        )],
    ));
    assert!(
        there.contains(&format!("{THEIRS},{}", entry(HOOK))),
        "{there}"
    );
    assert!(uninstalled(&there).contains(&group(OURS, &[THEIRS.to_owned()])));
}

#[test]
fn events_that_are_not_registered_any_more_are_cleared() {
    let text = settings("PreCompact", &[group("", &[entry(HOOK)])]);
    assert!(!installed(&text).contains("PreCompact"));
    let text = settings(
        "PreCompact",
        &[group("", &[entry(HOOK), THEIRS.to_owned()])],
    );
    assert_eq!(
        uninstalled(&installed(&text)),
        settings("PreCompact", &[group("", &[THEIRS.to_owned()])])
    );
}

#[test]
fn a_session_group_with_a_matcher_loses_it() {
    let text = settings("SessionStart", &[group("startup", &[entry(HOOK)])]);
    assert_eq!(
        after(&text, "SessionStart"),
        json!([{"hooks": [good(HOOK)]}])
    );
    let all = settings("SessionStart", &[group("*", &[entry(HOOK)])]);
    assert!(
        installed(&all).contains(r#""matcher":"*""#),
        "a matcher that takes all is none"
    );
}

#[test]
fn a_group_with_more_than_matcher_and_hooks_is_left_standing() {
    let text = r#"{"hooks":{"PreToolUse":[{"note":"mine","hooks":[ENTRY]}]}}"#;
    let there = installed(&text.replace("ENTRY", &entry(HOOK)));
    assert!(there.contains(r#"{"note":"mine","hooks":[]}"#), "{there}");
    assert_eq!(uninstalled(&there), text.replace("ENTRY", ""));
}

#[test]
fn uninstall_finds_every_form_and_nothing_else() {
    let text = settings(
        "PreToolUse",
        &[
            group(
                "Bash",
                &["{\"type\":\"command\",\"command\":\"rm /x/plantune-hook\"}".to_owned()],
            ),
            group(
                "Write",
                &["{\"type\":\"prompt\",\"prompt\":\"plantune-hook\"}".to_owned()],
            ),
        ],
    );
    assert_eq!(uninstalled(&text), text);
    let windows = r#"{"command":"C:\\Tools\\plantune-hook.exe","args":["pre"]}"#;
    let shell = r#"{"command":"'/a b/plantune-hook' pre || true"}"#;
    let more = text.replacen("]},{", &format!(",{windows},{shell}]}},{{"), 1);
    assert_ne!(more, text);
    assert_eq!(uninstalled(&more), text);
}

#[test]
fn inspection_tells_what_is_there() {
    let text = settings(
        "PreToolUse",
        &[
            group(
                "Bash|AskUser.*",
                &[THEIRS.to_owned(), entry("/gone/plantune-hook")],
            ),
            group("Bash", &[THEIRS.to_owned()]),
            "{\"hooks\":[{\"type\":\"prompt\",\"prompt\":\"x\"}]}".to_owned(),
        ],
    );
    let found = inspect(&text).unwrap();
    let [ours] = found.registrations.as_slice() else {
        panic!("{found:?}")
    };
    assert_eq!(
        (ours.event.as_str(), ours.program.as_str()),
        ("PreToolUse", "/gone/plantune-hook")
    );
    assert_eq!((ours.place_ok, ours.form_ok), (false, true));
    assert_eq!(found.conflicting.len(), 2);
    assert_eq!(found.conflicting[0].command.as_deref(), Some("theirs"));
    assert_eq!(found.conflicting[1].matcher, Matcher::All);
    assert_eq!(missing(&found).count(), REGISTRATION.events.len() - 1);
    let there = inspect(&installed(&text)).unwrap();
    assert_eq!(
        (there.registrations.len(), missing(&there).count()),
        (REGISTRATION.events.len(), 0)
    );
    assert!(
        there
            .registrations
            .iter()
            .all(|entry| entry.place_ok && entry.form_ok)
    );
    assert!(inspect("{]").is_err());
}

#[test]
fn the_plugin_registers_what_install_registers() {
    let plugin: Value =
        serde_json::from_str(include_str!("../../../../plugin/hooks/hooks.json")).unwrap();
    let theirs = plugin["hooks"].as_object().unwrap();
    let settings: Value = serde_json::from_str(&installed("{}")).unwrap();
    let ours = settings["hooks"].as_object().unwrap();
    assert!(theirs.keys().eq(ours.keys()), "{theirs:?}");
    for (event, groups) in theirs {
        assert_eq!(groups.as_array().unwrap().len(), 1, "{event}");
        assert_eq!(groups[0]["matcher"], ours[event][0]["matcher"], "{event}");
        let hooks = groups[0]["hooks"].as_array().unwrap();
        assert_eq!(hooks.len(), 1, "{event}");
        assert_eq!(hooks[0]["timeout"], ours[event][0]["hooks"][0]["timeout"]);
        let program = "${CLAUDE_PLUGIN_ROOT}/hooks/plantune-hook";
        assert_eq!(
            (&hooks[0]["command"], &hooks[0]["args"][0]),
            (&json!(program), &json!("--plugin"))
        );
    }
}
