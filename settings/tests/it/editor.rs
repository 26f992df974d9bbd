//! The editor on the shapes that settings have in the wild.

#[path = "../../../fuzz/src/checks/settings.rs"]
mod check;

use std::fs;
use std::path::Path;

use plantune_agents::OTHERS;
use plantune_agents::claude_code::{self, REGISTRATION};
use plantune_settings::document::{EditChange, Edited, RuleEffect};
use plantune_settings::journal::OurRules;
use plantune_settings::ours::{is_origin, uninstall};
use plantune_settings::registration::{inspect, install};
use plantune_settings::rules::RuleList;

const HOOK: &str = "/opt/plantune/bin/plantune-hook";

fn installed(text: &str) -> String {
    let edited = install(&REGISTRATION, text, HOOK).unwrap();
    let again = install(&REGISTRATION, &edited.text, HOOK).unwrap();
    assert_eq!(
        (again.text.as_str(), again.changes.len()),
        (edited.text.as_str(), 0),
        "{text}"
    );
    edited.text
}

fn uninstalled(text: &str) -> String {
    let edited = uninstall(text).unwrap();
    assert!(
        uninstall(&edited.text).unwrap().changes.is_empty(),
        "{text}"
    );
    edited.text
}

fn changes(edited: &Edited) -> Vec<String> {
    let words = |change: &EditChange| match change {
        EditChange::Part(verb, what) => format!("{verb} {what}"),
        EditChange::Rule(verb, _) => format!("{verb} a rule"),
    };
    edited.changes.iter().map(words).collect()
}

/// True if `current` is `candidate` with the hook.
fn is_hook_alone(candidate: &str, current: &str) -> bool {
    is_origin(candidate, current, &OurRules::default(), ALLOW)
}

const ALLOW: RuleList = RuleList::Permissions(RuleEffect::Allow);
const DENY: RuleList = RuleList::Permissions(RuleEffect::Deny);

/// One entry of ours as an array element, minified.
fn entry(command: &str) -> String {
    format!(r#"{{"type":"command","command":"{command}","args":[],"timeout":5}}"#)
}

/// The seeds of the editor's fuzz target, each through its check once.
#[test]
fn seeds() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus/settings");
    let mut seeds = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        // Named last, a seed is the one that failed.
        println!("{}", path.display());
        check::check(&fs::read(path).unwrap());
        seeds += 1;
    }
    assert!(seeds > 0);
}

/// Layouts: what is added looks like its neighbours, and comes out without a trace.
mod shapes {
    use super::*;

