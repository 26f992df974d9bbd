//! plantune's folder, what is run in it, and what it is filled with.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use duckdb::AccessMode;
use serde_json::{Value, json};

use crate::common;

pub(crate) const TODAY: &str = "events/2026-11-20.jsonl";

/// The text of the question, without its marker.
pub(crate) fn text() -> String {
    format!("Which layout? {}", "x".repeat(300))
}

/// plantune's folder, and how it is called there.
pub(crate) struct Home {
    pub(crate) folder: PathBuf,
    /// What stands before every program.
    pub(crate) before: Vec<String>,
}

#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Home {
    pub(crate) fn at(folder: &Path) -> Self {
        fs::create_dir_all(folder).unwrap();
        Self {
            folder: folder.to_owned(),
            before: Vec::new(),
        }
    }

    /// A home whose calls are not those of an almighty user.
    pub(crate) fn without_powers(folder: &Path) -> Option<Self> {
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

    pub(crate) fn command(&self, program: &str, words: &[&str]) -> Command {
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

    pub(crate) fn plantune(&self, words: &[&str]) -> Ran {
        let mut command = self.command(env!("CARGO_BIN_EXE_plantune"), words);
        self.stdout_of(&command.output().unwrap())
    }

    /// One call of the hook about the question that a preference answers.
    pub(crate) fn hook(&self, number: u32) -> Ran {
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
    pub(crate) fn decides(&self, number: u32) -> bool {
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
    pub(crate) fn prefer(&self) {
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

    pub(crate) fn stdout_of(&self, output: &Output) -> Ran {
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
    pub(crate) fn dump(&self) -> Vec<String> {
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
    pub(crate) fn files(&self) -> Vec<String> {
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
    pub(crate) fn dump_of_undisturbed(&self) -> Vec<String> {
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

    pub(crate) fn auto_decided(&self) -> BTreeSet<u32> {
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
    pub(crate) fn everything(&self) -> Vec<(PathBuf, u32, Vec<u8>)> {
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
pub(crate) fn lines(numbers: std::ops::Range<u32>) -> Vec<u8> {
    let line = |number: u32| {
        format!(
            r#"{{"v":1,"id":"{number:032x}","ts":"2026-11-{:02}T10:00:00.000Z","kind":"asked","session_id":"s{number}","session_kind":"interactive","project":"p","cwd":"/p","source":"hook","tool_name":"AskUserQuestion","tool_use_id":"t{number}","question_index":0,"question_count":1,"question_key":"k{}","key_source":"marker","question":"Question {number:064x}?","door":"two-way"}}"#,
            1 + number % 19,
            number % 7,
        ) + "\n"
    };
    numbers.map(line).collect::<String>().into()
}

pub(crate) fn append(path: &Path, bytes: &[u8]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let mut options = File::options();
    let mut file = options.append(true).create(true).open(path).unwrap();
    file.write_all(bytes).unwrap();
}

/// Transcripts of `calls` questions.
pub(crate) fn transcripts(folder: &Path, calls: u32) {
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

/// The same question, answered alike day after day.
pub(crate) fn habit() -> Vec<u8> {
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
