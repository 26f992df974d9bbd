//! Looking a program and its arguments up in the tables.

use super::Reach;
use super::operand::{is_name, reach};
use super::special;
use super::table::{BUILDING, GIT, SERVICES, SHOWING};
use crate::commands::Word;

/// A line of the tables.
#[derive(Clone, Copy)]
pub(super) struct Entry<'a> {
    pub(super) reach: Reach,
    words: &'a str,
    flags: &'a str,
    operands: u8,
    /// True when any words may follow.
    pub(super) is_free: bool,
}

/// What the tables say of a program and its arguments.
pub(super) struct Found {
    pub(super) reach: Reach,
    /// How many arguments belong to the subcommand and what it names; options before it included.
    pub(super) fixed: usize,
    /// The subcommand, and the scripts or targets that are named.
    pub(super) named: Vec<String>,
    /// Why it reaches beyond the project.
    pub(super) reason: Option<String>,
    /// The option or operand that raised the reach.
    pub(super) raised_by: Option<String>,
}

fn lines() -> impl Iterator<Item = &'static str> {
    [GIT, BUILDING, SERVICES, SHOWING]
        .into_iter()
        .flat_map(str::lines)
}

fn entry(line: &str) -> Option<Entry<'_>> {
    let (reach, rest) = line.split_at_checked(2)?;
    let (rest, operands) = rest.rsplit_once(" @").unwrap_or((rest, "p"));
    let (words, flags) = rest.split_once(" : ").unwrap_or((rest, ""));
    let free = words.strip_suffix(" *");
    Some(Entry {
        reach: if reach.starts_with('1') {
            Reach::Reads
        } else {
            Reach::Project
        },
        words: free.unwrap_or(words),
        flags,
        operands: *operands.as_bytes().first()?,
        is_free: free.is_some(),
    })
}

