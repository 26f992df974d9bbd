//! `plantune doctor`: whether everything works, and how to fix what does not.
//!
//! A check changes, loads and migrates nothing; `--fix` repairs before the checks. What has to be tried out is tried in
//! folders of its own.

mod agents;
mod fix;
mod folders;
mod hook;
mod preferences;
mod registration;
mod spool;
mod store;

use std::io;
use std::path::Path;

use clap::Args;
use plantune_query::Error;
use plantune_query::health::{Contents, Health, health};
use plantune_reports::terminal::{CYAN, GREEN, RED, Show, Style, Terminal, YELLOW, styled};
use plantune_reports::text::{clean, shell_word, width};
use plantune_settings::installed_hook::InstalledHook;
use serde::Serialize;

use crate::document::Document;
use crate::failure::Failure;
use crate::session::Session;
use crate::terminal::consent;
use hook::FoundHook;
use registration::Settings;
use spool::Segment;

/// Looks at something and adds what it finds.
type Look = fn(&Seen<'_>, &mut Findings);

/// Repairs something, after asking unless the first argument is true.
type Fix = fn(bool, &Session) -> Result<(), Failure>;

/// A check: what its lines are called, what looks, and what `--fix` does where that is one action.
type Check = (&'static str, Look, Option<Fix>);

/// The checks of the hook, and of who calls it, in the order in which they are made.
const CHECKS: [Check; 8] = [
    ("hook", hook::check_hook, Some(fix::repair_hook)),
    ("hook_release", hook::check_release, None),
    ("hook_place", hook::check_place, None),
    ("registration", registration::check, None),
    ("other_hooks", registration::conflicting_hooks, None),
    ("claude_code", agents::check_claude_code, None),
    ("agents", agents::check_agents, Some(agents::repair)),
    ("roots", folders::check_roots, None),
];

/// Those of what lies in plantune's folders. They are left where a repository may have brought these.
const IN_FOLDERS: [Check; 14] = [
    ("folders", folders::check_folders, Some(folders::close)),
    ("free_space", folders::check_space, None),
    ("spool", spool::check_spool, None),
    ("missing_segments", store::check_segments, None),
    ("store", store::check_store, None),
    ("last_event", store::check_silence, None),
    (
        "quarantine",
        spool::check_quarantine,
        Some(fix::read_log_again),
    ),
    ("permissions", store::check_permissions, None),
    ("tables", store::check_deep, None),
    ("config", preferences::check_config, None),
    ("registry", preferences::check_registry, None),
    ("deciding", preferences::check_deciding, None),
    ("away", preferences::check_away, None),
    ("preferences", preferences::check_preferences, None),
];

/// The state that the checks look at.
struct Seen<'a> {
    session: &'a Session,
    settings: Settings,
    hooks: Vec<FoundHook>,
    /// The segments of the log, or why they cannot be listed.
    segments: io::Result<Vec<Segment>>,
    /// How the store is, or why it cannot be read.
    health: Result<Health, Error>,
    /// True where the store is to be computed again and compared.
    is_deep: bool,
}

/// Check that everything works, and repair what doesn't
///
/// Checks the hook, the agents' settings, plantune's files and the store. Without --fix, it changes nothing. Exits with 1
/// if a check fails.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plantune doctor --fix                           repair what it can
  plantune doctor --quarantine
      lines of the log that could not be read
  plantune doctor
      what is wrong, and how to repair it
  plantune doctor --deep --json
      with the whole log read, for scripts")]
pub(crate) struct Arguments {
    /// Write JSON, for scripts
    #[arg(long)]
    json: bool,
    /// Also compare the store with the whole log; this takes as long as computing it again
    #[arg(long)]
    deep: bool,
    /// Repair first: update the hook and the agents' settings (after asking), close plantune's folders to others, and read
    /// the log again
    #[arg(long, conflicts_with = "json")]
    fix: bool,
    /// Show the lines of the log that could not be read, instead of checking
    #[arg(long, conflicts_with_all = ["fix", "deep"])]
    quarantine: bool,
    /// Don't ask before repairing
    #[arg(short, long, requires = "fix")]
    yes: bool,
}

/// The command that repairs, for who cannot be asked.
const COMMAND: &str = "plantune doctor --fix";

/// How many lines in quarantine a terminal gets.
const LISTED: u32 = 20;

/// Checks everything and writes what was found to standard output.
///
/// # Errors
/// Failed (exit code 1) when a check failed, or standard output cannot be written.
pub(crate) fn run(arguments: &Arguments, session: &Session) -> Result<Document, Failure> {
    if arguments.quarantine {
        session.check_roots()?;
        let limit = (!arguments.json).then_some(LISTED);
        let found = session.ask(|store| store.quarantine(limit))?;
        return Document::of(&found, arguments.json, session);
    }
    if arguments.fix {
        // What is copied is asked about only where settings change with it.
        consent::is_person(session, COMMAND)?;
        session.check_roots()?;
        for (_, _, fix) in CHECKS.into_iter().chain(IN_FOLDERS) {
            fix.map_or(Ok(()), |fix| fix(arguments.yes, session))?;
        }
    }
    let findings = check_all(session, arguments.deep);
    let document = Document::of(&findings, arguments.json, session)?;
    let has_failed = |check: &&Finding| check.status == Status::Failed;
    match findings.checks.iter().filter(has_failed).count() {
        0 => Ok(document),
        1 => Ok(document.but(Failure::failed("one check failed"))),
        failed => Ok(document.but(Failure::failed(format!("{failed} checks failed")))),
    }
}

fn check_all(session: &Session, is_deep: bool) -> Findings {
    let settings = registration::read(session);
    let seen = Seen {
        session,
        hooks: hook::find(&settings, &InstalledHook::of(&session.paths)),
        settings,
        segments: spool::segments(&session.paths.events()),
        health: health(&session.paths.store(), spool::SHOWN),
        is_deep,
    };
    let in_folders = IN_FOLDERS.into_iter();
    let in_folders = in_folders.filter(|_| session.refusal().is_none());
    let mut found = Findings::default();
    for (name, look, _) in CHECKS.into_iter().chain(in_folders) {
        found.name = name;
        look(&seen, &mut found);
    }
    found
}

// What the checks find.

/// How grave it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Status {
    /// As it should be.
    Ok,
    /// Worth knowing.
    Note,
    /// Works, though not as well as it could.
    Warning,
    /// Does not work.
    Failed,
}

