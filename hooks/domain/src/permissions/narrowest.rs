//! The narrowest rules with which the host would not ask about a call again. Proposals, evidence and `classify` all use
//! them.

use std::collections::{BTreeSet, HashSet};

use serde_json::{Map, Value};

use super::rule::{Rule, is_always_asked, is_never_asked};
use super::tools::in_one_form;
use super::{Described, describe_with, folder_is_safe, host_is_safe, main_field};
use crate::reach::{OwnReaches, Reach};
use crate::secrets::MASK;
use crate::shell::{SimpleCommand, parts};

/// An input of at least this length, in bytes, may have been cut when it was logged. Its end is not known, so no rule
/// is made from it.
const MAYBE_CUT: usize = 2040;

/// The longest command that becomes a rule, in bytes. Nobody would read a longer one before they accept it.
const LONGEST: usize = 200;

/// Characters with a special meaning in a rule of one of the agents.
const WILD: [char; 2] = ['*', '?'];

/// The tools whose calls change a file; one rule is for all of them.
pub const EDITORS: [&str; 4] = ["Edit", "Write", "MultiEdit", "NotebookEdit"];

/// A call, with what a rule must allow for it to run unasked.
#[derive(Clone, Debug, PartialEq)]
pub struct CallParts {
    /// How far it reaches.
    pub reach: Reach,
    /// The parts that a rule must allow; empty if no rule helps.
    pub grantables: Vec<Grantable>,
    /// True for a line of commands that the host runs without asking, today.
    pub runs_unasked: bool,
}

/// One thing that a rule must allow: a simple command of a line, or the whole call.
#[derive(Clone, Debug, PartialEq)]
pub struct Grantable {
    /// The subject that makes two of them the same.
    pub subject: String,
    /// How far it reaches.
    pub reach: Reach,
    /// What is done.
    pub action: Action,
}

/// The action that is asked for.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// To run this simple command, written as the host compares it with rules.
    Command(String),
    /// To change the file at this path below the project's folder.
    Edit(String),
    /// To fetch from this host.
    Fetch(String),
    /// To use the tool.
    Tool,
}

impl Action {
    /// The words that a person would read.
    pub fn words(&self) -> &str {
        match self {
            Self::Command(words) | Self::Edit(words) | Self::Fetch(words) => words,
            Self::Tool => "",
        }
    }

    /// The rule for exactly this action of `tool`, if it can be written.
    pub fn rule(&self, tool: &str) -> Option<Rule> {
        let (tool, content) = match self {
            Self::Command(words) => ("Bash", Some(words.clone())),
            Self::Edit(path) => ("Edit", Some(format!("/{}", plain_path(path)?))),
            Self::Fetch(host) => {
                let host = host_is_safe(host).then_some(host)?;
                ("WebFetch", Some(format!("domain:{host}")))
            }
            Self::Tool => (is_one_tool(tool).then_some(tool)?, None),
        };
        let rule = Rule {
            tool: tool.to_owned(),
            content,
        };
        let is_writable = rule.content.as_deref().is_none_or(is_writable);
        (is_writable && Rule::parse(&rule.to_string()).as_ref() == Some(&rule)).then_some(rule)
    }
}

/// The parts of a call of `tool`, by its logged `input` and the reaches that the person set. A command runs in
/// `folder`, and a file lies below it. If `asks_all`, the host asks about every command; otherwise it never asks about
/// some.
pub fn call_parts(
    tool: &str,
    input: &str,
    folder: &str,
    own: &OwnReaches,
    asks_all: bool,
) -> CallParts {
    let Described { subject, reach, .. } = describe_with(tool, &value(tool, input), folder, own);
    let parts = match tool == "Bash" && input.len() < MAYBE_CUT {
        true => parts(input, folder, own).unwrap_or_default(),
        false => Vec::new(),
    };
    let action = match tool {
        // A rule for this tool would allow any command.
        "Bash" | "PowerShell" | "Read" => None,
        _ if EDITORS.contains(&tool) => below(input, folder).map(Action::Edit),
        "WebFetch" => host(input).map(Action::Fetch),
        _ => Some(Action::Tool),
    };
    CallParts {
        reach,
        runs_unasked: !asks_all && runs_unasked(input, &parts, folder),
        grantables: match action {
            Some(action) => vec![Grantable {
                subject,
                reach,
                action,
            }],
            None => commands(input, parts, folder, asks_all),
        },
    }
}

