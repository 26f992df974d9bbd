//! Evidence: what the person themselves decided about calls that a rule could allow.

use std::collections::HashMap;

use chrono::{NaiveDate, NaiveDateTime};
use plantune_domain::permissions::{OwnReaches, Reach};
use serde::Deserialize;

use super::parts::{Call, Command, judge};

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

/// One prompt for permission.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct Prompt {
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
    /// The tool.
    pub tool_name: String,
    /// The command, path or URL, as far as it was logged.
    pub input: String,
    /// How it was decided.
    pub outcome: Outcome,
    /// How long the person was waited for, in seconds, where it is known.
    pub waited_seconds: Option<f64>,
    /// True where the agent asks about any command; Claude Code has some that it never asks about.
    #[serde(skip)]
    pub asks_all: bool,
    /// True when it was read from a transcript alone, and not logged by the hook.
    pub is_imported: bool,
}

impl Prompt {
    /// True when it says what the person wants: their own decision in a session of theirs. What a sub-agent
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
pub(crate) struct Unit<'a> {
    pub(crate) prompt: &'a Prompt,
    /// What makes it the same as another one.
    pub(crate) subject: String,
    pub(crate) reach: Reach,
    pub(crate) what: What,
    /// How many such things the prompt is about.
    pub(crate) of: usize,
}

/// What is asked for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum What {
    /// To run one simple command.
    Command(Command),
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
            Self::Command(command) => &command.text,
            Self::Edit(path) => path,
            Self::Fetch(host) => host,
            Self::Tool => "",
        }
    }
}

/// A prompt, judged, with what a rule would have to allow; nothing, where none can.
pub(crate) struct Judged<'a> {
    pub(crate) prompt: &'a Prompt,
    pub(crate) reach: Reach,
    /// True for a line that runs in another folder.
    pub(crate) elsewhere: bool,
    pub(crate) units: Vec<Unit<'a>>,
}

/// The tools whose calls change a file; one rule is for all of them.
const EDITORS: [&str; 4] = ["Edit", "Write", "MultiEdit", "NotebookEdit"];

/// `prompts`, judged with the reaches that the person gave. The same words are judged once.
pub(crate) fn judged<'a>(prompts: &'a [Prompt], own: &OwnReaches) -> Vec<Judged<'a>> {
    let mut known: HashMap<(&str, &str, &str), Call> = HashMap::new();
    let mut all = Vec::with_capacity(prompts.len());
    for prompt in prompts {
        let (tool, input) = (&*prompt.tool_name, &*prompt.input);
        // A command runs in its folder; a file lies in the project, wherever one works in it.
        let cwd = match EDITORS.contains(&tool) {
            true => &*prompt.root,
            false => &*prompt.cwd,
        };
        let call = known
            .entry((tool, input, cwd))
            .or_insert_with(|| judge(tool, input, cwd, own, prompt.asks_all));
        all.push(Judged {
            prompt,
            reach: call.reach,
            elsewhere: call.elsewhere,
            units: units(prompt, call),
        });
    }
    all
}

/// What a rule would have to allow for `prompt` not to come, whatever its reach.
fn units<'a>(prompt: &'a Prompt, call: &Call) -> Vec<Unit<'a>> {
    let what: Vec<(String, Reach, What)> = match prompt.tool_name.as_str() {
        "Bash" => {
            let commands = call.commands.iter();
            commands
                .map(|one| (one.subject.clone(), one.reach, What::Command(one.clone())))
                .collect()
        }
        tool => {
            let what = match tool {
                _ if EDITORS.contains(&tool) => below(&prompt.input, &prompt.root).map(What::Edit),
                "WebFetch" => host(&prompt.input).map(What::Fetch),
                "Read" => None,
                _ => Some(What::Tool),
            };
            let one = |what| (call.subject.clone(), call.reach, what);
            what.into_iter().map(one).collect()
        }
    };
    let of = what.len();
    what.into_iter()
        .map(|(subject, reach, what)| Unit {
            prompt,
            subject,
            reach,
            what,
            of,
        })
        .collect()
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
