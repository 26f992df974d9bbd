//! Words before a program that Claude Code leaves out when it compares a command with its rules: some variables, and some
//! programs that start the one after them. `tests/it/claude_code/rule_reading.rs` asks the real client.

use super::operands::is_listed;

/// The variables that it leaves out.
const VARIABLES: &str = "GOEXPERIMENT GOOS GOARCH CGO_ENABLED GO111MODULE RUST_BACKTRACE RUST_LOG NODE_ENV PYTHONUNBUFFERED \
    PYTHONDONTWRITEBYTECODE LANG LANGUAGE LC_ALL LC_CTYPE LC_TIME CHARSET TERM COLORTERM NO_COLOR FORCE_COLOR TZ \
    LS_COLORS TIME_STYLE BLOCK_SIZE BLOCKSIZE COLUMNS LINES CLICOLOR CLICOLOR_FORCE CI DEBIAN_FRONTEND \
    GIT_TERMINAL_PROMPT";

/// The number of words at the start of `words`, as written, that a rule for the rest covers too.
pub(super) fn lead(words: &[String]) -> usize {
    let mut at = words.iter().take_while(|word| is_left_out(word)).count();
    loop {
        let rest = words.get(at..).unwrap_or_default();
        match wrapper(rest).filter(|count| *count < rest.len()) {
            Some(count) => at += count,
            None if rest.is_empty() => return 0,
            None => return at,
        }
    }
}

/// True for a variable that is left out, with a value that means nothing else to the shell.
fn is_left_out(word: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_.,:=-".contains(&byte);
    let setting = word.split_once('=');
    setting.is_some_and(|(name, value)| is_listed(VARIABLES, name) && value.bytes().all(is_plain))
}

/// The number of words of a program that starts the one after it, and of its options.
fn wrapper(words: &[String]) -> Option<usize> {
    let text = |at: usize| words.get(at).map_or("", String::as_str);
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let count = match text(0) {
        "time" | "nohup" | "command" | "builtin" | "noglob" => 1,
        "nice" if text(1) == "-n" && is_number(text(2)) => 3,
        "nice" if text(1).strip_prefix('-').is_some_and(is_number) => 2,
        "nice" => 1,
        "stdbuf" => {
            let is_mode = |word: &&String| {
                let mode = word
                    .strip_prefix('-')
                    .and_then(|word| word.strip_prefix(['i', 'o', 'e']));
                mode.is_some_and(|mode| !mode.is_empty())
            };
            1 + words.iter().skip(1).take_while(is_mode).count()
        }
        "timeout" => 2 + timeout_options(words)?,
        _ => return None,
    };
    // Another option means something else.
    (!text(count).starts_with('-')).then_some(count)
}

/// The number of words of the options of `timeout` before its duration; `None` if no duration follows.
fn timeout_options(words: &[String]) -> Option<usize> {
    let text = |at: usize| words.get(at).map_or("", String::as_str);
    let is_plain = |text: &str| {
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"_.+-".contains(&byte);
        !text.is_empty() && text.bytes().all(is_part)
    };
    let mut at = 1;
    loop {
        at += match text(at) {
            "--foreground" | "--preserve-status" | "--verbose" => 1,
            "-k" | "-s" | "--kill-after" | "--signal" if is_plain(text(at + 1)) => 2,
            other => {
                let value = ["--kill-after=", "--signal="]
                    .iter()
                    .find_map(|name| other.strip_prefix(name));
                match value {
                    Some(value) if is_plain(value) => 1,
                    _ => break,
                }
            }
        };
    }
    let digits = text(at).trim_end_matches(['s', 'm', 'h', 'd']);
    let is_duration = !digits.is_empty()
        && digits
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'.');
    is_duration.then_some(at - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_rule_for_the_program_covers_too() {
        for (line, count) in [
            ("npm test", 0),
            ("CI=1 npm test", 1),
            ("CI=true NODE_ENV=test npm test", 2),
            ("CI=1 timeout 60 npm test", 3),
            ("timeout --kill-after=5 1.5m npm test", 3),
            ("timeout -s KILL 60 npm test", 4),
            ("time timeout 5 npm test", 3),
            ("nice -n 5 npm test", 3),
            ("nice npm test", 1),
            ("stdbuf -oL -e0 npm test", 3),
            ("FOO=bar npm test", 0),
            ("CI=1 FOO=bar npm test", 1),
            ("CI=$X npm test", 0),
            ("env CI=1 npm test", 0),
            ("timeout npm test", 0),
            ("time -p npm test", 0),
            ("nice -n5 npm test", 0),
            ("stdbuf -o L npm test", 0),
            ("timeout 5", 0),
            ("CI=1", 0),
        ] {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            assert_eq!(lead(&words), count, "{line}");
        }
    }
}