/// The lines about `name` whose subcommand `arguments` begin with, and how many arguments that is.
fn candidates<'a>(
    name: &'a str,
    arguments: &'a [&'a str],
) -> impl Iterator<Item = (Entry<'static>, usize)> + 'a {
    let is_one = |alternatives: &str, word: &str| alternatives.split('|').any(|one| one == word);
    lines().filter_map(move |line| {
        let programs = line.get(2..)?.split(' ').next()?;
        let entry = is_one(programs, name).then(|| entry(line))??;
        let words = entry.words.split(' ').skip(1);
        let mut count = 0;
        for word in words {
            if !is_one(word, arguments.get(count)?) {
                return None;
            }
            count += 1;
        }
        Some((entry, count))
    })
}

/// The line under which any words may follow `name` and `arguments`.
pub(super) fn free(name: &str, arguments: &[&str]) -> Option<Reach> {
    let skipped = globals(name, arguments);
    let rest = arguments.get(skipped..)?;
    candidates(name, rest)
        .find(|(entry, _)| entry.is_free)
        .map(|(entry, _)| entry.reach)
}

/// How many options stand before the subcommand that change nothing but what is shown.
fn globals(name: &str, arguments: &[&str]) -> usize {
    let is_global = |argument: &&&str| match name {
        "git" => matches!(**argument, "--no-pager" | "-P"),
        "npm" | "pnpm" | "yarn" => matches!(**argument, "-s" | "--silent"),
        "cargo" => matches!(
            **argument,
            "-q" | "--quiet"
                | "--offline"
                | "--locked"
                | "--frozen"
                | "+nightly"
                | "+stable"
                | "+beta"
        ),
        _ => false,
    };
    arguments.iter().take_while(is_global).count()
}

/// What the tables say; `None` for a program or subcommand that they do not know.
pub(super) fn find(name: &str, arguments: &[Word], cwd: &str) -> Option<Found> {
    let texts: Vec<&str> = arguments.iter().map(|word| word.text.as_str()).collect();
    let skipped = globals(name, &texts);
    let rest = texts.get(skipped..)?;
    let longest = candidates(name, rest).map(|(_, count)| count).max()?;
    let mut best: Option<Found> = None;
    for (entry, count) in candidates(name, rest).filter(|(_, count)| *count == longest) {
        let judged = judge(&entry, name, arguments.get(skipped + count..)?, cwd);
        let found = Found {
            fixed: skipped + count + judged.named_until,
            named: rest
                .iter()
                .take(count)
                .map(|word| (*word).to_owned())
                .chain(judged.names)
                .collect(),
            reach: judged.reach,
            reason: judged.reason,
            raised_by: judged.raised_by,
        };
        if best.as_ref().is_none_or(|best| found.reach < best.reach) {
            best = Some(found);
        }
    }
    best
}

struct Judged {
    reach: Reach,
    reason: Option<String>,
    raised_by: Option<String>,
    /// Operands that name a script or target.
    names: Vec<String>,
    /// How many arguments that takes.
    named_until: usize,
}

impl Judged {
    fn raise(&mut self, word: &str, reason: String) {
        self.reach = Reach::Beyond;
        self.raised_by = Some(word.to_owned());
        self.reason = Some(reason);
    }
}

fn judge(entry: &Entry<'_>, name: &str, arguments: &[Word], cwd: &str) -> Judged {
    let mut judged = Judged {
        reach: entry.reach,
        reason: None,
        raised_by: None,
        names: Vec::new(),
        named_until: 0,
    };
    if entry.is_free {
        return judged;
    }
    let mut operands: Vec<&Word> = Vec::new();
    let mut left = arguments.iter();
    while let Some(word) = left.next() {
        let text = word.text.as_str();
        if text == "--" {
            continue;
        }
        if !text.starts_with('-') || text == "-" {
            operands.push(word);
            continue;
        }
        let Some(flag) = flag(entry.flags, text) else {
            judged.raise(
                text,
                format!("{text} is not known to be harmless for {name}"),
            );
            return judged;
        };
        if word.is_open {
            judged.raise(text, "a pattern in an option".to_owned());
            return judged;
        }
        if flag.raises {
            judged.reach = Reach::Project;
            judged.raised_by = Some(text.to_owned());
        }
        let value = match flag.value {
            Value::None => continue,
            Value::Attached(value) => Word {
                text: value.to_owned(),
                ..Word::default()
            },
            Value::Next => match left.next() {
                Some(word) => word.clone(),
                None => continue,
            },
        };
        if let Some(reason) = bad_value(flag.kind, &value, cwd) {
            judged.raise(text, format!("{text}: {reason}"));
            return judged;
        }
    }
    let checked = check_operands(entry, name, &operands, cwd, &mut judged);
    let is_named = |word: &Word| judged.names.contains(&word.text);
    judged.named_until = arguments
        .iter()
        .rposition(is_named)
        .filter(|_| entry.operands == b'S')
        .or_else(|| arguments.iter().position(is_named))
        .map_or(0, |last| last + 1);
    if let Err((word, reason)) = checked {
        judged.raise(&word, format!("{word}: {reason}"));
    }
    judged
}

fn bad_value(kind: &str, value: &Word, cwd: &str) -> Option<&'static str> {
    match kind.strip_prefix('~') {
        Some(rest) => {
            let forbidden = rest.strip_prefix('!')?;
            value
                .text
                .to_ascii_lowercase()
                .contains(forbidden)
                .then_some("shows the environment")
        }
        None if kind.is_empty() => reach(value, cwd),
        None => {
            (!kind.split('|').any(|one| one == value.text)).then_some("a value that is not known")
        }
    }
}

