//! Small languages and forms of words: programs for `sed`, `awk` and `jq` that only print, packages, addresses of this
//! machine, and SQL that writes.

use super::operands::{is_listed, is_name, is_secret, says_beyond};
use crate::words::Starts;

/// The check of a language or form by its name in `programs.tsv`. It accepts what reads no other files, writes none and
/// starts nothing.
pub(super) fn check(form: &str) -> Option<fn(&str) -> bool> {
    Some(match form {
        "jq filter" => is_plain_jq,
        "yq filter" => is_plain_yq,
        "sed script" => is_plain_sed,
        "awk program" => is_plain_awk,
        "curl format" => is_plain_format,
        "date format" => begins_with_plus,
        "ps selection" => is_process_selection,
        "git setting" => is_shown_setting,
        "version" => is_version,
        "label" => is_label,
        "names" => are_names,
        "short wait" => is_short_wait,
        "package" => is_package,
        "service" => is_service,
        "address of this machine" => is_this_machine,
        _ => return None,
    })
}

/// True for a filter that shows neither the environment nor other files.
fn is_plain_jq(filter: &str) -> bool {
    let lower = filter.to_ascii_lowercase();
    !["env", "input", "import", "include", "$__"]
        .iter()
        .any(|word| lower.contains(word))
}

/// True for a plain `yq` filter. `yq` reads the filter as a file name if there is such a file.
fn is_plain_yq(filter: &str) -> bool {
    let is_more = ["load", "system", "eval", "../"].iter();
    is_plain_jq(filter)
        && !is_more.clone().any(|word| filter.contains(word))
        && !filter.starts_with(['/', '-'])
        && !is_secret(filter)
}

/// True for at most one minute, in seconds.
fn is_short_wait(seconds: &str) -> bool {
    let seconds = seconds.strip_suffix('s').unwrap_or(seconds);
    seconds
        .parse()
        .is_ok_and(|seconds: f64| (0.0..=60.0).contains(&seconds))
}

/// True for a text from which `printf` makes an escape sequence that does more than colour the terminal.
pub(super) fn controls_a_terminal(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let mut starts = ["\\033", "\\e", "\\x1b", "\\u001b"].iter();
    starts.any(|start| {
        let mut behind = lower.match_indices(start).map(|(at, _)| at + start.len());
        behind.any(|at| !lower.get(at..).is_some_and(|rest| rest.starts_with('[')))
    })
}

/// True for a setting of `git -c` for the output and the author.
fn is_shown_setting(setting: &str) -> bool {
    const SHOWN: &str = "color. advice. core.quotepath= core.pager=cat commit.gpgsign=false";
    SHOWN
        .split(' ')
        .any(|start| match start.ends_with(['.', '=']) {
            true => setting.starts_with(start),
            false => setting == start,
        })
}

/// `3.12`.
fn is_version(text: &str) -> bool {
    text.bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.')
}

/// `lodash`, `@types/node`, `serde@1.0`, `requests==2.31`: a package of a registry, not an address or a folder.
fn is_package(text: &str) -> bool {
    let name = text.strip_prefix('@').and_then(|rest| rest.split_once('/'));
    let (scope, name) = name.unwrap_or(("a", text));
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-@=,^".contains(&byte);
    let is_name = |text: &str| {
        text.bytes().all(is_plain) && text.starts_with(|c: char| c.is_ascii_alphanumeric())
    };
    let is_file = [".whl", ".tgz", ".gz", ".zip", ".tar"].iter();
    is_name(scope) && is_name(name) && !is_file.clone().any(|end| name.ends_with(end))
}

/// True for the name of a service that does not show a further reach.
fn is_service(name: &str) -> bool {
    is_name(name) && !says_beyond(name)
}

/// `web`, `svc,deploy`: names of things in a cluster, secrets not among them.
fn are_names(text: &str) -> bool {
    text.split(',')
        .all(|name| is_name(name) && !is_secret(name))
}

/// `//...`, `//cart:test`, `:all`: targets of a build in this workspace.
fn is_label(text: &str) -> bool {
    let path = text.strip_prefix("//").unwrap_or(text);
    let path = path.strip_suffix("...").unwrap_or(path);
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-./:".contains(&byte);
    path.bytes().all(is_plain)
        && !path.starts_with('/')
        && !path.contains("..")
        && !path.contains("//")
}

