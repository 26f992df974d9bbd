//! A store that somebody's fault has damaged: what is wrong is found and named, nothing is changed by
//! looking, and what is derived is mended by computing it anew.
#![allow(clippy::unwrap_used, missing_docs)]

#[allow(unreachable_pub, reason = "shared by several tests")]
mod stream;

use std::sync::OnceLock;

use plantune_domain::event::Kind;
use plantune_ingest::{Error, Inspector};

use stream::{Home, Said};

/// Three questions: answered, failed, and one more whose session went on.
fn filled() -> Home {
    static FILLED: OnceLock<Home> = OnceLock::new();
    FILLED.get_or_init(fill).copy()
}

fn fill() -> Home {
    let home = Home::new();
    home.append(
        "2026-11-19.jsonl",
        &[
            Said::new(Kind::SessionStarted, 0, "2026-11-19T09:00:00Z"),
            Said::new(Kind::Asked, 1, "2026-11-19T10:00:00Z"),
            Said::new(Kind::Answered, 1, "2026-11-19T10:00:08Z"),
            Said::new(Kind::Asked, 2, "2026-11-19T11:00:00Z"),
            Said::new(Kind::Failed, 2, "2026-11-19T11:00:01Z"),
            Said::new(Kind::HookError, 0, "2026-11-19T11:30:00Z"),
        ],
    );
    home.ingest("UTC");
    home.append(
        "2026-11-20.jsonl",
        &[
            Said::new(Kind::Asked, 3, "2026-11-20T08:00:00Z"),
            Said::new(Kind::SessionEnded, 0, "2026-11-20T09:00:00Z"),
        ],
    );
    home.ingest("UTC");
    home.assert_whole();
    home
}

#[test]
fn every_damaged_table_is_found_named_and_mended() {
    let row = |words: &str| words.to_owned();
    for (sql, relation, (stored, computed), rows) in [
        (
            "UPDATE daily_facts SET answered = 7, open = 1 WHERE day = DATE '2026-11-19'",
            "daily",
            (2, 2),
            row("2026-11-19, shop, key, interactive: answered is 7, not 1; open is 1, not 0"),
        ),
        (
            "DELETE FROM daily_facts WHERE day = DATE '2026-11-20'",
            "daily",
            (1, 2),
            row("2026-11-20, shop, key, interactive: a row missing"),
        ),
        (
            "INSERT INTO daily_answer_facts FROM daily_answer_facts",
            "daily_answers",
            (2, 1),
            row("2026-11-19, shop, key, interactive, Yes: a row too many"),
        ),
        (
            "UPDATE daily_session_facts SET day = DATE '2026-11-21' WHERE day = DATE '2026-11-20'",
            "daily_sessions",
            (2, 2),
            row(
                "2026-11-20, shop, session, interactive: a row missing\n2026-11-21, shop, session, interactive: a row too many",
            ),
        ),
        (
            "UPDATE daily_errors SET times = 2 WHERE error_kind = 'hook'",
            "daily_errors",
            (2, 2),
            row("2026-11-19, shop, hook: times is 2, not 1"),
        ),
        (
            "UPDATE session_facts SET ended_at = NULL",
            "sessions",
            (1, 1),
            row("session: ended_at is nothing, not 2026-11-20 09:00:00"),
        ),
        (
            "UPDATE question_facts SET outcome = 0 WHERE outcome = 4",
            "questions",
            (3, 3),
            row("toolu_3, 0: outcome is 0, not 4"),
        ),
        (
            "DELETE FROM recent_answers",
            "recent_answers",
            (0, 1),
            row("shop, key, interactive, 2026-11-19 10:00:00, 0: a row missing"),
        ),
    ] {
        let home = filled();
        let whole = home.dump();
        home.damage(sql);
        let damaged = home.dump();
        let found = home.inspector().compare().unwrap();
        assert_eq!(home.writer("UTC").compare().unwrap(), found);
        assert_eq!(home.dump(), damaged, "looking changed something");
        let [found] = &found[..] else {
            panic!("{sql}: {found:?}");
        };
        assert_eq!(
            (found.relation, found.stored, found.computed),
            (relation, stored, computed)
        );
        assert_eq!(found.rows.join("\n"), rows);
        assert_eq!(home.writer("UTC").rebuild().unwrap(), [relation]);
        home.assert_whole();
        assert_eq!(home.dump(), whole);
    }
}

