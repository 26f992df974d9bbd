//! The simple commands of a line, and how far each reaches.

use super::Tier;
use super::entry;
use super::operand::{reach, reach_of_text};
use super::own::OwnTiers;
use super::subject;
use super::table::{FIXED, LAUNCHED, VARIABLES};
use crate::commands::{Join, Simple, Word, read};
use crate::sanitize::is_dangerous;

/// A longer line is not judged, in bytes.
const LONGEST: usize = 4096;

/// More commands in one line are not judged.
const MOST: usize = 32;

/// One simple command of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its words as they are written, quotes included, without redirections; variables set for it first.
    pub words: Vec<String>,
    /// How many of `words` are variables, wrappers, program, subcommand and fixed flags: what varies, varies
    /// behind them.
    pub fixed: usize,
    /// How many of `words` are variables and wrappers that the host may look through: none where one of them
    /// does more than change what is shown.
    pub lead: usize,
    /// What makes two of them the same.
    pub subject: String,
    /// How far it reaches.
    pub tier: Tier,
    /// Why it reaches so far, in words; empty for what the tables allow.
    pub reason: String,
    /// True for a `cd` inside the project, which needs no rule.
    pub is_aside: bool,
    /// True when its output goes to a file: the host asks about it whatever the rules are.
    pub writes_file: bool,
    /// True when that file lies outside the project, or may be secret.
    pub writes_outside: bool,
    /// How it follows the one before: empty, `;`, `&&`, `||` or `|`.
    pub join: &'static str,
}

impl Part {
    /// The command as the host compares it with rules.
    pub fn text(&self) -> String {
        self.words.join(" ")
    }

    /// The part of [`Part::text`] that does not vary.
    pub fn prefix(&self) -> String {
        self.words
            .get(..self.fixed)
            .unwrap_or(&self.words)
            .join(" ")
    }
}

/// The simple commands of `line`, run in the folder `cwd`; `None` for a line that is not understood with
/// certainty: expansions, substitutions, groups, loops, here-documents, odd characters.
///
/// `own` are the tiers that the person gave.
pub fn parts(line: &str, cwd: &str, own: &OwnTiers) -> Option<Vec<Part>> {
    if line.len() > LONGEST || line.chars().any(is_odd) {
        return None;
    }
    let reading = read(line).filter(|reading| reading.is_plain)?;
    let programs = &reading.programs;
    if programs.is_empty() || programs.len() > MOST {
        return None;
    }
    let mut place = Place {
        cwd,
        own,
        has_moved: false,
    };
    let parts = programs.iter().enumerate();
    Some(
        parts
            .map(|(at, simple)| part(simple, at, line, &mut place))
            .collect(),
    )
}

fn is_odd(c: char) -> bool {
    c.is_control() && !matches!(c, '\n' | '\t')
        || !c.is_ascii() && (c.is_whitespace() || is_dangerous(c))
}

/// Where a command runs.
struct Place<'a> {
    cwd: &'a str,
    own: &'a OwnTiers,
    /// True behind a `cd` into a folder of the project.
    has_moved: bool,
}

/// A judgement about the words of a command.
struct Judged {
    tier: Tier,
    reason: String,
    /// How many words are wrappers, program and subcommand.
    fixed: usize,
    /// How many of them are wrappers.
    wrapped: usize,
    subject: String,
}

impl Judged {
    fn raise(&mut self, tier: Tier, reason: String) {
        if tier > self.tier {
            self.tier = tier;
            self.reason = reason;
        }
    }
}