/// True for a `curl` output format that is just a text and reads or writes no file.
fn is_plain_format(format: &str) -> bool {
    !format.starts_with('@') && !format.contains("output{")
}

/// `+%Y-%m-%d`.
fn begins_with_plus(text: &str) -> bool {
    text.starts_with('+')
}

/// `aux`.
fn is_process_selection(text: &str) -> bool {
    matches!(text, "aux" | "ax" | "auxww" | "axo")
}

/// `10,20p`, `/a/,/b/p`, `s/a/b/g`: a script that only prints, deletes from the output and substitutes, without
/// commands and flags that write files or run programs.
fn is_plain_sed(script: &str) -> bool {
    let mut rest = script.trim_start_matches([' ', ';']);
    if rest.is_empty() {
        return false;
    }
    while !rest.is_empty() {
        let Some(after) = sed_command(rest) else {
            return false;
        };
        rest = after.trim_start_matches([' ', ';']);
    }
    true
}

/// The text after the first command of `script`.
fn sed_command(script: &str) -> Option<&str> {
    let mut rest = sed_address(script)?;
    if let Some(second) = rest.strip_prefix(',') {
        rest = sed_address(second.trim_start_matches('+'))?;
    }
    rest = rest.trim_start_matches(['!', ' ']);
    let command = rest.chars().next()?;
    rest = rest.strip_prefix(command)?;
    match command {
        'p' | 'd' | '=' | 'G' | 'h' | 'H' | 'g' | 'x' | 'n' | 'N' | 'P' | 'D' => Some(rest),
        'q' => Some(rest.trim_start_matches(|c: char| c.is_ascii_digit())),
        's' | 'y' => {
            let delimiter = rest.chars().next().filter(char::is_ascii_punctuation)?;
            rest = pattern(rest.strip_prefix(delimiter)?, delimiter)?;
            rest = until(rest, delimiter)?;
            Some(rest.trim_start_matches(|c: char| "gpIi".contains(c) || c.is_ascii_digit()))
        }
        _ => None,
    }
    .filter(|rest| rest.is_empty() || rest.starts_with([';', ' ']))
}

/// The text after the optional address at the start of `script`.
fn sed_address(script: &str) -> Option<&str> {
    match script.strip_prefix('/') {
        Some(address) => pattern(address, '/'),
        None => Some(script.trim_start_matches(|c: char| c == '$' || c.is_ascii_digit())),
    }
}

/// The text after the first `delimiter` in the line that has no backslash before it.
fn until(text: &str, delimiter: char) -> Option<&str> {
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '\n' => return None,
            '\\' => drop(chars.next()?),
            c if c == delimiter => return text.get(at + c.len_utf8()..),
            _ => {}
        }
    }
    None
}

/// The text after a regular expression; `None` if brackets may contain the delimiter.
fn pattern(text: &str, delimiter: char) -> Option<&str> {
    let after = until(text, delimiter)?;
    let body = text.strip_suffix(after)?;
    let is_open = body.rfind('[') > body.rfind(']') || body.contains("[]") || body.contains("[^]");
    (!is_open).then_some(after)
}

/// Words with which an `awk` program runs commands, reads other files, or shows the environment.
const AWK_REACHES: &[&str] = &[
    "system", "getline", "ENVIRON", "PROCINFO", "SYMTAB", "FUNCTAB", "ARG", "@", "fflush", "\\\n",
    "`",
];

/// True for a program that only prints from its operands: no pipes, no redirections, and none of [`AWK_REACHES`].
fn is_plain_awk(program: &str) -> bool {
    // `awk -F '{…}' FILE`: here the file's name is the program.
    let is_word = program
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b"_./-".contains(&byte));
    let is_number = program.bytes().all(|byte| byte.is_ascii_digit());
    (!is_word || is_number)
        && !AWK_REACHES.iter().any(|word| program.contains(word))
        && awk_code(program).is_some_and(|code| {
            let has_pipe = code.replace("||", "").contains('|');
            let redirects = code.match_indices('>').any(|(at, _)| {
                // After `print`, it is a comparison only inside parentheses.
                let before = code.get(..at).unwrap_or_default();
                let statement = before.rsplit(['{', '}', ';']).next().unwrap_or_default();
                let printed = statement.split_once("print");
                printed
                    .is_some_and(|(_, rest)| rest.matches('(').count() <= rest.matches(')').count())
            });
            !code.trim().is_empty() && !has_pipe && !redirects
        })
}

