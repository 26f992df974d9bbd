//! How far the words of one simple command reach: wrappers, launchers, the program and its arguments.

use crate::commands::Word;
use crate::permissions::operand::{reach, written};
use crate::permissions::own::OwnReaches;
use crate::permissions::table::{LAUNCHED, is_fixed, is_harmless_setting};
use crate::permissions::{Reach, entry, subject};

/// Where a command runs.
pub(super) struct CommandContext<'a> {
    pub(super) cwd: &'a str,
    pub(super) own: &'a OwnReaches,
    /// True behind a `cd` into a folder of the project.
    pub(super) has_moved: bool,
}

/// A judgement about the words of a command.
pub(super) struct Judged {
    pub(super) reach: Reach,
    pub(super) reason: String,
    /// How many words are wrappers, program and subcommand.
    pub(super) fixed: usize,
    /// How many of them are wrappers.
    pub(super) wrapped: usize,
    pub(super) subject: String,
}

impl Judged {
    pub(super) fn raise(&mut self, reach: Reach, reason: String) {
        if reach > self.reach {
            self.reach = reach;
            self.reason = reason;
        }
    }
}

/// How far the words of a simple command reach, wrappers looked through.
pub(super) fn words(words: &[Word], place: &CommandContext<'_>) -> Judged {
    let mut rest = words;
    while let Some(count) = wrapper(rest) {
        rest = rest.get(count..).unwrap_or_default();
    }
    let wrapped = words.len() - rest.len();
    let mut judged = program(rest, place);
    judged.fixed += wrapped;
    judged.wrapped = wrapped;
    let texts: Vec<&str> = rest.iter().map(|word| word.text.as_str()).collect();
    let is_open = rest.iter().any(|word| word.is_open);
    if let Some((reach, reason)) = place.own.of_command(&texts, judged.reach)
        && (reach > judged.reach || !is_open)
    {
        judged.reach = reach;
        judged.reason = reason;
    }
    judged
}

/// How many words begin a command without being part of it: `timeout 5`, `nice -n 5`, `time`, `env CI=1`.
fn wrapper(words: &[Word]) -> Option<usize> {
    let text = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
    let is_number = |text: &str| {
        let digits = text.trim_end_matches(['s', 'm', 'h', 'd']);
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    let count = match text(0) {
        "time" => 1,
        "timeout" if is_number(text(1)) => 2,
        "nice" if text(1) == "-n" && is_number(text(2)) => 3,
        "nice" => 1,
        "stdbuf" if matches!(text(1), "-oL" | "-o0" | "-eL" | "-e0") => 2,
        "env" => {
            let settings = words.iter().skip(1).take_while(|word| {
                word.text
                    .split_once('=')
                    .is_some_and(|(name, value)| is_harmless_setting(name, value))
            });
            1 + settings.count()
        }
        _ => return None,
    };
    // A wrapper with nothing behind it does something by itself.
    let is_program = |word: &Word| {
        word.text
            .starts_with(|c: char| c.is_ascii_alphabetic() || c == '.')
    };
    (words.get(count).is_some_and(is_program) && !(text(0) == "env" && count == 1)).then_some(count)
}

fn beyond(reason: String, subject: String, fixed: usize) -> Judged {
    Judged {
        reach: Reach::Beyond,
        reason,
        fixed,
        wrapped: 0,
        subject,
    }
}

fn program(words: &[Word], place: &CommandContext<'_>) -> Judged {
    let Some((program, arguments)) = words.split_first() else {
        return beyond(String::new(), String::new(), 0);
    };
    let Some(name) = known_name(&program.text).filter(|_| !program.is_open) else {
        let (subject, fixed) = subject::unknown(&program.text, arguments);
        return beyond(
            format!("{} may be anything", program.text),
            subject,
            1 + fixed,
        );
    };
    match name {
        "cd" => return cd(arguments, place),
        "tee" => return tee(arguments, place),
        _ => {}
    }
    let started = launched(name, arguments);
    let (before, name, arguments) = match &started {
        Some(started) => (1 + started.count, started.name, started.arguments),
        None => (0, name, arguments),
    };
    let found = if is_fixed(name) {
        None
    } else {
        entry::find(name, arguments, place.cwd)
    };
    let mut judged = match found {
        Some(found) => Judged {
            reach: found.reach,
            reason: found.reason.unwrap_or_default(),
            fixed: before + 1 + found.fixed,
            wrapped: 0,
            subject: subject::known(name, &found.named, found.raised_by.as_deref()),
        },
        None => {
            let (subject, fixed) = subject::unknown(name, arguments);
            let reason = if is_fixed(name) {
                format!("{name} reaches beyond the project")
            } else {
                format!("{subject} is not known to be harmless")
            };
            beyond(reason, subject, before + 1 + fixed)
        }
    };
    if let Some(started) = &started {
        judged.subject = format!("{} {}", started.launcher, judged.subject);
    }
    if name == "git" && place.has_moved {
        judged.reach = Reach::Beyond;
        judged.reason = "git in another folder obeys the settings of that folder".to_owned();
    }
    judged
}

/// A program that another one starts.
struct Started<'a> {
    launcher: &'static str,
    /// How many arguments of the launcher come before the program.
    count: usize,
    name: &'a str,
    arguments: &'a [Word],
}

