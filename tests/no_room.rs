//! Full, read-only and forbidden folders: the hook stays silent and ends well, plantune says what
//! is wrong and changes nothing by half, and afterwards everything goes on.
//!
//! A full file system is a small one in memory, mounted in a namespace of its own that is gone with
//! the test, whatever happens to it. Where none can be had, such tests say so and are skipped.

#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "a test may panic, its helpers too, and says when it is skipped"
)]

#[allow(unreachable_pub, reason = "shared by several tests")]
mod common;

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{ErrorKind, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use duckdb::AccessMode;
use serde_json::{Value, json};

/// Names the mounted folder to a test that runs in its namespace.
const MOUNTED: &str = "PLANTUNE_TEST_MOUNTED";

/// Mebibytes of the small file system.
const MEBIBYTES: u32 = 24;

const TODAY: &str = "events/2026-11-20.jsonl";

/// A small file system in memory.
struct Small(PathBuf);

impl Small {
    /// The small file system, inside its namespace. Outside of it, `test` is run inside, and there
    /// is `None` for what called it here.
    fn only_inside(test: &str) -> Option<Self> {
        if let Some(folder) = std::env::var_os(MOUNTED) {
            let small = Self(folder.into());
            small.mount(&["-t", "tmpfs", "-o", &format!("size={MEBIBYTES}m"), "none"]);
            return Some(small);
        }
        common::hook();
        let folder = tempfile::tempdir().unwrap();
        let Some(flag) = namespace(folder.path()) else {
            eprintln!("SKIPPED {test}: no file system can be mounted here");
            return None;
        };
        let ran = Command::new("unshare")
            .arg(flag)
            .arg(std::env::current_exe().unwrap())
            .args(["--exact", test, "--nocapture", "--include-ignored"])
            .env(MOUNTED, folder.path())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&ran.stdout);
        let errors = String::from_utf8_lossy(&ran.stderr);
        assert!(ran.status.success(), "{said}{errors}");
        assert!(said.contains("1 passed"), "{said}");
        None
    }

    fn mount(&self, words: &[&str]) {
        let done = Command::new("mount").args(words).arg(&self.0).status();
        assert!(done.unwrap().success());
    }

    /// Leaves `bytes` of room, in whole pages.
    fn leave(&self, bytes: u64) {
        let mut file = File::create(self.0.join("filler")).unwrap();
        let mut length = 0;
        for piece in [1 << 20, 1 << 12] {
            let zeros = vec![0; piece];
            loop {
                match file.write(&zeros) {
                    Ok(written) => length += written as u64,
                    Err(error) if error.kind() == ErrorKind::StorageFull => break,
                    failed => assert!(failed.is_ok(), "{failed:?}"),
                }
            }
        }
        file.set_len(length - bytes).unwrap();
    }

    fn make_room(&self) {
        fs::remove_file(self.0.join("filler")).unwrap();
    }
}

/// The text of the question, without its marker.
fn text() -> String {
    format!("Which layout? {}", "x".repeat(300))
}

/// The way to a namespace of our own in which something can be mounted at `folder`.
fn namespace(folder: &Path) -> Option<&'static str> {
    let mounts = |flag: &&str| {
        let mut probe = Command::new("unshare");
        probe
            .args([flag, "mount", "-t", "tmpfs", "none"])
            .arg(folder);
        let probe = probe.stdout(Stdio::null()).stderr(Stdio::null());
        probe.status().is_ok_and(|status| status.success())
    };
    ["-m", "-rm"].into_iter().find(mounts)
}

/// plantune's folder, and how it is called there.
struct Home {
    folder: PathBuf,
    /// What stands before every program.
    before: Vec<String>,
}

#[derive(Debug)]
struct Ran {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl Home {
    fn at(folder: &Path) -> Self {
        fs::create_dir_all(folder).unwrap();
        Self {
            folder: folder.to_owned(),
            before: Vec::new(),
        }
    }

