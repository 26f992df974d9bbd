//! The permission rules: added like a neighbour, taken out without a trace.

use proptest::prelude::*;
use serde_json::Value;

use super::super::{List, OurRules, denied, is_origin_with, listed, rule};
use super::*;

fn ours() -> Vec<String> {
    ["Edit(~/.config/plantune/**)", "Bash(*plantune undo*)"]
        .map(str::to_owned)
        .to_vec()
}

fn ruled(text: &str) -> String {
    let edited = rule(text, List::Deny, &ours(), &[]).unwrap();
    let again = rule(&edited.text, List::Deny, &ours(), &[]).unwrap();
    assert!(again.changes.is_empty(), "{text}");
    edited.text
}

fn unruled(text: &str) -> String {
    rule(text, List::Deny, &[], &ours()).unwrap().text
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
        assert!(is_origin_with(text, &both, &denying), "{both}");
        assert_eq!(uninstalled(&unruled(&both)), text);
    }
}

#[test]
fn what_becomes_empty_goes_and_what_is_foreign_stays() {
    let first = ours().remove(0);
    let text = format!("{{\"permissions\":{{\"deny\":[\"{first}\",\"{first}\",\"theirs\"]}}}}");
    assert_eq!(unruled(&text), "{\"permissions\":{\"deny\":[\"theirs\"]}}");
    assert_eq!(unruled(&text.replace(",\"theirs\"", "")), "{}");
    assert_eq!(denied(&text, &ours()).unwrap(), [first]);
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
        let there = rule(text, List::Allow, &allowed.allow, &[]).unwrap().text;
        let tail: Vec<String> = listed(&there, List::Allow)
            .unwrap()
            .into_iter()
            .rev()
            .take(2)
            .collect();
        assert_eq!(tail, ["Edit(/src/**)", "Bash(npm test)"], "{there}");
        assert!(is_origin_with(text, &there, &allowed), "{there}");
        for both in [
            installed(&there),
            rule(&installed(text), List::Allow, &allowed.allow, &[])
                .unwrap()
                .text,
        ] {
            assert!(is_origin_with(text, &both, &allowed), "{both}");
        }
        // A rule that was there before is not ours.
        assert!(!is_origin_with(&there, &there, &allowed));
    }
}

#[test]
fn refuses_permissions_it_cannot_edit_safely() {
    for (text, fact) in [
        (
            "{\"permissions\":7}",
            "line 1, column 16: `permissions` is no object",
        ),
        (
            "{\"permissions\":{\"deny\":{}}}",
            "line 1, column 24: `permissions.deny` is no array",
        ),
        (
            "{\"permissions\":{\"deny\":[],\"deny\":[]}}",
            "line 1, column 27: `deny` stands here twice",
        ),
    ] {
        let refusal = rule(text, List::Deny, &ours(), &[])
            .unwrap_err()
            .to_string();
        assert_eq!(refusal, fact);
        // Without a guard they are nobody's business.
        assert!(install(text, HOOK).is_ok());
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