/// One finding. Several findings of one check have one name.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Finding {
    /// The name of the check; stable, for scripts.
    name: &'static str,
    status: Status,
    /// The fact, in one line that is sanitized for a terminal.
    message: String,
    /// The remedy, one or more lines, likewise.
    remedy: Option<String>,
}

/// What all checks found, in their order. Serialised, it is the document of `doctor --json`.
#[derive(Debug, Default, Serialize)]
struct Findings {
    /// The check at work.
    #[serde(skip)]
    name: &'static str,
    checks: Vec<Finding>,
}

impl Seen<'_> {
    /// The contents of the store, where it can be read.
    fn contents(&self) -> Option<&Contents> {
        self.health.as_ref().ok()?.contents.as_ref()
    }
}

impl Findings {
    /// No findings yet, of the check `name`.
    #[cfg(test)]
    fn of(name: &'static str) -> Self {
        Self {
            name,
            ..Self::default()
        }
    }

    /// Adds a finding and returns it; `message` may hold untrusted text.
    fn add(&mut self, status: Status, message: impl AsRef<str>) -> &mut Finding {
        self.checks.push_mut(Finding {
            name: self.name,
            status,
            message: clean(message.as_ref()),
            remedy: None,
        })
    }

    fn ok(&mut self, message: impl AsRef<str>) {
        self.add(Status::Ok, message);
    }

    fn note(&mut self, message: impl AsRef<str>) -> &mut Finding {
        self.add(Status::Note, message)
    }

    fn warning(&mut self, message: impl AsRef<str>) -> &mut Finding {
        self.add(Status::Warning, message)
    }

    fn failed(&mut self, message: impl AsRef<str>) -> &mut Finding {
        self.add(Status::Failed, message)
    }

    /// Adds that the check failed, with what `failure` says.
    fn failure(&mut self, failure: &Failure) -> &mut Finding {
        let found = self.failed(failure.message());
        failure.hints().iter().fold(found, Finding::remedy)
    }
}

impl Finding {
    /// Adds a line of what to do.
    fn remedy(&mut self, line: impl AsRef<str>) -> &mut Self {
        let line = clean(line.as_ref());
        self.remedy = Some(match self.remedy.take() {
            Some(lines) => format!("{lines}\n{line}"),
            None => line,
        });
        self
    }
}

/// `path` as a word of a shell command.
fn word(path: &Path) -> String {
    shell_word(&path.to_string_lossy())
}

/// The first and the last line of a message that draws its place in the file between them.
fn shortened(message: &str) -> String {
    let mut lines = message.lines().filter(|line| !line.trim().is_empty());
    match (lines.next(), lines.next_back()) {
        (Some(first), Some(last)) => format!("{first}: {last}"),
        (Some(only), None) => only.to_owned(),
        _ => String::new(),
    }
}

// The findings as a person or a script reads them.

/// Columns of the mark and the space behind it.
const MARK: usize = 9;

/// Where a line goes on that is too long for the terminal.
const FURTHER: usize = MARK + 2;

impl Show for Findings {
    fn show(&self, out: &mut Terminal) {
        for check in &self.checks {
            let (mark, style) = mark(check.status);
            let space = " ".repeat(MARK - mark.len());
            let name = check.name.replace('_', " ");
            let message = wrapped(&format!("{name}: {}", check.message), out.width);
            out.line(format!(
                "{}{space}{message}",
                styled(mark, style, out.colour)
            ));
            for line in check.remedy.iter().flat_map(|remedy| remedy.lines()) {
                out.line(format!("{:MARK$}{}", "", wrapped(line, out.width)));
            }
        }
    }
}

