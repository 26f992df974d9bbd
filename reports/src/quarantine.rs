//! The lines in quarantine, as a table for a terminal.

use plantune_query::health::Quarantine;

use crate::table::{Table, number, text};
use crate::terminal::{Show, Terminal};
use crate::text::cut;

/// How far the beginning of a line stands in from the margin.
const INDENT: usize = 2;

impl Show for Quarantine {
    fn show(&self, out: &mut Terminal) {
        let Quarantine {
            total,
            lines: found,
        } = self;
        if *total == 0 {
            return out.line("The quarantine is empty: every line that was read is an event.");
        }
        let mut table = Table::of(found);
        table.add(text("day"), |line| line.day);
        table.add(text("segment").least(16), |line| &*line.segment);
        table.add(number("at byte").rank(1), |line| line.offset);
        table.add(number("bytes").rank(2), |line| line.length);
        table.add(text("why").least(16), |line| &*line.reason);
        let mut lines = table.lines(out.width).into_iter();
        lines.next().iter().for_each(|titles| out.line(titles));
        for (shown, line) in lines.zip(found) {
            let start = cut(&line.excerpt(), out.width.saturating_sub(INDENT));
            out.line(format!("{shown}\n{:INDENT$}{start}", ""));
        }
        let more = total.saturating_sub(found.len() as u64);
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
    use plantune_query::health::Line;

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
        found().show(&mut out);
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
        Quarantine::default().show(&mut out);
        assert_eq!(
            out.into_text(),
            "The quarantine is empty: every line that was read is an event.\n"
        );
    }

    #[test]
    fn as_json() {
        let text = inert::document(&found()).unwrap();
        insta::assert_snapshot!(text);
    }
}
