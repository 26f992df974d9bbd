use super::*;
use crate::verbs::doctor::tests::{home, of, seen};
use plantune_query::health::QuarantineCount;
use plantune_reports::doctor::Finding;

fn statuses(found: &[Finding]) -> Vec<Status> {
    found.iter().map(|one| one.status).collect()
}

#[test]
fn what_others_may_use_is_counted_and_closed() {
    let (folder, session) = home(&[("a", ""), ("events/2026-11-20.jsonl", "")]);
    let set = |path: &str, mode| {
        let path = folder.path().join(path);
        fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    };
    set("events", 0o700);
    assert_eq!(statuses(&of(folders, &seen(&session))), [Status::Ok]);
    set("events/2026-11-20.jsonl", 0o644);
    let found = of(folders, &seen(&session));
    assert_eq!(statuses(&found), [Warning]);
    let message = &found[0].message;
    assert!(message.contains("can use 1 path in "), "{message}");
    assert!(
        message.ends_with("2026-11-20.jsonl (mode 0644)"),
        "{message}"
    );
    close(false, &session).unwrap();
    assert_eq!(statuses(&of(folders, &seen(&session))), [Status::Ok]);
}

#[test]
fn links_are_named_and_not_followed() {
    let (folder, session) = home(&[]);
    std::os::unix::fs::symlink("/", folder.path().join("events")).unwrap();
    std::os::unix::fs::symlink("/nowhere", folder.path().join("sessions")).unwrap();
    let found = of(folders, &seen(&session));
    let mut links = found.iter().map(|one| &one.message);
    assert!(links.next().unwrap().ends_with("events is a symbolic link"));
    assert!(
        links
            .next()
            .unwrap()
            .ends_with("sessions is a symbolic link")
    );
}

#[test]
fn no_log_and_one_with_other_files() {
    let (_folder, session) = home(&[]);
    let found = of(spool, &seen(&session));
    assert_eq!(found[0].message, "nothing has been logged yet");
    let files = ["2026-11-18.jsonl", "2026-11-19.jsonl", "x.tmp"];
    let files = files.map(|name| format!("events/{name}"));
    let files = files.each_ref().map(|name| (&**name, "{}\n"));
    let (_folder, session) = home(&files);
    let found = of(spool, &seen(&session));
    assert_eq!(found[0].message, "2 segments");
}

#[test]
fn a_sealed_segment_that_is_damaged() {
    let (_folder, session) = home(&[("events/2026-10.parquet", "no Parquet")]);
    let found = of(spool, &seen(&session));
    assert_eq!(statuses(&found), [Failed]);
    assert!(found[0].message.contains("2026-10.parquet is damaged"));
}

#[test]
fn the_hook_logged_what_names_it() {
    let line = |source: &str| format!("{{\"kind\":\"asked\",\"source\":\"{source}\"}}\n");
    let (_folder, session) = home(&[
        ("events/1969-12-30.jsonl", &line("hook")),
        ("events/1969-12-31.jsonl", &line("cli")),
    ]);
    let mut seen = seen(&session);
    let found = of(last_event, &seen);
    assert!(found[0].message.ends_with("(1969-12-30)"), "{found:?}");
    seen.store = Ok(Contents {
        last_hook_at: Some(session.now),
        ..Contents::default()
    });
    let found = of(last_event, &seen);
    assert!(found[0].message.ends_with("(1970-01-01)"), "{found:?}");
    seen.segments.clear();
    seen.store = Ok(Contents::default());
    assert_eq!(of(last_event, &seen), []);
}

#[test]
fn lines_are_counted_by_their_kind() {
    let (_folder, session) = home(&[]);
    let lines = |kind: &str, lines, last_day: &str| QuarantineCount {
        kind: kind.to_owned(),
        lines,
        last_day: last_day.parse().unwrap(),
    };
    let mut seen = seen(&session);
    seen.store = Ok(Contents {
        quarantine: vec![
            lines("torn", 2, "1969-12-31"),
            lines("schema_version", 1, "1969-09-01"),
        ],
        ..Contents::default()
    });
    let found = of(quarantine, &seen);
    assert_eq!(statuses(&found), [Warning, Note]);
    let messages: Vec<&str> = found.iter().map(|one| &*one.message).collect();
    assert_eq!(
        messages,
        [
            "2 lines set aside (torn), last on 1969-12-31",
            "1 line set aside (schema version), last on 1969-09-01",
        ]
    );
    let remedies: Vec<_> = found.iter().flat_map(|one| &one.remedy).collect();
    assert!(!remedies[0].contains("newer hook"));
    assert!(remedies[1].contains("a newer hook wrote them"));
    seen.store = Ok(Contents::default());
    assert_eq!(statuses(&of(quarantine, &seen)), [Status::Ok]);
}

