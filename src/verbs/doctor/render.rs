//! The findings as a person or a script reads them.

use plantune_reports::terminal::{CYAN, GREEN, RED, Show, Style, Terminal, YELLOW, styled};
use plantune_reports::text::width;

use super::check::{Findings, Status};

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
pub(super) fn text(findings: &Findings) -> String {
    let mut out = Terminal::new(usize::MAX, false);
    findings.show(&mut out);
    out.into_text()
}

#[cfg(test)]
mod tests {
    use plantune_reports::text;

    use super::*;

    fn findings() -> Findings {
        let mut found = Findings::default();
        found.ok("hook_binary", "/opt/plantune-hook");
        let store = found.note("store", "there is none yet");
        store.remedy("run `plantune import claude-code`");
        let spool = found.failed("spool", "unreadable");
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
        let mut findings = Findings::default();
        findings
            .warning("spool", format!("{path} cannot be read: it is locked"))
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
        let json = text::document(&findings()).unwrap();
        let value: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(value["schema_version"], 1);
        assert_eq!(value["checks"][0]["status"], "ok");
        assert_eq!(value["checks"][0]["remedy"], serde_json::Value::Null);
        assert_eq!(value["checks"][2]["remedy"], "one\ntwo");
    }
}
