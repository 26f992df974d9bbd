//! Reaches of commands: what looks harmless and is not, and what is ordinary.
//!
//! The lists in `tests/permissions/` hold one command a line; more of the same kind may be added.

use std::fmt::Write as _;

use plantune_domain::atomic_file;
use plantune_domain::permissions::{
    OwnReaches, Reach, Rule, SimpleCommand, allows, describe, judge, narrowest_rules, parts,
    prefix_danger,
};
use serde_json::json;

const CWD: &str = "/home/dev/shop";

/// The commands of a list, each with its group.
fn commands(list: &'static str) -> Vec<(&'static str, String)> {
    let mut group = "";
    let mut commands = Vec::new();
    for line in list.lines() {
        if let Some(name) = line
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'))
            && !line.starts_with("[ ")
            && !line.starts_with("[[")
        {
            group = name;
        } else if !(line.is_empty() || line.starts_with('#') && group.is_empty()) {
            commands.push((group, line.to_owned()));
        }
    }
    commands
}

/// `\n`, `\r`, `\t`, `\0`, `\a`, `\\` and `\u{…}` as the characters they stand for.
fn unescaped(line: &str) -> String {
    let mut text = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once('\\') {
        text.push_str(before);
        let kind = after.chars().next();
        rest = after.get(1..).unwrap_or_default();
        match kind {
            Some('n') => text.push('\n'),
            Some('r') => text.push('\r'),
            Some('t') => text.push('\t'),
            Some('0') => text.push('\0'),
            Some('\\') => text.push('\\'),
            Some('u') => {
                let (code, after) = rest.strip_prefix('{').unwrap().split_once('}').unwrap();
                text.push(char::from_u32(u32::from_str_radix(code, 16).unwrap()).unwrap());
                rest = after;
            }
            other => panic!("{line}: {other:?} is no escape"),
        }
    }
    text + rest
}

fn reach(command: &str) -> (Reach, String, String) {
    let described = describe("Bash", &json!({ "command": command }), CWD);
    (described.reach, described.subject, described.reason)
}

fn assert_none(wrong: &[String], of: usize) {
    let lines = wrong.join("\n");
    assert!(wrong.is_empty(), "{} of {of}:\n{lines}", wrong.len());
}

#[test]
fn an_operator_with_nothing_behind_it_is_not_understood() {
    for line in ["ls &&", "ls && ;", "ls || ; ls", "ls &&\n", "ls &&\n;ls"] {
        assert_eq!(reach(line).0, Reach::Beyond, "{line:?}");
    }
    assert_eq!(reach("ls &&\n\n pwd;").0, Reach::Reads);
}

#[test]
fn what_looks_harmless_and_is_not_reaches_beyond_the_project() {
    let list = commands(include_str!("../permissions/dangerous.txt"));
    assert!(list.len() >= 400, "{}", list.len());
    let mut wrong = Vec::new();
    for (group, line) in &list {
        let command = unescaped(line);
        let (reach, subject, _) = reach(&command);
        if reach != Reach::Beyond {
            wrong.push(format!("[{group}] {line}: {reach:?}, {subject}"));
        }
        if reach == Reach::Beyond {
            // Whatever stands beside it, it stays so.
            for line in [
                format!("ls && {command}"),
                format!("{command}\nls"),
                format!("{command} | wc -l"),
            ] {
                if self::reach(&line).0 != Reach::Beyond {
                    wrong.push(format!("[{group}] {line}"));
                }
            }
        }
    }
    assert_none(&wrong, list.len());
}

#[test]
fn ordinary_commands_read_or_change_the_project() {
    let list = commands(include_str!("../permissions/harmless.txt"));
    assert!(list.len() >= 150, "{}", list.len());
    let mut wrong = Vec::new();
    for (group, line) in &list {
        let (reach, subject, reason) = reach(line);
        if reach.name() != *group {
            wrong.push(format!("[{group}] {line}: {reach:?}, {subject}: {reason}"));
        }
    }
    assert_none(&wrong, list.len());
}

/// Of these plantune does not know what they do: at most the rule for exactly the words.
#[test]
fn what_is_not_known_is_no_more_than_that() {
    let list = commands(include_str!("../permissions/unknown.txt"));
    assert!(list.len() >= 60, "{}", list.len());
    let wrong = list.iter().filter_map(|(group, line)| {
        let (reach, subject, reason) = reach(&unescaped(line));
        let is_it = reach == Reach::Unknown;
        (!is_it).then(|| format!("[{group}] {line}: {reach:?}, {subject}: {reason}"))
    });
    assert_none(&wrong.collect::<Vec<_>>(), list.len());
}

