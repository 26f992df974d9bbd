//! Programs that only show with some of their arguments: editors of streams, clients of databases and
//! servers.

use super::class::Class;
use super::shell::Word;
use super::sql;

pub(super) fn plain_or(is_plain: bool, reason: &str) -> Class {
    if is_plain {
        Class::ReadOnly
    } else {
        Class::effect(reason)
    }
}

pub(super) fn sed(arguments: &[Word]) -> Class {
    let in_place = |text: &str| {
        text.starts_with("--in-place")
            || (text.starts_with('-') && !text.starts_with("--") && text.contains('i'))
    };
    let mut scripts = arguments
        .iter()
        .map(|word| word.text.as_str())
        .filter(|text| !text.starts_with('-'));
    let script = scripts.next().unwrap_or_default();
    // The commands w, W, e and the flags w, e of s write and run.
    let acts = script.contains(['w', 'W', 'e', 'F']) && !is_simple_substitution(script);
    let from_file = arguments
        .iter()
        .any(|word| matches!(word.text.as_str(), "-f" | "--file"));
    let writes = arguments.iter().any(|word| in_place(&word.text));
    plain_or(!writes && !acts && !from_file, "sed writes")
}

/// `s/a/b/` with flags that neither write nor run.
fn is_simple_substitution(script: &str) -> bool {
    let Some(rest) = script.strip_prefix("s/") else {
        return false;
    };
    let flags = rest.rsplit('/').next().unwrap_or_default();
    rest.matches('/').count() == 2 && flags.bytes().all(|flag| b"gpiI0123456789".contains(&flag))
}

/// True when every statement that a database client is given only reads.
pub(super) fn queries_only(name: &str, arguments: &[Word]) -> bool {
    let option = |text: &str| {
        matches!(
            text,
            "-c" | "--command" | "-e" | "--execute" | "-Q" | "--eval"
        )
    };
    let mut statements: Vec<&Word> = Vec::new();
    for (at, word) in arguments.iter().enumerate() {
        if option(&word.text) {
            statements.extend(arguments.get(at + 1));
        } else if matches!(
            word.text.as_str(),
            "-f" | "--file" | "-o" | "--output" | "-L" | "-init"
        ) || word.text.starts_with("--command=")
        {
            return false;
        }
    }
    if statements.is_empty() && matches!(name, "sqlite3" | "duckdb") {
        statements.extend(
            arguments
                .iter()
                .filter(|word| !word.text.starts_with('-'))
                .nth(1),
        );
    }
    !statements.is_empty()
        && statements
            .iter()
            .all(|word| !word.is_open && sql::only_reads(&word.text))
}

/// A request to this machine that sends nothing only reads.
pub(super) fn curl(name: &str, arguments: &[Word]) -> Class {
    const QUIET: [&str; 17] = [
        "-s",
        "-S",
        "-sS",
        "-f",
        "-fsS",
        "-fsSL",
        "-L",
        "-i",
        "-I",
        "-sI",
        "-v",
        "-k",
        "--silent",
        "--head",
        "--fail",
        "-sf",
        "--include",
    ];
    let is_here = |text: &str| {
        let host = text
            .trim_start_matches("http://")
            .trim_start_matches("https://");
        ["localhost", "127.0.0.1", "[::1]", "0.0.0.0"]
            .iter()
            .any(|here| {
                host.strip_prefix(here)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '/', '?']))
            })
    };
    let mut texts = arguments.iter().map(|word| word.text.as_str());
    let is_plain = name == "curl"
        && !arguments.is_empty()
        && texts.all(|text| QUIET.contains(&text) || is_here(text));
    plain_or(is_plain, "a request to a server")
}