    #[test]
    fn a_new_file_looks_like_one_of_claude_codes() {
        let text = installed("");
        let (first, _) = text.split_once("    \"PostToolUse\"").unwrap();
        assert_eq!(
            first,
            r#"{
  "hooks": {
    "PreToolUse": [
      {
        "matcher": "(AskUserQuestion|mcp__.*__AskUserQuestion)",
        "hooks": [
          {
            "type": "command",
            "command": "/opt/plantune/bin/plantune-hook",
            "args": [],
            "timeout": 5
          }
        ]
      }
    ],
"#
        );
        assert!(text.ends_with("      }\n    ]\n  }\n}\n"));
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(
            serde_json::to_string_pretty(&value).unwrap().len() + 1,
            text.len()
        );
        let hooks = value["hooks"].as_object().unwrap();
        assert_eq!(hooks.len(), REGISTRATION.events.len());
        assert!(hooks["SessionStart"][0].get("matcher").is_none());
        assert_eq!(uninstalled(&text), "{}\n");
    }

    #[test]
    fn bytes_come_back() {
        for text in [
            "{}",
            "{}\n",
            "\u{feff}{}\r\n",
            "{\n  \"model\": \"opus\"\n}",
            "{\n    \"model\": \"opus\"\n}\n",
            "{\n\t\"model\": \"opus\",\n\n\t\"env\": {}\n}\n",
            "{\r\n  \"model\": \"opus\"\r\n}\r\n",
            "{\"model\":\"opus\"}",
            "{\"model\": \"opus\", \"env\": {\"A\": \"\\u00e9\\/\\\"\"}}\n",
            "{ \"model\" : \"opus\" , \"effort\":1e2 }",
            "  {\n    \"model\": \"opus\"\n  }",
            "{\n\"model\": \"opus\"\n}",
            "{\n  \"model\": \"opus\" ,\n  \"ünï\": \"日本\"\n\n}\n\n",
            "{\"hooks\":{\"PreToolUse\":[{\"matcher\":\"Bash\",\"hooks\":[{\"type\":\"command\",\"command\":\"x\"}]}]},\"z\":0.10}",
            "{\n  \"hooks\": {\n    \"SessionStart\": [{\n      \"hooks\": [\n        {\"type\": \"command\", \"command\": \"x\"}\n      ]\n    }],\n    \"Notification\": []\n  },\n  \"z\": 1\n}\n",
            "{\n  \"hooks\": {\"Stop\": [ { \"hooks\": [] } ]}, \"env\": {\"A\": \"1\", \"A\": \"2\"}\n}",
            "{\"hooks\":{\"PreToolUse\":[7,null,{\"hooks\":{}},{\"matcher\":3}]}}",
        ] {
            let there = installed(text);
            assert_eq!(uninstalled(&there), text, "{there}");
            assert!(is_hook_alone(text, &there), "{there}");
        }
    }

    #[test]
    fn origin_of_texts_that_install_alike() {
        for (text, left) in [
            ("", "{}\n"),
            (" \n", "{}\n"),
            ("{ }", "{}"),
            ("{\"hooks\":{}}", "{}"),
            ("{\"hooks\":{\"PreToolUse\":[]},\"a\":1}", "{\"a\":1}"),
            (
                "{\n  \"hooks\": {\n    \"SessionEnd\": [\n    ]\n  }\n}\n",
                "{}\n",
            ),
        ] {
            let there = installed(text);
            assert_eq!(uninstalled(&there), left);
            assert!(is_hook_alone(text, &there), "{there}");
            assert!(!is_hook_alone(&there, &there));
            assert!(!is_hook_alone("{\"b\":1}", &there));
        }
    }

    #[test]
    fn neighbours_set_the_style() {
        let minified = installed(r#"{"a":1}"#);
        assert!(
            minified.starts_with(r#"{"a":1,"hooks":{"PreToolUse":[{"matcher":"#),
            "{minified}"
        );
        assert!(
            minified.contains(&entry(HOOK)) && !minified.contains(' '),
            "{minified}"
        );
        let spaced = installed(r#"{ "a": 1 }"#);
        assert!(
            spaced.starts_with(r#"{ "a": 1, "hooks": {"PreToolUse": [{"matcher": "#),
            "{spaced}"
        );
        let tabs = installed("{\r\n\t\"a\": 1\r\n}");
        assert!(tabs.starts_with(
            "{\r\n\t\"a\": 1,\r\n\t\"hooks\": {\r\n\t\t\"PreToolUse\": [\r\n\t\t\t{\r\n"
        ));
        assert_eq!(tabs.matches('\n').count(), tabs.matches("\r\n").count());
        let hugging =
            "{\n  \"hooks\": {\n    \"PreToolUse\": [{\n      \"hooks\": []\n    }]\n  }\n}\n";
        assert!(
            installed(hugging).contains("    }, {\n      \"matcher\": "),
            "{}",
            installed(hugging)
        );
    }

    #[test]
    fn foreign_bytes_stay_in_place() {
        let text = "{\n  \"z\": 1,\n  \"hooks\": {\n    \"PreToolUse\": [\n      { \"matcher\": \"(AskUserQuestion|mcp__.*__AskUserQuestion)\", \"hooks\": [ {\"type\":\"command\",\"command\":\"theirs\"} ] }\n    ]\n  },\n  \"a\": 1.50\n}\n";
        let there = installed(text);
        let (before, after) = text
            .split_once(" ]\n  },")
            .map(|(b, _)| (b, "  \"a\": 1.50\n}\n"))
            .unwrap();
        let before = before.trim_end();
        assert!(
            there.starts_with(before) && there.ends_with(after),
            "{there}"
        );
        assert_eq!(uninstalled(&there), text);
    }

    #[test]
    fn a_program_may_lie_in_a_folder_of_any_name() {
        let others = OTHERS.iter().map(|agent| &agent.facts().registration);
        for registration in others.chain([&REGISTRATION]) {
            for folder in [
                "new\nline",
                "it's",
                "\\",
                "$'x'\n",
                "a b",
                "$(id)",
                "\u{202e}",
                "-",
            ] {
                let program = format!("/{folder}/plantune-hook");
                let there = install(registration, "{}", &program).unwrap().text;
                let found = inspect(registration, &there).unwrap().registrations;
                assert_eq!(found.len(), registration.events.len(), "{there}");
                for one in found {
                    assert!(one.form_ok && one.program == program, "{one:?}");
                }
                let again = install(registration, &there, &program).unwrap();
                assert_eq!(again.changes, [], "{there}");
                assert_eq!(uninstalled(&there), "{}");
            }
        }
    }

    #[test]
    fn refuses_what_it_cannot_edit_safely() {
        let refusal = |text: &str| install(&REGISTRATION, text, HOOK).unwrap_err().to_string();
        assert_eq!(
            refusal("{\n  \"hooks\": []\n}"),
            "line 2, column 12: `hooks` is not an object"
        );
        assert_eq!(
            refusal("{\"hooks\":null}"),
            "line 1, column 10: `hooks` is not an object"
        );
        assert_eq!(
            refusal("{\"hooks\":{\"PreToolUse\":{}}}"),
            "line 1, column 24: `hooks.PreToolUse` is not an array"
        );
        for text in [
            "{\"hooks\":{},\n\"hooks\":{}}",
            "{\"hooks\":{\"Stop\":[],\n\"Stop\":[]}}",
            "{\"hooks\":{\"PreToolUse\":[{\"hooks\":[],\n\"hooks\":[]}]}}",
            "{\"hooks\":{\"PreToolUse\":[{\"matcher\":\"a\",\n\"matcher\":\"b\",\"hooks\":[]}]}}",
            "{\"hooks\":{\"PreToolUse\":[{\"hooks\":[{\"command\":\"a\",\n\"command\":\"b\"}]}]}}",
            "{\"hooks\":{},\n\"\\u0068ooks\":{}}",
        ] {
            let refusal = refusal(text);
            assert!(
                refusal.starts_with("line 2, column 1: `") && refusal.contains("twice"),
                "{refusal}"
            );
            assert!(uninstall(text).is_err());
        }
        // An event plantune never writes to may hold what it likes.
        assert!(install(&REGISTRATION, "{\"hooks\":{\"PreCompact\":{}}}", HOOK).is_ok());
    }

    #[test]
    fn what_stands_for_an_event_or_a_list_keeps_nothing_of_ours_in() {
        let others = OTHERS.iter().map(|agent| &agent.facts().registration);
        let all = others.chain([&REGISTRATION]);
        for registration in all.filter(|one| !one.events.is_empty()) {
            let (ours, _) = registration.events[0];
            let there = install(registration, "{}", HOOK).unwrap().text;
            let there: serde_json::Value = serde_json::from_str(&there).unwrap();
            let group = &there["hooks"][ours];
            let mut events: Vec<_> = registration.events[1..].to_vec();
            events.extend([("PreToolUse", None), ("BeforeTool", None)]);
            for (event, _) in events.into_iter().filter(|(event, _)| *event != ours) {
                for odd in ["null", "{}", "7", "\"off\"", "[null, 7]"] {
                    let text = format!(
                        "{{\"hooks\": {{\"{event}\": {odd}, \"{ours}\": {group}}}, \"z\": 0.10}}\n"
                    );
                    let rest = format!("{{\"hooks\": {{\"{event}\": {odd}}}, \"z\": 0.10}}\n");
                    assert_eq!(uninstalled(&text), rest, "{text}");
                }
            }
        }
        for odd in ["null", "[]", "7"] {
            let line = format!("{{\"type\":\"command\",\"command\":\"{HOOK} --statusline\"}}");
            let text = format!("{{\"hooks\": {odd}, \"statusLine\": {line}}}");
            assert_eq!(uninstalled(&text), format!("{{\"hooks\": {odd}}}"));
        }
    }
}

/// Entries of ours that are old, dead, doubled or in the wrong place.
mod repairs {
    use serde_json::{Value, json};

    use super::*;
    use plantune_settings::registration::{Matcher, missing};

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
            r#"{"type":"command","command":"/opt/plantune/bin/plantune-hook","timeout":5}"#
                .to_owned(),
            r#"{"type":"command","command":"'/old place/plantune-hook' pre || true"}"#.to_owned(),
            r#"{"command":"plantune-hook","args":["pre"],"type":"command","timeout":600}"#
                .to_owned(),
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
        let edited = install(&REGISTRATION, &text, HOOK).unwrap();
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
        let found = inspect(&REGISTRATION, &text).unwrap();
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
        assert_eq!(
            missing(&REGISTRATION, &found).count(),
            REGISTRATION.events.len() - 1
        );
        let there = inspect(&REGISTRATION, &installed(&text)).unwrap();
        assert_eq!(
            (
                there.registrations.len(),
                missing(&REGISTRATION, &there).count()
            ),
            (REGISTRATION.events.len(), 0)
        );
        assert!(
            there
                .registrations
                .iter()
                .all(|entry| entry.place_ok && entry.form_ok)
        );
        assert!(inspect(&REGISTRATION, "{]").is_err());
    }

    #[test]
    fn the_plugin_registers_what_install_registers() {
        let plugin: Value =
            serde_json::from_str(include_str!("../../../plugin/hooks/hooks.json")).unwrap();
        let theirs = plugin["hooks"].as_object().unwrap();
        // Whichever version of the client reads it.
        let everywhere = claude_code::registration(None, "");
        let settings = install(everywhere, "{}", HOOK).unwrap().text;
        let settings: Value = serde_json::from_str(&settings).unwrap();
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
}

/// The permission rules: added like a neighbour, taken out without a trace.
mod rules {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;
    use plantune_settings::rules::{add_guard, edit_rules, listed};

    fn ours() -> Vec<String> {
        ["Edit(~/.config/plantune/**)", "Bash(*plantune undo*)"]
            .map(str::to_owned)
            .to_vec()
    }

    fn ruled(text: &str) -> String {
        let edited = edit_rules(text, DENY, &ours(), &[]).unwrap();
        let again = edit_rules(&edited.text, DENY, &ours(), &[]).unwrap();
        assert!(again.changes.is_empty(), "{text}");
        edited.text
    }

    fn unruled(text: &str) -> String {
        edit_rules(text, DENY, &[], &ours()).unwrap().text
    }

    #[test]
    fn rules_look_like_their_neighbours() {
        let text = "{\n  \"permissions\": {\n    \"allow\": [\"Bash(ls)\"],\n    \"deny\": [\n      \"Read(~/.ssh/**)\"\n    ]\n  }\n}\n";
        insta::assert_snapshot!(ruled(text), @r#"
    {
      "permissions": {
        "allow": ["Bash(ls)"],
        "deny": [
          "Read(~/.ssh/**)",
          "Edit(~/.config/plantune/**)",
          "Bash(*plantune undo*)"
        ]
      }
    }
    "#);
        assert_eq!(
            ruled("{\"a\":1}"),
            "{\"a\":1,\"permissions\":{\"deny\":[\"Edit(~/.config/plantune/**)\",\"Bash(*plantune undo*)\"]}}"
        );
    }

    #[test]
    fn bytes_come_back_with_the_hooks_too() {
        for text in [
            "{}\n",
            "{\"permissions\":{\"allow\":[]}}",
            "{\n\t\"permissions\": {\n\t\t\"deny\": [\n\t\t\t\"WebFetch\",\n\t\t\t7\n\t\t]\n\t}\n}\n",
            "{\r\n  \"model\": \"opus\",\r\n  \"permissions\": {\"deny\": [\"A\", \"B\"], \"ask\": []}\r\n}\r\n",
            "{ \"permissions\" : { \"deny\" : [ \"A\" ] } , \"hooks\" : { \"PreCompact\" : [ ] } }",
        ] {
            assert_eq!(unruled(&ruled(text)), text);
            let both = ruled(&installed(text));
            let denying = OurRules {
                deny: ours(),
                ..OurRules::default()
            };
            assert!(is_origin(text, &both, &denying, ALLOW), "{both}");
            assert_eq!(uninstalled(&unruled(&both)), text);
        }
    }

    #[test]
    fn what_becomes_empty_goes_and_what_is_foreign_stays() {
        let first = ours().remove(0);
        let text = format!("{{\"permissions\":{{\"deny\":[\"{first}\",\"{first}\",\"theirs\"]}}}}");
        assert_eq!(unruled(&text), "{\"permissions\":{\"deny\":[\"theirs\"]}}");
        assert_eq!(unruled(&text.replace(",\"theirs\"", "")), "{}");
    }

    #[test]
    fn the_guard_claims_no_rule_of_the_persons_and_drops_what_it_wants_no_more() {
        let [theirs, new] = ours().try_into().unwrap();
        let stale = "Bash(*plantune old *)".to_owned();
        let text = format!("{{\"permissions\":{{\"deny\":[\"{theirs}\",\"{stale}\"]}}}}");
        let mut added = OurRules {
            deny: vec![stale],
            ..OurRules::default()
        };
        let edited = add_guard(&text, DENY, ours(), &mut added).unwrap();
        assert_eq!(added.deny, std::slice::from_ref(&new));
        assert_eq!(listed(&edited.text, DENY).unwrap(), [theirs, new]);
        let summary = "add a rule that denies, remove a rule that denies";
        assert_eq!(edited.summary(), summary);
        let again = add_guard(&edited.text, DENY, ours(), &mut added).unwrap();
        assert!(again.changes.is_empty() && added.deny.len() == 1);
    }

    #[test]
    fn what_is_allowed_comes_and_goes_beside_everything_else() {
        let allowed = OurRules {
            allow: vec!["Bash(npm test)".to_owned(), "Edit(/src/**)".to_owned()],
            ..OurRules::default()
        };
        for text in [
            "{}\n",
            "{\"permissions\":{\"allow\":[]}}",
            "{\n\t\"permissions\": {\n\t\t\"allow\": [\n\t\t\t\"WebFetch\",\n\t\t\t7\n\t\t],\n\t\t\"deny\": [\"Read(x)\"]\n\t}\n}\n",
            "{\r\n  \"model\": \"opus\",\r\n  \"permissions\": {\"ask\": []}\r\n}\r\n",
        ] {
            let there = edit_rules(text, ALLOW, &allowed.allow, &[]).unwrap().text;
            let tail: Vec<String> = listed(&there, ALLOW)
                .unwrap()
                .into_iter()
                .rev()
                .take(2)
                .collect();
            assert_eq!(tail, ["Edit(/src/**)", "Bash(npm test)"], "{there}");
            assert!(is_origin(text, &there, &allowed, ALLOW), "{there}");
            for both in [
                installed(&there),
                edit_rules(&installed(text), ALLOW, &allowed.allow, &[])
                    .unwrap()
                    .text,
            ] {
                assert!(is_origin(text, &both, &allowed, ALLOW), "{both}");
            }
            // A rule that was there before is not ours.
            assert!(!is_origin(&there, &there, &allowed, ALLOW));
        }
    }

    #[test]
    fn refuses_permissions_it_cannot_edit_safely() {
        for (text, fact) in [
            (
                "{\"permissions\":7}",
                "line 1, column 16: `permissions` is not an object",
            ),
            (
                "{\"permissions\":{\"deny\":{}}}",
                "line 1, column 24: `permissions.deny` is not an array",
            ),
            (
                "{\"permissions\":{\"deny\":[],\"deny\":[]}}",
                "line 1, column 27: `deny` is here twice",
            ),
        ] {
            let refusal = edit_rules(text, DENY, &ours(), &[])
                .unwrap_err()
                .to_string();
            assert_eq!(refusal, fact);
            // Without a guard they are nobody's business.
            assert!(install(&REGISTRATION, text, HOOK).is_ok());
        }
        // What is not a list holds no rule to be taken out.
        for text in [
            "{\"permissions\":null}",
            "{\"permissions\":{\"deny\":null}}",
        ] {
            let without = edit_rules(text, DENY, &[], &ours()).unwrap();
            assert_eq!(without.text, text);
        }
    }

    proptest! {
        #[test]
        fn any_list_comes_back(
            allow in proptest::option::of(prop::collection::vec(".{0,6}", 0..3)),
            deny in prop::collection::vec(".{0,6}", 1..4),
            pretty in any::<bool>(),
        ) {
            let mut permissions = serde_json::Map::new();
            if let Some(allow) = allow {
                permissions.insert("allow".to_owned(), allow.into());
            }
            permissions.insert("deny".to_owned(), deny.into());
            let value = serde_json::json!({"permissions": permissions});
            let text = if pretty { serde_json::to_string_pretty(&value).unwrap() } else { value.to_string() };
            let there = ruled(&text);
            let list: Value = serde_json::from_str(&there).unwrap();
            let list = list["permissions"]["deny"].as_array().unwrap();
            let tail: Vec<_> = list.iter().rev().take(2).rev().filter_map(Value::as_str).collect();
            prop_assert_eq!(tail, ours());
            prop_assert_eq!(unruled(&there), text);
        }
    }
}

/// Properties of any settings.
mod properties {
    use proptest::prelude::*;
    use serde_json::{Map, Value, json};

    use super::*;

    /// Any JSON, with strings that are hard to lay out.
    fn any_value() -> impl Strategy<Value = Value> {
        let text = prop_oneof![
            ".{0,6}",
            Just("},{[\"\\\n\t".to_owned()),
            Just("é\u{1f600}".to_owned())
        ];
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i32>().prop_map(Value::from),
            text.prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 12, 3, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
                prop::collection::vec((".{0,4}", inner), 0..3)
                    .prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>())),
            ]
        })
    }

    fn foreign_group() -> impl Strategy<Value = Value> {
        let entry = prop_oneof![
            Just(json!({"type": "command", "command": "theirs --flag"})),
            Just(json!({"type": "command", "command": "rm plantune-hook", "timeout": 9})),
            any_value(),
        ];
        let entries = prop::collection::vec(entry, 0..3);
        prop_oneof![
            entries
                .clone()
                .prop_map(|entries| json!({"hooks": entries})),
            entries.prop_map(
                |e| json!({"matcher": "(AskUserQuestion|mcp__.*__AskUserQuestion)", "hooks": e})
            ),
            any_value(),
        ]
    }

    /// Settings without entries of ours; with `hooks`, or not.
    fn settings() -> impl Strategy<Value = Value> {
        let event = prop::sample::select(vec!["PreToolUse", "PostToolUse", "SessionEnd", "Stop"]);
        let groups = prop::collection::vec(foreign_group(), 0..3);
        let hooks = prop::collection::vec((event, groups), 0..3);
        let others = prop::collection::vec((".{0,4}", any_value()), 0..3);
        (others, prop::option::of(hooks)).prop_map(|(others, hooks)| {
            let mut root: Map<_, _> = others
                .into_iter()
                .filter(|(key, _)| key != "hooks")
                .collect();
            if let Some(hooks) = hooks {
                let events = hooks
                    .into_iter()
                    .map(|(event, groups)| (event.to_owned(), json!(groups)));
                root.insert("hooks".to_owned(), Value::Object(events.collect()));
            }
            Value::Object(root)
        })
    }

    /// Writes JSON with the white space it is given, piece by piece, between all tokens.
    struct Writer<S> {
        spaces: S,
        out: String,
    }

    impl<S: Iterator<Item = &'static str>> Writer<S> {
        fn spaced(&mut self, token: &str) {
            self.out.push_str(token);
            self.out.push_str(self.spaces.next().unwrap());
        }

        fn value(&mut self, value: &Value) {
            match value {
                Value::Array(items) if !items.is_empty() => {
                    for (at, item) in items.iter().enumerate() {
                        self.spaced(if at == 0 { "[" } else { "," });
                        self.value(item);
                        self.spaced("");
                    }
                    self.out.push(']');
                }
                Value::Object(members) if !members.is_empty() => {
                    for (at, (key, value)) in members.iter().enumerate() {
                        self.spaced(if at == 0 { "{" } else { "," });
                        self.spaced(&Value::from(key.as_str()).to_string());
                        self.spaced(":");
                        self.value(value);
                        self.spaced("");
                    }
                    self.out.push('}');
                }
                leaf => self.out.push_str(&leaf.to_string()),
            }
        }
    }

