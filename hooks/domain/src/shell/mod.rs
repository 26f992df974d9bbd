//! The judge of shell commands: which programs a line starts, how far each reaches, and why.
//!
//! A pure function of text: nothing is looked up, run or expanded, and nothing unknown counts as harmless.
//! [`parser`] reads the line, [`programs`] has the facts about programs, and [`judge`] and [`rows`] combine them.

mod call;
mod judge;
mod operand;
mod parser;
mod programs;
mod rows;
mod scripts;
mod starters;

use self::judge::Judged;
use operand::{Place, is_output, is_temporary, names_a_system_path, reach_of_text, shown, written};
use parser::{Join, Simple, Word};
use programs::is_harmless_setting;

use crate::permissions::{OwnReaches, Reach};
use crate::sanitize::is_dangerous;

pub(crate) use self::judge::of_line as subject_of_line;
pub(crate) use self::rows::writes as sql_writes;
pub(crate) use operand::is_secret;
pub(crate) use programs::is_program;

/// The longest line that is judged, in bytes.
const LONGEST: usize = 16_384;

/// The most commands in one line that get rules.
const MOST: usize = 32;

/// One simple command of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SimpleCommand {
    /// Its words as written, with quotes but without redirections. Variables set for it come first.
    pub words: Vec<String>,
    /// The number of leading `words` that are variables, wrappers, program, subcommand and fixed flags. Only the words
    /// after them vary.
    pub fixed: usize,
    /// The number of leading `words` that are variables and wrappers that the host may ignore; 0 if one of them changes
    /// more than the output.
    pub lead: usize,
    /// The subject. Commands with the same subject are the same.
    pub subject: String,
    /// How far it reaches.
    pub reach: Reach,
    /// Why it reaches this far, in words; empty if the rows allow it.
    pub reason: String,
    /// True for a `cd` inside the project, which needs no rule.
    pub is_aside: bool,
    /// The folder below the project where it runs; empty for the project's own.
    pub folder: String,
    /// True if its output goes to a file. The host then asks regardless of rules.
    pub writes_file: bool,
    /// True if that file is outside the project or may be secret.
    pub writes_outside: bool,
    /// How it follows the one before: empty, `;`, `&&`, `||` or `|`.
    pub join: &'static str,
}