/// The narrowest rules with which the host would not ask about a call again, with `input` as for [`call_parts`]; `None`
/// for a call that reaches beyond the project, that it never asks about, or for which no rule helps.
pub fn narrowest_rules(
    tool: &str,
    input: &str,
    folder: &str,
    own: &OwnReaches,
) -> Option<Vec<Rule>> {
    let call = call_parts(tool, input, folder, own, false);
    if call.reach == Reach::Beyond {
        return None;
    }
    let rules = call.grantables.iter().map(|part| part.action.rule(tool));
    let rules: Option<Vec<Rule>> = rules.collect();
    rules.filter(|rules| !rules.is_empty())
}

/// The exact rule for one command; `None` if the host would read it as a pattern or would still ask.
pub fn exact_rule(part: &SimpleCommand) -> Option<Rule> {
    let is_worth = part.reach != Reach::Beyond && !part.writes_file && !part.is_aside;
    is_worth.then(|| Action::Command(part.text()).rule("Bash"))?
}

/// One rule for all the files at `paths`, if there are several: `Edit(/src/**)`, for the deepest folder that contains
/// all of them. `None` if that is the project itself, or if programs could start or follow a file in it.
pub fn folder_rule<'p>(paths: impl Iterator<Item = &'p str>) -> Option<Rule> {
    let different: BTreeSet<&str> = paths.collect();
    if different.len() < 2 {
        return None;
    }
    let mut common: Option<Vec<&str>> = None;
    for path in different {
        let (folder, _) = plain_path(path)?.rsplit_once('/')?;
        let parts = folder.split('/');
        common = Some(match common {
            None => parts.collect(),
            Some(before) => {
                let same = before.iter().zip(parts).take_while(|(a, b)| *a == b);
                same.map(|(a, _)| *a).collect()
            }
        });
    }
    let folder = common.filter(|parts| !parts.is_empty())?.join("/");
    (folder_is_safe(&folder) && is_writable(&folder)).then(|| Rule {
        tool: "Edit".to_owned(),
        content: Some(format!("/{folder}/**")),
    })
}

/// The input of `tool`, as far as it was logged.
pub fn value(tool: &str, input: &str) -> Value {
    let field = main_field(tool).map(|field| (field.to_owned(), Value::from(input)));
    Value::Object(Map::from_iter(field))
}

/// True if Claude Code runs `line`, whose `parts` these are, without asking.
fn runs_unasked(line: &str, parts: &[SimpleCommand], folder: &str) -> bool {
    let is_quiet = |part: &SimpleCommand| part.is_aside || is_never_asked(part);
    !parts.is_empty()
        && parts.iter().all(is_quiet)
        && !is_always_asked(line, parts, folder, SimpleCommand::text)
}

/// The commands of `line`, whose `parts` these are, that rules must allow. Empty if the host asks regardless of rules, or
/// never asks about any part.
fn commands(line: &str, parts: Vec<SimpleCommand>, folder: &str, asks_all: bool) -> Vec<Grantable> {
    // Only Claude Code leaves out what stands before a program.
    let text = match asks_all {
        true => SimpleCommand::whole,
        false => SimpleCommand::text,
    };
    if is_always_asked(line, &parts, folder, text) {
        return Vec::new();
    }
    let needs_rule = |part: &SimpleCommand| !part.is_aside && (asks_all || !is_never_asked(part));
    let mut seen = HashSet::new();
    let needing = parts.into_iter().filter(needs_rule);
    let different = needing.filter(|part| seen.insert(text(part)));
    let grantables = different.map(|part| Grantable {
        action: Action::Command(text(&part)),
        subject: part.subject,
        reach: part.reach,
    });
    grantables.collect()
}

/// True for the name of a tool that a rule may allow with any arguments: a tool of a server, whose name was judged, and
/// the search. Leaving a plan and starting a skill or an agent are always the person's decision.
fn is_one_tool(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
    let of_server = name
        .strip_prefix("mcp__")
        .and_then(|rest| rest.split_once("__"));
    let is_whole = of_server.is_some_and(|(server, tool)| !server.is_empty() && !tool.is_empty());
    name.chars().all(is_plain) && (is_whole || name == "WebSearch")
}