    /// One way to lay out JSON.
    #[derive(Clone, Debug)]
    enum Layout {
        Spaces(Vec<&'static str>),
        Minified(&'static str),
        Indented(&'static str, &'static str),
    }

    impl Layout {
        fn any() -> impl Strategy<Value = Self> {
            let space = ["", "", " ", "\n", "\n  ", "\r\n\t", "\n\n    "];
            let end = prop::sample::select(vec!["", "\n", "\r\n"]);
            let indent = prop::sample::select(vec!["  ", "    ", "\t", ""]);
            prop_oneof![
                prop::collection::vec(prop::sample::select(space.to_vec()), 1..20)
                    .prop_map(Self::Spaces),
                end.clone().prop_map(Self::Minified),
                (indent, end).prop_map(|(indent, end)| Self::Indented(indent, end)),
            ]
        }

        /// `value` laid out; with the last kind, the file's end tells its line endings.
        fn write(&self, value: &Value) -> String {
            match self {
                Self::Spaces(spaces) => {
                    let mut writer = Writer {
                        spaces: spaces.iter().copied().cycle(),
                        out: String::new(),
                    };
                    writer.value(value);
                    writer.out
                }
                Self::Minified(end) => format!("{value}{end}"),
                Self::Indented(indent, end) => {
                    let mut out = Vec::new();
                    let style = serde_json::ser::PrettyFormatter::with_indent(indent.as_bytes());
                    let mut json = serde_json::Serializer::with_formatter(&mut out, style);
                    serde::Serialize::serialize(value, &mut json).unwrap();
                    let text = String::from_utf8(out).unwrap();
                    if *end == "\r\n" {
                        text.replace('\n', end) + end
                    } else {
                        text + end
                    }
                }
            }
        }
    }

    /// True when `hooks` or one of its events is there and empty: then what stood there before
    /// `install` cannot be seen in the text after it.
    fn holds_empty_containers(settings: &Value) -> bool {
        settings["hooks"].as_object().is_some_and(|hooks| {
            hooks.is_empty()
                || hooks
                    .values()
                    .any(|groups| groups.as_array().is_some_and(Vec::is_empty))
        })
    }

    fn is_ours(entry: &Value) -> bool {
        entry["command"]
            .as_str()
            .is_some_and(|command| command.ends_with("/plantune-hook"))
    }

    /// All that is not ours: the other settings, and each foreign entry with its event and matcher.
    fn foreign(text: &str) -> (Value, Vec<Value>) {
        let mut root: Value = serde_json::from_str(text).unwrap();
        let hooks = root
            .as_object_mut()
            .unwrap()
            .remove("hooks")
            .unwrap_or_default();
        let mut found = Vec::new();
        for (event, groups) in hooks.as_object().into_iter().flatten() {
            for group in groups.as_array().into_iter().flatten() {
                let Some(entries) = group["hooks"].as_array() else {
                    found.push(json!([event, group]));
                    continue;
                };
                for entry in entries.iter().filter(|entry| !is_ours(entry)) {
                    found.push(json!([event, group.get("matcher"), entry]));
                }
            }
        }
        (root, found)
    }

    /// Puts entries of ours, old and doubled ones too, wherever `places` says.
    fn scatter(mut settings: Value, places: &[(usize, &'static str)]) -> Value {
        let old = json!({"type": "command", "command": "/old/plantune-hook", "timeout": 60});
        for (at, event) in places {
            let entry = if at % 2 == 0 {
                old.clone()
            } else {
                serde_json::from_str(&entry(HOOK)).unwrap()
            };
            let groups = &mut settings["hooks"][*event];
            match groups.as_array_mut() {
                None => *groups = json!([{"matcher": "AskUserQuestion", "hooks": [entry]}]),
                Some(groups) => {
                    let known = groups.len();
                    let entries = groups
                        .get_mut(at % (known + 1))
                        .and_then(|g| g.get_mut("hooks"));
                    match entries.and_then(Value::as_array_mut) {
                        Some(entries) => entries.insert(at % (entries.len() + 1), entry),
                        None => groups.insert(at % (known + 1), json!({"hooks": [entry]})),
                    }
                }
            }
        }
        settings
    }

    proptest! {
        #[test]
        fn uninstall_gives_back_the_bytes(settings in settings(), layout in Layout::any()) {
            let text = layout.write(&settings);
            let there = installed(&text);
            prop_assert!(is_hook_alone(&text, &there));
            prop_assert_eq!(foreign(&there), foreign(&text));
            let back = uninstalled(&there);
            if !holds_empty_containers(&settings) {
                prop_assert_eq!(back, text);
            }
        }

        #[test]
        fn nothing_foreign_changes_whatever_is_repaired(
            settings in settings(),
            layout in Layout::any(),
            places in prop::collection::vec(
                (any::<usize>(), prop::sample::select(vec!["PreToolUse", "SessionStart", "Stop"])),
                1..6,
            ),
        ) {
            let text = layout.write(&scatter(settings, &places));
            let there = installed(&text);
            prop_assert_eq!(foreign(&there), foreign(&text));
            let found = inspect(&REGISTRATION, &there).unwrap().registrations;
            prop_assert_eq!(found.len(), REGISTRATION.events.len());
            prop_assert!(found.iter().all(|entry| entry.place_ok && entry.form_ok && entry.program == HOOK));
            let gone = uninstalled(&text);
            prop_assert_eq!(foreign(&gone), foreign(&text));
            prop_assert!(!gone.contains("/plantune-hook"));
            prop_assert_eq!(foreign(&uninstalled(&there)), foreign(&gone));
        }

        #[test]
        fn garbage_is_refused_or_kept(text in "[{}\\[\\],:\"hoks1 \n]{0,40}") {
            if let Ok(edited) = uninstall(&text) {
                prop_assert_eq!(&edited.text, &text);
            }
            if let Ok(edited) = install(&REGISTRATION, &text, HOOK) {
                prop_assert!(serde_json::from_str::<Value>(&edited.text).is_ok());
            }
        }
    }
}