/// Every verdict on the commands of the three lists, a line each, so that a changed one shows in review.
/// `PLANTUNE_WRITE_EXPECTED=1` writes them.
#[test]
fn verdicts_are_what_they_were() {
    let lists = [
        include_str!("../permissions/harmless.txt"),
        include_str!("../permissions/unknown.txt"),
        include_str!("../permissions/dangerous.txt"),
    ];
    let commands = lists.into_iter().flat_map(commands);
    let verdicts = commands.map(|(_, line)| format!("{line}\n{}", verdict(&unescaped(&line))));
    let found: String = verdicts.collect();
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/permissions/verdicts.txt"
    );
    if std::env::var_os("PLANTUNE_WRITE_EXPECTED").is_some() {
        atomic_file::replace(path.as_ref(), found.as_bytes(), 0o644).unwrap();
    }
    let expected = std::fs::read_to_string(path).unwrap();
    for (found, expected) in found.lines().zip(expected.lines()) {
        assert_eq!(found, expected);
    }
    assert_eq!(found.len(), expected.len());
}

/// A line for each simple command of `command`: its reach and subject, what is not usual of it, and the reason.
fn verdict(command: &str) -> String {
    let Some(line) = judge(command, CWD, &OwnReaches::default()) else {
        return "    not understood\n".to_owned();
    };
    let text = |part: SimpleCommand| {
        let mut text = format!("    {}: {:?}", part.reach.name(), part.subject);
        let leading = format!("{} leading words are left out", part.lead);
        let marks = [
            (leading.as_str(), part.lead > 0),
            ("needs no rule", part.is_aside),
            ("writes a file", part.writes_file),
            ("writes outside", part.writes_outside),
            ("not plain", !line.is_plain),
        ];
        let marks = marks.iter().filter(|(_, is_so)| *is_so);
        write!(text, ", {} words are fixed", part.fixed).unwrap();
        marks.for_each(|(mark, _)| write!(text, ", {mark}").unwrap());
        if !part.folder.is_empty() {
            write!(text, ", in {}", part.folder).unwrap();
        }
        if !part.reason.is_empty() {
            write!(text, ": {:?}", part.reason).unwrap();
        }
        text + "\n"
    };
    line.commands.into_iter().map(text).collect()
}

/// True if a rule is proposed for `command`, or it counts as plain reading.
fn is_proposed(command: &str) -> bool {
    let rules = narrowest_rules("Bash", command, CWD, &OwnReaches::default());
    rules.is_some() || reach(command).0 < Reach::Unknown
}

/// The kinds of what was proposed once and may not be, in many forms.
#[test]
fn kinds_that_are_not_proposed() {
    let word = "[a-z]{3,8}";
    proptest::proptest!(|(
        runner in proptest::sample::select(vec!["npm run", "pnpm", "yarn", "bun run", "pnpm run", "make", "turbo run"]),
        act in proptest::sample::select(vec!["clean", "deploy", "publish", "release", "destroy", "reset", "prune"]),
        sign in "[:_-]", what in word, is_first: bool,
    )| {
        let name = if is_first { format!("{act}{sign}{what}") } else { format!("{what}{sign}{act}") };
        let command = format!("{runner} {name}");
        proptest::prop_assert!(!is_proposed(&command), "{command}");
    });
    proptest::proptest!(|(
        program in proptest::sample::select(vec!["pytest", "python3 -m pytest", "uv run pylint", "jest", "npx jest", "npx eslint",
            "mocha", "npx vitest run", "rspec", "mytool", "./check", "java", "flake8"]),
        option in proptest::sample::select(vec!["--require", "--config", "--plugin", "--load-plugins", "--setupFiles", "--init-hook",
            "--rcfile", "--loader", "--globalSetup", "--transform", "--bootstrap", "-javaagent"]),
        sign in "[= ]", value in "(\\./)?[a-z]{3,8}(\\.js)?", rest in "( [a-z]{3,8})?",
    )| {
        let command = format!("{program} {option}{sign}{value}{rest}");
        proptest::prop_assert!(!is_proposed(&command), "{command}");
    });
    proptest::proptest!(|(
        reader in proptest::sample::select(vec!["cat", "head -5", "grep -n x", "tail", "less", "jq . <", "wc -l", "sed -n 1,5p"]),
        folder in "([a-z]{3,6}/){0,2}",
        file in proptest::sample::select(vec!["appsettings.Production.json", "appsettings.Staging.json", "local.settings.json",
            "wp-config.php", "gradle.properties", "database.yml", "local_settings.py", "web.config", "rclone.conf"]),
    )| {
        let command = format!("{reader} {folder}{file}");
        proptest::prop_assert!(!is_proposed(&command), "{command}");
    });
    proptest::proptest!(|(
        // No folder of output, such as `log`.
        text in "(echo [a-z]{1,5}|:|git log -3|npm test)", folder in "([a-z]{3,6}x/){0,2}", name in word,
        end in proptest::sample::select(vec!["rs", "ts", "py", "md", "toml", "json", "go", "java", "sh", "yml"]),
        agent in proptest::sample::select(vec!["CLAUDE.md", "AGENTS.md", "GEMINI.md", "QWEN.md", "SKILL.md"]),
    )| {
        let truncates = format!("{text} > src/{folder}{name}.{end}");
        proptest::prop_assert_eq!(reach(&truncates).0, Reach::Beyond, "{}", truncates);
        for sign in [">", ">>", "| tee -a"] {
            let steers = format!("{text} {sign} {folder}{agent}");
            proptest::prop_assert_eq!(reach(&steers).0, Reach::Beyond, "{}", steers);
        }
    });
    proptest::proptest!(|(
        starter in proptest::sample::select(vec!["nice", "nice -n 3", "xargs", "xargs -n 1", "env A=1", "env -S", "ionice -c 2", "stdbuf -o0"]),
        program in "(\\./)?[a-z]{4,8}x", rest in "( [a-z]{3,6})?",
    )| {
        let command = format!("{starter} {program}{rest}");
        proptest::prop_assert!(!is_proposed(&command), "{command}");
    });
}

