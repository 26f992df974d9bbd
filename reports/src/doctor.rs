//! What `doctor` found, for a terminal and for scripts.

use serde::Serialize;

use crate::terminal::{CYAN, GREEN, RED, Show, Terminal, YELLOW, styled};
use crate::text::{clean, hanging, unbroken};

/// How grave a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
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
pub struct Finding {
    /// The name of the check; stable, for scripts.
    pub name: &'static str,
    /// How grave it is.
    pub status: Status,
    /// The fact, in one line that is sanitized for a terminal.
    pub message: String,
    /// The remedy, one or more lines, likewise.
    pub remedy: Option<String>,
}

/// What all checks found, in their order. Serialised, it is the document of `doctor --json`.
#[derive(Debug, Default, Serialize)]
pub struct DoctorFindings {
    /// The check at work.
    #[serde(skip)]
    pub name: &'static str,
    /// The findings.
    pub checks: Vec<Finding>,
}

impl DoctorFindings {
    /// Adds a finding of the check at work and returns it; `message` may hold untrusted text.
    pub fn add(&mut self, status: Status, message: impl AsRef<str>) -> &mut Finding {
        self.checks.push_mut(Finding {
            name: self.name,
            status,
            message: clean(message.as_ref()),
            remedy: None,
        })
    }

    /// Adds that all is well; `message` may hold untrusted text.
    pub fn ok(&mut self, message: impl AsRef<str>) {
        self.add(Status::Ok, message);
    }
}

impl Finding {
    /// Adds a line of what to do, which may hold untrusted text.
    pub fn remedy(&mut self, line: impl AsRef<str>) -> &mut Self {
        let line = clean(line.as_ref());
        self.remedy = Some(match self.remedy.take() {
            Some(lines) => format!("{lines}\n{line}"),
            None => line,
        });
        self
    }
}

/// Where a line goes on that is too long for the terminal: behind the mark and a little further in.
const FURTHER: &str = "           ";

impl Show for DoctorFindings {
    fn show(&self, out: &mut Terminal) {
        for check in &self.checks {
            let (mark, style) = match check.status {
                Status::Ok => ("ok", GREEN),
                Status::Note => ("note", CYAN),
                Status::Warning => ("warning", YELLOW),
                Status::Failed => ("FAILED", RED),
            };
            let text = format!("{}: {}", check.name.replace('_', " "), check.message);
            let text = hanging(&format!("{mark:9}"), FURTHER, &unbroken(&text), out.width);
            let marked = styled(mark, style, out.colour);
            out.line(text.trim_end().replacen(mark, &marked, 1));
            for line in check.remedy.iter().flat_map(|remedy| remedy.lines()) {
                out.hanging("         ", FURTHER, unbroken(line));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::json_document;

    fn findings() -> DoctorFindings {
        let mut found = DoctorFindings {
            name: "hook_binary",
            ..DoctorFindings::default()
        };
        found.ok("/opt/plantune-hook");
        found.name = "store";
        let store = found.add(Status::Note, "there is none yet");
        store.remedy("run `plantune import claude-code`");
        found.name = "spool";
        let spool = found.add(Status::Failed, "unreadable");
        spool.remedy("one").remedy("two");
        found
    }

    fn shown(findings: &DoctorFindings, width: usize, colour: bool) -> String {
        let mut out = Terminal::new(width, colour);
        findings.show(&mut out);
        out.into_text()
    }

    #[test]
    fn findings_are_sanitized() {
        let mut found = DoctorFindings::default();
        let finding = found.add(Status::Failed, "a\u{1b}[31m\nb\u{202e}");
        finding.remedy("x\u{7}").remedy("y");
        assert_eq!(found.checks[0].message, "a b");
        assert_eq!(found.checks[0].remedy.as_deref(), Some("x\ny"));
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
        let mut findings = DoctorFindings {
            name: "spool",
            ..DoctorFindings::default()
        };
        findings
            .add(
                Status::Warning,
                format!("{path} cannot be read: it is locked"),
            )
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
                         a ` alone begins no command,
                           so lines end at spaces
                ");
            }
        }
    }

    #[test]
    fn json_for_scripts() {
        let json = json_document(&findings()).unwrap();
        let value: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(value["schema_version"], 1);
        assert_eq!(value["checks"][0]["status"], "ok");
        assert_eq!(value["checks"][0]["remedy"], serde_json::Value::Null);
        assert_eq!(value["checks"][2]["remedy"], "one\ntwo");
    }
}
