//! What a call is about, judged again by the tables of this version: what was logged may be years old.

use std::collections::HashSet;

use plantune_domain::permissions::{
    Described, OwnReaches, Reach, SimpleCommand, describe_with, goes_elsewhere, is_never_asked,
    main_field, parts,
};
use serde_json::{Map, Value};

/// A longer input may have been cut when it was logged, in bytes; what is not whole is not understood.
const MAYBE_CUT: usize = 2040;

/// The tools whose calls change a file; one rule is for all of them.
pub(crate) const EDITORS: [&str; 4] = ["Edit", "Write", "MultiEdit", "NotebookEdit"];

/// A call, judged.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Call {
    pub(crate) reach: Reach,
    /// What a rule must allow; empty where no rule helps.
    pub(crate) things: Vec<Thing>,
    /// True for a line that runs in another folder: that it was allowed there says nothing about this one.
    pub(crate) elsewhere: bool,
}

/// One thing that a rule must allow: a simple command of a line, or the whole call.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Thing {
    /// What makes two of them the same.
    pub(crate) subject: String,
    pub(crate) reach: Reach,
    pub(crate) what: What,
}

/// What is asked for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum What {
    /// To run this simple command, written as the host compares it with rules.
    Command(String),
    /// To change the file at this path below the project's folder.
    Edit(String),
    /// To fetch from this host.
    Fetch(String),
    /// To use the tool.
    Tool,
}

impl What {
    /// What a person would read, word for word.
    pub(crate) fn words(&self) -> &str {
        match self {
            Self::Command(words) | Self::Edit(words) | Self::Fetch(words) => words,
            Self::Tool => "",
        }
    }
}

/// What a call of `tool` is about, by its logged `input` and the reaches that the person gave; a command runs in
/// `folder`, and a file lies below it. `asks_all`: there are no commands that are never asked about.
pub(crate) fn judge(
    tool: &str,
    input: &str,
    folder: &str,
    own: &OwnReaches,
    asks_all: bool,
) -> Call {
    let Described { subject, reach, .. } = describe_with(tool, &value(tool, input), folder, own);
    let parts = match tool == "Bash" && input.len() < MAYBE_CUT {
        true => parts(input, folder, own).unwrap_or_default(),
        false => Vec::new(),
    };
    let what = match tool {
        "Bash" | "Read" => None,
        _ if EDITORS.contains(&tool) => below(input, folder).map(What::Edit),
        "WebFetch" => host(input).map(What::Fetch),
        _ => Some(What::Tool),
    };
    Call {
        reach,
        elsewhere: goes_elsewhere(&parts, folder),
        things: match what {
            Some(what) => vec![Thing {
                subject,
                reach,
                what,
            }],
            None => commands(input, parts, asks_all),
        },
    }
}

/// What a rule must allow for `line` of these `parts` to run unasked; nothing where the host asks whatever the
/// rules are, what writes to a file and git behind `cd`, and where it never asks.
fn commands(line: &str, parts: Vec<SimpleCommand>, asks_all: bool) -> Vec<Thing> {
    let moves = parts.iter().any(|part| part.is_aside);
    let is_git = |part: &SimpleCommand| part.words.first().is_some_and(|word| word == "git");
    if parts.iter().any(|part| part.writes_file) || moves && parts.iter().any(is_git) {
        return Vec::new();
    }
    // Words that do not stand together are none that a rule could be written for.
    if parts.iter().any(|part| !line.contains(&part.text())) {
        return Vec::new();
    }
    let mut seen = HashSet::new();
    parts
        .into_iter()
        .filter(|part| !part.is_aside && (asks_all || !is_never_asked(part)))
        .filter(|part| seen.insert(part.text()))
        .map(|part| Thing {
            what: What::Command(part.text()),
            subject: part.subject,
            reach: part.reach,
        })
        .collect()
}

/// The input of `tool`, as far as it was logged.
pub(crate) fn value(tool: &str, input: &str) -> Value {
    let Some(field) = main_field(tool) else {
        return Value::Object(Map::new());
    };
    let mut fields = Map::new();
    fields.insert(field.to_owned(), Value::from(input));
    Value::Object(fields)
}

/// `path` below `root`, without `..` and empty parts; `None` where it lies elsewhere.
fn below(path: &str, root: &str) -> Option<String> {
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
    // What holds a user's name or brackets is not what it looks like.
    let is_plain = authority.chars().all(|c| is_name(c) || c == ':') && host.contains('.');
    (is_plain && host.chars().all(is_name)).then_some(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_rule_must_allow() {
        let texts = |line| {
            let call = judge(
                "Bash",
                line,
                "/home/dev/shop",
                &OwnReaches::default(),
                false,
            );
            let texts = call
                .things
                .into_iter()
                .map(|one| one.what.words().to_owned());
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
        let of = |path| below(path, "/home/dev/shop");
        assert_eq!(of("/home/dev/shop/src/a.rs").as_deref(), Some("src/a.rs"));
        assert_eq!(of("src/a.rs").as_deref(), Some("src/a.rs"));
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
}