/// Commands that were once judged too harmless: no rule is proposed for them.
#[test]
fn cases_of_commands() {
    let Some(path) = crate::shared::shared("cases of commands", "cases/commands/cases.jsonl")
    else {
        return;
    };
    let cases = std::fs::read_to_string(path).unwrap();
    let commands = cases.lines().map(|line| {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        case["command"].as_str().unwrap().to_owned()
    });
    let wrong: Vec<String> = commands.filter(|command| is_proposed(command)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// No rule is proposed for a command of the first list, and none for one of the second list covers one of
/// the first.
#[test]
fn rules_for_ordinary_commands_cover_nothing_dangerous() {
    let own = OwnReaches::default();
    let input = |command: &str| json!({ "command": command });
    let dangerous: Vec<String> = commands(include_str!("../permissions/dangerous.txt"))
        .iter()
        .map(|(_, line)| unescaped(line))
        .collect();
    for command in &dangerous {
        assert_eq!(
            narrowest_rules("Bash", command, CWD, &own),
            None,
            "{command}"
        );
    }
    // All of them together, as a person may have them.
    let rules: Vec<Rule> = commands(include_str!("../permissions/harmless.txt"))
        .iter()
        .filter_map(|(_, command)| narrowest_rules("Bash", command, CWD, &own))
        .flatten()
        .collect();
    assert!(rules.len() > 200, "{}", rules.len());
    // About what is not understood, and about files that output goes to, the host asks by itself. A rule for
    // `npm start` cannot tell in which folder of the project it runs, nor whether NODE_ENV is set.
    let is_by_rules = |bad: &&String| {
        let parts = parts(bad, CWD, &own).unwrap_or_default();
        let is_left_out = |part: &SimpleCommand| part.writes_file || part.is_aside || part.lead > 0;
        !parts.is_empty() && !parts.iter().any(is_left_out)
    };
    for bad in dangerous.iter().filter(is_by_rules) {
        assert!(!allows(&rules, "Bash", &input(bad), CWD), "{bad}");
    }
}

/// Each prefix of what people run has an example of what a rule for it would also cover.
#[test]
fn every_prefix_has_a_dangerous_example() {
    let own = OwnReaches::default();
    let mut examples = 0;
    for (_, line) in commands(include_str!("../permissions/harmless.txt")) {
        for part in parts(&unescaped(&line), CWD, &own).unwrap_or_default() {
            for length in 1..=part.words.len() {
                let prefix = part.words[..length].join(" ");
                if prefix.contains(['*', '(', ')', '\\', '\n']) {
                    continue;
                }
                let Some(example) = prefix_danger(&prefix) else {
                    continue;
                };
                examples += 1;
                assert!(example.starts_with(&prefix), "{prefix}: {example}");
                assert!(reach(&example).0 >= Reach::Unknown, "{prefix}: {example}");
            }
        }
    }
    assert!(examples > 500, "{examples}");
    let nearest = prefix_danger("npm test").unwrap();
    assert_eq!(nearest, "npm test --prefix ../elsewhere");
    assert_eq!(prefix_danger("git status"), None);
}

/// Two commands are the same if their subjects are.
#[test]
fn subjects() {
    for (command, expected) in [
        ("npm test", "npm test"),
        ("npm test -- --watch src/a.test.ts", "npm test"),
        ("npm run build", "npm run build"),
        ("npm run build:prod", "npm run build:prod"),
        ("git push", "git push"),
        ("git push --force origin main", "git push --force"),
        ("git push origin main", "git push"),
        ("cargo clippy --all-targets", "cargo clippy"),
        ("cargo +nightly test -p a", "cargo test"),
        ("docker compose up -d", "docker compose up"),
        ("python3 -m pytest -x tests", "python3 -m pytest"),
        ("npx jest --ci", "npx jest"),
        ("make test", "make test"),
        ("make -j4 test", "make test"),
        ("NODE_ENV=test timeout 5 npm test", "npm test"),
        ("env CI=1 npm test", "npm test"),
        ("PATH=. npm test", "PATH= npm test"),
        ("cd src && npm test", "npm test"),
        ("cd src", "cd"),
        ("cd ../x && npm test", "cd ../x && npm test"),
        ("git add -A && git commit -m 'wip'", "git add && git commit"),
        ("npm test | tee test.log", "npm test | tee"),
        ("npm test && npm test", "npm test"),
        ("npm test; npm run lint", "npm test; npm run lint"),
        ("npm test 2>&1", "npm test"),
        ("npm test > out.txt", "npm test >"),
        ("eslint --fix src", "eslint --fix"),
        ("git log --output=x", "git log --output"),
        ("cat ../notes/plan.txt", "cat ../notes/plan.txt"),
        ("sudo apt-get install jq", "sudo apt-get install"),
        ("gh pr merge 12", "gh pr merge"),
        ("rm -rf build", "rm -rf"),
    ] {
        assert_eq!(reach(command).1, expected, "{command}");
    }
    let long = format!("echo $(x) {}", "y".repeat(200));
    assert!(reach(&long).1.len() < 100);
}

/// A rule for a tool covers every argument, one for a host every address.
#[test]
fn tools_of_servers_and_hosts() {
    let reach =
        |tool: &str, field: &str, value: &str| describe(tool, &json!({ field: value }), CWD).reach;
    for (tool, expected) in [
        ("mcp__tracker__list_issues", Reach::Reads),
        ("mcp__docs__searchPages", Reach::Reads),
        ("mcp__context7__resolve-library-id", Reach::Reads),
        ("mcp__tracker__create_issue", Reach::Unknown),
        ("mcp__x__find_one_and_update", Reach::Unknown),
        ("mcp__tracker__get_or_create", Reach::Unknown),
        ("mcp__sentry__analyze_issue", Reach::Unknown),
        ("mcp__fetch__fetch", Reach::Beyond),
        ("mcp__postgres__query", Reach::Beyond),
        ("mcp__onepassword__get_item", Reach::Unknown),
        ("mcp__twitter__create_post", Reach::Beyond),
        ("mcp__iam__update_policy", Reach::Beyond),
        ("mcp__gmail__send_email", Reach::Beyond),
        ("mcp__tracker__delete_issue", Reach::Beyond),
        ("mcp__figma__get_code", Reach::Unknown),
        ("mcp__tracker__list_users", Reach::Unknown),
        ("mcp__shop__update_order", Reach::Beyond),
    ] {
        assert_eq!(reach(tool, "x", ""), expected, "{tool}");
    }
    for (url, expected) in [
        ("https://docs.rs/serde", Reach::Project),
        ("https://react.dev/learn", Reach::Project),
        ("https://script.google.com/macros/s/x", Reach::Beyond),
        ("https://docs.google.com/document/d/x", Reach::Beyond),
        (
            "https://raw.githubusercontent.com/a/b/main/c",
            Reach::Beyond,
        ),
        ("https://someone.github.io/page", Reach::Beyond),
        ("https://a.vercel.app/", Reach::Beyond),
        ("https://bucket.s3.amazonaws.com/x", Reach::Beyond),
    ] {
        assert_eq!(reach("WebFetch", "url", url), expected, "{url}");
    }
}
