//! How the real client reads rules for Bash: what docs/permissions.md says of it, and what plantune takes for certain.

use std::process::Command;

use plantune_domain::permissions::{Rule, allows, matches};
use serde_json::{Value, json};

use super::client;
use super::home::{Home, Turn};
use super::permissions::{bash, deciding_client};

const RULES: &[&str] = &[
    "Bash(npm test)",
    "Bash(npm run lint)",
    "Bash(npm run 'a (b) > c')",
    r#"Bash(npm run "a\|b$")"#,
    "Bash(grep 'x$')",
    "Bash(gh pr view *)",
    "Bash(git commit -m x)",
    "Edit(/out/**)",
];

/// Commands that it runs without asking.
const RUN: &[&str] = &[
    "npm test",
    // Variables and programs that it leaves out.
    "CI=1 npm test",
    "NODE_ENV=production npm test",
    "TERM=dumb npm test",
    "timeout 60 npm test",
    "CI=1 timeout -k 5 60 npm test",
    "nice -n 5 npm test",
    "stdbuf -oL npm test",
    "time npm test",
    "nohup npm test",
    // Several commands, each of which has a rule or needs none.
    "npm test && npm run lint",
    "npm test\nnpm run lint",
    "npm test | tail -5",
    "npm test 2>&1 | grep -A3 \"a\\|b\" | head",
    "npm test | grep 'x$'",
    "npm test | sed -n '1,9p'",
    "npm test 2>/dev/null || true",
    // Comments, and lines that go on.
    "npm test # all of them",
    "# it's first\nnpm test",
    "npm \\\n  test",
    "npm test && \\\n npm run lint",
    // Characters that mean something to the shell, in quotes.
    "npm run 'a (b) > c'",
    r#"npm run "a\|b$""#,
    "npm test > /dev/null",
    "npm test < a.txt",
    // Output to a file that a rule for Edit covers.
    "npm test > out/a.txt",
    // Any arguments.
    "gh pr view",
    "gh pr view 5 --json a -q '.b[] | select(.c == \"d\")'",
    "timeout 5 gh pr view 5",
];

/// Commands that it asks about.
const ASKED: &[&str] = &[
    "npm test --silent",
    "npm  test",
    "npm \"test\"",
    "DEBUG=1 npm test",
    "env CI=1 npm test",
    "time -p npm test",
    "nice -n5 npm test",
    "/usr/bin/time npm test",
    "timeout 60 CI=1 npm test",
    "npm test && npm run other",
    // What it cannot read before it runs.
    "npm test; echo $?",
    "npm test $(cat a.txt)",
    "(npm test)",
    "npm test &",
    "npm test \\\n | tail",
    "while npm test | grep qq; do sleep 1; done",
    // Output to a file without a rule for Edit.
    "npm test > out.txt",
    "npm test | tee out.txt",
    // Reading that it asks about.
    "grep '^$' a.txt",
    "sed 's/a/b/' a.txt",
    "git -C . status",
    "cat /etc/passwd",
    // Behind any arguments.
    "gh pr viewer",
    "gh pr view 5 && npm run other",
    "gh pr view 5 | sh",
    "gh pr view 5 > a.txt",
    "gh pr view $(id)",
    "GH_HOST=evil.example gh pr view 5",
    "env gh pr view 5",
];

