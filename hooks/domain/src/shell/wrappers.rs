//! What stands before a program and is not part of it: `timeout 5`, `nice`, `time`, `env CI=1`.

use super::listed::is_listed;
use super::parse::Word;

/// Programs that start the program behind them: their options alone, those with a value, and how many operands
/// they have.
const WRAPPERS: &[(&str, &str, &str, usize)] = &[
    ("time", "-p", "", 0),
    (
        "timeout",
        "-v -p -f --verbose --preserve-status --foreground",
        "-s -k --signal --kill-after",
        1,
    ),
    ("nice", "", "-n --adjustment", 0),
    ("ionice", "-t --ignore", "-c -n --class --classdata", 0),
    ("stdbuf", "", "-i -o -e --input --output --error", 0),
    ("command", "", "", 0),
    ("env", "", "", 0),
];

/// How many words begin a command without being part of it: `timeout 5`, `nice -n 5`, `time`, `env CI=1`.
pub(super) fn wrapper(words: &[Word]) -> Option<usize> {
    let text = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
    let (name, flags, valued, operands) = WRAPPERS.iter().find(|one| one.0 == text(0))?;
    let is_plain = |text: &str| {
        !text.is_empty()
            && text
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    let mut at = 1 + options(words.get(1..)?, flags, valued, is_plain)?;
    for _ in 0..*operands {
        let digits = text(at).trim_end_matches(['s', 'm', 'h', 'd']);
        (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())).then_some(())?;
        at += 1;
    }
    if *name == "env" {
        let settings = words.iter().skip(at);
        at += settings.take_while(|word| setting(word).is_some()).count();
        at += usize::from(text(at) == "--");
    }
    // A wrapper with nothing behind it does something by itself.
    let is_program = |word: &Word| {
        word.text
            .starts_with(|c: char| c.is_ascii_alphabetic() || c == '.')
    };
    words.get(at).is_some_and(is_program).then_some(at)
}

/// How many of `words` are options that stand alone or have a value that `is_plain` accepts, in the next word or
/// attached; `None` for another option.
pub(super) fn options(
    words: &[Word],
    flags: &str,
    valued: &str,
    is_plain: impl Fn(&str) -> bool,
) -> Option<usize> {
    let mut at = 0;
    loop {
        let text = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
        let has_attached = || {
            let mut names = valued.split(' ').filter(|name| !name.is_empty());
            names.any(|name| {
                let rest = text(at).strip_prefix(name);
                let value = match name.starts_with("--") {
                    true => rest.and_then(|rest| rest.strip_prefix('=')),
                    false => rest,
                };
                value.is_some_and(|value| !value.is_empty() && is_plain(value))
            })
        };
        at += match text(at) {
            "--" => return Some(at + 1),
            flag if is_listed(flags, flag) => 1,
            option if is_listed(valued, option) && is_plain(text(at + 1)) => 2,
            option if !option.starts_with('-') => return Some(at),
            _ if has_attached() => 1,
            _ => return None,
        };
    }
}

/// The variable that `word` sets for `env`, and its value.
pub(super) fn setting(word: &Word) -> Option<(&str, Word)> {
    let (name, value) = word.text.split_once('=')?;
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let value = Word {
        text: value.to_owned(),
        ..word.clone()
    };
    (!name.is_empty() && name.bytes().all(is_plain)).then_some((name, value))
}
