//! The queries about permission prompts against the store of `permissions.sql`, with exact numbers.

use plantune_domain::event::Grant;
use plantune_domain::permissions::Reach;
use plantune_domain::registry::Registry;
use plantune_query::Store;
use plantune_query::habits::QuestionGrouping;
use plantune_query::permissions::auto_mode::Denied;
use plantune_query::permissions::prompts::{LoggedPrompt, Subject, WantedPrompts, WantedSubjects};
use plantune_query::report::{GroupKey, Request};

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
    let report = store.report(&week_47(false), || {
        Ok(QuestionGrouping::by_rules(&registry))
    });
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
fn commands_that_skills_run_are_counted_by_skill() {
    let (_folder, store) = store();
    let detail = store.permissions(&week_47(true)).unwrap().detail.unwrap();
    let counts = detail.skill_commands.iter();
    let counts: Vec<_> = counts
        .map(|one| (one.skill.as_str(), one.commands))
        .collect();
    assert_eq!(counts, [("ship", 2), ("deploy", 1)]);
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
    let LoggedPrompt {
        asked_again_after,
        given_at,
        grant,
        suggestions,
        ..
    } = &tests[0];
    assert_eq!(
        (*asked_again_after, grant.clone()),
        (Some(Grant::Always), Some(Grant::Once.into()))
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
    let of = |prompts: &[LoggedPrompt]| -> Vec<String> {
        prompts.iter().map(|one| one.subject.clone()).collect()
    };
    assert_eq!(of(&detail.refusals), ["npm test", "rm", "git push"]);
    assert_eq!(of(&detail.blocked), ["ls", "npm test"]);
    let repeated: Vec<_> = detail
        .repeated
        .iter()
        .map(|one| (one.subject.as_str(), one.chosen, one.prompts))
        .collect();
    assert_eq!(
        repeated,
        [
            ("Edit src", Grant::Session, 1),
            ("npm test", Grant::Always, 1)
        ]
    );
}

/// What auto mode denied in week 47, of a store with these calls: minute, kind, session, input, reach. The subject is the
/// input's first two words, and a decision is about the prompt of the minute before.
fn denied(calls: &[(u32, &str, &str, &str, &str)]) -> Vec<Denied> {
    let insert = "INSERT INTO permission_events BY NAME SELECT
        md5(?::VARCHAR)::UUID AS id, 'permission_' || ? AS kind,
        TIMESTAMP '2026-11-20 09:00:00' + to_minutes(?) AS ts, DATE '2026-11-20' AS day, ? AS project, '/w' AS cwd,
        ? AS session_id, if(session_id = 'headless', 'headless', 'interactive') AS session_kind, 'hook' AS source,
        'auto' AS permission_mode,
        'Bash' AS tool_name, ? AS subject, ? AS input, ? AS reach, md5(?::VARCHAR) AS asked_id, 'rejected' AS reason";
    let (folder, connection) = stores::empty();
    for (minute, kind, session, input, reach) in calls {
        let subject = input.split(' ').take(2).collect::<Vec<_>>().join(" ");
        let row = duckdb::params![
            minute,
            kind,
            minute,
            SHOP,
            session,
            subject,
            input,
            reach,
            minute - 1,
        ];
        connection.execute(insert, row).unwrap();
    }
    let (_folder, store) = stores::opened((folder, connection));
    let detail = store.permissions(&week_47(true)).unwrap().detail.unwrap();
    detail.denied_in_auto_mode
}

#[test]
fn what_was_denied_and_then_allowed_has_a_sentence() {
    let allowed = [
        (1, "denied", "a", "npm test", "reads"),
        (2, "asked", "a", "npm test", "reads"),
        (3, "granted", "a", "npm test", "reads"),
    ];
    let sentence = |calls: &[_]| {
        let found = denied(calls);
        let entry = found[0].entry.as_ref();
        entry.map(|one| one.sentence.clone())
    };
    let exact =
        "Running `npm test` in github.com/acme/shop is allowed: I approved exactly this by hand";
    assert_eq!(sentence(&allowed).as_deref(), Some(exact));
    // With other arguments, too, and these reach no further.
    let again = |input, reach| {
        let more = [
            (11, "denied", "b", input, reach),
            (12, "asked", "b", input, reach),
            (13, "granted", "b", input, reach),
        ];
        [&allowed[..], &more].concat()
    };
    let any = "Running `npm test` with any arguments in github.com/acme/shop is allowed: I approved this by hand";
    assert_eq!(
        sentence(&again("npm test --ci", "project")).as_deref(),
        Some(any)
    );
    let far = again("npm test --publish", "beyond");
    assert_eq!(denied(&far)[0].reach, Some(Reach::Beyond));
    assert_eq!(sentence(&far), None);
    // Refused once, in another session and about no denial.
    let refused = [
        (21, "asked", "c", "npm test", "reads"),
        (22, "refused", "c", "npm test", "reads"),
    ];
    assert_eq!(sentence(&[&allowed[..], &refused].concat()), None);
    // A program allowed it, in a session without a person.
    let by_program =
        allowed.map(|(minute, kind, _, input, reach)| (minute, kind, "headless", input, reach));
    assert_eq!(
        (denied(&by_program)[0].allowed, sentence(&by_program)),
        (1, None)
    );
    // Denied twice, and nobody was asked.
    let repeated = [
        (1, "denied", "a", "make all", "project"),
        (5, "denied", "b", "make all", "project"),
    ];
    let found = &denied(&repeated)[0];
    assert!(found.is_undecided() && found.entry.is_none());
    assert_eq!((found.denied, found.not_asked), (2, 2));
}

/// An event about a prompt for `npm test` by Bash, in session `s` on 20 November.
#[derive(Clone)]
struct Logged {
    kind: &'static str,
    id: u32,
    /// Minutes after nine.
    minute: f64,
    session: &'static str,
    tool: &'static str,
    subject: Option<&'static str>,
    reach: Option<&'static str>,
    skill: Option<&'static str>,
    asked: Option<u32>,
    grant: Option<&'static str>,
    waited: Option<f64>,
    ambiguous: bool,
}

fn asked(id: u32, minute: f64) -> Logged {
    Logged {
        kind: "asked",
        id,
        minute,
        session: "s",
        tool: "Bash",
        subject: Some("npm test"),
        reach: Some("reads"),
        skill: None,
        asked: None,
        grant: None,
        waited: None,
        ambiguous: false,
    }
}

fn granted(of: u32, grant: &'static str, minute: f64, waited: Option<f64>) -> Logged {
    Logged {
        kind: "granted",
        asked: Some(of),
        grant: Some(grant),
        waited,
        ..asked(100 + of, minute)
    }
}

/// The subjects that are `wanted` of a store with these events.
fn counted(events: &[Logged], wanted: &WantedSubjects<'_>) -> Vec<Subject> {
    let insert = "INSERT INTO permission_events BY NAME SELECT
        md5(?::VARCHAR)::UUID AS id, 'permission_' || ? AS kind,
        TIMESTAMP '2026-11-20 09:00:00' + to_microseconds((? * 60000000)::BIGINT) AS ts, DATE '2026-11-20' AS day,
        'p' AS project, '/w' AS cwd, ? AS session_id, 'interactive' AS session_kind, 'hook' AS source,
        ? AS tool_name, ? AS subject, ? AS reach, ? AS skill, md5(?::VARCHAR) AS asked_id, ? AS \"grant\",
        ? AS waited_seconds, ? AS ambiguous";
    let (folder, connection) = stores::empty();
    for one in events {
        let row = duckdb::params![
            one.id,
            one.kind,
            one.minute,
            one.session,
            one.tool,
            one.subject,
            one.reach,
            one.skill,
            one.asked,
            one.grant,
            one.waited,
            one.ambiguous
        ];
        connection.execute(insert, row).unwrap();
    }
    let (_folder, store) = stores::opened((folder, connection));
    store.prompt_subjects(wanted).unwrap()
}

fn all(events: &[Logged]) -> Vec<Subject> {
    counted(events, &WantedSubjects::default())
}

#[test]
fn each_prompt_counts_once_whatever_the_order() {
    let mut events = vec![
        asked(1, 1.0),
        granted(1, "once", 2.0, Some(60.0)),
        asked(2, 3.0),
        granted(2, "once", 4.0, Some(30.0)),
        asked(3, 5.0),
        // Of a prompt that no hook logged.
        granted(9, "once", 6.0, None),
    ];
    let found = all(&events);
    assert_eq!(found.len(), 1);
    let one = &found[0];
    assert_eq!((one.asked, one.granted, one.open), (4, 3, 1));
    assert_eq!((one.seconds_waited, one.waits_known), (90.0, 2));
    assert_eq!((one.median_seconds, one.asked_again), (Some(45.0), 0));
    events.reverse();
    assert_eq!(all(&events), found);
    assert_eq!(all(&[]), []);
}

#[test]
fn what_a_hook_registered_twice_logged_counts_once() {
    let both = vec![asked(1, 1.0), asked(2, 1.0007)];
    assert_eq!(all(&both)[0].asked, 1);
    let decided = [both, vec![granted(2, "once", 5.0, None)]].concat();
    let one = &all(&decided)[0];
    assert_eq!((one.asked, one.granted, one.open), (2, 1, 1));
}

#[test]
fn only_what_came_later_was_asked_again() {
    for (grant, session, minute, again) in [
        ("always", "other", 11.0, 1),
        // It was on the screen already.
        ("always", "other", 10.0, 0),
        ("always", "s", 5.0, 0),
        ("session", "s", 11.0, 1),
        ("session", "other", 11.0, 0),
        ("once", "s", 11.0, 0),
    ] {
        let later = Logged {
            session,
            ..asked(2, minute)
        };
        let events = [asked(1, 1.0), granted(1, grant, 10.0, None), later];
        let found = all(&events)[0].asked_again;
        assert_eq!(found, again, "{grant} {session} {minute}");
    }
    // What cannot be told apart was chosen for nobody knows which.
    let unclear = Logged {
        ambiguous: true,
        ..granted(1, "always", 10.0, None)
    };
    let found = all(&[asked(1, 1.0), unclear, asked(2, 11.0)]);
    assert_eq!((found[0].asked_again, found[0].ambiguous), (0, 1));
}

#[test]
fn the_furthest_reach_counts_and_names_keep_subjects_apart() {
    let further = Logged {
        reach: Some("beyond"),
        ..asked(2, 3.0)
    };
    let other = Logged {
        tool: "Other",
        ..asked(3, 4.0)
    };
    let nameless = Logged {
        subject: None,
        reach: None,
        ..asked(4, 5.0)
    };
    let found = all(&[asked(1, 1.0), further, other, nameless]);
    let names: Vec<_> = found
        .iter()
        .map(|one| (one.subject.as_str(), one.tool.as_str(), one.reach))
        .collect();
    assert_eq!(
        names,
        [
            ("npm test", "Bash", Some(Reach::Beyond)),
            ("Bash", "Bash", None),
            ("npm test", "Other", Some(Reach::Reads))
        ]
    );
}

#[test]
fn prompts_are_counted_by_who_was_at_work() {
    let by = |id: u32, skill| Logged {
        skill,
        ..asked(id, f64::from(id))
    };
    let of_skill = Logged {
        skill: Some("gsd:plan"),
        ..granted(4, "once", 9.0, None)
    };
    let events = [
        by(1, Some("ship")),
        by(4, Some("/gsd:discuss-phase")),
        of_skill,
        by(7, Some("/ship")),
        by(8, None),
        by(10, Some("/gsd:discuss-phase")),
        by(12, Some(":x")),
        by(14, Some("/gsd-foo")),
    ];
    let found = |by| -> Vec<(String, u64, u64)> {
        let wanted = WantedSubjects {
            by: Some(by),
            ..WantedSubjects::default()
        };
        let found = counted(&events, &wanted).into_iter();
        found
            .map(|one| (one.subject, one.asked, one.granted))
            .collect()
    };
    let row = |name: &str, asked, granted| (name.to_owned(), asked, granted);
    let (ship, nobody) = (row("/ship", 2, 0), row("", 1, 0));
    let alone = [row("/gsd-foo", 1, 0), row(":x", 1, 0)];
    let of_asker = [ship.clone(), nobody.clone(), row("/gsd-foo", 1, 0)];
    let others = [
        row("/gsd:discuss-phase", 1, 0),
        row(":x", 1, 0),
        row("gsd:plan", 1, 1),
    ];
    assert_eq!(found(GroupKey::Asker), [&of_asker[..], &others].concat());
    let frameworks = [ship, row("gsd:*", 2, 1), nobody];
    assert_eq!(
        found(GroupKey::Framework),
        [&frameworks[..], &alone].concat()
    );
}

#[test]
fn a_prompt_that_nobody_decided_was_left_a_day_later() {
    let wanted = |open_from: &str| WantedSubjects {
        open_from: Some(stores::day(open_from)),
        ..WantedSubjects::default()
    };
    let prompts = [asked(1, 1.0)];
    assert_eq!(counted(&prompts, &wanted("2026-11-20"))[0].unattended, 0);
    assert_eq!(counted(&prompts, &wanted("2026-11-21"))[0].unattended, 1);
}
