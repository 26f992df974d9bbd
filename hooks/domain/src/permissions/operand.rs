//! What an operand may name without leaving the project.

use super::Reach;
use crate::commands::Word;

/// Names that hold secrets, or decide what is run later, wherever in an operand.
const SECRETS: &str = ".ssh|.aws|.gnupg|.kube|.docker|.netrc|.npmrc|.pypirc|.pgpass|.git-credentials|id_rsa|id_dsa|id_ecdsa|\
    id_ed25519|credential|secret|passwd|shadow|.pem|.key|.p12|.pfx|.keystore|.jks|.htpasswd|authorized_keys|private_key|\
    privatekey|apikey|api_key|.bashrc|.zshrc|.profile|.bash_history|.zsh_history|.envrc|.claude/|.mcp.json|.husky";

/// Why `word` leaves the project or is not certain; `None` when it lies inside it.
pub(super) fn reach(word: &Word, cwd: &str) -> Option<&'static str> {
    let text = word.text.as_str();
    if !text.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
        return Some("characters that are not plain");
    }
    if word.is_open && !is_harmless_pattern(text) {
        return Some("a pattern that may match anything");
    }
    reach_of_text(text, cwd)
}

/// As [`reach`], for a text without patterns.
pub(super) fn reach_of_text(text: &str, cwd: &str) -> Option<&'static str> {
    if text.contains("://") || text.contains('@') && text.contains(':') {
        return Some("an address");
    }
    if text.starts_with(['@', '=', '|', '!']) {
        return Some("a file of arguments, or a special operand");
    }
    let text = inside(text, cwd).unwrap_or(text);
    if text.split(['=', ':', ',', ';', ' ']).any(leaves) {
        return Some("a path outside the project");
    }
    is_secret(text).then_some("what may be secret, or decides what is run")
}

/// What is left of an absolute path below `cwd`, without it.
fn inside<'a>(path: &'a str, cwd: &str) -> Option<&'a str> {
    let cwd = cwd.trim_end_matches('/');
    let rest = path.strip_prefix(cwd).filter(|_| !cwd.is_empty())?;
    if rest.is_empty() {
        return Some(".");
    }
    rest.strip_prefix('/').filter(|rest| !rest.starts_with('/'))
}

fn leaves(piece: &str) -> bool {
    let is_drive = piece.contains('\\');
    piece != "/dev/null" && piece.starts_with(['/', '~'])
        || is_drive
        || piece.split('/').any(|part| part == "..")
        || piece.contains("~/")
}

/// True for a name or path that may hold secrets or that decides what is run later.
pub(super) fn is_secret(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let is_hidden = |part: &str| {
        let is_example = [".example", ".sample", ".template", ".dist"]
            .iter()
            .any(|end| part.ends_with(end));
        part == ".git" || (part == ".env" || part.starts_with(".env.")) && !is_example
    };
    lower.split(['/', '=', ':', ',', ' ']).any(is_hidden)
        || SECRETS.split('|').any(|secret| lower.contains(secret))
}

/// True for a pattern that can match neither an option nor anything above or hidden.
fn is_harmless_pattern(text: &str) -> bool {
    !text.starts_with(['*', '?', '['])
        && !text.contains(['[', '?'])
        && text
            .split('/')
            .all(|part| !part.starts_with('.') || !part.contains('*'))
}

/// A word of plain characters, as names of branches, packages and services are.
pub(super) fn is_name(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-./".contains(&byte);
    text.bytes().all(is_plain) && !text.starts_with(['.', '/', '-']) && !text.contains("..")
}

/// The reach of writing to `file`: a log inside the project, or more.
pub(super) fn written(file: &str, cwd: &str) -> Reach {
    let name = file.rsplit('/').next().unwrap_or_default();
    let is_log = [".log", ".txt", ".out", ".err"]
        .iter()
        .any(|end| name.ends_with(end));
    // Read by programs, in spite of their ending.
    let lower = name.to_ascii_lowercase();
    let is_read = ["requirement", "cmake", "constraint", "robots", "host"]
        .iter()
        .any(|start| lower.contains(start));
    let is_hidden = file
        .split('/')
        .any(|part| part.starts_with('.') && part != ".");
    if is_log
        && !is_read
        && !is_hidden
        && reach_of_text(file, cwd).is_none()
        && !file.starts_with('-')
    {
        Reach::Project
    } else {
        Reach::Beyond
    }
}
