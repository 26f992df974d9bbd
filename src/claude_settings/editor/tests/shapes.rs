//! Layouts: what is added looks like its neighbours, and comes out without a trace.

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
        assert!(super::super::is_origin(text, &there), "{there}");
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
        assert!(super::super::is_origin(text, &there), "{there}");
        assert!(!super::super::is_origin(&there, &there));
        assert!(!super::super::is_origin("{\"b\":1}", &there));
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
    assert!(
        tabs.starts_with(
            "{\r\n\t\"a\": 1,\r\n\t\"hooks\": {\r\n\t\t\"PreToolUse\": [\r\n\t\t\t{\r\n"
        )
    );
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
fn refuses_what_it_cannot_edit_safely() {
    let refusal = |text: &str| install(text, HOOK).unwrap_err().to_string();
    assert_eq!(
        refusal("{\n  \"hooks\": []\n}"),
        "line 2, column 12: `hooks` is no object"
    );
    assert_eq!(
        refusal("{\"hooks\":null}"),
        "line 1, column 10: `hooks` is no object"
    );
    assert_eq!(
        refusal("{\"hooks\":{\"PreToolUse\":{}}}"),
        "line 1, column 24: `hooks.PreToolUse` is no array"
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
    assert!(install("{\"hooks\":{\"PreCompact\":{}}}", HOOK).is_ok());
}
