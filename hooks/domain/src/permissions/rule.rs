//! Permission rules as the host writes them: `Bash(npm test *)`, `WebFetch(domain:docs.rs)`, `Read`.

use std::fmt;

use serde_json::Value;

use super::main_field;
use super::tools::{address, in_one_form, resolve};
use crate::reach::{OwnReaches, Reach};
use crate::shell::{SimpleCommand, parts};
use crate::text::wildcard;

/// How to read a rule when the host's reading is not known.
#[derive(Clone, Copy, PartialEq, Eq)]
enum HostReading {
    /// Only what is certain counts.
    Certain,
    /// All possible matches count.
    Possible,
}

// The calls that a rule covers, as the host reads its rules.
//
// When the host's reading is not known, there are two: [`matches`] counts only certain matches, so that the prompts
// saved by a rule are not overstated; [`allows`] counts all possible matches, so that no danger is missed.

/// True if the host would certainly not ask about a call with only these allow `rules`. When in doubt, false.
pub fn matches(rules: &[Rule], tool: &str, input: &Value, cwd: &str) -> bool {
    covered(rules, tool, input, cwd, HostReading::Certain)
}

/// True if the host may allow a call by `rules`. When in doubt, true: for checks that nothing dangerous is covered.
pub fn allows(rules: &[Rule], tool: &str, input: &Value, cwd: &str) -> bool {
    covered(rules, tool, input, cwd, HostReading::Possible)
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

fn covered(rules: &[Rule], tool: &str, input: &Value, cwd: &str, reading: HostReading) -> bool {
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
                    covers_path(content, text, cwd, reading)
                }
                Some(content) => match reading {
                    HostReading::Certain => content == text && !text.is_empty(),
                    HostReading::Possible => true,
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

/// True if a rule for `named` applies to `tool`: rules for `Edit` and `Read` apply to all tools that edit or read
/// files, and rules for a server to its tools.
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

fn domain(content: &str, url: &str, reading: HostReading) -> bool {
    let Some(wanted) = content.strip_prefix("domain:") else {
        return reading == HostReading::Possible;
    };
    let host = address(url).map(|(host, _)| host).unwrap_or_default();
    let wanted = wanted.to_ascii_lowercase();
    match reading {
        HostReading::Certain => host == wanted,
        HostReading::Possible => {
            let base = wanted.trim_start_matches("*.");
            wanted.contains('*') || url.to_ascii_lowercase().contains(base)
        }
    }
}

fn command(contents: &[Option<&str>], line: &str, cwd: &str, reading: HostReading) -> bool {
    let contents: Vec<&str> = contents.iter().flatten().copied().collect();
    let Some(parts) = parts(line, cwd, &OwnReaches::default()) else {
        // The host asks about commands that it cannot read. Which ones is not known for certain.
        let may = |content: &&str| {
            let fixed = content.trim_end_matches([':', '*', ' ']);
            let fixed = fixed.split('*').next().unwrap_or_default();
            line.contains(fixed)
        };
        return reading == HostReading::Possible && contents.iter().any(may);
    };
    let is_certain = reading == HostReading::Certain;
    if is_certain && is_always_asked(line, &parts, cwd, SimpleCommand::text) {
        return false;
    }
    let is_covered = |part: &SimpleCommand| {
        contents
            .iter()
            .any(|content| covers(content, part, reading))
    };
    let needs_none =
        |part: &SimpleCommand| part.is_aside || is_never_asked(part) && !part.writes_file;
    let may_write = |part: &SimpleCommand| !part.writes_file || !part.writes_outside;
    parts.iter().any(is_covered)
        && parts
            .iter()
            .all(|part| needs_none(part) || is_covered(part) && may_write(part))
}

/// True if Claude Code asks about `line`, whose commands are `parts` and run in `cwd`, whatever its rules for Bash say: it
/// writes to a file, changes its folder twice or to use git there, or the `text` of a command does not stand together in
/// it.
pub(super) fn is_always_asked(
    line: &str,
    parts: &[SimpleCommand],
    cwd: &str,
    text: fn(&SimpleCommand) -> String,
) -> bool {
    let moves = parts.iter().filter(|part| part.is_aside).count();
    let is_git = |part: &SimpleCommand| part.words.first().is_some_and(|word| word == "git");
    let is_apart = |part: &SimpleCommand| {
        !part.is_aside && !is_never_asked(part) && !line.contains(&text(part))
    };
    parts.iter().any(|part| part.writes_file)
        || moves > 1
        || parts.iter().any(is_git) && goes_elsewhere(parts, cwd)
        || parts.iter().any(is_apart)
}

/// True when the rule for Bash with this content certainly allows `part`.
pub fn covers_part(content: &str, part: &SimpleCommand) -> bool {
    covers(content, part, HostReading::Certain)
}

/// True when the rule for Bash with this content certainly allows the simple command `text`
/// ([`SimpleCommand::text`]).
pub fn covers_command(content: &str, text: &str) -> bool {
    text_matches(content, text, HostReading::Certain)
}

/// Words that begin commands that Claude Code 2.1.332 runs inside the project without asking
/// (`tests/it/claude_code/ten_rules.rs`).
const NEVER_ASKED: &str = "base64|basename|cal|cat|cmp|column|comm|cut|date|df|diff|dirname|du|echo|expand|expr|fd|file|find|fmt|fold|\
    free|grep|groups|head|hexdump|hostname|id|jq|locale|ls|lsof|man|md5sum|netstat|nl|nproc|numfmt|od|paste|pgrep|pr|printf|ps|pwd|\
    readlink|realpath|rev|rg|sed -n|seq|sha1sum|sha256sum|sleep|sort|ss|stat|strings|tac|tail|test|tput|tr|tree|true|tsort|type|\
    uname|unexpand|uptime|wc|which|whoami|docker images|docker inspect|docker logs|docker ps|node --version|python3 --version|\
    git blame|git branch|git cat-file|git config --get|git describe|git diff|git grep|git log|git ls-files|git reflog|git remote|\
    git rev-parse|git shortlog|git show|git stash list|git status|git tag|git worktree list";

/// True if Claude Code runs the command without asking. It asks about a dollar sign, even in quotes.
pub fn is_never_asked(part: &SimpleCommand) -> bool {
    // The contents of a text make no difference to the host.
    let is_text =
        part.reach == Reach::Unknown && matches!(part.subject.as_str(), "echo" | "printf");
    let text = part.text();
    let begins = |words: &str| {
        let rest = text.strip_prefix(words);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    };
    let (lead, words) = part.words.split_at_checked(part.lead).unwrap_or_default();
    // Of sed's scripts, it lets those run that print lines by their numbers.
    let is_range = |script: &String| {
        script
            .trim_matches(['\'', '"'])
            .bytes()
            .all(|byte| byte.is_ascii_digit() || b",p".contains(&byte))
    };
    let is_plain_sed = text
        .strip_prefix("sed ")
        .is_none_or(|_| words.get(2).is_some_and(is_range));
    (part.reach == Reach::Reads || is_text)
        && lead.iter().all(|word| word.contains('='))
        && !text.contains('$')
        && is_plain_sed
        && NEVER_ASKED.split('|').any(begins)
}

fn covers(content: &str, part: &SimpleCommand, reading: HostReading) -> bool {
    text_matches(content, &part.text(), reading) || text_matches(content, &part.whole(), reading)
}

fn text_matches(content: &str, text: &str, reading: HostReading) -> bool {
    if let Some(prefix) = content.strip_suffix(":*") {
        let rest = text.strip_prefix(prefix);
        return rest.is_some_and(|rest| {
            rest.is_empty() || rest.starts_with(' ') || reading == HostReading::Possible
        });
    }
    if let Some(bare) = content.strip_suffix(" *")
        && wildcard(bare, text)
    {
        return true;
    }
    wildcard(content, text)
}

/// True for a line that runs in a folder other than `cwd`. Permission there does not apply here, and no rule can name
/// the folder.
pub fn goes_elsewhere(parts: &[SimpleCommand], cwd: &str) -> bool {
    let folder = |part: &SimpleCommand| {
        part.words
            .last()
            .map(|word| word.trim_matches(['\'', '"']).to_owned())
    };
    parts.iter().filter(|part| part.is_aside).any(|part| {
        folder(part).is_none_or(|folder| {
            let (folder, cwd) = in_one_form(&folder, cwd);
            let folder = folder.trim_end_matches('/');
            folder != "." && folder != cwd.trim_end_matches('/')
        })
    })
}

// Rules about files: patterns like those of `.gitignore`.

/// True when `pattern` covers `path`: `/x` lies in the project, `//x` is absolute, `~/x` in the home folder,
/// anything else below the working folder; a name alone is found at any depth.
fn covers_path(pattern: &str, path: &str, cwd: &str, reading: HostReading) -> bool {
    let (path, cwd) = in_one_form(path, cwd);
    let (path, cwd) = (&*path, &*cwd);
    let path = resolve(path, cwd);
    let root = cwd.trim_end_matches('/');
    let whole = if let Some(absolute) = pattern.strip_prefix("//") {
        format!("/{absolute}")
    } else if let Some(below_home) = pattern.strip_prefix("~/") {
        match (home(cwd), reading) {
            (Some(home), _) => format!("{home}/{below_home}"),
            (None, HostReading::Certain) => return false,
            (None, HostReading::Possible) => format!("/**/{below_home}"),
        }
    } else if let Some(in_project) = pattern.strip_prefix('/') {
        format!("{root}/{in_project}")
    } else {
        let plain = pattern.strip_prefix("./").unwrap_or(pattern);
        if plain.contains('/') {
            format!("{root}/{plain}")
        } else {
            format!("{root}/**/{plain}")
        }
    };
    let (pattern, path) = (segments(&whole), segments(&path));
    // A pattern that names a folder covers its contents.
    let least = match reading {
        HostReading::Certain => path.len(),
        HostReading::Possible => 0,
    };
    let mut ends = least..=path.len();
    ends.any(|end| path.get(..end).is_some_and(|path| fits(&pattern, path)))
}

fn segments(path: &str) -> Vec<&str> {
    path.split('/').filter(|part| !part.is_empty()).collect()
}

fn home(cwd: &str) -> Option<String> {
    match segments(cwd).as_slice() {
        [root @ ("home" | "Users"), user, ..] => Some(format!("/{root}/{user}")),
        ["root", ..] => Some("/root".to_owned()),
        _ => None,
    }
}

fn fits(pattern: &[&str], path: &[&str]) -> bool {
    let Some((first, rest)) = pattern.split_first() else {
        return path.is_empty();
    };
    if *first == "**" {
        if rest.is_empty() {
            return !path.is_empty();
        }
        return (0..=path.len())
            .any(|skipped| path.get(skipped..).is_some_and(|path| fits(rest, path)));
    }
    match path.split_first() {
        Some((name, path)) => wildcard(first, name) && fits(rest, path),
        None => false,
    }
}

// The written form of a rule.

/// A permission rule of the host.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rule {
    /// The tool that it applies to.
    pub tool: String,
    /// The calls of the tool that it applies to; `None` for all.
    pub content: Option<String>,
}

impl Rule {
    /// Parses a rule; `None` if `text` is not one.
    pub fn parse(text: &str) -> Option<Self> {
        let Some((tool, rest)) = text.split_once('(') else {
            return is_tool(text).then(|| Self {
                tool: text.to_owned(),
                content: None,
            });
        };
        let content = rest.strip_suffix(')')?;
        (is_tool(tool) && !content.is_empty()).then(|| Self {
            tool: tool.to_owned(),
            content: Some(content.to_owned()),
        })
    }
}

fn is_tool(name: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_-.*".contains(c);
    !name.is_empty() && name.chars().all(is_part)
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.content {
            Some(content) => write!(f, "{}({content})", self.tool),
            None => f.write_str(&self.tool),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

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
            ("Bash(npm test *)", "NODE_ENV=test npm test", "yes"),
            ("Bash(npm test *)", "DEBUG=1 npm test", "no"),
            (
                "Bash(NODE_ENV=test npm test *)",
                "NODE_ENV=test npm test",
                "yes",
            ),
            ("Bash(npm test *)", "timeout 5 npm test", "yes"),
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
            ("Edit(*.md)", "Edit", "file_path", "notes/a.md", true),
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
}
