//! What a prompt for permission is about, and rules for it.
//!
//! Input: a command, behind the byte 1F a tool, and behind another a rule.
#![allow(clippy::unwrap_used, reason = "a check is there to panic")]

use plantune_domain::permissions::{
    OwnReaches, Reach, Rule, allows, describe, main_field, matches, narrowest_rules, parts,
};
use serde_json::{Map, Value, json};

const CWD: &str = "/home/dev/shop";

/// Checks the call and the rule in `data`.
pub(crate) fn check(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let mut fields = text.split('\u{1f}');
    let mut next = || fields.next().unwrap_or_default();
    let (command, tool, rule) = (next(), next(), next());
    check_command(command);
    check_tool(tool, command);
    if let Some(rule) = Rule::parse(rule) {
        assert_eq!(Rule::parse(&rule.to_string()).unwrap(), rule);
        let input = json!({ "command": command });
        assert!(!rule.matches("Bash", &input, CWD) || rule.allows("Bash", &input, CWD));
    }
}

fn reach(command: &str) -> Reach {
    describe("Bash", &json!({ "command": command }), CWD).reach
}

fn check_command(command: &str) {
    let own = OwnReaches::default();
    let described = describe("Bash", &json!({ "command": command }), CWD);
    assert!(!described.subject.contains('\0') || command.contains('\0'));
    match parts(command, CWD, &own) {
        // A loop can be judged, but the client may part it in another way: it gets no rule.
        None => {
            let input = json!({ "command": command });
            assert_eq!(
                narrowest_rules("Bash", &input, CWD, &own),
                None,
                "{command:?}"
            );
        }
        Some(parts) => {
            let worst = parts.iter().map(|part| part.reach).max();
            assert_eq!(worst, Some(described.reach));
            for part in &parts {
                assert!(part.fixed <= part.words.len(), "{part:?}");
                assert!(
                    part.words
                        .iter()
                        .all(|word| command.contains(word.as_str()))
                );
            }
            // Substitutions and expansions are never sure.
            let quoted = command.contains(['\'', '\\']);
            assert!(quoted || !command.contains(['$', '`']), "{command:?}");
        }
    }
    // What is dangerous stays so beside what is not.
    if described.reach == Reach::Beyond {
        assert_eq!(reach(&format!("ls && {command}")), Reach::Beyond);
    }
    // A backslash at the end makes one line of the two.
    if !command.ends_with('\\') {
        assert_eq!(reach(&format!("{command}\ngit push")), Reach::Beyond);
    }
    assert_eq!(reach(&format!("git push; {command}")), Reach::Beyond);
}

fn check_tool(tool: &str, text: &str) {
    let mut input = Map::new();
    if let Some(field) = main_field(tool) {
        input.insert(field.to_owned(), Value::from(text));
    }
    let input = Value::Object(input);
    for tool in [tool, "Bash"] {
        let input = if tool == "Bash" {
            json!({ "command": text })
        } else {
            input.clone()
        };
        let described = describe(tool, &input, CWD);
        assert!(described.input.len() <= 2048);
        if let Some(rules) = narrowest_rules(tool, &input, CWD, &OwnReaches::default()) {
            assert_ne!(described.reach, Reach::Beyond);
            assert!(!rules.is_empty());
            assert!(allows(&rules, tool, &input, CWD), "{rules:?}");
            assert!(matches(&rules, tool, &input, CWD), "{rules:?}");
            for rule in &rules {
                assert_eq!(Rule::parse(&rule.to_string()).as_ref(), Some(rule));
            }
        }
    }
}
