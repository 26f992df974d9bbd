//! What a prompt for permission is about, and rules for it.
//!
//! Input: a command, behind the byte 1F a tool, and behind another a rule.
#![allow(clippy::unwrap_used, reason = "a check is there to panic")]

use plantune_domain::permissions::{
    OwnTiers, Rule, Tier, allows, describe, main_field, matches, narrowest_rules, parts,
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

fn tier(command: &str) -> Tier {
    describe("Bash", &json!({ "command": command }), CWD).tier
}

fn check_command(command: &str) {
    let own = OwnTiers::default();
    let described = describe("Bash", &json!({ "command": command }), CWD);
    assert!(!described.subject.contains('\0') || command.contains('\0'));
    match parts(command, CWD, &own) {
        None => assert_eq!(described.tier, Tier::Beyond),
        Some(parts) => {
            let worst = parts.iter().map(|part| part.tier).max();
            assert_eq!(worst, Some(described.tier));
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
    if described.tier == Tier::Beyond {
        assert_eq!(tier(&format!("ls && {command}")), Tier::Beyond);
    }
    assert_eq!(tier(&format!("{command}\ngit push")), Tier::Beyond);
    assert_eq!(tier(&format!("git push; {command}")), Tier::Beyond);
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
        if let Some(rules) = narrowest_rules(tool, &input, CWD, &OwnTiers::default()) {
            assert_ne!(described.tier, Tier::Beyond);
            assert!(!rules.is_empty());
            assert!(allows(&rules, tool, &input, CWD), "{rules:?}");
            assert!(matches(&rules, tool, &input, CWD), "{rules:?}");
            for rule in &rules {
                assert_eq!(Rule::parse(&rule.to_string()).as_ref(), Some(rule));
            }
        }
    }
}
