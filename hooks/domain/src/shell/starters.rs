//! Programs that start others: `npx`, `python3 -m`, `find -exec`, `xargs`, `sh -c`.

use super::judge::program;
use super::judged::Judged;
use super::listed::is_listed;
use super::operand::Place;
use super::parse::Word;
use super::programs::{LAUNCHERS, can_do_anything, is_program};
use super::wrappers::options;
use super::{rows, subject};
use crate::permissions::{OwnReaches, Reach};

/// More programs that start programs are not looked through.
const DEEPEST: usize = 4;

/// A program that another one starts.
pub(super) struct Started<'a> {
    pub(super) launcher: &'static str,
    /// How many arguments of the launcher come before the program.
    pub(super) count: usize,
    pub(super) name: &'a str,
    pub(super) arguments: &'a [Word],
}

/// The words of a command that another one starts.
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

/// What the launcher `name` (`npx`, `python3 -m`) starts, where that is a program it may start.
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

/// What `find … -exec COMMAND {} ;` and `xargs COMMAND` start for each thing that they find.
pub(super) fn started_by<'a>(name: &str, arguments: &'a [Word]) -> Option<&'a [Word]> {
    if name == "find" {
        let is_start = |word: &Word| matches!(word.text.as_str(), "-exec" | "-execdir");
        let start = arguments.iter().position(is_start)? + 1;
        let rest = arguments.get(start..)?;
        let end = rest
            .iter()
            .position(|word| matches!(word.text.as_str(), ";" | "+"))?;
        // Two of them, or anything behind one.
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

/// A command that is started for each thing that another one finds: at best it is not known what it does.
pub(super) fn each(
    name: &str,
    arguments: &[Word],
    command: &[Word],
    place: &mut Place<'_>,
) -> Judged {
    let inner = started(command, place);
    let (subject, fixed) = subject::unknown_subject(name, arguments);
    let subject = (format!("{subject} {}", inner.subject), fixed);
    // What is started is judged by itself.
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
        // What `xargs` hands on is not known.
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

/// `sh -c LINE`: what the line does.
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
    Judged::new(reach, reason, subject::unknown_subject(name, arguments))
}

/// Why one of `arguments`, where it is a line of commands that something may run, reaches beyond.
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
