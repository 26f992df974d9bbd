//! A store in which no figure of a report is 0.

use crate::world::World;

/// Questions and prompts for permission such that every figure has rows: nine of one question, for a line that
/// stands out; dialogs left alone, calls at once, and waits that go on into the next week.
pub(crate) fn fill_every_figure(world: &World) {
    world.fill(concat!(
        include_str!("../../../query/tests/report.sql"),
        "DROP TABLE asked;",
        include_str!("../../../query/tests/permissions.sql"),
        "UPDATE permission_events SET waited_seconds = 900 WHERE waited_seconds = 40;
         INSERT INTO questions BY NAME
         SELECT TIMESTAMP '2026-11-17 09:00:00' + to_minutes(i::INTEGER) AS ts, DATE '2026-11-17' AS day,
             'github.com/acme/shop' AS project, 's9' AS session_id, 'pick-one' AS question_key,
             'marker' AS key_source, 'Which one?' AS question, '[\"A\",\"B\",\"C\"]' AS options,
             'answered' AS outcome, 'A' AS answer_name, true AS followed_recommendation, 12.5 AS human_seconds
         FROM range(9) AS numbers(i);
         INSERT INTO questions BY NAME
         SELECT asked AS ts, asked AS asked_at, day, 'github.com/acme/shop' AS project, session AS session_id,
             call AS tool_use_id, i AS question_index, times AS question_count, 'plan-' || call AS question_key,
             'marker' AS key_source, outcome,
             if(outcome = 'answered', ended, NULL) AS answered_at,
             if(outcome = 'dismissed', ended, NULL) AS dismissed_at,
             if(outcome = 'answered', 'Yes', NULL) AS answer_name,
             if(outcome = 'answered', epoch(ended - asked) / times, NULL) AS human_seconds
         FROM (VALUES
             (TIMESTAMP '2026-11-15 22:50:00', DATE '2026-11-15', 'w1', 'sunday', 1, TIMESTAMP '2026-11-16 00:00:00',
                 'answered'),
             ('2026-11-15 23:10:00', '2026-11-16', 'w1', 'covered', 2, '2026-11-15 23:30:00', 'answered'),
             ('2026-11-15 23:50:00', '2026-11-16', 'w1', 'overlaps', 1, '2026-11-16 00:20:00', 'dismissed'),
             ('2026-11-17 08:00:00', '2026-11-17', 'w1', 'four', 4, '2026-11-17 08:01:00', 'answered'),
             ('2026-11-17 08:00:30', '2026-11-17', 'w1', 'beside', 1, '2026-11-17 08:02:00.25', 'dismissed'),
             ('2026-11-17 08:00:30', '2026-11-17', 'w2', 'elsewhere', 3, '2026-11-17 08:22:00', 'answered')
         ) AS calls (asked, day, session, call, times, ended, outcome)
         CROSS JOIN LATERAL (SELECT unnest(range(times)) AS i)",
    ));
}
