//! Evidence: calls that a rule could allow, judged, and the person's own decisions about them.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use chrono::{NaiveDate, NaiveDateTime};
use plantune_domain::permissions::{
    Described, OwnReaches, Reach, SimpleCommand, describe_with, goes_elsewhere, is_never_asked,
    main_field, parts,
};
use plantune_domain::project::worktree_root;
use serde::Deserialize;
use serde_json::{Map, Value};

/// How a prompt was decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// It is not known.
    #[default]
    Open,
    /// Allowed.
    Granted,
    /// Refused by the person.
    Refused,
    /// Refused because nobody was there to ask.
    Nobody,
    /// Identical concurrent calls were decided differently.
    Ambiguous,
}

/// One permission prompt.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct DecidedPrompt {
    /// When it came (UTC).
    pub at: NaiveDateTime,
    /// The day of that moment in the person's time zone.
    pub day: NaiveDate,
    /// The project's key.
    pub project: String,
    /// The folder that the session was in.
    pub cwd: String,
    /// The folder that `.claude` of the project lies in: the top of the worktree around `cwd`, else `cwd`.
    #[serde(skip)]
    pub root: String,
    /// The session.
    pub session_id: String,
    /// `interactive`, `headless`, `spawned` or `unknown`.
    pub session_kind: String,
    /// The permission mode that the session was in.
    pub permission_mode: Option<String>,
    /// The skill or slash command at work, if one was.
    pub skill: Option<String>,
    /// The tool.
    pub tool_name: String,
    /// The command, path or URL, as far as it was logged.
    pub input: String,
    /// How it was decided.
    pub outcome: Outcome,
    /// How long the person was waited for, in seconds, if known.
    pub waited_seconds: Option<f64>,
    /// True if the agent asks about any command; Claude Code has some that it never asks about.
    #[serde(skip)]
    pub asks_all: bool,
    /// True when it was read from a transcript alone, and not logged by the hook.
    pub is_imported: bool,
}

impl DecidedPrompt {
    /// True if it shows what the person wants: their own decision in their own session. What a sub-agent
    /// called and the person was shown in their session is their decision, too; what nobody decided, what
    /// cannot be told apart and what another program decided is not.
    pub fn is_evidence(&self) -> bool {
        self.session_kind == "interactive"
            && matches!(self.outcome, Outcome::Granted | Outcome::Refused)
    }

    /// True when the person allowed it.
    pub fn is_granted(&self) -> bool {
        self.outcome == Outcome::Granted
    }
}

/// One thing that a rule would have to allow for a prompt not to come.
#[derive(Clone, Debug)]
pub(crate) struct PromptPart<'a> {
    pub(crate) prompt: &'a DecidedPrompt,
    /// The subject that makes it the same as another one.
    pub(crate) subject: String,
    pub(crate) reach: Reach,
    pub(crate) action: Action,
    /// How many such things the prompt is about.
    pub(crate) of: usize,
}

/// A judged prompt, with the parts that a rule would have to allow; empty if no rule can.
pub(crate) struct JudgedPrompt<'a> {
    pub(crate) prompt: &'a DecidedPrompt,
    pub(crate) reach: Reach,
    /// True for a line that runs in another folder.
    pub(crate) elsewhere: bool,
    pub(crate) units: Vec<PromptPart<'a>>,
}

/// `prompts`, judged with the reaches that the person gave. The same words are judged once.
pub(crate) fn judged<'a>(prompts: &'a [DecidedPrompt], own: &OwnReaches) -> Vec<JudgedPrompt<'a>> {
    let mut known: HashMap<(&str, &str, &str), JudgedCall> = HashMap::new();
    let mut all = Vec::with_capacity(prompts.len());
    for prompt in prompts {
        let (tool, input) = (&*prompt.tool_name, &*prompt.input);
        // A command runs in its folder; a file lies in the project, wherever one works in it.
        let folder = match EDITORS.contains(&tool) {
            true => &*prompt.root,
            false => &*prompt.cwd,
        };
        let call = known
            .entry((tool, input, folder))
            .or_insert_with(|| judge(tool, input, folder, own, prompt.asks_all));
        let unit = |thing: &Grantable| PromptPart {
            prompt,
            subject: thing.subject.clone(),
            reach: thing.reach,
            action: thing.action.clone(),
            of: call.grantables.len(),
        };
        all.push(JudgedPrompt {
            prompt,
            reach: call.reach,
            elsewhere: call.elsewhere,
            units: call.grantables.iter().map(unit).collect(),
        });
    }
    all
}

// Calls, judged again by the tables of this version: what was logged may be years old.

/// A longer input may have been cut when it was logged, in bytes; what is not whole is not understood.
const MAYBE_CUT: usize = 2040;

/// The tools whose calls change a file; one rule is for all of them.
pub(crate) const EDITORS: [&str; 4] = ["Edit", "Write", "MultiEdit", "NotebookEdit"];

/// A call, judged.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct JudgedCall {
    pub(crate) reach: Reach,
    /// The parts that a rule must allow; empty if no rule helps.
    pub(crate) grantables: Vec<Grantable>,
    /// True for a line that runs in another folder: that it was allowed there says nothing about this one.
    pub(crate) elsewhere: bool,
}

/// One thing that a rule must allow: a simple command of a line, or the whole call.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Grantable {
    /// The subject that makes two of them the same.
    pub(crate) subject: String,
    pub(crate) reach: Reach,
    pub(crate) action: Action,
}

/// The action that is asked for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Action {
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
    pub(crate) fn words(&self) -> &str {
        match self {
            Self::Command(words) | Self::Edit(words) | Self::Fetch(words) => words,
            Self::Tool => "",
        }
    }
}

/// The parts of a call of `tool`, by its logged `input` and the reaches that the person gave; a command runs in
/// `folder`, and a file lies below it. `asks_all`: there are no commands that are never asked about.
pub(crate) fn judge(
    tool: &str,
    input: &str,
    folder: &str,
    own: &OwnReaches,
    asks_all: bool,
) -> JudgedCall {
    let Described { subject, reach, .. } = describe_with(tool, &value(tool, input), folder, own);
    let parts = match tool == "Bash" && input.len() < MAYBE_CUT {
        true => parts(input, folder, own).unwrap_or_default(),
        false => Vec::new(),
    };
    let action = match tool {
        "Bash" | "Read" => None,
        _ if EDITORS.contains(&tool) => below(input, folder).map(Action::Edit),
        "WebFetch" => host(input).map(Action::Fetch),
        _ => Some(Action::Tool),
    };
    JudgedCall {
        reach,
        elsewhere: goes_elsewhere(&parts, folder),
        grantables: match action {
            Some(action) => vec![Grantable {
                subject,
                reach,
                action,
            }],
            None => commands(input, parts, asks_all),
        },
    }
}

/// The parts that a rule must allow for `line` of these `parts` to run unasked; nothing if the host asks whatever the
/// rules are, what writes to a file and git behind `cd`, and where it never asks.
fn commands(line: &str, parts: Vec<SimpleCommand>, asks_all: bool) -> Vec<Grantable> {
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
        .map(|part| Grantable {
            action: Action::Command(part.text()),
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

/// `path` below `root`, without `..` and empty parts; `None` if it lies elsewhere.
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

/// The top of the worktree around `cwd`, if it still exists, else `cwd`.
pub(super) fn root_of(cwd: &str) -> String {
    let folder = Path::new(cwd);
    let top = match folder.is_absolute() {
        true => worktree_root(folder),
        false => None,
    };
    top.map_or_else(|| cwd.to_owned(), |top| top.to_string_lossy().into_owned())
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
