//! A store that many runs added little to.

use crate::home::{Home, TestEvent};
use plantune_domain::event::Kind;
use plantune_ingest::Reason;

/// How many row groups a store of few rows may have.
const MOST_ROW_GROUPS: i64 = 33;

fn row_groups(home: &Home) -> i64 {
    let sql = "SELECT count(DISTINCT row_group_id) FROM pragma_storage_info('questions')";
    home.store().query_row(sql, [], |row| row.get(0)).unwrap()
}

#[test]
#[ignore = "takes long: make test-long"]
fn many_small_parts_are_computed_as_one() {
    let home = Home::new();
    let mut reasons = Vec::new();
    for call in 0..40 {
        let at = format!("2026-11-20T10:00:{call:02}Z");
        home.log(
            "2026-11-20.jsonl",
            &[TestEvent::new(Kind::Asked, call, &at)],
        );
        reasons.extend(home.ingest("UTC").computed);
        // Each adds one at most.
        if i64::from(call) >= MOST_ROW_GROUPS - 3 {
            assert!(row_groups(&home) <= MOST_ROW_GROUPS);
        }
    }
    assert_eq!(reasons, [Reason::Missing, Reason::Scattered]);
    home.assert_computed("UTC");
}
