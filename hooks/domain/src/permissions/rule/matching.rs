//! Which calls a rule covers, as the host reads its rules.
//!
//! Where the host's reading is not known, there are two: [`matches`] counts what is certain, so that what a
//! rule spares is not overstated; [`allows`] counts all that is possible, so that no danger is missed.

use serde_json::Value;

use super::written::Rule;
use super::{Reading, path};
use crate::permissions::Reach;
use crate::permissions::own::OwnReaches;
use crate::permissions::request::main_field;
use crate::permissions::tools::address;
use crate::shell::{SimpleCommand, parts};
use crate::text::wildcard;

/// True when the host would certainly not ask about a call, with only `rules` allowing. It errs to the side
/// of asking.
pub fn matches(rules: &[Rule], tool: &str, input: &Value, cwd: &str) -> bool {
    covered(rules, tool, input, cwd, Reading::Certain)
}

/// True when the host may allow a call by `rules`. It errs to the side of allowing: for checks that nothing
/// dangerous is covered.
pub fn allows(rules: &[Rule], tool: &str, input: &Value, cwd: &str) -> bool {
    covered(rules, tool, input, cwd, Reading::Possible)
}

impl Rule {
    /// [`matches`] with this rule alone.
    pub fn matches(&self, tool: &str, input: &Value, cwd: &str) -> bool {
        matches(std::slice::from_ref(self), tool, input, cwd)
    }

    /// [`allows`] with this rule alone.
    pub fn allows(&self, tool: &str, input: &Value, cwd: &str) -> bool {
        allows(std::slice::from_ref(self), tool, input, cwd)
    }
}

fn covered(rules: &[Rule], tool: &str, input: &Value, cwd: &str, reading: Reading) -> bool {
    let text = main_field(tool)
        .and_then(|field| input[field].as_str())
        .unwrap_or_default();
    if tool == "Bash" {
        let contents: Vec<Option<&str>> = rules
            .iter()
            .filter(|rule| rule.tool == "Bash")
            .map(|rule| rule.content.as_deref().filter(|content| *content != "*"))
            .collect();
        return contents.contains(&None) || command(&contents, text, cwd, reading);
    }
    rules.iter().any(|rule| {
        is_about(&rule.tool, tool)
            && match rule.content.as_deref() {
                None => true,
                Some(content) if tool == "WebFetch" => domain(content, text, reading),
                Some(content) if reads(tool) || edits(tool) => {
                    path::covers_path(content, text, cwd, reading)
                }
                Some(content) => match reading {
                    Reading::Certain => content == text && !text.is_empty(),
                    Reading::Possible => true,
                },
            }
    })
}

fn reads(tool: &str) -> bool {
    matches!(tool, "Read" | "Grep" | "Glob" | "LS" | "NotebookRead")
}

fn edits(tool: &str) -> bool {
    matches!(tool, "Edit" | "Write" | "MultiEdit" | "NotebookEdit")
}

/// True when a rule for `named` is about `tool`: rules for `Edit` and `Read` are about all tools that edit or
/// read files, those for a server about its tools.
fn is_about(named: &str, tool: &str) -> bool {
    if named == tool || named == "Edit" && edits(tool) || named == "Read" && reads(tool) {
        return true;
    }
    let start = named.strip_suffix('*').unwrap_or(named);
    named.starts_with("mcp__")
        && (named.ends_with('*') && tool.starts_with(start)
            || tool
                .strip_prefix(named)
                .is_some_and(|rest| rest.starts_with("__")))
}

fn domain(content: &str, url: &str, reading: Reading) -> bool {
    let Some(wanted) = content.strip_prefix("domain:") else {
        return reading == Reading::Possible;
    };
    let host = address(url).map(|(host, _)| host).unwrap_or_default();
    let wanted = wanted.to_ascii_lowercase();
    match reading {
        Reading::Certain => host == wanted,
        Reading::Possible => {
            let base = wanted.trim_start_matches("*.");
            wanted.contains('*') || url.to_ascii_lowercase().contains(base)
        }
    }
}

fn command(contents: &[Option<&str>], line: &str, cwd: &str, reading: Reading) -> bool {
    let contents: Vec<&str> = contents.iter().flatten().copied().collect();
    let Some(parts) = parts(line, cwd, &OwnReaches::default()) else {
        // The host asks about what it cannot read; which that is, is not known for certain.
        let may = |content: &&str| {
            let fixed = content.trim_end_matches([':', '*', ' ']);
            let fixed = fixed.split('*').next().unwrap_or_default();
            line.contains(fixed)
        };
        return reading == Reading::Possible && contents.iter().any(may);
    };
    let is_covered = |part: &SimpleCommand| {
        contents
            .iter()
            .any(|content| covers(content, part, reading))
    };
    let needs_none =
        |part: &SimpleCommand| part.is_aside || is_never_asked(part) && !part.writes_file;
    let may_write = |part: &SimpleCommand| {
        !part.writes_file || reading == Reading::Possible && !part.writes_outside
    };
    parts.iter().any(is_covered)
        && parts
            .iter()
            .all(|part| needs_none(part) || is_covered(part) && may_write(part))
}

/// True when the rule for Bash with this content certainly allows the simple command `text`
/// ([`SimpleCommand::text`]).
pub fn covers_command(content: &str, text: &str) -> bool {
    text_matches(content, text, Reading::Certain)
}

/// Commands that Claude Code 2.1.329 was seen to run without asking inside the project
/// (`tests/it/claude_code/ten_rules.rs`), by their subjects.
const NEVER_ASKED: &str = "base64|basename|cat|cmp|column|comm|cut|date|df|diff|dirname|du|echo|expr|fd|file|find|fold|free|grep|head|\
    hexdump|hostname|id|jq|ls|md5sum|nl|od|paste|printf|ps|pwd|realpath|rev|rg|sed|seq|sha256sum|sleep|sort|stat|strings|tac|\
    tail|test|tr|tree|true|type|uname|uptime|wc|which|whoami|docker ps|git blame|git branch|git cat-file|git config --get|\
    git describe|git diff|git grep|git log|git ls-files|git reflog|git remote|git rev-parse|git shortlog|git show|\
    git stash list|git status|git tag";

/// True for a command that the host runs without asking.
pub fn is_never_asked(part: &SimpleCommand) -> bool {
    // What a text says makes no difference to the host.
    let is_text =
        part.reach == Reach::Unknown && matches!(part.subject.as_str(), "echo" | "printf");
    (part.reach == Reach::Reads || is_text) && NEVER_ASKED.split('|').any(|one| one == part.subject)
}

fn covers(content: &str, part: &SimpleCommand, reading: Reading) -> bool {
    if reading == Reading::Certain {
        return text_matches(content, &part.text(), reading);
    }
    // Variables and wrappers before the program may be looked through.
    (0..=part.lead).any(|start| {
        let words = part.words.get(start..).unwrap_or_default();
        text_matches(content, &words.join(" "), reading)
    })
}

fn text_matches(content: &str, text: &str, reading: Reading) -> bool {
    if let Some(prefix) = content.strip_suffix(":*") {
        let rest = text.strip_prefix(prefix);
        return rest.is_some_and(|rest| {
            rest.is_empty() || rest.starts_with(' ') || reading == Reading::Possible
        });
    }
    if let Some(bare) = content.strip_suffix(" *")
        && wildcard(bare, text)
    {
        return true;
    }
    wildcard(content, text)
}
