//! The findings as a person or a script reads them.

use std::io::{self, Write};

use plantune_reports::Format;
use plantune_reports::text::width;
use serde::Serialize;

use super::check::{Check, Status};

/// Columns of the mark and the space behind it.
const MARK: usize = 9;

/// Where a line goes on that is too long for the terminal.
const FURTHER: usize = MARK + 2;

/// The findings. Serialised, they are the document of `doctor --json`.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Findings {
    schema_version: u32,
    pub(super) checks: Vec<Check>,
}

impl From<Vec<Check>> for Findings {
    fn from(checks: Vec<Check>) -> Self {
        Self {
            schema_version: 1,
            checks,
        }
    }
}

/// One line a finding: mark, name, message; what to do is indented below. Lines are no wider than `width`, but
/// for what is to be copied.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terminal {
    pub(super) width: usize,
    pub(super) colour: bool,
}

impl Format<Findings> for Terminal {
    fn write(&self, findings: &Findings, out: &mut dyn Write) -> io::Result<()> {
        for check in &findings.checks {
            let (mark, code) = mark(check.status);
            let space = " ".repeat(MARK - mark.len());
            let mark = if self.colour {
                format!("\u{1b}[{code}m{mark}\u{1b}[0m")
            } else {
                mark.to_owned()
            };
            let name = check.name.replace('_', " ");
            let message = wrapped(&format!("{name}: {}", check.message), self.width);
            writeln!(out, "{mark}{space}{message}")?;
            for line in check.remedy.iter().flat_map(|remedy| remedy.lines()) {
                writeln!(out, "{:MARK$}{}", "", wrapped(line, self.width))?;
            }
        }
        Ok(())
    }
}

fn mark(status: Status) -> (&'static str, &'static str) {
    match status {
        Status::Ok => ("ok", "32"),
        Status::Note => ("note", "36"),
        Status::Warning => ("warning", "33"),
        Status::Failed => ("FAILED", "1;31"),
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

/// `checks` for a terminal that has room for every line.
#[cfg(test)]
pub(super) fn text(checks: &[Check]) -> String {
    let terminal = Terminal {
        width: usize::MAX,
        colour: false,
    };
    let mut out = Vec::new();
    let written = terminal.write(&checks.to_vec().into(), &mut out);
    assert!(written.is_ok());
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use plantune_reports::json::Json;

    use super::*;

    fn findings() -> Findings {
        let checks = vec![
            Check::ok("hook_binary", "/opt/plantune-hook"),
            Check::note("store", "there is none yet").remedy("run `plantune import claude-code`"),
            Check::failed("spool", "unreadable")
                .remedy("one")
                .remedy("two"),
        ];
        checks.into()
    }

    fn shown(findings: &Findings, width: usize, colour: bool) -> String {
        let mut out = Vec::new();
        Terminal { width, colour }
            .write(findings, &mut out)
            .unwrap();
        String::from_utf8(out).unwrap()
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
        assert!(shown(&findings(), 80, true).contains("\u{1b}[1;31mFAILED\u{1b}[0m   spool"));
    }

    #[test]
    fn lines_end_at_spaces_and_never_within_a_command_or_a_path() {
        let path = "/a/path/that/is/longer/than/a/line";
        let findings = Findings::from(vec![
            Check::warning("spool", format!("{path} cannot be read: it is locked"))
                .remedy("close what reads it, then run `plantune ingest --rebuild` once more")
                .remedy("a ` alone begins no command, so lines end at spaces"),
        ]);
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
        let mut out = Vec::new();
        Json.write(&findings(), &mut out).unwrap();
        let value: serde_json::Value = serde_json::from_slice(&out).unwrap();
        assert_eq!(value["schema_version"], 1);
        assert_eq!(value["checks"][0]["status"], "ok");
        assert_eq!(value["checks"][0]["remedy"], serde_json::Value::Null);
        assert_eq!(value["checks"][2]["remedy"], "one\ntwo");
    }
}
