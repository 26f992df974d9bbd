//! The simple commands of a line, and how far each reaches.

use super::Reach;
use super::operand::{reach_of_text, written};
use super::own::OwnReaches;
use super::table::is_harmless_setting;
use crate::commands::{Join, Simple, read};
use crate::sanitize::is_dangerous;

mod program;

use program::{CommandContext, words};

/// A longer line is not judged, in bytes.
const LONGEST: usize = 4096;

/// More commands in one line are not judged.
const MOST: usize = 32;

/// One simple command of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SimpleCommand {
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
    pub reach: Reach,
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

impl SimpleCommand {
    /// The command as the host compares it with rules.
    pub fn text(&self) -> String {
        self.words.join(" ")
    }

    /// The part of [`SimpleCommand::text`] that does not vary.
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
/// `own` are the reaches that the person gave.
pub fn parts(line: &str, cwd: &str, own: &OwnReaches) -> Option<Vec<SimpleCommand>> {
    if line.len() > LONGEST || line.chars().any(is_odd) {
        return None;
    }
    let reading = read(line).filter(|reading| reading.is_plain)?;
    let programs = &reading.programs;
    if programs.is_empty() || programs.len() > MOST {
        return None;
    }
    let mut place = CommandContext {
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

fn part(simple: &Simple, at: usize, line: &str, place: &mut CommandContext<'_>) -> SimpleCommand {
    let raw = |span: &std::ops::Range<usize>| line.get(span.clone()).unwrap_or_default().to_owned();
    let mut judged = words(&simple.words, place);
    let (mut is_aside, mut writes_file, mut writes_outside) = (false, false, false);
    let mut has_bad_setting = false;
    for (name, value) in &simple.assignments {
        if !is_harmless_setting(name, value) {
            has_bad_setting = true;
            judged.raise(Reach::Beyond, format!("sets {name}"));
            judged.subject.insert_str(0, &format!("{name}= "));
        }
    }
    for file in &simple.reads {
        if file != "/dev/null"
            && let Some(reason) = reach_of_text(file, place.cwd)
        {
            judged.raise(Reach::Beyond, format!("reads {file}: {reason}"));
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
        is_aside = judged.reach == Reach::Reads;
        place.has_moved |= simple
            .words
            .get(1)
            .is_none_or(|to| !is_here(&to.text, place.cwd));
    }
    if simple.words.is_empty() {
        judged.raise(Reach::Beyond, "sets variables for what follows".to_owned());
    }
    if writes_file {
        judged.subject.push_str(" >");
    }
    SimpleCommand {
        words: simple.spans.iter().map(raw).collect(),
        fixed: simple.assignments.len() + judged.fixed,
        lead: if has_bad_setting {
            0
        } else {
            simple.assignments.len() + judged.wrapped
        },
        subject: judged.subject,
        reach: judged.reach,
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