#[test]
fn what_names_questions_and_their_places_is_compared_too() {
    for (sql, expected) in [
        // Another id, none, and one for two.
        (
            "UPDATE question_ids SET lo = lo + 1 WHERE number = 0",
            ["questions", "recent_answers"].as_slice(),
        ),
        (
            "DELETE FROM question_ids WHERE number = 0",
            ["questions", "recent_answers"].as_slice(),
        ),
        (
            "INSERT INTO question_ids FROM question_ids WHERE number = 0",
            ["questions", "recent_answers"].as_slice(),
        ),
        (
            "DELETE FROM question_facts WHERE number = 0",
            ["questions"].as_slice(),
        ),
        (
            "DELETE FROM series",
            ["daily", "daily_answers", "recent_answers"].as_slice(),
        ),
        (
            "INSERT INTO scopes FROM scopes",
            ["daily", "daily_answers", "daily_sessions", "recent_answers"].as_slice(),
        ),
    ] {
        let home = filled();
        home.damage(sql);
        let found = home.inspector().compare().unwrap();
        let names: Vec<_> = found.iter().map(|found| found.relation).collect();
        assert_eq!(names, expected, "{sql}");
        assert!(
            found.iter().all(|found| !found.rows.is_empty()),
            "{found:?}"
        );
        assert_eq!(home.writer("UTC").rebuild().unwrap(), expected);
        home.assert_whole();
    }
}

#[test]
fn what_is_wrong_with_the_log_is_told() {
    for (sql, expected) in [
        (
            "INSERT INTO log FROM log WHERE id = (SELECT min(id) FROM log)",
            [
                "events that are in the log more than once: 1",
                "transactions that lack some of their events, or have too many: 1",
            ]
            .as_slice(),
        ),
        (
            "DELETE FROM log WHERE id = (SELECT min(id) FROM log)",
            [
                "ids of the list that no event of the log has: 1",
                "transactions that lack some of their events, or have too many: 1",
            ]
            .as_slice(),
        ),
        (
            "DELETE FROM event_ids WHERE hi = (SELECT min(hi) FROM event_ids)",
            ["events of the log that are not in the list of ids: 1"].as_slice(),
        ),
        (
            "INSERT INTO event_ids FROM event_ids WHERE hi = (SELECT min(hi) FROM event_ids)",
            ["events that are in the list of ids more than once: 1"].as_slice(),
        ),
        (
            "DELETE FROM details WHERE kind = 'failed'",
            ["events that lack what they tell: 1"].as_slice(),
        ),
        (
            "DELETE FROM contexts",
            ["events that lack where they came from: 8"].as_slice(),
        ),
        (
            "DELETE FROM wordings WHERE tool_use_id = 'toolu_3'",
            ["events that lack what was asked: 1"].as_slice(),
        ),
        (
            "DELETE FROM forms; INSERT INTO wordings FROM wordings WHERE tool_use_id = 'toolu_3'",
            [
                "wordings that lack their form: 8",
                "wordings that share a number with another: 1",
            ]
            .as_slice(),
        ),
    ] {
        let home = filled();
        home.damage(sql);
        assert_eq!(home.inspector().log_faults().unwrap(), expected, "{sql}");
    }
}

#[test]
fn only_a_store_of_this_version_is_looked_into() {
    let home = Home::new();
    assert!(Inspector::open(&home.paths()).unwrap().is_none());
    let home = filled();
    home.damage("UPDATE settings SET value = '' WHERE name = 'time_zone'");
    assert!(Inspector::open(&home.paths()).unwrap().is_none());
    home.damage("INSERT INTO migrations VALUES (99, TIMESTAMP '2026-11-20')");
    let newer = Inspector::open(&home.paths()).err();
    assert!(matches!(newer, Some(Error::Newer(_))), "{newer:?}");
    home.damage("DELETE FROM migrations WHERE version > 2");
    assert!(Inspector::open(&home.paths()).unwrap().is_none());
    plantune_domain::atomic_file::replace(&home.paths().store(), &[7; 40_000], 0o600).unwrap();
    let broken = Inspector::open(&home.paths()).err();
    assert!(matches!(broken, Some(Error::Broken(_))), "{broken:?}");
}
