//! The findings as a person or a script reads them.

use std::fmt::Write as _;

use serde::Serialize;

use super::check::{Check, Status};
use crate::failure::Failure;

/// Columns of the mark and the space behind it.
const MARK: usize = 9;

/// One line a finding: mark, name, message; what to do is indented below.
pub(super) fn text(checks: &[Check], colour: bool) -> String {
    checks.iter().fold(String::new(), |mut out, check| {
        let (mark, code) = mark(check.status);
        let space = " ".repeat(MARK - mark.len());
        let mark = if colour {
            format!("\u{1b}[{code}m{mark}\u{1b}[0m")
        } else {
            mark.to_owned()
        };
        let name = check.name.replace('_', " ");
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{mark}{space}{name}: {}", check.message);
        for line in check.remedy.iter().flat_map(|remedy| remedy.lines()) {
            let _ = writeln!(out, "{:MARK$}{line}", "");
        }
        out
    })
}

fn mark(status: Status) -> (&'static str, &'static str) {
    match status {
        Status::Ok => ("ok", "32"),
        Status::Note => ("note", "36"),
        Status::Warning => ("warning", "33"),
        Status::Failed => ("FAILED", "1;31"),
    }
}

/// The findings as JSON, schema 1.
///
/// # Errors
/// None is known for these types.
pub(super) fn json(checks: &[Check]) -> Result<String, Failure> {
    #[derive(Serialize)]
    struct Document<'a> {
        schema_version: u32,
        checks: &'a [Check],
    }
    let document = Document {
        schema_version: 1,
        checks,
    };
    let text = serde_json::to_string_pretty(&document)?;
    Ok(text + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checks() -> [Check; 3] {
        [
            Check::ok("hook_binary", "/opt/plantune-hook"),
            Check::note("store", "there is none yet").remedy("run `plantune import claude-code`"),
            Check::failed("spool", "unreadable")
                .remedy("one")
                .remedy("two"),
        ]
    }

    #[test]
    fn marks_can_be_read_without_colour() {
        insta::assert_snapshot!(text(&checks(), false), @r"
        ok       hook binary: /opt/plantune-hook
        note     store: there is none yet
                 run `plantune import claude-code`
        FAILED   spool: unreadable
                 one
                 two
        ");
        assert!(text(&checks(), true).contains("\u{1b}[1;31mFAILED\u{1b}[0m   spool"));
    }

    #[test]
    fn json_for_scripts() {
        let value: serde_json::Value = serde_json::from_str(&json(&checks()).unwrap()).unwrap();
        assert_eq!(value["schema_version"], 1);
        assert_eq!(value["checks"][0]["status"], "ok");
        assert_eq!(value["checks"][0]["remedy"], serde_json::Value::Null);
        assert_eq!(value["checks"][2]["remedy"], "one\ntwo");
    }
}
