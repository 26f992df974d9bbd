//! Tools other than the shell: files, addresses, servers.

use serde_json::Value;

use super::operand::is_secret;
use super::{OwnReaches, Reach};

/// What a call is about, and how far it reaches.
pub(super) struct Call {
    pub(super) subject: String,
    pub(super) reach: Reach,
    pub(super) reason: String,
}

impl Call {
    fn new(subject: String, reach: Reach, reason: &str) -> Self {
        Self {
            subject,
            reach,
            reason: reason.to_owned(),
        }
    }
}

/// A tool that reads or changes a file or folder.
pub(super) fn file(tool: &str, path: &str, cwd: &str, reach: Reach) -> Call {
    let is_folder = matches!(tool, "Grep" | "Glob" | "LS");
    if path.is_empty() && is_folder {
        return Call::new(format!("{tool} ./"), reach, "");
    }
    let resolved = resolve(path, cwd);
    let root = cwd.trim_end_matches('/');
    let below = |root: &str| {
        let rest = resolved.strip_prefix(root).filter(|_| !root.is_empty())?;
        rest.strip_prefix('/')
            .or(rest.is_empty().then_some(rest))
            .map(str::to_owned)
    };
    let folder = |path: &str| match path.rsplit_once('/') {
        _ if is_folder && !path.is_empty() => format!("{path}/"),
        Some((folder, _)) => format!("{folder}/"),
        None => String::new(),
    };
    let parent = root.rsplit_once('/').map_or("", |(parent, _)| parent);
    let inside = below(root);
    let shown = match (&inside, below(parent)) {
        (Some(inside), _) if folder(inside).is_empty() => "./".to_owned(),
        (Some(inside), _) => folder(inside),
        (None, Some(beside)) => format!("../{}", folder(&beside)),
        (None, None) => folder(&resolved),
    };
    let subject = format!("{tool} {shown}");
    let is_hidden = |part: &str| part.starts_with('.') && part != ".";
    let is_plain = |c: char| !c.is_control() && !crate::sanitize::is_dangerous(c);
    match inside {
        _ if !path.chars().all(is_plain) || path.is_empty() => {
            Call::new(subject, Reach::Beyond, "a path that is not plain")
        }
        _ if path.split('/').any(|part| part == "..") => {
            Call::new(subject, Reach::Beyond, "a path with ..")
        }
        None => Call::new(subject, Reach::Beyond, "a path outside the project"),
        Some(inside) if is_secret(&inside) => Call::new(
            format!("{tool} {inside}"),
            Reach::Beyond,
            "what may be secret, or decides what is run",
        ),
        Some(inside) if inside.split('/').any(is_hidden) => {
            Call::new(format!("{tool} {inside}"), Reach::Beyond, "a hidden file")
        }
        Some(_) => Call::new(subject, reach, ""),
    }
}

/// `path` below `cwd` without `.` and `..`; a home folder stays `~`.
pub(super) fn resolve(path: &str, cwd: &str) -> String {
    let whole = if path.starts_with(['/', '~']) {
        path.to_owned()
    } else {
        format!("{cwd}/{path}")
    };
    let mut parts: Vec<&str> = Vec::new();
    for part in whole.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    let joined = parts.join("/");
    if joined.starts_with('~') {
        joined
    } else {
        format!("/{joined}")
    }
}

/// Hosts that take what anybody sends, or stand for others.
const RECEIVERS: &str = "webhook.|requestbin|pipedream|ngrok|pastebin|paste.|hastebin|transfer.sh|file.io|0x0.st|bit.ly|tinyurl|t.co|\
    burpcollaborator|oast.|interact.sh|requestcatcher|beeceptor|workers.dev|trycloudflare|localtunnel|loca.lt|hookbin|\
    discord|slack|telegram|dropbox|drive.google|forms.|nip.io|sslip.io|metadata";

/// `WebFetch`: reading a page of a named host is of the second reach, because the address goes out. What the
/// person says of the host counts instead; an address that carries data stays where it is.
pub(super) fn fetch(url: &str, own: &OwnReaches) -> Call {
    let Some((host, rest)) = address(url) else {
        return Call::new(
            format!("WebFetch {}", cut(url)),
            Reach::Beyond,
            "an address that is not plain",
        );
    };
    let (mut reach, mut reason) = match bad_host(&host) {
        Some(reason) => (Reach::Beyond, reason.to_owned()),
        None => (Reach::Project, "the address goes to the host".to_owned()),
    };
    if let Some(given) = own.of_host(&host, reach) {
        (reach, reason) = given;
    }
    if carries_data(rest) {
        (reach, reason) = (Reach::Beyond, "an address that carries data".to_owned());
    }
    Call::new(format!("WebFetch {host}"), reach, &reason)
}

fn cut(text: &str) -> &str {
    text.get(..text.floor_char_boundary(80)).unwrap_or_default()
}

