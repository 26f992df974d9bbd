//! What a rule of the host allows, as far as the host says and was seen to do.
//!
//! A rule for Bash is for one simple command of a line: `Bash(npm test)` for these words, `Bash(npm test *)`
//! for these and whatever follows, `Bash(npm test:*)` the same in an older form. Every command of a line must
//! be allowed. What the host cannot read (substitutions, loops, here-documents) it asks about whatever the
//! rules say, and so do we.

use plantune_domain::permissions::{OwnTiers, Rule};

use super::evidence::{Judged, Prompt, Unit, What, judged};

/// True where the host would not ask about `prompt` if it had `rules`; `own` are the tiers that the person gave.
pub fn allows(rules: &[&Rule], prompt: &Prompt, own: &OwnTiers) -> bool {
    let prompts = std::slice::from_ref(prompt);
    judged(prompts, own)
        .iter()
        .all(|one| allows_judged(rules, one))
}

pub(crate) fn allows_judged(rules: &[&Rule], judged: &Judged<'_>) -> bool {
    let is_allowed = |unit| rules.iter().any(|rule| takes(rule, unit));
    !judged.units.is_empty() && judged.units.iter().all(is_allowed)
}

/// True where `rule` allows `unit`.
pub(crate) fn takes(rule: &Rule, unit: &Unit<'_>) -> bool {
    let content = rule.content.as_deref();
    match &unit.what {
        What::Command(part) => {
            rule.tool == "Bash" && content.is_none_or(|content| takes_command(content, &part.text))
        }
        What::Edit(path) => {
            let whole = format!("{}/{path}", unit.prompt.root.trim_end_matches('/'));
            rule.tool == "Edit"
                && content.is_none_or(|content| takes_path(content, &whole, &unit.prompt.root))
        }
        What::Fetch(host) => {
            rule.tool == "WebFetch"
                && content.is_none_or(|content| {
                    let domain = content.strip_prefix("domain:");
                    domain.is_some_and(|domain| glob(domain.as_bytes(), host.as_bytes(), None))
                })
        }
        What::Tool => takes_tool(rule, &unit.prompt.tool_name),
    }
}

/// True where the rule for Bash with this content allows the command `text`.
pub(crate) fn takes_command(content: &str, text: &str) -> bool {
    let content = match content.strip_suffix(":*") {
        Some(prefix) => format!("{prefix} *"),
        None => content.to_owned(),
    };
    // What follows the words may be nothing at all.
    content
        .strip_suffix(" *")
        .is_some_and(|words| !words.contains('*') && text == words)
        || glob(content.as_bytes(), text.as_bytes(), None)
}

/// `mcp__server`, `mcp__server__*` and `mcp__server__tool`, and every other tool by its name.
fn takes_tool(rule: &Rule, tool: &str) -> bool {
    if rule.content.is_some() {
        return false;
    }
    let is_server = rule.tool.starts_with("mcp__") && !rule.tool.contains('*');
    let of_server = tool.strip_prefix(&rule.tool);
    rule.tool == tool
        || is_server && of_server.is_some_and(|rest| rest.starts_with("__"))
        || rule.tool.contains('*') && glob(rule.tool.as_bytes(), tool.as_bytes(), None)
}

/// True where the rule for files with this content is for the file at `path`, both from the root on.
fn takes_path(content: &str, path: &str, root: &str) -> bool {
    let root = root.trim_end_matches('/');
    let pattern = match content.strip_prefix("./").unwrap_or(content) {
        absolute if absolute.starts_with("//") => absolute.replacen("//", "/", 1),
        anchored if anchored.starts_with('/') => format!("{root}{anchored}"),
        // The person's home is not looked up: what it holds is no project's.
        home if home.starts_with("~/") => return false,
        inner if inner.trim_end_matches('/').contains('/') => format!("{root}/{inner}"),
        name => format!("{root}/**/{name}"),
    };
    let pattern = pattern.trim_end_matches('/').replace("/**/", "/\u{0}/");
    // A folder's rule is for what lies in it.
    let ends = path.match_indices('/').map(|(end, _)| end).skip(1);
    let mut prefixes = ends.chain([path.len()]).filter_map(|end| path.get(..end));
    prefixes.any(|path| path_glob(&pattern, path))
}

