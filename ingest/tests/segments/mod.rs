//! Logs by hand: days of questions, each with its answer; and what stores hold.
#![allow(dead_code, reason = "each test uses some of it")]

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use std::time::SystemTime;

use chrono::{DateTime, Utc};
use duckdb::AccessMode;
use plantune_domain::event::{Kind, question_event_id};

/// The two lines of question `number`, asked on `day` and answered a minute later.
pub(crate) fn question(day: &str, number: u32) -> String {
    let call = format!("toolu_{day}_{number}");
    let line = |kind: Kind, minute: u32, more: &str| {
        format!(
            r#"{{"v":1,"id":"{}","ts":"{day}T10:{minute:02}:00.000Z","kind":"{}","session_id":"s{}","session_kind":"interactive","project":"github.com/o/r","cwd":"/w","source":"hook","tool_name":"AskUserQuestion","tool_use_id":"{call}","question_index":0,"question_count":1,"question_key":"k{}","key_source":"marker","question":"Which?","options":["A","B"],"door":"two-way"{more}}}"#,
            question_event_id(kind, &call, 0),
            kind.as_str(),
            number / 7,
            number % 5,
        ) + "\n"
    };
    let answer = if number.is_multiple_of(3) { "B" } else { "A" };
    line(Kind::Asked, 0, r#","ask_reason":"no_preference""#)
        + &line(
            Kind::Answered,
            1,
            &format!(r#","answer":["{answer}"],"was_auto_decided":false"#),
        )
}

/// `count` questions of a day, in lines.
pub(crate) fn questions(day: &str, count: u32) -> String {
    (0..count).map(|number| question(day, number)).collect()
}

/// Events of the other kinds, on `day`, with a field of a later version.
pub(crate) fn others(day: &str) -> String {
    let line = |number: u32, kind: &str, more: &str| {
        format!(
            "{{\"v\":1,\"id\":\"{number:032x}\",\"ts\":\"{day}T12:00:00.000Z\",\"kind\":\"{kind}\",\"session_id\":\"s1\",\
             \"session_kind\":\"interactive\",\"project\":\"p\",\"cwd\":\"/w\",\"source\":\"cli\",\"later\":[1]{more}}}\n"
        )
    };
    line(1, "session_started", "")
        + &line(
            2,
            "preference_changed",
            ",\"preference\":\"never-ask\",\"options\":[\"A\"],\"answer\":[]",
        )
        + &line(3, "hook_error", ",\"error\":\"it\",\"error_kind\":\"x\"")
        + &line(4, "not_known_yet", "")
}

/// Appends to a file of the log below `home`.
pub(crate) fn append(home: &Path, name: &str, text: &[u8]) {
    fs::create_dir_all(home.join("events")).unwrap();
    let mut options = OpenOptions::new();
    let file = options
        .create(true)
        .append(true)
        .open(home.join("events").join(name));
    file.unwrap().write_all(text).unwrap();
}

/// Lets a file of the log be as old as `moment` (RFC 3339).
pub(crate) fn age(home: &Path, name: &str, moment: &str) {
    let moment: DateTime<Utc> = moment.parse().unwrap();
    let file = File::open(home.join("events").join(name)).unwrap();
    file.set_modified(SystemTime::from(moment)).unwrap();
}

/// Adds a day of questions that were written on that day.
pub(crate) fn day(home: &Path, day: &str, count: u32) {
    let name = format!("{day}.jsonl");
    append(home, &name, questions(day, count).as_bytes());
    age(home, &name, &format!("{day}T23:00:00Z"));
}

/// The names in the log, sorted.
pub(crate) fn names(home: &Path) -> Vec<String> {
    let entries = fs::read_dir(home.join("events")).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// The rows of each table of a store that events make, as text.
pub(crate) fn tables(store: &Path) -> BTreeMap<String, Vec<String>> {
    let names = [
        "questions",
        "sessions",
        "preference_changes",
        "permission_events",
        "hook_errors",
        "quarantine",
    ];
    let store = plantune_migrations::open(store, AccessMode::ReadOnly).unwrap();
    let rows = |table: &str| {
        let sql = format!("SELECT t::VARCHAR FROM {table} AS t ORDER BY 1");
        let mut statement = store.prepare(&sql).unwrap();
        let rows = statement.query_map([], |row| row.get(0)).unwrap();
        (table.to_owned(), rows.map(Result::unwrap).collect())
    };
    names.into_iter().map(rows).collect()
}