/// The host of a `https` address in lower case, and what follows it; `None` for one with a user, a port, or
/// odd characters.
pub(super) fn address(url: &str) -> Option<(String, &str)> {
    let rest = url.strip_prefix("https://")?;
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (host, rest) = rest.split_at(end);
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-.".contains(&byte);
    let is_host = host.bytes().all(is_plain) && host.contains('.') && !host.starts_with('.');
    is_host.then(|| (host.to_ascii_lowercase(), rest))
}

/// Why a host is not one to read from each time.
pub(super) fn bad_host(host: &str) -> Option<&'static str> {
    let last = host.rsplit('.').next().unwrap_or_default();
    if last.is_empty()
        || last.bytes().any(|byte| byte.is_ascii_digit()) && !last.starts_with("xn--")
    {
        return Some("an address without a name");
    }
    if host.split('.').any(|part| part.starts_with("xn--")) {
        return Some("a name that may look like another");
    }
    if matches!(
        last,
        "localhost" | "local" | "internal" | "lan" | "home" | "corp" | "onion"
    ) {
        return Some("a host of the local network");
    }
    RECEIVERS
        .split('|')
        .any(|receiver| {
            host.starts_with(receiver)
                || host.contains(&format!(".{receiver}"))
                || !receiver.contains('.') && host.contains(receiver)
        })
        .then_some("a host that takes what anybody sends")
}

/// True for what follows the host when it is more than a path and a short search.
fn carries_data(rest: &str) -> bool {
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    let is_long = |part: &str| {
        part.len() > 64
            || part.len() > 24
                && !part.contains(['-', '_', '.'])
                && part.bytes().any(|b| b.is_ascii_digit())
    };
    let odd = |byte: u8| !(byte.is_ascii_alphanumeric() || b"/-_.~#+=&:,@!()'*;".contains(&byte));
    query.len() > 40
        || query.contains("token")
        || query.contains("key")
        || rest.replace('?', "").bytes().any(odd)
        || path.split(['/', '#']).any(is_long)
        || query.split(['&', '=']).any(is_long)
        || path.len() > 200
}

/// Verbs in the names of tools of servers.
const READING: &str =
    " get list search read find query show describe fetch view lookup count check browse resolve ";
const WRITING: &str = " create update add edit comment set assign label move rename open close reopen link append insert save \
    write upload post put patch draft tag mark ";
const BEYOND: &str = " delete remove merge deploy publish send pay execute exec run eval call invoke transfer charge refund purge drop \
    destroy revoke grant approve submit release rollback restart stop kill terminate cancel invite share reset sql shell bash \
    command code script secret secrets token tokens password passwords credential credentials key keys email mail sms message \
    payment invoice order admin permission permissions user users access production prod env environment navigate click \
    fill press evaluate install force ";

/// A tool of a server, by the words of its name.
pub(super) fn of_server(tool: &str) -> Call {
    let name = tool.rsplit("__").next().unwrap_or_default();
    let mut words = Vec::new();
    let mut now = String::new();
    for c in name.chars() {
        if !c.is_ascii_alphanumeric()
            || c.is_ascii_uppercase() && !now.ends_with(|c: char| c.is_ascii_uppercase())
        {
            words.push(std::mem::take(&mut now));
        }
        if c.is_ascii_alphanumeric() {
            now.push(c);
        }
    }
    words.push(now);
    let words: Vec<String> = words
        .iter()
        .filter(|word| !word.is_empty())
        .map(|word| word.to_ascii_lowercase())
        .collect();
    let is_in = |table: &str, word: &String| table.split_ascii_whitespace().any(|one| one == word);
    let first = words.first();
    let (reach, reason) = if words.iter().any(|word| is_in(BEYOND, word)) || !name.is_ascii() {
        (
            Reach::Beyond,
            "the tool's name says that it reaches further",
        )
    } else if first.is_some_and(|word| is_in(READING, word)) {
        (Reach::Reads, "")
    } else if first.is_some_and(|word| is_in(WRITING, word)) {
        (
            Reach::Project,
            "the tool's name says that it changes something",
        )
    } else {
        (Reach::Beyond, "what the tool does is not known")
    };
    Call::new(tool.to_owned(), reach, reason)
}

/// The host's own tools that need no words of their input.
pub(super) fn other(tool: &str, input: &Value) -> Call {
    let named = |field: &str| match input[field].as_str() {
        Some(name) if !name.is_empty() => format!("{tool} {}", cut(name)),
        _ => tool.to_owned(),
    };
    match tool {
        "TodoWrite" | "BashOutput" | "TaskOutput" | "TaskList" | "TaskGet" => {
            Call::new(tool.to_owned(), Reach::Reads, "")
        }
        "WebSearch" => Call::new(
            tool.to_owned(),
            Reach::Project,
            "the words go to the search",
        ),
        "Agent" | "Task" => Call::new(
            named("subagent_type"),
            Reach::Project,
            "its calls are asked about by themselves",
        ),
        "Skill" => Call::new(named("skill"), Reach::Beyond, "a skill may run commands"),
        _ => Call::new(
            tool.to_owned(),
            Reach::Beyond,
            "what the tool does is not known",
        ),
    }
}