type Bad = (String, &'static str);

fn check_operands(
    entry: &Entry<'_>,
    name: &str,
    operands: &[&Word],
    cwd: &str,
    judged: &mut Judged,
) -> Result<(), Bad> {
    let bad = |word: &Word, reason| Err((word.text.clone(), reason));
    let mut paths = operands;
    match entry.operands {
        b'T' => paths = &[],
        b't' => paths = operands.get(1..).unwrap_or_default(),
        b'0' => {
            if let Some(word) = operands.first() {
                return bad(word, "not known to be harmless here");
            }
        }
        b'1' => {
            if let Some(word) = operands.get(1) {
                return bad(word, "one operand too many");
            }
        }
        b'n' => {
            if let Some(word) = operands
                .iter()
                .find(|word| word.is_open || !is_name(&word.text))
            {
                return bad(word, "not a plain name");
            }
        }
        b'd' => {
            if let Some(word) = operands.iter().find(|word| !word.text.starts_with('.')) {
                return bad(word, "not a folder of the project");
            }
        }
        b's' | b'S' => {
            let Some((first, rest)) = operands.split_first() else {
                return Err((name.to_owned(), "what it does without a name is not known"));
            };
            let names = if entry.operands == b's' {
                std::slice::from_ref(first)
            } else {
                operands
            };
            for word in names {
                let Some(reach) = special::script(word) else {
                    return bad(word, "an unknown script or target");
                };
                judged.reach = judged.reach.max(reach);
                judged.names.push(word.text.clone());
            }
            paths = rest;
        }
        b'x' => {
            if let Some(word) = special::odd_operand(name, operands) {
                return bad(word, "not known to be harmless here");
            }
            paths = special::paths(name, operands);
        }
        _ => {}
    }
    let outside = paths
        .iter()
        .find_map(|word| Some((word, reach(word, cwd)?)));
    match outside {
        Some((word, reason)) => bad(word, reason),
        None => Ok(()),
    }
}

struct Flag<'a> {
    value: Value<'a>,
    /// What the value may be.
    kind: &'a str,
    raises: bool,
}

enum Value<'a> {
    None,
    Attached(&'a str),
    Next,
}

/// What `text` is among `flags`: one of them, one with a value, or short ones in a cluster.
fn flag<'a>(flags: &'a str, text: &'a str) -> Option<Flag<'a>> {
    let (name, attached) = match text.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (text, None),
    };
    if let Some((kind, raises)) = listed(flags, name) {
        let value = match (kind, attached) {
            (_, Some(value)) => Value::Attached(value),
            (Some(_), None) => Value::Next,
            (None, None) => Value::None,
        };
        return Some(Flag {
            value,
            kind: kind.unwrap_or_default(),
            raises,
        });
    }
    let cluster = text
        .strip_prefix('-')
        .filter(|rest| !rest.starts_with('-'))?;
    if cluster.bytes().all(|byte| byte.is_ascii_digit()) && listed(flags, "-#").is_some() {
        return Some(Flag {
            value: Value::None,
            kind: "",
            raises: false,
        });
    }
    let mut raises = false;
    for (at, letter) in cluster.char_indices() {
        let (kind, raised) = listed(flags, &format!("-{letter}"))?;
        raises |= raised;
        let rest = cluster.get(at + letter.len_utf8()..)?;
        if let Some(kind) = kind {
            let value = if rest.is_empty() {
                Value::Next
            } else {
                Value::Attached(rest)
            };
            return Some(Flag {
                value,
                kind,
                raises,
            });
        }
    }
    Some(Flag {
        value: Value::None,
        kind: "",
        raises,
    })
}

/// How `flags` list the option `name`: what its value may be, when it takes one, and whether it raises.
fn listed<'a>(flags: &'a str, name: &str) -> Option<(Option<&'a str>, bool)> {
    flags.split(' ').find_map(|flag| {
        let plain = flag.strip_prefix('+');
        let raises = plain.is_some();
        let (listed, kind) = match plain.unwrap_or(flag).split_once('=') {
            Some((listed, kind)) => (listed, Some(kind)),
            None => (plain.unwrap_or(flag), None),
        };
        (listed == name && !name.is_empty()).then_some((kind, raises))
    })
}