impl SimpleCommand {
    /// The command in the form that the host compares with rules.
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

/// The judgement of a line.
pub struct Line {
    /// Its simple commands, in order. Commands of a loop appear once for each value.
    pub commands: Vec<SimpleCommand>,
    /// True if the host certainly reads it as these commands: no expansions, substitutions, groups, loops or
    /// here-documents.
    pub is_plain: bool,
}

/// Judges `line`, run in the folder `cwd`, which counts as the project; `None` for a line that cannot be read.
///
/// `own` contains the reaches that the person set.
pub fn judge(line: &str, cwd: &str, own: &OwnReaches) -> Option<Line> {
    if line.len() > LONGEST || line.chars().any(is_odd) {
        return None;
    }
    judge_in(line, Place::new(cwd), own)
}

/// Judges `line`, run at `place`.
fn judge_in(line: &str, mut place: Place<'_>, own: &OwnReaches) -> Option<Line> {
    let reading = parser::read(line).filter(|reading| !reading.programs.is_empty())?;
    place.is_certain &= reading.is_plain;
    let programs = reading.programs.iter().enumerate();
    let commands = programs.map(|(at, simple)| {
        // Without `&&` before it, or in a pipe, it is not certain that the folder was entered.
        let is_behind = at == 0 || simple.join == Join::And || place.folder.is_empty();
        let next = reading.programs.get(at + 1).map(|next| next.join);
        let is_piped = simple.join == Join::Pipe || next == Some(Join::Pipe);
        let is_cd = simple.words.first().is_some_and(|word| word.text == "cd");
        place.is_certain &= is_behind && !(is_cd && is_piped);
        command(simple, at, line, &mut place, own)
    });
    Some(Line {
        commands: commands.collect(),
        is_plain: reading.is_plain,
    })
}

/// The simple commands of `line`, if the host certainly reads it as these.
pub fn parts(line: &str, cwd: &str, own: &OwnReaches) -> Option<Vec<SimpleCommand>> {
    let line = judge(line, cwd, own)?;
    (line.is_plain && line.commands.len() <= MOST).then_some(line.commands)
}

fn is_odd(c: char) -> bool {
    c.is_control() && !matches!(c, '\n' | '\t')
        || !c.is_ascii() && (c.is_whitespace() || is_dangerous(c))
}

fn command(
    simple: &Simple,
    at: usize,
    line: &str,
    place: &mut Place<'_>,
    own: &OwnReaches,
) -> SimpleCommand {
    let raw = |span: &std::ops::Range<usize>| line.get(span.clone()).unwrap_or_default().to_owned();
    let folder = place.folder.clone();
    let mut judged = judge::words(&simple.words, place, own);
    let has_bad_setting = settings(simple, &mut judged);
    for file in simple.reads.iter().filter(|file| file.text != "/dev/null") {
        if let Some(reason) = shown(file, place) {
            judged.raise(Reach::Beyond, || format!("reads {}: {reason}", file.text));
        }
    }
    let is_nowhere = |file: &&Word| {
        matches!(
            file.text.as_str(),
            "/dev/null" | "/dev/stdout" | "/dev/stderr"
        )
    };
    let (mut writes_file, mut writes_outside) = (false, false);
    let writes = simple.writes.iter().enumerate();
    for (at, file) in writes.filter(|(_, file)| !is_nowhere(file)) {
        writes_file = true;
        let is_lost = simple.truncates.get(at).is_some_and(|truncates| *truncates);
        if is_lost && !is_output(&file.text) {
            judged.raise(Reach::Beyond, || {
                format!("{} loses what it holds", file.text)
            });
        }
        writes_outside |= reach_of_text(&file.text, place.root).is_some();
        judged.raise(written(file, place), || format!("writes {}", file.text));
    }
    if writes_file {
        judged.subject.push_str(" >");
    }
    let program = simple.words.first().map_or("", |word| word.text.as_str());
    SimpleCommand {
        words: simple.spans.iter().map(raw).collect(),
        fixed: simple.assignments.len() + judged.fixed,
        lead: match has_bad_setting {
            true => 0,
            false => simple.assignments.len() + judged.wrapped,
        },
        subject: judged.subject,
        reach: judged.reach,
        reason: judged.reason,
        is_aside: program == "cd" && judged.reach == Reach::Reads,
        folder,
        writes_file: writes_file || program == "tee",
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

/// Judges the variables that are set for a program or for the following commands. True if one of them changes more than
/// the output.
fn settings(simple: &Simple, judged: &mut Judged) -> bool {
    let mut has_bad = false;
    for (name, value) in &simple.assignments {
        has_bad |= set(name, value, simple.words.is_empty(), judged);
    }
    has_bad
}

/// Judges one variable that is set; `is_alone` if it is set for the following commands. True if it changes more than
/// the output.
fn set(name: &str, value: &Word, is_alone: bool, judged: &mut Judged) -> bool {
    if is_harmless_setting(name, value) {
        return false;
    }
    // A shell variable of this line. Programs see only variables that were already in the environment.
    let is_own = is_alone && name.bytes().all(|byte| !byte.is_ascii_uppercase());
    // In zsh, `path` is `PATH`.
    if is_own && !name.contains("npm_") && !name.ends_with("_proxy") && !name.ends_with("path") {
        return true;
    }
    let text = value.text.as_str();
    let is_far = programs::decides_what_runs(name)
        || names_a_system_path(text) && !is_temporary(text)
        || reach_of_text(text, "").is_some()
        || rows::says_beyond(text);
    let reach = match is_far {
        true => Reach::Beyond,
        false => Reach::Unknown,
    };
    judged.raise(reach, || format!("sets {name}"));
    judged.subject.insert_str(0, &format!("{name}= "));
    true
}

#[cfg(test)]
mod second_parser_tests;
#[cfg(test)]
mod tests;
