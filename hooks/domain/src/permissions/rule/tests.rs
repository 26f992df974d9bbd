//! Rules, what they cover, and the narrowest ones.

use serde_json::{Value, json};

use super::*;
use crate::permissions::OwnReaches;

const CWD: &str = "/home/dev/shop";

fn bash(command: &str) -> Value {
    json!({ "command": command })
}

fn rule(text: &str) -> Rule {
    Rule::parse(text).unwrap()
}

#[test]
fn rules_are_read_as_they_are_written() {
    for text in [
        "Bash(npm test *)",
        "Read",
        "mcp__tracker__create_issue",
        "Bash(a (b))",
    ] {
        assert_eq!(rule(text).to_string(), text);
    }
    for text in ["", "Bash(", "Bash()", "(x)", "two words"] {
        assert_eq!(Rule::parse(text), None, "{text}");
    }
}

/// `yes`: certainly covered; `may`: perhaps; `no`: not.
#[test]
fn rules_for_commands() {
    for (text, command, expected) in [
        ("Bash(npm test)", "npm test", "yes"),
        ("Bash(npm test)", "npm test x", "no"),
        ("Bash(npm test *)", "npm test", "yes"),
        ("Bash(npm test *)", "npm test -- --watch", "yes"),
        ("Bash(npm test *)", "npm tests", "no"),
        ("Bash(npm test:*)", "npm test", "yes"),
        ("Bash(npm test:*)", "npm test x", "yes"),
        ("Bash(npm test:*)", "npm tests", "may"),
        ("Bash(npm run test*)", "npm run test:unit", "yes"),
        ("Bash(* --version)", "node --version", "yes"),
        ("Bash(git * main)", "git push origin main", "yes"),
        ("Bash(npm test *)", "npm test && git push", "no"),
        ("Bash(npm test *)", "cd src && npm test", "yes"),
        ("Bash(npm test *)", "cd /tmp && npm test", "no"),
        ("Bash(npm test *)", "npm test | grep x", "yes"),
        ("Bash(npm test *)", "npm test > out.txt", "may"),
        ("Bash(npm test *)", "npm test | tee log.txt", "no"),
        ("Bash(npm test *)", "NODE_ENV=test npm test", "may"),
        (
            "Bash(NODE_ENV=test npm test *)",
            "NODE_ENV=test npm test",
            "yes",
        ),
        ("Bash(npm test *)", "timeout 5 npm test", "may"),
        ("Bash(npm test *)", "npm test $(rm x)", "may"),
        ("Bash(npm test *)", "echo $(npm test)", "may"),
        ("Bash(npm test *)", "yarn $X", "no"),
        ("Bash(*)", "rm -rf /", "yes"),
        ("Bash", "rm -rf /", "yes"),
        ("Bash(git push *)", "git push --force", "yes"),
        ("Read", "npm test", "no"),
    ] {
        let got = match (
            rule(text).matches("Bash", &bash(command), CWD),
            rule(text).allows("Bash", &bash(command), CWD),
        ) {
            (true, true) => "yes",
            (false, true) => "may",
            (false, false) => "no",
            (true, false) => "certain and yet not possible",
        };
        assert_eq!(got, expected, "{text} {command}");
    }
    let both = [rule("Bash(npm test)"), rule("Bash(git push *)")];
    assert!(matches(
        &both,
        "Bash",
        &bash("npm test && git push origin main"),
        CWD
    ));
}

