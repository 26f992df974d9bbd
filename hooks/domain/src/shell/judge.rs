//! How far the words of one simple command reach: wrappers, launchers, the program and its arguments.

use super::judged::Judged;
use super::listed::{is_listed, says_beyond};
use super::loading::loads;
use super::operand::{Place, inside, is_foreign, is_name, reach_of_text};
use super::parse::Word;
use super::programs::{can_do_anything, is_program};
use super::special::{cd, printed, tee, version};
use super::starters::{each, launched, runs_a_line, shell, started, started_by};
use super::wrappers::{setting, wrapper};
use super::{rows, subject};
use crate::permissions::{OwnReaches, Reach};

/// How far the words of a simple command reach, wrappers looked through.
pub(super) fn words(words: &[Word], place: &mut Place<'_>, own: &OwnReaches) -> Judged {
    let mut rest = words;
    while let Some(count) = wrapper(rest) {
        rest = rest.get(count..).unwrap_or_default();
    }
    let wrapped = words.len() - rest.len();
    let mut judged = program(rest, place);
    judged.fixed += wrapped;
    judged.wrapped = wrapped;
    // What a program starts that is not known is not proposed by that program's name.
    let starter = words.first().map_or("", |word| word.text.as_str());
    if wrapped > 0 && judged.reach == Reach::Unknown && !is_listed("time timeout", starter) {
        judged.raise(Reach::Beyond, || {
            format!("{starter} starts what is not known")
        });
    }
    let before = words.iter().take(wrapped);
    for (name, value) in before.filter_map(setting) {
        if super::set(name, &value, false, &mut judged) {
            judged.wrapped = 0;
        }
    }
    let texts: Vec<&str> = rest.iter().map(|word| word.text.as_str()).collect();
    let is_open = rest.iter().any(|word| word.is_open);
    if let Some((reach, reason)) = own.of_command(&texts, judged.reach)
        && (reach > judged.reach || !is_open)
    {
        judged.reach = reach;
        judged.reason = reason;
    }
    judged
}

pub(super) fn program(words: &[Word], place: &mut Place<'_>) -> Judged {
    let Some((program, arguments)) = words.split_first() else {
        return Judged::new(Reach::Reads, String::new(), (String::new(), 0));
    };
    let path = inside(&program.text, place.root).unwrap_or(&program.text);
    let Some(name) = known_name(path).filter(|_| !program.is_open) else {
        return unknown(&program.text, program.is_open, arguments, place);
    };
    match name {
        "cd" => return cd(arguments, place),
        "tee" => return tee(arguments, place),
        "sh" | "bash" | "zsh"
            if arguments
                .iter()
                .any(|word| word.text == "-c" || word.text == "-lc") =>
        {
            return shell(name, arguments, place);
        }
        "find" | "xargs" => {
            if let Some(started) = started_by(name, arguments) {
                return each(name, arguments, started, place);
            }
        }
        _ => {}
    }
    let started = launched(name, arguments);
    let (before, name, arguments) = match &started {
        Some(started) => (1 + started.count, started.name, started.arguments),
        None => (0, name, arguments),
    };
    let Some(mut judged) = version(name, arguments).or_else(|| rows::find(name, arguments, place))
    else {
        return match started.is_none()
            && !is_script_runner(name, arguments)
            && can_do_anything(name)
        {
            true => {
                let (subject, fixed) = subject::unknown_subject(name, arguments);
                let reason = format!("{subject} reaches beyond the project");
                Judged::new(Reach::Beyond, reason, (subject, before + 1 + fixed))
            }
            false => unknown(
                &program.text,
                false,
                words.get(1..).unwrap_or_default(),
                place,
            ),
        };
    };
    judged.fixed += before + 1;
    let is_known = judged.reach < Reach::Unknown;
    if let Some(option) = loads(name, arguments, is_known) {
        judged.raise(Reach::Beyond, || {
            format!("{}: loads or overwrites what is not known", option.text)
        });
    }
    if let Some(started) = &started {
        judged.subject = format!("{} {}", started.launcher, judged.subject);
    }
    if name == "git" && !place.folder.is_empty() {
        judged.raise(Reach::Unknown, || {
            "git in another folder obeys the settings of that folder".to_owned()
        });
    }
    if place.depth == 0
        && is_listed("echo printf", name)
        && let Some(reason) = printed(arguments, place)
    {
        judged.raise(Reach::Unknown, || reason);
    }
    if !judged.only_shows && place.is_foreign() {
        judged.raise(Reach::Beyond, || {
            format!("runs in {}, what others wrote", place.folder)
        });
    }
    judged
}

/// True for an interpreter that is given a file of the project and nothing else: `node scripts/check.mjs`.
fn is_script_runner(name: &str, arguments: &[Word]) -> bool {
    let is_file = |word: &&Word| {
        !word.text.starts_with('-') && !word.is_open && word.text.contains(['.', '/'])
    };
    is_listed(
        "node python python3 bash sh zsh ruby php deno bun tsx ts-node",
        name,
    ) && arguments.first().filter(is_file).is_some()
}

/// A program or script that no row has: its name and its words must not say that it reaches further.
fn unknown(program: &str, is_open: bool, arguments: &[Word], place: &mut Place<'_>) -> Judged {
    let name = inside(program, place.root).unwrap_or(program);
    let name = name.strip_prefix("./").unwrap_or(name);
    let (subject, fixed) = subject::unknown_subject(program, arguments);
    let judged = |reach, reason| Judged::new(reach, reason, (subject.clone(), 1 + fixed));
    if is_open || !is_name(name) || reach_of_text(program, place.root).is_some() {
        return judged(Reach::Beyond, format!("{program} may be anything"));
    }
    if place.is_foreign() || is_foreign(name) {
        return judged(Reach::Beyond, format!("{program}: runs what others wrote"));
    }
    // What an unknown program is told to start, it may start.
    let inner = arguments
        .iter()
        .position(|word| (is_program(&word.text) || can_do_anything(&word.text)) && !word.is_open);
    let (own, inner_words) = arguments.split_at(inner.unwrap_or(arguments.len()));
    if let Some((word, reason)) = rows::leads_beyond(own, place) {
        return judged(Reach::Beyond, format!("{program} {}: {reason}", word.text));
    }
    if inner.is_some() {
        let inner = started(inner_words, place);
        if inner.reach == Reach::Beyond {
            return judged(Reach::Beyond, inner.reason);
        }
    }
    if let Some(option) = loads(name, arguments, false) {
        let reason = format!("{}: loads what is not known", option.text);
        return judged(Reach::Beyond, reason);
    }
    if let Some(reason) = runs_a_line(own, place) {
        return judged(Reach::Beyond, reason);
    }
    match says_beyond(name) {
        true => judged(
            Reach::Beyond,
            format!("{program}: its name says that it reaches further"),
        ),
        false => judged(Reach::Unknown, format!("{subject} is not known")),
    }
}

/// The name by which the rows know the program at `path`; `None` for a script, or one in an unusual place.
fn known_name(path: &str) -> Option<&str> {
    const USUAL: &str = "/bin/ /usr/bin/ node_modules/.bin/ ./node_modules/.bin/ .venv/bin/ venv/bin/ vendor/bin/ ./vendor/bin/";
    let bare = USUAL
        .split(' ')
        .find_map(|folder| path.strip_prefix(folder))
        .unwrap_or(path);
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-+.[:".contains(&byte);
    let is_wrapper = matches!(bare, "./gradlew" | "./mvnw");
    (is_wrapper || !bare.is_empty() && bare.bytes().all(is_plain)).then_some(bare)
}