fn path_glob(pattern: &str, path: &str) -> bool {
    // Between slashes, two stars may also stand for nothing.
    match pattern.split_once("/\u{0}/") {
        Some((before, after)) => {
            let folders = path.match_indices('/').map(|(at, _)| at);
            let mut rests = folders.filter_map(|at| path.split_at_checked(at));
            rests.any(|(head, rest)| {
                glob(before.as_bytes(), head.as_bytes(), Some(b'/'))
                    && tails(rest).any(|rest| path_glob(after, rest))
            })
        }
        None => glob(pattern.as_bytes(), path.as_bytes(), Some(b'/')),
    }
}

/// What stands behind each slash of `path`.
fn tails(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/')
        .filter_map(|(at, _)| path.get(at + 1..))
}

/// True where `pattern` describes `text`: `*` stands for anything without `fence`, `**` for anything.
fn glob(pattern: &[u8], text: &[u8], fence: Option<u8>) -> bool {
    let (mut at, mut from) = (0, 0);
    // Where to go on when what follows the last star does not fit: the star's end, the text it stands for,
    // and what that may not hold.
    let mut back: Option<(usize, usize, Option<u8>)> = None;
    loop {
        match (pattern.get(at), text.get(from)) {
            (None, None) => return true,
            (Some(b'*'), _) => {
                let stars = pattern.iter().skip(at).take_while(|c| **c == b'*').count();
                at += stars;
                back = Some((at, from, fence.filter(|_| stars == 1)));
                continue;
            }
            (Some(wanted), Some(found)) if wanted == found => {
                at += 1;
                from += 1;
                continue;
            }
            _ => {}
        }
        match back {
            Some((star, held, fence)) => match text.get(held) {
                Some(next) if Some(*next) != fence => {
                    back = Some((star, held + 1, fence));
                    (at, from) = (star, held + 1);
                }
                _ => return false,
            },
            None => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands() {
        for (content, text, expected) in [
            ("npm test", "npm test", true),
            ("npm test", "npm test x", false),
            ("npm test *", "npm test", true),
            ("npm test *", "npm test -- a b", true),
            ("npm test *", "npm testing", false),
            ("npm test:*", "npm test", true),
            ("npm test:*", "npm test a", true),
            ("npm test:*", "npm tests", false),
            ("*", "rm -rf /", true),
            ("ls*", "lsof", true),
            ("git * main", "git push origin main", true),
            ("git * main", "git push origin maint", false),
            ("git * *", "git push", false),
        ] {
            assert_eq!(takes_command(content, text), expected, "{content}: {text}");
        }
    }

    #[test]
    fn paths() {
        for (content, path, expected) in [
            ("/src/**", "/p/src/a.rs", true),
            ("/src/**", "/p/src/b/a.rs", true),
            ("/src/**", "/p/srcs/a.rs", false),
            ("/src/*", "/p/src/a.rs", true),
            ("/src/*.rs", "/p/src/b/a.rs", false),
            ("/README.md", "/p/README.md", true),
            ("src/**", "/p/src/a.rs", true),
            ("*.rs", "/p/src/b/a.rs", true),
            ("**/*.rs", "/p/src/b/a.rs", true),
            ("**/*.rs", "/p/a.rs", true),
            ("**", "/p/a.rs", true),
            ("//p/src/**", "/p/src/a.rs", true),
            ("//q/**", "/p/src/a.rs", false),
            ("~/x/**", "/p/x/a", false),
            ("/src/", "/p/src/a.rs", true),
            ("/src/**/test/*.rs", "/p/src/a/b/test/c.rs", true),
            ("/src/**/test/*.rs", "/p/src/test/c.rs", true),
        ] {
            assert_eq!(
                takes_path(content, path, "/p"),
                expected,
                "{content}: {path}"
            );
        }
    }

    #[test]
    fn tools() {
        let rule = |text| Rule::parse(text).unwrap();
        assert!(takes_tool(
            &rule("mcp__tracker"),
            "mcp__tracker__create_issue"
        ));
        assert!(takes_tool(
            &rule("mcp__tracker__*"),
            "mcp__tracker__create_issue"
        ));
        assert!(!takes_tool(
            &rule("mcp__track"),
            "mcp__tracker__create_issue"
        ));
        assert!(!takes_tool(&rule("mcp__tracker(x)"), "mcp__tracker"));
    }
}
