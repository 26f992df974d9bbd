//! The lines in quarantine: the document, and a table for a terminal.

use plantune_domain::sanitize::visible;
use plantune_query::quarantine::{Line, Quarantine};
use serde::Serialize;

use crate::table::{Table, number, text};
use crate::terminal::{Show, Terminal};
use crate::text::cut;

/// How far the beginning of a line stands in from the margin.
const INDENT: usize = 2;

/// How much of a line is kept, in characters: more than any terminal has columns.
const MOST_EXCERPT: usize = 400;

/// What is in quarantine. Serialised, it is the document of `quarantine list --json`, `schema_version` 1.
#[derive(Clone, Debug, Serialize)]
pub struct Document<'a> {
    schema_version: u32,
    total: u64,
    lines: Vec<Row<'a>>,
}

#[derive(Clone, Debug, Serialize)]
struct Row<'a> {
    day: String,
    segment: &'a str,
    offset: u64,
    length: u64,
    reason: &'a str,
    excerpt: String,
}

impl<'a> From<&'a Quarantine> for Document<'a> {
    fn from(found: &'a Quarantine) -> Self {
        let row = |line: &'a Line| Row {
            day: line.day.to_string(),
            segment: &line.segment,
            offset: line.offset,
            length: line.length,
            reason: &line.reason,
            excerpt: visible(&line.start).chars().take(MOST_EXCERPT).collect(),
        };
        Self {
            schema_version: 1,
            total: found.total,
            lines: found.lines.iter().map(row).collect(),
        }
    }
}

impl Show for Document<'_> {
    fn show(&self, out: &mut Terminal) {
        if self.total == 0 {
            return out.line("The quarantine is empty: every line that was read is an event.");
        }
        let mut table = Table::of(&self.lines);
        table.add(text("day"), |line| &*line.day);
        table.add(text("segment").least(16), |line| line.segment);
        table.add(number("at byte").rank(1), |line| line.offset);
        table.add(number("bytes").rank(2), |line| line.length);
        table.add(text("why").least(16), |line| line.reason);
        let mut lines = table.lines(out.width).into_iter();
        lines.next().iter().for_each(|titles| out.line(titles));
        for (shown, line) in lines.zip(&self.lines) {
            let start = cut(&line.excerpt, out.width.saturating_sub(INDENT));
            out.line(format!("{shown}\n{:INDENT$}{start}", ""));
        }
        let more = self.total - (self.lines.len() as u64).min(self.total);
        if more > 0 {
            let more =
                format!("… and {more} more; `plantune doctor --quarantine --json` lists them");
            out.hanging("", "  ", more);
        }
        out.line("\n`plantune doctor --fix` reads them again, which is worth it after an update.");
    }
}

#[cfg(test)]
mod tests {
    use plantune_domain::sanitize::is_dangerous;

    use super::*;
    use crate::inert;

    fn found() -> Quarantine {
        let line = |offset, length, reason: &str, start: &[u8]| Line {
            segment: "2026-11-20.jsonl".to_owned(),
            offset,
            length,
            day: "2026-11-20".parse().unwrap(),
            reason: reason.to_owned(),
            start: start.to_vec(),
        };
        Quarantine {
            total: 4,
            lines: vec![
                line(
                    4096,
                    60,
                    "torn line: EOF while parsing a string at line 1 column 60",
                    b"{\"v\":1,\"id\":\"0123456789abcdef0123456789abcdef\",\"ts\":\"2026",
                ),
                line(
                    17,
                    10_485_760,
                    "not JSON: \u{1b}]0;owned\u{7} expected value",
                    b"\x1b[2J\x00\xff\xe2\x80\xae\tnext \xc3\xbc",
                ),
                line(0, 1, "not UTF-8: invalid", b"\xc3"),
            ],
        }
    }

    fn shown(width: usize) -> String {
        let mut out = Terminal::new(width, false);
        Document::from(&found()).show(&mut out);
        let text = out.into_text();
        let acts = |c: char| c != '\n' && is_dangerous(c);
        assert!(!text.contains(acts), "{text:?}");
        text
    }

    #[test]
    fn lines_are_shown_sanitized() {
        insta::assert_snapshot!(shown(80));
        for line in shown(60).lines().filter(|line| !line.starts_with('`')) {
            assert!(crate::text::width(line) <= 60, "{line}");
        }
    }

    #[test]
    fn an_empty_one() {
        let mut out = Terminal::new(80, false);
        Document::from(&Quarantine::default()).show(&mut out);
        assert_eq!(
            out.into_text(),
            "The quarantine is empty: every line that was read is an event.\n"
        );
    }

    #[test]
    fn as_json() {
        let text = inert::json(&Document::from(&found())).unwrap();
        insta::assert_snapshot!(text);
    }
}