fn part(simple: &Simple, at: usize, line: &str, place: &mut Place<'_>) -> Part {
    let raw = |span: &std::ops::Range<usize>| line.get(span.clone()).unwrap_or_default().to_owned();
    let mut judged = words(&simple.words, place);
    let (mut is_aside, mut writes_file, mut writes_outside) = (false, false, false);
    let mut has_bad_setting = false;
    for (name, value) in &simple.assignments {
        if !is_harmless_setting(name, value) {
            has_bad_setting = true;
            judged.raise(Tier::Beyond, format!("sets {name}"));
            judged.subject.insert_str(0, &format!("{name}= "));
        }
    }
    for file in &simple.reads {
        if file != "/dev/null"
            && let Some(reason) = reach_of_text(file, place.cwd)
        {
            judged.raise(Tier::Beyond, format!("reads {file}: {reason}"));
        }
    }
    for file in &simple.writes {
        if matches!(file.as_str(), "/dev/null" | "/dev/stdout" | "/dev/stderr") {
            continue;
        }
        writes_file = true;
        writes_outside |= reach_of_text(file, place.cwd).is_some();
        judged.raise(written(file, place.cwd), format!("writes {file}"));
    }
    if simple.words.first().is_some_and(|word| word.text == "cd") {
        is_aside = judged.tier == Tier::ReadOnly;
        place.has_moved |= simple
            .words
            .get(1)
            .is_none_or(|to| !is_here(&to.text, place.cwd));
    }
    if simple.words.is_empty() {
        judged.raise(Tier::Beyond, "sets variables for what follows".to_owned());
    }
    if writes_file {
        judged.subject.push_str(" >");
    }
    Part {
        words: simple.spans.iter().map(raw).collect(),
        fixed: simple.assignments.len() + judged.fixed,
        lead: if has_bad_setting {
            0
        } else {
            simple.assignments.len() + judged.wrapped
        },
        subject: judged.subject,
        tier: judged.tier,
        reason: judged.reason,
        is_aside,
        writes_file: writes_file || simple.words.first().is_some_and(|word| word.text == "tee"),
        writes_outside,
        join: match simple.join {
            _ if at == 0 => "",
            Join::Then => ";",
            Join::And => "&&",
            Join::Or => "||",
            Join::Pipe => "|",
        },
    }
}

fn is_here(folder: &str, cwd: &str) -> bool {
    let folder = folder.trim_end_matches('/');
    folder == "." || folder == cwd.trim_end_matches('/') && !folder.is_empty()
}

fn is_harmless_setting(name: &str, value: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_.,:=-".contains(&byte);
    VARIABLES.split(' ').any(|known| known == name)
        && value.bytes().all(is_plain)
        && !value.to_ascii_lowercase().contains("prod")
}

/// The tier of writing to `file`: a log inside the project, or more.
fn written(file: &str, cwd: &str) -> Tier {
    let name = file.rsplit('/').next().unwrap_or_default();
    let is_log = [".log", ".txt", ".out", ".err"]
        .iter()
        .any(|end| name.ends_with(end));
    // Read by programs, in spite of their ending.
    let lower = name.to_ascii_lowercase();
    let is_read = ["requirement", "cmake", "constraint", "robots", "host"]
        .iter()
        .any(|start| lower.contains(start));
    let is_hidden = file
        .split('/')
        .any(|part| part.starts_with('.') && part != ".");
    if is_log
        && !is_read
        && !is_hidden
        && reach_of_text(file, cwd).is_none()
        && !file.starts_with('-')
    {
        Tier::Project
    } else {
        Tier::Beyond
    }
}

fn words(words: &[Word], place: &Place<'_>) -> Judged {
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
    if let Some((tier, reason)) = place.own.of_command(&texts, judged.tier)
        && (tier > judged.tier || !is_open)
    {
        judged.tier = tier;
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
        tier: Tier::Beyond,
        reason,
        fixed,
        wrapped: 0,
        subject,
    }
}

fn program(words: &[Word], place: &Place<'_>) -> Judged {
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
            tier: found.tier,
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
        judged.tier = Tier::Beyond;
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

/// True for a program of which nothing lowers the tier.
pub(super) fn is_fixed(name: &str) -> bool {
    FIXED.split_ascii_whitespace().any(|fixed| fixed == name)
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

fn cd(arguments: &[Word], place: &Place<'_>) -> Judged {
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
            tier: Tier::ReadOnly,
            reason: String::new(),
            fixed: 1 + arguments.len(),
            wrapped: 0,
            subject: "cd".to_owned(),
        },
    }
}

/// `tee` writes its files: logs of the project, or more.
fn tee(arguments: &[Word], place: &Place<'_>) -> Judged {
    let files = arguments
        .iter()
        .filter(|word| word.text != "-a" && word.text != "/dev/null");
    let worst = files
        .map(|word| {
            (
                if word.is_open {
                    Tier::Beyond
                } else {
                    written(&word.text, place.cwd)
                },
                &word.text,
            )
        })
        .max();
    let (tier, file) = worst.map_or((Tier::ReadOnly, ""), |(tier, file)| (tier, file.as_str()));
    Judged {
        tier,
        reason: format!("writes {file}"),
        fixed: 1,
        wrapped: 0,
        subject: if tier == Tier::Beyond {
            subject::known("tee", &[], Some(file))
        } else {
            "tee".to_owned()
        },
    }
}