/// What the launcher `name` (`npx`, `python3 -m`) starts, where that is a program it may start.
fn launched<'a>(name: &str, arguments: &'a [Word]) -> Option<Started<'a>> {
    LAUNCHED.iter().find_map(|(launchers, programs)| {
        launchers.iter().find_map(|launcher| {
            let mut words = launcher.split(' ');
            let mut count = 0;
            if words.next() != Some(name) {
                return None;
            }
            for word in words {
                if arguments.get(count)?.text != word {
                    return None;
                }
                count += 1;
            }
            let inner = arguments.get(count).filter(|word| !word.is_open)?;
            let is_known =
                !inner.text.is_empty() && programs.split(' ').any(|one| one == inner.text);
            is_known.then_some(Started {
                launcher,
                count,
                name: &inner.text,
                arguments: arguments.get(count + 1..).unwrap_or_default(),
            })
        })
    })
}

/// The name by which the tables know the program at `path`; `None` for one that may be anything.
fn known_name(path: &str) -> Option<&str> {
    const USUAL: [&str; 8] = [
        "/bin/",
        "/usr/bin/",
        "node_modules/.bin/",
        "./node_modules/.bin/",
        ".venv/bin/",
        "venv/bin/",
        "vendor/bin/",
        "./vendor/bin/",
    ];
    let bare = USUAL
        .iter()
        .find_map(|folder| path.strip_prefix(folder))
        .unwrap_or(path);
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-+.".contains(&byte);
    let is_wrapper = matches!(bare, "./gradlew" | "./mvnw");
    (is_wrapper || !bare.is_empty() && bare.bytes().all(is_plain)).then_some(bare)
}

fn cd(arguments: &[Word], place: &CommandContext<'_>) -> Judged {
    let outside = match arguments {
        [to] if to.is_open || to.text.is_empty() || to.text.starts_with('-') => {
            Some("a folder that is not certain")
        }
        [to] => reach(to, place.cwd),
        _ => Some("the home folder"),
    };
    let to = arguments.first().map_or("", |word| word.text.as_str());
    match outside {
        Some(reason) => beyond(
            format!("cd {to}: {reason}"),
            subject::known("cd", &[], Some(to)),
            1,
        ),
        None => Judged {
            reach: Reach::Reads,
            reason: String::new(),
            fixed: 1 + arguments.len(),
            wrapped: 0,
            subject: "cd".to_owned(),
        },
    }
}

/// `tee` writes its files: logs of the project, or more.
fn tee(arguments: &[Word], place: &CommandContext<'_>) -> Judged {
    let files = arguments
        .iter()
        .filter(|word| word.text != "-a" && word.text != "/dev/null");
    let worst = files
        .map(|word| {
            (
                if word.is_open {
                    Reach::Beyond
                } else {
                    written(&word.text, place.cwd)
                },
                &word.text,
            )
        })
        .max();
    let (reach, file) = worst.map_or((Reach::Reads, ""), |(reach, file)| (reach, file.as_str()));
    Judged {
        reach,
        reason: format!("writes {file}"),
        fixed: 1,
        wrapped: 0,
        subject: if reach == Reach::Beyond {
            subject::known("tee", &[], Some(file))
        } else {
            "tee".to_owned()
        },
    }
}
