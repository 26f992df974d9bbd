//! Programs that start others: `npx`, `python3 -m`, `find -exec`, `xargs`, `sh -c`.

use super::judge::{Judged, program};
use super::operand::Place;
use super::parser::Word;
use super::programs::{LAUNCHERS, can_do_anything, is_program};
use super::rows;
use super::rows::is_listed;
use crate::permissions::{OwnReaches, Reach};
use crate::shell::judge;

/// The deepest chain of programs starting programs that is followed.
const DEEPEST: usize = 4;

/// A program that another one starts.
pub(super) struct Started<'a> {
    pub(super) launcher: &'static str,
    /// The number of the launcher's arguments before the program.
    pub(super) count: usize,
    pub(super) name: &'a str,
    pub(super) arguments: &'a [Word],
}

/// Judges the words of a command that another one starts.
pub(super) fn started(words: &[Word], place: &mut Place<'_>) -> Judged {
    if place.depth == DEEPEST {
        let reason = "programs that start programs".to_owned();
        return Judged::new(Reach::Beyond, reason, (String::new(), 0));
    }
    place.depth += 1;
    let judged = program(words, place);
    place.depth -= 1;
    judged
}

/// The program that the launcher `name` (`npx`, `python3 -m`) starts, if it may start that program.
pub(super) fn launched<'a>(name: &str, arguments: &'a [Word]) -> Option<Started<'a>> {
    let all = LAUNCHERS.iter().flat_map(|(launchers, programs)| {
        launchers
            .split(", ")
            .map(move |launcher| (launcher, programs))
    });
    let mut started = all.filter_map(|(launcher, programs)| {
        let mut words = launcher.split(' ');
        (words.next() == Some(name)).then_some(())?;
        let count = words.clone().count();
        let given = arguments.iter().map(|word| word.text.as_str());
        given.take(count).eq(words).then_some(())?;
        let inner = arguments.get(count).filter(|word| !word.is_open)?;
        is_listed(programs, &inner.text).then_some(Started {
            launcher,
            count,
            name: &inner.text,
            arguments: arguments.get(count + 1..).unwrap_or_default(),
        })
    });
    started.next()
}

/// The command that `find … -exec COMMAND {} ;` and `xargs COMMAND` start for each item.
pub(super) fn started_by<'a>(name: &str, arguments: &'a [Word]) -> Option<&'a [Word]> {
    if name == "find" {
        let is_start = |word: &Word| matches!(word.text.as_str(), "-exec" | "-execdir");
        let start = arguments.iter().position(is_start)? + 1;
        let rest = arguments.get(start..)?;
        let end = rest
            .iter()
            .position(|word| matches!(word.text.as_str(), ";" | "+"))?;
        // There are two of them, or something follows.
        return (start + end + 1 == arguments.len())
            .then(|| rest.get(..end))
            .flatten();
    }
    let at = options(
        arguments,
        "-0 -r -t -x -rt --null --no-run-if-empty --verbose --exit",
        "-n -P -L -I -d -s -E -J -R -S --max-args --max-procs --max-lines --max-chars --replace --delimiter --eof",
        |value| !value.starts_with('-'),
    )?;
    arguments.get(at..).filter(|started| !started.is_empty())
}

/// Judges a command that is started for each item that another one finds. At best, its effect is not known.
pub(super) fn each(
    name: &str,
    arguments: &[Word],
    command: &[Word],
    place: &mut Place<'_>,
) -> Judged {
    let inner = started(command, place);
    let (subject, fixed) = judge::unknown_subject(name, arguments);
    let subject = (format!("{subject} {}", inner.subject), fixed);
    // The started command is judged by itself.
    let others = arguments.iter().take(arguments.len() - command.len());
    let others = others.filter(|word| !word.text.starts_with("-exec"));
    if let Some((word, reason)) = rows::leads_beyond(others, place) {
        return Judged::new(
            Reach::Beyond,
            format!("{name} {}: {reason}", word.text),
            subject,
        );
    }
    match inner.reach {
        // The arguments from `xargs` are not known.
        Reach::Reads if inner.only_shows && name == "find" => {
            let reason = format!("{} is started for what {name} finds", inner.subject);
            Judged::new(Reach::Unknown, reason, subject)
        }
        _ => {
            let reason = match inner.reason.is_empty() {
                true => format!("{name} starts {} with what is not known", inner.subject),
                false => inner.reason,
            };
            Judged::new(Reach::Beyond, reason, subject)
        }
    }
}

/// Judges `sh -c LINE` by the line.
pub(super) fn shell(name: &str, arguments: &[Word], place: &Place<'_>) -> Judged {
    let line = match arguments {
        [_, line] if !line.is_open => {
            super::judge_in(&line.text, place.clone(), &OwnReaches::default())
        }
        _ => None,
    };
    let worst = line.and_then(|line| {
        line.commands
            .into_iter()
            .max_by_key(|command| command.reach)
    });
    let (reach, reason) = match worst {
        Some(worst) => (worst.reach, worst.reason),
        None => (Reach::Beyond, format!("{name} runs what is not certain")),
    };
    Judged::new(reach, reason, judge::unknown_subject(name, arguments))
}

/// Why one of `arguments` reaches beyond the project, if it is a command line that something may run.
pub(super) fn runs_a_line(arguments: &[Word], place: &Place<'_>) -> Option<String> {
    let is_line = |word: &&Word| word.text.contains(['|', ';', '&', '\n']);
    let mut inner = place.clone();
    inner.depth += 1;
    let lines = arguments.iter().filter(is_line);
    let judged = lines
        .take(if inner.depth > DEEPEST { 0 } else { usize::MAX })
        .filter_map(|word| super::judge_in(&word.text, inner.clone(), &OwnReaches::default()));
    let mut commands = judged.flat_map(|line| line.commands);
    commands
        .find(|one| {
            let is_known = |name: &String| is_program(name) || can_do_anything(name);
            one.reach == Reach::Beyond && one.words.first().is_some_and(is_known)
        })
        .map(|one| one.reason)
}

// Wrappers before a program: `timeout 5`, `nice`, `time`, `env CI=1`.

/// Programs that start the program after them: their options without a value, their options with a value, and the
/// number of their operands.
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

/// The number of words of the wrapper at the start of a command: `timeout 5`, `nice -n 5`, `time`, `env CI=1`.
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
    // A wrapper without a program does something by itself.
    let is_program = |word: &Word| {
        word.text
            .starts_with(|c: char| c.is_ascii_alphabetic() || c == '.')
    };
    words.get(at).is_some_and(is_program).then_some(at)
}

/// The number of leading `words` that are options without a value, or with a value that `is_plain` accepts, in the next
/// word or attached; `None` for any other option.
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