/// The code of an `awk` program with `0` for each string and pattern; `None` if it is not certain which parts are
/// strings or patterns.
fn awk_code(program: &str) -> Option<String> {
    let mut code = String::new();
    let mut rest = program;
    while let Some(c) = rest.chars().next() {
        rest = rest.get(c.len_utf8()..)?;
        let before = code.trim_end();
        let last = before.chars().next_back().unwrap_or(';');
        match c {
            '"' => rest = until(rest, '"')?,
            '/' if "(,~!{};&|".contains(last) => rest = pattern(rest, '/')?,
            '/' => {
                let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
                let word = before.rsplit(|c| !is_word(c)).next().unwrap_or_default();
                // After a keyword of the language, it would begin a pattern.
                let is_divided = is_word(last) || ")]".contains(last);
                const WORDS: &str =
                    "print printf return in else do case exit BEGIN END BEGINFILE ENDFILE";
                let is_statement = last == ')'
                    && ["if", "for", "while"]
                        .iter()
                        .any(|word| code.contains(word));
                let is_rule = code
                    .get(before.len()..)
                    .is_none_or(|space| space.contains('\n'));
                if !is_divided || is_listed(WORDS, word) || is_statement || is_rule {
                    return None;
                }
                code.push(c);
                continue;
            }
            '#' | '\\' => return None,
            c => {
                code.push(c);
                continue;
            }
        }
        code.push('0');
    }
    Some(code)
}

/// True for an address of this machine without a user name.
fn is_this_machine(address: &str) -> bool {
    let rest = address
        .strip_prefix("http://")
        .or_else(|| address.strip_prefix("https://"));
    let rest = rest.unwrap_or(address);
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let (host, port) = host.split_once(':').unwrap_or((host, ""));
    matches!(host, "localhost" | "127.0.0.1")
        && port.bytes().all(|byte| byte.is_ascii_digit())
        && path
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"_-./?=&".contains(&byte))
}

// SQL: finds statements that write.

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !is_of_word(c))
        .filter(|word| !word.is_empty())
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The first words of statements that write.
const BEGINNINGS: &str =
    "drop truncate alter create delete insert replace merge update grant revoke";

static BEGINNING_STARTS: Starts = Starts::of(BEGINNINGS.as_bytes(), b' ');

/// The objects of such statements.
const THINGS: &str = "table database schema index column view user role constraint trigger sequence policy type \
    function extension materialized tablespace";

/// True if `text` contains a statement that writes, in a form that SQL has and prose does not. In prose, words that
/// could be part of a sentence must be in capitals.
pub(crate) fn sql_writes(text: &str, is_code: bool) -> bool {
    BEGINNING_STARTS.places(text.as_bytes()).any(|at| {
        let (before, rest) = text.split_at_checked(at).unwrap_or_default();
        if before.ends_with(is_of_word) || !rest.starts_with(is_of_word) {
            return false;
        }
        let mut words = words(rest);
        let word = words.next().unwrap_or_default();
        let mut beginnings = BEGINNINGS.split(' ');
        let verb = beginnings.find(|one| one.eq_ignore_ascii_case(word));
        let capitals = || word.bytes().all(|byte| byte.is_ascii_uppercase());
        verb.is_some_and(|verb| is_statement(verb, words, capitals(), is_code))
    })
}

/// True if `verb` and the following `words` form a statement.
fn is_statement<'t>(
    verb: &str,
    words: impl Iterator<Item = &'t str>,
    capitals: bool,
    is_code: bool,
) -> bool {
    let mut lower = words.map(str::to_ascii_lowercase);
    let [second, third, fourth] = [(); 3].map(|()| lower.next().unwrap_or_default());
    let is_thing = is_listed(THINGS, &second);
    match verb {
        "drop" => is_thing,
        "truncate" => second == "table" || (capitals || is_code) && !second.is_empty(),
        "alter" => is_thing && (capitals || is_code || !third.is_empty()),
        "create" => is_thing && capitals,
        "delete" => second == "from",
        "insert" | "replace" | "merge" => second == "into" && (capitals || is_code),
        "update" => (capitals || is_code) && (third == "set" || fourth == "set"),
        "grant" | "revoke" => (capitals || is_code) && !third.is_empty(),
        _ => false,
    }
}