    /// A home whose calls are not those of an almighty user.
    fn without_powers(folder: &Path) -> Option<Self> {
        let mut home = Self::at(folder);
        let closed = folder.join("closed");
        fs::create_dir(&closed).unwrap();
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o500)).unwrap();
        let powers = "-dac_override,-dac_read_search";
        let bounds = [
            format!("--bounding-set={powers}"),
            format!("--inh-caps={powers}"),
        ];
        for before in [
            vec![],
            [vec!["setpriv".to_owned()], bounds.to_vec()].concat(),
        ] {
            home.before = before;
            let tried = home.command("touch", &[]).arg(closed.join("it")).output();
            if tried.is_ok_and(|tried| String::from_utf8_lossy(&tried.stderr).contains("denied")) {
                fs::remove_dir(&closed).unwrap();
                return Some(home);
            }
            let _ = fs::remove_file(closed.join("it"));
        }
        None
    }

    fn command(&self, program: &str, words: &[&str]) -> Command {
        let mut all = self.before.iter().map(String::as_str).chain([program]);
        let mut command = Command::new(all.next().unwrap());
        command
            .args(all)
            .args(words)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", &self.folder)
            .env("PLANTUNE_HOME", &self.folder)
            .env("PLANTUNE_NOW", "2026-11-20T10:00:00Z")
            .env("TZ", "UTC")
            .env("COLUMNS", "80")
            .current_dir("/")
            .stdin(Stdio::null());
        command
    }

    fn plantune(&self, words: &[&str]) -> Ran {
        let mut command = self.command(env!("CARGO_BIN_EXE_plantune"), words);
        self.stdout_of(&command.output().unwrap())
    }

    /// One call of the hook about the question that a preference answers.
    fn hook(&self, number: u32) -> Ran {
        let option = |label: &str| json!({"label": label, "description": "d"});
        let question = json!({"question": format!("<plantune:layout> {}", text()),
            "header": "H", "options": [option("Grid"), option("List")], "multiSelect": false});
        let call = json!({"session_id": "s", "cwd": "/", "hook_event_name": "PreToolUse",
            "tool_name": "AskUserQuestion", "tool_use_id": format!("toolu_{number}"),
            "tool_input": {"questions": [question]}});
        let hook = common::hook();
        let mut child = self
            .command(hook.to_str().unwrap(), &[])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        input.write_all(call.to_string().as_bytes()).unwrap();
        drop(input);
        self.stdout_of(&child.wait_with_output().unwrap())
    }

    /// The hook, which never fails and never says what is no decision; true when it decided.
    fn decides(&self, number: u32) -> bool {
        let ran = self.hook(number);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{ran:?}");
        if ran.stdout.is_empty() {
            return false;
        }
        let decision: Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(
            decision["hookSpecificOutput"]["permissionDecision"],
            "allow"
        );
        true
    }

    /// The answer to the question is always the grid.
    fn prefer(&self) {
        let words = ["prefs", "set", "layout", "never-ask", "--answer", "Grid"];
        let ran = self.plantune(&[&words[..], &["--global", "--force", "--yes"]].concat());
        assert_eq!(ran.code, Some(0), "{ran:?}");
        // The question was never asked, so the preference does not say what it was given for.
        let path = self.folder.join("preferences.json");
        let mut file: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        let preference = &mut file["preferences"]["layout"];
        preference["question"] = json!(text());
        preference["options"] = json!(["Grid", "List"]);
        let mut same = File::create(path).unwrap();
        same.write_all(file.to_string().as_bytes()).unwrap();
    }

    fn stdout_of(&self, output: &Output) -> Ran {
        let text = |bytes: &[u8]| {
            let text = String::from_utf8(bytes.to_vec()).unwrap();
            text.replace(&self.folder.display().to_string(), "HOME")
        };
        Ran {
            code: output.status.code(),
            stdout: text(&output.stdout),
            stderr: text(&output.stderr),
        }
    }

    /// What the store holds.
    fn dump(&self) -> Vec<String> {
        let store = self.folder.join("plantune.duckdb");
        let store = plantune_migrations::open(&store, AccessMode::ReadOnly).unwrap();
        let mut all = Vec::new();
        for table in [
            "questions",
            "sessions",
            "preference_changes",
            "permission_events",
            "hook_errors",
            "quarantine",
        ] {
            let sql = format!("SELECT row_of::VARCHAR FROM {table} AS row_of ORDER BY ALL");
            let mut statement = store.prepare(&sql).unwrap();
            let found = statement
                .query_map([], |row| row.get::<_, String>(0))
                .unwrap();
            all.extend(found.map(|row| format!("{table}: {}", row.unwrap())));
        }
        all
    }

    /// The names of the files in the folder itself.
    fn files(&self) -> Vec<String> {
        let all = self.everything().into_iter();
        let files = all.filter(|(path, ..)| path.is_file());
        files
            .filter_map(|(path, ..)| {
                Some(path.strip_prefix(&self.folder).ok()?.to_str()?.to_owned())
            })
            .filter(|name| !name.contains('/'))
            .collect()
    }

    /// What a store holds that was computed from this log in one go.
    fn dump_of_undisturbed(&self) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        let other = Self::at(folder.path());
        fs::create_dir(other.folder.join("events")).unwrap();
        for entry in fs::read_dir(self.folder.join("events")).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap();
            fs::copy(&path, other.folder.join("events").join(name)).unwrap();
        }
        assert_eq!(other.plantune(&["ingest"]).code, Some(0));
        other.dump()
    }

    fn auto_decided(&self) -> BTreeSet<u32> {
        let store = self.folder.join("plantune.duckdb");
        let store = plantune_migrations::open(&store, AccessMode::ReadOnly).unwrap();
        let sql = "SELECT tool_use_id FROM questions WHERE auto_decided_at IS NOT NULL";
        let mut statement = store.prepare(sql).unwrap();
        let found = statement
            .query_map([], |row| row.get::<_, String>(0))
            .unwrap();
        let number = |id: String| id.strip_prefix("toolu_").unwrap().parse().unwrap();
        found.map(|id| number(id.unwrap())).collect()
    }

    /// Every file and folder with its mode, and the files' contents.
    fn everything(&self) -> Vec<(PathBuf, u32, Vec<u8>)> {
        let mut found = Vec::new();
        let mut folders = vec![self.folder.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                let metadata = fs::symlink_metadata(&path).unwrap();
                if metadata.is_dir() {
                    folders.push(path.clone());
                }
                let content = fs::read(&path).unwrap_or_default();
                found.push((path, metadata.permissions().mode() & 0o7777, content));
            }
        }
        found.sort();
        found
    }
}