fn mark(status: Status) -> (&'static str, Style) {
    match status {
        Status::Ok => ("ok", GREEN),
        Status::Note => ("note", CYAN),
        Status::Warning => ("warning", YELLOW),
        Status::Failed => ("FAILED", RED),
    }
}

/// `text` from the column [`MARK`] on, in lines of at most `columns` columns; the others stand a little further in.
fn wrapped(text: &str, columns: usize) -> String {
    let mut wrapped = String::with_capacity(text.len());
    let mut column = MARK;
    for (number, word) in words(text).into_iter().enumerate() {
        if number > 0 && column + 1 + width(word) > columns {
            wrapped += &format!("\n{:FURTHER$}", "");
            column = FURTHER;
        } else if number > 0 {
            wrapped.push(' ');
            column += 1;
        }
        wrapped += word;
        column += width(word);
    }
    wrapped
}

/// What no line ends within: a command in backticks can be copied whole, and so can a path.
fn words(text: &str) -> Vec<&str> {
    let has_commands = text.matches('`').count().is_multiple_of(2);
    let mut is_command = false;
    let ends = |c: char| {
        is_command ^= has_commands && c == '`';
        c == ' ' && !is_command
    };
    text.split(ends).collect()
}

/// `findings` for a terminal that has room for every line.
#[cfg(test)]
fn text(findings: &Findings) -> String {
    let mut out = Terminal::new(usize::MAX, false);
    findings.show(&mut out);
    out.into_text()
}

#[cfg(test)]
mod tests {
    use super::*;
    use plantune_reports::text;

    #[test]
    fn findings_are_sanitized() {
        let mut found = Findings::default();
        found
            .failed("a\u{1b}[31m\nb\u{202e}")
            .remedy("x\u{7}")
            .remedy("y");
        assert_eq!(found.checks[0].message, "a b");
        assert_eq!(found.checks[0].remedy.as_deref(), Some("x\ny"));
    }

    #[test]
    fn a_drawn_message_on_one_line() {
        let drawn = "/c.toml: TOML parse error at line 1, column 5\n  |\n1 | x = \n  |     ^\nstring values must be quoted\n";
        assert_eq!(
            shortened(drawn),
            "/c.toml: TOML parse error at line 1, column 5: string values must be quoted"
        );
        assert_eq!(shortened("one"), "one");
        assert_eq!(shortened(""), "");
    }

    fn findings() -> Findings {
        let mut found = Findings::of("hook_binary");
        found.ok("/opt/plantune-hook");
        found.name = "store";
        let store = found.note("there is none yet");
        store.remedy("run `plantune import claude-code`");
        found.name = "spool";
        let spool = found.failed("unreadable");
        spool.remedy("one").remedy("two");
        found
    }

    fn shown(findings: &Findings, width: usize, colour: bool) -> String {
        let mut out = Terminal::new(width, colour);
        findings.show(&mut out);
        out.into_text()
    }

    #[test]
    fn marks_can_be_read_without_colour() {
        insta::assert_snapshot!(shown(&findings(), 80, false), @r"
        ok       hook binary: /opt/plantune-hook
        note     store: there is none yet
                 run `plantune import claude-code`
        FAILED   spool: unreadable
                 one
                 two
        ");
        assert!(
            shown(&findings(), 80, true).contains("\u{1b}[1m\u{1b}[31mFAILED\u{1b}[0m   spool")
        );
    }

    #[test]
    fn lines_end_at_spaces_and_never_within_a_command_or_a_path() {
        let path = "/a/path/that/is/longer/than/a/line";
        let mut findings = Findings::of("spool");
        findings
            .warning(format!("{path} cannot be read: it is locked"))
            .remedy("close what reads it, then run `plantune ingest --rebuild` once more")
            .remedy("a ` alone begins no command, so lines end at spaces");
        for colour in [false, true] {
            let text =
                shown(&findings, 40, colour).replace("\u{1b}[33mwarning\u{1b}[0m", "warning");
            insta::allow_duplicates! {
                insta::assert_snapshot!(text, @r"
                warning  spool:
                           /a/path/that/is/longer/than/a/line
                           cannot be read: it is locked
                         close what reads it, then run
                           `plantune ingest --rebuild`
                           once more
                         a ` alone begins no command, so
                           lines end at spaces
                ");
            }
        }
    }

    #[test]
    fn json_for_scripts() {
        let json = text::json_document(&findings()).unwrap();
        let value: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(value["schema_version"], 1);
        assert_eq!(value["checks"][0]["status"], "ok");
        assert_eq!(value["checks"][0]["remedy"], serde_json::Value::Null);
        assert_eq!(value["checks"][2]["remedy"], "one\ntwo");
    }
}
