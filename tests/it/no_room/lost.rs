//! What the hook cannot log is counted, said, and logged when that works again.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::full::Small;
use super::{Home, TODAY};
use crate::shared::skipped;
use crate::world::{PLANTUNE, Ran, World, call_of, programs, question, unwrapped};

/// The input of the `number`th call of a session, whose question nothing answers: one event.
fn asked(world: &World, number: u32) -> Value {
    let question = question("Which size shall it be?", "Size", &["Small", "Large"]);
    let mut call = call_of(&format!("toolu_{number}"), &[question]);
    call["hook_event_name"] = json!("PreToolUse");
    call["session_id"] = json!(format!("s{}", number / 20));
    call["cwd"] = json!(world.project());
    call
}

impl Home {
    /// Calls the hook, which has nothing to say.
    fn ask(&self, number: u32) {
        let mut hook = self.command(programs::hook().to_str().unwrap(), &[]);
        let ran = Ran::from(programs::call_hook(&mut hook, &asked(&self.world, number)));
        assert_eq!((ran.code, ran.text().as_str()), (0, ""));
    }

    /// How many of the calls were logged.
    fn logged(&self) -> u64 {
        let whole = |line: &&str| serde_json::from_str::<Value>(line).is_ok();
        let text = fs::read_to_string(self.folder.join(TODAY)).unwrap_or_default();
        text.lines().filter(whole).count() as u64
    }

    /// The count that is kept for the next command.
    pub(crate) fn counted(&self) -> u64 {
        let text = fs::read(self.folder.join("lost-events")).unwrap();
        let kept: Value = serde_json::from_slice(&text).unwrap();
        kept["count"].as_u64().unwrap()
    }

    /// The status line.
    fn line(&self) -> String {
        let mut hook = self.command(programs::hook().to_str().unwrap(), &["--statusline"]);
        let input = json!({"cwd": self.world.project()}).to_string();
        Ran::from(programs::call_with(&mut hook, &input)).stdout()
    }

    /// The errors that were logged.
    fn errors(&self) -> Vec<String> {
        let text = fs::read_to_string(self.folder.join(TODAY)).unwrap();
        let events = text
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok());
        let errors = events.filter(|event: &Value| event["kind"] == "hook_error");
        errors
            .map(|event| event["error"].as_str().unwrap().to_owned())
            .collect()
    }
}

#[test]
fn what_a_full_disk_keeps_from_the_log_is_counted_and_said() {
    const CALLS: u32 = 60;
    let test = "no_room::lost::what_a_full_disk_keeps_from_the_log_is_counted_and_said";
    let Some(small) = Small::only_inside(test) else {
        return;
    };
    let home = Home::at(&small.0.join("home"));
    home.ask(0);
    // Room for some of them.
    small.leave(3 * 4096);
    (1..CALLS).for_each(|number| home.ask(number));
    let (logged, counted) = (home.logged(), home.counted());
    assert!(logged > 1 && counted > 10, "{logged} {counted}");
    assert_eq!(logged + counted, u64::from(CALLS));
    assert!(
        home.line().ends_with(&format!(" · {counted} not logged\n")),
        "{}",
        home.line()
    );
    // Each command says it until it can be logged; the person's own, not an agent's.
    let said = format!(
        "plantune: {counted} events could not be logged, today 11:00: No space left on device (os error 28)\n"
    );
    for words in [
        &["prefs", "list"][..],
        &["config", "show"],
        &["prefs", "list"],
    ] {
        let ran = home.plantune(words);
        assert!(ran.stderr.starts_with(&said), "{ran:?}");
        let why = "plantune: can't write HOME/events: no space is left on its file system\n";
        assert!(ran.stderr.contains(why), "{ran:?}");
    }
    let doctor = unwrapped(&home.plantune(&["doctor"]).stdout);
    let warned = format!("warning  spool: {counted} events could not be logged, ");
    assert!(doctor.contains(&warned), "{doctor}");
    assert_eq!(home.counted(), counted);
    small.make_room();
    for (variable, words) in [
        ("CLAUDECODE", &["prefs", "list"][..]),
        ("X", &["prefs", "list", "--quiet"]),
    ] {
        let mut command = home.command(PLANTUNE, words);
        let ran = home.run(command.env(variable, "1"));
        assert_eq!(ran.stderr, "", "{variable}");
    }
    home.ask(CALLS);
    let ran = home.plantune(&["report", "--json"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, said.as_str()));
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(
        report["errors"],
        json!([{"error_kind": "hook", "times": 1}])
    );
    assert_eq!(report["totals"]["questions"], logged + 1);
    let at = "2026-11-20T10:00:00.000Z";
    let error = format!(
        "{counted} events could not be logged, {at} to {at}: No space left on device (os error 28)"
    );
    assert_eq!(home.errors(), [error]);
    assert_eq!(home.counted(), 0);
    assert!(!home.line().contains("not logged"), "{}", home.line());
    assert_eq!(home.plantune(&["prefs", "list"]).stderr, "");
}

