//! The queries about prompts for permission against the store of `permissions.sql`, with exact numbers.

use plantune_domain::permissions::Reach;
use plantune_domain::registry::Registry;
use plantune_query::Store;
use plantune_query::families::Grouping;
use plantune_query::permissions::prompts::{Prompt, Subject, WantedPrompts, WantedSubjects};
use plantune_query::report::Request;

use crate::stores::{self, filled};

const SHOP: &str = "github.com/acme/shop";

fn store() -> (tempfile::TempDir, Store) {
    filled(&[include_str!("../permissions.sql")])
}

fn week_47(prompts: bool) -> Request<'static> {
    Request {
        prompts,
        ..stores::week_47()
    }
}

fn names(subjects: &[Subject]) -> Vec<(&str, u64, u64)> {
    let names = subjects.iter();
    names
        .map(|one| (one.subject.as_str(), one.asked, one.asked_again))
        .collect()
}

#[test]
fn sums_of_a_period() {
    let (_folder, store) = store();
    let sums = store.permissions(&week_47(false)).unwrap();
    assert_eq!(
        (
            sums.asked,
            sums.granted,
            sums.refused,
            sums.ambiguous,
            sums.open
        ),
        (11, 6, 3, 1, 1)
    );
    assert_eq!((sums.denied, sums.auto_calls), (1, 42));
    assert_eq!((sums.seconds_waited, sums.waits_known), (214.5, 8));
    assert_eq!((sums.unattended, sums.without_approvals), (2, 1));
    let registry = Registry::default();
    let report = store.report(&week_47(false), || Ok(Grouping::by_rules(&registry)));
    let report = report.unwrap();
    assert!(report.has_permissions);
    let since = report.permissions.approvals_known_since.unwrap();
    assert_eq!(since.to_rfc3339(), "2026-11-02T09:00:10+00:00");
    assert_eq!(
        names(&sums.by_subject),
        [
            ("Edit src", 3, 1),
            ("make", 2, 0),
            ("npm test", 2, 1),
            ("ls", 2, 0),
            ("git push", 1, 0),
            ("rm", 1, 0)
        ]
    );
    let edits = &sums.by_subject[0];
    assert_eq!(
        (edits.tool.as_str(), edits.reach),
        ("Edit", Some(Reach::Project))
    );
    assert_eq!(
        (edits.median_seconds, edits.seconds_waited),
        (Some(20.0), 80.0)
    );
}

#[test]
fn subjects_by_project_reach_and_tool() {
    let (_folder, store) = store();
    let wanted = |wanted: WantedSubjects<'_>| store.prompt_subjects(&wanted).unwrap();
    let all = WantedSubjects::default();
    assert_eq!(wanted(all).iter().map(|one| one.asked).sum::<u64>(), 12);
    let site = wanted(WantedSubjects {
        project: Some("github.com/acme/site"),
        ..all
    });
    assert_eq!(names(&site), [("make", 2, 0), ("npm test", 1, 0)]);
    let far = wanted(WantedSubjects {
        reach: Some(Reach::Beyond),
        ..all
    });
    assert_eq!(names(&far), [("git push", 1, 0)]);
    let edits = wanted(WantedSubjects {
        tool: Some("Edit"),
        ..all
    });
    assert_eq!(names(&edits), [("Edit src", 3, 1)]);
    assert_eq!(
        wanted(WantedSubjects {
            reach: Some(Reach::Unknown),
            ..all
        }),
        []
    );
}

#[test]
fn prompts_one_by_one() {
    let (_folder, store) = store();
    let wanted = |wanted: WantedPrompts<'_>| store.prompts(&wanted).unwrap();
    let all = WantedPrompts::default();
    let tests = wanted(WantedPrompts {
        subject: Some("npm test"),
        tool: Some("Bash"),
        project: Some(SHOP),
        ..all
    });
    assert_eq!(tests.len(), 2);
    let Prompt {
        asked_again_after,
        given_at,
        grant,
        suggestions,
        ..
    } = &tests[0];
    assert_eq!(
        (asked_again_after.as_deref(), grant.as_deref()),
        (Some("always"), Some("once"))
    );
    assert_eq!(given_at.unwrap().to_rfc3339(), "2026-11-02T09:00:10+00:00");
    assert_eq!(suggestions, &["Bash(npm test *)"]);
    assert_eq!(tests[1].asked_again_after, None);

    // By the call's id, and by its own.
    let by_call = wanted(WantedPrompts {
        id: Some("toolu_3"),
        ..all
    });
    assert_eq!(by_call[0].free_text.as_deref(), Some("not on Friday"));
    let by_id = wanted(WantedPrompts {
        id: Some(&by_call[0].id),
        ..all
    });
    assert_eq!(by_call, by_id);
    assert_eq!(by_id[0].id, "00000000000000000000000000000003");
    assert_eq!(
        wanted(WantedPrompts {
            id: Some("'; --"),
            ..all
        }),
        []
    );
    let latest = wanted(WantedPrompts {
        limit: Some(3),
        ..all
    });
    assert_eq!(latest.len(), 3);
    assert_eq!(latest[0].id, "00000000000000000000000000000011");
}

#[test]
fn what_needs_a_look() {
    let (_folder, store) = store();
    let detail = store.permissions(&week_47(true)).unwrap().detail.unwrap();
    let of = |prompts: &[Prompt]| -> Vec<String> {
        prompts.iter().map(|one| one.subject.clone()).collect()
    };
    assert_eq!(of(&detail.refusals), ["npm test", "rm", "git push"]);
    assert_eq!(of(&detail.blocked), ["ls", "npm test"]);
    let repeated: Vec<_> = detail
        .repeated
        .iter()
        .map(|one| (one.subject.as_str(), one.chosen.as_str(), one.prompts))
        .collect();
    assert_eq!(
        repeated,
        [("Edit src", "session", 1), ("npm test", "always", 1)]
    );
}
