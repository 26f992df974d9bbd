//! A log as people make one: forty projects of twenty-five habits each, some asked a hundred times
//! as often as others, three in five in the same words every time; half of the events ask, half of
//! them are answers, and of every ten questions a preference answers one. About 600 bytes a line.

#![allow(dead_code, reason = "each benchmark writes what it needs")]

use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::Path;

use chrono::{DateTime, TimeDelta, Utc};
use plantune_domain::clock::timestamp;
use plantune_domain::event::{Event, Kind, SCHEMA_VERSION, question_event_id};

/// The moment at which the benchmarks run.
pub(crate) fn now() -> DateTime<Utc> {
    "2026-11-20T10:00:00Z".parse().unwrap()
}

/// Writes so many events into a folder of segments.
pub(crate) type Write = fn(&Path, u64);

/// The shapes that are measured, by name.
pub(crate) const SHAPES: [(&str, Write); 4] = [
    ("as hooks write", write),
    ("answers alone, 2,000 keys", write_answers),
    ("spaces after colons and commas", write_spaced),
    ("as short as can be", write_short),
];

/// Writes `count` events over half a year: asked and answered.
pub(crate) fn write(events: &Path, count: u64) {
    write_lines(events, count, line);
}

/// Answers without their questions, of 2,000 keys; a third of `count`.
pub(crate) fn write_answers(events: &Path, count: u64) {
    write_lines(events, count / 3, |number, is_second, ts| {
        let question = number * 2 + u64::from(is_second);
        let line = String::from_utf8(line(question, true, ts)).unwrap();
        let key = format!("\"question_key\":\"key-{}-", question % 2000);
        line.replacen("\"question_key\":\"habit-number-", &key, 1)
            .into_bytes()
    });
}

/// The lines of [`write`] with a space after each colon and comma between values.
pub(crate) fn write_spaced(events: &Path, count: u64) {
    write_lines(events, count, |number, is_second, ts| {
        let line = line(number, is_second, ts);
        let mut spaced = Vec::with_capacity(line.len() + 100);
        let mut in_text = false;
        for byte in line {
            in_text ^= byte == b'"';
            spaced.push(byte);
            if !in_text && matches!(byte, b':' | b',') {
                spaced.push(b' ');
            }
        }
        spaced
    });
}

/// Writes events that are as short as they can be, each question of a session and a series of its own:
/// what an ingest keeps in memory for them is much beside their bytes.
pub(crate) fn write_short(events: &Path, count: u64) {
    write_lines(events, count, |question, is_second, ts| {
        let kind = if is_second {
            Kind::Answered
        } else {
            Kind::Asked
        };
        let call = format!("t{question}");
        let event = Event {
            v: SCHEMA_VERSION,
            id: question_event_id(kind, &call, 0).into(),
            ts: ts.into(),
            kind: kind.as_str().into(),
            session_id: format!("s{question}").into(),
            session_kind: "interactive".into(),
            project: format!("p{}", question % 40).into(),
            source: "hook".into(),
            tool_use_id: Some(call.into()),
            question_index: Some(0),
            question_key: Some(format!("k{question}").into()),
            answer: is_second.then(|| vec!["Yes".into()]),
            ..Event::default()
        };
        event.to_line().unwrap()
    });
}

fn write_lines(events: &Path, count: u64, line: impl Fn(u64, bool, String) -> Vec<u8>) {
    fs::create_dir_all(events).unwrap();
    let mut file: Option<(String, BufWriter<File>)> = None;
    let start = now() - TimeDelta::days(180);
    for number in 0..count {
        let question = number / 2;
        let at = start
            + TimeDelta::milliseconds((question * 15_552_000_000 / (count / 2).max(1)) as i64)
            + TimeDelta::seconds((number % 2) as i64 * (5 + question as i64 % 60));
        let ts = timestamp(at);
        let day = ts[..10].to_owned();
        if file.as_ref().is_none_or(|(open, _)| *open != day) {
            let path = events.join(format!("{day}.jsonl"));
            let opened = File::options()
                .create(true)
                .append(true)
                .open(path)
                .unwrap();
            file = Some((day, BufWriter::new(opened)));
        }
        let line = line(question, number % 2 == 1, ts);
        file.as_mut().unwrap().1.write_all(&line).unwrap();
    }
}

/// One event of a question's, at a time.
pub(crate) fn line(question: u64, is_second: bool, ts: String) -> Vec<u8> {
    let random = question.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let session = question / 7;
    let project = session.wrapping_mul(0xD6E8_FEB8_6659_FD93) >> 32;
    let number = project % 40;
    let project = format!("github.com/someone/project-{number}");
    // The square makes the first habits of a project the frequent ones.
    let habit = ((random >> 44) % 1000).pow(2) / 40_000;
    let key = format!("habit-number-{}", habit * 8 + number % 8);
    let decided = random >> 20 & 1023 < 102;
    let kind = match (is_second, decided) {
        (false, true) => Kind::AutoDecided,
        (false, false) => Kind::Asked,
        (true, _) => Kind::Answered,
    };
    let id = format!(
        "toolu_{:024x}",
        question.wrapping_mul(0xD6E8_FEB8_6659_FD93)
    );
    let text = if habit % 5 < 3 {
        format!("The checks of {key} have passed. Create it now?")
    } else {
        format!("No file number {question} was found here. Create it?")
    };
    let other = random >> 10 & 15 == 0;
    let answer = if other {
        "Skip it"
    } else {
        "Create it (Recommended)"
    };
    let mut event = Event {
        v: SCHEMA_VERSION,
        id: question_event_id(kind, &id, 0).into(),
        ts: ts.into(),
        kind: kind.as_str().into(),
        session_id: format!("00000000-0000-4000-8000-{session:012x}").into(),
        session_kind: "interactive".into(),
        cwd: format!("/home/dev/{project}").into(),
        project: project.into(),
        permission_mode: Some("default".into()),
        source: "hook".into(),
        tool_name: Some("AskUserQuestion".into()),
        tool_use_id: Some(id.into()),
        question_index: Some(0),
        question_count: Some(1),
        question_key: Some(key.into()),
        key_source: Some("marker".into()),
        question: Some(text.into()),
        options: Some(vec!["Create it (Recommended)".into(), "Skip it".into()]),
        recommended: Some("Create it".into()),
        door: Some("two-way".into()),
        ..Event::default()
    };
    match kind {
        Kind::Answered => {
            event.answer = Some(vec![answer.into()]);
            event.was_auto_decided = Some(decided);
            event.followed_recommendation = Some(Some(!other));
        }
        Kind::AutoDecided => {
            event.answer = Some(vec![answer.into()]);
            event.preference = Some("never-ask".into());
        }
        _ => event.ask_reason = Some("no_preference".into()),
    }
    event.to_line().unwrap()
}