const STRACE: &str = "/usr/bin/strace";

/// The words that start a program whose first `call` of the system ends as `what` says.
fn with_fault(call: &str, what: &str) -> Vec<String> {
    let (traced, injected) = (
        format!("trace={call}"),
        format!("inject={call}:{what}:when=1"),
    );
    let words = [
        STRACE,
        "-qq",
        "-o",
        "/dev/null",
        "-e",
        &traced,
        "-e",
        &injected,
    ];
    words.map(str::to_owned).into()
}

#[test]
fn every_reason_and_every_event_counts_until_it_is_logged() {
    if !Path::new(STRACE).is_file() {
        let test = "no_room::lost::every_reason_and_every_event_counts_until_it_is_logged";
        return skipped(test, "there is no strace");
    }
    let folder = tempfile::tempdir().unwrap();
    let mut home = Home::at(&folder.path().join("home"));
    home.ask(0);
    let kept = |home: &Home| fs::read_to_string(home.folder.join("lost-events")).unwrap();
    // The hook's first write is that of its events.
    for (number, (error, reason)) in [
        ("ENOSPC", "No space left on device"),
        ("EDQUOT", "Disk quota exceeded"),
        ("EROFS", "Read-only file system"),
        ("EIO", "Input/output error"),
    ]
    .into_iter()
    .enumerate()
    {
        home.before = with_fault("write", &format!("error={error}"));
        home.ask(number as u32 + 1);
        assert_eq!(home.counted(), number as u64 + 1, "{error}");
        assert!(kept(&home).contains(reason), "{}", kept(&home));
    }
    // Each event of a call counts.
    let mut call = asked(&home.world, 5);
    let another = question("Which colour shall it have?", "Colour", &["Red", "Blue"]);
    let questions = call["tool_input"]["questions"].as_array_mut().unwrap();
    questions.push(another);
    home.before = with_fault("write", "error=ENOSPC");
    let mut hook = home.command(programs::hook().to_str().unwrap(), &[]);
    programs::call_hook(&mut hook, &call);
    assert_eq!(home.counted(), 6);
    // What is not a file cannot even be opened.
    home.before.clear();
    let (segment, aside) = (home.folder.join(TODAY), home.folder.join("events/aside"));
    fs::rename(&segment, &aside).unwrap();
    fs::create_dir(&segment).unwrap();
    home.ask(6);
    assert_eq!(home.counted(), 7);
    assert!(kept(&home).contains("Is a directory"), "{}", kept(&home));
    fs::remove_dir(&segment).unwrap();
    fs::rename(&aside, &segment).unwrap();
    assert_eq!(home.logged(), 1);
    // A command that is killed before it sets the count back says it again, as the same event.
    home.before = with_fault("pwrite64", "signal=KILL");
    let killed = home.command(PLANTUNE, &["prefs", "list"]).output().unwrap();
    assert!(!killed.status.success(), "{killed:?}");
    assert_eq!((home.counted(), home.errors().len()), (7, 1));
    home.before.clear();
    let report = home.plantune(&["report", "--json"]).stdout;
    let report: Value = serde_json::from_str(&report).unwrap();
    assert_eq!(
        report["errors"],
        json!([{"error_kind": "hook", "times": 1}])
    );
    assert_eq!((home.counted(), home.errors().len()), (0, 2));
}
