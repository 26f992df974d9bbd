//! Reading from and writing to the terminal: fitted to its width, through a pager where it is long, with a progress bar where it
//! takes long.

pub mod consent;

use std::ffi::OsStr;
use std::io::{
    BufRead as _, ErrorKind, IsTerminal as _, Seek as _, SeekFrom, Write as _, stderr, stdout,
};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;
use std::{env, iter, thread};

use indicatif::{ProgressBar, ProgressStyle};
pub use plantune_domain::sanitize::block as sanitized;
use plantune_ingest::Progress;
use plantune_reports::text;
use plantune_reports::text::width;

use crate::environment;
use crate::failure::Failure;
use crate::started_by::typed;
use plantune_settings::programs::in_path;

/// `path` for a terminal.
pub(crate) fn path(path: &Path) -> String {
    sanitized(&path.display().to_string())
}

/// Writes `text` for a person to standard output, as the terminal can show it.
///
/// # Errors
/// The errors of [`print_exactly`].
pub fn print(text: &str) -> Result<(), Failure> {
    print_exactly(&fitted(&typed(text), stdout().is_terminal()))
}

/// Whether standard error gets errors alone (`--quiet`).
static IS_QUIET: AtomicBool = AtomicBool::new(false);

/// Leaves standard error to errors from here on.
pub(crate) fn be_quiet() {
    IS_QUIET.store(true, Ordering::Relaxed);
}

/// True when standard error gets errors alone.
pub(crate) fn is_quiet() -> bool {
    IS_QUIET.load(Ordering::Relaxed)
}

/// Writes `text` for a person to standard error, as the terminal can show it; nothing under `--quiet`.
pub fn say(text: &str) {
    if !is_quiet() {
        complain(text);
    }
}

/// Writes `text`, an error, to standard error, as the terminal can show it.
pub(crate) fn complain(text: &str) {
    let text = fitted(&typed(text), stderr().is_terminal());
    // Where that cannot be written, there is nobody to read it.
    let _ = stderr().write_all(text.as_bytes());
}

/// Asks `prompt` on the terminal and returns the answer in lower case; `None` at the end of input.
///
/// # Errors
/// When the terminal cannot be read.
pub(crate) fn ask(prompt: &str) -> Result<Option<String>, Failure> {
    let answer = ask_exactly(prompt)?;
    Ok(answer.map(|answer| answer.to_ascii_lowercase()))
}

/// Asks `prompt` on the terminal and returns the answer as it was typed; `None` at the end of input. What was typed
/// before the question was on screen answers nothing, so it is discarded.
///
/// # Errors
/// When the terminal cannot be read.
pub(crate) fn ask_exactly(prompt: &str) -> Result<Option<String>, Failure> {
    environment::discard_typed()?;
    write!(stderr(), "{} ", fitted(prompt, stderr().is_terminal()))?;
    stderr().flush()?;
    let mut answer = String::new();
    let read = std::io::stdin().lock().read_line(&mut answer)?;
    Ok((read > 0).then(|| answer.trim().to_owned()))
}

// Text as the terminal can show it: in as many columns as there are.

/// From how many columns on long lines are left as they are for a file or a pipe: a script can then find words in them.
const WIDE: usize = 80;

/// How much further to the right a line goes on.
const HANG: &str = "  ";

/// `text` with ordinary spaces, and with lines broken that are wider than a terminal, or than a narrow place.
fn fitted(text: &str, is_terminal: bool) -> String {
    let columns = environment::columns();
    text::with_plain_spaces(&match is_terminal || columns < WIDE {
        true => fit(text, columns),
        false => text.to_owned(),
    })
}

fn fit(text: &str, columns: usize) -> String {
    let mut fitted = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let (line, end) = match line.strip_suffix('\n') {
            Some(line) => (line, "\n"),
            None => (line, ""),
        };
        if visible_width(line) > columns {
            fitted.push_str(&broken(line, columns));
        } else {
            fitted.push_str(line);
        }
        fitted.push_str(end);
    }
    fitted
}

/// `line` in several lines of at most `columns` columns, broken at spaces. A longer word, such as a path, stands whole on
/// a line of its own, and so does a command in backquotes where a line has room for it: they can be copied.
fn broken(line: &str, columns: usize) -> String {
    let text = line.trim_start_matches(' ');
    let indent = line.split_at(line.len() - text.len()).0;
    let room = columns.saturating_sub(indent.len() + HANG.len());
    let mut done = String::new();
    let mut current = indent.to_owned();
    let mut is_empty = true;
    for word in words(text, room) {
        let space = if is_empty { "" } else { " " };
        if !is_empty && visible_width(&current) + space.len() + visible_width(word) > columns {
            done.push_str(current.trim_end());
            done.push('\n');
            current = [indent, HANG].concat();
        } else {
            current.push_str(space);
        }
        current.push_str(word);
        is_empty = word.is_empty() && is_empty;
    }
    done + &current
}