/// Events of the hook's, as lines.
fn lines(numbers: std::ops::Range<u32>) -> Vec<u8> {
    let line = |number: u32| {
        format!(
            r#"{{"v":1,"id":"{number:032x}","ts":"2026-11-{:02}T10:00:00.000Z","kind":"asked","session_id":"s{number}","session_kind":"interactive","project":"p","cwd":"/p","source":"hook","tool_name":"AskUserQuestion","tool_use_id":"t{number}","question_index":0,"question_count":1,"question_key":"k{}","key_source":"marker","question":"Question {number:064x}?","door":"two-way"}}"#,
            1 + number % 19,
            number % 7,
        ) + "\n"
    };
    numbers.map(line).collect::<String>().into()
}

fn append(path: &Path, bytes: &[u8]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let mut options = File::options();
    let mut file = options.append(true).create(true).open(path).unwrap();
    file.write_all(bytes).unwrap();
}

#[test]
fn a_full_disk_under_hook_and_store() {
    let Some(small) = Small::only_inside("a_full_disk_under_hook_and_store") else {
        return;
    };
    let home = Home::at(&small.0.join("home"));
    home.prefer();
    assert!(home.decides(1));
    assert_eq!(home.plantune(&["ingest"]).code, Some(0));
    let before = home.dump();

    // Room for the marks of a few decisions; then the log's last page is used up, its last line torn.
    small.leave(3 * 4096);
    let mut decided: BTreeSet<u32> = (2..30).filter(|number| home.decides(*number)).collect();
    assert!(!decided.is_empty() && !decided.contains(&29), "{decided:?}");
    let spool = fs::read(home.folder.join(TODAY)).unwrap();
    assert_ne!(spool.last(), Some(&b'\n'));
    // The store has less left of its page than these take.
    let ran = home.plantune(&["ingest"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""));
    insta::assert_snapshot!(ran.stderr, @r"
    plantune: HOME/plantune.duckdb cannot be written: no space is left on its file system
      hint: nothing is lost: what is not in the store yet stays in the log, and is loaded the next time
      hint: make room (`df -h HOME` shows how much there is), and try again
    ");
    for words in [&["report"][..], &["suggest"], &["quarantine", "retry"]] {
        let ran = home.plantune(words);
        assert_eq!(
            (ran.code, ran.stdout.as_str()),
            (Some(1), ""),
            "{words:?} {ran:?}"
        );
        assert!(ran.stderr.contains("no space is left"), "{ran:?}");
    }
    assert_eq!(home.dump(), before);

    small.make_room();
    assert!(home.decides(30));
    let ran = home.plantune(&["ingest"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stdout.contains("1 lines that are no events"), "{ran:?}");
    // What was decided is on record, and what is on record was decided.
    decided.extend([1, 30]);
    assert_eq!(home.auto_decided(), decided);
    assert_eq!(home.dump(), home.dump_of_undisturbed());
}

#[test]
fn an_ingest_that_runs_out_of_room_anywhere() {
    let Some(small) = Small::only_inside("an_ingest_that_runs_out_of_room_anywhere") else {
        return;
    };
    let home = Home::at(&small.0.join("home"));
    let mut undisturbed = None;
    let mut failed = 0;
    for room in [0, 4, 400, 1200, 3200] {
        append(&home.folder.join("events/2026-11-19.jsonl"), &lines(0..100));
        assert_eq!(home.plantune(&["ingest"]).code, Some(0));
        append(&home.folder.join(TODAY), &lines(90..2500));
        let before = home.dump();
        small.leave(room * 1024);
        let ran = home.plantune(&["ingest"]);
        if ran.code != Some(0) {
            failed += 1;
            assert_eq!(ran.code, Some(1), "{ran:?}");
            assert!(
                ran.stderr.contains("no space is left on its file system"),
                "{ran:?}"
            );
            assert_eq!(home.dump(), before, "{room}");
        }
        small.make_room();
        assert_eq!(home.plantune(&["ingest"]).code, Some(0));
        let undisturbed = undisturbed.get_or_insert_with(|| home.dump_of_undisturbed());
        assert_eq!(home.dump(), *undisturbed, "{room}");
        fs::remove_dir_all(&home.folder).unwrap();
    }
    assert!((2..5).contains(&failed), "{failed}");
}

#[test]
fn a_first_ingest_without_room() {
    let Some(small) = Small::only_inside("a_first_ingest_without_room") else {
        return;
    };
    let mut failed = 0;
    // In pages; the last is room enough.
    for room in [0, 1, 2, 3, 4, 8, 16, 64, 128, 192, 256, 320, 384, 448, 1024] {
        let home = Home::at(&small.0.join("home"));
        append(&home.folder.join(TODAY), &lines(0..600));
        small.leave(room * 4096);
        let ran = home.plantune(&["ingest"]);
        if ran.code != Some(0) {
            failed += 1;
            assert_eq!(ran.code, Some(1), "{room}: {ran:?}");
            assert!(ran.stderr.contains("no space is left"), "{room}: {ran:?}");
            // What was begun does not take the room there is.
            assert_eq!(home.files(), [""; 0], "{room}");
        }
        small.make_room();
        let ran = home.plantune(&["ingest"]);
        assert_eq!(
            (ran.code, ran.stderr.as_str()),
            (Some(0), ""),
            "{room}: {ran:?}"
        );
        assert_eq!(home.files(), ["plantune.duckdb"], "{room}");
        assert_eq!(home.dump().len(), 600, "{room}");
        fs::remove_dir_all(&home.folder).unwrap();
    }
    assert!((8..15).contains(&failed), "{failed}");
}

/// A new store is written beside the old one, which stays until the new one is whole.
#[test]
fn a_rebuild_without_room() {
    let Some(small) = Small::only_inside("a_rebuild_without_room") else {
        return;
    };
    let home = Home::at(&small.0.join("home"));
    append(&home.folder.join(TODAY), &lines(0..600));
    assert_eq!(home.plantune(&["ingest"]).code, Some(0));
    let before = home.everything();
    for room in [0, 4, 64, 256] {
        small.leave(room * 4096);
        let ran = home.plantune(&["ingest", "--rebuild"]);
        assert_eq!(
            (ran.code, ran.stdout.as_str()),
            (Some(1), ""),
            "{room}: {ran:?}"
        );
        assert!(ran.stderr.contains("no space is left"), "{room}: {ran:?}");
        assert_eq!(home.everything(), before, "{room}");
        assert_eq!(home.plantune(&["report"]).code, Some(0), "{room}");
        small.make_room();
    }
    assert_eq!(home.plantune(&["ingest", "--rebuild"]).code, Some(0));
    assert_eq!(home.files(), ["plantune.duckdb"]);
}

/// Transcripts of `calls` questions.
fn transcripts(folder: &Path, calls: u32) {
    let mut text = String::new();
    for call in 0..calls {
        let day = 1 + call % 19;
        let option = |label: &str| json!({"label": label, "description": "d"});
        let question = format!("Question {call}, {}?", "long ".repeat(40));
        let input = json!({"questions": [{"question": question, "header": "H",
            "options": [option("Grid"), option("List")], "multiSelect": false}]});
        let id = format!("toolu_{call}");
        let line = |kind: &str, second: u32, rest: Value| {
            let mut line = json!({"type": kind, "sessionId": "s", "cwd": "/p",
                "timestamp": format!("2026-11-{day:02}T10:00:{second:02}.000Z")});
            line.as_object_mut()
                .unwrap()
                .extend(rest.as_object().unwrap().clone());
            line
        };
        let asked = json!({"message": {"role": "assistant", "content":
            [{"type": "tool_use", "id": id, "name": "AskUserQuestion", "input": input}]}});
        let answers = json!({"questions": [], "answers": {question: "Grid"}});
        let answered = json!({"message": {"role": "user", "content":
            [{"type": "tool_result", "tool_use_id": id, "content": "…"}]}, "toolUseResult": answers});
        text += &format!(
            "{}\n{}\n",
            line("assistant", 0, asked),
            line("user", 5, answered)
        );
    }
    append(&folder.join("s.jsonl"), text.as_bytes());
}

#[test]
fn an_import_without_room() {
    let Some(small) = Small::only_inside("an_import_without_room") else {
        return;
    };
    let elsewhere = tempfile::tempdir().unwrap();
    let from = elsewhere.path().join("transcripts");
    transcripts(&from, 1200);
    let words = ["import", "claude-code", from.to_str().unwrap()];
    let undisturbed = Home::at(&elsewhere.path().join("home"));
    assert_eq!(undisturbed.plantune(&words).code, Some(0));

    let home = Home::at(&small.0.join("home"));
    home.prefer();
    assert_eq!(home.plantune(&["ingest"]).code, Some(0));
    let segment = home
        .folder
        .join("events/import-claude-code-2026-11-20.jsonl");
    let mut said = Vec::new();
    // Not for the first line, for some of them, and for them but not for what the store makes of them.
    let name = segment.file_name().unwrap();
    let imported = undisturbed.folder.join("events").join(name);
    let spool = fs::metadata(imported).unwrap().len() / 1024;
    for room in [0, spool / 2, spool + 100] {
        small.leave(room * 1024);
        let ran = home.plantune(&words);
        assert_eq!(
            (ran.code, ran.stdout.as_str()),
            (Some(1), ""),
            "{room}: {ran:?}"
        );
        assert!(
            ran.stderr.contains("no space is left on its file system"),
            "{ran:?}"
        );
        assert!(ran.stderr.contains("nothing is lost"), "{ran:?}");
        let spool = fs::read(&segment).unwrap_or_default();
        assert!(spool.last().is_none_or(|last| *last == b'\n'), "{room}");
        said.push(ran.stderr);
        small.make_room();
    }
    insta::assert_snapshot!(said[0], @r"
    plantune: HOME/events/import-claude-code-2026-11-20.jsonl cannot be written: no space is left on its file system
      hint: nothing is lost: run the same command again to add what is missing
      hint: make room (`df -h HOME/events` shows how much there is), and try again
    ");
    assert!(
        said.iter().any(|said| said.contains("plantune.duckdb")),
        "{said:?}"
    );
    let ran = home.plantune(&words);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let of_import = |home: &Home| -> Vec<String> {
        let mut rows = home.dump();
        rows.retain(|row| !row.starts_with("preference_changes: "));
        rows
    };
    assert_eq!(of_import(&home), of_import(&undisturbed));
}

#[test]
fn preferences_without_room() {
    let Some(small) = Small::only_inside("preferences_without_room") else {
        return;
    };
    let home = Home::at(&small.0.join("home"));
    home.prefer();
    assert_eq!(home.plantune(&["ingest"]).code, Some(0));
    let before = home.everything();
    small.leave(0);
    let words = [
        "prefs",
        "set",
        "tests",
        "never-ask",
        "--global",
        "--force",
        "--yes",
    ];
    let ran = home.plantune(&words);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    insta::assert_snapshot!(ran.stderr, @r"
    plantune: HOME/preferences.json cannot be written: no space is left on its file system
      hint: no preference was changed
      hint: make room (`df -h HOME` shows how much there is), and try again
    ");
    assert_eq!(home.everything(), before);
    let ran = home.plantune(&["prefs", "clear", "layout", "--global", "--yes"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert_eq!(home.everything(), before);
    small.make_room();
    assert_eq!(home.plantune(&words).code, Some(0));
    assert!(
        home.plantune(&["prefs", "list"])
            .stdout
            .contains("tests: never-ask")
    );
}

/// The same question, answered alike day after day.
fn habit() -> Vec<u8> {
    let mut text = String::new();
    for day in 1..20 {
        for (kind, second, more) in [
            ("asked", 0, json!({"ask_reason": "no_preference"})),
            (
                "answered",
                9,
                json!({"answer": ["Grid"], "was_auto_decided": false}),
            ),
        ] {
            let mut event = json!({"v": 1, "id": format!("{day:030x}{second:02}"), "kind": kind,
                "ts": format!("2026-11-{day:02}T10:00:{second:02}.000Z"), "session_id": format!("s{day}"),
                "session_kind": "interactive", "project": "p", "cwd": "/p", "source": "hook",
                "tool_name": "AskUserQuestion", "tool_use_id": format!("h{day}"), "question_index": 0,
                "question_count": 1, "question_key": "habit", "key_source": "marker",
                "question": "Which layout?", "options": ["Grid", "List"], "door": "two-way"});
            event
                .as_object_mut()
                .unwrap()
                .extend(more.as_object().unwrap().clone());
            text += &format!("{event}\n");
        }
    }
    text.into()
}

#[test]
fn a_proposal_without_room() {
    let Some(small) = Small::only_inside("a_proposal_without_room") else {
        return;
    };
    let home = Home::at(&small.0.join("home"));
    append(&home.folder.join("events/2026-11-19.jsonl"), &habit());
    assert_eq!(home.plantune(&["ingest"]).code, Some(0));
    let words = ["suggest", "--apply", "--only", "habit", "--yes"];
    let before = home.everything();
    small.leave(0);
    let ran = home.plantune(&words);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(
        ran.stderr.contains("no space is left on its file system"),
        "{ran:?}"
    );
    assert!(ran.stderr.contains("no preference was changed"), "{ran:?}");
    let mut after = home.everything();
    // Folders for what was not written take no room.
    after.retain(|(path, _, _)| !path.starts_with(home.folder.join("projects")) || path.is_file());
    assert_eq!(after, before);
    small.make_room();
    let ran = home.plantune(&words);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        ran.stdout.contains("set: habit is answered with \"Grid\""),
        "{ran:?}"
    );
}

/// Only the log is on the full disk: what cannot be put on record does not happen.
#[test]
fn a_preference_that_cannot_be_put_on_record() {
    let Some(small) = Small::only_inside("a_preference_that_cannot_be_put_on_record") else {
        return;
    };
    let elsewhere = tempfile::tempdir().unwrap();
    let home = Home::at(&small.0.join("home"));
    let set = |words: &[&str]| {
        let mut command = home.command(env!("CARGO_BIN_EXE_plantune"), words);
        command
            .env_remove("PLANTUNE_HOME")
            .env("XDG_DATA_HOME", &home.folder)
            .env("XDG_CONFIG_HOME", elsewhere.path());
        home.stdout_of(&command.output().unwrap())
    };
    let words = [
        "prefs",
        "set",
        "layout",
        "never-ask",
        "--global",
        "--force",
        "--yes",
    ];
    small.leave(0);
    let ran = set(&words);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stderr.contains("no preference was changed"), "{ran:?}");
    let config = elsewhere.path().join("plantune");
    assert_eq!(fs::read_dir(&config).unwrap().count(), 0);
    small.make_room();
    assert_eq!(set(&words).code, Some(0));
    assert!(config.join("preferences.json").is_file());
}

/// Verbs that only read show what is in the store, and say what is not, and `why`.
fn assert_reads(home: &Home, why: &str) {
    for words in [
        &["report", "--json"][..],
        &["log"],
        &["questions"],
        &["suggest"],
    ] {
        let ran = home.plantune(words);
        assert_eq!(ran.code, Some(0), "{words:?} {ran:?}");
        let said = "what was logged since the last time is left out: the store ";
        assert!(ran.stderr.contains(&format!("{said}{why}")), "{ran:?}");
    }
    let report: Value = serde_json::from_str(&home.plantune(&["report", "--json"]).stdout).unwrap();
    assert_eq!(report["totals"]["questions"], 1);
}

#[test]
fn a_read_only_folder() {
    let Some(small) = Small::only_inside("a_read_only_folder") else {
        return;
    };
    let home = Home::at(&small.0.join("home"));
    home.prefer();
    assert!(home.decides(1));
    assert_eq!(home.plantune(&["ingest"]).code, Some(0));
    append(&home.folder.join(TODAY), &lines(0..10));
    let before = home.everything();
    small.mount(&["-o", "remount,ro"]);
    assert!(!home.decides(2));
    let ran = home.plantune(&["ingest"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    insta::assert_snapshot!(ran.stderr, @r"
    plantune: HOME/plantune.duckdb cannot be written: its file system is read-only
      hint: nothing is lost: what is not in the store yet stays in the log, and is loaded the next time
      hint: mount it for writing (`findmnt -T HOME` shows it), or set PLANTUNE_HOME to a folder elsewhere
    ");
    let ran = home.plantune(&["prefs", "clear", "layout", "--global", "--yes"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stderr.contains("read-only"), "{ran:?}");
    assert_reads(&home, "is on a read-only file system");
    let doctor = home.plantune(&["doctor"]);
    for said in [
        "the hook cannot log to HOME/events: Read-only",
        "nothing can be written to HOME/plantune.duckdb: Read-only",
        "mount it for writing (`findmnt -T HOME/events` shows it)",
    ] {
        assert!(doctor.stdout.contains(said), "{said}: {doctor:?}");
    }
    assert_eq!(home.everything(), before);
    small.mount(&["-o", "remount,rw"]);
    assert!(home.decides(3));
    assert_eq!(home.plantune(&["ingest"]).code, Some(0));
    assert_eq!(home.auto_decided(), BTreeSet::from([1, 3]));
    assert_eq!(home.dump(), home.dump_of_undisturbed());
}

#[test]
fn a_folder_that_one_may_not_write() {
    let folder = tempfile::tempdir().unwrap();
    let Some(home) = Home::without_powers(&folder.path().join("home")) else {
        eprintln!("SKIPPED: no permission is ever denied here, and `setpriv` does not help");
        return;
    };
    home.prefer();
    assert!(home.decides(1));
    assert_eq!(home.plantune(&["ingest"]).code, Some(0));
    append(&home.folder.join(TODAY), &lines(0..10));
    let set_modes = |folder: u32, file: u32| {
        let mode = |path: &Path, mode| {
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        };
        mode(&home.folder.join("events"), 0o700);
        for (path, _, _) in home.everything() {
            if path.is_file() {
                mode(&path, file);
            }
        }
        mode(&home.folder.join("events"), folder);
        mode(&home.folder, folder);
    };
    set_modes(0o500, 0o400);
    let before = home.everything();
    assert!(!home.decides(2));
    let ran = home.plantune(&["ingest"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    insta::assert_snapshot!(ran.stderr, @r"
    plantune: HOME/plantune.duckdb cannot be written: permission denied
      hint: nothing is lost: what is not in the store yet stays in the log, and is loaded the next time
      hint: see whose it is (`ls -ld HOME`; `plantune doctor` says more), and try again as that user
    ");
    let ran = home.plantune(&["prefs", "clear", "layout", "--global", "--yes"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stderr.contains("permission denied"), "{ran:?}");
    assert_reads(&home, "may not be written by you");
    // Which the failure refers to.
    let doctor = home.plantune(&["doctor"]).stdout;
    for said in [
        "nothing can be made or changed in HOME: Permission denied",
        "run `chmod 700 HOME`",
        "nothing can be written to HOME/plantune.duckdb: Permission denied",
        "run `chmod 600 HOME/plantune.duckdb`",
    ] {
        assert!(doctor.contains(said), "{said}: {doctor}");
    }
    assert_eq!(home.everything(), before);
    // Its names can be listed, and that is all: nothing new would be a lie.
    set_modes(0o700, 0o600);
    fs::set_permissions(
        home.folder.join("events"),
        fs::Permissions::from_mode(0o600),
    )
    .unwrap();
    let ran = home.plantune(&["ingest"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stderr.contains("HOME/events/"), "{ran:?}");
    // Not even looked into.
    fs::set_permissions(
        home.folder.join("events"),
        fs::Permissions::from_mode(0o000),
    )
    .unwrap();
    assert!(!home.decides(3));
    let ran = home.plantune(&["ingest"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stderr.contains("HOME/events"), "{ran:?}");
    set_modes(0o700, 0o600);
    assert!(home.decides(4));
    assert_eq!(home.plantune(&["ingest"]).code, Some(0));
    assert_eq!(home.auto_decided(), BTreeSet::from([1, 4]));
    assert_eq!(home.dump(), home.dump_of_undisturbed());
}

/// A limit on the length of files instead of a small file system: can be had anywhere.
#[test]
fn a_line_cut_by_a_limit_keeps_to_itself() {
    let folder = tempfile::tempdir().unwrap();
    let mut home = Home::at(&folder.path().join("home"));
    home.prefer();
    assert!(home.decides(1));
    let spool = home.folder.join(TODAY);
    let length = fs::metadata(&spool).unwrap().len();
    // Ignored, the signal becomes an error.
    let limited = format!("trap '' XFSZ; exec prlimit --fsize={} \"$@\"", length + 100);
    home.before = ["sh", "-c", &limited, "sh"].map(str::to_owned).into();
    if home.plantune(&["--version"]).code != Some(0) {
        eprintln!("SKIPPED: there is no `prlimit`");
        return;
    }
    assert!(!home.decides(2));
    assert_eq!(fs::metadata(&spool).unwrap().len(), length + 100);
    home.before.clear();
    assert!(home.decides(3));
    let ran = home.plantune(&["ingest"]);
    assert_eq!(
        ran.stdout,
        "3 events read, 1 lines that are no events (kept; see `plantune quarantine list`)\n"
    );
    assert_eq!(home.auto_decided(), BTreeSet::from([1, 3]));
}

fn modes(home: &Home) -> Vec<(PathBuf, u32)> {
    let all = home.everything().into_iter();
    all.map(|(path, mode, _)| (path, mode)).collect()
}

/// Every verb that writes.
fn use_everything(home: &Home, from: &Path) {
    home.prefer();
    assert!(home.decides(1));
    append_as_found(&home.folder.join(TODAY), b"{torn\n");
    for words in [
        &["ingest"][..],
        &["import", "claude-code", from.to_str().unwrap()],
        &["report"],
        &["suggest"],
        &["quarantine", "list"],
        &["quarantine", "retry"],
        &["ingest", "--rebuild"],
        &["prefs", "clear", "layout", "--global", "--yes"],
    ] {
        let ran = home.plantune(words);
        assert_eq!(ran.code, Some(0), "{words:?} {ran:?}");
    }
    home.plantune(&["doctor"]);
}

/// Appends to a file that is there.
fn append_as_found(path: &Path, bytes: &[u8]) {
    let mut file = File::options().append(true).open(path).unwrap();
    file.write_all(bytes).unwrap();
}

#[test]
fn what_plantune_makes_is_private_whatever_the_umask() {
    let from = tempfile::tempdir().unwrap();
    transcripts(from.path(), 3);
    for umask in ["000", "022", "077"] {
        let folder = tempfile::tempdir().unwrap();
        let mut home = Home::at(&folder.path().join("home"));
        fs::set_permissions(&home.folder, fs::Permissions::from_mode(0o700)).unwrap();
        let with_umask = format!("umask {umask}; exec \"$@\"");
        home.before = ["sh", "-c", &with_umask, "sh"].map(str::to_owned).into();
        use_everything(&home, from.path());
        let found = modes(&home);
        assert!(found.len() > 6, "{found:?}");
        for (path, mode) in found {
            let expected = if path.is_dir() { 0o700 } else { 0o600 };
            assert_eq!(mode, expected, "umask {umask}: {}", path.display());
        }
    }
}

#[test]
fn what_is_there_keeps_its_mode_and_doctor_tells() {
    let from = tempfile::tempdir().unwrap();
    transcripts(from.path(), 3);
    let folder = tempfile::tempdir().unwrap();
    let home = Home::at(&folder.path().join("home"));
    use_everything(&home, from.path());
    let set_modes = |folder: u32, file: u32| {
        for (path, _) in modes(&home).into_iter().chain([(home.folder.clone(), 0)]) {
            let mode = if path.is_dir() { folder } else { file };
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        }
    };
    for (of_folders, of_files) in [(0o755, 0o644), (0o700, 0o600), (0o750, 0o600)] {
        set_modes(of_folders, of_files);
        let before = modes(&home);
        use_everything(&home, from.path());
        let after = modes(&home);
        for (path, mode) in before {
            // The hook's marks and counts come and go.
            let is_count = path
                .parent()
                .is_some_and(|folder| folder.ends_with("checks"));
            if path.ends_with("plantune.duckdb") {
                // Computed again, it is a new file.
                assert!(after.contains(&(path, 0o600)));
            } else if path.exists() && !is_count {
                assert!(after.contains(&(path.clone(), mode)), "{}", path.display());
            }
        }
        let mode = fs::metadata(&home.folder).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, of_folders);
    }
    set_modes(0o755, 0o644);
    let doctor = home.plantune(&["doctor", "--json"]);
    let doctor: Value = serde_json::from_str(&doctor.stdout).unwrap();
    let findings: Vec<&Value> = doctor["checks"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|check| check["name"] == "data_folder")
        .collect();
    assert_eq!(findings.len(), 2, "{findings:?}");
    for (finding, words) in findings
        .iter()
        .zip([("0755", "chmod 700"), ("0644", "chmod 600")])
    {
        assert_eq!(finding["status"], "warning");
        assert!(
            finding["message"].as_str().unwrap().contains(words.0),
            "{finding}"
        );
        let remedy = finding["remedy"].as_str().unwrap();
        assert!(remedy.contains(words.1), "{finding}");
    }
}