#[test]
fn rules_for_files_addresses_and_servers() {
    for (text, tool, field, value, expected) in [
        (
            "Edit(/src/**)",
            "Edit",
            "file_path",
            "/home/dev/shop/src/a/b.rs",
            true,
        ),
        ("Edit(/src/**)", "Write", "file_path", "src/b.rs", true),
        (
            "Edit(/src/**)",
            "Edit",
            "file_path",
            "/home/dev/shop/lib/b.rs",
            false,
        ),
        (
            "Edit(/src/**)",
            "Edit",
            "file_path",
            "src/../lib/b.rs",
            false,
        ),
        ("Edit(/src/*.rs)", "Edit", "file_path", "src/b.rs", true),
        ("Edit(/src/*.rs)", "Edit", "file_path", "src/a/b.rs", false),
        ("Edit(*.md)", "Edit", "file_path", "docs/a.md", true),
        ("Read(//etc/**)", "Read", "file_path", "/etc/hosts", true),
        (
            "Read(~/notes/**)",
            "Read",
            "file_path",
            "/home/dev/notes/x",
            true,
        ),
        (
            "Read(//home/dev/notes/**)",
            "Read",
            "file_path",
            "../notes/x",
            true,
        ),
        ("Read(/src/**)", "Edit", "file_path", "src/a", false),
        (
            "WebFetch(domain:docs.rs)",
            "WebFetch",
            "url",
            "https://docs.rs/x",
            true,
        ),
        (
            "WebFetch(domain:docs.rs)",
            "WebFetch",
            "url",
            "https://docs.rs.evil.example/",
            false,
        ),
        ("WebFetch", "WebFetch", "url", "http://x", true),
        ("mcp__tracker", "mcp__tracker__create_issue", "x", "", true),
        (
            "mcp__tracker__*",
            "mcp__tracker__create_issue",
            "x",
            "",
            true,
        ),
        ("mcp__track", "mcp__tracker__create_issue", "x", "", false),
        (
            "mcp__tracker__create_issue",
            "mcp__tracker__create_issue",
            "x",
            "",
            true,
        ),
        (
            "mcp__tracker__create_issue",
            "mcp__tracker__delete_issue",
            "x",
            "",
            false,
        ),
    ] {
        let input = json!({ field: value });
        assert_eq!(
            rule(text).matches(tool, &input, CWD),
            expected,
            "{text} {tool} {value}"
        );
        assert!(
            !expected || rule(text).allows(tool, &input, CWD),
            "{text} {tool} {value}"
        );
    }
}

#[test]
fn the_narrowest_rules() {
    let rules = |tool: &str, input: &Value| {
        let rules = narrowest_rules(tool, input, CWD, &OwnReaches::default());
        rules.map(|rules| {
            rules
                .iter()
                .map(Rule::to_string)
                .collect::<Vec<_>>()
                .join(" ")
        })
    };
    for (command, expected) in [
        ("npm test", Some("Bash(npm test)")),
        (
            "NODE_ENV=test npm test",
            Some("Bash(NODE_ENV=test npm test)"),
        ),
        ("cd src && npm test", None),
        ("cd . && npm test", Some("Bash(npm test)")),
        ("npm test 2>&1", Some("Bash(npm test)")),
        (
            "npm test && npm run lint",
            Some("Bash(npm test) Bash(npm run lint)"),
        ),
        ("npm test | grep FAIL", Some("Bash(npm test)")),
        ("git commit -m 'a b'", Some("Bash(git commit -m 'a b')")),
        ("npm test > out.txt", None),
        ("eslint 'src/*.ts'", None),
        ("git commit -m 'a (b)'", None),
        ("git push", None),
        ("npm test && git push", None),
        ("cd src", None),
        ("npm test $(x)", None),
    ] {
        assert_eq!(
            rules("Bash", &bash(command)).as_deref(),
            expected,
            "{command}"
        );
    }
    let file = |path: &str| json!({ "file_path": path });
    assert_eq!(
        rules("Write", &file("src/a/b.rs")).unwrap(),
        "Edit(/src/a/**)"
    );
    assert_eq!(
        rules("Edit", &file("README.md")).unwrap(),
        "Edit(/README.md)"
    );
    assert_eq!(rules("Edit", &file(".env")), None);
    assert_eq!(rules("Read", &file("../x")), None);
    let page = json!({ "url": "https://docs.rs/serde/latest/serde/" });
    assert_eq!(
        rules("WebFetch", &page).unwrap(),
        "WebFetch(domain:docs.rs)"
    );
    assert_eq!(
        rules("mcp__tracker__create_issue", &json!({})).unwrap(),
        "mcp__tracker__create_issue"
    );
    assert_eq!(rules("mcp__tracker__delete_issue", &json!({})), None);
}