/// The words of `text`; what stands in backquotes and is no wider than `room` is one of them.
fn words(text: &str, room: usize) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    iter::from_fn(move || {
        let text = rest?;
        let end_of = |word: &str| {
            text.get(word.len()..)?
                .find(' ')
                .map(|end| word.len() + end)
        };
        let first = text.split(' ').next().unwrap_or_default();
        let quoted = || {
            let (before, behind) = text.split_once('`')?;
            let command = behind.split_once('`')?.0;
            let end = before.len() + command.len() + 2;
            let is_in_first = before.len() < first.len() && end > first.len();
            text.get(..end)
                .filter(|quoted| is_in_first && visible_width(quoted) <= room)
        };
        let word = quoted().unwrap_or(first);
        let end = end_of(word).unwrap_or(text.len());
        rest = text.get(end + 1..);
        text.get(..end)
    })
}

/// The columns that `line` takes; colours take none.
fn visible_width(line: &str) -> usize {
    let mut visible = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, sequence)) = rest.split_once("\u{1b}[") {
        visible.push_str(before);
        rest = sequence.split_once('m').map_or("", |(_, after)| after);
    }
    visible.push_str(rest);
    width(&visible)
}

/// Writes `text` to standard output as it is. A reader that has gone away (`plantune … | head`) is no failure.
///
/// # Errors
/// When standard output cannot be written for another reason.
pub fn print_exactly(text: &str) -> Result<(), Failure> {
    let mut stdout = stdout().lock();
    match stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush())
    {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

// A document that is longer than the terminal is shown through a pager.

/// The pager where the person named none: it ends by itself on a short text, shows colours, and leaves
/// the text on the terminal.
const DEFAULT: &str = "less -FRX";

/// What is printed on standard output.
#[derive(Default)]
pub(crate) enum ScreenText {
    #[default]
    Nothing,
    /// For a person: fitted to the terminal.
    ForPeople(String),
    /// For programs: every byte as it is.
    Exact(String),
}

/// Writes the text of a verb's document to standard output, through a pager where `may_page`, a person reads it and it is
/// longer than the terminal. To be called last: the pager takes this process's place, so that it alone gets what the
/// person types. By then the store is closed and no lock is held, however long they read.
///
/// # Errors
/// When standard output cannot be written.
pub(crate) fn show(text: ScreenText, may_page: bool) -> Result<(), Failure> {
    let is_terminal = stdout().is_terminal();
    let text = match text {
        ScreenText::Nothing => return Ok(()),
        ScreenText::ForPeople(text) => fitted(&typed(&text), is_terminal),
        ScreenText::Exact(text) => text,
    };
    let is_dumb = env::var_os("TERM").is_some_and(|term| term == "dumb");
    let fits = rows().is_none_or(|rows| text.lines().count() < rows);
    if may_page && is_terminal && !is_dumb && !fits {
        let named = ["PLANTUNE_PAGER", "PAGER"].map(|name| env::var(name).ok());
        if let Some(pager) = chosen(named)
            && let Err(why) = replace_by(&pager, &text)
        {
            say(&format!("plantune: no pager: {why}\n"));
        }
    }
    print_exactly(&text)
}

/// The command line of the pager: the first variable that is set; `None` for an empty one and `cat`.
fn chosen(variables: [Option<String>; 2]) -> Option<String> {
    let named = variables.into_iter().flatten().next();
    let pager = named.unwrap_or_else(|| DEFAULT.to_owned());
    let pager = pager.trim();
    (!pager.is_empty() && pager != "cat").then(|| pager.to_owned())
}

/// Replaces this process by the pager, with `text` as its input. Returns only when that fails.
fn replace_by(pager: &str, text: &str) -> Result<(), String> {
    let program = pager.split_whitespace().next().unwrap_or_default();
    // The shell would say so after the text is gone.
    let is_name = |c: char| c.is_ascii_alphanumeric() || "._+-".contains(c);
    if program.chars().all(is_name) && in_path(program).is_none() {
        return match pager {
            DEFAULT => Ok(()),
            _ => Err(format!("{} is not in PATH", sanitized(program))),
        };
    }
    // A file without a name, not a pipe: after this process was replaced, nobody could fill the pipe.
    let mut input = tempfile::tempfile().map_err(|error| error.to_string())?;
    input
        .write_all(text.as_bytes())
        .and_then(|()| input.seek(SeekFrom::Start(0)))
        .map_err(|error| error.to_string())?;
    let mut command = Command::new("/bin/sh");
    command.args([OsStr::new("-c"), OsStr::new(pager)]);
    command.stdin(Stdio::from(input));
    Err(command.exec().to_string())
}

/// How many lines the terminal has, if it says so.
pub(crate) fn rows() -> Option<usize> {
    let (_, height) = terminal_size::terminal_size()?;
    Some(usize::from(height.0)).filter(|rows| *rows > 0)
}

// A progress bar for what takes longer than a second, where a terminal is there to show it.

/// How long nothing is shown.
const QUIET: Duration = Duration::from_secs(1);

/// How often the bar is drawn.
const TICK: Duration = Duration::from_millis(100);

/// A bar on standard error that appears late, drawn by a thread of its own; gone when dropped.
pub(crate) struct Bar {
    drawing: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Bar {
    /// Shows `progress`; nothing where standard error is no terminal, or under `--quiet`.
    pub(crate) fn watch(progress: &Progress) -> Self {
        let drawing = (stderr().is_terminal() && !is_quiet()).then(|| {
            let (end, ended) = channel();
            let progress = progress.clone();
            (end, thread::spawn(move || draw(&progress, &ended)))
        });
        Self { drawing }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if let Some((end, thread)) = self.drawing.take() {
            drop(end);
            // A panic of the drawing thread is no reason to fail.
            let _ = thread.join();
        }
    }
}

/// Does `work`, and names it as `step` where it takes long.
pub(crate) fn while_showing<T>(step: &'static str, work: impl FnOnce() -> T) -> T {
    let _bar = Bar::watch(&Progress::of(step));
    work()
}

fn draw(progress: &Progress, ended: &Receiver<()>) {
    let goes_on = |wait| ended.recv_timeout(wait) == Err(RecvTimeoutError::Timeout);
    if !goes_on(QUIET) {
        return;
    }
    let mut is_going_on = true;
    while is_going_on {
        let shown = (progress.step(), progress.total());
        let bar = bar(shown);
        while is_going_on && (progress.step(), progress.total()) == shown {
            bar.set_position(progress.done());
            if shown.1 == 0 {
                bar.tick();
            }
            is_going_on = goes_on(TICK);
        }
        bar.finish_and_clear();
    }
}

/// The bar of a step that reads `total` bytes. One that reads nothing has no share of it to show.
fn bar((step, total): (&'static str, u64)) -> ProgressBar {
    let (bar, template) = match total {
        0 => (ProgressBar::no_length(), "{msg} ({elapsed})"),
        _ => (
            ProgressBar::new(total),
            "{msg} {wide_bar} {bytes}/{total_bytes}",
        ),
    };
    let style = ProgressStyle::with_template(template);
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        .with_message(step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_from_outside_cannot_steer_the_terminal() {
        assert_eq!(
            sanitized("a\u{1b}]0;x\u{7}\r\n\tb\u{9b}c\u{202e}d\u{200b}e"),
            "a�]0;x�\n\tb�c�d�e"
        );
    }

    #[test]
    fn long_lines_are_broken_where_there_is_little_room() {
        let text = "plantune: one two three four\n  hint: five six seven eight\nshort\n";
        insta::assert_snapshot!(fit(text, 16), @r"
        plantune: one
          two three four
          hint: five six
            seven eight
        short
        ");
        assert_eq!(fit(text, 80), text);
        let coloured = "\u{1b}[32mok\u{1b}[0m       one two";
        assert_eq!(fit(coloured, 16), coloured);
    }

    #[test]
    fn no_line_breaks_within_a_path_or_a_command() {
        let path = "/a/path/that/is/longer/than/a/line";
        assert_eq!(fit(path, 16), path);
        insta::assert_snapshot!(fit("kept /a/path/that/is/longer, because it is used\n", 16), @r"
        kept
          /a/path/that/is/longer,
          because it is
          used
        ");
        insta::assert_snapshot!(fit("note: run `plantune on` now, or `plantune report --all` later", 26), @r"
        note: run `plantune on`
          now, or
          `plantune report --all`
          later
        ");
        assert_eq!(fit("one ` two three four", 9), "one ` two\n  three\n  four");
    }

    #[test]
    fn the_nearest_variable_counts() {
        let set = |name: &str| Some(name.to_owned());
        assert_eq!(chosen([None, None]).as_deref(), Some(DEFAULT));
        assert_eq!(chosen([None, set("more")]).as_deref(), Some("more"));
        assert_eq!(
            chosen([set(" most -s "), set("more")]).as_deref(),
            Some("most -s")
        );
        assert_eq!(chosen([set(""), set("more")]), None);
        assert_eq!(chosen([None, set("cat")]), None);
    }
}