/// Commands in other folders, in this order: it stays where a command went. True for those that it asks about.
const MOVED: &[(&str, bool)] = &[
    ("cd . && git commit -m x", false),
    ("cd SHOP && git commit -m x", false),
    ("cd src && git commit -m x", true),
    ("cd /tmp && npm test", true),
    ("cd src && npm test && cd ..", true),
    ("cd src && npm test", false),
    ("cd SHOP/src; npm test", false),
];

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn rules_are_read_as_plantune_reads_them() {
    let Some(client) = deciding_client() else {
        return;
    };
    let home = Home::with_tests(client);
    for program in ["npm", "gh"] {
        home.program(program, "#!/bin/sh\necho \"$0 $*\"\n");
    }
    for file in ["a.txt", "src/a.ts", "out/b.txt"] {
        home.put(&format!("shop/{file}"), "x\n");
    }
    home.put(
        "shop/.claude/settings.local.json",
        &json!({"permissions": {"allow": RULES}}).to_string(),
    );
    let root = home.path("shop").to_string_lossy().into_owned();
    let moved = MOVED.iter();
    let moved = moved.map(|(command, is_asked)| (command.replace("SHOP", &root), *is_asked));
    let run = RUN.iter().map(|command| ((*command).to_owned(), false));
    let asked = ASKED.iter().map(|command| ((*command).to_owned(), true));
    let commands: Vec<(String, bool)> = run.chain(asked).chain(moved).collect();
    let turns = commands.iter().enumerate();
    let turns = turns.map(|(at, (command, _))| bash(&format!("toolu_{at}"), command));
    let turns = turns.chain([Turn::says("All done.")]).collect();
    let session = home.session(turns, |_| json!({"behavior": "deny", "message": "no"}));
    let asked = session.asked.iter();
    let asked: Vec<&str> = asked
        .filter_map(|one| one["input"]["command"].as_str())
        .collect();
    let wanted = commands.iter().filter(|(_, is_asked)| *is_asked);
    let wanted: Vec<&str> = wanted.map(|(command, _)| command.as_str()).collect();
    assert_eq!(asked, wanted);

    let rules: Vec<Rule> = RULES.iter().filter_map(|rule| Rule::parse(rule)).collect();
    for (command, is_asked) in commands {
        let input = json!({ "command": command });
        let is_certain = matches(&rules, "Bash", &input, &root);
        assert!(!(is_certain && is_asked), "{command}: it asks");
        let is_possible = allows(&rules, "Bash", &input, &root);
        assert!(is_possible || is_asked, "{command}: it does not ask");
    }
}

/// The commands of `commands` that the client, run with `arguments` and `permissions` in the project's settings, asks the
/// person about; and those that auto mode's classifier judges.
fn asked_with(
    home: &Home,
    client: Command,
    permissions: &Value,
    commands: &[&str],
) -> (Vec<String>, usize) {
    home.put(
        "shop/.claude/settings.local.json",
        &json!({ "permissions": permissions }).to_string(),
    );
    let turns = commands.iter().enumerate();
    let turns = turns.map(|(at, command)| bash(&format!("toolu_{at}"), command));
    let turns: Vec<Turn> = turns.chain([Turn::says("All done.")]).collect();
    let deny = |_: &Value| json!({"behavior": "deny", "message": "no"});
    let session = client::run(client, turns, deny);
    let asked = session.asked.iter();
    let asked = asked.filter_map(|one| one["input"]["command"].as_str());
    (
        asked.map(str::to_owned).collect(),
        session.classifier_reads().len(),
    )
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn rules_that_stop_and_modes_come_before_rules_that_allow() {
    let Some(client) = deciding_client() else {
        return;
    };
    let home = Home::with_tests(client);
    home.program("npm", "#!/bin/sh\necho \"$0 $*\"\n");
    let stopped = json!({"allow": ["Bash(npm *)"], "ask": ["Bash(npm run stop)"]});
    let commands = ["npm test", "npm run stop", "npm run test:unit"];
    let (asked, _) = asked_with(&home, home.claude(), &stopped, &commands);
    assert_eq!(asked, ["npm run stop"]);

    let narrow = json!({"allow": ["Bash(npm run test *)"]});
    let commands = ["npm run test", "npm run test x", "npm run test:unit"];
    let (asked, _) = asked_with(&home, home.claude(), &narrow, &commands);
    assert_eq!(asked, ["npm run test:unit"]);

    // Rules of another project do not hold here.
    home.put(
        "other/.claude/settings.local.json",
        &json!({"permissions": {"allow": ["Bash(npm test)"]}}).to_string(),
    );
    let (asked, _) = asked_with(&home, home.claude(), &json!({}), &["npm test"]);
    assert_eq!(asked, ["npm test"]);

    let one = json!({"allow": ["Bash(npm test)"]});
    let mut plans = home.claude();
    plans.args(["--permission-mode", "plan"]);
    let (asked, _) = asked_with(&home, plans, &one, &["npm test"]);
    assert_eq!(asked, [] as [&str; 0], "plan mode");

    let (asked, judged) = asked_with(&home, home.in_auto_mode(), &one, &["npm test"]);
    assert_eq!((asked.len(), judged), (0, 0), "the rule decides");
    let any = json!({"allow": ["Bash(*)"]});
    let (asked, judged) = asked_with(&home, home.in_auto_mode(), &any, &["npm test"]);
    assert_eq!((asked.len(), judged), (0, 1), "the classifier decides");
}