#[test]
fn a_drawn_message_on_one_line() {
    let drawn = "/c.toml: TOML parse error at line 1, column 5\n  |\n1 | x = \n  |     ^\nstring values must be quoted\n";
    assert_eq!(
        shortened(drawn),
        "/c.toml: TOML parse error at line 1, column 5: string values must be quoted"
    );
    assert_eq!(shortened("one"), "one");
    assert_eq!(shortened(""), "");
}

#[test]
fn files_that_are_not_understood() {
    let (_folder, session) = home(&[("registry.toml", "[[question]]\nkey = 1\n")]);
    let seen = seen(&session);
    let found = of(registry, &seen);
    assert_eq!(statuses(&found), [Failed]);
    let message = &found[0].message;
    assert!(message.contains("registry.toml") && message.contains("line 2"));
    assert!(found[0].remedy.as_deref().unwrap().starts_with("correct "));
    assert_eq!(statuses(&of(config, &seen)), [Status::Ok]);
    let found = of(deciding, &seen);
    assert!(found[0].message.starts_with("off until"), "{found:?}");
}

#[test]
fn answering_is_on_or_off() {
    for (text, status) in [("", Status::Ok), ("enabled = false\n", Note)] {
        let (_folder, session) = home(&[("config.toml", text)]);
        assert_eq!(statuses(&of(deciding, &seen(&session))), [status]);
    }
}

#[test]
fn what_is_not_obeyed_is_named() {
    let text = r#"{"version":1,"preferences":{
            "colour":{"preference":"never-ask","answer":"Blue","question":"Which colour?",
                "options":["Blue","Red"]},
            "unbound":{"preference":"never-ask"},
            "size":{"preference":"never-ask","answer":"S","level":"trial","question":"Which size?",
                "options":["S","L"]},
            "place":{"preference":"assist","answer":"Here","question":"Where?",
                "options":["Here","There"]},
            "delete-user-data":{"preference":"never-ask","question":"Fine?",
                "options":["Yes","No"]}}}"#;
    let (_folder, session) = home(&[("preferences.json", text)]);
    let found = of(preferences, &seen(&session));
    assert_eq!(found[0].message, "5 preferences");
    let ignored = found
        .iter()
        .filter(|one| one.message.contains("not obeyed"));
    assert_eq!(ignored.count(), 2, "{found:?}");
}

#[test]
fn a_value_that_is_not_known_is_named() {
    for (field, value) in [("key_source", "guess"), ("set_by", "agent")] {
        let text = format!(
            r#"{{"version":1,"preferences":{{
                "colour":{{"preference":"never-ask","answer":"Blue","{field}":"{value}","question":"Which colour?",
                    "options":["Blue","Red"]}},
                "size":{{"preference":"never-ask","answer":"S","key_source":"marker","set_by":"dialog",
                    "question":"Which size?","options":["S","L"]}}}}}}"#
        );
        let (_folder, session) = home(&[("preferences.json", &text)]);
        let found = of(preferences, &seen(&session));
        let messages: Vec<&str> = found.iter().map(|one| &*one.message).collect();
        let named = format!("`{field}` is \"{value}\", which plantune does not know");
        let named = messages.iter().filter(|message| message.contains(&named));
        assert_eq!(named.count(), 1, "{messages:?}");
    }
}

#[test]
fn every_file_is_read() {
    let (_folder, session) = home(&[
        ("projects/broken/preferences.json", "{"),
        (
            "projects/elsewhere/preferences.json",
            r#"{"version":1,"project":"github.com/a/b","preferences":{}}"#,
        ),
    ]);
    let found = of(preferences, &seen(&session));
    assert_eq!(statuses(&found), [Failed, Warning]);
    let (_folder, session) = home(&[]);
    assert_eq!(statuses(&of(preferences, &seen(&session))), [Status::Ok]);
}
