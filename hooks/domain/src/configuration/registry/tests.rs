use super::*;

#[test]
fn rules_match_text_header_and_option_set() {
    let registry = Registry::parse(
        r#"
        [[question]]
        key = "next-area"
        options = ["More questions", "Next area"]
        [[question]]
        key = "todos"
        text = "no todos* found*"
        header = "TODOs"
        door = "one-way"
        "#,
    )
    .unwrap();
    let options = [
        "Next area (Recommended)".to_owned(),
        "more questions".to_owned(),
    ];
    assert_eq!(
        registry.key_of("anything", None, &options),
        Some("next-area")
    );
    assert_eq!(
        registry.key_of("No TODOS.md found. Create?", Some("todos"), &[]),
        Some("todos")
    );
    assert_eq!(registry.key_of("No TODOS.md found.", None, &[]), None);
    assert_eq!(registry.door_of("todos"), Some(Door::OneWay));
    assert_eq!(registry.door_of("next-area"), None);
}

#[test]
fn one_way_rule_matches_under_any_key() {
    let registry = Registry::parse(
        r#"
        [[question]]
        key = "anything"
        text = "*"
        [[question]]
        key = "ledger"
        text = "*ledger*"
        door = "one-way"
        category = "money"
        "#,
    )
    .unwrap();
    let asked = "Close the ledger of May?";
    assert_eq!(registry.key_of(asked, None, &[]), Some("anything"));
    for key in ["anything", "a-marker", "fp-0123456789abcdef"] {
        let rule = registry.one_way_rule(key, asked, None, &[]).unwrap();
        assert_eq!(rule.category.as_deref(), Some("money"), "{key}");
    }
    assert!(
        registry
            .one_way_rule("anything", "Close it?", None, &[])
            .is_none()
    );
    assert!(
        registry
            .one_way_rule("ledger", "Close it?", None, &[])
            .is_some()
    );
}

#[test]
fn option_sets_may_hold_patterns() {
    let registry = Registry::parse(
        "[[question]]\nkey = \"finding\"\noptions = [\"fix *\", \"Skip\"]\nreask = \"off\"",
    )
    .unwrap();
    let key = |labels: &[&str]| {
        let labels: Vec<String> = labels.iter().map(|&label| label.to_owned()).collect();
        registry.key_of("?", None, &labels).is_some()
    };
    assert!(key(&["Fix the typo (Recommended)", "skip"]));
    assert!(key(&["Skip", "Fix a", "Fix b"]));
    assert!(!key(&["Fix the typo", "Skip", "Later"]));
    assert!(!key(&["Skip"]));
    assert_eq!(registry.reask_of("finding"), Some(Reask::Off));
}

#[test]
fn reaches_of_the_persons_own() {
    let registry = Registry::parse(
        r#"
        [[permission]]
        command = "npm run e2e:remote"
        reach = "beyond"
        reason = "runs against staging"
        [[permission]]
        command = "npm run smoke-shop"
        reach = "reads"
        [[permission]]
        command = "git push"
        reach = "reads"
        [[permission]]
        command = "sudo ls"
        reach = "reads"
        [[permission]]
        command = "cargo test"
        reach = "beyond"
        [[permission]]
        host = "wiki.internal"
        reach = "project"
        [[permission]]
        host = "*.example.com"
        reach = "beyond"
        [[permission]]
        tool = "mcp__db__run_report"
        reach = "reads"
        [[permission]]
        tool = "mcp__db__*"
        reach = "beyond"
        [[permission]]
        tool = "Skill"
        reach = "reads"
        "#,
    )
    .unwrap();
    let reach = |tool: &str, field: &str, value: &str| {
        let input = serde_json::json!({ field: value });
        let own = registry.own_reaches();
        crate::permissions::describe_with(tool, &input, "/home/dev/shop", own)
            .reach
            .name()
    };
    for (command, expected) in [
        ("npm run smoke-shop", "reads"),
        ("npm run smoke-shop --prefix /x", "beyond"),
        ("npm run smoke-shop && git push", "beyond"),
        ("X=1 npm run smoke-shop", "unknown"),
        ("npm run smoke-shop > smoke.log", "project"),
        ("npm run smoke-sho*", "beyond"),
        ("npm run e2e:remote", "beyond"),
        ("git push", "beyond"),
        ("sudo ls", "beyond"),
        ("cargo test", "beyond"),
        ("cargo test -p a", "beyond"),
        ("cargo build", "reads"),
    ] {
        assert_eq!(reach("Bash", "command", command), expected, "{command}");
    }
    assert_eq!(
        reach("WebFetch", "url", "https://wiki.internal/a"),
        "project"
    );
    assert_eq!(
        reach("WebFetch", "url", "https://wiki.internal/a?token=abc"),
        "beyond"
    );
    assert_eq!(
        reach("WebFetch", "url", "https://docs.example.com/a"),
        "beyond"
    );
    assert_eq!(reach("mcp__db__run_report", "x", ""), "reads");
    assert_eq!(reach("mcp__db__list_tables", "x", ""), "beyond");
    assert_eq!(reach("Skill", "skill", "x"), "beyond");
}

#[test]
fn comments_are_no_rules() {
    assert!(Registry::parse("# [[question\n\n   # key\n").is_ok());
    assert!(Registry::parse("# a\n[[question").is_err());
}

#[test]
fn mistakes_are_named() {
    for text in [
        "[[question]]\nkey = \"A b\"",
        "[[question]]\nkey = \"a\"\ndoor = \"both\"",
        "[[question]]\nkey = \"a\"\nreask = \"always\"",
        "x = 1",
        "[[permission]]\nreach = \"reads\"",
        "[[permission]]\ncommand = \"a b\"\nreach = \"all\"",
        "[[permission]]\ncommand = \"a b\"\nhost = \"c.d\"\nreach = \"reads\"",
    ] {
        assert!(Registry::parse(text).is_err(), "{text}");
    }
}

#[test]
fn markup_and_white_space_do_not_count() {
    let registry = Registry::parse(
        r#"
        [[question]]
        key = "widget"
        text = "*run the widget*"
        door = "one-way"
        [[question]]
        key = "layout"
        text = "Which `layout` for my_page?"
        header = "The  page"
        options = ["Grid view", "List"]
        "#,
    )
    .unwrap();
    for text in [
        "Shall I run the widget?",
        "Shall I run  the widget?",
        "run\nthe\u{a0}widget",
        "Shall I **run** the widget?",
        "_Run_ the `widget`?",
        "__run the widget__?",
        "~~run~~ the widget",
        "So: **run the widget**?",
    ] {
        assert_eq!(registry.key_of(text, None, &[]), Some("widget"), "{text}");
        assert!(
            registry.one_way_rule("k", text, None, &[]).is_some(),
            "{text}"
        );
    }
    assert_eq!(registry.key_of("Shall I rerun thewidget?", None, &[]), None);
    let labels = ["**Grid**  view (Recommended)", "__List__"].map(str::to_owned);
    for (text, key) in [
        ("Which layout for my_page?", Some("layout")),
        ("Which **layout** for `my_page`?", Some("layout")),
        ("Which layout for mypage?", None),
    ] {
        assert_eq!(
            registry.key_of(text, Some("the page"), &labels),
            key,
            "{text}"
        );
    }
}