/// `path`, unless it means something else in a rule, or lies among files that programs start or follow.
fn plain_path(path: &str) -> Option<&str> {
    let has_meaning = |c: char| "*?[]{}()!#\\$`<>".contains(c);
    let is_hidden = path.split('/').any(|part| part.starts_with('.'));
    (!is_hidden && !path.contains(has_meaning)).then_some(path)
}

/// True for a text without a special meaning in a rule.
fn is_writable(text: &str) -> bool {
    let is_plain = |c: char| (' '..='~').contains(&c) && !WILD.contains(&c);
    !text.is_empty()
        && text.len() <= LONGEST
        && text.trim() == text
        && !text.contains("  ")
        && !text.contains(MASK)
        && text.chars().all(is_plain)
}

/// `path` below `root`, without `..` and empty parts; `None` if it lies elsewhere.
fn below(path: &str, root: &str) -> Option<String> {
    let (path, root) = in_one_form(path, root);
    let path = &*path;
    let inner = match path.strip_prefix('/') {
        None => path,
        Some(_) => path
            .strip_prefix(root.trim_end_matches('/'))?
            .strip_prefix('/')?,
    };
    let is_plain = |part: &str| !part.is_empty() && part != "." && part != "..";
    inner.split('/').all(is_plain).then(|| inner.to_owned())
}

