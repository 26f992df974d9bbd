//! Many hooks at once, and an ingester that reads what they write while they write it.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{fs, thread};

use duckdb::AccessMode;
use serde_json::{Value, json};

use crate::world::{World, programs};

/// Every so many calls one has a question so long that its line takes several pages.
const LONG_EVERY: usize = 40;

#[test]
#[ignore = "takes long: make test-long"]
fn what_many_hooks_write_at_once_arrives_once() {
    let (workers, calls) = if super::is_complete() {
        (64, 500)
    } else {
        (16, 50)
    };
    let world = World::at("work");
    let hook = programs::hook();
    let at_work = AtomicUsize::new(workers);
    let runs = thread::scope(|scope| {
        for worker in 0..workers {
            let (world, hook, at_work) = (&world, &hook, &at_work);
            scope.spawn(move || {
                // Counted down also when an assertion fails, so that the ingester ends.
                let _done = Done(at_work);
                for number in 0..calls {
                    run_hook(world, hook, &call(&world.project(), worker, number));
                }
            });
        }
        let mut runs = 0;
        while at_work.load(Ordering::Relaxed) > 0 {
            world.done(&["ingest"]);
            runs += 1;
        }
        runs
    });
    world.done(&["ingest"]);
    eprintln!("{workers} hooks at a time, {calls} calls each; {runs} ingests meanwhile");
    assert!(!super::is_complete() || runs > 2, "{runs} ingests");
    assert_all_arrived(&world, workers, calls);
}

struct Done<'a>(&'a AtomicUsize);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

fn assert_all_arrived(world: &World, workers: usize, calls: usize) {
    let mut expected: Vec<String> = (0..workers)
        .flat_map(|worker| (0..calls).map(move |number| id(worker, number)))
        .collect();
    expected.sort_unstable();
    // The spool itself: whole lines, each call in one of them.
    let segments = fs::read_dir(world.paths().events()).unwrap();
    let segments: Vec<_> = segments.map(|segment| segment.unwrap().path()).collect();
    assert_eq!(segments.len(), 1);
    let text = fs::read_to_string(&segments[0]).unwrap();
    let of_line = |line: &str| {
        let event: Value = serde_json::from_str(line).unwrap();
        event["tool_use_id"].as_str().unwrap().to_owned()
    };
    // A hook that comes while another's long line is on its way begins with a newline of its own.
    let lines = text.lines().filter(|line| !line.is_empty());
    let mut written: Vec<String> = lines.map(of_line).collect();
    written.sort_unstable();
    assert!(text.ends_with('\n') && written == expected);

    let store = plantune_migrations::open(&world.paths().store(), AccessMode::ReadOnly).unwrap();
    let (questions, asked, answered, events, quarantined): (String, u64, u64, u64, u64) = store
        .query_row(include_str!("ids.sql"), [], |row| {
            Ok((
                row.get(0)?,
                row.get(1)?,
                row.get(2)?,
                row.get(3)?,
                row.get(4)?,
            ))
        })
        .unwrap();
    assert!(
        questions == format!("[{}]", expected.join(", ")),
        "{} questions",
        questions.split(',').count()
    );
    let all = (workers * calls) as u64;
    assert_eq!(
        (asked, answered, events, quarantined),
        (all / 2, all / 2, all, 0)
    );
}

fn id(worker: usize, number: usize) -> String {
    format!("toolu_{worker:03}_{number:05}")
}

/// A question that is asked, or every other time an answer that comes back.
fn call(cwd: &Path, worker: usize, number: usize) -> Value {
    let mut text = format!("What about number {number} of {worker}?");
    if number.is_multiple_of(LONG_EVERY) {
        text += &" And what about the rest?".repeat(1500);
    }
    let questions = json!([{"question": text, "header": "Number", "multiSelect": false,
        "options": [{"label": "Go on (Recommended)", "description": ""}, {"label": "Stop", "description": ""}]}]);
    let mut call = json!({"session_id": format!("session-{worker}"), "cwd": cwd,
        "hook_event_name": "PreToolUse", "tool_name": "AskUserQuestion",
        "tool_use_id": id(worker, number), "tool_input": {"questions": questions}});
    if number % 2 == 1 {
        call["hook_event_name"] = json!("PostToolUse");
        call["tool_response"] =
            json!({"questions": questions, "answers": {text: "Go on (Recommended)"}});
    }
    call
}

/// Starts the hook as Claude Code does; it must say nothing and exit 0.
fn run_hook(world: &World, hook: &Path, call: &Value) {
    let output = programs::call_hook(&mut world.start(hook, &[]), call);
    assert!(
        output.status.success() && output.stdout.is_empty() && output.stderr.is_empty(),
        "{output:?}"
    );
}
