//! The lines of the log that could not become events, and why.

use chrono::{DateTime, TimeDelta, Utc};
use plantune_query::health::Contents;
use plantune_reports::amount::counted;
use plantune_reports::text::cut;

use super::check::{Findings, Status};

const NAME: &str = "quarantine";

/// How many of the latest lines are shown.
pub(super) const SHOWN: u32 = 3;

/// For how many days a line is news.
const NEWS_DAYS: i64 = 14;

/// One finding a kind of reason, and one that names the latest lines.
pub(super) fn check(contents: &Contents, now: DateTime<Utc>, found: &mut Findings) {
    if contents.quarantine.is_empty() {
        return found.ok(NAME, "every line that was read is an event");
    }
    for lines in &contents.quarantine {
        let (words, meaning) = explain(&lines.kind);
        let status = match now.date_naive() - lines.last_day < TimeDelta::days(NEWS_DAYS) {
            true => Status::Warning,
            false => Status::Note,
        };
        let count = counted(lines.lines, "line", "lines");
        let message = format!("{count} {words}, last on {}", lines.last_day);
        found.add(NAME, status, message).remedy(meaning);
    }
    let latest = found.note(NAME, "the latest lines, each kept as it was");
    for line in &contents.latest {
        let reason = cut(&line.reason, 100);
        let size = counted(line.length, "byte", "bytes");
        latest.remedy(format!(
            "{} at byte {} ({size}): {reason}",
            line.segment, line.offset
        ));
    }
    latest.remedy("run `plantune doctor --quarantine` to see them, and those before");
}

/// What is wrong with lines of a kind, and what that means for the person.
fn explain(kind: &str) -> (&'static str, &'static str) {
    match kind {
        "torn" => (
            "torn off",
            "a hook was killed, or the disk full, while it wrote; the events after it are not touched",
        ),
        "not_utf8" => (
            "not UTF-8",
            "something else than the hook wrote there, or the disk damaged it",
        ),
        "not_json" => (
            "not JSON",
            "something else than the hook wrote there, or the disk damaged it",
        ),
        "schema_version" => (
            "of an unknown schema version",
            "a newer hook wrote them: install the newest plantune, then run `plantune doctor --fix`",
        ),
        "not_an_event" => (
            "without what an event needs",
            "something else than the hook wrote there, or another version: try `plantune doctor --fix`",
        ),
        "too_long" => (
            "longer than an event can be",
            "the hook writes 64 KiB at most, so something else wrote there",
        ),
        _ => (
            "refused for another reason",
            "the latest of them are listed with their reasons",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plantune_query::health::Line;
    use plantune_query::health::Quarantined;

    #[test]
    fn lines_are_counted_explained_and_named() {
        let time = |text: &str| text.parse::<DateTime<Utc>>().unwrap();
        let found = |kind: &str, lines, day: &str| Quarantined {
            kind: kind.to_owned(),
            lines,
            last_day: day.parse().unwrap(),
        };
        let contents = Contents {
            quarantine: vec![
                found("torn", 2, "2026-11-19"),
                found("schema_version", 1, "2026-09-01"),
            ],
            latest: vec![Line {
                segment: "2026-11-19.jsonl".to_owned(),
                offset: 4096,
                reason: "not an event: unknown \u{1b}[31mvariant".to_owned(),
                length: 1,
                ..Line::default()
            }],
            ..Contents::default()
        };
        let mut found = Findings::default();
        check(&contents, time("2026-11-20T10:00:00Z"), &mut found);
        insta::assert_snapshot!(super::super::render::text(&found), @r"
        warning  quarantine: 2 lines torn off, last on 2026-11-19
                 a hook was killed, or the disk full, while it wrote; the events after it are not touched
        note     quarantine: 1 line of an unknown schema version, last on 2026-09-01
                 a newer hook wrote them: install the newest plantune, then run `plantune doctor --fix`
        note     quarantine: the latest lines, each kept as it was
                 2026-11-19.jsonl at byte 4096 (1 byte): not an event: unknown variant
                 run `plantune doctor --quarantine` to see them, and those before
        ");
        let mut none = Findings::default();
        check(
            &Contents::default(),
            time("2026-11-20T10:00:00Z"),
            &mut none,
        );
        assert_eq!(none.checks[0].status, Status::Ok);
    }

    #[test]
    fn every_kind_has_its_own_words() {
        let kinds = [
            "torn",
            "not_utf8",
            "not_json",
            "schema_version",
            "not_an_event",
            "too_long",
        ];
        for kind in kinds {
            assert_ne!(explain(kind), explain("other"), "{kind}");
        }
    }
}