/// The host of `url`, in lower case.
fn host(url: &str) -> Option<String> {
    let rest = url
        .strip_prefix("https://")
        .or(url.strip_prefix("http://"))?;
    let authority = rest.split(['/', '?', '#', '\\']).next()?;
    let host = authority.split(':').next()?.to_ascii_lowercase();
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '.' || c == '-';
    // An address with a user's name or with brackets may lead to another host than it seems.
    let is_plain = authority.chars().all(|c| is_name(c) || c == ':') && host.contains('.');
    (is_plain && host.chars().all(is_name)).then_some(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOLDER: &str = "/home/dev/shop";

    #[test]
    fn what_a_rule_must_allow() {
        let texts = |line| {
            let call = call_parts("Bash", line, FOLDER, &OwnReaches::default(), false);
            let texts = call
                .grantables
                .into_iter()
                .map(|one| one.action.words().to_owned());
            texts.collect::<Vec<_>>()
        };
        for (line, expected) in [
            ("npm test", vec!["npm test"]),
            ("cd src && npm test", vec!["npm test"]),
            ("npm test | uniq", vec!["npm test", "uniq"]),
            ("npm test | tail -5", vec!["npm test"]),
            ("npm test | grep FAIL", vec!["npm test"]),
            ("npm test; npm run lint", vec!["npm test", "npm run lint"]),
            ("npm test; npm test", vec!["npm test"]),
            // The host runs it unasked.
            ("git status", vec![]),
            // The host asks whatever the rules are.
            ("npm test > out.txt", vec![]),
            ("npm test | tee out.txt", vec![]),
            ("cd src && git add a", vec![]),
            ("npm  test", vec![]),
            ("npm 2>&1 test", vec![]),
            ("npm test $(cat x)", vec![]),
            ("for f in a; do npm test; done", vec![]),
        ] {
            assert_eq!(texts(line), expected, "{line}");
        }
    }

    #[test]
    fn only_hosts_that_are_plain() {
        assert_eq!(host("https://docs.rs/x?y").as_deref(), Some("docs.rs"));
        assert_eq!(host("https://Docs.RS:443/").as_deref(), Some("docs.rs"));
        for odd in [
            "https://docs.rs@evil.example/",
            "file:///etc/passwd",
            "https://localhost/",
            "https://döcs.rs/",
            "https://docs.rs\\@evil.example",
            "docs.rs",
        ] {
            assert_eq!(host(odd).filter(|host| host != "docs.rs"), None, "{odd}");
        }
    }

    #[test]
    fn only_paths_below_the_project() {
        let of = |path| below(path, FOLDER);
        assert_eq!(of("/home/dev/shop/src/a.rs").as_deref(), Some("src/a.rs"));
        assert_eq!(of("src/a.rs").as_deref(), Some("src/a.rs"));
        let windows = |path| below(path, "C:\\code\\shop");
        for path in [
            "C:\\code\\shop\\src\\a.rs",
            "c:/code/shop/src/a.rs",
            "src\\a.rs",
        ] {
            assert_eq!(windows(path).as_deref(), Some("src/a.rs"), "{path}");
        }
        assert_eq!(windows("D:\\code\\shop\\a"), None);
        let in_wsl = below("C:\\code\\shop\\a.rs", "/mnt/c/code/shop");
        assert_eq!(in_wsl.as_deref(), Some("a.rs"));
        for outside in [
            "/home/dev/shopping/a",
            "/home/dev/shop/../x",
            "/etc/passwd",
            "../x",
            "/home/dev/shop",
            "src//a",
        ] {
            assert_eq!(of(outside), None, "{outside}");
        }
    }

    #[test]
    fn the_narrowest_rules() {
        let rules = |tool: &str, input: &str| {
            let rules = narrowest_rules(tool, input, FOLDER, &OwnReaches::default());
            let words = |rules: Vec<Rule>| rules.iter().map(Rule::to_string).collect::<Vec<_>>();
            rules.map(|rules| words(rules).join(" "))
        };
        for (command, expected) in [
            ("npm test", Some("Bash(npm test)")),
            ("NODE_ENV=test npm test", Some("Bash(npm test)")),
            ("CI=1 timeout 60 npm test", Some("Bash(npm test)")),
            ("DEBUG=1 npm test", Some("Bash(DEBUG=1 npm test)")),
            (
                "npm test # all\nnpm run lint",
                Some("Bash(npm test) Bash(npm run lint)"),
            ),
            (
                r#"npm test 2>&1 | grep "a\|b" | head"#,
                Some("Bash(npm test)"),
            ),
            (
                "npm test | grep 'x$'",
                Some("Bash(npm test) Bash(grep 'x$')"),
            ),
            ("npm test | sed -n '1,9p'", Some("Bash(npm test)")),
            (
                "npm test | sed 's/a/b/'",
                Some("Bash(npm test) Bash(sed 's/a/b/')"),
            ),
            ("cd src && npm test", Some("Bash(npm test)")),
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
            ("git commit -m 'a (b)'", Some("Bash(git commit -m 'a (b)')")),
            ("git push", None),
            ("npm test && git push", None),
            ("cd src", None),
            ("cd src && npm test && cd ..", None),
            ("cd src && git add a.rs", None),
            ("cd . && git add a.rs", Some("Bash(git add a.rs)")),
            (
                "cd /home/dev/shop && git add a.rs",
                Some("Bash(git add a.rs)"),
            ),
            ("npm test \\\n | tail", None),
            ("npm test $(x)", None),
        ] {
            assert_eq!(rules("Bash", command).as_deref(), expected, "{command}");
        }
        for (tool, input, expected) in [
            ("Write", "src/a/b.rs", Some("Edit(/src/a/b.rs)")),
            ("Edit", "README.md", Some("Edit(/README.md)")),
            ("Edit", ".env", None),
            ("Read", "src/a.rs", None),
            ("Read", "../x", None),
            (
                "WebFetch",
                "https://docs.rs/serde/latest/serde/",
                Some("WebFetch(domain:docs.rs)"),
            ),
            (
                "mcp__tracker__create_issue",
                "",
                Some("mcp__tracker__create_issue"),
            ),
            ("mcp__tracker__delete_issue", "", None),
            ("mcp__tracker", "", None),
        ] {
            assert_eq!(rules(tool, input).as_deref(), expected, "{tool} {input}");
        }
    }

    #[test]
    fn one_rule_for_the_files_of_a_folder() {
        let rule = |paths: &[&str]| folder_rule(paths.iter().copied()).map(|rule| rule.to_string());
        for (paths, expected) in [
            (
                &["src/cart/one.ts", "src/cart/two.ts"] as &[&str],
                Some("Edit(/src/cart/**)"),
            ),
            (
                &["src/cart/one.ts", "src/menu/two.ts"],
                Some("Edit(/src/**)"),
            ),
            (&["src/cart/one.ts", "src/cart/one.ts"], None),
            (&["src/one.ts", "docs/two.md"], None),
            (&["src/one.ts", "src/.env"], None),
        ] {
            assert_eq!(rule(paths).as_deref(), expected, "{paths:?}");
        }
    }
}
